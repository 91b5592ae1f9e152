//! Chaos for campaigns: two at once on one PostgreSQL server, while their workers are killed, stopped and frozen, the line to the server is cut
//! or falls silent, and the server itself is killed, at moments that a seed draws. Whatever happened, the tables must be those that one thread
//! leaves in a file, without an alarm, and every worker must end as documented. The page of campaigns is watched meanwhile.
//!
//! `cargo test` plays one round. CONTRIBUTING.md says how to play for half an hour, also on a server of one's own.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use ishi_lab::store::Store;
use ishi_rng::{Rng, Seed};

use crate::campaigns::{signal, succeeded, table};
use crate::support::cut_line::CutLine;
use crate::support::postgres::PostgresServer;
use crate::support::program::{program_in, run_in};
use crate::support::workbench::Workbench;

/// Workers that are there at a time.
const WORKERS: usize = 3;

/// Seconds that a silent worker keeps its tasks. Freezes and cuts may be longer.
const LEASE: &str = "2";

/// The longest freeze or cut.
const LONGEST: Duration = Duration::from_millis(3500);

/// Between two blows, at most.
const LONGEST_PAUSE: Duration = Duration::from_millis(700);

/// What has not ended by then never will.
const LONGEST_ROUND: Duration = Duration::from_secs(600);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CampaignBlow {
    /// SIGKILL to a worker.
    Kill,
    /// SIGTERM: it finishes what runs.
    Drain,
    /// Ctrl-C.
    Interrupt,
    /// SIGSTOP, and SIGCONT when its lease is over, or almost.
    Freeze,
    /// All connections through the line end, and none comes about for a while.
    Cut,
    /// Nothing arrives for a while.
    Silence,
    /// SIGKILL to the server, which is then started again.
    KillServer,
}

impl CampaignBlow {
    const ALL: [CampaignBlow; 7] = [
        CampaignBlow::Kill,
        CampaignBlow::Drain,
        CampaignBlow::Interrupt,
        CampaignBlow::Freeze,
        CampaignBlow::Cut,
        CampaignBlow::Silence,
        CampaignBlow::KillServer,
    ];
}

/// What the environment asks for.
struct ChaosPlan {
    seed: Seed,
    /// Rounds are begun for so long; one round at least.
    time: Duration,
}

impl ChaosPlan {
    fn from_environment() -> ChaosPlan {
        let number = |name: &str, usual: u64| {
            let text = std::env::var(name).ok();
            text.map_or(usual, |text| {
                text.parse().unwrap_or_else(|_| panic!("{name}: {text:?} is no whole number"))
            })
        };
        ChaosPlan {
            seed: Seed::new(number("ISHI_CHAOS_SEED", 1)),
            time: Duration::from_secs(60 * number("ISHI_CAMPAIGN_CHAOS_MINUTES", 0)),
        }
    }
}

/// The server: of the tests' own, or of whoever runs this.
enum ChaosServer {
    Own { server: Box<PostgresServer>, line: CutLine, address: String },
    Given { address: String, restart: Option<String> },
}

impl ChaosServer {
    /// The database of the environment, which must be empty; else a server that is started for this; `None` without PostgreSQL.
    fn find() -> Option<ChaosServer> {
        if let Ok(address) = std::env::var("ISHI_CAMPAIGN_CHAOS_DB") {
            let restart = std::env::var("ISHI_CAMPAIGN_CHAOS_RESTART").ok();
            return Some(ChaosServer::Given { address, restart });
        }
        let server = Box::new(PostgresServer::start(&[])?);
        let (line, address) = (CutLine::to_port(server.port), server.new_database());
        Some(ChaosServer::Own { server, line, address })
    }

    fn address(&self) -> &str {
        match self {
            ChaosServer::Own { address, .. } | ChaosServer::Given { address, .. } => address,
        }
    }

    /// The address for worker `number`: every second one has the line that is cut.
    fn address_for(&self, number: usize) -> String {
        match self {
            ChaosServer::Own { server, line, address } if number % 2 == 1 => line.lead(address, server.port),
            _ => self.address().to_string(),
        }
    }

    /// Does what strikes server or line. Says whether that can be done here.
    fn strike(&mut self, blow: CampaignBlow, rng: &mut Rng) -> bool {
        let while_it_lasts = LONGEST.mul_f64(rng.next_unit());
        match (self, blow) {
            (ChaosServer::Own { server, .. }, CampaignBlow::KillServer) => {
                server.kill();
                server.run(&[]);
            }
            (ChaosServer::Given { restart: Some(command), .. }, CampaignBlow::KillServer) => {
                let mut shell = Command::new("sh");
                let status = shell.arg("-c").arg(&*command).stdin(Stdio::null()).status().unwrap();
                assert!(status.success(), "{command}: {status}");
            }
            (ChaosServer::Own { line, .. }, CampaignBlow::Cut) => {
                line.cut();
                std::thread::sleep(while_it_lasts);
                line.mend();
            }
            (ChaosServer::Own { line, .. }, CampaignBlow::Silence) => {
                line.silence();
                std::thread::sleep(while_it_lasts);
                line.mend();
            }
            _ => return false,
        }
        true
    }
}

/// A worker, and the signals that it was sent to end it. A second one may come before it has ended by the first.
struct StruckWorker {
    child: Child,
    signals: Vec<CampaignBlow>,
}

impl StruckWorker {
    fn strike(&mut self, blow: CampaignBlow, rng: &mut Rng) {
        let name = match blow {
            CampaignBlow::Kill => "-KILL",
            CampaignBlow::Drain => "-TERM",
            CampaignBlow::Interrupt => "-INT",
            _ => "-STOP",
        };
        signal(&self.child, name);
        if blow == CampaignBlow::Freeze {
            std::thread::sleep(LONGEST.mul_f64(0.5 + 0.5 * rng.next_unit()));
            signal(&self.child, "-CONT");
        } else {
            self.signals.push(blow);
        }
    }

    /// Did it end as documented? A signal that comes before it listens ends it by itself.
    fn check_end(&self, status: ExitStatus) {
        let ends_so = |blow: &CampaignBlow| match blow {
            CampaignBlow::Kill => status.signal() == Some(9),
            CampaignBlow::Drain => status.signal() == Some(15),
            CampaignBlow::Interrupt => status.code() == Some(130) || status.signal() == Some(2),
            _ => false,
        };
        let is_right = status.success() || self.signals.iter().any(ends_so);
        assert!(is_right, "a worker that got {:?} ended with {status}", self.signals);
    }
}

/// The workers of a round.
struct Crew<'a> {
    folder: &'a Path,
    workers: Vec<StruckWorker>,
    started: usize,
}

impl Crew<'_> {
    /// Takes those that have ended out, and puts others in their places.
    fn fill_up(&mut self, server: &ChaosServer) {
        self.take_ended();
        while self.workers.len() < WORKERS {
            let address = server.address_for(self.started);
            let args = ["worker", address.as_str(), "--threads", "2", "--lease", LEASE];
            let mut command = program_in(self.folder, &args);
            let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            self.workers.push(StruckWorker { child, signals: Vec::new() });
            self.started += 1;
        }
    }

    fn take_ended(&mut self) {
        self.workers.retain_mut(|worker| match worker.child.try_wait().unwrap() {
            Some(status) => {
                worker.check_end(status);
                false
            }
            None => true,
        });
    }
}

impl Drop for Crew<'_> {
    /// A round that went wrong leaves nobody behind.
    fn drop(&mut self) {
        for worker in &mut self.workers {
            let _ = worker.child.kill();
            let _ = worker.child.wait();
        }
    }
}

/// Writes the files of both campaigns. One match stands in both, the second time with more pairs. No two rounds have a task in common.
fn write_campaigns(folder: &Path, round: u64) {
    let seed = 1000 + round;
    let shared = |pairs: u64| {
        format!("go-flat:playouts=400 go-capture --size 6 --pairs {pairs} --opening random:3 --seed {seed}")
    };
    let (short, long) = (shared(40), shared(50));
    let first = format!(
        "matches = [\n  \"{short}\",\n  \
         \"othello-random othello-greedy --game othello --pairs 20 --seed {seed}\",\n]\n"
    );
    let second = format!(
        "matches = [\n  \"go-flat:playouts=300 go-flat:playouts=100 --size 5 --pairs 30 --opening random:2 --seed {seed}\",\n  \
         \"{long}\",\n]\n\
         self-play = [\"--games 60 --depth 2 --exact 8 --seed {seed} --out played-{seed}.bin\"]\n\
         decks = [\"sample:deck --size 8 --limit cost=60 --parts 9 --seed {seed}\"]\n"
    );
    std::fs::write(folder.join("first.toml"), first).unwrap();
    std::fs::write(folder.join("second.toml"), second).unwrap();
}

fn campaigns(folder: &Path, words: &[&str], database: &str) {
    for file in ["first.toml", "second.toml"] {
        let output = run_in(folder, &[&["campaign"][..], words, &[file, "--db", database]].concat());
        succeeded(&output);
    }
}

/// Tasks that nobody has finished.
fn count_open(address: &str) -> u64 {
    let store = Store::open_read_only(Path::new(address)).unwrap();
    store.list_jobs().unwrap().iter().map(|job| job.open).sum()
}

/// How far campaigns are, as a part of their page.
const COURSE: &str = "/lab/campaigns/course";

/// The page of campaigns, for somebody who watches while workers and server are struck.
struct WatchedPage(Workbench);

impl WatchedPage {
    fn open(address: &str) -> WatchedPage {
        WatchedPage(Workbench::with_options(Path::new(address), "127.0.0.1:0", &["--no-token"]))
    }

    /// Both campaigns are on it, now or when the server is back.
    fn look(&self) {
        for campaign in [">first<", ">second<"] {
            self.0.until(COURSE, campaign);
        }
    }

    /// It says of both campaigns that they are done.
    fn wait_until_done(&self) {
        let start = Instant::now();
        loop {
            let course = self.0.part(COURSE).body;
            if course.matches(">done<").count() == 2 {
                return;
            }
            assert!(start.elapsed() < LONGEST_ROUND, "all is done, and the page does not say so: {course}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Strikes until all is done, and looks at the page after each blow. Gives how often what was struck.
fn strike_until_done(
    server: &mut ChaosServer,
    crew: &mut Crew<'_>,
    page: &WatchedPage,
    rng: &mut Rng,
) -> BTreeMap<CampaignBlow, u32> {
    let start = Instant::now();
    let mut blows = BTreeMap::new();
    while count_open(server.address()) > 0 {
        assert!(start.elapsed() < LONGEST_ROUND, "{} tasks are still open", count_open(server.address()));
        crew.fill_up(server);
        std::thread::sleep(LONGEST_PAUSE.mul_f64(rng.next_unit()));
        let blow = CampaignBlow::ALL[rng.next_index(CampaignBlow::ALL.len())];
        let is_done = match blow {
            CampaignBlow::Cut | CampaignBlow::Silence | CampaignBlow::KillServer => server.strike(blow, rng),
            _ => {
                let worker = rng.next_index(crew.workers.len());
                crew.workers[worker].strike(blow, rng);
                true
            }
        };
        *blows.entry(blow).or_default() += u32::from(is_done);
        page.look();
    }
    blows
}

fn play_round(round: u64, plan: &ChaosPlan, server: &mut ChaosServer, folder: &Path, one: &str) {
    let mut rng = plan.seed.stream("campaign chaos", round);
    write_campaigns(folder, round);
    campaigns(folder, &["run", "--hand-out"], server.address());
    let page = WatchedPage::open(server.address());
    let mut crew = Crew { folder, workers: Vec::new(), started: 0 };
    let blows = strike_until_done(server, &mut crew, &page, &mut rng);
    // Queues are empty, and so all that are left end by themselves.
    let start = Instant::now();
    while !crew.workers.is_empty() {
        assert!(start.elapsed() < LONGEST_ROUND, "a worker does not end, though all is done");
        std::thread::sleep(Duration::from_millis(20));
        crew.take_ended();
    }
    page.wait_until_done();
    campaigns(folder, &["run", "--threads", "1"], one);
    let store = Store::open_read_only(Path::new(server.address())).unwrap();
    let alarms = store.list_alarms().unwrap();
    assert!(alarms.is_empty(), "round {round} of seed {}: {alarms:?}", plan.seed);
    let (found, expected) = (table(server.address()), table(one));
    assert!(
        found == expected,
        "round {round} of seed {}: {}",
        plan.seed,
        first_difference(&found, &expected)
    );
    let (workers, told) = (crew.started, "the tables are those of one thread");
    let _ = writeln!(std::io::stderr(), "round {round}: {workers} workers, {blows:?}: {told}");
}

fn first_difference(found: &str, expected: &str) -> String {
    let pair = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    pair.map_or_else(
        || format!("{} lines, and {} of one thread", found.lines().count(), expected.lines().count()),
        |(found, expected)| format!("\n{found}\nof one thread:\n{expected}"),
    )
}

#[test]
fn two_campaigns_survive_whatever_happens() {
    let plan = ChaosPlan::from_environment();
    let Some(mut server) = ChaosServer::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.db").to_str().unwrap().to_string();
    let start = Instant::now();
    let mut round = 0;
    while round == 0 || start.elapsed() < plan.time {
        play_round(round, &plan, &mut server, folder.path(), &one);
        round += 1;
    }
    println!("campaign chaos: seed {}, {round} rounds, all tables equal", plan.seed);
}
