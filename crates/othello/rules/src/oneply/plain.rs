//! One game after the other, for any evaluator: what the vector kernels are held against, and what other machines do.

use std::cmp::Ordering;

use ishi_rng::Seed;

use super::rows::Rows;
use super::{Evaluator, Game, Rules, dice};
use crate::board::Board;
use crate::color::Color;
use crate::square::{Square, squares};

/// A player that looks one move ahead.
pub(super) trait Player {
    /// What a move is worth to it, on any scale.
    type Value: PartialOrd + Copy;

    /// The worth of a move to its mover.
    fn worth(&self, mover: Color, board: Board, square: Square, flips: u64) -> Self::Value;
}

/// A player that looks at the board after the move.
pub(super) struct Boards<'a, E: ?Sized>(pub(super) &'a E);

impl<E: Evaluator + ?Sized> Player for Boards<'_, E> {
    type Value = f32;

    #[inline(always)]
    fn worth(&self, mover: Color, board: Board, square: Square, flips: u64) -> f32 {
        self.0.value(board.after(square, flips), mover)
    }
}

impl Player for Rows {
    type Value = i16;

    #[inline(always)]
    fn worth(&self, _: Color, _: Board, square: Square, flips: u64) -> i16 {
        self.gain(square, flips)
    }
}

/// Final disc difference for Black.
fn play<B: Player, W: Player>(black: &B, white: &W, rules: &Rules, seed: Seed, game: u64) -> i8 {
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
                (false, Color::Black) => greedy(black, mover, board, moves),
                (false, Color::White) => greedy(white, mover, board, moves),
            };
            board = board.play_unchecked(nth(best, dice::below(draw, best.count_ones())));
        }
        mover = !mover;
    }
}

/// The moves that are worth most.
#[inline(always)]
fn greedy<P: Player>(player: &P, mover: Color, board: Board, moves: u64) -> u64 {
    let (mut most, mut best) = (None, 0);
    for square in squares(moves) {
        let worth = player.worth(mover, board, square, board.flips(square));
        // Of values that cannot be compared (not a number) the first stays.
        match most.map_or(Some(Ordering::Greater), |most| worth.partial_cmp(&most)) {
            Some(Ordering::Greater) => (most, best) = (Some(worth), square.bit()),
            Some(Ordering::Equal) => best |= square.bit(),
            _ => {}
        }
    }
    best
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
pub(super) fn results<A: Player, B: Player>(
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
