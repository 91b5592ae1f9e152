//! Decks that somebody else made: read from an answer, a list of names, or lines.

use ishi_deck::{PieceId, Pool};
use ishi_words::coded;
use serde::Deserialize;

use super::csv;
use super::error::{DocumentError, PathStep};
use super::names::PieceNames;
use super::text::{DocumentFormat, DocumentText, decode_utf8};

/// A deck by its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckListing {
    /// Its pieces; one that is in it twice is listed twice.
    pub pieces: Vec<PieceId>,
    /// Who leads, if that is said.
    pub leader: Option<PieceId>,
}

/// The deck as answers write it; everything else in an answer is let be.
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
pub fn read_listing(name: &str, bytes: &[u8], pool: &Pool) -> Result<DeckListing, DocumentError> {
    let names = PieceNames::from_pool(pool);
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let format = match (DocumentFormat::from_name(name), first) {
        (Some(format), _) => format,
        (None, Some(b'{' | b'[')) => DocumentFormat::Json,
        (None, _) => DocumentFormat::Csv,
    };
    let listing = match format {
        DocumentFormat::Csv => read_listing_lines(name, bytes, &names)?,
        _ => read_listing_document(
            DocumentText { name, text: decode_utf8(name, bytes)?, format },
            first == Some(&b'['),
            &names,
        )?,
    };
    if listing.pieces.is_empty() {
        return Err(DocumentError::about_file(name, "no piece is listed"));
    }
    Ok(listing)
}

fn read_listing_lines(
    name: &str,
    bytes: &[u8],
    names: &PieceNames<'_>,
) -> Result<DeckListing, DocumentError> {
    let mut pieces = Vec::new();
    for (piece, copies, line) in csv::read_owned_pieces(name, bytes)? {
        let id = names.find_piece(&piece).map_err(|what| DocumentError::on_line(name, line, "name", what))?;
        if copies > MOST_COPIES {
            let what = coded![
                "deck-many-copies",
                "{copies} copies: at most {most} are in a deck",
                copies,
                most = MOST_COPIES
            ];
            return Err(DocumentError::on_line(name, line, "copies", what));
        }
        pieces.extend(std::iter::repeat_n(id, copies));
    }
    Ok(DeckListing { pieces, leader: None })
}

fn read_listing_document(
    text: DocumentText<'_>,
    list: bool,
    names: &PieceNames<'_>,
) -> Result<DeckListing, DocumentError> {
    let list = list && text.format == DocumentFormat::Json;
    let deck = if list { DeckText { deck: text.parse()?, leader: None } } else { text.parse()? };
    let find = |(at, name): (usize, &String)| {
        let path =
            if list { vec![PathStep::At(at)] } else { vec![PathStep::from_key("deck"), PathStep::At(at)] };
        names.find_piece(name).map_err(|what| text.error_at_path(&path, what))
    };
    let pieces = deck.deck.iter().enumerate().map(find).collect::<Result<Vec<_>, _>>()?;
    let leader = deck.leader.as_deref().map(|name| {
        let path = [PathStep::from_key("leader")];
        let id = names.find_piece(name).map_err(|what| text.error_at_path(&path, what))?;
        if pieces.contains(&id) {
            Ok(id)
        } else {
            Err(text.error_at_path(&path, format!("{name:?} is not in the deck")))
        }
    });
    Ok(DeckListing { leader: leader.transpose()?, pieces })
}
