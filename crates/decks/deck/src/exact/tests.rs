//! Against brute force.

use std::ops::ControlFlow;
use std::sync::Arc;

use ishi_rng::Rng;
use ishi_work::continue_unless;
use proptest::prelude::*;

use super::frame::{ProofFrame, TableView};
use super::potential_factor;
use super::rounds::{BoundRounds, take_moves};
use super::search::ProofSearch;
use super::wide::TableBounds;
use crate::pool::{Piece, PieceGroup};
use crate::request::{AttributeQuota, LeaderRule};
use crate::solve::SolverState;
use crate::{
    AnswerStatus, Deck, DeckRequest, PairScoreTable, PieceId, Pool, Problem, Slot, SolverOptions,
    solve_problem,
};

/// The value of the best deck, by looking at every deck.
fn brute(problem: &Problem) -> Option<i64> {
    let n = problem.len();
    let mut best = None;
    for bits in 0u32..1 << n {
        let slots: Vec<Slot> = (0..n as u32).filter(|at| bits >> at & 1 == 1).map(Slot).collect();
        let leaders: Vec<Option<Slot>> = match problem.leaders() {
            None => vec![None],
            Some(_) => slots.iter().map(|&slot| Some(slot)).collect(),
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

fn options() -> SolverOptions {
    SolverOptions { seed: "1".parse().unwrap(), gap: 0, above: None }
}

fn check(problem: &Problem) {
    let answer = solve_problem(problem, &options(), &mut |_| ControlFlow::Continue(()));
    let best = brute(problem);
    assert_eq!(answer.value, best);
    match &answer.deck {
        Some(deck) => {
            assert_eq!(problem.check_deck(deck), Ok(()));
            assert_eq!((answer.status, answer.bound), (AnswerStatus::Optimal, best));
        }
        None => assert_eq!(answer.status, AnswerStatus::Infeasible),
    }
    // Stopped at any time, the bound holds.
    for asked in [1, 2, 5] {
        let mut left = asked;
        let answer = solve_problem(problem, &options(), &mut |_| {
            left -= 1;
            continue_unless(left <= 0)
        });
        if let Some(best) = best {
            assert!(answer.bound.is_some_and(|bound| bound >= best), "{answer:?} against {best}");
            assert!(answer.status != AnswerStatus::Optimal || answer.value == Some(best));
        }
    }
}

/// Scores of 24 pieces with each other.
fn random_cells(rng: &mut Rng) -> Vec<i32> {
    (0..24 * 24).map(|_| rng.next_below(160) as i32 - 60).collect()
}

/// 24 pieces that are worth something in pairs only.
fn pool_of_pairs(rng: &mut Rng) -> Pool {
    let piece = |at: usize| Piece { name: at.to_string(), ..Piece::default() };
    Pool {
        pieces: (0..24).map(piece).collect(),
        resources: Vec::new(),
        attributes: Vec::new(),
        groups: Vec::new(),
        pairs: symmetric(24, &random_cells(rng), 10),
        leaders: None,
        units: 1.0,
    }
}

/// What a proof takes is told before it is taken, and is not told any more when it was given back. Who stops there has a bound that holds.
#[test]
fn memory_is_told_before_it_is_taken() {
    let mut rng = options().seed.stream("pairs", 0);
    let pool = pool_of_pairs(&mut rng);
    let problem = Problem::new(Arc::new(pool), &DeckRequest::with_size(6..=6, 0)).unwrap();
    let solve_within = |most: usize| {
        let mut peak = 0;
        let answer = solve_problem(&problem, &options(), &mut |state| {
            peak = state.bytes.max(peak);
            continue_unless(state.bytes > most)
        });
        (answer, peak)
    };
    let (whole, peak) = solve_within(usize::MAX);
    assert_eq!(whole.status, AnswerStatus::Optimal);
    // The lists of partners are the least. More than a way down to the last piece is never held at once.
    assert!(peak > 4 * 24 * 23 && peak < 200_000, "{peak} bytes, {:?}", whole.work);
    assert_eq!(solve_within(peak).0, whole);
    for most in [0, peak / 2, peak - 1] {
        let (less, _) = solve_within(most);
        assert!(less.status != AnswerStatus::Optimal && less.bound >= whole.value, "{most} bytes: {less:?}");
        assert!(less.bound.is_some_and(|bound| bound < 100_000), "{less:?}: a bound of any deck of six");
    }
}

/// Groups of leaders give back no more memory than was taken for them, and whoever stops them has a bound that holds.
#[test]
fn memory_of_leaders_is_told_and_given_back() {
    let mut rng = options().seed.stream("leaders", 0);
    let pairs = pool_of_pairs(&mut rng);
    let pool = Pool { leaders: Some(PairScoreTable::from_cells(24, random_cells(&mut rng))), ..pairs };
    let request = DeckRequest { leader: LeaderRule::Any, ..DeckRequest::with_size(6..=6, 0) };
    let problem = Problem::new(Arc::new(pool), &request).unwrap();
    let solve_within = |most: usize| {
        let (mut told, mut peak) = (Vec::new(), 0);
        let answer = solve_problem(&problem, &options(), &mut |state| {
            peak = state.bytes.max(peak);
            told.push(state.bytes);
            continue_unless(state.bytes > most)
        });
        (answer, told, peak)
    };
    let (whole, told, peak) = solve_within(usize::MAX);
    assert_eq!(whole.status, AnswerStatus::Optimal);
    let view = told[0];
    assert!(told.iter().all(|&bytes| bytes >= view), "{view}: no more is given back than was taken");
    assert_eq!(solve_within(peak).0, whole);
    for most in [0, view, peak / 2] {
        let (less, ..) = solve_within(most);
        assert!(less.bound >= whole.value, "{most} bytes: {less:?}");
    }
}

/// Moves are counted as they are, whatever was counted before.
#[test]
fn moves_of_steps_are_taken_once() {
    let mut rng = options().seed.stream("moves", 0);
    let pool = pool_of_pairs(&mut rng);
    let problem = Problem::new(Arc::new(pool), &DeckRequest::with_size(6..=6, 0)).unwrap();
    let (settings, mut told) = (options(), Vec::new());
    let mut observer = |state: &SolverState<'_>| {
        told.push(state.bytes);
        ControlFlow::Continue(())
    };
    let view = TableView::new(&problem);
    let frame = ProofFrame::new(&view, None).unwrap();
    let mut search = ProofSearch::new(&problem, potential_factor(&problem), &settings, &mut observer);
    let mut wide = TableBounds::new(&frame, search.factor, None);
    let _ = BoundRounds::new(&wide, i64::MAX).run_round(&mut wide, &mut search);
    let mut moved = 0;
    assert!(take_moves(&wide, &mut moved, &mut search) && take_moves(&wide, &mut moved, &mut search));
    assert!(moved > 0 && moved == wide.bytes_of_moves());
    drop(search);
    assert_eq!(told.last(), Some(&moved));
}

fn symmetric(n: usize, cells: &[i32], density: i32) -> PairScoreTable {
    let mut entries = Vec::new();
    for a in 0..n {
        for b in 0..a {
            let score = cells[a * n + b];
            if score.rem_euclid(10) < density {
                entries.push((a as u32, b as u32, score));
            }
        }
    }
    PairScoreTable::from_symmetric_entries(n, &entries)
}

/// Everything that a problem may have, small.
fn problems() -> impl Strategy<Value = Problem> {
    (2usize..10, 0usize..3, 0usize..5, any::<bool>())
        .prop_flat_map(|(n, resources, attributes, signed)| {
            let low = if signed { -60 } else { 0 };
            let cells = prop::collection::vec(low..100i32, n * n);
            let leads = prop::option::of(prop::collection::vec(low..100i32, n * n));
            let pieces = prop::collection::vec(
                (
                    prop::collection::vec(0i64..20, resources),
                    prop::collection::vec(any::<bool>(), attributes),
                    prop::option::of(0usize..3),
                    low as i64..40,
                    low as i64..40,
                ),
                n,
            );
            let limits = prop::collection::vec(prop::option::of(5i64..80), resources);
            let quotas = prop::collection::vec((0usize..3, prop::option::of(0usize..5)), attributes);
            let sizes = (1usize..6, 0usize..4);
            let asked = (0u8..3, prop::collection::vec(0..n, 0..3), 0i32..11, 1usize..3, any::<bool>());
            (cells, leads, pieces, limits, quotas, sizes, asked).prop_map(
                move |(
                    cells,
                    leads,
                    pieces,
                    limits,
                    quotas,
                    (least, more),
                    (leader, fixed, density, limit, copies),
                )| {
                    let pieces = pieces.into_iter().enumerate();
                    let piece = |(at, (costs, has, group, score, leader_score)): (
                        usize,
                        (Vec<i64>, Vec<bool>, _, _, _),
                    )| Piece {
                        name: at.to_string(),
                        costs,
                        attributes: (0..attributes).filter(|&attribute| has[attribute]).collect(),
                        group,
                        score,
                        leader_score,
                    };
                    let pool = Pool {
                        pieces: pieces.map(piece).collect(),
                        resources: (0..resources).map(|at| format!("r{at}")).collect(),
                        attributes: (0..attributes).map(|at| format!("a{at}")).collect(),
                        groups: (0..3)
                            .map(|at| PieceGroup { name: format!("g{at}"), limit: limit + at })
                            .collect(),
                        pairs: symmetric(n, &cells, density),
                        leaders: leads.map(|cells| PairScoreTable::from_cells(n, cells)),
                        units: 1.0,
                    };
                    pool.check_parts().unwrap();
                    let mut request = DeckRequest::with_size(least..=least + more, resources);
                    request.limits = limits;
                    let quota = |(attribute, (at_least, more)): (usize, (usize, Option<usize>))| {
                        AttributeQuota { attribute, at_least, at_most: more.map(|more| at_least + more) }
                    };
                    request.quotas = quotas.into_iter().enumerate().map(quota).collect();
                    request.leader = match leader {
                        0 => LeaderRule::None,
                        1 => LeaderRule::Any,
                        _ => LeaderRule::OneOf(vec![PieceId(0), PieceId(n as u32 - 1)]),
                    };
                    let mut fixed = fixed;
                    fixed.sort_unstable();
                    fixed.dedup();
                    request.fixed = fixed.into_iter().map(|at| PieceId(at as u32)).collect();
                    if copies {
                        let count = |at: usize| (PieceId(at as u32), if at < 3 { 2 } else { 1 });
                        request.owned = Some((0..n).map(count).collect());
                    }
                    Problem::new(Arc::new(pool), &request)
                },
            )
        })
        .prop_filter_map("the request makes sense", Result::ok)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn as_good_as_brute_force(problem in problems()) {
        check(&problem);
    }
}

/// The quotas that make classes may be others once the leader is decided: its own needs are met then.
#[test]
fn classes_may_differ_under_a_leader() {
    let piece = |(at, (attributes, group, score)): (usize, (&[usize], Option<usize>, i64))| Piece {
        name: at.to_string(),
        costs: Vec::new(),
        attributes: attributes.to_vec(),
        group,
        score,
        leader_score: score / 2,
    };
    let pieces: [(&[usize], Option<usize>, i64); 6] = [
        (&[], Some(0), 0),
        (&[0, 1], Some(0), 4),
        (&[1, 2], None, 0),
        (&[3], None, 0),
        (&[3], None, 0),
        (&[2], Some(0), 0),
    ];
    let pool = Pool {
        pieces: pieces.into_iter().enumerate().map(piece).collect(),
        resources: Vec::new(),
        attributes: (0..4).map(|at| at.to_string()).collect(),
        groups: vec![PieceGroup { name: "g".into(), limit: 2 }],
        pairs: PairScoreTable::from_symmetric_entries(6, &[(1, 5, 1)]),
        leaders: None,
        units: 1.0,
    };
    let mut request = DeckRequest::with_size(3..=3, 0);
    let quota = |attribute, at_least, at_most| AttributeQuota { attribute, at_least, at_most };
    request.quotas =
        vec![quota(0, 1, None), quota(1, 0, Some(2)), quota(2, 0, Some(1)), quota(3, 0, Some(0))];
    request.leader = LeaderRule::Any;
    check(&Problem::new(Arc::new(pool), &request).unwrap());
}
