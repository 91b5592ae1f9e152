//! Diagrams as pictures and in words.

use ishi_go::picture::{Mark, Picture, Tone};
use ishi_go::{Board, BoardSize, Color, Point};

use super::diagram::{Diagram, Edges, SIDE, Square};

/// What a point of a diagram may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
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

impl Sign {
    /// All signs, in the order in which an editor goes through them.
    pub const ALL: [Sign; 8] = [
        Sign::Any,
        Sign::Black,
        Sign::White,
        Sign::Empty,
        Sign::BlackOrEmpty,
        Sign::WhiteOrEmpty,
        Sign::Stone,
        Sign::OnBoard,
    ];

    /// The sign of the texts.
    pub fn letter(self) -> char {
        match self {
            Sign::Black => 'X',
            Sign::White => 'O',
            Sign::Empty => '.',
            Sign::BlackOrEmpty => 'x',
            Sign::WhiteOrEmpty => 'o',
            Sign::Stone => '%',
            Sign::OnBoard => '_',
            Sign::Any => '?',
        }
    }

    /// The sign of a letter.
    pub fn of_letter(letter: char) -> Option<Sign> {
        Sign::ALL.into_iter().find(|sign| sign.letter() == letter)
    }

    /// The next one in the order of [`Sign::ALL`], which begins again at its end.
    #[must_use]
    pub fn next(self) -> Sign {
        let place = Sign::ALL.iter().position(|&sign| sign == self).unwrap_or(0);
        Sign::ALL[(place + 1) % Sign::ALL.len()]
    }

    /// May there be a black stone, a white stone, nothing?
    fn may(self) -> [bool; 3] {
        match self {
            Sign::Black => [true, false, false],
            Sign::White => [false, true, false],
            Sign::Empty => [false, false, true],
            Sign::BlackOrEmpty => [true, false, true],
            Sign::WhiteOrEmpty => [false, true, true],
            Sign::Stone => [true, true, false],
            Sign::OnBoard => [true; 3],
            Sign::Any => [false; 3],
        }
    }
}

impl Diagram {
    /// What a point may be.
    pub fn sign(&self, at: Square) -> Sign {
        let may = [self.black, self.white, self.empty].map(|board| board & at.bit() != 0);
        Sign::ALL.into_iter().find(|sign| sign.may() == may).expect("all eight are there")
    }

    /// Says what a point may be.
    pub fn set_sign(&mut self, at: Square, sign: Sign) {
        let boards = [&mut self.black, &mut self.white, &mut self.empty];
        for (board, may) in boards.into_iter().zip(sign.may()) {
            *board = if may { *board | at.bit() } else { *board & !at.bit() };
        }
    }

    /// A picture of so many columns and rows, which are those of the frame or more; what lies outside the frame is veiled. Points that
    /// may be anything are veiled lightly, those that may be two things have a small mark.
    pub fn picture(&self, columns: usize, rows: usize) -> Picture {
        let (columns, rows) = (columns.max(self.width), rows.max(self.height));
        let side = |lines: usize| lines.clamp(BoardSize::MIN, SIDE);
        let size = BoardSize::new(side(columns), side(rows)).expect("2 to 8 lines are a board");
        let closed = |edge: Edges| self.edges.has(edge);
        let open = [Edges::LEFT, Edges::BOTTOM, Edges::RIGHT, Edges::TOP].map(|edge| !closed(edge));
        let mut picture = Picture::of(&Board::new(size)).open(open);
        for point in size.points() {
            let square = Square::new(point.column(), point.row());
            picture = if self.frame() & square.bit() == 0 {
                picture.shade(point, Tone::Black, 1.0, 0.5)
            } else {
                draw(picture, point, self.sign(square))
            };
        }
        picture
    }

    /// The points of the frame that must or may be something, by what they may be: `[(Sign::Black, ["B3", "C4"]), ...]`.
    pub fn by_sign(&self) -> Vec<(Sign, Vec<Square>)> {
        let of = |sign: Sign| -> Vec<Square> {
            let squares = (0..SIDE * SIDE).map(Square::from_index);
            squares.filter(|s| self.frame() & s.bit() != 0 && self.sign(*s) == sign).collect()
        };
        Sign::ALL.map(|sign| (sign, of(sign))).into_iter().filter(|(_, points)| !points.is_empty()).collect()
    }
}

fn draw(picture: Picture, point: Point, sign: Sign) -> Picture {
    match sign {
        Sign::Black => picture.stone(Color::Black, point, ""),
        Sign::White => picture.stone(Color::White, point, ""),
        Sign::Empty => picture,
        Sign::BlackOrEmpty => picture.mark(point, Mark::Dot, Tone::Black),
        Sign::WhiteOrEmpty => picture.mark(point, Mark::Dot, Tone::White),
        Sign::Stone => picture.mark(point, Mark::Square, Tone::Note),
        Sign::OnBoard => picture.shade(point, Tone::Black, 0.45, 0.25),
        Sign::Any => picture.shade(point, Tone::Black, 1.0, 0.2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::text;

    #[test]
    fn signs_are_read_and_set() {
        let text = "ishi-shapes 1\npattern all\n: X O . x\n: o % _ ?\n---------\nB C2 0 0 normal\n";
        let library = text::parse(text).unwrap();
        let mut diagram = library.patterns()[0].diagram;
        let of = |diagram: &Diagram, at: &str| diagram.sign(Square::parse(at).unwrap());
        let row = |row: char| -> String {
            "ABCD".chars().map(|column| of(&diagram, &format!("{column}{row}")).letter()).collect()
        };
        assert_eq!((row('2').as_str(), row('1').as_str()), ("XO.x", "o%_?"));
        for sign in Sign::ALL {
            diagram.set_sign(Square::parse("B2").unwrap(), sign);
            assert_eq!((of(&diagram, "B2"), Sign::of_letter(sign.letter())), (sign, Some(sign)));
        }
        assert_eq!(Sign::ALL.map(Sign::next)[7], Sign::ALL[0]);
    }

    #[test]
    fn pictures_show_the_edge_and_veil_what_is_outside() {
        let text = "ishi-shapes 1\npattern p\n| X ?\n| . O\n+----\nB A1 0 0 normal\n";
        let diagram = text::parse(text).unwrap().patterns()[0].diagram;
        let svg = diagram.picture(3, 3).bare().svg();
        assert_eq!(svg.matches("r=\"11.3\"").count(), 2, "two stones");
        assert_eq!(svg.matches("fill-opacity=\"0.50\"").count(), 5, "five points outside");
        assert_eq!(svg.matches("fill-opacity=\"0.20\"").count(), 1);
        assert!(svg.contains("M14 3V62"), "open above, closed below: {svg}");
        assert_eq!(diagram.by_sign().len(), 4);
    }
}
