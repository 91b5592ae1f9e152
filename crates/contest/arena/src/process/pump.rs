//! Threads that keep an engine's pipes moving, and the bounded memory of what came through.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// A line is cut here (4 MiB: KataGo's analysis with the ownership of every move stays below).
const LINE_BYTES: usize = 1 << 22;

/// Lines that wait to be read; then the engine has to wait.
const WAITING_LINES: usize = 64;

/// Characters of a line that are kept in memory.
const KEPT_CHARS: usize = 2_000;

fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_string()).spawn(work).map(drop)
}

/// A thread that writes what it is sent, so that a full pipe never stops us. The pipe is closed when the sender is
/// dropped.
pub(super) fn start_writer(mut pipe: impl Write + Send + 'static) -> io::Result<Sender<Vec<u8>>> {
    let (sender, receiver) = channel::<Vec<u8>>();
    start_thread("engine-stdin", move || {
        while let Ok(bytes) = receiver.recv() {
            if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}

/// A thread that reads lines; it goes on reading, and forgetting, when nobody wants them any more.
pub(super) fn start_line_reader(pipe: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    let (sender, receiver) = sync_channel(WAITING_LINES);
    start_thread("engine-stdout", move || {
        let mut wanted = true;
        for_each_line(pipe, |line| wanted = wanted && sender.send(line).is_ok());
    })?;
    Ok(receiver)
}

/// Calls `take` with every line of the pipe until it ends. Long lines are cut, bytes that are not UTF-8 replaced.
fn for_each_line(pipe: impl Read, mut take: impl FnMut(String)) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        match read_piece(&mut pipe, &mut line) {
            Ok(LinePiece::Middle) => {}
            Ok(LinePiece::LineEnd) => take(clean_line(&mut line)),
            // A pipe that fails is a pipe that has ended.
            Ok(LinePiece::End) | Err(_) => break,
        }
    }
    if !line.is_empty() {
        take(clean_line(&mut line));
    }
}

enum LinePiece {
    Middle,
    LineEnd,
    End,
}

/// Takes what the buffer holds, up to the end of the line.
fn read_piece(pipe: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<LinePiece> {
    let buffer = match pipe.fill_buf() {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(LinePiece::Middle),
        other => other?,
    };
    if buffer.is_empty() {
        return Ok(LinePiece::End);
    }
    let end = buffer.iter().position(|&byte| byte == b'\n');
    let piece = &buffer[..end.unwrap_or(buffer.len())];
    let room = LINE_BYTES.saturating_sub(line.len()).min(piece.len());
    line.extend_from_slice(&piece[..room]);
    let used = end.map_or(buffer.len(), |end| end + 1);
    pipe.consume(used);
    Ok(if end.is_some() { LinePiece::LineEnd } else { LinePiece::Middle })
}

/// The line without control characters but tabs, which GTP discards, terminals obey and databases refuse.
fn clean_line(line: &mut Vec<u8>) -> String {
    let text = String::from_utf8_lossy(line).chars().filter(|&c| c == '\t' || !c.is_control()).collect();
    line.clear();
    text
}

/// The last lines of something.
#[derive(Clone, Debug)]
pub(super) struct LineRing {
    lines: VecDeque<String>,
    most: usize,
}

impl LineRing {
    /// Keeps the last `most` lines.
    pub(super) fn new(most: usize) -> LineRing {
        LineRing { lines: VecDeque::new(), most }
    }

    /// Adds a line, cut if it is very long.
    pub(super) fn push(&mut self, mut line: String) {
        if let Some((end, _)) = line.char_indices().nth(KEPT_CHARS) {
            line.truncate(end);
            line.push_str("...");
        }
        while self.lines.len() >= self.most.max(1) {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    /// The lines kept, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.iter().cloned().collect()
    }
}

/// The last lines of a pipe that a thread reads.
#[derive(Clone, Debug)]
pub(super) struct PipeTail(Arc<(Mutex<TailState>, Condvar)>);

#[derive(Debug)]
struct TailState {
    ring: LineRing,
    open: bool,
}

impl PipeTail {
    /// Keeps the last `most` lines.
    pub(super) fn new(most: usize) -> PipeTail {
        PipeTail(Arc::new((Mutex::new(TailState { ring: LineRing::new(most), open: false }), Condvar::new())))
    }

    /// Reads the pipe from now on.
    pub(super) fn follow_pipe(&self, pipe: impl Read + Send + 'static) -> io::Result<()> {
        self.lock_state().open = true;
        let tail = self.clone();
        start_thread("engine-stderr", move || {
            for_each_line(pipe, |line| tail.lock_state().ring.push(line));
            tail.lock_state().open = false;
            tail.0.1.notify_all();
        })
    }

    /// The lines kept, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lock_state().ring.lines()
    }

    /// Waits until the pipe has ended, but not longer than `limit`.
    pub(super) fn wait_for_end(&self, limit: Duration) {
        let state = self.lock_state();
        drop(self.0.1.wait_timeout_while(state, limit, |state| state.open));
    }

    fn lock_state(&self) -> MutexGuard<'_, TailState> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_the_last_one_counts() {
        let mut found = Vec::new();
        let long = [vec![b'x'; LINE_BYTES + 10], b"\r\n\n\xff\x1b[1me\0n\td".to_vec()].concat();
        for_each_line(&long[..], |line| found.push(line));
        assert_eq!(found[0].len(), LINE_BYTES);
        assert_eq!(found[1..], ["", "\u{fffd}[1men\td"]);
    }

    #[test]
    fn a_ring_keeps_the_last_lines() {
        let mut ring = LineRing::new(2);
        for line in ["a", "b", &"é".repeat(KEPT_CHARS + 1)] {
            ring.push(line.to_string());
        }
        assert_eq!(ring.lines(), ["b".to_string(), "é".repeat(KEPT_CHARS) + "..."]);
    }
}
