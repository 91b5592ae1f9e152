//! Why learning cannot begin or go on.

use ishi_evolve::EvolveError;
use ishi_stats::RatingsError;

/// Why learning cannot begin or go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvolutionError {
    /// A setting is out of range, is not known, or changes nothing in this method.
    #[error("{0}")]
    Settings(String),
    /// A state that is damaged, or that of another method.
    #[error("a kept state cannot be used: {0}")]
    State(String),
    /// Evolution refuses its parameters or its state.
    #[error(transparent)]
    Evolve(#[from] EvolveError),
    /// Results that give no ratings.
    #[error(transparent)]
    Ratings(#[from] RatingsError),
}
