//! The room of Go: play, look, understand, edit.
//!
//! A [`table`] is a document of the store; every request reads it, changes it and keeps it, so that nothing is lost and several tabs may be open. `think`
//! lets engines move and analyse, `review` goes through whole games (`reviewed` is what it finds, `reviewed_line` shows that on its table), `insight` says what ishi knows and why, `view` shows it all.
//! `practice` asks one's own mistakes again. `lesson_answer` searches answers that a review has not judged. `blunder` finds the blunders of a teaching game. `area` is where an analysis looks for moves.

mod area;
mod blunder;
mod game;
mod insight;
mod kept;
mod lesson_answer;
mod practice;
mod problems;
mod review;
mod reviewed;
mod reviewed_line;
mod share;
mod table;
mod think;
mod view;

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Multipart, Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use ishi_arena::TimeControl;
use ishi_go::{BoardSize, Color, Move, Point, Rules};
use ishi_go_play::go_rank::Rank;
use ishi_go_play::judge;
use ishi_knowledge::show::AnalysisLevel;
use ishi_sgf::GameResult;
use serde::Deserialize;

use self::area::BoardArea;
use self::insight::PositionQuestion;
use self::review::ReviewWish;
use self::table::{GoTable, NewGame, parse_seat as seat_of};
use self::think::{
    JUDGED, is_analysing, publish_change, start_analysis, stop_analysis, stop_engine, wake_engine,
};
use crate::workbench::answer::attachment_response;
use crate::workbench::error::PageError;
use crate::workbench::live::LiveTopics;
use crate::workbench::made_by::{mark_page, mark_record};
use crate::workbench::page::partial_response;
use crate::workbench::random_text::new_key;
use crate::workbench::rooms::blunder::refuse_move;
use crate::workbench::rooms::standing::load_standing;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

pub use share::render_shared_review;
pub(crate) use table::OWN_RANK;
pub(crate) use view::{
    ghost_name, rank_words, render_first_board, render_tables as recent_tables, render_teaching_choice,
    rules_words, sample_sgf,
};

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/go", get(show_entrance).post(open_record))
        .route("/go/new", post(create_game))
        .route("/go/start", post(start_game))
        .route("/go/{key}", get(show_table))
        .route("/go/{key}/table", get(show_table_part))
        .route("/go/{key}/point", post(click_point))
        .route("/go/{key}/do/{what}", post(perform_action))
        .route("/go/{key}/text", post(save_texts))
        .route("/go/{key}/analysis", post(switch_analysis))
        .route("/go/{key}/level", get(show_level))
        .route("/go/{key}/why", post(explain_move))
        .route("/go/{key}/review", post(switch_review))
        .route("/go/{key}/lesson", post(lesson_answer::answer_lesson))
        .route("/go/{key}/sgf", get(download_record))
        .route("/go/{key}/html", get(download_page))
        .merge(problems::routes())
        .merge(practice::routes())
}

async fn show_entrance(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let known = desk.ask_store(|store| store.latest_documents(table::KIND, view::LISTED)).await?;
    let standing = load_standing::<Rank>(&desk).await?;
    Ok(view::render_entrance(&visitor, &known, &standing))
}

/// What the form for a new game says.
#[derive(Deserialize)]
struct NewGoGameForm {
    size: usize,
    rules: String,
    komi: String,
    handicap: usize,
    black: String,
    white: String,
    #[serde(default)]
    black_spec: String,
    #[serde(default)]
    white_spec: String,
    clock: String,
    /// Anything but nothing: a teaching game.
    #[serde(default)]
    taught: String,
}

/// Points; SGF of some programs writes hundredths, so that a larger komi would be read as another one.
const MOST_KOMI: f64 = 99.0;

/// Komi as forms have it, for games and matches.
///
/// # Errors
/// If it is no number, or one beyond the bounds.
pub(in crate::workbench) fn parse_komi(text: &str) -> Result<f64, PageError> {
    let komi: Option<f64> = text.trim().replace(',', ".").parse().ok().filter(|komi: &f64| !komi.is_nan());
    let komi = komi.ok_or_else(|| {
        PageError::invalid_input_with("go-komi-is-no-number-write-points", args![text = format!("{text:?}")])
    })?;
    if !(-MOST_KOMI..=MOST_KOMI).contains(&komi) {
        return Err(PageError::invalid_input_with(
            "go-komi-it-must-be-from-to",
            args![text, most_komi = MOST_KOMI],
        ));
    }
    Ok(komi)
}

/// The komi of a new game: as somebody wrote it, or what the rules say; with handicap half a point, so that nobody draws.
fn komi_of_game(text: &str, handicap: usize, rules: &Rules) -> Result<f64, PageError> {
    match text.trim() {
        "" if handicap >= 2 => Ok(0.5),
        "" => Ok(rules.default_komi),
        text => parse_komi(text),
    }
}

/// The program that a visitor has chosen to judge, if it is allowed still.
fn allowed_judge_name(desk: &WorkbenchState, visitor: &Visitor) -> Option<String> {
    visitor.judge.clone().filter(|name| desk.programs.find_judge(name).is_ok())
}

async fn create_game(
    desk: DeskState,
    visitor: Visitor,
    Form(wanted): Form<NewGoGameForm>,
) -> Result<Redirect, PageError> {
    let own: Rank = load_standing::<Rank>(&desk).await?.opponent();
    let chosen = |seat: &str, spec: &str| match (seat, spec.trim()) {
        ("spec", "") => Err(PageError::invalid_input("go-an-engine-by-its-name-write")),
        ("spec", spec) => seat_of(spec),
        (table::OWN_RANKED, _) => seat_of(&format!("{}{own}", table::RANKED)),
        (other, _) => seat_of(other),
    };
    let rules: Rules = wanted.rules.parse()?;
    let komi = komi_of_game(&wanted.komi, wanted.handicap, &rules)?;
    let clock = wanted.clock.trim();
    let game = NewGame {
        size: BoardSize::square(wanted.size)?,
        rules,
        komi,
        handicap: wanted.handicap,
        seats: [chosen(&wanted.black, &wanted.black_spec)?, chosen(&wanted.white, &wanted.white_spec)?],
        control: if clock.is_empty() { TimeControl::default() } else { clock.parse()? },
        taught: (!wanted.taught.is_empty()).then_some(visitor.listener),
        judge: allowed_judge_name(&desk, &visitor),
    };
    let mut table = GoTable::new(new_key(), &game)?;
    table.position()?.set_komi(komi)?;
    table.save(&desk).await?;
    Ok(Redirect::to(&format!("/go/{}", table.key)))
}

#[derive(Deserialize)]
struct FirstMoveForm {
    at: String,
    /// The opponent's rank, as `12k`, or `own`.
    rank: String,
    #[serde(default)]
    taught: String,
}

/// A game against ishi that begins with this move.
async fn start_game(desk: DeskState, visitor: Visitor, Form(first): Form<FirstMoveForm>) -> PageAnswer {
    let rank = match first.rank.as_str() {
        table::OWN_RANK => load_standing::<Rank>(&desk).await?.opponent::<Rank>().to_string(),
        rank => rank.to_string(),
    };
    let game = NewGame {
        size: BoardSize::square(view::FIRST_SIDE).map_err(PageError::from_system_error)?,
        rules: Rules::CHINESE,
        komi: Rules::CHINESE.default_komi,
        handicap: 0,
        seats: [seat_of("person")?, seat_of(&format!("{}{rank}", table::RANKED))?],
        control: TimeControl::default(),
        taught: (!first.taught.is_empty()).then_some(visitor.listener),
        judge: allowed_judge_name(&desk, &visitor),
    };
    let mut table = GoTable::new(new_key(), &game)?;
    let point = game.size.parse_point(&first.at)?;
    table.play(Move::Play(point))?;
    table.save(&desk).await?;
    // htmx goes there with the whole page.
    Ok([("hx-redirect", format!("/go/{}", table.key))].into_response())
}

/// Opens a record: a file, or what was pasted.
async fn open_record(desk: DeskState, mut form: Multipart) -> Result<Redirect, PageError> {
    let mut bytes = Vec::new();
    while let Some(field) = form.next_field().await.map_err(|error| PageError::from_upload_error(&error))? {
        let is_record = matches!(field.name(), Some("file" | "sgf"));
        let read = field.bytes().await.map_err(|error| PageError::from_upload_error(&error))?;
        if is_record && !read.iter().all(u8::is_ascii_whitespace) {
            bytes = read.to_vec();
        }
    }
    if bytes.is_empty() {
        return Err(PageError::invalid_input("go-there-is-no-record-choose-a"));
    }
    let mut table = GoTable::from_record(new_key(), &bytes)?;
    table.save(&desk).await?;
    Ok(Redirect::to(&format!("/go/{}", table.key)))
}

async fn show_table(desk: DeskState, Path(key): Path<String>, visitor: Visitor) -> PageAnswer {
    let table = GoTable::load(&desk, &key).await?;
    wake_engine(&desk, &table);
    review::resume_review(&desk, &key).await?;
    draw_apart(&desk, table, &visitor, view::render_table_page).await
}

/// Draws a table where nobody else's page waits for it: a record may have thousands of nodes, or megabytes of remarks.
async fn draw_apart<T: Send + 'static>(
    desk: &Arc<WorkbenchState>,
    table: GoTable,
    visitor: &Visitor,
    draw: fn(&Arc<WorkbenchState>, &GoTable, &Visitor) -> Result<T, PageError>,
) -> Result<T, PageError> {
    let (shared, visitor) = (Arc::clone(desk), visitor.clone());
    desk.draw(move || draw(&shared, &table, &visitor)).await?
}

/// Answers with the part of a page that shows the table.
async fn respond_with_table(desk: &Arc<WorkbenchState>, table: GoTable, visitor: &Visitor) -> PageAnswer {
    let drawn =
        draw_apart(desk, table, visitor, |desk, table, visitor| view::render_table(desk, table, visitor))
            .await?;
    Ok(partial_response(drawn))
}

async fn show_table_part(desk: DeskState, Path(key): Path<String>, visitor: Visitor) -> PageAnswer {
    let mut table = GoTable::load(&desk, &key).await?;
    // A clock that ran out while nobody moved.
    let color = table.position()?.to_move();
    if table.clock_runs() && table.flag_fell(color) {
        table.end_game(GameResult::Time(!color));
        table.save(&desk).await?;
        stop_engine(&desk, &key);
        publish_change(&desk, &key, table.revision);
    }
    // A page that was away has come back.
    wake_engine(&desk, &table);
    respond_with_table(&desk, table, &visitor).await
}

/// Keeps what was done, lets engines and other tabs know, and shows it.
async fn save_and_show(desk: &Arc<WorkbenchState>, mut table: GoTable, visitor: &Visitor) -> PageAnswer {
    // What cannot be shown is not kept: nobody could step away from it.
    table.replay_here()?;
    table.save(desk).await?;
    stop_engine(desk, &table.key);
    wake_engine(desk, &table);
    publish_change(desk, &table.key, table.revision);
    respond_with_table(desk, table, visitor).await
}

/// What a page shows: a revision of the table, and the number of a node in it.
#[derive(Clone, Copy, Deserialize)]
struct ShownPlace {
    revision: Option<u64>,
    node: Option<usize>,
}

/// The table at the place that the page shows, if it is still the same table.
async fn load_shown_table(desk: &WorkbenchState, key: &str, shown: ShownPlace) -> Result<GoTable, PageError> {
    let mut table = GoTable::load(desk, key).await?;
    if shown.revision.is_some_and(|revision| revision != table.revision) {
        return Err(PageError::changed_elsewhere());
    }
    if let Some(node) = shown.node {
        table.go_to_node(node)?;
    }
    Ok(table)
}

#[derive(Deserialize)]
struct GoClickForm {
    at: String,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    asker: String,
    revision: Option<u64>,
    node: Option<usize>,
}

/// A point was clicked; the tool says what that means.
async fn click_point(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(clicked): Form<GoClickForm>,
) -> PageAnswer {
    let shown = ShownPlace { revision: clicked.revision, node: clicked.node };
    let mut table = load_shown_table(&desk, &key, shown).await?;
    let size = table.size()?;
    let point = size.parse_point(&clicked.at)?;
    if let Some(mut dead) = table.dead.take() {
        toggle_dead_chain(&mut dead, &table.position()?, point);
        table.dead = Some(dead);
        return save_and_show(&desk, table, &visitor).await;
    }
    match clicked.tool.as_str() {
        "black" => table.set_up(point, Some(Color::Black))?,
        "white" => table.set_up(point, Some(Color::White))?,
        "empty" => table.set_up(point, None)?,
        "triangle" => table.toggle_mark("TR", point)?,
        "square" => table.toggle_mark("SQ", point)?,
        "circle" => table.toggle_mark("CR", point)?,
        "cross" => table.toggle_mark("MA", point)?,
        "letter" => table.toggle_label(point)?,
        "ask" => {
            let asking = Asking { asker: clicked.asker, visitor: &visitor, to_panel: true };
            return answer_question(&desk, &table, PositionQuestion::WhyNot(point), asking).await;
        }
        _ => play_person_move(&mut table, Move::Play(point))?,
    }
    save_and_show(&desk, table, &visitor).await
}

fn play_person_move(table: &mut GoTable, mv: Move) -> Result<(), PageError> {
    if table.warning.is_some() {
        return Err(refuse_move());
    }
    let color = table.position()?.to_move();
    if table.due && !table.seats[color.index()].is_person() {
        return Err(PageError::invalid_input("go-it-is-the-engines-turn-wait"));
    }
    if table.control.is_none() || table.result().is_some() || !table.flag_fell(color) {
        return table.play(mv);
    }
    table.end_game(GameResult::Time(!color));
    Ok(())
}

/// The whole chain, dead or alive.
fn toggle_dead_chain(dead: &mut Vec<Point>, position: &ishi_go::Position, point: Point) {
    let board = position.board();
    let Some(chain) = board.chain(point) else { return };
    let was = dead.contains(&point);
    let stones: Vec<Point> = board.chain_stones(chain).collect();
    dead.retain(|stone| !stones.contains(stone));
    if !was {
        dead.extend(stones);
    }
}

async fn perform_action(
    desk: DeskState,
    Path((key, what)): Path<(String, String)>,
    visitor: Visitor,
    Form(shown): Form<ShownPlace>,
) -> PageAnswer {
    let mut table = load_shown_table(&desk, &key, shown).await?;
    match what.as_str() {
        "pass" => play_person_move(&mut table, Move::Pass)?,
        "resign" => table.resign()?,
        // A blunder that is told is taken back under a name of its own: pages may make a step of an undo (`ui/go_game.ts`).
        "undo" | "take-back" => table.undo()?,
        "first" => table.step_by(i64::MIN),
        "back10" => table.step_by(-10),
        "back" => table.step_by(-1),
        "next" => table.step_by(1),
        "next10" => table.step_by(10),
        "last" => table.step_by(i64::MAX),
        "cut" => table.cut_branch(),
        "promote" => table.promote_line(),
        "black-plays" => table.set_to_play(Color::Black),
        "white-plays" => table.set_to_play(Color::White),
        "play-on" => (table.dead, table.due) = (None, false),
        "engine" => {
            table.leave_blunder();
            let color = table.position()?.to_move();
            // At a person's turn nobody would ever move.
            table.due = !table.seats[color.index()].is_person();
        }
        "count" => {
            propose_count(&desk, &mut table).await?;
            table.due = false;
        }
        "agree" => {
            let score = table.final_status().unwrap_or_default().count_score(&table.position()?)?;
            table.end_game(match score.winner() {
                Some(winner) => GameResult::Points(winner, score.0.abs()),
                None => GameResult::Draw,
            });
        }
        _ => {
            return Err(PageError::not_found_with("go-nothing-is-called", args![what]));
        }
    }
    // Who only looks at another move does not start engines.
    if !matches!(what.as_str(), "pass" | "engine") {
        table.due = false;
    }
    if table.dead.is_none() && what == "pass" && table.position()?.is_over() && table.result().is_none() {
        propose_count(&desk, &mut table).await?;
    }
    save_and_show(&desk, table, &visitor).await
}

/// Judges which stones are dead and which stand in seki, for both sides to agree on.
async fn propose_count(desk: &WorkbenchState, table: &mut GoTable) -> Result<(), PageError> {
    let (position, seed) = (table.position()?, desk.settings.seed);
    let judged = desk.compute(move |_| judge::judge_final_status(&position, JUDGED, seed)).await?;
    table.propose_count(judged);
    Ok(())
}

/// Comment and facts of the game, from their form.
async fn save_texts(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(fields): Form<HashMap<String, String>>,
) -> PageAnswer {
    let revision = fields.get("revision").and_then(|text| text.parse().ok());
    let node = fields.get("node").and_then(|text| text.parse().ok());
    let mut table = load_shown_table(&desk, &key, ShownPlace { revision, node: None }).await?;
    let decided = (table.result(), table.info().komi);
    if let Some(comment) = fields.get("comment") {
        table.set_comment_at(node, comment)?;
    }
    for (field, name) in view::FACTS {
        if let Some(text) = fields.get(field) {
            table.set_info(name, text);
        }
    }
    // A result that was written by hand does not count.
    table.is_rated &= decided == (table.result(), table.info().komi);
    // Komi must still be one that positions understand.
    table.check_facts()?;
    save_and_show(&desk, table, &visitor).await
}

#[derive(Deserialize)]
struct AnalysisForm {
    on: Option<String>,
    /// How the page calls its place.
    #[serde(default)]
    spot: String,
    /// Two corners of the area where moves are looked for; empty for the whole board.
    #[serde(default)]
    area: String,
    revision: Option<u64>,
    node: Option<usize>,
}

/// Letters of a spot's name.
const LONGEST_SPOT: usize = 24;

/// The name of a place, by which the page knows it, goes back as it is.
fn check_spot(spot: &str) -> Result<(), PageError> {
    if spot.len() <= LONGEST_SPOT && spot.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok(());
    }
    Err(PageError::invalid_input_with(
        "go-spot-it-must-be-at-most",
        args![spot = format!("{spot:?}"), longest_spot = LONGEST_SPOT],
    ))
}

async fn switch_analysis(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(wanted): Form<AnalysisForm>,
) -> PageAnswer {
    check_spot(&wanted.spot)?;
    let shown = ShownPlace { revision: wanted.revision, node: wanted.node };
    let table = load_shown_table(&desk, &key, shown).await?;
    match wanted.on.as_deref() {
        Some("follow") if !is_analysing(&desk, &key) => return Ok(StatusCode::NO_CONTENT.into_response()),
        Some(on) => {
            let area = BoardArea::parse(&wanted.area, table.size()?)?;
            start_analysis(&desk, &key, table.position()?, area, wanted.spot);
            if on == "follow" {
                return Ok(StatusCode::NO_CONTENT.into_response());
            }
        }
        None => stop_analysis(&desk, &key),
    }
    // Who looks elsewhere has not moved the game.
    let table = GoTable::load(&desk, &key).await?;
    respond_with_table(&desk, table, &visitor).await
}

#[derive(Deserialize)]
struct LevelQuery {
    #[serde(default)]
    level: String,
    revision: Option<u64>,
    node: Option<usize>,
}

/// A level of what ishi knows, drawn and told.
async fn show_level(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Query(asked): Query<LevelQuery>,
) -> PageAnswer {
    let shown = ShownPlace { revision: asked.revision, node: asked.node };
    let table = load_shown_table(&desk, &key, shown).await?;
    if asked.level.is_empty() {
        return Ok(partial_response(view::render_no_level()));
    }
    let level: AnalysisLevel = asked.level.parse().map_err(|_| {
        PageError::invalid_input_with(
            "go-there-is-no-analysis-of",
            args![level = format!("{:?}", asked.level)],
        )
    })?;
    let (position, language, seed) = (table.position()?, visitor.language, desk.settings.seed);
    let seen = desk.compute(move |_| insight::view_level(&position, level, language, seed)).await?;
    Ok(partial_response(view::render_level(&seen, level, &visitor)))
}

#[derive(Deserialize)]
struct WhyForm {
    #[serde(default)]
    at: String,
    #[serde(default)]
    what: String,
    #[serde(default)]
    asker: String,
    revision: Option<u64>,
    node: Option<usize>,
}

/// The reasons of the move that was played, of the best one, or why not another one.
async fn explain_move(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(why): Form<WhyForm>,
) -> PageAnswer {
    let shown = ShownPlace { revision: why.revision, node: why.node };
    let mut table = load_shown_table(&desk, &key, shown).await?;
    let question = if !why.at.trim().is_empty() {
        PositionQuestion::WhyNot(table.size()?.parse_point(&why.at)?)
    } else if why.what == "played" {
        let shown = table.replay_here()?;
        let Some(last) = shown.last.filter(|_| table::is_move(&table.tree, table.node)) else {
            return Err(PageError::invalid_input("go-no-move-was-played-here"));
        };
        table.step_by(-1);
        PositionQuestion::Played(last.mv)
    } else {
        PositionQuestion::Best
    };
    let asking = Asking { asker: why.asker, visitor: &visitor, to_panel: false };
    answer_question(&desk, &table, question, asking).await
}

/// Who asks a question, and how.
struct Asking<'a> {
    /// A name that the page has made up: what is found meanwhile is told under it.
    asker: String,
    visitor: &'a Visitor,
    /// The click was on the board; the answer belongs into its panel.
    to_panel: bool,
}

/// What is known by now of the answer for this asker, as it is told to the pages.
fn tell_of_asker(asker: &str, progress: &insight::AnswerProgress) -> String {
    serde_json::json!({ "asker": asker, "progress": progress }).to_string()
}

/// What pages are told of an answer until it is there. It is forgotten with this, also where nobody waits any more: who comes later has not asked.
struct ToldMeanwhile {
    live: Arc<LiveTopics>,
    topic: String,
}

impl Drop for ToldMeanwhile {
    fn drop(&mut self) {
        self.live.forget_event(&self.topic, "why");
    }
}

async fn answer_question(
    desk: &WorkbenchState,
    table: &GoTable,
    question: PositionQuestion,
    asking: Asking<'_>,
) -> PageAnswer {
    let Asking { asker, visitor, to_panel } = asking;
    check_spot(&asker)?;
    let (position, seed, reader) = (table.position()?, desk.settings.seed, visitor.clone());
    if let PositionQuestion::WhyNot(point) = question {
        position.check_move(position.to_move(), Move::Play(point))?;
    }
    let program = desk.choose_judge(visitor.judge.as_deref());
    let judging = insight::PositionJudging { seed, program };
    let (live, topic) = (Arc::clone(&desk.live), think::table_topic(&table.key));
    let meanwhile = ToldMeanwhile { live: Arc::clone(&live), topic: topic.clone() };
    let program = judging.program.clone();
    let waiting = tell_of_asker(&asker, &insight::AnswerProgress::of_waiting());
    let told = desk
        .compute_judged(
            program,
            move || live.publish(&topic, "why", waiting),
            move |cancel| {
                let meanwhile = &meanwhile;
                let (hearers, name) = (Arc::clone(&meanwhile.live), meanwhile.topic.clone());
                let tell = move |progress: &insight::AnswerProgress| {
                    hearers.publish(&name, "why", tell_of_asker(&asker, progress));
                };
                insight::answer_question(&position, &question, &judging, &reader, cancel, tell)
            },
        )
        .await?;
    let response = partial_response(told.render_answer(table.number_of_node(table.node), visitor));
    // A click on the board fills the table; this answer belongs into its own panel.
    let headers = to_panel.then_some([("hx-retarget", "#why"), ("hx-reswap", "innerHTML")]);
    Ok(match headers {
        Some(headers) => (headers, response).into_response(),
        None => response,
    })
}

#[derive(Deserialize)]
struct ReviewForm {
    on: Option<String>,
    revision: Option<u64>,
    node: Option<usize>,
}

async fn switch_review(
    desk: DeskState,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(switch): Form<ReviewForm>,
) -> PageAnswer {
    let shown = ShownPlace { revision: switch.revision, node: switch.node };
    let table = load_shown_table(&desk, &key, shown).await?;
    if switch.on.is_some() {
        review::start_review(&desk, &table, ReviewWish::of_visitor(&visitor, &desk.programs)).await?;
    } else {
        review::stop_review(&desk, &key).await?;
    }
    let table = GoTable::load(&desk, &key).await?;
    respond_with_table(&desk, table, &visitor).await
}

async fn download_record(desk: DeskState, Path(key): Path<String>, visitor: Visitor) -> PageAnswer {
    let table = GoTable::load(&desk, &key).await?;
    let mut record = table.to_reviewed_record(&visitor);
    if let Some(work) = table.describe_work() {
        mark_record(&mut record, &desk.settings, &work);
    }
    let name = format!("ishi-{}.sgf", table.key);
    Ok(attachment_response(&name, "application/x-go-sgf; charset=utf-8", record.to_sgf()))
}

/// The game with its review as one file that works without a server.
async fn download_page(desk: DeskState, Path(key): Path<String>, visitor: Visitor) -> PageAnswer {
    let table = GoTable::load(&desk, &key).await?;
    let (texts, name) = (visitor.texts, format!("ishi-{}.html", table.key));
    let work = table.describe_work();
    let page =
        desk.compute(move |_| share::render_shared_page(&table, table.review.as_ref(), texts)).await??;
    let page = match work {
        Some(work) => mark_page(&page, &desk.settings, &work),
        None => page,
    };
    Ok(attachment_response(&name, "text/html; charset=utf-8", page))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::desk::test_desk_with_busy_judge;

    /// The form says that komi is as the rules say where nothing is written.
    #[test]
    fn komi_is_as_the_rules_say_unless_somebody_writes_it() {
        for (name, rules) in Rules::NAMED {
            assert_eq!(komi_of_game(" ", 0, &rules), Ok(rules.default_komi), "{name}");
            assert_eq!(komi_of_game("", 2, &rules), Ok(0.5), "{name}");
            assert_eq!(komi_of_game("3,5", 2, &rules), Ok(3.5), "{name}");
        }
        assert_eq!(komi_of_game("", 0, &Rules::NEW_ZEALAND), Ok(7.0));
    }

    /// White's three stones share J9 and J7 with Black's around them. They stand in seki, though they look dead.
    const SEKI: &str = "(;GM[1]SZ[9]KM[6.5]RU[Japanese]AB[ea][fa][ga][ha][eb][fb][fc][gc][hc][fd][hd][id][fe][he][ah:ih]\
        AW[ca][da][db][gb][hb][ib][dc][ec][ed][ee][ge][ie][ef:if][ag:fg])";

    #[test]
    fn a_seki_is_counted_until_somebody_takes_its_stones_off() {
        let mut table = GoTable::from_record("t".to_string(), SEKI.as_bytes()).unwrap();
        let position = table.position().unwrap();
        table.propose_count(judge::judge_final_status(&position, JUDGED, ishi_rng::Seed::new(1)));
        let count =
            |table: &GoTable| table.final_status().unwrap().count_score(&position).unwrap().to_string();
        assert_eq!(count(&table), "W+17.5");
        let mut click_stone = || {
            let point = position.size().parse_point("H8").unwrap();
            toggle_dead_chain(table.dead.as_mut().unwrap(), &position, point);
            count(&table)
        };
        // Five points and three prisoners of Black's.
        assert_eq!(click_stone(), "W+9.5");
        assert_eq!(click_stone(), "W+17.5");
    }

    fn asked_table() -> GoTable {
        GoTable::from_record("t".to_string(), b"(;SZ[5];B[cc])").unwrap()
    }

    /// What who comes later hears of the answer.
    fn last_told(desk: &WorkbenchState) -> Option<String> {
        desk.live.last_event(&think::table_topic("t"), "why").map(|told| told.to_string())
    }

    #[tokio::test]
    async fn who_waits_for_the_judge_is_told_so() {
        let (desk, visitor, places) = test_desk_with_busy_judge().await;
        let table = asked_table();
        let asking = Asking { asker: "me".to_string(), visitor: &visitor, to_panel: false };
        let listens = async {
            let told = last_told(&desk);
            drop(places);
            told.unwrap_or_default()
        };
        let asked = answer_question(&desk, &table, PositionQuestion::Best, asking);
        let (answer, told) = tokio::join!(asked, listens);
        assert!(answer.is_ok());
        assert!(told.contains(r#""asker":"me""#) && told.contains(r#""waits":true"#), "{told}");
        assert_eq!(last_told(&desk), None, "it is answered");
    }

    #[tokio::test]
    async fn who_goes_away_from_the_wait_for_the_judge_leaves_no_word_of_it() {
        let (desk, visitor, _places) = test_desk_with_busy_judge().await;
        let table = asked_table();
        let asking = Asking { asker: "me".to_string(), visitor: &visitor, to_panel: false };
        let asked = answer_question(&desk, &table, PositionQuestion::Best, asking);
        tokio::select! {
            biased;
            _ = asked => panic!("there is no place"),
            () = async { assert!(last_told(&desk).is_some()) } => {}
        }
        assert_eq!(last_told(&desk), None);
    }
}
