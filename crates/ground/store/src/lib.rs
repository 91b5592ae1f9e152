//! The database of results: tasks, runs and games in one SQLite file, or on a PostgreSQL server.
//!
//! A [`StoreTask`] is work whose result follows from its description: its id is a hash of that description, so that the
//! same work is never done twice, whoever asks for it, and a program that was killed goes on where it stood. A result
//! is written in one transaction; a second writer of the same task changes nothing. Several processes may write to
//! one file at once, and many machines to one server.
//!
//! [`Database`] is what the store asks of either. All SQL is written once, in what both understand (TEXT, BIGINT,
//! DOUBLE PRECISION, `$1`, `ON CONFLICT DO NOTHING`, no rowids, no AUTOINCREMENT). What is SQLite's alone stands in
//! `sqlite.rs` and `connection.rs`, what is PostgreSQL's in `postgres.rs` and the modules below it. docs/match.md
//! describes the tables.

// A database is a file or a server.
#![allow(clippy::disallowed_methods)]

mod alarms;
mod campaign_damage;
mod campaigns;
mod connection;
mod curves;
mod database;
mod documents;
mod error;
mod failures;
mod games;
#[cfg(test)]
mod noted;
mod postgres;
mod queue;
mod runs;
mod schema;
mod seal;
mod sqlite;
mod task;

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use self::database::{NOW, sql_values};
use self::postgres::PostgresDatabase;
use self::sqlite::SqliteDatabase;

pub use self::postgres::{AddressSurroundings, SERVER_PATIENCE, describe_server};
pub use alarms::{Alarm, KeptAs};
pub use campaign_damage::{CampaignDamage, DamageCure};
pub use campaigns::{CampaignCourse, CampaignSurvey, CourseList, LATER_TASKS};
pub use curves::{CampaignMatch, TaskSpans, WorkerSpan};
pub use database::{Database, FromSqlField, RowVisitor, SqlField, SqlFieldError, SqlRow, SqlValue};
pub use documents::{DamagedDocument, DocumentList, StoredDocument};
pub use error::StoreError;
pub use failures::{CampaignFailure, MOST_TRIES, TaskFailure};
pub use games::{GameFilter, GameList, GameRow, KeptGame};
pub use queue::{
    ClaimedTask, JobList, Lease, OpenJob, QueueEntry, StoppedTasks, TaskJoin, WORKER_SILENCE, WorkerNote,
};
pub use runs::{DamagedRun, RunList, StoredRun};
pub use schema::SCHEMA_VERSION;
pub use task::{FIRST_RESULTS_VERSION, StoreTask, TaskId, TaskKind};

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
/// use ishi_store::{TaskCost, NewResult, Store, StoreTask, TaskKind};
/// use serde_json::json;
/// let mut store = Store::in_memory().unwrap();
/// let task = StoreTask::new(TaskKind::new("square"), json!({ "number": 7 }));
/// assert!(store.find_result(&task.id()).unwrap().is_none());
/// let first = NewResult { result: json!(49), seed: "1".into(), cost: TaskCost::default(), games: vec![] };
/// assert!(store.keep_result(&task, &first).unwrap(), "it was the first to finish");
/// let second = NewResult { result: json!(50), ..first };
/// assert!(!store.keep_result(&task, &second).unwrap(), "the second changes nothing");
/// assert_eq!(store.find_result(&task.id()).unwrap().unwrap().result, json!(49));
/// ```
#[derive(Debug)]
pub struct Store {
    /// Reading needs a connection that changes, too.
    database: RefCell<Box<dyn Database>>,
    path: PathBuf,
    watch: RefCell<ServerWatch>,
}

/// What becomes of a server that a store needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerNews<'a> {
    /// It is out of reach, and why. It is tried again and again, for [`SERVER_PATIENCE`] at most.
    Away(&'a str),
    /// It is there again, so long after it was found to be away.
    Back(Duration),
}

/// Who is told of the server.
type ServerListener = Box<dyn FnMut(ServerNews<'_>) + Send>;

/// Who hears of the server, if anybody does.
#[derive(Default)]
struct ServerWatch(Option<ServerListener>);

impl ServerWatch {
    fn tell(&mut self, news: ServerNews<'_>) {
        if let Some(listener) = &mut self.0 {
            listener(news);
        }
    }
}

impl fmt::Debug for ServerWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ServerWatch").field(&self.0.is_some()).finish()
    }
}

impl Store {
    /// Opens the file, or the database of a server (`postgres://...`), for reading and writing; makes the file, and brings
    /// an older schema up to date, if needed.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to, if it is no database of ishi or of a newer ishi,
    /// if the disk is full, if another process keeps the file locked for half a minute, or if the server does not answer
    /// or refuses.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        check_place(path)?;
        let database: Box<dyn Database> = match server_address(path) {
            Some(address) => {
                let mut database = PostgresDatabase::connect(address)?;
                schema::refuse_foreign(&mut database)?;
                Box::new(database)
            }
            None => {
                let mut database = SqliteDatabase::open(path)?;
                schema::refuse_foreign(&mut database)?;
                database.use_write_ahead_log()?;
                Box::new(database)
            }
        };
        Store::with_tables(database)
    }

    /// Opens an existing file or server for reading only; a file may lie in a folder that cannot be written to.
    ///
    /// # Errors
    /// If there is no such file or server, or it is no database of this version of ishi.
    pub fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        check_place(path)?;
        let mut database: Box<dyn Database> = match server_address(path) {
            Some(address) => Box::new(PostgresDatabase::connect_read_only(address)?),
            None => Box::new(SqliteDatabase::open_read_only(path)?),
        };
        schema::check_version(database.as_mut())?;
        Ok(Store::of_database(database))
    }

    /// A database that lives as long as this value, for trials that leave nothing behind.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn in_memory() -> Result<Store, StoreError> {
        Store::with_tables(Box::new(SqliteDatabase::in_memory()?))
    }

    /// Is there something to open for reading? A server is asked only when it is opened.
    pub fn is_there(path: &Path) -> bool {
        server_address(path).is_some() || path.exists()
    }

    fn with_tables(mut database: Box<dyn Database>) -> Result<Store, StoreError> {
        schema::migrate_schema(database.as_mut())?;
        Ok(Store::of_database(database))
    }

    fn of_database(database: Box<dyn Database>) -> Store {
        let path = database.place().to_path_buf();
        Store { database: RefCell::new(database), path, watch: RefCell::default() }
    }

    /// From now on `listener` hears when a server is away for longer than it takes to connect anew, and when it is back. A file never is.
    pub fn watch_server(&mut self, listener: impl FnMut(ServerNews<'_>) + Send + 'static) {
        self.watch.get_mut().0 = Some(Box::new(listener));
    }

    /// The file, `:memory:`, or the server's address without a password.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bounds the size of the file in pages of 4 KiB, as a full disk would: for tests.
    ///
    /// # Errors
    /// If the database does not answer, or is a server's.
    pub fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        self.database.borrow_mut().limit_pages(pages)
    }

    /// The result of a task, if it is finished.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_result(&self, id: &TaskId) -> Result<Option<FinishedTask>, StoreError> {
        let sql = format!("SELECT {SEALED_TASK_COLUMNS}, checksum, finished FROM tasks WHERE id = $1");
        self.query_row(&sql, sql_values![id.as_str()], |row| {
            let found = read_finished_task(row)?;
            check_task_asked(row, id).map(|()| found)
        })
    }

    /// The result of a task, if it is finished, as the JSON on one line that is kept: for whoever passes it on.
    ///
    /// # Errors
    /// If the database cannot be read, or the task is damaged.
    pub fn find_result_text(&self, id: &TaskId) -> Result<Option<String>, StoreError> {
        let sql = format!("SELECT {SEALED_TASK_COLUMNS}, checksum FROM tasks WHERE id = $1");
        self.query_row(&sql, sql_values![id.as_str()], |row| {
            seal::check_row_of(row, 8, || format!("task {}", row.shown_text(0)))?;
            check_task_asked(row, id)?;
            row.get(3)
        })
    }

    /// Is the task finished?
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn is_finished(&self, id: &TaskId) -> Result<bool, StoreError> {
        const SQL: &str = "SELECT id FROM tasks WHERE id = $1";
        let row = self.query_row(SQL, sql_values![id.as_str()], |row| check_task_asked(row, id))?;
        Ok(row.is_some())
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
        let id = task.id();
        self.write_transaction(|database| insert_result_in_run(database, task, &id, new, run))
    }

    /// As [`Store::keep_result_in_run`], for results that are the same whoever finds them. A second result is compared with the
    /// first: where they differ, an alarm is kept, and the first stays. `worker` says who found this one.
    ///
    /// # Errors
    /// As [`Store::keep_result`].
    pub fn keep_compared_result(
        &mut self,
        task: &StoreTask,
        new: &NewResult,
        run: Option<(&str, u64)>,
        worker: &str,
    ) -> Result<KeptAs, StoreError> {
        let id = task.id();
        self.write_transaction(|database| {
            if insert_result_in_run(database, task, &id, new, run)? {
                return Ok(KeptAs::First);
            }
            alarms::compare_with_kept(database, &id, new, worker)
        })
    }

    /// Does something in one transaction, all or nothing. Where a server goes away meanwhile it is done again once the
    /// server is back: the work must be right even if it was done before and only the answer was lost.
    fn write_transaction<T>(
        &mut self,
        work: impl Fn(&mut dyn Database) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.insist(|database| {
            database.begin()?;
            let done = work(database).and_then(|value| database.commit().map(|()| value));
            if done.is_err() {
                database.roll_back();
            }
            done
        })
    }

    /// Asks again as long as the server was away and has come back.
    fn insist<T>(&self, ask: impl Fn(&mut dyn Database) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut database = self.database.borrow_mut();
        for _ in 0..MOST_ATTEMPTS {
            match ask(database.as_mut()) {
                Err(error) if error.may_pass() && self.reach_again(database.as_mut()) => {}
                answer => return answer,
            }
        }
        ask(database.as_mut())
    }

    /// Waits for a server that was out of reach, and tells of it. Says whether it is there again.
    fn reach_again(&self, database: &mut dyn Database) -> bool {
        let (mut watch, mut since) = (self.watch.borrow_mut(), None);
        let is_back = database.reconnect(&mut |cause| {
            since = Some(Instant::now());
            watch.tell(ServerNews::Away(cause));
        });
        if let Some(since) = since.filter(|_| is_back) {
            watch.tell(ServerNews::Back(since.elapsed()));
        }
        is_back
    }

    /// All rows of a query.
    fn query_rows<T>(
        &self,
        sql: &str,
        values: &[SqlValue<'_>],
        read: impl FnMut(&SqlRow) -> Result<T, SqlFieldError>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.insist(|database| database.query(sql, values))?;
        let read: Result<Vec<T>, SqlFieldError> = rows.iter().map(read).collect();
        read.map_err(|SqlFieldError(cause)| StoreError::DamagedRow { path: self.path.clone(), cause })
    }

    /// The first row of a query, if there is one.
    fn query_row<T>(
        &self,
        sql: &str,
        values: &[SqlValue<'_>],
        read: impl FnMut(&SqlRow) -> Result<T, SqlFieldError>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.query_rows(sql, values, read)?.into_iter().next())
    }
}

/// A place of a database as it may be shown: without a password.
pub fn shown_place(path: &Path) -> String {
    server_address(path).map_or_else(|| path.display().to_string(), postgres::hide_password)
}

/// Refuses what would be taken for a file, and is meant otherwise: nothing at all, which SQLite takes for a database that is gone in the end, and
/// what looks like the address of a server.
///
/// ```
/// use ishi_store::check_place;
/// assert!(check_place("games.db".as_ref()).is_ok() && check_place("postgres://me@server/games".as_ref()).is_ok());
/// assert!(check_place("".as_ref()).is_err() && check_place("postgres:/me@server/games".as_ref()).is_err());
/// ```
///
/// # Errors
/// What is wrong with it.
pub fn check_place(path: &Path) -> Result<(), StoreError> {
    if is_server(path) {
        return Ok(());
    }
    let text = path.to_string_lossy();
    let refuse =
        |address: String, cause: &str| Err(StoreError::Address { address, cause: cause.to_string() });
    if text.is_empty() {
        return refuse(String::new(), "it must name a file or a server");
    }
    let scheme = text.split(':').next().unwrap_or_default();
    if text.contains("://") || ["postgres", "postgresql"].contains(&scheme) && scheme.len() < text.len() {
        // Behind it may stand a password.
        return refuse(format!("{scheme}:..."), "the address of a server must begin with postgres://");
    }
    Ok(())
}

/// Is it the address of a server, and no file?
pub fn is_server(path: &Path) -> bool {
    server_address(path).is_some()
}

/// So often a server may come back and be gone again before the answer.
const MOST_ATTEMPTS: u32 = 20;

/// The address of a server, if the path is one.
fn server_address(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.starts_with("postgres://") || text.starts_with("postgresql://"))
}

fn insert_result_in_run(
    database: &mut dyn Database,
    task: &StoreTask,
    id: &TaskId,
    new: &NewResult,
    run: Option<(&str, u64)>,
) -> Result<bool, StoreError> {
    let first = insert_result(database, task, id, new)?;
    if let Some((run, place)) = run {
        runs::insert_run_task(database, run, place, id)?;
    }
    queue::settle_task(database, id)?;
    Ok(first)
}

fn insert_result(
    database: &mut dyn Database,
    task: &StoreTask,
    id: &TaskId,
    new: &NewResult,
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO tasks ({SEALED_TASK_COLUMNS}, finished, checksum) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, {NOW}, $9) ON CONFLICT DO NOTHING"
    );
    let TaskCost { cpu_seconds, wall_seconds } = new.cost;
    let (spec, result) = (task.canonical_spec(), task::canonical_json(&new.result));
    let version = env!("CARGO_PKG_VERSION");
    let values = sql_values![
        id.as_str(),
        task.kind().name(),
        &spec,
        &result,
        &new.seed,
        cpu_seconds,
        wall_seconds,
        version
    ];
    let sum = seal::checksum_of_values(values);
    let inserted = database.execute(&sql, &[&values[..], sql_values![&sum]].concat())?;
    if inserted == 1 {
        games::insert_games(database, id, &new.games)?;
    }
    Ok(inserted == 1)
}

/// All columns that the checksum of a task is of, in the order in which they are read.
const SEALED_TASK_COLUMNS: &str = "id, kind, spec, result, seed, cpu_seconds, wall_seconds, version";

/// A row that begins with the id of a task must be that of the task that was asked for.
fn check_task_asked(row: &SqlRow, id: &TaskId) -> Result<(), SqlFieldError> {
    seal::check_asked(row, 0, sql_values![id.as_str()], || format!("task {id}"))
}

fn read_finished_task(row: &SqlRow) -> Result<FinishedTask, SqlFieldError> {
    let name = || format!("task {}", row.get::<String>(0).unwrap_or_default());
    seal::check_row(row, 8).map_err(|error| error.within(&name()))?;
    Ok(FinishedTask {
        id: TaskId::from_database(row.get(0)?),
        kind: row.get(1)?,
        spec: read_json_column(row, 2)?,
        result: read_json_column(row, 3)?,
        seed: row.get(4)?,
        cost: TaskCost { cpu_seconds: row.get(5)?, wall_seconds: row.get(6)? },
        version: row.get(7)?,
        finished: row.get(9)?,
    })
}

/// Rows that are whole, and those that are damaged, each in their order.
fn split_damaged<T, D>(rows: Vec<Result<T, D>>) -> (Vec<T>, Vec<D>) {
    let (mut whole, mut damaged) = (Vec::new(), Vec::new());
    for row in rows {
        match row {
            Ok(row) => whole.push(row),
            Err(row) => damaged.push(row),
        }
    }
    (whole, damaged)
}

/// A column that holds JSON.
fn read_json_column(row: &SqlRow, column: usize) -> Result<Value, SqlFieldError> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| SqlFieldError(format!("column {column} must be JSON, and is not: {error}")))
}
