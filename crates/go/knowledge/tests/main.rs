//! The tests of `ishi-knowledge` that need nothing but its public face, in one executable.

mod effects;
mod levels;
mod lookahead;
