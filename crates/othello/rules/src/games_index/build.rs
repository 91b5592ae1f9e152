//! An index, made of games.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::board::Board;
use crate::square::Square;
use crate::wthor::WthorGame;

use super::layout::{GAME, IndexLayout, MOST_BITS, MOST_GAMES, NO_CHECKSUM, seal_games_index};
use super::search::PositionSearch;
use super::{GameResults, MOVES, USUAL, pass_if_forced, score_of_discs};

/// What stands for a square behind the last move.
const NO_SQUARE: u8 = 255;

/// A game with its boards.
struct ReplayedGame<'a> {
    game: &'a WthorGame,
    /// Before every move and after the last, each seen by its side to move.
    boards: Vec<Board>,
    /// A bit for every board with Black to move.
    black_to_move: u64,
}

impl ReplayedGame<'_> {
    /// The moves that are in the index.
    fn moves(&self) -> &[Square] {
        &self.game.moves[..self.boards.len() - 1]
    }

    /// The game's score for the side to move.
    fn score_at(&self, ply: usize) -> i32 {
        let score = score_of_discs(self.game.result);
        if self.black_to_move >> ply & 1 == 1 { score } else { -score }
    }
}

/// The index of these games, as bytes. Games with a move that is not legal are left out.
///
/// # Panics
/// With 67 million games and more.
pub fn build_games_index(games: &[WthorGame]) -> Vec<u8> {
    let played: Vec<ReplayedGame<'_>> = games.iter().filter_map(replay_whole_game).collect();
    assert!(played.len() < MOST_GAMES, "{} games are too many for an index", played.len());
    let (usual, rest) = split_places(&played);
    let bits = rest.len().max(2).ilog2().saturating_sub(2).clamp(1, MOST_BITS);
    let answers: Vec<Vec<u8>> =
        usual.iter().map(|(&board, places)| pack_answer(board, places, &played)).collect();
    let head = IndexLayout {
        games: played.len() as u32,
        bits,
        places: rest.len() as u32,
        positions: usual.len() as u32,
        answers: answers.iter().map(|answer| answer.len() as u64).sum(),
        name: 0,
    };
    let mut bytes = head.to_head();
    bytes.extend(NO_CHECKSUM);
    for game in &played {
        bytes.extend(pack_game(game));
        bytes.extend(NO_CHECKSUM);
    }
    write_buckets(&mut bytes, rest, bits);
    write_positions(&mut bytes, usual.keys(), &answers);
    bytes.extend(answers.concat());
    seal_games_index(&mut bytes);
    bytes
}

/// Places of usual positions by their canonical boards, and hash and place of all others.
type SplitPlaces = (BTreeMap<Board, Vec<u32>>, Vec<(u64, u32)>);

fn split_places(played: &[ReplayedGame<'_>]) -> SplitPlaces {
    let (mut usual, mut rest) = (BTreeMap::new(), Vec::new());
    for same in list_places(played).chunk_by(|left, right| left.0 == right.0) {
        if same.len() < USUAL {
            rest.extend_from_slice(same);
            continue;
        }
        // Hashes of other boards may be the same by chance.
        let mut boards: BTreeMap<Board, Vec<u32>> = BTreeMap::new();
        for &(_, place) in same {
            let (game, ply) = game_of_place(played, place);
            boards.entry(game.boards[ply].canonical_form().0).or_default().push(place);
        }
        for (board, places) in boards {
            if places.len() < USUAL {
                rest.extend(places.into_iter().map(|place| (same[0].0, place)));
            } else {
                usual.insert(board, places);
            }
        }
    }
    (usual, rest)
}

/// Hash and place of every board of every game, sorted.
fn list_places(played: &[ReplayedGame<'_>]) -> Vec<(u64, u32)> {
    let mut places = Vec::with_capacity(played.iter().map(|game| game.boards.len()).sum());
    for (number, game) in played.iter().enumerate() {
        let boards = game.boards.iter().enumerate();
        places.extend(boards.map(|(ply, &board)| (hash_board(board), (number << 6 | ply) as u32)));
    }
    places.sort_unstable();
    places
}

fn game_of_place<'a, 'b>(played: &'b [ReplayedGame<'a>], place: u32) -> (&'b ReplayedGame<'a>, usize) {
    (&played[(place >> 6) as usize], (place & 63) as usize)
}

/// The hash of a board's canonical form.
pub(super) fn hash_board(board: Board) -> u64 {
    let Board { player, opponent } = board.canonical_form().0;
    let mixed = player.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
    (mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The bucket of a hash.
pub(super) fn bucket_of_hash(hash: u64, bits: u32) -> u32 {
    (hash >> (64 - bits)) as u32
}

/// The buckets without their checksums, and their places.
fn write_buckets(bytes: &mut Vec<u8>, rest: Vec<(u64, u32)>, bits: u32) {
    let bucketed = rest.into_iter().map(|(hash, place)| (bucket_of_hash(hash, bits), place));
    let mut places: Vec<(u32, u32)> = bucketed.collect();
    places.sort_unstable();
    for bucket in 0..1u32 << bits {
        let start = places.partition_point(|place| place.0 < bucket);
        bytes.extend((start as u32).to_le_bytes());
        bytes.extend(NO_CHECKSUM);
    }
    bytes.extend((places.len() as u32).to_le_bytes());
    bytes.extend(places.iter().flat_map(|(_, place)| place.to_le_bytes()));
}

/// The usual positions without their checksums.
fn write_positions<'a>(bytes: &mut Vec<u8>, boards: impl Iterator<Item = &'a Board>, answers: &[Vec<u8>]) {
    let mut begin = 0u64;
    for (board, answer) in boards.zip(answers) {
        bytes.extend(begin.to_le_bytes());
        bytes.extend(board.player.to_le_bytes());
        bytes.extend(board.opponent.to_le_bytes());
        bytes.extend(NO_CHECKSUM);
        begin += answer.len() as u64;
    }
    bytes.extend(begin.to_le_bytes());
}

/// What is known of a usual position, with room for a checksum.
fn pack_answer(board: Board, places: &[u32], played: &[ReplayedGame<'_>]) -> Vec<u8> {
    let mut search = PositionSearch::new(board);
    for &place in places {
        let (game, ply) = game_of_place(played, place);
        search.count_game(game.boards[ply], game.score_at(ply), game.moves().get(ply).copied());
    }
    let (results, moves) = search.list_counted();
    let mut bytes = pack_results(results);
    bytes.extend((moves.len() as u32).to_le_bytes());
    for each in &moves {
        bytes.extend((each.square.index() as u32).to_le_bytes());
        bytes.extend(pack_results(each.results));
    }
    let mut latest = places.to_vec();
    latest.sort_by_key(|&place| Reverse(game_of_place(played, place).0.game.year));
    bytes.extend(latest.iter().flat_map(|place| place.to_le_bytes()));
    bytes.extend(NO_CHECKSUM);
    bytes
}

fn pack_results(results: GameResults) -> Vec<u8> {
    let GameResults { won, drawn, lost, discs } = results;
    let mut bytes: Vec<u8> = [won, drawn, lost].iter().flat_map(|count| count.to_le_bytes()).collect();
    bytes.extend(discs.to_le_bytes());
    bytes
}

/// A game with its boards; `None` if a move is not legal.
fn replay_whole_game(game: &WthorGame) -> Option<ReplayedGame<'_>> {
    let moves = &game.moves[..game.moves.len().min(MOVES)];
    let (mut board, mut black) = (Board::START, true);
    let (mut boards, mut black_to_move) = (Vec::with_capacity(moves.len() + 1), 0);
    for ply in 0..=moves.len() {
        let forced = pass_if_forced(board);
        black = black == (forced == board);
        board = forced;
        boards.push(board);
        black_to_move |= u64::from(black) << ply;
        if let Some(&square) = moves.get(ply) {
            if board.empty_squares() & square.bit() == 0 || board.flips(square) == 0 {
                return None;
            }
            (board, black) = (board.play_unchecked(square), !black);
        }
    }
    Some(ReplayedGame { game, boards, black_to_move })
}

fn pack_game(played: &ReplayedGame<'_>) -> [u8; GAME] {
    let mut bytes = [NO_SQUARE; GAME];
    let game = played.game;
    for (at, number) in [game.year, game.tournament, game.black, game.white].into_iter().enumerate() {
        bytes[2 * at..2 * at + 2].copy_from_slice(&number.to_le_bytes());
    }
    (bytes[8], bytes[9]) = (game.result, played.moves().len() as u8);
    for (byte, square) in bytes[10..].iter_mut().zip(played.moves()) {
        *byte = square.index() as u8;
    }
    bytes
}
