//! Points and moves in values: `dd`, rectangles `aa:cc`, passes, and the vertices that some programs write.
//!
//! SGF counts columns from the left and rows from the top, `a` to `z` and then `A` to `Z`; [`Point`] counts rows
//! from the bottom.

use ishi_go::{BoardSize, Move, Point};

use crate::text::split_composed;
use crate::tree::PropertyValue;
use crate::warning::{WarningKind, Warnings};

/// How SGF writes a point of a board of this size.
///
/// ```
/// use ishi_go::{BoardSize, Point};
/// let size = BoardSize::square(19).unwrap();
/// assert_eq!(ishi_sgf::point_text(size, Point::new(3, 3)), "dp");
/// ```
pub fn point_text(size: BoardSize, point: Point) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    let row = (size.height() - 1).saturating_sub(point.row());
    [letter(point.column()), letter(row)].iter().collect()
}

/// How SGF writes a move: a point, or nothing for a pass.
pub fn move_text(size: BoardSize, mv: Move) -> String {
    mv.point().map(|point| point_text(size, point)).unwrap_or_default()
}

/// Column and row from the top left, 0 to 51 each.
fn parse_coordinates(text: &str) -> Option<(usize, usize)> {
    let number = |byte: u8| match byte {
        b'a'..=b'z' => Some(usize::from(byte - b'a')),
        b'A'..=b'Z' => Some(usize::from(byte - b'A') + 26),
        _ => None,
    };
    match *text.as_bytes() {
        [column, row] => Some((number(column)?, number(row)?)),
        _ => None,
    }
}

fn point_on_board(size: BoardSize, (column, row): (usize, usize)) -> Option<Point> {
    (column < size.width() && row < size.height()).then(|| Point::new(column, size.height() - 1 - row))
}

/// The point of a board of this size that SGF writes so; the reverse of [`point_text`].
///
/// ```
/// use ishi_go::{BoardSize, Point};
/// let size = BoardSize::square(19).unwrap();
/// assert_eq!(ishi_sgf::parse_point(size, "dp"), Some(Point::new(3, 3)));
/// assert_eq!(ishi_sgf::parse_point(size, "tt"), None);
/// ```
pub fn parse_point(size: BoardSize, text: &str) -> Option<Point> {
    parse_coordinates(text).and_then(|at| point_on_board(size, at))
}

/// Reads the value of B or W. `tt` is a pass where it is no point of the board and the board is not above 19
/// lines (FF[3]).
pub(crate) fn read_move(size: BoardSize, value: &PropertyValue, warnings: &mut Warnings) -> Option<Move> {
    let simple = value.to_simple_text();
    let text = simple.trim();
    let small = size.width() <= 19 && size.height() <= 19;
    if text.is_empty() || (text == "tt" && small) {
        return Some(Move::Pass);
    }
    if let Some(point) = parse_point(size, text) {
        return Some(Move::Play(point));
    }
    let found = format!("[{text}]");
    if let (None, Ok(mv)) = (parse_coordinates(text), size.parse_move(text)) {
        warnings.add_warning(
            value.place(),
            WarningKind::VertexText,
            found,
            format!("read as the vertex {mv}"),
        );
        return Some(mv);
    }
    warnings.add_warning(value.place(), WarningKind::BadPoint, found, off_board_message(size, "the move"));
    None
}

/// The move that a value of B or W stands for, as records are read: a point, a vertex that somebody wrote in its place, or a pass. None of what is
/// no move of the board, which records leave out.
///
/// ```
/// use ishi_go::{BoardSize, Move, Point};
/// use ishi_sgf::{PropertyValue, move_of_value};
/// let size = BoardSize::square(19).unwrap();
/// let of = |text: &str| move_of_value(size, &PropertyValue::from_text(text));
/// assert_eq!([of("dp"), of("D4")], [Some(Move::Play(Point::new(3, 3))); 2]);
/// assert_eq!([of(""), of("..")], [Some(Move::Pass), None]);
/// ```
pub fn move_of_value(size: BoardSize, value: &PropertyValue) -> Option<Move> {
    read_move(size, value, &mut Warnings::new())
}

/// Reads a value of a list of points and calls `each` for its point, or the points of its rectangle.
pub(crate) fn read_points(
    size: BoardSize,
    value: &PropertyValue,
    warnings: &mut Warnings,
    mut each: impl FnMut(Point),
) {
    let simple = value.to_simple_text();
    let text = simple.trim();
    if text.is_empty() {
        return;
    }
    let (first, last) = split_composed(text).unwrap_or((text, text));
    let corner = |corner: &str| parse_point(size, corner.trim());
    let (Some(a), Some(b)) = (corner(first), corner(last)) else {
        let done = off_board_message(size, "the value");
        return warnings.add_warning(value.place(), WarningKind::BadPoint, format!("[{text}]"), done);
    };
    // Rows of SGF run downwards: the first corner is above the last.
    if a.column() > b.column() || a.row() < b.row() {
        let done = "read as the rectangle between the two";
        warnings.add_warning(value.place(), WarningKind::ReversedRectangle, format!("[{text}]"), done);
    }
    let span = |a: usize, b: usize| a.min(b)..=a.max(b);
    for row in span(a.row(), b.row()).rev() {
        span(a.column(), b.column()).for_each(|column| each(Point::new(column, row)));
    }
}

fn off_board_message(size: BoardSize, what: &str) -> String {
    let corner = point_on_board(size, (size.width() - 1, size.height() - 1)).map(|p| point_text(size, p));
    format!("a {size} board goes from aa to {}, {what} left out", corner.unwrap_or_default())
}
