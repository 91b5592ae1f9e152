//! Throws of three dice by one thread and by four: the counts are the same, as every throw has a stream of its own.
//!
//! `cargo run -p ishi-rng --example dice -- SEED`

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It is told what to do, and says what came.

use ishi_rng::Seed;

const THROWS: u64 = 10_000;

/// How often each sum came, from 0 to 18.
type SumCounts = [u32; 19];

/// The sum of the three dice of a throw.
fn throw_dice(seed: Seed, throw: u64) -> usize {
    let mut dice = seed.stream("dice", throw);
    (0..3).map(|_| 1 + dice.next_index(6)).sum()
}

/// Every thread takes every so many-th throw.
fn count_part(seed: Seed, threads: u64, first: u64) -> SumCounts {
    let mut counts = SumCounts::default();
    let mut throw = first;
    while throw < THROWS {
        counts[throw_dice(seed, throw)] += 1;
        throw += threads;
    }
    counts
}

fn count_sums(seed: Seed, threads: u64) -> SumCounts {
    let mut sum = SumCounts::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|first| scope.spawn(move || count_part(seed, threads, first))).collect();
        for worker in workers {
            let part = worker.join().expect("a thread that counts ends");
            sum.iter_mut().zip(part).for_each(|(all, count)| *all += count);
        }
    });
    sum
}

fn main() {
    let seed: Seed = std::env::args().nth(1).map_or(Seed::new(1), |text| text.parse().expect("a seed"));
    let counts = count_sums(seed, 4);
    assert_eq!(counts, count_sums(seed, 1), "the threads do not matter");
    for (sum, count) in counts.iter().enumerate().skip(3) {
        println!("{sum:2} {count:5} {}", "*".repeat((*count / 25) as usize));
    }
}
