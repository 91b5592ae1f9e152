//! Random numbers of a game: one for each turn, a function of the game's key and the turn alone.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014): the
//! state after n draws is the key plus n times a constant, so any number of games can draw side by side.

use ishi_rng::Seed;

/// The step of SplitMix64's state.
pub(super) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// Its first multiplier.
pub(super) const MIX_1: u64 = 0xbf58_476d_1ce4_e5b9;
/// Its second multiplier.
pub(super) const MIX_2: u64 = 0x94d0_49bb_1331_11eb;

/// The key of a game.
pub(super) fn game_key(seed: Seed, game: u64) -> u64 {
    seed.child_seed("game", game).value()
}

/// 64 random bits: the number that belongs to this state.
#[inline(always)]
pub(super) fn random_bits(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(MIX_1);
    let z = (z ^ (z >> 27)).wrapping_mul(MIX_2);
    z ^ (z >> 31)
}

/// Does this draw tell to move at random? `threshold` is the probability times 2^32.
#[inline(always)]
pub(super) fn is_random_move(draw: u64, threshold: u64) -> bool {
    (draw & 0xffff_ffff) < threshold
}

/// A number below `count` from the half of the draw that [`is_random_move`] does not look at.
#[inline(always)]
pub(super) fn draw_below(draw: u64, count: u32) -> u32 {
    (((draw >> 32) * u64::from(count)) >> 32) as u32
}
