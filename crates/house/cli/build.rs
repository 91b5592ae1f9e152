//! Tells the program where the files are that it holds.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // A build script talks to Cargo.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let checkout = package.join("../../..");
    name_folder("ISHI_SAMPLES", &package.join("samples"), &checkout.join("data/samples"));
}

/// A packed crate has its own copy of the folder. In a checkout it is a link, which is a plain file where git or the system keeps no links:
/// then it is the folder that the link means.
fn name_folder(variable: &str, packed: &Path, checkout: &Path) {
    let folder = if packed.is_dir() { packed } else { checkout };
    println!("cargo:rustc-env={variable}={}", folder.display());
}
