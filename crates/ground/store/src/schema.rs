//! The tables, and how an older database gets them.

use super::database::{Database, NOW, sql_values};
use super::{StoreError, seal};

/// The schema of this version of ishi: the number of the last migration.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// Each brings the schema one number on. A migration that was released is never changed.
const MIGRATIONS: [(&str, &str); 8] = [
    ("tasks, runs and games", TASKS_RUNS_GAMES),
    ("documents", DOCUMENTS),
    ("jobs, their queue, workers and alarms", QUEUE),
    ("checksums of rows", CHECKSUMS),
    ("checksums of rows of runs, jobs, their queue, workers and alarms", MORE_CHECKSUMS),
    ("tasks that wait for many, and tasks that fail", JOINS_AND_FAILURES),
    ("times and outcomes without the rows that have them", TIMES_AND_OUTCOMES),
    ("jobs of several campaigns at one run", JOBS_BY_CAMPAIGN),
];

const TABLE_OF_MIGRATIONS: &str = "
CREATE TABLE IF NOT EXISTS schema_migrations (
    version BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    applied BIGINT NOT NULL
);";

const TASKS_RUNS_GAMES: &str = "
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    spec TEXT NOT NULL,
    result TEXT NOT NULL,
    seed TEXT NOT NULL,
    cpu_seconds DOUBLE PRECISION NOT NULL,
    wall_seconds DOUBLE PRECISION NOT NULL,
    version TEXT NOT NULL,
    finished BIGINT NOT NULL
);
CREATE INDEX tasks_by_kind ON tasks (kind);
CREATE TABLE runs (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    spec TEXT NOT NULL,
    started BIGINT NOT NULL
);
CREATE TABLE run_tasks (
    run TEXT NOT NULL REFERENCES runs (name),
    place BIGINT NOT NULL,
    task TEXT NOT NULL,
    PRIMARY KEY (run, place)
);
CREATE INDEX run_tasks_by_task ON run_tasks (task);
CREATE TABLE games (
    task TEXT NOT NULL REFERENCES tasks (id),
    number BIGINT NOT NULL,
    black TEXT NOT NULL,
    white TEXT NOT NULL,
    black_spec TEXT NOT NULL,
    white_spec TEXT NOT NULL,
    board TEXT NOT NULL,
    rules TEXT NOT NULL,
    komi DOUBLE PRECISION NOT NULL,
    handicap BIGINT NOT NULL,
    opening BIGINT NOT NULL,
    result TEXT NOT NULL,
    winner TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    moves TEXT NOT NULL,
    black_moves BIGINT NOT NULL,
    white_moves BIGINT NOT NULL,
    black_seconds DOUBLE PRECISION NOT NULL,
    white_seconds DOUBLE PRECISION NOT NULL,
    sgf TEXT NOT NULL,
    transcript TEXT NOT NULL,
    PRIMARY KEY (task, number)
);
CREATE INDEX games_by_players ON games (black, white);";

const DOCUMENTS: &str = "
CREATE TABLE documents (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    revision BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX documents_by_change ON documents (kind, changed);";

/// Leases and times of workers are milliseconds since 1970 by the clock of the database.
const QUEUE: &str = "
CREATE TABLE jobs (
    run TEXT PRIMARY KEY REFERENCES runs (name),
    campaign TEXT NOT NULL,
    job TEXT NOT NULL
);
CREATE TABLE queue (
    run TEXT NOT NULL REFERENCES jobs (run),
    place BIGINT NOT NULL,
    task TEXT NOT NULL,
    after_task TEXT NOT NULL,
    worker TEXT NOT NULL,
    lease BIGINT NOT NULL,
    PRIMARY KEY (run, place)
);
CREATE INDEX queue_by_task ON queue (task);
CREATE INDEX queue_by_worker ON queue (worker);
CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    threads BIGINT NOT NULL,
    started BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    done BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    state TEXT NOT NULL
);
CREATE TABLE alarms (
    task TEXT NOT NULL REFERENCES tasks (id),
    came TEXT NOT NULL,
    kept TEXT NOT NULL,
    worker TEXT NOT NULL,
    version TEXT NOT NULL,
    noticed BIGINT NOT NULL,
    PRIMARY KEY (task, worker)
);";

const CHECKSUMS: &str = "
ALTER TABLE tasks ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN checksum TEXT NOT NULL DEFAULT '';";

const MORE_CHECKSUMS: &str = "
ALTER TABLE runs ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE run_tasks ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE queue ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE workers ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE alarms ADD COLUMN checksum TEXT NOT NULL DEFAULT '';";

/// A failure with place -1 is that of a whole job: workers that cannot do it.
const JOINS_AND_FAILURES: &str = "
CREATE TABLE joins (
    run TEXT NOT NULL,
    place BIGINT NOT NULL,
    first_place BIGINT NOT NULL,
    end_place BIGINT NOT NULL,
    checksum TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (run, place)
);
CREATE TABLE failures (
    run TEXT NOT NULL,
    place BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    cause TEXT NOT NULL,
    worker TEXT NOT NULL,
    noticed BIGINT NOT NULL,
    checksum TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (run, place)
);";

/// What curves are drawn of stands in indexes alone: rows of tasks and games are long, and a campaign has millions.
const TIMES_AND_OUTCOMES: &str = "
CREATE INDEX IF NOT EXISTS tasks_over_time ON tasks (id, finished);
CREATE INDEX IF NOT EXISTS games_by_outcome ON games (task, number, winner);";

/// A run may be wanted by several campaigns, each up to a place. Before, it belonged to one, which wanted all that was in the queue. A key cannot
/// be changed in SQLite, so both tables are made anew. What names a run that is not there could not be done by anybody.
const JOBS_BY_CAMPAIGN: &str = "
CREATE TABLE jobs_by_campaign (
    run TEXT NOT NULL REFERENCES runs (name),
    campaign TEXT NOT NULL,
    job TEXT NOT NULL,
    end_place BIGINT NOT NULL,
    checksum TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (run, campaign)
);
INSERT INTO jobs_by_campaign (run, campaign, job, end_place, checksum)
    SELECT run, campaign, job, COALESCE((SELECT MAX(place) + 1 FROM queue WHERE queue.run = jobs.run), 0), checksum
    FROM jobs WHERE run IN (SELECT name FROM runs);
CREATE TABLE queue_of_runs (
    run TEXT NOT NULL REFERENCES runs (name),
    place BIGINT NOT NULL,
    task TEXT NOT NULL,
    after_task TEXT NOT NULL,
    worker TEXT NOT NULL,
    lease BIGINT NOT NULL,
    checksum TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (run, place)
);
INSERT INTO queue_of_runs (run, place, task, after_task, worker, lease, checksum)
    SELECT run, place, task, after_task, worker, lease, checksum FROM queue WHERE run IN (SELECT name FROM runs);
DROP TABLE queue;
DROP TABLE jobs;
ALTER TABLE jobs_by_campaign RENAME TO jobs;
ALTER TABLE queue_of_runs RENAME TO queue;
CREATE INDEX queue_by_task ON queue (task);
CREATE INDEX queue_by_worker ON queue (worker);";

/// A database with tables that are not ours is left alone.
pub(super) fn refuse_foreign(database: &mut dyn Database) -> Result<(), StoreError> {
    let tables = database.table_names()?;
    if tables.is_empty() || tables.iter().any(|name| name == "schema_migrations") {
        return Ok(());
    }
    Err(StoreError::Foreign { path: database.place().to_path_buf() })
}

/// Brings the database to [`SCHEMA_VERSION`]. Two processes may do so at once.
pub(super) fn migrate_schema(database: &mut dyn Database) -> Result<(), StoreError> {
    // Whoever finds everything done does not ask for the right to write.
    if read_version(database)? == Some(SCHEMA_VERSION) {
        return Ok(());
    }
    database.begin_migration()?;
    let found = apply_missing(database).and_then(|found| database.commit().map(|()| found));
    let found = found.inspect_err(|_| database.roll_back())?;
    if found > SCHEMA_VERSION {
        let path = database.place().to_path_buf();
        return Err(StoreError::Newer { path, found, known: SCHEMA_VERSION });
    }
    Ok(())
}

/// The database must have exactly [`SCHEMA_VERSION`].
pub(super) fn check_version(database: &mut dyn Database) -> Result<(), StoreError> {
    let known = SCHEMA_VERSION;
    let version = read_version(database)?;
    let path = database.place().to_path_buf();
    match version {
        Some(found) if found > known => Err(StoreError::Newer { path, found, known }),
        Some(found) if found < known => Err(StoreError::Older { path, found, known }),
        Some(_) => Ok(()),
        None if database.table_names()?.is_empty() => Err(StoreError::Empty { path }),
        None => Err(StoreError::Foreign { path }),
    }
}

/// Applies what is missing and returns the version that was found.
fn apply_missing(database: &mut dyn Database) -> Result<i64, StoreError> {
    database.execute_batch(TABLE_OF_MIGRATIONS)?;
    let found = read_version(database)?.unwrap_or(0);
    // What others write to a table while it is copied would go with the old one.
    if (3..8).contains(&found) {
        ["jobs", "queue"].iter().try_for_each(|table| database.hold_table(table))?;
    }
    let note = format!("INSERT INTO schema_migrations (version, name, applied) VALUES ($1, $2, {NOW})");
    for (index, (name, sql)) in MIGRATIONS.iter().enumerate().skip(usize::try_from(found).unwrap_or(0)) {
        database.execute_batch(sql)?;
        database.execute(&note, sql_values![index + 1, *name])?;
    }
    seal::seal_rows_before(found, database)?;
    seal::seal_jobs_before(found, database)?;
    Ok(found)
}

/// The last migration; `None` if there is no table of migrations.
fn read_version(database: &mut dyn Database) -> Result<Option<i64>, StoreError> {
    if !database.table_names()?.iter().any(|name| name == "schema_migrations") {
        return Ok(None);
    }
    let rows = database.query("SELECT COALESCE(MAX(version), 0) FROM schema_migrations", &[])?;
    Ok(rows.first().and_then(|row| row.get(0).ok()))
}
