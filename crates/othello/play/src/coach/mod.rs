//! The coach: what a move is worth and why, for one position ([`find_hints`]) and for a whole game ([`review_game`]).
//!
//! Values come from the search, reasons from facts of the board: mobility, corners, stable discs, parity. A move that loses has a
//! main reason with the line that shows it ([`find_main_reason`]). All are data; [`words`] makes English or Japanese of them.

mod areas;
mod causes;
mod contrast;
mod facts;
mod hints;
mod line;
mod reasons;
mod regions;
mod review;
mod sentences;
mod shapes;
mod stable;
pub mod words;

pub use areas::BoardArea;
pub use causes::{
    BoardEdge, FoundMistake, LEAST_LOSS_TOLD, LessonKind, MOST_LOSS_PRAISED, MainReason, MistakeCause,
    find_main_reason,
};
pub use facts::MoveFacts;
pub use hints::{MoveHint, find_hints};
pub use reasons::{CoachReason, find_faults, find_merits, find_reasons};
pub use regions::{ParityRegion, find_regions};
pub use review::{
    GameOutcome, GameReview, GameTurn, MoveJudgement, MoveReview, OthelloPhase, PhaseSummary, PlayerSummary,
    ReviewLesson, ReviewMistake, ReviewParams, ReviewWork, find_last_blunder, gather_lessons, judge_turn,
    list_answers, list_turns, review_game,
};
pub use stable::find_stable_discs;

#[cfg(test)]
pub(crate) mod testing {
    //! Boards and squares in a few words.

    use ishi_othello::{Board, Square};

    pub(crate) fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    /// Squares separated by spaces.
    pub(crate) fn named(text: &str) -> u64 {
        text.split_whitespace().map(|name| square(name).bit()).sum()
    }

    /// Eight rows, X the side to move.
    pub(crate) fn board(text: &str) -> Board {
        let cells: Vec<char> = text.chars().filter(|cell| !cell.is_whitespace()).collect();
        assert_eq!(cells.len(), 64);
        let of = |disc| Square::all().filter(|square| cells[square.index()] == disc).map(Square::bit).sum();
        Board { player: of('X'), opponent: of('O') }
    }
}
