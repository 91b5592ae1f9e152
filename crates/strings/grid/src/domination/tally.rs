//! What a sweep computes of every state beside its least loss: nothing, or numbers of ways.

use num_bigint::BigUint;

/// A value of the semiring that the sweep works in.
pub(super) trait Tally: Clone + Send + Sync {
    /// One way, of no loss.
    fn one() -> Self;
    /// Takes in other ways to the same state; both come with their least loss.
    fn merge(&mut self, loss: &mut u16, other: &Self, other_loss: u16);
    /// Length as bytes.
    const BYTES: usize;
    /// Appends its bytes.
    fn write(&self, bytes: &mut Vec<u8>);
    /// Reads the first `BYTES` bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// Nothing but the least loss: the (min,+) semiring.
impl Tally for () {
    fn one() {}

    fn merge(&mut self, loss: &mut u16, (): &(), other_loss: u16) {
        *loss = (*loss).min(other_loss);
    }

    const BYTES: usize = 0;

    fn write(&self, _: &mut Vec<u8>) {}

    fn read(_: &[u8]) {}
}

/// A number below 2^256; it stays at the largest one when it would overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count {
    high: u128,
    low: u128,
}

impl Count {
    const ZERO: Count = Count { high: 0, low: 0 };
    const OVERFLOW: Count = Count { high: u128::MAX, low: u128::MAX };

    fn add(self, other: Count) -> Count {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.checked_add(other.high).and_then(|high| high.checked_add(u128::from(carry)));
        high.map_or(Count::OVERFLOW, |high| Count { high, low })
    }

    /// The number, unless it was too large.
    pub(super) fn exact(self) -> Option<BigUint> {
        (self != Count::OVERFLOW).then(|| (BigUint::from(self.high) << 128) + self.low)
    }
}

/// Numbers of ways of least loss, of 5 more (one more empty point), and so on: `N` of them.
#[derive(Clone, Debug)]
pub(super) struct Ways<const N: usize>(pub(super) [Count; N]);

impl<const N: usize> Tally for Ways<N> {
    fn one() -> Self {
        let mut ways = [Count::ZERO; N];
        ways[0] = Count { high: 0, low: 1 };
        Ways(ways)
    }

    fn merge(&mut self, loss: &mut u16, other: &Self, other_loss: u16) {
        // Losses of one state differ by whole empty points, 5 each.
        if other_loss < *loss {
            let by = usize::from((*loss - other_loss) / 5);
            let mut merged = other.clone();
            merged.take(&self.0, by);
            *self = merged;
            *loss = other_loss;
        } else {
            self.take(&other.0, usize::from((other_loss - *loss) / 5));
        }
    }

    const BYTES: usize = 32 * N;

    fn write(&self, bytes: &mut Vec<u8>) {
        for count in &self.0 {
            bytes.extend(count.low.to_le_bytes());
            bytes.extend(count.high.to_le_bytes());
        }
    }

    fn read(bytes: &[u8]) -> Self {
        let half = |from: usize| u128::from_le_bytes(std::array::from_fn(|byte| bytes[from + byte]));
        Ways(std::array::from_fn(|count| Count { low: half(32 * count), high: half(32 * count + 16) }))
    }
}

impl<const N: usize> Ways<N> {
    fn take(&mut self, others: &[Count; N], by: usize) {
        for (mine, other) in self.0.iter_mut().skip(by).zip(others) {
            *mine = mine.add(*other);
        }
    }
}
