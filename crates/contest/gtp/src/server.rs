//! An engine's loop: read a command, have it answered, write the answer.

use std::io::{self, Write};

use crate::protocol::{CommandId, GtpAnswer, GtpCommand, answer_lines};

/// Where command lines come from. `Sync`, so that a search can look at it from all its threads.
pub trait CommandInput: Sync {
    /// The next line without its newline; waits for it. `None` at the end of input.
    ///
    /// # Errors
    /// If reading failed.
    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>>;

    /// Has any byte arrived that no [`CommandInput::next_line`] has taken, or has the input ended? Never waits.
    fn has_pending_input(&self) -> bool;

    /// Waits until [`CommandInput::has_pending_input`].
    fn wait_for_input(&self);

    /// Has a line `# interrupt` arrived behind the command in work? Never waits.
    fn is_interrupted(&self) -> bool;
}

/// Who answers the commands. It also answers names it does not know.
pub trait CommandHandler {
    /// Answers one command. Whatever it was, the loop goes on unless [`CommandHandler::is_finished`].
    fn handle_command(&mut self, command: &GtpCommand, exchange: &mut CommandExchange<'_>) -> GtpAnswer;

    /// Was `quit` the last command?
    fn is_finished(&self) -> bool;

    /// The answer is written and nothing more has arrived: time to think until [`InputListener::has_pending_input`].
    fn on_idle(&mut self, _listener: InputListener<'_>) {}
}

/// The command in work, as seen from its handler: lines may be written before the answer is complete, and the input
/// may be looked at.
pub struct CommandExchange<'a> {
    id: Option<&'a CommandId>,
    input: &'a dyn CommandInput,
    output: &'a mut dyn Write,
    streaming: bool,
    error: Option<io::Error>,
}

/// Looks at the input and at nothing else: for a search that is to be stopped, from any thread.
#[derive(Clone, Copy)]
pub struct InputListener<'a>(&'a dyn CommandInput);

impl InputListener<'_> {
    /// Has any byte arrived, or has the input ended?
    pub fn has_pending_input(self) -> bool {
        self.0.has_pending_input()
    }

    /// Has GoGui's `# interrupt` arrived?
    pub fn is_interrupted(self) -> bool {
        self.0.is_interrupted()
    }
}

impl<'a> CommandExchange<'a> {
    /// Who hears of input while the exchange is written to.
    pub fn input_listener(&self) -> InputListener<'a> {
        InputListener(self.input)
    }

    /// Could something not be written? Nobody has an ear for the answer then.
    pub fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes the lines at once. The first call writes the `=` with the id on a line of its own before them, as
    /// Leela Zero and KataGo do; from then on the answer is a success. Blank lines are left out.
    pub fn write_line(&mut self, text: &str) {
        self.begin_stream();
        for line in answer_lines(text).filter(|line| !line.is_empty()) {
            self.write_text(&format!("{line}\n"));
        }
        self.flush_output();
    }

    /// Writes the `=` of a streamed answer before its first line is known.
    pub fn begin_stream(&mut self) {
        if !self.streaming {
            self.streaming = true;
            let mark = GtpAnswer::answer_mark(true, self.id);
            self.write_text(&format!("{mark}\n"));
            self.flush_output();
        }
    }

    /// Has any byte arrived, or has either direction ended? An analysis ends then.
    pub fn has_pending_input(&self) -> bool {
        self.error.is_some() || self.input.has_pending_input()
    }

    /// Waits until [`CommandExchange::has_pending_input`]: for an analysis that has nothing more to say.
    pub fn wait_for_input(&self) {
        if self.error.is_none() {
            self.input.wait_for_input();
        }
    }

    /// Has GoGui's `# interrupt` arrived, or has nobody an ear for the answer? Any command ends soon then.
    pub fn is_interrupted(&self) -> bool {
        self.error.is_some() || self.input.is_interrupted()
    }

    fn finish_answer(mut self, answer: &GtpAnswer) -> io::Result<()> {
        if self.streaming {
            self.write_line(&answer.content);
            self.write_text("\n");
        } else {
            self.write_text(&answer.to_gtp_text(self.id));
        }
        self.flush_output();
        self.error.map_or(Ok(()), Err)
    }

    fn write_text(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = self.output.write_all(text.as_bytes()).err();
        }
    }

    fn flush_output(&mut self) {
        if self.error.is_none() {
            self.error = self.output.flush().err();
        }
    }
}

/// Why [`serve_commands`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServeEnd {
    /// The controller said `quit`.
    Quit,
    /// The input ended.
    EndOfInput,
}

/// Answers commands until `quit` or the end of input.
///
/// ```
/// use ishi_gtp::{GtpAnswer, GtpCommand, ServeEnd, CommandExchange, CommandHandler, Inbox, serve_commands};
/// struct Echo;
/// impl CommandHandler for Echo {
///     fn handle_command(&mut self, command: &GtpCommand, _: &mut CommandExchange<'_>) -> GtpAnswer {
///         GtpAnswer::success(&command.rest)
///     }
///     fn is_finished(&self) -> bool {
///         false
///     }
/// }
/// let mut output = Vec::new();
/// let ended = serve_commands(&mut Echo, &mut Inbox::from_script(b"1 echo hello\n"), &mut output).unwrap();
/// assert_eq!(ended, ServeEnd::EndOfInput);
/// assert_eq!(output, b"=1 hello\n\n");
/// ```
///
/// # Errors
/// If reading or writing failed; a controller that closes its end of the pipe is such a failure.
pub fn serve_commands(
    handler: &mut dyn CommandHandler,
    input: &mut dyn CommandInput,
    output: &mut dyn Write,
) -> io::Result<ServeEnd> {
    while let Some(line) = input.next_line()? {
        let Some(command) = GtpCommand::parse(&line) else { continue };
        let id = command.id.as_ref();
        let mut exchange =
            CommandExchange { id, input: &*input, output: &mut *output, streaming: false, error: None };
        let answer = handler.handle_command(&command, &mut exchange);
        exchange.finish_answer(&answer)?;
        if handler.is_finished() {
            return Ok(ServeEnd::Quit);
        }
        if !input.has_pending_input() {
            handler.on_idle(InputListener(&*input));
        }
    }
    Ok(ServeEnd::EndOfInput)
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

    impl CommandHandler for Counter {
        fn handle_command(&mut self, command: &GtpCommand, exchange: &mut CommandExchange<'_>) -> GtpAnswer {
            match command.name.as_str() {
                "count" => self.count(exchange),
                "quit" => {
                    self.quit = true;
                    GtpAnswer::success("")
                }
                name => GtpAnswer::failure(format!("unknown command {name:?}")),
            }
        }

        fn is_finished(&self) -> bool {
            self.quit
        }
    }

    impl Counter {
        fn count(&mut self, exchange: &mut CommandExchange<'_>) -> GtpAnswer {
            let mut number = 0;
            while number == 0 || !exchange.has_pending_input() {
                number += 1;
                exchange.write_line(&format!("info {number}"));
                if number == 3
                    && let Some(inbox) = self.feed.take()
                {
                    inbox.push_bytes(b"q");
                    inbox.push_bytes(b"uit\nname\n");
                    inbox.close();
                }
            }
            GtpAnswer::success("")
        }
    }

    fn run(script: &[u8], feed: bool) -> (String, ServeEnd) {
        let mut inbox = if feed { Inbox::new() } else { Inbox::from_script(script) };
        inbox.push_bytes(if feed { script } else { b"" });
        let mut counter = Counter { feed: feed.then(|| inbox.clone()), quit: false };
        let mut output = Vec::new();
        let ended = serve_commands(&mut counter, &mut inbox, &mut output).unwrap();
        (String::from_utf8(output).unwrap(), ended)
    }

    #[test]
    fn a_stream_ends_at_the_first_byte_and_closes_with_its_blank_line() {
        let (output, ended) = run(b"8 count\n", true);
        assert_eq!(output, "=8\ninfo 1\ninfo 2\ninfo 3\n\n=\n\n");
        assert_eq!(ended, ServeEnd::Quit);
    }

    #[test]
    fn commands_written_ahead_are_answered_in_order() {
        let (output, ended) = run(b"count\n\n# x\n2 what\r\n3 quit\n4 name\n", false);
        assert_eq!(output, "=\ninfo 1\n\n?2 unknown command \"what\"\n\n=3\n\n");
        assert_eq!(ended, ServeEnd::Quit);
    }

    #[test]
    fn the_end_of_input_ends_a_stream() {
        let (output, ended) = run(b"count", false);
        assert_eq!(output, "=\ninfo 1\n\n");
        assert_eq!(ended, ServeEnd::EndOfInput);
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
        inbox.push_bytes(b"count\n");
        let mut counter = Counter { feed: None, quit: false };
        let error = serve_commands(&mut counter, &mut inbox, &mut Closed).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
