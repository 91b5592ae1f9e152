//! The tests of `ishi-othello` that need nothing but its public face, in one executable.

mod oneply;
mod rules;
