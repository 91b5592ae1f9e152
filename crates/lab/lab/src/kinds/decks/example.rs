//! The article's worked example: its steps, and how many runs of every method solve it.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use ishi_deck::generate::worked_example;
use ishi_deck::search::{Begin, VariableDepth, variable_depth_step};
use ishi_deck::{Deck, Problem};
use ishi_stats::{Confidence, IntervalMethod, Proportion};
use serde::{Deserialize, Serialize};

use super::measure::{seed, stopped};
use super::{Decks, EXAMPLE_NAME, ExampleSpec};
use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::experiment::Results;
use crate::report::{Block, Body, Section, Table};

/// The value of the best deck within the limit.
const BEST: i64 = 1600;

/// The decks of the article's figures: where, pieces of cost 20, 10 and 5, score, cost.
const ARTICLE: [(&str, [usize; 3], i64, i64); 4] = [
    ("start", [4, 12, 0], 1500, 200),
    ("depth-1", [5, 11, 0], 1800, 210),
    ("depth-2", [5, 10, 1], 1700, 205),
    ("depth-3", [5, 9, 2], 1600, 200),
];

const TEXT: &str = "The article's example: at most 200, and three tens have to give way to a twenty and two fives. The article gives the values; \
    our scores of pairs follow from the two costs and give the same. The first table follows one step of the article's search. The second \
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

fn facts(problem: &Problem, deck: &Deck) -> ([usize; 3], i64, i64) {
    let of = |cost: i64| deck.slots.iter().filter(|&&slot| problem.costs(slot)[0] == cost).count();
    ([of(20), of(10), of(5)], problem.value(deck), problem.cost(deck, 0))
}

pub(super) fn run(spec: &ExampleSpec, stop: &AtomicBool) -> Result<Option<ExampleResult>, String> {
    let seed = seed(&spec.seed)?.child("example", 0);
    let (problem, deck) = worked_example();
    let way = variable_depth_step(&problem, &deck, &VariableDepth::default(), seed);
    let decks = std::iter::once(&deck).chain(way.iter().flatten());
    let steps = decks.map(|deck| facts(&problem, deck)).collect();
    let mut solved = Vec::new();
    for method in &spec.methods {
        let one = method.with_one_start();
        let count = |begin: &Begin| {
            let solves = |at: &u64| {
                let mut asked = 0;
                let see = &mut |_: &ishi_deck::Progress<'_>| {
                    /// The search of ours ends only when it is told to.
                    const ENOUGH: u32 = 200;
                    asked += 1;
                    if asked > ENOUGH { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let found = one.run(&problem, seed.child("run", *at), begin.clone(), see);
                found.is_some_and(|found| found.value == BEST)
            };
            (0..spec.seeds).filter(solves).count() as u64
        };
        let there = method.climbs().then(|| count(&Begin::At(deck.clone())));
        solved.push((method.name.clone(), there, count(&Begin::Random)));
        if stopped(stop) {
            return Ok(None);
        }
    }
    Ok(Some(ExampleResult { steps, solved, runs: spec.seeds }))
}

/// A share in per cent with its interval.
pub(super) fn rate(successes: u64, trials: u64) -> (f64, Option<[f64; 2]>) {
    let Ok(rate) = Proportion::new(successes, trials) else { return (f64::NAN, None) };
    let interval = rate.interval(IntervalMethod::Wilson, Confidence::default());
    (rate.rate() * 100.0, Some([interval.low * 100.0, interval.high * 100.0]))
}

pub(super) fn with_interval(value: f64, interval: Option<[f64; 2]>, decimals: usize) -> String {
    let text = number(value, decimals);
    interval.map_or(text.clone(), |[low, high]| {
        format!("{text} ({} to {})", number(low, decimals), number(high, decimals))
    })
}

impl Decks {
    pub(super) fn example(&self, results: &Results, body: &mut Body) -> Result<Option<Section>, LabError> {
        let Some(result) = results.get::<ExampleResult>(EXAMPLE_NAME)? else { return Ok(None) };
        let mut steps = Table::new([
            "deck",
            "article: 20, 10, 5",
            "#article: score",
            "#article: cost",
            "ours: 20, 10, 5",
            "#ours: score",
            "#ours: cost",
        ]);
        let counts = |counts: &[usize; 3]| counts.map(|count| count.to_string()).join(", ");
        for (at, (name, pieces, score, cost)) in ARTICLE.iter().enumerate() {
            let Some((our_pieces, our_score, our_cost)) = result.steps.get(at) else { continue };
            steps.row([
                (*name).to_string(),
                counts(pieces),
                score.to_string(),
                cost.to_string(),
                counts(our_pieces),
                our_score.to_string(),
                our_cost.to_string(),
            ]);
            for (what, value) in [("score", our_score), ("cost", our_cost)] {
                body.findings.push(Finding {
                    key: format!("example.{name}.{what}"),
                    what: format!("worked example, {name}: {what}"),
                    value: *value as f64,
                    interval: None,
                    unit: String::new(),
                    decimals: 0,
                    note: String::new(),
                });
            }
        }
        let mut solved = Table::new(["method", "#runs", "#solved from its deck %", "#from a random deck %"]);
        for ((name, there, random), method) in result.solved.iter().zip(&self.deck_methods) {
            let text = |count: u64| {
                let (share, interval) = rate(count, result.runs);
                with_interval(share, interval, 0)
            };
            solved.row([
                name.clone(),
                result.runs.to_string(),
                there.map_or("-".into(), text),
                text(*random),
            ]);
            let shares = [("solved", *there), ("solved-from-random", Some(*random))];
            for (what, count) in shares.into_iter().filter_map(|(what, count)| Some((what, count?))) {
                let (value, interval) = rate(count, result.runs);
                body.findings.push(Finding {
                    key: format!("example.{}.{what}", method.word()),
                    what: format!("worked example, {name}: runs that end in the best deck ({what})"),
                    value,
                    interval,
                    unit: "%".into(),
                    decimals: 0,
                    note: String::new(),
                });
            }
        }
        let blocks = vec![Block::Text(TEXT.into()), Block::Table(steps), Block::Table(solved)];
        Ok(Some(Section { heading: "The worked example".into(), blocks }))
    }
}
