//! Documents: what people work on (games, patterns, boards), kept under a key with a revision, so that two who edit the same
//! do not overwrite each other unseen.

use serde_json::Value;

use super::database::{NOW, SqlFieldError, SqlRow, sql_values};
use super::{Store, StoreError, read_json_column, seal};

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

/// All columns that the checksum of a document is of, in the order in which they are read.
pub(super) const SEALED_COLUMNS: &str = "kind, id, title, body, revision";

impl Store {
    /// A document, if there is one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_document(&self, kind: &str, key: &str) -> Result<Option<StoredDocument>, StoreError> {
        let sql =
            format!("SELECT {SEALED_COLUMNS}, checksum, changed FROM documents WHERE kind = $1 AND id = $2");
        self.query_row(&sql, sql_values![kind, key], read_document_row)
    }

    /// The documents of a kind that were changed last, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn latest_documents(&self, kind: &str, most: usize) -> Result<Vec<StoredDocument>, StoreError> {
        let sql = format!(
            "SELECT {SEALED_COLUMNS}, checksum, changed FROM documents WHERE kind = $1 ORDER BY changed DESC, id DESC LIMIT $2"
        );
        self.query_rows(&sql, sql_values![kind, most], read_document_row)
    }

    /// Keys and names of the documents of a kind that were changed last, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn document_titles(&self, kind: &str, most: usize) -> Result<Vec<(String, String)>, StoreError> {
        const SQL: &str =
            "SELECT id, title FROM documents WHERE kind = $1 ORDER BY changed DESC, id DESC LIMIT $2";
        self.query_rows(SQL, sql_values![kind, most], |row| Ok((row.get(0)?, row.get(1)?)))
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
        let insert = format!(
            "INSERT INTO documents (kind, id, title, body, revision, changed, checksum) \
             VALUES ($1, $2, $3, $4, 1, {NOW}, $5) ON CONFLICT DO NOTHING"
        );
        let update = format!(
            "UPDATE documents SET title = $1, body = $2, changed = {NOW}, revision = revision + 1, checksum = $6 \
             WHERE kind = $3 AND id = $4 AND revision = $5"
        );
        let body = body.to_string();
        let sum = seal::checksum_of_values(sql_values![kind, key, title, &body, expected + 1]);
        let changed = self.write_transaction(|database| {
            if expected == 0 {
                database.execute(&insert, sql_values![kind, key, title, &body, &sum])
            } else {
                database.execute(&update, sql_values![title, &body, kind, key, expected, &sum])
            }
        })?;
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
            self.write_transaction(|database| database.execute(SQL, sql_values![kind, key, revision]))?;
        Ok(gone > 0)
    }

    /// Forgets a document. Says whether there was one.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn forget_document(&mut self, kind: &str, key: &str) -> Result<bool, StoreError> {
        const SQL: &str = "DELETE FROM documents WHERE kind = $1 AND id = $2";
        let gone = self.write_transaction(|database| database.execute(SQL, sql_values![kind, key]))?;
        Ok(gone > 0)
    }
}

fn read_document_row(row: &SqlRow) -> Result<StoredDocument, SqlFieldError> {
    let name = || format!("document {}", row.get::<String>(1).unwrap_or_default());
    seal::check_row(row, 5).map_err(|error| error.within(&name()))?;
    Ok(StoredDocument {
        kind: row.get(0)?,
        key: row.get(1)?,
        title: row.get(2)?,
        body: read_json_column(row, 3)?,
        revision: row.get(4)?,
        changed: row.get(6)?,
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
