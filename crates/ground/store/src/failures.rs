//! Tasks that fail: they are counted, so that each is tried a bounded number of times, and told by name.
//!
//! A worker that cannot do a job at all notes that, too, as a failure of the whole job. It keeps nobody else from trying.

use super::database::{Database, NOW, SqlFieldError, SqlRow, SqlValue, sql_values};
use super::queue::WANTED_RUNS;
use super::{CampaignDamage, Store, StoreError, seal, split_damaged};

/// All columns that the checksum of a failure is of, in the order in which they are read.
pub(super) const SEALED_COLUMNS: &str = "run, place, tries, cause, worker";

/// A task that has failed so often is given up: nobody claims it until its job is opened again.
pub const MOST_TRIES: u64 = 3;

/// The place of a failure that is a whole job's.
const WHOLE_JOB: i64 = -1;

/// In SQL: a failure of tasks that a job wants, or of all of it. A job that has ended wants none.
const IS_WANTED: &str = "(wanted_end > 0 AND failures.place < wanted_end)";

/// In SQL: a failure of a task that is not finished, or of a whole job that is not.
const IS_NOT_DONE: &str = "EXISTS (SELECT 1 FROM queue WHERE queue.run = failures.run \
                           AND (failures.place < 0 OR queue.place = failures.place))";

/// Characters that are kept of a cause.
const LONGEST_CAUSE: usize = 2000;

/// A task that has failed and that nobody has finished, or a job that a worker could not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFailure {
    /// The run.
    pub run: String,
    /// The task's number in the run; `None` where a worker left the whole job to others.
    pub place: Option<u64>,
    /// How often it has failed, or how many workers have left the job.
    pub tries: u64,
    /// Why, the last time.
    pub cause: String,
    /// Whose failure was the last.
    pub worker: String,
}

/// A failure, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignFailure {
    /// The campaign.
    pub campaign: String,
    /// What has failed.
    pub failure: TaskFailure,
}

impl TaskFailure {
    /// Is it a task that nobody tries any more?
    pub fn is_given_up(&self) -> bool {
        self.place.is_some() && self.tries >= MOST_TRIES
    }
}

impl Store {
    /// Notes that a task, or with `None` the whole job, has failed, and why. Gives how often by now; 0 for a job with nothing left in the queue,
    /// of which nothing is noted.
    ///
    /// # Errors
    /// If the database cannot be written, or what was noted before is damaged.
    pub fn note_failure(
        &mut self,
        run: &str,
        place: Option<u64>,
        worker: &str,
        cause: &str,
    ) -> Result<u64, StoreError> {
        // Holds the run's row until the end: else a server lets two workers read the same number of tries, and one is lost.
        const HOLD_RUN: &str = "UPDATE runs SET kind = kind WHERE name = $1 \
                                AND EXISTS (SELECT 1 FROM queue WHERE queue.run = runs.name)";
        let place = place.map_or(WHOLE_JOB, |place| i64::try_from(place).unwrap_or(i64::MAX));
        let cause: String = cause.chars().take(LONGEST_CAUSE).collect();
        let select = format!("SELECT {SEALED_COLUMNS}, checksum FROM failures WHERE run = $1 AND place = $2");
        let insert = format!(
            "INSERT INTO failures ({SEALED_COLUMNS}, noticed, checksum) VALUES ($1, $2, $3, $4, $5, {NOW}, $6) \
             ON CONFLICT (run, place) DO UPDATE SET tries = excluded.tries, cause = excluded.cause, \
             worker = excluded.worker, noticed = excluded.noticed, checksum = excluded.checksum"
        );
        self.write_transaction(|database| {
            if database.execute(HOLD_RUN, sql_values![run])? == 0 {
                return Ok(0);
            }
            let before = read_failures(database, &select, sql_values![run, place])?;
            let tries = before.first().map_or(0, |failure| failure.tries) + 1;
            let values = sql_values![run, place, tries, &cause, worker];
            let sum = seal::checksum_of_values(values);
            database.execute(&insert, &[&values[..], sql_values![&sum]].concat())?;
            Ok(tries)
        })
    }

    /// The failure of a whole job: workers have left it since it was opened, or since its failures were forgotten.
    ///
    /// # Errors
    /// If the database cannot be read, or the failure is damaged.
    pub fn find_job_failure(&self, run: &str) -> Result<Option<TaskFailure>, StoreError> {
        let sql = format!("SELECT {SEALED_COLUMNS}, checksum FROM failures WHERE run = $1 AND place = $2");
        let asked = sql_values![run, WHOLE_JOB];
        self.query_row(&sql, asked, |row| read_failure_asked(row, asked))
    }

    /// Forgets the failures of a campaign, so that what was given up is tried anew. Says how many these were.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn forget_failures(&mut self, campaign: &str) -> Result<u64, StoreError> {
        const SQL: &str = "DELETE FROM failures WHERE run IN (SELECT run FROM jobs WHERE campaign = $1)";
        self.write_transaction(|database| database.execute(SQL, sql_values![campaign]))
    }

    /// The failures of a campaign's jobs, by run and place, jobs before their tasks. What was finished later is none.
    ///
    /// # Errors
    /// If the database cannot be read, or one of them is damaged.
    pub fn list_failures(&self, campaign: &str) -> Result<Vec<TaskFailure>, StoreError> {
        let sql = format!(
            "SELECT {SEALED_COLUMNS}, checksum FROM failures WHERE EXISTS (SELECT 1 FROM {WANTED_RUNS} \
             WHERE wanted_run = failures.run AND campaign = $1 AND {IS_WANTED}) AND {IS_NOT_DONE} ORDER BY run, place"
        );
        self.query_rows(&sql, sql_values![campaign], read_failure)
    }

    /// As [`Store::list_failures`], of all campaigns, each with the name of its own, and again for each campaign that wants the run. Apart from them
    /// all that are damaged, finished tasks among them: nobody claims a task of a run with one.
    pub(super) fn split_failures(&self) -> Result<(Vec<CampaignFailure>, Vec<CampaignDamage>), StoreError> {
        let sql = format!(
            "SELECT {SEALED_COLUMNS}, checksum, campaign, CASE WHEN {IS_WANTED} AND {IS_NOT_DONE} THEN 1 ELSE 0 END \
             FROM failures LEFT JOIN {WANTED_RUNS} ON wanted_run = run ORDER BY 7, run, place"
        );
        let rows = self.query_rows(&sql, &[], |row| {
            let (campaign, is_open) = (row.shown_text(6), row.get::<i64>(7)? == 1);
            Ok(match read_failure(row) {
                Ok(failure) => is_open.then_some(Ok(CampaignFailure { campaign, failure })),
                Err(error) => Some(Err(CampaignDamage::removable(campaign, row.shown_text(0), error))),
            })
        })?;
        Ok(split_damaged(rows.into_iter().flatten().collect()))
    }
}

/// The failures of a run, finished tasks among them.
pub(super) fn read_failures_of_run(
    database: &mut dyn Database,
    run: &str,
) -> Result<Vec<TaskFailure>, StoreError> {
    let sql = format!("SELECT {SEALED_COLUMNS}, checksum FROM failures WHERE run = $1");
    read_failures(database, &sql, sql_values![run])
}

/// Failures that were asked for by a run, and by a place of it where there is one.
fn read_failures(
    database: &mut dyn Database,
    sql: &str,
    asked: &[SqlValue<'_>],
) -> Result<Vec<TaskFailure>, StoreError> {
    let rows = database.query(sql, asked)?;
    let failures: Result<Vec<TaskFailure>, SqlFieldError> =
        rows.iter().map(|row| read_failure_asked(row, asked)).collect();
    failures.map_err(|error| seal::damaged_row(database, error))
}

/// A row of [`SEALED_COLUMNS`] and its checksum.
fn read_failure(row: &SqlRow) -> Result<TaskFailure, SqlFieldError> {
    seal::check_row_of(row, 5, || {
        format!("failure of task {} of run {}", row.shown_text(1), row.shown_text(0))
    })?;
    let place: i64 = row.get(1)?;
    Ok(TaskFailure {
        run: row.get(0)?,
        place: u64::try_from(place).ok(),
        tries: row.get(2)?,
        cause: row.get(3)?,
        worker: row.get(4)?,
    })
}

/// The same for a row that was asked for by its first columns.
fn read_failure_asked(row: &SqlRow, asked: &[SqlValue<'_>]) -> Result<TaskFailure, SqlFieldError> {
    let failure = read_failure(row)?;
    seal::check_asked(row, 0, asked, || "failure".to_string()).map(|()| failure)
}
