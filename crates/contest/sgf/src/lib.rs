//! SGF, the record format of Go: read leniently, kept whole, written as `FF[4]` in UTF-8.
//!
//! - [`read_collection`] makes a [`Collection`] of bytes in any encoding, with [`Warnings`] that say where and what. It fails
//!   only if there is no game, and then names the format if it knows it.
//! - [`GameTree`] keeps every property with its raw values, known or not; [`Collection::to_sgf`] writes them back.
//! - [`GoGame`] and [`GameInfo`] are typed views: board coordinates, komi in points, a result as an enum.
//! - [`OthelloGame`] is the view of a record of Othello, `GM[2]`, in both directions.
//! - [`othello_records`] reads and writes records of Othello in every format, SGF or not.
//! - [`GameBuilder`] makes a record of a game that is played here.
//!
//! Nothing recurses, so that depth is bounded by memory only. Rules of Go are not known here: [`GoGame::replay_with`]
//! puts the moves to whoever knows them. Own parser, because none on crates.io reads what is in the wild; the
//! facts are in docs/formats.md.
//!
//! Source: SGF `FF[4]` by Arno Hollosi, <https://www.red-bean.com/sgf/>.

mod builder;
mod cursor;
#[cfg(feature = "serde")]
mod documents;
mod edit;
mod encoding;
mod foreign;
mod game;
mod info;
mod othello;
pub mod othello_records;
mod points;
mod reader;
mod replay;
mod text;
mod tree;
mod warning;
mod writer;

pub use builder::{GameBuilder, RecordMark};
pub use edit::ReshapedTree;
pub use foreign::{ForeignFormat, NotSgf};
pub use game::{GoError, GoGame, PlayedMove, RecordReplayError, RecordSetup, RecordStep, ReplayAction};
pub use info::{GameInfo, GameResult, GameResultError, PlayerInfo, RecordSize};
pub use othello::{OthelloError, OthelloGame, OthelloMove};
pub use points::{move_of_value, move_text, parse_point, point_text};
pub use reader::{SgfReading, read_collection};
pub use replay::ReplayedGame;
pub use text::{escape_composed, escape_value, split_composed, unescape_simple, unescape_text};
pub use tree::{Collection, GameTree, Ident, IdentError, Node, NodeId, Property, PropertyValue};
pub use warning::{FileLocation, Warning, WarningKind, Warnings};

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
