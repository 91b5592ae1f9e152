//! Ishi over HTTP: a server that answers with JSON and a page to try it, and a client that puts it under load.
//!
//! - [`Server`]: sockets, limits, a clean end. Only this crate knows of asynchronous code; the work itself is done by a fixed number of
//!   ordinary threads with a queue of a fixed length, so that more requests than the machine can serve are refused at once and
//!   politely instead of slowly.
//! - `routes`: a module for each part of the service, each with its own `routes()`; a page is one more of them.
//! - [`Workbench`]: the pages for people, on the same sockets; `workbench` has its rooms.
//! - [`load`]: requests over connections that stay open, and how long they took.
//!
//! Programs get every error as `{"error": {"kind", "message", "field"}}` with a fitting status. docs/decks.md has the whole of it.

// The edge of the program: sockets, clocks and threads.
#![allow(clippy::disallowed_methods)]

mod body;
mod door;
mod files;
mod hosts;
pub mod load;
mod log;
mod reply;
mod routes;
mod server;
mod state;
mod turns;
mod workbench;
mod workers;

pub use log::{LogLine, RequestLog};
pub use server::{Server, ServerError, Workbench};
pub use state::{ServedPool, ServerSettings};
pub use workbench::rooms::go::render_shared_review;
pub use workbench::rooms::othello::OthelloReviewToShare;
pub use workbench::{AccessToken, TokenError, WorkbenchSettings};
