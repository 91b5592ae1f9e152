//! Leaders: bounded in groups, the groups divided until each is done.
//!
//! A leader scores with each piece by itself, so potentials that hold without a leader hold with any. A group of leaders is bounded
//! together: each piece scores with the leader of the group that is best for it. What that deletes is deleted for all of them; then each
//! leader is bounded by itself, which drops most. A group that is left is searched as one where its leaders hardly differ, or else
//! divided into those that promise more and those that promise less. At the end of a search as one, the best leader of the group is taken.

use super::branch;
use super::complete::{Completion, Counts, Value};
use super::frame::{Frame, View};
use super::rounds::{Rounds, WIDE_ROUNDS, prove as prove_frame, prove_from, try_from};
use super::search::{NOTHING, Search};
use super::wide::Wide;
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
pub(super) fn prove<'a>(view: &'a View<'a>, leaders: &[Slot], search: &mut Search<'_>) {
    let (fixed, free): (Vec<Slot>, Vec<Slot>) =
        leaders.iter().partition(|&&leader| search.problem.is_fixed(leader));
    let is_many = free.len() > FEW;
    let single = if is_many { &[][..] } else { &free };
    for &leader in fixed.iter().chain(single) {
        if let Some(frame) = Frame::new(view, Some(leader)) {
            search.work.leaders += 1;
            prove_frame(&frame, search);
        }
    }
    if is_many && let Some(whole) = Frame::new(view, None) {
        let candidates = free.into_iter().map(|slot| Candidate { bound: i64::MAX, slot }).collect();
        let mut groups = Groups {
            view,
            counts: whole.counts,
            scratch: Completion::default(),
            values: Vec::new(),
            pairs: vec![0; whole.slot.len()],
        };
        groups.prove(candidates, None, i64::MAX, search);
    }
}

/// A leader with its bound.
#[derive(Clone, Copy)]
struct Candidate {
    bound: i64,
    slot: Slot,
}

/// What all groups share.
struct Groups<'a> {
    view: &'a View<'a>,
    /// What a deck has besides what is fixed, its leader included.
    counts: Counts,
    scratch: Completion,
    /// Of the rows that are alive, what they count beside the leader that is looked at.
    values: Vec<i64>,
    /// By row, the scores of that leader.
    pairs: Vec<i32>,
}

/// What became of a group.
enum Outcome {
    Done,
    /// To be proved again, with these candidates only.
    Fewer(Vec<Candidate>),
    /// To be divided by what promises more.
    Open(Vec<Candidate>),
    /// To be divided by what the rules leave to others.
    Apart(Vec<Candidate>),
}

impl<'a> Groups<'a> {
    fn prove(
        &mut self,
        mut candidates: Vec<Candidate>,
        from: Option<&Wide<'_>>,
        mut bound: i64,
        search: &mut Search<'_>,
    ) {
        if search.is_stopped {
            search.leave(bound);
            return;
        }
        if let [candidate] = candidates[..] {
            self.prove_one(candidate, from, search);
            return;
        }
        let leaders: Vec<Slot> = candidates.iter().map(|candidate| candidate.slot).collect();
        let Some(mut frame) = Frame::group(self.view, &leaders) else { return };
        if let Some(from) = from {
            frame.items.retain(|&row| from.is_alive[row as usize]);
        }
        if frame.items.is_empty() && frame.counts.least > 0 {
            return;
        }
        let frame = frame;
        let mut wide = Wide::new(&frame, search.factor, from);
        match self.tighten(&mut wide, candidates, &mut bound, from.is_none(), search) {
            Outcome::Done => {}
            Outcome::Fewer(fewer) => self.prove(fewer, Some(&wide), bound, search),
            Outcome::Apart(mut apart) => {
                apart.sort_by_key(|candidate| self.demands(&frame, candidate.slot));
                let is_same = |a: &Candidate, b: &Candidate| {
                    self.demands(&frame, a.slot) == self.demands(&frame, b.slot)
                };
                let parts: Vec<Vec<Candidate>> = apart.chunk_by(is_same).map(<[Candidate]>::to_vec).collect();
                for part in parts {
                    self.prove(part, Some(&wide), bound, search);
                }
            }
            Outcome::Open(open) => {
                candidates = open;
                let rest = candidates.split_off(candidates.len().div_ceil(SPLIT));
                self.prove(candidates, Some(&wide), bound, search);
                self.prove(rest, Some(&wide), bound, search);
            }
        }
    }

    /// Improves the bounds of a group; drops leaders; searches the group as one where that is best.
    fn tighten(
        &mut self,
        wide: &mut Wide<'_>,
        mut candidates: Vec<Candidate>,
        bound: &mut i64,
        is_first: bool,
        search: &mut Search<'_>,
    ) -> Outcome {
        let before = candidates.len();
        let mut rounds = Rounds::new(wide, *bound);
        for round in 0..WIDE_ROUNDS {
            let flow = rounds.next(wide, search);
            *bound = rounds.bound;
            search.bound.get_or_insert(*bound);
            if flow.is_break() {
                return Outcome::Done;
            }
            if round > 0 && !rounds.has_reduced && !rounds.is_stuck(search) {
                continue;
            }
            self.bound_all(wide, &mut candidates, search);
            if is_first {
                for candidate in candidates.iter().take(LOOKED_AT) {
                    self.look(wide, candidate.slot, search);
                }
                // A better deck may have been found.
                let target = search.target();
                candidates.retain(|candidate| candidate.bound > target);
            }
            let order = &rounds.order;
            if candidates.is_empty() {
                return Outcome::Done;
            }
            if candidates.len() * 4 <= before * 3 {
                return Outcome::Fewer(candidates);
            }
            let gap = *bound - search.target();
            let loose = self.looseness(wide, &candidates, search.factor);
            let is_close = order.len() <= CORE && loose < gap / 10 && loose < bound.abs() / 100;
            if is_close && !self.is_uniform(wide.frame, &candidates) {
                return Outcome::Apart(candidates);
            }
            if is_close {
                search.work.core = search.work.core.max(order.len());
                branch::branch(wide.node(order), wide.frame, search, 0, *bound);
                return Outcome::Done;
            }
            if loose > gap / 2 || rounds.is_stuck(search) {
                break;
            }
        }
        Outcome::Open(candidates)
    }

    /// What a leader takes from the rules: its costs, and the quotas it counts in.
    fn demands<'b>(&self, frame: &'b Frame<'_>, leader: Slot) -> (&'b [i32], u64) {
        let row = self.view.row(leader);
        (frame.costs(row), frame.member[row as usize])
    }

    /// Do all leaders leave the same to others?
    fn is_uniform(&self, frame: &Frame<'_>, candidates: &[Candidate]) -> bool {
        let first = self.demands(frame, candidates[0].slot);
        candidates.iter().all(|candidate| self.demands(frame, candidate.slot) == first)
    }

    /// What the pieces of a typical deck score more with the best leader of each than with the best one leader, in parts of a unit. That
    /// much a search of the group as one has to overcome in each of its decks.
    fn looseness(&mut self, wide: &Wide<'_>, candidates: &[Candidate], factor: i32) -> i64 {
        self.bound(wide, candidates[0].slot, factor);
        let choice = std::mem::take(&mut self.scratch.chosen);
        let frame = wide.frame;
        let each: i64 = choice.iter().map(|&row| i64::from(frame.best_leader[row as usize])).sum();
        let mut one = i64::MIN;
        for candidate in candidates {
            self.view.leader_row(candidate.slot, &mut self.pairs);
            let score: i64 = choice.iter().map(|&row| i64::from(self.pairs[row as usize])).sum();
            one = one.max(score + frame.leader_base(candidate.slot));
        }
        (each + frame.best_leader_base - one) * i64::from(factor)
    }

    /// Bounds all candidates, drops those that cannot lead a better deck, and sorts the rest, the largest bound first.
    fn bound_all(&mut self, wide: &Wide<'_>, candidates: &mut Vec<Candidate>, search: &mut Search<'_>) {
        for (at, candidate) in candidates.iter_mut().enumerate() {
            let bound = self.bound(wide, candidate.slot, search.factor);
            candidate.bound = candidate.bound.min(bound);
            if at % 256 == 255 {
                search.tell();
            }
        }
        let target = search.target();
        candidates.retain(|candidate| candidate.bound > target);
        candidates.sort_by_key(|candidate| (std::cmp::Reverse(candidate.bound), candidate.slot));
    }

    /// The bound under a leader, with `values` what the rows count and `scratch` the choice.
    fn bound(&mut self, wide: &Wide<'_>, leader: Slot, factor: i32) -> i64 {
        self.view.leader_row(leader, &mut self.pairs);
        let frame = wide.frame;
        let own = self.view.row(leader);
        let counts = self.counts.after(frame.class[own as usize]);
        let factor = i64::from(factor);
        self.scratch.begin(&counts, <i64 as Value>::FLOOR);
        self.values.clear();
        for &row in &wide.alive {
            let at = row as usize;
            let value = wide.phi[at] + i64::from(self.pairs[at] - frame.best_leader[at]) * factor;
            self.values.push(value);
            if row != own {
                self.scratch.offer(value, row, frame.class[at], frame.group[at], &frame.group_limit);
            }
        }
        if !self.scratch.finish(&counts) {
            return NOTHING;
        }
        let base = frame.base - frame.best_leader_base + frame.leader_base(leader);
        base * factor + self.scratch.sum
    }

    /// Looks for a deck under a leader.
    fn look(&mut self, wide: &Wide<'_>, leader: Slot, search: &mut Search<'_>) {
        self.bound(wide, leader, search.factor);
        let Some(frame) = Frame::new(self.view, Some(leader)) else { return };
        let choice = self.scratch.chosen.clone();
        try_from(&frame, wide, &choice, search);
    }

    /// The proof for one leader, with the rows that can be in a better deck of its.
    fn prove_one(&mut self, candidate: Candidate, from: Option<&Wide<'_>>, search: &mut Search<'_>) {
        let leader = candidate.slot;
        let Some(mut frame) = Frame::new(self.view, Some(leader)) else { return };
        search.work.leaders += 1;
        if let Some(wide) = from {
            let bound = self.bound(wide, leader, search.factor);
            let target = search.target();
            let mut is_kept = vec![false; frame.slot.len()];
            for (&row, &value) in wide.alive.iter().zip(&self.values) {
                // The classes of the bound, which may be others than those of the leader's frame.
                let threshold = self.scratch.threshold[wide.frame.class[row as usize] as usize];
                is_kept[row as usize] = bound - (threshold - value).max(0) > target;
            }
            frame.items.retain(|&row| is_kept[row as usize]);
        }
        prove_from(&frame, from, search, candidate.bound);
    }
}
