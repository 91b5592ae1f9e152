//! Why a move: what it does, what happens if it is not played, what else there is, and why not another one.
//!
//! Knowledge says what moves do ([`ishi_knowledge::explain`], claims proved by reading), a search says what they are worth, and
//! [`Tactics`] says which groups live. Words are made at the edge: [`words::explanation_text`].

use ishi_work::Stop;

pub mod picture;
pub mod review;
mod value;
pub mod words;

use std::sync::Arc;

use ishi_go::{Color, Move, Point, Position};
use ishi_knowledge::explain::{
    MoveReasons, NearbyChain, Threat, find_move_reasons, find_nearby_chains, find_prevented_threats,
};
use ishi_knowledge::rules::{self, Suggestion};
use ishi_knowledge::{Analysis, Group, GroupStrength, Keeper, NoOracle, Oracle, Reason, RuleFamily};
use ishi_rng::Seed;

use crate::analyst::Analyst;
use crate::tactics::Tactics;
use ishi_engine::SearchReport;

pub use value::{MoveVerdict, PositionValue};

/// Standard errors by which two moves have to differ before one is called better.
const SURE: f64 = 2.0;

/// How much thought an explanation gets.
#[derive(Clone, Debug)]
pub struct ExplainParams {
    /// Says what moves are worth.
    pub analyst: Analyst,
    /// Playouts for the fate of each doubtful group.
    pub group_playouts: u64,
    /// Other moves to be told.
    pub alternatives: usize,
}

impl ExplainParams {
    /// The thought of a level.
    ///
    /// # Panics
    /// If `level` is not 1 to 10.
    pub fn of_level(level: u32) -> ExplainParams {
        ExplainParams { analyst: Analyst::of_level(level), group_playouts: 300, alternatives: 2 }
    }
}

impl Default for ExplainParams {
    fn default() -> Self {
        ExplainParams::of_level(5)
    }
}

/// A move with its reasons and what a search thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedMove {
    /// The reasons.
    pub reasons: MoveReasons,
    /// The chains close to it, where reasons say little.
    pub surroundings: Vec<NearbyChain>,
    /// Probability of winning after it, for its side, 0 to 1.
    pub win_rate: f64,
    /// Expected lead after it, for its side, in points after komi.
    pub score: f64,
    /// The expected continuation, this move first.
    pub variation: Vec<Move>,
}

/// Another move than the one that is explained, held against it: both were searched from the position after them, with as much effort.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedMove {
    /// The move.
    pub mv: ExplainedMove,
    /// How it is beside the move that is explained, be that a pass.
    pub verdict: MoveVerdict,
    /// What it is more than the move that is explained, in points and in chances to win.
    pub gain: [f64; 2],
    /// What the better of the two does, as reading proves, and the other does not; its ideas where nothing is proved.
    pub missing: Vec<Reason>,
    /// The opponent's best answer to it.
    pub answer: Option<ExplainedMove>,
}

/// An explanation of a position and a move in it.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What is known of the position before the move.
    pub analysis: Analysis,
    /// Who is to move.
    pub color: Color,
    /// Moves played before.
    pub played: usize,
    /// The move that is explained: the one that was played, or the best one.
    pub mv: Option<ExplainedMove>,
    /// What the opponent does if nothing is done here, be it elsewhere; none if it passes.
    pub otherwise: Option<ExplainedMove>,
    /// The opponent's moves that undo what the move that is explained does, if it is not played.
    pub threats: Vec<Threat>,
    /// The opponent's best answer to the move that is explained, where another move is better, or nothing else is known of it.
    pub answer: Option<ExplainedMove>,
    /// The best other moves, the best first.
    pub alternatives: Vec<ComparedMove>,
    /// The moves that were asked about.
    pub why_not: Vec<ComparedMove>,
    /// Points that the search expects Black to lead by, after komi.
    pub black_lead: f64,
    /// Black's probability of winning.
    pub black_win_rate: f64,
}

impl Explanation {
    /// Groups of two stones and more that have to be looked after, or are beyond that: the worst first, of those alike the largest.
    pub fn groups_in_doubt(&self) -> Vec<&Group> {
        let in_doubt = |group: &&Group| group.strength < GroupStrength::Stable && group.stones.len() > 1;
        let mut groups: Vec<&Group> = self.analysis.groups.iter().filter(in_doubt).collect();
        groups.sort_by_key(|group| (group.strength, std::cmp::Reverse(group.stones.len())));
        groups
    }
}

/// Explains moves. Answers do not depend on earlier questions.
///
/// ```
/// use ishi_go_play::explain::{ExplainParams, Explainer, words};
/// use ishi_go::{BoardSize, Position, Rules};
/// use ishi_words::Language;
/// use ishi_rng::Seed;
/// let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
/// for vertex in ["E5", "E6", "D6", "A1", "F6", "A2"] {
///     let mv = position.size().parse_move(vertex).unwrap();
///     position.play(position.to_move(), mv).unwrap();
/// }
/// let take = position.size().parse_move("E7").unwrap();
/// let mut explainer = Explainer::new(ExplainParams::default(), Seed::new(1));
/// let explanation = explainer.explain_move(&position, Some(take), &[]);
/// let text = words::explanation_text(&explanation, Language::English);
/// assert!(text.contains("takes the stone at E6"), "{text}");
/// ```
pub struct Explainer {
    params: ExplainParams,
    seed: Seed,
    tactics: Tactics,
    keeper: Keeper,
    stop: Arc<dyn Stop + Send + Sync>,
}

impl Explainer {
    /// An explainer; everything random follows from the seed.
    pub fn new(params: ExplainParams, seed: Seed) -> Explainer {
        let tactics = Tactics::new(seed.child_seed("tactics", 0)).with_playouts(params.group_playouts);
        Explainer { params, seed, tactics, keeper: Keeper::new(), stop: Arc::new(|| false) }
    }

    /// Ends its searches soon once this says so, and begins nothing new. What it answers from then on is worth nothing: whoever stops it
    /// throws that away.
    pub fn with_stop(self, stop: impl Stop + Send + Sync + 'static) -> Explainer {
        Explainer { stop: Arc::new(stop), ..self }
    }

    /// Explains a legal move of the side to move in the position (`None`: the best one, be it a pass), and why not others. Passes have no
    /// reasons; other moves are held against them.
    pub fn explain_move(&mut self, position: &Position, mv: Option<Move>, why_not: &[Point]) -> Explanation {
        let color = position.to_move();
        let analysis = self.keeper.analyze(position, &mut self.tactics);
        let suggestions = rules::suggest_moves(position, &analysis);
        let report = self.search_position(position);
        let leads = is_mover_ahead(&report);
        let seen = PositionContext { position, analysis: &analysis, suggestions: &suggestions, leads };
        let candidates: Vec<Point> = report.moves.iter().filter_map(|found| found.mv.point()).collect();
        let mut searched = MoveSearches::default();
        let is_pass_best = report.moves.first().is_some_and(|best| best.mv == Move::Pass);
        let explained = match mv {
            Some(mv) => mv.point(),
            None if is_pass_best => None,
            None => self
                .best_candidate(position, &candidates, &mut searched)
                .or(suggestions.first().map(|suggestion| suggestion.mv)),
        };
        let others =
            candidates.into_iter().filter(|&point| Some(point) != explained && !why_not.contains(&point));
        let others: Vec<Point> = others.take(self.params.alternatives).collect();
        let mut asked: Vec<Point> = Vec::new();
        for &point in why_not.iter().filter(|&&point| position.is_legal(color, point.into())) {
            if !asked.contains(&point) {
                asked.push(point);
            }
        }
        let passed = position_after(position, Move::Pass)
            .map(|passed| self.search_position(&passed))
            .unwrap_or_default();
        let found = match explained {
            Some(point) if !self.stop.is_requested() => self.examine_move(&seen, point, &mut searched),
            _ => ExaminedMove {
                value: PositionValue::from_search(&passed, position.size()).for_other_side(),
                mv: None,
            },
        };
        let mut compare = |points: Vec<Point>| -> Vec<ComparedMove> {
            points
                .into_iter()
                .filter_map(|point| self.compare_move(&seen, &found, point, &mut searched))
                .collect()
        };
        let (mut alternatives, why_not) = (compare(others), compare(asked));
        alternatives.sort_by(|a, b| b.mv.worth_for_sorting().total_cmp(&a.mv.worth_for_sorting()));
        let is_better = |other: &ComparedMove| other.verdict == MoveVerdict::Better;
        let in_doubt = found.mv.as_ref().is_some_and(|mv| mv.reasons.says_little())
            || alternatives.iter().chain(&why_not).any(is_better);
        let answer = explained.filter(|_| in_doubt).and_then(|point| {
            self.opponent_answer(&seen, point.into(), &searched.search_after(self, position, point).report)
        });
        let otherwise = explained.and_then(|_| self.opponent_answer(&seen, Move::Pass, &passed));
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let effects = found.mv.as_ref().map(|mv| mv.reasons.effects.as_slice());
        Explanation {
            threats: find_prevented_threats(
                position,
                &analysis,
                effects.unwrap_or_default(),
                &mut self.tactics,
            ),
            color,
            played: position.moves().len(),
            otherwise,
            mv: found.mv,
            answer,
            alternatives,
            why_not,
            black_lead: sign * report.score,
            black_win_rate: if color == Color::Black { report.win_rate } else { 1.0 - report.win_rate },
            analysis,
        }
    }

    /// What the search thinks of a position, for Black, and its best move.
    pub fn value_of_position(&self, position: &Position) -> PositionValue {
        let report = self.search_position(position);
        let value = PositionValue::from_search(&report, position.size());
        PositionValue {
            best: report.moves.first().map(|found| found.mv),
            ..value.for_side(position.to_move())
        }
    }

    /// The same of the position after a move of the side to move; none if it is illegal.
    pub fn value_after(&self, position: &Position, mv: Move) -> Option<PositionValue> {
        position_after(position, mv).map(|after| self.value_of_position(&after))
    }

    fn search_position(&self, position: &Position) -> SearchReport {
        if self.stop.is_requested() {
            return SearchReport::default();
        }
        self.params.analyst.search_position(position, self.seed, &*self.stop)
    }

    /// The first candidate, unless one of the next two is better by equal searches.
    fn best_candidate(
        &self,
        position: &Position,
        candidates: &[Point],
        searched: &mut MoveSearches,
    ) -> Option<Point> {
        let (&first, others) = candidates.split_first()?;
        let best = others.iter().take(self.params.alternatives).fold(first, |best, &other| {
            let known = searched.search_after(self, position, best).value;
            match searched.search_after(self, position, other).value.compare_with(&known, SURE) {
                MoveVerdict::Better => other,
                _ => best,
            }
        });
        Some(best)
    }

    /// Reasons of a move, and what a search from the position after it thinks.
    fn examine_move(
        &mut self,
        seen: &PositionContext<'_>,
        point: Point,
        searched: &mut MoveSearches,
    ) -> ExaminedMove {
        let reasons = seen.reasons_for_move(point, &mut self.tactics);
        let SearchedMove { value, report } = searched.search_after(self, seen.position, point);
        let mut variation = vec![Move::Play(point)];
        variation.extend(report.moves.first().iter().flat_map(|best| best.variation.iter().copied()));
        ExaminedMove { value: *value, mv: Some(build_explained_move(seen, reasons, value, variation)) }
    }

    /// A move beside the one that is explained.
    fn compare_move(
        &mut self,
        seen: &PositionContext<'_>,
        best: &ExaminedMove,
        point: Point,
        searched: &mut MoveSearches,
    ) -> Option<ComparedMove> {
        if self.stop.is_requested() {
            return None;
        }
        let ExaminedMove { value, mv } = self.examine_move(seen, point, searched);
        let (mv, verdict) = (mv?, value.compare_with(&best.value, SURE));
        let missing = match (&best.mv, verdict) {
            (Some(best), MoveVerdict::Worse) => missing_reasons(best, &mv),
            (Some(best), MoveVerdict::Better) => missing_reasons(&mv, best),
            _ => Vec::new(),
        };
        let answer = self.opponent_answer(
            seen,
            point.into(),
            &searched.search_after(self, seen.position, point).report,
        );
        Some(ComparedMove { mv, verdict, gain: value.difference_from(&best.value), missing, answer })
    }

    /// The opponent's best answer to a move, by the search after it; none if that is a pass.
    fn opponent_answer(
        &mut self,
        seen: &PositionContext<'_>,
        mv: Move,
        report: &SearchReport,
    ) -> Option<ExplainedMove> {
        if self.stop.is_requested() {
            return None;
        }
        let after = position_after(seen.position, mv)?;
        let best = report.moves.first()?;
        // Groups by their looks: their fates are asked only for the position that is explained.
        let analysis = self.keeper.analyze(&after, &mut NoOracle);
        let suggestions = rules::suggest_moves(&after, &analysis);
        // Who was ahead before the move: after a pass, or a bad move, the other side may be.
        let leads = seen.leads.map(|leads| !leads);
        let seen =
            PositionContext { position: &after, analysis: &analysis, suggestions: &suggestions, leads };
        let reasons = seen.reasons_for_move(best.mv.point()?, &mut self.tactics);
        let value = PositionValue { lead: best.score, win_rate: best.win_rate, ..PositionValue::default() };
        Some(build_explained_move(&seen, reasons, &value, best.variation.clone()))
    }
}

/// Is the side to move ahead, or behind, by the search's lead and by its win rate? None if these do not agree.
fn is_mover_ahead(report: &SearchReport) -> Option<bool> {
    let [points, wins] = [report.score, report.win_rate - 0.5];
    (points * wins > 0.0).then_some(points > 0.0)
}

/// Lines within which an answer is about the same place.
pub(crate) const NEAR: usize = 7;

/// What is known of a position.
struct PositionContext<'a> {
    position: &'a Position,
    analysis: &'a Analysis,
    suggestions: &'a [Suggestion],
    /// Is the side to move ahead, by [`is_mover_ahead`]?
    leads: Option<bool>,
}

impl PositionContext<'_> {
    /// Reasons of a move of the side to move.
    fn reasons_for_move(&self, point: Point, oracle: &mut impl Oracle) -> MoveReasons {
        let mut reasons = find_move_reasons(self.position, self.analysis, self.suggestions, point, oracle);
        reasons.drop_unfit_ideas(self.leads);
        reasons
    }
}

/// A move and what it is worth; none is a pass, of which there is nothing else to say.
struct ExaminedMove {
    value: PositionValue,
    mv: Option<ExplainedMove>,
}

/// What a search thinks of the position after a move; the value is the mover's.
struct SearchedMove {
    value: PositionValue,
    report: SearchReport,
}

/// Searches from the positions after moves: each once, and all with as much effort.
#[derive(Default)]
struct MoveSearches {
    moves: Vec<(Point, SearchedMove)>,
}

impl MoveSearches {
    fn search_after(&mut self, explainer: &Explainer, position: &Position, point: Point) -> &SearchedMove {
        let known = self.moves.iter().position(|(mv, _)| *mv == point);
        let place = known.unwrap_or_else(|| {
            let report = position_after(position, point.into())
                .map(|after| explainer.search_position(&after))
                .unwrap_or_default();
            self.moves.push((
                point,
                SearchedMove {
                    value: PositionValue::from_search(&report, position.size()).for_other_side(),
                    report,
                },
            ));
            self.moves.len() - 1
        });
        &self.moves[place].1
    }
}

/// The position after a move of the side to move.
fn position_after(position: &Position, mv: Move) -> Option<Position> {
    let mut after = position.clone();
    after.play(position.to_move(), mv).ok()?;
    Some(after)
}

fn build_explained_move(
    seen: &PositionContext<'_>,
    reasons: MoveReasons,
    value: &PositionValue,
    variation: Vec<Move>,
) -> ExplainedMove {
    let surroundings = if reasons.says_little() {
        find_nearby_chains(seen.position, seen.analysis, reasons.mv)
    } else {
        Vec::new()
    };
    ExplainedMove { reasons, surroundings, win_rate: value.win_rate, score: value.lead, variation }
}

/// Differences that are told.
const TOLD: usize = 2;

/// What a move does, and another does not: what is proved, or else the weightiest idea.
fn missing_reasons(good: &ExplainedMove, other: &ExplainedMove) -> Vec<Reason> {
    let does = |wanted: &Reason| other.reasons.effects.iter().any(|reason| reason.does_the_same(wanted));
    let proved: Vec<Reason> =
        good.reasons.effects.iter().filter(|reason| !does(reason)).take(TOLD).cloned().collect();
    if !proved.is_empty() {
        return proved;
    }
    let says =
        |wanted: &Reason| other.reasons.ideas.iter().any(|reason| reason.rule.name == wanted.rule.name);
    // A shape is no reason why it is better.
    let weighs = |reason: &&Reason| {
        !matches!(reason.rule.family, RuleFamily::Shape | RuleFamily::Pattern) && !reason.is_filler()
    };
    good.reasons.ideas.iter().filter(weighs).find(|reason| !says(reason)).cloned().into_iter().collect()
}

impl ExplainedMove {
    /// In points, by which moves are sorted: a share of the probability of winning counts as well, as leads say little of fights.
    fn worth_for_sorting(&self) -> f64 {
        value::worth_in_points(self.score, self.win_rate)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use ishi_go::{BoardSize, Rules};

    use super::*;

    /// Nobody is said to be ahead whom lead and win rate do not agree on.
    #[test]
    fn who_is_ahead_is_so_by_lead_and_win_rate() {
        let report = |score: f64, win_rate: f64| SearchReport { score, win_rate, ..SearchReport::default() };
        assert_eq!(is_mover_ahead(&report(3.0, 0.6)), Some(true));
        assert_eq!(is_mover_ahead(&report(-3.0, 0.4)), Some(false));
        assert_eq!(
            [report(3.0, 0.4), report(-3.0, 0.6), report(0.0, 0.6)].map(|report| is_mover_ahead(&report)),
            [None; 3]
        );
    }

    #[test]
    fn who_is_stopped_searches_no_more() {
        let position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let params = ExplainParams::default();
        let visits = params.analyst.visits;
        let stop = move || counted.fetch_add(1, Ordering::Relaxed) >= 1;
        let mut explainer = Explainer::new(params, Seed::new(1)).with_stop(stop);
        assert!(explainer.search_position(&position).playouts < visits, "in the middle of a search");
        assert_eq!(explainer.search_position(&position), SearchReport::default());
        let explanation = explainer.explain_move(&position, None, &[Point::new(4, 4)]);
        assert!(explanation.mv.is_none() && explanation.alternatives.is_empty());
        assert!(explanation.why_not.is_empty() && explanation.otherwise.is_none());
    }
}
