//! How many positions, and how much processor time, does it take to solve problems exactly?
//!
//! `cargo run --release -p ishi-othello-play --example solve_problems -- FILE FIRST LAST [HASH_BITS [ISA]]` solves problems `FIRST` to `LAST` (from 1) of an OBF
//! file, each from an empty table, with one thread. Each line has number, score, positions visited and processor seconds. Processor time
//! is that of the kernel's `schedstat`, where there is one, so other jobs on the machine disturb it less than a wall clock. A score that is not the
//! best one of the file ends the run. `ISA` is `portable`, `avx2` or `avx512`, the best there is if left out.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It reads a file and says what it has found.

use std::time::Instant;

use ishi_othello::obf::{ObfProblem, read_problems};
use ishi_othello::simd::Isa;
use ishi_othello_play::search::{CutConfidence, SearchEffort, SearchParams, SearchTask, Searcher};

const EXACT: SearchEffort =
    SearchEffort { depth: 60, exact: 60, win_loss: 60, confidence: CutConfidence::Full };

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, first, last, rest @ ..] = &arguments[..] else {
        panic!("see the head of this example for what is needed");
    };
    let [first, last] = [first, last].map(|number| number.parse::<usize>().expect("a number"));
    let hash_bits = rest.first().map_or(22, |bits| bits.parse().expect("a number of bits"));
    let isa = rest.get(1).map_or(Isa::best(), |name| parse_isa(name));
    let problems = read_problems(&std::fs::read_to_string(file).expect("a file")).expect("problems");
    let mut searcher = Searcher::new(SearchParams { hash_bits, threads: 1 }).with_isa(isa);
    let (mut nodes, mut seconds) = (0, 0.0);
    for number in first..=last.min(problems.len()) {
        let (visited, spent) = solve_problem(&mut searcher, &problems[number - 1], number);
        nodes += visited;
        seconds += spent;
    }
    println!("total {nodes:>14} {seconds:8.3} s {:6.1} million a second", nodes as f64 / seconds / 1e6);
}

fn parse_isa(name: &str) -> Isa {
    match name {
        "portable" => Isa::Portable,
        "avx2" => Isa::Avx2,
        "avx512" => Isa::Avx512,
        _ => panic!("invalid set of instructions {name:?}: write portable, avx2 or avx512"),
    }
}

/// Solves a problem, prints its line, and gives positions visited and processor seconds.
fn solve_problem(searcher: &mut Searcher, problem: &ObfProblem, number: usize) -> (u64, f64) {
    searcher.clear_table();
    let mut nobody = |_: &_| {};
    let began = Instant::now();
    let before = processor_seconds();
    let found = searcher.search_board(problem.position.board(), &mut SearchTask::new(EXACT, &mut nobody));
    let spent = match (before, processor_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => began.elapsed().as_secs_f64(),
    };
    println!("{number:>5} {:>+4} {:>11} {spent:8.3}", found.score, found.nodes);
    assert!(problem.best_score().is_none_or(|score| score == found.score), "problem {number}: {found:?}");
    (found.nodes, spent)
}

/// Seconds that this thread has run.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}
