//! Go as the tree of judged positions sees it.

use std::collections::BTreeMap;

use ishi_go::{Color, Move, Point, Position, Scoring, score};
use ishi_judge::network::{EvaluationMemory, Instructions, Network, NetworkOutputs};
use ishi_judge::planes::{self, POINTS};
use ishi_judge::{PlaneEncoder, Planes};
use ishi_mcts::{Action, JudgedGame, JudgedLeaf, Worth};

/// A pass, as the tree stores it.
const PASS: Action = Action(POINTS as u16);

/// A move as the tree stores it.
pub(super) fn action_of_move(mv: Move) -> Action {
    mv.point().map_or(PASS, |point| Action(planes::point_index(point) as u16))
}

/// The move of an action.
pub(super) fn move_of_action(action: Action) -> Move {
    if action == PASS { Move::Pass } else { Move::Play(planes::point_from_index(usize::from(action.0))) }
}

/// What the judging of positions needs beside the network, for each thread; it grows once and is used again.
#[derive(Debug, Default)]
pub(super) struct JudgeMemory {
    threads: Vec<ThreadMemory>,
}

#[derive(Debug, Default)]
struct ThreadMemory {
    encoder: PlaneEncoder,
    planes: Vec<Planes>,
    memory: EvaluationMemory,
}

impl JudgeMemory {
    /// For so many threads, one at least, which evaluate by these instructions.
    pub(super) fn new(threads: usize, instructions: Instructions) -> JudgeMemory {
        let thread = |_| ThreadMemory {
            memory: EvaluationMemory::with_instructions(instructions),
            ..ThreadMemory::default()
        };
        JudgeMemory { threads: (0..threads.max(1)).map(thread).collect() }
    }

    /// What the network says of each position, as it is encoded. The threads share them; what is said depends on no thread.
    pub(super) fn judge_positions<P: Sync>(
        &mut self,
        network: &Network,
        positions: &[P],
        encode: impl Fn(&P, &mut PlaneEncoder) -> Planes + Sync,
    ) -> Vec<NetworkOutputs> {
        let share = positions.len().div_ceil(self.threads.len()).max(1);
        let [first, others @ ..] = &mut self.threads[..] else {
            unreachable!("there is one thread at least")
        };
        let mut shares = positions.chunks(share);
        let own = shares.next().unwrap_or_default();
        let encode = &encode;
        std::thread::scope(|scope| {
            let started: Vec<_> = shares
                .zip(others)
                .map(|(share, thread)| scope.spawn(move || thread.judge_share(network, share, encode)))
                .collect();
            let mut outputs = first.judge_share(network, own, encode);
            outputs.extend(started.into_iter().flat_map(|thread| thread.join().expect("judging ends")));
            outputs
        })
    }
}

impl ThreadMemory {
    fn judge_share<P>(
        &mut self,
        network: &Network,
        positions: &[P],
        encode: impl Fn(&P, &mut PlaneEncoder) -> Planes,
    ) -> Vec<NetworkOutputs> {
        self.planes.clear();
        self.planes.extend(positions.iter().map(|position| encode(position, &mut self.encoder)));
        network.evaluate(&self.planes, &mut self.memory).to_vec()
    }
}

/// Black's owners, summed over judged positions.
#[derive(Clone, Debug)]
pub(super) struct OwnerSums {
    pub(super) judged: u64,
    /// By the index of [`planes::point_index`], 1 for Black's points and -1 for White's.
    pub(super) sums: Vec<f64>,
}

impl OwnerSums {
    pub(super) fn new() -> OwnerSums {
        OwnerSums { judged: 0, sums: vec![0.0; POINTS] }
    }

    fn add_owners(&mut self, color: Color, owners: &[f32; POINTS]) {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        self.judged += 1;
        for (sum, &owner) in self.sums.iter_mut().zip(owners) {
            *sum += sign * f64::from(owner);
        }
    }
}

/// Owners by the first move.
pub(super) type OwnersByMove = BTreeMap<Action, OwnerSums>;

/// Go from one root, judged by a network.
pub(super) struct JudgedGo<'a> {
    network: &'a Network,
    memory: &'a mut JudgeMemory,
    /// The root, its side to move moving.
    root: Position,
    /// Moves that may be chosen at the root.
    root_moves: Vec<Move>,
    temperature: f32,
    pub(super) owners: OwnerSums,
    /// Owners by the first move, if they are wanted.
    pub(super) owners_by_move: Option<OwnersByMove>,
}

impl<'a> JudgedGo<'a> {
    /// Go from this root; owners are summed over all moves alone.
    pub(super) fn new(
        network: &'a Network,
        memory: &'a mut JudgeMemory,
        root: Position,
        root_moves: Vec<Move>,
        temperature: f32,
    ) -> JudgedGo<'a> {
        let owners = OwnerSums::new();
        JudgedGo { network, memory, root, root_moves, temperature, owners, owners_by_move: None }
    }

    /// The moves of a position: no own eyes are filled, no own stones killed.
    fn leaf_moves(&self, leaf: &JudgedLeaf<Position>) -> Vec<Move> {
        if leaf.path.is_empty() {
            return self.root_moves.clone();
        }
        let position = &leaf.position;
        if position.is_over() {
            return Vec::new();
        }
        let (board, color) = (position.board(), position.to_move());
        let sensible =
            |&point: &Point| board.is_sensible(color, point) && position.is_legal(color, point.into());
        board.empty_points().filter(sensible).map(Move::Play).chain([Move::Pass]).collect()
    }

    fn take_outputs(&mut self, leaf: &mut JudgedLeaf<Position>, outputs: &NetworkOutputs) {
        let position = &leaf.position;
        let color = position.to_move();
        self.owners.add_owners(color, &outputs.owners);
        if let (Some(by_move), Some(&first)) = (&mut self.owners_by_move, leaf.path.first()) {
            by_move.entry(first).or_insert_with(OwnerSums::new).add_owners(color, &outputs.owners);
        }
        leaf.worth = position_worth(position, outputs);
        leaf.moves = self.leaf_moves(leaf).into_iter().map(|mv| (action_of_move(mv), 0.0)).collect();
        let logit = |action: Action| outputs.judge[usize::from(action.0)] / self.temperature;
        let most = leaf.moves.iter().map(|&(action, _)| logit(action)).fold(f32::NEG_INFINITY, f32::max);
        for (action, prior) in &mut leaf.moves {
            *prior = (logit(*action) - most).exp();
        }
    }
}

/// What a position is worth: counted where both have passed and area counts, else as the network says.
fn position_worth(position: &Position, outputs: &NetworkOutputs) -> Worth {
    if position.is_over() && position.rules().scoring == Scoring::Area {
        let black = f64::from(score::tally_area(position.board()).black_lead()) - position.white_bonus();
        let lead = if position.to_move() == Color::Black { black } else { -black } as f32;
        let win = if lead > 0.0 {
            1.0
        } else if lead < 0.0 {
            0.0
        } else {
            0.5
        };
        return Worth { win, lead };
    }
    Worth { win: 1.0 / (1.0 + (-outputs.winner).exp()), lead: outputs.lead }
}

impl JudgedGame for JudgedGo<'_> {
    type Position = Position;

    fn root(&self) -> Position {
        self.root.clone()
    }

    fn play(&self, position: &mut Position, action: Action) {
        let played = position.play(position.to_move(), move_of_action(action));
        debug_assert!(played.is_ok(), "moves of the tree are legal");
    }

    fn judge_leaves(&mut self, leaves: &mut [JudgedLeaf<Position>]) {
        let positions: Vec<&Position> = leaves.iter().map(|leaf| &leaf.position).collect();
        // The player refuses boards that are too large.
        let encode = |position: &&Position, encoder: &mut PlaneEncoder| {
            encoder.encode_position(position).unwrap_or_default()
        };
        let outputs = self.memory.judge_positions(self.network, &positions, encode);
        for (leaf, outputs) in leaves.iter_mut().zip(&outputs) {
            self.take_outputs(leaf, outputs);
        }
    }
}
