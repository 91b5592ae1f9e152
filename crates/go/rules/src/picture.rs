//! Boards drawn as SVG: stones, numbers, letters, marks, shaded points, lines, arrows, a title and a key.
//!
//! A picture stands on its own, on light and dark pages alike: wood is wood. Everything is written as attributes, without a style
//! sheet, so that any program that shows SVG shows it the same. A field is 24 units wide.

use std::fmt::Write;

use crate::board::Board;
use crate::color::Color;
use crate::handicap;
use crate::moves::COLUMNS;
use crate::point::{BoardSize, Point};

/// Units from one line to the next.
pub const FIELD: f64 = 24.0;
/// Units around the board, for the coordinates: where the first lines are.
pub const MARGIN: f64 = 26.0;
/// Units that the title takes.
const TITLE: f64 = 30.0;
/// Units that a line of the key takes, and about those that a letter of it takes.
const KEY: f64 = 20.0;
const LETTER: f64 = 7.0;
/// Units between pictures on a sheet.
const GAP: f64 = 16.0;
/// Units around a board without coordinates.
const BARE_MARGIN: f64 = 14.0;
/// Units that lines go on beyond an open side.
const BEYOND: f64 = 11.0;
const RADIUS: f64 = 11.3;
const FONT: &str = "font-family=\"Helvetica,Arial,'Noto Sans CJK JP',sans-serif\"";

/// What a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PictureTone {
    /// Black's.
    Black,
    /// White's.
    White,
    /// Strong, solid, safe.
    Good,
    /// In between.
    Fair,
    /// In danger.
    Weak,
    /// Lost, cut, dead.
    Bad,
    /// Neither good nor bad: what is spoken of.
    Note,
    /// A step of a scale of six, from the worst (0) to the best (5; more is the same): warm, then cool, and each of its own lightness, so
    /// that eyes which do not tell all hues apart tell them too.
    Step(u8),
}

/// The colours of [`PictureTone::Step`].
const STEPS: [&str; 6] = ["#5c0c18", "#d3301f", "#f59a3e", "#fff3b0", "#4f9ad6", "#1d4a9c"];

impl PictureTone {
    /// The colour as SVG names it.
    fn svg_color(self) -> &'static str {
        match self {
            PictureTone::Black => "#111111",
            PictureTone::White => "#ffffff",
            PictureTone::Good => "#1b7f4b",
            PictureTone::Fair => "#2f6fb5",
            PictureTone::Weak => "#e08a00",
            PictureTone::Bad => "#c62828",
            PictureTone::Note => "#7b3fa0",
            PictureTone::Step(step) => STEPS[usize::from(step).min(STEPS.len() - 1)],
        }
    }

    /// In what is written on it: what reads best.
    pub fn text_tone(self) -> PictureTone {
        match self {
            PictureTone::White | PictureTone::Step(2 | 3) => PictureTone::Black,
            _ => PictureTone::White,
        }
    }

    /// That of a side.
    pub fn from_color(color: Color) -> PictureTone {
        match color {
            Color::Black => PictureTone::Black,
            Color::White => PictureTone::White,
        }
    }
}

/// The form of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PictureMark {
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A ring.
    Circle,
    /// A cross.
    Cross,
    /// A filled disc.
    Dot,
}

/// A picture of a board.
///
/// ```
/// use ishi_go::picture::{PictureMark, BoardPicture, PictureTone};
/// use ishi_go::{Board, BoardSize, Color, Point};
/// let board = Board::new(BoardSize::square(9).unwrap());
/// let svg = BoardPicture::from_board(&board)
///     .with_title("One move & its mark")
///     .with_stone(Color::Black, Point::new(4, 4), "1")
///     .with_mark(Point::new(2, 2), PictureMark::Triangle, PictureTone::Bad)
///     .to_svg();
/// assert!(svg.starts_with("<svg ") && svg.contains("One move &amp; its mark") && svg.ends_with("</svg>\n"));
/// ```
#[derive(Clone, Debug)]
pub struct BoardPicture {
    size: BoardSize,
    title: String,
    stones: Vec<(Color, Point)>,
    shades: Vec<(Point, PictureTone, f64, f64)>,
    links: Vec<([Point; 2], PictureTone, bool)>,
    arrows: Vec<([Point; 2], PictureTone)>,
    marks: Vec<(Point, PictureMark, PictureTone)>,
    labels: Vec<(Point, String, Option<PictureTone>)>,
    key: Vec<(Option<PictureTone>, String)>,
    /// Sides where the board goes on: left, bottom, right, top.
    open: [bool; 4],
    bare: bool,
}

impl BoardPicture {
    /// The stones of a board, with nothing said of them.
    pub fn from_board(board: &Board) -> BoardPicture {
        let stone = |point: Point| board.color(point).map(|color| (color, point));
        BoardPicture {
            size: board.size(),
            title: String::new(),
            stones: board.size().points().filter_map(stone).collect(),
            shades: Vec::new(),
            links: Vec::new(),
            arrows: Vec::new(),
            marks: Vec::new(),
            labels: Vec::new(),
            key: Vec::new(),
            open: [false; 4],
            bare: false,
        }
    }

    /// A part of a board, which goes on beyond these sides: left, bottom, right, top. It has no star points.
    pub fn with_open_sides(mut self, sides: [bool; 4]) -> BoardPicture {
        self.open = sides;
        self
    }

    /// Without coordinates, for small pictures.
    pub fn without_coordinates(mut self) -> BoardPicture {
        self.bare = true;
        self
    }

    /// Units from the picture's side to the first line.
    pub fn margin(&self) -> f64 {
        if self.bare { BARE_MARGIN } else { MARGIN }
    }

    /// What stands above it.
    pub fn with_title(mut self, text: impl Into<String>) -> BoardPicture {
        self.title = text.into();
        self
    }

    /// One stone more, with a number or letter on it; where there is one already it is replaced, its labels too.
    pub fn with_stone(mut self, color: Color, point: Point, text: impl Into<String>) -> BoardPicture {
        self.stones.retain(|&(_, place)| place != point);
        self.labels.retain(|&(place, ..)| place != point);
        self.stones.push((color, point));
        self.with_label(point, text, None)
    }

    /// A sequence of moves with their numbers; a move where one stands already gets a line in the key, as in books: `5 at D4`.
    pub fn with_sequence(mut self, moves: &[(Color, Point)]) -> BoardPicture {
        let mut placed: Vec<Point> = Vec::new();
        for (index, &(color, point)) in moves.iter().enumerate() {
            if placed.contains(&point) {
                self = self.with_key_line(None, format!("{} at {point}", index + 1));
            } else {
                placed.push(point);
                self = self.with_stone(color, point, (index + 1).to_string());
            }
        }
        self
    }

    /// A number or letter on a point; without a tone in what reads best there.
    pub fn with_label(
        mut self,
        point: Point,
        text: impl Into<String>,
        tone: Option<PictureTone>,
    ) -> BoardPicture {
        let text = text.into();
        if !text.is_empty() {
            self.labels.push((point, text, tone));
        }
        self
    }

    /// A mark on a point.
    pub fn with_mark(mut self, point: Point, mark: PictureMark, tone: PictureTone) -> BoardPicture {
        self.marks.push((point, mark, tone));
        self
    }

    /// A square over a point, of this share of a field (0 to 1) and this opacity (0 to 1).
    pub fn with_shade(mut self, point: Point, tone: PictureTone, share: f64, opacity: f64) -> BoardPicture {
        self.shades.push((point, tone, share.clamp(0.0, 1.0), opacity.clamp(0.0, 1.0)));
        self
    }

    /// A line between two points, dashed or not.
    pub fn with_line(mut self, ends: [Point; 2], tone: PictureTone, dashed: bool) -> BoardPicture {
        self.links.push((ends, tone, dashed));
        self
    }

    /// An arrow from the first point to the second.
    pub fn with_arrow(mut self, ends: [Point; 2], tone: PictureTone) -> BoardPicture {
        self.arrows.push((ends, tone));
        self
    }

    /// A line of the key below the board; with a tone, a dot of it stands before the text.
    pub fn with_key_line(mut self, tone: Option<PictureTone>, text: impl Into<String>) -> BoardPicture {
        self.key.push((tone, text.into()));
        self
    }

    /// The lines of the key, for pages that write it themselves.
    pub fn key_lines(&self) -> impl Iterator<Item = (Option<&'static str>, &str)> {
        self.key.iter().map(|(tone, text)| (tone.map(PictureTone::svg_color), text.as_str()))
    }

    /// A file of its own.
    pub fn to_svg(&self) -> String {
        self.svg_element(None) + "\n"
    }

    /// Shades, lines, marks and labels alone, to be laid over a picture of the same board without a title.
    pub fn overlay_svg(&self) -> String {
        let (width, height) = (self.picture_size().0, self.board_top() + self.board_side());
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\" {FONT}>"
        );
        self.draw_shades(&mut out, true);
        self.draw_shades(&mut out, false);
        self.draw_links(&mut out);
        self.draw_arrows(&mut out);
        self.draw_marks(&mut out);
        self.draw_labels(&mut out);
        out + "</svg>"
    }

    /// Units from the top to the bottom of the board with its coordinates.
    fn board_side(&self) -> f64 {
        (self.size.height().max(2) - 1) as f64 * FIELD + 2.0 * self.margin()
    }

    /// Several pictures on one sheet, so many in a row.
    pub fn sheet_svg(pictures: &[BoardPicture], columns: usize) -> String {
        let columns = columns.max(1);
        let widest = pictures.iter().map(|picture| picture.picture_size().0).fold(0.0, f64::max);
        let (mut body, mut y) = (String::new(), GAP);
        for row in pictures.chunks(columns) {
            for (column, picture) in row.iter().enumerate() {
                body.push_str(&picture.svg_element(Some((GAP + column as f64 * (widest + GAP), y))));
            }
            y += row.iter().map(|picture| picture.picture_size().1).fold(0.0, f64::max) + GAP;
        }
        let width = GAP + columns.min(pictures.len().max(1)) as f64 * (widest + GAP);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {y}\" role=\"img\">{body}</svg>\n"
        )
    }

    /// Width and height, in units.
    fn picture_size(&self) -> (f64, f64) {
        let side = |lines: usize| (lines.max(2) - 1) as f64 * FIELD + 2.0 * self.margin();
        let key = self.key_rows(side(self.size.width())).len() as f64 * KEY;
        let below = if key > 0.0 { key + 10.0 } else { 0.0 };
        (side(self.size.width()), self.board_top() + side(self.size.height()) + below)
    }

    /// Units above the board.
    fn board_top(&self) -> f64 {
        if self.title.is_empty() { 0.0 } else { TITLE }
    }

    /// The key in rows that are no wider than this.
    fn key_rows(&self, width: f64) -> Vec<Vec<(Option<PictureTone>, &str, f64)>> {
        let mut rows: Vec<Vec<(Option<PictureTone>, &str, f64)>> = Vec::new();
        let mut x = f64::INFINITY;
        for (tone, text) in &self.key {
            let own = text_width(text) + if tone.is_some() { 18.0 } else { 0.0 } + 14.0;
            if x + own > width {
                rows.push(Vec::new());
                x = 12.0;
            }
            rows.last_mut().expect("a row was begun").push((*tone, text, x));
            x += own;
        }
        rows
    }

    /// The element, at a place on a sheet or as a file.
    fn svg_element(&self, place: Option<(f64, f64)>) -> String {
        let (width, height) = self.picture_size();
        let mut out = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\"");
        if let Some((x, y)) = place {
            append_text(&mut out, format_args!(" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""));
        }
        append_text(&mut out, format_args!(" viewBox=\"0 0 {width} {height}\" role=\"img\" {FONT}"));
        // A title shows up under the mouse: boards without one are named for those who do not see them only.
        if self.title.is_empty() {
            append_text(&mut out, format_args!(" aria-label=\"Go board\">"));
        } else {
            append_text(&mut out, format_args!("><title>{}</title>", escape_markup(&self.title)));
        }
        append_text(
            &mut out,
            format_args!("<rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#ecc982\"/>"),
        );
        if !self.title.is_empty() {
            append_text(
                &mut out,
                format_args!(
                    "<text x=\"12\" y=\"21\" font-size=\"15\" font-weight=\"700\" fill=\"#2b2113\">{}</text>",
                    escape_markup(&self.title)
                ),
            );
        }
        self.draw_lines(&mut out);
        self.draw_coordinates(&mut out);
        self.draw_shades(&mut out, true);
        self.draw_stones(&mut out);
        self.draw_shades(&mut out, false);
        self.draw_links(&mut out);
        self.draw_arrows(&mut out);
        self.draw_marks(&mut out);
        self.draw_labels(&mut out);
        self.draw_key(&mut out, width, height);
        out + "</svg>"
    }

    fn point_coordinates(&self, point: Point) -> (f64, f64) {
        let row = self.size.height() - 1 - point.row();
        (self.margin() + point.column() as f64 * FIELD, self.board_top() + self.margin() + row as f64 * FIELD)
    }

    fn stone_at(&self, point: Point) -> Option<Color> {
        self.stones.iter().find(|&&(_, place)| place == point).map(|&(color, _)| color)
    }

    fn draw_lines(&self, out: &mut String) {
        let (columns, rows) = (self.size.width(), self.size.height());
        let (first, highest) = (self.margin(), self.board_top() + self.margin());
        let beyond = self.open.map(|open| if open { BEYOND } else { 0.0 });
        let (left, right) = (first - beyond[0], first + (columns - 1) as f64 * FIELD + beyond[2]);
        let (top, bottom) = (highest - beyond[3], highest + (rows - 1) as f64 * FIELD + beyond[1]);
        let mut path = String::new();
        for column in 0..columns {
            append_text(&mut path, format_args!("M{} {top}V{bottom}", first + column as f64 * FIELD));
        }
        for row in 0..rows {
            append_text(&mut path, format_args!("M{left} {}H{right}", highest + row as f64 * FIELD));
        }
        append_text(
            out,
            format_args!(
                "<path d=\"{path}\" stroke=\"#5f4519\" stroke-width=\"1\" stroke-linecap=\"square\" fill=\"none\"/>"
            ),
        );
        let stars = if self.open == [false; 4] { handicap::star_points(self.size) } else { Vec::new() };
        for star in stars {
            let (x, y) = self.point_coordinates(star);
            append_text(out, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"2.6\" fill=\"#5f4519\"/>"));
        }
    }

    fn draw_coordinates(&self, out: &mut String) {
        if self.bare {
            return;
        }
        let (width, height) = (self.size.width(), self.size.height());
        append_text(out, format_args!("<g font-size=\"10\" fill=\"#5f4519\" text-anchor=\"middle\">"));
        for (column, &letter) in COLUMNS[..width].iter().enumerate() {
            let x = MARGIN + column as f64 * FIELD;
            for y in
                [self.board_top() + 11.0, self.board_top() + 2.0 * MARGIN + (height - 1) as f64 * FIELD - 4.5]
            {
                append_text(out, format_args!("<text x=\"{x}\" y=\"{y}\">{}</text>", letter as char));
            }
        }
        for row in 0..height {
            let y = self.point_coordinates(Point::new(0, row)).1 + 3.5;
            for x in [8.0, 2.0 * MARGIN + (width - 1) as f64 * FIELD - 8.0] {
                append_text(out, format_args!("<text x=\"{x}\" y=\"{y}\">{}</text>", row + 1));
            }
        }
        out.push_str("</g>");
    }

    /// Shades below the stones fill empty points, those above them lie small on the stones.
    fn draw_shades(&self, out: &mut String, below: bool) {
        for &(point, tone, share, opacity) in &self.shades {
            let stone = self.stone_at(point);
            let is_stone = stone.is_some();
            if is_stone == below {
                continue;
            }
            // A dark shade on a black stone and a light one on a white stone are seen by their edges.
            let edge = match stone {
                Some(Color::Black) => " stroke=\"#ffffff\" stroke-width=\"0.8\"",
                Some(Color::White) => " stroke=\"#161616\" stroke-width=\"0.8\"",
                None => "",
            };
            let (x, y) = self.point_coordinates(point);
            let side = FIELD * share * if is_stone { 0.6 } else { 1.0 };
            let (left, top) = (x - side / 2.0, y - side / 2.0);
            append_text(
                out,
                format_args!(
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"{}\" \
                     fill-opacity=\"{opacity:.2}\"{edge}/>",
                    tone.svg_color()
                ),
            );
        }
    }

    fn draw_stones(&self, out: &mut String) {
        for &(color, point) in &self.stones {
            let (x, y) = self.point_coordinates(point);
            let (fill, edge) =
                if color == Color::Black { ("#161616", "#000000") } else { ("#fbfaf5", "#4a4a4a") };
            append_text(
                out,
                format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"0.8\"/>"
                ),
            );
        }
    }

    fn draw_links(&self, out: &mut String) {
        for &([a, b], tone, dashed) in &self.links {
            let ((x1, y1), (x2, y2)) = (self.point_coordinates(a), self.point_coordinates(b));
            let dash = if dashed { " stroke-dasharray=\"4 4\"" } else { "" };
            append_text(
                out,
                format_args!(
                    "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{}\" stroke-width=\"3.4\" \
                     stroke-linecap=\"round\" stroke-opacity=\"0.9\"{dash}/>",
                    tone.svg_color()
                ),
            );
        }
    }

    /// A shaft that ends before the second point's centre, and a head.
    fn draw_arrows(&self, out: &mut String) {
        for &([from, to], tone) in &self.arrows {
            let ((x1, y1), (x2, y2)) = (self.point_coordinates(from), self.point_coordinates(to));
            let length = (x2 - x1).hypot(y2 - y1);
            if length < 1.0 {
                continue;
            }
            let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
            let (neck_x, neck_y) = (x2 - 9.0 * dx, y2 - 9.0 * dy);
            let color = tone.svg_color();
            append_text(
                out,
                format_args!(
                    "<path d=\"M{x1} {y1}L{neck_x:.1} {neck_y:.1}\" stroke=\"{color}\" stroke-width=\"3\" fill=\"none\"/>\
                     <path d=\"M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{color}\"/>",
                    neck_x - 5.0 * dy,
                    neck_y + 5.0 * dx,
                    neck_x + 5.0 * dy,
                    neck_y - 5.0 * dx
                ),
            );
        }
    }

    fn draw_marks(&self, out: &mut String) {
        for &(point, mark, tone) in &self.marks {
            let (x, y) = self.point_coordinates(point);
            let color = tone.svg_color();
            let line =
                format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"2.4\" stroke-linejoin=\"round\"");
            let _ = match mark {
                PictureMark::Triangle => write!(
                    out,
                    "<path d=\"M{x} {:.1}L{:.1} {:.1}H{:.1}Z\" {line}/>",
                    y - 7.0,
                    x + 6.2,
                    y + 4.2,
                    x - 6.2
                ),
                PictureMark::Square => write!(
                    out,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"11\" height=\"11\" {line}/>",
                    x - 5.5,
                    y - 5.5
                ),
                PictureMark::Circle => write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" {line}/>"),
                PictureMark::Cross => write!(
                    out,
                    "<path d=\"M{0:.1} {1:.1}L{2:.1} {3:.1}M{0:.1} {3:.1}L{2:.1} {1:.1}\" stroke-linecap=\"round\" {line}/>",
                    x - 5.2,
                    y - 5.2,
                    x + 5.2,
                    y + 5.2
                ),
                PictureMark::Dot => write!(
                    out,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{color}\" stroke=\"#ffffff\" stroke-width=\"1\"/>"
                ),
            };
        }
    }

    fn draw_labels(&self, out: &mut String) {
        for (point, text, tone) in &self.labels {
            let (x, y) = self.point_coordinates(*point);
            let stone = self.stone_at(*point);
            let color = match (tone, stone) {
                (Some(tone), _) => tone.svg_color(),
                (None, Some(Color::Black)) => "#ffffff",
                (None, _) => "#111111",
            };
            if stone.is_none() {
                // The crossing lines are covered, so that the text can be read.
                append_text(out, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"#f3d898\"/>"));
            }
            let size = match text.chars().count() {
                1 => 13.0,
                2 => 11.5,
                3 => 9.5,
                _ => 8.0,
            };
            append_text(
                out,
                format_args!(
                    "<text x=\"{x}\" y=\"{:.1}\" font-size=\"{size}\" font-weight=\"600\" text-anchor=\"middle\" \
                     fill=\"{color}\">{}</text>",
                    y + size * 0.36,
                    escape_markup(text)
                ),
            );
        }
    }

    fn draw_key(&self, out: &mut String, width: f64, height: f64) {
        let rows = self.key_rows(width);
        let first = height - rows.len() as f64 * KEY;
        for (number, row) in rows.iter().enumerate() {
            let y = first + number as f64 * KEY;
            for &(tone, text, x) in row {
                let mut x = x;
                if let Some(tone) = tone {
                    append_text(
                        out,
                        format_args!(
                            "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{}\" stroke=\"#5f4519\" stroke-width=\"0.6\"/>",
                            x + 5.0,
                            tone.svg_color()
                        ),
                    );
                    x += 15.0;
                }
                append_text(
                    out,
                    format_args!(
                        "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"12\" fill=\"#2b2113\">{}</text>",
                        y + 4.3,
                        escape_markup(text)
                    ),
                );
            }
        }
    }
}

/// About the units that a text takes; Chinese characters are as wide as high.
fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if u32::from(c) < 0x2E80 { LETTER } else { 12.0 }).sum()
}

fn append_text(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = out.write_fmt(text);
}

/// Text for XML and HTML, in elements and in attributes; control characters, which XML does not have, are left out.
pub fn escape_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(side: usize) -> Board {
        Board::new(BoardSize::square(side).unwrap())
    }

    #[test]
    fn arrows_have_heads_and_need_two_points() {
        let (a, b) = (Point::new(0, 0), Point::new(3, 4));
        let heads = |picture: BoardPicture| picture.to_svg().matches("Z\" fill=\"#c62828\"").count();
        assert_eq!(heads(BoardPicture::from_board(&board(9)).with_arrow([a, b], PictureTone::Bad)), 1);
        assert_eq!(heads(BoardPicture::from_board(&board(9)).with_arrow([a, a], PictureTone::Bad)), 0);
    }

    #[test]
    fn texts_are_escaped() {
        let picture = BoardPicture::from_board(&board(9))
            .with_title("<script>\u{0}")
            .with_key_line(None, "a & b")
            .with_label(Point::new(0, 0), "\"<", None);
        let svg = picture.to_svg();
        assert!(svg.contains("&lt;script&gt;</text>") && svg.contains("a &amp; b"), "{svg}");
        assert!(
            svg.contains("&quot;&lt;</text>") && !svg.contains("<script") && !svg.contains('\u{0}'),
            "{svg}"
        );
    }

    #[test]
    fn a_second_move_on_a_point_stands_in_the_key() {
        let (a, b) = (Point::new(1, 1), Point::new(2, 2));
        let moves = [(Color::Black, a), (Color::White, b), (Color::Black, a)];
        let svg = BoardPicture::from_board(&board(9)).with_sequence(&moves).to_svg();
        assert!(
            svg.contains(">1</text>") && svg.contains(">2</text>") && svg.contains(">3 at B2</text>"),
            "{svg}"
        );
        assert_eq!(svg.matches("r=\"11.3\"").count(), 2, "two stones");
    }

    #[test]
    fn a_part_of_a_board_goes_on_and_a_small_one_has_no_coordinates() {
        let whole = BoardPicture::from_board(&board(9));
        let part = whole.clone().with_open_sides([false, false, true, true]).without_coordinates();
        let (whole, part) = (whole.to_svg(), part.to_svg());
        assert!(whole.contains(">J</text>") && whole.contains("M26 26V218") && whole.contains("r=\"2.6\""));
        assert!(part.contains("M14 3V206") && part.contains("M14 14H217"), "{part}");
        assert!(!part.contains(">J</text>") && !part.contains("r=\"2.6\""));
    }

    #[test]
    fn long_keys_are_broken_and_make_room() {
        let one = BoardPicture::from_board(&board(9)).with_key_line(Some(PictureTone::Good), "short");
        let many = (0..6).fold(one.clone(), |picture, n| {
            picture.with_key_line(Some(PictureTone::Bad), format!("a longer text, {n}"))
        });
        assert!(many.picture_size().1 > one.picture_size().1 + 2.0 * KEY);
        assert_eq!(many.picture_size().0, one.picture_size().0);
    }

    #[test]
    fn sheets_hold_all_pictures_beside_and_below_each_other() {
        let pictures =
            [5, 9, 5].map(|side| BoardPicture::from_board(&board(side)).with_title(format!("side {side}")));
        let sheet = BoardPicture::sheet_svg(&pictures, 2);
        assert_eq!(sheet.matches("<svg ").count(), 4);
        assert_eq!(sheet.matches("</svg>").count(), 4);
        assert!(sheet.contains("side 9</title>"));
    }
}
