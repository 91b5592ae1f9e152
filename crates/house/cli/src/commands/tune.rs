//! `ishi tune`: values of a player's parameters that win more games, found by matches, on this machine and on any number of
//! workers.

mod options;
mod report;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ishi_arena::process::allow_only;
use ishi_arena::stopwatch::WallClock;
use ishi_lab::store::{Store, is_server, shown_place};
use ishi_lab::tune::Tuner;
use ishi_lab::worker::{LEASE, WorkerEvent, WorkerReport};
use ishi_work::{Clock, Pace, Progress, StopFlag};

pub use options::TuneArgs;
pub(crate) use options::{TuneLine, TuningPlan};
use report::TuningOutcome;

use super::campaign::status::describe_failure;
use super::match_::share::{SharedStanding, read_shared_match, share_match_of_step};
use super::worker::{WorkOrders, describe_event, judge_report, make_name, work_and_tell};
use crate::context::{Context, Failure};
use crate::figures::format_duration;
use crate::{files, places};

/// Tunes, or goes on with it, and reports.
pub fn run(args: &TuneArgs, context: &Context) -> Result<(), Failure> {
    let plan = TuningPlan::from_args(args, context.seed)?;
    let database = args.db.clone().unwrap_or_else(places::default_database);
    // Others may write to a server's database, and name programs in it: only the opponent's is started.
    if is_server(&database) {
        allow_only(plan.programs());
    }
    places::prepare_and_tell_database(&database, context)?;
    let mut store = Store::open(&database)?;
    let campaign = plan.campaign_name();
    context.print_progress(format!(
        "ishi: {campaign} in {}: {} against {}",
        shown_place(&database),
        plan.space.player_at(&plan.space.start()),
        plan.opponent
    ));
    let outcome = tune_in_store(&plan, &campaign, 0, &mut store, context)?;
    print_outcome(&plan, &outcome, context)
}

/// Tunes what the lines of a campaign say, one after the other, and leaves the reports to the campaign.
pub(crate) fn tune_all_shared(
    lines: &[Vec<String>],
    campaign: &str,
    store: &mut Store,
    context: &Context,
) -> Result<(), Failure> {
    let plans = lines.iter().map(|words| read_line(words)).collect::<Result<Vec<TuningPlan>, Failure>>()?;
    let pairs = plans.iter().map(TuningPlan::most_pairs).collect::<Result<Vec<u64>, Failure>>()?;
    for (at, plan) in plans.iter().enumerate() {
        let following = pairs[at + 1..].iter().fold(0, |sum: u64, &pairs| sum.saturating_add(pairs));
        tune_in_store(plan, campaign, following, store, context)?;
    }
    Ok(())
}

/// The report of a tuning of a campaign, of what is finished.
pub(crate) fn report_shared_tuning(
    words: &[String],
    context: &Context,
    store: &Store,
) -> Result<(), Failure> {
    let plan = read_line(words)?;
    let outcome = lead_tuning(&plan, &mut |matches, _| read_standings(matches, context, store), &mut |_| {})?;
    print_outcome(&plan, &outcome, context)
}

/// How far a tuning of a campaign is: steps that are made, steps at most, and whether it is over.
pub(crate) fn read_tuning_progress(
    words: &[String],
    context: &Context,
    store: &Store,
) -> Result<(u64, u64, bool), Failure> {
    let plan = read_line(words)?;
    let outcome = lead_tuning(&plan, &mut |matches, _| read_standings(matches, context, store), &mut |_| {})?;
    Ok((outcome.tuner.steps().len() as u64, plan.options.steps, outcome.end.is_some()))
}

fn read_line(words: &[String]) -> Result<TuningPlan, Failure> {
    let line = TuneLine::parse_words(words)
        .map_err(|error| Failure::Input(format!("the tuning {:?}: {error}", words.join(" "))))?;
    line.make_plan()
}

fn print_outcome(plan: &TuningPlan, outcome: &TuningOutcome, context: &Context) -> Result<(), Failure> {
    if context.json {
        return files::print_json(&report::report_json(plan, outcome));
    }
    files::print_bytes(report::format_report(plan, outcome).as_bytes())
}

/// Who gives the standings of matches: all of them, or `None` if games are missing. It also hears how many pairs the tuning has after them at
/// most.
type AskStandings<'a> =
    &'a mut dyn FnMut(&[Vec<String>], u64) -> Result<Option<Vec<SharedStanding>>, Failure>;

/// Leads a tuner along the standings of its matches, from the first to the confirming one.
fn lead_tuning(
    plan: &TuningPlan,
    ask: AskStandings<'_>,
    tell: &mut dyn FnMut(&Tuner),
) -> Result<TuningOutcome, Failure> {
    let mut tuner = Tuner::start(&plan.space, plan.options.clone())?;
    let mut pairs = 0;
    while tuner.end().is_none() {
        let matches = plan.step_matches(&tuner)?;
        let Some(standings) = ask(&matches, plan.pairs_after_step(&tuner, matches.len()))? else {
            return Ok(TuningOutcome { tuner, pairs, end: None, confirmed: None });
        };
        pairs += matches.iter().collect::<BTreeSet<_>>().len() as u64 * plan.pairs;
        let scores: Vec<f64> = standings.iter().map(SharedStanding::score).collect();
        tuner.tell_scores(&scores)?;
        tell(&tuner);
    }
    let confirming = plan.confirming_match(&tuner);
    let confirmed = match &confirming {
        Some(words) => {
            ask(std::slice::from_ref(words), 0)?.and_then(|standings| standings.into_iter().next())
        }
        None => None,
    };
    let is_missing = confirming.is_some() && confirmed.is_none();
    let end = if is_missing { None } else { tuner.end() };
    Ok(TuningOutcome { tuner, pairs, end, confirmed })
}

/// The standings of matches that are all finished.
fn read_standings(
    matches: &[Vec<String>],
    context: &Context,
    store: &Store,
) -> Result<Option<Vec<SharedStanding>>, Failure> {
    let mut known: BTreeMap<&[String], SharedStanding> = BTreeMap::new();
    for words in matches {
        if known.contains_key(words.as_slice()) {
            continue;
        }
        let standing = read_shared_match(words, context, store)?;
        if !standing.is_complete() {
            return Ok(None);
        }
        known.insert(words, standing);
    }
    Ok(Some(matches.iter().filter_map(|words| known.get(words.as_slice()).copied()).collect()))
}

/// `following` is how many pairs the campaign has at most when this tuning is over.
fn tune_in_store(
    plan: &TuningPlan,
    campaign: &str,
    following: u64,
    store: &mut Store,
    context: &Context,
) -> Result<TuningOutcome, Failure> {
    let mut progress = TuningProgress::start(plan, context);
    let was_played = Cell::new(false);
    let mut hands = Hands { campaign, name: make_name(), store, context, was_played: &was_played };
    let mut ask = |matches: &[Vec<String>], later: u64| {
        hands.standings(matches, later.saturating_add(following)).map(Some)
    };
    lead_tuning(plan, &mut ask, &mut |tuner| progress.tell_steps(tuner, was_played.take()))
}

/// Plays matches whose games are missing, beside whoever else works at the campaign.
struct Hands<'a> {
    campaign: &'a str,
    /// One worker from the first step to the last.
    name: String,
    store: &'a mut Store,
    context: &'a Context,
    /// Set when games were played, and not only found.
    was_played: &'a Cell<bool>,
}

impl Hands<'_> {
    /// The standings; `later` is how many pairs come after them at most.
    fn standings(&mut self, matches: &[Vec<String>], later: u64) -> Result<Vec<SharedStanding>, Failure> {
        if let Some(found) = read_standings(matches, self.context, self.store)? {
            return Ok(found);
        }
        self.was_played.set(true);
        let mut runs = BTreeSet::new();
        for words in matches {
            let shared = share_match_of_step(words, self.campaign, later, self.context, self.store)?;
            runs.insert(shared.run);
        }
        let report = self.work()?;
        let found = read_standings(matches, self.context, self.store)?;
        let Some(found) = found else { return Err(self.explain_missing_games(&report)?) };
        runs.iter().try_for_each(|run| self.check_alarms(run))?;
        Ok(found)
    }

    /// Why games of the step are not there when nothing is left to do.
    fn explain_missing_games(&self, report: &WorkerReport) -> Result<Failure, Failure> {
        let failures = self.store.list_failures(self.campaign)?;
        if let Some(failure) = failures.iter().find(|failure| failure.is_given_up()) {
            let what = describe_failure(failure);
            return Ok(Failure::Outside(format!("{what}; the same command tries it anew")));
        }
        let campaign = self.campaign;
        let taken_off = format!("games of {campaign} were taken off the queue; the same command goes on");
        let judged = judge_report(report, report.failures_left(), self.context);
        Ok(judged.err().unwrap_or(Failure::Outside(taken_off)))
    }

    /// Works until nothing is left. What failed here is told by the caller if it is still missing: others may have done it.
    fn work(&mut self) -> Result<WorkerReport, Failure> {
        let orders = WorkOrders {
            name: self.name.clone(),
            campaign: Some(self.campaign.to_string()),
            stays: false,
            lives: None,
            lease: LEASE,
            drain: StopFlag::default(),
        };
        let context = self.context;
        let mut tell = |event: &WorkerEvent<'_>| {
            let line = describe_event(event).filter(|_| !matches!(event, WorkerEvent::Fits(_)));
            if let Some(line) = line {
                context.print_progress(line);
            }
        };
        let quiet = context.quiet;
        let tell_server = move |line: &str| {
            if !quiet {
                tell!("{line}");
            }
        };
        let report = work_and_tell(self.store, orders, context, &mut tell, tell_server)?;
        if report.stopped {
            tell!("ishi: stopped; what is finished is kept, and the same command goes on from there");
        }
        judge_report(&report, 0, context)?;
        Ok(report)
    }

    /// What came out differently must not choose values.
    fn check_alarms(&self, run: &str) -> Result<(), Failure> {
        let alarms = self.store.count_alarms_of_run(run)?;
        if alarms == 0 {
            return Ok(());
        }
        Err(Failure::Negative(format!(
            "{alarms} results of {run} differ from those that stand; the table alarms has both"
        )))
    }
}

/// Says after every step that was played where the tuner stands and how long the rest takes.
struct TuningProgress<'a> {
    plan: &'a TuningPlan,
    context: &'a Context,
    clock: WallClock,
    pace: Pace,
}

impl<'a> TuningProgress<'a> {
    fn start(plan: &'a TuningPlan, context: &'a Context) -> TuningProgress<'a> {
        let clock = WallClock::start();
        TuningProgress { plan, context, pace: Pace::start(Duration::ZERO, clock.now()), clock }
    }

    /// A step that was found finished says nothing of how long games take.
    fn tell_steps(&mut self, tuner: &Tuner, was_played: bool) {
        let (now, done) = (self.clock.now(), tuner.steps().len());
        if !was_played {
            self.pace = Pace::start(Duration::ZERO, now).with_done_before(done);
            return;
        }
        let progress = Progress::new(done, self.plan.options.steps as usize, "steps");
        let left = format_duration(self.pace.seconds_left(&progress, now));
        self.context
            .print_progress(format!("{}, {left} left at most", report::describe_step(self.plan, tuner)));
    }
}

#[cfg(test)]
mod tests {
    use ishi_lab::store::{QueueEntry, StoreTask, TaskKind};
    use ishi_rng::Seed;
    use serde_json::json;

    use super::*;

    #[test]
    fn games_that_are_missing_are_explained() {
        let mut store = Store::in_memory().unwrap();
        store.start_run("match-1", "match", &json!({})).unwrap();
        let task = StoreTask::new(TaskKind::new("match-pair"), json!({ "pair": "4" })).id();
        let entry = QueueEntry { place: 4, task, after: None };
        store.open_job("match-1", "c", &json!({}), &[entry]).unwrap();
        let stop = StopFlag::default();
        let context =
            Context { json: false, seed: Seed::new(1), threads: 1, threads_given: true, stop, quiet: true };
        let was_played = Cell::new(true);
        let hands = Hands {
            campaign: "c",
            name: "w".to_string(),
            store: &mut store,
            context: &context,
            was_played: &was_played,
        };
        let explain = |hands: &Hands<'_>, failed| {
            let report = WorkerReport { failed, ..WorkerReport::default() };
            hands.explain_missing_games(&report).unwrap().to_string()
        };
        assert!(explain(&hands, 0).contains("taken off the queue"), "{}", explain(&hands, 0));
        assert!(explain(&hands, 1).contains("tasks failed 1 times"), "{}", explain(&hands, 1));
        for _ in 0..3 {
            hands.store.note_failure("match-1", Some(4), "w", "the engine has ended").unwrap();
        }
        let told = explain(&hands, 3);
        assert!(
            told.starts_with("match-1: task 4 is given up after 3 tries: the engine has ended; the same")
        );
    }
}
