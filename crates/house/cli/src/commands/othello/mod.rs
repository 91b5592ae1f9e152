//! `ishi othello`: positions, solving, learning and leagues.

mod analyze;
mod book;
mod coach;
mod convert;
pub(crate) mod evaluation;
mod games;
mod hint;
mod league;
mod openings;
mod perft;
mod play;
pub mod player_file;
mod practice;
mod records;
mod show;
pub(crate) mod solve;
mod train;

use clap::Subcommand;
use ishi_othello_play::coach::CoachReason;

use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi othello play --level 5            play a game in the terminal
  ishi othello hint f5d6c3               what to play, and why
  ishi othello analyze sample:othello    which moves lost the game
  ishi othello solve sample:endgames     exact endgames
  ishi othello league network standard random
Each subcommand has a --help with more.";

/// Othello: solve endgames, and more.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub struct OthelloArgs {
    #[command(subcommand)]
    command: OthelloCommand,
}

#[derive(Subcommand, Debug)]
enum OthelloCommand {
    /// Review a game: what each move lost, and why
    #[command(visible_alias = "analyse", alias = "review")]
    Analyze(analyze::AnalyzeArgs),
    /// Build, show and check opening books
    Book(book::BookArgs),
    /// Write records in another format
    Convert(convert::OthelloConvertArgs),
    /// Learn the evaluation of positions, and measure it
    Evaluation(Box<evaluation::EvaluationArgs>),
    /// Search WTHOR files by position: results, and what was played next
    Games(games::OthelloGamesArgs),
    /// Value every legal move of a position, with reasons
    Hint(hint::HintArgs),
    /// Rank evaluations by games that look one move ahead
    League(league::LeagueArgs),
    /// Name the openings of a game, or list them all
    Openings(openings::OpeningsArgs),
    /// Count move sequences
    Perft(perft::OthelloPerftArgs),
    /// Play against the machine
    Play(play::PlayArgs),
    /// Practise openings: what you miss is asked again
    Practice(practice::PracticeArgs),
    /// Draw a position or a game
    Show(show::OthelloShowArgs),
    /// Solve the endgame positions of a file
    Solve(solve::OthelloSolveArgs),
    /// Train players from games: networks and piece counters, by temporal differences or by evolution
    Train(Box<train::TrainArgs>),
}

/// Does what the subcommand says.
pub fn run(args: &OthelloArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        OthelloCommand::Analyze(args) => analyze::run(args, context),
        OthelloCommand::Book(args) => book::run(args, context),
        OthelloCommand::Convert(args) => convert::run(args, context),
        OthelloCommand::Evaluation(args) => evaluation::run(args, context),
        OthelloCommand::Games(args) => games::run(args, context),
        OthelloCommand::Hint(args) => hint::run(args, context),
        OthelloCommand::League(args) => league::run(args, context),
        OthelloCommand::Openings(args) => openings::run(args, context),
        OthelloCommand::Perft(args) => perft::run(args, context),
        OthelloCommand::Play(args) => play::run(args, context),
        OthelloCommand::Practice(args) => practice::run(args, context),
        OthelloCommand::Show(args) => show::run(args, context),
        OthelloCommand::Solve(args) => solve::run(args, context),
        OthelloCommand::Train(args) => train::run(args, context),
    }
}

/// A reason in words, for protocols that have no language.
pub(super) fn reason_in_english(reason: CoachReason) -> String {
    coach::words::describe_reason(reason, coach::Language::English)
}
