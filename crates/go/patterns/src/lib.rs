//! Strengths of Go moves, learned from game records: shapes and tactical features, each with a strength in the
//! generalised Bradley-Terry model, fitted by minorisation-maximisation (Coulom, "Computing Elo ratings of move patterns
//! in the game of Go", ICGA Journal 30, 2007).

pub mod evaluate;
pub mod exercises;
pub mod features;
pub mod gradient;
pub mod harvest;
pub mod joseki;
pub mod learn;
pub mod library;
pub mod mm;
mod model;
pub mod net;
mod predictor;
pub mod records;
mod shape;
pub mod table;
mod text_error;

pub use features::{FeatureScratch, MoveContext};
pub use model::{MAX_SHAPES, ShapeKeys, StrengthModel};
pub use net::{MoveNetwork, NetMemory};
pub use predictor::{MovePredictor, PLAYOUT_GROUPS, PlayoutStrengths};
pub use text_error::TextError;
