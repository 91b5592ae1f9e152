//! What is said of a move, and in which order: the verdict with its size, the one reason that carries it, the refutation or the threat, the
//! better move with its reason, and a principle. Each only if it is so.
//!
//! [`teach_move`] chooses from an [`Explanation`], without another search. [`super::say`] puts it into words.

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_knowledge::explain::{MoveReasons, Threat};
use ishi_knowledge::{Analysis, Reason, RuleFamily};
use ishi_reading::PointSet;

use super::explanation::{ComparedMove, ExplainedMove, Explanation};
use super::listener::Listener;
use super::owners::{
    BECOMES_LITTLE_SAFER, CarryingReason, Cause, LOST, MatterKind, OWNED, OwnerChange, OwnerMap, RestPlace,
    is_at,
};
use super::plan::{MovePlan, captures_of_moves, find_plan, local_run};
use super::principle::{Principle, PrincipleFacts, find_principle};
use super::value::{MoveVerdict, worth_in_points};

/// A move is the only one if all others lose so many points.
const ONLY: f64 = 4.0;
/// What the opponent plays is about a move's matter if it lies within so many lines of it.
const ABOUT: usize = 2;
/// The same of territory, if it lies within so many lines of the move itself, too.
const NEAR_TERRITORY: usize = 4;
/// A move is elsewhere if it is farther than so many lines from another.
const ELSEWHERE: usize = 4;
/// The better of two moves gains so much at least where their sizes are told, in points.
const BIG: f64 = 2.0;
/// And the other at most so much of that.
const SMALL_SHARE: f64 = 0.6;
/// Of two big moves the smaller one is nearly as big if it gains so much of what the other does.
const NEARLY_AS_BIG: f64 = 0.8;
/// A good move that no area carries gains so much at least where that is told, in points.
const LEAST_GAIN: f64 = 1.0;
/// Points by which moves differ at most that are told to be as good.
const CLOSE: f64 = 2.0;
/// Who comes back to a move comes back within so many moves of a line: its end says little.
const COMES_BACK: usize = 8;
/// A line of so many moves shows what is not played in it.
const SAYS_ENOUGH: usize = 4;
/// A point stays open to the mover that is more its own by so much, from a point that is lost for certain to one that is sure (2).
const STAYS_OPEN: f64 = 0.25;
/// Who pushes along on this line, or farther in, leaves territory below.
const HIGH_LINE: usize = 4;
/// Stones at least that a threat is about which is told besides.
const THREATENED: usize = 2;
/// From so many points on a matter is big even where nobody plays there at once.
pub(super) const BIG_MATTER: f64 = 6.0;
/// What a bad move costs in one place outweighs its loss in all from so many times that on: it gains something elsewhere.
pub(super) const OUTWEIGHS: f64 = 1.5;
/// Of a loss of so many points that no area carries both sizes are told.
const UNEXPLAINED: f64 = 3.0;
/// So they are where an area carries less than this share of a loss: something has to be said of the rest.
pub(super) const LITTLE_OF_LOSS: f64 = 0.5;
/// From this share on a part of a loss is nearly all of it.
const NEARLY_ALL: f64 = 0.8;

/// How good a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// Another move is better.
    Loses,
    /// All others lose much.
    Only,
    /// It is better than the others.
    Best,
    /// It is as good as others.
    Good,
    /// Nothing is known beside it.
    Alone,
}

/// How good a move is, with the size of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaughtVerdict {
    /// How good.
    pub kind: VerdictKind,
    /// What it loses; what the next best loses, if it is the best or only one. In points.
    pub points: f64,
    /// The same of the probability of winning, 0 to 1.
    pub win_rate: f64,
    /// Standard error of the points.
    pub error: f64,
    /// Nine in ten are off by less than so many points.
    pub margin: f64,
    /// How many moves are as good, this one among them; 1 if it is the best.
    pub good_moves: usize,
    /// Is every move as good that was held against it? There may be more of them then.
    pub or_more: bool,
}

/// What the opponent's move is to the matter that carries a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerRole {
    /// It is the very point of the better move.
    TakesPoint,
    /// It is played where the matter is.
    OnMatter,
    /// The opponent does not have to answer, and plays elsewhere.
    Elsewhere,
    /// It is played beside the move.
    Here,
}

/// What two moves gain beside not moving at all, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveSizes {
    /// The bad move.
    pub own: f64,
    /// The better one.
    pub better: f64,
}

impl MoveSizes {
    /// Is the better one big? Else its size is not told.
    pub(super) fn is_big(&self) -> bool {
        self.better >= BIG
    }

    /// Are they big and nearly the same? Then it is no wonder that the bad one was played.
    pub(super) fn are_both_big(&self) -> bool {
        self.own >= BIG_MATTER && self.own >= NEARLY_AS_BIG * self.better
    }

    /// Does that tell the two apart: is the better one big, and the other small beside it?
    fn is_telling(&self) -> bool {
        self.is_big() && self.own <= SMALL_SHARE * self.better
    }
}

/// What the opponent still has on a matter after a bad move that it has answered aside.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftMove {
    /// The opponent's move.
    pub mv: Point,
    /// What it does to what the matter is about, where reading proves something.
    pub does: Option<Reason>,
    /// Is it only the better move's point, which is still open, where neither reading nor the search shows what happens?
    pub is_only_open: bool,
}

/// What is known of the place of a move that can wait, if it is not played.
#[derive(Clone, Debug, PartialEq)]
pub enum LeftAlone {
    /// The opponent's move at the same point, of which reading proves something.
    TheirMove {
        /// The point.
        mv: Point,
        /// What it does.
        does: Box<Reason>,
    },
    /// The opponent is the first who comes to the matter, later in the line that the search expects.
    TheyCome {
        /// Its move there.
        mv: Point,
    },
    /// The opponent's move at the same point, and what the mover has lost then beside its own move there, by two searches.
    TheirPoint {
        /// The point.
        mv: Point,
        /// What that is about.
        cost: Box<CarryingReason>,
    },
    /// Whose the place is then, for the mover: from 1, its own for certain, to -1.
    Owned(f64),
}

impl LeftAlone {
    fn deed_mut(&mut self) -> Option<&mut Reason> {
        match self {
            LeftAlone::TheirMove { does, .. } => Some(does.as_mut()),
            LeftAlone::TheyCome { .. } | LeftAlone::TheirPoint { .. } | LeftAlone::Owned(_) => None,
        }
    }
}

/// A short line that proves a verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum TaughtLine {
    /// How a bad move is answered, with what the answer does.
    Refutation {
        /// The answer first.
        moves: Vec<(Color, Point)>,
        /// What it does.
        does: Option<Reason>,
        /// What it is to the matter.
        role: AnswerRole,
        /// The opponent's move on the matter that is left, if the answer does not show what is lost.
        leaves: Option<Box<LeftMove>>,
        /// How many stones each of the moves takes off the board.
        captures: Vec<usize>,
        /// Does the answer catch stones that are lost after the better move, too?
        is_lost_anyway: bool,
        /// If the mover plays the better move later in the line, how many moves come before it; it may lie behind those that are told.
        back_after: Option<usize>,
        /// Where it does not, and is the first to play where the cost lies: its move there, behind those that are told.
        late: Option<Point>,
        /// Is the bad move's own stone lost then for nearly certain, where neither the answer nor the line catches it?
        is_stone_lost: bool,
        /// Where the opponent has the turn to play behind the moves that are told, if what is told besides the cost lies there.
        turn: Option<Point>,
        /// Does the opponent play the same elsewhere after the better move, too? That is not what the bad one costs.
        comes_anyway: bool,
    },
    /// What the opponent does if the move is not played, as reading proves.
    Threat {
        /// The opponent's move.
        mv: Point,
        /// What it does.
        does: Reason,
    },
    /// What the search expects the opponent to do here, if the move is not played.
    Expected {
        /// The opponent's move first.
        moves: Vec<(Color, Point)>,
        /// What it does.
        does: Option<Reason>,
        /// What it is to the matter.
        role: AnswerRole,
        /// What becomes of the place without the move, where the opponent's first move comes after it as well.
        either_way: Option<LeftAlone>,
    },
    /// If a needed move is not played the opponent plays elsewhere, and is then the first to come to its matter.
    ComesLater {
        /// The opponent's move elsewhere.
        first: Point,
        /// Its move on the matter.
        mv: Point,
    },
    /// The opponent does not come to the point of a needed move at once: what it has there.
    TheirPoint(LeftAlone),
    /// If the move is not played nothing happens here: the opponent plays elsewhere, or passes.
    NothingHere {
        /// Where.
        elsewhere: Option<Point>,
        /// Where the opponent answers the move, if the mover then has the turn to play elsewhere.
        answered_at: Option<Point>,
        /// If it is not answered, a second move of the same side, and what that does.
        second: Option<(Point, Reason)>,
        /// What becomes of the place then.
        alone: Option<LeftAlone>,
    },
}

/// What a move threatens besides what it does, so that it is answered.
#[derive(Clone, Debug, PartialEq)]
pub struct TaughtThreat {
    /// The threat, as it was read.
    pub does: Reason,
    /// Where the search expects the answer, in the same place.
    pub answered_at: Point,
}

/// What is proved of the better move, beside what is proved of the bad one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedDeed {
    /// They do not do the same.
    None,
    /// They do the same to the same stones.
    Same,
    /// The better one takes stones off the board which the bad one only keeps from getting away.
    TakesCaught,
}

/// The better move.
#[derive(Clone, Debug, PartialEq)]
pub struct BetterMove {
    /// Where.
    pub mv: Point,
    /// What it does, proved where that can be read.
    pub does: Option<Reason>,
    /// How it does what carries it: the name that rules have for it.
    pub means: Option<Reason>,
    /// What carries it: the matter of the verdict if that lies at this move, what is told besides if that does, or else what it has before
    /// doing nothing.
    pub reason: Option<CarryingReason>,
    /// How it goes on, itself first.
    pub moves: Vec<(Color, Point)>,
    /// How many stones each of these takes off the board.
    pub captures: Vec<usize>,
    /// What that wants.
    pub plan: Option<MovePlan>,
    /// Does the bad move do the same?
    pub shared: SharedDeed,
    /// What rules say of it and not of the bad move, if both do the same.
    pub alone: Option<Reason>,
    /// What the opponent's answer to the bad move, at this very point, does to other own stones than those that are told.
    pub prevents: Option<Reason>,
    /// What reading proves of the opponent's move at this point after the bad one, where nothing else that is told says so.
    pub theirs: Option<Reason>,
    /// Does the mover come to the bad move's point as well, in the line that is told or elsewhere behind it?
    pub gets_both: bool,
    /// The opponent's answer to the bad move where it comes in the line that is told, too, and the mover's reply to it there. After the bad move the
    /// mover has to come back to this one instead.
    pub met_answer: Option<[Point; 2]>,
    /// Where the opponent answers it, if what the bad move costs lies elsewhere: the turn is the mover's again then.
    pub answered_at: Option<Point>,
    /// Does the opponent answer it in another place, at the bad move's point? Each side gets one of the two then.
    pub leaves_other: bool,
    /// The opponent's answer to the bad move, beside it and on the territory that the cost names, where that does not come after this one.
    pub spared: Option<Point>,
}

impl BetterMove {
    /// Where the mover plays once its plan is done.
    fn next_elsewhere(&self) -> Option<Point> {
        self.plan.as_ref()?.then_elsewhere
    }
}

/// What is said of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Teaching {
    /// Who listens.
    pub listener: Listener,
    /// Whose move.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// How good it is.
    pub verdict: TaughtVerdict,
    /// Of a good move: other moves that are as good, within two points.
    pub as_good: Vec<Point>,
    /// Of a bad move: what the better one has before it. Of a good one: what it has before doing nothing here.
    pub cause: Cause,
    /// What changes besides: stones beside territory, or another area.
    pub besides: Option<CarryingReason>,
    /// Where most of a loss lies that the cause does not carry.
    pub rest: Option<RestPlace>,
    /// Is the turn told as what no area carries of a loss: the opponent answers the better move, so that the mover has the turn again, and gets the
    /// turn itself after the bad one?
    pub keeps_turn: bool,
    /// What it does; proved where that can be read.
    pub does: Option<Reason>,
    /// Does a bad move catch stones that are lost after the better one, too? That is not what it gains.
    pub catches_lost: bool,
    /// How it does what carries it: the name that rules have for a good move.
    pub means: Option<Reason>,
    /// What a bad move and the better one gain beside not moving, where that tells them apart.
    pub sizes: Option<MoveSizes>,
    /// What a good move that no area carries gains in all beside not moving, if that is a point or more.
    pub whole_gain: Option<f64>,
    /// Is that less than a point, of a good move?
    pub gains_little: bool,
    /// What a good move threatens besides.
    pub threat: Option<TaughtThreat>,
    /// What proves it.
    pub line: Option<TaughtLine>,
    /// What to play instead.
    pub better: Option<BetterMove>,
    /// What the move wants, if it is good.
    pub plan: Option<MovePlan>,
    /// What it is an instance of.
    pub principle: Option<Principle>,
}

impl Teaching {
    /// All that is said to be proved of moves.
    fn deeds_mut(&mut self) -> Vec<&mut Reason> {
        let mut deeds: Vec<&mut Reason> = Vec::new();
        deeds.extend(self.does.as_mut());
        deeds.extend(self.threat.as_mut().map(|threat| &mut threat.does));
        match &mut self.line {
            Some(TaughtLine::Refutation { does, leaves, .. }) => {
                deeds.extend(does.as_mut());
                deeds.extend(leaves.as_mut().and_then(|left| left.does.as_mut()));
            }
            Some(TaughtLine::Threat { does, .. }) => deeds.push(does),
            Some(TaughtLine::Expected { does, .. }) => deeds.extend(does.as_mut()),
            Some(TaughtLine::NothingHere { second, alone, .. }) => {
                deeds.extend(second.as_mut().map(|(_, does)| does));
                deeds.extend(alone.as_mut().and_then(LeftAlone::deed_mut));
            }
            Some(TaughtLine::TheirPoint(alone)) => deeds.extend(alone.deed_mut()),
            Some(TaughtLine::ComesLater { .. }) | None => {}
        }
        if let Some(better) = &mut self.better {
            deeds.extend(better.does.as_mut());
            deeds.extend(better.prevents.as_mut());
            deeds.extend(better.theirs.as_mut());
        }
        deeds
    }
}

/// A move, or a pass, with what is known after it.
#[derive(Clone, Copy)]
struct KnownMove<'a> {
    mv: Move,
    /// The mover's lead after it.
    lead: f64,
    owners: Option<&'a OwnerMap>,
    explained: Option<&'a ExplainedMove>,
}

impl<'a> KnownMove<'a> {
    fn of_explained(explained: &'a ExplainedMove) -> KnownMove<'a> {
        KnownMove {
            mv: Move::Play(explained.reasons.mv),
            lead: explained.score,
            owners: explained.owners.as_ref(),
            explained: Some(explained),
        }
    }

    fn deeds(&self) -> &'a [Reason] {
        self.explained.map_or(&[], |explained| explained.reasons.effects.as_slice())
    }

    fn ideas(&self) -> &'a [Reason] {
        self.explained.map_or(&[], |explained| explained.reasons.ideas.as_slice())
    }

    /// A name that rules have for it and not for another move.
    fn idea_of_its_own(&self, other: KnownMove<'_>) -> Option<&'a Reason> {
        let is_shared = |idea: &Reason| other.ideas().iter().any(|of_other| is_same_deed(idea, of_other));
        self.ideas().iter().find(|idea| is_name_of_move(idea) && !is_shared(idea))
    }

    /// Its aim by rules, or else its name, as far as that says how it is played.
    fn means(&self) -> Option<&'a Reason> {
        let ideas = self.ideas();
        let aim = ideas.iter().find(|idea| is_aim_of_move(idea));
        aim.or_else(|| ideas.iter().find(|idea| is_name_of_move(idea)))
    }

    fn line(&self, color: Color) -> Vec<(Color, Point)> {
        self.explained.map_or(Vec::new(), |explained| colored_moves(&explained.variation, color))
    }
}

/// Why one move is better than another.
struct ComparedOwners {
    cause: Cause,
    /// What is told besides.
    besides: Option<CarryingReason>,
    /// Own stones that the better move gives up.
    given_up: PointSet,
}

impl ComparedOwners {
    /// Nobody says whose the points are.
    const UNKNOWN: ComparedOwners =
        ComparedOwners { cause: Cause::Unknown, besides: None, given_up: PointSet::EMPTY };

    fn is_carried(&self) -> bool {
        self.cause.carrying().is_some()
    }
}

/// What is said of the move that is explained, be that a pass.
pub fn teach_move(explanation: &Explanation) -> Teaching {
    let teacher = Teacher { explanation };
    let known = teacher.explained_move();
    let others = || {
        let Explanation { alternatives, why_not, .. } = explanation;
        alternatives.iter().chain(why_not).filter(move |other| Move::Play(other.mv.reasons.mv) != known.mv)
    };
    match best_better_move(others()) {
        Some(better) => {
            let gain = Gain {
                points: better.gain[0],
                win_rate: better.gain[1],
                error: better.gain_error,
                margin: better.gain_margin,
            };
            let then = AfterBad { answer: explanation.answer.as_ref(), left: &explanation.left, turn: None };
            let good = KnownMove::of_explained(&better.mv);
            teacher.teach_loss(Loss { bad: known, good, gain, then })
        }
        None => Teaching {
            as_good: others().filter(|other| is_close(other)).map(|other| other.mv.reasons.mv).collect(),
            ..teacher.teach_good(known, good_verdict(others()))
        },
    }
}

/// The best of the moves that are better than the one that is explained.
pub(super) fn best_better_move<'a>(
    others: impl Iterator<Item = &'a ComparedMove>,
) -> Option<&'a ComparedMove> {
    let better = others.filter(|other| other.verdict == MoveVerdict::Better);
    better.max_by(|a, b| combined_gain(a).total_cmp(&combined_gain(b)))
}

/// The move that is explained, if it is told that nothing happens without it and not that it is answered: what a second move does would be told.
pub(super) fn move_that_waits(explanation: &Explanation) -> Option<Point> {
    let Teaching { mv, line, .. } = teach_move(explanation);
    let waits = matches!(line, Some(TaughtLine::NothingHere { elsewhere: Some(_), answered_at: None, .. }));
    mv.point().filter(|_| waits)
}

/// The move that is explained, if no other is better, the opponent would play elsewhere without it, and it is not known what the opponent has there:
/// that would be told.
pub(super) fn move_left_open(explanation: &Explanation) -> Option<Point> {
    let teacher = Teacher { explanation };
    let good = teacher.explained_move();
    let others = || explanation.alternatives.iter().chain(&explanation.why_not);
    if best_better_move(others()).is_some() {
        return None;
    }
    let is_other = |other: &&ComparedMove| Move::Play(other.mv.reasons.mv) != good.mv;
    let found = teacher.cause_of_good(good, &good_verdict(others().filter(is_other)));
    let is_open = match teacher.line_of_good(good, &found) {
        None => true,
        Some(TaughtLine::NothingHere { elsewhere: Some(_), answered_at: None, alone, .. }) => {
            matches!(alone, None | Some(LeftAlone::Owned(_)))
        }
        Some(_) => false,
    };
    good.mv.point().filter(|_| is_open)
}

/// Is a move as good as the one that is explained, and not only because the searches are unsure?
fn is_close(other: &ComparedMove) -> bool {
    other.verdict == MoveVerdict::AsGood && other.gain[0].abs() <= CLOSE
}

/// What is said of a move that was asked about, beside the one that is explained; none where that is the same.
pub fn teach_question(explanation: &Explanation, question: &ComparedMove) -> Option<Teaching> {
    let teacher = Teacher { explanation };
    let (known, asked) = (teacher.explained_move(), KnownMove::of_explained(&question.mv));
    if known.mv == asked.mv {
        return None;
    }
    let [points, win_rate] = question.gain;
    let teaching = match question.verdict {
        MoveVerdict::Worse => {
            let gain = Gain {
                points: -points,
                win_rate: -win_rate,
                error: question.gain_error,
                margin: question.gain_margin,
            };
            let then = AfterBad { answer: question.answer.as_ref(), left: &question.left, turn: None };
            let loss = teacher.teach_loss(Loss { bad: asked, good: known, gain, then });
            Teaching { color: explanation.color, ..loss }
        }
        MoveVerdict::Better | MoveVerdict::AsGood => match find_move_ahead(explanation, question) {
            Some((ahead, gain)) => {
                let then = AfterBad { answer: question.answer.as_ref(), left: &question.left, turn: None };
                let good = KnownMove::of_explained(&ahead.mv);
                teacher.teach_loss(Loss { bad: asked, good, gain, then })
            }
            None => {
                let rivals = find_rivals(explanation, question);
                let explained = known.mv.point().filter(|_| is_close(question));
                Teaching {
                    as_good: explained
                        .into_iter()
                        .chain(rivals.iter().map(|rival| rival.mv.reasons.mv))
                        .collect(),
                    ..teacher.teach_good(asked, question_verdict(explanation, question, rivals.len()))
                }
            }
        },
    };
    Some(teaching)
}

/// The moves that were held against the one that is explained, but for the one that was asked about.
fn others_than<'a>(
    explanation: &'a Explanation,
    question: &ComparedMove,
) -> impl Iterator<Item = &'a ComparedMove> {
    let asked = question.mv.reasons.mv;
    let Explanation { alternatives, why_not, .. } = explanation;
    alternatives.iter().chain(why_not).filter(move |other| other.mv.reasons.mv != asked)
}

/// The best move, if it is clearly better than the one that was asked about, and what it has before that one.
fn find_move_ahead<'a>(
    explanation: &'a Explanation,
    question: &ComparedMove,
) -> Option<(&'a ComparedMove, Gain)> {
    let best = best_better_move(others_than(explanation, question))?;
    let [points, win_rate] = [0, 1].map(|part: usize| best.gain[part] - question.gain[part]);
    let error = best.gain_error.max(question.gain_error);
    let margin = best.gain_margin.max(question.gain_margin);
    (points > CLOSE.max(2.0 * error)).then_some((best, Gain { points, win_rate, error, margin }))
}

/// The moves that are about as good as one that was asked about, where that is better than the one that is explained.
fn find_rivals<'a>(explanation: &'a Explanation, question: &ComparedMove) -> Vec<&'a ComparedMove> {
    if question.verdict != MoveVerdict::Better {
        return Vec::new();
    }
    let is_rival = |other: &&ComparedMove| {
        other.verdict == MoveVerdict::Better && other.gain[0] >= question.gain[0] - CLOSE
    };
    others_than(explanation, question).filter(is_rival).collect()
}

/// What the opponent has after a bad move.
#[derive(Clone, Copy)]
struct AfterBad<'a> {
    /// Its answer.
    answer: Option<&'a ExplainedMove>,
    /// Other moves of which something is proved, that at the better move's point first.
    left: &'a [MoveReasons],
    /// Where it has the turn to play elsewhere, if that costs something.
    turn: Option<Point>,
}

/// A bad move, held against the better one.
#[derive(Clone, Copy)]
struct Loss<'a> {
    bad: KnownMove<'a>,
    good: KnownMove<'a>,
    /// What the better one has before it.
    gain: Gain,
    then: AfterBad<'a>,
}

/// What comes behind the good move and the bad one.
#[derive(Clone, Copy, Default)]
struct AfterMoves {
    /// Where the mover plays once the good one is answered: elsewhere, or at the bad move's point.
    next: Option<Point>,
    /// Is that turn told as what the good move has before the bad one: no area says much of it, and the rest lies nowhere?
    keeps_turn: bool,
    /// The answer to the bad one, beside it, if the mover then plays the good one at once.
    exchanged: Option<Point>,
}

/// What one move has before another.
#[derive(Clone, Copy)]
struct Gain {
    points: f64,
    win_rate: f64,
    error: f64,
    margin: f64,
}

impl Gain {
    /// The verdict of the other move: it loses so much.
    fn losing_verdict(&self) -> TaughtVerdict {
        TaughtVerdict {
            kind: VerdictKind::Loses,
            points: self.points,
            win_rate: self.win_rate,
            error: self.error,
            margin: self.margin,
            good_moves: 0,
            or_more: false,
        }
    }
}

/// Where the two moves of a loss are played, and where who has the turn behind them plays next.
struct PlacesOfLoss {
    /// The two moves, and the answer to the bad one.
    moves: PointSet,
    /// The mover, once the better move is answered.
    ours: Option<Point>,
    /// The opponent, once its answer to the bad move is answered.
    theirs: Option<Point>,
    /// The next moves of the mover behind the better move, and of the opponent behind the bad one: the ends of lines say little.
    later: PointSet,
}

impl PlacesOfLoss {
    fn turns(&self) -> PointSet {
        [self.ours, self.theirs].into_iter().flatten().collect()
    }

    /// Where the opponent has the turn to play, if what is told besides the cost lies there.
    fn turn_besides(&self, besides: Option<CarryingReason>) -> Option<Point> {
        let area = besides?.area.points;
        self.theirs.filter(|&turn| is_at(&area, &PointSet::from_point(turn)))
    }
}

fn combined_gain(other: &ComparedMove) -> f64 {
    worth_in_points(other.gain[0], other.gain[1])
}

/// The verdict of a move that no other is better than.
fn good_verdict<'a>(others: impl Iterator<Item = &'a ComparedMove>) -> TaughtVerdict {
    let others: Vec<&ComparedMove> = others.collect();
    let worse = others.iter().filter(|other| other.verdict == MoveVerdict::Worse);
    let next = worse.max_by(|a, b| combined_gain(a).total_cmp(&combined_gain(b)));
    let as_good = others.iter().filter(|other| other.verdict == MoveVerdict::AsGood).count();
    let points = next.map_or(0.0, |next| -next.gain[0]);
    let kind = match (others.len(), as_good) {
        (0, _) => VerdictKind::Alone,
        (2.., 0) if points >= ONLY => VerdictKind::Only,
        (_, 0) => VerdictKind::Best,
        _ => VerdictKind::Good,
    };
    TaughtVerdict {
        kind,
        points,
        win_rate: next.map_or(0.0, |next| -next.gain[1]),
        error: next.map_or(0.0, |next| next.gain_error),
        margin: next.map_or(0.0, |next| next.gain_margin),
        good_moves: as_good + 1,
        or_more: as_good > 0 && as_good == others.len(),
    }
}

/// The best of the moves that are worse than the one that is explained.
fn next_best(explanation: &Explanation, explained: Move) -> Option<&ComparedMove> {
    let Explanation { alternatives, why_not, .. } = explanation;
    let others = alternatives.iter().chain(why_not);
    let worse = others
        .filter(|other| other.verdict == MoveVerdict::Worse && Move::Play(other.mv.reasons.mv) != explained);
    worse.max_by(|a, b| combined_gain(a).total_cmp(&combined_gain(b)))
}

/// Would a line say that nothing is lost without a move of which the verdict, or a threat, says the contrary?
fn contradicts_verdict(line: &TaughtLine, verdict: &TaughtVerdict, threatens: bool) -> bool {
    let is_needed = match verdict.kind {
        VerdictKind::Only => true,
        VerdictKind::Best => verdict.points >= BIG,
        _ => threatens,
    };
    is_needed && matches!(line, TaughtLine::NothingHere { elsewhere: Some(_), .. })
}

/// What happens without a move, if the verdict allows it to be told. Of a move that may not wait it is told what the opponent does later, where
/// that is known.
fn line_of_verdict(line: TaughtLine, verdict: &TaughtVerdict, threatens: bool) -> Option<TaughtLine> {
    if !contradicts_verdict(&line, verdict, threatens) {
        return Some(line);
    }
    match line {
        TaughtLine::NothingHere {
            elsewhere: Some(first), alone: Some(LeftAlone::TheyCome { mv }), ..
        } => Some(TaughtLine::ComesLater { first, mv }),
        TaughtLine::NothingHere {
            alone: Some(alone @ (LeftAlone::TheirMove { .. } | LeftAlone::TheirPoint { .. })),
            ..
        } => Some(TaughtLine::TheirPoint(alone)),
        _ => None,
    }
}

/// What a move threatens besides what is told of it: to catch stones, two at least, or to take those that it puts into atari, where the
/// opponent answers in the same place. The most stones first.
fn find_threat(deeds: &[Reason], line: &[(Color, Point)], told: Option<&Reason>) -> Option<TaughtThreat> {
    let answered_at = local_answer(line)?;
    let is_told = |deed: &Reason| {
        let says_more = |told: &Reason| deed.rule.name == "atari" && told.about == deed.about;
        told.is_some_and(|told| is_same_deed(told, deed) || says_more(told))
    };
    let is_threat = |deed: &&Reason| matches!(deed.rule.name, "atari" | "threaten");
    let threats = deeds.iter().filter(is_threat).filter(|deed| deed.count >= THREATENED);
    let largest = threats.filter(|deed| !is_told(deed)).max_by_key(|deed| deed.count)?;
    Some(TaughtThreat { does: largest.clone(), answered_at })
}

/// Is a threat an atari on stones of which the reason says what becomes of them?
fn is_atari_on_matter(threat: &TaughtThreat, cause: &Cause) -> bool {
    let stones = cause.carrying().map_or(PointSet::EMPTY, |reason| reason.stones);
    threat.does.rule.name == "atari" && threat.does.about.is_some_and(|stone| stones.contains(stone))
}

/// The verdict of a move that was asked about, and that is not worse than the one that is explained. So many others are as good. The next best
/// one may be better than the one that is explained, too.
fn question_verdict(explanation: &Explanation, question: &ComparedMove, rivals: usize) -> TaughtVerdict {
    let is_better = question.verdict == MoveVerdict::Better;
    let next = best_better_move(others_than(explanation, question)).filter(|_| is_better);
    let [next_points, next_win_rate] = next.map_or([0.0; 2], |next| next.gain);
    let [points, win_rate] = question.gain;
    TaughtVerdict {
        kind: if is_better && rivals == 0 { VerdictKind::Best } else { VerdictKind::Good },
        points: (points - next_points).max(0.0),
        win_rate: (win_rate - next_win_rate).max(0.0),
        error: question.gain_error,
        margin: question.gain_margin,
        good_moves: if is_better { 1 + rivals } else { 2 },
        or_more: !is_better,
    }
}

struct Teacher<'a> {
    explanation: &'a Explanation,
}

impl<'a> Teacher<'a> {
    fn explained_move(&self) -> KnownMove<'a> {
        self.explanation.mv.as_ref().map_or(self.pass(), KnownMove::of_explained)
    }

    /// Moves of a line that are told.
    fn most_moves(&self) -> usize {
        self.explanation.listener.moves_of_line()
    }

    /// The board before the move.
    fn board(&self) -> &'a Board {
        self.explanation.position.board()
    }

    fn analysis(&self) -> &'a Analysis {
        &self.explanation.analysis
    }

    fn pass(&self) -> KnownMove<'a> {
        let passed = &self.explanation.passed;
        KnownMove { mv: Move::Pass, lead: passed.lead, owners: passed.owners.as_ref(), explained: None }
    }

    /// Why one move is better than another by so many points, at the moves that make the difference.
    fn compare_owners(
        &self,
        better: KnownMove<'_>,
        worse: KnownMove<'_>,
        points: f64,
        moves: &PointSet,
    ) -> ComparedOwners {
        let Some(change) = self.owner_change(better, worse) else { return ComparedOwners::UNKNOWN };
        let cause = change.find_cause_near(points, moves);
        let is_beside_nothing = worse.mv == Move::Pass;
        let besides = cause.carrying().and_then(|reason| {
            let besides = change.find_besides(reason, points, moves);
            besides.or_else(|| change.find_little_beside(reason, moves).filter(|_| is_beside_nothing))
        });
        ComparedOwners { cause, besides, given_up: change.stones_given_up() }
    }

    /// The owners after two moves, held against each other; none where nobody says whose the points are.
    fn owner_change<'m>(&'m self, better: KnownMove<'m>, worse: KnownMove<'m>) -> Option<OwnerChange<'m>> {
        let (gaining, losing) = better.owners.zip(worse.owners)?;
        Some(OwnerChange { analysis: self.analysis(), side: self.explanation.color, gaining, losing })
    }

    /// The same as [`Teacher::compare_owners`], where what the moves decide in their own places says little of the difference: who has the turn
    /// then plays elsewhere, and what changes there is told besides, or alone if nothing else is.
    fn compare_with_turns(
        &self,
        [good, bad]: [KnownMove<'_>; 2],
        points: f64,
        moves: &PointSet,
        turns: &PointSet,
    ) -> ComparedOwners {
        let compared = self.compare_owners(good, bad, points, moves);
        let Some(reason) = compared.cause.carrying() else {
            let later = self.compare_owners(good, bad, points, turns);
            return if later.is_carried() { later } else { compared };
        };
        let of_turn = || self.owner_change(good, bad)?.find_next_area(reason, points, turns);
        let besides = compared.besides.or_else(of_turn);
        let of_gain = self.area_of_gain([good, bad], reason, points);
        let besides = larger_area(besides, of_gain, reason);
        ComparedOwners { besides, ..compared }
    }

    /// The next area of a difference where it lies in what the better move has before doing nothing: that may reach farther than the moves do.
    fn area_of_gain(
        &self,
        [good, bad]: [KnownMove<'_>; 2],
        reason: &CarryingReason,
        points: f64,
    ) -> Option<CarryingReason> {
        let gained = self.compare_with_pass(good).cause;
        let area = gained.carrying()?.area.points;
        let found = self.owner_change(good, bad)?.find_next_area(reason, points, &area)?;
        (!found.area.points.intersection(&area).is_empty()).then_some(found)
    }

    /// What is said of a bad move, held against the better one.
    fn teach_loss(&self, loss: Loss<'_>) -> Teaching {
        let Loss { bad, good, gain, then } = loss;
        let places = self.places_of_loss(bad, good, then.answer);
        let (moves, turns) = (&places.moves, places.turns());
        let compared = self.compare_with_turns([good, bad], gain.points, moves, &turns);
        let played = moves.union(&turns).union(&places.later);
        let rest = self.rest_of_loss([good, bad], gain.points, &compared, &played);
        let turn = places.turn_besides(compared.besides);
        let (line, better) =
            self.line_and_better(&Loss { then: AfterBad { turn, ..then }, ..loss }, &compared);
        let ComparedOwners { cause, besides, .. } = compared;
        let does = deed_of_bad_alone(bad, better.as_ref());
        let comes_anyway = matches!(line, Some(TaughtLine::Refutation { comes_anyway: true, .. }));
        let sizes = self.compare_sizes([bad, good], gain.points, &cause, does.as_ref(), comes_anyway);
        let lies_nowhere = rest.is_none() && besides.is_none();
        let keeps_turn = lies_nowhere
            && is_rest_told(&cause, gain.points, sizes.as_ref())
            && self.keeps_turn(bad, good, better.as_ref(), line.as_ref(), &places);
        let next = self.next_after_good(bad, good, better.as_ref());
        let replied = then.answer.map(|answer| answer.reasons.mv);
        let exchanged = line.as_ref().and_then(|line| exchanged_for(bad.mv, line));
        let after = AfterMoves { next, keeps_turn, exchanged };
        self.name_alike(Teaching {
            listener: self.explanation.listener,
            color: self.explanation.color,
            mv: bad.mv,
            verdict: gain.losing_verdict(),
            as_good: Vec::new(),
            catches_lost: does
                .as_ref()
                .is_some_and(|does| self.catches_lost(does, [good, bad], better.as_ref())),
            does,
            means: None,
            sizes,
            whole_gain: None,
            gains_little: false,
            rest,
            keeps_turn,
            threat: None,
            line,
            plan: None,
            principle: self.principle(good, &cause, Some(bad), replied, after),
            better,
            cause,
            besides,
        })
    }

    /// Where the two moves of a loss are played, and who has the turn behind them.
    fn places_of_loss(
        &self,
        bad: KnownMove<'_>,
        good: KnownMove<'_>,
        answer: Option<&ExplainedMove>,
    ) -> PlacesOfLoss {
        let replied = answer.map(|answer| answer.reasons.mv);
        let (ours, theirs) = (good.line(self.explanation.color), self.answering_line(bad, answer));
        let next_moves = |line: &[(Color, Point)], side: Color| -> PointSet {
            line.iter().take(COMES_BACK).filter(|(color, _)| *color == side).map(|&(_, mv)| mv).collect()
        };
        let color = self.explanation.color;
        PlacesOfLoss {
            moves: [good.mv.point(), bad.mv.point(), replied].into_iter().flatten().collect(),
            ours: turn_elsewhere(&ours, COMES_BACK),
            theirs: turn_elsewhere(&theirs, self.most_moves()),
            later: next_moves(&ours, color).union(&next_moves(&theirs, !color)),
        }
    }

    /// How a bad move is answered, and the better move beside it.
    fn line_and_better(
        &self,
        loss: &Loss<'_>,
        compared: &ComparedOwners,
    ) -> (Option<TaughtLine>, Option<BetterMove>) {
        let ComparedOwners { cause, besides, given_up } = compared;
        let gained = self.gain_that_tells_more(loss, cause).unwrap_or_else(|| cause.clone());
        let line = self.refutation(loss, [cause, &gained]);
        let better = self.better_move([loss.good, loss.bad], [cause, &gained], besides.as_ref(), given_up);
        let better = better.map(|better| self.beside_bad_move(better, loss, cause, line.as_ref()));
        (line, better)
    }

    /// The better move with what it has in common with the bad one, and with what the opponent has at its point.
    fn beside_bad_move(
        &self,
        better: BetterMove,
        loss: &Loss<'_>,
        cause: &Cause,
        line: Option<&TaughtLine>,
    ) -> BetterMove {
        let Loss { bad, good, then, .. } = *loss;
        let shared = self.shared_deed(bad, better.does.as_ref());
        BetterMove {
            shared,
            alone: good.idea_of_its_own(bad).filter(|_| shared == SharedDeed::Same).cloned(),
            prevents: self.prevented_deed(&better, cause, then.answer).cloned(),
            theirs: self.their_deed(&better, cause, line, then.left).cloned(),
            gets_both: self.gets_both(&better, bad),
            met_answer: self.met_answer(&better, bad, then.answer),
            leaves_other: self.leaves_other(good, bad),
            spared: self.spared_answer(loss, cause),
            ..better
        }
    }

    /// Does the opponent answer the better move beside it, so that the mover has the turn again, and get the turn itself after the bad one?
    fn keeps_turn(
        &self,
        bad: KnownMove<'_>,
        good: KnownMove<'_>,
        better: Option<&BetterMove>,
        line: Option<&TaughtLine>,
        places: &PlacesOfLoss,
    ) -> bool {
        let plays_on = better.and_then(BetterMove::next_elsewhere).is_some();
        let is_answered = is_answered_beside(&good.line(self.explanation.color));
        let has_turn = plays_on && is_answered && places.ours.is_some();
        let gets_turn = places.theirs.is_some() || line.is_some_and(is_not_answered);
        has_turn && gets_turn && bad.mv.point().is_some()
    }

    /// Where the mover plays once the better move is answered: at the bad move's point, if it gets both, or elsewhere.
    fn next_after_good(
        &self,
        bad: KnownMove<'_>,
        good: KnownMove<'_>,
        better: Option<&BetterMove>,
    ) -> Option<Point> {
        let better = better?;
        let gets_both = better.gets_both && is_answered_beside(&good.line(self.explanation.color));
        bad.mv.point().filter(|_| gets_both).or(better.next_elsewhere())
    }

    /// The same where what is proved of a chain or a group gives it the name that the reason gives it. That may be another of its stones: one
    /// near the moves.
    fn name_alike(&self, mut teaching: Teaching) -> Teaching {
        let Teaching { cause, besides, better, .. } = &teaching;
        let better = better.as_ref().and_then(|better| better.reason.as_ref());
        let told = [cause.carrying(), besides.as_ref(), better].into_iter().flatten();
        let names: Vec<Point> = told.filter_map(|reason| reason.stone).collect();
        let name_of = |stones: PointSet| names.iter().copied().find(|&name| stones.contains(name));
        for deed in teaching.deeds_mut() {
            deed.about = self.stones_of_deed(deed).and_then(name_of).or(deed.about);
            // A race has two chains.
            if deed.rule.family == RuleFamily::Race {
                deed.other = self.chain_stones(deed.other).and_then(name_of).or(deed.other);
            }
        }
        teaching
    }

    fn chain_stones(&self, stone: Option<Point>) -> Option<PointSet> {
        self.analysis().chains.chain_at(stone?).map(|chain| chain.stones)
    }

    /// The stones that what is proved names by one of them: a chain, or the group that lives or dies by it.
    fn stones_of_deed(&self, deed: &Reason) -> Option<PointSet> {
        let about = deed.about?;
        let groups = &self.analysis().groups;
        match (deed.rule.family, deed.rule.name) {
            (RuleFamily::Capture | RuleFamily::Save | RuleFamily::Race, _) => self.chain_stones(deed.about),
            (_, "live" | "kill") => groups.iter().map(|group| group.stones).find(|all| all.contains(about)),
            _ => None,
        }
    }

    fn teach_good(&self, good: KnownMove<'_>, verdict: TaughtVerdict) -> Teaching {
        let color = self.explanation.color;
        let found = self.cause_of_good(good, &verdict);
        let line = self.line_of_good(good, &found);
        let ComparedOwners { cause, besides, given_up } = found;
        let whole_gain = self.whole_gain(good, &cause);
        let is_explained = self.explained_move().mv == good.mv;
        let wanted = self.explanation.otherwise.as_ref().map(|expected| expected.reasons.mv);
        let does = self.choose_deed(good, cause.carrying());
        let threat = find_threat(good.deeds(), &good.line(color), does.as_ref())
            .filter(|threat| !is_atari_on_matter(threat, &cause));
        let plan = find_plan(self.board(), &good.line(color), &cause, good.deeds(), &given_up);
        self.name_alike(Teaching {
            listener: self.explanation.listener,
            color,
            mv: good.mv,
            as_good: Vec::new(),
            catches_lost: false,
            means: good.means().cloned(),
            sizes: None,
            whole_gain: whole_gain.filter(|&gain| gain >= LEAST_GAIN),
            gains_little: whole_gain.is_some_and(|gain| (-LEAST_GAIN..LEAST_GAIN).contains(&gain)),
            rest: None,
            keeps_turn: false,
            line: line.and_then(|line| line_of_verdict(line, &verdict, threat.is_some())),
            better: None,
            plan,
            principle: self.principle(
                good,
                &cause,
                None,
                wanted.filter(|_| is_explained),
                AfterMoves::default(),
            ),
            verdict,
            does,
            threat,
            cause,
            besides,
        })
    }

    /// What happens without the good move that is explained, whatever the verdict says of it; none of another move.
    fn line_of_good(&self, good: KnownMove<'_>, found: &ComparedOwners) -> Option<TaughtLine> {
        let ComparedOwners { cause, given_up, .. } = found;
        let mv = good.mv.point().filter(|_| self.explained_move().mv == good.mv)?;
        let line = good.line(self.explanation.color);
        let plan = find_plan(self.board(), &line, cause, good.deeds(), given_up);
        let out_of_atari = || self.answer_to_atari(&self.choose_deed(good, cause.carrying())?, &line);
        let answered_at = plan.as_ref().and_then(answer_that_keeps_the_turn).or_else(out_of_atari);
        let known_there = || self.their_move(cause).or_else(|| self.their_point());
        let line = self.if_not_played(mv, cause, answered_at);
        line.or_else(|| known_there().map(TaughtLine::TheirPoint))
    }

    /// What carries a good move: what it has before doing nothing here. Where no area does, what the only or best move has before the next
    /// best one.
    fn cause_of_good(&self, good: KnownMove<'_>, verdict: &TaughtVerdict) -> ComparedOwners {
        let found = self.compare_with_pass(good);
        let found = if is_far_from_deeds(good, &found.cause) {
            ComparedOwners { cause: Cause::Spread, besides: None, ..found }
        } else {
            found
        };
        let is_alone = matches!(verdict.kind, VerdictKind::Only | VerdictKind::Best);
        let is_explained = self.explained_move().mv == good.mv;
        if found.is_carried() || !is_alone || !is_explained {
            return found;
        }
        let (Some(next), Some(mv)) = (next_best(self.explanation, good.mv), good.mv.point()) else {
            return found;
        };
        let moves: PointSet = [mv, next.mv.reasons.mv].into_iter().collect();
        let beside = self.compare_owners(good, KnownMove::of_explained(&next.mv), verdict.points, &moves);
        let is_told = beside.is_carried() && !is_far_from_deeds(good, &beside.cause);
        if is_told { beside } else { found }
    }

    /// What a move has before doing nothing, at that move.
    fn compare_with_pass(&self, known: KnownMove<'_>) -> ComparedOwners {
        let passed = self.pass();
        match known.mv {
            Move::Play(mv) => {
                self.compare_owners(known, passed, known.lead - passed.lead, &PointSet::from_point(mv))
            }
            Move::Pass => ComparedOwners::UNKNOWN,
        }
    }

    /// What a good move gains in all beside not moving, where no area carries that.
    fn whole_gain(&self, good: KnownMove<'_>, cause: &Cause) -> Option<f64> {
        let passed = self.pass();
        let is_known = cause.carrying().is_none() && passed.owners.is_some() && good.mv.point().is_some();
        is_known.then_some(good.lead - passed.lead)
    }

    /// What a bad move and the better one gain, where they are in different places. Then the bad one is small beside the other, or it is told to
    /// do something, which tempts to play it, or the opponent plays the same elsewhere after both, or the bad one gains much elsewhere of what
    /// it costs here. In any place they are known where the cause explains little of the loss.
    fn compare_sizes(
        &self,
        [bad, good]: [KnownMove<'_>; 2],
        gain: f64,
        cause: &Cause,
        does: Option<&Reason>,
        comes_anyway: bool,
    ) -> Option<MoveSizes> {
        let is_elsewhere = bad.mv.point()?.lines_to(good.mv.point()?) > ELSEWHERE;
        let own = bad.lead - self.pass().lead;
        let sizes = MoveSizes { own, better: own + gain };
        // What is better than a bad move may gain nothing itself.
        let is_needed = is_little_explained(cause, gain) && sizes.is_big();
        let is_tempting = (does.is_some() || comes_anyway) && cause.carrying().is_some() && sizes.is_big();
        let is_offset =
            own >= BIG && cause.carrying().is_some_and(|reason| reason.area.gain >= OUTWEIGHS * gain);
        let is_telling = is_elsewhere && (sizes.is_telling() || is_tempting || is_offset) || is_needed;
        (is_telling && self.pass().owners.is_some()).then_some(sizes)
    }

    /// Where most of a loss lies that neither its cause carries nor what is told besides.
    fn rest_of_loss(
        &self,
        [good, bad]: [KnownMove<'_>; 2],
        points: f64,
        compared: &ComparedOwners,
        moves: &PointSet,
    ) -> Option<RestPlace> {
        let told = [compared.cause.carrying(), compared.besides.as_ref()].into_iter().flatten();
        let area = told.fold(PointSet::EMPTY, |all, reason| all.union(&reason.counted_points()));
        self.owner_change(good, bad)?.find_rest(&area, points, moves)
    }

    /// What is told that a move does: what is proved of the matter that carries it; where nothing is known of that, what has to be answered,
    /// what is proved of it at all, or else why it is played.
    fn choose_deed(&self, known: KnownMove<'_>, reason: Option<&CarryingReason>) -> Option<Reason> {
        let Some(reason) = reason else {
            let forcing = forcing_deed(known.deeds(), &known.line(self.explanation.color));
            let told = forcing.or(known.deeds().first());
            return told.or_else(|| idea_to_tell(known.explained?)).cloned();
        };
        known.deeds().iter().find(|deed| is_about(deed, reason, self.analysis())).cloned()
    }

    /// Does a bad move do what the better one is told to do?
    fn shared_deed(&self, bad: KnownMove<'_>, does: Option<&Reason>) -> SharedDeed {
        let Some(does) = does else { return SharedDeed::None };
        let catches = |deed: &Reason| is_taking(does) && is_catching(deed) && deed.about == does.about;
        if bad.deeds().iter().any(|deed| is_same_deed(deed, does)) {
            SharedDeed::Same
        } else if bad.deeds().iter().any(catches) {
            SharedDeed::TakesCaught
        } else {
            SharedDeed::None
        }
    }

    /// What the opponent's answer to a bad move, at the point of the better one, does to own stones of which nothing else is told: to
    /// take, to catch or to threaten two at least.
    fn prevented_deed<'r>(
        &self,
        better: &BetterMove,
        cause: &Cause,
        answer: Option<&'r ExplainedMove>,
    ) -> Option<&'r Reason> {
        let answer = answer.filter(|answer| answer.reasons.mv == better.mv)?;
        let told = [cause.carrying(), better.reason.as_ref()];
        let is_told = |stone: Point| told.iter().flatten().any(|reason| reason.stones.contains(stone));
        let is_done = |stone: Point| better.does.as_ref().is_some_and(|does| does.about == Some(stone));
        let stood = |stone: Point, count: usize| {
            let chain = self.analysis().chains.chain_at(stone);
            chain.is_some_and(|chain| {
                chain.color == Some(self.explanation.color) && chain.stones.len() == count
            })
        };
        let is_prevented = |deed: &&Reason| {
            let is_against = is_taking(deed) || is_catching(deed) || deed.rule.name == "threaten";
            let is_open = |stone: Point| stood(stone, deed.count) && !is_told(stone) && !is_done(stone);
            is_against && deed.count >= THREATENED && deed.about.is_some_and(is_open)
        };
        answer.reasons.effects.iter().find(is_prevented)
    }

    /// What reading proves of the opponent's move at the better move's point about what the cost has named there, if the line does not end with a
    /// move that is left, nor with that point.
    fn their_deed<'r>(
        &self,
        better: &BetterMove,
        cause: &Cause,
        line: Option<&TaughtLine>,
        left: &'r [MoveReasons],
    ) -> Option<&'r Reason> {
        let reason = cause.carrying()?;
        let is_on_cost = |deed: &&Reason| is_about(deed, reason, self.analysis());
        let shows_loss = match line? {
            TaughtLine::Refutation { does, role, leaves, .. } => {
                let does_it = does.as_ref().is_some_and(|does| is_on_cost(&does));
                *role == AnswerRole::TakesPoint || leaves.is_some() || does_it
            }
            TaughtLine::Threat { .. }
            | TaughtLine::Expected { .. }
            | TaughtLine::ComesLater { .. }
            | TaughtLine::TheirPoint(_)
            | TaughtLine::NothingHere { .. } => true,
        };
        let theirs = left.iter().find(|other| other.mv == better.mv).filter(|_| !shows_loss)?;
        let is_said = |deed: &Reason| better.does.as_ref().is_some_and(|does| is_mirrored(does, deed));
        let mut told = theirs.effects.iter().filter(|deed| !is_petty_beside(deed, reason) && !is_said(deed));
        told.find(is_on_cost)
    }

    /// How a bad move is answered. What the answer does for the matter is told before what else it does.
    fn refutation(&self, loss: &Loss<'_>, [cause, gained]: [&Cause; 2]) -> Option<TaughtLine> {
        let Loss { bad, good, then, .. } = *loss;
        let (opponent, answer) = (!self.explanation.color, then.answer);
        let moves = self.answering_line(bad, answer);
        let &(_, first) = moves.first()?;
        let deeds = answer.map_or(&[][..], |answer| answer.reasons.effects.as_slice());
        let aim = || answer?.reasons.ideas.iter().find(|idea| self.is_aim(idea, cause));
        let does = self.answer_deed(deeds, first, cause).or_else(aim).cloned();
        let role = if good.mv == Move::Play(first) {
            AnswerRole::TakesPoint
        } else if bad.mv.point().is_some_and(|mv| mv.lines_to(first) > ELSEWHERE) {
            AnswerRole::Elsewhere
        } else if is_on_matter(first, cause) {
            AnswerRole::OnMatter
        } else {
            AnswerRole::Here
        };
        let is_aside =
            matches!(role, AnswerRole::Elsewhere | AnswerRole::Here) && !is_on_matter(first, cause);
        let leaves = match role {
            AnswerRole::TakesPoint => self.reached_from_point(&moves, does.as_ref(), cause),
            _ if is_aside => self.move_left_on_matter(bad.mv, &moves, then.left, cause),
            _ if self.shows_matter(does.as_ref(), cause) => None,
            _ => self.proved_left(&moves, then.left, cause),
        };
        let leaves = leaves.filter(|left| !self.comes_anyway(left, &moves, good));
        let at_stake = if cause.carrying().is_some() { cause } else { gained };
        let leaves = leaves.or_else(|| self.point_left_open(bad.mv, good, &moves, does.as_ref(), at_stake));
        let is_back = |&(color, mv): &(Color, Point)| color != opponent && good.mv == Move::Play(mv);
        let returns = moves.iter().take(COMES_BACK).position(is_back);
        // An answer that comes after the better move, too, is not what an exchange has given.
        let back_after = returns.filter(|&after| after > 1 || !self.opponent_comes_to(first, good));
        let comes_anyway = role == AnswerRole::Elsewhere && self.is_answered_elsewhere(good, first);
        let may_be_late = is_aside && returns.is_none() && leaves.is_none() && !comes_anyway;
        let late = self.late_on_matter(bad.mv, &moves, cause).filter(|_| may_be_late);
        let moves = cut_to_place(moves, cause, self.most_moves());
        let is_line_told = role != AnswerRole::Elsewhere || does.is_some();
        let told = if is_line_told { moves.len() } else { 1 };
        let late = late.filter(|&(after, _)| after >= told).map(|(_, mv)| mv);
        // Told behind the moves: not where these are not told, nor where they go on to it.
        let turn = then.turn.filter(|turn| is_line_told && moves.iter().all(|(_, told)| told != turn));
        let goes_on = leaves.is_some() || returns.is_some() || late.is_some() || turn.is_some();
        let read = does.as_ref().filter(|_| !goes_on).and_then(|does| self.catching_line(does, &moves));
        let moves = read.unwrap_or(moves);
        let captures = captures_of_moves(&self.board_after(bad.mv), &moves);
        let is_lost_anyway = does.as_ref().is_some_and(|does| self.is_lost_anyway(does, loss));
        let is_caught = does.as_ref().is_some_and(|does| does.about == bad.mv.point())
            || takes_stones(&moves, &captures, opponent);
        Some(TaughtLine::Refutation {
            is_stone_lost: !is_caught && self.is_stone_lost(bad),
            moves,
            does,
            role,
            leaves: leaves.map(Box::new),
            captures,
            is_lost_anyway,
            back_after,
            late,
            turn,
            comes_anyway,
        })
    }

    /// Does the opponent play at a point right after a move that is far from it?
    fn is_answered_elsewhere(&self, known: KnownMove<'_>, answer: Point) -> bool {
        let color = self.explanation.color;
        let next = known.line(color).get(1).copied();
        let is_far = known.mv.point().is_some_and(|mv| mv.lines_to(answer) > ELSEWHERE);
        is_far && next == Some((!color, answer))
    }

    /// What follows a bad move, the opponent's answer first.
    fn answering_line(&self, bad: KnownMove<'_>, answer: Option<&ExplainedMove>) -> Vec<(Color, Point)> {
        match answer {
            Some(answer) => colored_moves(&answer.variation, !self.explanation.color),
            None => bad.line(self.explanation.color).into_iter().skip(1).collect(),
        }
    }

    /// Is the stone of a move the opponent's after it, for nearly certain?
    fn is_stone_lost(&self, known: KnownMove<'_>) -> bool {
        let stone = known.owners.zip(known.mv.point());
        stone.is_some_and(|(owners, mv)| owners.owner_for(mv, self.explanation.color) <= -LOST)
    }

    /// The first move on the matter behind a bad move, and how many come between, if that is the mover's. The end of a line says little.
    fn late_on_matter(&self, bad: Move, line: &[(Color, Point)], cause: &Cause) -> Option<(usize, Point)> {
        if bad.point().is_some_and(|mv| is_on_matter(mv, cause)) {
            return None;
        }
        let after = line.iter().take(COMES_BACK).position(|&(_, mv)| is_on_matter(mv, cause))?;
        let (color, mv) = line[after];
        (color == self.explanation.color).then_some((after, mv))
    }

    /// Does a deed of the opponent catch own stones that are lost after the better move, too, and as surely? That is not what a bad move costs.
    fn is_lost_anyway(&self, deed: &Reason, loss: &Loss<'_>) -> bool {
        let color = self.explanation.color;
        let chain = deed.about.and_then(|stone| self.analysis().chains.chain_at(stone));
        let own = chain.filter(|chain| chain.color == Some(color));
        let (Some(chain), Some((better, worse))) = (own, loss.good.owners.zip(loss.bad.owners)) else {
            return false;
        };
        let [better, worse] = [better, worse].map(|owners| owners.mean_for(&chain.stones, color));
        let is_as_sure = better - worse < BECOMES_LITTLE_SAFER;
        (is_taking(deed) || is_catching(deed)) && better <= -LOST && is_as_sure
    }

    /// Does a deed of a bad move catch stones that are lost after the better one, too, and as surely, and that the better one is not about?
    fn catches_lost(
        &self,
        deed: &Reason,
        [good, bad]: [KnownMove<'_>; 2],
        told_of_better: Option<&BetterMove>,
    ) -> bool {
        let color = self.explanation.color;
        let chain = deed.about.and_then(|stone| self.analysis().chains.chain_at(stone));
        let theirs = chain.filter(|chain| chain.color == Some(!color));
        let (Some(chain), Some((better, worse))) = (theirs, good.owners.zip(bad.owners)) else {
            return false;
        };
        let of_better = told_of_better.and_then(|better| better.does.as_ref()?.about);
        let is_about_them = of_better.is_some_and(|stone| chain.stones.contains(stone));
        let [better, worse] = [better, worse].map(|owners| owners.mean_for(&chain.stones, color));
        let is_as_sure = worse - better < BECOMES_LITTLE_SAFER;
        (is_taking(deed) || is_catching(deed)) && !is_about_them && better >= LOST && is_as_sure
    }

    /// Where the opponent answers an atari on several stones that is told, if the answer brings them out of it.
    fn answer_to_atari(&self, does: &Reason, line: &[(Color, Point)]) -> Option<Point> {
        let stone = does.about.filter(|_| does.rule.name == "atari" && does.count >= THREATENED)?;
        let (&(color, mv), answer) = (line.first()?, local_answer(line)?);
        let mut after = self.board_after(Move::Play(mv));
        if !after.is_legal(!color, answer) {
            return None;
        }
        after.play_unchecked(!color, Move::Play(answer));
        let is_out = after.chain(stone).is_some_and(|chain| after.atari_liberty(chain).is_none());
        is_out.then_some(answer)
    }

    /// The board after a move, or as it is if that is not allowed.
    fn board_after(&self, mv: Move) -> Board {
        let color = self.explanation.color;
        let mut after = self.board().clone();
        if mv.point().is_none_or(|point| after.is_legal(color, point)) {
            after.play_unchecked(color, mv);
        }
        after
    }

    /// Is an idea of the opponent's answer what it is played for: to win a race, or to attack what the matter is about?
    fn is_aim(&self, idea: &Reason, cause: &Cause) -> bool {
        let attacks_matter = || {
            let is_about = |reason: &CarryingReason| is_about(idea, reason, self.analysis());
            is_aim_of_move(idea) && cause.carrying().is_some_and(is_about)
        };
        idea.rule.family == RuleFamily::Race || idea.rule.family == RuleFamily::Attack && attacks_matter()
    }

    /// Where the opponent's move at the better point is far from the stones that the cost names, and is proved to do something else: its move at
    /// these stones, later in what is told of the line.
    fn reached_from_point(
        &self,
        line: &[(Color, Point)],
        does: Option<&Reason>,
        cause: &Cause,
    ) -> Option<LeftMove> {
        let stones = cause.carrying().filter(|reason| reason.kind.is_about_stones())?.stones;
        let &(opponent, first) = line.first()?;
        let is_far = stones.iter().all(|stone| stone.lines_to(first) > ELSEWHERE);
        if !is_far || does?.about.is_some_and(|stone| stones.contains(stone)) {
            return None;
        }
        let told = cut_to_place(line.to_vec(), cause, self.most_moves());
        let is_at_stones = |mv: Point| is_at(&stones, &PointSet::from_point(mv));
        let (_, mv) = told.into_iter().skip(1).find(|&(color, mv)| color == opponent && is_at_stones(mv))?;
        Some(LeftMove { mv, does: None, is_only_open: false })
    }

    /// What the opponent plays on the matter after a bad move that is answered aside: later in the same line, or, if nobody plays there,
    /// what it is proved to have, or what it plays where the mover does nothing. None if the mover comes back to it first.
    fn move_left_on_matter(
        &self,
        bad: Move,
        line: &[(Color, Point)],
        left: &[MoveReasons],
        cause: &Cause,
    ) -> Option<LeftMove> {
        let opponent = !self.explanation.color;
        if let Some(&(color, mv)) = line.iter().find(|(_, mv)| is_on_matter(*mv, cause)) {
            return (color == opponent).then_some(LeftMove { mv, does: None, is_only_open: false });
        }
        self.proved_left(line, left, cause).or_else(|| {
            let mv = self.explanation.otherwise.as_ref()?.reasons.mv;
            let is_free = bad != Move::Play(mv) && line.iter().all(|&(_, played)| played != mv);
            (is_free && is_on_matter(mv, cause)).then_some(LeftMove { mv, does: None, is_only_open: false })
        })
    }

    /// The first of the opponent's moves of which reading proves something about the matter, or at all where there is none, if nobody plays
    /// there in the line, and the mover not beside it nor on the matter: what was proved before that need not hold after it.
    fn proved_left(&self, line: &[(Color, Point)], left: &[MoveReasons], cause: &Cause) -> Option<LeftMove> {
        let is_met = |(color, played): (Color, Point), mv: Point| {
            color == self.explanation.color
                && (played.lines_to(mv) <= ELSEWHERE || is_on_matter(played, cause))
        };
        let is_free = |other: &&MoveReasons| {
            line.iter().all(|&(color, played)| played != other.mv && !is_met((color, played), other.mv))
        };
        let proves = |deed: &&Reason| match cause.carrying() {
            Some(reason) => !is_petty_beside(deed, reason) && is_about(deed, reason, self.analysis()),
            None => !is_petty(deed),
        };
        left.iter().filter(is_free).find_map(|other| {
            let does = other.effects.iter().find(proves)?.clone();
            Some(LeftMove { mv: other.mv, does: Some(does), is_only_open: false })
        })
    }

    /// Does the opponent play what a bad move leaves after the better one, too, and not in the line of the bad one? That shows no difference.
    fn comes_anyway(&self, left: &LeftMove, line: &[(Color, Point)], better: KnownMove<'_>) -> bool {
        self.opponent_comes_to(left.mv, better) && line.iter().all(|&(_, mv)| mv != left.mv)
    }

    /// Does the opponent play at a point after a move of the mover? The end of a line says little.
    fn opponent_comes_to(&self, point: Point, known: KnownMove<'_>) -> bool {
        let (opponent, line) = (!self.explanation.color, known.line(self.explanation.color));
        line.iter().take(COMES_BACK).any(|&(by, mv)| by == opponent && mv == point)
    }

    /// The better move's point, if it is at what the bad one costs, or else at what the better one gains, and the line of a bad move says nothing
    /// of that: nobody plays there, nor the mover beside the point, in the line or before it. The far end of a wide matter is another place, and
    /// what the opponent plays after both moves shows no difference.
    fn point_left_open(
        &self,
        bad: Move,
        better: KnownMove<'_>,
        line: &[(Color, Point)],
        does: Option<&Reason>,
        cause: &Cause,
    ) -> Option<LeftMove> {
        let (mv, reason) = (better.mv.point()?, cause.carrying()?);
        let is_beside = |played: Point| played.lines_to(mv) <= ABOUT;
        let is_met = |&(color, played): &(Color, Point)| {
            let is_own = color == self.explanation.color;
            let is_at_it = is_on_matter(played, cause) && played.lines_to(mv) <= ELSEWHERE;
            let comes_anyway = !is_own && self.opponent_comes_to(played, better);
            played == mv || is_own && is_beside(played) || is_at_it && !comes_anyway
        };
        let is_told = does.is_some_and(|does| is_about(does, reason, self.analysis()));
        let is_named = reason.stone.is_some() || !reason.kind.is_about_stones();
        let is_free = bad.point().is_none_or(|bad| !is_beside(bad)) && !line.iter().any(is_met);
        let is_open = is_free && is_at(&reason.area.points, &PointSet::from_point(mv));
        let is_left = is_open && is_named && !is_told && self.may_opponent_play(bad, mv);
        is_left.then_some(LeftMove { mv, does: None, is_only_open: true })
    }

    /// May the opponent play at a point after a bad move, and not be in atari there?
    fn may_opponent_play(&self, bad: Move, mv: Point) -> bool {
        let (opponent, mut after) = (!self.explanation.color, self.board_after(bad));
        if !after.is_legal(opponent, mv) {
            return false;
        }
        after.play_unchecked(opponent, Move::Play(mv));
        after.chain(mv).is_some_and(|chain| after.atari_liberty(chain).is_none())
    }

    /// Does what is told of an answer say something of the matter? Where nothing is proved of it, what it does there is told.
    fn shows_matter(&self, does: Option<&Reason>, cause: &Cause) -> bool {
        let Some(reason) = cause.carrying() else { return true };
        does.is_none_or(|does| is_about(does, reason, self.analysis()))
    }

    /// What is told that a move of the opponent does: what is proved about the matter before what else it does. An atari on one stone says
    /// less than what the move does to the matter where it is played.
    fn answer_deed<'r>(&self, deeds: &'r [Reason], mv: Point, cause: &Cause) -> Option<&'r Reason> {
        let Some(reason) = cause.carrying() else { return deeds.first() };
        let is_told = |deed: &&Reason| !is_on_matter(mv, cause) || !is_petty_beside(deed, reason);
        let mut told = deeds.iter().filter(is_told);
        told.clone().find(|deed| is_about(deed, reason, self.analysis())).or_else(|| told.next())
    }

    /// What the better move has before doing nothing, where the cost, if there is one, carries little of the loss and that more. Of two moves
    /// in one place both may have it. Stones that the cost has named are not told as territory.
    fn gain_that_tells_more(&self, loss: &Loss<'_>, cause: &Cause) -> Option<Cause> {
        let Loss { bad, good, gain, .. } = *loss;
        let is_elsewhere = bad.mv.point()?.lines_to(good.mv.point()?) > ELSEWHERE;
        if !is_elsewhere || !is_little_explained(cause, gain.points) {
            return None;
        }
        let gained = self.compare_with_pass(good).cause;
        let cost = cause.carrying();
        let hides_stones = |found: &CarryingReason, cost: &CarryingReason| {
            !found.kind.is_about_stones() && !found.area.points.intersection(&cost.stones).is_empty()
        };
        let tells_more = |found: &CarryingReason| {
            cost.is_none_or(|cost| found.points > cost.points && !hides_stones(found, cost))
        };
        let is_told =
            |found: &CarryingReason| tells_more(found) && self.tells_moves_apart([good, bad], found);
        gained.carrying().is_some_and(is_told).then_some(gained)
    }

    /// Has the better move more of a gain than the bad one? Else it is no reason to play it instead.
    fn tells_moves_apart(&self, [good, bad]: [KnownMove<'_>; 2], gain: &CarryingReason) -> bool {
        self.owner_change(good, bad).is_none_or(|change| change.worth_of(&gain.area.points) > 0.0)
    }

    /// The better move with what carries it: the cost, or the gain that tells more, or what is told besides, if that lies at it, or else what
    /// it has before doing nothing, unless the bad one has as much of that.
    fn better_move(
        &self,
        [good, bad]: [KnownMove<'_>; 2],
        [cause, gained]: [&Cause; 2],
        besides: Option<&CarryingReason>,
        given_up: &PointSet,
    ) -> Option<BetterMove> {
        let (mv, moves) = (good.mv.point()?, good.line(self.explanation.color));
        let is_here = |reason: &&CarryingReason| is_at(&reason.area.points, &PointSet::from_point(mv));
        let carried = |reason: &CarryingReason| Cause::Carried(Box::new(*reason));
        // A wide territory may be named far from the move, and the stones that are told beside it stand at the move.
        let is_far = cause.carrying().is_some_and(|cost| !is_named_near(cost, mv));
        let stones = besides.filter(|besides| is_far && is_at_stones(besides, mv));
        let own = match (cause.carrying().filter(is_here), besides.filter(is_here)) {
            (Some(_), _) => stones.map_or_else(|| gained.clone(), carried),
            (None, Some(besides)) => carried(besides),
            (None, None) => self.gain_of_better([good, bad]),
        };
        let (board, told) = (self.board(), cut_to_place(moves.clone(), &own, self.most_moves()));
        let is_cost_elsewhere = cause.carrying().is_some_and(|reason| !is_here(&reason));
        let answered_at = local_answer(&moves).or_else(|| answer_in_run(&told));
        Some(BetterMove {
            answered_at: answered_at.filter(|_| is_cost_elsewhere),
            mv,
            does: self.choose_deed(good, own.carrying()),
            means: good.means().cloned(),
            reason: own.carrying().copied(),
            plan: find_plan(board, &moves, &own, good.deeds(), given_up),
            captures: captures_of_moves(board, &told),
            moves: told,
            shared: SharedDeed::None,
            alone: None,
            prevents: None,
            theirs: None,
            gets_both: false,
            met_answer: None,
            leaves_other: false,
            spared: None,
        })
    }

    /// What the better move has before doing nothing, and the bad one has less of.
    fn gain_of_better(&self, [good, bad]: [KnownMove<'_>; 2]) -> Cause {
        match self.compare_with_pass(good).cause {
            Cause::Carried(gain) if !self.tells_moves_apart([good, bad], &gain) => Cause::Spread,
            cause => cause,
        }
    }

    /// What happens if a move is not played: what undoes what it does, or what the search expects there, or nothing. What undoes something
    /// else than what carries the move is told only where there is nothing else to tell.
    fn if_not_played(&self, mv: Point, cause: &Cause, answered_at: Option<Point>) -> Option<TaughtLine> {
        let threats = &self.explanation.threats;
        let is_on_cause = |threat: &&Threat| {
            cause.carrying().is_none_or(|reason| is_about(&threat.reason, reason, self.analysis()))
        };
        let undoing = |threat: &Threat| TaughtLine::Threat { mv: threat.mv, does: threat.reason.clone() };
        if let Some(threat) = threats.iter().find(is_on_cause) {
            return Some(undoing(threat));
        }
        match self.expected_without(mv, cause, answered_at) {
            Some(TaughtLine::NothingHere { .. }) if !threats.is_empty() => threats.first().map(undoing),
            line => line,
        }
    }

    /// What the search expects if a move is not played, or that nothing happens. None where it expects the very move next, of what is not big or
    /// at the end, or moves of which nothing is known and that follow it as well: that shows no difference.
    fn expected_without(&self, mv: Point, cause: &Cause, answered_at: Option<Point>) -> Option<TaughtLine> {
        let second = self.second_deed().filter(|_| answered_at.is_none());
        let Some(expected) = &self.explanation.otherwise else {
            return Some(TaughtLine::NothingHere { elsewhere: None, answered_at, second, alone: None });
        };
        let there = expected.reasons.mv;
        if !is_answer_to_matter(there, mv, cause) {
            let alone = self.left_alone(expected, cause).filter(|_| answered_at.is_none());
            return Some(TaughtLine::NothingHere { elsewhere: Some(there), answered_at, second, alone });
        }
        let color = self.explanation.color;
        let moves = colored_moves(&expected.variation, !color);
        if moves.get(1) == Some(&(color, mv)) && !plays_on(&moves, cause) {
            return None;
        }
        let aim = || expected.reasons.ideas.iter().find(|idea| self.aims_at_matter(idea, cause));
        let does = self.answer_deed(&expected.reasons.effects, there, cause).or_else(aim).cloned();
        let role = if is_on_matter(there, cause) { AnswerRole::OnMatter } else { AnswerRole::Here };
        let moves = cut_to_place(moves, cause, self.most_moves());
        let shows_difference = does.is_some() || !self.follow_the_move(&moves);
        let comes_either_way = does.is_none() && self.comes_after_the_move(&moves, mv);
        let either_way = self.owned_alone(cause).filter(|_| comes_either_way);
        let read = does.as_ref().and_then(|does| self.catching_line(does, &moves));
        let moves = read.unwrap_or(moves);
        shows_difference.then_some(TaughtLine::Expected { moves, does, role, either_way })
    }

    /// Is an idea of the opponent's what it wants with the matter? One about other stones says nothing of that. Where the matter is the mover's own
    /// stones, it is only an attack on these, or an idea about no stones.
    fn aims_at_matter(&self, idea: &Reason, cause: &Cause) -> bool {
        let is_attack = idea.rule.family == RuleFamily::Attack;
        let is_about_matter = |reason: &CarryingReason| {
            let is_own = matches!(reason.kind, MatterKind::SavesStones | MatterKind::Strengthens);
            idea.about.is_none() || (is_attack || !is_own) && is_about(idea, reason, self.analysis())
        };
        is_aim_of_move(idea) && cause.carrying().is_none_or(is_about_matter)
    }

    /// How the first move of a line catches stones, as that was read, where these are given up in the line: the second move is not played at
    /// them, and what follows proves nothing.
    fn catching_line(&self, deed: &Reason, line: &[(Color, Point)]) -> Option<Vec<(Color, Point)>> {
        let stones = self.analysis().chains.chain_at(deed.about?)?.stones;
        let is_at_them = |mv: Point| stones.iter().any(|stone| stone.lines_to(mv) <= ABOUT);
        let is_given_up = line.get(1).is_none_or(|&(_, mv)| !is_at_them(mv));
        let is_read = is_catching(deed) && deed.sequence.first() == line.first() && deed.sequence.len() > 1;
        let told = || deed.sequence.iter().take(self.most_moves()).copied().collect();
        (is_given_up && is_read).then(told)
    }

    /// What is known of the place of a move that can wait: what reading proves of the opponent's move at its point, where the opponent comes
    /// to the matter in the line that the search expects, or else whose a few points of territory are then.
    fn left_alone(&self, expected: &ExplainedMove, cause: &Cause) -> Option<LeftAlone> {
        let their_move = self.their_move(cause);
        let they_come = || self.they_come(expected, cause);
        their_move.or_else(they_come).or_else(|| self.their_point()).or_else(|| self.owned_alone(cause))
    }

    /// What the mover has lost where the opponent plays at the point of its move first, beside playing there itself: at that point, if it is a few
    /// points.
    fn their_point(&self) -> Option<LeftAlone> {
        let first = self.explanation.opponent_first.as_ref()?;
        let theirs =
            KnownMove { mv: Move::Pass, lead: first.lead, owners: first.owners.as_ref(), explained: None };
        let own = self.explained_move();
        let lost = self.compare_owners(own, theirs, own.lead - first.lead, &PointSet::from_point(first.mv));
        let cost = *lost.cause.carrying().filter(|cost| cost.points >= BIG)?;
        Some(LeftAlone::TheirPoint { mv: first.mv, cost: Box::new(cost) })
    }

    /// What is proved about the matter goes before what else is; an atari on one stone says nothing.
    fn their_move(&self, cause: &Cause) -> Option<LeftAlone> {
        let theirs = self.explanation.theirs.as_ref()?;
        let mut told = theirs.effects.iter().filter(|deed| !is_petty(deed));
        let is_on_cause =
            |deed: &&Reason| cause.carrying().is_some_and(|reason| is_about(deed, reason, self.analysis()));
        let does = told.clone().find(is_on_cause).or_else(|| told.next())?.clone();
        Some(LeftAlone::TheirMove { mv: theirs.mv, does: Box::new(does) })
    }

    /// None if the mover is the first who comes to the matter. The end of a line says little.
    fn they_come(&self, expected: &ExplainedMove, cause: &Cause) -> Option<LeftAlone> {
        let opponent = !self.explanation.color;
        let line = colored_moves(&expected.variation, opponent);
        let mut later = line.iter().take(COMES_BACK).skip(1);
        let &(color, mv) = later.find(|(_, mv)| is_on_matter(*mv, cause))?;
        (color == opponent).then_some(LeftAlone::TheyCome { mv })
    }

    /// Of a place that is taken over, and of stones, the reason says what they are otherwise. That a place is the mover's anyway is not said of a
    /// big one.
    fn owned_alone(&self, cause: &Cause) -> Option<LeftAlone> {
        let is_told = |reason: &&CarryingReason| {
            matches!(reason.kind, MatterKind::BuildsTerritory | MatterKind::ReducesTerritory)
        };
        let reason = cause.carrying().filter(is_told)?;
        let owners = self.explanation.passed.owners.as_ref()?;
        let share = owners.mean_for(&reason.area.points, self.explanation.color);
        (reason.points < BIG_MATTER || share < OWNED).then_some(LeftAlone::Owned(share))
    }

    /// Does the search expect these very moves after the one that is explained, too?
    fn follow_the_move(&self, moves: &[(Color, Point)]) -> bool {
        let line = self.explained_move().line(self.explanation.color);
        line.get(1..).is_some_and(|after| after.starts_with(moves))
    }

    /// Does the search expect the first of these moves right after the one that is explained, too, though not the others? If the opponent comes to
    /// the very point of the move later, they show the difference all the same.
    fn comes_after_the_move(&self, moves: &[(Color, Point)], mv: Point) -> bool {
        let line = self.explained_move().line(self.explanation.color);
        let is_first_as_well = line.get(1).is_some_and(|next| moves.first() == Some(next));
        is_first_as_well && moves.iter().all(|&(_, played)| played != mv)
    }

    /// A second move of the same side with what it does, if that is more than an atari on one stone, or a connection with the stone just played.
    fn second_deed(&self) -> Option<(Point, Reason)> {
        let (second, played) = (self.explanation.second.as_ref()?, self.explained_move().mv.point());
        let joins_it = |deed: &Reason| {
            deed.rule.family == RuleFamily::Connect && [deed.about, deed.other].contains(&played)
        };
        let deed = second.effects.iter().find(|deed| !is_petty(deed) && !joins_it(deed))?;
        Some((second.mv, deed.clone()))
    }

    /// Does the mover play at the bad move's point, too, in the line of the better one that is told, or elsewhere behind it?
    fn gets_both(&self, better: &BetterMove, bad: KnownMove<'_>) -> bool {
        let Some(mv) = bad.mv.point() else { return false };
        better.next_elsewhere() == Some(mv) || self.told_moves(better).contains(&(self.explanation.color, mv))
    }

    /// Does the opponent answer the better move by the bad one, in another place?
    fn leaves_other(&self, good: KnownMove<'_>, bad: KnownMove<'_>) -> bool {
        let (Some(better), Some(other)) = (good.mv.point(), bad.mv.point()) else { return false };
        let reply = good.line(self.explanation.color).get(1).copied();
        better.lines_to(other) > ELSEWHERE && reply == Some((!self.explanation.color, other))
    }

    /// The opponent's answer to the bad move that helps it on the territory that the cost names, and that only the bad move brings: it is beside that
    /// one, neither is played after the better move, and the point stays more the mover's then. The end of a line says little, and a short one nothing.
    fn spared_answer(&self, loss: &Loss<'_>, cause: &Cause) -> Option<Point> {
        let Loss { bad, good, then, .. } = *loss;
        let color = self.explanation.color;
        let reason = cause.carrying().filter(|reason| !reason.kind.is_about_stones())?;
        let line = self.answering_line(bad, then.answer);
        let (&(_, answer), mv) = (line.first()?, bad.mv.point()?);
        let is_beside = mv.lines_to(answer) <= ABOUT && reason.counted_points().contains(answer);
        let after_good = good.line(color);
        let played = |point: Point| after_good.iter().take(COMES_BACK).any(|&(_, told)| told == point);
        let is_left_out = after_good.len() >= SAYS_ENOUGH && !played(answer) && !played(mv);
        let gained = good.owners?.owner_for(answer, color) - bad.owners?.owner_for(answer, color);
        let is_back = line.get(1).is_some_and(|&(_, next)| good.mv == Move::Play(next));
        let is_told = is_beside && is_left_out && !is_back && good.mv != Move::Play(answer);
        (is_told && gained >= STAYS_OPEN).then_some(answer)
    }

    /// The moves of the better move's line that are told.
    fn told_moves<'b>(&self, better: &'b BetterMove) -> &'b [(Color, Point)] {
        match &better.plan {
            Some(plan) => &plan.moves[..plan.moves.len().min(self.most_moves() + 1)],
            None => &better.moves[..],
        }
    }

    /// The opponent's answer to a bad move, to which the mover replies by the better one, if it comes in what is told of the better one, too: with
    /// the mover's reply there, unless that is the bad move itself.
    fn met_answer(
        &self,
        better: &BetterMove,
        bad: KnownMove<'_>,
        answer: Option<&ExplainedMove>,
    ) -> Option<[Point; 2]> {
        let color = self.explanation.color;
        let [(_, first), (by, back)] = *self.answering_line(bad, answer).first_chunk::<2>()?;
        if by != color || back != better.mv {
            return None;
        }
        let reply_to_it = |pair: &[(Color, Point)]| match *pair {
            [(other, mv), (own, reply)] if other != color && own == color && mv == first => Some(reply),
            _ => None,
        };
        let reply = self.told_moves(better).windows(2).find_map(reply_to_it)?;
        (bad.mv != Move::Play(reply)).then_some([first, reply])
    }

    /// The opponent's stone that a move pushes along from behind, if that is nearer to the edge, and the move far from it.
    fn pushed_from_above(&self, known: KnownMove<'_>) -> Option<Point> {
        let (mv, size) = (known.mv.point()?, self.explanation.position.size());
        let pushes = |idea: &&Reason| idea.rule.name == "push-behind";
        let pushed = known.explained?.reasons.ideas.iter().find(pushes)?.about?;
        let [line, own_line] = [pushed, mv].map(|point| line_of(size, point));
        (line < own_line && own_line >= HIGH_LINE).then_some(pushed)
    }

    /// `wanted` is what the opponent plays in place of the good move, or against the bad one.
    fn principle(
        &self,
        good: KnownMove<'_>,
        cause: &Cause,
        bad: Option<KnownMove<'_>>,
        wanted: Option<Point>,
        then: AfterMoves,
    ) -> Option<Principle> {
        let Explanation { listener, color, analysis, last, .. } = self.explanation;
        find_principle(&PrincipleFacts {
            listener: *listener,
            color: *color,
            groups: &analysis.groups,
            phase: analysis.phase,
            last: *last,
            bad: bad.and_then(|bad| bad.mv.point()),
            bad_deeds: bad.map_or(&[][..], |bad| bad.deeds()),
            pushed: bad.and_then(|bad| self.pushed_from_above(bad)),
            good: good.mv.point()?,
            wanted,
            reason: cause.carrying()?,
            deeds: good.deeds(),
            then: then.next,
            keeps_turn: then.keeps_turn,
            exchanged: then.exchanged,
        })
    }
}

/// What is told beside a reason: another area if that is larger than the one that would be told. Stones in the reason's own area stay. The
/// points of both may be cut to what the reason leaves of the loss: what the areas change by says which is larger.
fn larger_area(
    besides: Option<CarryingReason>,
    other: Option<CarryingReason>,
    reason: &CarryingReason,
) -> Option<CarryingReason> {
    let may_give_way = |told: &CarryingReason, other: &CarryingReason| {
        let is_area = told.area.points.intersection(&reason.area.points).is_empty();
        is_area && other.area.gain > told.area.gain
    };
    match (besides, other) {
        (Some(told), Some(other)) if may_give_way(&told, &other) => Some(other),
        (told, other) => told.or(other),
    }
}

/// Which line a point is on, from 1 at the nearest edge.
fn line_of(size: BoardSize, point: Point) -> usize {
    let (column, row) = (point.column(), point.row());
    1 + column.min(row).min(size.width() - 1 - column).min(size.height() - 1 - row)
}

/// The moves of a sequence with their colours, without passes.
fn colored_moves(moves: &[Move], first: Color) -> Vec<(Color, Point)> {
    let colors = [first, !first].into_iter().cycle();
    colors.zip(moves).filter_map(|(color, mv)| Some((color, mv.point()?))).collect()
}

/// Where the first move of a line is answered, if that is in the same place.
fn local_answer(moves: &[(Color, Point)]) -> Option<Point> {
    let [(mover, mv), (other, answer)] = *moves.first_chunk::<2>()?;
    (mover != other && mv.lines_to(answer) <= ELSEWHERE).then_some(answer)
}

/// Where the first move of a run is answered: the run may reach farther than its first moves do, in an area that they are about.
fn answer_in_run(run: &[(Color, Point)]) -> Option<Point> {
    let [(mover, _), (other, answer)] = *run.first_chunk::<2>()?;
    (mover != other).then_some(answer)
}

/// Where the side that begins a line plays next, elsewhere, if the other one has answered it in the same place: it has the turn then. None behind
/// so many moves.
fn turn_elsewhere(moves: &[(Color, Point)], most: usize) -> Option<Point> {
    let run = local_run(moves, None);
    let (&(first, _), &(color, next)) = (moves.first()?, moves.get(run)?);
    let is_answered = moves[..run].last().is_some_and(|&(last, _)| last != first);
    (is_answered && color == first && run <= most).then_some(next)
}

/// Is the first move of a line answered right beside it?
fn is_answered_beside(moves: &[(Color, Point)]) -> bool {
    let is_beside = |[(_, mv), (_, answer)]: &[(Color, Point); 2]| mv.lines_to(*answer) <= ABOUT;
    moves.first_chunk::<2>().is_some_and(is_beside)
}

/// What is proved of a bad move first, if the better one is not told to do the same.
fn deed_of_bad_alone(bad: KnownMove<'_>, better: Option<&BetterMove>) -> Option<Reason> {
    let better_does = better.and_then(|better| better.does.as_ref());
    let is_shared = |deed: &&Reason| better_does.is_some_and(|does| is_same_deed(does, deed));
    bad.deeds().first().filter(|deed| !is_shared(deed)).cloned()
}

/// The answer to a bad move, right beside it, if the mover then plays the better one at once.
fn exchanged_for(bad: Move, line: &TaughtLine) -> Option<Point> {
    let TaughtLine::Refutation { moves, back_after: Some(1), .. } = line else { return None };
    let &(_, answer) = moves.first()?;
    (bad.point()?.lines_to(answer) <= ABOUT).then_some(answer)
}

/// Is a bad move not answered where it was played?
fn is_not_answered(line: &TaughtLine) -> bool {
    matches!(line, TaughtLine::Refutation { role: AnswerRole::Elsewhere, .. })
}

/// Does a side take stones off the board in a line?
fn takes_stones(moves: &[(Color, Point)], captures: &[usize], side: Color) -> bool {
    moves.iter().zip(captures).any(|(&(color, _), &taken)| color == side && taken > 0)
}

/// Does the opponent play on in the same place after the mover's first answer, where the matter is big? Then its first move makes a difference.
fn plays_on(moves: &[(Color, Point)], cause: &Cause) -> bool {
    let reason = cause.carrying();
    reason.is_some_and(|reason| reason.points >= BIG_MATTER) && local_run(moves, reason) > 2
}

/// The moves of a line that are played in the same place, at most so many: what comes later elsewhere proves nothing here.
fn cut_to_place(mut moves: Vec<(Color, Point)>, cause: &Cause, most: usize) -> Vec<(Color, Point)> {
    moves.truncate(local_run(&moves, cause.carrying()).min(most));
    moves
}

/// Is what the opponent plays in place of a move about its matter? Territory is wide: beside it the move has to be near, too.
fn is_answer_to_matter(there: Point, mv: Point, cause: &Cause) -> bool {
    let reason = cause.carrying();
    let is_at_matter =
        reason.is_some_and(|reason| reason.area.points.iter().any(|point| point.lines_to(there) <= ABOUT));
    let is_about_stones = reason.is_some_and(|reason| reason.kind.is_about_stones());
    let lines = mv.lines_to(there);
    lines <= ABOUT || is_at_matter && (is_about_stones || lines <= NEAR_TERRITORY)
}

/// Is territory named near a move? Stones always are.
pub(super) fn is_named_near(reason: &CarryingReason, mv: Point) -> bool {
    reason.kind.is_about_stones() || reason.middle.is_none_or(|middle| middle.lines_to(mv) <= ELSEWHERE)
}

/// Is a move played at the stones that a matter is about, if it is about stones?
fn is_at_stones(reason: &CarryingReason, mv: Point) -> bool {
    reason.kind.is_about_stones() && is_at(&reason.stones, &PointSet::from_point(mv))
}

/// Is a move played where the matter is?
pub(super) fn is_on_matter(mv: Point, cause: &Cause) -> bool {
    cause.carrying().is_some_and(|reason| reason.area.points.with_neighbours().contains(mv))
}

/// Is what a move does no more than an atari on one stone, or a threat to it, and not one of those that the matter is about?
fn is_petty_beside(deed: &Reason, reason: &CarryingReason) -> bool {
    is_petty(deed) && !deed.about.is_some_and(|stone| reason.stones.contains(stone))
}

/// Is what a move does no more than an atari on one stone, or a threat to it?
fn is_petty(deed: &Reason) -> bool {
    matches!(deed.rule.name, "atari" | "threaten") && deed.count == 1
}

/// Do two moves do the same to the same stones? Of a connection or a cut both ends count.
fn is_same_deed(one: &Reason, other: &Reason) -> bool {
    one.rule.name == other.rule.name && one.about == other.about && one.other == other.other
}

/// Does one side do to the very stones what the other side undoes at the same point: cut or join them, catch or save them? The one says the
/// other.
fn is_mirrored(one: &Reason, other: &Reason) -> bool {
    use RuleFamily::{Capture, Connect, Cut, Save};
    let ends = |deed: &Reason| {
        let mut ends = [deed.about, deed.other];
        ends.sort();
        ends
    };
    match [one.rule.family, other.rule.family] {
        [Cut, Connect] | [Connect, Cut] => ends(one) == ends(other),
        [Capture, Save] | [Save, Capture] => one.about == other.about,
        _ => false,
    }
}

/// Does a deed take stones off the board?
fn is_taking(deed: &Reason) -> bool {
    matches!(deed.rule.name, "take-stone" | "take-stones")
}

/// Does a deed keep stones from getting away, without taking them yet?
fn is_catching(deed: &Reason) -> bool {
    matches!(deed.rule.name, "capture" | "ladder" | "net")
}

/// An atari or a threat that the opponent answers in the same place, where the move's weightiest deed is no more than a connection or a cut.
fn forcing_deed<'a>(deeds: &'a [Reason], line: &[(Color, Point)]) -> Option<&'a Reason> {
    local_answer(line)?;
    let is_quiet = matches!(deeds.first()?.rule.family, RuleFamily::Connect | RuleFamily::Cut);
    let forces = |deed: &&Reason| matches!(deed.rule.name, "atari" | "double-atari" | "threaten");
    deeds.iter().find(forces).filter(|_| is_quiet)
}

/// Where the opponent answers the first move of a plan, if the mover has the turn to play elsewhere at its end.
fn answer_that_keeps_the_turn(plan: &MovePlan) -> Option<Point> {
    plan.then_elsewhere?;
    let &(mover, _) = plan.moves.first()?;
    plan.moves.iter().find(|&&(color, _)| color != mover).map(|&(_, answer)| answer)
}

/// Is a cause territory whose name is far from a move of which reading proves something? It comes by many moves behind that: what is proved is
/// told with the gain in all.
fn is_far_from_deeds(known: KnownMove<'_>, cause: &Cause) -> bool {
    let territory = cause.carrying().filter(|reason| !reason.kind.is_about_stones());
    let middle = territory.and_then(|reason| reason.middle);
    let is_far = middle.zip(known.mv.point()).is_some_and(|(middle, mv)| middle.lines_to(mv) > ELSEWHERE);
    is_far && !known.deeds().is_empty()
}

/// Does a cause say little of why so many points are lost?
fn is_little_explained(cause: &Cause, points: f64) -> bool {
    match cause {
        Cause::Carried(reason) => reason.points < LITTLE_OF_LOSS * points,
        Cause::Spread => points >= UNEXPLAINED,
        Cause::Unknown => false,
    }
}

/// Is something to be said of the rest of a loss: is the cost less than half of it, or are the sizes of both moves told instead?
fn is_rest_told(cause: &Cause, points: f64, sizes: Option<&MoveSizes>) -> bool {
    match cause {
        Cause::Carried(reason) => is_little_explained(cause, points) && !is_told_whole(reason.points, points),
        Cause::Spread | Cause::Unknown => sizes.is_some(),
    }
}

/// Is a part of a loss nearly all of it, or all of it in whole points? Then it is not told as a part.
pub(super) fn is_told_whole(part: f64, loss: f64) -> bool {
    let [told, whole] = [part, loss].map(|points| points.round().max(1.0));
    part >= NEARLY_ALL * loss || told >= whole
}

/// Is what a move does about the matter that carries the difference?
fn is_about(deed: &Reason, reason: &CarryingReason, analysis: &Analysis) -> bool {
    let matter = reason.area.points.union(&reason.stones).with_neighbours();
    let chain_touches = |stone: Point| match analysis.chains.chain_at(stone) {
        Some(chain) => !chain.stones.intersection(&matter).is_empty(),
        None => matter.contains(stone),
    };
    [deed.about, deed.other].into_iter().flatten().any(chain_touches)
}

/// Does an idea say how a move is played? Counts of patterns and what the state of the game asks for do not.
fn is_name_of_move(idea: &Reason) -> bool {
    let says_other =
        matches!(idea.rule.family, RuleFamily::Pattern | RuleFamily::Joseki | RuleFamily::Strategy);
    !says_other && !idea.is_filler() && idea.rule.name != "take-liberties"
}

/// Does an idea say what a move wants with groups or areas, and not only how it stands to a stone?
fn is_aim_of_move(idea: &Reason) -> bool {
    use RuleFamily::{Attack, Invade, Moyo, Run};
    matches!(idea.rule.family, Attack | Invade | Moyo | Run) && is_name_of_move(idea)
}

/// Why a move is played of which nothing is proved. What is true of most moves, names and counts of patterns are no answer.
fn idea_to_tell(explained: &ExplainedMove) -> Option<&Reason> {
    let is_told = |idea: &&Reason| is_name_of_move(idea) && idea.rule.family != RuleFamily::Shape;
    explained.reasons.ideas.iter().find(is_told)
}

#[cfg(test)]
mod tests {
    use ishi_knowledge::{GroupStrength, rules};
    use ishi_words::Language;

    use super::super::lesson::tests::swing;
    use super::super::owners::ChangedArea;
    use super::super::owners::tests::{BLACK_CORNER, CORNER, HandMade};
    use super::super::place::BoardPlace;
    use super::super::principle::PrincipleKind;
    use super::super::say::{TeachingPart, says_something, speak_answer, teaching_text};
    use super::super::{OpponentFirst, PassedPosition};
    use super::*;

    const AROUND: &str = "C7 D7 D5";
    /// White's stones around Black's.
    const WALL: &str = "B8 C8 D8 E8 B7 E7 B6 E6 E5 B4 C4 D4 E4";

    fn with_strength(mut made: HandMade, strength: GroupStrength) -> HandMade {
        let name = made.point("C5");
        let groups = made.analysis.groups.iter_mut().filter(|group| group.stones.contains(name));
        groups.for_each(|group| group.strength = strength);
        made
    }

    /// A move with what is known after it: the lead of its side, the owners, how it goes on.
    fn explained(made: &HandMade, line: &str, score: f64, owners: OwnerMap) -> ExplainedMove {
        let moves: Vec<Move> = line.split_whitespace().map(|vertex| made.point(vertex).into()).collect();
        let (mv, color) = (moves[0].point().unwrap(), made.position.to_move());
        let reasons = MoveReasons { mv, color, effects: vec![], ideas: vec![], rank: None, value: 0.0 };
        ExplainedMove {
            reasons,
            surroundings: vec![],
            win_rate: 0.5,
            score,
            variation: moves,
            owners: Some(owners),
        }
    }

    fn compared(mv: ExplainedMove, verdict: MoveVerdict, points: f64) -> ComparedMove {
        ComparedMove {
            mv,
            verdict,
            gain: [points, points / 50.0],
            gain_error: 1.4,
            gain_margin: 1.4,
            sureness: points / 1.4,
            missing: vec![],
            answer: None,
            left: vec![],
        }
    }

    /// `passed` is the lead of the side to move after a pass, and whose the points are then.
    fn explanation(made: &HandMade, mv: Option<ExplainedMove>, passed: (f64, OwnerMap)) -> Explanation {
        Explanation {
            listener: Listener::Kyu,
            position: made.position.clone(),
            analysis: made.analysis.clone(),
            color: made.position.to_move(),
            played: 0,
            mv,
            otherwise: None,
            threats: vec![],
            answer: None,
            left: vec![],
            second: None,
            theirs: None,
            opponent_first: None,
            alternatives: vec![],
            why_not: vec![],
            last: None,
            passed: PassedPosition { lead: passed.0, owners: Some(passed.1) },
            black_lead: 0.0,
            black_win_rate: 0.5,
        }
    }

    fn lives(made: &HandMade) -> OwnerMap {
        made.map(&[(AROUND, 0.9)])
    }

    fn dies(made: &HandMade) -> OwnerMap {
        made.map(&[(BLACK_CORNER, -0.9), (AROUND, -0.9)])
    }

    fn english_lines(teaching: &Teaching) -> Vec<String> {
        teaching_text(teaching, Language::English).lines().map(str::to_string).collect()
    }

    fn japanese_lines(teaching: &Teaching) -> Vec<String> {
        teaching_text(teaching, Language::Japanese).lines().map(str::to_string).collect()
    }

    /// A long chain has one name in a text, whoever names it.
    #[test]
    fn what_is_proved_of_a_chain_names_it_as_the_reason_does() {
        let made = with_strength(
            HandMade::from_diagram(
                "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            X X X X X X X X .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            ",
                Color::Black,
            ),
            GroupStrength::Stable,
        );
        let map = |owner: f32| made.map(&[("A5 B5 C5 D5 E5 F5 G5 H5", owner)]);
        let told = |name: &str, count: usize| {
            let deed = reason_of(rules::find_rule(name).unwrap());
            let (about, other) = (Some(made.point("A5")), Some(made.point("J6")));
            let mut good = explained(&made, "J6", 4.0, map(0.5));
            good.reasons.effects = vec![Reason { about, other, count, ..deed }];
            english_lines(&teach_move(&explanation(&made, Some(good), (0.0, map(0.0)))))[1].clone()
        };
        assert_eq!(told("save", 8), "It saves 8 stones at H5 from capture (about 4 points).");
        let wins = "It makes the 8 stones at H5 safer (about 4 points): it wins the race of H5 against the 3 stones at J6.";
        assert_eq!(told("win-race", 3), wins);
        let connects = "It makes the 8 stones at H5 safer (about 4 points): it connects A5 and J6.";
        assert_eq!(told("connect", 0), connects, "the ends of a connection are where they are");
        let mut good = explained(&made, "J6", 4.0, map(0.5));
        let (about, other) = (Some(made.point("A5")), Some(made.point("J6")));
        let connect = reason_of(rules::find_rule("connect").unwrap());
        good.reasons.effects = vec![Reason { about, other, ..connect }];
        let teaching = teach_move(&explanation(&made, Some(good), (0.0, map(0.0))));
        let remember = "Remember: connected stones live together (here Black A5 and J6).";
        assert_eq!(english_lines(&teaching).last().unwrap(), remember);
        let remember = "心得：つながった石は強い（ここでは黒のA5とJ6）。";
        assert_eq!(japanese_lines(&teaching).last().unwrap(), remember);
    }

    /// So has a group of several chains.
    #[test]
    fn a_group_that_lives_is_named_as_the_reason_names_it() {
        let mut made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let [corner, wall] = ["C5", "G5"].map(|vertex| made.point(vertex));
        let of_wall = made.analysis.groups.iter().find(|group| group.stones.contains(wall)).unwrap().stones;
        let joined = made.analysis.groups.iter_mut().find(|group| group.stones.contains(corner)).unwrap();
        joined.stones.add_set(&of_wall);
        let map = |owner: f32| made.map(&[(BLACK_CORNER, owner), ("F6 G8 G7 G6 G5 G4", owner)]);
        let mut good = explained(&made, "F6", 16.0, map(0.9));
        let lives = reason_of(rules::find_rule("live").unwrap());
        good.reasons.effects = vec![Reason { about: Some(corner), count: 8, ..lives }];
        let lines = english_lines(&teach_move(&explanation(&made, Some(good), (0.0, map(-0.9)))));
        assert!(lines[1].starts_with("It makes the group at G4 live (8 stones"), "{lines:?}");
    }

    /// Where the search may be off by as much as the loss, the most that it may be is told.
    #[test]
    fn how_far_off_a_loss_may_be_is_told() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Weak);
        let told = |margin: f64, listener: Listener| {
            let played = explained(&made, "J1 C7", -10.0, dies(&made));
            let mut told = explanation(&made, Some(played), (-10.0, dies(&made)));
            let better = compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0);
            told.why_not = vec![ComparedMove { gain_margin: margin, ..better }];
            told.listener = listener;
            let teaching = teach_move(&told);
            assert_eq!((teaching.verdict.error, teaching.verdict.margin), (1.4, margin));
            [english_lines(&teaching)[0].clone(), japanese_lines(&teaching)[0].clone()]
        };
        let lines = |english: &str, japanese: &str| [english.to_string(), japanese.to_string()];
        assert_eq!(
            told(6.3, Listener::Kyu),
            lines(
                "Black J1 loses about 11 points (give or take 6).",
                "黒J1は約11目の損です（誤差6目ほど）。"
            )
        );
        assert_eq!(
            told(12.2, Listener::Kyu),
            lines(
                "Black J1 probably loses about 11 points (at most 23 points).",
                "黒J1はおそらく約11目の損です（多くて23目）。"
            )
        );
        let plain = lines("Black J1 loses about 11 points.", "黒J1は約11目の損です。");
        let doubtful = lines("Black J1 probably loses about 11 points.", "黒J1はおそらく約11目の損です。");
        assert_eq!(told(12.2, Listener::Beginner), doubtful, "a beginner hears of no margins");
        assert_eq!(told(6.3, Listener::Beginner), plain);
        assert_eq!(told(f64::INFINITY, Listener::Kyu), plain, "nothing is known of it");
    }

    /// The group dies by the move that was played, and lives by the better one.
    #[test]
    fn a_group_that_dies_by_the_move_played_is_the_cost() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Weak);
        let mut told =
            explanation(&made, Some(explained(&made, "J1 C7", -10.0, dies(&made))), (-10.0, dies(&made)));
        told.why_not = vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
        let teaching = teach_move(&told);
        let expected = [
            "Black J1 loses about 11 points (give or take 1).",
            "The cost: the 3 stones at C5 die and could live. Black J1 gains next to nothing, and C7 gains about 11 points.",
            "The answer: White C7 takes the very point, and attacks the 3 stones at C5.",
            "Better: Black C7. It keeps the 3 stones at C5 alive.",
            "Remember: your weak group comes first (Black's 3 stones at C5 were weak before this move).",
        ];
        assert_eq!(english_lines(&teaching), expected);
        let expected = [
            "黒J1は約11目の損です（誤差1目ほど）。",
            "損の理由：助かるはずのC5の3子が死にます。黒J1にはほとんど価値がなく、C7なら約11目の価値があります。",
            "相手の応手：肝心の点に白C7と打たれます。C5の3子を攻めます。",
            "もっと良い手：黒C7。C5の3子を助けます。",
            "心得：弱い石の守りが先（黒C5の3子はこの手の前から弱い石でした）。",
        ];
        assert_eq!(japanese_lines(&teaching), expected);
    }

    #[test]
    fn the_only_move_is_told_with_what_it_saves_and_what_happens_without_it() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let mut told =
            explanation(&made, Some(explained(&made, "C7", 1.0, lives(&made))), (-10.0, dies(&made)));
        let bad = |vertex: &str, points: f64| {
            compared(explained(&made, vertex, 1.0 + points, dies(&made)), MoveVerdict::Worse, points)
        };
        told.alternatives = vec![bad("J1", -11.0), bad("H1", -12.0)];
        told.otherwise = Some(explained(&made, "C7 D5", 0.0, dies(&made)));
        let only = "Black C7 is the only move: the next best loses about 11 points.";
        let saves = "It keeps the 3 stones at C5 alive (about 11 points).";
        let otherwise = "If it is not played, White C7 attacks the 3 stones at C5 (W C7, B D5).";
        let same = "Remember: your opponent's best point is yours, too (White wants C7).";
        assert_eq!(english_lines(&teach_move(&told)), [only, saves, otherwise, same]);
        let expected = [
            "黒C7は絶対の一手です（次善の手は約11目の損）。",
            "C5の3子を助けます（約11目）。",
            "打たないと、白C7でC5の3子を攻めます（白C7・黒D5）。",
            "心得：敵の急所は我が急所（白もC7に打ちたいところです）。",
        ];
        assert_eq!(japanese_lines(&teach_move(&told)), expected);
        // What the opponent does then is elsewhere: that it is not urgent is not said of the only move, but of one of several. Where stones
        // die otherwise it is never said that nothing happens.
        told.otherwise = Some(explained(&made, "J1", 0.0, dies(&made)));
        assert_eq!(english_lines(&teach_move(&told)), [only, saves]);
        told.alternatives[0].verdict = MoveVerdict::AsGood;
        let big = "It is big, but not urgent: White would play elsewhere first, at J1.";
        assert_eq!(english_lines(&teach_move(&told))[2], big);
        told.alternatives[0].verdict = MoveVerdict::Worse;
        told.otherwise = None;
        assert!(japanese_lines(&teach_move(&told))[2].contains("打たなくても何も起こりません"));
        // Asked about one of the bad moves.
        told.why_not = vec![bad("J1", -11.0)];
        let asked = teach_question(&told, &told.why_not[0]).unwrap();
        assert_eq!((asked.verdict.kind, asked.mv), (VerdictKind::Loses, made.point("J1").into()));
        assert_eq!(asked.cause.carrying().unwrap().kind, MatterKind::SavesStones);
        assert_eq!(asked.better.unwrap().mv, made.point("C7"));
        let same = compared(told.mv.clone().unwrap(), MoveVerdict::AsGood, 0.0);
        assert_eq!(teach_question(&told, &same), None, "it is the move explained");
    }

    /// A good move that is asked about is held against all that is known, not only against the bad move that was played.
    #[test]
    fn a_move_that_is_asked_about_is_held_against_the_other_good_moves() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let mut told =
            explanation(&made, Some(explained(&made, "J1", -10.0, dies(&made))), (-10.0, dies(&made)));
        let beside = |vertex: &str, verdict, points: f64| {
            compared(explained(&made, vertex, points - 10.0, lives(&made)), verdict, points)
        };
        let asked = |told: &Explanation, verdict, points: f64| {
            let question = beside("C7", verdict, points);
            english_lines(&teach_question(told, &question).unwrap()).remove(0)
        };
        let better = MoveVerdict::Better;
        let best = "Black C7 is the best move here: the next best loses";
        assert_eq!(asked(&told, better, 11.0), format!("{best} about 11 points."));
        told.alternatives = vec![beside("H1", better, 4.0)];
        assert_eq!(asked(&told, better, 11.0), format!("{best} about 7 points."));
        told.alternatives = vec![beside("H1", better, 10.0)];
        assert_eq!(asked(&told, better, 11.0), "Black C7 is one of two good moves (also H1).");
        // As bad as the move that was played is not good.
        let loses = asked(&told, MoveVerdict::AsGood, 0.0);
        assert!(loses.contains("C7") && loses.contains("loses about 10 points"), "{loses}");
    }

    /// What reading proves of the very stones that carry the difference is told in place of the difference.
    #[test]
    fn a_ladder_is_told_with_its_sequence_and_its_principle() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::White), GroupStrength::Stable);
        let mut ladder = explained(&made, "C7 D5 D7", 10.0, dies(&made));
        let sequence = [(Color::White, "C7"), (Color::Black, "D5")];
        ladder.reasons.effects = vec![Reason {
            rule: rules::find_rule("ladder").unwrap(),
            value: 8.0,
            about: Some(made.point("C5")),
            other: None,
            count: 3,
            sequence: sequence.map(|(color, vertex)| (color, made.point(vertex))).to_vec(),
            variations: vec![],
            is_urgent: false,
            pattern: None,
        }];
        let mut told = explanation(&made, Some(ladder), (-1.0, lives(&made)));
        let as_good = explained(&made, "D5", 9.5, dies(&made));
        told.alternatives = vec![compared(as_good, MoveVerdict::AsGood, -0.5)];
        let teaching = teach_move(&told);
        let lines = english_lines(&teaching);
        assert_eq!(lines[0], "White C7 is one of at least two good moves (also D5).");
        assert_eq!(lines[1], "It catches 3 stones at C5 in a ladder: W C7, B D5 (about 11 points).");
        assert_eq!(lines[3], "It goes on W C7, B D5, W D7.");
        assert_eq!(lines[4], "Remember: look for ladders, as this one works (against Black C5).");
        let lines = japanese_lines(&teaching);
        assert_eq!(lines[0], "白C7は好手です。同じくらい良い手がほかに少なくとも1つあります（D5）。");
        assert_eq!(lines[1], "C5の3子をシチョウに捕らえます（白C7・黒D5、約11目）。");
        assert_eq!(lines[3], "続きは白C7・黒D5・白D7。");
    }

    #[test]
    fn the_last_big_point_is_territory_that_is_missed() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let side = "H7 J7 H6 J6 H5 J5 H4 J4 H3 J3";
        let map = |owner: f32| made.map(&[(side, owner)]);
        let mut told = explanation(&made, Some(explained(&made, "A9 H5", -7.0, map(0.1))), (-7.0, map(0.1)));
        told.alternatives = vec![compared(explained(&made, "H5", 1.0, map(0.9)), MoveVerdict::Better, 8.0)];
        let teaching = teach_move(&told);
        assert_eq!(teaching.principle.unwrap().kind, PrincipleKind::BiggestPoint);
        let lines = english_lines(&teaching);
        let cost = "The cost: Black gets less territory on the right side, around H5.";
        let sizes = "Black A9 gains next to nothing, and H5 gains about 8 points.";
        assert_eq!(lines[1], format!("{cost} {sizes}"));
        let answer = "The answer: White H5 takes the very point, and reduces that territory.";
        assert_eq!(lines[2], answer);
        assert_eq!(lines[3], "Better: Black H5. It makes Black's territory on the right side, around H5.");
        assert_eq!(lines[4], "Remember: take the biggest point first (here it is H5).");
        let japanese = "損の理由：右辺（H5付近）の黒地が減ります。黒A9にはほとんど価値がなく、H5なら約8目の価値があります。";
        assert_eq!(japanese_lines(&teaching)[1], japanese);
        // Nearly half of the loss is elsewhere.
        told.alternatives[0].mv.score = 8.0;
        told.alternatives[0].gain = [15.0, 0.2];
        let half = "The cost: Black gets less territory on the right side, around H5 (8 of the 15 points). Black A9 gains next to nothing, and H5 gains about 15 points.";
        assert_eq!(english_lines(&teach_move(&told))[1], half);
        // Nearly all of it is.
        told.alternatives[0].mv.score = 17.0;
        told.alternatives[0].gain = [24.0, 0.2];
        let little = "(8 of the 24 points, the rest here and there).";
        assert!(english_lines(&teach_move(&told))[1].contains(little));
        assert!(japanese_lines(&teach_move(&told))[1].contains("（24目のうち8目、残りはあちこち）"));
        // Where so little is explained both sizes are told, though the moves are in the same place.
        told.mv = Some(explained(&made, "H3", -7.0, map(0.1)));
        let sizes = "Black H3 gains next to nothing, and H5 gains about 24 points.";
        assert!(english_lines(&teach_move(&told))[1].ends_with(sizes));
        told.alternatives[0].mv.score = 1.0;
        told.alternatives[0].gain = [8.0, 0.2];
        assert_eq!(teach_move(&told).sizes, None, "the area is the whole loss");
    }

    #[test]
    fn small_differences_and_chances_are_told_as_such() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let spread = made.map(&[("A9 J9 A1 J1", 0.6), ("E1", 0.3)]);
        let mut told =
            explanation(&made, Some(explained(&made, "E5", 0.0, made.map(&[]))), (0.0, made.map(&[])));
        told.alternatives = vec![compared(explained(&made, "H5", 2.7, spread), MoveVerdict::Better, 2.7)];
        let lines = english_lines(&teach_move(&told));
        assert_eq!(lines[1], "What it costs are small differences all over the board.");
        // Most of them may lie in one part of it.
        let mut side = told.clone();
        side.alternatives[0].mv.owners = Some(made.map(&[("H6 J6 H5 J5 H4 J4", 0.11)]));
        side.alternatives[0].gain = [1.2, 0.1];
        assert_eq!(
            english_lines(&teach_move(&side))[1],
            "What it costs are small differences, most of them on the right side."
        );
        let right = "損は小さな差の積み重ねで、その多くは右辺にあります。";
        assert_eq!(japanese_lines(&teach_move(&side))[1], right);
        // What is large lies somewhere: both sizes are told.
        told.alternatives[0].gain = [5.0, 0.1];
        let sizes = "Black E5 gains next to nothing, and H5 gains about 5 points.";
        assert_eq!(english_lines(&teach_move(&told))[1], sizes);
        // Both may be worse than a pass.
        let passed = std::mem::replace(&mut told.passed.lead, 6.0);
        assert_eq!(teach_move(&told).sizes, None);
        assert!(!english_lines(&teach_move(&told)).iter().any(|line| line.contains("gains")));
        told.passed.lead = passed;
        told.alternatives[0].gain = [0.3, 0.09];
        told.alternatives[0].mv.score = 0.3;
        let lines = english_lines(&teach_move(&told));
        assert_eq!(lines[0], "Black E5 loses about 9 % of the chance to win.");
        assert!(!lines[1].starts_with("The cost"), "{lines:?}");
        assert_eq!(japanese_lines(&teach_move(&told))[0], "黒E5は勝率約9%の損です。");
    }

    #[test]
    fn a_pass_that_loses_is_told_with_the_better_move() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let mut told = explanation(&made, None, (-10.0, dies(&made)));
        told.alternatives =
            vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
        let lines = english_lines(&teach_move(&told));
        assert_eq!(lines[0], "Black's pass loses about 11 points (give or take 1).");
        assert_eq!(lines[1], "The cost: the 3 stones at C5 die and could live.");
        told.alternatives[0].verdict = MoveVerdict::Worse;
        told.alternatives[0].gain = [-2.0, -0.1];
        let lines = english_lines(&teach_move(&told));
        assert_eq!(lines, ["Black's pass is the best move here: the next best loses about 2 points."]);
    }

    /// An area far from the moves changes by chance: it is neither the cost nor what the better move does.
    #[test]
    fn what_happens_far_away_carries_no_move() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let (here, far) = ("H2 J2 H1 J1", "H8 J8 H9 J9 G9");
        let nothing = made.map(&[]);
        let mut told = explanation(&made, Some(explained(&made, "J3", 0.0, nothing.clone())), (0.0, nothing));
        let better = explained(&made, "H3 E9", 6.0, made.map(&[(here, 0.5), (far, 0.9)]));
        told.alternatives = vec![compared(better, MoveVerdict::Better, 6.0)];
        let teaching = teach_move(&told);
        let points = teaching.cause.carrying().unwrap().area.points;
        assert!(points.contains(made.point("J2")) && !points.contains(made.point("J9")));
        let better = teaching.better.unwrap();
        assert_eq!(better.reason.as_ref(), teaching.cause.carrying());
        assert!(better.moves.len() == 1, "E9 is elsewhere: {:?}", better.moves);
    }

    /// The name of a move says how it gains what it gains; alone it is no reason.
    #[test]
    fn a_name_is_told_with_what_it_gains() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let mut hane = explained(&made, "H5", 6.0, made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", 0.8)]));
        let name = rules::find_rule("center-point").unwrap();
        hane.reasons.ideas = vec![Reason { about: Some(made.point("C5")), ..reason_of(name) }];
        let mut told = explanation(&made, Some(hane), (-1.0, made.map(&[])));
        told.otherwise = Some(explained(&made, "A9", 0.0, made.map(&[])));
        let lines = english_lines(&teach_move(&told));
        assert_eq!(
            lines[1],
            "It looks to the centre from C5 and makes Black's territory on the right side, around H5 (about 7 points)."
        );
        let big = "It is big, but not urgent: White would play elsewhere first, at A9. Without it either side may get that place.";
        assert_eq!(lines[2], big);
        // A name with a comma in it ends with one.
        let push = rules::find_rule("push-level").unwrap();
        let told_of = told.mv.as_mut().unwrap();
        told_of.reasons.ideas = vec![Reason { about: Some(made.point("G5")), ..reason_of(push) }];
        let line = &english_lines(&teach_move(&told))[1];
        assert!(line.starts_with("It pushes along G5, level with it, and makes Black's territory"), "{line}");
        // So does one with "and" in it.
        let pincer = reason_of(rules::find_rule("extend-and-pincer").unwrap());
        let (about, other) = (Some(made.point("C5")), Some(made.point("G5")));
        told.mv.as_mut().unwrap().reasons.ideas = vec![Reason { about, other, ..pincer }];
        let line = &english_lines(&teach_move(&told))[1];
        let pincers = "It extends from G5 and pincers C5 at the same time, and makes Black's territory";
        assert!(line.starts_with(pincers), "{line}");
    }

    /// What a move threatens besides is told with its answer, and nothing is said of it not being urgent.
    #[test]
    fn a_threat_that_is_answered_is_told_besides() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let side = made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", 0.8)]);
        let mut good = explained(&made, "H5 H4", 6.0, side);
        let sequence = [(Color::Black, made.point("D5")), (Color::White, made.point("D7"))];
        let threaten = reason_of(rules::find_rule("threaten").unwrap());
        let about = Some(made.point("E6"));
        good.reasons.effects = vec![Reason { about, count: 8, sequence: sequence.to_vec(), ..threaten }];
        let mut told = explanation(&made, Some(good), (-1.0, made.map(&[])));
        told.otherwise = Some(explained(&made, "A9", 0.0, made.map(&[])));
        let lines = english_lines(&teach_move(&told));
        assert_eq!(lines[1], "It makes Black's territory on the right side, around H5 (about 7 points).");
        let threat = "It also threatens to catch 8 stones at E6 (B D5, W D7), which White answers at H4.";
        assert_eq!(lines[2], threat);
        assert!(!lines.iter().any(|line| line.contains("not urgent")), "{lines:?}");
        let japanese = "さらに、E6の8子を捕らえる手を狙います（黒D5・白D7）。白はH4に受けます。";
        assert_eq!(japanese_lines(&teach_move(&told))[2], japanese);
        // One stone is not worth it, nor a threat that is answered elsewhere or not at all.
        let deeds = told.mv.as_ref().unwrap().reasons.effects.clone();
        let line = |vertices: &str| colored(&made, vertices);
        assert!(find_threat(&deeds, &line("H5 H4"), None).is_some());
        assert_eq!(find_threat(&deeds, &line("H5 A9"), None), None);
        assert_eq!(find_threat(&deeds, &line("H5"), None), None);
        assert_eq!(find_threat(&deeds, &line("H5 H4"), Some(&deeds[0])), None, "it is told already");
        let one = [Reason { count: 1, ..deeds[0].clone() }];
        assert_eq!(find_threat(&one, &line("H5 H4"), None), None);
    }

    /// The atari that everybody sees is told, with its answer, but not of stones of which more is told.
    #[test]
    fn an_atari_that_is_answered_is_told_besides() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::White), GroupStrength::Stable);
        let deed = |name: &str, about: &str, count: usize| Reason {
            about: Some(made.point(about)),
            other: Some(made.point("G5")),
            count,
            ..reason_of(rules::find_rule(name).unwrap())
        };
        let told = |effects: Vec<Reason>| {
            let mut good = explained(&made, "C7 D7", 1.0, dies(&made));
            good.reasons.effects = effects;
            let told = explanation(&made, Some(good), (-10.0, lives(&made)));
            let is_besides = |line: &String| line.contains("It also") || line.contains("さらに");
            let teaching = teach_move(&told);
            [english_lines(&teaching), japanese_lines(&teaching)]
                .map(|lines| lines.into_iter().find(is_besides))
        };
        let connects = deed("connect-knight", "C8", 0);
        let [english, japanese] = told(vec![connects.clone(), deed("atari", "G5", 2)]);
        assert_eq!(english.unwrap(), "It also puts 2 stones at G5 into atari, which Black answers at D7.");
        assert_eq!(japanese.unwrap(), "さらに、G5の2子をアタリにします。黒はD7に受けます。");
        assert_eq!(told(vec![connects.clone(), deed("atari", "G5", 1)]), [None, None], "one stone");
        assert_eq!(told(vec![connects, deed("atari", "C5", 3)]), [None, None], "these die");
        let (atari, line) = ([deed("atari", "C5", 3)], colored(&made, "C7 D7"));
        assert!(find_threat(&atari, &line, None).is_some());
        assert_eq!(find_threat(&atari, &line, Some(&deed("net", "C5", 3))), None, "they are caught");
    }

    fn colored(made: &HandMade, vertices: &str) -> Vec<(Color, Point)> {
        let moves: Vec<Move> = vertices.split_whitespace().map(|vertex| made.point(vertex).into()).collect();
        colored_moves(&moves, Color::Black)
    }

    /// The bad move is not answered: the opponent plays where the matter is. The better move is elsewhere, and answered.
    #[test]
    fn a_cost_elsewhere_is_what_the_opponent_plays_instead_of_an_answer() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Weak);
        let mut told =
            explanation(&made, Some(explained(&made, "J1 C7", -10.0, dies(&made))), (-10.0, dies(&made)));
        told.why_not =
            vec![compared(explained(&made, "H9 H8", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
        let mut answer = explained(&made, "C7", 10.0, dies(&made));
        answer.reasons.color = Color::White;
        told.answer = Some(answer);
        let teaching = teach_move(&told);
        let expected = [
            "Black J1 loses about 11 points (give or take 1).",
            "The cost: the 3 stones at C5 die and could live. Black J1 gains next to nothing, and H9 gains about 11 points.",
            "White need not answer it: White C7 attacks the 3 stones at C5.",
            "Better: Black H9. White answers that, at H8, and cannot play C7 at once.",
        ];
        assert_eq!(english_lines(&teaching), expected, "and no principle about the 3 stones");
        let japanese = japanese_lines(&teaching);
        assert_eq!(japanese[2], "白は受けずにC7と打てます。C5の3子を攻めます。");
        let better = "もっと良い手：黒H9。これには白もH8と受けるので、すぐにはC7に打てません。";
        assert_eq!(japanese[3], better);
        // The answer is beside the bad move: without that it would not come.
        told.mv = Some(explained(&made, "D7", -10.0, dies(&made)));
        let mut beside = explained(&made, "D5", 10.0, dies(&made));
        beside.reasons.color = Color::White;
        told.answer = Some(beside);
        let lines = english_lines(&teach_move(&told));
        assert!(lines.iter().any(|line| line == "Better: Black H9. White answers that, at H8."), "{lines:?}");
    }

    /// The stones of the cost may reach beyond its area: there, too, the opponent cannot play at once after the better move.
    #[test]
    fn an_answer_beside_the_stones_of_the_cost_is_put_off() {
        let made = HandMade::from_diagram(
            "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            X X X X X X X X .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            ",
            Color::Black,
        );
        let line = "A5 B5 C5 D5 E5 F5 G5 H5";
        let weak = made.map(&[(line, 0.0)]);
        let better = |at: &str| {
            let mut told =
                explanation(&made, Some(explained(&made, "D9", 0.0, weak.clone())), (0.0, weak.clone()));
            let safe = made.map(&[(line, 0.24), ("A6 B6 A4 B4", 0.9)]);
            told.alternatives =
                vec![compared(explained(&made, "G9 G8", 5.0, safe), MoveVerdict::Better, 5.0)];
            let mut answer = explained(&made, at, 0.0, weak.clone());
            answer.reasons.color = Color::White;
            told.answer = Some(answer);
            let lines = english_lines(&teach_move(&told));
            lines.into_iter().find(|line| line.starts_with("Better")).unwrap()
        };
        assert_eq!(better("J5"), "Better: Black G9. White answers that, at G8, and cannot play J5 at once.");
        assert_eq!(better("J1"), "Better: Black G9. White answers that, at G8.", "another place");
    }

    /// What is told of a better move in another place than the cost, where White does not answer Black J1 and plays C7.
    fn tell_better_elsewhere(made: &HandMade, line: &str, owners: OwnerMap) -> [String; 2] {
        let bad = explained(made, "J1 C7", -16.0, dies(made));
        let mut told = explanation(made, Some(bad), (-16.0, dies(made)));
        told.alternatives = vec![compared(explained(made, line, 1.0, owners), MoveVerdict::Better, 17.0)];
        let mut answer = explained(made, "C7", 16.0, dies(made));
        answer.reasons.color = Color::White;
        told.answer = Some(answer);
        let teaching = teach_move(&told);
        let line_of =
            |lines: Vec<String>, begins: &str| lines.into_iter().find(|line| line.starts_with(begins));
        [
            line_of(english_lines(&teaching), "Better").unwrap(),
            line_of(japanese_lines(&teaching), "もっと良い手").unwrap(),
        ]
    }

    /// Who answers the better move and then plays on the matter all the same is not kept from that.
    #[test]
    fn a_move_that_is_only_put_off_is_told_as_that() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Weak);
        let [english, japanese] = tell_better_elsewhere(&made, "H9 H8 F7 C7", lives(&made));
        let later =
            " White answers that, at H8, and comes to C7 only after it. It goes on B H9, W H8, B F7, W C7.";
        assert!(english.ends_with(later), "{english}");
        let later = "これには白もH8と受けるので、C7に打てるのはその後です。続きは黒H9・白H8・黒F7・白C7。";
        assert!(japanese.ends_with(later), "{japanese}");
    }

    /// The answer to a better move may be farther from it, in the territory that it is about.
    #[test]
    fn an_answer_in_a_wide_territory_is_an_answer() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Weak);
        let owners = |side: &str| made.map(&[(AROUND, 0.9), (side, 0.9)]);
        let [english, _] = tell_better_elsewhere(&made, "J9 J4", owners("J9 J8 J7 J6 J5 J4 J3"));
        assert!(english.ends_with(" White answers that, at J4, and cannot play C7 at once."), "{english}");
        let [english, _] = tell_better_elsewhere(&made, "J9 J4", owners("J9 J8 J7 H9 H8 H7"));
        assert!(!english.contains("answers"), "it is another place: {english}");
    }

    /// The better move is answered, and then the mover plays where the cost lies.
    #[test]
    fn a_better_move_elsewhere_is_told_with_what_comes_after_it() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let told = |line: &str| {
            let mut told = explanation(&made, Some(explained(&made, "J9", -7.0, map(0.1))), (-7.0, map(0.1)));
            told.alternatives =
                vec![compared(explained(&made, line, 1.0, map(0.9)), MoveVerdict::Better, 8.0)];
            teach_move(&told)
        };
        let better =
            |lines: Vec<String>, begins: &str| lines.into_iter().find(|line| line.starts_with(begins));
        let there = told("A9 A8 H5");
        let plan = "Better: Black A9. The plan: to finish here first, and then to play elsewhere, at H5: B A9, W A8. Black H5 then keeps that territory.";
        assert_eq!(better(english_lines(&there), "Better").as_deref(), Some(plan));
        let plan = "もっと良い手：黒A9。狙い：ここを先手で決めて、他所のH5に回ります（黒A9・白A8）。黒H5でその地を守ります。";
        assert_eq!(better(japanese_lines(&there), "もっと").as_deref(), Some(plan));
        let plan = "Better: Black A9. The plan: to finish here first, and then to play elsewhere, at A1: B A9, W A8.";
        assert_eq!(better(english_lines(&told("A9 A8 A1")), "Better").as_deref(), Some(plan));
    }

    /// The cost lies at the bad move, and what is told besides at the better one: that is what the better move is for.
    #[test]
    fn a_better_move_is_for_what_the_cost_has_named_there() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let (here, there) = ("E1 F1 E2", "H9 J9 H8 J8");
        let passed = made.map(&[(here, 0.9)]);
        let mut told = explanation(&made, Some(explained(&made, "J7", 0.0, made.map(&[]))), (6.0, passed));
        let both = made.map(&[(here, 0.9), (there, 0.9)]);
        told.alternatives = vec![compared(explained(&made, "D1", 6.3, both), MoveVerdict::Better, 6.3)];
        let lines = english_lines(&teach_move(&told));
        assert!(lines[1].contains("upper right") && lines[1].contains("lower side"), "{lines:?}");
        let better = "Better: Black D1. It makes Black's territory on the lower side, around E1.";
        assert!(lines.iter().any(|line| line == better), "{lines:?}");
    }

    /// Where doing nothing is no worse by the owners, the next best move shows what the only move is for.
    #[test]
    fn the_only_move_is_held_against_the_next_best_where_a_pass_shows_nothing() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let mut told = explanation(&made, Some(explained(&made, "H5", 1.0, map(0.9))), (0.9, map(0.9)));
        let bad = |vertex: &str, points: f64| {
            compared(explained(&made, vertex, 1.0 + points, map(0.1)), MoveVerdict::Worse, points)
        };
        told.alternatives = vec![bad("A9", -8.0), bad("A1", -9.0)];
        told.otherwise = Some(explained(&made, "A1", 0.0, map(0.9)));
        let expected = [
            "Black H5 is the only move: the next best loses about 8 points.",
            "It makes Black's territory on the right side, around H5 (about 8 points).",
        ];
        assert_eq!(english_lines(&teach_move(&told)), expected);
    }

    /// An atari on one stone says less than what the opponent's move does to the stones that it is about.
    #[test]
    fn an_atari_beside_the_matter_is_not_what_the_answer_does() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let mut told =
            explanation(&made, Some(explained(&made, "C7", 1.0, lives(&made))), (-10.0, dies(&made)));
        let deed = |name: &str, count: usize| {
            let mut expected = explained(&made, "C7 D5", 0.0, dies(&made));
            let deed = reason_of(rules::find_rule(name).unwrap());
            expected.reasons.effects = vec![Reason { about: Some(made.point("G7")), count, ..deed }];
            Some(expected)
        };
        let attack = "If it is not played, White C7 attacks the 3 stones at C5 (W C7, B D5).";
        told.otherwise = deed("atari", 1);
        assert_eq!(english_lines(&teach_move(&told))[2], attack);
        told.otherwise = deed("threaten", 1);
        assert_eq!(english_lines(&teach_move(&told))[2], attack, "nor is a threat to one");
        told.otherwise = deed("atari", 2);
        let atari = "If it is not played, White C7 puts 2 stones at G7 into atari (W C7, B D5).";
        assert_eq!(english_lines(&teach_move(&told))[2], atari);
    }

    #[test]
    fn a_territory_that_the_cost_has_named_is_not_named_again() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let mut told = explanation(&made, Some(explained(&made, "A9 H5", -7.0, map(0.1))), (-7.0, map(0.1)));
        let mut better = explained(&made, "H5", 1.0, map(0.9));
        let name = rules::find_rule("center-point").unwrap();
        better.reasons.ideas = vec![Reason { about: Some(made.point("C5")), ..reason_of(name) }];
        told.alternatives = vec![compared(better, MoveVerdict::Better, 8.0)];
        let lines = english_lines(&teach_move(&told));
        let better = "Better: Black H5. It looks to the centre from C5 and keeps that territory.";
        assert!(lines.iter().any(|line| line == better), "{lines:?}");
        // Who has not read of the cost is told which territory that is.
        let alone = |language| speak_answer(&teach_move(&told), language)[0].text.clone();
        let better = "Better: Black H5. It looks to the centre from C5 and makes Black's territory on the right side, around H5.";
        assert_eq!(alone(Language::English), better);
        assert!(alone(Language::Japanese).contains("右辺（H5付近）の黒地を固めます。"));
        // What is proved comes before a name, and the territory after it, too.
        let threaten = reason_of(rules::find_rule("threaten").unwrap());
        let proved = Reason { about: Some(made.point("G5")), count: 3, ..threaten };
        told.alternatives[0].mv.reasons.effects = vec![proved];
        let better = "Better: Black H5. It threatens to catch 3 stones at G5 and keeps that territory.";
        let lines = english_lines(&teach_move(&told));
        assert!(lines.iter().any(|line| line == better), "{lines:?}");
        let japanese = "もっと良い手：黒H5。G5の3子を捕らえる手を狙います。その地を守ります。";
        let lines = japanese_lines(&teach_move(&told));
        assert!(lines.iter().any(|line| line == japanese), "{lines:?}");
    }

    /// Stones that change with a territory are told beside it, of a good move and of a bad one.
    #[test]
    fn stones_beside_a_territory_are_told_with_it() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let safe = made.map(&[(BLACK_CORNER, 0.9), (AROUND, 1.8)]);
        let open = made.map(&[(BLACK_CORNER, 0.5), (AROUND, 0.0)]);
        let told = explanation(&made, Some(explained(&made, "C7", 6.6, safe.clone())), (0.0, open.clone()));
        let teaching = teach_move(&told);
        let gains = "It makes Black's territory on the upper side, around D7 (about 7 points). It also makes the 3 stones at C5 safer.";
        assert_eq!(english_lines(&teaching)[1], gains);
        let japanese = "上辺（D7付近）の黒地を固めます（約7目）。また、C5の3子を安定させます。";
        assert_eq!(japanese_lines(&teaching)[1], japanese);
        // What is proved of these stones says it.
        let mut saving = told.clone();
        let save = reason_of(rules::find_rule("save").unwrap());
        let saves = Reason { about: Some(made.point("C5")), count: 3, ..save };
        saving.mv.as_mut().unwrap().reasons.effects = vec![saves];
        let line = &english_lines(&teach_move(&saving))[1];
        assert!(line.contains("(about 7 points): it saves 3 stones at C5"), "{line}");
        let mut told = explanation(&made, Some(explained(&made, "J1", 0.0, open.clone())), (0.0, open));
        told.alternatives = vec![compared(explained(&made, "C7", 6.6, safe), MoveVerdict::Better, 6.6)];
        let teaching = teach_move(&told);
        let cost = "The cost: Black gets less territory on the upper side, around D7, and the 3 stones at C5 stay weak.";
        assert!(english_lines(&teaching)[1].starts_with(cost), "{:?}", english_lines(&teaching));
        let japanese = "損の理由：上辺（D7付近）の黒地が減ります。また、C5の3子が弱いまま残ります。";
        assert!(japanese_lines(&teaching)[1].starts_with(japanese), "{:?}", japanese_lines(&teaching));
    }

    /// A bad move is answered beside it, and the matter stays open: what the opponent has there is told, and is what its move before was for.
    #[test]
    fn what_an_answer_aside_leaves_is_told() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Weak);
        let told = |line: &str| {
            let bad = explained(&made, line, -10.0, dies(&made));
            let mut told = explanation(&made, Some(bad), (-10.0, dies(&made)));
            told.alternatives =
                vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
            told.otherwise = Some(explained(&made, "D7", 0.0, dies(&made)));
            told.last = Some(made.point("E8"));
            teach_move(&told)
        };
        let teaching = told("J1 J2");
        let lines = english_lines(&teaching);
        let answer = "The answer: White J2. That leaves White D7, which attacks the 3 stones at C5.";
        assert_eq!(lines[2], answer);
        let remember =
            "Remember: answer what is threatened before you play elsewhere (White E8 threatened D7).";
        assert_eq!(lines.last().unwrap(), remember);
        let japanese = "相手の応手：白J2。そのうえ白D7と打つ手が残ります。C5の3子を攻めます。";
        assert_eq!(japanese_lines(&teaching)[2], japanese);
        // Later in the same line it comes before what would be played otherwise.
        let later = "The answer: White J2 (W J2, B H2, W C7). There White C7 attacks the 3 stones at C5.";
        assert_eq!(english_lines(&told("J1 J2 H2 C7"))[2], later);
        // It is not "there" where the opponent plays elsewhere, and that line is not told.
        let later = "White need not answer it, and plays elsewhere, at D1. Later White C7 attacks the 3 stones at C5.";
        assert_eq!(english_lines(&told("J1 D1 D2 C7"))[2], later);
        let later = "白は受けずに、他所のD1に打てます。その後、白C7でC5の3子を攻めます。";
        assert_eq!(japanese_lines(&told("J1 D1 D2 C7"))[2], later);
        // The mover comes back first: nothing is left, and the opponent has got a move for it.
        let back = english_lines(&told("J1 J2 C7"));
        let first =
            "White plays J2 first (W J2, B C7). Then Black comes back to C7, but White has J2 as well now.";
        assert_eq!(back[2], first);
        let japanese = "先に白J2と打たれます（白J2・黒C7）。その後黒はC7に戻りますが、白はJ2にも打てました。";
        assert_eq!(japanese_lines(&told("J1 J2 C7"))[2], japanese);
        assert!(back.last().unwrap().ends_with("(White E8 was played right there)."), "{back:?}");
        // Black has answered there before: White has not got that for nothing.
        let later = "White plays J2 first (W J2, B J3, W J4, B C7). Then Black comes back to C7.";
        assert_eq!(english_lines(&told("J1 J2 J3 J4 C7"))[2], later);
        let japanese = "先に白J2と打たれます（白J2・黒J3・白J4・黒C7）。その後黒はC7に戻ります。";
        assert_eq!(japanese_lines(&told("J1 J2 J3 J4 C7"))[2], japanese);
    }

    /// The answer is aside, or about something else: what reading proves of the opponent's move on the matter shows what is lost.
    #[test]
    fn what_is_proved_of_the_move_that_is_left_shows_the_loss() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let deed = |name: &str, about: &str, count: usize| {
            let rule = rules::find_rule(name).unwrap();
            Reason { about: Some(made.point(about)), count, ..reason_of(rule) }
        };
        let left = |effects: Vec<Reason>| {
            let (mv, color) = (made.point("C7"), Color::White);
            vec![MoveReasons { mv, color, effects, ideas: vec![], rank: None, value: 0.0 }]
        };
        let mut told =
            explanation(&made, Some(explained(&made, "J1 J2", -10.0, dies(&made))), (-10.0, dies(&made)));
        told.alternatives =
            vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
        told.left = left(vec![deed("take-stones", "C5", 3)]);
        let answer = "The answer: White J2. That leaves White C7, which takes 3 stones at C5.";
        assert_eq!(english_lines(&teach_move(&told))[2], answer);
        let answer = "相手の応手：白J2。そのうえ白C7と打つ手が残ります。C5の3子を取ります。";
        assert_eq!(japanese_lines(&teach_move(&told))[2], answer);
        // An answer on the matter that does something else.
        let mut other = explained(&made, "D7", 10.0, dies(&made));
        other.reasons.effects = vec![deed("threaten", "G7", 2)];
        told.answer = Some(other);
        let answer = "White need not answer it: White D7 threatens to catch 2 stones at G7. That leaves White C7, which takes 3 stones at C5.";
        assert_eq!(english_lines(&teach_move(&told))[2], answer);
        // Black plays there before White does: what was proved before that is not told any more.
        told.answer.as_mut().unwrap().variation.push(made.point("D5").into());
        let met = "White need not answer it: White D7 threatens to catch 2 stones at G7 (W D7, B D5).";
        assert_eq!(english_lines(&teach_move(&told))[2], met);
        told.answer.as_mut().unwrap().variation.pop();
        // What shows it already needs no more, nor does a threat to one stone show anything.
        let shows = vec![deed("threaten", "C5", 3)];
        told.answer.as_mut().unwrap().reasons.effects = shows;
        let answer = "White need not answer it: White D7 threatens to catch 3 stones at C5.";
        assert_eq!(english_lines(&teach_move(&told))[2], answer);
        (told.answer, told.left) = (None, left(vec![deed("threaten", "E6", 1)]));
        let open = "The answer: White J2. That leaves White C7, which attacks the 3 stones at C5.";
        assert_eq!(
            english_lines(&teach_move(&told))[2],
            open,
            "the better point, of which nothing is proved"
        );
        // Where no area carries the loss, all that is proved of it.
        let mut spread = told.clone();
        spread.left = left(vec![deed("threaten", "E6", 1), deed("take-stones", "G7", 5)]);
        spread.alternatives[0].mv.owners = None;
        let line =
            english_lines(&teach_move(&spread)).into_iter().find(|line| line.starts_with("The answer"));
        let answer = "The answer: White J2. That leaves White C7, which takes 5 stones at G7.";
        assert_eq!(line.as_deref(), Some(answer));
        // Asked about the bad move, its own moves are the ones that are left.
        told.mv = Some(explained(&made, "C7", 1.0, lives(&made)));
        let mut asked = compared(explained(&made, "J1 J2", -10.0, dies(&made)), MoveVerdict::Worse, -11.0);
        asked.left = left(vec![deed("take-stones", "C5", 3)]);
        let lines = english_lines(&teach_question(&told, &asked).unwrap());
        assert_eq!(lines[2], "The answer: White J2. That leaves White C7, which takes 3 stones at C5.");
    }

    /// What the opponent plays after the better move, too, is not what the bad one leaves.
    #[test]
    fn what_comes_after_the_better_move_as_well_is_not_left() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let answer = |better: &str| {
            let bad = explained(&made, "J1 J2", -10.0, dies(&made));
            let mut told = explanation(&made, Some(bad), (-10.0, dies(&made)));
            told.alternatives =
                vec![compared(explained(&made, better, 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
            let takes = reason_of(rules::find_rule("take-stones").unwrap());
            let effects = vec![Reason { about: Some(made.point("C5")), count: 3, ..takes }];
            let (mv, color) = (made.point("D7"), Color::White);
            told.left = vec![MoveReasons { mv, color, effects, ideas: vec![], rank: None, value: 0.0 }];
            english_lines(&teach_move(&told))[2].clone()
        };
        let takes = "The answer: White J2. That leaves White D7, which takes 3 stones at C5.";
        assert_eq!(answer("C7"), takes);
        assert_eq!(answer("C7 J2 D7"), takes, "it is Black's move there");
        let open = "The answer: White J2. That leaves White C7, which attacks the 3 stones at C5.";
        assert_eq!(answer("C7 D7"), open, "the better move's point");
    }

    /// The third line of what is told, in both languages, where this line follows a move that costs the right side, and H5 is better.
    fn tell_late_return(made: &HandMade, line: &str) -> [String; 2] {
        let teaching = teach_right_side(made, line);
        [english_lines(&teaching)[2].clone(), japanese_lines(&teaching)[2].clone()]
    }

    /// The mover comes back to the better move behind the moves that are told: the opponent has played elsewhere first, or several moves.
    #[test]
    fn who_comes_back_behind_the_moves_that_are_told_is_told_as_that() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |line: &str| tell_late_return(&made, line);
        let [english, japanese] = told("A9 A8 H5");
        let back = "White plays A8 first. Then Black comes back to H5, but White has A8 as well now.";
        assert_eq!(english, back);
        assert_eq!(japanese, "先に白A8と打たれます。その後黒はH5に戻りますが、白はA8にも打てました。");
        let [english, japanese] = told("A2 A4 A1 A5 H5");
        let back = "White plays A4 first (W A4, B A1, W A5). Black comes back to H5 only after that.";
        assert_eq!(english, back);
        let back = "先に白A4と打たれます（白A4・黒A1・白A5）。黒がH5に戻るのはその後です。";
        assert_eq!(japanese, back);
        let [english, _] = told("A2 A4 A1 A5 B1 C1 D1 E1 F1 G1 H5");
        assert!(!english.contains("comes back"), "the end of a long line: {english}");
    }

    /// Stones that a line takes are told only where the line is.
    #[test]
    fn what_is_taken_in_a_line_that_is_not_told_is_left_out() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let [english, japanese] = tell_late_return(&made, "A9 D1 A1 A2 H1 B1");
        let elsewhere = "White need not answer it, and plays elsewhere, at D1.";
        assert_eq!(english, format!("{elsewhere} That leaves White H5, which reduces that territory."));
        assert!(!japanese.contains("取ります"), "{japanese}");
        let [english, _] = tell_late_return(&made, "E2 D1 A1 A2 H1 B1");
        assert!(
            english.contains("(W D1, B A1, W A2, B H1, W B1). White takes 1 stone that way."),
            "{english}"
        );
    }

    /// The answer to the bad move comes after the better one, too: no exchange has given it, and the reply to it is what tells the two apart.
    #[test]
    fn an_answer_that_comes_after_the_better_move_as_well_is_told_with_its_reply() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |better: &str| {
            let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
            let bad = explained(&made, "H2 J2 H5", -7.0, map(0.1));
            let mut told = explanation(&made, Some(bad), (-7.0, map(0.1)));
            let better = explained(&made, better, 1.0, map(0.9));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 8.0)];
            let teaching = teach_move(&told);
            [english_lines(&teaching), japanese_lines(&teaching)].map(|lines| lines.concat())
        };
        let [english, japanese] = told("H5 J2 H3 G2 G3");
        let met = " White J2 comes after H5, too, but then Black answers it at H3.";
        assert!(english.contains(met), "{english}");
        assert!(japanese.contains("白J2はH5のあとにも来ますが、黒はH3と受けられます。"), "{japanese}");
        assert!(!english.contains("as well now") && !english.contains("exchange"), "{english}");
        let [exchanged, _] = told("H5 A9 A8");
        let gained = "Then Black comes back to H5, but White has J2 as well now.";
        assert!(exchanged.contains(gained) && !exchanged.contains("comes after"), "{exchanged}");
        // The reply is the bad move: that is told by its own words.
        let [both, _] = told("H5 J2 H2 G2 G3");
        assert!(both.contains("Black comes to H2 as well") && !both.contains("comes after"), "{both}");
    }

    /// The better point is far from the stones that the cost names: how the opponent comes from there to these is told.
    #[test]
    fn how_the_better_point_reaches_stones_far_away_is_told() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let answer = |line: &str, about: &str| {
            let bad = explained(&made, "A9 J1", -10.0, dies(&made));
            let mut told = explanation(&made, Some(bad), (-10.0, dies(&made)));
            let better = explained(&made, "J1", 1.0, lives(&made));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 11.0)];
            let mut answer = explained(&made, line, 10.0, dies(&made));
            let deed = reason_of(rules::find_rule("threaten").unwrap());
            answer.reasons.effects = vec![Reason { about: Some(made.point(about)), count: 3, ..deed }];
            told.answer = Some(answer);
            english_lines(&teach_move(&told))[2].clone()
        };
        let takes = "The answer: White J1 takes the very point, and threatens to catch 3 stones at";
        let reached = format!("{takes} G4 (W J1, B H2, W E3). There White E3 attacks the 3 stones at C5.");
        assert_eq!(answer("J1 H2 E3", "G4"), reached);
        assert_eq!(answer("J1 H2 G2", "G4"), format!("{takes} G4 (W J1, B H2, W G2)."), "not at the stones");
        let shown = format!("{takes} C5 (W J1, B H2, W E3).");
        assert_eq!(answer("J1 H2 E3", "C5"), shown, "the answer shows it itself");
    }

    /// What is said of a bad move that goes on like this, where the better one, H5, makes territory on the right side.
    fn teach_right_side(made: &HandMade, line: &str) -> Teaching {
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let mut told = explanation(made, Some(explained(made, line, -7.0, map(0.1))), (-7.0, map(0.1)));
        told.alternatives = vec![compared(explained(made, "H5", 1.0, map(0.9)), MoveVerdict::Better, 8.0)];
        teach_move(&told)
    }

    /// The line says nothing of what is lost: the better move's point is still open, and the opponent may take it.
    #[test]
    fn the_better_point_that_stays_open_is_told() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |line: &str| teach_right_side(&made, line);
        let open = told("A9 A8");
        let answer = "The answer: White A8. That leaves White H5, which reduces that territory.";
        assert_eq!(english_lines(&open)[2], answer);
        let answer = "相手の応手：白A8。そのうえ白H5と打つ手が残ります。その地を減らします。";
        assert_eq!(japanese_lines(&open)[2], answer);
        let leaves = |teaching: Teaching| match teaching.line {
            Some(TaughtLine::Refutation { leaves, .. }) => leaves,
            line => panic!("{line:?}"),
        };
        assert_eq!(leaves(told("A9 A8 H6")), None, "Black comes back to it");
        assert!(leaves(told("A9 A8 A7")).is_some());
        assert_eq!(leaves(told("A9 H6")), None, "White plays there");
        assert!(leaves(told("D3 D2")).is_some());
        assert_eq!(leaves(told("F3 D3")), None, "Black has a stone beside it");
    }

    /// So is one that the line only comes to the far end of.
    #[test]
    fn a_better_point_stays_open_at_the_other_end_of_what_it_is_about() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("J9 J8 J7 J6 J5 J4 J3 J2 J1", owner)]);
        let answer = |line: &str| {
            let mut told = explanation(&made, Some(explained(&made, line, -7.0, map(0.1))), (-7.0, map(0.1)));
            told.alternatives =
                vec![compared(explained(&made, "J8", 1.0, map(0.9)), MoveVerdict::Better, 8.0)];
            english_lines(&teach_move(&told))[2].clone()
        };
        let open = "That leaves White J8, which reduces that territory.";
        assert!(answer("A9 A8 J2").ends_with(open), "{}", answer("A9 A8 J2"));
        assert!(!answer("A9 A8 J5").contains("leaves"), "{}", answer("A9 A8 J5"));
        // The answer does the same at the far end: that is not told twice.
        assert_eq!(
            answer("H2 J1"),
            "The answer: White J1 reduces that territory. That leaves White J8, too."
        );
    }

    /// What the opponent plays near the better point after both moves takes nothing away from it.
    #[test]
    fn a_better_point_stays_open_where_the_opponent_plays_beside_it_either_way() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("J9 J8 J7 J6 J5 J4 J3 J2 J1", owner)]);
        let answer = |better: &str| {
            let bad = explained(&made, "H2 J1 H1 J5", -7.0, map(0.1));
            let mut told = explanation(&made, Some(bad), (-7.0, map(0.1)));
            told.alternatives =
                vec![compared(explained(&made, better, 1.0, map(0.9)), MoveVerdict::Better, 8.0)];
            english_lines(&teach_move(&told))[2].clone()
        };
        let shown = "The answer: White J1 reduces that territory (W J1, B H1, W J5).";
        assert_eq!(answer("J8"), shown, "White comes near the point only after the bad move");
        assert_eq!(answer("J8 J5"), format!("{shown} That leaves White J8, too."));
    }

    /// Of two places each side gets one: what the opponent gets is told as the smaller one.
    #[test]
    fn the_place_that_the_better_move_leaves_is_told() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let told = |bad: &str, better: &str| {
            let bad = explained(&made, bad, -7.0, map(0.1));
            let mut told = explanation(&made, Some(bad), (-7.0, map(0.1)));
            let better = explained(&made, better, 1.0, map(0.9));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 8.0)];
            let teaching = teach_move(&told);
            let line_of =
                |lines: Vec<String>, begins: &str| lines.into_iter().find(|line| line.starts_with(begins));
            [
                line_of(english_lines(&teaching), "Better").unwrap(),
                line_of(japanese_lines(&teaching), "もっと良い手").unwrap(),
            ]
        };
        let [english, japanese] = told("A9 H5", "H5 A9");
        let gains = "Better: Black H5. It makes Black's territory on the right side, around H5.";
        assert_eq!(english, format!("{gains} White gets A9 instead, which is the smaller of the two."));
        let smaller = "白は代わりにA9に打てますが、そこはH5より小さい所です。";
        assert_eq!(japanese, format!("もっと良い手：黒H5。右辺（H5付近）の黒地を固めます。{smaller}"));
        assert_eq!(told("A9 H5", "H5 A1")[0], gains, "White plays in a third place");
        assert!(!told("H2 H5", "H5 H2")[0].contains("instead"), "in one place that is an answer");
    }

    /// Stones that the better move would attack are helped at its point, and nobody has threatened that.
    #[test]
    fn what_an_open_point_does_for_stones_is_not_overstated() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::White), GroupStrength::Stable);
        let bad = explained(&made, "J1 J2", -10.0, lives(&made));
        let mut told = explanation(&made, Some(bad), (-10.0, lives(&made)));
        told.alternatives =
            vec![compared(explained(&made, "C7", 1.0, dies(&made)), MoveVerdict::Better, 11.0)];
        let teaching = teach_move(&told);
        let answer = "The answer: Black J2. That leaves Black C7, which helps Black's 3 stones at C5.";
        assert_eq!(english_lines(&teaching)[2], answer);
        let answer = "相手の応手：黒J2。そのうえ黒C7と打つ手が残ります。黒C5の3子が楽になります。";
        assert_eq!(japanese_lines(&teaching)[2], answer);
        let own = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let mut told =
            explanation(&own, Some(explained(&own, "J1 J2", -10.0, dies(&own))), (-10.0, dies(&own)));
        told.alternatives =
            vec![compared(explained(&own, "C7", 1.0, lives(&own)), MoveVerdict::Better, 11.0)];
        told.last = Some(own.point("E8"));
        let lines = english_lines(&teach_move(&told));
        assert!(lines.last().unwrap().ends_with("(White E8 was played right there)."), "{lines:?}");
    }

    /// Where the opponent would be in atari at the better move's point, it has nothing there.
    #[test]
    fn an_open_point_in_atari_is_not_told() {
        let made = HandMade::from_diagram(
            "
            . . . . . . .
            . . . . . . .
            . . . . X . .
            . . . X . X .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            ",
            Color::Black,
        );
        let told = explanation(&made, None, (0.0, made.map(&[])));
        let teacher = Teacher { explanation: &told };
        let may_play = |vertex: &str| teacher.may_opponent_play(Move::Pass, made.point(vertex));
        assert!(!may_play("E4"), "one liberty");
        assert!(!may_play("E5"), "a stone stands there");
        assert!(may_play("D5"));
    }

    /// What both moves do tells them apart no more; what the better one does besides does.
    #[test]
    fn a_better_move_that_does_the_same_is_told_by_what_it_does_besides() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let deed = |name: &str, about: &str, count: usize| {
            let rule = rules::find_rule(name).unwrap();
            vec![Reason { about: Some(made.point(about)), count, ..reason_of(rule) }]
        };
        let told = |bad: Vec<Reason>, better: Vec<Reason>| {
            let mut played = explained(&made, "J1", -10.0, dies(&made));
            played.reasons.effects = bad;
            let mut told = explanation(&made, Some(played), (-10.0, dies(&made)));
            let mut best = explained(&made, "C7", 1.0, lives(&made));
            best.reasons.effects = better;
            told.alternatives = vec![compared(best, MoveVerdict::Better, 11.0)];
            teach_move(&told)
        };
        let saves = || deed("save", "C5", 1);
        let both = told(saves(), saves());
        let lines = english_lines(&both);
        assert_eq!(lines[0], "Black J1 loses about 11 points (give or take 1).");
        let better = "Better: Black C7. Like J1 it saves 1 of the 3 stones at C5 from capture, but it also keeps the 3 stones at C5 alive.";
        assert_eq!(lines[2], better);
        let better =
            "もっと良い手：黒C7。J1と同じく、C5の3子のうち1子を助けます。さらに、C5の3子を助けます。";
        assert_eq!(japanese_lines(&both)[2], better);
        // One stone of three does not say what becomes of all.
        let better = "Better: Black C7. It saves 1 of the 3 stones at C5 from capture and keeps the 3 stones at C5 alive.";
        assert_eq!(english_lines(&told(vec![], saves()))[2], better);
        let better = "Better: Black C7. It saves 2 of the 3 stones at C5 from capture.";
        assert_eq!(english_lines(&told(vec![], deed("save", "C5", 2)))[2], better, "two do");
        let one = told(vec![], deed("take-stone", "C5", 1));
        let better = "Better: Black C7. It takes 1 of the 3 stones at C5 and keeps the 3 stones at C5 alive.";
        assert_eq!(english_lines(&one)[2], better);
        let better = "もっと良い手：黒C7。C5の3子のうち1子を取ります。C5の3子を助けます。";
        assert_eq!(japanese_lines(&one)[2], better);
        // What the better move has before doing nothing the bad one may have, too.
        let mut unknown = explanation(&made, None, (-10.0, dies(&made)));
        let mut played = explained(&made, "J1", -10.0, dies(&made));
        (played.owners, played.reasons.effects) = (None, saves());
        let mut best = explained(&made, "C7", 1.0, lives(&made));
        best.reasons.effects = saves();
        unknown.mv = Some(played);
        unknown.alternatives = vec![compared(best, MoveVerdict::Better, 11.0)];
        let like = "Better: Black C7. Like J1 it saves 1 of the 3 stones at C5 from capture";
        let better = |told: &Explanation| english_lines(&teach_move(told)).pop().unwrap();
        assert_eq!(better(&unknown), format!("{like}."));
        // A name that rules have for it alone tells them apart.
        let block = reason_of(rules::find_rule("block-border").unwrap());
        let block = Reason { about: Some(made.point("E6")), ..block };
        unknown.alternatives[0].mv.reasons.ideas = vec![block.clone()];
        assert_eq!(better(&unknown), format!("{like}, but it also blocks E6 at the border."));
        unknown.mv.as_mut().unwrap().reasons.ideas = vec![block];
        assert_eq!(better(&unknown), format!("{like}."), "both have it");
        // Connections with other stones are not the same.
        let connects =
            |to: &str| vec![Reason { other: Some(made.point(to)), ..deed("connect", "C5", 0).remove(0) }];
        let is_like = |bad: Vec<Reason>, better: Vec<Reason>| {
            english_lines(&told(bad, better)).iter().any(|line| line.contains("Like J1 it connects"))
        };
        assert!(is_like(connects("D6"), connects("D6")));
        assert!(!is_like(connects("C6"), connects("D6")));
        // What is caught is not taken yet.
        let taken = told(deed("capture", "E6", 13), deed("take-stones", "E6", 13));
        let lines = english_lines(&taken);
        assert!(lines[0].starts_with("Black J1 catches 13 stones at E6, which cannot get away, but loses"));
        let better = "Better: Black C7. It takes 13 stones at E6: J1 only shuts them in, and does not take them. It also keeps the 3 stones at C5 alive.";
        assert_eq!(lines[2], better);
        let better = "もっと良い手：黒C7。E6の13子を取ります。J1では逃げ道をふさぐだけで、石はまだ盤に残ります。さらに、C5の3子を助けます。";
        assert_eq!(japanese_lines(&taken)[2], better);
    }

    /// Who catches stones that were lost gains nothing by that.
    #[test]
    fn a_bad_move_that_catches_lost_stones_says_so() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::White), GroupStrength::Stable);
        let told = |name: &str, of_better: f32| {
            let mut bad = explained(&made, "J1", 0.0, made.map(&[(BLACK_CORNER, -0.95)]));
            let deed = reason_of(rules::find_rule(name).unwrap());
            bad.reasons.effects = vec![Reason { about: Some(made.point("C5")), count: 3, ..deed }];
            let mut told = explanation(&made, Some(bad), (0.0, made.map(&[])));
            let side = ("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", -0.5);
            let better = explained(&made, "H5", 5.0, made.map(&[(BLACK_CORNER, of_better), side]));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 5.0)];
            let teaching = teach_move(&told);
            [english_lines(&teaching)[0].clone(), japanese_lines(&teaching)[0].clone()]
        };
        let [english, japanese] = told("capture", -0.9);
        assert!(english.starts_with("White J1 catches 3 stones at C5"), "{english}");
        assert!(english.ends_with("(give or take 1). These stones are lost after H5, too."), "{english}");
        assert!(japanese.ends_with("（誤差1目ほど）。この石はH5と打っても助かりません。"), "{japanese}");
        assert!(told("capture", 0.3)[0].ends_with("(give or take 1)."), "they live after it");
        assert!(told("capture", -0.6)[0].ends_with("(give or take 1)."), "they are less surely lost");
        assert!(told("atari", -0.9)[0].ends_with("(give or take 1)."), "it catches nothing yet");
    }

    /// What the opponent does at the better move's point, that move prevents.
    #[test]
    fn a_better_move_is_told_with_what_it_prevents() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let mut told =
            explanation(&made, Some(explained(&made, "J1", -10.0, dies(&made))), (-10.0, dies(&made)));
        told.alternatives =
            vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
        let mut answered = |vertex: &str, name: &str, about: &str, count: usize| {
            let mut answer = explained(&made, vertex, 10.0, dies(&made));
            let rule = rules::find_rule(name).unwrap();
            answer.reasons.effects =
                vec![Reason { about: Some(made.point(about)), count, ..reason_of(rule) }];
            told.answer = Some(answer);
            let teaching = teach_move(&told);
            [english_lines(&teaching)[3].clone(), japanese_lines(&teaching)[3].clone()]
        };
        let [english, japanese] = answered("C7", "threaten", "G4", 5);
        let alive = "Better: Black C7. It keeps the 3 stones at C5 alive.";
        assert_eq!(english, format!("{alive} That prevents White's threat to the 5 stones at G4."));
        assert_eq!(japanese, "もっと良い手：黒C7。C5の3子を助けます。G4の5子への白の狙いも防いでいます。");
        let [english, _] = answered("C7", "capture", "G4", 5);
        assert_eq!(english, format!("{alive} That keeps White from catching the 5 stones at G4 there."));
        assert_eq!(answered("D7", "threaten", "G4", 5)[0], alive, "at another point");
        assert_eq!(answered("C7", "threaten", "C5", 3)[0], alive, "of these it is told what becomes");
        assert_eq!(answered("C7", "threaten", "E6", 13)[0], alive, "these are White's own");
    }

    /// Fights and races are told with the stones of both sides.
    #[test]
    fn a_fight_is_told_with_both_sides() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let told = |better: f32, worse: f32, corner: f32| {
            let safe = made.map(&[(BLACK_CORNER, corner), (AROUND, 0.9), (WALL, better)]);
            let lost = made.map(&[(BLACK_CORNER, -corner), (AROUND, -0.9), (WALL, worse)]);
            let mut told =
                explanation(&made, Some(explained(&made, "J1", -10.0, lost.clone())), (-10.0, lost));
            let best = explained(&made, "C7", 10.0, safe);
            told.alternatives = vec![compared(best, MoveVerdict::Better, 20.0)];
            told
        };
        let fight = told(-0.3, -0.9, 0.9);
        let cost = "The cost: the 3 stones at C5 die and could live, and White's 13 stones at B4 get away: these fight each other. ";
        let lines = english_lines(&teach_move(&fight));
        assert!(lines[1].starts_with(cost), "{lines:?}");
        let cost = "損の理由：助かるはずのC5の3子が死にます。また、白B4の13子が楽になります。互いに競り合っている石です。";
        assert!(japanese_lines(&teach_move(&fight))[1].starts_with(cost));
        let good =
            Explanation { mv: Some(fight.alternatives[0].mv.clone()), alternatives: vec![], ..fight.clone() };
        let gains = "It keeps the 3 stones at C5 alive (about 19 points). It also leaves White's 13 stones at B4 weak: they fight the 3 stones at C5.";
        assert_eq!(english_lines(&teach_move(&good))[1], gains);
        let gains =
            "C5の3子を助けます（約19目）。また、白B4の13子を弱くします。C5の3子と競り合っている石です。";
        assert_eq!(japanese_lines(&teach_move(&good))[1], gains);
        let cost = "The cost: White's 13 stones at B4 live and could be killed, and the 3 stones at C5 die and could live: it is a race. ";
        let lines = english_lines(&teach_move(&told(0.5, -0.5, 1.2)));
        assert!(lines[1].starts_with(cost), "{lines:?}");
        // Who only gets into danger may live beside the other.
        let cost = "The cost: White's 13 stones at B4 get away, and the 3 stones at C5 die and could live: these fight each other. ";
        let lines = english_lines(&teach_move(&told(0.3, -0.3, 0.9)));
        assert!(lines[1].starts_with(cost), "{lines:?}");
        let alone = english_lines(&teach_move(&told(-0.9, -0.9, 0.9)));
        assert!(alone[1].starts_with("The cost: the 3 stones at C5 die and could live ("), "{alone:?}");
    }

    /// Where no area carries what a good move gains, that is told with what the move does, and how long it can wait goes by it.
    #[test]
    fn a_gain_that_no_area_carries_is_told_by_its_size() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |points: f64| {
            let mut good = explained(&made, "H5", points, made.map(&[]));
            let connects = reason_of(rules::find_rule("connect-knight").unwrap());
            let (about, other) = (Some(made.point("G8")), Some(made.point("G5")));
            good.reasons.effects = vec![Reason { about, other, ..connects }];
            let mut told = explanation(&made, Some(good), (0.0, made.map(&[])));
            told.otherwise = Some(explained(&made, "A1", 0.0, made.map(&[])));
            let teaching = teach_move(&told);
            [english_lines(&teaching), japanese_lines(&teaching)]
        };
        let [english, japanese] = told(4.2);
        assert_eq!(english[1], "It connects the knight's move from G8 to G5 (about 4 points in all).");
        assert!(
            english[2].starts_with("It can wait: White would play elsewhere first, at A1"),
            "{english:?}"
        );
        assert!(japanese[1].ends_with("（全体で約4目）。"), "{japanese:?}");
        let [english, _] = told(0.6);
        assert_eq!(english[1], "It connects the knight's move from G8 to G5.");
        assert!(english[2].starts_with("If it is not played, nothing happens here at once"), "{english:?}");
    }

    /// Territory that is named far from a move comes by the moves behind it: what is proved of the move is told with what it gains in all.
    #[test]
    fn what_is_proved_makes_no_territory_far_away() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let wide = made.map(&[("D1 E1 F1 G1 H1 J1 J2 J3 J4 J5 J6 J7 J8 J9", 0.9)]);
        let told = |effects: Vec<Reason>| {
            let mut good = explained(&made, "J9", 12.6, wide.clone());
            good.reasons.effects = effects;
            let teaching = teach_move(&explanation(&made, Some(good), (0.0, made.map(&[]))));
            [english_lines(&teaching)[1].clone(), japanese_lines(&teaching)[1].clone()]
        };
        let far = "It makes Black's territory on the right side, around J4 (about 13 points).";
        assert_eq!(told(vec![])[0], far, "nothing is proved");
        let atari = reason_of(rules::find_rule("atari").unwrap());
        let [english, japanese] = told(vec![Reason { about: Some(made.point("E6")), count: 8, ..atari }]);
        assert_eq!(english, "It puts 8 stones at E6 into atari (about 13 points in all).");
        assert_eq!(japanese, "E6の8子をアタリにします（全体で約13目）。");
    }

    /// Where much of what the place changes by comes back elsewhere, the points are told as what is left in all.
    #[test]
    fn a_gain_that_is_more_than_the_lead_is_told_in_all() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let told = |lead: f64| {
            let good = explained(&made, "C7", lead, lives(&made));
            let teaching = teach_move(&explanation(&made, Some(good), (0.0, dies(&made))));
            [english_lines(&teaching)[1].clone(), japanese_lines(&teaching)[1].clone()]
        };
        assert_eq!(told(8.0)[0], "It keeps the 3 stones at C5 alive (about 8 points).", "of 10.8");
        let [english, japanese] = told(5.0);
        assert_eq!(english, "It keeps the 3 stones at C5 alive (about 5 points in all).");
        assert_eq!(japanese, "C5の3子を助けます（全体で約5目）。");
    }

    /// What the better move has before doing nothing is no reason to prefer it, if the bad one has as much of it.
    #[test]
    fn what_the_bad_move_gains_as_well_is_no_reason_for_the_better_one() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let told = |of_bad: f32| {
            let mut told =
                explanation(&made, Some(explained(&made, "A9", -5.0, map(of_bad))), (-9.0, map(0.0)));
            let better = explained(&made, "H5", 0.0, map(0.9));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 5.0)];
            let teaching = teach_move(&told);
            let line_of =
                |lines: Vec<String>, begins: &str| lines.into_iter().find(|line| line.starts_with(begins));
            [
                line_of(english_lines(&teaching), "Better").unwrap(),
                line_of(japanese_lines(&teaching), "もっと良い手").unwrap(),
            ]
        };
        let gains =
            "Better: Black H5. It makes Black's territory on the right side, around H5 (about 9 points).";
        assert_eq!(told(0.85)[0], gains);
        assert_eq!(told(0.95), ["Better: Black H5.", "もっと良い手：黒H5。"]);
    }

    /// An exchange of which nothing is proved, and that no rule names, is told by its size, too.
    #[test]
    fn a_good_move_of_which_only_the_size_is_known_is_told_by_it() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |points: f64| {
            let good = explained(&made, "H5 J5 A1", points, made.map(&[]));
            let mut told = explanation(&made, Some(good), (0.0, made.map(&[])));
            told.otherwise = Some(explained(&made, "A1", 0.0, made.map(&[])));
            let teaching = teach_move(&told);
            assert!(says_something(&teaching, TeachingPart::Reason));
            [english_lines(&teaching), japanese_lines(&teaching)]
        };
        let [english, japanese] = told(0.4);
        assert_eq!(english[1], "It gains less than a point.");
        assert_eq!(english[2], "It costs no turn: White answers at J5.");
        assert_eq!(japanese[1], "この手の価値は1目に足りません。");
        let [english, japanese] = told(3.2);
        assert_eq!(english[1], "It gains about 3 points in all, a little in many places.");
        assert_eq!(japanese[1], "全体で約3目の価値があります（小さな差の積み重ねです）。");
    }

    /// One name for two stones in different places would be taken for a chain.
    #[test]
    fn two_stones_apart_are_both_named() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let told = explanation(&made, Some(explained(&made, "C7", 1.0, lives(&made))), (-10.0, dies(&made)));
        let mut teaching = teach_move(&told);
        let reason = *teaching.cause.carrying().unwrap();
        let mut besides = |kind: MatterKind, vertices: [&str; 2]| {
            let [stone, other] = vertices.map(|vertex| made.point(vertex));
            let stones = [stone, other].into_iter().collect();
            teaching.besides = Some(CarryingReason { kind, stones, stone: Some(stone), ..reason });
            [english_lines(&teaching)[1].clone(), japanese_lines(&teaching)[1].clone()]
        };
        let ends = |told: [String; 2], english: &str, japanese: &str| {
            assert!(told[0].ends_with(english) && told[1].ends_with(japanese), "{told:?}");
        };
        let apart = ["G1", "J1"];
        let [english, japanese] =
            [" It also leaves White's stones at G1 and J1 weak.", "また、白G1・J1の2子を弱くします。"];
        ends(besides(MatterKind::Weakens, apart), english, japanese);
        let [english, japanese] =
            [" It also makes the stones at G1 and J1 safer.", "また、G1・J1の2子を安定させます。"];
        ends(besides(MatterKind::Strengthens, apart), english, japanese);
        let [english, japanese] =
            [" It also leaves White's 2 stones at G1 weak.", "また、白G1の2子を弱くします。"];
        ends(besides(MatterKind::Weakens, ["G1", "H1"]), english, japanese);
    }

    /// Stones in several places have the names of two of these.
    #[test]
    fn stones_in_several_places_are_named_by_two() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let told = explanation(&made, Some(explained(&made, "C7", 1.0, lives(&made))), (-10.0, dies(&made)));
        let mut teaching = teach_move(&told);
        let reason = *teaching.cause.carrying().unwrap();
        let set = |vertices: &str| -> PointSet {
            vertices.split_whitespace().map(|vertex| made.point(vertex)).collect()
        };
        let mut ends = |[here, second, others]: [&str; 3], english: &str, japanese: &str| {
            let (named, apart) = (set(here), [set(second), set(others)]);
            let stones = named.union(&apart[0]).union(&apart[1]);
            let (kind, stone) = (MatterKind::Strengthens, named.first());
            teaching.besides = Some(CarryingReason { kind, stones, stone, apart, ..reason });
            let lines = [english_lines(&teaching)[1].clone(), japanese_lines(&teaching)[1].clone()];
            assert!(lines[0].ends_with(english) && lines[1].ends_with(japanese), "{lines:?}");
        };
        let one_there = ["G1 H1", "A1", ""];
        ends(
            one_there,
            " It also makes the 2 stones at G1 and 1 at A1 safer.",
            "また、G1の2子・A1の石を安定させます。",
        );
        let others = ["G1 H1", "A1 B1", "J9"];
        ends(
            others,
            " makes the 2 stones at G1, 2 at A1 and others safer.",
            "、G1の2子・A1の2子などを安定させます。",
        );
        let single = ["G1", "A1", "J9"];
        ends(single, " makes the stones at G1, A1 and others safer.", "、G1の石・A1の石などを安定させます。");
    }

    /// An atari on the very stones that become weak says that by itself.
    #[test]
    fn an_atari_on_stones_that_become_weak_is_not_told_twice() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::White), GroupStrength::Stable);
        let corner = |owner: f32| made.map(&[(BLACK_CORNER, owner)]);
        let told = |effects: Vec<Reason>| {
            let mut good = explained(&made, "C7", 1.8, corner(0.1));
            good.reasons.effects = effects;
            let teaching = teach_move(&explanation(&made, Some(good), (0.0, corner(0.7))));
            [english_lines(&teaching)[1].clone(), japanese_lines(&teaching)[1].clone()]
        };
        let weak = "It leaves Black's 3 stones at C5 weak (about 2 points).";
        assert_eq!(told(vec![])[0], weak);
        let atari = reason_of(rules::find_rule("atari").unwrap());
        let atari = |count: usize| Reason { about: Some(made.point("C5")), count, ..atari.clone() };
        let [english, japanese] = told(vec![atari(3)]);
        assert_eq!(english, "It puts 3 stones at C5 into atari (about 2 points).");
        assert_eq!(japanese, "C5の3子をアタリにします（約2目）。");
        let some = "It leaves Black's 3 stones at C5 weak (about 2 points): it puts 2 of the 3 stones at C5 into atari.";
        assert_eq!(told(vec![atari(2)])[0], some);
    }

    /// So does a threat of a better move to the very stones that get away after the bad one.
    #[test]
    fn a_threat_to_stones_in_danger_is_not_told_twice() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::White), GroupStrength::Stable);
        let corner = |owner: f32| made.map(&[(BLACK_CORNER, owner), (AROUND, owner)]);
        let better = |name: &str, count: usize, owner: f32| {
            let bad = explained(&made, "J1", -5.0, corner(0.7));
            let mut told = explanation(&made, Some(bad), (-5.0, corner(0.7)));
            let mut better = explained(&made, "C7", 1.0, corner(owner));
            let deed = reason_of(rules::find_rule(name).unwrap());
            better.reasons.effects = vec![Reason { about: Some(made.point("C5")), count, ..deed }];
            told.alternatives = vec![compared(better, MoveVerdict::Better, 6.0)];
            let lines = english_lines(&teach_move(&told));
            lines.into_iter().find(|line| line.starts_with("Better")).unwrap()
        };
        let threat = "Better: White C7. It threatens to catch 3 stones at C5.";
        assert_eq!(better("threaten", 3, -0.3), threat, "they are in danger");
        assert_eq!(better("threaten", 3, 0.1), threat, "they stay weak");
        let some = "Better: White C7. It threatens to catch 2 of the 3 stones at C5 and puts Black's 3 stones at C5 in danger.";
        assert_eq!(better("threaten", 2, -0.3), some);
    }

    /// A ko that the line comes to is told as that, and not as the turn to play elsewhere.
    #[test]
    fn a_ko_is_told_with_the_threat_and_where_it_is_taken_back() {
        let made = HandMade::from_diagram(
            "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . X O . . . . . .
            X . X O . . . . .
            . X O . . . . . .
            ",
            Color::Black,
        );
        let good = explained(&made, "D3 B2 J9 J8 C2", 4.0, made.map(&[("E3 E4 F3 F4", 0.9)]));
        let teaching = teach_move(&explanation(&made, Some(good), (0.0, made.map(&[]))));
        let is_plan = |line: &String| line.starts_with("The plan") || line.starts_with("狙い");
        let [english, japanese] = [english_lines(&teaching), japanese_lines(&teaching)]
            .map(|lines| lines.into_iter().find(is_plan).unwrap());
        let plan = "The plan: to fight the ko: B D3, W B2. White takes 1 stone that way.";
        let threat = "Then Black makes a ko threat, at J9, and takes the ko back at C2.";
        assert_eq!(english, format!("{plan} {threat}"));
        let plan = "狙い：コウを争う（黒D3・白B2）。この間に白が1子を取ります。";
        assert_eq!(japanese, format!("{plan}続いて黒はJ9にコウダテを打ち、C2でコウを取り返します。"));
    }

    /// Of a ko that comes after the moves that are told nobody hears how it is taken back.
    #[test]
    fn a_ko_behind_the_moves_that_are_told_is_left_out() {
        let made = HandMade::from_diagram(
            "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . X O . . . . . .
            X . X O . . . . .
            . X O . . . . . .
            ",
            Color::Black,
        );
        let plan = |moves: &str, listener: Listener| {
            let good = explained(&made, moves, 4.0, made.map(&[("E3 E4 F3 F4", 0.9)]));
            let mut told = explanation(&made, Some(good), (0.0, made.map(&[])));
            told.listener = listener;
            let lines = english_lines(&teach_move(&told));
            lines.into_iter().find(|line| line.starts_with("The plan")).unwrap()
        };
        let six = "D3 D4 C5 D5 C6 B2 J9 J8 C2";
        let threat = "Then Black makes a ko threat, at J9, and takes the ko back at C2.";
        let whole = plan(six, Listener::Kyu);
        assert!(whole.contains("W B2") && whole.ends_with(threat), "{whole}");
        let short = plan(six, Listener::Beginner);
        assert!(short.contains("W D5") && !short.contains("C6"), "{short}");
        let long = plan("D3 D4 C5 D5 C6 D6 C7 B2 J9 J8 C2", Listener::Kyu);
        assert!(long.contains("W D6") && !long.contains("B2"), "{long}");
        for cut in [short, long] {
            assert!(!cut.contains("ko threat") && !cut.contains("J9"), "{cut}");
        }
    }

    /// Who saves a stone by taking another one kills that: it is told once.
    #[test]
    fn a_capture_that_saves_stones_is_not_told_twice() {
        let made = HandMade::from_diagram(
            "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . X O . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            ",
            Color::Black,
        );
        let told = |effects: Vec<Reason>| {
            let mut good = explained(&made, "G6", 4.0, made.map(&[("F6", 0.9)]));
            good.reasons.effects = effects;
            let teaching = teach_move(&explanation(&made, Some(good), (0.0, made.map(&[]))));
            [english_lines(&teaching)[1].clone(), japanese_lines(&teaching)[1].clone()]
        };
        assert_eq!(told(vec![])[0], "It kills White's stone at F6 (about 2 points).");
        let saves = reason_of(rules::find_rule("save-by-capture").unwrap());
        let (about, other) = (Some(made.point("E6")), Some(made.point("F6")));
        let [english, japanese] = told(vec![Reason { about, other, count: 1, ..saves }]);
        assert_eq!(english, "It saves 1 stone at E6 by a capture at F6 (about 2 points).");
        assert_eq!(japanese, "F6の石を取ってE6の1子を助けます（約2目）。");
    }

    /// A move that is answered costs no turn; an atari that is answered says more of it than a connection.
    #[test]
    fn a_move_that_has_to_be_answered_is_told_as_that() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let deed = |name: &str, about: &str, count: usize| Reason {
            about: Some(made.point(about)),
            other: Some(made.point("G5")),
            count,
            ..reason_of(rules::find_rule(name).unwrap())
        };
        let mut good = explained(&made, "H5 H4 A9", 0.0, made.map(&[]));
        good.reasons.effects = vec![deed("connect-knight", "G8", 0), deed("atari", "E6", 13)];
        let mut told = explanation(&made, Some(good), (0.0, made.map(&[])));
        told.otherwise = Some(explained(&made, "A1", 0.0, made.map(&[])));
        let expected = [
            "Black H5: no other move was held against it.",
            "It puts 13 stones at E6 into atari.",
            "It costs no turn: White answers at H4.",
            "The plan: to finish here first, and then to play elsewhere, at A9: B H5, W H4.",
        ];
        assert_eq!(english_lines(&teach_move(&told)), expected);
        let sente = "白がH4に受けるので、先手で打てます。";
        assert_eq!(japanese_lines(&teach_move(&told))[2], sente);
        assert_eq!(move_that_waits(&told), None);
        // White passes, and passes again: it answers nothing.
        let answered = told.mv.as_ref().unwrap().variation.clone();
        let [mv, beside, far] = ["H5", "H4", "A9"].map(|vertex| Move::Play(made.point(vertex)));
        told.mv.as_mut().unwrap().variation = vec![mv, Move::Pass, beside, Move::Pass, far];
        let lines = english_lines(&teach_move(&told));
        assert!(!lines.iter().any(|line| line.contains("costs no turn") || line.contains("H4")), "{lines:?}");
        told.mv.as_mut().unwrap().variation = answered;
        // It is not answered, and then not before what it takes.
        told.mv.as_mut().unwrap().variation.truncate(1);
        let lines = english_lines(&teach_move(&told));
        assert_eq!(lines[1], "It connects the knight's move from G8 to G5.");
        assert!(lines[2].starts_with("If it is not played, nothing happens here at once"), "{lines:?}");
        assert_eq!(move_that_waits(&told), Some(made.point("H5")));
        // What a second move there does shows what it is good for.
        let second = |effects: Vec<Reason>| {
            let (mv, color) = (made.point("H4"), Color::Black);
            Some(MoveReasons { mv, color, effects, ideas: vec![], rank: None, value: 0.0 })
        };
        told.second = second(vec![deed("atari", "E6", 1), deed("take-stones", "E6", 13)]);
        let twice = " After it a second move, Black H4, takes 13 stones at E6.";
        assert!(english_lines(&teach_move(&told))[2].ends_with(twice), "{told:?}");
        let twice = "この手に続けて黒H4と打てば、E6の13子を取ります。";
        assert!(japanese_lines(&teach_move(&told))[2].ends_with(twice));
        told.second = second(vec![deed("atari", "E6", 1)]);
        assert_eq!(english_lines(&teach_move(&told)), lines, "one stone is not worth it");
        told.second = second(vec![deed("connect-knight", "H5", 0)]);
        assert_eq!(english_lines(&teach_move(&told)), lines, "it only joins the first one");
        told.second = second(vec![deed("connect-knight", "G8", 0)]);
        assert!(english_lines(&teach_move(&told))[2].ends_with("connects the knight's move from G8 to G5."));
        let takes = [deed("take-stones", "E6", 13), deed("atari", "E6", 13)];
        assert_eq!(forcing_deed(&takes, &colored(&made, "H5 H4")), None);
    }

    /// So does an atari on several stones that the opponent brings out of it, though the mover goes on in the same place.
    #[test]
    fn an_atari_that_is_answered_costs_no_turn() {
        let made = HandMade::from_diagram(
            "
            . . . . . . .
            . . . . . . .
            . . X X . . .
            . . O O . . .
            . . X X . . .
            . . . . . . .
            . . . . . . .
            ",
            Color::Black,
        );
        let told = |line: &str, count: usize| {
            let mut good = explained(&made, line, 0.0, made.map(&[]));
            let atari = reason_of(rules::find_rule("atari").unwrap());
            good.reasons.effects = vec![Reason { about: Some(made.point("C4")), count, ..atari }];
            let mut told = explanation(&made, Some(good), (0.0, made.map(&[])));
            told.otherwise = Some(explained(&made, "G7", 0.0, made.map(&[])));
            english_lines(&teach_move(&told))[2].clone()
        };
        assert_eq!(told("B4 E4 E5", 2), "It costs no turn: White answers at E4.");
        let waits = "If it is not played, nothing happens here at once";
        assert!(told("B4 A1 E4", 2).starts_with(waits), "that leaves them in atari");
        assert!(told("B4", 2).starts_with(waits), "nobody answers");
        assert!(told("B4 E4 E5", 1).starts_with(waits), "one stone may be given up");
    }

    /// The cost says little of the loss: what the better move gains by itself says more.
    #[test]
    fn a_better_move_is_told_by_its_own_gain_where_the_cost_says_little() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let told = |bad: &str, points: f64| {
            let mut told = explanation(&made, Some(explained(&made, bad, -9.0, map(0.6))), (-14.0, map(0.0)));
            let better = explained(&made, "H5", points - 9.0, map(0.9));
            told.alternatives = vec![compared(better, MoveVerdict::Better, points)];
            let teaching = teach_move(&told);
            let better = |lines: Vec<String>, begins: &str| {
                lines.into_iter().find(|line| line.starts_with(begins)).unwrap()
            };
            let english = better(english_lines(&teaching), "Better");
            [english, better(japanese_lines(&teaching), "もっと")]
        };
        let [english, japanese] = told("A9", 10.0);
        let gains =
            "Better: Black H5. It makes Black's territory on the right side, around H5 (about 9 points).";
        assert_eq!(english, gains);
        assert_eq!(japanese, "もっと良い手：黒H5。右辺（H5付近）の黒地を固めます（約9目）。");
        let same = "Better: Black H5. It makes Black's territory on the right side, around H5.";
        assert_eq!(told("H3", 10.0)[0], same, "two moves in one place may gain the same");
        assert_eq!(told("A9", 3.2)[0], same, "the cost is the loss");
    }

    /// A bad move that does something, and gains much by it, is held against the better one elsewhere by its size.
    #[test]
    fn a_move_that_tempts_is_told_by_its_size() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let told = |effects: Vec<Reason>| {
            let mut bad = explained(&made, "A9", 0.0, map(0.5));
            bad.reasons.effects = effects;
            let mut told = explanation(&made, Some(bad), (-10.0, map(0.0)));
            told.alternatives =
                vec![compared(explained(&made, "H5", 4.0, map(0.9)), MoveVerdict::Better, 4.0)];
            teach_move(&told)
        };
        let takes = reason_of(rules::find_rule("take-stone").unwrap());
        let tempting = told(vec![Reason { about: Some(made.point("B8")), count: 1, ..takes }]);
        let english = &english_lines(&tempting)[1];
        assert!(
            english.ends_with(" Black A9 gains about 10 points, and H5 gains about 14 points."),
            "{english}"
        );
        let japanese = &japanese_lines(&tempting)[1];
        assert!(japanese.ends_with("黒A9の価値は約10目、H5なら約14目です。"), "{japanese}");
        let close = |own: f64, better: f64| {
            let sizes = Some(MoveSizes { own, better });
            let teaching = Teaching { sizes, ..tempting.clone() };
            [english_lines(&teaching)[1].clone(), japanese_lines(&teaching)[1].clone()]
        };
        let [english, japanese] = close(15.2, 17.1);
        let bigger = " Black A9 is a big move, too (about 15 points), but H5 is bigger (about 17 points).";
        assert!(english.ends_with(bigger), "{english}");
        let bigger = "黒A9も大きい手（約15目）ですが、H5はさらに大きい手です（約17目）。";
        assert!(japanese.ends_with(bigger), "{japanese}");
        assert!(!close(16.6, 17.1)[0].contains("A9"), "both are about 17 points");
        let mut nothing_carries = Teaching {
            cause: Cause::Spread,
            sizes: Some(MoveSizes { own: 16.6, better: 17.1 }),
            ..tempting.clone()
        };
        nothing_carries.verdict.points = 2.0;
        let all_over = " What it costs are small differences all over the board.";
        assert!(
            english_lines(&nothing_carries).iter().any(|line| format!(" {line}").ends_with(all_over)),
            "{:?}",
            english_lines(&nothing_carries)
        );
        assert!(close(4.2, 5.1)[0].ends_with(" Black A9 gains about 4 points, and H5 gains about 5 points."));
        assert_eq!(told(vec![]).sizes, None, "nothing is told of it");
    }

    /// The stones that the cost has named stay what the better move is about, though all that it gains there is more than they are.
    #[test]
    fn stones_that_the_cost_has_named_are_not_told_as_territory() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let map = |stones: f32, around: f32| made.map(&[(BLACK_CORNER, stones), (AROUND, around)]);
        let bad = explained(&made, "J1", -3.0, map(0.3, 0.9));
        let mut told = explanation(&made, Some(bad), (-6.0, map(0.35, -0.9)));
        told.alternatives =
            vec![compared(explained(&made, "C7", 1.0, map(0.9, 0.9)), MoveVerdict::Better, 4.0)];
        let good = KnownMove::of_explained(&told.alternatives[0].mv);
        let gained = Teacher { explanation: &told }.compare_with_pass(good).cause;
        let gained = gained.carrying().unwrap();
        assert!(!gained.kind.is_about_stones() && gained.area.points.contains(made.point("C5")));
        let teaching = teach_move(&told);
        let cost = teaching.cause.carrying().unwrap();
        assert!(cost.kind == MatterKind::Strengthens && cost.points < 2.0 && gained.points > 6.0);
        assert_eq!(teaching.better.as_ref().unwrap().reason.as_ref(), Some(cost));
    }

    /// What is told beside the cost, and is as large, the better move does, too.
    #[test]
    fn a_better_move_is_told_with_what_it_does_besides() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let mut teaching = teach_right_side(&made, "A9 H5");
        let cost = *teaching.cause.carrying().unwrap();
        teaching.better.as_mut().unwrap().reason = Some(cost);
        let mut better = |vertex: &str, points: f64| {
            let (kind, stones) = (MatterKind::Weakens, PointSet::from_point(made.point(vertex)));
            teaching.besides = Some(CarryingReason { kind, stones, stone: stones.first(), points, ..cost });
            [english_lines(&teaching)[3].clone(), japanese_lines(&teaching)[3].clone()]
        };
        let [english, japanese] = better("E5", 5.0);
        assert!(english.starts_with("Better: Black H5."), "{english}");
        assert!(english.ends_with(" It also leaves White's stone at E5 weak."), "{english}");
        assert!(japanese.ends_with("また、白E5の石を弱くします。"), "{japanese}");
        assert!(!better("E5", 2.0)[0].contains("It also"), "it is little beside the cost");
        assert!(!better("B4", 5.0)[0].contains("It also"), "it is far from the move");
    }

    /// A place has one name in a text, though the cost is a part of what the better move gains there.
    #[test]
    fn a_territory_has_one_name_in_a_text() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let (upper, lower) = ("H7 J7 H6 J6 H5 J5", "H4 J4 H3 J3");
        let bad = explained(&made, "A9", -12.0, made.map(&[(lower, 0.9)]));
        let mut told = explanation(&made, Some(bad), (-14.0, made.map(&[])));
        let better = explained(&made, "H5", 0.0, made.map(&[(upper, 0.9), (lower, 0.9)]));
        told.alternatives = vec![compared(better, MoveVerdict::Better, 12.0)];
        let teaching = teach_move(&told);
        let middle = |reason: Option<&CarryingReason>| reason.unwrap().middle.unwrap();
        let cost = middle(teaching.cause.carrying());
        assert_ne!(cost, middle(teaching.better.as_ref().unwrap().reason.as_ref()));
        let lines = english_lines(&teaching);
        let named = lines.iter().filter(|line| line.contains(&format!("right side, around {cost}"))).count();
        let around = lines.iter().filter(|line| line.contains("around")).count();
        assert_eq!((named, around), (2, 2), "{lines:?}");
    }

    /// So has one that is told beside the cost, where the better move's gain is a part of that.
    #[test]
    fn a_territory_that_is_told_besides_has_one_name_in_a_text() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let mut teaching = teach_right_side(&made, "A9 H5");
        let right = *teaching.cause.carrying().unwrap();
        let corner = made.point("A1");
        let area = ChangedArea { points: PointSet::from_point(corner), gain: 2.0 };
        let cost = CarryingReason { area, place: BoardPlace::LowerLeft, middle: Some(corner), ..right };
        teaching.cause = Cause::Carried(Box::new(cost));
        teaching.besides = Some(right);
        let other_name = CarryingReason { middle: Some(made.point("J3")), ..right };
        teaching.better.as_mut().unwrap().reason = Some(other_name);
        let lines = english_lines(&teaching);
        let name = format!("right side, around {}", right.middle.unwrap());
        assert_eq!(lines.iter().filter(|line| line.contains(&name)).count(), 2, "{lines:?}");
        assert!(!lines.iter().any(|line| line.contains("J3")), "{lines:?}");
    }

    /// What the better move prevents is not told of stones of which it is told that they become safer.
    #[test]
    fn stones_that_are_told_besides_are_not_told_as_prevented() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let mut teaching = teach_right_side(&made, "A9 H5");
        let cost = *teaching.cause.carrying().unwrap();
        let threat = reason_of(rules::find_rule("threaten").unwrap());
        let better = teaching.better.as_mut().unwrap();
        better.reason = Some(cost);
        better.prevents = Some(Reason { about: Some(made.point("G5")), count: 5, ..threat });
        let mut better = |kind: MatterKind, vertex: &str| {
            let stones = PointSet::from_point(made.point(vertex));
            let stone = stones.first();
            teaching.besides = Some(CarryingReason { kind, stones, stone, points: 5.0, ..cost });
            english_lines(&teaching)[3].clone()
        };
        let prevents = "That prevents White's threat to the 5 stones at G5.";
        let own = better(MatterKind::Strengthens, "G5");
        assert!(own.contains("It also makes the stone at G5 safer.") && !own.contains(prevents), "{own}");
        let others = better(MatterKind::Weakens, "E5");
        assert!(others.contains("It also leaves White's stone at E5 weak.") && others.contains(prevents));
    }

    /// What the cost tells as Black's territory is not told as White's of the better move.
    #[test]
    fn a_territory_is_one_sides_in_a_text() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let bad = explained(&made, "A9", -9.0, map(-0.1));
        let mut told = explanation(&made, Some(bad), (-14.0, map(-0.8)));
        let better = explained(&made, "H5", -1.0, map(0.2));
        told.alternatives = vec![compared(better, MoveVerdict::Better, 8.0)];
        let teaching = teach_move(&told);
        let kind = |reason: Option<&CarryingReason>| reason.map(|reason| reason.kind);
        let kinds = [teaching.cause.carrying(), teaching.better.as_ref().unwrap().reason.as_ref()].map(kind);
        assert_eq!(kinds, [Some(MatterKind::BuildsTerritory), Some(MatterKind::ReducesTerritory)]);
        let lines = english_lines(&teaching);
        let better = "Better: Black H5. It keeps that territory (about 10 points).";
        assert!(lines.iter().any(|line| line == better), "{lines:?}");
        let lines = japanese_lines(&teaching);
        let better = "もっと良い手：黒H5。その地を守ります（約10目）。";
        assert!(lines.iter().any(|line| line == better), "{lines:?}");
    }

    /// A bad move whose own stone is lost says so, where the line does not catch it.
    #[test]
    fn a_stone_that_is_lost_where_it_is_played_is_told() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let lines = |owner: f32, deed: Option<Reason>| {
            let after = made.map(&[(BLACK_CORNER, -0.9), (AROUND, -0.9), ("J1", owner)]);
            let bad = explained(&made, "J1 J2", -10.0, after);
            let mut told = explanation(&made, Some(bad), (-10.0, dies(&made)));
            told.alternatives =
                vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
            let mut answer = explained(&made, "J2", 10.0, dies(&made));
            answer.reasons.effects.extend(deed);
            told.answer = Some(answer);
            let teaching = teach_move(&told);
            [english_lines(&teaching)[2].clone(), japanese_lines(&teaching)[2].clone()]
        };
        let [english, japanese] = lines(-0.9, None);
        let lost = "The answer: White J2. The stone at J1 is lost there. That leaves White C7";
        assert!(english.starts_with(lost), "{english}");
        assert!(japanese.starts_with("相手の応手：白J2。J1の石は助かりません。"), "{japanese}");
        assert!(!lines(0.2, None)[0].contains("is lost there"));
        let catches = reason_of(rules::find_rule("capture").unwrap());
        let catches = Reason { about: Some(made.point("J1")), count: 1, ..catches };
        assert!(!lines(-0.9, Some(catches))[0].contains("is lost there"), "the answer says so");
        let taken = [(Color::Black, made.point("J1")), (Color::White, made.point("J2"))];
        assert!(takes_stones(&taken, &[0, 1], Color::White) && !takes_stones(&taken, &[1, 0], Color::White));
    }

    /// No area carries the loss: the better move's point is told with what it gains by itself.
    #[test]
    fn a_better_point_that_stays_open_is_told_where_no_area_carries_the_loss() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let told = |bad: &str| {
            let bad = explained(&made, bad, -5.0, map(0.85));
            let mut told = explanation(&made, Some(bad), (-9.0, map(0.0)));
            told.alternatives =
                vec![compared(explained(&made, "H5", 0.0, map(0.9)), MoveVerdict::Better, 5.0)];
            teach_move(&told)
        };
        let expected = [
            "Black A9 loses about 5 points (give or take 1).",
            "Black A9 gains about 4 points, and H5 gains about 9 points.",
            "The answer: White A8. That leaves White H5, which reduces Black's territory on the right side, around H5.",
            "Better: Black H5. It makes Black's territory on the right side, around H5 (about 9 points).",
        ];
        assert_eq!(english_lines(&told("A9 A8")), expected);
        let answer = "相手の応手：白A8。そのうえ白H5と打つ手が残ります。右辺（H5付近）の黒地を減らします。";
        assert_eq!(japanese_lines(&told("A9 A8"))[2], answer);
        assert_eq!(english_lines(&told("A9 A8 H6"))[2], "The answer: White A8.", "Black plays there");
    }

    /// The line shows nothing of the loss, but reading does: what the opponent has at the better move's point is told with that.
    #[test]
    fn the_opponents_move_at_the_better_point_is_told_where_the_line_shows_nothing() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let deed = |name: &str, about: &str, count: usize| {
            let rule = rules::find_rule(name).unwrap();
            Reason { about: Some(made.point(about)), count, ..reason_of(rule) }
        };
        let bad = explained(&made, "J1", -10.0, dies(&made));
        let mut told = explanation(&made, Some(bad), (-10.0, dies(&made)));
        told.alternatives =
            vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
        let mut answer = explained(&made, "J2 A8 H2", 10.0, dies(&made));
        answer.reasons.color = Color::White;
        told.answer = Some(answer);
        let left = |effects: Vec<Reason>| {
            let (mv, color) = (made.point("C7"), Color::White);
            vec![MoveReasons { mv, color, effects, ideas: vec![], rank: None, value: 0.0 }]
        };
        let lines = |told: &Explanation| {
            let teaching = teach_move(told);
            [english_lines(&teaching)[3].clone(), japanese_lines(&teaching)[3].clone()]
        };
        told.left = left(vec![deed("take-stones", "C5", 3)]);
        let [english, japanese] = lines(&told);
        let alive = "Better: Black C7. It keeps the 3 stones at C5 alive.";
        assert_eq!(english, format!("{alive} White's own move there, C7, takes 3 stones at C5."));
        assert!(japanese.ends_with("。白が先にC7に打てば、C5の3子を取ります。"), "{japanese}");
        told.left = left(vec![deed("take-stones", "G7", 5)]);
        assert_eq!(lines(&told)[0], alive, "these are not what the cost is about");
        told.left = left(vec![deed("take-stones", "C5", 3)]);
        told.answer.as_mut().unwrap().reasons.effects = vec![deed("threaten", "C5", 3)];
        assert_eq!(lines(&told)[0], alive, "the answer shows it");
        // Nor is what the better move does told once more, as what the opponent undoes there.
        told.answer.as_mut().unwrap().reasons.effects = vec![];
        told.alternatives[0].mv.reasons.effects = vec![deed("save", "C5", 3)];
        let saves = "Better: Black C7. It saves 3 stones at C5 from capture.";
        assert_eq!(lines(&told)[0], saves);
        told.left = left(vec![deed("kill", "C5", 3)]);
        assert!(lines(&told)[0].starts_with(&format!("{saves} White's own move there, C7, kills")));
    }

    /// The mover is the first to play where the cost lies, but only behind the moves that are told.
    #[test]
    fn who_comes_late_to_the_cost_is_told_as_that() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |line: &str| tell_late_return(&made, line);
        let [english, japanese] = told("A9 A8 H6");
        let late = "The answer: White A8. Black plays where the cost lies, at H6, only after that.";
        assert_eq!(english, late);
        assert_eq!(japanese, "相手の応手：白A8。黒が損の出た所のH6に打てるのはその後です。");
        // Near enough to the answer for one line, but that is not told.
        let [english, japanese] = told("A2 C7 H6");
        let late = "White need not answer it, and plays elsewhere, at C7. Black plays where the cost lies, at H6, only after that.";
        assert_eq!(english, late);
        assert_eq!(japanese, "白は受けずに、他所のC7に打てます。黒が損の出た所のH6に打てるのはその後です。");
        assert!(told("A9 A8 H5")[0].contains("comes back to H5"), "the better move itself");
        assert!(!told("A9 H6 A8 J6")[0].contains("only after"), "White comes first");
        assert!(!told("H7 H8 A1 H6")[0].contains("only after"), "Black has played there before");
        // White comes to the better move's point later in the line.
        let [english, japanese] = told("H7 H8 J7 H5");
        assert!(english.ends_with(" (W H8, B J7, W H5). White comes to H5 that way."), "{english}");
        assert!(japanese.ends_with("（白H8・黒J7・白H5）。この間に白がH5に打ちます。"), "{japanese}");
    }

    /// What the moves decide in their own place is less than half of the loss. The rest is where who has the turn then plays.
    #[test]
    fn what_the_turn_is_worth_is_told_beside_a_small_cost() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let (here, there) = (("A1 B1 C1 D1", 0.9), ("H9 J9 H8 J8 H7 J7", 0.9));
        let told = |bad: &str, better: &str, gained: &[(&str, f32)]| {
            let mut told =
                explanation(&made, Some(explained(&made, bad, 0.0, made.map(&[]))), (0.0, made.map(&[])));
            let better = explained(&made, better, 9.0, made.map(gained));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 9.0)];
            let teaching = teach_move(&told);
            [english_lines(&teaching).join(" "), japanese_lines(&teaching).join("")]
        };
        let cost = "and in the upper right";
        // The opponent has it after the bad move.
        let [english, japanese] = told("A2 A1 B1 J8", "C1 D1", &[here, there]);
        assert!(english.contains(cost) && english.contains(" (5 more)"), "{english}");
        assert!(
            english.contains("The answer: White A1 reduces Black's territory"),
            "which of the two: {english}"
        );
        let alone = &told("A2 A1", "C1 D1", &[here])[0];
        assert!(alone.contains("The answer: White A1 reduces that territory."), "{alone}");
        assert!(japanese.contains("の黒地も減ります（さらに5目）。"), "{japanese}");
        let then = "(W A1, B B1). Black takes 1 stone that way. White then has the turn, to play J8.";
        assert!(english.contains(then), "{english}");
        assert!(japanese.contains("その後は白の手番で、J8に打たれます。"), "{japanese}");
        // The mover has it after the better one.
        let [english, _] = told("A2 A1", "C1 D1 J8", &[here, there]);
        assert!(english.contains(cost) && !english.contains("has the turn"), "{english}");
        assert!(english.contains("Then it is Black's turn again, to play J8."), "{english}");
        // Nobody plays there: what changes there is chance.
        assert!(!told("A2 A1 B1 B2", "C1 D1", &[here, there])[0].contains("upper right"));
        assert!(
            !told("A2 A1 J8", "C1 D1", &[here, there])[0].contains("upper right"),
            "it is Black's turn anyway"
        );
        // Nothing else carries the loss.
        let [english, _] = told("A2 A1", "C1 D1 J8", &[there]);
        assert!(english.contains("The cost: Black gets less territory in the upper right"), "{english}");
        assert!(!told("A2 A1", "C1 D1", &[there])[0].contains("The cost"));
    }

    /// Where two areas are less than half of a loss, it is told where the rest lies.
    #[test]
    fn the_rest_of_a_loss_is_told_behind_two_areas() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let cost = |loss: f64| {
            let bad = explained(&made, "A2 A1 B1 J8", 0.0, made.map(&[]));
            let mut told = explanation(&made, Some(bad), (0.0, made.map(&[])));
            let gained = made.map(&[("A1 B1 C1 D1", 0.9), ("J9 H8 J8 H7 J7", 0.95)]);
            let better = explained(&made, "C1 D1", loss, gained);
            told.alternatives = vec![compared(better, MoveVerdict::Better, loss)];
            let teaching = teach_move(&told);
            [english_lines(&teaching)[1].clone(), japanese_lines(&teaching)[1].clone()]
        };
        let [english, japanese] = cost(17.0);
        assert!(english.contains(" (5 more, the rest here and there)"), "{english}");
        assert!(japanese.contains("（さらに5目、残りはあちこち）"), "{japanese}");
        let [most, _] = cost(12.0);
        assert!(most.contains(" (5 more)"), "{most}");
    }

    /// What the better move gains reaches across the board. Where the bad one has a part of it, the far end is told beside the near one.
    #[test]
    fn the_far_end_of_what_the_better_move_gains_is_told_besides() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let [near, between, far] = ["E1 F1 G1 H1 J1 J2", "J3 J4 J5 J6", "J7 J8 J9 H9 H8"];
        let besides = |far_anyway: f32| {
            let bad = explained(&made, "A9", -14.0, made.map(&[(between, 0.9)]));
            let mut told = explanation(&made, Some(bad), (-18.0, made.map(&[(far, far_anyway)])));
            let better = explained(&made, "E1", 0.0, made.map(&[(near, 0.9), (between, 0.9), (far, 0.9)]));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 14.0)];
            let teaching = teach_move(&told);
            assert!(teaching.cause.carrying().unwrap().area.points.contains(made.point("E1")));
            let lines = english_lines(&teaching);
            teaching.besides.map(|besides| (besides.area.points.contains(made.point("J9")), lines[1].clone()))
        };
        let (is_far, line) = besides(0.0).unwrap();
        assert!(is_far && line.contains(" more)"), "{line}");
        assert_eq!(besides(0.9), None, "the better move does not gain it");
    }

    /// A cost, or none, that says little of a loss of 9 points: the better move at C1 changes these points, and this follows it.
    fn tell_small_cost(made: &HandMade, bad: &str, better: &str, gained: &[(&str, f32)]) -> [Vec<String>; 2] {
        let mut told =
            explanation(made, Some(explained(made, bad, 0.0, made.map(&[]))), (0.0, made.map(&[])));
        let better = explained(made, better, 9.0, made.map(gained));
        told.alternatives = vec![compared(better, MoveVerdict::Better, 9.0)];
        let teaching = teach_move(&told);
        [english_lines(&teaching), japanese_lines(&teaching)]
    }

    /// The data say that the better move keeps the turn where the text does, and nowhere else.
    #[test]
    fn the_turn_is_kept_only_where_that_is_told() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let keeps_turn = |points: f64, gained: &[(&str, f32)]| {
            let bad = explained(&made, "A2 J1", 0.0, made.map(&[]));
            let mut told = explanation(&made, Some(bad), (0.0, made.map(&[])));
            let better = explained(&made, "C1 D1 J8", points, made.map(gained));
            told.alternatives = vec![compared(better, MoveVerdict::Better, points)];
            let teaching = teach_move(&told);
            let text = english_lines(&teaching).join(" ");
            let says_so = ["the rest by the turn that C1 keeps", "C1 keeps the turn, and A2 gives it away"];
            assert_eq!(teaching.keeps_turn, says_so.iter().any(|said| text.contains(said)), "{text}");
            let says_principle = text.contains("A2 gives White the turn");
            assert!(teaching.keeps_turn || !says_principle, "{text}");
            teaching.keeps_turn
        };
        let (here, around) = ("A1 B1 C1 D1", "A2 B2 C2 D2 E2 F2 A3 B3 C3 D3 E3 F3 E1 F1");
        assert!(keeps_turn(9.0, &[(here, 0.9)]), "most of it is the turn");
        assert!(keeps_turn(9.0, &[]), "all of it is");
        assert!(!keeps_turn(6.0, &[(here, 0.9)]), "the cost is most of it");
        assert!(!keeps_turn(4.0, &[(here, 0.9)]), "the cost is all of it");
        assert!(!keeps_turn(9.0, &[(here, 0.9), (around, 0.2)]), "it lies close by");
        let there = "H9 J9 H8 J8 H7 J7";
        assert!(!keeps_turn(9.0, &[(here, 0.9), (there, 0.9)]), "it lies where the next turn is played");
    }

    /// The better move is answered, and the bad one is not: the rest of the loss is the turn, which is what is to be remembered.
    #[test]
    fn the_turn_that_the_better_move_keeps_is_the_rest_of_a_loss() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |bad: &str, better: &str, gained: &[(&str, f32)]| {
            let [english, japanese] = tell_small_cost(&made, bad, better, gained);
            [english.join(" "), japanese.join("")]
        };
        let (here, elsewhere) = ([("A1 B1 C1 D1", 0.9)], "(4 of the 9 points, the rest here and there)");
        let [english, japanese] = told("A2 J1", "C1 D1 J8", &here);
        assert!(english.contains("(4 of the 9 points, the rest by the turn that C1 keeps)"), "{english}");
        assert!(japanese.contains("（9目のうち4目、残りはC1なら先手で打てるため）"), "{japanese}");
        let principle =
            "Remember: play first what has to be answered (White answers C1, and A2 gives White the turn).";
        assert!(english.ends_with(principle), "{english}");
        let principle = "（C1には白が受けますが、A2では白に手番が渡ります）。";
        assert!(japanese.ends_with(principle), "{japanese}");
        // The bad move is answered, too; the better one is not, or not beside it; nothing is known of what comes behind the answer.
        for (bad, better) in
            [("A2 A1", "C1 D1 J8"), ("A2 J1", "C1 J1"), ("A2 J1", "C1 F2 J8"), ("A2 J1", "C1 D1")]
        {
            let [english, _] = told(bad, better, &here);
            assert!(english.contains(elsewhere) && !english.contains("has to be answered"), "{english}");
        }
        // What lies close by is counted, and is not the turn.
        let around = ("A2 B2 C2 D2 E2 F2 A3 B3 C3 D3 E3 F3 E1 F1", 0.2);
        let [english, _] = told("A2 J1", "C1 D1 J8", &[here[0], around]);
        assert!(english.contains("(6 of the 9 points)"), "{english}");
        assert!(!english.contains("gives White the turn"), "{english}");
        assert!(english.contains("Then it is Black's turn again, to play J8."), "{english}");
        // Where White plays instead of an answer, Black plays first after the better move.
        let [english, japanese] = told("A2 J1", "C1 D1 J1", &[here[0], around]);
        let first = "Then it is Black's turn again, to play J1 before White does.";
        assert!(english.contains(first), "{english}");
        assert!(japanese.contains("その後も黒の先手で、白より先にJ1に回れます。"), "{japanese}");
        // No area carries the loss.
        let [english, japanese] = told("A2 J1", "C1 D1 J8", &[]);
        assert!(
            english.contains("C1 gains about 9 points. C1 keeps the turn, and A2 gives it away."),
            "{english}"
        );
        assert!(japanese.contains("C1は先手で打て、A2は後手になります。"), "{japanese}");
        assert!(!told("A2 A1", "C1 D1 J8", &[])[0].contains("keeps the turn"));
    }

    /// Who comes back to the better move at once has lost by the exchange of the bad move for its answer.
    #[test]
    fn an_exchange_before_the_better_move_is_the_rest_of_a_loss() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let cost = |bad: &str, gained: &[(&str, f32)]| {
            tell_small_cost(&made, bad, "C1 D1", gained).map(|lines| lines[1].clone())
        };
        let here = [("A1 B1 C1 D1", 0.9)];
        let [english, japanese] = cost("A2 A1 C1", &here);
        assert!(english.contains("(4 of the 9 points, the rest by the exchange of A2 for A1)"), "{english}");
        assert!(japanese.contains("（9目のうち4目、残りはA2とA1の交換による損）"), "{japanese}");
        let [english, japanese] = cost("A2 A1 C1", &[]);
        assert!(english.ends_with(" The difference is the exchange of A2 for A1."), "{english}");
        assert!(japanese.ends_with("差はA2とA1の交換から生じます。"), "{japanese}");
        assert!(!cost("A2 A1 A3 A4 C1", &here)[0].contains("exchange"), "it comes back later");
        let remembered = |bad: &str| {
            let lines = tell_small_cost(&made, bad, "C1 D1", &here);
            lines.map(|lines| lines.last().unwrap().clone())
        };
        let [english, japanese] = remembered("A2 A1 C1");
        assert_eq!(english, "Remember: leave out exchanges that help your opponent more (here A2 for A1).");
        assert_eq!(japanese, "心得：相手の得になる交換はしない（ここではA2とA1）。");
        for other in ["A2 A1 A3 A4 C1", "A2 A5 C1"] {
            let [english, _] = remembered(other);
            assert!(!english.contains("exchanges"), "it comes later, or the answer is not beside: {english}");
        }
        assert!(!cost("A2 J9 C1", &here)[0].contains("exchange"), "White plays elsewhere");
    }

    /// Where the rest of a loss lies is told though the cost is most of it; and no cost is "2 of the 2 points".
    #[test]
    fn the_rest_of_a_loss_has_its_place() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let here = "A1 B1 C1 D1";
        let around = "A2 B2 C2 D2 E2 F2 A3 B3 C3 D3 E3 F3 E1 F1";
        let cost = |points: f64, gained: &[(&str, f32)]| {
            let bad = explained(&made, "A2 A1", 0.0, made.map(&[]));
            let mut told = explanation(&made, Some(bad), (0.0, made.map(&[])));
            let better = explained(&made, "C1 D1", points, made.map(gained));
            told.alternatives = vec![compared(better, MoveVerdict::Better, points)];
            let teaching = teach_move(&told);
            [english_lines(&teaching)[1].clone(), japanese_lines(&teaching)[1].clone()]
        };
        let whole = &cost(6.0, &[(here, 0.9), (around, 0.11)])[0];
        assert!(!whole.contains("of the"), "what changes a little around it is counted: {whole}");
        let farther = "G1 G2 G3 H1 H2 H3 A4 F4 A5 F5";
        let [english, japanese] = cost(7.0, &[(here, 0.9), (around, 0.11), (farther, 0.11)]);
        assert!(english.contains("(5 of the 7 points, most of the rest close by)."), "{english}");
        assert!(japanese.contains("（7目のうち5目、残りの多くもその近く）"), "{japanese}");
        assert!(cost(6.0, &[(here, 0.9)])[0].contains("(4 of the 6 points)."), "it lies nowhere");
        let all = &cost(2.4, &[(here, 0.45)])[0];
        assert!(all.starts_with("The cost") && !all.contains("of the"), "1.8 of 2.4 points: {all}");
    }

    /// The rest may lie in a part of the board where the opponent comes in the line of the bad move, and not only where the moves are played.
    #[test]
    fn the_rest_of_a_loss_may_lie_where_the_lines_lead() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let (here, far) = ("A1 B1 C1 D1", "G9 H9 J9 H8 J8 H7 J7");
        let cost = |line: &str| {
            let mut told =
                explanation(&made, Some(explained(&made, line, 0.0, made.map(&[]))), (0.0, made.map(&[])));
            let better = explained(&made, "C1 D1", 6.0, made.map(&[(here, 0.9), (far, 0.2)]));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 6.0)];
            english_lines(&teach_move(&told))[1].clone()
        };
        let there = cost("A2 A1 J9 H8");
        assert!(there.contains("(4 of the 6 points, most of the rest in the upper right)."), "{there}");
        assert!(cost("A2 A1 H8").contains("(4 of the 6 points)."), "only Black comes there");
    }

    /// The mover comes to the bad move's point as well, in the line of the better one: if that is answered it is what is to be remembered.
    #[test]
    fn who_gets_both_points_in_the_better_order_is_told_so() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |better: &str| {
            let [english, japanese] = tell_small_cost(&made, "A2 A1", better, &[("A1 B1 C1 D1", 0.9)]);
            [english.join(" "), japanese.join("")]
        };
        let both = "It goes on B C1, W D1, B A2.";
        let [english, japanese] = told("C1 D1 A2");
        let principle =
            "Remember: play first what has to be answered (White answers C1, and A2 is still there).";
        assert!(english.contains(both) && english.ends_with(principle), "{english}");
        assert!(!english.contains("as well that way"), "the principle says so");
        assert!(japanese.ends_with("（C1には白が受けるので、A2にも回れます）。"), "{japanese}");
        // White's move is no answer.
        let [english, japanese] = told("C1 F2 A2");
        let line = "It goes on B C1, W F2, B A2. Black comes to A2 as well that way.";
        assert!(english.contains(line) && !english.contains("Remember"), "{english}");
        assert!(japanese.contains("この順なら黒はA2にも打てます。"), "{japanese}");
        // It is White who comes there.
        assert!(!told("C1 A2")[0].contains("as well that way"));
    }

    /// The turn is behind the moves that are told: it is not told where they are not, nor where they go on to where it is played.
    #[test]
    fn a_turn_is_told_only_behind_the_moves_before_it() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |bad: &str, gained: &[(&str, f32)]| {
            let mut told =
                explanation(&made, Some(explained(&made, bad, 0.0, made.map(&[]))), (0.0, made.map(&[])));
            let better = explained(&made, "C1 D1", 9.0, made.map(gained));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 9.0)];
            match teach_move(&told).line {
                Some(TaughtLine::Refutation { moves, role, turn, .. }) => (moves.len(), role, turn),
                line => panic!("{line:?}"),
            }
        };
        let corner = [("A1 B1 C1 D1", 0.9), ("H9 J9 H8 J8 H7 J7", 0.9)];
        let told_there = Some(made.point("J8"));
        assert_eq!(told("A2 A1 B1 J8", &corner), (2, AnswerRole::OnMatter, told_there));
        // Of an answer elsewhere, of which nothing is proved, only the point is told.
        assert_eq!(told("A2 J1 H1 J8", &corner), (2, AnswerRole::Elsewhere, None));
        // The cost reaches along the edge, and the line with it.
        let edge = [("A1 B1 C1 D1 E1 F1 G1", 0.6), ("J3 J4 J5 J6", 0.9)];
        assert_eq!(told("A2 A1 B1 G1", &edge), (3, AnswerRole::OnMatter, None));
    }

    /// An answer of which nothing is proved, right at own stones that are told besides, attacks these.
    #[test]
    fn an_answer_at_stones_that_are_told_besides_attacks_them() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let bad = explained(&made, "J1 J2", -10.0, dies(&made));
        let mut told = explanation(&made, Some(bad), (-10.0, dies(&made)));
        told.alternatives =
            vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
        let mut teaching = teach_move(&told);
        let reason = *teaching.cause.carrying().unwrap();
        let mut answer = |kind: MatterKind, vertex: &str| {
            let (stone, stones) = (made.point(vertex), PointSet::from_point(made.point(vertex)));
            teaching.besides = Some(CarryingReason { kind, stones, stone: Some(stone), ..reason });
            let lines = english_lines(&teaching);
            lines.into_iter().find(|line| line.starts_with("The answer")).unwrap()
        };
        let attacks = "The answer: White J2 attacks the stone at H1.";
        assert!(answer(MatterKind::Strengthens, "H1").starts_with(attacks));
        assert!(answer(MatterKind::Weakens, "H1").starts_with("The answer: White J2. "), "it is White's");
        assert!(answer(MatterKind::Strengthens, "G2").starts_with("The answer: White J2. "), "too far");
    }

    /// Three stones die, and the loss is four points: what the bad move gains elsewhere says why it is no more.
    #[test]
    fn a_cost_that_outweighs_the_loss_is_told_with_both_sizes() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let told = |loss: f64, passed: f64| {
            let gains = made.map(&[(BLACK_CORNER, -0.9), (AROUND, -0.9), ("H9 J9 H8 J8", 0.9)]);
            let bad = explained(&made, "J9", -loss, gains);
            let mut told = explanation(&made, Some(bad), (passed, dies(&made)));
            let better = explained(&made, "C7", 0.0, lives(&made));
            told.alternatives = vec![compared(better, MoveVerdict::Better, loss)];
            english_lines(&teach_move(&told))[1].clone()
        };
        let cost = "The cost: the 3 stones at C5 die and could live.";
        let sizes = "Black J9 gains about 8 points, and C7 gains about 12 points.";
        assert_eq!(told(4.0, -12.0), format!("{cost} {sizes}"));
        assert_eq!(told(8.0, -22.0), cost, "it is about what is lost");
    }

    /// A threat to stones that are told to be killed is not told with that.
    #[test]
    fn a_threat_to_stones_that_die_is_not_told_with_their_death() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::White), GroupStrength::Stable);
        let bad = explained(&made, "J1", -10.0, lives(&made));
        let mut told = explanation(&made, Some(bad), (-10.0, lives(&made)));
        let mut better = explained(&made, "C7", 1.0, dies(&made));
        let threaten = reason_of(rules::find_rule("threaten").unwrap());
        let mut better_of = |about: &str| {
            better.reasons.effects =
                vec![Reason { about: Some(made.point(about)), count: 3, ..threaten.clone() }];
            told.alternatives = vec![compared(better.clone(), MoveVerdict::Better, 11.0)];
            let lines = english_lines(&teach_move(&told));
            lines.into_iter().find(|line| line.starts_with("Better")).unwrap()
        };
        assert_eq!(better_of("C5"), "Better: White C7. It kills Black's 3 stones at C5.");
    }

    /// What the opponent would play says what it wants, where rules know that.
    #[test]
    fn what_is_expected_without_the_move_has_its_aim() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let good = explained(&made, "C7", 1.0, lives(&made));
        let mut told = explanation(&made, Some(good), (-10.0, dies(&made)));
        let mut expected = explained(&made, "D7 D5", 0.0, dies(&made));
        let away = reason_of(rules::find_rule("attack-away").unwrap());
        expected.reasons.ideas = vec![Reason { about: Some(made.point("C5")), ..away }];
        told.otherwise = Some(expected);
        let line = "If it is not played, White D7 attacks the weak group at C5 from where it wants to go (W D7, B D5).";
        assert_eq!(english_lines(&teach_move(&told))[2], line);
        // What it wants with other stones says nothing of these.
        let about_others = &mut told.otherwise.as_mut().unwrap().reasons.ideas[0];
        about_others.about = Some(made.point("G5"));
        let line = "If it is not played, White D7 attacks the 3 stones at C5 (W D7, B D5).";
        assert_eq!(english_lines(&teach_move(&told))[2], line);
        // Nor does what is no attack, be its own stone right at them.
        let centre = reason_of(rules::find_rule("center-point").unwrap());
        told.otherwise.as_mut().unwrap().reasons.ideas =
            vec![Reason { about: Some(made.point("E5")), ..centre }];
        assert_eq!(english_lines(&teach_move(&told))[2], line);
    }

    /// How stones are caught that the search's line gives up is told as it was read.
    #[test]
    fn stones_that_are_given_up_are_told_with_how_they_are_caught() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let net = |color: Color| Reason {
            about: Some(made.point("C5")),
            count: 3,
            sequence: [color, !color, color]
                .into_iter()
                .zip(["C7", "D7", "D5"].map(|at| made.point(at)))
                .collect(),
            ..reason_of(rules::find_rule("capture").unwrap())
        };
        let expected = |line: &str| {
            let good = explained(&made, "D5", 1.0, lives(&made));
            let mut told = explanation(&made, Some(good), (-10.0, dies(&made)));
            let mut expected = explained(&made, line, 0.0, dies(&made));
            expected.reasons.effects = vec![net(Color::White)];
            told.otherwise = Some(expected);
            english_lines(&teach_move(&told))[2].clone()
        };
        let caught = "If it is not played, White C7 catches 3 stones at C5, which cannot get away";
        assert_eq!(expected("C7 H8 J8"), format!("{caught} (W C7, B D7, W D5)."), "Black plays elsewhere");
        assert_eq!(expected("C7"), format!("{caught} (W C7, B D7, W D5)."), "nothing comes after it");
        assert_eq!(expected("C7 D7 C8"), format!("{caught} (W C7, B D7, W C8)."), "Black tries it there");
        let answered = |line: &str, bad: &str| {
            let played = explained(&made, &format!("{bad} {line}"), -10.0, dies(&made));
            let mut told = explanation(&made, Some(played), (-10.0, dies(&made)));
            let better = explained(&made, "D5", 1.0, lives(&made));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 11.0)];
            let mut answer = explained(&made, line, 10.0, dies(&made));
            answer.reasons.effects = vec![net(Color::White)];
            told.answer = Some(answer);
            english_lines(&teach_move(&told))[2].clone()
        };
        let line = answered("C7 H8", "A6");
        assert!(
            line.ends_with("which cannot get away (W C7, B D7, W D5). White comes to D5 that way."),
            "{line}"
        );
        let line = answered("C7 H8 J8 D5", "A6");
        assert!(!line.contains("B D7"), "Black comes back to the better move: {line}");
    }

    /// What is proved of other stones than those that carry a move does not show what the move is for.
    #[test]
    fn what_undoes_something_else_is_told_last() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let good = explained(&made, "C7", 1.0, lives(&made));
        let mut told = explanation(&made, Some(good), (-10.0, dies(&made)));
        let takes = rules::find_rule("take-stones").unwrap();
        let threat = |about: &str, count: usize| Threat {
            mv: made.point("D7"),
            reason: Reason { about: Some(made.point(about)), count, ..reason_of(takes) },
        };
        let line = |told: &Explanation| english_lines(&teach_move(told))[2].clone();
        told.threats = vec![threat("G5", 5)];
        told.otherwise = Some(explained(&made, "C7 D5", 0.0, dies(&made)));
        assert_eq!(line(&told), "If it is not played, White C7 attacks the 3 stones at C5 (W C7, B D5).");
        told.otherwise = Some(explained(&made, "J1", 0.0, dies(&made)));
        let other = "If it is not played, White D7 takes 5 stones at G5.";
        assert_eq!(line(&told), other, "more than that nothing happens");
        told.threats.push(threat("C5", 3));
        assert_eq!(line(&told), "If it is not played, White D7 takes 3 stones at C5.");
    }

    /// Where the mover plays the very move next, what the opponent plays first shows no difference.
    #[test]
    fn a_line_that_comes_to_the_same_move_is_left_out() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let line = |otherwise: &str| {
            let good = explained(&made, "C7", 1.0, lives(&made));
            let mut told = explanation(&made, Some(good), (-10.0, dies(&made)));
            told.otherwise = Some(explained(&made, otherwise, 0.0, dies(&made)));
            teach_move(&told).line
        };
        assert_eq!(line("D7 C7"), None);
        assert_eq!(line("D7 C7 J1"), None, "White plays elsewhere then");
        assert!(matches!(line("D7 C7 D5"), Some(TaughtLine::Expected { .. })), "White plays on");
        assert!(matches!(line("D7 D5 C8 C7"), Some(TaughtLine::Expected { .. })), "it is not next");
    }

    /// What the opponent plays without a move it plays after it as well.
    #[test]
    fn a_line_that_follows_the_move_as_well_is_left_out() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let line = |otherwise: &str| {
            let good = explained(&made, "C7 D7 D5", 1.0, lives(&made));
            let mut told = explanation(&made, Some(good), (-10.0, dies(&made)));
            told.otherwise = Some(explained(&made, otherwise, 0.0, dies(&made)));
            teach_move(&told).line
        };
        assert_eq!(line("D7 D5"), None);
        assert!(matches!(line("D7 C8"), Some(TaughtLine::Expected { .. })), "it goes on otherwise");
        assert!(matches!(line("D5 D7"), Some(TaughtLine::Expected { .. })), "it begins otherwise");
    }

    /// The opponent's first move comes without a move and after it: what the move changes is whose the place is.
    #[test]
    fn a_move_that_comes_either_way_is_told_as_that() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("J5 H4 J4 H3 J3", owner)]);
        let line = |otherwise: &str| {
            let good = explained(&made, "H5 J5 J6", 4.0, map(0.8));
            let mut told = explanation(&made, Some(good), (0.0, map(0.0)));
            told.otherwise = Some(explained(&made, otherwise, 0.0, made.map(&[])));
            let teaching = teach_move(&told);
            [english_lines(&teaching)[2].clone(), japanese_lines(&teaching)[2].clone()]
        };
        let either_way =
            "White J5 comes with or without this move. Without it either side may get that place.";
        let [english, japanese] = line("J5 J4");
        assert_eq!(english, either_way);
        let either_way =
            "白J5はこの手を打っても打たなくても来ます。打たないと、そこはどちらのものにもなり得ます。";
        assert_eq!(japanese, either_way);
        let comes_to_it = "If it is not played, White J5 reduces that territory (W J5, B J6, W H5).";
        assert_eq!(line("J5 J6 H5")[0], comes_to_it, "White comes to the very point");
        let other = "If it is not played, White J4 reduces that territory (W J4, B J5).";
        assert_eq!(line("J4 J5")[0], other, "after the move White plays elsewhere");
    }

    /// What reading proves of other stones is told with what becomes of those that it is about.
    #[test]
    fn a_better_move_says_what_becomes_of_the_stones_that_the_cost_has_named() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let mut told =
            explanation(&made, Some(explained(&made, "J1", -10.0, dies(&made))), (-10.0, dies(&made)));
        let mut better = explained(&made, "C7", 1.0, lives(&made));
        let atari = reason_of(rules::find_rule("atari").unwrap());
        better.reasons.effects = vec![Reason { about: Some(made.point("E6")), count: 13, ..atari }];
        told.alternatives = vec![compared(better, MoveVerdict::Better, 11.0)];
        let better =
            "Better: Black C7. It puts 13 stones at E6 into atari and keeps the 3 stones at C5 alive.";
        let lines = english_lines(&teach_move(&told));
        assert!(lines.iter().any(|line| line == better), "{lines:?}");
    }

    /// The better move is answered, and the point of the bad one is still there.
    #[test]
    fn an_exchange_that_was_left_out_is_a_principle() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let side = made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", 0.8)]);
        let mut told =
            explanation(&made, Some(explained(&made, "A1", 0.0, made.map(&[]))), (-1.0, made.map(&[])));
        told.alternatives = vec![compared(explained(&made, "H5 H4 A1", 8.0, side), MoveVerdict::Better, 8.0)];
        let remember =
            "Remember: play first what has to be answered (White answers H5, and A1 is still there).";
        assert_eq!(english_lines(&teach_move(&told)).last().unwrap(), remember);
        let japanese =
            "心得：相手が受けなければならない手は先に打つ（H5には白が受けるので、A1にも回れます）。";
        assert_eq!(japanese_lines(&teach_move(&told)).last().unwrap(), japanese);
    }

    /// Stones whose fate the judge leaves open are not said to live or die.
    #[test]
    fn fates_that_are_not_sure_are_told_as_chances() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let map = |owner: f32| made.map(&[(BLACK_CORNER, owner), (AROUND, owner)]);
        let good = explained(&made, "C7", 6.0, map(0.3));
        let lines = english_lines(&teach_move(&explanation(&made, Some(good), (0.0, map(-0.7)))));
        assert_eq!(lines[1], "It gives the 3 stones at C5 a chance to live (about 6 points).");
        let bad = explained(&made, "J1", 0.0, map(-0.2));
        let mut told = explanation(&made, Some(bad), (0.0, map(-0.2)));
        told.alternatives = vec![compared(explained(&made, "C7", 6.0, map(0.8)), MoveVerdict::Better, 6.0)];
        let cost = "The cost: the 3 stones at C5 get into danger.";
        assert!(english_lines(&teach_move(&told))[1].starts_with(cost));
        let japanese = "損の理由：C5の3子が危なくなります。";
        assert!(japanese_lines(&teach_move(&told))[1].starts_with(japanese));
    }

    /// The reason counts other stones with those that were weak: the principle gives no number that differs.
    #[test]
    fn a_weak_group_among_other_stones_is_not_counted() {
        let mut made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let wall = made.point("G5");
        let walls = made.analysis.groups.iter_mut().filter(|group| group.stones.contains(wall));
        walls.for_each(|group| group.strength = GroupStrength::Weak);
        let map = |owner: f32| made.map(&[(BLACK_CORNER, owner), ("F6 G8 G7 G6 G5 G4", owner)]);
        let good = explained(&made, "F6", 4.5, map(0.5));
        let teaching = teach_move(&explanation(&made, Some(good), (0.0, map(0.0))));
        let lines = english_lines(&teaching);
        assert!(lines[1].starts_with("It makes the 5 stones at G4 and 3 at C5 safer"), "{lines:?}");
        assert!(japanese_lines(&teaching)[1].starts_with("G4の5子・C5の3子を安定させます"));
        let remember =
            "Remember: your weak group comes first (Black's stones at G4 were weak before this move).";
        assert_eq!(lines.last().unwrap(), remember);
        let japanese = "心得：弱い石の守りが先（黒G4の石はこの手の前から弱い石でした）。";
        assert_eq!(japanese_lines(&teaching).last().unwrap(), japanese);
    }

    /// What a line takes off the board is told behind it.
    #[test]
    fn stones_that_a_line_takes_are_told() {
        let made = HandMade::from_diagram(
            "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            X X X . . . .
            O O X . . . .
            . O X . . . .
            ",
            Color::Black,
        );
        let area = made.map(&[("C4 C5 D4 D5 E4 E5", 0.9)]);
        let told = |line: &str| {
            let good = explained(&made, line, 6.0, area.clone());
            teach_move(&explanation(&made, Some(good), (0.0, made.map(&[]))))
        };
        let plan = |lines: Vec<String>, begins: &str| lines.into_iter().find(|line| line.starts_with(begins));
        let taking = told("D4 D5 A1");
        let english = "It goes on B D4, W D5, B A1. Black takes 3 stones that way.";
        assert_eq!(plan(english_lines(&taking), "It goes on").as_deref(), Some(english));
        let japanese = "続きは黒D4・白D5・黒A1。この間に黒が3子を取ります。";
        assert_eq!(plan(japanese_lines(&taking), "続きは").as_deref(), Some(japanese));
        let quiet = plan(english_lines(&told("D4 D5 E5")), "It goes on");
        assert_eq!(quiet.as_deref(), Some("It goes on B D4, W D5, B E5."));
        assert!(says_something(&taking, TeachingPart::Plan));
        assert!(!says_something(&told("D4 D5 E5"), TeachingPart::Plan));
        assert!(says_something(&taking, TeachingPart::Reason));
        assert!(!says_something(&taking, TeachingPart::Verdict), "no move beside it");
    }

    /// An answer of which nothing is proved says what it wants, where rules know that it attacks what is at stake.
    #[test]
    fn an_answer_says_what_it_attacks() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let mut told =
            explanation(&made, Some(explained(&made, "J1", -10.0, dies(&made))), (-10.0, dies(&made)));
        told.alternatives =
            vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
        let mut answer = explained(&made, "J2", 10.0, dies(&made));
        answer.reasons.color = Color::White;
        let away = reason_of(rules::find_rule("attack-away").unwrap());
        let mut answered = |about: &str, told: &mut Explanation| {
            answer.reasons.ideas = vec![Reason { about: Some(made.point(about)), ..away.clone() }];
            told.answer = Some(answer.clone());
            english_lines(&teach_move(told))[2].clone()
        };
        let attacks = "The answer: White J2 attacks the weak group at C5 from where it wants to go.";
        assert_eq!(answered("C5", &mut told), attacks);
        let open = "The answer: White J2. That leaves White C7, which attacks the 3 stones at C5.";
        assert_eq!(answered("G5", &mut told), open, "that group is not at stake");
        assert!(says_something(&teach_move(&told), TeachingPart::Line));
        assert!(says_something(&teach_move(&told), TeachingPart::Better));
    }

    /// An answer that joins stones on the territory which the cost has named says what it does to that.
    #[test]
    fn an_answer_that_connects_says_what_becomes_of_the_territory() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let mut told = explanation(&made, Some(explained(&made, "A9", -7.0, map(0.1))), (-7.0, map(0.1)));
        told.alternatives = vec![compared(explained(&made, "H5", 1.0, map(0.9)), MoveVerdict::Better, 8.0)];
        let mut answered = |mv: &str| {
            let mut answer = explained(&made, mv, 7.0, map(0.1));
            answer.reasons.color = Color::White;
            let connects = reason_of(rules::find_rule("connect").unwrap());
            let [about, other] = ["E6", "E4"].map(|vertex| Some(made.point(vertex)));
            answer.reasons.effects = vec![Reason { about, other, ..connects }];
            told.answer = Some(answer);
            let teaching = teach_move(&told);
            [english_lines(&teaching)[2].clone(), japanese_lines(&teaching)[2].clone()]
        };
        let [english, japanese] = answered("H5");
        let answer =
            "The answer: White H5 takes the very point. It connects E6 and E4, and reduces that territory.";
        assert_eq!(english, answer);
        assert!(japanese.ends_with("。その地を減らします。"), "{japanese}");
        let [beside, _] = answered("A8");
        let elsewhere =
            "The answer: White A8 connects E6 and E4. That leaves White H5, which reduces that territory.";
        assert_eq!(beside, elsewhere);
    }

    /// Stones that are lost after the better move, too, are not what a bad move costs.
    #[test]
    fn an_answer_that_catches_lost_stones_says_so() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Stable);
        let side = "H7 J7 H6 J6 H5 J5 H4 J4 H3 J3";
        let map = |corner: f32, territory: f32| made.map(&[(BLACK_CORNER, corner), (side, territory)]);
        let answered = |corner: f32| {
            let bad = explained(&made, "D5", 0.0, map(-0.9, 0.0));
            let mut told = explanation(&made, Some(bad), (0.0, map(-0.9, 0.0)));
            let better = explained(&made, "H5", 8.0, map(corner, 0.8));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 8.0)];
            let mut answer = explained(&made, "C7", 0.0, map(-0.9, 0.0));
            answer.reasons.color = Color::White;
            let catches = reason_of(rules::find_rule("capture").unwrap());
            answer.reasons.effects = vec![Reason { about: Some(made.point("C5")), count: 3, ..catches }];
            told.answer = Some(answer);
            let teaching = teach_move(&told);
            [english_lines(&teaching)[2].clone(), japanese_lines(&teaching)[2].clone()]
        };
        let catches = "The answer: White C7 catches 3 stones at C5, which cannot get away.";
        let [english, japanese] = answered(-0.9);
        assert!(english.starts_with(&format!("{catches} These stones are lost after H5, too.")), "{english}");
        assert!(japanese.contains("この石はH5と打っても助かりません。"), "{japanese}");
        let [saved, _] = answered(0.9);
        assert!(saved.starts_with(catches) && !saved.contains("lost after"), "H5 saves them: {saved}");
        let [unsure, _] = answered(-0.6);
        assert!(unsure.starts_with(catches) && !unsure.contains("lost after"), "not as surely: {unsure}");
    }

    /// Whoever pushes along from behind on the fourth line or farther in is told what that gives; below it is another matter.
    #[test]
    fn a_push_from_behind_is_a_principle() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("D3 E3 F3 D2 E2 F2", owner)]);
        let last = |mv: &str, pushed: &str| {
            let mut bad = explained(&made, mv, 0.0, map(-0.8));
            let push = reason_of(rules::find_rule("push-behind").unwrap());
            bad.reasons.ideas = vec![Reason { about: Some(made.point(pushed)), ..push }];
            let mut told = explanation(&made, Some(bad), (0.0, map(-0.8)));
            let better = explained(&made, "H8", 4.2, map(-0.1));
            told.alternatives = vec![compared(better, MoveVerdict::Better, 4.2)];
            let teaching = teach_move(&told);
            [english_lines(&teaching), japanese_lines(&teaching)].map(|lines| lines.last().unwrap().clone())
        };
        let english =
            "Remember: do not push along from behind (White F3 stays ahead, and gets territory by it).";
        let japanese = "心得：車の後押しはしない（白F3が先に進み、そこが地になります）。";
        assert_eq!(last("F4", "F3"), [english, japanese]);
        assert!(!last("F3", "F2")[0].contains("push"), "on the third line");
        assert!(!last("F4", "F5")[0].contains("push"), "from below");
    }

    /// Some points of territory are not called big; and the far end of a wide territory is another place.
    #[test]
    fn territory_that_can_wait_is_told_by_its_size() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let line = |mv: &str, area: &str, points: f64, elsewhere: &str| {
            let good = explained(&made, mv, points, made.map(&[(area, 0.8)]));
            let mut told = explanation(&made, Some(good), (0.0, made.map(&[])));
            told.otherwise = Some(explained(&made, elsewhere, 0.0, made.map(&[])));
            english_lines(&teach_move(&told))[2].clone()
        };
        let wait = "It can wait: White would play elsewhere first, at A9.";
        let open = "Without it either side may get that place.";
        assert_eq!(line("H5", "J5 H4 J4 H3 J3", 4.0, "A9"), format!("{wait} {open}"));
        let side = "J8 J7 J6 J5 J4 J3 J2 J1 H1";
        let big = "It is big, but not urgent: White would play elsewhere first, at H2.";
        assert_eq!(line("J9", side, 7.0, "H2"), format!("{big} {open}"));
        // Of a big place that is the mover's anyway no more is told.
        let good = explained(&made, "J9", 7.0, made.map(&[(side, 1.0)]));
        let mut own = explanation(&made, Some(good), (0.0, made.map(&[(side, 0.32)])));
        own.otherwise = Some(explained(&made, "H2", 0.0, made.map(&[])));
        assert_eq!(english_lines(&teach_move(&own))[2], big);
        assert!(line("J4", side, 7.0, "H2").starts_with("If it is not played, White H2 reduces"), "near by");
    }

    /// Of a move that may not wait it is never told that nothing happens without it. What the opponent does later is told, where that is known.
    #[test]
    fn a_needed_move_is_told_with_what_the_opponent_does_later() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let area = "J5 H4 J4 H3 J3";
        let told = |otherwise: &str, next: f64| {
            let good = explained(&made, "H5", 4.0, made.map(&[(area, 0.8)]));
            let mut told = explanation(&made, Some(good), (0.0, made.map(&[])));
            told.otherwise = Some(explained(&made, otherwise, 0.0, made.map(&[])));
            let other = explained(&made, "A1", 4.0 - next, made.map(&[]));
            told.alternatives = vec![compared(other, MoveVerdict::Worse, -next)];
            let teaching = teach_move(&told);
            [english_lines(&teaching), japanese_lines(&teaching)].map(|lines| lines.concat())
        };
        let [english, japanese] = told("A9 B1 J4 C1", 4.0);
        let later = "If it is not played, White plays A9 first and then J4, which reduces that territory.";
        assert!(english.contains(later), "{english}");
        assert!(
            japanese.contains("打たないと、白はA9のあとJ4に回ります。この手はその地を減らします。"),
            "{japanese}"
        );
        let [nothing, _] = told("A9", 4.0);
        assert!(!nothing.contains("not played") && !nothing.contains("can wait"), "{nothing}");
        let [waits, _] = told("A9 B1 J4 C1", 1.0);
        assert!(waits.contains("It can wait") && !waits.contains("not played"), "{waits}");
    }

    /// A move of a few points that can wait is told with what the opponent has there, or else whose the place is without it.
    #[test]
    fn a_move_that_can_wait_is_told_with_what_becomes_of_its_place() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let area = "J5 H4 J4 H3 J3";
        let told = |better: f32, worse: f32, line: &str| {
            let good = explained(&made, "H5", 4.0, made.map(&[(area, better)]));
            let mut told = explanation(&made, Some(good), (0.0, made.map(&[(area, worse)])));
            told.otherwise = Some(explained(&made, line, 0.0, made.map(&[])));
            told
        };
        let last = |told: &Explanation| {
            let teaching = teach_move(told);
            [english_lines(&teaching)[2].clone(), japanese_lines(&teaching)[2].clone()]
        };
        let ends = |told: &Explanation, english: &str, japanese: &str| {
            let lines = last(told);
            assert!(lines[0].ends_with(english) && lines[1].ends_with(japanese), "{lines:?}");
        };
        let same = " Without it most of that place is Black's all the same.";
        ends(&told(0.9, 0.4, "A9"), same, "打たなくても、そこの大半は黒のものです。");
        let reduces = " Without it most of that place is White's.";
        ends(&told(-0.1, -0.8, "A9"), reduces, "打たないと、そこの大半は白のものです。");
        // Where the opponent would play one of the mover's good moves, that is told.
        let mut both = told(0.8, 0.0, "A9");
        let other = explained(&made, "A9", 3.5, made.map(&[]));
        both.alternatives = vec![compared(other, MoveVerdict::AsGood, -0.5)];
        let wanted = "It can wait: White would play elsewhere first, at A9, which is as good for Black, too.";
        assert!(last(&both)[0].starts_with(wanted), "{:?}", last(&both));
        let wanted = "急ぐ手ではありません（白は先に他所のA9に打ちます。黒にとっても同じくらい良い所です）。";
        assert!(last(&both)[1].starts_with(wanted), "{:?}", last(&both));
        both.alternatives[0].gain[0] = -5.0;
        assert!(!last(&both)[0].contains("as good"), "only the searches are unsure");
        // Where the opponent comes to it in the line, that is told, and nothing where the mover is the first there.
        let comes = told(0.8, 0.0, "A9 A1 J4 B1");
        let reduced = " After that White J4 reduces that territory.";
        ends(&comes, reduced, "その後、白J4でその地を減らします。");
        let first = told(0.8, 0.0, "A9 J4 H3");
        assert!(!last(&first)[0].contains("After that"), "{:?}", last(&first));
        // What reading proves of the opponent's move at the very point goes before that, if it is more than an atari on one stone.
        let theirs = |name: &str, count: usize| {
            let deed = reason_of(rules::find_rule(name).unwrap());
            let effects = vec![Reason { about: Some(made.point("G5")), count, ..deed }];
            let (mv, color) = (made.point("H5"), Color::White);
            Some(MoveReasons { mv, color, effects, ideas: vec![], rank: None, value: 0.0 })
        };
        let takes = Explanation { theirs: theirs("take-stones", 5), ..comes.clone() };
        let deed = " White's own move there, H5, takes 5 stones at G5.";
        ends(&takes, deed, "白が先にH5に打てば、G5の5子を取ります。");
        ends(&Explanation { theirs: theirs("atari", 1), ..comes }, reduced, "その地を減らします。");
    }

    /// What a move is worth that can wait shows in what the opponent gets at its point first. It is asked only where nothing else is known of that.
    #[test]
    fn a_move_that_can_wait_is_told_with_what_the_opponent_gets_there_first() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let area = "J5 H4 J4 H3 J3";
        let waits = |line: &str| {
            let good = explained(&made, "H5", 4.0, made.map(&[(area, 0.8)]));
            let mut told = explanation(&made, Some(good), (0.0, made.map(&[])));
            told.otherwise = Some(explained(&made, line, 0.0, made.map(&[])));
            told
        };
        let mv = made.point("H5");
        assert_eq!(move_left_open(&waits("A9")), Some(mv));
        assert_eq!(move_left_open(&waits("A9 A1 J4 B1")), None, "White comes there later");
        let first = |owners: OwnerMap| {
            let opponent_first = Some(OpponentFirst { mv, lead: -4.0, owners: Some(owners) });
            let teaching = teach_move(&Explanation { opponent_first, ..waits("A9") });
            [english_lines(&teaching)[2].clone(), japanese_lines(&teaching)[2].clone()]
        };
        let ends = |owners: OwnerMap, english: &str, japanese: &str| {
            let lines = first(owners);
            assert!(lines[0].ends_with(english) && lines[1].ends_with(japanese), "{lines:?}");
        };
        let english = " If White plays H5 first, that territory becomes smaller, and Black has about 5 points less than after its own move.";
        let japanese = "先に白にH5と打たれると、その地が減ります（黒が先に打った場合より約5目の損）。";
        ends(made.map(&[(area, -0.2)]), english, japanese);
        let english = " If White plays H5 first, the 5 stones at G4 become weak, and Black has about 4 points less than after its own move.";
        let japanese = "先に白にH5と打たれると、G4の5子が弱くなります（黒が先に打った場合より約4目の損）。";
        ends(made.map(&[("G4 G5 G6 G7 G8", 0.1), (area, 0.8)]), english, japanese);
        let open = " Without it either side may get that place.";
        ends(made.map(&[(area, 0.5)]), open, "そこはどちらのものにもなり得ます。");
        // Of a needed move it is told alone.
        let mut needed = waits("A9");
        let other = explained(&made, "A1", 0.0, made.map(&[]));
        needed.alternatives = vec![compared(other, MoveVerdict::Worse, -4.0)];
        assert_eq!(move_left_open(&needed), Some(mv));
        let owners = Some(made.map(&[(area, -0.2)]));
        needed.opponent_first = Some(OpponentFirst { mv, lead: -4.0, owners });
        let alone = "If White plays H5 first, that territory becomes smaller, and Black has about 5 points less than after its own move.";
        assert_eq!(english_lines(&teach_move(&needed))[2], alone);
        let bad = compared(explained(&made, "A1", 9.0, made.map(&[])), MoveVerdict::Better, 5.0);
        needed.alternatives = vec![bad];
        assert_eq!(move_left_open(&needed), None, "it loses");
    }

    /// Stones die for sure where the worse way says so, and what is weak already does not become so.
    #[test]
    fn what_the_opponent_gets_first_says_of_stones_what_is_known() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let (area, mv) = ("J5 H4 J4 H3 J3", made.point("H5"));
        let good = explained(&made, "H5", 4.0, made.map(&[(area, 0.8)]));
        let mut told = explanation(&made, Some(good), (0.0, made.map(&[])));
        told.otherwise = Some(explained(&made, "A9", 0.0, made.map(&[])));
        told.alternatives =
            vec![compared(explained(&made, "A1", 0.0, made.map(&[])), MoveVerdict::Worse, -4.0)];
        let owners = Some(made.map(&[("G4 G5 G6 G7 G8", 0.1), (area, 0.8)]));
        told.opponent_first = Some(OpponentFirst { mv, lead: -4.0, owners });
        let text = |kind: MatterKind, is_sure: [bool; 2], is_told: bool| {
            let mut teaching = teach_move(&told);
            let Some(TaughtLine::TheirPoint(LeftAlone::TheirPoint { cost, .. })) = &mut teaching.line else {
                panic!("another line is told");
            };
            **cost = CarryingReason { kind, is_sure, ..**cost };
            if is_told {
                teaching.cause = Cause::Carried(cost.clone());
            }
            teaching_text(&teaching, Language::English)
        };
        let dies = text(MatterKind::SavesStones, [false, true], false);
        assert!(dies.contains("If White plays H5 first, the 5 stones at G4 die, and Black has"), "{dies}");
        let danger = text(MatterKind::SavesStones, [true, false], false);
        assert!(danger.contains("first, the 5 stones at G4 get into danger,"), "{danger}");
        let lives = text(MatterKind::KillsStones, [false, true], false);
        assert!(lives.contains("first, White's 5 stones at G4 get away,"), "{lives}");
        let weaker = text(MatterKind::Strengthens, [false; 2], false);
        assert!(weaker.contains("first, the 5 stones at G4 become weak,"), "{weaker}");
        let weak = text(MatterKind::Strengthens, [false; 2], true);
        assert!(weak.contains("first, the 5 stones at G4 stay weak,"), "{weak}");
    }

    /// Two areas may both be cut to what the first one leaves of a loss: the larger one is told all the same.
    #[test]
    fn the_larger_of_two_areas_is_told_though_both_are_cut() {
        let part = |gain: f64, area: &str| {
            let cause = swing(51, gain, MatterKind::BuildsTerritory, area).cause;
            CarryingReason { points: 3.0, ..*cause.carrying().unwrap() }
        };
        let reason = part(7.0, "D4 E4");
        let [small, large] = [part(4.0, "Q16 R16"), part(6.0, "Q4 R4")];
        assert_eq!(larger_area(Some(small), Some(large), &reason), Some(large));
        assert_eq!(larger_area(Some(large), Some(small), &reason), Some(large));
        assert_eq!(larger_area(None, Some(small), &reason), Some(small));
        let stones = part(4.0, "D4");
        assert_eq!(larger_area(Some(stones), Some(large), &reason), Some(stones), "in the reason's own area");
    }

    /// A bad move that only brings the opponent to where it wants to be anyway: after the better one that does not come.
    #[test]
    fn an_answer_that_only_the_bad_move_brings_is_told() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let told = |bad: &str, good: &str| {
            let mut told = explanation(&made, Some(explained(&made, bad, -7.0, map(0.1))), (-7.0, map(0.1)));
            let better = compared(explained(&made, good, 1.0, map(0.9)), MoveVerdict::Better, 8.0);
            told.alternatives = vec![better];
            let teaching = teach_move(&told);
            [english_lines(&teaching), japanese_lines(&teaching)].map(|lines| lines.join("\n"))
        };
        let [english, japanese] = told("J6 J7 A1", "H4 A9 B9 A8");
        assert!(english.contains(" Unlike J6 it does not bring White to J7."), "{english}");
        assert!(japanese.contains("J6と違って、白のJ7を誘いません。"), "{japanese}");
        for (bad, good, why) in [
            ("J6 J7 A1", "H4 A9 J7 A8", "it comes after the better move, too"),
            ("J6 J7 A1", "H4 A9 J6 A8", "the bad move does"),
            ("J6 J7 A1", "H4 A9", "nothing is known of what comes later"),
            ("J6 J3 A1", "H4 A9 B9 A8", "it is not beside"),
            ("A1 A2 B1", "H4 A9 B9 A8", "it is not where the cost lies"),
        ] {
            let [english, _] = told(bad, good);
            assert!(!english.contains("does not bring"), "{why}: {english}");
        }
    }

    /// A wide territory is named in its middle. Where that is far from the moves, these are told with the stones that they are about.
    #[test]
    fn moves_far_from_the_name_of_a_territory_are_told_with_the_stones_at_them() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let side = "C1 D1 E1 F1 G1 H1 J1 H2 H3 H4 H5 H6 H7 H8";
        let map = |owner: f32, stones: f32| made.map(&[(side, owner), ("G4 G5 G6 G7 G8", stones)]);
        let told = |better: &str| {
            let mut told =
                explanation(&made, Some(explained(&made, "A9", -7.0, map(0.0, 0.2))), (-7.0, map(0.0, 0.2)));
            let best = explained(&made, better, 4.0, map(0.7, 0.55));
            told.alternatives = vec![compared(best, MoveVerdict::Better, 11.0)];
            let mut answer = explained(&made, "J8", 7.0, map(0.0, 0.2));
            let connect = reason_of(rules::find_rule("connect-knight").unwrap());
            answer.reasons.effects =
                vec![Reason { about: Some(made.point("F6")), other: Some(made.point("E8")), ..connect }];
            answer.reasons.color = Color::White;
            told.answer = Some(answer);
            english_lines(&teach_move(&told))
        };
        let far = told("H9");
        assert!(far[1].contains("the 5 stones at G4 stay weak"), "{far:?}");
        assert!(!far[2].contains("reduces that territory"), "J8 is far from its name: {far:?}");
        let better = "Better: Black H9. It makes the 5 stones at G4 safer.";
        assert!(far.iter().any(|line| line == better), "{far:?}");
        let near = told("J3");
        let better = "Better: Black J3. It makes Black's territory in the lower right, around H3.";
        assert!(near.iter().any(|line| line == better), "{near:?}");
    }

    /// What the opponent plays elsewhere after both moves is not what the bad one costs: they are told apart by what they gain.
    #[test]
    fn an_answer_elsewhere_that_comes_after_both_moves_is_told_as_that() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[("H7 J7 H6 J6 H5 J5 H4 J4 H3 J3", owner)]);
        let told = |good: &str| {
            let bad = explained(&made, "A9 A1 H4", -7.0, map(0.1));
            let mut told = explanation(&made, Some(bad), (-12.0, map(0.1)));
            let better = compared(explained(&made, good, 1.0, map(0.9)), MoveVerdict::Better, 8.0);
            told.alternatives = vec![better];
            let teaching = teach_move(&told);
            [english_lines(&teaching), japanese_lines(&teaching)].map(|lines| lines.join("\n"))
        };
        let [english, japanese] = told("H5 A1 B1 C1");
        let sizes = "Black A9 gains about 5 points, and H5 gains about 13 points.";
        assert!(english.contains(sizes), "{english}");
        let answer = "White need not answer it, and plays elsewhere, at A1. White A1 comes after H5, too.";
        assert!(english.contains(answer), "{english}");
        assert!(japanese.contains("他所のA1に打てます。H5の後でも白はA1に打ちます。"), "{japanese}");
        let [english, _] = told("H5 H6 A1 C1");
        assert!(!english.contains("comes after H5") && english.contains("where the cost lies"), "{english}");
    }

    /// Beside a few points the stones are told that become only a little safer, of a move that is held against doing nothing.
    #[test]
    fn stones_that_become_a_little_safer_are_told_beside_a_few_points() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32, stone: f32| {
            made.map(&[("J5 H4 J4 H3 J3 H6 J6 H7 J7", owner), ("G4 G5 G6 G7 G8", stone)])
        };
        let line = |better: f32| {
            let good = explained(&made, "H5", 6.0, map(0.6, better));
            let told = explanation(&made, Some(good), (0.0, map(0.0, 0.2)));
            english_lines(&teach_move(&told))[1].clone()
        };
        let territory = "It makes Black's territory on the right side";
        let safer = "It also makes the 5 stones at G4 safer.";
        assert!(line(0.45).starts_with(territory) && line(0.45).contains(safer), "{}", line(0.45));
        assert!(!line(0.35).contains("safer"), "{}", line(0.35));
    }

    fn reason_of(rule: &'static rules::Rule) -> Reason {
        Reason {
            rule,
            value: 2.0,
            about: None,
            other: None,
            count: 0,
            sequence: vec![],
            variations: vec![],
            is_urgent: false,
            pattern: None,
        }
    }

    /// A beginner hears short lines and what words mean, a dan player exact numbers.
    #[test]
    fn listeners_are_spoken_to_in_their_way() {
        let made = with_strength(HandMade::from_diagram(CORNER, Color::Black), GroupStrength::Weak);
        let bad = explained(&made, "J1 C7 D5 D7 C8 B8 B7", -10.0, dies(&made));
        let mut told = explanation(&made, Some(bad), (-10.0, dies(&made)));
        told.why_not = vec![compared(explained(&made, "C7", 1.0, lives(&made)), MoveVerdict::Better, 11.0)];
        let lines = |told: &Explanation| english_lines(&teach_move(told));
        told.listener = Listener::Beginner;
        let beginner = lines(&told);
        assert_eq!(beginner[0], "Black J1 loses about 11 points.");
        assert!(beginner[2].ends_with("(W C7, B D5, W D7)."), "{beginner:?}");
        assert!(beginner.iter().any(|line| line.starts_with("Remember: your weak group comes first")));
        told.listener = Listener::Dan;
        let dan = lines(&told);
        assert_eq!(dan[0], "Black J1 loses 11.0 points (give or take 1) and 22 % of the chance to win.");
        let japanese = japanese_lines(&teach_move(&told));
        assert_eq!(japanese[0], "黒J1は11.0目（誤差1目ほど、勝率22%）の損です。");
        assert!(dan[2].ends_with("(W C7, B D5, W D7, B C8, W B8, B B7)."), "{dan:?}");
        assert!(!dan.iter().any(|line| line.starts_with("Remember")), "{dan:?}");
    }

    /// What is not known is not told, and no sentence is true of most moves.
    #[test]
    fn ideas_that_are_true_of_most_moves_are_no_reason() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let idea = |name: &str| Reason {
            rule: rules::find_rule(name).unwrap(),
            value: 2.0,
            about: Some(made.point("C5")),
            other: None,
            count: 3,
            sequence: vec![],
            variations: vec![],
            is_urgent: false,
            pattern: None,
        };
        let told = |name: &str| {
            let mut mv = explained(&made, "C7", 0.0, made.map(&[]));
            mv.reasons.ideas = vec![idea(name)];
            idea_to_tell(&mv).map(|idea| idea.rule.name)
        };
        assert_eq!(
            [told("hane"), told("mined-pattern"), told("endgame-point"), told("take-liberties")],
            [None; 4]
        );
        assert_eq!(told("live"), Some("live"));
    }
}
