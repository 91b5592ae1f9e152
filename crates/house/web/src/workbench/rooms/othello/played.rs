//! What was played in a position: the opening book, and games of the WTHOR database.

use std::path::Path;

use ishi_othello::games_index::{GameResults, PositionGames, find_position_games};
use ishi_othello::{Board, Position, Square};
use ishi_othello_play::book::{Book, BookMove};
use ishi_othello_play::openings::OpeningNames;
use maud::{Markup, html};

use super::game::OthelloGameState;
use crate::files;
use crate::workbench::error::PageError;
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::{render_scrolling_table, render_table};
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// Games that are listed, the latest ones.
const LISTED: usize = 8;
/// Moves of a game that are listed.
const MOVES_LISTED: usize = 24;

/// The moves of the book on the board, and a door to the games of an index if the server has one.
pub(super) fn render_book(visitor: &Visitor, key: &str, game: &OthelloGameState, has_games: bool) -> Markup {
    let position = game.position();
    let moves = Book::builtin().moves(position.board());
    let games = format!("/othello/{key}/games?after={}", game.at);
    html! {
        p.quiet { (place_text(visitor, &position)) }
        @if moves.is_empty() {
            p { (visitor.text("othello-the-book-does-not-know-this")) }
        } @else {
            (render_book_moves(visitor, &position, &moves))
        }
        @if has_games {
            p { a #othello-search-games href=(games) hx-get=(games) hx-target="#othello-games" {
                (visitor.text("othello-games-of-the-wthor-database"))
            } }
            div #othello-games aria-live="polite" {}
        }
    }
}

/// Which position it is: pages step through games by themselves.
fn place_text(visitor: &Visitor, position: &Position) -> String {
    let moves = position.to_transcript();
    if moves.is_empty() {
        return visitor.text("othello-at-the-start").to_string();
    }
    let name = OpeningNames::builtin().title_of_game(position, visitor.language);
    let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
    format!("{} {moves}{name}", visitor.text("othello-after"))
}

fn render_book_moves(visitor: &Visitor, position: &Position, moves: &[BookMove]) -> Markup {
    html! {
        (render_scrolling_table(visitor.text("othello-moves-of-the-book"), &[
            Words(visitor.text("othello-move")), Numbers(visitor.text("othello-discs")), Numbers(visitor.text("othello-games")),
            Numbers(visitor.text("othello-points")), Words(visitor.text("othello-opening")),
        ], html! {
            @for known in moves { tr {
                th scope="row" { (known.square) }
                td.number { (format!("{:+}", known.value)) }
                td.number { (known.games) }
                td.number { (percent_text(known.success)) }
                td { (opening_after(visitor, position, known.square)) }
            } }
        }))
    }
}

fn percent_text(share: Option<f64>) -> String {
    share.map_or("-".to_string(), |share| format!("{:.0} %", 100.0 * share))
}

fn opening_after(visitor: &Visitor, position: &Position, square: Square) -> &'static str {
    let opening = OpeningNames::builtin().opening_at(position.board().play_unchecked(square));
    opening.and_then(|opening| opening.name(visitor.language)).unwrap_or_default()
}

/// Asks the index of games.
pub(super) fn find_games(index: &Path, board: Board) -> Result<PositionGames, PageError> {
    let problem =
        |error: &dyn std::fmt::Display| PageError::from_system_error(format!("{}: {error}", index.display()));
    let mut file = files::open_to_read(index).map_err(|error| problem(&error))?;
    find_position_games(&mut file, board, LISTED).map_err(|error| problem(&error))
}

/// Results of the games that reached a position, what was played next, and the latest of them.
pub(super) fn render_games(visitor: &Visitor, position: &Position, found: &PositionGames) -> Markup {
    let GameResults { won, drawn, lost, .. } = found.results;
    let games = found.results.games();
    html! {
        p { (place_text(visitor, position)) (visitor.text("workbench-colon"))
            (visitor.text_with("othello-games-the-side-to-move-won", args![games, won, drawn, lost]))
        }
        @if games > 0 {
            (render_table(&[
                Words(visitor.text("othello-move")), Numbers(visitor.text("othello-games")), Numbers(visitor.text("othello-points")), Words(visitor.text("othello-opening")),
            ], html! {
                @for played in &found.moves { tr {
                    th scope="row" { (played.square) }
                    td.number { (played.results.games()) }
                    td.number { (percent_text(played.results.success())) }
                    td { (opening_after(visitor, position, played.square)) }
                } }
            }))
            ul { @for game in &found.games { li { (game_text(game.year, game.score, &game.moves)) } } }
        }
    }
}

/// `2019 +12 f5d6c3d3c4...`: the year, Black's discs less White's, and the first moves.
fn game_text(year: u16, score: i32, moves: &[Square]) -> String {
    let first: String = moves.iter().take(MOVES_LISTED).map(Square::to_string).collect();
    let more = if moves.len() > MOVES_LISTED { "…" } else { "" };
    format!("{year} {score:+} {first}{more}")
}
