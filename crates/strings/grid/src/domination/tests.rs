use std::ops::ControlFlow;

use ishi_certificate::{Certificate, MAX_STATES, check_certificate};
use ishi_rng::Seed;
use ishi_rng::checksum::{append_checksum, split_checksum};
use ishi_rng::damage::{try_damaged_copies, try_mixed_copies};
use ishi_work::continue_unless;

use super::*;
use crate::layers::LayerStep;
use crate::verify;

fn silent() -> impl FnMut(LayerStep) -> ControlFlow<()> {
    |_| ControlFlow::Continue(())
}

fn solved(shape: &BoardShape) -> BoardSolution {
    let solution = solve_domination(shape, DominationOptions::default(), &mut silent());
    if let Some(board) = &solution.board {
        check(shape, board, solution.string_count().unwrap());
    }
    solution
}

/// The independent checker agrees.
fn check(shape: &BoardShape, board: &crate::Board, strings: usize) {
    let letters: Vec<u8> = board.cells().iter().map(|cell| cell.letter() as u8).collect();
    let verdict = verify::verify_board(shape.width(), shape.height(), &letters).unwrap();
    assert!(verdict.is_legal(), "{board}");
    assert_eq!(verdict.total_chains(), strings as u64, "{board}");
}

/// Minimum dominating sets by looking at all sets: size of the smallest, and how many sets there are of each size.
fn by_hand(shape: &BoardShape) -> Vec<u64> {
    let (width, height) = (shape.width(), shape.height());
    let mut counts = vec![0; shape.cell_count() + 1];
    'sets: for set in 0u32..1 << shape.cell_count() {
        let is_empty = |x: usize, y: usize| set >> (y * width + x) & 1 == 1;
        for y in 0..height {
            for x in 0..width {
                let helped = is_empty(x, y)
                    || x > 0 && is_empty(x - 1, y)
                    || y > 0 && is_empty(x, y - 1)
                    || x + 1 < width && is_empty(x + 1, y)
                    || y + 1 < height && is_empty(x, y + 1);
                let fits = match shape.given(x, y) {
                    CellConstraint::Free => true,
                    CellConstraint::Empty => is_empty(x, y),
                    CellConstraint::Stone => !is_empty(x, y),
                };
                if !helped || !fits {
                    continue 'sets;
                }
            }
        }
        counts[set.count_ones() as usize] += 1;
    }
    counts
}

fn least(counts: &[u64]) -> Option<usize> {
    counts.iter().position(|count| *count > 0)
}

#[test]
fn all_small_rectangles_are_those_of_brute_force() {
    for width in 1..=7 {
        for height in 1..=(16 / width).min(6) {
            let shape = BoardShape::new(width, height);
            let counts = by_hand(&shape);
            let solution = solved(&shape);
            assert_eq!(solution.empties, least(&counts), "{width} x {height}");
            assert_eq!(solution.status, DominationStatus::Optimal);
            assert_eq!(Some(solution.bound), solution.empties);
            let numbers = shape.cell_count() + 1 - solution.bound;
            let found =
                count_boards(&shape, solution.bound, numbers, DominationOptions::default(), &mut silent())
                    .unwrap();
            let found: Vec<u64> = found.boards.iter().map(|n| u64::try_from(n).unwrap()).collect();
            assert_eq!(found, counts[solution.bound..], "{width} x {height}");
        }
    }
}

/// S. Alanko, S. Crevals, A. Isopoussu, P. Östergård, V. Pettersson, "Computing the domination number of grid graphs",
/// Electronic J. Combinatorics 18, 2011, table 1.
#[test]
fn squares_have_the_published_numbers() {
    let published = [1, 2, 3, 4, 7, 10, 12, 16, 20, 24, 29, 35, 40, 47, 53];
    for (size, empties) in (1..).zip(published) {
        let solution = solved(&BoardShape::new(size, size));
        assert_eq!((solution.status, solution.empties), (DominationStatus::Optimal, Some(empties)), "{size}");
    }
    for size in 16..=24 {
        let solution = solved(&BoardShape::new(size, size));
        assert_eq!(
            (solution.status, solution.empties),
            (DominationStatus::Optimal, Some((size + 2) * (size + 2) / 5 - 4))
        );
    }
}

/// The paper's table 2.
#[test]
fn boards_are_counted_as_in_the_paper() {
    for (size, empties, boards) in [(5, 7, [22u32, 1545]), (6, 10, [288, 20896])] {
        let counts = count_boards(
            &BoardShape::new(size, size),
            empties,
            2,
            DominationOptions { threads: 2, ..DominationOptions::default() },
            &mut silent(),
        )
        .unwrap();
        assert_eq!(counts.boards, boards.map(num_bigint::BigUint::from));
    }
}

#[test]
fn given_points_are_respected() {
    let mut rng = 12345u64;
    for _ in 0..60 {
        let mut shape = BoardShape::new(4, 4);
        for y in 0..4 {
            for x in 0..4 {
                rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                match rng >> 61 {
                    0 => shape.set_given(x, y, CellConstraint::Empty),
                    1 | 2 => shape.set_given(x, y, CellConstraint::Stone),
                    _ => {}
                }
            }
        }
        let counts = by_hand(&shape);
        let solution = solved(&shape);
        assert_eq!(solution.empties, least(&counts));
        match least(&counts) {
            Some(least) => {
                let found =
                    count_boards(&shape, least, 1, DominationOptions::default(), &mut silent()).unwrap();
                assert_eq!(found.boards[0], counts[least].into());
            }
            None => assert_eq!(solution.status, DominationStatus::Infeasible),
        }
    }
}

#[test]
fn a_board_of_stones_only_is_infeasible() {
    let mut shape = BoardShape::new(9, 9);
    for x in 0..9 {
        for y in 0..9 {
            shape.set_given(x, y, CellConstraint::Stone);
        }
    }
    assert_eq!(solved(&shape).status, DominationStatus::Infeasible);
}

/// The tables only prune: without them, and with others, everything is the same.
#[test]
fn the_depth_of_the_bands_changes_nothing() {
    for (width, height) in [(9, 9), (10, 7), (12, 11)] {
        let shape = BoardShape::new(width, height);
        let options = DominationOptions::default();
        let all: Vec<BoardSolution> = [0, 1, 2, 3, 5]
            .map(|depth| solve_domination(&shape, DominationOptions { depth, ..options }, &mut silent()))
            .into();
        for solution in &all {
            assert_eq!((solution.status, solution.empties), (DominationStatus::Optimal, all[0].empties));
        }
    }
}

#[test]
fn a_stop_is_obeyed() {
    let mut shape = BoardShape::new(15, 15);
    shape.set_given(7, 7, CellConstraint::Stone);
    let mut stop = |step: LayerStep| continue_unless(step.note.pass == "losses");
    let solution = solve_domination(&shape, DominationOptions::default(), &mut stop);
    assert_eq!((solution.status, solution.board), (DominationStatus::Stopped, None));
    assert!(solution.bound >= 49);
}

/// On a large board they are most of the work: it is asked at every antidiagonal of a band whether to stop, and nothing is done after a yes.
#[test]
fn the_bands_tables_hear_a_stop() {
    let shape = BoardShape::new(20, 20);
    for threads in [1, 2] {
        let options = DominationOptions { threads, ..DominationOptions::default() };
        let mut looks = 0;
        let whole = solve_domination(&shape, options, &mut |step| {
            looks += usize::from(step.note.pass == "bounds");
            ControlFlow::Continue(())
        });
        assert_eq!(whole.status, DominationStatus::Optimal);
        assert!(looks > shape.diagonal_count(), "{looks} looks with {threads} threads");
        for most in [0, looks / 2, looks - 1] {
            let mut heard = 0;
            let stopped = solve_domination(&shape, options, &mut |_| {
                heard += 1;
                continue_unless(heard > most)
            });
            assert_eq!((stopped.status, stopped.states, heard), (DominationStatus::Stopped, 0, most + 1));
        }
        let counted = count_boards(&shape, 92, 1, options, &mut |_| ControlFlow::Break(()));
        assert_eq!(counted, Err(CountError::Stopped));
        let proved =
            build_certificate(&shape, 92, 4, ProofLimits::of_states(1000), &mut |_| ControlFlow::Break(()));
        assert!(proved.unwrap_err().to_string().contains("stop"));
    }
}

/// Sweeps of one antidiagonal may take seconds, too: each point is a step that may be the last.
#[test]
fn a_sweep_hears_a_stop_at_every_point() {
    let mut done = Vec::new();
    let options = DominationOptions::default();
    let counts = count_boards(&BoardShape::new(7, 7), 12, 1, options, &mut |step| {
        done.push(step.done);
        ControlFlow::Continue(())
    });
    assert_eq!(counts.unwrap().empties, 12);
    assert!((1..=49).all(|point| done.contains(&point)), "{done:?}");
}

/// Along every small dominating set, loss so far and bound never exceed its loss.
#[test]
fn bounds_are_admissible() {
    use super::potential::Potentials;
    use super::shape::GridPoint;
    use super::sweep::{SweepLayer, SweepStep};
    for (width, height, extra) in [(4, 4, 2), (3, 5, 2), (5, 3, 2), (4, 3, 3), (2, 7, 2)] {
        let shape = BoardShape::new(width, height);
        let counts_least = solved(&shape).empties.unwrap();
        for depth in [1, 2].into_iter().filter(|depth| 2 * depth <= width.min(height)) {
            let mut potentials = Potentials::compute(&shape, depth, 1, &|| false).unwrap();
            potentials.add_last_tables(&|| false).unwrap();
            for set in 0u32..1 << shape.cell_count() {
                if set.count_ones() as usize > counts_least + extra {
                    continue;
                }
                let mut fixed = shape.clone();
                for y in 0..height {
                    for x in 0..width {
                        let is_empty = set >> (y * width + x) & 1 == 1;
                        fixed.set_given(
                            x,
                            y,
                            if is_empty { CellConstraint::Empty } else { CellConstraint::Stone },
                        );
                    }
                }
                // Only one way through: every layer has one state, or none if the set does not dominate.
                let free = Potentials::compute(&fixed, 0, 1, &|| false).unwrap();
                let mut layer: SweepLayer<u64, ()> = SweepLayer::start();
                let mut seen = Vec::new();
                for diagonal in 0..shape.diagonal_count() {
                    for y in shape.diagonal_rows(diagonal).rev() {
                        let point = GridPoint { x: diagonal - y, y };
                        layer = SweepStep::new(&fixed, &free, point).apply_to_layer(&layer, 1000, 1);
                        if let Some(key) = layer.keys.first() {
                            let bound = SweepStep::new(&shape, &potentials, point).bound(*key);
                            seen.push((point, u32::from(layer.losses[0]), bound));
                        }
                    }
                }
                if let Some(loss) = layer.losses.first() {
                    for (point, so_far, bound) in seen {
                        let fits = bound.is_some_and(|bound| so_far + bound <= u32::from(*loss));
                        assert!(
                            fits,
                            "{width}x{height} depth {depth} set {set:b} {point:?}: {so_far} + {bound:?} > {loss}"
                        );
                    }
                }
            }
        }
    }
}

/// The checkpoints of a count of optimal boards, one after each antidiagonal.
fn saved_checkpoints(shape: &BoardShape, empties: usize) -> Vec<Vec<u8>> {
    let mut saved = Vec::new();
    let checkpoints =
        SweepCheckpoints { resume: None, save: &mut |bytes: &dyn Fn() -> Vec<u8>| saved.push(bytes()) };
    let options = DominationOptions::default();
    count_boards_with_checkpoints(shape, empties, 1, options, &mut silent(), Some(checkpoints)).unwrap();
    saved
}

/// The count that goes on from a checkpoint.
fn resume_count(shape: &BoardShape, empties: usize, bytes: &[u8]) -> Result<BoardCounts, CountError> {
    let checkpoints =
        SweepCheckpoints { resume: Some(bytes.to_vec()), save: &mut |_: &dyn Fn() -> Vec<u8>| {} };
    let options = DominationOptions::default();
    count_boards_with_checkpoints(shape, empties, 1, options, &mut silent(), Some(checkpoints))
}

/// Stopped anywhere, a count goes on from what it saved; another's is refused.
#[test]
fn counts_go_on_from_checkpoints() {
    let shape = BoardShape::new(8, 8);
    let whole = count_boards(&shape, 16, 1, DominationOptions::default(), &mut silent()).unwrap();
    let saved = saved_checkpoints(&shape, 16);
    assert_eq!(saved.len(), 15);
    for bytes in &saved {
        assert_eq!(resume_count(&shape, 16, bytes).unwrap().boards, whole.boards);
    }
    let mut given = shape.clone();
    given.set_given(0, 0, CellConstraint::Stone);
    for other in [BoardShape::new(8, 9), given] {
        let refused = resume_count(&other, 16, &saved[5]);
        assert!(matches!(refused, Err(CountError::Checkpoint(SweepCheckpointError::Other { width: 8, .. }))));
    }
}

#[test]
fn damaged_checkpoints_are_refused() {
    let shape = BoardShape::new(6, 6);
    for (number, bytes) in (0..).zip(saved_checkpoints(&shape, 10)) {
        try_damaged_copies(&bytes, Seed::new(number), 100, |what, damaged| {
            let refused = resume_count(&shape, 10, damaged);
            assert!(
                matches!(refused, Err(CountError::Checkpoint(_))),
                "checkpoint {number}, {what}: {refused:?}"
            );
        });
    }
    let saved = saved_checkpoints(&shape, 10);
    for (number, pair) in (0..).zip(saved.windows(2)) {
        try_mixed_copies(&pair[1], &pair[0], Seed::new(number), 60, |what, mixed| {
            let refused = resume_count(&shape, 10, mixed);
            assert!(matches!(refused, Err(CountError::Checkpoint(_))), "{number}, {what}: {refused:?}");
        });
    }
    let mut older = saved[3].clone();
    older[7] = b'1';
    let error = resume_count(&shape, 10, &older).unwrap_err().to_string();
    assert!(error.contains("byte 7: the version must be 2; remove the file, and count again"), "{error}");
    let error = resume_count(&shape, 10, b"something").unwrap_err().to_string();
    assert!(error.contains("byte 0: they must begin with \"ishiswp2\""), "{error}");
}

/// What has a right checksum and makes no sense is refused, or counted somehow, and never makes the sweep panic.
#[test]
fn checkpoints_made_by_hand_do_no_harm() {
    let shape = BoardShape::new(6, 6);
    let mut refused = 0;
    for (number, bytes) in (0..).zip(saved_checkpoints(&shape, 10)) {
        let content = split_checksum(&bytes).unwrap();
        try_damaged_copies(content, Seed::new(number), 100, |_, damaged| {
            let mut whole = damaged.to_vec();
            append_checksum(&mut whole);
            refused += usize::from(resume_count(&shape, 10, &whole).is_err());
        });
    }
    assert!(refused > 100, "{refused} of 1100");
}

#[test]
fn states_that_cannot_be_are_refused_with_their_place() {
    let shape = BoardShape::new(6, 6);
    let bytes = saved_checkpoints(&shape, 10)[4].clone();
    let content = split_checksum(&bytes).unwrap();
    let refusal = |at: usize, byte: u8| {
        let mut changed = content.to_vec();
        changed[at] = byte;
        append_checksum(&mut changed);
        resume_count(&shape, 10, &changed).unwrap_err().to_string()
    };
    for (at, byte, words) in [
        (48, 99, "byte 48: so many antidiagonals must be on the board"),
        (56, bytes[56] ^ 1, "byte 56: so many states must follow"),
        (64, 3, "byte 64: the digits must be those of a frontier, 0 to 2"),
        (66, 1, "byte 64: the digits must be those of a frontier, 0 to 2"),
        (64 + 33, 99, "byte 64: the loss must be within the limit"),
    ] {
        let error = refusal(at, byte);
        assert!(error.contains(words), "byte {at}: {error}");
    }
}

/// What is too large for the checker, or for the memory, is told before the work.
#[test]
fn a_proof_that_cannot_be_is_refused_at_once() {
    let mut heard = 0;
    let mut prove = |side: usize, memory: Option<usize>| {
        let limits = ProofLimits { memory, ..ProofLimits::of_states(MAX_STATES) };
        let proof = build_certificate(&BoardShape::new(side, side), 20, 4, limits, &mut |_| {
            heard += 1;
            ControlFlow::Continue(())
        });
        (proof.map(|proof| proof.states.len()), std::mem::take(&mut heard))
    };
    let (large, looks) = prove(65, None);
    assert!(large.unwrap_err().to_string().starts_with("65x65 is too large to check") && looks == 0);
    assert!(prove(9, Some(64 << 20)).0.is_ok());
    let (dear, _) = prove(9, Some(10));
    let words = "the certificate needs more than 0 MB of memory, the most here";
    assert_eq!(dear.unwrap_err().to_string(), words);
}

/// Prices belong to the proof: with none the states listed are not enough.
#[test]
fn a_proof_without_its_prices_is_refused() {
    let is_accepted = |certificate: &Certificate| {
        let verdict = check_certificate(certificate, &mut |_| ControlFlow::Continue(()));
        verdict.is_ok_and(|verdict| verdict.is_accepted())
    };
    for (n, empties, depth) in [(9, 20, 4), (11, 29, 5), (12, 35, 5), (13, 40, 6)] {
        let go_on = &mut |_| ControlFlow::Continue(());
        let limits = ProofLimits::of_states(MAX_STATES);
        let proof = build_certificate(&BoardShape::new(n, n), empties, depth, limits, go_on).unwrap();
        assert!(is_accepted(&proof), "{n}");
        let free = Certificate { prices: vec![0; proof.prices.len()], ..proof.clone() };
        assert!(!is_accepted(&free), "{n}: without prices");
        let none = Certificate { depth: 0, prices: Vec::new(), ..proof };
        assert!(!is_accepted(&none), "{n}: without bands");
    }
}
