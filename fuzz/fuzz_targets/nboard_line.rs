//! No bytes end an NBoard session or make it panic, and every ping is answered.
#![no_main]

use ishi_engine::StoppedClock;
use ishi_gtp::Inbox;
use ishi_othello_play::levels::{Level, LevelPlayer};
use ishi_othello_play::nboard::{NBoard, NBoardLine, NBoardSettings, is_ping};
use ishi_othello_play::search::{SearchParams, Searcher};
use ishi_rng::Seed;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let searcher = Searcher::new(SearchParams { hash_bits: 10, threads: 1 });
    let player = LevelPlayer::new(Level::LOWEST, Seed::new(1), searcher);
    // The level is fixed, so that no `set depth` makes a case slow.
    let settings = NBoardSettings { fixed_level: true, ..NBoardSettings::default() };
    let mut inbox = Inbox::with_interrupt(is_ping);
    inbox.push_bytes(input);
    inbox.close();
    let mut output = Vec::new();
    let mut nboard = NBoard::new(player, Box::new(StoppedClock), settings);
    nboard.serve_lines(&mut inbox, &mut output).expect("a vector takes everything");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    let lines = input.split(|&byte| byte == b'\n').filter_map(NBoardLine::parse);
    let pings =
        lines.take_while(|line| *line != NBoardLine::Quit).filter(|line| matches!(line, NBoardLine::Ping(_)));
    assert_eq!(output.lines().filter(|line| line.starts_with("pong ")).count(), pings.count());
});
