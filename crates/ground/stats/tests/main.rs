//! The tests of `ishi-stats` that need nothing but its public face, in one executable.

mod errors;
mod published_table;
mod ratings;
mod reference;
mod sprt;
