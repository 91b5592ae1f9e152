//! Boards drawn as SVG: stones, numbers, letters, marks, shaded points, lines, arrows, a title and a key.
//!
//! A picture stands on its own, on light and dark pages alike: wood is wood. Everything is written as attributes, without a style
//! sheet, so that any program that shows SVG shows it the same. A field is 24 units wide.

use ishi_draw::{DEPTH_FILLINGS, DEPTH_FILLS, DEPTH_SHADOW, SvgElement, line_grid_path, tenths};

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
/// Wood under a letter, lines and coordinates, texts.
const BARE_WOOD: &str = "#f3d898";
const LINE: &str = "#5f4519";
const INK: &str = "#2b2113";

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

impl PictureMark {
    /// Its form round a place, without colours.
    fn draw_shape(self, x: f64, y: f64) -> SvgElement {
        match self {
            PictureMark::Triangle => SvgElement::path(format_args!(
                "M{x} {:.1}L{:.1} {:.1}H{:.1}Z",
                y - 7.0,
                x + 6.2,
                y + 4.2,
                x - 6.2
            )),
            PictureMark::Square => SvgElement::rect(tenths(x - 5.5), tenths(y - 5.5), 11, 11),
            PictureMark::Circle => SvgElement::circle(x, y, 7),
            PictureMark::Cross => {
                let [left, top, right, bottom] = [x - 5.2, y - 5.2, x + 5.2, y + 5.2].map(tenths);
                let steps = format!("M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}");
                SvgElement::path(steps).attr("stroke-linecap", "round")
            }
            PictureMark::Dot => SvgElement::circle(x, y, 5),
        }
    }
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
    name: String,
    stones: Vec<(Color, Point)>,
    shades: Vec<(Point, PictureTone, f64, f64)>,
    links: Vec<([Point; 2], PictureTone, bool)>,
    arrows: Vec<([Point; 2], PictureTone)>,
    marks: Vec<(Point, PictureMark, PictureTone)>,
    labels: Vec<(Point, String, Option<PictureTone>)>,
    discs: Vec<(Point, [String; 2], PictureTone)>,
    key: Vec<(Option<PictureTone>, String)>,
    /// Sides where the board goes on: left, bottom, right, top.
    open: [bool; 4],
    bare: bool,
    deep: bool,
}

impl BoardPicture {
    /// The stones of a board, with nothing said of them.
    pub fn from_board(board: &Board) -> BoardPicture {
        let stone = |point: Point| board.color(point).map(|color| (color, point));
        BoardPicture {
            size: board.size(),
            title: String::new(),
            name: "Go board".to_string(),
            stones: board.size().points().filter_map(stone).collect(),
            shades: Vec::new(),
            links: Vec::new(),
            arrows: Vec::new(),
            marks: Vec::new(),
            labels: Vec::new(),
            discs: Vec::new(),
            key: Vec::new(),
            open: [false; 4],
            bare: false,
            deep: false,
        }
    }

    /// A part of a board, which goes on beyond these sides: left, bottom, right, top. It has no star points.
    pub fn with_open_sides(mut self, sides: [bool; 4]) -> BoardPicture {
        self.open = sides;
        self
    }

    /// The picture without coordinates, for small ones.
    pub fn without_coordinates(mut self) -> BoardPicture {
        self.bare = true;
        self
    }

    /// Stones with depth and shadow on wood that lies behind the picture, for the board that a page is about. Its fillings have names, so that a
    /// page has one such picture; groups of the classes `shadows`, `stones` and `remarks` hold what changes from move to move.
    pub fn with_depth(mut self) -> BoardPicture {
        self.deep = true;
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

    /// What a board without a title is called for those who do not see it: `Go board` unless it is given, such as in another language.
    pub fn with_name(mut self, text: impl Into<String>) -> BoardPicture {
        self.name = text.into();
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

    /// A disc on a point, with a text and a smaller one below it.
    pub fn with_disc(mut self, point: Point, texts: [String; 2], tone: PictureTone) -> BoardPicture {
        self.discs.push((point, texts, tone));
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
        self.svg_element().to_file()
    }

    /// Shades, lines, marks and labels alone, to be laid over a picture of the same board without a title.
    pub fn overlay_svg(&self) -> String {
        let (width, height) = (self.picture_size().0, self.board_top() + self.board_side());
        let mut svg = SvgElement::document(width, height).attr("aria-hidden", true).with_font();
        self.draw_shades(&mut svg, true);
        self.draw_shades(&mut svg, false);
        self.draw_remarks(&mut svg);
        svg.to_string()
    }

    /// All that lies on the stones but for shades.
    fn draw_remarks(&self, svg: &mut SvgElement) {
        self.draw_links(svg);
        self.draw_arrows(svg);
        self.draw_marks(svg);
        self.draw_labels(svg);
        self.draw_discs(svg);
    }

    /// Units from the top to the bottom of the board with its coordinates.
    fn board_side(&self) -> f64 {
        (self.size.height().max(2) - 1) as f64 * FIELD + 2.0 * self.margin()
    }

    /// Several pictures on one sheet, so many in a row.
    pub fn sheet_svg(pictures: &[BoardPicture], columns: usize) -> String {
        let columns = columns.max(1);
        let widest = pictures.iter().map(|picture| picture.picture_size().0).fold(0.0, f64::max);
        let (mut placed, mut y) = (Vec::new(), GAP);
        for row in pictures.chunks(columns) {
            for (column, picture) in row.iter().enumerate() {
                let (width, height) = picture.picture_size();
                let place =
                    picture.svg_element().attr("x", GAP + column as f64 * (widest + GAP)).attr("y", y);
                placed.push(place.attr("width", width).attr("height", height));
            }
            y += row.iter().map(|picture| picture.picture_size().1).fold(0.0, f64::max) + GAP;
        }
        let width = GAP + columns.min(pictures.len().max(1)) as f64 * (widest + GAP);
        let sheet = SvgElement::document(width, y).attr("role", "img");
        placed.into_iter().fold(sheet, SvgElement::with).to_file()
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

    fn svg_element(&self) -> SvgElement {
        let (width, height) = self.picture_size();
        let mut svg = SvgElement::document(width, height).attr("role", "img").with_font();
        // A title shows up under the mouse: boards without one are named for those who do not see them only.
        svg = if self.title.is_empty() {
            svg.attr("aria-label", &self.name)
        } else {
            svg.with_title(&self.title)
        };
        if self.deep {
            svg.add_markup(DEPTH_FILLINGS);
        } else {
            svg.add(SvgElement::background(width, height).attr("rx", 6).fill("#ecc982"));
        }
        if !self.title.is_empty() {
            let title = SvgElement::text(12, 21, &self.title).attr("font-size", 15);
            svg.add(title.attr("font-weight", 700).fill(INK));
        }
        self.draw_lines(&mut svg);
        self.draw_coordinates(&mut svg);
        if self.deep {
            self.draw_deep_stones(&mut svg);
        } else {
            self.draw_shades(&mut svg, true);
            self.draw_stones(&mut svg);
            self.draw_shades(&mut svg, false);
            self.draw_remarks(&mut svg);
        }
        self.draw_key(&mut svg, width, height);
        svg
    }

    fn point_coordinates(&self, point: Point) -> (f64, f64) {
        let row = self.size.height() - 1 - point.row();
        (self.margin() + point.column() as f64 * FIELD, self.board_top() + self.margin() + row as f64 * FIELD)
    }

    fn stone_at(&self, point: Point) -> Option<Color> {
        self.stones.iter().find(|&&(_, place)| place == point).map(|&(color, _)| color)
    }

    fn draw_lines(&self, svg: &mut SvgElement) {
        let (columns, rows) = (self.size.width(), self.size.height());
        let (first, highest) = (self.margin(), self.board_top() + self.margin());
        let beyond = self.open.map(|open| if open { BEYOND } else { 0.0 });
        let (left, right) = (first - beyond[0], first + (columns - 1) as f64 * FIELD + beyond[2]);
        let (top, bottom) = (highest - beyond[3], highest + (rows - 1) as f64 * FIELD + beyond[1]);
        let path = line_grid_path(
            (0..columns).map(|column| first + column as f64 * FIELD),
            (0..rows).map(|row| highest + row as f64 * FIELD),
            [left, top, right, bottom],
        );
        let lines = SvgElement::path(path).stroke(LINE).attr("stroke-width", 1);
        svg.add(lines.attr("stroke-linecap", "square").fill("none"));
        let stars = if self.open == [false; 4] { handicap::marked_points(self.size) } else { Vec::new() };
        for (x, y) in stars.into_iter().map(|star| self.point_coordinates(star)) {
            svg.add(SvgElement::circle(x, y, 2.6).fill(LINE));
        }
    }

    fn draw_coordinates(&self, svg: &mut SvgElement) {
        if self.bare {
            return;
        }
        let (width, height) = (self.size.width(), self.size.height());
        let group = SvgElement::group().attr("font-size", 10).fill(LINE);
        let mut group = group.attr("text-anchor", "middle");
        let top = self.board_top();
        for (column, &letter) in COLUMNS[..width].iter().enumerate() {
            let x = MARGIN + column as f64 * FIELD;
            for y in [top + 11.0, top + 2.0 * MARGIN + (height - 1) as f64 * FIELD - 4.5] {
                group.add(SvgElement::text(x, y, letter as char));
            }
        }
        for row in 0..height {
            let y = self.point_coordinates(Point::new(0, row)).1 + 3.5;
            for x in [8.0, 2.0 * MARGIN + (width - 1) as f64 * FIELD - 8.0] {
                group.add(SvgElement::text(x, y, row + 1));
            }
        }
        svg.add(group);
    }

    /// Shades below the stones fill empty points, those above them lie small on the stones.
    fn draw_shades(&self, svg: &mut SvgElement, below: bool) {
        for &(point, tone, share, opacity) in &self.shades {
            let stone = self.stone_at(point);
            let is_stone = stone.is_some();
            if is_stone == below {
                continue;
            }
            let (x, y) = self.point_coordinates(point);
            let side = FIELD * share * if is_stone { 0.6 } else { 1.0 };
            let [left, top, side] = [x - side / 2.0, y - side / 2.0, side].map(tenths);
            let shade = SvgElement::rect(left, top, side, side).fill(tone.svg_color());
            let shade = shade.attr("fill-opacity", format_args!("{opacity:.2}"));
            // A dark shade on a black stone and a light one on a white stone are seen by their edges.
            svg.add(match stone {
                Some(Color::Black) => shade.stroke("#ffffff").attr("stroke-width", 0.8),
                Some(Color::White) => shade.stroke("#161616").attr("stroke-width", 0.8),
                None => shade,
            });
        }
    }

    fn draw_stones(&self, svg: &mut SvgElement) {
        for &(color, point) in &self.stones {
            let (x, y) = self.point_coordinates(point);
            let (fill, edge) =
                if color == Color::Black { ("#161616", "#000000") } else { ("#fbfaf5", "#4a4a4a") };
            svg.add(SvgElement::circle(x, y, RADIUS).fill(fill).stroke(edge).attr("stroke-width", 0.8));
        }
    }

    fn draw_deep_stones(&self, svg: &mut SvgElement) {
        let [mut shadows, mut stones, mut remarks] =
            ["shadows", "stones", "remarks"].map(|class| SvgElement::group().class(class));
        for &(color, point) in &self.stones {
            let (x, y) = self.point_coordinates(point);
            let fill = DEPTH_FILLS[color.index()];
            shadows.add(SvgElement::circle(tenths(x + 0.9), tenths(y + 1.6), 12.6).fill(DEPTH_SHADOW));
            stones.add(SvgElement::circle(x, y, RADIUS).fill(fill));
        }
        self.draw_shades(&mut remarks, true);
        self.draw_shades(&mut remarks, false);
        self.draw_remarks(&mut remarks);
        [shadows, stones, remarks].into_iter().for_each(|group| svg.add(group));
    }

    fn draw_links(&self, svg: &mut SvgElement) {
        for &([a, b], tone, dashed) in &self.links {
            let ((x1, y1), (x2, y2)) = (self.point_coordinates(a), self.point_coordinates(b));
            let line = SvgElement::line([x1, y1, x2, y2]).stroke(tone.svg_color()).attr("stroke-width", 3.4);
            let line = line.attr("stroke-linecap", "round").attr("stroke-opacity", 0.9);
            svg.add(if dashed { line.attr("stroke-dasharray", "4 4") } else { line });
        }
    }

    /// A shaft that ends before the second point's centre, and a head.
    fn draw_arrows(&self, svg: &mut SvgElement) {
        for &([from, to], tone) in &self.arrows {
            let ((x1, y1), (x2, y2)) = (self.point_coordinates(from), self.point_coordinates(to));
            let length = (x2 - x1).hypot(y2 - y1);
            if length < 1.0 {
                continue;
            }
            let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
            let (neck_x, neck_y) = (x2 - 9.0 * dx, y2 - 9.0 * dy);
            let shaft = SvgElement::path(format_args!("M{x1} {y1}L{neck_x:.1} {neck_y:.1}"));
            svg.add(shaft.stroke(tone.svg_color()).attr("stroke-width", 3).fill("none"));
            let head = format!(
                "M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
                neck_x - 5.0 * dy,
                neck_y + 5.0 * dx,
                neck_x + 5.0 * dy,
                neck_y - 5.0 * dx
            );
            svg.add(SvgElement::path(head).fill(tone.svg_color()));
        }
    }

    fn draw_marks(&self, svg: &mut SvgElement) {
        for &(point, mark, tone) in &self.marks {
            let (x, y) = self.point_coordinates(point);
            let (shape, color) = (mark.draw_shape(x, y), tone.svg_color());
            svg.add(match mark {
                PictureMark::Dot => shape.fill(color).stroke("#ffffff").attr("stroke-width", 1),
                _ => {
                    let outline = shape.fill("none").stroke(color).attr("stroke-width", 2.4);
                    outline.attr("stroke-linejoin", "round")
                }
            });
        }
    }

    fn draw_labels(&self, svg: &mut SvgElement) {
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
                svg.add(SvgElement::circle(x, y, 9).fill(BARE_WOOD));
            }
            let size = match text.chars().count() {
                1 => 13.0,
                2 => 11.5,
                3 => 9.5,
                _ => 8.0,
            };
            let label = SvgElement::text(x, tenths(y + size * 0.36), text).attr("font-size", size);
            svg.add(label.attr("font-weight", 600).attr("text-anchor", "middle").fill(color));
        }
    }

    fn draw_discs(&self, svg: &mut SvgElement) {
        for (point, [upper, lower], tone) in &self.discs {
            let (x, y) = self.point_coordinates(*point);
            svg.add(SvgElement::circle(x, y, RADIUS).fill(tone.svg_color()));
            let ink = tone.text_tone().svg_color();
            // Longer texts are smaller, so that they stay on the disc.
            for (text, below, widest, most) in [(upper, 1.0, 18.5, 10.0), (lower, 8.2, 14.0, 8.0)] {
                let size = f64::min(most, widest / figures_width(text));
                let line = SvgElement::text(x, tenths(y + below), text).attr("font-size", tenths(size));
                svg.add(line.attr("font-weight", 600).attr("text-anchor", "middle").fill(ink));
            }
        }
    }

    fn draw_key(&self, svg: &mut SvgElement, width: f64, height: f64) {
        let rows = self.key_rows(width);
        let first = height - rows.len() as f64 * KEY;
        for (number, row) in rows.iter().enumerate() {
            let y = first + number as f64 * KEY;
            for &(tone, text, x) in row {
                if let Some(tone) = tone {
                    let dot = SvgElement::circle(tenths(x + 5.0), tenths(y), 5).fill(tone.svg_color());
                    svg.add(dot.stroke(LINE).attr("stroke-width", 0.6));
                }
                let x = x + if tone.is_some() { 15.0 } else { 0.0 };
                let line = SvgElement::text(tenths(x), tenths(y + 4.3), text);
                svg.add(line.attr("font-size", 12).fill(INK));
            }
        }
    }
}

/// About how wide figures are in bold type, in shares of its size.
fn figures_width(text: &str) -> f64 {
    let width = |sign: char| match sign {
        '.' | '-' => 0.4,
        '+' => 0.84,
        '%' => 1.0,
        _ => 0.7,
    };
    text.chars().map(width).sum::<f64>().max(0.4)
}

/// About the units that a text takes; Chinese characters are as wide as high.
fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if u32::from(c) < 0x2E80 { LETTER } else { 12.0 }).sum()
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
    fn a_disc_has_two_texts_that_can_be_read_on_it() {
        let disc = |tone: PictureTone| {
            let texts = ["-1.2", "48"].map(String::from);
            BoardPicture::from_board(&board(9)).with_disc(Point::new(4, 4), texts, tone).overlay_svg()
        };
        let (dark, bright) = (disc(PictureTone::Step(0)), disc(PictureTone::Step(2)));
        assert!(dark.contains(">-1.2</text>") && dark.contains(">48</text>"), "{dark}");
        assert_eq!(
            (dark.matches("fill=\"#ffffff\"").count(), dark.matches("#111111").count()),
            (2, 0),
            "{dark}"
        );
        assert_eq!((bright.matches("#ffffff").count(), bright.matches("fill=\"#111111\"").count()), (0, 2));
        let size = |upper: &str| {
            let texts = [upper.to_string(), "48".to_string()];
            let svg = BoardPicture::from_board(&board(9))
                .with_disc(Point::new(4, 4), texts, PictureTone::Good)
                .overlay_svg();
            let (before, _) = svg.split_once(&format!(">{upper}<")).unwrap();
            let (_, size) = before.rsplit_once("font-size=\"").unwrap();
            size.split_once('"').unwrap().0.parse::<f64>().unwrap()
        };
        assert!(
            size("0.0") > size("-12.5") && size("-12.5") > size("-12.5 points"),
            "long texts are smaller"
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
    fn a_deep_picture_has_its_stones_in_groups_and_no_wood() {
        let board = board(9);
        let svg = BoardPicture::from_board(&board)
            .with_stone(Color::Black, Point::new(4, 4), "1")
            .with_depth()
            .to_svg();
        assert_eq!(
            (svg.matches("url(#stone-black)").count(), svg.matches("#ecc982").count()),
            (1, 0),
            "{svg}"
        );
        assert_eq!(svg.matches("r=\"2.6\"").count(), 5, "a 9x9 board has five star points");
        assert!(svg.contains("class=\"shadows\"") && svg.contains("class=\"remarks\""), "{svg}");
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
    fn a_board_without_a_title_has_a_name_for_who_does_not_see_it() {
        let picture = BoardPicture::from_board(&board(5));
        assert!(picture.to_svg().contains("aria-label=\"Go board\""));
        let named = picture.with_name("碁盤");
        assert!(named.to_svg().contains("aria-label=\"碁盤\""));
        assert!(!named.with_title("A game").to_svg().contains("aria-label"));
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
