//! Diagrams as pictures and in words.

use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{Board, BoardSize, Color, Point};

use super::diagram::{DiagramEdges, DiagramSquare, PatternDiagram, SIDE};

/// What a point of a diagram may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointSign {
    /// `X`: a black stone.
    Black,
    /// `O`: a white stone.
    White,
    /// `.`: nothing.
    Empty,
    /// `x`: a black stone or nothing.
    BlackOrEmpty,
    /// `o`: a white stone or nothing.
    WhiteOrEmpty,
    /// `%`: a stone of either colour.
    Stone,
    /// `_`: anything on the board.
    OnBoard,
    /// `?`: anything, even beyond the edge.
    Any,
}

impl PointSign {
    /// All signs, in the order in which an editor goes through them.
    pub const ALL: [PointSign; 8] = [
        PointSign::Any,
        PointSign::Black,
        PointSign::White,
        PointSign::Empty,
        PointSign::BlackOrEmpty,
        PointSign::WhiteOrEmpty,
        PointSign::Stone,
        PointSign::OnBoard,
    ];

    /// The sign of the texts.
    pub fn letter(self) -> char {
        match self {
            PointSign::Black => 'X',
            PointSign::White => 'O',
            PointSign::Empty => '.',
            PointSign::BlackOrEmpty => 'x',
            PointSign::WhiteOrEmpty => 'o',
            PointSign::Stone => '%',
            PointSign::OnBoard => '_',
            PointSign::Any => '?',
        }
    }

    /// The sign of a letter.
    pub fn from_letter(letter: char) -> Option<PointSign> {
        PointSign::ALL.into_iter().find(|sign| sign.letter() == letter)
    }

    /// The next one in the order of [`PointSign::ALL`], which begins again at its end.
    #[must_use]
    pub fn next_sign(self) -> PointSign {
        let place = PointSign::ALL.iter().position(|&sign| sign == self).unwrap_or(0);
        PointSign::ALL[(place + 1) % PointSign::ALL.len()]
    }

    /// May there be a black stone, a white stone, nothing?
    fn allowed_contents(self) -> [bool; 3] {
        match self {
            PointSign::Black => [true, false, false],
            PointSign::White => [false, true, false],
            PointSign::Empty => [false, false, true],
            PointSign::BlackOrEmpty => [true, false, true],
            PointSign::WhiteOrEmpty => [false, true, true],
            PointSign::Stone => [true, true, false],
            PointSign::OnBoard => [true; 3],
            PointSign::Any => [false; 3],
        }
    }
}

impl PatternDiagram {
    /// What a point may be.
    pub fn sign_at(&self, at: DiagramSquare) -> PointSign {
        let may = [self.black, self.white, self.empty].map(|board| board & at.bit() != 0);
        PointSign::ALL.into_iter().find(|sign| sign.allowed_contents() == may).expect("all eight are there")
    }

    /// Says what a point may be.
    pub fn set_sign(&mut self, at: DiagramSquare, sign: PointSign) {
        let boards = [&mut self.black, &mut self.white, &mut self.empty];
        for (board, may) in boards.into_iter().zip(sign.allowed_contents()) {
            *board = if may { *board | at.bit() } else { *board & !at.bit() };
        }
    }

    /// A picture of so many columns and rows, which are those of the frame or more; what lies outside the frame is veiled. Points that
    /// may be anything are veiled lightly, those that may be two things have a small mark.
    pub fn draw_picture(&self, columns: usize, rows: usize) -> BoardPicture {
        let (columns, rows) = (columns.max(self.width), rows.max(self.height));
        let side = |lines: usize| lines.clamp(BoardSize::MIN, SIDE);
        let size = BoardSize::new(side(columns), side(rows)).expect("2 to 8 lines are a board");
        let closed = |edge: DiagramEdges| self.edges.contains_all(edge);
        let open = [DiagramEdges::LEFT, DiagramEdges::BOTTOM, DiagramEdges::RIGHT, DiagramEdges::TOP]
            .map(|edge| !closed(edge));
        let mut picture = BoardPicture::from_board(&Board::new(size)).with_open_sides(open);
        for point in size.points() {
            let square = DiagramSquare::new(point.column(), point.row());
            picture = if self.frame_points() & square.bit() == 0 {
                picture.with_shade(point, PictureTone::Black, 1.0, 0.5)
            } else {
                draw_sign(picture, point, self.sign_at(square))
            };
        }
        picture
    }

    /// The points of the frame that must or may be something, by what they may be: `[(PointSign::Black, ["B3", "C4"]), ...]`.
    pub fn squares_by_sign(&self) -> Vec<(PointSign, Vec<DiagramSquare>)> {
        let of = |sign: PointSign| -> Vec<DiagramSquare> {
            let squares = (0..SIDE * SIDE).map(DiagramSquare::from_index);
            squares.filter(|s| self.frame_points() & s.bit() != 0 && self.sign_at(*s) == sign).collect()
        };
        PointSign::ALL
            .map(|sign| (sign, of(sign)))
            .into_iter()
            .filter(|(_, points)| !points.is_empty())
            .collect()
    }
}

fn draw_sign(picture: BoardPicture, point: Point, sign: PointSign) -> BoardPicture {
    match sign {
        PointSign::Black => picture.with_stone(Color::Black, point, ""),
        PointSign::White => picture.with_stone(Color::White, point, ""),
        PointSign::Empty => picture,
        PointSign::BlackOrEmpty => picture.with_mark(point, PictureMark::Dot, PictureTone::Black),
        PointSign::WhiteOrEmpty => picture.with_mark(point, PictureMark::Dot, PictureTone::White),
        PointSign::Stone => picture.with_mark(point, PictureMark::Square, PictureTone::Note),
        PointSign::OnBoard => picture.with_shade(point, PictureTone::Black, 0.45, 0.25),
        PointSign::Any => picture.with_shade(point, PictureTone::Black, 1.0, 0.2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::text;

    #[test]
    fn signs_are_read_and_set() {
        let text = "ishi-shapes 1\npattern all\n: X O . x\n: o % _ ?\n---------\nB C2 0 0 normal\n";
        let library = text::parse_library(text).unwrap();
        let mut diagram = library.patterns()[0].diagram;
        let of = |diagram: &PatternDiagram, at: &str| diagram.sign_at(DiagramSquare::parse(at).unwrap());
        let row = |row: char| -> String {
            "ABCD".chars().map(|column| of(&diagram, &format!("{column}{row}")).letter()).collect()
        };
        assert_eq!((row('2').as_str(), row('1').as_str()), ("XO.x", "o%_?"));
        for sign in PointSign::ALL {
            diagram.set_sign(DiagramSquare::parse("B2").unwrap(), sign);
            assert_eq!((of(&diagram, "B2"), PointSign::from_letter(sign.letter())), (sign, Some(sign)));
        }
        assert_eq!(PointSign::ALL.map(PointSign::next_sign)[7], PointSign::ALL[0]);
    }

    #[test]
    fn pictures_show_the_edge_and_veil_what_is_outside() {
        let text = "ishi-shapes 1\npattern p\n| X ?\n| . O\n+----\nB A1 0 0 normal\n";
        let diagram = text::parse_library(text).unwrap().patterns()[0].diagram;
        let svg = diagram.draw_picture(3, 3).without_coordinates().to_svg();
        assert_eq!(svg.matches("r=\"11.3\"").count(), 2, "two stones");
        assert_eq!(svg.matches("fill-opacity=\"0.50\"").count(), 5, "five points outside");
        assert_eq!(svg.matches("fill-opacity=\"0.20\"").count(), 1);
        assert!(svg.contains("M14 3V62"), "open above, closed below: {svg}");
        assert_eq!(diagram.squares_by_sign().len(), 4);
    }
}
