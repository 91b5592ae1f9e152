//! `ishi deck`: strong decks, with a proof or a gap.

mod build;
mod export;
mod learn;
mod load;
mod logs;
mod mip;
mod numbers;
mod options;
mod serve;
mod watch;

use clap::{Args, Subcommand};

use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi deck build pool.json --size 16 --limit cost=200";

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
    Learn(learn::LearnArgs),
    /// The best deck of a pool under limits
    Build(build::BuildArgs),
    /// The problem as text for solvers of integer programmes
    Export(export::ExportArgs),
    /// The best deck by a solver of integer programmes that is installed, beside ishi's own
    Mip(mip::MipArgs),
    /// Decks over HTTP
    Serve(serve::ServeArgs),
    /// A server of decks under load
    Load(load::LoadArgs),
}

/// Runs the command.
pub fn run(args: &DeckArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        DeckCommand::Learn(args) => learn::run(args, context),
        DeckCommand::Build(args) => build::run(args, context),
        DeckCommand::Export(args) => export::run(args, context),
        DeckCommand::Mip(args) => mip::run(args, context),
        DeckCommand::Serve(args) => serve::run(args, context),
        DeckCommand::Load(args) => load::run(args, context),
    }
}
