//! `ishi deck build`: the best deck of a pool under limits.

use clap::Args;

use crate::context::{Context, Failure};

/// Options of `ishi deck build`.
#[derive(Args, Debug)]
pub struct BuildArgs {
    /// The pool
    pool: std::path::PathBuf,
}

/// Reads the pool and the request, solves, prints.
pub fn run(args: &BuildArgs, _context: &Context) -> Result<(), Failure> {
    Err(Failure::Input(format!("{}: not read yet", args.pool.display())))
}
