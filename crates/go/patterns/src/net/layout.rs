//! Where each part of the network stands in the one list of its numbers, which is also the order in the file.

use std::ops::Range;

use super::kernel::{CHANNELS, ChannelValues, TAPS};
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
pub(crate) struct NetworkLayout {
    pub(crate) blocks: usize,
}

impl NetworkLayout {
    /// Weights of the input: for each tap and each of [`INPUTS`] a row of channels.
    pub(crate) fn input_range(self) -> Range<usize> {
        0..INPUT_TAPS * INPUTS * CHANNELS
    }

    pub(crate) fn input_bias_range(self) -> Range<usize> {
        range_after(self.input_range(), CHANNELS)
    }

    /// Weights of convolution `number`, two a block.
    pub(crate) fn kernel_range(self, number: usize) -> Range<usize> {
        let start = self.input_bias_range().end + number * (KERNEL + CHANNELS);
        start..start + KERNEL
    }

    pub(crate) fn bias_range(self, number: usize) -> Range<usize> {
        range_after(self.kernel_range(number), CHANNELS)
    }

    /// Convolutions of the trunk.
    pub(crate) fn kernel_count(self) -> usize {
        2 * self.blocks
    }

    /// Factors of the channels in a move's score.
    pub(crate) fn policy_range(self) -> Range<usize> {
        let start = self.input_bias_range().end + self.kernel_count() * (KERNEL + CHANNELS);
        start..start + CHANNELS
    }

    /// Factor of the logarithm of the probability by the strengths.
    pub(crate) fn policy_strength_index(self) -> usize {
        self.policy_range().end
    }

    /// Weights of the value's hidden units: a row of [`HIDDEN`] for each of [`VALUE_INPUTS`].
    pub(crate) fn hidden_range(self) -> Range<usize> {
        let start = self.policy_strength_index() + 1;
        start..start + VALUE_INPUTS * HIDDEN
    }

    pub(crate) fn hidden_bias_range(self) -> Range<usize> {
        range_after(self.hidden_range(), HIDDEN)
    }

    /// Factors of the hidden units, and the bias.
    pub(crate) fn value_range(self) -> Range<usize> {
        range_after(self.hidden_bias_range(), HIDDEN + 1)
    }

    /// All numbers.
    pub(crate) fn total_count(self) -> usize {
        self.value_range().end
    }
}

fn range_after(range: Range<usize>, len: usize) -> Range<usize> {
    range.end..range.end + len
}

/// A row of channels out of the list.
pub(crate) fn as_channels(numbers: &[f32]) -> &[ChannelValues] {
    numbers.as_chunks().0
}

/// The same, to be changed.
pub(crate) fn as_channels_mut(numbers: &mut [f32]) -> &mut [ChannelValues] {
    numbers.as_chunks_mut().0
}
