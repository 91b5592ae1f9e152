//! The file of labelled positions from `ishi othello evaluation self-play`, which grows game by game.
//!
//! It says what it is. Then come positions of a fixed length, each with a checksum of its number and itself, so that a damaged one is
//! found out, and one in another's place, too.

use ishi_othello::Board;
use ishi_rng::checksum::{CHECKSUM_BYTES, extend_checksum, fnv_checksum};

use super::train::EvalSample;

/// What a file begins with; the last character is the version.
pub const MAGIC: &[u8; 8] = b"ishiopl1";
/// Bytes of a position: game, discs of the side to move, of the other, score.
const CONTENT: usize = 4 + 8 + 8 + 1;
/// Bytes of a position with its checksum.
const RECORD: usize = CONTENT + CHECKSUM_BYTES;

/// A position and the number of the game that it is of.
pub type GameLabel = (u32, EvalSample);

/// Bytes of a file of so many positions.
pub fn file_size(positions: usize) -> u64 {
    (MAGIC.len() + positions * RECORD) as u64
}

/// Appends the position that is `number`, from 0, in its file.
pub fn encode_label(number: usize, game: u32, sample: &EvalSample, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.extend(game.to_le_bytes());
    bytes.extend(sample.board.player.to_le_bytes());
    bytes.extend(sample.board.opponent.to_le_bytes());
    bytes.extend((sample.score as i8).to_le_bytes());
    let sum = record_checksum(number, &bytes[start..]);
    bytes.extend(sum.to_le_bytes());
}

/// The positions of a file. A run that was killed leaves part of its head, or of a position behind the others, which is left out.
///
/// # Errors
/// Where the bytes are no such file, and what must be.
pub fn decode_labels(bytes: &[u8]) -> Result<Vec<GameLabel>, String> {
    if MAGIC.starts_with(bytes) {
        return Ok(Vec::new());
    }
    let records = bytes.strip_prefix(MAGIC).ok_or(
        "it does not hold positions from `self-play`: byte 0: it must begin with ishiopl1 (those of an older ishi have no \
         checksum, and must be played again)",
    )?;
    let (whole, _) = records.as_chunks::<RECORD>();
    whole.iter().enumerate().map(|(number, record)| decode_label(number, record)).collect()
}

fn decode_label(number: usize, record: &[u8; RECORD]) -> Result<GameLabel, String> {
    let wrong = |right: &str| format!("byte {}: position {number}: {right}", file_size(number));
    let (content, sum) = record.split_at(CONTENT);
    if sum != record_checksum(number, content).to_le_bytes() {
        return Err(wrong("it is damaged: its checksum must be that of its number and bytes"));
    }
    let word = |from: usize| u64::from_le_bytes(std::array::from_fn(|byte| content[from + byte]));
    let game = u32::from_le_bytes(std::array::from_fn(|byte| content[byte]));
    let board = Board { player: word(4), opponent: word(12) };
    let score = f32::from(content[CONTENT - 1] as i8);
    if board.player & board.opponent != 0 || score.abs() > 64.0 {
        return Err(wrong("a square must have one disc at most, and a score be within 64"));
    }
    Ok((game, EvalSample { board, score, weight: 1.0 }))
}

fn record_checksum(number: usize, content: &[u8]) -> u64 {
    extend_checksum(fnv_checksum(&(number as u64).to_le_bytes()), content)
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;

    use super::*;

    fn file(positions: usize) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in 0..positions {
            let board =
                Board { player: Board::START.player << number, opponent: Board::START.opponent << number };
            let sample = EvalSample { board, score: number as f32 - 3.0, weight: 1.0 };
            encode_label(number, number as u32 / 4, &sample, &mut bytes);
        }
        bytes
    }

    /// What can be compared of labels.
    fn numbers(labels: &[GameLabel]) -> Vec<(u32, Board, f32)> {
        labels.iter().map(|(game, sample)| (*game, sample.board, sample.score)).collect()
    }

    #[test]
    fn what_is_written_can_be_read() {
        let bytes = file(9);
        assert_eq!(bytes.len() as u64, file_size(9));
        let labels = decode_labels(&bytes).unwrap();
        assert_eq!((labels.len(), labels[5].0, labels[5].1.score), (9, 1, 2.0));
        assert_eq!(numbers(&decode_labels(&bytes[..bytes.len() - 1]).unwrap()), numbers(&labels)[..8]);
        assert!(decode_labels(&bytes[..5]).unwrap().is_empty(), "it was killed while it began");
    }

    /// Cut off it has fewer positions, but none is another.
    #[test]
    fn damaged_positions_are_refused() {
        let bytes = file(9);
        let known = numbers(&decode_labels(&bytes).unwrap());
        try_damaged_copies(&bytes, Seed::new(1), 400, |what, damaged| {
            let read = decode_labels(damaged);
            assert!(read.is_err() || damaged.len() < bytes.len(), "{what}");
            assert!(
                read.is_ok_and(|read| known.starts_with(&numbers(&read))) || damaged.len() == bytes.len()
            );
        });
        let error = decode_labels(&[0; 21]).unwrap_err();
        assert!(error.contains("must begin with ishiopl1"), "{error}");
        let mut damaged = bytes;
        damaged[MAGIC.len() + RECORD] ^= 1;
        assert!(decode_labels(&damaged).unwrap_err().starts_with("byte 37: position 1: it is damaged"));
    }
}
