//! Explanations as data, for programs: what `ishi explain --json` prints and Python gets as a dictionary.

use ishi_go::{Move, Point};
use ishi_knowledge::explain::{MoveReasons, Threat};
use ishi_knowledge::{Group, GroupStrength, KnownPattern, Reason, words};
use ishi_words::Language;
use serde::Serialize;

use super::explanation::{ComparedMove, ExplainedMove, Explanation};
use super::listener::Listener;
use super::owners::{CarryingReason, Cause, MatterKind, OwnerMap, RestPlace};
use super::place::BoardPlace;
use super::plan::PlanKind;
use super::principle::PrincipleKind;
use super::say::{SpokenLine, speak_teaching};
use super::teach::{Teaching, VerdictKind, teach_move, teach_question};
use super::value::MoveVerdict;

/// An explanation, to be written as JSON or the like; `ishi explain --schema` names its fields.
#[derive(Serialize)]
pub struct ExplanationReport {
    move_number: usize,
    to_move: String,
    phase: String,
    black_lead: f64,
    black_win_rate: f64,
    /// What is said of the move, in the order in which it is said.
    teaching: TeachingReport,
    explained: Option<MoveReport>,
    /// The position if the side to move passes.
    passed: PassedReport,
    /// What the search would play then, wherever.
    if_not_played: Option<MoveReport>,
    /// Moves that undo what the move does.
    threats: Vec<ThreatReport>,
    /// The opponent's answer to the move, where another is better or nothing is known of it.
    answer: Option<MoveReport>,
    /// Where another move is better: other moves that the opponent still has.
    left: Vec<ReadMoveReport>,
    /// Of a move that can wait: a second move of the same side.
    second_move: Option<ReadMoveReport>,
    /// Of a move that can wait, or of which nothing else is known: the opponent's move at the same point.
    their_move: Option<ReadMoveReport>,
    /// Where nothing of that is told: what a search thinks of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_first: Option<OpponentFirstReport>,
    alternatives: Vec<ComparedReport>,
    why_not: Vec<ComparedReport>,
    groups: Vec<GroupReport>,
}

#[derive(Serialize)]
struct MoveReport {
    color: String,
    vertex: String,
    /// Place among the moves that rules suggest, from 1.
    rank: Option<usize>,
    /// Points that rules give it.
    value: f64,
    win_rate: f64,
    score: f64,
    /// Whose the points are after it, row by row from the upper left: -1 (White's) to 1 (Black's).
    #[serde(skip_serializing_if = "Option::is_none")]
    owners: Option<Vec<f64>>,
    /// Proved by reading.
    effects: Vec<ReasonReport>,
    ideas: Vec<ReasonReport>,
    variation: Vec<String>,
}

/// A move that was read, and not searched.
#[derive(Serialize)]
struct ReadMoveReport {
    color: String,
    vertex: String,
    /// Proved by reading.
    effects: Vec<ReasonReport>,
}

#[derive(Serialize)]
struct PassedReport {
    /// For the side that passes, in points.
    lead: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    owners: Option<Vec<f64>>,
}

#[derive(Serialize)]
struct OpponentFirstReport {
    vertex: String,
    /// For the side that is to move before it, in points.
    lead: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    owners: Option<Vec<f64>>,
}

#[derive(Serialize)]
struct ReasonReport {
    rule: &'static str,
    family: &'static str,
    value: f64,
    about: Option<String>,
    other: Option<String>,
    count: usize,
    sequence: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<KnownPattern>,
    text: String,
}

#[derive(Serialize)]
struct ComparedReport {
    #[serde(rename = "move")]
    mv: MoveReport,
    /// Beside the move that is explained: better, as good, worse.
    verdict: MoveVerdict,
    /// What it is more than the move that is explained, in points.
    gain: f64,
    /// Standard error of that; none where it is not known.
    gain_error: Option<f64>,
    /// Nine in ten gains are off by less; none where it is not known.
    gain_margin: Option<f64>,
    /// What the better of the two does, and the other does not.
    missing: Vec<ReasonReport>,
    answer: Option<MoveReport>,
    /// Of a worse move that was asked about: other moves that the opponent still has.
    left: Vec<ReadMoveReport>,
    /// Of a move that was asked about: what is said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    teaching: Option<TeachingReport>,
}

/// What is said of a move, with what shows that it is so.
#[derive(Serialize)]
struct TeachingReport {
    listener: Listener,
    verdict: VerdictKind,
    /// What it loses, or the next best, in points and of the probability of winning.
    points: f64,
    win_rate: f64,
    /// Standard error of the points; none where it is not known.
    error: Option<f64>,
    /// Nine in ten are off by less than so many points; none where it is not known.
    margin: Option<f64>,
    good_moves: usize,
    /// The area that carries it; none if none does.
    reason: Option<CarryingReport>,
    /// What changes besides: stones beside territory, or another area.
    besides: Option<CarryingReport>,
    /// Are there small differences all over the board instead?
    is_spread: bool,
    /// What a good move that no area carries gains in all beside not moving, in points.
    whole_gain: Option<f64>,
    /// The part of the board with most of what no area carries, if one has it.
    rest: Option<BoardPlace>,
    /// Is the turn told as what no area carries: the better move keeps it, and the bad one gives it away?
    keeps_turn: bool,
    /// What a good move threatens besides.
    threat: Option<ReasonReport>,
    better: Option<String>,
    plan: Option<PlanKind>,
    principle: Option<PrincipleKind>,
    lines: Vec<SpokenLine>,
}

#[derive(Serialize)]
struct CarryingReport {
    kind: MatterKind,
    /// Who gains.
    side: String,
    place: BoardPlace,
    points: f64,
    /// Of the difference in lead.
    share: f64,
    stones: Vec<String>,
    area: Vec<String>,
}

#[derive(Serialize)]
struct GroupReport {
    color: String,
    stone: String,
    stones: usize,
    liberties: usize,
    strength: &'static str,
    /// Half eyes if the opponent moves twice, first, or second.
    half_eyes: [u8; 3],
    /// The owner's move that saves it and the opponent's that kills it, where the next move decides.
    save: Option<String>,
    kill: Option<String>,
    /// The opponent's groups beside it, by their first stones.
    neighbours: Vec<String>,
}

impl ExplanationReport {
    /// Of this explanation, its sentences in this language.
    pub fn from_explanation(explanation: &Explanation, language: Language) -> ExplanationReport {
        let mut report = ExplanationReport::with_owners(explanation, language);
        let compared = report.alternatives.iter_mut().chain(&mut report.why_not);
        let others = compared.flat_map(|other| std::iter::once(&mut other.mv).chain(&mut other.answer));
        let own = [&mut report.explained, &mut report.if_not_played, &mut report.answer];
        own.into_iter().flatten().chain(others).for_each(|mv| mv.owners = None);
        report.passed.owners = None;
        report.opponent_first.iter_mut().for_each(|first| first.owners = None);
        report
    }

    /// The same with other words about the move, such as a lesson has: what it lost is what all searches of a review say.
    #[must_use]
    pub fn with_teaching(self, teaching: &Teaching, language: Language) -> ExplanationReport {
        ExplanationReport { teaching: TeachingReport::from_teaching(teaching, language), ..self }
    }

    /// The same, with whose the points are after every move and after a pass: some hundred numbers each.
    pub fn with_owners(explanation: &Explanation, language: Language) -> ExplanationReport {
        let of = |mv: &ExplainedMove| MoveReport::from_move(mv, language);
        let read = |reasons: &MoveReasons| ReadMoveReport::from_reasons(reasons, language);
        let compared = |other: &ComparedMove| ComparedReport::from_compared(other, language);
        let asked = |other: &ComparedMove| {
            let teaching = teach_question(explanation, other);
            let teaching = teaching.map(|teaching| TeachingReport::from_teaching(&teaching, language));
            ComparedReport { teaching, ..compared(other) }
        };
        let groups = explanation.analysis.groups.iter().map(GroupReport::from_group);
        ExplanationReport {
            move_number: explanation.played + 1,
            to_move: explanation.color.to_string(),
            phase: words::phase_name(explanation.analysis.phase, Language::English).to_string(),
            black_lead: explanation.black_lead,
            black_win_rate: explanation.black_win_rate,
            teaching: TeachingReport::from_teaching(&teach_move(explanation), language),
            explained: explanation.mv.as_ref().map(of),
            passed: PassedReport {
                lead: explanation.passed.lead,
                owners: explanation.passed.owners.as_ref().map(OwnerMap::to_rows),
            },
            if_not_played: explanation.otherwise.as_ref().map(of),
            threats: explanation
                .threats
                .iter()
                .map(|threat| ThreatReport::from_threat(threat, language))
                .collect(),
            answer: explanation.answer.as_ref().map(of),
            left: explanation.left.iter().map(read).collect(),
            second_move: explanation.second.as_ref().map(read),
            their_move: explanation.theirs.as_ref().map(read),
            opponent_first: explanation.opponent_first.as_ref().map(|first| OpponentFirstReport {
                vertex: first.mv.to_string(),
                lead: first.lead,
                owners: first.owners.as_ref().map(OwnerMap::to_rows),
            }),
            alternatives: explanation.alternatives.iter().map(compared).collect(),
            why_not: explanation.why_not.iter().map(asked).collect(),
            groups: groups.collect(),
        }
    }
}

impl MoveReport {
    fn from_move(mv: &ExplainedMove, language: Language) -> MoveReport {
        let reasons =
            |list: &[Reason]| list.iter().map(|reason| ReasonReport::from_reason(reason, language)).collect();
        MoveReport {
            color: mv.reasons.color.to_string(),
            vertex: mv.reasons.mv.to_string(),
            rank: mv.reasons.rank,
            value: mv.reasons.value,
            win_rate: mv.win_rate,
            score: mv.score,
            owners: mv.owners.as_ref().map(OwnerMap::to_rows),
            effects: reasons(&mv.reasons.effects),
            ideas: reasons(&mv.reasons.ideas),
            variation: mv.variation.iter().map(Move::to_string).collect(),
        }
    }
}

impl ReadMoveReport {
    fn from_reasons(reasons: &MoveReasons, language: Language) -> ReadMoveReport {
        let effects = reasons.effects.iter();
        ReadMoveReport {
            color: reasons.color.to_string(),
            vertex: reasons.mv.to_string(),
            effects: effects.map(|effect| ReasonReport::from_reason(effect, language)).collect(),
        }
    }
}

/// What the opponent does if the move is not played, where that undoes what it does.
#[derive(Serialize)]
struct ThreatReport {
    #[serde(rename = "move")]
    mv: String,
    reason: ReasonReport,
}

impl ThreatReport {
    fn from_threat(threat: &Threat, language: Language) -> ThreatReport {
        ThreatReport {
            mv: threat.mv.to_string(),
            reason: ReasonReport::from_reason(&threat.reason, language),
        }
    }
}

impl ComparedReport {
    fn from_compared(other: &ComparedMove, language: Language) -> ComparedReport {
        ComparedReport {
            mv: MoveReport::from_move(&other.mv, language),
            verdict: other.verdict,
            gain: other.gain[0],
            gain_error: Some(other.gain_error).filter(|error| error.is_finite()),
            gain_margin: Some(other.gain_margin).filter(|margin| margin.is_finite()),
            missing: other.missing.iter().map(|reason| ReasonReport::from_reason(reason, language)).collect(),
            answer: other.answer.as_ref().map(|answer| MoveReport::from_move(answer, language)),
            left: other.left.iter().map(|left| ReadMoveReport::from_reasons(left, language)).collect(),
            teaching: None,
        }
    }
}

impl TeachingReport {
    fn from_teaching(teaching: &Teaching, language: Language) -> TeachingReport {
        let Teaching { listener, verdict, cause, besides, rest, threat, better, plan, principle, .. } =
            teaching;
        let plan = plan.as_ref().or_else(|| better.as_ref()?.plan.as_ref());
        TeachingReport {
            listener: *listener,
            threat: threat.as_ref().map(|threat| ReasonReport::from_reason(&threat.does, language)),
            verdict: verdict.kind,
            points: verdict.points,
            win_rate: verdict.win_rate,
            error: Some(verdict.error).filter(|error| error.is_finite()),
            margin: Some(verdict.margin).filter(|margin| margin.is_finite()),
            good_moves: verdict.good_moves,
            reason: cause.carrying().map(CarryingReport::from_reason),
            besides: besides.as_ref().map(CarryingReport::from_reason),
            is_spread: *cause == Cause::Spread,
            whole_gain: teaching.whole_gain,
            rest: rest.and_then(|rest| match rest {
                RestPlace::CloseBy => cause.carrying().map(|reason| reason.place),
                RestPlace::In(place) => Some(place),
            }),
            keeps_turn: teaching.keeps_turn,
            better: better.as_ref().map(|better| better.mv.to_string()),
            plan: plan.map(|plan| plan.kind),
            principle: principle.as_ref().map(|principle| principle.kind),
            lines: speak_teaching(teaching, language),
        }
    }
}

impl CarryingReport {
    fn from_reason(reason: &CarryingReason) -> CarryingReport {
        CarryingReport {
            kind: reason.kind,
            side: reason.side.to_string(),
            place: reason.place,
            points: reason.points,
            share: reason.share,
            stones: reason.stones.iter().map(|stone| stone.to_string()).collect(),
            area: reason.area.points.iter().map(|point| point.to_string()).collect(),
        }
    }
}

impl GroupReport {
    fn from_group(group: &Group) -> GroupReport {
        let fate = group.fate.filter(|_| group.strength == GroupStrength::Critical);
        let vertex = |point: Option<Point>| point.map(|point| point.to_string());
        GroupReport {
            color: group.color.to_string(),
            stone: group.name().to_string(),
            stones: group.stones.len(),
            liberties: group.liberties.len(),
            strength: ishi_knowledge::show::strength_name(group.strength),
            half_eyes: [group.eyes.least, group.eyes.second, group.eyes.first].map(|eighths| eighths / 4),
            save: vertex(fate.and_then(|fate| fate.save)),
            kill: vertex(fate.and_then(|fate| fate.kill)),
            neighbours: group.neighbours.iter().map(Point::to_string).collect(),
        }
    }
}

impl ReasonReport {
    fn from_reason(reason: &Reason, language: Language) -> ReasonReport {
        ReasonReport {
            rule: reason.rule.name,
            family: reason.rule.family.name(),
            value: reason.value,
            about: reason.about.map(|point| point.to_string()),
            other: reason.other.map(|point| point.to_string()),
            count: reason.count,
            sequence: reason.sequence.iter().map(|(by, point)| format!("{} {point}", by.letter())).collect(),
            pattern: reason.pattern.clone(),
            text: words::describe_reason(reason, language),
        }
    }
}
