//! The commands that set and tell the time.

use ishi_engine::session::args::Args;
use ishi_engine::session::clock::{GameClock, time_left, time_settings};
use ishi_engine::session::{Answered, Refusal};
use ishi_engine::time::TimeSystem;

use super::{Call, Session};

/// The kinds that `kata-time_settings` knows.
const KINDS: &str = "none absolute byoyomi canadian fischer";

impl Session {
    pub(super) fn time_settings(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let system = time_settings(&mut call.args)?;
        self.set_time(call, system)
    }

    pub(super) fn kgs_time_settings(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let kind = call.args.word("KIND")?;
        let system = kgs_system(kind, &mut call.args)?.ok_or_else(|| {
            call.args.error(format!("no kind {kind:?}: write none, absolute, byoyomi or canadian"))
        })?;
        self.set_time(call, system)
    }

    pub(super) fn kata_time_settings(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let kind = call.args.word("KIND")?;
        let system = match kind {
            "fischer" => {
                let (main, increment) = (call.args.seconds("MAIN")?, call.args.seconds("INCREMENT")?);
                Some(TimeSystem::Fischer { main, increment })
            }
            _ => kgs_system(kind, &mut call.args)?,
        };
        let system = system.ok_or_else(|| call.args.error(format!("no kind {kind:?}: there are {KINDS}")))?;
        self.set_time(call, system)
    }

    pub(super) fn kata_list_time_settings(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        Ok(KINDS.to_string())
    }

    fn set_time(&mut self, call: &mut Call<'_, '_>, system: TimeSystem) -> Answered {
        call.args.end()?;
        self.clock = GameClock::new(system);
        Ok(String::new())
    }

    pub(super) fn time_left(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let color = call.args.color()?;
        self.clock.set(color.index(), time_left(&mut call.args)?);
        Ok(String::new())
    }
}

/// The systems that KGS has; `None` for another word.
fn kgs_system(kind: &str, args: &mut Args<'_>) -> Result<Option<TimeSystem>, Refusal> {
    Ok(Some(match kind {
        "none" => TimeSystem::None,
        "absolute" => TimeSystem::Absolute { main: args.seconds("MAIN")? },
        "byoyomi" | "byo-yomi" => {
            let (main, period) = (args.seconds("MAIN")?, args.seconds("PERIOD")?);
            TimeSystem::Byoyomi { main, period, periods: positive(args, "PERIODS")? }
        }
        "canadian" => {
            let (main, period) = (args.seconds("MAIN")?, args.seconds("PERIOD")?);
            TimeSystem::Canadian { main, period, stones: positive(args, "STONES")? }
        }
        _ => return Ok(None),
    }))
}

fn positive(args: &mut Args<'_>, what: &str) -> Result<u32, Refusal> {
    let number = args.number(what)?;
    if number == 0 { Err(args.error(format!("{what} must be 1 or more"))) } else { Ok(number) }
}
