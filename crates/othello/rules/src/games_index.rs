//! Games of the WTHOR database, to be asked for by position: how often was it reached, with which results, and what was played next?
//!
//! An index is one run of bytes. Numbers are little-endian.
//!
//! | part | bytes |
//! | --- | --- |
//! | `ISHIGAM2` | 8 |
//! | games, bits of a bucket's number, places | 3 times 4 |
//! | checksum of these | 8 |
//! | games: year, tournament, black, white (2 each), Black's discs, moves, 60 squares (0 to 63, 255 behind the last), checksum (8) | 78 each |
//! | for each bucket the place where it begins (4), checksum (8) | 12 each |
//! | the end of the last bucket | 4 |
//! | places: 64 times the game's number plus the moves played | 4 each |
//!
//! A game's checksum is that of its number (4 bytes) and its 70 bytes. A bucket's is that of its number, its begin, its end (4 bytes each) and its
//! places. So whatever a question reads is checked, and nothing else has to be read.
//!
//! A place is in the bucket of the hash of its board's canonical form. The boards of a bucket's places are compared, so that hashes that are equal by
//! chance do no harm. Only the parts of an index that a question needs are read.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

use ishi_rng::checksum::{CHECKSUM_BYTES, extend_checksum, fnv_checksum};

use crate::board::Board;
use crate::square::Square;
use crate::wthor::WthorGame;

const MAGIC: &[u8; 8] = b"ISHIGAM2";
/// Bytes of the head without its checksum.
const HEAD: usize = 20;
/// Bytes before the first game.
const HEADER: usize = HEAD + CHECKSUM_BYTES;
/// Bytes of a game without its checksum.
const GAME: usize = 70;
const SEALED_GAME: usize = GAME + CHECKSUM_BYTES;
/// Where a bucket begins, and its checksum.
const SEALED_BUCKET: usize = 4 + CHECKSUM_BYTES;
const MOVES: usize = 60;
const NO_SQUARE: u8 = 255;
/// So many games are more than there are numbers for.
const MOST_GAMES: usize = 1 << 26;

/// Why an index cannot be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GamesIndexError {
    /// It cannot be read.
    #[error("cannot read the index of games: {0}")]
    Read(#[from] io::Error),
    /// Other bytes, or bytes that have changed.
    #[error(
        "not an index of games, or a damaged one: byte {at}: {what}; write it anew by `ishi othello games FILES --index`"
    )]
    Damaged {
        /// Where, from 0.
        at: u64,
        /// What is wrong there.
        what: &'static str,
    },
}

/// Where the parts of an index begin.
#[derive(Clone, Copy, Debug)]
struct IndexLayout {
    games: u32,
    bits: u32,
    places: u32,
}

impl IndexLayout {
    /// As the head of an index says.
    fn from_head(bytes: &[u8]) -> Result<IndexLayout, GamesIndexError> {
        if !bytes.starts_with(MAGIC) {
            return Err(GamesIndexError::Damaged { at: 0, what: "it must begin with ISHIGAM2" });
        }
        let numbers = to_numbers(bytes.get(MAGIC.len()..HEAD).unwrap_or_default());
        let &[games, bits, places] = numbers.as_slice() else {
            return Err(GamesIndexError::Damaged { at: bytes.len() as u64, what: "its head ends too early" });
        };
        if !(1..=22).contains(&bits) || games as usize >= MOST_GAMES {
            return Err(GamesIndexError::Damaged { at: 8, what: "no index has such numbers" });
        }
        Ok(IndexLayout { games, bits, places })
    }

    fn game_at(self, number: u32) -> u64 {
        HEADER as u64 + SEALED_GAME as u64 * u64::from(number)
    }

    fn bucket_at(self, bucket: u32) -> u64 {
        self.game_at(self.games) + SEALED_BUCKET as u64 * u64::from(bucket)
    }

    fn place_at(self, place: u32) -> u64 {
        // Behind the end of the last bucket.
        self.bucket_at(1 << self.bits) + 4 + 4 * u64::from(place)
    }

    fn length(self) -> u64 {
        self.place_at(self.places)
    }
}

fn game_checksum(number: u32, record: &[u8]) -> u64 {
    extend_checksum(fnv_checksum(&number.to_le_bytes()), record)
}

fn bucket_checksum(bucket: u32, start: u32, end: u32, places: &[u8]) -> u64 {
    let sum = [start, end]
        .iter()
        .fold(fnv_checksum(&bucket.to_le_bytes()), |sum, bound| extend_checksum(sum, &bound.to_le_bytes()));
    extend_checksum(sum, places)
}

/// Writes all checksums of an index into their places. Bytes of another length than their head says get that of the head alone.
pub fn seal_games_index(bytes: &mut [u8]) {
    let Ok(layout) = IndexLayout::from_head(bytes) else { return };
    let sum = fnv_checksum(&bytes[..HEAD]);
    put_checksum(bytes, HEAD, sum);
    if layout.length() != bytes.len() as u64 {
        return;
    }
    for number in 0..layout.games {
        let at = layout.game_at(number) as usize;
        let sum = game_checksum(number, &bytes[at..at + GAME]);
        put_checksum(bytes, at + GAME, sum);
    }
    for bucket in 0..1u32 << layout.bits {
        let at = layout.bucket_at(bucket) as usize;
        let (start, end) = (to_number(&bytes[at..]), to_number(&bytes[at + SEALED_BUCKET..]));
        let places = layout.place_at(start) as usize..layout.place_at(end) as usize;
        let sum = bucket_checksum(bucket, start, end, bytes.get(places).unwrap_or_default());
        put_checksum(bytes, at + 4, sum);
    }
}

fn put_checksum(bytes: &mut [u8], at: usize, sum: u64) {
    if let Some(place) = bytes.get_mut(at..at + CHECKSUM_BYTES) {
        place.copy_from_slice(&sum.to_le_bytes());
    }
}

/// Does the checksum stand at the beginning of these bytes?
fn has_checksum(bytes: &[u8], sum: u64) -> bool {
    bytes.get(..CHECKSUM_BYTES) == Some(&sum.to_le_bytes()[..])
}

/// A game of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedGame {
    /// The year.
    pub year: u16,
    /// Number of the tournament in the list of tournaments.
    pub tournament: u16,
    /// Number of the black player in the list of players.
    pub black: u16,
    /// Number of the white player.
    pub white: u16,
    /// Black's discs minus White's at the end.
    pub score: i32,
    /// The moves, without passes.
    pub moves: Vec<Square>,
}

/// Results of games, for the side to move in the position that was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameResults {
    /// Games won.
    pub won: u32,
    /// Drawn.
    pub drawn: u32,
    /// Lost.
    pub lost: u32,
    /// Discs, all games together.
    pub discs: i64,
}

impl GameResults {
    /// How many games.
    pub fn games(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Points of the games: 1 for a win, half for a draw; `None` without games.
    pub fn success(self) -> Option<f64> {
        let points = f64::from(self.won) + f64::from(self.drawn) / 2.0;
        (self.games() > 0).then(|| points / f64::from(self.games()))
    }

    /// Discs a game; `None` without games.
    pub fn mean_discs(self) -> Option<f64> {
        (self.games() > 0).then(|| self.discs as f64 / f64::from(self.games()))
    }

    fn add_game(&mut self, score: i32) {
        match score {
            ..0 => self.lost += 1,
            0 => self.drawn += 1,
            1.. => self.won += 1,
        }
        self.discs += i64::from(score);
    }
}

/// A move that was played in a position. Moves that symmetry makes the same are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move on the board that was asked for.
    pub square: Square,
    /// How it went on.
    pub results: GameResults,
}

/// What an index knows of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionGames {
    /// All games that reached it.
    pub results: GameResults,
    /// What was played next, the most usual first. Games that end here have none.
    pub moves: Vec<PlayedMove>,
    /// The latest of the games, at most as many as were asked for.
    pub games: Vec<IndexedGame>,
}

/// The index of these games, as bytes. Games with a move that is not legal are left out.
///
/// # Panics
/// With 67 million games and more.
pub fn build_games_index(games: &[WthorGame]) -> Vec<u8> {
    let mut played: Vec<(&WthorGame, Vec<Board>)> = Vec::new();
    for game in games {
        let squares = &game.moves[..game.moves.len().min(MOVES)];
        played.extend(list_boards(squares).map(|boards| (game, boards)));
    }
    assert!(played.len() < MOST_GAMES, "{} games are too many for an index", played.len());
    let total: usize = played.iter().map(|(_, boards)| boards.len()).sum();
    let bits = total.max(2).ilog2().saturating_sub(2).clamp(1, 22);
    let mut places: Vec<(u32, u32)> = Vec::with_capacity(total);
    for (number, (_, boards)) in played.iter().enumerate() {
        let place = |(ply, board): (usize, &Board)| (bucket_of(*board, bits), (number << 6 | ply) as u32);
        places.extend(boards.iter().enumerate().map(place));
    }
    places.sort_unstable();
    let mut bytes = MAGIC.to_vec();
    for number in [played.len() as u32, bits, total as u32] {
        bytes.extend(number.to_le_bytes());
    }
    // Checksums come when all is there.
    const NO_CHECKSUM: [u8; CHECKSUM_BYTES] = [0; CHECKSUM_BYTES];
    bytes.extend(NO_CHECKSUM);
    for (game, _) in &played {
        bytes.extend(pack_game(game));
        bytes.extend(NO_CHECKSUM);
    }
    for bucket in 0..1u32 << bits {
        let start = places.partition_point(|place| place.0 < bucket);
        bytes.extend((start as u32).to_le_bytes());
        bytes.extend(NO_CHECKSUM);
    }
    bytes.extend((total as u32).to_le_bytes());
    bytes.extend(places.iter().flat_map(|(_, place)| place.to_le_bytes()));
    seal_games_index(&mut bytes);
    bytes
}

/// What the index knows of a position; with at most `most` of its games.
///
/// # Errors
/// If it cannot be read, is no index, or is damaged where it was read.
pub fn find_position_games(
    index: &mut (impl Read + Seek),
    board: Board,
    most: usize,
) -> Result<PositionGames, GamesIndexError> {
    let mut reader = IndexReader::open(index)?;
    let wanted = board.canonical_form().0;
    let mut search = PositionSearch::new(board);
    for place in reader.read_places(bucket_of(board, reader.layout.bits))? {
        let (number, ply) = (place >> 6, (place & 63) as usize);
        let game = reader.find_game(number)?;
        let at = reader.layout.game_at(number);
        search.add_place(&game, ply, wanted).map_err(|what| GamesIndexError::Damaged { at, what })?;
    }
    Ok(search.into_answer(most))
}

/// The bucket of a board.
fn bucket_of(board: Board, bits: u32) -> u32 {
    let Board { player, opponent } = board.canonical_form().0;
    let mixed = player.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
    ((mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as u32
}

/// The boards of a game, each seen by its side to move: before every move, and after the last. `None` if a move is not legal.
fn list_boards(moves: &[Square]) -> Option<Vec<Board>> {
    let mut board = Board::START;
    let mut boards = Vec::with_capacity(moves.len() + 1);
    for &square in moves {
        board = turn_to_move(board, square)?;
        boards.push(board);
        board = board.play_unchecked(square);
    }
    boards.push(pass_if_forced(board));
    Some(boards)
}

/// The board with the side to move that may play this square: the other one after a forced pass.
fn turn_to_move(board: Board, square: Square) -> Option<Board> {
    let board = pass_if_forced(board);
    (board.empty_squares() & square.bit() != 0 && board.flips(square) != 0).then_some(board)
}

fn pass_if_forced(board: Board) -> Board {
    let is_forced = board.legal_moves() == 0 && board.pass().legal_moves() != 0;
    if is_forced { board.pass() } else { board }
}

fn pack_game(game: &WthorGame) -> [u8; GAME] {
    let mut bytes = [NO_SQUARE; GAME];
    for (at, number) in [game.year, game.tournament, game.black, game.white].into_iter().enumerate() {
        bytes[2 * at..2 * at + 2].copy_from_slice(&number.to_le_bytes());
    }
    let moves = &game.moves[..game.moves.len().min(MOVES)];
    (bytes[8], bytes[9]) = (game.result, moves.len() as u8);
    for (byte, square) in bytes[10..].iter_mut().zip(moves) {
        *byte = square.index() as u8;
    }
    bytes
}

fn unpack_game(bytes: &[u8]) -> Option<IndexedGame> {
    let number = |at: usize| Some(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    let (discs, length) = (*bytes.get(8)?, usize::from(*bytes.get(9)?));
    let squares = bytes.get(10..GAME)?.get(..length)?;
    let moves = squares.iter().map(|&byte| (byte < 64).then(|| Square::from_lowest_bit(1 << byte)));
    Some(IndexedGame {
        year: number(0)?,
        tournament: number(2)?,
        black: number(4)?,
        white: number(6)?,
        score: 2 * i32::from(discs.min(64)) - 64,
        moves: moves.collect::<Option<_>>()?,
    })
}

/// The parts of an index.
struct IndexReader<'a, R> {
    index: &'a mut R,
    layout: IndexLayout,
    /// All games, once many are asked for.
    loaded: Vec<u8>,
}

impl<'a, R: Read + Seek> IndexReader<'a, R> {
    fn open(index: &'a mut R) -> Result<IndexReader<'a, R>, GamesIndexError> {
        let length = index.seek(SeekFrom::End(0))?;
        index.seek(SeekFrom::Start(0))?;
        let mut head = Vec::new();
        index.by_ref().take(HEADER as u64).read_to_end(&mut head)?;
        let layout = IndexLayout::from_head(&head)?;
        if !has_checksum(&head[HEAD..], fnv_checksum(&head[..HEAD])) {
            return Err(GamesIndexError::Damaged { at: HEAD as u64, what: "its head must fit its checksum" });
        }
        if layout.length() != length {
            let what = "its length must be the one that its head says";
            return Err(GamesIndexError::Damaged { at: length, what });
        }
        Ok(IndexReader { index, layout, loaded: Vec::new() })
    }

    fn read_at(&mut self, start: u64, length: usize) -> Result<Vec<u8>, GamesIndexError> {
        self.index.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        self.index.by_ref().take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() == length {
            return Ok(bytes);
        }
        Err(GamesIndexError::Damaged { at: start + bytes.len() as u64, what: "it ends too early" })
    }

    fn read_places(&mut self, bucket: u32) -> Result<Vec<u32>, GamesIndexError> {
        let layout = self.layout;
        let at = layout.bucket_at(bucket);
        let entry = self.read_at(at, SEALED_BUCKET + 4)?;
        let (start, end) = (to_number(&entry), to_number(&entry[SEALED_BUCKET..]));
        if start > end || end > layout.places {
            return Err(GamesIndexError::Damaged { at, what: "a bucket must have places" });
        }
        // Where many games are needed, all are read at once.
        if end - start > layout.games / 16 {
            self.loaded = self.read_at(HEADER as u64, SEALED_GAME * layout.games as usize)?;
        }
        let places = self.read_at(layout.place_at(start), 4 * (end - start) as usize)?;
        if !has_checksum(&entry[4..], bucket_checksum(bucket, start, end, &places)) {
            return Err(GamesIndexError::Damaged { at, what: "a bucket must fit its checksum" });
        }
        Ok(to_numbers(&places))
    }

    fn find_game(&mut self, number: u32) -> Result<IndexedGame, GamesIndexError> {
        let at = self.layout.game_at(number);
        if number >= self.layout.games {
            return Err(GamesIndexError::Damaged { at, what: "a place must be in a game" });
        }
        let start = SEALED_GAME * number as usize;
        let read;
        let bytes = match self.loaded.get(start..start + SEALED_GAME) {
            Some(bytes) => bytes,
            None => {
                read = self.read_at(at, SEALED_GAME)?;
                read.as_slice()
            }
        };
        let (record, sum) = bytes.split_at(GAME);
        if !has_checksum(sum, game_checksum(number, record)) {
            return Err(GamesIndexError::Damaged { at, what: "a game must fit its checksum" });
        }
        unpack_game(record)
            .ok_or(GamesIndexError::Damaged { at, what: "each move of a game must be a square" })
    }
}

/// The number of the first four bytes; 0 if there are fewer.
fn to_number(bytes: &[u8]) -> u32 {
    bytes.first_chunk::<4>().map_or(0, |&four| u32::from_le_bytes(four))
}

/// Numbers of four bytes.
fn to_numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

/// What has been found of a position.
struct PositionSearch {
    board: Board,
    results: GameResults,
    /// By the canonical form of the board after the move.
    moves: BTreeMap<Board, GameResults>,
    games: Vec<IndexedGame>,
}

impl PositionSearch {
    fn new(board: Board) -> PositionSearch {
        let results = GameResults::default();
        PositionSearch { board, results, moves: BTreeMap::new(), games: Vec::new() }
    }

    /// Counts a game if it has the position after so many moves.
    fn add_place(&mut self, game: &IndexedGame, ply: usize, wanted: Board) -> Result<(), &'static str> {
        let played = game.moves.get(..ply).ok_or("a place must be within its game")?;
        let (mut board, mut black) = (Board::START, true);
        for &square in played {
            // A move that turns nothing is the other side's, after a forced pass.
            if board.flips(square) == 0 {
                (board, black) = (board.pass(), !black);
            }
            let flips = board.flips(square);
            if flips == 0 || board.empty_squares() & square.bit() == 0 {
                return Err("each move of a game must be legal");
            }
            (board, black) = (board.after_flips(square, flips), !black);
        }
        if pass_if_forced(board) != board {
            (board, black) = (board.pass(), !black);
        }
        if board.canonical_form().0 != wanted {
            return Ok(());
        }
        let score = if black { game.score } else { -game.score };
        self.results.add_game(score);
        if let Some(&next) = game.moves.get(ply).filter(|next| board.is_legal(**next)) {
            self.moves.entry(board.play_unchecked(next).canonical_form().0).or_default().add_game(score);
        }
        self.games.push(game.clone());
        Ok(())
    }

    fn into_answer(mut self, most: usize) -> PositionGames {
        let mut moves: Vec<PlayedMove> = Vec::new();
        for (square, child) in self.board.children() {
            // The first of the squares that symmetry makes the same has them all.
            if let Some(results) = self.moves.remove(&child.canonical_form().0) {
                moves.push(PlayedMove { square, results });
            }
        }
        moves.sort_by_key(|each| std::cmp::Reverse(each.results.games()));
        self.games.sort_by_key(|game| std::cmp::Reverse(game.year));
        self.games.truncate(most);
        PositionGames { results: self.results, moves, games: self.games }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;
    use crate::position::Position;
    use crate::symmetry::Symmetry;
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;
    use proptest::prelude::*;
    use std::io::Cursor;

    /// Random games to their ends, half of them turned by a symmetry that leaves the start as it is.
    fn random_games(count: u64) -> Vec<WthorGame> {
        let turn = Symmetry::ALL
            .into_iter()
            .find(|each| *each != Symmetry::IDENTITY && each.map_board(Board::START) == Board::START);
        let play = |number: u64| {
            let mut rng = Seed::new(3).stream("games", number / 2);
            let mut game = Position::start();
            while let Some(&mv) = rng.choose(&game.legal_moves()[..game.legal_moves().len().min(3)]) {
                game.play(mv).unwrap();
            }
            let turned = |square| if number % 2 == 1 { turn.unwrap().map_square(square) } else { square };
            let result = ((game.score() + 64) / 2) as u8;
            let moves = game.squares_played().map(turned).collect();
            let year = 1980 + (number % 40) as u16;
            WthorGame { year, tournament: 1, black: number as u16, white: 3, result, theoretical: 32, moves }
        };
        (0..count).map(play).collect()
    }

    /// The same without an index: every position of every game, replayed by the rules.
    fn count_plainly(games: &[WthorGame], board: Board) -> (GameResults, BTreeMap<Board, GameResults>) {
        let wanted = board.canonical_form().0;
        let (mut results, mut moves) = (GameResults::default(), BTreeMap::<Board, GameResults>::new());
        for game in games {
            let mut position = Position::start();
            for ply in 0..=game.moves.len() {
                position.pass_if_forced();
                let here = position.board();
                let score = if position.to_move() == Color::Black { game.score() } else { -game.score() };
                let next = game.moves.get(ply);
                if here.canonical_form().0 == wanted {
                    results.add_game(score);
                    if let Some(&next) = next {
                        let child = here.play_unchecked(next).canonical_form().0;
                        moves.entry(child).or_default().add_game(score);
                    }
                }
                if let Some(&next) = next {
                    position.play(crate::square::Move::Play(next)).unwrap();
                }
            }
        }
        (results, moves)
    }

    #[test]
    fn an_index_answers_as_plain_counting_does() {
        let games = random_games(120);
        let bytes = build_games_index(&games);
        let mut asked = 0;
        for game in games.iter().step_by(17) {
            for ply in (0..=game.moves.len()).step_by(7) {
                let boards = list_boards(&game.moves).unwrap();
                let found = find_position_games(&mut Cursor::new(&bytes), boards[ply], 5).unwrap();
                let (results, moves) = count_plainly(&games, boards[ply]);
                assert_eq!(found.results, results, "ply {ply}");
                assert!(results.games() >= 2, "a game and its image");
                assert_eq!(found.moves.len(), moves.len());
                for each in &found.moves {
                    let child = boards[ply].play_unchecked(each.square).canonical_form().0;
                    assert_eq!(Some(&each.results), moves.get(&child));
                }
                assert!(found.moves.is_sorted_by_key(|each| std::cmp::Reverse(each.results.games())));
                assert!(found.games.is_sorted_by_key(|game| std::cmp::Reverse(game.year)));
                assert_eq!(found.games.len(), 5.min(results.games() as usize));
                asked += 1;
            }
        }
        assert!(asked > 50, "{asked}");
    }

    #[test]
    fn results_are_for_the_side_to_move() {
        let moves: Vec<Square> = ["f5", "d6", "c3"].map(|text| text.parse().unwrap()).to_vec();
        let game =
            WthorGame { year: 2001, tournament: 0, black: 1, white: 2, result: 40, theoretical: 40, moves };
        let bytes = build_games_index(&[game]);
        let ask = |text: &str| {
            let board = Position::from_transcript(text).unwrap().board();
            find_position_games(&mut Cursor::new(&bytes), board, 1).unwrap()
        };
        assert_eq!(ask("").results, GameResults { won: 1, drawn: 0, lost: 0, discs: 16 });
        assert_eq!(ask("c4").results, GameResults { won: 0, drawn: 0, lost: 1, discs: -16 });
        assert_eq!((ask("f5").results.success(), ask("f5").results.mean_discs()), (Some(0.0), Some(-16.0)));
        assert_eq!(ask("f5d6c3").moves, []);
        assert_eq!(ask("f5f6"), PositionGames::default());
        assert_eq!(ask("f5f6").results.success(), None);
    }

    #[test]
    fn games_with_wrong_moves_are_left_out() {
        let mut games = random_games(2);
        games[1].moves[0] = "a1".parse().unwrap();
        let bytes = build_games_index(&games);
        let found = find_position_games(&mut Cursor::new(&bytes), Board::START, 9).unwrap();
        assert_eq!(found.results.games(), 1);
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = build_games_index(&random_games(4));
        let ask = |bytes: &[u8]| find_position_games(&mut Cursor::new(bytes), Board::START, 1);
        assert!(ask(&bytes).is_ok());
        for wrong in [&bytes[..bytes.len() - 1], &bytes[1..], b"", &[0; 40]] {
            assert!(matches!(ask(wrong), Err(GamesIndexError::Damaged { .. })));
        }
        let older = [&b"ISHIGAM1"[..], &bytes[8..]].concat();
        let error = ask(&older).unwrap_err().to_string();
        assert!(error.contains("byte 0: it must begin with ISHIGAM2"), "{error}");
    }

    /// All that is asked of a file, or the first error.
    fn ask_everything(bytes: &[u8], boards: &[Board]) -> Result<Vec<PositionGames>, GamesIndexError> {
        boards.iter().map(|board| find_position_games(&mut Cursor::new(bytes), *board, 9)).collect()
    }

    #[test]
    fn a_damaged_index_is_refused_or_answers_the_same() {
        let games = random_games(40);
        let bytes = build_games_index(&games);
        let boards: Vec<Board> =
            games.iter().step_by(2).flat_map(|game| list_boards(&game.moves).unwrap()).collect();
        let whole = ask_everything(&bytes, &boards).unwrap();
        let mut refused = 0;
        try_damaged_copies(&bytes, Seed::new(1), 200, |what, damaged| {
            match ask_everything(damaged, &boards) {
                Ok(answers) => assert_eq!(answers, whole, "{what}"),
                Err(error) => {
                    assert!(error.to_string().contains(": byte "), "{error}");
                    refused += 1;
                }
            }
        });
        assert!(refused > 140, "{refused}");
    }

    /// What stands in the place of another game or bucket is whole in itself, and wrong there.
    #[test]
    fn exchanged_games_and_buckets_are_refused() {
        let bytes = build_games_index(&random_games(40));
        let layout = IndexLayout::from_head(&bytes).unwrap();
        let mut exchanged = bytes.clone();
        let (first, third) = (layout.game_at(0) as usize, layout.game_at(2) as usize);
        (0..SEALED_GAME).for_each(|byte| exchanged.swap(first + byte, third + byte));
        let error = ask_everything(&exchanged, &[Board::START]).unwrap_err().to_string();
        assert!(error.contains(&format!("byte {first}: a game must fit its checksum")), "{error}");
        let bucket = bucket_of(Board::START, layout.bits);
        let at = layout.bucket_at(bucket) as usize;
        let mut shifted = bytes;
        shifted[at] ^= 1;
        let error = ask_everything(&shifted, &[Board::START]).unwrap_err().to_string();
        assert!(error.contains(&format!("byte {at}: a bucket must")), "{error}");
    }

    proptest! {
        #[test]
        fn damage_does_not_make_it_panic(at: prop::sample::Index, byte: u8, plies in 0usize..20) {
            let games = random_games(4);
            let mut bytes = build_games_index(&games);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            // As by hand: with the checksums that it must have.
            seal_games_index(&mut bytes);
            let boards = list_boards(&games[0].moves).unwrap();
            let board = boards[plies.min(boards.len() - 1)];
            let _ = find_position_games(&mut Cursor::new(&bytes), board, 3);
        }
    }
}
