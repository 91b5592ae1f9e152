//! Hill climbing by one swap, and by greedy chains of swaps.

use ishi_rng::Rng;

use super::construct::{CheapestSums, fill_greedily, fill_randomly};
use super::state::{DeckState, SearchRules};
use super::tabu::repair_deck;
use super::{FoundDeck, SearchOptions, SearchRun, StartDeck};
use crate::problem::Problem;
use crate::solve::SolverObserver;

/// Swaps in a chain or in a step of variable depth search, as in the article (section "Variable Depth Search とは").
pub const DEPTH: usize = 3;

/// What the cost may be above its limit inside a chain or step, as in the article (same section).
pub const SLACK: i64 = 10;

/// Hill climbing: the best swap (or addition or removal, where the size is free) that keeps all limits, as long as it is better; then from
/// the next random deck, [`SearchOptions::starts`] times. This is the article's "simple method" (section 「解を少し変える」方法を考える).
///
/// `None` if no deck was found, which is no proof that there is none.
pub fn hill_climbing(
    problem: &Problem,
    options: &SearchOptions,
    observer: SolverObserver<'_>,
) -> Option<FoundDeck> {
    climb_from_starts(problem, options, "hill climbing", observer, &mut |state, search, _| {
        while !search.is_over() && take_best_swap(state, search) {}
    })
}

/// Hill climbing whose step is one greedy chain of up to [`DEPTH`] swaps, inside which the cost may pass the limit by [`SLACK`].
///
/// A chain goes as in Kernighan and Lin ("An efficient heuristic procedure for partitioning graphs", 1970): the first swap
/// takes each member out in turn, the members in random order; every swap is the best for what leaves, and what joined in a
/// chain does not leave in it; the second and third swap take out whoever is best replaced. The first chain that ends better
/// is kept, and nothing is kept of others. A round over all members without a better chain is the end, and the next random
/// deck begins, [`SearchOptions::starts`] times. It never takes a swap back, which is what [`variable_depth_search`](super::variable_depth_search())
/// does.
///
/// `None` if no deck was found, which is no proof that there is none.
pub fn climb_by_swap_chains(
    problem: &Problem,
    options: &SearchOptions,
    observer: SolverObserver<'_>,
) -> Option<FoundDeck> {
    climb_from_starts(problem, options, "variable depth", observer, &mut |state, search, rng| {
        while !search.is_over() {
            let mut pieces: Vec<u32> = state.members.iter().map(|member| member.piece).collect();
            pieces.sort_unstable();
            rng.shuffle(&mut pieces);
            let better = pieces.into_iter().any(|piece| try_chain(state, search, piece));
            if !better && !take_best_swap(state, search) {
                break;
            }
        }
    })
}

pub(super) type ClimbFn<'c> = &'c mut dyn FnMut(&mut DeckState<'_>, &mut SearchRun<'_>, &mut Rng);

/// Climbs from the first deck that [`SearchOptions::begin`] names, then from random decks.
pub(super) fn climb_from_starts(
    problem: &Problem,
    options: &SearchOptions,
    name: &str,
    observer: SolverObserver<'_>,
    climb: ClimbFn<'_>,
) -> Option<FoundDeck> {
    let rules = SearchRules::new(problem);
    let cheapest = CheapestSums::new(&rules);
    let mut search = SearchRun::new(options.steps, observer);
    let mut state = DeckState::new(&rules);
    for start in 0..options.starts {
        let mut rng = options.seed.stream(name, start);
        match (&options.begin, start) {
            (StartDeck::Greedy, 0) => fill_greedily(&mut state, &cheapest, &mut search),
            (StartDeck::At(deck), 0) => state.set_deck(deck),
            _ => fill_randomly(&mut state, &cheapest, &mut rng),
        }
        if !state.is_feasible() {
            repair_deck(&mut state, &mut search);
        }
        search.keep_if_best(&state);
        if state.is_feasible() {
            climb(&mut state, &mut search, &mut rng);
        }
        // A climb may take no step at all: the observer, who has the clock, must be asked all the same.
        search.notify_observer();
        if search.is_over() {
            break;
        }
    }
    search.into_found(problem)
}

/// A change of the deck: what leaves, what joins.
pub(super) type DeckChange = (Option<usize>, Option<u32>);

/// The best change within the limits is carried out if it is better.
fn take_best_swap(state: &mut DeckState<'_>, search: &mut SearchRun<'_>) -> bool {
    let before = state.value();
    let places: Vec<usize> = (0..state.size()).collect();
    let Some(change) = find_best_change(state, &places, 0, true) else { return false };
    let old = state.to_deck();
    apply_change(state, change);
    search.count_step();
    if state.value() <= before || !state.is_feasible() {
        state.set_deck(&old);
        return false;
    }
    search.keep_if_best(state);
    true
}

/// A chain that begins by taking out a copy of this piece; kept if it ends better and within the limits.
fn try_chain(state: &mut DeckState<'_>, search: &mut SearchRun<'_>, first: u32) -> bool {
    let before = state.value();
    let old = state.to_deck();
    let mut joined: Vec<u32> = Vec::new();
    for depth in 0..DEPTH {
        let places: Vec<usize> = (0..state.size())
            .filter(|&at| {
                let piece = state.members[at].piece;
                if depth == 0 { piece == first } else { !joined.contains(&piece) }
            })
            .collect();
        let Some(change) = find_best_change(state, &places, SLACK, false) else { break };
        joined.extend(change.1);
        apply_change(state, change);
        search.count_step();
        if state.is_feasible() && state.value() > before {
            search.keep_if_best(state);
            return true;
        }
    }
    state.set_deck(&old);
    false
}

pub(super) fn apply_change(state: &mut DeckState<'_>, (out, joins): DeckChange) {
    if let Some(place) = out {
        state.remove_member(place);
    }
    if let Some(piece) = joins {
        state.add_piece(piece);
    }
    state.choose_leader();
}

/// The best swap of one of these members, with `slack` over every limit; the leader stays unless another leads after it. With `resize` also
/// additions and removals, where the size is free.
fn find_best_change(state: &DeckState<'_>, places: &[usize], slack: i64, resize: bool) -> Option<DeckChange> {
    let rules = state.rules;
    let mut best: Option<(i64, DeckChange)> = None;
    let mut judge = |worth: i64, change: DeckChange| {
        if best.is_none_or(|(most, _)| worth > most) && keeps_limits(state, change, slack) {
            best = Some((worth, change));
        }
    };
    if resize && state.size() < rules.most {
        for &piece in &rules.candidates {
            judge(state.gain_of_piece(piece), (None, Some(piece)));
        }
    }
    for &place in places.iter().filter(|&&place| state.is_free(place)) {
        let member = &state.members[place];
        if state.leader == Some(place) {
            for &piece in rules.candidates.iter().filter(|&&piece| rules.may_lead[piece as usize]) {
                let pairs = state.gain[piece as usize] - i64::from(member.row[piece as usize]);
                let own = state.gain[member.piece as usize] - i64::from(member.row[member.piece as usize]);
                let lead = state.lead_worth(piece, place) - member.lead;
                judge(pairs - own + lead, (Some(place), Some(piece)));
            }
            continue;
        }
        let loss = state.loss_of_member(place);
        if resize && state.size() > rules.least {
            judge(-loss, (Some(place), None));
        }
        for &piece in &rules.candidates {
            judge(
                state.gain_of_piece(piece) - i64::from(member.row[piece as usize]) - loss,
                (Some(place), Some(piece)),
            );
        }
    }
    best.map(|(_, change)| change)
}

/// Does the deck keep copies, groups, quotas, and costs with slack after the change?
pub(super) fn keeps_limits(state: &DeckState<'_>, (out, joins): DeckChange, slack: i64) -> bool {
    let rules = state.rules;
    let out = out.map(|place| state.members[place].piece);
    if joins.is_some_and(|piece| !state.has_room(piece, out)) {
        return false;
    }
    let costs = rules.costs.iter().enumerate().all(|(at, costs)| {
        let of = |piece: Option<u32>| piece.map_or(0, |piece| costs[piece as usize]);
        state.cost[at] - of(out) + of(joins) <= rules.limits[at] + slack
    });
    costs
        && rules.quotas.iter().zip(&state.quota).all(|(quota, count)| {
            let of = |piece: Option<u32>| i64::from(piece.is_some_and(|piece| quota.members[piece as usize]));
            (quota.at_least..=quota.at_most).contains(&(count - of(out) + of(joins)))
        })
}
