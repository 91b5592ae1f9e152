//! Games between players that look one move ahead: the league's rules.
//!
//! A player takes the move after which the board is worth most, one of the best at random; with probability epsilon it
//! takes any legal move at random instead. Game `i` of a match is a function of the players, the rules, the seed and `i`,
//! whatever is played with it and whichever instructions the machine has. `first` has Black in even games and White in
//! odd ones, so games 2k and 2k + 1 are a double game.
//!
//! Source: epsilon-greedy leagues of S. M. Lucas and T. P. Runarsson, "Temporal difference learning versus co-evolution for
//! acquiring Othello position evaluation", CIG 2006; a pass counts as a turn and draws a number that is not used.
//!
//! # Speed
//! Games per CPU second of a core (Intel Xeon, Sapphire Rapids class), the standard against another counter of ten weights:
//! 820,000 with AVX-512, 415,000 with AVX2, 158,000 with 64-bit words only; 75,000 by [`play_evaluators`]. Calls of fifty games
//! instead of many reach nine tenths of that.
//!
//! What made it: all games of a batch take their turns together, the same player in every lane, so that nothing branches
//! on a game; the moves of all games stand in one dense list, so that vectors are full; who moves at random is left with
//! one move before anything is weighed; the standard's weights have a factor in common, and take 8 bit planes instead
//! of 11. What did not: masks of the files that a ray may reach (0: a run cannot go round the edge, as discs on the edge
//! files end it).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dice;
#[cfg(target_arch = "x86_64")]
mod lockstep;
mod plain;
mod rows;

use std::ops::Range;

use ishi_rng::Seed;

use crate::board::Board;
use crate::color::Color;
use crate::simd::Isa;
use crate::wpc::Wpc;

/// How good a board is.
pub trait Evaluator {
    /// The value, for the side that has just moved (`mover`), of the board after its move. The board is seen by the other
    /// side, whose turn it is: `after.opponent` are the mover's discs.
    fn value_after_move(&self, after: Board, mover: Color) -> f32;
}

/// The rules of a league.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeagueRules {
    /// The probability of a uniformly random move, in every turn of either side; taken as 0 to 1.
    pub epsilon: f64,
}

impl Default for LeagueRules {
    /// Epsilon 0.1.
    fn default() -> LeagueRules {
        LeagueRules { epsilon: 0.1 }
    }
}

impl LeagueRules {
    /// The probability times 2^32.
    fn epsilon_threshold(&self) -> u64 {
        (self.epsilon.clamp(0.0, 1.0) * 4_294_967_296.0).round() as u64
    }
}

/// The number of a game in its match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GameNumber(u64);

impl GameNumber {
    fn black_is_first(self) -> bool {
        self.0.is_multiple_of(2)
    }
}

/// Plays games between piece counters. The results are final disc differences for `first`, -64 to 64.
///
/// ```
/// use ishi_othello::oneply::{LeagueRules, MatchTally, play_games};
/// use ishi_othello::Wpc;
/// use ishi_rng::Seed;
/// let (standard, random) = (Wpc::standard(), Wpc::random());
/// let results = play_games(&standard, &random, &LeagueRules::default(), Seed::new(1), 0..200);
/// assert!(MatchTally::from_results(&results).mean_score() > 0.7);
/// ```
pub fn play_games(first: &Wpc, second: &Wpc, rules: &LeagueRules, seed: Seed, games: Range<u64>) -> Vec<i8> {
    play_games_with(Isa::best(), first, second, rules, seed, games)
}

/// [`play_games`] with the instructions of this set, or the richest that the machine has if it lacks it. The results are the same.
// Processors of other makes have one way alone.
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
pub fn play_games_with(
    isa: Isa,
    first: &Wpc,
    second: &Wpc,
    rules: &LeagueRules,
    seed: Seed,
    games: Range<u64>,
) -> Vec<i8> {
    #[cfg(target_arch = "x86_64")]
    if isa >= Isa::Avx512 && avx512::is_available() {
        let players = [first, second].map(avx512::Avx512Player::new);
        let [first, second] = &players;
        return lockstep::play_match(seed, games, |lanes| {
            avx512::play_lanes(lanes, [first, second], rules.epsilon_threshold())
        });
    }
    let players = [first, second].map(rows::RowSums::new);
    let [first, second] = &players;
    #[cfg(target_arch = "x86_64")]
    if isa >= Isa::Avx2 && avx2::is_available() {
        return lockstep::play_match(seed, games, |lanes| {
            avx2::play_lanes(lanes, [first, second], rules.epsilon_threshold())
        });
    }
    plain::play_match(first, second, rules, seed, games)
}

/// [`play_games`] for any evaluators.
pub fn play_evaluators<A: Evaluator + ?Sized, B: Evaluator + ?Sized>(
    first: &A,
    second: &B,
    rules: &LeagueRules,
    seed: Seed,
    games: Range<u64>,
) -> Vec<i8> {
    plain::play_match(&plain::BoardPlayer(first), &plain::BoardPlayer(second), rules, seed, games)
}

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MatchTally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl MatchTally {
    /// Counts final disc differences.
    pub fn from_results(results: &[i8]) -> MatchTally {
        let count = |sign| results.iter().filter(|result| result.signum() == sign).count() as u64;
        MatchTally { wins: count(1), draws: count(0), losses: count(-1) }
    }

    /// The number of games.
    pub fn game_count(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Mean score, a draw being half a win; 0.5 of no games.
    pub fn mean_score(&self) -> f64 {
        match self.game_count() {
            0 => 0.5,
            games => (self.wins as f64 + 0.5 * self.draws as f64) / games as f64,
        }
    }

    /// The same games seen by the other side.
    pub fn reversed(self) -> MatchTally {
        MatchTally { wins: self.losses, losses: self.wins, ..self }
    }
}

impl std::ops::Add for MatchTally {
    type Output = MatchTally;

    fn add(self, other: MatchTally) -> MatchTally {
        MatchTally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl std::iter::Sum for MatchTally {
    fn sum<I: Iterator<Item = MatchTally>>(tallies: I) -> MatchTally {
        tallies.fold(MatchTally::default(), |sum, tally| sum + tally)
    }
}
