//! KataGo's analysis protocol: [`protocol`] answers it, [`labels`] asks it.

// Judges are child processes, and labels are files.
#![allow(clippy::disallowed_methods)]

pub mod labels;
pub mod protocol;
