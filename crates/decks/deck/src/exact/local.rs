//! Decks on the way: a choice is repaired until it keeps the rules, then improved by swaps.

use super::complete::FREE;
use super::frame::ProofFrame;

/// The best swap search over a list of candidates.
pub(super) struct SwapSearch<'a> {
    frame: &'a ProofFrame<'a>,
    chosen: Vec<u32>,
    is_chosen: Vec<bool>,
    /// The gain of each candidate: its own score and its pairs with what is chosen.
    gain: Vec<i64>,
    spent: Vec<i64>,
    grouped: Vec<u16>,
    counted: Vec<usize>,
    /// How much limits are broken by: of resources, groups and quotas, and of the size.
    broken: i64,
}

/// A move: what goes and what comes, by place among the chosen and by candidate.
#[derive(Clone, Copy)]
struct SwapMove {
    out: Option<usize>,
    into: Option<usize>,
}

impl<'a> SwapSearch<'a> {
    /// Repairs and improves `start`, taking pieces from `candidates`, which hold it; gives the rows and their value in units.
    pub(super) fn repair_and_improve(
        frame: &'a ProofFrame<'a>,
        start: &[u32],
        candidates: &[u32],
    ) -> Option<(Vec<u32>, i64)> {
        let mut local = SwapSearch {
            frame,
            chosen: Vec::new(),
            is_chosen: vec![false; candidates.len()],
            gain: candidates.iter().map(|&row| frame.own[row as usize]).collect(),
            spent: vec![0; frame.resource_count()],
            grouped: vec![0; frame.group_limit.len()],
            counted: vec![0; frame.needs.len()],
            broken: 0,
        };
        for &row in start {
            if let Some(at) = candidates.iter().position(|&other| other == row) {
                local.apply_move(candidates, SwapMove { out: None, into: Some(at) });
            }
        }
        local.broken = local.rule_fault(candidates, SwapMove { out: None, into: None });
        let most = 4 * (start.len() + 8);
        let mut steps = 0;
        while let Some(step) = local.best_move(candidates) {
            local.apply_move(candidates, step);
            local.broken = local.rule_fault(candidates, SwapMove { out: None, into: None });
            steps += 1;
            if steps > most {
                break;
            }
        }
        (local.broken == 0).then(|| local.rows_and_value(candidates))
    }

    fn rows_and_value(&self, candidates: &[u32]) -> (Vec<u32>, i64) {
        let own = |&at: &u32| self.frame.own[candidates[at as usize] as usize];
        let twice: i64 = self.chosen.iter().map(|at| self.gain[*at as usize] + own(at)).sum();
        (self.chosen.iter().map(|&at| candidates[at as usize]).collect(), twice / 2 + self.frame.base)
    }

    /// How far the rules would be broken after a move.
    fn rule_fault(&self, candidates: &[u32], step: SwapMove) -> i64 {
        let frame = self.frame;
        let out = step.out.map(|at| candidates[self.chosen[at] as usize]);
        let into = step.into.map(|at| candidates[at]);
        let mut fault = 0;
        for resource in 0..self.spent.len() {
            let cost = |row: Option<u32>| row.map_or(0, |row| i64::from(frame.item_costs(row)[resource]));
            fault += (self.spent[resource] - cost(out) + cost(into) - frame.budget[resource]).max(0);
        }
        let size = self.chosen.len() as i64 - i64::from(out.is_some()) + i64::from(into.is_some());
        fault +=
            1000 * (i64::from(frame.counts.least) - size).max(size - i64::from(frame.counts.most)).max(0);
        if !self.grouped.is_empty() {
            fault += 5 * self.group_fault(out, into);
        }
        for (at, need) in frame.needs.iter().enumerate() {
            let is_in = |row: Option<u32>| row.is_some_and(|row| frame.member[row as usize] >> at & 1 == 1);
            let count = self.counted[at] + usize::from(is_in(into)) - usize::from(is_in(out));
            fault += 5 * (need.least.saturating_sub(count) + count.saturating_sub(need.most)) as i64;
        }
        fault
    }

    fn group_fault(&self, out: Option<u32>, into: Option<u32>) -> i64 {
        let group = |row: Option<u32>| row.map_or(FREE, |row| self.frame.group[row as usize]);
        let (from, to) = (group(out), group(into));
        let over = |group: u32, change: i64| {
            let limit = i64::from(self.frame.group_limit[group as usize]);
            (i64::from(self.grouped[group as usize]) + change - limit).max(0)
        };
        let mut fault = 0;
        if self.broken == 0 {
            // Only the groups of the move can break.
            return if to != FREE && to != from { over(to, 1) } else { 0 };
        }
        for group in 0..self.grouped.len() as u32 {
            let change = i64::from(group == to) - i64::from(group == from);
            fault += over(group, change);
        }
        fault
    }

    fn move_value(&self, candidates: &[u32], step: SwapMove) -> i64 {
        let gain = |at: usize| self.gain[at];
        match (step.out, step.into) {
            (Some(out), Some(into)) => {
                let out = self.chosen[out] as usize;
                gain(into) - gain(out) - i64::from(self.frame.pair_score(candidates[out], candidates[into]))
            }
            (None, Some(into)) => gain(into),
            (Some(out), None) => -gain(self.chosen[out] as usize),
            (None, None) => 0,
        }
    }

    /// The best move: while rules are broken, the least loss for each step towards them; then the largest gain.
    fn best_move(&self, candidates: &[u32]) -> Option<SwapMove> {
        let counts = &self.frame.counts;
        let size = self.chosen.len();
        let mut best: Option<(f64, SwapMove)> = None;
        let mut look = |step: SwapMove| {
            let value = self.move_value(candidates, step);
            if self.broken == 0 {
                if value <= 0 || best.is_some_and(|best| best.0 >= value as f64) {
                    return;
                }
                if self.rule_fault(candidates, step) == 0 {
                    best = Some((value as f64, step));
                }
                return;
            }
            let better = self.broken - self.rule_fault(candidates, step);
            if better <= 0 {
                return;
            }
            let rate = if value >= 0 { value as f64 * better as f64 } else { value as f64 / better as f64 };
            if best.is_none_or(|best| rate > best.0) {
                best = Some((rate, step));
            }
        };
        for into in 0..candidates.len() {
            if self.is_chosen[into] {
                continue;
            }
            if size < counts.most as usize {
                look(SwapMove { out: None, into: Some(into) });
            }
            if size <= counts.most as usize {
                for out in 0..size {
                    look(SwapMove { out: Some(out), into: Some(into) });
                }
            }
        }
        if size > counts.least as usize {
            for out in 0..size {
                look(SwapMove { out: Some(out), into: None });
            }
        }
        best.map(|(_, step)| step)
    }

    fn apply_move(&mut self, candidates: &[u32], step: SwapMove) {
        if let Some(out) = step.out {
            let out = self.chosen.swap_remove(out);
            self.update_counts(candidates, out, -1);
        }
        if let Some(into) = step.into {
            self.chosen.push(into as u32);
            self.update_counts(candidates, into as u32, 1);
        }
    }

    fn update_counts(&mut self, candidates: &[u32], at: u32, sign: i64) {
        let frame = self.frame;
        let row = candidates[at as usize];
        self.is_chosen[at as usize] = sign > 0;
        for (gain, &other) in self.gain.iter_mut().zip(candidates) {
            if other != row {
                *gain += sign * i64::from(frame.pair_score(row, other));
            }
        }
        for (spent, &cost) in self.spent.iter_mut().zip(frame.item_costs(row)) {
            *spent += sign * i64::from(cost);
        }
        let group = frame.group[row as usize];
        if group != FREE {
            self.grouped[group as usize] = (i64::from(self.grouped[group as usize]) + sign) as u16;
        }
        for (need, counted) in self.counted.iter_mut().enumerate() {
            if frame.member[row as usize] >> need & 1 == 1 {
                *counted = (*counted as i64 + sign) as usize;
            }
        }
    }
}
