//! The generator as the crates around `rand` ask for one (feature `rand_core`).

use rand_core::{Infallible, SeedableRng, TryRng};

use crate::{Rng, Seed};

/// The numbers that its own methods give. Bytes are those of [`Rng::next_u64`], the lowest first.
///
/// ```
/// use ishi_rng::Seed;
/// use rand_core::Rng as _;
/// let mut stream = Seed::new(2026).stream("noise", 0);
/// let first = stream.clone().next_u64();
/// let mut bytes = [0; 12];
/// stream.fill_bytes(&mut bytes);
/// assert_eq!(bytes[..8], first.to_le_bytes());
/// ```
impl TryRng for Rng {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(Rng::next_u32(self))
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(Rng::next_u64(self))
    }

    fn try_fill_bytes(&mut self, target: &mut [u8]) -> Result<(), Infallible> {
        for part in target.chunks_mut(8) {
            let word = Rng::next_u64(self).to_le_bytes();
            part.copy_from_slice(&word[..part.len()]);
        }
        Ok(())
    }
}

/// The seed is the state, four words with their lowest bytes first. A state of zeros is none: [`Rng::new`] of 0 takes its place.
impl SeedableRng for Rng {
    type Seed = [u8; 32];

    fn from_seed(seed: [u8; 32]) -> Rng {
        let mut state = [0; 4];
        for (word, bytes) in state.iter_mut().zip(seed.chunks_exact(8)) {
            *word = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        }
        if state == [0; 4] { Rng::new(Seed::new(0)) } else { Rng { state } }
    }

    fn seed_from_u64(state: u64) -> Rng {
        Rng::new(Seed::new(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_of_bytes_is_that_of_the_text() {
        let seed: [u8; 32] = std::array::from_fn(|at| at as u8 + 1);
        let text = "0807060504030201-100f0e0d0c0b0a09-1817161514131211-201f1e1d1c1b1a19";
        assert_eq!(Rng::from_seed(seed).to_string(), text);
        assert_eq!(Rng::from_seed([0; 32]), Rng::new(Seed::new(0)));
        assert_eq!(Rng::seed_from_u64(7), Rng::new(Seed::new(7)));
    }

    #[test]
    fn the_traits_give_the_same_numbers() {
        let (mut own, mut asked) = (Rng::new(Seed::new(3)), Rng::new(Seed::new(3)));
        assert_eq!(asked.try_next_u32(), Ok(own.next_u32()));
        assert_eq!(asked.try_next_u64(), Ok(own.next_u64()));
        let mut bytes = [0; 11];
        asked.try_fill_bytes(&mut bytes).unwrap();
        assert_eq!(bytes[..8], own.next_u64().to_le_bytes());
        assert_eq!(bytes[8..], own.next_u64().to_le_bytes()[..3]);
    }
}
