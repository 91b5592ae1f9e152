//! What a network consists of, and in which order its numbers stand in the file.

use std::fmt;

use crate::planes::{NUMBERS, PLANES};

/// Channels are stored and computed by groups of this many.
pub(crate) const GROUP: usize = 16;
/// Points of a kernel of 3x3.
pub(crate) const TAPS: usize = 9;
/// Hidden units of the value head.
pub(crate) const HIDDEN: usize = 64;
/// Policies: the judge's, then that of strong people.
pub(crate) const POLICIES: usize = 2;
/// What the value head says: winner, lead, spread.
pub(crate) const VALUES: usize = 3;
/// Numbers that a pooled channel becomes.
pub(crate) const POOLS: usize = 3;

/// The size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// Residual blocks, of two convolutions each.
    pub blocks: u8,
    /// Channels of the trunk, a multiple of 16.
    pub channels: u8,
    /// Channels of each head, a multiple of 16.
    pub head: u8,
    /// Channels that pooling blocks pool, fewer than `channels`.
    pub pooled: u8,
}

impl NetworkShape {
    /// A shape with the usual heads: 32 channels each, and 32 pooled channels or, in trunks of fewer than 64 channels, a quarter.
    pub fn new(blocks: u8, channels: u8) -> NetworkShape {
        NetworkShape { blocks, channels, head: 32, pooled: if channels >= 64 { 32 } else { channels / 4 } }
    }

    /// What is wrong with it.
    pub(crate) fn find_fault(self) -> Option<ShapeFault> {
        let whole = |channels: u8| channels > 0 && usize::from(channels).is_multiple_of(GROUP);
        if self.blocks == 0 {
            Some(ShapeFault::Blocks)
        } else if !whole(self.channels) {
            Some(ShapeFault::Channels(self.channels))
        } else if !whole(self.head) {
            Some(ShapeFault::Head(self.head))
        } else if self.pooled == 0 || self.pooled >= self.channels {
            Some(ShapeFault::Pooled(self.pooled, self.channels))
        } else {
            None
        }
    }

    /// Does the block of this index (from 0) look at the whole board? Every third one does.
    pub(crate) fn is_pooling_block(block: usize) -> bool {
        block % 3 == 2
    }

    pub(crate) fn trunk_channels(self) -> usize {
        self.channels.into()
    }

    pub(crate) fn head_channels(self) -> usize {
        self.head.into()
    }

    pub(crate) fn pooled_channels(self) -> usize {
        self.pooled.into()
    }

    /// Channels of a pooling block that hear of the pooled ones.
    pub(crate) fn local_channels(self) -> usize {
        self.trunk_channels() - self.pooled_channels()
    }

    /// Number of weights.
    pub fn weight_count(self) -> usize {
        self.part_lengths().into_iter().sum()
    }

    /// The lengths of all parts in the order of the file.
    fn part_lengths(self) -> Vec<usize> {
        let (c, h, g) = (self.trunk_channels(), self.head_channels(), self.pooled_channels());
        let mut lengths = vec![c * PLANES * TAPS, c * NUMBERS, c];
        for block in 0..usize::from(self.blocks) {
            lengths.extend([c * c * TAPS, c]);
            lengths.push(if NetworkShape::is_pooling_block(block) {
                self.local_channels() * POOLS * g
            } else {
                0
            });
            lengths.extend([c * c * TAPS, c]);
        }
        lengths.extend([h * c, h, h * POOLS * h, h * c, h, POLICIES * h, POLICIES * POOLS * h, POLICIES]);
        lengths.extend([h * c, h, h, 1, HIDDEN * POOLS * h, HIDDEN, VALUES * HIDDEN, VALUES]);
        lengths
    }
}

/// `6x96`.
impl fmt::Display for NetworkShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.blocks, self.channels)
    }
}

/// Why a shape is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeFault {
    /// No block.
    Blocks,
    /// Channels of the trunk are not whole groups.
    Channels(u8),
    /// Channels of the heads are not whole groups.
    Head(u8),
    /// Pooled channels, of so many.
    Pooled(u8, u8),
}

impl fmt::Display for ShapeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeFault::Blocks => f.write_str("a network must have at least one block"),
            ShapeFault::Channels(n) => {
                write!(f, "{n} channels: a trunk must have a multiple of {GROUP} channels")
            }
            ShapeFault::Head(n) => {
                write!(f, "{n} channels of the heads: they must be a multiple of {GROUP}")
            }
            ShapeFault::Pooled(pooled, channels) => {
                write!(f, "{pooled} pooled channels: they must be at least 1 and fewer than all {channels}")
            }
        }
    }
}

/// The parts of a network, each a matrix row by row; [out][in][3][3] for kernels.
pub(crate) struct NetworkParts<'a> {
    pub(crate) input: &'a [f32],
    pub(crate) input_numbers: &'a [f32],
    pub(crate) input_bias: &'a [f32],
    pub(crate) blocks: Vec<BlockParts<'a>>,
    pub(crate) asking: &'a [f32],
    pub(crate) asking_bias: &'a [f32],
    pub(crate) policy_pool: &'a [f32],
    pub(crate) moves: &'a [f32],
    pub(crate) moves_bias: &'a [f32],
    pub(crate) logits: &'a [f32],
    pub(crate) passing: &'a [f32],
    pub(crate) passing_bias: &'a [f32],
    pub(crate) values: &'a [f32],
    pub(crate) values_bias: &'a [f32],
    pub(crate) owners: &'a [f32],
    pub(crate) owners_bias: &'a [f32],
    pub(crate) hidden: &'a [f32],
    pub(crate) hidden_bias: &'a [f32],
    pub(crate) out: &'a [f32],
    pub(crate) out_bias: &'a [f32],
}

/// The parts of a block.
pub(crate) struct BlockParts<'a> {
    pub(crate) first: &'a [f32],
    pub(crate) first_bias: &'a [f32],
    /// Empty in blocks that do not pool.
    pub(crate) pool: &'a [f32],
    pub(crate) second: &'a [f32],
    pub(crate) second_bias: &'a [f32],
}

impl<'a> NetworkParts<'a> {
    /// # Panics
    /// If there are fewer numbers than [`NetworkShape::weight_count`].
    pub(crate) fn split_weights(shape: NetworkShape, numbers: &'a [f32]) -> NetworkParts<'a> {
        let (mut lengths, mut rest) = (shape.part_lengths().into_iter(), numbers);
        let mut next = || {
            let (part, after) = rest.split_at(lengths.next().expect("a length for each part"));
            rest = after;
            part
        };
        NetworkParts {
            input: next(),
            input_numbers: next(),
            input_bias: next(),
            blocks: (0..shape.blocks)
                .map(|_| BlockParts {
                    first: next(),
                    first_bias: next(),
                    pool: next(),
                    second: next(),
                    second_bias: next(),
                })
                .collect(),
            asking: next(),
            asking_bias: next(),
            policy_pool: next(),
            moves: next(),
            moves_bias: next(),
            logits: next(),
            passing: next(),
            passing_bias: next(),
            values: next(),
            values_bias: next(),
            owners: next(),
            owners_bias: next(),
            hidden: next(),
            hidden_bias: next(),
            out: next(),
            out_bias: next(),
        }
    }
}
