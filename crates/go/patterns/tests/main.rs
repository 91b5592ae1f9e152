//! The tests of `ishi-patterns` that need nothing but its public face, in one executable.

mod features;
mod joseki;
mod learning;
mod library;
mod predictor;
