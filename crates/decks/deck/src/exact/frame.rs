//! A problem with its leader decided: what all stages of a proof look up and never change.
//!
//! Items are rows of a table of scores: those of the pool, where most of its pieces may be chosen, once each; else of a table made for
//! the slots. What is fixed has been put into each item's own score and taken from the rules.

use std::borrow::Cow;

use super::complete::{CLASSES, CountLimits, FREE};
use super::search::ProofSearch;
use crate::problem::{Deck, Problem, Slot};
use crate::table::PairScoreTable;

/// A quota that remains.
#[derive(Clone, Debug)]
pub(super) struct RemainingQuota {
    pub(super) least: usize,
    pub(super) most: usize,
}

/// The table that a problem is worked on with.
#[derive(Debug)]
pub(super) struct TableView<'a> {
    problem: &'a Problem,
    table: Cow<'a, PairScoreTable>,
    /// The slot of each row.
    slot: Vec<Slot>,
    /// The rows that stand for slots.
    rows: Vec<u32>,
}

/// The problem, made ready.
#[derive(Clone, Debug)]
pub(super) struct ProofFrame<'a> {
    view: &'a TableView<'a>,
    pub(super) problem: &'a Problem,
    pub(super) table: &'a PairScoreTable,
    /// All cells of the table, if it is not too large.
    cells: Option<&'a [i32]>,
    /// The items that may be chosen.
    pub(super) items: Vec<u32>,
    /// The slot of each row of the table; it means nothing for rows that are no items.
    pub(super) slot: &'a [Slot],
    /// The score of an item with all that is decided, by row, in units.
    pub(super) own: Vec<i64>,
    /// The score of what is decided, in units.
    pub(super) base: i64,
    /// What is decided.
    pub(super) fixed: Vec<Slot>,
    pub(super) leader: Option<Slot>,
    /// Of a group: those of whom one will lead, by row the best score with one of them, and the best that one scores itself.
    pub(super) leaders: Vec<Slot>,
    pub(super) best_leader: Vec<i32>,
    pub(super) best_leader_base: i64,
    /// The costs of the resources that are limited, row after row.
    pub(super) costs: Vec<i32>,
    pub(super) budget: Vec<i64>,
    pub(super) class: Vec<u8>,
    pub(super) group: Vec<u32>,
    pub(super) group_limit: Vec<u16>,
    pub(super) counts: CountLimits,
    /// All quotas, and by row in which of them an item counts, a bit each.
    pub(super) needs: Vec<RemainingQuota>,
    pub(super) member: Vec<u64>,
}

impl<'a> TableView<'a> {
    pub(super) fn new(problem: &'a Problem) -> TableView<'a> {
        let pool = problem.pool();
        let pieces = problem.pieces();
        if TableView::takes_pool_table(problem) {
            let mut slot = vec![Slot(0); pool.pieces.len()];
            for (at, piece) in pieces.iter().enumerate() {
                slot[piece.index()] = Slot(at as u32);
            }
            let rows = pieces.iter().map(|piece| piece.0).collect();
            return TableView { problem, table: Cow::Borrowed(&pool.pairs), slot, rows };
        }
        let mut cells = Vec::with_capacity(pieces.len() * pieces.len());
        let mut row = vec![0; pool.pieces.len()];
        for piece in pieces {
            pool.pairs.write_row(piece.index(), &mut row);
            cells.extend(pieces.iter().map(|other| row[other.index()]));
        }
        let table = Cow::Owned(PairScoreTable::from_cells(pieces.len(), cells));
        let rows = (0..pieces.len() as u32).collect();
        TableView { problem, table, slot: problem.slots().collect(), rows }
    }

    /// Most of the pool's pieces may be chosen, once each.
    fn takes_pool_table(problem: &Problem) -> bool {
        let pieces = problem.pieces();
        pieces.is_sorted_by(|a, b| a < b) && pieces.len() * 2 >= problem.pool().pieces.len()
    }

    /// Bytes that the view will take, and what searches want to know of the pool's tables.
    pub(super) fn bytes_for(problem: &Problem) -> usize {
        let pool = problem.pool();
        let tables = [Some(&pool.pairs), pool.leaders.as_ref()];
        let known: usize = tables.into_iter().flatten().map(PairScoreTable::bytes_for_searches).sum();
        let own = match TableView::takes_pool_table(problem) {
            true => 0,
            false => PairScoreTable::bytes_of_dense(problem.len()),
        };
        known + own
    }

    /// The scores of a leader with the slot of each row, by row.
    pub(super) fn write_leader_scores(&self, leader: Slot, out: &mut [i32]) {
        let problem = self.problem;
        let table = problem.pool().leaders.as_ref().unwrap_or(&problem.pool().pairs);
        if matches!(self.table, Cow::Borrowed(_)) {
            table.write_row(problem.piece_of(leader).index(), out);
        } else {
            for (score, &slot) in out.iter_mut().zip(&self.slot) {
                *score = problem.leader_pair_score(leader, slot);
            }
        }
    }

    /// The row of a slot.
    pub(super) fn row_of(&self, slot: Slot) -> u32 {
        self.rows[slot.index()]
    }
}

impl<'a> ProofFrame<'a> {
    /// The frame, or `None` if what is decided breaks a rule.
    pub(super) fn new(view: &'a TableView<'a>, leader: Option<Slot>) -> Option<ProofFrame<'a>> {
        let (problem, slot) = (view.problem, &view.slot[..]);
        let mut fixed = problem.fixed().to_vec();
        if let Some(leader) = leader
            && !problem.is_fixed(leader)
        {
            fixed.push(leader);
        }
        let decided = RemainingRules::after_fixing(problem, &fixed)?;
        let limited: Vec<usize> =
            (0..problem.limits().len()).filter(|&at| problem.limits()[at].is_some()).collect();
        let mut frame = ProofFrame {
            view,
            problem,
            items: Vec::new(),
            own: vec![0; slot.len()],
            base: problem.deck_value(&Deck::new(fixed.clone(), leader)),
            costs: Vec::with_capacity(slot.len() * limited.len()),
            budget: decided.budget,
            class: Vec::with_capacity(slot.len()),
            group: Vec::with_capacity(slot.len()),
            group_limit: decided.group_limit,
            counts: decided.counts,
            needs: decided.needs,
            member: Vec::with_capacity(slot.len()),
            table: &view.table,
            cells: view.table.all_cells(),
            slot,
            fixed,
            leader,
            leaders: Vec::new(),
            best_leader: Vec::new(),
            best_leader_base: 0,
        };
        for &slot in slot {
            frame.costs.extend(limited.iter().map(|&at| problem.costs(slot)[at] as i32));
            let quotas = problem.quotas().iter().enumerate();
            let member =
                quotas.fold(0, |bits, (at, quota)| bits | u64::from(quota.members[slot.index()]) << at);
            frame.member.push(member);
            let class = decided.classes.iter().position(|&quota| member >> quota & 1 == 1);
            frame.class.push(class.map_or(0, |class| class as u8 + 1));
            frame.group.push(problem.group(slot).map_or(FREE, |group| group as u32));
        }
        frame.items = view.rows.iter().copied().filter(|&row| frame.may_choose(row as usize)).collect();
        frame.compute_own_scores();
        Some(frame)
    }

    fn may_choose(&self, row: usize) -> bool {
        let slot = self.slot[row];
        let resources = self.budget.len();
        let costs = &self.costs[row * resources..(row + 1) * resources];
        let group = self.group[row];
        !self.fixed.contains(&slot)
            && costs.iter().zip(&self.budget).all(|(&cost, &left)| i64::from(cost) <= left)
            && (group == FREE || self.group_limit[group as usize] > 0)
            && self.counts.class_most[self.class[row] as usize] > 0
    }

    fn compute_own_scores(&mut self) {
        let problem = self.problem;
        for &row in &self.items {
            let slot = self.slot[row as usize];
            let with = |&fixed: &Slot| {
                i64::from(match self.leader {
                    Some(leader) if leader == fixed => problem.leader_pair_score(fixed, slot),
                    _ => problem.pair_score(fixed, slot),
                })
            };
            self.own[row as usize] = problem.slot_score(slot) + self.fixed.iter().map(with).sum::<i64>();
        }
    }

    /// The frame of a group of leaders of whom none is decided: the rules leave at least as much as they do under any of them, and each
    /// item scores with the leader that is best for it.
    pub(super) fn for_leader_group(view: &'a TableView<'a>, leaders: &[Slot]) -> Option<ProofFrame<'a>> {
        let mut frame = ProofFrame::new(view, None)?;
        // What follows is a bound for all leaders of the group at once: the cheapest in each resource, the widest counts, the best scores.
        for resource in 0..frame.resource_count() {
            let cost = |&leader: &Slot| i64::from(frame.item_costs(view.row_of(leader))[resource]);
            frame.budget[resource] -= leaders.iter().map(cost).min().unwrap_or(0);
        }
        frame.counts.most.checked_sub(1)?;
        let counts = |&leader: &Slot| frame.counts.after_choosing(frame.class[view.row_of(leader) as usize]);
        frame.counts = leaders.iter().map(counts).reduce(CountLimits::widen_with)?;
        if frame.budget.iter().any(|&left| left < 0) {
            return None;
        }
        frame.best_leader = vec![i32::MIN; frame.slot.len()];
        let mut pairs = vec![0; frame.slot.len()];
        for &leader in leaders {
            view.write_leader_scores(leader, &mut pairs);
            for (best, &score) in frame.best_leader.iter_mut().zip(&pairs) {
                *best = score.max(*best);
            }
        }
        frame.best_leader_base = leaders.iter().map(|&leader| frame.leader_base_score(leader)).max()?;
        frame.base += frame.best_leader_base;
        for &row in &frame.items {
            frame.own[row as usize] += i64::from(frame.best_leader[row as usize]);
        }
        frame.leaders = leaders.to_vec();
        Some(frame)
    }

    /// The frame after an item has been decided too; `None` if that breaks a rule. Not for groups of leaders.
    pub(super) fn with_item(&self, row: u32) -> Option<ProofFrame<'a>> {
        debug_assert!(self.leaders.is_empty(), "an item of a group scores with a leader who is not known");
        let mut frame = self.clone();
        let at = row as usize;
        frame.fixed.push(self.slot[at]);
        frame.base += self.own[at];
        for (left, &cost) in frame.budget.iter_mut().zip(self.item_costs(row)) {
            *left -= i64::from(cost);
        }
        if self.group[at] != FREE {
            let limit = &mut frame.group_limit[self.group[at] as usize];
            *limit = limit.checked_sub(1)?;
        }
        frame.counts = self.counts.after_choosing(self.class[at]);
        for (need, _) in frame.needs.iter_mut().zip(0..).filter(|(_, bit)| self.member[at] >> bit & 1 == 1) {
            need.least = need.least.saturating_sub(1);
            need.most = need.most.checked_sub(1)?;
        }
        for &other in &self.items {
            frame.own[other as usize] += i64::from(self.pair_score(row, other));
        }
        frame.items = self.items.iter().copied().filter(|&other| frame.may_choose(other as usize)).collect();
        Some(frame)
    }

    /// What a leader scores itself and with what is fixed, in units.
    pub(super) fn leader_base_score(&self, leader: Slot) -> i64 {
        let problem = self.problem;
        let with = |&fixed: &Slot| i64::from(problem.leader_pair_score(leader, fixed));
        problem.slot_score(leader) + problem.leader_score(leader) + self.fixed.iter().map(with).sum::<i64>()
    }

    /// Takes these slots and what is decided to the search; of a group, under each of its leaders that could make a better deck.
    pub(super) fn consider_slots(
        &self,
        slots: impl IntoIterator<Item = Slot>,
        search: &mut ProofSearch<'_>,
    ) -> bool {
        let chosen: Vec<Slot> = self.fixed.iter().copied().chain(slots).collect();
        if self.leaders.is_empty() {
            return search.consider_deck(Deck::new(chosen, self.leader));
        }
        // First what the best of all leaders could make of it: where that is not enough, none of them is tried.
        let value = self.problem.deck_value(&Deck::new(chosen.clone(), None));
        let most = |&slot: &Slot| i64::from(self.best_leader[self.view.row_of(slot) as usize]);
        let free = chosen.iter().filter(|slot| !self.fixed.contains(slot));
        if !search.is_better(value + self.best_leader_base + free.map(most).sum::<i64>()) {
            return false;
        }
        let mut is_better = false;
        for &leader in &self.leaders {
            let pairs: i64 =
                chosen.iter().map(|&slot| i64::from(self.problem.leader_pair_score(leader, slot))).sum();
            let value = value + pairs + self.problem.slot_score(leader) + self.problem.leader_score(leader);
            if search.is_better(value) && !chosen.contains(&leader) {
                let slots = chosen.iter().copied().chain([leader]).collect();
                is_better |= search.consider_deck(Deck::new(slots, Some(leader)));
            }
        }
        is_better
    }

    pub(super) fn resource_count(&self) -> usize {
        self.budget.len()
    }

    pub(super) fn item_costs(&self, row: u32) -> &[i32] {
        let resources = self.budget.len();
        &self.costs[row as usize * resources..(row as usize + 1) * resources]
    }

    pub(super) fn pair_score(&self, a: u32, b: u32) -> i32 {
        match self.cells {
            Some(cells) => cells[a as usize * self.slot.len() + b as usize],
            None => self.table.get(a as usize, b as usize),
        }
    }
}

/// The rules that remain after something has been decided.
struct RemainingRules {
    budget: Vec<i64>,
    group_limit: Vec<u16>,
    counts: CountLimits,
    needs: Vec<RemainingQuota>,
    /// The quotas that make classes.
    classes: Vec<usize>,
}

impl RemainingRules {
    fn after_fixing(problem: &Problem, fixed: &[Slot]) -> Option<RemainingRules> {
        let spent = |resource: usize| fixed.iter().map(|&slot| problem.costs(slot)[resource]).sum::<i64>();
        let limits = problem.limits().iter().enumerate();
        let budget: Vec<i64> = limits.filter_map(|(at, limit)| Some((*limit)? - spent(at))).collect();
        let limit = |group: &crate::pool::PieceGroup| group.limit.min(u16::MAX as usize) as u16;
        let mut group_limit: Vec<u16> = problem.pool().groups.iter().map(limit).collect();
        for group in fixed.iter().filter_map(|&slot| problem.group(slot)) {
            group_limit[group] = group_limit[group].checked_sub(1)?;
        }
        let most = problem.size().end().checked_sub(fixed.len())?;
        let least = problem.size().start().saturating_sub(fixed.len());
        let mut needs = Vec::new();
        for quota in problem.quotas() {
            let have = fixed.iter().filter(|slot| quota.members[slot.index()]).count();
            needs.push(RemainingQuota {
                least: quota.at_least.saturating_sub(have),
                most: quota.at_most.checked_sub(have)?,
            });
        }
        if budget.iter().any(|&left| left < 0) {
            return None;
        }
        let classes = choose_class_quotas(problem, &needs);
        let counts = class_count_limits(least, most, &needs, &classes);
        Some(RemainingRules { budget, group_limit, counts, needs, classes })
    }
}

/// Quotas that no slot shares, the most demanding first.
fn choose_class_quotas(problem: &Problem, needs: &[RemainingQuota]) -> Vec<usize> {
    // An item's quotas are the bits of one word, so only the first 64 can make classes.
    let mut order: Vec<usize> = (0..needs.len().min(64)).collect();
    order.sort_by_key(|&at| std::cmp::Reverse((needs[at].least, std::cmp::Reverse(needs[at].most))));
    let mut classes: Vec<usize> = Vec::new();
    for at in order {
        let members = &problem.quotas()[at].members;
        let is_disjoint = classes.iter().all(|&class| {
            let others = &problem.quotas()[class].members;
            !members.iter().zip(others).any(|(&a, &b)| a && b)
        });
        if is_disjoint && classes.len() + 1 < CLASSES {
            classes.push(at);
        }
    }
    classes
}

fn class_count_limits(least: usize, most: usize, needs: &[RemainingQuota], classes: &[usize]) -> CountLimits {
    let short = |count: usize| count.min(u16::MAX as usize) as u16;
    let mut counts = CountLimits {
        least: short(least),
        most: short(most),
        classes: classes.len() as u8 + 1,
        class_least: [0; CLASSES],
        class_most: [u16::MAX; CLASSES],
    };
    for (at, &quota) in classes.iter().enumerate() {
        counts.class_least[at + 1] = short(needs[quota].least);
        counts.class_most[at + 1] = short(needs[quota].most);
    }
    counts
}
