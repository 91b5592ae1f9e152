//! TD(lambda) over afterstates.

use ishi_othello::simd::{Kernel, Vectors};
use ishi_othello::{Board, Isa};
use ishi_rng::Seed;

use super::game::{Play, Trail};
use super::rate::Rate;
use super::squash::Squash;
use crate::othello::ntuple::Network;

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct TdParams {
    /// Games of the whole run.
    pub games: u64,
    /// How far results reach back: 0 learns from the next position only, 1 from the result only.
    pub lambda: f32,
    /// The probability of a random move.
    pub epsilon: f64,
    /// The learning rate.
    pub rate: Rate,
    /// The output.
    pub squash: Squash,
    /// Is the next position's value the mean over what may be played, not that of the move played?
    pub expected: bool,
    /// Random plies at the start at most
    pub opening: u32,
    /// Temporal coherence
    pub coherence: bool,
}

/// A network that learns.
pub struct Learner {
    params: TdParams,
    seed: Seed,
    network: Network,
    games: u64,
    coherence: Vec<[f32; 2]>,
}

impl Learner {
    /// new
    pub fn new(network: Network, params: TdParams, seed: Seed) -> Learner {
        let coherence = if params.coherence { vec![[0.0; 2]; network.all_weights().len()] } else { vec![] };
        Learner { params, seed, network, games: 0, coherence }
    }

    /// network
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// games
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Learns from so many more games.
    pub fn learn(&mut self, games: u64) {
        Isa::best().run(Session { learner: self, games });
    }
}

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
            let mut rng = learner.seed.stream("game", learner.games);
            contents.copy_from(&start);
            let TdParams { squash, epsilon, opening, .. } = learner.params;
            let play = Play { network: &learner.network, squash, epsilon, opening };
            play.with_itself(vectors, &mut rng, &mut trail, &mut contents);
            learner.update(&trail);
            learner.games += 1;
        }
    }
}

impl Learner {
    #[inline(always)]
    fn update(&mut self, trail: &Trail) {
        let TdParams { lambda, squash, expected, .. } = self.params;
        let share = self.games as f64 / self.params.games as f64;
        let rate = self.params.rate.at(share as f32);
        let limit = self.network.limit();
        let scale = (f64::from(rate) / self.network.unit() / self.network.shape().lanes() as f64) as f32;
        let mut target = trail.result;
        let stride = self.network.shape().stride();
        let steps = trail.steps();
        for at in (0..steps.len()).rev() {
            let step = &steps[at];
            if let Some(next) = steps.get(at + 1) {
                let one = if expected { next.expected } else { squash.of(next.sum) };
                let lambda = if next.forced { 0.0 } else { lambda };
                let mixed = (1.0 - lambda) * one + lambda * target;
                target = if next.again { mixed } else { -mixed };
            }
            let error = target - squash.of(step.sum);
            let (shape, weights) = self.network.phase_mut(step.phase);
            if self.params.coherence {
                let coherence = &mut self.coherence[step.phase * stride..][..stride];
                let tc = |w: &mut [i32], i: usize| {
                    let [net, abs] = &mut coherence[i];
                    let r = if *abs == 0.0 { 1.0 } else { net.abs() / *abs };
                    *net += error;
                    *abs += error.abs();
                    w[i] = (w[i] + (scale * r * error).round_ties_even() as i32).clamp(-limit, limit);
                };
                let mut tc = tc;
                shape.each(&step.contents, |i| tc(weights, i));
                shape.each_twin(&step.contents, |i| tc(weights, i));
            } else {
                let delta = (scale * error).round_ties_even() as i32;
                shape.each(&step.contents, |i| weights[i] = (weights[i] + delta).clamp(-limit, limit));
                shape.each_twin(&step.contents, |i| weights[i] = (weights[i] + delta).clamp(-limit, limit));
            }
        }
    }
}
