//! `ishi strings`: the maximum string problem and counting on grids.

pub mod boards;
mod check;
mod construct;
mod count;
mod export;
mod growth;
mod ledger;
mod mip;
pub(crate) mod oeis;
mod positions;
mod prove;
mod solve;
mod table;
pub mod torture;
mod verify;
mod work;

use clap::{Args, Subcommand};

use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi strings 19                  the largest number of strings on 19x19, with a board and a proof
  ishi strings 9x13 --json         any rectangle
  ishi strings 25 --out board.svg  the board as a picture; .sgf makes a record
  ishi strings 19 --certificate 19.cert   with a proof that ishi strings check 19.cert checks
  ishi strings 9 --given points    some points given, as rows of ? . # X O
  ishi strings 9x12 --wrap torus   without edges
  ishi strings table 19            all boards up to 19x19
  ishi strings count 39            how many optimal boards there are
  ishi strings growth 1000         and of boards too large to count

A string (chain) must have a liberty. By theorem 1 of Miyashiro, Yano and Muramatsu (2008) stones of \
alternating colours do best, so the empty points are a smallest set that touches every stone.";

/// The maximum string problem: how many strings (chains) can stand on a board?
#[derive(Args, Debug)]
#[command(after_long_help = HELP, subcommand_negates_reqs = true, arg_required_else_help = true)]
pub struct StringsArgs {
    #[command(subcommand)]
    command: Option<StringsCommand>,
    #[command(flatten)]
    solve: Option<solve::StringsSolveArgs>,
}

/// One variant a file of this folder.
#[derive(Subcommand, Debug)]
enum StringsCommand {
    /// The most strings on all boards up to a size
    Table(table::TableArgs),
    /// Count the boards of alternating colours by their number of strings
    Count(count::CountArgs),
    /// Write a proof that no board has more strings
    Prove(prove::ProveArgs),
    /// Check a certificate, independently of the solvers
    Check(check::CertificateCheckArgs),
    /// Count the chains of a board and look whether each has a liberty, independently of the solvers
    Verify(verify::VerifyArgs),
    /// Build and verify a board with the most chains, of any size from 16 lines
    Construct(construct::ConstructArgs),
    /// Write extreme boards, to try Go programs on
    Torture(torture::TortureArgs),
    /// Write the problem for other solvers: LP, MPS, CNF or OPB
    Export(export::StringsExportArgs),
    /// Solve the problem with an integer programming solver that is installed
    Mip(mip::StringsMipArgs),
    /// How the number of optimal boards grows: recurrences, and numbers of very large boards
    Growth(growth::GrowthArgs),
    /// Write integer sequences for the On-Line Encyclopedia: b-files and texts for editors
    Oeis(oeis::OeisArgs),
    /// Count positions exactly: all legal ones, by chains, or those with the most chains
    Positions(positions::StringsPositionsArgs),
}

/// Runs the command.
pub fn run(args: &StringsArgs, context: &Context) -> Result<(), Failure> {
    if args.command.is_some() && args.solve.is_some() {
        return Err(Failure::Input("give a size to solve or a command, not both".into()));
    }
    match &args.command {
        Some(StringsCommand::Verify(args)) => verify::run(args, context),
        Some(StringsCommand::Construct(args)) => construct::run(args, context),
        Some(StringsCommand::Torture(args)) => torture::run(args, context),
        Some(StringsCommand::Export(args)) => export::run(args, context),
        Some(StringsCommand::Mip(args)) => mip::run(args, context),
        Some(StringsCommand::Positions(args)) => positions::run(args, context),
        Some(StringsCommand::Growth(args)) => growth::run(args, context),
        Some(StringsCommand::Oeis(args)) => oeis::run(args, context),
        Some(StringsCommand::Table(args)) => table::run(args, context),
        Some(StringsCommand::Count(args)) => count::run(args, context),
        Some(StringsCommand::Prove(args)) => prove::run(args, context),
        Some(StringsCommand::Check(args)) => check::run(args, context),
        None => match &args.solve {
            Some(args) => solve::run(args, context),
            None => Err(Failure::Input("give a size, such as 19 or 9x13".into())),
        },
    }
}
