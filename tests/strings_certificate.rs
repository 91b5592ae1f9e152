//! `ishi strings prove` and `ishi strings check` from outside: certificates written, checked, spoilt and refused.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

fn ishi(args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(ISHI);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // What is too long is not read to its end.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn prove(args: &[&str]) -> String {
    let output = ishi(&[&["strings", "prove"], args].concat(), b"");
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn check(certificate: &str, args: &[&str]) -> (Option<i32>, Value) {
    let output = ishi(&[&["--json", "strings", "check", "-"], args].concat(), certificate.as_bytes());
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
    let (head, prices) = certificate.split_once("prices\n").unwrap();
    let prices = prices.strip_suffix("end\n").unwrap().split_whitespace().enumerate();
    let prices: Vec<String> =
        prices.map(|(place, price)| change(place, price.parse().unwrap()).to_string()).collect();
    format!("{head}prices\n{}\nend\n", prices.join("\n"))
}

#[test]
fn what_is_proved_is_accepted_and_one_more_is_refused() {
    // Columns, rows, size of a smallest set; 19x19 is the board of the paper, with 361 - 84 = 277 strings.
    for (size, args, cells, smallest) in [
        ("5", &[][..], 25, 7),
        ("9", &[], 81, 20),
        ("7x12", &[], 84, 21),
        ("12x7", &["--depth", "2"], 84, 21),
        ("9", &["--depth", "0"], 81, 20),
        ("13", &["--depth", "5"], 169, 40),
        ("19", &[], 361, 84),
    ] {
        let certificate = prove(&[&[size], args].concat());
        let (code, report) = check(&certificate, &[]);
        assert_eq!(code, Some(0), "{size} {args:?}: {report}");
        assert_eq!(report["outcome"], "accepted");
        assert_eq!(report["empties"], smallest, "{size}");
        assert_eq!(report["strings_at_most"], cells - smallest, "{size}");
        assert_eq!(report["smallest_set"], Value::Null);
        let (code, report) = check(&claim(&certificate, smallest, smallest + 1), &[]);
        assert_eq!(code, Some(1), "{size} {args:?}: {report}");
        assert_eq!(report["outcome"], "refused");
        assert_eq!(report["smallest_set"], smallest, "{size}");
    }
}

/// Prices are a help and no evidence: spoilt ones can cost states, but they make nothing false true, nor true false.
#[test]
fn spoilt_prices_change_the_work_and_not_the_answer() {
    let certificate = prove(&["11", "--depth", "4"]);
    let states = |report: &Value| report["states"].as_u64().unwrap();
    let (_, good) = check(&certificate, &[]);
    let mut differ = false;
    let spoilers: [&dyn Fn(usize, i64) -> i64; 4] =
        [&|_, _| 0, &|_, price| -price, &|place, price| price + [0, 5, -5][place % 3], &|place, _| {
            if place % 2 == 0 { 500_000_000 } else { -500_000_000 }
        }];
    for spoil in spoilers {
        let spoilt = reprice(&certificate, spoil);
        let (code, report) = check(&spoilt, &[]);
        assert_eq!((code, &report["outcome"]), (Some(0), &Value::from("accepted")));
        differ |= states(&report) > states(&good);
        let (code, report) = check(&claim(&spoilt, 29, 30), &[]);
        assert_eq!((code, &report["outcome"]), (Some(1), &Value::from("refused")));
        assert_eq!(report["smallest_set"], 29);
    }
    assert!(differ, "good prices keep fewer states than spoilt ones");
}

#[test]
fn the_answer_is_given_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("9.cert");
    let file = path.to_str().unwrap();
    prove(&["9", "--out", file]);
    let accepted = ishi(&["strings", "check", file], b"");
    assert_eq!(accepted.status.code(), Some(0));
    let words =
        "accepted: every dominating set of 9x9 has at least 20 points,\nso at most 61 strings stand on 9x9\n";
    assert!(text(&accepted.stdout).starts_with(words), "{}", text(&accepted.stdout));
    let wrong = claim(&std::fs::read_to_string(&path).unwrap(), 20, 21);
    let refused = ishi(&["strings", "check", "-"], wrong.as_bytes());
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stdout).starts_with("refused: a set of 20 points dominates 9x9"));
    assert_eq!(text(&refused.stderr), "ishi: -: the certificate claims 21, but 20 points dominate 9x9\n");
    let few =
        ishi(&["strings", "check", "-", "--max-states", "100"], prove(&["9", "--depth", "0"]).as_bytes());
    assert_eq!(few.status.code(), Some(1));
    assert!(
        text(&few.stdout)
            .starts_with("not proved: whether 20 points are needed to dominate 9x9 stays open\n")
    );
    assert!(text(&few.stderr).starts_with("ishi: -: not proved, more than 100 states after antidiagonal "));
}

#[test]
fn what_is_no_certificate_is_named() {
    let good = prove(&["4", "--depth", "1"]);
    assert!(good.starts_with("ishi-strings-certificate 1\nsize 4 4\nempties 4\ndepth 1\nprices\n"), "{good}");
    let huge = "ishi-strings-certificate 1\nsize 100000 100000\nempties 2000000001\ndepth 0\nprices\nend\n";
    let long = good.clone() + &" ".repeat(5 << 20);
    for (input, message) in [
        (&b""[..], "ishi: -: line 1: the text ends where the first line of a certificate, "),
        (b"(;GM[1])", "ishi: -: line 1: \"(;GM[1])\" is not the first line of a certificate, "),
        (b"ishi-strings-certificate 1\n\xff\xfe", "ishi: -: not a text; "),
        (
            good.replace("4 4", "4 x").as_bytes(),
            "ishi: -: line 2: \"size 4 x\" is not a line \"size WIDTH HEIGHT\"",
        ),
        (good.replace("depth 1", "depth 9").as_bytes(), "ishi: -: the depth is 9, but must be 0 to 2"),
        (
            good.replace("end", "1 end").as_bytes(),
            "ishi: -: line 7: \"1\" is not \"end\", after all 3 prices",
        ),
        (good.replace("end\n", "").as_bytes(), "ishi: -: line 7: the text ends where \"end\""),
        (huge.as_bytes(), "ishi: -: 100000x100000 is too large to check: "),
        (long.as_bytes(), "ishi: -: no certificate is longer than "),
    ] {
        let output = ishi(&["strings", "check", "-"], input);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{message}: {error}");
        assert!(error.starts_with(message), "{message}: {error}");
        assert!(output.stdout.is_empty());
    }
    let missing = ishi(&["strings", "check", "no-such-file"], b"");
    assert_eq!(missing.status.code(), Some(4));
    assert!(text(&missing.stderr).starts_with("ishi: cannot read no-such-file: "));
}
