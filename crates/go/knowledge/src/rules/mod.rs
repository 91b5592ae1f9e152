//! Rules that suggest moves, each with a name, a family, a condition, a value and a sentence.
//!
//! To add one: a new entry in the table of its file (`shapes.rs` for patterns, which are data; the others for functions). Values are
//! points on 19x19; reasons of one move add up, each after the first counting half.

mod endgame;
mod groups;
mod library;
mod naming;
mod opening;
mod pattern;
mod plight;
mod races;
mod shapes;
mod tactics;

use std::sync::LazyLock;

use ishi_go::{Board, Color, Move, Point, Position};
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::library::{PatternIndex, PatternMatch};
use ishi_patterns::{FeatureScratch, MoveContext, MovePredictor};
use ishi_reading::{ChainReader, QuickReader, ReadingOutcome};
use ishi_work::Stop;

use crate::analysis::Analysis;
use crate::fates::GroupFates;
use crate::oracle::GroupStrength;
use crate::reasons::{Reason, RuleFamily};
use crate::strategy::GameBalance;
use crate::style::{MoveKinds, UrgentFirst};
use crate::urgent::UrgentGroups;
use pattern::ShapePattern;

pub use naming::name_moves;
pub(crate) use tactics::{capture_reason, rule_of_link, taking_reason};

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name: lower case, joined by `-`.
    pub name: &'static str,
    /// What it is about.
    pub family: RuleFamily,
    /// What a move is worth by it, in points.
    pub value: f64,
    /// The sentence, after "This move": `{about}`, `{other}`, `{count}`, `{sequence}` are put in;
    /// of patterns of the database also `{pattern}`, `{seen}`, `{played}`, `{won}` (per cent) and `{words}`.
    pub english: &'static str,
    /// The same in Japanese, after 「この手は」.
    pub japanese: &'static str,
    condition: Condition,
}

/// When a rule applies.
#[derive(Debug)]
enum Condition {
    /// A pattern around the move, in any of the eight symmetries.
    Shape(&'static str),
    /// The same, where the move lies towards the centre from the stone that is named.
    Inward(&'static str),
    /// The same, where the stone that is named is the opponent's last move.
    Answer(&'static str),
    /// Somebody looks for moves.
    Find(fn(&RuleContext<'_>, &'static Rule, &mut RuleFindings)),
    /// The rule speaks of what reading has found of a move; see [`crate::explain`].
    Read,
}

const fn new_rule(
    name: &'static str,
    family: RuleFamily,
    value: f64,
    english: &'static str,
    japanese: &'static str,
    condition: Condition,
) -> Rule {
    Rule { name, family, value, english, japanese, condition }
}

/// All rules, family by family as their files have them.
pub fn all_rules() -> impl Iterator<Item = &'static Rule> {
    [
        tactics::RULES,
        groups::RULES,
        races::RULES,
        plight::RULES,
        opening::RULES,
        shapes::RULES,
        library::RULES,
        endgame::RULES,
    ]
    .into_iter()
    .flatten()
}

/// The rule of this name.
pub fn find_rule(name: &str) -> Option<&'static Rule> {
    all_rules().find(|rule| rule.name == name)
}

/// The rule of a name that stands in a table.
pub(crate) fn rule_named(name: &str) -> &'static Rule {
    find_rule(name).unwrap_or_else(|| panic!("no rule is named {name}"))
}

/// Does a rule's sentence say that the side to move is ahead (true), or behind?
pub(crate) fn presumed_lead(rule: &Rule) -> Option<bool> {
    match rule.name {
        "ahead-safe" | "finish" | "answer-touched" => Some(true),
        "behind-bold" | "help-hopeless" | "bluff" => Some(false),
        _ => None,
    }
}

/// A move with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The move.
    pub mv: Point,
    /// What the reasons are worth together, in points.
    pub value: f64,
    /// Why, the weightiest first.
    pub reasons: Vec<Reason>,
    /// Does it come before those that are not urgent, whatever they are worth? See [`crate::UrgentGroups`]; only in a style where urgent
    /// moves, or kinds of moves, count.
    pub is_urgent: bool,
}

/// What rules look at.
struct RuleContext<'a> {
    position: &'a Position,
    board: &'a Board,
    analysis: &'a Analysis,
    /// The side to move.
    color: Color,
    last: Option<Point>,
    /// Patterns of the database that match.
    patterns: Vec<PatternMatch>,
}

/// What rules have found, and the readers they share.
#[derive(Default)]
struct RuleFindings {
    reader: ChainReader,
    /// The reader for what that of level 2 is not asked deep enough.
    quick: QuickReader,
    moves: Vec<(Point, Reason)>,
}

impl RuleFindings {
    /// Suggests a move, if it may be played.
    fn suggest(&mut self, view: &RuleContext<'_>, mv: Point, reason: Reason) {
        if view.board.is_legal(view.color, mv) {
            self.moves.push((mv, reason));
        }
    }

    /// Is an own chain captured for all that this move does?
    fn falls_after(&mut self, view: &RuleContext<'_>, mv: Point, stone: Point) -> bool {
        let mut after = view.board.clone();
        after.play_unchecked(view.color, Move::Play(mv));
        self.quick.attack(&after, stone).outcome != ReadingOutcome::Fails
    }
}

impl RuleContext<'_> {
    fn is_own(&self, point: Point) -> bool {
        self.board.color(point) == Some(self.color)
    }

    fn is_enemy(&self, point: Point) -> bool {
        self.board.color(point) == Some(!self.color)
    }

    /// May a move of this kind be suggested? Bad ones never; where kinds count, hard ones and tricks only to who is behind.
    fn may_play(&self, kind: MoveKind) -> bool {
        match (self.analysis.style.move_kinds, kind) {
            (_, MoveKind::Bad) => false,
            (MoveKinds::Acting, MoveKind::Hard | MoveKind::Trick) => {
                self.analysis.balance <= GameBalance::Behind
            }
            _ => true,
        }
    }

    /// Is the group of a stone dead? What its chains do matters little.
    fn is_dead(&self, stone: Point) -> bool {
        self.analysis.group_at(stone).is_some_and(|group| group.strength == GroupStrength::Dead)
    }

    fn is_empty(&self, point: Point) -> bool {
        self.board.cell(point) == ishi_go::Cell::Empty
    }

    /// Does a move take this stone?
    fn takes_stone(&self, mv: Point, stone: Point) -> bool {
        self.is_enemy(stone)
            && self.board.chain(stone).and_then(|chain| self.board.atari_liberty(chain)) == Some(mv)
    }

    /// Lines from the nearest edge, from 1.
    fn line_of(&self, point: Point) -> usize {
        pattern::edge_distance(self.board.size(), point)
    }

    /// Stones of any colour within so many lines.
    fn stones_near(&self, point: Point, lines: usize) -> usize {
        let near = |other: &Point| other.lines_to(point) <= lines && self.board.color(*other).is_some();
        self.board.size().points().filter(near).count()
    }
}

/// Suggests moves for the side to move, the best first.
///
/// ```
/// use ishi_go::{BoardSize, Position, Rules};
/// use ishi_knowledge::{Analysis, NoOracle, rules};
/// let position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
/// let analysis = Analysis::analyze(&position, &mut NoOracle);
/// let best = &rules::suggest_moves(&position, &analysis)[0];
/// assert_eq!(best.reasons[0].rule.family.name(), "corner");
/// ```
pub fn suggest_moves(position: &Position, analysis: &Analysis) -> Vec<Suggestion> {
    suggest_moves_until(position, analysis, &|| false)
}

/// [`suggest_moves`], but that it is asked before every rule whether to stop. What is found then is worth nothing.
pub fn suggest_moves_until(position: &Position, analysis: &Analysis, stop: &dyn Stop) -> Vec<Suggestion> {
    if stop.is_requested() {
        return Vec::new();
    }
    let view = RuleContext {
        position,
        board: position.board(),
        analysis,
        color: position.to_move(),
        last: position.last_move().and_then(|(_, mv)| mv.point()),
        patterns: PatternIndex::shipped().find_matches(position.board(), &GroupFates(analysis)),
    };
    let mut out = RuleFindings::default();
    for rule in all_rules() {
        if stop.is_requested() {
            return Vec::new();
        }
        if let Condition::Find(find) = rule.condition {
            find(&view, rule, &mut out);
        }
    }
    for &(rule, ref pattern) in PATTERNS.iter() {
        pattern.find_matches(view.board, view.color, view.last, |mv, [about, other]| {
            let reason = Reason { about, other, ..Reason::for_rule(rule) };
            if view.board.is_sensible(view.color, mv) {
                out.suggest(&view, mv, reason);
            }
        });
    }
    let mut suggestions = gather_suggestions(position, out.moves);
    put_urgent_first(&view, &mut suggestions);
    suggestions
}

/// Marks what is urgent in the style of the analysis, and puts it first.
fn put_urgent_first(view: &RuleContext<'_>, suggestions: &mut [Suggestion]) {
    let style = view.analysis.style;
    let groups = match style.urgent_first {
        UrgentFirst::No => UrgentGroups::default(),
        UrgentFirst::Yes => UrgentGroups::for_side(view.analysis, view.color),
    };
    let kinds_count = style.urgent_first == UrgentFirst::Yes || style.move_kinds == MoveKinds::Acting;
    let is_urgent = |reason: &Reason| groups.is_served_by(reason) || kinds_count && reason.is_urgent;
    for found in suggestions.iter_mut() {
        found.is_urgent = found.reasons.iter().any(is_urgent) || groups.is_decided_by(found.mv);
    }
    // The order stays otherwise.
    suggestions.sort_by_key(|found| !found.is_urgent);
}

/// The patterns of all rules that have one, made ready.
static PATTERNS: LazyLock<Vec<(&'static Rule, ShapePattern)>> = LazyLock::new(|| {
    let shape = |rule: &'static Rule| match rule.condition {
        Condition::Shape(text) => Some((rule, ShapePattern::parse(text))),
        Condition::Inward(text) => Some((rule, ShapePattern::parse(text).facing_inward())),
        Condition::Answer(text) => Some((rule, ShapePattern::parse(text).into_answer())),
        Condition::Find(_) | Condition::Read => None,
    };
    all_rules().filter_map(shape).collect()
});

/// Reasons by their moves. A move that is never played in such a place is worth less, whatever rules say for it.
fn gather_suggestions(position: &Position, found: Vec<(Point, Reason)>) -> Vec<Suggestion> {
    let mut suggestions: Vec<Suggestion> = Vec::new();
    for (mv, reason) in found {
        match suggestions.iter_mut().find(|suggestion| suggestion.mv == mv) {
            Some(suggestion) if suggestion.reasons.contains(&reason) => {}
            Some(suggestion) => suggestion.reasons.push(reason),
            None => {
                suggestions.push(Suggestion { mv, value: 0.0, reasons: vec![reason], is_urgent: false });
            }
        }
    }
    let strengths = move_strengths(position);
    for suggestion in &mut suggestions {
        suggestion.reasons.sort_by(|a, b| b.value.total_cmp(&a.value));
        let values = suggestion.reasons.iter().map(|reason| reason.value);
        let sum = values.enumerate().map(|(n, value)| if n == 0 { value } else { value / 2.0 }).sum::<f64>();
        suggestion.value = sum + usualness_points(&strengths, suggestion.mv);
    }
    suggestions.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.mv.index().cmp(&b.mv.index())));
    suggestions
}

/// Points that a move gains or loses by how usual it is among strong players.
fn usualness_points(strengths: &[(Point, f32)], mv: Point) -> f64 {
    let total: f32 = strengths.iter().map(|(_, strength)| strength).sum();
    let own = strengths.iter().find(|(point, _)| *point == mv).map_or(0.0, |(_, strength)| *strength);
    let share = f64::from(own / total.max(f32::MIN_POSITIVE));
    // A move of average share is worth nothing; each factor e two points.
    let average = 1.0 / strengths.len().max(1) as f64;
    2.0 * (share.max(1e-6) / average).ln()
}

/// The strengths of all legal moves, as learned from games.
pub fn move_strengths(position: &Position) -> Vec<(Point, f32)> {
    let mut last = position.moves().iter().rev().map(|&(_, mv)| mv.point());
    let context = MoveContext {
        board: position.board(),
        to_move: position.to_move(),
        last: last.next().flatten(),
        before: last.next().flatten(),
    };
    let mut rated = Vec::new();
    MovePredictor::shipped().rate_moves(&context, &mut FeatureScratch::new(), &mut rated);
    rated
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Diagram, Rules};

    use super::*;
    use crate::NoOracle;
    use crate::words::describe_reason;
    use ishi_words::Language;

    /// All that rules say of a move of Black, after a move of White if there is one.
    pub(super) fn said(board: &str, white: Option<&str>, mv: &str) -> Vec<String> {
        let diagram: Diagram = board.parse().unwrap();
        let to_move = if white.is_some() { Color::White } else { Color::Black };
        let mut position = diagram.to_position(Rules::CHINESE, to_move).unwrap();
        if let Some(white) = white {
            position.play(Color::White, position.size().parse_move(white).unwrap()).unwrap();
        }
        let suggestions = suggest_moves(&position, &Analysis::analyze(&position, &mut NoOracle));
        let here = suggestions.iter().filter(|suggestion| suggestion.mv.to_string() == mv);
        here.flat_map(|here| &here.reasons).map(|found| describe_reason(found, Language::English)).collect()
    }

    #[test]
    fn rules_hear_a_stop() {
        let position = Position::new(ishi_go::BoardSize::square(19).unwrap(), Rules::CHINESE);
        let analysis = Analysis::analyze(&position, &mut NoOracle);
        assert!(!suggest_moves(&position, &analysis).is_empty());
        let looks = std::cell::Cell::new(0);
        let after_three = || {
            looks.set(looks.get() + 1);
            looks.get() > 3
        };
        assert!(suggest_moves_until(&position, &analysis, &after_three).is_empty());
        assert_eq!(looks.get(), 4, "nothing is looked for after it");
    }

    #[test]
    fn every_rule_has_its_own_name_and_sentences_that_can_be_filled() {
        let mut names: Vec<&str> = all_rules().map(|rule| rule.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "a name stands twice");
        for rule in all_rules() {
            for sentence in [rule.english, rule.japanese] {
                let of_all = ["{about}", "{other}", "{count}", "{sequence}"];
                let of_patterns = ["{pattern}", "{seen}", "{played}", "{won}", "{words}"];
                let known =
                    of_all.iter().chain(of_patterns.iter().filter(|_| rule.family == RuleFamily::Pattern));
                let rest = known.fold(sentence.to_string(), |text, place| text.replace(place, ""));
                assert!(!rest.contains(['{', '}']) && !sentence.is_empty(), "{}: {sentence}", rule.name);
            }
            assert!(rule.value >= 0.0 && rule.value <= 100.0, "{}", rule.name);
        }
    }
}
