//! The binary `ishi`.
fn main() {}
