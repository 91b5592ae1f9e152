//! The search of this project: starts spread over the archetypes, descent, then tabu search that swings over the limits.
//!
//! A deck of one archetype is a deep valley, and a pool has dozens of them: a search from random decks ends in the wrong one. So every
//! piece is judged by the sum of its best partners, decks are grown from the best such pieces, and a piece that an earlier
//! start has found does not start again. The limits are no walls: passing one takes some value away, and how much rises
//! while the deck is outside and falls while it is inside (strategic oscillation; Glover and Kochenberger, "Critical event tabu search for
//! multidimensional knapsack problems", 1996; for the quadratic knapsack Chen and Hao, "An iterated hyperplane exploration approach for
//! the quadratic knapsack problem", Computers & Operations Research 77, 2017, restrict a tabu search to decks of one size in turn).
//!
//! A step looks at the best few pieces of every class, where a class costs about the same and counts for the same quotas, so that what is cheap is
//! looked at beside what is good.

use std::ops::ControlFlow;

use ishi_rng::Rng;

use super::state::{DeckState, PenaltyWeights, SearchRules};
use super::{FoundDeck, SearchOptions, SearchRun};
use crate::problem::{Deck, Problem};
use crate::solve::{SolverObserver, SolverState};

/// Pieces that a step looks at, over all classes.
const LOOKED_AT: usize = 96;

/// Members that a step may remove, in large decks.
const REMOVED: usize = 64;

/// A step.
#[derive(Clone, Copy, PartialEq, Debug)]
enum TabuMove {
    Swap(usize, u32),
    Add(u32),
    Drop(usize),
}

/// Until when a piece may not come back or leave, by piece.
struct TabuTenure {
    joins: Vec<u64>,
    leaves: Vec<u64>,
}

/// Lists that a step fills.
#[derive(Default)]
struct MoveLists {
    joins: Vec<(i64, u32)>,
    leaves: Vec<(i64, usize)>,
}

/// What a step may do.
struct MoveFilter<'a> {
    weights: &'a PenaltyWeights,
    tenure: &'a TabuTenure,
    now: u64,
    /// A feasible deck better than this is taken even if it is forbidden.
    best: i64,
}

/// Ours; see the module's text. `None` if no deck was found, which is no proof that there is none.
pub fn tabu_search(
    problem: &Problem,
    options: &SearchOptions,
    observer: SolverObserver<'_>,
) -> Option<FoundDeck> {
    let rules = SearchRules::new(problem);
    let mut search = SearchRun::new(options.steps, observer);
    let mut run = TabuRun::new(&rules);
    let mut rng = options.seed.stream("tabu", 0);
    run.search_archetypes(&mut search);
    while !search.is_over() {
        run.run_round(&mut search, &mut rng);
    }
    search.into_found(problem)
}

/// Improves a deck that holds all fixed pieces: the best step as long as it is better, with leaders. What comes back keeps all rules; `None`
/// if the deck does not and no step mends it.
///
/// ```
/// # use std::sync::Arc;
/// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
/// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
/// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
/// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
/// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
/// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
/// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
/// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
/// // Nothing else is cheap enough.
/// let found = ishi_deck::search::improve_deck(&problem, &Deck::new(vec![Slot(0), Slot(1)], None)).unwrap();
/// assert_eq!(found.value, 7);
/// ```
#[must_use]
pub fn improve_deck(problem: &Problem, deck: &Deck) -> Option<FoundDeck> {
    let rules = SearchRules::new(problem);
    let observer = &mut |_: &SolverState<'_>| ControlFlow::Continue(());
    let mut search = SearchRun::new(u64::MAX, observer);
    let mut state = DeckState::new(&rules);
    state.set_deck(deck);
    search.keep_if_best(&state);
    repair_deck(&mut state, &mut search);
    search.into_found(problem)
}

/// Descent from wherever the deck is, with limits that weigh much.
pub(super) fn repair_deck(state: &mut DeckState<'_>, search: &mut SearchRun<'_>) {
    let mut weights = firm_weights(state);
    let tenure = TabuTenure { joins: vec![0; state.rules.pieces], leaves: vec![0; state.rules.pieces] };
    let mut lists = MoveLists::default();
    // Weights that do not suffice are doubled.
    for _ in 0..24 {
        descend_to_optimum(state, &weights, &tenure, &mut lists, search);
        if search.is_over() || state.is_feasible() {
            return;
        }
        for weight in weights.resources.iter_mut().chain(&mut weights.quotas) {
            *weight *= 2.0;
        }
    }
}

/// Weights that make a deck of about this value keep its limits: a piece's share of the value for a piece's share of a limit.
fn firm_weights(state: &DeckState<'_>) -> PenaltyWeights {
    let rules = state.rules;
    let most = rules.candidates.iter().map(|&piece| state.gain[piece as usize].abs()).max();
    let value = state.value().abs().max(most.unwrap_or(0)).max(1) as f64;
    let share = value / state.size().max(1) as f64;
    let weight = |&limit: &i64| 3.0 * value / limit.max(1) as f64;
    PenaltyWeights {
        resources: rules.limits.iter().map(weight).collect(),
        quotas: vec![2.0 * share.max(1.0); rules.quotas.len()],
    }
}

fn descend_to_optimum(
    state: &mut DeckState<'_>,
    weights: &PenaltyWeights,
    tenure: &TabuTenure,
    lists: &mut MoveLists,
    search: &mut SearchRun<'_>,
) {
    while !search.is_over() {
        let best = search.best_value().unwrap_or(i64::MIN);
        let look = MoveFilter { weights, tenure, now: u64::MAX, best };
        let now = state.value() as f64 - state.penalty(weights, None, None);
        match find_best_move(state, &look, lists) {
            Some((worth, step)) if worth > now + 1e-6 || !state.has_valid_size() => apply_move(state, step),
            _ => break,
        }
        search.count_step();
        search.keep_if_best(state);
    }
}

impl DeckState<'_> {
    fn has_valid_size(&self) -> bool {
        (self.rules.least..=self.rules.most).contains(&self.size())
    }
}

fn apply_move(state: &mut DeckState<'_>, step: TabuMove) {
    match step {
        TabuMove::Swap(place, piece) => {
            state.remove_member(place);
            state.add_piece(piece);
        }
        TabuMove::Add(piece) => state.add_piece(piece),
        TabuMove::Drop(place) => state.remove_member(place),
    }
    state.choose_leader();
}

/// The best step by value less penalty, with that worth.
fn find_best_move(
    state: &DeckState<'_>,
    look: &MoveFilter<'_>,
    lists: &mut MoveLists,
) -> Option<(f64, TabuMove)> {
    list_joins(state, &[], lists);
    list_leaves(state, lists);
    let mut best: Option<(f64, TabuMove)> = None;
    let value = state.value();
    let mut judge = |worth: i64, out: Option<u32>, joins: Option<u32>, step: TabuMove| {
        // No penalty makes a step better.
        if best.is_some_and(|(most, _)| worth as f64 <= most) {
            return;
        }
        if joins.is_some_and(|piece| !state.has_room(piece, out)) {
            return;
        }
        let penalty = state.penalty(look.weights, out, joins);
        let total = worth as f64 - penalty;
        if best.is_some_and(|(most, _)| total <= most) {
            return;
        }
        let wished = penalty == 0.0 && worth > look.best;
        if wished || !look.is_tabu(out, joins) {
            best = Some((total, step));
        }
    };
    let size = state.size();
    if size < state.rules.most {
        for &(gain, piece) in &lists.joins {
            judge(value + gain, None, Some(piece), TabuMove::Add(piece));
        }
    }
    if size < state.rules.least {
        return best;
    }
    for &(loss, place) in &lists.leaves {
        let member = &state.members[place];
        if state.leader == Some(place) {
            judge_leader_moves(state, place, lists, &mut judge);
            continue;
        }
        if size > state.rules.least {
            judge(value - loss, Some(member.piece), None, TabuMove::Drop(place));
        }
        if size <= state.rules.most {
            for &(gain, piece) in &lists.joins {
                let worth = value - loss + gain - i64::from(member.row[piece as usize]);
                judge(worth, Some(member.piece), Some(piece), TabuMove::Swap(place, piece));
            }
        }
    }
    best
}

/// Steps that take the leader away: another member leads then, or the piece that joins.
fn judge_leader_moves(
    state: &DeckState<'_>,
    place: usize,
    lists: &MoveLists,
    judge: &mut dyn FnMut(i64, Option<u32>, Option<u32>, TabuMove),
) {
    let leader = &state.members[place];
    let out = leader.piece;
    let own = state.gain[out as usize] - i64::from(leader.row[out as usize]);
    let others: Vec<(i64, usize)> = (0..state.size())
        .filter(|&at| at != place && state.rules.may_lead[state.members[at].piece as usize])
        .map(|at| (state.members[at].lead - state.members[at].lead_change(out), at))
        .collect();
    let left = state.pairs - own;
    if state.size() > state.rules.least
        && let Some((lead, _)) = others.iter().max()
    {
        judge(left + lead, Some(out), None, TabuMove::Drop(place));
    }
    for &(_, piece) in lists.joins.iter().filter(|_| state.size() <= state.rules.most) {
        let gain = state.gain[piece as usize] - i64::from(leader.row[piece as usize]);
        let heir = others.iter().map(|&(lead, at)| lead + state.members[at].lead_change(piece)).max();
        let joins = state.rules.may_lead[piece as usize].then(|| state.lead_worth(piece, place));
        if let Some(lead) = heir.max(joins) {
            judge(left + gain + lead, Some(out), Some(piece), TabuMove::Swap(place, piece));
        }
    }
}

impl MoveFilter<'_> {
    fn is_tabu(&self, out: Option<u32>, joins: Option<u32>) -> bool {
        if self.now == u64::MAX {
            return false;
        }
        out.is_some_and(|piece| self.tenure.leaves[piece as usize] > self.now)
            || joins.is_some_and(|piece| self.tenure.joins[piece as usize] > self.now)
    }
}

/// The best few pieces of every class, by gain less `base`, where that is given.
fn list_joins(state: &DeckState<'_>, base: &[i64], lists: &mut MoveLists) {
    let gain = &state.gain[..];
    let lead_row = state.leader.map_or(&[][..], |at| &state.members[at].lead_row);
    // One loop for each form of gain: the loop is where the time goes.
    match (lead_row.is_empty(), base.is_empty()) {
        (true, true) => scan_candidates(state, lists, |at| gain[at]),
        (false, true) => scan_candidates(state, lists, |at| gain[at] + i64::from(lead_row[at])),
        (true, false) => scan_candidates(state, lists, |at| gain[at] - base[at]),
        (false, false) => scan_candidates(state, lists, |at| gain[at] + i64::from(lead_row[at]) - base[at]),
    }
}

#[inline(always)]
fn scan_candidates(state: &DeckState<'_>, lists: &mut MoveLists, gain: impl Fn(usize) -> i64) {
    let rules = state.rules;
    let joins = &mut lists.joins;
    joins.clear();
    let classes = rules.classes.len().saturating_sub(1).max(1);
    let each = (LOOKED_AT / classes).max(2);
    for class in rules.classes.windows(2) {
        let start = joins.len();
        let mut bar = i64::MIN;
        for &piece in &rules.candidates[class[0]..class[1]] {
            let gain = gain(piece as usize);
            if gain <= bar || state.count[piece as usize] >= rules.capacity[piece as usize] {
                continue;
            }
            if joins.len() - start == each {
                joins.pop();
            }
            let place = start + joins[start..].partition_point(|&(other, _)| other >= gain);
            joins.insert(place, (gain, piece));
            if joins.len() - start == each {
                bar = joins[start + each - 1].0;
            }
        }
    }
}

/// The members that may leave; in large decks those of every class that take least value along.
fn list_leaves(state: &DeckState<'_>, lists: &mut MoveLists) {
    let leaves = &mut lists.leaves;
    leaves.clear();
    leaves.extend((0..state.size()).filter(|&at| state.is_free(at)).map(|at| (state.loss_of_member(at), at)));
    if leaves.len() <= REMOVED {
        return;
    }
    let class = |at: usize| state.rules.class[state.members[at].piece as usize];
    leaves.sort_unstable_by_key(|&(loss, at)| (class(at), loss, at));
    let each = (REMOVED / state.rules.classes.len().saturating_sub(1).max(1)).max(2);
    let (mut of, mut count) = (u32::MAX, 0);
    leaves.retain(|&(_, at)| {
        let class = class(at);
        count = if class == of { count + 1 } else { 1 };
        of = class;
        count <= each
    });
}

/// The largest scores above 0 of usable columns, `most` of them at most, the largest first.
fn keep_best_scores(
    best: &mut Vec<i32>,
    most: usize,
    scores: impl Iterator<Item = (usize, i32)>,
    usable: impl Fn(usize) -> bool,
) {
    if most == 0 {
        return;
    }
    let mut bar = 0;
    for (column, score) in scores {
        if score > bar && usable(column) {
            if best.len() == most {
                best.pop();
            }
            let place = best.partition_point(|&other| other >= score);
            best.insert(place, score);
            if best.len() == most {
                bar = best[most - 1];
            }
        }
    }
}

/// A search over one problem.
struct TabuRun<'r> {
    rules: &'r SearchRules<'r>,
    state: DeckState<'r>,
    /// What every piece gains with the fixed pieces alone.
    alone: Vec<i64>,
    lists: MoveLists,
    tenure: TabuTenure,
    weights: PenaltyWeights,
    /// Local optima with their values, the best first.
    elite: Vec<(i64, Deck)>,
    rounds: u64,
}

/// Decks that rounds start from.
const ELITE: usize = 12;

/// Larger decks are not stripped from whole pools.
const LARGE: usize = 2_000;

impl<'r> TabuRun<'r> {
    fn new(rules: &'r SearchRules<'r>) -> TabuRun<'r> {
        let state = DeckState::new(rules);
        let weights = firm_weights(&state);
        TabuRun {
            rules,
            lists: MoveLists::default(),
            tenure: TabuTenure { joins: vec![0; rules.pieces], leaves: vec![0; rules.pieces] },
            weights,
            alone: state.gain.clone(),
            state,
            elite: Vec::new(),
            rounds: 0,
        }
    }

    /// A descent from every archetype.
    fn search_archetypes(&mut self, search: &mut SearchRun<'_>) {
        self.state.reset_to_fixed();
        self.alone = self.state.gain.clone();
        if self.state.size() > 0 {
            self.fill_deck(false);
            self.descend_and_keep(search);
        }
        self.build_by_stripping(search);
        let ranked = self.rank_candidates();
        let mut seen = vec![false; self.rules.pieces];
        for &(_, piece) in &ranked {
            if search.is_over() {
                break;
            }
            if std::mem::replace(&mut seen[piece as usize], true) {
                continue;
            }
            self.grow_deck(piece);
            for member in &self.state.members {
                seen[member.piece as usize] = true;
            }
            self.descend_and_keep(search);
            for member in &self.state.members {
                seen[member.piece as usize] = true;
            }
        }
    }

    /// Where decks may be large: everything joins, and what is worth least for its cost leaves until the limits are kept.
    fn build_by_stripping(&mut self, search: &mut SearchRun<'_>) {
        let rules = self.rules;
        if !self.may_strip() {
            return;
        }
        self.state.reset_to_fixed();
        for &piece in &rules.candidates {
            while self.state.has_room(piece, None) {
                self.state.add_piece(piece);
            }
        }
        self.state.choose_leader();
        self.remove_to_limits(search);
        self.descend_and_keep(search);
    }

    fn may_strip(&self) -> bool {
        let rules = self.rules;
        rules.least < rules.most && rules.most * 4 >= rules.candidates.len() && rules.most <= LARGE
    }

    /// What is worth least for its cost leaves until the limits are kept.
    fn remove_to_limits(&mut self, search: &mut SearchRun<'_>) {
        let rules = self.rules;
        while self.state.size() > rules.least
            && !(self.state.has_valid_size() && self.state.is_within_limits(0))
        {
            let state = &self.state;
            let share = |place: usize| -> f64 {
                let piece = state.members[place].piece as usize;
                let over = |at: &usize| state.cost[*at] > rules.limits[*at];
                let cost = |at: usize| rules.costs[at][piece] as f64 / rules.limits[at].max(1) as f64;
                (0..rules.limits.len()).filter(over).map(cost).sum()
            };
            let free = (0..state.size()).filter(|&at| state.is_free(at) && state.leader != Some(at));
            let ratio = |place: usize| state.loss_of_member(place) as f64 / share(place).max(1e-6);
            let Some(worst) = free.min_by(|&a, &b| ratio(a).total_cmp(&ratio(b))) else { break };
            self.state.remove_member(worst);
            self.state.choose_leader();
            search.count_step();
        }
    }

    /// Pieces by chance join, a quarter to three quarters of the deck's size, and what is worth least leaves.
    fn flood_with_random(&mut self, search: &mut SearchRun<'_>, rng: &mut Rng) {
        let size = self.state.size().max(4);
        for _ in 0..size / 4 + rng.next_index(size / 2) {
            if let Some(&piece) = rng.choose(&self.rules.candidates)
                && self.state.has_room(piece, None)
            {
                self.state.add_piece(piece);
            }
        }
        self.state.choose_leader();
        self.remove_to_limits(search);
    }

    /// The candidates by what they promise: their own score, with the fixed pieces, and with their best partners.
    fn rank_candidates(&mut self) -> Vec<(i64, u32)> {
        self.state.reset_to_fixed();
        let rules = self.rules;
        let pool = rules.problem.pool();
        let places = rules.most.saturating_sub(self.state.size() + 1);
        let mut best: Vec<i32> = Vec::with_capacity(places + 1);
        let mut ranked: Vec<(i64, u32)> = rules
            .candidates
            .iter()
            .map(|&piece| {
                best.clear();
                let usable = |column: usize| rules.capacity[column] > 0;
                match pool.pairs.dense_row(piece as usize) {
                    Some(row) => {
                        let scores = row.iter().copied().enumerate();
                        keep_best_scores(&mut best, places, scores, usable);
                    }
                    None => keep_best_scores(
                        &mut best,
                        places,
                        pool.pairs.nonzero_entries(piece as usize),
                        usable,
                    ),
                }
                let partners: i64 = best.iter().map(|&score| i64::from(score)).sum();
                (self.state.gain_of_piece(piece) + partners / 2, piece)
            })
            .collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        ranked
    }

    /// A deck grown around a piece: what gains most, with pieces as dear as the limits leave room for on average. The fixed pieces have no say
    /// in it, or every deck would grow into theirs.
    fn grow_deck(&mut self, piece: u32) {
        self.state.reset_to_fixed();
        if self.state.has_room(piece, None) {
            self.state.add_piece(piece);
            self.state.choose_leader();
        }
        self.fill_deck(true);
    }

    /// Completes the deck with what gains most; `apart` leaves the gains with the fixed pieces out.
    fn fill_deck(&mut self, apart: bool) {
        let rules = self.rules;
        while self.state.size() < rules.most {
            list_joins(&self.state, if apart { &self.alone } else { &[] }, &mut self.lists);
            let state = &self.state;
            let left = (rules.most - state.size()) as f64;
            let worth = |gain: i64, piece: u32| {
                let mut worth = gain as f64;
                for (at, costs) in rules.costs.iter().enumerate() {
                    let share = ((rules.limits[at] - state.cost[at]) as f64 / left).max(0.0);
                    worth -=
                        (costs[piece as usize] as f64 - share).max(0.0) * self.weights.resources[at] * 0.05;
                }
                for (at, quota) in rules.quotas.iter().enumerate() {
                    let missing = (quota.at_least - state.quota[at]) as f64;
                    if !quota.members[piece as usize] && missing >= left {
                        worth -= self.weights.quotas[at];
                    }
                }
                worth
            };
            let joins = self.lists.joins.iter().filter(|&&(_, piece)| state.has_room(piece, None));
            let best = joins
                .map(|&(gain, piece)| (worth(gain, piece), gain, piece))
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.2.cmp(&a.2)));
            let Some((_, gain, piece)) = best else { break };
            if state.size() >= rules.least && (gain < 0 || !self.fits_costs(piece)) {
                break;
            }
            self.state.add_piece(piece);
            self.state.choose_leader();
        }
    }

    fn fits_costs(&self, piece: u32) -> bool {
        let costs = self.rules.costs.iter().zip(&self.state.cost).zip(&self.rules.limits);
        costs.into_iter().all(|((costs, cost), limit)| cost + costs[piece as usize] <= *limit)
    }

    /// Descends from the deck and keeps the optimum.
    fn descend_and_keep(&mut self, search: &mut SearchRun<'_>) {
        self.weights = firm_weights(&self.state);
        descend_to_optimum(&mut self.state, &self.weights, &self.tenure, &mut self.lists, search);
        if !self.state.is_feasible() {
            repair_deck(&mut self.state, search);
        }
        search.keep_if_best(&self.state);
        self.keep_elite();
    }

    fn keep_elite(&mut self) {
        if !self.state.is_feasible() {
            return;
        }
        let entry = (self.state.value(), self.state.to_deck());
        if self.elite.contains(&entry) {
            return;
        }
        let place = self.elite.partition_point(|other| other.0 >= entry.0);
        self.elite.insert(place, entry);
        self.elite.truncate(ELITE);
    }

    /// A tabu search from one of the best decks, or from one that is partly torn down.
    fn run_round(&mut self, search: &mut SearchRun<'_>, rng: &mut Rng) {
        let turn = self.rounds as usize;
        self.rounds += 1;
        // Where no step can be made, rounds still come to an end.
        search.count_step();
        if self.elite.is_empty() {
            self.tear_down(rng, 1.0);
        } else {
            let at = if turn < self.elite.len() {
                turn
            } else {
                rng.next_index(self.elite.len().min(1 + turn / 4))
            };
            let deck = self.elite[at].1.clone();
            self.state.set_deck(&deck);
            if turn >= ELITE && self.may_strip() && turn.is_multiple_of(2) {
                self.flood_with_random(search, rng);
            } else if turn >= ELITE {
                let most = 24.0 / self.state.size().max(24) as f64;
                let share = 0.2 + 0.5 * rng.next_unit();
                self.tear_down(rng, share.min(most));
            }
        }
        self.swing_limits(search, rng);
    }

    /// A share of the free members leave, and others take their places.
    fn tear_down(&mut self, rng: &mut Rng, share: f64) {
        for place in (0..self.state.size()).rev() {
            if self.state.is_free(place) && rng.chance(share) {
                self.state.remove_member(place);
            }
        }
        self.state.choose_leader();
        // One at random leads the rest elsewhere.
        if let Some(&piece) = rng.choose(&self.rules.candidates)
            && self.state.size() < self.rules.most
            && self.state.has_room(piece, None)
            && rng.chance(0.5)
        {
            self.state.add_piece(piece);
            self.state.choose_leader();
        }
        self.fill_deck(false);
    }

    /// Tabu search with weights that swing.
    fn swing_limits(&mut self, search: &mut SearchRun<'_>, rng: &mut Rng) {
        let size = self.state.size().max(1) as u64;
        self.weights = firm_weights(&self.state);
        self.tenure.joins.fill(0);
        self.tenure.leaves.fill(0);
        let patience = 40 + 2 * size.min(40);
        let (mut now, mut fruitless) = (0, 0);
        let mut own = i64::MIN;
        let mut outside = false;
        let firm = self.weights.clone();
        while fruitless < patience && !search.is_over() {
            now += 1;
            fruitless += 1;
            let best = search.best_value().unwrap_or(i64::MIN);
            let look = MoveFilter { weights: &self.weights, tenure: &self.tenure, now, best };
            let Some((_, step)) = find_best_move(&self.state, &look, &mut self.lists) else { break };
            self.forbid_move(step, now, size, rng);
            apply_move(&mut self.state, step);
            search.count_step();
            if outside && self.state.is_feasible() {
                descend_to_optimum(&mut self.state, &firm, &self.tenure, &mut self.lists, search);
            }
            let feasible = self.state.is_feasible();
            outside = !feasible;
            if feasible && self.state.value() > own {
                own = self.state.value();
                fruitless = 0;
                search.keep_if_best(&self.state);
                self.keep_elite();
            }
            self.adjust_weights();
        }
    }

    /// What left may not come back for a while, what joined may not leave.
    fn forbid_move(&mut self, step: TabuMove, now: u64, size: u64, rng: &mut Rng) {
        let long = 7 + u64::from(rng.next_below(6));
        let short = 1 + size.min(24) / 4 + u64::from(rng.next_below(3));
        let out = |place: usize| self.state.members[place].piece as usize;
        match step {
            TabuMove::Swap(place, piece) => {
                self.tenure.joins[out(place)] = now + long;
                self.tenure.leaves[piece as usize] = now + short;
            }
            TabuMove::Add(piece) => self.tenure.leaves[piece as usize] = now + short,
            TabuMove::Drop(place) => self.tenure.joins[out(place)] = now + long,
        }
    }

    /// Limits that are passed weigh more from step to step, others less.
    fn adjust_weights(&mut self) {
        const STEP: f64 = 1.15;
        let state = &self.state;
        for (at, weight) in self.weights.resources.iter_mut().enumerate() {
            *weight *= if state.cost[at] > self.rules.limits[at] { STEP } else { 1.0 / STEP };
            *weight = weight.max(1e-3);
        }
        for (at, weight) in self.weights.quotas.iter_mut().enumerate() {
            let quota = &self.rules.quotas[at];
            let kept = (quota.at_least..=quota.at_most).contains(&state.quota[at]);
            *weight *= if kept { 1.0 / STEP } else { STEP };
            *weight = weight.max(1e-3);
        }
    }
}
