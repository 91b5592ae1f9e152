//! A local question as a tree search: playouts are won by who gets its way with some stones, not by who wins the game.

mod fate;
mod part;
mod problem;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ishi_go::{Board, Cell, Color, Move, Point};
use ishi_mcts::{Action, Candidate, Domain, SearchNodeId};
use ishi_rng::{Rng, Seed};

use super::playout::{PlayoutMemory, PlayoutParams, PlayoutPolicy, action_of_move, move_of_action};
use super::priors::{PriorParams, RatedBy, RatedPosition, RatingMemory};

pub use fate::{FateGoal, FateParams, SearchedFate, search_fate};
pub(crate) use problem::answer_to_problem;
pub use problem::{ProblemParams, ProblemSolution, ProblemStake, is_problem, solve_problem};

/// A pass is worth a thought in a local search, as a move elsewhere; this is its share of the prior, and what is thought of it.
const PASS: Candidate = Candidate { action: Action(0), prior: 0.02, weight: 30.0, value: 0.35 };

/// No move in the neighbourhood is thought to be worse than this.
const LEAST_VALUE: f32 = 0.1;

/// Stones whose owner wants them to stay on the board.
#[derive(Clone, Copy, Debug)]
struct StakedStone {
    stone: Point,
    owner: Color,
    /// Its part of a playout's worth; parts add up to 1.
    weight: f32,
}

/// What playouts are about.
enum LocalQuestion {
    /// At most 32.
    Lives(Vec<StakedStone>),
    /// Do the two stones of this colour come to stand together, and stay?
    Join(Point, Point, Color),
}

/// Points by [`Point::index`], and as a list.
#[derive(Clone)]
struct PointRegion {
    holds: Vec<bool>,
    points: Vec<Point>,
}

impl PointRegion {
    /// The points within so many lines of the stones.
    fn around_stones(board: &Board, stones: &[Point], lines: usize) -> PointRegion {
        let is_near = |point: &Point| stones.iter().any(|stone| stone.lines_to(*point) <= lines);
        let points: Vec<Point> = board.size().points().filter(is_near).collect();
        let mut holds = vec![false; Point::INDICES];
        for point in &points {
            holds[point.index()] = true;
        }
        PointRegion { holds, points }
    }
}

/// The question as the tree sees it.
struct LocalDomain<'a> {
    board: &'a Board,
    question: LocalQuestion,
    to_move: Color,
    /// The tree's moves; playouts prefer them.
    near: PointRegion,
    /// Playouts stay in here; chains that reach out of it cannot be captured.
    ground: &'a PointRegion,
    params: PlayoutParams,
    policy: PlayoutPolicy,
    priors: PriorParams,
    /// What was done so far, see [`LocalDomain::work_done`].
    work: AtomicU64,
    seed: Seed,
}

/// Rating the moves of a position by a network, or by strengths alone, takes as long as so many moves of playouts for each point of the board.
const RATED_BY_NETWORK: u64 = 3;
const RATED_BY_STRENGTHS: u64 = 1;

/// What a thread works with.
struct LocalWorker {
    board: Board,
    color: Color,
    /// The moves since the root, with two passes before them.
    history: Vec<Action>,
    /// Staked stones that were captured, one bit each.
    captured: u32,
    memory: PlayoutMemory,
    rating: RatingMemory,
    marks: VisitMarks,
}

impl LocalWorker {
    fn both_passed(&self) -> bool {
        self.history[2..].ends_with(&[Action(0), Action(0)])
    }

    fn last_two(&self) -> [Action; 2] {
        let n = self.history.len();
        [self.history[n - 2], self.history[n - 1]]
    }
}

impl<'a> LocalDomain<'a> {
    fn new(
        board: &'a Board,
        question: LocalQuestion,
        to_move: Color,
        near: PointRegion,
        ground: &'a PointRegion,
        seed: Seed,
    ) -> LocalDomain<'a> {
        // Playouts that end by mercy would leave dead stones on the board.
        let params = PlayoutParams { mercy: 0.0, ..PlayoutParams::default() };
        let policy = PlayoutPolicy::new(&params);
        let priors = PriorParams { by: RatedBy::Strengths, ..PriorParams::default() };
        let work = AtomicU64::new(0);
        LocalDomain { board, question, to_move, near, ground, params, policy, priors, work, seed }
    }

    /// Moves are rated by a network.
    fn with_rated_by(mut self, by: RatedBy) -> Self {
        self.priors.by = by;
        self
    }

    /// The work done so far, counted in moves of playouts: a measure of time that does not depend on the machine.
    fn work_done(&self) -> u64 {
        self.work.load(Relaxed)
    }

    /// Is the question settled, whatever is played?
    fn is_settled(&self, worker: &LocalWorker) -> bool {
        let board = &worker.board;
        match &self.question {
            LocalQuestion::Lives(stakes) => worker.captured.count_ones() as usize == stakes.len(),
            &LocalQuestion::Join(a, b, owner) => {
                [a, b].iter().any(|&stone| board.color(stone) != Some(owner))
                    || board.chain(a) == board.chain(b)
            }
        }
    }

    /// What the side that moves first at the root has got, 0 to 1, if the game ends here.
    fn mover_reward(&self, worker: &mut LocalWorker) -> f32 {
        match &self.question {
            LocalQuestion::Lives(stakes) => {
                let is_captured = |n: usize| worker.captured >> n & 1 == 1;
                let got =
                    |(n, stake): &(usize, &StakedStone)| (stake.owner == self.to_move) != is_captured(*n);
                stakes.iter().enumerate().filter(got).map(|(_, stake)| stake.weight).sum()
            }
            &LocalQuestion::Join(a, b, owner) => {
                let board = &worker.board;
                let stand = [a, b].iter().all(|&stone| board.color(stone) == Some(owner));
                let joined = stand
                    && (board.chain(a) == board.chain(b)
                        || are_joined(board, owner, a, b, &mut worker.marks));
                if joined == (self.to_move == owner) { 1.0 } else { 0.0 }
            }
        }
    }

    fn play_move(&self, worker: &mut LocalWorker, mv: Move) {
        worker.board.play_unchecked(worker.color, mv);
        worker.history.push(action_of_move(mv));
        worker.color = !worker.color;
        self.note_captures(worker);
    }

    fn note_captures(&self, worker: &mut LocalWorker) {
        if let LocalQuestion::Lives(stakes) = &self.question {
            for (n, stake) in stakes.iter().enumerate() {
                let stands = worker.board.color(stake.stone) == Some(stake.owner);
                worker.captured |= u32::from(!stands) << n;
            }
        }
    }

    /// Plays until the question is settled, or until both pass.
    fn play_out(&self, worker: &mut LocalWorker) {
        let limit = worker.history.len() + 3 * self.board.size().area();
        let mut passes = 0;
        while passes < 2 && worker.history.len() < limit && !self.is_settled(worker) {
            let mv = self.choose_move(worker);
            self.play_move(worker, mv);
            passes = if mv == Move::Pass { passes + 1 } else { 0 };
        }
    }

    /// The policy's answer to the last move, or chance's: in the neighbourhood, and on the rest of the ground when there is nothing left
    /// in it.
    fn choose_move(&self, worker: &mut LocalWorker) -> Move {
        let [before, last] = worker.last_two();
        let (board, color, memory) = (&mut worker.board, worker.color, &mut worker.memory);
        let dice = memory.rng.next_u64();
        let answer = if last.0 == 0 {
            None
        } else {
            self.policy.propose_answer(board, color, before, last, dice, memory)
        };
        let found = answer
            .filter(|point| self.ground.holds[point.index()])
            .or_else(|| self.find_sensible_point(&self.near.points, board, color, &mut memory.rng))
            .or_else(|| self.find_sensible_point(&self.ground.points, board, color, &mut memory.rng));
        found.map_or(Move::Pass, Move::Play)
    }

    /// A sensible point of these: the first from a random one on.
    fn find_sensible_point(
        &self,
        points: &[Point],
        board: &Board,
        color: Color,
        rng: &mut Rng,
    ) -> Option<Point> {
        let (before, from) = points.split_at(rng.next_index(points.len()));
        from.iter().chain(before).copied().find(|&point| {
            board.cell(point) == Cell::Empty
                && board.is_sensible(color, point)
                && board.self_atari_size(color, point) <= self.policy.self_atari
        })
    }
}

/// Do stones and eyes of this colour lead from here to there?
fn are_joined(board: &Board, owner: Color, a: Point, b: Point, marks: &mut VisitMarks) -> bool {
    let VisitMarks { marked, todo } = marks;
    marked.fill(false);
    todo.clear();
    todo.push(a);
    marked[a.index()] = true;
    while let Some(point) = todo.pop() {
        if point == b {
            return true;
        }
        for next in point.neighbours() {
            let is_free = board.cell(next) == Cell::Empty || board.color(next) == Some(owner);
            if is_free && !std::mem::replace(&mut marked[next.index()], true) {
                todo.push(next);
            }
        }
    }
    false
}

/// Points that were visited, by [`Point::index`], and those to go on from.
struct VisitMarks {
    marked: Vec<bool>,
    todo: Vec<Point>,
}

impl Default for VisitMarks {
    fn default() -> Self {
        VisitMarks { marked: vec![false; Point::INDICES], todo: Vec::new() }
    }
}

impl Domain for LocalDomain<'_> {
    type Worker = LocalWorker;

    fn action_count(&self) -> usize {
        Point::INDICES
    }

    fn new_worker(&self, thread: usize) -> LocalWorker {
        LocalWorker {
            board: self.board.clone(),
            color: self.to_move,
            history: Vec::new(),
            captured: 0,
            memory: PlayoutMemory::new(&self.params, self.seed.stream("fate", thread as u64)),
            rating: RatingMemory::default(),
            marks: VisitMarks::default(),
        }
    }

    fn reset_worker(&self, worker: &mut LocalWorker) {
        worker.board.copy_from(self.board);
        worker.color = self.to_move;
        worker.captured = 0;
        worker.history.clear();
        worker.history.extend([Action(0); 2]);
    }

    fn play_action(&self, worker: &mut LocalWorker, step: Action) {
        self.play_move(worker, move_of_action(step));
    }

    fn list_candidates(&self, worker: &mut LocalWorker, _depth: usize, candidates: &mut Vec<Candidate>) {
        if worker.both_passed() || self.is_settled(worker) {
            return;
        }
        let last_two = worker.last_two();
        let rating = if self.priors.by == RatedBy::Strengths { RATED_BY_STRENGTHS } else { RATED_BY_NETWORK };
        self.work.fetch_add(rating * self.board.size().area() as u64, Relaxed);
        let near = |point: Point| self.near.holds[point.index()];
        let rated =
            RatedPosition { board: &worker.board, color: worker.color, history: last_two, with_pass: false };
        self.priors.rate_moves(&rated, near, &mut worker.rating, candidates);
        // The pass has its own rating.
        candidates.retain(|candidate| candidate.action != PASS.action);
        for candidate in candidates.iter_mut() {
            candidate.value = candidate.value.max(LEAST_VALUE);
        }
        let total: f32 = candidates.iter().map(|candidate| candidate.prior).sum();
        candidates.push(Candidate { prior: PASS.prior * total.max(f32::MIN_POSITIVE), ..PASS });
        let total: f32 = candidates.iter().map(|candidate| candidate.prior).sum();
        candidates.iter_mut().for_each(|candidate| candidate.prior /= total);
    }

    fn run_playout(&self, worker: &mut LocalWorker, _leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
        let start = worker.history.len();
        if !worker.both_passed() {
            self.play_out(worker);
        }
        trace.extend_from_slice(&worker.history[start..]);
        // What leads there counts, too.
        self.work.fetch_add(worker.history.len() as u64, Relaxed);
        self.mover_reward(worker)
    }
}
