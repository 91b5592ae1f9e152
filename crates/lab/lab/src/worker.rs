//! Doing tasks of jobs that stand in a store, beside any number of other workers.
//!
//! A worker claims tasks in batches, does as many at once as it has threads, and prolongs its lease by a heartbeat. What
//! happens to it costs others time and nothing else: a worker that is killed loses its lease, one that comes back late finds
//! its results compared with those that stand. A [`Workshop`] says how the tasks of a job are done. Which jobs
//! fit is found by doing: a worker whose version makes another task of a place leaves the job alone.
//!
//! A task that fails is tried again, here or elsewhere, and given up after [`MOST_TRIES`](crate::store::MOST_TRIES) failures. A worker
//! that fails at several tasks of a job one after the other leaves the job to others, as its machine may lack something. Both are
//! noted in the store by name.

mod batch;
mod experiments;
mod job;
mod spool;

use ishi_work::StopFlag;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ishi_words::coded;
use serde_json::Value;

use self::batch::BatchSize;
pub use self::experiments::{ExperimentJob, describe_experiment_job, open_experiment_job};
pub use self::job::{JobAnswer, JoinedResults, PreparedJob};
use self::spool::{ResultSpool, SpooledResults, describe_spool_failure};
use crate::error::LabError;
use crate::store::{
    ClaimedTask, KeptAs, Lease, NewResult, OpenJob, Store, StoreTask, TaskId, TaskJoin, WorkerNote,
};

/// For how long a worker has a task, unless its heartbeat prolongs it.
pub const LEASE: Duration = Duration::from_secs(60);

/// What a worker claims at once should take about so long.
pub const BATCH: Duration = Duration::from_secs(30);

/// The time between two looks at a queue that had nothing.
const POLL: Duration = Duration::from_secs(1);

/// The time between two looks at the list of jobs, and at whether a job is decided.
const LOOK: Duration = Duration::from_secs(5);

/// A worker leaves a job to others when so many different tasks of it have failed here and none was done between.
const FAILURES_IN_A_ROW: usize = 3;

/// Prepares jobs.
pub trait Workshop: Sync {
    /// The job, ready to be worked at. What it needs besides its own words may lie in the store.
    ///
    /// # Errors
    /// Why this program cannot do it: a player that is not installed, another version of ishi.
    fn prepare_job(&self, job: &OpenJob, store: &Store) -> Result<Arc<dyn PreparedJob>, String>;
}

/// What a worker tells.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkerEvent<'a> {
    /// It will work at this job.
    Fits(&'a OpenJob),
    /// It will not, and why.
    DoesNotFit(&'a OpenJob, &'a str),
    /// It has claimed so many tasks of the run.
    Claimed(&'a str, usize),
    /// A task of the run is finished and kept, or was finished before.
    Finished(&'a str, u64, KeptAs),
    /// A task of the run failed, and why. It is given back, and tried again or given up.
    Failed(&'a str, u64, &'a str),
    /// A run is left to others, as so many of its tasks have failed one after the other; the last reason.
    Leaves(&'a str, &'a str),
    /// The worker begins nothing new; so many tasks were given back.
    Draining(usize),
}

/// How a worker goes about it.
pub struct WorkerOptions<'a> {
    /// Its name, its own alone among all workers.
    pub name: String,
    /// Tasks that it does at once, at least 1.
    pub threads: usize,
    /// For how long it has a task without a sign of life.
    pub lease: Duration,
    /// Only this campaign's jobs; `None`: all.
    pub campaign: Option<String>,
    /// Go on waiting when all queues are empty?
    pub stays: bool,
    /// End after this time as if asked to drain; `None`: never.
    pub lives: Option<Duration>,
    /// Set it and nothing new is begun: what runs is finished, the rest given back.
    pub drain: StopFlag,
    /// Set it and everything is broken off and given back.
    pub stop: StopFlag,
    /// Hears of everything.
    pub observer: &'a mut dyn FnMut(&WorkerEvent<'_>),
}

/// What a worker did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerReport {
    /// Results that were the first of their task.
    pub done: u64,
    /// Results that were not the first, and the same as it.
    pub repeated: u64,
    /// Results that differed from the first: alarms.
    pub different: u64,
    /// Failures of tasks, each time that one failed.
    pub failed: u64,
    /// Those of them whose tasks were done here later.
    pub mended: u64,
    /// Jobs that do not fit, and why.
    pub unfit: BTreeMap<String, String>,
    /// Was it stopped or drained before the queues were empty?
    pub stopped: bool,
}

impl WorkerReport {
    /// Failures of tasks that were not done here later.
    pub fn failures_left(&self) -> u64 {
        self.failed.saturating_sub(self.mended)
    }
}

/// Works until the queues are empty, or somebody says stop.
///
/// # Errors
/// If the store fails, or is away for too long. What is finished is kept; the lease of the rest ends by itself.
pub fn work_at_jobs(
    store: &mut Store,
    workshop: &dyn Workshop,
    options: WorkerOptions<'_>,
) -> Result<WorkerReport, LabError> {
    let (to_hands, work) = channel();
    let (to_us, finished) = channel();
    let work = Mutex::new(work);
    // Set when the store has failed: what runs is of no use any more.
    let abandon = StopFlag::default();
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            let (work, to_us, abandon) = (&work, to_us.clone(), abandon.clone());
            scope.spawn(move || do_works(work, &to_us, &abandon));
        }
        // Only the hands can send now: if all of them are gone, the foreman hears of it.
        drop(to_us);
        let foreman = Foreman::new(store, workshop, options, to_hands, finished, abandon.clone());
        let outcome = foreman.run();
        abandon.request();
        outcome
    })
}

/// A task with what is needed to do it.
struct Work {
    run: String,
    job: Arc<dyn PreparedJob>,
    claimed: ClaimedTask,
    input: WorkInput,
}

/// What a task is done with.
enum WorkInput {
    /// The result of the task that it goes on from, if there is one.
    Before(Option<Arc<Value>>),
    /// The results that it joins, or why they cannot be had here.
    Joined(Result<SpooledResults, String>),
}

impl Work {
    fn do_task(&mut self, stop: &StopFlag) -> JobAnswer {
        let place = self.claimed.place;
        match &mut self.input {
            WorkInput::Before(before) => self.job.do_task(place, before.as_deref(), stop),
            WorkInput::Joined(Ok(results)) => self.job.join_results(place, results, stop),
            WorkInput::Joined(Err(reason)) => Err(reason.clone()),
        }
    }
}

/// What came of a [`Work`], and how long it took.
struct FinishedWork {
    work: Work,
    result: JobAnswer,
    seconds: f64,
}

/// A hand does one work after the other until there are no more.
fn do_works(work: &Mutex<Receiver<Work>>, finished: &Sender<FinishedWork>, abandon: &StopFlag) {
    loop {
        // The lock is held while one hand waits for work, and the others wait for the lock.
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut work) = next else { return };
        let start = Instant::now();
        // A task that panics is a task that fails: the foreman must hear of it.
        let done = catch_unwind(AssertUnwindSafe(|| work.do_task(abandon)));
        let result = done.unwrap_or_else(|_| Err("it panicked".to_string()));
        let seconds = start.elapsed().as_secs_f64();
        if finished.send(FinishedWork { work, result, seconds }).is_err() {
            return;
        }
    }
}

/// The run of a job, and the campaign that wants it.
type JobName = (String, String);

fn name_of_job(job: &OpenJob) -> JobName {
    (job.run.clone(), job.campaign.clone())
}

/// Claims, hands out, keeps.
struct Foreman<'a, 'o> {
    store: &'a mut Store,
    workshop: &'a dyn Workshop,
    options: WorkerOptions<'o>,
    to_hands: Option<Sender<Work>>,
    finished: Receiver<FinishedWork>,
    abandon: StopFlag,
    /// The jobs that fit, by run and campaign: campaigns may want one run up to different places.
    jobs: BTreeMap<JobName, Arc<dyn PreparedJob>>,
    /// Those of them with open tasks, and how many, in the order in which they are asked next.
    turns: VecDeque<(JobName, u64)>,
    /// Claimed and not handed out.
    waiting: VecDeque<Work>,
    running: BTreeSet<(String, u64)>,
    /// How often tasks have failed here, by run and place.
    failures: BTreeMap<(String, u64), u64>,
    /// How many workers had left the run of a job when this one left the job, itself among them.
    left: BTreeMap<JobName, u64>,
    /// The tasks of each run that have failed here since one was done.
    failed_in_a_row: BTreeMap<String, BTreeSet<u64>>,
    batch: BatchSize,
    report: WorkerReport,
    started: Instant,
    next_heartbeat: Instant,
    next_look: Instant,
    next_claim: Instant,
    given_back: bool,
}

impl<'a, 'o> Foreman<'a, 'o> {
    fn new(
        store: &'a mut Store,
        workshop: &'a dyn Workshop,
        options: WorkerOptions<'o>,
        to_hands: Sender<Work>,
        finished: Receiver<FinishedWork>,
        abandon: StopFlag,
    ) -> Foreman<'a, 'o> {
        let now = Instant::now();
        let batch = BatchSize::new(options.threads.max(1), BATCH);
        Foreman {
            store,
            workshop,
            options,
            to_hands: Some(to_hands),
            finished,
            abandon,
            jobs: BTreeMap::new(),
            turns: VecDeque::new(),
            waiting: VecDeque::new(),
            running: BTreeSet::new(),
            failures: BTreeMap::new(),
            left: BTreeMap::new(),
            failed_in_a_row: BTreeMap::new(),
            batch,
            report: WorkerReport::default(),
            started: now,
            next_heartbeat: now,
            next_look: now,
            next_claim: now,
            given_back: false,
        }
    }

    fn run(mut self) -> Result<WorkerReport, LabError> {
        loop {
            if self.options.stop.is_requested() {
                self.abandon.request();
            }
            let ends = self.ends_early();
            if ends {
                self.give_back_waiting()?;
            }
            if self.next_heartbeat <= Instant::now() {
                self.prolong_leases(if ends { "drains" } else { "works" })?;
            }
            if !ends {
                self.look_and_claim()?;
                self.hand_out();
            }
            let is_idle = self.running.is_empty() && self.waiting.is_empty();
            if is_idle && (ends || (self.turns.is_empty() && !self.options.stays)) {
                break;
            }
            self.take_finished()?;
        }
        // The hands end when nobody can send them work any more.
        self.to_hands = None;
        self.store.give_back_tasks(&self.options.name)?;
        let note = self.worker_note("gone");
        self.store.note_worker(&note)?;
        Ok(self.report)
    }

    /// Was it asked to end, or has it lived for long enough?
    fn ends_early(&mut self) -> bool {
        let asked = [&self.options.stop, &self.options.drain].into_iter().any(|flag| flag.is_requested());
        let is_over = self.options.lives.is_some_and(|time| self.started.elapsed() >= time);
        self.report.stopped |= asked || is_over;
        asked || is_over
    }

    fn give_back_waiting(&mut self) -> Result<(), LabError> {
        let waiting = std::mem::take(&mut self.waiting);
        for work in &waiting {
            self.store.give_back_task(&self.options.name, &work.run, work.claimed.place)?;
        }
        if !self.given_back {
            self.given_back = true;
            (self.options.observer)(&WorkerEvent::Draining(waiting.len()));
        }
        Ok(())
    }

    fn worker_note(&self, state: &str) -> WorkerNote {
        WorkerNote {
            id: self.options.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            threads: self.options.threads as u64,
            done: self.report.done,
            failed: self.report.failed,
            state: state.to_string(),
            silent: 0,
        }
    }

    /// Prolongs the lease. Tasks that another worker has by now are not begun any more; tasks that the store says are ours and
    /// that we know nothing of (an answer was lost) are given back.
    fn prolong_leases(&mut self, state: &str) -> Result<(), LabError> {
        // Three heartbeats in a row may come to nothing before the lease ends.
        self.next_heartbeat = Instant::now() + self.options.lease / 4;
        let note = self.worker_note(state);
        let ours = self.store.prolong_lease(&note, self.options.lease)?;
        let ours: BTreeSet<(String, u64)> = ours.into_iter().collect();
        self.waiting.retain(|work| ours.contains(&(work.run.clone(), work.claimed.place)));
        let has = |(run, place): &&(String, u64)| {
            self.running.contains(&(run.clone(), *place))
                || self.waiting.iter().any(|work| work.run == *run && work.claimed.place == *place)
        };
        let unknown: Vec<(String, u64)> = ours.iter().filter(|task| !has(task)).cloned().collect();
        for (run, place) in unknown {
            self.store.give_back_task(&self.options.name, &run, place)?;
        }
        Ok(())
    }

    /// Has an eye on the jobs, and claims where less is waiting than the hands could do next.
    fn look_and_claim(&mut self) -> Result<(), LabError> {
        let now = Instant::now();
        if self.next_look <= now {
            self.look_at_jobs()?;
            // A look may take seconds, as it finds out whether long matches are decided: it takes a twentieth of the time at most.
            self.next_look = now + LOOK.max(20 * now.elapsed());
        }
        if self.waiting.len() < self.options.threads && self.next_claim <= now {
            self.claim_batch()?;
        }
        Ok(())
    }

    /// Which jobs are open, and can we do them? A job that is decided is closed, for its campaign.
    fn look_at_jobs(&mut self) -> Result<(), LabError> {
        self.turns.clear();
        let most = self.batch.most_counted();
        for job in self.store.list_work(self.options.campaign.as_deref(), most)? {
            if job.open == 0 || self.is_left(&name_of_job(&job))? {
                continue;
            }
            // All that is left may wait for tasks that were given up.
            if job.failed > 0 && !self.store.has_work_left(&job.run, &job.campaign)? {
                continue;
            }
            let Some(prepared) = self.prepare(&job)? else { continue };
            if prepared.is_decided(self.store)? {
                self.store.close_job(&job.run, &job.campaign)?;
                continue;
            }
            self.turns.push_back((name_of_job(&job), job.open));
        }
        Ok(())
    }

    /// Is it a job that this worker leaves to others? One that was opened anew since is looked at anew: its failures are forgotten then.
    fn is_left(&mut self, job: &JobName) -> Result<bool, LabError> {
        let Some(&own) = self.left.get(job) else { return Ok(false) };
        let (name, failure) = (&self.options.name, self.store.find_job_failure(&job.0)?);
        if failure.is_some_and(|left| left.tries > own || (left.tries == own && left.worker == *name)) {
            return Ok(true);
        }
        self.left.remove(job);
        self.report.unfit.remove(&job.0);
        self.failed_in_a_row.remove(&job.0);
        Ok(false)
    }

    fn prepare(&mut self, job: &OpenJob) -> Result<Option<Arc<dyn PreparedJob>>, LabError> {
        let name = name_of_job(job);
        if let Some(prepared) = self.jobs.get(&name) {
            return Ok(Some(Arc::clone(prepared)));
        }
        match self.workshop.prepare_job(job, self.store) {
            Ok(prepared) => {
                // A job is told of once, so that counting all its open tasks costs little.
                let open = self.store.count_open(&job.run, &job.campaign)?;
                (self.options.observer)(&WorkerEvent::Fits(&OpenJob { open, ..job.clone() }));
                self.jobs.insert(name, Arc::clone(&prepared));
                Ok(Some(prepared))
            }
            Err(reason) => {
                (self.options.observer)(&WorkerEvent::DoesNotFit(job, &reason));
                self.note_left(&job.run, vec![name], &reason)?;
                Ok(None)
            }
        }
    }

    /// Claims tasks of the next job that has some, one job after the other.
    fn claim_batch(&mut self) -> Result<(), LabError> {
        for _ in 0..self.turns.len() {
            let Some((name, open)) = self.turns.pop_front() else { break };
            let lease = Lease { worker: &self.options.name, time: self.options.lease };
            let (run, campaign) = (&name.0, &name.1);
            let claimed = self.store.claim_tasks(run, campaign, self.batch.next_size(open), lease)?;
            self.turns.push_back((name.clone(), open));
            if !claimed.is_empty() {
                (self.options.observer)(&WorkerEvent::Claimed(&name.0, claimed.len()));
                return self.accept_claimed(&name, claimed);
            }
        }
        // Nothing is free. Others may still give something back.
        let now = Instant::now();
        self.next_claim = now + POLL;
        if self.running.is_empty() {
            self.next_look = now + POLL;
            self.look_at_jobs()?;
        }
        Ok(())
    }

    fn accept_claimed(&mut self, name: &JobName, claimed: Vec<ClaimedTask>) -> Result<(), LabError> {
        let Some(job) = self.jobs.get(name).map(Arc::clone) else { return Ok(()) };
        let run = name.0.as_str();
        for claimed in claimed {
            let ours = job.task(claimed.place).map(|task| task.id());
            if ours.as_ref() != Some(&claimed.task) {
                return self.leave_job(run, "this ishi makes other tasks of it: it is another version");
            }
            let joined = job.joined_places(claimed.place);
            let input = match &claimed.after {
                Some(id) => WorkInput::Before(self.find_result_before(id)?),
                None if joined.is_empty() => WorkInput::Before(None),
                None => match self.gather_joined_results(job.as_ref(), joined.clone())? {
                    Some(results) => WorkInput::Joined(results),
                    // The worker is to end, or somebody has taken the row away that makes the task wait: it must wait again, or it would be
                    // claimed and given back without end.
                    None => {
                        let join = TaskJoin { place: claimed.place, after: joined };
                        self.store.give_back_joining_task(&self.options.name, run, &join)?;
                        continue;
                    }
                },
            };
            self.waiting.push_back(Work { run: run.to_string(), job: Arc::clone(&job), claimed, input });
        }
        Ok(())
    }

    /// The result that a task goes on from. Tasks that lie beside each other and go on from the same one share it, as it may be large.
    fn find_result_before(&self, id: &TaskId) -> Result<Option<Arc<Value>>, LabError> {
        let neighbour = self.waiting.back().filter(|work| work.claimed.after.as_ref() == Some(id));
        if let Some(WorkInput::Before(Some(before))) = neighbour.map(|work| &work.input) {
            return Ok(Some(Arc::clone(before)));
        }
        Ok(self.store.find_result(id)?.map(|finished| Arc::new(finished.result)))
    }

    /// The results of the tasks at these places, or why this machine cannot hold them; `None` if one of them is not finished, or if this
    /// worker is to end.
    fn gather_joined_results(
        &mut self,
        job: &dyn PreparedJob,
        places: Range<u64>,
    ) -> Result<Option<Result<SpooledResults, String>>, LabError> {
        let mut spool = ResultSpool::begin();
        for place in places {
            // Whoever asks a worker to end may kill it soon after, and gathering may take minutes.
            if self.ends_early() {
                return Ok(None);
            }
            let Some(task) = job.task(place) else { return Ok(None) };
            let Some(result) = self.store.find_result_text(&task.id())? else { return Ok(None) };
            spool = spool.and_then(|mut spool| spool.append(&result).map(|()| spool));
            self.give_sign_of_life()?;
        }
        let results = spool.and_then(ResultSpool::into_results);
        Ok(Some(results.map_err(|error| describe_spool_failure(&error))))
    }

    /// Prolongs the lease where something takes long. What others have taken meanwhile the next heartbeat tells.
    fn give_sign_of_life(&mut self) -> Result<(), LabError> {
        if self.next_heartbeat <= Instant::now() {
            self.next_heartbeat = Instant::now() + self.options.lease / 4;
            let note = self.worker_note("works");
            self.store.prolong_lease(&note, self.options.lease)?;
        }
        Ok(())
    }

    /// Notes that this worker leaves these jobs of a run to others.
    fn note_left(&mut self, run: &str, jobs: Vec<JobName>, reason: &str) -> Result<(), LabError> {
        let tries = self.store.note_failure(run, None, &self.options.name, reason)?;
        self.left.extend(jobs.into_iter().map(|job| (job, tries)));
        self.report.unfit.insert(run.to_string(), reason.to_string());
        Ok(())
    }

    /// Leaves a run to others, whatever campaigns want it, and gives back what it has of it.
    fn leave_job(&mut self, run: &str, reason: &str) -> Result<(), LabError> {
        let jobs = self.jobs.keys().filter(|name| name.0 == run).cloned().collect();
        self.note_left(run, jobs, reason)?;
        self.turns.retain(|(name, _)| name.0 != run);
        self.waiting.retain(|work| work.run != run);
        self.jobs.retain(|name, _| name.0 != run);
        // The heartbeat gives claimed tasks back that nobody does any more: it comes at once, so that others need not wait for them.
        self.next_heartbeat = Instant::now();
        Ok(())
    }

    /// Every hand has one task, and one more lies ready for it.
    fn hand_out(&mut self) {
        while self.running.len() < self.options.threads.max(1) {
            let Some(work) = self.waiting.pop_front() else { return };
            self.running.insert((work.run.clone(), work.claimed.place));
            if self.to_hands.as_ref().is_none_or(|hands| hands.send(work).is_err()) {
                return;
            }
        }
    }

    /// Waits for a hand, and keeps what it has made. Takes what others have made meanwhile, too.
    fn take_finished(&mut self) -> Result<(), LabError> {
        /// How long a hand is waited for at a time, so that a signal is heard of soon.
        const PAUSE: Duration = Duration::from_millis(50);
        match self.finished.recv_timeout(PAUSE) {
            Ok(finished) => self.keep(finished),
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                Err(LabError::Input(coded!["lab-worker-ended", "all threads of the worker have ended"]))
            }
        }
    }

    fn keep(&mut self, finished: FinishedWork) -> Result<(), LabError> {
        let FinishedWork { work, result, seconds } = finished;
        let (run, place) = (work.run, work.claimed.place);
        self.running.remove(&(run.clone(), place));
        match result {
            Ok(None) => self.store.give_back_task(&self.options.name, &run, place)?,
            Ok(Some(new)) => {
                self.batch.note_seconds(seconds);
                self.failed_in_a_row.remove(&run);
                self.report.mended += self.failures.remove(&(run.clone(), place)).unwrap_or(0);
                let Some(task) = work.job.task(place) else { return Ok(()) };
                let kept = self.keep_result(&task, &new, (&run, place), work.job.is_exact())?;
                match kept {
                    KeptAs::First => self.report.done += 1,
                    KeptAs::Same => self.report.repeated += 1,
                    KeptAs::Different => self.report.different += 1,
                }
                (self.options.observer)(&WorkerEvent::Finished(&run, place, kept));
            }
            Err(reason) => self.take_failure(run, place, &reason)?,
        }
        Ok(())
    }

    /// A task has failed. It is noted before it is given back, so that nobody tries it too often.
    fn take_failure(&mut self, run: String, place: u64, reason: &str) -> Result<(), LabError> {
        self.report.failed += 1;
        self.store.note_failure(&run, Some(place), &self.options.name, reason)?;
        (self.options.observer)(&WorkerEvent::Failed(&run, place, reason));
        self.store.give_back_task(&self.options.name, &run, place)?;
        *self.failures.entry((run.clone(), place)).or_default() += 1;
        let in_a_row = self.failed_in_a_row.entry(run.clone()).or_default();
        in_a_row.insert(place);
        if in_a_row.len() >= FAILURES_IN_A_ROW && self.jobs.keys().any(|name| name.0 == run) {
            (self.options.observer)(&WorkerEvent::Leaves(&run, reason));
            self.leave_job(&run, reason)?;
        }
        Ok(())
    }

    fn keep_result(
        &mut self,
        task: &StoreTask,
        new: &NewResult,
        run: (&str, u64),
        is_exact: bool,
    ) -> Result<KeptAs, LabError> {
        if is_exact {
            return Ok(self.store.keep_compared_result(task, new, Some(run), &self.options.name)?);
        }
        let first = self.store.keep_result_in_run(task, new, Some(run))?;
        Ok(if first { KeptAs::First } else { KeptAs::Same })
    }
}
