//! Boards of any size as SVG.

use ishi_draw::{SvgElement, line_grid_path};

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
    let edges = [middle(0), middle(0), middle(width - 1), middle(height - 1)];
    let lines = line_grid_path((0..width).map(middle), (0..height).map(middle), edges);
    let (w, h) = (width * SIDE, height * SIDE);
    let mut svg = SvgElement::document(w, h).attr("width", w).attr("height", h);
    svg.add_markup("\n");
    svg.add_line(SvgElement::new("title").with_text(title));
    svg.add_line(SvgElement::background(w, h).fill("#e8c078"));
    svg.add_line(SvgElement::path(lines).stroke("#604010").fill("none"));
    for (letter, fill) in [('X', "#000"), ('O', "#fff")] {
        let mut stones = SvgElement::group().fill(fill).stroke("#000");
        stones.add_markup("\n");
        for (at, _) in board.cells().iter().enumerate().filter(|(_, cell)| cell.letter() == letter) {
            stones.add_line(SvgElement::circle(middle(at % width), middle(at / width), 9));
        }
        svg.add_line(stones);
    }
    svg.to_file()
}
