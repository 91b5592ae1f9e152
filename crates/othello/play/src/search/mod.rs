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
use ishi_words::{CodedError, ErrorFacts, facts};
use ishi_work::Stop;
use ishi_work::memory::MemoryClaim;

use crate::eval::Evaluation;
pub(crate) use driver::LAST_PLIES;
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
    /// How sure a cut of the selective search must be. On the way to the end easier cuts come first, so a search that is broken off may have
    /// those.
    pub confidence: CutConfidence,
}

impl SearchEffort {
    /// From how many empty squares on a further look solves: from so many `more`, but no earlier than from `most` if this effort does not.
    pub(crate) fn exact_and_more(self, more: u32, most: u32) -> u32 {
        (self.exact + more).min(self.exact.max(most))
    }

    /// As hard after a move, counted from the position before it: a ply and an empty square less.
    pub(crate) fn one_ply_less(self) -> SearchEffort {
        SearchEffort {
            depth: self.depth.saturating_sub(1).max(1),
            exact: self.exact.saturating_sub(1),
            win_loss: self.win_loss.saturating_sub(1),
            ..self
        }
    }
}

/// How sure selective cuts are, by measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CutConfidence {
    /// 63 per cent: 0.9 standard deviations. A pass to the end before a proof has 0.72 of them, which is 53 per cent.
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
    /// All, the easiest cuts first.
    pub const ALL: [CutConfidence; 5] = [
        CutConfidence::Low,
        CutConfidence::Fair,
        CutConfidence::Good,
        CutConfidence::High,
        CutConfidence::Full,
    ];

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
    /// How hard to look. With a limit of time, a search that reaches the end goes on to surer cuts than this, and to a proof.
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

/// There is no memory for the hash tables that a search was to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a hash table of 2^{bits} entries, which takes {mebibytes} MiB: hash must be smaller")]
pub struct SearchMemoryError {
    /// The table was to have 2 to this power entries.
    pub bits: u32,
    /// What it takes, with the small tables of all threads.
    pub mebibytes: u64,
}

impl CodedError for SearchMemoryError {
    fn facts(&self) -> ErrorFacts {
        let SearchMemoryError { bits, mebibytes } = self;
        facts!["othello-no-memory", bits, mebibytes]
    }
}

/// Bytes of an entry of a table.
const ENTRY_BYTES: u64 = 16;

/// The hash tables of a searcher, empty. Their memory is there, and the first search writes it.
pub struct SearchTables {
    params: SearchParams,
    table: TranspositionTable,
    /// A small table for each thread, for positions near the end.
    near: Vec<TranspositionTable>,
    /// What they take, until it is written.
    claim: Option<MemoryClaim>,
}

impl SearchTables {
    /// Takes the memory for them.
    ///
    /// # Errors
    /// If the system does not give it, or has less than that, without what other tables wait to write ([`ishi_work::memory`]).
    ///
    /// ```
    /// use ishi_othello_play::search::{SearchParams, SearchTables, Searcher};
    /// let tables = SearchTables::reserve(SearchParams { hash_bits: 12, threads: 1 }).unwrap();
    /// let searcher = Searcher::with_tables(tables);
    /// assert_eq!(searcher.params().hash_bits, 12);
    /// ```
    pub fn reserve(params: SearchParams) -> Result<SearchTables, SearchMemoryError> {
        let bits = params.hash_bits.clamp(10, 30);
        let (near_bits, threads) = (bits.min(endgame::NEAR_BITS), params.threads.max(1));
        let bytes = ENTRY_BYTES * ((1u64 << bits) + ((threads as u64) << near_bits));
        let refusal = SearchMemoryError { bits, mebibytes: bytes >> 20 };
        let claim = MemoryClaim::take(bytes).ok_or(refusal)?;
        let near = (0..threads).map(|_| TranspositionTable::reserve_entries(near_bits));
        let near = near.collect::<Result<Vec<_>, _>>().map_err(|_| refusal)?;
        let table = TranspositionTable::reserve_entries(bits).map_err(|_| refusal)?;
        Ok(SearchTables { params, table, near, claim: Some(claim) })
    }

    /// All tables.
    fn iter(&self) -> impl Iterator<Item = &TranspositionTable> {
        std::iter::once(&self.table).chain(&self.near)
    }
}

/// Searches positions. It keeps its hash tables from search to search until [`Searcher::clear_table`].
pub struct Searcher {
    tables: SearchTables,
    evaluation: Arc<Evaluation>,
    isa: Isa,
    /// Positions visited by all its searches.
    visited: u64,
}

impl Searcher {
    /// A searcher with an empty table of a size that every machine has, and the evaluation that ships.
    ///
    /// # Panics
    /// If there is no memory for the table: where people choose its size, ask [`SearchTables::reserve`] first.
    pub fn new(params: SearchParams) -> Searcher {
        Searcher::with_tables(SearchTables::reserve(params).unwrap_or_else(|error| panic!("{error}")))
    }

    /// A searcher with these tables and the evaluation that ships.
    pub fn with_tables(tables: SearchTables) -> Searcher {
        Searcher { tables, evaluation: Evaluation::shipped(), isa: Isa::best(), visited: 0 }
    }

    /// With this evaluation instead of the one that ships.
    pub fn with_evaluation(self, evaluation: Arc<Evaluation>) -> Searcher {
        Searcher { evaluation, ..self }
    }

    /// With these instructions instead of the best there are: for tests and comparisons.
    pub fn with_isa(self, isa: Isa) -> Searcher {
        Searcher { isa, ..self }
    }

    /// What it is made of.
    pub fn params(&self) -> SearchParams {
        self.tables.params
    }

    /// The evaluation that it searches with.
    pub fn evaluation(&self) -> Arc<Evaluation> {
        Arc::clone(&self.evaluation)
    }

    /// Positions that all its searches have visited, but for those that only carry an exact variation on to the end of the game. On one thread
    /// the same searches visit as many each time.
    pub fn visited_positions(&self) -> u64 {
        self.visited
    }

    /// Empties the hash table: the next search is as that of a new searcher.
    pub fn clear_table(&mut self) {
        self.tables.iter().for_each(TranspositionTable::clear);
    }

    /// Writes the empty tables now, where the first search would do it: for whoever measures searches.
    pub fn fill_tables(&mut self) {
        self.tables.table.fill_room();
        self.tables.near.iter_mut().for_each(TranspositionTable::fill_room);
        self.tables.claim = None;
    }

    /// The best move of a position that is not over, or a forced pass. Ends early when `task` says so. The move is
    /// the best that was seen, also in the iteration that was broken off. Score and depth are those of the last finished one. In a finished game: a
    /// pass with the final score.
    pub fn search_board(&mut self, board: Board, task: &mut SearchTask<'_>) -> FoundMove {
        driver::search_board(self, board, task)
    }

    /// Every legal move with its value, best first: one search per move. Ends early as [`Searcher::search_board`] does.
    pub fn search_each_move(&mut self, board: Board, task: &mut SearchTask<'_>) -> Vec<FoundMove> {
        driver::search_each_move(self, board, task)
    }
}
