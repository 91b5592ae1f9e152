//! Part 1: uniform playouts per second of processor time, beside the crate `goban` in the same run. What is shipped is built without that crate,
//! and measures ishi alone.
//!
//! A repetition measures both sides one after the other, so that a machine that gets slower slows both: the ratio is
//! taken within repetitions. The counts of moves and the sums of scores follow from the seed; times do not.

use ishi_go::playout::{self, PlayoutResult};
use ishi_go::{Board, BoardSize, Color};
use ishi_lab::LabError;
use ishi_lab::body::{IntervalPlot, IntervalRow, ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::{ExperimentTask, TaskOutput, TaskResults};
use ishi_lab::machine::Machine;
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::TaskKind;
use ishi_rng::{Rng, Seed};
use ishi_stats::SampleSummary;
use ishi_words::{CodedMessage, coded};
use serde::{Deserialize, Serialize};
use serde_json::json;
use toml::Spanned;

use ishi_arena::stopwatch::Stopwatch;

/// The kind of its tasks.
pub(super) const TASK: TaskKind = TaskKind::new("playout-speed");

/// The boards that the reference has, in lines.
const MAX_SIDE: u8 = 19;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpeedParams {
    repetitions: Spanned<u32>,
    boards: Vec<BoardParams>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardParams {
    side: Spanned<u8>,
    playouts: Spanned<u32>,
    reference_playouts: Spanned<u32>,
}

/// What is measured.
pub(super) struct SpeedTest {
    seed: Seed,
    repetitions: u32,
    boards: Vec<BoardPlan>,
}

/// A board, and how many playouts a repetition plays on it.
struct BoardPlan {
    size: BoardSize,
    side: u8,
    playouts: u32,
    reference_playouts: u32,
}

/// The work of one repetition, as a task describes it.
#[derive(Serialize, Deserialize)]
struct SpeedSpec {
    side: u8,
    repetition: u32,
    playouts: u32,
    reference_playouts: u32,
    seed: Seed,
}

/// The result of one repetition.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SpeedRepetition {
    ishi: MeasuredSide,
    /// `None` where the program was built without the reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<MeasuredSide>,
    machine: Machine,
}

/// What one side did and how long it took.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MeasuredSide {
    playouts: u32,
    moves: u64,
    score: i64,
    cpu_seconds: f64,
}

impl MeasuredSide {
    /// Plays and measures.
    fn measure_playouts(playouts: u32, mut play: impl FnMut() -> PlayoutResult) -> MeasuredSide {
        let watch = Stopwatch::start();
        let (mut moves, mut score) = (0, 0);
        for _ in 0..playouts {
            let end = play();
            moves += u64::from(end.moves);
            score += i64::from(end.score);
        }
        MeasuredSide { playouts, moves, score, cpu_seconds: watch.cpu_seconds() }
    }

    fn playouts_per_second(&self) -> f64 {
        // The clock counts nanoseconds; nothing takes none.
        f64::from(self.playouts) / self.cpu_seconds.max(1e-9)
    }
}

impl SpeedTest {
    /// Checks the parameters.
    pub(super) fn new(
        source: &TomlSource,
        params: SpeedParams,
        seed: Seed,
    ) -> Result<SpeedTest, SourceError> {
        let repetitions =
            source.check_range(&params.repetitions, 1..=1000, "repetitions must be 1 to 1000")?;
        let mut boards: Vec<BoardPlan> = Vec::new();
        for board in &params.boards {
            let what = format!("a board of the reference must have 2 to {MAX_SIDE} lines");
            let side = source.check_range(&board.side, 2..=MAX_SIDE, &what)?;
            let size = BoardSize::square(side.into())
                .map_err(|e| source.value_error(&board.side, CodedMessage::from_error(e)))?;
            let right = coded!["lab-source-board-twice", "this board is named twice: leave one out"];
            source.require(boards.iter().all(|other| other.side != side), &board.side, right)?;
            let count = |value| source.check_range(value, 1..=100_000_000, "playouts must be 1 to 100000000");
            let (playouts, reference_playouts) = (count(&board.playouts)?, count(&board.reference_playouts)?);
            boards.push(BoardPlan { size, side, playouts, reference_playouts });
        }
        Ok(SpeedTest { seed: seed.child_seed("speed", 0), repetitions, boards })
    }

    /// A task for each board and repetition; the boards take turns.
    pub(super) fn tasks(&self) -> Vec<ExperimentTask> {
        let task = |repetition: u32, board: &BoardPlan| {
            let name = task_name(board.side, repetition);
            ExperimentTask::new(name, TASK, json!(self.task_spec(board, repetition))).run_alone()
        };
        (0..self.repetitions).flat_map(|n| self.boards.iter().map(move |board| task(n, board))).collect()
    }

    fn task_spec(&self, board: &BoardPlan, repetition: u32) -> SpeedSpec {
        let &BoardPlan { side, playouts, reference_playouts, .. } = board;
        let seed = self.seed.child_seed(&board.size.to_string(), repetition.into());
        SpeedSpec { side, repetition, playouts, reference_playouts, seed }
    }

    pub(super) fn run_task(&self, task: &ExperimentTask) -> Result<TaskOutput, LabError> {
        let spec: SpeedSpec = task.read_spec()?;
        let size = BoardSize::square(spec.side.into()).map_err(|e| task.failure(e))?;
        let empty = Board::new(size);
        let limit = playout::default_move_limit(&empty);
        let mut board = empty.clone();
        let mut ours = |rng: &mut Rng| {
            board.copy_from(&empty);
            playout::play_random_playout(&mut board, Color::Black, limit, rng)
        };
        let mut ours_rng = spec.seed.stream("ishi", 0);
        let mut measure_ours = || MeasuredSide::measure_playouts(spec.playouts, || ours(&mut ours_rng));
        let measure_theirs = || measure_reference(&spec, limit, spec.seed.stream("reference", 0));
        // Who goes first changes from repetition to repetition.
        let (ishi, reference) = if spec.repetition.is_multiple_of(2) {
            let ishi = measure_ours();
            (ishi, measure_theirs())
        } else {
            let reference = measure_theirs();
            (measure_ours(), reference)
        };
        let result = SpeedRepetition { ishi, reference, machine: Machine::current() };
        Ok(TaskOutput::from(json!(result)))
    }

    pub(super) fn add_report(&self, results: &TaskResults, body: &mut ReportBody) -> Result<(), LabError> {
        let mut table = SheetTable::new([
            "board",
            "player",
            "#playouts per CPU second: median",
            "#least",
            "#most",
            "#moves per playout",
            "#mean score",
            "#repetitions",
        ]);
        let mut rows = Vec::new();
        let mut has_reference = false;
        for board in &self.boards {
            let repetitions = self.repetitions_of(board, results)?;
            if repetitions.is_empty() {
                continue;
            }
            repetitions.iter().for_each(|repetition| body.add_machine(&repetition.machine));
            let ours: Vec<&MeasuredSide> = repetitions.iter().map(|r| &r.ishi).collect();
            let theirs: Vec<&MeasuredSide> =
                repetitions.iter().filter_map(|r| r.reference.as_ref()).collect();
            has_reference |= !theirs.is_empty();
            for (who, sides) in [("ishi", ours), ("goban", theirs)] {
                if sides.is_empty() {
                    continue;
                }
                let speeds = summarise_speeds(&sides)?;
                table.add_row(table_row(board, who, &sides, &speeds));
                rows.push(plot_row(board, who, &speeds));
                body.findings.push(speed_finding(
                    board,
                    who,
                    "playouts per CPU second",
                    &speeds,
                    ("playouts/s", 0),
                ));
            }
            body.findings.extend(ratio_finding(board, &repetitions)?);
        }
        body.sections.push(speed_section(table, rows, has_reference));
        Ok(())
    }

    fn repetitions_of(
        &self,
        board: &BoardPlan,
        results: &TaskResults,
    ) -> Result<Vec<SpeedRepetition>, LabError> {
        let all = (0..self.repetitions).map(|repetition| results.get(&task_name(board.side, repetition)));
        all.filter_map(Result::transpose).collect()
    }
}

/// The playouts of the reference. `None` where the program was built without it.
#[cfg(feature = "goban")]
fn measure_reference(spec: &SpeedSpec, limit: u32, mut rng: Rng) -> Option<MeasuredSide> {
    let play = || super::reference::random_playout(spec.side, limit, &mut rng);
    Some(MeasuredSide::measure_playouts(spec.reference_playouts, play))
}

/// The playouts of the reference. `None` where the program was built without it.
#[cfg(not(feature = "goban"))]
fn measure_reference(_: &SpeedSpec, _: u32, _: Rng) -> Option<MeasuredSide> {
    None
}

fn task_name(side: u8, repetition: u32) -> String {
    format!("speed/{side}x{side}/{repetition:03}")
}

fn summarise_speeds(sides: &[&MeasuredSide]) -> Result<SampleSummary, LabError> {
    let speeds: Vec<f64> = sides.iter().map(|side| side.playouts_per_second()).collect();
    Ok(SampleSummary::from_sample(&speeds)?)
}

/// How many times as fast as the reference. `None` if no repetition has measured it.
fn ratio_finding(
    board: &BoardPlan,
    repetitions: &[SpeedRepetition],
) -> Result<Option<ReportFinding>, LabError> {
    let ratio = |repetition: &SpeedRepetition| {
        let reference = repetition.reference.as_ref()?;
        Some(repetition.ishi.playouts_per_second() / reference.playouts_per_second())
    };
    let ratios: Vec<f64> = repetitions.iter().filter_map(ratio).collect();
    if ratios.is_empty() {
        return Ok(None);
    }
    let summary = SampleSummary::from_sample(&ratios)?;
    Ok(Some(speed_finding(board, "ratio", "ishi / goban", &summary, ("times", 1))))
}

/// Median, and from the least to the greatest value.
fn speed_finding(
    board: &BoardPlan,
    who: &str,
    what: &str,
    values: &SampleSummary,
    unit_and_decimals: (&str, usize),
) -> ReportFinding {
    let what = if who == "ratio" { what.to_string() } else { format!("{who}, {what}") };
    let (key, what) = (format!("speed.{}.{who}", board.size), format!("{}: {what}", board.size));
    ReportFinding::new(key, what, values.median(), unit_and_decimals)
        .with_interval(Some([values.min(), values.max()]))
}

fn table_row(board: &BoardPlan, who: &str, sides: &[&MeasuredSide], speeds: &SampleSummary) -> Vec<String> {
    let playouts: f64 = sides.iter().map(|side| f64::from(side.playouts)).sum();
    let moves: f64 = sides.iter().map(|side| side.moves as f64).sum();
    let score: f64 = sides.iter().map(|side| side.score as f64).sum();
    vec![
        board.size.to_string(),
        who.to_string(),
        format_number(speeds.median(), 0),
        format_number(speeds.min(), 0),
        format_number(speeds.max(), 0),
        format_number(moves / playouts, 2),
        format_number(score / playouts, 2),
        sides.len().to_string(),
    ]
}

fn plot_row(board: &BoardPlan, who: &str, speeds: &SampleSummary) -> IntervalRow {
    let interval = Some([speeds.min(), speeds.max()]);
    IntervalRow::new(format!("{} {who}", board.size), speeds.median(), interval, Vec::new())
}

fn speed_section(table: SheetTable, rows: Vec<IntervalRow>, has_reference: bool) -> SheetSection {
    const ALONE: &str = "Uniformly random playouts from the empty board: no own eye is filled, three moves for every \
        point at most, area score at the end. One thread; processor time, not elapsed time. Intervals run from the \
        least to the greatest of the repetitions. The reference was not measured: a program that is built from the \
        sources has the crate goban.";
    const BESIDE: &str = "Uniformly random playouts from the empty board: no own eye is filled, three moves for every \
        point at most, area score at the end. One thread; processor time, not elapsed time. ishi and goban measured \
        in turn, and each ratio taken within a repetition. Intervals run from the least to the greatest of the \
        repetitions. Both sides play by the same rules, so that moves per playout and mean score agree but for chance.";
    let (title, axis) = ("Uniform playouts per CPU second", "playouts per CPU second (logarithmic)");
    let plot = IntervalPlot { logarithmic: true, ..IntervalPlot::new(title, axis, rows) };
    let how = if has_reference { BESIDE } else { ALONE };
    SheetSection {
        heading: "Playout speed".into(),
        blocks: vec![
            SheetBlock::Text(how.into()),
            SheetBlock::Table(table),
            SheetBlock::Intervals("speed".into(), plot),
        ],
    }
}
