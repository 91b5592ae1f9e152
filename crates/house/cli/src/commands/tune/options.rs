//! The options of `ishi tune`, and the plan they make: every game that is played follows from it and the games before.

use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum};
use ishi_arena::process::EngineCommand;
use ishi_engine::{Go, Othello};
use ishi_lab::store::{StoreTask, TaskKind, results_version_of_players};
use ishi_lab::tune::{Tuner, TuningMethod, TuningOptions, TuningSpace};
use ishi_rng::Seed;
use serde_json::json;

use crate::GlobalArgs;
use crate::commands::campaign::shared_work::parse_command_words;
use crate::commands::match_::GameName;
use crate::commands::match_::share::MatchLine;
use crate::context::Failure;
use crate::numbers::number_in;
use crate::program_files::ProgramsBy;

const HELP: &str = "\
Examples:
  ishi tune go-mcts:playouts=400,rave-bias=0.001..0.1:log,bias=0..2 --against go-flat:playouts=2000
  ishi tune othello-wpc:epsilon=0..1@0.8 --game othello --steps 40
  ishi tune 'go-mcts:playouts=100,selection=ucb1|rave|puct,exploration=0..2' --size 7 --by cma-es
  ishi tune go-mcts:playouts=400,bias=0..2 --db postgres://me@server/games
                                           the same, with every `ishi worker --stay` on that database

Ranges: key=LOW..HIGH, key=LOW..HIGH:log where ratios count, key=a|b|c for words, and @VALUE behind either to \
begin there. Without @ a parameter begins with what the player has. The player's table (`ishi gtp --help`) says \
what a parameter may be.

Every player that is tried plays pairs of games against the same opponent, from the same openings, colours \
swapped. SPSA tries two players a step, CMA-ES a generation. Tuning ends when noise leaves no room for more than \
--least-gain Elo in a third of the steps. What is found then plays the start in fresh games, and only these say \
what was gained. The same command goes on after a stop, a crash or a kill. docs/match.md tells more.";

/// How the next values are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// Two players a step: good with many parameters and few games
    Spsa,
    /// A generation of players a step: good where parameters depend on each other
    CmaEs,
}

/// `spsa` or `cma-es`.
impl std::fmt::Display for MethodName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            MethodName::Spsa => "spsa",
            MethodName::CmaEs => "cma-es",
        })
    }
}

/// Options of `ishi tune`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
pub struct TuneArgs {
    /// The built-in player, with ranges: NAME:key=LOW..HIGH,key=value
    #[arg(value_name = "PLAYER")]
    player: String,
    /// Whom every player that is tried meets [default: the player as it begins]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// How the next values are found
    #[arg(long, value_name = "METHOD", default_value_t = MethodName::Spsa)]
    by: MethodName,
    /// Steps, at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    steps: u64,
    /// Pairs of games for each player that is tried
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: u64,
    /// Pairs of the match that says what was gained; 0: none
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    confirm: u64,
    /// End when a third of the steps gains less for sure; 0: go on to the last step
    #[arg(long, value_name = "ELO", default_value_t = 5.0, value_parser = number_in::<f64>(0.0..=1000.0))]
    least_gain: f64,
    /// What is played
    #[arg(long, default_value = "go", value_name = "GAME")]
    game: GameName,
    #[command(flatten)]
    conditions: TuneConditions,
    /// The database that keeps finished games: a file, or postgres://USER@HOST/DATABASE [default: ishi.db of this folder, if
    /// there is one, else that of the data folder; in a campaign, that of the campaign]
    #[arg(long, value_name = "DB")]
    pub(super) db: Option<PathBuf>,
}

/// The conditions of the games, as `ishi match` takes them.
#[derive(Args, Clone, Debug)]
struct TuneConditions {
    /// Board size, as 9 or 13x9; of Go only [default: 9]
    #[arg(long, value_name = "SIZE")]
    size: Option<String>,
    /// Rules of Go [default: chinese]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Points for White; of Go only [default: as the rules have it]
    #[arg(long, value_name = "POINTS")]
    komi: Option<String>,
    /// Playouts (in Othello: nodes) for a move of built-in players, whatever their parameters say
    #[arg(long, value_name = "N")]
    playouts: Option<String>,
    /// Seconds for every move
    #[arg(long, value_name = "SECONDS")]
    move_time: Option<String>,
    /// Where games begin, as after `ishi match` [default: random:4, in Othello random:8]
    #[arg(long, value_name = "OPENING")]
    opening: Option<String>,
    /// What tells one program from another, as after `ishi match` [default: contents]
    #[arg(long, value_name = "HOW")]
    programs_by: Option<ProgramsBy>,
}

impl TuneConditions {
    /// The match's words as they stand after `ishi match`.
    fn words(&self, game: GameName) -> Vec<String> {
        // Without openings the games of players that never change their minds would all be the same.
        let usual = if game == GameName::Go { "random:4" } else { "random:8" };
        let opening = self.opening.clone().unwrap_or_else(|| usual.to_string());
        let given = [
            ("--game", Some(game.to_string())),
            ("--size", self.size.clone()),
            ("--rules", self.rules.clone()),
            ("--komi", self.komi.clone()),
            ("--playouts", self.playouts.clone()),
            ("--move-time", self.move_time.clone()),
            ("--opening", Some(opening)),
            ("--programs-by", self.programs_by.map(|how| how.to_string())),
        ];
        given.into_iter().filter_map(|(key, value)| Some([key.to_string(), value?])).flatten().collect()
    }
}

/// What stands after `ishi tune`.
#[derive(Parser, Debug)]
#[command(name = "tune", no_binary_name = true)]
pub(crate) struct TuneLine {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(flatten)]
    args: TuneArgs,
}

impl TuneLine {
    /// Reads the words; the error is a single line.
    pub(crate) fn parse_words(words: &[String]) -> Result<TuneLine, String> {
        let line: TuneLine = parse_command_words(words)?;
        if line.args.db.is_some() {
            return Err("--db must stand with the campaign, not in its lines".to_string());
        }
        Ok(line)
    }

    /// The plan; the line has its own seed.
    ///
    /// # Errors
    /// As [`TuningPlan::from_args`].
    pub(crate) fn make_plan(&self) -> Result<TuningPlan, Failure> {
        TuningPlan::from_args(&self.args, self.global.seed)
    }
}

/// What is tuned and how.
#[derive(Clone, Debug)]
pub(crate) struct TuningPlan {
    pub(super) space: TuningSpace,
    pub(super) options: TuningOptions,
    pub(super) opponent: String,
    /// Pairs of each player that is tried.
    pub(super) pairs: u64,
    /// Pairs of the confirming match.
    pub(super) confirm: u64,
    /// Words of `ishi match`.
    conditions: Vec<String>,
    seed: Seed,
}

impl TuningPlan {
    /// Reads and checks.
    ///
    /// # Errors
    /// Names the parameter that cannot be tuned so, and what must be.
    pub(super) fn from_args(args: &TuneArgs, seed: Seed) -> Result<TuningPlan, Failure> {
        let space = match args.game {
            GameName::Go => TuningSpace::parse::<Go>(&args.player),
            GameName::Othello => TuningSpace::parse::<Othello>(&args.player),
        };
        let space = space?;
        let method = match args.by {
            MethodName::Spsa => TuningMethod::Spsa,
            MethodName::CmaEs => TuningMethod::CmaEs,
        };
        let options = TuningOptions {
            method,
            steps: args.steps,
            least_gain: args.least_gain,
            seed: seed.child_seed("tuner", 0),
        };
        let opponent = args.against.clone().unwrap_or_else(|| space.player_at(&space.start()));
        let conditions = args.conditions.words(args.game);
        let (pairs, confirm) = (args.pairs, args.confirm);
        Ok(TuningPlan { space, options, opponent, pairs, confirm, conditions, seed })
    }

    /// The programs that its matches start: the opponent may be one.
    pub(crate) fn programs(&self) -> Vec<EngineCommand> {
        self.first_match().map_or_else(|_| Vec::new(), |line| line.programs())
    }

    /// The player as it begins against the opponent, under the conditions of all matches.
    ///
    /// # Errors
    /// If the conditions cannot be read.
    pub(crate) fn first_match(&self) -> Result<MatchLine, String> {
        let start = self.space.player_at(&self.space.start());
        MatchLine::parse_words(&self.match_words(&start, &self.opponent, self.pairs, self.seed))
    }

    /// A name that only this tuning has: another number of steps goes on with the same games, but with other gains.
    pub(super) fn campaign_name(&self) -> String {
        let spec = json!({ "plan": format!("{self:?}") });
        let start = self.space.player_at(&self.space.start());
        let version = results_version_of_players([start.as_str(), self.opponent.as_str()]);
        let kind = TaskKind::new("tuning").with_results_version(version);
        let id = StoreTask::new(kind, spec).id();
        format!("tune-{}", id.as_str().get(..12).unwrap_or_default())
    }

    /// The words of `ishi match` for each point that the tuner asks about. All matches of a step have the same openings.
    pub(super) fn step_matches(&self, tuner: &Tuner) -> Result<Vec<Vec<String>>, Failure> {
        let seed = self.seed.child_seed("step", tuner.steps().len() as u64);
        let points = tuner.ask_points()?;
        let words = |point: &Vec<f64>| {
            self.match_words(&self.space.player_at(point), &self.opponent, self.pairs, seed)
        };
        Ok(points.iter().map(words).collect())
    }

    /// Pairs of the whole tuning, at most.
    pub(super) fn most_pairs(&self) -> Result<u64, Failure> {
        let tuner = Tuner::start(&self.space, self.options.clone())?;
        let matches = tuner.ask_points()?.len();
        let step = self.pairs.saturating_mul(matches as u64);
        Ok(step.saturating_add(self.pairs_after_step(&tuner, matches)))
    }

    /// Pairs that come after those of the step that is about to be made, at most. Each step has so many matches.
    pub(super) fn pairs_after_step(&self, tuner: &Tuner, matches: usize) -> u64 {
        let steps = self.options.steps.saturating_sub(tuner.steps().len() as u64 + 1);
        steps.saturating_mul(matches as u64).saturating_mul(self.pairs).saturating_add(self.confirm)
    }

    /// The words of the match of what was found against the start, with openings that no step had; `None` if it is not wanted, or
    /// both are the same player.
    pub(super) fn confirming_match(&self, tuner: &Tuner) -> Option<Vec<String>> {
        let start = self.space.player_at(&self.space.start());
        let tuned = self.space.player_at(&tuner.tuned_point());
        let is_wanted = self.confirm > 0 && start != tuned;
        let seed = self.seed.child_seed("confirm", 0);
        is_wanted.then(|| self.match_words(&tuned, &start, self.confirm, seed))
    }

    fn match_words(&self, a: &str, b: &str, pairs: u64, seed: Seed) -> Vec<String> {
        let (pairs, seed) = (pairs.to_string(), seed.to_string());
        let words = [a, b, "--pairs", &pairs, "--seed", &seed];
        words.into_iter().map(str::to_string).chain(self.conditions.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(line: &str) -> TuningPlan {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let line = TuneLine::parse_words(&words).unwrap();
        TuningPlan::from_args(&line.args, line.global.seed).unwrap()
    }

    #[test]
    fn a_step_is_matches_of_the_same_openings_that_ishi_match_can_read() {
        let plan = plan("othello-wpc:epsilon=0..1@0.8 --game othello --pairs 3 --seed 5");
        let tuner = Tuner::start(&plan.space, plan.options.clone()).unwrap();
        let matches = plan.step_matches(&tuner).unwrap();
        assert_eq!(matches.len(), 2);
        for words in &matches {
            MatchLine::parse_words(words).unwrap();
            assert_eq!(words[1], "othello-wpc:epsilon=0.8", "the start is the opponent");
            assert_eq!(words[2..], matches[0][2..]);
        }
        assert_ne!(matches[0][0], matches[1][0]);
        assert_eq!(plan.confirming_match(&tuner), None, "nothing was tuned yet");
    }

    /// What is still to come is what the page tells the time of.
    #[test]
    fn the_pairs_to_come_are_those_of_all_steps_and_the_confirming_match() {
        let line = "othello-wpc:epsilon=0..1@0.8 --game othello --pairs 3 --steps 5 --confirm 20";
        let plan = plan(line);
        let mut tuner = Tuner::start(&plan.space, plan.options.clone()).unwrap();
        assert_eq!(plan.most_pairs().unwrap(), 5 * 2 * 3 + 20);
        let mut to_come = Vec::new();
        while tuner.end().is_none() {
            let matches = plan.step_matches(&tuner).unwrap();
            to_come.push(plan.pairs_after_step(&tuner, matches.len()));
            tuner.tell_scores(&vec![0.5; matches.len()]).unwrap();
        }
        assert_eq!(to_come, [44, 38, 32, 26, 20]);
    }

    #[test]
    fn the_opponent_is_the_only_program_of_a_plan() {
        let programs = |against: &str| {
            let words = ["othello-wpc:epsilon=0..1@0.8", "--game", "othello", "--against", against];
            let plan = TuneLine::parse_words(&words.map(str::to_string)).unwrap().make_plan().unwrap();
            plan.programs().iter().map(ToString::to_string).collect::<Vec<String>>()
        };
        assert_eq!(programs("gtp:edax -gtp"), ["edax -gtp"]);
        assert!(programs("othello-greedy").is_empty());
        let by_version = plan("othello-wpc:epsilon=0..1@0.8 --game othello --programs-by version");
        let words = by_version.match_words("a", "b", 1, Seed::new(1));
        assert_eq!(words[words.len() - 2..], ["--programs-by", "version"], "the choice goes to its matches");
    }

    #[test]
    fn plans_have_names_of_their_own() {
        let name = |line: &str| plan(line).campaign_name();
        let line = "othello-wpc:epsilon=0..1@0.8 --game othello";
        assert_eq!(name(line), name(line));
        for other in ["--seed 2", "--by cma-es", "--pairs 3", "--against othello-greedy", "--steps 7"] {
            assert_ne!(name(line), name(&format!("{line} {other}")), "{other}");
        }
    }

    #[test]
    fn a_line_of_a_campaign_has_no_database_of_its_own() {
        let words = ["othello-wpc:epsilon=0..1", "--db", "a.db"].map(str::to_string);
        assert!(TuneLine::parse_words(&words).unwrap_err().contains("--db"));
    }
}
