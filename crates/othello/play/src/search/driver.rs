//! Iterative deepening: from a first guess to the answer, telling an observer of every step.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ishi_othello::simd::{Kernel, Vectors};
use ishi_othello::{Board, Move, Square};

use super::last::NONE;
use super::table::{NO_MOVE, hash};
use super::worker::{Node, Shared, Worker};
use super::{Confidence, Found, Meaning, Searcher, Task};

/// A step of iterative deepening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    depth: u32,
    confidence: Confidence,
    /// Only the sign of the score is asked for.
    win_loss: bool,
}

/// Searches to the end begin when the middle game has been searched so many plies short of it.
const PLIES_BEFORE_END: u32 = 12;

/// Variations are carried on by search from so many empty squares.
const FINISHED_BY_SEARCH: u32 = 16;

/// The steps of a search with this effort, easy ones first.
fn steps(empties: u32, task: &Task<'_>) -> Vec<Step> {
    let effort = task.effort;
    let (exact, win_loss) = (empties <= effort.exact, empties <= effort.win_loss);
    let step = |depth, confidence, win_loss| Step { depth, confidence, win_loss };
    let mut steps = Vec::new();
    if !exact && !win_loss {
        let depth = effort.depth.clamp(1, empties.max(1));
        steps.extend((1..=depth).map(|depth| step(depth, effort.confidence, false)));
        return steps;
    }
    if empties > 10 {
        let last = empties.saturating_sub(PLIES_BEFORE_END).min(16);
        let first = 1 + (last + 1) % 2;
        steps.extend((first..=last).step_by(2).map(|depth| step(depth, Confidence::Low, false)));
    }
    // One pass with easy cuts fills the table; more of them cost more than they save, but for very long endgames.
    let levels: &[Confidence] = match empties {
        0..=13 => &[],
        14..=28 => &[Confidence::Low],
        _ => &[Confidence::Low, Confidence::Good],
    };
    steps.extend(levels.iter().map(|&confidence| step(empties, confidence, !exact)));
    steps.push(step(empties, Confidence::Full, !exact));
    steps
}

/// The question to a searcher, run with the vectors of the machine.
struct Question<'a, 't> {
    searcher: &'a Searcher,
    board: Board,
    task: &'a mut Task<'t>,
    /// Positions visited before.
    spent: u64,
}

pub(super) fn search(searcher: &mut Searcher, board: Board, task: &mut Task<'_>) -> Found {
    searcher.table.grow_older();
    let isa = searcher.isa;
    isa.run(Question { searcher, board, task, spent: 0 })
}

pub(super) fn each_move(searcher: &mut Searcher, board: Board, task: &mut Task<'_>) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    let effort = task.effort;
    let mut spent = 0;
    for (square, child) in board.children() {
        let mut nobody = |_: &Found| {};
        let effort = super::Effort {
            depth: effort.depth.saturating_sub(1).max(1),
            exact: effort.exact.saturating_sub(1),
            win_loss: effort.win_loss.saturating_sub(1),
            ..effort
        };
        let mut part = Task { effort, observer: &mut nobody, ..*task };
        part.nodes = task.nodes.map(|nodes| nodes.saturating_sub(spent).max(1));
        let answer = search(searcher, child, &mut part);
        spent += answer.nodes;
        let mut variation = vec![square];
        variation.extend(&answer.variation);
        let found = Found {
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

impl Kernel for Question<'_, '_> {
    type Output = Found;

    fn run<V: Vectors>(self, vectors: V) -> Found {
        let Question { searcher, board, task, spent } = self;
        let (clock, time, start) = (task.clock, task.time, task.clock.now());
        let outside = task.stop;
        let stop = move || outside() || time.is_some_and(|time| clock.now().saturating_sub(start) >= time);
        let shared = Shared {
            table: &searcher.table,
            evaluation: &searcher.evaluation,
            stop: &stop,
            halted: AtomicBool::new(false),
            nodes: AtomicU64::new(spent),
            node_limit: task.nodes.unwrap_or(u64::MAX),
        };
        let steps = steps(board.empties(), task);
        std::thread::scope(|scope| {
            // The others do the same in another order; what they find stands in the table.
            for number in 1..searcher.params.threads {
                let (shared, steps) = (&shared, &steps);
                scope.spawn(move || Root::new(vectors, shared, board).help(steps, number));
            }
            let found = Root::new(vectors, &shared, board).run(task);
            shared.halted.store(true, Ordering::Relaxed);
            found
        })
    }
}

/// The root of a search.
struct Root<'a, V: Vectors> {
    worker: Worker<'a, V>,
    shared: &'a Shared<'a>,
    board: Board,
    /// Legal moves, the best of the last step first.
    moves: Vec<Square>,
}

impl<'a, V: Vectors> Root<'a, V> {
    fn new(vectors: V, shared: &'a Shared<'a>, board: Board) -> Self {
        let moves = ishi_othello::squares(board.moves()).collect();
        Root { worker: Worker::new(vectors, shared), shared, board, moves }
    }

    fn run(mut self, task: &mut Task<'_>) -> Found {
        if self.moves.is_empty() {
            return self.forced(task);
        }
        let mut answer = self.first_guess();
        for step in steps(self.board.empties(), task) {
            let Some(found) = self.step(step, &answer) else { break };
            answer = found;
            (task.observer)(&answer);
        }
        answer.nodes = self.nodes();
        if answer.meaning == Meaning::Exact {
            self.complete(&mut answer);
        }
        answer
    }

    /// Carries the variation of an exact score on to the end of the game.
    fn complete(&mut self, answer: &mut Found) {
        let (mut board, mut score) = (self.board, answer.score);
        let mut line = Vec::new();
        loop {
            if board.moves() == 0 {
                (board, score) = (board.pass(), -score);
            }
            let known = answer.variation.get(line.len()).copied();
            let next = match known.filter(|&square| board.is_legal(square)) {
                Some(square) => Some(square),
                None if board.empties() <= FINISHED_BY_SEARCH => self.keeps(board, score),
                None => None,
            };
            let Some(square) = next else { break };
            line.push(square);
            (board, score) = (board.play_unchecked(square), -score);
        }
        answer.variation = line;
    }

    /// A move after which the score is still this.
    fn keeps(&mut self, board: Board, score: i32) -> Option<Square> {
        self.worker.confidence = Confidence::Full;
        board.children().map(|(square, _)| square).find(|&square| {
            let child = Node::new(board).after(square, board.flips(square));
            let opponent = self.worker.null_window(&child, -score, child.empties);
            !self.worker.halted && opponent <= -score
        })
    }

    /// Searches beside the first thread, to fill the table; every other helper is a step ahead.
    fn help(mut self, steps: &[Step], number: usize) {
        if self.moves.is_empty() {
            self = Root::new(self.worker.vectors, self.shared, self.board.pass());
        }
        if self.moves.is_empty() {
            return;
        }
        let mut answer = self.first_guess();
        for &step in steps.iter().skip(number % 2) {
            // Another order of the moves, so that others are known when the first thread comes to them.
            let last = self.moves.len().min(number + 1);
            self.moves[..last].rotate_left(1);
            match self.step(step, &answer) {
                Some(found) => answer = found,
                None => break,
            }
        }
        self.worker.look();
    }

    fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed).max(self.worker.nodes)
    }

    /// A pass, or the end.
    fn forced(self, task: &mut Task<'_>) -> Found {
        let passed = self.board.pass();
        let found = if passed.moves() == 0 {
            let score = self.board.final_score();
            Found {
                mv: Move::Pass,
                score,
                meaning: Meaning::Exact,
                depth: 0,
                confidence: Confidence::Full,
                variation: Vec::new(),
                nodes: 1,
            }
        } else {
            let root = Root::new(self.worker.vectors, self.shared, passed);
            let answer = root.run(task);
            Found { mv: Move::Pass, score: -answer.score, ..answer }
        };
        (task.observer)(&found);
        found
    }

    /// The move that the evaluation likes best: an answer for searches that are stopped at once.
    fn first_guess(&mut self) -> Found {
        let node = Node::new(self.board);
        let value = |square: &Square| {
            let child = node.after(*square, self.board.flips(*square));
            let own = self.worker.vectors.moves(child.player, child.opponent).count_ones();
            child.units(&self.worker, own)
        };
        self.moves.sort_by_cached_key(value);
        let own = self.moves.len() as u32;
        let score = node.value(&self.worker, own);
        self.found(score, Step { depth: 0, confidence: Confidence::Low, win_loss: false })
    }

    /// One step of deepening; `None` if it was broken off.
    fn step(&mut self, step: Step, before: &Found) -> Option<Found> {
        self.worker.confidence = step.confidence;
        let to_end = step.depth == self.board.empties();
        let score = if step.win_loss && step.confidence == Confidence::Full {
            self.search_moves(-1, 1, step)?.signum()
        } else if to_end && step.confidence == Confidence::Full {
            self.close_in(before, step)?
        } else {
            self.aspire(before, step)?
        };
        self.worker.look();
        Some(self.found(score, step))
    }

    /// A window around the score of the last step, widened as needed.
    fn aspire(&mut self, before: &Found, step: Step) -> Option<i32> {
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
    fn close_in(&mut self, before: &Found, step: Step) -> Option<i32> {
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
    fn search_moves(&mut self, low: i32, high: i32, step: Step) -> Option<i32> {
        let node = Node::new(self.board);
        let (mut best, mut best_place, mut alpha) = (NONE, 0, low);
        self.worker.nodes += 1;
        for (place, &square) in self.moves.iter().enumerate() {
            let child = node.after(square, self.board.flips(square));
            let mut score = NONE;
            if place > 0 {
                score = -self.worker.null_window(&child, -alpha - 1, step.depth - 1);
            }
            if place == 0 || score > alpha && score < high {
                score = -self.worker.principal(&child, -high, -alpha, step.depth - 1);
            }
            if self.worker.halted {
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
            self.moves[..=best_place].rotate_right(1);
        }
        Some(best)
    }

    fn found(&self, score: i32, step: Step) -> Found {
        let to_end = step.depth == self.board.empties();
        let meaning = match (to_end, step.confidence, step.win_loss) {
            (false, _, _) => Meaning::Estimate,
            (true, Confidence::Full, false) => Meaning::Exact,
            (true, Confidence::Full, true) => Meaning::WinLoss,
            (true, _, _) => Meaning::Selective,
        };
        let first = self.moves[0];
        Found {
            mv: Move::Play(first),
            score,
            meaning,
            depth: step.depth,
            confidence: step.confidence,
            variation: self.variation(first),
            nodes: self.nodes(),
        }
    }

    /// The expected continuation, as far as the table knows it.
    fn variation(&self, first: Square) -> Vec<Square> {
        let mut line = vec![first];
        let mut board = self.board.play_unchecked(first);
        loop {
            if board.moves() == 0 {
                board = board.pass();
            }
            let entry = self.shared.table.get(hash(board.player, board.opponent));
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
