//! The parts of an index, read and checked one by one.

use std::cmp::Ordering;
use std::io::{Read, Seek, SeekFrom};

use ishi_rng::checksum::{CHECKSUM_BYTES, fnv_checksum};

use crate::board::Board;
use crate::square::Square;

use super::build::{bucket_of_hash, hash_board};
use super::layout::{
    GAME, HEAD, HEADER, IndexLayout, POSITION, SEALED_BUCKET, SEALED_GAME, SEALED_POSITION, has_checksum,
    to_long, to_number, to_numbers,
};
use super::search::PositionSearch;
use super::{GameResults, GamesIndexError, IndexedGame, PlayedMove, score_of_discs};

/// Bytes of results.
const RESULTS: usize = 20;
/// Bytes of a move with its results.
const MOVE: usize = 4 + RESULTS;
/// Most moves of a position.
const MOST_MOVES: usize = 64;

/// What an index has counted of a usual position.
pub(super) struct CountedAnswer {
    /// Where it stands.
    at: u64,
    results: GameResults,
    /// On the canonical form of the board.
    moves: Vec<PlayedMove>,
    /// The latest first.
    places: Vec<u32>,
}

/// An index whose head has been read.
pub(super) struct IndexReader<'a, R> {
    index: &'a mut R,
    layout: IndexLayout,
}

impl<'a, R: Read + Seek> IndexReader<'a, R> {
    pub(super) fn open(index: &'a mut R) -> Result<IndexReader<'a, R>, GamesIndexError> {
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
        Ok(IndexReader { index, layout })
    }

    fn read_at(&mut self, start: u64, length: usize) -> Result<Vec<u8>, GamesIndexError> {
        self.index.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::with_capacity(length);
        self.index.by_ref().take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() == length {
            return Ok(bytes);
        }
        Err(GamesIndexError::Damaged { at: start + bytes.len() as u64, what: "it ends too early" })
    }

    /// What was counted of a canonical board, if it is a usual position. They are in order: a dozen of them are looked at.
    pub(super) fn find_answer(&mut self, wanted: Board) -> Result<Option<CountedAnswer>, GamesIndexError> {
        let (mut first, mut behind) = (0, self.layout.positions);
        while first < behind {
            let middle = first + (behind - first) / 2;
            let (board, begin, end) = self.read_position(middle)?;
            match board.cmp(&wanted) {
                Ordering::Less => first = middle + 1,
                Ordering::Greater => behind = middle,
                Ordering::Equal => return self.read_answer(middle, begin, end).map(Some),
            }
        }
        Ok(None)
    }

    /// The board of a usual position, where its answer begins, and where it ends.
    fn read_position(&mut self, number: u32) -> Result<(Board, u64, u64), GamesIndexError> {
        let at = self.layout.position_at(number);
        let entry = self.read_at(at, SEALED_POSITION + 8)?;
        let (position, behind) = entry.split_at(POSITION);
        let end = to_long(&behind[CHECKSUM_BYTES..]);
        if !has_checksum(behind, self.layout.position_checksum(number, position, end)) {
            return Err(GamesIndexError::Damaged { at, what: "a usual position must fit its checksum" });
        }
        let board = Board { player: to_long(&position[8..]), opponent: to_long(&position[16..]) };
        Ok((board, to_long(position), end))
    }

    fn read_answer(&mut self, number: u32, begin: u64, end: u64) -> Result<CountedAnswer, GamesIndexError> {
        let at = self.layout.answer_at(begin);
        let damaged = |what| GamesIndexError::Damaged { at, what };
        if begin > end || end > self.layout.answers || end - begin < CHECKSUM_BYTES as u64 {
            return Err(damaged("an answer must be among the answers"));
        }
        let bytes = self.read_at(at, (end - begin) as usize)?;
        let (answer, sum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        if !has_checksum(sum, self.layout.answer_checksum(number, answer)) {
            return Err(damaged("an answer must fit its checksum"));
        }
        unpack_answer(at, answer).ok_or(damaged("the numbers of an answer must fit each other"))
    }

    /// Hands over what was counted, with the latest games.
    pub(super) fn add_answer(
        &mut self,
        answer: &CountedAnswer,
        most: usize,
        search: &mut PositionSearch,
    ) -> Result<(), GamesIndexError> {
        let at = answer.at;
        search
            .take_counted(answer.results, &answer.moves)
            .map_err(|what| GamesIndexError::Damaged { at, what })?;
        for &place in answer.places.iter().take(most) {
            let (game, ply, at) = self.read_place(place)?;
            search.keep_game(game, ply).map_err(|what| GamesIndexError::Damaged { at, what })?;
        }
        Ok(())
    }

    /// Hands over the games of the bucket in which the position must be.
    pub(super) fn add_bucket(&mut self, search: &mut PositionSearch) -> Result<(), GamesIndexError> {
        for place in self.read_bucket(bucket_of_hash(hash_board(search.wanted()), self.layout.bits))? {
            let (game, ply, at) = self.read_place(place)?;
            search.add_game(game, ply).map_err(|what| GamesIndexError::Damaged { at, what })?;
        }
        Ok(())
    }

    fn read_bucket(&mut self, bucket: u32) -> Result<Vec<u32>, GamesIndexError> {
        let layout = self.layout;
        let at = layout.bucket_at(bucket);
        let entry = self.read_at(at, SEALED_BUCKET + 4)?;
        let (start, end) = (to_number(&entry), to_number(&entry[SEALED_BUCKET..]));
        if start > end || end > layout.places {
            return Err(GamesIndexError::Damaged { at, what: "a bucket must have places" });
        }
        let places = self.read_at(layout.place_at(start), 4 * (end - start) as usize)?;
        if !has_checksum(&entry[4..], layout.bucket_checksum(bucket, start, end, &places)) {
            return Err(GamesIndexError::Damaged { at, what: "a bucket must fit its checksum" });
        }
        Ok(to_numbers(&places))
    }

    /// The game of a place, the moves played there, and where the game stands.
    fn read_place(&mut self, place: u32) -> Result<(IndexedGame, usize, u64), GamesIndexError> {
        let number = place >> 6;
        let at = self.layout.game_at(number);
        if number >= self.layout.games {
            return Err(GamesIndexError::Damaged { at, what: "a place must be in a game" });
        }
        let bytes = self.read_at(at, SEALED_GAME)?;
        let (record, sum) = bytes.split_at(GAME);
        if !has_checksum(sum, self.layout.game_checksum(number, record)) {
            return Err(GamesIndexError::Damaged { at, what: "a game must fit its checksum" });
        }
        let game = unpack_game(record)
            .ok_or(GamesIndexError::Damaged { at, what: "each move of a game must be a square" })?;
        Ok((game, (place & 63) as usize, at))
    }
}

fn unpack_game(bytes: &[u8]) -> Option<IndexedGame> {
    let number = |at: usize| Some(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    let (discs, length) = (*bytes.get(8)?, usize::from(*bytes.get(9)?));
    let squares = bytes.get(10..GAME)?.get(..length)?;
    Some(IndexedGame {
        year: number(0)?,
        tournament: number(2)?,
        black: number(4)?,
        white: number(6)?,
        score: score_of_discs(discs),
        moves: squares.iter().map(|&byte| Square::new(usize::from(byte))).collect::<Option<_>>()?,
    })
}

/// An answer that has as many games as places, and no more games that go on than games.
fn unpack_answer(at: u64, bytes: &[u8]) -> Option<CountedAnswer> {
    let (results, games) = unpack_results(bytes)?;
    let count = to_number(bytes.get(RESULTS..RESULTS + 4)?) as usize;
    let (moves, places) = bytes[RESULTS + 4..].split_at_checked(MOVE * count.min(MOST_MOVES))?;
    let (mut played, mut going_on) = (Vec::new(), 0);
    for each in moves.chunks_exact(MOVE) {
        let (results, games) = unpack_results(&each[4..])?;
        going_on += u64::from(games);
        played.push(PlayedMove { square: Square::new(to_number(each) as usize)?, results });
    }
    let fits =
        played.len() == count && places.len() as u64 == 4 * u64::from(games) && going_on <= u64::from(games);
    fits.then(|| CountedAnswer { at, results, moves: played, places: to_numbers(places) })
}

/// Results, and how many games they are.
fn unpack_results(bytes: &[u8]) -> Option<(GameResults, u32)> {
    let bytes = bytes.get(..RESULTS)?;
    let [won, drawn, lost] = [0, 4, 8].map(|at| to_number(&bytes[at..]));
    let discs = to_long(&bytes[12..]) as i64;
    let games = won.checked_add(drawn)?.checked_add(lost)?;
    Some((GameResults { won, drawn, lost, discs }, games))
}
