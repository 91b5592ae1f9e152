//! Runs: named groups of tasks. Matches and experiments are runs; a task may belong to several.

use serde_json::Value;

use super::database::{Database, NOW, sql_values};
use super::task::canonical_json;
use super::{
    FinishedTask, SEALED_TASK_COLUMNS, Store, StoreError, TaskId, read_finished_task, read_json_column,
};

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// Its name.
    pub name: String,
    /// What it is, such as `match`.
    pub kind: String,
    /// Its settings.
    pub spec: Value,
    /// When it was first started, in seconds since 1970 (UTC).
    pub started: i64,
    /// Tasks that belong to it and are finished.
    pub finished: u64,
}

impl Store {
    /// Makes the run, or finds it again.
    ///
    /// # Errors
    /// If a run of this name has other settings, or if the database cannot be written.
    pub fn start_run(&mut self, name: &str, kind: &str, spec: &Value) -> Result<(), StoreError> {
        const SELECT: &str = "SELECT spec FROM runs WHERE name = $1";
        let insert = format!(
            "INSERT INTO runs (name, kind, spec, started) VALUES ($1, $2, $3, {NOW}) ON CONFLICT DO NOTHING"
        );
        let asked = canonical_json(spec);
        self.write_transaction(|database| {
            database.execute(&insert, sql_values![name, kind, &asked]).map(drop)
        })?;
        let kept: String = self.query_row(SELECT, sql_values![name], |row| row.get(0))?.unwrap_or_default();
        if kept == asked {
            return Ok(());
        }
        Err(StoreError::OtherRun { path: self.path.clone(), name: name.to_string(), kept, asked })
    }

    /// Says that the task is the run's number `place`, counted from 0. Saying it again changes nothing.
    ///
    /// # Errors
    /// If there is no such run, or if the database cannot be written.
    pub fn add_to_run(&mut self, run: &str, place: u64, task: &TaskId) -> Result<(), StoreError> {
        self.insist(|database| insert_run_task(database, run, place, task))
    }

    /// Names and kinds of the runs that were started last, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn latest_runs(&self, most: usize) -> Result<Vec<(String, String)>, StoreError> {
        const SQL: &str = "SELECT name, kind FROM runs ORDER BY started DESC, name LIMIT $1";
        self.query_rows(SQL, sql_values![most], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The settings of all runs of experiments.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn experiment_specs(&self) -> Result<Vec<Value>, StoreError> {
        self.query_rows("SELECT spec FROM runs WHERE kind = 'experiment'", &[], |row| {
            read_json_column(row, 0)
        })
    }

    /// All runs, by name.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn list_runs(&self) -> Result<Vec<StoredRun>, StoreError> {
        const SQL: &str = "SELECT name, kind, spec, started, \
            (SELECT COUNT(*) FROM run_tasks JOIN tasks ON tasks.id = run_tasks.task WHERE run_tasks.run = runs.name) \
            FROM runs ORDER BY name";
        self.query_rows(SQL, &[], |row| {
            Ok(StoredRun {
                name: row.get(0)?,
                kind: row.get(1)?,
                spec: read_json_column(row, 2)?,
                started: row.get(3)?,
                finished: row.get(4)?,
            })
        })
    }

    /// The run of this name.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_run(&self, name: &str) -> Result<Option<StoredRun>, StoreError> {
        Ok(self.list_runs()?.into_iter().find(|run| run.name == name))
    }

    /// The finished tasks of a run with their places, in order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn results_of_run(&self, run: &str) -> Result<Vec<(u64, FinishedTask)>, StoreError> {
        let sql = format!(
            "SELECT {SEALED_TASK_COLUMNS}, checksum, finished, place FROM run_tasks JOIN tasks ON tasks.id = run_tasks.task WHERE run = $1 ORDER BY place"
        );
        self.query_rows(&sql, sql_values![run], |row| Ok((row.get(10)?, read_finished_task(row)?)))
    }

    /// The task at a place of a run, finished or not; `None` if the place is still empty.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn task_at_place(&self, run: &str, place: u64) -> Result<Option<TaskId>, StoreError> {
        const SQL: &str = "SELECT task FROM run_tasks WHERE run = $1 AND place = $2";
        self.query_row(SQL, sql_values![run, place], |row| row.get(0).map(TaskId::from_database))
    }
}

pub(super) fn insert_run_task(
    database: &mut dyn Database,
    run: &str,
    place: u64,
    task: &TaskId,
) -> Result<(), StoreError> {
    const SQL: &str = "INSERT INTO run_tasks (run, place, task) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    database.execute(SQL, sql_values![run, place, task.as_str()]).map(drop)
}
