//! The tests of `ishi-sgf` that need nothing but its public face, in one executable.

mod othello;
mod properties;
mod reading;
mod stress;
