//! Discs that can never be turned again.

use ishi_othello::{Board, Square, iter_squares};

/// One step in each of the four directions of lines: along a row, a column and both diagonals.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Discs of the side to move, and of the other, that can never be turned whatever is played. A lower bound: those that
/// in each direction stand on a full line, at the rim, or beside a disc of their own that is stable.
pub fn find_stable_discs(board: Board) -> (u64, u64) {
    let full = DIRECTIONS.map(|direction| full_lines(!board.empty_squares(), direction));
    (grow_stable(board.player, full), grow_stable(board.opponent, full))
}

/// Adds discs to the stable ones of a colour until none is left to add.
fn grow_stable(own: u64, full: [u64; 4]) -> u64 {
    let mut stable = 0;
    loop {
        let more: u64 =
            iter_squares(own & !stable).filter(|&disc| is_safe(disc, stable, full)).map(Square::bit).sum();
        if more == 0 {
            return stable;
        }
        stable |= more;
    }
}

/// Is this disc safe in every direction, given the stable ones of its colour?
fn is_safe(disc: Square, stable: u64, full: [u64; 4]) -> bool {
    DIRECTIONS.into_iter().zip(full).all(|((dx, dy), full)| {
        let safe_side = |neighbour: Option<Square>| neighbour.is_none_or(|square| stable & square.bit() != 0);
        full & disc.bit() != 0 || safe_side(step_from(disc, dx, dy)) || safe_side(step_from(disc, -dx, -dy))
    })
}

/// The squares whose line in this direction has no empty square.
fn full_lines(occupied: u64, (dx, dy): (i32, i32)) -> u64 {
    let walk = |square: Square, dx, dy| std::iter::successors(Some(square), move |&at| step_from(at, dx, dy));
    let is_full = |square: &Square| {
        walk(*square, dx, dy).chain(walk(*square, -dx, -dy)).all(|at| occupied & at.bit() != 0)
    };
    iter_squares(occupied).filter(is_full).map(Square::bit).sum()
}

/// The next square in a direction; `None` beyond the rim.
fn step_from(square: Square, dx: i32, dy: i32) -> Option<Square> {
    let column = usize::try_from(square.column() as i32 + dx).ok()?;
    Square::from_column_row(column, usize::try_from(square.row() as i32 + dy).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::{board, named};
    use ishi_rng::Seed;

    #[test]
    fn discs_are_stable_from_the_corner_on() {
        let board = board("XXXO---- XX------ X------- -------- -------- -------- -------- --------");
        let (own, other) = find_stable_discs(board);
        assert_eq!(own, named("a1 b1 c1 a2 b2 a3"));
        assert_eq!(other, 0, "d1 falls when Black plays e1");
    }

    #[test]
    fn full_lines_make_stable() {
        let board = board("OXXXXXXX -------- -------- -------- -------- -------- -------- --------");
        let (own, other) = find_stable_discs(board);
        assert_eq!((own, other), (named("b1 c1 d1 e1 f1 g1 h1"), named("a1")));
    }

    /// No disc that is called stable is turned in any of many random games.
    #[test]
    fn stable_discs_are_never_turned() {
        for game in 0..200 {
            let mut rng = Seed::new(5).stream("stable", game);
            let mut board = Board::START;
            while !board.is_over() {
                let (own, other) = find_stable_discs(board);
                let moves: Vec<Board> = board.children().map(|(_, child)| child).collect();
                board = rng.choose(&moves).copied().unwrap_or(board.pass());
                assert_eq!((board.opponent & own, board.player & other), (own, other));
            }
        }
    }
}
