//! States of the sweep's frontier as numbers: two bits a point, the oldest point lowest.

/// A frontier of up to `DIGITS` points.
pub(super) trait Key: Copy + Ord + Send + Sync {
    /// The longest frontier.
    const DIGITS: usize;
    /// The empty frontier.
    const EMPTY: Self;
    /// The key without its `count` oldest points.
    fn drop_oldest(self, count: usize) -> Self;
    /// The key with `digits` (two bits each, `count` of them) as oldest points.
    fn put_oldest(self, digits: usize, count: usize) -> Self;
    /// The key with this digit for the point at a position that was 0.
    fn set(self, position: usize, digit: usize) -> Self;
    /// The key as four words, the lowest first.
    fn words(self) -> [u64; 4];
    /// From what `words` gave.
    fn from_words(words: [u64; 4]) -> Self;
    /// The digits of up to 15 points from a position on, two bits each.
    fn piece(self, position: usize, count: usize) -> usize;
}

macro_rules! key {
    ($number:ty, $digits:literal) => {
        impl Key for $number {
            const DIGITS: usize = $digits;
            const EMPTY: Self = 0;

            fn drop_oldest(self, count: usize) -> Self {
                self >> (2 * count)
            }

            fn put_oldest(self, digits: usize, count: usize) -> Self {
                self << (2 * count) | digits as $number
            }

            fn set(self, position: usize, digit: usize) -> Self {
                self | (digit as $number) << (2 * position)
            }

            fn words(self) -> [u64; 4] {
                let wide = u128::from(self);
                [wide as u64, (wide >> 64) as u64, 0, 0]
            }

            fn from_words(words: [u64; 4]) -> Self {
                (u128::from(words[0]) | u128::from(words[1]) << 64) as $number
            }

            fn piece(self, position: usize, count: usize) -> usize {
                (self >> (2 * position)) as usize & ((1 << (2 * count)) - 1)
            }
        }
    };
}

key!(u64, 32);
key!(u128, 64);

/// Four words, the highest first, so that the derived order is that of the numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LongKey([u64; 4]);

impl LongKey {
    /// Bits `from..from + 64`, from the lowest.
    fn word_at_bit(self, from: usize) -> u64 {
        let (word, bit) = (from / 64, from % 64);
        let at = |index: usize| if index < 4 { self.0[3 - index] } else { 0 };
        if bit == 0 { at(word) } else { at(word) >> bit | at(word + 1) << (64 - bit) }
    }
}

impl Key for LongKey {
    const DIGITS: usize = 128;
    const EMPTY: Self = LongKey([0; 4]);

    fn drop_oldest(self, count: usize) -> Self {
        LongKey([192, 128, 64, 0].map(|from| self.word_at_bit(from + 2 * count)))
    }

    fn put_oldest(self, digits: usize, count: usize) -> Self {
        let bits = 2 * count;
        if bits == 0 {
            return self;
        }
        let [a, b, c, d] = self.0;
        let over = |high: u64, low: u64| high << bits | low >> (64 - bits);
        LongKey([over(a, b), over(b, c), over(c, d), d << bits | digits as u64])
    }

    fn set(mut self, position: usize, digit: usize) -> Self {
        self.0[3 - position / 32] |= (digit as u64) << (2 * (position % 32));
        self
    }

    fn words(self) -> [u64; 4] {
        let [d, c, b, a] = self.0;
        [a, b, c, d]
    }

    fn from_words([a, b, c, d]: [u64; 4]) -> Self {
        LongKey([d, c, b, a])
    }

    fn piece(self, position: usize, count: usize) -> usize {
        self.word_at_bit(2 * position) as usize & ((1 << (2 * count)) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_keys_are_like_short_ones() {
        let digits = [2, 1, 0, 2, 2, 1, 1, 0, 2, 1];
        let (mut short, mut long) = (u128::EMPTY, LongKey::EMPTY);
        for position in 0..60 {
            short = short.set(position, digits[position % 10]);
            long = long.set(position + 40, digits[position % 10]);
        }
        for position in 0..50 {
            assert_eq!(short.piece(position, 10), long.piece(position + 40, 10));
        }
        let moved = long.drop_oldest(40);
        assert_eq!(short.piece(31, 9), moved.piece(31, 9));
        assert_eq!(moved.put_oldest(9, 2).piece(0, 5), short.put_oldest(9, 2).piece(0, 5));
        assert!(long > moved);
    }
}
