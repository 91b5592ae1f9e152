//! Leaders: what is known without one bounds them all, and those that are left get a proof each.
//!
//! A leader scores with each piece by itself, so potentials that hold without a leader hold with any. So rows are completed once; for a
//! leader the bound is the best choice of rows, each with what it scores beside the leader.

use super::complete::Completion;
use super::dual::{Dual, Steps};
use super::frame::{Frame, View};
use super::search::{NOTHING, Search};
use super::wide::Wide;
use super::{prove as prove_frame, prove_wide, try_from};
use crate::problem::Slot;

/// Rounds of better potentials for the leader with the largest bound.
const ROUNDS: usize = 12;

/// So many leaders are not worth bounds in common.
const FEW: usize = 4;

/// Steps of such a round.
const STEPS: Steps = Steps { most: 16, first: 1.0, patience: 4 };

/// Finds the best deck under any of these leaders.
pub(super) fn prove<'a>(view: &'a View<'a>, leaders: &[Slot], search: &mut Search<'_>) {
    let (fixed, free): (Vec<Slot>, Vec<Slot>) =
        leaders.iter().partition(|&&leader| search.problem.is_fixed(leader));
    if free.len() > FEW {
        prove_free(view, &free, search);
    }
    let few = if free.len() > FEW { &[][..] } else { &free };
    for &leader in fixed.iter().chain(few) {
        if let Some(frame) = Frame::new(view, Some(leader)) {
            search.work.leaders += 1;
            prove_frame(&frame, search);
        }
    }
}

/// A leader with its bound.
#[derive(Clone, Copy)]
struct Candidate {
    bound: i64,
    slot: Slot,
}

fn prove_free<'a>(view: &'a View<'a>, leaders: &[Slot], search: &mut Search<'_>) {
    let Some(frame) = Frame::relaxed(view, leaders) else { return };
    let Some(whole) = Frame::new(view, None) else { return };
    let mut common = Common {
        view,
        counts: whole.counts,
        wide: Wide::new(&frame, search.factor, None),
        scratch: Completion::default(),
        values: Vec::new(),
        pairs: vec![0; frame.slot.len()],
        fixed: frame.fixed.clone(),
    };
    let mut candidates: Vec<Candidate> =
        leaders.iter().map(|&slot| Candidate { bound: i64::MAX, slot }).collect();
    let mut dual = Dual::default();
    let mut last = i64::MAX;
    for round in 0..ROUNDS {
        common.bounds(&mut candidates, search);
        let Some(&best) = candidates.first() else { return };
        search.bound = Some(best.bound);
        for candidate in candidates.iter().take(if round == 0 { 6 } else { 1 }) {
            common.look(candidate.slot, search);
        }
        search.tell();
        if search.is_stopped {
            search.leave(best.bound);
            return;
        }
        // Rounds that bring little are dearer than proofs.
        let gap = last.saturating_sub(search.target());
        if round > 3 && last - best.bound < gap / 40 {
            break;
        }
        last = best.bound;
        common.improve(best.slot, &mut dual, search);
    }
    common.bounds(&mut candidates, search);
    for (at, candidate) in candidates.iter().enumerate() {
        if candidate.bound <= search.target() {
            break;
        }
        if search.is_stopped {
            search.leave(candidates[at].bound);
            break;
        }
        search.bound = Some(candidate.bound);
        common.prove(candidate, search);
    }
}

/// Bounds that all leaders share.
struct Common<'a> {
    view: &'a View<'a>,
    counts: super::complete::Counts,
    wide: Wide<'a>,
    scratch: Completion,
    values: Vec<i64>,
    /// By row, the scores of the leader that is looked at.
    pairs: Vec<i32>,
    fixed: Vec<Slot>,
}

impl<'a> Common<'a> {
    /// Bounds all candidates, drops those that cannot lead a better deck, and sorts the rest, the largest bound first.
    fn bounds(&mut self, candidates: &mut Vec<Candidate>, search: &mut Search<'_>) {
        self.wide.lead(&vec![0; self.pairs.len()], 0);
        for (at, candidate) in candidates.iter_mut().enumerate() {
            let bound = self.bound(candidate.slot, search.factor);
            candidate.bound = candidate.bound.min(bound);
            if at % 256 == 0 {
                search.tell();
            }
        }
        let target = search.target();
        candidates.retain(|candidate| candidate.bound > target);
        candidates.sort_by_key(|candidate| (std::cmp::Reverse(candidate.bound), candidate.slot));
    }

    /// The bound under a leader, with `values` what the rows count and `scratch` the choice.
    fn bound(&mut self, leader: Slot, factor: i32) -> i64 {
        self.view.leader_row(leader, &mut self.pairs);
        let frame = self.wide.frame;
        let own = self.row_of(leader);
        let counts = self.counts.after(frame.class[own as usize]);
        self.scratch.begin(&counts, <i64 as super::complete::Value>::FLOOR);
        self.values.clear();
        for &row in &self.wide.alive {
            let at = row as usize;
            let value = self.wide.phi[at] + i64::from(self.pairs[at]) * i64::from(factor);
            self.values.push(value);
            if row != own {
                self.scratch.offer(value, row, frame.class[at], frame.group[at], &frame.group_limit);
            }
        }
        if !self.scratch.finish(&counts) {
            return NOTHING;
        }
        (frame.base + self.own_score(leader)) * i64::from(factor) + self.scratch.sum
    }

    fn row_of(&self, leader: Slot) -> u32 {
        self.view.row(leader)
    }

    /// What the leader scores itself and with what is fixed.
    fn own_score(&self, leader: Slot) -> i64 {
        let problem = self.wide.frame.problem;
        let with = |&fixed: &Slot| i64::from(problem.leader_pair(leader, fixed));
        problem.score(leader) + problem.leader_score(leader) + self.fixed.iter().map(with).sum::<i64>()
    }

    /// Looks for a deck under a leader.
    fn look(&mut self, leader: Slot, search: &mut Search<'_>) {
        self.bound(leader, search.factor);
        let Some(frame) = Frame::new(self.view, Some(leader)) else { return };
        let choice = self.scratch.chosen.clone();
        try_from(&frame, &self.wide, &choice, search);
    }

    /// Improves the potentials for a leader.
    fn improve(&mut self, leader: Slot, dual: &mut Dual, search: &mut Search<'_>) {
        self.view.leader_row(leader, &mut self.pairs);
        let base = self.own_score(leader);
        self.wide.lead(&self.pairs, base);
        let mut target = search.target();
        let _ = dual.improve(&mut self.wide, &mut target, STEPS, &mut |_, _, _| {});
        search.work.moves += std::mem::take(&mut dual.steps);
    }

    /// The proof for one leader, with the rows that can be in a better deck of its.
    fn prove(&mut self, candidate: &Candidate, search: &mut Search<'_>) {
        let leader = candidate.slot;
        let Some(mut frame) = Frame::new(self.view, Some(leader)) else { return };
        search.work.leaders += 1;
        let bound = self.bound(leader, search.factor);
        let target = search.target();
        let mut is_kept = vec![false; frame.slot.len()];
        for (&row, &value) in self.wide.alive.iter().zip(&self.values) {
            let threshold = self.scratch.threshold[frame.class[row as usize] as usize];
            is_kept[row as usize] = bound - (threshold - value).max(0) > target;
        }
        frame.items.retain(|&row| is_kept[row as usize]);
        if frame.items.is_empty() && frame.counts.least > 0 {
            return;
        }
        let wide = Wide::new(&frame, search.factor, Some(&self.wide));
        prove_wide(wide, search, candidate.bound);
    }
}
