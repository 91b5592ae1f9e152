//! No bytes make the readers of networks panic; a network that is read is written so that it reads the same.
#![no_main]

use ishi_othello_play::ntuple::{NTupleNetwork, PublishedPlayer, TupleSet};
use ishi_rng::checksum::append_checksum;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // A right check sum behind the bytes, so that they are looked at.
    let mut whole = bytes.to_vec();
    append_checksum(&mut whole);
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
