//! Engines that move: a thread for a game, as long as somebody looks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ishi_arena::stopwatch::WallClock;
use ishi_engine::{Control, EngineAction, SearchLimits, SearchReport};
use ishi_othello::{Move, Square};
use ishi_work::{Stop, StopFlag};

use super::blunder::find_warning;
use super::engines::{EngineSeat, KeptEngines};
use super::game::OthelloGameState;
use super::state;
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::rooms::now_ms;

/// The key of what moves in a game.
pub(super) fn play_key(key: &str) -> String {
    format!("othello/{key}/play")
}

/// The time between moves of two engines, so that people can follow.
const PACE: Duration = Duration::from_millis(350);

/// Lets the engine move whose turn it is, if it is one's.
pub(super) fn start_engine_move(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState) {
    let Some(spec) = game.engine_to_move() else { return };
    let (desk_, key_, spec, game) = (Arc::clone(desk), key.to_string(), spec.to_string(), game.clone());
    desk.moves.start_task(&play_key(key), move |stop| play_engine_move(&desk_, &key_, &spec, &game, stop));
}

fn play_engine_move(
    desk: &Arc<WorkbenchState>,
    key: &str,
    spec: &str,
    game: &OthelloGameState,
    stop: &StopFlag,
) {
    let began = Instant::now();
    let gone = || stop.is_requested() || state::game_audience(key).is_absent(desk);
    if game.is_to_be_judged() {
        return judge_last_move(desk, key, game, &gone);
    }
    let Some(square) = choose_square(&desk.rooms.othello, key, spec, game, began, &gone) else { return };
    while game.is_watched() && began.elapsed() < PACE && !gone() {
        std::thread::sleep(Duration::from_millis(10));
    }
    if gone() {
        return;
    }
    let seen = game.moves.clone();
    let play = move |game: &mut OthelloGameState| {
        if game.moves != seen || game.engine_to_move().is_none() {
            return Err(PageError::changed_elsewhere());
        }
        game.play(square, now_ms())
    };
    // A store that fails says so to the person's next request.
    let _ = desk.ask_store_blocking(|store| state::change_stored_game(desk, store, key, play));
}

/// Looks at the person's move of a teaching game. Then the engine answers it, unless it is a blunder.
fn judge_last_move(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState, gone: &(dyn Stop + Sync)) {
    let warning = find_warning(game, gone);
    if gone.is_requested() {
        return;
    }
    let seen = game.moves.clone();
    let keep = move |game: &mut OthelloGameState| {
        if game.moves != seen || !game.is_to_be_judged() {
            return Err(PageError::changed_elsewhere());
        }
        game.note_judgement(warning, now_ms());
        Ok(())
    };
    // A store that fails says so to the person's next request.
    let _ = desk.ask_store_blocking(|store| state::change_stored_game(desk, store, key, keep));
}

fn choose_square(
    engines: &KeptEngines,
    key: &str,
    spec: &str,
    game: &OthelloGameState,
    began: Instant,
    gone: &(dyn Stop + Sync),
) -> Option<Square> {
    let position = game.position();
    let color = position.to_move();
    let seat = EngineSeat { game: key.to_string(), color, spec: spec.to_string(), seed: game.seed };
    let mut engine = engines.take_engine(&seat)?;
    let mut silent = |_: &SearchReport<_>| {};
    let clock = WallClock::since(began);
    let limits = SearchLimits { time: game.time_for_move(now_ms()), ..SearchLimits::default() };
    let mut control = Control { clock: &clock, stop: gone, ..Control::with_limits(limits, &mut silent) };
    let action = engine.choose(&position, color, &mut control).action;
    engines.put_back(seat, engine);
    match action {
        EngineAction::Move(Move::Play(square)) => Some(square),
        EngineAction::Move(Move::Pass) | EngineAction::Resign => None,
    }
}
