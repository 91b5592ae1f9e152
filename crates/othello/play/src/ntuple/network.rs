//! A network: a shape, phases of the game, and weights.

use std::fmt;
use std::str::FromStr;

use ishi_othello::Board;

use super::shape::{LaneContents, TupleShape};

/// The phases of the game, by the number of discs on the board.
///
/// ```
/// use ishi_othello_play::ntuple::NetworkPhases;
/// let phases: NetworkPhases = "4".parse().unwrap();
/// assert_eq!((phases.count(), phases.phase_of(5), phases.phase_of(20), phases.phase_of(64)), (4, 0, 1, 3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkPhases {
    /// Where each phase but the first begins, in discs; ascending, 5 to 64.
    begins: Vec<u8>,
    /// By number of discs.
    table: [u8; 65],
}

/// The text names no phases.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid phases {0:?}: write a number from 1 to 60, or where all but the first begin in discs, ascending from 5 \
     to 64, such as 18,30,42,52"
)]
pub struct NetworkPhasesError(String);

impl NetworkPhases {
    /// One phase: the same weights throughout.
    pub fn single_phase() -> NetworkPhases {
        NetworkPhases::beginning_at(&[]).unwrap_or_else(|| unreachable!("no bounds are ascending"))
    }

    /// So many phases of about the same length, 1 to 60.
    pub fn equal_phases(count: usize) -> Option<NetworkPhases> {
        let begin = |phase: usize| (5 + phase * 60 / count) as u8;
        if (1..=60).contains(&count) {
            NetworkPhases::beginning_at(&(1..count).map(begin).collect::<Vec<_>>())
        } else {
            None
        }
    }

    /// Phases that begin at these numbers of discs, the first besides; `None` if they do not ascend from 5 to 64.
    pub fn beginning_at(begins: &[u8]) -> Option<NetworkPhases> {
        let inside = begins.iter().all(|discs| (5..=64).contains(discs));
        if !inside || !begins.is_sorted_by(|a, b| a < b) {
            return None;
        }
        let of = |discs: usize| begins.iter().filter(|&&begin| usize::from(begin) <= discs).count() as u8;
        Some(NetworkPhases { begins: begins.to_vec(), table: std::array::from_fn(of) })
    }

    /// How many, at least 1.
    pub fn count(&self) -> usize {
        self.begins.len() + 1
    }

    /// Where all but the first begin, in discs.
    pub fn begins(&self) -> &[u8] {
        &self.begins
    }

    /// The phase of a board with so many discs, at most 64.
    #[inline(always)]
    pub fn phase_of(&self, discs: u32) -> usize {
        usize::from(self.table[discs.min(64) as usize])
    }
}

/// `18,30,42,52`; `1` for one phase.
impl fmt::Display for NetworkPhases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let begins: Vec<String> = self.begins.iter().map(u8::to_string).collect();
        f.write_str(if begins.is_empty() { "1".into() } else { begins.join(",") }.as_str())
    }
}

impl FromStr for NetworkPhases {
    type Err = NetworkPhasesError;

    fn from_str(text: &str) -> Result<NetworkPhases, NetworkPhasesError> {
        let error = || NetworkPhasesError(text.to_string());
        let numbers: Result<Vec<u8>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        match numbers.map_err(|_| error())?.as_slice() {
            &[count]
                if count <= 60
                    && text.trim().len() <= 2
                    && NetworkPhases::equal_phases(usize::from(count)).is_some() =>
            {
                NetworkPhases::equal_phases(usize::from(count)).ok_or_else(error)
            }
            begins => NetworkPhases::beginning_at(begins).ok_or_else(error),
        }
    }
}

/// A function of afterstates: of boards after a move, seen by the side that has moved.
///
/// Weights are whole numbers of a unit, so that a sum does not depend on the order of its terms: symmetrical boards have
/// exactly the same value, and ties are ties.
#[derive(Clone, Debug, PartialEq)]
pub struct NTupleNetwork {
    shape: TupleShape,
    phases: NetworkPhases,
    unit: f64,
    /// Phase after phase, group after group, content after content; a 0 after each phase.
    weights: Vec<i32>,
}

impl NTupleNetwork {
    /// All weights 0.
    pub fn with_zero_weights(shape: TupleShape, phases: NetworkPhases, unit: f64) -> NTupleNetwork {
        let weights = vec![0; shape.stride() * phases.count()];
        NTupleNetwork { shape, phases, unit, weights }
    }

    /// Its tuples.
    pub fn shape(&self) -> &TupleShape {
        &self.shape
    }

    /// Its phases.
    pub fn phases(&self) -> &NetworkPhases {
        &self.phases
    }

    /// What a weight of 1 is worth.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    pub(super) fn set_unit(&mut self, unit: f64) {
        self.unit = unit;
    }

    /// The weights of a phase, group after group, and a last one that must stay 0.
    #[inline(always)]
    pub fn weights(&self, phase: usize) -> &[i32] {
        let stride = self.shape.stride();
        &self.weights[phase * stride..][..stride]
    }

    /// The weights of a group in a phase.
    pub fn group_weights(&self, phase: usize, group: usize) -> &[i32] {
        let (start, contents) = (self.shape.start_of_group(group), self.shape.groups()[group].contents());
        &self.weights(phase)[start..][..contents]
    }

    /// The weights of a group in a phase, to be changed. Sums must stay within 32 bits: see [`NTupleNetwork::weight_limit`].
    pub fn group_weights_mut(&mut self, phase: usize, group: usize) -> &mut [i32] {
        let (start, contents) = (self.shape.start_of_group(group), self.shape.groups()[group].contents());
        let stride = self.shape.stride();
        &mut self.weights[phase * stride..][..stride][start..][..contents]
    }

    #[inline(always)]
    /// The shape and the weights of a phase.
    pub fn phase_mut(&mut self, phase: usize) -> (&TupleShape, &mut [i32]) {
        let stride = self.shape.stride();
        (&self.shape, &mut self.weights[phase * stride..][..stride])
    }

    /// All weights, for checkpoints.
    pub fn all_weights(&self) -> &[i32] {
        &self.weights
    }

    /// The weights of all phases, one after the other, to change.
    pub fn all_weights_mut(&mut self) -> &mut [i32] {
        &mut self.weights
    }

    /// The greatest size of a weight with which no sum leaves 32 bits.
    pub fn weight_limit(&self) -> i32 {
        i32::MAX / self.shape.lanes() as i32
    }

    /// The value of a board for the side to move of `board`, in units; for an afterstate pass the mover's view.
    pub fn sum(&self, board: Board) -> i32 {
        let phase = self.phases.phase_of(64 - board.empty_count());
        self.shape.sum(self.weights(phase), &self.shape.contents_of(board))
    }

    /// The same from contents that were followed.
    #[inline(always)]
    pub fn sum_of_contents(&self, contents: &LaneContents, discs: u32) -> i32 {
        self.shape.sum(self.weights(self.phases.phase_of(discs)), contents)
    }

    /// The value of a board, as [`NTupleNetwork::sum`].
    pub fn value(&self, board: Board) -> f64 {
        f64::from(self.sum(board)) * self.unit
    }
}
