//! KataGo's analysis protocol: [`protocol`] answers it, [`labels`] asks it for facts to learn from, [`program_judge`] for what is explained.

// Judges are child processes, and labels are files.
#![allow(clippy::disallowed_methods)]

pub mod labels;
pub mod program_judge;
pub mod protocol;
