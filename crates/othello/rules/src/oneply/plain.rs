//! One game after the other, for any evaluator: what the vector kernels are held against, and what other machines do.

use std::cmp::Ordering;

use ishi_rng::Seed;

use super::rows::RowSums;
use super::{Evaluator, GameNumber, LeagueRules, dice};
use crate::board::Board;
use crate::color::Color;
use crate::square::{Square, iter_squares};

/// A player that looks one move ahead.
pub(super) trait GreedyPlayer {
    /// What a move is worth to it, on any scale.
    type Value: PartialOrd + Copy;

    /// The worth of a move to its mover.
    fn move_worth(&self, mover: Color, board: Board, square: Square, flips: u64) -> Self::Value;
}

/// A player that looks at the board after the move.
pub(super) struct BoardPlayer<'a, E: ?Sized>(pub(super) &'a E);

impl<E: Evaluator + ?Sized> GreedyPlayer for BoardPlayer<'_, E> {
    type Value = f32;

    #[inline(always)]
    fn move_worth(&self, mover: Color, board: Board, square: Square, flips: u64) -> f32 {
        self.0.value_after_move(board.after_flips(square, flips), mover)
    }
}

impl GreedyPlayer for RowSums {
    type Value = i16;

    #[inline(always)]
    fn move_worth(&self, _: Color, _: Board, square: Square, flips: u64) -> i16 {
        self.move_gain(square, flips)
    }
}

/// Final disc difference for Black.
fn play_game<B: GreedyPlayer, W: GreedyPlayer>(
    black: &B,
    white: &W,
    rules: &LeagueRules,
    seed: Seed,
    game: u64,
) -> i8 {
    let threshold = rules.epsilon_threshold();
    let mut state = dice::game_key(seed, game);
    let (mut board, mut mover, mut passed) = (Board::START, Color::Black, false);
    loop {
        state = state.wrapping_add(dice::GOLDEN);
        let moves = board.legal_moves();
        if moves == 0 && passed {
            return (board.disc_difference() * if mover == Color::Black { 1 } else { -1 }) as i8;
        }
        passed = moves == 0;
        if passed {
            board = board.pass();
        } else {
            let draw = dice::random_bits(state);
            let best = match (dice::is_random_move(draw, threshold), mover) {
                (true, _) => moves,
                (false, Color::Black) => best_moves(black, mover, board, moves),
                (false, Color::White) => best_moves(white, mover, board, moves),
            };
            board = board.play_unchecked(nth_square(best, dice::draw_below(draw, best.count_ones())));
        }
        mover = !mover;
    }
}

/// The moves that are worth most.
#[inline(always)]
fn best_moves<P: GreedyPlayer>(player: &P, mover: Color, board: Board, moves: u64) -> u64 {
    let (mut most, mut best) = (None, 0);
    for square in iter_squares(moves) {
        let worth = player.move_worth(mover, board, square, board.flips(square));
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
fn nth_square(mut bits: u64, n: u32) -> Square {
    for _ in 0..n {
        bits &= bits - 1;
    }
    Square::from_lowest_bit(bits)
}

/// The games of a match.
pub(super) fn play_match<A: GreedyPlayer, B: GreedyPlayer>(
    first: &A,
    second: &B,
    rules: &LeagueRules,
    seed: Seed,
    games: impl Iterator<Item = u64>,
) -> Vec<i8> {
    games
        .map(|game| match GameNumber(game).black_is_first() {
            true => play_game(first, second, rules, seed, game),
            false => -play_game(second, first, rules, seed, game),
        })
        .collect()
}
