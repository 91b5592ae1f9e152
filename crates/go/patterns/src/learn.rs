//! Learning from records, step by step: gather shapes, fit strengths by minorisation-maximisation on some games, polish them
//! on all, and fit the small table for playouts. Deterministic, whatever the number of threads.

use ishi_go::{Move, Point};

use crate::features::{Context, FIXED, Scratch};
use crate::gradient::{GradientParams, Learner};
use crate::harvest::{Harvest, HarvestParams};
use crate::mm::{Contests, Fit};
use crate::model::{Keys, Model};
use crate::predictor::PLAYOUT_GROUPS;
use crate::records::Record;

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnParams {
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

impl Default for LearnParams {
    fn default() -> Self {
        LearnParams {
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
pub enum Stage {
    /// Shapes of so many games are gathered.
    Gathering {
        /// Games done.
        games: usize,
    },
    /// So many shapes are worth knowing.
    Shapes {
        /// Number of shapes.
        count: usize,
    },
    /// A round of minorisation-maximisation is done.
    Fitting {
        /// For playouts, not the whole model.
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
pub struct Learned {
    /// The whole model.
    pub model: Model,
    /// Only 3x3 shapes and what playouts know besides.
    pub playouts: Model,
    /// Everything was done; nobody stopped it.
    pub complete: bool,
}

/// Games that are gathered between reports.
const CHUNK: usize = 100;

/// Learns. If `stopped` says so, ends with what is known by then; None if that is nothing.
pub fn learn(
    games: &[Record],
    params: &LearnParams,
    threads: usize,
    progress: &mut dyn FnMut(Stage),
    stopped: &dyn Fn() -> bool,
) -> Option<Learned> {
    let mut harvest = Harvest::new(params.harvest);
    for (n, chunk) in games.chunks(CHUNK).enumerate() {
        harvest.add(chunk, threads);
        progress(Stage::Gathering { games: n * CHUNK + chunk.len() });
        if stopped() {
            return None;
        }
    }
    let keys = harvest.finish();
    progress(Stage::Shapes { count: keys.len() });
    let few = &games[..params.fit_games.min(games.len())];
    let small = Keys::new(keys.groups()[..1].to_vec());
    let playouts = Model::new(small);
    let playouts =
        fit(playouts, few, params, threads, stopped, &for_playouts, &mut |iteration, log_likelihood| {
            progress(Stage::Fitting { playouts: true, iteration, log_likelihood });
        });
    let mut model =
        fit(Model::new(keys), few, params, threads, stopped, &|_| true, &mut |iteration, log_likelihood| {
            progress(Stage::Fitting { playouts: false, iteration, log_likelihood });
        });
    polish(&mut model, games, params, threads, progress, stopped);
    Some(Learned { model, playouts, complete: !stopped() })
}

/// Is this a feature that playouts know?
fn for_playouts(id: u32) -> bool {
    let id = id as usize;
    id >= FIXED || PLAYOUT_GROUPS.iter().any(|group| group.features().contains(&id))
}

/// Fits the strengths of a model by minorisation-maximisation.
fn fit(
    mut model: Model,
    games: &[Record],
    params: &LearnParams,
    threads: usize,
    stopped: &dyn Fn() -> bool,
    wanted: &dyn Fn(u32) -> bool,
    progress: &mut dyn FnMut(usize, f64),
) -> Model {
    let mut contests = Contests::new(model.groups());
    let mut gathering = Gathering::default();
    for record in games {
        if stopped() {
            return model;
        }
        gathering.add(&model, record, wanted, &mut contests);
    }
    if contests.is_empty() {
        return model;
    }
    let mut fit = Fit::new(&contests, params.prior);
    for iteration in 1..=params.iterations {
        for group in 0..fit.groups() {
            if stopped() {
                break;
            }
            fit.step(group, threads);
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
struct Gathering {
    scratch: Scratch,
    ids: Vec<u32>,
}

impl Gathering {
    fn add(&mut self, model: &Model, record: &Record, wanted: &dyn Fn(u32) -> bool, contests: &mut Contests) {
        let mut replay = record.replay();
        while let Some(played) = replay.next_move(record) {
            let context = replay.context();
            self.scratch.prepare(&context);
            self.team(model, &context, played, wanted, contests);
            for n in 0..self.scratch.candidates().len() {
                let point = self.scratch.candidates()[n];
                if point != played {
                    self.team(model, &context, point, wanted, contests);
                }
            }
            contests.end();
            replay.play(Move::Play(played));
        }
    }

    fn team(
        &mut self,
        model: &Model,
        context: &Context,
        point: Point,
        wanted: &dyn Fn(u32) -> bool,
        contests: &mut Contests,
    ) {
        self.ids.clear();
        model.list(&self.scratch, context, point, &mut self.ids);
        self.ids.retain(|&id| wanted(id));
        contests.team(&self.ids);
    }
}

fn polish(
    model: &mut Model,
    games: &[Record],
    params: &LearnParams,
    threads: usize,
    progress: &mut dyn FnMut(Stage),
    stopped: &dyn Fn() -> bool,
) {
    let mut learner = Learner::new(model, params.gradient);
    for pass in 0..params.passes {
        let mut done = 0;
        let share = |pass: usize| 1.0 - 0.9 * pass as f32 / params.passes as f32;
        learner.pass(model, games, share(pass)..share(pass + 1), threads, &mut |finished, log_likelihood| {
            done += finished;
            progress(Stage::Polishing { pass, games: done, log_likelihood });
            !stopped()
        });
        if stopped() {
            return;
        }
    }
}
