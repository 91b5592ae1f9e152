//! Points and board sizes.
//!
//! A point is an index into a padded board with a fixed stride of 32 columns and one border line all round, so
//! that neighbours are constant offsets whatever the size of the board, and a row is a 32-bit word.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::moves::{COLUMNS, VertexError, parse_point};

/// Columns from one row to the next.
pub(crate) const STRIDE: usize = 32;

/// Entries of an array indexed by point. A power of two: the highest point is 825.
pub(crate) const POINTS: usize = 1024;

/// A point of the board, the same for every board size: column and row count from the lower left corner A1.
///
/// ```
/// use ishi_go::{BoardSize, Point};
/// let size = BoardSize::square(19).unwrap();
/// let d4 = Point::new(3, 3);
/// assert_eq!(d4.to_string(), "D4");
/// assert!(size.contains(d4));
/// assert_eq!(size.parse_point("d4"), Ok(d4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(pub(crate) u16);

impl Point {
    /// The point at `column` (0 = A) and `row` (0 = the line 1 at the bottom).
    ///
    /// # Panics
    /// If either is 25 or more.
    #[inline]
    pub const fn new(column: usize, row: usize) -> Point {
        assert!(column < BoardSize::MAX && row < BoardSize::MAX, "a board has at most 25 lines");
        Point(((row + 1) * STRIDE + column + 1) as u16)
    }

    /// Column, 0 = A.
    #[inline]
    pub const fn column(self) -> usize {
        self.0 as usize % STRIDE - 1
    }

    /// Row, 0 = the line 1 at the bottom.
    #[inline]
    pub const fn row(self) -> usize {
        self.0 as usize / STRIDE - 1
    }

    /// Index into an array of [`Point::INDICES`] entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The point of this [`Point::index`].
    #[inline]
    pub const fn from_index(index: usize) -> Point {
        Point(index as u16)
    }

    /// Length of an array that every [`Point::index`] fits into.
    pub const INDICES: usize = POINTS;

    /// Lines between two points, the larger of those across and those up: 1 for neighbours and diagonal neighbours.
    ///
    /// ```
    /// use ishi_go::Point;
    /// assert_eq!(Point::new(3, 3).lines_to(Point::new(5, 4)), 2);
    /// ```
    pub fn lines_to(self, other: Point) -> usize {
        self.column().abs_diff(other.column()).max(self.row().abs_diff(other.row()))
    }

    /// Steps from point to point: those across and those up.
    ///
    /// ```
    /// use ishi_go::Point;
    /// assert_eq!(Point::new(3, 3).steps_to(Point::new(5, 4)), 3);
    /// ```
    pub fn steps_to(self, other: Point) -> usize {
        self.column().abs_diff(other.column()) + self.row().abs_diff(other.row())
    }

    /// The four orthogonal neighbours: up, right, down, left. They may lie outside the board, on its border.
    #[inline]
    pub fn neighbours(self) -> [Point; 4] {
        ORTHOGONAL.map(|offset| Point(self.0.wrapping_add_signed(offset)))
    }

    /// The four diagonal neighbours: up right, down right, down left, up left, perhaps outside the board.
    #[inline]
    pub fn diagonals(self) -> [Point; 4] {
        DIAGONAL.map(|offset| Point(self.0.wrapping_add_signed(offset)))
    }
}

/// Offsets of up, right, down, left.
pub(crate) const ORTHOGONAL: [i16; 4] = [STRIDE as i16, 1, -(STRIDE as i16), -1];
/// Offsets of up right, down right, down left, up left.
pub(crate) const DIAGONAL: [i16; 4] =
    [STRIDE as i16 + 1, 1 - STRIDE as i16, -(STRIDE as i16) - 1, STRIDE as i16 - 1];

/// The vertex as GTP writes it: `D4`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", COLUMNS[self.column()] as char, self.row() + 1))
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The eight neighbours of a point, two bits each ([`crate::Cell`] as a number): the four orthogonal ones (up,
/// right, down, left) in the low byte, the four diagonal ones (up right, down right, down left, up left) above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Neighbourhood(pub u16);

/// Width and height of a board, 2 to 25 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

/// No board of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeError {
    width: usize,
    height: usize,
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unacceptable size {}x{}: a board must have 2 to 25 lines each way",
            self.width, self.height
        )
    }
}

impl std::error::Error for SizeError {}

impl CodedError for SizeError {
    fn facts(&self) -> ErrorFacts {
        facts!["go-size", width = self.width, height = self.height]
    }
}

impl BoardSize {
    /// The longest side.
    pub const MAX: usize = 25;
    /// The shortest side.
    pub const MIN: usize = 2;

    /// A board of `width` columns and `height` rows.
    ///
    /// ```
    /// use ishi_go::BoardSize;
    /// assert_eq!(BoardSize::new(9, 7).unwrap().area(), 63);
    /// assert!(BoardSize::new(9, 26).is_err(), "a board has at most 25 lines");
    /// ```
    ///
    /// # Errors
    /// If either is below 2 or above 25.
    pub const fn new(width: usize, height: usize) -> Result<BoardSize, SizeError> {
        if width < Self::MIN || width > Self::MAX || height < Self::MIN || height > Self::MAX {
            return Err(SizeError { width, height });
        }
        Ok(BoardSize { width: width as u8, height: height as u8 })
    }

    /// A square board.
    ///
    /// # Errors
    /// If `side` is below 2 or above 25.
    pub const fn square(side: usize) -> Result<BoardSize, SizeError> {
        Self::new(side, side)
    }

    /// Columns.
    #[inline]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Rows.
    #[inline]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of points.
    #[inline]
    pub const fn area(self) -> usize {
        self.width() * self.height()
    }

    /// Is this point on the board?
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        let (column, row) = (point.0 as usize % STRIDE, point.0 as usize / STRIDE);
        column >= 1 && column <= self.width() && row >= 1 && row <= self.height()
    }

    /// All points, row by row from A1.
    pub fn points(self) -> impl DoubleEndedIterator<Item = Point> + Clone {
        (0..self.height()).flat_map(move |row| (0..self.width()).map(move |column| Point::new(column, row)))
    }

    /// Reads a vertex such as `D4`, in any case.
    ///
    /// # Errors
    /// Says what is wrong with the text and what would be right.
    pub fn parse_point(self, text: &str) -> Result<Point, VertexError> {
        parse_point(self, text)
    }
}

/// The text was no size of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeTextError(String);

impl fmt::Display for SizeTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "invalid size {:?}: write the number of lines such as 9, or columns and rows such as 19x7, ",
            self.0
        )?;
        f.write_str("2 to 25 each")
    }
}

impl std::error::Error for SizeTextError {}

impl CodedError for SizeTextError {
    fn facts(&self) -> ErrorFacts {
        facts!["go-size-text", text = format!("{:?}", self.0)]
    }
}

/// Reads `9` for a square board, `19x7` for 19 columns and 7 rows.
impl std::str::FromStr for BoardSize {
    type Err = SizeTextError;

    fn from_str(text: &str) -> Result<BoardSize, SizeTextError> {
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        let lines = |part: &str| part.trim().parse().ok();
        let size = lines(width).zip(lines(height)).and_then(|(width, height)| Self::new(width, height).ok());
        size.ok_or_else(|| SizeTextError(text.to_string()))
    }
}

/// `19x19`.
impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_survive_text() {
        for (text, width, height) in [("9", 9, 9), ("19x7", 19, 7), ("2X25", 2, 25), (" 13 x 13 ", 13, 13)] {
            let size: BoardSize = text.parse().unwrap();
            assert_eq!((size.width(), size.height()), (width, height));
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        for bad in ["", "x", "1", "26", "9x", "x9", "9x9x9", "nine", "-9", "99999999999999999999"] {
            let error = bad.parse::<BoardSize>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("invalid size {bad:?}: write the number")), "{error}");
        }
    }
}
