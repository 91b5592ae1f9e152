//! Players of Go.
//!
//! [`catalog`] makes them from a text such as `go-flat:playouts=500`. What all players are is in `ishi-engine`. What one does
//! never depends on earlier calls, but for [`go_mcts`] and [`go_network`], which keep one tree for a game.

pub mod analyst;
mod capture;
pub mod catalog;
pub mod checking;
pub mod explain;
pub mod flat;
pub mod go_mcts;
pub mod go_network;
pub mod go_rank;
pub mod judge;
pub mod knowledge;
pub mod problems;
mod random;
pub mod restrict;
pub mod rule_fields;
pub mod session;
mod simple;
pub mod tactics;
#[cfg(test)]
mod test_boards;
mod tree_root;
