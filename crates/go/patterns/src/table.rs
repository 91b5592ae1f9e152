//! The file of a model.
//!
//! All numbers are little-endian. `ishi-patterns 1\n`; the number of tactical features and their weights (16 bits, in units of
//! 1/1000); for each keyed group the number of shapes, then the differences of their sorted numbers (7 bits a byte, the last
//! byte without its top bit), then their weights (8 bits, in units of 1/20); the same tactical weights and 3x3 shapes for
//! playouts (shapes with 16 bits); a checksum (FNV-1a, 64 bits) of everything before it.

use std::borrow::Cow;
use std::fmt;

use ishi_rng::checksum::{append_checksum, split_checksum};

use crate::features::{FIXED, KEYED};
use crate::model::{MAX_SHAPES, ShapeKeys, StrengthModel};
use crate::shape::KEY_BITS;

const MAGIC: &[u8] = b"ishi-patterns 1\n";
/// Units of the tactical weights in one.
const FINE: f32 = 1000.0;
/// Units of the shapes' weights in one.
pub(crate) const COARSE: f32 = 20.0;

/// Why bytes are no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError(Cow<'static, str>);

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a table of move strengths: {}; `ishi go learn-patterns` writes one", self.0)
    }
}

impl std::error::Error for TableError {}

fn table_error(problem: impl Into<Cow<'static, str>>) -> TableError {
    TableError(problem.into())
}

/// Packs the model and that for playouts, which knows 3x3 shapes only.
pub fn pack_models(model: &StrengthModel, playouts: &StrengthModel) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    pack_model(model, COARSE, &mut bytes);
    pack_model(playouts, FINE, &mut bytes);
    append_checksum(&mut bytes);
    bytes
}

fn pack_model(model: &StrengthModel, unit: f32, bytes: &mut Vec<u8>) {
    bytes.extend((FIXED as u32).to_le_bytes());
    let (fixed, keyed) = model.weights.split_at(FIXED);
    for weight in fixed {
        bytes.extend(((weight * FINE).round() as i16).to_le_bytes());
    }
    bytes.extend((KEYED as u32).to_le_bytes());
    let mut start = 0;
    for keys in model.keys.groups() {
        bytes.extend((keys.len() as u32).to_le_bytes());
        let mut before = 0;
        for &key in keys {
            put_varint(key - before, bytes);
            before = key;
        }
        for weight in &keyed[start..start + keys.len()] {
            let units = (weight * unit).round();
            if unit == FINE {
                bytes.extend((units as i16).to_le_bytes());
            } else {
                bytes.push((units as i8) as u8);
            }
        }
        start += keys.len();
    }
}

/// Reads what [`pack_models`] wrote.
///
/// # Errors
/// If the bytes are no such file, are cut off or damaged, or belong to other features than this program's.
pub fn unpack_models(bytes: &[u8]) -> Result<(StrengthModel, StrengthModel), TableError> {
    if !bytes.starts_with(MAGIC) {
        return Err(table_error("byte 0: it must begin with ishi-patterns 1"));
    }
    let body = split_checksum(bytes).map_err(|error| table_error(error.to_string()))?;
    let mut reader = TableReader { bytes: body };
    reader.take_bytes(MAGIC.len())?;
    let model = reader.read_model(COARSE)?;
    let playouts = reader.read_model(FINE)?;
    if reader.bytes.is_empty() { Ok((model, playouts)) } else { Err(table_error("bytes are left over")) }
}

fn put_varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct TableReader<'a> {
    bytes: &'a [u8],
}

impl<'a> TableReader<'a> {
    fn take_bytes(&mut self, count: usize) -> Result<&'a [u8], TableError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(table_error("it ends too early"))?;
        self.bytes = rest;
        Ok(taken)
    }

    fn read_count(&mut self) -> Result<usize, TableError> {
        let bytes = self.take_bytes(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }

    /// `count` weights of 16 bits.
    fn read_fine_weights(&mut self, count: usize) -> Result<Vec<f32>, TableError> {
        let bytes = self.take_bytes(count.saturating_mul(2))?;
        Ok(bytes
            .chunks_exact(2)
            .map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / FINE)
            .collect())
    }

    fn read_varint(&mut self) -> Result<u64, TableError> {
        let mut number = 0;
        for shift in (0..KEY_BITS).step_by(7) {
            let byte = self.take_bytes(1)?[0];
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(table_error("a number is too long"))
    }

    fn read_keys(&mut self, count: usize) -> Result<Vec<u64>, TableError> {
        if count > self.bytes.len() {
            return Err(table_error("it ends too early"));
        }
        if count > MAX_SHAPES {
            return Err(table_error("it has too many shapes"));
        }
        let (mut keys, mut key) = (Vec::with_capacity(count), 0);
        for n in 0..count {
            let step = self.read_varint()?;
            key += step;
            if key >> KEY_BITS != 0 || (n > 0 && step == 0) {
                return Err(table_error("its shapes are not in order"));
            }
            keys.push(key);
        }
        Ok(keys)
    }

    fn read_model(&mut self, unit: f32) -> Result<StrengthModel, TableError> {
        if self.read_count()? != FIXED {
            return Err(table_error("it was made for other features"));
        }
        let mut weights = self.read_fine_weights(FIXED)?;
        if self.read_count()? != KEYED {
            return Err(table_error("it was made for other shapes"));
        }
        let mut groups = Vec::with_capacity(KEYED);
        for _ in 0..KEYED {
            let count = self.read_count()?;
            groups.push(self.read_keys(count)?);
            if unit == FINE {
                weights.extend(self.read_fine_weights(count)?);
            } else {
                weights.extend(self.take_bytes(count)?.iter().map(|&byte| f32::from(byte as i8) / unit));
            }
        }
        if groups.iter().map(Vec::len).sum::<usize>() > MAX_SHAPES {
            return Err(table_error("it has too many shapes"));
        }
        let keys = ShapeKeys::new(groups);
        Ok(StrengthModel { keys, weights })
    }
}
