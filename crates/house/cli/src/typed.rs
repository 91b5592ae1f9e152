//! Standard input that may be a person: Ctrl-C is heard while nothing is typed.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use ishi_work::StopFlag;

/// The time between two looks at Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);
/// How many pieces are read ahead at most.
const READ_AHEAD: usize = 64;

/// What Ctrl-C raises.
static STOP: OnceLock<StopFlag> = OnceLock::new();

/// From now on input ends where this flag is raised.
pub(crate) fn hear_stop(stop: &StopFlag) {
    let _ = STOP.set(stop.clone());
}

/// Why nothing more comes.
#[derive(Debug)]
struct StoppedByUser;

impl fmt::Display for StoppedByUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped by the user")
    }
}

impl Error for StoppedByUser {}

/// Was it Ctrl-C that ended the input?
pub(crate) fn is_stop(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<StoppedByUser>())
}

/// Standard input. A thread of its own reads it, and ends with the program: only so is Ctrl-C heard while it waits.
pub(crate) struct TypedInput {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    /// Bytes of the piece that are used up.
    used: usize,
    stop: StopFlag,
}

impl TypedInput {
    /// Begins to read.
    pub(crate) fn start() -> TypedInput {
        TypedInput::from_pieces(
            || read_piece(&mut io::stdin().lock()),
            STOP.get().cloned().unwrap_or_default(),
        )
    }

    /// Reads pieces until one is empty.
    fn from_pieces(
        mut read: impl FnMut() -> io::Result<Vec<u8>> + Send + 'static,
        stop: StopFlag,
    ) -> TypedInput {
        let (sender, pieces) = sync_channel(READ_AHEAD);
        std::thread::spawn(move || {
            loop {
                let piece = read();
                let is_last = piece.as_ref().map_or(true, Vec::is_empty);
                if sender.send(piece).is_err() || is_last {
                    return;
                }
            }
        });
        TypedInput { pieces, piece: Vec::new(), used: 0, stop }
    }
}

/// What is there; nothing at the end.
fn read_piece(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    loop {
        match input.fill_buf() {
            Ok(bytes) => {
                let piece = bytes.to_vec();
                input.consume(piece.len());
                return Ok(piece);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl Read for TypedInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for TypedInput {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.used == self.piece.len() {
            match self.pieces.recv_timeout(LOOK) {
                Ok(piece) => {
                    (self.piece, self.used) = (piece?, 0);
                    if self.piece.is_empty() {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) if self.stop.is_requested() => {
                    return Err(io::Error::other(StoppedByUser));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(&self.piece[self.used..])
    }

    fn consume(&mut self, amount: usize) {
        self.used = (self.used + amount).min(self.piece.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_from_pieces() {
        let mut pieces = ["f5", "\nd", "6\nc3", ""].into_iter().map(|piece| piece.as_bytes().to_vec());
        let mut input =
            TypedInput::from_pieces(move || Ok(pieces.next().unwrap_or_default()), StopFlag::default());
        let mut text = String::new();
        assert_eq!(input.read_line(&mut text).unwrap(), 3);
        assert_eq!(text, "f5\n");
        input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "f5\nd6\nc3");
        assert_eq!(input.read(&mut [0; 4]).unwrap(), 0, "the end stays the end");
    }

    #[test]
    fn ctrl_c_is_heard_while_nothing_comes() {
        let stop = StopFlag::default();
        let wait = || -> io::Result<Vec<u8>> {
            loop {
                std::thread::park();
            }
        };
        let mut input = TypedInput::from_pieces(wait, stop.clone());
        stop.request();
        assert!(is_stop(&input.read_line(&mut String::new()).unwrap_err()));
        assert!(!is_stop(&io::Error::other("stopped by the user")), "these are somebody else's words");
    }

    #[test]
    fn errors_of_the_system_are_told() {
        let broken = || Err(io::Error::from(io::ErrorKind::BrokenPipe));
        let mut input = TypedInput::from_pieces(broken, StopFlag::default());
        assert_eq!(input.read(&mut [0; 4]).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
