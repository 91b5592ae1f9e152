//! Moves, colours and values as GTP writes them, and the arguments that only Othello has.

use ishi_othello::{Color, Move, Square};

use crate::search::{FoundMove, ScoreMeaning};
use ishi_engine::session::CommandRefusal;
use ishi_engine::session::args::CommandArgs;

/// Arguments that only Othello has.
pub(super) trait DiscArgs {
    /// A colour of Othello.
    fn take_disc_color(&mut self) -> Result<Color, CommandRefusal>;

    /// A square or a pass.
    fn take_square_or_pass(&mut self) -> Result<Move, CommandRefusal>;

    /// Pairs of colour and vertex up to the end of the line.
    fn take_disc_moves(&mut self) -> Result<Vec<(Color, Move)>, CommandRefusal>;
}

impl DiscArgs for CommandArgs<'_> {
    fn take_disc_color(&mut self) -> Result<Color, CommandRefusal> {
        let word = self.take_word("COLOR")?;
        word.parse().map_err(|error| self.syntax_error(error))
    }

    fn take_square_or_pass(&mut self) -> Result<Move, CommandRefusal> {
        let word = self.take_word("VERTEX")?;
        word.parse::<Move>().map_err(|error| self.syntax_error(error))
    }

    fn take_disc_moves(&mut self) -> Result<Vec<(Color, Move)>, CommandRefusal> {
        let mut pairs = Vec::new();
        while self.peek().is_some() {
            pairs.push((self.take_disc_color()?, self.take_square_or_pass()?));
        }
        Ok(pairs)
    }
}

/// `F5` or `pass`: in capitals, since GoGui compares letter by letter.
pub(super) fn vertex_text(mv: Move) -> String {
    match mv {
        Move::Play(square) => square_text(square),
        Move::Pass => "pass".to_string(),
    }
}

/// `F5`.
pub(super) fn square_text(square: Square) -> String {
    square.to_string().to_ascii_uppercase()
}

/// Vertices with spaces between.
pub(super) fn vertices_text(moves: impl IntoIterator<Item = Move>) -> String {
    moves.into_iter().map(vertex_text).collect::<Vec<_>>().join(" ")
}

/// `+4`, `0` or `-12` discs; `win`, `draw` or `loss` where only that is known.
pub(super) fn value_text(found: &FoundMove) -> String {
    match (found.meaning, found.score.signum()) {
        (ScoreMeaning::WinLoss, 1) => "win".to_string(),
        (ScoreMeaning::WinLoss, 0) => "draw".to_string(),
        (ScoreMeaning::WinLoss, _) => "loss".to_string(),
        (_, 0) => "0".to_string(),
        _ => format!("{:+}", found.score),
    }
}

/// `exact`, `win/loss`, or plies and confidence: `12@95%`.
pub(super) fn sureness_text(found: &FoundMove) -> String {
    match found.meaning {
        ScoreMeaning::Exact => "exact".to_string(),
        ScoreMeaning::WinLoss => "win/loss".to_string(),
        ScoreMeaning::Estimate | ScoreMeaning::Selective => format!("{}@{}", found.depth, found.confidence),
    }
}

/// With a capital letter: for GoGui's texts.
pub(super) fn capitalized_name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
