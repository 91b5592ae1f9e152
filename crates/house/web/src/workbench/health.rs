//! Is it alive, and what does it take? For those who watch over it, and for `ishi visit`.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use axum::routing::get;
use serde::Serialize;

use super::{DeskState, WorkbenchState};
use crate::files;
use crate::reply::json_response;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new().route("/healthz", get(get_health))
}

#[derive(Serialize)]
struct WorkbenchHealth {
    status: &'static str,
    /// Pages that are open.
    pages: usize,
    /// Searches for those who look.
    searches: usize,
    /// Memory of the process, where the system tells it.
    resident_kilobytes: Option<u64>,
}

async fn get_health(desk: DeskState) -> Response<Body> {
    let resident_kilobytes = parse_resident_kilobytes(&files::read_text_or_empty("/proc/self/status"));
    json_response(
        StatusCode::OK,
        &WorkbenchHealth {
            status: "ok",
            pages: desk.live.listener_count(),
            searches: desk.search_count(),
            resident_kilobytes,
        },
    )
}

/// From Linux's `VmRSS:     1234 kB`.
fn parse_resident_kilobytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_where_it_is_told() {
        assert_eq!(parse_resident_kilobytes("Name:\tishi\nVmRSS:\t  2345 kB\n"), Some(2345));
        assert_eq!(parse_resident_kilobytes(""), None);
    }
}
