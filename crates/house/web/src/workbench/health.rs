//! Is it alive, and what does it take? For those who watch over it, and for `ishi visit`.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Response, StatusCode};
use axum::routing::get;
use serde::Serialize;

use super::Desk;
use crate::error::json;

pub(super) fn routes() -> Router<Arc<Desk>> {
    Router::new().route("/healthz", get(health))
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    /// Pages that are open.
    pages: usize,
    /// Memory of the process, where the system tells it.
    resident_kilobytes: Option<u64>,
}

async fn health(State(desk): State<Arc<Desk>>) -> Response<Body> {
    let resident_kilobytes =
        resident_kilobytes(&std::fs::read_to_string("/proc/self/status").unwrap_or_default());
    json(StatusCode::OK, &Health { status: "ok", pages: desk.live.listeners(), resident_kilobytes })
}

/// From Linux's `VmRSS:     1234 kB`.
fn resident_kilobytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_where_it_is_told() {
        assert_eq!(resident_kilobytes("Name:\tishi\nVmRSS:\t  2345 kB\n"), Some(2345));
        assert_eq!(resident_kilobytes(""), None);
    }
}
