//! The report: table 1, table 2, and growth.

use super::{
    AfterCutsResult, CountResult, FrontierResult, MipResult, Strings, after_cuts_name, count_name,
    frontier_name, mip_name,
};
use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::experiment::Results;
use crate::machine::Machine;
use crate::mip::{Solver, Status};
use crate::report::{Block, Body, LinePlot, Section, Series, Table};

/// What is known of the paper's table 1: seconds with the improved formulation (CPLEX 10.1, Pentium 4), which it gives in
/// days for the largest boards.
const THEIRS: [(usize, f64, &str); 3] =
    [(17, 86_400.0, "a day"), (18, 864_000.0, "ten days"), (19, 3_456_000.0, "40 days")];

const TABLE_1: &str = "Processor seconds to find a board with the most strings and to prove that there is no better one. \
    Theirs: section 3's formulation with CPLEX 10.1 on a Pentium 4 (other rows of their table were not at hand). \
    Formulation 1 is their section 2, formulation 2 our reading of section 3. Frontier: one thread, no value known \
    beforehand. \"Time up\": strings found, and strings \
    that were still possible, when the limit of elapsed time was reached.";

const TABLE_2: &str = "Boards of theorem 1 (white on even, black on odd points) with the most strings and with one string less, \
    counted by the frontier solver; symmetric ones count apart, as in the paper's table 2. After the cuts: those that meet \
    our reading of section 3, out of which a solver of formulation 2 chooses.";

const GROWTH: &str = "The frontier solver's states are its memory. From 16 lines on the first board is built and only the proof \
    is searched for.";

fn finding(key: String, what: String, value: f64, unit: &str, decimals: usize) -> Finding {
    Finding { key, what, value, interval: None, unit: unit.to_string(), decimals }
}

/// Three digits that count, more or less.
fn seconds(seconds: f64) -> String {
    let decimals = if seconds < 1.0 { 4 } else { usize::from(seconds < 100.0) * 2 };
    number(seconds, decimals)
}

impl Strings {
    pub(super) fn tables(&self, results: &Results) -> Result<Body, LabError> {
        let mut body = Body::default();
        let table = self.table_1(results, &mut body)?;
        let blocks = vec![Block::Text(TABLE_1.into()), Block::Table(table)];
        body.sections.push(Section { heading: "Table 1: seconds to the proved maximum".into(), blocks });
        let table = self.table_2(results, &mut body)?;
        let blocks = vec![Block::Text(TABLE_2.into()), Block::Table(table)];
        body.sections.push(Section { heading: "Table 2: numbers of boards".into(), blocks });
        let section = self.growth(results)?;
        body.sections.push(section);
        Ok(body)
    }

    /// All sides of table 1 in order.
    fn sides(&self) -> Vec<usize> {
        let mut sides = self.frontier.clone();
        sides.extend(self.mip.iter().map(|&(_, _, side)| side));
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    fn table_1(&self, results: &Results, body: &mut Body) -> Result<Table, LabError> {
        let mut table = Table::new(["#n", "#strings", "#theirs"]);
        let columns: Vec<(Solver, u8)> =
            self.solvers().into_iter().flat_map(|solver| [(solver, 1), (solver, 2)]).collect();
        for (solver, formulation) in &columns {
            table.number_column(&format!("{solver}, formulation {formulation}"));
        }
        table.number_column("frontier");
        for side in self.sides() {
            let frontier: Option<FrontierResult> = results.get(&frontier_name(side))?;
            let theirs = THEIRS.iter().find(|(theirs, ..)| *theirs == side).map_or("", |(_, _, words)| words);
            let mut cells = vec![side.to_string(), String::new(), theirs.to_string()];
            let mut strings = frontier.as_ref().map(|result| result.strings);
            for &(solver, formulation) in &columns {
                let result: Option<MipResult> = results.get(&mip_name(solver, formulation, side))?;
                cells.push(self.mip_cell(solver, formulation, side, result.as_ref()));
                let Some(result) = result else { continue };
                machine(body, &result.machine);
                if result.status == Status::Optimal {
                    let key = format!("mip.{}.{formulation}.{side}", solver.word());
                    let what = format!("{side}x{side}, {solver}, formulation {formulation}: strings");
                    let found = result.strings.unwrap_or_default();
                    body.findings.push(finding(format!("{key}.strings"), what, found as f64, "strings", 0));
                    let what = format!("{side}x{side}, {solver}, formulation {formulation}: time");
                    body.findings.push(finding(format!("{key}.cpu"), what, result.cpu_seconds, "s", 3));
                    strings = strings.or(result.strings);
                }
            }
            cells[1] = strings.map_or(String::new(), |strings| strings.to_string());
            cells.push(frontier.as_ref().map_or(String::new(), |result| seconds(result.cpu_seconds)));
            table.row(cells);
            if let Some(result) = frontier {
                self.frontier_findings(side, &result, body);
            }
        }
        Ok(table)
    }

    /// A time; or why there is none.
    fn mip_cell(&self, solver: Solver, formulation: u8, side: usize, result: Option<&MipResult>) -> String {
        match result {
            Some(result) if result.status == Status::Optimal => seconds(result.cpu_seconds),
            Some(result) => {
                let words = |count: Option<usize>| count.map_or("?".to_string(), |count| count.to_string());
                format!("{} to {}, time up", words(result.strings), words(result.bound))
            }
            None if !self.mip.contains(&(solver, formulation, side)) => String::new(),
            None if self.installed.is_empty() => "no MIP solver".into(),
            None => format!("no {solver}"),
        }
    }

    fn frontier_findings(&self, side: usize, result: &FrontierResult, body: &mut Body) {
        machine(body, &result.machine);
        let name = format!("{side}x{side}");
        let key = |last: &str| format!("frontier.{side}.{last}");
        let strings = result.strings as f64;
        body.findings.push(finding(key("strings"), format!("{name}: most strings"), strings, "strings", 0));
        body.findings.push(finding(
            key("cpu"),
            format!("{name}, frontier: time"),
            result.cpu_seconds,
            "s",
            4,
        ));
        if let Some((.., words)) = THEIRS.iter().find(|(theirs, ..)| *theirs == side) {
            let times =
                THEIRS.iter().find(|(theirs, ..)| *theirs == side).map_or(0.0, |(_, theirs, _)| *theirs);
            let what = format!("{name}: the paper's {words} by the frontier solver's time");
            body.findings.push(finding(key("times"), what, times / result.cpu_seconds.max(1e-9), "times", 0));
        }
        let widest = result.widest as f64;
        body.findings.push(finding(
            key("states"),
            format!("{name}, frontier: most states"),
            widest,
            "states",
            0,
        ));
    }

    fn table_2(&self, results: &Results, body: &mut Body) -> Result<Table, LabError> {
        let mut table = Table::new([
            "#n",
            "#strings",
            "#boards with the most",
            "#boards with one less",
            "#the most, after the cuts",
            "#seconds",
            "#states",
        ]);
        for &(side, _) in &self.count {
            let Some(result) = results.get::<CountResult>(&count_name(side))? else { continue };
            machine(body, &result.machine);
            let after_cuts: Option<AfterCutsResult> = results.get(&after_cuts_name(side))?;
            if let Some(AfterCutsResult { boards, .. }) = &after_cuts
                && let Ok(value) = boards.parse()
            {
                let what = format!("{side}x{side}: boards with {} strings, after the cuts", result.strings);
                body.findings.push(finding(format!("count.{side}.after-cuts"), what, value, "boards", 0));
            }
            let boards = |place: usize| result.boards.get(place).cloned().unwrap_or_default();
            table.row([
                side.to_string(),
                result.strings.to_string(),
                grouped(&boards(0)),
                grouped(&boards(1)),
                after_cuts.map_or(String::new(), |result| grouped(&result.boards)),
                seconds(result.cpu_seconds),
                number(result.widest as f64, 0),
            ]);
            for (place, name) in ["most", "one-less"].into_iter().enumerate() {
                if let Ok(value) = boards(place).parse() {
                    let what = format!("{side}x{side}: boards with {} strings", result.strings - place);
                    body.findings.push(finding(format!("count.{side}.{name}"), what, value, "boards", 0));
                }
            }
        }
        Ok(table)
    }

    fn growth(&self, results: &Results) -> Result<Section, LabError> {
        let mut table = Table::new(["#n", "#seconds", "#most states", "#states together"]);
        let (mut time, mut states) = (Vec::new(), Vec::new());
        for &side in &self.frontier {
            let Some(result) = results.get::<FrontierResult>(&frontier_name(side))? else { continue };
            table.row([
                side.to_string(),
                seconds(result.cpu_seconds),
                number(result.widest as f64, 0),
                number(result.states as f64, 0),
            ]);
            time.push((side as f64, result.cpu_seconds.max(1e-6).log10(), None));
            states.push((side as f64, (result.widest.max(1) as f64).log10(), None));
        }
        let plot = |title: &str, y_axis: &str, series: Vec<Series>| LinePlot {
            title: title.into(),
            x_axis: "n".into(),
            y_axis: y_axis.into(),
            logarithmic_x: false,
            bands: Vec::new(),
            series,
        };
        let mut lines = vec![Series { name: "frontier".into(), points: time }];
        lines.extend(self.mip_lines(results)?);
        let blocks = vec![
            Block::Text(GROWTH.into()),
            Block::Lines("time".into(), plot("Time to the proved maximum", "log10 of seconds", lines)),
            Block::Lines(
                "states".into(),
                plot(
                    "Frontier solver: most states",
                    "log10 of states",
                    vec![Series { name: "states".into(), points: states }],
                ),
            ),
            Block::Table(table),
        ];
        Ok(Section { heading: "Growth with n".into(), blocks })
    }

    /// The times of the second formulation, for up to three solvers.
    fn mip_lines(&self, results: &Results) -> Result<Vec<Series>, LabError> {
        let mut lines = Vec::new();
        for solver in self.solvers() {
            let mut points = Vec::new();
            for side in self.sides() {
                let result: Option<MipResult> = results.get(&mip_name(solver, 2, side))?;
                if let Some(result) = result.filter(|result| result.status == Status::Optimal) {
                    points.push((side as f64, result.cpu_seconds.max(1e-3).log10(), None));
                }
            }
            if !points.is_empty() {
                lines.push(Series { name: format!("{solver}, formulation 2"), points });
            }
        }
        lines.truncate(3);
        Ok(lines)
    }
}

fn machine(body: &mut Body, machine: &Machine) {
    if !body.machines.contains(machine) {
        body.machines.push(machine.clone());
    }
}

/// Digits in groups of three, however many.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
