//! One line for every request.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{Request, Response};
use axum::middleware::Next;

/// A request and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// The address from which the request came.
    pub peer: Option<SocketAddr>,
    /// The method, such as `POST`.
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// The status of the answer; `None` where the client went away before it.
    pub status: Option<u16>,
    /// From the request's head to the answer's.
    pub time: Duration,
}

impl std::fmt::Display for LogLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let LogLine { peer, method, path, status, time } = self;
        match peer {
            Some(peer) => write!(f, "{} ", peer.ip())?,
            None => write!(f, "- ")?,
        }
        // Paths come from outside: nothing of them may look like another line.
        write!(f, "{} {} ", method.escape_debug(), path.escape_debug())?;
        match status {
            Some(status) => write!(f, "{status}")?,
            None => write!(f, "left")?,
        }
        write!(f, " {:.1} ms", time.as_secs_f64() * 1000.0)
    }
}

/// Who hears of every request.
pub type RequestLog = Box<dyn Fn(&LogLine) + Send + Sync>;

/// Who is at the other end of a connection.
#[derive(Clone, Copy)]
pub(crate) struct PeerAddress(pub(crate) SocketAddr);

/// A line that is told when it is dropped: with the answer, or because the client went away.
struct PendingLogLine {
    log: Arc<Option<RequestLog>>,
    start: Instant,
    line: LogLine,
}

impl Drop for PendingLogLine {
    fn drop(&mut self) {
        self.line.time = self.start.elapsed();
        if let Some(log) = &*self.log {
            log(&self.line);
        }
    }
}

/// Tells the log of every request.
pub(crate) async fn log_request(
    Shared(log): Shared<Arc<Option<RequestLog>>>,
    request: Request<Body>,
    next: Next,
) -> Response<Body> {
    let line = LogLine {
        peer: request.extensions().get::<PeerAddress>().map(|peer| peer.0),
        method: request.method().to_string(),
        path: request.uri().path().to_string(),
        status: None,
        time: Duration::ZERO,
    };
    let mut telling = PendingLogLine { log, start: Instant::now(), line };
    let response = next.run(request).await;
    telling.line.status = Some(response.status().as_u16());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line() {
        let line = LogLine {
            peer: Some("127.0.0.1:9".parse().unwrap()),
            method: "GET".into(),
            path: "/a\nb".into(),
            status: Some(404),
            time: Duration::from_micros(1500),
        };
        assert_eq!(line.to_string(), "127.0.0.1 GET /a\\nb 404 1.5 ms");
        let left = LogLine { peer: None, path: "/".into(), status: None, ..line };
        assert_eq!(left.to_string(), "- GET / left 1.5 ms");
    }
}
