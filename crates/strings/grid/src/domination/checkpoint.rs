//! A sweep's layer at the end of an antidiagonal as bytes, to go on from. docs/formats.md describes the file.
//!
//! What is read back decides the count, so nothing of it is taken on trust: a checksum tells damage, and what it cannot
//! tell (a file made by hand) is held against what a layer of this sweep can be.

use ishi_rng::checksum::{ChecksumError, append_checksum, extend_checksum, fnv_checksum, split_checksum};
use thiserror::Error;

use super::key::Key;
use super::shape::{BoardShape, CellConstraint};
use super::sweep::SweepLayer;
use super::tally::Tally;

/// What a checkpoint begins with; the last character is the version.
const MAGIC: &[u8; 8] = b"ishiswp2";
/// The magic without the version.
const MAGIC_NAME: &[u8] = b"ishiswp";
/// Bytes before the states.
const HEAD: usize = 8 + 8 * NUMBERS;
/// Numbers of the head, 64 bits each.
const NUMBERS: usize = 7;
/// Bytes of a key.
const KEY_BYTES: usize = 32;
/// Losses beyond this would leave no room for those to come in 16 bits.
const LARGEST_LOSS: u32 = u16::MAX as u32 - 64;

/// Why a sweep cannot go on from a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SweepCheckpointError {
    /// Something else.
    #[error("these bytes are no whole checkpoint of a count: byte 0: they must begin with {:?}", "ishiswp2")]
    Magic,
    /// That of another version of ishi.
    #[error(
        "the checkpoint is that of an older or newer ishi: byte 7: the version must be 2; remove the file, and count again"
    )]
    Version,
    /// Damaged.
    #[error("these bytes are no whole checkpoint of a count: {0}; remove the file, and count again")]
    Checksum(ChecksumError),
    /// The checksum is right, but no count has such a layer.
    #[error(
        "these bytes are no whole checkpoint of a count: byte {at}: {right}; remove the file, and count again"
    )]
    Content {
        /// Where, in bytes from the start.
        at: usize,
        /// What must be.
        right: &'static str,
    },
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
    bytes.reserve(HEAD + states * state_bytes::<T>());
    let [width, height, size] = [shape.width(), shape.height(), T::BYTES].map(|number| number as u64);
    let question = [width, height, u64::from(limit), size, given_checksum(shape)];
    for number in question.into_iter().chain([diagonals as u64, states as u64]) {
        bytes.extend(number.to_le_bytes());
    }
    for index in 0..states {
        for word in layer.keys[index].words() {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(layer.losses[index].to_le_bytes());
        layer.tallies[index].write_bytes(&mut bytes);
    }
    append_checksum(&mut bytes);
    bytes
}

/// Reads what `layer_to_bytes` wrote: how many antidiagonals are done, and the layer.
pub(super) fn layer_from_bytes<K: Key, T: Tally>(
    shape: &BoardShape,
    limit: u32,
    bytes: &[u8],
) -> Result<(usize, SweepLayer<K, T>), SweepCheckpointError> {
    if !bytes.starts_with(MAGIC_NAME) || bytes.len() < MAGIC.len() {
        return Err(SweepCheckpointError::Magic);
    }
    if !bytes.starts_with(MAGIC) {
        return Err(SweepCheckpointError::Version);
    }
    let content = split_checksum(bytes).map_err(SweepCheckpointError::Checksum)?;
    let (head, states) =
        content.split_at_checked(HEAD).ok_or(content_error(content.len(), "its head is missing"))?;
    let number = |place: usize| little_endian_word(&head[8 + 8 * place..]);
    let question: [u64; 5] = std::array::from_fn(number);
    let [width, height, found, size, given] = question;
    let same = (width, height) == (shape.width() as u64, shape.height() as u64);
    if !same || found != u64::from(limit) || size != T::BYTES as u64 || given != given_checksum(shape) {
        return Err(SweepCheckpointError::Other { width, height, limit: found });
    }
    let diagonals =
        usize::try_from(number(5)).ok().filter(|count| (1..=shape.diagonal_count()).contains(count));
    let diagonals = diagonals.ok_or(content_error(48, "so many antidiagonals must be on the board"))?;
    let count = usize::try_from(number(6)).ok().and_then(|count| count.checked_mul(state_bytes::<T>()));
    if count != Some(states.len()) {
        return Err(content_error(56, "so many states must follow"));
    }
    Ok((diagonals, read_layer(shape, limit, diagonals, states)?))
}

/// The states of a layer, each as a layer at this place can have it.
fn read_layer<K: Key, T: Tally>(
    shape: &BoardShape,
    limit: u32,
    diagonals: usize,
    states: &[u8],
) -> Result<SweepLayer<K, T>, SweepCheckpointError> {
    let points = shape.diagonal_rows(diagonals - 1).count();
    let is_last = diagonals == shape.diagonal_count();
    let mut layer = SweepLayer::with_room(states.len() / state_bytes::<T>());
    for (number, state) in states.chunks_exact(state_bytes::<T>()).enumerate() {
        let wrong = |right| content_error(HEAD + number * state_bytes::<T>(), right);
        let words = std::array::from_fn(|word| little_endian_word(&state[8 * word..]));
        let key =
            read_key::<K>(words, points).ok_or(wrong("the digits must be those of a frontier, 0 to 2"))?;
        if layer.keys.last().is_some_and(|before| *before >= key) {
            return Err(wrong("states must ascend"));
        }
        if is_last && key == K::EMPTY {
            return Err(wrong("the last point must need nothing"));
        }
        let loss = u16::from_le_bytes([state[KEY_BYTES], state[KEY_BYTES + 1]]);
        if u32::from(loss) > limit.min(LARGEST_LOSS) {
            return Err(wrong("the loss must be within the limit"));
        }
        layer.keys.push(key);
        layer.losses.push(loss);
        layer.tallies.push(T::read_bytes(&state[KEY_BYTES + 2..]));
    }
    Ok(layer)
}

/// The frontier of so many points with these digits, if it is one.
fn read_key<K: Key>(words: [u64; 4], points: usize) -> Option<K> {
    /// The low bit of every digit.
    const LOW: u64 = 0x5555_5555_5555_5555;
    let key = K::from_words(words);
    let has_no_three = words.iter().all(|word| word & (word >> 1) & LOW == 0);
    let fits = points < K::DIGITS && key.words() == words && key.drop_oldest(points) == K::EMPTY;
    (has_no_three && fits).then_some(key)
}

/// Bytes of a state: key, loss, tally.
fn state_bytes<T: Tally>() -> usize {
    KEY_BYTES + 2 + T::BYTES
}

/// What is given of the board, as a number: counts of other given points are other counts.
fn given_checksum(shape: &BoardShape) -> u64 {
    let rows = (0..shape.height()).flat_map(|y| (0..shape.width()).map(move |x| (x, y)));
    rows.fold(fnv_checksum(&[]), |sum, (x, y)| {
        let letter = match shape.given(x, y) {
            CellConstraint::Free => b'.',
            CellConstraint::Empty => b'e',
            CellConstraint::Stone => b's',
        };
        extend_checksum(sum, &[letter])
    })
}

/// The first eight bytes as a number. The caller has checked that they are there.
fn little_endian_word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|byte| bytes[byte]))
}

fn content_error(at: usize, right: &'static str) -> SweepCheckpointError {
    SweepCheckpointError::Content { at, right }
}
