//! What a strong judge says of positions, as facts to learn from.
//!
//! - [`plan`]: which positions of which games, drawn at random; the seed alone decides.
//! - [`judge`]: KataGo's analysis protocol from the asking side: a program is started, asked, and its answers are checked.
//! - [`label`]: what is kept of an answer, and its line of text.
//! - [`mod@file`]: a file of labels that grows line by line, so that a kill loses nothing and the same command goes on.
//! - [`work`]: several judges at once.
//! - [`sgf`]: games as SGF, made into records.
//! - [`games`]: a position of a record with the rules and the komi that it is judged by.
//! - [`samples`]: records and labels as training samples of the network.
//!
//! The judge that answers them is [`crate::protocol`], or KataGo itself, whose docs/Analysis_Engine.md (2026) is the source.
//! docs/judge.md is the guide, docs/formats.md has the format.

pub mod file;
pub mod games;
pub mod judge;
pub mod label;
pub mod plan;
pub mod samples;
pub mod sgf;
#[cfg(test)]
mod tests;
pub mod work;

pub use file::{LabelFile, LabelSettings, NO_CHECKSUM_COLUMN, labels_have_checksums};
pub use judge::{JudgeProcess, JudgeProcessError, JudgeQuestion};
pub use label::PositionLabel;
pub use plan::{GamePlace, LabelPlan, Moment};

/// Why labels cannot be had. What was written before stays.
#[derive(Debug, thiserror::Error)]
pub enum LabelsError {
    /// The input cannot be used.
    #[error("{0}")]
    Input(String),
    /// The file cannot be read or written.
    #[error("cannot {what} {path}: {error}")]
    File {
        /// What could not be done, such as `write`.
        what: &'static str,
        /// The file.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// The judge fails.
    #[error("the judge: {0}")]
    Judge(#[from] JudgeProcessError),
}

impl LabelsError {
    /// Is the input at fault, rather than something outside?
    #[must_use]
    pub fn is_input(&self) -> bool {
        matches!(self, LabelsError::Input(_))
    }
}
