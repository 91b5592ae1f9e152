//! How fast are closed groups read, and are they read rightly?
//!
//! `cargo run --release -p ishi-reading --example closed_regions -- time POINTS [REGIONS] [SEED]` reads random regions of so many points, either side
//! first, after no to four random moves, and tells moves read and CPU time. A search has 1,500,000 moves at most.
//!
//! `... -- random POINTS FIRST LAST POSITIONS [SEED]` holds random positions of the regions drawn with the numbers FIRST to LAST - 1 to exhaustive
//! search, `... -- all POINTS FIRST LAST POSITIONS` those of all shapes (in the corner, at the side, in the centre, with 0 to 4 liberties
//! outside), in a fixed order that mixes all. So a long run can be done in parts. `... -- distinct POINTS FIRST LAST POSITIONS` takes of shapes that
//! are the same when turned or mirrored one alone, as far as board and edge look the same then. Random regions with more than 13 points,
//! liberties outside among them, are passed over: they take too much memory.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It measures time and says so.

#[path = "../tests/closed_regions/mod.rs"]
mod closed_regions;

use std::collections::BTreeSet;

use closed_regions::{Cell, ClosedRegion, Spot, all_shapes, compare_region, is_first_of_its_ways};
use ishi_go::{Board, Color, Move};
use ishi_reading::LifeReader;
use ishi_rng::{Rng, Seed};
use rustix::time::{ClockId, clock_gettime};

/// Points of a region at most that is searched exhaustively.
const MOST_POINTS: usize = 13;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize, default: Option<usize>| match arguments.get(n) {
        Some(text) => text.parse().expect("a number"),
        None => default.expect("see the head of this example for what is needed"),
    };
    match arguments.first().map(String::as_str) {
        Some("time") => measure_time(number(1, None), number(2, Some(200)), number(3, Some(1))),
        Some("random") => {
            let (points, seed) = (number(1, None), number(5, Some(1)));
            let region = |n: usize| {
                let region = ClosedRegion::random(points, &mut stream(seed, points, n));
                (region.len() <= MOST_POINTS).then_some(region)
            };
            compare_regions(number(2, None)..number(3, None), number(4, None), region);
        }
        Some(which @ ("all" | "distinct")) => {
            let mut cases = all_cases(number(1, None));
            cases.retain(|(shape, spot, _)| which == "all" || is_first_of_its_ways(shape, *spot));
            println!("{} cases", cases.len());
            let region = |n: usize| {
                let (shape, spot, liberties) = &cases[n];
                ClosedRegion::from_shape(shape, *spot, *liberties)
            };
            compare_regions(number(2, None)..number(3, None).min(cases.len()), number(4, None), region);
        }
        _ => println!("time, random, all or distinct: see the head of this example"),
    }
}

fn stream(seed: usize, points: usize, region: usize) -> Rng {
    Seed::new(seed as u64).child_seed("closed regions", points as u64).stream("region", region as u64)
}

/// A shape, where it lies, and its liberties outside.
type ShapeCase = (BTreeSet<(usize, usize)>, Spot, usize);

/// Every shape at every spot with every number of liberties, mixed.
fn all_cases(points: usize) -> Vec<ShapeCase> {
    let mut cases: Vec<_> = all_shapes(points)
        .into_iter()
        .flat_map(|shape| Spot::ALL.map(|spot| (shape.clone(), spot)))
        .flat_map(|(shape, spot)| (0..5).map(move |liberties| (shape.clone(), spot, liberties)))
        .collect();
    Seed::new(1).stream("cases", points as u64).shuffle(&mut cases);
    cases
}

fn compare_regions(
    numbers: std::ops::Range<usize>,
    positions: usize,
    region: impl Fn(usize) -> Option<ClosedRegion>,
) {
    let (mut regions, mut read, mut wrong) = (0, 0, 0);
    let (begin, mut reader) = (seconds(), LifeReader::new(50_000_000));
    for n in numbers {
        let Some(region) = region(n) else { continue };
        let mut rng = Seed::new(2).stream("positions", n as u64);
        let (count, fault) = compare_region(&mut reader, &region, positions, &mut rng);
        (regions, read) = (regions + 1, read + count);
        if let Some(text) = fault {
            wrong += 1;
            println!("case {n}\n{text}");
        }
    }
    println!(
        "{regions} regions, {read} positions, either side first: {wrong} regions with wrong answers, {:.1} s",
        seconds() - begin
    );
}

/// Positions of random regions: the empty ones, and after one to four random moves.
fn measure_time(points: usize, regions: usize, seed: usize) {
    let mut reader = LifeReader::new(1_500_000);
    let (mut times, mut moves, mut open) = (Vec::new(), Vec::new(), 0);
    for n in 0..regions {
        let mut rng = stream(seed, points, n);
        let region = ClosedRegion::random(points, &mut rng);
        let mut board = region.board(&vec![Cell::Empty; region.len()]);
        play_randomly(&mut board, &region, n % 5, &mut rng);
        for attacking in [true, false] {
            let begin = seconds();
            let answer = if attacking {
                reader.read_death(&board, region.stone())
            } else {
                reader.read_life(&board, region.stone())
            };
            times.push(seconds() - begin);
            moves.push(reader.moves_read());
            open += usize::from(answer.is_none());
        }
    }
    times.sort_by(f64::total_cmp);
    moves.sort_unstable();
    let (middle, late) = (times.len() / 2, times.len() * 95 / 100);
    println!(
        "{points} points, {} questions, {open} open: moves {} (95 %: {}, most {}), ms {:.3} (95 %: {:.3}, most {:.3}), in all {:.1} s",
        times.len(),
        moves[middle],
        moves[late],
        moves[moves.len() - 1],
        1e3 * times[middle],
        1e3 * times[late],
        1e3 * times[times.len() - 1],
        times.iter().sum::<f64>(),
    );
}

/// Random legal moves in the region, after which the group still stands and no ko was made.
fn play_randomly(board: &mut Board, region: &ClosedRegion, moves: usize, rng: &mut Rng) {
    let mut color = Color::White;
    for _ in 0..moves {
        let mut next = board.clone();
        let legal: Vec<_> =
            region.points().into_iter().filter(|&point| board.is_legal(color, point)).collect();
        let Some(&point) = rng.choose(&legal) else { break };
        next.play_unchecked(color, Move::Play(point));
        if next.color(region.stone()).is_some() && next.ko_point().is_none() {
            *board = next;
        }
        color = !color;
    }
}

fn seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}
