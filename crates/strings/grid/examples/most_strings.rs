//! The most strings on a board, with the board and its proof.
//!
//! `cargo run --release -p ishi-grid --example most_strings -- COLUMNS ROWS`

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It is told what to do, and shows the board.

use std::ops::ControlFlow;

use ishi_grid::strings::{StringsError, StringsTask, solve_task};

fn main() -> Result<(), StringsError> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>().expect("a whole number"));
    let columns = numbers.next().unwrap_or(9);
    let rows = numbers.next().unwrap_or(columns);
    let found = solve_task(&StringsTask::new(columns, rows), &mut |_| ControlFlow::Continue(()))?;
    print!("{}", found.board);
    let proof = if found.strings == found.bound { "no board has more" } else { "a board may have more" };
    println!("{} strings; {proof} than {}", found.strings, found.bound);
    println!("counted again by other code: {}", found.verified);
    Ok(())
}
