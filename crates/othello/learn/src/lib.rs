//! How players of Othello learn: by temporal differences ([`td`]).

pub mod td;
