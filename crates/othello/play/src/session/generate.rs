//! Commands that have the engine choose a move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ishi_gtp::Exchange;
use ishi_othello::{Color, Move};

use super::text::DiscArgs;
use super::text::vertex;
use super::{Answered, Call, OthelloSession, Refusal};
use ishi_engine::{Action, Control, Limits, Purpose};

/// Reports are this far apart when nobody listens.
const QUIET: Duration = Duration::from_secs(3600);

impl OthelloSession {
    /// A finished game is answered with a pass, which ends it for every controller.
    pub(super) fn genmove(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.disc_color()?;
        call.args.end()?;
        let step = self.step();
        self.turn_to(color)?;
        let start = self.host.now();
        let mv = self.choose(color, call.exchange);
        self.clock.spend(color.index(), self.host.now().saturating_sub(start));
        self.make(color, mv).map_err(|Refusal(error)| format!("engine error: {error}"))?;
        // With the other side's pass, if that was left out, as one step for undo.
        if let Some(last) = self.steps.last_mut() {
            *last = step;
        }
        Ok(vertex(mv))
    }

    /// As `genmove`, but the game goes on as if nothing had been asked.
    pub(super) fn reg_genmove(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.disc_color()?;
        call.args.end()?;
        let passed = self.turn_to(color)?;
        let mv = self.choose(color, call.exchange);
        if passed {
            self.game.undo();
        }
        Ok(vertex(mv))
    }

    /// The engine's move; a pass where there is none.
    fn choose(&mut self, color: Color, exchange: &mut Exchange<'_>) -> Move {
        if self.game.board().moves() == 0 {
            return Move::Pass;
        }
        let listener = exchange.listener();
        let deaf = AtomicBool::new(exchange.failed());
        let stop = || deaf.load(Ordering::Relaxed) || listener.interrupted();
        let mut control = Control {
            limits: self.limits(color),
            clock: &*self.host,
            stop: &stop,
            allowed: None,
            purpose: Purpose::Play,
            may_resign: false,
            move_ownership: false,
            observer: &mut |_| {},
            report_every: QUIET,
        };
        match self.engine.choose(&self.game, color, &mut control).action {
            Action::Move(mv) => mv,
            // It may not resign.
            Action::Resign => self.game.legal_moves().first().copied().unwrap_or(Move::Pass),
        }
    }

    /// The clock's share for this move, if there is a clock.
    fn limits(&self, color: Color) -> Limits {
        let moves = self.game.board().empties().div_ceil(2);
        Limits { time: self.clock.share(color.index(), moves), ..Limits::default() }
    }
}
