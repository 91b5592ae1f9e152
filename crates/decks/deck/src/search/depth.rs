//! The article's variable depth search, to the letter.
//!
//! I. Nagasawa, "Solving deck building as an optimisation problem" (DeNA Engineering blog, 2020), sections "Variable Depth Search とは",
//! 深さ1, 深さ2, 深さ3. A step of the climb is a depth-first search:
//!
//! 1. A swap that keeps all limits and makes the deck better than at the start of the step is taken, and the step ends.
//! 2. Only if there is none, swaps that keep the relaxed limit (the cost may be [`VariableDepth::slack`] above it) and leave the deck better than
//!    at the start are tried, one after the other. From each deck the search goes on, one level deeper, with rule 1.
//! 3. Where that fails, the swap is taken back and the next one is tried.
//! 4. The last level ([`VariableDepth::depth`]) has rule 1 only.
//!
//! A step that finds nothing ends the climb. The text leaves open which of several swaps is taken and in which order they are tried;
//! [`Take`], [`Order`] and [`VariableDepth::fresh`] are the readings.
//!
//! A step that fails has to look at every deck that relaxed swaps reach. So swaps are not tried one by one: for every class of
//! pieces (one cost, the same quotas) the largest gain bounds what any of them brings, and most classes are passed over as a whole.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::ControlFlow;

use ishi_rng::{Rng, Seed};

use super::climb::{Change, DEPTH, SLACK, apply, from_starts, keeps};
use super::state::{Rules, State};
use super::{Found, Options, Search};
use crate::problem::{Deck, Problem, Slot};
use crate::solve::Progress;

/// Which of the swaps that keep the limits and improve the deck is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Take {
    /// The first in [`VariableDepth::order`].
    #[default]
    First,
    /// The one that improves it most.
    Best,
}

/// In which order swaps are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// In random order, drawn afresh for every deck.
    #[default]
    Shuffled,
    /// By the number of what leaves, then of what joins.
    Listed,
    /// The one that scores most first.
    BestFirst,
}

/// How [`variable_depth()`] searches. The default is the article: depth 3, ten above the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariableDepth {
    /// Swaps of a step at most; with 1 this is hill climbing by single swaps.
    pub depth: usize,
    /// What the cost may be above its limit before the last level (of every limited resource), 0 or more.
    pub slack: i64,
    /// Which improvement is taken.
    pub take: Take,
    /// In which order swaps are tried.
    pub order: Order,
    /// Inside a step, does what joined stay, and what left stay out? The text does not ask for it.
    pub fresh: bool,
}

impl Default for VariableDepth {
    fn default() -> VariableDepth {
        VariableDepth { depth: DEPTH, slack: SLACK, take: Take::First, order: Order::Shuffled, fresh: false }
    }
}

/// The article's search: hill climbing whose step is a depth-first search over a few swaps with a relaxed limit; then from the next
/// random deck, [`Options::starts`] times. A swap is judged with the leader that the deck has, or with what joins if it is the leader that
/// leaves; after the swap the best of those that may lead leads.
///
/// A step counts every swap that is carried out, those that are taken back too. `None` if no deck was found, which is no proof
/// that there is none.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use ishi_deck::generate::{Case, Leading, World, WorldOptions};
/// use ishi_deck::search::{Options, VariableDepth, variable_depth};
/// use ishi_rng::Seed;
///
/// let world = World::new(Seed::new(1), WorldOptions::of(100));
/// let request = world.request(Seed::new(1), 0, Case { leading: Leading::Nobody, fixed: 3, owned: None });
/// let problem = ishi_deck::Problem::new(Arc::new(world.pool()), &request)?;
/// let options = Options::new(Seed::new(7));
/// let found = variable_depth(&problem, &options, &VariableDepth::default(), &mut |_| ControlFlow::Continue(()));
/// assert!(found.is_some_and(|found| problem.check(&found.deck).is_ok()));
/// # Ok::<(), ishi_deck::RequestError>(())
/// ```
pub fn variable_depth(
    problem: &Problem,
    options: &Options,
    how: &VariableDepth,
    observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Option<Found> {
    let least = least_pair(problem);
    from_starts(problem, options, "variable depth search", observer, &mut |state, search, rng| {
        while !search.is_over() && Step::new(state, how, rng, least).climb(state, search).is_some() {}
    })
}

/// One step from a deck that keeps all rules: the decks after each of its swaps, the last of which is better and keeps all rules. `None` if
/// the step finds nothing, which is where the article's climb ends.
#[must_use]
pub fn variable_depth_step(
    problem: &Problem,
    deck: &Deck,
    how: &VariableDepth,
    seed: Seed,
) -> Option<Vec<Deck>> {
    let rules = Rules::new(problem);
    let observer = &mut |_: &Progress<'_>| ControlFlow::Continue(());
    let mut search = Search::new(u64::MAX, observer);
    let mut state = State::new(&rules);
    state.set(deck);
    let mut rng = seed.stream("variable depth step", 0);
    Step::new(&state, how, &mut rng, least_pair(problem)).climb(&mut state, &mut search)
}

/// The smallest score of a pair, 0 at most.
fn least_pair(problem: &Problem) -> i64 {
    let table = &problem.pool().pairs;
    let scores = (0..table.side()).flat_map(|row| table.entries(row).map(|(_, score)| score));
    i64::from(scores.min().unwrap_or(0).min(0))
}

/// A swap, and what it adds to the value.
#[derive(Clone, Copy)]
struct Swap {
    worth: i64,
    change: Change,
}

/// One step of the climb.
struct Step<'s> {
    how: &'s VariableDepth,
    rng: &'s mut Rng,
    /// The value at the start.
    start: i64,
    /// See [`least_pair`].
    least_pair: i64,
    /// Decks that failed, with the levels that were left: another order of the same swaps fails too.
    failed: HashSet<(Vec<Slot>, usize)>,
    /// What joined and what left on the way to the deck.
    joined: Vec<u32>,
    left: Vec<u32>,
}

impl<'s> Step<'s> {
    fn new(state: &State<'_>, how: &'s VariableDepth, rng: &'s mut Rng, least_pair: i64) -> Step<'s> {
        let (start, failed) = (state.value(), HashSet::new());
        Step { how, rng, start, least_pair, failed, joined: Vec::new(), left: Vec::new() }
    }

    /// The decks on the way to a better one, at which the state then is; otherwise it is as before.
    fn climb(mut self, state: &mut State<'_>, search: &mut Search<'_>) -> Option<Vec<Deck>> {
        let mut decks = self.descend(state, search, 1)?;
        decks.reverse();
        Some(decks)
    }

    /// The same from one level on, the last deck first.
    fn descend(&mut self, state: &mut State<'_>, search: &mut Search<'_>, level: usize) -> Option<Vec<Deck>> {
        let within = self.better(state, 0);
        if let Some(swap) = self.choose(within, state) {
            apply(state, swap.change);
            search.step();
            search.see(state);
            return Some(vec![state.deck()]);
        }
        if level >= self.how.depth {
            return None;
        }
        let mut relaxed = self.better(state, self.how.slack);
        self.sort(&mut relaxed, state);
        for swap in relaxed {
            let undo = Undo::of(state, swap.change);
            apply(state, swap.change);
            search.step();
            if let Some(decks) = self.go_on(state, search, level + 1, undo) {
                return Some(decks);
            }
            undo.revert(state);
            if search.is_over() {
                return None;
            }
        }
        None
    }

    /// Goes on from a deck that a relaxed swap has reached, unless it is known to lead nowhere.
    fn go_on(
        &mut self,
        state: &mut State<'_>,
        search: &mut Search<'_>,
        level: usize,
        swap: Undo,
    ) -> Option<Vec<Deck>> {
        let deck = state.deck();
        let key = (deck.slots.clone(), self.how.depth - level);
        if self.failed.contains(&key) || search.is_over() {
            return None;
        }
        let (joined, left) = (self.joined.len(), self.left.len());
        self.joined.extend(swap.joined);
        self.left.extend(swap.left.map(|(_, piece)| piece));
        let way = self.descend(state, search, level);
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
    fn better(&self, state: &State<'_>, slack: i64) -> Vec<Swap> {
        let rules = state.rules;
        let mut swaps = Vec::new();
        let need = self.start - state.value();
        let mut judge = |worth: i64, change: Change| {
            if worth > need && keeps(state, change, slack) {
                swaps.push(Swap { worth, change });
            }
        };
        let joins = |piece: u32| !(self.how.fresh && self.left.contains(&piece));
        let leaves = |piece: u32| !(self.how.fresh && self.joined.contains(&piece));
        if state.size() < rules.most {
            for &piece in rules.candidates.iter().filter(|&&piece| joins(piece)) {
                judge(state.gain_of(piece), (None, Some(piece)));
            }
        }
        let tops = Tops::of(state);
        for place in (0..state.size()).filter(|&place| state.is_free(place)) {
            let member = &state.members[place];
            if !leaves(member.piece) {
                continue;
            }
            if state.leader == Some(place) {
                let own = state.gain[member.piece as usize] - i64::from(member.row[member.piece as usize]);
                for &piece in rules.candidates.iter().filter(|&&piece| rules.may_lead[piece as usize]) {
                    let pairs = state.gain[piece as usize] - i64::from(member.row[piece as usize]);
                    let lead = state.lead_of(piece, place) - member.lead;
                    if joins(piece) {
                        judge(pairs - own + lead, (Some(place), Some(piece)));
                    }
                }
                continue;
            }
            let loss = state.loss_of(place);
            if state.size() > rules.least {
                judge(-loss, (Some(place), None));
            }
            for (class, range) in rules.classes.windows(2).enumerate() {
                if tops.gains[class] - loss - self.least_pair <= need
                    || !tops.fits(state, class, place, slack)
                {
                    continue;
                }
                for &piece in rules.candidates[range[0]..range[1]].iter().filter(|&&piece| joins(piece)) {
                    let worth = state.gain_of(piece) - i64::from(member.row[piece as usize]) - loss;
                    judge(worth, (Some(place), Some(piece)));
                }
            }
        }
        swaps
    }

    /// The swap that is taken.
    fn choose(&mut self, mut swaps: Vec<Swap>, state: &State<'_>) -> Option<Swap> {
        if self.how.take == Take::Best || self.how.order == Order::BestFirst {
            return swaps.into_iter().min_by_key(|swap| rank(swap, state));
        }
        match self.how.order {
            Order::Listed => swaps.into_iter().min_by_key(|swap| place(swap, state)),
            _ if swaps.is_empty() => None,
            _ => Some(swaps.swap_remove(self.rng.index(swaps.len()))),
        }
    }

    fn sort(&mut self, swaps: &mut [Swap], state: &State<'_>) {
        match self.how.order {
            Order::Shuffled => self.rng.shuffle(swaps),
            Order::Listed => swaps.sort_by_key(|swap| place(swap, state)),
            Order::BestFirst => swaps.sort_by_key(|swap| rank(swap, state)),
        }
    }
}

/// Where a swap stands in the list: by the piece that leaves, then by the one that joins.
fn place(swap: &Swap, state: &State<'_>) -> (Option<u32>, Option<u32>) {
    let (out, joins) = swap.change;
    (out.map(|place| state.members[place].piece), joins)
}

/// The same, the best first.
fn rank(swap: &Swap, state: &State<'_>) -> (Reverse<i64>, (Option<u32>, Option<u32>)) {
    (Reverse(swap.worth), place(swap, state))
}

/// The best of every class of candidates.
struct Tops {
    gains: Vec<i64>,
}

impl Tops {
    fn of(state: &State<'_>) -> Tops {
        let rules = state.rules;
        let top = |range: &[usize]| {
            let pieces = &rules.candidates[range[0]..range[1]];
            pieces.iter().map(|&piece| state.gain_of(piece)).max().unwrap_or(i64::MIN / 4)
        };
        Tops { gains: rules.classes.windows(2).map(top).collect() }
    }

    /// May the cheapest piece of the class take this place?
    fn fits(&self, state: &State<'_>, class: usize, place: usize, slack: i64) -> bool {
        let rules = state.rules;
        let out = state.members[place].piece as usize;
        rules.costs.iter().enumerate().all(|(at, costs)| {
            state.cost[at] - costs[out] + rules.least_costs[at][class] <= rules.limits[at] + slack
        })
    }
}

/// How to take a swap back.
#[derive(Clone, Copy)]
struct Undo {
    left: Option<(usize, u32)>,
    joined: Option<u32>,
    leader: Option<usize>,
}

impl Undo {
    /// Before the swap is carried out.
    fn of(state: &State<'_>, (out, joined): Change) -> Undo {
        let left = out.map(|place| (place, state.members[place].piece));
        Undo { left, joined, leader: state.leader }
    }

    /// After it; all members stand where they stood.
    fn revert(self, state: &mut State<'_>) {
        if self.joined.is_some() {
            state.drop(state.size() - 1);
        }
        if let Some((place, piece)) = self.left {
            state.add(piece);
            let last = state.size() - 1;
            state.members.swap(place, last);
        }
        state.leader = self.leader;
    }
}

#[cfg(test)]
mod tests;
