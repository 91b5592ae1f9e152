//! Problems: positions in one part of an otherwise empty board, where one move decides about some stones.
//!
//! Nobody says which stones a problem is about. It is those whose fate depends on who moves first: short searches for every chain
//! and either side tell which these are, and a longer one looks for the move that does best by all of them.

use ishi_go::{Board, Color, Move, Point, Position};
use ishi_mcts::{SearchBudget, Tree, TreeParams};
use ishi_reading::LifeReader;
use ishi_rng::Seed;
use ishi_work::Stop;

use super::part::BoardPart;
use super::{FateGoal, LocalDomain, LocalQuestion, PointRegion, RatedBy, StakedStone, fate};
use crate::go_mcts::params::MctsParams;
use crate::go_mcts::playout::move_of_action;
use ishi_engine::Control;

/// How a problem is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProblemParams {
    /// Moves that proofs of life and death may play for a question; see [`LifeReader::solve_problem`].
    pub proof: u32,
    /// Playouts of a short search, for each chain and either side.
    pub scout: u64,
    /// Playouts of the long search, each of 160 moves: longer ones count for more, and so do ratings of moves. A move takes some 0.8 us, so that 8,000
    /// playouts take a second.
    pub playouts: u64,
    /// Moves are at most so many lines from a stone.
    pub reach: usize,
    /// Does the network of life and death rate the moves of the long search?
    pub network: bool,
}

impl ProblemParams {
    /// With the network of life and death, or without it: then there is time for more proofs.
    pub fn with_network(network: bool) -> ProblemParams {
        let (proof, playouts) = if network { (100_000, 30_000) } else { (1_000_000, 22_000) };
        ProblemParams { proof, scout: 700, playouts, reach: 2, network }
    }
}

impl Default for ProblemParams {
    fn default() -> Self {
        ProblemParams::with_network(true)
    }
}

/// A chain that a problem is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProblemStake {
    /// One of its stones.
    pub stone: Point,
    /// How much depends on who moves first, 0 to 1, by short searches.
    pub depends: f64,
    /// Its part of what the long search looked for; all parts add up to 1.
    pub weight: f64,
}

/// The answer to a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemSolution {
    /// The move.
    pub mv: Point,
    /// Is it proved, rather than found by playouts?
    pub proved: bool,
    /// Share of what is at stake that it gets, 0 to 1: 1 where it is proved.
    pub success: f64,
    /// What is at stake, the most first; nothing where it is proved.
    pub stakes: Vec<ProblemStake>,
    /// The expected continuation, this move first.
    pub variation: Vec<Move>,
}

/// Chains of fewer stones are hardly what a problem is about.
const STONES: usize = 2;
/// More stones are not worth more.
const MANY: usize = 12;
/// Any chain counts as so many stones more: a cutting stone decides about others.
const CUTTING: usize = 3;
/// At most so many chains are at stake, and none that matters less than this share of what the first does.
const CHAINS: usize = 5;
const SHARE: f64 = 0.2;
/// Work that counts as a playout of the long search, so that it does not take longer where playouts are long.
const USUAL: u64 = 160;
/// A short search looks at moves so many lines from the chain.
const SCOUT_REACH: usize = 3;
/// The largest part of the board, in percent, that the stones' surroundings cover in a problem, and the fewest stones of one.
const PART: usize = 65;
const LEAST_STONES: usize = 6;

/// Is this a position as problems are drawn: all stones in one part of the board, and the rest of it empty?
pub fn is_problem(board: &Board) -> bool {
    let stones = all_stones(board);
    let around = PointRegion::around_stones(board, &stones, 3);
    stones.len() >= LEAST_STONES && around.points.len() * 100 <= board.size().area() * PART
}

/// The answer of a player whose moves are restricted, in a position where all stones stand in one part of the board: the move that decides about
/// them. None where it is no such position, `params` has no playouts, or no move helps.
pub(crate) fn answer_to_problem(
    position: &Position,
    color: Color,
    params: &ProblemParams,
    control: &Control<'_>,
    seed: Seed,
) -> Option<Move> {
    let allowed = control.allowed?;
    if params.playouts == 0 || !is_problem(position.board()) {
        return None;
    }
    let points: Vec<Point> = allowed.iter().filter_map(|mv| mv.point()).collect();
    let solution = solve_problem(position.board(), color, &points, params, control.stop, seed)?;
    position.is_legal(color, solution.mv.into()).then_some(solution.mv.into())
}

/// The best of these moves for the side to move, in a position where all that matters stands near the stones
/// ([`is_problem`]). None if nothing depends on who moves first, or no move helps.
///
/// The same seed gives the same answer, unless `stop` ends the search.
pub fn solve_problem(
    board: &Board,
    to_move: Color,
    moves: &[Point],
    params: &ProblemParams,
    stop: &dyn Stop,
    seed: Seed,
) -> Option<ProblemSolution> {
    if let Some(mv) = LifeReader::new(params.proof).solve_problem(board, to_move, moves) {
        let variation = vec![mv.into()];
        return Some(ProblemSolution { mv, proved: true, success: 1.0, stakes: Vec::new(), variation });
    }
    let part = BoardPart::around_stones(board, params.reach.max(SCOUT_REACH) + 1);
    let ground = PointRegion::around_stones(&part.board, &all_stones(&part.board), params.reach);
    let problem = ProblemSearch { board: &part.board, to_move, params, ground: &ground, stop, seed };
    let mut stakes = problem.find_stakes();
    let tree = problem.search_stakes(&stakes)?;
    // Only now: the search was asked about points of the part.
    stakes.iter_mut().for_each(|stake| stake.stone = part.to_whole(stake.stone));
    let mut children = tree.ranked_children().into_iter();
    children.find_map(|child| match part.move_to_whole(move_of_action(child.action)) {
        Move::Play(mv) if moves.contains(&mv) => {
            let variation =
                child.variation.iter().map(|&step| part.move_to_whole(move_of_action(step))).collect();
            let (success, stakes) = (child.win_rate.into(), stakes.clone());
            Some(ProblemSolution { mv, proved: false, success, stakes, variation })
        }
        _ => None,
    })
}

/// When a search ends.
#[derive(Clone, Copy)]
enum ProblemLimit {
    Playouts(u64),
    /// See [`LocalDomain::work_done`].
    Work(u64),
}

/// What its searches share.
struct ProblemSearch<'a> {
    board: &'a Board,
    to_move: Color,
    params: &'a ProblemParams,
    /// Points near the stones.
    ground: &'a PointRegion,
    stop: &'a dyn Stop,
    seed: Seed,
}

impl ProblemSearch<'_> {
    /// The chains whose fates depend most on who moves first, weighted by that and by their stones.
    fn find_stakes(&self) -> Vec<ProblemStake> {
        let board = self.board;
        let mut stakes: Vec<ProblemStake> = board
            .chains()
            .filter(|&chain| board.chain_length(chain) >= STONES)
            .map(|chain| {
                let stone = board.chain_stones(chain).next().expect("a chain has stones");
                let depends = self.dependence_on_mover(stone);
                let weight = depends * (board.chain_length(chain).min(MANY) + CUTTING) as f64;
                ProblemStake { stone, depends, weight }
            })
            .collect();
        stakes.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let most = stakes.first().map_or(0.0, |stake| stake.weight);
        stakes.retain(|stake| stake.weight > 0.0 && stake.weight >= SHARE * most);
        stakes.truncate(CHAINS);
        let total: f64 = stakes.iter().map(|stake| stake.weight).sum();
        stakes.iter_mut().for_each(|stake| stake.weight /= total);
        stakes
    }

    /// By how much more than one of the two sides gets its way by moving first: 0 where it is settled, 1 where all depends on it.
    fn dependence_on_mover(&self, stone: Point) -> f64 {
        let owner = self.board.color(stone).expect("a chain's stone");
        let success = |first: Color| {
            let (question, stones) = fate::question_of_goal(self.board, FateGoal::Live(stone), owner);
            let near = PointRegion::around_stones(self.board, &stones, SCOUT_REACH);
            let tree =
                self.search_question(question, first, near, ProblemLimit::Playouts(self.params.scout), false);
            tree.ranked_children().first().map_or(0.0, |child| f64::from(child.win_rate))
        };
        // Where one side has its way whoever begins, the two shares add up to one; what goes beyond is due to the first move.
        (success(self.to_move) + success(!self.to_move) - 1.0).max(0.0)
    }

    /// The search for the move that gets most of the stakes. None if there are none.
    fn search_stakes(&self, stakes: &[ProblemStake]) -> Option<Tree> {
        let staked = |stake: &ProblemStake| StakedStone {
            stone: stake.stone,
            owner: self.board.color(stake.stone).expect("a chain's stone"),
            weight: stake.weight as f32,
        };
        let question = LocalQuestion::Lives(stakes.iter().map(staked).collect());
        let limit = ProblemLimit::Work(self.params.playouts.saturating_mul(USUAL));
        let near = self.ground.clone();
        (!stakes.is_empty())
            .then(|| self.search_question(question, self.to_move, near, limit, self.params.network))
    }

    fn search_question(
        &self,
        question: LocalQuestion,
        first: Color,
        near: PointRegion,
        limit: ProblemLimit,
        network: bool,
    ) -> Tree {
        let by = if network { RatedBy::Life } else { RatedBy::Strengths };
        let domain =
            LocalDomain::new(self.board, question, first, near, self.ground, self.seed).with_rated_by(by);
        let mut tree = Tree::new(tree_params(network));
        let mut remaining = |done: u64| match limit {
            _ if self.stop.is_requested() => 0,
            ProblemLimit::Playouts(playouts) => playouts.saturating_sub(done),
            ProblemLimit::Work(work) => work.saturating_sub(domain.work_done()),
        };
        tree.search(&domain, &mut SearchBudget { remaining: &mut remaining, threads: 1, check_every: 16 });
        tree
    }
}

/// All moves are looked at: what saves stones often looks bad. What the network of life and death thinks of them counts six times as much as
/// strengths do, and it is asked after three playouts, not eight.
fn tree_params(network: bool) -> TreeParams {
    let tree = TreeParams { stop_when_settled: false, widening_start: 0, ..MctsParams::default().tree };
    if network { TreeParams { bias: 3.0, expand_at: 3, ..tree } } else { tree }
}

fn all_stones(board: &Board) -> Vec<Point> {
    board.size().points().filter(|&point| board.color(point).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Diagram};

    use super::*;
    use crate::test_boards::{board_of_rows, point_of};

    fn solve(text: &str, params: &ProblemParams) -> (Option<ProblemSolution>, Point) {
        let diagram: Diagram = text.parse().unwrap();
        let board = diagram.to_board().unwrap();
        let moves: Vec<Point> = board.empty_points().collect();
        let solved = || solve_problem(&board, Color::Black, &moves, params, &|| false, Seed::new(1));
        let solution = solved();
        assert_eq!(solution, solved());
        (solution, diagram.marks[&'a'])
    }

    /// Three points in a row: whoever takes the middle decides.
    const THREE: &str = "
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        X X X X X . . . . . . . .
        O O O O X . . . . . . . .
        . a . O X . . . . . . . .
    ";

    #[test]
    fn a_problem_is_proved_or_found_by_playouts() {
        let params = ProblemParams { playouts: 500, scout: 200, ..ProblemParams::default() };
        let (proved, vital) = solve(THREE, &params);
        let proved = proved.unwrap();
        assert!(proved.proved && proved.mv == vital && proved.success == 1.0);
        let (found, vital) = solve(THREE, &ProblemParams { proof: 1, ..params });
        let found = found.unwrap();
        assert!(!found.proved && found.mv == vital && found.success > 0.7);
        assert!(found.stakes[0].depends > 0.5 && found.variation[0] == vital.into());
        assert!((found.stakes.iter().map(|stake| stake.weight).sum::<f64>() - 1.0).abs() < 1e-9);
    }

    /// The same in the upper right corner of a larger board: found on a part of it, told of the whole.
    #[test]
    fn a_problem_is_the_same_in_another_corner() {
        let corner = board_of_rows(THREE);
        let turn = |point: Point| Point::new(18 - point.column(), 15 - point.row());
        let stones = corner.size().points().filter_map(|point| Some((corner.color(point)?, turn(point))));
        let board = Board::from_stones(BoardSize::new(19, 16).unwrap(), stones).unwrap();
        let moves: Vec<Point> = board.empty_points().collect();
        let params = ProblemParams { playouts: 500, scout: 200, proof: 1, ..ProblemParams::default() };
        let found = solve_problem(&board, Color::Black, &moves, &params, &|| false, Seed::new(1)).unwrap();
        let vital = point_of(&board, "S16");
        assert_eq!((found.mv, found.variation[0]), (vital, vital.into()));
        assert!(found.stakes.iter().all(|stake| board.color(stake.stone).is_some()), "{found:?}");
    }

    /// Work ends a search, and ratings by the network count more than those by strengths.
    #[test]
    fn a_search_ends_after_its_work() {
        let board = board_of_rows(THREE);
        let ground = PointRegion::around_stones(&board, &all_stones(&board), 2);
        let stone = point_of(&board, "B2");
        let work_of_a_playout = |by: RatedBy| {
            let (question, _) = fate::question_of_goal(&board, FateGoal::Live(stone), Color::White);
            let domain =
                LocalDomain::new(&board, question, Color::Black, ground.clone(), &ground, Seed::new(1));
            let domain = domain.with_rated_by(by);
            let mut tree = Tree::new(tree_params(true));
            let mut remaining = |done: u64| 1_u64.saturating_sub(done);
            tree.search(&domain, &mut SearchBudget { remaining: &mut remaining, threads: 1, check_every: 1 });
            domain.work_done()
        };
        assert!(work_of_a_playout(RatedBy::Life) > work_of_a_playout(RatedBy::Strengths));
        let params = ProblemParams::default();
        let problem = ProblemSearch {
            board: &board,
            to_move: Color::Black,
            params: &params,
            ground: &ground,
            stop: &|| false,
            seed: Seed::new(1),
        };
        let visits = |limit: ProblemLimit| {
            let (question, _) = fate::question_of_goal(&board, FateGoal::Live(stone), Color::White);
            let tree = problem.search_question(question, Color::Black, ground.clone(), limit, false);
            tree.ranked_children().iter().map(|child| u64::from(child.visits)).sum::<u64>()
        };
        let [short, long] = [4_000, 40_000].map(|work| visits(ProblemLimit::Work(work)));
        assert!(short >= 16 && 4 * short < long && long < 40_000, "{short} {long}");
    }

    #[test]
    fn only_moves_that_are_asked_about_are_answers() {
        let board = board_of_rows(THREE);
        let params = ProblemParams { playouts: 500, scout: 200, proof: 1, ..ProblemParams::default() };
        let far = point_of(&board, "M12");
        let solution = solve_problem(&board, Color::Black, &[far], &params, &|| false, Seed::new(1));
        assert_eq!(solution, None);
    }

    #[test]
    fn a_problem_stands_in_one_part_of_the_board() {
        let board = board_of_rows(THREE);
        assert!(is_problem(&board));
        let mut open = board.clone();
        for (column, row) in [(3, 9), (9, 9), (9, 3)] {
            open.play_unchecked(Color::Black, Move::Play(Point::new(column, row)));
        }
        assert!(!is_problem(&open), "stones all over the board");
        assert!(!is_problem(&Board::new(board.size())), "nothing to solve");
    }
}
