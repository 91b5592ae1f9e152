//! `ishi strings prove` and `ishi strings check` from outside: certificates written, checked, spoilt and refused.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::process::Command;

use serde_json::Value;

use crate::support::program::{run_with_input, tell_missing};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// As certificates were written before they had a checksum: what is changed in it is found by the proof alone.
fn prove(args: &[&str]) -> String {
    let sealed = prove_with_checksum(args);
    let (lines, _) = sealed.rsplit_once("checksum ").unwrap();
    lines.replacen("certificate 3", "certificate 2", 1)
}

fn prove_with_checksum(args: &[&str]) -> String {
    let output = run_with_input(&[&["strings", "prove"], args].concat(), b"");
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn check(certificate: &str, args: &[&str]) -> (Option<i32>, Value) {
    let output =
        run_with_input(&[&["--json", "strings", "check", "-"], args].concat(), certificate.as_bytes());
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", text(&output.stdout), text(&output.stderr)));
    (output.status.code(), report)
}

/// The certificate with another claim.
fn claim(certificate: &str, from: u64, to: u64) -> String {
    let (from, to) = (format!("\nempties {from}\n"), format!("\nempties {to}\n"));
    assert!(certificate.contains(&from), "{certificate}");
    certificate.replacen(&from, &to, 1)
}

/// The certificate with each price changed.
fn reprice(certificate: &str, change: impl Fn(usize, i64) -> i64) -> String {
    let (head, rest) = certificate.split_once("prices\n").unwrap();
    let (prices, states) = rest.split_once("states\n").unwrap();
    let prices = prices.split_whitespace().enumerate();
    let prices: Vec<String> =
        prices.map(|(place, price)| change(place, price.parse().unwrap()).to_string()).collect();
    format!("{head}prices\n{}\nstates\n{states}", prices.join("\n"))
}

/// The certificate without one of its lines of states.
fn without_line(certificate: &str, line: usize) -> String {
    let (head, states) = certificate.split_once("states\n").unwrap();
    let lines: Vec<&str> = states.lines().enumerate().filter(|&(n, _)| n != line).map(|(_, l)| l).collect();
    format!("{head}states\n{}\n", lines.join("\n"))
}

#[test]
fn what_is_proved_is_accepted_and_one_more_is_refused() {
    // Columns, rows, size of a smallest set; 19x19 is the board of the paper, with 361 - 84 = 277 strings.
    for (size, args, cells, smallest) in [
        ("5", &[][..], 25, 7),
        ("9", &[], 81, 20),
        ("7x12", &[], 84, 21),
        ("12x7", &["--depth", "2"], 84, 21),
        ("9", &["--depth", "1"], 81, 20),
        ("13", &["--depth", "5"], 169, 40),
        ("19", &[], 361, 84),
    ] {
        let certificate = prove(&[&[size], args].concat());
        let (code, report) = check(&certificate, &[]);
        assert_eq!(code, Some(0), "{size} {args:?}: {report}");
        assert_eq!(report["outcome"], "accepted");
        assert_eq!(report["empties"], smallest, "{size}");
        assert_eq!(report["strings_at_most"], cells - smallest, "{size}");
        assert_eq!(report["fault"], Value::Null);
        for other in [smallest - 1, smallest + 1] {
            let (code, report) = check(&claim(&certificate, smallest, other), &[]);
            assert_eq!((code, &report["outcome"]), (Some(1), &Value::from("refused")), "{size} {args:?}");
            assert!(report["fault"].as_str().unwrap().starts_with("the first state must be the start"));
        }
    }
}

/// What is changed without the checksum is refused before the proof is looked at, with the line. So is an older version of it.
#[test]
fn a_wrong_checksum_is_refused_with_its_line() {
    let certificate = prove_with_checksum(&["9"]);
    let (code, report) = check(&certificate, &[]);
    assert_eq!((code, &report["outcome"]), (Some(0), &Value::from("accepted")));
    let lines = certificate.lines().count();
    for (damaged, message) in [
        (claim(&certificate, 20, 19), format!("ishi: -: line {lines}: \"checksum ")),
        (
            certificate.replacen("certificate 3", "certificate 2", 1),
            format!("ishi: -: line {lines}: \"checksum "),
        ),
        (
            certificate.rsplit_once("checksum ").unwrap().0.to_string(),
            format!("ishi: -: line {lines}: the text ends"),
        ),
    ] {
        let output = run_with_input(&["strings", "check", "-"], damaged.as_bytes());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert!(error.starts_with(&message), "{message}: {error}");
    }
}

/// Every part of a certificate is needed: its prices, and each line of its states.
#[test]
fn a_certificate_that_lacks_something_is_refused() {
    for (size, depth) in [("11", "4"), ("12", "5"), ("17", "8")] {
        let certificate = prove(&[size, "--depth", depth]);
        let refused = |text: &str, what: &str| {
            let (code, report) = check(text, &[]);
            assert_eq!((code, &report["outcome"]), (Some(1), &Value::from("refused")), "{size}: {what}");
            assert!(report["fault"].as_str().unwrap().starts_with("after "), "{size}: {what}: {report}");
        };
        refused(&reprice(&certificate, |_, _| 0), "prices of 0");
        refused(&reprice(&certificate, |_, price| -price), "prices turned round");
        let (head, states) = certificate.split_once("depth ").unwrap();
        let states = states.split_once("states\n").unwrap().1;
        refused(&format!("{head}depth 0\nprices\nstates\n{states}"), "no bands and no prices");
        let lines = states.lines().count() - 1;
        for line in [1, lines / 3, lines / 2, lines - 1] {
            refused(&without_line(&certificate, line), &format!("without line {line} of {lines}"));
        }
    }
}

/// Needs python3: another checker, in another language, that shares nothing but the argument and the format.
#[test]
fn another_checker_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.cert");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/check_certificate.py");
    let python = || {
        let output = Command::new("python3").arg(script).arg(&path).output().ok()?;
        Some((output.status.code(), text(&output.stdout) + &text(&output.stderr)))
    };
    for (args, size, smallest) in [
        (&["5"][..], "5x5", 7),
        (&["6x8", "--depth", "0"], "6x8", 12),
        (&["8x6", "--depth", "2"], "8x6", 12),
        (&["9", "--depth", "3"], "9x9", 20),
        (&["10", "--depth", "4"], "10x10", 24),
    ] {
        let certificate = prove(args);
        std::fs::write(&path, &certificate).unwrap();
        let Some((code, said)) = python() else {
            tell_missing("python3");
            return;
        };
        let accepted = format!("accepted: every dominating set of {size} has at least {smallest} points\n");
        assert_eq!((code, said), (Some(0), accepted), "{args:?}");
        std::fs::write(&path, claim(&certificate, smallest, smallest + 1)).unwrap();
        assert_eq!(python().unwrap().0, Some(1), "{args:?}");
        let sealed = prove_with_checksum(args);
        std::fs::write(&path, &sealed).unwrap();
        assert_eq!(python().unwrap().0, Some(0), "{args:?}");
        std::fs::write(&path, claim(&sealed, smallest, smallest - 1)).unwrap();
        let (code, said) = python().unwrap();
        assert!(code == Some(1) && said.starts_with("no certificate: the checksum"), "{args:?}: {said}");
    }
    // It misses what our checker misses, and reads no more than that.
    let certificate = prove(&["9", "--depth", "2"]);
    for (from, to) in [
        ("certificate 2", "certificate 1"),
        ("depth 2", "depth 5"),
        ("prices", "prizes"),
        ("states\n0 ", "states\n-1 "),
        ("\nend\n", "\nend\nmore\n"),
        ("\nend\n", "\n"),
    ] {
        let damaged = certificate.replacen(from, to, 1);
        assert_ne!(damaged, certificate, "{from:?}");
        std::fs::write(&path, &damaged).unwrap();
        let (code, said) = python().unwrap();
        assert!(code == Some(1) && said.starts_with("no certificate: "), "{to:?}: {said}");
    }
    let lines = certificate.split_once("states\n").unwrap().1.lines().count() - 1;
    for line in (1..lines).step_by(lines / 6) {
        let fewer = without_line(&certificate, line);
        std::fs::write(&path, &fewer).unwrap();
        assert_eq!((python().unwrap().0, check(&fewer, &[]).0), (Some(1), Some(1)), "line {line}");
    }
}

#[test]
fn the_answer_is_given_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("9.cert");
    let file = path.to_str().unwrap();
    let output = run_with_input(&["strings", "9", "--certificate", file], b"");
    assert!(
        output.status.success() && text(&output.stdout).contains("61 strings"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), prove_with_checksum(&["9"]));
    let again = run_with_input(&["strings", "9", "--certificate", file], b"");
    assert!(!again.status.success() && text(&again.stderr).contains("exists"), "{}", text(&again.stderr));
    let accepted = run_with_input(&["strings", "check", file], b"");
    assert_eq!(accepted.status.code(), Some(0));
    let words =
        "accepted: every dominating set of 9x9 has at least 20 points,\nso at most 61 strings stand on 9x9\n";
    assert!(text(&accepted.stdout).starts_with(words), "{}", text(&accepted.stdout));
    let wrong = claim(&prove(&["9"]), 20, 21);
    let refused = run_with_input(&["strings", "check", "-"], wrong.as_bytes());
    assert_eq!(refused.status.code(), Some(1));
    let words = "refused: that 21 points are needed to dominate 9x9 is not proved\n";
    assert!(text(&refused.stdout).starts_with(words), "{}", text(&refused.stdout));
    let fault =
        "ishi: -: refused: the first state must be the start, \"0 20 0\": that is what the claim means\n";
    let told = text(&refused.stderr);
    assert!(told.strip_prefix(fault).is_some_and(|rest| rest.starts_with("made by ")), "{told}");
}

#[test]
fn what_is_no_certificate_is_named() {
    let good = prove(&["4", "--depth", "1"]);
    assert!(good.starts_with("ishi-strings-certificate 2\nsize 4 4\nempties 4\ndepth 1\nprices\n"), "{good}");
    let huge =
        "ishi-strings-certificate 2\nsize 100000 100000\nempties 2000000001\ndepth 0\nprices\nstates\nend\n";
    let long = good.clone() + &" ".repeat(65 << 20);
    for (input, message) in [
        (&b""[..], "ishi: -: line 1: the text ends where the first line of a certificate, "),
        (b"(;GM[1])", "ishi: -: line 1: \"(;GM[1])\" is not the first line of a certificate, "),
        (b"ishi-strings-certificate 2\n\xff\xfe", "ishi: -: not a text: "),
        (
            good.replace("4 4", "4 x").as_bytes(),
            "ishi: -: line 2: \"size 4 x\" is not a line \"size WIDTH HEIGHT\"",
        ),
        (good.replace("depth 1", "depth 9").as_bytes(), "ishi: -: the depth is 9, but must be 0 to 2"),
        (
            good.replace("states", "1 states").as_bytes(),
            "ishi: -: line 7: \"1\" is not \"states\", after all 3 prices",
        ),
        (good.replace("end\n", "").as_bytes(), "ishi: -: line 9: the text ends where a line \"POINTS"),
        (huge.as_bytes(), "ishi: -: 100000x100000 is too large to check: "),
        (long.as_bytes(), "ishi: -: no certificate is longer than "),
    ] {
        let output = run_with_input(&["strings", "check", "-"], input);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{message}: {error}");
        assert!(error.starts_with(message), "{message}: {error}");
        assert!(output.stdout.is_empty());
    }
    let missing = run_with_input(&["strings", "check", "no-such-file"], b"");
    assert_eq!(missing.status.code(), Some(4));
    assert!(text(&missing.stderr).starts_with("ishi: cannot read no-such-file: "));
}
