//! An engine's loop: read a command, have it answered, write the answer.

use std::io::{self, Write};

use crate::protocol::{Answer, Command, Id, lines};

/// Where command lines come from. `Sync`, so that a search can look at it from all its threads.
pub trait Input: Sync {
    /// The next line without its newline; waits for it. `None` at the end of input.
    ///
    /// # Errors
    /// If reading failed.
    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>>;

    /// Has any byte arrived that no [`Input::next_line`] has taken, or has the input ended? Never waits.
    fn pending(&self) -> bool;

    /// Waits until [`Input::pending`].
    fn wait(&self);

    /// Has a line `# interrupt` arrived behind the command in work? Never waits.
    fn interrupted(&self) -> bool;
}

/// Who answers the commands. It also answers names it does not know.
pub trait Handler {
    /// Answers one command. Whatever it was, the loop goes on unless [`Handler::finished`].
    fn handle(&mut self, command: &Command, exchange: &mut Exchange<'_>) -> Answer;

    /// Was `quit` the last command?
    fn finished(&self) -> bool;

    /// The answer is written and nothing more has arrived: time to think until [`Listener::pending`].
    fn idle(&mut self, _listener: Listener<'_>) {}
}

/// The command in work, as seen from its handler: lines may be written before the answer is complete, and the input
/// may be looked at.
pub struct Exchange<'a> {
    id: Option<&'a Id>,
    input: &'a dyn Input,
    output: &'a mut dyn Write,
    streaming: bool,
    error: Option<io::Error>,
}

/// Looks at the input and at nothing else: for a search that is to be stopped, from any thread.
#[derive(Clone, Copy)]
pub struct Listener<'a>(&'a dyn Input);

impl Listener<'_> {
    /// Has any byte arrived, or has the input ended?
    pub fn pending(self) -> bool {
        self.0.pending()
    }

    /// Has GoGui's `# interrupt` arrived?
    pub fn interrupted(self) -> bool {
        self.0.interrupted()
    }
}

impl<'a> Exchange<'a> {
    /// Who hears of input while the exchange is written to.
    pub fn listener(&self) -> Listener<'a> {
        Listener(self.input)
    }

    /// Could something not be written? Nobody has an ear for the answer then.
    pub fn failed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes the lines at once. The first call writes the `=` with the id on a line of its own before them, as
    /// Leela Zero and KataGo do; from then on the answer is a success. Blank lines are left out.
    pub fn line(&mut self, text: &str) {
        self.begin();
        for line in lines(text).filter(|line| !line.is_empty()) {
            self.write(&format!("{line}\n"));
        }
        self.flush();
    }

    /// Writes the `=` of a streamed answer before its first line is known.
    pub fn begin(&mut self) {
        if !self.streaming {
            self.streaming = true;
            let mark = Answer::mark(true, self.id);
            self.write(&format!("{mark}\n"));
            self.flush();
        }
    }

    /// Has any byte arrived, or has either direction ended? An analysis ends then.
    pub fn pending(&self) -> bool {
        self.error.is_some() || self.input.pending()
    }

    /// Waits until [`Exchange::pending`]: for an analysis that has nothing more to say.
    pub fn wait(&self) {
        if self.error.is_none() {
            self.input.wait();
        }
    }

    /// Has GoGui's `# interrupt` arrived, or has nobody an ear for the answer? Any command ends soon then.
    pub fn interrupted(&self) -> bool {
        self.error.is_some() || self.input.interrupted()
    }

    fn finish(mut self, answer: &Answer) -> io::Result<()> {
        if self.streaming {
            self.line(&answer.content);
            self.write("\n");
        } else {
            self.write(&answer.text(self.id));
        }
        self.flush();
        self.error.map_or(Ok(()), Err)
    }

    fn write(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = self.output.write_all(text.as_bytes()).err();
        }
    }

    fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.output.flush().err();
        }
    }
}

/// Why [`serve`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The controller said `quit`.
    Quit,
    /// The input ended.
    EndOfInput,
}

/// Answers commands until `quit` or the end of input.
///
/// ```
/// use ishi_gtp::{Answer, Command, Ended, Exchange, Handler, Inbox, serve};
/// struct Echo;
/// impl Handler for Echo {
///     fn handle(&mut self, command: &Command, _: &mut Exchange<'_>) -> Answer {
///         Answer::success(&command.rest)
///     }
///     fn finished(&self) -> bool {
///         false
///     }
/// }
/// let mut output = Vec::new();
/// let ended = serve(&mut Echo, &mut Inbox::script(b"1 echo hello\n"), &mut output).unwrap();
/// assert_eq!(ended, Ended::EndOfInput);
/// assert_eq!(output, b"=1 hello\n\n");
/// ```
///
/// # Errors
/// If reading or writing failed; a controller that closes its end of the pipe is such a failure.
pub fn serve(handler: &mut dyn Handler, input: &mut dyn Input, output: &mut dyn Write) -> io::Result<Ended> {
    while let Some(line) = input.next_line()? {
        let Some(command) = Command::parse(&line) else { continue };
        let id = command.id.as_ref();
        let mut exchange =
            Exchange { id, input: &*input, output: &mut *output, streaming: false, error: None };
        let answer = handler.handle(&command, &mut exchange);
        exchange.finish(&answer)?;
        if handler.finished() {
            return Ok(Ended::Quit);
        }
        if !input.pending() {
            handler.idle(Listener(&*input));
        }
    }
    Ok(Ended::EndOfInput)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Inbox;

    /// Counts until input arrives, then says what it did.
    struct Counter {
        feed: Option<Inbox>,
        quit: bool,
    }

    impl Handler for Counter {
        fn handle(&mut self, command: &Command, exchange: &mut Exchange<'_>) -> Answer {
            match command.name.as_str() {
                "count" => self.count(exchange),
                "quit" => {
                    self.quit = true;
                    Answer::success("")
                }
                name => Answer::failure(format!("unknown command {name:?}")),
            }
        }

        fn finished(&self) -> bool {
            self.quit
        }
    }

    impl Counter {
        fn count(&mut self, exchange: &mut Exchange<'_>) -> Answer {
            let mut number = 0;
            while number == 0 || !exchange.pending() {
                number += 1;
                exchange.line(&format!("info {number}"));
                if number == 3
                    && let Some(inbox) = self.feed.take()
                {
                    inbox.push(b"q");
                    inbox.push(b"uit\nname\n");
                    inbox.close();
                }
            }
            Answer::success("")
        }
    }

    fn run(script: &[u8], feed: bool) -> (String, Ended) {
        let mut inbox = if feed { Inbox::new() } else { Inbox::script(script) };
        inbox.push(if feed { script } else { b"" });
        let mut counter = Counter { feed: feed.then(|| inbox.clone()), quit: false };
        let mut output = Vec::new();
        let ended = serve(&mut counter, &mut inbox, &mut output).unwrap();
        (String::from_utf8(output).unwrap(), ended)
    }

    #[test]
    fn a_stream_ends_at_the_first_byte_and_closes_with_its_blank_line() {
        let (output, ended) = run(b"8 count\n", true);
        assert_eq!(output, "=8\ninfo 1\ninfo 2\ninfo 3\n\n=\n\n");
        assert_eq!(ended, Ended::Quit);
    }

    #[test]
    fn commands_written_ahead_are_answered_in_order() {
        let (output, ended) = run(b"count\n\n# x\n2 what\r\n3 quit\n4 name\n", false);
        assert_eq!(output, "=\ninfo 1\n\n?2 unknown command \"what\"\n\n=3\n\n");
        assert_eq!(ended, Ended::Quit);
    }

    #[test]
    fn the_end_of_input_ends_a_stream() {
        let (output, ended) = run(b"count", false);
        assert_eq!(output, "=\ninfo 1\n\n");
        assert_eq!(ended, Ended::EndOfInput);
    }

    #[test]
    fn a_closed_output_ends_the_loop_with_its_error() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::from(io::ErrorKind::BrokenPipe))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut inbox = Inbox::new();
        inbox.push(b"count\n");
        let mut counter = Counter { feed: None, quit: false };
        let error = serve(&mut counter, &mut inbox, &mut Closed).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
