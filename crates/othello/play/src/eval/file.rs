//! The file of learned weights: `ISHI-OTHELLO-EVAL 2` and a newline, a checksum, and the compressed numbers.
//!
//! The checksum is FNV-1a, 64 bits, little endian, of what follows it. That is a zlib stream of: phases and weights a
//! phase, 32 bits each, little endian; then each weight in all phases, one after the other, in parts of a disc, as signed numbers of
//! variable length (zigzag, seven bits a byte, the last byte without its high bit). A part is an eighth, and a quarter from
//! phase 15 on. A weight is alike in neighbouring phases, so that this order packs best.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use ishi_rng::checksum::fnv_checksum;

use super::weights::{PHASES, count_learned_weights};

const MAGIC: &[u8] = b"ISHI-OTHELLO-EVAL 2\n";

/// From this phase on weights are stored in quarters.
const COARSE_FROM: usize = 15;

/// Parts of a disc that a stored weight of a phase counts in. Searches solve what the last phases would judge, so they are stored coarsely.
fn parts_of_disc(phase: usize) -> f32 {
    if phase < COARSE_FROM { 8.0 } else { 4.0 }
}

/// The file is not one of weights for this evaluation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalFileError {
    /// The first line is another one.
    #[error("no evaluation of Othello: byte 0: the first line must be ISHI-OTHELLO-EVAL 2")]
    Magic,
    /// The contents are not those that were written.
    #[error("the evaluation: byte {at}: it is damaged or cut off: the checksum must be {found:016x}, not {expected:016x}", at = MAGIC.len())]
    Checksum {
        /// Of the contents.
        found: u64,
        /// In the file.
        expected: u64,
    },
    /// The contents end early or cannot be unpacked.
    #[error("the evaluation cannot be unpacked: {0}")]
    Contents(String),
    /// It was learned by a version of ishi with other patterns.
    #[error(
        "the evaluation has {phases} phases of {weights} weights: this version of ishi has {} of {}",
        PHASES,
        count_learned_weights()
    )]
    Shape {
        /// In the file.
        phases: u32,
        /// In the file.
        weights: u32,
    },
}

/// Packs learned weights, [`PHASES`] times [`count_learned_weights`], in discs. They are rounded to eighths, and to
/// quarters from phase 15 on.
pub fn pack_weights(learned: &[Vec<f32>]) -> Vec<u8> {
    let mut plain = Vec::new();
    plain.extend((learned.len() as u32).to_le_bytes());
    let weights = learned.first().map_or(0, Vec::len);
    plain.extend((weights as u32).to_le_bytes());
    for place in 0..weights {
        for (phase, weights) in learned.iter().enumerate() {
            let parts = (weights[place] * parts_of_disc(phase)).round();
            write_varint(parts.clamp(-32768.0, 32767.0) as i32, &mut plain);
        }
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(&plain).and_then(|()| encoder.finish());
    let packed = packed.expect("writing to memory does not fail");
    let mut file = MAGIC.to_vec();
    file.extend(fnv_checksum(&packed).to_le_bytes());
    file.extend(packed);
    file
}

/// Unpacks a file.
///
/// # Errors
/// If it is damaged, or not of this kind.
pub fn unpack_weights(file: &[u8]) -> Result<Vec<Vec<f32>>, EvalFileError> {
    let rest = file.strip_prefix(MAGIC).ok_or(EvalFileError::Magic)?;
    let short = || EvalFileError::Contents("it ends early".to_string());
    let (sum, packed) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let (found, expected) = (fnv_checksum(packed), u64::from_le_bytes(*sum));
    if found != expected {
        return Err(EvalFileError::Checksum { found, expected });
    }
    // No more than what such a file can hold, whatever the stream says.
    let most = (8 + 3 * PHASES * count_learned_weights()) as u64;
    let mut plain = Vec::new();
    let read = ZlibDecoder::new(packed).take(most).read_to_end(&mut plain);
    read.map_err(|error| EvalFileError::Contents(error.to_string()))?;
    let (phases, rest) = plain.split_first_chunk::<4>().ok_or_else(short)?;
    let (weights, mut rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
    let (phases, weights) = (u32::from_le_bytes(*phases), u32::from_le_bytes(*weights));
    if (phases as usize, weights as usize) != (PHASES, count_learned_weights()) {
        return Err(EvalFileError::Shape { phases, weights });
    }
    let mut learned = vec![Vec::new(); PHASES];
    for _ in 0..weights {
        for (phase, weights) in learned.iter_mut().enumerate() {
            weights.push(read_varint(&mut rest).ok_or_else(short)? as f32 / parts_of_disc(phase));
        }
    }
    Ok(learned)
}

fn write_varint(number: i32, bytes: &mut Vec<u8>) {
    let mut zigzag = (number << 1 ^ number >> 31) as u32;
    while zigzag >= 128 {
        bytes.push(zigzag as u8 | 128);
        zigzag >>= 7;
    }
    bytes.push(zigzag as u8);
}

fn read_varint(bytes: &mut &[u8]) -> Option<i32> {
    let mut zigzag = 0;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        zigzag |= u32::from(byte & 127) << shift;
        if byte < 128 {
            return Some((zigzag >> 1) as i32 ^ -((zigzag & 1) as i32));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;

    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let mut learned = vec![vec![0.0; count_learned_weights()]; PHASES];
        for (i, weight) in learned.iter_mut().flatten().enumerate() {
            *weight = if i % 7 == 0 { (i % 4001) as f32 / 4.0 - 500.0 } else { 0.0 };
        }
        let file = pack_weights(&learned);
        assert_eq!(unpack_weights(&file).as_ref(), Ok(&learned));
        // The last phases are stored more coarsely.
        for phase in &mut learned {
            phase[0] = 0.125;
        }
        let read = unpack_weights(&pack_weights(&learned)).unwrap();
        assert_eq!([COARSE_FROM - 1, COARSE_FROM].map(|phase| read[phase][0]), [0.125, 0.25]);
        assert_eq!(unpack_weights(b"nothing"), Err(EvalFileError::Magic));
        let mut damaged = file.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(matches!(unpack_weights(&damaged), Err(EvalFileError::Checksum { .. })));
        let error = unpack_weights(&damaged).unwrap_err().to_string();
        assert!(error.contains("byte 20: it is damaged or cut off: the checksum must be "), "{error}");
        assert!(unpack_weights(&file[..MAGIC.len() + 3]).is_err());
    }

    #[test]
    fn damaged_files_are_refused() {
        try_damaged_copies(super::super::weights::SHIPPED, Seed::new(1), 100, |what, damaged| {
            assert!(unpack_weights(damaged).is_err(), "{what}");
        });
    }

    #[test]
    fn the_shipped_file_is_whole() {
        let learned = unpack_weights(super::super::weights::SHIPPED).unwrap();
        assert!(learned.iter().flatten().any(|&weight| weight != 0.0));
    }
}
