use std::ops::ControlFlow;
use std::sync::Arc;

use ishi_work::continue_unless;
use proptest::prelude::*;

use super::*;
use crate::generate::{DeckWorld, LeaderCase, RequestCase, WorldOptions};
use crate::pool::{Piece, PieceGroup, PieceId, Pool};
use crate::problem::Slot;
use crate::request::{AttributeQuota, DeckRequest, LeaderRule};
use crate::solve::{SolverObserver, SolverState};
use crate::table::PairScoreTable;
use state::SearchRules;

fn go_on(_: &SolverState<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A small pool and request with everything in it, drawn from a seed.
fn small(seed: u64) -> Problem {
    let mut rng = Seed::new(seed).stream("small", 0);
    let side = 6 + rng.next_index(6);
    let score = |rng: &mut ishi_rng::Rng| if rng.chance(0.3) { 0 } else { rng.next_below(41) as i32 - 12 };
    let mut pairs = Vec::new();
    let mut leaders = Vec::new();
    for a in 0..side as u32 {
        for b in 0..side as u32 {
            if a <= b {
                pairs.push((a, b, score(&mut rng)));
            }
            leaders.push((a, b, score(&mut rng)));
        }
    }
    let piece = |at: usize, rng: &mut ishi_rng::Rng| Piece {
        name: format!("p{at}"),
        costs: vec![i64::from(rng.next_below(9)), i64::from(rng.next_below(5))],
        attributes: (0..2).filter(|_| rng.chance(0.5)).collect(),
        group: rng.chance(0.5).then(|| rng.next_index(2)),
        score: i64::from(rng.next_below(11)) - 5,
        leader_score: i64::from(rng.next_below(11)) - 5,
    };
    let pieces = (0..side).map(|at| piece(at, &mut rng)).collect();
    let pool = Pool {
        pieces,
        resources: vec!["a".into(), "b".into()],
        attributes: vec!["x".into(), "y".into()],
        groups: vec![PieceGroup { name: "g".into(), limit: 1 }, PieceGroup { name: "h".into(), limit: 2 }],
        pairs: PairScoreTable::from_symmetric_entries(side, &pairs),
        leaders: rng.chance(0.7).then(|| PairScoreTable::from_entries(side, leaders)),
        units: 1.0,
    };
    pool.check_parts().unwrap();
    let most = 3 + rng.next_index(3);
    let mut request = DeckRequest::with_size(if rng.chance(0.5) { 1 } else { most }..=most, 2);
    if rng.chance(0.7) {
        request.limits[0] = Some(4 * most as i64 + i64::from(rng.next_below(6)));
    }
    if rng.chance(0.3) {
        request.limits[1] = Some(2 * most as i64 + 2);
    }
    if rng.chance(0.5) {
        request.quotas.push(AttributeQuota { attribute: 0, at_least: 1 + rng.next_index(2), at_most: None });
    }
    if rng.chance(0.3) {
        request.quotas.push(AttributeQuota { attribute: 1, at_least: 0, at_most: Some(2) });
    }
    request.leader = match rng.next_index(3) {
        0 => LeaderRule::None,
        1 => LeaderRule::Any,
        _ => LeaderRule::OneOf(vec![PieceId(rng.next_index(side) as u32), PieceId(0)]),
    };
    if rng.chance(0.5) {
        request.owned = Some((0..side as u32).map(|at| (PieceId(at), 1 + rng.next_index(2))).collect());
    }
    if rng.chance(0.4) {
        request.fixed = vec![PieceId(rng.next_index(side) as u32)];
    }
    Problem::new(Arc::new(pool), &request).unwrap()
}

/// The best of all decks.
fn brute_force(problem: &Problem) -> Option<i64> {
    let mut best = None;
    for bits in 0u32..1 << problem.len() {
        if !problem.size().contains(&(bits.count_ones() as usize)) {
            continue;
        }
        let slots: Vec<Slot> = problem.slots().filter(|slot| bits >> slot.0 & 1 == 1).collect();
        let leaders: Vec<Option<Slot>> = match problem.leaders() {
            None => vec![None],
            Some(_) => slots.iter().copied().map(Some).collect(),
        };
        for leader in leaders {
            let deck = Deck::new(slots.clone(), leader);
            if problem.check_deck(&deck).is_ok() {
                best = best.max(Some(problem.deck_value(&deck)));
            }
        }
    }
    best
}

fn all(problem: &Problem, options: &SearchOptions) -> Vec<Option<FoundDeck>> {
    vec![
        greedy_construction(problem, options, &mut go_on),
        hill_climbing(problem, options, &mut go_on),
        variable_depth_search(problem, options, &VariableDepthOptions::default(), &mut go_on),
        tabu_search(problem, options, &mut go_on),
        climb_by_swap_chains(problem, options, &mut go_on),
        simulated_annealing(problem, options, &mut go_on),
    ]
}

/// Numbers from 2^63 on do not become negative ones, which every deck would keep.
#[test]
fn a_quota_that_is_beyond_all_numbers_is_kept_by_no_deck() {
    let options = SearchOptions { starts: 3, steps: 200, ..SearchOptions::new(Seed::new(5)) };
    for at_least in [1 << 63, usize::MAX] {
        for seed in 0..20 {
            let problem = small(seed);
            let problem = problem.with_quota("many", vec![true; problem.len()], at_least, usize::MAX);
            assert!(all(&problem, &options).iter().all(Option::is_none), "seed {seed}");
        }
    }
}

#[test]
fn the_best_of_all_decks_is_found() {
    let mut options = SearchOptions::new(Seed::new(5));
    (options.starts, options.steps) = (20, 2_000);
    let (mut decks, mut missed) = (0, 0);
    for seed in 0..150 {
        let problem = small(seed);
        if problem.len() > 15 {
            continue;
        }
        let best = brute_force(&problem);
        for found in all(&problem, &options) {
            if let Some(found) = &found {
                assert_eq!(problem.check_deck(&found.deck), Ok(()), "seed {seed}");
                assert_eq!(problem.deck_value(&found.deck), found.value, "seed {seed}");
                assert!(Some(found.value) <= best);
            }
        }
        let ours = tabu_search(&problem, &options, &mut go_on).map(|found| found.value);
        decks += usize::from(best.is_some());
        if ours != best {
            missed += 1;
        }
    }
    assert!(decks > 60, "{decks} problems with a deck");
    assert_eq!(missed, 0, "of {decks} problems");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn gains_kept_up_to_date_are_gains_counted_afresh(seed in 0u64..10_000, walk in 0u64..1_000) {
        let problem = small(seed);
        let rules = SearchRules::new(&problem);
        let mut state = DeckState::new(&rules);
        let mut rng = Seed::new(walk).stream("walk", 0);
        for _ in 0..30 {
            let place = (state.size() > 0).then(|| rng.next_index(state.size()));
            match place {
                Some(place) if rng.chance(0.45) && state.is_free(place) => state.remove_member(place),
                _ => {
                    let piece = rng.next_index(rules.pieces) as u32;
                    if state.has_room(piece, None) && state.size() < rules.most {
                        state.add_piece(piece);
                    }
                }
            }
            state.choose_leader();
            let deck = state.to_deck();
            prop_assert_eq!(state.value(), problem.deck_value(&deck));
            // What is fixed may break a group's limit by itself; `SearchRun::into_found` looks at that. A broken limit of a group
            // is named before quotas and the leader, so that nothing is known of these then.
            match problem.check_deck(&deck) {
                Err(crate::DeckViolation::Group(..)) => {}
                found => prop_assert_eq!(state.is_feasible(), found.is_ok()),
            }
            check_gains(&problem, &state);
        }
    }
}

/// Whatever joins or leaves changes the value by what the tables say.
fn check_gains(problem: &Problem, state: &DeckState<'_>) {
    let deck = state.to_deck();
    let value = problem.deck_value(&deck);
    for slot in problem.slots().filter(|slot| deck.slots.binary_search(slot).is_err()) {
        let mut slots = deck.slots.clone();
        slots.push(slot);
        let with = problem.deck_value(&Deck::new(slots, deck.leader));
        assert_eq!(with - value, state.gain_of_piece(problem.piece_of(slot).0));
    }
    for place in (0..state.size()).filter(|&place| state.leader != Some(place)) {
        let piece = state.members[place].piece;
        let copies = |slot: &&Slot| problem.piece_of(**slot).0 == piece && Some(**slot) != deck.leader;
        let Some(&slot) = deck.slots.iter().rfind(copies) else { continue };
        let slots = deck.slots.iter().copied().filter(|&other| other != slot).collect();
        let without = problem.deck_value(&Deck::new(slots, deck.leader));
        assert_eq!(value - without, state.loss_of_member(place));
    }
}

#[test]
fn ours_is_best_on_a_generated_world() {
    let world = DeckWorld::new(Seed::new(11), WorldOptions::for_pieces(400));
    let pool = Arc::new(world.build_pool());
    for (index, leading) in [LeaderCase::Nobody, LeaderCase::Given, LeaderCase::Free].into_iter().enumerate()
    {
        let case = RequestCase { leading, fixed: index, owned: None };
        let request = world.draw_request(Seed::new(2), index as u64, case);
        let problem = Problem::new(Arc::clone(&pool), &request).unwrap();
        let options = SearchOptions { steps: 4_000, ..SearchOptions::new(Seed::new(1)) };
        let found: Vec<i64> = all(&problem, &options).into_iter().map(|found| found.unwrap().value).collect();
        let again = tabu_search(&problem, &options, &mut go_on).unwrap();
        assert_eq!(again.value, found[3]);
        assert!(found.iter().all(|&other| other <= found[3]), "{found:?}");
        let better = improve_deck(&problem, &again.deck).unwrap();
        assert!(better.value >= again.value);
    }
}

/// One deck is possible, so no climb ever takes a step: the observer ends the search all the same.
#[test]
fn climbs_without_a_step_stop_when_they_are_told_to() {
    let (problem, deck) = crate::generate::worked_example();
    let owned = deck.slots.iter().map(|&slot| (problem.piece_of(slot), 1)).collect();
    let request =
        DeckRequest { limits: vec![Some(200)], owned: Some(owned), ..DeckRequest::with_size(16..=16, 1) };
    let problem = Problem::new(Arc::clone(problem.pool()), &request).unwrap();
    let options = SearchOptions { steps: u64::MAX, starts: u64::MAX, ..SearchOptions::new(Seed::new(1)) };
    type Method = fn(&Problem, &SearchOptions, SolverObserver<'_>) -> Option<FoundDeck>;
    let article: Method = |problem, options, observer| {
        variable_depth_search(problem, options, &VariableDepthOptions::default(), observer)
    };
    for method in [hill_climbing as Method, climb_by_swap_chains, article] {
        let mut asked = 0;
        let mut stop = |_: &SolverState<'_>| {
            asked += 1;
            continue_unless(asked > 50)
        };
        assert_eq!(method(&problem, &options, &mut stop).unwrap().value, 1500);
    }
}

#[test]
fn a_search_stops_when_it_is_told_to() {
    let world = DeckWorld::new(Seed::new(1), WorldOptions::for_pieces(100));
    let request = world.draw_request(
        Seed::new(1),
        0,
        RequestCase { leading: LeaderCase::Nobody, fixed: 0, owned: None },
    );
    let problem = Problem::new(Arc::new(world.build_pool()), &request).unwrap();
    let mut asked = 0;
    let mut stop = |progress: &SolverState<'_>| {
        asked += 1;
        continue_unless(progress.work.moves > 60)
    };
    let options = SearchOptions { steps: u64::MAX, ..SearchOptions::new(Seed::new(1)) };
    let found = tabu_search(&problem, &options, &mut stop).unwrap();
    assert!(found.moves < 200 && asked > 0);
}
