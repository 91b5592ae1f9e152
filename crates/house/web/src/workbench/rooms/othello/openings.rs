//! Openings, asked until one knows them: the page of `ishi othello practice`. What was missed comes back in later sessions.
//!
//! One document holds what was missed so far, as the command keeps it in a file, and the session that goes on.

use std::sync::Arc;

use axum::Router;
use axum::extract::Form;
use axum::response::Redirect;
use axum::routing::{get, post};
use ishi_othello::picture::BoardPicture;
use ishi_othello::{Color, Position, Square};
use ishi_othello_play::book::{Book, BookMove};
use ishi_othello_play::openings::OpeningNames;
use ishi_othello_play::practice::{
    JudgedAnswer, OpeningPractice, PracticeSession, QuestionWish, gather_questions, judge_answer,
    list_good_moves,
};
use ishi_rng::Seed;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::view;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response};
use crate::workbench::rooms::lessons::answer_sign;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// The kind of its document, and the key: there is one.
const KIND: &str = "othello-openings";
const KEY: &str = "own";
/// New positions of a session, and moves beyond those from which it begins, as the command has them.
const NEW_POSITIONS: usize = 10;
const MOST_PLIES: usize = 12;

const PLACE: &str = "/othello/openings";
const ANSWER_PLACE: &str = "/othello/openings/answer";

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route(PLACE, get(show_question).post(begin_session))
        .route(ANSWER_PLACE, post(answer_question))
}

/// What is kept.
#[derive(Default, Serialize, Deserialize)]
struct OpeningTraining {
    /// What was missed in all sessions, as the command keeps it; empty before the first.
    practice: String,
    /// Moves that lead to what is still asked, and to what was missed in this session.
    queue: Vec<String>,
    again: Vec<String>,
    right: usize,
    missed: usize,
}

/// The training as it is worked with.
struct OpenTraining {
    practice: OpeningPractice,
    session: PracticeSession,
    revision: u64,
}

impl OpenTraining {
    async fn load(desk: &WorkbenchState) -> Result<OpenTraining, PageError> {
        let Some(document) = desk.find_document(KIND, KEY).await? else {
            let (practice, session) = (OpeningPractice::default(), PracticeSession::default());
            return Ok(OpenTraining { practice, session, revision: 0 });
        };
        let kept: OpeningTraining =
            serde_json::from_value(document.body).map_err(PageError::from_system_error)?;
        let practice = match kept.practice.as_str() {
            "" => OpeningPractice::default(),
            text => text.parse().map_err(PageError::from_system_error)?,
        };
        let session = PracticeSession::resume([&kept.queue, &kept.again], kept.right, kept.missed);
        Ok(OpenTraining { practice, session, revision: document.revision })
    }

    async fn save(&self, desk: &WorkbenchState) -> Result<(), PageError> {
        let [queue, again] = self.session.list_moves();
        let PracticeSession { right, missed, .. } = self.session;
        let kept = OpeningTraining { practice: self.practice.to_string(), queue, again, right, missed };
        let body = serde_json::to_value(kept).map_err(PageError::from_system_error)?;
        desk.keep_body(KIND, KEY, String::new(), body, self.revision).await.map(|_| ())
    }

    /// Begins a session. One that goes on is given up.
    ///
    /// # Errors
    /// If the book has nothing there.
    fn begin_session(&mut self, from: &Position, color: Option<Color>, seed: Seed) -> Result<(), PageError> {
        self.practice.begin_session();
        // Another session asks other positions.
        let mut rng = seed.stream("othello-practice", u64::from(self.practice.session()));
        let wish = QuestionWish { from, color, count: NEW_POSITIONS, plies: MOST_PLIES };
        let queue = gather_questions(Book::builtin(), wish, &self.practice, &mut rng);
        if queue.is_empty() {
            let moves = from.to_transcript();
            return Err(PageError::invalid_input_with("othello-the-book-has-nothing-to-ask", args![moves]));
        }
        self.session = PracticeSession::new(queue);
        Ok(())
    }
}

async fn show_question(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let training = OpenTraining::load(&desk).await?;
    let title = visitor.text("othello-openings");
    let body = html! {
        h1 { (title) }
        @if let Some(position) = training.session.question() {
            div #card data-stays { (render_question(&training, position, &visitor)) }
            details {
                summary { (visitor.text("othello-begin-another-session")) }
                (render_begin_form(&visitor))
            }
        } @else {
            p { (visitor.text("othello-positions-of-the-book-are-asked")) }
            (render_result(&training, &visitor))
            (render_begin_form(&visitor))
        }
        p.row { a.button href="/othello" { (visitor.text("othello-othello")) } }
    };
    Ok(Page::new(Room::Othello, title).render_page(&visitor, body))
}

/// How the last session went, if there was one.
fn render_result(training: &OpenTraining, visitor: &Visitor) -> Markup {
    let PracticeSession { right, missed, .. } = training.session;
    let later = training.practice.cards().count();
    html! {
        @if right + missed > 0 {
            p #result { (visitor.text_with("othello-the-session-is-done", args![right, missed])) }
        }
        @if later > 0 { p { (visitor.text_with("othello-positions-will-come-back", args![later])) } }
    }
}

fn render_begin_form(visitor: &Visitor) -> Markup {
    let colors = [
        ("", visitor.text("workbench-both")),
        ("B", visitor.text("othello-black")),
        ("W", visitor.text("othello-white")),
    ];
    html! {
        form.form method="post" action=(PLACE) {
            label for="openings-color" { (visitor.text("othello-whose-moves-are-asked")) }
            select #openings-color name="color" {
                @for (value, words) in colors { option value=(value) { (words) } }
            }
            label for="openings-from" { (visitor.text("othello-begin-after-these-moves")) }
            input #openings-from name="from" placeholder="f5d6c3";
            div.wide { button.main { (visitor.text("othello-begin")) } }
        }
    }
}

/// Who is to play where, and the way to the answer.
fn render_question(training: &OpenTraining, position: &Position, visitor: &Visitor) -> Markup {
    let name = view::color_name(visitor, position.to_move());
    let picture = BoardPicture::from_position(position).with_hints(position);
    html! {
        div.columns {
            div { (view::render_question_board(visitor, position, picture, Some(ANSWER_PLACE))) }
            div.panel {
                p.question { (visitor.text_with("othello-name-to-play-what-is-best", args![name])) }
                p.verdict data-heard { (visitor.text("workbench-your-move")) }
                (render_place(training, position, visitor))
                input type="hidden" name="asked" value=(position.to_transcript());
                button hx-post=(ANSWER_PLACE) hx-include="[name=asked]" hx-target="#card" { (visitor.text("othello-show-the-answer")) }
            }
        }
    }
}

/// The moves so far with their opening, the session, and how many are left.
fn render_place(training: &OpenTraining, position: &Position, visitor: &Visitor) -> Markup {
    let opening = OpeningNames::builtin().title_of_game(position, visitor.language);
    let (session, left) = (training.practice.session(), training.session.count_left());
    html! {
        p.othello-line { (position.to_transcript()) }
        @if let Some(opening) = opening { p { b { (opening) } } }
        p.quiet { (visitor.text_with("othello-session-and-what-is-left", args![session, left])) }
    }
}

#[derive(Deserialize)]
struct NewSessionForm {
    /// `B`, `W`, or nothing for both.
    #[serde(default)]
    color: String,
    #[serde(default)]
    from: String,
}

/// Where a session begins: moves from the usual start, also in a link. Nothing is the start itself.
fn parse_beginning(text: &str) -> Result<Position, PageError> {
    let from = Position::from_given(text)?;
    if from.setup() != Position::start().setup() {
        // Cards keep moves, and a board has none.
        return Err(PageError::invalid_input("othello-openings-begin-with-moves"));
    }
    Ok(from)
}

async fn begin_session(desk: DeskState, Form(wanted): Form<NewSessionForm>) -> Result<Redirect, PageError> {
    let from = parse_beginning(&wanted.from)?;
    let color = match wanted.color.as_str() {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    };
    let mut training = OpenTraining::load(&desk).await?;
    training.begin_session(&from, color, desk.settings.seed)?;
    training.save(&desk).await?;
    Ok(Redirect::to(PLACE))
}

#[derive(Deserialize)]
struct OpeningAnswerForm {
    /// Nothing: the answer is not known.
    #[serde(default)]
    at: String,
    /// The moves that lead to what was asked.
    asked: String,
}

/// Holds an answer against the book, and keeps it.
async fn answer_question(
    desk: DeskState,
    visitor: Visitor,
    Form(given): Form<OpeningAnswerForm>,
) -> PageAnswer {
    let mut training = OpenTraining::load(&desk).await?;
    // Another tab may have answered it.
    let asked = training.session.question().filter(|asked| asked.to_transcript() == given.asked);
    let position = asked.cloned().ok_or_else(PageError::changed_elsewhere)?;
    let square: Option<Square> = match given.at.trim() {
        "" => None,
        at => Some(at.parse()?),
    };
    if let Some(square) = square {
        position.clone().play(square.into())?;
    }
    let judged = square.map(|square| (square, judge_answer(Book::builtin(), position.board(), square)));
    let is_good = judged.as_ref().is_some_and(|(_, judged)| judged.good);
    training.session.note_answer(&mut training.practice, is_good);
    training.save(&desk).await?;
    Ok(partial_response(render_answer(&position, judged.as_ref(), &visitor)))
}

fn verdict_words(square: Square, judged: &JudgedAnswer, visitor: &Visitor) -> String {
    match (judged.good, judged.loss) {
        (true, _) => visitor.text_with("workbench-verdict-right", args![point = square]),
        (false, Some(loss)) => visitor.text_with("othello-square-loses-discs", args![square, loss]),
        (false, None) => visitor.text_with("othello-square-is-not-in-the-book", args![square]),
    }
}

/// What the book says, with the good moves and the way on.
fn render_answer(position: &Position, judged: Option<&(Square, JudgedAnswer)>, visitor: &Visitor) -> Markup {
    let good = list_good_moves(Book::builtin(), position.board());
    let picture = BoardPicture::from_position(position);
    let picture = judged
        .iter()
        .fold(picture, |picture, (square, answer)| picture.with_label(*square, answer_sign(answer.good)));
    let picture = good.iter().take(1).fold(picture, |picture, best| picture.with_ring(best.square));
    html! {
        div.columns {
            div { (view::render_question_board(visitor, position, picture, None)) }
            div.panel {
                @if let Some((square, judged)) = judged {
                    p.verdict.(if judged.good { "good" } else { "bad" }) data-heard { (verdict_words(*square, judged, visitor)) }
                }
                p { (visitor.text("othello-good-moves")) (visitor.text("workbench-colon")) }
                ul { @for known in &good { li { (render_good_move(position, known, visitor)) } } }
                p { a.button.main href=(PLACE) { (visitor.text("workbench-next-in-practice")) } }
            }
        }
    }
}

/// `c4 +1 (Tiger)`.
fn render_good_move(position: &Position, known: &BookMove, visitor: &Visitor) -> Markup {
    let opening = OpeningNames::builtin().opening_at(position.board().play_unchecked(known.square));
    let name = opening.and_then(|opening| opening.name(visitor.language));
    html! {
        (known.square) " " (format!("{:+}", known.value))
        @if let Some(name) = name { " " b { (name) } }
    }
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::super::game::LATE_GAME;
    use super::*;
    use crate::workbench::desk::test_desk;

    #[test]
    fn a_right_answer_has_another_sign_on_the_board_than_a_wrong_one() {
        let position = Position::from_transcript("f5").unwrap();
        let visitor = Visitor::for_language(Language::English);
        let signs = |name: &str| {
            let square: Square = name.parse().unwrap();
            let judged = judge_answer(Book::builtin(), position.board(), square);
            let page = render_answer(&position, Some(&(square, judged)), &visitor).into_string();
            [page.contains('✓'), page.contains(">?<")]
        };
        assert_eq!([signs("d6"), signs("f4")], [[true, false], [false, true]]);
    }

    #[tokio::test]
    async fn what_was_missed_is_kept_and_comes_back_in_the_next_session() {
        let desk = test_desk();
        let from = Position::from_transcript("f5d6").unwrap();
        let mut training = OpenTraining::load(&desk).await.unwrap();
        assert!(training.session.question().is_none(), "nothing is asked before the first session");
        training.begin_session(&from, Some(Color::Black), Seed::new(1)).unwrap();
        let first = training.session.question().unwrap().clone();
        assert_eq!(first.to_move(), Color::Black);
        training.session.note_answer(&mut training.practice, false);
        training.save(&desk).await.unwrap();
        let mut again = OpenTraining::load(&desk).await.unwrap();
        assert_eq!((again.session.missed, again.practice.session()), (1, 1));
        assert_eq!(again.session.list_moves(), training.session.list_moves());
        // What another tab has kept meanwhile is not lost.
        assert_eq!(training.save(&desk).await, Err(PageError::changed_elsewhere()));
        again.begin_session(&from, None, Seed::new(1)).unwrap();
        let due = again.session.question().map(|due| due.board().canonical_form().0);
        assert_eq!(due, Some(first.board().canonical_form().0));
    }

    #[test]
    fn a_place_without_questions_is_refused() {
        let (practice, session) = (OpeningPractice::default(), PracticeSession::default());
        let mut training = OpenTraining { practice, session, revision: 0 };
        let late = Position::from_transcript(LATE_GAME).unwrap();
        let refused = training.begin_session(&late, None, Seed::new(1)).unwrap_err();
        let visitor = Visitor::for_language(Language::English);
        let words = refused.localized_message(&visitor);
        assert!(words.starts_with("the book has nothing to ask after f5f6"), "{words}");
    }

    #[test]
    fn a_session_begins_after_moves_however_they_are_written() {
        let from = |text: &str| parse_beginning(text).map(|position| position.to_transcript());
        for text in ["f5d6c3", " F5 d6 c3 ", "https://example.org/#f5d6c3"] {
            assert_eq!(from(text).unwrap(), "f5d6c3", "{text}");
        }
        assert_eq!([from("").unwrap(), from("start").unwrap()], ["", ""]);
        let board = Position::from_transcript("f5d6c3").unwrap().to_line();
        let visitor = Visitor::for_language(Language::English);
        let words = from(&board).unwrap_err().localized_message(&visitor);
        assert!(words.starts_with("openings begin with moves from the usual start"), "{words}");
    }

    #[test]
    fn answers_are_held_against_the_book() {
        let position = Position::from_transcript("f5").unwrap();
        let visitor = Visitor::for_language(Language::English);
        let judge = |square: &str| {
            let square: Square = square.parse().unwrap();
            (square, judge_answer(Book::builtin(), position.board(), square))
        };
        let right = render_answer(&position, Some(&judge("d6")), &visitor).into_string();
        assert!(right.contains("Yes, d6.") && right.contains("Good moves"), "{right}");
        let wrong = render_answer(&position, Some(&judge("f4")), &visitor).into_string();
        assert!(wrong.contains("class=\"verdict bad\"") && wrong.contains("f4 "), "{wrong}");
        let unknown = render_answer(&position, None, &visitor).into_string();
        assert!(unknown.contains("Good moves") && !unknown.contains("class=\"verdict"), "{unknown}");
    }
}
