//! Documents that ship with ishi, so that deck building can be tried at once. data/decks/SOURCE.md says what they are.

/// A pool of thirty pieces, as TOML, with attributes, two groups, and scores of pairs and of leaders.
pub const POOL: &str = include_str!("../data/example.toml");

/// What is wanted of a deck of [`POOL`], as TOML.
pub const REQUEST: &str = include_str!("../data/request.toml");
