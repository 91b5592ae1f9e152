//! What a sequence wants: a run of moves in one place, and what it changes, as one plan.

use ishi_go::{Color, Point};
use ishi_knowledge::{Reason, RuleFamily};
use ishi_reading::PointSet;

use super::owners::{CarryingReason, Cause, MatterKind};

/// Moves within so many lines of the ones before belong to the same run.
const RUN_LINES: usize = 4;
/// Moves of a plan that are told at most.
const MOST_TOLD: usize = 6;
/// Fewer moves are no sequence.
const LEAST_MOVES: usize = 3;
/// So many own stones that are lost on the way are a sacrifice.
const SACRIFICE: usize = 2;

/// What a sequence wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanKind {
    /// To make own stones live.
    Settle,
    /// To join own stones.
    Connect,
    /// To take or kill the opponent's stones.
    Kill,
    /// To gain by attacking stones that need not die.
    Attack,
    /// To make territory.
    Build,
    /// To make the opponent's territory smaller.
    Reduce,
    /// To give stones up for more elsewhere.
    Sacrifice,
    /// To decide a ko.
    KoFight,
    /// To finish here in time, and to play elsewhere first.
    Tenuki,
}

/// A sequence that is told as one plan.
#[derive(Clone, Debug, PartialEq)]
pub struct MovePlan {
    /// What it wants.
    pub kind: PlanKind,
    /// The moves in this place; the first is the one that is explained.
    pub moves: Vec<(Color, Point)>,
    /// Where the same side plays next, if that is elsewhere.
    pub then_elsewhere: Option<Point>,
}

/// The plan of an expected sequence: what its run in one place does, by what it changes and what is proved of its first move. None if the
/// run is too short, or nothing is known of what it wants.
pub fn find_plan(
    moves: &[(Color, Point)],
    cause: &Cause,
    deeds: &[Reason],
    given_up: &PointSet,
) -> Option<MovePlan> {
    let run = local_run(moves, cause.carrying());
    let &(color, _) = moves.first()?;
    let is_left = |&&(by, _): &&(Color, Point)| by == color;
    let then_elsewhere = moves[run..].first().filter(is_left).map(|&(_, point)| point);
    if run < LEAST_MOVES && !(run == LEAST_MOVES - 1 && then_elsewhere.is_some()) {
        return None;
    }
    let kind = plan_kind(cause, deeds, given_up).or(then_elsewhere.map(|_| PlanKind::Tenuki))?;
    Some(MovePlan { kind, moves: moves[..run.min(MOST_TOLD)].to_vec(), then_elsewhere })
}

fn plan_kind(cause: &Cause, deeds: &[Reason], given_up: &PointSet) -> Option<PlanKind> {
    let does = |family: RuleFamily| deeds.iter().any(|deed| deed.rule.family == family);
    let kind = cause.carrying()?.kind;
    Some(match kind {
        _ if does(RuleFamily::Ko) => PlanKind::KoFight,
        _ if given_up.len() >= SACRIFICE => PlanKind::Sacrifice,
        MatterKind::SavesStones | MatterKind::Strengthens if does(RuleFamily::Connect) => PlanKind::Connect,
        MatterKind::SavesStones | MatterKind::Strengthens => PlanKind::Settle,
        MatterKind::KillsStones => PlanKind::Kill,
        MatterKind::Weakens => PlanKind::Attack,
        MatterKind::BuildsTerritory | MatterKind::TakesOver => PlanKind::Build,
        MatterKind::ReducesTerritory => PlanKind::Reduce,
    })
}

/// How many moves from the first on are played in the same place: close to one of the run's moves, or in the area that they are about.
pub(super) fn local_run(moves: &[(Color, Point)], matter: Option<&CarryingReason>) -> usize {
    let is_local = |n: usize| {
        let (_, point) = moves[n];
        n == 0
            || matter.is_some_and(|reason| reason.area.points.with_neighbours().contains(point))
            || moves[..n].iter().any(|&(_, earlier)| earlier.lines_to(point) <= RUN_LINES)
    };
    (0..moves.len()).take_while(|&n| is_local(n)).count()
}

#[cfg(test)]
mod tests {
    use ishi_go::BoardSize;
    use ishi_knowledge::rules;

    use super::super::owners::ChangedArea;
    use super::super::place::BoardPlace;
    use super::*;

    fn points(vertices: &str) -> PointSet {
        let size = BoardSize::square(19).unwrap();
        vertices.split_whitespace().map(|vertex| size.parse_point(vertex).unwrap()).collect()
    }

    fn line(vertices: &str) -> Vec<(Color, Point)> {
        let size = BoardSize::square(19).unwrap();
        let colors = Color::ALL.into_iter().cycle();
        colors.zip(vertices.split_whitespace().map(|vertex| size.parse_point(vertex).unwrap())).collect()
    }

    fn cause(kind: MatterKind) -> Cause {
        let area = ChangedArea { points: points("D4 D5 E4"), gain: 9.0 };
        Cause::Carried(Box::new(CarryingReason {
            kind,
            side: Color::Black,
            stones: PointSet::EMPTY,
            stone: None,
            area,
            place: BoardPlace::LowerLeft,
            middle: None,
            share: 0.9,
            points: 9.0,
        }))
    }

    fn deed(name: &str) -> Reason {
        Reason {
            rule: rules::find_rule(name).unwrap(),
            value: 1.0,
            about: None,
            other: None,
            count: 1,
            sequence: Vec::new(),
            variations: Vec::new(),
            is_urgent: false,
            pattern: None,
        }
    }

    #[test]
    fn a_run_in_one_place_is_told_as_what_it_wants() {
        let moves = line("E5 F5 E6 Q16");
        let plan = |kind, deeds: &[Reason], given: &str| {
            find_plan(&moves, &cause(kind), deeds, &points(given)).map(|plan| plan.kind)
        };
        assert_eq!(plan(MatterKind::Strengthens, &[], ""), Some(PlanKind::Settle));
        assert_eq!(plan(MatterKind::SavesStones, &[deed("connect")], ""), Some(PlanKind::Connect));
        assert_eq!(plan(MatterKind::KillsStones, &[], ""), Some(PlanKind::Kill));
        assert_eq!(plan(MatterKind::Weakens, &[], ""), Some(PlanKind::Attack));
        assert_eq!(plan(MatterKind::ReducesTerritory, &[], ""), Some(PlanKind::Reduce));
        assert_eq!(plan(MatterKind::BuildsTerritory, &[], "Q3 Q4"), Some(PlanKind::Sacrifice));
        assert_eq!(plan(MatterKind::BuildsTerritory, &[deed("take-ko")], ""), Some(PlanKind::KoFight));
        let told = find_plan(&moves, &cause(MatterKind::Weakens), &[], &PointSet::EMPTY).unwrap();
        assert_eq!((told.moves.len(), told.then_elsewhere), (3, None), "the opponent plays elsewhere");
    }

    #[test]
    fn who_leaves_in_time_wants_to_play_elsewhere() {
        let told = find_plan(&line("E5 F5 Q16"), &Cause::Unknown, &[], &PointSet::EMPTY).unwrap();
        assert_eq!((told.kind, told.moves.len()), (PlanKind::Tenuki, 2));
        assert_eq!(told.then_elsewhere, points("Q16").first());
        assert_eq!(find_plan(&line("E5 F5 E6"), &Cause::Unknown, &[], &PointSet::EMPTY), None, "no matter");
        assert_eq!(find_plan(&line("E5 Q16 E6"), &Cause::Spread, &[], &PointSet::EMPTY), None, "no run");
        assert_eq!(find_plan(&[], &Cause::Spread, &[], &PointSet::EMPTY), None);
    }
}
