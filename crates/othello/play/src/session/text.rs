//! Moves, colours and values as GTP writes them, and the arguments that only Othello has.

use ishi_othello::{Color, Move, Square};

use crate::search::{Found, Meaning};
use ishi_engine::session::Refusal;
use ishi_engine::session::args::Args;

/// Arguments that only Othello has.
pub(super) trait DiscArgs {
    /// A colour of Othello.
    fn disc_color(&mut self) -> Result<Color, Refusal>;

    /// A square or a pass.
    fn square_or_pass(&mut self) -> Result<Move, Refusal>;

    /// Pairs of colour and vertex up to the end of the line.
    fn pairs(&mut self) -> Result<Vec<(Color, Move)>, Refusal>;
}

impl DiscArgs for Args<'_> {
    fn disc_color(&mut self) -> Result<Color, Refusal> {
        let word = self.word("COLOR")?;
        word.parse().map_err(|error| self.error(error))
    }

    fn square_or_pass(&mut self) -> Result<Move, Refusal> {
        Ok(self.word("VERTEX")?.parse::<Move>()?)
    }

    fn pairs(&mut self) -> Result<Vec<(Color, Move)>, Refusal> {
        let mut pairs = Vec::new();
        while self.peek().is_some() {
            pairs.push((self.disc_color()?, self.square_or_pass()?));
        }
        Ok(pairs)
    }
}

/// `F5` or `pass`: in capitals, since GoGui compares letter by letter.
pub(super) fn vertex(mv: Move) -> String {
    match mv {
        Move::Play(square) => point(square),
        Move::Pass => "pass".to_string(),
    }
}

/// `F5`.
pub(super) fn point(square: Square) -> String {
    square.to_string().to_ascii_uppercase()
}

/// Vertices with spaces between.
pub(super) fn vertices(moves: impl IntoIterator<Item = Move>) -> String {
    moves.into_iter().map(vertex).collect::<Vec<_>>().join(" ")
}

/// `+4`, `0` or `-12` discs; `win`, `draw` or `loss` where only that is known.
pub(super) fn value(found: &Found) -> String {
    match (found.meaning, found.score.signum()) {
        (Meaning::WinLoss, 1) => "win".to_string(),
        (Meaning::WinLoss, 0) => "draw".to_string(),
        (Meaning::WinLoss, _) => "loss".to_string(),
        (_, 0) => "0".to_string(),
        _ => format!("{:+}", found.score),
    }
}

/// `exact`, `win/loss`, or plies and confidence: `12@95%`.
pub(super) fn sureness(found: &Found) -> String {
    match found.meaning {
        Meaning::Exact => "exact".to_string(),
        Meaning::WinLoss => "win/loss".to_string(),
        Meaning::Estimate | Meaning::Selective => format!("{}@{}", found.depth, found.confidence),
    }
}

/// With a capital letter: for GoGui's texts.
pub(super) fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
