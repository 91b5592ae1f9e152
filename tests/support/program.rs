//! The program as a user starts it: with the arguments that every test of a file begins with (`super::BEFORE`), and more.

#![allow(dead_code)] // No file of tests needs all of them.

use std::path::Path;
use std::process::{Command, Output};

pub(crate) fn ishi(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ishi")).args(super::BEFORE).args(args).output().unwrap()
}

/// Standard output of a command that succeeds.
pub(crate) fn output(args: &[&str]) -> String {
    let output = ishi(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&output(&[args, &["--json"]].concat())).unwrap()
}

/// The message of a command that refuses its input.
pub(crate) fn refusal(args: &[&str]) -> String {
    let output = ishi(args);
    assert_eq!(output.status.code(), Some(3), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stderr).unwrap()
}

/// A new file, for an argument.
pub(crate) fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_string()
}
