//! The database of results: tasks, runs and games in one SQLite file.
//!
//! A [`StoreTask`] is work whose result follows from its description: its id is a hash of that description, so that the
//! same work is never done twice, whoever asks for it, and a program that was killed goes on where it stood. A result
//! is written in one transaction; a second writer of the same task changes nothing. Several processes may write to
//! one file at once.
//!
//! The SQL keeps to what PostgreSQL understands too (TEXT, BIGINT, DOUBLE PRECISION, `$1`, `ON CONFLICT DO NOTHING`,
//! no rowids, no AUTOINCREMENT): a server can take the file's place when many machines share the work. What is
//! SQLite's alone stands in `connection.rs` and in the look for tables in `schema.rs`. docs/match.md describes the tables.

mod connection;
mod documents;
mod error;
mod games;
mod journal;
mod runs;
mod schema;
mod task;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

pub use documents::StoredDocument;
pub use error::StoreError;
pub use games::{GameFilter, GameRow, KeptGame};
pub use journal::{
    GameConditions, KeptMatches, PAIR_KIND, StoreJournal, describe_match_run, find_kept_pairs, pair_result,
    pair_task, start_match,
};
pub use runs::StoredRun;
pub use schema::SCHEMA_VERSION;
pub use task::{RESULTS_VERSION, StoreTask, TaskId};

/// What a task cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TaskCost {
    /// Processor time in seconds, of ishi's own threads as far as it is known; otherwise as `wall`.
    pub cpu_seconds: f64,
    /// Elapsed time in seconds.
    pub wall_seconds: f64,
}

/// A result to be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct NewResult {
    /// What came out. It must follow from the task alone: times belong into `cost` and `games`.
    pub result: Value,
    /// The seed of the whole run, as text; empty if there was none.
    pub seed: String,
    /// What it cost.
    pub cost: TaskCost,
    /// The games that were played for it.
    pub games: Vec<GameRow>,
}

/// A kept result.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedTask {
    /// The task.
    pub id: TaskId,
    /// Its kind, such as `match-pair`.
    pub kind: String,
    /// Its description.
    pub spec: Value,
    /// What came out.
    pub result: Value,
    /// The seed of the run that did it.
    pub seed: String,
    /// What it cost.
    pub cost: TaskCost,
    /// The version of ishi that did it.
    pub version: String,
    /// When it was done, in seconds since 1970 (UTC).
    pub finished: i64,
}

/// An open database.
///
/// ```
/// use ishi_lab::store::{TaskCost, NewResult, Store, StoreTask};
/// use serde_json::json;
/// let mut store = Store::in_memory().unwrap();
/// let task = StoreTask::new("square", json!({ "number": 7 }));
/// assert!(store.find_result(&task.id()).unwrap().is_none());
/// let first = NewResult { result: json!(49), seed: "1".into(), cost: TaskCost::default(), games: vec![] };
/// assert!(store.keep_result(&task, &first).unwrap(), "it was the first to finish");
/// let second = NewResult { result: json!(50), ..first };
/// assert!(!store.keep_result(&task, &second).unwrap(), "the second changes nothing");
/// assert_eq!(store.find_result(&task.id()).unwrap().unwrap().result, json!(49));
/// ```
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Opens the file for reading and writing; makes it, and brings an older schema up to date, if needed.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to, if the file is no database of ishi or of a newer ishi,
    /// if the disk is full, or if another process keeps the file locked for half a minute.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let mut connection = connection::open_for_writing(path)?;
        schema::refuse_foreign(&connection, path)?;
        connection::use_write_ahead_log(&connection, path)?;
        schema::migrate_schema(&mut connection, path)?;
        Ok(Store { connection, path: path.to_path_buf() })
    }

    /// Opens an existing file for reading only; it may lie in a folder that cannot be written to.
    ///
    /// # Errors
    /// If there is no such file, or it is no database of this version of ishi.
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        let connection = connection::open_read_only(path)?;
        schema::check_version(&connection, path)?;
        Ok(Store { connection, path: path.to_path_buf() })
    }

    /// A database that lives as long as this value, for trials that leave nothing behind.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn in_memory() -> Result<Store, StoreError> {
        let path = Path::new(":memory:");
        let mut connection = Connection::open_in_memory().map_err(|e| StoreError::from_sqlite(path, e))?;
        schema::migrate_schema(&mut connection, path)?;
        Ok(Store { connection, path: path.to_path_buf() })
    }

    /// The file, or `:memory:`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bounds the size of the file in pages of 4 KiB, as a full disk would: for tests.
    ///
    /// # Errors
    /// If the database does not answer.
    pub fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        let limit = self.connection.pragma_update(None, "max_page_count", pages);
        limit.map_err(|error| self.wrap_error(error))
    }

    /// The result of a task, if it is finished.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_result(&self, id: &TaskId) -> Result<Option<FinishedTask>, StoreError> {
        const SQL: &str = "SELECT id, kind, spec, result, seed, cpu_seconds, wall_seconds, version, finished \
                           FROM tasks WHERE id = $1";
        let mut statement = self.connection.prepare_cached(SQL).map_err(|e| self.wrap_error(e))?;
        let row = statement.query_row(params![id.as_str()], read_finished_task).optional();
        row.map_err(|e| self.wrap_error(e))
    }

    /// Is the task finished?
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn is_finished(&self, id: &TaskId) -> Result<bool, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT 1 FROM tasks WHERE id = $1")
            .map_err(|e| self.wrap_error(e))?;
        statement.exists(params![id.as_str()]).map_err(|e| self.wrap_error(e))
    }

    /// Keeps the result of a task and its games, all or nothing. Says whether this was the first result of the task;
    /// if it was not, nothing is changed.
    ///
    /// # Errors
    /// If the database cannot be written: nothing is changed then, and what was kept before stays.
    pub fn keep_result(&mut self, task: &StoreTask, new: &NewResult) -> Result<bool, StoreError> {
        self.keep_result_in_run(task, new, None)
    }

    /// As [`Store::keep_result`]; in the same transaction the task becomes number `.1` of run `.0`, which exists.
    ///
    /// # Errors
    /// As [`Store::keep_result`].
    pub fn keep_result_in_run(
        &mut self,
        task: &StoreTask,
        new: &NewResult,
        run: Option<(&str, u64)>,
    ) -> Result<bool, StoreError> {
        let written = self.write_transaction(|connection| {
            let first = insert_result(connection, task, new)?;
            if let Some((run, place)) = run {
                runs::insert_run_task(connection, run, place, &task.id())?;
            }
            Ok(first)
        });
        written.map_err(|error| self.wrap_error(error))
    }

    /// Does something in one transaction that takes the right to write at its start, so that it is never turned
    /// down in its middle.
    fn write_transaction<T>(
        &mut self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let behaviour = rusqlite::TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behaviour)?;
        let value = work(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }

    /// All rows of a query.
    fn query_rows<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(|e| self.wrap_error(e))?;
        let rows = statement.query_map(params, read).map_err(|e| self.wrap_error(e))?;
        rows.collect::<rusqlite::Result<_>>().map_err(|e| self.wrap_error(e))
    }

    fn wrap_error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(&self.path, error)
    }
}

fn insert_result(connection: &Connection, task: &StoreTask, new: &NewResult) -> rusqlite::Result<bool> {
    const SQL: &str = "INSERT INTO tasks \
        (id, kind, spec, result, seed, cpu_seconds, wall_seconds, version, finished) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING";
    let id = task.id();
    let TaskCost { cpu_seconds, wall_seconds } = new.cost;
    let inserted = connection.prepare_cached(SQL)?.execute(params![
        id.as_str(),
        task.kind(),
        task.canonical_spec(),
        task::canonical_json(&new.result),
        new.seed,
        cpu_seconds,
        wall_seconds,
        env!("CARGO_PKG_VERSION"),
        unix_now(),
    ])?;
    if inserted == 1 {
        games::insert_games(connection, &id, &new.games)?;
    }
    Ok(inserted == 1)
}

fn read_finished_task(row: &rusqlite::Row<'_>) -> rusqlite::Result<FinishedTask> {
    Ok(FinishedTask {
        id: TaskId::from_database(row.get(0)?),
        kind: row.get(1)?,
        spec: read_json_column(row, 2)?,
        result: read_json_column(row, 3)?,
        seed: row.get(4)?,
        cost: TaskCost { cpu_seconds: row.get(5)?, wall_seconds: row.get(6)? },
        version: row.get(7)?,
        finished: row.get(8)?,
    })
}

/// A column that holds JSON.
fn read_json_column(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Value> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

/// Seconds since 1970.
// The time of finishing is kept beside results, never in them.
#[allow(clippy::disallowed_methods)]
fn unix_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
