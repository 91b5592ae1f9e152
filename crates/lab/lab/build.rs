//! Tells the library which profile it is built with, for what results say of their build.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // A build script talks to Cargo.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Cargo itself names only "debug" and "release", also for profiles that inherit from these. The folder has the profile's own name:
    // PROFILE/build/PACKAGE-HASH/out.
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let build = out.ancestors().find(|folder| folder.file_name() == Some(OsStr::new("build")));
    let named = build.and_then(Path::parent).and_then(Path::file_name);
    let profile = named.map_or_else(
        || std::env::var("PROFILE").unwrap_or_default(),
        |name| name.to_string_lossy().into_owned(),
    );
    println!("cargo:rustc-env=ISHI_PROFILE={profile}");
}
