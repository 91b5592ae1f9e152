//! Commands that change the board or look at it.

use ishi_othello::{Color, Move, Square};

use super::text::DiscArgs;
use super::text::{square_text, vertex_text, vertices_text};
use super::{CommandAnswer, OthelloCall, OthelloSession};

impl OthelloSession {
    pub(super) fn boardsize(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let word = call.args.take_word("SIZE")?;
        call.args.expect_end()?;
        if word.parse() != Ok(8) {
            return Err(format!("unacceptable size {word:?}: Othello is played on 8 lines").into());
        }
        self.restart_game();
        Ok(String::new())
    }

    pub(super) fn query_boardsize(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok("8".to_string())
    }

    pub(super) fn clear_board(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        self.restart_game();
        Ok(String::new())
    }

    /// Controllers made for Go send it; in Othello it changes nothing.
    pub(super) fn komi(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.take_real("POINTS")?;
        call.args.expect_end()?;
        Ok(String::new())
    }

    pub(super) fn play(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let (color, mv) = (call.args.take_disc_color()?, call.args.take_square_or_pass()?);
        call.args.expect_end()?;
        self.make_move(color, mv)?;
        Ok(String::new())
    }

    /// All of the moves or none.
    pub(super) fn play_sequence(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let moves = call.args.take_disc_moves()?;
        let before = self.steps.len();
        for (number, (color, mv)) in moves.into_iter().enumerate() {
            if let Err(error) = self.make_move(color, mv) {
                while self.steps.len() > before {
                    self.take_back()?;
                }
                return Err(format!("move {}: {}", number + 1, error.0).into());
            }
        }
        Ok(String::new())
    }

    pub(super) fn undo(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        self.take_back()?;
        Ok(String::new())
    }

    pub(super) fn gg_undo(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let moves: usize = if call.args.peek().is_some() { call.args.take_number("MOVES")? } else { 1 };
        call.args.expect_end()?;
        if moves > self.steps.len() {
            return Err(format!("cannot undo {moves} moves: {} have been played", self.steps.len()).into());
        }
        (0..moves).try_for_each(|_| self.take_back())?;
        Ok(String::new())
    }

    /// As GRhino and books draw it: a1 at the top left.
    pub(super) fn showboard(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let row = |row: usize| format!(" {} {} {}\n", row + 1, self.row_text(row), row + 1);
        let rows: String = (0..8).map(row).collect();
        let letters = "   A B C D E F G H";
        Ok(format!("\n{letters}\n{rows}{letters}\n{}", self.board_caption()))
    }

    /// The discs of a row, 0 to 7 from the top: `. . . O X . . .`.
    pub(super) fn row_text(&self, row: usize) -> String {
        let sign = |column: usize| match Square::from_column_row(column, row) {
            Some(square) if self.game.discs(Color::Black) & square.bit() != 0 => "X",
            Some(square) if self.game.discs(Color::White) & square.bit() != 0 => "O",
            _ => ".",
        };
        (0..8).map(sign).collect::<Vec<_>>().join(" ")
    }

    /// Who is to move, and the count.
    fn board_caption(&self) -> String {
        let turn = match self.game.is_over() {
            true => "the game is over".to_string(),
            false => format!("{} to move", self.game.to_move()),
        };
        format!(
            "black X {}, white O {}; {turn}",
            self.count_discs(Color::Black),
            self.count_discs(Color::White)
        )
    }

    pub(super) fn count_discs(&self, color: Color) -> u32 {
        self.game.discs(color).count_ones()
    }

    pub(super) fn list_stones(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_disc_color()?;
        call.args.expect_end()?;
        let points: Vec<String> =
            ishi_othello::iter_squares(self.game.discs(color)).map(square_text).collect();
        Ok(points.join(" "))
    }

    pub(super) fn is_legal(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let (color, mv) = (call.args.take_disc_color()?, call.args.take_square_or_pass()?);
        call.args.expect_end()?;
        Ok(u8::from(self.playable_moves(color).contains(&mv)).to_string())
    }

    pub(super) fn all_legal(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_disc_color()?;
        call.args.expect_end()?;
        Ok(vertices_text(self.playable_moves(color)))
    }

    /// What `play` would accept for this side now.
    fn playable_moves(&self, color: Color) -> Vec<Move> {
        let mut game = self.game.clone();
        if game.is_over() || (game.to_move() != color && !game.pass_if_forced()) {
            return Vec::new();
        }
        game.legal_moves()
    }

    pub(super) fn last_move(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let (color, mv) = self.game.moves().last().ok_or("no move has been played")?;
        Ok(format!("{color} {}", vertex_text(*mv)))
    }

    pub(super) fn move_history(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let lines = self.game.moves().iter().rev().map(|(color, mv)| format!("{color} {}", vertex_text(*mv)));
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    /// The winner has the empty squares too, as in tournaments.
    pub(super) fn final_score(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        if !self.game.is_over() {
            let turn = self.game.to_move();
            return Err(format!("cannot score: the game is not over, {turn} is to move").into());
        }
        Ok(match self.game.score() {
            0 => "0".to_string(),
            score if score > 0 => format!("B+{score}"),
            score => format!("W+{}", -score),
        })
    }
}
