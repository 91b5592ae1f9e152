//! Learning to play Othello by evolution, from the rules alone: individual and group learning (T. Takahama, S. Sakai), and
//! what lies beyond.
//!
//! - [`LearningMethod`], [`LearningOptions`]: what learns, and every reading of the paper as an option with a name;
//! - [`EvolutionTraining`]: a run that can be stopped after any generation and goes on bit for bit;
//! - [`EvolutionLearner`], [`start_learner`], [`resume_learner`]: the same for those who watch its curves;
//! - [`player_from_point`], [`play_series`], [`mean_score`]: weights as players, and games between them.
//!
//! docs/othello.md says how to use it, docs/lab.md what the options mean.

mod beyond;
mod error;
mod fixed;
mod games;
mod group;
mod individual;
mod learner;
mod options;
mod rating;
mod settings;
mod training;

pub use error::EvolutionError;
pub use fixed::FixedOpponent;
pub use games::{mean_score, mean_score_of_all, play_series, player_from_point, standard_deviation};
pub use learner::{
    CurvePoint, EvolutionLearner, LearnedPlayer, LearnerState, LearningStep, RatingSample, RunSetting,
    resume_learner, start_learner,
};
pub use options::{
    Adaptation, Advance, AfterFailure, ChildReplacement, FirstPlayer, GameOrder, GameRandomness, LeagueStart,
    LearningMethod, LearningOptions, LeavingTime, MovingRatings, ParentValue, RatingMethod, Restart,
    SigmaDivisor, SuccessFrom, WeightBounds,
};
pub use rating::rate_candidate;
pub use training::{EvolutionTraining, TrainedPlayer, TrainingParams, TrainingState};
