//! Answers that took long to find, kept by position in documents of some answers each: what was interrupted goes on where it was, and a game that has
//! gone on is looked at from there.

use std::collections::BTreeMap;
use std::sync::Arc;

use ishi_lab::store::{Store, StoreError, StoredDocument};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::workbench::WorkbenchState;
use crate::workbench::documents::keep_new_body;

/// Answers of a document: so many are lost at most when the server is killed.
const CHUNK: usize = 8;

/// Documents of a kind that are kept, of all games; those of Go have some 20 kB each. The oldest go first.
const DOCUMENTS: usize = 2000;

/// Documents that are looked through for that at most.
const LISTED: usize = 100_000;

/// What is kept of a position.
pub(super) trait ShelvedAnswer: Clone + Serialize + DeserializeOwned {
    /// The kind of its documents.
    const KIND: &'static str;
}

/// The answers of one maker about one table's positions, in the store.
pub(super) struct AnswerShelf<A: ShelvedAnswer> {
    desk: Arc<WorkbenchState>,
    table: String,
    maker: String,
    known: BTreeMap<String, A>,
    /// Those that are not in the store yet.
    fresh: BTreeMap<String, A>,
    /// The number of the next document.
    next: usize,
}

/// A document.
#[derive(Serialize, Deserialize)]
struct AnswerChunk<A> {
    maker: String,
    answers: BTreeMap<String, A>,
}

impl<A: ShelvedAnswer> AnswerShelf<A> {
    /// What is kept for a table. Answers of other makers (another program, network, seed or effort) may say something else, and are left out.
    pub(super) fn open(desk: &Arc<WorkbenchState>, table: &str, maker: String) -> AnswerShelf<A> {
        let mut shelf = AnswerShelf {
            desk: Arc::clone(desk),
            table: table.to_string(),
            maker,
            known: BTreeMap::new(),
            fresh: BTreeMap::new(),
            next: 0,
        };
        // What cannot be read is searched again.
        let _ = desk.ask_store_blocking(|store| {
            forget_oldest(store, A::KIND)?;
            shelf.read_chunks(|key| store.find_document(A::KIND, key))
        });
        shelf
    }

    fn chunk_key(&self, number: usize) -> String {
        format!("{}/{number}", self.table)
    }

    /// Reads all documents of the table, from its next number on.
    fn read_chunks(
        &mut self,
        mut find: impl FnMut(&str) -> Result<Option<StoredDocument>, StoreError>,
    ) -> Result<(), StoreError> {
        loop {
            match find(&self.chunk_key(self.next)) {
                Ok(None) => return Ok(()),
                Ok(Some(document)) => self.learn_chunk(document),
                // What is damaged is searched again, and hides nothing behind it.
                Err(StoreError::DamagedDocument { .. }) => {}
                Err(error) => return Err(error),
            }
            self.next += 1;
        }
    }

    fn learn_chunk(&mut self, document: StoredDocument) {
        let chunk: Result<AnswerChunk<A>, _> = serde_json::from_value(document.body);
        if let Some(chunk) = chunk.ok().filter(|chunk| chunk.maker == self.maker) {
            self.known.extend(chunk.answers);
        }
    }

    /// The answer that is known under a key.
    pub(super) fn find_answer(&self, key: &str) -> Option<&A> {
        self.known.get(key)
    }

    /// Keeps an answer under a key.
    pub(super) fn keep_answer(&mut self, key: String, answer: A) {
        self.known.insert(key.clone(), answer.clone());
        self.fresh.insert(key, answer);
        if self.fresh.len() >= CHUNK {
            self.write_chunk();
        }
    }

    /// Writes what is fresh. A store that fails keeps the review from nothing but being resumed.
    fn write_chunk(&mut self) {
        let answers = std::mem::take(&mut self.fresh);
        if answers.is_empty() {
            return;
        }
        let chunk = AnswerChunk { maker: self.maker.clone(), answers };
        let Ok(body) = serde_json::to_value(chunk) else { return };
        let desk = Arc::clone(&self.desk);
        let _ = desk.ask_store_blocking(|store| {
            // A number that another review of the table has taken meanwhile is passed over.
            while !keep_new_body(store, A::KIND, &self.chunk_key(self.next), "", &body)? {
                self.next += 1;
            }
            self.next += 1;
            Ok(())
        });
    }
}

impl<A: ShelvedAnswer> Drop for AnswerShelf<A> {
    fn drop(&mut self) {
        self.write_chunk();
    }
}

fn forget_oldest(store: &mut Store, kind: &'static str) -> Result<(), StoreError> {
    for (key, _) in store.document_titles(kind, LISTED)?.into_iter().skip(DOCUMENTS) {
        store.forget_document(kind, &key)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ishi_lab::store::DamagedDocument;

    use super::*;
    use crate::workbench::desk::test_desk;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Figure(u64);

    impl ShelvedAnswer for Figure {
        const KIND: &'static str = "figures";
    }

    #[test]
    fn answers_come_back_to_their_maker_and_their_table_alone() {
        let desk = Arc::new(test_desk());
        let open = |table: &str, maker: &str| -> AnswerShelf<Figure> {
            AnswerShelf::open(&desk, table, maker.to_string())
        };
        let mut shelf = open("table", "maker");
        (0..10).for_each(|number| shelf.keep_answer(number.to_string(), Figure(number)));
        // A document is full, and the rest is written at the end.
        assert_eq!(open("table", "maker").known.len(), CHUNK);
        drop(shelf);
        let again = open("table", "maker");
        assert_eq!((again.find_answer("9"), again.known.len()), (Some(&Figure(9)), 10));
        assert!(open("table", "another").known.is_empty() && open("another", "maker").known.is_empty());
    }

    #[test]
    fn a_damaged_document_hides_no_other_answers() {
        let document = |key: &str| {
            let answers = BTreeMap::from([(format!("answer of {key}"), Figure(8))]);
            let body = serde_json::to_value(AnswerChunk { maker: "maker".to_string(), answers }).unwrap();
            let (kind, key, title) = (Figure::KIND.to_string(), key.to_string(), String::new());
            StoredDocument { kind, key, title, body, revision: 1, changed: 0 }
        };
        let damage = |key: &str| StoreError::DamagedDocument {
            path: "a.db".into(),
            damaged: Box::new(DamagedDocument {
                kind: Figure::KIND.to_string(),
                key: key.to_string(),
                title: String::new(),
                cause: "damaged".to_string(),
            }),
        };
        let mut shelf: AnswerShelf<Figure> =
            AnswerShelf::open(&Arc::new(test_desk()), "table", "maker".to_string());
        let read = shelf.read_chunks(|key| match key {
            "table/0" | "table/2" => Ok(Some(document(key))),
            "table/1" => Err(damage(key)),
            _ => Ok(None),
        });
        assert!(read.is_ok());
        let known: Vec<&str> = shelf.known.keys().map(String::as_str).collect();
        assert_eq!((known, shelf.next), (vec!["answer of table/0", "answer of table/2"], 3));
    }
}
