//! A board of any size as the solvers see it: cells, no rules, no history.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};
use thiserror::Error;

/// What a point of a board holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cell {
    /// No stone.
    #[default]
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
}

impl Cell {
    /// The stone that theorem 1 puts on column `x`, row `y` (from 0): White where `x + y` is even, Black where odd.
    ///
    /// ```
    /// use ishi_grid::Cell;
    /// assert_eq!([Cell::alternating_stone(0, 0), Cell::alternating_stone(1, 0)], [Cell::White, Cell::Black]);
    /// ```
    #[must_use]
    pub fn alternating_stone(x: usize, y: usize) -> Cell {
        if (x + y).is_multiple_of(2) { Cell::White } else { Cell::Black }
    }

    /// `.` empty, `X` black, `O` white.
    ///
    /// ```
    /// use ishi_grid::Cell;
    /// assert_eq!([Cell::Empty, Cell::Black, Cell::White].map(Cell::letter), ['.', 'X', 'O']);
    /// ```
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Cell::Empty => '.',
            Cell::Black => 'X',
            Cell::White => 'O',
        }
    }
}

/// Why a text is no board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// Nothing to read.
    #[error("the text holds no rows; a row is made of . (empty), X (black) and O (white)")]
    NoRows,
    /// A letter that stands for nothing.
    #[error("line {line}, column {column}: {letter:?} is none of . (empty), X (black), O (white)")]
    Letter {
        /// Line of the text, from 1.
        line: usize,
        /// Letter of the line, from 1.
        column: usize,
        /// The letter.
        letter: char,
    },
    /// A row of another length than the first.
    #[error("line {line} has {found} cells, the rows above it have {expected}")]
    Ragged {
        /// Line of the text, from 1.
        line: usize,
        /// Cells in that line.
        found: usize,
        /// Cells in the first row.
        expected: usize,
    },
}

impl CodedError for BoardError {
    fn facts(&self) -> ErrorFacts {
        match self {
            BoardError::NoRows => facts!["grid-no-rows"],
            BoardError::Letter { line, column, letter } => {
                facts!["grid-letter", line, column, letter = format!("{letter:?}")]
            }
            BoardError::Ragged { line, found, expected } => facts!["grid-ragged", line, found, expected],
        }
    }
}

/// A board of `width` times `height` cells, top row first.
///
/// ```
/// use ishi_grid::{Board, Cell};
/// let board: Board = "O X .\nX . X\n. X O".parse().unwrap();
/// assert_eq!((board.width(), board.height()), (3, 3));
/// assert_eq!(board.cell(1, 1), Cell::Empty);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
}

impl Board {
    /// An empty board.
    ///
    /// ```
    /// use ishi_grid::{Board, Cell};
    /// assert_eq!(Board::new(3, 2).cells(), [Cell::Empty; 6]);
    /// ```
    #[must_use]
    pub fn new(width: usize, height: usize) -> Board {
        Board { width, height, cells: vec![Cell::Empty; width * height] }
    }

    /// The board of theorem 1 with the given empty points: stones of alternating colours everywhere else.
    /// `empty(x, y)` is asked once for every point.
    ///
    /// ```
    /// use ishi_grid::Board;
    /// let board = Board::with_alternating_stones(4, 3, |x, y| x == y);
    /// assert_eq!(board.to_string(), ". X O X\nX . X O\nO X . X\n");
    /// ```
    pub fn with_alternating_stones(
        width: usize,
        height: usize,
        mut empty: impl FnMut(usize, usize) -> bool,
    ) -> Board {
        let mut board = Board::new(width, height);
        for y in 0..height {
            for x in 0..width {
                if !empty(x, y) {
                    board.set(x, y, Cell::alternating_stone(x, y));
                }
            }
        }
        board
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Column `x`, row `y`, both from 0 at the top left.
    #[must_use]
    pub fn cell(&self, x: usize, y: usize) -> Cell {
        self.cells[y * self.width + x]
    }

    /// Puts a stone, or takes it away.
    ///
    /// ```
    /// use ishi_grid::{Board, Cell};
    /// let mut board = Board::new(3, 1);
    /// board.set(1, 0, Cell::Black);
    /// assert_eq!(board.to_string(), ". X .\n");
    /// ```
    pub fn set(&mut self, x: usize, y: usize, cell: Cell) {
        self.cells[y * self.width + x] = cell;
    }

    /// All cells, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Number of empty points.
    ///
    /// ```
    /// use ishi_grid::Board;
    /// let board: Board = "O X .\n. O X".parse().unwrap();
    /// assert_eq!(board.empty_count(), 2);
    /// ```
    #[must_use]
    pub fn empty_count(&self) -> usize {
        self.cells.iter().filter(|cell| **cell == Cell::Empty).count()
    }
}

/// Rows of letters separated by spaces, top row first, each row ended by a line feed.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::with_capacity(2 * self.width);
        for row in self.cells.chunks(self.width) {
            line.clear();
            for cell in row {
                line.push(cell.letter());
                line.push(' ');
            }
            line.pop();
            line.push('\n');
            f.write_str(&line)?;
        }
        Ok(())
    }
}

/// Reads what `Display` writes; spaces are optional, empty lines and lines that begin with `#` are skipped.
impl std::str::FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        let mut cells = Vec::new();
        let mut width = None;
        for (number, line) in text.lines().enumerate() {
            let before = cells.len();
            if line.starts_with('#') {
                continue;
            }
            for (column, letter) in line.chars().enumerate() {
                match letter {
                    '.' => cells.push(Cell::Empty),
                    'X' | 'x' => cells.push(Cell::Black),
                    'O' | 'o' => cells.push(Cell::White),
                    letter if letter.is_whitespace() => {}
                    letter => {
                        return Err(BoardError::Letter { line: number + 1, column: column + 1, letter });
                    }
                }
            }
            let found = cells.len() - before;
            match width {
                _ if found == 0 => {}
                None => width = Some(found),
                Some(expected) if expected != found => {
                    return Err(BoardError::Ragged { line: number + 1, found, expected });
                }
                Some(_) => {}
            }
        }
        let width = width.ok_or(BoardError::NoRows)?;
        Ok(Board { width, height: cells.len() / width, cells })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_back() {
        let board = Board::with_alternating_stones(4, 3, |x, y| x == y);
        assert_eq!(board.to_string(), ". X O X\nX . X O\nO X . X\n");
        assert_eq!(board.to_string().parse(), Ok(board));
    }

    #[test]
    fn bad_text_is_named() {
        assert_eq!("".parse::<Board>(), Err(BoardError::NoRows));
        let letter = BoardError::Letter { line: 2, column: 3, letter: '?' };
        assert_eq!("...\n..?".parse::<Board>(), Err(letter));
        assert_eq!("...\n\n..".parse::<Board>(), Err(BoardError::Ragged { line: 3, found: 2, expected: 3 }));
    }
}
