//! What is known about the ways that lead to a state of the frontier: the semirings of the sweep.
//!
//! The sweep itself keeps, for every state, the smallest loss (or every loss); a value says more about the ways with
//! that loss.

use num_bigint::BigUint;

/// A number beyond the range of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

/// Values of ways: `extend` makes a way one vertex longer, `join` puts together ways of the same loss.
pub trait Values: Sync {
    /// The value of a set of ways.
    type Value: Clone + Send + Sync;

    /// The value of the one way that has not begun.
    fn start(&self) -> Self::Value;

    /// The same ways, with `vertex` chosen or not.
    fn extend(&self, value: &Self::Value, vertex: usize, chosen: bool) -> Self::Value;

    /// All ways of both.
    ///
    /// # Errors
    /// When the result does not fit.
    fn join(&self, into: &mut Self::Value, other: Self::Value) -> Result<(), Overflow>;
}

/// Nothing but the loss.
#[derive(Clone, Copy, Debug)]
pub struct Least;

impl Values for Least {
    type Value = ();

    fn start(&self) {}

    fn extend(&self, (): &(), _: usize, _: bool) {}

    fn join(&self, (): &mut (), (): ()) -> Result<(), Overflow> {
        Ok(())
    }
}

/// The number of ways, up to 2^128 - 1.
#[derive(Clone, Copy, Debug)]
pub struct Count;

impl Values for Count {
    type Value = u128;

    fn start(&self) -> u128 {
        1
    }

    fn extend(&self, value: &u128, _: usize, _: bool) -> u128 {
        *value
    }

    fn join(&self, into: &mut u128, other: u128) -> Result<(), Overflow> {
        *into = into.checked_add(other).ok_or(Overflow)?;
        Ok(())
    }
}

/// The number of ways, of any size.
#[derive(Clone, Copy, Debug)]
pub struct BigCount;

impl Values for BigCount {
    type Value = BigUint;

    fn start(&self) -> BigUint {
        BigUint::from(1_u32)
    }

    fn extend(&self, value: &BigUint, _: usize, _: bool) -> BigUint {
        value.clone()
    }

    fn join(&self, into: &mut BigUint, other: BigUint) -> Result<(), Overflow> {
        *into += other;
        Ok(())
    }
}

/// One of the ways: bit `v` says whether vertex `v`, below `64 * WORDS`, is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Witness<const WORDS: usize>;

/// A set of vertices below `64 * WORDS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chosen<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Chosen<WORDS> {
    /// Is this vertex chosen?
    #[must_use]
    pub fn contains(&self, vertex: usize) -> bool {
        self.0[vertex / 64] >> (vertex % 64) & 1 == 1
    }
}

impl<const WORDS: usize> Values for Witness<WORDS> {
    type Value = Chosen<WORDS>;

    fn start(&self) -> Chosen<WORDS> {
        Chosen([0; WORDS])
    }

    fn extend(&self, value: &Chosen<WORDS>, vertex: usize, chosen: bool) -> Chosen<WORDS> {
        let mut set = *value;
        set.0[vertex / 64] |= u64::from(chosen) << (vertex % 64);
        set
    }

    /// Keeps the smaller set, so that the result does not depend on the number of threads.
    fn join(&self, into: &mut Chosen<WORDS>, other: Chosen<WORDS>) -> Result<(), Overflow> {
        into.0 = into.0.min(other.0);
        Ok(())
    }
}
