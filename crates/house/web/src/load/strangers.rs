//! A stranger who opens connections and never gives a token, and a visitor who asks for pages meanwhile.

use std::collections::VecDeque;
use std::io::Write;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ishi_work::StopFlag;
use serde::Serialize;

use super::connection::{HttpConnection, LoadError, LoadTarget};
use super::visits::{ROOMS, ResponseTimes, wait_unless_stopped};

/// The most connections of the stranger at a time.
const MOST_CONNECTIONS: usize = 10_000;

/// The visitor waits no longer for the stranger's connections.
const PATIENCE: Duration = Duration::from_secs(30);

/// The stranger opens so many until all are open, then one, and lets the others have the processor. Not more: the ports of a machine are few.
const BURST: usize = 20;
const BURST_PAUSE: Duration = Duration::from_millis(10);

/// The time between two looks at a flag.
const LOOK: Duration = Duration::from_millis(10);

/// What is simulated.
#[derive(Clone, Debug)]
pub struct StrangersPlan {
    /// Connections that the stranger has open at a time, 10,000 at most. The oldest give way to new ones.
    pub connections: usize,
    /// Pages that the visitor asks for, each over a connection of its own.
    pub visits: usize,
    /// The time between two of the visitor's pages.
    pub pause: Duration,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrangersReport {
    /// Connections that the stranger had open when the visitor came.
    pub connections: usize,
    /// Those that the stranger opened in all.
    pub opened: usize,
    /// Pages that the visitor did not get.
    pub failures: usize,
    /// How long the visitor's pages took, from the beginning of the connection to the last byte.
    pub visits: ResponseTimes,
}

#[derive(Default)]
struct StrangerState {
    held: AtomicUsize,
    opened: AtomicUsize,
    /// Are as many open as are to be, or can no more be opened?
    is_ready: AtomicBool,
    has_ended: StopFlag,
}

/// Lets a stranger keep connections open while a visitor asks for pages; ends early when `stop` is raised.
///
/// # Errors
/// If the server cannot be found.
pub fn visit_among_strangers(
    target: &LoadTarget,
    plan: &StrangersPlan,
    stop: &StopFlag,
) -> Result<StrangersReport, LoadError> {
    let none = || LoadError::Address(target.address.clone());
    let mut addresses = target.address.to_socket_addrs().map_err(|error| target.connection_error(error))?;
    let address = addresses.next().ok_or_else(none)?;
    let state = StrangerState::default();
    let (connections, times) = std::thread::scope(|scope| {
        scope.spawn(|| keep_connections(address, plan.connections.min(MOST_CONNECTIONS), &state));
        wait_for_connections(&state, stop);
        let connections = state.held.load(Ordering::Relaxed);
        let times = visit_pages(target, plan, stop);
        state.has_ended.request();
        (connections, times)
    });
    Ok(StrangersReport {
        connections,
        opened: state.opened.into_inner(),
        failures: times.iter().filter(|time| time.is_none()).count(),
        visits: ResponseTimes::from_durations(times.into_iter().flatten().collect()),
    })
}

fn wait_for_connections(state: &StrangerState, stop: &StopFlag) {
    let begun = Instant::now();
    let is_waiting = || !state.is_ready.load(Ordering::Relaxed) && !stop.is_requested();
    while is_waiting() && begun.elapsed() < PATIENCE {
        std::thread::sleep(LOOK);
    }
}

/// How connections begin that come to nothing: without a word, in the middle of a head, before a body, with an event stream for strangers.
fn stranger_beginnings(address: SocketAddr) -> [String; 4] {
    [
        String::new(),
        format!("GET /go HTTP/1.1\r\nHost: {address}\r\nX-Slow: "),
        format!("POST /enter HTTP/1.1\r\nHost: {address}\r\nContent-Length: 1000\r\n\r\ntoken="),
        format!("GET /events?topics=go/nothing HTTP/1.1\r\nHost: {address}\r\n\r\n"),
    ]
}

/// Opens connections until there are so many, then goes on with new ones for the oldest.
fn keep_connections(address: SocketAddr, count: usize, state: &StrangerState) {
    let beginnings = stranger_beginnings(address);
    let mut held = VecDeque::new();
    while !state.has_ended.is_requested() {
        let burst = if state.is_ready.load(Ordering::Relaxed) { 1 } else { BURST };
        for _ in 0..burst {
            if held.len() >= count {
                state.is_ready.store(true, Ordering::Relaxed);
                held.pop_front();
            }
            let Ok(mut stream) = TcpStream::connect_timeout(&address, PATIENCE) else {
                // No files are left: it has as many as it gets.
                state.is_ready.store(true, Ordering::Relaxed);
                held.pop_front();
                continue;
            };
            let number = state.opened.fetch_add(1, Ordering::Relaxed);
            // The server may have sent it away at once.
            let _ = stream.write_all(beginnings[number % beginnings.len()].as_bytes());
            held.push_back(stream);
            state.held.store(held.len(), Ordering::Relaxed);
        }
        std::thread::sleep(BURST_PAUSE);
    }
}

/// The visitor: how long each page took, none for those that did not come.
fn visit_pages(target: &LoadTarget, plan: &StrangersPlan, stop: &StopFlag) -> Vec<Option<Duration>> {
    let mut times = Vec::new();
    while times.len() < plan.visits && !stop.is_requested() {
        let (_, path) = ROOMS[times.len() % ROOMS.len()];
        times.push(visit_page(target, path));
        wait_unless_stopped(plan.pause, stop);
    }
    times
}

fn visit_page(target: &LoadTarget, path: &str) -> Option<Duration> {
    let begun = Instant::now();
    let answer = HttpConnection::open(target).and_then(|mut open| open.send_request("GET", path, "", b""));
    answer.is_ok_and(|answer| answer.status == 200).then(|| begun.elapsed())
}
