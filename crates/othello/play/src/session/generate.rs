//! Commands that have the engine choose a move.

use std::time::Duration;

use ishi_gtp::CommandExchange;
use ishi_othello::{Color, Move};

use super::text::DiscArgs;
use super::text::vertex_text;
use super::{CommandAnswer, CommandRefusal, OthelloCall, OthelloSession};
use ishi_engine::{AnswerPurpose, Control, EngineAction, SearchLimits};

/// Reports are this far apart when nobody listens.
const QUIET: Duration = Duration::from_secs(3600);

impl OthelloSession {
    /// A finished game is answered with a pass, which ends it for every controller.
    pub(super) fn genmove(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_disc_color()?;
        call.args.expect_end()?;
        let step = self.current_step();
        self.turn_to(color)?;
        let start = self.host.now();
        let mv = self.choose_move(color, call.exchange);
        self.clocks[color.index()].spend_or_run_out(self.host.now().saturating_sub(start));
        self.make_move(color, mv).map_err(|CommandRefusal(error)| format!("engine error: {error}"))?;
        // With the other side's pass, if that was left out, as one step for undo.
        if let Some(last) = self.steps.last_mut() {
            *last = step;
        }
        Ok(vertex_text(mv))
    }

    /// As `genmove`, but the game goes on as if nothing had been asked.
    pub(super) fn reg_genmove(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_disc_color()?;
        call.args.expect_end()?;
        let passed = self.turn_to(color)?;
        let mv = self.choose_move(color, call.exchange);
        if passed {
            self.game.undo();
        }
        Ok(vertex_text(mv))
    }

    /// The engine's move; a pass where there is none.
    fn choose_move(&mut self, color: Color, exchange: &mut CommandExchange<'_>) -> Move {
        if self.game.board().legal_moves() == 0 {
            return Move::Pass;
        }
        let listener = exchange.input_listener();
        let nobody_reads = exchange.has_failed();
        let stop = || nobody_reads || listener.is_interrupted();
        let mut control = Control {
            limits: self.limits_for_move(color),
            clock: &*self.host,
            stop: &stop,
            allowed: None,
            purpose: AnswerPurpose::Play,
            may_resign: false,
            move_ownership: false,
            observer: &mut |_| {},
            report_every: QUIET,
        };
        match self.engine.choose(&self.game, color, &mut control).action {
            EngineAction::Move(mv) => mv,
            // It may not resign.
            EngineAction::Resign => self.game.legal_moves().first().copied().unwrap_or(Move::Pass),
        }
    }

    /// The clock's share for this move, if there is a clock.
    fn limits_for_move(&self, color: Color) -> SearchLimits {
        let moves = self.game.board().empty_count().div_ceil(2);
        SearchLimits { time: self.clocks[color.index()].share_for_move(moves), ..SearchLimits::default() }
    }
}
