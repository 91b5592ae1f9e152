//! Reports: what was found, beside what was expected, as Markdown, as a page and as JSON.
//!
//! A kind of experiment gives a [`ReportBody`]: findings, tables, plots. [`LabReport`] adds what every report has (the
//! comparison with `expected.toml`, seed, version, machine, cost).

mod files;
mod html;
mod lab_report;
mod markdown;
mod papers;
pub(crate) mod results_text;

/// What the bodies of reports are made of.
pub use crate::body::{
    IntervalPlot, IntervalRow, LinePlot, PlotBand, PlotSeries, ReportBody, SheetBlock, SheetSection,
    SheetTable, csv_cell,
};
pub use files::{read_report, write_report};
pub use lab_report::{FigureComparison, LabReport};
pub use papers::{PaperDocument, PapersPage};
