//! The tests of `ishi-lab` that need nothing but its public face, in one executable.

// Tests make files and start programs.
#![allow(clippy::disallowed_methods)]

mod journal;
mod postgres;
#[path = "../../../../tests/support/postgres.rs"]
mod postgres_server;
mod queue;
mod runner;
mod store;
mod worker;

/// How many damaged files are tried: as many as of other kept files, where `ISHI_MUTANTS` says so.
fn number_of_mutants(usual: u64) -> u64 {
    std::env::var("ISHI_MUTANTS").map_or(usual, |number| number.parse().unwrap())
}
