//! A deck under change, with what every piece would add to it kept up to date.
//!
//! Everything is counted by piece, not by slot: copies of a piece are alike. `gain[p]` is the piece's own score and its pair scores with all
//! of the deck; a member's rows of the tables are kept beside it, so that a swap is judged by three look-ups and carried out by
//! one pass over a row.

use crate::problem::{Deck, Problem, Slot};

/// A problem, laid out for searches.
#[derive(Clone, Debug)]
pub(super) struct SearchRules<'p> {
    pub(super) problem: &'p Problem,
    /// Pieces of the pool.
    pub(super) pieces: usize,
    /// Slots of each piece: the first, and how many.
    pub(super) first: Vec<u32>,
    pub(super) capacity: Vec<u32>,
    /// Copies of each piece that cannot leave.
    pub(super) floor: Vec<u32>,
    pub(super) may_lead: Vec<bool>,
    /// Has the problem a leader?
    pub(super) led: bool,
    pub(super) own: Vec<i64>,
    /// Only of resources that are limited.
    pub(super) limits: Vec<i64>,
    /// `costs[resource][piece]`.
    pub(super) costs: Vec<Vec<i64>>,
    pub(super) quotas: Vec<QuotaRule>,
    /// The group of a piece, or `NONE`.
    pub(super) group: Vec<u32>,
    pub(super) least: usize,
    pub(super) most: usize,
    /// Pieces that can join, by class: pieces of a class cost about the same and count for the same quotas.
    pub(super) candidates: Vec<u32>,
    /// Where the candidates of each class stand: class `c` has `candidates[classes[c]..classes[c + 1]]`.
    pub(super) classes: Vec<usize>,
    /// The class of each candidate, by piece.
    pub(super) class: Vec<u32>,
    /// `least_costs[resource][class]`: what the cheapest piece of the class costs.
    pub(super) least_costs: Vec<Vec<i64>>,
}

/// A quota that can bind.
#[derive(Clone, Debug)]
pub(super) struct QuotaRule {
    pub(super) members: Vec<bool>,
    pub(super) at_least: i64,
    pub(super) at_most: i64,
}

/// No group.
pub(super) const NONE: u32 = u32::MAX;

/// Levels of cost that are told apart.
const LEVELS: usize = 16;

impl<'p> SearchRules<'p> {
    pub(super) fn new(problem: &'p Problem) -> SearchRules<'p> {
        let pool = problem.pool();
        let pieces = pool.pieces.len();
        let (mut first, mut capacity) = (vec![0; pieces], vec![0; pieces]);
        let mut floor = vec![0; pieces];
        for slot in problem.slots() {
            let piece = problem.piece_of(slot).index();
            if capacity[piece] == 0 {
                first[piece] = slot.0;
            }
            capacity[piece] += 1;
            floor[piece] += u32::from(problem.is_fixed(slot));
        }
        let mut may_lead = vec![false; pieces];
        for &slot in problem.leaders().unwrap_or_default() {
            may_lead[problem.piece_of(slot).index()] = true;
        }
        if let Some(&[leader]) = problem.leaders() {
            let piece = problem.piece_of(leader).index();
            floor[piece] = floor[piece].max(1);
        }
        let limited: Vec<(usize, i64)> = problem
            .limits()
            .iter()
            .enumerate()
            .filter_map(|(resource, limit)| limit.map(|limit| (resource, limit)))
            .collect();
        let cost = |resource: usize| pool.pieces.iter().map(|piece| piece.costs[resource]).collect();
        let most = (*problem.size().end()).min(problem.len());
        let mut rules = SearchRules {
            problem,
            pieces,
            first,
            capacity,
            floor,
            may_lead,
            led: problem.leaders().is_some(),
            own: pool.pieces.iter().map(|piece| piece.score).collect(),
            limits: limited.iter().map(|&(_, limit)| limit).collect(),
            costs: limited.iter().map(|&(resource, _)| cost(resource)).collect(),
            quotas: binding_quotas(problem, pieces, most),
            group: pool.pieces.iter().map(|piece| piece.group.map_or(NONE, |at| at as u32)).collect(),
            least: *problem.size().start(),
            most,
            candidates: Vec::new(),
            classes: Vec::new(),
            class: vec![u32::MAX; pieces],
            least_costs: Vec::new(),
        };
        rules.sort_into_classes();
        rules
    }

    /// Sorts the pieces into classes.
    fn sort_into_classes(&mut self) {
        let free = |&piece: &u32| self.capacity[piece as usize] > self.floor[piece as usize];
        let mut candidates: Vec<u32> = (0..self.pieces as u32).filter(free).collect();
        let weight = |piece: u32| -> f64 {
            let share =
                |(costs, &limit): (&Vec<i64>, &i64)| costs[piece as usize] as f64 / limit.max(1) as f64;
            self.costs.iter().zip(&self.limits).map(share).sum()
        };
        let mut weights: Vec<f64> = candidates.iter().map(|&piece| weight(piece)).collect();
        weights.sort_by(f64::total_cmp);
        let mut levels = weights.clone();
        levels.dedup();
        if levels.len() > LEVELS {
            levels = (0..LEVELS).map(|level| weights[level * weights.len() / LEVELS]).collect();
        }
        let class = |piece: u32| -> (usize, usize) {
            let level = levels.partition_point(|&level| level <= weight(piece));
            let member = |quota: &QuotaRule| usize::from(quota.members[piece as usize]);
            (level, self.quotas.iter().take(2).fold(0, |bits, quota| bits * 2 + member(quota)))
        };
        candidates.sort_by_key(|&piece| (class(piece), piece));
        let mut classes = vec![0];
        classes
            .extend((1..candidates.len()).filter(|&at| class(candidates[at]) != class(candidates[at - 1])));
        if !candidates.is_empty() {
            classes.push(candidates.len());
        }
        for (at, range) in classes.windows(2).enumerate() {
            for &piece in &candidates[range[0]..range[1]] {
                self.class[piece as usize] = at as u32;
            }
        }
        let cheapest = |costs: &Vec<i64>| {
            let of =
                |range: &[usize]| candidates[range[0]..range[1]].iter().map(|&piece| costs[piece as usize]);
            classes.windows(2).map(|range| of(range).min().unwrap_or(0)).collect()
        };
        self.least_costs = self.costs.iter().map(cheapest).collect();
        (self.candidates, self.classes) = (candidates, classes);
    }

    pub(super) fn group_limit(&self, group: u32) -> usize {
        self.problem.group_limit(group as usize)
    }

    fn write_pair_row(&self, piece: u32, out: &mut Vec<i32>) {
        out.resize(self.pieces, 0);
        self.problem.pool().pairs.write_row(piece as usize, out);
    }

    /// What changes where the piece leads: leader scores less pair scores. Empty where nothing does.
    fn write_lead_row(&self, piece: u32, pairs: &[i32], out: &mut Vec<i32>) {
        out.clear();
        if !self.may_lead[piece as usize] {
            return;
        }
        if let Some(table) = &self.problem.pool().leaders {
            out.resize(self.pieces, 0);
            table.write_row(piece as usize, out);
            for (lead, pair) in out.iter_mut().zip(pairs) {
                *lead -= pair;
            }
        }
    }
}

fn binding_quotas(problem: &Problem, pieces: usize, most: usize) -> Vec<QuotaRule> {
    let rule = |quota: &crate::problem::SlotQuota| {
        let mut members = vec![false; pieces];
        for slot in problem.slots().filter(|slot| quota.members[slot.index()]) {
            members[problem.piece_of(slot).index()] = true;
        }
        let (at_least, at_most) = quota.bounds_in_deck(most);
        QuotaRule { members, at_least, at_most }
    };
    let binds = |quota: &&crate::problem::SlotQuota| quota.at_least > 0 || quota.at_most < most;
    problem.quotas().iter().filter(binds).map(rule).collect()
}

/// A piece in the deck.
#[derive(Clone, Debug, Default)]
pub(super) struct DeckMember {
    pub(super) piece: u32,
    /// Its pair scores, by piece.
    pub(super) row: Vec<i32>,
    /// What its leading changes, by piece; empty where it changes nothing.
    pub(super) lead_row: Vec<i32>,
    /// What its leading is worth with the deck as it is.
    pub(super) lead: i64,
}

impl DeckMember {
    pub(super) fn lead_change(&self, piece: u32) -> i64 {
        self.lead_row.get(piece as usize).map_or(0, |&change| i64::from(change))
    }
}

/// What one unit over a limit, and one piece off a quota, takes from the value.
#[derive(Clone, Debug)]
pub(super) struct PenaltyWeights {
    pub(super) resources: Vec<f64>,
    pub(super) quotas: Vec<f64>,
}

/// The deck.
#[derive(Clone, Debug)]
pub(super) struct DeckState<'r> {
    pub(super) rules: &'r SearchRules<'r>,
    pub(super) members: Vec<DeckMember>,
    pub(super) count: Vec<u32>,
    pub(super) gain: Vec<i64>,
    /// Own scores and pairs, as if nobody led.
    pub(super) pairs: i64,
    /// The leader's place.
    pub(super) leader: Option<usize>,
    pub(super) cost: Vec<i64>,
    pub(super) quota: Vec<i64>,
    pub(super) groups: Vec<u32>,
    spare: Vec<DeckMember>,
}

impl<'r> DeckState<'r> {
    /// The fixed pieces alone.
    pub(super) fn new(rules: &'r SearchRules<'r>) -> DeckState<'r> {
        let mut state = DeckState {
            rules,
            members: Vec::new(),
            count: vec![0; rules.pieces],
            gain: rules.own.clone(),
            pairs: 0,
            leader: None,
            cost: vec![0; rules.limits.len()],
            quota: vec![0; rules.quotas.len()],
            groups: vec![0; rules.problem.pool().groups.len()],
            spare: Vec::new(),
        };
        state.reset_to_fixed();
        state
    }

    /// Back to the fixed pieces alone.
    pub(super) fn reset_to_fixed(&mut self) {
        while !self.members.is_empty() {
            self.remove_member(self.members.len() - 1);
        }
        for piece in 0..self.rules.pieces as u32 {
            for _ in 0..self.rules.floor[piece as usize] {
                self.add_piece(piece);
            }
        }
        self.choose_leader();
    }

    /// Exactly this deck, which holds all that is fixed.
    pub(super) fn set_deck(&mut self, deck: &Deck) {
        while !self.members.is_empty() {
            self.remove_member(self.members.len() - 1);
        }
        for &slot in &deck.slots {
            self.add_piece(self.rules.problem.piece_of(slot).0);
        }
        self.choose_leader();
    }

    pub(super) fn size(&self) -> usize {
        self.members.len()
    }

    /// The value with the leader there is.
    pub(super) fn value(&self) -> i64 {
        self.pairs + self.leader.map_or(0, |at| self.members[at].lead)
    }

    /// A copy of the piece joins. The leader stays; see [`DeckState::choose_leader`].
    pub(super) fn add_piece(&mut self, piece: u32) {
        let rules = self.rules;
        let mut member = self.spare.pop().unwrap_or_default();
        member.piece = piece;
        rules.write_pair_row(piece, &mut member.row);
        rules.write_lead_row(piece, &member.row, &mut member.lead_row);
        // Before the gains take in the new row: the piece's score with itself is for a second copy, not for this one.
        self.pairs += self.gain[piece as usize];
        member.lead = rules.problem.pool().pieces[piece as usize].leader_score;
        for other in &mut self.members {
            other.lead += other.lead_change(piece);
            member.lead += member.lead_change(other.piece);
        }
        for (gain, &score) in self.gain.iter_mut().zip(&member.row) {
            *gain += i64::from(score);
        }
        self.members.push(member);
        self.count_piece(piece, 1);
    }

    /// The member at this place leaves; the last one takes its place.
    pub(super) fn remove_member(&mut self, place: usize) {
        let member = self.members.swap_remove(place);
        for (gain, &score) in self.gain.iter_mut().zip(&member.row) {
            *gain -= i64::from(score);
        }
        // After the gains have lost its row, as it was added before they had it.
        self.pairs -= self.gain[member.piece as usize];
        for other in &mut self.members {
            other.lead -= other.lead_change(member.piece);
        }
        self.leader = self.leader.filter(|&at| at != place);
        // The leader was the last one, who has just moved here.
        if self.leader == Some(self.members.len()) {
            self.leader = Some(place);
        }
        self.count_piece(member.piece, -1);
        self.spare.push(member);
    }

    fn count_piece(&mut self, piece: u32, sign: i64) {
        let at = piece as usize;
        self.count[at] = self.count[at].wrapping_add_signed(sign as i32);
        for (cost, costs) in self.cost.iter_mut().zip(&self.rules.costs) {
            *cost += sign * costs[at];
        }
        for (count, quota) in self.quota.iter_mut().zip(&self.rules.quotas) {
            *count += sign * i64::from(quota.members[at]);
        }
        let group = self.rules.group[at];
        if group != NONE {
            let count = &mut self.groups[group as usize];
            *count = count.wrapping_add_signed(sign as i32);
        }
    }

    /// The best of those that may leads.
    pub(super) fn choose_leader(&mut self) {
        if self.rules.led {
            let may = |at: &usize| self.rules.may_lead[self.members[*at].piece as usize];
            let worth = |at: &usize| (self.members[*at].lead, std::cmp::Reverse(self.members[*at].piece));
            self.leader = (0..self.members.len()).filter(may).max_by_key(worth);
        }
    }

    /// What a piece that is not the leader would add, with the leader there is.
    pub(super) fn gain_of_piece(&self, piece: u32) -> i64 {
        self.gain[piece as usize] + self.leader.map_or(0, |at| self.members[at].lead_change(piece))
    }

    /// What the member takes along if it leaves, the leader staying.
    pub(super) fn loss_of_member(&self, place: usize) -> i64 {
        let member = &self.members[place];
        self.gain_of_piece(member.piece) - i64::from(member.row[member.piece as usize])
    }

    /// May the member leave?
    pub(super) fn is_free(&self, place: usize) -> bool {
        let piece = self.members[place].piece as usize;
        self.count[piece] > self.rules.floor[piece]
    }

    /// May a copy of the piece join, as far as copies and groups go, once `without` has left?
    pub(super) fn has_room(&self, piece: u32, without: Option<u32>) -> bool {
        let rules = self.rules;
        let at = piece as usize;
        if without == Some(piece) || self.count[at] >= rules.capacity[at] {
            return false;
        }
        let group = rules.group[at];
        group == NONE || {
            let gone = without.is_some_and(|other| rules.group[other as usize] == group);
            self.groups[group as usize] as usize - usize::from(gone) < rules.group_limit(group)
        }
    }

    /// What the limits take from the value once `out` has left and `joins` is in.
    pub(super) fn penalty(&self, weights: &PenaltyWeights, out: Option<u32>, joins: Option<u32>) -> f64 {
        let mut penalty = 0.0;
        for (at, (&cost, &limit)) in self.cost.iter().zip(&self.rules.limits).enumerate() {
            let of = |piece: Option<u32>| piece.map_or(0, |piece| self.rules.costs[at][piece as usize]);
            let over = cost - of(out) + of(joins) - limit;
            if over > 0 {
                penalty += over as f64 * weights.resources[at];
            }
        }
        for (at, (&count, quota)) in self.quota.iter().zip(&self.rules.quotas).enumerate() {
            let of = |piece: Option<u32>| piece.map_or(0, |piece| i64::from(quota.members[piece as usize]));
            let count = count - of(out) + of(joins);
            let off = (quota.at_least - count).max(count - quota.at_most);
            if off > 0 {
                penalty += off as f64 * weights.quotas[at];
            }
        }
        penalty
    }

    /// Are all limits kept, with `slack` more of every resource?
    pub(super) fn is_within_limits(&self, slack: i64) -> bool {
        let quota = |(count, quota): (&i64, &QuotaRule)| (quota.at_least..=quota.at_most).contains(count);
        self.cost.iter().zip(&self.rules.limits).all(|(cost, limit)| *cost <= limit + slack)
            && self.quota.iter().zip(&self.rules.quotas).all(quota)
    }

    /// Is this a deck as it is wanted?
    pub(super) fn is_feasible(&self) -> bool {
        (self.rules.least..=self.rules.most).contains(&self.size())
            && (!self.rules.led || self.leader.is_some())
            && self.is_within_limits(0)
    }

    /// What leading is worth to a piece that takes the place of `without`.
    pub(super) fn lead_worth(&self, piece: u32, without: usize) -> i64 {
        let pool = self.rules.problem.pool();
        let own = pool.pieces[piece as usize].leader_score;
        let Some(table) = &pool.leaders else { return own };
        let others = self.members.iter().enumerate().filter(|&(at, _)| at != without);
        let change = |(_, other): (usize, &DeckMember)| {
            i64::from(table.get(piece as usize, other.piece as usize)) - i64::from(other.row[piece as usize])
        };
        own + others.map(change).sum::<i64>()
    }

    /// The deck as slots.
    pub(super) fn to_deck(&self) -> Deck {
        let mut taken = std::collections::BTreeMap::new();
        let slots = self.members.iter().map(|member| {
            let copies = taken.entry(member.piece).or_insert(0);
            *copies += 1;
            Slot(self.rules.first[member.piece as usize] + *copies - 1)
        });
        let slots = slots.collect();
        Deck::new(slots, self.leader.map(|at| Slot(self.rules.first[self.members[at].piece as usize])))
    }
}
