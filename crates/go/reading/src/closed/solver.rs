//! Does the target of a closed region fall? Df-pn over all legal moves (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", 2002).
//!
//! The attacker wins what he can force in a finite number of moves. So a position that comes up again is held, and a pass of the attacker that
//! changes nothing gives up: the owner passes, too.

use ishi_go::Point;

use super::memory::{ClosedMemory, Condition, position_key};
use super::region::{ClosedRegion, ClosedStones, MOST};
use super::rules::ClosedStep;
use crate::lambda::{KoRight, ReadingAnswer};
use crate::point_set::PointSet;
use crate::proof::{ChildSummary, FallSearch, ProofNumbers};

/// Longest line of moves.
const DEPTH: usize = 1000;
/// As a move: a pass.
const PASS: u8 = u8::MAX;

/// The position after a move, and what is known of it.
#[derive(Clone, Copy, Debug)]
struct ClosedChild {
    mv: u8,
    stones: ClosedStones,
    numbers: ProofNumbers,
    condition: Condition,
}

/// Reads closed regions. Keeps the room for its work, and nothing else, from question to question.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClosedSolver {
    memory: ClosedMemory,
    nodes: u32,
}

/// What is asked of a region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedQuestion<'a> {
    pub(crate) region: &'a ClosedRegion,
    pub(crate) stones: ClosedStones,
    /// Does the attacker move first?
    pub(crate) attacking: bool,
    /// Moves that are played for a search at most.
    pub(crate) most: u32,
    /// Where the first move may be.
    pub(crate) first: Option<&'a PointSet>,
}

impl ClosedSolver {
    /// The answer for the side that moves first. None: it could not be read to the end.
    pub(crate) fn read(&mut self, question: ClosedQuestion<'_>) -> Option<ReadingAnswer> {
        let first = question.first.map_or(u32::MAX, |first| question.region.subset(first));
        let mut search = ClosedSearch {
            question,
            first,
            memory: std::mem::take(&mut self.memory),
            ko: KoRight::Nobody,
            ko_seen: question.stones.ko != 0,
            nodes: 0,
            limit: 0,
            path: Vec::new(),
            visits: 0,
            children: Vec::new(),
            history: [[0; MOST]; 2],
        };
        let answer = search.read_answer(question.attacking);
        self.nodes = search.nodes;
        self.memory = search.memory;
        answer
    }

    /// Moves that were played for the last question.
    pub(crate) fn moves_read(&self) -> u32 {
        self.nodes
    }
}

/// The search for an answer.
struct ClosedSearch<'a> {
    question: ClosedQuestion<'a>,
    first: u32,
    memory: ClosedMemory,
    ko: KoRight,
    ko_seen: bool,
    nodes: u32,
    limit: u32,
    /// The visits to the positions of the path.
    path: Vec<u32>,
    visits: u32,
    /// The children of all positions of the path.
    children: Vec<ClosedChild>,
    /// How often a point has decided a position: for the owner, for the attacker.
    history: [[u32; MOST]; 2],
}

impl ClosedSearch<'_> {
    /// What is known of a position, or can be said without searching it.
    fn look_up(&mut self, stones: ClosedStones, attacking: bool) -> (ProofNumbers, Condition) {
        let region = self.question.region;
        let target = region.target_chain(stones.own);
        let liberties = region.target_liberties(target, region.empty(stones));
        if attacking && liberties & (liberties - 1) == 0 && self.is_taken(stones, liberties) {
            return (ProofNumbers::FALLS, Condition::NONE);
        }
        if let Some(known) = self.known(position_key(stones, attacking)) {
            return known;
        }
        if attacking && region.is_alive(stones, target, liberties) {
            return (ProofNumbers::HOLDS, Condition::NONE);
        }
        (self.first_numbers(stones, attacking, liberties), Condition::NONE)
    }

    /// The numbers of a position that nothing is known of. The more liberties and room the group has, the further it is from being captured. The
    /// more enemies there are in its room, and moves of theirs to be answered, the further it is from being safe.
    fn first_numbers(&self, stones: ClosedStones, attacking: bool, liberties: u32) -> ProofNumbers {
        let region = self.question.region;
        let count = |set: u32| (set & !region.plain).count_ones();
        let (liberties, room, enemies) =
            (liberties.count_ones(), count(region.empty(stones)), count(stones.enemy));
        if attacking {
            ProofNumbers { proof: liberties, disproof: 1 + room + enemies }
        } else {
            ProofNumbers { proof: liberties + room, disproof: 1 + enemies }
        }
    }

    /// May the attacker take the target on its last liberty?
    fn is_taken(&self, stones: ClosedStones, last: u32) -> bool {
        self.question.region.play(stones, last.trailing_zeros(), true) == Some(ClosedStep::Falls)
    }

    fn known(&self, key: u64) -> Option<(ProofNumbers, Condition)> {
        let known = self.memory.get(key)?;
        if let Some(depth) = known.path.checked_sub(1) {
            // Round and round takes nothing: a double ko is life, whatever threats there are.
            let visit = self.path[usize::from(depth)];
            return Some((ProofNumbers::HOLDS, Condition { top: depth, deepest: depth, visit }));
        }
        let condition = known.condition;
        let holds_here =
            condition.is_none() || self.path.get(usize::from(condition.deepest)) == Some(&condition.visit);
        holds_here.then_some((known.numbers, condition))
    }

    /// The points worth a move. Where the target is in atari its owner saves it at once.
    fn candidate_moves(&self, stones: ClosedStones, attacking: bool) -> (u32, bool) {
        let region = self.question.region;
        let empty = region.empty(stones);
        let plain = empty & region.plain;
        let (moves, may_pass) = if attacking {
            (empty & !plain | plain & plain.wrapping_neg(), stones.ko != 0)
        } else {
            let target = region.target_chain(stones.own);
            let liberties = region.target_liberties(target, empty);
            let is_atari = liberties & (liberties - 1) == 0
                && self.is_taken(ClosedStones { ko: 0, ..stones }, liberties);
            let saving = if is_atari { liberties | region.rescues(stones, target) } else { empty };
            (saving & !plain, !is_atari)
        };
        if self.path.len() == 1 { (moves & self.first, may_pass) } else { (moves, may_pass) }
    }

    /// Adds the position after each move that may be worth it, the likely ones first, up to one that decides.
    fn expand_children(&mut self, stones: ClosedStones, attacking: bool) {
        let (moves, may_pass) = self.candidate_moves(stones, attacking);
        let (order, count) = self.order_moves(moves, attacking);
        for &(_, number) in &order[..count] {
            let Some(step) = self.question.region.play(stones, u32::from(number), attacking) else {
                continue;
            };
            if self.add_child(number, step, attacking) {
                return;
            }
        }
        if may_pass {
            self.add_child(PASS, ClosedStep::Stands(ClosedStones { ko: 0, ..stones }), attacking);
        }
    }

    /// The moves of a set with how often they have decided positions: those that did so most often first (history heuristic, J. Schaeffer, 1989).
    fn order_moves(&self, mut moves: u32, attacking: bool) -> ([(u32, u8); MOST], usize) {
        let mut order = [(0, 0); MOST];
        let mut count = 0;
        while moves != 0 {
            let number = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let decided = self.history[usize::from(attacking)][number];
            let mut slot = count;
            while slot > 0 && order[slot - 1].0 < decided {
                order[slot] = order[slot - 1];
                slot -= 1;
            }
            order[slot] = (decided, number as u8);
            count += 1;
        }
        (order, count)
    }

    /// Adds the position after a move. Does it decide?
    fn add_child(&mut self, mv: u8, step: ClosedStep, attacking: bool) -> bool {
        self.nodes += 1;
        let ClosedStep::Stands(mut stones) = step else {
            let numbers = ProofNumbers::FALLS;
            self.children.push(ClosedChild {
                mv,
                stones: ClosedStones::default(),
                numbers,
                condition: Condition::NONE,
            });
            return true;
        };
        if stones.ko != 0 {
            self.ko_seen = true;
            if self.ko.is_of(!attacking) {
                stones.ko = 0;
            }
        }
        let (numbers, condition) = self.look_up(stones, !attacking);
        self.children.push(ClosedChild { mv, stones, numbers, condition });
        numbers.is_won(attacking)
    }

    /// Searches a position until it is known or a threshold is reached. Gives what it rests on, and the best move.
    fn search_position(
        &mut self,
        stones: ClosedStones,
        attacking: bool,
        threshold: ProofNumbers,
    ) -> (ProofNumbers, Condition, u8) {
        let key = position_key(stones, attacking);
        let depth = self.path.len();
        self.visits += 1;
        self.path.push(self.visits);
        self.memory.put(key, ProofNumbers::ANY, Condition::NONE, depth as u16 + 1);
        let base = self.children.len();
        self.expand_children(stones, attacking);
        let (numbers, best) = self.search_children(base, attacking, threshold);
        let condition = self.condition_of(base, best, numbers, attacking, depth);
        let mv = self.children.get(best).map_or(PASS, |child| child.mv);
        if numbers.is_won(attacking) && mv != PASS {
            self.history[usize::from(attacking)][usize::from(mv)] += 1;
        }
        self.children.truncate(base);
        self.path.pop();
        self.memory.put(key, numbers, condition, 0);
        (numbers, condition, mv)
    }

    /// Gives the numbers of the position and its best child.
    fn search_children(
        &mut self,
        base: usize,
        attacking: bool,
        threshold: ProofNumbers,
    ) -> (ProofNumbers, usize) {
        if self.children.len() == base {
            // Who has no move that matters has lost.
            return (if attacking { ProofNumbers::HOLDS } else { ProofNumbers::FALLS }, base);
        }
        loop {
            let numbers = self.children[base..].iter().map(|child| child.numbers);
            let summary = ChildSummary::from_numbers(numbers, attacking);
            let (numbers, best) = (summary.numbers, base + summary.best);
            let is_over = self.nodes >= self.limit || self.path.len() > DEPTH || self.memory.is_full();
            if numbers.is_known() || numbers.reaches(threshold) || is_over {
                return (numbers, best);
            }
            let child = self.children[best];
            let below = summary.child_threshold(threshold, child.numbers, attacking);
            let (numbers, condition, _) = self.search_position(child.stones, !attacking, below);
            self.children[best] = ClosedChild { numbers, condition, ..child };
        }
    }

    /// What a position rests on that is searched through its children. One move is enough to win, a loss rests on all; that the target falls rests
    /// on nothing.
    fn condition_of(
        &self,
        base: usize,
        best: usize,
        numbers: ProofNumbers,
        attacking: bool,
        depth: usize,
    ) -> Condition {
        if numbers.disproof != 0 || best >= self.children.len() {
            return Condition::NONE;
        }
        let condition = if attacking {
            self.children[base..].iter().fold(Condition::NONE, |all, child| all.and(child.condition))
        } else {
            self.children[best].condition
        };
        // Round and round to this very position: that alone takes nothing.
        if condition.is_none() || usize::from(condition.top) >= depth {
            return Condition::NONE;
        }
        let deepest = condition.deepest.min(depth as u16 - 1);
        Condition { deepest, visit: self.path[usize::from(deepest)], ..condition }
    }
}

impl FallSearch for ClosedSearch<'_> {
    fn search_fall(&mut self, attacking: bool, ko: KoRight) -> Option<(bool, Option<Point>)> {
        if ko == KoRight::Nobody {
            self.memory.begin_question();
        } else {
            // Who may retake at once is no worse off for it.
            self.memory.begin_search_keeping(ko == KoRight::Seeker);
        }
        self.history = [[0; MOST]; 2];
        self.ko = ko;
        self.limit = self.nodes.saturating_add(self.question.most);
        let mut stones = self.question.stones;
        if ko.is_of(attacking) {
            stones.ko = 0;
        }
        let (numbers, _, mv) = self.search_position(stones, attacking, ProofNumbers::ANY);
        let point = if mv == PASS { None } else { self.question.region.first_point(1 << mv) };
        numbers.is_known().then_some((numbers.proof == 0, point))
    }

    fn has_seen_ko(&self) -> bool {
        self.ko_seen
    }

    fn nodes_played(&self) -> u32 {
        self.nodes
    }
}
