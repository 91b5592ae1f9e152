//! What searches find out about a game, and how far they are: what pages are told, and what documents keep.

use ishi_othello::{Board, Square};
use ishi_othello_play::coach::{MoveHint, MoveReview, words};
use ishi_othello_play::search::{FoundMove, SearchParams};
use ishi_words::Language;

use super::game::{JudgedOthelloMove, OthelloGameState, Side};
use crate::workbench::texts::page_language_of;

/// Sixteen bytes for each of a million positions.
pub(super) const SEARCHER: SearchParams = SearchParams { hash_bits: 20, threads: 1 };

/// What is known of the position so far.
pub(super) struct StudyInsight {
    pub(super) hints: Vec<MoveHint>,
    /// The level of the search that found it; `None` if it looked further than any level does.
    pub(super) level: Option<u8>,
    /// Is the search over, so that nothing more will come?
    pub(super) done: bool,
}

/// How far solving is.
pub(super) struct SolvingState {
    pub(super) empties: u32,
    /// The best that searches with cuts have found so far.
    pub(super) best: Option<FoundMove>,
    pub(super) seconds: f64,
}

/// How far a review is.
#[derive(Clone, Copy, Debug)]
pub(super) struct OthelloReviewGrowth {
    /// Moves that are still to be judged.
    pub(super) left: usize,
    /// Until all are; `None` where nothing says how fast it goes.
    pub(super) seconds_left: Option<f64>,
}

impl OthelloReviewGrowth {
    /// The beginning of a review of the whole game, of which nothing is judged yet.
    pub(super) fn of_whole_game(game: &OthelloGameState) -> OthelloReviewGrowth {
        OthelloReviewGrowth { left: game.moves.len(), seconds_left: None }
    }
}

/// Can the whole of this be solved in a time that people wait for? About a minute for 26 empty squares.
pub(super) fn is_solvable(board: Board) -> bool {
    board.empty_count() <= 30
}

pub(super) fn to_judged_move(each: &MoveReview) -> JudgedOthelloMove {
    let better = each.best.mv.square();
    let why = |language: Language| {
        let main =
            each.reason.as_ref().map(|reason| words::describe_main_reason(reason, each.color, language));
        let facts = each.facts_beside_reason().into_iter();
        let texts = page_language_of(language);
        let colon = texts.text("workbench-colon");
        let facts = facts.map(|(square, facts)| {
            format!("{square}{colon}{}", words::describe_reasons(&facts, 2, language))
        });
        let said: Vec<String> = main.into_iter().chain(facts).collect();
        said.join(texts.text("othello-semicolon"))
    };
    JudgedOthelloMove {
        number: each.number,
        side: Side::from_color(each.color),
        square: each.square.to_string(),
        value: each.value,
        loss: each.loss,
        proved: each.is_proved(),
        turned: each.turned.is_some(),
        forced: each.forced,
        better: better.map(|square| square.to_string()).unwrap_or_default(),
        better_value: each.best.score,
        line: square_names(&each.best.variation),
        refutation: square_names(each.line.get(1..).unwrap_or_default()),
        why: in_both_languages(why),
    }
}

pub(super) fn in_both_languages(say: impl Fn(Language) -> String) -> [String; 2] {
    [Language::English, Language::Japanese].map(say)
}

pub(super) fn square_names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(Square::to_string).collect()
}
