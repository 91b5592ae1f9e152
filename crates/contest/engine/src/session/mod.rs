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

    /// Tells those who look on what the player thinks, a line; nobody hears it if a host has no place for it.
    fn tell_spectators(&self, _line: &str) {}
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

/// The error messages that the specification of GTP 2 has for its commands, word by word. Controllers compare them.
const STANDARD_MESSAGES: [&str; 10] = [
    "unknown command",
    "syntax error",
    "unacceptable size",
    "illegal move",
    "invalid number of stones",
    "board not empty",
    "bad vertex list",
    "cannot undo",
    "cannot load file",
    "cannot score",
];

/// A failure as it is sent: a message of the specification alone on the first line, and what it is about on the next one. An error message
/// explains the failure up to the blank line that ends it (section 2.6), so it may have several lines, as answers do.
pub fn failure_text(reason: String) -> String {
    let reason = shorten_reason(reason);
    for message in STANDARD_MESSAGES {
        if let Some(rest) = reason.strip_prefix(message)
            && (rest.is_empty() || rest.starts_with([':', ' ']))
        {
            return format!("{message}\n{}", rest.trim_start_matches([':', ' '])).trim_end().to_string();
        }
    }
    reason
}

/// A reason that quotes an endless word is cut in its middle: its end says what would be right.
fn shorten_reason(reason: String) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_specification_stand_alone_on_their_line() {
        for (reason, text) in [
            (
                "illegal move white E5: a black stone stands there",
                "illegal move\nwhite E5: a black stone stands there",
            ),
            (
                "syntax error: SIZE is missing; usage: boardsize SIZE",
                "syntax error\nSIZE is missing; usage: boardsize SIZE",
            ),
            ("unknown command \"a\": did you mean b?", "unknown command\n\"a\": did you mean b?"),
            ("cannot undo: no move has been made", "cannot undo\nno move has been made"),
            ("cannot undo", "cannot undo"),
            ("cannot undoubtedly", "cannot undoubtedly"),
            ("no rule \"komi\"", "no rule \"komi\""),
        ] {
            assert_eq!(failure_text(reason.to_string()), text);
        }
    }

    #[test]
    fn endless_words_are_cut_in_their_middle() {
        let text = failure_text(format!("unknown command {:?}: see list_commands", "x".repeat(100_000)));
        assert!(text.len() < 1000 && text.ends_with(": see list_commands"), "{text}");
        assert_eq!(text.lines().next(), Some("unknown command"));
    }
}
