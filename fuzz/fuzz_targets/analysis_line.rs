//! No line of the analysis protocol makes its reader panic, and every position of a query that is taken can be set up.
#![no_main]

use ishi_analysis::protocol::AnalysisSettings;
use ishi_analysis::protocol::query::{self, AnalysisRequest};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok((AnalysisRequest::Query(query), _)) = query::parse_request(bytes, &AnalysisSettings::default())
    {
        for &(turn, _) in &query.turns {
            let position = query.position_at_turn(turn);
            assert_eq!(position.moves().len(), turn);
            query.allowed_moves(&position);
        }
    }
});
