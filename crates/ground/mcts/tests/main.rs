//! The tests of `ishi-mcts` that need nothing but its public face, in one executable.

mod convergence;
mod search;
