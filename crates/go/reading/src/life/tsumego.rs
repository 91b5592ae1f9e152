//! Life-and-death problems (詰碁, tsumego): the move on which the life of a group depends.

use ishi_go::{Board, Color, Point};

use super::LifeReader;
use crate::lambda::{ReadingAnswer, ReadingOutcome};
use crate::point_set::PointSet;

/// The parts of the limit with which the questions are asked; those that stay open are asked again with the next.
const PARTS: [u32; 3] = [64, 8, 1];
/// All questions of a problem together may take so many times the limit.
const TOTAL: u64 = 4;
/// Chains of fewer stones are hardly what a problem is about.
const STONES: usize = 3;
/// More stones are not worth more.
const MANY: usize = 12;

/// A chain whose life may be the problem.
#[derive(Clone, Copy, Debug)]
struct LifeCase {
    stone: Point,
    stones: usize,
    /// Is it to be saved, or killed?
    own: bool,
    /// What the side to move reaches.
    ours: Option<ReadingAnswer>,
    /// What the other side would reach by moving first.
    theirs: Option<ReadingAnswer>,
}

impl LifeCase {
    /// Is it settled, whoever moves first?
    fn is_settled(&self) -> bool {
        [self.ours, self.theirs].iter().flatten().any(|answer| answer.outcome == ReadingOutcome::Fails)
    }

    /// Is it known to depend on who moves first?
    fn is_critical(&self) -> bool {
        self.ours.is_some() && self.theirs.is_some() && !self.is_settled()
    }

    /// The move that decides it, if it is known to depend on who moves first.
    fn deciding_move(&self) -> Option<Point> {
        if self.is_critical() { self.ours?.mv } else { None }
    }

    /// What speaks for its move: stones, and a good outcome.
    fn move_worth(&self) -> usize {
        (self.stones.min(MANY) + 3) * self.ours.map_or(0, |answer| answer.outcome as usize + 5)
    }
}

impl LifeReader {
    /// The move among the points that saves an own group or kills one of the other side: one of three stones or more whose life is
    /// known to depend on who moves first. The limit of the reader is that of a question; a problem may take four times as many
    /// moves.
    ///
    /// ```
    /// use ishi_go::{Color, Diagram};
    /// use ishi_reading::LifeReader;
    /// let diagram: Diagram = "
    ///     . . . . . . .
    ///     O O O O O . .
    ///     X X X X O . .
    ///     . a . X O . .
    /// ".parse().unwrap();
    /// let board = diagram.to_board().unwrap();
    /// let points: Vec<_> = board.empty_points().collect();
    /// let mv = LifeReader::default().solve_problem(&board, Color::White, &points);
    /// assert_eq!(mv, Some(diagram.marks[&'a']));
    /// ```
    pub fn solve_problem(&mut self, board: &Board, to_move: Color, points: &[Point]) -> Option<Point> {
        let first: PointSet = points.iter().copied().collect();
        let mut cases = list_cases(board, to_move);
        let had_gaps = std::mem::replace(&mut self.has_gaps, true);
        let most = self.most;
        let mut left = u64::from(most) * TOTAL;
        for part in PARTS {
            self.most = most / part;
            for case in cases.iter_mut().filter(|case| !case.is_critical()) {
                left = left.saturating_sub(if left > 0 { self.read_case(board, case, &first) } else { 0 });
            }
            cases.retain(|case| !case.is_settled());
            cases.sort_by_key(|case| case.ours.is_none() && case.theirs.is_none());
            if cases.iter().any(LifeCase::is_critical) {
                break;
            }
        }
        (self.most, self.has_gaps) = (most, had_gaps);
        choose_move(&cases)
    }

    /// Asks what is open of a case. Gives the moves played for it.
    fn read_case(&mut self, board: &Board, case: &mut LifeCase, first: &PointSet) -> u64 {
        let mut spent = 0;
        if case.ours.is_none() {
            self.first = Some(*first);
            case.ours = self.read_question(board, case.stone, !case.own);
            self.first = None;
            spent += u64::from(self.nodes);
        }
        if case.theirs.is_none() && !case.is_settled() {
            case.theirs = self.read_question(board, case.stone, case.own);
            spent += u64::from(self.nodes);
        }
        spent
    }
}

/// The chains that may be the problem, the longest first.
fn list_cases(board: &Board, to_move: Color) -> Vec<LifeCase> {
    let case = |chain| {
        let stone = board.chain_stones(chain).next().expect("a chain has stones");
        let own = board.color(stone) == Some(to_move);
        LifeCase { stone, stones: board.chain_length(chain), own, ours: None, theirs: None }
    };
    let mut cases: Vec<LifeCase> = board.chains().map(case).filter(|case| case.stones >= STONES).collect();
    cases.sort_by_key(|case| std::cmp::Reverse(case.stones));
    cases
}

/// The move that most depends on.
fn choose_move(cases: &[LifeCase]) -> Option<Point> {
    let worth = |point: Point| -> usize {
        cases.iter().filter(|case| case.deciding_move() == Some(point)).map(LifeCase::move_worth).sum()
    };
    // Of equals the last, which is the first: that of the longest chain.
    cases.iter().filter_map(LifeCase::deciding_move).rev().max_by_key(|&point| worth(point))
}
