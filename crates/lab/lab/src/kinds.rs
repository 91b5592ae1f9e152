//! The kinds of experiments. docs/lab.md says how to add one.

pub mod decks;
mod figures;
pub mod go_knowledge;
pub mod go_tabu;
pub mod ground;
pub mod othello_learning;
pub mod othello_network;
pub mod othello_wpc;
mod pairs;
pub mod strings;

use crate::experiment::ExperimentKind;

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

/// The kind of this name.
pub fn find_kind(name: &str) -> Option<&'static ExperimentKind> {
    KINDS.iter().find(|kind| kind.name == name)
}
