//! Engines that move: a thread for a game, as long as somebody looks.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ishi_engine::{Action, Control, Limits, Report};
use ishi_othello::{Move, Square};
use ishi_othello_play::catalog;
use ishi_rng::Seed;

use super::game::Game;
use super::state;
use crate::workbench::Desk;
use crate::workbench::error::PageError;
use crate::workbench::thoughts::{Stop, Wall};

/// The key of what moves in a game.
pub(super) fn key_of(key: &str) -> String {
    format!("othello/{key}/play")
}

/// Between moves of two engines, so that people can follow.
const PACE: Duration = Duration::from_millis(350);

/// Milliseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Lets the engine move whose turn it is, if it is one's.
pub(super) fn go_on(desk: &Arc<Desk>, key: &str, game: &Game) {
    let Some(spec) = game.engine_to_move() else { return };
    let (desk_, key_, spec, game) = (Arc::clone(desk), key.to_string(), spec.to_string(), game.clone());
    desk.moves.start(&key_of(key), move |stop| move_once(&desk_, &key_, &spec, &game, stop));
}

fn move_once(desk: &Arc<Desk>, key: &str, spec: &str, game: &Game, stop: &Stop) {
    let began = Instant::now();
    let gone = || stop.is_set() || state::audience(key).is_gone(desk);
    let Some(square) = choose(spec, game, began, &gone) else { return };
    while game.is_watched() && began.elapsed() < PACE && !gone() {
        std::thread::sleep(Duration::from_millis(10));
    }
    if gone() {
        return;
    }
    let seen = game.moves.clone();
    let play = move |game: &mut Game| {
        if game.moves != seen || game.engine_to_move().is_none() {
            return Err(PageError::changed_elsewhere());
        }
        game.play(square, now())
    };
    // A store that fails says so to the person's next request.
    let _ = desk.store_now(|store| state::alter(desk, store, key, play));
}

fn choose(spec: &str, game: &Game, began: Instant, gone: &(dyn Fn() -> bool + Sync)) -> Option<Square> {
    let mut engine = catalog::create_othello(spec, Seed::new(game.seed)).ok()?;
    let position = game.position();
    let color = position.to_move();
    let mut silent = |_: &Report<_>| {};
    let time = game.time_left(color, now()).map(|left| budget(left, game, position.board().empties()));
    let clock = Wall(began);
    let limits = Limits { time, ..Limits::default() };
    let mut control = Control { clock: &clock, stop: gone, ..Control::quiet(limits, &mut silent) };
    match engine.choose(&position, color, &mut control).action {
        Action::Move(Move::Play(square)) => Some(square),
        Action::Move(Move::Pass) | Action::Resign => None,
    }
}

/// A share of what is left for each of the moves to come, and most of what the move brings.
fn budget(left: u64, game: &Game, empties: u32) -> Duration {
    let increment = game.clock.as_ref().map_or(0, |clock| clock.increment);
    let moves = u64::from(empties / 2 + 2);
    let share = left / moves + increment * 4 / 5;
    Duration::from_millis(share.min(left * 9 / 10).max(10))
}
