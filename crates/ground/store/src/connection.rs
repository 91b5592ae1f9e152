//! What is SQLite's alone: opening files, write-ahead log, waiting for other processes.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::StoreError;

/// How long a writer waits for others.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Between two attempts to switch to the write-ahead log, for which SQLite itself does not wait.
const PAUSE: Duration = Duration::from_millis(50);

/// Folders and devices: SQLite's own words for them mislead ("disk I/O error").
fn refuse_non_files(path: &Path) -> Result<(), StoreError> {
    let what = if path.is_dir() { "it is a folder" } else { "it is a device, not a file" };
    if !path.exists() || path.is_file() {
        return Ok(());
    }
    Err(StoreError::NotADatabase { path: path.to_path_buf(), cause: what.to_string() })
}

/// Makes a file that is not there yet as one that only its owner may read: it holds a person's games. SQLite gives the files beside it
/// the same permissions. What goes wrong is told by SQLite, which opens it next.
#[cfg(unix)]
#[allow(clippy::disallowed_methods)] // A store is a file.
fn make_private_file(path: &Path) {
    use std::os::unix::fs::OpenOptionsExt;
    let _ = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
}

/// Elsewhere the folder decides who may read.
#[cfg(not(unix))]
fn make_private_file(_: &Path) {}

/// Opens or makes the file, and changes nothing in it yet.
pub(super) fn open_for_writing(path: &Path) -> Result<Connection, StoreError> {
    refuse_non_files(path)?;
    make_private_file(path);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let configured = Connection::open_with_flags(path, flags).and_then(|connection| {
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(connection)
    });
    configured.map_err(|error| StoreError::from_sqlite(path, error))
}

/// With the write-ahead log readers and a writer do not wait for each other, and a process that is killed leaves the
/// file as it was after its last transaction.
pub(super) fn use_write_ahead_log(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let attempts = PATIENCE.as_millis() / PAUSE.as_millis();
    for _ in 1..attempts {
        match set_write_ahead_mode(connection) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => pause_briefly(),
            other => return other.map_err(|error| StoreError::from_sqlite(path, error)),
        }
    }
    set_write_ahead_mode(connection).map_err(|error| StoreError::from_sqlite(path, error))
}

fn set_write_ahead_mode(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
}

// Waiting for another process is what this is for.
#[allow(clippy::disallowed_methods)]
fn pause_briefly() {
    std::thread::sleep(PAUSE);
}

/// Opens an existing file for queries only: as a writer would if that is allowed, so that the log beside it is cleaned
/// away in the end; otherwise without writing anything.
pub(super) fn open_read_only(path: &Path) -> Result<Connection, StoreError> {
    refuse_non_files(path)?;
    let opened = open_query_only(path, OpenFlags::SQLITE_OPEN_READ_WRITE).or_else(|error| {
        if is_forbidden(&error) {
            open_query_only(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        } else {
            Err(error)
        }
    });
    match opened {
        Err(_) if !path.exists() => Err(StoreError::Missing { path: path.to_path_buf() }),
        Err(error) if is_forbidden(&error) && path.is_file() => {
            open_immutable(path).map_err(|_| StoreError::from_sqlite(path, error))
        }
        other => other.map_err(|error| StoreError::from_sqlite(path, error)),
    }
}

fn open_query_only(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "query_only", true)?;
    probe_connection(&connection)?;
    Ok(connection)
}

/// Is it the file system that does not want this?
fn is_forbidden(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    )
}

/// For a file in a read-only folder: nobody can write to it, so that no log and no lock is needed.
fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    let mut uri = String::from("file:");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'?' | b'#' | b'%' => uri.push_str(&format!("%{byte:02X}")),
            _ => uri.push(byte as char),
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(uri, flags)?;
    probe_connection(&connection)?;
    Ok(connection)
}

/// SQLite opens a file in earnest with its first query.
fn probe_connection(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("SELECT COUNT(*) FROM sqlite_master", [], |_| Ok(()))
}
