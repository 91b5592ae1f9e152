//! Boards drawn as SVG: discs, numbers, values of squares, heat, a ring round the last move.
//!
//! A picture stands on its own, on light and dark pages alike, without a style sheet. A square is [`FIELD`] units wide, the centre
//! of a1 is [`ORIGIN`] units from the left and from the top.

use std::fmt::Display;

use ishi_draw::{DEPTH_FILLINGS, DEPTH_FILLS, DEPTH_SHADOW, SvgElement, blend_colors, line_grid_path};

use crate::color::Color;
use crate::position::Position;
use crate::square::{Square, iter_squares};

/// Units of a square.
pub const FIELD: u32 = 30;
/// Units from the edges of the picture to the centre of a1.
pub const ORIGIN: u32 = MARGIN + FIELD / 2;
/// Units left of the board and above it, for the coordinates.
const MARGIN: u32 = 20;
/// Units right of it and below.
const RIM: u32 = 8;
const SIDE: u32 = 8 * FIELD + MARGIN + RIM;
/// The lines of the board, and what is written beside it.
const LINE: &str = "#123524";
const CREAM: &str = "#f2f2ea";

/// A picture of a board.
///
/// ```
/// use ishi_othello::Position;
/// use ishi_othello::picture::BoardPicture;
/// let game = Position::from_transcript("f5d6").unwrap();
/// let svg = BoardPicture::from_position(&game).with_title("Two moves & no more").with_value("c3".parse().unwrap(), "+2", 0.5).to_svg();
/// assert!(svg.starts_with("<svg ") && svg.contains("Two moves &amp; no more") && svg.contains(">+2</text>"));
/// ```
#[derive(Clone, Debug)]
pub struct BoardPicture {
    title: String,
    discs: [Option<Color>; 64],
    legal: u64,
    last: Option<Square>,
    ring: Option<Square>,
    heat: Vec<(Square, f64)>,
    labels: Vec<(Square, String)>,
    deep: bool,
}

impl BoardPicture {
    /// The discs of a position; the last move, if there is one, has a ring.
    pub fn from_position(position: &Position) -> BoardPicture {
        let mut discs = [None; 64];
        for color in Color::ALL {
            iter_squares(position.discs(color)).for_each(|square| discs[square.index()] = Some(color));
        }
        let last = position.moves().iter().rev().find_map(|(_, mv)| mv.square());
        BoardPicture {
            title: String::new(),
            discs,
            legal: 0,
            last,
            ring: None,
            heat: Vec::new(),
            labels: Vec::new(),
            deep: false,
        }
    }

    /// What the picture shows, for those who do not see it.
    pub fn with_title(mut self, text: impl Into<String>) -> BoardPicture {
        self.title = text.into();
        self
    }

    /// Small dots where the side to move may play.
    pub fn with_hints(mut self, position: &Position) -> BoardPicture {
        self.legal = position.board().legal_moves();
        self
    }

    /// No ring round the last move.
    pub fn without_last_ring(mut self) -> BoardPicture {
        self.last = None;
        self
    }

    /// A text on a square, such as the number of a move.
    pub fn with_label(mut self, square: Square, text: impl Into<String>) -> BoardPicture {
        self.labels.push((square, text.into()));
        self
    }

    /// What a square is worth: the text, on a colour from bad (-1) over neutral (0) to good (1).
    pub fn with_value(self, square: Square, text: impl Into<String>, worth: f64) -> BoardPicture {
        self.with_heat(square, worth).with_label(square, text)
    }

    /// A square's colour from bad (-1) over neutral (0) to good (1); a disc on it is drawn small.
    pub fn with_heat(mut self, square: Square, worth: f64) -> BoardPicture {
        self.heat.push((square, worth.clamp(-1.0, 1.0)));
        self
    }

    /// A thick ring round a square: the best move.
    pub fn with_ring(mut self, square: Square) -> BoardPicture {
        self.ring = Some(square);
        self
    }

    /// Discs with depth and shadow, for the board that a page is about. Their fillings have names, so that a page has one such picture;
    /// the group of the class `played` holds what changes from move to move.
    pub fn with_depth(mut self) -> BoardPicture {
        self.deep = true;
        self
    }

    /// A file of its own.
    pub fn to_svg(&self) -> String {
        let mut svg = SvgElement::document(SIDE, SIDE).attr("role", "img").with_title(&self.title);
        if self.deep {
            svg.add_markup(DEPTH_FILLINGS);
        }
        draw_board(&mut svg);
        if self.deep {
            let mut played = SvgElement::group().class("played");
            self.draw_what_changes(&mut played);
            svg.add(played);
        } else {
            self.draw_what_changes(&mut svg);
        }
        svg.to_file()
    }

    fn draw_what_changes(&self, svg: &mut SvgElement) {
        self.heat.iter().for_each(|&(square, worth)| svg.add(draw_heat(square, worth)));
        self.draw_discs(svg);
        self.draw_marks(svg);
        self.labels.iter().for_each(|(square, text)| svg.add(self.draw_label(*square, text)));
    }

    fn draw_discs(&self, svg: &mut SvgElement) {
        for square in Square::all() {
            let (x, y) = square_center(square);
            match self.discs[square.index()] {
                Some(color) => {
                    let (fill, edge) = disc_paint(color);
                    // What the square is worth must be seen around the disc.
                    let radius = if self.is_heated(square) { 8.0 } else { 12.5 };
                    let disc = SvgElement::circle(x, y, radius);
                    if self.deep {
                        let shadow = SvgElement::circle(f64::from(x) + 0.9, f64::from(y) + 1.6, radius + 1.3);
                        svg.add(shadow.fill(DEPTH_SHADOW));
                        svg.add(disc.fill(DEPTH_FILLS[color.index()]));
                    } else {
                        svg.add(disc.fill(fill).stroke(edge));
                    }
                }
                None if self.legal & square.bit() != 0 && !self.is_labelled(square) => {
                    svg.add(SvgElement::circle(x, y, 3.5).fill(CREAM).attr("fill-opacity", 0.75));
                }
                None => {}
            }
        }
    }

    fn is_heated(&self, square: Square) -> bool {
        self.heat.iter().any(|&(place, _)| place == square)
    }

    fn is_labelled(&self, square: Square) -> bool {
        self.labels.iter().any(|(place, _)| *place == square)
    }

    fn draw_marks(&self, svg: &mut SvgElement) {
        if let Some((x, y)) = self.last.map(square_center) {
            let ring = SvgElement::circle(x, y, 4.5).fill("none").stroke("#e5533d");
            svg.add(ring.attr("stroke-width", 2.5));
        }
        if let Some((x, y)) = self.ring.map(square_center) {
            let corner = |at: u32| f64::from(at) - 13.5;
            let ring = SvgElement::rect(corner(x), corner(y), 27, 27).attr("rx", 4);
            svg.add(ring.fill("none").stroke("#ffd23f").attr("stroke-width", 3));
        }
    }

    fn draw_label(&self, square: Square, text: &str) -> SvgElement {
        let (x, y) = square_center(square);
        let ink = match self.discs[square.index()] {
            Some(Color::Black) => "#ffffff",
            None if !self.is_heated(square) => "#ffffff",
            _ => "#111111",
        };
        let size = if text.chars().count() > 3 { 10 } else { 12 };
        draw_text(x, y, size, ink, text)
    }
}

/// The wood, its lines and dots, and the names of columns and rows.
fn draw_board(svg: &mut SvgElement) {
    let (from, to, side) = (MARGIN, MARGIN + 8 * FIELD, 8 * FIELD);
    svg.add(SvgElement::background(SIDE, SIDE).attr("rx", 6).fill("#20382b"));
    svg.add(SvgElement::rect(from, from, side, side).fill("#2f8a57"));
    let lines = || (0..=8).map(|line| MARGIN + line * FIELD);
    svg.add(
        SvgElement::path(line_grid_path(lines(), lines(), [from, from, to, to])).stroke(LINE).fill("none"),
    );
    for (x, y) in [(2, 2), (2, 6), (6, 2), (6, 6)] {
        svg.add(SvgElement::circle(MARGIN + x * FIELD, MARGIN + y * FIELD, 2.5).fill(LINE));
    }
    for at in 0..8 {
        let center = ORIGIN + at * FIELD;
        svg.add(draw_text(center, MARGIN / 2, 11, CREAM, char::from(b'a' + at as u8)));
        svg.add(draw_text(MARGIN / 2, center, 11, CREAM, at + 1));
    }
}

/// Fill and edge of a disc.
fn disc_paint(color: Color) -> (&'static str, &'static str) {
    match color {
        Color::Black => ("#111111", "#000000"),
        Color::White => ("#fafaf5", "#9a9a92"),
    }
}

fn square_center(square: Square) -> (u32, u32) {
    (ORIGIN + square.column() as u32 * FIELD, ORIGIN + square.row() as u32 * FIELD)
}

/// Red, white, blue: told apart by those who do not tell red from green.
const BAD: [f64; 3] = [232.0, 112.0, 82.0];
const NEUTRAL: [f64; 3] = [240.0, 240.0, 232.0];
const GOOD: [f64; 3] = [92.0, 160.0, 240.0];

fn draw_heat(square: Square, worth: f64) -> SvgElement {
    let (x, y) = square_center(square);
    let color = blend_colors(NEUTRAL, if worth < 0.0 { BAD } else { GOOD }, worth.abs());
    let (x, y, side) = (x - FIELD / 2 + 1, y - FIELD / 2 + 1, FIELD - 2);
    SvgElement::rect(x, y, side, side).attr("rx", 3).fill(&color)
}

fn draw_text(x: u32, y: u32, size: u32, ink: &str, text: impl Display) -> SvgElement {
    let text = SvgElement::text(x, y, text).with_font().attr("font-size", size).fill(ink);
    text.attr("text-anchor", "middle").attr("dominant-baseline", "central")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_drawn_once() {
        let game = Position::from_transcript("f5d6c3").unwrap();
        let svg = BoardPicture::from_position(&game).with_hints(&game).to_svg();
        assert_eq!(svg.matches("r=\"12.5\"").count(), 7);
        assert_eq!(svg.matches("r=\"3.5\"").count(), game.legal_moves().len());
        assert_eq!(svg.matches("stroke=\"#e5533d\"").count(), 1);
        assert!(!BoardPicture::from_position(&game).to_svg().contains("r=\"3.5\""));
    }

    #[test]
    fn discs_with_depth_have_a_shadow_each() {
        let svg = BoardPicture::from_position(&Position::start()).with_depth().to_svg();
        assert_eq!(
            (svg.matches("url(#stone-black)").count(), svg.matches("url(#stone-shadow)").count()),
            (2, 4)
        );
        assert_eq!((svg.matches("<defs>").count(), svg.matches("class=\"played\"").count()), (1, 1), "{svg}");
    }

    #[test]
    fn colours_of_values_follow_their_worth() {
        let square: Square = "a1".parse().unwrap();
        let fill = |worth: f64| {
            BoardPicture::from_position(&Position::start()).with_value(square, "0", worth).to_svg()
        };
        assert!(fill(0.0).contains("rgb(240,240,232)"));
        assert!(fill(1.0).contains("rgb(92,160,240)") && fill(5.0).contains("rgb(92,160,240)"));
        assert!(fill(-1.0).contains("rgb(232,112,82)"));
    }
}
