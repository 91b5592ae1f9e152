//! Ishi as tools for language models: the [Model Context Protocol](https://modelcontextprotocol.io) on stdin and stdout.
//!
//! A model that teaches calls these tools and repeats what they found, so that it need not invent. Each tool is one of ishi's own
//! commands: what it answers is the command's JSON, with the evidence that the command gives.
//!
//! - [`tools`]: what there is, what each tool takes, and the [`command`] that it becomes.
//! - [`arguments`]: what a model sent, checked before anything starts.
//! - [`running`]: commands as child processes, with an end that the caller sets.
//! - [`serve`]: the protocol itself, by the crate `rmcp`.

// The edge of the program: processes, files and clocks.
#![allow(clippy::disallowed_methods)]

pub mod arguments;
pub mod command;
mod fates;
mod output;
mod record;
pub mod running;
mod server;
pub mod tools;

pub use server::{McpError, McpSettings, serve};
