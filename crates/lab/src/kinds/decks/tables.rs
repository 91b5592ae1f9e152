//! The report: quality against time, proofs, solvers of integer programmes, and the completion test.

use std::collections::BTreeMap;

use super::measure::{CaseResult, CompletionResult, METHODS, MipResult, ShapeResult, Trace};
use super::{Decks, Shape, completion_name, mip_name, shape_name, stem};
use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::experiment::Results;
use crate::machine::Machine;
use crate::mip::Status;
use crate::report::{Block, Body, LinePlot, Section, Series, Table};

/// Seconds at which quality is read, for the plots.
const TIMES: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];

/// The places of methods in [`METHODS`].
const ONE_START: usize = 2;
const OURS: usize = 4;
const EXACT: usize = 5;

const QUALITY: &str = "Quality is the value of the best deck so far as a share of the best that any method found for the request, on average \
    over the requests; seconds are of one thread's processor, the pool being loaded. Hill climbing, variable depth search and ours go \
    on with new starts until their time is up; \"one start\" is the article's search from one random deck to its end. Greedy ends by \
    itself. \"Best found\" counts requests in which a method's last deck is the best, \"within 20 ms\" those in which it was there by then.";

const PROOFS: &str = "The exact solver: seconds to the best deck and its proof. The gap is that of the requests without a proof.";

const MIPS: &str = "Worlds without a leader and without fixed pieces; processor seconds to the proved best deck. \"Times\" is the solver's time \
    by that of ours, on the same request.";

const COMPLETION: &str = "Cards of tested decks are hidden, and each method names as many cards as are hidden: the share that is found. \
    In the random split copies of a tested list may be learned from; in the distinct one they may not.";

fn finding(key: String, what: String, value: f64, unit: &str, decimals: usize) -> Finding {
    Finding { key, what, value, interval: None, unit: unit.to_string(), decimals }
}

fn machine(body: &mut Body, machine: &Machine) {
    if !body.machines.contains(machine) {
        body.machines.push(machine.clone());
    }
}

/// The value at a time; nothing before the first deck.
fn value_at(trace: &Trace, seconds: f64) -> Option<i64> {
    trace.points.iter().take_while(|&&(at, _)| at <= seconds).last().map(|&(_, value)| value)
}

fn share(value: Option<i64>, best: i64) -> f64 {
    value.map_or(0.0, |value| if best == 0 { f64::from(value == 0) } else { value as f64 / best as f64 })
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    sum / f64::from(count.max(1))
}

/// The smallest value that this share of the values does not pass.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (share * values.len() as f64).ceil() as usize;
    values.get(at.clamp(1, values.len().max(1)) - 1).copied().unwrap_or(f64::NAN)
}

fn percent(share: f64) -> String {
    number(share * 100.0, 1)
}

fn seconds(seconds: f64) -> String {
    number(seconds, if seconds < 1.0 { 4 } else { 2 })
}

impl Decks {
    pub(super) fn tables(&self, results: &Results) -> Result<Body, LabError> {
        let mut body = Body::default();
        let mut proofs = Table::new([
            "requests",
            "#pieces",
            "#number",
            "#proved",
            "#median s",
            "#95 % s",
            "#99 % s",
            "#largest gap %",
        ]);
        for shape in &self.shapes {
            let Some((pieces, cases)) = cases(shape, results, &mut body)? else { continue };
            let section = quality(shape, &cases, &mut body);
            body.sections.push(section);
            proof_row(shape, pieces, &cases, &mut proofs, &mut body);
        }
        let blocks = vec![Block::Text(PROOFS.into()), Block::Table(proofs)];
        body.sections.push(Section { heading: "Proofs".into(), blocks });
        let section = self.mips(results, &mut body)?;
        body.sections.push(section);
        let section = self.completion(results, &mut body)?;
        body.sections.push(section);
        Ok(body)
    }

    fn mips(&self, results: &Results, body: &mut Body) -> Result<Section, LabError> {
        let mut table = Table::new([
            "solver",
            "#pieces",
            "#request",
            "#solver s",
            "solver's end",
            "#ours s",
            "#times",
            "same value",
        ]);
        for &solver in &self.solvers {
            for &pieces in &self.mip_pieces {
                let mut times = Vec::new();
                for case in 0..self.mip_cases {
                    let name = mip_name(solver, pieces, case);
                    let Some(result) = results.get::<MipResult>(&name)? else { continue };
                    machine(body, &result.machine);
                    let ratio = result.cpu_seconds / result.ours_cpu_seconds.max(1e-6);
                    times.push(ratio);
                    let end = if result.status == Status::Optimal { "proved" } else { "time up" };
                    table.row([
                        solver.to_string(),
                        pieces.to_string(),
                        case.to_string(),
                        seconds(result.cpu_seconds),
                        end.to_string(),
                        seconds(result.ours_cpu_seconds),
                        number(ratio, 0),
                        if result.value == result.ours { "yes" } else { "no" }.to_string(),
                    ]);
                }
                if !times.is_empty() {
                    let key = format!("mip.{}.{pieces}.times", solver.word());
                    let what = format!(
                        "{pieces} pieces: {solver}'s time by ours, median (at least, where its time was up)"
                    );
                    body.findings.push(finding(key, what, quantile(&mut times, 0.5), "times", 0));
                }
            }
        }
        let blocks = vec![Block::Text(MIPS.into()), Block::Table(table)];
        Ok(Section { heading: format!("Integer programming ({} formulation)", self.formulation), blocks })
    }

    fn completion(&self, results: &Results, body: &mut Body) -> Result<Section, LabError> {
        let mut table = Table::new([
            "decks",
            "split",
            "method",
            "#learned and tested",
            "#hide 4, found %",
            "#keep 3, found %",
        ]);
        for log in &self.logs {
            for split in ["random", "distinct"] {
                let name = completion_name(log, split);
                let Some(result) = results.get::<CompletionResult>(&name)? else { continue };
                for (method, hide, keep) in &result.rows {
                    table.row([
                        stem(log).to_string(),
                        split.to_string(),
                        method.clone(),
                        format!("{} / {}", result.decks, result.tested),
                        percent(*hide),
                        percent(*keep),
                    ]);
                    for (task, found) in [("hide-4", hide), ("keep-3", keep)] {
                        let key = format!("completion.{}.{split}.{method}.{task}", stem(log));
                        let what = format!("{}, {split} split, {method}: share found, {task}", stem(log));
                        body.findings.push(finding(key, what, *found, "", 3));
                    }
                }
            }
        }
        let blocks = vec![Block::Text(COMPLETION.into()), Block::Table(table)];
        Ok(Section { heading: "Completion test".into(), blocks })
    }
}

/// All requests of a shape; `None` if there are none yet.
fn cases(
    shape: &Shape,
    results: &Results,
    body: &mut Body,
) -> Result<Option<(usize, Vec<CaseResult>)>, LabError> {
    let mut cases = Vec::new();
    let mut pieces = None;
    for world in 0..shape.worlds {
        if let Some(result) = results.get::<ShapeResult>(&shape_name(&shape.name, world))? {
            machine(body, &result.machine);
            pieces = Some(result.pieces);
            cases.extend(result.cases);
        }
    }
    Ok(pieces.map(|pieces| (pieces, cases)))
}

/// Quality against time.
fn quality(shape: &Shape, cases: &[CaseResult], body: &mut Body) -> Section {
    let mut table = Table::new([
        "method",
        "#quality %",
        "#best found %",
        "#within 20 ms %",
        "#mean s to its last deck",
        "#mean s",
    ]);
    let all = cases.len().max(1) as f64;
    let key = |last: &str| format!("{}.{last}", shape.name);
    for (at, name) in METHODS.iter().enumerate() {
        let last = |case: &CaseResult| case.traces[at].points.last().map(|&(_, value)| value);
        let quality = mean(cases.iter().map(|case| share(last(case), case.best)));
        let found = cases.iter().filter(|case| last(case) == Some(case.best)).count() as f64 / all;
        let early = |case: &&CaseResult| value_at(&case.traces[at], 0.02) == Some(case.best);
        let early = cases.iter().filter(early).count() as f64 / all;
        let to_last = |case: &CaseResult| case.traces[at].points.last().map_or(0.0, |&(seconds, _)| seconds);
        table.row([
            (*name).to_string(),
            percent(quality),
            percent(found),
            percent(early),
            seconds(mean(cases.iter().map(to_last))),
            seconds(mean(cases.iter().map(|case| case.traces[at].seconds))),
        ]);
        let words = name.replace(", ", "-").replace(' ', "-");
        let what = format!("{}, {name}: quality of the last deck", shape.name);
        body.findings.push(finding(key(&format!("{words}.quality")), what, quality * 100.0, "%", 1));
        if at == ONE_START {
            let what = format!("{}, {name}: below the best", shape.name);
            body.findings.push(finding(
                key(&format!("{words}.below")),
                what,
                (1.0 - quality) * 100.0,
                "%",
                1,
            ));
        }
        if at == OURS || at == EXACT {
            let what = format!("{}, {name}: best deck found within 20 ms", shape.name);
            body.findings.push(finding(key(&format!("{words}.within-20ms")), what, early * 100.0, "%", 1));
        }
    }
    let series = [(1, "hill climbing"), (3, "variable depth"), (OURS, "ours"), (EXACT, "exact")];
    let line = |&(at, name): &(usize, &str)| {
        let point = |&time: &f64| {
            let quality = mean(cases.iter().map(|case| share(value_at(&case.traces[at], time), case.best)));
            (time, quality * 100.0, None)
        };
        let longest = cases.iter().map(|case| case.traces[at].seconds).fold(0.0, f64::max);
        let times = TIMES.iter().filter(|&&time| time <= longest.max(0.02));
        Series { name: name.into(), points: times.map(point).collect() }
    };
    let plot = LinePlot {
        title: format!("{}: quality against time", shape.name),
        x_axis: "processor seconds".into(),
        y_axis: "% of the best".into(),
        logarithmic_x: true,
        bands: Vec::new(),
        series: series.iter().map(line).collect(),
    };
    let file = format!("quality-{}", shape.name);
    let blocks = vec![Block::Text(QUALITY.into()), Block::Table(table), Block::Lines(file, plot)];
    Section { heading: format!("Quality against time: {}", shape.name), blocks }
}

fn proof_row(shape: &Shape, pieces: usize, cases: &[CaseResult], table: &mut Table, body: &mut Body) {
    let mut times: Vec<f64> = cases.iter().map(|case| case.traces[EXACT].seconds).collect();
    let proved = cases.iter().filter(|case| case.proved).count() as f64 / cases.len().max(1) as f64;
    let gap = |case: &CaseResult| {
        let last = case.traces[EXACT].points.last().map(|&(_, value)| value);
        let (value, bound) = (last?, case.bound?);
        Some((bound - value) as f64 / (bound.unsigned_abs().max(1) as f64))
    };
    let gap = cases.iter().filter_map(gap).fold(0.0, f64::max);
    let figures: BTreeMap<&str, f64> = [("median", 0.5), ("p95", 0.95), ("p99", 0.99)]
        .map(|(name, part)| (name, quantile(&mut times, part)))
        .into();
    table.row([
        shape.name.clone(),
        pieces.to_string(),
        cases.len().to_string(),
        percent(proved),
        seconds(figures["median"]),
        seconds(figures["p95"]),
        seconds(figures["p99"]),
        number(gap * 100.0, 2),
    ]);
    let name = &shape.name;
    body.findings.push(finding(
        format!("{name}.exact.proved"),
        format!("{name}: best deck proved"),
        proved * 100.0,
        "%",
        1,
    ));
    for (figure, value) in figures {
        let what = format!("{name}: seconds to find and prove, {figure}");
        body.findings.push(finding(format!("{name}.exact.{figure}"), what, value, "s", 3));
    }
    let what = format!("{name}: largest gap of a request");
    body.findings.push(finding(format!("{name}.exact.gap"), what, gap * 100.0, "%", 2));
}
