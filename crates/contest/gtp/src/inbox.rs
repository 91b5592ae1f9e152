//! Bytes on their way to the engine: fed by whoever reads the pipe, asked by whoever answers.
//!
//! While one command is answered the next ones may already arrive (the npm client writes ahead), and an analysis must
//! end at the first byte. So reading has a thread of its own at the edge, and this queue stands between.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::protocol::is_interrupt;
use crate::server::CommandInput;

/// Bytes of a line that are kept; the rest of a longer one is dropped.
const LONGEST_LINE: usize = 1 << 22;

/// Who reads for the queue waits while it holds more bytes than this.
const MOST_HELD: usize = 1 << 24;

/// What a line costs besides its bytes.
const LINE_COST: usize = size_of::<Vec<u8>>();

/// A queue of lines, shared by its clones.
///
/// ```
/// use ishi_gtp::{Inbox, CommandInput};
/// let mut inbox = Inbox::new();
/// inbox.push_bytes(b"name\nver");
/// assert_eq!(inbox.next_line().unwrap().unwrap(), b"name");
/// assert!(inbox.has_pending_input(), "a piece of a line is enough");
/// inbox.push_bytes(b"sion\n");
/// inbox.close();
/// assert_eq!(inbox.next_line().unwrap().unwrap(), b"version");
/// assert_eq!(inbox.next_line().unwrap(), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Inbox(Arc<InboxShared>);

#[derive(Debug, Default)]
struct InboxShared {
    state: Mutex<InboxState>,
    arrived: Condvar,
}

#[derive(Debug)]
struct InboxState {
    /// Complete lines without their newline.
    lines: VecDeque<Vec<u8>>,
    /// The beginning of the next line.
    partial: Vec<u8>,
    /// What `lines` cost, in bytes.
    held: usize,
    closed: bool,
    error: Option<io::Error>,
    /// What is an interrupt.
    interrupt: fn(&[u8]) -> bool,
    /// Interrupts among `lines`.
    interrupts: usize,
    aborted: bool,
}

impl Default for InboxState {
    fn default() -> InboxState {
        InboxState {
            lines: VecDeque::new(),
            partial: Vec::new(),
            held: 0,
            closed: false,
            error: None,
            interrupt: is_interrupt,
            interrupts: 0,
            aborted: false,
        }
    }
}

impl InboxState {
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.partial);
        self.interrupts += usize::from((self.interrupt)(&line));
        self.held += line.len() + LINE_COST;
        self.lines.push_back(line);
    }

    fn has_pending(&self) -> bool {
        self.closed || !self.lines.is_empty() || !self.partial.is_empty()
    }

    fn pop_line(&mut self) -> Option<Vec<u8>> {
        let line = self.lines.pop_front()?;
        self.interrupts -= usize::from((self.interrupt)(&line));
        self.held -= line.len() + LINE_COST;
        Some(line)
    }
}

impl Inbox {
    /// An empty queue.
    pub fn new() -> Inbox {
        Inbox::default()
    }

    /// An empty queue of another protocol's lines, with what interrupts a command there.
    pub fn with_interrupt(interrupt: fn(&[u8]) -> bool) -> Inbox {
        let inbox = Inbox::new();
        inbox.lock_state().interrupt = interrupt;
        inbox
    }

    /// An inbox that holds all the lines of a script and its end.
    pub fn from_script(text: &[u8]) -> Inbox {
        let inbox = Inbox::new();
        inbox.push_bytes(text);
        inbox.close();
        inbox
    }

    /// Bytes have arrived; they may end anywhere in a line. After the end nothing arrives any more.
    pub fn push_bytes(&self, bytes: &[u8]) {
        let mut state = self.lock_state();
        if state.closed {
            return;
        }
        for &byte in bytes {
            if byte == b'\n' {
                state.end_line();
            } else if state.partial.len() < LONGEST_LINE {
                state.partial.push(byte);
            }
        }
        self.0.arrived.notify_all();
    }

    /// Waits while very much is there that nobody has asked for yet: who writes without an end must not fill the memory. For a thread that
    /// only feeds the queue.
    pub fn wait_for_room(&self) {
        let is_full = |state: &mut InboxState| !state.closed && state.held > MOST_HELD;
        let waited = self.0.arrived.wait_while(self.lock_state(), is_full);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// The input has ended; a last line without newline counts.
    pub fn close(&self) {
        let mut state = self.lock_state();
        if !state.partial.is_empty() {
            state.end_line();
        }
        state.closed = true;
        self.0.arrived.notify_all();
    }

    /// The input has failed: [`CommandInput::next_line`] reports it after the lines that came before.
    pub fn fail_with(&self, error: io::Error) {
        self.lock_state().error = Some(error);
        self.close();
    }

    /// The program is to end: what runs is interrupted, and what waits is forgotten.
    pub fn abort(&self) {
        let mut state = self.lock_state();
        *state = InboxState { closed: true, aborted: true, ..InboxState::default() };
        self.0.arrived.notify_all();
    }

    fn lock_state(&self) -> MutexGuard<'_, InboxState> {
        // The state is whole after every statement, so a panic elsewhere does no harm to it.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CommandInput for Inbox {
    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut state = self.lock_state();
        loop {
            if let Some(line) = state.pop_line() {
                // Who feeds may wait for room.
                self.0.arrived.notify_all();
                return Ok(Some(line));
            }
            if let Some(error) = state.error.take() {
                return Err(error);
            }
            if state.closed {
                return Ok(None);
            }
            state = self.0.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn has_pending_input(&self) -> bool {
        self.lock_state().has_pending()
    }

    fn wait_for_input(&self) {
        let state = self.lock_state();
        let waited = self.0.arrived.wait_while(state, |state| !state.has_pending());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn is_interrupted(&self) -> bool {
        let state = self.lock_state();
        state.aborted || state.interrupts > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_is_pending_and_so_is_the_end() {
        let mut inbox = Inbox::new();
        assert!(!inbox.has_pending_input());
        inbox.push_bytes(b"\n");
        assert!(inbox.has_pending_input());
        assert_eq!(inbox.next_line().unwrap(), Some(vec![]));
        assert!(!inbox.has_pending_input());
        inbox.push_bytes(b"x");
        assert!(inbox.has_pending_input());
        inbox.close();
        assert_eq!(inbox.next_line().unwrap(), Some(b"x".to_vec()));
        assert!(inbox.has_pending_input());
        assert_eq!(inbox.next_line().unwrap(), None);
    }

    #[test]
    fn interrupts_count_until_they_are_read() {
        let mut inbox = Inbox::from_script(b"name\n# interrupt\nquit");
        assert!(inbox.is_interrupted());
        inbox.next_line().unwrap();
        assert!(inbox.is_interrupted());
        inbox.next_line().unwrap();
        assert!(!inbox.is_interrupted());
    }

    #[test]
    fn an_abort_interrupts_and_forgets() {
        let mut inbox = Inbox::new();
        inbox.push_bytes(
            b"name
ver",
        );
        inbox.abort();
        assert!(inbox.is_interrupted() && inbox.has_pending_input());
        assert_eq!(inbox.next_line().unwrap(), None);
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let mut inbox = Inbox::new();
        for _ in 0..=LONGEST_LINE >> 16 {
            inbox.push_bytes(&[b'a'; 1 << 16]);
        }
        inbox.push_bytes(b"b\nname\n");
        assert_eq!(inbox.next_line().unwrap().map(|line| line.len()), Some(LONGEST_LINE));
        assert_eq!(inbox.next_line().unwrap(), Some(b"name".to_vec()));
    }

    /// Who writes for ever has to wait; when lines are taken, or all ends, it goes on.
    #[test]
    fn who_feeds_waits_for_room() {
        let mut inbox = Inbox::new();
        let (feeder, fed) = (inbox.clone(), Arc::new(std::sync::atomic::AtomicUsize::new(0)));
        let counted = Arc::clone(&fed);
        let most = MOST_HELD / LINE_COST + (1 << 13);
        let mut most_held = 0;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while !feeder.is_interrupted() {
                    feeder.wait_for_room();
                    feeder.push_bytes(&[b'\n'; 1 << 12]);
                    counted.fetch_add(1 << 12, std::sync::atomic::Ordering::SeqCst);
                }
            });
            for _ in 0..2 * most {
                inbox.next_line().unwrap();
                most_held = most_held.max(inbox.lock_state().held);
            }
            inbox.abort();
        });
        assert!(most_held <= most * LINE_COST, "{most_held} bytes waited");
        assert!(fed.load(std::sync::atomic::Ordering::SeqCst) >= 2 * (MOST_HELD / LINE_COST));
    }

    #[test]
    fn a_failed_pipe_is_reported_after_its_lines() {
        let mut inbox = Inbox::new();
        inbox.push_bytes(b"name\n");
        inbox.fail_with(io::Error::other("broken"));
        assert_eq!(inbox.next_line().unwrap(), Some(b"name".to_vec()));
        assert_eq!(inbox.next_line().unwrap_err().to_string(), "broken");
        assert_eq!(inbox.next_line().unwrap(), None);
    }
}
