//! Jobs whose tasks any worker may do: a queue, with leases by the clock of the database.
//!
//! A job is a run that a campaign wants, with a description of how to do its tasks. A worker claims some, and has them until its lease ends;
//! a heartbeat prolongs it. A worker that is gone loses its tasks to others by that alone. The first result of a task
//! takes it off all queues, in the transaction that keeps the result.
//!
//! Several campaigns may want the same run. Each has a job of its own, and the queue has each task once. A job says up to which place it wants
//! tasks. What no job of the run wants any more leaves the queue.
//!
//! The clock of the database may be set anew. Set ahead, it ends leases too early, which costs some tasks a second worker. Set back, it would let
//! them last for too long. A worker that was last heard of in the future shows it: its tasks are free for others, too, until it has said again
//! that it is there.

use std::ops::Range;
use std::time::Duration;

use serde_json::Value;

use super::database::{
    Database, IS_FREE_PLACE, LOCK_FREE_ROWS, NOW_MILLISECONDS, SqlFieldError, SqlRow, SqlValue, sql_values,
};
use super::task::canonical_json;
use super::{
    CampaignDamage, MOST_TRIES, Store, StoreError, TaskId, failures, read_json_column, runs, seal,
    split_damaged,
};

/// All columns that the checksum of a job is of, in the order in which they are read.
pub(super) const SEALED_JOB: &str = "run, campaign, job, end_place";

/// The same of a task in the queue. Who has it, and for how long, changes with every claim.
pub(super) const SEALED_ENTRY: &str = "run, place, task, after_task";

/// The same of a task that joins others.
pub(super) const SEALED_JOIN: &str = "run, place, first_place, end_place";

/// The same of what a worker says of itself.
pub(super) const SEALED_WORKER: &str = "id, version, threads, done, failed, state";

/// A worker that was silent for more milliseconds than these has gone, or stands still.
pub const WORKER_SILENCE: i64 = 120_000;

/// The clock of the database was set back if a worker was last heard of so many milliseconds from now.
const CLOCK_SET_BACK: i64 = 60_000;

/// In SQL: is the task finished that a task of the queue goes on from, if there is one?
const IS_READY: &str = "(after_task = '' OR EXISTS (SELECT 1 FROM tasks WHERE tasks.id = queue.after_task))";

/// In SQL: are all tasks finished that a task of the queue joins? What is finished has left the queue.
const HAS_JOINED: &str = "NOT EXISTS (SELECT 1 FROM joins JOIN queue AS earlier ON earlier.run = joins.run \
     AND earlier.place >= joins.first_place AND earlier.place < joins.end_place \
     WHERE joins.run = queue.run AND joins.place = queue.place)";

/// In SQL: a task of the queue that has not failed.
const NEVER_FAILED: &str =
    "NOT EXISTS (SELECT 1 FROM failures WHERE failures.run = queue.run AND failures.place = queue.place)";

/// In SQL: the place from which on a job wants no tasks of its run; nothing where there is no such job. The values of these numbers are run and campaign.
fn end_of_job(run: u32, campaign: u32) -> String {
    format!("(SELECT end_place FROM jobs WHERE jobs.run = ${run} AND jobs.campaign = ${campaign})")
}

/// In SQL, behind FROM or JOIN: the jobs. No other table has columns of these names.
pub(super) const WANTED_RUNS: &str =
    "(SELECT run AS wanted_run, campaign, end_place AS wanted_end FROM jobs) AS wanted";

/// In SQL: the place from which on no campaign wants tasks of the run that is the first value.
const END_OF_RUN: &str = "(SELECT COALESCE(MAX(end_place), 0) FROM jobs WHERE jobs.run = $1)";

/// In SQL: a task of the queue that has failed, and is not given up.
fn may_be_tried_again() -> String {
    format!(
        "EXISTS (SELECT 1 FROM failures WHERE failures.run = queue.run AND failures.place = queue.place \
         AND failures.tries < {MOST_TRIES})"
    )
}

/// The member of a job that says how many of its tasks were not finished when it was stopped. A job that is opened again has none.
const STOPPED_TASKS: &str = "stopped_tasks";

/// A run whose tasks workers may do, as a campaign wants it. Another campaign may want the same run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenJob {
    /// The run.
    pub run: String,
    /// The campaign.
    pub campaign: String,
    /// How its tasks are done.
    pub job: Value,
    /// Tasks that the campaign wants and nobody has finished.
    pub open: u64,
    /// Those of them that a worker has, its lease not over.
    pub claimed: u64,
    /// Those of them that are given up: they have failed [`MOST_TRIES`](super::MOST_TRIES) times.
    pub failed: u64,
}

impl OpenJob {
    /// Tasks that were not finished when the job was stopped ([`Store::stop_job`]); 0 for one that goes on.
    pub fn stopped(&self) -> u64 {
        self.job[STOPPED_TASKS].as_u64().unwrap_or(0)
    }
}

/// What became of the tasks of a job that was stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoppedTasks {
    /// Tasks that were not finished.
    pub left: u64,
    /// Those of them that stay in the queue, as another campaign wants them.
    pub wanted_elsewhere: u64,
}

/// Jobs: those that are whole, and those that cannot be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobList {
    /// Those that are whole, by campaign and run.
    pub jobs: Vec<OpenJob>,
    /// The others, in the same order.
    pub damaged: Vec<CampaignDamage>,
}

/// A task for the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueEntry {
    /// Its number in the run, counted from 0.
    pub place: u64,
    /// The task.
    pub task: TaskId,
    /// The task that must be finished before.
    pub after: Option<TaskId>,
}

/// A task that waits for many: all tasks of its run at these places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskJoin {
    /// The number of the task that waits.
    pub place: u64,
    /// The numbers of those that must be finished before.
    pub after: Range<u64>,
}

/// A task that a worker has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedTask {
    /// Its number in the run.
    pub place: u64,
    /// The task.
    pub task: TaskId,
    /// The task that it goes on from, which is finished.
    pub after: Option<TaskId>,
}

/// Who has tasks, and for how long from now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease<'a> {
    /// The worker.
    pub worker: &'a str,
    /// From now on, by the clock of the database.
    pub time: Duration,
}

impl Lease<'_> {
    fn milliseconds(&self) -> i64 {
        i64::try_from(self.time.as_millis()).unwrap_or(i64::MAX / 2)
    }
}

/// What a worker says of itself with every heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerNote {
    /// Its name, its own alone.
    pub id: String,
    /// Its version of ishi.
    pub version: String,
    /// Tasks that it does at once.
    pub threads: u64,
    /// Tasks that it has finished.
    pub done: u64,
    /// Tasks that failed.
    pub failed: u64,
    /// `works`, `drains` or `gone`.
    pub state: String,
    /// Milliseconds since it was last heard of; of no meaning in what a worker says.
    pub silent: i64,
}

impl Store {
    /// Opens a run of the store as a job of a campaign: those of its tasks that are not finished come into the queue, and those that are
    /// become tasks of the run. Doing so again adds what is new, takes off what the campaign wants no more, and tries what was given up anew. Jobs
    /// that other campaigns have of the run stay as they are. Gives how many tasks of the job are in the queue.
    ///
    /// # Errors
    /// If there is no such run, or the database cannot be written.
    pub fn open_job(
        &mut self,
        run: &str,
        campaign: &str,
        job: &Value,
        entries: &[QueueEntry],
    ) -> Result<u64, StoreError> {
        self.open_joined_job(run, campaign, job, entries, &[])
    }

    /// As [`Store::open_job`], with tasks that wait for many others.
    ///
    /// # Errors
    /// As [`Store::open_job`].
    pub fn open_joined_job(
        &mut self,
        run: &str,
        campaign: &str,
        job: &Value,
        entries: &[QueueEntry],
        joins: &[TaskJoin],
    ) -> Result<u64, StoreError> {
        // A match that is asked for again may have more pairs, or fewer.
        let insert = format!(
            "INSERT INTO jobs ({SEALED_JOB}, checksum) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run, campaign) DO UPDATE \
             SET job = excluded.job, end_place = excluded.end_place, checksum = excluded.checksum"
        );
        let text = canonical_json(job);
        let end_place = entries.iter().map(|entry| entry.place + 1).max().unwrap_or(0);
        let values = sql_values![run, campaign, &text, end_place];
        let sum = seal::checksum_of_values(values);
        self.write_transaction(|database| {
            hold_run(database, run)?;
            database.execute(&insert, &[&values[..], sql_values![&sum]].concat())?;
            // Whoever asks again wants to have tried again what was given up.
            database.execute("DELETE FROM failures WHERE run = $1", sql_values![run])?;
            joins.iter().try_for_each(|join| insert_join(database, run, join))?;
            entries.iter().try_for_each(|entry| insert_entry(database, run, entry))?;
            // A task may have been finished for another run.
            let asked = sql_values![run];
            leave_queue(database, "run = $1 AND task IN (SELECT id FROM tasks)", asked, |row| {
                seal::check_asked(row, 0, asked, || format!("task {} in the queue", row.shown_text(1)))
            })?;
            trim_queue(database, run)
        })?;
        self.count_open(run, campaign)
    }

    /// How many tasks of a run a campaign wants that nobody has finished.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn count_open(&self, run: &str, campaign: &str) -> Result<u64, StoreError> {
        let open = self.query_row(&select_wanted_count(), sql_values![run, campaign], |row| row.get(0));
        Ok(open?.unwrap_or(0))
    }

    /// A campaign needs no more tasks of a run. Those that no other one wants leave the queue: this says how many. What workers are at is
    /// finished and kept. The job stays, as who looks at the campaign wants to see it.
    ///
    /// # Errors
    /// If the database cannot be written, or the job is damaged.
    pub fn close_job(&mut self, run: &str, campaign: &str) -> Result<u64, StoreError> {
        let select = format!("SELECT {SEALED_JOB}, checksum FROM jobs WHERE run = $1 AND campaign = $2");
        let asked = sql_values![run, campaign];
        self.write_transaction(|database| {
            hold_run(database, run)?;
            for row in &database.query(&select, asked)? {
                let name = || format!("job of run {run}");
                let text = seal::check_row_of(row, 4, name)
                    .and_then(|()| seal::check_asked(row, 0, asked, name))
                    .and_then(|()| row.get::<String>(2));
                let text = text.map_err(|error| seal::damaged_row(database, error))?;
                end_job(database, run, campaign, &text)?;
            }
            trim_queue(database, run)
        })
    }

    /// As [`Store::close_job`], for who wants no more of it for now: the job says how many tasks were not finished ([`OpenJob::stopped`]), until it is
    /// opened again.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn stop_job(&mut self, job: &OpenJob) -> Result<StoppedTasks, StoreError> {
        let OpenJob { run, campaign, .. } = job;
        self.write_transaction(|database| {
            hold_run(database, run)?;
            let counted = database.query(&select_wanted_count(), sql_values![run, campaign])?;
            let left = counted.first().and_then(|row| row.get::<u64>(0).ok()).unwrap_or(0);
            // Stopped once more, it is as it was.
            if left > 0 {
                end_job(database, run, campaign, &describe_stopped(&job.job, left))?;
            }
            let taken_off = trim_queue(database, run)?;
            Ok(StoppedTasks { left, wanted_elsewhere: left.saturating_sub(taken_off) })
        })
    }

    /// All jobs, by campaign and run.
    ///
    /// # Errors
    /// If the database cannot be read, or a job is damaged.
    pub fn list_jobs(&self) -> Result<Vec<OpenJob>, StoreError> {
        self.query_rows(&select_jobs(""), &[], read_job)
    }

    /// As [`Store::list_jobs`], to be looked at: a job that is damaged hides no other.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn list_whole_jobs(&self) -> Result<JobList, StoreError> {
        let rows = self.query_rows(&select_jobs(""), &[], |row| {
            Ok(read_job(row)
                .map_err(|error| CampaignDamage::removable(row.shown_text(1), row.shown_text(0), error)))
        })?;
        let (jobs, damaged) = split_damaged(rows);
        Ok(JobList { jobs, damaged })
    }

    /// The jobs of a campaign, by run, without those that are damaged.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn list_whole_jobs_of(&self, campaign: &str) -> Result<Vec<OpenJob>, StoreError> {
        let jobs = self.query_rows(&select_jobs("WHERE campaign = $1"), sql_values![campaign], |row| {
            Ok(read_job(row).ok())
        })?;
        Ok(jobs.into_iter().flatten().collect())
    }

    /// The jobs of a campaign, or with `None` of all, by campaign and run, for who works at them. Of their open tasks at most `most` are counted,
    /// and claimed ones are not: all workers look again and again, and a queue may be long.
    ///
    /// # Errors
    /// If the database cannot be read, or one of these jobs is damaged.
    pub fn list_work(&self, campaign: Option<&str>, most: u64) -> Result<Vec<OpenJob>, StoreError> {
        const COUNTS: &str = "(SELECT COUNT(*) FROM (SELECT place FROM queue WHERE queue.run = jobs.run \
                              AND queue.place < jobs.end_place LIMIT $1) AS counted), CAST(0 AS BIGINT)";
        match campaign {
            Some(name) => {
                let sql = select_counted_jobs(COUNTS, "WHERE campaign = $2");
                self.query_rows(&sql, sql_values![most, name], read_job)
            }
            None => self.query_rows(&select_counted_jobs(COUNTS, ""), sql_values![most], read_job),
        }
    }

    /// Takes at most so many tasks of a run that a campaign wants and nobody has, in their order. Those that have failed before come when there
    /// are no others.
    ///
    /// # Errors
    /// If the database cannot be written, or a row of the job is damaged: none is taken then.
    pub fn claim_tasks(
        &mut self,
        run: &str,
        campaign: &str,
        most: u64,
        lease: Lease<'_>,
    ) -> Result<Vec<ClaimedTask>, StoreError> {
        let mut claimed = self.write_transaction(|database| {
            let rules = ClaimRules::read(database, run)?;
            let mut claim =
                |condition: String| claim_ready(database, [run, campaign], most, lease, &condition);
            let claimed = claim(rules.first_condition())?;
            if !claimed.is_empty() || !rules.may_be_tried_again {
                return Ok(claimed);
            }
            claim(rules.second_condition())
        })?;
        claimed.sort_by_key(|task| task.place);
        Ok(claimed)
    }

    /// Is there a task of the run that the campaign wants and a worker has, or could claim? Where others are given up, the rest may wait for them
    /// for ever.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn has_work_left(&self, run: &str, campaign: &str) -> Result<bool, StoreError> {
        let (may_be_tried, end) = (may_be_tried_again(), end_of_job(1, 2));
        let sql = format!(
            "SELECT place FROM queue WHERE run = $1 AND place < {end} AND (lease >= {NOW_MILLISECONDS} \
             OR ({IS_READY} AND {HAS_JOINED} AND ({NEVER_FAILED} OR {may_be_tried}))) LIMIT 1"
        );
        Ok(self.query_row(&sql, sql_values![run, campaign], |row| row.get::<u64>(0))?.is_some())
    }

    /// The heartbeat: prolongs the lease of all tasks that the worker still has, says which these are (run and place), and notes
    /// the worker.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn prolong_lease(
        &mut self,
        note: &WorkerNote,
        time: Duration,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let prolong = format!(
            "UPDATE queue SET lease = {NOW_MILLISECONDS} + $1 WHERE worker = $2 RETURNING run, place"
        );
        let lease = Lease { worker: &note.id, time };
        let rows = self.write_transaction(|database| {
            write_note(database, note)?;
            database.query(&prolong, sql_values![lease.milliseconds(), lease.worker])
        })?;
        Ok(rows.iter().filter_map(|row| row.get(0).ok().zip(row.get(1).ok())).collect())
    }

    /// Notes a worker without a word about its tasks.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn note_worker(&mut self, note: &WorkerNote) -> Result<(), StoreError> {
        self.write_transaction(|database| write_note(database, note))
    }

    /// Gives back all tasks that the worker has and will not finish, so that others need not wait for its lease to end.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn give_back_tasks(&mut self, worker: &str) -> Result<u64, StoreError> {
        const SQL: &str = "UPDATE queue SET worker = '', lease = 0 WHERE worker = $1";
        self.write_transaction(|database| database.execute(SQL, sql_values![worker]))
    }

    /// Gives back one task.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn give_back_task(&mut self, worker: &str, run: &str, place: u64) -> Result<(), StoreError> {
        self.write_transaction(|database| give_back(database, worker, run, place).map(drop))
    }

    /// Gives back a task that waits for others, and notes once more for which: the row that said so may have been damaged and taken out.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn give_back_joining_task(
        &mut self,
        worker: &str,
        run: &str,
        join: &TaskJoin,
    ) -> Result<(), StoreError> {
        self.write_transaction(|database| {
            // What has left the queue meanwhile waits for nothing.
            let is_in_queue = give_back(database, worker, run, join.place)? > 0;
            if is_in_queue { insert_join(database, run, join) } else { Ok(()) }
        })
    }

    /// All workers that were ever noted, those that were heard of last first.
    ///
    /// # Errors
    /// If the database cannot be read, or a worker is damaged.
    pub fn list_workers(&self) -> Result<Vec<WorkerNote>, StoreError> {
        self.query_rows(&select_workers(), &[], read_worker)
    }

    /// As [`Store::list_workers`], and apart from them those that are damaged.
    pub(super) fn split_workers(&self) -> Result<(Vec<WorkerNote>, Vec<CampaignDamage>), StoreError> {
        let rows = self.query_rows(&select_workers(), &[], |row| {
            Ok(read_worker(row)
                .map_err(|error| CampaignDamage::removable(String::new(), String::new(), error)))
        })?;
        Ok(split_damaged(rows))
    }
}

/// How jobs that meet a condition are read ([`read_job`]).
fn select_jobs(condition: &str) -> String {
    const WANTED: &str =
        "(SELECT COUNT(*) FROM queue WHERE queue.run = jobs.run AND queue.place < jobs.end_place";
    let counts = format!("{WANTED}), {WANTED} AND lease >= {NOW_MILLISECONDS})");
    select_counted_jobs(&counts, condition)
}

/// The same with other counts of tasks, those that are open and those that are claimed.
fn select_counted_jobs(counts: &str, condition: &str) -> String {
    format!(
        "SELECT {SEALED_JOB}, checksum, {counts}, \
         (SELECT COUNT(*) FROM failures JOIN queue ON queue.run = failures.run AND queue.place = failures.place \
         WHERE failures.run = jobs.run AND failures.place < jobs.end_place AND failures.tries >= {MOST_TRIES}) \
         FROM jobs {condition} ORDER BY campaign, run"
    )
}

/// A row of [`select_jobs`].
fn read_job(row: &SqlRow) -> Result<OpenJob, SqlFieldError> {
    let read = || -> Result<OpenJob, SqlFieldError> {
        seal::check_row(row, 4)?;
        Ok(OpenJob {
            run: row.get(0)?,
            campaign: row.get(1)?,
            job: read_json_column(row, 2)?,
            open: row.get(5)?,
            claimed: row.get(6)?,
            failed: row.get(7)?,
        })
    };
    read().map_err(|error| error.within(&format!("job of run {}", row.shown_text(0))))
}

/// How workers are read ([`read_worker`]).
fn select_workers() -> String {
    format!("SELECT {SEALED_WORKER}, checksum, seen, {NOW_MILLISECONDS} FROM workers ORDER BY seen DESC, id")
}

/// A row of [`select_workers`].
fn read_worker(row: &SqlRow) -> Result<WorkerNote, SqlFieldError> {
    let read = || -> Result<WorkerNote, SqlFieldError> {
        seal::check_row(row, 6)?;
        let (seen, now): (i64, i64) = (row.get(7)?, row.get(8)?);
        Ok(WorkerNote {
            id: row.get(0)?,
            version: row.get(1)?,
            threads: row.get(2)?,
            done: row.get(3)?,
            failed: row.get(4)?,
            state: row.get(5)?,
            silent: now.saturating_sub(seen),
        })
    };
    read().map_err(|error| error.within(&format!("worker {}", row.shown_text(0))))
}

/// Takes tasks of a run that a campaign wants, are ready and meet the condition, more words of SQL.
fn claim_ready(
    database: &mut dyn Database,
    [run, campaign]: [&str; 2],
    most: u64,
    lease: Lease<'_>,
    condition: &str,
) -> Result<Vec<ClaimedTask>, StoreError> {
    let end = end_of_job(3, 5);
    // The rows are chosen once, before any is changed: the server may not do the inner query again. A server that does not know yet how long the
    // queue has become would look for them in all of it: their bounds are found by the index.
    let sql = format!(
        "WITH free AS MATERIALIZED (SELECT place FROM queue WHERE run = $3 AND place < {end} AND (lease < {NOW_MILLISECONDS} \
         OR worker IN (SELECT id FROM workers WHERE id <> $1 AND seen > {NOW_MILLISECONDS} + {CLOCK_SET_BACK})) \
         AND {IS_READY}{condition} ORDER BY place LIMIT $4 {LOCK_FREE_ROWS}) \
         UPDATE queue SET worker = $1, lease = {NOW_MILLISECONDS} + $2 WHERE run = $3 AND place {IS_FREE_PLACE} \
         AND place >= (SELECT MIN(place) FROM free) AND place <= (SELECT MAX(place) FROM free) RETURNING {SEALED_ENTRY}, checksum"
    );
    let values = sql_values![lease.worker, lease.milliseconds(), run, most, campaign];
    let rows = database.query(&sql, values)?;
    let read = |row: &SqlRow| -> Result<ClaimedTask, SqlFieldError> {
        let claimed = read_claimed(row)?;
        seal::check_asked(row, 0, sql_values![run], || format!("task {} in the queue", claimed.place))?;
        Ok(claimed)
    };
    let claimed: Result<Vec<ClaimedTask>, SqlFieldError> = rows.iter().map(read).collect();
    claimed.map_err(|error| seal::damaged_row(database, error))
}

/// What decides about the claims of a run besides its queue. A database is asked no more than it must be: most runs have neither.
struct ClaimRules {
    has_joins: bool,
    has_failures: bool,
    /// Has a task failed that is not given up?
    may_be_tried_again: bool,
}

impl ClaimRules {
    /// Reads the rows of the run, and holds them against their checksums.
    fn read(database: &mut dyn Database, run: &str) -> Result<ClaimRules, StoreError> {
        let sql = format!("SELECT {SEALED_JOIN}, checksum FROM joins WHERE run = $1");
        let joins = database.query(&sql, sql_values![run])?;
        for row in &joins {
            let name = || format!("join of task {} of run {}", row.shown_text(1), row.shown_text(0));
            let checked = seal::check_row_of(row, 4, name)
                .and_then(|()| seal::check_asked(row, 0, sql_values![run], name));
            checked.map_err(|error| seal::damaged_row(database, error))?;
        }
        let failures = failures::read_failures_of_run(database, run)?;
        let of_tasks = || failures.iter().filter(|failure| failure.place.is_some());
        Ok(ClaimRules {
            has_joins: !joins.is_empty(),
            has_failures: of_tasks().next().is_some(),
            may_be_tried_again: of_tasks().any(|failure| !failure.is_given_up()),
        })
    }

    /// What is claimed first: what has not failed.
    fn first_condition(&self) -> String {
        let joined = if self.has_joins { format!(" AND {HAS_JOINED}") } else { String::new() };
        if self.has_failures { format!("{joined} AND {NEVER_FAILED}") } else { joined }
    }

    /// What is claimed when there is nothing else.
    fn second_condition(&self) -> String {
        format!(" AND {HAS_JOINED} AND {}", may_be_tried_again())
    }
}

/// How many tasks are in the queue of a run, the first value, that a campaign wants, the second.
fn select_wanted_count() -> String {
    format!("SELECT COUNT(*) FROM queue WHERE run = $1 AND place < {}", end_of_job(1, 2))
}

/// Keeps others from opening and ending jobs of a run until the end of the transaction: what one of them no longer wants, another may begin to want.
fn hold_run(database: &mut dyn Database, run: &str) -> Result<(), StoreError> {
    database.execute("UPDATE runs SET kind = kind WHERE name = $1", sql_values![run]).map(drop)
}

/// Takes the tasks of a run that no campaign wants off the queue, with what is known of their order and failures. Says how many they were.
fn trim_queue(database: &mut dyn Database, run: &str) -> Result<u64, StoreError> {
    // The failure of a whole job has a place before all others. It goes when nobody wants anything.
    let of_failure = format!("(place >= {END_OF_RUN} OR {END_OF_RUN} = 0)");
    let of_task = format!("place >= {END_OF_RUN}");
    for (table, condition) in [("joins", &of_task), ("failures", &of_failure)] {
        let delete = format!("DELETE FROM {table} WHERE run = $1 AND {condition}");
        database.execute(&delete, sql_values![run])?;
    }
    database.execute(&format!("DELETE FROM queue WHERE run = $1 AND {of_task}"), sql_values![run])
}

/// From now on a job wants no tasks. It is described by this text, which is JSON.
fn end_job(database: &mut dyn Database, run: &str, campaign: &str, job: &str) -> Result<(), StoreError> {
    const SQL: &str =
        "UPDATE jobs SET job = $1, end_place = 0, checksum = $2 WHERE run = $3 AND campaign = $4";
    let sum = seal::checksum_of_values(sql_values![run, campaign, job, 0_i64]);
    database.execute(SQL, sql_values![job, &sum, run, campaign]).map(drop)
}

/// The description of a job with a note of how many of its tasks were not finished when it was stopped.
fn describe_stopped(job: &Value, left: u64) -> String {
    let mut marked = job.clone();
    if let Some(members) = marked.as_object_mut() {
        members.insert(STOPPED_TASKS.to_string(), left.into());
    }
    canonical_json(&marked)
}

/// A row of [`SEALED_ENTRY`] and its checksum.
fn read_claimed(row: &SqlRow) -> Result<ClaimedTask, SqlFieldError> {
    seal::check_row_of(row, 4, || {
        format!("task {} of run {} in the queue", row.shown_text(1), row.shown_text(0))
    })?;
    let after: String = row.get(3)?;
    Ok(ClaimedTask {
        place: row.get(1)?,
        task: TaskId::from_database(row.get(2)?),
        after: (!after.is_empty()).then(|| TaskId::from_database(after)),
    })
}

fn insert_entry(database: &mut dyn Database, run: &str, entry: &QueueEntry) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO queue ({SEALED_ENTRY}, worker, lease, checksum) VALUES ($1, $2, $3, $4, '', 0, $5) \
         ON CONFLICT DO NOTHING"
    );
    let after = entry.after.as_ref().map_or("", TaskId::as_str);
    let values = sql_values![run, entry.place, entry.task.as_str(), after];
    let sum = seal::checksum_of_values(values);
    database.execute(&sql, &[&values[..], sql_values![&sum]].concat()).map(drop)
}

/// Gives a task back that the worker has, and says how many that were.
fn give_back(database: &mut dyn Database, worker: &str, run: &str, place: u64) -> Result<u64, StoreError> {
    const SQL: &str = "UPDATE queue SET worker = '', lease = 0 WHERE worker = $1 AND run = $2 AND place = $3";
    database.execute(SQL, sql_values![worker, run, place])
}

fn insert_join(database: &mut dyn Database, run: &str, join: &TaskJoin) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO joins ({SEALED_JOIN}, checksum) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run, place) DO UPDATE \
         SET first_place = excluded.first_place, end_place = excluded.end_place, checksum = excluded.checksum"
    );
    let values = sql_values![run, join.place, join.after.start, join.after.end];
    let sum = seal::checksum_of_values(values);
    database.execute(&sql, &[&values[..], sql_values![&sum]].concat()).map(drop)
}

fn write_note(database: &mut dyn Database, note: &WorkerNote) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO workers ({SEALED_WORKER}, started, seen, checksum) \
         VALUES ($1, $2, $3, $4, $5, $6, {NOW_MILLISECONDS}, {NOW_MILLISECONDS}, $7) \
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, threads = excluded.threads, seen = excluded.seen, \
         done = excluded.done, failed = excluded.failed, state = excluded.state, checksum = excluded.checksum"
    );
    let WorkerNote { id, version, threads, done, failed, state, .. } = note;
    let values = sql_values![id, version, *threads, *done, *failed, state];
    let sum = seal::checksum_of_values(values);
    database.execute(&sql, &[&values[..], sql_values![&sum]].concat()).map(drop)
}

/// A task is finished: it becomes a task of every run that waits for it, and leaves all queues.
pub(super) fn settle_task(database: &mut dyn Database, id: &TaskId) -> Result<(), StoreError> {
    let asked = sql_values![id.as_str()];
    leave_queue(database, "task = $1", asked, |row| {
        seal::check_asked(row, 2, asked, || format!("task {id} in the queue"))
    })
}

/// Takes the finished tasks of this condition off all queues. Each becomes a task of the run that waited for it. `check` says whether a row is one that was
/// asked for.
fn leave_queue(
    database: &mut dyn Database,
    condition: &str,
    values: &[SqlValue<'_>],
    check: impl Fn(&SqlRow) -> Result<(), SqlFieldError>,
) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM queue WHERE {condition} RETURNING {SEALED_ENTRY}, checksum");
    for row in database.query(&sql, values)? {
        let entry = read_claimed(&row).and_then(|entry| {
            check(&row)?;
            Ok((row.get::<String>(0)?, entry))
        });
        let (run, entry) = entry.map_err(|error| seal::damaged_row(database, error))?;
        runs::insert_run_task(database, &run, entry.place, &entry.task)?;
    }
    Ok(())
}
