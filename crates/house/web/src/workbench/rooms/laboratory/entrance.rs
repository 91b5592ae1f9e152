//! The entrance of the laboratory, and the addresses of all its pages.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use maud::html;

use super::{campaigns, experiments, games, matches};
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/lab", get(show_entrance))
        .merge(experiments::routes())
        .merge(matches::routes())
        .merge(campaigns::routes())
        .merge(games::routes())
}

async fn show_entrance(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let title = visitor.text("laboratory-laboratory");
    let body = html! {
        h1 { (title) }
        @if desk.settings.db.is_none() {
            p.bad { (visitor.text("laboratory-nothing-is-kept-this-server-has")) }
        }
        (experiments::render_experiments(&desk, &visitor).await?)
        (matches::render_matches(&desk, &visitor).await?)
        section {
            h2 { (visitor.text("laboratory-campaigns")) }
            p { a.button href="/lab/campaigns" { (visitor.text("laboratory-campaigns-and-their-workers")) } }
        }
        section {
            h2 { (visitor.text("laboratory-games")) }
            p { a.button href="/lab/games" { (visitor.text("laboratory-all-games-that-are-kept")) } }
        }
    };
    Ok(Page::new(Room::Laboratory, title).render_page(&visitor, body))
}
