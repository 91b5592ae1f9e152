//! Which part of the board a mistake costs: what the evaluation sees there at the end of two lines, or the discs of two finished games.

use ishi_othello::{Board, CORNERS, Square, iter_squares};

use super::causes::BoardEdge;
use super::line::FollowedLine;
use super::regions::squares_around;
use crate::eval::Evaluation;

/// A part of the board, as players name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoardArea {
    /// The eight squares of an edge.
    Edge(BoardEdge),
    /// The nine squares at a corner.
    Corner(Square),
    /// The sixteen squares of the quarter with this corner, while nobody has come near the corner itself.
    Quarter(Square),
    /// The sixteen squares c3 to f6.
    Middle,
}

/// The squares c3 to f6.
const MIDDLE: u64 = 0x0000_3c3c_3c3c_0000;
/// Rows 1 to 4.
const UPPER_HALF: u64 = 0x0000_0000_ffff_ffff;
/// Columns a to d.
const LEFT_HALF: u64 = 0x0f0f_0f0f_0f0f_0f0f;

impl BoardArea {
    /// The nine areas of a board with discs on these squares: edges, corners or their quarters, and the middle. They overlap.
    pub fn list_all(occupied: u64) -> Vec<BoardArea> {
        let edges = BoardEdge::ALL.into_iter().map(BoardArea::Edge);
        let corner = |corner: Square| match occupied & squares_around(corner.bit()) {
            0 => BoardArea::Quarter(corner),
            _ => BoardArea::Corner(corner),
        };
        edges.chain(iter_squares(CORNERS).map(corner)).chain([BoardArea::Middle]).collect()
    }

    /// Its squares, as a bitboard.
    pub fn squares(self) -> u64 {
        match self {
            BoardArea::Edge(edge) => edge.squares(),
            BoardArea::Corner(corner) => squares_around(squares_around(corner.bit())),
            BoardArea::Quarter(corner) => {
                let rows = if corner.row() < 4 { UPPER_HALF } else { !UPPER_HALF };
                let columns = if corner.column() < 4 { LEFT_HALF } else { !LEFT_HALF };
                rows & columns
            }
            BoardArea::Middle => MIDDLE,
        }
    }
}

/// What a move costs, by where on the board it costs it: the end of the line of the best move, less that of the move played.
#[derive(Clone, Debug)]
pub(super) struct AreaCosts {
    /// Plies of the line played that are compared.
    pub(super) plies: usize,
    /// Are both games over at the end of their lines? Then the costs are counted, not estimated.
    pub(super) finished: bool,
    /// Where discs stand at the end of either line, as a bitboard.
    pub(super) occupied: u64,
    /// By square, in discs.
    squares: [f64; 64],
    /// What the numbers of moves cost, in discs.
    pub(super) moves: f64,
}

impl Default for AreaCosts {
    /// Nothing costs anything.
    fn default() -> AreaCosts {
        AreaCosts { plies: 0, finished: false, occupied: 0, squares: [0.0; 64], moves: 0.0 }
    }
}

impl AreaCosts {
    /// Holds the ends of two lines of equal length against each other, or of two finished games. `None` if one game alone is over.
    pub(super) fn compare_lines(
        played: &FollowedLine,
        better: &FollowedLine,
        evaluation: &Evaluation,
    ) -> Option<AreaCosts> {
        let finished = played.end.is_over();
        if finished != better.end.is_over() {
            return None;
        }
        // Where a pass has turned the order of moves, both are seen as if the one who erred were to move.
        let own_turn = played.own_turn || played.own_turn != better.own_turn;
        let [at_end, wanted] = [played, better].map(|line| match finished {
            true => EndWorth::of_finished(line.end),
            false => EndWorth::of_board(line.end, own_turn, evaluation),
        });
        let mut squares = wanted.squares;
        squares.iter_mut().zip(at_end.squares).for_each(|(cost, worth)| *cost -= worth);
        let (plies, moves) = (played.plies.len(), wanted.moves - at_end.moves);
        let occupied = !(played.end.empty_squares() & better.end.empty_squares());
        Some(AreaCosts { plies, finished, occupied, squares, moves })
    }

    /// One square costs so many discs, and no other one anything.
    #[cfg(test)]
    pub(super) fn of_one_square(square: Square, cost: f64) -> AreaCosts {
        let mut squares = [0.0; 64];
        squares[square.index()] = cost;
        AreaCosts { plies: 1, squares, ..AreaCosts::default() }
    }

    /// What this part of the board costs, in discs.
    pub(super) fn of_area(&self, area: BoardArea) -> f64 {
        iter_squares(area.squares()).map(|square| self.squares[square.index()]).sum()
    }

    /// What all squares and the numbers of moves cost, in discs.
    pub(super) fn total_cost(&self) -> f64 {
        self.squares.iter().sum::<f64>() + self.moves
    }
}

/// What the end of a line is worth to the one who made its first move, by square, in discs.
struct EndWorth {
    squares: [f64; 64],
    moves: f64,
}

impl EndWorth {
    /// The discs of a finished game; `end` is seen by the one who made the first move.
    fn of_finished(end: Board) -> EndWorth {
        let mut squares = [0.0; 64];
        iter_squares(end.player).for_each(|square| squares[square.index()] = 1.0);
        iter_squares(end.opponent).for_each(|square| squares[square.index()] = -1.0);
        EndWorth { squares, moves: 0.0 }
    }

    /// What the evaluation sees, with the one who made the first move to move (`own_turn`) or the other.
    fn of_board(end: Board, own_turn: bool, evaluation: &Evaluation) -> EndWorth {
        let (seen, sign) = if own_turn { (end, 1.0) } else { (end.pass(), -1.0) };
        let squares = evaluation.square_shares(seen).map(|share| sign * f64::from(share));
        let value = sign * f64::from(evaluation.value_in_discs(seen));
        EndWorth { squares, moves: value - squares.iter().sum::<f64>() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::{board, named, square};

    fn line(board: Board, moves: &str) -> FollowedLine {
        let squares: Vec<Square> = moves.split_whitespace().map(square).collect();
        let line = FollowedLine::new(board, &squares);
        assert_eq!(line.squares(), squares);
        line
    }

    #[test]
    fn areas_are_the_squares_that_they_name() {
        assert_eq!(BoardArea::list_all(!0).len(), 9);
        assert_eq!(BoardArea::Corner(square("h1")).squares(), named("f1 g1 h1 f2 g2 h2 f3 g3 h3"));
        assert_eq!(BoardArea::Middle.squares().count_ones(), 16);
        assert_eq!(BoardArea::Edge(BoardEdge::Left).squares().count_ones(), 8);
        let all = BoardArea::list_all(!0).into_iter().fold(0, |all, area| all | area.squares());
        assert_eq!(
            !all,
            named("d2 e2 b4 b5 g4 g5 d7 e7"),
            "no area has the squares behind the edges' middles"
        );
        // Far from the corners a quarter is named, not a corner.
        let early = BoardArea::list_all(named("d4 e4 d5 e5 g2"));
        let h1 = square("h1");
        assert!(early.contains(&BoardArea::Corner(h1)) && !early.contains(&BoardArea::Quarter(h1)));
        let a8 = square("a8");
        assert!(early.contains(&BoardArea::Quarter(a8)) && !early.contains(&BoardArea::Corner(a8)));
        assert_eq!(
            BoardArea::Quarter(a8).squares(),
            named("a5 b5 c5 d5 a6 b6 c6 d6 a7 b7 c7 d7 a8 b8 c8 d8")
        );
    }

    /// Nothing is lost: the costs of all squares and of the moves add up to the difference of the two values.
    #[test]
    fn costs_add_up_to_the_difference_of_the_evaluations() {
        let (played, better) = (line(Board::START, "f5 f4"), line(Board::START, "f5 d6"));
        let evaluation = Evaluation::shipped();
        let costs = AreaCosts::compare_lines(&played, &better, &evaluation).unwrap();
        let value = |line: &FollowedLine| f64::from(evaluation.value_in_discs(line.end));
        assert!((costs.total_cost() - (value(&better) - value(&played))).abs() < 1e-3);
        assert_eq!((costs.plies, costs.finished), (2, false));
        // Without the mistake nothing costs anything; seen the other way round it costs the opposite.
        let none = AreaCosts::compare_lines(&better, &better, &evaluation).unwrap();
        assert!(BoardArea::list_all(none.occupied).into_iter().all(|area| none.of_area(area).abs() < 1e-9));
        let back = AreaCosts::compare_lines(&better, &played, &evaluation).unwrap();
        assert!((back.total_cost() + costs.total_cost()).abs() < 1e-9);
    }

    /// In finished games discs are counted: Black takes a1 and the edge, or h8 and one disc.
    #[test]
    fn finished_games_are_counted() {
        let board = board("-OOOOOOX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX");
        let over = |board: Board| FollowedLine {
            plies: Vec::new(),
            passes: (false, false),
            end: board,
            own_turn: true,
        };
        let (played, better) = (over(board), line(board, "a1"));
        let costs = AreaCosts::compare_lines(&played, &better, &Evaluation::shipped());
        assert!(costs.is_none(), "one game alone is over");
        let lost = over(Board { player: board.player, opponent: !board.player });
        let costs = AreaCosts::compare_lines(&lost, &better, &Evaluation::shipped()).unwrap();
        assert!(costs.finished);
        assert_eq!(costs.of_area(BoardArea::Edge(BoardEdge::Top)), 14.0);
        assert_eq!(
            (costs.of_area(BoardArea::Corner(square("a1"))), costs.of_area(BoardArea::Middle)),
            (6.0, 0.0)
        );
    }
}
