//! Checksums of rows. A database notices a page that was cut off, but not a bit that has changed in a text: a count could become
//! another one unseen.

use ishi_rng::checksum::{extend_checksum, fnv_checksum};

use super::StoreError;
use super::database::{Database, SqlField, SqlFieldError, SqlRow, SqlValue, sql_values};

/// The checksum of the values of a row, sixteen hexadecimal digits. Types and lengths go in, so that nothing can move from one value
/// to the next.
pub(super) fn checksum_of_values(values: &[SqlValue<'_>]) -> String {
    let sum = values.iter().fold(fnv_checksum(b"row"), |sum, value| match value {
        SqlValue::Text(text) => {
            // PostgreSQL has no NUL in texts, so the sum is that of the text which both databases keep.
            let text = text.replace('\0', "\u{fffd}");
            let sum = extend_checksum(extend_checksum(sum, b"t"), &(text.len() as u64).to_le_bytes());
            extend_checksum(sum, text.as_bytes())
        }
        SqlValue::Whole(number) => extend_checksum(extend_checksum(sum, b"w"), &number.to_le_bytes()),
        SqlValue::Real(number) => {
            // SQLite gives 0 back for -0, such as a komi that was written so.
            let number = number + 0.0;
            extend_checksum(extend_checksum(sum, b"r"), &number.to_bits().to_le_bytes())
        }
    });
    format!("{sum:016x}")
}

/// As [`check_row`], and says whose row it is if it is damaged.
pub(super) fn check_row_of(
    row: &SqlRow,
    count: usize,
    name: impl FnOnce() -> String,
) -> Result<(), SqlFieldError> {
    check_row(row, count).map_err(|error| error.within(&name()))
}

/// A damaged row, for whoever is within a transaction.
pub(super) fn damaged_row(database: &dyn Database, SqlFieldError(cause): SqlFieldError) -> StoreError {
    StoreError::DamagedRow { path: database.place().to_path_buf(), cause }
}

/// Holds columns of a row, from this one on, against what it was asked for by. A damaged index leads to the row of another name, and that row is
/// whole.
pub(super) fn check_asked(
    row: &SqlRow,
    from: usize,
    asked: &[SqlValue<'_>],
    name: impl FnOnce() -> String,
) -> Result<(), SqlFieldError> {
    let found = row.0.get(from..).unwrap_or_default();
    let is_asked =
        found.len() >= asked.len() && found.iter().zip(asked).all(|(field, value)| is_value(field, value));
    if is_asked {
        return Ok(());
    }
    let shown: Vec<String> = (from..from + asked.len()).map(|column| row.shown_text(column)).collect();
    Err(SqlFieldError(format!("another row stands in its place, that of {}", shown.join(" ")))
        .within(&name()))
}

fn is_value(field: &SqlField, value: &SqlValue<'_>) -> bool {
    match (field, value) {
        // PostgreSQL keeps another character for NUL.
        (SqlField::Text(found), SqlValue::Text(asked)) => {
            found.replace('\0', "\u{fffd}") == asked.replace('\0', "\u{fffd}")
        }
        (SqlField::Whole(found), SqlValue::Whole(asked)) => found == asked,
        _ => false,
    }
}

/// Holds the first `count` columns of a row against the checksum that stands behind them.
pub(super) fn check_row(row: &SqlRow, count: usize) -> Result<(), SqlFieldError> {
    let kept: String = row.get(count)?;
    if kept == checksum_of_fields(row.0.get(..count).unwrap_or_default()) {
        return Ok(());
    }
    Err(SqlFieldError("the row does not fit its checksum".to_string()))
}

fn checksum_of_fields(fields: &[SqlField]) -> String {
    let value = |field| match field {
        &SqlField::Whole(number) => SqlValue::Whole(number),
        &SqlField::Real(number) => SqlValue::Real(number),
        SqlField::Text(text) => SqlValue::Text(text),
        // Rows of ours have neither: what is not a number makes a sum that fits no row.
        SqlField::Null | SqlField::BrokenText(_) => SqlValue::Real(f64::NAN),
    };
    checksum_of_values(&fields.iter().map(value).collect::<Vec<_>>())
}

/// A table whose rows have checksums: the columns that go in, and how many of the first name the row.
struct SealedTable {
    name: &'static str,
    /// The first schema in which it has checksums.
    since: i64,
    columns: &'static str,
    names: &'static [&'static str],
}

/// The columns in the order in which they are read. Names are text or whole numbers.
const SEALED_TABLES: [SealedTable; 11] = [
    SealedTable { name: "tasks", since: 4, columns: super::SEALED_TASK_COLUMNS, names: &["id"] },
    SealedTable {
        name: "games",
        since: 4,
        columns: super::games::SEALED_COLUMNS,
        names: &["task", "number"],
    },
    SealedTable {
        name: "documents",
        since: 4,
        columns: super::documents::SEALED_COLUMNS,
        names: &["kind", "id"],
    },
    SealedTable { name: "runs", since: 5, columns: super::runs::SEALED_COLUMNS, names: &["name"] },
    SealedTable {
        name: "run_tasks",
        since: 5,
        columns: super::runs::SEALED_TASK_PLACE,
        names: &["run", "place"],
    },
    SealedTable { name: "jobs", since: 5, columns: super::queue::SEALED_JOB, names: &["run", "campaign"] },
    SealedTable { name: "queue", since: 5, columns: super::queue::SEALED_ENTRY, names: &["run", "place"] },
    SealedTable { name: "workers", since: 5, columns: super::queue::SEALED_WORKER, names: &["id"] },
    SealedTable {
        name: "alarms",
        since: 5,
        columns: super::alarms::SEALED_COLUMNS,
        names: &["task", "worker"],
    },
    SealedTable { name: "joins", since: 6, columns: super::queue::SEALED_JOIN, names: &["run", "place"] },
    SealedTable {
        name: "failures",
        since: 6,
        columns: super::failures::SEALED_COLUMNS,
        names: &["run", "place"],
    },
];

/// Rows that are in memory at once. Some have megabytes.
const BATCH: usize = 32;

/// Gives every row of the schema `found` that had none its checksum, within the transaction of the caller. Tables that had checksums already
/// stay as they are: what is damaged there must stay so.
pub(super) fn seal_rows_before(found: i64, database: &mut dyn Database) -> Result<(), StoreError> {
    SEALED_TABLES.iter().filter(|table| table.since > found).try_for_each(|table| seal_table(table, database))
}

/// The schema since which jobs say up to which place they want tasks. The one in which they got checksums came before it.
const JOBS_WITH_ENDS: i64 = 8;

/// Jobs of the schema `found` that had checksums without [`JOBS_WITH_ENDS`] get them anew, within the transaction of the caller. One that was
/// damaged keeps its checksum, which fits it no more than before.
pub(super) fn seal_jobs_before(found: i64, database: &mut dyn Database) -> Result<(), StoreError> {
    const UPDATE: &str = "UPDATE jobs SET checksum = $1 WHERE run = $2 AND campaign = $3";
    let had_checksums = SEALED_TABLES.iter().any(|table| table.name == "jobs" && table.since <= found);
    if !had_checksums || found >= JOBS_WITH_ENDS {
        return Ok(());
    }
    for row in database.query("SELECT run, campaign, job, checksum, end_place FROM jobs", &[])? {
        if check_row(&row, 3).is_err() {
            continue;
        }
        let [run, campaign, job, _, end] = &row.0[..] else { continue };
        let sum = checksum_of_fields(&[run, campaign, job, end].map(Clone::clone));
        if let Some(name) = name_values(&row.0[..2]) {
            database.execute(UPDATE, &[&sql_values![&sum][..], &name[..]].concat())?;
        }
    }
    Ok(())
}

/// How far a table is sealed: behind the row of this name, and so many more.
#[derive(Default)]
struct SealedPlace {
    after: Option<Vec<SqlField>>,
    /// Rows behind it whose names are damaged, so that nothing can be asked for behind them.
    skipped: usize,
}

/// A batch at a time, in the order of names: they stand in the table's index.
fn seal_table(table: &SealedTable, database: &mut dyn Database) -> Result<(), StoreError> {
    let mut place = SealedPlace::default();
    loop {
        let rows = read_batch(table, &place, database)?;
        rows.iter().try_for_each(|row| seal_row(table, row, database))?;
        if rows.len() < BATCH {
            return Ok(());
        }
        match rows.iter().rposition(|row| name_values(table.split_row(row).1).is_some()) {
            Some(at) => {
                let after = Some(table.split_row(&rows[at]).1.to_vec());
                place = SealedPlace { after, skipped: rows.len() - 1 - at };
            }
            None => place.skipped += rows.len(),
        }
    }
}

impl SealedTable {
    /// The fields of a row that the checksum is of, and those that name it.
    fn split_row<'a>(&self, row: &'a SqlRow) -> (&'a [SqlField], &'a [SqlField]) {
        row.0.split_at(self.columns.split(',').count().min(row.0.len()))
    }
}

/// The next rows: what is sealed, then the names once more.
fn read_batch(
    table: &SealedTable,
    place: &SealedPlace,
    database: &mut dyn Database,
) -> Result<Vec<SqlRow>, StoreError> {
    let SealedTable { name, columns, names, .. } = table;
    let names = names.join(", ");
    let after = place.after.as_deref().and_then(name_values).unwrap_or_default();
    let behind = if after.is_empty() {
        String::new()
    } else {
        let places: Vec<String> = (1..=after.len()).map(|at| format!("${at}")).collect();
        format!("WHERE ({names}) > ({}) ", places.join(", "))
    };
    let sql = format!(
        "SELECT {columns}, {names} FROM {name} {behind}ORDER BY {names} LIMIT {BATCH} OFFSET {}",
        place.skipped
    );
    database.query(&sql, &after)
}

/// A row whose name is damaged cannot be named. It stays without a checksum, so that whoever reads it finds it damaged.
fn seal_row(table: &SealedTable, row: &SqlRow, database: &mut dyn Database) -> Result<(), StoreError> {
    let (sealed, name) = table.split_row(row);
    let Some(name) = name_values(name) else { return Ok(()) };
    let wheres: Vec<String> =
        table.names.iter().enumerate().map(|(at, column)| format!("{column} = ${}", at + 2)).collect();
    let update = format!("UPDATE {} SET checksum = $1 WHERE {}", table.name, wheres.join(" AND "));
    let sum = checksum_of_fields(sealed);
    let mut values = sql_values![&sum].to_vec();
    values.extend(name);
    database.execute(&update, &values)?;
    Ok(())
}

/// The name of a row as values; `None` if it is damaged.
fn name_values(name: &[SqlField]) -> Option<Vec<SqlValue<'_>>> {
    let value = |field| match field {
        &SqlField::Whole(number) => Some(SqlValue::Whole(number)),
        SqlField::Text(text) => Some(SqlValue::Text(text)),
        SqlField::Real(_) | SqlField::Null | SqlField::BrokenText(_) => None,
    };
    name.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::super::noted::NotedDatabase;
    use super::super::schema;
    use super::super::sqlite::SqliteDatabase;
    use super::*;

    /// A database of the schema before checksums, with 100 documents, and as many whose keys are no text.
    fn old_database() -> SqliteDatabase {
        let mut database = SqliteDatabase::in_memory().unwrap();
        schema::migrate_schema(&mut database).unwrap();
        for number in 0..100_i64 {
            let (kind, id) = (if number % 2 == 0 { "go" } else { "othello" }, format!("key {number:03}"));
            let insert = "INSERT INTO documents (kind, id, title, body, revision, changed) VALUES ($1, $2, 'a', '{}', 1, $3)";
            database.execute(insert, sql_values![kind, &id, number]).unwrap();
            let broken = "INSERT INTO documents (kind, id, title, body, revision, changed) \
                          VALUES ('go', CAST(X'6b6579ff' AS TEXT) || $1, 'a', '{}', 1, 0)";
            database.execute(broken, sql_values![&id]).unwrap();
        }
        remove_checksums(3, &mut database);
        database
    }

    /// Makes a database one of this schema, as far as checksums go.
    fn remove_checksums(schema: i64, database: &mut SqliteDatabase) {
        for SealedTable { name, since, .. } in SEALED_TABLES.iter().filter(|table| table.since > schema) {
            // The tables of the last schema have had checksums from the beginning.
            let undo = if *since < 6 { "ALTER TABLE {} DROP COLUMN checksum" } else { "DROP TABLE {}" };
            database.execute_batch(&undo.replace("{}", name)).unwrap();
        }
        database.execute("DELETE FROM schema_migrations WHERE version > $1", sql_values![schema]).unwrap();
    }

    /// How many documents fit their checksums, and how many have none.
    fn count_documents(database: &mut dyn Database) -> (usize, usize) {
        let sql = format!("SELECT {}, checksum FROM documents", super::super::documents::SEALED_COLUMNS);
        let rows = database.query(&sql, &[]).unwrap();
        let whole = rows.iter().filter(|row| check_row(row, 5).is_ok()).count();
        (whole, rows.iter().filter(|row| row.0[5] == SqlField::Text(String::new())).count())
    }

    #[test]
    fn rows_are_sealed_a_batch_at_a_time() {
        let (mut database, notes) = NotedDatabase::new(old_database());
        schema::migrate_schema(&mut database).unwrap();
        assert_eq!(notes.longest_answer(), BATCH);
        assert_eq!(count_documents(&mut database), (100, 100));
    }

    #[test]
    fn whoever_is_stopped_while_rows_are_sealed_has_changed_nothing() {
        let (mut database, notes) = NotedDatabase::new(old_database());
        notes.allow_changes(60);
        assert!(schema::migrate_schema(&mut database).unwrap_err().to_string().contains("enough"));
        notes.allow_changes(usize::MAX);
        let found = schema::check_version(&mut database).unwrap_err();
        assert!(matches!(found, StoreError::Older { found: 3, .. }), "{found}");
        schema::migrate_schema(&mut database).unwrap();
        assert_eq!(count_documents(&mut database), (100, 100));
    }

    /// What was damaged under the schema before must not be made whole by its being sealed once more.
    #[test]
    fn rows_that_have_a_checksum_are_not_sealed_again() {
        let mut database = old_database();
        schema::migrate_schema(&mut database).unwrap();
        database
            .execute("INSERT INTO runs (name, kind, spec, started) VALUES ('r', 'k', '{}', 0)", &[])
            .unwrap();
        database.execute("UPDATE documents SET title = 'b' WHERE id = 'key 004'", &[]).unwrap();
        remove_checksums(4, &mut database);
        schema::migrate_schema(&mut database).unwrap();
        assert_eq!(count_documents(&mut database), (99, 100));
        let sql = format!("SELECT {}, checksum FROM runs", super::super::runs::SEALED_COLUMNS);
        let rows = database.query(&sql, &[]).unwrap();
        assert!(rows.len() == 1 && check_row(&rows[0], 3).is_ok(), "{rows:?}");
    }

    #[test]
    fn a_zero_with_a_sign_is_whole_when_it_is_read() {
        let mut database = SqliteDatabase::in_memory().unwrap();
        database.execute_batch("CREATE TABLE t (komi DOUBLE PRECISION NOT NULL, checksum TEXT)").unwrap();
        let sum = checksum_of_values(sql_values![-0.0_f64]);
        database.execute("INSERT INTO t VALUES ($1, $2)", sql_values![-0.0_f64, &sum]).unwrap();
        let rows = database.query("SELECT komi, checksum FROM t", &[]).unwrap();
        assert_eq!(check_row(&rows[0], 1), Ok(()));
    }

    #[test]
    fn a_row_of_another_name_is_told_from_that_which_was_asked_for() {
        let row =
            SqlRow(vec![SqlField::Text("go".into()), SqlField::Text("a\u{fffd}".into()), SqlField::Whole(7)]);
        let check =
            |from, asked: &[SqlValue<'_>]| check_asked(&row, from, asked, || "document a".to_string());
        assert_eq!(check(0, sql_values!["go", "a\0", 7_i64]), Ok(()));
        assert_eq!(check(1, sql_values!["a\u{fffd}"]), Ok(()));
        for asked in [sql_values!["go", "A\u{fffd}"], sql_values!["g", "a\u{fffd}"]] {
            let SqlFieldError(cause) = check(0, asked).unwrap_err();
            assert_eq!(cause, "document a: another row stands in its place, that of go a\u{fffd}");
        }
        assert!(check(2, sql_values![8_i64]).is_err());
        assert!(check(2, sql_values!["7"]).is_err());
        assert!(check(2, sql_values![7_i64, 0_i64]).is_err(), "there is no such column");
    }

    #[test]
    fn a_row_that_changed_anywhere_is_found_out() {
        let text = |text: &str| SqlField::Text(text.to_string());
        let values = sql_values!["ab", "c", 7_i64, 0.5];
        let fields = [text("ab"), text("c"), SqlField::Whole(7), SqlField::Real(0.5)];
        let sealed = |fields: &[SqlField]| {
            let mut row = fields.to_vec();
            row.push(text(&checksum_of_values(values)));
            check_row(&SqlRow(row), 4)
        };
        assert_eq!(sealed(&fields), Ok(()));
        let changed = [
            [text("a"), text("bc"), SqlField::Whole(7), SqlField::Real(0.5)],
            [text("ab"), text("d"), SqlField::Whole(7), SqlField::Real(0.5)],
            [text("ab"), text("c"), SqlField::Whole(8), SqlField::Real(0.5)],
            [text("ab"), text("c"), SqlField::Whole(7), SqlField::Real(-0.5)],
            [text("ab"), text("c"), SqlField::Whole(7), SqlField::Null],
            [text("ab"), text("c"), text("7"), SqlField::Real(0.5)],
        ];
        assert!(changed.iter().all(|fields| sealed(fields).is_err()));
    }
}
