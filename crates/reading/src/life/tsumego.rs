//! Life-and-death problems (詰碁, tsumego): the move on which a group's life depends.

use ishi_go::{Board, Color, Point};

use super::{LifeReader, ev};
use crate::lambda::{Answer, Outcome};
use crate::point_set::PointSet;

/// Shares of a question's limit by which the questions are asked, again where they stay open.
const SHARES: [u32; 3] = [64, 8, 1];
/// Groups of fewer stones are not what a problem is about, as long as larger ones are unread.
const GROUP: usize = 3;

/// What is known of a group whose life may be the problem.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub stone: Point,
    stones: usize,
    own: bool,
    /// What the side to move reaches.
    pub ours: Option<Answer>,
    /// What the other side would reach by moving first.
    pub theirs: Option<Answer>,
    guess: Option<Point>,
}

impl Case {
    fn is_hopeless(&self) -> bool {
        [self.ours, self.theirs].into_iter().flatten().any(|answer| answer.outcome == Outcome::Fails)
    }

    /// Does it depend on who moves first?
    fn is_critical(&self) -> bool {
        self.ours.is_some() && self.theirs.is_some() && !self.is_hopeless()
    }

    fn is_read(&self) -> bool {
        self.is_hopeless() || self.is_critical()
    }
}

impl LifeReader {
    /// The move among the points that saves an own group, or kills one of the other side, if one group's life depends on it.
    pub fn solve(&mut self, board: &Board, to_move: Color, points: &[Point]) -> Option<Point> {
        let first: PointSet = points.iter().copied().collect();
        let mut cases = self.cases(board, to_move);
        let most = self.most;
        let mut spent = 0u64;
        for share in SHARES {
            self.most = most / share;
            for case in cases.iter_mut() {
                if !case.is_read() && spent < u64::from(most) * ev("TOT", 4) as u64 {
                    spent += self.read_case(board, case, &first);
                }
            }
            cases.retain(|case| !case.is_hopeless());
            cases.sort_by_key(|case| case.ours.is_none() && case.theirs.is_none());
            if cases.iter().any(|case| case.is_critical() && case.stones >= GROUP) {
                break;
            }
        }
        self.most = most;
        if std::env::var("CASES").is_ok() { for c in &cases { println!("   {} n {} own {} ours {:?} theirs {:?}", c.stone, c.stones, c.own, c.ours.map(|a|(a.outcome,a.mv.map(|m|m.to_string()))), c.theirs.map(|a|(a.outcome,a.mv.map(|m|m.to_string())))); } }
        choose(&cases)
    }

    fn cases(&mut self, board: &Board, to_move: Color) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for chain in board.chains() {
            let stone = chain.head();
            cases.push(Case {
                stone,
                stones: board.chain_length(chain),
                own: board.color(stone) == Some(to_move),
                ours: None,
                theirs: None,
                guess: None,
            });
        }
        cases.sort_by_key(|case| std::cmp::Reverse(case.stones));
        cases
    }

    fn read_case(&mut self, board: &Board, case: &mut Case, first: &PointSet) -> u64 {
        let mut spent = 0;
        if case.ours.is_none() {
            self.first = Some(*first);
            case.ours = self.ask(board, case.stone, !case.own);
            self.first = None;
            case.guess = self.root.iter().min_by_key(|c| if case.own { c.numbers.disproof } else { c.numbers.proof }).and_then(|c| c.mv);
            spent += u64::from(self.nodes);
        }
        if !case.is_hopeless() && case.theirs.is_none() {
            case.theirs = self.ask(board, case.stone, case.own);
            spent += u64::from(self.nodes);
        }
        spent
    }
}

/// The move that most stones depend on.
fn choose(cases: &[Case]) -> Option<Point> {
    let worth = |case: &Case| {
        let sure = case.ours.map_or(0, |answer| answer.outcome as usize + 1);
        let known = if case.is_critical() { 4 } else if case.ours.is_some() { 2 } else { 1 };
        (case.stones.min(12) + 3) * known * (sure + 4)
    };
    let mut best: Option<(usize, Point)> = None;
    let mv = |case: &Case| case.ours.and_then(|answer| answer.mv).or(if case.theirs.is_some() {case.guess} else {None});
    for case in cases {
        let Some(point) = mv(case) else { continue };
        let total = cases.iter().filter(|other| mv(other) == Some(point)).map(worth).sum();
        if best.is_none_or(|(most, _)| total > most) {
            best = Some((total, point));
        }
    }
    best.map(|(_, point)| point)
}
