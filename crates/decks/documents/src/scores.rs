//! Decimal scores as whole units, and tables out of them.

use ishi_deck::PairScoreTable;
use ishi_deck::table::MAX_SCORE;
use ishi_words::{CodedMessage, coded};

use super::error::DocumentError;

/// More pieces have no dense table: a gibibyte holds 16,384 rows of as many.
pub(super) const MOST_DENSE: usize = 16_384;

/// More decimals are not kept.
const MOST_DECIMALS: usize = 15;

/// Powers of ten, exact.
const TENS: [f64; MOST_DECIMALS + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// How scores become whole numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScoreScale {
    /// Units in a score of 1.
    pub(super) units: f64,
    /// The decimals that are kept, if some score had more.
    pub(super) rounded: Option<usize>,
}

impl ScoreScale {
    /// The fewest decimals that hold all scores exactly, or else as many as there is room for. An error is the score that
    /// is too large even in whole numbers.
    pub(super) fn from_scores<I: Iterator<Item = f64>>(scores: impl Fn() -> I) -> Result<ScoreScale, f64> {
        let largest = scores().map(f64::abs).fold(0.0, f64::max);
        if largest > f64::from(MAX_SCORE) {
            return Err(largest);
        }
        let room = TENS.iter().rposition(|ten| largest * ten <= f64::from(MAX_SCORE)).unwrap_or(0);
        let mut decimals = 0;
        let mut rounded = false;
        for score in scores() {
            while decimals < room && !is_decimal(score, decimals) {
                decimals += 1;
            }
            if decimals == room && !is_decimal(score, decimals) {
                rounded = true;
                break;
            }
        }
        Ok(ScoreScale { units: TENS[decimals], rounded: rounded.then_some(decimals) })
    }

    /// The score in units.
    pub(super) fn to_units(self, score: f64) -> i32 {
        (score * self.units).round() as i32
    }
}

/// Is this the number that is nearest to some decimal with so many places?
fn is_decimal(score: f64, decimals: usize) -> bool {
    let ten = TENS[decimals];
    (score * ten).round() / ten == score
}

/// What a pair scores that is not listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MissingScore {
    /// This.
    Score(f64),
    /// What it scores as a pair; of leaders only.
    AsPair,
}

/// A table of scores before they are whole numbers.
#[derive(Clone, Debug)]
pub(super) enum ScoreTable {
    /// `(row, column, score)`, each cell once; of pairs, each pair once with the smaller number first.
    Listed { entries: Vec<(u32, u32, f64)>, missing: MissingScore },
    /// All cells, row after row.
    Dense(Vec<f64>),
}

impl ScoreTable {
    /// All scores.
    pub(super) fn all_scores(&self) -> Box<dyn Iterator<Item = f64> + '_> {
        match self {
            ScoreTable::Dense(cells) => Box::new(cells.iter().copied()),
            ScoreTable::Listed { entries, missing } => {
                let missing = match missing {
                    MissingScore::Score(score) => Some(*score),
                    MissingScore::AsPair => None,
                };
                Box::new(entries.iter().map(|&(_, _, score)| score).chain(missing))
            }
        }
    }

    /// The table of pairs of so many pieces, the same both ways.
    pub(super) fn pair_table(&self, side: usize, scale: ScoreScale) -> PairScoreTable {
        match self {
            ScoreTable::Listed { entries, missing: MissingScore::Score(missing) } => {
                let both = entries.iter().flat_map(|&(a, b, score)| [(a, b, score), (b, a, score)]);
                filled_table(side, both, scale.to_units(*missing), scale)
            }
            _ => self.leader_table(side, scale, None),
        }
    }

    /// The table of leaders with others; `pairs` says what is missing.
    pub(super) fn leader_table(
        &self,
        side: usize,
        scale: ScoreScale,
        pairs: Option<&PairScoreTable>,
    ) -> PairScoreTable {
        match (self, pairs) {
            (ScoreTable::Dense(cells), _) => {
                PairScoreTable::from_cells(side, cells.iter().map(|&score| scale.to_units(score)).collect())
            }
            (ScoreTable::Listed { entries, missing: MissingScore::Score(missing) }, _) => {
                filled_table(side, entries.iter().copied(), scale.to_units(*missing), scale)
            }
            (ScoreTable::Listed { entries, missing: MissingScore::AsPair }, pairs) => {
                let pairs = pairs.into_iter().flat_map(|pairs| {
                    (0..side).flat_map(move |row| {
                        pairs
                            .nonzero_entries(row)
                            .map(move |(column, score)| (row as u32, column as u32, score))
                    })
                });
                let own = entries.iter().map(|&(row, column, score)| (row, column, scale.to_units(score)));
                // Of equal cells the last counts.
                PairScoreTable::from_entries(side, pairs.chain(own).collect())
            }
        }
    }
}

fn filled_table(
    side: usize,
    entries: impl Iterator<Item = (u32, u32, f64)>,
    missing: i32,
    scale: ScoreScale,
) -> PairScoreTable {
    let entries = entries.map(|(row, column, score)| (row, column, scale.to_units(score)));
    if missing == 0 {
        return PairScoreTable::from_entries(side, entries.collect());
    }
    let mut cells = vec![missing; side * side];
    for (row, column, score) in entries {
        cells[row as usize * side + column as usize] = score;
    }
    PairScoreTable::from_cells(side, cells)
}

/// Checks a list and brings it into the form of [`ScoreTable::Listed`]. `fault` makes an error about the entry with this number.
pub(super) fn check_listed_scores(
    mut entries: Vec<(u32, u32, f64)>,
    symmetric: bool,
    missing: MissingScore,
    name: &dyn Fn(u32) -> String,
    fault: &dyn Fn(usize, CodedMessage) -> DocumentError,
) -> Result<ScoreTable, DocumentError> {
    if let Some((at, (_, _, score))) = entries.iter().enumerate().find(|(_, entry)| !entry.2.is_finite()) {
        return Err(fault(at, not_a_score_message(*score)));
    }
    if symmetric {
        for (a, b, _) in &mut entries {
            (*a, *b) = ((*a).min(*b), (*a).max(*b));
        }
    }
    let mut order: Vec<u32> = (0..entries.len() as u32).collect();
    let cell = |at: u32| (entries[at as usize].0, entries[at as usize].1);
    if !entries.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1)) {
        order.sort_unstable_by_key(|&at| (cell(at), at));
    }
    let mut kept = Vec::with_capacity(entries.len());
    let mut last: Option<u32> = None;
    for &at in &order {
        let first = last.filter(|&last| cell(last) == cell(at));
        let Some(first) = first else {
            last = Some(at);
            kept.push(entries[at as usize]);
            continue;
        };
        let (a, b, score) = entries[at as usize];
        let before = entries[first as usize].2;
        if before != score {
            let (a, b) = (name(a), name(b));
            let what = coded![
                "deck-pair-twice",
                "{first} and {second} score {score} here and {before} before: give them once",
                first = format!("{a:?}"),
                second = format!("{b:?}"),
                score,
                before
            ];
            return Err(fault(at as usize, what));
        }
    }
    Ok(ScoreTable::Listed { entries: kept, missing })
}

/// Checks a dense table. `fault` makes an error about a row and column.
pub(super) fn check_dense_scores(
    cells: Vec<f64>,
    side: usize,
    symmetric: bool,
    name: &dyn Fn(usize) -> String,
    fault: &dyn Fn(usize, usize, CodedMessage) -> DocumentError,
) -> Result<ScoreTable, DocumentError> {
    for row in 0..side {
        for column in 0..side {
            let score = cells[row * side + column];
            if !score.is_finite() {
                return Err(fault(row, column, not_a_score_message(score)));
            }
            let mirror = cells[column * side + row];
            if symmetric && column < row && score != mirror {
                let (a, b) = (name(row), name(column));
                let what = coded![
                    "deck-pair-both-ways",
                    "{first} with {second} scores {score}, {second} with {first} {mirror}: pairs score the same both ways \
                     (what a leader scores with others stands in `leaders`)",
                    first = format!("{a:?}"),
                    second = format!("{b:?}"),
                    score,
                    mirror
                ];
                return Err(fault(row, column, what));
            }
        }
    }
    Ok(ScoreTable::Dense(cells))
}

pub(super) fn not_a_score_message(score: impl std::fmt::Display) -> CodedMessage {
    coded!["deck-no-score", "{score} is no score: it must be a number such as -1.5", score]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(scores: &[f64]) -> ScoreScale {
        ScoreScale::from_scores(|| scores.iter().copied()).unwrap()
    }

    #[test]
    fn decimals_stay_exact_where_there_is_room() {
        assert_eq!(scale(&[1.0, -3.0]), ScoreScale { units: 1.0, rounded: None });
        assert_eq!(scale(&[0.1, -2.25]), ScoreScale { units: 100.0, rounded: None });
        assert_eq!(scale(&[0.3, 0.1 + 0.2]), ScoreScale { units: 1e8, rounded: Some(8) });
        assert_eq!(scale(&[1e-9]), ScoreScale { units: 1e9, rounded: None });
        assert_eq!(scale(&[10_000.123_45]), ScoreScale { units: 1000.0, rounded: Some(3) });
        assert_eq!(scale(&[]), ScoreScale { units: 1.0, rounded: None });
        assert_eq!(scale(&[f64::from(MAX_SCORE)]).units, 1.0);
        assert_eq!(ScoreScale::from_scores(|| [3.0, -2e8].into_iter()), Err(2e8));
        assert_eq!((scale(&[0.1, -2.25]).to_units(-2.25), scale(&[0.07]).to_units(0.07)), (-225, 7));
    }
}
