//! `ishi worker`: does tasks of campaigns, beside any number of other workers.

use ishi_work::StopFlag;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use clap::Args;
use ishi_arena::process::{EngineCommand, allow_only};
use ishi_lab::store::{KeptAs, OpenJob, SERVER_PATIENCE, ServerNews, Store, StoreError, check_place};
use ishi_lab::worker::{
    LEASE, PreparedJob, WorkerEvent, WorkerOptions, WorkerReport, Workshop, work_at_jobs,
};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::campaign::experiments::prepare_experiment_job;
use super::campaign::status::name_job;
use super::campaign::works::{WorkKind, prepare_work_job};
use super::match_::share::prepare_match_job;
use crate::context::{Context, Failure, show_controls};
use crate::digest::short_digest;
use crate::figures::format_duration;
use crate::numbers::{TEN_DAYS, range_above, seconds_in};
use crate::progress::ProgressDisplay;

const HELP: &str = "\
Examples:
  ishi worker postgres://me@server/games                  work until nothing is left
  ishi worker postgres://me@server/games --stay           wait for more work for ever
  ishi worker postgres://me@server/games --minutes 55     begin nothing new after 55 minutes
  ishi worker postgres://me@server/games --program 'gnugo --mode gtp'
                                                          do matches with this program, too

As many tasks run at once as there are cores (--threads). A worker takes tasks of every campaign in the database that its \
version can do, and says which it leaves to others. Programs that the database names are started only if --program names them, \
too. So who writes to the database runs nothing else here. After SIGTERM what runs is finished, and the rest given back. \
After Ctrl-C everything is given back at once. A worker that is killed loses nothing that is finished, and others take over \
what it had when its lease is over. It waits up to three minutes for a server that is out of reach. The password comes from \
PGPASSWORD, PGPASSFILE or ~/.pgpass. docs/campaigns.md tells more.";

/// The time between two attempts to reach the database.
const PAUSE: Duration = Duration::from_millis(500);

/// Options of `ishi worker`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct WorkerArgs {
    /// The database: postgres://USER@HOST/DATABASE, or a file for workers of one machine
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Only tasks of this campaign [default: all]
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    #[command(flatten)]
    programs: AllowedPrograms,
    /// Wait for more when nothing is left
    #[arg(long)]
    stay: bool,
    /// Begin nothing new after so many minutes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    minutes: Option<u32>,
    /// Seconds after which others take over the tasks of a worker that is silent
    #[arg(long, value_name = "SECONDS", value_parser = seconds_in(range_above(0.0, TEN_DAYS), "write seconds such as 60"))]
    lease: Option<Duration>,
}

/// The programs that tasks of a database may start.
#[derive(Args, Debug)]
pub(super) struct AllowedPrograms {
    /// A program that matches of the database may start, as its whole command line; again for each
    #[arg(long = "program", value_name = "COMMAND", conflicts_with = "any_program")]
    named: Vec<EngineCommand>,
    /// Start whatever programs the database names: who may write to it runs commands here
    #[arg(long)]
    any_program: bool,
}

impl AllowedPrograms {
    /// From now on no others are started, but for those that the user's own file names.
    pub(super) fn hold_to(&self, own: Vec<EngineCommand>) {
        if !self.any_program {
            allow_only([own, self.named.clone()].concat());
        }
    }
}

/// Works.
pub fn run(args: &WorkerArgs, context: &Context) -> Result<(), Failure> {
    args.programs.hold_to(Vec::new());
    check_place(&args.database)?;
    // A database that comes later is waited for with --stay alone. Whoever mistypes its name would wait for nothing.
    if !args.stay && !Store::is_there(&args.database) {
        let database = args.database.display();
        return Err(Failure::Input(format!(
            "there is no database {database}: `ishi campaign run FILE --db {database}` makes one, and --stay waits for work in it"
        )));
    }
    let drain = StopFlag::default();
    hear_signals(&drain, &context.stop).map_err(Failure::outside)?;
    let Some(mut store) = open_patiently(&args.database, &drain, context)? else { return Ok(()) };
    let name = make_name();
    context.print_progress(format!(
        "ishi: worker {name}, {} at once, on {}",
        context.threads,
        store.path().display()
    ));
    let orders = WorkOrders {
        name,
        campaign: args.campaign.clone(),
        stays: args.stay,
        lives: args.minutes.map(|minutes| Duration::from_secs(60 * u64::from(minutes))),
        lease: args.lease.unwrap_or(LEASE),
        drain,
    };
    let report = work(&mut store, orders, context)?;
    context.print_progress(format!("ishi: {}", describe_report(&report)));
    if report == WorkerReport::default() {
        let of_campaign =
            args.campaign.as_ref().map_or_else(String::new, |name| format!(" of campaign {name:?}"));
        let database = store.path().display();
        context.print_progress(format!(
            "ishi: nothing{of_campaign} was left to do; `ishi campaign run FILE --hand-out --db {database}` puts work there"
        ));
    }
    judge_report(&report, report.failures_left(), context)
}

/// Opens the database. A server that is out of reach is waited for, as workers wait that have begun; `None` if there is nothing to begin any
/// more.
fn open_patiently(database: &Path, drain: &StopFlag, context: &Context) -> Result<Option<Store>, Failure> {
    let start = Instant::now();
    let mut is_told = false;
    loop {
        let error = match Store::open(database) {
            Ok(store) => return Ok(Some(store)),
            Err(error) => error,
        };
        let may_pass = matches!(error, StoreError::Unreachable { .. }) && start.elapsed() < SERVER_PATIENCE;
        context.check_stop()?;
        if drain.is_requested() {
            return Ok(None);
        }
        if !may_pass {
            return Err(error.into());
        }
        if !is_told {
            is_told = true;
            context.print_progress(format!("ishi: waits up to {}: {error}", describe_patience()));
        }
        std::thread::sleep(PAUSE);
    }
}

/// How long a server is waited for: as long before a worker begins as later.
fn describe_patience() -> String {
    format!("{} minutes", SERVER_PATIENCE.as_secs() / 60)
}

/// What people are told when a server goes away, and when it is back.
fn describe_server_news(news: ServerNews<'_>, now: SystemTime) -> String {
    let seconds = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % 86_400;
    let time = format!("{:02}:{:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match news {
        ServerNews::Away(cause) => {
            let (cause, patience) = (show_controls(cause), describe_patience());
            format!("ishi: {time}: the server is away ({cause}); tries again for up to {patience}")
        }
        ServerNews::Back(absence) => {
            let absence = format_duration(absence.as_secs_f64());
            format!("ishi: {time}: the server is back after {absence}; the work goes on")
        }
    }
}

/// SIGTERM drains; Ctrl-C stops, and a second one ends the program at once.
fn hear_signals(drain: &StopFlag, stop: &StopFlag) -> std::io::Result<()> {
    flag::register(SIGTERM, Arc::clone(drain.as_atomic()))?;
    // In this order: at the first Ctrl-C the flag is still down when this looks at it, so that only the second one ends the program.
    flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(stop.as_atomic()))?;
    flag::register(SIGINT, Arc::clone(stop.as_atomic())).map(drop)
}

/// What a worker is told.
pub(super) struct WorkOrders {
    pub(super) name: String,
    pub(super) campaign: Option<String>,
    pub(super) stays: bool,
    pub(super) lives: Option<Duration>,
    pub(super) lease: Duration,
    pub(super) drain: StopFlag,
}

/// Works until the queues are empty, and tells of it: of what is out of the ordinary at once, and now and then how far it is.
pub(super) fn work(
    store: &mut Store,
    orders: WorkOrders,
    context: &Context,
) -> Result<WorkerReport, Failure> {
    let mut display = ProgressDisplay::spinner(context);
    let tell_server = display.line_printer();
    let mut course = WorkerCourse { stays: orders.stays, ..WorkerCourse::default() };
    let mut tell_event = |event: &WorkerEvent<'_>| {
        if let Some(line) = describe_event(event) {
            display.print_line(&show_controls(&line));
        }
        if course.note_event(event) {
            display.show_message(|| course.describe());
        }
    };
    work_and_tell(store, orders, context, &mut tell_event, tell_server)
}

/// How far a worker is.
#[derive(Debug, Default)]
struct WorkerCourse {
    /// Does it wait for more when nothing is left?
    stays: bool,
    /// The tasks that were open when it began with a run, by run.
    open: BTreeMap<String, u64>,
    /// Tasks that it has finished.
    finished: u64,
}

impl WorkerCourse {
    /// Notes what has happened, and says whether it has finished a task.
    fn note_event(&mut self, event: &WorkerEvent<'_>) -> bool {
        match event {
            WorkerEvent::Fits(job) => {
                let open = self.open.entry(job.run.clone()).or_default();
                *open = (*open).max(job.open);
                false
            }
            WorkerEvent::Finished(..) => {
                self.finished += 1;
                true
            }
            _ => false,
        }
    }

    /// In words. Others may have done a part of what was open. More may have come since: for who stays that is usual, as a tuning hands out step by
    /// step.
    fn describe(&self) -> String {
        let (finished, open) = (self.finished, self.open.values().sum::<u64>());
        if self.stays || finished > open {
            return format!("ishi: {finished} finished here so far");
        }
        format!("ishi: {finished} finished here, of {open} tasks that were open")
    }
}

/// Works until the queues are empty; `observer` hears of everything, and `tell_server` of a server that is away or back.
pub(super) fn work_and_tell(
    store: &mut Store,
    orders: WorkOrders,
    context: &Context,
    observer: &mut dyn FnMut(&WorkerEvent<'_>),
    tell_server: impl Fn(&str) + Send + 'static,
) -> Result<WorkerReport, Failure> {
    let workshop = IshiWorkshop { context };
    store.watch_server(move |news| tell_server(&describe_server_news(news, SystemTime::now())));
    let WorkOrders { name, campaign, stays, lives, lease, drain } = orders;
    let options = WorkerOptions {
        name,
        threads: context.threads,
        lease,
        campaign,
        stays,
        lives,
        drain,
        stop: context.stop.clone(),
        observer,
    };
    work_at_jobs(store, &workshop, options).map_err(Failure::from)
}

/// Does the jobs that ishi knows.
struct IshiWorkshop<'a> {
    context: &'a Context,
}

impl Workshop for IshiWorkshop<'_> {
    fn prepare_job(&self, job: &OpenJob, store: &Store) -> Result<Arc<dyn PreparedJob>, String> {
        let word = job.job["do"].as_str();
        if let Some(kind) = word.and_then(WorkKind::from_name) {
            return prepare_work_job(kind, &job.job, store, self.context);
        }
        match word {
            Some("match") => prepare_match_job(&job.job, store, self.context),
            Some("experiment") => prepare_experiment_job(&job.job),
            other => Err(format!("this ishi does not know how to do {}", other.unwrap_or("such a job"))),
        }
    }
}

/// A name that no other worker has: it follows from the process and the time.
pub(super) fn make_name() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    // Two machines may give a process the same number in the same instant.
    let boot = crate::files::read_text("/proc/sys/kernel/random/uuid".as_ref()).unwrap_or_default();
    format!("worker-{}", short_digest(&format!("{} {now} {boot}", process::id())))
}

/// What people are told of an event, if anything.
pub(super) fn describe_event(event: &WorkerEvent<'_>) -> Option<String> {
    match event {
        WorkerEvent::Fits(job) => {
            let (name, run) = (name_job(job), &job.run);
            let run = if name == *run { String::new() } else { format!("{run}, ") };
            Some(format!("{}: works at {name} ({run}{} open)", job.campaign, job.open))
        }
        WorkerEvent::DoesNotFit(job, reason) => {
            Some(format!("{}: leaves {} to others: {reason}", job.campaign, job.run))
        }
        WorkerEvent::Finished(run, place, KeptAs::Different) => Some(format!(
            "ishi: ALARM: task {place} of {run} came out differently than before; the first result stands"
        )),
        WorkerEvent::Failed(run, place, reason) => {
            Some(format!("ishi: task {place} of {run} failed: {reason}"))
        }
        WorkerEvent::Leaves(run, _) => Some(format!(
            "ishi: several tasks of {run} have failed one after the other: it is left to others"
        )),
        WorkerEvent::Draining(given_back) => {
            Some(format!("ishi: begins nothing new, and gives back {given_back} tasks"))
        }
        WorkerEvent::Claimed(..) | WorkerEvent::Finished(..) => None,
    }
}

fn describe_report(report: &WorkerReport) -> String {
    let WorkerReport { done, repeated, different, failed, mended, .. } = report;
    let again = if *mended > 0 { format!(" ({mended} were tried again and done)") } else { String::new() };
    format!(
        "{done} tasks finished, {repeated} found finished by others, {failed} failed{again}, {different} alarms"
    )
}

/// What the work means for the exit code. `failed` is how many of its failures count.
pub(super) fn judge_report(report: &WorkerReport, failed: u64, context: &Context) -> Result<(), Failure> {
    if report.different > 0 {
        let different = report.different;
        return Err(Failure::Negative(format!(
            "{different} results differ from those that stand; the table alarms has both"
        )));
    }
    context.check_stop()?;
    if failed > 0 {
        let hint = "`ishi campaign status` names the tasks, and says why";
        return Err(Failure::Outside(format!("tasks failed {failed} times and are not done here: {hint}")));
    }
    match report.unfit.iter().next() {
        Some((run, reason)) if report.done + report.repeated == 0 => {
            Err(Failure::Input(format!("no job fits this worker; {run}: {reason}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_workers_have_the_same_name() {
        let (a, b) = (make_name(), make_name());
        assert_ne!(a, b);
        assert_eq!(a.len(), "worker-".len() + 12);
    }

    #[test]
    fn a_worker_says_what_it_works_at() {
        let job = |words: &[&str]| OpenJob {
            run: "match-0a".into(),
            campaign: "ladder".into(),
            job: serde_json::json!({ "do": "match", "arguments": words }),
            open: 3,
            claimed: 0,
            failed: 0,
        };
        let told = |words: &[&str]| describe_event(&WorkerEvent::Fits(&job(words))).unwrap();
        assert_eq!(
            told(&["go-random", "go-flat"]),
            "ladder: works at go-random against go-flat (match-0a, 3 open)"
        );
        assert_eq!(told(&["--no-such"]), "ladder: works at match-0a (3 open)", "of a newer ishi");
    }

    /// Who comes from `ishi match`, which tells of every pair, sees that the work goes on.
    #[test]
    fn a_worker_says_how_far_it_is() {
        let job = |run: &str, open| OpenJob {
            run: run.into(),
            campaign: "ladder".into(),
            job: serde_json::json!({}),
            open,
            claimed: 0,
            failed: 0,
        };
        let mut course = WorkerCourse::default();
        assert!(!course.note_event(&WorkerEvent::Fits(&job("a", 30))));
        assert!(!course.note_event(&WorkerEvent::Fits(&job("b", 10))));
        assert!(!course.note_event(&WorkerEvent::Claimed("a", 5)));
        assert!(course.note_event(&WorkerEvent::Finished("a", 0, KeptAs::First)));
        assert!(!course.note_event(&WorkerEvent::Fits(&job("a", 20))), "it comes back to it");
        assert_eq!(course.describe(), "ishi: 1 finished here, of 40 tasks that were open");
        let staying = WorkerCourse { stays: true, finished: 1, ..WorkerCourse::default() };
        assert_eq!(staying.describe(), "ishi: 1 finished here so far", "what was open means nothing");
        course.finished = 41;
        assert_eq!(course.describe(), "ishi: 41 finished here so far", "more was handed out meanwhile");
    }

    #[test]
    fn an_absence_of_the_server_is_told_with_times() {
        let now = UNIX_EPOCH + Duration::from_secs(20 * 86_400 + 3600 + 2 * 60 + 3);
        let told = |news| describe_server_news(news, now);
        assert_eq!(
            told(ServerNews::Away("connection refused")),
            "ishi: 01:02:03 UTC: the server is away (connection refused); tries again for up to 3 minutes"
        );
        assert_eq!(
            told(ServerNews::Back(Duration::from_millis(52_400))),
            "ishi: 01:02:03 UTC: the server is back after 52 s; the work goes on"
        );
    }

    #[test]
    fn alarms_and_failures_are_exit_codes() {
        let context = Context {
            json: false,
            seed: ishi_rng::Seed::new(1),
            threads: 1,
            threads_given: true,
            stop: StopFlag::default(),
            quiet: true,
        };
        let code = |report: WorkerReport| {
            let judged = judge_report(&report, report.failures_left(), &context);
            judged.err().map(|failure| failure.exit_code())
        };
        assert_eq!(code(WorkerReport { done: 3, ..WorkerReport::default() }), None);
        assert_eq!(code(WorkerReport { done: 3, different: 1, ..WorkerReport::default() }), Some(1));
        assert_eq!(code(WorkerReport { done: 3, failed: 1, ..WorkerReport::default() }), Some(4));
        assert_eq!(code(WorkerReport { done: 3, failed: 2, mended: 2, ..WorkerReport::default() }), None);
        let unfit = || [("r".to_string(), "why".to_string())].into();
        assert_eq!(code(WorkerReport { unfit: unfit(), ..WorkerReport::default() }), Some(3));
        assert_eq!(code(WorkerReport { done: 1, unfit: unfit(), ..WorkerReport::default() }), None);
    }
}
