//! The experiments that come with ishi: what each kind of experiment does, and the files of each experiment.
//!
//! An experiment is a folder `NNN-name`: `README.md`, `README.ja.md`, `config.toml`, `expected.toml`, and in `kind/` the code that does it.
//! A kind that several experiments use stands beside the first of them. Kept results are in the repository only.
//!
//! - [`KINDS`] lists the kinds, for whoever loads experiments with [`ishi_lab::folder`].
//! - [`SHIPPED`] has the files that a program needs outside a checkout.
//!
//! docs/lab.md says how to add an experiment or a kind.

// A kind reads records, starts programs and measures times.
#![allow(clippy::disallowed_methods)]

#[path = "../004-decks/kind/mod.rs"]
pub mod decks;
mod figures;
#[path = "../002-many-faces/kind/mod.rs"]
pub mod go_knowledge;
#[path = "../001-go-tabu/kind/mod.rs"]
pub mod go_tabu;
#[path = "../010-ground/kind/mod.rs"]
pub mod ground;
#[path = "../000-othello-learning/kind/mod.rs"]
pub mod othello_learning;
#[path = "../021-networks/kind/mod.rs"]
pub mod othello_network;
#[path = "../020-best-wpc/kind/mod.rs"]
pub mod othello_wpc;
mod pairs;
mod shipped;
#[path = "../003-strings/kind/mod.rs"]
pub mod strings;

use ishi_lab::experiment::ExperimentKind;

pub use shipped::{SHIPPED, ShippedExperiment};

/// All kinds, by name.
pub const KINDS: &[ExperimentKind] = &[
    decks::KIND,
    go_knowledge::KIND,
    go_tabu::KIND,
    ground::KIND,
    othello_learning::KIND,
    othello_network::KIND,
    othello_wpc::KIND,
    strings::KIND,
];
