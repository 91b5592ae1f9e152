//! N-tuple networks: the value of a board as a sum of weights looked up by the contents of tuples of squares.
//!
//! - [`Tuple`], [`Group`], [`Shape`]: which squares, with the board's symmetries sharing weights;
//! - [`Patterns`]: sets of tuples by name;
//! - [`Phases`], [`Network`]: weights by the number of discs, in whole units so that ties are exact; their file;
//! - [`Published`]: the format of published players;
//! - [`Player`]: a network that plays in the league; [`Shipped`]: those that come with ishi.
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

pub use network::{Network, Phases, PhasesError};
pub use packed::PackedError;
pub use packed::{Input, checksum};
pub use patterns::{Patterns, PatternsError};
pub use player::{Player, View};
pub use published::{Published, PublishedError};
pub use shape::{Block, Contents, Group, Shape};
pub use shipped::Shipped;
pub use tuple::{MAX_LENGTH, Tuple, TupleError};
