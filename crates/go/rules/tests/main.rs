//! The tests of `ishi-go` that need nothing but its public face, in one executable.

mod gnugo;
mod many_chains;
mod perft;
mod playouts;
mod random_games;
mod reference;
mod scoring;
mod superko;
