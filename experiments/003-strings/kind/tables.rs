//! The report: the document's tables and figures with ours beside them, then what is ours alone.

use std::ops::ControlFlow;

use ishi_grid::domination::{BoardShape, DominationOptions, solve_domination};
use ishi_grid::models::{StringsFormulation, StringsModel};
use ishi_grid::{Board, Cell};
use ishi_lab::LabError;
use ishi_lab::body::{LinePlot, PlotSeries, ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::TaskResults;

use super::paper::{self, TABLE_1, TABLE_2};
use super::{
    AfterCutsResult, CertificateResult, CountResult, FrontierResult, RelaxationResult, Strings,
    StringsMipResult, StringsMipRun, after_cuts_task_name, certificate_task_name, count_task_name,
    frontier_task_name, mip_task_name, relaxation_task_name,
};
use ishi_mip::{MipSolver, MipStatus};

const ABOUT_TABLE_1: &str = "Seconds until the most strings are found and proved. Theirs: CPLEX 10.1 on a Pentium 4 (2.8 GHz, \
    3 GB, Windows XP). HiGHS: the same two formulations today, one thread, processor seconds. Frontier: ishi's own solver, one thread, \
    no value known beforehand. The last column is how much less time section 3 takes than section 2, theirs and \
    that of HiGHS. \"Time up\": strings found, and strings that were still possible, when the limit of elapsed time was reached. \
    The scan has lost the decimal points of the document's table. With one digit after each, what its text says holds. By section 2, n \
    = 17 takes a day and n = 18 nearly ten days. By section 3, n = 19 takes about 40 days. Section 3 takes 35 % less time on average, \
    and about half for odd n.";

const ABOUT_SOLVERS: &str = "Processor seconds of other people's solvers, one thread each, by the formulation of section 2, by that of \
    section 3, and by ishi's cuts.";

const ABOUT_TABLE_2: &str = "Boards of theorem 1 (white on even, black on odd points) with the most strings and with one string \
    less, counted by the frontier solver; symmetric ones count apart, as in the document. Under section 3 and ishi: the boards that \
    meet the cuts, among which a solver chooses. Theirs: n = 5 and 6; one cell of the scan cannot be read.";

const ABOUT_RELAXATION: &str = "Fewest empty points of the linear relaxation, by HiGHS. Every board has at least as many, rounded \
    up. The document says that section 3 raises them, and gives no figures.";

const ABOUT_CERTIFICATES: &str = "Proofs that no board has more strings (ishi strings prove), as files: states that they list with \
    their potentials, bytes, processor seconds to write one when the maximum is known, and to read and check it.";

const GROWTH: &str = "The frontier solver's states are its memory. From 16 lines on the first board is built and only the proof \
    is searched for.";

fn make_finding(key: String, what: String, value: f64, unit: &str, decimals: usize) -> ReportFinding {
    ReportFinding::new(key, what, value, (unit, decimals))
}

/// Three digits that count, more or less.
fn format_seconds(seconds: f64) -> String {
    let decimals = if seconds < 1.0 { 4 } else { usize::from(seconds < 100.0) * 2 };
    format_number(seconds, decimals)
}

fn make_section(heading: &str, blocks: Vec<SheetBlock>) -> SheetSection {
    SheetSection { heading: heading.into(), blocks }
}

/// A formulation in a heading.
fn formulation_title(formulation: StringsFormulation) -> &'static str {
    match formulation {
        StringsFormulation::Section2 => "section 2",
        StringsFormulation::Section3 => "section 3",
        StringsFormulation::Ishi => "ishi",
    }
}

impl Strings {
    pub(super) fn report_tables(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        let mut body = ReportBody::default();
        let table = self.table_1(results, &mut body)?;
        let mut blocks = vec![SheetBlock::Text(ABOUT_TABLE_1.into()), SheetBlock::Table(table)];
        blocks.push(SheetBlock::Lines("table-1".into(), self.plot_1(results)?));
        body.sections.push(make_section("Table 1: seconds to the proved maximum", blocks));
        let table = self.solver_table(results, &mut body)?;
        let blocks = vec![SheetBlock::Text(ABOUT_SOLVERS.into()), SheetBlock::Table(table)];
        body.sections.push(make_section("Today's solvers by formulation", blocks));
        let table = self.table_2(results, &mut body)?;
        let blocks = vec![SheetBlock::Text(ABOUT_TABLE_2.into()), SheetBlock::Table(table)];
        body.sections.push(make_section("Table 2: numbers of boards", blocks));
        if let Some(table) = self.relaxation_table(results, &mut body)? {
            let blocks = vec![SheetBlock::Text(ABOUT_RELAXATION.into()), SheetBlock::Table(table)];
            body.sections.push(make_section("Section 3: the linear relaxation", blocks));
        }
        body.sections.push(make_section("Figures", figure_blocks(self.frontier.contains(&19))));
        let table = self.certificate_table(results, &mut body)?;
        let blocks = vec![SheetBlock::Text(ABOUT_CERTIFICATES.into()), SheetBlock::Table(table)];
        body.sections.push(make_section("Certificates", blocks));
        let growth = self.growth_section(results)?;
        body.sections.push(growth);
        self.add_text_findings(&mut body);
        Ok(body)
    }

    /// All sides of table 1 in order.
    fn table_sides(&self) -> Vec<usize> {
        let mut sides = self.frontier.clone();
        sides.extend(self.mip.iter().map(|run| run.side));
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    fn table_1(&self, results: &TaskResults, body: &mut ReportBody) -> Result<SheetTable, LabError> {
        let mut table = SheetTable::new([
            "#n",
            "#strings",
            "#theirs, section 2",
            "#theirs, section 3",
            "#HiGHS, section 2",
            "#HiGHS, section 3",
            "#frontier",
            "#less, theirs / HiGHS",
        ]);
        for side in self.table_sides() {
            let frontier: Option<FrontierResult> = results.get(&frontier_task_name(side))?;
            let theirs = TABLE_1.iter().find(|row| row.side == side);
            let [plain, cut] = [StringsFormulation::Section2, StringsFormulation::Section3]
                .map(|formulation| StringsMipRun { solver: MipSolver::Highs, formulation, side });
            let [by_plain, by_cut]: [Option<StringsMipResult>; 2] =
                [results.get(&mip_task_name(plain))?, results.get(&mip_task_name(cut))?];
            let time = |result: &Option<StringsMipResult>| {
                result.as_ref().filter(|result| result.status == MipStatus::Optimal).map(|r| r.cpu_seconds)
            };
            let less = |before: Option<f64>, after: Option<f64>| match (before, after) {
                (Some(before), Some(after)) if before > 0.0 => {
                    format!("{} %", format_number(100.0 * (1.0 - after / before), 0))
                }
                _ => "-".to_string(),
            };
            let savings = [
                less(theirs.and_then(|row| row.section_2), theirs.map(|row| row.section_3)),
                less(time(&by_plain), time(&by_cut)),
            ];
            table.add_row([
                side.to_string(),
                frontier.as_ref().map_or(String::new(), |result| result.strings.to_string()),
                theirs.and_then(|row| row.section_2).map_or(String::new(), |value| format_number(value, 1)),
                theirs.map_or(String::new(), |row| format_number(row.section_3, 1)),
                self.mip_cell(plain, by_plain.as_ref()),
                self.mip_cell(cut, by_cut.as_ref()),
                frontier.as_ref().map_or(String::new(), |result| format_seconds(result.cpu_seconds)),
                if savings == ["-", "-"] { String::new() } else { savings.join(" / ") },
            ]);
            if let Some(result) = frontier {
                add_frontier_findings(side, &result, body);
            }
        }
        Ok(table)
    }

    /// Both columns of the document and ours over n.
    fn plot_1(&self, results: &TaskResults) -> Result<LinePlot, LabError> {
        let points = |times: Vec<(usize, f64)>| {
            times.into_iter().map(|(side, time)| (side as f64, time.max(1e-4).log10(), None)).collect()
        };
        let theirs = |time: fn(&paper::PaperRow) -> Option<f64>| {
            points(TABLE_1.iter().filter_map(|row| Some((row.side, time(row)?))).collect())
        };
        let (mut highs, mut frontier) = (Vec::new(), Vec::new());
        for side in self.table_sides() {
            let run =
                StringsMipRun { solver: MipSolver::Highs, formulation: StringsFormulation::Section3, side };
            let result: Option<StringsMipResult> = results.get(&mip_task_name(run))?;
            highs.extend(result.filter(|r| r.status == MipStatus::Optimal).map(|r| (side, r.cpu_seconds)));
            let result: Option<FrontierResult> = results.get(&frontier_task_name(side))?;
            frontier.extend(result.map(|result| (side, result.cpu_seconds)));
        }
        let series = [
            ("theirs, section 2", theirs(|row| row.section_2)),
            ("theirs, section 3", theirs(|row| Some(row.section_3))),
            ("HiGHS, section 3", points(highs)),
            ("frontier", points(frontier)),
        ];
        let series = series.map(|(name, points)| PlotSeries { name: name.into(), points });
        let series = series.into_iter().filter(|series| !series.points.is_empty()).collect();
        Ok(LinePlot::new("Table 1: time to the proved maximum", ["n", "log10 of seconds"], series))
    }

    fn solver_table(&self, results: &TaskResults, body: &mut ReportBody) -> Result<SheetTable, LabError> {
        let mut table = SheetTable::new(["#n", "#strings"]);
        let mut columns: Vec<(MipSolver, StringsFormulation)> = Vec::new();
        for run in &self.mip {
            if !columns.contains(&(run.solver, run.formulation)) {
                columns.push((run.solver, run.formulation));
            }
        }
        for (solver, formulation) in &columns {
            table.add_number_column(&format!("{solver}, {}", formulation_title(*formulation)));
        }
        let mut sides: Vec<usize> = self.mip.iter().map(|run| run.side).collect();
        sides.sort_unstable();
        sides.dedup();
        for side in sides {
            let mut cells = vec![side.to_string(), String::new()];
            let mut strings = None;
            for &(solver, formulation) in &columns {
                let run = StringsMipRun { solver, formulation, side };
                let result: Option<StringsMipResult> = results.get(&mip_task_name(run))?;
                cells.push(self.mip_cell(run, result.as_ref()));
                let Some(result) = result.filter(|result| result.status == MipStatus::Optimal) else {
                    continue;
                };
                body.add_machine(&result.machine);
                strings = strings.or(result.strings);
                add_mip_findings(run, &result, body);
            }
            cells[1] = strings.map_or(String::new(), |strings| strings.to_string());
            table.add_row(cells);
        }
        Ok(table)
    }

    /// A time; or why there is none.
    fn mip_cell(&self, run: StringsMipRun, result: Option<&StringsMipResult>) -> String {
        match result {
            Some(result) if result.status == MipStatus::Optimal => format_seconds(result.cpu_seconds),
            Some(result) => {
                let words = |count: Option<usize>| count.map_or("?".to_string(), |count| count.to_string());
                format!("{} to {}, time up", words(result.strings), words(result.bound))
            }
            None if !self.mip.contains(&run) => String::new(),
            None if self.installed.is_empty() => "no MIP solver".into(),
            None if self.find_installed(run.solver).is_some() => "not yet".into(),
            None => format!("no {}", run.solver),
        }
    }

    fn table_2(&self, results: &TaskResults, body: &mut ReportBody) -> Result<SheetTable, LabError> {
        let mut table = SheetTable::new([
            "#n",
            "#strings",
            "#theirs, section 2",
            "#here, section 2",
            "#theirs, section 3",
            "#here, section 3",
            "#here, ishi",
            "#seconds",
            "#states",
        ]);
        for &(side, numbers) in &self.count {
            let Some(result) = results.get::<CountResult>(&count_task_name(side))? else { continue };
            body.add_machine(&result.machine);
            let mut cut: Vec<Vec<String>> = Vec::new();
            for formulation in super::CUT {
                let result: Option<AfterCutsResult> =
                    results.get(&after_cuts_task_name(formulation, side))?;
                cut.push(result.map_or(Vec::new(), |result| result.boards));
            }
            let theirs = TABLE_2.iter().find(|row| row.0 == side);
            for place in 0..numbers.min(result.strings + 1) {
                // The document has two rows of each of its boards.
                let has_row = theirs.is_some_and(|row| place < row.1.len());
                let their = |number: Option<u64>| {
                    let text = number.map(|number| group_digits(&number.to_string()));
                    if has_row { text.unwrap_or("not readable".into()) } else { String::new() }
                };
                let ours = |boards: &[String]| {
                    boards.get(place).map_or(String::new(), |digits| group_digits(digits))
                };
                let once = |text: String| if place == 0 { text } else { String::new() };
                table.add_row([
                    once(side.to_string()),
                    (result.strings - place).to_string(),
                    their(theirs.and_then(|row| row.1.get(place).copied())),
                    ours(&result.boards),
                    their(theirs.and_then(|row| row.2.get(place).copied().flatten())),
                    ours(&cut[0]),
                    ours(&cut[1]),
                    once(format_seconds(result.cpu_seconds)),
                    once(format_number(result.widest as f64, 0)),
                ]);
            }
            for (name, boards) in [("section-2", &result.boards), ("section-3", &cut[0]), ("ishi", &cut[1])] {
                add_count_findings(side, name, result.strings, boards, body);
            }
        }
        Ok(table)
    }

    fn relaxation_table(
        &self,
        results: &TaskResults,
        body: &mut ReportBody,
    ) -> Result<Option<SheetTable>, LabError> {
        let mut table =
            SheetTable::new(["#n", "#section 2", "#section 3", "#ishi", "#empty points of the best board"]);
        let (mut rows, mut raised) = (0, 0);
        for &side in &self.relaxation {
            let mut values = Vec::new();
            for formulation in StringsFormulation::ALL {
                let result: Option<RelaxationResult> =
                    results.get(&relaxation_task_name(formulation, side))?;
                let Some(RelaxationResult { empties }) = result else { continue };
                let name = formulation_title(formulation);
                let what = format!("{side}x{side}, {name}: empty points of the relaxation");
                let key = format!("relaxation.{side}.{}", formulation.short_name());
                body.findings.push(make_finding(key, what, empties, "points", 4));
                values.push(empties);
            }
            let &[plain, cut, ishi] = &values[..] else { continue };
            /// Rounding errors of the solver are smaller.
            const RAISED: f64 = 1e-5;
            rows += 1;
            raised += usize::from(cut > plain + RAISED);
            let best: Option<FrontierResult> = results.get(&frontier_task_name(side))?;
            let cells = [plain, cut, ishi].map(|empties| format_number(empties, 4));
            let best = best.map_or(String::new(), |best| (side * side - best.strings).to_string());
            table.add_row([vec![side.to_string()], cells.to_vec(), vec![best]].concat());
        }
        if rows == 0 {
            return Ok(None);
        }
        let what = "boards whose relaxation section 3 raises".to_string();
        let share = 100.0 * raised as f64 / rows as f64;
        body.findings.push(make_finding("relaxation.raised".into(), what, share, "%", 0));
        Ok(Some(table))
    }

    fn certificate_table(
        &self,
        results: &TaskResults,
        body: &mut ReportBody,
    ) -> Result<SheetTable, LabError> {
        let mut table =
            SheetTable::new(["#n", "#strings", "#depth", "#states", "#bytes", "#s to write", "#s to check"]);
        for &side in &self.certificate {
            let Some(result) = results.get::<CertificateResult>(&certificate_task_name(side))? else {
                continue;
            };
            body.add_machine(&result.machine);
            table.add_row([
                side.to_string(),
                result.strings.to_string(),
                result.depth.to_string(),
                format_number(result.states as f64, 0),
                format_number(result.bytes as f64, 0),
                format_seconds(result.writing),
                format_seconds(result.checking),
            ]);
            let key = |last: &str| format!("certificate.{side}.{last}");
            let name = format!("{side}x{side}, certificate");
            let strings = result.strings as f64;
            body.findings.push(make_finding(
                key("strings"),
                format!("{name}: no board has more strings"),
                strings,
                "strings",
                0,
            ));
            body.findings.push(make_finding(
                key("check"),
                format!("{name}: checked in"),
                result.checking,
                "s",
                3,
            ));
        }
        Ok(table)
    }

    fn growth_section(&self, results: &TaskResults) -> Result<SheetSection, LabError> {
        let mut table = SheetTable::new(["#n", "#seconds", "#most states", "#states together"]);
        let mut states = Vec::new();
        for &side in &self.frontier {
            let Some(result) = results.get::<FrontierResult>(&frontier_task_name(side))? else { continue };
            table.add_row([
                side.to_string(),
                format_seconds(result.cpu_seconds),
                format_number(result.widest as f64, 0),
                format_number(result.states as f64, 0),
            ]);
            states.push((side as f64, (result.widest.max(1) as f64).log10(), None));
        }
        let series = vec![PlotSeries { name: "states".into(), points: states }];
        let plot = LinePlot::new("Frontier solver: most states", ["n", "log10 of states"], series);
        let blocks = vec![
            SheetBlock::Text(GROWTH.into()),
            SheetBlock::Lines("states".into(), plot),
            SheetBlock::Table(table),
        ];
        Ok(make_section("Growth with n", blocks))
    }

    /// Figures that stand in the document's sentences.
    fn add_text_findings(&self, body: &mut ReportBody) {
        for side in [17, 19] {
            let Ok(model) = StringsModel::new(side, side, StringsFormulation::Section2) else { continue };
            let what = format!("{side}x{side}: variables of the integer programme");
            let points = model.point_count() as f64;
            body.findings.push(make_finding(format!("model.{side}.variables"), what, points, "variables", 0));
        }
        let what =
            "their table 1: how much less time section 3 takes than section 2, n = 11 to 18".to_string();
        let mean = paper::mean_reduction(|_| true);
        body.findings.push(make_finding("table-1.less".into(), what, mean, "%", 1));
        let what = "their table 1: the same for n = 13, 15 and 17".to_string();
        let mean = paper::mean_reduction(|side| side % 2 == 1 && side > 11);
        body.findings.push(make_finding("table-1.less-odd".into(), what, mean, "%", 1));
    }
}

fn add_frontier_findings(side: usize, result: &FrontierResult, body: &mut ReportBody) {
    body.add_machine(&result.machine);
    let name = format!("{side}x{side}");
    let key = |last: &str| format!("frontier.{side}.{last}");
    let mut add = |last: &str, what: String, value: f64, unit: &str, decimals: usize| {
        body.findings.push(make_finding(key(last), what, value, unit, decimals));
    };
    add("strings", format!("{name}: most strings"), result.strings as f64, "strings", 0);
    add("cpu", format!("{name}, frontier: time"), result.cpu_seconds, "s", 4);
    if let Some(row) = TABLE_1.iter().find(|row| row.side == side) {
        let time = result.cpu_seconds.max(1e-9);
        let what =
            |section: &str| format!("{name}: their time by section {section} in times of the frontier's");
        if let Some(theirs) = row.section_2 {
            add("times.section-2", what("2"), theirs / time, "times", 0);
        }
        add("times.section-3", what("3"), row.section_3 / time, "times", 0);
    }
    add("states", format!("{name}, frontier: most states"), result.widest as f64, "states", 0);
}

fn add_mip_findings(run: StringsMipRun, result: &StringsMipResult, body: &mut ReportBody) {
    let StringsMipRun { solver, formulation, side } = run;
    let key = format!("mip.{}.{}.{side}", solver.name(), formulation.short_name());
    let name = format!("{side}x{side}, {solver}, {}", formulation_title(formulation));
    let found = result.strings.unwrap_or_default() as f64;
    body.findings.push(make_finding(
        format!("{key}.strings"),
        format!("{name}: strings"),
        found,
        "strings",
        0,
    ));
    body.findings.push(make_finding(
        format!("{key}.cpu"),
        format!("{name}: time"),
        result.cpu_seconds,
        "s",
        3,
    ));
}

fn add_count_findings(side: usize, name: &str, strings: usize, boards: &[String], body: &mut ReportBody) {
    for (place, last) in ["most", "one-less"].into_iter().enumerate() {
        let Some(value) = boards.get(place).and_then(|digits| digits.parse().ok()) else { continue };
        let what = format!("{side}x{side}, {name}: boards with {} strings", strings - place);
        body.findings.push(make_finding(format!("count.{side}.{name}.{last}"), what, value, "boards", 0));
    }
}

/// The document's four figures (the second if asked for, as it takes a moment), drawn from our own data.
fn figure_blocks(with_a_board: bool) -> Vec<SheetBlock> {
    let mut blocks = Vec::new();
    let mut add = |text: &str, table: SheetTable| {
        blocks.push(SheetBlock::Text(text.to_string()));
        blocks.push(SheetBlock::Table(table));
    };
    let rows = |rows: &[&str]| letter_table(rows.iter().map(|row| row.chars().map(String::from).collect()));
    add(
        "Figure 1, left: on 3x3 two black and two white strings, all with a liberty (X black, O white). The drawing of the scan \
         is lost: this board was made here.",
        rows(&["X.O", "...", "O.X"]),
    );
    add(
        "Figure 1, right: strings without a liberty, which the rules do not allow. This board was made here, too.",
        rows(&["XOX", "OXO", "XOX"]),
    );
    let solve = || {
        solve_domination(&BoardShape::new(19, 19), DominationOptions::default(), &mut |_| {
            ControlFlow::Continue(())
        })
    };
    if let Some(board) = with_a_board.then(solve).and_then(|solution| solution.board) {
        let text = format!(
            "Figure 2: a board of 19x19 with {} strings, by the frontier solver.",
            board.cells().len() - board.empty_count()
        );
        add(&text, board_table(&board));
    }
    add(
        "Figure 3 (theorem 2): in every corner, one of the five points marked a is empty on some optimal board.",
        rows(&["··a·", "·aa·", "aa··", "····"]),
    );
    let patterns = [[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1], [0, 1, 1, 1], [1, 1, 1, 1]];
    let mut table = SheetTable::new(["pattern", "upper row", "lower row"]);
    for (number, pattern) in patterns.iter().enumerate() {
        let letter = |empty: i32| if empty == 1 { "." } else { "#" };
        let [upper_left, upper_right, lower_left, lower_right] = pattern.map(letter);
        table.add_row([
            (number + 1).to_string(),
            format!("{upper_left} {upper_right}"),
            format!("{lower_left} {lower_right}"),
        ]);
    }
    add(
        "Figure 4: the six patterns that the cuts leave of the four middle points of an even board (. empty, # a stone).",
        table,
    );
    blocks
}

fn board_table(board: &Board) -> SheetTable {
    let cell = |cell: &Cell| cell.letter().to_string();
    letter_table(board.cells().chunks(board.width()).map(|row| row.iter().map(cell).collect()))
}

/// A row for each line of a board, its columns named by their number.
fn letter_table(rows: impl Iterator<Item = Vec<String>>) -> SheetTable {
    let rows: Vec<Vec<String>> = rows.collect();
    let mut table = SheetTable::new(["row"]);
    for column in 1..=rows.first().map_or(0, Vec::len) {
        table.add_number_column(&column.to_string());
    }
    for (number, row) in rows.into_iter().enumerate() {
        table.add_row([vec![(number + 1).to_string()], row].concat());
    }
    table
}

/// Digits in groups of three, however many.
fn group_digits(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
