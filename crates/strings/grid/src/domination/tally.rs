//! What a sweep computes of every state beside its least loss: nothing, or numbers of ways.

use num_bigint::BigUint;

/// A value of the semiring that the sweep works in.
pub(super) trait Tally: Clone + Send + Sync {
    /// One way, of no loss.
    fn one_way() -> Self;
    /// Takes in other ways to the same state; both come with their least loss.
    fn merge(&mut self, loss: &mut u16, other: &Self, other_loss: u16);
    /// Length as bytes.
    const BYTES: usize;
    /// Appends its bytes.
    fn write_bytes(&self, bytes: &mut Vec<u8>);
    /// Reads the first `BYTES` bytes.
    fn read_bytes(bytes: &[u8]) -> Self;
}

/// Nothing but the least loss: the (min,+) semiring.
impl Tally for () {
    fn one_way() {}

    fn merge(&mut self, loss: &mut u16, (): &(), other_loss: u16) {
        *loss = (*loss).min(other_loss);
    }

    const BYTES: usize = 0;

    fn write_bytes(&self, _: &mut Vec<u8>) {}

    fn read_bytes(_: &[u8]) {}
}

/// A number below 2^256; it stays at the largest one when it would overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count256 {
    high: u128,
    low: u128,
}

impl Count256 {
    const ZERO: Count256 = Count256 { high: 0, low: 0 };
    const OVERFLOW: Count256 = Count256 { high: u128::MAX, low: u128::MAX };

    fn saturating_add(self, other: Count256) -> Count256 {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.checked_add(other.high).and_then(|high| high.checked_add(u128::from(carry)));
        high.map_or(Count256::OVERFLOW, |high| Count256 { high, low })
    }

    /// The number, unless it was too large.
    pub(super) fn exact_count(self) -> Option<BigUint> {
        (self != Count256::OVERFLOW).then(|| (BigUint::from(self.high) << 128) + self.low)
    }
}

/// Numbers of ways of least loss, of 5 more (one more empty point), and so on: `N` of them.
#[derive(Clone, Debug)]
pub(super) struct WayCounts<const N: usize>(pub(super) [Count256; N]);

impl<const N: usize> Tally for WayCounts<N> {
    fn one_way() -> Self {
        let mut ways = [Count256::ZERO; N];
        ways[0] = Count256 { high: 0, low: 1 };
        WayCounts(ways)
    }

    fn merge(&mut self, loss: &mut u16, other: &Self, other_loss: u16) {
        // Losses of one state differ by whole empty points, 5 each.
        if other_loss < *loss {
            let by = usize::from((*loss - other_loss) / 5);
            let mut merged = other.clone();
            merged.add_shifted(&self.0, by);
            *self = merged;
            *loss = other_loss;
        } else {
            self.add_shifted(&other.0, usize::from((other_loss - *loss) / 5));
        }
    }

    const BYTES: usize = 32 * N;

    fn write_bytes(&self, bytes: &mut Vec<u8>) {
        for count in &self.0 {
            bytes.extend(count.low.to_le_bytes());
            bytes.extend(count.high.to_le_bytes());
        }
    }

    fn read_bytes(bytes: &[u8]) -> Self {
        let half = |from: usize| u128::from_le_bytes(std::array::from_fn(|byte| bytes[from + byte]));
        WayCounts(std::array::from_fn(|count| Count256 {
            low: half(32 * count),
            high: half(32 * count + 16),
        }))
    }
}

impl<const N: usize> WayCounts<N> {
    fn add_shifted(&mut self, others: &[Count256; N], by: usize) {
        for (mine, other) in self.0.iter_mut().skip(by).zip(others) {
            *mine = mine.saturating_add(*other);
        }
    }
}
