//! The paper's numbers, measured here: counts of what there is, shares of the time, positions a move, and errors of the program.

use ishi_arena::stopwatch::Stopwatch;
use ishi_go::{BoardSize, Move, Position, Rules};
use ishi_go_play::checking::{self, CheckGame, CheckParams};
use ishi_knowledge::lookahead::{LookAhead, LookAheadParams, count_settling_patterns};
use ishi_knowledge::{
    Analysis, GroupFates, NoOracle, ReadingOracle, RuleFamily, Style, count_prospects, rules,
};
use ishi_lab::experiment::{ExperimentTask, TaskEnd, TaskOutput};
use ishi_lab::machine::Machine;
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::TaskKind;
use ishi_patterns::joseki::book::{Joseki, MoveKind};
use ishi_patterns::joseki::packed;
use ishi_patterns::library::{MovePurpose, PAGE, PatternIndex, PatternLibrary};
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};
use serde_json::json;
use toml::Spanned;

use super::records::{GameRecords, RecordCase};

/// The kinds of its tasks.
pub(super) const COUNTS: TaskKind = TaskKind::new("go-knowledge-counts");
pub(super) const TIME: TaskKind = TaskKind::new("go-knowledge-time");
pub(super) const CHECK: TaskKind = TaskKind::new("go-knowledge-check");

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NumbersParams {
    /// Positions of records in which time is taken.
    positions: Spanned<usize>,
    /// Games that are checked.
    check_games: Spanned<u64>,
}

/// The numbers.
pub(super) struct KnowledgeNumbers {
    records: GameRecords,
    positions: usize,
    pub(super) check_games: u64,
    seed: Seed,
}

/// What there is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KnowledgeCounts {
    pub(super) rules: usize,
    pub(super) families: usize,
    pub(super) joseki_moves: usize,
    pub(super) joseki_bytes: usize,
    /// Joseki moves by kind.
    pub(super) joseki_kinds: Vec<(String, usize)>,
    pub(super) patterns: usize,
    pub(super) pattern_moves: usize,
    pub(super) patterns_by_hand: usize,
    pub(super) patterns_with_claims: usize,
    /// Patterns by purpose.
    pub(super) purposes: Vec<(String, usize)>,
    pub(super) settling_patterns: usize,
    pub(super) variants: usize,
    pub(super) page: usize,
    /// What the move is worth at the beginning and after 220 moves, in the style of the paper.
    pub(super) sente: [f64; 2],
}

/// Time and work, position by position.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct KnowledgeTimes {
    pub(super) machine: Option<Machine>,
    /// Seconds of a whole move.
    pub(super) moves: Vec<f64>,
    /// Seconds of matching all patterns once, and how often a move does so.
    pub(super) matching: Vec<f64>,
    pub(super) matched: Vec<usize>,
    /// Seconds of finding potential eyes and ways out once, and how many positions a move looks at.
    pub(super) prospects: Vec<f64>,
    pub(super) positions: Vec<u64>,
    /// Variants compared to find all matches of a position, and empty points.
    pub(super) compared: Vec<usize>,
    pub(super) empty: Vec<usize>,
}

/// A checked game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GameCheck {
    pub(super) moves: usize,
    pub(super) checked: usize,
    pub(super) differences: usize,
}

impl KnowledgeNumbers {
    pub(super) fn new(
        source: &TomlSource,
        params: &NumbersParams,
        records: GameRecords,
        seed: Seed,
    ) -> Result<KnowledgeNumbers, SourceError> {
        Ok(KnowledgeNumbers {
            records,
            positions: source.check_range(&params.positions, 1..=10_000, "positions must be 1 to 10000")?,
            check_games: source.check_range(&params.check_games, 1..=1000, "games must be 1 to 1000")?,
            seed: seed.child_seed("check", 0),
        })
    }

    pub(super) fn check_task_name(number: u64) -> String {
        format!("check/{number:03}")
    }

    pub(super) fn tasks(&self) -> Vec<ExperimentTask> {
        let version = json!({ "version": env!("CARGO_PKG_VERSION") });
        let mut tasks = vec![ExperimentTask::new("counts", COUNTS, version)];
        if self.records.is_file_present() {
            let spec = json!({ "records": self.records.name, "positions": self.positions });
            tasks.push(ExperimentTask::new("time", TIME, spec).run_alone());
        }
        for number in 0..self.check_games {
            let spec = json!({ "game": number, "seed": self.seed.to_string() });
            tasks.push(ExperimentTask::new(KnowledgeNumbers::check_task_name(number), CHECK, spec));
        }
        tasks
    }

    pub(super) fn run_task(&self, task: &ExperimentTask, stop: &StopFlag) -> TaskEnd {
        let failed = |error: String| task.failure(error);
        let value = match task.work.kind() {
            COUNTS => json!(count_knowledge().map_err(failed)?),
            TIME => {
                let cases = self.records.select_cases(self.positions, 0..self.positions).map_err(failed)?;
                match measure_times(&cases, stop) {
                    Some(times) => json!(times),
                    None => return Ok(None),
                }
            }
            _ => {
                let number = task.work.spec()["game"].as_u64().unwrap_or(0);
                let params = CheckParams { every: 10, ahead: 3, playouts: 8, style: Style::many_faces() };
                let is_stopped = || stop.is_requested();
                let game = checking::play_checked_game(
                    CheckGame::from_number(number),
                    &params,
                    self.seed,
                    &is_stopped,
                );
                if game.is_stopped {
                    return Ok(None);
                }
                let differences = game.differences.len();
                json!(GameCheck { moves: game.moves, checked: game.checked, differences })
            }
        };
        Ok(Some(TaskOutput::from(value)))
    }
}

fn count_knowledge() -> Result<KnowledgeCounts, String> {
    let (joseki, library) = (Joseki::shipped(), PatternLibrary::shipped());
    let patterns = library.patterns();
    let mut families: Vec<RuleFamily> = rules::all_rules().map(|rule| rule.family).collect();
    families.sort_unstable();
    families.dedup();
    let branches = || joseki.nodes().iter().flat_map(|node| &node.branches);
    let of_kind =
        |kind: MoveKind| (kind.to_string(), branches().filter(|branch| branch.kind == kind).count());
    let of_purpose = |purpose: MovePurpose| {
        (purpose.to_string(), patterns.iter().filter(|pattern| pattern.purpose() == purpose).count())
    };
    Ok(KnowledgeCounts {
        rules: rules::all_rules().count(),
        families: families.len(),
        joseki_moves: joseki.move_count(),
        joseki_bytes: packed::pack_joseki(&joseki).len(),
        joseki_kinds: MoveKind::ALL.into_iter().map(of_kind).collect(),
        patterns: patterns.len(),
        pattern_moves: patterns.iter().map(|pattern| pattern.move_count()).sum(),
        patterns_by_hand: patterns.iter().filter(|pattern| pattern.seen == 0).count(),
        patterns_with_claims: patterns.iter().filter(|pattern| !pattern.attributes.is_empty()).count(),
        purposes: MovePurpose::ALL.into_iter().map(of_purpose).collect(),
        settling_patterns: count_settling_patterns()[0],
        variants: PatternIndex::shipped().variant_count(),
        page: PAGE,
        sente: [sente_after(0)?, sente_after(220)?],
    })
}

/// What the move is worth after so many moves, of which every second is a pass.
fn sente_after(moves: usize) -> Result<f64, String> {
    let size = BoardSize::square(19).map_err(|error| error.to_string())?;
    let mut position = Position::new(size, Rules::CHINESE);
    // Points of one colour of a chess board: no stone touches another one.
    let mut points = size.points().filter(|point| (point.column() + point.row()).is_multiple_of(2));
    for number in 0..moves {
        let mut stone = || points.next().map(Move::Play).ok_or("the board is full");
        let mv = if number.is_multiple_of(2) { stone()? } else { Move::Pass };
        position.play(position.to_move(), mv).map_err(|error| error.to_string())?;
    }
    Ok(Analysis::analyze_in_style(Style::many_faces(), &position, &mut NoOracle).sente)
}

/// Takes the time; none if it was broken off.
fn measure_times(cases: &[RecordCase], stop: &StopFlag) -> Option<KnowledgeTimes> {
    let mut times = KnowledgeTimes { machine: Some(Machine::current()), ..KnowledgeTimes::default() };
    let (style, index) = (Style::many_faces(), PatternIndex::shipped());
    // The first call makes tables ready. It comes before the clock starts, so that no position pays for them.
    rules::move_strengths(&cases.first()?.position);
    for RecordCase { position, .. } in cases {
        if stop.is_requested() {
            return None;
        }
        let mut ahead = LookAhead::new(LookAheadParams::for_style(style), ReadingOracle::default());
        let watch = Stopwatch::start();
        let plan = ahead.search(&mut position.clone(), &|_| true, &|| false);
        times.moves.push(watch.cpu_seconds());
        times.positions.push(plan.nodes);
        times.matched.push(ahead.count_evaluated_positions());
        let analysis = Analysis::analyze_in_style(style, position, &mut ReadingOracle::default());
        let watch = Stopwatch::start();
        std::hint::black_box(count_prospects(position.board(), &analysis));
        times.prospects.push(watch.cpu_seconds());
        let watch = Stopwatch::start();
        std::hint::black_box(index.find_matches(position.board(), &GroupFates(&analysis)));
        times.matching.push(watch.cpu_seconds());
        times.compared.push(index.count_compared(position.board()));
        times.empty.push(position.board().empty_count());
    }
    Some(times)
}
