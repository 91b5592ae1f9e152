//! Commands that set the board up, play on it and look at it.

use ishi_go::{BoardSize, Color, Move, Point, Position, handicap};

use super::{Call, Session};
use ishi_engine::session::{Answered, Refusal};

/// Vertices as GTP lists them.
pub(super) fn list(points: impl IntoIterator<Item = Point>) -> String {
    points.into_iter().map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
}

/// Pairs of colour and vertex up to the end of the arguments.
fn pairs(call: &mut Call<'_, '_>, size: BoardSize) -> Result<Vec<(Color, Move)>, Refusal> {
    let mut pairs = Vec::new();
    while call.args.peek().is_some() {
        pairs.push((call.args.color()?, call.args.mv(size)?));
    }
    Ok(pairs)
}

/// Setting up.
impl Session {
    pub(super) fn boardsize(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let side = call.args.number("SIZE")?;
        call.args.end()?;
        self.restart(BoardSize::square(side)?);
        Ok(String::new())
    }

    pub(super) fn rectangular_boardsize(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let (width, height) = (call.args.number("WIDTH")?, call.args.number("HEIGHT")?);
        call.args.end()?;
        self.restart(BoardSize::new(width, height)?);
        Ok(String::new())
    }

    pub(super) fn query_boardsize(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let size = self.position.size();
        let square = size.width() == size.height();
        Ok(if square { size.width().to_string() } else { format!("{} {}", size.width(), size.height()) })
    }

    pub(super) fn clear_board(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        self.restart(self.position.size());
        Ok(String::new())
    }

    pub(super) fn komi(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let komi = call.args.real("POINTS")?;
        call.args.end()?;
        self.position.set_komi(komi)?;
        Ok(String::new())
    }

    pub(super) fn get_komi(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        Ok(self.position.komi().to_string())
    }

    pub(super) fn fixed_handicap(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let points = |stones| handicap::fixed(self.position.size(), stones);
        let points = points(call.args.number("STONES")?).map_err(bad_number)?;
        self.place(call, &points)
    }

    pub(super) fn place_free_handicap(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let points = |stones| handicap::free(self.position.size(), stones);
        let points = points(call.args.number("STONES")?).map_err(bad_number)?;
        self.place(call, &points)
    }

    pub(super) fn set_free_handicap(&mut self, call: &mut Call<'_, '_>) -> Answered {
        if call.args.peek().is_none() {
            return Err(call.args.error("VERTEX is missing"));
        }
        let points = call.args.points(self.position.size()).map_err(bad_vertices)?;
        if points.len() < 2 {
            return Err("bad vertex list: a handicap has two stones or more".into());
        }
        self.place(call, &points).map(|_| String::new())
    }

    fn place(&mut self, call: &mut Call<'_, '_>, points: &[Point]) -> Answered {
        call.args.end()?;
        self.position.place_handicap(points).map_err(|error| match error {
            ishi_go::HandicapPlacementError::Setup(error) => format!("bad vertex list: {error}"),
            other => other.to_string(),
        })?;
        self.record = None;
        self.resigned = None;
        Ok(list(points.iter().copied()))
    }

    /// GoGui's set-up: the stones and nothing else; the side to move stays.
    pub(super) fn gogui_setup(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let stones: Vec<(Color, Point)> = pairs(call, self.position.size())?
            .into_iter()
            .map(|(color, mv)| mv.point().map(|point| (color, point)).ok_or("a pass is no stone"))
            .collect::<Result<_, _>>()?;
        let old = &self.position;
        let mut new = Position::from_setup(old.size(), *old.rules(), stones, old.to_move())?;
        new.set_komi(old.komi())?;
        self.replace(new);
        Ok(String::new())
    }

    pub(super) fn gogui_setup_player(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        call.args.end()?;
        self.position.set_to_move(color);
        Ok(String::new())
    }
}

fn bad_number(error: handicap::HandicapError) -> Refusal {
    format!("invalid number of stones: {error}").into()
}

fn bad_vertices(error: Refusal) -> Refusal {
    Refusal(format!("bad vertex list: {}", error.0))
}

/// Playing.
impl Session {
    pub(super) fn play(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        if call.args.peek().is_some_and(|word| word.eq_ignore_ascii_case("resign")) {
            call.args.take();
            call.args.end()?;
            self.resigned = Some(color);
            return Ok(String::new());
        }
        let mv = call.args.mv(self.position.size())?;
        call.args.end()?;
        self.make(color, mv)?;
        Ok(String::new())
    }

    /// Plays a move on the session's board.
    pub(super) fn make(&mut self, color: Color, mv: Move) -> Result<(), Refusal> {
        self.position.play(color, mv)?;
        self.resigned = None;
        Ok(())
    }

    /// All moves or none.
    pub(super) fn play_sequence(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let moves = pairs(call, self.position.size())?;
        let mut position = self.position.clone();
        for (number, (color, mv)) in moves.into_iter().enumerate() {
            position.play(color, mv).map_err(|error| format!("move {}: {error}", number + 1))?;
        }
        self.position = position;
        self.resigned = None;
        Ok(String::new())
    }

    pub(super) fn undo(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        self.take_back()?;
        Ok(String::new())
    }

    /// Takes back several moves, or none if there are not so many.
    pub(super) fn gg_undo(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let count = if call.args.peek().is_some() { call.args.number("MOVES")? } else { 1_usize };
        call.args.end()?;
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
    fn take_back(&mut self) -> Result<(), Refusal> {
        if self.resigned.take().is_some() || self.position.undo().is_some() {
            return Ok(());
        }
        let nothing = "cannot undo: no move has been made";
        let record = self.record.take().filter(|record| record.moves_before > 0).ok_or(nothing)?;
        self.show(record.game, Some(record.moves_before - 1)).map(drop)
    }
}

/// Looking at the board.
impl Session {
    pub(super) fn showboard(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        Ok(format!("\n{}", self.position))
    }

    pub(super) fn list_stones(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        call.args.end()?;
        let board = self.position.board();
        Ok(list(board.size().points().filter(|&point| board.color(point) == Some(color))))
    }

    pub(super) fn captures(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        call.args.end()?;
        Ok(self.position.prisoners(color).to_string())
    }

    pub(super) fn is_legal(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let (color, mv) = (call.args.color()?, call.args.mv(self.position.size())?);
        call.args.end()?;
        Ok(u8::from(self.position.is_legal(color, mv)).to_string())
    }

    pub(super) fn all_legal(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        call.args.end()?;
        Ok(list(self.position.legal_moves(color)))
    }

    pub(super) fn last_move(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let (color, mv) = self.position.last_move().ok_or("no move has been made")?;
        Ok(format!("{color} {mv}"))
    }

    /// The last move first, as GNU Go has it.
    pub(super) fn move_history(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let moves = self.position.moves().iter().rev();
        Ok(moves.map(|(color, mv)| format!("{color} {mv}")).collect::<Vec<_>>().join("\n"))
    }
}
