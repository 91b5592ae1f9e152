//! A table of pieces as the store keeps it, with what was wanted last and the decks that were built.

use std::sync::Arc;

use ishi_deck::Problem;
use ishi_deck_documents::pool::{self, nothing_beside};
use ishi_deck_documents::{AnswerDocument, PoolFile, TableFiles, Wish, request};
use ishi_lab::store::{Store, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::workbench::Desk;
use crate::workbench::error::PageError;

/// The kind of its documents.
pub(super) const KIND: &str = "decks";

/// Pieces, copies counted, that a deck is chosen from: more would keep a page waiting.
const MOST_SLOTS: usize = 4000;

/// A deck that was built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Built {
    /// From 1, in the order of building.
    pub(super) number: usize,
    /// What was wanted (JSON or TOML).
    pub(super) wish: String,
    pub(super) answer: AnswerDocument,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Table {
    pub(super) title: String,
    /// The pool as it was loaded, or as JSON where it came in several parts.
    pub(super) text: String,
    /// What is wanted (JSON or TOML); empty: the usual.
    pub(super) wish: String,
    pub(super) decks: Vec<Built>,
}

impl Table {
    /// A table out of a text: JSON, TOML, or CSV of pieces with CSV of pairs beside it.
    pub(super) fn read(
        text: String,
        pairs: Option<String>,
        title: Option<String>,
    ) -> Result<Table, PageError> {
        let text = match pairs {
            Some(pairs) => joined(&text, &pairs)?,
            None => text,
        };
        let file = parse(&text)?;
        let given = title.map(|title| title.trim().to_string()).filter(|title| !title.is_empty());
        let named = given.or(file.name).unwrap_or_else(|| format!("{} pieces", file.pool.pieces.len()));
        Ok(Table { title: named.chars().take(80).collect(), text, wish: String::new(), decks: Vec::new() })
    }

    pub(super) fn pool(&self) -> Result<PoolFile, PageError> {
        parse(&self.text)
    }

    /// What is wanted.
    pub(super) fn wish(&self, pool: &PoolFile) -> Result<Wish, PageError> {
        wish(&self.wish, pool)
    }

    pub(super) fn body(&self) -> Result<Value, PageError> {
        serde_json::to_value(self).map_err(PageError::outside)
    }

    /// The deck of this number.
    pub(super) fn deck(&self, number: usize) -> Result<&Built, PageError> {
        self.decks.iter().find(|deck| deck.number == number).ok_or_else(|| {
            PageError::missing(
                format!("there is no deck {number}"),
                format!("{number}番のデッキはありません"),
            )
        })
    }

    pub(super) fn next_number(&self) -> usize {
        self.decks.iter().map(|deck| deck.number).max().unwrap_or(0) + 1
    }
}

fn parse(text: &str) -> Result<PoolFile, PageError> {
    // What was pasted has no name that tells its format. A table in CSV begins with the names of its columns.
    let head = text.trim_start().lines().next().unwrap_or("");
    let is_csv = head.contains(',') && !head.starts_with(['{', '[']) && !head.contains('=');
    let name = if is_csv { "table.csv" } else { "table" };
    pool::read(name, text.as_bytes(), &nothing_beside, &TableFiles::default()).map_err(PageError::input)
}

/// Pieces and pairs, each in CSV, as one document.
fn joined(pieces: &str, pairs: &str) -> Result<String, PageError> {
    const DOCUMENT: &str = "pieces = \"pieces.csv\"\npairs = \"pairs.csv\"\n";
    let beside = |name: &str| match name {
        "pieces.csv" => Ok(pieces.as_bytes().to_vec()),
        "pairs.csv" => Ok(pairs.as_bytes().to_vec()),
        other => nothing_beside(other),
    };
    let file = pool::read("table.toml", DOCUMENT.as_bytes(), &beside, &TableFiles::default());
    let file = file.map_err(PageError::input)?;
    Ok(pool::write(&file.pool, file.name.as_deref()))
}

pub(super) fn wish(text: &str, pool: &PoolFile) -> Result<Wish, PageError> {
    if text.is_empty() {
        return Ok(Wish::usual(pool));
    }
    request::read("wish", text.as_bytes(), pool, &nothing_beside).map_err(PageError::input)
}

/// The pool with the wish, checked.
pub(super) fn problem(pool: &PoolFile, wish: &Wish) -> Result<Problem, PageError> {
    let problem = Problem::new(Arc::clone(&pool.pool), &wish.request).map_err(PageError::input)?;
    if problem.len() > MOST_SLOTS {
        let slots = problem.len();
        return Err(PageError::refused(
            format!("{slots} pieces with their copies to choose from; at most {MOST_SLOTS} here"),
            format!("候補が{slots}枚あります。ここでは{MOST_SLOTS}枚までです"),
        ));
    }
    Ok(problem)
}

fn missing(key: &str) -> PageError {
    PageError::missing(
        format!("there is no table {key:?}: it may have been deleted"),
        format!("表 {key:?} はありません（削除された可能性があります）"),
    )
}

/// The table of this key.
pub(super) async fn load(desk: &Desk, key: &str) -> Result<Table, PageError> {
    let wanted = key.to_string();
    let kept = desk.store(move |store| store.document(KIND, &wanted)).await?;
    serde_json::from_value(kept.ok_or_else(|| missing(key))?.body).map_err(PageError::outside)
}

/// Changes a table.
pub(super) fn alter(
    store: &mut Store,
    key: &str,
    act: impl FnOnce(&mut Table),
) -> Result<Result<Table, PageError>, StoreError> {
    let Some(document) = store.document(KIND, key)? else { return Ok(Err(missing(key))) };
    let mut table: Table = match serde_json::from_value(document.body) {
        Ok(table) => table,
        Err(error) => return Ok(Err(PageError::outside(error))),
    };
    act(&mut table);
    let body = match table.body() {
        Ok(body) => body,
        Err(error) => return Ok(Err(error)),
    };
    let kept = store.keep_document(KIND, key, &table.title, &body, document.revision)?;
    Ok(kept.map(|_| table).ok_or_else(PageError::changed_elsewhere))
}

pub(super) async fn change(
    desk: &Desk,
    key: &str,
    act: impl FnOnce(&mut Table) + Send + 'static,
) -> Result<Table, PageError> {
    let key = key.to_string();
    desk.store(move |store| alter(store, &key, act)).await?
}

pub(super) async fn keep_wish(desk: &Desk, key: &str, wish: String) -> Result<(), PageError> {
    change(desk, key, move |table| table.wish = wish).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_one_and_of_two_parts() {
        let table = Table::read(super::super::THIRTY.to_string(), None, None).unwrap();
        assert_eq!(table.title, "thirty pieces");
        let pool = table.pool().unwrap();
        assert_eq!(pool.pool.pieces.len(), 30);
        let wish = wish(super::super::WISH, &pool).unwrap();
        assert!(!problem(&pool, &wish).unwrap().is_empty());
        let pieces = "name,cost\nAnt,3\nBee,4\n";
        assert_eq!(Table::read(pieces.into(), None, None).unwrap().pool().unwrap().pool.pieces.len(), 2);
        let pairs = "a,b,score\nAnt,Bee,7\n";
        let two = Table::read(pieces.into(), Some(pairs.into()), Some(" garden ".into())).unwrap();
        assert_eq!(two.title, "garden");
        let pool = two.pool().unwrap().pool;
        assert_eq!(pool.score(i64::from(pool.pairs.get(0, 1))), 7.0);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = Table::read("{\"pieces\": 3}".into(), None, None).unwrap_err();
        assert_eq!(error.status.as_u16(), 422);
    }
}
