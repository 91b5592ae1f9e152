//! `ishi strings`: the maximum string problem and counting on grids.

pub mod boards;
mod construct;
mod export;
mod mip;
mod positions;
pub mod torture;
mod verify;

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
enum StringsCommand {
    /// Count the chains of a board and look whether each has a liberty, independently of the solvers
    Verify(verify::VerifyArgs),
    /// Build and verify a board with the most chains, of any size from 16 lines
    Construct(construct::ConstructArgs),
    /// Write extreme boards, to try Go programs on
    Torture(torture::TortureArgs),
    /// Write the problem for other solvers: LP, MPS, CNF or OPB
    Export(export::ExportArgs),
    /// Solve the problem with an integer programming solver that is installed
    Mip(mip::MipArgs),
    /// Count positions exactly: all legal ones, by chains, or those with the most chains
    Positions(positions::PositionsArgs),
}

/// Runs the command.
pub fn run(args: &StringsArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        Some(StringsCommand::Verify(args)) => verify::run(args, context),
        Some(StringsCommand::Construct(args)) => construct::run(args, context),
        Some(StringsCommand::Torture(args)) => torture::run(args, context),
        Some(StringsCommand::Export(args)) => export::run(args, context),
        Some(StringsCommand::Mip(args)) => mip::run(args, context),
        Some(StringsCommand::Positions(args)) => positions::run(args, context),
        None => Ok(()),
    }
}
