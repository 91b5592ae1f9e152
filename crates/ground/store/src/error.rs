//! What goes wrong with a database, with the file and what to do.

use std::path::{Path, PathBuf};

use ishi_words::{CodedError, ErrorFacts, facts};
use rusqlite::ErrorCode;

use super::documents::DamagedDocument;

/// Why the database did not do it. Everything kept before is still there.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such folder, or the file may not be opened.
    #[error("cannot open the database {}: {cause}; does the folder exist, and may you write to it?", path.display())]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// There is no such file, and it was to be read.
    #[error("cannot open the database {}: there is no such file", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file, or its folder, cannot be written to.
    #[error("cannot write to the database {}: it, or its folder, is read-only", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// No room is left.
    #[error("cannot write to the database {}: the disk is full ({cause}); what was finished before is kept, make room and give \
             the same command again", path.display())]
    Full {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// Another process has the file.
    #[error("the database {} is locked by another process for more than {} seconds", path.display(), super::connection::PATIENCE.as_secs())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// Not SQLite.
    #[error("{} must be a database of ishi: {cause}. Name another file", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// What it is.
        cause: String,
    },
    /// SQLite, but what holds its tables together does not fit.
    #[error("the database {} is damaged: {cause}. Use a copy from before, or name another file", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        cause: String,
    },
    /// A database without a table, and it was to be read.
    #[error("the database {} is empty: nothing of ishi has been put there yet", path.display())]
    Empty {
        /// The file, or the server's address.
        path: PathBuf,
    },
    /// SQLite, but somebody else's.
    #[error("{} is a database, but not of ishi: it has no table schema_migrations", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// From a later ishi.
    #[error("the database {} has schema {found}, and this ishi knows schemas up to {known}: use a newer ishi", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// From an earlier ishi, and opened for reading only.
    #[error("the database {} has schema {found}, this ishi needs {known}: open it once for writing to bring it up to date", path.display())]
    Older {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// The same run name with another description.
    #[error("the run {name:?} in {} was made with other settings: choose another name. It has {kept}, asked for was {asked}", path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The run.
        name: String,
        /// The description in the database.
        kept: String,
        /// The description that was asked for.
        asked: String,
    },
    /// A result that does not read back.
    #[error("the database {} holds a damaged result, task {task}: {cause}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The task's id.
        task: String,
        /// What is wrong.
        cause: String,
    },
    /// A row that does not fit its checksum, or does not read.
    #[error("the database {} is damaged: {cause}; use a copy from before, or take the row out: `ishi lab forget RUN` does so with that of a \
             run, `ishi campaign mend --db DB` with all of campaigns", path.display())]
    DamagedRow {
        /// The file.
        path: PathBuf,
        /// The row, and what is wrong with it.
        cause: String,
    },
    /// A document whose row is damaged. The others are not.
    #[error("the database {} is damaged: {}; use a copy from before, or save and remove it at /damaged of `ishi serve`", path.display(), damaged.cause)]
    DamagedDocument {
        /// The file.
        path: PathBuf,
        /// Which it is, and what is wrong with it.
        damaged: Box<DamagedDocument>,
    },
    /// The server does not answer, or has gone away.
    #[error("the database {} is out of reach: {cause}; is the server running, and may this machine reach it? What was finished \
             before is kept", path.display())]
    Unreachable {
        /// The server's address.
        path: PathBuf,
        /// What the system or the server said.
        cause: String,
    },
    /// The server says no: to the user, the password, the name of the database, or a right that is missing.
    #[error("the database {} refuses: {cause}", path.display())]
    Refused {
        /// The server's address.
        path: PathBuf,
        /// What the server said.
        cause: String,
    },
    /// Not an address of a server.
    #[error("{address:?} is no address of a database: {cause}; write postgres://USER@HOST:PORT/DATABASE")]
    Address {
        /// What was given, without a password.
        address: String,
        /// What is wrong.
        cause: String,
    },
    /// Anything else.
    #[error("the database {} failed: {cause}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        cause: String,
    },
}

impl CodedError for StoreError {
    fn facts(&self) -> ErrorFacts {
        use StoreError::{
            Address, CannotOpen, Corrupt, Damaged, DamagedDocument, DamagedRow, Empty, Foreign, Full, Locked,
            Missing, Newer, NotADatabase, Older, Other, OtherRun, ReadOnly, Refused, Unreachable,
        };
        match self {
            CannotOpen { path, cause } => facts!["store-cannot-open", path = path.display(), cause],
            Missing { path } => facts!["store-missing", path = path.display()],
            ReadOnly { path } => facts!["store-read-only", path = path.display()],
            Full { path, cause } => facts!["store-full", path = path.display(), cause],
            Locked { path } => {
                let seconds = super::connection::PATIENCE.as_secs();
                facts!["store-locked", path = path.display(), seconds]
            }
            NotADatabase { path, cause } => facts!["store-no-database", path = path.display(), cause],
            Corrupt { path, cause } => facts!["store-corrupt", path = path.display(), cause],
            Empty { path } => facts!["store-empty", path = path.display()],
            Foreign { path } => facts!["store-foreign", path = path.display()],
            Newer { path, found, known } => facts!["store-newer", path = path.display(), found, known],
            Older { path, found, known } => facts!["store-older", path = path.display(), found, known],
            OtherRun { path, name, kept, asked } => {
                facts!["store-other-run", path = path.display(), name = format!("{name:?}"), kept, asked]
            }
            Damaged { path, task, cause } => facts!["store-damaged", path = path.display(), task, cause],
            DamagedRow { path, cause } => facts!["store-damaged-row", path = path.display(), cause],
            DamagedDocument { path, damaged } => {
                facts!["store-damaged-document", path = path.display(), cause = &damaged.cause]
            }
            Unreachable { path, cause } => facts!["store-unreachable", path = path.display(), cause],
            Refused { path, cause } => facts!["store-refused", path = path.display(), cause],
            Address { address, cause } => {
                facts!["store-address", address = format!("{address:?}"), cause]
            }
            Other { path, cause } => facts!["store-failed", path = path.display(), cause],
        }
    }

    /// Who asks has not chosen the database.
    fn is_of_input(&self) -> bool {
        false
    }
}

impl StoreError {
    /// Is the file at fault that was named, rather than something outside?
    pub fn is_input(&self) -> bool {
        use StoreError::{
            Address, Corrupt, Damaged, DamagedDocument, DamagedRow, Foreign, Newer, NotADatabase, Older,
            OtherRun, Refused,
        };
        matches!(
            self,
            NotADatabase { .. }
                | Corrupt { .. }
                | Foreign { .. }
                | Newer { .. }
                | Older { .. }
                | OtherRun { .. }
                | Damaged { .. }
                | DamagedRow { .. }
                | DamagedDocument { .. }
                | Refused { .. }
                | Address { .. }
        )
    }

    /// May the same be asked again with success, once the server is back?
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, StoreError::Unreachable { .. })
    }

    /// What SQLite said, in our words.
    pub(super) fn from_sqlite(path: &Path, error: rusqlite::Error) -> StoreError {
        let path = path.to_path_buf();
        let cause = error.to_string();
        let code = error.sqlite_error().map(|failure| (failure.code, failure.extended_code));
        match code {
            Some((ErrorCode::CannotOpen, _)) => StoreError::CannotOpen { path, cause },
            Some((ErrorCode::ReadOnly | ErrorCode::PermissionDenied, _)) => StoreError::ReadOnly { path },
            Some((ErrorCode::DiskFull, _)) => StoreError::Full { path, cause },
            // A write beyond the limit on file sizes, and a quota, are reported as failed writes.
            Some((ErrorCode::SystemIoFailure, extended)) if WRITE_FAILURES.contains(&extended) => {
                StoreError::Full { path, cause }
            }
            Some((ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _)) => StoreError::Locked { path },
            Some((ErrorCode::NotADatabase, _)) => {
                StoreError::NotADatabase { path, cause: "it is a file of another kind".to_string() }
            }
            Some((ErrorCode::DatabaseCorrupt, _)) => StoreError::Corrupt { path, cause },
            _ => StoreError::Other { path, cause },
        }
    }
}

/// Extended codes of failed writes: of the file, and of the shared memory and log beside it.
const WRITE_FAILURES: [i32; 4] = [
    rusqlite::ffi::SQLITE_IOERR_WRITE,
    rusqlite::ffi::SQLITE_IOERR_TRUNCATE,
    rusqlite::ffi::SQLITE_IOERR_SHMSIZE,
    rusqlite::ffi::SQLITE_IOERR_FSYNC,
];
