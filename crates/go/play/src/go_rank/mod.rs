//! Players for people: from 25 kyu up, in even steps, with the errors that people make.
//!
//! A [`Chooser`] is a way to choose a move: by the shapes around it, as a player does who does not read; by what people would play, more
//! or less surely; by a search. The ladder says how strong each is. A [`Rank`] between two of them takes now the one and now the other.
//!
//! docs/judge.md is the guide, and has the matches by which ranks were set.

mod chooser;
mod ladder;
mod player;
mod rank;

pub use chooser::Chooser;
pub use player::{RankParams, RankPlayer};
pub use rank::Rank;
