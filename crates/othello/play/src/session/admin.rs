//! Commands about the program itself, the game that it plays, and time.

use ishi_rng::Seed;

use super::text::DiscArgs;
use super::{CommandAnswer, OthelloCall, OthelloSession, all_commands, table};
use ishi_engine::clock::{GameClock, TimeControl};
use ishi_engine::session::clock::{take_time_left, take_time_settings};

/// The one game there is.
pub(super) const GAME: &str = "Othello";

fn answer_without_arguments(call: &OthelloCall<'_, '_>, text: impl ToString) -> CommandAnswer {
    call.args.expect_end()?;
    Ok(text.to_string())
}

impl OthelloSession {
    pub(super) fn protocol_version(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, 2)
    }

    /// `ishi` and the engine, so that two of them in a match can be told apart.
    pub(super) fn name(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let usual = || format!("ishi {}", self.engine.name());
        answer_without_arguments(call, self.settings.name.clone().unwrap_or_else(usual))
    }

    pub(super) fn version(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, &self.settings.version)
    }

    pub(super) fn known_command(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let name = call.args.take_word("NAME")?;
        answer_without_arguments(call, table::find_command(name).is_some())
    }

    pub(super) fn list_commands(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let names: Vec<&str> = all_commands().iter().map(|command| command.name).collect();
        answer_without_arguments(call, names.join("\n"))
    }

    pub(super) fn quit(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        self.finished = true;
        Ok(String::new())
    }

    /// Nothing runs any more when this is read: the command's first byte has ended what ran.
    pub(super) fn stop(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, "")
    }

    pub(super) fn cputime(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let time = self.host.cpu_time().ok_or("this system does not tell the processor time")?;
        answer_without_arguments(call, format!("{:.3}", time.as_secs_f64()))
    }

    pub(super) fn set_random_seed(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let seed = Seed::new(call.args.take_number("NUMBER")?);
        call.args.expect_end()?;
        self.settings.seed = seed;
        self.engine.set_seed(seed);
        Ok(String::new())
    }

    pub(super) fn get_random_seed(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, self.settings.seed)
    }

    pub(super) fn clear_cache(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        self.searcher = None;
        Ok(String::new())
    }

    pub(super) fn ishi_engine(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, self.engine.spec())
    }

    pub(super) fn list_games(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, GAME)
    }

    /// Quarry and GRhino write the name with a capital; others may not.
    pub(super) fn set_game(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let name = call.args.take_word("GAME")?;
        call.args.expect_end()?;
        if !name.eq_ignore_ascii_case(GAME) {
            return Err(format!("unsupported game {name:?}: this player plays {GAME}").into());
        }
        self.restart_game();
        Ok(String::new())
    }

    pub(super) fn time_settings(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let control = TimeControl::exact(take_time_settings(&mut call.args)?);
        self.clocks = [GameClock::new(control); 2];
        Ok(String::new())
    }

    pub(super) fn time_left(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_disc_color()?;
        self.clocks[color.index()].set_time_left(take_time_left(&mut call.args)?);
        Ok(String::new())
    }
}
