//! Training samples: positions with what is known of them, as records of a fixed length that other languages read without a parser.
//!
//! Little endian throughout. The header has [`HEADER`] bytes: `ishipos2`, then as u32 the length of a record with its checksum, [`PLANES`],
//! [`NUMBERS`] and [`SIDE`], then eight bytes of zeros. Records follow, each of [`SEALED_RECORD`] bytes:
//!
//! | bytes | content |
//! | --- | --- |
//! | 828 | planes, 46 bytes each |
//! | 32 | numbers, f32 |
//! | 1 | what is known: bit 0 the judge's policy, 1 the move played, 2 who won the game, 3 the judge's winner, 4 lead, 5 spread, 6 owners |
//! | 1, 1 | width, height |
//! | 1 | side to move: 0 Black, 1 White |
//! | 2 | move played: point, 361 pass, 65535 none |
//! | 4 | game's winner, f32: 1 the side to move, 0 the opponent, 0.5 nobody |
//! | 4, 4, 4 | judge's winner, lead, spread, f32 |
//! | 80 | policy: 20 pairs of u16: point or 361, per mille; 65535 and 0 where there are fewer |
//! | 361 | owners, i8: -12 (the opponent's) to 12 |
//! | 4 | number of the game, u32 |
//! | 8 | checksum of the record's number in the file (u64, from 0) and of the [`RECORD`] bytes before |
//!
//! Each record has a checksum of its own, so that a file can grow, and so that other languages check many records at once. Files of
//! the first version (`ishipos1`) have records without checksums. They are still read, as there are many of them.

use std::fmt;
use std::io::{self, Read, Write};

use ishi_go::{BoardSize, Color, Move};
use ishi_rng::checksum::{CHECKSUM_BYTES, extend_checksum, fnv_checksum};

use crate::planes::{
    NUMBERS, PLANE_BYTES, PLANES, POINTS, Planes, SIDE, point_from_index, point_index, size_fits,
};

/// Bytes of the header.
pub const HEADER: usize = 32;
/// Bytes of a record without its checksum.
pub const RECORD: usize = PLANES * PLANE_BYTES + 4 * NUMBERS + 4 + 2 + 16 + 4 * MOVES + POINTS + 4;
/// Bytes of a record with its checksum, as it stands in a file.
pub const SEALED_RECORD: usize = RECORD + CHECKSUM_BYTES;
/// Most moves of a judge's policy that a record holds.
pub const MOVES: usize = 20;
/// What an owner is for certain.
pub const CERTAIN: i8 = 12;

const MAGIC: &[u8; 8] = b"ishipos2";
/// The beginning of files whose records have no checksums.
const OLD_MAGIC: &[u8; 8] = b"ishipos1";
const PASS: u16 = POINTS as u16;
const NONE: u16 = u16::MAX;

/// A position and what is known of it, all from the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingSample {
    /// What the network sees.
    pub planes: Planes,
    /// Whose turn it is.
    pub to_move: Color,
    /// The judge's policy: up to [`MOVES`] moves and their probabilities per mille.
    pub policy: Option<Vec<(Move, u16)>>,
    /// The move played in the game.
    pub played: Option<Move>,
    /// Who won the game: 1 the side to move, 0 the opponent, 0.5 nobody.
    pub game_winner: Option<f32>,
    /// The judge's probability that the side to move wins.
    pub judge_winner: Option<f32>,
    /// The judge's lead in points.
    pub lead: Option<f32>,
    /// The judge's standard deviation of the score in points.
    pub spread: Option<f32>,
    /// The judge's owners by [`point_index`], from -[`CERTAIN`] to [`CERTAIN`], 0 outside the board.
    pub owners: Option<[i8; POINTS]>,
    /// Number of the game, by which samples are split.
    pub game: u32,
}

/// A thing that may be known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleField {
    /// The judge's moves.
    Policy,
    /// The move that was played.
    Played,
    /// Who won the game.
    GameWinner,
    /// The judge's chances.
    JudgeWinner,
    /// The judge's lead.
    Lead,
    /// The judge's deviation of the score.
    Spread,
    /// The judge's owners.
    Owners,
}

impl SampleField {
    /// All, with their words.
    pub const WORDS: [(SampleField, &'static str); 7] = [
        (SampleField::Policy, "judge-policy"),
        (SampleField::Played, "played"),
        (SampleField::GameWinner, "game-winner"),
        (SampleField::JudgeWinner, "judge-winner"),
        (SampleField::Lead, "lead"),
        (SampleField::Spread, "spread"),
        (SampleField::Owners, "owners"),
    ];
}

/// Reads a word such as `game-winner`.
impl std::str::FromStr for SampleField {
    type Err = String;

    fn from_str(text: &str) -> Result<SampleField, String> {
        let found = SampleField::WORDS.iter().find(|(_, word)| *word == text);
        let words = SampleField::WORDS.map(|(_, word)| word).join(", ");
        found.map(|&(known, _)| known).ok_or_else(|| format!("{text:?} must be one of {words}"))
    }
}

impl TrainingSample {
    /// A sample of which nothing is known.
    pub fn new(planes: Planes, to_move: Color, game: u32) -> TrainingSample {
        TrainingSample {
            planes,
            to_move,
            policy: None,
            played: None,
            game_winner: None,
            judge_winner: None,
            lead: None,
            spread: None,
            owners: None,
            game,
        }
    }

    /// The same sample without one thing that is known of it.
    pub fn without_field(mut self, what: SampleField) -> TrainingSample {
        match what {
            SampleField::Policy => self.policy = None,
            SampleField::Played => self.played = None,
            SampleField::GameWinner => self.game_winner = None,
            SampleField::JudgeWinner => self.judge_winner = None,
            SampleField::Lead => self.lead = None,
            SampleField::Spread => self.spread = None,
            SampleField::Owners => self.owners = None,
        }
        self
    }

    /// Its record. Of a policy with more than [`MOVES`] moves only the first are kept.
    pub fn to_record(&self) -> [u8; RECORD] {
        let mut pen = RecordWriter { record: [0; RECORD], at: 0 };
        self.planes.bits.iter().for_each(|plane| pen.put_bytes(plane));
        self.planes.numbers.iter().for_each(|number| pen.put_bytes(&number.to_le_bytes()));
        pen.put_bytes(&[
            self.known_bits(),
            self.planes.width,
            self.planes.height,
            self.to_move.index() as u8,
        ]);
        pen.put_bytes(&self.played.map_or(NONE, move_number).to_le_bytes());
        for number in [self.game_winner, self.judge_winner, self.lead, self.spread] {
            pen.put_bytes(&number.unwrap_or(0.0).to_le_bytes());
        }
        let policy = self.policy.as_deref().unwrap_or_default();
        for n in 0..MOVES {
            let (mv, share) = policy.get(n).map_or((NONE, 0), |&(mv, share)| (move_number(mv), share));
            pen.put_bytes(&mv.to_le_bytes());
            pen.put_bytes(&share.to_le_bytes());
        }
        pen.put_bytes(&self.owners.unwrap_or([0; POINTS]).map(|owner| owner as u8));
        pen.put_bytes(&self.game.to_le_bytes());
        pen.record
    }

    fn known_bits(&self) -> u8 {
        let known = [
            self.policy.is_some(),
            self.played.is_some(),
            self.game_winner.is_some(),
            self.judge_winner.is_some(),
            self.lead.is_some(),
            self.spread.is_some(),
            self.owners.is_some(),
        ];
        known.iter().enumerate().map(|(bit, &known)| u8::from(known) << bit).sum()
    }

    /// The sample of a record.
    ///
    /// # Errors
    /// The first field that no sample has.
    pub fn from_record(record: &[u8; RECORD]) -> Result<TrainingSample, SampleRecordError> {
        let mut eye = RecordReader { rest: record };
        let bits = [(); PLANES].map(|()| eye.take_bytes());
        let numbers = [(); NUMBERS].map(|()| eye.read_f32());
        let [known, width, height, to_move] = eye.take_bytes();
        let size = BoardSize::new(width.into(), height.into())
            .ok()
            .filter(|&size| size_fits(size))
            .ok_or(SampleRecordError::Size { width, height })?;
        let to_move = match to_move {
            0 => Color::Black,
            1 => Color::White,
            other => return Err(SampleRecordError::SideToMove(other)),
        };
        let has = |bit: u32| known >> bit & 1 == 1;
        let played = eye.read_u16();
        let played = if has(1) { Some(move_from_number(played, size)?) } else { None };
        let [game_winner, judge_winner, lead, spread] = [(); 4].map(|()| eye.read_f32());
        let pairs = [(); MOVES].map(|()| (eye.read_u16(), eye.read_u16()));
        let pairs = pairs.into_iter().take_while(|&(number, _)| number != NONE);
        let policy: Result<Vec<_>, _> =
            pairs.map(|(number, share)| move_from_number(number, size).map(|mv| (mv, share))).collect();
        let owners = eye.take_bytes::<POINTS>().map(|byte| byte as i8);
        if let Some(&owner) = owners.iter().find(|owner| owner.unsigned_abs() > CERTAIN as u8) {
            return Err(SampleRecordError::Owner(owner));
        }
        let game = u32::from_le_bytes(eye.take_bytes());
        let if_known = |bit: u32, value: f32| has(bit).then_some(value);
        let sample = TrainingSample {
            planes: Planes { width, height, bits, numbers },
            to_move,
            policy: if has(0) { Some(policy?) } else { None },
            played,
            game_winner: if_known(2, game_winner),
            judge_winner: if_known(3, judge_winner),
            lead: if_known(4, lead),
            spread: if_known(5, spread),
            owners: has(6).then_some(owners),
            game,
        };
        let known = [sample.game_winner, sample.judge_winner, sample.lead, sample.spread];
        match numbers.into_iter().chain(known.into_iter().flatten()).find(|number| !number.is_finite()) {
            Some(number) => Err(SampleRecordError::Number(number)),
            None => Ok(sample),
        }
    }
}

/// The number of a move in records.
fn move_number(mv: Move) -> u16 {
    mv.point().map_or(PASS, |point| point_index(point) as u16)
}

fn move_from_number(number: u16, size: BoardSize) -> Result<Move, SampleRecordError> {
    match number {
        PASS => Ok(Move::Pass),
        0..PASS if size.contains(point_from_index(number.into())) => {
            Ok(Move::Play(point_from_index(number.into())))
        }
        _ => Err(SampleRecordError::Move { number, size }),
    }
}

/// A record that no sample has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleRecordError {
    /// No such board.
    Size {
        /// Columns.
        width: u8,
        /// Rows.
        height: u8,
    },
    /// Neither 0 nor 1.
    SideToMove(u8),
    /// No such move on the board.
    Move {
        /// The number.
        number: u16,
        /// The board.
        size: BoardSize,
    },
    /// Beyond -12 to 12.
    Owner(i8),
    /// Not finite.
    Number(f32),
}

impl fmt::Display for SampleRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleRecordError::Size { width, height } => {
                write!(f, "invalid board {width}x{height}: it must have 2 to {SIDE} lines each way")
            }
            SampleRecordError::SideToMove(side) => {
                write!(f, "invalid side to move {side}: it must be 0 (Black) or 1 (White)")
            }
            SampleRecordError::Move { number, size } => {
                write!(f, "invalid move {number}: it must be a point of a {size} board or {PASS} (pass)")
            }
            SampleRecordError::Owner(owner) => {
                write!(f, "invalid owner {owner}: it must be -{CERTAIN} to {CERTAIN}")
            }
            SampleRecordError::Number(number) => write!(f, "invalid number {number}: it must be finite"),
        }
    }
}

impl std::error::Error for SampleRecordError {}

/// Fills a record from the front.
struct RecordWriter {
    record: [u8; RECORD],
    at: usize,
}

impl RecordWriter {
    fn put_bytes(&mut self, bytes: &[u8]) {
        self.record[self.at..][..bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }
}

/// Reads a record from the front. The fields fill [`RECORD`] exactly.
struct RecordReader<'a> {
    rest: &'a [u8],
}

impl RecordReader<'_> {
    fn take_bytes<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self.rest.split_first_chunk().expect("the fields fill the record");
        self.rest = rest;
        *field
    }

    fn read_u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take_bytes())
    }

    fn read_f32(&mut self) -> f32 {
        f32::from_le_bytes(self.take_bytes())
    }
}

/// The header of a file.
pub fn file_header() -> [u8; HEADER] {
    header_of_version(MAGIC, SEALED_RECORD)
}

fn header_of_version(magic: &[u8; 8], record: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(magic);
    for (field, value) in header[8..].as_chunks_mut::<4>().0.iter_mut().zip([record, PLANES, NUMBERS, SIDE]) {
        *field = (value as u32).to_le_bytes();
    }
    header
}

/// The checksum of a record that has this number in its file, from 0. A record in another's place is damage, too.
fn record_checksum(number: u64, record: &[u8; RECORD]) -> u64 {
    extend_checksum(fnv_checksum(&number.to_le_bytes()), record)
}

/// Writes a file of samples.
///
/// ```
/// use ishi_go::Color;
/// use ishi_judge::{Planes, TrainingSample, SampleReader, SampleWriter};
/// let planes = Planes { width: 9, height: 9, ..Planes::default() };
/// let sample = TrainingSample { lead: Some(-3.5), ..TrainingSample::new(planes, Color::White, 7) };
/// let mut file = Vec::new();
/// SampleWriter::new(&mut file).unwrap().write_sample(&sample).unwrap();
/// let read: Vec<_> = SampleReader::new(&file[..]).unwrap().collect();
/// assert_eq!(read.len(), 1);
/// assert_eq!(*read[0].as_ref().unwrap(), sample);
/// ```
#[derive(Debug)]
pub struct SampleWriter<W> {
    out: W,
    /// Records of the file.
    written: u64,
}

impl<W: Write> SampleWriter<W> {
    /// Begins a file: writes the header.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(out: W) -> io::Result<SampleWriter<W>> {
        SampleWriter::append_to(out, WholeSamples::default())
    }

    /// Goes on with a file that was cut to what is whole of it. `out` must be at its end.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn append_to(mut out: W, whole: WholeSamples) -> io::Result<SampleWriter<W>> {
        if whole.bytes == 0 {
            out.write_all(&file_header())?;
        }
        Ok(SampleWriter { out, written: whole.records })
    }

    /// Writes a record.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_sample(&mut self, sample: &TrainingSample) -> io::Result<()> {
        self.write_record(&sample.to_record())
    }

    /// Writes a record that is made already ([`TrainingSample::to_record`]), with its checksum.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_record(&mut self, record: &[u8; RECORD]) -> io::Result<()> {
        self.out.write_all(record)?;
        self.out.write_all(&record_checksum(self.written, record).to_le_bytes())?;
        self.written += 1;
        Ok(())
    }

    /// The writer, flushed.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// What is whole of a file that may have been cut off while it grew. Nothing is whole of a file that is still to begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WholeSamples {
    /// Records.
    pub records: u64,
    /// Bytes of the header and these records, which is what must be kept of the file. 0 if it was cut off within its header.
    pub bytes: u64,
}

impl WholeSamples {
    /// Reads a file to its end and checks each record. Of a last record that was cut off, nothing counts.
    ///
    /// ```
    /// use ishi_go::Color;
    /// use ishi_judge::samples::WholeSamples;
    /// use ishi_judge::{Planes, SampleReader, SampleWriter, TrainingSample};
    /// let planes = Planes { width: 9, height: 9, ..Planes::default() };
    /// let samples = [1, 2].map(|game| TrainingSample::new(planes, Color::Black, game));
    /// let mut file = SampleWriter::new(Vec::new()).unwrap();
    /// samples.iter().for_each(|sample| file.write_sample(sample).unwrap());
    /// let mut file = file.finish().unwrap();
    /// file.pop();
    /// let whole = WholeSamples::measure_file(&file[..]).unwrap();
    /// assert_eq!(whole.records, 1);
    /// file.truncate(whole.bytes as usize);
    /// SampleWriter::append_to(&mut file, whole).unwrap().write_sample(&samples[1]).unwrap();
    /// assert_eq!(SampleReader::new(&file[..]).unwrap().filter(Result::is_ok).count(), 2);
    /// ```
    ///
    /// # Errors
    /// If it is no file of samples, is one of the first version, or has a record that is damaged.
    pub fn measure_file(mut input: impl Read) -> Result<WholeSamples, SampleFileError> {
        let mut header = [0; HEADER];
        let length = read_full(&mut input, &mut header).map_err(SampleFileError::Io)?;
        if length < HEADER && file_header().starts_with(&header[..length]) {
            return Ok(WholeSamples::default());
        }
        let mut reader = SampleReader::with_header(&header[..length], input)?;
        if !reader.has_checksums {
            return Err(SampleFileError::OldVersion);
        }
        let mut records = 0;
        loop {
            match reader.read_sample() {
                Ok(Some(_)) => records += 1,
                Ok(None) | Err(SampleFileError::CutOff { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(WholeSamples { records, bytes: HEADER as u64 + records * SEALED_RECORD as u64 })
    }
}

/// Reads a file of samples, one after the other. Ends after the first error.
#[derive(Debug)]
pub struct SampleReader<R> {
    input: R,
    read: u64,
    done: bool,
    has_checksums: bool,
}

impl<R: Read> SampleReader<R> {
    /// Begins a file.
    ///
    /// # Errors
    /// If it does not begin with [`file_header`] or the header of the first version, or cannot be read.
    pub fn new(mut input: R) -> Result<SampleReader<R>, SampleFileError> {
        let mut header = [0; HEADER];
        let length = read_full(&mut input, &mut header).map_err(SampleFileError::Io)?;
        SampleReader::with_header(&header[..length], input)
    }

    fn with_header(header: &[u8], input: R) -> Result<SampleReader<R>, SampleFileError> {
        let has_checksums = header == file_header();
        // The length of a record is another one, too, so that no damage to one field makes a file an old one.
        if !has_checksums && header != header_of_version(OLD_MAGIC, RECORD) {
            return Err(SampleFileError::Header);
        }
        Ok(SampleReader { input, read: 0, done: false, has_checksums })
    }

    /// Has each record a checksum? Those of the first version have none, so that damage may go unseen.
    pub fn has_checksums(&self) -> bool {
        self.has_checksums
    }

    fn read_sample(&mut self) -> Result<Option<TrainingSample>, SampleFileError> {
        let mut bytes = [0; SEALED_RECORD];
        let length = if self.has_checksums { SEALED_RECORD } else { RECORD };
        let number = self.read;
        self.read += 1;
        let found = read_full(&mut self.input, &mut bytes[..length]).map_err(SampleFileError::Io)?;
        if found == 0 {
            return Ok(None);
        }
        if found < length {
            return Err(SampleFileError::CutOff { number, bytes: found, length });
        }
        let (record, stated) =
            bytes.split_first_chunk::<RECORD>().expect("a checksum stands behind a record");
        let content = record_checksum(number, record);
        if self.has_checksums && *stated != content.to_le_bytes() {
            return Err(SampleFileError::Damaged { number, content });
        }
        let sample = TrainingSample::from_record(record);
        sample.map(Some).map_err(|error| SampleFileError::Record { number, error })
    }
}

impl<R: Read> Iterator for SampleReader<R> {
    type Item = Result<TrainingSample, SampleFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.read_sample().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Reads until the buffer is full or the input ends; gives the bytes read.
fn read_full(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(bytes) => filled += bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// What is wrong with a file of samples.
#[derive(Debug)]
pub enum SampleFileError {
    /// It does not begin as it must.
    Header,
    /// It is of the first version, whose records have no checksums, and cannot be gone on with.
    OldVersion,
    /// The checksum of a record does not fit.
    Damaged {
        /// The record, from 0.
        number: u64,
        /// The checksum that it must have.
        content: u64,
    },
    /// It ends within a record.
    CutOff {
        /// The record, from 0.
        number: u64,
        /// Bytes of it that are there.
        bytes: usize,
        /// Bytes that it must have.
        length: usize,
    },
    /// A record holds what no sample has.
    Record {
        /// The record, from 0.
        number: u64,
        /// What is wrong.
        error: SampleRecordError,
    },
    /// It cannot be read.
    Io(io::Error),
}

impl fmt::Display for SampleFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleFileError::Header => write!(
                f,
                "not a file of samples: it must begin with ishipos2 and records of {SEALED_RECORD} bytes, {PLANES} planes and \
                 {NUMBERS} numbers, as `ishi go positions` writes it"
            ),
            SampleFileError::OldVersion => f.write_str(
                "byte 7: the version must be 2: it has no checksums; `python -m ishi_train seal` (in train/) writes it again with them",
            ),
            SampleFileError::Damaged { number, content } => {
                let at = HEADER as u64 + number * SEALED_RECORD as u64;
                write!(f, "byte {at}: record {number}: it is damaged: its checksum must be {content:016x}")
            }
            SampleFileError::CutOff { number, bytes, length } => {
                write!(f, "the file is cut off: record {number} must have {length} bytes and has {bytes}")
            }
            SampleFileError::Record { number, error } => write!(f, "record {number}: {error}"),
            SampleFileError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SampleFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SampleFileError::Io(error) => Some(error),
            SampleFileError::Record { error, .. } => Some(error),
            SampleFileError::Header
            | SampleFileError::OldVersion
            | SampleFileError::Damaged { .. }
            | SampleFileError::CutOff { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Position, Rules};
    use ishi_rng::damage::try_damaged_copies;

    use super::*;
    use crate::planes::PlaneEncoder;

    fn sample() -> TrainingSample {
        let size = BoardSize::new(9, 7).unwrap();
        let mut game = Position::new(size, Rules::CHINESE);
        for (color, text) in [(Color::Black, "C3"), (Color::White, "J7"), (Color::Black, "D4")] {
            game.play(color, size.parse_move(text).unwrap()).unwrap();
        }
        let mut owners = [0; POINTS];
        owners[0] = -12;
        owners[6 * SIDE + 8] = 12;
        TrainingSample {
            policy: Some(vec![(size.parse_move("A1").unwrap(), 600), (Move::Pass, 400)]),
            played: Some(Move::Pass),
            game_winner: Some(1.0),
            judge_winner: Some(0.25),
            lead: Some(-12.5),
            spread: Some(8.0),
            owners: Some(owners),
            ..TrainingSample::new(
                PlaneEncoder::default().encode_position(&game).unwrap(),
                Color::White,
                65_537,
            )
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let whole = sample();
        let bare = TrainingSample { played: None, ..TrainingSample::new(whole.planes, Color::Black, 1) };
        let some = TrainingSample { lead: Some(1.0), policy: Some(Vec::new()), ..bare.clone() };
        let samples = [whole, bare, some];
        let mut writer = SampleWriter::new(Vec::new()).unwrap();
        samples.iter().for_each(|sample| writer.write_sample(sample).unwrap());
        let file = writer.finish().unwrap();
        assert_eq!(file.len(), HEADER + 3 * SEALED_RECORD);
        let read: Result<Vec<_>, _> = SampleReader::new(&file[..]).unwrap().collect();
        assert_eq!(read.unwrap(), samples);
    }

    /// Where each field stands: other languages read it so.
    #[test]
    fn the_bytes_are_pinned() {
        assert_eq!(RECORD, 1649);
        assert_eq!(file_header()[..8], *b"ishipos2");
        assert_eq!(
            file_header()[8..],
            [121, 6, 0, 0, 25, 0, 0, 0, 8, 0, 0, 0, 19, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        let record = sample().to_record();
        // Row 0 of the board: nine bits, row 1 begins at bit 19.
        assert_eq!(record[..4], [0b1111_1111, 1, 0b1111_1000, 0b0000_1111]);
        // J7, White's own stone, is point 6 * 19 + 8 = 122.
        assert_eq!(record[46 + 122 / 8], 1 << (122 % 8));
        // D4, the last move, is point 60.
        assert_eq!(record[7 * 46 + 60 / 8], 1 << (60 % 8));
        assert_eq!(record[1150..1154], 0.375_f32.to_le_bytes());
        assert_eq!(record[1182..1186], [0b111_1111, 9, 7, 1]);
        assert_eq!(record[1186..1188], [105, 1], "361: pass");
        assert_eq!(record[1188..1192], 1.0_f32.to_le_bytes());
        assert_eq!(record[1192..1196], 0.25_f32.to_le_bytes());
        assert_eq!(record[1196..1200], (-12.5_f32).to_le_bytes());
        assert_eq!(record[1200..1204], 8.0_f32.to_le_bytes());
        assert_eq!(record[1204..1216], [0, 0, 88, 2, 105, 1, 144, 1, 255, 255, 0, 0]);
        assert_eq!((record[1284], record[1284 + 122]), (244, 12));
        assert_eq!(record[1645..], [1, 0, 1, 0]);
        let hash = ishi_rng::checksum::fnv_checksum(&record[..]);
        assert_eq!(hash, 0xff81_cbc5_2ec7_bfb2, "{hash:#x}");
    }

    fn three_samples() -> [TrainingSample; 3] {
        [0, 1, 2].map(|game| TrainingSample { game, ..sample() })
    }

    fn file_of(samples: &[TrainingSample]) -> Vec<u8> {
        let mut writer = SampleWriter::new(Vec::new()).unwrap();
        samples.iter().for_each(|sample| writer.write_sample(sample).unwrap());
        writer.finish().unwrap()
    }

    /// As the first version was written.
    fn old_file_of(samples: &[TrainingSample]) -> Vec<u8> {
        let mut file = header_of_version(b"ishipos1", 1649).to_vec();
        samples.iter().for_each(|sample| file.extend(sample.to_record()));
        file
    }

    fn read_file(file: &[u8]) -> Result<Vec<TrainingSample>, SampleFileError> {
        SampleReader::new(file)?.collect()
    }

    fn refusal(file: &[u8]) -> String {
        read_file(file).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_sample_is_refused() {
        let file = file_of(&[sample()]);
        assert!(refusal(&file[..20]).starts_with("not a file of samples: it must begin with ishipos2"));
        let cut = refusal(&file[..file.len() - 1]);
        assert_eq!(cut, "the file is cut off: record 0 must have 1657 bytes and has 1656");
        let wrong = |at: usize, byte: u8| {
            let mut record = sample().to_record();
            record[at] = byte;
            let mut writer = SampleWriter::new(Vec::new()).unwrap();
            writer.write_record(&record).unwrap();
            refusal(&writer.finish().unwrap())
        };
        assert_eq!(wrong(1183, 20), "record 0: invalid board 20x7: it must have 2 to 19 lines each way");
        assert_eq!(wrong(1185, 2), "record 0: invalid side to move 2: it must be 0 (Black) or 1 (White)");
        assert_eq!(
            wrong(1186, 9),
            "record 0: invalid move 265: it must be a point of a 9x7 board or 361 (pass)"
        );
        assert_eq!(
            wrong(1187, 2),
            "record 0: invalid move 617: it must be a point of a 9x7 board or 361 (pass)"
        );
        assert_eq!(wrong(1284, 13), "record 0: invalid owner 13: it must be -12 to 12");
        // 0.375 and 8.0 with an exponent of ones.
        assert!(wrong(1153, 0x7f).contains("it must be finite") || wrong(1153, 0xff).contains("finite"));
        assert_eq!(
            refusal(&[&file[..], &[0; 3]].concat()),
            "the file is cut off: record 1 must have 1657 bytes and has 3"
        );
    }

    #[test]
    fn damaged_files_are_refused_with_their_place() {
        let samples = three_samples();
        let file = file_of(&samples);
        let mut cut_at_a_record = 0;
        try_damaged_copies(&file, ishi_rng::Seed::new(1), 1000, |what, damaged| {
            match read_file(damaged) {
                // Cut off between two records it is a file of fewer.
                Ok(read) => {
                    cut_at_a_record += 1;
                    assert!(damaged.len() < file.len() && samples.starts_with(&read), "{what}");
                }
                Err(error) => assert!(!error.to_string().is_empty(), "{what}"),
            }
        });
        assert!(cut_at_a_record < 5, "{cut_at_a_record}");
        let mut damaged = file.clone();
        damaged[HEADER + SEALED_RECORD + 5] ^= 1;
        let error = refusal(&damaged);
        assert!(error.starts_with("byte 1689: record 1: it is damaged: its checksum must be "), "{error}");
        // Two records that are whole, each in the other's place.
        let mut swapped = file.clone();
        swapped[HEADER..HEADER + 2 * SEALED_RECORD].rotate_left(SEALED_RECORD);
        assert!(refusal(&swapped).starts_with("byte 32: record 0: it is damaged"));
        // Only the version set back.
        let mut older = file;
        older[7] = b'1';
        assert!(refusal(&older).starts_with("not a file of samples"));
    }

    #[test]
    fn files_of_the_first_version_are_still_read() {
        let old = old_file_of(&three_samples());
        assert!(!SampleReader::new(&old[..]).unwrap().has_checksums());
        assert!(SampleReader::new(&file_of(&[])[..]).unwrap().has_checksums());
        assert_eq!(read_file(&old).unwrap(), three_samples());
        assert_eq!(
            refusal(&old[..old.len() - 1]),
            "the file is cut off: record 2 must have 1649 bytes and has 1648"
        );
        let error = WholeSamples::measure_file(&old[..]).unwrap_err().to_string();
        assert!(error.contains("the version must be 2") && error.contains("ishi_train seal"), "{error}");
    }

    /// Wherever a file was cut off, it comes to the same end.
    #[test]
    fn a_file_that_was_cut_off_is_gone_on_with() {
        let samples = three_samples();
        let whole = file_of(&samples);
        for kept in [0, 7, 31, 32, 33, 1688, 1689, 1690, whole.len() - 1, whole.len()] {
            let mut file = whole[..kept].to_vec();
            let there = WholeSamples::measure_file(&file[..]).unwrap();
            file.truncate(usize::try_from(there.bytes).unwrap());
            let mut writer = SampleWriter::append_to(file, there).unwrap();
            for sample in &samples[usize::try_from(there.records).unwrap()..] {
                writer.write_sample(sample).unwrap();
            }
            assert_eq!(writer.finish().unwrap(), whole, "{kept}");
        }
        let mut damaged = whole.clone();
        damaged[40] ^= 4;
        let error = WholeSamples::measure_file(&damaged[..]).unwrap_err().to_string();
        assert!(error.starts_with("byte 32: record 0: it is damaged"), "{error}");
        assert!(WholeSamples::measure_file(&b"no samples"[..]).is_err());
    }

    /// Whatever the bytes are, they are a sample that is written as it was read, or refused.
    #[test]
    fn any_bytes_are_read_or_refused() {
        let mut rng = ishi_rng::Seed::new(4).stream("damage", 0);
        let mut read = 0;
        for _ in 0..2000 {
            let mut record = sample().to_record();
            let at = 828 + rng.next_index(RECORD - 828);
            record[at] = rng.next_u32() as u8;
            if let Ok(sample) = TrainingSample::from_record(&record) {
                read += 1;
                assert_eq!(TrainingSample::from_record(&sample.to_record()).unwrap(), sample);
            }
        }
        assert!((100..1900).contains(&read), "{read} of 2000");
    }
}
