//! One's own mistakes as problems that come back: cards out of the lessons of reviewed games, asked when they are due ([`super::recall`]).
//!
//! A card is a document of the store. An answer that the lesson does not name is searched: it is right if that finds it as good.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path};
use axum::response::Redirect;
use axum::routing::{get, post};
use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};
use ishi_go_play::explain::{ExplainParams, Explainer, MoveVerdict, words};
use ishi_lab::store::{DamagedDocument, DocumentList, StoredDocument};
use ishi_rng::Seed;
use ishi_sgf::GoGame;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::recall::{AnswerQuality, RecallSchedule};
use super::review::{GoLesson, GoReview};
use super::table::{self, GoTable, now_ms};
use super::view::{BoardClick, render_board_frame};
use crate::workbench::documents::keep_new_body;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response};
use crate::workbench::rooms::both_languages::BothLanguages;
use crate::workbench::rooms::damage;
use crate::workbench::rooms::lessons::learner_choices;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};
use crate::workers::JobStop;

/// The kind of its documents.
const KIND: &str = "go-card";
/// Cards that are kept at most.
const MOST_CARDS: usize = 2_000;
/// Games whose lessons are offered.
const MOST_GAMES: usize = 20;
/// Cards that are listed.
const LISTED: usize = 50;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/go/practice", get(show_overview))
        .route("/go/practice/add", post(add_lessons))
        .route("/go/practice/next", get(go_to_next))
        .route("/go/practice/{key}", get(show_card).post(answer_card))
        .route("/go/practice/{key}/grade", post(grade_card))
        .route("/go/practice/{key}/forget", post(forget_card))
}

/// A problem out of a game of one's own.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PracticeCard {
    columns: usize,
    rows: usize,
    black: Vec<String>,
    white: Vec<String>,
    /// `B` or `W`.
    to_move: char,
    komi: f64,
    rules: String,
    question: BothLanguages,
    answer: BothLanguages,
    better: String,
    played: String,
    /// The game, its name, and the move of it.
    table: String,
    title: String,
    number: usize,
    schedule: RecallSchedule,
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CardVerdict {
    /// It is the better move of the lesson.
    Right,
    /// It is not worse than that, by the search.
    AsGood,
    /// It is worse.
    Wrong,
    /// It is the move of the game.
    AsInTheGame,
}

/// An answer, and what was found about it besides the lesson.
struct JudgedAnswer {
    point: Point,
    verdict: CardVerdict,
    text: String,
}

fn now_seconds() -> i64 {
    i64::try_from(now_ms() / 1_000).unwrap_or(i64::MAX)
}

impl PracticeCard {
    /// The card of a lesson; none if a pass is better, or a ko forbids a move, which stones on a board do not say.
    fn from_lesson(
        table: &GoTable,
        review: &GoReview,
        lesson: &GoLesson,
        now: i64,
    ) -> Result<Option<PracticeCard>, PageError> {
        let size = table.size()?;
        let better = lesson.better.as_deref().and_then(|better| size.parse_point(better).ok());
        let last = review.find_line(table).and_then(|line| line.last().copied());
        let (Some(better), Some(last)) = (better, last) else { return Ok(None) };
        let game = GoGame::read_line_to(&table.tree, last)?;
        let played = lesson.number.saturating_sub(1);
        let shown = game.replay_position(table.rules(), Some(played))?;
        let board = shown.position.board();
        let Some(row) = review.rows.get(played).filter(|_| board.ko_point().is_none()) else {
            return Ok(None);
        };
        let stones = |color: Color| {
            let own = size.points().filter(|&point| board.color(point) == Some(color));
            own.map(|point| point.to_string()).collect()
        };
        let [question, answer] = lesson.texts().map(Clone::clone);
        Ok(Some(PracticeCard {
            columns: size.width(),
            rows: size.height(),
            black: stones(Color::Black),
            white: stones(Color::White),
            to_move: row.color,
            komi: shown.position.komi(),
            rules: table.rules().to_string(),
            question,
            answer,
            better: better.to_string(),
            played: row.vertex.clone(),
            table: table.key.clone(),
            title: table.title(),
            number: lesson.number,
            schedule: RecallSchedule::new(now),
        }))
    }

    fn from_document(document: &StoredDocument) -> Result<PracticeCard, PageError> {
        serde_json::from_value(document.body.clone()).map_err(PageError::from_system_error)
    }

    /// The key of a lesson's card: a game has one for each of its moves at most.
    fn key(&self) -> String {
        format!("{}-{}", self.table, self.number)
    }

    fn name(&self) -> String {
        format!("{} ({})", self.title, self.number)
    }

    fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn color(&self) -> Color {
        if self.to_move == Color::Black.letter() { Color::Black } else { Color::White }
    }

    fn position(&self) -> Result<Position, PageError> {
        let size = BoardSize::new(self.columns, self.rows).map_err(PageError::from_system_error)?;
        let mut stones = Vec::new();
        for (color, vertices) in [(Color::Black, &self.black), (Color::White, &self.white)] {
            for vertex in vertices {
                stones.push((color, size.parse_point(vertex).map_err(PageError::from_system_error)?));
            }
        }
        let rules: Rules = self.rules.parse().map_err(PageError::from_system_error)?;
        let mut position =
            Position::from_setup(size, rules, stones, self.color()).map_err(PageError::from_system_error)?;
        position.set_komi(self.komi).map_err(PageError::from_system_error)?;
        Ok(position)
    }

    /// What a move is worth as an answer. Moves that the lesson does not name are searched beside the better one.
    fn judge_answer(
        &self,
        point: Point,
        seed: Seed,
        visitor: &Visitor,
        stop: &JobStop,
    ) -> Result<JudgedAnswer, PageError> {
        let position = self.position()?;
        let known = |verdict| Ok(JudgedAnswer { point, verdict, text: String::new() });
        if point.to_string() == self.better {
            return known(CardVerdict::Right);
        }
        if point.to_string() == self.played {
            return known(CardVerdict::AsInTheGame);
        }
        position.check_move(self.color(), point.into())?;
        let better = position.size().parse_point(&self.better).map_err(PageError::from_system_error)?;
        let params = ExplainParams { listener: visitor.listener, ..ExplainParams::of_level(5) };
        let mut explainer = Explainer::new(params, seed).with_stop(stop.clone());
        let explanation = explainer.explain_move(&position, Some(Move::Play(better)), &[point]);
        let other = explanation.why_not.first();
        let is_worse = other.is_none_or(|other| other.verdict == MoveVerdict::Worse);
        let text = words::why_not_text(&explanation, visitor.language).trim().to_string();
        let verdict = if is_worse { CardVerdict::Wrong } else { CardVerdict::AsGood };
        Ok(JudgedAnswer { point, verdict, text })
    }
}

impl CardVerdict {
    fn is_right(self) -> bool {
        matches!(self, CardVerdict::Right | CardVerdict::AsGood)
    }
}

/// A card with its revision, as the store has it.
struct KeptCard {
    key: String,
    revision: u64,
    card: PracticeCard,
}

impl KeptCard {
    fn from_document(document: &StoredDocument) -> Result<KeptCard, PageError> {
        let card = PracticeCard::from_document(document)?;
        Ok(KeptCard { key: document.key.clone(), revision: document.revision, card })
    }

    async fn load(desk: &WorkbenchState, key: &str) -> Result<KeptCard, PageError> {
        let document = desk.find_document(KIND, key).await?.ok_or_else(|| {
            PageError::not_found_with("go-there-is-no-problem", args![key = format!("{key:?}")])
        })?;
        KeptCard::from_document(&document)
    }
}

/// All cards, and those that are damaged.
async fn load_all_cards(desk: &WorkbenchState) -> Result<(Vec<KeptCard>, Vec<DamagedDocument>), PageError> {
    let DocumentList { documents, damaged } =
        desk.ask_store(|store| store.latest_documents(KIND, MOST_CARDS)).await?;
    Ok((documents.iter().filter_map(|document| KeptCard::from_document(document).ok()).collect(), damaged))
}

/// All cards; those that cannot be read are left out.
async fn load_cards(desk: &WorkbenchState) -> Result<Vec<KeptCard>, PageError> {
    load_all_cards(desk).await.map(|(cards, _)| cards)
}

/// The card that is to be asked now; none if none is due.
fn next_card(cards: &[KeptCard], now: i64) -> Option<&KeptCard> {
    let due = cards.iter().filter(|kept| kept.card.schedule.is_due(now));
    due.min_by_key(|kept| (kept.card.schedule.order(now), kept.key.clone()))
}

async fn show_overview(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let (mut cards, damaged) = load_all_cards(&desk).await?;
    let documents = desk.ask_store(|store| store.latest_documents(table::KIND, MOST_GAMES)).await?;
    let games: Vec<GoTable> =
        documents.documents.iter().filter_map(|document| GoTable::from_document(document).ok()).collect();
    let now = now_seconds();
    cards.sort_by_key(|kept| (kept.card.schedule.order(now), kept.key.clone()));
    let title = visitor.text("go-your-own-mistakes");
    let body = html! {
        h1 { (title) }
        p { (visitor.text("go-problems-out-of-your-reviewed-games")) }
        (render_due(&cards, now, &visitor))
        h2 { (visitor.text("go-reviewed-games")) }
        (render_games(&games, &visitor))
        h2 { (visitor.text("go-all-problems-in-practice")) }
        (damage::render_damage(&visitor, &damaged))
        (render_cards(&cards, now, &visitor))
    };
    Ok(Page::new(Room::Go, title).render_page(&visitor, body))
}

/// How many are due, and the way to the next.
fn render_due(cards: &[KeptCard], now: i64, visitor: &Visitor) -> Markup {
    let due = cards.iter().filter(|kept| kept.card.schedule.is_due(now)).count();
    let words = visitor.text_with("go-due-now", args![due, all = cards.len()]);
    html! {
        p #due { (words) }
        @if due > 0 {
            p { a.button.main href="/go/practice/next" { (visitor.text("go-next-problem")) } }
        }
    }
}

/// The games with lessons, and the ways to make problems of them.
fn render_games(games: &[GoTable], visitor: &Visitor) -> Markup {
    let lessons = |game: &GoTable| game.review.as_ref().map_or(0, |review| review.lessons.len());
    let reviewed: Vec<&GoTable> = games.iter().filter(|game| lessons(game) > 0).collect();
    html! {
        @if reviewed.is_empty() {
            p { (visitor.text("go-none-yet-open-a-game-and")) }
            p { a.button.main href="/" { (visitor.text("go-open-a-record")) } }
        }
        @for game in reviewed {
            form.row method="post" action="/go/practice/add" {
                input type="hidden" name="table" value=(game.key);
                a href={ "/go/" (game.key) } { (game.title()) }
                @for (learner, words) in learner_choices(visitor) {
                    button name="learner" value=(learner) { (words) }
                }
            }
        }
    }
}

/// The cards with the days until they are asked.
fn render_cards(cards: &[KeptCard], now: i64, visitor: &Visitor) -> Markup {
    let when = |kept: &KeptCard| match kept.card.schedule.days_left(now) {
        0 => visitor.text("go-due").to_string(),
        days => visitor.text_with("go-in-days", args![days]),
    };
    html! {
        @if cards.is_empty() { p.quiet { (visitor.text("go-none-yet-say-which-colour")) } }
        @for kept in cards.iter().take(LISTED) {
            form.row method="post" action={ "/go/practice/" (kept.key) "/forget" } {
                a href={ "/go/practice/" (kept.key) } { (kept.card.name()) }
                span.quiet { (when(kept)) }
                button { (visitor.text("go-remove")) }
            }
        }
    }
}

#[derive(Deserialize)]
struct AddForm {
    table: String,
    /// `B`, `W`, or nothing for both.
    #[serde(default)]
    learner: String,
}

/// Makes a card of every lesson of this learner that has none.
async fn add_lessons(desk: DeskState, Form(wanted): Form<AddForm>) -> Result<Redirect, PageError> {
    let game = GoTable::load(&desk, &wanted.table).await?;
    let known = load_cards(&desk).await?;
    let cards = new_cards(cards_of_game(&game, &wanted.learner, now_seconds())?, &known);
    for card in cards {
        // A card that somebody made meanwhile stays as it is.
        let (key, name, body) = (card.key(), card.name(), card.to_json());
        desk.ask_store(move |store| keep_new_body(store, KIND, &key, &name, &body)).await?;
    }
    Ok(Redirect::to("/go/practice"))
}

/// Those that there are not yet, as many as there is room for.
fn new_cards(mut cards: Vec<PracticeCard>, known: &[KeptCard]) -> Vec<PracticeCard> {
    cards.retain(|card| known.iter().all(|kept| kept.key != card.key()));
    cards.truncate(MOST_CARDS.saturating_sub(known.len()));
    cards
}

fn cards_of_game(game: &GoTable, learner: &str, now: i64) -> Result<Vec<PracticeCard>, PageError> {
    let mut cards = Vec::new();
    let Some(review) = &game.review else { return Ok(cards) };
    for lesson in &review.lessons {
        let is_wanted = review
            .rows
            .get(lesson.number.saturating_sub(1))
            .is_some_and(|row| learner.is_empty() || learner == row.color.to_string());
        if is_wanted {
            cards.extend(PracticeCard::from_lesson(game, review, lesson, now)?);
        }
    }
    Ok(cards)
}

async fn go_to_next(desk: DeskState) -> Result<Redirect, PageError> {
    let cards = load_cards(&desk).await?;
    let place = match next_card(&cards, now_seconds()) {
        Some(kept) => format!("/go/practice/{}", kept.key),
        None => "/go/practice".to_string(),
    };
    Ok(Redirect::to(&place))
}

async fn show_card(desk: DeskState, Path(key): Path<String>, visitor: Visitor) -> PageAnswer {
    let kept = KeptCard::load(&desk, &key).await?;
    let title = kept.card.name();
    let body = html! {
        h1 { (title) }
        p.question { (kept.card.question.say(&visitor)) }
        div #card data-stays { (render_question(&kept, &visitor)?) }
        p.row {
            a.button href="/go/practice" { (visitor.text("go-all-problems")) }
            a.button href={ "/go/" (kept.card.table) } { (visitor.text("go-the-game")) }
        }
    };
    Ok(Page::new(Room::Go, &title).render_page(&visitor, body))
}

/// The board that is answered on.
fn render_question(kept: &KeptCard, visitor: &Visitor) -> Result<Markup, PageError> {
    let position = kept.card.position()?;
    let picture = BoardPicture::from_board(position.board()).with_depth();
    let path = format!("/go/practice/{}", kept.key);
    let click = BoardClick { path: &path, target: "#card", fields: "", stone: Some(position.to_move()) };
    Ok(html! {
        div.columns {
            (render_board_frame("card-board", position.size(), Some(click), position.board(), &picture.to_svg(), visitor))
            div.panel { p.verdict data-heard { (visitor.text("go-your-move")) } }
        }
    })
}

#[derive(Deserialize)]
struct AnswerForm {
    at: String,
}

/// Judges an answer, and asks how hard it was.
async fn answer_card(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(given): Form<AnswerForm>,
) -> PageAnswer {
    let kept = KeptCard::load(&desk, &key).await?;
    let size = kept.card.position()?.size();
    let point = size.parse_point(&given.at)?;
    let (card, seed, reader) = (kept.card.clone(), desk.settings.seed, visitor.clone());
    let judged = desk.compute(move |stop| card.judge_answer(point, seed, &reader, stop)).await??;
    Ok(partial_response(render_answer(&kept, &judged, &visitor)?))
}

fn verdict_words(judged: &JudgedAnswer, visitor: &Visitor) -> String {
    let point = judged.point;
    match judged.verdict {
        CardVerdict::Right => visitor.text_with("go-verdict-right", args![point]),
        CardVerdict::AsGood => visitor.text_with("go-verdict-as-good", args![point]),
        CardVerdict::Wrong => visitor.text_with("go-verdict-wrong", args![point]),
        CardVerdict::AsInTheGame => visitor.text_with("go-verdict-as-in-the-game", args![point]),
    }
}

/// The answer with what was played and what is better, and how hard it was.
fn render_answer(kept: &KeptCard, judged: &JudgedAnswer, visitor: &Visitor) -> Result<Markup, PageError> {
    let (card, position) = (&kept.card, kept.card.position()?);
    let better = position.size().parse_point(&card.better).map_err(PageError::from_system_error)?;
    let picture = BoardPicture::from_board(position.board())
        .with_mark(better, PictureMark::Circle, PictureTone::Note)
        .with_label(judged.point, "?", None)
        .with_depth();
    let class = if judged.verdict.is_right() { "good" } else { "bad" };
    Ok(html! {
        div.columns {
            (render_board_frame("card-board", position.size(), None, position.board(), &picture.to_svg(), visitor))
            div.panel {
                p.verdict.(class) data-heard { (verdict_words(judged, visitor)) }
                @if !judged.text.is_empty() { p.told { (judged.text) } }
                h3 { (visitor.text("go-the-lesson")) }
                p.told { (card.answer.say(visitor).trim()) }
                (render_grades(kept, judged.verdict.is_right(), visitor))
            }
        }
    })
}

/// After a wrong answer there is one way on; after a right one the learner says how hard it was.
fn render_grades(kept: &KeptCard, is_right: bool, visitor: &Visitor) -> Markup {
    let wrong = [("again", visitor.text("go-next-in-practice"))];
    let right = [
        ("hard", visitor.text("go-it-was-hard")),
        ("good", visitor.text("go-it-took-a-while")),
        ("easy", visitor.text("go-it-was-easy")),
    ];
    let choices = if is_right { &right[..] } else { &wrong[..] };
    html! {
        form.row method="post" action={ "/go/practice/" (kept.key) "/grade" } {
            input type="hidden" name="revision" value=(kept.revision);
            @for (quality, words) in choices {
                button.main name="quality" value=(quality) { (words) }
            }
        }
    }
}

#[derive(Deserialize)]
struct GradeForm {
    quality: AnswerQuality,
    revision: u64,
}

/// Keeps when the problem is asked again, and goes to the next one.
async fn grade_card(
    desk: DeskState,
    Path(key): Path<String>,
    Form(grade): Form<GradeForm>,
) -> Result<Redirect, PageError> {
    let mut kept = KeptCard::load(&desk, &key).await?;
    kept.card.schedule = kept.card.schedule.after_answer(grade.quality, now_seconds());
    // Who sends a grade twice must not be asked two intervals later.
    desk.keep_body(KIND, &key, kept.card.name(), kept.card.to_json(), grade.revision).await?;
    Ok(Redirect::to("/go/practice/next"))
}

async fn forget_card(desk: DeskState, Path(key): Path<String>) -> Result<Redirect, PageError> {
    desk.ask_store(move |store| store.forget_document(KIND, &key)).await?;
    Ok(Redirect::to("/go/practice"))
}

#[cfg(test)]
mod tests {
    use super::super::review::ReviewedMove;
    use super::*;

    /// A game with a review that says of one move that another was better.
    fn reviewed_game(sgf: &str, number: usize, better: &str) -> GoTable {
        let mut game = GoTable::from_record("abc".to_string(), sgf.as_bytes()).unwrap();
        let size = game.size().unwrap();
        let record = GoGame::read_line_to(&game.tree, game.tree.main_line().last().unwrap()).unwrap();
        assert_eq!(size.area(), 81);
        let rows = record.moves().map(|played| ReviewedMove {
            color: played.color.letter(),
            vertex: played.mv.to_string(),
            black_lead: 0.0,
            black_win_rate: 0.5,
            lost_points: 8.0,
            lost_win_rate: 0.2,
        });
        let mut lesson = GoLesson::with_answer(number, "Better: it is bigger.", "もっと良い手があります。");
        lesson.better = Some(better.to_string());
        let (rows, lessons) = (rows.collect(), vec![lesson]);
        game.review = Some(GoReview { rows, turning_points: Vec::new(), lessons, summary: Vec::new() });
        game
    }

    const GAME: &str = "(;SZ[9]KM[7];B[ee];W[de];B[aa];W[ff])";

    fn card_with_better(better: &str) -> Option<PracticeCard> {
        cards_of_game(&reviewed_game(GAME, 3, better), "", 0).unwrap().pop()
    }

    /// The stones before the mistake, who made it, and nothing of the game after it.
    #[test]
    fn a_lesson_becomes_a_card_of_its_player() {
        let card = card_with_better("C3").unwrap();
        let kept: PracticeCard = serde_json::from_value(card.to_json()).unwrap();
        let position = kept.position().unwrap();
        assert_eq!((position.to_move(), position.komi(), position.moves().len()), (Color::Black, 7.0, 0));
        assert_eq!((kept.black.join(" "), kept.white.join(" ")), ("E5".to_string(), "D5".to_string()));
        assert_eq!((kept.key(), kept.played.as_str()), ("abc-3".to_string(), "A9"));
        assert!(kept.schedule.is_due(0), "it is asked at once");
        let count = |learner: &str| cards_of_game(&reviewed_game(GAME, 3, "C3"), learner, 0).unwrap().len();
        assert_eq!([count("B"), count("W"), count("")], [1, 0, 1]);
        assert!(card_with_better("pass").is_none(), "a pass is no point to click on");
    }

    #[test]
    fn answers_that_the_lesson_does_not_name_are_searched() {
        let sgf = "(;SZ[9]KM[7];B[cc];W[aa])";
        let card = cards_of_game(&reviewed_game(sgf, 2, "F4"), "W", 0).unwrap().pop().unwrap();
        let position = card.position().unwrap();
        let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let judge = |vertex: &str| {
            let stop = JobStop::default();
            card.judge_answer(point(vertex), Seed::new(1), &visitor, &stop)
        };
        assert_eq!(judge("F4").unwrap().verdict, CardVerdict::Right);
        assert_eq!(judge("A9").unwrap().verdict, CardVerdict::AsInTheGame);
        assert!(judge("C7").is_err(), "a stone stands there");
        let wrong = judge("J1").unwrap();
        assert_eq!(wrong.verdict, CardVerdict::Wrong);
        assert!(wrong.text.contains("White J1 loses"), "{}", wrong.text);
    }

    /// The last place goes to a card that is new, and not to one that is there already.
    #[test]
    fn cards_that_there_are_take_no_room_twice() {
        let one = card_with_better("C3").unwrap();
        let card = |number: usize| PracticeCard { number, ..one.clone() };
        let known: Vec<KeptCard> = (1..MOST_CARDS)
            .map(|number| KeptCard { key: card(number).key(), revision: 1, card: card(number) })
            .collect();
        let made = new_cards(vec![card(1), card(5000), card(5001)], &known);
        assert_eq!(made.iter().map(|card| card.number).collect::<Vec<usize>>(), [5000]);
    }

    /// Who has no problems yet is told what to do.
    #[test]
    fn empty_practice_says_what_to_do_next() {
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let games = render_games(&[], &visitor).into_string();
        assert!(games.contains("let it be reviewed") && games.contains("href=\"/\""), "{games}");
        let cards = render_cards(&[], 0, &visitor).into_string();
        assert!(cards.contains("which colour you had"), "{cards}");
        let game = reviewed_game(GAME, 3, "C3");
        assert!(!render_games(&[game], &visitor).into_string().contains("href=\"/\""));
    }

    #[test]
    fn the_longest_overdue_card_is_asked_first() {
        let kept = |key: &str, due: i64| {
            let schedule = RecallSchedule::new(due);
            let card = PracticeCard { schedule, ..card_with_better("C3").unwrap() };
            KeptCard { key: key.to_string(), revision: 1, card }
        };
        let cards = [kept("new", 90), kept("old", 10), kept("later", 500)];
        assert_eq!(next_card(&cards, 100).map(|kept| kept.key.as_str()), Some("old"));
        assert!(next_card(&cards, 5).is_none());
    }
}
