//! What was played in a position: the opening book, and games of the WTHOR database.

use std::path::Path;

use ishi_othello::games_index::{GameResults, IndexedGame, PositionGames, find_position_games};
use ishi_othello::wthor::WthorNames;
use ishi_othello::{Board, Position, Square};
use ishi_othello_play::book::{Book, BookMove};
use ishi_othello_play::openings::OpeningNames;
use ishi_sgf::othello_records::{OthelloFormat, OthelloRecord, write_records};
use ishi_words::Language;
use maud::{Markup, html};

use super::game::OthelloGameState;
use crate::files;
use crate::workbench::error::PageError;
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::render_scrolling_table;
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
            (render_book_moves(visitor, &position, game.at, &moves))
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
    let in_brackets = |name: &str| match visitor.language {
        Language::English => format!(" ({name})"),
        Language::Japanese => format!("（{name}）"),
    };
    let name = name.map(in_brackets).unwrap_or_default();
    format!("{} {moves}{name}", visitor.text("othello-after"))
}

/// The row of a move that may be played: after so many moves of the game, wherever the page is by now.
fn render_move_row(square: Square, after: usize, cells: Markup) -> Markup {
    html! {
        tr data-line=(square) data-after=(after) {
            th scope="row" { button type="button" data-at=(square) data-after=(after) { (square) } }
            (cells)
        }
    }
}

fn render_book_moves(visitor: &Visitor, position: &Position, after: usize, moves: &[BookMove]) -> Markup {
    html! {
        (render_scrolling_table(visitor.text("othello-moves-of-the-book"), &[
            Words(visitor.text("othello-move")), Numbers(visitor.text("othello-discs")), Numbers(visitor.text("othello-games")),
            Numbers(visitor.text("othello-points")), Words(visitor.text("othello-opening")),
        ], html! {
            @for known in moves { (render_move_row(known.square, after, html! {
                td.number { (format!("{:+}", known.value)) }
                td.number { (known.games) }
                td.number { (percent_text(known.success)) }
                td { (opening_after(visitor, position, known.square)) }
            })) }
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

/// Results of the games that reached a position, what was played next and how often, and the latest of them, which can be opened. The position
/// stands after so many moves of the page's game.
pub(super) fn render_games(
    visitor: &Visitor,
    (position, after): (&Position, usize),
    found: &PositionGames,
    players: &WthorNames,
) -> Markup {
    let GameResults { won, drawn, lost, .. } = found.results;
    let games = found.results.games();
    html! {
        p { (place_text(visitor, position)) (visitor.text("workbench-colon"))
            (visitor.text_with("othello-games-the-side-to-move-won", args![games, won, drawn, lost]))
        }
        @if games > 0 {
            (render_scrolling_table(visitor.text("othello-moves-of-these-games"), &[
                Words(visitor.text("othello-move")), Numbers(visitor.text("othello-games")), Numbers(visitor.text("othello-points")), Words(visitor.text("othello-opening")),
            ], html! {
                @for played in &found.moves {
                    @let share = f64::from(played.results.games()) / f64::from(games);
                    (render_move_row(played.square, after, html! {
                        td.number { (played.results.games()) " (" (percent_text(Some(share))) ")" }
                        td.number { (percent_text(played.results.success())) }
                        td { (opening_after(visitor, position, played.square)) }
                    }))
                }
            }))
            p.quiet { (visitor.text("othello-the-latest-with-the-result")) }
            ul.othello-games { @for game in &found.games { li { (render_game(visitor, game, players)) } } }
        }
    }
}

/// A button that opens the game, `2019 +12` (the year, Black's discs less White's), who played it, and its first moves.
fn render_game(visitor: &Visitor, game: &IndexedGame, players: &WthorNames) -> Markup {
    let moves: Vec<String> = game.moves.iter().map(Square::to_string).collect();
    let more = if moves.len() > MOVES_LISTED { "…" } else { "" };
    let names = [game.black, game.white].map(|number| players.get(number).unwrap_or_default());
    html! {
        form method="post" action="/othello/open" {
            input type="hidden" name="text" value=(write_game(game, names).unwrap_or_default());
            button title=(visitor.text("othello-open")) { (game.year) " " (format!("{:+}", game.score)) }
        }
        @if names != [""; 2] { " " (names[0]) " – " (names[1]) }
        " " span.othello-line { (moves[..moves.len().min(MOVES_LISTED)].concat()) (more) }
    }
}

/// The game as SGF, with who played it. `None` if the index has moves that nobody can play.
fn write_game(game: &IndexedGame, [black, white]: [&str; 2]) -> Option<String> {
    let moves: String = game.moves.iter().map(Square::to_string).collect();
    let record = OthelloRecord {
        black: black.to_string(),
        white: white.to_string(),
        date: game.year.to_string(),
        result: Some(f64::from(game.score)),
        ..OthelloRecord::from_game(Position::from_transcript(&moves).ok()?)
    };
    String::from_utf8(write_records(OthelloFormat::Sgf, &[record]).ok()?).ok()
}
