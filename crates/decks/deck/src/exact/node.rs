//! What is left to decide: items with potentials, and the rules that remain.
//!
//! Potentials are `own[i]` and `with[i][j]` such that for every choice `S` that keeps the rules
//! `base + sum over i in S of (own[i] + sum over j in S, j != i, of with[i][j])` is at least the value of the deck. At first both are
//! equal, with `with[i][j] + with[j][i]` the score of the pair. Moving score from `with[i][j]` to `with[j][i]` keeps the sum; so does adding
//! a multiple of a rule that holds for every choice, which can only raise it.

use super::complete::{BestCompletion, CLASSES, CountLimits, FREE, ItemClasses};
use super::dual::DualPotentials;
use super::wide::ROOM;
use crate::problem::Slot;

/// What a forbidden pair is worth.
pub(super) const NEVER: i32 = -(1 << 30);

/// Below this a potential stands for a forbidden pair.
pub(super) const NEVER_BELOW: i64 = NEVER as i64 / 2;

/// A part of the problem.
#[derive(Clone, Debug)]
pub(super) struct BranchNode {
    /// The slots of the items.
    pub(super) slots: Vec<Slot>,
    /// What has been chosen already.
    pub(super) chosen: Vec<Slot>,
    /// The value so far, with what multipliers have added.
    pub(super) base: i64,
    pub(super) own: Vec<i64>,
    /// Row after row.
    pub(super) with: Vec<i32>,
    pub(super) class: Vec<u8>,
    pub(super) group: Vec<u32>,
    pub(super) has_groups: bool,
    /// What an item costs of each resource that is limited, item after item.
    pub(super) costs: Vec<i32>,
    /// The multipliers of the resources in the row of each item, item after item.
    pub(super) prices: Vec<i32>,
    /// The largest that a multiplier may be, by resource.
    pub(super) price_most: Vec<i32>,
    /// The square of a typical cost, by resource.
    pub(super) scales: Vec<f64>,
    /// What may still be spent.
    pub(super) budget: Vec<i64>,
    pub(super) group_limit: Vec<u16>,
    pub(super) counts: CountLimits,
}

impl BranchNode {
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn resource_count(&self) -> usize {
        self.budget.len()
    }

    pub(super) fn potential_row(&self, item: usize) -> &[i32] {
        &self.with[item * self.len()..(item + 1) * self.len()]
    }

    pub(super) fn item_costs(&self, item: usize) -> &[i32] {
        let resources = self.resource_count();
        &self.costs[item * resources..(item + 1) * resources]
    }

    fn item_prices(&self, item: usize) -> &[i32] {
        let resources = self.resource_count();
        &self.prices[item * resources..(item + 1) * resources]
    }

    pub(super) fn item_classes(&self) -> ItemClasses<'_> {
        ItemClasses {
            class: &self.class,
            group: &self.group,
            has_groups: self.has_groups,
            group_limit: &self.group_limit,
        }
    }

    /// The node with some items only, in the order given.
    pub(super) fn keep_items(&self, items: &[usize]) -> BranchNode {
        let mut with = Vec::with_capacity(items.len() * items.len());
        for &item in items {
            let row = self.potential_row(item);
            with.extend(items.iter().map(|&other| row[other]));
        }
        let group: Vec<u32> = items.iter().map(|&item| self.group[item]).collect();
        BranchNode {
            slots: items.iter().map(|&item| self.slots[item]).collect(),
            chosen: self.chosen.clone(),
            base: self.base,
            own: items.iter().map(|&item| self.own[item]).collect(),
            with,
            class: items.iter().map(|&item| self.class[item]).collect(),
            has_groups: can_fill_group(&group, &self.group_limit),
            group,
            costs: items.iter().flat_map(|&item| self.item_costs(item).iter().copied()).collect(),
            prices: items.iter().flat_map(|&item| self.item_prices(item).iter().copied()).collect(),
            price_most: self.price_most.clone(),
            scales: self.scales.clone(),
            budget: self.budget.clone(),
            group_limit: self.group_limit.clone(),
            counts: self.counts,
        }
    }

    /// The node after choosing an item: without it and without what no longer fits.
    pub(super) fn choose_item(&self, item: usize) -> BranchNode {
        let mut budget = self.budget.clone();
        for (left, &cost) in budget.iter_mut().zip(self.item_costs(item)) {
            *left -= i64::from(cost);
        }
        let mut group_limit = self.group_limit.clone();
        let group = self.group[item];
        if group != FREE {
            group_limit[group as usize] -= 1;
        }
        let counts = self.counts.after_choosing(self.class[item]);
        let n = self.len();
        let fits = |other: usize| {
            let affordable =
                self.item_costs(other).iter().zip(&budget).all(|(&cost, &left)| i64::from(cost) <= left);
            let group = self.group[other];
            let allowed = group == FREE || group_limit[group as usize] > 0;
            let both = i64::from(self.with[item * n + other]) + i64::from(self.with[other * n + item]);
            let class = counts.class_most[self.class[other] as usize] > 0;
            other != item && affordable && allowed && class && both > NEVER_BELOW
        };
        let items: Vec<usize> =
            if counts.most == 0 { Vec::new() } else { (0..n).filter(|&at| fits(at)).collect() };
        let mut node = self.keep_items(&items);
        for (own, &other) in node.own.iter_mut().zip(&items) {
            *own += i64::from(self.with[item * n + other]) + i64::from(self.with[other * n + item]);
        }
        node.base += self.own[item];
        node.chosen.push(self.slots[item]);
        node.has_groups = can_fill_group(&node.group, &group_limit);
        (node.budget, node.group_limit, node.counts) = (budget, group_limit, counts);
        node
    }

    /// Is a pair forbidden?
    pub(super) fn is_forbidden(&self, a: usize, b: usize) -> bool {
        i64::from(self.with[a * self.len() + b]) <= NEVER_BELOW
    }

    /// Forbids a pair.
    pub(super) fn forbid_pair(&mut self, a: usize, b: usize) {
        let n = self.len();
        self.with[a * n + b] = NEVER;
        self.with[b * n + a] = NEVER;
    }
}

/// Bytes, about, of a node with its bounds, and of the smaller copy that it may become.
pub(super) fn node_bytes(items: usize, resources: usize, most: u16) -> usize {
    // By item: its potentials twice; slot, own, class, group; costs and prices; phi, thresholds, a completion, a value.
    items * (8 * items + 17 + 8 * resources + 40 + 8 * CLASSES + 4 * usize::from(most))
}

/// Can any group fill up?
fn can_fill_group(group: &[u32], limits: &[u16]) -> bool {
    let mut counts = vec![0u16; limits.len()];
    group.iter().any(|&group| {
        group != FREE && {
            counts[group as usize] += 1;
            counts[group as usize] > limits[group as usize]
        }
    })
}

/// The value of a row without a completion.
pub(super) const IMPOSSIBLE: i64 = -(1 << 50);

/// A node with its bounds: of every item the best completion of its row.
pub(super) struct CoreBounds {
    pub(super) node: BranchNode,
    /// `own` and the best completion; very low where there is none.
    pub(super) phi: Vec<i64>,
    /// What another item in the row would displace, for each item and class.
    threshold: Vec<[i64; CLASSES]>,
    /// What the completions choose.
    pub(super) chosen: Vec<Vec<u32>>,
    pub(super) scratch: BestCompletion,
    values: Vec<i64>,
}

impl CoreBounds {
    /// Completes all rows.
    pub(super) fn new(node: BranchNode) -> CoreBounds {
        let n = node.len();
        let mut core = CoreBounds {
            node,
            phi: vec![IMPOSSIBLE; n],
            threshold: vec![[0; CLASSES]; n],
            chosen: vec![Vec::new(); n],
            scratch: BestCompletion::default(),
            values: Vec::new(),
        };
        core.refill_rows();
        core
    }

    pub(super) fn refill_rows(&mut self) {
        for item in 0..self.node.len() as u32 {
            self.refill_row(item);
        }
    }

    /// Keeps some items only, in the order given.
    pub(super) fn keep_items(&mut self, items: &[usize]) {
        *self = CoreBounds::new(self.node.keep_items(items));
    }

    /// The bound with an item chosen, with its completion in `scratch` and what each other item counts in [`CoreBounds::values`].
    pub(super) fn bound_with_item(&mut self, item: usize) -> Option<i64> {
        let node = &self.node;
        if self.phi[item] <= IMPOSSIBLE / 2 {
            return None;
        }
        let n = node.len();
        let class = node.class[item] as usize;
        self.values.clear();
        for (other, &there) in node.potential_row(item).iter().enumerate() {
            let back = i64::from(node.with[other * n + item]);
            // The row of the other item must hold this one, and gives up its weakest for that unless it gains by it.
            let loss = (self.threshold[other][class] - back).max(0);
            self.values.push(self.phi[other] + i64::from(there) - loss);
        }
        let counts = node.counts.after_choosing(node.class[item]);
        let found = self.scratch.find_best(&self.values, item, &counts, &node.item_classes());
        found.then(|| node.base + node.own[item] + self.scratch.sum)
    }

    /// After [`CoreBounds::bound_with_item`]: the bound with this other item chosen too, for a deck whose bound was `bound`.
    pub(super) fn bound_with_pair(&self, bound: i64, other: usize) -> i64 {
        let threshold = self.scratch.threshold[self.node.class[other] as usize];
        bound - (threshold - self.values[other]).max(0)
    }
}

impl DualPotentials for CoreBounds {
    fn row_count(&self) -> usize {
        self.node.len()
    }

    fn compute_bound(&mut self, choice: &mut Vec<u32>) -> Option<i64> {
        let found =
            self.scratch.find_best(&self.phi, usize::MAX, &self.node.counts, &self.node.item_classes());
        choice.clone_from(&self.scratch.chosen);
        found.then(|| self.node.base + self.scratch.sum)
    }

    fn chosen_in_row(&self, row: u32) -> &[u32] {
        &self.chosen[row as usize]
    }

    fn has_room(&self, a: u32, b: u32, by: i32) -> bool {
        let n = self.node.len();
        let there = i64::from(self.node.with[a as usize * n + b as usize]) - i64::from(by);
        let back = i64::from(self.node.with[b as usize * n + a as usize]) + i64::from(by);
        there >= -ROOM && (-ROOM..=ROOM).contains(&back)
    }

    fn shift_score(&mut self, a: u32, b: u32, by: i32) {
        let n = self.node.len();
        self.node.with[a as usize * n + b as usize] -= by;
        self.node.with[b as usize * n + a as usize] += by;
    }

    fn can_affect_row(&self, a: u32, b: u32) -> bool {
        let value = self.node.with[b as usize * self.node.len() + a as usize];
        let class = self.node.class[a as usize] as usize;
        i64::from(value) > self.threshold[b as usize][class] || self.chosen[b as usize].contains(&a)
    }

    fn resource_count(&self) -> usize {
        self.node.resource_count()
    }

    fn resource_slack(&self, row: u32, resource: usize) -> i64 {
        let cost = |item: u32| i64::from(self.node.item_costs(item as usize)[resource]);
        let others: i64 = self.chosen[row as usize].iter().map(|&other| cost(other)).sum();
        self.node.budget[resource] - cost(row) - others
    }

    fn resource_price(&self, row: u32, resource: usize) -> (i32, i32) {
        (self.node.item_prices(row as usize)[resource], self.node.price_most[resource])
    }

    fn change_price(&mut self, row: u32, resource: usize, change: i32) {
        let node = &mut self.node;
        let (n, resources, item) = (node.len(), node.resource_count(), row as usize);
        node.prices[item * resources + resource] += change;
        let left = node.budget[resource] - i64::from(node.item_costs(item)[resource]);
        node.own[item] += i64::from(change) * left;
        for other in 0..n {
            let cost = node.costs[other * resources + resource];
            let with = &mut node.with[item * n + other];
            if *with > NEVER / 2 {
                *with -= change * cost;
            }
        }
    }

    fn cost_scale(&self, resource: usize) -> f64 {
        self.node.scales[resource]
    }

    fn refill_row(&mut self, row: u32) {
        let (node, item) = (&self.node, row as usize);
        let counts = node.counts.after_choosing(node.class[item]);
        self.chosen[item].clear();
        self.phi[item] = IMPOSSIBLE;
        if self.scratch.find_best(node.potential_row(item), item, &counts, &node.item_classes()) {
            self.phi[item] = node.own[item] + self.scratch.sum;
            self.threshold[item] = self.scratch.threshold;
            self.chosen[item].extend_from_slice(&self.scratch.chosen);
        }
    }
}
