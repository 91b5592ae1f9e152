//! `ishi othello solve`: exact endgames.

use std::path::PathBuf;

use crate::context::{Context, Failure};

/// Solves endgame positions.
#[derive(clap::Args, Debug)]
pub struct SolveArgs {
    /// Positions in the OBF format
    file: PathBuf,
}

/// Solves every position of the file.
pub fn run(args: &SolveArgs, _: &Context) -> Result<(), Failure> {
    Err(Failure::Input(format!("{}: not read yet", args.file.display())))
}
