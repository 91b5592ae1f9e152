//! The report: quality against time, proofs, solvers of integer programmes, and the completion test.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use ishi_lab::LabError;
use ishi_lab::body::{LinePlot, PlotSeries, ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::TaskResults;
use ishi_stats::{ConfidenceLevel, SampleSummary};

use super::example::{format_with_interval, success_rate};
use super::measure::{CaseResult, CompletionResult, DeckMipResult, SearchTrace, ShapeResult};
use super::methods::{DeckMethod, SearchKind};
use super::specs::{DecksExperiment, RequestShape};
use super::{DeckMipRun, completion_task_name, log_stem, shape_task_name};
use crate::figures::mean_or_zero;
use ishi_mip::MipStatus;

/// Seconds at which quality is read, for the plots.
const TIMES: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];

/// With fewer worlds the requests are the units of an interval.
const LEAST_WORLDS: usize = 5;

const QUALITY: &str = "Quality is the value of the last deck as a share of the best that any method found for the request. Where values \
    are negative, it is the best as a share of the last deck's. Seconds are of one thread's processor, the pool being loaded. \"One \
    start\" is one climb from one deck to its end; methods without it go on with new starts \
    until their time is up; greedy and exact end by themselves. \"Best found\" counts requests in which a method's last deck is the best, \
    \"within 20 ms\" those in which it was there by then. Intervals are 95 %: of means by Student's t (the worlds are the units where there are five \
    or more, otherwise the requests), of shares by Wilson.";

const TRAPS: &str = "Requests in which one climb by single swaps ended in a trap: the article's step finds a better deck from there.";

const PROOFS: &str = "The exact solver: seconds to the best deck and its proof. The gap is that of the requests without a proof.";

const MIPS: &str = "Worlds without a leader and without fixed pieces. Variables and constraints are those of the model (pairs that score \
    nothing have none). The solver has one thread and its time limit on the clock; the processor seconds are those that it had. Where the \
    time was up, the gap is what its bound leaves above its best deck, as a share of the bound; \"of best\" is its best deck's value as \
    a share of the proved one. \
    \"Times\" is the solver's time by that of the exact solver of ishi on the same request: at least so many, where the time was up.";

const COMPLETION: &str = "Cards of tested decks are hidden, and each method names as many cards as are hidden: the share that is found. \
    In the random split copies of a tested list may be learned from; in the distinct one they may not.";

fn make_finding(key: String, what: String, value: f64, unit: &str, decimals: usize) -> ReportFinding {
    ReportFinding::new(key, what, value, (unit, decimals))
}

/// The value at a time; nothing before the first deck.
fn value_at(trace: &SearchTrace, seconds: f64) -> Option<i64> {
    trace.points.iter().take_while(|&&(at, _)| at <= seconds).last().map(|&(_, value)| value)
}

/// A value as a share of the best; of negative ones the best as a share of the value.
fn share_of_best(value: Option<i64>, best: i64) -> f64 {
    value.map_or(0.0, |value| match best {
        0 => f64::from(value == 0),
        1.. => value as f64 / best as f64,
        _ => best as f64 / value as f64,
    })
}

/// The smallest value that this share of the values does not pass.
fn sample_quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (share * values.len() as f64).ceil() as usize;
    values.get(at.clamp(1, values.len().max(1)) - 1).copied().unwrap_or(f64::NAN)
}

fn format_percent(share: f64) -> String {
    format_number(share * 100.0, 1)
}

fn format_seconds(seconds: f64) -> String {
    format_number(seconds, if seconds < 1.0 { 4 } else { 2 })
}

/// The requests of every world.
pub(super) type WorldCases = Vec<Vec<CaseResult>>;

/// The mean of a number over the requests, and its interval, as far as such numbers go.
pub(super) fn mean_with_interval(
    worlds: &WorldCases,
    range: RangeInclusive<f64>,
    of: impl Fn(&CaseResult) -> Option<f64>,
) -> (f64, Option<[f64; 2]>) {
    let all: Vec<f64> = worlds.iter().flatten().filter_map(&of).collect();
    let by_world = worlds.iter().filter_map(|cases| {
        let values: Vec<f64> = cases.iter().filter_map(&of).collect();
        (!values.is_empty()).then(|| mean_or_zero(values.iter().copied()))
    });
    let by_world: Vec<f64> = by_world.collect();
    let units = if by_world.len() >= LEAST_WORLDS { &by_world } else { &all };
    let interval = SampleSummary::from_sample(units)
        .ok()
        .and_then(|summary| summary.mean_interval(ConfidenceLevel::default()));
    let within = |value: f64| value.clamp(*range.start(), *range.end());
    let interval = interval.map(|interval| [within(interval.low), within(interval.high)]);
    // Equal values give an interval without width, which would claim too much: there is none then.
    (mean_or_zero(all.iter().copied()), interval.filter(|[low, high]| low < high))
}

impl DecksExperiment {
    pub(super) fn report_tables(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        let mut body = ReportBody::default();
        let section = self.example_section(results, &mut body)?;
        body.sections.extend(section);
        let mut measured = Vec::new();
        for shape in &self.shapes {
            measured.extend(
                collect_cases(shape, results, &mut body)?.map(|(pieces, worlds)| (shape, pieces, worlds)),
            );
        }
        for (shape, _, worlds) in &measured {
            let section = self.purity_section(shape, worlds, &mut body);
            body.sections.extend(section);
        }
        let section = trap_section(&measured, &mut body);
        body.sections.push(section);
        let mut proofs = SheetTable::new([
            "requests",
            "#pieces",
            "#number",
            "#proved",
            "#median s",
            "#95 % s",
            "#99 % s",
            "#largest gap %",
        ]);
        for (shape, pieces, worlds) in &measured {
            let methods = self.methods_of(shape);
            let section = quality_section(shape, &methods, worlds, &mut body);
            body.sections.push(section);
            if let Some(exact) = methods.iter().position(|method| method.search == SearchKind::Exact) {
                let cases: Vec<&CaseResult> = worlds.iter().flatten().collect();
                add_proof_row(shape, *pieces, exact, &cases, &mut proofs, &mut body);
            }
        }
        let blocks = vec![SheetBlock::Text(PROOFS.into()), SheetBlock::Table(proofs)];
        body.sections.push(SheetSection { heading: "Proofs".into(), blocks });
        let section = self.mip_section(results, &mut body)?;
        body.sections.push(section);
        let section = self.completion_section(results, &mut body)?;
        body.sections.push(section);
        Ok(body)
    }

    fn mip_section(&self, results: &TaskResults, body: &mut ReportBody) -> Result<SheetSection, LabError> {
        let mut table = SheetTable::new([
            "formulation",
            "#pieces",
            "solver",
            "#variables",
            "#constraints",
            "#limit s",
            "#solver s",
            "end",
            "#gap %",
            "#of best %",
            "#ishi, proved s",
            "#times",
        ]);
        let mut series: BTreeMap<String, MipTimes> = BTreeMap::new();
        for run in self.mip_runs() {
            let Some(result) = results.get::<DeckMipResult>(&run.task_name())? else { continue };
            body.add_machine(&result.machine);
            table.add_row(mip_cells(&run, &result));
            let (formulation, pieces, solver) = (&run.programmes.formulation, run.pieces, run.solver);
            let key = format!("mip.{formulation}.{}.{pieces}", solver.name());
            let what = format!("{pieces} pieces, {formulation} formulation, {solver}");
            let times = series.entry(key).or_insert(MipTimes { what, ratios: Vec::new(), proved: 0 });
            times.proved += usize::from(result.status == Some(MipStatus::Optimal));
            times.ratios.extend(result.status.is_some().then(|| time_by_ours(&result)));
        }
        for (key, times) in series {
            body.findings.extend(times.findings(&key));
        }
        let blocks = vec![SheetBlock::Text(MIPS.into()), SheetBlock::Table(table)];
        Ok(SheetSection { heading: "Integer programming".into(), blocks })
    }

    fn completion_section(
        &self,
        results: &TaskResults,
        body: &mut ReportBody,
    ) -> Result<SheetSection, LabError> {
        let mut table = SheetTable::new([
            "decks",
            "split",
            "method",
            "#learned and tested",
            "#hide 4, found %",
            "#keep 3, found %",
        ]);
        for log in &self.logs {
            for split in ["random", "distinct"] {
                let name = completion_task_name(log, split);
                let Some(result) = results.get::<CompletionResult>(&name)? else { continue };
                for (method, hide, keep) in &result.rows {
                    table.add_row([
                        log_stem(log).to_string(),
                        split.to_string(),
                        method.clone(),
                        format!("{} / {}", result.decks, result.tested),
                        format_percent(*hide),
                        format_percent(*keep),
                    ]);
                    for (task, found) in [("hide-4", hide), ("keep-3", keep)] {
                        let key = format!("completion.{}.{split}.{method}.{task}", log_stem(log));
                        let what = format!("{}, {split} split, {method}: share found, {task}", log_stem(log));
                        body.findings.push(make_finding(key, what, *found, "", 3));
                    }
                }
            }
        }
        let blocks = vec![SheetBlock::Text(COMPLETION.into()), SheetBlock::Table(table)];
        Ok(SheetSection { heading: "Completion test".into(), blocks })
    }
}

/// How a run of a solver ended.
/// The runs of a solver on requests of one size.
struct MipTimes {
    what: String,
    /// Its time by ours, of each run that ended by itself or by its limit.
    ratios: Vec<f64>,
    proved: usize,
}

impl MipTimes {
    /// How many requests were proved, and the median of the ratios, if there are any.
    fn findings(mut self, key: &str) -> Vec<ReportFinding> {
        let what = self.what;
        let proved = format!("{what}: requests proved");
        let mut findings = vec![make_finding(format!("{key}.proved"), proved, self.proved as f64, "", 0)];
        if !self.ratios.is_empty() {
            let times = format!("{what}: its time by that of ishi, median (at least, where its time was up)");
            let median = sample_quantile(&mut self.ratios, 0.5);
            findings.push(make_finding(format!("{key}.times"), times, median, "times", 0));
        }
        findings
    }
}

/// A solver's processor time by that of ishi's proof.
fn time_by_ours(result: &DeckMipResult) -> f64 {
    result.cpu_seconds / result.ours_cpu_seconds.max(1e-6)
}

/// The row of a run in the table of [`DecksExperiment::mip_section`].
fn mip_cells(run: &DeckMipRun<'_>, result: &DeckMipResult) -> [String; 12] {
    let gap = result
        .value
        .zip(result.bound)
        .map(|(value, bound)| (bound - value) as f64 / bound.unsigned_abs().max(1) as f64 * 100.0);
    let of_best = result.value.zip(result.ours).map(|(value, best)| share_of_best(Some(value), best) * 100.0);
    let or_none =
        |value: Option<f64>, decimals| value.map_or("-".into(), |value| format_number(value, decimals));
    let if_answered = |text: String| if result.status.is_some() { text } else { "-".into() };
    [
        run.programmes.formulation.clone(),
        run.pieces.to_string(),
        run.solver.to_string(),
        result.variables.to_string(),
        result.constraints.to_string(),
        run.programmes.limit.to_string(),
        if_answered(format_seconds(result.cpu_seconds)),
        describe_end(result).to_string(),
        or_none(gap, 1),
        or_none(of_best, 1),
        format_seconds(result.ours_cpu_seconds),
        if_answered(format_number(time_by_ours(result), 0)),
    ]
}

fn describe_end(result: &DeckMipResult) -> &'static str {
    match result.status {
        Some(MipStatus::Optimal) => "proved",
        Some(MipStatus::Infeasible) => "says that there is none",
        Some(MipStatus::TimeLimit) => "time up",
        None => "no answer",
    }
}

/// All requests of a shape by world; `None` if there are none yet.
fn collect_cases(
    shape: &RequestShape,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<Option<(usize, WorldCases)>, LabError> {
    let mut worlds = Vec::new();
    let mut pieces = None;
    for world in 0..shape.worlds {
        if let Some(result) = results.get::<ShapeResult>(&shape_task_name(&shape.name, world))? {
            body.add_machine(&result.machine);
            pieces = Some(result.pieces);
            worlds.push(result.cases);
        }
    }
    Ok(pieces.map(|pieces| (pieces, worlds)))
}

/// Where single swaps end in a trap.
fn trap_section(measured: &[(&RequestShape, usize, WorldCases)], body: &mut ReportBody) -> SheetSection {
    let mut table = SheetTable::new(["requests", "#number", "#in a trap %"]);
    for (shape, _, worlds) in measured {
        let ends: Vec<bool> = worlds.iter().flatten().filter_map(|case| case.trapped).collect();
        if ends.is_empty() {
            continue;
        }
        let trapped = ends.iter().filter(|&&trapped| trapped).count();
        let (value, interval) = success_rate(trapped as u64, ends.len() as u64);
        table.add_row([shape.name.clone(), ends.len().to_string(), format_with_interval(value, interval, 0)]);
        let what = format!("{}: climbs by single swaps that end in a trap", shape.name);
        let finding = make_finding(format!("{}.trapped", shape.name), what, value, "%", 0);
        body.findings.push(finding.with_interval(interval));
    }
    let blocks = vec![SheetBlock::Text(TRAPS.into()), SheetBlock::Table(table)];
    SheetSection { heading: "Traps".into(), blocks }
}

/// Quality against time.
fn quality_section(
    shape: &RequestShape,
    methods: &[DeckMethod],
    worlds: &WorldCases,
    body: &mut ReportBody,
) -> SheetSection {
    let mut table = SheetTable::new([
        "method",
        "#quality %",
        "#best found %",
        "#within 20 ms %",
        "#mean s to its last deck",
        "#mean s",
        "#ended by itself %",
    ]);
    let cases: Vec<&CaseResult> = worlds.iter().flatten().collect();
    let count = |is: &dyn Fn(&CaseResult) -> bool| {
        success_rate(cases.iter().filter(|case| is(case)).count() as u64, cases.len() as u64)
    };
    for (at, method) in methods.iter().enumerate() {
        let last = |case: &CaseResult| case.traces[at].points.last().map(|&(_, value)| value);
        let quality = mean_with_interval(worlds, 0.0..=100.0, |case| {
            Some(share_of_best(last(case), case.best) * 100.0)
        });
        let found = count(&|case| last(case) == Some(case.best));
        let early = count(&|case| value_at(&case.traces[at], 0.02) == Some(case.best));
        let ended = count(&|case| case.traces[at].ended);
        let time = mean_with_interval(worlds, 0.0..=f64::MAX, |case| Some(case.traces[at].seconds));
        let to_last = |case: &&CaseResult| case.traces[at].points.last().map_or(0.0, |&(seconds, _)| seconds);
        table.add_row([
            method.name.clone(),
            format_with_interval(quality.0, quality.1, 1),
            format_with_interval(found.0, found.1, 0),
            format_percent(early.0 / 100.0),
            format_seconds(mean_or_zero(cases.iter().map(to_last))),
            format_seconds(time.0),
            format_percent(ended.0 / 100.0),
        ]);
        let figures = [
            ("quality", "quality of the last deck", quality, "%", 1),
            ("best-found", "requests whose best deck it found", found, "%", 0),
            ("within-20ms", "best deck found within 20 ms", early, "%", 1),
            ("seconds", "processor seconds", time, "s", 3),
        ];
        for (key, what, (value, interval), unit, decimals) in figures {
            let key = format!("{}.{}.{key}", shape.name, method.key_name());
            let what = format!("{}, {}: {what}", shape.name, method.name);
            body.findings.push(make_finding(key, what, value, unit, decimals).with_interval(interval));
        }
    }
    let plot = quality_plot(shape, methods, &cases);
    let file = format!("quality-{}", shape.name);
    let blocks =
        vec![SheetBlock::Text(QUALITY.into()), SheetBlock::Table(table), SheetBlock::Lines(file, plot)];
    SheetSection { heading: format!("Quality against time: {}", shape.name), blocks }
}

/// The methods that go on until their time is up, and the exact one.
fn quality_plot(shape: &RequestShape, methods: &[DeckMethod], cases: &[&CaseResult]) -> LinePlot {
    let line = |(at, method): (usize, &DeckMethod)| {
        let point = |&time: &f64| {
            let quality = mean_or_zero(
                cases.iter().map(|case| share_of_best(value_at(&case.traces[at], time), case.best)),
            );
            (time, quality * 100.0, None)
        };
        let longest = cases.iter().map(|case| case.traces[at].seconds).fold(0.0, f64::max);
        let times = TIMES.iter().filter(|&&time| time <= longest.max(0.02));
        PlotSeries { name: method.name.clone(), points: times.map(point).collect() }
    };
    let goes_on = |method: &DeckMethod| method.search == SearchKind::Exact || !method.ends_by_itself();
    let title = format!("{}: quality against time", shape.name);
    let series = methods.iter().enumerate().filter(|(_, method)| goes_on(method)).map(line).collect();
    let plot = LinePlot::new(title, ["processor seconds", "% of the best"], series);
    LinePlot { logarithmic_x: true, ..plot }
}

fn add_proof_row(
    shape: &RequestShape,
    pieces: usize,
    exact: usize,
    cases: &[&CaseResult],
    table: &mut SheetTable,
    body: &mut ReportBody,
) {
    let mut times: Vec<f64> = cases.iter().map(|case| case.traces[exact].seconds).collect();
    let proved = cases.iter().filter(|case| case.proved).count() as f64 / cases.len().max(1) as f64;
    let gap = |case: &&CaseResult| {
        let last = case.traces[exact].points.last().map(|&(_, value)| value);
        let (value, bound) = (last?, case.bound?);
        Some((bound - value) as f64 / (bound.unsigned_abs().max(1) as f64))
    };
    let gap = cases.iter().filter_map(gap).fold(0.0, f64::max);
    let figures: BTreeMap<&str, f64> = [("median", 0.5), ("p95", 0.95), ("p99", 0.99)]
        .map(|(name, part)| (name, sample_quantile(&mut times, part)))
        .into();
    table.add_row([
        shape.name.clone(),
        pieces.to_string(),
        cases.len().to_string(),
        format_percent(proved),
        format_seconds(figures["median"]),
        format_seconds(figures["p95"]),
        format_seconds(figures["p99"]),
        format_number(gap * 100.0, 2),
    ]);
    let name = &shape.name;
    body.findings.push(make_finding(
        format!("{name}.exact.proved"),
        format!("{name}: best deck proved"),
        proved * 100.0,
        "%",
        1,
    ));
    for (figure, value) in figures {
        let what = format!("{name}: seconds to find and prove, {figure}");
        body.findings.push(make_finding(format!("{name}.exact.{figure}"), what, value, "s", 3));
    }
    let what = format!("{name}: largest gap of a request");
    body.findings.push(make_finding(format!("{name}.exact.gap"), what, gap * 100.0, "%", 2));
}
