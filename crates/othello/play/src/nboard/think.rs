//! `go` and `hint`: the book, the search, and what is told of it meanwhile.

use std::cmp::Reverse;
use std::time::Duration;

use ishi_othello::{Board, Color, Move};

use super::wire::GuiWriter;
use super::{LineContext, NBoard, should_stop};
use crate::book::BookMove;
use crate::levels::LevelLimits;
use crate::lines::expected_moves;
use crate::search::{FoundMove, ScoreMeaning, SearchEffort, SearchTask};

/// A book's move is told with this depth if the book does not know its own.
const BOOK_DEPTH: u32 = 1;

impl NBoard {
    /// What it would play. The game stays as it is: the GUI says what is played.
    pub(super) fn answer_go(&mut self, turn: &mut LineContext<'_, '_>) {
        let board = self.game.board();
        let start = self.clock.now();
        let moves = self.game.legal_moves();
        let answer = match moves[..] {
            // Without a choice there is nothing to think about, and after the end nothing but a pass.
            [] => move_name(Move::Pass),
            [only] => move_name(only),
            _ => match self.book_move(board) {
                Some(known) => {
                    self.tell_book(board, &known, turn.wire);
                    format!("{}/{:.2}", move_name(Move::Play(known.square)), f64::from(known.value))
                }
                None => {
                    let found = self.search_for_move(board, turn);
                    let spent = self.clock.now().saturating_sub(start).as_secs_f64();
                    turn.wire.write_line(&format!("nodestats {} {spent:.3}", found.nodes));
                    format!("{}/{:.2}/{spent:.2}", move_name(found.mv), f64::from(found.score))
                }
            },
        };
        turn.wire.write_line(&format!("=== {answer}"));
    }

    /// The best moves with their values, deeper and deeper.
    pub(super) fn answer_hint(&mut self, count: usize, turn: &mut LineContext<'_, '_>) {
        let (board, count) = (self.game.board(), count.clamp(1, 64));
        if board.legal_moves() == 0 {
            // A pass is worth what the other side's best move is, or the final score.
            let found = self.search_quietly(board, turn);
            turn.wire.write_line(&search_line(board, &found));
            return;
        }
        let known = self.book_moves(board);
        for book_move in known.iter().take(count) {
            self.tell_book(board, book_move, turn.wire);
        }
        if known.len() >= count.min(board.legal_moves().count_ones() as usize) {
            return;
        }
        let covered = |found: &FoundMove| known.iter().any(|known| found.mv == Move::Play(known.square));
        let start = self.clock.now();
        for (look, effort) in self.hint_efforts(board.empty_count()).into_iter().enumerate() {
            let moves = self.search_each_move(board, effort, turn);
            if look > 0 && (turn.input.is_interrupted() || turn.wire.has_failed()) {
                return;
            }
            for found in moves.iter().take(count).filter(|found| !covered(found)) {
                turn.wire.write_line(&search_line(board, found));
            }
            let nodes = moves.iter().map(|found| found.nodes).max().unwrap_or(0);
            let spent = self.clock.now().saturating_sub(start).as_secs_f64();
            turn.wire.write_line(&format!("nodestats {nodes} {spent:.3}"));
            if moves.iter().all(|found| found.meaning == ScoreMeaning::Exact) {
                return;
            }
        }
    }

    /// Each move's value, one search per move.
    fn search_each_move(
        &mut self,
        board: Board,
        effort: SearchEffort,
        turn: &mut LineContext<'_, '_>,
    ) -> Vec<FoundMove> {
        let hung_up = turn.wire.hung_up_flag();
        let stop = || should_stop(turn.input, &hung_up);
        let mut silent = |_: &FoundMove| {};
        let mut task =
            SearchTask { clock: &*self.clock, stop: &stop, ..SearchTask::new(effort, &mut silent) };
        self.player.searcher().search_each_move(board, &mut task)
    }

    /// A search without a word, limited by the depth alone.
    pub(super) fn search_quietly(&mut self, board: Board, turn: &mut LineContext<'_, '_>) -> FoundMove {
        let effort = self.effort_at(board.empty_count());
        let hung_up = turn.wire.hung_up_flag();
        let stop = || should_stop(turn.input, &hung_up);
        let mut silent = |_: &FoundMove| {};
        let mut task =
            SearchTask { clock: &*self.clock, stop: &stop, ..SearchTask::new(effort, &mut silent) };
        self.player.searcher().search_board(board, &mut task)
    }

    /// The search for a move of the game: within depth and time, telling of every iteration.
    fn search_for_move(&mut self, board: Board, turn: &mut LineContext<'_, '_>) -> FoundMove {
        let time = self.game.time_for_move();
        if self.settings.fixed_level {
            return self.search_as_level(board, time, turn);
        }
        let effort = self.effort_at(board.empty_count());
        let hung_up = turn.wire.hung_up_flag();
        let (input, wire) = (turn.input, &mut *turn.wire);
        let stop = || should_stop(input, &hung_up);
        let (clock, start) = (&*self.clock, self.clock.now());
        let mut observer = |found: &FoundMove| {
            wire.write_line(&search_line(board, found));
            let spent = clock.now().saturating_sub(start).as_secs_f64();
            wire.write_line(&format!("nodestats {} {spent:.3}", found.nodes));
        };
        let mut task = SearchTask { time, clock, stop: &stop, ..SearchTask::new(effort, &mut observer) };
        self.player.searcher().search_board(board, &mut task)
    }

    /// With the errors that the level makes.
    fn search_as_level(
        &mut self,
        board: Board,
        time: Option<Duration>,
        turn: &mut LineContext<'_, '_>,
    ) -> FoundMove {
        let hung_up = turn.wire.hung_up_flag();
        let stop = || should_stop(turn.input, &hung_up);
        let found = self.player.choose_move(board, LevelLimits { time, clock: &*self.clock, stop: &stop });
        turn.wire.write_line(&search_line(board, &found));
        found
    }

    /// The book's moves, the best first; a draw counts as contempt says.
    fn book_moves(&self, board: Board) -> Vec<BookMove> {
        let mut moves = self.settings.book.map_or_else(Vec::new, |book| book.moves(board));
        let contempt = i64::from(self.contempt);
        let draw = if self.game.to_move() == Color::Black { contempt } else { -contempt };
        let hundredths = |known: &BookMove| match known.value {
            0 => draw,
            value => 100 * i64::from(value),
        };
        moves.sort_by_key(|known| Reverse(hundredths(known)));
        moves
    }

    fn book_move(&self, board: Board) -> Option<BookMove> {
        self.book_moves(board).first().copied()
    }

    /// `book F5 2.00 120 20`: move, value, games, depth.
    fn tell_book(&self, board: Board, known: &BookMove, wire: &mut GuiWriter<'_>) {
        let entry = self.settings.book.and_then(|book| book.get(board));
        let depth = entry.map_or(0, |entry| entry.depth()).max(BOOK_DEPTH);
        let (mv, value) = (move_name(Move::Play(known.square)), f64::from(known.value));
        wire.write_line(&format!("book {mv} {value:.2} {} {depth}", known.games));
    }
}

/// `F5`, or `PA` for a pass.
pub(super) fn move_name(mv: Move) -> String {
    match mv {
        Move::Play(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_string(),
    }
}

/// `search F5D6C3 2.00 0 12`: variation, value for the side to move, no games, how sure.
fn search_line(board: Board, found: &FoundMove) -> String {
    let pv: String = expected_moves(board, found).into_iter().map(move_name).collect();
    format!("search {pv} {:.2} 0 {}", f64::from(found.score), depth_text(found))
}

/// `100%` and `100%W` mean proof to NBoard, other percentages a search to the end that is no proof.
fn depth_text(found: &FoundMove) -> String {
    match found.meaning {
        ScoreMeaning::Exact => "100%".to_string(),
        ScoreMeaning::WinLoss => "100%W".to_string(),
        ScoreMeaning::Selective => format!("{}%", found.confidence.percent()),
        ScoreMeaning::Estimate => found.depth.to_string(),
    }
}
