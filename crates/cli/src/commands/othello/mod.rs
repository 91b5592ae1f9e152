//! `ishi othello`: positions, solving, learning and leagues.

mod solve;

use clap::Subcommand;

use crate::context::{Context, Failure};

/// Othello: solve endgames, and more.
#[derive(clap::Args, Debug)]
pub struct OthelloArgs {
    #[command(subcommand)]
    command: OthelloCommand,
}

#[derive(Subcommand, Debug)]
enum OthelloCommand {
    /// Solve the endgame positions of a file
    Solve(solve::SolveArgs),
}

/// Does what the subcommand says.
pub fn run(args: &OthelloArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        OthelloCommand::Solve(args) => solve::run(args, context),
    }
}
