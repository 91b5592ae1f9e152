//! Streamed analysis: the formats of Leela Zero, KataGo and Sabaki.

use std::fmt::Write;

use ishi_go::{BoardSize, Point};

use super::analyze::{Dialect, Request};
use super::think::{Ends, Question};
use super::{Call, Session};
use ishi_engine::session::Answered;
use ishi_engine::{Action, Choice, MoveReport, Report};

impl Session {
    /// Sabaki's `analyze` and KataGo's: every number that is no count has a decimal point.
    pub(super) fn analyze(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.stream(call, Dialect::KataGo)
    }

    pub(super) fn lz_analyze(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.stream(call, Dialect::LeelaZero)
    }

    pub(super) fn genmove_analyze(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.generate_analysed(call, Dialect::KataGo)
    }

    pub(super) fn lz_genmove_analyze(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.generate_analysed(call, Dialect::LeelaZero)
    }

    /// Analyses until a byte arrives.
    fn stream(&mut self, call: &mut Call<'_, '_>, dialect: Dialect) -> Answered {
        let request = Request::parse(&mut call.args, dialect, &self.position)?;
        call.exchange.begin();
        let text = self.line_format(&request, dialect);
        let question = Question {
            allowed: request.allowed.as_deref(),
            may_resign: false,
            ends: Ends::AtAnyInput,
            report: Some((request.interval, &text)),
            ..Question::new(request.color, Self::ENDLESS)
        };
        let choice = self.ask(&question, call.exchange);
        if choice.report.moves.is_empty() {
            call.exchange.line(&text(&without_search(&choice)));
        }
        // A player that has nothing more to think about still answers until it is told to stop.
        call.exchange.wait();
        Ok(String::new())
    }

    /// A move of the game, with the thoughts behind it.
    fn generate_analysed(&mut self, call: &mut Call<'_, '_>, dialect: Dialect) -> Answered {
        let request = Request::parse(&mut call.args, dialect, &self.position)?;
        call.exchange.begin();
        let text = self.line_format(&request, dialect);
        let question = Question {
            allowed: request.allowed.as_deref(),
            report: Some((request.interval, &text)),
            ..Question::new(request.color, self.limits(request.color))
        };
        let choice = self.timed(&question, call);
        if choice.report.moves.is_empty() {
            call.exchange.line(&text(&without_search(&choice)));
        }
        // The stream has begun as a success: an error can only be told in it.
        let played = self.carry_out(request.color, choice.action);
        Ok(played.map_or_else(|refusal| format!("error {}", refusal.0), |mv| format!("play {mv}")))
    }

    fn line_format(&self, request: &Request, dialect: Dialect) -> impl Fn(&Report) -> String + use<> {
        let (request, size) = (request.clone(), self.position.size());
        move |report| line(&request, dialect, size, report)
    }
}

/// The report of a player that does not search: its choice, visited once, with an even chance.
fn without_search(choice: &Choice) -> Report {
    let Action::Move(mv) = choice.action else { return Report::default() };
    let only = MoveReport { visits: 1, win_rate: 0.5, variation: vec![mv], ..MoveReport::unknown(mv) };
    Report { moves: vec![only], playouts: 1, win_rate: 0.5, ..Report::default() }
}

/// One line: all moves, then what belongs to the whole board.
fn line(request: &Request, dialect: Dialect, size: BoardSize, report: &Report) -> String {
    // The only legal move may need no visit: it is shown all the same.
    let unvisited = request.min_moves.max(usize::from(report.moves.len() == 1));
    let shown = |(order, mv): &(usize, &MoveReport)| mv.visits > 0 || *order < unvisited;
    let moves = report.moves.iter().enumerate().filter(shown).take(request.max_moves);
    let mut parts: Vec<String> = moves
        .map(|(order, mv)| match dialect {
            Dialect::LeelaZero => leela_zero(order, mv),
            Dialect::KataGo => kata_go(order, mv),
        })
        .collect();
    if request.root_info {
        parts.push(root_info(report));
    }
    if request.ownership {
        parts.push(ownership(size, report));
    }
    parts.join(" ")
}

fn variation(mv: &MoveReport) -> String {
    mv.variation.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// `info move D4 visits 836 winrate 4656 prior 839 lcb 4640 order 0 pv D4 Q16`
fn leela_zero(order: usize, mv: &MoveReport) -> String {
    let share = |value: f64| (value.clamp(0.0, 1.0) * 10_000.0).round() as u32;
    format!(
        "info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
        mv.mv,
        mv.visits,
        share(mv.win_rate),
        share(mv.prior),
        share(mv.lower_bound),
        variation(mv)
    )
}

/// A win rate from 0 to 1 as utility from -1 to 1.
fn utility(win_rate: f64) -> f64 {
    2.0 * win_rate - 1.0
}

/// `info move E4 visits 487 utility -0.040836 winrate 0.479582 ... order 0 pv E4 E3`
fn kata_go(order: usize, mv: &MoveReport) -> String {
    format!(
        "info move {} visits {} utility {:.6} winrate {:.6} scoreMean {:.3} scoreLead {:.3} prior {:.6} lcb {:.6} \
         utilityLcb {:.6} order {order} pv {}",
        mv.mv,
        mv.visits,
        utility(mv.win_rate),
        mv.win_rate,
        mv.score,
        mv.score,
        mv.prior,
        mv.lower_bound,
        utility(mv.lower_bound),
        variation(mv)
    )
}

fn root_info(report: &Report) -> String {
    let Report { playouts, win_rate, score, .. } = report;
    format!(
        "rootInfo visits {playouts} utility {:.6} winrate {win_rate:.6} scoreMean {score:.3} scoreLead {score:.3}",
        utility(*win_rate)
    )
}

/// Row by row from the upper left corner; a player that knows nothing of it says 0.
fn ownership(size: BoardSize, report: &Report) -> String {
    let mut owner = vec![0.0; Point::INDICES];
    for &(point, value) in &report.ownership {
        owner[point.index()] = value;
    }
    let mut text = "ownership".to_string();
    for row in (0..size.height()).rev() {
        for column in 0..size.width() {
            // Writing to a string cannot fail.
            let _ = write!(text, " {:.3}", owner[Point::new(column, row).index()]);
        }
    }
    text
}
