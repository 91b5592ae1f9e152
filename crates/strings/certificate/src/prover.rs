//! Finds the states that a certificate has to list.
//!
//! A sweep over the points with all states that may still be part of a set with the loss in question: their loss so far
//! plus their potential by the bands is within the limit. Of two ways to a state the smaller loss `g` is kept. If none
//! is left in the end, the states are the proof: `limit + 1 - g` is a potential of each. The checker does not need to know
//! how they were found.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use thiserror::Error;

use super::{Certificate, CertificateError, CheckProgress, ListedState, StateDigits, VisitedBands};

/// How far a listing is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListingStep {
    /// Points visited; 0 while the potentials of the bands are evaluated.
    pub done: usize,
    /// Points of the board.
    pub total: usize,
    /// States found.
    pub states: usize,
}

/// Why there is no list.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ProverError {
    /// A smaller set exists.
    #[error("the claim is wrong: {smallest} points dominate the board")]
    Refuted {
        /// The size of a smallest dominating set.
        smallest: u64,
    },
    /// More states than allowed.
    #[error("more than {most} states would have to be listed, after {done} of {total} points")]
    TooMany {
        /// How many states are allowed.
        most: usize,
        /// Points visited.
        done: usize,
        /// Points of the board.
        total: usize,
    },
    /// Its prices need tables, which need more memory than they may take.
    #[error("the certificate needs more than {megabytes} MB of memory, the most here")]
    OverMemory {
        /// How many megabytes are allowed.
        megabytes: usize,
    },
    /// The certificate's numbers are wrong, its board is too large, or the observer stopped.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}

/// The states that prove the claim of a certificate with its prices, at most so many.
///
/// # Errors
/// The claim is wrong, there are too many states, the numbers are not as they must be, or the observer stopped it.
pub fn list_states(
    certificate: &Certificate,
    most: usize,
    observer: &mut dyn FnMut(ListingStep) -> ControlFlow<()>,
) -> Result<Vec<ListedState>, ProverError> {
    let (board, walk) = certificate.board_and_walk()?;
    let total = walk.steps.len();
    let mut bands = VisitedBands::new(&board, &certificate.prices, &mut |progress| match progress {
        CheckProgress::Bands { .. } => observer(ListingStep { done: 0, total, states: 0 }),
        CheckProgress::States { .. } => ControlFlow::Continue(()),
    })?;
    let needed = certificate.needed_potential();
    let mut layer = LossByState::default();
    layer.insert(0, 0);
    let mut found: Vec<ListedState> = Vec::new();
    for (done, step) in walk.steps.iter().enumerate() {
        let list = |(&state, &loss): (&u128, &i64)| {
            let potential = u32::try_from(needed - loss).unwrap_or(0);
            ListedState { after: done as u32, potential, state }
        };
        if found.len() + layer.len() > most {
            return Err(ProverError::TooMany { most, done, total });
        }
        found.extend(layer.iter().map(list));
        if observer(ListingStep { done, total, states: found.len() }).is_break() {
            return Err(CertificateError::Stopped.into());
        }
        let bound = bands.bound_after(&board, &walk, done + 1);
        let moves = step.all_moves(3);
        let mut next = LossByState::default();
        for (&state, &loss) in &layer {
            let mut digits = StateDigits::from_state(state);
            for option in moves[digits.neighbour_number(step)].iter().flatten() {
                let (state, loss) = (state.wrapping_add(option.add), loss + i64::from(option.loss));
                digits.set_state(state);
                if bound.potential(&digits).is_some_and(|potential| loss + potential < needed) {
                    next.entry(state).and_modify(|least| *least = loss.min(*least)).or_insert(loss);
                }
            }
        }
        layer = next;
        if layer.is_empty() {
            found.sort_unstable();
            return Ok(found);
        }
    }
    // What is left is a whole board: the loss of a smallest set.
    let least = layer.values().min().copied().unwrap_or(0);
    Err(ProverError::Refuted { smallest: (total as u64 + least as u64) / 5 })
}

/// The states after a point, with the least loss of each.
type LossByState = HashMap<u128, i64, BuildHasherDefault<StateHasher>>;

/// A fixed hash: states come out in the same order in every run.
#[derive(Default)]
struct StateHasher(u64);

impl Hasher for StateHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
