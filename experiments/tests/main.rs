//! The tests of the experiments that need nothing but their public face, in one executable.

// Tests make files and start programs.
#![allow(clippy::disallowed_methods)]

mod config;
mod folders;
mod go_knowledge;
mod go_tabu;
mod othello_wpc;
#[path = "../../tests/support/postgres.rs"]
mod postgres_server;
mod sharing;

use std::path::Path;

/// The folder of experiments.
fn experiments() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
