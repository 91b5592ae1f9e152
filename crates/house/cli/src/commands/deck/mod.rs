//! `ishi deck`: strong decks, with a proof or a gap.

mod acquire;
mod best;
pub(crate) mod build;
mod check;
mod complete;
mod completion_test;
mod explain;
mod export;
mod generate;
mod learn;
mod load;
mod logs;
mod mip;
mod numbers;
mod options;
mod qkp;
mod serve;
mod watch;

use clap::{Args, Subcommand};

use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi deck build sample:deck --size 8 --limit cost=60    the best deck of a small pool
  ishi deck explain sample:deck --request sample:request    what each card of it contributes
  ishi deck learn decks.csv --pool pool.json              a pool, out of decks that people play
  ishi deck build pool.json --size 16 --limit cost=200    and the best deck of that";

/// Deck building: the best pieces together, under limits, with a proof or a gap
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub struct DeckArgs {
    #[command(subcommand)]
    command: DeckCommand,
}

/// One variant a file of this folder.
#[derive(Subcommand, Debug)]
enum DeckCommand {
    /// Scores of pairs, counted from decks that people play
    Learn(learn::DeckLearnArgs),
    /// The cards that a deck lacks, by the decks that people play
    Complete(complete::DeckCompleteArgs),
    /// Hides cards of known decks: how many does each method find?
    CompletionTest(completion_test::CompletionTestArgs),
    /// The best deck of a pool under limits
    Build(build::DeckBuildArgs),
    /// What each card of a deck contributes, and why a card is not in the best one
    Explain(explain::DeckExplainArgs),
    /// The best decks that differ from each other
    Best(best::DeckBestArgs),
    /// The card not owned that raises the best deck most
    Acquire(acquire::DeckAcquireArgs),
    /// Is a deck within the rules, and what is it worth?
    Check(check::DeckCheckArgs),
    /// A world of pieces, archetypes and players' decks, as a pool
    Generate(generate::DeckGenerateArgs),
    /// Quadratic knapsack files, beside the best known values
    Qkp(qkp::QkpArgs),
    /// The problem as text for solvers of integer programmes
    Export(export::DeckExportArgs),
    /// The best deck by a solver of integer programmes that is installed, beside ishi's own
    Mip(mip::DeckMipArgs),
    /// Decks over HTTP
    Serve(serve::DeckServeArgs),
    /// A server of decks under load
    Load(load::DeckLoadArgs),
}

/// Runs the command.
pub fn run(args: &DeckArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        DeckCommand::Learn(args) => learn::run(args, context),
        DeckCommand::Complete(args) => complete::run(args, context),
        DeckCommand::CompletionTest(args) => completion_test::run(args, context),
        DeckCommand::Build(args) => build::run(args, context),
        DeckCommand::Explain(args) => explain::run(args, context),
        DeckCommand::Best(args) => best::run(args, context),
        DeckCommand::Acquire(args) => acquire::run(args, context),
        DeckCommand::Check(args) => check::run(args, context),
        DeckCommand::Generate(args) => generate::run(args, context),
        DeckCommand::Qkp(args) => qkp::run(args, context),
        DeckCommand::Export(args) => export::run(args, context),
        DeckCommand::Mip(args) => mip::run(args, context),
        DeckCommand::Serve(args) => serve::run(args, context),
        DeckCommand::Load(args) => load::run(args, context),
    }
}
