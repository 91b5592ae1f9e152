//! ishi as a Python module: `import ishi`.
//!
//! - [`games`]: Go and Othello in OpenSpiel's terms, one game or many at once as NumPy arrays.
//! - [`guided`]: tree search by an evaluator written in Python; [`engines`]: ishi's own players.
//! - [`teaching`]: explanations, reviews and hints as dictionaries, of positions and [`records`]; [`puzzles`]: problems, strings, decks.
//! - [`evolution`]: optimisers that are asked for points and told their values; [`learning`]: n-tuple networks for Othello that learn from games.
//! - [`figures`]: statistics of results. [`kept`]: games, states and players as texts, by which they are pickled.
//!
//! Nothing is decided here: every function reads its arguments, calls a library without Python's lock ([`interrupt`]), and gives the answer
//! as Python's own types ([`values`]). Errors are `ValueError` with the words of the libraries, which the command line prints, too
//! ([`whole`] says so of numbers that are out of range).

// Waiting for Ctrl-C needs a thread, limits of time a clock, and decks may stand in files, as what the system says of its memory does.
#![allow(clippy::disallowed_methods)]

mod engines;
mod evolution;
mod evolution_content;
mod figures;
mod games;
mod guided;
mod interrupt;
mod kept;
mod learning;
mod puzzles;
mod records;
mod teaching;
mod values;
mod whole;

use pyo3::prelude::*;

/// A workbench for stone games: Go, Othello, strings on boards, decks of cards.
///
/// Boards are in OpenSpiel's terms. Whoever plays and solves is ishi's Rust code; Python's lock is free while it works, and Ctrl-C stops it
/// (KeyboardInterrupt). Wrong arguments raise ValueError, with the words of the command line. What is random follows from `seed`.
#[pymodule]
fn ishi(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Now, not with the first array: an import that Ctrl-C ends in the middle of a search would be taken for a fault.
    module.py().import("numpy")?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    // A table that the machine has no memory for is an error then, and does not end Python.
    ishi_work::memory::watch_memory(|path| std::fs::read_to_string(path).ok());
    games::classes::add_to_module(module)?;
    guided::add_to_module(module)?;
    engines::add_to_module(module)?;
    teaching::add_to_module(module)?;
    puzzles::add_to_module(module)?;
    evolution::add_to_module(module)?;
    learning::add_to_module(module)?;
    figures::add_to_module(module)
}
