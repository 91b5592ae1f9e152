//! Commands that change the board or look at it.

use ishi_othello::{Color, Move, Square};

use super::text::DiscArgs;
use super::text::{point, vertex, vertices};
use super::{Answered, Call, OthelloSession};

impl OthelloSession {
    pub(super) fn boardsize(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let word = call.args.word("SIZE")?;
        call.args.end()?;
        if word.parse() != Ok(8) {
            return Err(format!("unacceptable size {word:?}: Othello is played on 8 lines").into());
        }
        self.restart();
        Ok(String::new())
    }

    pub(super) fn query_boardsize(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        Ok("8".to_string())
    }

    pub(super) fn clear_board(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        self.restart();
        Ok(String::new())
    }

    /// Controllers made for Go send it; in Othello it changes nothing.
    pub(super) fn komi(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.real("POINTS")?;
        call.args.end()?;
        Ok(String::new())
    }

    pub(super) fn play(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let (color, mv) = (call.args.disc_color()?, call.args.square_or_pass()?);
        call.args.end()?;
        self.make(color, mv)?;
        Ok(String::new())
    }

    /// All of the moves or none.
    pub(super) fn play_sequence(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let moves = call.args.pairs()?;
        let before = self.steps.len();
        for (number, (color, mv)) in moves.into_iter().enumerate() {
            if let Err(error) = self.make(color, mv) {
                while self.steps.len() > before {
                    self.unmake()?;
                }
                return Err(format!("move {}: {}", number + 1, error.0).into());
            }
        }
        Ok(String::new())
    }

    pub(super) fn undo(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        self.unmake()?;
        Ok(String::new())
    }

    pub(super) fn gg_undo(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let moves: usize = if call.args.peek().is_some() { call.args.number("MOVES")? } else { 1 };
        call.args.end()?;
        if moves > self.steps.len() {
            return Err(format!("cannot undo {moves} moves: {} have been played", self.steps.len()).into());
        }
        (0..moves).try_for_each(|_| self.unmake())?;
        Ok(String::new())
    }

    /// As GRhino and books draw it: a1 at the top left.
    pub(super) fn showboard(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let row = |row: usize| format!(" {} {} {}\n", row + 1, self.row(row), row + 1);
        let rows: String = (0..8).map(row).collect();
        let letters = "   A B C D E F G H";
        Ok(format!("\n{letters}\n{rows}{letters}\n{}", self.caption()))
    }

    /// The discs of a row, 0 to 7 from the top: `. . . O X . . .`.
    pub(super) fn row(&self, row: usize) -> String {
        let sign = |column: usize| match Square::at(column, row) {
            Some(square) if self.game.discs(Color::Black) & square.bit() != 0 => "X",
            Some(square) if self.game.discs(Color::White) & square.bit() != 0 => "O",
            _ => ".",
        };
        (0..8).map(sign).collect::<Vec<_>>().join(" ")
    }

    /// Who is to move, and the count.
    fn caption(&self) -> String {
        let turn = match self.game.is_over() {
            true => "the game is over".to_string(),
            false => format!("{} to move", self.game.to_move()),
        };
        format!("black X {}, white O {}; {turn}", self.count(Color::Black), self.count(Color::White))
    }

    pub(super) fn count(&self, color: Color) -> u32 {
        self.game.discs(color).count_ones()
    }

    pub(super) fn list_stones(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.disc_color()?;
        call.args.end()?;
        let points: Vec<String> = ishi_othello::squares(self.game.discs(color)).map(point).collect();
        Ok(points.join(" "))
    }

    pub(super) fn is_legal(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let (color, mv) = (call.args.disc_color()?, call.args.square_or_pass()?);
        call.args.end()?;
        Ok(u8::from(self.moves_of(color).contains(&mv)).to_string())
    }

    pub(super) fn all_legal(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.disc_color()?;
        call.args.end()?;
        Ok(vertices(self.moves_of(color)))
    }

    /// What `play` would accept for this side now.
    fn moves_of(&self, color: Color) -> Vec<Move> {
        let mut game = self.game.clone();
        if game.is_over() || (game.to_move() != color && !game.pass_if_forced()) {
            return Vec::new();
        }
        game.legal_moves()
    }

    pub(super) fn last_move(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let (color, mv) = self.game.moves().last().ok_or("no move has been played")?;
        Ok(format!("{color} {}", vertex(*mv)))
    }

    pub(super) fn move_history(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let lines = self.game.moves().iter().rev().map(|(color, mv)| format!("{color} {}", vertex(*mv)));
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    /// The winner has the empty squares too, as in tournaments.
    pub(super) fn final_score(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
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
