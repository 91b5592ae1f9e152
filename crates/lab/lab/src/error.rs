//! Why the laboratory cannot do something.

use std::path::PathBuf;

use ishi_words::{CodedError, CodedMessage, ErrorFacts, facts};

use crate::source::SourceError;
use crate::store::StoreError;

/// Why the laboratory cannot do something. What was finished before is kept.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A file of the experiment is wrong.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// There is no such experiment, or the request makes no sense.
    #[error("{0}")]
    Input(CodedMessage),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A task failed.
    #[error("task {task} failed: {error}; what is finished is kept, and the same command goes on from there")]
    Task {
        /// Its name.
        task: String,
        /// Why.
        error: String,
    },
    /// A kept result cannot be used.
    #[error("the kept result of task {task} cannot be used: {error}; start afresh with another --db")]
    Result {
        /// Its name.
        task: String,
        /// Why.
        error: String,
    },
    /// A file cannot be read or written.
    #[error("cannot {what} {}: {error}", path.display())]
    File {
        /// What could not be done, such as `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The statistics refuse.
    #[error("{0}")]
    Statistics(String),
}

impl CodedError for LabError {
    fn facts(&self) -> ErrorFacts {
        match self {
            LabError::Source(error) => error.facts(),
            LabError::Input(message) => message.facts(),
            LabError::Store(error) => error.facts(),
            LabError::Task { task, error } => facts!["lab-task", task, cause = error],
            LabError::Result { task, error } => facts!["lab-result", task, cause = error],
            LabError::File { what, path, error } => {
                facts!["lab-file", what, path = path.display(), cause = error]
            }
            LabError::Statistics(cause) => facts!["lab-statistics", cause],
        }
    }

    /// Who asks has not chosen the database.
    fn is_of_input(&self) -> bool {
        !matches!(self, LabError::Store(_)) && self.is_input()
    }
}

impl LabError {
    /// Is the input at fault, rather than something outside?
    pub fn is_input(&self) -> bool {
        match self {
            LabError::Source(_) | LabError::Input(_) | LabError::Result { .. } => true,
            LabError::Store(error) => error.is_input(),
            LabError::Task { .. } | LabError::File { .. } | LabError::Statistics(_) => false,
        }
    }
}

impl From<ishi_stats::StatsError> for LabError {
    fn from(error: ishi_stats::StatsError) -> Self {
        LabError::Statistics(error.to_string())
    }
}

impl From<ishi_stats::RatingsError> for LabError {
    fn from(error: ishi_stats::RatingsError) -> Self {
        LabError::Statistics(error.to_string())
    }
}
