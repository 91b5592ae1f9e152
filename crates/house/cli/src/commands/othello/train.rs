//! `ishi othello train`: players that learn from games, by temporal differences or by evolution.

mod checkpoint;
mod evolution;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use ishi_othello::oneply::{LeagueRules, MatchTally, play_evaluators, play_games};
use ishi_othello::{Wpc, seal_counter_text};
use ishi_othello_learn::evolution::{FixedOpponent, LearningMethod, LearningOptions};
use ishi_othello_learn::td::{
    Learner, LearningRate, Opponent, OpponentMixture, SharedEvaluator, SquashFunction, StepRule, TdParams,
    blank_network,
};
use ishi_othello_play::league::LeagueMember;
use ishi_othello_play::ntuple::{NTupleNetwork, NTuplePlayer, NetworkPhases, TupleSet, WhiteView};
use ishi_rng::Seed;
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::number_in;
use crate::progress::StepDisplay;

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
  ishi othello train wpc hall.txt --method hall-of-fame --games 5000000
  ishi othello train wpc mean.txt --method cma --games 5000000
  ishi othello train wpc beat.txt --method de --opponent standard:3 --opponent group.txt
  ishi othello league my.nt group.txt standard random
  ishi match --game othello wpc:group.txt othello-wpc

Networks and piece counters learn by TD(lambda) from games by the league's rules (one move ahead, random moves with \
probability epsilon). Game i follows from --seed and i: a run that is stopped by Ctrl-C or \
killed goes on from its checkpoint, and ends as if nothing had happened.

Opponents: self (both sides learn), counters (piece counters with random weights, new for \
each game), past (earlier versions of the network), standard, random, or the file of a \
player; NAME:N gives the share. Patterns: known, wide, line3, 2x4, snakes6*20, a1b1c1, or \
several joined by +.

Piece counters also learn by evolution, from the rules alone (Takahama and Sakai). \
--method individual beats the last winner (section 4). group is rated above 1600 by a group of \
ten (section 5). In population the group is the population (section 6). FILE is then the \
best-rated player as 10 weights, the others as comments; --members keeps each in a file. \
--method hall-of-fame (child meets parent, both meet champions of earlier generations) and cma \
(CMA-ES against its own earlier means) know only the rules, too. --method de learns to beat \
players that stay as they are: --opponent standard (if not given), random, or the file of a \
player. FILE is then the best of the last generation, and with cma its mean. \
docs/othello.md says what is worth trying.";

/// Train players by temporal differences or by evolution.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub struct TrainArgs {
    #[command(subcommand)]
    what: TrainCommand,
}

#[derive(Subcommand, Debug)]
enum TrainCommand {
    /// An n-tuple network
    #[command(after_long_help = HELP)]
    Network(Box<TrainNetworkArgs>),
    /// A weighted piece counter
    #[command(after_long_help = HELP)]
    Wpc(Box<TrainWpcArgs>),
}

#[derive(Args, Debug)]
struct TrainNetworkArgs {
    /// The file of the network
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// Sets of tuples, joined by +
    #[arg(long, default_value = "known", value_name = "SET")]
    patterns: TupleSet,
    /// Phases of the game with weights of their own: a number, or where all but the first begin, in discs
    #[arg(long, default_value = "6", value_name = "PHASES")]
    phases: NetworkPhases,
    /// A network to begin with; patterns and phases are its own
    #[arg(long, value_name = "FILE", conflicts_with_all = ["patterns", "phases"])]
    start: Option<PathBuf>,
    /// What a step of the weights in the file is worth; 0 keeps all that was learned
    #[arg(long, default_value_t = 0.002, value_name = "STEP", value_parser = number_in::<f64>(0.0..=1.0))]
    round: f64,
    /// Learning rate at first, 2 if not given
    #[arg(long, value_name = "RATE", value_parser = number_in::<f32>(0.0..=1000.0))]
    rate: Option<f32>,
    /// Learning rate at the end, a tenth of the first if not given
    #[arg(long, value_name = "RATE", value_parser = number_in::<f32>(0.0..=1000.0))]
    rate_end: Option<f32>,
    /// How the rate is set for a single weight
    #[arg(long, value_enum, default_value = "coherence")]
    method: NetworkMethod,
    #[command(flatten)]
    run: TrainRunArgs,
}

#[derive(Args, Debug)]
struct TrainWpcArgs {
    /// The file of the weights
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// How it learns: by temporal differences (plain, coherence), or by evolution
    #[arg(long, value_enum, default_value = "plain")]
    method: WpcMethod,
    /// Evolution: settings that are not as usual, as docs/lab.md lists them, such as rating=likelihood,population=30
    #[arg(long, value_name = "KEY=VALUE,...")]
    set: Option<LearningOptions>,
    /// Evolution: a folder for a file of each member, the best-rated as 01.txt
    #[arg(long, value_name = "DIR")]
    members: Option<PathBuf>,
    /// Temporal differences: 64 weights, not 10 with the board's symmetry
    #[arg(long)]
    full: bool,
    /// Temporal differences: learning rate at first, 0.02 if not given
    #[arg(long, value_name = "RATE", value_parser = number_in::<f32>(0.0..=1000.0))]
    rate: Option<f32>,
    /// Temporal differences: learning rate at the end, 0.001 if not given
    #[arg(long, value_name = "RATE", value_parser = number_in::<f32>(0.0..=1000.0))]
    rate_end: Option<f32>,
    #[command(flatten)]
    run: TrainRunArgs,
}

#[derive(Args, Debug)]
struct TrainRunArgs {
    /// Games of the run
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How far results reach back: 0 to the next position only, 1 to the start; 0.7 if not given
    #[arg(long, value_name = "LAMBDA", value_parser = number_in::<f32>(0.0..=1.0))]
    lambda: Option<f32>,
    /// The probability of a random move; 0.2 if not given
    #[arg(long, value_name = "P", value_parser = number_in::<f32>(0.0..=1.0))]
    epsilon: Option<f32>,
    /// The first plies are random, 0 to so many; 8 if not given
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=50))]
    opening: Option<u32>,
    /// An opponent and its share, may be repeated; self if not given
    #[arg(long, value_name = "NAME[:N]")]
    opponent: Vec<String>,
    /// What makes the expected result of a sum; tanh if not given
    #[arg(long, value_enum)]
    output: Option<TrainOutput>,
    /// Share of the run before the rate begins to fall; 0.5 if not given
    #[arg(long, value_name = "SHARE", value_parser = number_in::<f32>(0.0..=1.0))]
    hold: Option<f32>,
    /// Where the run is kept; if the file exists, the run goes on from it
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
    /// Differential evolution against champions of earlier generations
    HallOfFame,
    /// CMA-ES against its own earlier means
    Cma,
    /// Differential evolution against players that stay as they are (--opponent, the standard player if not given)
    De,
}

impl WpcMethod {
    /// How the steps of temporal differences are made, or which way evolution goes.
    fn step_or_way(self) -> Result<StepRule, LearningMethod> {
        match self {
            WpcMethod::Plain => Ok(StepRule::Plain),
            WpcMethod::Coherence => Ok(StepRule::Coherence),
            WpcMethod::Individual => Err(LearningMethod::Individual),
            WpcMethod::Group => Err(LearningMethod::Group),
            WpcMethod::Population => Err(LearningMethod::Population),
            WpcMethod::HallOfFame => Err(LearningMethod::HallOfFame),
            WpcMethod::Cma => Err(LearningMethod::CmaEs),
            WpcMethod::De => Err(LearningMethod::FixedOpponents),
        }
    }

    /// The word of the option.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TrainOutput {
    /// Hyperbolic tangent, error of cross-entropy
    Tanh,
    /// The sum itself, squared error
    Linear,
}

/// Trains.
pub fn run(args: &TrainArgs, context: &Context) -> Result<(), Failure> {
    match &args.what {
        TrainCommand::Network(args) => train_network(args, context),
        TrainCommand::Wpc(args) => train_wpc(args, context),
    }
}

fn train_network(args: &TrainNetworkArgs, context: &Context) -> Result<(), Failure> {
    args.run.check_output(&args.out)?;
    let start = match &args.start {
        Some(path) => read_network(path)?,
        None => blank_network(args.patterns.shape(), args.phases.clone()),
    };
    let first = args.rate.unwrap_or(2.0);
    let rate =
        LearningRate { start: first, end: args.rate_end.unwrap_or(first / 10.0), hold: args.run.rate_hold() };
    let step = if args.method == NetworkMethod::Plain { StepRule::Plain } else { StepRule::Coherence };
    let learner = args.run.train_learner(&args.out, start, args.run.td_params(rate, step, false), context)?;
    let result = if args.round > 0.0 {
        learner.network().rounded_to_unit(args.round)
    } else {
        learner.network().clone()
    };
    let bytes = result.to_bytes();
    files::write_file_again(&args.out, &bytes, args.run.force)?;
    let player = NTuplePlayer::new(result, WhiteView::Inverted);
    let games = measuring_games(&learner, 2000);
    let against = |opponent: &Wpc| {
        play_evaluators(&player, opponent, &LeagueRules::default(), context.seed, games.clone())
    };
    let report = TrainReport::from_learner(&learner, &args.out, bytes.len(), against);
    args.run.finish_run(&learner, report, context)
}

fn train_wpc(args: &TrainWpcArgs, context: &Context) -> Result<(), Failure> {
    args.run.check_output(&args.out)?;
    args.check_options()?;
    match args.method.step_or_way() {
        Ok(step) => train_by_differences(args, step, context),
        Err(method) => args.evolution_plan(method)?.run(context),
    }
}

impl TrainWpcArgs {
    /// Each method has options of its own.
    fn check_options(&self) -> Result<(), Failure> {
        let run = &self.run;
        let of_differences = [
            ("--full", self.full),
            ("--rate", self.rate.is_some()),
            ("--rate-end", self.rate_end.is_some()),
            ("--lambda", run.lambda.is_some()),
            ("--epsilon", run.epsilon.is_some()),
            ("--opening", run.opening.is_some()),
            ("--opponent", !run.opponent.is_empty() && self.method != WpcMethod::De),
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
        match (self.method.step_or_way(), given(&of_differences), given(&of_evolution)) {
            (Err(_), Some(option), _) => {
                wrong(option, "temporal differences", "say what differs by --set, such as --set epsilon=0.2")
            }
            (Ok(_), _, Some(option)) => {
                let methods = "individual, group, population, hall-of-fame, cma or de";
                wrong(option, "evolution", &format!("add --method {methods}"))
            }
            _ => Ok(()),
        }
    }

    fn evolution_plan(&self, method: LearningMethod) -> Result<evolution::EvolutionPlan<'_>, Failure> {
        Ok(evolution::EvolutionPlan {
            out: &self.out,
            method,
            name: self.method.name(),
            settings: self.set.clone().unwrap_or_default(),
            opponents: if self.method == WpcMethod::De { self.run.fixed_opponents()? } else { Vec::new() },
            opponent_names: &self.run.opponent,
            games: self.run.games,
            checkpoint: self.run.checkpoint.as_deref(),
            every: self.run.every,
            members: self.members.as_deref(),
            force: self.run.force,
        })
    }
}

/// A piece counter by temporal differences.
fn train_by_differences(args: &TrainWpcArgs, step: StepRule, context: &Context) -> Result<(), Failure> {
    let shape = if args.full { single_square_shape()? } else { parse_patterns("line1")?.shape() };
    let (start, end) = (args.rate.unwrap_or(0.02), args.rate_end.unwrap_or(0.001));
    let params = args.run.td_params(LearningRate { start, end, hold: args.run.rate_hold() }, step, true);
    let start = blank_network(shape, NetworkPhases::single_phase());
    let learner = args.run.train_learner(&args.out, start, params, context)?;
    let wpc = learner
        .to_piece_counter()
        .ok_or_else(|| Failure::input("the checkpoint is not that of a piece counter"))?;
    let text = seal_counter_text(&wpc.to_string());
    files::write_file_again(&args.out, text.as_bytes(), args.run.force)?;
    let games = measuring_games(&learner, 20_000);
    let against =
        |opponent: &Wpc| play_games(&wpc, opponent, &LeagueRules::default(), context.seed, games.clone());
    let report = TrainReport::from_learner(&learner, &args.out, text.len(), against);
    args.run.finish_run(&learner, report, context)
}

fn parse_patterns(text: &str) -> Result<TupleSet, Failure> {
    text.parse().map_err(Failure::input)
}

/// 64 tables of one square each.
fn single_square_shape() -> Result<ishi_othello_play::ntuple::TupleShape, Failure> {
    use ishi_othello_play::ntuple::{SquareTuple, TupleGroup, TupleShape};
    let single = |square| TupleGroup::from_placements(vec![SquareTuple::new(vec![square]).ok()?]);
    let groups = ishi_othello::Square::all().map(single).collect::<Option<Vec<_>>>();
    groups.and_then(TupleShape::new).ok_or_else(|| Failure::input("64 squares make no network"))
}

fn read_network(path: &Path) -> Result<NTupleNetwork, Failure> {
    let bytes = files::read_file_or_stdin(path)?;
    NTupleNetwork::from_bytes(&bytes).map_err(|error| Failure::in_file(path, error))
}

/// The name and the share of `NAME` or `NAME:N`.
fn split_share(text: &str) -> (&str, u32) {
    match text.rsplit_once(':').map(|(name, share)| (name, share.parse())) {
        Some((name, Ok(share))) => (name, share),
        _ => (text, 1),
    }
}

/// `NAME` or `NAME:N`.
fn parse_opponent(text: &str) -> Result<(Opponent, u32), Failure> {
    let (name, share) = split_share(text);
    let opponent = match name {
        "self" => Opponent::Itself,
        "counters" => Opponent::Counters,
        "past" => Opponent::Past,
        _ => Opponent::Fixed(name.to_string(), fixed_opponent(name)?),
    };
    Ok((opponent, share))
}

/// A player that stays as it is.
fn fixed_opponent(name: &str) -> Result<SharedEvaluator, Failure> {
    Ok(match find_league_member(name)? {
        LeagueMember::Counter(wpc) => Arc::new(wpc),
        LeagueMember::Network(player) => Arc::new(*player),
    })
}

/// A player by its name, or out of a file.
fn find_league_member(name: &str) -> Result<LeagueMember, Failure> {
    if let Some(member) = LeagueMember::from_name(name) {
        return Ok(member);
    }
    let bytes = files::read_file_or_stdin(Path::new(name))?;
    LeagueMember::from_bytes(&bytes).map_err(|error| Failure::input(format!("{name}: {error}")))
}

impl TrainRunArgs {
    /// The result must have a place before hours are spent on it. With a checkpoint that is known once it is read.
    fn check_output(&self, out: &Path) -> Result<(), Failure> {
        if self.checkpoint.as_deref().is_some_and(Path::exists) { Ok(()) } else { self.refuse_existing(out) }
    }

    fn refuse_existing(&self, out: &Path) -> Result<(), Failure> {
        if out.exists() && !self.force {
            let name = out.display();
            return Err(Failure::input(format!(
                "{name} exists: give another name, or --force to replace it"
            )));
        }
        Ok(())
    }

    fn rate_hold(&self) -> f32 {
        self.hold.unwrap_or(0.5)
    }

    fn td_params(&self, rate: LearningRate, step: StepRule, antisymmetric: bool) -> TdParams {
        TdParams {
            games: self.games,
            lambda: self.lambda.unwrap_or(0.7),
            epsilon: f64::from((self.epsilon.unwrap_or(0.2) * 1e6).round()) / 1e6,
            opening: self.opening.unwrap_or(8),
            rate,
            step,
            squash: if self.output == Some(TrainOutput::Linear) {
                SquashFunction::Linear
            } else {
                SquashFunction::Tanh
            },
            antisymmetric,
            ..TdParams::default()
        }
    }

    fn opponent_mixture(&self) -> Result<OpponentMixture, Failure> {
        if self.opponent.is_empty() {
            return Ok(OpponentMixture::itself_only());
        }
        let opponents = self.opponent.iter().map(|text| parse_opponent(text)).collect::<Result<_, _>>()?;
        OpponentMixture::new(opponents)
            .ok_or_else(|| Failure::input("the shares of the opponents add up to nothing, or too much"))
    }

    /// The opponents of evolution, the standard player if none is given.
    fn fixed_opponents(&self) -> Result<Vec<FixedOpponent>, Failure> {
        if self.opponent.is_empty() {
            return Ok(vec![FixedOpponent::standard()]);
        }
        let find = |text: &String| {
            let (name, share) = split_share(text);
            if ["self", "counters", "past"].contains(&name) {
                return Err(Failure::input(format!(
                    "--method de plays against players that stay as they are, not {name}: \
                     write standard, random, or the file of a player"
                )));
            }
            Ok(FixedOpponent { member: find_league_member(name)?, share })
        };
        let opponents = self.opponent.iter().map(find).collect::<Result<Vec<_>, Failure>>()?;
        if opponents.iter().all(|opponent| opponent.share == 0) {
            return Err(Failure::input("the shares of the opponents add up to nothing"));
        }
        Ok(opponents)
    }

    fn create_learner(&self, start: NTupleNetwork, params: TdParams, seed: Seed) -> Result<Learner, Failure> {
        let mixture = self.opponent_mixture()?;
        match &self.checkpoint {
            Some(path) if path.exists() => {
                Learner::from_checkpoint(&files::read_file_or_stdin(path)?, params, mixture, seed)
                    .map_err(|error| Failure::in_file(path, error))
            }
            _ => Ok(Learner::new(start, params, mixture, seed)),
        }
    }

    /// Learns until the run is over or somebody says stop.
    fn train_learner(
        &self,
        out: &Path,
        start: NTupleNetwork,
        params: TdParams,
        context: &Context,
    ) -> Result<Learner, Failure> {
        let mut learner = self.create_learner(start, params, context.seed)?;
        if learner.is_done() {
            // It may have been killed after it had written the player.
            context.print_progress("the run of the checkpoint is complete");
        } else {
            self.refuse_existing(out)?;
        }
        let mut progress =
            StepDisplay::new((self.games - learner.games()).div_ceil(STEP), "thousand games", context);
        let mut score = String::new();
        while !learner.is_done() && !context.is_stop_requested() {
            learner.learn_games(LOOK - learner.games() % LOOK);
            if !learner.games().is_multiple_of(STEP) && !learner.is_done() {
                continue;
            }
            if learner.games().is_multiple_of(self.every) {
                score = format!("{:.3} against the standard", score_against_standard(&learner, context.seed));
                self.save_checkpoint(&learner)?;
            }
            progress.finish_step(&score);
        }
        drop(progress);
        self.save_checkpoint(&learner)?;
        Ok(learner)
    }

    fn save_checkpoint(&self, learner: &Learner) -> Result<(), Failure> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        let error = |error| Failure::outside(format!("cannot write {}: {error}", path.display()));
        files::write_or_replace(path, &learner.to_checkpoint(), true).map_err(error)
    }

    fn finish_run(&self, learner: &Learner, report: TrainReport, context: &Context) -> Result<(), Failure> {
        files::print_result(context, &report, || report.to_text())?;
        if learner.is_done() {
            return Ok(());
        }
        if self.checkpoint.is_some() && !context.quiet {
            checkpoint::print_how_to_resume(learner.games(), self.games, self.force);
        }
        Err(Failure::Interrupted)
    }
}

/// Games between looks at Ctrl-C.
const LOOK: u64 = 100;

/// Games of a step that is shown.
const STEP: u64 = 10 * LOOK;

/// The games that the player is measured by at the end, so many or a twentieth: who has stopped the run does not want to wait.
fn measuring_games(learner: &Learner, most: u64) -> Range<u64> {
    0..if learner.is_done() { most } else { most / 20 }
}

/// The score of the network as it is.
fn score_against_standard(learner: &Learner, seed: Seed) -> f64 {
    let rules = LeagueRules::default();
    let results = match learner.to_piece_counter() {
        Some(wpc) => play_games(&wpc, &Wpc::standard(), &rules, seed, 0..2000),
        None => {
            let player = NTuplePlayer::new(learner.network().clone(), WhiteView::Inverted);
            play_evaluators(&player, &Wpc::standard(), &rules, seed, 0..400)
        }
    };
    MatchTally::from_results(&results).mean_score()
}

/// What is printed at the end.
#[derive(Serialize)]
struct TrainReport {
    file: String,
    bytes: usize,
    seed: String,
    games: u64,
    games_of_run: u64,
    double_games: u64,
    standard: f64,
    random: f64,
}

impl TrainReport {
    fn from_learner(
        learner: &Learner,
        file: &Path,
        bytes: usize,
        against: impl Fn(&Wpc) -> Vec<i8>,
    ) -> TrainReport {
        let tallies =
            [Wpc::standard(), Wpc::random()].map(|opponent| MatchTally::from_results(&against(&opponent)));
        TrainReport {
            file: file.display().to_string(),
            bytes,
            seed: learner.seed().to_string(),
            games: learner.games(),
            games_of_run: learner.params().games,
            double_games: tallies[0].game_count() / 2,
            standard: tallies[0].mean_score(),
            random: tallies[1].mean_score(),
        }
    }

    fn to_text(&self) -> String {
        let TrainReport { file, bytes, seed, games, double_games, standard, random, .. } = self;
        format!(
            "{file}: {bytes} bytes after {games} games, seed {seed}\n  against the standard  {standard:.3}\n  \
             against random moves  {random:.3}   ({double_games} double games each)\n"
        )
    }
}
