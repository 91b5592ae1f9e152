//! Blocks: a paragraph, facts, a table or a plot; and blocks under a heading.

use ishi_draw::escape_prose;

use crate::fact::SheetFact;
use crate::markdown::escape_markdown;
use crate::plot::{IntervalPlot, LinePlot};
use crate::table::SheetTable;

/// A part under a heading.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetSection {
    /// The heading.
    pub heading: String,
    /// What stands under it.
    pub blocks: Vec<SheetBlock>,
}

impl SheetSection {
    /// The same with every text in other words, such as those of another language.
    #[must_use]
    pub fn with_texts(&self, tell: &mut dyn FnMut(&str) -> String) -> SheetSection {
        let heading = tell(&self.heading);
        SheetSection { heading, blocks: self.blocks.iter().map(|block| block.with_texts(tell)).collect() }
    }
}

/// A paragraph, facts, a table or a plot.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetBlock {
    /// A paragraph of plain text.
    Text(String),
    /// Names and what is known of them.
    Facts(Vec<SheetFact>),
    /// A table.
    Table(SheetTable),
    /// A plot with intervals, one line for each row; the file's name without `.svg` comes first.
    Intervals(String, IntervalPlot),
    /// Lines over a common axis.
    Lines(String, LinePlot),
}

impl SheetBlock {
    /// The same with every text in other words. Names of files stay.
    #[must_use]
    pub fn with_texts(&self, tell: &mut dyn FnMut(&str) -> String) -> SheetBlock {
        match self {
            SheetBlock::Text(text) => SheetBlock::Text(tell(text)),
            SheetBlock::Facts(facts) => {
                SheetBlock::Facts(facts.iter().map(|fact| fact.with_texts(tell)).collect())
            }
            SheetBlock::Table(table) => SheetBlock::Table(table.with_texts(tell)),
            SheetBlock::Intervals(name, plot) => SheetBlock::Intervals(name.clone(), plot.with_texts(tell)),
            SheetBlock::Lines(name, plot) => SheetBlock::Lines(name.clone(), plot.with_texts(tell)),
        }
    }

    /// A plot's file name and its SVG.
    pub fn svg_file(&self) -> Option<(String, String)> {
        match self {
            SheetBlock::Intervals(name, plot) => Some((format!("{name}.svg"), plot.to_svg())),
            SheetBlock::Lines(name, plot) => Some((format!("{name}.svg"), plot.to_svg())),
            SheetBlock::Text(_) | SheetBlock::Facts(_) | SheetBlock::Table(_) => None,
        }
    }

    /// A plot's title, which also stands for it where it cannot be seen.
    fn plot_title(&self) -> &str {
        match self {
            SheetBlock::Intervals(_, plot) => &plot.title,
            SheetBlock::Lines(_, plot) => &plot.title,
            SheetBlock::Text(_) | SheetBlock::Facts(_) | SheetBlock::Table(_) => "",
        }
    }

    /// Lines for a terminal, each with its end. A plot is its title.
    pub fn to_text(&self) -> String {
        match self {
            SheetBlock::Text(text) => format!("{text}\n"),
            SheetBlock::Facts(facts) => facts.iter().map(SheetFact::to_text).collect(),
            SheetBlock::Table(table) => table.to_text(),
            SheetBlock::Intervals(..) | SheetBlock::Lines(..) => format!("{}\n", self.plot_title()),
        }
    }

    /// Markdown without a line break at its end; plots are linked by the names of their files.
    pub fn to_markdown(&self) -> String {
        match self {
            SheetBlock::Text(text) => escape_markdown(text),
            SheetBlock::Facts(facts) => {
                facts.iter().map(SheetFact::to_markdown).collect::<Vec<_>>().join("\n")
            }
            SheetBlock::Table(table) => table.to_markdown(),
            SheetBlock::Intervals(name, _) | SheetBlock::Lines(name, _) => {
                format!("![{}]({name}.svg)", escape_markdown(self.plot_title()))
            }
        }
    }

    /// HTML; plots stand in it, for a page that has [`PLOT_STYLE`](crate::PLOT_STYLE).
    pub fn to_html(&self) -> String {
        match self {
            SheetBlock::Text(text) => html_paragraph(text),
            SheetBlock::Facts(facts) => {
                let rows: String = facts.iter().map(SheetFact::to_html).collect();
                format!("<div class=\"wide\"><table><tbody>{rows}</tbody></table></div>")
            }
            SheetBlock::Table(table) => table.to_html(None),
            SheetBlock::Intervals(_, plot) => format!("<figure>{}</figure>", plot.svg_element()),
            SheetBlock::Lines(_, plot) => format!("<figure>{}</figure>", plot.svg_element()),
        }
    }
}

/// Blocks as lines for a terminal, one below the other.
pub fn blocks_to_text(blocks: &[SheetBlock]) -> String {
    blocks.iter().map(SheetBlock::to_text).collect()
}

/// A paragraph of plain text as HTML.
pub fn html_paragraph(text: &str) -> String {
    format!("<p>{}</p>", escape_prose(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_lines_items_and_rows() {
        let block = SheetBlock::Facts(vec![SheetFact::new("a", ""), SheetFact::part("b", "1 < 2")]);
        assert_eq!(block.to_text(), "a\n  b                  1 < 2\n");
        assert_eq!(block.to_markdown(), "- a\n  - b: 1 \\< 2");
        assert!(block.to_html().contains("<th scope=\"row\" class=\"part\">b</th><td>1 &lt; 2</td>"));
        assert_eq!(block.svg_file(), None);
        let blocks = [SheetBlock::Text("Figures".into()), block];
        assert_eq!(blocks_to_text(&blocks), "Figures\na\n  b                  1 < 2\n");
    }

    #[test]
    fn every_text_is_told_in_other_words() {
        use crate::{IntervalRow, PlotBand, PlotSeries};
        let mut table = SheetTable::new(["t1", "#t2"]);
        table.add_row(["t3", "t4"]);
        let rows = vec![IntervalRow::new("t8", 1.0, None, Vec::new())];
        let series = vec![PlotSeries { name: "t12".into(), points: Vec::new() }];
        let bands = vec![PlotBand { name: "t13".into(), low: 0.0, high: 1.0 }];
        let lines = LinePlot { bands, ..LinePlot::new("t9", ["t10", "t11"], series) };
        let section = SheetSection {
            heading: "t0".into(),
            blocks: vec![
                SheetBlock::Table(table),
                SheetBlock::Facts(vec![SheetFact::part("t5", "t6")]),
                SheetBlock::Text("t7".into()),
                SheetBlock::Intervals("file".into(), IntervalPlot::new("t14", "t15", rows)),
                SheetBlock::Lines("file".into(), lines),
            ],
        };
        let mut heard = Vec::new();
        let told = section.with_texts(&mut |text| {
            heard.push(text.to_string());
            text.replace('t', "T")
        });
        heard.sort();
        let mut all: Vec<String> = (0..16).map(|number| format!("t{number}")).collect();
        all.sort();
        assert_eq!(heard, all);
        let shown = format!("{told:?}");
        assert!((0..16).all(|number| shown.contains(&format!("\"T{number}\""))), "{shown}");
        assert!(shown.contains("\"file\"") && shown.contains("right: [false, true]"), "{shown}");
        assert_eq!(told.with_texts(&mut |text| text.replace('T', "t")), section);
    }

    #[test]
    fn a_plot_is_a_picture_a_link_and_a_title() {
        let plot = LinePlot { title: "Score [A]".into(), ..LinePlot::default() };
        let block = SheetBlock::Lines("score".into(), plot);
        assert_eq!(block.to_text(), "Score [A]\n");
        assert_eq!(block.to_markdown(), "![Score \\[A\\]](score.svg)");
        assert!(block.to_html().starts_with("<figure><svg "));
        assert_eq!(block.svg_file().unwrap().0, "score.svg");
    }
}
