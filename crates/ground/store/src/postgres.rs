//! PostgreSQL as the store's database: a server that many machines share.
//!
//! The crate `postgres` speaks the protocol. Text columns get the collation "C", so that names come in the order of their
//! bytes, as SQLite has them. Where a server goes away, [`Database::reconnect`] waits for it: a restart, or a
//! connection that is cut for a minute, costs time and nothing else.

mod address;
mod tls;

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ::postgres::error::SqlState;
use ::postgres::fallible_iterator::FallibleIterator;
use ::postgres::types::{ToSql, Type};
use ::postgres::{Client, NoTls, Row, Statement};

use self::address::ServerAddress;
pub(super) use self::address::hide_password;
pub use self::address::{AddressSurroundings, describe_server};
use super::StoreError;
use super::database::{
    Database, INDEXED_BY, IS_FREE_PLACE, NOW, NOW_MILLISECONDS, ROW_ADDRESS, ROW_AT_ADDRESS, RowVisitor,
    SqlField, SqlRow, SqlValue,
};

/// How long a server may be away before work that needs it ends.
pub const SERVER_PATIENCE: Duration = Duration::from_secs(180);

/// The time between two attempts to reach the server.
const PAUSE: Duration = Duration::from_millis(500);

/// The number of the lock that migrations take: "ishi" in ASCII.
const MIGRATION_LOCK: i64 = 0x6973_6869;

/// A connection to a server, and what is needed to make it again.
pub(super) struct PostgresDatabase {
    address: ServerAddress,
    place: PathBuf,
    client: Client,
    read_only: bool,
    /// Prepared statements, by their SQL as the store has it.
    statements: HashMap<String, Statement>,
}

impl fmt::Debug for PostgresDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresDatabase").field("place", &self.place).finish_non_exhaustive()
    }
}

impl PostgresDatabase {
    /// Connects; the tables are not looked at yet.
    pub(super) fn connect(address: &str) -> Result<PostgresDatabase, StoreError> {
        PostgresDatabase::connect_as(address, false)
    }

    /// Connects for queries only.
    pub(super) fn connect_read_only(address: &str) -> Result<PostgresDatabase, StoreError> {
        PostgresDatabase::connect_as(address, true)
    }

    fn connect_as(text: &str, read_only: bool) -> Result<PostgresDatabase, StoreError> {
        let address = ServerAddress::parse(text)?;
        let place = PathBuf::from(address.without_password());
        let client = open_client(&address, &place, read_only)?;
        Ok(PostgresDatabase { address, place, client, read_only, statements: HashMap::new() })
    }

    fn wrap_error(&self, error: &::postgres::Error) -> StoreError {
        let closed = self.client.is_closed();
        store_error(&self.place, error, closed)
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement, ::postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(&in_postgres(sql))?;
        self.statements.insert(sql.to_string(), statement.clone());
        Ok(statement)
    }

    fn query_fields(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<Row>, ::postgres::Error> {
        let statement = self.prepare(sql)?;
        let owned: Vec<PostgresValue> = values.iter().map(PostgresValue::from).collect();
        let values: Vec<&(dyn ToSql + Sync)> = owned.iter().map(PostgresValue::as_sql).collect();
        self.client.query(&statement, &values)
    }

    fn execute_statement(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<u64, ::postgres::Error> {
        let statement = self.prepare(sql)?;
        let owned: Vec<PostgresValue> = values.iter().map(PostgresValue::from).collect();
        let values: Vec<&(dyn ToSql + Sync)> = owned.iter().map(PostgresValue::as_sql).collect();
        self.client.execute(&statement, &values)
    }

    fn walk_rows(&mut self, sql: &str, visit: &mut RowVisitor<'_>) -> Result<(), ::postgres::Error> {
        let statement = self.prepare(sql)?;
        // One row at a time: together they may be more than the memory holds.
        let mut rows = self.client.query_raw(&statement, std::iter::empty::<i64>())?;
        while let Some(row) = rows.next()? {
            // What the server has still to send is thrown away as it comes.
            if visit(&read_row(&row)?).is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn open_client(address: &ServerAddress, place: &Path, read_only: bool) -> Result<Client, StoreError> {
    let config = address.client_config();
    let connected = match address.tls_connector()? {
        Some(connector) => config.connect(connector),
        None => config.connect(NoTls),
    };
    let failed = |error: ::postgres::Error| store_error(place, &error, true);
    let mut client = connected.map_err(failed)?;
    // A worker that is frozen inside a transaction must not hold up the others for ever.
    let mut settings = String::from("SET idle_in_transaction_session_timeout = '60s'; ");
    if read_only {
        settings.push_str("SET default_transaction_read_only = on; ");
    }
    client.batch_execute(&settings).map_err(failed)?;
    Ok(client)
}

/// The server's own words in place of ours. A column's collation can be said only where the table is made.
fn in_postgres(sql: &str) -> String {
    const SECONDS: &str = "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp())) AS BIGINT)";
    const MILLISECONDS: &str = "CAST(FLOOR(1000 * EXTRACT(EPOCH FROM clock_timestamp())) AS BIGINT)";
    // The value is sent as a text, and the server makes an address of it.
    const AT_ADDRESS: &str = "ctid = CAST(CAST($1 AS TEXT) AS tid)";
    let sql = without_indexes(sql).replace(NOW, SECONDS).replace(NOW_MILLISECONDS, MILLISECONDS);
    let sql = sql.replace(ROW_AT_ADDRESS, AT_ADDRESS).replace(ROW_ADDRESS, "CAST(ctid AS TEXT)");
    let sql = sql.replace(IS_FREE_PLACE, "= ANY (ARRAY (SELECT place FROM free))");
    if sql.contains("CREATE TABLE") { sql.replace(" TEXT ", " TEXT COLLATE \"C\" ") } else { sql }
}

/// The statement without the names of indexes that it goes by.
fn without_indexes(sql: &str) -> String {
    let mut parts = sql.split(INDEXED_BY);
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |sql, part| {
        let behind_name = part.trim_start().split_once(' ').map_or("", |(_, rest)| rest);
        sql + behind_name
    })
}

/// A value in the types of the server.
enum PostgresValue {
    Text(String),
    Whole(i64),
    Real(f64),
}

impl From<&SqlValue<'_>> for PostgresValue {
    /// A text of PostgreSQL cannot hold the character 0, which a program may have said: it becomes the sign for what is no
    /// character.
    fn from(value: &SqlValue<'_>) -> PostgresValue {
        match *value {
            SqlValue::Text(text) => PostgresValue::Text(text.replace('\0', "\u{fffd}")),
            SqlValue::Whole(number) => PostgresValue::Whole(number),
            SqlValue::Real(number) => PostgresValue::Real(number),
        }
    }
}

impl PostgresValue {
    fn as_sql(&self) -> &(dyn ToSql + Sync) {
        match self {
            PostgresValue::Text(text) => text,
            PostgresValue::Whole(number) => number,
            PostgresValue::Real(number) => number,
        }
    }
}

fn read_row(row: &Row) -> Result<SqlRow, ::postgres::Error> {
    let fields = (0..row.len()).map(|column| read_field(row, column));
    fields.collect::<Result<_, _>>().map(SqlRow)
}

fn read_field(row: &Row, column: usize) -> Result<SqlField, ::postgres::Error> {
    let kind = row.columns()[column].type_();
    let field = match *kind {
        Type::INT8 => row.try_get::<_, Option<i64>>(column)?.map(SqlField::Whole),
        Type::INT4 => row.try_get::<_, Option<i32>>(column)?.map(|number| SqlField::Whole(number.into())),
        Type::FLOAT8 => row.try_get::<_, Option<f64>>(column)?.map(SqlField::Real),
        _ => row.try_get::<_, Option<String>>(column)?.map(SqlField::Text),
    };
    Ok(field.unwrap_or(SqlField::Null))
}

impl Database for PostgresDatabase {
    fn place(&self) -> &Path {
        &self.place
    }

    fn query(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<SqlRow>, StoreError> {
        let rows = self.query_fields(sql, values).map_err(|error| self.wrap_error(&error))?;
        rows.iter().map(read_row).collect::<Result<_, _>>().map_err(|error| self.wrap_error(&error))
    }

    fn visit_rows(&mut self, sql: &str, visit: &mut RowVisitor<'_>) -> Result<(), StoreError> {
        self.walk_rows(sql, visit).map_err(|error| self.wrap_error(&error))
    }

    fn execute(&mut self, sql: &str, values: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        self.execute_statement(sql, values).map_err(|error| self.wrap_error(&error))
    }

    fn execute_batch(&mut self, sql: &str) -> Result<(), StoreError> {
        let done = self.client.batch_execute(&in_postgres(sql));
        done.map_err(|error| self.wrap_error(&error))
    }

    fn begin(&mut self) -> Result<(), StoreError> {
        self.execute_batch("BEGIN")
    }

    /// Two programs may be the first to come to an empty database.
    fn begin_migration(&mut self) -> Result<(), StoreError> {
        self.begin()?;
        self.execute_batch(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.execute_batch("COMMIT")
    }

    fn roll_back(&mut self) {
        // A connection that is gone has rolled back already.
        let _ = self.client.batch_execute("ROLLBACK");
    }

    /// Others may still read it.
    fn hold_table(&mut self, table: &str) -> Result<(), StoreError> {
        self.execute_batch(&format!("LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE"))
    }

    fn table_names(&mut self) -> Result<Vec<String>, StoreError> {
        const SQL: &str = "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()";
        let rows = self.query(SQL, &[])?;
        Ok(rows.iter().filter_map(|row| row.get(0).ok()).collect())
    }

    // Waiting for the server is what this is for.
    #[allow(clippy::disallowed_methods)]
    fn reconnect(&mut self, tell_away: &mut dyn FnMut(&str)) -> bool {
        let (start, mut is_told) = (Instant::now(), false);
        while start.elapsed() < SERVER_PATIENCE {
            match open_client(&self.address, &self.place, self.read_only) {
                Ok(client) => {
                    self.client = client;
                    // The server knew them by the connection that is gone.
                    self.statements.clear();
                    return true;
                }
                Err(StoreError::Unreachable { cause, .. }) => {
                    if !std::mem::replace(&mut is_told, true) {
                        tell_away(&cause);
                    }
                    std::thread::sleep(PAUSE);
                }
                Err(_) => return false,
            }
        }
        false
    }

    fn limit_pages(&mut self, _pages: u32) -> Result<(), StoreError> {
        let cause = "only a file can be bounded in pages".to_string();
        Err(StoreError::Other { path: self.place.clone(), cause })
    }
}

/// Classes of errors that pass: shut down or starting, a broken connection, a transaction that lost against another, too many
/// connections.
const PASSING: [&str; 4] = ["57P", "08", "40", "53"];

/// What the server or the network said, in our words.
fn store_error(place: &Path, error: &::postgres::Error, closed: bool) -> StoreError {
    let path = place.to_path_buf();
    let Some(said) = error.as_db_error() else {
        let cause = innermost_cause(error);
        if cause.contains("password missing") {
            let cause = "it wants a password: PGPASSWORD, PGPASSFILE or ~/.pgpass may have it".to_string();
            return StoreError::Refused { path, cause };
        }
        if is_refused_by_tls(error) {
            return StoreError::Refused { path, cause: cause + TLS_HINT };
        }
        let unreachable = closed || error.is_closed() || find_network_error(error).is_some();
        return if unreachable {
            StoreError::Unreachable { path, cause }
        } else {
            StoreError::Other { path, cause }
        };
    };
    let mut cause = said.message().to_string();
    let code = said.code();
    let is_class = |class: &str| code.code().starts_with(class);
    if *code == SqlState::INVALID_CATALOG_NAME {
        cause += "; `createdb` of PostgreSQL makes one";
    }
    if *code == SqlState::DISK_FULL {
        StoreError::Full { path, cause }
    } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
        StoreError::ReadOnly { path }
    } else if *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT || PASSING.into_iter().any(is_class) {
        StoreError::Unreachable { path, cause }
    } else if is_class("28") || is_class("3D") || *code == SqlState::INSUFFICIENT_PRIVILEGE {
        StoreError::Refused { path, cause }
    } else {
        StoreError::Other { path, cause }
    }
}

/// What helps where the server has no TLS, or a certificate that nobody here trusts.
const TLS_HINT: &str = ". In the address ?sslrootcert=FILE names the server's own certificate or who has signed it, and ?sslmode=disable \
                        goes without TLS, on a network that you trust";

/// Will TLS not come about, however often one tries? A line that breaks meanwhile is something else.
fn is_refused_by_tls(error: &::postgres::Error) -> bool {
    let is_of_line =
        |found: &io::Error| !matches!(found.kind(), io::ErrorKind::InvalidData | io::ErrorKind::Other);
    error.to_string().contains("TLS handshake") && !find_network_error(error).is_some_and(is_of_line)
}

/// The error of the connection that lies below, if it is the connection rather than what was sent over it.
fn find_network_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a io::Error> {
    let mut below = error.source();
    while let Some(source) = below {
        if let Some(found) = source.downcast_ref::<io::Error>() {
            return Some(found);
        }
        below = source.source();
    }
    None
}

/// The crate's own words ("error communicating with the server") say less than what lies below.
fn innermost_cause(error: &dyn Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let (outer, inner) = (error.to_string(), innermost.to_string());
    if outer.contains(&inner) { outer } else { format!("{outer}: {inner}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_sort_by_bytes_and_clocks_are_the_servers() {
        let table = in_postgres("CREATE TABLE t (\n    a TEXT PRIMARY KEY,\n    b TEXT NOT NULL\n)");
        assert_eq!(table.matches("COLLATE \"C\"").count(), 2, "{table}");
        let query = in_postgres(&format!("UPDATE t SET a = {NOW} WHERE b < {NOW_MILLISECONDS}"));
        assert_eq!(query.matches("clock_timestamp()").count(), 2, "{query}");
        assert!(!query.contains("NOW_"), "{query}");
        let read =
            in_postgres(&format!("SELECT a FROM t {INDEXED_BY} t_by_a JOIN u {INDEXED_BY} u_by_b ON a = b"));
        assert_eq!(read, "SELECT a FROM t JOIN u ON a = b");
    }
}
