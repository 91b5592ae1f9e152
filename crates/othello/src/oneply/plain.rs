//! One game after the other, for any evaluator: what the vector kernels are held against.

use ishi_rng::Seed;

use super::{Evaluator, Game, Rules, dice};
use crate::board::Board;
use crate::color::Color;
use crate::square::{Square, squares};

/// Final disc difference for Black.
pub(super) fn play<B: Evaluator + ?Sized, W: Evaluator + ?Sized>(
    black: &B,
    white: &W,
    rules: &Rules,
    seed: Seed,
    game: u64,
) -> i8 {
    let threshold = rules.threshold();
    let mut state = dice::key(seed, game);
    let (mut board, mut mover, mut passed) = (Board::START, Color::Black, false);
    loop {
        state = state.wrapping_add(dice::GOLDEN);
        let moves = board.moves();
        if moves == 0 && passed {
            return (board.difference() * if mover == Color::Black { 1 } else { -1 }) as i8;
        }
        passed = moves == 0;
        if passed {
            board = board.pass();
        } else {
            let draw = dice::draw(state);
            let best = match (dice::explores(draw, threshold), mover) {
                (true, _) => moves,
                (false, Color::Black) => greedy(board, moves, |after| black.value(after, mover)),
                (false, Color::White) => greedy(board, moves, |after| white.value(after, mover)),
            };
            board = board.play_unchecked(nth(best, dice::below(draw, best.count_ones())));
        }
        mover = !mover;
    }
}

/// The moves with the greatest value.
#[inline(always)]
fn greedy(board: Board, moves: u64, value: impl Fn(Board) -> f32) -> u64 {
    let (mut most, mut best) = (f32::NEG_INFINITY, 0);
    for square in squares(moves) {
        let value = value(board.play_unchecked(square));
        if value > most || best == 0 {
            (most, best) = (value, 0);
        }
        if value >= most {
            best |= square.bit();
        }
    }
    // Only what is no number at all is left out; then every move is as good.
    if best == 0 { moves } else { best }
}

/// The square number `n` of a bitboard, from the lowest.
#[inline(always)]
fn nth(mut bits: u64, n: u32) -> Square {
    for _ in 0..n {
        bits &= bits - 1;
    }
    Square::lowest(bits)
}

/// The games of a match.
pub(super) fn results<A: Evaluator + ?Sized, B: Evaluator + ?Sized>(
    first: &A,
    second: &B,
    rules: &Rules,
    seed: Seed,
    games: impl Iterator<Item = u64>,
) -> Vec<i8> {
    games
        .map(|game| match Game(game).black_is_first() {
            true => play(first, second, rules, seed, game),
            false => -play(second, first, rules, seed, game),
        })
        .collect()
}
