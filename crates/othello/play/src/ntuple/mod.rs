//! N-tuple networks: the value of a board as a sum of weights looked up by the contents of tuples of squares.
//!
//! - [`SquareTuple`], [`TupleGroup`], [`TupleShape`]: which squares, with the board's symmetries sharing weights;
//! - [`TupleSet`]: sets of tuples by name;
//! - [`NetworkPhases`], [`NTupleNetwork`]: weights by the number of discs, in whole units so that ties are exact; their file;
//! - [`PublishedPlayer`]: the format of published players;
//! - [`NTuplePlayer`]: a network that plays in the league; [`ShippedNetwork`]: those that come with ishi.
//!
//! Sources: S. M. Lucas, "Learning to play Othello with n-tuple systems", 2007; W. Jaskowski, "Systematic n-tuple networks
//! for Othello position evaluation", ICGA Journal 37, 2014; M. Buro's Logistello for patterns by phase.

mod network;
mod packed;
mod patterns;
mod player;
mod published;
mod shape;
mod shipped;
mod tuple;

pub use network::{NTupleNetwork, NetworkPhases, NetworkPhasesError};
pub use packed::PackedError;
pub use packed::{ByteInput, ByteInputEnd};
pub use patterns::{TupleSet, TupleSetError};
pub use player::{NTuplePlayer, WhiteView};
pub use published::{PublishedError, PublishedPlayer};
pub use shape::{LaneBlock, LaneContents, TupleGroup, TupleShape};
pub use shipped::ShippedNetwork;
pub use tuple::{MAX_LENGTH, SquareTuple, SquareTupleError};
