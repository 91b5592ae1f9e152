//! Commands that set the board up, play on it and look at it.

use ishi_go::{BoardSize, Color, Move, Point, Position, handicap};

use super::{Session, SessionCall};
use ishi_engine::session::{CommandAnswer, CommandRefusal};

/// Vertices as GTP lists them.
pub(super) fn list_points(points: impl IntoIterator<Item = Point>) -> String {
    points.into_iter().map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
}

/// Pairs of colour and vertex up to the end of the arguments.
fn take_stone_moves(
    call: &mut SessionCall<'_, '_>,
    size: BoardSize,
) -> Result<Vec<(Color, Move)>, CommandRefusal> {
    let mut pairs = Vec::new();
    while call.args.peek().is_some() {
        pairs.push((call.args.take_color()?, call.args.take_move(size)?));
    }
    Ok(pairs)
}

/// Setting up.
impl Session {
    pub(super) fn boardsize(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let side = call.args.take_number("SIZE")?;
        call.args.expect_end()?;
        self.restart_game(BoardSize::square(side)?);
        Ok(String::new())
    }

    pub(super) fn rectangular_boardsize(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let (width, height) = (call.args.take_number("WIDTH")?, call.args.take_number("HEIGHT")?);
        call.args.expect_end()?;
        self.restart_game(BoardSize::new(width, height)?);
        Ok(String::new())
    }

    pub(super) fn query_boardsize(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let size = self.position.size();
        let square = size.width() == size.height();
        Ok(if square { size.width().to_string() } else { format!("{} {}", size.width(), size.height()) })
    }

    pub(super) fn clear_board(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        self.restart_game(self.position.size());
        Ok(String::new())
    }

    pub(super) fn komi(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let komi = call.args.take_real("POINTS")?;
        call.args.expect_end()?;
        self.position.set_komi(komi)?;
        Ok(String::new())
    }

    pub(super) fn get_komi(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok(self.position.komi().to_string())
    }

    pub(super) fn fixed_handicap(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let points = |stones| handicap::fixed_placement(self.position.size(), stones);
        let points = points(call.args.take_number("STONES")?).map_err(bad_number)?;
        self.place_handicap(call, &points)
    }

    pub(super) fn place_free_handicap(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let points = |stones| handicap::free_placement(self.position.size(), stones);
        let points = points(call.args.take_number("STONES")?).map_err(bad_number)?;
        self.place_handicap(call, &points)
    }

    pub(super) fn set_free_handicap(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        if call.args.peek().is_none() {
            return Err(call.args.syntax_error("VERTEX is missing"));
        }
        let points = call.args.take_points(self.position.size()).map_err(bad_vertices)?;
        if points.len() < 2 {
            return Err("bad vertex list: a handicap must have two stones or more".into());
        }
        self.place_handicap(call, &points).map(|_| String::new())
    }

    fn place_handicap(&mut self, call: &mut SessionCall<'_, '_>, points: &[Point]) -> CommandAnswer {
        call.args.expect_end()?;
        self.position.place_handicap(points).map_err(|error| match error {
            ishi_go::HandicapPlacementError::Setup(error) => format!("bad vertex list: {error}"),
            other => other.to_string(),
        })?;
        self.record = None;
        self.resigned = None;
        Ok(list_points(points.iter().copied()))
    }

    /// GoGui's set-up: the stones and nothing else; the side to move stays.
    pub(super) fn gogui_setup(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let stones: Vec<(Color, Point)> = take_stone_moves(call, self.position.size())?
            .into_iter()
            .map(|(color, mv)| mv.point().map(|point| (color, point)).ok_or("a pass is no stone"))
            .collect::<Result<_, _>>()?;
        let old = &self.position;
        let mut new = Position::from_setup(old.size(), *old.rules(), stones, old.to_move())?;
        new.set_komi(old.komi())?;
        self.replace_position(new);
        Ok(String::new())
    }

    pub(super) fn gogui_setup_player(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        call.args.expect_end()?;
        self.position.set_to_move(color);
        Ok(String::new())
    }
}

fn bad_number(error: handicap::HandicapError) -> CommandRefusal {
    format!("invalid number of stones: {error}").into()
}

fn bad_vertices(error: CommandRefusal) -> CommandRefusal {
    let reason = error.0.strip_prefix("syntax error: ").unwrap_or(&error.0);
    CommandRefusal(format!("bad vertex list: {reason}"))
}

/// Playing.
impl Session {
    pub(super) fn play(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        if call.args.peek().is_some_and(|word| word.eq_ignore_ascii_case("resign")) {
            call.args.take();
            call.args.expect_end()?;
            self.resigned = Some(color);
            return Ok(String::new());
        }
        let mv = call.args.take_move(self.position.size())?;
        call.args.expect_end()?;
        self.make_move(color, mv)?;
        Ok(String::new())
    }

    /// Plays a move on the session's board.
    pub(super) fn make_move(&mut self, color: Color, mv: Move) -> Result<(), CommandRefusal> {
        self.position.play(color, mv)?;
        self.resigned = None;
        Ok(())
    }

    /// All moves or none.
    pub(super) fn play_sequence(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let moves = take_stone_moves(call, self.position.size())?;
        let mut position = self.position.clone();
        for (number, (color, mv)) in moves.into_iter().enumerate() {
            position.play(color, mv).map_err(|error| format!("move {}: {error}", number + 1))?;
        }
        self.position = position;
        self.resigned = None;
        Ok(String::new())
    }

    pub(super) fn undo(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        self.take_back()?;
        Ok(String::new())
    }

    /// Takes back several moves, or none if there are not so many.
    pub(super) fn gg_undo(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let count = if call.args.peek().is_some() { call.args.take_number("MOVES")? } else { 1_usize };
        call.args.expect_end()?;
        let before = (self.position.clone(), self.record.clone(), self.resigned);
        for done in 0..count {
            if self.take_back().is_err() {
                (self.position, self.record, self.resigned) = before;
                return Err(format!("cannot undo {count} moves: there are only {done}").into());
            }
        }
        Ok(String::new())
    }

    /// Takes back a resignation, or else the last move, or else the last move before a record's set-up.
    fn take_back(&mut self) -> Result<(), CommandRefusal> {
        if self.resigned.take().is_some() || self.position.undo().is_some() {
            return Ok(());
        }
        let nothing = "cannot undo: no move has been made";
        let record = self.record.take().filter(|record| record.moves_before > 0).ok_or(nothing)?;
        self.show_record(record.game, Some(record.moves_before - 1)).map(drop)
    }
}

/// Looking at the board.
impl Session {
    pub(super) fn showboard(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok(format!("\n{}", self.position))
    }

    pub(super) fn list_stones(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        call.args.expect_end()?;
        let board = self.position.board();
        Ok(list_points(board.size().points().filter(|&point| board.color(point) == Some(color))))
    }

    pub(super) fn captures(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        call.args.expect_end()?;
        Ok(self.position.prisoners(color).to_string())
    }

    pub(super) fn is_legal(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let (color, mv) = (call.args.take_color()?, call.args.take_move(self.position.size())?);
        call.args.expect_end()?;
        Ok(u8::from(self.position.is_legal(color, mv)).to_string())
    }

    pub(super) fn all_legal(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        call.args.expect_end()?;
        Ok(list_points(self.position.legal_moves(color)))
    }

    pub(super) fn last_move(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let (color, mv) = self.position.last_move().ok_or("no move has been made")?;
        Ok(format!("{color} {mv}"))
    }

    /// The last move first, as GNU Go has it.
    pub(super) fn move_history(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let moves = self.position.moves().iter().rev();
        Ok(moves.map(|(color, mv)| format!("{color} {mv}")).collect::<Vec<_>>().join("\n"))
    }
}
