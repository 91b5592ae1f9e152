//! The tables, and how an older file gets them.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::{StoreError, unix_now};

/// The schema of this version of ishi: the number of the last migration.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// Each brings the schema one number on. A migration that was released is never changed.
const MIGRATIONS: [(&str, &str); 2] = [("tasks, runs and games", TASKS_RUNS_GAMES), ("documents", DOCUMENTS)];

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

/// A file with tables that are not ours is left alone.
pub(super) fn refuse_foreign(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    match is_foreign(connection) {
        Ok(false) => Ok(()),
        Ok(true) => Err(StoreError::Foreign { path: path.to_path_buf() }),
        Err(error) => Err(StoreError::from_sqlite(path, error)),
    }
}

/// Brings the file to [`SCHEMA_VERSION`]. Two processes may do so at once.
pub(super) fn migrate_schema(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    // Whoever finds everything done does not ask for the right to write.
    if read_version(connection).map_err(|error| StoreError::from_sqlite(path, error))? == Some(SCHEMA_VERSION)
    {
        return Ok(());
    }
    let found = apply_missing(connection).map_err(|error| StoreError::from_sqlite(path, error))?;
    if found > SCHEMA_VERSION {
        return Err(StoreError::Newer { path: path.to_path_buf(), found, known: SCHEMA_VERSION });
    }
    Ok(())
}

/// The file must have exactly [`SCHEMA_VERSION`].
pub(super) fn check_version(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let known = SCHEMA_VERSION;
    let path_of = || path.to_path_buf();
    match read_version(connection).map_err(|error| StoreError::from_sqlite(path, error))? {
        Some(found) if found > known => Err(StoreError::Newer { path: path_of(), found, known }),
        Some(found) if found < known => Err(StoreError::Older { path: path_of(), found, known }),
        Some(_) => Ok(()),
        None => Err(StoreError::Foreign { path: path_of() }),
    }
}

/// Applies what is missing and returns the version that was found.
fn apply_missing(connection: &mut Connection) -> rusqlite::Result<i64> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(TABLE_OF_MIGRATIONS)?;
    let found = read_version(&transaction)?.unwrap_or(0);
    for (index, (name, sql)) in MIGRATIONS.iter().enumerate().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(sql)?;
        let row = params![index as i64 + 1, name, unix_now()];
        transaction
            .execute("INSERT INTO schema_migrations (version, name, applied) VALUES ($1, $2, $3)", row)?;
    }
    transaction.commit()?;
    Ok(found)
}

/// The last migration; `None` if there is no table of migrations.
fn read_version(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    let table = "SELECT name FROM sqlite_master WHERE name = 'schema_migrations'";
    if connection.query_row(table, [], |_| Ok(())).optional()?.is_none() {
        return Ok(None);
    }
    let last = "SELECT COALESCE(MAX(version), 0) FROM schema_migrations";
    connection.query_row(last, [], |row| row.get(0)).map(Some)
}

/// Has the file tables, but not ours?
fn is_foreign(connection: &Connection) -> rusqlite::Result<bool> {
    let tables = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table'";
    let tables: i64 = connection.query_row(tables, [], |row| row.get(0))?;
    Ok(tables > 0 && read_version(connection)?.is_none())
}
