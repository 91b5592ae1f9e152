//! Built-in players: an [`Engine`] from the catalog, with the real clock.

// The clock that is injected into engines is read here.
#![allow(clippy::disallowed_methods)]

use std::time::{Duration, Instant};

use ishi_engine::{Action, Clock, Control, Engine, Limits};
use ishi_go::Color;

use crate::clock::GameClock;
use crate::games::{MatchGame, Settings};
use crate::player::{Fault, NewGame, Player, Turn};

/// The time since it was made.
struct WallClock(Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A player that lives in this process.
pub(crate) struct BuiltinPlayer<G: MatchGame> {
    engine: Box<dyn Engine<G>>,
    settings: G::Settings,
}

impl<G: MatchGame> BuiltinPlayer<G> {
    pub(crate) fn new(engine: Box<dyn Engine<G>>) -> BuiltinPlayer<G> {
        BuiltinPlayer { engine, settings: G::Settings::default() }
    }

    /// Playouts as the match says, and the share of the clock that this move may have.
    fn limits(&self, position: &G::Position, clock: &GameClock) -> Limits {
        let time = G::budget(&self.settings, position, clock);
        Limits { playouts: self.settings.playouts(), time, infinite: false }
    }
}

impl<G: MatchGame> Player<G> for BuiltinPlayer<G> {
    fn begin(&mut self, game: &NewGame<'_, G>) -> Result<(), Fault> {
        self.settings = game.settings.clone();
        self.engine.set_seed(game.seed);
        Ok(())
    }

    /// Engines are given the whole position with every question.
    fn play(&mut self, _: Color, _: G::Move) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, position: &G::Position, color: Color, turn: &Turn<'_>) -> Result<Action<G>, Fault> {
        let clock = WallClock(Instant::now());
        let mut nobody = |_: &ishi_engine::Report<G>| {};
        let mut control = Control::quiet(self.limits(position, turn.clock), &mut nobody);
        control.clock = &clock;
        control.stop = turn.stop;
        control.may_resign = self.settings.may_resign();
        Ok(self.engine.choose(position, G::color(color), &mut control).action)
    }
}
