//! What a player sees on a Go board, in the manner of D. Fotland, "Knowledge representation in The Many Faces of Go" (1993).
//!
//! - [`Analysis`]: everything known of a position, in three levels: chains; tactical status, links and eyes; groups, influence and
//!   territory. [`Chains`] follows the board move by move, [`Keeper`] keeps the first two levels from position to position; both have
//!   their twins from scratch, and [`check`] holds them together.
//! - [`rules`]: moves suggested by rules, each with its reasons ([`Reason`]).
//! - [`explain`]: what a move does, proved by reading, and what happens if it is not played.
//! - [`words`]: reasons in English and Japanese; [`show`]: every level as text and as a picture.
//! - [`lookahead`]: suggestions played out, positions made quiet before they are counted, a search of the whole board over suggestions.
//!
//! Where this differs from that document a [`Style`] decides. What reading cannot tell is asked of an [`Oracle`].

mod analysis;
mod chains;
pub mod check;
mod connections;
pub mod explain;
mod eyes;
mod fates;
mod groups;
mod influence;
mod links;
pub mod lookahead;
mod oracle;
mod reasons;
pub mod rules;
pub mod show;
mod strategy;
pub mod style;
mod tactical;
mod urgent;
pub mod words;

pub use analysis::Analysis;
pub use chains::{ChainFacts, Chains, PointsByDistance};
pub use connections::{Connection, Connections};
pub use eyes::{ContestedEyes, EyeCount, EyeKind, EyeSpace, count_contested_eyes};
pub use fates::GroupFates;
pub use groups::{
    Escape, EscapeDirection, EscapeTarget, Group, PotentialEye, PotentialKind, count_prospects,
};
pub use influence::Influence;
pub use links::{Link, LinkKind, LinkStrength};
pub use oracle::{Fate, GroupStrength, NoOracle, Oracle, ReadingOracle};
pub use reasons::{KnownPattern, Reason, RuleFamily};
pub use strategy::{GameBalance, GamePhase};
pub use style::Style;
pub use tactical::{Keeper, ReadingCounts, Tactical};
pub use urgent::UrgentGroups;
