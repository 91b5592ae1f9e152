//! Which pools there are, and what is in them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::http::{Response, StatusCode};
use axum::routing::get;
use serde::Serialize;

use crate::reply::json_response;
use crate::state::{ServedPool, ServerState};
use crate::workbench::RequestError;

pub(crate) fn routes() -> Router<Arc<ServerState>> {
    Router::new().route("/v1/pools", get(list_pools)).route("/v1/pools/{name}", get(get_pool))
}

/// A pool in a few words.
#[derive(Serialize)]
struct PoolSummary<'a> {
    name: &'a str,
    title: Option<&'a str>,
    pieces: usize,
    resources: &'a [String],
    attributes: &'a [String],
    groups: usize,
    /// Do leaders score by a table of their own?
    leader_scores: bool,
    /// Slots of a deck for which a request is short of words: copies that the pool speaks of.
    copies: bool,
}

impl<'a> PoolSummary<'a> {
    fn from_served(served: &'a ServedPool) -> PoolSummary<'a> {
        let pool = &served.file.pool;
        PoolSummary {
            name: &served.name,
            title: served.file.name.as_deref(),
            pieces: pool.pieces.len(),
            resources: &pool.resources,
            attributes: &pool.attributes,
            groups: pool.groups.len(),
            leader_scores: pool.leaders.is_some(),
            copies: served.file.copies.is_some(),
        }
    }
}

#[derive(Serialize)]
struct PoolList<'a> {
    pools: Vec<PoolSummary<'a>>,
}

async fn list_pools(Shared(state): Shared<Arc<ServerState>>) -> Response<Body> {
    json_response(
        StatusCode::OK,
        &PoolList { pools: state.pools.iter().map(PoolSummary::from_served).collect() },
    )
}

#[derive(Serialize)]
struct PoolPiece<'a> {
    name: &'a str,
    costs: &'a [i64],
    attributes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
}

#[derive(Serialize)]
struct PoolDetails<'a> {
    #[serde(flatten)]
    summary: PoolSummary<'a>,
    /// All pieces; their costs are in the order of `resources`.
    list: Vec<PoolPiece<'a>>,
}

async fn get_pool(
    Shared(state): Shared<Arc<ServerState>>,
    Path(name): Path<String>,
) -> Result<Response<Body>, RequestError> {
    let served = find_pool(&state, &name)?;
    let pool = &served.file.pool;
    let list = (0..pool.pieces.len()).map(|at| pool_piece(pool, at)).collect();
    Ok(json_response(StatusCode::OK, &PoolDetails { summary: PoolSummary::from_served(served), list }))
}

fn pool_piece(pool: &ishi_deck::Pool, at: usize) -> PoolPiece<'_> {
    let piece = &pool.pieces[at];
    PoolPiece {
        name: &piece.name,
        costs: &piece.costs,
        attributes: piece.attributes.iter().map(|&at| pool.attributes[at].as_str()).collect(),
        group: piece.group.map(|at| pool.groups[at].name.as_str()),
    }
}

/// The pool of this name.
pub(super) fn find_pool<'a>(state: &'a ServerState, name: &str) -> Result<&'a ServedPool, RequestError> {
    let found = state.pools.iter().find(|served| served.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = state.pools.iter().map(|served| served.name.as_str()).collect();
        let message = format!("there is no pool {name:?}; there are {}", names.join(", "));
        RequestError::for_programs(StatusCode::NOT_FOUND, "pool", message)
    })
}
