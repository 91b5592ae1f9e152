//! The first page.

use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::html;

use crate::workbench::Desk;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;

pub(crate) fn routes() -> Router<Arc<Desk>> {
    Router::new().route("/", get(home))
}

async fn home(visitor: Visitor) -> Response {
    let title = visitor.say("A workbench for stone games", "石のゲームのワークベンチ");
    Page::new(Room::Home, title).show(&visitor, html! { h1 { (title) } })
}
