//! Learning from records, step by step: gather shapes, fit strengths by minorisation-maximisation on some games, polish them
//! on all, and fit the small table for playouts. Deterministic, whatever the number of threads.

use ishi_go::{Move, Point};
use ishi_work::Stop;

use crate::features::{FIXED, FeatureScratch, MoveContext};
use crate::gradient::{GradientLearner, GradientParams};
use crate::harvest::{HarvestParams, ShapeHarvest};
use crate::mm::{StrengthFit, TeamContests};
use crate::model::{ShapeKeys, StrengthModel};
use crate::predictor::PLAYOUT_GROUPS;
use crate::records::RecordedGame;

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternLearnParams {
    /// Which shapes to know.
    pub harvest: HarvestParams,
    /// Games for minorisation-maximisation (they are kept in memory, 5 MB each), the first ones.
    pub fit_games: usize,
    /// Rounds of it, each over all groups of features.
    pub iterations: usize,
    /// Virtual contests won and lost by every feature.
    pub prior: f64,
    /// The polish by gradients.
    pub gradient: GradientParams,
    /// Passes of it over all games; 0 leaves the strengths as they were fitted.
    pub passes: usize,
}

impl Default for PatternLearnParams {
    fn default() -> Self {
        PatternLearnParams {
            harvest: HarvestParams::default(),
            fit_games: 300,
            iterations: 6,
            prior: 3.0,
            gradient: GradientParams::default(),
            passes: 1,
        }
    }
}

/// What learning is at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatternLearnStage {
    /// Shapes of so many games are gathered.
    Gathering {
        /// Games done.
        games: usize,
    },
    /// The shapes that are worth knowing were counted.
    Shapes {
        /// Number of shapes.
        count: usize,
    },
    /// A round of minorisation-maximisation is done.
    Fitting {
        /// Is it for playouts, and not for the whole model?
        playouts: bool,
        /// The round, from 1.
        iteration: usize,
        /// Mean logarithm of the probability of the moves played.
        log_likelihood: f64,
    },
    /// The polish has come so far.
    Polishing {
        /// The pass, from 0.
        pass: usize,
        /// Games done in this pass.
        games: usize,
        /// Mean logarithm of the probability of the moves played, since the last report.
        log_likelihood: f64,
    },
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct LearnedPatterns {
    /// The whole model.
    pub model: StrengthModel,
    /// Only 3x3 shapes and what playouts know besides.
    pub playouts: StrengthModel,
    /// Everything was done; nobody stopped it.
    pub complete: bool,
}

/// Games that are gathered between reports.
const CHUNK: usize = 100;

/// Learns. If `stopped` says so, ends with what is known by then; None if that is nothing.
pub fn learn_patterns(
    games: &[RecordedGame],
    params: &PatternLearnParams,
    threads: usize,
    progress: &mut dyn FnMut(PatternLearnStage),
    stopped: &dyn Stop,
) -> Option<LearnedPatterns> {
    let mut harvest = ShapeHarvest::new(params.harvest);
    for (n, chunk) in games.chunks(CHUNK).enumerate() {
        harvest.add_games(chunk, threads);
        progress(PatternLearnStage::Gathering { games: n * CHUNK + chunk.len() });
        if stopped.is_requested() {
            return None;
        }
    }
    let keys = harvest.into_keys();
    progress(PatternLearnStage::Shapes { count: keys.len() });
    let few = &games[..params.fit_games.min(games.len())];
    // Playouts know the smallest shapes alone: each of their moves must cost next to nothing.
    let small = ShapeKeys::new(keys.groups()[..1].to_vec());
    let playouts = StrengthModel::new(small);
    let playouts = fit_strengths(
        playouts,
        few,
        params,
        threads,
        stopped,
        &is_playout_feature,
        &mut |iteration, log_likelihood| {
            progress(PatternLearnStage::Fitting { playouts: true, iteration, log_likelihood });
        },
    );
    let mut model = fit_strengths(
        StrengthModel::new(keys),
        few,
        params,
        threads,
        stopped,
        &|_| true,
        &mut |iteration, log_likelihood| {
            progress(PatternLearnStage::Fitting { playouts: false, iteration, log_likelihood });
        },
    );
    polish_strengths(&mut model, games, params, threads, progress, stopped);
    Some(LearnedPatterns { model, playouts, complete: !stopped.is_requested() })
}

/// Is this a feature that playouts know?
fn is_playout_feature(id: u32) -> bool {
    let id = id as usize;
    id >= FIXED || PLAYOUT_GROUPS.iter().any(|group| group.feature_range().contains(&id))
}

/// Fits the strengths of a model by minorisation-maximisation.
fn fit_strengths(
    mut model: StrengthModel,
    games: &[RecordedGame],
    params: &PatternLearnParams,
    threads: usize,
    stopped: &dyn Stop,
    wanted: &dyn Fn(u32) -> bool,
    progress: &mut dyn FnMut(usize, f64),
) -> StrengthModel {
    let mut contests = TeamContests::new(model.feature_groups());
    let mut gathering = ContestBuilder::default();
    for record in games {
        if stopped.is_requested() {
            return model;
        }
        gathering.add_game(&model, record, wanted, &mut contests);
    }
    if contests.is_empty() {
        return model;
    }
    let mut fit = StrengthFit::new(&contests, params.prior);
    for iteration in 1..=params.iterations {
        for group in 0..fit.group_count() {
            if stopped.is_requested() {
                break;
            }
            fit.update_group(group, threads);
        }
        progress(iteration, fit.log_likelihood());
    }
    for (weight, gamma) in model.weights.iter_mut().zip(fit.gammas()) {
        *weight = gamma.ln() as f32;
    }
    model
}

/// Makes contests of positions: the move played against all others.
#[derive(Default)]
struct ContestBuilder {
    scratch: FeatureScratch,
    ids: Vec<u32>,
}

impl ContestBuilder {
    fn add_game(
        &mut self,
        model: &StrengthModel,
        record: &RecordedGame,
        wanted: &dyn Fn(u32) -> bool,
        contests: &mut TeamContests,
    ) {
        let mut replay = record.start_replay();
        while let Some(played) = replay.next_move(record) {
            let context = replay.context();
            self.scratch.prepare_position(&context);
            self.add_team(model, &context, played, wanted, contests);
            for n in 0..self.scratch.candidates().len() {
                let point = self.scratch.candidates()[n];
                if point != played {
                    self.add_team(model, &context, point, wanted, contests);
                }
            }
            contests.end_contest();
            replay.play(Move::Play(played));
        }
    }

    fn add_team(
        &mut self,
        model: &StrengthModel,
        context: &MoveContext,
        point: Point,
        wanted: &dyn Fn(u32) -> bool,
        contests: &mut TeamContests,
    ) {
        self.ids.clear();
        model.list_features(&self.scratch, context, point, &mut self.ids);
        self.ids.retain(|&id| wanted(id));
        contests.add_team(&self.ids);
    }
}

fn polish_strengths(
    model: &mut StrengthModel,
    games: &[RecordedGame],
    params: &PatternLearnParams,
    threads: usize,
    progress: &mut dyn FnMut(PatternLearnStage),
    stopped: &dyn Stop,
) {
    let mut learner = GradientLearner::new(model, params.gradient);
    for pass in 0..params.passes {
        let mut done = 0;
        let share = |pass: usize| 1.0 - 0.9 * pass as f32 / params.passes as f32;
        learner.run_pass(
            model,
            games,
            share(pass)..share(pass + 1),
            threads,
            &mut |finished, log_likelihood| {
                done += finished;
                progress(PatternLearnStage::Polishing { pass, games: done, log_likelihood });
                !stopped.is_requested()
            },
        );
        if stopped.is_requested() {
            return;
        }
    }
}
