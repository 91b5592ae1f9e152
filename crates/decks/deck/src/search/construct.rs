//! Decks from nothing: greedily, or at random.

use ishi_rng::Rng;

use super::state::{DeckState, SearchRules};
use super::tabu::repair_deck;
use super::{FoundDeck, SearchOptions, SearchRun};
use crate::problem::Problem;
use crate::solve::SolverObserver;

/// The method that the article replaced: to the fixed pieces (or to the best pair, if nothing is fixed) joins whatever scores best with
/// what is chosen, as long as the cheapest pieces can still complete the deck and the quotas can still be filled; of a free leader's
/// pieces the best leads at every step. If that ends in a deck that breaks a limit, swaps repair it.
///
/// `None` if no deck was found, which is no proof that there is none.
pub fn greedy_construction(
    problem: &Problem,
    options: &SearchOptions,
    observer: SolverObserver<'_>,
) -> Option<FoundDeck> {
    let rules = SearchRules::new(problem);
    let cheapest = CheapestSums::new(&rules);
    let mut search = SearchRun::new(options.steps, observer);
    let mut state = DeckState::new(&rules);
    fill_greedily(&mut state, &cheapest, &mut search);
    search.keep_if_best(&state);
    if search.best.is_none() {
        repair_deck(&mut state, &mut search);
    }
    search.into_found(problem)
}

/// The greedy deck; it may break a limit.
pub(super) fn fill_greedily(state: &mut DeckState<'_>, cheapest: &CheapestSums, search: &mut SearchRun<'_>) {
    let rules = state.rules;
    state.reset_to_fixed();
    add_best_pair(state, cheapest);
    while state.size() < rules.most {
        let best = rules
            .candidates
            .iter()
            .copied()
            .filter(|&piece| state.has_room(piece, None) && cheapest.allows_piece(state, piece))
            .max_by_key(|&piece| (state.gain_of_piece(piece), std::cmp::Reverse(piece)));
        let Some(best) = best else { break };
        if state.size() >= rules.least && state.gain_of_piece(best) <= 0 && state.is_within_limits(0) {
            break;
        }
        state.add_piece(best);
        state.choose_leader();
        search.count_step();
    }
}

/// The best pair, if the deck is empty; with its better leader, if anybody may lead.
fn add_best_pair(state: &mut DeckState<'_>, cheapest: &CheapestSums) {
    let rules = state.rules;
    if state.size() > 0 || rules.most < 2 {
        return;
    }
    let pool = rules.problem.pool();
    let table = pool.leaders.as_ref().filter(|_| rules.led).unwrap_or(&pool.pairs);
    let starts = rules.candidates.iter().copied();
    let starts = starts.filter(|&piece| !rules.led || rules.may_lead[piece as usize]);
    let mut best: Option<(i64, u32, u32)> = None;
    for a in starts {
        for (b, score) in table.nonzero_entries(a as usize) {
            let other = b as u32;
            if other == a || rules.capacity[b] == 0 {
                continue;
            }
            let mut value = i64::from(score) + rules.own[a as usize] + rules.own[b];
            if rules.led {
                value += pool.pieces[a as usize].leader_score;
            }
            if best.is_none_or(|(most, ..)| value > most) {
                best = Some((value, a, other));
            }
        }
    }
    if let Some((_, a, b)) = best {
        for piece in [a, b] {
            if state.has_room(piece, None) && cheapest.allows_piece(state, piece) {
                state.add_piece(piece);
            }
        }
    }
    state.choose_leader();
}

/// What the cheapest pieces cost: `sums[resource][n]` is the least that n of them cost together.
pub(super) struct CheapestSums {
    sums: Vec<Vec<i64>>,
}

impl CheapestSums {
    pub(super) fn new(rules: &SearchRules<'_>) -> CheapestSums {
        let sums = rules.costs.iter().map(|costs| {
            let copies = |&piece: &u32| {
                let at = piece as usize;
                let copies = rules.capacity[at].min(rules.most as u32) as usize;
                std::iter::repeat_n(costs[at], copies)
            };
            let mut all: Vec<i64> = rules.candidates.iter().flat_map(copies).collect();
            all.sort_unstable();
            let mut sum = 0;
            let sums = all.into_iter().take(rules.most).map(|cost| {
                sum += cost;
                sum
            });
            std::iter::once(0).chain(sums).collect()
        });
        CheapestSums { sums: sums.collect() }
    }

    /// With this piece, can the cheapest pieces still complete the deck, and are there places for what quotas ask?
    pub(super) fn allows_piece(&self, state: &DeckState<'_>, piece: u32) -> bool {
        let rules = state.rules;
        let at = piece as usize;
        let left = rules.least.saturating_sub(state.size() + 1);
        let affords = |(resource, sums): (usize, &Vec<i64>)| {
            let rest = sums.get(left).or(sums.last()).copied().unwrap_or(0);
            state.cost[resource] + rules.costs[resource][at] + rest <= rules.limits[resource]
        };
        let places = rules.most - state.size() - 1;
        let fills = |(quota, rule): (usize, &super::state::QuotaRule)| {
            let count = state.quota[quota] + i64::from(rule.members[at]);
            count <= rule.at_most && rule.at_least - count <= places as i64
        };
        let leads = !rules.led || places > 0 || state.leader.is_some() || rules.may_lead[at];
        leads && self.sums.iter().enumerate().all(affords) && rules.quotas.iter().enumerate().all(fills)
    }
}

/// A random deck that keeps all limits as far as they are looked at on the way; see [`CheapestSums::allows_piece`].
pub(super) fn fill_randomly(state: &mut DeckState<'_>, cheapest: &CheapestSums, rng: &mut Rng) {
    let rules = state.rules;
    state.reset_to_fixed();
    let mut pieces = rules.candidates.clone();
    rng.shuffle(&mut pieces);
    let size = if rules.least == rules.most {
        rules.most
    } else {
        rules.least + rng.next_index(rules.most - rules.least + 1)
    };
    // Twice, because what did not fit for want of something else may fit later.
    for piece in pieces.iter().chain(&pieces) {
        if state.size() >= size {
            break;
        }
        if state.has_room(*piece, None) && cheapest.allows_piece(state, *piece) {
            state.add_piece(*piece);
        }
    }
    state.choose_leader();
}
