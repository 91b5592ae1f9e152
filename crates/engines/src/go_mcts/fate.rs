//! The fate of stones: a search whose playouts are won by who captures a group, or connects it.
//!
//! Exact reading needs to know which points matter, and what counts as escaped. Playouts to the end of the game do not: a group that
//! gets out lives in them, and one that is surrounded dies. So this search answers where proofs cannot be had, and says how sure
//! it is. The tree's moves come from the stones' neighbourhood; playouts prefer it and end when the question is settled.

use ishi_go::{Board, Cell, Color, Move, Point};
use ishi_mcts::{Action, Budget, Candidate, Domain, NodeId, Params as TreeParams, Tree};
use ishi_rng::{Rng, Seed};

use super::params::Params;
use super::playout::{Memory, PlayoutParams, Policy, action, move_of};
use super::priors::{PriorParams, RatingMemory};

/// What the owner of stones wants; the opponent wants to prevent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The stone stays on the board.
    Live(Point),
    /// The two stones come to stand together, and stay.
    Join(Point, Point),
}

impl Goal {
    fn stone(self) -> Point {
        let (Goal::Live(stone) | Goal::Join(stone, _)) = self;
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
pub struct Fate {
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

impl Fate {
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
/// use ishi_engines::go_mcts::{FateParams, Goal, fate};
/// use ishi_go::{Color, Diagram};
/// use ishi_rng::Seed;
/// let diagram: Diagram = "
///     . . . . . . .
///     X X X X X X .
///     O O O O O X .
///     . . . . O X .
/// ".parse().unwrap();
/// let board = diagram.board().unwrap();
/// let goal = Goal::Live(board.size().parse_point("A2").unwrap());
/// // Four points in a row: White lives, even if Black moves first.
/// let params = FateParams { playouts: 500, ..FateParams::default() };
/// assert!(!fate(&board, goal, Color::Black, &params, Seed::new(1)).works());
/// ```
pub fn fate(board: &Board, goal: Goal, to_move: Color, params: &FateParams, seed: Seed) -> Fate {
    let Some(owner) = board.color(goal.stone()) else {
        return Fate { success: 0.0, mv: Move::Pass, variation: Vec::new() };
    };
    let domain = Local::new(board, goal, owner, to_move, params.reach, seed);
    let mut tree = Tree::new(TreeParams { stop_when_settled: true, ..Params::default().tree });
    let mut remaining = |done: u64| params.playouts.saturating_sub(done);
    tree.search(&domain, &mut Budget { remaining: &mut remaining, threads: 1, check_every: 16 });
    match tree.children().first() {
        Some(best) => Fate {
            success: best.win_rate.into(),
            mv: move_of(best.action),
            variation: best.variation.iter().map(|&step| move_of(step)).collect(),
        },
        // Settled as it stands.
        None => {
            let success = if domain.holds(board) == (to_move == owner) { 1.0 } else { 0.0 };
            Fate { success, mv: Move::Pass, variation: Vec::new() }
        }
    }
}

/// A pass is worth a thought in a local search, as a move elsewhere; this is its share of the prior, and what is thought of it.
const PASS: Candidate = Candidate { action: Action(0), prior: 0.02, weight: 30.0, value: 0.35 };

/// No move in the neighbourhood is thought to be worse than this.
const LEAST_VALUE: f32 = 0.1;

/// The question as the tree sees it.
struct Local<'a> {
    board: &'a Board,
    goal: Goal,
    owner: Color,
    to_move: Color,
    /// The neighbourhood: by point, and as a list.
    near: Vec<bool>,
    spots: Vec<Point>,
    params: PlayoutParams,
    policy: Policy,
    priors: PriorParams,
    seed: Seed,
}

/// What a thread works with.
struct Worker {
    board: Board,
    color: Color,
    /// The moves since the root, with two passes before them.
    history: Vec<Action>,
    memory: Memory,
    rating: RatingMemory,
    marks: Marks,
}

impl Worker {
    fn both_passed(&self) -> bool {
        self.history[2..].ends_with(&[Action(0), Action(0)])
    }

    fn last_two(&self) -> [Action; 2] {
        let n = self.history.len();
        [self.history[n - 2], self.history[n - 1]]
    }
}

impl<'a> Local<'a> {
    fn new(
        board: &'a Board,
        goal: Goal,
        owner: Color,
        to_move: Color,
        reach: usize,
        seed: Seed,
    ) -> Local<'a> {
        // Playouts that end by mercy would leave dead stones on the board.
        let params = PlayoutParams { mercy: 0.0, ..PlayoutParams::default() };
        let near = neighbourhood(board, goal, reach);
        let spots = board.size().points().filter(|point| near[point.index()]).collect();
        let policy = Policy::new(&params);
        let priors = PriorParams::default();
        Local { board, goal, owner, to_move, near, spots, params, policy, priors, seed }
    }

    /// Is the question settled, whatever is played?
    fn is_settled(&self, board: &Board) -> bool {
        match self.goal {
            Goal::Live(stone) => board.color(stone) != Some(self.owner),
            Goal::Join(a, b) => {
                [a, b].iter().any(|&stone| board.color(stone) != Some(self.owner))
                    || board.chain(a) == board.chain(b)
            }
        }
    }

    /// Has the owner got its way, if the game ends here?
    fn holds(&self, board: &Board) -> bool {
        self.holds_with(board, &mut Marks::default())
    }

    fn holds_with(&self, board: &Board, marks: &mut Marks) -> bool {
        let is_own = |stone| board.color(stone) == Some(self.owner);
        match self.goal {
            Goal::Live(stone) => is_own(stone),
            Goal::Join(a, b) => {
                let one_chain = || board.chain(a) == board.chain(b);
                is_own(a) && is_own(b) && (one_chain() || self.are_joined(board, a, b, marks))
            }
        }
    }

    /// Do stones and eyes of the owner lead from here to there?
    fn are_joined(&self, board: &Board, a: Point, b: Point, marks: &mut Marks) -> bool {
        let Marks { marked, todo } = marks;
        marked.fill(false);
        todo.clear();
        todo.push(a);
        marked[a.index()] = true;
        while let Some(point) = todo.pop() {
            if point == b {
                return true;
            }
            for next in point.neighbours() {
                let is_free = board.cell(next) == Cell::Empty || board.color(next) == Some(self.owner);
                if is_free && !std::mem::replace(&mut marked[next.index()], true) {
                    todo.push(next);
                }
            }
        }
        false
    }

    /// Plays until the question is settled, or until both pass.
    fn play_out(&self, worker: &mut Worker) {
        let limit = worker.history.len() + 3 * self.board.size().area();
        let mut passes = 0;
        while passes < 2 && worker.history.len() < limit && !self.is_settled(&worker.board) {
            let mv = self.choose(worker);
            worker.board.play_unchecked(worker.color, mv);
            worker.history.push(action(mv));
            worker.color = !worker.color;
            passes = if mv == Move::Pass { passes + 1 } else { 0 };
        }
    }

    /// The policy's answer to the last move, or chance's: in the neighbourhood, and elsewhere when there is nothing left in it.
    fn choose(&self, worker: &mut Worker) -> Move {
        let [before, last] = worker.last_two();
        let (board, color, memory) = (&mut worker.board, worker.color, &mut worker.memory);
        let dice = memory.rng.next_u64();
        let answer =
            if last.0 == 0 { None } else { self.policy.answer(board, color, before, last, dice, memory) };
        match answer.or_else(|| self.local_move(board, color, &mut memory.rng)) {
            Some(point) => Move::Play(point),
            None => self.policy.random_move(board, color, &mut memory.rng),
        }
    }

    /// A sensible point of the neighbourhood: the first from a random one on.
    fn local_move(&self, board: &Board, color: Color, rng: &mut Rng) -> Option<Point> {
        let (before, from) = self.spots.split_at(rng.index(self.spots.len()));
        from.iter().chain(before).copied().find(|&point| {
            board.cell(point) == Cell::Empty
                && board.is_sensible(color, point)
                && board.self_atari_size(color, point) <= self.policy.self_atari
        })
    }
}

/// Points that were visited, by [`Point::index`], and those to go on from.
struct Marks {
    marked: Vec<bool>,
    todo: Vec<Point>,
}

impl Default for Marks {
    fn default() -> Self {
        Marks { marked: vec![false; Point::INDICES], todo: Vec::new() }
    }
}

/// The points within so many lines of the stones' chains. By [`Point::index`].
fn neighbourhood(board: &Board, goal: Goal, reach: usize) -> Vec<bool> {
    let stones = match goal {
        Goal::Live(stone) => vec![stone],
        Goal::Join(a, b) => vec![a, b],
    };
    let chains = stones.into_iter().filter_map(|stone| board.chain(stone));
    let mut near = vec![false; Point::INDICES];
    for stone in chains.flat_map(|chain| board.chain_stones(chain)) {
        for point in board.size().points() {
            near[point.index()] |= stone.lines_to(point) <= reach;
        }
    }
    near
}

impl Domain for Local<'_> {
    type Worker = Worker;

    fn actions(&self) -> usize {
        Point::INDICES
    }

    fn worker(&self, thread: usize) -> Worker {
        Worker {
            board: self.board.clone(),
            color: self.to_move,
            history: Vec::new(),
            memory: Memory::new(&self.params, self.seed.stream("fate", thread as u64)),
            rating: RatingMemory::default(),
            marks: Marks::default(),
        }
    }

    fn restart(&self, worker: &mut Worker) {
        worker.board.copy_from(self.board);
        worker.color = self.to_move;
        worker.history.clear();
        worker.history.extend([Action(0); 2]);
    }

    fn descend(&self, worker: &mut Worker, step: Action) {
        worker.board.play_unchecked(worker.color, move_of(step));
        worker.history.push(step);
        worker.color = !worker.color;
    }

    fn expand(&self, worker: &mut Worker, _depth: usize, candidates: &mut Vec<Candidate>) {
        if worker.both_passed() || self.is_settled(&worker.board) {
            return;
        }
        let last_two = worker.last_two();
        self.priors.rate(&worker.board, worker.color, last_two, false, &mut worker.rating, candidates);
        candidates.retain(|candidate| self.near[usize::from(candidate.action.0)]);
        for candidate in candidates.iter_mut() {
            candidate.value = candidate.value.max(LEAST_VALUE);
        }
        let total: f32 = candidates.iter().map(|candidate| candidate.prior).sum();
        candidates.push(Candidate { prior: PASS.prior * total.max(f32::MIN_POSITIVE), ..PASS });
        let total: f32 = candidates.iter().map(|candidate| candidate.prior).sum();
        candidates.iter_mut().for_each(|candidate| candidate.prior /= total);
    }

    fn playout(&self, worker: &mut Worker, _leaf: NodeId, trace: &mut Vec<Action>) -> f32 {
        let start = worker.history.len();
        if !worker.both_passed() {
            self.play_out(worker);
        }
        trace.extend_from_slice(&worker.history[start..]);
        let holds = self.holds_with(&worker.board, &mut worker.marks);
        if holds == (self.to_move == self.owner) { 1.0 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    /// Does the side to move get its way?
    fn works(text: &str, vertices: &str, to_move: Color) -> bool {
        let board = text.parse::<Diagram>().unwrap().board().unwrap();
        let stones: Vec<Point> =
            vertices.split(' ').map(|vertex| board.size().parse_point(vertex).unwrap()).collect();
        let goal = if let [a, b] = stones[..] { Goal::Join(a, b) } else { Goal::Live(stones[0]) };
        let params = FateParams { playouts: 600, ..FateParams::default() };
        let found = fate(&board, goal, to_move, &params, Seed::new(1));
        assert_eq!(found, fate(&board, goal, to_move, &params, Seed::new(1)));
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
