//! No text makes the readers of players, times and openings panic.
#![no_main]

use ishi_arena::{GoMatchSettings, Openings, PlayerSpec, TimeControl};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = text.parse::<PlayerSpec>();
    let _ = text.parse::<TimeControl>();
    let _ = <Openings>::from_text(text, &GoMatchSettings::default());
    let _ = <Openings>::from_sgf(text.as_bytes(), &GoMatchSettings::default());
});
