//! Agreement with strong players: what rank their move has among the suggestions of each style, and whether the search of the style
//! chooses it.

use std::path::Path;

use ishi_go::Move;
use ishi_knowledge::lookahead::{LookAhead, LookAheadParams};
use ishi_knowledge::{Analysis, NoOracle, ReadingOracle, Style, rules};
use ishi_lab::LabError;
use ishi_lab::experiment::{ExperimentTask, TaskEnd, TaskOutput, TaskResults};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::TaskKind;
use ishi_words::coded;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

use super::records::GameRecords;

/// The kinds of its tasks.
pub(super) const STUDY: TaskKind = TaskKind::new("go-knowledge-study");
pub(super) const BASELINE: TaskKind = TaskKind::new("go-knowledge-baseline");

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StudyParams {
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
pub(super) struct StudiedStyle {
    /// What it is called in tables, and in keys of findings.
    pub(super) name: String,
    pub(super) style: Style,
}

/// The study.
pub(super) struct StyleStudy {
    pub(super) records: GameRecords,
    pub(super) moves: usize,
    block: usize,
    search_every: usize,
    nodes: u64,
    /// The first is what the others are compared with.
    pub(super) styles: Vec<StudiedStyle>,
}

/// What decides the result of a task.
#[derive(Serialize, Deserialize)]
struct StudySpec {
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
pub(super) struct StudyFindings {
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

impl StudyFindings {
    fn append_findings(&mut self, other: StudyFindings) {
        self.ranks.extend(other.ranks);
        self.suggestions.extend(other.suggestions);
        self.chosen.extend(other.chosen);
        self.positions.extend(other.positions);
    }
}

/// The baseline: the learned strengths of moves alone.
pub(super) const STRENGTHS: &str = "strengths alone";

impl StyleStudy {
    pub(super) fn new(
        source: &TomlSource,
        params: StudyParams,
        folder: &Path,
    ) -> Result<StyleStudy, SourceError> {
        let mut styles: Vec<StudiedStyle> = Vec::new();
        for text in &params.styles {
            let style: Style =
                text.get_ref().parse().map_err(|error| source.value_error(text, format!("{error}")))?;
            styles.push(StudiedStyle { name: text.get_ref().clone(), style });
        }
        if params.singles {
            for difference in Style::DIFFERENCES {
                let name = format!("{}={}", difference.key, difference.many_faces);
                let style = name.parse().map_err(|error| source.error_at(None, format!("{error}")))?;
                styles.push(StudiedStyle { name, style });
            }
        }
        let right = coded!["lab-source-no-style", "a study must have one style or more"];
        source.require_at(!styles.is_empty(), params.moves.span(), right)?;
        Ok(StyleStudy {
            records: GameRecords::new(folder, &params.records),
            moves: source.check_range(&params.moves, 1..=100_000, "moves must be 1 to 100000")?,
            block: source.check_range(&params.block, 1..=10_000, "a block must have 1 to 10000 moves")?,
            search_every: source.check_range(
                &params.search_every,
                1..=10_000,
                "it must be one in 1 to 10000",
            )?,
            nodes: source.check_range(&params.nodes, 1..=100_000, "positions must be 1 to 100000")?,
            styles,
        })
    }

    pub(super) fn list_skipped(&self) -> Vec<String> {
        let text = format!("the study of strong players' moves: there is no file {}", self.records.name);
        if self.records.is_file_present() { Vec::new() } else { vec![text] }
    }

    fn block_ranges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.moves).step_by(self.block).map(|from| (from, (from + self.block).min(self.moves)))
    }

    fn task_name(style: &str, from: usize) -> String {
        format!("study/{style}/{from:05}")
    }

    pub(super) fn tasks(&self) -> Vec<ExperimentTask> {
        if !self.records.is_file_present() {
            return Vec::new();
        }
        let task = |name: &str, kind: TaskKind, style: String, (from, to): (usize, usize)| {
            let spec = StudySpec {
                records: self.records.name.clone(),
                moves: self.moves,
                from,
                to,
                search_every: self.search_every,
                nodes: self.nodes,
                style,
            };
            ExperimentTask::new(StyleStudy::task_name(name, from), kind, json!(spec))
        };
        // Block by block through all styles, so that what is there early is balanced.
        let mut tasks = Vec::new();
        for block in self.block_ranges() {
            tasks.push(task(STRENGTHS, BASELINE, String::new(), block));
            for StudiedStyle { name, style } in &self.styles {
                tasks.push(task(name, STUDY, style.to_string(), block));
            }
        }
        tasks
    }

    pub(super) fn run_task(&self, task: &ExperimentTask, stop: &StopFlag) -> TaskEnd {
        let spec: StudySpec = task.read_spec()?;
        let cases = self.records.select_cases(spec.moves, spec.from..spec.to);
        let cases = cases.map_err(|error| task.failure(error))?;
        let mut found = StudyFindings::default();
        for (number, case) in cases.iter().enumerate() {
            if stop.is_requested() {
                return Ok(None);
            }
            if task.work.kind() == BASELINE {
                found.append_findings(rank_by_strengths(case));
                continue;
            }
            let style: Style = spec.style.parse().map_err(|error| task.failure(error))?;
            let is_searched = (spec.from + number).is_multiple_of(spec.search_every);
            found.append_findings(rank_by_style(case, style, is_searched.then_some(spec.nodes)));
        }
        let value: Value = json!(found);
        Ok(Some(TaskOutput::from(value)))
    }

    /// What is known of a style, or of the baseline, in the blocks that are finished for all of them, so that all are compared in the same
    /// positions; none if there is no such block.
    pub(super) fn combined_findings(
        &self,
        name: &str,
        results: &TaskResults,
    ) -> Result<Option<StudyFindings>, LabError> {
        let names = || self.styles.iter().map(|studied| studied.name.as_str()).chain([STRENGTHS]);
        let is_finished =
            |from: usize| names().all(|name| results.0.contains_key(&StyleStudy::task_name(name, from)));
        let mut all = StudyFindings::default();
        for (from, _) in self.block_ranges().filter(|&(from, _)| is_finished(from)) {
            all.append_findings(
                results.get::<StudyFindings>(&StyleStudy::task_name(name, from))?.unwrap_or_default(),
            );
        }
        Ok((!all.ranks.is_empty()).then_some(all))
    }
}

/// The rank of the move by its learned strength, all legal moves being suggestions.
fn rank_by_strengths(case: &super::records::RecordCase) -> StudyFindings {
    let strengths = rules::move_strengths(&case.position);
    let own = strengths.iter().find(|(point, _)| *point == case.mv).map(|(_, strength)| *strength);
    let rank = own.map_or(0, |own| strengths.iter().filter(|(_, strength)| *strength >= own).count());
    StudyFindings { ranks: vec![rank], suggestions: vec![strengths.len()], ..StudyFindings::default() }
}

fn rank_by_style(case: &super::records::RecordCase, style: Style, nodes: Option<u64>) -> StudyFindings {
    let analysis = Analysis::analyze_in_style(style, &case.position, &mut NoOracle);
    let suggestions = rules::suggest_moves(&case.position, &analysis);
    let rank = suggestions.iter().position(|found| found.mv == case.mv).map_or(0, |place| place + 1);
    let mut found =
        StudyFindings { ranks: vec![rank], suggestions: vec![suggestions.len()], ..StudyFindings::default() };
    if let Some(nodes) = nodes {
        let params = LookAheadParams { nodes, ..LookAheadParams::for_style(style) };
        let mut ahead = LookAhead::new(params, ReadingOracle::default());
        let plan = ahead.search(&mut case.position.clone(), &|_| true, &|| false);
        found.chosen.push(plan.best_move() == Move::Play(case.mv));
        found.positions.push(plan.nodes);
    }
    found
}
