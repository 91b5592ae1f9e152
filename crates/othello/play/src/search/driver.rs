//! Iterative deepening: from a first guess to the answer, telling an observer of every step.

use std::sync::atomic::{AtomicU64, Ordering};

use ishi_othello::simd::{SimdKernel, Vectors};
use ishi_othello::{Board, Move, Square};
use ishi_work::StopFlag;

use super::last::NONE;
use super::table::{NO_MOVE, TranspositionTable, hash_board};
use super::worker::{SearchNode, SearchWorker, SharedSearch};
use super::{CutConfidence, FoundMove, ScoreMeaning, SearchTask, Searcher};

/// A step of iterative deepening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DeepeningStep {
    depth: u32,
    confidence: CutConfidence,
    /// Only the sign of the score is asked for.
    win_loss: bool,
    /// The first pass to the end, which only puts moves in order for what follows.
    preparing: bool,
}

/// Searches to the end begin when the middle game has been searched so many plies short of it.
const PLIES_BEFORE_END: u32 = 12;

/// A search that may reach the end by itself goes there at once when so many plies are left.
pub(crate) const LAST_PLIES: u32 = 9;

/// Nobody knows when the proof of a longer endgame will come. What is told meanwhile must be as good as a search that proves nothing.
const LONGEST_SOLVED_STRAIGHT: u32 = 34;

/// Variations are carried on by search from so many empty squares.
const FINISHED_BY_SEARCH: u32 = 16;

/// The steps of a search with this effort, easy ones first.
fn deepening_steps(empties: u32, task: &SearchTask<'_>) -> Vec<DeepeningStep> {
    let effort = task.effort;
    let (exact, win_loss) = (empties <= effort.exact, empties <= effort.win_loss);
    let step = |depth, confidence, win_loss| {
        let preparing = depth == empties && confidence == CutConfidence::Low;
        DeepeningStep { depth, confidence, win_loss, preparing }
    };
    let mut steps = Vec::new();
    if !exact && !win_loss {
        return estimating_steps(empties, task);
    }
    if exact && empties > LONGEST_SOLVED_STRAIGHT {
        return steps_to_end(empties, SUREST_IN_MIDDLE, CutConfidence::Full);
    }
    if empties > 10 {
        let last = empties.saturating_sub(PLIES_BEFORE_END).min(16);
        let first = 1 + (last + 1) % 2;
        steps.extend((first..=last).step_by(2).map(|depth| step(depth, CutConfidence::Low, false)));
    }
    // One pass with easy cuts fills the table; more of them cost more than they save, but for very long endgames.
    let levels: &[CutConfidence] = match empties {
        0..=13 => &[],
        14..=28 => &[CutConfidence::Low],
        _ => &[CutConfidence::Low, CutConfidence::Good],
    };
    steps.extend(levels.iter().map(|&confidence| step(empties, confidence, !exact)));
    steps.push(step(empties, CutConfidence::Full, !exact));
    steps
}

/// Steps of a search that need not prove anything. What is left of a limit of time goes into surer cuts than were asked for, and a proof.
fn estimating_steps(empties: u32, task: &SearchTask<'_>) -> Vec<DeepeningStep> {
    let effort = task.effort;
    if effort.depth < empties {
        return (1..=effort.depth.max(1)).map(|depth| scoring_step(depth, effort.confidence)).collect();
    }
    let in_middle = effort.confidence.min(SUREST_IN_MIDDLE);
    let surest = if task.time.is_some() { CutConfidence::Full } else { effort.confidence };
    steps_to_end(empties, in_middle, surest)
}

/// On the way to the end the middle game is not searched without cuts: that would take longer than the end.
const SUREST_IN_MIDDLE: CutConfidence = CutConfidence::High;

/// Steps of a search that goes to the end of the game. It does not creep through the last plies: it searches to the end early, with easy cuts
/// first and surer ones later.
fn steps_to_end(empties: u32, in_middle: CutConfidence, surest: CutConfidence) -> Vec<DeepeningStep> {
    let middle = (1..=empties.saturating_sub(LAST_PLIES)).map(|depth| scoring_step(depth, in_middle));
    let cuts = CutConfidence::ALL.into_iter().filter(|&confidence| confidence <= surest);
    middle.chain(cuts.map(|confidence| scoring_step(empties.max(1), confidence))).collect()
}

/// A step that asks for the score.
fn scoring_step(depth: u32, confidence: CutConfidence) -> DeepeningStep {
    DeepeningStep { depth, confidence, win_loss: false, preparing: false }
}

/// The question to a searcher, run with the vectors of the machine.
struct SearchQuestion<'a, 't> {
    searcher: &'a Searcher,
    board: Board,
    task: &'a mut SearchTask<'t>,
    /// Positions visited before.
    spent: u64,
}

pub(super) fn search_board(searcher: &mut Searcher, board: Board, task: &mut SearchTask<'_>) -> FoundMove {
    searcher.fill_tables();
    searcher.tables.iter().for_each(TranspositionTable::grow_older);
    let isa = searcher.isa;
    let found = isa.run(SearchQuestion { searcher, board, task, spent: 0 });
    searcher.visited += found.nodes;
    found
}

pub(super) fn search_each_move(
    searcher: &mut Searcher,
    board: Board,
    task: &mut SearchTask<'_>,
) -> Vec<FoundMove> {
    let mut all: Vec<FoundMove> = Vec::new();
    // Counted from the position, as for a search of it.
    let effort = task.effort.one_ply_less();
    let mut spent = 0;
    for (square, child) in board.children() {
        let mut nobody = |_: &FoundMove| {};
        let mut part = SearchTask { effort, observer: &mut nobody, ..*task };
        part.nodes = task.nodes.map(|nodes| nodes.saturating_sub(spent).max(1));
        let answer = search_board(searcher, child, &mut part);
        spent += answer.nodes;
        let mut variation = vec![square];
        variation.extend(&answer.variation);
        let found = FoundMove {
            mv: Move::Play(square),
            score: -answer.score,
            variation,
            depth: answer.depth + 1,
            ..answer
        };
        (task.observer)(&found);
        all.push(found);
    }
    all.sort_by_key(|found| -found.score);
    all
}

impl SimdKernel for SearchQuestion<'_, '_> {
    type Output = FoundMove;

    fn run<V: Vectors>(self, vectors: V) -> FoundMove {
        let SearchQuestion { searcher, board, task, spent } = self;
        let (clock, time, start) = (task.clock, task.time, task.clock.now());
        let outside = task.stop;
        let stop = move || {
            outside.is_requested() || time.is_some_and(|time| clock.now().saturating_sub(start) >= time)
        };
        let shared = SharedSearch {
            table: &searcher.tables.table,
            evaluation: &searcher.evaluation,
            stop: &stop,
            halted: StopFlag::default(),
            nodes: AtomicU64::new(spent),
            node_limit: task.nodes.unwrap_or(u64::MAX),
        };
        let steps = deepening_steps(board.empty_count(), task);
        std::thread::scope(|scope| {
            // The others do the same in another order; what they find stands in the table.
            for (number, near) in searcher.tables.near.iter().enumerate().skip(1) {
                let (shared, steps) = (&shared, &steps);
                scope.spawn(move || RootSearch::new(vectors, shared, near, board).help_search(steps, number));
            }
            let found =
                RootSearch::new(vectors, &shared, &searcher.tables.near[0], board).run_deepening(task);
            shared.halted.request();
            found
        })
    }
}

/// The root of a search.
struct RootSearch<'a, V: Vectors> {
    worker: SearchWorker<'a, V>,
    shared: &'a SharedSearch<'a>,
    board: Board,
    /// Legal moves, the best of the last step first.
    moves: Vec<Square>,
}

impl<'a, V: Vectors> RootSearch<'a, V> {
    fn new(
        vectors: V,
        shared: &'a SharedSearch<'a>,
        near: &'a TranspositionTable,
        board: Board,
    ) -> RootSearch<'a, V> {
        let moves = ishi_othello::iter_squares(board.legal_moves()).collect();
        RootSearch { worker: SearchWorker::new(vectors, shared, near), shared, board, moves }
    }

    /// The same after a pass.
    fn after_pass(&self) -> RootSearch<'a, V> {
        RootSearch::new(self.worker.vectors, self.shared, self.worker.near, self.board.pass())
    }

    fn run_deepening(mut self, task: &mut SearchTask<'_>) -> FoundMove {
        if self.moves.is_empty() {
            return self.forced_answer(task);
        }
        let mut answer = self.first_guess();
        for step in deepening_steps(self.board.empty_count(), task) {
            let Some(found) = self.run_step(step, &answer) else {
                answer = self.answer_of_broken_step(answer);
                break;
            };
            answer = found;
            (task.observer)(&answer);
        }
        answer.nodes = self.total_nodes();
        if answer.meaning == ScoreMeaning::Exact {
            self.complete_variation(&mut answer);
        }
        answer
    }

    /// The answer where a step was broken off: a move that it had already found better than the one before is taken, as it was looked at more deeply.
    fn answer_of_broken_step(&self, before: FoundMove) -> FoundMove {
        let first = self.moves[0];
        if before.mv == Move::Play(first) {
            return before;
        }
        FoundMove { mv: Move::Play(first), variation: self.table_variation(first), ..before }
    }

    /// Carries the variation of an exact score on to the end of the game.
    fn complete_variation(&mut self, answer: &mut FoundMove) {
        let (mut board, mut score) = (self.board, answer.score);
        let mut line = Vec::new();
        loop {
            if board.legal_moves() == 0 {
                (board, score) = (board.pass(), -score);
            }
            let known = answer.variation.get(line.len()).copied();
            let next = match known.filter(|&square| board.is_legal(square)) {
                Some(square) => Some(square),
                None if board.empty_count() <= FINISHED_BY_SEARCH => self.find_keeping_move(board, score),
                None => None,
            };
            let Some(square) = next else { break };
            line.push(square);
            (board, score) = (board.play_unchecked(square), -score);
        }
        answer.variation = line;
    }

    /// A move after which the score is still this.
    fn find_keeping_move(&mut self, board: Board, score: i32) -> Option<Square> {
        self.worker.confidence = CutConfidence::Full;
        board.children().map(|(square, _)| square).find(|&square| {
            let child = SearchNode::new(board).child(square);
            let opponent = self.worker.search_null_window(&child, -score, child.empties);
            !self.worker.halted && opponent <= -score
        })
    }

    /// Searches beside the first thread, to fill the table; every other helper is a step ahead.
    fn help_search(mut self, steps: &[DeepeningStep], number: usize) {
        if self.moves.is_empty() {
            self = self.after_pass();
        }
        if self.moves.is_empty() {
            return;
        }
        let mut answer = self.first_guess();
        for &step in steps.iter().skip(number % 2) {
            // Another order of the moves, so that others are known when the first thread comes to them.
            let last = self.moves.len().min(number + 1);
            self.moves[..last].rotate_left(1);
            match self.run_step(step, &answer) {
                Some(found) => answer = found,
                None => break,
            }
        }
        self.worker.check_limits();
    }

    fn total_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed).max(self.worker.nodes)
    }

    /// A pass, or the end.
    fn forced_answer(self, task: &mut SearchTask<'_>) -> FoundMove {
        let passed = self.board.pass();
        let found = if passed.legal_moves() == 0 {
            let score = self.board.final_score();
            FoundMove {
                mv: Move::Pass,
                score,
                meaning: ScoreMeaning::Exact,
                depth: 0,
                confidence: CutConfidence::Full,
                variation: Vec::new(),
                nodes: 1,
            }
        } else {
            let answer = self.after_pass().run_deepening(task);
            FoundMove { mv: Move::Pass, score: -answer.score, ..answer }
        };
        (task.observer)(&found);
        found
    }

    /// The move that the evaluation likes best: an answer for searches that are stopped at once.
    fn first_guess(&mut self) -> FoundMove {
        let node = SearchNode::new(self.board);
        let value = |square: &Square| node.child(*square).value_in_units(&self.worker);
        self.moves.sort_by_cached_key(value);
        let score = node.value_in_discs(&self.worker);
        self.build_found(score, scoring_step(0, CutConfidence::Low))
    }

    /// One step of deepening; `None` if it was broken off.
    fn run_step(&mut self, step: DeepeningStep, before: &FoundMove) -> Option<FoundMove> {
        self.worker.confidence = step.confidence;
        self.worker.preparing = step.preparing;
        let to_end = step.depth == self.board.empty_count();
        let score = if step.win_loss && step.confidence == CutConfidence::Full {
            self.search_moves(-1, 1, step)?.signum()
        } else if to_end && step.confidence == CutConfidence::Full {
            self.search_exact(before, step)?
        } else {
            self.search_aspiration(before, step)?
        };
        self.worker.check_limits();
        Some(self.build_found(score, step))
    }

    /// A window around the score of the last step, widened as needed.
    fn search_aspiration(&mut self, before: &FoundMove, step: DeepeningStep) -> Option<i32> {
        if before.depth == 0 {
            return self.search_moves(-64, 64, step);
        }
        let (mut low, mut high) = ((before.score - 3).max(-64), (before.score + 3).min(64));
        // Selective searches may contradict themselves: after a few tries the window is opened.
        for _ in 0..4 {
            let score = self.search_moves(low, high, step)?;
            if score <= low && low > -64 {
                (low, high) = ((score - 6).max(-64), score + 1);
            } else if score >= high && high < 64 {
                (low, high) = (score - 1, (score + 6).min(64));
            } else {
                return Some(score);
            }
        }
        self.search_moves(-64, 64, step)
    }

    /// Exact scores are even, so a window of two holds one: moves it until it holds the answer.
    fn search_exact(&mut self, before: &FoundMove, step: DeepeningStep) -> Option<i32> {
        let mut guess = (before.score / 2 * 2).clamp(-64, 64);
        loop {
            let (low, high) = ((guess - 1).max(-65), (guess + 1).min(65));
            let score = self.search_moves(low, high, step)?;
            if score > low && score < high {
                return Some(score);
            }
            guess = score;
        }
    }

    /// All moves in a window; puts the best first.
    fn search_moves(&mut self, low: i32, high: i32, step: DeepeningStep) -> Option<i32> {
        let node = SearchNode::new(self.board);
        let (mut best, mut best_place, mut alpha) = (NONE, 0, low);
        self.worker.nodes += 1;
        for (place, &square) in self.moves.iter().enumerate() {
            let child = node.child(square);
            let mut score = NONE;
            if place > 0 {
                score = -self.worker.search_null_window(&child, -alpha - 1, step.depth - 1);
            }
            if place == 0 || score > alpha && score < high {
                score = -self.worker.search_principal(&child, -high, -alpha, step.depth - 1);
            }
            if self.worker.halted {
                // Below the window scores are bounds, which say nothing of the order.
                if best > low {
                    self.put_first(best_place);
                }
                return None;
            }
            if score > best {
                (best, best_place) = (score, place);
                alpha = alpha.max(score);
                if alpha >= high {
                    break;
                }
            }
        }
        // Where all moves failed low, the order says nothing new.
        if best > low {
            self.put_first(best_place);
        }
        Some(best)
    }

    fn put_first(&mut self, place: usize) {
        self.moves[..=place].rotate_right(1);
    }

    fn build_found(&self, score: i32, step: DeepeningStep) -> FoundMove {
        let to_end = step.depth == self.board.empty_count();
        let meaning = match (to_end, step.confidence, step.win_loss) {
            (false, _, _) => ScoreMeaning::Estimate,
            (true, CutConfidence::Full, false) => ScoreMeaning::Exact,
            (true, CutConfidence::Full, true) => ScoreMeaning::WinLoss,
            (true, _, _) => ScoreMeaning::Selective,
        };
        let first = self.moves[0];
        FoundMove {
            mv: Move::Play(first),
            score,
            meaning,
            depth: step.depth,
            confidence: step.confidence,
            variation: self.table_variation(first),
            nodes: self.total_nodes(),
        }
    }

    /// The expected continuation, as far as the table knows it.
    fn table_variation(&self, first: Square) -> Vec<Square> {
        let mut line = vec![first];
        let mut board = self.board.play_unchecked(first);
        loop {
            if board.legal_moves() == 0 {
                board = board.pass();
            }
            let key = hash_board(board.player, board.opponent);
            // The small tables are left out: what they know of the way to the end may be of earlier searches.
            let entry = self.shared.table.get(key);
            let best = entry.map_or(NO_MOVE, |entry| entry.moves[0]);
            match Square::new(usize::from(best)).filter(|&square| board.is_legal(square)) {
                None => return line,
                Some(square) => {
                    line.push(square);
                    board = board.play_unchecked(square);
                }
            }
        }
    }
}
