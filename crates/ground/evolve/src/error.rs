//! What can be wrong with parameters and states.

use thiserror::Error;

use crate::problem::EvaluationInterrupted;

/// Why a run cannot begin or go on.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EvolveError {
    /// A parameter out of its range.
    #[error("invalid {what} {value}: {right}")]
    Parameter {
        /// Which.
        what: &'static str,
        /// The value as it was given.
        value: String,
        /// What would be right.
        right: String,
    },
    /// A state that does not belong to the parameters.
    #[error("the state does not fit the parameters: {0}")]
    State(String),
    /// A kept text that is no state, or a damaged one.
    #[error("this is no kept state of a run: {0}")]
    Kept(String),
    /// The problem gave another number of values than it was asked for.
    #[error("{given} values for {asked} points: there must be one for each")]
    Values {
        /// Points.
        asked: usize,
        /// Values.
        given: usize,
    },
    /// The library for CMA-ES gave up.
    #[error("CMA-ES cannot go on: {0}")]
    Library(String),
    /// The problem was stopped; the state is as before the generation.
    #[error("stopped")]
    Interrupted,
}

impl From<EvaluationInterrupted> for EvolveError {
    fn from(_: EvaluationInterrupted) -> Self {
        EvolveError::Interrupted
    }
}

impl EvolveError {
    pub(crate) fn invalid_parameter(
        what: &'static str,
        value: impl ToString,
        right: impl Into<String>,
    ) -> Self {
        EvolveError::Parameter { what, value: value.to_string(), right: right.into() }
    }
}

/// The value, if `right` says so.
pub(crate) fn check_parameter<T: ToString>(
    what: &'static str,
    value: T,
    ok: bool,
    right: impl Into<String>,
) -> Result<T, EvolveError> {
    if ok { Ok(value) } else { Err(EvolveError::invalid_parameter(what, value, right)) }
}
