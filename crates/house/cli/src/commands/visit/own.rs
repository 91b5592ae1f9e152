//! All figures of a workbench under load, of one that is started for it.

use std::fmt::Write;
use std::time::{Duration, Instant};

use ishi_arena::process::{EngineCommand, EngineProcess, ProcessOptions};
use ishi_sheet::SheetTable;
use ishi_web::load::{
    LoadTarget, ResponseTimes, StrangersPlan, StrangersReport, VisitsReport, run_beside_searches,
    visit_among_strangers,
};
use serde::Serialize;

use super::super::token::TokenPlace;
use super::people::{VisitArgs, check_visits, measure_visits, time_cells, to_failure};
use crate::context::{Context, Failure};
use crate::files;

/// Positions that are analysed beside the visitors.
const SEARCHES: u32 = 4;

/// Pages that the visitor among strangers asks for, and the seconds between them.
const VISITS_AMONG_STRANGERS: usize = 100;
const PAUSE_AMONG_STRANGERS: Duration = Duration::from_millis(100);

/// Milliseconds that the visitor among strangers may wait.
const MOST_AMONG_STRANGERS: f64 = 1000.0;

/// The server has so long to begin.
const START_TIME: Duration = Duration::from_secs(60);

/// Open files beside those that are connections.
const OTHER_FILES: u64 = 100;

/// The figures.
#[derive(Serialize)]
struct OwnServerReport {
    /// People who visit.
    sessions: u32,
    /// The people alone.
    alone: VisitsReport,
    /// Positions that are analysed in `beside_searches`.
    searches: u32,
    beside_searches: VisitsReport,
    among_strangers: StrangersReport,
    /// The visits that were made as fast as it goes.
    memory: VisitsReport,
    /// By how many bytes the server grew with each request of the second half of `memory`.
    bytes_per_request: Option<f64>,
}

/// Starts a workbench, measures it and prints the table.
pub(super) fn measure_own_server(args: &VisitArgs, context: &Context) -> Result<(), Failure> {
    allow_files(u64::from(args.strangers) + 4 * u64::from(args.sessions) + OTHER_FILES);
    let server = OwnServer::start(context)?;
    let report = measure_server(&server.target, args, context)?;
    drop(server);
    context.check_stop()?;
    files::print_result(context, &report, || report.to_table())?;
    check_visits(&report.alone, args.most)?;
    check_visits(&report.beside_searches, args.most)?;
    check_strangers(&report.among_strangers)
}

fn measure_server(
    target: &LoadTarget,
    args: &VisitArgs,
    context: &Context,
) -> Result<OwnServerReport, Failure> {
    let plan = args.visit_plan(args.requests, args.pause, context);
    let searches = args.searches.unwrap_or(SEARCHES);
    context.print_progress("ishi visit: people alone");
    let alone = measure_visits(target, &plan, context).map_err(to_failure)?;
    context.check_stop()?;
    context.print_progress(format!("ishi visit: people beside {searches} searches"));
    let visits = || measure_visits(target, &plan, context);
    let beside_searches = run_beside_searches(target, searches as usize, visits).map_err(to_failure)?;
    context.check_stop()?;
    context.print_progress(format!("ishi visit: a visitor among {} connections", args.strangers));
    let strangers = StrangersPlan {
        connections: args.strangers as usize,
        visits: VISITS_AMONG_STRANGERS,
        pause: PAUSE_AMONG_STRANGERS,
    };
    let among_strangers = visit_among_strangers(target, &strangers, &context.stop).map_err(to_failure)?;
    context.check_stop()?;
    context.print_progress(format!("ishi visit: memory over {} requests", args.memory_requests));
    let fast = args.visit_plan(args.memory_requests, 0.0, context);
    let memory = measure_visits(target, &fast, context).map_err(to_failure)?;
    let bytes_per_request = memory.bytes_per_request();
    let sessions = args.sessions;
    Ok(OwnServerReport {
        sessions,
        alone,
        searches,
        beside_searches,
        among_strangers,
        memory,
        bytes_per_request,
    })
}

fn check_strangers(report: &StrangersReport) -> Result<(), Failure> {
    if report.failures > 0 || report.visits.slowest > MOST_AMONG_STRANGERS {
        return Err(Failure::Negative(format!(
            "among {} connections {} pages failed, and the slowest took {:.0} ms, and must take {MOST_AMONG_STRANGERS} ms at most",
            report.connections, report.failures, report.visits.slowest
        )));
    }
    Ok(())
}

/// Lets this process, and the server that it starts, have so many files open, as far as the system allows it.
#[cfg(unix)]
fn allow_files(wanted: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < wanted) {
        let current = Some(limit.maximum.map_or(wanted, |most| most.min(wanted)));
        // What cannot be opened is told in the figures.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum: limit.maximum });
    }
}

/// Other systems have no such limit.
#[cfg(not(unix))]
fn allow_files(_: u64) {}

/// A workbench in a folder of its own. It ends when the value is dropped, and if this process is killed.
struct OwnServer {
    target: LoadTarget,
    // In this order: the server ends before its folder goes.
    _process: EngineProcess,
    _folder: tempfile::TempDir,
}

impl OwnServer {
    fn start(context: &Context) -> Result<OwnServer, Failure> {
        let folder = files::create_temporary_folder()?;
        let db = folder.path().join("visits.db");
        let program = std::env::current_exe().map_err(Failure::outside)?;
        let (db_name, folder_name) = (db.display().to_string(), folder.path().display().to_string());
        let args = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--no-open",
            "--db",
            &db_name,
            "--experiments",
            &folder_name,
        ];
        let command = EngineCommand {
            program: program.display().to_string(),
            args: args.map(String::from).to_vec(),
            directory: None,
        };
        let options = ProcessOptions { quit_grace: Duration::ZERO, ..ProcessOptions::default() };
        let process = EngineProcess::spawn(&command, options).map_err(Failure::outside)?;
        let url = wait_for_address(&process, context)?;
        let token = TokenPlace { db, token_file: None }.read()?;
        let target = LoadTarget::new(&url).map_err(to_failure)?.with_token(token);
        Ok(OwnServer { target, _process: process, _folder: folder })
    }
}

/// The address that the server says it listens on.
fn wait_for_address(process: &EngineProcess, context: &Context) -> Result<String, Failure> {
    let begun = Instant::now();
    loop {
        let lines = process.stderr();
        let found = lines.iter().find_map(|line| line.split_once("the workbench is at "));
        if let Some((_, rest)) = found {
            return Ok(rest.split(',').next().unwrap_or(rest).to_string());
        }
        context.check_stop()?;
        if begun.elapsed() > START_TIME {
            return Err(Failure::Outside(format!("the workbench does not start: {}", lines.join("; "))));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl OwnServerReport {
    fn to_table(&self) -> String {
        let columns = ["", "#answers", "#failed", "#median", "#99 in 100", "#slowest"];
        let mut table = SheetTable::new(columns).with_text_widths(&[44, 8, 7, 10, 11, 11]);
        let mut line = |name: String, failures: usize, times: &ResponseTimes| {
            let [median, p99, slowest] = time_cells(times);
            table.add_row([name, times.count.to_string(), failures.to_string(), median, p99, slowest]);
        };
        let people = self.sessions;
        line(format!("{people} people"), self.alone.failures(), &self.alone.all);
        let name = format!("{people} people beside {} searches", self.searches);
        line(name, self.beside_searches.failures(), &self.beside_searches.all);
        let strangers = &self.among_strangers;
        let name = format!("a visitor among {} connections", strangers.connections);
        line(name, strangers.failures, &strangers.visits);
        line(format!("{people} people, as fast as it goes"), self.memory.failures(), &self.memory.all);
        let mut text = table.to_text();
        let memory = &self.memory.resident_kilobytes;
        let list: Vec<String> = memory.iter().map(|kilobytes| (kilobytes / 1024).to_string()).collect();
        if let Some(bytes) = self.bytes_per_request {
            let _ = writeln!(
                text,
                "memory of the server over {} requests: {} MB; {bytes:+.0} bytes a request in the second half",
                self.memory.requests,
                list.join(" ")
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_who_waits_a_second_among_strangers_is_a_failure() {
        let check = |failures: usize, slowest: f64| {
            let visits = ResponseTimes { count: 100, median: 2.0, p99: 20.0, slowest };
            check_strangers(&StrangersReport { connections: 2000, opened: 3000, failures, visits })
        };
        assert!(check(0, 1000.0).is_ok());
        for (failures, slowest) in [(0, 1001.0), (1, 20.0)] {
            let Err(Failure::Negative(words)) = check(failures, slowest) else {
                panic!("{failures} {slowest} is let through")
            };
            let told = format!("{failures} pages failed, and the slowest took {slowest:.0} ms");
            assert!(words.contains(&told), "{words}");
        }
    }
}
