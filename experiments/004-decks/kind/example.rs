//! The article's worked example: its steps, and how many runs of every method solve it.

use ishi_deck::generate::worked_example;
use ishi_deck::search::{StartDeck, VariableDepthOptions, variable_depth_search_step};
use ishi_deck::{Deck, Problem};
use ishi_lab::LabError;
use ishi_lab::body::{ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::TaskResults;
use ishi_stats::{ConfidenceLevel, IntervalMethod, Proportion};
use ishi_work::{StopFlag, continue_unless};
use serde::{Deserialize, Serialize};

use super::specs::{DecksExperiment, EXAMPLE_NAME, ExampleSpec};

/// The value of the best deck within the limit.
const BEST: i64 = 1600;

/// The decks of the article's figures: where, pieces of cost 20, 10 and 5, score, cost.
const ARTICLE: [(&str, [usize; 3], i64, i64); 4] = [
    ("start", [4, 12, 0], 1500, 200),
    ("depth-1", [5, 11, 0], 1800, 210),
    ("depth-2", [5, 10, 1], 1700, 205),
    ("depth-3", [5, 9, 2], 1600, 200),
];

const TEXT: &str = "The article's example: at most 200, and three tens have to give way to a twenty and two fives. The article gives \
    the values. Scores of pairs follow from the two costs, and give the same. The first table follows one step of the article's search. \
    The second \
    counts runs that end in the best deck: from the example's deck, and from a random one. A run is one climb (of methods that go on \
    until their time is up, too).";

/// What came of it.
#[derive(Serialize, Deserialize)]
pub(super) struct ExampleResult {
    /// The decks of one step: pieces of cost 20, 10 and 5, score, cost.
    steps: Vec<([usize; 3], i64, i64)>,
    /// Method, runs that solved it from its deck (of methods that can begin there), from a random deck.
    solved: Vec<(String, Option<u64>, u64)>,
    runs: u64,
}

fn deck_facts(problem: &Problem, deck: &Deck) -> ([usize; 3], i64, i64) {
    let of = |cost: i64| deck.slots.iter().filter(|&&slot| problem.costs(slot)[0] == cost).count();
    ([of(20), of(10), of(5)], problem.deck_value(deck), problem.deck_cost(deck, 0))
}

/// `None` if it was stopped.
pub(super) fn run_example(spec: &ExampleSpec, stop: &StopFlag) -> Option<ExampleResult> {
    let seed = spec.seed.child_seed("example", 0);
    let (problem, deck) = worked_example();
    let way = variable_depth_search_step(&problem, &deck, &VariableDepthOptions::default(), seed);
    let decks = std::iter::once(&deck).chain(way.iter().flatten());
    let steps = decks.map(|deck| deck_facts(&problem, deck)).collect();
    let mut solved = Vec::new();
    for method in &spec.methods {
        let one = method.with_one_start();
        let count = |begin: &StartDeck| {
            let solves = |at: &u64| {
                let mut asked = 0;
                let see = &mut |_: &ishi_deck::SolverState<'_>| {
                    /// The search of ours ends only when it is told to.
                    const ENOUGH: u32 = 200;
                    asked += 1;
                    continue_unless(asked > ENOUGH)
                };
                let found = one.run_search(&problem, seed.child_seed("run", *at), begin.clone(), see);
                found.is_some_and(|found| found.value == BEST)
            };
            (0..spec.seeds).filter(solves).count() as u64
        };
        let there = method.climbs_from_given_deck().then(|| count(&StartDeck::At(deck.clone())));
        solved.push((method.name.clone(), there, count(&StartDeck::Random)));
        if stop.is_requested() {
            return None;
        }
    }
    Some(ExampleResult { steps, solved, runs: spec.seeds })
}

/// A share in per cent with its interval.
pub(super) fn success_rate(successes: u64, trials: u64) -> (f64, Option<[f64; 2]>) {
    let Ok(rate) = Proportion::new(successes, trials) else { return (f64::NAN, None) };
    let interval = rate.rate_interval(IntervalMethod::Wilson, ConfidenceLevel::default());
    (rate.rate() * 100.0, Some([interval.low * 100.0, interval.high * 100.0]))
}

pub(super) fn format_with_interval(value: f64, interval: Option<[f64; 2]>, decimals: usize) -> String {
    let text = format_number(value, decimals);
    interval.map_or(text.clone(), |[low, high]| {
        format!("{text} ({} to {})", format_number(low, decimals), format_number(high, decimals))
    })
}

impl DecksExperiment {
    pub(super) fn example_section(
        &self,
        results: &TaskResults,
        body: &mut ReportBody,
    ) -> Result<Option<SheetSection>, LabError> {
        let Some(result) = results.get::<ExampleResult>(EXAMPLE_NAME)? else { return Ok(None) };
        let blocks = vec![
            SheetBlock::Text(TEXT.into()),
            SheetBlock::Table(steps_table(&result, &mut body.findings)),
            SheetBlock::Table(self.solved_table(&result, &mut body.findings)),
        ];
        Ok(Some(SheetSection { heading: "The worked example".into(), blocks }))
    }

    /// How often each method ends in the best deck, from the example's deck and from random ones.
    fn solved_table(&self, result: &ExampleResult, findings: &mut Vec<ReportFinding>) -> SheetTable {
        let mut table =
            SheetTable::new(["method", "#runs", "#solved from its deck %", "#from a random deck %"]);
        for ((name, there, random), method) in result.solved.iter().zip(&self.deck_methods) {
            let text = |count: u64| {
                let (share, interval) = success_rate(count, result.runs);
                format_with_interval(share, interval, 0)
            };
            table.add_row([
                name.clone(),
                result.runs.to_string(),
                there.map_or("-".into(), text),
                text(*random),
            ]);
            let shares = [("solved", *there), ("solved-from-random", Some(*random))];
            for (what, count) in shares.into_iter().filter_map(|(what, count)| Some((what, count?))) {
                let (value, interval) = success_rate(count, result.runs);
                let key = format!("example.{}.{what}", method.key_name());
                let what = format!("worked example, {name}: runs that end in the best deck ({what})");
                findings.push(ReportFinding::new(key, what, value, ("%", 0)).with_interval(interval));
            }
        }
        table
    }
}

/// The decks of the article beside ours, with a finding for each of our scores and costs.
fn steps_table(result: &ExampleResult, findings: &mut Vec<ReportFinding>) -> SheetTable {
    let mut table = SheetTable::new([
        "deck",
        "article: 20, 10, 5",
        "#article: score",
        "#article: cost",
        "here: 20, 10, 5",
        "#here: score",
        "#here: cost",
    ]);
    let counts = |counts: &[usize; 3]| counts.map(|count| count.to_string()).join(", ");
    for ((name, pieces, score, cost), (our_pieces, our_score, our_cost)) in ARTICLE.iter().zip(&result.steps)
    {
        table.add_row([
            (*name).to_string(),
            counts(pieces),
            score.to_string(),
            cost.to_string(),
            counts(our_pieces),
            our_score.to_string(),
            our_cost.to_string(),
        ]);
        for (what, value) in [("score", our_score), ("cost", our_cost)] {
            let (key, what) = (format!("example.{name}.{what}"), format!("worked example, {name}: {what}"));
            findings.push(ReportFinding::new(key, what, *value as f64, ("", 0)));
        }
    }
    table
}
