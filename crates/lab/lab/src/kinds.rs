//! The kinds of experiments. docs/lab.md says how to add one.

pub mod decks;
pub mod go_knowledge;
pub mod go_tabu;
pub mod ground;
pub mod othello_learning;
pub mod othello_network;
pub mod othello_wpc;
mod pairs;
pub mod strings;

use crate::experiment::Kind;

/// All kinds, by name.
pub const KINDS: &[Kind] = &[
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
pub fn find(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}
