//! The tests of `ishi-lab` that need nothing but its public face, in one executable.

// Tests make files and start programs.
#![allow(clippy::disallowed_methods)]

mod config;
mod go_knowledge;
mod go_tabu;
mod journal;
mod othello_wpc;
mod postgres;
#[path = "../../../../tests/support/postgres.rs"]
mod postgres_server;
mod queue;
mod runner;
mod store;
mod worker;

use std::path::Path;

/// Does the same with an empty SQLite file and with an empty database of a PostgreSQL server, where there is one.
fn for_each_database(test: impl Fn(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    test(&folder.path().join("ishi.db"));
    if let Some(server) = postgres_server::shared_server() {
        test(Path::new(&server.new_database()));
    }
}
