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
            // As PostgreSQL keeps it.
            let text = text.replace('\0', "\u{fffd}");
            let sum = extend_checksum(extend_checksum(sum, b"t"), &(text.len() as u64).to_le_bytes());
            extend_checksum(sum, text.as_bytes())
        }
        SqlValue::Whole(number) => extend_checksum(extend_checksum(sum, b"w"), &number.to_le_bytes()),
        SqlValue::Real(number) => {
            extend_checksum(extend_checksum(sum, b"r"), &number.to_bits().to_le_bytes())
        }
    });
    format!("{sum:016x}")
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
        // Nothing that a row of ours has.
        SqlField::Null | SqlField::BrokenText(_) => SqlValue::Real(f64::NAN),
    };
    checksum_of_values(&fields.iter().map(value).collect::<Vec<_>>())
}

/// A table whose rows have checksums: the columns that go in, and how many of the first name the row.
struct SealedTable {
    name: &'static str,
    columns: &'static str,
    names: &'static [&'static str],
}

/// The columns in the order in which they are read. Names are text or whole numbers.
const SEALED_TABLES: [SealedTable; 3] = [
    SealedTable { name: "tasks", columns: super::SEALED_TASK_COLUMNS, names: &["id"] },
    SealedTable { name: "games", columns: super::games::SEALED_COLUMNS, names: &["task", "number"] },
    SealedTable { name: "documents", columns: super::documents::SEALED_COLUMNS, names: &["kind", "id"] },
];

/// Gives every row of an older schema its checksum.
pub(super) fn seal_all_rows(database: &mut dyn Database) -> Result<(), StoreError> {
    SEALED_TABLES.iter().try_for_each(|table| seal_table(table, database))
}

fn seal_table(table: &SealedTable, database: &mut dyn Database) -> Result<(), StoreError> {
    let SealedTable { name, columns, names } = table;
    let count = columns.split(',').count();
    let rows = database.query(&format!("SELECT {columns}, {} FROM {name}", names.join(", ")), &[])?;
    let wheres: Vec<String> =
        names.iter().enumerate().map(|(at, column)| format!("{column} = ${}", at + 2)).collect();
    let update = format!("UPDATE {name} SET checksum = $1 WHERE {}", wheres.join(" AND "));
    for row in &rows {
        let (sealed, key) = row.0.split_at(count.min(row.0.len()));
        let sum = checksum_of_fields(sealed);
        let mut values = sql_values![&sum].to_vec();
        values.extend(key.iter().map(|field| match field {
            SqlField::Whole(number) => SqlValue::Whole(*number),
            SqlField::Text(text) => SqlValue::Text(text),
            SqlField::Real(_) | SqlField::Null | SqlField::BrokenText(_) => SqlValue::Text(""),
        }));
        database.execute(&update, &values)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
