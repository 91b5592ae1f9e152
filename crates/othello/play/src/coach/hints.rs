//! Hints: every legal move of a position with what it is worth and why.

use ishi_othello::{Board, Move, Square};

use super::reasons::{CoachReason, find_reasons};
use crate::levels::LevelLimits;
use crate::openings::{NamedOpening, OpeningNames};
use crate::search::{FoundMove, SearchEffort, SearchTask, Searcher};

/// A legal move and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveHint {
    /// The move.
    pub square: Square,
    /// What the search has found: value in discs for the side to move, depth, confidence, variation.
    pub found: FoundMove,
    /// Discs that it loses against the best move.
    pub loss: i32,
    /// What speaks for and against it.
    pub reasons: Vec<CoachReason>,
    /// The opening that it leads to, if that has a name.
    pub opening: Option<&'static NamedOpening>,
}

/// Every legal move, best first; none if the side to move must pass or the game is over. The time is shared by the
/// moves.
pub fn find_hints(
    board: Board,
    searcher: &mut Searcher,
    effort: SearchEffort,
    limits: LevelLimits<'_>,
) -> Vec<MoveHint> {
    let mut silent = |_: &FoundMove| {};
    let LevelLimits { time, clock, stop } = limits;
    let time = time.map(|time| time / board.legal_moves().count_ones().max(1));
    let mut task = SearchTask { time, clock, stop, ..SearchTask::new(effort, &mut silent) };
    let moves = searcher.search_each_move(board, &mut task);
    let best = moves.iter().map(|found| found.score).max().unwrap_or(0);
    moves.into_iter().filter_map(|found| build_hint(board, found, best)).collect()
}

fn build_hint(board: Board, found: FoundMove, best: i32) -> Option<MoveHint> {
    let Move::Play(square) = found.mv else { return None };
    Some(MoveHint {
        square,
        loss: best - found.score,
        reasons: find_reasons(board, square),
        opening: OpeningNames::builtin().opening_at(board.play_unchecked(square)),
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::board;
    use crate::levels::Level;
    use crate::search::{ScoreMeaning, SearchParams};
    use ishi_engine::StoppedClock;

    fn all(board: Board, level: u8) -> Vec<MoveHint> {
        let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
        let effort = Level::new(level).unwrap().effort_in_discs(board.empty_count());
        let limits = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };
        find_hints(board, &mut searcher, effort, limits)
    }

    #[test]
    fn every_legal_move_has_a_value_and_the_best_is_first() {
        let hints = all(Board::START.play_unchecked("f5".parse().unwrap()), 5);
        let names: Vec<Option<&str>> = {
            let mut sorted: Vec<&MoveHint> = hints.iter().collect();
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
        assert!(hints.iter().all(|hint| hint.found.meaning == ScoreMeaning::Exact));
        assert_eq!(hints[0].found.score, 64);
        assert_eq!(hints[0].found.variation[0], hints[0].square);
    }

    #[test]
    fn a_pass_and_a_finished_game_have_no_hints() {
        let over = Board { player: !0, opponent: 0 };
        assert!(all(over, 10).is_empty());
    }
}
