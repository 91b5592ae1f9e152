//! Training samples: positions with what is known of them, as records of a fixed length that other languages read without a parser.
//!
//! Little endian throughout. The header has [`HEADER`] bytes: `ishipos1`, then as u32 the length of a record, [`PLANES`], [`NUMBERS`] and
//! [`SIDE`], then eight bytes of zeros. Records follow, each of [`RECORD`] bytes:
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

use std::fmt;
use std::io::{self, Read, Write};

use ishi_go::{BoardSize, Color, Move};

use crate::planes::{
    NUMBERS, PLANE_BYTES, PLANES, POINTS, Planes, SIDE, point_from_index, point_index, size_fits,
};

/// Bytes of the header.
pub const HEADER: usize = 32;
/// Bytes of a record.
pub const RECORD: usize = PLANES * PLANE_BYTES + 4 * NUMBERS + 4 + 2 + 16 + 4 * MOVES + POINTS + 4;
/// Most moves of a judge's policy that a record holds.
pub const MOVES: usize = 20;
/// What an owner is for certain.
pub const CERTAIN: i8 = 12;

const MAGIC: &[u8; 8] = b"ishipos1";
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
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    for (field, value) in header[8..].as_chunks_mut::<4>().0.iter_mut().zip([RECORD, PLANES, NUMBERS, SIDE]) {
        *field = (value as u32).to_le_bytes();
    }
    header
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
pub struct SampleWriter<W>(W);

impl<W: Write> SampleWriter<W> {
    /// Begins a file: writes the header.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(mut out: W) -> io::Result<SampleWriter<W>> {
        out.write_all(&file_header())?;
        Ok(SampleWriter(out))
    }

    /// Goes on with a file whose header stands already, `out` being at its end.
    pub fn append_to(out: W) -> SampleWriter<W> {
        SampleWriter(out)
    }

    /// Writes a record.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_sample(&mut self, sample: &TrainingSample) -> io::Result<()> {
        self.0.write_all(&sample.to_record())
    }

    /// The writer, flushed.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.0.flush()?;
        Ok(self.0)
    }
}

/// Reads a file of samples, one after the other. Ends after the first error.
#[derive(Debug)]
pub struct SampleReader<R> {
    input: R,
    read: u64,
    done: bool,
}

impl<R: Read> SampleReader<R> {
    /// Begins a file.
    ///
    /// # Errors
    /// If it does not begin with [`file_header`], or cannot be read.
    pub fn new(mut input: R) -> Result<SampleReader<R>, SampleFileError> {
        let mut found = [0; HEADER];
        if read_full(&mut input, &mut found).map_err(SampleFileError::Io)? != HEADER || found != file_header()
        {
            return Err(SampleFileError::Header);
        }
        Ok(SampleReader { input, read: 0, done: false })
    }

    fn read_sample(&mut self) -> Result<Option<TrainingSample>, SampleFileError> {
        let mut record = [0; RECORD];
        let number = self.read;
        self.read += 1;
        match read_full(&mut self.input, &mut record).map_err(SampleFileError::Io)? {
            0 => Ok(None),
            RECORD => {
                let sample = TrainingSample::from_record(&record);
                sample.map(Some).map_err(|error| SampleFileError::Record { number, error })
            }
            bytes => Err(SampleFileError::CutOff { number, bytes }),
        }
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
    /// It ends within a record.
    CutOff {
        /// The record, from 0.
        number: u64,
        /// Bytes of it that are there.
        bytes: usize,
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
                "not a file of samples: it must begin with ishipos1 and records of {RECORD} bytes, {PLANES} planes and \
                 {NUMBERS} numbers, as `ishi go positions` writes it"
            ),
            SampleFileError::CutOff { number, bytes } => {
                write!(f, "the file is cut off: record {number} must have {RECORD} bytes and has {bytes}")
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
            SampleFileError::Header | SampleFileError::CutOff { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Position, Rules};

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
        assert_eq!(file.len(), HEADER + 3 * RECORD);
        let read: Result<Vec<_>, _> = SampleReader::new(&file[..]).unwrap().collect();
        assert_eq!(read.unwrap(), samples);
    }

    /// Where each field stands: other languages read it so.
    #[test]
    fn the_bytes_are_pinned() {
        assert_eq!(RECORD, 1649);
        assert_eq!(file_header()[..8], *b"ishipos1");
        assert_eq!(
            file_header()[8..],
            [113, 6, 0, 0, 25, 0, 0, 0, 8, 0, 0, 0, 19, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
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

    #[test]
    fn what_is_no_sample_is_refused() {
        let error = |file: &[u8]| match SampleReader::new(file) {
            Ok(reader) => reader.last().unwrap().unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        let file = [&file_header()[..], &sample().to_record()[..]].concat();
        assert!(error(&file[..20]).starts_with("not a file of samples: it must begin with ishipos1"));
        let cut = error(&file[..file.len() - 1]);
        assert_eq!(cut, "the file is cut off: record 0 must have 1649 bytes and has 1648");
        let damaged = |at: usize, byte: u8| {
            let mut file = file.clone();
            file[HEADER + at] = byte;
            error(&file)
        };
        assert_eq!(damaged(1183, 20), "record 0: invalid board 20x7: it must have 2 to 19 lines each way");
        assert_eq!(damaged(1185, 2), "record 0: invalid side to move 2: it must be 0 (Black) or 1 (White)");
        assert_eq!(
            damaged(1186, 9),
            "record 0: invalid move 265: it must be a point of a 9x7 board or 361 (pass)"
        );
        assert_eq!(
            damaged(1187, 2),
            "record 0: invalid move 617: it must be a point of a 9x7 board or 361 (pass)"
        );
        assert_eq!(damaged(1284, 13), "record 0: invalid owner 13: it must be -12 to 12");
        // 0.375 and 8.0 with an exponent of ones.
        assert!(damaged(1153, 0x7f).contains("it must be finite") || damaged(1153, 0xff).contains("finite"));
        assert_eq!(
            error(&[&file[..], &[0; 3]].concat()),
            "the file is cut off: record 1 must have 1649 bytes and has 3"
        );
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
