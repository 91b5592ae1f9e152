//! `go-random`: a legal move at random, never into an own eye; the zero of every rating list.

use ishi_go::{Cell, Color, Move, Point, Position};
use ishi_rng::Rng;

use ishi_engine::Control;

/// A move uniformly among the legal ones that fill no own eye and are no suicide; a pass when there is none.
pub(crate) fn choose_random_move(
    position: &Position,
    color: Color,
    control: &Control<'_>,
    rng: &mut Rng,
) -> Move {
    rng.choose(&sensible_moves(position, color, control)).copied().unwrap_or(Move::Pass)
}

/// The legal points that are neither own eyes nor suicide and that `control` allows; row by row from A1.
pub(crate) fn sensible_moves(position: &Position, color: Color, control: &Control<'_>) -> Vec<Move> {
    let board = position.board();
    let sensible = |&point: &Point| board.cell(point) == Cell::Empty && board.is_sensible(color, point);
    let allowed = |mv: &Move| control.allows_move(*mv) && position.is_legal(color, *mv);
    position.size().points().filter(sensible).map(Move::Play).filter(allowed).collect()
}
