//! The room of othello: play, look, solve, review.
//!
//! - [`game`]: a game as the store keeps it. [`state`]: its changes, told to all pages.
//! - [`play`], [`engines`]: engines that move. [`blunder`]: the look at a move of a teaching game. [`study`]: analysis, exact endgames, reviews;
//!   [`findings`]: what they find, and how far they are; [`kept`]: what reviews have found; [`pace`]: how long they still take.
//! - [`practice`]: one's own mistakes, asked again. [`openings`]: openings, asked until one knows them.
//! - [`own`]: evaluations out of files.
//! - [`view`], [`entrance`], [`graph`], [`played`]: what is shown. [`record`]: a game as SGF with its review. [`share`]: a game as one file.

mod blunder;
pub(super) mod engines;
mod entrance;
mod findings;
mod game;
mod graph;
mod kept;
mod openings;
mod own;
mod pace;
mod play;
mod played;
mod practice;
mod record;
mod share;
mod state;
mod study;
mod thinking;
mod view;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, Query};
use axum::routing::{get, post};
use ishi_othello::Square;
use ishi_othello::picture::BoardPicture;
use ishi_othello_play::levels::Level;
use ishi_sgf::othello_records::{self as records, OthelloFormat};
use maud::{Markup, html};
use serde::Deserialize;

use crate::workbench::answer::{attachment_response, respond_done};
use crate::workbench::desk::run_blocking;
use crate::workbench::error::PageError;
use crate::workbench::made_by::{mark_page, mark_picture, mark_record};
use crate::workbench::page::{Page, Room, partial_response, render_tabs};
use crate::workbench::phone::render_phone_door;
use crate::workbench::rooms::keys::render_keys;
use crate::workbench::rooms::now_ms;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};
use findings::OthelloReviewGrowth;
use game::{OthelloGameState, Overlay, UNTIL_PROVED};

pub use share::OthelloReviewToShare;
pub(super) use view::render_disc;

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/othello", get(entrance::show_entrance).post(entrance::start_game))
        .route("/othello/open", post(entrance::open_record))
        .route("/othello/evaluations", post(entrance::save_evaluation))
        .route("/othello/evaluations/{key}/forget", post(entrance::delete_evaluation))
        .route("/othello/{key}", get(show_game))
        .route("/othello/{key}/point", post(play_square))
        .route("/othello/{key}/go", post(go_to_move))
        .route("/othello/{key}/study", post(switch_study))
        .route("/othello/{key}/level", post(set_level))
        .route("/othello/{key}/overlay", post(set_overlay))
        .route("/othello/{key}/review", post(start_review))
        .route("/othello/{key}/forget", post(entrance::delete_game))
        .route("/othello/{key}/line", get(show_line))
        .route("/othello/{key}/games", get(show_games))
        .route("/othello/{key}/{action}", get(download_file).post(perform_action))
        .merge(practice::routes())
        .merge(openings::routes())
}

/// Changes the game. Pages hear of what is new by events.
async fn change_and_respond(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
    key: &str,
    act: impl FnOnce(&mut OthelloGameState) -> Result<(), PageError> + Send + 'static,
) -> PageAnswer {
    thinking::change_game(desk, key, act).await?;
    Ok(respond_done(visitor, &game_path(key)))
}

fn game_path(key: &str) -> String {
    format!("/othello/{key}")
}

async fn show_game(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    // This is asked first: a review that ends now is wanted no more in the game that is read then.
    let is_reviewing = desk.reviews.is_running(&state::review_key(&key));
    let game = state::load_game(&desk, &key).await?;
    let evaluations =
        desk.ask_store(|store| store.latest_documents(own::KIND, entrance::LISTED)).await?.documents;
    if !is_reviewing {
        study::resume_review(&desk, &key, &game);
    }
    thinking::resume_thinking(&desk, &key, &game);
    let title = visitor.text("othello-othello");
    let played = html! {
        section.panel {
            (event_part("othello-players", "sides", view::render_sides(&visitor, &key, &game)))
            (kept_event_part("othello-list", "moves", view::render_moves(&visitor, &key, &game)))
            (render_phone_door(&visitor, &format!("/othello/{key}")))
            (render_keys(&visitor, &[]))
        }
    };
    let book = played::render_book(&visitor, &key, &game, desk.settings.othello_games.is_some());
    // A review that is wanted begins with all moves; events say how far it is.
    let to_judge = game.wanted_review.map(|_| OthelloReviewGrowth::of_whole_game(&game));
    let overlays = view::render_overlay_choice(&visitor, &key, &game, &evaluations);
    let analysis = render_analysis_pane(&visitor, &key, &game, overlays, book);
    let learn = html! {
        section.panel {
            h2 { (visitor.text("othello-review")) }
            (kept_event_part("othello-judged", "review", view::render_review(&visitor, &key, &game, to_judge)))
        }
    };
    let panes = [
        ("game", visitor.text("othello-game"), played),
        ("analysis", visitor.text("othello-analysis"), analysis),
        ("learn", visitor.text("othello-learn"), learn),
    ];
    let body = html! {
        h1.unseen { (title) (visitor.text("workbench-colon")) (view::players_heading(&visitor, &game)) }
        div #othello-none hidden {}
        p #said .unseen aria-live="polite" {}
        div.columns.go.othello data-game={ "/othello/" (key) } {
            section.stage aria-label=(visitor.text("othello-board")) {
                div.othello-frame {
                    (event_part("othello-place-board", "board", view::render_board(&visitor, &key, &game, &[])))
                    div #othello-preview aria-hidden="true" {}
                }
                div #othello-status .bar sse-swap="status" { (view::render_status(&visitor, &key, &game)) }
            }
            div.sheet {
                (event_part("othello-warning", "warning", view::render_warning(&visitor, &key, &game)))
                (render_tabs(visitor.text("othello-beside-the-board"), &panes))
            }
        }
    };
    let topic = state::game_audience(&key).topic(visitor.texts);
    Ok(Page::new(Room::Othello, title).with_events(&topic).render_page(&visitor, body))
}

/// A part of the page that events of this name fill.
fn event_part(id: &str, name: &str, body: Markup) -> Markup {
    html! { div id=(id) sse-swap=(name) { (body) } }
}

/// The same, where what somebody reads stays as it is: focus, open details and scroll.
fn kept_event_part(id: &str, name: &str, body: Markup) -> Markup {
    html! { div id=(id) data-stays sse-swap=(name) { (body) } }
}

fn render_analysis_pane(
    visitor: &Visitor,
    key: &str,
    game: &OthelloGameState,
    overlays: Markup,
    book: Markup,
) -> Markup {
    html! {
        section.panel {
            h2 { (visitor.text("othello-analysis")) }
            (overlays)
            (event_part("othello-switch", "switch", view::render_study_switch(visitor, key, game)))
            (event_part("othello-analysis", "study", view::render_study(visitor, game, None)))
        }
        section.panel {
            h2 { (visitor.text("othello-exact-endgame")) }
            (kept_event_part("othello-exact", "exact", view::render_exact_score(visitor, key, game, None)))
        }
        section.panel {
            h2 { (visitor.text("othello-book-and-tournament-games")) }
            (event_part("othello-book", "book", book))
        }
    }
}

#[derive(Deserialize)]
struct OthelloClickForm {
    at: String,
    seen: Option<String>,
}

async fn play_square(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(clicked): Form<OthelloClickForm>,
) -> PageAnswer {
    let square: Square = clicked.at.trim().parse()?;
    let now = now_ms();
    change_and_respond(&desk, &visitor, &key, move |game| {
        if clicked.seen.is_some_and(|seen| seen != format!("{}/{}", game.at, game.moves.len())) {
            return Err(PageError::changed_elsewhere());
        }
        if game.engine_to_move().is_some() {
            return Err(PageError::invalid_input("othello-it-is-the-engines-turn"));
        }
        game.play(square, now)
    })
    .await
}

#[derive(Deserialize)]
struct GoToForm {
    to: usize,
}

async fn go_to_move(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(GoToForm { to }): Form<GoToForm>,
) -> PageAnswer {
    change_and_respond(&desk, &visitor, &key, move |game| {
        game.at = to.min(game.moves.len());
        Ok(())
    })
    .await
}

#[derive(Deserialize)]
struct StudyForm {
    on: bool,
}

async fn switch_study(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(StudyForm { on }): Form<StudyForm>,
) -> PageAnswer {
    change_and_respond(&desk, &visitor, &key, move |game| {
        game.study = on;
        Ok(())
    })
    .await
}

#[derive(Deserialize)]
struct LevelForm {
    level: String,
}

impl LevelForm {
    fn parse_level(&self) -> Result<Level, PageError> {
        self.level.parse().map_err(PageError::from)
    }
}

async fn set_level(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(wanted): Form<LevelForm>,
) -> PageAnswer {
    let until_proved = wanted.level == UNTIL_PROVED;
    let level = if until_proved { Level::HIGHEST } else { wanted.parse_level()? };
    change_and_respond(&desk, &visitor, &key, move |game| {
        (game.level, game.until_proved) = (level.number(), until_proved);
        Ok(())
    })
    .await
}

#[derive(Deserialize)]
struct OverlayForm {
    overlay: String,
}

async fn set_overlay(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(OverlayForm { overlay }): Form<OverlayForm>,
) -> PageAnswer {
    let chosen = Overlay::from_name(&overlay).ok_or_else(|| {
        PageError::invalid_input_with(
            "othello-cannot-be-shown-on-the-squares",
            args![overlay = format!("{overlay:?}")],
        )
    })?;
    change_and_respond(&desk, &visitor, &key, move |game| {
        // The values come from the analysis.
        game.study |= chosen == Overlay::Search;
        game.overlay = chosen;
        Ok(())
    })
    .await
}

async fn start_review(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(wanted): Form<LevelForm>,
) -> PageAnswer {
    let level = wanted.parse_level()?;
    let game = thinking::change_game(&desk, &key, move |game| game.want_review(level)).await?;
    state::publish_element(&desk, &key, "review", |visitor| {
        view::render_review(visitor, &key, &game, Some(OthelloReviewGrowth::of_whole_game(&game)))
    });
    study::start_review(&desk, &key, &game, level);
    Ok(respond_done(&visitor, &game_path(&key)))
}

/// What a button without a value asks for.
async fn perform_action(
    desk: DeskState,
    visitor: Visitor,
    Path((key, action)): Path<(String, String)>,
) -> PageAnswer {
    let now = now_ms();
    match action.as_str() {
        "solve" => start_solving(&desk, &key).await?,
        "stop-exact" => stop_solving(&desk, &key).await?,
        "stop-review" => stop_review(&desk, &key).await?,
        _ => drop(thinking::change_game(&desk, &key, move |game| apply_action(game, &action, now)).await?),
    }
    Ok(respond_done(&visitor, &game_path(&key)))
}

fn apply_action(game: &mut OthelloGameState, action: &str, now: u64) -> Result<(), PageError> {
    match action {
        "undo" => game.undo(now)?,
        "take-back" => game.take_blunder_back(now)?,
        "leave" => game.leave_blunder(now),
        "resign" => game.resign()?,
        "return" => game.return_to_line(),
        "pause" => game.pause(now),
        "continue" => {
            game.paused = false;
            game.restart_clock(now);
        }
        // Has the time of the side to move run out?
        "flag" => {
            let color = game.position().to_move();
            if game.time_left(color, now) == Some(0) {
                game.punch_clock(now);
            }
        }
        _ => {
            return Err(PageError::not_found_with(
                "othello-there-is-no-here",
                args![action = format!("{action:?}")],
            ));
        }
    }
    Ok(())
}

async fn start_solving(desk: &Arc<WorkbenchState>, key: &str) -> Result<(), PageError> {
    let game = state::load_game(desk, key).await?;
    let position = game.position();
    if position.is_over() || !findings::is_solvable(position.board()) {
        return Err(PageError::invalid_input("othello-positions-with-30-empty-squares-or"));
    }
    study::start_solving(desk, key, &game);
    Ok(())
}

async fn stop_solving(desk: &Arc<WorkbenchState>, key: &str) -> Result<(), PageError> {
    desk.reviews.stop_task(&state::exact_key(key));
    let game = state::load_game(desk, key).await?;
    state::publish_element(desk, key, "exact", |visitor| view::render_exact_score(visitor, key, &game, None));
    study::resume_study(desk, key, &game);
    Ok(())
}

async fn stop_review(desk: &Arc<WorkbenchState>, key: &str) -> Result<(), PageError> {
    desk.reviews.stop_task(&state::review_key(key));
    let unwanted = |game: &mut OthelloGameState| {
        game.wanted_review = None;
        Ok(())
    };
    let game = thinking::change_game(desk, key, unwanted).await?;
    state::publish_element(desk, key, "review", |visitor| view::render_review(visitor, key, &game, None));
    study::resume_study(desk, key, &game);
    Ok(())
}

#[derive(Deserialize)]
struct LineQuery {
    moves: String,
    /// Moves of the game before the line; those on the board if not given.
    after: Option<usize>,
}

#[derive(Deserialize)]
struct PlayedGamesQuery {
    /// Moves of the game; those on the board if not given.
    after: Option<usize>,
}

/// Games of the WTHOR database that reached this position, if the server has an index of them.
async fn show_games(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Query(asked): Query<PlayedGamesQuery>,
) -> PageAnswer {
    let game = state::load_game(&desk, &key).await?;
    let after = asked.after.unwrap_or(game.at).min(game.moves.len());
    let position = game.position_after(after);
    let Some(index) = desk.settings.othello_games.clone() else {
        return Err(PageError::not_found("othello-this-server-has-no-games-of"));
    };
    let board = position.board();
    let found = run_blocking(move || played::find_games(&index, board)).await??;
    let players = &desk.settings.othello_players;
    Ok(partial_response(played::render_games(&visitor, (&position, after), &found, players)))
}

/// The board after a line that somebody points at.
async fn show_line(desk: DeskState, Path(key): Path<String>, Query(asked): Query<LineQuery>) -> PageAnswer {
    let game = state::load_game(&desk, &key).await?;
    let position = game.position_after(asked.after.unwrap_or(game.at));
    let line: Vec<Square> = asked
        .moves
        .as_bytes()
        .chunks(2)
        .take(60)
        .filter_map(|pair| std::str::from_utf8(pair).ok()?.parse().ok())
        .collect();
    Ok(partial_response(html! { (maud::PreEscaped(view::draw_variation(&position, &line))) }))
}

/// The game as SGF with its review. Its root says how it was made, if an engine played in it or it was reviewed.
fn write_sgf(
    desk: &WorkbenchState,
    key: &str,
    game: &OthelloGameState,
    visitor: &Visitor,
) -> Result<String, PageError> {
    let mut record = record::to_reviewed_record(game, visitor)?;
    if let Some(work) = game.describe_work(key) {
        record.set_application("ishi", env!("CARGO_PKG_VERSION"));
        mark_record(&mut record, &desk.settings, &work);
    }
    Ok(record.to_sgf())
}

const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// `game.sgf` and the like; `game.html` is the game with its review, and works without a server.
async fn download_file(
    desk: DeskState,
    visitor: Visitor,
    Path((key, name)): Path<(String, String)>,
) -> PageAnswer {
    let game = state::load_game(&desk, &key).await?;
    let none =
        || PageError::not_found_with("othello-there-is-no-here-value", args![name = format!("{name:?}")]);
    let (kind, text) = match name.strip_prefix("game.").ok_or_else(none)? {
        "html" => {
            let page = share::render_shared_game(&game, visitor.texts);
            let page = match game.describe_work(&key) {
                Some(work) => mark_page(&page, &desk.settings, &work),
                None => page,
            };
            ("text/html; charset=utf-8", page)
        }
        "svg" => {
            let picture = BoardPicture::from_position(&game.position()).to_svg();
            let picture = match game.describe_work(&key) {
                Some(work) => mark_picture(&picture, &desk.settings, &work),
                None => picture,
            };
            ("image/svg+xml", picture)
        }
        "sgf" => (PLAIN_TEXT, write_sgf(&desk, &key, &game, &visitor)?),
        ending => {
            let format = match ending {
                "ggf" => OthelloFormat::Ggf,
                "obf" => OthelloFormat::Obf,
                "txt" => OthelloFormat::Transcript,
                _ => return Err(none()),
            };
            let bytes = records::write_records(format, &[game.to_record()])?;
            (PLAIN_TEXT, String::from_utf8(bytes).map_err(PageError::from_system_error)?)
        }
    };
    Ok(attachment_response(&format!("othello-{key}.{}", &name[5..]), kind, text))
}
