//! Games by the league's rules, as the learner sees them: every afterstate with its value, and what was to be expected of
//! the next move.

use ishi_othello::oneply::Evaluator;
use ishi_othello::simd::Vectors;
use ishi_othello::{Board, Color, Square, iter_squares};
use ishi_rng::Rng;

use super::opponent::greedy_move;
use super::squash::SquashFunction;
use ishi_othello_play::ntuple::{LaneContents, NTupleNetwork};

/// A move of the learner's.
#[derive(Clone, Debug)]
pub(super) struct TrailStep {
    /// The contents of the lanes after the move, seen by the mover.
    pub(super) contents: LaneContents,
    /// The phase of the board after the move.
    pub(super) phase: usize,
    /// Did the same side make the step before?
    pub(super) again: bool,
    /// The network's value after the move, before it is squashed.
    pub(super) sum: f32,
    /// Before the move: the mean result that the rules let the mover expect.
    pub(super) expected: f32,
    /// Was it a random move of the opening, beside the rules?
    pub(super) forced: bool,
}

/// The moves of a game that are learned from.
#[derive(Clone, Debug, Default)]
pub(super) struct GameTrail {
    steps: Vec<TrailStep>,
    len: usize,
    /// 1, 0 or -1 for the side that made the last step.
    pub(super) result: f32,
}

impl GameTrail {
    pub(super) fn steps(&self) -> &[TrailStep] {
        &self.steps[..self.len]
    }

    fn push_step(&mut self, contents: &LaneContents) -> &mut TrailStep {
        if self.len == self.steps.len() {
            let contents = contents.clone();
            let (phase, again, sum, expected, forced) = (0, false, 0.0, 0.0, false);
            self.steps.push(TrailStep { contents, phase, again, sum, expected, forced });
        }
        let step = &mut self.steps[self.len];
        step.contents.copy_from(contents);
        self.len += 1;
        step
    }
}

/// What a game is played with.
#[derive(Clone, Copy)]
pub(super) struct GamePlay<'a> {
    pub(super) network: &'a NTupleNetwork,
    pub(super) squash: SquashFunction,
    pub(super) epsilon: f64,
    /// The first plies are random, 0 to so many.
    pub(super) opening: u32,
}

/// A move that was chosen.
struct LearnerMove {
    square: Square,
    flips: u64,
    sum: f32,
    expected: f32,
}

impl GamePlay<'_> {
    /// Plays a game. The learner has `side`, or both sides without an opponent; `contents` are those of the start.
    #[inline(always)]
    pub(super) fn play_game<V: Vectors, E: Evaluator + ?Sized>(
        &self,
        vectors: V,
        opponent: Option<(&E, Color)>,
        rng: &mut Rng,
        contents: &mut LaneContents,
        trail: &mut GameTrail,
    ) {
        let shape = self.network.shape();
        let (mut board, mut mover, mut ply) = (Board::START, Color::Black, 0);
        let mut last = None;
        let opening = if self.opening > 0 { rng.next_below(self.opening + 1) } else { 0 };
        trail.len = 0;
        loop {
            let mut moves = vectors.legal_moves(board.player, board.opponent);
            if moves == 0 {
                (board, mover) = (board.pass(), !mover);
                shape.invert_view(contents);
                moves = vectors.legal_moves(board.player, board.opponent);
                if moves == 0 {
                    break;
                }
            }
            let forced = ply < opening;
            let (square, flips) = match opponent {
                Some((evaluator, color)) if color == mover => {
                    let (square, flips) =
                        self.opponent_move(vectors, evaluator, mover, board, moves, forced, rng);
                    shape.play(contents, square, flips);
                    (square, flips)
                }
                _ => {
                    let choice = self.choose_move(vectors, board, moves, contents, forced, rng);
                    shape.play(contents, choice.square, choice.flips);
                    let step = trail.push_step(contents);
                    step.phase = self.network.phases().phase_of(65 - board.empty_count());
                    (step.again, step.forced) = (last == Some(mover), forced);
                    (step.sum, step.expected) = (choice.sum, choice.expected);
                    last = Some(mover);
                    (choice.square, choice.flips)
                }
            };
            board = board.after_flips(square, flips);
            shape.invert_view(contents);
            (mover, ply) = (!mover, ply + 1);
        }
        let sign = if last == Some(mover) { 1 } else { -1 };
        trail.result = (sign * board.disc_difference().signum()) as f32;
    }

    /// The opponent's move.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn opponent_move<V: Vectors, E: Evaluator + ?Sized>(
        &self,
        vectors: V,
        evaluator: &E,
        mover: Color,
        board: Board,
        moves: u64,
        forced: bool,
        rng: &mut Rng,
    ) -> (Square, u64) {
        if !forced && !rng.chance(self.epsilon) {
            return greedy_move(vectors, evaluator, mover, board, moves, rng);
        }
        let number = rng.next_below(moves.count_ones()) as usize;
        let square = iter_squares(moves).nth(number).unwrap_or(Square::from_lowest_bit(moves));
        (square, vectors.flipped_discs(board.player, board.opponent, square))
    }

    /// The learner's move by the league's rules, with what they let it expect.
    #[inline(always)]
    fn choose_move<V: Vectors>(
        &self,
        vectors: V,
        board: Board,
        moves: u64,
        contents: &LaneContents,
        forced: bool,
        rng: &mut Rng,
    ) -> LearnerMove {
        let (shape, unit) = (self.network.shape(), self.network.unit() as f32);
        let weights = self.network.weights(self.network.phases().phase_of(65 - board.empty_count()));
        let random = (forced || rng.chance(self.epsilon)).then(|| rng.next_below(moves.count_ones()));
        let (mut best, mut ties, mut mean) = (i32::MIN, 0u32, 0.0f32);
        let mut taken = (Square::from_lowest_bit(moves), 0, 0);
        for (number, square) in iter_squares(moves).enumerate() {
            let flips = vectors.flipped_discs(board.player, board.opponent, square);
            let sum = shape.sum_after(weights, contents, square, flips);
            mean += self.squash.expected_result(sum as f32 * unit);
            if ties == 0 || sum > best {
                (best, ties) = (sum, 0);
            }
            ties += u32::from(sum == best);
            let take = match random {
                Some(random) => random == number as u32,
                None => sum == best && (ties == 1 || rng.next_below(ties) == 0),
            };
            if take {
                taken = (square, flips, sum);
            }
        }
        let (square, flips, sum) = taken;
        let epsilon = self.epsilon as f32;
        let mean = mean / moves.count_ones() as f32;
        let expected = (1.0 - epsilon) * self.squash.expected_result(best as f32 * unit) + epsilon * mean;
        LearnerMove { square, flips, sum: sum as f32 * unit, expected }
    }
}
