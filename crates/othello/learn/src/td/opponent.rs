//! Whom the learner plays.

use std::fmt;
use std::sync::Arc;

use ishi_othello::oneply::Evaluator;
use ishi_othello::simd::Vectors;
use ishi_othello::{Board, Color, Square, Wpc, squares};
use ishi_rng::Rng;

/// An evaluator that threads may share.
pub type Shared = Arc<dyn Evaluator + Send + Sync>;

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
    Fixed(String, Shared),
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
pub struct Mixture(Vec<(Opponent, u32)>);

impl Mixture {
    /// Opponents with whole-number weights; `None` if these add up to 0 or to more than 2^32.
    pub fn new(opponents: Vec<(Opponent, u32)>) -> Option<Mixture> {
        let sum = opponents.iter().try_fold(0u32, |sum, (_, weight)| sum.checked_add(*weight))?;
        (sum > 0).then_some(Mixture(opponents))
    }

    /// The network itself and nobody else.
    pub fn itself() -> Mixture {
        Mixture(vec![(Opponent::Itself, 1)])
    }

    /// The one for the next game.
    pub(super) fn draw(&self, rng: &mut Rng) -> &Opponent {
        if let [(only, _)] = self.0.as_slice() {
            return only;
        }
        let mut left = rng.below(self.0.iter().map(|(_, weight)| weight).sum());
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
impl fmt::Display for Mixture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.0.iter().map(|(opponent, weight)| format!("{opponent}:{weight}")).collect();
        f.write_str(&parts.join("+"))
    }
}

/// A piece counter with ten random weights.
pub(super) fn counter(rng: &mut Rng) -> Wpc {
    let weights: [f64; 10] = std::array::from_fn(|_| 2.0 * rng.unit() - 1.0);
    Wpc::new(&weights).unwrap_or_else(|_| Wpc::random())
}

/// The best move by an evaluator, one of the best at random, with what it turns.
#[inline(always)]
pub(super) fn greedy<V: Vectors, E: Evaluator + ?Sized>(
    vectors: V,
    evaluator: &E,
    mover: Color,
    board: Board,
    moves: u64,
    rng: &mut Rng,
) -> (Square, u64) {
    let mut best = (f32::NEG_INFINITY, 0u32, Square::lowest(moves), 0);
    for square in squares(moves) {
        let flips = vectors.flips(board.player, board.opponent, square);
        let value = evaluator.value(board.after(square, flips), mover);
        // The first move counts as best, even if its value is no number.
        if best.1 == 0 || value > best.0 {
            best = (value, 1, square, flips);
        } else if value == best.0 {
            best.1 += 1;
            if rng.below(best.1) == 0 {
                best = (value, best.1, square, flips);
            }
        }
    }
    (best.2, best.3)
}
