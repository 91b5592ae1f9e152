//! Which pools there are, and what is in them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::http::{Response, StatusCode};
use axum::routing::get;
use serde::Serialize;

use crate::error::{ApiError, json};
use crate::state::{ServedPool, State};

pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new().route("/v1/pools", get(list)).route("/v1/pools/{name}", get(one))
}

/// A pool in a few words.
#[derive(Serialize)]
struct Summary<'a> {
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

impl<'a> Summary<'a> {
    fn of(served: &'a ServedPool) -> Summary<'a> {
        let pool = &served.file.pool;
        Summary {
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
struct List<'a> {
    pools: Vec<Summary<'a>>,
}

async fn list(Shared(state): Shared<Arc<State>>) -> Response<Body> {
    json(StatusCode::OK, &List { pools: state.pools.iter().map(Summary::of).collect() })
}

#[derive(Serialize)]
struct PieceLine<'a> {
    name: &'a str,
    costs: &'a [i64],
    attributes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
}

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    summary: Summary<'a>,
    /// All pieces; their costs are in the order of `resources`.
    list: Vec<PieceLine<'a>>,
}

async fn one(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
) -> Result<Response<Body>, ApiError> {
    let served = named(&state, &name)?;
    let pool = &served.file.pool;
    let list = (0..pool.pieces.len()).map(|at| piece_line(pool, at)).collect();
    Ok(json(StatusCode::OK, &Whole { summary: Summary::of(served), list }))
}

fn piece_line(pool: &ishi_deck::Pool, at: usize) -> PieceLine<'_> {
    let piece = &pool.pieces[at];
    PieceLine {
        name: &piece.name,
        costs: &piece.costs,
        attributes: piece.attributes.iter().map(|&at| pool.attributes[at].as_str()).collect(),
        group: piece.group.map(|at| pool.groups[at].name.as_str()),
    }
}

/// The pool of this name.
pub(super) fn named<'a>(state: &'a State, name: &str) -> Result<&'a ServedPool, ApiError> {
    let found = state.pools.iter().find(|served| served.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = state.pools.iter().map(|served| served.name.as_str()).collect();
        let message = format!("there is no pool {name:?}; there are {}", names.join(", "));
        ApiError::new(StatusCode::NOT_FOUND, "pool", message)
    })
}
