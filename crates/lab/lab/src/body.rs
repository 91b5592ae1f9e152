//! What a kind of experiment gives for its report: findings, tables and plots.

use crate::expected::ReportFinding;
use crate::machine::Machine;

/// What the bodies of reports are made of.
pub use ishi_sheet::{
    IntervalPlot, IntervalRow, LinePlot, PlotBand, PlotSeries, SheetBlock, SheetSection, SheetTable, csv_cell,
};

/// What a kind of experiment has to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportBody {
    /// The figures that expected ones are held against.
    pub findings: Vec<ReportFinding>,
    /// Text, tables and plots.
    pub sections: Vec<SheetSection>,
    /// What measurements were made with; empty if there were none.
    pub machines: Vec<Machine>,
}

impl ReportBody {
    /// Notes what something was measured with; each machine stands once.
    pub fn add_machine(&mut self, machine: &Machine) {
        if !self.machines.contains(machine) {
            self.machines.push(machine.clone());
        }
    }
}
