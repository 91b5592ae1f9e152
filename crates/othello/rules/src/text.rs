//! Boards as text: eight drawn rows, or 64 characters in a line, with the side to move behind.
//!
//! Black is `X`, `*`, `B` or `●`, White `O`, `W` or `○`, in either case; `-`, `.` and `_` are empty. Coordinates and borders
//! round a drawn board may be there or not.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::board::Board;
use crate::color::Color;
use crate::position::Position;
use crate::square::Square;

/// Why a text is no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardTextError {
    /// A character that means nothing here.
    #[error(
        "{}column {column}: {found:?} is no square: it must be X (black), O (white) or - (empty)",
        .line.map_or(String::new(), |line| format!("line {line}, "))
    )]
    Character {
        /// From 1. `None` where the text is one line, which may have another number in the file that it is from.
        line: Option<usize>,
        /// The column in characters, from 1.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// The same on a board whose discs are digits.
    #[error(
        "{}column {column}: {found:?} is no square of a board in digits: it must be 0 (black), 1 (white) or - (empty)",
        .line.map_or(String::new(), |line| format!("line {line}, "))
    )]
    Digit {
        /// As for [`BoardTextError::Character`].
        line: Option<usize>,
        /// The column in characters, from 1.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// A row that is too short or too long, in a text of several lines.
    #[error("line {line}: {found} squares in {text:?}, a row must have 8")]
    Row {
        /// From 1.
        line: usize,
        /// How many.
        found: usize,
        /// The line, shortened.
        text: String,
    },
    /// Too few rows.
    #[error("{found} squares, a board must have 64")]
    Squares {
        /// How many.
        found: usize,
    },
    /// Nothing says whose move it is.
    #[error("nobody is to move: write X or O after the board")]
    NoSide,
    /// Something else stands where the side to move should.
    #[error("{found:?} after the board does not say who is to move: write X or O")]
    Side {
        /// What stands there, shortened.
        found: String,
    },
}

impl CodedError for BoardTextError {
    fn facts(&self) -> ErrorFacts {
        match self {
            BoardTextError::Character { line: Some(line), column, found } => {
                facts!["othello-board-character", line, column, found = format!("{found:?}")]
            }
            BoardTextError::Character { line: None, column, found } => {
                facts!["othello-board-line-character", column, found = format!("{found:?}")]
            }
            BoardTextError::Digit { line: Some(line), column, found } => {
                facts!["othello-board-digit", line, column, found = format!("{found:?}")]
            }
            BoardTextError::Digit { line: None, column, found } => {
                facts!["othello-board-line-digit", column, found = format!("{found:?}")]
            }
            BoardTextError::Row { line, found, text } => {
                facts!["othello-board-row", line, found, text = format!("{text:?}")]
            }
            BoardTextError::Squares { found } => facts!["othello-board-squares", found],
            BoardTextError::NoSide => facts!["othello-board-no-side"],
            BoardTextError::Side { found } => facts!["othello-board-side", found = format!("{found:?}")],
        }
    }
}

impl Position {
    /// Reads a board with the side to move, drawn or in a line.
    ///
    /// ```
    /// use ishi_othello::{Board, Color, Position};
    /// let line = "---------------------------OX------XO--------------------------- X";
    /// let position = Position::from_text(line).unwrap();
    /// assert_eq!((position.board(), position.to_move()), (Board::START, Color::Black));
    /// assert_eq!(position.to_line(), line);
    /// assert_eq!(Position::from_text(&position.to_diagram()), Ok(position));
    /// ```
    ///
    /// # Errors
    /// Says where the text is wrong, and what would be right.
    pub fn from_text(text: &str) -> Result<Position, BoardTextError> {
        Position::read_board(text, BoardSigns::Letters)
    }

    /// Reads a board as [`Position::from_text`] does, with these signs for its discs. Digits are no row numbers where they are discs.
    pub(crate) fn read_board(text: &str, signs: BoardSigns) -> Result<Position, BoardTextError> {
        let (cells, rest) = read_cells(text, signs)?;
        let to_move = read_side(&rest, signs).map_err(|error| match count_before_side(text, signs) {
            Some(found) if error == BoardTextError::NoSide => BoardTextError::Squares { found },
            _ => error,
        })?;
        Ok(build_position(&cells, to_move))
    }

    /// The 64 squares in a line, a space, and the side to move.
    pub fn to_line(&self) -> String {
        let cells: String = Square::all().map(|square| self.color(square).map_or('-', side_letter)).collect();
        format!("{cells} {}", side_letter(self.to_move()))
    }

    /// Eight rows with coordinates, and a line that says who is to move.
    pub fn to_diagram(&self) -> String {
        format!("{}{} to move\n", self.to_rows(|_| '-'), side_letter(self.to_move()))
    }

    /// Eight rows with coordinates: X black, O white, and the sign that `empty` gives on the other squares.
    pub fn to_rows(&self, empty: impl Fn(Square) -> char) -> String {
        let mut text = String::from("  a b c d e f g h\n");
        for row in 0..8 {
            let squares = (0..8).filter_map(|column| Square::from_column_row(column, row));
            let sign = |square: Square| self.color(square).map_or_else(|| empty(square), side_letter);
            let cells: Vec<String> = squares.map(|square| sign(square).to_string()).collect();
            text += &format!("{} {}\n", row + 1, cells.join(" "));
        }
        text
    }
}

/// The drawn board of [`Position::to_diagram`].
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_diagram())
    }
}

/// `X` for Black, `O` for White.
pub(crate) fn side_letter(color: Color) -> char {
    match color {
        Color::Black => 'X',
        Color::White => 'O',
    }
}

/// What discs of a board are written with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoardSigns {
    /// `X` and `O`, and what else stands for them at the head of this module.
    Letters,
    /// `0` for black and `1` for white.
    Digits,
}

impl BoardSigns {
    /// A square: `Some(None)` if it is empty, `None` if the character means nothing.
    fn parse_cell(self, c: char) -> Option<Option<Color>> {
        match (self, c) {
            (BoardSigns::Letters, _) => parse_cell(c),
            (BoardSigns::Digits, '0') => Some(Some(Color::Black)),
            (BoardSigns::Digits, '1') => Some(Some(Color::White)),
            (BoardSigns::Digits, _) => parse_cell(c).filter(Option::is_none),
        }
    }

    /// A character that means nothing.
    fn refuse_cell(self, line: Option<usize>, column: usize, found: char) -> BoardTextError {
        match self {
            BoardSigns::Letters => BoardTextError::Character { line, column, found },
            BoardSigns::Digits => BoardTextError::Digit { line, column, found },
        }
    }
}

/// A square in letters: `Some(None)` if it is empty, `None` if the character means nothing.
fn parse_cell(c: char) -> Option<Option<Color>> {
    match c {
        'X' | 'x' | '*' | 'B' | 'b' | '●' => Some(Some(Color::Black)),
        'O' | 'o' | 'W' | 'w' | '○' => Some(Some(Color::White)),
        '-' | '.' | '_' => Some(None),
        _ => None,
    }
}

/// A position of 64 cells.
fn build_position(cells: &[Option<Color>], to_move: Color) -> Position {
    let discs = |color: Color| {
        let here = cells.iter().zip(Square::all()).filter(|(cell, _)| **cell == Some(color));
        here.fold(0, |bits, (_, square)| bits | square.bit())
    };
    Position::from_board(Board { player: discs(to_move), opponent: discs(!to_move) }, to_move)
}

/// The 64 squares, and the text behind them without labels and borders.
fn read_cells(text: &str, signs: BoardSigns) -> Result<(Vec<Option<Color>>, String), BoardTextError> {
    let mut cells = Vec::with_capacity(64);
    let mut rest = String::new();
    let has_lines = text.lines().nth(1).is_some();
    for (number, text) in (1..).zip(text.lines()) {
        let line = has_lines.then_some(number);
        if is_frame(text) {
            continue;
        }
        let behind = if cells.len() < 64 { read_row(line, text, signs, &mut cells)? } else { text };
        rest += behind.trim_start_matches(['|', ' ', '8']);
        rest.push(' ');
    }
    if cells.len() < 64 {
        return Err(BoardTextError::Squares { found: cells.len() });
    }
    Ok((cells, rest))
}

/// Letters of the columns, a border, or nothing.
fn is_frame(text: &str) -> bool {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '|').collect();
    plain.is_empty() || plain.eq_ignore_ascii_case("abcdefgh") || plain.starts_with('+')
}

/// A row has a number on either side at most: between two rows of a line there may be both.
const MOST_LABELS: usize = 2;

/// Reads squares up to the end of the line, or up to the 64th; returns what stands behind that. Without `line`, the number of the row
/// in a text of several, it is the whole text.
fn read_row<'a>(
    line: Option<usize>,
    text: &'a str,
    signs: BoardSigns,
    cells: &mut Vec<Option<Color>>,
) -> Result<&'a str, BoardTextError> {
    let before = cells.len();
    let mut labels = 0;
    for (column, (at, c)) in (1..).zip(text.char_indices()) {
        if cells.len() == 64 {
            return Ok(&text[at..]);
        }
        if c.is_whitespace() || c == '|' {
            continue;
        }
        let may_be_label = signs == BoardSigns::Letters && cells.len().is_multiple_of(8);
        if may_be_label && ('1'..='8').contains(&c) && labels < MOST_LABELS {
            labels += 1;
            continue;
        }
        cells.push(signs.parse_cell(c).ok_or_else(|| signs.refuse_cell(line, column, c))?);
        labels = 0;
    }
    let found = cells.len() - before;
    match line {
        Some(line) if !found.is_multiple_of(8) => {
            Err(BoardTextError::Row { line, found, text: shorten_text(text) })
        }
        _ => Ok(""),
    }
}

/// The squares of a line in which a space and a side stand behind them: one square is missing there, and the side was taken for it.
fn count_before_side(text: &str, signs: BoardSigns) -> Option<usize> {
    let (squares, side) = text.trim().rsplit_once(char::is_whitespace)?;
    let squares = squares.trim_end();
    let is_line = !squares.contains(char::is_whitespace);
    (is_line && parse_side(&side.to_lowercase(), signs).is_some()).then(|| squares.chars().count())
}

/// `X`, `white`, `O to move`, `to move: B`; behind a board in digits `0`, too.
fn read_side(text: &str, signs: BoardSigns) -> Result<Color, BoardTextError> {
    let lower = text.to_lowercase().replace(':', " ");
    let words: Vec<&str> = lower.split_whitespace().filter(|word| !matches!(*word, "to" | "move")).collect();
    match *words {
        [] => Err(BoardTextError::NoSide),
        [word] => {
            parse_side(word, signs).ok_or_else(|| BoardTextError::Side { found: shorten_text(text.trim()) })
        }
        _ => Err(BoardTextError::Side { found: shorten_text(text.trim()) }),
    }
}

/// A word for a side.
fn parse_side(word: &str, signs: BoardSigns) -> Option<Color> {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => parse_cell(letter).or_else(|| signs.parse_cell(letter)).flatten(),
        _ => word.parse().ok(),
    }
}

/// At most 70 characters.
pub(crate) fn shorten_text(text: &str) -> String {
    let mut short: String = text.chars().take(70).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn message(text: &str) -> String {
        Position::from_text(text).unwrap_err().to_string()
    }

    #[test]
    fn drawn_boards() {
        let rows = "--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\n";
        let framed = "  A B C D E F G H\n +---------------+\n1|. . . . . . . .|1\n2|. . . . . . . .|2\n3|. . . . . . . .|3\n\
            4|. . . o x . . .|4\n5|. . . x o . . .|5\n6|. . . . . . . .|6\n7|. . . . . . . .|7\n8|. . . . . . . .|8\n \
            +---------------+\n  A B C D E F G H\n\nto move: black\n";
        for text in [format!("{rows}X"), format!("{rows}black to move"), framed.to_string()] {
            assert_eq!(Position::from_text(&text), Ok(Position::start()), "{text}");
        }
        assert_eq!(Position::from_text(&format!("{rows}w")).unwrap().to_move(), Color::White);
    }

    #[test]
    fn errors_say_what_is_right() {
        assert_eq!(
            message("---q"),
            "column 4: 'q' is no square: it must be X (black), O (white) or - (empty)"
        );
        assert_eq!(
            message("--------\n---q"),
            "line 2, column 4: 'q' is no square: it must be X (black), O (white) or - (empty)"
        );
        assert_eq!(
            message(&"0".repeat(64)),
            "column 1: '0' is no square: it must be X (black), O (white) or - (empty)"
        );
        assert_eq!(message(&"12--------".repeat(8)), "nobody is to move: write X or O after the board");
        assert_eq!(
            message(&"12".repeat(32)),
            "column 3: '1' is no square: it must be X (black), O (white) or - (empty)"
        );
        assert_eq!(message("---"), "3 squares, a board must have 64");
        assert_eq!(message("--------\n-------"), "line 2: 7 squares in \"-------\", a row must have 8");
        assert_eq!(message("--------\n--------"), "16 squares, a board must have 64");
        assert_eq!(message(&"-".repeat(64)), "nobody is to move: write X or O after the board");
        for side in [" X", "  o", " w "] {
            let short = "-".repeat(63) + side;
            assert_eq!(message(&short), "63 squares, a board must have 64");
        }
        let spaced = "- ".repeat(63) + "X";
        assert_eq!(message(&spaced), "nobody is to move: write X or O after the board");
        let side = message(&("-".repeat(64) + " green"));
        assert_eq!(side, "\"green\" after the board does not say who is to move: write X or O");
    }

    proptest! {
        #[test]
        fn boards_survive_writing(discs: u64, own: u64, black: bool) {
            let to_move = if black { Color::Black } else { Color::White };
            let board = Board { player: discs & own, opponent: discs & !own };
            let position = Position::from_board(board, to_move);
            prop_assert_eq!(Position::from_text(&position.to_line()).unwrap(), position.clone());
            prop_assert_eq!(Position::from_text(&position.to_diagram()).unwrap(), position.clone());
        }

        #[test]
        fn no_text_makes_it_panic(text in "[-XO*.1-8a-h|+ \n●あ]{0,120}", any: String) {
            let _ = (Position::from_text(&text), Position::from_text(&any));
            let _ = Position::from_text(&("-".repeat(64) + &any));
        }
    }
}
