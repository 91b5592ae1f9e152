//! Long work: how it is told to stop, how far it is, when to speak of it, and where its time comes from.
//!
//! - [`Stop`] is the question that work asks now and then. Every closure that gives a `bool` answers it, and so does a
//!   [`StopFlag`], which one thread raises and others see.
//! - [`Progress`] says how far work is. Work that can be watched takes an [`Observer`] of it, whose answer says whether to go
//!   on.
//! - [`Clock`] is time, injected: nothing here reads a clock. [`Pace`] says when the next report is due, how fast the work
//!   goes, and how long the rest takes.
//! - [`memory`] says how much memory there is for a large table, injected as time is.

mod clock;
pub mod memory;
mod progress;
mod stop;

pub use clock::{Clock, Pace, StoppedClock};
pub use progress::{Observer, Progress};
pub use stop::{Stop, StopFlag, continue_unless};

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
