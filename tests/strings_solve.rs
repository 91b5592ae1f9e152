//! `ishi strings SIZE`, `table` and `count` as a user types them.

#![allow(missing_docs)]
#![allow(clippy::disallowed_methods)] // A test starts the program.

use crate::support::program::file;

commands_that_begin_with!(&["--quiet", "strings"]);

#[test]
fn the_board_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("19.sgf");
    let record = record.to_str().unwrap();
    let words = output(&["19", "--out", record]);
    assert!(words.starts_with("19x19: 277 strings, which is the most possible\n84 empty points"), "{words}");
    assert!(output(&["verify", record, "--expect", "277"]).contains("every chain has a liberty"));
    let (code, error) = refused(&["19", "--out", record]);
    assert!(code != 0 && error.contains("exists"), "{error}");
}

#[test]
fn rectangles_and_wraps() {
    let found = json(&["9x13"]);
    assert_eq!((found["strings"].as_u64(), found["optimal"].as_bool()), (Some(88), Some(true)));
    assert_eq!(found["board"].as_array().unwrap().len(), 13);
    let found = json(&["10", "--wrap", "torus"]);
    assert_eq!((found["strings"].as_u64(), found["surface"].as_str()), (Some(80), Some("torus")));
}

#[test]
fn given_points() {
    let folder = tempfile::tempdir().unwrap();
    let stones = file(folder.path(), "stones", "XX???\n?????\n?????\n?????\n?????\n");
    let found = json(&["5", "--given", &stones]);
    assert!(found["board"][0].as_str().unwrap().starts_with("XX"), "{found}");
    assert_eq!((found["optimal"].as_bool(), found["verified"].as_bool()), (Some(true), Some(true)));
    assert!(found["strings"].as_u64().unwrap() < 18);
    let full = file(folder.path(), "full", "##\n##\n");
    assert_eq!(refused(&["2", "--given", &full]).0, 1);
    let bad = file(folder.path(), "bad", "??\n?b\n");
    let (code, error) = refused(&["2", "--given", &bad]);
    assert!(code == 3 && error.contains("row 2, column 2: 'b' is none of"), "{error}");
    let (code, error) = refused(&["3", "--given", &full]);
    assert!(code == 3 && error.contains("rows of points: there must be 3, and there are 2"), "{error}");
    // One empty point in the middle of a large board is found as fast as none.
    let middle: String =
        (0..19).map(|y| if y == 9 { "?????????.?????????\n" } else { "???????????????????\n" }).collect();
    let middle = file(folder.path(), "middle", &middle);
    let found = json(&["19", "--given", &middle]);
    assert_eq!(
        (found["optimal"].as_bool(), found["board"][9].as_str().map(|row| &row[9..10])),
        (Some(true), Some("."))
    );
}

#[test]
fn all_rectangles() {
    let table = json(&["table", "6x9"]);
    let boards = table["boards"].as_array().unwrap();
    let strings = |width: u64, height: u64| {
        let is = |entry: &&serde_json::Value| entry["width"] == width && entry["height"] == height;
        boards.iter().find(is).unwrap()["strings"].as_u64()
    };
    assert_eq!((strings(5, 5), strings(6, 6), strings(6, 9)), (Some(18), Some(26), Some(40)));
    assert!(output(&["table", "9", "--squares"]).contains("9x9       61"));
}

#[test]
fn counts() {
    let found = json(&["count", "6", "--numbers", "2"]);
    let rows: Vec<&str> =
        found["rows"].as_array().unwrap().iter().map(|row| row["boards"].as_str().unwrap()).collect();
    assert_eq!(rows, ["288", "20896"]);
    // All sets that dominate 4x4, from 4 points to 16.
    let all = json(&["count", "4", "--all"]);
    assert_eq!(all["rows"].as_array().unwrap().len(), 13);
    assert_eq!(all["rows"][12]["boards"], "1");
    assert!(output(&["count", "16"]).contains("100406"));
    // 22 boards in (22 + 2 * 4 + 2) / 8 classes.
    assert_eq!(json(&["count", "5", "--up-to-symmetry"])["symmetry"]["boards"], "4");
}

#[test]
fn a_count_keeps_no_checkpoint_when_it_is_done_and_refuses_another_s() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("8.part");
    let name = path.to_str().unwrap();
    assert!(output(&["count", "8", "--checkpoint", name]).contains(" 52  the most possible"));
    assert!(!path.exists());
    std::fs::write(&path, "something else").unwrap();
    let (code, error) = refused(&["count", "8", "--checkpoint", name]);
    assert!(code == 3 && error.contains("no whole checkpoint"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"something else");
}

/// A count may take hours: a place where nothing can be kept is refused before.
#[test]
fn a_checkpoint_without_a_place_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("none").join("8.part");
    let (code, error) = refused(&["count", "8", "--checkpoint", nowhere.to_str().unwrap()]);
    assert!(code == 4 && error.contains("8.part: there is no folder"), "{error}");
}

#[test]
fn bad_sizes() {
    for size in ["0", "x", "10001", "9x", "-3"] {
        assert_eq!(refused(&[size]).0, 2, "{size}");
    }
    assert_eq!(refused(&["5", "count", "4"]).0, 3);
}
