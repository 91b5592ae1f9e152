//! The checker against brute force: what is true is accepted, what is false is refused, whatever the prices are.

use proptest::prelude::*;

use super::*;

/// The domination numbers of the n x n grids for n = 1, 2, ... (Alanko, Crevals, Isopoussu, Ostergard, Pettersson, "Computing
/// the domination number of grid graphs", 2011).
const SQUARES: [u64; 10] = [1, 2, 3, 4, 7, 10, 12, 16, 20, 24];

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Successive numbers of a fixed sequence, -range to range.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, range: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % (2 * range as u64 + 1)) as i32 - range
    }
}

/// `kind` 0: no prices; otherwise random ones, larger and larger.
fn certificate(width: u32, height: u32, empties: u64, depth: u32, kind: u32) -> Certificate {
    let mut certificate = Certificate { width, height, empties, depth, prices: Vec::new() };
    let mut dice = Dice(u64::from(kind) + 7 * empties + u64::from(depth));
    let range = [0, 1, 4, 20, MAX_PRICE][kind as usize];
    certificate.prices = (0..certificate.states()).map(|_| dice.roll(range)).collect();
    certificate
}

fn outcome(certificate: &Certificate) -> Outcome {
    check(certificate, &mut go_on).unwrap().outcome
}

/// The points of each closed neighbourhood, as bits.
fn covers(width: usize, height: usize) -> Vec<u32> {
    let board = Board { width, height, depth: 0 };
    let cover = |point| board.neighbours(point).iter().fold(1 << point, |bits, near| bits | 1 << near);
    (0..width * height).map(cover).collect()
}

fn dominating(width: usize, height: usize) -> impl Iterator<Item = u32> {
    let covers = covers(width, height);
    let cells = width * height;
    (0..1u32 << cells).filter(move |&set| {
        let covered =
            (0..cells).filter(|point| set >> point & 1 == 1).fold(0, |bits, point| bits | covers[point]);
        covered == (1u32 << cells) - 1
    })
}

#[test]
fn no_other_code_is_used() {
    let source = include_str!("../certificate.rs");
    for word in
        ["crate::", "super::", "domination::", "frontier::", "positions::", "extern ", "include!", "#[path"]
    {
        assert!(!source.contains(word), "the checker uses {word}");
    }
    let uses: Vec<&str> = source.lines().filter(|line| line.trim_start().starts_with("use ")).collect();
    assert!(
        uses.iter().all(|line| line.starts_with("use std::") || *line == "use thiserror::Error;"),
        "{uses:?}"
    );
}

#[test]
fn the_true_number_is_accepted_and_one_more_is_refused_on_every_small_board() {
    for (width, height) in (1..=16).flat_map(|width| (1..=16).map(move |height| (width, height))) {
        if width * height > 16 {
            continue;
        }
        let smallest = dominating(width, height).map(u32::count_ones).min().unwrap().into();
        let (width, height) = (width as u32, height as u32);
        for depth in 0..=width.min(height) / 2 {
            for kind in 0..5 {
                let claim = |empties| certificate(width, height, empties, depth, kind);
                for empties in 0..=smallest {
                    assert_eq!(outcome(&claim(empties)), Outcome::Accepted, "{:?}", claim(empties));
                }
                for empties in smallest + 1..=u64::from(width * height) {
                    assert_eq!(
                        outcome(&claim(empties)),
                        Outcome::Refused { smallest },
                        "{:?}",
                        claim(empties)
                    );
                }
            }
        }
    }
}

#[test]
fn published_squares_are_accepted_and_one_more_is_refused_whatever_the_prices() {
    for (n, smallest) in (1..=10).zip(SQUARES).skip(1) {
        for depth in [0, 1, 2, 3, n / 2].into_iter().filter(|&depth| depth <= (n / 2).min(5)) {
            for kind in 0..5 {
                let right = certificate(n, n, smallest, depth, kind);
                assert_eq!(outcome(&right), Outcome::Accepted, "{n} at depth {depth}");
                let wrong = certificate(n, n, smallest + 1, depth, kind);
                assert_eq!(outcome(&wrong), Outcome::Refused { smallest }, "{n} at depth {depth}");
            }
        }
    }
}

/// The heart of the matter: no completion of any state loses less than its potentials say, for any prices.
#[test]
fn no_dominating_set_loses_less_than_the_potentials_say() {
    for (width, height) in [(4, 4), (5, 3), (3, 5), (2, 6), (6, 2), (4, 5)] {
        let sets: Vec<u32> = dominating(width, height).collect();
        for depth in 1..=width.min(height) / 2 {
            for kind in 0..4 {
                let prices = certificate(width as u32, height as u32, 1, depth as u32, kind).prices;
                holds_for(&sets, &Board { width, height, depth }, &prices);
            }
        }
    }
}

/// Follows sets through the sweep: a member of the bands, its loss so far and its digits as the definitions say.
fn holds_for(sets: &[u32], board: &Board, prices: &[i32]) {
    let mut bands = board.bands(prices, &mut go_on).unwrap();
    let covers = covers(board.width, board.height);
    let order = board.sweep();
    let mut seen = 0u32;
    let (mut tight, mut checked) = (0, 0);
    for &point in &order {
        seen |= 1 << point;
        bands.iter_mut().for_each(|band| band.visit(point));
        // The seam is given up where the walks part.
        let is_late = board.antidiagonal(point) > board.bounded();
        for &set in sets {
            let so_far = set & seen;
            let excess = |point: usize, set: u32| (covers[point] & set).count_ones().saturating_sub(1);
            let cells = board.width * board.height;
            let sides = |set: u32| -> u32 {
                (0..cells)
                    .filter(|point| set >> point & 1 == 1)
                    .map(|point| 5 - covers[point].count_ones())
                    .sum()
            };
            let loss = |set: u32| (0..cells).map(|point| excess(point, set)).sum::<u32>() + sides(set);
            // What is certain: excess of visited points by visited members, as all of the future is still to come.
            let charged: u32 =
                (0..cells).filter(|point| seen >> point & 1 == 1).map(|point| excess(point, so_far)).sum();
            let to_come = i64::from(loss(set)) - i64::from(charged + sides(so_far));
            let digit = |point: usize| match (so_far >> point & 1, covers[point] & so_far) {
                (1, _) => 2,
                (_, 0) => 0,
                _ => 1,
            };
            let mut potentials = 0;
            for band in if is_late { &mut bands[2..] } else { &mut bands[..2] } {
                let frontier = band.frontier().to_vec();
                let number = frontier
                    .iter()
                    .enumerate()
                    .map(|(slot, point)| point.map_or(0, |point| digit(point) * 3usize.pow(slot as u32)));
                let potential = band.potentials()[number.sum::<usize>()];
                assert_ne!(potential, NEVER, "a state of a dominating set");
                potentials += i64::from(potential);
            }
            assert!(potentials <= 2 * to_come, "{set:b} after {seen:b}: {potentials} of {to_come}");
            tight += usize::from(potentials == 2 * to_come);
            checked += 1;
        }
    }
    assert!(checked > 0);
    if prices.iter().all(|&price| price == 0) && board.depth == board.width.min(board.height) / 2 {
        assert!(tight > 0, "bounds that are never attained say little");
    }
}

/// [`left_ends`] folds; here are all pairs, by the definition.
#[test]
fn the_left_band_ends_with_the_least_over_all_pairs() {
    for (depth, kind) in (1..=5).flat_map(|depth| (0..4).map(move |kind| (depth, kind))) {
        let prices = certificate(30, 30, 1, depth, kind).prices;
        let depth = depth as usize;
        let ends = left_ends(depth, &prices);
        for (y, &end) in ends.iter().enumerate() {
            let pairs = prices.iter().enumerate();
            let least = pairs.filter_map(|(c, price)| Some(2 * couple(depth, c, y)? - price)).min();
            assert_eq!(end, least.unwrap_or(NEVER), "depth {depth}, y {y}");
        }
    }
}

/// The loss between the points of the seam, as the header says; none if a point stays uncovered.
fn couple(depth: usize, c: usize, y: usize) -> Option<i32> {
    let digits = |state: usize| (0..depth).map(|s| state / 3usize.pow(s as u32) % 3).collect::<Vec<_>>();
    // c_0 y_0 c_1 y_1 ...: every point touches the one before it and the one after it.
    let zigzag: Vec<usize> = digits(c).into_iter().zip(digits(y)).flat_map(|(c, y)| [c, y]).collect();
    let mut loss = 0;
    for (place, &digit) in zigzag.iter().enumerate() {
        let before = place.checked_sub(1).map(|place| zigzag[place]);
        let near = [before, zigzag.get(place + 1).copied()];
        let members = near.into_iter().flatten().filter(|&digit| digit == 2).count() as i32;
        match (digit, members) {
            (0, 0) if place + 1 < zigzag.len() => return None,
            (0, 0) => {}
            (0, _) => loss += members - 1,
            _ => loss += members,
        }
    }
    Some(loss)
}

#[test]
fn bands_are_disjoint_and_their_frontiers_short() {
    for (width, height) in [(2, 2), (3, 2), (8, 8), (9, 21), (20, 20), (23, 20), (39, 39)] {
        for depth in 1..=(width.min(height) / 2).min(10) {
            let board = Board { width, height, depth };
            let bands = [Side::Right, Side::Left].map(|side| (side, board.band(side), board.seam(side)));
            let inner = (width - 2 * depth) * (height - 2 * depth);
            assert_eq!(bands[0].1.len() + bands[1].1.len(), width * height - inner);
            for (side, order, seam) in &bands {
                let walk = Walk::new(&board, order, seam);
                assert!(
                    walk.slots() <= depth + 1,
                    "{width}x{height}, depth {depth}, {side:?}: {}",
                    walk.slots()
                );
                assert!(Walk::new(&board, &board.rest(*side), &[]).slots() <= depth + 1);
                let mut last: Vec<usize> = walk.frontiers[order.len()].iter().flatten().copied().collect();
                last.sort_unstable_by(|a, b| b.cmp(a));
                assert_eq!(last, *seam, "the walk ends at the seam");
            }
        }
    }
}

#[test]
fn bands_help() {
    let widest = |depth| check(&certificate(13, 13, 40, depth, 0), &mut go_on).unwrap().widest;
    let without = widest(0);
    let with = widest(5);
    assert!(20 * with < without, "{with} states with bands, {without} without");
}

#[test]
fn a_check_can_be_stopped_and_bounded() {
    let certificate = certificate(9, 9, 20, 2, 0);
    for calls in [0, 5, 80] {
        let mut left = calls;
        let mut stop = |_| {
            left -= 1;
            if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(check(&certificate, &mut stop), Err(CertificateError::Stopped), "after {calls} calls");
    }
    let bounded = check_within(&certificate, 50, &mut go_on).unwrap();
    assert_eq!(bounded.outcome, Outcome::TooManyStates);
    assert!(bounded.antidiagonal > 0 && bounded.widest <= 50);
}

#[test]
fn wide_boards_are_refused_and_64_lines_are_not() {
    let wide = certificate(65, 65, 1000, 0, 0);
    assert_eq!(check(&wide, &mut go_on), Err(CertificateError::TooLarge { width: 65, height: 65 }));
    let large = certificate(100_000, 3, 70_000, 1, 0);
    assert_eq!(check(&large, &mut go_on), Err(CertificateError::TooLarge { width: 100_000, height: 3 }));
    // All 128 bits of a state: the smallest number with a limit of at least 0 is refuted by the edge alone.
    let fits = certificate(64, 64, 821, 3, 0);
    assert_eq!(outcome(&fits), Outcome::Accepted);
}

#[test]
fn numbers_out_of_range_are_named() {
    let good = certificate(6, 6, 10, 2, 1);
    let change = |change: &dyn Fn(&mut Certificate)| {
        let mut changed = good.clone();
        change(&mut changed);
        check(&changed, &mut go_on).unwrap_err().to_string()
    };
    for (message, expected) in [
        (change(&|c| c.width = 0), "the width is 0, but must be 1 to 100000"),
        (change(&|c| c.height = 100_001), "the height is 100001, but must be 1 to 100000"),
        (change(&|c| c.empties = 37), "the number of empties is 37, but must be 0 to 36"),
        (change(&|c| c.depth = 4), "the depth is 4, but must be 0 to 3"),
        (change(&|c| c.depth = 3), "the number of prices is 9, but must be 27, 3 to the power of the depth"),
        (change(&|c| c.prices[3] = i32::MIN), "a price is -2147483648, but must be -500000000 to 500000000"),
    ] {
        assert_eq!(message, expected);
    }
}

#[test]
fn a_text_is_read_strictly() {
    let good = "ishi-strings-certificate 1\nsize 5 4\nempties 6\ndepth 1\nprices\n0 -3\n12\nend\n";
    let read = parse(good).unwrap();
    assert_eq!(read, Certificate { width: 5, height: 4, empties: 6, depth: 1, prices: vec![0, -3, 12] });
    assert_eq!(parse(&good.replace('\n', "\r\n")), Ok(read.clone()));
    assert_eq!(parse(&(good.to_string() + "\n \n")), Ok(read));
    for (from, to, message) in [
        ("certificate 1", "certificate 2", "line 1: \"ishi-strings-certificate 2\" is not the first line"),
        ("size 5 4", "size 5", "line 2: \"size 5\" is not a line \"size WIDTH HEIGHT\""),
        ("size 5 4", "size 5 4 3", "line 2: "),
        ("size 5 4", "size +5 4", "line 2: "),
        ("size 5 4", "size 5 0", "the height is 0, but must be 1 to 100000"),
        ("size 5 4", "size 99999999999 4", "the width is 4294967295, but must be 1 to 100000"),
        ("empties 6", "empties -6", "line 3: "),
        ("empties 6", "empties 21", "the number of empties is 21, but must be 0 to 20"),
        ("depth 1", "depth 3", "the depth is 3, but must be 0 to 2"),
        ("depth 1", "depth 2", "line 8: \"end\" is not a price (6 more of 9)"),
        ("prices", "prizes", "line 5: "),
        ("12", "500000001", "line 7: \"500000001\" is not a price"),
        ("12", "1.5", "line 7: \"1.5\" is not a price"),
        ("12", "--5", "line 7: "),
        ("12", "-", "line 7: "),
        ("12", "12 13", "line 7: \"13\" is not a price"),
        ("12\nend", "12", "line 8: the text ends where \"end\""),
        ("end", "end\nmore", "line 9: \"more\" is not allowed after \"end\""),
        ("end", "14", "line 8: \"14\" is not \"end\", after all 3 prices"),
    ] {
        let error = parse(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.starts_with(message), "{to}: {error}");
    }
    assert_eq!(parse("").unwrap_err().to_string().split(" where").next(), Some("line 1: the text ends"));
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(n in 2u32..40, depth in 0u32..5, kind in 0u32..5) {
        let certificate = certificate(n, n + 3, u64::from(n), depth.min(n / 2), kind);
        prop_assert_eq!(parse(&certificate.to_string()), Ok(certificate));
    }

    /// Any text is read or refused, and what is read on a small board is decided rightly.
    #[test]
    fn changed_texts_do_no_harm(at in 0usize..70, letter in "[0-9 a-z\n-]{0,2}", kind in 0u32..4) {
        let mut text = certificate(4, 4, 4, 1, kind).to_string();
        let at = at.min(text.len() - 1);
        text.replace_range(at..=at, &letter);
        if let Ok(read) = parse(&text) && read.width * read.height <= 20 {
            let (width, height) = (read.width as usize, read.height as usize);
            let smallest = dominating(width, height).map(u32::count_ones).min().unwrap().into();
            let expected = if read.empties <= smallest { Outcome::Accepted } else { Outcome::Refused { smallest } };
            prop_assert_eq!(outcome(&read), expected);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        prop_assert!(parse(&text).is_err());
    }
}
