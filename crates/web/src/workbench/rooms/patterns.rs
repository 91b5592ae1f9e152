//! The room of patterns.

use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::html;

use crate::workbench::Desk;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;

pub(crate) fn routes() -> Router<Arc<Desk>> {
    Router::new().route("/patterns", get(entrance))
}

async fn entrance(visitor: Visitor) -> Response {
    let title = visitor.say("Patterns", "パターン");
    Page::new(Room::Patterns, title).show(&visitor, html! { h1 { (title) } })
}
