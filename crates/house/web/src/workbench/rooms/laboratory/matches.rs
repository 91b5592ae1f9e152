//! Matches of two players, built in or allowed programs: asked for in a form, played by the arena, kept in the store as `ishi match` keeps its own.

mod again;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Form, Path};
use axum::http::StatusCode;
use axum::routing::{get, post};
use ishi_arena::{
    Contestant, GoMatchSettings, MatchBreak, MatchEnd, MatchObserver, MatchPlan, MatchRun, MatchStanding,
    Openings, OthelloMatchSettings, PairRecord, PairTask, PlayerSpec, tally_table,
};
use ishi_engine::{Go, Othello};
use ishi_go::picture::BoardPicture;
use ishi_go::{BoardSize, Rules};
use ishi_lab::LabError;
use ishi_lab::report::{IntervalPlot, IntervalRow, LinePlot, PlotSeries, SheetTable};
use ishi_lab::store::{
    KeptMatches, Store, StoreJournal, StoredRun, describe_match_run, find_kept_pairs, start_match,
};
use ishi_rng::Seed;
use ishi_stats::{ConfidenceLevel, Interval, IntervalMethod, Proportion, Sprt, SprtDecision};
use ishi_work::StopFlag;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};

use super::super::go::{parse_komi, rules_words};
use super::games::render_othello_picture;
use super::report::render_table;
use super::{AllowedPrograms, query_store, require_database};
use crate::workbench::answer::redirect_to;
use crate::workbench::budget;
use crate::workbench::chart::{render_interval_chart, render_line_chart};
use crate::workbench::documents::RoomDocument;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response, percent_encode};
use crate::workbench::rooms::damage;
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::render_scrolling_table;
use crate::workbench::texts::{PageText, args, text_id};
use crate::workbench::thoughts::TaskTurn;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

const KIND: &str = "match";
/// Pairs of a match, at most.
const MOST_PAIRS: u64 = 100_000;
/// Points of a curve, at most.
const POINTS: usize = 60;
/// Seconds between two looks at a match.
const EVERY: f64 = 0.4;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/lab/m", post(create_match))
        .route("/lab/m/{key}", get(show_match))
        .route("/lab/m/{key}/state", get(show_state))
        .route("/lab/m/{key}/start", post(start_play))
        .route("/lab/m/{key}/stop", post(stop_play))
        .route("/lab/m/{key}/forget", post(delete_match))
        .merge(again::routes())
}

/// A match as it was asked for; this is what the document holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MatchRequest {
    /// `go` or `othello`.
    game: String,
    a: String,
    b: String,
    pairs: u64,
    #[serde(default)]
    size: String,
    #[serde(default)]
    komi: String,
    #[serde(default)]
    rules: String,
    /// Random moves at the beginning.
    #[serde(default)]
    opening: String,
    #[serde(default)]
    seed: String,
    /// Bounds of the sequential test, in Elo; empty: none.
    #[serde(default)]
    elo0: String,
    #[serde(default)]
    elo1: String,
    /// What may play besides built-in players.
    #[serde(skip)]
    programs: Arc<AllowedPrograms>,
}

impl RoomDocument for MatchRequest {
    const KIND: &'static str = KIND;

    fn listed_title(&self) -> String {
        self.title()
    }

    fn not_found(_key: &str) -> PageError {
        PageError::not_found("laboratory-there-is-no-such-match")
    }
}

/// A field that cannot be used. The text of this name says so with `text`, what was written, and `right`, what would be right.
fn field_error(id: &'static str, text: &str, right: &str) -> PageError {
    PageError::invalid_input_with(id, args![text = format!("{text:?}"), right])
}

/// The errors of [`field_error`].
const BAD_BOARD: &str = text_id("laboratory-board-it-must-be");
const BAD_SEED: &str = text_id("laboratory-seed-it-must-be");
const BAD_SPRT: &str = text_id("laboratory-sprt-elo-it-must-be");
const BAD_PAIRS: &str = text_id("laboratory-pairs-it-must-be");
const BAD_OPENING: &str = text_id("laboratory-random-moves-it-must-be");

/// A player of the match is missing.
const UNPLAYABLE: &str = text_id("laboratory-the-match-cannot-be-played");

/// A game that matches are offered of.
trait OfferedGame: KeptMatches {
    fn parse_match_settings(asked: &MatchRequest) -> Result<Self::Settings, PageError>;
    /// Random moves at the beginning, at most.
    fn max_opening_moves(settings: &Self::Settings) -> usize;
    /// A game that is being played.
    fn draw_position(position: &Self::Position, title: &str) -> String;
}

impl OfferedGame for Go {
    fn parse_match_settings(asked: &MatchRequest) -> Result<GoMatchSettings, PageError> {
        let side = asked.size.trim();
        let size = if side.is_empty() { "9" } else { side };
        let size = size.parse().ok().and_then(|side| BoardSize::square(side).ok());
        let size = size.ok_or_else(|| field_error(BAD_BOARD, side, "2-25"))?;
        let rules = match asked.rules.trim() {
            "" => Rules::CHINESE,
            name => name.parse()?,
        };
        let komi = match asked.komi.trim() {
            "" => rules.default_komi,
            text => parse_komi(text)?,
        };
        let settings = GoMatchSettings { rules, komi, ..GoMatchSettings::for_board(size) };
        // Only a handicap or a komi that is no number leaves a match without a start, and both are excluded above.
        settings.start_position().map_err(PageError::from_system_error)?;
        Ok(settings)
    }

    fn max_opening_moves(settings: &GoMatchSettings) -> usize {
        settings.size.area() / 2
    }

    fn draw_position(position: &ishi_go::Position, title: &str) -> String {
        let picture = BoardPicture::from_board(position.board()).with_depth().to_svg();
        html! { p { (title) } div.board.deep { (PreEscaped(picture)) } }.into_string()
    }
}

impl OfferedGame for Othello {
    fn parse_match_settings(_: &MatchRequest) -> Result<OthelloMatchSettings, PageError> {
        Ok(OthelloMatchSettings::default())
    }

    fn max_opening_moves(_: &OthelloMatchSettings) -> usize {
        40
    }

    fn draw_position(position: &ishi_othello::Position, title: &str) -> String {
        html! { p { (title) } (render_othello_picture(position, title)) }.into_string()
    }
}

impl MatchRequest {
    fn is_othello(&self) -> bool {
        self.game == "othello"
    }

    /// Refuses what cannot be played.
    fn check(&self, usual: Seed) -> Result<(), PageError> {
        match self.game.as_str() {
            "go" => self.make_plan::<Go>(usual).map(drop),
            "othello" => self.make_plan::<Othello>(usual).map(drop),
            other => Err(PageError::invalid_input_with(
                "laboratory-there-is-no-game-it-must",
                args![other = format!("{other:?}")],
            )),
        }
    }

    fn title(&self) -> String {
        format!("{} – {}", self.a.trim(), self.b.trim())
    }

    fn parse_sprt(&self) -> Result<Option<Sprt>, PageError> {
        match [self.elo0.trim(), self.elo1.trim()] {
            ["", ""] => Ok(None),
            texts => {
                let [elo0, elo1] =
                    texts.map(|text| text.parse().map_err(|_| field_error(BAD_SPRT, text, "0, 30")));
                let (elo0, elo1) = (elo0?, elo1?);
                let unfit = |_| field_error(BAD_SPRT, &texts.join(", "), "0, 30");
                Sprt::new(elo0, elo1, 0.05, 0.05).map(Some).map_err(unfit)
            }
        }
    }

    /// The plan of the match, checked.
    fn make_plan<G: OfferedGame>(&self, usual: Seed) -> Result<MatchPlan<G>, PageError> {
        let settings = G::parse_match_settings(self)?;
        let contestants =
            [&self.a, &self.b].map(|text| parse_contestant::<G>(text, &settings, &self.programs));
        let [a, b] = contestants;
        let (a, mut b) = (a?, b?);
        // Tables and records tell the players apart by their names.
        if a.name == b.name {
            b.name += " (2)";
        }
        if !(1..=MOST_PAIRS).contains(&self.pairs) {
            return Err(field_error(BAD_PAIRS, &self.pairs.to_string(), "1-100000"));
        }
        let opening = self.opening.trim();
        let moves: usize = match opening {
            "" => 0,
            text => text.parse().map_err(|_| field_error(BAD_OPENING, text, "8"))?,
        };
        let most = G::max_opening_moves(&settings);
        if moves > most {
            return Err(field_error(BAD_OPENING, opening, &format!("0-{most}")));
        }
        let seed = match self.seed.trim() {
            "" => usual,
            text => {
                text.parse::<Seed>().map_err(|_| field_error(BAD_SEED, text, &format!("0-{}", u64::MAX)))?
            }
        };
        Ok(MatchPlan {
            contestants: [a, b],
            referee: G::Referee::default(),
            openings: if moves == 0 { Openings::Empty } else { Openings::Random(moves) },
            pairs: self.pairs,
            seed,
            sprt: self.parse_sprt()?,
            settings,
        })
    }
}

/// A built-in player, or a program that is allowed.
fn parse_contestant<G: OfferedGame>(
    text: &str,
    settings: &G::Settings,
    programs: &AllowedPrograms,
) -> Result<Contestant, PageError> {
    if let Some(program) = programs.find_contestant::<G>(text.trim(), settings) {
        return program;
    }
    // Before it is made: to make it may already take too much memory.
    budget::check_player(text)?;
    let spec = PlayerSpec::parse_for_game::<G>(text)?;
    if let PlayerSpec::External(_) = spec {
        return Err(external_program_error(text, programs));
    }
    Contestant::try_out(Some(text.trim()), &spec, settings).map_err(PageError::from)
}

/// The names of the programs that are allowed, behind a colon; nothing if there is none.
fn external_program_error(text: &str, programs: &AllowedPrograms) -> PageError {
    let names = programs.names().collect::<Vec<&str>>().join(", ");
    if names.is_empty() {
        return PageError::invalid_input_with(
            "laboratory-is-a-program-here-built-in",
            args![text = format!("{text:?}")],
        );
    }
    PageError::invalid_input_with(
        "laboratory-is-a-program-here-built-in-value",
        args![text = format!("{text:?}"), names],
    )
}

/// How a match goes.
#[derive(Clone, Debug, Default)]
struct MatchCourse {
    /// After each pair.
    standings: Vec<MatchStanding>,
    ended: Option<Result<MatchEnd, PageText>>,
}

/// Matches that were looked at or played since the server was started, by key.
#[derive(Default)]
pub(super) struct MatchRuns(Mutex<HashMap<String, MatchCourse>>);

impl MatchRuns {
    fn lock_courses(&self) -> MutexGuard<'_, HashMap<String, MatchCourse>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change_course(&self, key: &str, change: impl FnOnce(&mut MatchCourse)) {
        change(self.lock_courses().entry(key.to_string()).or_default());
    }
}

fn match_key(key: &str) -> String {
    format!("match/{key}")
}

fn match_topic(key: &str) -> String {
    format!("lab/match/{key}")
}

// --- list and form ---

pub(super) async fn render_matches(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
) -> Result<Markup, PageError> {
    let own = desk.ask_store(|store| store.latest_documents(KIND, 50)).await?;
    let list = query_store(desk, |store| Ok(store.list_runs()?)).await?;
    let runs: Vec<&StoredRun> = list.runs.iter().filter(|run| run.kind == "match").collect();
    Ok(html! {
        section aria-labelledby="matches" {
            h2 #matches { (visitor.text("laboratory-matches")) }
            (damage::render_damage(visitor, &own.damaged))
            (damage::render_damaged_runs(visitor, &list.damaged))
            @if own.documents.is_empty() { p.quiet { (visitor.text("laboratory-no-match-was-made-here-yet")) } }
            form method="get" action="/lab/compare" {
                ul { @for kept in &own.documents {
                    li {
                        input type="checkbox" name="m" value=(kept.key) aria-label={ (visitor.text("laboratory-compare")) " " (kept.title) }; " "
                        a href={ "/lab/m/" (kept.key) } { (kept.title) }
                        @if desk.matches.is_running(&match_key(&kept.key)) { " · " b { (visitor.text("laboratory-running")) } }
                    }
                } }
                @if own.documents.len() > 1 { button { (visitor.text("laboratory-compare-what-is-marked")) } }
            }
            @if !runs.is_empty() {
                details {
                    summary { (visitor.text("laboratory-all-matches-in-the-database")) " (" (runs.len()) ")" }
                    (render_scrolling_table(visitor.text("laboratory-matches-in-the-database"), &[
                        Words(visitor.text("laboratory-run")), Words(visitor.text("laboratory-players")), Numbers(visitor.text("laboratory-pairs-in-again")),
                    ], html! {
                        @for run in runs {
                            tr {
                                th scope="row" { a href={ "/lab/games?run=" (percent_encode(&run.name)) } { (run.name) } }
                                td { (run.spec["a"].as_str().unwrap_or("")) " – " (run.spec["b"].as_str().unwrap_or("")) }
                                td.number { (run.finished) }
                            }
                        }
                    }))
                }
            }
            (render_form(visitor, &desk.programs))
        }
    })
}

fn render_form(visitor: &Visitor, programs: &AllowedPrograms) -> Markup {
    html! {
        form.panel hx-post="/lab/m" hx-target="#message" aria-labelledby="new-match" {
            h3 #new-match { (visitor.text("laboratory-a-new-match")) }
            div.form {
                label for="game" { (visitor.text("laboratory-game")) }
                select #game name="game" {
                    option value="go" { (visitor.text("laboratory-go")) }
                    option value="othello" { (visitor.text("laboratory-othello")) }
                }
                label for="a" { (visitor.text("laboratory-player-a")) }
                input #a name="a" value="go-capture" required maxlength="300" list="players";
                label for="b" { (visitor.text("laboratory-player-b")) }
                input #b name="b" value="go-random" required maxlength="300" list="players";
                label for="pairs" { (visitor.text("laboratory-pairs-of-games")) }
                input #pairs name="pairs" type="number" min="1" max=(MOST_PAIRS) value="20" required;
                label for="size" { (visitor.text("laboratory-board-go")) }
                input #size name="size" type="number" min="2" max="25" value="9";
                label for="rules" { (visitor.text("laboratory-rules-go")) }
                select #rules name="rules" {
                    @for (name, rules) in Rules::NAMED { option value=(name) { (rules_words(&rules, visitor)) } }
                }
                label for="komi" { (visitor.text("laboratory-komi-go-empty-the-rules-own")) }
                input #komi name="komi" inputmode="decimal" maxlength="6";
                label for="opening" { (visitor.text("laboratory-random-moves-at-the-beginning")) }
                input #opening name="opening" type="number" min="0" max="180" value="4";
                label for="seed" { (visitor.text("laboratory-seed-empty-the-servers")) }
                input #seed name="seed" inputmode="numeric" maxlength="20";
                label for="elo0" { (visitor.text("laboratory-stop-early-sprt-when-it-is")) }
                input #elo0 name="elo0" inputmode="decimal" maxlength="6";
                label for="elo1" { (visitor.text("laboratory-or-by-elo")) }
                input #elo1 name="elo1" inputmode="decimal" maxlength="6";
                div.wide.row {
                    button.main { (visitor.text("laboratory-begin")) }
                    button type="button" hx-post="/lab/m/estimate" hx-include="closest form" hx-target="#match-estimate" hx-disabled-elt="this" {
                        (visitor.text("laboratory-how-long-will-it-take"))
                    }
                }
                div #match-estimate .wide role="status" {}
            }
            (render_players(visitor, programs))
        }
    }
}

/// The names that a form offers, and what each player is.
fn render_players(visitor: &Visitor, programs: &AllowedPrograms) -> Markup {
    let go = ishi_go_play::catalog::ENTRIES;
    let othello = ishi_othello_play::catalog::OTHELLO_ENTRIES;
    html! {
        datalist #players {
            @for name in programs.names() { option value=(name) { (visitor.text("laboratory-a-program")) } }
            @for entry in go.iter().chain(&othello) { option value=(entry.name) { (visitor.language.choose(entry.about, entry.japanese)) } }
        }
        details {
            summary { (visitor.text("laboratory-players-and-their-parameters")) }
            dl { @for entry in go.iter().chain(&othello) {
                dt { code { (entry.name) } " " (visitor.language.choose(entry.about, entry.japanese)) }
                @for row in (entry.parameters)() {
                    dd {
                        code { (row.key) "=" (row.usual) } " "
                        (visitor.language.choose(row.about.as_str(), row.japanese.as_str())) " (" (row.allowed) ")"
                    }
                }
            } }
        }
    }
}

async fn create_match(desk: DeskState, visitor: Visitor, Form(asked): Form<MatchRequest>) -> PageAnswer {
    let key = keep_and_begin(&desk, asked).await?;
    Ok(redirect_to(&visitor, &format!("/lab/m/{key}")))
}

/// Keeps a match and begins it; its key.
async fn keep_and_begin(desk: &Arc<WorkbenchState>, mut asked: MatchRequest) -> Result<String, PageError> {
    let file = require_database(desk)?;
    asked.programs = Arc::clone(&desk.programs);
    if !desk.matches.has_room() {
        return Err(too_many_matches());
    }
    if asked.seed.trim().is_empty() {
        // What the document holds says all.
        asked.seed = desk.settings.seed.to_string();
    }
    let seed = desk.settings.seed;
    let checked = asked.clone();
    // Trying the players out takes its time.
    desk.compute(move |_| checked.check(seed)).await??;
    let key = desk.create_document(&asked).await?;
    if let Err(refusal) = begin_match(desk, &key, asked, file) {
        // Others were faster. What was never begun is in no list.
        desk.ask_store(move |store| store.forget_document(KIND, &key)).await?;
        return Err(refusal);
    }
    Ok(key)
}

/// So many are begun or wait already that another would hardly come to its turn.
fn too_many_matches() -> PageError {
    PageError::new(StatusCode::SERVICE_UNAVAILABLE, "laboratory-too-many-matches-are-played-or")
}

// --- its page ---

async fn load_match(desk: &WorkbenchState, key: &str) -> Result<MatchRequest, PageError> {
    load_match_revision(desk, key).await.map(|(asked, _)| asked)
}

/// A match with the revision of its document.
async fn load_match_revision(desk: &WorkbenchState, key: &str) -> Result<(MatchRequest, u64), PageError> {
    let (asked, revision) = desk.load_document::<MatchRequest>(key).await?;
    Ok((MatchRequest { programs: Arc::clone(&desk.programs), ..asked }, revision))
}

/// What is known of a match: of a running one what it tells, else what the store has.
async fn load_course(
    desk: &Arc<WorkbenchState>,
    key: &str,
    asked: &MatchRequest,
) -> Result<(MatchCourse, String), PageError> {
    let known = desk.rooms.laboratory.matches.lock_courses().get(key).cloned();
    let (seed, asked) = (desk.settings.seed, asked.clone());
    let is_known = known.is_some();
    let found = query_store(desk, move |store| {
        if asked.is_othello() {
            read_course::<Othello>(&asked, seed, store, is_known)
        } else {
            read_course::<Go>(&asked, seed, store, is_known)
        }
    })
    .await?;
    let (read, run) = found.ok_or_else(|| PageError::invalid_input(UNPLAYABLE))?;
    let course = match known {
        Some(known) => known,
        None => {
            desk.rooms.laboratory.matches.change_course(key, |course| {
                if course.standings.is_empty() {
                    *course = read.clone();
                }
            });
            read
        }
    };
    Ok((course, run))
}

/// What the store has of a match. Nothing if it cannot be played any more, as a player is missing.
fn read_course<G: OfferedGame>(
    asked: &MatchRequest,
    seed: Seed,
    store: &Store,
    is_known: bool,
) -> Result<Option<(MatchCourse, String)>, LabError> {
    let Ok(plan) = asked.make_plan::<G>(seed) else { return Ok(None) };
    let (run, _) = describe_match_run(&plan);
    if is_known {
        return Ok(Some((MatchCourse::default(), run)));
    }
    let mut standing = MatchStanding::default();
    let pairs = find_kept_pairs(&plan, store)?;
    let standings = pairs.iter().map(|pair| {
        standing.add_pair(pair);
        standing
    });
    Ok(Some((MatchCourse { standings: standings.collect(), ended: None }, run)))
}

async fn show_match(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    let asked = load_match(&desk, &key).await?;
    let (course, run) = load_course(&desk, &key, &asked).await?;
    let title = asked.title();
    let body = html! {
        h1 { (title) }
        p.quiet { a href="/lab" { (visitor.text("laboratory-laboratory")) } " · " (format_conditions(&visitor, &asked)) }
        #state data-stays hx-get={ "/lab/m/" (key) "/state" } hx-trigger="sse:state" { (render_state(&desk, &visitor, &key, &asked, &course)?) }
        div.replayed sse-swap="board" {}
        (again::render_more(&visitor, &key, &asked))
        section aria-labelledby="games" {
            h2 #games { (visitor.text("laboratory-games")) }
            div.row {
                a.button href={ "/lab/games?run=" (run) } { (visitor.text("laboratory-list-and-replay")) }
                @for format in ["csv", "json", "sgf"] {
                    a.button href={ "/lab/games/file." (format) "?run=" (run) } download { (format.to_uppercase()) }
                }
            }
        }
        details {
            summary { (visitor.text("laboratory-remove-this-match-from-the-list")) }
            p { (visitor.text("laboratory-its-games-stay-in-the-database")) }
            form method="post" action={ "/lab/m/" (key) "/forget" } { button { (visitor.text("laboratory-remove")) } }
        }
    };
    Ok(Page::new(Room::Laboratory, &title).with_events(&match_topic(&key)).render_page(&visitor, body))
}

fn format_conditions(visitor: &Visitor, asked: &MatchRequest) -> String {
    let pairs = format!("{} {}", asked.pairs, visitor.text("laboratory-pairs"));
    let seed = format!("{} {}", visitor.text("laboratory-seed"), asked.seed);
    let opening = match asked.opening.trim() {
        "" | "0" => String::new(),
        moves => format!(", {moves} {}", visitor.text("laboratory-random-moves-first")),
    };
    if asked.is_othello() {
        return format!("{}, {pairs}{opening}, {seed}", visitor.text("laboratory-othello"));
    }
    let komi = match asked.komi.trim() {
        "" => String::new(),
        komi => format!(", {} {komi}", visitor.text("laboratory-komi")),
    };
    format!("{} {0}x{0}, {1}{komi}, {pairs}{opening}, {seed}", asked.size, asked.rules).replacen(
        &format!("{} ", asked.size),
        &format!("{} ", visitor.text("laboratory-go")),
        1,
    )
}

async fn show_state(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    let asked = load_match(&desk, &key).await?;
    let (course, _) = load_course(&desk, &key, &asked).await?;
    Ok(partial_response(render_state(&desk, &visitor, &key, &asked, &course)?))
}

fn render_state(
    desk: &WorkbenchState,
    visitor: &Visitor,
    key: &str,
    asked: &MatchRequest,
    course: &MatchCourse,
) -> Result<Markup, PageError> {
    let running = desk.matches.is_running(&match_key(key));
    let waiting = desk.matches.tasks_before(&match_key(key));
    let played = course.standings.len() as u64;
    let sprt = asked.parse_sprt()?;
    let standing = course.standings.last().copied().unwrap_or_default();
    let decision = sprt.filter(|_| played > 0).map(|sprt| sprt.sprt_report(&standing.pair_outcomes()));
    let decided = decision.is_some_and(|report| report.decision != SprtDecision::Continue);
    let over = played >= asked.pairs || decided;
    let button = |what: &str, words: &str, main: bool, off: bool| {
        html! { button.main[main] type="button" hx-post={ "/lab/m/" (key) "/" (what) } hx-target="#state" disabled[off] { (words) } }
    };
    let start = if played > 0 { visitor.text("laboratory-go-on") } else { visitor.text("laboratory-start") };
    Ok(html! {
        section.panel aria-labelledby="so-far" {
            h2 #so-far { (visitor.text("laboratory-so-far")) }
            label { (played) "/" (asked.pairs) " " (visitor.text("laboratory-pairs")) " " progress value=(played) max=(asked.pairs) {} }
            p data-heard {
                @match &course.ended {
                    Some(Err(error)) if !running => span.bad { (visitor.text("laboratory-it-broke-off")) (error.in_language(visitor.texts)) },
                    _ if waiting.is_some() => (visitor.text_with("laboratory-waiting-before-it", args![before = waiting.unwrap_or(0)])),
                    _ if running => (visitor.text("laboratory-running-in-matches")),
                    _ if decided => (visitor.text("laboratory-decided-by-the-sequential-test")),
                    _ if over => (visitor.text("laboratory-finished-in-matches")),
                    _ => (visitor.text("laboratory-not-running-finished-pairs-are-kept")),
                }
            }
            div.row {
                (button("start", start, true, running || over))
                (button("stop", visitor.text("laboratory-stop"), false, !running))
            }
        }
        @if played > 0 { (render_figures(visitor, asked, course, &standing, sprt)) }
    })
}

fn format_elo(value: f64) -> String {
    if value.is_finite() {
        return format!("{value:+.0}");
    }
    (if value > 0.0 { "+∞" } else { "−∞" }).to_string()
}

/// Wins, rates and Elo of a standing.
fn render_figures(
    visitor: &Visitor,
    asked: &MatchRequest,
    course: &MatchCourse,
    standing: &MatchStanding,
    sprt: Option<Sprt>,
) -> Markup {
    let tallies = tally_table(standing, &format!("{} (A)", asked.a.trim()), visitor.language);
    let figures = strength_table(visitor, asked, standing, sprt);
    html! {
        div.columns {
            (render_table(visitor.text("laboratory-results"), &tallies, None))
            (render_table(visitor.text("laboratory-figures"), &figures, None))
        }
        (render_curves(visitor, asked, course, sprt))
    }
}

/// What the games say of the players' strength: names, values, and their intervals or bounds.
fn strength_table(
    visitor: &Visitor,
    asked: &MatchRequest,
    standing: &MatchStanding,
    sprt: Option<Sprt>,
) -> SheetTable {
    let confidence = ConfidenceLevel::default();
    let span = |interval: Interval| format!("{:.3} – {:.3}", interval.low, interval.high);
    let mut table = SheetTable::new(["", "", ""]);
    let mut add = |name: &str, value: String, rest: String| table.add_row([name.to_string(), value, rest]);
    let total = standing.total_tally();
    if let Ok(wins) = Proportion::new(total.wins, total.wins + total.losses) {
        let name = visitor.text("laboratory-win-rate-of-a-wilson-95");
        let interval = wins.rate_interval(IntervalMethod::Wilson, confidence);
        add(name, format!("{:.3}", wins.rate()), span(interval));
    }
    if let Ok(score) = standing.pair_outcomes().score_report(confidence) {
        let name = visitor.text("laboratory-score-per-game-pairs-95");
        add(name, format!("{:.3}", score.score), span(score.interval));
        let [low, high] = [score.elo_interval.low, score.elo_interval.high].map(format_elo);
        let name = visitor.text("laboratory-elo-of-a-over-b");
        add(name, format_elo(score.elo), format!("{low} – {high}"));
    }
    if let Some(sprt) = sprt {
        let report = sprt.sprt_report(&standing.pair_outcomes());
        let name = format!("SPRT {} / {} Elo", asked.elo0, asked.elo1);
        let decision = decision_words(visitor, report.decision);
        let bounds = format!("{:.2} … {:.2} {decision}", report.lower, report.upper);
        add(&name, format!("LLR {:.2}", report.llr), bounds);
    }
    table
}

fn decision_words<'a>(visitor: &Visitor, decision: SprtDecision) -> &'a str {
    match decision {
        SprtDecision::Continue => visitor.text("laboratory-undecided"),
        SprtDecision::AcceptH0 => visitor.text("laboratory-h0-no-more-than-the-first"),
        SprtDecision::AcceptH1 => visitor.text("laboratory-h1-the-second-or-more"),
    }
}

/// The score with its interval over the pairs, Elo, and the sequential test.
fn render_curves(
    visitor: &Visitor,
    asked: &MatchRequest,
    course: &MatchCourse,
    sprt: Option<Sprt>,
) -> Markup {
    let count = course.standings.len();
    let step = count.div_ceil(POINTS).max(1);
    let places: Vec<usize> = (1..=count).filter(|&pairs| pairs % step == 0 || pairs == count).collect();
    let score = score_plot(visitor, asked, course, &places);
    let elo = elo_plot(visitor, course);
    let test = sprt.map(|sprt| test_plot(visitor, course, sprt, &places));
    html! {
        figure { (render_line_chart(&score)) }
        @if let Some(elo) = elo { figure { (render_interval_chart(&elo)) } }
        @if let Some(test) = test { figure { (render_line_chart(&test)) } }
    }
}

/// The score after each of these numbers of pairs.
fn score_plot(visitor: &Visitor, asked: &MatchRequest, course: &MatchCourse, places: &[usize]) -> LinePlot {
    let point = |&pairs: &usize| {
        let outcomes = course.standings[pairs - 1].pair_outcomes();
        let report = outcomes.score_report(ConfidenceLevel::default()).ok()?;
        Some((pairs as f64, report.score, Some([report.interval.low, report.interval.high])))
    };
    let (name, points) = (asked.a.trim().to_string(), places.iter().filter_map(point).collect());
    let axes = [visitor.text("laboratory-pairs"), visitor.text("laboratory-score")];
    let title = visitor.text("laboratory-score-of-a-per-game-with");
    LinePlot::new(title, axes, vec![PlotSeries { name, points }])
}

/// Elo after all pairs; none before the first.
fn elo_plot(visitor: &Visitor, course: &MatchCourse) -> Option<IntervalPlot> {
    let outcomes = course.standings.last()?.pair_outcomes();
    let report = outcomes.score_report(ConfidenceLevel::default()).ok()?;
    let finite = |value: f64| value.clamp(-1000.0, 1000.0);
    let interval = [finite(report.elo_interval.low), finite(report.elo_interval.high)];
    let row = IntervalRow::new("A – B", finite(report.elo), Some(interval), vec![0.0]);
    Some(IntervalPlot::new(visitor.text("laboratory-elo-of-a-over-b-with"), "Elo", vec![row]))
}

/// The log likelihood ratio after each of these numbers of pairs, between the bounds at which the test ends.
fn test_plot(visitor: &Visitor, course: &MatchCourse, sprt: Sprt, places: &[usize]) -> LinePlot {
    let llr = |&pairs: &usize| {
        (pairs as f64, sprt.log_likelihood_ratio(&course.standings[pairs - 1].pair_outcomes()), None)
    };
    let line = |name: &str, value: f64| PlotSeries {
        name: name.to_string(),
        points: [0.0, course.standings.len() as f64].map(|x| (x, value, None)).to_vec(),
    };
    let series = vec![
        PlotSeries { name: "LLR".to_string(), points: places.iter().map(llr).collect() },
        line("H0", sprt.lower_bound()),
        line("H1", sprt.upper_bound()),
    ];
    let title = visitor.text("laboratory-sequential-test-log-likelihood-ratio");
    LinePlot::new(title, [visitor.text("laboratory-pairs"), "LLR"], series)
}

// --- runs ---

async fn start_play(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    let asked = load_match(&desk, &key).await?;
    let file = require_database(&desk)?;
    begin_match(&desk, &key, asked, file)?;
    respond_state(desk, visitor, key).await
}

async fn stop_play(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    desk.matches.stop_task(&match_key(&key));
    respond_state(desk, visitor, key).await
}

async fn respond_state(desk: DeskState, visitor: Visitor, key: String) -> PageAnswer {
    if visitor.partial {
        show_state(desk, visitor, Path(key)).await
    } else {
        Ok(redirect_to(&visitor, &format!("/lab/m/{key}")))
    }
}

async fn delete_match(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    desk.matches.stop_task(&match_key(&key));
    desk.ask_store(move |store| store.forget_document(KIND, &key)).await?;
    Ok(redirect_to(&visitor, "/lab"))
}

/// Begins a match, or lets it wait for its turn. Refuses it while too many others wait.
fn begin_match(
    desk: &Arc<WorkbenchState>,
    key: &str,
    asked: MatchRequest,
    file: PathBuf,
) -> Result<(), PageError> {
    if desk.matches.is_running(&match_key(key)) {
        return Ok(());
    }
    let (shared, name) = (Arc::clone(desk), key.to_string());
    let begun = desk.matches.start_task_if_room(&match_key(key), move |stop| {
        let seed = shared.settings.seed;
        let ended = if asked.is_othello() {
            asked.make_plan::<Othello>(seed).map(|plan| perform_match(&shared, &name, &plan, &file, stop))
        } else {
            asked.make_plan::<Go>(seed).map(|plan| perform_match(&shared, &name, &plan, &file, stop))
        };
        // The plan was checked when it was made.
        let ended = ended.unwrap_or_else(|_| Err(PageText::from(UNPLAYABLE)));
        shared.rooms.laboratory.matches.change_course(&name, |course| course.ended = Some(ended));
        shared.live.publish(&match_topic(&name), "state", "ended");
    });
    if !begun {
        return Err(too_many_matches());
    }
    desk.live.publish(&match_topic(key), "state", "begins");
    Ok(())
}

fn perform_match<G: OfferedGame>(
    desk: &WorkbenchState,
    key: &str,
    plan: &MatchPlan<G>,
    file: &std::path::Path,
    stop: &StopFlag,
) -> Result<MatchEnd, PageText> {
    let mut store = Store::open(file).map_err(PageText::of_error)?;
    let run = start_match(plan, &mut store).map_err(PageText::of_error)?;
    desk.rooms.laboratory.matches.change_course(key, |course| *course = MatchCourse::default());
    let names = [0, 1].map(|index| plan.contestants[index].name.clone());
    let turn = TaskTurn::begin();
    let mut watcher = MatchWatcher { desk, key, names, stop, turn, told: None, drawn: None };
    let mut journal = StoreJournal::new(&mut store, &run, plan.seed);
    let run = MatchRun { threads: 1, stop: stop.clone(), observer: &mut watcher };
    let outcome = ishi_arena::play_match(plan, &mut journal, run).map_err(|failed| match failed.error {
        MatchBreak::Journal(error) => PageText::of_error(error),
        MatchBreak::Player(error) => PageText::of_error(error),
    });
    // There is no game any more; browsers do not hear of events without text.
    desk.live.publish(&match_topic(key), "board", "<span></span>");
    desk.live.forget_event(&match_topic(key), "board");
    Ok(outcome?.end)
}

/// Tells pages of a match.
struct MatchWatcher<'a> {
    desk: &'a WorkbenchState,
    key: &'a str,
    names: [String; 2],
    stop: &'a StopFlag,
    turn: TaskTurn,
    told: Option<Instant>,
    drawn: Option<Instant>,
}

impl MatchWatcher<'_> {
    /// Lets other matches come on if this one has had its turn: its games wait as long.
    fn take_turns(&mut self) {
        self.turn.give_way_if_over(&self.desk.matches, &match_key(self.key), self.stop);
    }
}

/// Has it been long enough since then?
fn is_time_to_tell(since: Option<Instant>) -> bool {
    since.is_none_or(|then| then.elapsed().as_secs_f64() >= EVERY)
}

impl<G: OfferedGame> MatchObserver<G> for MatchWatcher<'_> {
    fn wants_moves(&self) -> bool {
        true
    }

    fn on_move(&mut self, pair: u64, game: usize, position: &G::Position) {
        self.take_turns();
        if !is_time_to_tell(self.drawn) || self.desk.live.unseen_for(&match_topic(self.key)) > Duration::ZERO
        {
            return;
        }
        self.drawn = Some(Instant::now());
        let [black, white] = [&self.names[game], &self.names[1 - game]];
        let title = format!("{}/{}: {black} – {white}", pair + 1, game + 1);
        self.desk.live.publish(&match_topic(self.key), "board", G::draw_position(position, &title));
    }

    fn on_pair(&mut self, _: &PairTask<G>, _: &PairRecord<G>, found: bool, standing: &MatchStanding) {
        self.desk.rooms.laboratory.matches.change_course(self.key, |course| course.standings.push(*standing));
        if !found && is_time_to_tell(self.told) {
            self.told = Some(Instant::now());
            let games = standing.total_tally().games().to_string();
            self.desk.live.publish(&match_topic(self.key), "state", games);
        }
        self.take_turns();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(a: &str, b: &str) -> MatchRequest {
        serde_json::from_value(serde_json::json!({ "game": "go", "a": a, "b": b, "pairs": 3, "size": "5", "rules": "chinese", "opening": "2" }))
            .unwrap()
    }

    fn error(asked: &MatchRequest) -> String {
        let words = asked.make_plan::<Go>(Seed::new(1)).unwrap_err();
        words.localized_message(&Visitor::from_headers(&Default::default()))
    }

    #[test]
    fn only_built_in_players_play_here() {
        assert!(asked("go-random", "go-random").make_plan::<Go>(Seed::new(1)).is_ok());
        assert!(error(&asked("go-random", "gnugo --mode gtp")).contains("is a program"));
        assert!(error(&asked("go-rndom", "go-random")).contains("there are go-random"));
        assert!(error(&asked("go-flat:playouts=x", "go-random")).contains("playouts"));
    }

    #[test]
    fn there_are_two_games_and_others_are_refused() {
        let error = |game: &str| {
            let asked = MatchRequest { game: game.into(), ..asked("go-random", "go-random") };
            let error = asked.check(Seed::new(1)).unwrap_err();
            error.localized_message(&Visitor::from_headers(&Default::default()))
        };
        assert!(asked("go-random", "go-random").check(Seed::new(1)).is_ok());
        assert!(error("othello").contains("go-random"), "Othello has no such player");
        for game in ["xx", "", "Go"] {
            assert_eq!(error(game), format!("there is no game {game:?}: it must be go or othello"));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let good = asked("go-random", "go-capture");
        for (wrong, words) in [
            (MatchRequest { size: "26".into(), ..good.clone() }, "board"),
            (MatchRequest { komi: "x".into(), ..good.clone() }, "komi"),
            (MatchRequest { komi: "1e9".into(), ..good.clone() }, "komi"),
            (MatchRequest { komi: "NaN".into(), ..good.clone() }, "komi"),
            (MatchRequest { pairs: 0, ..good.clone() }, "pairs"),
            (MatchRequest { opening: "13".into(), ..good.clone() }, "random moves"),
            (MatchRequest { elo0: "0".into(), ..good.clone() }, "SPRT"),
            (MatchRequest { seed: "-1".into(), ..good.clone() }, "seed"),
        ] {
            assert!(error(&wrong).contains(words), "{}", error(&wrong));
        }
        let plan = good.make_plan::<Go>(Seed::new(7)).unwrap();
        assert_eq!((plan.pairs, plan.openings), (3, Openings::Random(2)));
    }
}
