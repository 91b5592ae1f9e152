//! GoGui 1.6: the commands that make it show a game other than Go, its menu of analyses, and set-up.
//!
//! `gogui-rules_board` starts with the row that GoGui shows at the top, which is the one with the highest number, so
//! that every disc stands where its name says. (Elsewhere a1 is at the top.)

use ishi_othello::{Board, Color, Move, Position, Square};

use super::admin::GAME;
use super::text::DiscArgs;
use super::text::{capitalized_name, square_text, vertices_text};
use super::{CommandAnswer, OthelloCall, OthelloSession};

/// The board's colour.
const GREEN: &str = "#3a8a4a";

impl OthelloSession {
    pub(super) fn rules_game_id(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok(GAME.to_string())
    }

    pub(super) fn rules_board(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let rows: Vec<String> = (0..8).rev().map(|row| self.row_text(row)).collect();
        // On the line of the `=`: GoGui drops what stands before the first space.
        Ok(rows.join("\n"))
    }

    /// A green board, and the count in the status line.
    pub(super) fn rules_board_gfx(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let points: Vec<String> = Square::all().map(square_text).collect();
        let (black, white) = (self.count_discs(Color::Black), self.count_discs(Color::White));
        Ok(format!("COLOR {GREEN} {}\nTEXT Black {black}, White {white}", points.join(" ")))
    }

    /// With `pass` where it must be, and nothing when the game is over.
    pub(super) fn rules_legal_moves(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok(vertices_text(self.game.legal_moves()))
    }

    pub(super) fn rules_side_to_move(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok(self.game.to_move().to_string())
    }

    /// For GoGui's dialog at the end of a game.
    pub(super) fn rules_final_result(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        if !self.game.is_over() {
            return Ok("The game is not over.".to_string());
        }
        let score = self.game.score();
        let (black, white) = ((64 + score) / 2, (64 - score) / 2);
        let counts = format!("Final score is B {black} and W {white}.");
        Ok(match score.signum() {
            0 => format!("Draw. {counts}"),
            1 => format!("Black wins by {score} points. {counts}"),
            _ => format!("White wins by {} points. {counts}", -score),
        })
    }

    pub(super) fn gogui_interrupt(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok(String::new())
    }

    /// GoGui's menu of analyses: `type/label/command`.
    pub(super) fn gogui_analyze_commands(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let lines = [
            "gfx/Values of All Moves/ishi-values",
            "hpstring/Hints with Reasons/ishi-hints",
            "var/Expected Continuation/ishi-variation",
            "plist/Legal Moves/all_legal %c",
            "plist/Discs/list_stones %c",
            "string/Opening/ishi-opening",
            "string/Final Score/final_score",
            "string/Move without Playing/reg_genmove %m",
            "string/Engine/ishi-engine",
            "string/CPU Time/cputime",
            "none/Set Random Seed/set_random_seed %s",
        ];
        Ok(lines.join("\n"))
    }

    /// These discs and no others, Black to move: the four that a game starts with are not kept.
    pub(super) fn gogui_setup(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let discs = call.args.take_disc_moves()?;
        if self.current_step().moves + self.idle > 0 || self.game.setup() != (Board::START, Color::Black) {
            return Err("the board is not empty: send clear_board before gogui-setup".into());
        }
        let mut board = Board { player: 0, opponent: 0 };
        for (color, mv) in discs {
            let Move::Play(square) = mv else { return Err("a pass is no disc".into()) };
            if board.empty_squares() & square.bit() == 0 {
                return Err(format!("{} is set up twice", square_text(square)).into());
            }
            match color {
                Color::Black => board.player |= square.bit(),
                Color::White => board.opponent |= square.bit(),
            }
        }
        self.replace_game(Position::from_board(board, Color::Black));
        Ok(String::new())
    }

    pub(super) fn gogui_setup_player(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_disc_color()?;
        call.args.expect_end()?;
        if self.current_step().moves + self.idle > 0 {
            let turn = capitalized_name(self.game.to_move());
            return Err(format!("moves have been played: it is {turn}'s turn").into());
        }
        let board = if color == self.game.to_move() { self.game.board() } else { self.game.board().pass() };
        self.replace_game(Position::from_board(board, color));
        Ok(String::new())
    }
}
