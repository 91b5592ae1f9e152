//! No line of the analysis protocol makes its reader panic, and every position of a query that is taken can be set up.
#![no_main]

use ishi_analysis::protocol::Settings;
use ishi_analysis::protocol::query::{self, Request};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok((Request::Query(query), _)) = query::read(bytes, &Settings::default()) {
        for &(turn, _) in &query.turns {
            let position = query.position(turn);
            assert_eq!(position.moves().len(), turn);
            query.allowed(&position);
        }
    }
});
