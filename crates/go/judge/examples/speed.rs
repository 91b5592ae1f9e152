//! How many evaluations a second of CPU time does one thread do? Networks of random weights on positions of 19x19 (or another size).
//!
//! `cargo run --release -p ishi-judge --example speed -- [side] [rounds] [network ...]`, for example `speed 19 5 6x96 10x128`.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It measures time and says so.

use ishi_go::{BoardSize, Color, Move, Position, Rules};
use ishi_judge::network::Instructions;
use ishi_judge::{EvaluationMemory, Network, NetworkShape, PlaneEncoder, Planes};
use ishi_rng::Seed;
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let side = arguments.next().map_or(19, |text| text.parse().expect("the board's side"));
    let rounds = arguments.next().map_or(5, |text| text.parse().expect("the number of rounds"));
    let mut networks: Vec<String> = arguments.collect();
    if networks.is_empty() {
        networks = ["6x96", "5x64", "10x128"].map(String::from).to_vec();
    }
    let positions = positions(side);
    println!("network  instructions  batch  ms/evaluation (best of {rounds})  evaluations/CPU-second");
    for name in &networks {
        let (blocks, channels) = name.split_once('x').expect("a network such as 6x96");
        let shape = NetworkShape::new(blocks.parse().expect("blocks"), channels.parse().expect("channels"));
        let network = Network::with_random_weights(shape, Seed::new(1)).expect("a shape of a network");
        for instructions in Instructions::available().into_iter().rev() {
            for batch in [1, 8] {
                let best = (0..rounds).map(|_| seconds_of_one(&network, &positions[..batch], instructions));
                let best = best.fold(f64::INFINITY, f64::min);
                let (time, rate) = (1e3 * best, 1.0 / best);
                println!("{name:>7}  {instructions:>12}  {batch:>5}  {time:>13.3}  {rate:>35.0}");
            }
        }
    }
    let bytes = Network::with_random_weights(NetworkShape::new(6, 96), Seed::new(1))
        .expect("a shape of a network")
        .to_bytes();
    let start = seconds();
    std::hint::black_box(Network::from_bytes(&bytes)).expect("a network");
    println!("a network of 6x96 is ready after {:.0} ms", 1e3 * (seconds() - start));
    let mut encoder = PlaneEncoder::default();
    let game = game(side, 0);
    let start = seconds();
    let times = 1000;
    for _ in 0..times {
        std::hint::black_box(encoder.encode_position(&game).expect("a board that fits"));
    }
    println!("planes of a position: {:.1} microseconds", 1e6 * (seconds() - start) / f64::from(times));
}

/// CPU time of an evaluation.
fn seconds_of_one(network: &Network, batch: &[Planes], instructions: Instructions) -> f64 {
    let mut memory = EvaluationMemory::with_instructions(instructions);
    network.evaluate(batch, &mut memory);
    let start = seconds();
    let mut done = 0;
    while seconds() - start < 0.3 {
        std::hint::black_box(network.evaluate(batch, &mut memory));
        done += batch.len();
    }
    (seconds() - start) / done as f64
}

/// CPU time of this thread.
fn seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn positions(side: usize) -> Vec<Planes> {
    let mut encoder = PlaneEncoder::default();
    (0..8).map(|n| encoder.encode_position(&game(side, n)).expect("a board that fits")).collect()
}

/// A game of random moves.
fn game(side: usize, number: u64) -> Position {
    let mut rng = Seed::new(7).stream("game", number);
    let mut game = Position::new(BoardSize::square(side).expect("a side"), Rules::CHINESE);
    for turn in 0..side * side * 2 / 5 {
        let color = Color::ALL[turn % 2];
        let mv = rng.choose(&game.legal_moves(color)).map_or(Move::Pass, |&point| Move::Play(point));
        game.play(color, mv).expect("a legal move");
    }
    game
}
