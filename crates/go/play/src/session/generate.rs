//! Commands that have the engine choose a move.

use ishi_go::{Color, Move, Point};

use super::think::Question;
use super::{Call, Session};
use crate::judge;
use ishi_engine::session::{Answered, Refusal};
use ishi_engine::{Action, Choice, Limits, Purpose};

impl Session {
    pub(super) fn genmove(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        call.args.end()?;
        let question = Question::new(color, self.limits(color));
        let choice = self.timed(&question, call);
        self.carry_out(color, choice.action)
    }

    /// The move that gets most out of the position; nobody resigns, and the game goes on as if nothing had been asked.
    pub(super) fn reg_genmove(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        call.args.end()?;
        let limits = self.limits(color);
        let question =
            Question { purpose: Purpose::Study, may_resign: false, ..Question::new(color, limits) };
        Ok(self.ask(&question, call.exchange).action.to_string())
    }

    /// GNU Go's: the best of the given vertices, without playing it; `pass` if none of them is legal.
    pub(super) fn restricted_genmove(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        let points = call.args.points(self.position.size())?;
        let allowed: Vec<Move> = points.into_iter().map(Move::Play).collect();
        let legal: Vec<Move> = allowed.into_iter().filter(|&mv| self.position.is_legal(color, mv)).collect();
        if let [] | [_] = legal[..] {
            return Ok(legal.first().copied().unwrap_or(Move::Pass).to_string());
        }
        let question =
            Question { allowed: Some(&legal), may_resign: false, ..Question::new(color, self.limits(color)) };
        let action = self.ask(&question, call.exchange).action;
        // Players that fill no own eyes may find nothing among the vertices: the first of them is asked for then.
        Ok(if action == Action::Move(Move::Pass) { legal[0].to_string() } else { action.to_string() })
    }

    /// KGS: removes the opponent's dead stones one by one, and passes when there are none.
    pub(super) fn genmove_cleanup(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        call.args.end()?;
        let allowed = self.moves_against_dead(color);
        if allowed.is_empty() {
            return self.carry_out(color, Action::Move(Move::Pass));
        }
        let limits = self.limits(color);
        let question =
            Question { allowed: Some(&allowed), may_resign: false, ..Question::new(color, limits) };
        let action = self.timed(&question, call).action;
        // To pass would say that no dead stone is left.
        let action = if action == Action::Move(Move::Pass) { Action::Move(allowed[0]) } else { action };
        self.carry_out(color, action)
    }

    /// The game is over: there is nothing to put away.
    pub(super) fn game_over(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        Ok(String::new())
    }

    /// Legal liberties of the opponent's dead stones.
    fn moves_against_dead(&self, color: Color) -> Vec<Move> {
        let board = self.position.board();
        let dead = judge::dead_stones(&self.position, self.settings.judge_playouts, self.settings.seed);
        let hostile = |stone: &Point| board.color(*stone) == Some(!color);
        let mut around: Vec<Point> = dead.into_iter().filter(hostile).flat_map(Point::neighbours).collect();
        around.sort_unstable();
        around.dedup();
        let moves = around.into_iter().filter(|&point| self.position.size().contains(point)).map(Move::Play);
        moves.filter(|&mv| self.position.is_legal(color, mv)).collect()
    }

    /// Asks with the clock running.
    pub(super) fn timed(&mut self, question: &Question<'_>, call: &mut Call<'_, '_>) -> Choice {
        let start = self.host.now();
        let choice = self.ask(question, call.exchange);
        self.clock.spend(question.color.index(), self.host.now().saturating_sub(start));
        choice
    }

    /// Plays what was chosen, and names it.
    pub(super) fn carry_out(&mut self, color: Color, action: Action) -> Answered {
        match action {
            Action::Move(mv) => {
                self.make(color, mv).map_err(|Refusal(error)| format!("engine error: {error}"))?;
                self.moved = true;
            }
            Action::Resign => self.resigned = Some(color),
        }
        Ok(action.to_string())
    }

    /// Limits of an analysis: none but the controller.
    pub(super) const ENDLESS: Limits = Limits { playouts: None, time: None, infinite: true };
}
