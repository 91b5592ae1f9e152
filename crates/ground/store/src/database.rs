//! What the store asks of a database: the one trait behind which SQLite and PostgreSQL stand.
//!
//! All SQL of the store is written once, for both. Seven words in it mean something else to each, and each implementation
//! puts its own in their place: [`NOW`], [`NOW_MILLISECONDS`], [`LOCK_FREE_ROWS`], [`IS_FREE_PLACE`], [`INDEXED_BY`], [`ROW_ADDRESS`] and
//! [`ROW_AT_ADDRESS`].

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

use super::StoreError;

/// In SQL: seconds since 1970 by the clock of the database.
pub(super) const NOW: &str = "NOW_SECONDS()";

/// In SQL: milliseconds since 1970 by the clock of the database.
pub(super) const NOW_MILLISECONDS: &str = "NOW_MILLISECONDS()";

/// In SQL, at the end of a SELECT: lock the rows, and leave out those that somebody else has locked.
pub(super) const LOCK_FREE_ROWS: &str = "FOR UPDATE SKIP LOCKED";

/// In SQL, behind a column: it is one of the places of the table `free`. It is no join, as a server that does not know yet how long a queue has
/// become holds each row against each place then.
pub(super) const IS_FREE_PLACE: &str = "IS_FREE_PLACE";

/// In SQL, behind a table and before the name of an index: what is asked for stands there, and the rows need not be read. SQLite would find them by
/// another index. A server chooses by itself.
pub(super) const INDEXED_BY: &str = "INDEXED BY";

/// In SQL: where a row stands in its table, as a text. It needs no name and no index. A change of the row may move it.
pub(super) const ROW_ADDRESS: &str = "ROW_ADDRESS()";

/// In SQL, behind WHERE: the row at the address that is the first value.
pub(super) const ROW_AT_ADDRESS: &str = "ROW_AT_ADDRESS($1)";

/// Who is shown rows one after the other, and says after each whether to go on.
pub type RowVisitor<'a> = dyn FnMut(&SqlRow) -> ControlFlow<()> + 'a;

/// A database with ishi's tables.
///
/// After an error outside a transaction nothing is changed. After one inside, [`Database::roll_back`] must follow.
pub trait Database: fmt::Debug + Send {
    /// The file, or the address of the server without its password.
    fn place(&self) -> &Path;

    /// The rows that a statement gives.
    ///
    /// # Errors
    /// If the database refuses the statement or is out of reach.
    fn query(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<SqlRow>, StoreError>;

    /// Shows each row that a statement without values gives, so that one at a time is in memory: of tables that may have millions. The visitor may end it.
    ///
    /// # Errors
    /// As [`Database::query`]. Some rows may have been shown by then.
    fn visit_rows(&mut self, sql: &str, visit: &mut RowVisitor<'_>) -> Result<(), StoreError>;

    /// Does a statement and says how many rows it changed.
    ///
    /// # Errors
    /// If the database refuses the statement or is out of reach.
    fn execute(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<u64, StoreError>;

    /// Does several statements without values, one after the other.
    ///
    /// # Errors
    /// If the database refuses one of them or is out of reach.
    fn execute_batch(&mut self, sql: &str) -> Result<(), StoreError>;

    /// Begins a transaction that will write.
    ///
    /// # Errors
    /// If the database is out of reach, or locked for too long.
    fn begin(&mut self) -> Result<(), StoreError>;

    /// Begins a transaction that no other migration runs beside.
    ///
    /// # Errors
    /// As [`Database::begin`].
    fn begin_migration(&mut self) -> Result<(), StoreError> {
        self.begin()
    }

    /// Makes the changes of the transaction last.
    ///
    /// # Errors
    /// If the database cannot. Over a network it may have done so all the same.
    fn commit(&mut self) -> Result<(), StoreError>;

    /// Forgets the changes of the transaction.
    fn roll_back(&mut self);

    /// Must come before rows of a table are found by their numbers or addresses and taken out, within the transaction of the caller. Up to its end
    /// nobody else changes the table, so that each row keeps its place. A file, which one program at a time writes, has the table's indexes built anew from its
    /// rows: a bit that has changed in an index makes a row appear under a name that it does not have. A server looks after its own indexes.
    ///
    /// # Errors
    /// If the database cannot be written, or two rows have the same name.
    fn hold_table(&mut self, table: &str) -> Result<(), StoreError>;

    /// The names of all tables in it, ours or not.
    ///
    /// # Errors
    /// If the database is out of reach.
    fn table_names(&mut self) -> Result<Vec<String>, StoreError>;

    /// Tries to get back to a database that was out of reach. Says whether there is any use in trying the last statement again. Where it is not
    /// there at once, `tell_away` hears the cause, once, and then it is tried again and again.
    fn reconnect(&mut self, _tell_away: &mut dyn FnMut(&str)) -> bool {
        false
    }

    /// Bounds its size in pages of 4 KiB, as a full disk would: for tests.
    ///
    /// # Errors
    /// If it cannot.
    fn limit_pages(&mut self, pages: u32) -> Result<(), StoreError>;
}

/// A value of a statement, `$1` and so on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SqlValue<'a> {
    /// TEXT.
    Text(&'a str),
    /// BIGINT.
    Whole(i64),
    /// DOUBLE PRECISION.
    Real(f64),
}

impl<'a> From<&'a str> for SqlValue<'a> {
    fn from(text: &'a str) -> Self {
        SqlValue::Text(text)
    }
}

impl<'a> From<&'a String> for SqlValue<'a> {
    fn from(text: &'a String) -> Self {
        SqlValue::Text(text)
    }
}

impl From<i64> for SqlValue<'_> {
    fn from(number: i64) -> Self {
        SqlValue::Whole(number)
    }
}

impl From<u32> for SqlValue<'_> {
    fn from(number: u32) -> Self {
        SqlValue::Whole(i64::from(number))
    }
}

impl From<u64> for SqlValue<'_> {
    fn from(number: u64) -> Self {
        SqlValue::Whole(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<usize> for SqlValue<'_> {
    fn from(number: usize) -> Self {
        // A list without an end asks for `usize::MAX` rows, and the largest number that a database knows does for that.
        SqlValue::Whole(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<f64> for SqlValue<'_> {
    fn from(number: f64) -> Self {
        SqlValue::Real(number)
    }
}

/// The values of a statement, in the order of their numbers.
macro_rules! sql_values {
    ($($value:expr),* $(,)?) => { &[$($crate::database::SqlValue::from($value)),*] };
}
pub(super) use sql_values;

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlField {
    /// TEXT.
    Text(String),
    /// BIGINT.
    Whole(i64),
    /// DOUBLE PRECISION.
    Real(f64),
    /// Nothing: the sum of no rows, for example.
    Null,
    /// TEXT with bytes that are no text, shown as `\u{fffd}` here, or bytes in the place of a text: the database is damaged.
    BrokenText(String),
}

/// A row that a query gave.
#[derive(Clone, Debug, PartialEq)]
pub struct SqlRow(pub Vec<SqlField>);

/// A column that is not what the store expects: the database is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlFieldError(pub String);

impl SqlFieldError {
    /// Says whose column it is.
    pub(super) fn within(self, whose: &str) -> SqlFieldError {
        SqlFieldError(format!("{whose}: {}", self.0))
    }
}

impl SqlRow {
    /// What stands in a column, for people: of a damaged row, too.
    pub(super) fn shown_text(&self, column: usize) -> String {
        match self.0.get(column) {
            Some(SqlField::Text(text) | SqlField::BrokenText(text)) => text.clone(),
            Some(SqlField::Whole(number)) => number.to_string(),
            Some(SqlField::Real(number)) => number.to_string(),
            Some(SqlField::Null) | None => String::new(),
        }
    }

    /// The value of a column, counted from 0.
    ///
    /// # Errors
    /// If it is of another type, or there is no such column.
    pub fn get<T: FromSqlField>(&self, column: usize) -> Result<T, SqlFieldError> {
        let found = self.0.get(column);
        found
            .and_then(T::from_field)
            .ok_or_else(|| SqlFieldError(format!("column {column} is {found:?}, which is of the wrong type")))
    }
}

/// What a column can be read as.
pub trait FromSqlField: Sized {
    /// The value, if the field has this type.
    fn from_field(field: &SqlField) -> Option<Self>;
}

impl FromSqlField for String {
    fn from_field(field: &SqlField) -> Option<Self> {
        if let SqlField::Text(text) = field { Some(text.clone()) } else { None }
    }
}

impl FromSqlField for i64 {
    fn from_field(field: &SqlField) -> Option<Self> {
        if let SqlField::Whole(number) = field { Some(*number) } else { None }
    }
}

impl FromSqlField for u32 {
    fn from_field(field: &SqlField) -> Option<Self> {
        i64::from_field(field).and_then(|number| number.try_into().ok())
    }
}

impl FromSqlField for u64 {
    fn from_field(field: &SqlField) -> Option<Self> {
        i64::from_field(field).and_then(|number| number.try_into().ok())
    }
}

impl FromSqlField for f64 {
    fn from_field(field: &SqlField) -> Option<Self> {
        if let SqlField::Real(number) = field { Some(*number) } else { None }
    }
}
