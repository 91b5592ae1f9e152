//! `go-capture`: looks one ply ahead and lives for captures; the smallest player with an idea.

use ishi_go::{Board, Cell, Color, Move, Point, Position};
use ishi_rng::Rng;

use crate::random::sensible_moves;
use ishi_engine::Control;

/// What one move does, compared field by field in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct MoveMerit {
    /// Stones taken, less own stones left in atari by the move.
    gain: i32,
    /// Own stones that were in atari and are not afterwards.
    saved: usize,
    /// Enemy stones put into atari, if the own chain is not.
    threatened: usize,
}

/// Judges a move by the board after it; `after` is scratch space.
fn judge_merit(board: &Board, after: &mut Board, color: Color, point: Point) -> MoveMerit {
    let in_atari_before = neighbouring_stones_in_atari(board, color, point);
    after.copy_from(board);
    let captured = after.play_unchecked(color, Move::Play(point));
    let own = after.chain(point).expect("a legal move leaves its stone on the board");
    if after.atari_liberty(own).is_some() {
        return MoveMerit { gain: captured as i32 - after.chain_length(own) as i32, saved: 0, threatened: 0 };
    }
    MoveMerit {
        gain: captured as i32,
        saved: in_atari_before,
        threatened: neighbouring_stones_in_atari(after, !color, point),
    }
}

/// Stones of the chains of `color` beside `point` that are in atari.
fn neighbouring_stones_in_atari(board: &Board, color: Color, point: Point) -> usize {
    let mut chains: Vec<_> = point
        .neighbours()
        .into_iter()
        .filter(|&n| board.cell(n) == Cell::from(color))
        .filter_map(|n| board.chain(n))
        .filter(|&chain| board.atari_liberty(chain).is_some())
        .collect();
    chains.sort_unstable();
    chains.dedup();
    chains.into_iter().map(|chain| board.chain_length(chain)).sum()
}

/// Takes the most stones it can; else saves the most; else puts the most into atari; else plays at random. Among
/// these it prefers moves that do not leave its own chain in atari. Ties are broken at random.
pub(crate) fn choose_capture_move(
    position: &Position,
    color: Color,
    control: &Control<'_>,
    rng: &mut Rng,
) -> Move {
    let mut scratch = position.board().clone();
    let judged: Vec<(MoveMerit, Move)> = sensible_moves(position, color, control)
        .into_iter()
        .filter_map(|mv| {
            mv.point().map(|point| (judge_merit(position.board(), &mut scratch, color, point), mv))
        })
        .collect();
    let Some(best) = judged.iter().map(|&(merit, _)| merit).max() else { return Move::Pass };
    let equals: Vec<Move> = judged.iter().filter(|(merit, _)| *merit == best).map(|&(_, mv)| mv).collect();
    rng.choose(&equals).copied().unwrap_or(Move::Pass)
}
