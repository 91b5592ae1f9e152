//! Games of Othello as SGF, GM[2].

use ishi_engine::Othello;
use ishi_go::Color;
use ishi_othello::{Move, Position};
use ishi_sgf::{Collection, GameTree, NodeId, OthelloGame, Property, PropertyValue};

use crate::opening::OpeningError;
use crate::pair::PairTask;
use crate::record::{EndReason, GameRecord};

/// The record of game 0 or 1 of a pair.
pub(super) fn record_to_sgf(record: &GameRecord<Othello>, task: &PairTask<Othello>, number: usize) -> String {
    let mut position = Position::start();
    for &(_, mv) in &record.moves {
        // The moves of a record were legal when they were played.
        let _ = position.play(mv);
    }
    let mut game = OthelloGame::from_position(&position);
    let name = |color: Color| Some(task.contestants[record.contestant(color)].name.clone());
    game.info.black.name = name(Color::Black);
    game.info.white.name = name(Color::White);
    game.info.result = Some(record.result);
    game.info.round = Some(format!("pair {}, game {}", task.index + 1, number + 1));
    let mut tree = game.to_tree();
    let version = PropertyValue::from_composed("ishi", env!("CARGO_PKG_VERSION"));
    tree.root_mut().set_property(Property::with_name("AP", [version]));
    add_comments(&mut tree, record);
    Collection::from_game(tree).to_sgf()
}

/// Says where the opening ends, and why the game did if not by the count.
fn add_comments(tree: &mut GameTree, record: &GameRecord<Othello>) {
    let nodes: Vec<NodeId> = tree.main_line().collect();
    let last = nodes.len() - 1;
    let mut words = vec![Vec::new(); nodes.len()];
    if record.opening > 0 {
        words[record.opening.min(last)].push("end of the opening".to_string());
    }
    if record.reason != EndReason::Score || !record.detail.is_empty() {
        let reason = format!("{}: {}", record.reason, record.detail);
        words[last].push(reason.trim_end_matches([':', ' ']).to_string());
    }
    for (node, words) in nodes.into_iter().zip(words).filter(|(_, words)| !words.is_empty()) {
        tree.node_mut(node).set_text("C", &words.join("\n"));
    }
}

/// The main line of each game, with the place of each.
pub(super) fn read_openings(bytes: &[u8]) -> Result<Vec<(String, Vec<Move>)>, OpeningError> {
    let reading = ishi_sgf::read_collection(bytes).map_err(|error| OpeningError::new("SGF", error))?;
    let mut list = Vec::new();
    for (number, tree) in reading.collection.games.iter().enumerate() {
        let place = format!("game {}", number + 1);
        let moves = main_line_moves(tree).map_err(|error| OpeningError::new(&place, error))?;
        list.push((place, moves));
    }
    Ok(list)
}

fn main_line_moves(tree: &GameTree) -> Result<Vec<Move>, String> {
    let game = OthelloGame::read_main_line(tree).map_err(|error| error.to_string())?;
    if game.start != Position::start() {
        return Err("it sets up discs: openings are made of moves".to_string());
    }
    let position = game.replay_moves(None).map_err(|error| error.to_string())?;
    Ok(position.moves().iter().map(|&(_, mv)| mv).collect())
}
