//! `ishi strings`: the maximum string problem and counting on grids.

use clap::{Args, Subcommand};

use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi strings 19                  the largest number of strings on 19x19, with a board and a proof
  ishi strings 9x13                any rectangle";

/// The maximum string problem: how many strings (chains) can stand on a board?
#[derive(Args, Debug)]
#[command(after_long_help = HELP, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct StringsArgs {
    #[command(subcommand)]
    command: Option<StringsCommand>,
}

/// One variant a file of this folder.
#[derive(Subcommand, Debug)]
enum StringsCommand {}

/// Runs the command.
pub fn run(args: &StringsArgs, _context: &Context) -> Result<(), Failure> {
    match &args.command {
        Some(command) => match *command {},
        None => Ok(()),
    }
}
