//! The statistics of game results: intervals, tests, Elo and sequential tests.
//!
//! What stands where:
//! - [`Proportion`]: wins out of games without draws; Wilson, Clopper-Pearson and Wald intervals, binomial tests.
//! - [`GameOutcomes`]: games with draws, or game pairs; score, trinomial or pentanomial variance, Elo, superiority.
//! - [`Sprt`]: the sequential test that stops a match as soon as the evidence suffices.
//! - [`compute_ratings`]: Elo of many players by maximum likelihood, with standard errors.
//! - [`RatedOpponent`]: how strong a person is, by games against opponents of known strength.
//! - [`chi_square`]: goodness of fit and independence. [`SampleSummary`]: mean, deviation, percentiles of a sample.
//!
//! The crate knows no games and does no input or output; every function depends on its arguments alone. Wrong
//! arguments give a [`StatsError`] (or a [`RatingsError`]) that names the argument, quotes it and says what would
//! be right; nothing panics. `docs/match.md` says which method to use when.

pub mod chi_square;
#[cfg(feature = "serde")]
mod documents;
pub mod elo;
mod error;
mod graph;
mod interval;
mod ladder;
mod linear;
mod outcomes;
mod proportion;
mod ratings;
mod special;
mod sprt;
mod summary;

pub use error::{RatingsError, StatsError};
pub use interval::{ConfidenceLevel, Interval};
pub use ladder::{RatedOpponent, nearest_opponent, opponent_strength, strength_after_game};
pub use outcomes::{GameOutcomes, ScoreReport};
pub use proportion::{IntervalMethod, Proportion, TestAlternative, TestMethod};
pub use ratings::{
    EloEstimate, PairResult, PlayerIndex, PlayerRating, RatingAnchor, RatingPrior, Ratings, RatingsParams,
    compute_ratings,
};
pub use sprt::{Sprt, SprtDecision, SprtReport};
pub use summary::SampleSummary;

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
