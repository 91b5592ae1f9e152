//! Part 2: match statistics on known data: every test and interval of crate `stats` for published results.

use ishi_lab::LabError;
use ishi_lab::body::{ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::{ExperimentTask, TaskOutput, TaskResults, Variant};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::TaskKind;
use ishi_stats::{ConfidenceLevel, IntervalMethod, Proportion, TestAlternative, TestMethod};
use ishi_words::coded;
use serde::{Deserialize, Serialize};
use serde_json::json;
use toml::Spanned;

/// The kind of its tasks.
pub(super) const TASK: TaskKind = TaskKind::new("match-statistics");

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
pub(super) struct StatisticsParams {
    /// Wins and games.
    matches: Vec<Spanned<[u64; 2]>>,
}

/// The matches.
pub(super) struct MatchStatistics {
    matches: Vec<MatchSpec>,
}

/// A match, as a task describes it. The variant does not change the answer; it keeps the variants' results apart.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct MatchSpec {
    variant: Variant,
    wins: u64,
    games: u64,
}

/// What the methods say: in the order of [`TESTS`] and [`INTERVALS`].
#[derive(Serialize, Deserialize)]
struct MatchAnswer {
    two_sided_p: Vec<f64>,
    one_sided_p: Vec<f64>,
    intervals: Vec<[f64; 2]>,
}

impl MatchSpec {
    fn task_name(self) -> String {
        format!("statistics/{}-of-{}", self.wins, self.games)
    }

    fn compute_answer(self) -> Result<MatchAnswer, LabError> {
        let wins = Proportion::new(self.wins, self.games)?;
        let p = |alternative| -> Result<Vec<f64>, LabError> {
            TESTS.iter().map(|&(_, method)| Ok(wins.p_value(method, alternative, 0.5)?)).collect()
        };
        let ends = |&(_, method): &(&str, IntervalMethod)| {
            let interval = wins.rate_interval(method, ConfidenceLevel::default());
            [interval.low, interval.high]
        };
        Ok(MatchAnswer {
            two_sided_p: p(TestAlternative::TwoSided)?,
            one_sided_p: p(TestAlternative::Greater)?,
            intervals: INTERVALS.iter().map(ends).collect(),
        })
    }
}

impl MatchStatistics {
    /// Checks the parameters.
    pub(super) fn new(
        source: &TomlSource,
        params: StatisticsParams,
        variant: Variant,
    ) -> Result<MatchStatistics, SourceError> {
        let check = |entry: &Spanned<[u64; 2]>| {
            let [wins, games] = *entry.get_ref();
            let wrong = |e: ishi_stats::StatsError| {
                let right = coded!["lab-source-wins", "{cause}; write [wins, games]", cause = e];
                source.error_at(Some(entry.span()), right)
            };
            Proportion::new(wins, games).map(|_| MatchSpec { variant, wins, games }).map_err(wrong)
        };
        Ok(MatchStatistics { matches: params.matches.iter().map(check).collect::<Result<_, _>>()? })
    }

    pub(super) fn tasks(&self) -> Vec<ExperimentTask> {
        let task = |spec: &MatchSpec| ExperimentTask::new(spec.task_name(), TASK, json!(spec));
        self.matches.iter().map(task).collect()
    }

    pub(super) fn run_task(&self, task: &ExperimentTask) -> Result<TaskOutput, LabError> {
        Ok(TaskOutput::from(json!(task.read_spec::<MatchSpec>()?.compute_answer()?)))
    }

    pub(super) fn add_report(&self, results: &TaskResults, body: &mut ReportBody) -> Result<(), LabError> {
        let mut tests = SheetTable::new(["two-sided test of 1/2"]);
        let mut intervals = SheetTable::new(["95% interval of the rate"]);
        let mut answers = Vec::new();
        for &spec in &self.matches {
            let Some(answer) = results.get::<MatchAnswer>(&spec.task_name())? else { continue };
            let column = format!("{} of {}", spec.wins, spec.games);
            tests.add_number_column(&column);
            intervals.add_number_column(&column);
            body.findings.extend(match_findings(spec, &answer));
            answers.push(answer);
        }
        for (row, (name, _)) in TESTS.iter().enumerate() {
            let p = answers.iter().map(|answer| format_number(answer.two_sided_p[row], 4));
            tests.add_row(std::iter::once(name.to_string()).chain(p));
        }
        for (row, (name, _)) in INTERVALS.iter().enumerate() {
            let ends = answers
                .iter()
                .map(|answer| answer.intervals[row].map(|end| format_number(end, 4)).join(" to "));
            intervals.add_row(std::iter::once(name.to_string()).chain(ends));
        }
        const HOW: &str = "Every test and every interval that ishi knows, for published match results. The exact \
            two-sided test is the one that is held against the published p-values, Wilson's interval the one that is \
            held against the published intervals; docs/match.md says which other methods give them too.";
        let blocks =
            vec![SheetBlock::Text(HOW.into()), SheetBlock::Table(tests), SheetBlock::Table(intervals)];
        body.sections.push(SheetSection { heading: "Match statistics on known data".into(), blocks });
        Ok(())
    }
}

/// The figures of the methods that ishi uses by default.
fn match_findings(spec: MatchSpec, answer: &MatchAnswer) -> [ReportFinding; 3] {
    let MatchSpec { wins, games, .. } = spec;
    let finding = |what: &str, text: &str, value| {
        let key = format!("statistics.{wins}-of-{games}.{what}");
        ReportFinding::new(key, format!("{wins} of {games}: {text}"), value, ("", 3))
    };
    let [low, high] = answer.intervals[0];
    [
        finding("p", "exact two-sided p", answer.two_sided_p[0]),
        finding("low", "lower end (Wilson, 95%)", low),
        finding("high", "upper end (Wilson, 95%)", high),
    ]
}
