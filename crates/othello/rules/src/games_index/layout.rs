//! Where the parts of an index stand, and their checksums.

use ishi_rng::checksum::{CHECKSUM_BYTES, extend_checksum, fnv_checksum};

use super::GamesIndexError;

pub(super) const MAGIC: &[u8; 8] = b"ISHIGAM3";
/// What older indexes begin with.
const OLDER: [&[u8]; 2] = [b"ISHIGAM1", b"ISHIGAM2"];
/// Where the index's own number stands.
const NAME_AT: usize = 32;
/// Bytes of the head without its checksum.
pub(super) const HEAD: usize = NAME_AT + 8;
/// Bytes before the first game.
pub(super) const HEADER: usize = HEAD + CHECKSUM_BYTES;
/// Bytes of a game without its checksum.
pub(super) const GAME: usize = 70;
pub(super) const SEALED_GAME: usize = GAME + CHECKSUM_BYTES;
/// Where a bucket begins, and its checksum.
pub(super) const SEALED_BUCKET: usize = 4 + CHECKSUM_BYTES;
/// Where the answer for a usual position begins, and its board.
pub(super) const POSITION: usize = 24;
pub(super) const SEALED_POSITION: usize = POSITION + CHECKSUM_BYTES;
/// Room for a checksum that comes when all is there.
pub(super) const NO_CHECKSUM: [u8; CHECKSUM_BYTES] = [0; CHECKSUM_BYTES];
/// From this many games on there are no numbers for them.
pub(super) const MOST_GAMES: usize = 1 << 26;
/// Most bits of a bucket's number.
pub(super) const MOST_BITS: u32 = 22;

/// Sorts of parts, for their checksums.
#[derive(Clone, Copy)]
enum IndexPart {
    Game = 1,
    Bucket = 2,
    Position = 3,
    Answer = 4,
}

/// What the head of an index says: where its parts begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexLayout {
    pub(super) games: u32,
    pub(super) bits: u32,
    pub(super) places: u32,
    /// Usual positions.
    pub(super) positions: u32,
    /// Bytes of all answers.
    pub(super) answers: u64,
    /// The index's own number.
    pub(super) name: u64,
}

impl IndexLayout {
    /// The layout as the head of an index says.
    pub(super) fn from_head(bytes: &[u8]) -> Result<IndexLayout, GamesIndexError> {
        if !bytes.starts_with(MAGIC) {
            return Err(match OLDER.iter().any(|older| bytes.starts_with(older)) {
                true => GamesIndexError::Older,
                false => GamesIndexError::Damaged { at: 0, what: "it must begin with ISHIGAM3" },
            });
        }
        let Some(head) = bytes.get(MAGIC.len()..HEAD) else {
            return Err(GamesIndexError::Damaged { at: bytes.len() as u64, what: "its head ends too early" });
        };
        let number = |index: usize| to_number(&head[4 * index..]);
        let layout = IndexLayout {
            games: number(0),
            bits: number(1),
            places: number(2),
            positions: number(3),
            answers: to_long(&head[16..]),
            name: to_long(&head[24..]),
        };
        if !(1..=MOST_BITS).contains(&layout.bits) || layout.games as usize >= MOST_GAMES {
            return Err(GamesIndexError::Damaged { at: 8, what: "no index has such numbers" });
        }
        Ok(layout)
    }

    /// The head without its checksum.
    pub(super) fn to_head(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [self.games, self.bits, self.places, self.positions] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.answers.to_le_bytes());
        bytes.extend(self.name.to_le_bytes());
        bytes
    }

    pub(super) fn game_at(self, number: u32) -> u64 {
        HEADER as u64 + SEALED_GAME as u64 * u64::from(number)
    }

    pub(super) fn bucket_at(self, bucket: u32) -> u64 {
        self.game_at(self.games) + SEALED_BUCKET as u64 * u64::from(bucket)
    }

    pub(super) fn place_at(self, place: u32) -> u64 {
        // Behind the end of the last bucket.
        self.bucket_at(1 << self.bits) + 4 + 4 * u64::from(place)
    }

    pub(super) fn position_at(self, number: u32) -> u64 {
        self.place_at(self.places) + SEALED_POSITION as u64 * u64::from(number)
    }

    /// The place that lies so many bytes behind the beginning of the first answer.
    pub(super) fn answer_at(self, begin: u64) -> u64 {
        // Behind the end of the last answer.
        (self.position_at(self.positions) + 8).saturating_add(begin)
    }

    pub(super) fn length(self) -> u64 {
        self.answer_at(self.answers)
    }

    /// What the checksum of a part begins with.
    fn begin_checksum(self, part: IndexPart, number: u32) -> u64 {
        let sum = extend_checksum(fnv_checksum(&[part as u8]), &self.name.to_le_bytes());
        extend_checksum(sum, &number.to_le_bytes())
    }

    pub(super) fn game_checksum(self, number: u32, record: &[u8]) -> u64 {
        extend_checksum(self.begin_checksum(IndexPart::Game, number), record)
    }

    pub(super) fn bucket_checksum(self, bucket: u32, start: u32, end: u32, places: &[u8]) -> u64 {
        let begin = self.begin_checksum(IndexPart::Bucket, bucket);
        let bounds = [start, end];
        let sum = bounds.iter().fold(begin, |sum, bound| extend_checksum(sum, &bound.to_le_bytes()));
        extend_checksum(sum, places)
    }

    /// Of a usual position without its checksum, and of the end of its answer.
    pub(super) fn position_checksum(self, number: u32, position: &[u8], end: u64) -> u64 {
        let sum = extend_checksum(self.begin_checksum(IndexPart::Position, number), position);
        extend_checksum(sum, &end.to_le_bytes())
    }

    /// The checksum of an answer, which is not part of the answer.
    pub(super) fn answer_checksum(self, number: u32, answer: &[u8]) -> u64 {
        extend_checksum(self.begin_checksum(IndexPart::Answer, number), answer)
    }
}

/// Writes the index's own number and all checksums into their places. Bytes of another length than their head says get the checksum of the head
/// alone.
pub fn seal_games_index(bytes: &mut [u8]) {
    let Ok(mut layout) = IndexLayout::from_head(bytes) else { return };
    let is_whole = layout.length() == bytes.len() as u64;
    if is_whole {
        layout.name = games_checksum(bytes, layout);
        put_number(bytes, NAME_AT, layout.name);
    }
    let sum = fnv_checksum(&bytes[..HEAD]);
    put_number(bytes, HEAD, sum);
    if is_whole {
        seal_games(bytes, layout);
        seal_buckets(bytes, layout);
        seal_positions(bytes, layout);
    }
}

/// The checksum of all games without their own checksums.
fn games_checksum(bytes: &[u8], layout: IndexLayout) -> u64 {
    let games = &bytes[HEADER..layout.game_at(layout.games) as usize];
    games.chunks_exact(SEALED_GAME).fold(fnv_checksum(&[]), |sum, game| extend_checksum(sum, &game[..GAME]))
}

fn seal_games(bytes: &mut [u8], layout: IndexLayout) {
    for number in 0..layout.games {
        let at = layout.game_at(number) as usize;
        let sum = layout.game_checksum(number, &bytes[at..at + GAME]);
        put_number(bytes, at + GAME, sum);
    }
}

fn seal_buckets(bytes: &mut [u8], layout: IndexLayout) {
    for bucket in 0..1u32 << layout.bits {
        let at = layout.bucket_at(bucket) as usize;
        let (start, end) = (to_number(&bytes[at..]), to_number(&bytes[at + SEALED_BUCKET..]));
        let places = layout.place_at(start) as usize..layout.place_at(end) as usize;
        let sum = layout.bucket_checksum(bucket, start, end, bytes.get(places).unwrap_or_default());
        put_number(bytes, at + 4, sum);
    }
}

/// The usual positions and their answers.
fn seal_positions(bytes: &mut [u8], layout: IndexLayout) {
    for number in 0..layout.positions {
        let at = layout.position_at(number) as usize;
        let (begin, end) = (to_long(&bytes[at..]), to_long(&bytes[at + SEALED_POSITION..]));
        let sum = layout.position_checksum(number, &bytes[at..at + POSITION], end);
        put_number(bytes, at + POSITION, sum);
        let first = layout.answer_at(begin) as usize;
        let last = (layout.answer_at(end) as usize).saturating_sub(CHECKSUM_BYTES);
        if let Some(answer) = bytes.get(first..last) {
            let sum = layout.answer_checksum(number, answer);
            put_number(bytes, last, sum);
        }
    }
}

fn put_number(bytes: &mut [u8], at: usize, number: u64) {
    if let Some(place) = bytes.get_mut(at..at + 8) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

/// Does the checksum stand at the beginning of these bytes?
pub(super) fn has_checksum(bytes: &[u8], sum: u64) -> bool {
    bytes.get(..CHECKSUM_BYTES) == Some(&sum.to_le_bytes()[..])
}

/// The number of the first four bytes; 0 if there are fewer.
pub(super) fn to_number(bytes: &[u8]) -> u32 {
    bytes.first_chunk::<4>().map_or(0, |&four| u32::from_le_bytes(four))
}

/// The number of the first eight bytes; 0 if there are fewer.
pub(super) fn to_long(bytes: &[u8]) -> u64 {
    bytes.first_chunk::<8>().map_or(0, |&eight| u64::from_le_bytes(eight))
}

/// Numbers of four bytes.
pub(super) fn to_numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}
