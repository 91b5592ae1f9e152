//! The position that commands about the rules and about moves start from.

use std::path::PathBuf;

use clap::Args;
use ishi_go::{BoardSize, Color, Diagram, Position, Rules};

use crate::context::Failure;
use crate::files;

/// The position that a command starts from.
#[derive(Args, Debug)]
pub(super) struct GoStartArgs {
    /// A file with a diagram; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    pub(super) diagram: Option<PathBuf>,
    /// Rules: chinese, japanese, tromp-taylor, aga or new-zealand
    #[arg(long, default_value = "chinese")]
    pub(super) rules: Rules,
    /// Who moves first
    #[arg(long, value_name = "COLOR")]
    pub(super) to_move: Option<Color>,
}

impl GoStartArgs {
    /// The position, on an empty board of this size where no diagram is given.
    pub(super) fn read_position(&self, size: BoardSize) -> Result<Position, Failure> {
        let first = self.to_move.unwrap_or(Color::Black);
        let Some(path) = &self.diagram else {
            let mut position = Position::new(size, self.rules);
            position.set_to_move(first);
            return Ok(position);
        };
        let bytes = files::read_file_or_stdin(path)?;
        let wrong = |error: String| Failure::in_file(path, error);
        let text = String::from_utf8(bytes).map_err(|_| wrong("it must be text in UTF-8".to_string()))?;
        let diagram: Diagram =
            text.parse().map_err(|error: ishi_go::DiagramError| wrong(error.to_string()))?;
        diagram.to_position(self.rules, first).map_err(|error| wrong(error.to_string()))
    }
}
