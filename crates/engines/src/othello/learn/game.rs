//! Games by the league's rules, as the learner sees them: every afterstate with its value, and what was to be expected of
//! the next move.

use ishi_othello::simd::Vectors;
use ishi_othello::{Board, Square, squares};
use ishi_rng::Rng;

use super::squash::Squash;
use crate::othello::ntuple::{Contents, Network};

/// One move of a game.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The contents of the lanes after the move, seen by the mover.
    pub(super) contents: Contents,
    /// The phase of the board after the move.
    pub(super) phase: usize,
    /// Did the same side move as in the step before?
    pub(super) again: bool,
    /// The network's sum after the move.
    pub(super) sum: f32,
    /// Before the move: the mean result that the rules let the mover expect.
    pub(super) expected: f32,
    /// Was it a random move of the opening, beside the rules?
    pub(super) forced: bool,
}

/// The moves of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    steps: Vec<Step>,
    len: usize,
    /// 1, 0 or -1 for the side that moved last.
    pub(super) result: f32,
}

impl Trail {
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps[..self.len]
    }

    fn push(&mut self, contents: &Contents) -> &mut Step {
        if self.len == self.steps.len() {
            let contents = contents.clone();
            self.steps.push(Step { contents, phase: 0, again: false, sum: 0.0, expected: 0.0, forced: false });
        }
        let step = &mut self.steps[self.len];
        step.contents.copy_from(contents);
        self.len += 1;
        step
    }
}

/// The rules of a game.
#[derive(Clone, Copy)]
pub(super) struct Play<'a> {
    pub(super) network: &'a Network,
    pub(super) squash: Squash,
    pub(super) epsilon: f64,
    pub(super) opening: u32,
}

/// A move that was chosen.
struct Choice {
    square: Square,
    flips: u64,
    sum: f32,
    expected: f32,
}

impl Play<'_> {
    /// Plays a game of the network with itself.
    #[inline(always)]
    pub(super) fn with_itself<V: Vectors>(
        &self,
        vectors: V,
        rng: &mut Rng,
        trail: &mut Trail,
        contents: &mut Contents,
    ) {
        let shape = self.network.shape();
        let (mut board, mut again) = (Board::START, false);
        trail.len = 0;
        let opening = if self.opening > 0 { rng.below(self.opening + 1) } else { 0 };
        loop {
            let moves = vectors.moves(board.player, board.opponent);
            if moves == 0 {
                board = board.pass();
                shape.invert(contents);
                again = true;
                if vectors.moves(board.player, board.opponent) == 0 {
                    break;
                }
                continue;
            }
            let discs = 65 - board.empties();
            let forced = (trail.len as u32) < opening;
            let choice = self.choose(vectors, board, moves, contents, forced, rng);
            shape.play(contents, choice.square, choice.flips);
            let step = trail.push(contents);
            (step.phase, step.again) = (self.network.phases().of(discs), again);
            (step.sum, step.expected, step.forced) = (choice.sum, choice.expected, forced);
            board = board.after(choice.square, choice.flips);
            shape.invert(contents);
            again = false;
        }
        // After the pass that ended it the side to move is the one that moved last.
        trail.result = board.difference().signum() as f32;
    }

    /// Chooses by the league's rules, and says what they let the mover expect.
    #[inline(always)]
    fn choose<V: Vectors>(
        &self,
        vectors: V,
        board: Board,
        moves: u64,
        contents: &Contents,
        forced: bool,
        rng: &mut Rng,
    ) -> Choice {
        let (shape, unit) = (self.network.shape(), self.network.unit() as f32);
        let weights = self.network.weights(self.network.phases().of(65 - board.empties()));
        let random = (forced || rng.chance(self.epsilon)).then(|| rng.below(moves.count_ones()));
        let (mut best, mut ties, mut mean, mut taken) = (i32::MIN, 0u32, 0.0f32, None);
        for (number, square) in squares(moves).enumerate() {
            let flips = vectors.flips(board.player, board.opponent, square);
            let sum = shape.sum_after(weights, contents, square, flips);
            mean += self.squash.of(sum as f32 * unit);
            if sum > best {
                (best, ties) = (sum, 0);
            }
            ties += u32::from(sum == best);
            let take = match random {
                Some(random) => random == number as u32,
                None => sum == best && (ties == 1 || rng.below(ties) == 0),
            };
            if take {
                taken = Some((square, flips, sum));
            }
        }
        let (square, flips, sum) = taken.unwrap_or((Square::lowest(moves), 0, best));
        let epsilon = self.epsilon as f32;
        let mean = mean / moves.count_ones() as f32;
        let expected = (1.0 - epsilon) * self.squash.of(best as f32 * unit) + epsilon * mean;
        Choice { square, flips, sum: sum as f32 * unit, expected }
    }
}
