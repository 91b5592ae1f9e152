//! The checker against brute force: what is true is accepted, what is false is refused, whatever the prices are.

use proptest::prelude::*;

use super::*;

/// The domination numbers of the n x n grids for n = 1, 2, ... (Alanko, Crevals, Isopoussu, Ostergard, Pettersson, "Computing
/// the domination number of grid graphs", 2011).
const SQUARES: [u64; 10] = [1, 2, 3, 4, 7, 10, 12, 16, 20, 24];

fn go_on(_: CheckProgress) -> ControlFlow<()> {
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

/// A claim without a list of states. `kind` 0: prices of 0; otherwise random ones, larger and larger.
fn claim(width: u32, height: u32, empties: u64, depth: u32, kind: u32) -> Certificate {
    let mut certificate =
        Certificate { width, height, empties, depth, prices: Vec::new(), states: Vec::new() };
    let mut dice = Dice(u64::from(kind) + 7 * empties + u64::from(depth));
    let range = [0, 1, 4, 20, MAX_PRICE][kind as usize];
    certificate.prices = (0..certificate.price_count()).map(|_| dice.roll(range)).collect();
    certificate
}

/// With the states that prove it, if it is true.
fn certificate(
    width: u32,
    height: u32,
    empties: u64,
    depth: u32,
    kind: u32,
) -> Result<Certificate, ProverError> {
    let mut certificate = claim(width, height, empties, depth, kind);
    certificate.states = list_states(&certificate, MAX_STATES, &mut |_| ControlFlow::Continue(()))?;
    Ok(certificate)
}

/// As certificates were written before they had a checksum: what changes is found by the proof alone.
fn text_without_checksum(certificate: &Certificate) -> String {
    let text = certificate.to_string();
    let (lines, _) = text.rsplit_once("checksum ").unwrap();
    lines.replacen(FIRST_LINE, FIRST_LINE_WITHOUT_CHECKSUM, 1)
}

fn is_accepted(certificate: &Certificate) -> bool {
    check_certificate(certificate, &mut go_on).is_ok_and(|verdict| verdict.is_accepted())
}

/// The points of each closed neighbourhood, as bits.
fn covers(width: usize, height: usize) -> Vec<u32> {
    let board = CertificateBoard { width, height, depth: 0 };
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
    let source = include_str!("lib.rs");
    // What it says of its prover is what others may use of it.
    let outlet = "mod prover;\n\npub use prover::{ListingStep, ProverError, list_states};\n";
    assert!(source.contains(outlet));
    let source = source.replace(outlet, "").replace("(`prover`, which", "");
    for word in [
        "crate::",
        "super::",
        "domination::",
        "frontier::",
        "positions::",
        "extern ",
        "include!",
        "#[path",
        "prover",
        "list_states",
    ] {
        assert!(!source.contains(word), "the checker uses {word}");
    }
    let uses: Vec<&str> = source.lines().filter(|line| line.trim_start().starts_with("use ")).collect();
    assert!(
        uses.iter().all(|line| line.starts_with("use std::") || *line == "use thiserror::Error;"),
        "{uses:?}"
    );
}

#[test]
fn what_is_true_is_proved_and_what_is_false_is_not_on_every_small_board() {
    for (width, height) in (1..=16).flat_map(|width| (1..=16).map(move |height| (width, height))) {
        if width * height > 16 {
            continue;
        }
        let smallest = dominating(width, height).map(u32::count_ones).min().unwrap().into();
        let (width, height) = (width as u32, height as u32);
        for depth in 0..=width.min(height) / 2 {
            for kind in 0..5 {
                for empties in 0..=smallest {
                    let proof = certificate(width, height, empties, depth, kind).unwrap();
                    assert!(is_accepted(&proof), "{proof}");
                    // What proves one number does not prove the next.
                    let more = Certificate { empties: smallest + 1, ..proof };
                    assert!(!is_accepted(&more), "{more}");
                }
                for empties in smallest + 1..=u64::from(width * height) {
                    let refuted = certificate(width, height, empties, depth, kind);
                    assert_eq!(refuted, Err(ProverError::Refuted { smallest }));
                }
            }
        }
    }
}

#[test]
fn published_squares_are_proved_and_one_more_is_refuted() {
    for (n, smallest) in (1..=10).zip(SQUARES).skip(1) {
        for depth in [0, 1, 2, 3, n / 2].into_iter().filter(|&depth| depth <= (n / 2).min(5)) {
            for kind in 0..5 {
                let right = certificate(n, n, smallest, depth, kind).unwrap();
                assert!(is_accepted(&right), "{n} at depth {depth}");
                let wrong = certificate(n, n, smallest + 1, depth, kind);
                assert_eq!(wrong, Err(ProverError::Refuted { smallest }), "{n} at depth {depth}");
            }
        }
    }
}

/// Every potential that is listed is true: no dominating set that passes through the state loses less from there on.
#[test]
fn no_dominating_set_loses_less_than_is_listed() {
    for (width, height, depth) in [(4, 4, 0), (4, 4, 1), (5, 3, 1), (3, 5, 0), (4, 5, 1), (5, 4, 2)] {
        let smallest: u64 = dominating(width, height).map(u32::count_ones).min().unwrap().into();
        let proof = certificate(width as u32, height as u32, smallest, depth, 0).unwrap();
        let (board, walk) = proof.board_and_walk().unwrap();
        let order = board.sweep_order();
        let covers = covers(width, height);
        let mut met = 0;
        for set in dominating(width, height) {
            let mut seen = 0u32;
            for (after, &next) in order.iter().enumerate() {
                let so_far = set & seen;
                let digit = |point: usize| match (so_far >> point & 1, covers[point] & so_far) {
                    (1, _) => 2,
                    (_, 0) => 0,
                    _ => 1,
                };
                let slots = walk.frontiers[after].iter().enumerate();
                let number =
                    slots.filter_map(|(slot, point)| Some(digit((*point)?) * 3u128.pow(slot as u32)));
                let state: u128 = number.sum();
                let listed = proof.states.iter().find(|l| l.after as usize == after && l.state == state);
                if let Some(listed) = listed {
                    met += 1;
                    let to_come = loss(&covers, set, !0) - loss(&covers, so_far, seen);
                    assert!(listed.potential <= to_come, "{set:b} after {seen:b}: {listed:?} of {to_come}");
                }
                seen |= 1 << next;
            }
        }
        assert!(met > proof.states.len(), "every state is passed: {met}");
    }
}

/// What a set loses on the points of a mask: over-covered ones, and sides of its members off the board.
fn loss(covers: &[u32], set: u32, mask: u32) -> u32 {
    let points = (0..covers.len()).filter(|point| mask >> point & 1 == 1);
    points
        .map(|point| {
            let off = if set >> point & 1 == 1 { 5 - covers[point].count_ones() } else { 0 };
            off + (covers[point] & set).count_ones().saturating_sub(1)
        })
        .sum()
}

/// The claim and the last needed of its states are all that there is to lose: whatever is taken away is missed.
#[test]
fn a_state_that_lacks_is_missed() {
    for (n, empties, depth) in [(5, 7, 1), (6, 10, 1), (7, 12, 0), (9, 20, 2)] {
        let proof = certificate(n, n, empties, depth, 0).unwrap();
        assert!(is_accepted(&proof) && proof.states.len() > 1, "{n}");
        let mut raised = 0;
        // Some of the large ones.
        let places = (0..proof.states.len()).step_by(1 + proof.states.len() / 50);
        let tried = places.len();
        for place in places {
            let mut fewer = proof.clone();
            fewer.states.remove(place);
            assert!(!is_accepted(&fewer), "{n}: without {:?}", proof.states[place]);
            let with = |potential: u32| {
                let mut other = proof.clone();
                other.states[place].potential = potential;
                other.states.sort_unstable();
                is_accepted(&other)
            };
            let potential = proof.states[place].potential;
            assert!(!with(potential - 1), "{n}: one less for {:?}", proof.states[place]);
            assert!(!with(potential + 40), "{n}: more for {:?}", proof.states[place]);
            // One more may be true as well; then it is proved by the states that follow.
            raised += usize::from(with(potential + 1));
        }
        assert!(2 * raised < tried, "{n}: {raised} of {tried} can be raised");
        let none = Certificate { states: Vec::new(), ..proof.clone() };
        assert!(!is_accepted(&none));
        let start = Certificate { states: proof.states[..1].to_vec(), ..proof.clone() };
        assert!(!is_accepted(&start));
        let lower = Certificate { empties: empties - 1, ..proof };
        assert!(!is_accepted(&lower), "the start says another number");
    }
}

/// Every change of a byte: the text is refused, or reads as a proof that is as true as the other. Brute force says what is true.
#[test]
fn no_changed_byte_makes_a_false_claim_true() {
    let proof = certificate(5, 5, 7, 2, 1).unwrap();
    let text = text_without_checksum(&proof);
    assert_eq!(parse_certificate(&text), Ok(proof.clone()));
    assert!(is_accepted(&proof) && text.len() < 2_000, "{} bytes", text.len());
    let (mut refused, mut accepted) = (0, 0);
    for at in 0..text.len() {
        for byte in b"0123456789- \n".iter().copied().filter(|&byte| byte != text.as_bytes()[at]) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = byte;
            let changed = parse_certificate(std::str::from_utf8(&bytes).unwrap());
            let Some(changed) = changed.ok().filter(is_accepted) else {
                refused += 1;
                continue;
            };
            accepted += 1;
            // Prices are free, as far as the states stay enough, and a potential may be higher, if that is true. Nothing
            // else may change: not the board, not the number, no state.
            assert_eq!((changed.width, changed.height, changed.empties), (5, 5, 7), "{changed}");
            let by_state = |proof: &Certificate| {
                let states = proof.states.iter().map(|listed| (listed.after, listed.state, listed.potential));
                let mut states: Vec<(u32, u128, u32)> = states.collect();
                states.sort_unstable();
                states
            };
            let (now, before) = (by_state(&changed), by_state(&proof));
            assert_eq!(now.len(), before.len(), "{changed}");
            let is_kept = |(now, before): (&(u32, u128, u32), &(u32, u128, u32))| {
                (now.0, now.1) == (before.0, before.1) && now.2 >= before.2
            };
            assert!(now.iter().zip(&before).all(is_kept), "{changed}");
        }
    }
    assert!(refused > 10 * accepted, "{refused} refused, {accepted} say the same");
}

/// Every change of a byte that leaves another certificate is found by the checksum, whatever the proof says.
#[test]
fn a_changed_byte_does_not_fit_the_checksum() {
    let proof = certificate(5, 5, 7, 2, 1).unwrap();
    let text = proof.to_string();
    assert_eq!(parse_certificate(&text), Ok(proof.clone()));
    assert_eq!(parse_certificate(&text.replace('\n', "\r\n")), Ok(proof.clone()), "lines of another system");
    for at in 0..text.len() {
        for byte in b"0123456789abcdef- \n".iter().copied().filter(|&byte| byte != text.as_bytes()[at]) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = byte;
            let read = parse_certificate(std::str::from_utf8(&bytes).unwrap());
            assert!(read.is_err() || read.as_ref() == Ok(&proof), "byte {at} is {byte}: {read:?}");
        }
        let cut = parse_certificate(&text[..at]);
        assert!(cut.is_err() || cut.as_ref() == Ok(&proof), "cut off at byte {at}");
    }
    let wrong = text.replacen("empties 7", "empties 6", 1);
    let error = parse_certificate(&wrong).unwrap_err().to_string();
    let place = format!("line {}: \"checksum ", text.lines().count());
    assert!(error.starts_with(&place) && error.ends_with("the checksum of the lines before"), "{error}");
    let none = text.rsplit_once("checksum ").unwrap().0;
    let error = parse_certificate(none).unwrap_err().to_string();
    assert!(error.contains("the text ends where \"checksum "), "{error}");
    let older = text.replacen(FIRST_LINE, FIRST_LINE_WITHOUT_CHECKSUM, 1);
    let error = parse_certificate(&older).unwrap_err().to_string();
    assert!(error.ends_with("is not allowed after \"end\""), "{error}");
}

/// The checker has a checksum of its own, as it uses no other code: FNV-1a, held to values that its authors published.
#[test]
fn the_checksum_is_that_of_its_authors() {
    let published =
        [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)];
    for (text, sum) in published {
        assert_eq!(extend_fnv(FNV_START, text.as_bytes()), sum, "{text:?}");
    }
}

/// The heart of the matter: no completion of any state loses less than its potentials say, for any prices.
#[test]
fn no_dominating_set_loses_less_than_the_potentials_say() {
    for (width, height) in [(4, 4), (5, 3), (3, 5), (2, 6), (6, 2), (4, 5)] {
        let sets: Vec<u32> = dominating(width, height).collect();
        for depth in 1..=width.min(height) / 2 {
            for kind in 0..4 {
                let prices = claim(width as u32, height as u32, 1, depth as u32, kind).prices;
                holds_for(&sets, &CertificateBoard { width, height, depth }, &prices);
            }
        }
    }
}

/// Follows sets through the sweep: a member of the bands, its loss so far and its digits as the definitions say.
fn holds_for(sets: &[u32], board: &CertificateBoard, prices: &[i32]) {
    let mut bands = board.compute_bands(prices, &mut go_on).unwrap();
    let covers = covers(board.width, board.height);
    let order = board.sweep_order();
    let mut seen = 0u32;
    let (mut tight, mut checked) = (0, 0);
    for &point in &order {
        seen |= 1 << point;
        bands.iter_mut().for_each(|band| band.visit_point(point));
        // The seam is given up where the walks part.
        let is_late = board.antidiagonal(point) > board.last_bounded_antidiagonal();
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

/// [`left_band_ends`] folds; here are all pairs, by the definition.
#[test]
fn the_left_band_ends_with_the_least_over_all_pairs() {
    for (depth, kind) in (1..=5).flat_map(|depth| (0..4).map(move |kind| (depth, kind))) {
        let prices = claim(30, 30, 1, depth, kind).prices;
        let depth = depth as usize;
        let ends = left_band_ends(depth, &prices);
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
            let board = CertificateBoard { width, height, depth };
            let bands = [CertificateSide::Right, CertificateSide::Left]
                .map(|side| (side, board.band_order(side), board.seam_points(side)));
            let inner = (width - 2 * depth) * (height - 2 * depth);
            assert_eq!(bands[0].1.len() + bands[1].1.len(), width * height - inner);
            for (side, order, seam) in &bands {
                let walk = BoardWalk::new(&board, order, seam);
                assert!(
                    walk.max_slots() <= depth + 1,
                    "{width}x{height}, depth {depth}, {side:?}: {}",
                    walk.max_slots()
                );
                assert!(BoardWalk::new(&board, &board.late_band_order(*side), &[]).max_slots() <= depth + 1);
                let mut last: Vec<usize> = walk.frontiers[order.len()].iter().flatten().copied().collect();
                last.sort_unstable_by(|a, b| b.cmp(a));
                assert_eq!(last, *seam, "the walk ends at the seam");
            }
        }
    }
}

#[test]
fn bands_help() {
    let listed = |depth| certificate(11, 11, 29, depth, 0).unwrap().states.len();
    let (with, without) = (listed(4), listed(1));
    assert!(20 * with < without, "{with} states with bands of 4, {without} with bands of 1");
}

#[test]
fn work_can_be_stopped_and_bounded() {
    let proof = certificate(9, 9, 20, 2, 0).unwrap();
    fn stops<T>(calls: usize) -> impl FnMut(T) -> ControlFlow<()> {
        let mut left = calls;
        move |_| {
            left = left.wrapping_sub(1);
            if left == usize::MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    for calls in [0, 5, 80] {
        assert_eq!(
            check_certificate(&proof, &mut stops(calls)),
            Err(CertificateError::Stopped),
            "after {calls} calls"
        );
        let stopped = list_states(&proof, MAX_STATES, &mut stops(calls));
        assert_eq!(stopped, Err(CertificateError::Stopped.into()), "after {calls} calls");
    }
    let bounded = list_states(&claim(9, 9, 20, 0, 0), 50, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(bounded, Err(ProverError::TooMany { most: 50, total: 81, .. })), "{bounded:?}");
}

#[test]
fn wide_boards_are_refused_and_64_lines_are_not() {
    let wide = claim(65, 65, 1000, 0, 0);
    assert_eq!(
        check_certificate(&wide, &mut go_on),
        Err(CertificateError::TooLarge { width: 65, height: 65 })
    );
    let large = claim(100_000, 3, 70_000, 1, 0);
    assert_eq!(
        check_certificate(&large, &mut go_on),
        Err(CertificateError::TooLarge { width: 100_000, height: 3 })
    );
    // The smallest number that means a loss is proved by the edge alone.
    let fits = certificate(64, 64, 821, 3, 0).unwrap();
    assert!(is_accepted(&fits) && fits.states.len() == 1);
}

#[test]
fn states_out_of_place_are_named() {
    let good = certificate(6, 6, 10, 2, 1).unwrap();
    let change = |change: &dyn Fn(&mut Vec<ListedState>)| {
        let mut changed = good.clone();
        change(&mut changed.states);
        check_certificate(&changed, &mut go_on).unwrap_err().to_string()
    };
    let at = |after, potential, state| ListedState { after, potential, state };
    for (message, expected) in [
        (
            change(&|states| states.push(at(0, 0, 0))),
            "the state 0 after 0 points is not in its place: points, potentials, states must ascend",
        ),
        (
            change(&|states| states.push(*states.last().unwrap())),
            " is not in its place: points, potentials, states must ascend",
        ),
        (change(&|states| states.push(at(36, 0, 0))), "the state 0 after 36 points is after the last point"),
        (
            change(&|states| states.push(at(35, 1_000_001, 0))),
            "the state 0 after 35 points has too large a potential",
        ),
        (
            change(&|states| states.push(at(35, 1, 3u128.pow(20)))),
            "the state 3486784401 after 35 points has a digit where the frontier has no point",
        ),
        (
            change(&|states| states.push(at(35, 1, u128::MAX))),
            "after 35 points has a digit where the frontier has no point",
        ),
        (
            change(&|states| states.extend([at(35, 1, 0), at(35, 2, 0)])),
            "the state 0 after 35 points is listed twice",
        ),
    ] {
        assert!(message.ends_with(expected) || message.contains(expected), "{message}: {expected}");
    }
}

#[test]
fn numbers_out_of_range_are_named() {
    let good = claim(6, 6, 10, 2, 1);
    let change = |change: &dyn Fn(&mut Certificate)| {
        let mut changed = good.clone();
        change(&mut changed);
        check_certificate(&changed, &mut go_on).unwrap_err().to_string()
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
    let good = "ishi-strings-certificate 2\nsize 5 4\nempties 6\ndepth 1\nprices\n0 -3\n12\nstates\n0 6 0\n1 5 0 2\nend\n";
    let read = parse_certificate(good).unwrap();
    let at = |after, potential, state| ListedState { after, potential, state };
    let states = vec![at(0, 6, 0), at(1, 5, 0), at(1, 5, 2)];
    let expected = Certificate { width: 5, height: 4, empties: 6, depth: 1, prices: vec![0, -3, 12], states };
    assert_eq!(read, expected);
    assert_eq!(parse_certificate(&good.replace('\n', "\r\n")), Ok(read.clone()));
    assert_eq!(parse_certificate(&(good.to_string() + "\n \n")), Ok(read));
    for (from, to, message) in [
        ("certificate 2", "certificate 1", "line 1: \"ishi-strings-certificate 1\" is not the first line"),
        ("size 5 4", "size 5", "line 2: \"size 5\" is not a line \"size WIDTH HEIGHT\""),
        ("size 5 4", "size 5 4 3", "line 2: "),
        ("size 5 4", "size +5 4", "line 2: "),
        ("size 5 4", "size 5 0", "the height is 0, but must be 1 to 100000"),
        ("size 5 4", "size 99999999999 4", "the width is 4294967295, but must be 1 to 100000"),
        ("empties 6", "empties -6", "line 3: "),
        ("empties 6", "empties 21", "the number of empties is 21, but must be 0 to 20"),
        ("depth 1", "depth 3", "the depth is 3, but must be 0 to 2"),
        ("depth 1", "depth 2", "line 8: \"states\" is not a price (6 more of 9)"),
        ("prices", "prizes", "line 5: "),
        ("12", "500000001", "line 7: \"500000001\" is not a price"),
        ("12", "1.5", "line 7: \"1.5\" is not a price"),
        ("12", "--5", "line 7: "),
        ("12", "-", "line 7: "),
        ("12", "12 13", "line 7: \"13\" is not a price"),
        ("states\n", "", "line 8: \"0\" is not \"states\", after all 3 prices"),
        ("0 6 0", "0 6", "line 9: \"0 6\" is not a line \"POINTS POTENTIAL STATE ...\", or \"end\""),
        ("0 6 0", "0 -6 0", "line 9: "),
        ("0 6 0", "0 6 +0", "line 9: "),
        ("0 6 0", "", "line 9: "),
        ("1 5 0 2", "1 5 0 340282366920938463463374607431768211456", "line 10: "),
        ("1 5 0 2", "1 4294967296 0 2", "line 10: "),
        ("2\nend", "2", "line 11: the text ends where a line \"POINTS"),
        ("end", "end\nmore", "line 12: \"more\" is not allowed after \"end\""),
    ] {
        let error = parse_certificate(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.starts_with(message), "{to}: {error}");
    }
    assert_eq!(
        parse_certificate("").unwrap_err().to_string().split(" where").next(),
        Some("line 1: the text ends")
    );
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(n in 2u32..9, depth in 0u32..3, kind in 0u32..5) {
        let empties = SQUARES[n as usize - 1];
        let proof = certificate(n, n, empties, depth.min(n / 2), kind).unwrap();
        prop_assert_eq!(parse_certificate(&proof.to_string()), Ok(proof));
    }

    /// Any text is read or refused, and what is accepted is true.
    #[test]
    fn changed_texts_do_no_harm(at in 0usize..400, letter in "[0-9 a-z\n-]{0,2}", kind in 0u32..4) {
        let mut text = text_without_checksum(&certificate(4, 4, 4, 1, kind).unwrap());
        let at = at.min(text.len() - 1);
        text.replace_range(at..=at, &letter);
        if let Ok(read) = parse_certificate(&text) && read.width * read.height <= 20 && is_accepted(&read) {
            let (width, height) = (read.width as usize, read.height as usize);
            let smallest: u64 = dominating(width, height).map(u32::count_ones).min().unwrap().into();
            prop_assert!(read.empties <= smallest, "{}", text);
        }
    }

    /// States made up: whatever is accepted is true.
    #[test]
    fn made_up_states_prove_nothing_false(
        listed in proptest::collection::btree_set((0u32..9, 0u32..8, 0u128..243), 0..40),
        empties in 3u64..6,
    ) {
        let mut made = claim(3, 3, empties, 0, 0);
        made.states = vec![ListedState { after: 0, potential: made.needed_potential() as u32, state: 0 }];
        let states = listed.into_iter().filter(|listed| listed.0 > 0);
        made.states.extend(states.map(|(after, potential, state)| ListedState { after, potential, state }));
        prop_assert!(!is_accepted(&made) || empties <= 3, "{}", made);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        prop_assert!(parse_certificate(&text).is_err());
    }
}
