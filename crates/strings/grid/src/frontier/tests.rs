use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::graph::{GraphLink, cell_neighbours};
use super::sweep::{KeepWays, SweepProblem};
use super::symmetry::{RectangleSymmetry, SymmetryError, count_fixed_sets, count_orbits};
use super::values::{BigCount, LeastLoss, SmallCount, Witness};
use super::wrapped::domination_number;
use super::*;
use crate::layers::LayerStep;

const OPTIONS: SweepOptions = SweepOptions { threads: 1, most_states: 2_000_000 };

fn go_on(_: LayerStep) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Numbers that look drawn by lot.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A graph of at most 11 vertices with links of several kinds, an order and regions.
fn drawn(draw: &mut Draw) -> (Graph, Vec<usize>, Vec<Option<usize>>) {
    let count = 1 + draw.below(11);
    let weights: Vec<u32> = (0..count).map(|_| 1 << draw.below(3)).collect();
    let mut links = vec![Vec::new(); count];
    for a in 0..count {
        for b in 0..=a {
            if draw.below(3) == 0 {
                // Both directions count the same pairs of cells.
                let pairs = weights[a].max(weights[b]);
                links[a].push(GraphLink { to: b, times: pairs / weights[a], odd: false });
                if a != b {
                    links[b].push(GraphLink { to: a, times: pairs / weights[b], odd: false });
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    for i in 1..count {
        order.swap(i, draw.below(i + 1));
    }
    let regions = (0..count).map(|_| Some(draw.below(4)).filter(|&region| region < 3)).collect();
    (Graph::new(weights, links).unwrap(), order, regions)
}

/// Number of dominating sets by size, from the definition.
fn by_size(graph: &Graph) -> BTreeMap<u32, u128> {
    let mut counts = BTreeMap::new();
    for set in 0_u32..1 << graph.len() {
        let chosen = |vertex: usize| set >> vertex & 1 == 1;
        let covered =
            |vertex: usize| chosen(vertex) || graph.links(vertex).iter().any(|link| chosen(link.to));
        if (0..graph.len()).all(covered) {
            let size =
                (0..graph.len()).filter(|&vertex| chosen(vertex)).map(|vertex| graph.weight(vertex)).sum();
            *counts.entry(size).or_default() += 1;
        }
    }
    counts
}

#[test]
fn drawn_graphs_agree_with_the_definition() {
    let mut draw = Draw(20);
    for case in 0..300 {
        let (graph, order, regions) = drawn(&mut draw);
        let expected = by_size(&graph);
        let threads = 1 + case % 2;
        let options = SweepOptions { threads, ..OPTIONS };
        let problem = SweepProblem::new(&graph, &order, &regions, false, threads).unwrap();
        let every =
            problem.sets_up_to(&SmallCount, graph.cells(), KeepWays::Every, options, &mut go_on).unwrap();
        assert_eq!(every, expected, "case {case}");
        let (size, count) = problem.smallest_sets(&SmallCount, options, &mut go_on).unwrap();
        assert_eq!(Some((&size, &count)), expected.first_key_value(), "case {case}");
        assert!(problem.lower_bound() <= size, "case {case}");
        let big = problem.smallest_sets(&BigCount, options, &mut go_on).unwrap();
        assert_eq!(big, (size, BigUint::from(count)));
        let (_, set) = problem.smallest_sets(&Witness::<1>, options, &mut go_on).unwrap();
        let weight: u32 = (0..graph.len()).filter(|&v| set.contains(v)).map(|v| graph.weight(v)).sum();
        assert_eq!(weight, size, "case {case}");
        let covered = |v: usize| set.contains(v) || graph.links(v).iter().any(|link| set.contains(link.to));
        assert!((0..graph.len()).all(covered), "case {case}");
    }
}

#[test]
fn links_are_checked() {
    let link = |to, times| GraphLink { to, times, odd: false };
    let one_way = Graph::new(vec![1, 1], vec![vec![link(1, 1)], vec![]]);
    assert_eq!(one_way, Err(GraphError::OneWay { from: 0, to: 1 }));
    let uneven = Graph::new(vec![2, 1], vec![vec![link(1, 1)], vec![link(0, 1)]]);
    assert_eq!(uneven, Err(GraphError::OneWay { from: 0, to: 1 }));
    assert!(Graph::new(vec![2, 1], vec![vec![link(1, 1)], vec![link(0, 2)]]).is_ok());
    assert_eq!(Graph::new(vec![1], vec![vec![link(1, 1)]]), Err(GraphError::Malformed { vertex: 0 }));
    assert_eq!(Graph::new(vec![1], vec![]), Err(GraphError::Lengths { weights: 1, links: 0 }));
}

#[test]
fn sweeps_say_why_they_end() {
    let graph = Graph::for_board(6, 6, Wrap::Plane);
    let order: Vec<usize> = (0..36).collect();
    let problem = SweepProblem::new(&graph, &order, &[None; 36], false, 1).unwrap();
    let few = SweepOptions { threads: 1, most_states: 5 };
    let states = problem.smallest_sets(&LeastLoss, few, &mut go_on);
    assert!(matches!(states, Err(SweepError::States { most: 5, steps: 36, .. })));
    let stopped = problem.smallest_sets(&LeastLoss, OPTIONS, &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped, Err(SweepError::Stopped));
    assert_eq!(problem.smallest_sets(&LeastLoss, OPTIONS, &mut go_on), Ok((10, ())));
    let order = SweepProblem::new(&graph, &order[1..], &[None; 36], false, 1);
    assert!(matches!(order, Err(SweepError::Order { vertices: 36 })));
    let long = Graph::for_board(70, 70, Wrap::Plane);
    let order: Vec<usize> = (0..4900).collect();
    let long = SweepProblem::new(&long, &order, &[None; 4900], false, 1);
    assert!(matches!(long, Err(SweepError::Frontier { most: 64, .. })));
}

/// S. Alanko et al. (2011), table 1, and for n = 5, 6 the counts of Miyashiro, Yano and Muramatsu (2008), table 2.
#[test]
fn plain_boards_have_the_published_numbers() {
    for (n, size) in [1, 2, 3, 4, 7, 10, 12, 16, 20, 24, 29, 35].into_iter().enumerate() {
        let found = solve_wrapped(n + 1, n + 1, Wrap::Plane, OPTIONS, &mut go_on).unwrap();
        assert_eq!(found.empties, size, "{0}x{0}", n + 1);
        assert_eq!(found.strings, (n + 1) * (n + 1) - size);
        assert_eq!(found.board.empty_count(), size);
    }
    for (n, size, count) in [(5, 7, 22_u32), (6, 10, 288)] {
        let found = count_fixed_sets(n, n, RectangleSymmetry::Identity, size, OPTIONS, &mut go_on).unwrap();
        assert_eq!(found, BigUint::from(count));
    }
    // One string less than the most: 1545 and 20896 boards.
    for (n, size, count) in [(5, 8, 1545_u128), (6, 11, 20896)] {
        let problem = symmetry::quotient_problem(n, n, RectangleSymmetry::Identity, 1).unwrap();
        let found = problem.sets_up_to(&SmallCount, size, KeepWays::Every, OPTIONS, &mut go_on).unwrap();
        assert_eq!(found.get(&size), Some(&count), "{n}");
    }
}

/// Smallest dominating sets of a board as sets of cells, by trying all sets of every size.
fn smallest_sets(width: usize, height: usize) -> (u32, Vec<u64>) {
    let cells = width * height;
    let covers: Vec<u64> = (0..cells)
        .map(|cell| {
            cell_neighbours(cell, width, height, Wrap::Plane)
                .iter()
                .fold(1 << cell, |set, (to, _)| set | 1 << to)
        })
        .collect();
    (1..)
        .map(|size| {
            let mut found = Vec::new();
            search(&covers, 0, 0, size, &mut found);
            (size, found)
        })
        .find(|(_, found)| !found.is_empty())
        .unwrap()
}

/// The first cell that is not covered must be covered by one of its neighbours or itself; sets are found once each.
fn search(covers: &[u64], set: u64, banned: u64, left: u32, found: &mut Vec<u64>) {
    let covered =
        (0..covers.len()).filter(|cell| set >> cell & 1 == 1).fold(0, |all, cell| all | covers[cell]);
    let Some(open) = (0..covers.len()).find(|cell| covered >> cell & 1 == 0) else {
        if left == 0 {
            found.push(set);
        }
        return;
    };
    if left == 0 {
        return;
    }
    let mut banned = banned;
    for cell in (0..covers.len()).filter(|&cell| covers[open] >> cell & 1 == 1) {
        if banned >> cell & 1 == 0 {
            search(covers, set | 1 << cell, banned, left - 1, found);
            banned |= 1 << cell;
        }
    }
}

fn moved(set: u64, width: usize, height: usize, place: impl Fn(usize, usize) -> (usize, usize)) -> u64 {
    (0..width * height).filter(|cell| set >> cell & 1 == 1).fold(0, |all, cell| {
        let (x, y) = place(cell % width, cell / width);
        all | 1 << (y * width + x)
    })
}

/// Images of a set, from the eight ways to turn and mirror a square or the four of a rectangle, written down anew.
fn images(set: u64, width: usize, height: usize) -> Vec<u64> {
    let (right, bottom) = (width - 1, height - 1);
    let mut images = vec![
        set,
        moved(set, width, height, |x, y| (right - x, y)),
        moved(set, width, height, |x, y| (x, bottom - y)),
        moved(set, width, height, |x, y| (right - x, bottom - y)),
    ];
    if width == height {
        for set in images.clone() {
            images.push(moved(set, width, height, |x, y| (y, x)));
        }
    }
    images
}

#[test]
fn classes_agree_with_enumeration() {
    let boards = [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 5),
        (6, 6),
        (7, 7),
        (2, 3),
        (5, 3),
        (3, 6),
        (4, 5),
        (6, 4),
        (7, 5),
    ];
    for (width, height) in boards {
        let (size, sets) = smallest_sets(width, height);
        let classes: BTreeSet<Option<u64>> =
            sets.iter().map(|&set| images(set, width, height).into_iter().min()).collect();
        let found =
            count_orbits(width, height, size, None, OPTIONS, &mut |_, _| ControlFlow::Continue(())).unwrap();
        assert_eq!(found.classes, BigUint::from(classes.len()), "{width}x{height}");
        assert_eq!(found.fixed[0].2, BigUint::from(sets.len()), "{width}x{height}");
        // Sets that each kind of symmetry leaves alone; images 1 to 7 in the order of `images`.
        for (symmetry, _, count) in &found.fixed {
            let image = match symmetry {
                RectangleSymmetry::Identity => 0,
                RectangleSymmetry::Columns => 1,
                RectangleSymmetry::Rows => 2,
                RectangleSymmetry::HalfTurn => 3,
                RectangleSymmetry::Diagonal => 4,
                RectangleSymmetry::QuarterTurn => 5,
            };
            let alone = sets.iter().filter(|&&set| images(set, width, height)[image] == set).count();
            assert_eq!(*count, BigUint::from(alone), "{width}x{height} {symmetry:?}");
        }
    }
}

#[test]
fn symmetric_sets_of_the_board_of_go() {
    let total = BigUint::from(1_682_689_266_u64);
    let options = SweepOptions { threads: 2, ..OPTIONS };
    let found =
        count_orbits(19, 19, 84, Some(&total), options, &mut |_, _| ControlFlow::Continue(())).unwrap();
    let times: u32 = found.fixed.iter().map(|(_, times, _)| times).sum();
    assert_eq!(times, 8);
    let sum: BigUint = found.fixed.iter().map(|(_, times, count)| count * *times).sum();
    assert_eq!(found.classes * 8_u32, sum);
    // A wrong total leaves a remainder, a wrong size is found out.
    let wrong =
        count_orbits(19, 19, 84, Some(&(total + 1_u32)), options, &mut |_, _| ControlFlow::Continue(()));
    assert!(matches!(wrong, Err(SymmetryError::Remainder { symmetries: 8, .. })));
    let larger = count_fixed_sets(7, 7, RectangleSymmetry::Identity, 13, OPTIONS, &mut go_on);
    assert_eq!(larger, Err(SymmetryError::Smaller { found: 12, given: 13 }));
    let none = count_fixed_sets(0, 7, RectangleSymmetry::Identity, 13, OPTIONS, &mut go_on);
    assert_eq!(none, Err(SymmetryError::NoBoard { width: 0, height: 7 }));
}

/// S. Klavzar and N. Seifter, "Dominating Cartesian products of cycles", Discrete Applied Mathematics 59 (1995).
#[test]
fn tori_have_the_published_domination_numbers() {
    let number = |a, b| domination_number(a, b, Wrap::Torus, OPTIONS, &mut go_on).unwrap();
    for n in 4..=11 {
        assert_eq!(number(3, n), n - n / 4, "3x{n}");
        assert_eq!(number(n, 4), n, "4x{n}");
        if n > 4 {
            let more = match n % 5 {
                0 => 0,
                3 => 2,
                _ => 1,
            };
            assert_eq!(number(5, n), n + more, "5x{n}");
        }
    }
    assert_eq!(number(10, 10), 20);
}

#[test]
fn wrapped_boards_agree_with_all_sets() {
    for (width, height) in [(3, 3), (3, 4), (4, 3), (5, 3), (3, 5), (4, 4), (8, 2)] {
        for wrap in [Wrap::Plane, Wrap::Cylinder, Wrap::Torus] {
            if wrap == Wrap::Torus && height < 3 {
                continue;
            }
            let found = solve_wrapped(width, height, wrap, OPTIONS, &mut go_on).unwrap();
            let least = (0_u32..1 << (width * height))
                .filter(|&set| dominates(set, width, height, wrap) && alternates(set, width, height, wrap))
                .map(u32::count_ones)
                .min();
            assert_eq!(Some(found.empties as u32), least, "{width}x{height} {wrap:?}");
        }
    }
}

fn dominates(set: u32, width: usize, height: usize, wrap: Wrap) -> bool {
    let chosen = |cell: usize| set >> cell & 1 == 1;
    (0..width * height).all(|cell| {
        chosen(cell) || cell_neighbours(cell, width, height, wrap).iter().any(|&(to, _)| chosen(to))
    })
}

/// Can the cells outside of the set be coloured with two colours?
fn alternates(set: u32, width: usize, height: usize, wrap: Wrap) -> bool {
    let mut colours: Vec<Option<bool>> = vec![None; width * height];
    for first in 0..width * height {
        if set >> first & 1 == 1 || colours[first].is_some() {
            continue;
        }
        colours[first] = Some(false);
        let mut open = vec![first];
        while let Some(cell) = open.pop() {
            for (next, _) in cell_neighbours(cell, width, height, wrap) {
                if set >> next & 1 == 1 {
                    continue;
                }
                if colours[next].is_none() {
                    colours[next] = colours[cell].map(|colour| !colour);
                    open.push(next);
                }
                if colours[next] == colours[cell] {
                    return false;
                }
            }
        }
    }
    true
}

#[test]
fn short_rings_and_empty_boards_are_refused() {
    let refused = |width, height, wrap| solve_wrapped(width, height, wrap, OPTIONS, &mut go_on).unwrap_err();
    assert_eq!(refused(2, 5, Wrap::Cylinder), WrappedError::Ring { length: 2 });
    assert_eq!(refused(5, 1, Wrap::Torus), WrappedError::Ring { length: 1 });
    assert_eq!(refused(0, 5, Wrap::Plane), WrappedError::Size { width: 0, height: 5 });
    assert_eq!(refused(100, 100, Wrap::Torus), WrappedError::Size { width: 100, height: 100 });
    assert_eq!(solve_wrapped(5, 1, Wrap::Cylinder, OPTIONS, &mut go_on).unwrap().strings, 3);
}

#[test]
fn arms_that_work_together_lose_no_set() {
    let symmetry = RectangleSymmetry::HalfTurn;
    let cells = symmetry::orbit_representatives(20, 20, symmetry);
    let apart = symmetry::relaxed_quotient(20, 20, symmetry, &cells, 1).unwrap();
    let together = symmetry::quotient_problem(20, 20, symmetry, 1).unwrap();
    let mut states = [0, 0];
    let mut found = Vec::new();
    for (problem, states) in [&apart, &together].into_iter().zip(&mut states) {
        let mut observe = |progress: LayerStep| {
            *states += progress.note.states;
            ControlFlow::Continue(())
        };
        // The smallest sets of all have 92 cells.
        found.push(problem.sets_up_to(&SmallCount, 92, KeepWays::Least, OPTIONS, &mut observe).unwrap());
        assert!(problem.lower_bound() <= 92);
    }
    assert!(found[0].contains_key(&92));
    assert_eq!(found[0], found[1]);
    assert!(states[1] < states[0], "{states:?}");
}

#[test]
fn turning_a_ring_loses_no_size() {
    let boards = [
        (4, 4, Wrap::Torus),
        (5, 4, Wrap::Torus),
        (3, 7, Wrap::Torus),
        (6, 5, Wrap::Torus),
        (9, 2, Wrap::Cylinder),
    ];
    for (width, height, wrap) in boards {
        let (all, _) = wrapped::unturned_problem(width, height, wrap, true, 1).unwrap();
        let (size, ()) = all.smallest_sets(&LeastLoss, OPTIONS, &mut go_on).unwrap();
        assert_eq!(solve_wrapped(width, height, wrap, OPTIONS, &mut go_on).unwrap().empties, size as usize);
    }
}
