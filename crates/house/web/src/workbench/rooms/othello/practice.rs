//! One's own mistakes as problems that come back, of Othello. The lesson knows all moves that are as good as the best: no answer is searched.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path};
use axum::response::Redirect;
use axum::routing::{get, post};
use ishi_othello::picture::BoardPicture;
use ishi_othello::{Move, Position, Square};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::game::{self, JudgedOthelloMove, OthelloGameState, OthelloLesson};
use super::{share, state, view};
use crate::workbench::error::PageError;
use crate::workbench::page::{Room, partial_response};
use crate::workbench::rooms::both_languages::BothLanguages;
use crate::workbench::rooms::lessons::answer_sign;
use crate::workbench::rooms::practice::{
    self, CardVerdict, GamePlace, KeptCard, MOST_GAMES, MistakeProblem, NewCardsForm, PracticeCard,
    PracticeWords, ReviewedGame, now_seconds,
};
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/othello/practice", get(show_overview))
        .route("/othello/practice/add", post(add_lessons))
        .route("/othello/practice/next", get(practice::go_to_next::<OthelloMistake>))
        .route("/othello/practice/{key}", get(show_card).post(answer_card))
        .route("/othello/practice/{key}/grade", post(practice::grade_card::<OthelloMistake>))
        .route("/othello/practice/{key}/forget", post(practice::forget_card::<OthelloMistake>))
}

/// What a card of Othello asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OthelloMistake {
    /// The position before the mistake, as text.
    position: String,
    /// The best move, and those that are as good.
    answers: Vec<String>,
    /// The move of the game.
    played: String,
    /// What is said when it is answered.
    answer: BothLanguages,
}

impl MistakeProblem for OthelloMistake {
    const KIND: &'static str = "othello-card";
    const ROOM: Room = Room::Othello;
    const GAMES: &'static str = "/othello";
    const DOOR: &'static str = "/othello";

    fn words(visitor: &Visitor) -> PracticeWords {
        PracticeWords {
            title: visitor.text("othello-your-own-mistakes"),
            about: visitor.text("othello-problems-out-of-your-reviewed-games"),
            door: visitor.text("othello-open-a-record-or-a-position"),
        }
    }
}

impl OthelloMistake {
    fn from_lesson(
        game: &OthelloGameState,
        lesson: &OthelloLesson,
        judged: &JudgedOthelloMove,
    ) -> OthelloMistake {
        OthelloMistake {
            position: game.position_after(lesson.number.saturating_sub(1)).to_line(),
            answers: lesson.answers.clone(),
            played: judged.square.clone(),
            answer: BothLanguages::from_words(|language| share::answer_text(language, lesson, judged)),
        }
    }

    fn position(&self) -> Result<Position, PageError> {
        Position::from_text(&self.position).map_err(PageError::from_system_error)
    }

    /// What a move is worth as an answer.
    fn judge_answer(&self, square: Square) -> Result<CardVerdict, PageError> {
        self.position()?.play(Move::Play(square))?;
        let answer = square.to_string();
        Ok(match self.answers.iter().position(|good| *good == answer) {
            Some(0) => CardVerdict::Right,
            Some(_) => CardVerdict::AsGood,
            None if self.played == answer => CardVerdict::AsInTheGame,
            None => CardVerdict::Wrong,
        })
    }
}

async fn show_overview(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let listed = desk.ask_store(|store| store.latest_documents(game::KIND, MOST_GAMES)).await?;
    let has_lessons = |body: &serde_json::Value| {
        let game: Result<OthelloGameState, _> = serde_json::from_value(body.clone());
        game.is_ok_and(|game| game.current_review().is_some_and(|review| !review.lessons.is_empty()))
    };
    let reviewed = listed.documents.into_iter().filter(|document| has_lessons(&document.body));
    let games: Vec<ReviewedGame> =
        reviewed.map(|document| ReviewedGame { key: document.key, title: document.title }).collect();
    practice::render_overview::<OthelloMistake>(&desk, &games, &visitor).await
}

/// Makes a card of every lesson of this learner that has none.
async fn add_lessons(desk: DeskState, Form(wanted): Form<NewCardsForm>) -> Result<Redirect, PageError> {
    let game = state::load_game(&desk, &wanted.table).await?;
    let cards = cards_of_game(&wanted.table, &game, &wanted.learner, now_seconds());
    practice::keep_new_cards(&desk, cards).await
}

fn cards_of_game(
    key: &str,
    game: &OthelloGameState,
    learner: &str,
    now: i64,
) -> Vec<PracticeCard<OthelloMistake>> {
    let Some(review) = game.current_review() else { return Vec::new() };
    let wanted = |lesson: &&OthelloLesson| learner.is_empty() || learner == view::lesson_letter(lesson.side);
    let card = |lesson: &OthelloLesson| {
        let judged = review.judged.iter().find(|judged| judged.number == lesson.number)?;
        let place = GamePlace { table: key, title: view::game_title(game), number: lesson.number };
        Some(PracticeCard::new(OthelloMistake::from_lesson(game, lesson, judged), place, now))
    };
    review.lessons.iter().filter(wanted).filter_map(card).collect()
}

async fn show_card(desk: DeskState, Path(key): Path<String>, visitor: Visitor) -> PageAnswer {
    let kept = KeptCard::<OthelloMistake>::load(&desk, &key).await?;
    let position = kept.card.problem.position()?;
    let name = view::color_name(&visitor, position.to_move());
    let question = visitor.text_with("othello-name-to-play-what-is-best", args![name]);
    let picture = BoardPicture::from_position(&position).with_hints(&position);
    let board = html! {
        div.columns {
            div { (view::render_question_board(&visitor, &position, picture, Some(&kept.path()))) }
            div.panel { p.verdict data-heard { (visitor.text("workbench-your-move")) } }
        }
    };
    kept.render_page(&question, board, &visitor)
}

#[derive(Deserialize)]
struct SquareAnswerForm {
    at: String,
}

/// Judges an answer, and asks how hard it was.
async fn answer_card(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(given): Form<SquareAnswerForm>,
) -> PageAnswer {
    let kept = KeptCard::<OthelloMistake>::load(&desk, &key).await?;
    let square: Square = given.at.trim().parse()?;
    let verdict = kept.card.problem.judge_answer(square)?;
    Ok(partial_response(render_answer(&kept, square, verdict, &visitor)?))
}

/// The answer with what is best, and how hard it was.
fn render_answer(
    kept: &KeptCard<OthelloMistake>,
    square: Square,
    verdict: CardVerdict,
    visitor: &Visitor,
) -> Result<Markup, PageError> {
    let problem = &kept.card.problem;
    let position = problem.position()?;
    let best = problem.answers.first().and_then(|best| best.parse().ok());
    let picture = BoardPicture::from_position(&position).with_label(square, answer_sign(verdict.is_right()));
    let picture = match best {
        Some(best) => picture.with_ring(best),
        None => picture,
    };
    Ok(html! {
        div.columns {
            div { (view::render_question_board(visitor, &position, picture, None)) }
            div.panel {
                (verdict.render(square, visitor))
                h3 { (visitor.text("workbench-the-lesson")) }
                p.told { (problem.answer.say(visitor).trim()) }
                (kept.render_grades(verdict.is_right(), visitor))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use ishi_othello::Color;
    use ishi_sgf::othello_records::OthelloRecord;

    use super::super::game::{OthelloReview, Side};
    use super::super::graph::judged_loss;
    use super::*;

    /// A game of three moves, whose second one lost: f6 and f4 were better.
    fn reviewed_game() -> OthelloGameState {
        let played = Position::from_transcript("f5d6c3").unwrap();
        let mut game = OthelloGameState::from_record(&OthelloRecord::from_game(played), 0);
        let said = |text: &str| [text.to_string(), text.to_string()];
        let lesson = OthelloLesson {
            side: Side::White,
            number: 2,
            numbers: vec![2],
            answers: vec!["f6".to_string(), "f4".to_string()],
            text: said("lesson"),
        };
        game.review = Some(OthelloReview {
            level: 4,
            moves: game.moves.clone(),
            judged: vec![JudgedOthelloMove { why: said("why"), ..judged_loss() }],
            complete: true,
            summaries: Vec::new(),
            lessons: vec![lesson],
        });
        game
    }

    #[test]
    fn a_lesson_becomes_a_card_of_its_player() {
        let game = reviewed_game();
        let count = |learner: &str| cards_of_game("k", &game, learner, 0).len();
        assert_eq!([count("B"), count("W"), count("")], [0, 1, 1]);
        let card = cards_of_game("k", &game, "", 0).pop().unwrap();
        let kept: PracticeCard<OthelloMistake> = serde_json::from_value(card.to_json()).unwrap();
        assert_eq!((kept.key().as_str(), &kept.problem), ("k-2", &card.problem));
        let position = kept.problem.position().unwrap();
        assert_eq!((position.to_move(), position.discs(Color::Black).count_ones()), (Color::White, 4));
        let visitor = Visitor::for_language(ishi_words::Language::English);
        assert_eq!(kept.problem.answer.say(&visitor), "f6, f4 (-2)\nwhy\nlesson");
        let mut other = game;
        other.moves.pop();
        assert!(cards_of_game("k", &other, "", 0).is_empty(), "its review is of other moves");
    }

    #[test]
    fn every_good_move_is_right() {
        let card = cards_of_game("k", &reviewed_game(), "", 0).pop().unwrap().problem;
        let judge = |square: &str| card.judge_answer(square.parse().unwrap());
        assert_eq!(judge("f6"), Ok(CardVerdict::Right));
        assert_eq!(judge("f4"), Ok(CardVerdict::AsGood));
        assert_eq!(judge("d6"), Ok(CardVerdict::AsInTheGame));
        assert!(judge("a1").is_err(), "nothing is turned there");
    }
}
