//! What the sessions of both games share: the host, arguments and their errors, clocks.

pub mod args;
pub mod clock;
pub mod files;

use std::fmt;
use std::io;
use std::time::Duration;

use crate::Clock;

/// What a session gets from outside.
pub trait Host: Clock + Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read_file(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Writes a file, replacing one of that name.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write_file(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Processor time that the process has used, if the system tells.
    fn cpu_time(&self) -> Option<Duration>;
}

/// A command and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// The name.
    pub name: &'static str,
    /// The arguments: in capitals what is to be put in, in brackets what may be left out.
    pub usage: &'static str,
}

/// Why a command is answered with `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRefusal(pub String);

impl<T: fmt::Display> From<T> for CommandRefusal {
    fn from(reason: T) -> CommandRefusal {
        CommandRefusal(reason.to_string())
    }
}

/// A command's answer.
pub type CommandAnswer = Result<String, CommandRefusal>;

/// Characters of a failure's text: more than any of ours has, and what controllers with short lines still read.
const REASON_CHARS: usize = 900;

/// A reason that quotes an endless word is cut in its middle: its end says what would be right.
pub fn shorten_reason(reason: String) -> String {
    let count = reason.chars().count();
    if count <= REASON_CHARS {
        return reason;
    }
    let part = |from: usize| reason.chars().skip(from).take(REASON_CHARS / 2).collect::<String>();
    format!("{}...{}", part(0), part(count - REASON_CHARS / 2))
}

/// A host without clock and files: time stands still, and no file exists.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Clock for NoHost {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

impl Host for NoHost {
    fn read_file(&self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::Error::from(io::ErrorKind::NotFound))
    }

    fn write_file(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::PermissionDenied))
    }

    fn cpu_time(&self) -> Option<Duration> {
        None
    }
}
