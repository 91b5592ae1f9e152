//! An area of interest: a rectangle of the board in which alone an analysis looks for moves. They are allowed as those are that `allowMoves` of
//! KataGo's analysis protocol names: for the first move of a search.

use ishi_go::{BoardSize, Move, Point, Position};

use crate::workbench::error::PageError;
use crate::workbench::texts::args;

/// A rectangle of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardArea {
    /// Two opposite corners.
    corners: [Point; 2],
}

impl BoardArea {
    /// Two opposite corners as pages write them, `C3 G7`; nothing is the whole board.
    ///
    /// # Errors
    /// If it is anything else.
    pub(super) fn parse(text: &str, size: BoardSize) -> Result<Option<BoardArea>, PageError> {
        let vertices: Vec<&str> = text.split_whitespace().collect();
        match vertices[..] {
            [] => Ok(None),
            [from, to] => Ok(Some(BoardArea { corners: [size.parse_point(from)?, size.parse_point(to)?] })),
            _ => Err(PageError::invalid_input_with(
                "go-area-it-must-be-two-points",
                args![text = format!("{text:?}")],
            )),
        }
    }

    fn has(&self, point: Point) -> bool {
        let lies_within = |place: fn(Point) -> usize| {
            let [from, to] = self.corners.map(place);
            (from.min(to)..=from.max(to)).contains(&place(point))
        };
        lies_within(Point::column) && lies_within(Point::row)
    }

    /// The moves in it of the side to move. Where there is none a search passes.
    pub(super) fn list_moves(&self, position: &Position) -> Vec<Move> {
        let legal = position.legal_moves(position.to_move()).into_iter();
        legal.filter(|&point| self.has(point)).map(Move::Play).collect()
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Rules};

    use super::*;

    fn names(area: &str, position: &Position) -> Vec<String> {
        let area = BoardArea::parse(area, position.size()).unwrap().unwrap();
        let mut names: Vec<String> = area.list_moves(position).iter().map(Move::to_string).collect();
        names.sort();
        names
    }

    #[test]
    fn an_area_has_the_legal_moves_between_its_corners() {
        let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        let c4 = position.size().parse_point("C4").unwrap();
        position.play(Color::Black, c4.into()).unwrap();
        // Whichever corners are named, in whatever order.
        for corners in ["B3 C5", "C5 B3", "b5 c3", " C3  B5 "] {
            assert_eq!(names(corners, &position), ["B3", "B4", "B5", "C3", "C5"], "{corners}");
        }
        assert_eq!(names("C4 C4", &position), [""; 0], "a stone stands there");
        assert_eq!(names("A1 J9", &position).len(), 80);
    }

    #[test]
    fn what_is_no_area_is_refused() {
        let size = BoardSize::square(9).unwrap();
        assert_eq!(BoardArea::parse(" ", size), Ok(None));
        for wrong in ["C3", "C3 D4 E5", "C3 K10", "C3-D4", "pass C3"] {
            assert!(BoardArea::parse(wrong, size).is_err(), "{wrong}");
        }
    }
}
