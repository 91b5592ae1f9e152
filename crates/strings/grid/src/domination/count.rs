//! How many boards of theorem 1 there are: minimum dominating sets, and sets of a few points more.

use num_bigint::BigUint;
use thiserror::Error;

use super::checkpoint::{SweepCheckpointError, SweepCheckpoints};
use super::key::{Key, LongKey};
use super::potential::Potentials;
use super::shape::BoardShape;
use super::solve::DominationOptions;
use super::sweep::{SweepHalt, SweepOutcome, SweepParams, sweep_board};
use super::tally::WayCounts;
use crate::layers::{LayerObserver, ask_within};

/// Numbers of boards by their number of strings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardCounts {
    /// Empty points of an optimal board.
    pub empties: usize,
    /// Boards with so many empty points, with one more, and so on.
    pub boards: Vec<BigUint>,
    /// Most states of a frontier.
    pub widest: usize,
    /// States of all frontiers.
    pub states: u64,
}

/// Why boards were not counted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CountError {
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
    /// The shorter side is too long.
    #[error("boards are counted up to 127 lines on the shorter side")]
    TooWide,
    /// More than 2^256 boards.
    #[error("there are more than 2^256 boards")]
    TooMany,
    /// More numbers than there is room for.
    #[error("boards are counted for up to {most} numbers of strings, not {asked}")]
    TooManyNumbers {
        /// What was asked.
        asked: usize,
        /// What is possible.
        most: usize,
    },
    /// What was saved cannot be used.
    #[error(transparent)]
    Checkpoint(SweepCheckpointError),
    /// No board has a stone with a liberty where one must be.
    #[error("no board fits what is given")]
    Infeasible,
}

/// Counts the boards of theorem 1 (white on even, black on odd points) with `empties` empty points, which must be the least
/// possible number, with one more, and so on: `numbers` of them (1 to 128).
///
/// # Errors
/// See [`CountError`].
pub fn count_boards(
    shape: &BoardShape,
    empties: usize,
    numbers: usize,
    options: DominationOptions,
    observer: LayerObserver<'_>,
) -> Result<BoardCounts, CountError> {
    count_boards_with_checkpoints(shape, empties, numbers, options, observer, None)
}

/// Counts like [`count_boards`], from a checkpoint on if there is one. The states given are then those since.
///
/// # Errors
/// See [`CountError`].
pub fn count_boards_with_checkpoints(
    shape: &BoardShape,
    empties: usize,
    numbers: usize,
    options: DominationOptions,
    observer: LayerObserver<'_>,
    checkpoints: Option<SweepCheckpoints<'_>>,
) -> Result<BoardCounts, CountError> {
    match numbers {
        1 => count_with_key::<1>(shape, empties, numbers, options, observer, checkpoints),
        2 => count_with_key::<2>(shape, empties, numbers, options, observer, checkpoints),
        3..=8 => count_with_key::<8>(shape, empties, numbers, options, observer, checkpoints),
        9..=32 => count_with_key::<32>(shape, empties, numbers, options, observer, checkpoints),
        33..=128 => count_with_key::<128>(shape, empties, numbers, options, observer, checkpoints),
        _ => Err(CountError::TooManyNumbers { asked: numbers, most: 128 }),
    }
}

fn count_with_key<const N: usize>(
    shape: &BoardShape,
    empties: usize,
    numbers: usize,
    options: DominationOptions,
    observer: LayerObserver<'_>,
    checkpoints: Option<SweepCheckpoints<'_>>,
) -> Result<BoardCounts, CountError> {
    let mut potentials = ask_within(observer, Potentials::tables_step(shape), |stop| {
        Potentials::compute(shape, options.depth, options.threads, stop)
    })
    .ok_or(CountError::Stopped)?;
    let limit = (5 * (empties + numbers - 1)).saturating_sub(shape.cell_count()) as u32;
    let params = SweepParams { limit, beam: None, keep: false, threads: options.threads };
    let frontier = shape.width().min(shape.height());
    if frontier < u64::DIGITS {
        counts_from_sweep(
            sweep_board::<u64, WayCounts<N>>(shape, &mut potentials, params, observer, checkpoints),
            numbers,
            shape,
        )
    } else if frontier < u128::DIGITS {
        counts_from_sweep(
            sweep_board::<u128, WayCounts<N>>(shape, &mut potentials, params, observer, checkpoints),
            numbers,
            shape,
        )
    } else {
        counts_from_sweep(
            sweep_board::<LongKey, WayCounts<N>>(shape, &mut potentials, params, observer, checkpoints),
            numbers,
            shape,
        )
    }
}

fn counts_from_sweep<K: Key, const N: usize>(
    swept: Result<SweepOutcome<K, WayCounts<N>>, SweepHalt>,
    numbers: usize,
    shape: &BoardShape,
) -> Result<BoardCounts, CountError> {
    let swept = swept.map_err(|halt| match halt {
        SweepHalt::Stopped => CountError::Stopped,
        SweepHalt::TooWide => CountError::TooWide,
        SweepHalt::Checkpoint(error) => CountError::Checkpoint(error),
    })?;
    let (loss, WayCounts(ways)) = swept.best.ok_or(CountError::Infeasible)?;
    let exact = ways.iter().take(numbers).map(|ways| ways.exact_count().ok_or(CountError::TooMany));
    Ok(BoardCounts {
        empties: (shape.cell_count() + usize::from(loss)) / 5,
        boards: exact.collect::<Result<_, _>>()?,
        widest: swept.widest,
        states: swept.states,
    })
}
