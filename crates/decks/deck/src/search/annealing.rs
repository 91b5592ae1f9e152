//! Simulated annealing, plain: what the article names for longer time limits (section 山登り法で最適化).
//!
//! S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing" (Science 220, 1983).

use ishi_rng::Rng;

use super::climb::{apply_change, climb_from_starts, keeps_limits};
use super::state::DeckState;
use super::{FoundDeck, SearchOptions, SearchRun};
use crate::problem::Problem;
use crate::solve::SolverObserver;

/// Swaps that the first round proposes; each next round proposes twice as many.
const PROPOSALS: u64 = 100_000;

/// Rounds grow no further.
const DOUBLINGS: u64 = 12;

/// The first temperature, as a share of what a member is worth on average.
const HOT: f64 = 0.3;

/// The last temperature, as a share of the first.
const COLD: f64 = 0.01;

/// Proposals that count as one step.
const STEP: u64 = 64;

/// Random swaps that keep all limits; a worse deck is accepted with the chance `exp(difference / temperature)`, and the temperature falls
/// geometrically over a round. [`SearchOptions::starts`] rounds, each twice as long, each from a deck of its own. A step is 64 swaps that are
/// proposed.
///
/// `None` if no deck was found, which is no proof that there is none.
pub fn simulated_annealing(
    problem: &Problem,
    options: &SearchOptions,
    observer: SolverObserver<'_>,
) -> Option<FoundDeck> {
    let mut round = 0;
    climb_from_starts(problem, options, "annealing", observer, &mut |state, search, rng| {
        run_annealing_round(state, search, rng, PROPOSALS << round.min(DOUBLINGS));
        round += 1;
    })
}

fn run_annealing_round(state: &mut DeckState<'_>, search: &mut SearchRun<'_>, rng: &mut Rng, proposals: u64) {
    let candidates = &state.rules.candidates;
    if candidates.is_empty() || state.size() == 0 {
        return;
    }
    let each = state.value().abs().max(1) as f64 / state.size() as f64;
    for proposal in 0..proposals {
        let temperature = each * HOT * COLD.powf(proposal as f64 / proposals as f64);
        let (place, piece) = (rng.next_index(state.size()), candidates[rng.next_index(candidates.len())]);
        let change = (Some(place), Some(piece));
        if state.is_free(place)
            && keeps_limits(state, change, 0)
            && accepts_swap(state, place, piece, temperature, rng)
        {
            apply_change(state, change);
            search.keep_if_best(state);
        }
        if proposal % STEP == 0 {
            search.count_step();
            if search.is_over() {
                return;
            }
        }
    }
}

/// Is this swap accepted? Without the leader, which is found anew after the swap.
fn accepts_swap(state: &DeckState<'_>, place: usize, piece: u32, temperature: f64, rng: &mut Rng) -> bool {
    let member = &state.members[place];
    if state.leader == Some(place) && !state.rules.may_lead[piece as usize] && !other_may_lead(state, place) {
        return false;
    }
    let worth =
        state.gain_of_piece(piece) - i64::from(member.row[piece as usize]) - state.loss_of_member(place);
    worth >= 0 || rng.next_unit() < (worth as f64 / temperature).exp()
}

/// May another member lead?
fn other_may_lead(state: &DeckState<'_>, place: usize) -> bool {
    let may = |at: usize| at != place && state.rules.may_lead[state.members[at].piece as usize];
    (0..state.size()).any(may)
}
