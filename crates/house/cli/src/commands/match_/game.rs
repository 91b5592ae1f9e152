//! What the command needs to know of a game besides what the arena does: its options, and words for the report.

use ishi_arena::{DiscCount, GoMatchSettings, OthelloMatchSettings, RefereeSpec};
use ishi_engine::{Go, Othello};
use ishi_lab::store::KeptMatches;

use super::options::{MatchArgs, go_referee};
use crate::commands::othello::player_file::{self, catalog_spec_from};
use crate::context::{Context, Failure};
use crate::files::ReadFile;

/// A game that `ishi match` plays.
pub(super) trait PlayedGame: KeptMatches {
    /// Where games begin unless something is said.
    const USUAL_OPENING: &'static str;
    /// Random moves of an opening, at most.
    const MOST_OPENING_MOVES: usize;
    /// What limits them, in words.
    const OPENING_LIMIT: &'static str;
    /// The conditions of the match.
    fn match_settings(args: &MatchArgs) -> Result<Self::Settings, Failure>;
    /// A player as the user names it, as the catalog knows it; `read` gives the file that it names, if it names one.
    fn catalog_player(text: &str, read: &mut ReadFile<'_>) -> Result<String, Failure>;
    /// Does the name of a player say that it is in a file?
    fn names_file(text: &str) -> bool;
    /// Who says what a finished game is worth.
    fn choose_referee(
        args: &MatchArgs,
        settings: &Self::Settings,
        context: &Context,
    ) -> Result<Self::Referee, Failure>;
    /// The conditions: `on 9x9, chinese rules, komi 7.5`.
    fn conditions_text(settings: &Self::Settings) -> String;
    /// The board as text.
    fn board_text(position: &Self::Position) -> String;
}

impl PlayedGame for Go {
    const USUAL_OPENING: &'static str = "none";
    const MOST_OPENING_MOVES: usize = usize::MAX - 1;
    const OPENING_LIMIT: &'static str = "the move limit";

    fn match_settings(args: &MatchArgs) -> Result<GoMatchSettings, Failure> {
        args.go_settings()
    }

    fn catalog_player(text: &str, _: &mut ReadFile<'_>) -> Result<String, Failure> {
        Ok(text.to_string())
    }

    fn names_file(_: &str) -> bool {
        false
    }

    fn choose_referee(
        args: &MatchArgs,
        settings: &GoMatchSettings,
        context: &Context,
    ) -> Result<RefereeSpec, Failure> {
        go_referee(args, settings, context)
    }

    fn conditions_text(settings: &GoMatchSettings) -> String {
        format!("on {}, {} rules, komi {}", settings.size, settings.rules, settings.komi)
    }

    fn board_text(position: &ishi_go::Position) -> String {
        position.to_string()
    }
}

impl PlayedGame for Othello {
    /// Balanced by a short search: without an opening the pairs of two players that never change their minds would
    /// all be the same.
    const USUAL_OPENING: &'static str = "random:8";
    /// A game of more random moves is half decided by chance.
    const MOST_OPENING_MOVES: usize = 40;
    const OPENING_LIMIT: &'static str = "the limit";

    fn match_settings(args: &MatchArgs) -> Result<OthelloMatchSettings, Failure> {
        args.othello_settings()
    }

    fn catalog_player(text: &str, read: &mut ReadFile<'_>) -> Result<String, Failure> {
        catalog_spec_from(text, read)
    }

    fn names_file(text: &str) -> bool {
        player_file::names_file(text)
    }

    fn choose_referee(_: &MatchArgs, _: &OthelloMatchSettings, _: &Context) -> Result<DiscCount, Failure> {
        Ok(DiscCount)
    }

    fn conditions_text(_: &OthelloMatchSettings) -> String {
        "of Othello".to_string()
    }

    fn board_text(position: &ishi_othello::Position) -> String {
        position.to_rows(|_| '.').lines().map(|row| format!(" {row}\n")).collect()
    }
}
