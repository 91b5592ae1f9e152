//! A network that judges positions of Go: which moves are good, who wins, by how much, and whose every point will be.
//!
//! - [`planes`]: what the network sees of a position.
//! - [`verdict`]: what it says, from Black's side.
//! - [`samples`]: positions with what is known of them, as records of a fixed length for training.
//! - [`network`]: the network, its file and its evaluation.
//! - [`pass_alive`]: stones that no sequence of moves can capture (Benson's algorithm).
//!
//! Nothing here searches, opens files or reads clocks.

pub mod network;
pub mod pass_alive;
pub mod planes;
pub mod samples;
pub mod verdict;

pub use network::{EvaluationMemory, Network, NetworkError, NetworkOutputs, NetworkShape};
pub use pass_alive::PassAlive;
pub use planes::{PlaneEncoder, Planes, PositionView};
pub use samples::{SampleReader, SampleWriter, TrainingSample};
pub use verdict::{MovePolicy, NetworkJudge, NetworkVerdict};
