//! No bytes make the readers of pools, requests, decks and collections panic; a pool that is read is written and read again the same.
#![no_main]

use ishi_deck_documents::pool::{self, TableFiles, nothing_beside};
use ishi_deck_documents::{listing, request};
use libfuzzer_sys::fuzz_target;

const POOL: &[u8] = br#"{"pieces": [{"name": "a", "cost": 1, "attributes": ["x"]}, {"name": "b"}], "pairs": [["a", "b", 1.5]]}"#;

fuzz_target!(|bytes: &[u8]| {
    let none = TableFiles::default();
    let small = pool::read("pool.json", POOL, &nothing_beside, &none).unwrap();
    for name in ["x.json", "x.toml", "x.csv", "x"] {
        if let Ok(file) = pool::read(name, bytes, &nothing_beside, &none) {
            let text = pool::write(&file.pool, None);
            let again = pool::read("y.json", text.as_bytes(), &nothing_beside, &none).unwrap();
            assert_eq!(again.pool.pieces, file.pool.pieces);
        }
        let _ = request::read(name, bytes, &small, &nothing_beside);
        let _ = request::read_owned(name, bytes, &small.pool);
        let _ = listing::read(name, bytes, &small.pool);
    }
    let beside = |_: &str| Ok(bytes.to_vec());
    let _ = pool::read("p.toml", b"pieces = \"x.csv\"", &beside, &none);
    let _ = pool::read("p.json", br#"{"pieces": [{"name": "a"}, {"name": "b"}], "pairs": "x.csv"}"#, &beside, &none);
});
