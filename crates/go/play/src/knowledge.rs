//! A player that knows and looks ahead: no playouts, no chance. See [`ishi_knowledge::lookahead`].

use ishi_go::{Color, Move, Position};
use ishi_knowledge::lookahead::{LookAhead, LookAheadParams, Outlook, SearchPlan};
use ishi_knowledge::{ReadingOracle, Style, rules};
use ishi_rng::Seed;

use ishi_engine::catalog::{CatalogError, KeyValuePairs, parse_in_range};
use ishi_engine::{Choice, Control, Engine, EngineAction, MoveReport, SearchReport};

/// Plays what an alpha-beta over suggested moves likes best. Never resigns; passes when nothing gains anything.
#[derive(Clone, Debug)]
pub struct KnowledgePlayer {
    params: LookAheadParams,
}

impl KnowledgePlayer {
    /// A player; nothing is random in it.
    pub fn new(params: LookAheadParams) -> KnowledgePlayer {
        KnowledgePlayer { params }
    }
}

/// The parameters in these pairs; their keys are known.
pub(crate) fn parse_params(pairs: &KeyValuePairs<'_>) -> Result<LookAheadParams, CatalogError> {
    let mut params = LookAheadParams::default();
    // A preset sets every field of the style, so it comes first, wherever it stands.
    for &(_, name) in pairs.iter().filter(|(key, _)| *key == "preset") {
        params = LookAheadParams::for_style(Style::from_preset(name).map_err(CatalogError::new)?);
    }
    for &(key, value) in pairs.iter().filter(|(key, _)| *key != "preset") {
        match key {
            "depth" => params.depth = parse_in_range(key, value, 1, 20)?,
            "width" => params.width = parse_in_range(key, value, 1, 400)?,
            "quiet" => params.quiet = parse_in_range(key, value, 0, 50)?,
            "nodes" => params.nodes = parse_in_range(key, value, 1, 1_000_000)?,
            "trust" => params.trust = parse_in_range(key, value, 0.0, 10.0)?,
            _ => params.style.set(key, value).map_err(CatalogError::new)?,
        }
    }
    Ok(params)
}

impl Engine for KnowledgePlayer {
    fn name(&self) -> &str {
        "go-knowledge"
    }

    fn spec(&self) -> String {
        let LookAheadParams { depth, width, quiet, nodes, trust, style } = self.params;
        let numbers = format!("depth={depth},width={width},quiet={quiet},nodes={nodes},trust={trust}");
        match style.to_string().as_str() {
            "ishi" => format!("go-knowledge:{numbers}"),
            "many-faces" => format!("go-knowledge:preset=many-faces,{numbers}"),
            fields => format!("go-knowledge:{numbers},{fields}"),
        }
    }

    fn set_seed(&mut self, _: Seed) {}

    fn choose(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        let mut position = position.clone();
        position.set_to_move(color);
        let limits = control.limits;
        let nodes = limits.playouts.map_or(self.params.nodes, |most| most.min(self.params.nodes));
        let started = control.clock.now();
        let is_late = || limits.time.is_some_and(|time| control.clock.now().saturating_sub(started) >= time);
        let params = LookAheadParams { nodes, ..self.params };
        let mut ahead = LookAhead::new(params, ReadingOracle::default());
        let plan =
            ahead.search(&mut position, &|mv| control.allows_move(mv), &|| (control.stop)() || is_late());
        let mv = choose_allowed(&plan, &position, control);
        let report = build_report(&plan, mv, ahead.cached_analysis(&position).sente);
        (control.observer)(&report);
        Choice { action: EngineAction::Move(mv), report }
    }
}

/// The best move that is allowed; where no suggestion is, the most usual of those that are.
fn choose_allowed(plan: &SearchPlan, position: &Position, control: &Control<'_>) -> Move {
    let best = plan.best_move();
    if control.allows_move(best) {
        return best;
    }
    if let Some(candidate) = plan.candidates.first() {
        return candidate.suggestion.mv.into();
    }
    let mut usual = rules::move_strengths(position);
    usual.retain(|&(point, _)| {
        control.allows_move(point.into()) && position.is_legal(position.to_move(), point.into())
    });
    let most = usual.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    most.map_or(Move::Pass, |(point, _)| point.into())
}

fn build_report(plan: &SearchPlan, mv: Move, sente: f64) -> SearchReport {
    let told = |mv: Move, outlook: &Outlook| MoveReport {
        mv,
        visits: 1,
        win_rate: estimate_win_rate(outlook.lead, sente),
        lower_bound: estimate_win_rate(outlook.lead, sente),
        score: outlook.lead,
        variation: outlook.line.clone(),
        ..MoveReport::unsearched_move(mv)
    };
    let seen = plan.candidates.iter().filter(|candidate| candidate.outlook.value.is_finite());
    let mut moves: Vec<MoveReport> = seen
        .map(|candidate| told(candidate.suggestion.mv.into(), &candidate.outlook))
        .chain(plan.pass.iter().map(|outlook| told(Move::Pass, outlook)))
        .collect();
    moves.sort_by_key(|report| report.mv != mv);
    let score = moves.first().filter(|report| report.mv == mv).map_or(0.0, |report| report.score);
    SearchReport {
        moves,
        playouts: plan.nodes,
        win_rate: estimate_win_rate(score, sente),
        score,
        ..SearchReport::default()
    }
}

/// A guess, not a statistic: a lead of twice what the move is worth wins nearly three games of four.
fn estimate_win_rate(lead: f64, sente: f64) -> f64 {
    1.0 / (1.0 + (-lead / (2.0 * sente)).exp())
}
