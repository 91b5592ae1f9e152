//! Is there any deck at all, and if not, why not: reasons as data.
//!
//! Scores do not matter here. What rules look at is few: the count, the cost, the quotas, the groups, whether a leader is in the deck. So slots
//! that are alike in quotas are one class, and decks are built class by class and group by group, keeping for every count and
//! every filling of the quotas only the cheapest ways to get there. With one resource that is one way each, and the decision is
//! exact and fast; with several it is a Pareto front, up to a number of ways beyond which nothing is decided.
//!
//! Simple reasons are looked for first ("four fixed pieces already cost 120 of 100"). Where it is none of them, rules are dropped one
//! at a time as long as there is still no deck: what is left is a set of rules that contradict each other, and none of them can be spared
//! (the deletion filter of J. W. Chinneck and E. W. Dravnieks, 1991).

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::problem::{Problem, Slot};

/// Why there is no deck.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InfeasibleReason {
    /// More pieces are fixed than a deck has.
    FixedCount {
        /// Fixed pieces.
        fixed: usize,
        /// The largest deck.
        most: usize,
    },
    /// The fixed pieces cost too much already.
    FixedCost {
        /// The resource's place.
        resource: usize,
        /// Fixed pieces.
        fixed: usize,
        /// What they cost.
        cost: i64,
        /// What a deck may cost.
        limit: i64,
    },
    /// Too many pieces of a group are fixed.
    FixedGroup {
        /// Which, by its place.
        group: usize,
        /// Fixed pieces of it.
        fixed: usize,
        /// What a deck may have.
        limit: usize,
    },
    /// Too many pieces with an attribute are fixed.
    FixedQuota {
        /// The quota, by its place in the request.
        quota: usize,
        /// Fixed pieces of it.
        fixed: usize,
        /// What a deck may have.
        at_most: usize,
    },
    /// Fewer pieces may be chosen than a deck needs.
    FewPieces {
        /// What may be chosen, groups considered.
        left: usize,
        /// The smallest deck.
        least: usize,
    },
    /// More pieces with an attribute are asked for than may be chosen.
    FewOfQuota {
        /// The quota, by its place in the request.
        quota: usize,
        /// What may be chosen, groups considered.
        left: usize,
        /// What is asked for.
        at_least: usize,
    },
    /// More pieces with an attribute are asked for than a deck has.
    QuotaOverSize {
        /// The quota, by its place in the request.
        quota: usize,
        /// What is asked for.
        at_least: usize,
        /// The largest deck.
        most: usize,
    },
    /// So few pieces with an attribute are allowed that a deck is not filled.
    FewBeside {
        /// The quota, by its place in the request.
        quota: usize,
        /// At most so many with the attribute.
        at_most: usize,
        /// Pieces without it that may be chosen, groups considered.
        others: usize,
        /// The smallest deck.
        least: usize,
    },
    /// The fixed pieces with the cheapest others cost too much.
    Cheapest {
        /// The resource's place.
        resource: usize,
        /// Pieces of the smallest deck.
        pieces: usize,
        /// How many of them are fixed.
        fixed: usize,
        /// What they cost.
        cost: i64,
        /// What a deck may cost.
        limit: i64,
    },
    /// The cheapest deck that keeps all other rules costs too much.
    CheapestKeeping {
        /// The resource's place.
        resource: usize,
        /// What it costs.
        cost: i64,
        /// What a deck may cost.
        limit: i64,
        /// How many pieces are fixed.
        fixed: usize,
    },
    /// Rules of which no deck keeps all; without any one of them there is a deck.
    Conflict(Vec<DeckRule>),
}

/// A rule that can be dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DeckRule {
    /// A deck has at least so many pieces.
    AtLeast(usize),
    /// A deck has at most so many pieces.
    AtMost(usize),
    /// A resource (by its place) is limited.
    Limit(usize),
    /// At least so many of a quota (by its place in the request).
    QuotaAtLeast(usize),
    /// At most so many of a quota (by its place in the request).
    QuotaAtMost(usize),
    /// Pieces that count as the same.
    Groups,
    /// A fixed slot.
    Fixed(Slot),
    /// One of those that may lead is in the deck.
    Leader,
}

/// Is there a deck?
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feasibility {
    /// There is.
    Feasible,
    /// There is none, for these reasons; each of them suffices.
    Infeasible(Vec<InfeasibleReason>),
    /// It was too much work to say.
    Undecided,
}

/// Ways that are kept at a time; beyond, nothing is decided.
const ROOM: usize = 200_000;

/// Steps from one way to the next that a decision may take.
const STEPS: usize = 5_000_000;

/// Looks whether there is a deck, and why not.
///
/// ```
/// use std::sync::Arc;
/// use ishi_deck::feasible::{InfeasibleReason, Feasibility, explain_feasibility};
/// use ishi_deck::{Piece, PieceId, Pool, Problem, DeckRequest, PairScoreTable};
/// let piece = |name: &str, cost| Piece { name: name.into(), costs: vec![cost], ..Piece::default() };
/// let pool = Pool {
///     pieces: vec![piece("a", 60), piece("b", 60), piece("c", 1)],
///     resources: vec!["cost".into()],
///     attributes: vec![],
///     groups: vec![],
///     pairs: PairScoreTable::empty(3),
///     leaders: None,
///     units: 1.0,
/// };
/// let mut request = DeckRequest::with_size(3..=3, 1);
/// request.limits = vec![Some(100)];
/// request.fixed = vec![PieceId(0), PieceId(1)];
/// let problem = Problem::new(Arc::new(pool), &request).unwrap();
/// let reason = InfeasibleReason::FixedCost { resource: 0, fixed: 2, cost: 120, limit: 100 };
/// assert_eq!(explain_feasibility(&problem), Feasibility::Infeasible(vec![reason]));
/// ```
///
/// ```
/// # use std::sync::Arc;
/// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
/// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
/// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
/// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
/// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
/// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
/// use ishi_deck::feasible::{Feasibility, explain_feasibility};
/// // The two cheapest pieces cost 3.
/// let request = DeckRequest { limits: vec![Some(2)], ..DeckRequest::with_size(2..=2, 1) };
/// let problem = Problem::new(Arc::new(pool), &request).unwrap();
/// assert!(matches!(explain_feasibility(&problem), Feasibility::Infeasible(_)));
/// ```
#[must_use]
pub fn explain_feasibility(problem: &Problem) -> Feasibility {
    let simple = find_simple_reasons(problem);
    if !simple.is_empty() {
        return Feasibility::Infeasible(simple);
    }
    let all = collect_rules(problem);
    let facts = RuleFacts::from_problem(problem);
    match facts.decide_feasible(&all) {
        Some(true) => Feasibility::Feasible,
        None => Feasibility::Undecided,
        Some(false) => {
            let mut reasons = facts.find_cost_reasons(&all);
            if reasons.is_empty() {
                reasons.push(InfeasibleReason::Conflict(facts.find_conflict(all)));
            }
            Feasibility::Infeasible(reasons)
        }
    }
}

/// All rules that a problem has.
fn collect_rules(problem: &Problem) -> Vec<DeckRule> {
    let size = problem.size();
    let mut rules = vec![DeckRule::AtLeast(*size.start()), DeckRule::AtMost(*size.end())];
    let limits = problem.limits().iter().enumerate().filter(|(_, limit)| limit.is_some());
    rules.extend(limits.map(|(at, _)| DeckRule::Limit(at)));
    for (at, quota) in problem.quotas().iter().enumerate() {
        if quota.at_least > 0 {
            rules.push(DeckRule::QuotaAtLeast(at));
        }
        if quota.at_most < *size.end() {
            rules.push(DeckRule::QuotaAtMost(at));
        }
    }
    if problem.slots().any(|slot| problem.group(slot).is_some()) {
        rules.push(DeckRule::Groups);
    }
    if problem.leaders().is_some() {
        rules.push(DeckRule::Leader);
    }
    rules.extend(problem.fixed().iter().map(|&slot| DeckRule::Fixed(slot)));
    rules
}

fn find_simple_reasons(problem: &Problem) -> Vec<InfeasibleReason> {
    let mut reasons = find_fixed_reasons(problem);
    let size = problem.size();
    let (least, most) = (*size.start(), *size.end());
    let left = count_group_room(problem, &|_| true);
    if left < least {
        reasons.push(InfeasibleReason::FewPieces { left, least });
    }
    for (at, quota) in problem.quotas().iter().enumerate() {
        let (at_least, at_most) = (quota.at_least, quota.at_most);
        let members = count_group_room(problem, &|slot| quota.members[slot.index()]);
        let others = count_group_room(problem, &|slot| !quota.members[slot.index()]);
        if at_least > most {
            reasons.push(InfeasibleReason::QuotaOverSize { quota: at, at_least, most });
        } else if members < at_least {
            reasons.push(InfeasibleReason::FewOfQuota { quota: at, left: members, at_least });
        }
        if left >= least && at_most.min(members) + others < least && at_most < members {
            reasons.push(InfeasibleReason::FewBeside { quota: at, at_most, others, least });
        }
    }
    if reasons.is_empty() {
        reasons.extend(find_cheapest_reasons(problem));
    }
    reasons
}

fn find_fixed_reasons(problem: &Problem) -> Vec<InfeasibleReason> {
    let mut reasons = Vec::new();
    let slots = problem.fixed();
    let (fixed, most) = (slots.len(), *problem.size().end());
    if fixed > most {
        reasons.push(InfeasibleReason::FixedCount { fixed, most });
    }
    for (resource, limit) in problem.limits().iter().enumerate() {
        let cost = slots.iter().map(|&slot| problem.costs(slot)[resource]).sum();
        if let Some(limit) = limit.filter(|&limit| cost > limit) {
            reasons.push(InfeasibleReason::FixedCost { resource, fixed, cost, limit });
        }
    }
    let mut groups: BTreeMap<usize, usize> = BTreeMap::new();
    for group in slots.iter().filter_map(|&slot| problem.group(slot)) {
        *groups.entry(group).or_insert(0) += 1;
    }
    for (group, fixed) in groups {
        let limit = problem.group_limit(group);
        if fixed > limit {
            reasons.push(InfeasibleReason::FixedGroup { group, fixed, limit });
        }
    }
    for (quota, rule) in problem.quotas().iter().enumerate() {
        let fixed = slots.iter().filter(|slot| rule.members[slot.index()]).count();
        if fixed > rule.at_most {
            reasons.push(InfeasibleReason::FixedQuota { quota, fixed, at_most: rule.at_most });
        }
    }
    reasons
}

/// How many of these slots a deck has room for by its groups.
fn count_group_room(problem: &Problem, which: &dyn Fn(Slot) -> bool) -> usize {
    let mut groups: BTreeMap<usize, usize> = BTreeMap::new();
    let mut free = 0;
    for slot in problem.slots().filter(|&slot| which(slot)) {
        match problem.group(slot) {
            Some(group) => *groups.entry(group).or_insert(0) += 1,
            None => free += 1,
        }
    }
    free + groups.into_iter().map(|(group, count)| count.min(problem.group_limit(group))).sum::<usize>()
}

/// The fixed pieces with the cheapest others, whatever groups and quotas say.
fn find_cheapest_reasons(problem: &Problem) -> Vec<InfeasibleReason> {
    let fixed = problem.fixed().len();
    let pieces = (*problem.size().start()).max(fixed);
    let mut reasons = Vec::new();
    for (resource, limit) in problem.limits().iter().enumerate() {
        let Some(limit) = *limit else { continue };
        let cost = |slot: Slot| problem.costs(slot)[resource];
        let mut others: Vec<i64> =
            problem.slots().filter(|&slot| !problem.is_fixed(slot)).map(cost).collect();
        others.sort_unstable();
        let cost = problem.fixed().iter().map(|&slot| cost(slot)).sum::<i64>()
            + others.iter().take(pieces - fixed).sum::<i64>();
        if cost > limit {
            reasons.push(InfeasibleReason::Cheapest { resource, pieces, fixed, cost, limit });
        }
    }
    reasons
}

/// What the rules look at.
struct RuleFacts<'p> {
    problem: &'p Problem,
    /// Of every slot: the quotas that it counts in, a bit each, and after them one bit for leaders.
    member: Vec<u64>,
}

/// What is kept of the ways to choose: by filling, what they cost.
type WaysByFilling = BTreeMap<QuotaFilling, Vec<Vec<i64>>>;

/// How many pieces, and how many of them in each counted quota; what is beyond the largest that matters is cut.
type QuotaFilling = Vec<u16>;

/// Rules in the form that the decision works with.
struct ActiveRules {
    least: usize,
    most: usize,
    /// Bits of the counted quotas with at least and at most.
    counted: Vec<(u32, usize, Option<usize>)>,
    /// Limited resources with their limits.
    limits: Vec<(usize, i64)>,
    groups: bool,
    fixed: Vec<Slot>,
}

impl<'p> RuleFacts<'p> {
    fn from_problem(problem: &'p Problem) -> RuleFacts<'p> {
        let quotas = problem.quotas();
        let mut member = vec![0u64; problem.len()];
        for (bit, quota) in quotas.iter().enumerate().take(63) {
            for (bits, &is_member) in member.iter_mut().zip(&quota.members) {
                *bits |= u64::from(is_member) << bit;
            }
        }
        let leaders: Vec<_> =
            problem.leaders().unwrap_or_default().iter().map(|&slot| problem.piece_of(slot)).collect();
        for (at, bits) in member.iter_mut().enumerate() {
            *bits |= u64::from(leaders.binary_search(&problem.pieces()[at]).is_ok()) << 63;
        }
        RuleFacts { problem, member }
    }

    /// Is there a deck that keeps these rules? `None` where that is too much work.
    fn decide_feasible(&self, rules: &[DeckRule]) -> Option<bool> {
        if self.problem.quotas().len() > 63 {
            return None;
        }
        let active = self.activate_rules(rules);
        let ways = self.find_cheapest_ways(&active, &active.limits)?;
        Some(!ways.is_empty())
    }

    fn activate_rules(&self, rules: &[DeckRule]) -> ActiveRules {
        // A deck without a limit to its size is one of all slots.
        let mut active = ActiveRules {
            least: 0,
            most: self.problem.len(),
            counted: Vec::new(),
            limits: Vec::new(),
            groups: false,
            fixed: Vec::new(),
        };
        let mut quotas: BTreeMap<u32, (usize, Option<usize>)> = BTreeMap::new();
        for rule in rules {
            match *rule {
                DeckRule::AtLeast(least) => active.least = least,
                DeckRule::AtMost(most) => active.most = most.min(active.most),
                DeckRule::Limit(at) => {
                    active.limits.extend(self.problem.limits()[at].map(|limit| (at, limit)))
                }
                DeckRule::QuotaAtLeast(at) => {
                    quotas.entry(at as u32).or_default().0 = self.problem.quotas()[at].at_least;
                }
                DeckRule::QuotaAtMost(at) => {
                    quotas.entry(at as u32).or_default().1 = Some(self.problem.quotas()[at].at_most);
                }
                DeckRule::Groups => active.groups = true,
                DeckRule::Fixed(slot) => active.fixed.push(slot),
                DeckRule::Leader => quotas.entry(63).or_default().0 = 1,
            }
        }
        active.counted = quotas.into_iter().map(|(bit, (least, most))| (bit, least, most)).collect();
        active
    }

    /// The cheapest full decks by filling, of the resources that are asked about; empty if there are none.
    fn find_cheapest_ways(&self, active: &ActiveRules, limits: &[(usize, i64)]) -> Option<WaysByFilling> {
        let shape = WayBuilder { facts: self, active, limits, steps: Cell::new(0) };
        let Some(start) = shape.place_fixed_slots() else { return Some(WaysByFilling::new()) };
        let (free, grouped) = shape.split_by_group();
        let mut ways: WaysByFilling = BTreeMap::from([(start.0, vec![start.1])]);
        for slot in free {
            ways = shape.with_group_slots(&ways, &[slot], 1)?;
        }
        for (slots, limit) in grouped {
            ways = shape.with_group_slots(&ways, &slots, limit)?;
        }
        ways.retain(|filling, _| shape.is_full(filling));
        Some(ways)
    }

    /// Resources of which the cheapest deck that keeps all other rules costs too much.
    fn find_cost_reasons(&self, rules: &[DeckRule]) -> Vec<InfeasibleReason> {
        let without: Vec<DeckRule> =
            rules.iter().copied().filter(|rule| !matches!(rule, DeckRule::Limit(_))).collect();
        let active = self.activate_rules(&without);
        let mut reasons = Vec::new();
        for (resource, limit) in self.problem.limits().iter().enumerate() {
            let Some(limit) = *limit else { continue };
            let ways = self.find_cheapest_ways(&active, &[(resource, i64::MAX)]).unwrap_or_default();
            let cheapest = ways.values().flatten().map(|costs| costs[0]).min();
            if let Some(cost) = cheapest.filter(|&cost| cost > limit) {
                let fixed = self.problem.fixed().len();
                reasons.push(InfeasibleReason::CheapestKeeping { resource, cost, limit, fixed });
            }
        }
        reasons
    }

    /// Rules that contradict each other and none of which can be spared, out of rules that do.
    fn find_conflict(&self, mut rules: Vec<DeckRule>) -> Vec<DeckRule> {
        let mut at = 0;
        while at < rules.len() {
            let mut fewer = rules.clone();
            fewer.remove(at);
            // Where that cannot be decided the rule stays.
            if self.decide_feasible(&fewer) == Some(false) {
                rules = fewer;
            } else {
                at += 1;
            }
        }
        rules
    }
}

/// Building decks under some rules.
struct WayBuilder<'f, 'p> {
    facts: &'f RuleFacts<'p>,
    active: &'f ActiveRules,
    limits: &'f [(usize, i64)],
    /// Taken so far.
    steps: Cell<usize>,
}

impl WayBuilder<'_, '_> {
    /// The fixed slots; `None` if they break a rule already.
    fn place_fixed_slots(&self) -> Option<(QuotaFilling, Vec<i64>)> {
        let mut state = (vec![0; self.active.counted.len() + 1], vec![0; self.limits.len()]);
        let mut groups: BTreeMap<usize, usize> = BTreeMap::new();
        for &slot in &self.active.fixed {
            state = self.with_slot(&state.0, &state.1, slot)?;
            if let Some(group) = self.facts.problem.group(slot).filter(|_| self.active.groups) {
                *groups.entry(group).or_insert(0) += 1;
            }
        }
        let fine = groups.iter().all(|(&group, &count)| count <= self.facts.problem.group_limit(group));
        fine.then_some(state)
    }

    /// The way with one slot more; `None` if that breaks a rule.
    fn with_slot(
        &self,
        filling: &QuotaFilling,
        costs: &[i64],
        slot: Slot,
    ) -> Option<(QuotaFilling, Vec<i64>)> {
        let mut filling = filling.clone();
        let count = usize::from(filling[0]) + 1;
        // Without a limit to the size only the least matters.
        let cap =
            if self.active.most < self.facts.problem.len() { self.active.most } else { self.active.least };
        if count > self.active.most {
            return None;
        }
        filling[0] = count.min(cap.max(1)) as u16;
        let bits = self.facts.member[slot.index()];
        for (at, &(bit, least, most)) in self.active.counted.iter().enumerate() {
            if bits >> bit & 1 == 0 {
                continue;
            }
            let count = usize::from(filling[at + 1]) + 1;
            if most.is_some_and(|most| count > most) {
                return None;
            }
            filling[at + 1] = count.min(most.unwrap_or(least)) as u16;
        }
        let own = self.facts.problem.costs(slot);
        let costs: Vec<i64> =
            self.limits.iter().zip(costs).map(|(&(resource, _), cost)| cost + own[resource]).collect();
        let fits = self.limits.iter().zip(&costs).all(|(&(_, limit), &cost)| cost <= limit);
        fits.then_some((filling, costs))
    }

    fn is_full(&self, filling: &QuotaFilling) -> bool {
        let quotas = self.active.counted.iter().zip(&filling[1..]);
        usize::from(filling[0]) >= self.active.least
            && quotas.into_iter().all(|(&(_, least, most), &count)| {
                // A count that is cut at its least has reached it.
                usize::from(count) >= least.min(most.unwrap_or(least))
            })
    }

    /// Slots that can be chosen freely, and groups with their slots and what is left of their limits.
    fn split_by_group(&self) -> (Vec<Slot>, Vec<(Vec<Slot>, usize)>) {
        let problem = self.facts.problem;
        let mut groups: BTreeMap<usize, Vec<Slot>> = BTreeMap::new();
        let mut free = Vec::new();
        for slot in problem.slots().filter(|slot| !self.active.fixed.contains(slot)) {
            match problem.group(slot).filter(|_| self.active.groups) {
                Some(group) => groups.entry(group).or_default().push(slot),
                None => free.push(slot),
            }
        }
        let mut grouped = Vec::new();
        for (group, slots) in groups {
            let fixed = self.active.fixed.iter().filter(|&&slot| problem.group(slot) == Some(group)).count();
            let limit = problem.group_limit(group).saturating_sub(fixed);
            let alike = slots.iter().all(|&slot| self.quota_class(slot) == self.quota_class(slots[0]));
            match limit {
                0 => {}
                // In one class the cheapest of a group stand for it.
                _ if alike && self.limits.len() <= 1 => free.extend(self.cheapest_slots(slots, limit)),
                _ if limit >= slots.len() => free.extend(slots),
                _ => grouped.push((slots, limit)),
            }
        }
        (self.drop_dominated_slots(free), grouped)
    }

    /// What counts of a slot beside its cost.
    fn quota_class(&self, slot: Slot) -> u64 {
        let bits = self.facts.member[slot.index()];
        self.active.counted.iter().fold(0, |class, &(bit, ..)| class << 1 | (bits >> bit & 1))
    }

    fn cheapest_slots(&self, mut slots: Vec<Slot>, most: usize) -> Vec<Slot> {
        if let Some(&(resource, _)) = self.limits.first() {
            slots.sort_by_key(|&slot| self.facts.problem.costs(slot)[resource]);
        }
        slots.truncate(most);
        slots
    }

    /// Of every class the slots that can be needed: a slot that is no cheaper in anything than as many others as a deck has never is.
    fn drop_dominated_slots(&self, slots: Vec<Slot>) -> Vec<Slot> {
        let mut classes: BTreeMap<u64, Vec<Slot>> = BTreeMap::new();
        for slot in slots {
            classes.entry(self.quota_class(slot)).or_default().push(slot);
        }
        // More than what is asked for is never needed.
        let asked: usize = self.active.counted.iter().map(|&(_, least, _)| least).sum();
        let most = self.active.most.min(self.active.least + asked);
        let costs = |slot: Slot| self.limits.iter().map(move |&(at, _)| self.facts.problem.costs(slot)[at]);
        let mut kept = Vec::new();
        for (_, slots) in classes {
            if self.limits.len() <= 1 {
                kept.extend(self.cheapest_slots(slots, most));
                continue;
            }
            let better = |a: Slot, b: Slot| {
                costs(a).zip(costs(b)).all(|(a, b)| a <= b) && (costs(a).ne(costs(b)) || a < b)
            };
            let needed = |&&slot: &&Slot| slots.iter().filter(|&&other| better(other, slot)).count() < most;
            kept.extend(slots.iter().filter(needed));
        }
        kept
    }

    /// All ways with none to `limit` of these slots more; `None` if they are too many.
    fn with_group_slots(&self, ways: &WaysByFilling, slots: &[Slot], limit: usize) -> Option<WaysByFilling> {
        let mut all = ways.clone();
        let mut layers: Vec<WaysByFilling> = vec![ways.clone()];
        // Each slot may come on top of every way with fewer of the group than its limit.
        for &slot in slots {
            for used in (0..layers.len().min(limit)).rev() {
                let mut more = Vec::new();
                for (filling, fronts) in &layers[used] {
                    self.steps.set(self.steps.get() + fronts.len());
                    more.extend(fronts.iter().filter_map(|costs| self.with_slot(filling, costs, slot)));
                }
                if layers.len() == used + 1 {
                    layers.push(WaysByFilling::new());
                }
                for (filling, costs) in more {
                    insert_undominated(all.entry(filling.clone()).or_default(), &costs);
                    insert_undominated(layers[used + 1].entry(filling).or_default(), &costs);
                }
            }
            if layers.iter().flat_map(BTreeMap::values).map(Vec::len).sum::<usize>() > ROOM
                || self.steps.get() > STEPS
            {
                return None;
            }
        }
        Some(all)
    }
}

/// Keeps a way unless another costs no more of anything; drops those that it beats.
fn insert_undominated(front: &mut Vec<Vec<i64>>, costs: &[i64]) {
    let no_more = |a: &[i64], b: &[i64]| a.iter().zip(b).all(|(a, b)| a <= b);
    if front.iter().any(|other| no_more(other, costs)) {
        return;
    }
    front.retain(|other| !no_more(costs, other));
    front.push(costs.to_vec());
}
