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

/// The time between moves of two engines, so that people can follow.
const PACE: Duration = Duration::from_millis(350);

/// A change of the game that was thought out.
pub(super) type EngineDeed = Box<dyn FnOnce(&mut OthelloGameState) -> Result<(), PageError>>;

/// Lets the engine think whose turn it is, if it is one's. `keep` makes the change of the game that it comes to.
pub(super) fn start_engine_move(
    desk: &Arc<WorkbenchState>,
    key: &str,
    game: &OthelloGameState,
    keep: fn(&Arc<WorkbenchState>, &str, EngineDeed),
) {
    let Some(spec) = game.engine_to_move() else { return };
    let (desk_, key_, spec, game) = (Arc::clone(desk), key.to_string(), spec.to_string(), game.clone());
    desk.moves.start_task(&state::play_key(key), move |stop| {
        if let Some(deed) = think_of_deed(&desk_, &key_, &spec, &game, stop) {
            keep(&desk_, &key_, deed);
        }
    });
}

/// The engine's move, or what it has to say of the person's; `None` if nobody waits for it any more.
fn think_of_deed(
    desk: &WorkbenchState,
    key: &str,
    spec: &str,
    game: &OthelloGameState,
    stop: &StopFlag,
) -> Option<EngineDeed> {
    let began = Instant::now();
    let gone = || stop.is_requested() || state::game_audience(key).is_absent(desk);
    if game.is_to_be_judged() {
        return judge_last_move(game, &gone);
    }
    let square = choose_square(&desk.rooms.othello, key, spec, game, began, &gone)?;
    while game.is_watched() && began.elapsed() < PACE && !gone() {
        std::thread::sleep(Duration::from_millis(10));
    }
    if gone() {
        return None;
    }
    let seen = game.moves.clone();
    Some(Box::new(move |game: &mut OthelloGameState| {
        if game.moves != seen || game.engine_to_move().is_none() {
            return Err(PageError::changed_elsewhere());
        }
        game.play(square, now_ms())
    }))
}

/// Looks at the person's move of a teaching game. Then the engine answers it, unless it is a blunder.
fn judge_last_move(game: &OthelloGameState, gone: &(dyn Stop + Sync)) -> Option<EngineDeed> {
    let warning = find_warning(game, gone);
    if gone.is_requested() {
        return None;
    }
    let seen = game.moves.clone();
    Some(Box::new(move |game: &mut OthelloGameState| {
        if game.moves != seen || !game.is_to_be_judged() {
            return Err(PageError::changed_elsewhere());
        }
        game.note_judgement(warning, now_ms());
        Ok(())
    }))
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
