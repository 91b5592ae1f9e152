//! Arguments of a command, taken one by one, with errors that say what would be right.

use std::str::FromStr;
use std::time::Duration;

use ishi_go::{BoardSize, Color, Move, Point};
use ishi_gtp::Command;

use super::Refusal;

/// The longest time that is told apart: about 68 years, 2^31 - 1 seconds, as KataGo wants it.
const LONGEST: f64 = 2_147_483_647.0;

/// Arguments not yet taken.
pub struct Args<'a> {
    command: &'a Command,
    usage: &'static str,
    next: usize,
}

impl<'a> Args<'a> {
    /// None is taken yet. `usage` is what errors quote.
    pub fn new(command: &'a Command, usage: &'static str) -> Self {
        Args { command, usage, next: 0 }
    }

    /// A syntax error, with the command's usage.
    pub fn error(&self, what: impl std::fmt::Display) -> Refusal {
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
    pub fn word(&mut self, what: &str) -> Result<&'a str, Refusal> {
        self.take().ok_or_else(|| self.error(format!("{what} is missing")))
    }

    /// All arguments as they were written, for file names with spaces.
    pub fn rest(&self) -> &'a str {
        &self.command.rest
    }

    /// Nothing may follow.
    pub fn end(&self) -> Result<(), Refusal> {
        match self.peek() {
            None => Ok(()),
            Some(surplus) => Err(self.error(format!("{surplus:?} is one argument too many"))),
        }
    }

    /// A number of some kind.
    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<T, Refusal> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.error(format!("{what} {word:?} is no number that fits")))
    }

    /// A finite number.
    pub fn real(&mut self, what: &str) -> Result<f64, Refusal> {
        let word = self.word(what)?;
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.error(format!("{what} {word:?} is no number")))
    }

    /// Seconds, with or without decimals; negative ones count as none (KGS sends such).
    pub fn seconds(&mut self, what: &str) -> Result<Duration, Refusal> {
        Ok(Duration::from_secs_f64(self.real(what)?.clamp(0.0, LONGEST)))
    }

    /// A colour.
    pub fn color(&mut self) -> Result<Color, Refusal> {
        let word = self.word("COLOR")?;
        word.parse().map_err(|error| self.error(error))
    }

    /// A colour if the next argument is one.
    pub fn optional_color(&mut self) -> Option<Color> {
        let color = self.peek()?.parse().ok()?;
        self.next += 1;
        Some(color)
    }

    /// A vertex or a pass.
    pub fn mv(&mut self, size: BoardSize) -> Result<Move, Refusal> {
        Ok(size.parse_move(self.word("VERTEX")?)?)
    }

    /// A vertex.
    pub fn point(&mut self, size: BoardSize) -> Result<Point, Refusal> {
        Ok(size.parse_point(self.word("VERTEX")?)?)
    }

    /// All remaining arguments as vertices, one at least.
    pub fn points(&mut self, size: BoardSize) -> Result<Vec<Point>, Refusal> {
        let mut points = vec![self.point(size)?];
        while self.peek().is_some() {
            points.push(self.point(size)?);
        }
        Ok(points)
    }
}
