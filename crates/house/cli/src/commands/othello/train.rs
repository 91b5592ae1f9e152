//! `ishi othello train`: players that learn from games, by temporal differences or by differential evolution.

mod evolution;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use ishi_lab::kinds::othello_learning::{Settings, Way};
use ishi_othello::Wpc;
use ishi_othello::oneply::{Rules, Tally, play_evaluators, play_games};
use ishi_othello_learn::td::{Learner, Mixture, Opponent, Rate, Squash, Step, TdParams, blank};
use ishi_othello_play::league::Member;
use ishi_othello_play::ntuple::{Network, Patterns, Phases, Player, View};
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
  ishi othello train wpc group.txt --method group --games 55000000 --checkpoint group.json
  ishi othello train wpc one.txt --method individual --set sigma=sample --games 5000000
  ishi othello train wpc best.txt --method population --members players --games 5000000
  ishi othello league my.nt group.txt standard random
  ishi match --game othello wpc:group.txt othello-wpc

Networks and piece counters learn by TD(lambda) from games by the league's rules (one move ahead, random moves with
probability epsilon). Game i follows from --seed and i: a run that is stopped by Ctrl-C or
killed goes on from its checkpoint, and ends as if nothing had happened.

Opponents: self (both sides learn), counters (piece counters with random weights, new for
each game), past (earlier versions of the network), standard, random, or the file of a
player; NAME:N gives the share. Patterns: known, wide, line3, 2x4, snakes6*20, a1b1c1, or
several joined by +.

Piece counters also learn by differential evolution, from the rules alone (Takahama and Sakai):
--method individual (section 4: beat the last winner), group (section 5: be rated above 1600
by a group of ten) and population (section 6: the group is the population). FILE is then the
best-rated player as 10 weights, the others as comments; --members keeps each in a file.
docs/othello-learning.md says what is worth trying.";

/// Train players by temporal differences or by differential evolution.
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
    Network(Box<NetworkArgs>),
    /// A weighted piece counter
    #[command(after_long_help = HELP)]
    Wpc(Box<WpcArgs>),
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
    /// How the rate is set for a single weight
    #[arg(long, value_enum, default_value = "coherence")]
    method: NetworkMethod,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args, Debug)]
struct WpcArgs {
    /// The file of the weights
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// How it learns: by temporal differences (plain, coherence), or by differential evolution
    #[arg(long, value_enum, default_value = "plain")]
    method: WpcMethod,
    /// Evolution: settings that are not as usual, as docs/lab.md lists them, such as rating=likelihood,population=30
    #[arg(long, value_name = "KEY=VALUE,...")]
    set: Option<Settings>,
    /// Evolution: a folder for a file of each member, the best-rated as 01.txt
    #[arg(long, value_name = "DIR")]
    members: Option<PathBuf>,
    /// Temporal differences: 64 weights, not 10 with the board's symmetry
    #[arg(long)]
    full: bool,
    /// Temporal differences: learning rate at first, 0.02 if not given
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate: Option<f32>,
    /// Temporal differences: learning rate at the end, 0.001 if not given
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate_end: Option<f32>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args, Debug)]
struct RunArgs {
    /// Games of the run
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How far results reach back: 0 to the next position only, 1 to the start; 0.7 if not given
    #[arg(long, value_name = "LAMBDA", value_parser = share)]
    lambda: Option<f32>,
    /// The probability of a random move; 0.2 if not given
    #[arg(long, value_name = "P", value_parser = share)]
    epsilon: Option<f32>,
    /// The first plies are random, 0 to so many; 8 if not given
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=50))]
    opening: Option<u32>,
    /// An opponent and its share, may be repeated; self if not given
    #[arg(long, value_name = "NAME[:N]")]
    opponent: Vec<String>,
    /// What makes the expected result of a sum; tanh if not given
    #[arg(long, value_enum)]
    output: Option<Output>,
    /// Share of the run before the rate begins to fall; 0.5 if not given
    #[arg(long, value_name = "SHARE", value_parser = share)]
    hold: Option<f32>,
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
enum NetworkMethod {
    /// Temporal coherence
    Coherence,
    /// The same rate for all weights
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WpcMethod {
    /// Temporal differences, the same rate for all weights
    Plain,
    /// Temporal differences, temporal coherence
    Coherence,
    /// Differential evolution against the last winner
    Individual,
    /// Differential evolution against a group, by rating
    Group,
    /// Differential evolution, the group being the population
    Population,
}

impl WpcMethod {
    /// How the steps of temporal differences are made, or which way evolution goes.
    fn kind(self) -> Result<Step, Way> {
        match self {
            WpcMethod::Plain => Ok(Step::Plain),
            WpcMethod::Coherence => Ok(Step::Coherence),
            WpcMethod::Individual => Err(Way::Individual),
            WpcMethod::Group => Err(Way::Group),
            WpcMethod::Population => Err(Way::Population),
        }
    }
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
    let rate = Rate { start: first, end: args.rate_end.unwrap_or(first / 10.0), hold: args.run.hold() };
    let step = if args.method == NetworkMethod::Plain { Step::Plain } else { Step::Coherence };
    let learner = args.run.learn(start, args.run.params(rate, step, false), context)?;
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
    args.check()?;
    match args.method.kind() {
        Ok(step) => differences(args, step, context),
        Err(way) => args.plan(way).run(context),
    }
}

impl WpcArgs {
    /// Each method has options of its own.
    fn check(&self) -> Result<(), Failure> {
        let run = &self.run;
        let of_differences = [
            ("--full", self.full),
            ("--rate", self.rate.is_some()),
            ("--rate-end", self.rate_end.is_some()),
            ("--lambda", run.lambda.is_some()),
            ("--epsilon", run.epsilon.is_some()),
            ("--opening", run.opening.is_some()),
            ("--opponent", !run.opponent.is_empty()),
            ("--output", run.output.is_some()),
            ("--hold", run.hold.is_some()),
        ];
        let of_evolution = [("--set", self.set.is_some()), ("--members", self.members.is_some())];
        let given = |options: &[(&'static str, bool)]| {
            options.iter().find(|(_, given)| *given).map(|(name, _)| *name)
        };
        let wrong = |option: &str, of: &str, instead: &str| {
            Err(Failure::input(format!("{option} is an option of {of}: leave it out, or {instead}")))
        };
        match (self.method.kind(), given(&of_differences), given(&of_evolution)) {
            (Err(_), Some(option), _) => {
                wrong(option, "temporal differences", "say what differs by --set, such as --set epsilon=0.2")
            }
            (Ok(_), _, Some(option)) => {
                wrong(option, "evolution", "add --method group, individual or population")
            }
            _ => Ok(()),
        }
    }

    fn plan(&self, way: Way) -> evolution::Plan<'_> {
        evolution::Plan {
            out: &self.out,
            way,
            settings: self.set.clone().unwrap_or_default(),
            games: self.run.games,
            checkpoint: self.run.checkpoint.as_deref(),
            every: self.run.every,
            members: self.members.as_deref(),
            force: self.run.force,
        }
    }
}

/// A piece counter by temporal differences.
fn differences(args: &WpcArgs, step: Step, context: &Context) -> Result<(), Failure> {
    let shape = if args.full { every_square()? } else { patterns("line1")?.shape() };
    let (start, end) = (args.rate.unwrap_or(0.02), args.rate_end.unwrap_or(0.001));
    let params = args.run.params(Rate { start, end, hold: args.run.hold() }, step, true);
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
fn every_square() -> Result<ishi_othello_play::ntuple::Shape, Failure> {
    use ishi_othello_play::ntuple::{Group, Shape, Tuple};
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
fn fixed(name: &str) -> Result<ishi_othello_learn::td::Shared, Failure> {
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

    fn hold(&self) -> f32 {
        self.hold.unwrap_or(0.5)
    }

    fn params(&self, rate: Rate, step: Step, antisymmetric: bool) -> TdParams {
        TdParams {
            games: self.games,
            lambda: self.lambda.unwrap_or(0.7),
            epsilon: f64::from((self.epsilon.unwrap_or(0.2) * 1e6).round()) / 1e6,
            opening: self.opening.unwrap_or(8),
            rate,
            step,
            squash: if self.output == Some(Output::Linear) { Squash::Linear } else { Squash::Tanh },
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
            Progress::new((self.games - learner.games()).div_ceil(LOOK), "thousand games", context);
        let mut score = String::new();
        while !learner.is_done() && !context.stopped() {
            learner.learn(LOOK - learner.games() % LOOK);
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
            tell_how_to_go_on(learner.games(), self.games, self.force);
        }
        Err(Failure::Interrupted)
    }
}

/// A run that was stopped has written the player it had come to: to go on is to replace it.
fn tell_how_to_go_on(done: u64, games: u64, force: bool) {
    let command = if force { "the same command" } else { "the same command with --force" };
    anstream::eprintln!(
        "stopped after {done} of {games} games; {command} goes on and writes the player again"
    );
}

/// Games between looks at Ctrl-C.
const LOOK: u64 = 1000;

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
