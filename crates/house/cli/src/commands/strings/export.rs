//! `ishi strings export`: the problem as text for other people's solvers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ishi_grid::models::{MAX_SIDE, StringsFormulation, StringsModel, StringsModelError};

use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::size_in;

const HELP: &str = "\
Examples:
  ishi strings export 9 --format lp --out strings-9.lp
  ishi strings export 13 --format mps --formulation section-3
  ishi strings export 6 --format cnf --strings 27 --out 6.cnf   is there a board with 27 strings?
  ishi strings export 6 --format opb --strings 27

A proof that nobody needs to take on trust, with the SAT solver CaDiCaL and the checker drat-trim \
(or rate, from crates.io):
  cadical 6.cnf 6.drat          says UNSATISFIABLE: there is none, so 26 is the maximum
  drat-trim 6.cnf 6.drat        says VERIFIED

Formulations section-2 and section-3 are those of Miyashiro, Yano and Muramatsu (2008), without and \
with their cuts at the corners and around the centre; ishi has other cuts (docs/strings.md). LP \
maximises the number of strings, MPS and OPB minimise its negative.";

/// Options of `ishi strings export`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct StringsExportArgs {
    /// Lines of the board, as 9 or 9x13
    #[arg(value_parser = size_in(1..=MAX_SIDE))]
    size: (usize, usize),
    /// The format
    #[arg(long)]
    format: StringsModelFormat,
    /// section-2 (or 2): a liberty for every stone; section-3 (or 3): with the paper's cuts; ishi: with others
    #[arg(long, default_value = "section-2")]
    formulation: StringsFormulation,
    /// Ask for at least so many strings, instead of as many as possible
    #[arg(long, value_name = "K")]
    strings: Option<usize>,
    /// Where to write it
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

/// A text that solvers read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum StringsModelFormat {
    /// CPLEX LP, for solvers of integer programmes
    Lp,
    /// Free MPS, for the same
    Mps,
    /// DIMACS, for SAT solvers; needs --strings
    Cnf,
    /// Pseudo-Boolean
    Opb,
}

/// Writes the model.
pub fn run(args: &StringsExportArgs, _context: &Context) -> Result<(), Failure> {
    let (width, height) = args.size;
    let mut model = StringsModel::new(width, height, args.formulation).map_err(Failure::input)?;
    if let Some(strings) = args.strings {
        model =
            model.with_at_least(strings).map_err(|error| Failure::Input(format!("--strings: {error}")))?;
    }
    let text = match args.format {
        StringsModelFormat::Lp => model.to_lp(),
        StringsModelFormat::Mps => model.to_mps(),
        StringsModelFormat::Opb => model.to_opb(),
        StringsModelFormat::Cnf => model.to_cnf().map_err(|error| match error {
            StringsModelError::NoQuestion => {
                Failure::Input(format!("--format cnf: {error}, with --strings K"))
            }
            error => Failure::input(error),
        })?,
    };
    files::write_file(&args.out, text.as_bytes(), args.force)
}
