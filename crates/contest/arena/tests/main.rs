//! The tests of `ishi-arena` that need nothing but its public face, in one executable.

mod matches;
mod process;
mod texts;
