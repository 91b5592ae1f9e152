//! Decks that somebody else made: read from an answer, a list of names, or lines.

use ishi_deck::{PieceId, Pool};
use serde::Deserialize;

use super::csv;
use super::error::{DocumentError, Step};
use super::names::Names;
use super::text::{Format, Text, utf8};

/// A deck by its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Its pieces; one that is in it twice is listed twice.
    pub pieces: Vec<PieceId>,
    /// Who leads, if that is said.
    pub leader: Option<PieceId>,
}

/// As answers write it; everything else in an answer is let be.
#[derive(Deserialize)]
#[serde(expecting = "a deck: an object with `deck`, a list of names")]
struct DeckText {
    deck: Vec<String>,
    leader: Option<String>,
}

/// More copies of a card are not believed.
const MOST_COPIES: usize = 1000;

/// Reads a deck: an answer (JSON), `deck = [...]` (TOML), a list of names (JSON), or lines of `name` or `name,copies`.
///
/// # Errors
/// Names file, line and field.
pub fn read(name: &str, bytes: &[u8], pool: &Pool) -> Result<Listing, DocumentError> {
    let names = Names::of(pool);
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let format = match (Format::of_name(name), first) {
        (Some(format), _) => format,
        (None, Some(b'{' | b'[')) => Format::Json,
        (None, _) => Format::Csv,
    };
    let listing = match format {
        Format::Csv => lines(name, bytes, &names)?,
        _ => document(Text { name, text: utf8(name, bytes)?, format }, first == Some(&b'['), &names)?,
    };
    if listing.pieces.is_empty() {
        return Err(DocumentError::of(name, "no piece is listed"));
    }
    Ok(listing)
}

fn lines(name: &str, bytes: &[u8], names: &Names<'_>) -> Result<Listing, DocumentError> {
    let mut pieces = Vec::new();
    for (piece, copies, line) in csv::owned(name, bytes)? {
        let id = names.find(&piece).map_err(|what| DocumentError::on_line(name, line, "name", what))?;
        if copies > MOST_COPIES {
            let what = format!("{copies} copies: at most {MOST_COPIES} are in a deck");
            return Err(DocumentError::on_line(name, line, "copies", what));
        }
        pieces.extend(std::iter::repeat_n(id, copies));
    }
    Ok(Listing { pieces, leader: None })
}

fn document(text: Text<'_>, list: bool, names: &Names<'_>) -> Result<Listing, DocumentError> {
    let list = list && text.format == Format::Json;
    let deck = if list { DeckText { deck: text.parse()?, leader: None } } else { text.parse()? };
    let find = |(at, name): (usize, &String)| {
        let path = if list { vec![Step::At(at)] } else { vec![Step::key("deck"), Step::At(at)] };
        names.find(name).map_err(|what| text.fault(&path, what))
    };
    let pieces = deck.deck.iter().enumerate().map(find).collect::<Result<Vec<_>, _>>()?;
    let leader = deck.leader.as_deref().map(|name| {
        let path = [Step::key("leader")];
        let id = names.find(name).map_err(|what| text.fault(&path, what))?;
        if pieces.contains(&id) {
            Ok(id)
        } else {
            Err(text.fault(&path, format!("{name:?} is not in the deck")))
        }
    });
    Ok(Listing { leader: leader.transpose()?, pieces })
}
