//! Go as the tree sees it.

use std::sync::{Mutex, PoisonError};

use ishi_go::{Board, Color, Move, Point, playout};
use ishi_mcts::{Action, Candidate, Domain, NodeId};
use ishi_rng::Seed;

use super::playout::{Memory, PlayoutParams, Policy, move_of};
use super::priors::{PriorParams, Rated, RatingMemory};
use super::proofs::{ProofParams, Proofs, Wrong};
use super::reward::RewardParams;
use super::tabu::{LeafPlace, TabuLists, Visit};

/// What a search starts from.
#[derive(Clone)]
pub(crate) struct Root {
    pub(crate) board: Board,
    pub(crate) to_move: Color,
    /// The last two moves, the last one last; passes where there are none.
    pub(crate) history: [Action; 2],
    /// Moves that may be chosen.
    pub(crate) moves: Vec<Move>,
    /// What Black's area lead must exceed for Black to win.
    pub(crate) white_bonus: f64,
    /// Moves of the game so far.
    pub(crate) played: usize,
}

/// Go from one root.
pub(crate) struct GoDomain<'a> {
    root: Root,
    tabu: &'a TabuLists,
    policy: Policy,
    params: PlayoutParams,
    priors: PriorParams,
    reward: RewardParams,
    seed: Seed,
    proofs: ProofParams,
    /// What threads go on with, by their numbers.
    carried: Mutex<Vec<Option<Carried>>>,
    /// Are owners counted for each first move too?
    owners_by_move: bool,
}

/// What a thread takes from one part of a search to the next.
pub(crate) struct Carried {
    memory: Memory,
    proofs: Proofs,
}

/// A thread's board and what its playouts have shown.
pub(crate) struct Worker {
    board: Board,
    color: Color,
    /// The moves since the root, with two before them.
    history: Vec<Action>,
    pub(crate) carried: Carried,
    rating: RatingMemory,
    /// Over playouts: +1 for Black's points and -1 for White's, by [`Point::index`].
    pub(crate) ownership: Vec<i32>,
    /// Of all playouts.
    pub(crate) tally: Tally,
    /// Of those that began with a move, by [`Point::index`], 0 for a pass.
    pub(crate) by_move: Vec<Tally>,
    /// As `ownership`, by the first move like `by_move`; empty where nothing was counted.
    pub(crate) owners_by_move: Vec<Vec<i32>>,
}

/// How playouts ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) playouts: u64,
    /// Sum of Black's lead after komi.
    pub(crate) score: f64,
    /// Sum of its squares.
    pub(crate) squares: f64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.playouts += other.playouts;
        self.score += other.score;
        self.squares += other.squares;
    }

    /// Black's mean lead, if there was a playout.
    pub(crate) fn mean(self) -> Option<f64> {
        (self.playouts > 0).then(|| self.score / self.playouts as f64)
    }

    /// Standard deviation of the lead over these playouts; one alone has none.
    pub(crate) fn deviation(self) -> Option<f64> {
        let mean = self.mean().filter(|_| self.playouts > 1)?;
        Some((self.squares / self.playouts as f64 - mean * mean).max(0.0).sqrt())
    }
}

impl<'a> GoDomain<'a> {
    pub(crate) fn new(
        root: Root,
        params: PlayoutParams,
        priors: PriorParams,
        reward: RewardParams,
        tabu: &'a TabuLists,
        seed: Seed,
    ) -> GoDomain<'a> {
        let policy = Policy::new(&params).with_komi(root.white_bonus);
        let carried = Mutex::default();
        let proofs = ProofParams::OFF;
        GoDomain { root, tabu, policy, params, priors, reward, seed, proofs, carried, owners_by_move: false }
    }

    /// Owners are counted for each first move too, or not.
    pub(crate) fn counting_owners_by_move(mut self, wanted: bool) -> Self {
        self.owners_by_move = wanted;
        self
    }

    /// Groups are read so much; without this they are not.
    pub(crate) fn proving(self, proofs: ProofParams) -> Self {
        GoDomain { proofs, ..self }
    }

    /// Threads go on with what they had at the end of another search, their random numbers included.
    pub(crate) fn resuming(mut self, carried: Vec<Carried>) -> Self {
        self.carried = Mutex::new(carried.into_iter().map(Some).collect());
        self
    }

    fn carried(&self, thread: usize) -> Carried {
        let mut carried = self.carried.lock().unwrap_or_else(PoisonError::into_inner);
        let resumed = carried.get_mut(thread).and_then(Option::take);
        resumed.unwrap_or_else(|| Carried {
            memory: Memory::new(&self.params, self.seed.stream("playouts", thread as u64)),
            proofs: Proofs::new(self.proofs),
        })
    }

    /// Plays to the end. Gives Black's area minus White's, as it ought to be if what is proved of groups says so.
    fn play_out(&self, worker: &mut Worker, visit: Option<&mut Visit<'_>>) -> i32 {
        let over = worker.both_passed();
        let Carried { memory, proofs } = &mut worker.carried;
        let board = &mut worker.board;
        if over {
            // Nobody will take what is dead.
            proofs.believe();
            return ishi_go::score::area(board).margin();
        }
        proofs.arrive(board);
        let end = self.policy.run(board, worker.color, memory, &mut worker.history, visit);
        proofs.see(&self.root.board, board);
        // Other ends are clear without it, and counted in another way.
        end.score + if end.is_counted { proofs.correct(board) } else { 0 }
    }

    /// What the side to move at the root gets for this winner (none: a draw) and this lead.
    fn reward(&self, winner: Option<Color>, black_lead: f64) -> f32 {
        let won = winner.map_or(0.5, |winner| if winner == self.root.to_move { 1.0 } else { 0.0 });
        let lead = if self.root.to_move == Color::Black { black_lead } else { -black_lead };
        self.reward.reward(won, lead as f32, self.root.board.size().area())
    }
}

impl Worker {
    /// Have both sides passed since the root?
    fn both_passed(&self) -> bool {
        self.history[2..].ends_with(&[Action(0), Action(0)])
    }
}

/// Adds the owners at the end of a playout, but the real ones where they were wrong.
fn count_owners(end: &Board, wrong: &[Wrong], sums: &mut [i32]) {
    playout::add_ownership(end, sums);
    for point in wrong {
        sums[point.point.index()] += i32::from(point.change());
    }
}

impl Domain for GoDomain<'_> {
    type Worker = Worker;

    fn actions(&self) -> usize {
        Point::INDICES
    }

    fn worker(&self, thread: usize) -> Worker {
        Worker {
            board: self.root.board.clone(),
            color: self.root.to_move,
            history: Vec::with_capacity(1024),
            carried: self.carried(thread),
            rating: RatingMemory::default(),
            ownership: vec![0; Point::INDICES],
            tally: Tally::default(),
            by_move: vec![Tally::default(); Point::INDICES],
            owners_by_move: if self.owners_by_move { vec![Vec::new(); Point::INDICES] } else { Vec::new() },
        }
    }

    fn restart(&self, worker: &mut Worker) {
        worker.board.copy_from(&self.root.board);
        worker.color = self.root.to_move;
        worker.history.clear();
        worker.history.extend(self.root.history);
    }

    fn descend(&self, worker: &mut Worker, step: Action) {
        worker.board.play_unchecked(worker.color, move_of(step));
        worker.history.push(step);
        worker.color = !worker.color;
    }

    fn expand(&self, worker: &mut Worker, depth: usize, candidates: &mut Vec<Candidate>) {
        if worker.both_passed() {
            return;
        }
        let played = worker.history.len() - 2;
        let last_two = [worker.history[worker.history.len() - 2], worker.history[worker.history.len() - 1]];
        // Late in the game, and after the opponent's, a pass is worth a thought.
        let late = worker.board.empty_count() * 4 < worker.board.size().area();
        let with_pass = late || last_two[1].0 == 0 && played + self.root.played > 0;
        let rated = Rated { board: &worker.board, color: worker.color, history: last_two, with_pass };
        self.priors.rate(&rated, |_| true, &mut worker.rating, candidates);
        if depth == 0 {
            candidates.retain(|candidate| self.root.moves.contains(&move_of(candidate.action)));
            if candidates.is_empty() && self.root.moves.contains(&Move::Pass) {
                candidates.push(Candidate { action: Action(0), prior: 1.0, weight: 0.0, value: 0.0 });
            }
        }
    }

    fn playout(&self, worker: &mut Worker, leaf: NodeId, trace: &mut Vec<Action>) -> f32 {
        let start = worker.history.len();
        let place =
            LeafPlace { played: self.root.played, depth: start - 2, area: worker.board.size().area() };
        let mut visit = (!self.tabu.are_off() && !worker.both_passed()).then(|| self.tabu.visit(leaf, place));
        let score = self.play_out(worker, visit.as_mut());
        trace.extend_from_slice(&worker.history[start..]);
        let (board, wrong) = (&worker.board, worker.carried.proofs.wrong());
        count_owners(board, wrong, &mut worker.ownership);
        let lead = f64::from(score) - self.root.white_bonus;
        let one = Tally { playouts: 1, score: lead, squares: lead * lead };
        worker.tally.add(one);
        if let Some(first) = worker.history.get(2) {
            let first = usize::from(first.0);
            worker.by_move[first].add(one);
            if let Some(owners) = worker.owners_by_move.get_mut(first) {
                owners.resize(Point::INDICES, 0);
                count_owners(board, wrong, owners);
            }
        }
        let winner = if lead > 0.0 { Some(Color::Black) } else { (lead < 0.0).then_some(Color::White) };
        worker.carried.memory.replies.learn(&worker.history[start - 2..], worker.color, winner);
        if let Some(visit) = visit {
            visit.finish(winner == Some(!worker.color));
        }
        self.reward(winner, lead)
    }

    fn expanded(&self, leaf: NodeId) {
        self.tabu.forget(leaf);
    }

    fn renumbered(&self) {
        self.tabu.clear();
    }
}
