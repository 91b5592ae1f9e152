//! Commands that have the engine choose a move.

use ishi_go::{Color, Move, Point};

use super::think::EngineQuestion;
use super::{Session, SessionCall};
use ishi_engine::session::{CommandAnswer, CommandRefusal};
use ishi_engine::{AnswerPurpose, Choice, EngineAction, SearchLimits};

impl Session {
    pub(super) fn genmove(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        call.args.expect_end()?;
        let question = EngineQuestion::new(color, self.limits_for_move(color));
        let choice = self.ask_timed(&question, call);
        self.carry_out_action(color, choice.action)
    }

    /// The move that gets most out of the position; nobody resigns, and the game goes on as if nothing had been asked.
    pub(super) fn reg_genmove(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        call.args.expect_end()?;
        let limits = self.limits_for_move(color);
        let question = EngineQuestion {
            purpose: AnswerPurpose::Study,
            may_resign: false,
            ..EngineQuestion::new(color, limits)
        };
        Ok(self.ask_engine(&question, call.exchange).action.to_string())
    }

    /// GNU Go's: the best of the given vertices, without playing it; `pass` if none of them is legal.
    pub(super) fn restricted_genmove(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        let points = call.args.take_points(self.position.size())?;
        let allowed: Vec<Move> = points.into_iter().map(Move::Play).collect();
        let legal: Vec<Move> = allowed.into_iter().filter(|&mv| self.position.is_legal(color, mv)).collect();
        if let [] | [_] = legal[..] {
            return Ok(legal.first().copied().unwrap_or(Move::Pass).to_string());
        }
        let question = EngineQuestion {
            allowed: Some(&legal),
            may_resign: false,
            ..EngineQuestion::new(color, self.limits_for_move(color))
        };
        let action = self.ask_engine(&question, call.exchange).action;
        // Players that fill no own eyes may find nothing among the vertices: the first of them is asked for then.
        Ok(if action == EngineAction::Move(Move::Pass) { legal[0].to_string() } else { action.to_string() })
    }

    /// KGS: removes the opponent's dead stones one by one, and passes when there are none.
    pub(super) fn genmove_cleanup(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        call.args.expect_end()?;
        let allowed = self.moves_against_dead(color);
        if allowed.is_empty() {
            return self.carry_out_action(color, EngineAction::Move(Move::Pass));
        }
        let limits = self.limits_for_move(color);
        let question = EngineQuestion {
            allowed: Some(&allowed),
            may_resign: false,
            ..EngineQuestion::new(color, limits)
        };
        let action = self.ask_timed(&question, call).action;
        // To pass would say that no dead stone is left.
        let action =
            if action == EngineAction::Move(Move::Pass) { EngineAction::Move(allowed[0]) } else { action };
        self.carry_out_action(color, action)
    }

    /// The game is over: there is nothing to put away.
    pub(super) fn game_over(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok(String::new())
    }

    /// Legal liberties of the opponent's dead stones.
    fn moves_against_dead(&self, color: Color) -> Vec<Move> {
        let board = self.position.board();
        let dead = self.judge_status().dead;
        let hostile = |stone: &Point| board.color(*stone) == Some(!color);
        let mut around: Vec<Point> = dead.into_iter().filter(hostile).flat_map(Point::neighbours).collect();
        around.sort_unstable();
        around.dedup();
        let moves = around.into_iter().filter(|&point| self.position.size().contains(point)).map(Move::Play);
        moves.filter(|&mv| self.position.is_legal(color, mv)).collect()
    }

    /// Asks with the clock running, and then tells those who look on what was chosen.
    pub(super) fn ask_timed(
        &mut self,
        question: &EngineQuestion<'_>,
        call: &mut SessionCall<'_, '_>,
    ) -> Choice {
        let start = self.host.now();
        let choice = self.ask_engine(question, call.exchange);
        self.clocks[question.color.index()].spend_or_run_out(self.host.now().saturating_sub(start));
        self.tell_spectators(question.color, &choice);
        choice
    }

    /// Plays what was chosen, and names it.
    pub(super) fn carry_out_action(&mut self, color: Color, action: EngineAction) -> CommandAnswer {
        match action {
            EngineAction::Move(mv) => {
                self.make_move(color, mv)
                    .map_err(|CommandRefusal(error)| format!("engine error: {error}"))?;
                self.moved = true;
            }
            EngineAction::Resign => self.resigned = Some(color),
        }
        Ok(action.to_string())
    }

    /// Limits of an analysis: none but the controller.
    pub(super) const ENDLESS: SearchLimits = SearchLimits { playouts: None, time: None, infinite: true };
}
