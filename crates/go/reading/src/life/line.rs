//! How a fight for a group goes on if both sides play as was read.

use ishi_go::{Board, Color, Move, Point};

use super::LifeReader;
use crate::lambda::ReadingOutcome;

/// Moves that are told at most.
const LONGEST: usize = 12;
/// Moves of the side that loses that are tried, to find the one that resists longest.
const TRIED: usize = 5;

impl LifeReader {
    /// The moves by which the group of `stone` is killed, or lives, if its enemy moves first (`attacking`) or its owner does. Who loses
    /// plays what takes longest to refute; the winner answers only where that is needed. It ends when the group is taken or
    /// nothing is left to be done, after twelve moves, or where it cannot be read: it may be empty.
    ///
    /// ```
    /// use ishi_go::{Color, Diagram};
    /// use ishi_reading::LifeReader;
    /// let diagram: Diagram = "
    ///     . . . . . . .
    ///     O O O O O . .
    ///     X X X X O . .
    ///     . . . X O . .
    /// ".parse().unwrap();
    /// let board = diagram.to_board().unwrap();
    /// let [stone, vital] = ["A2", "B1"].map(|vertex| board.size().parse_point(vertex).unwrap());
    /// let line = LifeReader::default().read_sequence(&board, stone, true);
    /// assert_eq!(line[0], (Color::White, vital));
    /// ```
    pub fn read_sequence(&mut self, board: &Board, stone: Point, attacking: bool) -> Vec<(Color, Point)> {
        let (mut board, mut line, mut attacking) = (board.clone(), Vec::new(), attacking);
        let Some(owner) = board.color(stone) else { return line };
        while line.len() < LONGEST && board.color(stone) == Some(owner) {
            let Some(mv) = self.next_line_move(&board, stone, attacking, line.is_empty()) else { break };
            let color = if attacking { !owner } else { owner };
            if !board.is_legal(color, mv) {
                break;
            }
            board.play_unchecked(color, Move::Play(mv));
            line.push((color, mv));
            attacking = !attacking;
        }
        line
    }

    fn next_line_move(
        &mut self,
        board: &Board,
        stone: Point,
        attacking: bool,
        is_first: bool,
    ) -> Option<Point> {
        let answer = self.read_question(board, stone, attacking)?;
        if answer.outcome == ReadingOutcome::Fails {
            return self.longest_resistance(board, stone, attacking);
        }
        // Nothing need be done where the other side's next move would fail, too.
        let is_needed =
            is_first || self.read_question(board, stone, !attacking)?.outcome != ReadingOutcome::Fails;
        answer.mv.filter(|_| is_needed)
    }

    /// The losing side's move after which the other side reads longest.
    fn longest_resistance(&mut self, board: &Board, stone: Point, attacking: bool) -> Option<Point> {
        self.set_question(board, stone)?;
        let color = self.side_color(attacking);
        let moves: Vec<Point> = self.candidate_moves(attacking).into_iter().take(TRIED).collect();
        let mut best: Option<(u32, Point)> = None;
        for mv in moves.into_iter().filter(|&mv| board.is_legal(color, mv)) {
            let mut next = board.clone();
            next.play_unchecked(color, Move::Play(mv));
            let Some(answer) = self.read_question(&next, stone, !attacking) else { continue };
            if best.is_none_or(|(nodes, _)| answer.nodes > nodes) {
                best = Some((answer.nodes, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }
}
