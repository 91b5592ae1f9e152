//! Sheets: results as facts, tables and plots, written once and rendered as text, Markdown, HTML and CSV.
//!
//! - [`SheetTable`]: columns with names, of words or of numbers, and rows.
//! - [`SheetFact`]: a name and what is known of it, in a line.
//! - [`IntervalPlot`] and [`LinePlot`]: pictures as SVG.
//! - [`text_width`]: the columns of a terminal that a text takes, for lines that are no table.
//! - [`SheetBlock`]: one of them, or a paragraph. [`SheetSection`]: blocks under a heading.
//!
//! Whoever has a result makes its blocks, in the words of one language. Whoever shows it renders them.
//!
//! ```
//! use ishi_sheet::{SheetBlock, SheetFact, SheetTable};
//! let mut table = SheetTable::new(["", "#wins", "#losses"]);
//! table.add_row(["A as Black", "3", "1"]);
//! let blocks = [SheetBlock::Table(table), SheetBlock::Facts(vec![SheetFact::new("Elo of A over B", "+191")])];
//! let text: String = blocks.iter().map(SheetBlock::to_text).collect();
//! assert_eq!(text, "            wins  losses\nA as Black     3       1\nElo of A over B      +191\n");
//! assert!(blocks[1].to_markdown().contains("- Elo of A over B: +191"));
//! ```

mod block;
mod fact;
mod markdown;
mod number;
mod plot;
mod table;
mod width;

pub use block::{SheetBlock, SheetSection, blocks_to_text, html_paragraph};
pub use fact::SheetFact;
pub use markdown::escape_markdown;
pub use number::format_number;
pub use plot::{IntervalPlot, IntervalRow, LinePlot, PLOT_STYLE, PlotBand, PlotSeries};
pub use table::{SheetTable, csv_cell};
pub use width::{pad_text, text_width};

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
