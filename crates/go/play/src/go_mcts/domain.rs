//! Go as the tree sees it.

use std::sync::{Mutex, PoisonError};

use ishi_go::{Board, Color, Move, Point, playout};
use ishi_mcts::{Action, Candidate, Domain, SearchNodeId};
use ishi_rng::Seed;

use super::playout::{PlayoutMemory, PlayoutParams, PlayoutPolicy, move_of_action};
use super::priors::{PriorParams, RatedPosition, RatingMemory};
use super::proofs::{GroupProofs, ProofParams, WrongOwner};
use super::reward::RewardParams;
use super::tabu::{LeafPlace, TabuLists, TabuVisit};

/// What a search starts from.
#[derive(Clone)]
pub(crate) struct GoRoot {
    pub(crate) board: Board,
    pub(crate) to_move: Color,
    /// The last two moves, the last one last; passes where there are none.
    pub(crate) history: [Action; 2],
    /// Moves that may be chosen.
    pub(crate) moves: Vec<Move>,
    /// What Black's area lead must exceed for Black to win, as the search counts.
    pub(crate) white_bonus: f64,
    /// The same in the game itself, without komi that was made up for a handicap game.
    pub(crate) real_bonus: f64,
    /// Moves of the game so far.
    pub(crate) played: usize,
}

/// Go from one root.
pub(crate) struct GoDomain<'a> {
    root: GoRoot,
    tabu: &'a TabuLists,
    policy: PlayoutPolicy,
    params: PlayoutParams,
    priors: PriorParams,
    reward: RewardParams,
    seed: Seed,
    proofs: ProofParams,
    /// What threads go on with, by their numbers.
    carried: Mutex<Vec<Option<CarriedMemory>>>,
    /// Are owners counted for each first move too?
    owners_by_move: bool,
}

/// What a thread takes from one part of a search to the next.
pub(crate) struct CarriedMemory {
    memory: PlayoutMemory,
    proofs: GroupProofs,
}

/// A thread's board and what its playouts have shown.
pub(crate) struct PlayoutWorker {
    board: Board,
    color: Color,
    /// The moves since the root, with two before them.
    history: Vec<Action>,
    pub(crate) carried: CarriedMemory,
    rating: RatingMemory,
    /// Over playouts: +1 for Black's points and -1 for White's, by [`Point::index`].
    pub(crate) ownership: Vec<i32>,
    /// Of all playouts.
    pub(crate) tally: PlayoutTally,
    /// Of those that began with a move, by [`Point::index`], 0 for a pass.
    pub(crate) by_move: Vec<PlayoutTally>,
    /// As `ownership`, by the first move like `by_move`; empty where nothing was counted.
    pub(crate) owners_by_move: Vec<Vec<i32>>,
}

/// How playouts ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlayoutTally {
    pub(crate) playouts: u64,
    /// Sum of Black's lead after komi.
    pub(crate) score: f64,
    /// Sum of its squares.
    pub(crate) squares: f64,
    /// Playouts that Black wins by the game's own komi; a draw is half of one.
    pub(crate) black_wins: f64,
}

impl PlayoutTally {
    pub(crate) fn add_tally(&mut self, other: PlayoutTally) {
        self.playouts += other.playouts;
        self.score += other.score;
        self.squares += other.squares;
        self.black_wins += other.black_wins;
    }

    /// Share of the playouts that a side wins by the game's own komi, if there was a playout.
    pub(crate) fn win_rate_for(self, color: Color) -> Option<f64> {
        let black = (self.playouts > 0).then(|| self.black_wins / self.playouts as f64);
        black.map(|share| if color == Color::Black { share } else { 1.0 - share })
    }

    /// Black's mean lead, if there was a playout.
    pub(crate) fn mean_lead(self) -> Option<f64> {
        (self.playouts > 0).then(|| self.score / self.playouts as f64)
    }

    /// Standard deviation of the lead over these playouts; one alone has none.
    pub(crate) fn lead_deviation(self) -> Option<f64> {
        let mean = self.mean_lead().filter(|_| self.playouts > 1)?;
        Some((self.squares / self.playouts as f64 - mean * mean).max(0.0).sqrt())
    }
}

impl<'a> GoDomain<'a> {
    pub(crate) fn new(
        root: GoRoot,
        params: PlayoutParams,
        priors: PriorParams,
        reward: RewardParams,
        tabu: &'a TabuLists,
        seed: Seed,
    ) -> GoDomain<'a> {
        let policy = PlayoutPolicy::new(&params).with_komi(root.white_bonus);
        let carried = Mutex::default();
        let proofs = ProofParams::OFF;
        GoDomain { root, tabu, policy, params, priors, reward, seed, proofs, carried, owners_by_move: false }
    }

    /// Owners are counted for each first move too, or not.
    pub(crate) fn with_owners_by_move(mut self, wanted: bool) -> Self {
        self.owners_by_move = wanted;
        self
    }

    /// Groups are read so much; without this they are not.
    pub(crate) fn with_proofs(self, proofs: ProofParams) -> Self {
        GoDomain { proofs, ..self }
    }

    /// Threads go on with what they had at the end of another search, their random numbers included.
    pub(crate) fn resuming_from(mut self, carried: Vec<CarriedMemory>) -> Self {
        self.carried = Mutex::new(carried.into_iter().map(Some).collect());
        self
    }

    fn take_carried(&self, thread: usize) -> CarriedMemory {
        let mut carried = self.carried.lock().unwrap_or_else(PoisonError::into_inner);
        let resumed = carried.get_mut(thread).and_then(Option::take);
        resumed.unwrap_or_else(|| CarriedMemory {
            memory: PlayoutMemory::new(&self.params, self.seed.stream("playouts", thread as u64)),
            proofs: GroupProofs::new(self.proofs),
        })
    }

    /// Plays to the end. Gives Black's area minus White's, as it ought to be if what is proved of groups says so.
    fn play_out(&self, worker: &mut PlayoutWorker, visit: Option<&mut TabuVisit<'_>>) -> i32 {
        let over = worker.both_passed();
        let CarriedMemory { memory, proofs } = &mut worker.carried;
        let board = &mut worker.board;
        if over {
            // Nobody will take what is dead.
            proofs.begin_uncorrected();
            return ishi_go::score::tally_area(board).black_lead();
        }
        proofs.begin_at_leaf(board);
        let end = self.policy.play_to_end(board, worker.color, memory, &mut worker.history, visit);
        proofs.observe_end(&self.root.board, board);
        // Other ends are clear without it, and counted in another way.
        end.score + if end.is_counted { proofs.correct_end(board) } else { 0 }
    }

    /// What the side to move at the root gets for this winner (none: a draw) and this lead.
    fn playout_reward(&self, winner: Option<Color>, black_lead: f64) -> f32 {
        let won = winner.map_or(0.5, |winner| if winner == self.root.to_move { 1.0 } else { 0.0 });
        let lead = if self.root.to_move == Color::Black { black_lead } else { -black_lead };
        self.reward.compute_reward(won, lead as f32, self.root.board.size().area())
    }
}

impl PlayoutWorker {
    /// Have both sides passed since the root?
    fn both_passed(&self) -> bool {
        self.history[2..].ends_with(&[Action(0), Action(0)])
    }
}

/// 1 for who leads, 0 for who is behind, and half for a draw.
fn share_of_win(lead: f64) -> f64 {
    if lead > 0.0 {
        1.0
    } else if lead < 0.0 {
        0.0
    } else {
        0.5
    }
}

/// Adds the owners at the end of a playout, but the real ones where they were wrong.
fn count_owners(end: &Board, wrong: &[WrongOwner], sums: &mut [i32]) {
    playout::add_ownership(end, sums);
    for point in wrong {
        sums[point.point.index()] += i32::from(point.change_of_lead());
    }
}

impl Domain for GoDomain<'_> {
    type Worker = PlayoutWorker;

    fn action_count(&self) -> usize {
        Point::INDICES
    }

    fn new_worker(&self, thread: usize) -> PlayoutWorker {
        PlayoutWorker {
            board: self.root.board.clone(),
            color: self.root.to_move,
            history: Vec::with_capacity(1024),
            carried: self.take_carried(thread),
            rating: RatingMemory::default(),
            ownership: vec![0; Point::INDICES],
            tally: PlayoutTally::default(),
            by_move: vec![PlayoutTally::default(); Point::INDICES],
            owners_by_move: if self.owners_by_move { vec![Vec::new(); Point::INDICES] } else { Vec::new() },
        }
    }

    fn reset_worker(&self, worker: &mut PlayoutWorker) {
        worker.board.copy_from(&self.root.board);
        worker.color = self.root.to_move;
        worker.history.clear();
        worker.history.extend(self.root.history);
    }

    fn play_action(&self, worker: &mut PlayoutWorker, step: Action) {
        worker.board.play_unchecked(worker.color, move_of_action(step));
        worker.history.push(step);
        worker.color = !worker.color;
    }

    fn list_candidates(&self, worker: &mut PlayoutWorker, depth: usize, candidates: &mut Vec<Candidate>) {
        if worker.both_passed() {
            return;
        }
        let played = worker.history.len() - 2;
        let last_two = [worker.history[worker.history.len() - 2], worker.history[worker.history.len() - 1]];
        // Late in the game, and after the opponent's, a pass is worth a thought.
        let late = worker.board.empty_count() * 4 < worker.board.size().area();
        let with_pass = late || last_two[1].0 == 0 && played + self.root.played > 0;
        let rated = RatedPosition { board: &worker.board, color: worker.color, history: last_two, with_pass };
        self.priors.rate_moves(&rated, |_| true, &mut worker.rating, candidates);
        if depth == 0 {
            candidates.retain(|candidate| self.root.moves.contains(&move_of_action(candidate.action)));
            if candidates.is_empty() && self.root.moves.contains(&Move::Pass) {
                candidates.push(Candidate { action: Action(0), prior: 1.0, weight: 0.0, value: 0.0 });
            }
        }
    }

    fn run_playout(&self, worker: &mut PlayoutWorker, leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
        let start = worker.history.len();
        let place =
            LeafPlace { played: self.root.played, depth: start - 2, area: worker.board.size().area() };
        let mut visit =
            (!self.tabu.are_off() && !worker.both_passed()).then(|| self.tabu.begin_visit(leaf, place));
        let score = self.play_out(worker, visit.as_mut());
        trace.extend_from_slice(&worker.history[start..]);
        let (board, wrong) = (&worker.board, worker.carried.proofs.wrong_owners());
        count_owners(board, wrong, &mut worker.ownership);
        // A playout is rewarded under the komi that a handicap game may be given, and told under the real one.
        let lead = f64::from(score) - self.root.white_bonus;
        let black_wins = share_of_win(f64::from(score) - self.root.real_bonus);
        let one = PlayoutTally { playouts: 1, score: lead, squares: lead * lead, black_wins };
        worker.tally.add_tally(one);
        if let Some(first) = worker.history.get(2) {
            let first = usize::from(first.0);
            worker.by_move[first].add_tally(one);
            if let Some(owners) = worker.owners_by_move.get_mut(first) {
                owners.resize(Point::INDICES, 0);
                count_owners(board, wrong, owners);
            }
        }
        let winner = if lead > 0.0 { Some(Color::Black) } else { (lead < 0.0).then_some(Color::White) };
        worker.carried.memory.replies.learn_playout(&worker.history[start - 2..], worker.color, winner);
        if let Some(visit) = visit {
            visit.finish_playout(winner == Some(!worker.color));
        }
        self.playout_reward(winner, lead)
    }

    fn on_expanded(&self, leaf: SearchNodeId) {
        self.tabu.forget_leaf(leaf);
    }

    fn on_renumbered(&self) {
        self.tabu.clear();
    }
}
