//! `ishi strings export`: the problem as text for other people's solvers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ishi_grid::models::{Formulation, MAX_SIDE, Model, ModelError};

use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi strings export 9 --format lp --out strings-9.lp
  ishi strings export 13 --format mps --formulation section-3
  ishi strings export 6 --format cnf --strings 27 --out 6.cnf   is there a board with 27 strings?
  ishi strings export 6 --format opb --strings 27

A proof that nobody needs to take on trust, with the SAT solver CaDiCaL and the checker drat-trim
(or rate, from crates.io):
  cadical 6.cnf 6.drat          says UNSATISFIABLE: there is none, so 26 is the maximum
  drat-trim 6.cnf 6.drat        says VERIFIED

Formulations section-2 and section-3 are those of Miyashiro, Yano and Muramatsu (2008), without and
with their cuts at the corners and around the centre; ishi has other cuts (docs/strings.md). LP is a
maximisation; MPS and OPB minimise minus the number of strings.";

/// Options of `ishi strings export`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ExportArgs {
    /// Lines of the board, as 9 or 9x13
    #[arg(value_parser = size)]
    size: (usize, usize),
    /// The format
    #[arg(long)]
    format: Format,
    /// section-2 (or 2): a liberty for every stone; section-3 (or 3): with the paper's cuts; ishi: with ours
    #[arg(long, default_value = "section-2")]
    formulation: Formulation,
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
enum Format {
    /// CPLEX LP, for solvers of integer programmes
    Lp,
    /// Free MPS, for the same
    Mps,
    /// DIMACS, for SAT solvers; needs --strings
    Cnf,
    /// Pseudo-Boolean
    Opb,
}

/// Sizes that models are written for.
pub(super) fn size(text: &str) -> Result<(usize, usize), String> {
    super::size::size(text, 1, MAX_SIDE)
}

/// Writes the model.
pub fn run(args: &ExportArgs, _context: &Context) -> Result<(), Failure> {
    let (width, height) = args.size;
    let mut model = Model::new(width, height, args.formulation).map_err(Failure::input)?;
    if let Some(strings) = args.strings {
        model = model.at_least(strings).map_err(|error| Failure::Input(format!("--strings: {error}")))?;
    }
    let text = match args.format {
        Format::Lp => model.lp(),
        Format::Mps => model.mps(),
        Format::Opb => model.opb(),
        Format::Cnf => model.cnf().map_err(|error| match error {
            ModelError::NoQuestion => Failure::Input(format!("--format cnf: {error}, with --strings K")),
            error => Failure::input(error),
        })?,
    };
    files::write(&args.out, text.as_bytes(), args.force)
}
