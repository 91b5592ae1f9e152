//! No bytes make the readers of networks panic; a network that is read is written so that it reads the same.
#![no_main]

use ishi_othello_play::ntuple::{NTupleNetwork, PublishedPlayer, TupleSet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // A right check sum behind the bytes, so that they are looked at.
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let whole = [bytes, &sum.to_le_bytes()].concat();
    if let Ok(network) = NTupleNetwork::from_bytes(&whole) {
        assert_eq!(NTupleNetwork::from_bytes(&network.to_bytes()).unwrap(), network);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = text.parse::<TupleSet>();
        if let Ok(published) = text.parse::<PublishedPlayer>() {
            assert_eq!(published.to_string().parse::<PublishedPlayer>().unwrap(), published);
            published.to_network();
        }
    }
});
