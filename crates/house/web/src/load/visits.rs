//! People at a workbench, simulated: each has a game of their own, hears its events, plays, steps back and forth, looks at other
//! rooms, and pauses. Engines are not asked: it is the pages that are measured.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ishi_rng::{Rng, Seed};
use ishi_work::StopFlag;
use serde::Serialize;

use super::connection::{HttpAnswer, HttpConnection, LoadError, LoadTarget};

/// What is simulated.
#[derive(Clone, Debug)]
pub struct VisitPlan {
    /// People, each with two connections.
    pub sessions: usize,
    /// Requests of all of them together.
    pub requests: usize,
    /// Mean time between an answer and the next request of a person.
    pub pause: Duration,
    /// The seed of what visitors do.
    pub seed: Seed,
}

/// One request and its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisitRecord {
    /// What was done, such as `play`.
    pub what: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// From the first byte sent to the last one read.
    pub time: Duration,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VisitsReport {
    /// Requests answered.
    pub requests: usize,
    /// People.
    pub sessions: usize,
    /// Elapsed seconds.
    pub seconds: f64,
    /// Answers by status of HTTP.
    pub statuses: BTreeMap<u16, usize>,
    /// Milliseconds of half of all answers at most, of 99 in 100, and of all.
    pub all: ResponseTimes,
    /// Response times of each kind of deed.
    pub by_kind: BTreeMap<&'static str, ResponseTimes>,
    /// The server's memory in kilobytes after each tenth of the requests; empty where it does not say.
    pub resident_kilobytes: Vec<u64>,
    /// The searches that the server did at these moments.
    pub searches: Vec<u64>,
}

/// How long answers took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ResponseTimes {
    /// Answers.
    pub count: usize,
    /// Half of them took no longer.
    pub median: f64,
    /// 99 in 100 took no longer.
    pub p99: f64,
    /// The slowest.
    pub slowest: f64,
}

impl ResponseTimes {
    pub(super) fn from_durations(mut times: Vec<Duration>) -> ResponseTimes {
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let at = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100).max(1);
            times.get(rank - 1).copied().map_or(0.0, ms)
        };
        ResponseTimes { count: times.len(), median: at(50), p99: at(99), slowest: at(100) }
    }
}

impl VisitsReport {
    /// Answers that were neither a page, a part of one, nor the way to another.
    #[must_use]
    pub fn failures(&self) -> usize {
        self.statuses.iter().filter(|(status, _)| !EXPECTED.contains(status)).map(|(_, count)| count).sum()
    }

    /// By how many bytes the server's memory grew with each request of the second half; `None` where it does not say.
    #[must_use]
    pub fn bytes_per_request(&self) -> Option<f64> {
        let last = self.resident_kilobytes.len().checked_sub(1)?;
        let (middle, end) = (self.resident_kilobytes[last / 2], self.resident_kilobytes[last]);
        let tenths = last - last / 2;
        let requests = self.requests as f64 * tenths as f64 / TENTHS as f64;
        (tenths > 0).then(|| (end as f64 - middle as f64) * 1024.0 / requests.max(1.0))
    }
}

/// Simulates them; ends early when `stop` is raised. `hear` is told how many requests were answered.
///
/// # Errors
/// If the server cannot be reached, or does not answer as a workbench does.
pub fn simulate_visits(
    target: &LoadTarget,
    wanted: &VisitPlan,
    stop: &StopFlag,
    hear: &(dyn Fn(usize) + Sync),
) -> Result<VisitsReport, LoadError> {
    let shared =
        SharedVisits { next: AtomicUsize::new(0), done: Mutex::default(), target, wanted, stop, hear };
    let start = Instant::now();
    let all = &shared;
    std::thread::scope(|scope| {
        let people: Vec<_> =
            (0..wanted.sessions.max(1)).map(|number| scope.spawn(move || run_person(all, number))).collect();
        let ended = people.into_iter().map(|thread| thread.join().unwrap_or(Ok(())));
        ended.collect::<Vec<_>>().into_iter().collect::<Result<(), LoadError>>()
    })?;
    let done = shared.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let VisitsDone { visits, resident_kilobytes, searches } = done;
    let mut by_kind: BTreeMap<&'static str, Vec<Duration>> = BTreeMap::new();
    let mut statuses = BTreeMap::new();
    for visit in &visits {
        by_kind.entry(visit.what).or_default().push(visit.time);
        *statuses.entry(visit.status).or_default() += 1;
    }
    Ok(VisitsReport {
        requests: visits.len(),
        sessions: wanted.sessions,
        seconds: start.elapsed().as_secs_f64(),
        statuses,
        all: ResponseTimes::from_durations(visits.iter().map(|visit| visit.time).collect()),
        by_kind: by_kind
            .into_iter()
            .map(|(what, times)| (what, ResponseTimes::from_durations(times)))
            .collect(),
        resident_kilobytes,
        searches,
    })
}

/// Visits, and what the server said of itself now and then.
#[derive(Default)]
struct VisitsDone {
    visits: Vec<VisitRecord>,
    resident_kilobytes: Vec<u64>,
    searches: Vec<u64>,
}

struct SharedVisits<'a> {
    next: AtomicUsize,
    done: Mutex<VisitsDone>,
    target: &'a LoadTarget,
    wanted: &'a VisitPlan,
    stop: &'a StopFlag,
    hear: &'a (dyn Fn(usize) + Sync),
}

pub(super) const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\nAccept-Encoding: gzip\r\n";
pub(super) const PART: &str =
    "Content-Type: application/x-www-form-urlencoded\r\nAccept-Encoding: gzip\r\nHX-Request: true\r\n";

/// Rooms that are looked at between two moves.
pub(super) const ROOMS: [(&str, &str); 9] = [
    ("home", "/"),
    ("go", "/go"),
    ("problems", "/go/problems"),
    ("othello", "/othello"),
    ("joseki", "/joseki"),
    ("patterns", "/patterns"),
    ("laboratory", "/lab"),
    ("strings", "/strings"),
    ("decks", "/decks"),
];

/// What visitors are answered: a page, a part of one, the way to a new game.
const EXPECTED: [u16; 3] = [200, 204, 303];

/// The server's memory is asked for so often.
const TENTHS: usize = 10;

/// Side of the board that people play on.
const SIDE: usize = 19;

/// Moves after which a person begins a new game.
const GAME: usize = 120;

/// The time between two looks at the stop flag in a pause.
const LOOK: Duration = Duration::from_millis(100);

struct SimulatedPerson<'a> {
    shared: &'a SharedVisits<'a>,
    connection: HttpConnection<'a>,
    rng: Rng,
    /// The path of the game's page, such as `/go/abc`.
    game: String,
    played: usize,
}

fn run_person(shared: &SharedVisits<'_>, number: usize) -> Result<(), LoadError> {
    let connection = HttpConnection::open(shared.target)?;
    let rng = shared.wanted.seed.stream("visitor", number as u64);
    let mut person = SimulatedPerson { shared, connection, rng, game: String::new(), played: 0 };
    let mut ears = None;
    // Visitors begin spread over two pauses: all at one moment would be a burst, and no visit.
    wait_unless_stopped(shared.wanted.pause.mul_f64(2.0 * person.rng.next_unit()), shared.stop);
    loop {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        if number >= shared.wanted.requests || shared.stop.is_requested() {
            return Ok(());
        }
        if person.game.is_empty() || person.played > GAME {
            person.begin_game()?;
            ears = Some(open_event_stream(shared.target, &person.game)?);
        } else {
            person.perform_random_action()?;
        }
        if let Some(ears) = &mut ears {
            drain_events(ears);
        }
        person.report_progress(number)?;
        let pause = shared.wanted.pause.mul_f64(2.0 * person.rng.next_unit());
        wait_unless_stopped(pause, shared.stop);
    }
}

/// Waits for so long, or until somebody asks to stop.
pub(super) fn wait_unless_stopped(pause: Duration, stop: &StopFlag) {
    let begun = Instant::now();
    while !stop.is_requested() {
        let left = pause.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(LOOK));
    }
}

impl SimulatedPerson<'_> {
    fn send_timed_request(
        &mut self,
        what: &'static str,
        method: &str,
        path: &str,
        lines: &str,
        body: &str,
    ) -> Result<HttpAnswer, LoadError> {
        let sent = Instant::now();
        let answer = self.connection.send_request(method, path, lines, body.as_bytes())?;
        let visit = VisitRecord { what, status: answer.status, time: sent.elapsed() };
        self.shared.done.lock().unwrap_or_else(PoisonError::into_inner).visits.push(visit);
        Ok(answer)
    }

    /// A new game of two people, and its page.
    fn begin_game(&mut self) -> Result<(), LoadError> {
        let answer = self.send_timed_request("new game", "POST", "/go/new", FORM, &new_game_form())?;
        self.game = new_game_path(self.shared.target, answer)?;
        self.played = 0;
        Ok(())
    }

    /// What people do: half of it moves, then steps, whole pages, other rooms.
    fn perform_random_action(&mut self) -> Result<(), LoadError> {
        let game = self.game.clone();
        match self.rng.next_below(20) {
            0..10 => {
                let (column, row) = (self.rng.next_index(SIDE), self.rng.next_index(SIDE));
                let letter = b"ABCDEFGHJKLMNOPQRST"[column] as char;
                self.played += 1;
                let form = format!("at={letter}{}&tool=play", row + 1);
                self.send_timed_request("play", "POST", &format!("{game}/point"), PART, &form)?;
            }
            10..14 => {
                let step = ["back", "next", "first", "last"][self.rng.next_index(4)];
                self.send_timed_request("step", "POST", &format!("{game}/do/{step}"), PART, "")?;
            }
            14..16 => {
                self.send_timed_request("table", "GET", &game, FORM, "")?;
            }
            16 => {
                self.send_timed_request(
                    "comment",
                    "POST",
                    &format!("{game}/text"),
                    PART,
                    "comment=a+good+move",
                )?;
            }
            _ => {
                let (what, path) = ROOMS[self.rng.next_index(ROOMS.len())];
                self.send_timed_request(what, "GET", path, FORM, "")?;
            }
        }
        Ok(())
    }

    /// Tells how far it is, and now and then asks what the server says of itself.
    fn report_progress(&mut self, number: usize) -> Result<(), LoadError> {
        (self.shared.hear)(number + 1);
        let tenth = self.shared.wanted.requests.div_ceil(TENTHS).max(1);
        if !(number + 1).is_multiple_of(tenth) {
            return Ok(());
        }
        let answer = self.connection.send_request("GET", "/healthz", "", b"")?;
        let value: serde_json::Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let mut done = self.shared.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.resident_kilobytes.extend(value["resident_kilobytes"].as_u64());
        done.searches.extend(value["searches"].as_u64());
        Ok(())
    }
}

/// The form of a game of two people.
pub(super) fn new_game_form() -> String {
    format!("size={SIDE}&rules=chinese&komi=&handicap=0&black=person&white=person&clock=")
}

/// Where the new game is, such as `/go/abc`.
pub(super) fn new_game_path(target: &LoadTarget, answer: HttpAnswer) -> Result<String, LoadError> {
    let place = answer.location.filter(|place| place.starts_with("/go/"));
    place.ok_or_else(|| match answer.status {
        400.. => target.refusal_error(answer.status, "no new game is begun"),
        status => LoadError::Protocol {
            address: target.address.clone(),
            line: format!("{status} to a new game: is it a workbench?"),
        },
    })
}

/// The connection that brings the events of a game.
pub(super) fn open_event_stream(target: &LoadTarget, game: &str) -> Result<BufReader<TcpStream>, LoadError> {
    let fault = |error| target.connection_error(error);
    let mut stream = TcpStream::connect(&target.address).map_err(fault)?;
    let topic = game.trim_start_matches('/');
    let head = format!("GET /events?topics={topic} HTTP/1.1\r\n{}\r\n", target.common_lines());
    stream.write_all(head.as_bytes()).map_err(fault)?;
    stream.set_nonblocking(true).map_err(fault)?;
    Ok(BufReader::new(stream))
}

/// Takes what events have come, as a browser does.
pub(super) fn drain_events(ears: &mut BufReader<TcpStream>) {
    while let Ok(bytes) = ears.fill_buf().map(<[u8]>::len) {
        if bytes == 0 {
            return;
        }
        ears.consume(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_when_somebody_asks_to_stop() {
        wait_unless_stopped(Duration::from_millis(1), &StopFlag::default());
        // This one would take an hour.
        wait_unless_stopped(Duration::from_secs(3600), &StopFlag::raised_if(true));
    }

    #[test]
    fn memory_is_judged_when_the_server_is_warm() {
        let report = |resident_kilobytes: Vec<u64>| VisitsReport {
            requests: 1000,
            sessions: 1,
            seconds: 1.0,
            statuses: BTreeMap::from([(200, 990), (303, 7), (500, 3)]),
            all: ResponseTimes::default(),
            by_kind: BTreeMap::new(),
            resident_kilobytes,
            searches: Vec::new(),
        };
        let grown = |kilobytes: &[u64]| report(kilobytes.to_vec()).bytes_per_request();
        assert_eq!(grown(&[10, 20, 30, 40, 50, 50, 50, 50, 50, 50]), Some(0.0));
        // 500 kB in the 500 requests after the middle.
        assert_eq!(grown(&[50, 50, 50, 50, 50, 150, 250, 350, 450, 550]), Some(1024.0));
        assert_eq!((grown(&[]), grown(&[10])), (None, None));
        assert_eq!(report(Vec::new()).failures(), 3);
    }

    #[test]
    fn times_are_ranks() {
        let times = ResponseTimes::from_durations((1..=200).map(Duration::from_millis).collect());
        assert_eq!((times.count, times.median, times.p99, times.slowest), (200, 100.0, 198.0, 200.0));
        assert_eq!(ResponseTimes::from_durations(Vec::new()), ResponseTimes::default());
    }
}
