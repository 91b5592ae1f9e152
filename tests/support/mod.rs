//! What several files of tests share.

#![allow(clippy::disallowed_methods)] // Tests start programs and write files.

#[macro_use]
pub(crate) mod program;
pub(crate) mod cut_line;
pub(crate) mod damage;
pub(crate) mod http;
pub(crate) mod made_up_games;
pub(crate) mod once;
pub(crate) mod postgres;
pub(crate) mod slurm;
pub(crate) mod workbench;
pub(crate) mod wrong_clock;
