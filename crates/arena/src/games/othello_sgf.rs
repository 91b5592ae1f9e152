//! Games of Othello as SGF, GM[2]: points are two letters from the top left corner as in Go, `ef` for e6; records with
//! squares such as `e6` are read, too.

use ishi_engines::Othello;
use ishi_go::{BoardSize, Color, Point};
use ishi_othello::{Move, Position, Square};
use ishi_sgf::{Collection, GameBuilder, GameTree, Ident};

use crate::opening::OpeningError;
use crate::pair::PairTask;
use crate::record::{GameRecord, Reason};

/// The property that says which game it is, and what it says of Othello.
const GM: (&str, &str) = ("GM", "2");

/// The record of game 0 or 1 of a pair.
pub(super) fn record(record: &GameRecord<Othello>, task: &PairTask<Othello>, number: usize) -> String {
    let mut game = GameBuilder::new(BoardSize::square(8).expect("8 lines are allowed"));
    game.info(Ident::new(GM.0).expect("capital letters"), GM.1);
    game.application("ishi", env!("CARGO_PKG_VERSION"));
    for color in Color::ALL {
        game.player(color, &task.contestants[record.contestant(color)].name);
    }
    game.result(record.result).round(&format!("pair {}, game {}", task.index + 1, number + 1));
    for (index, &(color, mv)) in record.moves.iter().enumerate() {
        game.play(color, on_grid(mv));
        if index + 1 == record.opening {
            game.comment("end of the opening");
        }
    }
    if record.reason != Reason::Score || !record.detail.is_empty() {
        game.comment(format!("{}: {}", record.reason, record.detail).trim_end_matches([':', ' ']));
    }
    Collection::of(game.finish()).to_sgf()
}

/// The move on a grid whose rows are counted from the bottom.
fn on_grid(mv: Move) -> ishi_go::Move {
    mv.square().map_or(ishi_go::Move::Pass, |square| {
        ishi_go::Move::Play(Point::new(square.column(), 7 - square.row()))
    })
}

/// The main line of each game, with the place of each.
pub(super) fn openings(bytes: &[u8]) -> Result<Vec<(String, Vec<Move>)>, OpeningError> {
    let reading = ishi_sgf::read(bytes).map_err(|error| OpeningError::new("SGF", error))?;
    let mut list = Vec::new();
    for (number, tree) in reading.collection.games.iter().enumerate() {
        let place = format!("game {}", number + 1);
        let moves = main_line(tree).map_err(|error| OpeningError::new(&place, error))?;
        list.push((place, moves));
    }
    Ok(list)
}

fn main_line(tree: &GameTree) -> Result<Vec<Move>, String> {
    let game = tree.root().value(GM.0).map(|value| value.to_simple_text());
    if game.as_deref().is_none_or(|game| game.trim() != GM.1) {
        return Err(format!("it is no game of Othello: it has GM[{}]", game.unwrap_or_default()));
    }
    let mut position = Position::start();
    for node in tree.main_line().map(|id| tree.node(id)) {
        if ["AB", "AW", "AE"].iter().any(|name| node.property(name).is_some()) {
            return Err("it sets up discs: openings are made of moves".to_string());
        }
        for (name, color) in [("B", Color::Black), ("W", Color::White)] {
            if let Some(value) = node.value(name) {
                play(&mut position, color, value.to_simple_text().trim())?;
            }
        }
    }
    Ok(position.moves().iter().map(|&(_, mv)| mv).collect())
}

/// Plays a move of a record; a pass that is forced may have been left out.
fn play(position: &mut Position, color: Color, text: &str) -> Result<(), String> {
    let mv = read_move(text).ok_or_else(|| {
        format!("invalid point {text:?}: write two letters such as ef, or a square such as e6")
    })?;
    if mv != Move::Pass {
        position.pass_if_forced();
    }
    let expected = position.to_move();
    if expected.index() != color.index() {
        return Err(format!("move {} is by {color}, expected {expected}", position.moves().len() + 1));
    }
    position.play(mv).map_err(|error| error.to_string())
}

fn read_move(text: &str) -> Option<Move> {
    if text.is_empty() {
        return Some(Move::Pass);
    }
    let line = |letter: u8| usize::from(letter.wrapping_sub(b'a'));
    match *text.as_bytes() {
        [column, row] if row.is_ascii_lowercase() => Square::at(line(column), line(row)).map(Move::Play),
        _ => text.parse().ok(),
    }
}
