//! Games side by side, a lane each, for the vector kernels.
//!
//! All lanes are at the same step, and a pass takes a step, so at even steps it is `first`'s turn in every lane and at odd
//! ones `second`'s. Games in which `second` has Black therefore wait for one step.

use std::ops::Range;

use ishi_rng::Seed;

use super::{Game, dice};
use crate::board::Board;

/// Games that a kernel plays at once.
pub(super) const LANES: usize = 16;

/// The games of a batch.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Lanes {
    /// Discs of the side to move. A lane without discs has no moves.
    pub(super) player: [u64; LANES],
    /// Discs of the other side.
    pub(super) opponent: [u64; LANES],
    /// The state of each game's dice before this step.
    pub(super) states: [u64; LANES],
    /// The number of steps taken.
    pub(super) steps: usize,
    /// Lanes that start after the first step.
    waiting: u64,
}

impl Lanes {
    /// The start of up to 16 games.
    pub(super) fn new(seed: Seed, games: Range<u64>) -> Lanes {
        let mut lanes =
            Lanes { player: [0; LANES], opponent: [0; LANES], states: [0; LANES], steps: 0, waiting: 0 };
        for (lane, game) in games.take(LANES).enumerate() {
            lanes.states[lane] = dice::key(seed, game);
            if Game(game).black_is_first() {
                lanes.start(lane);
            } else {
                lanes.states[lane] = lanes.states[lane].wrapping_sub(dice::GOLDEN);
                lanes.waiting |= 1 << lane;
            }
        }
        lanes
    }

    fn start(&mut self, lane: usize) {
        self.player[lane] = Board::START.player;
        self.opponent[lane] = Board::START.opponent;
    }

    /// The step is over; games that have waited start.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        self.steps += 1;
        if self.steps == 1 {
            for lane in 0..LANES {
                if self.waiting >> lane & 1 == 1 {
                    self.start(lane);
                }
            }
        }
    }

    /// Final disc differences for `first`.
    pub(super) fn results(&self) -> [i8; LANES] {
        let sign = if self.steps.is_multiple_of(2) { 1 } else { -1 };
        std::array::from_fn(|lane| {
            let board = Board { player: self.player[lane], opponent: self.opponent[lane] };
            (sign * board.difference()) as i8
        })
    }
}

/// Plays a match sixteen games at a time.
pub(super) fn results(seed: Seed, games: Range<u64>, mut play: impl FnMut(&mut Lanes)) -> Vec<i8> {
    let mut results = Vec::with_capacity(games.end.saturating_sub(games.start) as usize);
    let mut next = games.start;
    while next < games.end {
        let end = games.end.min(next + LANES as u64);
        let mut lanes = Lanes::new(seed, next..end);
        play(&mut lanes);
        results.extend_from_slice(&lanes.results()[..(end - next) as usize]);
        next = end;
    }
    results
}
