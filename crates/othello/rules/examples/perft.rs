//! Counts sequences of moves from the start, beside the published numbers: whoever writes rules of Othello begins so.
//!
//! `cargo run --release -p ishi-othello --example perft -- DEPTH`

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It is told what to do, and says what was counted.

use ishi_othello::Board;
use ishi_othello::perft::{PUBLISHED, perft};

fn main() {
    let deepest: usize = std::env::args().nth(1).map_or(7, |text| text.parse().expect("a whole number"));
    for (depth, published) in PUBLISHED.iter().enumerate().take(deepest + 1) {
        let counted = perft(Board::START, depth as u32);
        println!("{depth:2} {counted:13} {}", if counted == *published { "as published" } else { "WRONG" });
    }
}
