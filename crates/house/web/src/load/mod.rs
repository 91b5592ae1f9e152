//! A client that puts a server under load: requests one after the other over connections that stay open, from as many threads as
//! connections, and how long each took.
//!
//! Plain sockets and the part of HTTP/1.1 that our server speaks (a length with every body); it takes little of the
//! processor, since it usually runs beside the server that it measures.

mod visits;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;
pub use visits::{Times, Visit, Visits, VisitsReport, visits};

/// A body larger than this is no answer of ours.
const LARGEST: usize = 256 << 20;

/// The longest wait for an answer.
const WAIT: Duration = Duration::from_secs(120);

/// Why there are no figures.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The address cannot be read.
    #[error("{0:?} is no address of a server: write it as http://127.0.0.1:8080")]
    Address(String),
    /// The server cannot be reached, or ends the connection.
    #[error("{address}: {error}")]
    Connection {
        /// Of the server.
        address: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// It answers something else than HTTP.
    #[error("{address} does not answer as a server of ours does: {line:?}")]
    Protocol {
        /// Of the server.
        address: String,
        /// What it said.
        line: String,
    },
}

/// Where a server is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// `127.0.0.1:8080`.
    address: String,
}

impl Target {
    /// From `http://127.0.0.1:8080`, with or without the scheme and a last slash.
    ///
    /// # Errors
    /// If it is something else.
    pub fn new(url: &str) -> Result<Target, LoadError> {
        let bad = || LoadError::Address(url.to_string());
        let rest = url.strip_prefix("http://").unwrap_or(url);
        let address = rest.strip_suffix('/').unwrap_or(rest);
        if address.is_empty() || address.contains(['/', ' ', '?']) {
            return Err(bad());
        }
        let (host, port) = address.rsplit_once(':').unwrap_or((address, "80"));
        let _: u16 = port.parse().map_err(|_| bad())?;
        Ok(Target { address: format!("{host}:{port}") })
    }

    /// One request over a connection of its own: status and body.
    ///
    /// # Errors
    /// If the server cannot be reached or does not speak HTTP.
    pub fn ask(&self, method: &str, path: &str, body: &[u8]) -> Result<(u16, Vec<u8>), LoadError> {
        Connection::open(self)?.ask(method, path, body)
    }

    fn fault(&self, error: std::io::Error) -> LoadError {
        LoadError::Connection { address: self.address.clone(), error }
    }
}

/// A connection that stays open.
struct Connection<'a> {
    target: &'a Target,
    stream: BufReader<TcpStream>,
}

impl Connection<'_> {
    fn open(target: &Target) -> Result<Connection<'_>, LoadError> {
        let fault = |error| target.fault(error);
        let none = || LoadError::Address(target.address.clone());
        let address = target.address.to_socket_addrs().map_err(fault)?.next().ok_or_else(none)?;
        let stream = TcpStream::connect_timeout(&address, Duration::from_secs(10)).map_err(fault)?;
        stream.set_nodelay(true).map_err(fault)?;
        stream.set_read_timeout(Some(WAIT)).map_err(fault)?;
        Ok(Connection { target, stream: BufReader::new(stream) })
    }

    fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> Result<(u16, Vec<u8>), LoadError> {
        let answer = self.send(method, path, "Content-Type: application/json\r\n", body)?;
        Ok((answer.status, answer.body))
    }

    /// Sends a request with these further lines in its head, each with its end of line.
    fn send(&mut self, method: &str, path: &str, lines: &str, body: &[u8]) -> Result<Answer, LoadError> {
        let mut text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{lines}Content-Length: {}\r\n\r\n",
            self.target.address,
            body.len()
        )
        .into_bytes();
        text.extend_from_slice(body);
        let target = self.target;
        self.stream.get_mut().write_all(&text).map_err(|error| target.fault(error))?;
        let first = self.line()?;
        let status = first.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
        let status: u16 = status.ok_or_else(|| self.wrong(&first))?;
        let (mut length, mut is_chunked, mut location) = (0, false, None);
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = self.length(value.trim(), 10)?,
                "transfer-encoding" => is_chunked = value.trim().eq_ignore_ascii_case("chunked"),
                "location" => location = Some(value.trim().to_string()),
                _ => {}
            }
        }
        let body = if is_chunked { self.chunks()? } else { self.bytes(length)? };
        Ok(Answer { status, location, body })
    }

    fn wrong(&self, line: &str) -> LoadError {
        LoadError::Protocol { address: self.target.address.clone(), line: line.to_string() }
    }

    fn length(&self, text: &str, radix: u32) -> Result<usize, LoadError> {
        let length = usize::from_str_radix(text, radix).ok().filter(|&length| length <= LARGEST);
        length.ok_or_else(|| self.wrong(text))
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>, LoadError> {
        let mut bytes = vec![0; length];
        let target = self.target;
        self.stream.read_exact(&mut bytes).map_err(|error| target.fault(error))?;
        Ok(bytes)
    }

    /// A body whose length was not known when it began.
    fn chunks(&mut self) -> Result<Vec<u8>, LoadError> {
        let mut body = Vec::new();
        loop {
            let line = self.line()?;
            let length = self.length(line.split(';').next().unwrap_or("").trim(), 16)?;
            body.extend(self.bytes(length)?);
            self.line()?;
            if length == 0 || body.len() > LARGEST {
                return Ok(body);
            }
        }
    }

    fn line(&mut self) -> Result<String, LoadError> {
        let mut line = Vec::new();
        let target = self.target;
        let read = (&mut self.stream).take(1 << 16).read_until(b'\n', &mut line);
        if read.map_err(|error| target.fault(error))? == 0 {
            return Err(target.fault(std::io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(String::from_utf8_lossy(&line).trim_end().to_string())
    }
}

/// An answer.
struct Answer {
    status: u16,
    /// Where to go on.
    location: Option<String>,
    body: Vec<u8>,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Load {
    /// Such as `/v1/deck`.
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
pub struct Reply {
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
pub struct Figures {
    /// All replies, in the order of the requests.
    pub replies: Vec<Reply>,
    /// From the first request to the last answer.
    pub time: Duration,
}

impl Figures {
    /// Requests answered in a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.replies.len() as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// The time that this share (0 to 1) of all answers did not exceed; `None` without answers.
    #[must_use]
    pub fn percentile(&self, share: f64) -> Option<Duration> {
        let mut times: Vec<Duration> = self.replies.iter().map(|reply| reply.time).collect();
        times.sort_unstable();
        let rank = (share.clamp(0.0, 1.0) * times.len() as f64).ceil();
        // A rank among the answers.
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
pub fn run(target: &Target, load: &Load, stop: &AtomicBool) -> Result<Figures, LoadError> {
    assert!(!load.bodies.is_empty(), "something to send");
    let next = AtomicUsize::new(0);
    let replies = Mutex::new(Vec::with_capacity(load.requests));
    let start = Instant::now();
    let one = || -> Result<(), LoadError> {
        let mut connection = Connection::open(target)?;
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= load.requests {
                break;
            }
            let body = &load.bodies[number % load.bodies.len()];
            let sent = Instant::now();
            let (status, body) = connection.ask("POST", &load.path, body)?;
            let reply = Reply { number, status, time: sent.elapsed(), body };
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
    Ok(Figures { replies, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        for (text, address) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("localhost:80/", "localhost:80"),
            ("http://box", "box:80"),
            ("http://[::1]:9", "[::1]:9"),
        ] {
            assert_eq!(Target::new(text).unwrap().address, address);
        }
        for text in ["", "https://x:1/a", "http://a:b", "http://a:1/v1/deck"] {
            assert!(Target::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn percentiles_are_those_of_the_ranks() {
        let reply = |number| Reply {
            number,
            status: 200,
            time: Duration::from_millis(number as u64 + 1),
            body: Vec::new(),
        };
        let figures = Figures { replies: (0..10).map(reply).collect(), time: Duration::from_secs(2) };
        let at = |share| figures.percentile(share).unwrap().as_millis();
        assert_eq!((at(0.0), at(0.5), at(0.51), at(0.9), at(1.0)), (1, 5, 6, 9, 10));
        assert!((figures.rate() - 5.0).abs() < 1e-9);
        assert_eq!(Figures { replies: vec![], ..figures }.percentile(0.5), None);
    }
}
