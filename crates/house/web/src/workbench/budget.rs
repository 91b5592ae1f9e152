//! What a visitor's player may cost, so that no form can take the machine from the others.

use std::thread::available_parallelism;

use ishi_engine::budget::PlayerBudget;

use super::error::PageError;

/// Bytes for a player's tree or table.
const MEMORY: u64 = 256 << 20;
/// Playouts or visits for a move: about a minute of one thread.
const POSITIONS: u64 = 1_000_000;
/// Empty squares of Othello that are searched to the end.
const DEPTH: u64 = 36;

/// The most that a visitor's player may use on this machine.
fn visitor_budget() -> PlayerBudget {
    let threads = available_parallelism().map_or(1, |cores| cores.get() as u64);
    PlayerBudget { threads, memory: MEMORY, positions: POSITIONS, depth: DEPTH }
}

/// Refuses a player that would cost too much, before it is made.
pub(super) fn check_player(player: &str) -> Result<(), PageError> {
    visitor_budget().check(player).map_err(|over| {
        let japanese = format!(
            "{}={} はこのサーバーの上限を超えています。{} は {} 以下にしてください",
            over.key, over.value, over.key, over.most
        );
        PageError::invalid_input(over.to_string(), japanese)
    })
}
