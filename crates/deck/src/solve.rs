//! The solver: the best deck that can be found, with a bound, and a proof where there is time for one.

use std::ops::ControlFlow;

use ishi_rng::Seed;

use crate::answer::{Answer, Status, Work};
use crate::problem::{Deck, Problem, Slot};

/// How to solve.
#[derive(Clone, Debug)]
pub struct Options {
    /// Of what is random in the search; the same seed gives the same answer.
    pub seed: Seed,
    /// Enough is a gap of so many units; 0 asks for a proof.
    pub gap: i64,
    /// Only decks of a larger value than this are of interest.
    pub above: Option<i64>,
}

/// Told now and then; it can stop the work.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The best deck so far.
    pub deck: Option<&'a Deck>,
    /// Its value.
    pub value: Option<i64>,
    /// No deck has a larger value.
    pub bound: Option<i64>,
    /// What it took so far.
    pub work: Work,
}

/// Finds the best deck. `observer` is asked many times a second and at every better deck; on `Break` the best deck so far and an
/// honest bound are the answer.
pub fn solve(
    problem: &Problem,
    _options: &Options,
    observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Answer {
    // The thinnest path: greedy, and the bound of the best partners of every slot.
    let _ = observer(&Progress { deck: None, value: None, bound: None, work: Work::default() });
    let deck = greedy(problem).filter(|deck| problem.check(deck).is_ok());
    let value = deck.as_ref().map(|deck| problem.value(deck));
    let status = if deck.is_some() { Status::Feasible } else { Status::Unknown };
    Answer { status, deck, value, bound: Some(bound(problem)), work: Work::default() }
}

fn greedy(problem: &Problem) -> Option<Deck> {
    let leader = problem.leaders().map(|leaders| leaders[0]);
    let mut chosen: Vec<Slot> = problem.fixed().to_vec();
    if let Some(leader) = leader
        && !chosen.contains(&leader)
    {
        chosen.push(leader);
    }
    while chosen.len() < *problem.size().end() {
        let fits = |slot: Slot| {
            let mut slots = chosen.clone();
            slots.push(slot);
            let deck = Deck::new(slots, leader);
            let limits = problem.limits().iter().enumerate();
            limits.into_iter().all(|(at, limit)| limit.is_none_or(|limit| problem.cost(&deck, at) <= limit))
        };
        let gain = |slot: Slot| {
            problem.score(slot)
                + chosen.iter().map(|&other| i64::from(problem.pair(slot, other))).sum::<i64>()
        };
        let best =
            problem.slots().filter(|&slot| !chosen.contains(&slot) && fits(slot)).max_by_key(|&s| gain(s));
        let Some(best) = best else { break };
        chosen.push(best);
    }
    Some(Deck::new(chosen, leader))
}

fn bound(problem: &Problem) -> i64 {
    let size = *problem.size().end() as i64;
    let tables = [Some(&problem.pool().pairs), problem.pool().leaders.as_ref()];
    let largest = tables.into_iter().flatten().map(|table| i64::from(table.largest())).max().unwrap_or(0);
    let own = problem.slots().map(|slot| problem.score(slot).abs() + problem.leader_score(slot).abs()).max();
    size * (size - 1) / 2 * largest + size * own.unwrap_or(0)
}
