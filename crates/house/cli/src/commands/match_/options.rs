//! The options of `ishi match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use ishi_arena::process::EngineCommand;
use ishi_arena::{GoMatchSettings, OthelloMatchSettings, RefereeSpec, TimeControl, referee};
use ishi_go::{BoardSize, Rules};
use ishi_stats::Sprt;

use crate::context::{Context, Failure};
use crate::numbers::{TEN_DAYS, parse_board_size, parse_even, parse_komi, range_above, seconds_in};
use crate::places;
use crate::program_files::ProgramsBy;

/// What is said of a time that is none.
const SECONDS_WANTED: &str = "write seconds such as 2 or 0.5";

const HELP: &str = "\
Examples:
  ishi match                                  a match to look at: ishi against GNU Go, or against itself
  ishi match go-flat:playouts=500 go-capture  100 games on 9x9, kept in ishi.db
  ishi match go-flat 'gnugo --mode gtp --chinese-rules --positional-superko' \\
       --size 9 --pairs 200 --referee 'gnugo --mode gtp --chinese-rules' --sgf games
  ishi match go-flat:playouts=2000 go-flat:playouts=1000 --pairs 5000 --sprt 0 30
  ishi match go-flat gtp:my-engine --time 300+10x5 --rules japanese --komi 6.5
  ishi match --game othello othello:level=8 othello-wpc --pairs 20
  ishi match --game othello wpc:learned.txt othello-wpc
  ishi match --game othello othello:depth=6,exact=14 'gtp-rhino -l 3' --opening xot.txt

Players:
  Built in, with parameters if you like. The strongest of Go is go-network:visits=100. Others are
  go-mcts:playouts=2000, go-knowledge, go-rank:rank=8k, go-flat:playouts=500, go-capture, go-random.
  Of Othello: othello:level=10 or othello:depth=8,exact=14, othello-wpc, othello-greedy and
  othello-random. `ishi gtp --help` lists all with their parameters.
  wpc:FILE is a piece counter that `ishi othello train wpc` has written.
  Any GTP engine, by its command line: a text with a space or a slash, or one that begins with gtp:.

Time (--time), in seconds:
  60         for the game             60+2      and 2 more for every move
  60+10x3    then 3 periods of 10     60+30/25  then 25 moves in every 30

Give the same command again after a stop, a crash or a kill: finished pairs are taken from the \
database, and the match goes on with the same games. With more --pairs it goes on further. \
docs/match.md says what is measured and how.";

/// The games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum GameName {
    /// Go
    Go,
    /// Othello
    Othello,
}

/// `go` or `othello`.
impl std::fmt::Display for GameName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            GameName::Go => "go",
            GameName::Othello => "othello",
        })
    }
}

/// Options of `ishi match`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
pub struct MatchArgs {
    /// The first player; without players a short match is shown
    #[arg(value_name = "PLAYER_A", requires = "b")]
    pub a: Option<String>,
    /// The second player
    #[arg(value_name = "PLAYER_B")]
    pub b: Option<String>,
    /// The first player's name in results
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub name_a: Option<String>,
    /// The second player's name in results
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub name_b: Option<String>,
    /// Pairs of games: the same opening, colours swapped [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: Option<u64>,
    /// Games, an even number; the same as half as many --pairs
    #[arg(long, value_name = "N", conflicts_with = "pairs", value_parser = parse_even)]
    pub games: Option<u64>,
    /// What is played
    #[arg(long, default_value = "go", value_name = "GAME")]
    pub game: GameName,
    /// Board size, as 9 or 13x9; of Go only [default: 9]
    #[arg(long, value_name = "SIZE", value_parser = parse_board_size)]
    pub size: Option<BoardSize>,
    /// Rules of Go: chinese, japanese, tromp-taylor, aga, new-zealand [default: chinese]
    #[arg(long, value_name = "NAME")]
    pub rules: Option<Rules>,
    /// Points for White; of Go only [default: as the rules have it]
    #[arg(long, value_name = "POINTS", value_parser = parse_komi)]
    pub komi: Option<f64>,
    /// Handicap stones of Black, whoever that is; of Go only
    #[arg(long, value_name = "STONES")]
    pub handicap: Option<usize>,
    /// Playouts (in Othello: nodes) for a move of built-in players, whatever their parameters say
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub playouts: Option<u64>,
    /// Time for a game, such as 60, 60+2, 60+10x3 or 60+30/25 [default: none]
    #[arg(long, value_name = "TIME", conflicts_with = "move_time")]
    pub time: Option<TimeControl>,
    /// Seconds for every move
    #[arg(long, value_name = "SECONDS", value_parser = seconds_in(range_above(0.0, TEN_DAYS), SECONDS_WANTED))]
    pub move_time: Option<Duration>,
    /// Seconds by which a move may overstep its time
    #[arg(long, default_value = "0.5", value_name = "SECONDS", value_parser = seconds_in(0.0..=TEN_DAYS, SECONDS_WANTED))]
    pub tolerance: Duration,
    /// Seconds in which a program must answer where no clock says
    #[arg(long, default_value = "300", value_name = "SECONDS", value_parser = seconds_in(range_above(0.0, TEN_DAYS), SECONDS_WANTED))]
    pub timeout: Duration,
    /// Where games begin: none, random:N (N random moves), or a file (SGF, or an opening on each line: E5 C3 in Go,
    /// f5d6c3 in Othello) [default: none, in Othello random:8]
    #[arg(long, value_name = "OPENING")]
    pub opening: Option<String>,
    /// Command line of a GTP engine that settles dead stones; of Go only [default: random playouts and reading]
    #[arg(long, value_name = "COMMAND")]
    pub referee: Option<String>,
    /// What tells one program from another of the same command: the contents of its file and of the files that the command names, or
    /// the name and version that it gives
    #[arg(long, value_name = "HOW", default_value_t = ProgramsBy::Contents)]
    pub(super) programs_by: ProgramsBy,
    /// Built-in players play on instead of resigning (those of Othello always do)
    #[arg(long)]
    pub no_resign: bool,
    /// A lead of so many stones on the board wins; of Go only
    #[arg(long, value_name = "STONES", value_parser = clap::value_parser!(u32).range(1..))]
    pub mercy: Option<u32>,
    /// Games are counted as they stand after so many moves; of Go only [default: three for every point]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    pub move_limit: Option<u32>,
    /// Stop as soon as it is clear whether A is ELO0 or ELO1 stronger
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"])]
    pub sprt: Option<Vec<f64>>,
    /// With --sprt: probability of taking ELO0 for ELO1
    #[arg(long, default_value_t = 0.05, value_name = "P", requires = "sprt")]
    pub alpha: f64,
    /// With --sprt: probability of taking ELO1 for ELO0
    #[arg(long, default_value_t = 0.05, value_name = "P", requires = "sprt")]
    pub beta: f64,
    /// The database that keeps finished pairs: a file, or postgres://USER@HOST/DATABASE [default: ishi.db of this folder, if
    /// there is one, else that of the data folder; none if no players are named]
    #[arg(long, value_name = "DB")]
    pub db: Option<PathBuf>,
    /// Keep nothing: a match that is stopped is lost
    #[arg(long, conflicts_with = "db")]
    pub no_db: bool,
    /// Write every game as SGF into this folder, and transcripts of programs that failed
    #[arg(long, value_name = "FOLDER")]
    pub sgf: Option<PathBuf>,
    /// Draw one of the running games on the terminal
    #[arg(long)]
    pub show: bool,
}

impl MatchArgs {
    /// Where results are kept.
    pub fn database_path(&self) -> Option<PathBuf> {
        (!self.no_db).then(|| self.db.clone().unwrap_or_else(places::default_database))
    }

    fn time_control(&self) -> TimeControl {
        let time = match (self.time, self.move_time) {
            (Some(time), _) => time,
            (None, Some(seconds)) => TimeControl::per_move(seconds),
            (None, None) => TimeControl::default(),
        };
        TimeControl { tolerance: self.tolerance, ..time }
    }

    /// The conditions of a match of Go.
    pub(super) fn go_settings(&self) -> Result<GoMatchSettings, Failure> {
        let usual = self.size.map_or_else(GoMatchSettings::default, GoMatchSettings::for_board);
        let rules = self.rules.unwrap_or(usual.rules);
        let settings = GoMatchSettings {
            rules,
            komi: self.komi.unwrap_or(rules.default_komi),
            handicap: self.handicap.unwrap_or(0),
            playouts: self.playouts,
            time: self.time_control(),
            timeout: self.timeout,
            resign: !self.no_resign,
            mercy: self.mercy.map(|stones| stones as usize),
            move_limit: self.move_limit.map_or(usual.move_limit, |moves| moves as usize),
            ..usual
        };
        settings.start_position().map_err(Failure::Input)?;
        Ok(settings)
    }

    /// The conditions of a match of Othello, which has none of Go's options.
    pub(super) fn othello_settings(&self) -> Result<OthelloMatchSettings, Failure> {
        let of_go = [
            ("--size", self.size.is_some()),
            ("--rules", self.rules.is_some()),
            ("--komi", self.komi.is_some()),
            ("--handicap", self.handicap.is_some()),
            ("--referee", self.referee.is_some()),
            ("--mercy", self.mercy.is_some()),
            ("--move-limit", self.move_limit.is_some()),
        ];
        if let Some((option, _)) = of_go.iter().find(|(_, given)| *given) {
            return Err(Failure::Input(format!(
                "{option} is an option of Go: leave it out with --game othello"
            )));
        }
        Ok(OthelloMatchSettings { nodes: self.playouts, time: self.time_control(), timeout: self.timeout })
    }

    pub(super) fn pair_count(&self) -> u64 {
        self.pairs.or(self.games.map(|games| games / 2)).unwrap_or(50)
    }

    pub(super) fn create_sprt(&self) -> Result<Option<Sprt>, Failure> {
        let Some(&[elo0, elo1]) = self.sprt.as_deref() else { return Ok(None) };
        Sprt::new(elo0, elo1, self.alpha, self.beta).map(Some).map_err(Failure::input)
    }
}

/// Who settles dead stones in Go.
pub(super) fn go_referee(
    args: &MatchArgs,
    settings: &GoMatchSettings,
    context: &Context,
) -> Result<RefereeSpec, Failure> {
    let Some(command) = &args.referee else { return Ok(RefereeSpec::default()) };
    let program: EngineCommand = command.parse().map_err(Failure::input)?;
    let files = args.programs_by.find_files(&program);
    let unread = RefereeSpec::Program { command: program.clone(), files: String::new() };
    let checked = referee::check_referee(&unread, settings, &context.stop);
    context.check_stop()?;
    checked.map_err(|fault| {
        Failure::outside(format!("\"{command}\" cannot be the referee: {}", fault.message))
    })?;
    Ok(RefereeSpec::Program { command: program, files: files.describe_contents()? })
}
