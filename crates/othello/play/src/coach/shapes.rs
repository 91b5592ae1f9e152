//! Shapes at the edge, and who may play where.

use ishi_othello::{Board, Square};

use super::causes::BoardEdge;

/// The squares of an edge in their order, corners and all.
fn list_squares(edge: BoardEdge) -> [Option<Square>; 8] {
    std::array::from_fn(|place| match edge {
        BoardEdge::Top => Square::from_column_row(place, 0),
        BoardEdge::Bottom => Square::from_column_row(place, 7),
        BoardEdge::Left => Square::from_column_row(0, place),
        BoardEdge::Right => Square::from_column_row(7, place),
    })
}

/// The edges on which the side that the board is seen by has an unbalanced edge (Japanese ウイング): five discs in a row and nothing else, from the square
/// beside one empty corner to the second square from the other.
pub(super) fn find_unbalanced_edges(board: Board) -> Vec<BoardEdge> {
    let is_unbalanced = |edge: &BoardEdge| {
        let squares = list_squares(*edge);
        let row_of = |places: std::ops::Range<usize>| -> u64 {
            squares[places].iter().flatten().map(|square| square.bit()).sum()
        };
        let own = board.player & edge.squares();
        board.opponent & edge.squares() == 0 && (own == row_of(1..6) || own == row_of(2..7))
    };
    BoardEdge::ALL.into_iter().filter(is_unbalanced).collect()
}

/// Moves on these squares: of the side that the board is seen by, were it to move, and of the other.
pub(super) fn count_moves_in(board: Board, squares: u64) -> (u32, u32) {
    let count = |board: Board| (board.legal_moves() & squares).count_ones();
    (count(board), count(board.pass()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::BoardArea;
    use crate::coach::testing::{board, square};

    #[test]
    fn an_unbalanced_edge_has_five_discs_to_one_side() {
        let found = |rows: &str| find_unbalanced_edges(board(rows));
        let rest = "-------- -------- ---OX--- ---XO--- -------- -------- --------";
        assert_eq!(found(&format!("-XXXXX-- {rest}")), [BoardEdge::Top]);
        assert_eq!(found(&format!("--XXXXX- {rest}")), [BoardEdge::Top]);
        // Four in the middle, six, one with a disc of the other side, and one of the other side are none.
        for row in ["--XXXX--", "-XXXXXX-", "-XXXXXO-", "-OOOOO--", "XXXXX---"] {
            assert!(found(&format!("{row} {rest}")).is_empty(), "{row}");
        }
        let right = "-------- -------X -------X ---OX--X ---XO--X -------X -------- --------";
        assert_eq!(found(right), [BoardEdge::Right]);
        let left = "-------- -------- X------- X--OX--- X--XO--- X------- X------- --------";
        assert_eq!(found(left), [BoardEdge::Left]);
        let bottom = "-------- -------- -------- ---OX--- ---XO--- -------- -------- -XXXXX--";
        assert_eq!(found(bottom), [BoardEdge::Bottom]);
    }

    /// In the first position both sides have four moves. f5 is one of Black's.
    #[test]
    fn moves_are_counted_by_quarter() {
        let counted = |corner| count_moves_in(Board::START, BoardArea::Quarter(square(corner)).squares());
        let all = ["a1", "h1", "a8", "h8"].map(counted);
        let sum = all.iter().fold((0, 0), |sum, moves| (sum.0 + moves.0, sum.1 + moves.1));
        assert_eq!(sum, (4, 4), "{all:?}");
        assert_eq!(count_moves_in(Board::START, 0), (0, 0));
        assert_eq!(count_moves_in(Board::START, square("f5").bit()), (1, 0));
    }
}
