//! What is known about the ways that lead to a state of the frontier: the semirings of the sweep.
//!
//! The sweep itself keeps, for every state, the smallest loss (or every loss); a value says more about the ways with
//! that loss.

use num_bigint::BigUint;

/// A number beyond the range of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountOverflow;

/// Values of ways: `extend_way` makes a way one vertex longer, `join_ways` puts together ways of the same loss.
pub trait WayValues: Sync {
    /// The value of a set of ways.
    type Value: Clone + Send + Sync;

    /// The value of the one way that has not begun.
    fn start_value(&self) -> Self::Value;

    /// The same ways, with `vertex` chosen or not.
    fn extend_way(&self, value: &Self::Value, vertex: usize, chosen: bool) -> Self::Value;

    /// All ways of both.
    ///
    /// # Errors
    /// When the result does not fit.
    fn join_ways(&self, into: &mut Self::Value, other: Self::Value) -> Result<(), CountOverflow>;
}

/// Nothing but the loss.
#[derive(Clone, Copy, Debug)]
pub struct LeastLoss;

impl WayValues for LeastLoss {
    type Value = ();

    fn start_value(&self) {}

    fn extend_way(&self, (): &(), _: usize, _: bool) {}

    fn join_ways(&self, (): &mut (), (): ()) -> Result<(), CountOverflow> {
        Ok(())
    }
}

/// The number of ways, up to 2^128 - 1.
#[derive(Clone, Copy, Debug)]
pub struct SmallCount;

impl WayValues for SmallCount {
    type Value = u128;

    fn start_value(&self) -> u128 {
        1
    }

    fn extend_way(&self, value: &u128, _: usize, _: bool) -> u128 {
        *value
    }

    fn join_ways(&self, into: &mut u128, other: u128) -> Result<(), CountOverflow> {
        *into = into.checked_add(other).ok_or(CountOverflow)?;
        Ok(())
    }
}

/// The number of ways, of any size.
#[derive(Clone, Copy, Debug)]
pub struct BigCount;

impl WayValues for BigCount {
    type Value = BigUint;

    fn start_value(&self) -> BigUint {
        BigUint::from(1_u32)
    }

    fn extend_way(&self, value: &BigUint, _: usize, _: bool) -> BigUint {
        value.clone()
    }

    fn join_ways(&self, into: &mut BigUint, other: BigUint) -> Result<(), CountOverflow> {
        *into += other;
        Ok(())
    }
}

/// One of the ways: bit `v` says whether vertex `v`, below `64 * WORDS`, is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Witness<const WORDS: usize>;

/// A set of vertices below `64 * WORDS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChosenVertices<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> ChosenVertices<WORDS> {
    /// Is this vertex chosen?
    #[must_use]
    pub fn contains(&self, vertex: usize) -> bool {
        self.0[vertex / 64] >> (vertex % 64) & 1 == 1
    }
}

impl<const WORDS: usize> WayValues for Witness<WORDS> {
    type Value = ChosenVertices<WORDS>;

    fn start_value(&self) -> ChosenVertices<WORDS> {
        ChosenVertices([0; WORDS])
    }

    fn extend_way(
        &self,
        value: &ChosenVertices<WORDS>,
        vertex: usize,
        chosen: bool,
    ) -> ChosenVertices<WORDS> {
        let mut set = *value;
        set.0[vertex / 64] |= u64::from(chosen) << (vertex % 64);
        set
    }

    /// Keeps the smaller set, so that the result does not depend on the number of threads.
    fn join_ways(
        &self,
        into: &mut ChosenVertices<WORDS>,
        other: ChosenVertices<WORDS>,
    ) -> Result<(), CountOverflow> {
        into.0 = into.0.min(other.0);
        Ok(())
    }
}
