//! Stochastic gradient ascent on the same likelihood, over more games than fit into memory: after minorisation-maximisation
//! it polishes the strengths (they are those of the same model).
//!
//! Positions of many games are taken at a time, one of each, with the weights as they are; then the weights follow in the
//! order of the games. So the result does not depend on the number of threads. The rate of a weight falls with its
//! gradients so far (AdaGrad: Duchi, Hazan and Singer, JMLR 12, 2011).

use ishi_go::Move;

use crate::features::FeatureScratch;
use crate::model::StrengthModel;
use crate::records::{RecordReplay, RecordedGame};

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientParams {
    /// The step of a weight's first gradient of size 1.
    pub rate: f32,
    /// Sum of squared gradients that each weight begins with.
    pub start: f32,
    /// Games at a time.
    pub lanes: usize,
    /// Candidates with a smaller probability are not learned from.
    pub least: f32,
}

impl Default for GradientParams {
    fn default() -> Self {
        GradientParams { rate: 0.08, start: 1.0, lanes: 128, least: 5e-4 }
    }
}

/// A game under way, and what its position says.
struct GameLane {
    game: usize,
    replay: RecordReplay,
    /// Feature and gradient.
    changes: Vec<(u32, f32)>,
    log: f64,
}

/// Learning under way.
#[derive(Debug)]
pub struct GradientLearner {
    params: GradientParams,
    squares: Vec<f32>,
}

impl GradientLearner {
    /// Begins to learn for a model.
    pub fn new(model: &StrengthModel, params: GradientParams) -> GradientLearner {
        GradientLearner { params, squares: vec![params.start; model.weights.len()] }
    }

    /// Learns from every position of the games once, at `rate.start` times the rate of the parameters, falling to `rate.end`.
    /// `progress` hears of finished games and the mean log-likelihood since it last heard; it says whether to go on.
    pub fn run_pass(
        &mut self,
        model: &mut StrengthModel,
        games: &[RecordedGame],
        rate: std::ops::Range<f32>,
        threads: usize,
        progress: &mut dyn FnMut(usize, f64) -> bool,
    ) {
        let threads = threads.max(1);
        let mut scratches: Vec<GradientScratch> = (0..threads).map(|_| GradientScratch::default()).collect();
        let mut next = self.params.lanes.min(games.len());
        let start = |game: usize| GameLane {
            game,
            replay: games[game].start_replay(),
            changes: Vec::new(),
            log: 0.0,
        };
        // One position of each of many games makes a step: those of one game are too much alike.
        let mut lanes: Vec<GameLane> = (0..next).map(start).collect();
        let (mut log, mut positions, mut done) = (0.0, 0, 0);
        while !lanes.is_empty() {
            let mut finished = 0;
            lanes.retain_mut(|lane| {
                while lane.replay.next_move(&games[lane.game]).is_none() {
                    finished += 1;
                    if next == games.len() {
                        return false;
                    }
                    *lane = start(next);
                    next += 1;
                }
                true
            });
            let share = done as f32 / games.len() as f32;
            let rate = self.params.rate * (rate.start + (rate.end - rate.start) * share);
            self.compute_gradients(model, games, &mut lanes, &mut scratches);
            for lane in &mut lanes {
                log += lane.log;
                positions += 1;
                // In the order of the games, so that sums are rounded alike with any number of threads.
                self.apply_gradients(model, &lane.changes, rate);
            }
            if finished > 0 {
                done += finished;
                if !progress(finished, log / f64::from(positions.max(1))) {
                    return;
                }
                (log, positions) = (0.0, 0);
            }
        }
    }

    /// The gradients of one position of each game, which is then played on.
    fn compute_gradients(
        &self,
        model: &StrengthModel,
        games: &[RecordedGame],
        lanes: &mut [GameLane],
        scratches: &mut [GradientScratch],
    ) {
        let share = lanes.len().div_ceil(scratches.len()).max(1);
        let least = self.params.least;
        std::thread::scope(|scope| {
            for (lanes, working) in lanes.chunks_mut(share).zip(scratches) {
                scope.spawn(move || {
                    for lane in lanes {
                        working.position_gradient(model, &games[lane.game], lane, least);
                    }
                });
            }
        });
    }

    fn apply_gradients(&mut self, model: &mut StrengthModel, changes: &[(u32, f32)], rate: f32) {
        for &(id, gradient) in changes {
            let square = &mut self.squares[id as usize];
            *square += gradient * gradient;
            model.weights[id as usize] += rate * gradient / square.sqrt();
        }
    }
}

#[derive(Default)]
struct GradientScratch {
    scratch: FeatureScratch,
    ids: Vec<u32>,
    ends: Vec<usize>,
    scores: Vec<f32>,
}

impl GradientScratch {
    fn position_gradient(
        &mut self,
        model: &StrengthModel,
        record: &RecordedGame,
        lane: &mut GameLane,
        least: f32,
    ) {
        lane.changes.clear();
        lane.log = 0.0;
        let Some(played) = lane.replay.next_move(record) else { return };
        let context = lane.replay.context();
        self.scratch.prepare_position(&context);
        self.ids.clear();
        self.ends.clear();
        self.scores.clear();
        for &point in self.scratch.candidates() {
            let start = self.ids.len();
            model.list_features(&self.scratch, &context, point, &mut self.ids);
            let score: f32 = self.ids[start..].iter().map(|&id| model.weights[id as usize]).sum();
            self.scores.push(score);
            self.ends.push(self.ids.len());
        }
        // Without the largest score no exponential overflows.
        let most = self.scores.iter().copied().fold(f32::MIN, f32::max);
        let all: f32 = self.scores.iter().map(|score| (score - most).exp()).sum();
        let mut start = 0;
        for ((&point, &score), &end) in self.scratch.candidates().iter().zip(&self.scores).zip(&self.ends) {
            let probability = (score - most).exp() / all;
            let won = point == played;
            if won {
                lane.log = f64::from(probability.max(1e-30)).ln();
            }
            // Moves that nobody would play are many, and change next to nothing.
            if won || probability >= least {
                let gradient = f32::from(u8::from(won)) - probability;
                lane.changes.extend(self.ids[start..end].iter().map(|&id| (id, gradient)));
            }
            start = end;
        }
        lane.replay.play(Move::Play(played));
    }
}
