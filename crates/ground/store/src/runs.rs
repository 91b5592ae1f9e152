//! Runs: named groups of tasks. Matches and experiments are runs; a task may belong to several.

use std::collections::BTreeSet;

use serde_json::Value;

use super::database::{Database, NOW, SqlFieldError, SqlRow, sql_values};
use super::task::canonical_json;
use super::{
    FinishedTask, SEALED_TASK_COLUMNS, Store, StoreError, TaskId, check_task_asked, documents,
    read_finished_task, read_json_column, seal, split_damaged,
};

/// All columns that the checksum of a run is of, in the order in which they are read.
pub(super) const SEALED_COLUMNS: &str = "name, kind, spec";

/// The same of a task of a run.
pub(super) const SEALED_TASK_PLACE: &str = "run, place, task";

/// In the order of times: in it names are read from the table, and not from an index, which may have other ones once a bit has changed.
const BY_START: &str = "ORDER BY started, name";

/// The kind of runs of experiments.
const EXPERIMENT_KIND: &str = "experiment";

/// What a run of the latest is whose row is damaged.
const DAMAGED_KIND: &str = "damaged";

/// How a run is read ([`read_run`]). Conditions may follow.
const SELECT_RUNS: &str = "SELECT name, kind, spec, checksum, started, \
    (SELECT COUNT(*) FROM run_tasks JOIN tasks ON tasks.id = run_tasks.task WHERE run_tasks.run = runs.name) \
    FROM runs";

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

/// A run whose row is damaged. What is told of it may be damaged, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedRun {
    /// Its name.
    pub name: String,
    /// Which it is, and what is wrong with it, in a few words.
    pub cause: String,
}

/// Runs: those that are whole, and those that cannot be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunList {
    /// Those that are whole, by name.
    pub runs: Vec<StoredRun>,
    /// The others, in the same order.
    pub damaged: Vec<DamagedRun>,
}

impl Store {
    /// Makes the run, or finds it again.
    ///
    /// # Errors
    /// If a run of this name has other settings, or if the database cannot be written.
    pub fn start_run(&mut self, name: &str, kind: &str, spec: &Value) -> Result<(), StoreError> {
        let select = format!("SELECT {SEALED_COLUMNS}, checksum FROM runs WHERE name = $1");
        let insert = format!(
            "INSERT INTO runs ({SEALED_COLUMNS}, started, checksum) VALUES ($1, $2, $3, {NOW}, $4) \
             ON CONFLICT DO NOTHING"
        );
        let asked = canonical_json(spec);
        let sum = seal::checksum_of_values(sql_values![name, kind, &asked]);
        self.write_transaction(|database| {
            database.execute(&insert, sql_values![name, kind, &asked, &sum]).map(drop)
        })?;
        let read = |row: &SqlRow| {
            check_run(row)?;
            check_run_asked(row, name)?;
            row.get::<String>(2)
        };
        let kept = self.query_row(&select, sql_values![name], read)?.unwrap_or_default();
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

    /// Names and kinds of the runs that were started last, the latest first. One that is damaged hides no other: its kind is `damaged`.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn latest_runs(&self, most: usize) -> Result<Vec<(String, String)>, StoreError> {
        let sql = format!("SELECT {SEALED_COLUMNS}, checksum FROM runs ORDER BY started DESC, name LIMIT $1");
        self.query_rows(&sql, sql_values![most], |row| {
            let kind = if check_run(row).is_ok() { row.get(1)? } else { DAMAGED_KIND.to_string() };
            Ok((row.shown_text(0), kind))
        })
    }

    /// The settings of all runs of experiments. `None` stands for a run that is damaged, which may be one of them.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn experiment_specs(&self) -> Result<Vec<Option<Value>>, StoreError> {
        // Its kind may be what is damaged.
        let sql = format!("SELECT {SEALED_COLUMNS}, checksum FROM runs");
        let specs = self.query_rows(&sql, &[], |row| {
            if check_run(row).is_err() {
                return Ok(Some(None));
            }
            let is_experiment = row.get::<String>(1)? == EXPERIMENT_KIND;
            Ok(is_experiment.then(|| read_json_column(row, 2).ok()))
        })?;
        Ok(specs.into_iter().flatten().collect())
    }

    /// All runs. One that is damaged hides no other.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn list_runs(&self) -> Result<RunList, StoreError> {
        let sql = format!("{SELECT_RUNS} ORDER BY name");
        let rows = self.query_rows(&sql, &[], |row| Ok(read_run_or_damage(row)))?;
        let (runs, damaged) = split_damaged(rows);
        Ok(RunList { runs, damaged })
    }

    /// Forgets a run that is damaged, with its job, its queue and the places of its tasks. Results stay, so that whoever starts the run again has
    /// them at once. The name is that which is shown: it may be damaged itself. Says whether there was one.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn forget_damaged_run(&mut self, name: &str) -> Result<bool, StoreError> {
        self.write_transaction(|database| {
            if find_damaged_run(database, name)?.is_none() {
                return Ok(false);
            }
            // If it was an index that was damaged, the run is whole now.
            database.hold_table("runs")?;
            let Some(number) = find_damaged_run(database, name)? else { return Ok(false) };
            // What names a row of another table goes before that row.
            for table in ["joins", "failures", "queue", "jobs", "run_tasks", "runs"] {
                let column = if table == "runs" { "name" } else { "run" };
                let delete = format!(
                    "DELETE FROM {table} WHERE {column} IN (SELECT name FROM runs {BY_START} LIMIT 1 OFFSET $1)"
                );
                database.execute(&delete, sql_values![number])?;
            }
            Ok(true)
        })
    }

    /// The run of this name.
    ///
    /// # Errors
    /// If the database cannot be read, or the run is damaged.
    pub fn find_run(&self, name: &str) -> Result<Option<StoredRun>, StoreError> {
        self.query_row(&format!("{SELECT_RUNS} WHERE name = $1"), sql_values![name], |row| {
            let found = read_run(row)?;
            check_run_asked(row, name).map(|()| found)
        })
    }

    /// How many tasks of a run are finished, also of one that is damaged.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn count_finished_of_run(&self, run: &str) -> Result<u64, StoreError> {
        const SQL: &str =
            "SELECT COUNT(*) FROM run_tasks JOIN tasks ON tasks.id = run_tasks.task WHERE run_tasks.run = $1";
        Ok(self.query_row(SQL, sql_values![run], |row| row.get(0))?.unwrap_or(0))
    }

    /// The same of its tasks before this place: a campaign may want fewer of them than another one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn count_finished_before(&self, run: &str, end_place: u64) -> Result<u64, StoreError> {
        const SQL: &str = "SELECT COUNT(*) FROM run_tasks JOIN tasks ON tasks.id = run_tasks.task \
             WHERE run_tasks.run = $1 AND run_tasks.place < $2";
        Ok(self.query_row(SQL, sql_values![run, end_place], |row| row.get(0))?.unwrap_or(0))
    }

    /// The finished tasks of a run with their places, in order.
    ///
    /// # Errors
    /// If the database cannot be read, or one of them is damaged.
    pub fn results_of_run(&self, run: &str) -> Result<Vec<(u64, FinishedTask)>, StoreError> {
        self.tasks_of_run(run)?;
        let sql = format!(
            "SELECT {SEALED_TASK_COLUMNS}, tasks.checksum, finished, place, run_tasks.task, run FROM run_tasks \
             JOIN tasks ON tasks.id = run_tasks.task WHERE run = $1 ORDER BY place"
        );
        self.query_rows(&sql, sql_values![run], |row| {
            let (place, found) = (row.get::<u64>(10)?, read_finished_task(row)?);
            check_task_asked(row, &TaskId::from_database(row.get(11)?))?;
            seal::check_asked(row, 12, sql_values![run], || format!("task {place} of run {run}"))?;
            Ok((place, found))
        })
    }

    /// The task at a place of a run, finished or not; `None` if the place is still empty.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn task_at_place(&self, run: &str, place: u64) -> Result<Option<TaskId>, StoreError> {
        let sql =
            format!("SELECT {SEALED_TASK_PLACE}, checksum FROM run_tasks WHERE run = $1 AND place = $2");
        self.query_row(&sql, sql_values![run, place], |row| {
            check_task_of_run(row)?;
            seal::check_asked(row, 0, sql_values![run, place], || format!("task {place} of run {run}"))?;
            row.get(2).map(TaskId::from_database)
        })
    }

    /// The tasks that the rows of a run name.
    ///
    /// # Errors
    /// If the database cannot be read, or one of the rows is damaged: a task whose name is damaged would only be missing from whatever is asked
    /// about the run.
    pub(super) fn tasks_of_run(&self, run: &str) -> Result<BTreeSet<TaskId>, StoreError> {
        let RunTasks { tasks, damaged } = self.list_tasks_of_run(run)?;
        match damaged.into_iter().next() {
            None => Ok(tasks),
            Some(cause) => Err(StoreError::DamagedRow { path: self.path.clone(), cause }),
        }
    }

    /// The same, to be looked at: a row that is damaged hides no other.
    pub(super) fn list_tasks_of_run(&self, run: &str) -> Result<RunTasks, StoreError> {
        let sql = format!("SELECT {SEALED_TASK_PLACE}, checksum FROM run_tasks WHERE run = $1");
        let mut found = RunTasks::default();
        self.query_rows(&sql, sql_values![run], |row| {
            found.add_row(row, run);
            Ok(())
        })?;
        Ok(found)
    }
}

/// The tasks of a run, and what is wrong with the rows that name them.
#[derive(Default)]
pub(super) struct RunTasks {
    /// Those of damaged rows, too, but not of rows of other runs.
    pub(super) tasks: BTreeSet<TaskId>,
    /// Which rows are damaged, and what is wrong with each, in a few words.
    pub(super) damaged: Vec<String>,
}

impl RunTasks {
    /// A row that was found under the name of this run.
    fn add_row(&mut self, row: &SqlRow, run: &str) {
        let asked = seal::check_asked(row, 0, sql_values![run], || {
            format!("task {} of run {run}", row.shown_text(1))
        });
        if asked.is_ok() {
            self.tasks.insert(TaskId::from_database(row.shown_text(2)));
        }
        if let Err(SqlFieldError(cause)) = check_task_of_run(row).and(asked) {
            self.damaged.push(cause);
        }
    }
}

pub(super) fn check_run(row: &SqlRow) -> Result<(), SqlFieldError> {
    seal::check_row_of(row, 3, || format!("run {}", row.shown_text(0)))
}

/// A row that begins with the name of a run must be that of the run that was asked for.
fn check_run_asked(row: &SqlRow, name: &str) -> Result<(), SqlFieldError> {
    seal::check_asked(row, 0, sql_values![name], || format!("run {name}"))
}

fn check_task_of_run(row: &SqlRow) -> Result<(), SqlFieldError> {
    seal::check_row_of(row, 3, || format!("task {} of run {}", row.shown_text(1), row.shown_text(0)))
}

/// A row of [`SELECT_RUNS`].
fn read_run(row: &SqlRow) -> Result<StoredRun, SqlFieldError> {
    check_run(row)?;
    Ok(StoredRun {
        name: row.get(0)?,
        kind: row.get(1)?,
        spec: read_json_column(row, 2)?,
        started: row.get(4)?,
        finished: row.get(5)?,
    })
}

/// The run of a row, or what can be told of it if it is damaged.
fn read_run_or_damage(row: &SqlRow) -> Result<StoredRun, DamagedRun> {
    read_run(row).map_err(|SqlFieldError(cause)| DamagedRun { name: row.shown_text(0), cause })
}

/// The number, in the order of times, of a damaged run that is shown under this name. All are looked at, as nothing is found by a name that is
/// damaged.
fn find_damaged_run(database: &mut dyn Database, name: &str) -> Result<Option<usize>, StoreError> {
    let rows = database.query(&format!("{SELECT_RUNS} {BY_START}"), &[])?;
    let is_meant = |row: &SqlRow| documents::is_shown_as(&row.shown_text(0), name) && read_run(row).is_err();
    Ok(rows.iter().position(is_meant))
}

pub(super) fn insert_run_task(
    database: &mut dyn Database,
    run: &str,
    place: u64,
    task: &TaskId,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO run_tasks ({SEALED_TASK_PLACE}, checksum) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING"
    );
    let sum = seal::checksum_of_values(sql_values![run, place, task.as_str()]);
    database.execute(&sql, sql_values![run, place, task.as_str(), &sum]).map(drop)
}
