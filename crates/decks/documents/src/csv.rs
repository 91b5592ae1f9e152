//! Pools and owned pieces as CSV.

use std::collections::{BTreeMap, BTreeSet};

use ::csv::{ReaderBuilder, StringRecord, Trim};
use ishi_words::{CodedMessage, coded, facts};

use super::document::{CostText, PieceText};
use super::error::DocumentError;
use super::names::{PieceNames, did_you_mean_hint, hint_facts, nearest_names};
use super::scores::{self, MOST_DENSE, MissingScore, ScoreTable};
use super::sealed_csv::check_score_table;
use super::text::decode_utf8;

/// A CSV file with its name, read record by record.
pub(super) struct CsvRecords<'a> {
    name: &'a str,
    reader: ::csv::Reader<&'a [u8]>,
    record: StringRecord,
}

impl<'a> CsvRecords<'a> {
    pub(super) fn new(name: &'a str, bytes: &'a [u8]) -> Result<CsvRecords<'a>, DocumentError> {
        let text = decode_utf8(name, bytes)?;
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(Trim::All)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        Ok(CsvRecords { name, reader, record: StringRecord::new() })
    }

    /// The next record and its line; `None` at the end.
    pub(super) fn next_record(&mut self) -> Result<Option<(&StringRecord, usize)>, DocumentError> {
        match self.reader.read_record(&mut self.record) {
            Ok(false) => Ok(None),
            Ok(true) => {
                let line = self.record.position().map_or(0, |place| place.line() as usize);
                Ok(Some((&self.record, line)))
            }
            Err(error) => {
                let line = error.position().map_or(0, |place| place.line() as usize);
                Err(DocumentError::on_line(self.name, line, "", error.to_string()))
            }
        }
    }

    fn error_on_line(&self, line: usize, field: &str, what: impl Into<CodedMessage>) -> DocumentError {
        DocumentError::on_line(self.name, line, field, what)
    }
}

/// Which column is what.
struct CsvColumns {
    names: Vec<String>,
}

impl CsvColumns {
    fn from_header(record: &StringRecord) -> CsvColumns {
        CsvColumns { names: record.iter().map(str::to_string).collect() }
    }

    fn find_column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|column| column == name)
    }
}

/// What columns of a list of pieces mean; every other column is a resource.
const PIECE_COLUMNS: [&str; 6] = ["name", "attributes", "group", "score", "leader_score", "copies"];

/// The pieces, the resources in the order of their columns, and the line of each piece.
pub(super) struct PieceList {
    pub(super) pieces: Vec<PieceText>,
    pub(super) resources: Vec<String>,
    pub(super) lines: Vec<usize>,
}

/// Reads a list of pieces: a header with `name`, then a line for each.
pub(super) fn read_pieces(name: &str, bytes: &[u8]) -> Result<PieceList, DocumentError> {
    let mut records = CsvRecords::new(name, bytes)?;
    let header = records.next_record()?.map(|(record, line)| (CsvColumns::from_header(record), line));
    let Some((columns, line)) = header else {
        return Err(DocumentError::about_file(
            name,
            coded!["deck-csv-empty", "empty: a header such as name,cost,attributes,group is needed"],
        ));
    };
    check_header(&records, &columns, line)?;
    let resources: Vec<String> =
        columns.names.iter().filter(|name| !PIECE_COLUMNS.contains(&name.as_str())).cloned().collect();
    let (mut pieces, mut lines) = (Vec::new(), Vec::new());
    while let Some((record, line)) = records.next_record()? {
        let piece = parse_piece(record, &columns)
            .map_err(|(field, what)| DocumentError::on_line(name, line, &field, what))?;
        pieces.push(piece);
        lines.push(line);
    }
    Ok(PieceList { pieces, resources, lines })
}

fn check_header(records: &CsvRecords<'_>, columns: &CsvColumns, line: usize) -> Result<(), DocumentError> {
    if columns.find_column("name").is_none() {
        let near = nearest_names("name", columns.names.iter().map(String::as_str));
        let (hint, header) = (did_you_mean_hint(&near), columns.names.join(","));
        let message = format!("the header has no column `name`{hint}; it is {header:?}");
        let facts = facts!["deck-csv-no-name", hint = hint_facts(&near), header = format!("{header:?}")];
        return Err(records.error_on_line(line, "", CodedMessage::new(message, facts)));
    }
    for (at, column) in columns.names.iter().enumerate() {
        if column.is_empty() {
            let what =
                coded!["deck-csv-column", "column {column} of the header has no name", column = at + 1];
            return Err(records.error_on_line(line, "", what));
        }
        if columns.find_column(column) != Some(at) {
            let what = coded!["deck-csv-two-columns", "two columns have this name"];
            return Err(records.error_on_line(line, column, what));
        }
    }
    Ok(())
}

/// A wrong field: its column and what is wrong with it.
type WrongCell = (String, CodedMessage);

fn parse_piece(record: &StringRecord, columns: &CsvColumns) -> Result<PieceText, WrongCell> {
    if record.len() != columns.names.len() {
        let (found, wanted) = (record.len(), columns.names.len());
        let what = coded!["deck-csv-fields", "{found} fields, the header has {wanted}", found, wanted];
        return Err((String::new(), what));
    }
    let field = |name: &str| columns.find_column(name).map(|at| &record[at]).filter(|text| !text.is_empty());
    let decimal = |name: &str| match field(name) {
        None => Ok(0.0),
        Some(text) => parse_score(text).map_err(|what| (name.to_string(), what)),
    };
    let Some(name) = field("name") else {
        return Err(("name".to_string(), coded!["deck-needs-name", "a piece needs a name"]));
    };
    let copies = |text: &str| {
        text.parse().map_err(|_| {
            let what = coded![
                "deck-no-copies",
                "{text} is no number of copies: it must be a whole number such as 2",
                text = format!("{text:?}")
            ];
            ("copies".to_string(), what)
        })
    };
    let attributes = field("attributes").unwrap_or_default();
    Ok(PieceText {
        name: name.to_string(),
        cost: CostText::Some(parse_costs(record, columns)?),
        attributes: attributes
            .split(';')
            .map(str::trim)
            .filter(|t| !t.is_empty())
            .map(str::to_string)
            .collect(),
        group: field("group").map(str::to_string),
        score: decimal("score")?,
        leader_score: decimal("leader_score")?,
        copies: field("copies").map(copies).transpose()?,
    })
}

fn parse_costs(record: &StringRecord, columns: &CsvColumns) -> Result<BTreeMap<String, i64>, WrongCell> {
    let mut costs = BTreeMap::new();
    for (at, column) in columns.names.iter().enumerate() {
        if PIECE_COLUMNS.contains(&column.as_str()) {
            continue;
        }
        let text = &record[at];
        let cost = if text.is_empty() { Some(0) } else { text.parse().ok() };
        let Some(cost) = cost else {
            let near = nearest_names(column, PIECE_COLUMNS.into_iter());
            let (columns, hint) = (PIECE_COLUMNS.join(", "), did_you_mean_hint(&near));
            let message = format!(
                "{text:?} is no whole number; a column of another name than {columns} is what pieces cost{hint}"
            );
            let text = format!("{text:?}");
            let facts = facts!["deck-csv-cost", text, columns, hint = hint_facts(&near)];
            return Err((column.clone(), CodedMessage::new(message, facts)));
        };
        costs.insert(column.clone(), cost);
    }
    Ok(costs)
}

/// A finite number.
fn parse_score(text: &str) -> Result<f64, CodedMessage> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| scores::not_a_score_message(format!("{text:?}")))
}

/// Reads groups: `group,limit`. Each must be one of `known`.
pub(super) fn read_groups(
    name: &str,
    bytes: &[u8],
    known: &BTreeSet<&str>,
) -> Result<BTreeMap<String, usize>, DocumentError> {
    let mut records = CsvRecords::new(name, bytes)?;
    let mut groups = BTreeMap::new();
    let mut first = true;
    while let Some((record, line)) = records.next_record()? {
        let fields = (record.get(0).unwrap_or_default(), record.get(1).unwrap_or_default());
        let header = std::mem::take(&mut first) && fields == ("group", "limit");
        if header {
            continue;
        }
        let limit = fields.1.parse().ok().filter(|_| record.len() == 2 && !fields.0.is_empty());
        let Some(limit) = limit else {
            let what = coded![
                "deck-no-group-limit",
                "{fields} is not a group and its limit, such as dragons,2",
                fields = format!("{:?}", join_fields(record))
            ];
            return Err(DocumentError::on_line(name, line, "", what));
        };
        if !known.contains(fields.0) {
            let near = nearest_names(fields.0, known.iter().copied());
            let message = format!("no piece is of group {:?}{}", fields.0, did_you_mean_hint(&near));
            let group = format!("{:?}", fields.0);
            let facts = facts!["deck-no-group", group, hint = hint_facts(&near)];
            let what = CodedMessage::new(message, facts);
            return Err(DocumentError::on_line(name, line, "group", what));
        }
        if groups.insert(fields.0.to_string(), limit).is_some() {
            let what = coded!["deck-group-twice", "this group is listed twice"];
            return Err(DocumentError::on_line(name, line, fields.0, what));
        }
    }
    Ok(groups)
}

fn join_fields(record: &StringRecord) -> String {
    record.iter().collect::<Vec<_>>().join(",")
}

/// Reads scores of pairs of the pieces with these names: a list (`a,b,score`) or a table with the pieces' names above and at the
/// side, or without them in the pieces' order.
pub(super) fn read_score_table(
    name: &str,
    bytes: &[u8],
    pieces: &[String],
    names: &PieceNames<'_>,
    symmetric: bool,
    missing: MissingScore,
) -> Result<ScoreTable, DocumentError> {
    check_score_table(name, bytes)?;
    let mut records = CsvRecords::new(name, bytes)?;
    let Some((record, line)) = records.next_record()? else {
        let what = coded!["deck-csv-no-scores", "empty: a header such as a,b,score is needed"];
        return Err(DocumentError::about_file(name, what));
    };
    let first = record.clone();
    let side = pieces.len();
    let corner = first.get(0).unwrap_or_default();
    if first.len() == side + 1
        && (corner.is_empty() || corner == "name")
        && (side != 2 || &first[2] != "score")
    {
        return read_score_matrix(records, Some((&first, line)), pieces, names, symmetric);
    }
    if first.len() == side && side != 3 && first.iter().all(|text| parse_score(text).is_ok()) {
        return read_score_matrix(CsvRecords::new(name, bytes)?, None, pieces, names, symmetric);
    }
    read_score_list(records, &first, line, pieces, names, symmetric, missing)
}

/// The columns of a list, by its first line, and whether that line is a header.
fn list_columns(first: &StringRecord) -> Option<([usize; 3], bool)> {
    let find = |words: &[&str]| first.iter().position(|text| words.contains(&text));
    // `card` is what `ishi deck learn` writes. Beside `b` it is a column of its own.
    let second = find(&["b", "other"]).or_else(|| find(&["card"]));
    if let (Some(a), Some(b), Some(score)) = (find(&["a", "leader"]), second, find(&["score"])) {
        return Some(([a, b, score], true));
    }
    (first.len() == 3 && parse_score(&first[2]).is_ok()).then_some(([0, 1, 2], false))
}

fn read_score_list(
    mut records: CsvRecords<'_>,
    first: &StringRecord,
    line: usize,
    pieces: &[String],
    names: &PieceNames<'_>,
    symmetric: bool,
    missing: MissingScore,
) -> Result<ScoreTable, DocumentError> {
    let name = records.name;
    let fault =
        |line: usize, field: &str, what: CodedMessage| DocumentError::on_line(name, line, field, what);
    let Some((columns, header)) = list_columns(first) else {
        let found = join_fields(first).chars().take(80).collect::<String>();
        let what = coded![
            "deck-csv-no-table",
            "{found} is neither the header a,b,score of a list, nor a line of one, nor the header of a table of the pool's {pieces} \
             pieces (an empty field, then their names)",
            found = format!("{found:?}"),
            pieces = pieces.len()
        ];
        return Err(fault(line, "", what));
    };
    let (mut entries, mut lines) = (Vec::new(), Vec::new());
    let mut take = |record: &StringRecord, line: usize| {
        let field = |at: usize| record.get(columns[at]).unwrap_or_default();
        let find = |at: usize, word: &str| {
            let missing = || {
                coded![
                    "deck-csv-no-pair",
                    "{fields} is not a line of a list: a,b,score",
                    fields = format!("{:?}", join_fields(record))
                ]
            };
            let found = if field(at).is_empty() { Err(missing()) } else { names.find_piece(field(at)) };
            found.map_err(|what| fault(line, word, what))
        };
        let (a, b) = (find(0, "a")?, find(1, "b")?);
        let score = parse_score(field(2)).map_err(|what| fault(line, "score", what))?;
        entries.push((a.0, b.0, score));
        lines.push(line as u32);
        Ok(())
    };
    if !header {
        take(first, line)?;
    }
    while let Some((record, line)) = records.next_record()? {
        take(record, line)?;
    }
    let called = |at: u32| pieces[at as usize].clone();
    let of_entry = |entry: usize, what: CodedMessage| fault(lines[entry] as usize, "score", what);
    scores::check_listed_scores(entries, symmetric, missing, &called, &of_entry)
}

fn read_score_matrix(
    mut records: CsvRecords<'_>,
    header: Option<(&StringRecord, usize)>,
    pieces: &[String],
    names: &PieceNames<'_>,
    symmetric: bool,
) -> Result<ScoreTable, DocumentError> {
    let (name, side) = (records.name, pieces.len());
    if side > MOST_DENSE {
        let what =
            format!("a table of {side} pieces: at most {MOST_DENSE} have one; list pairs as a,b,score");
        return Err(DocumentError::about_file(name, what));
    }
    let mut columns: Vec<usize> = (0..side).collect();
    if let Some((header, line)) = header {
        let find = |text: &str| names.find_piece(text).map(|id| id.index());
        columns = (1..=side)
            .map(|at| find(&header[at]).map_err(|what| DocumentError::on_line(name, line, &header[at], what)))
            .collect::<Result<_, _>>()?;
        find_repeated_column(&columns, side).map_or(Ok(()), |piece| {
            Err(DocumentError::on_line(name, line, &pieces[piece], "two columns have this name"))
        })?;
    }
    let mut cells = vec![f64::NAN; side * side];
    let mut lines = vec![0; side];
    let mut read = 0;
    while let Some((record, line)) = records.next_record()? {
        let labels = usize::from(header.is_some());
        let row = if labels == 1 { find_row(name, line, record, names)? } else { read };
        if record.len() != side + labels || read == side {
            let what = if read == side {
                coded!["deck-more-rows", "more than {side} rows", side]
            } else {
                coded![
                    "deck-row-scores",
                    "{scores} scores; the pool has {side} pieces",
                    scores = record.len() - labels.min(record.len()),
                    side
                ]
            };
            return Err(DocumentError::on_line(name, line, "", what));
        }
        if lines[row] != 0 {
            let what = coded!["deck-row-twice", "its row stands in line {line} already", line = lines[row]];
            return Err(DocumentError::on_line(name, line, &pieces[row], what));
        }
        for (at, &column) in columns.iter().enumerate() {
            let score = parse_score(&record[at + labels]);
            cells[row * side + column] =
                score.map_err(|what| DocumentError::on_line(name, line, &pieces[column], what))?;
        }
        lines[row] = line;
        read += 1;
    }
    if let Some(row) = lines.iter().position(|&line| line == 0) {
        let piece = format!("{:?}", pieces[row]);
        let what = coded!["deck-no-row", "there is no row for {piece}", piece];
        return Err(DocumentError::about_file(name, what));
    }
    let called = |at: usize| pieces[at].clone();
    let fault =
        |row: usize, column: usize, what| DocumentError::on_line(name, lines[row], &pieces[column], what);
    scores::check_dense_scores(cells, side, symmetric, &called, &fault)
}

fn find_row(
    name: &str,
    line: usize,
    record: &StringRecord,
    names: &PieceNames<'_>,
) -> Result<usize, DocumentError> {
    let label = record.get(0).unwrap_or_default();
    names.find_piece(label).map(|id| id.index()).map_err(|what| DocumentError::on_line(name, line, "", what))
}

fn find_repeated_column(columns: &[usize], side: usize) -> Option<usize> {
    let mut seen = vec![false; side];
    columns.iter().copied().find(|&column| std::mem::replace(&mut seen[column], true))
}

/// Reads names with copies: `name` or `name,copies` a line; a name that is listed again counts again.
pub(super) fn read_owned_pieces(
    name: &str,
    bytes: &[u8],
) -> Result<Vec<(String, usize, usize)>, DocumentError> {
    let mut records = CsvRecords::new(name, bytes)?;
    let mut owned = Vec::new();
    let mut first = true;
    while let Some((record, line)) = records.next_record()? {
        let header = std::mem::take(&mut first) && record.get(0) == Some("name");
        if header {
            continue;
        }
        let copies = record.get(1).filter(|text| !text.is_empty()).map_or(Ok(1), str::parse);
        let copies = copies.ok().filter(|_| record.len() <= 2);
        let Some(copies) = copies else {
            let what = coded![
                "deck-no-owned",
                "{fields} is not a piece and its copies, such as Ember,2 (a name with a comma needs quotation marks)",
                fields = format!("{:?}", join_fields(record))
            ];
            return Err(DocumentError::on_line(name, line, "copies", what));
        };
        owned.push((record.get(0).unwrap_or_default().to_string(), copies, line));
    }
    Ok(owned)
}
