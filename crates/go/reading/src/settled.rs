//! Captures settled by long search: what becomes of a chain, and every move near it that brings that about.
//!
//! Two readers with opposite faults are asked. [`ChainReader`] proves what it says is captured, but overlooks captures that
//! take long. [`QuickReader`] reads deep, but overlooks defences from afar. Where the quick one alone finds a capture, every
//! reply near the chain is refuted before it is believed. Where both are not of one mind about a ko, nothing is settled.

use ishi_go::{Board, Color, Move, Point};

use crate::capture::ChainReader;
use crate::lambda::{ReadingAnswer, ReadingEffort, ReadingOutcome};
use crate::point_set::PointSet;
use crate::quick::QuickReader;

/// Chains near the prey with so many liberties at most are attacked or saved in reply.
const WEAK: usize = 3;
/// Moves of the proofs for each move of the quick searches: of order 2, 3 and 4.
const PROOF_EFFORT: [u32; 3] = [2, 2, 1];

/// How a question of capture was settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledCapture {
    /// The outcome for the side that moves first.
    pub outcome: ReadingOutcome,
    /// The moves that bring it about; none where it fails. Of a ko the moves that were read, of which there may be more.
    pub moves: Vec<Point>,
}

/// What is believed of a chain whose opponent moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChainFate {
    Captured,
    Stands,
    /// There is a ko.
    Doubtful,
}

/// Settles questions of capture. Answers do not depend on earlier questions.
///
/// ```
/// use ishi_go::Diagram;
/// use ishi_reading::{CaptureSettler, ReadingOutcome};
/// let diagram: Diagram = "
///     . . . . . .
///     . O O . . .
///     O X X . . .
///     . O O . . .
///     . . . . . .
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// let prey = board.size().parse_point("C3").unwrap();
/// let settled = CaptureSettler::new(1000).settle_attack(&board, prey).unwrap();
/// assert_eq!(settled.outcome, ReadingOutcome::Works);
/// assert!(settled.moves.contains(&board.size().parse_point("D3").unwrap()));
/// ```
#[derive(Clone, Debug)]
pub struct CaptureSettler {
    quick: QuickReader,
    proofs: ChainReader,
}

impl CaptureSettler {
    /// One whose quick searches read so many moves each, and its proofs as many or twice as many for each order.
    pub fn new(most: u32) -> CaptureSettler {
        let nodes = PROOF_EFFORT.map(|times| most.saturating_mul(times));
        CaptureSettler { quick: QuickReader::new(most), proofs: ChainReader::new(ReadingEffort { nodes }) }
    }

    /// Can the chain of the stone be captured if its opponent moves first, and by which moves? None: that is not settled, or there is
    /// no stone.
    pub fn settle_attack(&mut self, board: &Board, stone: Point) -> Option<SettledCapture> {
        let owner = board.color(stone)?;
        let answers = [self.quick.attack(board, stone), self.proofs.attack(board, stone)];
        match fate_by_answers(answers) {
            Some(ChainFate::Stands) => return Some(settled_failure()),
            Some(ChainFate::Doubtful) => return settled_ko(answers),
            Some(ChainFate::Captured) | None => {}
        }
        // A proof's move needs no other.
        let proved = answers[1].mv.filter(|_| answers[1].outcome == ReadingOutcome::Works);
        let mut moves = Vec::new();
        for mv in points_near(board, stone).iter().filter(|&mv| board.is_legal(!owner, mv)) {
            if proved == Some(mv) || self.is_lost(&board_after(board, !owner, mv), stone) {
                moves.push(mv);
            }
        }
        // A quick capture that is refuted is none.
        let outcome = if moves.is_empty() { ReadingOutcome::Fails } else { ReadingOutcome::Works };
        (proved.is_none() || !moves.is_empty()).then_some(SettledCapture { outcome, moves })
    }

    /// Can the chain of the stone be saved if its owner moves first, and by which moves? None: it is not in danger, or that is not
    /// settled.
    pub fn settle_defence(&mut self, board: &Board, stone: Point) -> Option<SettledCapture> {
        let owner = board.color(stone)?;
        if self.fate(board, stone) == ChainFate::Stands {
            return None;
        }
        let (mut moves, mut in_doubt) = (Vec::new(), false);
        for mv in points_near(board, stone).iter().filter(|&mv| board.is_legal(owner, mv)) {
            match self.fate(&board_after(board, owner, mv), stone) {
                ChainFate::Stands => moves.push(mv),
                ChainFate::Doubtful => in_doubt = true,
                ChainFate::Captured => {}
            }
        }
        match (moves.is_empty(), in_doubt) {
            (false, _) => Some(SettledCapture { outcome: ReadingOutcome::Works, moves }),
            (true, false) => Some(settled_failure()),
            (true, true) => settled_ko([self.quick.defend(board, stone), self.proofs.defend(board, stone)]),
        }
    }

    /// What becomes of the chain if its opponent moves.
    fn fate(&mut self, board: &Board, stone: Point) -> ChainFate {
        let quick = self.quick.attack(board, stone);
        let answers = [quick, self.proofs.attack(board, stone)];
        if let Some(fate) = fate_by_answers(answers) {
            return fate;
        }
        let Some(owner) = board.color(stone) else { return ChainFate::Captured };
        let others = points_near(board, stone);
        let moves = quick.mv.into_iter().chain(others.iter().filter(|&mv| quick.mv != Some(mv)));
        for mv in moves.filter(|&mv| board.is_legal(!owner, mv)) {
            if self.is_lost(&board_after(board, !owner, mv), stone) {
                return ChainFate::Captured;
            }
        }
        ChainFate::Stands
    }

    /// Is the chain gone, or captured whatever its owner, who moves, replies?
    fn is_lost(&mut self, board: &Board, stone: Point) -> bool {
        let Some(owner) = board.color(stone) else { return true };
        if self.quick.defend(board, stone).outcome != ReadingOutcome::Fails {
            return false;
        }
        if self.proofs.defend(board, stone).outcome == ReadingOutcome::Fails {
            return true;
        }
        let replies = points_near(board, stone);
        replies.iter().filter(|&reply| board.is_legal(owner, reply)).all(|reply| {
            self.quick.attack(&board_after(board, owner, reply), stone).outcome == ReadingOutcome::Works
        })
    }
}

/// What the quick reader's answer about an attack and the other's say together. None: only the quick one sees a capture.
fn fate_by_answers([quick, proved]: [ReadingAnswer; 2]) -> Option<ChainFate> {
    match (quick.outcome, proved.outcome) {
        (_, ReadingOutcome::Works) => Some(ChainFate::Captured),
        (ReadingOutcome::Fails, ReadingOutcome::Fails) => Some(ChainFate::Stands),
        (ReadingOutcome::Works, ReadingOutcome::Fails) => None,
        _ => Some(ChainFate::Doubtful),
    }
}

fn settled_failure() -> SettledCapture {
    SettledCapture { outcome: ReadingOutcome::Fails, moves: Vec::new() }
}

/// A ko, if both readers say the same of it.
fn settled_ko([quick, proved]: [ReadingAnswer; 2]) -> Option<SettledCapture> {
    let is_ko = matches!(quick.outcome, ReadingOutcome::KoFirst | ReadingOutcome::KoSecond);
    if !is_ko || quick.outcome != proved.outcome {
        return None;
    }
    let mut moves: Vec<Point> = [quick.mv, proved.mv].into_iter().flatten().collect();
    moves.dedup();
    (!moves.is_empty()).then_some(SettledCapture { outcome: quick.outcome, moves })
}

fn board_after(board: &Board, color: Color, mv: Point) -> Board {
    let mut after = board.clone();
    after.play_unchecked(color, Move::Play(mv));
    after
}

/// The empty points that may matter: within two steps of the chain's liberties, and the liberties of the chain's enemies and of all weak
/// chains there.
fn points_near(board: &Board, stone: Point) -> PointSet {
    let Some(chain) = board.chain(stone) else { return PointSet::EMPTY };
    let stones: PointSet = board.chain_stones(chain).collect();
    let mut area: PointSet = board.chain_liberties(chain).into_iter().collect();
    area = area.with_neighbours().with_neighbours().union(&stones.with_neighbours());
    let mut near: PointSet = area.iter().filter(|&point| board.color(point).is_none()).collect();
    let beside = stones.with_neighbours();
    for point in area.iter() {
        let Some(chain) = board.chain(point) else { continue };
        let liberties = board.chain_liberties(chain);
        if liberties.len() <= if beside.contains(point) { WEAK + 1 } else { WEAK } {
            near.add_set(&liberties.into_iter().collect());
        }
    }
    let inside: PointSet = board.size().points().collect();
    near.intersection(&inside)
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    fn settle(rows: &str, prey: &str) -> [Option<(ReadingOutcome, Vec<String>)>; 2] {
        let diagram: Diagram = rows.parse().unwrap();
        let board = diagram.to_board().unwrap();
        let stone = board.size().parse_point(prey).unwrap();
        let mut settler = CaptureSettler::new(2000);
        let told = |settled: SettledCapture| {
            let mut moves: Vec<String> = settled.moves.iter().map(Point::to_string).collect();
            moves.sort();
            (settled.outcome, moves)
        };
        [settler.settle_attack(&board, stone).map(told), settler.settle_defence(&board, stone).map(told)]
    }

    fn words(moves: &[&str]) -> Vec<String> {
        moves.iter().map(|mv| (*mv).to_string()).collect()
    }

    /// The chain at the edge is taken from either side; it is saved by nothing.
    #[test]
    fn every_move_that_does_it_is_found() {
        let net = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . X . . .
            . . O . . . . . .
            . . O X . . . . .
            . . . O O . . . .
            . . . . . . . . .
            . . . . . . . . .
        ";
        let [attack, defence] = settle(net, "D4");
        let (outcome, moves) = attack.unwrap();
        assert_eq!(outcome, ReadingOutcome::Works);
        assert!(moves.contains(&"E5".to_string()) && !moves.contains(&"D5".to_string()), "{moves:?}");
        let (outcome, moves) = defence.unwrap();
        assert_eq!(outcome, ReadingOutcome::Works);
        assert!(moves.contains(&"D5".to_string()) && moves.contains(&"E5".to_string()), "{moves:?}");
        assert!(!moves.contains(&"A1".to_string()), "{moves:?}");
    }

    #[test]
    fn what_cannot_be_helped_fails_and_what_is_safe_is_no_question() {
        let dead = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . O O . . .
            . O X X O . .
            . . . . . . .
        ";
        let [attack, defence] = settle(dead, "C2");
        assert_eq!(attack.unwrap().0, ReadingOutcome::Works);
        assert_eq!(defence.unwrap(), (ReadingOutcome::Fails, words(&[])));
        let free = ". . . . .\n. . . . .\n. . X . .\n. . . O .\n. . . . .\n";
        let [attack, defence] = settle(free, "C3");
        assert_eq!(attack.unwrap(), (ReadingOutcome::Fails, words(&[])));
        assert!(defence.is_none(), "nobody attacks it");
    }
}
