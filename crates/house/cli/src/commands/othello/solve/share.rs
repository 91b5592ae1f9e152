//! Exact endgames as work of a campaign: a task is a subtree, the position after some moves of a position of the file. Without the bounds that
//! its neighbours would give it a subtree costs more than within one search, but all can be searched at once.

use clap::Args;
use ishi_lab::experiment::TaskOutput;
use ishi_lab::store::FinishedTask;
use ishi_othello::obf::ObfProblem;
use ishi_othello::{Board, Square};
use ishi_othello_play::search::{
    CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchMemoryError, SearchParams, SearchTables,
    SearchTask, Searcher,
};
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::Serialize;
use serde_json::{Value, json};

use super::{OthelloSolveArgs, choose_problems, describe_score, format_known};
use crate::commands::campaign::shared_work::{
    FinishedTasks, SharedWork, SharedWorkArgs, WorkAnswer, WorkInputs, wrong_result,
};
use crate::context::{Context, Failure};
use crate::digest::hex_digest;
use crate::files;

/// The options of `ishi othello solve`, and what only campaigns take.
#[derive(Args, Debug)]
pub(crate) struct SharedSolveArgs {
    #[command(flatten)]
    args: OthelloSolveArgs,
    /// A task is the position after so many moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4))]
    plies: u32,
}

impl SharedWorkArgs for SharedSolveArgs {
    type Work = SharedEndgames;

    fn load_work(self, seed: Seed, inputs: &mut WorkInputs<'_>) -> Result<SharedEndgames, Failure> {
        let SharedSolveArgs { args, plies } = self;
        let bytes = inputs.read(&args.file)?;
        let positions = choose_problems(&args, bytes)?;
        let mut subtrees = Vec::new();
        for (place, (_, problem)) in positions.iter().enumerate() {
            let mut boards = Vec::new();
            collect_leaves(problem.position.board(), plies, &mut boards);
            subtrees.extend(boards.into_iter().map(|board| Subtree { place, board }));
        }
        Ok(SharedEndgames { args, plies, seed, positions, subtrees })
    }
}

/// Endgames that workers solve.
pub(crate) struct SharedEndgames {
    args: OthelloSolveArgs,
    /// How many moves after a position its subtrees begin.
    plies: u32,
    seed: Seed,
    /// The positions with their numbers in the file.
    positions: Vec<(usize, ObfProblem)>,
    /// Those of all positions, one after the other.
    subtrees: Vec<Subtree>,
}

/// What a task searches.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Subtree {
    /// The position of the file, by its place in the list.
    place: usize,
    /// The position after some moves, for the side to move.
    board: Board,
}

/// Is it searched as a whole? Where there is no move there are none to share out.
fn is_leaf(board: Board, plies: u32) -> bool {
    plies == 0 || board.legal_moves() == 0
}

/// The positions after so many moves, in the order in which [`join_scores`] takes their scores.
fn collect_leaves(board: Board, plies: u32, leaves: &mut Vec<Board>) {
    if is_leaf(board, plies) {
        leaves.push(board);
        return;
    }
    board.children().for_each(|(_, child)| collect_leaves(child, plies - 1, leaves));
}

/// The score for the side to move, from the scores of the leaves; `None` if one is missing.
fn join_scores(board: Board, plies: u32, scores: &mut dyn Iterator<Item = i32>) -> Option<i32> {
    if is_leaf(board, plies) { scores.next() } else { Some(find_best_move(board, plies, scores)?.1) }
}

/// The best move with its score; the first of several. There is one.
fn find_best_move(board: Board, plies: u32, scores: &mut dyn Iterator<Item = i32>) -> Option<(Square, i32)> {
    let mut best: Option<(Square, i32)> = None;
    for (square, child) in board.children() {
        let score = -join_scores(child, plies - 1, scores)?;
        if best.is_none_or(|(_, most)| score > most) {
            best = Some((square, score));
        }
    }
    best
}

#[derive(Debug, PartialEq, Serialize)]
struct SharedEndgame {
    number: usize,
    empties: u32,
    to_move: String,
    #[serde(rename = "move")]
    mv: String,
    score: i32,
    expected: Option<i32>,
    correct: Option<bool>,
    subtrees: usize,
    cpu_seconds: f64,
}

#[derive(Serialize)]
struct SharedEndgamesReport {
    win_loss: bool,
    positions: Vec<SharedEndgame>,
    cpu_seconds: f64,
    wrong: usize,
}

impl SharedEndgames {
    fn subtree(&self, place: u64) -> Option<&Subtree> {
        self.subtrees.get(usize::try_from(place).ok()?)
    }

    /// The best of a position's subtrees. All of them are there.
    fn join_subtrees(&self, place: usize, results: &[FinishedTask]) -> Result<SharedEndgame, Failure> {
        let (mut scores, mut cpu_seconds) = (Vec::new(), 0.0);
        for (_, finished) in self.subtrees.iter().zip(results).filter(|(tree, _)| tree.place == place) {
            let score = finished.result["score"].as_i64().and_then(|score| i32::try_from(score).ok());
            scores.push(score.ok_or_else(|| wrong_result(finished, "have a score, and has none"))?);
            cpu_seconds += finished.cost.cpu_seconds;
        }
        let (number, problem) = &self.positions[place];
        let (board, subtrees) = (problem.position.board(), scores.len());
        let mut scores = scores.into_iter();
        let best = if is_leaf(board, self.plies) {
            scores.next().map(|score| ("pass".to_string(), score))
        } else {
            find_best_move(board, self.plies, &mut scores).map(|(mv, score)| (mv.to_string(), score))
        };
        let (mv, score) = best.ok_or_else(|| Failure::input(format!("position {number} has no result")))?;
        let expected = problem.best_score();
        let known = if self.args.win_loss { expected.map(i32::signum) } else { expected };
        Ok(SharedEndgame {
            number: *number,
            empties: board.empty_count(),
            to_move: problem.position.to_move().to_string(),
            mv,
            score,
            expected,
            correct: known.map(|known| known == score),
            subtrees,
            cpu_seconds,
        })
    }
}

impl SharedWork for SharedEndgames {
    fn facts(&self) -> Value {
        let position = |(number, problem): &(usize, ObfProblem)| {
            json!([number, describe_board(problem.position.board()), problem.best_score()])
        };
        let all: Value = self.positions.iter().map(position).collect();
        let mut facts = json!({
            "positions": hex_digest(all.to_string().as_bytes()),
            "count": self.positions.len(),
            "win_loss": self.args.win_loss,
        });
        // Runs of one move are those from before there was a choice.
        if self.plies > 1 {
            facts["plies"] = json!(self.plies);
        }
        facts
    }

    fn task_count(&self) -> u64 {
        self.subtrees.len() as u64
    }

    /// The table's size decides how long it takes, and nothing of the score.
    fn task_spec(&self, place: u64) -> Value {
        let board = self.subtree(place).map(|subtree| describe_board(subtree.board));
        json!({ "board": board, "win_loss": self.args.win_loss })
    }

    fn seed(&self) -> Seed {
        self.seed
    }

    fn do_task(&self, place: u64, _: Option<&Value>, stop: &StopFlag) -> WorkAnswer {
        let subtree = self.subtree(place).ok_or_else(|| format!("there is no subtree {place}"))?;
        let score = prove_score(subtree.board, &self.args, stop).map_err(|error| error.to_string())?;
        Ok(score.map(|score| TaskOutput::from(json!({ "score": score }))))
    }

    fn report(&self, results: &mut FinishedTasks<'_>, context: &Context) -> Result<String, Failure> {
        let results = results.collect::<Result<Vec<FinishedTask>, Failure>>()?;
        let positions: Result<Vec<SharedEndgame>, Failure> =
            (0..self.positions.len()).map(|place| self.join_subtrees(place, &results)).collect();
        let positions = positions?;
        let cpu_seconds = positions.iter().map(|position| position.cpu_seconds).sum();
        let wrong = positions.iter().filter(|position| position.correct == Some(false)).count();
        let report = SharedEndgamesReport { win_loss: self.args.win_loss, positions, cpu_seconds, wrong };
        files::result_text(context, &report, || report.to_text())
    }
}

/// The discs of the side to move and those of the other, in hexadecimal digits.
fn describe_board(board: Board) -> String {
    format!("{:016x} {:016x}", board.player, board.opponent)
}

/// The proved score for the side to move; `None` if the search was broken off.
fn prove_score(
    board: Board,
    args: &OthelloSolveArgs,
    stop: &StopFlag,
) -> Result<Option<i32>, SearchMemoryError> {
    let value = |score: i32| if args.win_loss { score.signum() } else { score };
    if board.is_over() {
        return Ok(Some(value(board.final_score())));
    }
    if board.legal_moves() == 0 {
        return Ok(prove_score(board.pass(), args, stop)?.map(|score| -score));
    }
    let exact = if args.win_loss { 0 } else { 60 };
    let effort = SearchEffort { depth: 60, exact, win_loss: 60, confidence: CutConfidence::Full };
    let mut nobody = |_: &FoundMove| {};
    let mut task = SearchTask::new(effort, &mut nobody);
    task.stop = stop;
    let mut searcher =
        Searcher::with_tables(SearchTables::reserve(SearchParams { hash_bits: args.hash, threads: 1 })?);
    let found = searcher.search_board(board, &mut task);
    let proved = matches!(found.meaning, ScoreMeaning::Exact | ScoreMeaning::WinLoss);
    Ok(proved.then(|| value(found.score)))
}

impl SharedEndgamesReport {
    fn to_text(&self) -> String {
        let mut text = "number empties move  score  known  subtrees   CPU s\n".to_string();
        for position in &self.positions {
            let known = format_known(position.correct, position.expected);
            let SharedEndgame { number, empties, mv, subtrees, cpu_seconds, .. } = position;
            let score = describe_score(!self.win_loss, position.score);
            text += &format!(
                "{number:>6} {empties:>7} {mv:4} {score:>6} {known:>6} {subtrees:>9} {cpu_seconds:>7.3}\n"
            );
        }
        let (count, seconds, wrong) = (self.positions.len(), self.cpu_seconds, self.wrong);
        text + &format!(
            "{count} positions, {seconds:.2} CPU seconds, {wrong} scores differ from those of the file\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::campaign::shared_work::{WorkLine, finished_task, load_from_words};

    /// Six empty squares, and the score for Black, who must pass in the second. Found by trying all moves with another program.
    const ENDS: [(&str, i32); 2] = [
        ("-OOO-XOO-OOOXOOOOOOXOXOOOOXOOXOOOXOOOXOOOOXOOOOOO-XXXOOO--XXXOOO X;", -40),
        ("OX-OOOO-OOXXOOXO-XOOOXX-XXOOXXXOXXXOOXXOXXOOOXXOXXXXOXXOOO-XXXX- X;", -52),
    ];

    #[test]
    fn the_best_subtree_is_the_score_of_the_position() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("end.obf");
        std::fs::write(&path, ENDS.map(|(line, _)| line).join("\n")).unwrap();
        let mut counts = Vec::new();
        for (win_loss, plies) in [(false, 1), (true, 1), (false, 2), (true, 2), (false, 3), (false, 4)] {
            let mut words = vec![path.display().to_string(), "--hash".to_string(), "12".to_string()];
            words.extend(win_loss.then(|| "--win-loss".to_string()));
            words.extend((plies > 1).then(|| format!("--plies={plies}")));
            let work = load_from_words::<SharedSolveArgs>(&words).unwrap();
            let never = StopFlag::default();
            let solve = |place| finished_task(work.do_task(place, None, &never).unwrap().unwrap().result);
            let results: Vec<FinishedTask> = (0..work.task_count()).map(solve).collect();
            assert_eq!(work.facts()["plies"], if plies == 1 { Value::Null } else { json!(plies) });
            if !win_loss {
                counts.push(work.task_count());
            }
            for (place, (_, score)) in ENDS.iter().enumerate() {
                let joined = work.join_subtrees(place, &results).unwrap();
                assert_eq!(joined.score, if win_loss { score.signum() } else { *score });
                assert_eq!(joined.mv == "pass", place == 1);
                assert!(joined.subtrees > 0);
            }
        }
        assert!(
            counts[0] < counts[1] && counts[1] < counts[2],
            "each move more makes more tasks: {counts:?}"
        );
        let words = [path.display().to_string(), "--plies=5".to_string()];
        assert!(WorkLine::<SharedSolveArgs>::parse_words(&words).is_err());
    }
}
