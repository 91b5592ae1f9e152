//! The article's variable depth search, to the letter.
//!
//! I. Nagasawa, "Solving deck building as an optimisation problem" (DeNA Engineering blog, 2020), sections "Variable Depth Search とは",
//! 深さ1, 深さ2, 深さ3. A step of the climb is a depth-first search:
//!
//! 1. A swap that keeps all limits and makes the deck better than at the start of the step is taken, and the step ends.
//! 2. Only if there is none, swaps that keep the relaxed limit (the cost may be [`VariableDepthOptions::slack`] above it) and leave the deck better than
//!    at the start are tried, one after the other. From each deck the search goes on, one level deeper, with rule 1.
//! 3. Where that fails, the swap is taken back and the next one is tried.
//! 4. The last level ([`VariableDepthOptions::depth`]) has rule 1 only.
//!
//! A step that finds nothing ends the climb. The text leaves open which of several swaps is taken and in which order they are tried;
//! [`SwapChoice`], [`SwapTryOrder`] and [`VariableDepthOptions::fresh`] are the readings.
//!
//! A step that fails has to look at every deck that relaxed swaps reach. So swaps are not tried one by one: for every class of
//! pieces (one cost, the same quotas) the largest gain bounds what any of them brings, and most classes are passed over as a whole.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::ControlFlow;

use ishi_rng::{Rng, Seed};

use super::climb::{DEPTH, DeckChange, SLACK, apply_change, climb_from_starts, keeps_limits};
use super::state::{DeckState, SearchRules};
use super::{FoundDeck, SearchOptions, SearchRun};
use crate::problem::{Deck, Problem, Slot};
use crate::solve::{SolverObserver, SolverState};

/// Which of the swaps that keep the limits and improve the deck is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SwapChoice {
    /// The first in [`VariableDepthOptions::order`].
    #[default]
    First,
    /// The one that improves it most.
    Best,
}

/// The order in which swaps are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SwapTryOrder {
    /// In random order, drawn afresh for every deck.
    #[default]
    Shuffled,
    /// By the number of what leaves, then of what joins.
    Listed,
    /// The one that scores most first.
    BestFirst,
}

/// How [`variable_depth_search()`] searches. The default is the article: depth 3, ten above the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariableDepthOptions {
    /// Swaps of a step at most; with 1 this is hill climbing by single swaps.
    pub depth: usize,
    /// What the cost may be above its limit before the last level (of every limited resource), 0 or more.
    pub slack: i64,
    /// Which improvement is taken.
    pub take: SwapChoice,
    /// The order in which swaps are tried.
    pub order: SwapTryOrder,
    /// Inside a step, does what joined stay, and what left stay out? The text does not ask for it.
    pub fresh: bool,
}

impl Default for VariableDepthOptions {
    fn default() -> VariableDepthOptions {
        VariableDepthOptions {
            depth: DEPTH,
            slack: SLACK,
            take: SwapChoice::First,
            order: SwapTryOrder::Shuffled,
            fresh: false,
        }
    }
}

/// The article's search: hill climbing whose step is a depth-first search over a few swaps with a relaxed limit; then from the next
/// random deck, [`SearchOptions::starts`] times. A swap is judged with the leader that the deck has, or with what joins if it is the leader that
/// leaves; after the swap the best of those that may lead leads.
///
/// A step counts every swap that is carried out, those that are taken back too. `None` if no deck was found, which is no proof
/// that there is none.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use ishi_deck::generate::{RequestCase, LeaderCase, DeckWorld, WorldOptions};
/// use ishi_deck::search::{SearchOptions, VariableDepthOptions, variable_depth_search};
/// use ishi_rng::Seed;
///
/// let world = DeckWorld::new(Seed::new(1), WorldOptions::for_pieces(100));
/// let request = world.draw_request(Seed::new(1), 0, RequestCase { leading: LeaderCase::Nobody, fixed: 3, owned: None });
/// let problem = ishi_deck::Problem::new(Arc::new(world.build_pool()), &request)?;
/// let options = SearchOptions::new(Seed::new(7));
/// let found = variable_depth_search(&problem, &options, &VariableDepthOptions::default(), &mut |_| ControlFlow::Continue(()));
/// assert!(found.is_some_and(|found| problem.check_deck(&found.deck).is_ok()));
/// # Ok::<(), ishi_deck::RequestError>(())
/// ```
pub fn variable_depth_search(
    problem: &Problem,
    options: &SearchOptions,
    how: &VariableDepthOptions,
    observer: SolverObserver<'_>,
) -> Option<FoundDeck> {
    let least = least_pair_score(problem);
    climb_from_starts(problem, options, "variable depth search", observer, &mut |state, search, rng| {
        while !search.is_over() && DepthStep::new(state, how, rng, least).climb_step(state, search).is_some()
        {
        }
    })
}

/// One step from a deck that keeps all rules: the decks after each of its swaps, the last of which is better and keeps all rules. `None` if
/// the step finds nothing, which is where the article's climb ends.
#[must_use]
pub fn variable_depth_search_step(
    problem: &Problem,
    deck: &Deck,
    how: &VariableDepthOptions,
    seed: Seed,
) -> Option<Vec<Deck>> {
    let rules = SearchRules::new(problem);
    let observer = &mut |_: &SolverState<'_>| ControlFlow::Continue(());
    let mut search = SearchRun::new(u64::MAX, observer);
    let mut state = DeckState::new(&rules);
    state.set_deck(deck);
    let mut rng = seed.stream("variable depth step", 0);
    DepthStep::new(&state, how, &mut rng, least_pair_score(problem)).climb_step(&mut state, &mut search)
}

/// The smallest score of a pair, 0 at most.
fn least_pair_score(problem: &Problem) -> i64 {
    let table = &problem.pool().pairs;
    let scores = (0..table.side()).flat_map(|row| table.nonzero_entries(row).map(|(_, score)| score));
    i64::from(scores.min().unwrap_or(0).min(0))
}

/// A swap, and what it adds to the value.
#[derive(Clone, Copy)]
struct ScoredSwap {
    worth: i64,
    change: DeckChange,
}

/// One step of the climb.
struct DepthStep<'s> {
    how: &'s VariableDepthOptions,
    rng: &'s mut Rng,
    /// The value at the start.
    start: i64,
    /// See [`least_pair_score`].
    least_pair: i64,
    /// Decks that failed, with the levels that were left: another order of the same swaps fails too.
    failed: HashSet<(Vec<Slot>, usize)>,
    /// What joined and what left on the way to the deck.
    joined: Vec<u32>,
    left: Vec<u32>,
}

impl<'s> DepthStep<'s> {
    fn new(
        state: &DeckState<'_>,
        how: &'s VariableDepthOptions,
        rng: &'s mut Rng,
        least_pair: i64,
    ) -> DepthStep<'s> {
        let (start, failed) = (state.value(), HashSet::new());
        DepthStep { how, rng, start, least_pair, failed, joined: Vec::new(), left: Vec::new() }
    }

    /// The decks on the way to a better one, at which the state then is; otherwise it is as before.
    fn climb_step(mut self, state: &mut DeckState<'_>, search: &mut SearchRun<'_>) -> Option<Vec<Deck>> {
        let mut decks = self.descend_level(state, search, 1)?;
        decks.reverse();
        Some(decks)
    }

    /// The same from one level on, the last deck first.
    fn descend_level(
        &mut self,
        state: &mut DeckState<'_>,
        search: &mut SearchRun<'_>,
        level: usize,
    ) -> Option<Vec<Deck>> {
        let within = self.better_swaps(state, 0);
        if let Some(swap) = self.choose_swap(within, state) {
            apply_change(state, swap.change);
            search.count_step();
            search.keep_if_best(state);
            return Some(vec![state.to_deck()]);
        }
        if level >= self.how.depth {
            return None;
        }
        let mut relaxed = self.better_swaps(state, self.how.slack);
        self.sort_swaps(&mut relaxed, state);
        for swap in relaxed {
            let undo = SwapUndo::before_change(state, swap.change);
            apply_change(state, swap.change);
            search.count_step();
            if let Some(decks) = self.continue_after_swap(state, search, level + 1, undo) {
                return Some(decks);
            }
            undo.revert_swap(state);
            if search.is_over() {
                return None;
            }
        }
        None
    }

    /// Goes on from a deck that a relaxed swap has reached, unless it is known to lead nowhere.
    fn continue_after_swap(
        &mut self,
        state: &mut DeckState<'_>,
        search: &mut SearchRun<'_>,
        level: usize,
        swap: SwapUndo,
    ) -> Option<Vec<Deck>> {
        let deck = state.to_deck();
        let key = (deck.slots.clone(), self.how.depth - level);
        if self.failed.contains(&key) || search.is_over() {
            return None;
        }
        let (joined, left) = (self.joined.len(), self.left.len());
        self.joined.extend(swap.joined);
        self.left.extend(swap.left.map(|(_, piece)| piece));
        let way = self.descend_level(state, search, level);
        self.joined.truncate(joined);
        self.left.truncate(left);
        if way.is_none() && !search.is_over() {
            self.failed.insert(key);
        }
        way.map(|mut decks| {
            decks.push(deck);
            decks
        })
    }

    /// All swaps (additions and removals too, where the size is free) with `slack` over the limits that make the deck better than at the
    /// start.
    fn better_swaps(&self, state: &DeckState<'_>, slack: i64) -> Vec<ScoredSwap> {
        let rules = state.rules;
        let mut swaps = Vec::new();
        let need = self.start - state.value();
        let mut judge = |worth: i64, change: DeckChange| {
            if worth > need && keeps_limits(state, change, slack) {
                swaps.push(ScoredSwap { worth, change });
            }
        };
        let joins = |piece: u32| !(self.how.fresh && self.left.contains(&piece));
        let leaves = |piece: u32| !(self.how.fresh && self.joined.contains(&piece));
        if state.size() < rules.most {
            for &piece in rules.candidates.iter().filter(|&&piece| joins(piece)) {
                judge(state.gain_of_piece(piece), (None, Some(piece)));
            }
        }
        let tops = ClassTops::from_state(state);
        for place in (0..state.size()).filter(|&place| state.is_free(place)) {
            let member = &state.members[place];
            if !leaves(member.piece) {
                continue;
            }
            if state.leader == Some(place) {
                // A piece's gain counts its pair with the leader, which leaves.
                let own = state.gain[member.piece as usize] - i64::from(member.row[member.piece as usize]);
                for &piece in rules.candidates.iter().filter(|&&piece| rules.may_lead[piece as usize]) {
                    let pairs = state.gain[piece as usize] - i64::from(member.row[piece as usize]);
                    let lead = state.lead_worth(piece, place) - member.lead;
                    if joins(piece) {
                        judge(pairs - own + lead, (Some(place), Some(piece)));
                    }
                }
                continue;
            }
            let loss = state.loss_of_member(place);
            if state.size() > rules.least {
                judge(-loss, (Some(place), None));
            }
            for (class, range) in rules.classes.windows(2).enumerate() {
                // No piece of the class is worth more: it loses its pair with the member that leaves, which has the least score or more.
                if tops.gains[class] - loss - self.least_pair <= need
                    || !tops.may_fit(state, class, place, slack)
                {
                    continue;
                }
                for &piece in rules.candidates[range[0]..range[1]].iter().filter(|&&piece| joins(piece)) {
                    let worth = state.gain_of_piece(piece) - i64::from(member.row[piece as usize]) - loss;
                    judge(worth, (Some(place), Some(piece)));
                }
            }
        }
        swaps
    }

    /// The swap that is taken.
    fn choose_swap(&mut self, mut swaps: Vec<ScoredSwap>, state: &DeckState<'_>) -> Option<ScoredSwap> {
        if self.how.take == SwapChoice::Best || self.how.order == SwapTryOrder::BestFirst {
            return swaps.into_iter().min_by_key(|swap| best_first_key(swap, state));
        }
        match self.how.order {
            SwapTryOrder::Listed => swaps.into_iter().min_by_key(|swap| listed_key(swap, state)),
            _ if swaps.is_empty() => None,
            _ => Some(swaps.swap_remove(self.rng.next_index(swaps.len()))),
        }
    }

    fn sort_swaps(&mut self, swaps: &mut [ScoredSwap], state: &DeckState<'_>) {
        match self.how.order {
            SwapTryOrder::Shuffled => self.rng.shuffle(swaps),
            SwapTryOrder::Listed => swaps.sort_by_key(|swap| listed_key(swap, state)),
            SwapTryOrder::BestFirst => swaps.sort_by_key(|swap| best_first_key(swap, state)),
        }
    }
}

/// Where a swap stands in the list: by the piece that leaves, then by the one that joins.
fn listed_key(swap: &ScoredSwap, state: &DeckState<'_>) -> (Option<u32>, Option<u32>) {
    let (out, joins) = swap.change;
    (out.map(|place| state.members[place].piece), joins)
}

/// The same, the best first.
fn best_first_key(swap: &ScoredSwap, state: &DeckState<'_>) -> (Reverse<i64>, (Option<u32>, Option<u32>)) {
    (Reverse(swap.worth), listed_key(swap, state))
}

/// The best of every class of candidates.
struct ClassTops {
    gains: Vec<i64>,
}

impl ClassTops {
    fn from_state(state: &DeckState<'_>) -> ClassTops {
        let rules = state.rules;
        let top = |range: &[usize]| {
            let pieces = &rules.candidates[range[0]..range[1]];
            pieces.iter().map(|&piece| state.gain_of_piece(piece)).max().unwrap_or(i64::MIN / 4)
        };
        ClassTops { gains: rules.classes.windows(2).map(top).collect() }
    }

    /// May the cheapest piece of the class take this place?
    fn may_fit(&self, state: &DeckState<'_>, class: usize, place: usize, slack: i64) -> bool {
        let rules = state.rules;
        let out = state.members[place].piece as usize;
        rules.costs.iter().enumerate().all(|(at, costs)| {
            state.cost[at] - costs[out] + rules.least_costs[at][class] <= rules.limits[at] + slack
        })
    }
}

/// How to take a swap back.
#[derive(Clone, Copy)]
struct SwapUndo {
    left: Option<(usize, u32)>,
    joined: Option<u32>,
    leader: Option<usize>,
}

impl SwapUndo {
    /// Before the swap is carried out.
    fn before_change(state: &DeckState<'_>, (out, joined): DeckChange) -> SwapUndo {
        let left = out.map(|place| (place, state.members[place].piece));
        SwapUndo { left, joined, leader: state.leader }
    }

    /// After it; all members stand where they stood.
    fn revert_swap(self, state: &mut DeckState<'_>) {
        if self.joined.is_some() {
            state.remove_member(state.size() - 1);
        }
        if let Some((place, piece)) = self.left {
            state.add_piece(piece);
            let last = state.size() - 1;
            state.members.swap(place, last);
        }
        state.leader = self.leader;
    }
}

#[cfg(test)]
mod tests;
