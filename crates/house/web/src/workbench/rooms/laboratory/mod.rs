//! The laboratory: experiments and matches that are started, stopped and gone on with, their figures and curves as they come, and the
//! games they played.
//!
//! - `entrance`: the first page, and all addresses. `runs`: what is remembered of runs. `database`: how the store is asked.
//! - `experiments`: the folder of experiments. `report`: a report as a part of a page. `report_words`: its texts in
//!   other languages.
//! - `matches`: matches of two players. `programs`: programs that may play in them.
//! - `campaigns`: what workers do, on this machine and others.
//! - `games`: the games that the store keeps, to be listed, replayed and taken away.
//!
//! Runs write into the store's file with a connection of their own. They go on when nobody looks; what they have finished is kept, so
//! that they go on from there after a stop or a restart.

mod campaigns;
mod database;
pub(super) mod entrance;
mod experiments;
mod games;
mod matches;
mod programs;
mod report;
mod report_words;
pub(super) mod runs;

pub(crate) use programs::{AllowedJudge, AllowedPrograms};
