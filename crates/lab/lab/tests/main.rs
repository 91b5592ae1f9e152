//! The tests of `ishi-lab` that need nothing but its public face, in one executable.

mod config;
mod go_knowledge;
mod go_tabu;
mod journal;
mod othello_wpc;
mod runner;
mod store;
