//! Why a move loses: its main cause, with the line that shows it.
//!
//! Two lines are held against each other: what follows the move played, and what follows the best move. What the opponent gets on
//! the one and not on the other is a possible cause. Each has a price in discs. The evaluation says what each part of the board is worth
//! at the ends of both lines, and in finished games the discs say it. For corners a search says it, too: the value where the
//! corner is taken, less that of the opponent's best move without it. It says the same of a single answer that the best move would have
//! spared: without the answer the move would lose so much less. For what is counted (moves, safe moves, stable discs) there are fixed
//! prices besides, and a search of the other moves that have the same fault limits them (`contrast`). The dearest cause is told, if the
//! loss is still there at the end of its line, by the search along the line and by a deeper one. Where none explains enough of the loss, the
//! line that refutes the move is told.

mod answers;
mod corners;
mod discs;
mod kinds;
mod lines;
mod mobility;
mod parity;
mod parts;
mod price;
mod probe;
mod squares;
#[cfg(test)]
mod test_lines;

use ishi_othello::{Board, Square};

use super::areas::AreaCosts;
use super::line::FollowedLine;
use crate::levels::LevelLimits;
use crate::search::{CutConfidence, FoundMove, SearchEffort, Searcher};
pub(super) use discs::count_turned_by_answer;
pub use kinds::{BoardEdge, LessonKind, MistakeCause};
pub(super) use mobility::{count_wall, margin_of, passes_soon};
pub(super) use parity::find_region_of;

/// Discs that a move must lose for a cause to be told.
pub const LEAST_LOSS_TOLD: i32 = 2;
/// Discs that a praised move may lose at most.
pub const MOST_LOSS_PRAISED: i32 = 1;
/// Lines are compared up to so many plies.
const PLIES_COMPARED: usize = 10;
/// Moves and safe moves are counted after so many plies, when both have answered.
const PLIES_COUNTED: usize = 4;
/// Plies of the line that refutes a move, as it is told.
const PLIES_TOLD: usize = 6;
/// Plies of an expected line that are believed where nothing is proved, the move and the answer: the rest was searched less deep.
const PLIES_TRUSTED: usize = 2;
/// A fault that stands on the board right after the move is told with the move alone: what follows shows no more of it.
const PLIES_OF_FAULT: usize = 1;
/// Plies by which the end of a line that is told is searched deeper than the positions along it.
pub(super) const PLIES_TO_CONFIRM: u32 = 6;
/// Causes or ends of lines that are tried before the mistake alone is told.
const MOST_TRIES: usize = 6;
/// Discs by which the value may change along a line that is told: where it changes more, one of both went wrong on it.
const MOST_DRIFT: i32 = 1;
/// Of a large loss the other side may give back this part: a line that shows nearly all of it is better than none.
const PART_GIVEN_BACK: i32 = 6;
/// Where no line is that good, one is told on which the value changes by so many discs more.
const MORE_DRIFT: i32 = 1;
/// Ends of lines that are tried then.
const MORE_TRIES: usize = 3;
/// The dearest cause is told if it costs so many discs, however much the move loses.
const ENOUGH_COST: f64 = 2.0;
/// Discs that a part of the board must cost to be a cause.
const LEAST_AREA_COST: f64 = 1.0;
/// Empty squares from which on games are followed to their ends.
const FINISHED_FROM: u32 = 12;
/// Empty squares down to which moves, safe moves and openness count.
const MOBILITY_UNTIL: u32 = 10;
/// How hard to look for what a corner is worth.
const PROBE: SearchEffort =
    SearchEffort { depth: 6, exact: 12, win_loss: 12, confidence: CutConfidence::Good };

/// The main reason why a move loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainReason {
    /// What is behind it.
    pub cause: MistakeCause,
    /// What it costs, in discs; at most what the move loses.
    pub cost: i32,
    /// The line that shows it; the move played first.
    pub line: Vec<Square>,
    /// The line of the best move that it is held against; the best move first.
    pub better: Vec<Square>,
    /// The opponent's answer on the line; `None` if it has none there, or must pass.
    pub answer: Option<Square>,
}

/// A move that loses, with what a search has found of it.
#[derive(Clone, Copy, Debug)]
pub struct FoundMistake<'a> {
    /// The board before it, seen by the one who made it.
    pub board: Board,
    /// What is expected to follow; the move first.
    pub line: &'a [Square],
    /// What it is worth to the one who made it, in discs.
    pub value: i32,
    /// The best move, with value and variation.
    pub best: &'a FoundMove,
    /// Are both values proved, and the lines with them?
    pub proved: bool,
}

/// The main reason why a move loses; `None` if it loses less than [`LEAST_LOSS_TOLD`] discs. `effort` is how hard to look at the end of
/// a line.
pub fn find_main_reason(
    mistake: FoundMistake<'_>,
    searcher: &mut Searcher,
    effort: SearchEffort,
    limits: LevelLimits<'_>,
) -> Option<MainReason> {
    let loss = mistake.best.score - mistake.value;
    if loss < LEAST_LOSS_TOLD {
        return None;
    }
    let mut probe = MistakeProbe { searcher, effort, limits };
    let mut lines = probe.follow_lines(&mistake);
    let others = probe.follow_others(&lines);
    for (tries, more) in [(MOST_TRIES, 0), (MORE_TRIES, MORE_DRIFT)] {
        if more > 0 {
            lines.allow_more_drift(more, &probe.searcher.evaluation());
        }
        for _ in 0..tries {
            let main = probe.find_main_cause(&lines, &others);
            let main = main.unwrap_or_else(|| lines.find_refutation());
            // The mistake alone needs no further look, and says nothing of how it is answered: a line that holds less well comes before.
            if main.plies <= 1 && matches!(main.cause, MistakeCause::Refuted { .. }) {
                break;
            }
            if probe.confirm_end(&mut lines, main.plies) {
                return Some(lines.to_reason(&main));
            }
        }
    }
    // The move alone always holds: its value is what was found of it.
    lines.keep_mistake_alone(&probe.searcher.evaluation());
    let main = probe.find_main_cause(&lines, &others);
    Some(lines.to_reason(&main.unwrap_or_else(|| lines.find_refutation())))
}

/// A possible cause.
#[derive(Clone, Copy, Debug)]
pub(super) struct PricedCause {
    pub(super) cause: MistakeCause,
    /// In discs.
    pub(super) cost: f64,
    /// Plies of the line played that show it, the mistake counted.
    pub(super) plies: usize,
    /// Plies of the better line that it is held against.
    better_plies: usize,
}

impl PricedCause {
    /// Both lines are told up to the same ply.
    fn new(cause: MistakeCause, cost: f64, plies: usize) -> PricedCause {
        PricedCause { cause, cost, plies, better_plies: plies }
    }

    /// Does it hold the numbers of moves right after both moves against each other?
    fn says_moves_at_once(&self) -> bool {
        self.plies == 1 && matches!(self.cause, MistakeCause::GivesMobility { .. })
    }

    /// By what causes are ranked: the cost, but that causes which have a name go before parts of the board.
    fn rank(&self) -> f64 {
        match self.cause {
            MistakeCause::WeakensArea { .. } => price::RANK_OF_AREA * self.cost,
            MistakeCause::AllowsAnswer { .. } => price::RANK_OF_ANSWER * self.cost,
            MistakeCause::LosesArea { .. } => price::RANK_OF_FINAL_DISCS * self.cost,
            MistakeCause::LosesAccess { .. }
            | MistakeCause::MissesMerit { .. }
            | MistakeCause::HasFault { .. } => price::RANK_OF_FACT * self.cost,
            _ => self.cost,
        }
    }
}

/// Where a corner falls, the discs that nobody can turn follow from it, and it was the square beside it that gave it away: the corner
/// is told first.
fn yield_to_corners(found: &mut [PricedCause]) {
    let poisoned = found.iter().find_map(|priced| match priced.cause {
        MistakeCause::PoisonsSquare { corner, .. } => Some((corner, priced.cost)),
        _ => None,
    });
    for priced in found.iter_mut() {
        if let (MistakeCause::OpensCorner { corner, .. }, Some((poisoned, cost))) = (priced.cause, poisoned)
            && corner == poisoned
        {
            priced.cost = priced.cost.max(cost);
        }
    }
    let is_corner = |priced: &&PricedCause| {
        matches!(priced.cause, MistakeCause::OpensCorner { .. } | MistakeCause::MissesCorner { .. })
    };
    let dearest = found.iter().filter(is_corner).map(|priced| priced.cost).fold(0.0, f64::max);
    if dearest < ENOUGH_COST {
        return;
    }
    for priced in found {
        if matches!(priced.cause, MistakeCause::OpensEdge { .. } | MistakeCause::GivesStable { .. }) {
            priced.cost = priced.cost.min(dearest);
        }
    }
}

/// What follows the move played, and what follows the best one.
pub(super) struct ComparedLines {
    pub(super) board: Board,
    loss: i32,
    /// What the best move is worth, in discs.
    best: i32,
    pub(super) played: FollowedLine,
    /// What the line played is worth by search after each of its moves, to the one who erred; the first is the mistake.
    values: Vec<i32>,
    pub(super) better: FollowedLine,
    /// Are the lines those of exact scores?
    proved: bool,
    /// Discs by which the value may change along a line that is told, either way.
    drift: i32,
    /// What the parts of the board cost.
    areas: AreaCosts,
}

/// A searcher with how hard to look.
struct MistakeProbe<'a, 'b> {
    searcher: &'a mut Searcher,
    effort: SearchEffort,
    limits: LevelLimits<'b>,
}

#[cfg(test)]
mod tests {
    use super::test_lines::{EFFORT, LIMITS, judge, random_board};
    use super::*;
    use crate::coach::areas::BoardArea;
    use crate::coach::line::{BoardStanding, find_touched_corner};
    use crate::coach::reasons::CoachReason;
    use crate::coach::regions::{count_frontier, find_regions};
    use crate::coach::shapes::count_moves_in;
    use crate::search::SearchParams;
    use ishi_othello::{CORNERS, iter_squares};

    #[test]
    fn a_corner_that_is_opened_is_told_with_the_line_that_takes_it() {
        let mut told = 0;
        for seed in 0..12 {
            let board = random_board(seed, 40 + (seed as usize % 4) * 2);
            for played in iter_squares(board.legal_moves()) {
                let Some(reason) = judge(board, played).1 else { continue };
                let MistakeCause::OpensCorner { corner, .. } = reason.cause else { continue };
                assert_eq!((reason.line[0], *reason.line.last().unwrap()), (played, corner));
                assert!(CORNERS & corner.bit() != 0, "{reason:?}");
                told += 1;
            }
        }
        assert!(told > 0);
    }

    /// Every move that loses 2 discs has a reason, others have none; the line is legal and shows what is said.
    #[test]
    fn every_loss_has_a_reason_that_its_line_shows() {
        let (mut told, mut refuted, mut counted, mut weighed, mut set_apart) = (0, 0, 0, 0, 0);
        for seed in 0..12 {
            let board = random_board(seed, 44 + (seed as usize % 4) * 2);
            for played in iter_squares(board.legal_moves()) {
                let (loss, reason) = judge(board, played);
                assert_eq!(reason.is_some(), loss >= LEAST_LOSS_TOLD, "{board:?} {played}");
                let Some(reason) = reason else { continue };
                assert!((1..=loss).contains(&reason.cost), "{reason:?}");
                let line = FollowedLine::new(board, &reason.line);
                assert_eq!((line.squares(), reason.line[0]), (reason.line.clone(), played), "{reason:?}");
                told += 1;
                let best = FollowedLine::new(board, &reason.better);
                assert_eq!(best.squares(), reason.better, "{reason:?}");
                let answer = line.plies.get(1).filter(|ply| !ply.own).map(|ply| ply.square);
                assert_eq!(reason.answer, answer);
                let last = line.plies.last().unwrap();
                match reason.cause {
                    MistakeCause::Refuted { value, better } => {
                        refuted += 1;
                        assert_eq!(better - value, loss);
                    }
                    MistakeCause::OpensCorner { corner, after, .. } => {
                        assert_eq!((last.square, last.own, line.plies.len()), (corner, false, after + 1));
                    }
                    MistakeCause::LeavesSquare { square } => {
                        assert_eq!((&reason.line, reason.answer), (&vec![played, square], Some(square)));
                        assert_eq!(reason.better[0], square, "{reason:?}");
                    }
                    MistakeCause::AllowsAnswer { square, discs, .. } => {
                        assert_eq!(reason.answer, Some(square), "{reason:?}");
                        assert!(discs >= 2, "{reason:?}");
                    }
                    MistakeCause::MustPass => assert!(line.passes.0 && !line.own_turn, "{reason:?}"),
                    MistakeCause::SparesPass => {
                        assert!(!line.passes.1 && best.passes.1 && best.own_turn, "{reason:?}");
                    }
                    MistakeCause::GivesLastMove { region, .. } => {
                        let regions = find_regions(board);
                        let region = regions.iter().find(|each| each.squares & region.bit() != 0).unwrap();
                        assert_eq!(line.is_last_of_region_own(region.squares), Some(false));
                    }
                    MistakeCause::LosesTempo { safe, .. } => {
                        assert_eq!(BoardStanding::of_board(line.end).safe_moves, safe);
                    }
                    MistakeCause::GivesMobility { moves, .. } => {
                        assert_eq!(BoardStanding::of_board(line.end).moves, moves);
                    }
                    MistakeCause::PoisonsSquare { corner, .. } => {
                        assert_eq!(find_touched_corner(board, played), Some(corner));
                    }
                    MistakeCause::TurnsBack { discs, .. } => {
                        assert_eq!(last.before.flips(last.square).count_ones(), discs);
                    }
                    MistakeCause::MissesCorner { corner } => {
                        assert_eq!(reason.better.last(), Some(&corner));
                    }
                    MistakeCause::BuildsWall { discs, .. } => {
                        assert_eq!(count_frontier(line.end.player, line.end), discs);
                    }
                    MistakeCause::LosesArea { area, discs } => {
                        let better = FollowedLine::new(board, &reason.better).end;
                        let margin = |end: Board| {
                            (end.player & area.squares()).count_ones() as i32
                                - (end.opponent & area.squares()).count_ones() as i32
                        };
                        let lost = margin(better) - margin(line.end);
                        assert!((lost - 2 * discs as i32).abs() <= 1, "{reason:?}");
                        counted += 1;
                    }
                    MistakeCause::LosesAccess { quarter, moves, better } => {
                        let squares = BoardArea::Quarter(quarter).squares();
                        assert_eq!(count_moves_in(line.end, squares), moves);
                        assert_eq!(count_moves_in(best.end, squares), better);
                        set_apart += 1;
                    }
                    MistakeCause::MissesMerit { merit } => {
                        check_figures(board, merit, reason.better[0], played);
                        set_apart += 1;
                    }
                    MistakeCause::HasFault { fault } => {
                        assert_eq!(reason.line, [played], "{reason:?}");
                        check_figures(board, fault, played, reason.better[0]);
                        set_apart += 1;
                    }
                    MistakeCause::WeakensArea { discs, .. } => {
                        assert!((1..=loss).contains(&(discs as i32)));
                        assert_eq!(reason.better.len(), reason.line.len());
                        weighed += 1;
                    }
                    _ => (),
                }
            }
        }
        assert!(told > 30 && refuted * 4 < told, "{told} told, {refuted} of them refuted");
        assert!(counted > 0 && weighed * 4 < told, "{counted} counted, {weighed} weighed by the evaluation");
        assert!(set_apart > 0);
    }

    /// Checks by the board alone what is said of a move beside another one.
    fn check_figures(board: Board, fact: CoachReason, square: Square, other: Square) {
        let [after, after_other] = [square, other].map(|square| board.play_unchecked(square));
        let count = |board: Board| board.legal_moves().count_ones();
        match fact {
            CoachReason::FewReplies { replies, usual } | CoachReason::ManyReplies { replies, usual } => {
                assert_eq!((replies, usual), (count(after), count(after_other)));
            }
            CoachReason::FewOwnMoves { moves, usual } => {
                assert_eq!((moves, usual), (count(after.pass()), count(after_other.pass())));
            }
            CoachReason::AllowsWedge { square } => {
                assert!(after.is_legal(square), "{square} can be played");
                let wedged = after.play_unchecked(square);
                assert!(!wedged.is_legal(square) && wedged.opponent & square.bit() != 0);
            }
            CoachReason::Greedy { turned } => {
                assert_eq!(turned, board.flips(square).count_ones());
            }
            CoachReason::ForcesPass => assert_eq!(count(after), 0),
            _ => (),
        }
    }

    /// A line that is not proved ends with the mistake itself or with what the other side plays, whatever is told with it.
    #[test]
    fn lines_end_where_the_other_side_has_answered() {
        let (mut alone, mut answered) = (0, 0);
        for seed in 0..6 {
            let board = random_board(seed, 30);
            for played in iter_squares(board.legal_moves()) {
                let Some(reason) = judge(board, played).1 else { continue };
                let line = FollowedLine::new(board, &reason.line);
                let is_own = line.plies.last().is_some_and(|ply| ply.own);
                assert_eq!(is_own, reason.line.len() == 1, "{board:?} {reason:?}");
                alone += usize::from(is_own);
                answered += usize::from(!is_own);
            }
        }
        assert!(alone > 0 && answered > 0, "{alone} alone, {answered} answered");
    }

    /// With few empty squares all is solved: after the line that is told the loss is still there.
    #[test]
    fn the_loss_is_still_there_after_the_line() {
        let mut checked = 0;
        for seed in 20..30 {
            let board = random_board(seed, 51);
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            let best = probe.value_of(board, EFFORT);
            for played in iter_squares(board.legal_moves()) {
                let Some(reason) = judge(board, played).1 else { continue };
                let line = FollowedLine::new(board, &reason.line);
                let value = probe.value_of(line.board_to_move(), EFFORT);
                let value = if line.own_turn { value } else { -value };
                assert!(value <= best - LEAST_LOSS_TOLD, "{board:?} {reason:?}");
                checked += 1;
            }
        }
        assert!(checked > 10, "{checked}");
    }
}
