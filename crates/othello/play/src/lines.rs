//! What a search expects to be played, as moves.

use ishi_othello::{Board, Color, Move, Position};

use super::search::FoundMove;

/// The variation of a search, with the passes that it leaves out; at least the move that was found.
pub(crate) fn expected_moves(board: Board, found: &FoundMove) -> Vec<Move> {
    let mut game = Position::from_board(board, Color::Black);
    for &square in &found.variation {
        game.pass_if_forced();
        if game.play(Move::Play(square)).is_err() {
            break;
        }
    }
    let moves: Vec<Move> = game.moves().iter().map(|&(_, mv)| mv).collect();
    if moves.first() == Some(&found.mv) { moves } else { vec![found.mv] }
}
