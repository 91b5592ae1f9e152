//! The room of othello.

use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::html;

use crate::workbench::Desk;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;

pub(crate) fn routes() -> Router<Arc<Desk>> {
    Router::new().route("/othello", get(entrance))
}

async fn entrance(visitor: Visitor) -> Response {
    let title = visitor.say("Othello", "オセロ");
    Page::new(Room::Othello, title).show(&visitor, html! { h1 { (title) } })
}
