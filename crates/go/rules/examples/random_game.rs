//! A random game by whole rules, with superko and komi: the last position, and who won.
//!
//! `cargo run -p ishi-go --example random_game -- SEED LINES`

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It is told what to do, and shows the game.

use ishi_go::{BoardSize, Move, Position, Rules};
use ishi_rng::{Rng, Seed};

/// A legal move that fills no eye of its own, or a pass.
fn draw_move(game: &Position, rng: &mut Rng) -> Move {
    let color = game.to_move();
    let mut points = game.legal_moves(color);
    points.retain(|&point| !game.board().is_eyelike(color, point));
    rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point))
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a whole number"));
    let (seed, lines) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(9));
    let size = BoardSize::square(usize::try_from(lines).unwrap_or(usize::MAX)).expect("2 to 25 lines");
    let mut rng = Seed::new(seed).stream("moves", 0);
    let mut game = Position::new(size, Rules::TROMP_TAYLOR);
    while !game.is_over() {
        let mv = draw_move(&game, &mut rng);
        game.play(game.to_move(), mv).expect("it is legal");
    }
    print!("{game}");
    println!("{} after {} moves", game.final_score(&[]).expect("no stone is named dead"), game.moves().len());
}
