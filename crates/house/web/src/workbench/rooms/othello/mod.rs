//! The room of othello: play, look, solve, review.
//!
//! - [`game`]: a game as the store keeps it. [`state`]: its changes, told to all pages.
//! - [`play`]: engines that move. [`study`]: analysis, exact endgames, reviews.
//! - [`own`]: evaluations out of files.
//! - [`view`], [`entrance`], [`graph`]: what is shown.

mod entrance;
mod game;
mod graph;
mod own;
mod play;
mod state;
mod study;
mod view;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Form, Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, HeaderValue};
use axum::http::{Response as HttpResponse, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use ishi_othello::Square;
use ishi_othello::picture::Picture;
use ishi_othello_play::levels::Level;
use ishi_sgf::othello_records::{self as records, Format};
use maud::html;
use serde::Deserialize;

use crate::error::text_response;
use crate::workbench::Desk;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, part};
use crate::workbench::visitor::Visitor;
use game::{Game, Overlay};

pub(crate) fn routes() -> Router<Arc<Desk>> {
    Router::new()
        .route("/othello", get(entrance::show).post(entrance::start))
        .route("/othello/open", post(entrance::open))
        .route("/othello/evaluations", post(entrance::keep_evaluation))
        .route("/othello/evaluations/{key}/forget", post(entrance::forget_evaluation))
        .route("/othello/{key}", get(page))
        .route("/othello/{key}/point", post(point))
        .route("/othello/{key}/go", post(go))
        .route("/othello/{key}/study", post(study_switch))
        .route("/othello/{key}/level", post(level))
        .route("/othello/{key}/overlay", post(overlay))
        .route("/othello/{key}/review", post(review))
        .route("/othello/{key}/forget", post(entrance::forget))
        .route("/othello/{key}/line", get(line))
        .route("/othello/{key}/{action}", get(file).post(action))
}

/// What htmx is told by events needs no answer; who has no script goes back to the page.
fn done(visitor: &Visitor, key: &str) -> Response {
    if visitor.partial {
        return StatusCode::NO_CONTENT.into_response();
    }
    Redirect::to(&format!("/othello/{key}")).into_response()
}

async fn page(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
) -> Result<Response, PageError> {
    let game = state::load(&desk, &key).await?;
    let evaluations = desk.store(|store| store.documents(own::KIND, entrance::LISTED)).await?;
    state::resume(&desk, &key, &game);
    let title = visitor.say("Othello", "オセロ");
    let part = |id: &'static str, name: &'static str, body| {
        html! { div id=(id) sse-swap=(name) { (body) } }
    };
    let body = html! {
        h1 { (title) ": " (view::heading(&visitor, &game)) }
        div #othello-none hidden {}
        div.columns.othello data-game={ "/othello/" (key) } {
            section aria-label=(visitor.say("Board", "盤面")) {
                div.othello-frame {
                    (part("othello-place-board", "board", view::board(&visitor, &key, &game, &[])))
                    div #othello-preview aria-hidden="true" {}
                }
                div.panel { (part("othello-status", "status", view::status(&visitor, &key, &game))) }
            }
            div {
                section.panel {
                    h2 { (visitor.say("Analysis", "解析")) }
                    (view::overlays(&visitor, &key, &game, &evaluations))
                    (part("othello-switch", "switch", view::switch(&visitor, &key, &game)))
                    (part("othello-analysis", "study", view::study(&visitor, &game, None)))
                }
                section.panel {
                    h2 { (visitor.say("Exact endgame", "終盤の完全読み")) }
                    (part("othello-exact", "exact", view::exact(&visitor, &key, &game, None)))
                }
                section.panel {
                    h2 { (visitor.say("Review", "検討")) }
                    (part("othello-judged", "review", view::review(&visitor, &key, &game, None)))
                }
                section.panel {
                    h2 { (visitor.say("Moves", "手順")) }
                    (part("othello-list", "moves", view::moves(&visitor, &key, &game)))
                }
            }
        }
    };
    let topic = state::audience(&key).topic(visitor.language);
    Ok(Page::new(Room::Othello, title).hearing(&topic).show(&visitor, body))
}

#[derive(Deserialize)]
struct Clicked {
    at: String,
    seen: Option<String>,
}

async fn point(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(clicked): Form<Clicked>,
) -> Result<Response, PageError> {
    let square: Square = clicked.at.trim().parse().map_err(PageError::input)?;
    let now = play::now();
    state::change(&desk, &key, move |game| {
        if clicked.seen.is_some_and(|seen| seen != format!("{}/{}", game.at, game.moves.len())) {
            return Err(PageError::changed_elsewhere());
        }
        if game.engine_to_move().is_some() {
            return Err(PageError::refused("it is the engine's turn", "エンジンの手番です"));
        }
        game.play(square, now)
    })
    .await?;
    Ok(done(&visitor, &key))
}

#[derive(Deserialize)]
struct To {
    to: usize,
}

async fn go(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(To { to }): Form<To>,
) -> Result<Response, PageError> {
    state::change(&desk, &key, move |game| {
        game.at = to.min(game.moves.len());
        Ok(())
    })
    .await?;
    Ok(done(&visitor, &key))
}

#[derive(Deserialize)]
struct Switch {
    on: bool,
}

async fn study_switch(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(Switch { on }): Form<Switch>,
) -> Result<Response, PageError> {
    state::change(&desk, &key, move |game| {
        game.study = on;
        Ok(())
    })
    .await?;
    Ok(done(&visitor, &key))
}

#[derive(Deserialize)]
struct Wanted {
    level: String,
}

impl Wanted {
    fn level(&self) -> Result<Level, PageError> {
        self.level.parse().map_err(PageError::input)
    }
}

async fn level(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(wanted): Form<Wanted>,
) -> Result<Response, PageError> {
    let level = wanted.level()?;
    state::change(&desk, &key, move |game| {
        game.level = level.number();
        Ok(())
    })
    .await?;
    Ok(done(&visitor, &key))
}

#[derive(Deserialize)]
struct Overlaid {
    overlay: String,
}

async fn overlay(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(Overlaid { overlay }): Form<Overlaid>,
) -> Result<Response, PageError> {
    let chosen = Overlay::named(&overlay).ok_or_else(|| {
        PageError::refused(
            format!("{overlay:?} cannot be shown on the squares"),
            format!("{overlay:?} は表示できません"),
        )
    })?;
    state::change(&desk, &key, move |game| {
        // The values come from the analysis.
        game.study |= chosen == Overlay::Search;
        game.overlay = chosen;
        Ok(())
    })
    .await?;
    Ok(done(&visitor, &key))
}

async fn review(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(wanted): Form<Wanted>,
) -> Result<Response, PageError> {
    let level = wanted.level()?;
    let game = state::load(&desk, &key).await?;
    if game.moves.is_empty() {
        return Err(PageError::refused("there are no moves to review", "検討する手がありません"));
    }
    state::tell(&desk, &key, "review", |visitor| view::review(visitor, &key, &game, Some(game.moves.len())));
    study::judge(&desk, &key, &game, level);
    Ok(done(&visitor, &key))
}

/// What a button without a value asks for.
async fn action(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((key, action)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let now = play::now();
    match action.as_str() {
        "solve" => solve(&desk, &key).await?,
        "stop-exact" => stop_exact(&desk, &key).await?,
        "stop-review" => stop_review(&desk, &key).await?,
        _ => drop(state::change(&desk, &key, move |game| simple(game, &action, now)).await?),
    }
    Ok(done(&visitor, &key))
}

fn simple(game: &mut Game, action: &str, now: u64) -> Result<(), PageError> {
    match action {
        "undo" => game.undo(now)?,
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
                game.punch(now);
            }
        }
        _ => {
            return Err(PageError::missing(
                format!("there is no {action:?} here"),
                format!("{action:?} はありません"),
            ));
        }
    }
    Ok(())
}

async fn solve(desk: &Arc<Desk>, key: &str) -> Result<(), PageError> {
    let game = state::load(desk, key).await?;
    let position = game.position();
    if position.is_over() || !study::is_solvable(position.board()) {
        return Err(PageError::refused(
            "positions with 30 empty squares or fewer can be solved, until the game is over",
            "空きマスが30以下で終局していない局面だけを読み切れます",
        ));
    }
    study::solve(desk, key, &game);
    Ok(())
}

async fn stop_exact(desk: &Arc<Desk>, key: &str) -> Result<(), PageError> {
    desk.thoughts.stop(&study::exact_key(key));
    let game = state::load(desk, key).await?;
    state::tell(desk, key, "exact", |visitor| view::exact(visitor, key, &game, None));
    study::go_on(desk, key, &game);
    Ok(())
}

async fn stop_review(desk: &Arc<Desk>, key: &str) -> Result<(), PageError> {
    desk.thoughts.stop(&study::review_key(key));
    let game = state::load(desk, key).await?;
    state::tell(desk, key, "review", |visitor| view::review(visitor, key, &game, None));
    study::go_on(desk, key, &game);
    Ok(())
}

#[derive(Deserialize)]
struct Line {
    moves: String,
    /// Moves of the game before the line; those on the board if not given.
    after: Option<usize>,
}

/// The board after a line that somebody points at.
async fn line(
    State(desk): State<Arc<Desk>>,
    Path(key): Path<String>,
    Query(asked): Query<Line>,
) -> Result<Response, PageError> {
    let game = state::load(&desk, &key).await?;
    let position = game.position_after(asked.after.unwrap_or(game.at));
    let line: Vec<Square> = asked
        .moves
        .as_bytes()
        .chunks(2)
        .take(60)
        .filter_map(|pair| std::str::from_utf8(pair).ok()?.parse().ok())
        .collect();
    Ok(part(html! { (maud::PreEscaped(view::variation(&position, &line))) }))
}

/// `game.sgf` and the like.
async fn file(
    State(desk): State<Arc<Desk>>,
    Path((key, name)): Path<(String, String)>,
) -> Result<HttpResponse<Body>, PageError> {
    let game = state::load(&desk, &key).await?;
    let none = || PageError::missing(format!("there is no {name:?} here"), format!("{name:?} はありません"));
    let (kind, text) = match name.strip_prefix("game.").ok_or_else(none)? {
        "svg" => ("image/svg+xml", Picture::of(&game.position()).svg()),
        ending => {
            let format = match ending {
                "sgf" => Format::Sgf,
                "ggf" => Format::Ggf,
                "obf" => Format::Obf,
                "txt" => Format::Transcript,
                _ => return Err(none()),
            };
            let bytes = records::write(format, &[game.record()]).map_err(PageError::input)?;
            ("text/plain; charset=utf-8", String::from_utf8(bytes).map_err(PageError::outside)?)
        }
    };
    let mut response = text_response(StatusCode::OK, kind, text);
    let saved = HeaderValue::from_str(&format!("attachment; filename=\"othello-{key}.{}\"", &name[5..]));
    response.headers_mut().insert(CONTENT_DISPOSITION, saved.map_err(PageError::outside)?);
    Ok(response)
}
