//! A request in, a deck out.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State as Shared};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use axum::routing::post;
use ishi_deck::{AnswerStatus, Problem};
use ishi_deck_documents::{AnswerDocument, PoolFile, request, solve};
use ishi_lab::machine::Machine;
use ishi_rng::Seed;
use ishi_work::{Stop, continue_unless};
use serde::Deserialize;

use super::pools;
use crate::body::{ReceivedBody, discard_rest, receive_body};
use crate::reply::json_response;
use crate::state::{ServedPool, ServerSettings, ServerState};
use crate::workbench::RequestError;
use crate::workers::{JobStop, Refusal};

/// The header of an answer that says how it was made.
const MADE_BY: &str = "made-by";

pub(crate) fn routes() -> Router<Arc<ServerState>> {
    Router::new().route("/v1/deck", post(answer_deck_request))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeckQuery {
    pool: Option<String>,
}

async fn answer_deck_request(
    Shared(state): Shared<Arc<ServerState>>,
    query: Result<Query<DeckQuery>, axum::extract::rejection::QueryRejection>,
    request: Request<Body>,
) -> Result<Response<Body>, RequestError> {
    let Query(asked) = query.map_err(|_| {
        let message = "the query of the address knows `pool` only, as in /v1/deck?pool=NAME";
        RequestError::for_programs(StatusCode::BAD_REQUEST, "query", message)
    })?;
    let pool = Arc::clone(&choose_pool(&state, asked.pool.as_deref())?.file);
    require_json(request.headers())?;
    let body = read_body(request, state.settings.body).await?;
    let settings = state.settings.clone();
    let work = move |cancel: &JobStop| solve_request(&pool, &body, &settings, cancel);
    match state.workers.run_job(work).await {
        Ok(answer) => answer.map(|(document, seed)| answer_response(&document, seed)),
        Err(Refusal::Full) => {
            let waiting = state.settings.queue;
            let message = format!("{waiting} requests are waiting already; come again");
            Err(RequestError::for_programs(StatusCode::SERVICE_UNAVAILABLE, "busy", message))
        }
        Err(refusal) => Err(refusal.into()),
    }
}

fn answer_response(document: &AnswerDocument, seed: Seed) -> Response<Body> {
    let mut response = json_response(StatusCode::OK, document);
    if let Some(made_by) = describe_making(seed) {
        response.headers_mut().insert(MADE_BY, made_by);
    }
    response
}

/// Version, seed and machine, as other results say them. `None` if the processor has a name that no header can hold.
fn describe_making(seed: Seed) -> Option<HeaderValue> {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    let Machine { build, cpu, system, .. } = MACHINE.get_or_init(Machine::current);
    HeaderValue::from_str(&format!("{build}, seed {seed}, threads 1, {cpu}, {system}: ishi deck serve")).ok()
}

fn choose_pool<'a>(state: &'a ServerState, name: Option<&str>) -> Result<&'a ServedPool, RequestError> {
    match (name, state.pools.as_slice()) {
        (Some(name), _) => pools::find_pool(state, name),
        (None, [only]) => Ok(only),
        (None, pools) => {
            let names: Vec<&str> = pools.iter().map(|served| served.name.as_str()).collect();
            let message =
                format!("there are several pools; say which, as in /v1/deck?pool=NAME: {}", names.join(", "));
            Err(RequestError::for_programs(StatusCode::BAD_REQUEST, "query", message)
                .with_field("pool".to_string()))
        }
    }
}

/// Other types are refused: pages of other origins can send those without being asked first.
fn require_json(headers: &HeaderMap) -> Result<(), RequestError> {
    let found = headers.get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
    let essence = found.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let found = found.map_or("no type".to_string(), |found| format!("{found:?}"));
    let message = format!("the body has {found}; send it with Content-Type: application/json");
    Err(RequestError::for_programs(StatusCode::UNSUPPORTED_MEDIA_TYPE, "type", message))
}

async fn read_body(request: Request<Body>, limit: usize) -> Result<Bytes, RequestError> {
    let too_large = || {
        let message = format!("a body has at most {limit} bytes here");
        RequestError::for_programs(StatusCode::PAYLOAD_TOO_LARGE, "size", message)
    };
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > limit as u64) {
        discard_rest(request.into_body().into_data_stream());
        return Err(too_large());
    }
    let of_body = |status, message| Err(RequestError::for_programs(status, "body", message));
    match receive_body(request.into_body(), limit).await {
        ReceivedBody::Whole(bytes) => Ok(bytes),
        ReceivedBody::TooLong => Err(too_large()),
        ReceivedBody::TooSlow => of_body(StatusCode::REQUEST_TIMEOUT, "the body took too long to come"),
        ReceivedBody::Broken => of_body(StatusCode::BAD_REQUEST, "the body ended too early"),
    }
}

/// The work itself, on a thread of its own, and the seed that it went by.
fn solve_request(
    pool: &PoolFile,
    body: &[u8],
    settings: &ServerSettings,
    cancel: &JobStop,
) -> Result<(AnswerDocument, Seed), RequestError> {
    const NAME: &str = "request.json";
    request::check_request_form(NAME, body).map_err(RequestError::malformed_body)?;
    let wish = request::read_request(NAME, body, pool, &refuse_file)
        .map_err(|error| RequestError::invalid_request(error.what.to_string(), error.field))?;
    let problem = Problem::new(Arc::clone(&pool.pool), &wish.request)
        .map_err(|error| RequestError::invalid_request(error.to_string(), None))?;
    if problem.len() > settings.slots {
        let (slots, most) = (problem.len(), settings.slots);
        let message = format!("{slots} pieces with their copies to choose from; at most {most} here");
        return Err(RequestError::invalid_request(message, Some("owned".to_string())));
    }
    let mut how = wish.settings;
    how.time_limit = Some(how.time_limit.map_or(settings.time, |asked| asked.min(settings.time)));
    how.work_limit = Some(how.work_limit.map_or(settings.work, |asked| asked.min(settings.work)));
    how.memory_limit = Some(settings.memory);
    let method = how.method.unwrap_or_default();
    let timed =
        solve::solve_problem(&problem, &how, settings.seed, &mut |_| continue_unless(cancel.is_requested()));
    if cancel.is_ending() && timed.answer.status != AnswerStatus::Optimal {
        return Err(RequestError::server_closing());
    }
    if timed.answer.deck.is_none() {
        let reasons: Vec<&str> = timed.reasons.iter().map(|reason| &**reason).collect();
        if !reasons.is_empty() {
            return Err(RequestError::infeasible_request(format!(
                "there is no deck: {}",
                reasons.join("; ")
            )));
        }
        if timed.answer.status == AnswerStatus::Infeasible {
            return Err(RequestError::infeasible_request("no deck keeps all these rules together"));
        }
    }
    let seed = how.seed.unwrap_or(settings.seed);
    Ok((AnswerDocument::from_timed_answer(&problem, &timed, method), seed))
}

/// A request over the network names no files.
fn refuse_file(_: &str) -> Result<Vec<u8>, String> {
    Err("a request to a server names no files; write the pieces into the request".to_string())
}
