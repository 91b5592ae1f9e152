//! TD(lambda) over afterstates.
//!
//! After each game every afterstate of the learner's moves towards its lambda-return: a mixture of the game's result and
//! of the values met on the way. Values are those of the weights before the game. With `expected`, what is met on the way
//! is not the value of the move that came but the mean over all moves by the league's rules (expected Sarsa), which
//! costs nothing, as all children are evaluated anyway, and takes the luck of the exploration out of the target.
//!
//! Sources: R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988; S. M. Lucas, "Learning to
//! play Othello with n-tuple systems", 2007; H. van Seijen et al., "A theoretical and empirical analysis of expected
//! Sarsa", ADPRL 2009.

use std::collections::VecDeque;

use ishi_othello::simd::{SimdKernel, Vectors};
use ishi_othello::{Board, Color, Isa, Wpc};
use ishi_rng::Seed;

use super::game::{GamePlay, GameTrail, TrailStep as GameStep};
use super::opponent::{Opponent, OpponentMixture, SharedEvaluator, random_counter};
use super::params::{StepRule, TdParams};
use ishi_othello_play::ntuple::{LaneContents, NTupleNetwork, NTuplePlayer, WhiteView};

/// The unit of weights while they are learned: 2^-24.
pub const UNIT: f64 = 1.0 / 16_777_216.0;

/// A weight's errors: their sum, and the sum of their sizes.
pub(super) type WeightErrors = [f32; 2];

/// A network that learns. Game `i` of a run is drawn from the seed and `i`, so that a run that is broken off and taken up
/// again goes on bit for bit.
///
/// ```
/// use ishi_othello_learn::td::{Learner, OpponentMixture, TdParams, blank_network};
/// use ishi_othello_play::ntuple::NetworkPhases;
/// use ishi_rng::Seed;
/// let network = blank_network("line2".parse::<ishi_othello_play::ntuple::TupleSet>().unwrap().shape(), NetworkPhases::single_phase());
/// let params = TdParams { games: 50, ..TdParams::default() };
/// let mut learner = Learner::new(network, params, OpponentMixture::itself_only(), Seed::new(1));
/// learner.learn_games(50);
/// assert_eq!(learner.games(), 50);
/// ```
pub struct Learner {
    pub(super) params: TdParams,
    pub(super) mixture: OpponentMixture,
    pub(super) seed: Seed,
    pub(super) games: u64,
    pub(super) network: NTupleNetwork,
    pub(super) coherence: Vec<WeightErrors>,
    pub(super) hall: VecDeque<NTuplePlayer>,
}

/// A network to begin with: all weights 0, in [`UNIT`].
pub fn blank_network(
    shape: ishi_othello_play::ntuple::TupleShape,
    phases: ishi_othello_play::ntuple::NetworkPhases,
) -> NTupleNetwork {
    NTupleNetwork::with_zero_weights(shape, phases, UNIT)
}

impl Learner {
    /// A run from its start. The network is taken into [`UNIT`] if it has another unit.
    pub fn new(network: NTupleNetwork, params: TdParams, mixture: OpponentMixture, seed: Seed) -> Learner {
        let network = if network.unit() == UNIT { network } else { network.rounded_to_unit(UNIT) };
        let weights = if params.step == StepRule::Coherence { network.all_weights().len() } else { 0 };
        let coherence = vec![[0.0; 2]; weights];
        Learner { params, mixture, seed, games: 0, network, coherence, hall: VecDeque::new() }
    }

    /// The network as it is.
    pub fn network(&self) -> &NTupleNetwork {
        &self.network
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The seed.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The parameters.
    pub fn params(&self) -> &TdParams {
        &self.params
    }

    /// Is the run over?
    pub fn is_done(&self) -> bool {
        self.games >= self.params.games
    }

    /// Learns from so many more games, fewer if the run is over before.
    pub fn learn_games(&mut self, games: u64) {
        let games = games.min(self.params.games.saturating_sub(self.games));
        Isa::best().run(LearningSession { learner: self, games });
    }

    /// The piece counter that a network of single squares amounts to; `None` of any other network.
    pub fn to_piece_counter(&self) -> Option<Wpc> {
        let mut weights = [0.0; 64];
        if self.network.phases().count() > 1 {
            return None;
        }
        for (number, group) in self.network.shape().groups().iter().enumerate() {
            for tuple in group.placements() {
                let &[square] = tuple.squares() else { return None };
                weights[square.index()] += f64::from(self.network.group_weights(0, number)[2]);
            }
        }
        Wpc::new(&weights).ok()
    }

    /// The hall of fame takes the network in, when it is time.
    fn update_hall(&mut self) {
        if self.mixture.has_past() && self.games.is_multiple_of(self.params.hall_every.max(1)) {
            self.hall.push_back(NTuplePlayer::new(self.network.clone(), WhiteView::Inverted));
            if self.hall.len() > self.params.hall_size.max(1) {
                self.hall.pop_front();
            }
        }
    }
}

/// Some games in one go, compiled for the machine's instructions.
struct LearningSession<'a> {
    learner: &'a mut Learner,
    games: u64,
}

impl SimdKernel for LearningSession<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) {
        let learner = self.learner;
        let start = learner.network.shape().contents_of(Board::START);
        let (mut contents, mut trail) = (start.clone(), GameTrail::default());
        for _ in 0..self.games {
            learner.update_hall();
            contents.copy_from(&start);
            learner.play_next_game(vectors, &mut contents, &mut trail);
            learner.learn_from_trail(&trail);
            learner.games += 1;
        }
    }
}

impl Learner {
    /// Plays the next game.
    #[inline(always)]
    fn play_next_game<V: Vectors>(&self, vectors: V, contents: &mut LaneContents, trail: &mut GameTrail) {
        let mut rng = self.seed.stream("game", self.games);
        let TdParams { squash, epsilon, opening, .. } = self.params;
        let play = GamePlay { network: &self.network, squash, epsilon, opening };
        // The opponent's colour changes from game to game.
        let color = if self.games.is_multiple_of(2) { Color::White } else { Color::Black };
        match self.mixture.draw_opponent(&mut rng) {
            Opponent::Itself => play.play_game(vectors, None::<(&Wpc, Color)>, &mut rng, contents, trail),
            Opponent::Counters => {
                let counter = random_counter(&mut rng);
                play.play_game(vectors, Some((&counter, color)), &mut rng, contents, trail);
            }
            Opponent::Past if self.hall.is_empty() => {
                play.play_game(vectors, None::<(&Wpc, Color)>, &mut rng, contents, trail);
            }
            Opponent::Past => {
                let past = &self.hall[rng.next_index(self.hall.len())];
                play.play_game(vectors, Some((past, color)), &mut rng, contents, trail);
            }
            Opponent::Fixed(_, evaluator) => {
                let evaluator: &SharedEvaluator = evaluator;
                play.play_game(vectors, Some((evaluator.as_ref(), color)), &mut rng, contents, trail);
            }
        }
    }

    /// Learns from a game, from its last position to its first.
    #[inline(always)]
    fn learn_from_trail(&mut self, trail: &GameTrail) {
        let TdParams { lambda, squash, expected, .. } = self.params;
        let share = self.games as f64 / self.params.games.max(1) as f64;
        let rate = f64::from(self.params.rate.rate_at(share as f32));
        // Shared out among the lanes, in units of the weights.
        let scale = (rate / UNIT / self.network.shape().lanes() as f64) as f32;
        let mut target = trail.result;
        let mut next: Option<&GameStep> = None;
        for step in trail.steps().iter().rev() {
            if let Some(next) = next {
                let value = if expected { next.expected } else { squash.expected_result(next.sum) };
                let reach = if next.forced { 0.0 } else { lambda };
                let mixed = (1.0 - reach) * value + reach * target;
                target = if next.again { mixed } else { -mixed };
            }
            self.correct_weights(step, target - squash.expected_result(step.sum), scale);
            next = Some(step);
        }
    }

    /// Moves the weights of a position against its error.
    #[inline(always)]
    fn correct_weights(&mut self, step: &GameStep, error: f32, scale: f32) {
        let limit = self.network.weight_limit();
        let (shape, weights) = self.network.phase_mut(step.phase);
        let delta = (scale * error).round_ties_even() as i32;
        let stride = weights.len();
        let errors = self.coherence.get_mut(step.phase * stride..).unwrap_or_default();
        let change = |place: usize, sign: i32| {
            let own = match errors.get_mut(place) {
                Some(errors) => coherent_change(errors, error * sign as f32, scale),
                None => sign.saturating_mul(delta),
            };
            weights[place] = weights[place].saturating_add(own).clamp(-limit, limit);
        };
        for_each_weight(shape, &step.contents, self.params.antisymmetric, change);
    }
}

/// The change of a weight by temporal coherence.
#[inline(always)]
fn coherent_change([sum, sizes]: &mut WeightErrors, error: f32, scale: f32) -> i32 {
    let rate = if *sizes > 0.0 { sum.abs() / *sizes } else { 1.0 };
    *sum += error;
    *sizes += error.abs();
    (scale * rate * error).round_ties_even() as i32
}

/// Every weight that belongs to a position, with the sign it has in its value; those that must stay equal to them, too.
#[inline(always)]
fn for_each_weight(
    shape: &ishi_othello_play::ntuple::TupleShape,
    contents: &LaneContents,
    antisymmetric: bool,
    mut change: impl FnMut(usize, i32),
) {
    shape.for_each_lane(contents, |place| change(place, 1));
    shape.for_each_twin(contents, |place| change(place, 1));
    if antisymmetric {
        let mut opposite = contents.clone();
        shape.invert_view(&mut opposite);
        shape.for_each_lane(&opposite, |place| change(place, -1));
        shape.for_each_twin(&opposite, |place| change(place, -1));
    }
}
