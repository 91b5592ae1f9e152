//! A part of the board as a board of its own, so that a search need not look at the empty rest.

use ishi_go::{Board, BoardSize, Move, Point};

/// The stones of a board, with some lines around.
pub(super) struct BoardPart {
    pub(super) board: Board,
    /// Where its A1 lies on the whole board.
    column: usize,
    row: usize,
}

impl BoardPart {
    /// The part of all stones with so many lines around; the whole board if there are none. Where a search comes to the last of these lines, it takes
    /// the part's edge for the board's.
    pub(super) fn around_stones(board: &Board, margin: usize) -> BoardPart {
        let size = board.size();
        let stones = || size.points().filter(|&point| board.color(point).is_some());
        let range = |line: fn(Point) -> usize, lines: usize| {
            let start = stones().map(line).min().map_or(0, |least| least.saturating_sub(margin));
            start..stones().map(line).max().map_or(lines, |most| lines.min(most + margin + 1))
        };
        let (columns, rows) = (range(Point::column, size.width()), range(Point::row, size.height()));
        let size = BoardSize::new(columns.len(), rows.len()).expect("a part of a board, with all its lines");
        let mut part = BoardPart { board: Board::new(size), column: columns.start, row: rows.start };
        let inner = stones().filter_map(|point| Some((board.color(point)?, part.to_part(point)?)));
        part.board = Board::from_stones(size, inner).expect("chains keep their liberties");
        part.board.set_ko(board.ko_point().and_then(|ko| part.to_part(ko)));
        part
    }

    /// A point of the whole board, where it lies in the part.
    pub(super) fn to_part(&self, point: Point) -> Option<Point> {
        let (column, row) = (point.column().checked_sub(self.column)?, point.row().checked_sub(self.row)?);
        let size = self.board.size();
        (column < size.width() && row < size.height()).then(|| Point::new(column, row))
    }

    /// A point of the part, where it lies on the whole board.
    pub(super) fn to_whole(&self, point: Point) -> Point {
        Point::new(point.column() + self.column, point.row() + self.row)
    }

    /// A move in the part, as one on the whole board.
    pub(super) fn move_to_whole(&self, mv: Move) -> Move {
        mv.point().map_or(Move::Pass, |point| self.to_whole(point).into())
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Color;

    use super::*;
    use crate::test_boards::point_of;

    #[test]
    fn a_part_holds_the_stones_and_some_lines_around() {
        let mut board = Board::new(BoardSize::new(19, 13).unwrap());
        let stones = [(Color::Black, "H9"), (Color::White, "J9"), (Color::White, "H10")];
        for (color, name) in stones {
            board.play_unchecked(color, point_of(&board, name).into());
        }
        let part = BoardPart::around_stones(&board, 4);
        assert_eq!(part.board.size(), BoardSize::new(10, 9).unwrap());
        for (color, name) in stones {
            let inner = part.to_part(point_of(&board, name)).unwrap();
            assert_eq!(
                (part.board.color(inner), part.to_whole(inner)),
                (Some(color), point_of(&board, name))
            );
        }
        assert_eq!(part.to_part(point_of(&board, "D5")), Some(Point::new(0, 0)));
        assert_eq!(part.board.empty_points().count(), 10 * 9 - 3);
        let outside = ["H4", "C9", "O9"].map(|name| part.to_part(point_of(&board, name)));
        assert_eq!(outside, [None; 3]);
        assert_eq!(part.move_to_whole(Move::Pass), Move::Pass);
    }

    #[test]
    fn a_ko_stays_one() {
        let mut board = Board::new(BoardSize::new(19, 13).unwrap());
        let black = ["K9", "J8", "K7", "L8"].map(|name| (Color::Black, name));
        let white = ["L9", "M8", "L7"].map(|name| (Color::White, name));
        for (color, name) in black.into_iter().chain(white) {
            board.play_unchecked(color, point_of(&board, name).into());
        }
        board.play_unchecked(Color::White, point_of(&board, "K8").into());
        assert_eq!(board.ko_point(), Some(point_of(&board, "L8")));
        let part = BoardPart::around_stones(&board, 2);
        assert_eq!(part.board.size(), BoardSize::new(8, 7).unwrap());
        assert_eq!(part.board.ko_point().map(|ko| part.to_whole(ko)), board.ko_point());
    }

    #[test]
    fn without_stones_it_is_the_whole_board() {
        let board = Board::new(BoardSize::square(25).unwrap());
        assert_eq!(BoardPart::around_stones(&board, 4).board.size(), board.size());
    }
}
