//! The learned weights, spread out for fast lookup.

use std::sync::{Arc, OnceLock};

use ishi_othello::Board;

use super::patterns::{USED, shared_layout};
use super::state::PatternState;

/// Plies in a phase of the game, which share their weights.
pub const PLIES_PER_PHASE: u32 = 3;

/// Phases of the game.
pub const PHASES: usize = 20;

/// Numbers of moves that the evaluation tells apart.
pub(crate) const MOBILITIES: usize = 32;

/// Weights are stored in this part of a disc.
pub const UNITS_PER_DISC: i32 = 128;

/// The phase of a position with so many empty squares.
#[inline(always)]
pub fn phase_index(empties: u32) -> usize {
    (((60u32.saturating_sub(empties)) / PLIES_PER_PHASE) as usize).min(PHASES - 1)
}

/// The weights that ship with ishi; crates/othello/play/data/SOURCE.md says how they were learned.
pub(super) const SHIPPED: &[u8] = include_bytes!("../../data/eval.bin");

/// The weights of a phase.
struct PhaseWeights {
    /// By index of the pattern, for the first and for the second side to move.
    patterns: [Vec<i16>; 2],
    /// By the moves of the side to move and of the other.
    mobility: Vec<i16>,
}

/// A static evaluation: what a position is worth for the side to move.
pub struct Evaluation {
    phases: Vec<PhaseWeights>,
    /// The first weight of every pattern.
    offsets: [u32; USED],
}

/// The number of weights that are learned for a phase: patterns, then mobility.
pub fn count_learned_weights() -> usize {
    shared_layout().learned + MOBILITIES * MOBILITIES
}

/// The learned weight for these numbers of moves.
pub(crate) fn mobility_column(own: u32, other: u32) -> usize {
    let limited = |moves: u32| (moves as usize).min(MOBILITIES - 1);
    shared_layout().learned + MOBILITIES * limited(own) + limited(other)
}

impl Evaluation {
    /// Spreads learned weights out: for every phase [`count_learned_weights`] of them, in discs.
    pub fn new(learned: &[Vec<f32>]) -> Evaluation {
        let layout = shared_layout();
        let units = |weight: f32| (weight * UNITS_PER_DISC as f32).round().clamp(-32768.0, 32767.0) as i16;
        let phase = |weights: &Vec<f32>| {
            let first: Vec<i16> = layout.shared.iter().map(|&place| units(weights[place as usize])).collect();
            let second = layout.exchanged.iter().map(|&place| first[place as usize]).collect();
            let mobility = weights[layout.learned..].iter().map(|&weight| units(weight)).collect();
            PhaseWeights { patterns: [first, second], mobility }
        };
        let mut offsets = [0; USED];
        for (offset, &kind) in offsets.iter_mut().zip(&layout.kind) {
            *offset = layout.offset[kind] as u32;
        }
        Evaluation { phases: learned.iter().map(phase).collect(), offsets }
    }

    /// The evaluation that ships with ishi, read once.
    pub fn shipped() -> Arc<Evaluation> {
        static EVALUATION: OnceLock<Arc<Evaluation>> = OnceLock::new();
        let read = || {
            let learned = super::file::unpack_weights(SHIPPED).expect("a test reads the shipped file");
            Arc::new(Evaluation::new(&learned))
        };
        Arc::clone(EVALUATION.get_or_init(read))
    }

    /// The value of a board for its side to move, in discs.
    pub fn value_in_discs(&self, board: Board) -> f32 {
        let [own, other] = [board, board.pass()].map(|board| board.legal_moves().count_ones());
        let units = self.value_in_units(&PatternState::new(board), false, board.empty_count(), own, other);
        units as f32 / UNITS_PER_DISC as f32
    }

    /// What each square adds to the value for the side to move, in discs, row by row from a1: the weight of every pattern is shared
    /// by its squares. What mobility adds belongs to no square, and is left out.
    pub fn square_shares(&self, board: Board) -> [f32; 64] {
        let (state, phase) = (PatternState::new(board), &self.phases[phase_index(board.empty_count())]);
        let mut shares = [0.0; 64];
        for (feature, (offset, &index)) in self.offsets.iter().zip(&state.index).enumerate() {
            let weight = phase.patterns[0][(*offset + u32::from(index)) as usize];
            let holds = |square: &usize| shared_layout().powers[*square][feature] != 0;
            let squares: Vec<usize> = (0..64).filter(holds).collect();
            let share = f32::from(weight) / UNITS_PER_DISC as f32 / squares.len() as f32;
            squares.into_iter().for_each(|square| shares[square] += share);
        }
        shares
    }

    /// The value for the side to move, in units of 1/[`UNITS_PER_DISC`] disc. `second`: the second side of `state` is to
    /// move. `own` and `other`: how many moves that side and the other have.
    #[inline(always)]
    pub fn value_in_units(
        &self,
        state: &PatternState,
        second: bool,
        empties: u32,
        own: u32,
        other: u32,
    ) -> i32 {
        let phase = &self.phases[phase_index(empties)];
        let weights = &phase.patterns[usize::from(second)][..];
        let limited = |moves: u32| (moves as usize).min(MOBILITIES - 1);
        let mut sum = i32::from(phase.mobility[MOBILITIES * limited(own) + limited(other)]);
        for (offset, &index) in self.offsets.iter().zip(&state.index) {
            sum += i32::from(weights[(*offset + u32::from(index)) as usize]);
        }
        sum
    }
}
