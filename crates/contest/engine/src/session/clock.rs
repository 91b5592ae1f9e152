//! Time settings as the commands say them.

use super::CommandRefusal;
use super::args::CommandArgs;
use crate::time::{TimeLeft, TimeSystem};

/// The arguments of GTP's own `time_settings`.
pub fn take_time_settings(args: &mut CommandArgs<'_>) -> Result<TimeSystem, CommandRefusal> {
    let (main, period) = (args.take_seconds("MAIN")?, args.take_seconds("BYOYOMI")?);
    let stones = args.take_number("STONES")?;
    args.expect_end()?;
    Ok(match (period.is_zero(), stones) {
        (true, _) => TimeSystem::Absolute { main },
        // GTP 2: byo-yomi time without stones means no limit at all.
        (false, 0) => TimeSystem::None,
        (false, stones) => TimeSystem::Canadian { main, period, stones },
    })
}

/// The arguments of `time_left` after the colour.
pub fn take_time_left(args: &mut CommandArgs<'_>) -> Result<TimeLeft, CommandRefusal> {
    let (time, stones) = (args.take_seconds("SECONDS")?, args.take_number("STONES")?);
    args.expect_end()?;
    Ok(TimeLeft { time, stones })
}
