//! No bytes make the readers of pools, requests, decks and collections panic; a pool that is read is written and read again the same.
#![no_main]

use ishi_deck_documents::pool::{self, TableFiles, refuse_sibling_file};
use ishi_deck_documents::{listing, request};
use libfuzzer_sys::fuzz_target;

const POOL: &[u8] = br#"{"pieces": [{"name": "a", "cost": 1, "attributes": ["x"]}, {"name": "b"}], "pairs": [["a", "b", 1.5]]}"#;

fuzz_target!(|bytes: &[u8]| {
    let none = TableFiles::default();
    let small = pool::read_pool("pool.json", POOL, &refuse_sibling_file, &none).unwrap();
    for name in ["x.json", "x.toml", "x.csv", "x"] {
        if let Ok(file) = pool::read_pool(name, bytes, &refuse_sibling_file, &none) {
            let text = pool::write_pool(&file.pool, None);
            let again = pool::read_pool("y.json", text.as_bytes(), &refuse_sibling_file, &none).unwrap();
            assert_eq!(again.pool.pieces, file.pool.pieces);
        }
        let _ = request::read_request(name, bytes, &small, &refuse_sibling_file);
        let _ = request::read_owned_file(name, bytes, &small.pool);
        let _ = listing::read_listing(name, bytes, &small.pool);
    }
    let beside = |_: &str| Ok(bytes.to_vec());
    let _ = pool::read_pool("p.toml", b"pieces = \"x.csv\"", &beside, &none);
    let _ = pool::read_pool(
        "p.json",
        br#"{"pieces": [{"name": "a"}, {"name": "b"}], "pairs": "x.csv"}"#,
        &beside,
        &none,
    );
});
