//! The room of laboratory.

use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::html;

use crate::workbench::Desk;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;

pub(crate) fn routes() -> Router<Arc<Desk>> {
    Router::new().route("/lab", get(entrance))
}

async fn entrance(visitor: Visitor) -> Response {
    let title = visitor.say("Laboratory", "実験室");
    Page::new(Room::Laboratory, title).show(&visitor, html! { h1 { (title) } })
}
