//! Documents: what people work on (games, patterns, boards), kept under a key with a revision, so that two who edit the same
//! do not overwrite each other unseen.

use rusqlite::{OptionalExtension, params};
use serde_json::Value;

use super::{Store, StoreError, read_json_column, unix_now};

/// A kept document.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDocument {
    /// What it is, such as `go`.
    pub kind: String,
    /// Its key among those of its kind.
    pub key: String,
    /// A name for people.
    pub title: String,
    /// What is in it.
    pub body: Value,
    /// 1 when it was made, one more with every change.
    pub revision: u64,
    /// When it was last changed, in seconds since 1970 (UTC).
    pub changed: i64,
}

const COLUMNS: &str = "kind, id, title, body, revision, changed";

impl Store {
    /// A document, if there is one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_document(&self, kind: &str, key: &str) -> Result<Option<StoredDocument>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM documents WHERE kind = $1 AND id = $2");
        let mut statement = self.connection.prepare_cached(&sql).map_err(|e| self.wrap_error(e))?;
        statement.query_row(params![kind, key], read_document_row).optional().map_err(|e| self.wrap_error(e))
    }

    /// The documents of a kind that were changed last, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn latest_documents(&self, kind: &str, most: usize) -> Result<Vec<StoredDocument>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM documents WHERE kind = $1 ORDER BY changed DESC, id DESC LIMIT $2"
        );
        self.query_rows(&sql, params![kind, most as i64], read_document_row)
    }

    /// Keys and names of the documents of a kind that were changed last, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn document_titles(&self, kind: &str, most: usize) -> Result<Vec<(String, String)>, StoreError> {
        const SQL: &str =
            "SELECT id, title FROM documents WHERE kind = $1 ORDER BY changed DESC, id DESC LIMIT $2";
        self.query_rows(SQL, params![kind, most as i64], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Keeps a document. `expected` is the revision that the writer has seen, 0 for a new one. Returns its new revision, or
    /// `None` if another writer was faster: nothing is changed then.
    ///
    /// # Errors
    /// If the database cannot be written: nothing is changed then.
    pub fn keep_document(
        &mut self,
        kind: &str,
        key: &str,
        title: &str,
        body: &Value,
        expected: u64,
    ) -> Result<Option<u64>, StoreError> {
        const INSERT: &str = "INSERT INTO documents (kind, id, title, body, revision, changed) \
                              VALUES ($1, $2, $3, $4, 1, $5) ON CONFLICT DO NOTHING";
        const UPDATE: &str = "UPDATE documents SET title = $1, body = $2, changed = $3, revision = revision + 1 \
                              WHERE kind = $4 AND id = $5 AND revision = $6";
        let body = body.to_string();
        let changed = self.write_transaction(|connection| {
            if expected == 0 {
                connection.prepare_cached(INSERT)?.execute(params![kind, key, title, body, unix_now()])
            } else {
                let row = params![title, body, unix_now(), kind, key, expected as i64];
                connection.prepare_cached(UPDATE)?.execute(row)
            }
        });
        let changed = changed.map_err(|error| self.wrap_error(error))?;
        Ok((changed == 1).then_some(expected + 1))
    }

    /// Forgets a document, if it still has this revision. Says whether it had.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn forget_document_revision(
        &mut self,
        kind: &str,
        key: &str,
        revision: u64,
    ) -> Result<bool, StoreError> {
        const SQL: &str = "DELETE FROM documents WHERE kind = $1 AND id = $2 AND revision = $3";
        let gone =
            self.write_transaction(|connection| connection.execute(SQL, params![kind, key, revision as i64]));
        gone.map(|rows| rows > 0).map_err(|error| self.wrap_error(error))
    }

    /// Forgets a document. Says whether there was one.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn forget_document(&mut self, kind: &str, key: &str) -> Result<bool, StoreError> {
        const SQL: &str = "DELETE FROM documents WHERE kind = $1 AND id = $2";
        let gone = self.write_transaction(|connection| connection.execute(SQL, params![kind, key]));
        gone.map(|rows| rows > 0).map_err(|error| self.wrap_error(error))
    }
}

fn read_document_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<StoredDocument> {
    Ok(StoredDocument {
        kind: row.get(0)?,
        key: row.get(1)?,
        title: row.get(2)?,
        body: read_json_column(row, 3)?,
        revision: u64::try_from(row.get::<_, i64>(4)?).unwrap_or(0),
        changed: row.get(5)?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_second_writer_of_a_revision_is_told() {
        let mut store = Store::in_memory().unwrap();
        let body = json!({ "sgf": "(;)" });
        assert_eq!(store.keep_document("go", "a", "First", &body, 0).unwrap(), Some(1));
        assert_eq!(store.keep_document("go", "a", "Again", &json!(1), 0).unwrap(), None);
        assert_eq!(store.keep_document("go", "a", "Second", &json!(2), 1).unwrap(), Some(2));
        assert_eq!(store.keep_document("go", "a", "Late", &json!(3), 1).unwrap(), None);
        let kept = store.find_document("go", "a").unwrap().unwrap();
        assert_eq!((kept.title.as_str(), kept.body, kept.revision), ("Second", json!(2), 2));
    }

    #[test]
    fn documents_of_a_kind_are_listed_and_forgotten() {
        let mut store = Store::in_memory().unwrap();
        for (kind, key) in [("go", "a"), ("go", "b"), ("othello", "a")] {
            store.keep_document(kind, key, key, &json!(null), 0).unwrap();
        }
        let keys = |store: &Store| -> Vec<String> {
            store.latest_documents("go", 10).unwrap().into_iter().map(|kept| kept.key).collect()
        };
        assert_eq!(keys(&store), ["b", "a"]);
        assert_eq!(store.document_titles("go", 1).unwrap(), [("b".to_string(), "b".to_string())]);
        assert!(!store.forget_document_revision("go", "b", 2).unwrap());
        assert!(store.forget_document("go", "b").unwrap());
        assert!(!store.forget_document("go", "b").unwrap());
        assert_eq!(keys(&store), ["a"]);
        assert!(store.find_document("othello", "a").unwrap().is_some());
    }
}
