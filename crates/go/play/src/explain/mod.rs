//! Why a move: what it does, what happens if it is not played, what else there is, and why not another one.
//!
//! Knowledge says what moves do ([`ishi_knowledge::explain`], claims proved by reading), a search says what they are worth, and
//! [`Tactics`] says which groups live. [`teach`] chooses what is said of it all, by whose the points are after one move and after another
//! ([`owners`]). Words are made at the edge: [`words::explanation_text`], [`say`].

pub mod answer;
pub mod answer_tree;
mod asked;
pub mod blunder;
mod explanation;
pub mod first_sight;
pub mod kept;
pub mod lesson;
pub mod lesson_words;
pub mod listener;
pub mod measure;
mod mirror;
pub mod owners;
pub mod picture;
pub mod place;
pub mod plan;
pub mod principle;
pub mod problem;
pub mod record_marks;
pub mod report;
pub mod review;
pub mod review_report;
pub mod say;
#[cfg(test)]
mod scripted;
pub mod teach;
pub(crate) mod value;
mod veto;
pub mod words;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use ishi_go::{Color, Move, Point, Position};
use ishi_knowledge::explain::{MoveReasons, find_move_reasons, find_nearby_chains, find_prevented_threats};
use ishi_knowledge::rules::{self, Suggestion};
use ishi_knowledge::{Analysis, Keeper, NoOracle, Oracle, Reason, RuleFamily};
use ishi_rng::Seed;
use ishi_work::Stop;

use self::asked::AskedJudge;
use self::veto::{JudgedTactics, KnownOwners, drop_contradicted_fates};
use crate::analyst::{Analyst, JudgeControl, JudgeError, OwnSearches, PositionJudge};
use crate::tactics::Tactics;
use ishi_engine::{MoveReport, SearchReport};

pub use asked::{PositionKey, position_key};
pub use explanation::{ComparedMove, ExplainedMove, Explanation, OpponentFirst, PassedPosition};
use explanation::{SURE, position_after};
use first_sight::{ExplanationStep, FIRST_VISITS, look_first};
use listener::Listener;
use owners::OwnerMap;
use teach::{best_better_move, move_left_open, move_that_waits};
pub use value::{ErrorModel, MarginModel, MoveVerdict, PositionValue};

/// How much thought an explanation gets.
#[derive(Clone, Debug)]
pub struct ExplainParams {
    /// Says what moves are worth.
    pub analyst: Analyst,
    /// Playouts for the fate of each doubtful group.
    pub group_playouts: u64,
    /// Other moves to be told.
    pub alternatives: usize,
    /// Who listens.
    pub listener: Listener,
}

impl ExplainParams {
    /// The thought of a level.
    ///
    /// # Panics
    /// If `level` is not 1 to 10.
    pub fn of_level(level: u32) -> ExplainParams {
        ExplainParams {
            analyst: Analyst::of_level(level),
            group_playouts: 300,
            alternatives: 2,
            listener: Listener::default(),
        }
    }
}

impl Default for ExplainParams {
    fn default() -> Self {
        ExplainParams::of_level(5)
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
    tactics: JudgedTactics,
    owners: KnownOwners,
    keeper: Keeper,
    stop: Arc<dyn Stop + Send + Sync>,
    /// For the first look, whoever judges.
    first: OwnSearches,
    /// Behind a cell: to ask again what is known changes nothing that is answered.
    judge: RefCell<AskedJudge>,
}

impl Explainer {
    /// An explainer; everything random follows from the seed.
    pub fn new(params: ExplainParams, seed: Seed) -> Explainer {
        let tactics = Tactics::new(seed.child_seed("tactics", 0)).with_playouts(params.group_playouts);
        let owners = KnownOwners::default();
        let searches = OwnSearches { analyst: params.analyst.clone(), seed };
        let first = Analyst { visits: FIRST_VISITS, ..params.analyst.clone() };
        Explainer {
            params,
            first: OwnSearches { analyst: first, seed },
            tactics: JudgedTactics::new(tactics, owners.clone()),
            keeper: Keeper::new(),
            stop: Arc::new(|| false),
            judge: RefCell::new(AskedJudge::new(Box::new(searches), owners.clone())),
            owners,
        }
    }

    /// The same with another judge of positions than our own searches.
    #[must_use]
    pub fn with_judge(self, judge: Box<dyn PositionJudge>) -> Explainer {
        Explainer { judge: RefCell::new(AskedJudge::new(judge, self.owners.clone())), ..self }
    }

    /// The same for another listener.
    #[must_use]
    pub fn with_listener(self, listener: Listener) -> Explainer {
        Explainer { params: ExplainParams { listener, ..self.params }, ..self }
    }

    /// Why the judge has failed, if it has. What was answered from then on is worth nothing, as after a stop.
    pub fn judge_failure(&self) -> Option<JudgeError> {
        self.judge.borrow().failure().cloned()
    }

    /// Is there no more to be had, because somebody stops the work or the judge has failed?
    fn is_stopped(&self) -> bool {
        self.stop.is_requested() || self.judge.borrow().has_failed()
    }

    /// Ends its searches soon once this says so, and begins nothing new. What it answers from then on is worth nothing: whoever stops it
    /// throws that away.
    pub fn with_stop(self, stop: impl Stop + Send + Sync + 'static) -> Explainer {
        let stop: Arc<dyn Stop + Send + Sync> = Arc::new(stop);
        let tactics = self.tactics.with_stop(Arc::clone(&stop));
        Explainer { stop, tactics, ..self }
    }

    /// Explains a legal move of the side to move in the position (`None`: the best one, be it a pass), and why not others. Passes have no
    /// reasons; other moves are held against them.
    pub fn explain_move(&mut self, position: &Position, mv: Option<Move>, why_not: &[Point]) -> Explanation {
        self.explain_after_first_look(position, mv, why_not, &mut |_| {})
    }

    /// The same, and `tell` hears on the way what is known: how the move looks at first sight (of the first other move, if that is what is
    /// asked about), and then what is proved.
    pub fn explain_in_steps(
        &mut self,
        position: &Position,
        mv: Option<Move>,
        why_not: &[Point],
        tell: &mut dyn FnMut(&ExplanationStep),
    ) -> Explanation {
        let asked = mv.or(why_not.first().map(|&point| point.into()));
        if let Some(sight) = look_first(&self.first, position, asked, &*self.stop) {
            tell(&ExplanationStep::FirstSight(sight));
        }
        self.explain_after_first_look(position, mv, why_not, tell)
    }

    fn explain_after_first_look(
        &mut self,
        position: &Position,
        mv: Option<Move>,
        why_not: &[Point],
        tell: &mut dyn FnMut(&ExplanationStep),
    ) -> Explanation {
        self.owners.forget_all();
        // The search first: it says whose the groups are.
        let report = self.search_position(position);
        self.ask_ahead_about_moves(position, &report, mv, why_not);
        let analysis = self.keeper.analyze(position, &mut self.tactics);
        let suggestions = rules::suggest_moves_until(position, &analysis, &*self.stop);
        let leads = is_mover_ahead(&report);
        let seen = PositionContext { position, analysis: &analysis, suggestions: &suggestions, leads };
        let mut searched = MoveSearches::default();
        let (explained, others) = self.choose_moves(&seen, &report, mv, why_not, &mut searched);
        let passed = position_after(position, Move::Pass)
            .map(|passed| self.search_position(&passed))
            .unwrap_or_default();
        let found = match explained {
            Some(point) if !self.is_stopped() => self.examine_move(&seen, point, &mut searched),
            _ => ExaminedMove { value: self.value_of_report(&passed, position).for_other_side(), mv: None },
        };
        found.mv.iter().for_each(|found| tell_deeds(found, tell));
        let mut alternatives = self.compare_moves(&seen, &found, others, &mut searched, tell);
        let asked = legal_points_once(position, why_not);
        let mut why_not = self.compare_moves(&seen, &found, asked, &mut searched, tell);
        for other in why_not.iter_mut().filter(|other| other.verdict == MoveVerdict::Worse) {
            other.left = self.find_moves_left(position, Some(other.mv.reasons.mv), explained, &mut searched);
        }
        let better = best_better_move(alternatives.iter().chain(&why_not)).map(|other| other.mv.reasons.mv);
        let left = self.find_moves_left(position, explained, better, &mut searched);
        alternatives.sort_by(|a, b| b.mv.worth_for_sorting().total_cmp(&a.mv.worth_for_sorting()));
        let answer = explained
            .filter(|_| needs_answer(&found, &alternatives, &why_not))
            .and_then(|point| self.answer_to_move(&seen, point, &mut searched));
        let otherwise = explained
            .and_then(|_| self.opponent_answer(&seen, Move::Pass, passed.moves.first()?, &mut searched));
        let effects = found.mv.as_ref().map(|mv| mv.reasons.effects.as_slice()).unwrap_or_default();
        let threats = find_prevented_threats(position, &analysis, effects, &mut self.tactics);
        let is_black = position.to_move() == Color::Black;
        let mut explanation = Explanation {
            listener: self.params.listener,
            position: position.clone(),
            threats,
            color: position.to_move(),
            played: position.moves().len(),
            otherwise,
            last: position.last_move().and_then(|(_, mv)| mv.point()),
            passed: passed_position(&passed, position),
            mv: found.mv,
            answer,
            left,
            second: None,
            theirs: None,
            opponent_first: None,
            alternatives,
            why_not,
            black_lead: if is_black { report.score } else { -report.score },
            black_win_rate: if is_black { report.win_rate } else { 1.0 - report.win_rate },
            analysis,
        };
        // More searches, only where they are told.
        if let Some(mv) = move_that_waits(&explanation) {
            explanation.second = self.find_second_move(position, mv);
        }
        if let Some(mv) = move_that_waits(&explanation).or_else(|| move_left_open(&explanation)) {
            explanation.theirs = self.find_their_move(position, mv, &mut searched);
        }
        if let Some(mv) = move_left_open(&explanation) {
            explanation.opponent_first = self.judge_opponent_first(position, mv);
        }
        explanation
    }

    /// The move to explain, none if that is a pass, and the candidates of the search to hold against it.
    fn choose_moves(
        &self,
        seen: &PositionContext<'_>,
        report: &SearchReport,
        mv: Option<Move>,
        why_not: &[Point],
        searched: &mut MoveSearches,
    ) -> (Option<Point>, Vec<Point>) {
        let candidates: Vec<Point> = report.moves.iter().filter_map(|found| found.mv.point()).collect();
        let is_pass_best = report.moves.first().is_some_and(|best| best.mv == Move::Pass);
        let explained = match mv {
            Some(mv) => mv.point(),
            None if is_pass_best => None,
            None => self
                .best_candidate(seen.position, &candidates, searched)
                .or(seen.suggestions.first().map(|suggestion| suggestion.mv)),
        };
        let others =
            candidates.into_iter().filter(|&point| Some(point) != explained && !why_not.contains(&point));
        (explained, others.take(self.params.alternatives).collect())
    }

    /// Moves beside the one that is explained; `tell` hears what is proved of each.
    fn compare_moves(
        &mut self,
        seen: &PositionContext<'_>,
        best: &ExaminedMove,
        points: Vec<Point>,
        searched: &mut MoveSearches,
        tell: &mut dyn FnMut(&ExplanationStep),
    ) -> Vec<ComparedMove> {
        let compared = points.into_iter().filter_map(|point| {
            let other = self.compare_move(seen, best, point, searched)?;
            tell_deeds(&other.mv, tell);
            Some(other)
        });
        compared.collect()
    }

    /// What the search thinks of a position, for Black, and its best move.
    pub fn value_of_position(&self, position: &Position) -> PositionValue {
        self.judge_position(position).0
    }

    /// The same of the position after a move of the side to move; none if it is illegal.
    pub fn value_after(&self, position: &Position, mv: Move) -> Option<PositionValue> {
        position_after(position, mv).map(|after| self.value_of_position(&after))
    }

    /// What the search thinks of a position, for Black, with whose the points are, where it says so.
    pub(crate) fn judge_position(&self, position: &Position) -> (PositionValue, Option<OwnerMap>) {
        let report = self.search_position(position);
        let value = self.value_of_report(&report, position);
        let best = report.moves.first().map(|found| found.mv);
        let owners = OwnerMap::from_report(&report, position.to_move(), position.size());
        (PositionValue { best, ..value.for_side(position.to_move()) }, owners)
    }

    /// The same of the position after a move of the side to move; none if it is illegal.
    pub(crate) fn judge_after(
        &self,
        position: &Position,
        mv: Move,
    ) -> Option<(PositionValue, Option<OwnerMap>)> {
        position_after(position, mv).map(|after| self.judge_position(&after))
    }

    /// What another search thinks of the position after a move, for Black: of its mirror image, which the network sees otherwise and playouts
    /// play with other chances.
    pub(crate) fn value_of_image_after(&self, position: &Position, mv: Move) -> Option<PositionValue> {
        let after = position_after(position, mv)?;
        Some(self.value_of_position(&Explainer::image_of_position(&after)))
    }

    /// The mirror image of a position; the position itself, if that cannot be replayed.
    fn image_of_position(position: &Position) -> Position {
        mirror::mirror_position(position).unwrap_or_else(|| position.clone())
    }

    fn search_position(&self, position: &Position) -> SearchReport {
        if self.stop.is_requested() {
            return SearchReport::default();
        }
        self.judge.borrow_mut().ask_about(position, &*self.stop)
    }

    /// What a report says of a position, for the side to move, and how far that may be off.
    fn value_of_report(&self, report: &SearchReport, position: &Position) -> PositionValue {
        self.judge.borrow().judge().error_model(position.size()).value_of_report(report)
    }

    /// Does the judge rather answer about many positions at once?
    fn likes_many(&self) -> bool {
        self.judge.borrow().judge().likes_many()
    }

    /// Asks a judge that likes many questions about all these positions at once; `tell` hears how many are answered.
    fn ask_ahead(&self, positions: &[Position], tell: &mut dyn FnMut(usize)) {
        if self.likes_many() && !self.is_stopped() {
            let mut control = JudgeControl { stop: &*self.stop, tell };
            self.judge.borrow_mut().ask_ahead(positions, &mut control);
        }
    }

    /// The same about the positions after the moves that an explanation will compare.
    fn ask_ahead_about_moves(
        &self,
        position: &Position,
        report: &SearchReport,
        mv: Option<Move>,
        why_not: &[Point],
    ) {
        if !self.likes_many() {
            return;
        }
        let candidates = report.moves.iter().map(|found| found.mv).take(self.params.alternatives + 1);
        let asked = why_not.iter().map(|&point| Move::Play(point));
        let moves = candidates.chain(mv).chain(asked).chain([Move::Pass]);
        let after: Vec<Position> = moves.filter_map(|mv| position_after(position, mv)).collect();
        self.ask_ahead(&after, &mut |_| {});
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
        // The search first: it says whose the groups are after the move.
        searched.search_after(self, seen.position, point);
        let mut reasons = seen.reasons_for_move(point, &mut self.tactics);
        let SearchedMove { value, report } = searched.search_after(self, seen.position, point);
        let mut variation = vec![Move::Play(point)];
        variation.extend(report.moves.first().iter().flat_map(|best| best.variation.iter().copied()));
        let (color, position) = (seen.position.to_move(), seen.position);
        let owners = OwnerMap::from_report(report, !color, position.size());
        if let Some(owners) = &owners {
            drop_contradicted_fates(&mut reasons, seen.analysis, owners);
        }
        let mv = ExplainedMove { owners, ..build_explained_move(seen, reasons, value, variation) };
        ExaminedMove { value: *value, mv: Some(mv) }
    }

    /// A move beside the one that is explained.
    fn compare_move(
        &mut self,
        seen: &PositionContext<'_>,
        best: &ExaminedMove,
        point: Point,
        searched: &mut MoveSearches,
    ) -> Option<ComparedMove> {
        if self.is_stopped() {
            return None;
        }
        let ExaminedMove { value, mv } = self.examine_move(seen, point, searched);
        let (mv, verdict) = (mv?, value.compare_with(&best.value, SURE));
        let missing = match (&best.mv, verdict) {
            (Some(best), MoveVerdict::Worse) => missing_reasons(best, &mv),
            (Some(best), MoveVerdict::Better) => missing_reasons(&mv, best),
            _ => Vec::new(),
        };
        let answer = self.answer_to_move(seen, point, searched);
        let (gain, sureness) = (value.difference_from(&best.value), value.sureness_beside(&best.value));
        let gain_error = value.lead_error.hypot(best.value.lead_error);
        let gain_margin = value.margin_beside(&best.value);
        let left = Vec::new();
        Some(ComparedMove { mv, verdict, gain, gain_error, gain_margin, sureness, missing, answer, left })
    }

    /// What reading proves of the opponent's moves after a bad one where the better one would have been: at its very point, and then the first
    /// of the judge's other moves close to it. The answer to the bad move is none of them. Nothing if one of the two moves is none.
    fn find_moves_left(
        &mut self,
        position: &Position,
        bad: Option<Point>,
        better: Option<Point>,
        searched: &mut MoveSearches,
    ) -> Vec<MoveReasons> {
        let Some((bad, better)) = bad.zip(better).filter(|_| !self.is_stopped()) else { return Vec::new() };
        let Some(after) = position_after(position, bad.into()) else { return Vec::new() };
        let report = &searched.search_after(self, position, bad).report;
        let answer = report.moves.first().and_then(|best| best.mv.point());
        let is_beside = |point: &Point| *point != better && point.lines_to(better) <= BESIDE;
        let others = report.moves.iter().skip(1).filter_map(|other| other.mv.point()).filter(is_beside);
        let is_open = |&point: &Point| Some(point) != answer && after.is_legal(after.to_move(), point.into());
        let points: Vec<Point> = std::iter::once(better).chain(others.take(1)).filter(is_open).collect();
        if points.is_empty() {
            return Vec::new();
        }
        let analysis = searched.looks_after(self, bad.into(), &after);
        let read = points
            .into_iter()
            .map(|point| find_move_reasons(&after, &analysis, &[], point, &mut self.tactics));
        read.filter(|reasons| !reasons.effects.is_empty()).collect()
    }

    /// What reading proves of the move that the same side would play next, beside the one that is explained, if the opponent passes. Judges that
    /// rather answer about many positions at once are not asked about this one.
    fn find_second_move(&mut self, position: &Position, mv: Point) -> Option<MoveReasons> {
        if self.likes_many() || self.is_stopped() {
            return None;
        }
        let twice = position_after(&position_after(position, mv.into())?, Move::Pass)?;
        let second = self.search_position(&twice).moves.first()?.mv.point()?;
        if second.lines_to(mv) > BESIDE {
            return None;
        }
        let analysis = self.keeper.analyze(&twice, &mut NoOracle);
        let reasons = find_move_reasons(&twice, &analysis, &[], second, &mut self.tactics);
        (!reasons.effects.is_empty()).then_some(reasons)
    }

    /// What reading proves of the opponent's move at a point, if the side to move passes.
    fn find_their_move(
        &mut self,
        position: &Position,
        point: Point,
        searched: &mut MoveSearches,
    ) -> Option<MoveReasons> {
        let passed = position_after(position, Move::Pass)?;
        if self.is_stopped() || !passed.is_legal(passed.to_move(), point.into()) {
            return None;
        }
        let analysis = searched.looks_after(self, Move::Pass, &passed);
        let reasons = find_move_reasons(&passed, &analysis, &[], point, &mut self.tactics);
        (!reasons.effects.is_empty()).then_some(reasons)
    }

    /// What a search thinks of the opponent's move at a point, if the side to move passes. Judges that rather answer about many positions at once are
    /// not asked about this one.
    fn judge_opponent_first(&self, position: &Position, mv: Point) -> Option<OpponentFirst> {
        let passed = position_after(position, Move::Pass)?;
        if self.likes_many() || self.is_stopped() {
            return None;
        }
        let theirs = position_after(&passed, mv.into())?;
        let report = self.search_position(&theirs);
        let owners = OwnerMap::from_report(&report, position.to_move(), position.size());
        Some(OpponentFirst { mv, lead: report.score, owners })
    }

    /// The opponent's best answer to a move, by the search after it; none if that is a pass.
    fn answer_to_move(
        &mut self,
        seen: &PositionContext<'_>,
        point: Point,
        searched: &mut MoveSearches,
    ) -> Option<ExplainedMove> {
        let best = searched.search_after(self, seen.position, point).report.moves.first()?.clone();
        self.opponent_answer(seen, point.into(), &best, searched)
    }

    /// What the opponent's best move after a move, or a pass, does; none if that is a pass.
    fn opponent_answer(
        &mut self,
        seen: &PositionContext<'_>,
        mv: Move,
        best: &MoveReport,
        searched: &mut MoveSearches,
    ) -> Option<ExplainedMove> {
        if self.is_stopped() {
            return None;
        }
        let after = position_after(seen.position, mv)?;
        let analysis = searched.looks_after(self, mv, &after);
        let suggestions = rules::suggest_moves_until(&after, &analysis, &*self.stop);
        // Who was ahead before the move: after a pass, or a bad move, the other side may be.
        let leads = seen.leads.map(|leads| !leads);
        let seen =
            PositionContext { position: &after, analysis: &analysis, suggestions: &suggestions, leads };
        let reasons = seen.reasons_for_move(best.mv.point()?, &mut self.tactics);
        let value = PositionValue { lead: best.score, win_rate: best.win_rate, ..PositionValue::default() };
        Some(build_explained_move(&seen, reasons, &value, best.variation.clone()))
    }
}

/// The points where the side to move may play, each once, in their order.
fn legal_points_once(position: &Position, points: &[Point]) -> Vec<Point> {
    let mut once: Vec<Point> = Vec::new();
    for &point in points.iter().filter(|&&point| position.is_legal(position.to_move(), point.into())) {
        if !once.contains(&point) {
            once.push(point);
        }
    }
    once
}

/// Does the opponent's answer have to say what the move's own reasons do not: they say little, or another move is better?
fn needs_answer(found: &ExaminedMove, alternatives: &[ComparedMove], why_not: &[ComparedMove]) -> bool {
    let is_better = |other: &ComparedMove| other.verdict == MoveVerdict::Better;
    found.mv.as_ref().is_some_and(|mv| mv.reasons.says_little())
        || alternatives.iter().chain(why_not).any(is_better)
}

/// What the search of the position after a pass of the side to move says, for that side.
fn passed_position(report: &SearchReport, position: &Position) -> PassedPosition {
    let owners = OwnerMap::from_report(report, !position.to_move(), position.size());
    PassedPosition { lead: -report.score, owners }
}

/// Tells what is proved of a move, if anything is.
fn tell_deeds(found: &ExplainedMove, tell: &mut dyn FnMut(&ExplanationStep)) {
    let MoveReasons { color, mv, effects, .. } = &found.reasons;
    if !effects.is_empty() {
        tell(&ExplanationStep::Proved { color: *color, mv: *mv, deeds: effects.clone() });
    }
}

/// Is the side to move ahead, or behind, by the search's lead and by its win rate? None if these do not agree.
fn is_mover_ahead(report: &SearchReport) -> Option<bool> {
    let [points, wins] = [report.score, report.win_rate - 0.5];
    (points * wins > 0.0).then_some(points > 0.0)
}

/// Lines within which an answer is about the same place.
pub(crate) const NEAR: usize = 7;

/// Lines within which a move may do the same as another.
const BESIDE: usize = 3;

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
    /// The positions after moves, by their looks.
    looks: Vec<(Move, Rc<Analysis>)>,
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
                SearchedMove { value: explainer.value_of_report(&report, position).for_other_side(), report },
            ));
            self.moves.len() - 1
        });
        &self.moves[place].1
    }

    /// The position after a move, with groups by their looks: their fates are asked only for the position that is explained. Each is analysed
    /// once.
    fn looks_after(&mut self, explainer: &mut Explainer, mv: Move, after: &Position) -> Rc<Analysis> {
        if let Some((_, known)) = self.looks.iter().find(|(known, _)| *known == mv) {
            return Rc::clone(known);
        }
        let analysis = Rc::new(explainer.keeper.analyze(after, &mut NoOracle));
        self.looks.push((mv, Rc::clone(&analysis)));
        analysis
    }
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
    ExplainedMove {
        reasons,
        surroundings,
        win_rate: value.win_rate,
        score: value.lead,
        variation,
        owners: None,
    }
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use ishi_go::{BoardSize, Rules};

    use super::*;

    /// After a bad move the opponent's move at the better one's point is read; its answer, and what nothing is proved of, is not told.
    #[test]
    fn what_a_bad_move_leaves_is_read() {
        let position = super::scripted::position_of_moves(&["E5", "E6", "A1", "D5", "A2", "F5"]);
        let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
        let params = ExplainParams { group_playouts: 10, ..ExplainParams::of_level(1) };
        let judge = super::scripted::ScriptedJudge::default();
        let mut explainer = Explainer::new(params, Seed::new(1)).with_judge(Box::new(judge));
        let mut left = |bad: Option<&str>, better: &str| {
            let mut searched = MoveSearches::default();
            explainer.find_moves_left(&position, bad.map(point), Some(point(better)), &mut searched)
        };
        let takes = left(Some("J9"), "E4");
        assert_eq!((takes[0].mv, takes[0].color), (point("E4"), Color::White));
        let is_taking =
            |effect: &Reason| (effect.rule.name, effect.about) == ("take-stone", Some(point("E5")));
        assert!(takes[0].effects.iter().any(is_taking), "{takes:?}");
        assert!(left(Some("J9"), "J1").is_empty(), "it does nothing there");
        assert!(left(None, "E4").is_empty(), "a pass");
    }

    /// A second move is read if the search plays it beside the first. A judge that is asked about many positions at once is not asked about one
    /// more.
    #[test]
    fn a_second_move_is_read_where_the_search_plays_it() {
        let size = BoardSize::square(9).unwrap();
        let point = |vertex: &str| size.parse_point(vertex).unwrap();
        // The judge's first choice is always A3: after B4 it takes White's stone at A4.
        let position = super::scripted::position_of_moves(&["A5", "A4", "J9", "J1"]);
        let second = |likes_many: bool, mv: &str| {
            let params = ExplainParams { group_playouts: 10, ..ExplainParams::of_level(1) };
            let judge = super::scripted::ScriptedJudge { likes_many, ..Default::default() };
            let mut explainer = Explainer::new(params, Seed::new(1)).with_judge(Box::new(judge));
            explainer.find_second_move(&position, point(mv))
        };
        let found = second(false, "B4").expect("it takes a stone");
        assert_eq!((found.mv, found.color), (point("A3"), Color::Black));
        let takes = |effect: &Reason| (effect.rule.name, effect.about) == ("take-stone", Some(point("A4")));
        assert!(found.effects.iter().any(takes), "{found:?}");
        assert_eq!(second(true, "B4"), None);
        assert_eq!(second(false, "J5"), None, "A3 is not beside it");
    }

    /// The opponent's move at the point of a move that can wait is read, and not searched; what nothing is proved of, and what is not allowed,
    /// is not told.
    #[test]
    fn what_the_opponent_has_at_the_same_point_is_read() {
        let position = super::scripted::position_of_moves(&["E5", "E6", "A1", "D5", "A2", "F5"]);
        let params = ExplainParams { group_playouts: 10, ..ExplainParams::of_level(1) };
        let judge = super::scripted::ScriptedJudge::default();
        let mut explainer = Explainer::new(params, Seed::new(1)).with_judge(Box::new(judge.clone()));
        let mut theirs = |vertex: &str| {
            let point = position.size().parse_point(vertex).unwrap();
            explainer.find_their_move(&position, point, &mut MoveSearches::default())
        };
        let takes = theirs("E4").expect("it takes a stone");
        assert_eq!(takes.color, Color::White);
        assert!(takes.effects.iter().any(|effect| effect.rule.name == "take-stone"), "{takes:?}");
        assert_eq!(theirs("J1"), None, "it does nothing there");
        assert_eq!(theirs("E5"), None, "there is a stone");
        assert!(judge.asked().is_empty());
    }

    /// It is never said of the only move that it can wait: a second one is not searched then.
    #[test]
    fn a_second_move_is_searched_only_where_it_is_told() {
        let position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
        let asked = |why_not: &[&str]| {
            let params = ExplainParams { group_playouts: 10, alternatives: 0, ..ExplainParams::of_level(1) };
            let judge = super::scripted::ScriptedJudge::default();
            let mut explainer = Explainer::new(params, Seed::new(1)).with_judge(Box::new(judge.clone()));
            let why_not: Vec<Point> = why_not.iter().map(|&vertex| point(vertex)).collect();
            let told = explainer.explain_move(&position, Some(point("J5").into()), &why_not);
            (judge.asked().len(), teach::teach_move(&told).verdict.kind)
        };
        let alone = asked(&[]);
        let four = "before it, after it, a pass, a second move";
        assert_eq!(alone, (5, teach::VerdictKind::Alone), "{four}, and the opponent's move there");
        let needed = (6, teach::VerdictKind::Only);
        assert_eq!(asked(&["J1", "H1"]), needed, "both others, the opponent's move, and no second move");
    }

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

    /// On a full board the analysis alone takes long: it asks at every rule whether to stop, and at every group.
    #[test]
    fn an_analysis_asks_whether_to_stop() {
        let position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let stop = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            false
        };
        let mut explainer = Explainer::new(ExplainParams::default(), Seed::new(1)).with_stop(stop);
        let mut played = position.clone();
        played.play(Color::Black, Move::Play(Point::new(4, 4))).unwrap();
        assert_eq!(explainer.tactics.falls_to_attack(played.board(), Point::new(4, 4), true), Some(false));
        let before = asked.load(Ordering::Relaxed);
        assert!(before > 0, "a group");
        let analysis = explainer.keeper.analyze(&position, &mut explainer.tactics);
        rules::suggest_moves_until(&position, &analysis, &*explainer.stop);
        assert!(asked.load(Ordering::Relaxed) > before + 10, "rules");
    }
}
