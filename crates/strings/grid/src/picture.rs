//! Boards of any size as SVG.

use std::fmt::Write;

use crate::Board;

/// Width of a point in a picture.
const SIDE: usize = 20;

/// A picture: the lines of the board, and its stones.
///
/// ```
/// use ishi_grid::{Board, picture};
/// let board = Board::with_alternating_stones(3, 3, |x, y| (x, y) == (1, 1));
/// let svg = picture::render_svg(&board, "eight & one");
/// assert_eq!(svg.matches("<circle").count(), 8);
/// assert!(svg.contains("eight &amp; one"));
/// ```
#[must_use]
pub fn render_svg(board: &Board, title: &str) -> String {
    let (width, height) = (board.width(), board.height());
    let middle = |n: usize| n * SIDE + SIDE / 2;
    let (right, below) = (middle(width - 1), middle(height - 1));
    let mut lines = String::new();
    for x in (0..width).map(middle) {
        let _ = write!(lines, "M{x} {top}V{below}", top = middle(0));
    }
    for y in (0..height).map(middle) {
        let _ = write!(lines, "M{left} {y}H{right}", left = middle(0));
    }
    let (w, h) = (width * SIDE, height * SIDE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
         <title>{}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#e8c078\"/>\n\
         <path d=\"{lines}\" stroke=\"#604010\" fill=\"none\"/>\n",
        title.replace('&', "&amp;").replace('<', "&lt;")
    );
    for (letter, fill) in [('X', "#000"), ('O', "#fff")] {
        let _ = writeln!(svg, "<g fill=\"{fill}\" stroke=\"#000\">");
        for (at, _) in board.cells().iter().enumerate().filter(|(_, cell)| cell.letter() == letter) {
            let (x, y) = (middle(at % width), middle(at / width));
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\"/>");
        }
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}
