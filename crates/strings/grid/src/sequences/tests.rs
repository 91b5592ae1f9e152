use std::collections::BTreeSet;

use super::*;

fn work(observe: &mut dyn FnMut(Progress<&str>) -> ControlFlow<()>) -> TermWork<'_> {
    TermWork { threads: NonZeroUsize::MIN, observe }
}

fn rows(sequence: Sequence, last: usize) -> Vec<Vec<BigUint>> {
    let mut silent = |_: Progress<&str>| ControlFlow::Continue(());
    (sequence.entry().offset..=last)
        .map(|n| sequence.compute_row(n, &mut work(&mut silent)).unwrap())
        .collect()
}

fn numbers(sequence: Sequence, last: usize) -> Vec<u64> {
    rows(sequence, last).into_iter().flatten().map(|term| u64::try_from(term).unwrap()).collect()
}

/// Smallest dominating sets of `n x n`, as bits, by looking at all sets of 1, 2, ... points.
fn smallest_sets(n: usize) -> Vec<u32> {
    let cells = n * n;
    let near = |i: usize| {
        let (x, y) = (i % n, i / n);
        let mut bits = 1u32 << i;
        bits |= if x > 0 { 1 << (i - 1) } else { 0 };
        bits |= if x + 1 < n { 1 << (i + 1) } else { 0 };
        bits |= if y > 0 { 1 << (i - n) } else { 0 };
        bits | if y + 1 < n { 1 << (i + n) } else { 0 }
    };
    let near: Vec<u32> = (0..cells).map(near).collect();
    (1..=cells)
        .map(|size| {
            let mut found = Vec::new();
            choose(&near, size, 0, (0, 0), &mut found);
            found
        })
        .find(|found| !found.is_empty())
        .unwrap()
}

/// All sets of `size` more points from `from` on that cover everything with those chosen before.
fn choose(near: &[u32], size: usize, from: usize, (set, covered): (u32, u32), found: &mut Vec<u32>) {
    if size == 0 {
        if covered.count_ones() as usize == near.len() {
            found.push(set);
        }
        return;
    }
    for i in from..near.len() {
        choose(near, size - 1, i + 1, (set | 1 << i, covered | near[i]), found);
    }
}

/// The places to which the eight symmetries carry each point.
fn symmetries(n: usize) -> Vec<Vec<usize>> {
    let image = |symmetry: usize, i: usize| {
        let (mut x, mut y) = (i % n, i / n);
        if symmetry & 1 > 0 {
            x = n - 1 - x;
        }
        if symmetry & 2 > 0 {
            y = n - 1 - y;
        }
        if symmetry & 4 > 0 { x * n + y } else { y * n + x }
    };
    (0..8).map(|symmetry| (0..n * n).map(|i| image(symmetry, i)).collect()).collect()
}

fn least_image(board: &[u8], n: usize) -> Vec<u8> {
    let images = symmetries(n).into_iter().map(|places| {
        let mut image = vec![0; board.len()];
        places.iter().zip(board).for_each(|(place, cell)| image[*place] = *cell);
        image
    });
    images.min().unwrap()
}

#[test]
fn boards_and_classes_are_those_of_brute_force() {
    let (mut boards, mut classes, mut coloured) = (Vec::new(), Vec::new(), Vec::new());
    for n in 1..=5 {
        let sets = smallest_sets(n);
        let cells = |set: u32, white: usize| -> Vec<u8> {
            let cell = |i: usize| if set >> i & 1 == 1 { 0 } else { 1 + ((i % n + i / n + white) % 2) as u8 };
            (0..n * n).map(cell).collect()
        };
        let alone: BTreeSet<Vec<u8>> = sets
            .iter()
            .map(|set| least_image(&cells(*set, 0).iter().map(|c| (*c > 0).into()).collect::<Vec<u8>>(), n))
            .collect();
        let both = sets.iter().flat_map(|set| [cells(*set, 0), cells(*set, 1)]);
        let with_colours: BTreeSet<Vec<u8>> = both.map(|board| least_image(&board, n)).collect();
        boards.push(sets.len() as u64);
        classes.push(alone.len() as u64);
        coloured.push(with_colours.len() as u64);
    }
    assert_eq!(numbers(Sequence::OptimalBoards, 5), boards);
    assert_eq!(numbers(Sequence::Classes, 5), classes);
    assert_eq!(numbers(Sequence::ColouredClasses, 5), coloured);
}

#[test]
fn positions_are_those_of_brute_force() {
    let brute: Vec<Vec<u64>> = (1..=3)
        .map(|n| {
            let mut counts = positions::brute_force_by_chains(n, n);
            counts.truncate(counts.iter().rposition(|count| *count > 0).unwrap() + 1);
            counts
        })
        .collect();
    let last: Vec<u64> = brute.iter().map(|row| *row.last().unwrap()).collect();
    assert_eq!(numbers(Sequence::PositionsByStrings, 3), brute.concat());
    assert_eq!(numbers(Sequence::AnyColours, 3), last);
}

/// The engine for any graph shares no code with that of boards.
#[test]
fn the_second_engine_counts_the_same_boards() {
    let mut silent = |_: Progress<&str>| ControlFlow::Continue(());
    for n in 1..=10 {
        let optimal = count_optimal_boards(n, n, &mut work(&mut silent)).unwrap();
        let second = symmetry::count_fixed_sets(
            n,
            n,
            symmetry::RectangleSymmetry::Identity,
            optimal.empties as u32,
            frontier::SweepOptions::default(),
            &mut |_| ControlFlow::Continue(()),
        );
        assert_eq!(second.unwrap(), optimal.boards, "{n}");
    }
}

/// A third way: the engine of positions by chains says how many have the most.
#[test]
fn the_engines_agree_on_optimal_positions() {
    let by_strings = rows(Sequence::PositionsByStrings, 6);
    let any_colours = rows(Sequence::AnyColours, 6);
    for (all, most) in by_strings.iter().zip(&any_colours) {
        assert_eq!(all.last(), most.first());
    }
    let chains: Vec<u64> = by_strings.iter().skip(1).map(|row| row.len() as u64 - 1).collect();
    assert_eq!(numbers(Sequence::MostStrings, 6), chains);
}

/// OEIS A347632 (n = 1 to 22, here to 17), A193764 and A350820 as the encyclopedia prints them.
#[test]
fn terms_are_those_of_the_encyclopedia() {
    assert_eq!(
        numbers(Sequence::OptimalBoards, 17),
        [1, 6, 10, 2, 22, 288, 2, 52, 32, 4, 32, 21600, 18, 540_360, 34528, 100_406, 70_266_144]
    );
    assert_eq!(
        numbers(Sequence::MostStrings, 22),
        [2, 6, 12, 18, 26, 37, 48, 61, 76, 92, 109, 129, 149, 172, 196, 221, 248, 277, 308, 340, 373]
    );
    let a350820 = [
        1, 2, 2, 1, 6, 1, 4, 3, 3, 4, 3, 12, 10, 12, 3, 1, 2, 29, 29, 2, 1, 8, 17, 1, 2, 1, 17, 8, 4, 2, 2,
        52, 52, 2, 2, 4, 1, 20, 11, 92, 22, 92, 11, 20, 1, 13, 2, 46, 2, 13, 13, 2, 46, 2, 13, 5, 24, 1, 4,
        3, 288, 3, 4, 1, 24, 5, 1, 2, 3, 324, 344, 34, 34, 344, 324, 3, 2, 1,
    ];
    assert_eq!(numbers(Sequence::OptimalRectangles, 12), a350820);
}

#[test]
fn files_say_what_they_hold() {
    let terms = SequenceTerms { sequence: Sequence::MostStrings, rows: rows(Sequence::MostStrings, 5) };
    let file = terms.to_b_file();
    let lines: Vec<&str> = file.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines, ["2 2", "3 6", "4 12", "5 18"]);
    let text = terms.to_editor_text();
    for part in [
        "A193764",
        "OFFSET\n2",
        "2, 6, 12, 18",
        "--sequence most-strings --to 5",
        "b193764.txt: 4 terms, index 2 to 5",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let table =
        SequenceTerms { sequence: Sequence::PositionsByStrings, rows: rows(Sequence::PositionsByStrings, 2) };
    assert!(table.to_b_file().ends_with("\n1 1\n2 1\n3 24\n4 32\n"));
    assert!(table.to_editor_text().starts_with("new sequence (positions-by-strings)"));
}

#[test]
fn the_rows_before_the_first_are_refused_and_work_can_be_stopped() {
    let mut silent = |_: Progress<&str>| ControlFlow::Continue(());
    let early = Sequence::MostStrings.compute_row(1, &mut work(&mut silent));
    assert_eq!(early, Err(SequenceError::TooEarly { name: "most-strings", first: 2, index: 1 }));
    for sequence in Sequence::ALL {
        let mut stop = |_: Progress<&str>| ControlFlow::Break(());
        assert_eq!(
            sequence.compute_row(7, &mut work(&mut stop)),
            Err(SequenceError::Stopped),
            "{sequence:?}"
        );
        assert_eq!(Sequence::from_name(sequence.entry().name), Some(sequence));
    }
}
