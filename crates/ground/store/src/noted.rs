//! A database that notes what is done with it, and allows no more changes than a test says.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use super::database::{Database, RowVisitor, SqlRow, SqlValue};
use super::sqlite::SqliteDatabase;
use super::{StoreError, schema};

/// What is noted, for whoever holds the database and for its test.
#[derive(Clone, Debug)]
pub(super) struct DatabaseNotes(Arc<Mutex<NotedDeeds>>);

/// What was done: a look through a table (`v`), the beginning and the end of a transaction, and a change (`d`).
#[derive(Debug)]
struct NotedDeeds {
    signs: String,
    /// Rows that looks have shown.
    shown: usize,
    /// Rows of the longest answer to a query.
    longest: usize,
    /// No more changes than these are allowed.
    changes_left: usize,
}

impl DatabaseNotes {
    fn lock(&self) -> MutexGuard<'_, NotedDeeds> {
        self.0.lock().unwrap()
    }

    fn note(&self, sign: char) {
        self.lock().signs.push(sign);
    }

    /// The signs since the last time.
    pub(super) fn take(&self) -> String {
        std::mem::take(&mut self.lock().signs)
    }

    /// The rows that were shown since the last time.
    pub(super) fn take_shown(&self) -> usize {
        std::mem::take(&mut self.lock().shown)
    }

    /// The rows of the longest answer so far.
    pub(super) fn longest_answer(&self) -> usize {
        self.lock().longest
    }

    /// From now on so many changes are made, and then none.
    pub(super) fn allow_changes(&self, count: usize) {
        self.lock().changes_left = count;
    }
}

/// SQLite, and what is done with it.
#[derive(Debug)]
pub(super) struct NotedDatabase {
    database: SqliteDatabase,
    notes: DatabaseNotes,
}

impl NotedDatabase {
    /// This database, and its notes. It allows all changes.
    pub(super) fn new(database: SqliteDatabase) -> (NotedDatabase, DatabaseNotes) {
        let deeds = NotedDeeds { signs: String::new(), shown: 0, longest: 0, changes_left: usize::MAX };
        let notes = DatabaseNotes(Arc::new(Mutex::new(deeds)));
        (NotedDatabase { database, notes: notes.clone() }, notes)
    }

    /// One with ishi's tables.
    pub(super) fn with_tables() -> (NotedDatabase, DatabaseNotes) {
        let mut database = SqliteDatabase::in_memory().unwrap();
        schema::migrate_schema(&mut database).unwrap();
        NotedDatabase::new(database)
    }
}

impl Database for NotedDatabase {
    fn place(&self) -> &Path {
        self.database.place()
    }

    fn query(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<SqlRow>, StoreError> {
        let rows = self.database.query(sql, values)?;
        let mut deeds = self.notes.lock();
        deeds.longest = deeds.longest.max(rows.len());
        drop(deeds);
        Ok(rows)
    }

    fn visit_rows(&mut self, sql: &str, visit: &mut RowVisitor<'_>) -> Result<(), StoreError> {
        self.notes.note('v');
        let notes = &self.notes;
        self.database.visit_rows(sql, &mut |row| -> ControlFlow<()> {
            notes.lock().shown += 1;
            visit(row)
        })
    }

    fn execute(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        let mut deeds = self.notes.lock();
        if deeds.changes_left == 0 {
            return Err(StoreError::Other { path: self.place().to_path_buf(), cause: "enough".into() });
        }
        deeds.changes_left -= 1;
        deeds.signs.push('d');
        drop(deeds);
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
