//! Documents: what people work on (games, patterns, boards), kept under a key with a revision, so that two who edit the same
//! do not overwrite each other unseen.

use std::ops::ControlFlow;

use serde_json::Value;

use super::database::{
    Database, NOW, ROW_ADDRESS, ROW_AT_ADDRESS, SqlFieldError, SqlRow, SqlValue, sql_values,
};
use super::{Store, StoreError, read_json_column, seal, split_damaged};

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

/// A document whose row is damaged. What is told of it may be damaged, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedDocument {
    /// What it is.
    pub kind: String,
    /// Its key among those of its kind.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// Which it is, and what is wrong with it, in a few words.
    pub cause: String,
}

/// Documents of a kind: those that are whole, and those that cannot be opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentList {
    /// Those that are whole, the last changed first.
    pub documents: Vec<StoredDocument>,
    /// The others, in the same order.
    pub damaged: Vec<DamagedDocument>,
}

/// All columns that the checksum of a document is of, in the order in which they are read.
pub(super) const SEALED_COLUMNS: &str = "kind, id, title, body, revision";

impl Store {
    /// A document, if there is one.
    ///
    /// # Errors
    /// If the database cannot be read, or the document is damaged.
    pub fn find_document(&self, kind: &str, key: &str) -> Result<Option<StoredDocument>, StoreError> {
        let sql =
            format!("SELECT {SEALED_COLUMNS}, checksum, changed FROM documents WHERE kind = $1 AND id = $2");
        let row = self
            .query_row(&sql, sql_values![kind, key], |row| Ok(read_document_asked(row, kind, Some(key))))?;
        let wrap =
            |damaged| StoreError::DamagedDocument { path: self.path.clone(), damaged: Box::new(damaged) };
        row.transpose().map_err(wrap)
    }

    /// The documents of a kind that were changed last, the latest first. One that is damaged hides no other.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn latest_documents(&self, kind: &str, most: usize) -> Result<DocumentList, StoreError> {
        let sql = format!(
            "SELECT {SEALED_COLUMNS}, checksum, changed FROM documents WHERE kind = $1 ORDER BY changed DESC, id DESC LIMIT $2"
        );
        let rows =
            self.query_rows(&sql, sql_values![kind, most], |row| Ok(read_document_asked(row, kind, None)))?;
        let (documents, damaged) = split_damaged(rows);
        Ok(DocumentList { documents, damaged })
    }

    /// Damaged documents among those of each kind that were changed last.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn latest_damage(&self, most_of_a_kind: usize) -> Result<Vec<DamagedDocument>, StoreError> {
        const SQL: &str = "SELECT DISTINCT kind FROM documents ORDER BY kind";
        let kinds = self.query_rows(SQL, &[], |row| Ok(row.shown_text(0)))?;
        let lists = kinds.iter().map(|kind| self.latest_documents(kind, most_of_a_kind));
        Ok(lists.collect::<Result<Vec<_>, _>>()?.into_iter().flat_map(|list| list.damaged).collect())
    }

    /// All documents that are damaged, in the order of their kinds and keys.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_damaged_documents(&self) -> Result<Vec<DamagedDocument>, StoreError> {
        let mut all = self.insist(|database| {
            let mut damaged = Vec::new();
            database.visit_rows(&all_rows_sql(), &mut |row| {
                damaged.extend(read_document(row).err());
                ControlFlow::Continue(())
            })?;
            Ok(damaged)
        })?;
        all.sort_by(|a: &DamagedDocument, b| (&a.kind, &a.key).cmp(&(&b.kind, &b.key)));
        Ok(all)
    }

    /// What stands in the place of a damaged document's content, for whoever wants to save what can be read of it. The key is that which is shown:
    /// it may be damaged itself. `None` if there is no such document, or it is whole.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn damaged_body(&self, kind: &str, key: &str) -> Result<Option<String>, StoreError> {
        let sql =
            format!("SELECT {SEALED_COLUMNS}, checksum, changed FROM documents WHERE kind = $1 AND id = $2");
        let body = self.query_row(&sql, sql_values![kind, key], |row| {
            Ok(read_document(row).is_err().then(|| row.shown_text(3)))
        })?;
        if let Some(body) = body.flatten() {
            return Ok(Some(body));
        }
        let found = self.insist(|database| find_damaged_row(database, kind, key))?;
        Ok(found.map(|(_, row)| row.shown_text(3)))
    }

    /// Forgets a document that is damaged. The key is that which is shown: it may be damaged itself. Says whether there was one.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn forget_damaged_document(&mut self, kind: &str, key: &str) -> Result<bool, StoreError> {
        const DELETE: &str = "DELETE FROM documents WHERE kind = $1 AND id = $2";
        let select =
            format!("SELECT {SEALED_COLUMNS}, checksum, changed FROM documents WHERE kind = $1 AND id = $2");
        self.write_transaction(|database| {
            let rows = database.query(&select, sql_values![kind, key])?;
            if rows.iter().any(|row| read_document(row).is_err())
                && database.execute(DELETE, sql_values![kind, key])? > 0
            {
                return Ok(true);
            }
            forget_damaged_row(database, kind, key)
        })
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
             WHERE kind = $3 AND id = $4 AND revision = $5 RETURNING kind, id"
        );
        let body = body.to_string();
        let sum = seal::checksum_of_values(sql_values![kind, key, title, &body, expected + 1]);
        let changed = self.write_transaction(|database| {
            if expected == 0 {
                return Ok(database.execute(&insert, sql_values![kind, key, title, &body, &sum])? == 1);
            }
            let values = sql_values![title, &body, kind, key, expected, &sum];
            change_document(database, &update, values, kind, key)
        })?;
        Ok(changed.then_some(expected + 1))
    }

    /// Keeps a document whose key says what is in it, such as a checksum: what is there already is the same. If that is damaged it is made anew.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub fn keep_content(
        &mut self,
        kind: &str,
        key: &str,
        title: &str,
        body: &Value,
    ) -> Result<(), StoreError> {
        if self.keep_document(kind, key, title, body, 0)?.is_some() {
            return Ok(());
        }
        match self.find_document(kind, key) {
            Err(StoreError::DamagedDocument { .. }) => {
                self.forget_damaged_document(kind, key)?;
                if self.keep_document(kind, key, title, body, 0)?.is_none() {
                    // Something stands there all the same, and must be what was asked for.
                    self.find_document(kind, key)?;
                }
                Ok(())
            }
            found => found.map(drop),
        }
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
        const SQL: &str =
            "DELETE FROM documents WHERE kind = $1 AND id = $2 AND revision = $3 RETURNING kind, id";
        self.write_transaction(|database| {
            change_document(database, SQL, sql_values![kind, key, revision], kind, key)
        })
    }

    /// Forgets a document. Says whether there was one.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn forget_document(&mut self, kind: &str, key: &str) -> Result<bool, StoreError> {
        const SQL: &str = "DELETE FROM documents WHERE kind = $1 AND id = $2 RETURNING kind, id";
        self.write_transaction(|database| change_document(database, SQL, sql_values![kind, key], kind, key))
    }
}

/// Changes or takes out a document by a statement that gives the kind and the key of what it has changed. Says whether there was one. If it was another
/// one the transaction of the caller must end without a change, as it does by this error.
fn change_document(
    database: &mut dyn Database,
    sql: &str,
    values: &[SqlValue<'_>],
    kind: &str,
    key: &str,
) -> Result<bool, StoreError> {
    let rows = database.query(sql, values)?;
    for row in &rows {
        let asked = seal::check_asked(row, 0, sql_values![kind, key], || format!("document {key}"));
        asked.map_err(|error| seal::damaged_row(database, error))?;
    }
    Ok(!rows.is_empty())
}

/// Asks for all documents, with their addresses, as they lie in the table. Keys come from there and not from an index, which may have other ones once a
/// bit has changed. Nothing is sorted: documents may be many and large.
fn all_rows_sql() -> String {
    format!("SELECT {SEALED_COLUMNS}, checksum, changed, {ROW_ADDRESS} FROM documents")
}

/// The address and the row of a damaged document that is shown under this kind and key. All rows before it are looked at, as nothing is found by a key that
/// is damaged.
fn find_damaged_row(
    database: &mut dyn Database,
    kind: &str,
    key: &str,
) -> Result<Option<(String, SqlRow)>, StoreError> {
    let mut found = None;
    database.visit_rows(&all_rows_sql(), &mut |row| {
        let is_meant = is_shown_as(&row.shown_text(0), kind)
            && is_shown_as(&row.shown_text(1), key)
            && read_document(row).is_err();
        if !is_meant {
            return ControlFlow::Continue(());
        }
        found = Some((row.shown_text(row.0.len() - 1), row.clone()));
        ControlFlow::Break(())
    })?;
    Ok(found)
}

/// Is it the text that a page shows and sends back? It may lose control characters, or get others for them.
pub(super) fn is_shown_as(text: &str, shown: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| !c.is_control() && *c != char::REPLACEMENT_CHARACTER).collect()
    };
    plain(text) == plain(shown)
}

/// Forgets a damaged document by its address, within a transaction.
fn forget_damaged_row(database: &mut dyn Database, kind: &str, key: &str) -> Result<bool, StoreError> {
    if find_damaged_row(database, kind, key)?.is_none() {
        return Ok(false);
    }
    // If it was an index that was damaged, the document is whole now.
    database.hold_table("documents")?;
    let Some((address, _)) = find_damaged_row(database, kind, key)? else { return Ok(false) };
    let delete = format!("DELETE FROM documents WHERE {ROW_AT_ADDRESS}");
    Ok(database.execute(&delete, sql_values![&address])? > 0)
}

/// The document of a row that was asked for by its kind and, if there is one, its key. The row of another document is none.
fn read_document_asked(
    row: &SqlRow,
    kind: &str,
    key: Option<&str>,
) -> Result<StoredDocument, DamagedDocument> {
    let document = read_document(row)?;
    let key = key.map_or_else(|| document.key.clone(), str::to_string);
    let asked = seal::check_asked(row, 0, sql_values![kind, &key], || format!("document {key}"));
    asked.map(|()| document).map_err(|SqlFieldError(cause)| DamagedDocument {
        kind: kind.to_string(),
        title: key.clone(),
        key,
        cause,
    })
}

/// The document of a row, or what can be told of it if it is damaged.
fn read_document(row: &SqlRow) -> Result<StoredDocument, DamagedDocument> {
    read_document_row(row).map_err(|SqlFieldError(cause)| DamagedDocument {
        kind: row.shown_text(0),
        key: row.shown_text(1),
        title: row.shown_text(2),
        cause,
    })
}

fn read_document_row(row: &SqlRow) -> Result<StoredDocument, SqlFieldError> {
    let name = || format!("document {}", row.shown_text(1));
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

    use super::super::noted::NotedDatabase;
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

    /// Sorted for each part, as they once were, a look at all documents took the square of their number, and everybody waited.
    #[test]
    fn documents_are_looked_at_as_they_lie() {
        let store = Store::in_memory().unwrap();
        let plan = format!("EXPLAIN QUERY PLAN {}", all_rows_sql());
        let steps = store.insist(|database| database.query(&plan, &[])).unwrap();
        assert_eq!(steps.iter().map(|row| row.shown_text(3)).collect::<Vec<_>>(), ["SCAN documents"]);
    }

    #[test]
    fn a_damaged_document_that_is_found_ends_the_look() {
        let (mut database, notes) = NotedDatabase::with_tables();
        let insert = "INSERT INTO documents (kind, id, title, body, revision, changed) VALUES ('go', $1, '', '1', 1, 0)";
        for number in 0..9 {
            let key = format!("key {number}");
            database.execute(insert, sql_values![&key]).unwrap();
        }
        let (_, row) = find_damaged_row(&mut database, "go", "key 2").unwrap().unwrap();
        assert_eq!(row.shown_text(1), "key 2");
        assert_eq!(notes.take_shown(), 3);
        assert_eq!(find_damaged_row(&mut database, "go", "key 9").unwrap(), None);
        assert_eq!(notes.take_shown(), 9);
    }

    #[test]
    fn documents_of_a_kind_are_listed_and_forgotten() {
        let mut store = Store::in_memory().unwrap();
        for (kind, key) in [("go", "a"), ("go", "b"), ("othello", "a")] {
            store.keep_document(kind, key, key, &json!(null), 0).unwrap();
        }
        let keys = |store: &Store| -> Vec<String> {
            store.latest_documents("go", 10).unwrap().documents.into_iter().map(|kept| kept.key).collect()
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
