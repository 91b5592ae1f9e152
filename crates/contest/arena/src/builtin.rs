//! Built-in players: an [`Engine`] from the catalog, with the real clock.

use ishi_engine::clock::GameClock;
use ishi_engine::{Control, Engine, EngineAction, SearchLimits};
use ishi_go::Color;

use crate::games::{MatchGame, MatchSettings};
use crate::player::{MatchPlayer, NewGame, PlayerFault, PlayerTurn};
use crate::stopwatch::WallClock;

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
    fn move_limits(&self, position: &G::Position, clock: &GameClock) -> SearchLimits {
        let time = G::move_time(&self.settings, position, clock);
        SearchLimits { playouts: self.settings.playouts(), time, infinite: false }
    }
}

impl<G: MatchGame> MatchPlayer<G> for BuiltinPlayer<G> {
    fn begin_game(&mut self, game: &NewGame<'_, G>) -> Result<(), PlayerFault> {
        self.settings = game.settings.clone();
        self.engine.set_seed(game.seed);
        Ok(())
    }

    /// Engines are given the whole position with every question.
    fn notify_move(&mut self, _: Color, _: G::Move) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn choose_move(
        &mut self,
        position: &G::Position,
        color: Color,
        turn: &PlayerTurn<'_>,
    ) -> Result<EngineAction<G>, PlayerFault> {
        let clock = WallClock::start();
        let mut nobody = |_: &ishi_engine::SearchReport<G>| {};
        let mut control = Control::with_limits(self.move_limits(position, turn.clock), &mut nobody);
        control.clock = &clock;
        control.stop = turn.stop;
        control.may_resign = self.settings.may_resign();
        Ok(self.engine.choose(position, G::engine_color(color), &mut control).action)
    }
}
