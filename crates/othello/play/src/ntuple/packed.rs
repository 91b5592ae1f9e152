//! The file of a network: its shape as it is, its weights by an adaptive binary range coder. docs/formats.md describes it.
//!
//! The coder is the one of LZMA (I. Pavlov): 32-bit range, probabilities of 11 bits that move by 1/16. A weight is coded as
//! its length in bits, its sign, and its bits below the first; the length is predicted by the group and by how many
//! squares of the tuple are empty.

use ishi_othello::Square;
use ishi_rng::checksum::{ChecksumError, append_checksum, split_checksum};

use super::network::{NTupleNetwork, NetworkPhases};
use super::shape::{TupleGroup, TupleShape};
use super::tuple::{MAX_LENGTH, SquareTuple};

/// What a file begins with; the last character is the version.
const MAGIC: &[u8; 8] = b"ishi-nt1";
/// The most weights that a file may announce: 128 MiB in memory.
const MAX_WEIGHTS: usize = 1 << 25;
/// Lengths of weights: 0 for a weight of 0, to 31 bits.
const LENGTHS: usize = 32;

/// The bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackedError {
    /// Something else.
    #[error("not a network of ishi: byte 0: it must begin with ishi-nt1")]
    Magic,
    /// One of another version.
    #[error("the network: byte 7: the version must be 1; learn it again, or use the ishi that wrote it")]
    Version,
    /// The bytes end too early.
    #[error("the network: {0}")]
    Short(#[from] ByteInputEnd),
    /// The checksum is not that of the content.
    #[error("the network: {0}; learn it again, or take a copy")]
    Checksum(ChecksumError),
    /// The content makes no sense.
    #[error("the network: byte {at}: {right}")]
    Content {
        /// Where, in bytes from the start.
        at: usize,
        /// What must be.
        right: &'static str,
    },
}

impl PackedError {
    /// The error of a network that stands `start` bytes behind the start of a file, with its place in that file.
    #[must_use]
    pub fn moved_by(self, start: usize) -> PackedError {
        match self {
            PackedError::Short(ByteInputEnd { at }) => ByteInputEnd { at: at + start }.into(),
            PackedError::Checksum(ChecksumError::Wrong { at, content }) => {
                PackedError::Checksum(ChecksumError::Wrong { at: at + start, content })
            }
            PackedError::Checksum(ChecksumError::Short { length }) => {
                PackedError::Checksum(ChecksumError::Short { length: length + start })
            }
            PackedError::Content { at, right } => PackedError::Content { at: at + start, right },
            // Their words name the place from the network's own start.
            PackedError::Magic | PackedError::Version => {
                PackedError::Content { at: start, right: "a network must begin with ishi-nt1" }
            }
            PackedError::Checksum(ChecksumError::Missing) => self,
        }
    }
}

fn content_error(at: usize, right: &'static str) -> PackedError {
    PackedError::Content { at, right }
}

impl NTupleNetwork {
    /// The network as the bytes of a file; reading them gives the same network.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.unit().to_le_bytes());
        bytes.push(self.phases().begins().len() as u8);
        bytes.extend(self.phases().begins());
        bytes.extend((self.shape().groups().len() as u16).to_le_bytes());
        for group in self.shape().groups() {
            pack_group(group, &mut bytes);
        }
        let mut coder = WeightEncoder::new();
        for_each_weight(self.shape(), self.phases().count(), |phase, group, content, model| {
            coder.encode_weight(self.group_weights(phase, group)[content], model);
            Ok::<(), ()>(())
        })
        .unwrap_or_default();
        bytes.extend(coder.finish());
        append_checksum(&mut bytes);
        bytes
    }

    /// Reads what [`NTupleNetwork::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<NTupleNetwork, PackedError> {
        check_version(bytes)?;
        let content = split_checksum(bytes).map_err(PackedError::Checksum)?;
        let mut input = ByteInput::new(content.get(MAGIC.len()..).unwrap_or_default(), MAGIC.len());
        let unit = f64::from_le_bytes(input.take_array()?);
        if !(unit.is_finite() && unit > 0.0) {
            return Err(content_error(MAGIC.len(), "the unit must be a positive number"));
        }
        let start = input.at();
        let count = usize::from(input.take_byte()?);
        let phases = NetworkPhases::beginning_at(input.take_bytes(count)?)
            .ok_or(content_error(start, "the phases must begin in ascending order"))?;
        let start = input.at();
        let groups = unpack_groups(&mut input, MAX_WEIGHTS / phases.count())?;
        let shape =
            TupleShape::new(groups).ok_or(content_error(start, "there must be tuples, and not too many"))?;
        let mut network = NTupleNetwork::with_zero_weights(shape.clone(), phases, unit);
        network.unpack_weights(&shape, input)?;
        Ok(network)
    }

    fn unpack_weights(&mut self, shape: &TupleShape, input: ByteInput<'_>) -> Result<(), PackedError> {
        let mut coder = WeightDecoder::new(input);
        let (limit, phases) = (self.weight_limit(), self.phases().count());
        for_each_weight(shape, phases, |phase, group, content, model| {
            let weight = coder.decode_weight(model)?;
            if weight.unsigned_abs() > limit.unsigned_abs() {
                return Err(content_error(coder.bytes.at(), "the weight before must be within the limit"));
            }
            let weights = self.group_weights_mut(phase, group);
            weights[content] = weight;
            for twin in shape.groups()[group].twins() {
                weights[usize::from(twin[content])] = weight;
            }
            Ok(())
        })
    }

    /// The network in a coarser unit: for shipping. Weights that would leave the limit are cut off.
    pub fn rounded_to_unit(&self, unit: f64) -> NTupleNetwork {
        let mut rounded = NTupleNetwork::with_zero_weights(self.shape().clone(), self.phases().clone(), unit);
        let limit = f64::from(self.weight_limit());
        for (own, weight) in rounded.all_weights_mut().iter_mut().zip(self.all_weights()) {
            *own = (f64::from(*weight) * self.unit() / unit).round().clamp(-limit, limit) as i32;
        }
        rounded
    }
}

/// Do the bytes begin as a network of this version?
fn check_version(bytes: &[u8]) -> Result<(), PackedError> {
    let (name, version) = MAGIC.split_at(MAGIC.len() - 1);
    match bytes.strip_prefix(name) {
        None => Err(PackedError::Magic),
        Some([]) => Err(ByteInputEnd { at: name.len() }.into()),
        Some(rest) if rest.starts_with(version) => Ok(()),
        Some(_) => Err(PackedError::Version),
    }
}

/// Visits every weight that is stored, one of each set of twins, with the model that its length is coded by.
fn for_each_weight<E>(
    shape: &TupleShape,
    phases: usize,
    mut with: impl FnMut(usize, usize, usize, &mut WeightModel) -> Result<(), E>,
) -> Result<(), E> {
    let kinds: Vec<u8> = (0..3usize.pow(MAX_LENGTH as u32)).map(count_empties).collect();
    for phase in 0..phases {
        for (number, group) in shape.groups().iter().enumerate() {
            let length = group.placements()[0].len();
            let mut models = vec![WeightModel::default(); MAX_LENGTH + 1];
            for content in 0..group.contents() {
                let first = group.twins().iter().all(|twin| content <= usize::from(twin[content]));
                if first {
                    // Digits beyond the tuple's length are 0: not empty.
                    let model = usize::from(kinds[content]).min(length);
                    with(phase, number, content, &mut models[model])?;
                }
            }
        }
    }
    Ok(())
}

/// How many digits of a content are 1.
fn count_empties(mut content: usize) -> u8 {
    let mut count = 0;
    while content > 0 {
        count += u8::from(content % 3 == 1);
        content /= 3;
    }
    count
}

fn pack_group(group: &TupleGroup, bytes: &mut Vec<u8>) {
    let placements = group.placements();
    let symmetric = TupleGroup::from_symmetries(&placements[0]) == *group;
    let written = if symmetric { &placements[..1] } else { placements };
    bytes.push(placements[0].len() as u8);
    bytes.push(if symmetric { 0 } else { placements.len() as u8 });
    for tuple in written {
        bytes.extend(tuple.squares().iter().map(|square| square.index() as u8));
    }
}

/// Reads the groups; together they may have so many weights.
fn unpack_groups(input: &mut ByteInput<'_>, most: usize) -> Result<Vec<TupleGroup>, PackedError> {
    let (mut groups, mut size) = (Vec::new(), 0);
    for _ in 0..u16::from_le_bytes(input.take_array()?) {
        let start = input.at();
        let group = unpack_group(input)?;
        size += group.contents();
        if size > most || groups.len() == TupleShape::MAX_LANES {
            return Err(content_error(start, "there must be fewer weights"));
        }
        groups.push(group);
    }
    Ok(groups)
}

fn unpack_group(input: &mut ByteInput<'_>) -> Result<TupleGroup, PackedError> {
    let start = input.at();
    let (length, count) = (usize::from(input.take_byte()?), usize::from(input.take_byte()?));
    let mut placements = Vec::new();
    for _ in 0..count.max(1) {
        let squares = input.take_bytes(length)?.iter().map(|&square| Square::new(usize::from(square)));
        let squares =
            squares.collect::<Option<_>>().ok_or(content_error(start, "squares must be 0 to 63"))?;
        placements.push(
            SquareTuple::new(squares)
                .map_err(|_| content_error(start, "the squares must be those of a tuple"))?,
        );
    }
    let group = if count == 0 {
        Some(TupleGroup::from_symmetries(&placements[0]))
    } else {
        TupleGroup::from_placements(placements)
    };
    group.ok_or(content_error(start, "a group must have placements, and not too many"))
}

/// Bytes still to be read, and where in their file they begin.
pub struct ByteInput<'a> {
    rest: &'a [u8],
    at: usize,
}

/// The bytes end where more must follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: it is cut off: more must follow")]
pub struct ByteInputEnd {
    /// Where what is cut off begins, in bytes from the start of the file.
    pub at: usize,
}

impl<'a> ByteInput<'a> {
    /// These bytes, which stand in their file from byte `at` on.
    pub fn new(rest: &'a [u8], at: usize) -> ByteInput<'a> {
        ByteInput { rest, at }
    }

    /// Where the next byte stands in the file, from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Has everything been read?
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn take_bytes(&mut self, count: usize) -> Result<&'a [u8], ByteInputEnd> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(ByteInputEnd { at: self.at })?;
        self.rest = rest;
        self.at += count;
        Ok(taken)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn take_array<const N: usize>(&mut self) -> Result<[u8; N], ByteInputEnd> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(ByteInputEnd { at: self.at })?;
        self.rest = rest;
        self.at += N;
        Ok(*taken)
    }

    fn take_byte(&mut self) -> Result<u8, ByteInputEnd> {
        self.take_array().map(|[byte]| byte)
    }
}

/// Probabilities, of 2048, that the next bit is 0.
#[derive(Clone)]
struct WeightModel {
    /// Length of the weight, as a binary tree of five levels.
    length: [u16; LENGTHS],
    /// The first bit below the leading one, by length.
    second: [u16; LENGTHS],
    /// By length.
    negative: [u16; LENGTHS],
}

impl Default for WeightModel {
    fn default() -> WeightModel {
        WeightModel { length: [1024; LENGTHS], second: [1024; LENGTHS], negative: [1024; LENGTHS] }
    }
}

const HALF: u16 = 1024;
const TOP: u32 = 1 << 24;

/// A coder of bits.
trait BitCoder {
    /// Codes a bit; a decoder takes no notice of the one that it is given.
    fn code_bit(&mut self, bit: u32, probability: &mut u16) -> Result<u32, PackedError>;

    /// Codes a weight.
    fn code_weight(&mut self, weight: i32, model: &mut WeightModel) -> Result<i32, PackedError> {
        let size = weight.unsigned_abs();
        let wanted = 32 - size.leading_zeros();
        let mut node = 1;
        for level in (0..5).rev() {
            node = 2 * node + self.code_bit(wanted >> level & 1, &mut model.length[node])? as usize;
        }
        let length = node - LENGTHS;
        if length == 0 {
            return Ok(0);
        }
        let negative = self.code_bit(u32::from(weight < 0), &mut model.negative[length])?;
        let mut value = 1u32;
        for level in (0..length - 1).rev() {
            let mut even = HALF;
            let probability = if level + 2 == length { &mut model.second[length] } else { &mut even };
            value = 2 * value + self.code_bit(size >> level & 1, probability)?;
        }
        Ok(if negative == 1 { -(value as i32) } else { value as i32 })
    }
}

fn adapt_probability(bit: u32, probability: &mut u16) {
    *probability = if bit == 0 {
        *probability + ((2048 - *probability) >> 4)
    } else {
        *probability - (*probability >> 4)
    };
}

struct WeightEncoder {
    low: u64,
    range: u32,
    bytes: Vec<u8>,
}

impl WeightEncoder {
    fn new() -> WeightEncoder {
        WeightEncoder { low: 0, range: u32::MAX, bytes: Vec::new() }
    }

    fn encode_weight(&mut self, weight: i32, model: &mut WeightModel) {
        self.code_weight(weight, model).unwrap_or_default();
    }

    /// Moves a byte out; a carry goes back into the bytes before.
    fn shift_out_byte(&mut self) {
        if self.low > u64::from(u32::MAX) {
            for byte in self.bytes.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        self.low &= u64::from(u32::MAX);
        self.bytes.push((self.low >> 24) as u8);
        self.low = (self.low << 8) & u64::from(u32::MAX);
    }

    fn finish(mut self) -> Vec<u8> {
        (0..4).for_each(|_| self.shift_out_byte());
        self.bytes
    }
}

impl BitCoder for WeightEncoder {
    fn code_bit(&mut self, bit: u32, probability: &mut u16) -> Result<u32, PackedError> {
        let bound = (self.range >> 11) * u32::from(*probability);
        if bit == 0 {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        adapt_probability(bit, probability);
        while self.range < TOP {
            self.range <<= 8;
            self.shift_out_byte();
        }
        Ok(bit)
    }
}

struct WeightDecoder<'a> {
    code: u32,
    range: u32,
    bytes: ByteInput<'a>,
}

impl<'a> WeightDecoder<'a> {
    fn new(mut bytes: ByteInput<'a>) -> WeightDecoder<'a> {
        let code = bytes.take_array().map_or(0, u32::from_be_bytes);
        WeightDecoder { code, range: u32::MAX, bytes }
    }

    fn decode_weight(&mut self, model: &mut WeightModel) -> Result<i32, PackedError> {
        self.code_weight(0, model)
    }
}

impl BitCoder for WeightDecoder<'_> {
    fn code_bit(&mut self, _: u32, probability: &mut u16) -> Result<u32, PackedError> {
        let bound = (self.range >> 11) * u32::from(*probability);
        let bit = u32::from(self.code >= bound);
        if bit == 0 {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        adapt_probability(bit, probability);
        while self.range < TOP {
            self.range <<= 8;
            self.code = self.code << 8 | u32::from(self.bytes.take_byte()?);
        }
        Ok(bit)
    }
}
