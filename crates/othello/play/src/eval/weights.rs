//! The learned weights, spread out for fast lookup.

use std::sync::{Arc, OnceLock};

use ishi_othello::Board;

use super::patterns::{GROUP, GROUPS, USED, shared_layout};
use super::state::PatternState;

/// Plies in a phase of the game, which share their weights.
pub const PLIES_PER_PHASE: u32 = 3;

/// Phases of the game.
pub const PHASES: usize = 20;

/// Numbers of moves that the evaluation tells apart.
pub(crate) const MOBILITIES: usize = 32;

/// Values are sums of this part of a disc.
pub const UNITS_PER_DISC: i32 = 128;

/// The weights of patterns are looked up in this part of a disc, a byte each: what is read from main memory is most of what a value costs.
const PARTS_PER_DISC: i32 = 8;

/// The largest weight of a pattern, in parts. Of the millions that ship 60 are larger.
const MOST_PARTS: f32 = 127.0;

/// The phase of a position with so many empty squares.
#[inline(always)]
pub fn phase_index(empties: u32) -> usize {
    (((60u32.saturating_sub(empties)) / PLIES_PER_PHASE) as usize).min(PHASES - 1)
}

/// The weights that ship with ishi; crates/othello/play/data/SOURCE.md says how they were learned.
pub(super) const SHIPPED: &[u8] = include_bytes!("../../data/eval.bin");

/// The weights of a pattern by its index, in parts. There is one for every number that an index could be, so that none is checked. Those beyond
/// the last index are 0.
type WeightTable = [i8; 1 << 16];

/// The weights of a phase.
struct PhaseWeights {
    /// A table for every group of patterns, for the first and for the second side to move.
    patterns: [Box<[WeightTable; GROUPS]>; 2],
    /// By the moves of the side to move and of the other.
    mobility: Vec<i16>,
}

/// A static evaluation: what a position is worth for the side to move.
pub struct Evaluation {
    phases: Vec<PhaseWeights>,
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
    /// Spreads learned weights out: for every phase [`count_learned_weights`] of them, in discs. Those of patterns are rounded to eighths, and
    /// cut at 15.875.
    pub fn new(learned: &[Vec<f32>]) -> Evaluation {
        let layout = shared_layout();
        let units = |weight: f32| (weight * UNITS_PER_DISC as f32).round().clamp(-32768.0, 32767.0) as i16;
        let parts =
            |weight: f32| (weight * PARTS_PER_DISC as f32).round().clamp(-MOST_PARTS, MOST_PARTS) as i8;
        let phase = |weights: &Vec<f32>| {
            let first: Vec<i8> = layout.shared.iter().map(|&place| parts(weights[place as usize])).collect();
            let second: Vec<i8> = layout.exchanged.iter().map(|&place| first[place as usize]).collect();
            let mobility = weights[layout.learned..].iter().map(|&weight| units(weight)).collect();
            PhaseWeights { patterns: [spread_to_groups(&first), spread_to_groups(&second)], mobility }
        };
        Evaluation { phases: learned.iter().map(phase).collect() }
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
        for (feature, &index) in state.index.0[..USED].iter().enumerate() {
            let weight = phase.patterns[0][feature / GROUP][usize::from(index)];
            let holds = |square: &usize| shared_layout().powers[*square].0[feature] != 0;
            let squares: Vec<usize> = (0..64).filter(holds).collect();
            let share = f32::from(weight) / PARTS_PER_DISC as f32 / squares.len() as f32;
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
        let limited = |moves: u32| (moves as usize).min(MOBILITIES - 1);
        let mobility = i32::from(phase.mobility[MOBILITIES * limited(own) + limited(other)]);
        let parts = add_weights(&phase.patterns[usize::from(second)], state);
        UNITS_PER_DISC / PARTS_PER_DISC * parts + mobility
    }
}

/// The sum of the weights of all patterns, in parts. A function of its own, so that the indices are read from memory one by one: that takes half
/// the instructions that taking vectors to pieces would.
#[inline(never)]
fn add_weights(tables: &[WeightTable; GROUPS], state: &PatternState) -> i32 {
    let mut parts = 0;
    for (table, group) in tables.iter().zip(state.index.0.as_chunks::<GROUP>().0) {
        for &index in group {
            parts += i32::from(table[usize::from(index)]);
        }
    }
    parts
}

/// A table for every group, from the weights of all kinds of patterns.
fn spread_to_groups(weights: &[i8]) -> Box<[WeightTable; GROUPS]> {
    let layout = shared_layout();
    let mut tables = vec![[0; 1 << 16]; GROUPS];
    for (table, group) in tables.iter_mut().zip(layout.kind.chunks(GROUP)) {
        let of_kind = &weights[layout.offset[group[0]]..layout.offset[group[0] + 1]];
        table[..of_kind.len()].copy_from_slice(of_kind);
    }
    tables
        .into_boxed_slice()
        .try_into()
        .unwrap_or_else(|_| unreachable!("there are as many tables as groups"))
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;

    use super::*;
    use crate::eval::train::{DesignMatrix, EvalSample};

    /// Weights as the fit sees them, one by one, give the values that the tables give.
    #[test]
    fn tables_give_the_sum_of_the_learned_weights() {
        let mut rng = Seed::new(5).stream("weights", 0);
        let mut random_weight = || rng.next_below(255) as f32 / 8.0 - 127.0 / 8.0;
        let learned: Vec<Vec<f32>> =
            (0..PHASES).map(|_| (0..count_learned_weights()).map(|_| random_weight()).collect()).collect();
        let evaluation = Evaluation::new(&learned);
        let mut board = Board::START;
        while !board.is_over() {
            let sample = EvalSample { board, score: 0.0, weight: 1.0 };
            let sum = DesignMatrix::new(&[sample]).predict_scores(&learned[phase_index(board.empty_count())]);
            assert_eq!(evaluation.value_in_discs(board), sum[0], "{board:?}");
            let square = ishi_othello::iter_squares(board.legal_moves()).last();
            board = square.map_or(board.pass(), |square| board.play_unchecked(square));
        }
    }

    #[test]
    fn weights_that_no_byte_holds_are_cut() {
        let value_with = |weight: f32| {
            let mut learned = vec![vec![weight; count_learned_weights()]; PHASES];
            learned.iter_mut().for_each(|weights| weights[shared_layout().learned..].fill(0.0));
            Evaluation::new(&learned).value_in_discs(Board::START)
        };
        let most = MOST_PARTS / PARTS_PER_DISC as f32;
        assert_eq!(value_with(most), most * USED as f32);
        assert_eq!([value_with(17.0), value_with(-1e9)], [value_with(most), value_with(-most)]);
    }
}
