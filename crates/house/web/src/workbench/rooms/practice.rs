//! One's own mistakes as problems that come back, of Go and of Othello: cards out of the lessons of reviewed games, asked when they are due
//! ([`super::recall`]). A card is a document of the store. What is asked, and what an answer is worth, the room of its game knows.

use std::fmt::Display;

use axum::extract::{Form, Path};
use axum::response::Redirect;
use ishi_lab::store::{DamagedDocument, DocumentList, StoredDocument};
use maud::{Markup, html};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::damage;
use super::lessons::learner_choices;
use super::now_ms;
use super::recall::{AnswerQuality, RecallSchedule};
use crate::workbench::audience::Audience;
use crate::workbench::documents::keep_new_body;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// Cards of a game that are kept at most: of Go, or of Othello.
const MOST_CARDS: usize = 2_000;
/// Games whose lessons are offered.
pub(super) const MOST_GAMES: usize = 20;
/// Cards that are listed.
const LISTED: usize = 50;

/// What a card asks.
pub(super) trait MistakeProblem: Clone + Serialize + DeserializeOwned + Send + 'static {
    /// The kind of its documents.
    const KIND: &'static str;
    const ROOM: Room;
    /// Where games have their pages, such as `/go`. The problems are below `practice` there.
    const GAMES: &'static str;
    /// Where a game is opened.
    const DOOR: &'static str;

    fn words(visitor: &Visitor) -> PracticeWords;
}

/// Words of the page of all problems.
pub(super) struct PracticeWords {
    pub(super) title: &'static str,
    /// What the problems are.
    pub(super) about: &'static str,
    /// What the way to [`MistakeProblem::DOOR`] is called.
    pub(super) door: &'static str,
}

/// A problem out of a game of one's own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PracticeCard<P> {
    #[serde(flatten)]
    pub(super) problem: P,
    /// The game, its name, and the move of it.
    table: String,
    title: String,
    number: usize,
    pub(super) schedule: RecallSchedule,
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CardVerdict {
    /// It is the better move of the lesson.
    Right,
    /// It is not worse than that, by the search.
    AsGood,
    /// It is worse.
    Wrong,
    /// It is the move of the game.
    AsInTheGame,
}

impl CardVerdict {
    pub(super) fn is_right(self) -> bool {
        matches!(self, CardVerdict::Right | CardVerdict::AsGood)
    }

    /// What is said of the answer at this point.
    pub(super) fn render(self, point: impl Display, visitor: &Visitor) -> Markup {
        let point = point.to_string();
        let words = match self {
            CardVerdict::Right => visitor.text_with("workbench-verdict-right", args![point]),
            CardVerdict::AsGood => visitor.text_with("workbench-verdict-as-good", args![point]),
            CardVerdict::Wrong => visitor.text_with("workbench-verdict-wrong", args![point]),
            CardVerdict::AsInTheGame => visitor.text_with("workbench-verdict-as-in-the-game", args![point]),
        };
        let class = if self.is_right() { "good" } else { "bad" };
        html! { p.verdict.(class) data-heard { (words) } }
    }
}

pub(super) fn now_seconds() -> i64 {
    i64::try_from(now_ms() / 1_000).unwrap_or(i64::MAX)
}

/// The address of all problems.
fn overview_path<P: MistakeProblem>() -> String {
    format!("{}/practice", P::GAMES)
}

/// A game, its name, and the number of a move.
pub(super) struct GamePlace<'a> {
    pub(super) table: &'a str,
    pub(super) title: String,
    pub(super) number: usize,
}

impl<P: MistakeProblem> PracticeCard<P> {
    /// A problem that was never asked.
    pub(super) fn new(problem: P, place: GamePlace<'_>, now: i64) -> PracticeCard<P> {
        let GamePlace { table, title, number } = place;
        PracticeCard { problem, table: table.to_string(), title, number, schedule: RecallSchedule::new(now) }
    }

    fn from_document(document: &StoredDocument) -> Result<PracticeCard<P>, PageError> {
        serde_json::from_value(document.body.clone()).map_err(PageError::from_system_error)
    }

    /// The key of a lesson's card: a game has one for each of its moves at most.
    pub(super) fn key(&self) -> String {
        format!("{}-{}", self.table, self.number)
    }

    /// A name to be kept, of no language.
    fn name(&self) -> String {
        format!("{} ({})", self.title, self.number)
    }

    /// The game and the move that the problem is about, for who reads.
    fn name_for(&self, visitor: &Visitor) -> String {
        let number = visitor.text("workbench-move-number").replace("{number}", &self.number.to_string());
        format!("{} · {number}", self.title)
    }

    pub(super) fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// A card with its revision, as the store has it.
pub(super) struct KeptCard<P> {
    pub(super) key: String,
    revision: u64,
    pub(super) card: PracticeCard<P>,
}

impl<P: MistakeProblem> KeptCard<P> {
    fn from_document(document: &StoredDocument) -> Result<KeptCard<P>, PageError> {
        let card = PracticeCard::from_document(document)?;
        Ok(KeptCard { key: document.key.clone(), revision: document.revision, card })
    }

    pub(super) async fn load(desk: &WorkbenchState, key: &str) -> Result<KeptCard<P>, PageError> {
        let document = desk.find_document(P::KIND, key).await?.ok_or_else(|| {
            PageError::not_found_with("workbench-there-is-no-problem", args![key = format!("{key:?}")])
        })?;
        KeptCard::from_document(&document)
    }

    /// Its address.
    pub(super) fn path(&self) -> String {
        format!("{}/{}", overview_path::<P>(), self.key)
    }

    /// Those who look at it.
    pub(super) fn audience(&self) -> Audience<'_> {
        Audience { room: P::KIND, key: &self.key }
    }

    /// Its page: what is asked, and the board that is answered on.
    pub(super) fn render_page(&self, question: &str, board: Markup, visitor: &Visitor) -> PageAnswer {
        let title = self.card.name_for(visitor);
        let body = html! {
            h1 { (title) }
            p.question { (question) }
            div #card data-stays { (board) }
            p.row {
                a.button href=(overview_path::<P>()) { (visitor.text("workbench-all-problems-in-practice")) }
                // The game opens at the lesson, whose lines can be walked through there (`ui/lesson.ts`).
                a.button href={ (P::GAMES) "/" (self.card.table) "#lesson-" (self.card.number) } { (visitor.text("workbench-the-game")) }
            }
        };
        let topic = self.audience().topic(visitor.texts);
        Ok(Page::new(P::ROOM, &title).with_events(&topic).render_page(visitor, body))
    }

    /// After a wrong answer there is one way on; after a right one the learner says how hard it was.
    pub(super) fn render_grades(&self, is_right: bool, visitor: &Visitor) -> Markup {
        let wrong = [("again", visitor.text("workbench-next-in-practice"))];
        let right = [
            ("hard", visitor.text("workbench-it-was-hard")),
            ("good", visitor.text("workbench-it-took-a-while")),
            ("easy", visitor.text("workbench-it-was-easy")),
        ];
        let choices = if is_right { &right[..] } else { &wrong[..] };
        html! {
            form.row method="post" action={ (self.path()) "/grade" } {
                input type="hidden" name="revision" value=(self.revision);
                @for (quality, words) in choices {
                    button.main name="quality" value=(quality) { (words) }
                }
            }
        }
    }
}

/// All cards, and those that are damaged.
async fn load_all_cards<P: MistakeProblem>(
    desk: &WorkbenchState,
) -> Result<(Vec<KeptCard<P>>, Vec<DamagedDocument>), PageError> {
    let DocumentList { documents, damaged } =
        desk.ask_store(|store| store.latest_documents(P::KIND, MOST_CARDS)).await?;
    Ok((documents.iter().filter_map(|document| KeptCard::from_document(document).ok()).collect(), damaged))
}

/// All cards; those that cannot be read are left out.
async fn load_cards<P: MistakeProblem>(desk: &WorkbenchState) -> Result<Vec<KeptCard<P>>, PageError> {
    load_all_cards(desk).await.map(|(cards, _)| cards)
}

/// The card that is to be asked now; none if none is due.
fn next_card<P>(cards: &[KeptCard<P>], now: i64) -> Option<&KeptCard<P>> {
    let due = cards.iter().filter(|kept| kept.card.schedule.is_due(now));
    due.min_by_key(|kept| (kept.card.schedule.order(now), kept.key.clone()))
}

/// A game with lessons: its key and its name.
pub(super) struct ReviewedGame {
    pub(super) key: String,
    pub(super) title: String,
}

/// The page of all problems, and of the games that have lessons for more.
pub(super) async fn render_overview<P: MistakeProblem>(
    desk: &WorkbenchState,
    games: &[ReviewedGame],
    visitor: &Visitor,
) -> PageAnswer {
    let (mut cards, damaged) = load_all_cards::<P>(desk).await?;
    let now = now_seconds();
    cards.sort_by_key(|kept| (kept.card.schedule.order(now), kept.key.clone()));
    let words = P::words(visitor);
    let body = html! {
        h1 { (words.title) }
        p { (words.about) }
        (render_due(&cards, now, visitor))
        h2 { (visitor.text("workbench-reviewed-games")) }
        (render_games::<P>(games, visitor))
        h2 { (visitor.text("workbench-all-problems-in-practice")) }
        (damage::render_damage(visitor, &damaged))
        (render_cards(&cards, now, visitor))
    };
    Ok(Page::new(P::ROOM, words.title).render_page(visitor, body))
}

/// How many are due, and the way to the next.
fn render_due<P: MistakeProblem>(cards: &[KeptCard<P>], now: i64, visitor: &Visitor) -> Markup {
    let due = cards.iter().filter(|kept| kept.card.schedule.is_due(now)).count();
    let words = visitor.text_with("workbench-due-now", args![due, all = cards.len()]);
    html! {
        p #due { (words) }
        @if due > 0 {
            p { a.button.main href={ (overview_path::<P>()) "/next" } { (visitor.text("workbench-next-problem")) } }
        }
    }
}

/// The games with lessons, and the ways to make problems of them.
fn render_games<P: MistakeProblem>(games: &[ReviewedGame], visitor: &Visitor) -> Markup {
    html! {
        @if games.is_empty() {
            p { (visitor.text("workbench-none-yet-open-a-game-and")) }
            p { a.button.main href=(P::DOOR) { (P::words(visitor).door) } }
        }
        @for ReviewedGame { key, title } in games {
            form.row method="post" action={ (overview_path::<P>()) "/add" } {
                input type="hidden" name="table" value=(key);
                a href={ (P::GAMES) "/" (key) } { (title) }
                @for (learner, words) in learner_choices(visitor) {
                    button name="learner" value=(learner) { (words) }
                }
            }
        }
    }
}

/// The cards with the days until they are asked.
fn render_cards<P: MistakeProblem>(cards: &[KeptCard<P>], now: i64, visitor: &Visitor) -> Markup {
    let when = |kept: &KeptCard<P>| match kept.card.schedule.days_left(now) {
        0 => visitor.text("workbench-due").to_string(),
        days => visitor.text_with("workbench-in-days", args![days]),
    };
    html! {
        @if cards.is_empty() { p.quiet { (visitor.text("workbench-none-yet-say-which-colour")) } }
        @for kept in cards.iter().take(LISTED) {
            form.row method="post" action={ (kept.path()) "/forget" } {
                a href=(kept.path()) { (kept.card.name_for(visitor)) }
                span.quiet { (when(kept)) }
                button { (visitor.text("workbench-remove")) }
            }
        }
    }
}

/// Whose lessons of which game are to become problems.
#[derive(Deserialize)]
pub(super) struct NewCardsForm {
    pub(super) table: String,
    /// `B`, `W`, or nothing for both.
    #[serde(default)]
    pub(super) learner: String,
}

/// Keeps the cards that there are not yet, and goes to the page of all problems.
pub(super) async fn keep_new_cards<P: MistakeProblem>(
    desk: &WorkbenchState,
    cards: Vec<PracticeCard<P>>,
) -> Result<Redirect, PageError> {
    let known = load_cards(desk).await?;
    for card in choose_new_cards(cards, &known) {
        // A card that somebody made meanwhile stays as it is.
        let (key, name, body) = (card.key(), card.name(), card.to_json());
        desk.ask_store(move |store| keep_new_body(store, P::KIND, &key, &name, &body)).await?;
    }
    Ok(Redirect::to(&overview_path::<P>()))
}

/// Those that there are not yet, as many as there is room for.
fn choose_new_cards<P: MistakeProblem>(
    mut cards: Vec<PracticeCard<P>>,
    known: &[KeptCard<P>],
) -> Vec<PracticeCard<P>> {
    cards.retain(|card| known.iter().all(|kept| kept.key != card.key()));
    cards.truncate(MOST_CARDS.saturating_sub(known.len()));
    cards
}

/// Goes to the problem that is due, or to the page of all.
pub(super) async fn go_to_next<P: MistakeProblem>(desk: DeskState) -> Result<Redirect, PageError> {
    let cards = load_cards::<P>(&desk).await?;
    let place = next_card(&cards, now_seconds()).map_or_else(overview_path::<P>, KeptCard::path);
    Ok(Redirect::to(&place))
}

#[derive(Deserialize)]
pub(super) struct GradeForm {
    quality: AnswerQuality,
    revision: u64,
}

/// Keeps when the problem is asked again, and goes to the next one.
pub(super) async fn grade_card<P: MistakeProblem>(
    desk: DeskState,
    Path(key): Path<String>,
    Form(grade): Form<GradeForm>,
) -> Result<Redirect, PageError> {
    let mut kept = KeptCard::<P>::load(&desk, &key).await?;
    kept.card.schedule = kept.card.schedule.after_answer(grade.quality, now_seconds());
    // Who sends a grade twice must not be asked two intervals later.
    desk.keep_body(P::KIND, &key, kept.card.name(), kept.card.to_json(), grade.revision).await?;
    Ok(Redirect::to(&format!("{}/next", overview_path::<P>())))
}

/// Removes a problem.
pub(super) async fn forget_card<P: MistakeProblem>(
    desk: DeskState,
    Path(key): Path<String>,
) -> Result<Redirect, PageError> {
    desk.ask_store(move |store| store.forget_document(P::KIND, &key)).await?;
    Ok(Redirect::to(&overview_path::<P>()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A problem that asks nothing.
    #[derive(Clone, Serialize, Deserialize)]
    struct NoProblem {
        played: String,
    }

    impl MistakeProblem for NoProblem {
        const KIND: &'static str = "no-card";
        const ROOM: Room = Room::Home;
        const GAMES: &'static str = "/games";
        const DOOR: &'static str = "/door";

        fn words(_: &Visitor) -> PracticeWords {
            PracticeWords { title: "title", about: "about", door: "the door" }
        }
    }

    fn card(number: usize, due: i64) -> PracticeCard<NoProblem> {
        let place = GamePlace { table: "abc", title: "A game".to_string(), number };
        PracticeCard::new(NoProblem { played: "A9".to_string() }, place, due)
    }

    #[test]
    fn a_problem_is_called_by_its_game_and_move_in_the_language_of_the_visitor() {
        let of = |language| card(11, 0).name_for(&Visitor::for_language(language));
        let names = [ishi_words::Language::English, ishi_words::Language::Japanese].map(of);
        assert_eq!(names, ["A game · Move 11", "A game · 11手目"]);
    }

    fn kept(key: &str, due: i64) -> KeptCard<NoProblem> {
        KeptCard { key: key.to_string(), revision: 1, card: card(3, due) }
    }

    /// Cards that earlier versions kept have what is asked beside the rest.
    #[test]
    fn a_card_is_kept_flat() {
        let body = card(3, 7).to_json();
        assert_eq!((&body["played"], &body["number"]), (&json!("A9"), &json!(3)));
        let back: PracticeCard<NoProblem> = serde_json::from_value(body).unwrap();
        assert_eq!(
            (back.key().as_str(), back.problem.played.as_str(), back.schedule.due),
            ("abc-3", "A9", 7)
        );
    }

    /// The last place goes to a card that is new, and not to one that is there already.
    #[test]
    fn cards_that_there_are_take_no_room_twice() {
        let known: Vec<KeptCard<NoProblem>> = (1..MOST_CARDS)
            .map(|number| KeptCard { key: card(number, 0).key(), revision: 1, card: card(number, 0) })
            .collect();
        let made = choose_new_cards(vec![card(1, 0), card(5000, 0), card(5001, 0)], &known);
        assert_eq!(made.iter().map(|card| card.number).collect::<Vec<usize>>(), [5000]);
    }

    /// Who has no problems yet is told what to do.
    #[test]
    fn empty_practice_says_what_to_do_next() {
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let games = render_games::<NoProblem>(&[], &visitor).into_string();
        assert!(
            games.contains("let it be reviewed") && games.contains("href=\"/door\">the door<"),
            "{games}"
        );
        let cards = render_cards::<NoProblem>(&[], 0, &visitor).into_string();
        assert!(cards.contains("which colour you had"), "{cards}");
        let game = ReviewedGame { key: "k".to_string(), title: "A game".to_string() };
        let listed = render_games::<NoProblem>(&[game], &visitor).into_string();
        assert!(listed.contains("href=\"/games/k\"") && !listed.contains("/door"), "{listed}");
    }

    #[test]
    fn the_longest_overdue_card_is_asked_first() {
        let cards = [kept("new", 90), kept("old", 10), kept("later", 500)];
        assert_eq!(next_card(&cards, 100).map(|kept| kept.key.as_str()), Some("old"));
        assert!(next_card(&cards, 5).is_none());
    }
}
