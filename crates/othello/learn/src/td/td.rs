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

use ishi_othello::simd::{Kernel, Vectors};
use ishi_othello::{Board, Color, Isa, Wpc};
use ishi_rng::Seed;

use super::game::{Play, Step as GameStep, Trail};
use super::opponent::{Mixture, Opponent, Shared, counter};
use super::params::{Step, TdParams};
use ishi_othello_play::ntuple::{Contents, Network, Player, View};

/// The unit of weights while they are learned: 2^-24.
pub const UNIT: f64 = 1.0 / 16_777_216.0;

/// A weight's errors: their sum, and the sum of their sizes.
pub(super) type Coherence = [f32; 2];

/// A network that learns. Game `i` of a run is drawn from the seed and `i`, so that a run that is broken off and taken up
/// again goes on bit for bit.
///
/// ```
/// use ishi_othello_learn::td::{Learner, Mixture, TdParams, blank};
/// use ishi_othello_play::ntuple::Phases;
/// use ishi_rng::Seed;
/// let network = blank("line2".parse::<ishi_othello_play::ntuple::Patterns>().unwrap().shape(), Phases::one());
/// let params = TdParams { games: 50, ..TdParams::default() };
/// let mut learner = Learner::new(network, params, Mixture::itself(), Seed::new(1));
/// learner.learn(50);
/// assert_eq!(learner.games(), 50);
/// ```
pub struct Learner {
    pub(super) params: TdParams,
    pub(super) mixture: Mixture,
    pub(super) seed: Seed,
    pub(super) games: u64,
    pub(super) network: Network,
    pub(super) coherence: Vec<Coherence>,
    pub(super) hall: VecDeque<Player>,
}

/// A network to begin with: all weights 0, in [`UNIT`].
pub fn blank(shape: ishi_othello_play::ntuple::Shape, phases: ishi_othello_play::ntuple::Phases) -> Network {
    Network::zero(shape, phases, UNIT)
}

impl Learner {
    /// A run from its start. The network is taken into [`UNIT`] if it has another unit.
    pub fn new(network: Network, params: TdParams, mixture: Mixture, seed: Seed) -> Learner {
        let network = if network.unit() == UNIT { network } else { network.rounded(UNIT) };
        let weights = if params.step == Step::Coherence { network.all_weights().len() } else { 0 };
        let coherence = vec![[0.0; 2]; weights];
        Learner { params, mixture, seed, games: 0, network, coherence, hall: VecDeque::new() }
    }

    /// The network as it is.
    pub fn network(&self) -> &Network {
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
    pub fn learn(&mut self, games: u64) {
        let games = games.min(self.params.games.saturating_sub(self.games));
        Isa::best().run(Session { learner: self, games });
    }

    /// The piece counter that a network of single squares amounts to; `None` of any other network.
    pub fn counter(&self) -> Option<Wpc> {
        let mut weights = [0.0; 64];
        if self.network.phases().count() > 1 {
            return None;
        }
        for (number, group) in self.network.shape().groups().iter().enumerate() {
            for tuple in group.placements() {
                let &[square] = tuple.squares() else { return None };
                weights[square.index()] += f64::from(self.network.group(0, number)[2]);
            }
        }
        Wpc::new(&weights).ok()
    }

    /// The hall of fame takes the network in, when it is time.
    fn remember(&mut self) {
        if self.mixture.has_past() && self.games.is_multiple_of(self.params.hall_every.max(1)) {
            self.hall.push_back(Player::new(self.network.clone(), View::Inverted));
            if self.hall.len() > self.params.hall_size.max(1) {
                self.hall.pop_front();
            }
        }
    }
}

/// Some games in one go, compiled for the machine's instructions.
struct Session<'a> {
    learner: &'a mut Learner,
    games: u64,
}

impl Kernel for Session<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) {
        let learner = self.learner;
        let start = learner.network.shape().contents(Board::START);
        let (mut contents, mut trail) = (start.clone(), Trail::default());
        for _ in 0..self.games {
            learner.remember();
            contents.copy_from(&start);
            learner.play(vectors, &mut contents, &mut trail);
            learner.update(&trail);
            learner.games += 1;
        }
    }
}

impl Learner {
    /// Plays the next game.
    #[inline(always)]
    fn play<V: Vectors>(&self, vectors: V, contents: &mut Contents, trail: &mut Trail) {
        let mut rng = self.seed.stream("game", self.games);
        let TdParams { squash, epsilon, opening, .. } = self.params;
        let play = Play { network: &self.network, squash, epsilon, opening };
        // The opponent's colour changes from game to game.
        let color = if self.games.is_multiple_of(2) { Color::White } else { Color::Black };
        match self.mixture.draw(&mut rng) {
            Opponent::Itself => play.game(vectors, None::<(&Wpc, Color)>, &mut rng, contents, trail),
            Opponent::Counters => {
                let counter = counter(&mut rng);
                play.game(vectors, Some((&counter, color)), &mut rng, contents, trail);
            }
            Opponent::Past if self.hall.is_empty() => {
                play.game(vectors, None::<(&Wpc, Color)>, &mut rng, contents, trail);
            }
            Opponent::Past => {
                let past = &self.hall[rng.index(self.hall.len())];
                play.game(vectors, Some((past, color)), &mut rng, contents, trail);
            }
            Opponent::Fixed(_, evaluator) => {
                let evaluator: &Shared = evaluator;
                play.game(vectors, Some((evaluator.as_ref(), color)), &mut rng, contents, trail);
            }
        }
    }

    /// Learns from a game, from its last position to its first.
    #[inline(always)]
    fn update(&mut self, trail: &Trail) {
        let TdParams { lambda, squash, expected, .. } = self.params;
        let share = self.games as f64 / self.params.games.max(1) as f64;
        let rate = f64::from(self.params.rate.at(share as f32));
        // Shared out among the lanes, in units of the weights.
        let scale = (rate / UNIT / self.network.shape().lanes() as f64) as f32;
        let mut target = trail.result;
        let mut next: Option<&GameStep> = None;
        for step in trail.steps().iter().rev() {
            if let Some(next) = next {
                let value = if expected { next.expected } else { squash.of(next.sum) };
                let reach = if next.forced { 0.0 } else { lambda };
                let mixed = (1.0 - reach) * value + reach * target;
                target = if next.again { mixed } else { -mixed };
            }
            self.correct(step, target - squash.of(step.sum), scale);
            next = Some(step);
        }
    }

    /// Moves the weights of a position against its error.
    #[inline(always)]
    fn correct(&mut self, step: &GameStep, error: f32, scale: f32) {
        let limit = self.network.limit();
        let (shape, weights) = self.network.phase_mut(step.phase);
        let delta = (scale * error).round_ties_even() as i32;
        let stride = weights.len();
        let errors = self.coherence.get_mut(step.phase * stride..).unwrap_or_default();
        let change = |place: usize, sign: i32| {
            let own = match errors.get_mut(place) {
                Some(errors) => coherent(errors, error * sign as f32, scale),
                None => sign.saturating_mul(delta),
            };
            weights[place] = weights[place].saturating_add(own).clamp(-limit, limit);
        };
        each_weight(shape, &step.contents, self.params.antisymmetric, change);
    }
}

/// The change of a weight by temporal coherence.
#[inline(always)]
fn coherent([sum, sizes]: &mut Coherence, error: f32, scale: f32) -> i32 {
    let rate = if *sizes > 0.0 { sum.abs() / *sizes } else { 1.0 };
    *sum += error;
    *sizes += error.abs();
    (scale * rate * error).round_ties_even() as i32
}

/// Every weight that belongs to a position, with the sign it has in its value; those that must stay equal to them, too.
#[inline(always)]
fn each_weight(
    shape: &ishi_othello_play::ntuple::Shape,
    contents: &Contents,
    antisymmetric: bool,
    mut change: impl FnMut(usize, i32),
) {
    shape.each(contents, |place| change(place, 1));
    shape.each_twin(contents, |place| change(place, 1));
    if antisymmetric {
        let mut opposite = contents.clone();
        shape.invert(&mut opposite);
        shape.each(&opposite, |place| change(place, -1));
        shape.each_twin(&opposite, |place| change(place, -1));
    }
}
