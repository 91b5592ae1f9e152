//! Leaders: bounded in groups, the groups divided until each is done.
//!
//! A leader scores with each piece by itself, so potentials that hold without a leader hold with any. A group of leaders is bounded
//! together: each piece scores with the leader of the group that is best for it. What that deletes is deleted for all of them; then each
//! leader is bounded by itself, which drops most. A group that is left is searched as one where its leaders hardly differ, or else
//! divided into those that promise more and those that promise less. At the end of a search as one, the best leader of the group is taken.

use super::branch;
use super::complete::{BestCompletion, CompletionValue, CountLimits};
use super::frame::{ProofFrame, TableView};
use super::rounds::{
    BoundRounds, WIDE_ROUNDS, improve_choice, prove_best_in_frame as prove_frame, prove_from_potentials,
    take_moves,
};
use super::search::{NOTHING, ProofSearch};
use super::wide::TableBounds;
use crate::problem::Slot;

/// So few leaders are proved one by one from the start.
const FEW: usize = 3;

/// Leaders that decks are looked for under, after each round with all of them.
const LOOKED_AT: usize = 6;

/// Of a group that is divided, one of so many leaders is among those that promise more.
const SPLIT: usize = 8;

/// A group is searched as one with so few items.
const CORE: usize = 80;

/// Finds the best deck under any of these leaders.
pub(super) fn prove_leaders<'a>(view: &'a TableView<'a>, leaders: &[Slot], search: &mut ProofSearch<'_>) {
    let (fixed, free): (Vec<Slot>, Vec<Slot>) =
        leaders.iter().partition(|&&leader| search.problem.is_fixed(leader));
    let is_many = free.len() > FEW;
    let single = if is_many { &[][..] } else { &free };
    for &leader in fixed.iter().chain(single) {
        if let Some(frame) = ProofFrame::new(view, Some(leader)) {
            search.work.leaders += 1;
            prove_frame(&frame, search);
        }
    }
    if is_many && let Some(whole) = ProofFrame::new(view, None) {
        let candidates = free.into_iter().map(|slot| LeaderCandidate { bound: i64::MAX, slot }).collect();
        let mut groups = LeaderGroups {
            view,
            counts: whole.counts,
            scratch: BestCompletion::default(),
            values: Vec::new(),
            pairs: vec![0; whole.slot.len()],
        };
        groups.prove_group(candidates, None, i64::MAX, search);
    }
}

/// A leader with its bound.
#[derive(Clone, Copy)]
struct LeaderCandidate {
    bound: i64,
    slot: Slot,
}

/// What all groups share.
struct LeaderGroups<'a> {
    view: &'a TableView<'a>,
    /// What a deck has besides what is fixed, its leader included.
    counts: CountLimits,
    scratch: BestCompletion,
    /// Of the rows that are alive, what they count beside the leader that is looked at.
    values: Vec<i64>,
    /// The scores of that leader, row by row.
    pairs: Vec<i32>,
}

/// What became of a group.
enum GroupOutcome {
    Done,
    /// To be proved again, with these candidates only.
    Fewer(Vec<LeaderCandidate>),
    /// To be divided by what promises more.
    Open(Vec<LeaderCandidate>),
    /// To be divided by what the rules leave to others.
    Apart(Vec<LeaderCandidate>),
}

impl<'a> LeaderGroups<'a> {
    fn prove_group(
        &mut self,
        mut candidates: Vec<LeaderCandidate>,
        from: Option<&TableBounds<'_>>,
        mut bound: i64,
        search: &mut ProofSearch<'_>,
    ) {
        if search.is_stopped {
            search.leave_open(bound);
            return;
        }
        if let [candidate] = candidates[..] {
            self.prove_leader(candidate, from, search);
            return;
        }
        let leaders: Vec<Slot> = candidates.iter().map(|candidate| candidate.slot).collect();
        let Some(mut frame) = ProofFrame::for_leader_group(self.view, &leaders) else { return };
        if let Some(from) = from {
            frame.items.retain(|&row| from.is_alive[row as usize]);
        }
        if frame.items.is_empty() && frame.counts.least > 0 {
            return;
        }
        let frame = frame;
        // A group that does not fit into memory stays open, and its bound counts in the answer.
        let bytes = TableBounds::bytes_for(&frame);
        if !search.take_memory(bytes) {
            search.give_back_memory(bytes);
            search.leave_open(bound);
            return;
        }
        let mut wide = TableBounds::new(&frame, search.factor, from);
        let mut moved = 0;
        let is_first = from.is_none();
        match self.tighten_group(&mut wide, candidates, &mut bound, is_first, &mut moved, search) {
            GroupOutcome::Done => {}
            GroupOutcome::Fewer(fewer) => self.prove_group(fewer, Some(&wide), bound, search),
            GroupOutcome::Apart(mut apart) => {
                apart.sort_by_key(|candidate| self.leader_demands(&frame, candidate.slot));
                let is_same = |a: &LeaderCandidate, b: &LeaderCandidate| {
                    self.leader_demands(&frame, a.slot) == self.leader_demands(&frame, b.slot)
                };
                let parts: Vec<Vec<LeaderCandidate>> =
                    apart.chunk_by(is_same).map(<[LeaderCandidate]>::to_vec).collect();
                for part in parts {
                    self.prove_group(part, Some(&wide), bound, search);
                }
            }
            GroupOutcome::Open(open) => {
                candidates = open;
                // Those that promise most come first: what is found there may settle the rest.
                let rest = candidates.split_off(candidates.len().div_ceil(SPLIT));
                self.prove_group(candidates, Some(&wide), bound, search);
                self.prove_group(rest, Some(&wide), bound, search);
            }
        }
        search.give_back_memory(bytes + moved);
    }

    /// Improves the bounds of a group; drops leaders; searches the group as one where that is best. `moved` is the memory that its steps take.
    fn tighten_group(
        &mut self,
        wide: &mut TableBounds<'_>,
        mut candidates: Vec<LeaderCandidate>,
        bound: &mut i64,
        is_first: bool,
        moved: &mut usize,
        search: &mut ProofSearch<'_>,
    ) -> GroupOutcome {
        let before = candidates.len();
        let mut rounds = BoundRounds::new(wide, *bound);
        for round in 0..WIDE_ROUNDS {
            let flow = rounds.run_round(wide, search);
            *bound = rounds.bound;
            search.bound.get_or_insert(*bound);
            if flow.is_break() {
                return GroupOutcome::Done;
            }
            if !take_moves(wide, moved, search) {
                search.leave_open(*bound);
                return GroupOutcome::Done;
            }
            if round > 0 && !rounds.has_reduced && !rounds.is_stuck(search) {
                continue;
            }
            self.bound_candidates(wide, &mut candidates, search);
            if is_first {
                for candidate in candidates.iter().take(LOOKED_AT) {
                    self.try_leader(wide, candidate.slot, search);
                }
                // A better deck may have been found.
                let target = search.bound_target();
                candidates.retain(|candidate| candidate.bound > target);
            }
            let order = &rounds.order;
            if candidates.is_empty() {
                return GroupOutcome::Done;
            }
            if candidates.len() * 4 <= before * 3 {
                return GroupOutcome::Fewer(candidates);
            }
            let gap = *bound - search.bound_target();
            let loose = self.group_looseness(wide, &candidates, search.factor);
            let is_close = order.len() <= CORE && loose < gap / 10 && loose < bound.abs() / 100;
            if is_close && !self.is_uniform(wide.frame, &candidates) {
                return GroupOutcome::Apart(candidates);
            }
            if is_close {
                search.work.core = search.work.core.max(order.len());
                branch::search_node(wide.extract_node(order), wide.frame, search, 0, *bound);
                return GroupOutcome::Done;
            }
            if loose > gap / 2 || rounds.is_stuck(search) {
                break;
            }
        }
        GroupOutcome::Open(candidates)
    }

    /// What a leader takes from the rules: its costs, and the quotas it counts in.
    fn leader_demands<'b>(&self, frame: &'b ProofFrame<'_>, leader: Slot) -> (&'b [i32], u64) {
        let row = self.view.row_of(leader);
        (frame.item_costs(row), frame.member[row as usize])
    }

    /// Do all leaders leave the same to others?
    fn is_uniform(&self, frame: &ProofFrame<'_>, candidates: &[LeaderCandidate]) -> bool {
        let first = self.leader_demands(frame, candidates[0].slot);
        candidates.iter().all(|candidate| self.leader_demands(frame, candidate.slot) == first)
    }

    /// What the pieces of a typical deck score more with the best leader of each than with the best one leader, in parts of a unit. That
    /// much a search of the group as one has to overcome in each of its decks.
    fn group_looseness(
        &mut self,
        wide: &TableBounds<'_>,
        candidates: &[LeaderCandidate],
        factor: i32,
    ) -> i64 {
        self.bound_leader(wide, candidates[0].slot, factor);
        let choice = std::mem::take(&mut self.scratch.chosen);
        let frame = wide.frame;
        let each: i64 = choice.iter().map(|&row| i64::from(frame.best_leader[row as usize])).sum();
        let mut one = i64::MIN;
        for candidate in candidates {
            self.view.write_leader_scores(candidate.slot, &mut self.pairs);
            let score: i64 = choice.iter().map(|&row| i64::from(self.pairs[row as usize])).sum();
            one = one.max(score + frame.leader_base_score(candidate.slot));
        }
        (each + frame.best_leader_base - one) * i64::from(factor)
    }

    /// Bounds all candidates, drops those that cannot lead a better deck, and sorts the rest, the largest bound first.
    fn bound_candidates(
        &mut self,
        wide: &TableBounds<'_>,
        candidates: &mut Vec<LeaderCandidate>,
        search: &mut ProofSearch<'_>,
    ) {
        for (at, candidate) in candidates.iter_mut().enumerate() {
            let bound = self.bound_leader(wide, candidate.slot, search.factor);
            candidate.bound = candidate.bound.min(bound);
            if at % 256 == 255 {
                search.notify_observer();
            }
        }
        let target = search.bound_target();
        candidates.retain(|candidate| candidate.bound > target);
        candidates.sort_by_key(|candidate| (std::cmp::Reverse(candidate.bound), candidate.slot));
    }

    /// The bound under a leader, with `values` what the rows count and `scratch` the choice.
    fn bound_leader(&mut self, wide: &TableBounds<'_>, leader: Slot, factor: i32) -> i64 {
        self.view.write_leader_scores(leader, &mut self.pairs);
        let frame = wide.frame;
        let own = self.view.row_of(leader);
        let counts = self.counts.after_choosing(frame.class[own as usize]);
        let factor = i64::from(factor);
        self.scratch.begin_collecting(&counts, <i64 as CompletionValue>::FLOOR);
        self.values.clear();
        for &row in &wide.alive {
            let at = row as usize;
            let value = wide.phi[at] + i64::from(self.pairs[at] - frame.best_leader[at]) * factor;
            self.values.push(value);
            if row != own {
                self.scratch.offer_item(value, row, frame.class[at], frame.group[at], &frame.group_limit);
            }
        }
        if !self.scratch.finish_choice(&counts) {
            return NOTHING;
        }
        let base = frame.base - frame.best_leader_base + frame.leader_base_score(leader);
        base * factor + self.scratch.sum
    }

    /// Looks for a deck under a leader.
    fn try_leader(&mut self, wide: &TableBounds<'_>, leader: Slot, search: &mut ProofSearch<'_>) {
        self.bound_leader(wide, leader, search.factor);
        let Some(frame) = ProofFrame::new(self.view, Some(leader)) else { return };
        let choice = self.scratch.chosen.clone();
        improve_choice(&frame, wide, &choice, search);
    }

    /// The proof for one leader, with the rows that can be in a better deck of its.
    fn prove_leader(
        &mut self,
        candidate: LeaderCandidate,
        from: Option<&TableBounds<'_>>,
        search: &mut ProofSearch<'_>,
    ) {
        let leader = candidate.slot;
        let Some(mut frame) = ProofFrame::new(self.view, Some(leader)) else { return };
        search.work.leaders += 1;
        if let Some(wide) = from {
            let bound = self.bound_leader(wide, leader, search.factor);
            let target = search.bound_target();
            let mut is_kept = vec![false; frame.slot.len()];
            for (&row, &value) in wide.alive.iter().zip(&self.values) {
                // The classes of the bound, which may be others than those of the leader's frame.
                let threshold = self.scratch.threshold[wide.frame.class[row as usize] as usize];
                is_kept[row as usize] = bound - (threshold - value).max(0) > target;
            }
            frame.items.retain(|&row| is_kept[row as usize]);
        }
        prove_from_potentials(&frame, from, search, candidate.bound);
    }
}
