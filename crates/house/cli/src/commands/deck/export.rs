//! `ishi deck export`: the problem as text for other people's solvers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ishi_deck::models::{Formulation, LinearModel};

use super::options::{PoolArgs, RequestArgs, build_problem};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi deck export pool.json --limit cost=200 --format lp --out deck.lp
  ishi deck export pool.json --size 8 --formulation compact --format mps --out deck.mps
  ishi deck export pool.json --size 8 --formulation strong --format opb

article   a variable for each pair that scores, bounded by its two pieces (as ishi reads the article)
compact   one real variable for each piece, bounded by the best that any deck makes of its row (Glover 1975)
strong    article, and all rules multiplied by every piece (Adams and Sherali 1986)

x3 is 1 if the third piece to choose from is in the deck, l3 if it leads. Comments name the pieces. \
Values are whole numbers of units. LP maximises the value, MPS and OPB minimise its negative. \
ishi deck mip solves the same with a solver that is installed.";

/// Options of `ishi deck export`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckExportArgs {
    #[command(flatten)]
    pool: PoolArgs,
    #[command(flatten)]
    request: RequestArgs,
    /// article, compact or strong
    #[arg(long, default_value = "article")]
    formulation: Formulation,
    /// The format
    #[arg(long)]
    format: DeckModelFormat,
    /// Where to write it
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

/// A text that solvers read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum DeckModelFormat {
    /// CPLEX LP
    Lp,
    /// Free MPS
    Mps,
    /// Pseudo-Boolean; not of the compact formulation
    Opb,
}

/// Writes the model.
pub fn run(args: &DeckExportArgs, context: &Context) -> Result<(), Failure> {
    let pool = args.pool.read_pool(context)?;
    let wish = args.request.read_wish(&pool)?;
    let problem = build_problem(&pool, &wish)?;
    let wrong = |error| Failure::Input(format!("--formulation {}: {error}", args.formulation));
    let model = LinearModel::new(&problem, args.formulation).map_err(wrong)?;
    let text = match args.format {
        DeckModelFormat::Lp => model.to_lp(),
        DeckModelFormat::Mps => model.to_mps(),
        DeckModelFormat::Opb => model.to_opb().map_err(wrong)?,
    };
    files::write_file(&args.out, text.as_bytes(), args.force)
}
