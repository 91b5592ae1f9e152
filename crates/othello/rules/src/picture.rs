//! Boards drawn as SVG: discs, numbers, values of squares, heat, a ring round the last move.
//!
//! A picture stands on its own, on light and dark pages alike, without a style sheet. A square is [`FIELD`] units wide, the centre
//! of a1 is [`ORIGIN`] units from the left and from the top.

use std::fmt::Write;

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
const FONT: &str = "font-family=\"Helvetica,Arial,'Noto Sans CJK JP',sans-serif\"";

/// A picture of a board.
///
/// ```
/// use ishi_othello::Position;
/// use ishi_othello::picture::Picture;
/// let game = Position::from_transcript("f5d6").unwrap();
/// let svg = Picture::from_position(&game).with_title("Two moves & no more").with_value("c3".parse().unwrap(), "+2", 0.5).to_svg();
/// assert!(svg.starts_with("<svg ") && svg.contains("Two moves &amp; no more") && svg.contains(">+2</text>"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    title: String,
    discs: [Option<Color>; 64],
    legal: u64,
    last: Option<Square>,
    ring: Option<Square>,
    heat: Vec<(Square, f64)>,
    labels: Vec<(Square, String)>,
}

impl Picture {
    /// The discs of a position; the last move, if there is one, has a ring.
    pub fn from_position(position: &Position) -> Picture {
        let mut discs = [None; 64];
        for color in Color::ALL {
            iter_squares(position.discs(color)).for_each(|square| discs[square.index()] = Some(color));
        }
        let last = position.moves().iter().rev().find_map(|(_, mv)| mv.square());
        Picture {
            title: String::new(),
            discs,
            legal: 0,
            last,
            ring: None,
            heat: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// What the picture shows, for those who do not see it.
    pub fn with_title(mut self, text: impl Into<String>) -> Picture {
        self.title = text.into();
        self
    }

    /// Small dots where the side to move may play.
    pub fn with_hints(mut self, position: &Position) -> Picture {
        self.legal = position.board().legal_moves();
        self
    }

    /// No ring round the last move.
    pub fn without_last_ring(mut self) -> Picture {
        self.last = None;
        self
    }

    /// A text on a square, such as the number of a move.
    pub fn with_label(mut self, square: Square, text: impl Into<String>) -> Picture {
        self.labels.push((square, text.into()));
        self
    }

    /// What a square is worth: the text, on a colour from bad (-1) over neutral (0) to good (1).
    pub fn with_value(self, square: Square, text: impl Into<String>, worth: f64) -> Picture {
        self.with_heat(square, worth).with_label(square, text)
    }

    /// A square's colour from bad (-1) over neutral (0) to good (1); a disc on it is drawn small.
    pub fn with_heat(mut self, square: Square, worth: f64) -> Picture {
        self.heat.push((square, worth.clamp(-1.0, 1.0)));
        self
    }

    /// A thick ring round a square: the best move.
    pub fn with_ring(mut self, square: Square) -> Picture {
        self.ring = Some(square);
        self
    }

    /// A file of its own.
    pub fn to_svg(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" role=\"img\"><title>{}</title>",
            escape_xml(&self.title)
        );
        self.write_board(&mut svg);
        self.heat.iter().for_each(|&(square, worth)| write_heat(&mut svg, square, worth));
        self.write_discs(&mut svg);
        self.write_marks(&mut svg);
        self.labels.iter().for_each(|(square, text)| self.write_label(&mut svg, *square, text));
        svg + "</svg>\n"
    }

    fn write_board(&self, svg: &mut String) {
        let (from, to, side) = (MARGIN, MARGIN + 8 * FIELD, 8 * FIELD);
        let _ = write!(svg, "<rect width=\"{SIDE}\" height=\"{SIDE}\" rx=\"6\" fill=\"#20382b\"/>");
        let _ = write!(
            svg,
            "<rect x=\"{from}\" y=\"{from}\" width=\"{side}\" height=\"{side}\" fill=\"#2f8a57\"/>"
        );
        for line in 0..=8 {
            let at = MARGIN + line * FIELD;
            let _ = write!(svg, "<path d=\"M{from} {at}H{to}M{at} {from}V{to}\" stroke=\"#123524\"/>");
        }
        for (x, y) in [(2, 2), (2, 6), (6, 2), (6, 6)] {
            let (x, y) = (MARGIN + x * FIELD, MARGIN + y * FIELD);
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.5\" fill=\"#123524\"/>");
        }
        for at in 0..8 {
            let center = ORIGIN + at * FIELD;
            let column = char::from(b'a' + at as u8);
            write_text(svg, center, MARGIN / 2, 11, "#f2f2ea", &column.to_string());
            write_text(svg, MARGIN / 2, center, 11, "#f2f2ea", &(at + 1).to_string());
        }
    }

    fn write_discs(&self, svg: &mut String) {
        for square in Square::all() {
            let (x, y) = square_center(square);
            match self.discs[square.index()] {
                Some(color) => {
                    let (fill, edge) = disc_paint(color);
                    // What the square is worth must be seen around the disc.
                    let radius = if self.is_heated(square) { "8" } else { "12.5" };
                    let _ = write!(
                        svg,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{edge}\"/>"
                    );
                }
                None if self.legal & square.bit() != 0 && !self.is_labelled(square) => {
                    let _ = write!(
                        svg,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" fill=\"#f2f2ea\" fill-opacity=\"0.75\"/>"
                    );
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

    fn write_marks(&self, svg: &mut String) {
        if let Some(square) = self.last {
            let (x, y) = square_center(square);
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4.5\" fill=\"none\" stroke=\"#e5533d\" stroke-width=\"2.5\"/>"
            );
        }
        if let Some(square) = self.ring {
            let (x, y) = square_center(square);
            let corner = |at: u32| f64::from(at) - 13.5;
            let (x, y) = (corner(x), corner(y));
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"27\" height=\"27\" rx=\"4\" fill=\"none\" stroke=\"#ffd23f\" stroke-width=\"3\"/>"
            );
        }
    }

    fn write_label(&self, svg: &mut String, square: Square, text: &str) {
        let (x, y) = square_center(square);
        let ink = match self.discs[square.index()] {
            Some(Color::Black) => "#ffffff",
            None if !self.is_heated(square) => "#ffffff",
            _ => "#111111",
        };
        let size = if text.chars().count() > 3 { 10 } else { 12 };
        write_text(svg, x, y, size, ink, text);
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

fn write_heat(svg: &mut String, square: Square, worth: f64) {
    let (x, y) = square_center(square);
    let end = if worth < 0.0 { BAD } else { GOOD };
    let share = worth.abs();
    let [red, green, blue] = [0, 1, 2].map(|at| (NEUTRAL[at] + share * (end[at] - NEUTRAL[at])).round());
    let (x, y, side) = (x - FIELD / 2 + 1, y - FIELD / 2 + 1, FIELD - 2);
    let _ = write!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"3\" fill=\"rgb({red},{green},{blue})\"/>"
    );
}

fn write_text(svg: &mut String, x: u32, y: u32, size: u32, ink: &str, text: &str) {
    let _ = write!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" {FONT} font-size=\"{size}\" fill=\"{ink}\" text-anchor=\"middle\" \
         dominant-baseline=\"central\">{}</text>",
        escape_xml(text)
    );
}

fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_drawn_once() {
        let game = Position::from_transcript("f5d6c3").unwrap();
        let svg = Picture::from_position(&game).with_hints(&game).to_svg();
        assert_eq!(svg.matches("r=\"12.5\"").count(), 7);
        assert_eq!(svg.matches("r=\"3.5\"").count(), game.legal_moves().len());
        assert_eq!(svg.matches("stroke=\"#e5533d\"").count(), 1);
        assert!(!Picture::from_position(&game).to_svg().contains("r=\"3.5\""));
    }

    #[test]
    fn colours_of_values_follow_their_worth() {
        let square: Square = "a1".parse().unwrap();
        let fill =
            |worth: f64| Picture::from_position(&Position::start()).with_value(square, "0", worth).to_svg();
        assert!(fill(0.0).contains("rgb(240,240,232)"));
        assert!(fill(1.0).contains("rgb(92,160,240)") && fill(5.0).contains("rgb(92,160,240)"));
        assert!(fill(-1.0).contains("rgb(232,112,82)"));
    }
}
