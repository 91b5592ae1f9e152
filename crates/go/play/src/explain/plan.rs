//! What a sequence wants: a run of moves in one place, and what it changes, as one plan.

use ishi_go::{Board, Color, Move, Point};
use ishi_knowledge::{Reason, RuleFamily};
use ishi_reading::PointSet;

use super::owners::{CarryingReason, Cause, MatterKind};

/// Moves within so many lines of the ones before belong to the same run.
const RUN_LINES: usize = 4;
/// The same of moves in the area that the run is about, which may reach across the board.
const AREA_LINES: usize = 6;
/// Moves of a plan that are told at most.
const MOST_TOLD: usize = 6;
/// Fewer moves are no sequence.
const LEAST_MOVES: usize = 3;
/// Lines from the edge on which a connection goes under stones.
const LOW_LINES: usize = 2;
/// So many lines farther in the stones stand that it goes under.
const ROOF_LINES: usize = 3;
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
    /// To join own stones along the edge, under those of the opponent.
    ConnectUnder,
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
    /// How many stones each of these takes off the board.
    pub captures: Vec<usize>,
    /// Where the same side plays next, if that is elsewhere and no ko threat.
    pub then_elsewhere: Option<Point>,
    /// The ko that the whole run ends with, if it does.
    pub ko: Option<KoThreat>,
    /// Is the move that takes this ko among `moves`? It is not where they were cut short before it.
    pub is_ko_told: bool,
}

/// What follows where the opponent has taken a ko: a threat elsewhere, and the ko is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KoThreat {
    /// Where the side that begins the plan threatens something.
    pub threat: Point,
    /// Where it takes the ko back once that is answered.
    pub retake: Point,
}

/// How many stones each move of a line takes off the board. The line ends before a move that the board does not allow.
pub(super) fn captures_of_moves(board: &Board, moves: &[(Color, Point)]) -> Vec<usize> {
    let mut after = board.clone();
    let capture = |&(color, point): &(Color, Point)| {
        after.is_legal(color, point).then(|| after.play_unchecked(color, Move::Play(point)))
    };
    moves.iter().map_while(capture).collect()
}

/// The plan of an expected sequence on a board: what its run in one place does, by what it changes and what is proved of its first move. None if the
/// run is too short, or nothing is known of what it wants.
pub fn find_plan(
    board: &Board,
    moves: &[(Color, Point)],
    cause: &Cause,
    deeds: &[Reason],
    given_up: &PointSet,
) -> Option<MovePlan> {
    let run = local_run(moves, cause.carrying());
    let &(color, _) = moves.first()?;
    let is_own = |&(by, _): &(Color, Point)| by == color;
    // Who plays twice because the other one has passed leaves nothing in time.
    let is_answered = moves[..run].last().is_some_and(|last| !is_own(last));
    let next = moves[run..].first().filter(|&next| is_answered && is_own(next));
    let ko = find_ko_threat(board, moves, run);
    let then_elsewhere = next.map(|&(_, point)| point).filter(|_| ko.is_none());
    let is_left = then_elsewhere.is_some() || ko.is_some();
    if run < LEAST_MOVES && !(run == LEAST_MOVES - 1 && is_left) {
        return None;
    }
    // A move and its answer are no attack yet.
    let is_shown = |kind: &PlanKind| *kind != PlanKind::Attack || run >= LEAST_MOVES;
    let wanted = || plan_kind(cause, deeds, given_up).filter(is_shown);
    let kind = ko
        .map(|_| PlanKind::KoFight)
        .or_else(|| Some(place_plan(wanted()?, board, moves[0])))
        .or(then_elsewhere.map(|_| PlanKind::Tenuki))?;
    let told = &moves[..run.min(MOST_TOLD)];
    let captures = captures_of_moves(board, told);
    let is_ko_told = ko.is_some() && run <= MOST_TOLD;
    Some(MovePlan { kind, moves: told.to_vec(), captures, then_elsewhere, ko, is_ko_told })
}

/// The ko that a run of so many moves ends with, if the other side takes it by the last one: whoever began the line plays elsewhere then, is
/// answered, and takes it back.
fn find_ko_threat(board: &Board, moves: &[(Color, Point)], run: usize) -> Option<KoThreat> {
    let &(color, _) = moves.first()?;
    let [(threatens, threat), (answers, _), (retakes, retake)] = *moves.get(run..)?.first_chunk::<3>()?;
    if [threatens, answers, retakes] != [color, !color, color] {
        return None;
    }
    let mut after = board.clone();
    for &(by, mv) in &moves[..run] {
        if !after.is_legal(by, mv) {
            return None;
        }
        after.play_unchecked(by, Move::Play(mv));
    }
    (after.ko_point() == Some(retake)).then_some(KoThreat { threat, retake })
}

/// A connection on the first or second line goes under the opponent's stones, where those are the next ones farther in. What it takes off the
/// board is none of them.
fn place_plan(kind: PlanKind, board: &Board, (color, mv): (Color, Point)) -> PlanKind {
    if kind != PlanKind::Connect || !board.is_legal(color, mv) {
        return kind;
    }
    let mut after = board.clone();
    after.play_unchecked(color, Move::Play(mv));
    if is_under_stones(&after, (color, mv)) { PlanKind::ConnectUnder } else { kind }
}

/// Is a low move covered by a stone of the opponent, with no own stone between?
fn is_under_stones(board: &Board, (color, mv): (Color, Point)) -> bool {
    let farther_in = |at: usize, lines: usize| -> Vec<usize> {
        match (at < LOW_LINES, lines - 1 - at < LOW_LINES) {
            (true, _) => (at + 1..lines).take(ROOF_LINES).collect(),
            (false, true) => (0..at).rev().take(ROOF_LINES).collect(),
            (false, false) => Vec::new(),
        }
    };
    let (size, column, row) = (board.size(), mv.column(), mv.row());
    let along_row = farther_in(column, size.width()).into_iter().map(|column| Point::new(column, row));
    let along_column = farther_in(row, size.height()).into_iter().map(|row| Point::new(column, row));
    let ways: [Vec<Point>; 2] = [along_row.collect(), along_column.collect()];
    ways.iter().any(|way| way.iter().find_map(|&point| board.color(point)) == Some(!color))
}

/// Is it proved that the very stones are killed, taken or caught that a reason is about?
pub(super) fn kills_stones(deeds: &[Reason], reason: &CarryingReason) -> bool {
    let is_kill = |deed: &Reason| {
        matches!(deed.rule.name, "kill" | "capture" | "ladder" | "net" | "take-stone" | "take-stones")
    };
    let is_of_reason = |deed: &Reason| deed.about.is_some_and(|stone| reason.stones.contains(stone));
    deeds.iter().any(|deed| is_kill(deed) && is_of_reason(deed))
}

fn plan_kind(cause: &Cause, deeds: &[Reason], given_up: &PointSet) -> Option<PlanKind> {
    let does = |family: RuleFamily| deeds.iter().any(|deed| deed.rule.family == family);
    let reason = cause.carrying()?;
    Some(match reason.kind {
        _ if does(RuleFamily::Ko) => PlanKind::KoFight,
        _ if given_up.len() >= SACRIFICE => PlanKind::Sacrifice,
        MatterKind::SavesStones | MatterKind::Strengthens if does(RuleFamily::Connect) => PlanKind::Connect,
        MatterKind::SavesStones | MatterKind::Strengthens => PlanKind::Settle,
        MatterKind::KillsStones => PlanKind::Kill,
        MatterKind::Weakens if kills_stones(deeds, reason) => PlanKind::Kill,
        MatterKind::Weakens => PlanKind::Attack,
        MatterKind::BuildsTerritory | MatterKind::TakesOver => PlanKind::Build,
        MatterKind::ReducesTerritory => PlanKind::Reduce,
    })
}

/// How many moves from the first on are played in the same place: close to one of the run's moves, or not so close, but in the area that they
/// are about.
pub(super) fn local_run(moves: &[(Color, Point)], matter: Option<&CarryingReason>) -> usize {
    let is_local = |n: usize| {
        let (_, point) = moves[n];
        let is_within = |lines: usize| moves[..n].iter().any(|&(_, at)| at.lines_to(point) <= lines);
        let is_of_matter =
            || matter.is_some_and(|reason| reason.area.points.with_neighbours().contains(point));
        n == 0 || is_within(RUN_LINES) || is_within(AREA_LINES) && is_of_matter()
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
    use crate::test_boards::{board_of_rows, point_of, points_on_19_lines};

    fn line(vertices: &str) -> Vec<(Color, Point)> {
        let size = BoardSize::square(19).unwrap();
        let colors = Color::ALL.into_iter().cycle();
        colors.zip(vertices.split_whitespace().map(|vertex| size.parse_point(vertex).unwrap())).collect()
    }

    fn empty_board() -> Board {
        Board::new(BoardSize::square(19).unwrap())
    }

    fn cause(kind: MatterKind) -> Cause {
        let area = ChangedArea { points: points_on_19_lines("D4 D5 E4"), gain: 9.0 };
        Cause::Carried(Box::new(CarryingReason {
            kind,
            side: Color::Black,
            stones: PointSet::EMPTY,
            stone: None,
            apart: [PointSet::EMPTY; 2],
            area,
            around: PointSet::EMPTY,
            place: BoardPlace::LowerLeft,
            middle: None,
            is_sure: [true; 2],
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
            find_plan(&empty_board(), &moves, &cause(kind), deeds, &points_on_19_lines(given))
                .map(|plan| plan.kind)
        };
        assert_eq!(plan(MatterKind::Strengthens, &[], ""), Some(PlanKind::Settle));
        assert_eq!(plan(MatterKind::SavesStones, &[deed("connect")], ""), Some(PlanKind::Connect));
        assert_eq!(plan(MatterKind::KillsStones, &[], ""), Some(PlanKind::Kill));
        assert_eq!(plan(MatterKind::Weakens, &[], ""), Some(PlanKind::Attack));
        assert_eq!(plan(MatterKind::ReducesTerritory, &[], ""), Some(PlanKind::Reduce));
        assert_eq!(plan(MatterKind::BuildsTerritory, &[], "Q3 Q4"), Some(PlanKind::Sacrifice));
        assert_eq!(plan(MatterKind::BuildsTerritory, &[deed("take-ko")], ""), Some(PlanKind::KoFight));
        let weakens = cause(MatterKind::Weakens);
        let told = find_plan(&empty_board(), &moves, &weakens, &[], &PointSet::EMPTY).unwrap();
        assert_eq!((told.moves.len(), told.then_elsewhere), (3, None), "the opponent plays elsewhere");
        let exchange = find_plan(&empty_board(), &line("E5 F5 Q16"), &weakens, &[], &PointSet::EMPTY);
        assert_eq!(exchange.map(|plan| plan.kind), Some(PlanKind::Tenuki), "one move and its answer");
    }

    /// Stones that were nearly dead before only become weaker by the owners: who is proved to kill them does not attack them to gain.
    #[test]
    fn who_kills_weak_stones_does_not_attack_them() {
        let weak = *cause(MatterKind::Weakens).carrying().unwrap();
        let weakens =
            Cause::Carried(Box::new(CarryingReason { stones: points_on_19_lines("E4 E3"), ..weak }));
        let plan = |name: &str, about: &str| {
            let deeds = [Reason { about: points_on_19_lines(about).first(), ..deed(name) }];
            find_plan(&empty_board(), &line("E5 F5 E6"), &weakens, &deeds, &PointSet::EMPTY)
                .map(|plan| plan.kind)
        };
        assert_eq!(plan("kill", "E4"), Some(PlanKind::Kill));
        assert_eq!(plan("net", "E3"), Some(PlanKind::Kill));
        assert_eq!(plan("kill", "Q16"), Some(PlanKind::Attack), "other stones");
        assert_eq!(plan("atari", "E4"), Some(PlanKind::Attack), "they may get away");
    }

    /// An area may reach across the board: a move at its far end is played elsewhere, and keeps the turn.
    #[test]
    fn the_far_end_of_an_area_is_elsewhere() {
        let run = |vertices: &str| {
            let wide = ChangedArea { points: points_on_19_lines("B12 D12 E12 G12 J12 K11"), gain: 5.0 };
            let reason = CarryingReason { area: wide, ..*cause(MatterKind::Weakens).carrying().unwrap() };
            local_run(&line(vertices), Some(&reason))
        };
        assert_eq!(run("J12 K11 B12 B11"), 2, "B12 is seven lines away");
        assert_eq!(run("J12 K11 D12"), 3, "five lines, in the area");
        assert_eq!(run("J12 K11 D17"), 2, "five lines, outside of it");
        let wide = ChangedArea { points: points_on_19_lines("B12 J12 K11"), gain: 5.0 };
        let reduces = cause(MatterKind::ReducesTerritory);
        let reason = CarryingReason { area: wide, ..*reduces.carrying().unwrap() };
        let wide = Cause::Carried(Box::new(reason));
        let plan = find_plan(&empty_board(), &line("J12 K11 B12 B11"), &wide, &[], &PointSet::EMPTY);
        assert_eq!(plan.unwrap().then_elsewhere, points_on_19_lines("B12").first());
    }

    /// Only below stones of the opponent: whoever joins stones low on the board otherwise goes under nothing.
    #[test]
    fn a_connection_along_the_edge_goes_under() {
        let size = BoardSize::square(19).unwrap();
        let kind = |stones: &[(Color, &str)], moves: &str, name: &str| {
            let stones = stones.iter().map(|&(color, vertex)| (color, size.parse_point(vertex).unwrap()));
            let board = Board::from_stones(size, stones).unwrap();
            let (moves, saves) = (line(moves), cause(MatterKind::SavesStones));
            find_plan(&board, &moves, &saves, &[deed(name)], &PointSet::EMPTY).map(|plan| plan.kind)
        };
        let (black, white) = (Color::Black, Color::White);
        let (under, plain) = (Some(PlanKind::ConnectUnder), Some(PlanKind::Connect));
        assert_eq!(kind(&[(white, "D2")], "D1 D4 E1", "connect"), under);
        assert_eq!(kind(&[(white, "D5")], "B5 C5 B6", "connect"), under);
        assert_eq!(kind(&[(white, "S16")], "S18 R18 S17", "connect"), under);
        assert_eq!(kind(&[(white, "C6")], "C5 D5 C4", "connect"), plain, "on the third line");
        assert_eq!(kind(&[], "D1 D3 E1", "connect"), plain, "nothing is above it");
        let between = [(black, "D3"), (white, "D4")];
        assert_eq!(kind(&between, "D2 E2 D1", "connect"), plain, "its own stone is");
        assert_eq!(kind(&[(white, "D2")], "D1 D4 E1", "save"), Some(PlanKind::Settle));
        let taken = [(white, "D2"), (black, "C2"), (black, "E2"), (black, "D3")];
        assert_eq!(kind(&taken, "D1 D4 E1", "connect"), plain, "it takes the stone above it");
    }

    #[test]
    fn who_leaves_in_time_wants_to_play_elsewhere() {
        let plan = |moves: &str, cause: Cause| {
            find_plan(&empty_board(), &line(moves), &cause, &[], &PointSet::EMPTY)
        };
        let told = plan("E5 F5 Q16", Cause::Unknown).unwrap();
        assert_eq!((told.kind, told.moves.len()), (PlanKind::Tenuki, 2));
        assert_eq!(told.then_elsewhere, points_on_19_lines("Q16").first());
        assert_eq!(plan("E5 F5 E6", Cause::Unknown), None, "no matter");
        assert_eq!(plan("E5 Q16 E6", Cause::Spread), None, "no run");
        assert_eq!(plan("", Cause::Spread), None);
        let passed: Vec<(Color, Point)> = line("E5 F5 E6 Q16 Q16").into_iter().step_by(2).collect();
        assert_eq!(find_plan(&empty_board(), &passed, &Cause::Spread, &[], &PointSet::EMPTY), None, "passes");
    }

    /// Whoever plays elsewhere after a ko was taken, and then takes it back, has made a threat, and has not got the turn.
    #[test]
    fn a_turn_elsewhere_that_takes_a_ko_back_is_a_threat() {
        let board = board_of_rows(
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
        );
        let point = |vertex: &str| point_of(&board, vertex);
        let line = |vertices: &str| -> Vec<(Color, Point)> {
            Color::ALL.into_iter().cycle().zip(vertices.split_whitespace().map(point)).collect()
        };
        let plan =
            |vertices: &str| find_plan(&board, &line(vertices), &Cause::Unknown, &[], &PointSet::EMPTY);
        let fight = plan("D3 B2 J9 J8 C2").unwrap();
        let threat = KoThreat { threat: point("J9"), retake: point("C2") };
        assert_eq!((fight.kind, fight.ko), (PlanKind::KoFight, Some(threat)));
        assert_eq!((fight.captures, fight.then_elsewhere), (vec![0, 1], None));
        assert!(fight.is_ko_told);
        let long = plan("D3 D4 C5 D5 C6 D6 C7 B2 J9 J8 C2").unwrap();
        assert_eq!((long.ko, long.then_elsewhere), (Some(threat), None), "it is no turn elsewhere");
        assert_eq!((long.moves.len(), long.is_ko_told), (MOST_TOLD, false), "B2 is not told");
        let leaves = plan("D3 B2 J9 J8 G5").unwrap();
        assert_eq!((leaves.kind, leaves.ko), (PlanKind::Tenuki, None), "it is not taken back");
        assert!(!leaves.is_ko_told);
        assert_eq!(leaves.then_elsewhere, Some(point("J9")));
        let no_ko = plan("D3 C4 J9 J8 E5").unwrap();
        assert_eq!((no_ko.kind, no_ko.ko), (PlanKind::Tenuki, None), "nothing is taken");
    }

    /// Three stones are taken by whoever fills their last liberty; a line ends before a move that is not allowed.
    #[test]
    fn a_line_is_told_with_the_stones_that_it_takes() {
        let board = board_of_rows(
            "
            . . . . .
            . . . . .
            X X X . .
            O O X . .
            . O X . .
        ",
        );
        let point = |vertex: &str| point_of(&board, vertex);
        let moves = [(Color::Black, point("A1")), (Color::White, point("A3")), (Color::Black, point("E5"))];
        assert_eq!(captures_of_moves(&board, &moves), [3], "a stone stands on A3");
        let moves = [(Color::White, point("E5")), (Color::Black, point("A1")), (Color::White, point("D5"))];
        assert_eq!(captures_of_moves(&board, &moves), [0, 3, 0]);
        assert_eq!(captures_of_moves(&board, &moves[..1]), [0]);
    }
}
