//! Exact counting of Go positions on rectangles, and the most chains on boards partly given.
//!
//! All of it is dynamic programming over a broken profile: the board is built cell by cell, row by row, and of what
//! is built only the *frontier* is kept, the lowest cell of every column. Two boards with the same frontier have the
//! same futures, so one number (or one best board) is enough for all of them.
//!
//! - [`count_optimal()`]: the positions with the most chains, in any colours. A chain of such a position is a star, so what
//!   a frontier must know is local.
//! - [`count_legal()`]: all legal positions (J. Tromp, G. Farneback, "Combinatorics of Go", 2006/2016), with the frontier's
//!   chains; [`count_by_chains`] splits the count by the number of chains.
//! - [`find_maximum()`]: the most chains on a board some points of which are given, with a board that has them.

use std::ops::ControlFlow;

use ishi_work::Progress;
use thiserror::Error;

use crate::layers::{LayerNote, LayerObserver, LayerStep};

mod frontier;
pub mod legal;
pub mod maximum;
pub mod optimal;

pub use legal::{ChainCounts, LegalCount, count_by_chains, count_legal};
pub use maximum::{GivenBoard, MaximumChains, PointConstraint, find_maximum};
pub use optimal::{OptimalCount, count_optimal};

/// So many cells of the board are done in a pass, with the states of the layer and the memory.
fn cells_done(pass: &'static str, done: usize, cells: usize, states: usize, bytes: usize) -> LayerStep {
    Progress { done, total: cells, unit: "cells", note: LayerNote::with_bytes(pass, states, bytes) }
}

/// Tells the observer; stops if it says so.
fn report_progress(observe: LayerObserver<'_>, progress: LayerStep) -> Result<(), PositionsError> {
    match observe(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(PositionsError::Stopped),
    }
}

/// What a count took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerWork {
    /// States of the widest layer.
    pub widest: usize,
    /// States of all layers together.
    pub states: u64,
    /// Bytes of tables and layers when they were largest, as allocated.
    pub bytes: usize,
}

impl LayerWork {
    /// Takes note of a layer.
    fn add_layer(&mut self, states: usize, bytes: usize) {
        self.widest = self.widest.max(states);
        self.states += states as u64;
        self.bytes = self.bytes.max(bytes);
    }
}

/// Why there is no count.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionsError {
    /// A board without cells.
    #[error("a board must have at least 1 row and 1 column")]
    NoCells,
    /// More columns than a state can hold.
    #[error("the shorter side is {width}, the frontier holds at most {most} cells")]
    TooWide {
        /// The shorter side.
        width: usize,
        /// The most that is possible.
        most: usize,
    },
    /// More cells than a count can hold.
    #[error("the board has {cells} cells, the count holds at most {most}")]
    TooManyCells {
        /// Cells of the board.
        cells: usize,
        /// The most that is possible.
        most: usize,
    },
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

/// The board with the shorter side as its width, if the frontier can hold it.
fn upright_sides(width: usize, height: usize, most: usize) -> Result<(usize, usize), PositionsError> {
    let (width, height) = (width.min(height), width.max(height));
    match width {
        0 => Err(PositionsError::NoCells),
        _ if width > most => Err(PositionsError::TooWide { width, most }),
        _ => Ok((width, height)),
    }
}

#[cfg(test)]
pub(crate) use tests::by_chains_brute_force as brute_force_by_chains;

#[cfg(test)]
mod tests {
    /// Legal positions by number of chains: every colouring, chains by flood fill. Knows nothing of frontiers.
    pub(crate) fn by_chains_brute_force(width: usize, height: usize) -> Vec<u64> {
        let cells = width * height;
        let mut counts = vec![0; cells + 1];
        let mut board = vec![0u8; cells];
        loop {
            if let Some(chains) = chains(&board, width) {
                counts[chains] += 1;
            }
            let Some(i) = board.iter().position(|cell| *cell < 2) else { return counts };
            board[i] += 1;
            board[..i].fill(0);
        }
    }

    /// The number of chains of a board (0 empty, 1 and 2 stones), `None` if one has no liberty.
    fn chains(board: &[u8], width: usize) -> Option<usize> {
        let mut seen = [false; 32];
        let mut chains = 0;
        for start in 0..board.len() {
            if board[start] == 0 || seen[start] {
                continue;
            }
            chains += 1;
            seen[start] = true;
            let (mut stack, mut top, mut liberty) = ([start; 32], 1, false);
            while top > 0 {
                top -= 1;
                let i = stack[top];
                let mut look = |j: usize| {
                    liberty |= board[j] == 0;
                    if board[j] == board[start] && !seen[j] {
                        seen[j] = true;
                        stack[top] = j;
                        top += 1;
                    }
                };
                if i % width > 0 {
                    look(i - 1);
                }
                if i % width + 1 < width {
                    look(i + 1);
                }
                if i >= width {
                    look(i - width);
                }
                if i + width < board.len() {
                    look(i + width);
                }
            }
            if !liberty {
                return None;
            }
        }
        Some(chains)
    }

    /// Tromp and Farneback, table of legal positions.
    #[test]
    fn brute_force_knows_the_published_counts() {
        let total = |n| by_chains_brute_force(n, n).iter().sum::<u64>();
        assert_eq!([total(1), total(2), total(3)], [1, 57, 12675]);
    }
}
