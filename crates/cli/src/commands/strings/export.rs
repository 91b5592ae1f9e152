//! `ishi strings export`: the problem as text for other people's solvers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ishi_grid::models::{Formulation, MAX_SIDE, Model, ModelError};

use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi strings export 9 --format lp --out strings-9.lp
  ishi strings export 9x13 --format mps --formulation 2
  ishi strings export 6 --format cnf --strings 27 --out 6.cnf   is there a board with 27 strings?
  ishi strings export 6 --format opb --strings 27

A proof that nobody needs to take on trust, with the SAT solver CaDiCaL and the checker drat-trim
(or rate, from crates.io):
  cadical 6.cnf 6.drat          says UNSATISFIABLE: there is none, so 26 is the maximum
  drat-trim 6.cnf 6.drat        says VERIFIED

Formulation 1 is section 2 of Miyashiro, Yano and Muramatsu (2008), formulation 2 adds the cuts of
section 3 at the corners and around the centre; docs/strings.md says which are how certain. LP is
a maximisation; MPS and OPB minimise minus the number of strings.";

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
    /// 1: a liberty for every stone; 2: with the cuts of the paper's section 3
    #[arg(long, default_value = "1", value_parser = formulation)]
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

/// `1` or `2`.
pub(super) fn formulation(text: &str) -> Result<Formulation, String> {
    match text {
        "1" => Ok(Formulation::Plain),
        "2" => Ok(Formulation::Cut),
        _ => Err("formulations are 1 (the paper's section 2) and 2 (its section 3)".to_string()),
    }
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
