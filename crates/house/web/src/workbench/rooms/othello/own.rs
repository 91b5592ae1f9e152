//! Evaluations out of files that visitors have sent: kept in the store, read once.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ishi_lab::store::{Store, StoreError, StoredDocument};
use ishi_othello_play::judges::BoardJudge;
use serde_json::json;

use super::game::{OthelloGameState, Overlay};
use crate::workbench::error::PageError;
use crate::workbench::texts::args;

/// The kind of the documents.
pub(super) const KIND: &str = "othello-evaluation";

/// What names of such evaluations begin with; the key follows.
const OWN: &str = "own-";

/// Where the weights of a piece counter stand in its document.
const WEIGHTS: &str = "weights";

/// Those that were read. A network takes a few megabytes, so only the last few are kept.
static READ: Mutex<BTreeMap<String, BoardJudge>> = Mutex::new(BTreeMap::new());

const MOST_READ: usize = 8;

/// The evaluation of this name: one that ships, or one that [`prepare_judge`] has read.
pub(super) fn find_judge(name: &str) -> Option<BoardJudge> {
    let read = || READ.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    BoardJudge::from_name(name).or_else(read)
}

/// The name under which the document of this key is chosen.
pub(super) fn judge_name(key: &str) -> String {
    format!("{OWN}{key}")
}

/// Reads the evaluation that a game shows, if it is out of a file.
pub(super) fn prepare_judge(store: &Store, game: &OthelloGameState) -> Result<(), StoreError> {
    let (Overlay::Moves(name) | Overlay::Squares(name)) = &game.overlay else { return Ok(()) };
    let Some(key) = name.strip_prefix(OWN) else { return Ok(()) };
    if find_judge(name).is_some() {
        return Ok(());
    }
    let kept = store.find_document(KIND, key)?;
    let bytes = kept.as_ref().and_then(|document| decode_base64(document.body["base64"].as_str()?));
    let Some(judge) = bytes.and_then(|bytes| BoardJudge::from_bytes(&bytes).ok()) else { return Ok(()) };
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if read.len() >= MOST_READ {
        read.clear();
    }
    read.insert(name.clone(), judge);
    Ok(())
}

/// A document of a file in base 64, if it is an evaluation.
pub(super) fn make_document(base64: &str) -> Result<serde_json::Value, PageError> {
    let bytes = decode_base64(base64)
        .ok_or_else(|| PageError::invalid_input("othello-the-file-did-not-arrive-whole"))?;
    let judge = BoardJudge::from_bytes(&bytes)
        .map_err(|error| PageError::invalid_input_with("othello-this-is-no-evaluation", args![error]))?;
    let mut body = json!({ "base64": base64.trim() });
    if let BoardJudge::Counter(wpc) = judge {
        // A piece counter can also play: the catalog takes its weights.
        let weights = wpc.to_string();
        body[WEIGHTS] = json!(ishi_words::collapse_whitespace(&weights));
    }
    Ok(body)
}

/// The player that an evaluation out of a file is, if it is a piece counter: as the catalog knows it.
pub(super) fn player_spec(document: &StoredDocument) -> Option<String> {
    document.body[WEIGHTS].as_str().map(|weights| format!("othello-wpc:weights={weights}"))
}

/// The key of the document that a player's name in the form means.
pub(super) fn document_key(name: &str) -> Option<&str> {
    name.strip_prefix(OWN)
}

/// Bytes of a text in base 64 (RFC 4648, with padding).
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim().as_bytes();
    if text.is_empty() || !text.len().is_multiple_of(4) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for four in text.chunks(4) {
        let padding = four.iter().rev().take_while(|&&letter| letter == b'=').count();
        let digits = &four[..4 - padding.min(2)];
        let mut number = 0;
        for &letter in digits {
            number = number << 6 | base64_digit(letter)?;
        }
        number <<= 6 * (4 - digits.len());
        bytes.extend_from_slice(&number.to_be_bytes()[1..digits.len()]);
    }
    Some(bytes)
}

fn base64_digit(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_read() {
        for (text, bytes) in [("aXNoaQ==", "ishi"), ("aXNoaTE=", "ishi1"), ("aXNoaTEy", "ishi12")] {
            assert_eq!(decode_base64(text).as_deref(), Some(bytes.as_bytes()));
        }
        for text in ["", "a", "aXNoaQ=", "aX!oaQ==", "===="] {
            assert_eq!(decode_base64(text).filter(|bytes| !bytes.is_empty()), None, "{text}");
        }
    }

    #[test]
    fn files_that_are_no_evaluation_are_refused() {
        assert_eq!(make_document("aXNoaQ==").unwrap_err().status.as_u16(), 422);
        // Ten weights.
        let ten = "MSAtMC4yNSAwLjEgMC4wNSAtMC4yNSAwLjAxIDAuMDEgMC4wNSAwLjAyIDAuNQ==";
        let kept = make_document(ten).unwrap();
        assert!(kept["base64"].is_string());
        assert_eq!(kept[WEIGHTS], "1 -0.25 0.1 0.05 -0.25 0.01 0.01 0.05 0.02 0.5", "it can play, too");
    }
}
