//! What is found of a position, game by game.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::board::Board;
use crate::square::Square;

use super::{GameResults, IndexedGame, PlayedMove, PositionGames, pass_if_forced};

/// What has been found of a position.
pub(super) struct PositionSearch {
    board: Board,
    wanted: Board,
    results: GameResults,
    /// Results by the canonical form of the board after each move.
    moves: BTreeMap<Board, GameResults>,
    games: Vec<IndexedGame>,
}

impl PositionSearch {
    pub(super) fn new(board: Board) -> PositionSearch {
        PositionSearch {
            board,
            wanted: board.canonical_form().0,
            results: GameResults::default(),
            moves: BTreeMap::new(),
            games: Vec::new(),
        }
    }

    /// The canonical form of the board that is asked for.
    pub(super) fn wanted(&self) -> Board {
        self.wanted
    }

    /// Counts a game that has the position on this board: its score for the side to move, and its next move if it goes on.
    pub(super) fn count_game(&mut self, board: Board, score: i32, next: Option<Square>) {
        self.results.add_game(score);
        if let Some(next) = next.filter(|&next| board.is_legal(next)) {
            self.moves.entry(board.play_unchecked(next).canonical_form().0).or_default().add_game(score);
        }
    }

    /// Counts a game, and keeps it, if it has the position after so many moves.
    pub(super) fn add_game(&mut self, game: IndexedGame, ply: usize) -> Result<(), &'static str> {
        let (board, black) = replay_game(&game, ply)?;
        if board.canonical_form().0 == self.wanted {
            let score = if black { game.score } else { -game.score };
            self.count_game(board, score, game.moves.get(ply).copied());
            self.games.push(game);
        }
        Ok(())
    }

    /// Keeps a game that has been counted.
    pub(super) fn keep_game(&mut self, game: IndexedGame, ply: usize) -> Result<(), &'static str> {
        if replay_game(&game, ply)?.0.canonical_form().0 != self.wanted {
            return Err("a game of an answer must have its position");
        }
        self.games.push(game);
        Ok(())
    }

    /// Takes what was counted before. The moves are those of the canonical form.
    pub(super) fn take_counted(
        &mut self,
        results: GameResults,
        moves: &[PlayedMove],
    ) -> Result<(), &'static str> {
        self.results = results;
        for played in moves {
            if !self.wanted.is_legal(played.square) {
                return Err("a move of an answer must be legal");
            }
            let child = self.wanted.play_unchecked(played.square).canonical_form().0;
            if self.moves.insert(child, played.results).is_some() {
                return Err("an answer must have each move once");
            }
        }
        Ok(())
    }

    /// All results, and the moves on the board that is asked for, the most usual first.
    pub(super) fn list_counted(&mut self) -> (GameResults, Vec<PlayedMove>) {
        let mut moves: Vec<PlayedMove> = Vec::new();
        let mut children: Vec<(Square, Board)> = self.board.children().collect();
        if self.board == Board::START {
            children.sort_by_key(|&(square, _)| Some(square) != usual_first_move());
        }
        for (square, child) in children {
            // The first of the squares that symmetry makes the same has them all.
            if let Some(results) = self.moves.remove(&child.canonical_form().0) {
                moves.push(PlayedMove { square, results });
            }
        }
        moves.sort_by_key(|each| Reverse(each.results.games()));
        (self.results, moves)
    }

    pub(super) fn into_answer(mut self, most: usize) -> PositionGames {
        let (results, moves) = self.list_counted();
        self.games.sort_by_key(|game| Reverse(game.year));
        self.games.truncate(most);
        PositionGames { results, moves, games: self.games }
    }
}

/// f5: players turn a game so that it begins with it.
fn usual_first_move() -> Option<Square> {
    Square::from_column_row(5, 4)
}

/// The board after so many moves, seen by its side to move, and whether this is Black.
fn replay_game(game: &IndexedGame, ply: usize) -> Result<(Board, bool), &'static str> {
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
    let forced = pass_if_forced(board);
    Ok((forced, black == (forced == board)))
}
