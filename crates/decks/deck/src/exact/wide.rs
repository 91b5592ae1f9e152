//! The first stage: bounds over a whole table, without a copy of it.
//!
//! Potentials are those of [`super::node`], kept as what they differ by from half the score of the pair. A row's completion needs only its
//! best partners, and so does the bound with an item chosen: the list of partners and the list of rows by what they are worth
//! anyway are gone through side by side, until no pair further down can matter (R. Fagin's threshold algorithm).

use super::complete::{BestCompletion, CLASSES, CompletionValue};
use super::dual::DualPotentials;
use super::frame::ProofFrame;
use super::node::{BranchNode, IMPOSSIBLE};

/// The largest that a potential may be moved to, either way.
pub(super) const ROOM: i64 = 1 << 28;

/// Bounds over a table.
pub(super) struct TableBounds<'a> {
    pub(super) frame: &'a ProofFrame<'a>,
    /// Potentials are in this many parts of a unit, an even number.
    pub(super) factor: i32,
    pub(super) alive: Vec<u32>,
    pub(super) is_alive: Vec<bool>,
    /// What scores most with what is decided.
    pub(super) best_own: Vec<u32>,
    /// What the potentials of each row differ by from half the score.
    moved: Vec<Vec<(u32, i32)>>,
    prices: Vec<i32>,
    price_most: Vec<i32>,
    scales: Vec<f64>,
    /// The rows that are alive for each resource, the cheapest first.
    cheapest: Vec<Vec<u32>>,
    pub(super) phi: Vec<i64>,
    threshold: Vec<[i64; CLASSES]>,
    pub(super) chosen: Vec<Vec<u32>>,
    pub(super) scratch: BestCompletion,
    /// By row: the difference of the row that is looked at, and the round in which a row was met.
    difference: Vec<i32>,
    met: Vec<u32>,
    round: u32,
}

impl<'a> TableBounds<'a> {
    /// Bounds of a frame, from the potentials of another that holds for it too, or from halves of the scores.
    pub(super) fn new(
        frame: &'a ProofFrame<'a>,
        factor: i32,
        from: Option<&TableBounds<'_>>,
    ) -> TableBounds<'a> {
        let rows = frame.slot.len();
        let mut is_alive = vec![false; rows];
        for &row in &frame.items {
            is_alive[row as usize] = true;
        }
        let resources = frame.resource_count();
        let largest = |at: usize| {
            frame.items.iter().map(|&row| i64::from(frame.item_costs(row)[at])).max().unwrap_or(0)
        };
        let mean = |at: usize| {
            let sum: i64 = frame.items.iter().map(|&row| i64::from(frame.item_costs(row)[at])).sum();
            sum as f64 / frame.items.len().max(1) as f64
        };
        let mut wide = TableBounds {
            frame,
            factor,
            alive: frame.items.clone(),
            is_alive,
            best_own: best_own_rows(frame),
            moved: vec![Vec::new(); rows],
            prices: vec![0; rows * resources],
            // All multipliers of a row together take half of the room that a number has, and leave the rest to scores.
            price_most: (0..resources)
                .map(|at| (ROOM / 2 / resources as i64 / largest(at).max(1)) as i32)
                .collect(),
            scales: (0..resources).map(|at| (mean(at) * mean(at)).max(1.0)).collect(),
            cheapest: vec![Vec::new(); resources],
            phi: vec![IMPOSSIBLE; rows],
            threshold: vec![[0; CLASSES]; rows],
            chosen: vec![Vec::new(); rows],
            scratch: BestCompletion::default(),
            difference: vec![0; rows],
            met: vec![0; rows],
            round: 0,
        };
        wide.sort_by_cost();
        if let Some(from) = from {
            for &row in &frame.items {
                // What was moved to rows that are gone counts no more.
                let moved =
                    from.moved[row as usize].iter().filter(|(other, _)| wide.is_alive[*other as usize]);
                wide.moved[row as usize] = moved.copied().collect();
            }
            wide.prices.clone_from(&from.prices);
        }
        for &row in &frame.items {
            wide.refill_row(row);
        }
        wide
    }

    /// Bytes, about, of the bounds of a frame before a step is taken, and of the frame.
    pub(super) fn bytes_for(frame: &ProofFrame<'_>) -> usize {
        // By row: what the frame looks up, and phi, thresholds, two lists, marks; numbers for each resource; a completion.
        let frame_row = 30 + 4 * frame.resource_count();
        let bounds_row = 70 + 8 * CLASSES + 8 * frame.resource_count() + 4 * frame.counts.most as usize;
        frame.slot.len() * (frame_row + bounds_row)
    }

    /// Bytes of what steps have moved.
    pub(super) fn bytes_of_moves(&self) -> usize {
        self.moved.iter().map(|row| row.capacity() * size_of::<(u32, i32)>()).sum()
    }

    fn sort_by_cost(&mut self) {
        for resource in 0..self.cheapest.len() {
            let frame = self.frame;
            let mut rows = self.alive.clone();
            rows.sort_by_key(|&row| frame.item_costs(row)[resource]);
            self.cheapest[resource] = rows;
        }
    }

    /// Deletes what `keep` says no of, and completes the rows that lose something.
    pub(super) fn retain_rows(&mut self, keep: impl Fn(u32) -> bool) {
        self.alive.retain(|&row| keep(row));
        self.is_alive.fill(false);
        for &row in &self.alive {
            self.is_alive[row as usize] = true;
        }
        for resource in 0..self.cheapest.len() {
            let is_alive = &self.is_alive;
            self.cheapest[resource].retain(|&row| is_alive[row as usize]);
        }
        for at in 0..self.alive.len() {
            let row = self.alive[at];
            if self.chosen[row as usize].iter().any(|&other| !self.is_alive[other as usize]) {
                self.refill_row(row);
            }
        }
    }

    fn scaled_base(&self) -> i64 {
        self.frame.base * i64::from(self.factor)
    }

    fn own_potential(&self, row: u32) -> i64 {
        let mut own = self.frame.own[row as usize] * i64::from(self.factor);
        for resource in 0..self.frame.resource_count() {
            let left = self.frame.budget[resource] - i64::from(self.frame.item_costs(row)[resource]);
            own += i64::from(self.prices[row as usize * self.frame.resource_count() + resource]) * left;
        }
        own
    }

    /// What another item's cost takes from the row.
    fn cost_charge(&self, row: u32, other: u32) -> i64 {
        let resources = self.frame.resource_count();
        let prices = &self.prices[row as usize * resources..(row as usize + 1) * resources];
        let costs = self.frame.item_costs(other);
        prices.iter().zip(costs).map(|(&price, &cost)| i64::from(price) * i64::from(cost)).sum()
    }

    /// The price of the resource that is dearest in a row, and which it is; `None` where nothing has a price.
    fn dearest_resource(&self, row: u32) -> (i32, Option<usize>) {
        let resources = self.frame.resource_count();
        let prices = &self.prices[row as usize * resources..(row as usize + 1) * resources];
        let worth = |at: usize| f64::from(prices[at]) * self.scales[at].sqrt();
        let dearest = (0..resources).max_by(|&a, &b| worth(a).total_cmp(&worth(b)));
        dearest.filter(|&at| prices[at] > 0).map_or((0, None), |at| (prices[at], Some(at)))
    }

    fn half_score(&self, a: u32, b: u32) -> i64 {
        i64::from(self.frame.pair_score(a, b)) * i64::from(self.factor / 2)
    }

    fn moved_difference(&self, a: u32, b: u32) -> i64 {
        let moved = self.moved[a as usize].iter().find(|(other, _)| *other == b);
        moved.map_or(0, |&(_, by)| i64::from(by))
    }

    fn next_round(&mut self) -> u32 {
        self.round += 1;
        self.round
    }

    /// The bound with an item chosen, with the completion in `scratch`; `order` has, by class, what is alive by what it is worth where the item
    /// is no partner, the best first.
    pub(super) fn bound_with_item(&mut self, item: u32, order: &[Vec<(i64, u32)>]) -> Option<i64> {
        if self.phi[item as usize] <= IMPOSSIBLE / 2 {
            return None;
        }
        let class = self.frame.class[item as usize];
        let counts = self.frame.counts.after_choosing(class);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.begin_collecting(&counts, i64::FLOOR);
        let round = self.next_round();
        self.met[item as usize] = round;
        for &(other, by) in &self.moved[item as usize] {
            self.difference[other as usize] = by;
        }
        let frame = self.frame;
        let partners = frame.table.partners().partners_of(item as usize);
        let mut limit = i64::MAX;
        let mut next_partner = 0;
        for &(worth, row) in &order[class as usize] {
            // The next partner that is alive says how much any later one can add.
            while next_partner < partners.len() {
                let partner = partners[next_partner];
                next_partner += 1;
                if self.is_alive[partner as usize] {
                    limit = 2 * self.half_score(item, partner);
                    self.offer_partner(&mut scratch, item, partner, class, round);
                    break;
                }
                limit = 2 * self.half_score(item, partner);
            }
            if worth.saturating_add(limit) <= scratch.lowest_bar(&counts) {
                break;
            }
            self.offer_partner(&mut scratch, item, row, class, round);
        }
        for &(other, _) in &self.moved[item as usize] {
            self.difference[other as usize] = 0;
        }
        let found = scratch.finish_choice(&counts);
        let bound = self.scaled_base() + self.own_potential(item) + scratch.sum;
        self.scratch = scratch;
        found.then_some(bound)
    }

    /// No less than [`TableBounds::bound_with_item`], and much faster: the rows that are worth most anyway, and the best partners besides.
    pub(super) fn rough_bound_with_item(&self, item: u32, order: &[Vec<(i64, u32)>]) -> i64 {
        let class = self.frame.class[item as usize] as usize;
        let most = self.frame.counts.most.saturating_sub(1) as usize;
        let mut bound = self.scaled_base() + self.own_potential(item);
        bound += order[class].iter().take(most).map(|&(worth, _)| worth.max(0)).sum::<i64>();
        let partners = self.frame.table.partners();
        let list = partners.partners_of(item as usize);
        let alive = || list.iter().filter(|&&other| self.is_alive[other as usize]);
        let mut found = 0;
        let mut last = 0;
        for &other in alive().take(most) {
            last = 2 * self.half_score(item, other).max(0);
            bound += last;
            found += 1;
        }
        // What is not listed scores no more than the last that is.
        if found < most && !partners.is_complete() {
            let end = list.last().map_or(last, |&other| 2 * self.half_score(item, other).max(0));
            bound += end * (most - found) as i64;
        }
        bound
    }

    fn offer_partner(&mut self, scratch: &mut BestCompletion, item: u32, other: u32, class: u8, round: u32) {
        if std::mem::replace(&mut self.met[other as usize], round) == round {
            return;
        }
        let frame = self.frame;
        let half = self.half_score(item, other);
        let by = i64::from(self.difference[other as usize]);
        let there = half + by - self.cost_charge(item, other);
        let back = half - by - self.cost_charge(other, item);
        let loss = (self.threshold[other as usize][class as usize] - back).max(0);
        let value = self.phi[other as usize] + there - loss;
        let at = other as usize;
        scratch.offer_item(value, other, frame.class[at], frame.group[at], &frame.group_limit);
    }

    /// The lists that [`TableBounds::bound_with_item`] asks for.
    pub(super) fn rank_rows_by_class(&self) -> Vec<Vec<(i64, u32)>> {
        let classes = self.frame.counts.classes as usize;
        let of = |class: usize| {
            let worth = |&row: &u32| (self.phi[row as usize] - self.threshold[row as usize][class], row);
            let mut order: Vec<(i64, u32)> = self.alive.iter().map(worth).collect();
            order.sort_unstable_by_key(|&(worth, row)| (std::cmp::Reverse(worth), row));
            order
        };
        (0..classes).map(of).collect()
    }

    /// A node of what is alive, in the order given.
    pub(super) fn extract_node(&mut self, rows: &[u32]) -> BranchNode {
        let frame = self.frame;
        let mut with = Vec::with_capacity(rows.len() * rows.len());
        for &row in rows {
            for &(other, by) in &self.moved[row as usize] {
                self.difference[other as usize] = by;
            }
            for &other in rows {
                let by = i64::from(self.difference[other as usize]);
                with.push((self.half_score(row, other) + by - self.cost_charge(row, other)) as i32);
            }
            for &(other, _) in &self.moved[row as usize] {
                self.difference[other as usize] = 0;
            }
        }
        let resources = frame.resource_count();
        let prices = |&row: &u32| {
            self.prices[row as usize * resources..(row as usize + 1) * resources].iter().copied()
        };
        BranchNode {
            slots: rows.iter().map(|&row| frame.slot[row as usize]).collect(),
            chosen: Vec::new(),
            base: self.scaled_base(),
            own: rows.iter().map(|&row| self.own_potential(row)).collect(),
            with,
            class: rows.iter().map(|&row| frame.class[row as usize]).collect(),
            group: rows.iter().map(|&row| frame.group[row as usize]).collect(),
            has_groups: !frame.group_limit.is_empty(),
            costs: rows.iter().flat_map(|&row| frame.item_costs(row).iter().copied()).collect(),
            prices: rows.iter().flat_map(prices).collect(),
            price_most: self.price_most.clone(),
            scales: self.scales.clone(),
            budget: frame.budget.clone(),
            group_limit: frame.group_limit.clone(),
            counts: frame.counts,
        }
    }
}

/// How many rows are kept of those that score most with what is decided.
const BEST_OWN: usize = 40;

fn best_own_rows(frame: &ProofFrame<'_>) -> Vec<u32> {
    let mut rows = frame.items.clone();
    let key = |&row: &u32| (std::cmp::Reverse(frame.own[row as usize]), row);
    if rows.len() > BEST_OWN {
        rows.select_nth_unstable_by_key(BEST_OWN, key);
        rows.truncate(BEST_OWN);
    }
    rows.retain(|&row| frame.own[row as usize] > 0);
    rows.sort_unstable_by_key(key);
    rows
}

impl DualPotentials for TableBounds<'_> {
    fn row_count(&self) -> usize {
        self.phi.len()
    }

    fn compute_bound(&mut self, choice: &mut Vec<u32>) -> Option<i64> {
        let frame = self.frame;
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.begin_collecting(&frame.counts, i64::FLOOR);
        for &row in &self.alive {
            let at = row as usize;
            scratch.offer_item(self.phi[at], row, frame.class[at], frame.group[at], &frame.group_limit);
        }
        let found = scratch.finish_choice(&frame.counts);
        choice.clone_from(&scratch.chosen);
        let bound = self.scaled_base() + scratch.sum;
        self.scratch = scratch;
        found.then_some(bound)
    }

    fn chosen_in_row(&self, row: u32) -> &[u32] {
        &self.chosen[row as usize]
    }

    fn has_room(&self, a: u32, b: u32, by: i32) -> bool {
        (self.moved_difference(a, b) - i64::from(by)).abs() + self.half_score(a, b).abs() <= ROOM
    }

    fn shift_score(&mut self, a: u32, b: u32, by: i32) {
        for (row, other, by) in [(a, b, -by), (b, a, by)] {
            let moved = &mut self.moved[row as usize];
            match moved.iter_mut().find(|entry| entry.0 == other) {
                Some(entry) => entry.1 += by,
                None => moved.push((other, by)),
            }
        }
    }

    fn can_affect_row(&self, a: u32, b: u32) -> bool {
        let class = self.frame.class[a as usize] as usize;
        let value = self.half_score(b, a) + self.moved_difference(b, a) - self.cost_charge(b, a);
        value > self.threshold[b as usize][class] || self.chosen[b as usize].contains(&a)
    }

    fn resource_count(&self) -> usize {
        self.frame.resource_count()
    }

    fn resource_slack(&self, row: u32, resource: usize) -> i64 {
        let cost = |row: u32| i64::from(self.frame.item_costs(row)[resource]);
        let others: i64 = self.chosen[row as usize].iter().map(|&other| cost(other)).sum();
        self.frame.budget[resource] - cost(row) - others
    }

    fn resource_price(&self, row: u32, resource: usize) -> (i32, i32) {
        let resources = self.frame.resource_count();
        (self.prices[row as usize * resources + resource], self.price_most[resource])
    }

    fn change_price(&mut self, row: u32, resource: usize, change: i32) {
        let resources = self.frame.resource_count();
        self.prices[row as usize * resources + resource] += change;
    }

    fn cost_scale(&self, resource: usize) -> f64 {
        self.scales[resource]
    }

    fn refill_row(&mut self, row: u32) {
        let frame = self.frame;
        let counts = frame.counts.after_choosing(frame.class[row as usize]);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.begin_collecting(&counts, <i32 as CompletionValue>::FLOOR);
        let round = self.next_round();
        self.met[row as usize] = round;
        let offer = |scratch: &mut BestCompletion, other: u32, value: i64| {
            let at = other as usize;
            scratch.offer_item(value, other, frame.class[at], frame.group[at], &frame.group_limit);
        };
        for &(other, by) in &self.moved[row as usize] {
            self.met[other as usize] = round;
            if self.is_alive[other as usize] {
                let value = self.half_score(row, other) + i64::from(by) - self.cost_charge(row, other);
                offer(&mut scratch, other, value);
            }
        }
        let partners = frame.table.partners();
        let (price, resource) = self.dearest_resource(row);
        let mut cheapest = resource.map_or([].iter(), |resource| self.cheapest[resource].iter());
        let resource = resource.unwrap_or(0);
        let mut charge = 0;
        let mut is_enough = partners.is_complete();
        for &other in partners.partners_of(row as usize) {
            let half = self.half_score(row, other);
            // Nothing further down both lists is worth more than the two of them together.
            if half - charge <= scratch.lowest_bar(&counts) {
                is_enough = true;
                break;
            }
            if self.is_alive[other as usize] && self.met[other as usize] != round {
                self.met[other as usize] = round;
                offer(&mut scratch, other, half - self.cost_charge(row, other));
            }
            if let Some(&other) = cheapest.next() {
                charge = i64::from(price) * i64::from(frame.item_costs(other)[resource]);
                if self.met[other as usize] != round {
                    self.met[other as usize] = round;
                    offer(&mut scratch, other, self.half_score(row, other) - self.cost_charge(row, other));
                }
            }
        }
        if !is_enough {
            for &other in &self.alive {
                if self.met[other as usize] != round {
                    offer(&mut scratch, other, self.half_score(row, other) - self.cost_charge(row, other));
                }
            }
        }
        let at = row as usize;
        self.phi[at] = IMPOSSIBLE;
        self.chosen[at].clear();
        if scratch.finish_choice(&counts) {
            self.phi[at] = self.own_potential(row) + scratch.sum;
            self.threshold[at] = scratch.threshold;
            self.chosen[at].clone_from(&scratch.chosen);
        }
        self.scratch = scratch;
    }
}
