//! Lines to the GUI: each is flushed, and the first failure is kept for the loop.

use std::io::{self, Write};

use ishi_work::StopFlag;

/// Where lines go.
pub(super) struct GuiWriter<'a> {
    output: &'a mut dyn Write,
    error: Option<io::Error>,
    /// Raised when nobody reads any more: a search looks at it from its threads.
    hung_up: StopFlag,
}

impl<'a> GuiWriter<'a> {
    pub(super) fn new(output: &'a mut dyn Write) -> GuiWriter<'a> {
        GuiWriter { output, error: None, hung_up: StopFlag::default() }
    }

    /// Writes one line. Whatever the text quotes, it stays one.
    pub(super) fn write_line(&mut self, text: &str) {
        if self.error.is_some() {
            return;
        }
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let written = writeln!(self.output, "{}", line.trim_end()).and_then(|()| self.output.flush());
        if let Err(error) = written {
            self.error = Some(error);
            self.hung_up.request();
        }
    }

    /// The failure, if there was one.
    pub(super) fn take_failure(&mut self) -> io::Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }

    pub(super) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Raised as soon as nobody reads any more.
    pub(super) fn hung_up_flag(&self) -> StopFlag {
        self.hung_up.clone()
    }
}
