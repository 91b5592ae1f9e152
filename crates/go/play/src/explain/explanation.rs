//! What an explanation is: data, made by [`super::Explainer`]. [`super::teach`] chooses from it, and others put it into words.

use ishi_go::{Color, Move, Point, Position};
use ishi_knowledge::explain::{MoveReasons, NearbyChain, Threat};
use ishi_knowledge::{Analysis, Group, GroupStrength, Reason};

use super::listener::Listener;
use super::owners::OwnerMap;
use super::value::{MoveVerdict, worth_in_points};

/// Standard errors by which two moves have to differ before one is called better.
pub(super) const SURE: f64 = 2.0;

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
    /// Whose the points are after it, where the search says so.
    pub owners: Option<OwnerMap>,
}

impl ExplainedMove {
    /// In points, by which moves are sorted: a share of the probability of winning counts as well, as leads say little of fights.
    pub(super) fn worth_for_sorting(&self) -> f64 {
        worth_in_points(self.score, self.win_rate)
    }
}

/// What a search thinks of a position after its side to move has passed, for that side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassedPosition {
    /// Expected lead in points, after komi.
    pub lead: f64,
    /// Whose the points are, where the search says so.
    pub owners: Option<OwnerMap>,
}

/// What a search thinks of a position in which the opponent has played where the mover would have, before it did, for the mover.
#[derive(Clone, Debug, PartialEq)]
pub struct OpponentFirst {
    /// The opponent's move.
    pub mv: Point,
    /// The mover's expected lead in points, after komi.
    pub lead: f64,
    /// Whose the points are, where the search says so.
    pub owners: Option<OwnerMap>,
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
    /// Standard error of the gain in points.
    pub gain_error: f64,
    /// Nine in ten gains are off by less than so many points: what is told beside the gain.
    pub gain_margin: f64,
    /// By how many standard errors it is better, or worse where that is below 0 ([`super::PositionValue::sureness_beside`]).
    pub sureness: f64,
    /// What the better of the two does, as reading proves, and the other does not; its ideas where nothing is proved.
    pub missing: Vec<Reason>,
    /// The opponent's best answer to it.
    pub answer: Option<ExplainedMove>,
    /// Of a worse move that was asked about: what reading proves of the opponent's other moves after it, at the point of the better move first.
    pub left: Vec<MoveReasons>,
}

/// An explanation of a position and a move in it.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Who listens.
    pub listener: Listener,
    /// The position before the move.
    pub position: Position,
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
    /// Where another move is better: what reading proves of the opponent's other moves after the one that is explained, at the better move's
    /// point first.
    pub left: Vec<MoveReasons>,
    /// Where it is told that the move can wait, and not that it is answered: what reading proves of a second move of the same side beside it.
    pub second: Option<MoveReasons>,
    /// Where it is told that the move can wait, and not that it is answered, or where nothing else is known of it: what reading proves of the
    /// opponent's move at the same point.
    pub theirs: Option<MoveReasons>,
    /// Where nothing of that is told: what a search thinks of the opponent's move there.
    pub opponent_first: Option<OpponentFirst>,
    /// The best other moves, the best first.
    pub alternatives: Vec<ComparedMove>,
    /// The moves that were asked about.
    pub why_not: Vec<ComparedMove>,
    /// The opponent's move before, if that was no pass.
    pub last: Option<Point>,
    /// The position if the side to move passes.
    pub passed: PassedPosition,
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

/// The position after a move of the side to move.
pub(super) fn position_after(position: &Position, mv: Move) -> Option<Position> {
    let mut after = position.clone();
    after.play(position.to_move(), mv).ok()?;
    Some(after)
}
