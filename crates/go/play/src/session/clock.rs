//! The commands that set and tell the time.

use ishi_engine::clock::{GameClock, TimeControl};
use ishi_engine::session::args::CommandArgs;
use ishi_engine::session::clock::{take_time_left, take_time_settings};
use ishi_engine::session::{CommandAnswer, CommandRefusal};
use ishi_engine::time::TimeSystem;

use super::{Session, SessionCall};

/// The kinds that `kata-time_settings` knows.
const KINDS: &str = "none absolute byoyomi canadian fischer";

impl Session {
    pub(super) fn time_settings(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let system = take_time_settings(&mut call.args)?;
        self.set_time(call, system)
    }

    pub(super) fn kgs_time_settings(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let kind = call.args.take_word("KIND")?;
        let system = take_kgs_system(kind, &mut call.args)?.ok_or_else(|| {
            call.args.syntax_error(format!("no kind {kind:?}: write none, absolute, byoyomi or canadian"))
        })?;
        self.set_time(call, system)
    }

    pub(super) fn kata_time_settings(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let kind = call.args.take_word("KIND")?;
        let system = match kind {
            "fischer" => {
                let (main, increment) =
                    (call.args.take_seconds("MAIN")?, call.args.take_seconds("INCREMENT")?);
                Some(TimeSystem::Fischer { main, increment })
            }
            _ => take_kgs_system(kind, &mut call.args)?,
        };
        let system =
            system.ok_or_else(|| call.args.syntax_error(format!("no kind {kind:?}: there are {KINDS}")))?;
        self.set_time(call, system)
    }

    pub(super) fn kata_list_time_settings(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok(KINDS.to_string())
    }

    fn set_time(&mut self, call: &mut SessionCall<'_, '_>, system: TimeSystem) -> CommandAnswer {
        call.args.expect_end()?;
        self.clocks = [GameClock::new(TimeControl::exact(system)); 2];
        Ok(String::new())
    }

    pub(super) fn time_left(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let color = call.args.take_color()?;
        self.clocks[color.index()].set_time_left(take_time_left(&mut call.args)?);
        Ok(String::new())
    }
}

/// The systems that KGS has; `None` for another word.
fn take_kgs_system(kind: &str, args: &mut CommandArgs<'_>) -> Result<Option<TimeSystem>, CommandRefusal> {
    Ok(Some(match kind {
        "none" => TimeSystem::None,
        "absolute" => TimeSystem::Absolute { main: args.take_seconds("MAIN")? },
        "byoyomi" | "byo-yomi" => {
            let (main, period) = (args.take_seconds("MAIN")?, args.take_seconds("PERIOD")?);
            TimeSystem::Byoyomi { main, period, periods: take_positive(args, "PERIODS")? }
        }
        "canadian" => {
            let (main, period) = (args.take_seconds("MAIN")?, args.take_seconds("PERIOD")?);
            TimeSystem::Canadian { main, period, stones: take_positive(args, "STONES")? }
        }
        _ => return Ok(None),
    }))
}

fn take_positive(args: &mut CommandArgs<'_>, what: &str) -> Result<u32, CommandRefusal> {
    let number = args.take_number(what)?;
    if number == 0 { Err(args.syntax_error(format!("{what} must be 1 or more"))) } else { Ok(number) }
}
