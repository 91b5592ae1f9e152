//! Built-in players: an [`Engine`] from the catalog, with the real clock.

// The clock that is injected into engines is read here.
#![allow(clippy::disallowed_methods)]

use std::time::{Duration, Instant};

use ishi_engines::{Action, Clock, Control, Engine, Limits};
use ishi_go::{Color, Move, Position};

use crate::clock::GameClock;
use crate::player::{Fault, NewGame, Player, Turn};
use crate::settings::GameSettings;

/// The time since it was made.
struct WallClock(Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A player that lives in this process.
pub(crate) struct BuiltinPlayer {
    engine: Box<dyn Engine>,
    settings: GameSettings,
}

impl BuiltinPlayer {
    pub(crate) fn new(engine: Box<dyn Engine>) -> BuiltinPlayer {
        BuiltinPlayer { engine, settings: GameSettings::default() }
    }

    /// Playouts as the match says, and the share of the clock that this move may have.
    fn limits(&self, position: &Position, clock: &GameClock) -> Limits {
        let (area, played) = (position.size().area(), position.moves().len());
        let budget = |left| self.settings.time.system.budget(left, area, played);
        Limits { playouts: self.settings.playouts, time: clock.left().and_then(budget), infinite: false }
    }
}

impl Player for BuiltinPlayer {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.settings = game.settings.clone();
        self.engine.set_seed(game.seed);
        Ok(())
    }

    /// Engines are given the whole position with every question.
    fn play(&mut self, _: Color, _: Move) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, position: &Position, color: Color, turn: &Turn<'_>) -> Result<Action, Fault> {
        let clock = WallClock(Instant::now());
        let mut nobody = |_: &ishi_engines::Report| {};
        let mut control = Control::quiet(self.limits(position, turn.clock), &mut nobody);
        control.clock = &clock;
        control.stop = turn.stop;
        control.may_resign = self.settings.resign;
        Ok(self.engine.choose(position, color, &mut control).action)
    }
}
