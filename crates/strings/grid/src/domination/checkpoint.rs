//! A sweep's layer at the end of an antidiagonal as bytes, to go on from.

use thiserror::Error;

use super::key::Key;
use super::shape::BoardShape;
use super::sweep::SweepLayer;
use super::tally::Tally;

const MAGIC: &[u8; 8] = b"ishiswp1";

/// Why a sweep cannot go on from a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SweepCheckpointError {
    /// No checkpoint, or a damaged one.
    #[error("these bytes are no whole checkpoint of a count")]
    Damaged,
    /// That of another board or question.
    #[error("the checkpoint is that of another count: {width}x{height}, loss {limit}")]
    Other {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
        /// Limit of the loss.
        limit: u64,
    },
}

/// Offered the state of a sweep; calling its argument makes the bytes.
pub type SaveCheckpoint<'a> = &'a mut dyn FnMut(&dyn Fn() -> Vec<u8>);

/// Where a sweep may begin, and what becomes of its layers on the way.
pub struct SweepCheckpoints<'a> {
    /// What was saved before, to go on from.
    pub resume: Option<Vec<u8>>,
    /// Called after every antidiagonal.
    pub save: SaveCheckpoint<'a>,
}

/// The layer after antidiagonals `0..diagonals`.
pub(super) fn layer_to_bytes<K: Key, T: Tally>(
    shape: &BoardShape,
    limit: u32,
    diagonals: usize,
    layer: &SweepLayer<K, T>,
) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let states = layer.keys.len();
    for number in [shape.width(), shape.height(), limit as usize, T::BYTES, diagonals, states] {
        bytes.extend((number as u64).to_le_bytes());
    }
    for index in 0..states {
        for word in layer.keys[index].words() {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(layer.losses[index].to_le_bytes());
        layer.tallies[index].write_bytes(&mut bytes);
    }
    bytes
}

/// Reads what `layer_to_bytes` wrote: how many antidiagonals are done, and the layer.
pub(super) fn layer_from_bytes<K: Key, T: Tally>(
    shape: &BoardShape,
    limit: u32,
    bytes: &[u8],
) -> Result<(usize, SweepLayer<K, T>), SweepCheckpointError> {
    let mut rest = bytes.strip_prefix(MAGIC).ok_or(SweepCheckpointError::Damaged)?;
    let mut number = || -> Result<u64, SweepCheckpointError> {
        let (first, others) = rest.split_first_chunk().ok_or(SweepCheckpointError::Damaged)?;
        rest = others;
        Ok(u64::from_le_bytes(*first))
    };
    let (width, height, found, size) = (number()?, number()?, number()?, number()?);
    let (diagonals, states) = (number()? as usize, number()? as usize);
    let same = (width, height) == (shape.width() as u64, shape.height() as u64);
    if !same || found != u64::from(limit) || size != T::BYTES as u64 {
        return Err(SweepCheckpointError::Other { width, height, limit: found });
    }
    let each = 32 + 2 + T::BYTES;
    if states.checked_mul(each) != Some(rest.len()) || diagonals > shape.diagonal_count() {
        return Err(SweepCheckpointError::Damaged);
    }
    let mut layer = SweepLayer::with_room(states);
    for state in rest.chunks_exact(each) {
        let word = |from: usize| u64::from_le_bytes(std::array::from_fn(|byte| state[from + byte]));
        layer.keys.push(K::from_words([word(0), word(8), word(16), word(24)]));
        layer.losses.push(u16::from_le_bytes([state[32], state[33]]));
        layer.tallies.push(T::read_bytes(&state[34..]));
    }
    if layer.keys.is_sorted() { Ok((diagonals, layer)) } else { Err(SweepCheckpointError::Damaged) }
}
