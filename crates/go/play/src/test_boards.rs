//! Boards and points of tests, as they are drawn and called.

use ishi_go::{Board, BoardSize, Color, Diagram, Point, Position, Rules};
use ishi_reading::PointSet;

/// The board that these rows draw.
pub(crate) fn board_of_rows(rows: &str) -> Board {
    rows.parse::<Diagram>().unwrap().to_board().unwrap()
}

/// The same as a position, by Chinese rules.
pub(crate) fn position_of_rows(rows: &str, to_move: Color) -> Position {
    rows.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, to_move).unwrap()
}

/// The point of a board that is called so.
pub(crate) fn point_of(board: &Board, vertex: &str) -> Point {
    board.size().parse_point(vertex).unwrap()
}

/// Points of a board of 19 lines, their names between spaces.
pub(crate) fn points_on_19_lines(vertices: &str) -> PointSet {
    let size = BoardSize::square(19).unwrap();
    vertices.split_whitespace().map(|vertex| size.parse_point(vertex).unwrap()).collect()
}
