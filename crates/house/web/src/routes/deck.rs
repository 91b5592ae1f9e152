//! A request in, a deck out.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Query, State as Shared};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, Request, Response, StatusCode};
use axum::routing::post;
use ishi_deck::{Problem, Status};
use ishi_deck_documents::{AnswerDocument, PoolFile, request, solve, words};
use serde::Deserialize;

use super::pools;
use crate::error::{ApiError, json};
use crate::state::{ServedPool, Settings, State};
use crate::workers::{Cancel, Refusal};

/// A client has so long to send the body of a request.
const BODY_TIME: Duration = Duration::from_secs(30);

pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new().route("/v1/deck", post(deck))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    pool: Option<String>,
}

async fn deck(
    Shared(state): Shared<Arc<State>>,
    query: Result<Query<Asked>, axum::extract::rejection::QueryRejection>,
    request: Request<Body>,
) -> Result<Response<Body>, ApiError> {
    let Query(asked) = query.map_err(|_| {
        let message = "the query of the address knows `pool` only, as in /v1/deck?pool=NAME";
        ApiError::new(StatusCode::BAD_REQUEST, "query", message)
    })?;
    let pool = Arc::clone(&pool(&state, asked.pool.as_deref())?.file);
    is_json(request.headers())?;
    let body = body(request, state.settings.body).await?;
    let settings = state.settings.clone();
    let work = move |cancel: &Cancel| answer(&pool, &body, &settings, cancel);
    match state.workers.run(work).await {
        Ok(answer) => answer.map(|document| json(StatusCode::OK, &document)),
        Err(Refusal::Full) => {
            let waiting = state.settings.queue;
            Err(ApiError::busy(format!("{waiting} requests are waiting already; come again")))
        }
        Err(Refusal::Closed) => Err(ApiError::closing()),
        Err(Refusal::Failed) => Err(ApiError::internal()),
    }
}

fn pool<'a>(state: &'a State, name: Option<&str>) -> Result<&'a ServedPool, ApiError> {
    match (name, state.pools.as_slice()) {
        (Some(name), _) => pools::named(state, name),
        (None, [only]) => Ok(only),
        (None, pools) => {
            let names: Vec<&str> = pools.iter().map(|served| served.name.as_str()).collect();
            let message =
                format!("there are several pools; say which, as in /v1/deck?pool=NAME: {}", names.join(", "));
            Err(ApiError::new(StatusCode::BAD_REQUEST, "query", message).of_field("pool"))
        }
    }
}

/// Other types are refused: pages of other origins can send those without being asked first.
fn is_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let found = headers.get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
    let essence = found.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let found = found.map_or("no type".to_string(), |found| format!("{found:?}"));
    let message = format!("the body has {found}; send it with Content-Type: application/json");
    Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "type", message))
}

async fn body(request: Request<Body>, limit: usize) -> Result<Bytes, ApiError> {
    let too_large = || {
        let message = format!("a body has at most {limit} bytes here");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "size", message)
    };
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > limit as u64) {
        return Err(too_large());
    }
    let known = length.is_some();
    match tokio::time::timeout(BODY_TIME, to_bytes(request.into_body(), limit)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        // Of a body of known length only the connection can fail; one in chunks is too long.
        Ok(Err(_)) if known => {
            Err(ApiError::new(StatusCode::BAD_REQUEST, "body", "the body ended before its length"))
        }
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "body", "the body took too long to come")),
    }
}

/// The work itself, on a thread of its own.
fn answer(
    pool: &PoolFile,
    body: &[u8],
    settings: &Settings,
    cancel: &Cancel,
) -> Result<AnswerDocument, ApiError> {
    const NAME: &str = "request.json";
    request::check_form(NAME, body).map_err(ApiError::malformed)?;
    let wish = request::read(NAME, body, pool, &no_files)
        .map_err(|error| ApiError::meaningless(error.what, error.field))?;
    let problem = Problem::new(Arc::clone(&pool.pool), &wish.request)
        .map_err(|error| ApiError::meaningless(error.to_string(), None))?;
    if problem.len() > settings.slots {
        let (slots, most) = (problem.len(), settings.slots);
        let message = format!("{slots} pieces with their copies to choose from; at most {most} here");
        return Err(ApiError::meaningless(message, Some("owned".to_string())));
    }
    let mut how = wish.settings;
    how.time_limit = Some(how.time_limit.map_or(settings.time, |asked| asked.min(settings.time)));
    let method = how.method.unwrap_or_default();
    let timed = solve::solve(&problem, &how, settings.seed, &mut |_| {
        if cancel.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if cancel.is_ending() && timed.answer.status != Status::Optimal {
        return Err(ApiError::closing());
    }
    if timed.answer.deck.is_none() {
        let reasons = words::infeasible(&problem);
        if !reasons.is_empty() {
            return Err(ApiError::infeasible(format!("there is no deck: {}", reasons.join("; "))));
        }
        if timed.answer.status == Status::Infeasible {
            return Err(ApiError::infeasible("no deck keeps all these rules together"));
        }
    }
    Ok(AnswerDocument::of(&problem, &timed, method))
}

/// A request over the network names no files.
fn no_files(_: &str) -> Result<Vec<u8>, String> {
    Err("a request to a server names no files; write the pieces into the request".to_string())
}
