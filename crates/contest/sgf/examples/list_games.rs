//! What the games of a file are, and what was repaired in it.
//!
//! `cargo run -p ishi-sgf --example list_games -- FILE`

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It reads a file, and tells what is in it.

use ishi_sgf::{GoGame, PlayerInfo, read_collection};

/// Shown where no file is given. It has a point beside the board, and no end.
const SAMPLE: &[u8] = b"(;GM[1]SZ[9]PB[Aki]PW[Bo]KM[6.5]RE[B+R];B[ee];W[zz];B[cc]";

fn player_name(player: &PlayerInfo) -> &str {
    player.name.as_deref().unwrap_or("somebody")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => SAMPLE.to_vec(),
    };
    let reading = read_collection(&bytes)?;
    for warning in reading.warnings.iter() {
        println!("repaired: {warning}");
    }
    for (number, tree) in (1..).zip(&reading.collection.games) {
        match GoGame::read_main_line(tree) {
            Ok(game) => {
                let (black, white) = (player_name(&game.info.black), player_name(&game.info.white));
                let result = game.info.result.map_or_else(|| "?".to_string(), |result| result.to_string());
                let moves = game.moves().count();
                println!("{number}: {black} - {white}, {}, {moves} moves, {result}", game.info.size);
                for warning in game.warnings.iter() {
                    println!("   left out: {warning}");
                }
            }
            Err(error) => println!("{number}: {error}"),
        }
    }
    Ok(())
}
