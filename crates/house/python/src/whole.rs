//! Whole numbers as arguments: one that is negative or too large is a `ValueError` with the words of the command line, and no `OverflowError`.
//!
//! A function names the reader of its argument, as `#[pyo3(from_py_with = whole::visits)]`: an error must know what the argument is called.

use std::fmt::Display;

use ishi_othello_play::levels::Level;
use ishi_rng::Seed;
use numpy::{AllowTypeChange, PyArrayLike1};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::values::{MOST_GAMES, MOST_THREADS, explain_dimensions, has_negative, invalid, is_one_number};

/// The most letters of a number that an error quotes.
const MOST_LETTERS: usize = 60;

/// Makes a reader for each name. Behind the name stands what says how such a number must be.
macro_rules! readers {
    ($($name:ident: $words:expr;)*) => {$(
        #[doc = concat!("Reads `", stringify!($name), "`: a number, none, or several of them.")]
        pub(crate) fn $name<T>(given: &Bound<'_, PyAny>) -> PyResult<T>
        where
            T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
        {
            let wrong = |text: &str| {
                let words = $words;
                invalid(format!("invalid {} {text}: {}", stringify!($name), words(given)))
            };
            replace_overflow(given.extract::<T>(), given, wrong)
        }
    )*};
}

readers! {
    action: |_: &Bound<'_, PyAny>| "it must be the number of an action";
    batch: say_range;
    count: |_: &Bound<'_, PyAny>| format!("it must be a number from 0 to {MOST_GAMES}");
    dimensions: say_range;
    draws: say_range;
    game: say_range;
    games: say_range;
    generations: say_range;
    handicap: say_range;
    height: say_range;
    lessons: say_range;
    level: |_: &Bound<'_, PyAny>| "it must be a number from 1 to 10";
    losses: say_range;
    max_game_length: say_range;
    memory: say_range;
    moves: say_range;
    numbers: |_: &Bound<'_, PyAny>| "it must be 1 to 128";
    opening: |_: &Bound<'_, PyAny>| "it must lie from 0 to 50";
    opponents: say_range;
    pairs: say_range;
    player: |_: &Bound<'_, PyAny>| "it must be 0 or 1";
    playouts: say_range;
    population: say_range;
    results: say_range;
    threads: |_: &Bound<'_, PyAny>| format!("it must be a number from 0 to {MOST_THREADS}");
    visits: say_range;
    why_not: |_: &Bound<'_, PyAny>| "each must be the number of an action";
    width: say_range;
    wins: say_range;
}

/// Reads `seed`.
pub(crate) fn seed(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    replace_overflow(given.extract::<u64>(), given, |text| refused_by(text.parse::<Seed>()))
}

/// Reads the level of a player of Othello.
pub(crate) fn othello_level(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    replace_overflow(given.extract::<u32>(), given, |text| refused_by(text.parse::<Level>()))
}

/// Reads an action for each game of a batch.
pub(crate) fn actions<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyArrayLike1<'py, i64, AllowTypeChange>> {
    let wrong = |text: &str| invalid(format!("invalid actions {text}: each must be the number of an action"));
    check_whole_numbers(given)?;
    replace_overflow(given.extract(), given, wrong)
        .map_err(|error| explain_dimensions(error, given, 1, "it must be one row, an action for each game"))
}

/// Refuses numbers with fractions and truth values: NumPy would make whole numbers of them.
fn check_whole_numbers(given: &Bound<'_, PyAny>) -> PyResult<()> {
    let array = given.py().import("numpy")?.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    // An empty list is an array of floats.
    if array.getattr("size")?.extract::<usize>()? > 0 && ["f", "c", "b"].contains(&kind.as_str()) {
        return Err(PyTypeError::new_err("actions must be whole numbers"));
    }
    Ok(())
}

/// Reads the index of one of so many games.
///
/// # Errors
/// `IndexError` if there is none: that is what Python says of indices.
pub(crate) fn game_index(given: &Bound<'_, PyAny>, games: usize) -> PyResult<usize> {
    let none = |text: &str| PyIndexError::new_err(format!("there is no game {text}: there are {games}"));
    let index = replace_overflow(given.extract::<usize>(), given, none)?;
    if index < games { Ok(index) } else { Err(none(&index.to_string())) }
}

/// What was read, or the error that `wrong` makes of the number's text where the number does not fit into its type.
fn replace_overflow<T>(
    read: PyResult<T>,
    given: &Bound<'_, PyAny>,
    wrong: impl FnOnce(&str) -> PyErr,
) -> PyResult<T> {
    read.map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(given.py()) { wrong(&number_text(given)) } else { error }
    })
}

/// The words with which a library refuses what does not fit into its type.
fn refused_by<T, E: Display>(read: Result<T, E>) -> PyErr {
    read.err().map_or_else(|| invalid("the number must be a smaller one"), invalid)
}

/// What was given, as an error quotes it.
pub(crate) fn number_text(given: &Bound<'_, PyAny>) -> String {
    // Python refuses to write numbers of thousands of digits.
    let text = given.str().map_or_else(|_| "of thousands of digits".to_string(), |text| text.to_string());
    if text.chars().count() <= MOST_LETTERS {
        return text;
    }
    let first: String = text.chars().take(MOST_LETTERS).collect();
    format!("{first}...")
}

/// The words of the command line for a number that is out of the range of its type.
fn say_range(given: &Bound<'_, PyAny>) -> String {
    let subject = if is_one_number(given) { "it" } else { "each number" };
    let right = if has_negative(given) {
        "must be a whole number, and not negative"
    } else {
        "must be a smaller number"
    };
    format!("{subject} {right}")
}
