//! People who visit a workbench: the options of `ishi visit`, and how their visits are simulated and told.

use std::fmt::Write;
use std::time::Duration;

use clap::Args;
use ishi_sheet::SheetTable;
use ishi_web::load::{LoadError, LoadTarget, ResponseTimes, VisitPlan, VisitsReport, simulate_visits};

use crate::commands::token::TokenPlace;
use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi visit http://127.0.0.1:8642                               50 people, a request of each about every second
  ishi visit http://127.0.0.1:8642 --db visits.db --searches 4   the same, while the server analyses four positions
  ishi visit http://127.0.0.1:8642 --pause 0 --requests 50000    as fast as it goes: does its memory stay flat?
  ishi visit --own                                               all figures of a workbench of its own, in a table
  ishi visit --own --memory-requests 100000 --json

Simulates people at a running ishi serve: each has a game of their own, hears its events, plays, steps back and \
forth and looks at other rooms. Engines are asked only with --searches, as it is the pages that are measured. Every \
visitor leaves games behind, so give the server a database of its own (ishi serve --db visits.db), and name it \
here, too, as the token is read beside it.

--own starts a workbench in a temporary folder on a loopback address and measures it four times: \
the people alone, the people beside searches (4, or as many as --searches says), a visitor among the connections of \
a stranger who has no token, and memory, as fast as it goes.

The exit code is 1 if an answer failed, if 1 in 100 took longer than --most milliseconds, or if the visitor among \
strangers waited longer than a second.";

/// Options of `ishi visit`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub struct VisitArgs {
    /// The server, such as http://127.0.0.1:8642
    #[arg(required_unless_present = "own")]
    pub(super) url: Option<String>,
    /// Start a workbench for the measurements, and print all of them
    #[arg(long, conflicts_with_all = ["url", "db", "token_file"])]
    pub(super) own: bool,
    /// People, each with two connections
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(super) sessions: u32,
    /// Requests of all of them together
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) requests: u32,
    /// Mean seconds between an answer and the next request of a person
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub(super) pause: f64,
    /// Milliseconds that 99 answers in 100 may take
    #[arg(long, value_name = "MS", default_value_t = 50.0)]
    pub(super) most: f64,
    /// Positions that the server analyses meanwhile [default: 0, and 4 with --own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=16))]
    pub(super) searches: Option<u32>,
    /// With --own: connections of the stranger
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "own", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) strangers: u32,
    /// With --own: requests after which memory is judged
    #[arg(long, value_name = "N", default_value_t = 5000, requires = "own", value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub(super) memory_requests: u32,
    #[command(flatten)]
    pub(super) token: TokenPlace,
}

impl VisitArgs {
    pub(super) fn visit_plan(&self, requests: u32, pause: f64, context: &Context) -> VisitPlan {
        VisitPlan {
            sessions: self.sessions as usize,
            requests: requests as usize,
            pause: Duration::from_secs_f64(pause),
            seed: context.seed,
        }
    }
}

pub(super) fn to_failure(error: LoadError) -> Failure {
    match error {
        LoadError::Address(_) => Failure::input(error),
        LoadError::Refused { status: 401, .. } => {
            Failure::Input(format!("{error}; --db or --token-file say where the token is kept"))
        }
        error => Failure::outside(error),
    }
}

/// Simulates with a bar of progress.
pub(super) fn measure_visits(
    target: &LoadTarget,
    plan: &VisitPlan,
    context: &Context,
) -> Result<VisitsReport, LoadError> {
    let bar = context.progress_bar(plan.requests, "requests");
    let report = simulate_visits(target, plan, &context.stop, &|_| bar.inc(1));
    bar.finish_and_clear();
    report
}

pub(super) fn check_visits(report: &VisitsReport, most: f64) -> Result<(), Failure> {
    let (failed, p99) = (report.failures(), report.all.p99);
    if failed > 0 || p99 > most {
        return Err(Failure::Negative(format!(
            "{failed} answers failed; 99 in 100 took {p99:.1} ms, and must take {most} ms at most"
        )));
    }
    Ok(())
}

/// The median, what 99 in 100 answers took at most, and the slowest, in milliseconds.
pub(super) fn time_cells(times: &ResponseTimes) -> [String; 3] {
    [times.median, times.p99, times.slowest].map(|milliseconds| format!("{milliseconds:.1} ms"))
}

pub(super) fn format_visits(report: &VisitsReport) -> String {
    let mut text = format!(
        "{} requests of {} people in {:.1} s: {:.0} a second\n",
        report.requests,
        report.sessions,
        report.seconds,
        report.requests as f64 / report.seconds.max(1e-9)
    );
    let statuses: Vec<String> = report.statuses.iter().map(|(status, n)| format!("{status}: {n}")).collect();
    let _ = writeln!(text, "answers by status: {}", statuses.join(", "));
    let mut table = SheetTable::new(["", "#answers", "#median", "#99 in 100", "#slowest"])
        .with_text_widths(&[12, 8, 10, 10, 10]);
    let kinds = report.by_kind.iter().map(|(&name, times)| (name, times));
    for (name, times) in [("all", &report.all)].into_iter().chain(kinds) {
        let [median, p99, slowest] = time_cells(times);
        table.add_row([name.to_string(), times.count.to_string(), median, p99, slowest]);
    }
    text += &table.to_text();
    if let (Some(first), Some(last)) = (report.resident_kilobytes.first(), report.resident_kilobytes.last()) {
        let list: Vec<String> = report.resident_kilobytes.iter().map(|kb| (kb / 1024).to_string()).collect();
        let _ = writeln!(
            text,
            "memory of the server: {} MB ({:+.1} % from the first tenth)",
            list.join(" "),
            100.0 * (*last as f64 / (*first).max(1) as f64 - 1.0)
        );
    }
    text
}
