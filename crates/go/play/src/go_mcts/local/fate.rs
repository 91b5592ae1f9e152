//! The fate of stones: a search whose playouts are won by who captures a group, or connects it.
//!
//! Exact reading needs to know which points matter, and what counts as escaped. Playouts to the end of the game do not: a group that
//! gets out lives in them, and one that is surrounded dies. So this search answers where proofs cannot be had, and says how sure
//! it is. The tree's moves come from the stones' neighbourhood; playouts prefer it and end when the question is settled.

use ishi_go::{Board, Color, Move, Point};
use ishi_mcts::{Domain, SearchBudget, Tree, TreeParams};
use ishi_rng::Seed;

use super::{LocalDomain, LocalQuestion, PointRegion, StakedStone};
use crate::go_mcts::params::MctsParams;
use crate::go_mcts::playout::move_of_action;

/// What the owner of stones wants; the opponent wants to prevent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FateGoal {
    /// The stone stays on the board.
    Live(Point),
    /// The two stones come to stand together, and stay.
    Join(Point, Point),
}

impl FateGoal {
    fn stone(self) -> Point {
        let (FateGoal::Live(stone) | FateGoal::Join(stone, _)) = self;
        stone
    }
}

/// How a fate is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FateParams {
    /// Playouts; on 19x19 some 8,000 take a second.
    pub playouts: u64,
    /// The tree's moves are at most so many lines from the stones.
    pub reach: usize,
}

impl Default for FateParams {
    fn default() -> Self {
        FateParams { playouts: 4000, reach: 3 }
    }
}

/// What a search thinks of a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedFate {
    /// Share of the playouts after the best move in which the side that moves first gets its way, 0 to 1.
    pub success: f64,
    /// The best move of that side; a pass where nothing need be done.
    pub mv: Move,
    /// The expected continuation, this move first.
    pub variation: Vec<Move>,
}

/// Shares of success from which a goal counts as reached. Playouts err for both sides; on GNU Go's problems (owl_attack,
/// owl_defend) anything from 0.4 to 0.5 is as good.
const ENOUGH: f64 = 0.45;

/// Playouts stay within so many lines of the tree's moves: a third faster than on the whole board, and on GNU Go's problems as often
/// right (3 lines: less often).
const MARGIN: usize = 6;

impl SearchedFate {
    /// Does the side that moves first get its way, rather than not?
    pub fn works(&self) -> bool {
        self.success > ENOUGH
    }
}

/// Searches whether the side to move reaches (or prevents) the goal. The stones' owner follows from the board.
///
/// The same seed gives the same answer. A stone that is not there cannot be kept.
///
/// ```
/// use ishi_go_play::go_mcts::{FateParams, FateGoal, search_fate};
/// use ishi_go::{Color, Diagram};
/// use ishi_rng::Seed;
/// let diagram: Diagram = "
///     . . . . . . .
///     X X X X X X .
///     O O O O O X .
///     . . . . O X .
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// let goal = FateGoal::Live(board.size().parse_point("A2").unwrap());
/// // Four points in a row: White lives, even if Black moves first.
/// let params = FateParams { playouts: 2000, ..FateParams::default() };
/// assert!(!search_fate(&board, goal, Color::Black, &params, Seed::new(1)).works());
/// ```
pub fn search_fate(
    board: &Board,
    goal: FateGoal,
    to_move: Color,
    params: &FateParams,
    seed: Seed,
) -> SearchedFate {
    let Some(owner) = board.color(goal.stone()) else {
        return SearchedFate { success: 0.0, mv: Move::Pass, variation: Vec::new() };
    };
    let (question, stones) = question_of_goal(board, goal, owner);
    let near = PointRegion::around_stones(board, &stones, params.reach);
    let ground = PointRegion::around_stones(board, &stones, params.reach + MARGIN);
    let domain = LocalDomain::new(board, question, to_move, near, &ground, seed);
    let mut tree = Tree::new(TreeParams { stop_when_settled: true, ..MctsParams::default().tree });
    let mut remaining = |done: u64| params.playouts.saturating_sub(done);
    tree.search(&domain, &mut SearchBudget { remaining: &mut remaining, threads: 1, check_every: 16 });
    match tree.ranked_children().first() {
        Some(best) => SearchedFate {
            success: best.win_rate.into(),
            mv: move_of_action(best.action),
            variation: best.variation.iter().map(|&step| move_of_action(step)).collect(),
        },
        // Settled as it stands.
        None => {
            let mut worker = domain.new_worker(0);
            domain.reset_worker(&mut worker);
            SearchedFate {
                success: domain.mover_reward(&mut worker).into(),
                mv: Move::Pass,
                variation: Vec::new(),
            }
        }
    }
}

/// What the search is about, and the stones of its chains.
pub(super) fn question_of_goal(board: &Board, goal: FateGoal, owner: Color) -> (LocalQuestion, Vec<Point>) {
    let (question, stones) = match goal {
        FateGoal::Live(stone) => {
            (LocalQuestion::Lives(vec![StakedStone { stone, owner, weight: 1.0 }]), vec![stone])
        }
        FateGoal::Join(a, b) => (LocalQuestion::Join(a, b, owner), vec![a, b]),
    };
    let chains = stones.into_iter().filter_map(|stone| board.chain(stone));
    (question, chains.flat_map(|chain| board.chain_stones(chain)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_boards::{board_of_rows, point_of};

    /// Does the side to move get its way?
    fn works(text: &str, vertices: &str, to_move: Color) -> bool {
        let board = board_of_rows(text);
        let stones: Vec<Point> = vertices.split(' ').map(|vertex| point_of(&board, vertex)).collect();
        let goal = if let [a, b] = stones[..] { FateGoal::Join(a, b) } else { FateGoal::Live(stones[0]) };
        let params = FateParams { playouts: 600, ..FateParams::default() };
        let found = search_fate(&board, goal, to_move, &params, Seed::new(1));
        assert_eq!(found, search_fate(&board, goal, to_move, &params, Seed::new(1)));
        found.works()
    }

    #[test]
    fn three_points_in_a_row_live_for_who_moves_first() {
        let text = "
            . . . . . . .
            X X X X X . .
            O O O O X . .
            . . . O X . .
        ";
        assert!(works(text, "A2", Color::White));
        assert!(works(text, "A2", Color::Black));
    }

    #[test]
    fn a_bamboo_joint_cannot_be_cut() {
        let text = "
            . . . . . . .
            . O X . X O .
            . . X . X . .
            . O . O . . .
            . . . . . . .
        ";
        assert!(!works(text, "C3 E3", Color::White));
        assert!(works(text, "C3 E3", Color::Black));
        assert!(works(text, "C3 C4", Color::Black), "stones of one chain stand together already");
    }

    #[test]
    fn a_stone_with_the_whole_board_before_it_gets_out() {
        let text = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . O . . . . . .
            . . . X . . . . .
            . . O . . . . . .
            . . . . . . . . .
            . . . . . . . . .
        ";
        assert!(!works(text, "D4", Color::White));
        assert!(works(text, "D4", Color::Black));
    }
}
