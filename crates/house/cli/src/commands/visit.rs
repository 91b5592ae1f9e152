//! `ishi visit`: a workbench with many visitors, measured.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use ishi_web::load::{LoadError, LoadTarget, ResponseTimes, VisitPlan, VisitsReport, simulate_visits};

use crate::context::{Context, Failure};
use crate::files::{print_bytes, print_json};

const HELP: &str = "\
Examples:
  ishi visit http://127.0.0.1:8642                               50 people, a request of each about every second
  ishi visit http://127.0.0.1:8642 --pause 0 --requests 50000    as fast as it goes: does its memory stay flat?
  ishi visit http://127.0.0.1:8642 --json

Simulates people at a running ishi serve: each has a game of their own, hears its events, plays, steps back and
forth and looks at other rooms. Engines are not asked: it is the pages that are measured. Every visitor leaves
games behind, so give the server a database of its own (ishi serve --db visits.db). The exit code is 1 if an
answer failed or 1 in 100 took longer than --most milliseconds.";

/// Answers to what visitors do: a page, a part of one, the way to a new game.
const EXPECTED: [u16; 3] = [200, 204, 303];

/// Options of `ishi visit`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub struct VisitArgs {
    /// The server, such as http://127.0.0.1:8642
    url: String,
    /// People, each with two connections
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    sessions: u32,
    /// Requests of all of them together
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u32).range(1..))]
    requests: u32,
    /// Mean seconds between an answer and the next request of a person
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pause: f64,
    /// Milliseconds that 99 answers in 100 may take
    #[arg(long, value_name = "MS", default_value_t = 50.0)]
    most: f64,
}

/// Simulates, and prints the figures.
pub fn run(args: &VisitArgs, context: &Context) -> Result<(), Failure> {
    if !(0.0..=3600.0).contains(&args.pause) {
        return Err(Failure::Input(format!("--pause {}: seconds are 0 to 3600", args.pause)));
    }
    let failure = |error: LoadError| match error {
        LoadError::Address(_) => Failure::input(error),
        error => Failure::outside(error),
    };
    let target = LoadTarget::new(&args.url).map_err(failure)?;
    let wanted = VisitPlan {
        sessions: args.sessions as usize,
        requests: args.requests as usize,
        pause: Duration::from_secs_f64(args.pause),
        seed: context.seed,
    };
    let shown = !context.quiet && std::io::stderr().is_terminal();
    let place = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(u64::from(args.requests)), place);
    let report = simulate_visits(&target, &wanted, &context.stop, &|_| bar.inc(1)).map_err(failure)?;
    bar.finish_and_clear();
    if context.json {
        print_json(&report)?;
    } else {
        print_bytes(format_visits(&report).as_bytes())?;
    }
    if context.is_stop_requested() {
        return Err(Failure::Interrupted);
    }
    let failed: usize =
        report.statuses.iter().filter(|(status, _)| !EXPECTED.contains(status)).map(|(_, n)| n).sum();
    if failed > 0 || report.all.p99 > args.most {
        let (p99, most) = (report.all.p99, args.most);
        return Err(Failure::Negative(format!(
            "{failed} answers failed; 99 in 100 took {p99:.1} ms at most, wanted {most} ms"
        )));
    }
    Ok(())
}

fn format_visits(report: &VisitsReport) -> String {
    let mut text = format!(
        "{} requests of {} people in {:.1} s: {:.0} a second\n",
        report.requests,
        report.sessions,
        report.seconds,
        report.requests as f64 / report.seconds.max(1e-9)
    );
    let statuses: Vec<String> = report.statuses.iter().map(|(status, n)| format!("{status}: {n}")).collect();
    let _ = writeln!(text, "answers by status: {}", statuses.join(", "));
    let _ =
        writeln!(text, "{:12} {:>8} {:>10} {:>10} {:>10}", "", "answers", "median", "99 in 100", "slowest");
    let mut line = |name: &str, times: &ResponseTimes| {
        let ResponseTimes { count, median, p99, slowest } = times;
        let _ = writeln!(text, "{name:12} {count:>8} {median:>7.1} ms {p99:>7.1} ms {slowest:>7.1} ms");
    };
    line("all", &report.all);
    report.by_kind.iter().for_each(|(name, times)| line(name, times));
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
