//! GNU Go's questions of tactics: 0 it fails, 1 it works, 2 by a ko taken first, 3 by a ko after a threat; then the move.

use ishi_go::{Board, Point};
use ishi_knowledge::{Analysis, NoOracle, count_contested_eyes};
use ishi_reading::ReadingOutcome;

use super::{Session, SessionCall};
use crate::tactics::{GroupStatus, Tactics, TacticsVerdict};
use ishi_engine::session::{CommandAnswer, CommandRefusal};

impl Session {
    pub(super) fn attack(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.answer_about_stone(call, |tactics, board, stone| verdict_text(&tactics.attack(board, stone)))
    }

    pub(super) fn defend(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.answer_about_stone(call, |tactics, board, stone| verdict_text(&tactics.defend(board, stone)))
    }

    pub(super) fn owl_attack(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.answer_about_stone(call, |tactics, board, stone| verdict_text(&tactics.kill(board, stone)))
    }

    pub(super) fn owl_defend(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.answer_about_stone(call, |tactics, board, stone| verdict_text(&tactics.save(board, stone)))
    }

    pub(super) fn dragon_status(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.answer_about_stone(call, |tactics, board, stone| match tactics.status(board, stone) {
            GroupStatus::Alive => "alive".to_string(),
            GroupStatus::Critical { kill, save } => {
                format!("critical {} {}", verdict_vertex(&kill), verdict_vertex(&save))
            }
            GroupStatus::Dead { .. } => "dead".to_string(),
        })
    }

    pub(super) fn connect(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.answer_about_pair(call, true, |tactics, board, a, b| verdict_text(&tactics.connect(board, a, b)))
    }

    pub(super) fn disconnect(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.answer_about_pair(call, true, |tactics, board, a, b| {
            verdict_text(&tactics.disconnect(board, a, b))
        })
    }

    pub(super) fn analyze_semeai(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        self.answer_about_pair(call, false, |tactics, board, own, rival| {
            let [survives, falls] = tactics.read_race(board, own, rival);
            // What captures the rival saves the own chain, too.
            let best = if falls.works() { &falls } else { &survives };
            format!("{} {} {}", verdict_code(&survives), verdict_code(&falls), verdict_vertex(best))
        })
    }

    /// Eyes of a space: if the opponent moves first, if the owner does, and where the opponent and the owner move. Of a space that nobody
    /// has closed in they are those that moving first makes.
    pub(super) fn eval_eye(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let point = call.args.take_point(self.position.size())?;
        call.args.expect_end()?;
        let analysis = Analysis::analyze(&self.position, &mut NoOracle);
        let Some(space) = analysis.spaces.iter().find(|space| space.points.contains(point)) else {
            let eyes = count_contested_eyes(self.position.board(), point);
            let moves = eyes.attack.or(eyes.defence).zip(eyes.defence.or(eyes.attack));
            return Ok(eye_text([eyes.second, eyes.first], moves));
        };
        let vital = space.vital.first().map(|&vital| (vital, vital));
        Ok(eye_text([space.eyes.second, space.eyes.first], vital))
    }

    fn answer_about_stone(
        &mut self,
        call: &mut SessionCall<'_, '_>,
        ask: impl Fn(&mut Tactics, &Board, Point) -> String,
    ) -> CommandAnswer {
        let stone = self.take_stone(call)?;
        call.args.expect_end()?;
        let (tactics, board) = self.tactics_and_board();
        Ok(ask(tactics, board, stone))
    }

    /// Asks about two stones, of one colour or of two.
    fn answer_about_pair(
        &mut self,
        call: &mut SessionCall<'_, '_>,
        same_color: bool,
        ask: impl Fn(&mut Tactics, &Board, Point, Point) -> String,
    ) -> CommandAnswer {
        let (a, b) = (self.take_stone(call)?, self.take_stone(call)?);
        call.args.expect_end()?;
        let board = self.position.board();
        if (board.color(a) == board.color(b)) != same_color {
            let colors = if same_color { "two colours" } else { "one colour" };
            return Err(format!("{a} and {b} are stones of {colors}").into());
        }
        let (tactics, board) = self.tactics_and_board();
        Ok(ask(tactics, board, a, b))
    }

    fn tactics_and_board(&mut self) -> (&mut Tactics, &Board) {
        let seed = self.settings.seed.child_seed("tactics", 0);
        (self.tactics.get_or_insert_with(|| Box::new(Tactics::new(seed))), self.position.board())
    }

    fn take_stone(&self, call: &mut SessionCall<'_, '_>) -> Result<Point, CommandRefusal> {
        let point = call.args.take_point(self.position.size())?;
        match self.position.board().color(point) {
            Some(_) => Ok(point),
            None => Err(format!("there is no stone on {point}").into()),
        }
    }
}

/// Whole eyes out of eighths, and the opponent's move and the owner's where moving first makes a difference.
fn eye_text(eighths: [u8; 2], moves: Option<(Point, Point)>) -> String {
    let [second, first] = eighths.map(|eighths| eighths / 8);
    match moves.filter(|_| second != first) {
        Some((attack, defence)) => format!("{second} {first} {attack} {defence}"),
        None => format!("{second} {first}"),
    }
}

fn verdict_code(verdict: &TacticsVerdict) -> u8 {
    match verdict.outcome {
        ReadingOutcome::Fails => 0,
        ReadingOutcome::Works => 1,
        ReadingOutcome::KoFirst => 2,
        ReadingOutcome::KoSecond => 3,
    }
}

fn verdict_vertex(verdict: &TacticsVerdict) -> String {
    verdict.mv.to_string().to_uppercase()
}

/// The verdict as GNU Go writes it.
fn verdict_text(verdict: &TacticsVerdict) -> String {
    match verdict_code(verdict) {
        0 => "0".to_string(),
        code => format!("{code} {}", verdict_vertex(verdict)),
    }
}
