//! Building a book: count the positions of records, search the frequent ones, then extend the best lines.
//!
//! What each search finds depends on the position and the effort alone, so that a book that was interrupted and
//! resumed is the same as one that was not.

use std::collections::{BTreeMap, BTreeSet};

use ishi_othello::{Board, Color, Position, Square};

use super::{Book, BookEntry, position_after};
use crate::levels::LevelLimits;
use crate::openings::boards_of_game;
use crate::search::{CutConfidence, FoundMove, SearchEffort, SearchTask, Searcher};

/// How to build a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildParams {
    /// Moves of a game that are looked at, from its start.
    pub plies: usize,
    /// Games in which a position must occur to be taken from records.
    pub least_games: u32,
    /// Positions at most.
    pub positions: usize,
    /// Of the search of each move.
    pub effort: SearchEffort,
    /// Moves that are worse than the best by more discs than this are not kept.
    pub width: i32,
    /// When a line is extended: what a disc lost counts, in plies of length.
    pub disc_cost: f64,
}

impl Default for BuildParams {
    fn default() -> BuildParams {
        let effort = SearchEffort { depth: 12, exact: 16, win_loss: 16, confidence: CutConfidence::Good };
        BuildParams { plies: 24, least_games: 20, positions: 12_000, effort, width: 4, disc_cost: 2.0 }
    }
}

/// What a builder has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildStep {
    /// The position that was searched, in canonical form.
    pub board: Board,
    /// Its best move's value by search.
    pub value: i32,
    /// Positions searched.
    pub searched: usize,
    /// Positions in the book.
    pub positions: usize,
}

/// Hears of every position that is searched, with the book as it is now, for saving it.
pub type BuildObserver<'a> = dyn FnMut(&BuildStep, &Book) + 'a;

/// Why building ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildEnd {
    /// The book has as many positions as it may have.
    Full,
    /// There is no line to extend.
    Exhausted,
    /// It was stopped, or its time was up.
    Stopped,
}

/// Builds a book.
pub struct BookBuilder {
    book: Book,
    params: BuildParams,
    /// Positions of records: games, and half points for the side to move.
    counts: BTreeMap<Board, (u32, u32)>,
}

/// Lines that are extended before values are computed anew.
const BATCH: usize = 32;

impl BookBuilder {
    /// Goes on with a book, which may be empty.
    pub fn new(book: Book, params: BuildParams) -> BookBuilder {
        BookBuilder { book, params, counts: BTreeMap::new() }
    }

    /// Counts the positions of a game; `score` is Black's discs minus White's at its end.
    pub fn count_game(&mut self, game: &Position, score: i32) {
        let (_, mut to_move) = game.setup();
        for board in boards_of_game(game).into_iter().take(self.params.plies + 1) {
            if board.legal_moves() != 0 {
                let own = if to_move == Color::Black { score } else { -score };
                let (games, points) = self.counts.entry(board.canonical_form().0).or_default();
                *games += 1;
                *points += (own.signum() + 1) as u32;
            }
            to_move = !to_move;
        }
    }

    /// Takes the positions that were counted often enough into the book, the most frequent first if there are too
    /// many.
    pub fn take_counts(&mut self) {
        let counts = std::mem::take(&mut self.counts);
        let mut frequent: Vec<(Board, (u32, u32))> =
            counts.into_iter().filter(|&(_, (games, _))| games >= self.params.least_games).collect();
        frequent.sort_by_key(|&(board, (games, _))| (std::cmp::Reverse(games), board));
        frequent.truncate(self.params.positions);
        for (board, (games, points)) in frequent {
            let entry = self.book.entries.entry(board).or_default();
            (entry.games, entry.points) = (games, points);
        }
        // A position can be frequent by many ways, each of which is rare.
        let reachable = self.book.reachable_positions();
        self.book.entries.retain(|board, _| reachable.contains(board));
        self.book.has_records = true;
    }

    /// The book as it is.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Searches what is not searched yet, then extends the best lines, until the book is full or it is stopped.
    pub fn build_book(
        &mut self,
        searcher: &mut Searcher,
        limits: LevelLimits<'_>,
        observer: &mut BuildObserver<'_>,
    ) -> BuildEnd {
        self.book.entries.entry(Board::START.canonical_form().0).or_default();
        let started = limits.clock.now();
        let stopped = || {
            let late = limits.time.is_some_and(|time| limits.clock.now().saturating_sub(started) >= time);
            late || limits.stop.is_requested()
        };
        loop {
            for board in self.unsearched_positions() {
                if stopped() || !self.search_position(board, searcher, &limits, observer) {
                    self.book.compute_negamax();
                    return BuildEnd::Stopped;
                }
            }
            self.book.compute_negamax();
            let room = self.params.positions.saturating_sub(self.book.len());
            let lines = self.nearest_unknown_positions(room.min(BATCH));
            match (room, lines.is_empty()) {
                (0, _) => return BuildEnd::Full,
                (_, true) => return BuildEnd::Exhausted,
                _ => self.book.entries.extend(lines.into_iter().map(|board| (board, BookEntry::default()))),
            }
        }
    }

    /// Positions that are not searched yet, the most frequent first.
    fn unsearched_positions(&self) -> Vec<Board> {
        let open = self.book.entries.iter().filter(|(_, entry)| entry.depth == 0);
        let mut open: Vec<(u32, Board)> = open.map(|(&board, entry)| (entry.games, board)).collect();
        open.sort_by_key(|&(games, board)| (std::cmp::Reverse(games), board));
        open.into_iter().map(|(_, board)| board).collect()
    }

    /// Searches the moves of a position; says whether it could finish.
    fn search_position(
        &mut self,
        board: Board,
        searcher: &mut Searcher,
        limits: &LevelLimits<'_>,
        observer: &mut BuildObserver<'_>,
    ) -> bool {
        searcher.clear_table();
        let mut silent = |_: &FoundMove| {};
        let mut task = SearchTask { stop: limits.stop, ..SearchTask::new(self.params.effort, &mut silent) };
        let found = searcher.search_each_move(board, &mut task);
        if limits.stop.is_requested() || found.is_empty() {
            return false;
        }
        let best = found.iter().map(|found| found.score).max().unwrap_or(0);
        let near = found.iter().filter(|found| found.score >= best - self.params.width);
        let moves: Vec<(Square, i8)> =
            near.filter_map(|found| Some((found.mv.square()?, found.score as i8))).collect();
        let entry = self.book.entries.entry(board).or_default();
        entry.moves = moves;
        entry.depth = self.params.effort.depth.clamp(1, 60) as u8;
        let step = BuildStep {
            board,
            value: best,
            searched: self.book.count_searched(),
            positions: self.book.len(),
        };
        observer(&step, &self.book);
        true
    }

    /// The positions beyond the book that lie nearest to the start, where a disc that a move loses counts as some
    /// plies: good lines become longer than bad ones.
    fn nearest_unknown_positions(&self, most: usize) -> Vec<Board> {
        let start = Board::START.canonical_form().0;
        let mut queue: BTreeSet<(u64, Board)> = [(0, start)].into();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        while let Some((cost, board)) = queue.pop_first() {
            if found.len() >= most {
                break;
            }
            if !seen.insert(board) {
                continue;
            }
            match self.book.entries.get(&board) {
                Some(entry) => queue.extend(self.steps_with_cost(board, entry, cost)),
                None if board.legal_moves() != 0 => found.push(board),
                None => {}
            }
        }
        found
    }

    /// Where the moves of a position lead, and what the way there costs, in thousandths of a ply.
    fn steps_with_cost(&self, board: Board, entry: &BookEntry, cost: u64) -> Vec<(u64, Board)> {
        let step = |(square, value): (Square, i32)| {
            let loss = f64::from((entry.value() - value).max(0));
            let length = (1000.0 * (1.0 + self.params.disc_cost * loss)) as u64;
            (cost + length, position_after(board, square).0.canonical_form().0)
        };
        self.book.move_values(board, entry).map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SearchParams;
    use ishi_engine::StoppedClock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const NO_LIMITS: LevelLimits<'static> = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };

    fn params(positions: usize) -> BuildParams {
        let effort = SearchEffort { depth: 2, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
        BuildParams { positions, effort, least_games: 2, plies: 6, ..BuildParams::default() }
    }

    fn searcher() -> Searcher {
        Searcher::new(SearchParams { hash_bits: 12, threads: 1 })
    }

    fn game(moves: &[&str]) -> Position {
        let mut game = Position::start();
        for mv in moves {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    fn build(book: Book, positions: usize) -> Book {
        let mut builder = BookBuilder::new(book, params(positions));
        builder.build_book(&mut searcher(), NO_LIMITS, &mut |_, _| {});
        builder.book().clone()
    }

    #[test]
    fn positions_of_records_are_counted_with_their_success() {
        let mut builder = BookBuilder::new(Book::default(), params(100));
        builder.count_game(&game(&["f5", "d6", "c3", "d3", "c4"]), 10);
        // The same position turned, and a game that leaves it.
        builder.count_game(&game(&["c4", "e3", "f6", "e6", "f5"]), 0);
        builder.count_game(&game(&["f5", "f6"]), -4);
        builder.take_counts();
        let book = builder.book();
        assert!(book.has_records());
        let tiger = book.get(game(&["f5", "d6", "c3", "d3", "c4"]).board()).unwrap();
        assert_eq!((tiger.games(), tiger.success()), (2, Some(0.25)), "White to move lost one and drew one");
        assert_eq!(book.get(Board::START).map(BookEntry::games), Some(3));
        assert_eq!(book.get(game(&["f5", "f6"]).board()), None, "one game is not enough");
    }

    #[test]
    fn positions_that_cannot_be_reached_are_left_out() {
        let mut builder = BookBuilder::new(Book::default(), params(100));
        for _ in 0..2 {
            builder.count_game(&game(&["f5", "d6"]), 0);
            let moves = game(&["f5", "f6", "e6", "f4"]);
            builder.count_game(&Position::from_board(moves.board(), Color::Black), 0);
        }
        builder.take_counts();
        assert_eq!(builder.book().len(), 3);
    }

    #[test]
    fn the_book_grows_until_it_is_full() {
        let book = build(Book::default(), 40);
        assert_eq!((book.len(), book.count_searched()), (40, 40));
        assert_eq!(book.reachable_positions().len(), 40);
    }

    #[test]
    fn an_interrupted_book_is_resumed_to_the_same() {
        let whole = build(Book::default(), 30);
        let asked = AtomicUsize::new(0);
        let stop = || asked.load(Ordering::Relaxed) >= 10;
        let mut builder = BookBuilder::new(Book::default(), params(30));
        let limits = LevelLimits { stop: &stop, ..NO_LIMITS };
        let ended = builder.build_book(&mut searcher(), limits, &mut |_, _| {
            asked.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(ended, BuildEnd::Stopped);
        assert!(builder.book().count_searched() < 30);
        let half = Book::from_bytes(&builder.book().to_bytes()).unwrap();
        assert_eq!(build(half, 30), whole);
    }

    #[test]
    fn every_step_is_heard() {
        let mut heard = Vec::new();
        let mut builder = BookBuilder::new(Book::default(), params(5));
        let ended = builder.build_book(&mut searcher(), NO_LIMITS, &mut |step, book| {
            assert_eq!(book.count_searched(), step.searched);
            heard.push(step.searched);
        });
        assert_eq!((ended, heard), (BuildEnd::Full, vec![1, 2, 3, 4, 5]));
    }
}
