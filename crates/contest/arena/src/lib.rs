//! Matches between players: pairing, referees, records, engines as processes.
//!
//! - [`PlayerSpec`] names a player, built-in or a program; [`MatchPlayer`] is one at work.
//! - A [`MatchGame`] is Go or Othello. [`GoMatchSettings`] are the conditions of a game of Go, [`OthelloMatchSettings`] of one of
//!   Othello; [`GameRecord`] is what is kept of it.
//! - [`PairTask`] and [`PairRecord`]: two games from one opening with colours swapped.
//! - [`play_match`] plays a [`MatchPlan`] in parallel, with a [`PairJournal`] and a [`MatchObserver`].
//! - [`MatchReport`] gives the figures, [`tally_table`] the counts as text and pages show them.
//!
//! The arena knows processes, threads and clocks, but neither SQL nor JSON nor files: who keeps results implements
//! [`PairJournal`]. docs/match.md says what is measured and how.

mod builtin;
pub mod check;
mod external;
mod game;
mod games;
mod matches;
mod opening;
mod pair;
mod player;
pub mod process;
mod record;
pub mod referee;
mod report;
mod settings;
mod sheet;
pub mod stopwatch;

pub use games::{
    DiscCount, GameJudge, GameVerdict, MatchGame, MatchSettings, OthelloMatchSettings, PlacedOpenings,
};
pub use ishi_engine::clock::{GameClock, OutOfTime, TOLERANCE, TimeControl, TimeControlError};
pub use matches::{
    MatchBreak, MatchEnd, MatchError, MatchObserver, MatchOutcome, MatchPlan, MatchRun, MemoryJournal,
    PairJournal, UnobservedMatch, play_match,
};
pub use opening::{OpeningError, Openings};
pub use pair::{PairRecord, PairTask, play_pair};
pub use player::{
    Contestant, ContestantError, MatchPlayer, NewGame, PlayerError, PlayerFault, PlayerFaultKind, PlayerSpec,
    PlayerTurn,
};
pub use record::{EndReason, EndReasonError, GameRecord, TimeUsed};
pub use referee::RefereeSpec;
pub use report::{
    GameIncident, MatchReport, MatchStanding, ResultTally, TimeReport, WinReport, count_color_wins,
};
pub use settings::{GoMatchSettings, TIMEOUT};
pub use sheet::tally_table;
