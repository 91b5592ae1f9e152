//! Part 2: match statistics on known data: every test and interval of crate `stats` for published results.

use ishi_stats::{Alternative, Confidence, IntervalMethod, Proportion, TestMethod};
use serde::{Deserialize, Serialize};
use serde_json::json;
use toml::Spanned;

use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::experiment::{Output, Results, Task, Variant};
use crate::report::{Block, Body, Section, Table};
use crate::source::{Source, SourceError};
use crate::store;

/// The kind of its tasks.
pub(super) const TASK: &str = "match-statistics";

const TESTS: [(&str, TestMethod); 4] = [
    ("exact", TestMethod::Exact),
    ("normal, corrected", TestMethod::NormalCorrected),
    ("mid-p", TestMethod::MidP),
    ("normal", TestMethod::Normal),
];

const INTERVALS: [(&str, IntervalMethod); 4] = [
    ("Wilson", IntervalMethod::Wilson),
    ("Clopper-Pearson", IntervalMethod::ClopperPearson),
    ("Wilson, corrected", IntervalMethod::WilsonCorrected),
    ("Wald", IntervalMethod::Wald),
];

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// Wins and games.
    matches: Vec<Spanned<[u64; 2]>>,
}

/// The matches.
pub(super) struct Statistics {
    matches: Vec<Spec>,
}

/// A match, as a task describes it. The variant does not change the answer; it keeps the variants' results apart.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Spec {
    variant: Variant,
    wins: u64,
    games: u64,
}

/// What the methods say: in the order of [`TESTS`] and [`INTERVALS`].
#[derive(Serialize, Deserialize)]
struct Answer {
    two_sided_p: Vec<f64>,
    one_sided_p: Vec<f64>,
    intervals: Vec<[f64; 2]>,
}

impl Spec {
    fn name(self) -> String {
        format!("statistics/{}-of-{}", self.wins, self.games)
    }

    fn answer(self) -> Result<Answer, LabError> {
        let wins = Proportion::new(self.wins, self.games)?;
        let p = |alternative| -> Result<Vec<f64>, LabError> {
            TESTS.iter().map(|&(_, method)| Ok(wins.test(method, alternative, 0.5)?)).collect()
        };
        let ends = |&(_, method): &(&str, IntervalMethod)| {
            let interval = wins.interval(method, Confidence::default());
            [interval.low, interval.high]
        };
        Ok(Answer {
            two_sided_p: p(Alternative::TwoSided)?,
            one_sided_p: p(Alternative::Greater)?,
            intervals: INTERVALS.iter().map(ends).collect(),
        })
    }
}

impl Statistics {
    /// Checks the parameters.
    pub(super) fn new(source: &Source, params: Params, variant: Variant) -> Result<Statistics, SourceError> {
        let check = |entry: &Spanned<[u64; 2]>| {
            let [wins, games] = *entry.get_ref();
            let wrong = |e: ishi_stats::StatsError| {
                source.error(Some(entry.span()), format!("{e}; write [wins, games]"))
            };
            Proportion::new(wins, games).map(|_| Spec { variant, wins, games }).map_err(wrong)
        };
        Ok(Statistics { matches: params.matches.iter().map(check).collect::<Result<_, _>>()? })
    }

    pub(super) fn tasks(&self) -> Vec<Task> {
        let task = |spec: &Spec| Task {
            name: spec.name(),
            work: store::Task::new(TASK, json!(spec)),
            alone: false,
            after: None,
        };
        self.matches.iter().map(task).collect()
    }

    pub(super) fn run(&self, task: &Task) -> Result<Output, LabError> {
        let failed = |error: String| LabError::Task { task: task.name.clone(), error };
        let spec = Spec::deserialize(task.work.spec()).map_err(|e| failed(e.to_string()))?;
        Ok(Output::from(json!(spec.answer()?)))
    }

    pub(super) fn report(&self, results: &Results, body: &mut Body) -> Result<(), LabError> {
        let mut tests = Table::new(["two-sided test of 1/2"]);
        let mut intervals = Table::new(["95% interval of the rate"]);
        let mut answers = Vec::new();
        for &spec in &self.matches {
            let Some(answer) = results.get::<Answer>(&spec.name())? else { continue };
            let column = format!("{} of {}", spec.wins, spec.games);
            tests.number_column(&column);
            intervals.number_column(&column);
            body.findings.extend(findings(spec, &answer));
            answers.push(answer);
        }
        for (row, (name, _)) in TESTS.iter().enumerate() {
            let p = answers.iter().map(|answer| number(answer.two_sided_p[row], 4));
            tests.row(std::iter::once(name.to_string()).chain(p));
        }
        for (row, (name, _)) in INTERVALS.iter().enumerate() {
            let ends =
                answers.iter().map(|answer| answer.intervals[row].map(|end| number(end, 4)).join(" to "));
            intervals.row(std::iter::once(name.to_string()).chain(ends));
        }
        const HOW: &str = "Every test and every interval that ishi knows, for published match results. The exact \
            two-sided test is the one that is held against the published p-values, Wilson's interval the one that is \
            held against the published intervals; docs/statistics.md says which other methods give them too.";
        let blocks = vec![Block::Text(HOW.into()), Block::Table(tests), Block::Table(intervals)];
        body.sections.push(Section { heading: "Match statistics on known data".into(), blocks });
        Ok(())
    }
}

/// The figures of the methods that ishi uses by default.
fn findings(spec: Spec, answer: &Answer) -> [Finding; 3] {
    let Spec { wins, games, .. } = spec;
    let finding = |what: &str, text: &str, value| Finding {
        key: format!("statistics.{wins}-of-{games}.{what}"),
        what: format!("{wins} of {games}: {text}"),
        value,
        interval: None,
        unit: String::new(),
        decimals: 3,
        note: String::new(),
    };
    let [low, high] = answer.intervals[0];
    [
        finding("p", "exact two-sided p", answer.two_sided_p[0]),
        finding("low", "lower end (Wilson, 95%)", low),
        finding("high", "upper end (Wilson, 95%)", high),
    ]
}
