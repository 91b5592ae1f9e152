//! SQLite as the store's database: one file, or memory.

use std::path::{Path, PathBuf};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

use super::database::{
    Database, IS_FREE_PLACE, LOCK_FREE_ROWS, NOW, NOW_MILLISECONDS, ROW_ADDRESS, ROW_AT_ADDRESS, RowVisitor,
    SqlField, SqlRow, SqlValue,
};
use super::{StoreError, connection};

/// An open file, or a database in memory.
#[derive(Debug)]
pub(super) struct SqliteDatabase {
    connection: Connection,
    path: PathBuf,
}

impl SqliteDatabase {
    /// Opens or makes the file; its tables are not looked at yet.
    pub(super) fn open(path: &Path) -> Result<SqliteDatabase, StoreError> {
        let connection = connection::open_for_writing(path)?;
        Ok(SqliteDatabase { connection, path: path.to_path_buf() })
    }

    /// Opens an existing file for reading.
    pub(super) fn open_read_only(path: &Path) -> Result<SqliteDatabase, StoreError> {
        let connection = connection::open_read_only(path)?;
        Ok(SqliteDatabase { connection, path: path.to_path_buf() })
    }

    /// A database that lives as long as this value.
    pub(super) fn in_memory() -> Result<SqliteDatabase, StoreError> {
        let path = PathBuf::from(":memory:");
        let opened = Connection::open_in_memory();
        let connection = opened.map_err(|error| StoreError::from_sqlite(&path, error))?;
        Ok(SqliteDatabase { connection, path })
    }

    /// From now on readers and a writer do not wait for each other.
    pub(super) fn use_write_ahead_log(&self) -> Result<(), StoreError> {
        connection::use_write_ahead_log(&self.connection, &self.path)
    }

    fn wrap_error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(&self.path, error)
    }

    fn read_rows(&self, sql: &str, values: &[SqlValue<'_>]) -> rusqlite::Result<Vec<SqlRow>> {
        let mut statement = self.connection.prepare_cached(&in_sqlite(sql))?;
        let columns = statement.column_count();
        let rows =
            statement.query_map(params_from_iter(values.iter().copied()), |row| read_row(row, columns))?;
        rows.collect()
    }

    fn walk_rows(&self, sql: &str, visit: &mut RowVisitor<'_>) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(&in_sqlite(sql))?;
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if visit(&read_row(row, columns)?).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// One writer at a time holds the whole file, so that there is nothing to lock or to skip.
fn in_sqlite(sql: &str) -> String {
    let sql = sql
        .replace(ROW_AT_ADDRESS, "rowid = CAST($1 AS INTEGER)")
        .replace(ROW_ADDRESS, "CAST(rowid AS TEXT)");
    // `$2` would be a name here, whose value is given in the order in which names appear. `?2` is the second value.
    let sql = sql.replace('$', "?").replace(NOW, "unixepoch()").replace(LOCK_FREE_ROWS, "");
    let sql = sql.replace(IS_FREE_PLACE, "IN (SELECT place FROM free)");
    sql.replace(NOW_MILLISECONDS, "CAST(1000 * unixepoch('subsec') AS BIGINT)")
}

fn read_row(row: &rusqlite::Row<'_>, columns: usize) -> rusqlite::Result<SqlRow> {
    let fields: rusqlite::Result<Vec<SqlField>> =
        (0..columns).map(|column| read_field(row, column)).collect();
    fields.map(SqlRow)
}

fn read_field(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<SqlField> {
    Ok(match row.get_ref(column)? {
        // A bit that has changed may make bytes that are no text: this row is damaged, and the others are not.
        ValueRef::Text(bytes) => match String::from_utf8(bytes.to_vec()) {
            Ok(text) => SqlField::Text(text),
            Err(_) => SqlField::BrokenText(String::from_utf8_lossy(bytes).into_owned()),
        },
        ValueRef::Integer(number) => SqlField::Whole(number),
        ValueRef::Real(number) => SqlField::Real(number),
        ValueRef::Null => SqlField::Null,
        // Nor do we keep bytes: one bit makes them of a text, which is then no longer found by what it says.
        ValueRef::Blob(bytes) => SqlField::BrokenText(String::from_utf8_lossy(bytes).into_owned()),
    })
}

impl ToSql for SqlValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            SqlValue::Text(text) => ValueRef::Text(text.as_bytes()),
            SqlValue::Whole(number) => ValueRef::Integer(*number),
            SqlValue::Real(number) => ValueRef::Real(*number),
        }))
    }
}

impl Database for SqliteDatabase {
    fn place(&self) -> &Path {
        &self.path
    }

    fn query(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<SqlRow>, StoreError> {
        self.read_rows(sql, values).map_err(|error| self.wrap_error(error))
    }

    fn visit_rows(&mut self, sql: &str, visit: &mut RowVisitor<'_>) -> Result<(), StoreError> {
        self.walk_rows(sql, visit).map_err(|error| self.wrap_error(error))
    }

    fn execute(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        let prepared = self.connection.prepare_cached(&in_sqlite(sql));
        let changed =
            prepared.and_then(|mut statement| statement.execute(params_from_iter(values.iter().copied())));
        changed.map(|rows| rows as u64).map_err(|error| self.wrap_error(error))
    }

    fn execute_batch(&mut self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.wrap_error(error))
    }

    /// Takes the right to write at its start, so that it is never turned down in its middle.
    fn begin(&mut self) -> Result<(), StoreError> {
        self.execute_batch("BEGIN IMMEDIATE")
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.execute_batch("COMMIT")
    }

    fn roll_back(&mut self) {
        // SQLite has rolled back by itself after some errors, and says so here.
        let _ = self.connection.execute_batch("ROLLBACK");
    }

    fn hold_table(&mut self, table: &str) -> Result<(), StoreError> {
        self.execute_batch(&format!("REINDEX {table}"))
    }

    fn table_names(&mut self) -> Result<Vec<String>, StoreError> {
        let rows = self.query("SELECT name FROM sqlite_master WHERE type = 'table'", &[])?;
        Ok(rows.iter().filter_map(|row| row.get(0).ok()).collect())
    }

    fn limit_pages(&mut self, pages: u32) -> Result<(), StoreError> {
        let limit = self.connection.pragma_update(None, "max_page_count", pages);
        limit.map_err(|error| self.wrap_error(error))
    }
}
