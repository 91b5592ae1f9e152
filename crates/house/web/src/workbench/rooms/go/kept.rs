//! Answers of searches, kept by position: a review that was interrupted goes on where it was, and a game that has gone on is searched from there.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ishi_analysis::program_judge::{JudgePatience, JudgeProgram, ProgramJudge};
use ishi_arena::process::EngineCommand;
use ishi_engine::{MoveReport, SearchReport};
use ishi_go::{BoardSize, Position};
use ishi_go_play::analyst::{JudgeControl, JudgeError, OwnSearches, PositionJudge};
use ishi_go_play::explain::kept::{AnswerStore, KeptJudge};
use ishi_go_play::explain::{ErrorModel, position_key};
use ishi_rng::checksum::fnv_checksum;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};

use crate::workbench::WorkbenchState;
use crate::workbench::rooms::answers::{AnswerShelf, ShelvedAnswer};

/// Candidates of an answer. Explanations look at three.
const CANDIDATES: usize = 8;

/// Numbers are kept in millionths, so that they are the same when they are read again.
const MILLION: f64 = 1e6;

fn to_millionths(number: f64) -> i64 {
    (number * MILLION).round() as i64
}

fn from_millionths(number: i64) -> f64 {
    number as f64 / MILLION
}

/// What a search says of a position, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptAnswer {
    playouts: u64,
    win_rate: i64,
    score: i64,
    score_deviation: Option<i64>,
    moves: Vec<KeptCandidate>,
    /// Two hexadecimal digits for each point, in the order of [`BoardSize::points`]: 00 is the opponent's for certain, 64 nobody's, c8 the
    /// mover's. Empty if nothing is known.
    owners: String,
}

/// A candidate of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptCandidate {
    /// The expected continuation, this move first.
    line: String,
    line_visits: Vec<u64>,
    visits: u64,
    win_rate: i64,
    lower_bound: i64,
    score: i64,
    score_deviation: Option<i64>,
    prior: i64,
}

impl ShelvedAnswer for KeptAnswer {
    const KIND: &'static str = "go-answers";
}

impl KeptAnswer {
    fn from_report(report: &SearchReport, size: BoardSize) -> KeptAnswer {
        KeptAnswer {
            playouts: report.playouts,
            win_rate: to_millionths(report.win_rate),
            score: to_millionths(report.score),
            score_deviation: report.score_deviation.map(to_millionths),
            moves: report.moves.iter().take(CANDIDATES).map(KeptCandidate::from_report).collect(),
            owners: write_owners(report, size),
        }
    }

    /// None if it is not one of this board.
    fn to_report(&self, size: BoardSize) -> Option<SearchReport> {
        let moves = self.moves.iter().map(|kept| kept.to_report(size)).collect::<Option<Vec<_>>>()?;
        let owners = read_owners(&self.owners, size)?;
        Some(SearchReport {
            moves,
            playouts: self.playouts,
            win_rate: from_millionths(self.win_rate),
            score: from_millionths(self.score),
            score_deviation: self.score_deviation.map(from_millionths),
            ownership: size.points().zip(owners).collect(),
        })
    }
}

impl KeptCandidate {
    fn from_report(found: &MoveReport) -> KeptCandidate {
        let line: Vec<String> = found.variation.iter().map(ToString::to_string).collect();
        KeptCandidate {
            line: if line.is_empty() { found.mv.to_string() } else { line.join(" ") },
            line_visits: found.variation_visits.clone(),
            visits: found.visits,
            win_rate: to_millionths(found.win_rate),
            lower_bound: to_millionths(found.lower_bound),
            score: to_millionths(found.score),
            score_deviation: found.score_deviation.map(to_millionths),
            prior: to_millionths(found.prior),
        }
    }

    fn to_report(&self, size: BoardSize) -> Option<MoveReport> {
        let line = self.line.split(' ').map(|text| size.parse_move(text).ok()).collect::<Option<Vec<_>>>()?;
        let unsearched: MoveReport = MoveReport::unsearched_move(*line.first()?);
        Some(MoveReport {
            visits: self.visits,
            win_rate: from_millionths(self.win_rate),
            lower_bound: from_millionths(self.lower_bound),
            score: from_millionths(self.score),
            score_deviation: self.score_deviation.map(from_millionths),
            prior: from_millionths(self.prior),
            variation_visits: self.line_visits.clone(),
            variation: line,
            ..unsearched
        })
    }
}

/// How nobody's points are kept, in hundredths from the opponent's.
const NOBODYS: f32 = 100.0;

fn write_owners(report: &SearchReport, size: BoardSize) -> String {
    if report.ownership.is_empty() {
        return String::new();
    }
    let known: BTreeMap<usize, f32> =
        report.ownership.iter().map(|&(point, mean)| (point.index(), mean)).collect();
    let hundredths = |mean: f32| (NOBODYS + NOBODYS * mean.clamp(-1.0, 1.0)).round() as u8;
    let digits = |mean: f32| format!("{:02x}", hundredths(mean));
    size.points().map(|point| digits(known.get(&point.index()).copied().unwrap_or(0.0))).collect()
}

/// One for each point of the board, or none at all.
fn read_owners(text: &str, size: BoardSize) -> Option<Vec<f32>> {
    let digits = |at: usize| u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok();
    let count = text.len() / 2;
    let owners: Option<Vec<f32>> =
        (0..count).map(|at| Some((f32::from(digits(at)?) - NOBODYS) / NOBODYS)).collect();
    owners.filter(|owners| owners.is_empty() || owners.len() == size.points().count())
}

/// Who makes the answers that are kept: our own searches, or a program.
pub(super) enum AnswerMaker {
    /// Our own searches.
    Own(OwnSearches),
    /// A program.
    Program(Box<ProgramMaker>),
}

/// A program that answers.
pub(super) struct ProgramMaker {
    judge: ProgramJudge,
    /// What is started, and how it is asked.
    about: String,
}

/// How long a program may be silent. Nobody else waits for it, but it keeps a place of the server's searches.
const PATIENCE: JudgePatience =
    JudgePatience { most: Duration::from_secs(600), least: Duration::from_secs(60) };

impl ProgramMaker {
    /// A program that is not started yet. Raising `stop` ends every wait for it.
    pub(super) fn new(command: EngineCommand, visits: u64, stop: StopFlag) -> ProgramMaker {
        let about = format!("{command} visits {visits}");
        let program = JudgeProgram { command, visits, patience: PATIENCE };
        ProgramMaker { judge: ProgramJudge::new(program, stop), about }
    }
}

impl AnswerMaker {
    /// Another program, network, seed or effort may say something else.
    fn describe(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        match self {
            AnswerMaker::Own(OwnSearches { analyst, seed }) => {
                let network = fnv_checksum(&analyst.network.to_bytes());
                format!("ishi {version} network {network:016x} visits {} seed {seed}", analyst.visits)
            }
            AnswerMaker::Program(program) => format!("ishi {version} judge {}", program.about),
        }
    }
}

impl PositionJudge for AnswerMaker {
    fn judge_positions(
        &mut self,
        positions: &[Position],
        control: &mut JudgeControl<'_>,
    ) -> Result<Vec<SearchReport>, JudgeError> {
        match self {
            AnswerMaker::Own(searches) => searches.judge_positions(positions, control),
            AnswerMaker::Program(program) => program.judge.judge_positions(positions, control),
        }
    }

    fn error_model(&self, size: BoardSize) -> ErrorModel {
        match self {
            AnswerMaker::Own(searches) => searches.error_model(size),
            AnswerMaker::Program(program) => program.judge.error_model(size),
        }
    }

    fn likes_many(&self) -> bool {
        match self {
            AnswerMaker::Own(searches) => searches.likes_many(),
            AnswerMaker::Program(program) => program.judge.likes_many(),
        }
    }
}

/// A judge with the answers that are kept for a table.
pub(super) type KeptSearches = KeptJudge<PositionAnswers>;

/// The judge of a table. `fresh` counts the answers that were not known.
pub(super) fn open_kept_searches(
    desk: &Arc<WorkbenchState>,
    table: &str,
    maker: AnswerMaker,
    fresh: Arc<AtomicUsize>,
) -> KeptSearches {
    let shelf = AnswerShelf::open(desk, table, maker.describe());
    KeptJudge::new(Box::new(maker), PositionAnswers { shelf, fresh })
}

/// The answers that are kept for a table.
pub(super) struct PositionAnswers {
    shelf: AnswerShelf<KeptAnswer>,
    /// Answers that were not known.
    fresh: Arc<AtomicUsize>,
}

fn answer_key(position: &Position) -> String {
    let [first, second] = position_key(position);
    format!("{first:016x}{second:016x}")
}

impl AnswerStore for PositionAnswers {
    fn find_answer(&mut self, position: &Position) -> Option<SearchReport> {
        self.shelf.find_answer(&answer_key(position))?.to_report(position.size())
    }

    fn keep_answer(&mut self, position: &Position, report: SearchReport) -> SearchReport {
        self.fresh.fetch_add(1, Ordering::Relaxed);
        let kept = KeptAnswer::from_report(&report, position.size());
        let passed_on = kept.to_report(position.size()).unwrap_or(report);
        self.shelf.keep_answer(answer_key(position), kept);
        passed_on
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Rules};
    use ishi_go_play::analyst::Analyst;
    use ishi_rng::Seed;

    use super::*;
    use crate::workbench::desk::test_desk;

    fn searches() -> OwnSearches {
        OwnSearches { analyst: Analyst::of_level(1), seed: Seed::new(1) }
    }

    /// A 9x9 board after so many moves along its third row.
    fn position(played: usize) -> Position {
        let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        for (vertex, color) in
            ["A3", "B3", "C3", "D3"].into_iter().zip(Color::ALL.into_iter().cycle()).take(played)
        {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(color, mv).unwrap();
        }
        position
    }

    fn judge(desk: &Arc<WorkbenchState>, positions: &[Position]) -> (Vec<SearchReport>, usize) {
        let fresh = Arc::new(AtomicUsize::new(0));
        let maker = AnswerMaker::Own(searches());
        let mut judge = open_kept_searches(desk, "table", maker, Arc::clone(&fresh));
        let mut control = JudgeControl { stop: &|| false, tell: &mut |_| {} };
        let reports = judge.judge_positions(positions, &mut control).unwrap();
        (reports, fresh.load(Ordering::Relaxed))
    }

    #[test]
    fn what_was_answered_once_is_not_searched_again() {
        let desk = Arc::new(test_desk());
        let positions: Vec<Position> = (0..3).map(position).collect();
        let (first, fresh) = judge(&desk, &positions);
        assert_eq!(fresh, 3);
        // Those that are known come out as they did, and only what is new is searched.
        let more: Vec<Position> = (0..4).map(position).collect();
        let (again, fresh) = judge(&desk, &more);
        assert_eq!((fresh, &again[..3]), (1, &first[..]));
        assert_eq!(judge(&desk, &more).1, 0, "both documents are read");
    }

    #[test]
    fn an_answer_is_kept_as_it_is_passed_on() {
        let here = position(2);
        let report = searches().analyst.search_position(&here, Seed::new(1), &|| false);
        let kept = KeptAnswer::from_report(&report, here.size());
        let back = kept.to_report(here.size()).unwrap();
        assert_eq!(KeptAnswer::from_report(&back, here.size()), kept);
        assert!((back.win_rate - report.win_rate).abs() < 1e-6 && back.playouts == report.playouts);
        assert_eq!(back.moves[0].mv, report.moves[0].mv);
        assert_eq!(back.moves[0].variation, report.moves[0].variation);
        assert_eq!((back.ownership.len(), report.ownership.is_empty()), (81, false));
        for (point, mean) in &report.ownership {
            let (_, own) = back.ownership.iter().find(|(each, _)| each == point).unwrap();
            assert!((own - mean).abs() < 0.006, "{point}: {own} for {mean}");
        }
    }

    #[test]
    fn answers_of_other_boards_and_makers_are_refused() {
        let here = position(2);
        let report = searches().analyst.search_position(&here, Seed::new(1), &|| false);
        let kept = KeptAnswer::from_report(&report, here.size());
        assert!(
            kept.to_report(BoardSize::square(7).unwrap()).is_none(),
            "its points are those of another board"
        );
        let desk = Arc::new(test_desk());
        judge(&desk, std::slice::from_ref(&here));
        let fresh = Arc::new(AtomicUsize::new(0));
        let others = AnswerMaker::Own(OwnSearches { seed: Seed::new(2), ..searches() });
        let mut judge = open_kept_searches(&desk, "table", others, Arc::clone(&fresh));
        let mut control = JudgeControl { stop: &|| false, tell: &mut |_| {} };
        judge.judge_positions(&[here], &mut control).unwrap();
        assert_eq!(fresh.load(Ordering::Relaxed), 1);
    }
}
