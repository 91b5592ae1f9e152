//! Pools out of documents.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ishi_deck::pool::PieceGroup;
use ishi_deck::table::MAX_SCORE;
use ishi_deck::{PairScoreTable, Piece, PieceId, Pool};
use ishi_words::{CodedMessage, coded, facts};

use super::csv;
use super::document::{
    CardReference, CostText, DefaultText, PieceText, PiecesText, PoolText, ScoreRows, TableText,
    integer_from_float,
};
use super::error::{DocumentError, PathStep};
use super::names::{PieceNames, did_you_mean_hint, hint_facts, nearest_names};
use super::request::{LARGEST_DECK, sibling_file_reader};
use super::scores::{self, MOST_DENSE, MissingScore, ScoreScale, ScoreTable};
use super::seal::{format_checksum, pool_checksum};
use super::text::{DocumentFormat, DocumentText, decode_utf8};

/// Reads the file of this name that stands beside a document; an error says why not.
pub type ReadSiblingFile<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// Files are not to be had, as for documents that come over a network.
///
/// # Errors
/// Always.
pub fn refuse_sibling_file(_: &str) -> Result<Vec<u8>, String> {
    Err("no file can be named here: write its contents into the document".to_string())
}

/// A pool with what its document says besides.
#[derive(Clone, Debug)]
pub struct PoolFile {
    /// The pool, checked.
    pub pool: Arc<Pool>,
    /// What it is called.
    pub name: Option<String>,
    /// The copies of each piece that are owned, if any piece says so.
    pub copies: Option<Vec<(PieceId, usize)>>,
    /// What a user should know, such as that scores were rounded.
    pub notes: Vec<String>,
}

/// Tables that stand in files of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableFiles<'a> {
    /// Scores of pairs (CSV).
    pub pairs: Option<&'a Path>,
    /// Scores of leaders with others (CSV).
    pub leaders: Option<&'a Path>,
    /// Limits of groups (CSV).
    pub groups: Option<&'a Path>,
}

impl TableFiles<'_> {
    /// Is any of them given?
    #[must_use]
    pub fn any_given(&self) -> bool {
        self.pairs.is_some() || self.leaders.is_some() || self.groups.is_some()
    }
}

/// Reads a pool from a file: `.json`, `.toml`, or `.csv` (its pieces).
///
/// # Errors
/// Names file, line and field.
pub fn load_pool(path: &Path, files: &TableFiles<'_>) -> Result<PoolFile, DocumentError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| DocumentError::unreadable(&name, error))?;
    read_pool(&name, &bytes, &sibling_file_reader(path), files)
}

/// Reads a pool: JSON, TOML or CSV by the ending of its name, otherwise by its first character.
///
/// # Errors
/// Names file, line and field.
pub fn read_pool(
    name: &str,
    bytes: &[u8],
    beside: ReadSiblingFile<'_>,
    files: &TableFiles<'_>,
) -> Result<PoolFile, DocumentError> {
    let format = DocumentFormat::guess_format(name, bytes);
    let extra = TableFileContents::read_files(files)?;
    if format == DocumentFormat::Csv {
        let list = csv::read_pieces(name, bytes)?;
        let origin = PieceOrigin::Csv { file: name, lines: &list.lines };
        let draft = PoolDraft { resources: Some(list.resources), ..PoolDraft::default() };
        return draft.build_pool(&origin, list.pieces, None, None, beside, &extra);
    }
    let text = DocumentText { name, text: decode_utf8(name, bytes)?, format };
    if text.text.trim().is_empty() {
        let what =
            coded!["deck-pool-empty", "it is empty: it must be a pool of pieces, in TOML, JSON or CSV"];
        return Err(DocumentError::about_file(name, what));
    }
    let mut document: PoolText<'_> = text.parse()?;
    if files.any_given() && document.checksum.take().is_some() {
        // The checksum is that of the document's own tables, of which other files take the place.
        read_pool(name, bytes, beside, &TableFiles::default())?;
    }
    let draft = PoolDraft::take_from(&mut document);
    let (pairs, leaders) = (document.pairs, document.leaders);
    let file = match document.pieces {
        PiecesText::Listed(pieces) => {
            return draft.build_pool(&PieceOrigin::Text(text), pieces, pairs, leaders, beside, &extra);
        }
        PiecesText::File(file) => file,
    };
    let bytes = beside(&file)
        .map_err(|why| unreadable_file_error(&text, &[PathStep::from_key("pieces")], &file, &why))?;
    let list = csv::read_pieces(&file, &bytes)?;
    let draft = PoolDraft { resources: draft.resources.or(Some(list.resources)), ..draft };
    let origin = PieceOrigin::Both { text, file: &file, lines: &list.lines };
    draft.build_pool(&origin, list.pieces, pairs, leaders, beside, &extra)
}

/// The file that a field of a document names cannot be read.
pub(super) fn unreadable_file_error(
    text: &DocumentText<'_>,
    path: &[PathStep],
    file: &str,
    why: &str,
) -> DocumentError {
    DocumentError {
        outside: true,
        ..text
            .error_at_path(path, coded!["deck-cannot-read", "cannot read {file}: {cause}", file, cause = why])
    }
}

/// The contents of [`TableFiles`], with their names.
#[derive(Default)]
struct TableFileContents {
    pairs: Option<(String, Vec<u8>)>,
    leaders: Option<(String, Vec<u8>)>,
    groups: Option<(String, Vec<u8>)>,
}

impl TableFileContents {
    fn read_files(files: &TableFiles<'_>) -> Result<TableFileContents, DocumentError> {
        let read = |path: Option<&Path>| {
            let Some(path) = path else { return Ok(None) };
            let name = path.display().to_string();
            match std::fs::read(path) {
                Ok(bytes) => Ok(Some((name, bytes))),
                Err(error) => Err(DocumentError::unreadable(name, error)),
            }
        };
        Ok(TableFileContents {
            pairs: read(files.pairs)?,
            leaders: read(files.leaders)?,
            groups: read(files.groups)?,
        })
    }
}

/// Where pieces are described.
enum PieceOrigin<'a> {
    /// All in a document.
    Text(DocumentText<'a>),
    /// All in a CSV file.
    Csv { file: &'a str, lines: &'a [usize] },
    /// A document, with its pieces in a CSV file.
    Both { text: DocumentText<'a>, file: &'a str, lines: &'a [usize] },
}

impl<'a> PieceOrigin<'a> {
    /// Something is wrong with a field of a piece.
    fn piece_error(&self, piece: usize, path: &[PathStep], what: impl Into<CodedMessage>) -> DocumentError {
        match self {
            PieceOrigin::Text(text) => {
                let whole = [&[PathStep::from_key("pieces"), PathStep::At(piece)], path].concat();
                text.error_at_path(&whole, what)
            }
            PieceOrigin::Csv { file, lines } | PieceOrigin::Both { file, lines, .. } => {
                let field = super::error::format_field_path(path).unwrap_or_default();
                DocumentError::on_line(file, lines[piece], &field, what)
            }
        }
    }

    /// Something is wrong elsewhere.
    fn error_at(&self, path: &[PathStep], what: impl Into<CodedMessage>) -> DocumentError {
        match self {
            PieceOrigin::Text(text) | PieceOrigin::Both { text, .. } => text.error_at_path(path, what),
            PieceOrigin::Csv { file, .. } => DocumentError::about_file(*file, what),
        }
    }

    fn document_text(&self) -> Option<DocumentText<'a>> {
        match self {
            PieceOrigin::Text(text) | PieceOrigin::Both { text, .. } => Some(*text),
            PieceOrigin::Csv { .. } => None,
        }
    }
}

/// What a document says besides pieces and tables.
#[derive(Default)]
struct PoolDraft {
    checksum: Option<String>,
    name: Option<String>,
    units: Option<f64>,
    resources: Option<Vec<String>>,
    attributes: Option<Vec<String>>,
    groups: BTreeMap<String, usize>,
}

impl PoolDraft {
    /// All of the document but its pieces and tables.
    fn take_from(document: &mut PoolText<'_>) -> PoolDraft {
        PoolDraft {
            checksum: document.checksum.take(),
            name: document.name.take(),
            units: document.units,
            resources: document.resources.take(),
            attributes: document.attributes.take(),
            groups: std::mem::take(&mut document.groups),
        }
    }

    fn build_pool(
        mut self,
        origin: &PieceOrigin<'_>,
        pieces: Vec<PieceText>,
        pairs: Option<TableText<'_>>,
        leaders: Option<TableText<'_>>,
        beside: ReadSiblingFile<'_>,
        extra: &TableFileContents,
    ) -> Result<PoolFile, DocumentError> {
        self.add_listed_groups(&pieces, extra)?;
        let called: Vec<String> = pieces.iter().map(|piece| piece.name.clone()).collect();
        let names = PieceNames::from_list(called.iter().map(String::as_str));
        check_names(origin, &called, &names)?;
        let resources = self.collect_resources(origin, &pieces)?;
        let attributes = self.collect_attributes(origin, &pieces)?;
        let groups = self.collect_groups(&pieces);
        let tables = TableContext { origin, called: &called, names: &names, beside };
        let no_scores = ScoreTable::Listed { entries: Vec::new(), missing: MissingScore::Score(0.0) };
        let pairs = tables.read_given_scores("pairs", extra.pairs.as_ref(), pairs)?.unwrap_or(no_scores);
        let leaders = tables.read_given_scores("leaders", extra.leaders.as_ref(), leaders)?;
        let scale = self.choose_scale(origin, &pieces, &pairs, leaders.as_ref())?;
        let copies = count_copies(&pieces);
        let side = pieces.len();
        let pair_table = pairs.pair_table(side, scale);
        let leader_table = leaders.map(|leaders| leaders.leader_table(side, scale, Some(&pair_table)));
        let list =
            PieceContext { origin, resources: &resources, attributes: &attributes, groups: &groups, scale };
        let pieces = pieces.into_iter().enumerate().map(|(at, piece)| list.build_piece(at, piece));
        let pool = Pool {
            pieces: pieces.collect::<Result<_, _>>()?,
            resources,
            attributes,
            groups,
            pairs: pair_table,
            leaders: leader_table,
            units: scale.units,
        };
        pool.check_parts().map_err(|error| origin.error_at(&[], error.to_string()))?;
        let note = |decimals| {
            format!("scores are rounded to {decimals} decimals, the most that their size leaves room for")
        };
        let notes = scale.rounded.map(note).into_iter().collect();
        let file = PoolFile { pool: Arc::new(pool), name: self.name, copies, notes };
        if let Some(stated) = &self.checksum {
            check_pool_checksum(origin, &file, stated)?;
        }
        Ok(file)
    }

    /// The groups of a table file beside those of the document.
    fn add_listed_groups(
        &mut self,
        pieces: &[PieceText],
        extra: &TableFileContents,
    ) -> Result<(), DocumentError> {
        let Some((name, bytes)) = &extra.groups else { return Ok(()) };
        let listed = self.groups.keys();
        let known = pieces.iter().filter_map(|piece| piece.group.as_ref()).chain(listed);
        let known = known.map(String::as_str).collect();
        let groups = csv::read_groups(name, bytes, &known)?;
        self.groups.extend(groups);
        Ok(())
    }

    /// Listed, or implied by what pieces cost.
    fn collect_resources(
        &self,
        origin: &PieceOrigin<'_>,
        pieces: &[PieceText],
    ) -> Result<Vec<String>, DocumentError> {
        if let Some(resources) = &self.resources {
            if let Some(at) = (0..resources.len()).find(|&at| resources[..at].contains(&resources[at])) {
                let path = [PathStep::from_key("resources"), PathStep::At(at)];
                return Err(
                    origin.error_at(&path, coded!["deck-resource-twice", "this resource is listed twice"])
                );
            }
            return Ok(resources.clone());
        }
        let mut names = std::collections::BTreeSet::new();
        for piece in pieces {
            match &piece.cost {
                CostText::Nothing => {}
                CostText::One(_) => {
                    names.insert("cost".to_string());
                }
                CostText::Some(costs) => names.extend(costs.keys().cloned()),
            }
        }
        Ok(names.into_iter().collect())
    }

    /// Listed, or implied by the pieces, in the order in which they are met.
    fn collect_attributes(
        &self,
        origin: &PieceOrigin<'_>,
        pieces: &[PieceText],
    ) -> Result<Vec<String>, DocumentError> {
        if let Some(attributes) = &self.attributes {
            if let Some(at) = (0..attributes.len()).find(|&at| attributes[..at].contains(&attributes[at])) {
                let path = [PathStep::from_key("attributes"), PathStep::At(at)];
                return Err(
                    origin.error_at(&path, coded!["deck-attribute-twice", "this attribute is listed twice"])
                );
            }
            return Ok(attributes.clone());
        }
        let mut seen = std::collections::BTreeSet::new();
        let all = pieces.iter().flat_map(|piece| &piece.attributes);
        Ok(all.filter(|attribute| seen.insert(attribute.as_str())).cloned().collect())
    }

    /// Listed groups, and those that pieces name besides, of which a deck may have one piece.
    fn collect_groups(&self, pieces: &[PieceText]) -> Vec<PieceGroup> {
        let mut groups = self.groups.clone();
        for group in pieces.iter().filter_map(|piece| piece.group.as_ref()) {
            groups.entry(group.clone()).or_insert(1);
        }
        groups.into_iter().map(|(name, limit)| PieceGroup { name, limit }).collect()
    }

    fn choose_scale(
        &self,
        origin: &PieceOrigin<'_>,
        pieces: &[PieceText],
        pairs: &ScoreTable,
        leaders: Option<&ScoreTable>,
    ) -> Result<ScoreScale, DocumentError> {
        for (at, piece) in pieces.iter().enumerate() {
            for (field, score) in [("score", piece.score), ("leader_score", piece.leader_score)] {
                if !score.is_finite() {
                    return Err(origin.piece_error(
                        at,
                        &[PathStep::from_key(field)],
                        scores::not_a_score_message(score),
                    ));
                }
            }
        }
        let all = || {
            let own = pieces.iter().flat_map(|piece| [piece.score, piece.leader_score]);
            own.chain(pairs.all_scores()).chain(leaders.into_iter().flat_map(ScoreTable::all_scores))
        };
        let Some(units) = self.units else {
            return ScoreScale::from_scores(all).map_err(|score| {
                origin.error_at(
                    &[],
                    coded![
                        "deck-score-large",
                        "a score of {score} is too large: scores must be at most {most}",
                        score,
                        most = MAX_SCORE
                    ],
                )
            });
        };
        let path = [PathStep::from_key("units")];
        if !(units >= 1.0 && units.is_finite()) {
            return Err(origin.error_at(
                &path,
                coded![
                    "deck-units-needed",
                    "{units} units in a score of 1: a number of at least 1 is needed",
                    units
                ],
            ));
        }
        let largest = all().map(f64::abs).fold(0.0, f64::max);
        if largest * units > f64::from(MAX_SCORE) {
            let what = coded![
                "deck-score-units",
                "a score of {largest} is {total} units: there is room for {most}",
                largest,
                total = largest * units,
                most = MAX_SCORE
            ];
            return Err(origin.error_at(&path, what));
        }
        Ok(ScoreScale { units, rounded: None })
    }
}

/// Does a pool say what it said when ishi wrote it?
fn check_pool_checksum(origin: &PieceOrigin<'_>, file: &PoolFile, stated: &str) -> Result<(), DocumentError> {
    let units = file.pool.units;
    let found =
        format_checksum(pool_checksum(&file.pool, units, file.name.as_deref(), file.copies.as_deref()));
    // As text: other ways to write the same number are damage, too.
    if stated == found {
        return Ok(());
    }
    let what = coded![
        "deck-checksum",
        "the pool is damaged, or was edited: the checksum of what it says must be {found}. Take a copy of it or have it written \
         anew. Whoever edited it must take the field `checksum` out",
        found
    ];
    Err(origin.error_at(&[PathStep::from_key("checksum")], what))
}

fn check_names(
    origin: &PieceOrigin<'_>,
    called: &[String],
    names: &PieceNames<'_>,
) -> Result<(), DocumentError> {
    let path = [PathStep::from_key("name")];
    for (at, name) in called.iter().enumerate() {
        if name.trim().is_empty() {
            return Err(origin.piece_error(at, &path, coded!["deck-needs-name", "a piece needs a name"]));
        }
        // Of equal names the last is found.
        if names.find_piece(name).is_ok_and(|last| last.index() != at) {
            let last = called.iter().rposition(|other| other == name).unwrap_or(at);
            let what = coded![
                "deck-piece-twice",
                "another piece is called {name} already; of a piece that is owned more than once give `copies`",
                name = format!("{name:?}")
            ];
            return Err(origin.piece_error(last, &path, what));
        }
    }
    Ok(())
}

fn count_copies(pieces: &[PieceText]) -> Option<Vec<(PieceId, usize)>> {
    pieces.iter().any(|piece| piece.copies.is_some()).then(|| {
        let copies = pieces
            .iter()
            .enumerate()
            .map(|(at, piece)| (PieceId(at as u32), piece.copies.unwrap_or(1).min(LARGEST_DECK)));
        copies.filter(|&(_, copies)| copies > 0).collect()
    })
}

/// What pieces are checked against.
struct PieceContext<'a> {
    origin: &'a PieceOrigin<'a>,
    resources: &'a [String],
    attributes: &'a [String],
    groups: &'a [PieceGroup],
    scale: ScoreScale,
}

impl PieceContext<'_> {
    fn build_piece(&self, at: usize, text: PieceText) -> Result<Piece, DocumentError> {
        let costs = self.piece_costs(at, &text.cost)?;
        let mut attributes = Vec::with_capacity(text.attributes.len());
        for (place, name) in text.attributes.iter().enumerate() {
            let Some(attribute) = self.attributes.iter().position(|attribute| attribute == name) else {
                let near = nearest_names(name, self.attributes.iter().map(String::as_str));
                let hint = did_you_mean_hint(&near);
                let what = CodedMessage::new(
                    format_args!("{name:?} is not among the pool's `attributes`{hint}"),
                    facts!["deck-no-attribute", name = format!("{name:?}"), hint = hint_facts(&near)],
                );
                return Err(self.origin.piece_error(
                    at,
                    &[PathStep::from_key("attributes"), PathStep::At(place)],
                    what,
                ));
            };
            attributes.push(attribute);
        }
        attributes.sort_unstable();
        attributes.dedup();
        let group = |name: &String| self.groups.binary_search_by(|group| group.name.cmp(name)).ok();
        Ok(Piece {
            costs,
            attributes,
            group: text.group.as_ref().and_then(group),
            score: i64::from(self.scale.to_units(text.score)),
            leader_score: i64::from(self.scale.to_units(text.leader_score)),
            name: text.name,
        })
    }

    fn piece_costs(&self, at: usize, cost: &CostText) -> Result<Vec<i64>, DocumentError> {
        let path = [PathStep::from_key("cost")];
        let mut costs = vec![0; self.resources.len()];
        match cost {
            CostText::Nothing => {}
            CostText::One(cost) => match costs.as_mut_slice() {
                [only] => *only = *cost,
                _ => {
                    let first = self.resources.first().map_or("cost", String::as_str);
                    let what = coded![
                        "deck-one-cost",
                        "one number, but pieces cost {resources}: write an object, such as {example}",
                        resources = self.resources.join(" and "),
                        example = format!("{{\"{first}\": {cost}}}")
                    ];
                    return Err(self.origin.piece_error(at, &path, what));
                }
            },
            CostText::Some(given) => {
                for (resource, cost) in given {
                    let Some(place) = self.resources.iter().position(|name| name == resource) else {
                        let near = nearest_names(resource, self.resources.iter().map(String::as_str));
                        let hint = did_you_mean_hint(&near);
                        let what = CodedMessage::new(
                            format_args!("{resource:?} is not among the pool's `resources`{hint}"),
                            facts![
                                "deck-no-resource",
                                name = format!("{resource:?}"),
                                hint = hint_facts(&near)
                            ],
                        );
                        return Err(self.origin.piece_error(at, &path, what));
                    };
                    costs[place] = *cost;
                }
            }
        }
        match costs.iter().find(|&&cost| !(0..=i64::from(MAX_SCORE)).contains(&cost)) {
            Some(cost) => Err(self.origin.piece_error(
                at,
                &path,
                format!("a cost of {cost}: costs must be 0 to {MAX_SCORE}"),
            )),
            None => Ok(costs),
        }
    }
}

/// Has the table of this key the same scores both ways?
fn is_symmetric(key: &str) -> bool {
    key == "pairs"
}

/// What tables are read with.
struct TableContext<'a> {
    origin: &'a PieceOrigin<'a>,
    called: &'a [String],
    names: &'a PieceNames<'a>,
    beside: ReadSiblingFile<'a>,
}

impl TableContext<'_> {
    /// The scores of a table file, or else those of the document; none if neither has any. `key` is as in [`Self::read_scores`].
    fn read_given_scores(
        &self,
        key: &str,
        file: Option<&(String, Vec<u8>)>,
        table: Option<TableText<'_>>,
    ) -> Result<Option<ScoreTable>, DocumentError> {
        let Some((name, bytes)) = file else {
            return table.map(|table| self.read_scores(key, table)).transpose();
        };
        let missing = MissingScore::Score(0.0);
        csv::read_score_table(name, bytes, self.called, self.names, is_symmetric(key), missing).map(Some)
    }

    /// `key` is `pairs` (the same both ways) or `leaders`.
    fn read_scores(&self, key: &str, table: TableText<'_>) -> Result<ScoreTable, DocumentError> {
        let Some(text) = self.origin.document_text() else {
            return Err(self.origin.error_at(&[], "tables need a document"));
        };
        let symmetric = is_symmetric(key);
        let path = [PathStep::from_key(key)];
        let none = MissingScore::Score(0.0);
        match table {
            TableText::File(file) => self.read_table_file(&text, &path, &file, symmetric, none),
            TableText::Rows(rows) if self.is_matrix(&rows) => self.read_matrix(&text, &path, rows, symmetric),
            TableText::Rows(rows) => self.read_triples(&text, &path, rows, symmetric, none),
            TableText::Object(object) => {
                let missing = self.read_missing_default(&text, key, object.default)?;
                let inner = |part: &str| [PathStep::from_key(key), PathStep::from_key(part)];
                match (object.file, object.list, object.matrix) {
                    (Some(file), None, None) => {
                        self.read_table_file(&text, &inner("file"), &file, symmetric, missing)
                    }
                    (None, Some(rows), None) => {
                        self.read_triples(&text, &inner("list"), rows, symmetric, missing)
                    }
                    (None, None, Some(rows)) => self.read_matrix(&text, &inner("matrix"), rows, symmetric),
                    (None, None, None) => Ok(ScoreTable::Listed { entries: Vec::new(), missing }),
                    _ => Err(text.error_at_path(&path, "give one of `file`, `list` and `matrix`")),
                }
            }
        }
    }

    fn read_missing_default(
        &self,
        text: &DocumentText<'_>,
        key: &str,
        default: Option<DefaultText>,
    ) -> Result<MissingScore, DocumentError> {
        let path = [PathStep::from_key(key), PathStep::from_key("default")];
        match default {
            None => Ok(MissingScore::Score(0.0)),
            Some(DefaultText::AsPair) if key == "leaders" => Ok(MissingScore::AsPair),
            Some(DefaultText::AsPair) => {
                let what = coded!["deck-default-pairs", "\"pairs\" is a default of leaders; give a score"];
                Err(text.error_at_path(&path, what))
            }
            Some(DefaultText::Score(score)) if !score.is_finite() => {
                Err(text.error_at_path(&path, scores::not_a_score_message(score)))
            }
            Some(DefaultText::Score(score)) if score != 0.0 && self.called.len() > MOST_DENSE => {
                let what = coded![
                    "deck-default-large",
                    "a default other than 0 fills a table, which {most} pieces may have at most",
                    most = MOST_DENSE
                ];
                Err(text.error_at_path(&path, what))
            }
            Some(DefaultText::Score(score)) => Ok(MissingScore::Score(score)),
        }
    }

    fn read_table_file(
        &self,
        text: &DocumentText<'_>,
        path: &[PathStep],
        file: &str,
        symmetric: bool,
        missing: MissingScore,
    ) -> Result<ScoreTable, DocumentError> {
        let bytes = (self.beside)(file).map_err(|why| unreadable_file_error(text, path, file, &why))?;
        csv::read_score_table(file, &bytes, self.called, self.names, symmetric, missing)
    }

    /// Rows that are as many and as long as there are pieces. Three rows of three are taken as triples.
    fn is_matrix(&self, rows: &ScoreRows<'_>) -> bool {
        let side = self.called.len();
        let first = rows.lengths.first().copied().unwrap_or(0) as usize;
        rows.named.is_empty() && side != 3 && first == side && first > 0
    }

    fn read_matrix(
        &self,
        text: &DocumentText<'_>,
        path: &[PathStep],
        rows: ScoreRows<'_>,
        symmetric: bool,
    ) -> Result<ScoreTable, DocumentError> {
        let side = self.called.len();
        let row_path = |row: usize| [path, &[PathStep::At(row)]].concat();
        if let Some((row, ..)) = rows.named.first() {
            return Err(text.error_at_path(
                &row_path(*row),
                coded!["deck-row-of-scores", "a row of a matrix is of scores only"],
            ));
        }
        if let Some(row) = rows.lengths.iter().position(|&length| length as usize != side) {
            let what = coded![
                "deck-row-scores",
                "{scores} scores; the pool has {side} pieces",
                scores = rows.lengths[row],
                side
            ];
            return Err(text.error_at_path(&row_path(row), what));
        }
        if rows.lengths.len() != side {
            let what = coded![
                "deck-rows",
                "{rows} rows; the pool has {side} pieces",
                rows = rows.lengths.len(),
                side
            ];
            return Err(text.error_at_path(path, what));
        }
        let called = |at: usize| self.called[at].clone();
        scores::check_dense_scores(rows.numbers, side, symmetric, &called, &|row, column, what| {
            text.error_at_path(&[path, &[PathStep::At(row), PathStep::At(column)]].concat(), what)
        })
    }

    fn read_triples(
        &self,
        text: &DocumentText<'_>,
        path: &[PathStep],
        rows: ScoreRows<'_>,
        symmetric: bool,
        missing: MissingScore,
    ) -> Result<ScoreTable, DocumentError> {
        let fault = |row: usize, at: usize, what: CodedMessage| {
            text.error_at_path(&[path, &[PathStep::At(row), PathStep::At(at)]].concat(), what)
        };
        let mut entries = Vec::with_capacity(rows.lengths.len());
        let mut named = rows.named.into_iter().peekable();
        let mut start = 0;
        for (row, &length) in rows.lengths.iter().enumerate() {
            let numbers = &rows.numbers[start..start + length as usize];
            start += length as usize;
            let (a, b, score) = match (named.next_if(|named| named.0 == row), numbers) {
                (Some((_, a, b, score)), _) => (a, b, score),
                (None, &[a, b, score]) => {
                    let place = |at: usize, number: f64| {
                        let what = || {
                            coded![
                                "deck-no-place",
                                "{number} is no piece: it must be a name, or a place from 0",
                                number
                            ]
                        };
                        let wrong = || fault(row, at, what());
                        integer_from_float(number).map(CardReference::Place).ok_or_else(wrong)
                    };
                    (place(0, a)?, place(1, b)?, score)
                }
                (None, _) => {
                    let what = coded![
                        "deck-no-triple",
                        "{length} numbers; a row is [card, card, score], or all rows are a matrix of {side} rows of {side}",
                        length,
                        side = self.called.len()
                    ];
                    return Err(text.error_at_path(&[path, &[PathStep::At(row)]].concat(), what));
                }
            };
            let find = |at: usize, card| self.find_card(card).map_err(|what| fault(row, at, what));
            entries.push((find(0, a)?, find(1, b)?, score));
        }
        let called = |at: u32| self.called[at as usize].clone();
        scores::check_listed_scores(entries, symmetric, missing, &called, &|row, what| fault(row, 2, what))
    }

    fn find_card(&self, card: CardReference<'_>) -> Result<u32, CodedMessage> {
        match card {
            CardReference::Name(name) => self.names.find_piece(&name).map(|id| id.0),
            CardReference::Place(place) if place < self.called.len() as u64 => Ok(place as u32),
            CardReference::Place(place) => Err(coded![
                "deck-no-piece-at",
                "there is no piece {place}: the pool has {pieces}, counted from 0",
                place,
                pieces = self.called.len()
            ]),
        }
    }
}

/// A pool as a document, in JSON. Scores come back exactly; of tables only cells that are not 0 are listed, unless most of them are
/// not. It begins with the checksum of what it says, which [`read_pool`] checks.
#[must_use]
pub fn write_pool(pool: &Pool, name: Option<&str>) -> String {
    write_document(pool, name, None)
}

/// A pool with its name and the copies that are owned, as a document: see [`write_pool`].
#[must_use]
pub fn write_pool_file(file: &PoolFile) -> String {
    write_document(&file.pool, file.name.as_deref(), file.copies.as_deref())
}

fn write_document(pool: &Pool, name: Option<&str>, copies: Option<&[(PieceId, usize)]>) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let names = |list: &[String]| list.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
    let units = pool.units.to_string();
    // Of very many digits the last may be read as another one.
    let units_read = serde_json::from_str(&units).unwrap_or(pool.units);
    let sum = format_checksum(pool_checksum(pool, units_read, name, copies));
    let mut out = format!("{{\n  \"checksum\": \"{sum}\",\n");
    if let Some(name) = name {
        out += &format!("  \"name\": {},\n", quoted(name));
    }
    out += &format!("  \"units\": {units},\n");
    out += &format!("  \"resources\": [{}],\n", names(&pool.resources));
    out += &format!("  \"attributes\": [{}],\n", names(&pool.attributes));
    let groups: Vec<String> =
        pool.groups.iter().map(|group| format!("{}: {}", quoted(&group.name), group.limit)).collect();
    out += &format!("  \"groups\": {{{}}},\n  \"pieces\": [\n", groups.join(", "));
    out += &pieces_to_json(pool, copies).join(",\n");
    out += "\n  ],\n  \"pairs\": ";
    write_table(&mut out, pool, &pool.pairs, true);
    if let Some(leaders) = &pool.leaders {
        out += ",\n  \"leaders\": ";
        write_table(&mut out, pool, leaders, false);
    }
    out += "\n}\n";
    out
}

/// A line for each piece. Of a piece that is not among the copies nobody has one.
fn pieces_to_json(pool: &Pool, copies: Option<&[(PieceId, usize)]>) -> Vec<String> {
    let mut owned = vec![0; pool.pieces.len()];
    for &(piece, count) in copies.unwrap_or_default() {
        owned[piece.index()] = count;
    }
    let line = |(piece, count): (&Piece, usize)| {
        format!("    {}", piece_to_json(pool, piece, copies.map(|_| count)))
    };
    pool.pieces.iter().zip(owned).map(line).collect()
}

/// A piece in one line, its name first.
fn piece_to_json(pool: &Pool, piece: &Piece, copies: Option<usize>) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut fields = vec![format!("\"name\": {}", quoted(&piece.name))];
    let costs = pool.resources.iter().zip(&piece.costs).filter(|(_, cost)| **cost != 0);
    let costs: Vec<String> = costs.map(|(name, cost)| format!("{}: {cost}", quoted(name))).collect();
    if !costs.is_empty() {
        fields.push(format!("\"cost\": {{{}}}", costs.join(", ")));
    }
    if !piece.attributes.is_empty() {
        let names: Vec<String> = piece.attributes.iter().map(|&at| quoted(&pool.attributes[at])).collect();
        fields.push(format!("\"attributes\": [{}]", names.join(", ")));
    }
    if let Some(group) = piece.group {
        fields.push(format!("\"group\": {}", quoted(&pool.groups[group].name)));
    }
    for (key, score) in [("score", piece.score), ("leader_score", piece.leader_score)] {
        if score != 0 {
            fields.push(format!("\"{key}\": {}", pool.score_of_units(score)));
        }
    }
    if let Some(copies) = copies {
        fields.push(format!("\"copies\": {copies}"));
    }
    format!("{{{}}}", fields.join(", "))
}

fn write_table(out: &mut String, pool: &Pool, table: &PairScoreTable, symmetric: bool) {
    use std::fmt::Write;
    let side = table.side();
    let filled: usize = (0..side).map(|row| table.nonzero_entries(row).count()).sum();
    let matrix = filled * 2 > side * side;
    out.push_str(if matrix { "{\"matrix\": [\n" } else { "{\"list\": [\n" });
    let mut first = true;
    let mut cells = vec![0; side];
    for row in 0..side {
        if matrix {
            table.write_row(row, &mut cells);
            out.push_str(if std::mem::take(&mut first) { "    [" } else { ",\n    [" });
            for (at, &cell) in cells.iter().enumerate() {
                let comma = if at == 0 { "" } else { "," };
                let _ = write!(out, "{comma}{}", pool.score_of_units(i64::from(cell)));
            }
            out.push(']');
            continue;
        }
        for (column, score) in table.nonzero_entries(row).filter(|&(column, _)| !symmetric || column >= row) {
            let comma = if std::mem::take(&mut first) { "    " } else { ",\n    " };
            let _ = write!(out, "{comma}[{row},{column},{}]", pool.score_of_units(i64::from(score)));
        }
    }
    out.push_str("\n  ]}");
}
