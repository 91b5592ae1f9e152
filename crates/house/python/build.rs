//! Python itself has what a module for it calls: the linker of macOS must be told so. Elsewhere there is nothing to do.

// Cargo tells a build script by the environment what it builds for.
#![allow(clippy::disallowed_methods)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if system == "macos" {
        println!("cargo::rustc-cdylib-link-arg=-undefined");
        println!("cargo::rustc-cdylib-link-arg=dynamic_lookup");
    }
}
