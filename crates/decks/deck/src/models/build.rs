//! From the problem to rows.

use super::completion::RestOfDeck;
use super::{
    Formulation, LinearModel, LinearModelError, MAX_TERMS, ModelRow, RowLabel, RowSense, VariableMeaning,
};
use crate::problem::{Problem, Slot};

/// Builds the model.
pub(super) fn build_model(
    problem: &Problem,
    formulation: Formulation,
) -> Result<LinearModel, LinearModelError> {
    let mut builder = ModelBuilder::new(problem, formulation);
    let terms = builder.estimate_terms();
    if terms > MAX_TERMS {
        return Err(LinearModelError::Large { formulation, terms });
    }
    builder.add_rules();
    match formulation {
        Formulation::Article => builder.add_pair_products(),
        Formulation::Compact => builder.add_compact_rows(),
        Formulation::Strong => {
            builder.add_pair_products();
            builder.add_rule_products();
        }
    }
    Ok(builder.model)
}

/// The part of a pair's score that stands in the row of `slot`: halves, and an odd unit in the row of the first.
pub(super) fn row_share(problem: &Problem, slot: Slot, other: Slot) -> i64 {
    let score = i64::from(problem.pair_score(slot, other));
    if slot < other { score - score.div_euclid(2) } else { score.div_euclid(2) }
}

struct ModelBuilder<'a> {
    problem: &'a Problem,
    model: LinearModel,
    /// The variable by which a slot leads.
    lead: Vec<Option<u32>>,
    /// Of every slot: the products in which it is one of the others, as (the other slot, variable).
    partners: Vec<Vec<(Slot, u32)>>,
    /// The products of each leader.
    led: Vec<Vec<(Slot, u32)>>,
}

impl<'a> ModelBuilder<'a> {
    fn new(problem: &'a Problem, formulation: Formulation) -> ModelBuilder<'a> {
        let count = problem.len();
        let names = problem.slots().map(|slot| problem.piece_name(slot).to_string()).collect();
        let (variables, objective) = (Vec::new(), Vec::new());
        let model =
            LinearModel { formulation, variables, objective, terms: Vec::new(), rows: Vec::new(), names };
        let (lead, lists) = (vec![None; count], vec![Vec::new(); count]);
        let mut builder = ModelBuilder { problem, model, lead, partners: lists.clone(), led: lists };
        for slot in problem.slots() {
            builder.add_variable(VariableMeaning::In(slot), problem.slot_score(slot));
        }
        for &slot in problem.leaders().unwrap_or_default() {
            let score = problem.slot_score(slot) + problem.leader_score(slot);
            builder.lead[slot.index()] = Some(builder.add_variable(VariableMeaning::Leads(slot), score));
        }
        builder
    }

    /// Coefficients that there will be, roughly.
    fn estimate_terms(&self) -> u64 {
        let count = self.problem.len() as u64;
        let leaders = self.problem.leaders().map_or(0, <[Slot]>::len) as u64;
        let ProductCounts { pairs, led } = self.count_products();
        let (rules, resources) = (self.rules_per_slot() * count, self.problem.limits().len() as u64);
        match self.model.formulation {
            Formulation::Article => rules + 4 * (pairs + led),
            Formulation::Compact => rules + 2 * pairs + led,
            Formulation::Strong => {
                rules + (4 + 2 * (1 + resources)) * (pairs + led) + self.products_of_slots(count, leaders)
            }
        }
    }

    fn rules_per_slot(&self) -> u64 {
        2 + (self.problem.limits().len() + self.problem.quotas().len()) as u64
    }

    fn products_of_slots(&self, count: u64, leaders: u64) -> u64 {
        (count + leaders) * (self.rules_per_slot() + 2)
    }

    fn count_products(&self) -> ProductCounts {
        let problem = self.problem;
        let pool = problem.pool();
        // Slots of a piece, times those of its partners: exact without copies, close with them.
        let mut copies = vec![0u64; pool.pieces.len()];
        for piece in problem.pieces() {
            copies[piece.index()] += 1;
        }
        let of = |table: &crate::PairScoreTable, at: usize| -> u64 {
            table.nonzero_entries(at).map(|(column, _)| copies[column]).sum::<u64>()
        };
        let pairs = (0..copies.len()).filter(|&at| copies[at] > 0).map(|at| copies[at] * of(&pool.pairs, at));
        let table = pool.leaders.as_ref().unwrap_or(&pool.pairs);
        let leaders = problem.leaders().unwrap_or_default().iter();
        let led = leaders.map(|&slot| of(table, problem.piece_of(slot).index())).sum();
        ProductCounts { pairs: pairs.sum::<u64>() / 2, led }
    }

    fn add_variable(&mut self, meaning: VariableMeaning, objective: i64) -> u32 {
        self.model.variables.push(meaning);
        self.model.objective.push(objective);
        (self.model.variables.len() - 1) as u32
    }

    fn add_row(
        &mut self,
        label: RowLabel,
        terms: impl IntoIterator<Item = (u32, i64)>,
        (sense, right): (RowSense, i64),
    ) {
        let from = self.model.terms.len();
        self.model.terms.extend(terms.into_iter().filter(|&(_, coefficient)| coefficient != 0));
        let terms = from..self.model.terms.len();
        let holds = match sense {
            RowSense::AtMost => right >= 0,
            RowSense::AtLeast => right <= 0,
            RowSense::Equal => right == 0,
        };
        if terms.is_empty() && holds {
            return;
        }
        self.model.rows.push(ModelRow { label, terms, sense, right });
    }

    /// The variables of a slot being in the deck, whatever its role.
    fn slot_terms(&self, slot: Slot, coefficient: i64) -> impl Iterator<Item = (u32, i64)> + use<> {
        let lead = self.lead[slot.index()];
        std::iter::once(slot.0).chain(lead).map(move |at| (at, coefficient))
    }

    fn deck_terms(&self, coefficient: impl Fn(Slot) -> i64) -> Vec<(u32, i64)> {
        self.problem.slots().flat_map(|slot| self.slot_terms(slot, coefficient(slot))).collect()
    }

    /// What every deck has to keep.
    fn add_rules(&mut self) {
        let problem = self.problem;
        let (least, most) = (*problem.size().start() as i64, *problem.size().end() as i64);
        self.add_range(RowLabel("size", 0, 0), self.deck_terms(|_| 1), (least, most));
        for (resource, limit) in problem.limits().iter().enumerate() {
            let Some(limit) = *limit else { continue };
            let terms = self.deck_terms(|slot| problem.costs(slot)[resource]);
            self.add_row(RowLabel("cost", resource as u32 + 1, 0), terms, (RowSense::AtMost, limit));
        }
        for (group, members) in slots_by_group(problem).into_iter().enumerate() {
            let limit = problem.group_limit(group);
            if members.len() > limit {
                let terms: Vec<_> = members.iter().flat_map(|&slot| self.slot_terms(slot, 1)).collect();
                self.add_row(RowLabel("group", group as u32 + 1, 0), terms, (RowSense::AtMost, limit as i64));
            }
        }
        for (at, quota) in problem.quotas().iter().enumerate() {
            let terms = self.deck_terms(|slot| i64::from(quota.members[slot.index()]));
            let bounds = quota.bounds_in_deck(*problem.size().end());
            self.add_range(RowLabel("quota", at as u32 + 1, 0), terms, bounds);
        }
        self.add_roles();
    }

    /// At least and at most; one row if both are the same.
    fn add_range(&mut self, label: RowLabel, terms: Vec<(u32, i64)>, (least, most): (i64, i64)) {
        let RowLabel(word, a, b) = label;
        if least == most {
            return self.add_row(label, terms, (RowSense::Equal, most));
        }
        let (low, high) = match word {
            "size" => ("least_size", "most_size"),
            _ => ("least_quota", "most_quota"),
        };
        if least > 0 {
            self.add_row(RowLabel(low, a, b), terms.iter().copied(), (RowSense::AtLeast, least));
        }
        self.add_row(RowLabel(high, a, b), terms, (RowSense::AtMost, most));
    }

    /// Fixed slots, one leader, copies in their order.
    fn add_roles(&mut self) {
        let problem = self.problem;
        for slot in problem.slots() {
            let number = slot.0 + 1;
            if problem.is_fixed(slot) {
                let terms = self.slot_terms(slot, 1);
                self.add_row(RowLabel("fixed", number, 0), terms, (RowSense::Equal, 1));
            } else if self.lead[slot.index()].is_some() {
                let terms = self.slot_terms(slot, 1);
                self.add_row(RowLabel("role", number, 0), terms, (RowSense::AtMost, 1));
            }
            let next = Slot(slot.0 + 1);
            if next.index() < problem.len() && problem.piece_of(next) == problem.piece_of(slot) {
                let terms = self.slot_terms(slot, -1).chain(self.slot_terms(next, 1));
                self.add_row(RowLabel("copy", number, 0), terms, (RowSense::AtMost, 0));
            }
        }
        if problem.leaders().is_some() {
            let terms: Vec<_> = self.lead.iter().flatten().map(|&at| (at, 1)).collect();
            self.add_row(RowLabel("leader", 0, 0), terms, (RowSense::Equal, 1));
        }
    }

    /// A variable for every product that scores.
    fn add_pair_products(&mut self) {
        let problem = self.problem;
        for a in problem.slots() {
            for b in (a.0 + 1..problem.len() as u32).map(Slot) {
                let score = i64::from(problem.pair_score(a, b));
                if score != 0 {
                    let y = self.add_variable(VariableMeaning::Pair(a, b), score);
                    self.add_product(("a", "b", "both"), y, (a.0, b.0), (score, a, b));
                    self.partners[a.index()].push((b, y));
                    self.partners[b.index()].push((a, y));
                }
            }
        }
        for &a in problem.leaders().unwrap_or_default() {
            let Some(lead) = self.lead[a.index()] else { continue };
            for b in problem.slots().filter(|&b| b != a) {
                let score = i64::from(problem.leader_pair_score(a, b));
                if score != 0 {
                    let q = self.add_variable(VariableMeaning::Led(a, b), score);
                    self.add_product(("leads", "led", "lead_both"), q, (lead, b.0), (score, a, b));
                    self.led[a.index()].push((b, q));
                }
            }
        }
    }

    /// `product = left * right` as far as a solver that maximises would break it.
    fn add_product(
        &mut self,
        (under_left, under_right, both): (&'static str, &'static str, &'static str),
        product: u32,
        (left, right): (u32, u32),
        (score, a, b): (i64, Slot, Slot),
    ) {
        let label = |word| RowLabel(word, a.0 + 1, b.0 + 1);
        // The rows of the strong form press on a product from below, too.
        if score > 0 || self.model.formulation == Formulation::Strong {
            self.add_row(label(under_left), [(product, 1), (left, -1)], (RowSense::AtMost, 0));
            self.add_row(label(under_right), [(product, 1), (right, -1)], (RowSense::AtMost, 0));
        }
        if score < 0 {
            self.add_row(label(both), [(left, 1), (right, 1), (product, -1)], (RowSense::AtMost, 1));
        }
    }

    /// Every rule of the deck times every slot. A product that does not score has no variable; it would only add to a sum that has an
    /// upper limit, so the rows hold without it. "At least" of an attribute is "at most" of all the others; "at least" of the
    /// size is said where all products of a slot score.
    fn add_rule_products(&mut self) {
        let problem = self.problem;
        for slot in problem.slots() {
            let terms = std::mem::take(&mut self.partners[slot.index()]);
            self.add_row_products(slot, slot.0, &terms, false);
        }
        for &slot in problem.leaders().unwrap_or_default() {
            let terms = std::mem::take(&mut self.led[slot.index()]);
            if let Some(lead) = self.lead[slot.index()] {
                self.add_row_products(slot, lead, &terms, true);
            }
        }
    }

    /// The rules for the others of a deck that has `slot` in the role of the variable `role`.
    fn add_row_products(&mut self, slot: Slot, role: u32, terms: &[(Slot, u32)], leads: bool) {
        let problem = self.problem;
        let most = *problem.size().end() as i64;
        // Where somebody leads, the products of another's row are with those that do not lead either: one fewer.
        let others = most - 1 - i64::from(!leads && problem.leaders().is_some());
        let number = slot.0 + 1;
        let word = |plain: &'static str, lead: &'static str| if leads { lead } else { plain };
        let all = terms.iter().map(|&(_, at)| (at, 1));
        self.add_product_limit(RowLabel(word("size_with", "size_led"), number, 0), all.clone(), role, others);
        if terms.len() + 1 == problem.len() {
            let fewest = others - most + *problem.size().start() as i64;
            let label = RowLabel(word("least_with", "least_led"), number, 0);
            self.add_row(label, all.chain([(role, -fewest)]), (RowSense::AtLeast, 0));
        }
        for (resource, limit) in problem.limits().iter().enumerate() {
            let Some(limit) = *limit else { continue };
            let of = |slot: Slot| problem.costs(slot)[resource];
            let label = RowLabel(word("cost_with", "cost_led"), resource as u32 + 1, number);
            let costs = terms.iter().map(|&(other, at)| (at, of(other)));
            self.add_product_limit(label, costs, role, limit - of(slot));
        }
        for (at, quota) in problem.quotas().iter().enumerate() {
            let has = |slot: Slot| quota.members[slot.index()];
            let place = at as u32 + 1;
            let (at_least, at_most) = quota.bounds_in_deck(*problem.size().end());
            let most_of = at_most - i64::from(has(slot));
            if most_of < others {
                let members = terms.iter().filter(|(other, _)| has(*other)).map(|&(_, at)| (at, 1));
                let label = RowLabel(word("most_quota_with", "most_quota_led"), place, number);
                self.add_product_limit(label, members, role, most_of);
            }
            let without = most - at_least - i64::from(!has(slot));
            if without < others {
                let rest = terms.iter().filter(|(other, _)| !has(*other)).map(|&(_, at)| (at, 1));
                let label = RowLabel(word("least_quota_with", "least_quota_led"), place, number);
                self.add_product_limit(label, rest, role, without);
            }
        }
        self.add_group_products(slot, role, terms, word("group_with", "group_led"));
    }

    fn add_group_products(&mut self, slot: Slot, role: u32, terms: &[(Slot, u32)], word: &'static str) {
        let problem = self.problem;
        let mut grouped: Vec<(usize, u32)> =
            terms.iter().filter_map(|&(other, at)| problem.group(other).map(|group| (group, at))).collect();
        grouped.sort_unstable();
        for members in grouped.chunk_by(|a, b| a.0 == b.0) {
            let group = members[0].0;
            let own = usize::from(problem.group(slot) == Some(group));
            let limit = problem.group_limit(group).saturating_sub(own);
            if members.len() > limit {
                let label = RowLabel(word, group as u32 + 1, slot.0 + 1);
                self.add_product_limit(label, members.iter().map(|&(_, at)| (at, 1)), role, limit as i64);
            }
        }
    }

    /// The products are at most so much if `role` is 1, and 0 if it is 0.
    fn add_product_limit(
        &mut self,
        label: RowLabel,
        products: impl IntoIterator<Item = (u32, i64)>,
        role: u32,
        limit: i64,
    ) {
        let from = self.model.terms.len();
        self.add_row(label, products.into_iter().chain([(role, -limit)]), (RowSense::AtMost, 0));
        // A row without products says nothing that the rules do not say.
        let only_role = self.model.terms.len() - from <= 1;
        if only_role && self.model.rows.last().is_some_and(|row| row.terms.start == from) {
            self.model.rows.pop();
            self.model.terms.truncate(from);
        }
    }

    /// One real variable for every row.
    fn add_compact_rows(&mut self) {
        let problem = self.problem;
        let room = RowLimits::new(problem);
        for slot in problem.slots() {
            let gains = |other: Slot| (other != slot).then(|| row_share(problem, slot, other));
            let gains: Vec<Option<i64>> = problem.slots().map(gains).collect();
            if gains.iter().flatten().all(|&gain| gain == 0) {
                continue;
            }
            let z = self.add_variable(VariableMeaning::Row(slot), 1);
            let limits = room.limits_of_member(slot, &gains);
            self.add_glover_rows(("row", "best_row"), z, (slot, slot.0), &gains, limits);
        }
        for &slot in problem.leaders().unwrap_or_default() {
            let gains =
                |other: Slot| (other != slot).then(|| i64::from(problem.leader_pair_score(slot, other)));
            let gains: Vec<Option<i64>> = problem.slots().map(gains).collect();
            let Some(lead) = self.lead[slot.index()] else { continue };
            if gains.iter().flatten().all(|&gain| gain == 0) {
                continue;
            }
            let v = self.add_variable(VariableMeaning::LeaderRow(slot), 1);
            let limits = room.limits_of_leader(slot, &gains);
            self.add_glover_rows(("leader_row", "best_leader_row"), v, (slot, lead), &gains, limits);
        }
    }

    /// `sum <= most * role` and `sum <= gains - least * (1 - role)`.
    fn add_glover_rows(
        &mut self,
        (row, best): (&'static str, &'static str),
        sum: u32,
        (slot, role): (Slot, u32),
        gains: &[Option<i64>],
        (most, least): (i64, i64),
    ) {
        let number = slot.0 + 1;
        self.add_row(RowLabel(best, number, 0), [(sum, 1), (role, -most)], (RowSense::AtMost, 0));
        let terms = gains.iter().enumerate().filter_map(|(at, gain)| Some((at as u32, -(*gain)?)));
        let terms = [(sum, 1)].into_iter().chain(terms).chain([(role, -least)]);
        self.add_row(RowLabel(row, number, 0), terms, (RowSense::AtMost, -least));
    }
}

/// How many products score.
struct ProductCounts {
    pairs: u64,
    led: u64,
}

fn slots_by_group(problem: &Problem) -> Vec<Vec<Slot>> {
    let mut members = vec![Vec::new(); problem.pool().groups.len()];
    for slot in problem.slots() {
        if let Some(group) = problem.group(slot) {
            members[group].push(slot);
        }
    }
    members
}

/// What the pieces of a deck that do not lead may be.
struct RowLimits {
    /// They must be there, and do not lead.
    forced: Vec<bool>,
    least: usize,
    most: usize,
    resources: Vec<(Vec<i64>, i64)>,
}

impl RowLimits {
    fn new(problem: &Problem) -> RowLimits {
        let leader = usize::from(problem.leaders().is_some());
        let (least, most) = (problem.size().start().saturating_sub(leader), problem.size().end() - leader);
        let leads = |slot: &Slot| problem.leaders().is_some_and(|leaders| leaders.contains(slot));
        let forced = problem.slots().map(|slot| problem.is_fixed(slot) && !leads(&slot)).collect();
        let limits = problem.limits().iter().enumerate();
        let limits = limits.filter_map(|(resource, limit)| Some((resource, (*limit)?)));
        let costs = |resource: usize| problem.slots().map(|slot| problem.costs(slot)[resource]).collect();
        let resources = limits.map(|(resource, limit)| (costs(resource), limit)).collect();
        RowLimits { forced, least, most, resources }
    }

    /// The most that a row adds in a deck that has its slot, and the least that it would add in one that has not.
    fn limits_of_member(&self, slot: Slot, gains: &[Option<i64>]) -> (i64, i64) {
        let left = self.resources_without(slot);
        let (least, most) = (self.least.saturating_sub(1), self.most.saturating_sub(1));
        let most = self.most_row_gain(gains, (least, most), &left);
        if self.forced[slot.index()] {
            return (most, 0);
        }
        (most, self.least_row_gain(gains))
    }

    /// The same for the row of a leader.
    fn limits_of_leader(&self, slot: Slot, gains: &[Option<i64>]) -> (i64, i64) {
        let left = self.resources_without(slot);
        (self.most_row_gain(gains, (self.least, self.most), &left), self.least_row_gain(gains))
    }

    /// The least that a row adds in a deck without its slot, by any other.
    fn least_row_gain(&self, gains: &[Option<i64>]) -> i64 {
        let minus: Vec<Option<i64>> = gains.iter().map(|gain| gain.map(|gain| -gain)).collect();
        // The slot itself may still be in the deck of another leader's: it adds nothing to its own row.
        -self.most_row_gain(&minus, (self.least.saturating_sub(1), self.most), &[])
    }

    fn resources_without(&self, slot: Slot) -> Vec<(Vec<i64>, i64)> {
        let left = |(costs, limit): &(Vec<i64>, i64)| (costs.clone(), limit - costs[slot.index()]);
        self.resources.iter().map(left).collect()
    }

    fn most_row_gain(
        &self,
        gains: &[Option<i64>],
        (least, most): (usize, usize),
        left: &[(Vec<i64>, i64)],
    ) -> i64 {
        RestOfDeck { gains, forced: &self.forced, least, most, resources: left }.most_gain()
    }
}
