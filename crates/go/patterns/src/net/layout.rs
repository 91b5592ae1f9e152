//! Where each part of the network stands in the one list of its numbers, which is also the order in the file.

use std::ops::Range;

use super::kernel::{CHANNELS, Channels, TAPS};
use super::planes::INPUTS;

/// Points of the input's kernel, 5x5.
pub(crate) const INPUT_TAPS: usize = 25;
/// Hidden units of the value.
pub(crate) const HIDDEN: usize = 32;
/// Numbers that the value sees: the means of the channels, and the colour.
pub(crate) const VALUE_INPUTS: usize = CHANNELS + 1;

/// Numbers in a convolution of the trunk.
const KERNEL: usize = TAPS * CHANNELS * CHANNELS;

/// Where the parts are, for so many blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) blocks: usize,
}

impl Layout {
    /// Weights of the input: for each tap and each of [`INPUTS`] a row of channels.
    pub(crate) fn input(self) -> Range<usize> {
        0..INPUT_TAPS * INPUTS * CHANNELS
    }

    pub(crate) fn input_bias(self) -> Range<usize> {
        after(self.input(), CHANNELS)
    }

    /// Weights of convolution `number`, two a block.
    pub(crate) fn kernel(self, number: usize) -> Range<usize> {
        let start = self.input_bias().end + number * (KERNEL + CHANNELS);
        start..start + KERNEL
    }

    pub(crate) fn bias(self, number: usize) -> Range<usize> {
        after(self.kernel(number), CHANNELS)
    }

    /// Convolutions of the trunk.
    pub(crate) fn kernels(self) -> usize {
        2 * self.blocks
    }

    /// Factors of the channels in a move's score.
    pub(crate) fn policy(self) -> Range<usize> {
        let start = self.input_bias().end + self.kernels() * (KERNEL + CHANNELS);
        start..start + CHANNELS
    }

    /// Factor of the logarithm of the probability by the strengths.
    pub(crate) fn policy_strength(self) -> usize {
        self.policy().end
    }

    /// Weights of the value's hidden units: a row of [`HIDDEN`] for each of [`VALUE_INPUTS`].
    pub(crate) fn hidden(self) -> Range<usize> {
        let start = self.policy_strength() + 1;
        start..start + VALUE_INPUTS * HIDDEN
    }

    pub(crate) fn hidden_bias(self) -> Range<usize> {
        after(self.hidden(), HIDDEN)
    }

    /// Factors of the hidden units, and the bias.
    pub(crate) fn value(self) -> Range<usize> {
        after(self.hidden_bias(), HIDDEN + 1)
    }

    /// All numbers.
    pub(crate) fn total(self) -> usize {
        self.value().end
    }
}

fn after(range: Range<usize>, len: usize) -> Range<usize> {
    range.end..range.end + len
}

/// A row of channels out of the list.
pub(crate) fn channels(numbers: &[f32]) -> &[Channels] {
    numbers.as_chunks().0
}

/// The same, to be changed.
pub(crate) fn channels_mut(numbers: &mut [f32]) -> &mut [Channels] {
    numbers.as_chunks_mut().0
}
