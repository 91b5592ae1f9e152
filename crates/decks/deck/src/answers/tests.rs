//! Every answer against enumeration on tiny pools.

use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::feasible::{DeckRule, Feasibility, InfeasibleReason, explain_feasibility};
use crate::pool::{Piece, PieceGroup, Pool};
use crate::request::{AttributeQuota, DeckRequest, LeaderRule};
use crate::solve::SolverState;
use crate::table::PairScoreTable;

/// A pool and a request that fit together, deck or no deck.
#[derive(Clone, Debug)]
struct Case {
    pool: Arc<Pool>,
    request: DeckRequest,
}

/// Cost, group, bits of attributes, score, copies.
type Card = (i64, Option<usize>, u8, i64, usize);

fn cases() -> impl Strategy<Value = Case> {
    let card = (0i64..12, proptest::option::weighted(0.4, 0usize..2), 0u8..4, -4i64..5, 0usize..3);
    let cards = proptest::collection::vec(card, 4..7);
    let scores = proptest::collection::vec(-9i32..10, 2 * 49);
    let wish = (1usize..4, 0usize..2, proptest::option::of(4i64..30), 0usize..4, 0usize..4, 0usize..4);
    let more = (0u8..3, proptest::collection::vec(0usize..7, 0..3), any::<bool>(), 1usize..3);
    (cards, scores, wish, more).prop_map(|(cards, scores, wish, more)| case(&cards, &scores, wish, &more))
}

fn case(
    cards: &[Card],
    scores: &[i32],
    (least, wider, limit, fire, at_most, ice): (usize, usize, Option<i64>, usize, usize, usize),
    (leader, fixed, own_leaders, group_limit): &(u8, Vec<usize>, bool, usize),
) -> Case {
    let side = cards.len();
    let pieces = cards.iter().enumerate().map(|(at, &(cost, group, bits, score, _))| Piece {
        name: format!("card {at}"),
        costs: vec![cost],
        attributes: (0..2).filter(|bit| bits >> bit & 1 == 1).collect(),
        group,
        score,
        leader_score: score / 2,
    });
    let cell = |a: usize, b: usize| (a as u32, b as u32, scores[a * 7 + b]);
    let pairs: Vec<_> = (0..side).flat_map(|a| (0..=a).map(move |b| cell(a, b))).collect();
    let leaders = (0..side * side).map(|at| scores[49 + at]).collect();
    let pool = Pool {
        pieces: pieces.collect(),
        resources: vec!["cost".into()],
        attributes: vec!["fire".into(), "ice".into()],
        groups: ["one", "two"].map(|name| PieceGroup { name: name.into(), limit: *group_limit }).to_vec(),
        pairs: PairScoreTable::from_symmetric_entries(side, &pairs),
        leaders: own_leaders.then(|| PairScoreTable::from_cells(side, leaders)),
        units: 1.0,
    };
    pool.check_parts().unwrap();
    let id = |at: usize| PieceId(at as u32);
    let mut copies: Vec<usize> = cards.iter().map(|card| card.4).collect();
    copies[0] = copies[0].max(1);
    let mut request = DeckRequest::with_size(least..=least + wider, 1);
    request.limits = vec![limit];
    request.quotas = vec![
        AttributeQuota { attribute: 0, at_least: fire, at_most: None },
        AttributeQuota { attribute: 1, at_least: ice.min(at_most).min(1), at_most: Some(at_most) },
    ];
    request.leader =
        [LeaderRule::None, LeaderRule::Any, LeaderRule::OneOf(vec![id(0)])][*leader as usize].clone();
    for &at in fixed.iter().filter(|&&at| at < side) {
        copies[at] = copies[at].max(1);
        if !request.fixed.contains(&id(at)) {
            request.fixed.push(id(at));
        }
    }
    request.owned = Some((0..side).map(|at| (id(at), copies[at])).collect());
    Case { pool: Arc::new(pool), request }
}

/// All decks that keep all rules, copies in order.
fn all(problem: &Problem) -> Vec<Deck> {
    let slots: Vec<Slot> = problem.slots().collect();
    let in_order = |chosen: &[Slot]| {
        chosen.iter().all(|&slot| {
            let before = slot.0.checked_sub(1).map(Slot);
            before.is_none_or(|before| {
                problem.piece_of(before) != problem.piece_of(slot) || chosen.contains(&before)
            })
        })
    };
    let mut decks = Vec::new();
    for bits in 0u32..1 << slots.len() {
        let chosen: Vec<Slot> = slots.iter().copied().filter(|slot| bits >> slot.0 & 1 == 1).collect();
        if !in_order(&chosen) {
            continue;
        }
        let leaders: Vec<Option<Slot>> = match problem.leaders() {
            None => vec![None],
            Some(leaders) => leaders.iter().copied().filter(|slot| chosen.contains(slot)).map(Some).collect(),
        };
        for leader in leaders {
            let deck = Deck::new(chosen.clone(), leader);
            if problem.check_deck(&deck).is_ok() {
                decks.push(deck);
            }
        }
    }
    decks
}

fn optimum(problem: &Problem) -> Option<i64> {
    all(problem).iter().map(|deck| problem.deck_value(deck)).max()
}

fn go_on(_: &SolverState<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Is there a deck under these rules only?
fn possible(problem: &Problem, rules: &[DeckRule]) -> bool {
    (0u32..1 << problem.len()).any(|bits| {
        let has = |slot: Slot| bits >> slot.0 & 1 == 1;
        let size = bits.count_ones() as usize;
        rules.iter().all(|rule| match *rule {
            DeckRule::AtLeast(least) => size >= least,
            DeckRule::AtMost(most) => size <= most,
            DeckRule::Limit(at) => {
                let cost: i64 =
                    problem.slots().filter(|&slot| has(slot)).map(|slot| problem.costs(slot)[at]).sum();
                cost <= problem.limits()[at].unwrap()
            }
            DeckRule::QuotaAtLeast(at) | DeckRule::QuotaAtMost(at) => {
                let quota = &problem.quotas()[at];
                let count = problem.slots().filter(|&slot| has(slot) && quota.members[slot.index()]).count();
                if matches!(rule, DeckRule::QuotaAtLeast(_)) {
                    count >= quota.at_least
                } else {
                    count <= quota.at_most
                }
            }
            DeckRule::Groups => (0..problem.pool().groups.len()).all(|group| {
                let count =
                    problem.slots().filter(|&slot| has(slot) && problem.group(slot) == Some(group)).count();
                count <= problem.group_limit(group)
            }),
            DeckRule::Fixed(slot) => has(slot),
            DeckRule::Leader => {
                let leaders: Vec<_> =
                    problem.leaders().unwrap().iter().map(|&slot| problem.piece_of(slot)).collect();
                problem.slots().any(|slot| has(slot) && leaders.contains(&problem.piece_of(slot)))
            }
        })
    })
}

/// Is what a reason says true?
fn holds(problem: &Problem, request: &DeckRequest, reason: &InfeasibleReason) -> bool {
    let decks = (0u32..1 << problem.len())
        .map(|bits| problem.slots().filter(|slot| bits >> slot.0 & 1 == 1).collect::<Vec<_>>());
    let with_fixed = |slots: &Vec<Slot>| problem.fixed().iter().all(|slot| slots.contains(slot));
    let cost = |slots: &Vec<Slot>| slots.iter().map(|&slot| problem.costs(slot)[0]).sum::<i64>();
    match reason {
        InfeasibleReason::Conflict(rules) => {
            let spared = (0..rules.len()).all(|at| {
                let fewer = [&rules[..at], &rules[at + 1..]].concat();
                possible(problem, &fewer)
            });
            !possible(problem, rules) && spared
        }
        InfeasibleReason::Cheapest { pieces, cost: stated, limit, .. } => {
            let cheapest =
                decks.filter(|slots| slots.len() == *pieces && with_fixed(slots)).map(|slots| cost(&slots));
            cheapest.min() == Some(*stated) && stated > limit
        }
        InfeasibleReason::CheapestKeeping { cost: stated, limit, .. } => {
            let mut request = request.clone();
            request.limits = vec![None];
            let free = Problem::new(problem.pool().clone(), &request).unwrap();
            let cheapest = all(&free).into_iter().map(|deck| cost(&deck.slots)).min();
            cheapest == Some(*stated) && stated > limit
        }
        InfeasibleReason::FixedCost { cost: stated, limit, fixed, .. } => {
            cost(&problem.fixed().to_vec()) == *stated && stated > limit && *fixed == problem.fixed().len()
        }
        InfeasibleReason::FewPieces { left, least } => {
            let groups = possible(problem, &[DeckRule::Groups, DeckRule::AtLeast(*left)]);
            groups && !possible(problem, &[DeckRule::Groups, DeckRule::AtLeast(left + 1)]) && left < least
        }
        // What they say is that these rules are not to be kept together.
        _ => all(problem).is_empty(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn verdicts_are_right_and_reasons_true(case in cases()) {
        let Ok(problem) = Problem::new(case.pool, &case.request) else { return Ok(()) };
        let found = !all(&problem).is_empty();
        match explain_feasibility(&problem) {
            Feasibility::Feasible => prop_assert!(found),
            Feasibility::Infeasible(reasons) => {
                prop_assert!(!found && !reasons.is_empty());
                for reason in &reasons {
                    prop_assert!(holds(&problem, &case.request, reason), "{reason:?}");
                }
            }
            Feasibility::Undecided => prop_assert!(false, "so small a problem is decided"),
        }
    }

    #[test]
    fn the_best_decks_that_differ(case in cases(), cards in 1usize..4) {
        let Ok(problem) = Problem::new(case.pool, &case.request) else { return Ok(()) };
        let decks = all(&problem);
        let answers = find_best_decks(&problem, 4, cards, Seed::new(1), &mut go_on);
        let mut before: Vec<Deck> = Vec::new();
        for answer in &answers {
            let apart = |deck: &&Deck| before.iter().all(|other| count_missing_cards(&problem, other, deck) >= cards);
            let most = decks.iter().filter(apart).map(|deck| problem.deck_value(deck)).max();
            prop_assert!(answer.bound >= most, "{answer:?} {most:?}");
            if let Some(deck) = &answer.deck {
                prop_assert!(problem.check_deck(deck).is_ok() && apart(&deck));
                prop_assert_eq!(answer.value, Some(problem.deck_value(deck)));
                before.push(deck.clone());
            }
            match answer.status {
                AnswerStatus::Optimal => prop_assert_eq!(answer.value, most),
                AnswerStatus::Infeasible => prop_assert_eq!(most, None),
                // Only copies leave room for doubt.
                _ => prop_assert!(problem.len() > problem.pool().pieces.len() || case.request.owned.iter().flatten().any(|owned| owned.1 > 1)),
            }
        }
        prop_assert!(answers.len() == 4 || answers.last().is_some_and(|answer| answer.deck.is_none()));
    }

    #[test]
    fn the_best_acquisition(case in cases()) {
        let owned = |id: PieceId| case.request.owned.iter().flatten().any(|&(other, copies)| other == id && copies > 0);
        let Ok(found) = find_acquisitions(&case.pool, &case.request, 2, Seed::new(1), &mut go_on) else { return Ok(()) };
        let now = optimum(&Problem::new(case.pool.clone(), &case.request).unwrap());
        prop_assert_eq!(found.now.value, now);
        prop_assert!(found.proved);
        let mut candidates: Vec<bool> = (0..case.pool.pieces.len() as u32).map(|at| !owned(PieceId(at))).collect();
        for at in 0..found.cards.len() {
            candidates[found.cards[at].card.index()] = false;
            let mut first = found.clone();
            first.cards.truncate(at + 1);
            let p = first.limit_to_one_candidate(first.problem.clone(), &candidates);
            let ans = crate::solve_problem(&p, &crate::SolverOptions { seed: Seed::new(1), gap: 0, above: None }, &mut go_on);
            prop_assert_eq!(ans.value, optimum(&p), "SOLVER {:?} {:?} size {:?} limits {:?} leaders {:?} fixed {:?} quotas {:?}", ans, p.pieces(), p.size(), p.limits(), p.leaders(), p.fixed(), p.quotas());
        }
        let mut with: Vec<(i64, PieceId)> = Vec::new();
        for at in 0..case.pool.pieces.len() as u32 {
            let mut request = case.request.clone();
            if owned(PieceId(at)) {
                continue;
            }
            request.owned.as_mut().unwrap().push((PieceId(at), 1));
            let value = optimum(&Problem::new(case.pool.clone(), &request).unwrap());
            with.extend(value.filter(|_| value > now).map(|value| (value, PieceId(at))));
        }
        with.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        let values: Vec<i64> = with.iter().take(2).map(|&(value, _)| value).collect();
        let listed: Vec<i64> = found.cards.iter().map(|card| card.answer.value.unwrap()).collect();
        prop_assert_eq!(listed, values);
        for card in &found.cards {
            prop_assert!(with.contains(&(card.answer.value.unwrap(), card.card)));
        }
    }

    #[test]
    fn the_price_of_a_card(case in cases(), card in 0u32..7) {
        let card = PieceId(card % case.pool.pieces.len() as u32);
        let Ok(found) = explain_card(&case.pool, &case.request, card, Seed::new(1), &mut go_on) else { return Ok(()) };
        let problem = Problem::new(case.pool.clone(), &case.request).unwrap();
        prop_assert_eq!(found.best.value, optimum(&problem));
        let Some(price) = found.price else {
            if found.other.deck.is_none() && !found.is_in {
                prop_assert!(all(&found.other_problem).is_empty());
            }
            return Ok(());
        };
        prop_assert!(found.proved);
        prop_assert_eq!(found.other.value, optimum(&found.other_problem));
        prop_assert_eq!(Some(found.best.value.unwrap() - price), found.other.value);
        let in_other = found.other.deck.as_ref().is_some_and(|deck| count_pieces(&found.other_problem, deck).contains_key(&card));
        let fixed = case.request.fixed.contains(&card);
        prop_assert!(in_other != found.is_in || fixed);
        prop_assert!(found.bindings.iter().all(|binding| binding.price < price));
    }

    #[test]
    fn contributions_are_what_they_say(case in cases()) {
        let Ok(problem) = Problem::new(case.pool, &case.request) else { return Ok(()) };
        let Some(deck) = all(&problem).into_iter().max_by_key(|deck| problem.deck_value(deck)) else { return Ok(()) };
        let value = problem.deck_value(&deck);
        let total: i64 = deck_pairs(&problem, &deck).iter().map(|pair| pair.score).sum();
        let own: i64 = deck.slots.iter().map(|&slot| problem.slot_score(slot)).sum();
        prop_assert_eq!(total + own + deck.leader.map_or(0, |leader| problem.leader_score(leader)), value);
        for card in card_contributions(&problem, &deck) {
            let rest: Vec<Slot> = deck.slots.iter().copied().filter(|&slot| slot != card.slot).collect();
            let leads = deck.leader == Some(card.slot);
            if !leads {
                let smaller = Deck::new(rest.clone(), deck.leader);
                prop_assert_eq!(problem.deck_value(&smaller), value - card.loss);
            }
            let swapped = problem.slots().filter(|&slot| !deck.slots.contains(&slot) && problem.piece_of(slot) != problem.piece_of(card.slot));
            let best = swapped.filter_map(|slot| {
                let leader = if leads { Some(slot) } else { deck.leader };
                let swapped = Deck::new([rest.clone(), vec![slot]].concat(), leader);
                problem.check_deck(&swapped).is_ok().then(|| value - problem.deck_value(&swapped))
            });
            prop_assert_eq!(card.replaced.map(|(_, loss)| loss), best.min());
        }
    }

    #[test]
    fn checking_agrees_with_the_problem(case in cases(), bits in 1u32..64) {
        let pieces: Vec<PieceId> =
            (0..case.pool.pieces.len() as u32).filter(|at| bits >> at & 1 == 1).map(PieceId).collect();
        let Ok(problem) = Problem::new(case.pool.clone(), &case.request) else { return Ok(()) };
        if pieces.is_empty() {
            return Ok(());
        }
        let checked = check_deck(&case.pool, &case.request, &pieces, None).unwrap();
        let mut leaders: Vec<Option<PieceId>> = vec![None];
        leaders.extend(pieces.iter().copied().map(Some));
        let decks = leaders.into_iter().filter_map(|leader| deck_from_pieces(&problem, &pieces, leader));
        let most = decks.filter(|deck| problem.check_deck(deck).is_ok()).map(|deck| problem.deck_value(&deck)).max();
        prop_assert_eq!(checked.faults.is_empty(), most.is_some(), "{:?}", checked.faults);
        if let Some(most) = most {
            prop_assert_eq!(checked.value, most);
        }
    }
}

/// Two wishes for more pieces than a deck has.
#[test]
fn quotas_that_exclude_each_other() {
    let piece =
        |name: &str, attribute| Piece { name: name.into(), attributes: vec![attribute], ..Piece::default() };
    let pool = Pool {
        pieces: (0..8).map(|at| piece(&at.to_string(), at % 2)).collect(),
        resources: vec![],
        attributes: vec!["fire".into(), "ice".into()],
        groups: vec![],
        pairs: PairScoreTable::empty(8),
        leaders: None,
        units: 1.0,
    };
    let mut request = DeckRequest::with_size(4..=4, 0);
    request.quotas =
        [0, 1].map(|attribute| AttributeQuota { attribute, at_least: 3, at_most: None }).to_vec();
    let problem = Problem::new(Arc::new(pool), &request).unwrap();
    let rules = vec![DeckRule::AtMost(4), DeckRule::QuotaAtLeast(0), DeckRule::QuotaAtLeast(1)];
    assert_eq!(
        explain_feasibility(&problem),
        Feasibility::Infeasible(vec![InfeasibleReason::Conflict(rules)])
    );
}
