//! Experiments as data, and the database of results.

pub mod store;
