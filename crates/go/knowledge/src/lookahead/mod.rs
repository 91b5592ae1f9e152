//! Looking ahead: suggested moves are played out, what is unsettled is settled, and the end is judged.
//!
//! After D. Fotland, "Knowledge representation in The Many Faces of Go" (1993): the count of a position is believed only when it is
//! quiet. [`find_unsettled`] names what whoever moves first decides; [`LookAhead::settle_to_quiet`] has both sides settle it in turn, the bigger
//! first; [`LookAhead::play_out`] plays a suggestion's sequence (joseki, pattern, reading) to its end; [`LookAhead::search`] is an
//! alpha-beta over the moves that [`crate::rules`] suggest. Values are points for the side to move, komi included, with the value of
//! sente. No clock and no chance: a position, parameters and an oracle that always answers alike give one result.

mod quiet;
mod search;
mod sequel;
mod settling;

use std::collections::BTreeMap;
use std::sync::Arc;

use ishi_go::{Move, Point, Position};

use crate::analysis::Analysis;
use crate::check::Mismatch;
use crate::oracle::Oracle;
use crate::reasons::{Reason, RuleFamily};
use crate::rules::{self, Suggestion};
use crate::style::{Style, UrgentFirst};
use crate::tactical::{Keeper, ReadingCounts};

pub use quiet::{QuietPosition, Unsettled, find_unsettled};
pub use search::{Candidate, SearchPlan};
use sequel::Sequel;
pub use settling::count_settling_patterns;

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAheadParams {
    /// Plies of the search, 1 and more.
    pub depth: usize,
    /// Suggestions that are looked at in each position, 1 and more.
    pub width: usize,
    /// Moves at most that settle what is unsettled, before a position is counted.
    pub quiet: usize,
    /// Positions that are looked at for one search; the last depth that was finished counts.
    pub nodes: u64,
    /// Share of a suggestion's own value that counts beside what the look-ahead finds: rules know of shape and of the future what
    /// the count of territory does not.
    pub trust: f64,
    /// How positions are judged and moves are chosen.
    pub style: Style,
}

impl LookAheadParams {
    /// How far the style looks: The Many Faces of Go looked at fewer than 100 positions for a move (section 2).
    pub fn for_style(style: Style) -> LookAheadParams {
        let nodes = if style == Style::many_faces() { MANY_FACES_NODES } else { NODES };
        LookAheadParams { depth: 2, width: 5, quiet: 4, nodes, trust: 0.5, style }
    }
}

/// Positions that are looked at for a move, if nothing else is said.
const NODES: u64 = 2000;
/// In the manner of The Many Faces of Go: what has begun is finished, so that there are fewer than 100 in all.
const MANY_FACES_NODES: u64 = 70;

impl Default for LookAheadParams {
    fn default() -> Self {
        LookAheadParams::for_style(Style::ishi())
    }
}

/// What is expected of a move or a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Points for the side to move at the start: the lead at the end, the value of sente, and what suggestions count of their own.
    pub value: f64,
    /// Points by which that side leads at the end, komi included.
    pub lead: f64,
    /// The expected moves from the start.
    pub line: Vec<Move>,
}

/// What decides the suggestions of a position: stones with the side to move, ko, the last two moves.
type PositionKey = (u64, Option<Point>, [Option<Move>; 2]);

/// A suggestion as the search needs it.
#[derive(Clone, Debug)]
struct SearchMove {
    mv: Point,
    value: f64,
    /// How the suggestion's sequence goes on.
    sequel: Sequel,
}

/// Looks ahead with knowledge that is kept from position to position.
#[derive(Clone, Debug)]
pub struct LookAhead<O> {
    params: LookAheadParams,
    keeper: Keeper,
    oracle: O,
    nodes: u64,
    analyses: BTreeMap<PositionKey, Arc<Analysis>>,
    choices: BTreeMap<PositionKey, Arc<[SearchMove]>>,
}

impl<O: Oracle> LookAhead<O> {
    /// Nothing is known yet.
    pub fn new(params: LookAheadParams, oracle: O) -> LookAhead<O> {
        LookAhead {
            params,
            keeper: Keeper::with_style(params.style),
            oracle,
            nodes: 0,
            analyses: BTreeMap::new(),
            choices: BTreeMap::new(),
        }
    }

    /// The same in checking mode: see [`Keeper::with_checking`].
    pub fn with_checking(self) -> LookAhead<O> {
        LookAhead { keeper: self.keeper.with_checking(), ..self }
    }

    /// The same with what a keeper knows of the position already, so that it is not read again. A keeper of another style is of no use here.
    ///
    /// ```
    /// use ishi_go::{BoardSize, Position, Rules};
    /// use ishi_knowledge::lookahead::{LookAhead, LookAheadParams};
    /// use ishi_knowledge::{Keeper, NoOracle, ReadingOracle, rules};
    /// let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
    /// let mut keeper = Keeper::new();
    /// let best = rules::suggest_moves(&position, &keeper.analyze(&position, &mut NoOracle)).remove(0);
    /// let ahead = LookAhead::new(LookAheadParams::default(), ReadingOracle::default());
    /// assert!(ahead.with_keeper(keeper).play_out(&mut position, &best).is_some());
    /// ```
    pub fn with_keeper(self, keeper: Keeper) -> LookAhead<O> {
        if keeper.style() == self.params.style { LookAhead { keeper, ..self } } else { self }
    }

    /// Questions of level 2 that were asked and read so far.
    pub fn reading_counts(&self) -> ReadingCounts {
        self.keeper.reading_counts()
    }

    /// What checking has found since the last call of this.
    pub fn take_differences(&mut self) -> Vec<Mismatch> {
        self.keeper.take_differences()
    }

    /// Positions of the last search for which all rules were asked.
    pub fn count_evaluated_positions(&self) -> usize {
        // That of the game itself is not kept.
        1 + self.choices.len()
    }

    /// All levels of a position.
    pub fn cached_analysis(&mut self, position: &Position) -> Arc<Analysis> {
        let key = position_key(position);
        if let Some(known) = self.analyses.get(&key) {
            return known.clone();
        }
        self.nodes += 1;
        let found = Arc::new(self.keeper.analyze(position, &mut self.oracle));
        self.analyses.insert(key, found.clone());
        found
    }

    /// The moves of a position that are looked at, the likeliest first.
    fn moves_to_search(&mut self, position: &Position) -> Arc<[SearchMove]> {
        let key = position_key(position);
        if let Some(known) = self.choices.get(&key) {
            return known.clone();
        }
        let suggestions = rules::suggest_moves(position, &self.cached_analysis(position));
        let found: Arc<[SearchMove]> = suggestions_to_search(&suggestions, self.params.style)
            .iter()
            .take(self.params.width)
            .map(to_search_move)
            .collect();
        self.choices.insert(key, found.clone());
        found
    }

    /// What comes of a suggestion for the side to move: the sequence of its weightiest reason that has one is played, what is
    /// unsettled then is settled, and the end is judged. The position is left as it was; `None`: the move is not legal.
    ///
    /// ```
    /// use ishi_go::{BoardSize, Position, Rules};
    /// use ishi_knowledge::lookahead::{LookAhead, LookAheadParams};
    /// use ishi_knowledge::{ReadingOracle, rules};
    /// let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
    /// let mut ahead = LookAhead::new(LookAheadParams::default(), ReadingOracle::default());
    /// let best = rules::suggest_moves(&position, &ahead.cached_analysis(&position)).remove(0);
    /// let outlook = ahead.play_out(&mut position, &best).unwrap();
    /// assert_eq!(outlook.line[0], best.mv.into());
    /// ```
    pub fn play_out(&mut self, position: &mut Position, suggestion: &Suggestion) -> Option<Outlook> {
        let color = position.to_move();
        position.play(color, suggestion.mv.into()).ok()?;
        let told = suggestion.reasons.iter().find(|reason| reason.sequence.len() > 1);
        let after = self.play_sequel(position, &told.map(sequel_of_reason).unwrap_or_default());
        position.undo();
        Some(after.seen_before(Move::Play(suggestion.mv), 0.0))
    }

    /// The end of what a sequel leads to: of its lines each side chooses what is best for it; at their ends what is unsettled is
    /// settled, and the rest is counted.
    fn play_sequel(&mut self, position: &mut Position, sequel: &Sequel) -> Outlook {
        let color = position.to_move();
        let mut best: Option<Outlook> = None;
        for step in sequel.moves_of(color) {
            if position.play(color, step.at.into()).is_err() {
                continue;
            }
            let found = self.play_sequel(position, &step.then).seen_before(Move::Play(step.at), 0.0);
            position.undo();
            if best.as_ref().is_none_or(|best| found.value > best.value) {
                best = Some(found);
            }
        }
        best.unwrap_or_else(|| self.settle_position(position))
    }

    /// What is expected once what is unsettled is settled.
    fn settle_position(&mut self, position: &mut Position) -> Outlook {
        let color = position.to_move();
        let quiet = self.settle_to_quiet(position);
        let line = quiet.line.iter().map(|&(_, point)| Move::Play(point)).collect();
        Outlook { value: quiet.value_for(color), lead: quiet.lead_for(color), line }
    }
}

impl Outlook {
    /// The same seen from the move before it, by the other side, for which `gain` counts as well.
    fn seen_before(mut self, mv: Move, gain: f64) -> Outlook {
        self.line.insert(0, mv);
        Outlook { value: gain - self.value, lead: -self.lead, line: self.line }
    }
}

fn take_back(position: &mut Position, moves: usize) {
    for _ in 0..moves {
        position.undo();
    }
}

fn position_key(position: &Position) -> PositionKey {
    let mut last = position.moves().iter().rev().map(|&(_, mv)| mv);
    (position.situation_hash(), position.board().ko_point(), [last.next(), last.next()])
}

/// The suggestions that are looked at first: where urgent moves come before all others and there are some, these alone.
fn suggestions_to_search(suggestions: &[Suggestion], style: Style) -> &[Suggestion] {
    if style.urgent_first == UrgentFirst::No {
        return suggestions;
    }
    // The order has urgent ones first.
    let urgent = suggestions.iter().take_while(|suggestion| suggestion.is_urgent).count();
    if urgent > 0 { &suggestions[..urgent] } else { suggestions }
}

/// Sequences of reading show what happens to one who resists; only those of joseki and patterns are what both sides play.
fn to_search_move(suggestion: &Suggestion) -> SearchMove {
    let is_played = |family| matches!(family, RuleFamily::Joseki | RuleFamily::Pattern);
    let mut told = suggestion.reasons.iter().filter(|reason| is_played(reason.rule.family));
    let told = told.find(|reason| reason.sequence.len() > 1);
    SearchMove {
        mv: suggestion.mv,
        value: suggestion.value,
        sequel: told.map(sequel_of_reason).unwrap_or_default(),
    }
}

/// What follows the move of a reason: its sequence, and the variations.
fn sequel_of_reason(reason: &Reason) -> Sequel {
    let mut sequel = Sequel::default();
    for line in std::iter::once(&reason.sequence).chain(&reason.variations) {
        sequel.add_line(line.get(1..).unwrap_or_default());
    }
    sequel
}
