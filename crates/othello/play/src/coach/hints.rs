//! Hints: every legal move of a position with what it is worth and why.

use ishi_othello::{Board, Move, Square};

use super::reasons::{Reason, reasons};
use crate::levels::Limits;
use crate::openings::{Opening, OpeningNames};
use crate::search::{Effort, Found, Searcher, Task};

/// A legal move and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The move.
    pub square: Square,
    /// What the search has found: value in discs for the side to move, depth, confidence, variation.
    pub found: Found,
    /// Discs that it loses against the best move.
    pub loss: i32,
    /// What speaks for and against it.
    pub reasons: Vec<Reason>,
    /// The opening that it leads to, if that has a name.
    pub opening: Option<&'static Opening>,
}

/// Every legal move, best first; none if the side to move must pass or the game is over. The time is shared by the
/// moves.
pub fn hints(board: Board, searcher: &mut Searcher, effort: Effort, limits: Limits<'_>) -> Vec<Hint> {
    let mut silent = |_: &Found| {};
    let Limits { time, clock, stop } = limits;
    let time = time.map(|time| time / board.moves().count_ones().max(1));
    let mut task = Task { time, clock, stop, ..Task::new(effort, &mut silent) };
    let moves = searcher.each_move(board, &mut task);
    let best = moves.iter().map(|found| found.score).max().unwrap_or(0);
    moves.into_iter().filter_map(|found| hint(board, found, best)).collect()
}

fn hint(board: Board, found: Found, best: i32) -> Option<Hint> {
    let Move::Play(square) = found.mv else { return None };
    Some(Hint {
        square,
        loss: best - found.score,
        reasons: reasons(board, square),
        opening: OpeningNames::builtin().name(board.play_unchecked(square)),
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::board;
    use crate::levels::Level;
    use crate::search::{Meaning, SearchParams};
    use ishi_engine::StoppedClock;

    fn all(board: Board, level: u8) -> Vec<Hint> {
        let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
        let effort = Level::new(level).unwrap().effort_in_discs(board.empties());
        let limits = Limits { time: None, clock: &StoppedClock, stop: &|| false };
        hints(board, &mut searcher, effort, limits)
    }

    #[test]
    fn every_legal_move_has_a_value_and_the_best_is_first() {
        let hints = all(Board::START.play_unchecked("f5".parse().unwrap()), 5);
        let names: Vec<Option<&str>> = {
            let mut sorted: Vec<&Hint> = hints.iter().collect();
            sorted.sort_by_key(|hint| hint.square);
            sorted.iter().map(|hint| hint.opening.and_then(|opening| opening.english.as_deref())).collect()
        };
        assert_eq!(names, [Some("Parallel"), Some("Perpendicular"), Some("Diagonal")]);
        assert_eq!(hints[0].loss, 0);
        assert!(hints.is_sorted_by_key(|hint| hint.loss));
    }

    #[test]
    fn the_end_is_exact() {
        let board = board("-OXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXOOX XXXXXX--");
        let hints = all(board, 10);
        assert_eq!(hints.len(), 3);
        assert!(hints.iter().all(|hint| hint.found.meaning == Meaning::Exact));
        assert_eq!(hints[0].found.score, 64);
        assert_eq!(hints[0].found.variation[0], hints[0].square);
    }

    #[test]
    fn a_pass_and_a_finished_game_have_no_hints() {
        let over = Board { player: !0, opponent: 0 };
        assert!(all(over, 10).is_empty());
    }
}
