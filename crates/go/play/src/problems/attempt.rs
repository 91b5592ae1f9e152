//! A person's attempt at a problem of life and death, with reading as the judge: it finds the refutation of a wrong move, and plays against
//! a right one.

use ishi_go::{IllegalMove, Move, Point, Position};
use ishi_reading::{LifeReader, ReadingOutcome};

/// Moves that are read for an answer: some tenths of a second.
const READ: u32 = 300_000;

/// How an attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptVerdict {
    /// No move was played yet.
    Open,
    /// The last move keeps what was asked for, and the other side has answered.
    Right,
    /// Whatever the other side does, it is done.
    Solved,
    /// It works, but only by a ko.
    Ko,
    /// The answer that is on the board refutes it.
    Refuted,
    /// It was not read to the end.
    Unknown,
}

/// A problem of life and death after some moves, the judge's answer to the last of them included.
#[derive(Clone)]
pub struct ProblemAttempt {
    /// What is on the board, with all moves since the problem's position.
    pub position: Position,
    /// How it stands.
    pub verdict: AttemptVerdict,
}

impl ProblemAttempt {
    /// Plays moves from the problem's position, and answers the last one. The answers to those before are among the moves.
    ///
    /// `stone` is one of the group that the problem is about. The side to move at `start` is to save that group if it is its own, and to take it
    /// otherwise.
    ///
    /// # Errors
    /// The first move that is not legal.
    pub fn from_moves(start: &Position, stone: Point, moves: &[Move]) -> Result<ProblemAttempt, IllegalMove> {
        let to_live = start.board().color(stone) == Some(start.to_move());
        let mut position = start.clone();
        for &mv in moves {
            position.play(position.to_move(), mv)?;
        }
        let mut attempt = ProblemAttempt { position, verdict: AttemptVerdict::Open };
        if !moves.is_empty() {
            attempt.answer_last_move(stone, to_live)?;
        }
        Ok(attempt)
    }

    /// The other side's best answer to the last move, and what becomes of the group.
    fn answer_last_move(&mut self, stone: Point, to_live: bool) -> Result<(), IllegalMove> {
        let board = self.position.board();
        if board.color(stone).is_none() {
            self.verdict = if to_live { AttemptVerdict::Refuted } else { AttemptVerdict::Solved };
            return Ok(());
        }
        let mut reader = LifeReader::new(READ);
        // The judge moves now: against a group that shall live it kills, for one that shall die it lives.
        let found = if to_live { reader.read_death(board, stone) } else { reader.read_life(board, stone) };
        let Some(found) = found else {
            self.verdict = AttemptVerdict::Unknown;
            return Ok(());
        };
        self.verdict = match found.outcome {
            ReadingOutcome::Works => AttemptVerdict::Refuted,
            ReadingOutcome::KoFirst | ReadingOutcome::KoSecond => AttemptVerdict::Ko,
            ReadingOutcome::Fails => AttemptVerdict::Right,
        };
        let color = self.position.to_move();
        let reply = found.mv.or_else(|| find_resistance(&self.position, stone));
        let reply = reply.filter(|&point| self.position.is_legal(color, point.into()));
        self.position.play(color, reply.map_or(Move::Pass, Move::Play))?;
        if self.verdict == AttemptVerdict::Right && self.is_settled(stone, to_live) {
            self.verdict = AttemptVerdict::Solved;
        }
        Ok(())
    }

    /// Is nothing more to be done, as it holds even if the person passes now?
    fn is_settled(&self, stone: Point, to_live: bool) -> bool {
        let board = self.position.board();
        if board.color(stone).is_none() {
            return !to_live;
        }
        let mut reader = LifeReader::new(READ);
        let still = if to_live { reader.read_death(board, stone) } else { reader.read_life(board, stone) };
        still.is_some_and(|answer| answer.outcome == ReadingOutcome::Fails)
    }
}

/// Where a side that has lost plays on: a point of the group's inside, so that a person can show how it goes on.
fn find_resistance(position: &Position, stone: Point) -> Option<Point> {
    let board = position.board();
    let chain = board.chain(stone)?;
    let color = position.to_move();
    board.chain_liberties(chain).into_iter().find(|&point| board.is_sensible(color, point))
}

#[cfg(test)]
mod tests {
    use ishi_go::Color;

    use super::*;
    use crate::test_boards::position_of_rows;

    /// Whoever moves first plays in the middle of the three points.
    const THREE: &str = "
        . . . . . . .
        . . . . . . .
        O O O O O . .
        X X X X O . .
        . . . X O . .";

    fn attempt(to_move: Color, vertices: &[&str]) -> ProblemAttempt {
        let start = position_of_rows(THREE, to_move);
        let stone = start.size().parse_point("A2").unwrap();
        let moves: Vec<Move> = vertices.iter().map(|text| start.size().parse_move(text).unwrap()).collect();
        ProblemAttempt::from_moves(&start, stone, &moves).unwrap()
    }

    #[test]
    fn right_moves_are_told_from_those_that_are_refuted() {
        for side in Color::ALL {
            let right = attempt(side, &["B1"]);
            assert!(
                [AttemptVerdict::Right, AttemptVerdict::Solved].contains(&right.verdict),
                "{side}: {:?}",
                right.verdict
            );
            assert_eq!(right.position.moves().len(), 2, "{side}: it is answered");
            let wrong = attempt(side, &["A1"]);
            assert_eq!((wrong.verdict, wrong.position.moves().len()), (AttemptVerdict::Refuted, 2), "{side}");
        }
        let (_, saved) = attempt(Color::White, &["A1"]).position.moves()[1];
        assert_eq!(saved.to_string(), "B1", "the only answer");
        let open = attempt(Color::Black, &[]);
        assert_eq!((open.verdict, open.position.moves().len()), (AttemptVerdict::Open, 0));
    }

    #[test]
    fn a_move_that_is_not_legal_is_refused() {
        let start = position_of_rows(THREE, Color::Black);
        let stone = start.size().parse_point("A2").unwrap();
        assert!(ProblemAttempt::from_moves(&start, stone, &[stone.into()]).is_err());
    }
}
