//! A judge for tests: stones of Black on the lowest and the highest line cost eight points each, and the best move stands on the third line.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use ishi_go::{BoardSize, Color, Move, Point, Position};
use ishi_rng::Seed;

use super::lesson::Lesson;
use super::review::{LessonWish, review_game};
use super::value::ErrorModel;
use super::{ExplainParams, Explainer};
use crate::analyst::{JudgeControl, JudgeError, PositionJudge};
use ishi_engine::{MoveReport, SearchReport};

/// What a stone of Black's on the first line costs.
pub(super) const COST: f64 = 8.0;

/// See the module. It notes how many positions it was asked about at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct ScriptedJudge {
    pub(super) likes_many: bool,
    pub(super) fails: bool,
    pub(super) asked: Arc<Mutex<Vec<usize>>>,
}

impl ScriptedJudge {
    pub(super) fn asked(&self) -> Vec<usize> {
        self.asked.lock().unwrap().clone()
    }
}

fn report_on(position: &Position) -> SearchReport {
    let board = position.board();
    let top = position.size().height() - 1;
    let is_low = |point: &Point| [0, top].contains(&point.row()) && board.color(*point) == Some(Color::Black);
    let low = position.size().points().filter(is_low);
    let black = 4.0 - COST * low.count() as f64;
    let score = if position.to_move() == Color::Black { black } else { -black };
    let win_rate = 1.0 / (1.0 + (-score / 8.0).exp());
    let sensible = |point: &Point| point.row() >= 2 && position.is_legal(position.to_move(), (*point).into());
    let moves = position.size().points().filter(sensible).take(3).map(|point| MoveReport {
        visits: 10,
        win_rate,
        score,
        variation: vec![Move::Play(point)],
        ..MoveReport::unsearched_move(Move::Play(point))
    });
    SearchReport { moves: moves.collect(), playouts: 30, win_rate, score, ..SearchReport::default() }
}

impl PositionJudge for ScriptedJudge {
    fn judge_positions(
        &mut self,
        positions: &[Position],
        control: &mut JudgeControl<'_>,
    ) -> Result<Vec<SearchReport>, JudgeError> {
        self.asked.lock().unwrap().push(positions.len());
        if self.fails {
            return Err(JudgeError::Failed("no network".to_string()));
        }
        (control.tell)(positions.len());
        Ok(positions.iter().map(report_on).collect())
    }

    fn error_model(&self, _: BoardSize) -> ErrorModel {
        ErrorModel::NETWORK
    }

    fn likes_many(&self) -> bool {
        self.likes_many
    }
}

/// The position on 9x9 after these moves, the first one Black's.
pub(super) fn position_of_moves(vertices: &[&str]) -> Position {
    let mut position = Position::new(BoardSize::square(9).unwrap(), ishi_go::Rules::CHINESE);
    for vertex in vertices {
        let mv = position.size().parse_move(vertex).unwrap();
        position.play(position.to_move(), mv).unwrap();
    }
    position
}

/// A game on 9x9: Black's third move (number 5) stands on the first line.
pub(super) fn game_with_a_blunder() -> Vec<(Color, Move)> {
    let size = BoardSize::square(9).unwrap();
    let vertices = ["E5", "E7", "C4", "G6", "J1", "C6"];
    let mv = |(n, vertex): (usize, &&str)| (Color::ALL[n % 2], size.parse_move(vertex).unwrap());
    vertices.iter().enumerate().map(mv).collect()
}

/// The position of that game after so many moves.
pub(super) fn position_of_game(played: usize) -> Position {
    let mut position = Position::new(BoardSize::square(9).unwrap(), ishi_go::Rules::CHINESE);
    for (color, mv) in &game_with_a_blunder()[..played] {
        position.play(*color, *mv).unwrap();
    }
    position
}

/// Explains by this judge.
pub(super) fn scripted_explainer() -> Explainer {
    let params = ExplainParams { group_playouts: 10, ..ExplainParams::of_level(1) };
    Explainer::new(params, Seed::new(1)).with_judge(Box::new(ScriptedJudge::default()))
}

/// The lesson of that game: Black's move on the first line.
pub(super) fn lesson_of_blunder() -> Lesson {
    let position = |played| Ok::<_, Infallible>(position_of_game(played));
    let wish = LessonWish { player: Some(Color::Black), most: 1 };
    let review = review_game(&mut scripted_explainer(), &game_with_a_blunder(), wish, position, |_| true);
    review.unwrap().unwrap().lessons.remove(0)
}
