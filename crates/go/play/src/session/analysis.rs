//! Streamed analysis: the formats of Leela Zero, KataGo and Sabaki.

use std::fmt::Write;

use ishi_go::{BoardSize, Point};

use super::analyze::{AnalysisDialect, GtpAnalysisRequest};
use super::think::{EndCondition, EngineQuestion};
use super::{Session, SessionCall};
use ishi_engine::session::CommandAnswer;
use ishi_engine::{Choice, EngineAction, MoveReport, SearchReport};

impl Session {
    /// Sabaki's `analyze` and KataGo's: every number that is no count has a decimal point.
    pub(super) fn analyze(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.stream_analysis(call, AnalysisDialect::KataGo)
    }

    pub(super) fn lz_analyze(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.stream_analysis(call, AnalysisDialect::LeelaZero)
    }

    pub(super) fn genmove_analyze(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.generate_analysed(call, AnalysisDialect::KataGo)
    }

    pub(super) fn lz_genmove_analyze(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.generate_analysed(call, AnalysisDialect::LeelaZero)
    }

    /// Analyses until a byte arrives.
    fn stream_analysis(&mut self, call: &mut SessionCall<'_, '_>, dialect: AnalysisDialect) -> CommandAnswer {
        let request = GtpAnalysisRequest::parse(&mut call.args, dialect, &self.position)?;
        call.exchange.begin_stream();
        let text = self.line_format(&request, dialect);
        let question = EngineQuestion {
            allowed: request.allowed.as_deref(),
            may_resign: false,
            ends: EndCondition::AtAnyInput,
            report: Some((request.interval, &text)),
            ..EngineQuestion::new(request.color, Self::ENDLESS)
        };
        let choice = self.ask_engine(&question, call.exchange);
        if choice.report.moves.is_empty() {
            call.exchange.write_line(&text(&report_without_search(&choice)));
        }
        // A player that has nothing more to think about still answers until it is told to stop.
        call.exchange.wait_for_input();
        Ok(String::new())
    }

    /// A move of the game, with the thoughts behind it.
    fn generate_analysed(
        &mut self,
        call: &mut SessionCall<'_, '_>,
        dialect: AnalysisDialect,
    ) -> CommandAnswer {
        let request = GtpAnalysisRequest::parse(&mut call.args, dialect, &self.position)?;
        call.exchange.begin_stream();
        let text = self.line_format(&request, dialect);
        let question = EngineQuestion {
            allowed: request.allowed.as_deref(),
            report: Some((request.interval, &text)),
            ..EngineQuestion::new(request.color, self.limits_for_move(request.color))
        };
        let choice = self.ask_timed(&question, call);
        if choice.report.moves.is_empty() {
            call.exchange.write_line(&text(&report_without_search(&choice)));
        }
        // The stream has begun as a success: an error can only be told in it.
        let played = self.carry_out_action(request.color, choice.action);
        Ok(played.map_or_else(|refusal| format!("error {}", refusal.0), |mv| format!("play {mv}")))
    }

    fn line_format(
        &self,
        request: &GtpAnalysisRequest,
        dialect: AnalysisDialect,
    ) -> impl Fn(&SearchReport) -> String + use<> {
        let (request, size) = (request.clone(), self.position.size());
        move |report| analysis_line(&request, dialect, size, report)
    }
}

/// The report of a player that does not search: its choice, visited once, with an even chance.
fn report_without_search(choice: &Choice) -> SearchReport {
    let EngineAction::Move(mv) = choice.action else { return SearchReport::default() };
    let only =
        MoveReport { visits: 1, win_rate: 0.5, variation: vec![mv], ..MoveReport::unsearched_move(mv) };
    SearchReport { moves: vec![only], playouts: 1, win_rate: 0.5, ..SearchReport::default() }
}

/// One line: all moves, then what belongs to the whole board.
fn analysis_line(
    request: &GtpAnalysisRequest,
    dialect: AnalysisDialect,
    size: BoardSize,
    report: &SearchReport,
) -> String {
    // The only legal move may need no visit: it is shown all the same.
    let unvisited = request.min_moves.max(usize::from(report.moves.len() == 1));
    let shown = |(order, mv): &(usize, &MoveReport)| mv.visits > 0 || *order < unvisited;
    let moves = report.moves.iter().enumerate().filter(shown).take(request.max_moves);
    let mut parts: Vec<String> = moves
        .map(|(order, mv)| match dialect {
            AnalysisDialect::LeelaZero => leela_zero_info(order, mv),
            AnalysisDialect::KataGo => kata_go_info(order, mv),
        })
        .collect();
    if request.root_info {
        parts.push(root_info(report));
    }
    if request.ownership {
        parts.push(ownership_text(size, report));
    }
    parts.join(" ")
}

fn variation_text(mv: &MoveReport) -> String {
    mv.variation.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// `info move D4 visits 836 winrate 4656 prior 839 lcb 4640 order 0 pv D4 Q16`
fn leela_zero_info(order: usize, mv: &MoveReport) -> String {
    let share = |value: f64| (value.clamp(0.0, 1.0) * 10_000.0).round() as u32;
    format!(
        "info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
        mv.mv,
        mv.visits,
        share(mv.win_rate),
        share(mv.prior),
        share(mv.lower_bound),
        variation_text(mv)
    )
}

/// A win rate from 0 to 1 as utility from -1 to 1.
fn utility_of_win_rate(win_rate: f64) -> f64 {
    2.0 * win_rate - 1.0
}

/// `info move E4 visits 487 utility -0.040836 winrate 0.479582 ... order 0 pv E4 E3`
fn kata_go_info(order: usize, mv: &MoveReport) -> String {
    format!(
        "info move {} visits {} utility {:.6} winrate {:.6} scoreMean {:.3} scoreLead {:.3} prior {:.6} lcb {:.6} \
         utilityLcb {:.6} order {order} pv {}",
        mv.mv,
        mv.visits,
        utility_of_win_rate(mv.win_rate),
        mv.win_rate,
        mv.score,
        mv.score,
        mv.prior,
        mv.lower_bound,
        utility_of_win_rate(mv.lower_bound),
        variation_text(mv)
    )
}

fn root_info(report: &SearchReport) -> String {
    let SearchReport { playouts, win_rate, score, .. } = report;
    format!(
        "rootInfo visits {playouts} utility {:.6} winrate {win_rate:.6} scoreMean {score:.3} scoreLead {score:.3}",
        utility_of_win_rate(*win_rate)
    )
}

/// Row by row from the upper left corner; a player that knows nothing of it says 0.
fn ownership_text(size: BoardSize, report: &SearchReport) -> String {
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
