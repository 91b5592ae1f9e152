//! Boards as text: diagrams for people and for tests.
//!
//! A [`Board`] prints as GTP's `showboard` does in GNU Go: `X` for Black, `O` for White, `.` for empty points, `+` for
//! star points, coordinates all round. A [`Position`] puts the last move into parentheses and says below who is to
//! move. [`Diagram`] reads such pictures back, and plain rows of `.`, `X` and `O` too, with or without spaces and
//! coordinates; small letters mark empty points, for tests to name. What follows the column letters below, or the row
//! number at the right (GNU Go writes prisoners there), is not read.

use std::collections::BTreeMap;
use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::board::{Board, SetupError};
use crate::color::{Cell, Color};
use crate::handicap;
use crate::moves::COLUMNS;
use crate::point::{BoardSize, Point, SizeError};
use crate::position::Position;

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&draw_board(self, None))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board {} with hash {:016x}, ko {:?}\n{self}", self.size(), self.hash(), self.ko_point())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&draw_board(self.board(), self.last_move().and_then(|(_, mv)| mv.point())))?;
        if let Some((color, mv)) = self.last_move() {
            writeln!(f, "Move {}: {color} {mv}.", self.moves().len())?;
        }
        write!(f, "{} to move. ", capitalized_color(self.to_move()))?;
        let [black, white] = Color::ALL.map(|color| self.prisoners(color));
        writeln!(f, "Prisoners: black {black}, white {white}. Komi {}, {} rules.", self.komi(), self.rules())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}Moves: {:?}", self.moves())
    }
}

fn capitalized_color(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// The board, each line ended by a newline; `marked` stands in parentheses.
fn draw_board(board: &Board, marked: Option<Point>) -> String {
    let size = board.size();
    let stars = handicap::star_points(size);
    let letters: String = COLUMNS[..size.width()].iter().flat_map(|&letter| [' ', letter as char]).collect();
    let mut text = format!("  {letters}\n");
    for row in (0..size.height()).rev() {
        text.push_str(&format!("{:2}", row + 1));
        let mut closing = false;
        for point in (0..size.width()).map(|column| Point::new(column, row)) {
            let here = marked == Some(point);
            text.push(if here {
                '('
            } else if closing {
                ')'
            } else {
                ' '
            });
            text.push(cell_symbol(board.cell(point), stars.contains(&point)));
            closing = here;
        }
        text.push_str(&format!("{}{}\n", if closing { ')' } else { ' ' }, row + 1));
    }
    text + "  " + &letters + "\n"
}

fn cell_symbol(cell: Cell, star: bool) -> char {
    match cell {
        Cell::Black => 'X',
        Cell::White => 'O',
        Cell::Empty if star => '+',
        Cell::Empty | Cell::Border => '.',
    }
}

/// A picture of a board.
///
/// ```
/// use ishi_go::{Color, Diagram, Rules};
/// let diagram: Diagram = "
///     . X O .
///     X . X O
///     . X O a
/// ".parse().unwrap();
/// let mut game = diagram.to_position(Rules::CHINESE, Color::White).unwrap();
/// let a = diagram.marks[&'a'];
/// assert_eq!(a.to_string(), "D1");
/// assert_eq!(diagram.stones.len(), 7);
/// assert!(game.play(Color::White, a.into()).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Width and height.
    pub size: BoardSize,
    /// The stones, row by row from A1.
    pub stones: Vec<(Color, Point)>,
    /// Empty points by the small letter that marks them.
    pub marks: BTreeMap<char, Point>,
}

impl Diagram {
    /// The board of the picture.
    ///
    /// # Errors
    /// If a chain has no liberty.
    pub fn to_board(&self) -> Result<Board, SetupError> {
        Board::from_stones(self.size, self.stones.iter().copied())
    }

    /// A position that starts with the picture.
    ///
    /// # Errors
    /// If a chain has no liberty.
    pub fn to_position(&self, rules: crate::Rules, to_move: Color) -> Result<Position, SetupError> {
        Position::from_setup(self.size, rules, self.stones.iter().copied(), to_move)
    }
}

/// The text was no diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagramError {
    /// No rows, or more or longer ones than a board has.
    Size(SizeError),
    /// A row that is longer or shorter than the first one.
    Uneven {
        /// Its line in the text, from 1.
        line: usize,
        /// Points in it.
        points: usize,
        /// Points in the first row.
        expected: usize,
    },
    /// A character that means nothing.
    Unknown {
        /// Its line in the text, from 1.
        line: usize,
        /// The character.
        character: char,
    },
    /// A letter that marks two points.
    MarkedTwice {
        /// The line of the second one, from 1.
        line: usize,
        /// The letter.
        letter: char,
    },
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiagramError::Size(error) => error.fmt(f),
            DiagramError::Uneven { line, points, expected } => {
                write!(f, "line {line} of the diagram has {points} points: the first row has {expected}")
            }
            DiagramError::Unknown { line, character } => write!(
                f,
                "unknown character {character:?} in line {line} of the diagram: write . for an empty point, X for \
                 black, O for white, a small letter for a mark"
            ),
            DiagramError::MarkedTwice { line, letter } => {
                write!(
                    f,
                    "line {line} of the diagram marks a second point as {letter:?}: each letter marks one point"
                )
            }
        }
    }
}

impl std::error::Error for DiagramError {}

impl CodedError for DiagramError {
    fn facts(&self) -> ErrorFacts {
        match self {
            DiagramError::Size(error) => error.facts(),
            DiagramError::Uneven { line, points, expected } => {
                facts!["go-diagram-uneven", line, points, expected]
            }
            DiagramError::Unknown { line, character } => {
                facts!["go-diagram-unknown", line, character = format!("{character:?}")]
            }
            DiagramError::MarkedTwice { line, letter } => {
                facts!["go-diagram-marked-twice", line, letter = format!("{letter:?}")]
            }
        }
    }
}

/// What one character of a row says.
enum DiagramSign {
    Empty,
    Stone(Color),
    Mark(char),
}

impl std::str::FromStr for Diagram {
    type Err = DiagramError;

    fn from_str(text: &str) -> Result<Diagram, DiagramError> {
        let mut rows = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let content = without_row_numbers(line);
            if is_column_letters(content) {
                if rows.is_empty() {
                    continue;
                }
                break;
            }
            if !content.is_empty() {
                rows.push((index + 1, parse_signs(content, index + 1)?));
            }
        }
        let width = rows.first().map_or(0, |(_, row)| row.len());
        let size = BoardSize::new(width, rows.len()).map_err(DiagramError::Size)?;
        let mut diagram = Diagram { size, stones: Vec::new(), marks: BTreeMap::new() };
        for (row, (line, signs)) in rows.into_iter().rev().enumerate() {
            if signs.len() != width {
                return Err(DiagramError::Uneven { line, points: signs.len(), expected: width });
            }
            for (column, sign) in signs.into_iter().enumerate() {
                diagram.add_sign(sign, Point::new(column, row), line)?;
            }
        }
        Ok(diagram)
    }
}

impl Diagram {
    fn add_sign(&mut self, sign: DiagramSign, point: Point, line: usize) -> Result<(), DiagramError> {
        match sign {
            DiagramSign::Empty => {}
            DiagramSign::Stone(color) => self.stones.push((color, point)),
            DiagramSign::Mark(letter) => {
                if self.marks.insert(letter, point).is_some() {
                    return Err(DiagramError::MarkedTwice { line, letter });
                }
            }
        }
        Ok(())
    }
}

/// The points of a line: what stands between the row numbers, if there are any.
fn without_row_numbers(line: &str) -> &str {
    let row = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    row.split(|c: char| c.is_ascii_digit()).next().unwrap_or(row).trim()
}

/// Is this the line of column letters above or below a board?
fn is_column_letters(line: &str) -> bool {
    line.starts_with('A') && line.chars().all(|c| c.is_ascii_uppercase() || c.is_whitespace())
}

fn parse_signs(row: &str, line: usize) -> Result<Vec<DiagramSign>, DiagramError> {
    let visible = row.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')'));
    visible.map(|character| parse_sign(character).ok_or(DiagramError::Unknown { line, character })).collect()
}

fn parse_sign(character: char) -> Option<DiagramSign> {
    match character {
        '.' | '+' | ',' => Some(DiagramSign::Empty),
        'X' | '#' | '●' => Some(DiagramSign::Stone(Color::Black)),
        'O' | '○' => Some(DiagramSign::Stone(Color::White)),
        'a'..='z' => Some(DiagramSign::Mark(character)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::Move;
    use crate::rules::Rules;

    #[test]
    fn a_position_shows_its_last_move() {
        let diagram: Diagram = "
            . O . . .
            . . . . .
            . . a . .
            . . . . .
        "
        .parse()
        .unwrap();
        let mut game = diagram.to_position(Rules::JAPANESE, Color::Black).unwrap();
        game.play(Color::Black, diagram.marks[&'a'].into()).unwrap();
        let shown = "   A B C D E
 4 . O . . . 4
 3 . . . . . 3
 2 . .(X). . 2
 1 . . . . . 1
   A B C D E
Move 1: black C2.
White to move. Prisoners: black 0, white 0. Komi 6.5, japanese rules.
";
        assert_eq!(game.to_string(), shown);
        assert_eq!(shown.parse::<Diagram>().unwrap().stones.len(), 2);
    }

    #[test]
    fn printed_boards_are_read_back() {
        for size in
            [BoardSize::square(2).unwrap(), BoardSize::square(25).unwrap(), BoardSize::new(19, 7).unwrap()]
        {
            let mut board = Board::new(size);
            for (n, point) in size.points().enumerate().filter(|(n, _)| n % 5 < 2) {
                let color = if n % 5 == 0 { Color::Black } else { Color::White };
                board.play_unchecked(color, Move::Play(point));
            }
            let read: Diagram = board.to_string().parse().unwrap();
            assert_eq!(read.size, size);
            assert_eq!(read.to_board().unwrap().hash(), board.hash());
        }
    }

    #[test]
    fn boards_of_gnu_go_are_read() {
        let shown = "   A B C D\n 4 . . . . 4\n 3 . X O . 3\n 2 . X . . 2     WHITE (O) has captured 0 stones\n \
            1 . . . . 1     BLACK (X) has captured 12 stones\n   A B C D\n";
        let diagram: Diagram = shown.parse().unwrap();
        assert_eq!((diagram.size, diagram.stones.len()), (BoardSize::square(4).unwrap(), 3));
    }

    #[test]
    fn bad_diagrams_are_answered_with_the_line() {
        let error = |text: &str| text.parse::<Diagram>().unwrap_err().to_string();
        assert_eq!(error(". .\n. . .\n"), "line 2 of the diagram has 3 points: the first row has 2");
        assert!(error("..\n.?").starts_with("unknown character '?' in line 2 of the diagram: write . for"));
        assert!(error("A.\n..").starts_with("unknown character 'A' in line 1"));
        assert!(error("").starts_with("unacceptable size 0x0"));
        assert!(error("\n\n.....").starts_with("unacceptable size 5x1"));
        assert!(error("a.\n.a").contains("marks a second point as 'a'"));
    }
}

#[cfg(test)]
mod fuzz {
    use proptest::prelude::*;

    use super::Diagram;
    use crate::{BoardSize, Color, Rules};

    proptest! {
        /// No text makes a reader panic, and every diagram that is read draws a board that is read back.
        #[test]
        fn no_text_makes_a_reader_panic(text in "[.XO+,a-cA19() \n\t#é●]{0,40}|\\PC{0,40}|([.XO]{3}\n){3}") {
            let _ = (text.parse::<Rules>(), text.parse::<BoardSize>(), text.parse::<Color>());
            let _ = BoardSize::square(9).map(|size| size.parse_move(&text).is_ok());
            if let Ok(board) = text.parse::<Diagram>().map_err(drop).and_then(|d| d.to_board().map_err(drop)) {
                let again: Diagram = board.to_string().parse().unwrap();
                prop_assert_eq!(again.to_board().unwrap().hash(), board.hash());
            }
        }
    }
}
