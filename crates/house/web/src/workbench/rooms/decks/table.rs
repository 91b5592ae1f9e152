//! A table of pieces as the store keeps it, with what was wanted last and the decks that were built.

use std::sync::Arc;

use ishi_deck::Problem;
use ishi_deck_documents::answer::DeckDocument;
use ishi_deck_documents::pool::{self, refuse_sibling_file};
use ishi_deck_documents::{AnswerDocument, DocumentError, PoolFile, SolveRequest, TableFiles, request};
use ishi_lab::store::Store;
use serde::{Deserialize, Serialize};

use crate::workbench::WorkbenchState;
use crate::workbench::documents::{RoomDocument, StoreAnswer, change_stored};
use crate::workbench::error::PageError;
use crate::workbench::texts::{KeptText, LanguageTexts, args};

/// The kind of its documents.
pub(super) const KIND: &str = "decks";

/// Pieces, copies counted, that a deck is chosen from: more would keep a page waiting.
const MOST_SLOTS: usize = 4000;

/// A deck that was built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct BuiltDeck {
    /// From 1, in the order of building.
    pub(super) number: usize,
    /// What was wanted (JSON or TOML).
    pub(super) wish: String,
    pub(super) answer: AnswerDocument,
    /// Why there is none, or why the proof was given up.
    #[serde(default)]
    pub(super) reasons: Vec<KeptText>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct DeckTable {
    pub(super) title: String,
    /// The pool as it was loaded, or as JSON where it came in several parts.
    pub(super) text: String,
    /// What is wanted (JSON or TOML); empty: the usual.
    pub(super) wish: String,
    pub(super) decks: Vec<BuiltDeck>,
    /// What somebody owns, as it was written last.
    #[serde(default)]
    pub(super) owned: String,
}

impl BuiltDeck {
    /// The deck as programs take lists: `1 Ant`, the leader below a heading of its own.
    pub(super) fn to_list(&self) -> Option<String> {
        self.answer.deck.as_ref().map(list_deck)
    }

    /// Why there is none, or no proof, in this language as far as it was kept in it.
    pub(super) fn tell_reasons(&self, texts: &LanguageTexts) -> Vec<&str> {
        if self.reasons.is_empty() {
            return self.answer.reasons.iter().map(String::as_str).collect();
        }
        self.reasons.iter().map(|reason| reason.in_language(texts)).collect()
    }
}

fn list_deck(deck: &DeckDocument) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in deck.deck.iter().skip(usize::from(deck.leader.is_some())) {
        match counts.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name.as_str(), 1)),
        }
    }
    let leader = deck.leader.as_ref().map(|leader| format!("Commander\n1 {leader}\n\n"));
    let cards: String = counts.iter().map(|(name, count)| format!("{count} {name}\n")).collect();
    format!("{}Deck\n{cards}", leader.unwrap_or_default())
}

impl DeckTable {
    /// A table out of a text: JSON, TOML, or CSV of pieces with CSV of pairs beside it.
    pub(super) fn from_text(
        text: String,
        pairs: Option<String>,
        title: Option<String>,
    ) -> Result<DeckTable, PageError> {
        let text = match pairs {
            Some(pairs) => join_pieces_and_pairs(&text, &pairs)?,
            None => text,
        };
        let file = parse_pool_text(&text)?;
        let given = title.map(|title| title.trim().to_string()).filter(|title| !title.is_empty());
        let named = given.or(file.name).unwrap_or_else(|| format!("{} pieces", file.pool.pieces.len()));
        Ok(DeckTable {
            title: named.chars().take(80).collect(),
            text,
            wish: String::new(),
            decks: Vec::new(),
            owned: String::new(),
        })
    }

    pub(super) fn parse_pool(&self) -> Result<PoolFile, PageError> {
        parse_pool_text(&self.text)
    }

    /// What is wanted.
    pub(super) fn parse_wish(&self, pool: &PoolFile) -> Result<SolveRequest, PageError> {
        parse_wish_text(&self.wish, pool)
    }

    /// The deck of this number.
    pub(super) fn find_deck(&self, number: usize) -> Result<&BuiltDeck, PageError> {
        self.decks
            .iter()
            .find(|deck| deck.number == number)
            .ok_or_else(|| PageError::not_found_with("decks-there-is-no-deck", args![number]))
    }

    pub(super) fn next_number(&self) -> usize {
        self.decks.iter().map(|deck| deck.number).max().unwrap_or(0) + 1
    }
}

fn parse_pool_text(text: &str) -> Result<PoolFile, PageError> {
    Ok(pool_of_paste(text)?)
}

fn pool_of_paste(text: &str) -> Result<PoolFile, DocumentError> {
    // What was pasted has no name that tells its format. A table in CSV begins with the names of its columns, if only with one.
    let head = text.trim_start().lines().next().unwrap_or("");
    let is_csv = !head.starts_with(['{', '[', '#']) && !head.contains('=');
    let name = if is_csv { "table.csv" } else { "table" };
    pool::read_pool(name, text.as_bytes(), &refuse_sibling_file, &TableFiles::default())
}

/// Pieces and pairs, each in CSV, as one document.
fn join_pieces_and_pairs(pieces: &str, pairs: &str) -> Result<String, PageError> {
    const DOCUMENT: &str = "pieces = \"pieces.csv\"\npairs = \"pairs.csv\"\n";
    let beside = |name: &str| match name {
        "pieces.csv" => Ok(pieces.as_bytes().to_vec()),
        "pairs.csv" => Ok(pairs.as_bytes().to_vec()),
        other => refuse_sibling_file(other),
    };
    let file = pool::read_pool("table.toml", DOCUMENT.as_bytes(), &beside, &TableFiles::default())?;
    Ok(pool::write_pool_file(&file))
}

pub(super) fn parse_wish_text(text: &str, pool: &PoolFile) -> Result<SolveRequest, PageError> {
    if text.is_empty() {
        return Ok(SolveRequest::default_for_pool(pool));
    }
    Ok(request::read_request("wish", text.as_bytes(), pool, &refuse_sibling_file)?)
}

/// The pool with the wish, checked.
pub(super) fn build_problem(pool: &PoolFile, wish: &SolveRequest) -> Result<Problem, PageError> {
    let problem = Problem::new(Arc::clone(&pool.pool), &wish.request)?;
    if problem.len() > MOST_SLOTS {
        let slots = problem.len();
        return Err(PageError::invalid_input_with(
            "decks-pieces-with-their-copies-to-choose",
            args![slots, most_slots = MOST_SLOTS],
        ));
    }
    Ok(problem)
}

impl RoomDocument for DeckTable {
    const KIND: &'static str = KIND;

    fn listed_title(&self) -> String {
        self.title.clone()
    }

    fn not_found(key: &str) -> PageError {
        PageError::not_found_with("decks-there-is-no-table-it-may", args![key = format!("{key:?}")])
    }
}

/// The table of this key.
pub(super) async fn load_table(desk: &WorkbenchState, key: &str) -> Result<DeckTable, PageError> {
    desk.load_document(key).await.map(|(table, _)| table)
}

/// Changes a table.
pub(super) fn change_stored_table(
    store: &mut Store,
    key: &str,
    act: impl FnOnce(&mut DeckTable),
) -> StoreAnswer<DeckTable> {
    change_stored(store, key, |table| {
        act(table);
        Ok(())
    })
}

pub(super) async fn change_table(
    desk: &WorkbenchState,
    key: &str,
    act: impl FnOnce(&mut DeckTable) + Send + 'static,
) -> Result<DeckTable, PageError> {
    let key = key.to_string();
    desk.ask_store(move |store| change_stored_table(store, &key, act)).await?
}

pub(super) async fn save_owned(desk: &WorkbenchState, key: &str, owned: String) -> Result<(), PageError> {
    change_table(desk, key, move |table| table.owned = owned).await.map(|_| ())
}

pub(super) async fn save_wish(desk: &WorkbenchState, key: &str, wish: String) -> Result<(), PageError> {
    change_table(desk, key, move |table| table.wish = wish).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_one_and_of_two_parts() {
        let table = DeckTable::from_text(ishi_deck_documents::samples::POOL.to_string(), None, None).unwrap();
        assert_eq!(table.title, "thirty pieces");
        let pool = table.parse_pool().unwrap();
        assert_eq!(pool.pool.pieces.len(), 30);
        let wish = parse_wish_text(ishi_deck_documents::samples::REQUEST, &pool).unwrap();
        assert!(!build_problem(&pool, &wish).unwrap().is_empty());
        let pieces = "name,cost\nAnt,3\nBee,4\n";
        assert_eq!(
            DeckTable::from_text(pieces.into(), None, None).unwrap().parse_pool().unwrap().pool.pieces.len(),
            2
        );
        let pairs = "a,b,score\nAnt,Bee,7\n";
        let two = DeckTable::from_text(pieces.into(), Some(pairs.into()), Some(" garden ".into())).unwrap();
        assert_eq!(two.title, "garden");
        let pool = two.parse_pool().unwrap().pool;
        assert_eq!(pool.score_of_units(i64::from(pool.pairs.get(0, 1))), 7.0);
    }

    #[test]
    fn copies_of_pieces_stay_where_pairs_stand_beside_them() {
        let (pieces, pairs) = ("name,copies\nAnt,2\nBee,0\nCow,\n", "a,b,score\nAnt,Cow,7\n");
        let alone = DeckTable::from_text(pieces.into(), None, None).unwrap().parse_pool().unwrap();
        let both = DeckTable::from_text(pieces.into(), Some(pairs.into()), None).unwrap();
        let both = both.parse_pool().unwrap();
        assert_eq!(both.copies, alone.copies);
        let copies: Vec<_> = both.copies.unwrap().iter().map(|&(piece, copies)| (piece.0, copies)).collect();
        assert_eq!(copies, [(0, 2), (2, 1)]);
    }

    /// What a page sends has other line ends than what ishi writes.
    #[test]
    fn a_written_pool_is_pasted_whole_or_refused() {
        let pieces = "name,cost\nAnt,3\nBee,4\n".to_string();
        let pairs = ishi_deck_documents::seal_score_table("a,b,score\nAnt,Bee,7\n").unwrap();
        let paste = |pairs: String| DeckTable::from_text(pieces.clone(), Some(pairs), None);
        let written = paste(pairs.replace('\n', "\r\n")).unwrap();
        assert!(paste(pairs.replace("Bee,7", "Bee,8")).is_err());
        let pool = written.parse_pool().unwrap().pool;
        let again = DeckTable::from_text(written.text.replace('\n', "\r\n"), None, None).unwrap();
        assert_eq!(again.parse_pool().unwrap().pool, pool);
        let damaged = written.text.replace("\"cost\": 4", "\"cost\": 5");
        assert_ne!(damaged, written.text);
        let error = DeckTable::from_text(damaged, None, None).unwrap_err();
        assert_eq!(error.status.as_u16(), 422);
    }

    #[test]
    fn a_deck_goes_out_as_a_list_that_comes_in_again() {
        let document = DeckDocument {
            deck: ["Queen", "Ant", "Bee", "Ant"].map(String::from).to_vec(),
            leader: Some("Queen".to_string()),
            value: 1.0,
            costs: Default::default(),
            attributes: Default::default(),
        };
        let text = list_deck(&document);
        assert_eq!(text, "Commander\n1 Queen\n\nDeck\n2 Ant\n1 Bee\n");
        let back = ishi_deck::scores::lists::read_deck_lists(&text).unwrap();
        assert_eq!((back.decks.len(), back.decks[0].copies), (1, 4));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = DeckTable::from_text("{\"pieces\": 3}".into(), None, None).unwrap_err();
        assert_eq!(error.status.as_u16(), 422);
        // A paste that is no document is read as a table, and told what a table begins with.
        for (text, told) in [("hello", "no column `name`"), ("", "a header such as name,cost")] {
            let error = pool_of_paste(text).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
