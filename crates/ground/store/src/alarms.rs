//! Results that came twice and were not the same: an alarm, because a result follows from its task alone.

use super::database::{Database, NOW, SqlField, sql_values};
use super::{NewResult, Store, StoreError, TaskId, check_task_asked, seal, task};

/// All columns that the checksum of an alarm is of, in the order in which they are read.
pub(super) const SEALED_COLUMNS: &str = "task, came, kept, worker, version";

/// What became of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptAs {
    /// It was the first, and is kept.
    First,
    /// There was one already, and it is the same.
    Same,
    /// There was another one, which stays. An alarm is kept.
    Different,
}

/// Two results of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// The task.
    pub task: TaskId,
    /// The result that stands, as JSON, and the moves of its games.
    pub kept: String,
    /// The result that came later.
    pub came: String,
    /// Who brought it.
    pub worker: String,
    /// That worker's version of ishi.
    pub version: String,
    /// When, in seconds since 1970 (UTC), by the clock of the database.
    pub noticed: i64,
}

impl Store {
    /// All alarms, the oldest first.
    ///
    /// # Errors
    /// If the database cannot be read, or an alarm is damaged.
    pub fn list_alarms(&self) -> Result<Vec<Alarm>, StoreError> {
        let sql =
            format!("SELECT {SEALED_COLUMNS}, checksum, noticed FROM alarms ORDER BY noticed, task, worker");
        self.query_rows(&sql, &[], |row| {
            seal::check_row_of(row, 5, || format!("alarm of task {}", row.shown_text(0)))?;
            Ok(Alarm {
                task: TaskId::from_database(row.get(0)?),
                came: row.get(1)?,
                kept: row.get(2)?,
                worker: row.get(3)?,
                version: row.get(4)?,
                noticed: row.get(6)?,
            })
        })
    }

    /// How many alarms tasks of this run have.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn count_alarms_of_run(&self, run: &str) -> Result<u64, StoreError> {
        const SQL: &str =
            "SELECT COUNT(*) FROM alarms WHERE task IN (SELECT task FROM run_tasks WHERE run = $1)";
        Ok(self.query_row(SQL, sql_values![run], |row| row.get(0))?.unwrap_or(0))
    }

    /// How many alarms the run's tasks before this place have: a campaign may want fewer of them than another one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn count_alarms_before(&self, run: &str, end_place: u64) -> Result<u64, StoreError> {
        const SQL: &str = "SELECT COUNT(*) FROM alarms \
             WHERE task IN (SELECT task FROM run_tasks WHERE run = $1 AND place < $2)";
        Ok(self.query_row(SQL, sql_values![run, end_place], |row| row.get(0))?.unwrap_or(0))
    }
}

/// Holds a second result against the one that stands.
pub(super) fn compare_with_kept(
    database: &mut dyn Database,
    id: &TaskId,
    new: &NewResult,
    worker: &str,
) -> Result<KeptAs, StoreError> {
    let kept = read_kept_text(database, id)?;
    let came =
        result_text(&task::canonical_json(&new.result), new.games.iter().map(|game| game.moves.as_str()));
    if came == kept {
        return Ok(KeptAs::Same);
    }
    let insert = format!(
        "INSERT INTO alarms ({SEALED_COLUMNS}, noticed, checksum) VALUES ($1, $2, $3, $4, $5, {NOW}, $6) \
         ON CONFLICT DO NOTHING"
    );
    let values = sql_values![id.as_str(), &came, &kept, worker, env!("CARGO_PKG_VERSION")];
    let sum = seal::checksum_of_values(values);
    database.execute(&insert, &[&values[..], sql_values![&sum]].concat())?;
    Ok(KeptAs::Different)
}

fn read_kept_text(database: &mut dyn Database, id: &TaskId) -> Result<String, StoreError> {
    let text = |field: Option<&SqlField>| match field {
        Some(SqlField::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let results = database.query("SELECT id, result FROM tasks WHERE id = $1", sql_values![id.as_str()])?;
    let games = database
        .query("SELECT task, moves FROM games WHERE task = $1 ORDER BY number", sql_values![id.as_str()])?;
    for row in results.iter().chain(&games) {
        check_task_asked(row, id).map_err(|error| seal::damaged_row(database, error))?;
    }
    let moves: Vec<String> = games.iter().map(|row| text(row.0.get(1))).collect();
    let result = text(results.first().and_then(|row| row.0.get(1)));
    Ok(result_text(&result, moves.iter().map(String::as_str)))
}

/// What must be the same: the result, and the moves of all games. Times are left out.
fn result_text<'a>(result: &str, moves: impl Iterator<Item = &'a str>) -> String {
    let moves = moves.map(|moves| format!("\n{moves}"));
    format!("{result}{}", moves.collect::<String>())
}
