//! How players of Othello learn: by temporal differences ([`td`]), or by evolution ([`evolution`]).

pub mod evolution;
pub mod td;
