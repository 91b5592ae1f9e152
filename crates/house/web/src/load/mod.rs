//! A client that puts a server under load: requests one after the other over connections that stay open, from as many threads as
//! connections, and how long each took.
//!
//! Plain sockets and the part of HTTP/1.1 that our server speaks (a length with every body); it takes little of the
//! processor, since it usually runs beside the server that it measures.

mod connection;
mod searches;
mod strangers;
mod visits;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ishi_work::StopFlag;

use connection::HttpConnection;
pub use connection::{HttpAnswer, LoadError, LoadTarget, read_http_answer};
pub use searches::run_beside_searches;
pub use strangers::{StrangersPlan, StrangersReport, visit_among_strangers};
pub use visits::{ResponseTimes, VisitPlan, VisitRecord, VisitsReport, simulate_visits};

/// What is asked.
#[derive(Clone, Debug)]
pub struct LoadPlan {
    /// The path of requests, such as `/v1/deck`.
    pub path: String,
    /// Bodies, which are sent in turn.
    pub bodies: Vec<Vec<u8>>,
    /// How many requests in all.
    pub requests: usize,
    /// Over how many connections, at least 1.
    pub connections: usize,
}

/// One request and its answer.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadReply {
    /// Its place among all requests.
    pub number: usize,
    /// The status of the answer.
    pub status: u16,
    /// From the first byte sent to the last one read.
    pub time: Duration,
    /// The answer.
    pub body: Vec<u8>,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadResults {
    /// All replies, in the order of the requests.
    pub replies: Vec<LoadReply>,
    /// From the first request to the last answer.
    pub time: Duration,
}

impl LoadResults {
    /// Requests answered in a second.
    #[must_use]
    pub fn requests_per_second(&self) -> f64 {
        self.replies.len() as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// The time that this share (0 to 1) of all answers did not exceed; `None` without answers.
    #[must_use]
    pub fn latency_percentile(&self, share: f64) -> Option<Duration> {
        let mut times: Vec<Duration> = self.replies.iter().map(|reply| reply.time).collect();
        times.sort_unstable();
        let rank = (share.clamp(0.0, 1.0) * times.len() as f64).ceil();
        // The rank lies from 0 to the number of answers: the cast loses nothing.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let rank = rank as usize;
        times.get(rank.saturating_sub(1)).copied()
    }
}

/// Sends all requests; stops early when `stop` is raised.
///
/// # Errors
/// If a connection fails, or an answer is not HTTP.
///
/// # Panics
/// If there are no bodies.
pub fn run_load(target: &LoadTarget, load: &LoadPlan, stop: &StopFlag) -> Result<LoadResults, LoadError> {
    assert!(!load.bodies.is_empty(), "something to send");
    let next = AtomicUsize::new(0);
    let replies = Mutex::new(Vec::with_capacity(load.requests));
    let start = Instant::now();
    let one = || -> Result<(), LoadError> {
        let mut connection = HttpConnection::open(target)?;
        while !stop.is_requested() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= load.requests {
                break;
            }
            let body = &load.bodies[number % load.bodies.len()];
            let sent = Instant::now();
            let (status, body) = connection.send_json("POST", &load.path, body)?;
            let reply = LoadReply { number, status, time: sent.elapsed(), body };
            replies.lock().unwrap_or_else(PoisonError::into_inner).push(reply);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..load.connections.max(1)).map(|_| scope.spawn(one)).collect();
        let ended = threads.into_iter().map(|thread| thread.join().unwrap_or(Ok(())));
        ended.collect::<Vec<_>>().into_iter().collect::<Result<(), LoadError>>()
    })?;
    let time = start.elapsed();
    let mut replies = replies.into_inner().unwrap_or_else(PoisonError::into_inner);
    replies.sort_by_key(|reply| reply.number);
    Ok(LoadResults { replies, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_ranks() {
        let reply = |number| LoadReply {
            number,
            status: 200,
            time: Duration::from_millis(number as u64 + 1),
            body: Vec::new(),
        };
        let figures = LoadResults { replies: (0..10).map(reply).collect(), time: Duration::from_secs(2) };
        let at = |share| figures.latency_percentile(share).unwrap().as_millis();
        assert_eq!((at(0.0), at(0.5), at(0.51), at(0.9), at(1.0)), (1, 5, 6, 9, 10));
        assert!((figures.requests_per_second() - 5.0).abs() < 1e-9);
        assert_eq!(LoadResults { replies: vec![], ..figures }.latency_percentile(0.5), None);
    }
}
