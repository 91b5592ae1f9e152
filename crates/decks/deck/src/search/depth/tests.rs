use std::ops::ControlFlow;
use std::sync::Arc;

use super::*;
use crate::generate::{DeckWorld, LeaderCase, RequestCase, WorldOptions, worked_example};
use crate::search::{StartDeck, climb_by_swap_chains, hill_climbing};
use crate::solve::SolverState;
use crate::{DeckRequest, PairScoreTable, Piece, PieceId, Pool};

fn go_on(_: &SolverState<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// All readings of the text.
fn readings() -> Vec<VariableDepthOptions> {
    let mut readings = Vec::new();
    for take in [SwapChoice::First, SwapChoice::Best] {
        for order in [SwapTryOrder::Shuffled, SwapTryOrder::Listed, SwapTryOrder::BestFirst] {
            for fresh in [false, true] {
                readings.push(VariableDepthOptions { take, order, fresh, ..VariableDepthOptions::default() });
            }
        }
    }
    readings
}

fn facts(problem: &Problem, deck: &Deck) -> (i64, i64) {
    (problem.deck_value(deck), problem.deck_cost(deck, 0))
}

#[test]
fn the_worked_example_goes_as_the_article_says() {
    let (problem, deck) = worked_example();
    assert_eq!(facts(&problem, &deck), (1500, 200));
    for how in readings() {
        for seed in 0..40 {
            let way = variable_depth_search_step(&problem, &deck, &how, Seed::new(seed)).unwrap();
            let way: Vec<(i64, i64)> = way.iter().map(|deck| facts(&problem, deck)).collect();
            assert_eq!(way, [(1800, 210), (1700, 205), (1600, 200)], "{how:?}, seed {seed}");
        }
    }
}

#[test]
fn all_runs_solve_the_worked_example_and_other_methods_do_not() {
    let (problem, deck) = worked_example();
    let (mut swaps, mut chains) = (0, 0);
    for seed in 0..40 {
        let random = SearchOptions::new(Seed::new(seed));
        let there = SearchOptions { begin: StartDeck::At(deck.clone()), ..random.clone() };
        for (how, options) in readings().iter().flat_map(|how| [(how, &random), (how, &there)]) {
            let found = variable_depth_search(&problem, options, how, &mut go_on).unwrap();
            assert_eq!(facts(&problem, &found.deck), (1600, 200), "{how:?}, seed {seed}");
        }
        let solved = |found: Option<FoundDeck>| usize::from(found.unwrap().value == 1600);
        swaps += solved(hill_climbing(&problem, &there, &mut go_on));
        chains += solved(climb_by_swap_chains(&problem, &there, &mut go_on));
    }
    assert_eq!(swaps, 0, "no single swap leaves 4 x 20 + 12 x 10");
    assert!(chains < 40, "a greedy chain takes ten for ten and is lost: {chains}");
}

/// Two fives for two tens, a twenty for a ten: the twenty that brings most goes with no five.
fn dead_end() -> (Problem, Deck) {
    let costs = [10, 10, 10, 20, 20, 5, 5];
    let piece =
        |(at, &cost): (usize, &i64)| Piece { name: format!("p{at}"), costs: vec![cost], ..Piece::default() };
    let (tens, lure, good, fives) = ([0u32, 1, 2], 3, 4, [5u32, 6]);
    let mut pairs: Vec<(u32, u32, i32)> = vec![(0, 1, 10), (0, 2, 10), (1, 2, 10)];
    pairs.extend(tens.map(|ten| (ten, lure, 40)));
    pairs.extend(tens.map(|ten| (ten, good, 30)));
    pairs.extend(fives.map(|five| (five, good, 20)));
    let pool = Pool {
        pieces: costs.iter().enumerate().map(piece).collect(),
        resources: vec!["cost".into()],
        attributes: vec![],
        groups: vec![],
        pairs: PairScoreTable::from_symmetric_entries(costs.len(), &pairs),
        leaders: None,
        units: 1.0,
    };
    let request = DeckRequest { limits: vec![Some(30)], ..DeckRequest::with_size(3..=3, 1) };
    let problem = Problem::new(Arc::new(pool), &request).unwrap();
    let deck = Deck::new(vec![Slot(0), Slot(1), Slot(2)], None);
    (problem, deck)
}

#[test]
fn a_dead_end_is_left_again() {
    let (problem, deck) = dead_end();
    assert_eq!(facts(&problem, &deck), (30, 30));
    let best_first =
        VariableDepthOptions { order: SwapTryOrder::BestFirst, ..VariableDepthOptions::default() };
    let rules = SearchRules::new(&problem);
    let mut state = DeckState::new(&rules);
    state.set_deck(&deck);
    let mut rng = Seed::new(1).stream("test", 0);
    let step = DepthStep::new(&state, &best_first, &mut rng, 0);
    assert!(step.better_swaps(&state, 0).is_empty());
    let first = step.better_swaps(&state, 10).into_iter().max_by_key(|swap| swap.worth).unwrap();
    assert_eq!(first.change.1, Some(3), "the lure looks best");
    // From the lure, nothing that keeps the limit is better than the start.
    apply_change(&mut state, first.change);
    let only = VariableDepthOptions { depth: 2, ..best_first };
    let mut step = DepthStep { how: &only, start: 30, ..step };
    let mut observer = |_: &SolverState<'_>| ControlFlow::Continue(());
    let mut search = SearchRun::new(u64::MAX, &mut observer);
    assert!(step.descend_level(&mut state, &mut search, 1).is_none());
    for how in readings() {
        let way = variable_depth_search_step(&problem, &deck, &how, Seed::new(3)).unwrap();
        let last = way.last().unwrap();
        assert_eq!(facts(&problem, last), (40, 30), "{how:?}");
        assert!(last.slots.contains(&Slot(4)));
    }
    let found = climb_by_swap_chains(
        &problem,
        &SearchOptions { begin: StartDeck::At(deck), ..SearchOptions::new(Seed::new(1)) },
        &mut go_on,
    );
    assert_eq!(found.unwrap().value, 30, "a greedy chain takes the lure and ends there");
}

/// Is there a better deck by the text's rules? Straight from the text, deck by deck, without tables.
fn reaches(problem: &Problem, deck: &Deck, start: i64, levels: usize) -> bool {
    let swapped = |slack: i64| {
        let mut decks = Vec::new();
        for &out in deck.slots.iter().filter(|&&slot| !problem.is_fixed(slot)) {
            for joins in problem.slots().filter(|slot| !deck.slots.contains(slot)) {
                let mut slots: Vec<Slot> = deck.slots.iter().copied().filter(|&slot| slot != out).collect();
                slots.push(joins);
                let other = Deck::new(slots, None);
                let over = problem.deck_cost(&other, 0) - problem.limits()[0].unwrap();
                let others = match problem.check_deck(&other) {
                    Ok(()) | Err(crate::DeckViolation::Cost(..)) => true,
                    Err(_) => false,
                };
                if others
                    && keeps_but_cost(problem, &other)
                    && over <= slack
                    && problem.deck_value(&other) > start
                {
                    decks.push(other);
                }
            }
        }
        decks
    };
    !swapped(0).is_empty()
        || (levels > 1 && swapped(10).iter().any(|deck| reaches(problem, deck, start, levels - 1)))
}

fn keeps_but_cost(problem: &Problem, deck: &Deck) -> bool {
    let quotas = problem.quotas().iter().all(|quota| {
        let count = deck.slots.iter().filter(|slot| quota.members[slot.index()]).count();
        (quota.at_least..=quota.at_most).contains(&count)
    });
    let groups = |slot: &Slot| {
        problem.group(*slot).is_none_or(|group| {
            let same = deck.slots.iter().filter(|&&other| problem.group(other) == Some(group)).count();
            same <= problem.group_limit(group)
        })
    };
    quotas && deck.slots.iter().all(groups)
}

#[test]
fn a_climb_ends_exactly_where_the_text_has_no_way_on() {
    let options = WorldOptions::with_tiered_costs(60);
    let (mut ends, mut steps) = (0, 0);
    for at in 0..12 {
        let world = DeckWorld::new(Seed::new(at), options.clone());
        let mut request = world.draw_request(
            Seed::new(1),
            at,
            RequestCase { leading: LeaderCase::Nobody, fixed: 1, owned: None },
        );
        (request.size, request.limits) = (5..=5, vec![Some(60)]);
        request.quotas[0].at_least = 3;
        request.owned =
            Some((0..24).map(|at| (PieceId(at), 1)).chain(request.fixed.iter().map(|&id| (id, 1))).collect());
        let problem = Problem::new(Arc::new(world.build_pool()), &request).unwrap();
        for (seed, how) in readings().into_iter().filter(|how| !how.fresh).enumerate() {
            let options = SearchOptions::new(Seed::new(seed as u64));
            let Some(found) = variable_depth_search(&problem, &options, &how, &mut go_on) else { continue };
            assert!(!reaches(&problem, &found.deck, found.value, 3), "{how:?}");
            ends += 1;
            let start = hill_climbing(&problem, &options, &mut go_on).unwrap();
            let step = variable_depth_search_step(&problem, &start.deck, &how, Seed::new(1));
            assert_eq!(step.is_some(), reaches(&problem, &start.deck, start.value, 3), "{how:?}");
            steps += usize::from(step.is_some());
        }
    }
    assert!(ends > 40 && steps > 0, "{ends} ends, {steps} steps out of a trap");
}

#[test]
fn what_is_taken_back_stands_where_it_stood() {
    let world = DeckWorld::new(Seed::new(2), WorldOptions::for_pieces(80));
    for leading in [LeaderCase::Nobody, LeaderCase::Given, LeaderCase::Free] {
        let request = world.draw_request(Seed::new(1), 0, RequestCase { leading, fixed: 2, owned: None });
        let problem = Problem::new(Arc::new(world.build_pool()), &request).unwrap();
        let found = hill_climbing(&problem, &SearchOptions::new(Seed::new(1)), &mut go_on).unwrap();
        let rules = SearchRules::new(&problem);
        let mut state = DeckState::new(&rules);
        state.set_deck(&found.deck);
        let order =
            |state: &DeckState<'_>| -> Vec<u32> { state.members.iter().map(|member| member.piece).collect() };
        let before = (order(&state), state.leader, state.value(), state.gain.clone(), state.cost.clone());
        for place in (0..state.size()).filter(|&place| state.is_free(place)).collect::<Vec<_>>() {
            for &piece in
                rules.candidates.iter().filter(|&&piece| state.has_room(piece, None)).collect::<Vec<_>>()
            {
                let undo = SwapUndo::before_change(&state, (Some(place), Some(piece)));
                apply_change(&mut state, (Some(place), Some(piece)));
                undo.revert_swap(&mut state);
                let after =
                    (order(&state), state.leader, state.value(), state.gain.clone(), state.cost.clone());
                assert_eq!(before, after);
            }
        }
    }
}
