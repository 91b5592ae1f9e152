//! The Go Text Protocol, version 2: both ends of it, and nothing of Go but colours and vertices.
//!
//! - [`protocol`]: the text of commands and answers.
//! - [`serve_commands`] with [`CommandHandler`]: an engine's loop, with streamed answers and commands written ahead.
//! - [`Inbox`]: bytes that arrive while a command is being answered.
//! - [`GtpClient`]: a controller, over any [`EngineConnection`].
//!
//! Nothing here opens files, reads clocks or starts threads: whoever owns the pipe feeds the [`Inbox`] or implements
//! [`EngineConnection`].
//!
//! Source: Gunnar Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", October 2002.

pub mod client;
#[cfg(feature = "serde")]
mod documents;
mod inbox;
pub mod protocol;
mod server;

pub use client::{
    ClientError, EngineConnection, FinalScore, GenmoveAnswer, GtpClient, StoneStatus, StreamConnection,
};
pub use inbox::Inbox;
pub use protocol::{CommandId, GtpAnswer, GtpCommand, parse_answer_head};
pub use server::{CommandExchange, CommandHandler, CommandInput, InputListener, ServeEnd, serve_commands};

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
