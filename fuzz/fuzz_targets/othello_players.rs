//! No text makes the readers of one-ply players panic; a piece counter that is read is written and read again the same.
#![no_main]

use ishi_othello::Wpc;
use ishi_othello_play::ntuple::PublishedPlayer;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(wpc) = text.parse::<Wpc>() {
        assert_eq!(wpc.to_string().parse::<Wpc>().unwrap(), wpc);
    }
    let _ = text.parse::<PublishedPlayer>();
});
