//! `analyze`: the values of all positions of the game, from its end back to its start.

use ishi_othello::{Color, Move, Position};

use super::{LineContext, NBoard};

impl NBoard {
    /// `analysis MOVES VALUE` for each position, for Black, passes counted as moves. A move that was best keeps the value
    /// of what came after it, which has seen further; a value never falls below that of the move that was played.
    pub(super) fn analyze_game(&mut self, turn: &mut LineContext<'_, '_>) {
        let mut game = self.game.position().clone();
        let mut after: Option<i32> = None;
        loop {
            let played = game.moves().len();
            let next = self.game.position().moves().get(played).map(|&(_, mv)| mv);
            let Some(score) = self.value_for_black(&game, next.zip(after), turn) else { return };
            turn.wire.write_line(&format!("analysis {played} {:.2}", f64::from(score)));
            after = Some(score);
            if turn.wire.has_failed() || game.undo().is_none() {
                return;
            }
        }
    }

    /// The value for Black, given the move that was played and the value after it. `None` if a ping came.
    fn value_for_black(
        &mut self,
        game: &Position,
        next: Option<(Move, i32)>,
        turn: &mut LineContext<'_, '_>,
    ) -> Option<i32> {
        let sign = if game.to_move() == Color::Black { 1 } else { -1 };
        if game.is_over() {
            return Some(game.score());
        }
        let forced = game.legal_moves().len() == 1;
        if let Some((_, after)) = next.filter(|_| forced) {
            return Some(after);
        }
        let found = self.search_quietly(game.board(), turn);
        if turn.input.is_interrupted() {
            return None;
        }
        Some(match next {
            Some((mv, after)) if mv == found.mv => after,
            Some((_, after)) => sign * found.score.max(sign * after),
            None => sign * found.score,
        })
    }
}
