//! GNU Go's questions of tactics: 0 it fails, 1 it works, 2 by a ko taken first, 3 by a ko after a threat; then the move.

use ishi_go::{Board, Point};
use ishi_reading::{Answer, Outcome, Reader};

use super::{Answered, Call, Refusal, Session};

impl Session {
    pub(super) fn attack(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_stone(call, Reader::attack)
    }

    pub(super) fn defend(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_stone(call, Reader::defend)
    }

    pub(super) fn connect(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_stones(call, Reader::connect)
    }

    pub(super) fn disconnect(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_stones(call, Reader::disconnect)
    }

    fn of_stone(
        &mut self,
        call: &mut Call<'_, '_>,
        read: impl Fn(&mut Reader, &Board, Point) -> Answer,
    ) -> Answered {
        let stone = self.stone(call)?;
        call.args.end()?;
        let reader = self.reader.get_or_insert_with(Box::default);
        Ok(code(read(reader, self.position.board(), stone)))
    }

    fn of_stones(
        &mut self,
        call: &mut Call<'_, '_>,
        read: impl Fn(&mut Reader, &Board, Point, Point) -> Answer,
    ) -> Answered {
        let (a, b) = (self.stone(call)?, self.stone(call)?);
        call.args.end()?;
        let board = self.position.board();
        if board.color(a) != board.color(b) {
            return Err(format!("{a} and {b} are stones of two colours").into());
        }
        let reader = self.reader.get_or_insert_with(Box::default);
        Ok(code(read(reader, self.position.board(), a, b)))
    }

    fn stone(&self, call: &mut Call<'_, '_>) -> Result<Point, Refusal> {
        let point = call.args.point(self.position.size())?;
        match self.position.board().color(point) {
            Some(_) => Ok(point),
            None => Err(format!("there is no stone on {point}").into()),
        }
    }
}

/// The answer as GNU Go writes it.
fn code(answer: Answer) -> String {
    let code = match answer.outcome {
        Outcome::Fails => return "0".to_string(),
        Outcome::Works => 1,
        Outcome::KoFirst => 2,
        Outcome::KoSecond => 3,
    };
    match answer.mv {
        Some(point) => format!("{code} {point}"),
        None => format!("{code} PASS"),
    }
}
