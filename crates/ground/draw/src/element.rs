//! Elements of SVG.

use std::fmt::{self, Display, Write};

use crate::escape::{EscapingWriter, escape_xml};

/// An element with its attributes and all that stands in it, written as it grows.
#[derive(Clone, Debug)]
pub struct SvgElement {
    name: &'static str,
    attributes: String,
    /// Markup; without any the element closes itself.
    content: Option<String>,
}

impl SvgElement {
    /// An element of any name.
    pub fn new(name: &'static str) -> SvgElement {
        SvgElement { name, attributes: String::new(), content: None }
    }

    /// A document, or a picture within a page, of this width and height in units.
    pub fn document(width: impl Display, height: impl Display) -> SvgElement {
        let svg = SvgElement::new("svg").attr("xmlns", "http://www.w3.org/2000/svg");
        svg.attr("viewBox", format_args!("0 0 {width} {height}"))
    }

    /// Several elements with common attributes.
    pub fn group() -> SvgElement {
        SvgElement::new("g")
    }

    /// A line between two points: x and y of the first, x and y of the second.
    pub fn line([x1, y1, x2, y2]: [impl Display; 4]) -> SvgElement {
        SvgElement::new("line").attr("x1", x1).attr("y1", y1).attr("x2", x2).attr("y2", y2)
    }

    /// A path, as SVG writes it.
    pub fn path(steps: impl Display) -> SvgElement {
        SvgElement::new("path").attr("d", steps)
    }

    /// A line from point to point, exact to tenths of a unit.
    pub fn polyline(points: &[[f64; 2]]) -> SvgElement {
        SvgElement::new("polyline").attr("points", point_list(points))
    }

    /// An area between points, exact to tenths of a unit.
    pub fn polygon(points: &[[f64; 2]]) -> SvgElement {
        SvgElement::new("polygon").attr("points", point_list(points))
    }

    /// A rectangle at a place.
    pub fn rect(x: impl Display, y: impl Display, width: impl Display, height: impl Display) -> SvgElement {
        SvgElement::new("rect").attr("x", x).attr("y", y).attr("width", width).attr("height", height)
    }

    /// A rectangle from the picture's upper left corner on: what all else lies on.
    pub fn background(width: impl Display, height: impl Display) -> SvgElement {
        SvgElement::new("rect").attr("width", width).attr("height", height)
    }

    /// A circle round a place.
    pub fn circle(x: impl Display, y: impl Display, radius: impl Display) -> SvgElement {
        SvgElement::new("circle").attr("cx", x).attr("cy", y).attr("r", radius)
    }

    /// A text at a place.
    pub fn text(x: impl Display, y: impl Display, text: impl Display) -> SvgElement {
        SvgElement::new("text").attr("x", x).attr("y", y).with_text(text)
    }

    /// An attribute more; its value is escaped.
    pub fn attr(mut self, name: &str, value: impl Display) -> SvgElement {
        self.attributes.extend([" ", name, "=\""]);
        write_escaped(&mut self.attributes, value);
        self.attributes.push('"');
        self
    }

    /// Its class, which stands before the other attributes.
    pub fn class(mut self, class: &str) -> SvgElement {
        self.attributes.insert_str(0, &format!(" class=\"{}\"", escape_xml(class)));
        self
    }

    /// What it is filled with.
    pub fn fill(self, color: &str) -> SvgElement {
        self.attr("fill", color)
    }

    /// The colour of its line.
    pub fn stroke(self, color: &str) -> SvgElement {
        self.attr("stroke", color)
    }

    /// The letters of its texts, for pictures that stand on their own.
    pub fn with_font(mut self) -> SvgElement {
        self.attributes.push_str(" font-family=\"Helvetica,Arial,'Noto Sans CJK JP',sans-serif\"");
        self
    }

    /// A text in it, escaped.
    pub fn with_text(mut self, text: impl Display) -> SvgElement {
        write_escaped(self.content.get_or_insert_default(), text);
        self
    }

    /// What it shows, for those who do not see it, and under the mouse.
    pub fn with_title(self, text: impl Display) -> SvgElement {
        self.with(SvgElement::new("title").with_text(text))
    }

    /// An element more in it.
    pub fn with(mut self, element: SvgElement) -> SvgElement {
        self.add(element);
        self
    }

    /// Adds an element.
    pub fn add(&mut self, element: SvgElement) {
        element.write_to(self.content.get_or_insert_default());
    }

    /// Adds an element and ends the line.
    pub fn add_line(&mut self, element: SvgElement) {
        self.add(element);
        self.add_markup("\n");
    }

    /// Adds what is markup already.
    pub fn add_markup(&mut self, markup: &str) {
        self.content.get_or_insert_default().push_str(markup);
    }

    /// A file of its own.
    pub fn to_file(&self) -> String {
        let mut out = String::new();
        self.write_to(&mut out);
        out.push('\n');
        out
    }

    fn write_to(&self, out: &mut String) {
        out.extend(["<", self.name, &self.attributes]);
        match &self.content {
            Some(content) => out.extend([">", content, "</", self.name, ">"]),
            None => out.push_str("/>"),
        }
    }
}

impl Display for SvgElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write_to(&mut out);
        f.write_str(&out)
    }
}

fn write_escaped(out: &mut String, text: impl Display) {
    // Writing to a string does not fail.
    let _ = write!(EscapingWriter(out), "{text}");
}

/// A number that is written with one decimal: what was computed, and need not be exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tenths(f64);

/// A number to be written with one decimal. All others are written as they are.
///
/// ```
/// assert_eq!(ishi_draw::tenths(2.0 / 3.0).to_string(), "0.7");
/// ```
pub fn tenths(value: f64) -> Tenths {
    Tenths(value)
}

impl Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", self.0)
    }
}

fn point_list(points: &[[f64; 2]]) -> String {
    points.iter().map(|&[x, y]| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// The path of a board's lines: upright ones at each of `columns`, level ones at each of `rows`, from edge to edge (left, top, right,
/// bottom).
///
/// ```
/// assert_eq!(ishi_draw::line_grid_path([1, 5], [2], [0, 0, 9, 4]), "M1 0V4M5 0V4M0 2H9");
/// ```
pub fn line_grid_path<T: Display>(
    columns: impl IntoIterator<Item = T>,
    rows: impl IntoIterator<Item = T>,
    [left, top, right, bottom]: [T; 4],
) -> String {
    let upright = columns.into_iter().map(|x| format!("M{x} {top}V{bottom}"));
    let mut path: String = upright.collect();
    path.extend(rows.into_iter().map(|y| format!("M{left} {y}H{right}")));
    path
}

/// A colour (red, green, blue) on the way from one to another, by its share from 0 to 1.
///
/// ```
/// assert_eq!(ishi_draw::blend_colors([0.0; 3], [200.0, 100.0, 50.0], 0.5), "rgb(100,50,25)");
/// ```
pub fn blend_colors(from: [f64; 3], to: [f64; 3], share: f64) -> String {
    let [red, green, blue] = [0, 1, 2].map(|at| (from[at] + share * (to[at] - from[at])).round());
    format!("rgb({red},{green},{blue})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_close_themselves_if_nothing_stands_in_them() {
        assert_eq!(SvgElement::group().to_string(), "<g/>");
        assert_eq!(SvgElement::text(1, 2, "").to_string(), "<text x=\"1\" y=\"2\"></text>");
        let group = SvgElement::group().with(SvgElement::line([1, 2, 3, 4]).stroke("red"));
        assert_eq!(group.to_string(), "<g><line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\" stroke=\"red\"/></g>");
    }

    #[test]
    fn the_class_stands_first_and_numbers_are_written_as_given() {
        let rect = SvgElement::rect(1.0, 0.1 + 0.2, tenths(0.1 + 0.2), 4).class("bar");
        assert_eq!(
            rect.to_string(),
            "<rect class=\"bar\" x=\"1\" y=\"0.30000000000000004\" width=\"0.3\" height=\"4\"/>"
        );
        let curve = SvgElement::polyline(&[[0.0, 1.04], [2.0, 3.06]]).fill("none").to_string();
        assert_eq!(curve, "<polyline points=\"0.0,1.0 2.0,3.1\" fill=\"none\"/>");
    }
}
