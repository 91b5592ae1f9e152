//! GNU Go's questions of tactics: 0 it fails, 1 it works, 2 by a ko taken first, 3 by a ko after a threat; then the move.

use ishi_go::{Board, Point};
use ishi_knowledge::{Analysis, NoOracle};
use ishi_reading::Outcome;

use super::{Call, Session};
use crate::tactics::{GroupStatus, Tactics, Verdict};
use ishi_engine::session::{Answered, Refusal};

impl Session {
    pub(super) fn attack(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_stone(call, |tactics, board, stone| told(&tactics.attack(board, stone)))
    }

    pub(super) fn defend(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_stone(call, |tactics, board, stone| told(&tactics.defend(board, stone)))
    }

    pub(super) fn owl_attack(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_stone(call, |tactics, board, stone| told(&tactics.kill(board, stone)))
    }

    pub(super) fn owl_defend(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_stone(call, |tactics, board, stone| told(&tactics.save(board, stone)))
    }

    pub(super) fn dragon_status(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_stone(call, |tactics, board, stone| match tactics.status(board, stone) {
            GroupStatus::Alive => "alive".to_string(),
            GroupStatus::Critical { kill, save } => format!("critical {} {}", vertex(&kill), vertex(&save)),
            GroupStatus::Dead { .. } => "dead".to_string(),
        })
    }

    pub(super) fn connect(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_pair(call, true, |tactics, board, a, b| told(&tactics.connect(board, a, b)))
    }

    pub(super) fn disconnect(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_pair(call, true, |tactics, board, a, b| told(&tactics.disconnect(board, a, b)))
    }

    pub(super) fn analyze_semeai(&mut self, call: &mut Call<'_, '_>) -> Answered {
        self.of_pair(call, false, |tactics, board, own, rival| {
            let [survives, falls] = tactics.race(board, own, rival);
            // What captures the rival saves the own chain, too.
            let best = if falls.works() { &falls } else { &survives };
            format!("{} {} {}", code(&survives), code(&falls), vertex(best))
        })
    }

    /// Eyes of a space: if the opponent moves first, if the owner does, and where either moves.
    pub(super) fn eval_eye(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let point = call.args.point(self.position.size())?;
        call.args.end()?;
        let analysis = Analysis::of(&self.position, &mut NoOracle);
        let Some(space) = analysis.spaces.iter().find(|space| space.points.contains(point)) else {
            return Err(format!("{point} is in no space that one side has closed in").into());
        };
        let [second, first] = [space.eyes.second, space.eyes.first].map(|eighths| eighths / 8);
        Ok(match space.vital.first().filter(|_| second != first) {
            Some(vital) => format!("{second} {first} {vital} {vital}"),
            None => format!("{second} {first}"),
        })
    }

    fn of_stone(
        &mut self,
        call: &mut Call<'_, '_>,
        ask: impl Fn(&mut Tactics, &Board, Point) -> String,
    ) -> Answered {
        let stone = self.stone(call)?;
        call.args.end()?;
        let (tactics, board) = self.tactics();
        Ok(ask(tactics, board, stone))
    }

    /// Asks about two stones, of one colour or of two.
    fn of_pair(
        &mut self,
        call: &mut Call<'_, '_>,
        same_color: bool,
        ask: impl Fn(&mut Tactics, &Board, Point, Point) -> String,
    ) -> Answered {
        let (a, b) = (self.stone(call)?, self.stone(call)?);
        call.args.end()?;
        let board = self.position.board();
        if (board.color(a) == board.color(b)) != same_color {
            let colors = if same_color { "two colours" } else { "one colour" };
            return Err(format!("{a} and {b} are stones of {colors}").into());
        }
        let (tactics, board) = self.tactics();
        Ok(ask(tactics, board, a, b))
    }

    fn tactics(&mut self) -> (&mut Tactics, &Board) {
        let seed = self.settings.seed.child("tactics", 0);
        (self.tactics.get_or_insert_with(|| Box::new(Tactics::new(seed))), self.position.board())
    }

    fn stone(&self, call: &mut Call<'_, '_>) -> Result<Point, Refusal> {
        let point = call.args.point(self.position.size())?;
        match self.position.board().color(point) {
            Some(_) => Ok(point),
            None => Err(format!("there is no stone on {point}").into()),
        }
    }
}

fn code(verdict: &Verdict) -> u8 {
    match verdict.outcome {
        Outcome::Fails => 0,
        Outcome::Works => 1,
        Outcome::KoFirst => 2,
        Outcome::KoSecond => 3,
    }
}

fn vertex(verdict: &Verdict) -> String {
    verdict.mv.to_string().to_uppercase()
}

/// The verdict as GNU Go writes it.
fn told(verdict: &Verdict) -> String {
    match code(verdict) {
        0 => "0".to_string(),
        code => format!("{code} {}", vertex(verdict)),
    }
}
