//! The room of patterns: a sheet of 36, one pattern with its symmetries, the editor, matches in a game.
//!
//! - `collection`: the shipped patterns, and the person's own ones, which are documents. `index_cache`: those that were read lately.
//! - `sheet`: 36 at a glance. `view`: one of them. `draft`: one that is being edited, kept with every change until it is saved.
//! - `game`: what matches in a game. `names`: what patterns are called.

mod collection;
mod draft;
mod game;
pub(super) mod index_cache;
mod names;
mod sheet;
mod view;

use std::sync::Arc;

use axum::Router;

use crate::workbench::WorkbenchState;

pub(super) use draft::make_words;
pub(super) use view::{colored_move, kind_name, localized_words};

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new().merge(sheet::routes()).merge(view::routes()).merge(draft::routes()).merge(game::routes())
}
