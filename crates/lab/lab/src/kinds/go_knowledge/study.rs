//! Agreement with strong players: what rank their move has among the suggestions of each style, and whether the search of the style
//! chooses it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ishi_go::Move;
use ishi_knowledge::lookahead::{LookAhead, LookAheadParams};
use ishi_knowledge::{Analysis, NoOracle, ReadingOracle, Style, rules};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

use super::records::Records;
use crate::error::LabError;
use crate::experiment::{Output, Results, Task};
use crate::source::{Source, SourceError};
use crate::store;

/// The kinds of its tasks.
pub(super) const STUDY: &str = "go-knowledge-study";
pub(super) const BASELINE: &str = "go-knowledge-baseline";

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// Records, from the experiment's folder.
    records: String,
    moves: Spanned<usize>,
    block: Spanned<usize>,
    /// In one of so many positions the search is asked, too.
    search_every: Spanned<usize>,
    nodes: Spanned<u64>,
    /// Each single difference is studied besides, if this says so.
    singles: bool,
    styles: Vec<Spanned<String>>,
}

/// A style under study.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Studied {
    /// What it is called in tables, and in keys of findings.
    pub(super) name: String,
    pub(super) style: Style,
}

/// The study.
pub(super) struct Study {
    pub(super) records: Records,
    pub(super) moves: usize,
    block: usize,
    search_every: usize,
    nodes: u64,
    /// The first is what the others are compared with.
    pub(super) styles: Vec<Studied>,
}

/// What decides the result of a task.
#[derive(Serialize, Deserialize)]
struct Spec {
    records: String,
    moves: usize,
    from: usize,
    to: usize,
    search_every: usize,
    nodes: u64,
    style: String,
}

/// What was found in some positions, in their order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Found {
    /// The rank of the move that was played, from 1; 0: it is not suggested.
    pub(super) ranks: Vec<usize>,
    /// Suggestions.
    pub(super) suggestions: Vec<usize>,
    /// Is the move of the search the one that was played? Of every so many positions.
    #[serde(default)]
    pub(super) chosen: Vec<bool>,
    /// Positions that the search looked at.
    #[serde(default)]
    pub(super) positions: Vec<u64>,
}

impl Found {
    fn add(&mut self, other: Found) {
        self.ranks.extend(other.ranks);
        self.suggestions.extend(other.suggestions);
        self.chosen.extend(other.chosen);
        self.positions.extend(other.positions);
    }
}

/// The baseline: the learned strengths of moves alone.
pub(super) const STRENGTHS: &str = "strengths alone";

impl Study {
    pub(super) fn new(source: &Source, params: Params, folder: &Path) -> Result<Study, SourceError> {
        let mut styles: Vec<Studied> = Vec::new();
        for text in &params.styles {
            let style: Style =
                text.get_ref().parse().map_err(|error| source.wrong(text, &format!("{error}")))?;
            styles.push(Studied { name: text.get_ref().clone(), style });
        }
        if params.singles {
            for difference in Style::DIFFERENCES {
                let name = format!("{}={}", difference.key, difference.many_faces);
                let style = name.parse().map_err(|error| source.error(None, format!("{error}")))?;
                styles.push(Studied { name, style });
            }
        }
        if styles.is_empty() {
            return Err(source.error(Some(params.moves.span()), "a study has one style at least"));
        }
        Ok(Study {
            records: Records::new(folder, &params.records),
            moves: source.within(&params.moves, 1..=100_000, "moves are 1 to 100000")?,
            block: source.within(&params.block, 1..=10_000, "a block has 1 to 10000 moves")?,
            search_every: source.within(&params.search_every, 1..=10_000, "one in 1 to 10000")?,
            nodes: source.within(&params.nodes, 1..=100_000, "positions are 1 to 100000")?,
            styles,
        })
    }

    pub(super) fn skipped(&self) -> Vec<String> {
        let text = format!("the study of strong players' moves: there is no file {}", self.records.name);
        if self.records.is_there() { Vec::new() } else { vec![text] }
    }

    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.moves).step_by(self.block).map(|from| (from, (from + self.block).min(self.moves)))
    }

    fn task_name(style: &str, from: usize) -> String {
        format!("study/{style}/{from:05}")
    }

    pub(super) fn tasks(&self) -> Vec<Task> {
        if !self.records.is_there() {
            return Vec::new();
        }
        let task = |name: &str, kind: &str, style: String, (from, to): (usize, usize)| {
            let spec = Spec {
                records: self.records.name.clone(),
                moves: self.moves,
                from,
                to,
                search_every: self.search_every,
                nodes: self.nodes,
                style,
            };
            Task {
                name: Study::task_name(name, from),
                work: store::Task::new(kind, json!(spec)),
                alone: false,
                after: None,
            }
        };
        // Block by block through all styles, so that what is there early is balanced.
        let mut tasks = Vec::new();
        for block in self.blocks() {
            tasks.push(task(STRENGTHS, BASELINE, String::new(), block));
            for Studied { name, style } in &self.styles {
                tasks.push(task(name, STUDY, style.to_string(), block));
            }
        }
        tasks
    }

    pub(super) fn run(&self, task: &Task, stop: &Arc<AtomicBool>) -> Result<Option<Output>, LabError> {
        let failed = |error: String| LabError::Task { task: task.name.clone(), error };
        let spec = Spec::deserialize(task.work.spec()).map_err(|error| failed(error.to_string()))?;
        let cases = self.records.cases(spec.moves, spec.from..spec.to).map_err(failed)?;
        let mut found = Found::default();
        for (number, case) in cases.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if task.work.kind() == BASELINE {
                found.add(by_strengths(case));
                continue;
            }
            let style: Style = spec.style.parse().map_err(|error| failed(format!("{error}")))?;
            let is_searched = (spec.from + number).is_multiple_of(spec.search_every);
            found.add(by_style(case, style, is_searched.then_some(spec.nodes)));
        }
        let value: Value = json!(found);
        Ok(Some(Output::from(value)))
    }

    /// What is known of a style, or of the baseline, in the blocks that are finished for all of them, so that all are compared in the same
    /// positions; none if there is no such block.
    pub(super) fn found(&self, name: &str, results: &Results) -> Result<Option<Found>, LabError> {
        let names = || self.styles.iter().map(|studied| studied.name.as_str()).chain([STRENGTHS]);
        let is_finished =
            |from: usize| names().all(|name| results.0.contains_key(&Study::task_name(name, from)));
        let mut all = Found::default();
        for (from, _) in self.blocks().filter(|&(from, _)| is_finished(from)) {
            all.add(results.get::<Found>(&Study::task_name(name, from))?.unwrap_or_default());
        }
        Ok((!all.ranks.is_empty()).then_some(all))
    }
}

/// The rank of the move by its learned strength, all legal moves being suggestions.
fn by_strengths(case: &super::records::Case) -> Found {
    let strengths = rules::strengths(&case.position);
    let own = strengths.iter().find(|(point, _)| *point == case.mv).map(|(_, strength)| *strength);
    let rank = own.map_or(0, |own| strengths.iter().filter(|(_, strength)| *strength >= own).count());
    Found { ranks: vec![rank], suggestions: vec![strengths.len()], ..Found::default() }
}

fn by_style(case: &super::records::Case, style: Style, nodes: Option<u64>) -> Found {
    let analysis = Analysis::by(style, &case.position, &mut NoOracle);
    let suggestions = rules::suggest(&case.position, &analysis);
    let rank = suggestions.iter().position(|found| found.mv == case.mv).map_or(0, |place| place + 1);
    let mut found = Found { ranks: vec![rank], suggestions: vec![suggestions.len()], ..Found::default() };
    if let Some(nodes) = nodes {
        let params = LookAheadParams { nodes, ..LookAheadParams::of(style) };
        let mut ahead = LookAhead::new(params, ReadingOracle::default());
        let plan = ahead.search(&mut case.position.clone(), &|_| true, &|| false);
        found.chosen.push(plan.best() == Move::Play(case.mv));
        found.positions.push(plan.nodes);
    }
    found
}
