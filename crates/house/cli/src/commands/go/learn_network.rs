//! `ishi go learn-network`: the network of moves from records, and how well it foretells the moves of others.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use ishi_arena::stopwatch::process_cpu_time;
use ishi_patterns::MoveNetwork;
use ishi_patterns::evaluate::Accuracy;
use ishi_patterns::exercises::{self, RecordExercise};
use ishi_patterns::net::MOST_BLOCKS;
use ishi_patterns::net::learn::{
    LessonTally, Lessons, NetLearner, NetParams, evaluate_exercises, evaluate_network,
};
use ishi_patterns::records::RecordedGame;
use ishi_rng::Seed;
use serde::Serialize;

use super::foretold::PredictionReport;
use super::games::{read_games, read_text};
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::{number_in, range_above};

pub(super) const HELP: &str = "\
Examples:
  ishi go learn-network games.txt.gz --skip 10000 --out my.bin --threads 2
  ishi go learn-network games.txt.gz --skip 10000 --out my.bin --resume
  ishi go learn-network games.txt.gz --skip 10000 --from my.bin --seed 2 --rate 0.002 --out on.bin
  ishi go learn-network life.txt --exercises --from my.bin --rate 0.002 --out life.bin
  ishi go learn-network --evaluate-only --validate valid.txt.gz
  ishi go learn-network --evaluate-only --validate valid.txt.gz --network my.bin --json

Learns a small residual network that rates moves better than the strengths of `ishi go \
learn-patterns` alone, which it is given. Leave out (--skip) the games that those were learned \
from: on them they look better than they are, and the network would trust them too much.

--from goes on learning from a finished network. Another --seed shows it other positions. Give \
--from again with --resume.

With --exercises it learns, or is measured by, the good moves of exercises in life and death \
(`ishi go exercises`), among the moves of the fight.

Every 500 steps, and at Ctrl-C (exit code 130), the state is saved beside the network as \
FILE.state. --resume goes on from there. The result does not depend on --threads. On another \
kind of processor the last bits may differ. docs/patterns.md explains the network and has \
figures. `ishi go records` makes games.txt.gz out of SGF.";

/// Steps between two savings.
const SAVE_EVERY: usize = 500;
/// Steps between two lines of progress.
const TELL_EVERY: usize = 50;

/// Options of `ishi go learn-network`.
#[derive(Args, Debug)]
pub(super) struct LearnNetworkArgs {
    /// Games (of `ishi go records`), or --exercises, to learn from; - is standard input
    #[arg(value_name = "GAMES", required_unless_present = "evaluate_only")]
    games: Option<PathBuf>,
    /// The files hold exercises (`ishi go exercises`), not records
    #[arg(long, conflicts_with_all = ["skip", "games_limit", "every"])]
    exercises: bool,
    /// Leave out the first so many games
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip: usize,
    /// Learn from so many games only
    #[arg(long = "games", value_name = "N", value_parser = number_in::<usize>(1..))]
    games_limit: Option<usize>,
    /// Where the network goes
    #[arg(long, value_name = "FILE", required_unless_present = "evaluate_only")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Begin with what this network has learned, instead of numbers drawn at random
    #[arg(long, value_name = "FILE", requires = "out", conflicts_with = "blocks")]
    from: Option<PathBuf>,
    /// Go on from FILE.state
    #[arg(long, requires = "out")]
    resume: bool,
    /// Records (or --exercises) whose moves are foretold in the end
    #[arg(long, value_name = "GAMES")]
    validate: Option<PathBuf>,
    /// Foretell one move of so many
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number_in::<usize>(1..))]
    every: usize,
    /// Learn nothing: foretell the moves of --validate by the shipped network (of life and death for --exercises), or that of --network
    #[arg(long, requires = "validate", conflicts_with_all = ["games", "out"])]
    evaluate_only: bool,
    /// The network for --evaluate-only
    #[arg(long, value_name = "FILE", requires = "evaluate_only")]
    network: Option<PathBuf>,
    /// Residual blocks, of two convolutions each
    #[arg(long, default_value_t = NetParams::default().blocks, value_name = "N", value_parser = number_in::<usize>(1..=MOST_BLOCKS))]
    blocks: usize,
    /// Steps
    #[arg(long, default_value_t = NetParams::default().steps, value_name = "N", value_parser = number_in::<usize>(1..))]
    steps: usize,
    /// Positions of a step
    #[arg(long, default_value_t = NetParams::default().batch, value_name = "N", value_parser = number_in::<usize>(1..))]
    batch: usize,
    /// Size of the steps at first; it falls to 0
    #[arg(long, default_value_t = NetParams::default().rate, value_name = "RATE", value_parser = number_in::<f32>(range_above(0.0, 1.0)))]
    rate: f32,
}

/// Learns, writes and measures.
pub(super) fn run(args: &LearnNetworkArgs, context: &Context) -> Result<(), Failure> {
    let valid =
        args.validate.as_deref().map(|path| LearningData::read_file(path, args, usize::MAX)).transpose()?;
    if let (Some(path), Some(0)) = (&args.validate, valid.as_ref().map(LearningData::len)) {
        return Err(Failure::input(format!("{}: there is nothing to foretell", path.display())));
    }
    let mut report = LearnNetworkReport::default();
    let network = match (&args.games, &args.out) {
        (Some(games), Some(out)) => Some(train_network(games, out, args, context, &mut report)?),
        _ => args.network.as_deref().map(read_network).transpose()?,
    };
    let damaged = || Failure::outside("the built-in network is damaged");
    let network = match &network {
        Some(network) => network,
        None if args.exercises => MoveNetwork::shipped_of_life().ok_or_else(damaged)?,
        None => MoveNetwork::shipped().ok_or_else(damaged)?,
    };
    report.blocks = network.blocks();
    if let Some(valid) = valid {
        report.accuracy = Some(measure_accuracy(network, &valid, args.every, context)?);
    }
    files::print_result_beside(args.out.as_deref(), context, &report, || report.to_text(context.seed))
}

fn read_network(path: &Path) -> Result<MoveNetwork, Failure> {
    let bytes = files::read_file_or_stdin(path)?;
    MoveNetwork::from_bytes(&bytes).map_err(|error| Failure::in_file(path, error))
}

fn train_network(
    path: &Path,
    out: &Path,
    args: &LearnNetworkArgs,
    context: &Context,
    report: &mut LearnNetworkReport,
) -> Result<MoveNetwork, Failure> {
    files::check_writable(out, args.force || args.resume)?;
    let lot = LearningData::read_lessons(path, args)?;
    match &lot {
        LearningData::Games(games) => report.games = games.len(),
        LearningData::Exercises(exercises) => report.exercises = exercises.len(),
    }
    let params = NetParams {
        blocks: args.blocks,
        batch: args.batch,
        steps: args.steps,
        rate: args.rate,
        ..NetParams::default()
    };
    let state = state_path(out);
    let mut learner = match &args.from {
        Some(path) => NetLearner::from_network(read_network(path)?, lot.to_lessons(), params, context.seed),
        None => NetLearner::new(lot.to_lessons(), params, context.seed),
    };
    if args.resume {
        let bytes = files::read_file_or_stdin(&state)?;
        learner.restore_state(&bytes).map_err(|error| Failure::in_file(&state, error))?;
    }
    let save = |learner: &NetLearner| {
        files::write_file(&state, &learner.save_state(), true)?;
        files::write_file(out, &learner.network().to_bytes(), true)
    };
    run_steps(&mut learner, args.steps, save, context)?;
    report.bytes = Some(learner.network().to_bytes().len());
    Ok(learner.network().clone())
}

/// Learns until all steps are done, or Ctrl-C; what was learned is saved in any case.
fn run_steps<'l>(
    learner: &mut NetLearner<'l>,
    steps: usize,
    save: impl Fn(&NetLearner<'l>) -> Result<(), Failure>,
    context: &Context,
) -> Result<(), Failure> {
    let mut watch = TrainingWatch { since: Instant::now(), seen: LessonTally::default() };
    while !learner.is_done() {
        if context.is_stop_requested() {
            save(learner)?;
            return Err(Failure::Interrupted);
        }
        watch.seen.add_tally(learner.run_step(context.threads));
        if learner.steps_done().is_multiple_of(TELL_EVERY) {
            watch.print_progress(learner.steps_done(), steps, context);
        }
        if learner.steps_done().is_multiple_of(SAVE_EVERY) {
            save(learner)?;
        }
    }
    save(learner)
}

fn state_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_os_string();
    name.push(".state");
    name.into()
}

/// What was learned since the last line of progress.
struct TrainingWatch {
    since: Instant,
    seen: LessonTally,
}

impl TrainingWatch {
    fn print_progress(&mut self, step: usize, steps: usize, context: &Context) {
        let seen = std::mem::take(&mut self.seen);
        let speed = seen.positions as f64 / self.since.elapsed().as_secs_f64().max(1e-9);
        self.since = Instant::now();
        let share = |count: f64, of: u64| count / of.max(1) as f64;
        context.print_progress(format_args!(
            "step {step} of {steps}: first {:.1} %, log loss {:.3}, of the winner {:.3}; {speed:.0} positions a second",
            100.0 * share(seen.first as f64, seen.positions),
            share(seen.policy, seen.positions),
            share(seen.value, seen.decided),
        ));
    }
}

/// Games that are measured between looks at Ctrl-C.
const CHUNK: usize = 20;

fn measure_accuracy(
    network: &MoveNetwork,
    lot: &LearningData,
    every: usize,
    context: &Context,
) -> Result<NetworkAccuracy, Failure> {
    let (mut accuracy, mut progress) = (Accuracy::default(), LessonTally::default());
    let before = process_cpu_time();
    match lot {
        LearningData::Games(games) => {
            for chunk in games.chunks(CHUNK) {
                let (found, seen) = evaluate_network(network, chunk, every, context.threads);
                accuracy.add_counts(&found);
                progress.add_tally(seen);
                context.check_stop()?;
            }
        }
        LearningData::Exercises(exercises) => {
            for chunk in exercises.chunks(100 * CHUNK) {
                accuracy.add_counts(&evaluate_exercises(network, chunk));
                context.check_stop()?;
            }
        }
    }
    let games = if let LearningData::Games(games) = lot { games.len() } else { 0 };
    Ok(NetworkAccuracy {
        moves: PredictionReport::from_accuracy(&accuracy, games, process_cpu_time() - before),
        winner_log_likelihood: (progress.decided > 0).then(|| -progress.value / progress.decided as f64),
    })
}

/// What a file holds.
enum LearningData {
    Games(Vec<RecordedGame>),
    Exercises(Vec<RecordExercise>),
}

impl LearningData {
    fn read_file(path: &Path, args: &LearnNetworkArgs, limit: usize) -> Result<LearningData, Failure> {
        if !args.exercises {
            return Ok(LearningData::Games(read_games(path, limit)?));
        }
        let found = exercises::parse_exercises(&read_text(path)?);
        found.map(LearningData::Exercises).map_err(|error| Failure::in_file(path, error))
    }

    /// The games or exercises to learn from, of which there must be some that can be.
    fn read_lessons(path: &Path, args: &LearnNetworkArgs) -> Result<LearningData, Failure> {
        let limit = args.games_limit.map_or(usize::MAX, |games| args.skip.saturating_add(games));
        let lot = LearningData::read_file(path, args, limit)?.skip_games(args.skip);
        let wrong = |problem: String| Failure::in_file(path, problem);
        if lot.len() == 0 {
            let what = if args.exercises { "exercises".into() } else { format!("games after {}", args.skip) };
            return Err(wrong(format!("there are no {what}")));
        }
        if lot.to_lessons().is_empty() {
            return Err(wrong(
                "nothing stands on a square board, and others are not learned from".to_string(),
            ));
        }
        Ok(lot)
    }

    fn len(&self) -> usize {
        match self {
            LearningData::Games(games) => games.len(),
            LearningData::Exercises(exercises) => exercises.len(),
        }
    }

    /// The same data without the first so many games.
    fn skip_games(self, first: usize) -> LearningData {
        match self {
            LearningData::Games(games) => LearningData::Games(games.into_iter().skip(first).collect()),
            LearningData::Exercises(_) => self,
        }
    }

    fn to_lessons(&self) -> Lessons<'_> {
        match self {
            LearningData::Games(games) => Lessons::from_games(games),
            LearningData::Exercises(exercises) => Lessons::from_exercises(exercises),
        }
    }
}

// --- what came out ---

#[derive(Default, Serialize)]
struct LearnNetworkReport {
    /// Games learned from.
    games: usize,
    /// Exercises learned from.
    exercises: usize,
    /// Residual blocks.
    blocks: usize,
    /// Size of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<NetworkAccuracy>,
}

#[derive(Serialize)]
struct NetworkAccuracy {
    #[serde(flatten)]
    moves: PredictionReport,
    /// Mean natural logarithm of the winner's probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner_log_likelihood: Option<f64>,
}

impl LearnNetworkReport {
    fn to_text(&self, seed: Seed) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if self.games > 0 {
            let _ = writeln!(text, "Learned from {} games, seed {}.", self.games, seed);
        }
        if self.exercises > 0 {
            let _ = writeln!(text, "Learned from {} exercises, seed {}.", self.exercises, seed);
        }
        let _ = writeln!(text, "The network has {} blocks.", self.blocks);
        if let Some(bytes) = self.bytes {
            let _ = writeln!(text, "Its file has {bytes} bytes.");
        }
        if let Some(found) = &self.accuracy {
            found.moves.write_lines(&mut text);
            if let Some(winner) = found.winner_log_likelihood {
                let _ = writeln!(text, "  of the winner: {winner:.4}");
            }
        }
        text
    }
}
