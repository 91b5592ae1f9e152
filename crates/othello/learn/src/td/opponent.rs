//! Whom the learner plays.

use std::fmt;
use std::sync::Arc;

use ishi_othello::oneply::Evaluator;
use ishi_othello::simd::Vectors;
use ishi_othello::{Board, Color, Square, Wpc, iter_squares};
use ishi_rng::Rng;

/// An evaluator that threads may share.
pub type SharedEvaluator = Arc<dyn Evaluator + Send + Sync>;

/// A kind of opponent.
#[derive(Clone)]
pub enum Opponent {
    /// The network itself: both sides learn.
    Itself,
    /// A piece counter whose ten weights are drawn anew for each game, uniformly from -1 to 1: players that follow a plan
    /// of their own, though no good one.
    Counters,
    /// An earlier version of the network, one of a hall of fame.
    Past,
    /// A player that stays as it is, with a name for logs and checkpoints.
    Fixed(String, SharedEvaluator),
}

/// `self`, `counters`, `past`, or the name.
impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Opponent::Itself => "self",
            Opponent::Counters => "counters",
            Opponent::Past => "past",
            Opponent::Fixed(name, _) => name,
        })
    }
}

impl fmt::Debug for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How often each opponent is met: a list with weights.
#[derive(Clone, Debug)]
pub struct OpponentMixture(Vec<(Opponent, u32)>);

impl OpponentMixture {
    /// Opponents with whole-number weights; `None` if these add up to 0 or to more than 2^32.
    pub fn new(opponents: Vec<(Opponent, u32)>) -> Option<OpponentMixture> {
        let sum = opponents.iter().try_fold(0u32, |sum, (_, weight)| sum.checked_add(*weight))?;
        (sum > 0).then_some(OpponentMixture(opponents))
    }

    /// The network itself and nobody else.
    pub fn itself_only() -> OpponentMixture {
        OpponentMixture(vec![(Opponent::Itself, 1)])
    }

    /// The one for the next game.
    pub(super) fn draw_opponent(&self, rng: &mut Rng) -> &Opponent {
        if let [(only, _)] = self.0.as_slice() {
            return only;
        }
        let mut left = rng.next_below(self.0.iter().map(|(_, weight)| weight).sum());
        for (opponent, weight) in &self.0 {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return opponent,
            }
        }
        &self.0[0].0
    }

    /// Is this opponent ever met?
    pub(super) fn has_past(&self) -> bool {
        self.0.iter().any(|(opponent, weight)| matches!(opponent, Opponent::Past) && *weight > 0)
    }
}

/// `self:3+counters:1`.
impl fmt::Display for OpponentMixture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.0.iter().map(|(opponent, weight)| format!("{opponent}:{weight}")).collect();
        f.write_str(&parts.join("+"))
    }
}

/// A piece counter with ten random weights.
pub(super) fn random_counter(rng: &mut Rng) -> Wpc {
    let weights: [f64; 10] = std::array::from_fn(|_| 2.0 * rng.next_unit() - 1.0);
    Wpc::new(&weights).unwrap_or_else(|_| Wpc::random())
}

/// The best move by an evaluator, one of the best at random, with what it turns.
#[inline(always)]
pub(super) fn greedy_move<V: Vectors, E: Evaluator + ?Sized>(
    vectors: V,
    evaluator: &E,
    mover: Color,
    board: Board,
    moves: u64,
    rng: &mut Rng,
) -> (Square, u64) {
    let mut best = (f32::NEG_INFINITY, 0u32, Square::from_lowest_bit(moves), 0);
    for square in iter_squares(moves) {
        let flips = vectors.flipped_discs(board.player, board.opponent, square);
        let value = evaluator.value_after_move(board.after_flips(square, flips), mover);
        // The first move counts as best, even if its value is no number.
        if best.1 == 0 || value > best.0 {
            best = (value, 1, square, flips);
        } else if value == best.0 {
            best.1 += 1;
            if rng.next_below(best.1) == 0 {
                best = (value, best.1, square, flips);
            }
        }
    }
    (best.2, best.3)
}
