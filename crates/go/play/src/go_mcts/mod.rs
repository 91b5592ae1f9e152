//! `go-mcts`: Monte-Carlo tree search for Go.

mod domain;
mod engine;
mod komi;
mod local;
pub mod measure;
mod params;
pub(crate) mod passing;
pub(crate) mod playout;
pub mod presets;
mod priors;
mod proofs;
mod reward;
pub mod tabu;

pub use engine::MctsPlayer;
pub use komi::DynamicKomi;
pub(crate) use local::answer_to_problem;
pub use local::{
    FateGoal, FateParams, ProblemParams, ProblemSolution, ProblemStake, SearchedFate, is_problem,
    search_fate, solve_problem,
};
pub use params::{ENTRIES, MctsEntry, MctsParams, mcts_rows, sets_all_params};
pub use playout::{PlayoutParams, PlayoutRunner};
pub use priors::{PriorParams, RatedBy};
pub use proofs::ProofParams;
pub use reward::RewardParams;
