//! The middle game: null windows with selective cuts, and principal variations.
//!
//! A search is as deep as there are empty squares ("to the end"), or it ends with the evaluation.

use ishi_othello::simd::Vectors;

use super::CutConfidence;
use super::endgame::endgame_cost;
use super::last::NONE;
use super::probcut;
use super::table::{NO_MOVE, TranspositionEntry, hash_board};
use super::worker::{MOST_MOVES, MoveList, SearchNode, SearchWorker};
use crate::eval::UNITS_PER_DISC;

/// Up to so many empty squares a search to the end needs no evaluation.
pub(super) const WITHOUT_EVALUATION: u32 = 13;

impl<V: Vectors> SearchWorker<'_, V> {
    /// More than `alpha`, looking `depth` plies ahead? The answer is a bound, on the side of alpha that it is on.
    pub(super) fn search_null_window(&mut self, node: &SearchNode, alpha: i32, depth: u32) -> i32 {
        let vectors = self.vectors;
        if depth == node.empties && depth <= WITHOUT_EVALUATION {
            return self.solve_endgame(node.player, node.opponent, node.odd, node.empties, alpha);
        }
        vectors.run(
            #[inline(always)]
            move || match depth {
                0 => self.evaluate_leaf(node),
                1 => self.search_one_ply(node, alpha),
                _ => self.search_null_window_inside(node, alpha, depth),
            },
        )
    }

    /// The static value.
    #[inline(always)]
    fn evaluate_leaf(&mut self, node: &SearchNode) -> i32 {
        self.nodes += 1;
        if node.empties == 0 {
            return node.final_score();
        }
        node.value_in_discs(self)
    }

    /// One ply: the best static value of the children.
    #[inline(always)]
    fn search_one_ply(&mut self, node: &SearchNode, alpha: i32) -> i32 {
        self.nodes += 1;
        let moves = node.moves;
        if moves == 0 {
            return self.search_after_pass(node, alpha, alpha + 1, 1);
        }
        let mut choices = MoveList::<MOST_MOVES>::empty();
        choices.add_moves(self.vectors, node.player, node.opponent, moves);
        choices.put_least_mobile_first();
        let mut best = NONE;
        for choice in choices.as_slice() {
            self.nodes += 1;
            let child = node.after_move(self.vectors, choice.square, choice.flips, choice.replies);
            let score = -child.value_in_discs(self);
            best = best.max(score);
            if score > alpha {
                break;
            }
        }
        best
    }

    /// No move: the other side's turn, or the end.
    #[inline(never)]
    fn search_after_pass(&mut self, node: &SearchNode, alpha: i32, beta: i32, depth: u32) -> i32 {
        let moves = self.vectors.legal_moves(node.opponent, node.player);
        if moves == 0 {
            return node.final_score();
        }
        -self.search_principal(&node.pass(moves), -beta, -alpha, depth)
    }

    #[inline(always)]
    fn search_null_window_inside(&mut self, node: &SearchNode, alpha: i32, depth: u32) -> i32 {
        // 1. Stop?
        if self.must_stop() {
            return alpha;
        }
        self.nodes += 1;
        let before = self.nodes;
        // 2. Stable discs.
        if let Some(bound) = self.stability_cut(node.player, node.opponent, node.empties, alpha) {
            return bound;
        }
        // 3. The table.
        let key = hash_board(node.player, node.opponent);
        let known = self.shared.table.get(key);
        if let Some(score) = known.and_then(|entry| self.known_bound(&entry, depth, alpha)) {
            return score;
        }
        // 4. Moves.
        let moves = node.moves;
        if moves == 0 {
            return self.search_after_pass(node, alpha, alpha + 1, depth);
        }
        // 5. A shallow search says that it is hardly worth while.
        if self.confidence < CutConfidence::Full
            && depth >= probcut::LEAST_DEPTH
            && let Some(score) = probcut::selective_cut(self, node, alpha, depth)
        {
            return score;
        }
        // 6. The moves in order, and whether the table answers for one of them.
        let mut choices = MoveList::<MOST_MOVES>::empty();
        choices.add_moves(self.vectors, node.player, node.opponent, moves);
        if depth >= 3 {
            choices.prefetch_children((node.player, node.opponent), self.shared.table);
        }
        if depth >= 4 {
            let found = choices.known_bound(self.shared.table, alpha, depth, self.confidence);
            if let Some(score) = found {
                return score;
            }
        }
        // 7. Search. The move of the table often is enough: the others are put in order, which costs much, once it was not.
        let mut from_table = choices.take_move(known.map_or(NO_MOVE, |entry| entry.moves[0]));
        let mut ordered = false;
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        loop {
            if from_table.is_none() && !ordered {
                self.order_moves(node, &mut choices, known.as_ref(), depth, alpha);
                ordered = true;
            }
            let Some(choice) = from_table.take().or_else(|| choices.take_best()) else { break };
            let score = if choice.flips == node.opponent {
                64
            } else {
                let child = node.after_move(self.vectors, choice.square, choice.flips, choice.replies);
                -self.search_null_window(&child, -alpha - 1, depth - 1)
            };
            if self.halted {
                return alpha;
            }
            if score > best {
                (best, best_square) = (score, choice.square.index() as u8);
                if score > alpha {
                    break;
                }
            }
        }
        // 8. Keep.
        let effort = (depth, self.confidence);
        self.keep_result(self.shared.table, key, effort, (alpha, alpha + 1), (best, best_square), before);
        best
    }

    /// What the table says, if it answers the question.
    #[inline(always)]
    fn known_bound(&self, entry: &TranspositionEntry, depth: u32, alpha: i32) -> Option<i32> {
        if u32::from(entry.depth) < depth || entry.confidence < self.confidence as u8 {
            return None;
        }
        entry.bound_against(alpha)
    }

    /// Gives every move that is left its cost: the value of a shallow search for the opponent, and how many answers it leaves. The move of the table
    /// has been taken before: it needs no cost.
    #[inline(never)]
    fn order_moves(
        &mut self,
        node: &SearchNode,
        choices: &mut MoveList<MOST_MOVES>,
        known: Option<&TranspositionEntry>,
        depth: u32,
        alpha: i32,
    ) {
        let vectors = self.vectors;
        vectors.run(
            #[inline(always)]
            move || self.order_moves_inside(node, choices, known, depth, alpha),
        );
    }

    #[inline(always)]
    fn order_moves_inside(
        &mut self,
        node: &SearchNode,
        choices: &mut MoveList<MOST_MOVES>,
        known: Option<&TranspositionEntry>,
        depth: u32,
        alpha: i32,
    ) {
        let formerly_best = known.map_or(NO_MOVE, |entry| entry.moves[1]);
        let plies = ordering_depth(depth, node.empties);
        let mut number = 0;
        while let Some(choice) = choices.as_mut().get_mut(number) {
            number += 1;
            if choice.is_taken() {
                continue;
            }
            if choice.flips == node.opponent {
                choice.cost = i32::MIN;
                continue;
            }
            if choice.square.index() as u8 == formerly_best {
                choice.cost = -500_000;
                continue;
            }
            let mobility = endgame_cost(choice.square, choice.replies, node.odd);
            let (square, flips, replies) = (choice.square, choice.flips, choice.replies);
            let Some(plies) = plies else {
                choice.cost = mobility;
                continue;
            };
            let child = node.after_move(self.vectors, square, flips, replies);
            let value = match plies {
                0 => {
                    self.nodes += 1;
                    child.value_in_units(self)
                }
                plies => {
                    let confidence = std::mem::replace(&mut self.confidence, CutConfidence::Low);
                    // A little better than alpha is enough to come early.
                    let low = (-alpha - 1 - 12).max(-64);
                    let score = self.search_principal(&child, low, 64, plies);
                    self.confidence = confidence;
                    score * UNITS_PER_DISC
                }
            };
            let weight = if depth == node.empties { UNITS_PER_DISC * 3 / 16 } else { UNITS_PER_DISC / 64 };
            if let Some(choice) = choices.as_mut().get_mut(number - 1) {
                choice.cost = value + weight * mobility;
            }
        }
    }

    /// The score within `alpha` and `beta`, looking `depth` plies ahead; outside, a bound.
    pub(super) fn search_principal(&mut self, node: &SearchNode, alpha: i32, beta: i32, depth: u32) -> i32 {
        if beta - alpha <= 1 {
            return self.search_null_window(node, alpha, depth);
        }
        let vectors = self.vectors;
        vectors.run(
            #[inline(always)]
            move || match depth {
                0 => self.evaluate_leaf(node),
                _ => self.search_principal_inside(node, alpha, beta, depth),
            },
        )
    }

    #[inline(always)]
    fn search_principal_inside(&mut self, node: &SearchNode, mut alpha: i32, beta: i32, depth: u32) -> i32 {
        if self.must_stop() {
            return alpha;
        }
        self.nodes += 1;
        let before = self.nodes;
        let lowest = alpha;
        let moves = node.moves;
        if moves == 0 {
            return self.search_after_pass(node, alpha, beta, depth);
        }
        let key = hash_board(node.player, node.opponent);
        let known = self.shared.table.get(key);
        let mut choices = MoveList::<MOST_MOVES>::empty();
        choices.add_moves(self.vectors, node.player, node.opponent, moves);
        if depth == 1 && node.empties > 1 {
            let mut best = NONE;
            for choice in choices.as_slice() {
                self.nodes += 1;
                let child = node.after_move(self.vectors, choice.square, choice.flips, choice.replies);
                best = best.max(-child.value_in_discs(self));
                if best >= beta {
                    break;
                }
            }
            return best;
        }
        let mut from_table = choices.take_move(known.map_or(NO_MOVE, |entry| entry.moves[0]));
        self.order_moves(node, &mut choices, known.as_ref(), depth, alpha);
        let (mut best, mut best_square, mut tried) = (NONE, NO_MOVE, 0);
        while let Some(choice) = from_table.take().or_else(|| choices.take_best()) {
            tried += 1;
            let child = node.after_move(self.vectors, choice.square, choice.flips, choice.replies);
            let mut score = NONE;
            if tried > 1 {
                score = -self.search_null_window(&child, -alpha - 1, depth - 1);
            }
            if tried == 1 || score > alpha && score < beta {
                score = -self.search_principal(&child, -beta, -alpha, depth - 1);
            }
            if self.halted {
                return alpha;
            }
            if score > best {
                (best, best_square) = (score, choice.square.index() as u8);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        let effort = (depth, self.confidence);
        self.keep_result(self.shared.table, key, effort, (lowest, beta), (best, best_square), before);
        best
    }
}

/// How deep the search is that orders the moves; `None`: by mobility only. Measured.
#[inline(always)]
fn ordering_depth(depth: u32, empties: u32) -> Option<u32> {
    if depth == empties {
        match depth {
            0..=12 => None,
            13..=15 => Some(0),
            16..=18 => Some(1),
            19..=21 => Some(2),
            _ => Some(3),
        }
    } else {
        match depth {
            0..=2 => None,
            3..=10 => Some(0),
            11..=17 => Some(1),
            _ => Some(2),
        }
    }
}
