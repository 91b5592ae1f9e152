//! Search: alpha-beta for the middle game, exact solving at the end.

mod driver;
mod endgame;
mod last;
mod midgame;
mod probcut;
mod stability;
mod table;
#[cfg(test)]
mod tests;
mod worker;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ishi_othello::simd::Isa;
use ishi_othello::{Board, Move, Square};
use ishi_work::Stop;

use crate::eval::Evaluation;
use ishi_engine::{Clock, StoppedClock};
use table::TranspositionTable;

/// How hard to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchEffort {
    /// Plies that the search of the middle game looks ahead, 1 to 60.
    pub depth: u32,
    /// Positions with at most this many empty squares are searched to the end for the exact score.
    pub exact: u32,
    /// Positions with at most this many empty squares are searched to the end for win, draw or loss, where the exact
    /// score is not; not fewer than `exact`, or 0.
    pub win_loss: u32,
    /// How sure a cut of the selective search must be.
    pub confidence: CutConfidence,
}

/// How sure selective cuts are, by measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CutConfidence {
    /// 63 per cent: 0.9 standard deviations.
    Low,
    /// 87 per cent: 1.5 standard deviations.
    Fair,
    /// 95 per cent: 2 standard deviations.
    Good,
    /// 99 per cent: 2.6 standard deviations.
    High,
    /// No selective cuts.
    Full,
}

impl CutConfidence {
    /// In per cent.
    pub fn percent(self) -> u32 {
        match self {
            CutConfidence::Low => 63,
            CutConfidence::Fair => 87,
            CutConfidence::Good => 95,
            CutConfidence::High => 99,
            CutConfidence::Full => 100,
        }
    }
}

/// `95%`.
impl fmt::Display for CutConfidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}

/// What a score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreMeaning {
    /// An estimate of the final score, from a search of the middle game.
    Estimate,
    /// An estimate from a search to the end with selective cuts.
    Selective,
    /// Only the sign is known: 1 won, 0 drawn, -1 lost. Proved.
    WinLoss,
    /// The final score with best play by both sides. Proved.
    Exact,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMove {
    /// The best move; a pass if there is no other.
    pub mv: Move,
    /// For the side to move, in discs, -64 to 64; see `meaning`.
    pub score: i32,
    /// What `score` says.
    pub meaning: ScoreMeaning,
    /// Plies looked ahead.
    pub depth: u32,
    /// The confidence of selective cuts in this search.
    pub confidence: CutConfidence,
    /// Expected continuation, `mv` first; passes are left out.
    pub variation: Vec<Square>,
    /// Positions visited, this search and those before it in the same call.
    pub nodes: u64,
}

/// What a search is given besides the position.
pub struct SearchTask<'a> {
    /// How hard to look at most.
    pub effort: SearchEffort,
    /// Time to use at most, by `clock`.
    pub time: Option<Duration>,
    /// Positions to visit at most, about.
    pub nodes: Option<u64>,
    /// Where time comes from.
    pub clock: &'a (dyn Clock + Sync),
    /// Asked often, from any thread: stop now?
    pub stop: &'a (dyn Stop + Sync),
    /// Hears of every iteration that is finished.
    pub observer: &'a mut dyn FnMut(&FoundMove),
}

static STOPPED: StoppedClock = StoppedClock;

impl<'a> SearchTask<'a> {
    /// This effort, without other limits.
    pub fn new(effort: SearchEffort, observer: &'a mut dyn FnMut(&FoundMove)) -> SearchTask<'a> {
        SearchTask { effort, time: None, nodes: None, clock: &STOPPED, stop: &|| false, observer }
    }
}

/// What a searcher is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchParams {
    /// Size of the hash table: 2 to this power entries of 16 bytes, 10 to 30.
    pub hash_bits: u32,
    /// Threads that search together, from 1. More than one: results may differ from run to run.
    pub threads: usize,
}

impl Default for SearchParams {
    fn default() -> SearchParams {
        SearchParams { hash_bits: 20, threads: 1 }
    }
}

/// Searches positions. It keeps its hash tables from search to search until [`Searcher::clear_table`].
pub struct Searcher {
    params: SearchParams,
    table: TranspositionTable,
    /// A small table for each thread, for positions near the end.
    near: Vec<TranspositionTable>,
    evaluation: Arc<Evaluation>,
    isa: Isa,
}

impl Searcher {
    /// A searcher with an empty table and the evaluation that ships.
    pub fn new(params: SearchParams) -> Searcher {
        Searcher::with_evaluation(params, Evaluation::shipped())
    }

    /// A searcher with an empty table and this evaluation.
    pub fn with_evaluation(params: SearchParams, evaluation: Arc<Evaluation>) -> Searcher {
        let near_bits = params.hash_bits.min(endgame::NEAR_BITS);
        let near = (0..params.threads.max(1)).map(|_| TranspositionTable::new(near_bits)).collect();
        let table = TranspositionTable::new(params.hash_bits);
        Searcher { params, table, near, evaluation, isa: Isa::best() }
    }

    /// With these instructions instead of the best there are: for tests and comparisons.
    pub fn with_isa(self, isa: Isa) -> Searcher {
        Searcher { isa, ..self }
    }

    /// What it is made of.
    pub fn params(&self) -> SearchParams {
        self.params
    }

    /// The evaluation that it searches with.
    pub fn evaluation(&self) -> Arc<Evaluation> {
        Arc::clone(&self.evaluation)
    }

    /// Empties the hash table: the next search is as that of a new searcher.
    pub fn clear_table(&mut self) {
        self.tables().for_each(TranspositionTable::clear);
    }

    /// All tables.
    fn tables(&self) -> impl Iterator<Item = &TranspositionTable> {
        std::iter::once(&self.table).chain(&self.near)
    }

    /// The best move of a position that is not over, or a forced pass. Ends early when `task` says so, with the best
    /// of the last iteration that was finished. In a finished game: a pass with the final score.
    pub fn search_board(&mut self, board: Board, task: &mut SearchTask<'_>) -> FoundMove {
        driver::search_board(self, board, task)
    }

    /// Every legal move with its value, best first: one search per move. Ends early as [`Searcher::search_board`] does.
    pub fn search_each_move(&mut self, board: Board, task: &mut SearchTask<'_>) -> Vec<FoundMove> {
        driver::search_each_move(self, board, task)
    }
}
