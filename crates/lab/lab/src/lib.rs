//! Experiments as data, and the database of results.
//!
//! - [`folder`]: an experiment is a folder with a README, `config.toml`, `expected.toml` and kept results.
//! - [`source`], [`expected`]: its files, checked; errors say line, column and key.
//! - [`experiment`]: what a kind of experiment does, and [`body`] what it gives for its report. The kinds stand beside the experiments, in
//!   `ishi-experiments`. Whoever loads an experiment says which kinds there are.
//! - [`runner`]: does the tasks in parallel, keeps each in the [`store`], goes on after a stop or a kill.
//! - [`worker`]: does tasks of any campaign that stands in a store, beside other workers.
//! - [`tune`]: which values of a player's parameters are tried next, from the scores of those that were tried.
//! - [`estimate`]: how long it will take, before it is begun.
//! - [`kept`]: takes the results of a report back into a database.
//! - [`report`]: Markdown, a page and JSON, expected figures beside ours.
//!
//! docs/lab.md says how to use it and how to add a kind of experiment.

// The laboratory keeps files, reads clocks, and works on threads of its own.
#![allow(clippy::disallowed_methods)]

pub mod body;
mod error;
pub mod estimate;
pub mod expected;
pub mod experiment;
pub mod folder;
pub mod kept;
pub mod machine;
pub mod report;
pub mod runner;
pub mod source;
pub mod store;
pub mod tune;
pub mod worker;

pub use error::LabError;
