//! WTHOR, the format of the French federation's database of tournament games: games (`.wtb`), players (`.jou`) and
//! tournaments (`.trn`), read and written.
//!
//! All three begin with a header of 16 bytes. A game has 68 bytes: tournament, black and white player (numbers into
//! the two lists of names), black's discs as played and with best play near the end, and 60 moves, each ten times the
//! row plus the column, both from 1; passes are left out and 0 fills the rest. Numbers are little-endian.
//!
//! Source: Fédération française d'Othello, "Format de la base WTHOR", <https://www.ffothello.org/informatique/la-base-wthor/>.

use crate::position::{IllegalMove, Position};
use crate::square::{Move, Square};

const HEADER: usize = 16;
const RECORD: usize = 68;
const MOVES: usize = 60;

/// Why bytes are no WTHOR file. Offsets count bytes from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WthorError {
    /// Shorter than its header.
    #[error("a WTHOR file must begin with a header of 16 bytes, and this one has {length}")]
    NoHeader {
        /// How many bytes there are.
        length: usize,
    },
    /// The number of records does not fit the length.
    #[error(
        "a WTHOR file must be as long as its header says: {records} records of {size} bytes make {expected}. This one has {length} bytes: it is \
         damaged, or of another kind"
    )]
    Length {
        /// How many bytes there are.
        length: usize,
        /// How many records are announced.
        records: usize,
        /// Bytes of a record.
        size: usize,
        /// How many bytes there should be.
        expected: usize,
    },
    /// Another board, or problems instead of games.
    #[error("byte {offset} is {found}: {meaning}; only games on 8x8 are read")]
    Kind {
        /// Where.
        offset: usize,
        /// The byte.
        found: u8,
        /// What it says.
        meaning: &'static str,
    },
    /// More discs than squares.
    #[error("byte {offset}, game {game}: {found} black discs, but a board has 64 squares")]
    Discs {
        /// Where.
        offset: usize,
        /// The game, from 1.
        game: usize,
        /// The byte.
        found: u8,
    },
    /// No square.
    #[error(
        "byte {offset}, game {game}: move {found} is no square: it must be ten times the row plus the column, 11 to 88"
    )]
    Square {
        /// Where.
        offset: usize,
        /// The game, from 1.
        game: usize,
        /// The byte.
        found: u8,
    },
    /// A move after the end.
    #[error("byte {offset}, game {game}: move {found} after the 0 that ends the game")]
    AfterEnd {
        /// Where.
        offset: usize,
        /// The game, from 1.
        game: usize,
        /// The byte.
        found: u8,
    },
    /// A name does not fit, or is not Latin-1.
    #[error("name {name:?} cannot be written: at most {most} characters of Latin-1")]
    Name {
        /// The name.
        name: String,
        /// How many characters there may be.
        most: usize,
    },
    /// A game that the format has no room for.
    #[error("game {game} cannot be written: {reason}")]
    Unwritable {
        /// The game, from 1.
        game: usize,
        /// Why.
        reason: &'static str,
    },
}

/// The day a file was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct WthorDate {
    /// The year, such as 2002.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WthorGame {
    /// The year of the file it stands in. All games of a file share it.
    pub year: u16,
    /// Number of the tournament in the list of tournaments.
    pub tournament: u16,
    /// Number of the black player in the list of players.
    pub black: u16,
    /// Number of the white player.
    pub white: u16,
    /// Black's discs at the end, 0 to 64, the empty squares counted for the winner.
    pub result: u8,
    /// Black's discs if both play best from [`WthorDatabase::depth`] empty squares on.
    pub theoretical: u8,
    /// The moves without the passes, at most 60. [`WthorGame::replay`] says whether they are legal.
    pub moves: Vec<Square>,
}

impl WthorGame {
    /// Plays the moves, with the passes that are forced. The last position need not be the end of a game.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn replay(&self) -> Result<Position, IllegalMove> {
        let mut position = Position::start();
        for &square in &self.moves {
            position.pass_if_forced();
            position.play(Move::Play(square))?;
        }
        Ok(position)
    }

    /// Black's discs minus White's at the end: [`WthorGame::result`] as a score, -64 to 64.
    pub fn score(&self) -> i32 {
        2 * i32::from(self.result) - 64
    }
}

/// A file of games (`.wtb`).
///
/// ```
/// use ishi_othello::wthor::{WthorDatabase, WthorGame};
/// let moves = ["f5", "d6", "c3"].map(|text| text.parse().unwrap()).to_vec();
/// let game = WthorGame { year: 2022, tournament: 0, black: 1, white: 2, result: 33, theoretical: 32, moves };
/// let database = WthorDatabase { year: 2022, games: vec![game], ..WthorDatabase::default() };
/// let bytes = database.to_bytes().unwrap();
/// assert_eq!(bytes.len(), 16 + 68);
/// assert_eq!(WthorDatabase::from_bytes(&bytes), Ok(database));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WthorDatabase {
    /// When the file was made.
    pub created: WthorDate,
    /// The year of the games.
    pub year: u16,
    /// From how many empty squares on the theoretical results are best play; 0 in old files, which mean 22.
    pub depth: u8,
    /// The games in the order of the file.
    pub games: Vec<WthorGame>,
}

impl WthorDatabase {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is no file of games on 8x8: says which byte is wrong, and what would be right.
    pub fn from_bytes(bytes: &[u8]) -> Result<WthorDatabase, WthorError> {
        let header = WthorHeader::from_bytes(bytes)?;
        let records = split_records::<RECORD>(bytes, header.games as usize)?;
        header.check_kind()?;
        let mut games = Vec::with_capacity(records.len());
        for (index, record) in records.iter().enumerate() {
            games.push(read_game(record, index, header.year)?);
        }
        Ok(WthorDatabase { created: header.created, year: header.year, depth: header.depth, games })
    }

    /// Writes a file.
    ///
    /// # Errors
    /// If a game has more than 60 moves or more than 64 discs, or another year than the file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WthorError> {
        let header = WthorHeader {
            created: self.created,
            games: self.games.len() as u32,
            year: self.year,
            size: 8,
            depth: self.depth,
            ..WthorHeader::default()
        };
        let mut bytes = header.to_bytes();
        for (index, game) in self.games.iter().enumerate() {
            let unwritable = |reason| WthorError::Unwritable { game: index + 1, reason };
            bytes.extend_from_slice(&write_game(game, self.year).map_err(unwritable)?);
        }
        Ok(bytes)
    }
}

fn read_game(record: &[u8; RECORD], index: usize, year: u16) -> Result<WthorGame, WthorError> {
    let (game, start) = (index + 1, HEADER + index * RECORD);
    for at in [6, 7] {
        if record[at] > 64 {
            return Err(WthorError::Discs { offset: start + at, game, found: record[at] });
        }
    }
    let number = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
    let codes = &record[8..];
    let length = codes.iter().position(|&code| code == 0).unwrap_or(MOVES);
    // Passes are left out, so a 0 is never one: moves after it are damage.
    if let Some(at) = codes[length..].iter().position(|&code| code != 0) {
        let at = length + at;
        return Err(WthorError::AfterEnd { offset: start + 8 + at, game, found: codes[at] });
    }
    let square = |(at, &found): (usize, &u8)| {
        decode_square(found).ok_or(WthorError::Square { offset: start + 8 + at, game, found })
    };
    Ok(WthorGame {
        year,
        tournament: number(0),
        black: number(2),
        white: number(4),
        result: record[6],
        theoretical: record[7],
        moves: codes[..length].iter().enumerate().map(square).collect::<Result<_, _>>()?,
    })
}

fn write_game(game: &WthorGame, year: u16) -> Result<[u8; RECORD], &'static str> {
    if game.year != year {
        return Err("it is of another year than the file");
    }
    if game.moves.len() > MOVES {
        return Err("it has more than 60 moves");
    }
    if game.result > 64 || game.theoretical > 64 {
        return Err("it has more than 64 discs");
    }
    let mut record = [0; RECORD];
    for (at, number) in [game.tournament, game.black, game.white].into_iter().enumerate() {
        record[2 * at..2 * at + 2].copy_from_slice(&number.to_le_bytes());
    }
    (record[6], record[7]) = (game.result, game.theoretical);
    for (code, &square) in record[8..].iter_mut().zip(&game.moves) {
        *code = encode_square(square);
    }
    Ok(record)
}

fn decode_square(code: u8) -> Option<Square> {
    let (row, column) = (usize::from(code / 10).checked_sub(1)?, usize::from(code % 10).checked_sub(1)?);
    Square::from_column_row(column, row)
}

fn encode_square(square: Square) -> u8 {
    (10 * (square.row() + 1) + square.column() + 1) as u8
}

/// Names of players (`.jou`) or tournaments (`.trn`): entry n is the one that games call n.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WthorNames {
    /// When the file was made.
    pub created: WthorDate,
    /// The names.
    pub names: Vec<String>,
}

/// Which list of names: the length of an entry differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WthorNamesKind {
    /// `.jou`: 20 bytes an entry.
    Players,
    /// `.trn`: 26 bytes an entry.
    Tournaments,
}

impl WthorNamesKind {
    /// Bytes of an entry; the last one is 0.
    const fn entry_width(self) -> usize {
        match self {
            WthorNamesKind::Players => 20,
            WthorNamesKind::Tournaments => 26,
        }
    }
}

impl WthorNames {
    /// Reads a file. Names are taken as Latin-1, up to the first 0.
    ///
    /// ```
    /// use ishi_othello::wthor::{WthorNames, WthorNamesKind};
    /// let names = WthorNames { names: vec!["Tamenori Hideshi".to_string()], ..WthorNames::default() };
    /// let bytes = names.to_bytes(WthorNamesKind::Players).unwrap();
    /// assert_eq!(WthorNames::from_bytes(WthorNamesKind::Players, &bytes), Ok(names));
    /// ```
    ///
    /// # Errors
    /// If the length is not what the header announces.
    pub fn from_bytes(kind: WthorNamesKind, bytes: &[u8]) -> Result<WthorNames, WthorError> {
        let header = WthorHeader::from_bytes(bytes)?;
        let names = match kind {
            WthorNamesKind::Players => read_names::<20>(bytes, header.names),
            WthorNamesKind::Tournaments => read_names::<26>(bytes, header.names),
        };
        Ok(WthorNames { created: header.created, names: names? })
    }

    /// Writes a file.
    ///
    /// # Errors
    /// If a name is too long, holds a 0 or is not Latin-1, or there are more than 65,535.
    pub fn to_bytes(&self, kind: WthorNamesKind) -> Result<Vec<u8>, WthorError> {
        let width = kind.entry_width();
        let reason = "a list has at most 65535 names";
        let names = u16::try_from(self.names.len())
            .map_err(|_| WthorError::Unwritable { game: self.names.len(), reason })?;
        let mut bytes = WthorHeader { created: self.created, names, ..WthorHeader::default() }.to_bytes();
        for name in &self.names {
            let end = bytes.len() + width;
            bytes.extend(encode_latin1(name, width - 1)?);
            bytes.resize(end, 0);
        }
        Ok(bytes)
    }

    /// The name with this number.
    pub fn get(&self, number: u16) -> Option<&str> {
        self.names.get(usize::from(number)).map(String::as_str)
    }
}

fn read_names<const WIDTH: usize>(bytes: &[u8], number: u16) -> Result<Vec<String>, WthorError> {
    let entries = split_records::<WIDTH>(bytes, usize::from(number))?;
    let text = |entry: &[u8; WIDTH]| entry.iter().take_while(|&&b| b != 0).map(|&b| char::from(b)).collect();
    Ok(entries.iter().map(text).collect())
}

fn encode_latin1(name: &str, most: usize) -> Result<Vec<u8>, WthorError> {
    let byte = |c: char| u8::try_from(c).ok().filter(|&byte| byte != 0);
    let bytes: Option<Vec<u8>> = name.chars().map(byte).collect();
    let bytes = bytes.filter(|bytes| bytes.len() <= most);
    bytes.ok_or_else(|| WthorError::Name { name: name.to_string(), most })
}

#[derive(Default)]
struct WthorHeader {
    created: WthorDate,
    games: u32,
    names: u16,
    year: u16,
    size: u8,
    kind: u8,
    depth: u8,
}

impl WthorHeader {
    fn from_bytes(bytes: &[u8]) -> Result<WthorHeader, WthorError> {
        let Some((head, _)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(WthorError::NoHeader { length: bytes.len() });
        };
        let [century, year, month, day, g0, g1, g2, g3, n0, n1, y0, y1, size, kind, depth, _] = *head;
        Ok(WthorHeader {
            created: WthorDate { year: 100 * u16::from(century) + u16::from(year), month, day },
            games: u32::from_le_bytes([g0, g1, g2, g3]),
            names: u16::from_le_bytes([n0, n1]),
            year: u16::from_le_bytes([y0, y1]),
            size,
            kind,
            depth,
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let WthorDate { year, month, day } = self.created;
        let mut bytes = vec![(year / 100).min(255) as u8, (year % 100) as u8, month, day];
        bytes.extend(self.games.to_le_bytes());
        bytes.extend(self.names.to_le_bytes());
        bytes.extend(self.year.to_le_bytes());
        bytes.extend([self.size, self.kind, self.depth, 0]);
        bytes
    }

    /// Size 0 is 8x8 too, in files from before there were others.
    fn check_kind(&self) -> Result<(), WthorError> {
        if !matches!(self.size, 0 | 8) {
            let meaning = "the board's size, where 0 and 8 are 8x8";
            return Err(WthorError::Kind { offset: 12, found: self.size, meaning });
        }
        if self.kind != 0 {
            let meaning = "the kind, where 0 is games and 1 problems";
            return Err(WthorError::Kind { offset: 13, found: self.kind, meaning });
        }
        Ok(())
    }
}

/// The records after the header: all bytes, and as many as announced.
fn split_records<const SIZE: usize>(bytes: &[u8], announced: usize) -> Result<&[[u8; SIZE]], WthorError> {
    let (records, rest) = bytes[HEADER.min(bytes.len())..].as_chunks::<SIZE>();
    if records.len() == announced && rest.is_empty() {
        return Ok(records);
    }
    let expected = HEADER + announced * SIZE;
    Err(WthorError::Length { length: bytes.len(), records: announced, size: SIZE, expected })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn game() -> impl Strategy<Value = WthorGame> {
        let moves = prop::collection::vec((0..64usize).prop_map(|i| Square::new(i).unwrap()), 0..=60);
        (any::<[u16; 3]>(), 0..=64u8, 0..=64u8, moves).prop_map(
            |([tournament, black, white], result, theoretical, moves)| WthorGame {
                year: 1999,
                tournament,
                black,
                white,
                result,
                theoretical,
                moves,
            },
        )
    }

    #[test]
    fn a_move_is_ten_times_the_row_plus_the_column() {
        assert_eq!(encode_square("f5".parse().unwrap()), 56);
        assert_eq!(
            Square::all().map(|square| decode_square(encode_square(square))).filter(Option::is_none).count(),
            0
        );
        assert_eq!((0..=255u8).filter_map(decode_square).count(), 64);
    }

    #[test]
    fn errors_say_where() {
        let message = |bytes: &[u8]| WthorDatabase::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(message(b"GIF"), "a WTHOR file must begin with a header of 16 bytes, and this one has 3");
        let mut bytes = WthorDatabase { games: vec![one()], ..WthorDatabase::default() }.to_bytes().unwrap();
        bytes[24] = 99;
        let square =
            "byte 24, game 1: move 99 is no square: it must be ten times the row plus the column, 11 to 88";
        assert_eq!(message(&bytes), square);
        (bytes[24], bytes[30]) = (0, 11);
        assert_eq!(message(&bytes), "byte 30, game 1: move 11 after the 0 that ends the game");
        bytes[12] = 10;
        assert!(message(&bytes).starts_with("byte 12 is 10: the board's size"));
        bytes[4] = 2;
        assert_eq!(
            message(&bytes),
            "a WTHOR file must be as long as its header says: 2 records of 68 bytes make 152. This one has 84 bytes: it is damaged, or of another kind"
        );
    }

    fn one() -> WthorGame {
        WthorGame { year: 0, tournament: 0, black: 0, white: 0, result: 0, theoretical: 0, moves: Vec::new() }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let name = |text: &str| {
            WthorNames { names: vec![text.to_string()], ..WthorNames::default() }
                .to_bytes(WthorNamesKind::Players)
        };
        assert!(name("Brian Rose").is_ok());
        assert!(name("Tastet Marc de Paris").unwrap_err().to_string().contains("at most 19 characters"));
        assert!(name("為則英司").is_err());
        let other_year = WthorDatabase { year: 1990, games: vec![one()], ..WthorDatabase::default() };
        assert!(other_year.to_bytes().unwrap_err().to_string().contains("another year"));
    }

    proptest! {
        #[test]
        fn games_survive_writing(games in prop::collection::vec(game(), 0..5), depth: u8) {
            let created = WthorDate { year: 2001, month: 12, day: 31 };
            let database = WthorDatabase { created, year: 1999, depth, games };
            prop_assert_eq!(WthorDatabase::from_bytes(&database.to_bytes().unwrap()), Ok(database));
        }

        #[test]
        fn names_survive_writing(names in prop::collection::vec("[a-zé ]{0,19}", 0..9)) {
            let names = WthorNames { names, ..WthorNames::default() };
            for kind in [WthorNamesKind::Players, WthorNamesKind::Tournaments] {
                prop_assert_eq!(&WthorNames::from_bytes(kind, &names.to_bytes(kind).unwrap()).unwrap(), &names);
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>, games in 0..3u8) {
            let _ = WthorNames::from_bytes(WthorNamesKind::Players, &bytes);
            let _ = WthorNames::from_bytes(WthorNamesKind::Tournaments, &bytes);
            let mut file = vec![20, 1, 1, 1, games, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            file.extend(bytes);
            file.resize(16 + 68 * usize::from(games), 11);
            if let Ok(database) = WthorDatabase::from_bytes(&file) {
                database.games.iter().for_each(|game| drop(game.replay()));
            }
        }
    }
}
