//! Plots as SVG: values with intervals in rows, and lines.
//!
//! Drawn here rather than by a plotting library because the same drawing has to do in a light and in a dark page and
//! on its own: colours are CSS variables, texts are text. Widths are in the units of the view box, 640 across.

use ishi_draw::{AxisScale, CurveField, SvgElement, tenths};

use crate::number::format_number;
use crate::width::text_width;

/// The style of all plots; it stands in each file, and once in a page.
pub const PLOT_STYLE: &str = "
.plot { --p-ink: #1c1c1a; --p-soft: #6b6a64; --p-grid: #e3e0d6; --p-1: #1f5fa8; --p-2: #b3541e; --p-3: #2f7d4f;
  --p-4: #7a4aa0; font-size: 13px; font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .plot { --p-ink: #e8e6df; --p-soft: #a09d93; --p-grid: #36352f; --p-1: #7fb2ea;
  --p-2: #eda06f; --p-3: #7cc79b; --p-4: #c3a0e6; } }
.plot text { fill: var(--p-ink); } .plot .soft { fill: var(--p-soft); } .plot .title { font-weight: 600; }
.plot .grid { stroke: var(--p-grid); stroke-width: 1; } .plot .mark { stroke: var(--p-soft); stroke-width: 1.5;
  stroke-dasharray: 3 3; }
.plot .s1 { stroke: var(--p-1); fill: var(--p-1); } .plot .s2 { stroke: var(--p-2); fill: var(--p-2); }
.plot .s3 { stroke: var(--p-3); fill: var(--p-3); } .plot .s4 { stroke: var(--p-4); fill: var(--p-4); }
.plot .band { fill: var(--p-soft); opacity: .18; stroke: var(--p-soft); stroke-width: 2; }
.plot .bar { stroke-width: 2.5; } .plot .line { fill: none; stroke-width: 2; }
";

const WIDTH: f64 = 640.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 34.0;
const ROW: f64 = 28.0;
const AXIS: f64 = 46.0;
/// The height of a line of the legend.
const LEGEND: f64 = 20.0;
/// About the width of a character of the labels.
const CHARACTER: f64 = 8.5;
/// What a character of Japanese, which takes two columns, is wider than that.
const WIDER: f64 = 5.0;
/// Values beyond are not given room.
const MAX: f64 = 1e15;

/// Values with intervals, one row each.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalPlot {
    /// The title.
    pub title: String,
    /// What the axis shows, with its unit.
    pub axis: String,
    /// Is the axis logarithmic? Then all values are above 0.
    pub logarithmic: bool,
    /// From top to bottom.
    pub rows: Vec<IntervalRow>,
}

/// A row of an [`IntervalPlot`].
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalRow {
    /// The row's name.
    pub label: String,
    /// The dot.
    pub value: f64,
    /// The bar.
    pub interval: Option<[f64; 2]>,
    /// Dashed marks, for expected values.
    pub marks: Vec<f64>,
}

/// Lines over a common axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinePlot {
    /// The title.
    pub title: String,
    /// What the horizontal axis shows.
    pub x_axis: String,
    /// What the vertical axis shows.
    pub y_axis: String,
    /// Is the horizontal axis logarithmic? Then all its values are above 0.
    pub logarithmic_x: bool,
    /// At most four.
    pub series: Vec<PlotSeries>,
    /// What a document says of the whole range: drawn behind the lines.
    pub bands: Vec<PlotBand>,
}

/// A level, or all between two, over the whole width of a plot: a figure of a document beside our line.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotBand {
    /// What it is.
    pub name: String,
    /// Its lower edge.
    pub low: f64,
    /// Its upper edge; the same for a level.
    pub high: f64,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotSeries {
    /// Its name.
    pub name: String,
    /// Its points from left to right: x, y, and the interval of y.
    pub points: Vec<(f64, f64, Option<[f64; 2]>)>,
}

/// An axis whose values are drawn as they are, or by their logarithms.
struct PlotScale {
    /// Of the values, or of their logarithms.
    axis: AxisScale,
    logarithmic: bool,
}

impl PlotScale {
    /// Room for all finite values, with some to spare.
    fn from_values(values: impl Iterator<Item = f64>, logarithmic: bool, from: f64, to: f64) -> PlotScale {
        let place = |v: f64| if logarithmic { v.log10() } else { v };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values.map(place).filter(|v| v.abs() <= MAX) {
            (low, high) = (low.min(v), high.max(v));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let spare = if high > low { (high - low) * 0.05 } else { high.abs().max(1.0) * 0.1 };
        PlotScale { axis: AxisScale { low: low - spare, high: high + spare, from, to }, logarithmic }
    }

    /// The pixel of a value; infinite ones stand at the edge.
    fn pixel_at(&self, value: f64) -> f64 {
        self.axis.place_of(if self.logarithmic { value.log10() } else { value })
    }

    /// Round values within.
    fn tick_values(&self) -> Vec<f64> {
        let AxisScale { low, high, .. } = self.axis;
        if self.logarithmic {
            let decades = low.floor() as i32..=high.ceil() as i32;
            let steps: &[f64] = if high - low > 2.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
            let all = decades.flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)));
            return all.filter(|v| (low..=high).contains(&v.log10())).collect();
        }
        let step = round_step((high - low) / 6.0);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|n| n as f64 * step).collect()
    }

    /// Decimals that tell two ticks apart.
    fn format_tick(&self, value: f64) -> String {
        let AxisScale { low, high, .. } = self.axis;
        let step = if self.logarithmic { value } else { round_step((high - low) / 6.0) };
        format_number(value, (-step.log10().floor()).clamp(0.0, 9.0) as usize)
    }
}

/// About how wide a text is drawn.
fn drawn_width(text: &str) -> f64 {
    let characters = text.chars().count();
    let wide = text_width(text).saturating_sub(characters);
    characters as f64 * CHARACTER + wide as f64 * WIDER
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= least * (1.0 - 1e-9));
    step.unwrap_or(10.0) * power
}

impl IntervalPlot {
    /// Rows over an axis that is not logarithmic.
    pub fn new(title: impl Into<String>, axis: impl Into<String>, rows: Vec<IntervalRow>) -> IntervalPlot {
        IntervalPlot { title: title.into(), axis: axis.into(), logarithmic: false, rows }
    }

    /// A file of its own.
    pub fn to_svg(&self) -> String {
        self.draw_plot(PLOT_STYLE).to_file()
    }

    /// The element `svg`, for a page that has the style.
    pub fn svg_element(&self) -> String {
        self.draw_plot("").to_string()
    }

    /// The same with every text in other words: title, axis and names of rows.
    #[must_use]
    pub fn with_texts(&self, tell: &mut dyn FnMut(&str) -> String) -> IntervalPlot {
        let (title, axis) = (tell(&self.title), tell(&self.axis));
        let rows = self.rows.iter().map(|row| IntervalRow { label: tell(&row.label), ..row.clone() });
        IntervalPlot { title, axis, logarithmic: self.logarithmic, rows: rows.collect() }
    }

    fn draw_plot(&self, style: &str) -> SvgElement {
        let longest = self.rows.iter().map(|row| drawn_width(&row.label)).fold(0.0, f64::max);
        let left = (longest + 20.0).min(WIDTH * 0.45);
        let bottom = TOP + ROW * self.rows.len() as f64;
        let values = self.rows.iter().flat_map(|row| {
            row.interval.into_iter().flatten().chain(row.marks.iter().copied()).chain([row.value])
        });
        let scale = PlotScale::from_values(values, self.logarithmic, left, WIDTH - RIGHT);
        let mut svg = begin_plot(&self.title, style, bottom + AXIS);
        draw_vertical_grid(&mut svg, &scale, bottom, &self.axis);
        for (number, row) in self.rows.iter().enumerate() {
            row.draw_row(&mut svg, &scale, left, TOP + ROW * (number as f64 + 0.5));
        }
        svg
    }
}

impl IntervalRow {
    /// A row with this name: its dot, its bar and its marks.
    pub fn new(
        label: impl Into<String>,
        value: f64,
        interval: Option<[f64; 2]>,
        marks: Vec<f64>,
    ) -> IntervalRow {
        IntervalRow { label: label.into(), value, interval, marks }
    }

    fn draw_row(&self, svg: &mut SvgElement, scale: &PlotScale, left: f64, y: f64) {
        let label = SvgElement::text(tenths(left - 10.0), tenths(y + 4.0), &self.label);
        svg.add(label.attr("text-anchor", "end"));
        for mark in self.marks.iter().map(|&mark| scale.pixel_at(mark)) {
            svg.add(plot_line("mark", [mark, y - 11.0, mark, y + 11.0]));
        }
        if let Some([low, high]) = self.interval {
            svg.add(plot_line("s1 bar", [scale.pixel_at(low), y, scale.pixel_at(high), y]));
        }
        svg.add(plot_dot("s1", scale.pixel_at(self.value), y));
    }
}

impl LinePlot {
    /// Lines over axes that are not logarithmic, the horizontal one first, without bands.
    pub fn new(title: impl Into<String>, [x_axis, y_axis]: [&str; 2], series: Vec<PlotSeries>) -> LinePlot {
        let (x_axis, y_axis) = (x_axis.to_string(), y_axis.to_string());
        LinePlot { title: title.into(), x_axis, y_axis, series, ..LinePlot::default() }
    }

    /// A file of its own.
    pub fn to_svg(&self) -> String {
        self.draw_plot(PLOT_STYLE).to_file()
    }

    /// The element `svg`, for a page that has the style.
    pub fn svg_element(&self) -> String {
        self.draw_plot("").to_string()
    }

    fn draw_plot(&self, style: &str) -> SvgElement {
        const LEFT: f64 = 78.0;
        const BOTTOM: f64 = 320.0;
        let points = || self.series.iter().flat_map(|series| &series.points);
        let ys = points().flat_map(|&(_, y, interval)| interval.into_iter().flatten().chain([y]));
        let ys = ys.chain(self.bands.iter().flat_map(|band| [band.low, band.high]));
        let x = PlotScale::from_values(points().map(|&(x, _, _)| x), self.logarithmic_x, LEFT, WIDTH - RIGHT);
        let y = PlotScale::from_values(ys, false, BOTTOM, TOP);
        let entries = self.legend_entries();
        let legend_lines = entries.last().map_or(0, |entry| entry.line + 1);
        let mut svg = begin_plot(&self.title, style, BOTTOM + AXIS + LEGEND * legend_lines as f64);
        draw_vertical_grid(&mut svg, &x, BOTTOM, &self.x_axis);
        draw_horizontal_grid(&mut svg, &CurveField { across: x.axis, upward: y.axis }, &y, &self.y_axis);
        self.bands.iter().for_each(|band| svg.add(band.draw_band(&y, LEFT)));
        for (number, series) in self.series.iter().enumerate() {
            series.draw_series(&mut svg, &x, &y, number % 4 + 1);
        }
        entries.iter().for_each(|entry| entry.draw_entry(&mut svg, BOTTOM + AXIS));
        svg
    }

    /// The same with every text in other words: title, axes, and names of lines and bands.
    #[must_use]
    pub fn with_texts(&self, tell: &mut dyn FnMut(&str) -> String) -> LinePlot {
        let (title, x_axis, y_axis) = (tell(&self.title), tell(&self.x_axis), tell(&self.y_axis));
        let series = self.series.iter().map(|one| PlotSeries { name: tell(&one.name), ..one.clone() });
        let series = series.collect();
        let bands = self.bands.iter().map(|band| PlotBand { name: tell(&band.name), ..band.clone() });
        let bands = bands.collect();
        LinePlot { title, x_axis, y_axis, logarithmic_x: self.logarithmic_x, series, bands }
    }

    /// The legend: names of bands, and of the lines if there are several. It stands below the axis, where nothing is drawn.
    fn legend_entries(&self) -> Vec<LegendEntry<'_>> {
        let is_named = self.series.len() > 1 || !self.bands.is_empty();
        let lines = self.series.iter().enumerate().filter(|(_, series)| is_named && !series.name.is_empty());
        let lines = lines.map(|(number, series)| (LegendSign::Dot(number % 4 + 1), series.name.as_str()));
        let bands = self.bands.iter().map(|band| (band.legend_sign(), band.name.as_str()));
        let (mut x, mut line) = (LegendEntry::LEFT, 0);
        let mut entries = Vec::new();
        for (sign, name) in lines.chain(bands) {
            let width = LegendEntry::SIGN + drawn_width(name) + 20.0;
            if x > LegendEntry::LEFT && x + width > WIDTH {
                (x, line) = (LegendEntry::LEFT, line + 1);
            }
            entries.push(LegendEntry { sign, name, x, line });
            x += width;
        }
        entries
    }
}

/// How something is drawn, for the legend.
enum LegendSign {
    /// A line of this colour.
    Dot(usize),
    /// A level.
    Dashes,
    /// All between two levels.
    Area,
}

/// A name in the legend.
struct LegendEntry<'a> {
    sign: LegendSign,
    name: &'a str,
    x: f64,
    line: usize,
}

impl LegendEntry<'_> {
    const LEFT: f64 = 16.0;
    /// Room for the sign.
    const SIGN: f64 = 30.0;

    fn draw_entry(&self, svg: &mut SvgElement, top: f64) {
        let y = top + LEGEND * self.line as f64 + 8.0;
        let x = self.x;
        svg.add(match self.sign {
            LegendSign::Dot(colour) => plot_dot(&format!("s{colour}"), x + 10.0, y),
            LegendSign::Dashes => plot_line("mark", [x, y, x + 20.0, y]),
            LegendSign::Area => plot_area([x, y - 5.0, 20.0, 10.0]),
        });
        svg.add(SvgElement::text(tenths(x + LegendEntry::SIGN - 4.0), tenths(y + 4.0), self.name));
    }
}

impl PlotBand {
    fn draw_band(&self, y: &PlotScale, left: f64) -> SvgElement {
        let (top, bottom) = (y.pixel_at(self.high), y.pixel_at(self.low));
        let (width, height) = (WIDTH - RIGHT - left, bottom - top);
        match self.legend_sign() {
            LegendSign::Area => plot_area([left, top, width, height.max(1.0)]),
            _ => plot_line("mark", [left, top, left + width, top]),
        }
    }

    fn legend_sign(&self) -> LegendSign {
        if self.high > self.low { LegendSign::Area } else { LegendSign::Dashes }
    }
}

impl PlotSeries {
    fn draw_series(&self, svg: &mut SvgElement, x: &PlotScale, y: &PlotScale, color: usize) {
        let path: Vec<[f64; 2]> = self.points.iter().map(|p| [x.pixel_at(p.0), y.pixel_at(p.1)]).collect();
        svg.add(SvgElement::polyline(&path).class(&format!("s{color} line")).fill("none"));
        for (&[at, value], (_, _, interval)) in path.iter().zip(&self.points) {
            if let Some(ends) = interval {
                let [low, high] = ends.map(|end| y.pixel_at(end));
                svg.add(plot_line(&format!("s{color} bar"), [at, low, at, high]));
            }
            svg.add(plot_dot(&format!("s{color}"), at, value));
        }
    }
}

/// The picture with its title; `style` is empty on a page that has it.
fn begin_plot(title: &str, style: &str, height: f64) -> SvgElement {
    let mut svg =
        SvgElement::document(WIDTH, height).class("plot").attr("role", "img").attr("aria-label", title);
    if !style.is_empty() {
        svg.add_markup(&format!("<style>{style}</style>"));
    }
    svg.with(SvgElement::text(8, 20, title).class("title"))
}

fn draw_vertical_grid(svg: &mut SvgElement, scale: &PlotScale, bottom: f64, label: &str) {
    let centered = |x: f64, y: f64, text: &str| {
        SvgElement::text(tenths(x), tenths(y), text).attr("text-anchor", "middle")
    };
    for tick in scale.tick_values() {
        let x = scale.pixel_at(tick);
        svg.add(plot_line("grid", [x, TOP - 4.0, x, bottom]));
        svg.add(centered(x, bottom + 17.0, &scale.format_tick(tick)).class("soft"));
    }
    svg.add(centered(scale.axis.middle(), bottom + 37.0, label));
}

fn draw_horizontal_grid(svg: &mut SvgElement, field: &CurveField, scale: &PlotScale, label: &str) {
    for tick in scale.tick_values() {
        svg.add(field.level_line(tick).class("grid"));
        svg.add(field.level_name(tick, 6.0, scale.format_tick(tick)).class("soft"));
    }
    let y = tenths(scale.axis.middle());
    let label = SvgElement::text(16, y, label).attr("text-anchor", "middle");
    svg.add(label.attr("transform", format_args!("rotate(-90 16 {y})")));
}

fn plot_line(class: &str, ends: [f64; 4]) -> SvgElement {
    SvgElement::line(ends.map(tenths)).class(class)
}

fn plot_area(place_and_size: [f64; 4]) -> SvgElement {
    let [x, y, width, height] = place_and_size.map(tenths);
    SvgElement::rect(x, y, width, height).class("band")
}

fn plot_dot(class: &str, x: f64, y: f64) -> SvgElement {
    SvgElement::circle(tenths(x), tenths(y), 4).class(class)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plot(logarithmic: bool, values: &[(f64, f64, f64)]) -> IntervalPlot {
        let row = |&(low, value, high): &(f64, f64, f64)| IntervalRow {
            label: "a<b".into(),
            value,
            interval: Some([low, high]),
            marks: vec![value],
        };
        IntervalPlot {
            title: "t".into(),
            axis: "x".into(),
            logarithmic,
            rows: values.iter().map(row).collect(),
        }
    }

    #[test]
    fn a_value_stands_between_its_ends() {
        let scale = PlotScale::from_values([10.0, 1000.0].into_iter(), true, 100.0, 200.0);
        assert!((scale.pixel_at(100.0) - 150.0).abs() < 1e-9);
        assert_eq!(scale.tick_values(), [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0]);
        let scale = PlotScale::from_values([0.0, 1.0].into_iter(), false, 0.0, 110.0);
        assert!((scale.pixel_at(0.5) - 55.0).abs() < 1e-9);
        assert_eq!(
            scale.tick_values().iter().map(|&t| scale.format_tick(t)).collect::<Vec<_>>(),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
    }

    #[test]
    fn bands_lie_behind_the_lines_and_have_room() {
        let series = PlotSeries { name: "ours".into(), points: vec![(0.0, 0.4, None), (1.0, 0.5, None)] };
        let band = |name: &str, low, high| PlotBand { name: name.into(), low, high };
        let bands = vec![band("70 to 80 %", 0.7, 0.8), band("level", 0.3, 0.3)];
        let svg = LinePlot { series: vec![series], bands, ..LinePlot::default() }.to_svg();
        // One in the plot, and one in the legend.
        assert_eq!(svg.matches("<rect class=\"band\"").count(), 2);
        assert_eq!(svg.matches("<line class=\"mark\"").count(), 2);
        assert!(svg.find("class=\"band\"") < svg.find("<polyline"), "{svg}");
        assert!(svg.contains(">70 to 80 %</text>") && svg.contains(">level</text>"), "{svg}");
    }

    /// Whatever the lines do, no name lies on them: all names stand below the axis, within the picture.
    #[test]
    fn the_legend_stands_below_the_plot() {
        let plot = |name: &str| {
            let series = (0..4).map(|n| PlotSeries {
                name: format!("{name} {n}"),
                points: vec![(0.0, 0.4, None), (1.0, 0.5, None)],
            });
            LinePlot { series: series.collect(), ..LinePlot::default() }
        };
        let lines =
            |plot: &LinePlot| plot.legend_entries().iter().map(|entry| entry.line).collect::<Vec<_>>();
        assert_eq!(lines(&plot("short")), [0, 0, 0, 0]);
        let long = plot("a line with quite a long name,");
        assert_eq!(lines(&long), [0, 1, 2, 3]);
        let svg = long.to_svg();
        assert!(svg.contains("viewBox=\"0 0 640 446\""), "{svg}");
        assert!(svg.contains("y=\"438.0\">a line with quite a long name, 3</text>"), "{svg}");
    }

    #[test]
    fn drawings_hold_labels_and_style() {
        let svg = plot(true, &[(10.0, 20.0, 30.0)]).to_svg();
        assert!(svg.starts_with("<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
        assert!(svg.contains("prefers-color-scheme: dark") && svg.contains(">a&lt;b</text>"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 1);
        assert_eq!(svg.matches("class=\"mark\"").count(), 1);
    }

    proptest! {
        #[test]
        fn no_values_make_it_hang_or_write_nonsense(
            values in prop::collection::vec((prop::num::f64::ANY, prop::num::f64::ANY, prop::num::f64::ANY), 0..4),
            logarithmic: bool,
        ) {
            let text = plot(logarithmic, &values).to_svg();
            prop_assert!(!text.contains("=\"inf") && text.ends_with("</svg>\n"));
        }
    }
}
