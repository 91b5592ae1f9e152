//! Tells the program which profile it is built with, for `ishi bench`.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // A build script talks to Cargo.

use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // target/PROFILE/build/ishi-cli-HASH/out: Cargo itself names only "debug" and "release".
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let profile = out.ancestors().nth(3).and_then(|folder| folder.file_name());
    println!("cargo:rustc-env=ISHI_PROFILE={}", profile.unwrap_or_default().to_string_lossy());
}
