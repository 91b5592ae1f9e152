//! The models against every deck of small problems.

use std::sync::Arc;

use ishi_rng::{Rng, Seed};
use proptest::prelude::*;

use super::*;
use crate::pool::{Piece, PieceGroup, PieceId, Pool};
use crate::request::{AttributeQuota, DeckRequest, LeaderRule};
use crate::table::PairScoreTable;

/// A small problem in which everything that a problem can have happens now and then.
fn problem(seed: u64) -> Option<Problem> {
    let mut rng: Rng = Seed::new(seed).stream("models", 0);
    let mut below = |most: u32| rng.next_below(most) as i64;
    let pieces = 4 + below(3) as usize;
    let (resources, attributes) = (below(3) as usize, 2);
    let signed = below(2) == 1;
    let mut score = |rate: u32| match below(rate) {
        0 => 0,
        _ => below(40) as i32 - if signed { 15 } else { 0 },
    };
    let mut pairs = Vec::new();
    let mut leads = Vec::new();
    for a in 0..pieces as u32 {
        for b in 0..pieces as u32 {
            leads.push((a, b, score(4)));
            if a <= b {
                pairs.push((a, b, score(3)));
            }
        }
    }
    let piece = |at: usize, below: &mut dyn FnMut(u32) -> i64| Piece {
        name: format!("piece {at}"),
        costs: (0..resources).map(|_| below(9)).collect(),
        attributes: (0..attributes).filter(|_| below(2) == 1).collect(),
        group: (below(2) == 1).then_some(0),
        score: below(20) - 8,
        leader_score: below(20) - 8,
    };
    let list = (0..pieces).map(|at| piece(at, &mut below)).collect();
    let pool = Pool {
        pieces: list,
        resources: (0..resources).map(|at| format!("r{at}")).collect(),
        attributes: vec!["red".into(), "blue".into()],
        groups: vec![PieceGroup { name: "same".into(), limit: 1 + below(2) as usize }],
        pairs: PairScoreTable::from_symmetric_entries(pieces, &pairs),
        leaders: (below(2) == 1).then(|| PairScoreTable::from_entries(pieces, leads)),
        units: 10.0,
    };
    pool.check_parts().unwrap();
    let least = 2 + below(2) as usize;
    let most = least + below(3) as usize % 2;
    let mut request = DeckRequest::with_size(least..=most, resources);
    request.limits = (0..resources).map(|_| (below(3) > 0).then(|| 8 + below(16))).collect();
    let id = |below: &mut dyn FnMut(u32) -> i64| PieceId(below(pieces as u32) as u32);
    if below(2) == 1 {
        let at_most = (below(2) == 1).then_some(2);
        request.quotas.push(AttributeQuota { attribute: 0, at_least: below(2) as usize, at_most });
    }
    if below(2) == 1 {
        request.owned = Some((0..pieces as u32).map(|at| (PieceId(at), 1 + below(2) as usize)).collect());
    }
    if below(3) == 1 {
        request.fixed.push(id(&mut below));
    }
    request.leader = match below(3) {
        0 => LeaderRule::None,
        1 => LeaderRule::Any,
        _ => LeaderRule::OneOf(vec![id(&mut below), id(&mut below)]),
    };
    Problem::new(Arc::new(pool), &request).ok()
}

/// All decks that keep the rules, by trying all sets of slots.
pub(crate) fn decks(problem: &Problem) -> Vec<Deck> {
    let sets = 0..1u32 << problem.len();
    let slots = |set: u32| problem.slots().filter(|slot| set >> slot.0 & 1 == 1).collect::<Vec<_>>();
    let decks = sets.map(slots).flat_map(|slots| {
        let leaders: Vec<Option<Slot>> = match problem.leaders() {
            None => vec![None],
            Some(_) => slots.iter().map(|&slot| Some(slot)).collect(),
        };
        leaders.into_iter().map(move |leader| Deck::new(slots.clone(), leader))
    });
    decks.filter(|deck| problem.check_deck(deck).is_ok()).collect()
}

proptest! {
    /// Every deck is a solution of every model, and its objective there is its value.
    #[test]
    fn every_deck_is_a_solution(seed: u64) {
        let Some(problem) = problem(seed) else { return Ok(()) };
        for formulation in Formulation::ALL {
            let model = LinearModel::new(&problem, formulation).unwrap();
            for deck in decks(&problem) {
                let values = model.solution_of_deck(&problem, &deck);
                prop_assert_eq!(model.first_violated_row(&values), None, "{} {:?}", formulation, deck);
                prop_assert_eq!(model.objective_value(&values), problem.deck_value(&deck), "{} {:?}", formulation, deck);
                let ones: Vec<String> =
                    (0..values.len()).filter(|&at| values[at] == 1).map(|at| model.variable_name(at)).collect();
                let again = model.deck_of_solution(|name| ones.iter().any(|one| one == name));
                prop_assert_eq!(problem.deck_value(&again), problem.deck_value(&deck));
                prop_assert_eq!(problem.check_deck(&again), Ok(()));
            }
        }
    }

    /// What is no deck breaks a row: no choice of the other variables is better than the best that its roles allow.
    #[test]
    fn what_is_no_deck_breaks_a_row(seed: u64) {
        let Some(problem) = problem(seed) else { return Ok(()) };
        let model = LinearModel::new(&problem, Formulation::Article).unwrap();
        for set in 0..1u32 << problem.len() {
            let slots: Vec<Slot> = problem.slots().filter(|slot| set >> slot.0 & 1 == 1).collect();
            let mut leaders = vec![None];
            leaders.extend(problem.leaders().unwrap_or_default().iter().map(|&slot| Some(slot)));
            for leader in leaders {
                let deck = Deck::new(slots.clone(), leader);
                let legal = problem.check_deck(&deck).is_ok();
                let in_order = with_first_copies(&problem, &deck) == deck;
                let led = leader.is_none_or(|slot| slots.contains(&slot));
                if legal || !in_order || !led {
                    continue;
                }
                let values = model.solution_of_deck(&problem, &deck);
                prop_assert!(model.first_violated_row(&values).is_some(), "{:?}", deck);
            }
        }
    }

    /// The constants of the compact form are never less than what a deck makes of a row: this is what makes it exact.
    #[test]
    fn products_are_pressed_from_above(seed: u64) {
        let Some(problem) = problem(seed) else { return Ok(()) };
        for formulation in Formulation::ALL {
            let model = LinearModel::new(&problem, formulation).unwrap();
            for deck in decks(&problem) {
                let values = model.solution_of_deck(&problem, &deck);
                for (at, meaning) in model.variables.iter().enumerate() {
                    let role = matches!(meaning, VariableMeaning::In(_) | VariableMeaning::Leads(_));
                    let coefficient = model.objective[at];
                    if role || coefficient == 0 {
                        continue;
                    }
                    let mut better = values.clone();
                    better[at] += coefficient.signum();
                    let outside = !matches!(meaning, VariableMeaning::Row(_) | VariableMeaning::LeaderRow(_))
                        && !(0..=1).contains(&better[at]);
                    prop_assert!(outside || model.first_violated_row(&better).is_some(), "{} {}", formulation, meaning);
                }
            }
        }
    }
}

fn example() -> Problem {
    let piece = |name: &str, cost: i64| Piece { name: name.into(), costs: vec![cost], ..Piece::default() };
    let pool = Pool {
        pieces: vec![piece("Ant", 3), piece("Bee", 4), piece("Cat", 5)],
        resources: vec!["cost".into()],
        attributes: vec![],
        groups: vec![],
        pairs: PairScoreTable::from_symmetric_entries(3, &[(0, 1, 7), (1, 2, -2)]),
        leaders: None,
        units: 1.0,
    };
    let mut request = DeckRequest::with_size(2..=2, 1);
    request.limits = vec![Some(9)];
    Problem::new(Arc::new(pool), &request).unwrap()
}

#[test]
fn the_texts_are_these() {
    let model = LinearModel::new(&example(), Formulation::Article).unwrap();
    let lp = "\\ A deck, article formulation: 5 variables, 5 rows.\n\\ x1: Ant\n\\ x2: Bee\n\\ x3: Cat\nMaximize\n obj: \
              0 x1 + 0 x2 + 0 x3 + 7 y1_2 - 2 y2_3\nSubject To\n size: x1 + x2 + x3 = 2\n cost_1: 3 x1 + 4 x2 + 5 x3 <= 9\n \
              a_1_2: y1_2 - x1 <= 0\n b_1_2: y1_2 - x2 <= 0\n both_2_3: x2 + x3 - y2_3 <= 1\nBounds\nBinary\n x1\n x2\n x3\n \
              y1_2\n y2_3\nEnd\n";
    assert_eq!(model.to_lp(), lp);
    let mps = model.to_mps();
    assert!(mps.contains("ROWS\n N obj\n E size\n L cost_1\n L a_1_2\n"), "{mps}");
    assert!(mps.contains(" y1_2 obj -7\n y1_2 a_1_2 1\n y1_2 b_1_2 1\n y2_3 obj 2\n"), "{mps}");
    assert!(mps.contains(" rhs size 2\n rhs cost_1 9\n rhs both_2_3 1\n"), "{mps}");
    let opb = model.to_opb().unwrap();
    assert!(opb.starts_with("* #variable= 5 #constraint= 5\n* x1 = x1\n"), "{opb}");
    assert!(
        opb.contains("min: -7 x4 +2 x5 ;\n+1 x1 +1 x2 +1 x3 = 2 ;\n-3 x1 -4 x2 -5 x3 >= -9 ;\n"),
        "{opb}"
    );
}

#[test]
fn the_compact_form_has_a_row_a_piece() {
    let model = LinearModel::new(&example(), Formulation::Compact).unwrap();
    assert_eq!((model.variable_count(), model.row_count()), (6, 8));
    let lp = model.to_lp();
    // Halves of 7 with the odd unit in the first row, and of -2; Ant and Bee cost 7 of 9.
    assert!(lp.contains(" best_row_1: z1 - 4 x1 <= 0\n row_1: z1 - 4 x2 <= 0\n"), "{lp}");
    assert!(lp.contains(" row_2: z2 - 3 x1 + x3"), "{lp}");
    assert!(lp.contains("Bounds\n z1 free\n z2 free\n z3 free\nBinary\n x1\n"), "{lp}");
    assert_eq!(model.to_opb(), Err(LinearModelError::Real));
}

#[test]
fn the_strong_form_multiplies_the_rules() {
    let lp = LinearModel::new(&example(), Formulation::Strong).unwrap().to_lp();
    assert!(lp.contains(" size_with_1: y1_2 - x1 <= 0\n cost_with_1_1: 4 y1_2 - 6 x1 <= 0\n"), "{lp}");
    assert!(lp.contains(" least_with_2: y1_2 + y2_3 - x2 >= 0\n"), "{lp}");
    assert!(lp.contains(" a_2_3: y2_3 - x2 <= 0\n"), "{lp}");
}

#[test]
fn what_is_too_large_is_refused() {
    let pieces = (0..4000).map(|at| Piece { name: at.to_string(), ..Piece::default() }).collect();
    let pool = Pool {
        pieces,
        resources: vec![],
        attributes: vec![],
        groups: vec![],
        pairs: PairScoreTable::from_cells(4000, vec![1; 16_000_000]),
        leaders: None,
        units: 1.0,
    };
    let mut request = DeckRequest::with_size(16..=16, 0);
    request.leader = LeaderRule::Any;
    let problem = Problem::new(Arc::new(pool), &request).unwrap();
    let error = LinearModel::new(&problem, Formulation::Strong).unwrap_err().to_string();
    assert!(error.starts_with("the strong formulation has about 144"), "{error}");
}

#[test]
fn formulations_have_words() {
    for formulation in Formulation::ALL {
        assert_eq!(formulation.cli_word().parse(), Ok(formulation));
    }
    let error = "weak".parse::<Formulation>().unwrap_err();
    assert_eq!(error, "\"weak\" is no formulation: it must be article, compact or strong");
}

/// The small problems are worth looking at: most have decks, and everything happens.
#[test]
fn the_small_problems_are_many() {
    let problems: Vec<Problem> = (0..200).filter_map(problem).collect();
    let some = |has: &dyn Fn(&Problem) -> bool| problems.iter().filter(|problem| has(problem)).count();
    assert!(problems.len() > 150, "{}", problems.len());
    let with_decks = some(&|problem| decks(problem).len() > 1);
    assert!(with_decks > 80, "{with_decks}");
    let led = some(&|problem| problem.leaders().is_some() && problem.pool().leaders.is_some());
    assert!(led > 30, "{led}");
    let fixed = some(&|problem| !problem.fixed().is_empty() && !problem.quotas().is_empty());
    assert!(fixed > 10, "{fixed}");
    let copies = some(&|problem| problem.len() > problem.pool().pieces.len());
    assert!(copies > 30, "{copies}");
}
