//! `ishi strings positions` as a user meets it.

#![allow(missing_docs, clippy::disallowed_methods)]

use serde_json::Value;

use crate::support::program::exit_and_message;

commands_that_begin_with!(&["strings", "positions"]);

/// Tromp and Farneback, "Combinatorics of Go".
#[test]
fn legal_positions_are_the_published_ones() {
    for (size, published) in
        [("1", "1"), ("2", "57"), ("3", "12675"), ("4", "24318165"), ("5", "414295148741")]
    {
        let report = json(&[size]);
        assert_eq!(report["positions"], published, "{size}");
        assert_eq!((&report["counted"], report["width"].to_string().as_str()), (&Value::from("legal"), size));
    }
    let text = output(&["5", "--legal"]);
    assert!(text.starts_with("5x5: 414295148741 legal positions\n"), "{text}");
    assert!(text.contains("states in the widest layer") && text.contains("of CPU"), "{text}");
}

#[test]
fn threads_and_orientation_change_nothing() {
    let one = json(&["6x7", "--threads", "1"]);
    let two = json(&["7x6", "--threads", "2"]);
    assert_eq!(one["positions"], two["positions"]);
    assert_eq!((&one["width"], &two["width"]), (&6.into(), &7.into()));
    assert_eq!(one["widest_layer_states"], two["widest_layer_states"]);
}

#[test]
fn the_counts_agree_with_each_other() {
    let split = json(&["5", "--by-strings"]);
    assert_eq!(split["positions"], "414295148741");
    let by_chains = split["by_chains"].as_array().unwrap();
    assert_eq!(by_chains[0], "1", "the empty board");
    let optimal = json(&["5", "--optimal"]);
    assert_eq!(optimal["chains"], by_chains.len() - 1);
    assert_eq!(&optimal["positions"], by_chains.last().unwrap());
    assert_eq!(optimal["smallest_sets"], "22", "table 2 of Miyashiro, Yano and Muramatsu");
    let text = output(&["5", "--by-strings"]);
    assert!(text.contains("\n   0 chains  1\n   1 chain   "), "{text}");
    assert!(text.contains("\n  18 chains  44\n"), "{text}");
}

#[test]
fn optimal_positions_of_larger_boards() {
    let text = output(&["13", "--optimal"]);
    assert!(
        text.starts_with("13x13: 36 positions have 129 chains, the most possible\n18 smallest sets of 40 "),
        "{text}"
    );
}

#[test]
fn what_cannot_be_counted_is_said() {
    for (args, code, word) in [
        (&["0"][..], 2, "19x25"),
        (&["nine"], 2, "19x25"),
        (&["5", "--legal", "--optimal"], 2, "cannot be used with"),
        (&["5", "--memory", "0"], 2, "gigabytes"),
        (&["17"], 3, "at most 16"),
        (&["13", "--by-strings"], 3, "at most 12"),
        (&["40", "--optimal"], 3, "at most 31"),
        (&["2x2000"], 3, "4000 cells"),
        (&["9", "--memory", "0.001"], 4, "--memory"),
    ] {
        let output = ishi(args);
        assert!(output.stdout.is_empty(), "{args:?}");
        let (found, message) = exit_and_message(&output);
        assert_eq!(found, code, "{args:?}: {message}");
        assert!(message.contains(word), "{args:?}: {message}");
    }
}
