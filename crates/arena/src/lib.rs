//! Matches between players: pairing, referees, records, engines as processes.

pub mod process;
