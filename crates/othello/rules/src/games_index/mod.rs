//! Games of the WTHOR database, to be asked for by position: how often was it reached, with which results, and what was played next?
//!
//! An index is one run of bytes. Numbers are little-endian.
//!
//! | part | bytes |
//! | --- | --- |
//! | `ISHIGAM3` | 8 |
//! | games, bits of a bucket's number, places, usual positions | 4 times 4 |
//! | bytes of all answers, the index's own number | 2 times 8 |
//! | checksum of these | 8 |
//! | games: year, tournament, black, white (2 each), Black's discs, moves, 60 squares (0 to 63, 255 behind the last), checksum (8) | 78 each |
//! | for each bucket the place where it begins (4), checksum (8) | 12 each |
//! | the end of the last bucket | 4 |
//! | places: 64 times the game's number plus the moves played | 4 each |
//! | usual positions, in order: where its answer begins (8), discs of the side to move and of the other (8 each), checksum (8) | 32 each |
//! | the end of the last answer | 8 |
//! | answers, see below | |
//!
//! Usual positions were reached by 16 games and more. What is known of them is counted when the index is made, so that a question does not replay a
//! hundred thousand games. An answer has games won, drawn and lost (4 each) and discs (8) for the side to move, the number of moves (4), for each
//! move its square (4) with the results of its games (20), the places of all its games, the latest first, and a checksum (8).
//!
//! The places of all other positions are in buckets: each in that of the hash of its board's canonical form. The boards of a bucket's places are compared,
//! so that hashes that are equal by chance do no harm.
//!
//! Every checksum begins with what sort of part it is of, the index's own number, and the number of the part. The index's number is the checksum of its
//! games. So a part that stands in another's place, or comes from another index, does not fit. Whatever a question reads is checked, and nothing else
//! has to be read.

mod build;
mod layout;
mod reader;
mod search;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Seek};

use crate::board::Board;
use crate::square::Square;

use reader::IndexReader;
use search::PositionSearch;

pub use build::build_games_index;
pub use layout::seal_games_index;

/// How many games make a position a usual one.
const USUAL: usize = 16;
/// Most moves of a game.
const MOVES: usize = 60;

/// Why an index cannot be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GamesIndexError {
    /// It cannot be read.
    #[error("cannot read the index of games: {0}")]
    Read(#[from] io::Error),
    /// An index that an older ishi has written.
    #[error(
        "an index of games of an older version: byte 0: it must begin with ISHIGAM3; write it anew by `ishi othello games FILES --index INDEX --force`"
    )]
    Older,
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

/// What the index knows of a position; with at most `most` of its games. Where a side must pass, games have the position after that pass.
///
/// # Errors
/// If it cannot be read, is no index, or is damaged where it was read.
pub fn find_position_games(
    index: &mut (impl Read + Seek),
    board: Board,
    most: usize,
) -> Result<PositionGames, GamesIndexError> {
    let mut reader = IndexReader::open(index)?;
    let mut search = PositionSearch::new(board);
    match reader.find_answer(search.wanted())? {
        Some(answer) => reader.add_answer(&answer, most, &mut search)?,
        None => reader.add_bucket(&mut search)?,
    }
    Ok(search.into_answer(most))
}

/// The board with the side to move that must move: the other one after a forced pass.
fn pass_if_forced(board: Board) -> Board {
    let is_forced = board.legal_moves() == 0 && board.pass().legal_moves() != 0;
    if is_forced { board.pass() } else { board }
}

/// Black's discs at the end as a score, -64 to 64.
fn score_of_discs(discs: u8) -> i32 {
    2 * i32::from(discs.min(64)) - 64
}
