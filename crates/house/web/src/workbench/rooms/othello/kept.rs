//! What reviews have found, kept by position: a review that was interrupted goes on where it was, and in a game that has gone on only new moves are
//! judged.

use std::sync::Arc;

use ishi_othello::{Board, Color, Position, Square};
use ishi_othello_play::coach::{
    GameTurn, LessonKind, MoveReview, ReviewMistake, ReviewParams, ReviewWork, judge_turn, list_answers,
};
use ishi_othello_play::levels::{Level, LevelLimits};
use ishi_othello_play::search::Searcher;
use serde::{Deserialize, Serialize};

use super::findings::{SEARCHER, to_judged_move};
use super::game::JudgedOthelloMove;
use crate::workbench::WorkbenchState;
use crate::workbench::rooms::answers::{AnswerShelf, ShelvedAnswer};

/// A judged move, with what may be learned from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JudgedTurn {
    pub(super) judged: JudgedOthelloMove,
    /// The name of the kind of its lesson, if there is something to learn.
    kind: Option<String>,
}

impl JudgedTurn {
    pub(super) fn from_review(each: &MoveReview) -> JudgedTurn {
        let kind = each.as_mistake().map(|mistake| mistake.kind.name().to_string());
        JudgedTurn { judged: to_judged_move(each), kind }
    }

    /// What lessons are made of.
    pub(super) fn as_mistake(&self) -> Option<ReviewMistake> {
        let kind = LessonKind::from_name(self.kind.as_deref()?)?;
        Some(ReviewMistake { number: self.judged.number, kind, loss: self.judged.loss })
    }
}

/// What is kept of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KeptOthelloAnswer {
    /// A move that was played there.
    Judged(Box<JudgedTurn>),
    /// The moves that are as good as the best.
    Good(Vec<String>),
}

impl ShelvedAnswer for KeptOthelloAnswer {
    const KIND: &'static str = "othello-answers";
}

/// The moves of a place that are as good as the best, searched as deep as a review finds the best move. What a search finds that is stopped is no
/// answer.
pub(super) fn find_good_moves(
    board: Board,
    level: Level,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> Vec<Square> {
    list_answers(board, None, ReviewParams { level, exact: None }, searcher, limits)
}

/// Judges moves of a game, with what is kept of its positions.
pub(super) struct KeptReviewer<'a> {
    shelf: AnswerShelf<KeptOthelloAnswer>,
    searcher: Searcher,
    /// What it has searched for the moves that were not known.
    work: ReviewWork,
    level: Level,
    limits: LevelLimits<'a>,
}

impl<'a> KeptReviewer<'a> {
    /// A reviewer of this level for the game with this key.
    pub(super) fn open(
        desk: &Arc<WorkbenchState>,
        key: &str,
        level: Level,
        limits: LevelLimits<'a>,
    ) -> KeptReviewer<'a> {
        let maker = format!("ishi {} level {level}", env!("CARGO_PKG_VERSION"));
        KeptReviewer {
            shelf: AnswerShelf::open(desk, key, maker),
            searcher: Searcher::new(SEARCHER),
            work: ReviewWork::default(),
            level,
            limits,
        }
    }

    pub(super) fn level(&self) -> Level {
        self.level
    }

    /// What an earlier review has found of a move.
    pub(super) fn find_known(&self, turn: &GameTurn) -> Option<JudgedTurn> {
        match self.shelf.find_answer(&turn_key(turn))? {
            KeptOthelloAnswer::Judged(known) => {
                let judged = JudgedOthelloMove { number: turn.number, ..known.judged.clone() };
                Some(JudgedTurn { judged, kind: known.kind.clone() })
            }
            KeptOthelloAnswer::Good(_) => None,
        }
    }

    /// Judges a move, and keeps what it finds. `None` if it is stopped.
    pub(super) fn judge(&mut self, turn: &GameTurn) -> Option<JudgedTurn> {
        let params = ReviewParams { level: self.level, exact: None };
        let judged = judge_turn(turn, params, &mut self.work, &mut self.searcher, self.limits)?;
        let found = JudgedTurn::from_review(&judged);
        self.shelf.keep_answer(turn_key(turn), KeptOthelloAnswer::Judged(Box::new(found.clone())));
        Some(found)
    }

    /// The moves of a place that are as good as the best, known or searched. What is found after a stop is no answer, and is not kept.
    pub(super) fn find_good_moves(&mut self, board: Board) -> Vec<Square> {
        // Who is to move makes no difference.
        let key = place_key(board, Color::Black);
        if let Some(KeptOthelloAnswer::Good(known)) = self.shelf.find_answer(&key) {
            return known.iter().filter_map(|square| square.parse().ok()).collect();
        }
        let found = find_good_moves(board, self.level, &mut self.searcher, self.limits);
        if !self.limits.stop.is_requested() {
            let names = found.iter().map(Square::to_string).collect();
            self.shelf.keep_answer(key, KeptOthelloAnswer::Good(names));
        }
        found
    }
}

fn place_key(board: Board, color: Color) -> String {
    Position::from_board(board, color).to_line()
}

fn turn_key(turn: &GameTurn) -> String {
    format!("{} {}", place_key(turn.board, turn.color), turn.square)
}
