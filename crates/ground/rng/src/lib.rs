//! Seeds that are printed as text, and streams of random numbers derived from them by name and index.
//!
//! A stream is addressed (`seed.stream("game", 17)`), never drawn from another stream, so that what game 17
//! does depends neither on the order in which games are played nor on the number of threads.
//!
//! Beside them stand the checksums of kept files ([`checksum`]), which names of streams are hashed with as well.
//!
//! Sources: xoshiro256++ 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS
//! 47, 2021); SplitMix64 for seeding (Steele, Lea and Flood, OOPSLA 2014); bounded integers by multiplication
//! (Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019).

pub mod checksum;
#[doc(hidden)]
pub mod damage;
#[cfg(feature = "rand_core")]
mod random;
#[cfg(feature = "serde")]
mod text;

use std::fmt;
use std::str::FromStr;

/// A seed: 64 bits, written as a decimal number.
///
/// ```
/// use ishi_rng::Seed;
/// let seed: Seed = "2026".parse().unwrap();
/// let mut a = seed.stream("game", 17);
/// let mut b = Seed::new(2026).stream("game", 17);
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert_eq!(seed.to_string(), "2026");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seed(u64);

impl Seed {
    /// The seed with this value.
    pub const fn new(value: u64) -> Self {
        Seed(value)
    }

    /// The value that [`fmt::Display`] prints.
    pub const fn value(self) -> u64 {
        self.0
    }

    /// The seed of the part `name`, number `index`, of whatever this seed stands for.
    pub fn child_seed(self, name: &str, index: u64) -> Seed {
        // FNV-1a over the name, then two rounds of SplitMix64 to separate neighbouring indices.
        let mut state = self.0 ^ checksum::fnv_checksum(name.as_bytes());
        let mixed = split_mix(&mut state);
        let mut state = mixed.wrapping_add(index.wrapping_mul(0xd134_2543_de82_ef95));
        Seed(split_mix(&mut state))
    }

    /// A generator for the part `name`, number `index`.
    pub fn stream(self, name: &str, index: u64) -> Rng {
        Rng::new(self.child_seed(name, index))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The text was not a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedError(String);

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid seed {:?}: a seed must be a whole number from 0 to {}", self.0, u64::MAX)
    }
}

impl std::error::Error for SeedError {}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        text.trim().parse().map(Seed).map_err(|_| SeedError(text.to_string()))
    }
}

/// The state as text for checkpoints: four hexadecimal words.
impl fmt::Display for Rng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.state;
        write!(f, "{a:016x}-{b:016x}-{c:016x}-{d:016x}")
    }
}

impl FromStr for Rng {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        let error = || SeedError(text.to_string());
        let mut state = [0; 4];
        let mut parts = text.split('-');
        for word in &mut state {
            let part = parts.next().ok_or_else(error)?;
            *word = u64::from_str_radix(part, 16).map_err(|_| error())?;
        }
        if parts.next().is_some() || state == [0; 4] {
            return Err(error());
        }
        Ok(Rng { state })
    }
}

/// One step of SplitMix64.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of random numbers: xoshiro256++.
///
/// ```
/// use ishi_rng::Seed;
/// let mut rng = Seed::new(7).stream("cards", 0);
/// let mut hand = [1, 2, 3, 4, 5];
/// rng.shuffle(&mut hand);
/// assert!(hand.contains(rng.choose(&hand).unwrap()));
/// assert!(rng.next_below(6) < 6);
/// // All cards are still there.
/// hand.sort_unstable();
/// assert_eq!(hand, [1, 2, 3, 4, 5]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The stream that starts at `seed`.
    pub fn new(seed: Seed) -> Self {
        let mut mix = seed.0;
        Rng { state: std::array::from_fn(|_| split_mix(&mut mix)) }
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// 32 random bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A number from 0 to `bound - 1`, each equally likely.
    ///
    /// # Panics
    /// If `bound` is 0.
    #[inline]
    pub fn next_below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "no number lies below 0");
        let mut product = u64::from(self.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// An index into a list of `len` entries.
    ///
    /// # Panics
    /// If `len` is 0 or above `u32::MAX`.
    #[inline]
    pub fn next_index(&mut self, len: usize) -> usize {
        self.next_below(u32::try_from(len).expect("a list of more than 2^32 entries")) as usize
    }

    /// A number in [0, 1) with 53 random bits.
    #[inline]
    pub fn next_unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// `true` with probability `p`.
    #[inline]
    pub fn chance(&mut self, p: f64) -> bool {
        self.next_unit() < p
    }

    /// One of the items, or `None` of an empty list.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.next_index(items.len())) }
    }

    /// Puts the items into random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.next_index(last + 1);
            items.swap(last, other);
        }
    }
}

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs from state 1, 2, 3, 4: the reference implementation gives these.
    #[test]
    fn xoshiro_matches_the_reference() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let first: Vec<u64> = (0..4).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [41943041, 58720359, 3588806011781223, 3591011842654386]);
    }

    #[test]
    fn streams_differ_by_name_and_by_index() {
        let seed = Seed::new(1);
        let all = [
            seed.child_seed("a", 0),
            seed.child_seed("a", 1),
            seed.child_seed("b", 0),
            Seed::new(2).child_seed("a", 0),
        ];
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                assert_ne!(a, b);
            }
        }
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Seed::new(3).stream("uniform", 0);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.next_below(7) as usize] += 1;
        }
        // Chi-square with 6 degrees of freedom: 22.46 is passed once in a thousand streams; this one is fixed.
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 22.46, "{counts:?}");
    }

    #[test]
    fn state_survives_text() {
        let mut rng = Rng::new(Seed::new(9));
        rng.next_u64();
        let mut copy: Rng = rng.to_string().parse().unwrap();
        assert_eq!(copy.next_u64(), rng.next_u64());
        for bad in ["", "1-2-3", "1-2-3-4-5", "0-0-0-0", "x-1-2-3"] {
            assert!(bad.parse::<Rng>().is_err(), "{bad}");
        }
    }

    #[test]
    fn shuffle_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(Seed::new(4)).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn bad_seeds_say_what_is_right() {
        let error = "-1".parse::<Seed>().unwrap_err().to_string();
        assert_eq!(
            error,
            "invalid seed \"-1\": a seed must be a whole number from 0 to 18446744073709551615"
        );
    }
}
