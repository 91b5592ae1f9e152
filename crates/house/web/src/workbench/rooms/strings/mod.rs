//! The room of strings: the maximum string problem, solved, proved and drawn.

mod board;
mod view;
mod work;

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::{Form, Path};
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use ishi_grid::picture;
use ishi_grid::strings::{StringsError, StringsSolution, StringsTask, solve_task};
use maud::html;
use serde::Deserialize;

use crate::workbench::answer::{attachment_response, respond_done};
use crate::workbench::desk::run_blocking;
use crate::workbench::error::PageError;
use crate::workbench::made_by::{mark_document, mark_picture};
use crate::workbench::page::{Page, Room};
use crate::workbench::rooms::damage;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};
use board::{BoardKind, KIND, PROOFS, StringsRequest};

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/strings", get(show_entrance).post(start_solving))
        .route("/strings/{key}", get(show_board))
        .route("/strings/{key}/forget", post(delete_board))
        .route("/strings/{key}/{action}", get(download_file).post(perform_action))
}

/// Boards that are listed.
const LISTED: usize = 30;

async fn show_entrance(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let kept = desk.ask_store(|store| store.latest_documents(KIND, LISTED)).await?;
    // It takes a moment, once: a page waits for no answer of somebody else.
    let sample = run_blocking(solve_sample).await?.map_err(PageError::from_system_error)?;
    let title = visitor.text("strings-strings");
    let body = html! {
        h1 { (visitor.text("strings-the-maximum-string-problem")) }
        p { (visitor.text("strings-how-many-strings-chains-can-stand")) }
        div.entrance {
            section.panel { h2 { (visitor.text("strings-solve-a-board")) } (view::render_form(&visitor)) }
            section.panel {
                h2 { (visitor.text("strings-for-example-9x9-61-strings")) }
                (view::render_picture(&visitor, &sample.board, sample.strings))
            }
            section.panel { h2 { (visitor.text("strings-boards")) } (view::render_boards(&visitor, &kept.documents)) (damage::render_damage(&visitor, &kept.damaged)) }
        }
    };
    Ok(Page::new(Room::Strings, title).render_page(&visitor, body))
}

/// The board of 9 lines, solved when the room is first entered.
fn solve_sample() -> Result<StringsSolution, StringsError> {
    static SAMPLE: OnceLock<Result<StringsSolution, StringsError>> = OnceLock::new();
    SAMPLE.get_or_init(|| solve_task(&StringsTask::new(9, 9), &mut |_| ControlFlow::Continue(()))).clone()
}

#[derive(Deserialize)]
struct StringsForm {
    width: usize,
    height: Option<String>,
    way: BoardKind,
    given: Option<String>,
}

async fn start_solving(desk: DeskState, Form(wish): Form<StringsForm>) -> PageAnswer {
    let height = match wish.height.as_deref().map(str::trim) {
        None | Some("") => wish.width,
        Some(text) => text.parse().map_err(|_| {
            PageError::invalid_input_with(
                "strings-invalid-rows-write-a-number",
                args![text = format!("{text:?}")],
            )
        })?,
    };
    let given = wish.given.filter(|text| !text.trim().is_empty());
    let asked = StringsRequest { width: wish.width, height, way: wish.way, given, found: None, proof: None };
    asked.check_solvable()?;
    let key = desk.create_document(&asked).await?;
    Ok(Redirect::to(&format!("/strings/{key}")).into_response())
}

async fn show_board(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    let asked = board::load_request(&desk, &key).await?;
    if asked.found.is_none() && !desk.boards.is_running(&work::solve_key(&key)) {
        work::start_solving(&desk, &key, &asked);
    }
    let body = html! {
        h1 { (asked.title()) }
        p { a href="/strings" { (visitor.text("strings-all-boards")) } }
        div.columns {
            section.panel aria-label=(visitor.text("strings-board")) { div data-stays sse-swap="found" { (view::render_found(&visitor, &key, &asked, None)) } }
            section.panel {
                h2 { (visitor.text("strings-certificate")) }
                div data-stays sse-swap="proof" { (view::render_proof(&visitor, &key, &asked, None)) }
            }
        }
    };
    let title = asked.title();
    let topic = work::board_audience(&key).topic(visitor.texts);
    Ok(Page::new(Room::Strings, &title).with_events(&topic).render_page(&visitor, body))
}

async fn perform_action(
    desk: DeskState,
    visitor: Visitor,
    Path((key, action)): Path<(String, String)>,
) -> PageAnswer {
    let asked = board::load_request(&desk, &key).await?;
    match action.as_str() {
        "solve" => work::start_solving(&desk, &key, &asked),
        "stop" => {
            desk.boards.stop_task(&work::solve_key(&key));
            work::board_audience(&key)
                .publish(&desk, "found", |visitor| view::render_stopped(visitor, &key, &asked));
        }
        "prove" if asked.can_be_proved() => work::start_proving(&desk, &key, &asked),
        "prove" => {
            return Err(PageError::invalid_input("strings-only-boards-without-wraps-and-without"));
        }
        "stop-proof" => {
            desk.boards.stop_task(&work::proof_key(&key));
            work::board_audience(&key)
                .publish(&desk, "proof", |visitor| view::render_proof(visitor, &key, &asked, None));
        }
        _ => {
            return Err(PageError::not_found_with(
                "strings-there-is-no-here",
                args![action = format!("{action:?}")],
            ));
        }
    }
    Ok(respond_done(&visitor, &format!("/strings/{key}")))
}

async fn delete_board(desk: DeskState, Path(key): Path<String>) -> PageAnswer {
    desk.boards.stop_task(&work::solve_key(&key));
    desk.boards.stop_task(&work::proof_key(&key));
    desk.ask_store(move |store| {
        store.forget_document(PROOFS, &key)?;
        store.forget_document(KIND, &key)
    })
    .await?;
    Ok(Redirect::to("/strings").into_response())
}

/// `board.svg` and the like.
async fn download_file(desk: DeskState, Path((key, name)): Path<(String, String)>) -> PageAnswer {
    let asked = board::load_request(&desk, &key).await?;
    let none =
        || PageError::not_found_with("strings-there-is-no-here-value", args![name = format!("{name:?}")]);
    let (kind, text) = match name.as_str() {
        "board.svg" => {
            let drawn = picture::render_svg(&asked.found_board().ok_or_else(none)?, &asked.title());
            ("image/svg+xml", mark_picture(&drawn, &desk.settings, &format!("strings {key}")))
        }
        "board.json" if asked.found.is_some() => {
            let work = format!("strings {key}");
            let document = mark_document(asked.to_result_document(), &desk.settings, &work);
            ("application/json", format!("{document:#}\n"))
        }
        "board.txt" => ("text/plain; charset=utf-8", asked.found_rows().ok_or_else(none)?.join("\n") + "\n"),
        "board.cert" => {
            let kept = desk.find_document(PROOFS, &key).await?.ok_or_else(none)?;
            ("text/plain; charset=utf-8", kept.body.as_str().unwrap_or_default().to_string())
        }
        _ => return Err(none()),
    };
    let ending = name.trim_start_matches("board.");
    let file = format!("strings-{}x{}.{ending}", asked.width, asked.height);
    Ok(attachment_response(&file, kind, text))
}
