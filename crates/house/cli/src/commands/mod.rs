//! One file per command: parse, call a library, print. `solver` and `engine_config` serve others.

pub mod analysis;
pub mod bench;
pub mod campaign;
pub mod completions;
pub mod deck;
pub(crate) mod engine_config;
pub mod explain;
pub mod go;
pub mod gtp;
pub mod gtp_check;
pub mod lab;
pub mod launch;
pub mod match_;
pub mod mcp;
pub mod nboard;
pub mod othello;
pub mod ratings;
pub mod serve;
pub mod sgf;
pub mod solver;
pub mod stats;
pub mod strings;
pub mod token;
pub mod tune;
pub mod visit;
pub mod worker;
