//! The review of a whole game: every position gets a search, and what both players learn from it is told. What it finds stands in `reviewed`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ishi_arena::process::EngineCommand;
use ishi_arena::stopwatch::WallClock;
use ishi_go::{Color, Move, Rules};
use ishi_go_play::analyst::{JudgeError, OwnSearches};
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::explain::review::{LessonWish, MoveValue};
use ishi_go_play::explain::{ExplainParams, Explainer, review};
use ishi_lab::store::{Store, StoreError};
use ishi_sgf::GoGame;
use ishi_work::{Clock, Pace, Progress, Stop, StopFlag};
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};

use super::kept::{AnswerMaker, ProgramMaker, open_kept_searches};
use super::reviewed::{GoReview, REVIEW_LEVEL, ReviewGraph, ReviewedMove, graph_box, graph_label};
use super::table::{GoTable, KIND};
use super::think::{publish_change, table_topic};
use crate::workbench::WorkbenchState;
use crate::workbench::chart::render_game_chart;
use crate::workbench::documents::overwrite_body;
use crate::workbench::error::PageError;
use crate::workbench::rooms::laboratory::AllowedPrograms;
use crate::workbench::rooms::lessons::words_of_rest;
use crate::workbench::texts::{LanguageTexts, args, page_languages};
use crate::workbench::visitor::Visitor;

/// Lessons of both players.
const WISH: LessonWish = LessonWish { player: None, most: 3 };

pub(super) fn review_key(table: &str) -> String {
    format!("go/{table}/review")
}

/// Moves of the longest game that is reviewed.
const LONGEST: usize = 1000;

/// A review goes on for so long when nobody looks.
const UNSEEN: Duration = Duration::from_secs(300);

/// The kind of documents that say which reviews are to be made. One that is still there when a server begins was interrupted.
const WANTED: &str = "go-review";

/// A review that is to be made: of the line through this node (counted in the order of the file), as the table was then.
#[derive(Serialize, Deserialize)]
struct WantedReview {
    revision: u64,
    node: usize,
    #[serde(flatten)]
    wish: ReviewWish,
}

/// What somebody wants of a review.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReviewWish {
    /// The listener for whom lessons are told.
    #[serde(default)]
    listener: Listener,
    /// The program that judges, by its name; `None`: ishi itself.
    #[serde(default)]
    judge: Option<String>,
}

impl ReviewWish {
    /// What a visitor has chosen. A program that is not allowed any more is as none.
    pub(super) fn of_visitor(visitor: &Visitor, programs: &AllowedPrograms) -> ReviewWish {
        let judge = visitor.judge.clone().filter(|name| programs.find_judge(name).is_ok());
        ReviewWish { listener: visitor.listener, judge }
    }
}

/// Keeps what is wanted of a table until the review is there, or nobody wants it any more.
fn keep_wanted(store: &mut Store, key: &str, wanted: &WantedReview) -> Result<(), StoreError> {
    overwrite_body(store, WANTED, key, "", &serde_json::json!(wanted))
}

/// Goes on with a review that was interrupted, if the table is still the same. What was searched is known (`kept`).
pub(super) async fn resume_review(desk: &Arc<WorkbenchState>, key: &str) -> Result<(), PageError> {
    if desk.reviews.is_running(&review_key(key)) {
        return Ok(());
    }
    let Some(document) = desk.find_document(WANTED, key).await? else { return Ok(()) };
    let mut table = GoTable::load(desk, key).await?;
    let wanted: Result<WantedReview, _> = serde_json::from_value(document.body);
    let wish = wanted.as_ref().map(|wanted| wanted.wish.clone()).unwrap_or_default();
    let is_same = |wanted: WantedReview, table: &mut GoTable| {
        wanted.revision == table.revision && table.go_to_node(wanted.node).is_ok()
    };
    if wanted.is_ok_and(|wanted| is_same(wanted, &mut table))
        && start_review(desk, &table, wish).await.is_ok()
    {
        return Ok(());
    }
    forget_wanted(desk, key).await
}

async fn forget_wanted(desk: &WorkbenchState, key: &str) -> Result<(), PageError> {
    let name = key.to_string();
    desk.ask_store(move |store| store.forget_document(WANTED, &name)).await.map(|_| ())
}

/// Ends a review because somebody said so. What was searched stays known.
pub(super) async fn stop_review(desk: &WorkbenchState, key: &str) -> Result<(), PageError> {
    desk.reviews.stop_task(&review_key(key));
    forget_wanted(desk, key).await?;
    forget_growth(desk, key);
    Ok(())
}

/// Begins the review of the line that is shown. It tells pages how it grows, its result is kept with the table.
pub(super) async fn start_review(
    desk: &Arc<WorkbenchState>,
    table: &GoTable,
    wish: ReviewWish,
) -> Result<(), PageError> {
    let program = wish.judge.as_deref().map(|name| desk.programs.find_judge(name)).transpose()?;
    let line = table.current_line();
    let moves = table.count_moves();
    if moves == 0 {
        return Err(PageError::invalid_input("go-there-is-no-move-to-review"));
    }
    if moves > LONGEST {
        return Err(PageError::invalid_input_with(
            "go-the-game-has-moves-is-the",
            args![moves, longest = LONGEST],
        ));
    }
    let last = line.last().copied().unwrap_or(table.node);
    let node = table.number_of_node(last);
    let wanted = WantedReview { revision: table.revision, node, wish: wish.clone() };
    let name = table.key.clone();
    desk.ask_store(move |store| keep_wanted(store, &name, &wanted)).await?;
    let game = GoGame::read_line_to(&table.tree, last)?;
    // What was told of an earlier one, such as its failure, is over.
    forget_growth(desk, &table.key);
    let (own, name, rules) = (Arc::clone(desk), table.key.clone(), table.rules());
    desk.reviews.start_task(&review_key(&table.key), move |stop| {
        let begun = Instant::now();
        let turns = own.reviews.take_turns(&review_key(&name), stop);
        let given_up = || {
            turns.is_requested()
                || begun.elapsed() > UNSEEN && own.live.unseen_for(&table_topic(&name)) > UNSEEN
        };
        let started = program.as_ref().map(|allowed| (allowed.command.clone(), stop.clone()));
        let judging = ReviewJudging { listener: wish.listener, program: started };
        match compute_review(&own, &name, &game, rules, judging, &given_up) {
            Ok(Some(found)) => {
                finish_review(&own, &name, &GoReview { judge: wish.judge, ..found }, stop);
            }
            // One that was given up is wanted still: it goes on when somebody comes.
            Ok(None) => end_review_task(&own, &name, !given_up(), stop),
            // Who has begun another one meanwhile is told of that.
            Err(_) if stop.is_requested() => {}
            Err(why) => {
                let why = program.map_or_else(|| why.clone(), |allowed| allowed.hide_command(&why));
                give_review_up(&own, &name, &why, stop);
            }
        }
    });
    Ok(())
}

/// Keeps what was found. Pages are told when nothing runs any more, so that they offer another review.
fn finish_review(desk: &WorkbenchState, name: &str, found: &GoReview, stop: &StopFlag) {
    let saved = save_review(desk, name, found);
    end_review_task(desk, name, true, stop);
    if let Some(revision) = saved {
        publish_change(desk, name, revision);
    }
}

/// The end of a review: what pages were told of it is forgotten, unless somebody has begun another one meanwhile.
fn end_review_task(desk: &WorkbenchState, name: &str, is_unwanted: bool, stop: &StopFlag) {
    if is_unwanted {
        let _ = desk.ask_store_blocking(|store| store.forget_document(WANTED, name));
    }
    if !stop.is_requested() {
        forget_growth(desk, name);
    }
    desk.reviews.finish_task(&review_key(name), stop);
}

/// The event that makes pages fetch their table anew, which has a button for another review.
pub(super) const JUDGE_FAILED: &str = "judge-failed";

/// A judge that fails ends the review: pages are told why, until another one begins.
fn give_review_up(desk: &WorkbenchState, name: &str, why: &str, stop: &StopFlag) {
    let _ = desk.ask_store_blocking(|store| store.forget_document(WANTED, name));
    desk.reviews.finish_task(&review_key(name), stop);
    let topic = table_topic(name);
    for texts in page_languages() {
        let visitor = Visitor::for_texts(texts);
        let told = html! {
            p.bad data-heard { (visitor.text("go-the-judge-has-failed")) }
            p.quiet lang="en" { (why) }
        };
        desk.live.publish(&topic, growth_event(texts), told.into_string());
    }
    desk.live.publish(&topic, JUDGE_FAILED, "");
    // Who comes later gets the table as it is.
    desk.live.forget_event(&topic, JUDGE_FAILED);
}

/// What pages in this language were told last of a review that grows, or has failed. Of one that has just begun, or waits for others, nothing was told yet: it
/// stands at its beginning. The page has asked already whether one is `running`: it may end meanwhile.
pub(super) fn last_growth(
    desk: &WorkbenchState,
    table: &GoTable,
    running: bool,
    visitor: &Visitor,
) -> Markup {
    if let Some(told) = desk.live.last_event(&table_topic(&table.key), &growth_event(visitor.texts)) {
        return PreEscaped(told.to_string());
    }
    if !running {
        return html! {};
    }
    ReviewGrowth { rows: Vec::new(), total: table.count_moves(), seconds_left: None }.render_growth(visitor)
}

/// For whom a review is made, and the program that judges with the flag that ends it; `None`: our own searches.
struct ReviewJudging {
    listener: Listener,
    program: Option<(EngineCommand, StopFlag)>,
}

/// What a review finds; nothing if it is given up, and an error if the judge fails.
fn compute_review(
    desk: &Arc<WorkbenchState>,
    name: &str,
    game: &GoGame,
    rules: Rules,
    judging: ReviewJudging,
    given_up: &dyn Stop,
) -> Result<Option<GoReview>, String> {
    let params = ExplainParams { listener: judging.listener, ..ExplainParams::of_level(REVIEW_LEVEL) };
    let seed = desk.settings.seed;
    let fresh = Arc::new(AtomicUsize::new(0));
    let analyst = params.analyst.clone();
    let maker = match judging.program {
        Some((command, stop)) => {
            AnswerMaker::Program(Box::new(ProgramMaker::new(command, analyst.visits, stop)))
        }
        None => AnswerMaker::Own(OwnSearches { analyst, seed }),
    };
    let judge = open_kept_searches(desk, name, maker, Arc::clone(&fresh));
    let mut explainer = Explainer::new(params, seed).with_judge(Box::new(judge));
    let moves: Vec<(Color, Move)> = game.moves().map(|played| (played.color, played.mv)).collect();
    let position = |played: usize| game.replay_position(rules, Some(played)).ok().map(|shown| shown.position);
    let mut teller = ReviewTeller::new(desk, name, moves.len(), &fresh);
    let goes_on = |done: usize, rows: &[MoveValue]| {
        let goes_on = !given_up.is_requested();
        if goes_on {
            teller.tell_growth(done, rows);
        }
        goes_on
    };
    let position = |played: usize| position(played).ok_or(());
    let found = review::review_game_row_by_row(&mut explainer, &moves, WISH, position, goes_on);
    if let Some(JudgeError::Failed(why)) = explainer.judge_failure() {
        return Err(why);
    }
    Ok(found.ok().flatten().map(|found| GoReview::from_game_review(&found)))
}

/// The time between two reports of how a review grows.
const BETWEEN: Duration = Duration::from_millis(400);

/// The event by which pages in this language hear how a review grows.
pub(super) fn growth_event(texts: &LanguageTexts) -> String {
    format!("review-{}", texts.tag)
}

fn forget_growth(desk: &WorkbenchState, key: &str) {
    for texts in page_languages() {
        desk.live.forget_event(&table_topic(key), &growth_event(texts));
    }
}

/// Tells pages how a review grows.
struct ReviewTeller<'a> {
    desk: &'a WorkbenchState,
    topic: String,
    total: usize,
    /// Searches that were really made: those that were known say nothing of how long the rest takes.
    fresh: &'a AtomicUsize,
    clock: WallClock,
    /// When pages are told next.
    telling: Pace,
    /// How fast searches are.
    speed: Pace,
}

impl<'a> ReviewTeller<'a> {
    fn new(desk: &'a WorkbenchState, key: &str, total: usize, fresh: &'a AtomicUsize) -> ReviewTeller<'a> {
        let clock = WallClock::start();
        let pace = Pace::start(BETWEEN, clock.now());
        ReviewTeller { desk, topic: table_topic(key), total, fresh, clock, telling: pace, speed: pace }
    }

    /// `rows` are the moves that are known, `done` of all.
    fn tell_growth(&mut self, done: usize, rows: &[MoveValue]) {
        let now = self.clock.now();
        if self.fresh.load(Ordering::Relaxed) == 0 {
            self.speed = Pace::start(BETWEEN, now).with_done_before(done);
        }
        if !self.telling.is_due(now) && done > 0 && done < self.total {
            return;
        }
        let progress = Progress::new(done, self.total, "moves");
        let is_known = self.speed.rate(&progress, now) > 0.0;
        let growth = ReviewGrowth {
            rows: rows.iter().map(ReviewedMove::from_value).collect(),
            total: self.total,
            seconds_left: is_known.then(|| self.speed.seconds_left(&progress, now)),
        };
        for texts in page_languages() {
            let told = growth.render_growth(&Visitor::for_texts(texts));
            self.desk.live.publish(&self.topic, growth_event(texts), told.into_string());
        }
    }
}

/// A review that is not complete.
struct ReviewGrowth {
    rows: Vec<ReviewedMove>,
    /// All moves of the game.
    total: usize,
    /// Until all moves are known; `None` where nothing says how fast it goes.
    seconds_left: Option<f64>,
}

impl ReviewGrowth {
    /// How far it is, and the graph as far as it is known. A click on it goes to a move (`ui/go_game.ts`).
    fn render_growth(&self, visitor: &Visitor) -> Markup {
        let done = self.rows.len();
        let label = visitor.text("go-moves-that-are-reviewed");
        let graph = ReviewGraph { rows: &self.rows, total: self.total };
        let picture = html! {
            svg.graph viewBox=(graph_box()) role="img" aria-label=(graph_label(visitor)) data-grows=(self.total) {
                (PreEscaped(graph.draw_curves().to_string()))
            }
            (graph.render_key(visitor))
        };
        html! {
            p {
                progress max=(self.total) value=(done) aria-label=(label) {}
                " " (done) "/" (self.total) " " span.quiet.time-left { (words_of_rest(done == self.total, self.seconds_left, visitor)) }
            }
            @if done > 0 {
                (render_game_chart(&graph.describe_curves(&[], visitor), None, &picture))
            }
        }
    }
}

/// Puts it into the table as it is now: people may have stepped through the game meanwhile, and must not have changed it. Gives the revision that
/// has it.
fn save_review(desk: &WorkbenchState, name: &str, review: &GoReview) -> Option<u64> {
    for _ in 0..3 {
        let document = desk.ask_store_blocking(|store| store.find_document(KIND, name)).ok()??;
        let mut table = GoTable::from_document(&document).ok()?;
        review.find_line(&table)?;
        table.review = Some(review.clone());
        if desk.ask_store_blocking(|store| table.save_blocking(store)).unwrap_or(false) {
            return Some(table.revision);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;
    use serde_json::json;

    use super::*;
    use crate::workbench::desk::{test_desk, test_desk_with_broken_judge};

    fn growth(leads: &[f64], seconds_left: Option<f64>) -> ReviewGrowth {
        let row = |&lead: &f64| ReviewedMove {
            color: 'B',
            vertex: "D4".to_string(),
            black_lead: lead,
            black_win_rate: 0.5 + lead / 100.0,
            lost_points: 0.0,
            lost_win_rate: 0.0,
        };
        ReviewGrowth { rows: leads.iter().map(row).collect(), total: 4, seconds_left }
    }

    #[test]
    fn a_review_that_grows_shows_what_is_known_and_how_long_the_rest_takes() {
        let draw = |growth: &ReviewGrowth, language: Language| {
            growth.render_growth(&Visitor::for_language(language)).into_string()
        };
        let half = growth(&[4.0, -25.0], Some(61.2));
        let [english, japanese] =
            [Language::English, Language::Japanese].map(|language| draw(&half, language));
        assert!(english.contains("2/4") && english.contains("about 1:02 left"), "{english}");
        assert!(japanese.contains("残り約 1:02"), "{japanese}");
        assert!(english.contains("data-grows=\"4\"") && english.contains("up to 30 points"), "{english}");
        // Half of the moves fill half of the graph, with two points on each curve.
        let points = |class: &str| {
            let class = format!("class=\"{class}\"");
            let mut curves = english.split("<polyline").filter_map(|rest| rest.split_once('>'));
            let (curve, _) = curves.find(|(curve, _)| curve.contains(&class)).unwrap();
            let (_, drawn) = curve.split_once("points=\"").unwrap();
            drawn.split('"').next().unwrap().split_whitespace().count()
        };
        assert_eq!([points("curve"), points("lead")], [2, 2]);
        // The page has their values, too, and where the graph ends.
        assert!(
            english.contains("<value-chart data-goes data-chart=") && !english.contains("data-at="),
            "{english}"
        );
        let known = ReviewGraph { rows: &half.rows, total: 4 }
            .describe_curves(&[2], &Visitor::for_language(Language::English));
        assert_eq!(known["series"][0]["points"], json!([[1, 0.54], [2, 0.25]]));
        assert_eq!(known["series"][1]["points"], json!([[1, 4.0], [2, -25.0]]));
        assert_eq!(known["series"][1]["range"], json!([-30.0, 30.0]));
        assert_eq!(known["game"]["end"], json!(4));
        assert_eq!(known["game"]["names"], json!(["D4", "D4"]));
        assert_eq!(known["game"]["faults"], json!([[2, ""]]));
        assert!(!draw(&growth(&[], None), Language::English).contains("<svg"), "nothing is known yet");
        let all = growth(&[1.0, 2.0, 3.0, 4.0], Some(0.0));
        assert!(draw(&all, Language::English).contains("lessons are being chosen"));
    }

    /// A beginner hears of no errors of numbers, a dan player does. The second review searches nothing anew.
    #[tokio::test]
    async fn lessons_are_told_to_who_listens() {
        let desk = Arc::new(test_desk());
        let sgf = b"(;GM[1]SZ[9]KM[7.5];B[ee];W[ed];B[dd];W[ai];B[fd];W[gg])";
        let table = GoTable::from_record("t".into(), sgf).unwrap();
        let last = table.tree.main_line().last().unwrap();
        let game = GoGame::read_line_to(&table.tree, last).unwrap();
        let told = |listener: Listener| {
            let judging = ReviewJudging { listener, program: None };
            let found = compute_review(&desk, "t", &game, Rules::CHINESE, judging, &|| false);
            let found = found.unwrap().unwrap();
            let visitor = Visitor::for_language(Language::English);
            found.lessons.iter().map(|lesson| lesson.answer.say(&visitor)).collect::<String>()
        };
        let [beginner, dan] = [Listener::Beginner, Listener::Dan].map(told);
        let has_margin = |text: &str| text.contains("give or take") || text.contains("at most");
        assert!(beginner.contains("loses about") && !has_margin(&beginner), "{beginner}");
        assert!(has_margin(&dan), "{dan}");
        let older: WantedReview = serde_json::from_value(json!({ "revision": 1, "node": 2 })).unwrap();
        assert_eq!(older.wish, ReviewWish::default(), "what an older version has kept goes on");
        assert_eq!(older.wish.listener, Listener::Kyu);
    }

    /// Whoever looks at the table of a judge that has failed reads why, and may begin another review.
    #[tokio::test]
    async fn a_judge_that_fails_leaves_a_button_that_begins_anew() {
        let desk = Arc::new(test_desk_with_broken_judge());
        let mut table = GoTable::from_record("t".into(), b"(;GM[1]SZ[7];B[dd];W[cc];B[dc])").unwrap();
        table.save(&desk).await.unwrap();
        table.step_by(i64::MAX);
        let visitor = Visitor::for_language(Language::English);
        let page = || super::super::view::render_table(&desk, &table, &visitor).unwrap().into_string();
        let wish = ReviewWish { judge: Some("broken".to_string()), ..ReviewWish::default() };
        start_review(&desk, &table, wish).await.unwrap();
        desk.reviews.join_threads();
        let failed = page();
        assert!(failed.contains("The program that judges has failed."), "{failed}");
        assert!(failed.contains("Review the whole game") && !failed.contains("Stop the review"), "{failed}");
        assert!(!is_wanted(&desk).await, "nobody waits for it any more");
        start_review(&desk, &table, ReviewWish::default()).await.unwrap();
        desk.reviews.join_threads();
        assert!(!page().contains("has failed"), "what failed is over");
        // Nothing was told yet of one that has just begun: it stands at its beginning.
        let growth = |running| super::last_growth(&desk, &table, running, &visitor).into_string();
        assert!(growth(true).contains("<progress"), "{}", growth(true));
        assert_eq!(growth(false), "");
    }

    async fn is_wanted(desk: &WorkbenchState) -> bool {
        desk.ask_store(|store| store.find_document(WANTED, "t")).await.unwrap().is_some()
    }

    #[tokio::test]
    async fn a_review_that_was_interrupted_goes_on_unless_the_table_has_changed() {
        let desk = Arc::new(test_desk());
        let mut table = GoTable::from_record("t".into(), b"(;GM[1]SZ[7];B[dd];W[cc];B[dc])").unwrap();
        table.save(&desk).await.unwrap();
        // As a server that was killed leaves it.
        let want = |revision: u64| {
            let wish = ReviewWish { listener: Listener::Beginner, judge: None };
            let wanted = WantedReview { revision, node: 3, wish };
            desk.ask_store(move |store| keep_wanted(store, "t", &wanted))
        };
        want(table.revision + 7).await.unwrap();
        resume_review(&desk, "t").await.unwrap();
        assert!(!desk.reviews.is_running(&review_key("t")), "it was wanted of another table");
        assert!(!is_wanted(&desk).await);
        want(table.revision).await.unwrap();
        resume_review(&desk, "t").await.unwrap();
        desk.reviews.join_threads();
        let reviewed = GoTable::load(&desk, "t").await.unwrap().review.expect("it was made");
        assert_eq!(reviewed.rows.len(), 3);
        assert!(!is_wanted(&desk).await, "nothing is left to be done");
    }
}
