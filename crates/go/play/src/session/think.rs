//! Putting a question to the engine, with the line to the controller open all the while.

use std::time::Duration;

use ishi_go::{Color, Move};
use ishi_gtp::{CommandExchange, InputListener};
use ishi_work::StopFlag;

use super::Session;
use ishi_engine::{AnswerPurpose, Choice, Control, SearchLimits, SearchReport};

/// What ends the thinking before its limits do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndCondition {
    /// GoGui's `# interrupt`; other input waits.
    AtInterrupt,
    /// The first byte of anything.
    AtAnyInput,
}

/// How a report is written.
pub(super) type ReportFormat<'a> = &'a dyn Fn(&SearchReport) -> String;

/// A question.
pub(super) struct EngineQuestion<'a> {
    pub(super) color: Color,
    pub(super) limits: SearchLimits,
    /// Moves to choose from; `None`: all.
    pub(super) allowed: Option<&'a [Move]>,
    pub(super) purpose: AnswerPurpose,
    pub(super) may_resign: bool,
    pub(super) ends: EndCondition,
    /// Written every so often, and once at the end.
    pub(super) report: Option<(Duration, ReportFormat<'a>)>,
}

impl<'a> EngineQuestion<'a> {
    /// One's own move in the game.
    pub(super) fn new(color: Color, limits: SearchLimits) -> EngineQuestion<'a> {
        EngineQuestion {
            color,
            limits,
            allowed: None,
            purpose: AnswerPurpose::Play,
            may_resign: true,
            ends: EndCondition::AtInterrupt,
            report: None,
        }
    }
}

/// Reports are this far apart when nobody listens.
const QUIET: Duration = Duration::from_secs(3600);

impl Session {
    /// Limits for a move in the game: the clock's, or else the engine's own.
    pub(super) fn limits_for_move(&self, color: Color) -> SearchLimits {
        let (area, played) = (self.position.size().area(), self.position.moves().len());
        SearchLimits {
            time: self.clocks[color.index()].budget_for_move(area, played),
            ..SearchLimits::default()
        }
    }

    /// Thinks in the opponent's time, if the engine wants to, until anything arrives.
    pub(super) fn ponder_until_input(&mut self, listener: InputListener<'_>) {
        if !self.moved || !self.engine.wants_to_ponder() || self.position.is_over() {
            return;
        }
        let mut nobody = |_: &SearchReport| {};
        let mut control = Control {
            clock: &*self.host,
            stop: &|| listener.has_pending_input(),
            may_resign: false,
            report_every: QUIET,
            ..Control::with_limits(Session::ENDLESS, &mut nobody)
        };
        self.engine.choose(&self.position, self.position.to_move(), &mut control);
    }

    /// Has the engine choose. Reports go to the controller as lines of a streamed answer.
    pub(super) fn ask_engine(
        &mut self,
        question: &EngineQuestion<'_>,
        exchange: &mut CommandExchange<'_>,
    ) -> Choice {
        let listener = exchange.input_listener();
        let ends = question.ends;
        let nobody_reads = StopFlag::raised_if(exchange.has_failed());
        let stop = || {
            nobody_reads.is_requested()
                || match ends {
                    EndCondition::AtInterrupt => listener.is_interrupted(),
                    EndCondition::AtAnyInput => listener.has_pending_input(),
                }
        };
        let mut observer = |report: &SearchReport| {
            if let Some((_, text)) = question.report.filter(|_| report.knows_a_move()) {
                exchange.write_line(&text(report));
                if exchange.has_failed() {
                    nobody_reads.request();
                }
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
