//! Arguments of a command, taken one by one, with errors that say what would be right.

use std::str::FromStr;
use std::time::Duration;

use ishi_go::{BoardSize, Color, Move, Point};
use ishi_gtp::GtpCommand;

use super::CommandRefusal;

/// The longest time that is told apart: about 68 years, 2^31 - 1 seconds, as KataGo wants it.
const LONGEST: f64 = 2_147_483_647.0;

/// Arguments not yet taken.
pub struct CommandArgs<'a> {
    command: &'a GtpCommand,
    usage: &'static str,
    next: usize,
}

impl<'a> CommandArgs<'a> {
    /// None is taken yet. `usage` is what errors quote.
    pub fn new(command: &'a GtpCommand, usage: &'static str) -> Self {
        CommandArgs { command, usage, next: 0 }
    }

    /// A syntax error, with the command's usage.
    pub fn syntax_error(&self, what: impl std::fmt::Display) -> CommandRefusal {
        let usage = format!("{} {}", self.command.name, self.usage);
        format!("syntax error: {what}; usage: {}", usage.trim_end()).into()
    }

    /// The next argument without taking it.
    pub fn peek(&self) -> Option<&'a str> {
        self.command.args.get(self.next).map(String::as_str)
    }

    /// The next argument if there is one.
    pub fn take(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.next += 1;
        Some(word)
    }

    /// The next argument.
    pub fn take_word(&mut self, what: &str) -> Result<&'a str, CommandRefusal> {
        self.take().ok_or_else(|| self.syntax_error(format!("{what} is missing")))
    }

    /// All arguments as they were written, for file names with spaces.
    pub fn rest(&self) -> &'a str {
        &self.command.rest
    }

    /// Nothing may follow.
    pub fn expect_end(&self) -> Result<(), CommandRefusal> {
        match self.peek() {
            None => Ok(()),
            Some(surplus) => Err(self.syntax_error(format!("{surplus:?} is one argument too many"))),
        }
    }

    /// A whole number that is not below 0, of some kind.
    pub fn take_number<T: FromStr>(&mut self, what: &str) -> Result<T, CommandRefusal> {
        let word = self.take_word(what)?;
        word.parse().map_err(|_| {
            self.syntax_error(format!(
                "{what} must be a whole number from 0 on that is not too large, not {word:?}"
            ))
        })
    }

    /// A finite number.
    pub fn take_real(&mut self, what: &str) -> Result<f64, CommandRefusal> {
        let word = self.take_word(what)?;
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.syntax_error(format!("{what} must be a number, not {word:?}")))
    }

    /// Seconds, with or without decimals; negative ones count as none (KGS sends such).
    pub fn take_seconds(&mut self, what: &str) -> Result<Duration, CommandRefusal> {
        Ok(Duration::from_secs_f64(self.take_real(what)?.clamp(0.0, LONGEST)))
    }

    /// A colour.
    pub fn take_color(&mut self) -> Result<Color, CommandRefusal> {
        let word = self.take_word("COLOR")?;
        word.parse().map_err(|error| self.syntax_error(error))
    }

    /// A colour if the next argument is one.
    pub fn take_optional_color(&mut self) -> Option<Color> {
        let color = self.peek()?.parse().ok()?;
        self.next += 1;
        Some(color)
    }

    /// A vertex or a pass.
    pub fn take_move(&mut self, size: BoardSize) -> Result<Move, CommandRefusal> {
        let word = self.take_word("VERTEX")?;
        size.parse_move(word).map_err(|error| self.syntax_error(error))
    }

    /// A vertex.
    pub fn take_point(&mut self, size: BoardSize) -> Result<Point, CommandRefusal> {
        let word = self.take_word("VERTEX")?;
        size.parse_point(word).map_err(|error| self.syntax_error(error))
    }

    /// All remaining arguments as vertices, one at least.
    pub fn take_points(&mut self, size: BoardSize) -> Result<Vec<Point>, CommandRefusal> {
        let mut points = vec![self.take_point(size)?];
        while self.peek().is_some() {
            points.push(self.take_point(size)?);
        }
        Ok(points)
    }
}
