//! Putting a question to the engine, with the line to the controller open all the while.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ishi_go::{Color, Move};
use ishi_gtp::{Exchange, Listener};

use super::Session;
use ishi_engine::{Choice, Control, Limits, Purpose, Report};

/// What ends the thinking before its limits do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// GoGui's `# interrupt`; other input waits.
    AtInterrupt,
    /// The first byte of anything.
    AtAnyInput,
}

/// Has a move been looked at, or is there only one? A search that is stopped at once knows of none.
fn says_something(report: &Report) -> bool {
    report.moves.len() == 1 || report.moves.iter().any(|told| told.visits > 0)
}

/// How a report is written.
pub(super) type Format<'a> = &'a dyn Fn(&Report) -> String;

/// A question.
pub(super) struct Question<'a> {
    pub(super) color: Color,
    pub(super) limits: Limits,
    /// Moves to choose from; `None`: all.
    pub(super) allowed: Option<&'a [Move]>,
    pub(super) purpose: Purpose,
    pub(super) may_resign: bool,
    pub(super) ends: Ends,
    /// Written every so often, and once at the end.
    pub(super) report: Option<(Duration, Format<'a>)>,
}

impl<'a> Question<'a> {
    /// One's own move in the game.
    pub(super) fn new(color: Color, limits: Limits) -> Question<'a> {
        Question {
            color,
            limits,
            allowed: None,
            purpose: Purpose::Play,
            may_resign: true,
            ends: Ends::AtInterrupt,
            report: None,
        }
    }
}

/// Reports are this far apart when nobody listens.
const QUIET: Duration = Duration::from_secs(3600);

impl Session {
    /// Limits for a move in the game: the clock's, or else the engine's own.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let (area, played) = (self.position.size().area(), self.position.moves().len());
        Limits { time: self.clock.budget(color.index(), area, played), ..Limits::default() }
    }

    /// Thinks in the opponent's time, if the engine wants to, until anything arrives.
    pub(super) fn ponder(&mut self, listener: Listener<'_>) {
        if !self.moved || !self.engine.ponders() || self.position.is_over() {
            return;
        }
        let mut nobody = |_: &Report| {};
        let mut control = Control {
            clock: &*self.host,
            stop: &|| listener.pending(),
            may_resign: false,
            report_every: QUIET,
            ..Control::quiet(Session::ENDLESS, &mut nobody)
        };
        self.engine.choose(&self.position, self.position.to_move(), &mut control);
    }

    /// Has the engine choose. Reports go to the controller as lines of a streamed answer.
    pub(super) fn ask(&mut self, question: &Question<'_>, exchange: &mut Exchange<'_>) -> Choice {
        let listener = exchange.listener();
        let ends = question.ends;
        let deaf = AtomicBool::new(exchange.failed());
        let stop = || {
            deaf.load(Ordering::Relaxed)
                || match ends {
                    Ends::AtInterrupt => listener.interrupted(),
                    Ends::AtAnyInput => listener.pending(),
                }
        };
        let mut observer = |report: &Report| {
            if let Some((_, text)) = question.report.filter(|_| says_something(report)) {
                exchange.line(&text(report));
                deaf.store(exchange.failed(), Ordering::Relaxed);
            }
        };
        let mut control = Control {
            limits: question.limits,
            clock: &*self.host,
            stop: &stop,
            allowed: question.allowed,
            purpose: question.purpose,
            may_resign: question.may_resign,
            move_ownership: false,
            observer: &mut observer,
            report_every: question.report.map_or(QUIET, |(every, _)| every),
        };
        self.engine.choose(&self.position, question.color, &mut control)
    }
}
