//! Games side by side, a lane each, for the vector kernels.
//!
//! All lanes are at the same step, and a pass takes a step, so at even steps it is `first`'s turn in every lane and at odd
//! ones `second`'s. Games in which `second` has Black therefore wait for one step.

use std::ops::Range;

use ishi_rng::Seed;

use super::{GameNumber, dice};
use crate::board::Board;

/// Games that a kernel plays at once.
pub(super) const LANES: usize = 16;
/// Room for the moves of all games (no known board has more than 33), and for writing whole vectors at the end.
pub(super) const PAIRS: usize = LANES * 40 + 64;

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
            lanes.states[lane] = dice::game_key(seed, game);
            if GameNumber(game).black_is_first() {
                lanes.start_lane(lane);
            } else {
                lanes.states[lane] = lanes.states[lane].wrapping_sub(dice::GOLDEN);
                lanes.waiting |= 1 << lane;
            }
        }
        lanes
    }

    fn start_lane(&mut self, lane: usize) {
        self.player[lane] = Board::START.player;
        self.opponent[lane] = Board::START.opponent;
    }

    /// The step is over; games that have waited start.
    #[inline(always)]
    pub(super) fn advance_step(&mut self) {
        self.steps += 1;
        if self.steps == 1 {
            for lane in 0..LANES {
                if self.waiting >> lane & 1 == 1 {
                    self.start_lane(lane);
                }
            }
        }
    }

    /// Final disc differences for `first`.
    pub(super) fn final_differences(&self) -> [i8; LANES] {
        let sign = if self.steps.is_multiple_of(2) { 1 } else { -1 };
        std::array::from_fn(|lane| {
            let board = Board { player: self.player[lane], opponent: self.opponent[lane] };
            (sign * board.disc_difference()) as i8
        })
    }
}

/// The legal moves of a step, those of a lane side by side.
#[repr(C, align(64))]
pub(super) struct MovePairs {
    /// The squares.
    pub(super) squares: [u8; PAIRS],
    /// What each move turns.
    pub(super) flips: [u64; PAIRS],
    /// 0x8000 less what it is worth: the smallest is the best.
    pub(super) values: [u16; PAIRS],
    /// Where the moves of each lane start, and of a lane after the last.
    pub(super) starts: [usize; LANES + 1],
    /// A random number for each lane.
    pub(super) draws: [u64; LANES],
}

impl MovePairs {
    pub(super) fn new() -> MovePairs {
        MovePairs {
            squares: [0; PAIRS],
            flips: [0; PAIRS],
            values: [0; PAIRS],
            starts: [0; LANES + 1],
            draws: [0; LANES],
        }
    }

    /// The number of moves.
    #[inline(always)]
    pub(super) fn move_count(&self) -> usize {
        self.starts[LANES]
    }

    /// The best moves of a lane, as a mask over its moves. `least` finds the least of up to 16 values.
    #[inline(always)]
    fn best_in_lane(&self, lane: usize, least: impl Fn(&[u16; 16], usize) -> u64) -> u64 {
        let (start, end) = (self.starts[lane], self.starts[lane + 1]);
        match self.values[start..].first_chunk() {
            Some(values) if end - start <= 16 => least(values, end - start),
            _ => best_of_many(&self.values[start..end]),
        }
    }
}

/// The best of up to 64 moves.
#[cold]
fn best_of_many(values: &[u16]) -> u64 {
    let least = values.iter().min();
    values.iter().enumerate().fold(0, |best, (i, value)| best | u64::from(Some(value) == least) << i)
}

impl Lanes {
    /// Every game makes one of its best moves, or passes. `least` marks the least of up to 16 values, `nth` finds the set bit
    /// with this number, or gives at least 64 if there is none.
    #[inline(always)]
    pub(super) fn choose_moves(
        &mut self,
        pairs: &MovePairs,
        least: impl Fn(&[u16; 16], usize) -> u64,
        nth: impl Fn(u64, u32) -> u32,
    ) {
        for lane in 0..LANES {
            let best = pairs.best_in_lane(lane, &least);
            let number = nth(best, dice::draw_below(pairs.draws[lane], best.count_ones()));
            let at = pairs.starts[lane] + (number & 63) as usize;
            let moved = u64::from(best != 0).wrapping_neg();
            let (flips, disc) = (pairs.flips[at] & moved, (1 << (pairs.squares[at] & 63)) & moved);
            let own = self.player[lane] ^ flips | disc;
            self.player[lane] = self.opponent[lane] ^ flips;
            self.opponent[lane] = own;
        }
    }
}

/// Plays a match sixteen games at a time.
pub(super) fn play_match(seed: Seed, games: Range<u64>, mut play: impl FnMut(&mut Lanes)) -> Vec<i8> {
    let mut results = Vec::with_capacity(games.end.saturating_sub(games.start) as usize);
    let mut next = games.start;
    while next < games.end {
        let end = games.end.min(next + LANES as u64);
        let mut lanes = Lanes::new(seed, next..end);
        play(&mut lanes);
        results.extend_from_slice(&lanes.final_differences()[..(end - next) as usize]);
        next = end;
    }
    results
}
