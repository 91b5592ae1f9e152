//! `ishi othello train`: players that learn from games by temporal differences.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use ishi_engines::othello::league::Member;
use ishi_engines::othello::learn::{Learner, Mixture, Opponent, Rate, Squash, Step, TdParams, blank};
use ishi_engines::othello::ntuple::{Network, Patterns, Phases, Player, View};
use ishi_othello::Wpc;
use ishi_othello::oneply::{Rules, Tally, play_evaluators, play_games};
use ishi_rng::Seed;
use serde::Serialize;

use super::coach::progress::Progress;
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi othello train network my.nt --games 1000000 --checkpoint my.td
  ishi othello train network my.nt --games 1000000 --checkpoint my.td     if stopped: the same again
  ishi othello train network exploit.nt --opponent standard --epsilon 0.1 --opening 0
  ishi othello train network tough.nt --opponent self:8 --opponent counters:1 --opponent past:1
  ishi othello train wpc my.wpc --games 200000
  ishi othello league my.nt standard random

Both learn by TD(lambda) from games by the league's rules (one move ahead, random moves with
probability epsilon). Game i follows from --seed and i: a run that is stopped by Ctrl-C or
killed goes on from its checkpoint, and ends as if nothing had happened.

Opponents: self (both sides learn), counters (piece counters with random weights, new for
each game), past (earlier versions of the network), standard, random, or the file of a
player; NAME:N gives the share. Patterns: known, wide, line3, 2x4, snakes6*20, a1b1c1, or
several joined by +. docs/othello-learning.md says what is worth trying.";

/// Train players by temporal differences.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub struct TrainArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// An n-tuple network
    #[command(after_long_help = HELP)]
    Network(NetworkArgs),
    /// A weighted piece counter
    #[command(after_long_help = HELP)]
    Wpc(WpcArgs),
}

#[derive(Args, Debug)]
struct NetworkArgs {
    /// The file of the network
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// Sets of tuples, joined by +
    #[arg(long, default_value = "known", value_name = "SET")]
    patterns: Patterns,
    /// Phases of the game with weights of their own: a number, or where all but the first begin, in discs
    #[arg(long, default_value = "6", value_name = "PHASES")]
    phases: Phases,
    /// A network to begin with; patterns and phases are its own
    #[arg(long, value_name = "FILE", conflicts_with_all = ["patterns", "phases"])]
    start: Option<PathBuf>,
    /// What a step of the weights in the file is worth; 0 keeps all that was learned
    #[arg(long, default_value_t = 0.002, value_name = "STEP", value_parser = not_negative)]
    round: f64,
    /// Learning rate at first, 2 if not given
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate: Option<f32>,
    /// Learning rate at the end, a tenth of the first if not given
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate_end: Option<f32>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args, Debug)]
struct WpcArgs {
    /// The file of the weights
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// 64 weights, not 10 with the board's symmetry
    #[arg(long)]
    full: bool,
    /// Learning rate at first
    #[arg(long, default_value_t = 0.02, value_name = "RATE", value_parser = rate)]
    rate: f32,
    /// Learning rate at the end
    #[arg(long, default_value_t = 0.001, value_name = "RATE", value_parser = rate)]
    rate_end: f32,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args, Debug)]
struct RunArgs {
    /// Games of the run
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How the rate is set for a single weight; coherence if not given for a network, plain for a piece counter
    #[arg(long, value_enum)]
    method: Option<Method>,
    /// How far results reach back: 0 to the next position only, 1 to the start
    #[arg(long, default_value_t = 0.7, value_name = "LAMBDA", value_parser = share)]
    lambda: f32,
    /// The probability of a random move
    #[arg(long, default_value_t = 0.2, value_name = "P", value_parser = share)]
    epsilon: f32,
    /// The first plies are random, 0 to so many
    #[arg(long, default_value_t = 8, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=50))]
    opening: u32,
    /// An opponent and its share, may be repeated; self if not given
    #[arg(long, value_name = "NAME[:N]")]
    opponent: Vec<String>,
    /// What makes the expected result of a sum
    #[arg(long, value_enum, default_value = "tanh")]
    output: Output,
    /// Share of the run before the rate begins to fall
    #[arg(long, default_value_t = 0.5, value_name = "SHARE", value_parser = share)]
    hold: f32,
    /// Where the run is kept; if the file exists, it is gone on with
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Games between looks at the score against the standard, and between checkpoints
    #[arg(long, default_value_t = 50_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Replace the file of the result if it exists
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Temporal coherence
    Coherence,
    /// The same rate for all weights
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// Hyperbolic tangent, error of cross-entropy
    Tanh,
    /// The sum itself, squared error
    Linear,
}

/// A probability or a share.
fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    number.ok_or_else(|| format!("{text:?}: write a number from 0 to 1"))
}

fn rate(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|rate| (0.0..=1000.0).contains(rate));
    number.ok_or_else(|| format!("{text:?}: write a number from 0 to 1000"))
}

fn not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|step| (0.0..=1.0).contains(step));
    number.ok_or_else(|| format!("{text:?}: write a number from 0 to 1"))
}

/// Trains.
pub fn run(args: &TrainArgs, context: &Context) -> Result<(), Failure> {
    match &args.what {
        What::Network(args) => network(args, context),
        What::Wpc(args) => wpc(args, context),
    }
}

fn network(args: &NetworkArgs, context: &Context) -> Result<(), Failure> {
    args.run.check(&args.out)?;
    let start = match &args.start {
        Some(path) => read_network(path)?,
        None => blank(args.patterns.shape(), args.phases.clone()),
    };
    let first = args.rate.unwrap_or(2.0);
    let rate = Rate { start: first, end: args.rate_end.unwrap_or(first / 10.0), hold: args.run.hold };
    let method = args.run.method.unwrap_or(Method::Coherence);
    let learner = args.run.learn(start, args.run.params(rate, method, false), context)?;
    let result =
        if args.round > 0.0 { learner.network().rounded(args.round) } else { learner.network().clone() };
    let bytes = result.pack();
    files::write(&args.out, &bytes, args.run.force)?;
    let player = Player::new(result, View::Inverted);
    let against =
        |opponent: &Wpc| play_evaluators(&player, opponent, &Rules::default(), context.seed, 0..2000);
    let report = Report::of(&learner, &args.out, bytes.len(), against);
    args.run.finish(&learner, report, context)
}

fn wpc(args: &WpcArgs, context: &Context) -> Result<(), Failure> {
    args.run.check(&args.out)?;
    let shape = if args.full { every_square()? } else { patterns("line1")?.shape() };
    let rate = Rate { start: args.rate, end: args.rate_end, hold: args.run.hold };
    let params = args.run.params(rate, args.run.method.unwrap_or(Method::Plain), true);
    let learner = args.run.learn(blank(shape, Phases::one()), params, context)?;
    let wpc =
        learner.counter().ok_or_else(|| Failure::input("the checkpoint is not that of a piece counter"))?;
    let text = wpc.to_string();
    files::write(&args.out, text.as_bytes(), args.run.force)?;
    let against = |opponent: &Wpc| play_games(&wpc, opponent, &Rules::default(), context.seed, 0..20_000);
    let report = Report::of(&learner, &args.out, text.len(), against);
    args.run.finish(&learner, report, context)
}

fn patterns(text: &str) -> Result<Patterns, Failure> {
    text.parse().map_err(Failure::input)
}

/// 64 tables of one square each.
fn every_square() -> Result<ishi_engines::othello::ntuple::Shape, Failure> {
    use ishi_engines::othello::ntuple::{Group, Shape, Tuple};
    let single = |square| Group::placed(vec![Tuple::new(vec![square]).ok()?]);
    let groups = ishi_othello::Square::all().map(single).collect::<Option<Vec<_>>>();
    groups.and_then(Shape::new).ok_or_else(|| Failure::input("64 squares make no network"))
}

fn read_network(path: &Path) -> Result<Network, Failure> {
    let bytes = files::read(path)?;
    Network::unpack(&bytes).map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

/// `NAME` or `NAME:N`.
fn opponent(text: &str) -> Result<(Opponent, u32), Failure> {
    let (name, share) = match text.rsplit_once(':').map(|(name, share)| (name, share.parse())) {
        Some((name, Ok(share))) => (name, share),
        _ => (text, 1),
    };
    let opponent = match name {
        "self" => Opponent::Itself,
        "counters" => Opponent::Counters,
        "past" => Opponent::Past,
        _ => Opponent::Fixed(name.to_string(), fixed(name)?),
    };
    Ok((opponent, share))
}

/// A player that stays as it is.
fn fixed(name: &str) -> Result<ishi_engines::othello::learn::Shared, Failure> {
    let member = match Member::named(name) {
        Some(member) => member,
        None => {
            let bytes = files::read(Path::new(name))?;
            Member::read(&bytes).map_err(|error| Failure::input(format!("{name}: {error}")))?
        }
    };
    Ok(match member {
        Member::Counter(wpc) => Arc::new(wpc),
        Member::Network(player) => Arc::new(*player),
    })
}

impl RunArgs {
    /// The result must have a place before hours are spent on it.
    fn check(&self, out: &Path) -> Result<(), Failure> {
        if out.exists() && !self.force {
            let name = out.display();
            return Err(Failure::input(format!(
                "{name} exists: give another name, or --force to replace it"
            )));
        }
        Ok(())
    }

    fn params(&self, rate: Rate, method: Method, antisymmetric: bool) -> TdParams {
        TdParams {
            games: self.games,
            lambda: self.lambda,
            epsilon: f64::from((self.epsilon * 1e6).round()) / 1e6,
            opening: self.opening,
            rate,
            step: if method == Method::Plain { Step::Plain } else { Step::Coherence },
            squash: if self.output == Output::Tanh { Squash::Tanh } else { Squash::Linear },
            antisymmetric,
            ..TdParams::default()
        }
    }

    fn mixture(&self) -> Result<Mixture, Failure> {
        if self.opponent.is_empty() {
            return Ok(Mixture::itself());
        }
        let opponents = self.opponent.iter().map(|text| opponent(text)).collect::<Result<_, _>>()?;
        Mixture::new(opponents)
            .ok_or_else(|| Failure::input("the shares of the opponents add up to nothing, or too much"))
    }

    fn begin(&self, start: Network, params: TdParams, seed: Seed) -> Result<Learner, Failure> {
        let mixture = self.mixture()?;
        match &self.checkpoint {
            Some(path) if path.exists() => {
                let error = |error| Failure::input(format!("{}: {error}", path.display()));
                Learner::resume(&files::read(path)?, params, mixture, seed).map_err(error)
            }
            _ => Ok(Learner::new(start, params, mixture, seed)),
        }
    }

    /// Learns until the run is over or somebody says stop.
    fn learn(&self, start: Network, params: TdParams, context: &Context) -> Result<Learner, Failure> {
        let mut learner = self.begin(start, params, context.seed)?;
        let mut progress =
            Progress::new((self.games - learner.games()).div_ceil(STEP), "thousand games", context);
        let mut score = String::new();
        while !learner.is_done() && !context.stopped() {
            learner.learn(STEP - learner.games() % STEP);
            if learner.games().is_multiple_of(self.every) {
                score = format!("{:.3} against the standard", standard(&learner, context.seed));
                self.keep(&learner)?;
            }
            progress.step(&score);
        }
        progress.finish();
        self.keep(&learner)?;
        Ok(learner)
    }

    fn keep(&self, learner: &Learner) -> Result<(), Failure> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        let error = |error| Failure::outside(format!("cannot write {}: {error}", path.display()));
        files::put(path, &learner.checkpoint(), true).map_err(error)
    }

    fn finish(&self, learner: &Learner, report: Report, context: &Context) -> Result<(), Failure> {
        report.print(context)?;
        if learner.is_done() {
            return Ok(());
        }
        if self.checkpoint.is_some() && !context.quiet {
            anstream::eprintln!(
                "stopped after {} of {} games; the same command goes on",
                learner.games(),
                self.games
            );
        }
        Err(Failure::Interrupted)
    }
}

/// Games between looks at Ctrl-C.
const STEP: u64 = 1000;

/// The score of the network as it is.
fn standard(learner: &Learner, seed: Seed) -> f64 {
    let rules = Rules::default();
    let results = match learner.counter() {
        Some(wpc) => play_games(&wpc, &Wpc::standard(), &rules, seed, 0..2000),
        None => {
            let player = Player::new(learner.network().clone(), View::Inverted);
            play_evaluators(&player, &Wpc::standard(), &rules, seed, 0..400)
        }
    };
    Tally::of(&results).score()
}

/// What is printed at the end.
#[derive(Serialize)]
struct Report {
    file: String,
    bytes: usize,
    seed: String,
    games: u64,
    games_of_run: u64,
    double_games: u64,
    standard: f64,
    random: f64,
}

impl Report {
    fn of(learner: &Learner, file: &Path, bytes: usize, against: impl Fn(&Wpc) -> Vec<i8>) -> Report {
        let tallies = [Wpc::standard(), Wpc::random()].map(|opponent| Tally::of(&against(&opponent)));
        Report {
            file: file.display().to_string(),
            bytes,
            seed: learner.seed().to_string(),
            games: learner.games(),
            games_of_run: learner.params().games,
            double_games: tallies[0].games() / 2,
            standard: tallies[0].score(),
            random: tallies[1].score(),
        }
    }

    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json {
            return super::coach::print_json(self);
        }
        let Report { file, bytes, seed, games, double_games, standard, random, .. } = self;
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{file}: {bytes} bytes after {games} games, seed {seed}");
        let _ = writeln!(text, "  against the standard  {standard:.3}");
        let _ = writeln!(text, "  against random moves  {random:.3}   ({double_games} double games each)");
        super::coach::print(&text)
    }
}
