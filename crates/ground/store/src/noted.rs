//! A database in memory that notes what is done with it, for tests.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::database::{Database, RowVisitor, SqlRow, SqlValue};
use super::sqlite::SqliteDatabase;
use super::{StoreError, schema};

/// What was done: a look through a table (`v`), the beginning and the end of a transaction, and a change (`d`). Rows that a look showed are counted.
#[derive(Clone, Debug, Default)]
pub(super) struct DatabaseNotes {
    signs: Arc<Mutex<String>>,
    shown: Arc<Mutex<usize>>,
}

impl DatabaseNotes {
    fn note(&self, sign: char) {
        self.signs.lock().unwrap().push(sign);
    }

    /// The signs since the last time.
    pub(super) fn take(&self) -> String {
        std::mem::take(&mut self.signs.lock().unwrap())
    }

    /// The rows that were shown since the last time.
    pub(super) fn take_shown(&self) -> usize {
        std::mem::take(&mut self.shown.lock().unwrap())
    }
}

/// SQLite, and what is done with it.
#[derive(Debug)]
pub(super) struct NotedDatabase {
    database: SqliteDatabase,
    notes: DatabaseNotes,
}

impl NotedDatabase {
    /// One with ishi's tables, and its notes.
    pub(super) fn with_tables() -> (NotedDatabase, DatabaseNotes) {
        let mut database = SqliteDatabase::in_memory().unwrap();
        schema::migrate_schema(&mut database).unwrap();
        let notes = DatabaseNotes::default();
        (NotedDatabase { database, notes: notes.clone() }, notes)
    }
}

impl Database for NotedDatabase {
    fn place(&self) -> &Path {
        self.database.place()
    }

    fn query(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<SqlRow>, StoreError> {
        self.database.query(sql, values)
    }

    fn visit_rows(&mut self, sql: &str, visit: &mut RowVisitor<'_>) -> Result<(), StoreError> {
        self.notes.note('v');
        let shown = Arc::clone(&self.notes.shown);
        self.database.visit_rows(sql, &mut |row| -> ControlFlow<()> {
            *shown.lock().unwrap() += 1;
            visit(row)
        })
    }

    fn execute(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        self.notes.note('d');
        self.database.execute(sql, values)
    }

    fn execute_batch(&mut self, sql: &str) -> Result<(), StoreError> {
        self.database.execute_batch(sql)
    }

    fn begin(&mut self) -> Result<(), StoreError> {
        self.notes.note('(');
        self.database.begin()
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.notes.note(')');
        self.database.commit()
    }

    fn roll_back(&mut self) {
        self.database.roll_back();
    }

    fn hold_table(&mut self, table: &str) -> Result<(), StoreError> {
        self.database.hold_table(table)
    }

    fn table_names(&mut self) -> Result<Vec<String>, StoreError> {
        self.database.table_names()
    }

    fn limit_pages(&mut self, pages: u32) -> Result<(), StoreError> {
        self.database.limit_pages(pages)
    }
}
