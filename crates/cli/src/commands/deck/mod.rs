//! `ishi deck`: strong decks, with a proof or a gap.

mod build;
mod learn;
mod logs;
mod numbers;
mod options;
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
}

/// Runs the command.
pub fn run(args: &DeckArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        DeckCommand::Learn(args) => learn::run(args, context),
        DeckCommand::Build(args) => build::run(args, context),
    }
}
