//! Boards of any size as SVG.

use ishi_draw::{DEPTH_FILLINGS, DEPTH_FILLS, DEPTH_SHADOW, SvgElement, line_grid_path};

use crate::Board;

/// Width of a point in a picture.
const SIDE: usize = 20;
/// Radius of a stone, and of its shadow.
const RADIUS: usize = 9;
const SHADOW_RADIUS: usize = 10;

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
    let mut svg = begin_picture(board, title);
    svg.add_line(SvgElement::background(board.width() * SIDE, board.height() * SIDE).fill("#e8c078"));
    svg.add_line(draw_lines(board));
    for (letter, fill) in [('X', "#000"), ('O', "#fff")] {
        let stones = SvgElement::group().fill(fill).stroke("#000");
        svg.add_line(draw_discs(board, stones, &[letter], [0, RADIUS]));
    }
    svg.to_file()
}

/// The same board for a page that has wood behind it: stones with depth and shadow. What they are filled with has names, so that a page has one such
/// picture.
#[must_use]
pub fn render_deep_svg(board: &Board, title: &str) -> String {
    let mut svg = begin_picture(board, title);
    svg.add_markup(DEPTH_FILLINGS);
    svg.add_line(draw_lines(board));
    let shadows = SvgElement::group().fill(DEPTH_SHADOW);
    svg.add_line(draw_discs(board, shadows, &['X', 'O'], [1, SHADOW_RADIUS]));
    for (letter, fill) in ['X', 'O'].into_iter().zip(DEPTH_FILLS) {
        svg.add_line(draw_discs(board, SvgElement::group().fill(fill), &[letter], [0, RADIUS]));
    }
    svg.to_file()
}

fn begin_picture(board: &Board, title: &str) -> SvgElement {
    let (width, height) = (board.width() * SIDE, board.height() * SIDE);
    let mut svg = SvgElement::document(width, height).attr("width", width).attr("height", height);
    svg.add_markup("\n");
    svg.add_line(SvgElement::new("title").with_text(title));
    svg
}

/// Where a line lies, counted from the left or from above.
fn middle(line: usize) -> usize {
    line * SIDE + SIDE / 2
}

fn draw_lines(board: &Board) -> SvgElement {
    let (width, height) = (board.width(), board.height());
    let edges = [middle(0), middle(0), middle(width - 1), middle(height - 1)];
    let lines = line_grid_path((0..width).map(middle), (0..height).map(middle), edges);
    SvgElement::path(lines).stroke("#604010").fill("none")
}

/// Discs at the stones with these letters, as far to the right of them and below them as `shift` says.
fn draw_discs(
    board: &Board,
    mut group: SvgElement,
    letters: &[char],
    [shift, radius]: [usize; 2],
) -> SvgElement {
    group.add_markup("\n");
    for (at, _) in board.cells().iter().enumerate().filter(|(_, cell)| letters.contains(&cell.letter())) {
        let (x, y) = (middle(at % board.width()), middle(at / board.width()));
        group.add_line(SvgElement::circle(x + shift, y + shift, radius));
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_deep_stone_has_its_shadow() {
        let board = Board::with_alternating_stones(3, 4, |x, y| (x, y) == (1, 1));
        let svg = render_deep_svg(&board, "eleven");
        assert_eq!(svg.matches("r=\"9\"").count(), 11);
        assert_eq!(svg.matches("r=\"10\"").count(), 11);
        assert!(svg.contains(DEPTH_FILLINGS) && !svg.contains("<rect"), "{svg}");
    }
}
