//! Sets of tuples by name: `line3+2x3`, `known`, `snakes6*10`, or squares such as `a1b1c1`.

use std::fmt;
use std::str::FromStr;

use ishi_othello::Square;
use ishi_rng::{Rng, Seed};

use super::shape::{TupleGroup, TupleShape};
use super::tuple::{MAX_LENGTH, SquareTuple, SquareTupleError};

/// Corner 3x3; corner 2x5; edge with both X; edge without C and with the four squares below; the other rows; diagonals.
const KNOWN: &str = "a1b1c1a2b2c2a3b3c3+a1b1c1d1e1a2b2c2d2e2+a1b1c1d1e1f1g1h1b2g2+a1c1d1e1f1h1c2d2e2f2+a2b2c2d2e2f2g2h2\
    +a3b3c3d3e3f3g3h3+a4b4c4d4e4f4g4h4+a1b2c3d4e5f6g7h8+a2b3c4d5e6f7g8+a3b4c5d6e7f8+a4b5c6d7e8+a5b6c7d8";
/// A triangle at the corner and two blocks of the middle instead of the shortest diagonals.
const WIDE: &str = "a1b1c1a2b2c2a3b3c3+a1b1c1d1e1a2b2c2d2e2+a1b1c1d1e1f1g1h1b2g2+a1c1d1e1f1h1c2d2e2f2+a2b2c2d2e2f2g2h2\
    +a3b3c3d3e3f3g3h3+a4b4c4d4e4f4g4h4+a1b2c3d4e5f6g7h8+a2b3c4d5e6f7g8+a3b4c5d6e7f8+a1b1c1d1a2b2c2a3b3a4\
    +b2c2d2e2f2g2c3d3e3f3+c3d3e3f3c4d4e4f4";
/// The most snakes of one kind.
const MAX_SNAKES: usize = 200;

/// A set of tuples, each with its placements under the board's symmetries.
///
/// ```
/// use ishi_othello_play::ntuple::TupleSet;
/// let patterns: TupleSet = "line3+2x2".parse().unwrap();
/// assert_eq!(patterns.shape().lanes(), 168 + 49);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TupleSet {
    text: String,
    tuples: Vec<SquareTuple>,
}

/// The text names no set of tuples.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TupleSetError {
    /// A part that is not understood.
    #[error(
        "invalid pattern {0:?}: write parts joined by +, each of them known, wide, lineN (1 to 8), RxC (2x2 to 3x3, at \
         most 10 squares), snakesN*K (K random walks over N squares) or squares such as a1b1c1"
    )]
    Part(String),
    /// Squares that make no tuple.
    #[error("invalid pattern {part:?}: {error}")]
    Tuple {
        /// The part.
        part: String,
        /// What is wrong.
        error: SquareTupleError,
    },
    /// Too many.
    #[error("{0:?} has more than {max} placements", max = TupleShape::MAX_LANES)]
    Size(String),
}

impl TupleSet {
    /// The tuples, one of each family under the symmetries.
    pub fn tuples(&self) -> &[SquareTuple] {
        &self.tuples
    }

    /// The shape of a network of these.
    pub fn shape(&self) -> TupleShape {
        let groups = self.tuples.iter().map(TupleGroup::from_symmetries).collect();
        TupleShape::new(groups).unwrap_or_else(|| unreachable!("the number of placements was checked"))
    }
}

/// As it was written.
impl fmt::Display for TupleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for TupleSet {
    type Err = TupleSetError;

    fn from_str(text: &str) -> Result<TupleSet, TupleSetError> {
        let mut tuples: Vec<SquareTuple> = Vec::new();
        for part in text.split('+') {
            for tuple in tuples_of_part(part)? {
                let new = |other: &SquareTuple| other.family_bits() != tuple.family_bits();
                if tuples.iter().all(new) {
                    tuples.push(tuple);
                }
            }
        }
        let lanes: usize = tuples.iter().map(|tuple| tuple.placements().len()).sum();
        let size = || TupleSetError::Size(text.chars().take(60).collect());
        if lanes > TupleShape::MAX_LANES {
            Err(size())
        } else {
            Ok(TupleSet { text: text.to_string(), tuples })
        }
    }
}

/// The tuples of one part.
fn tuples_of_part(part: &str) -> Result<Vec<SquareTuple>, TupleSetError> {
    let error = || TupleSetError::Part(part.chars().take(60).collect());
    let number = |text: &str| text.parse::<usize>().map_err(|_| error());
    match part {
        "known" => return parse_tuples(KNOWN),
        "wide" => return parse_tuples(WIDE),
        _ => {}
    }
    if let Some(length) = part.strip_prefix("line") {
        let length = number(length)?;
        return if (1..=8).contains(&length) { Ok(line_tuples(length)) } else { Err(error()) };
    }
    if let Some((length, count)) = part.strip_prefix("snakes").and_then(|rest| rest.split_once('*')) {
        let (length, count) = (number(length)?, number(count)?);
        let fine = (1..=MAX_LENGTH).contains(&length) && (1..=MAX_SNAKES).contains(&count);
        return if fine { Ok(snake_tuples(length, count)) } else { Err(error()) };
    }
    if let Some((rows, columns)) = part.split_once('x') {
        let (rows, columns) = (number(rows)?, number(columns)?);
        let fine = (1..=8).contains(&rows) && (1..=8).contains(&columns) && rows * columns <= MAX_LENGTH;
        return if fine { Ok(rectangle_tuples(rows, columns)) } else { Err(error()) };
    }
    parse_tuples(part)
}

/// Tuples written as squares, joined by `+`.
fn parse_tuples(text: &str) -> Result<Vec<SquareTuple>, TupleSetError> {
    let tuple = |part: &str| match part.parse() {
        Ok(tuple) => Ok(tuple),
        Err(SquareTupleError::Text(part)) => Err(TupleSetError::Part(part.chars().take(60).collect())),
        Err(error) => Err(TupleSetError::Tuple { part: part.chars().take(60).collect(), error }),
    };
    text.split('+').map(tuple).collect()
}

/// All straight lines of so many squares, along rows, columns and diagonals.
fn line_tuples(length: usize) -> Vec<SquareTuple> {
    [(1, 0), (0, 1), (1, 1), (1, -1)]
        .iter()
        .flat_map(|&step| place_everywhere(&line_cells(length, step)))
        .collect()
}

fn line_cells(length: usize, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
    (0..length as i32).map(|at| (at * x, at * y)).collect()
}

/// All rectangles of so many rows and columns.
fn rectangle_tuples(rows: usize, columns: usize) -> Vec<SquareTuple> {
    let cells = |rows: usize, columns: usize| -> Vec<(i32, i32)> {
        (0..rows as i32).flat_map(|y| (0..columns as i32).map(move |x| (x, y))).collect()
    };
    let mut all = place_everywhere(&cells(rows, columns));
    all.extend(place_everywhere(&cells(columns, rows)));
    all
}

/// A shape at all its places on the board.
fn place_everywhere(cells: &[(i32, i32)]) -> Vec<SquareTuple> {
    let place =
        |(x, y): (i32, i32)| Square::from_column_row(usize::try_from(x).ok()?, usize::try_from(y).ok()?);
    let at =
        |dx: i32, dy: i32| cells.iter().map(|&(x, y)| place((x + dx, y + dy))).collect::<Option<Vec<_>>>();
    let all = (0..8).flat_map(|dy| (0..8).map(move |dx| (dx, dy)));
    all.filter_map(|(dx, dy)| SquareTuple::new(at(dx, dy)?).ok()).collect()
}

/// Random walks to neighbouring squares, as Lucas had them; the same for the same numbers.
fn snake_tuples(length: usize, count: usize) -> Vec<SquareTuple> {
    let mut rng = Seed::new(length as u64).stream("snakes", count as u64);
    (0..count).filter_map(|_| SquareTuple::new(random_snake(length, &mut rng)).ok()).collect()
}

fn random_snake(length: usize, rng: &mut Rng) -> Vec<Square> {
    let mut squares: Vec<Square> = Square::new(rng.next_index(64)).into_iter().collect();
    let mut at = squares[0];
    // A walk that is shut in goes on from a square that it has been on: at most 60 steps in vain are likely.
    while squares.len() < length {
        let near = |square: &Square| {
            square.column().abs_diff(at.column()) <= 1
                && square.row().abs_diff(at.row()) <= 1
                && *square != at
        };
        let next: Vec<Square> = Square::all().filter(near).collect();
        at = *rng.choose(&next).unwrap_or(&at);
        if !squares.contains(&at) {
            squares.push(at);
        }
    }
    squares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sets_have_the_published_sizes() {
        // Jaskowski 2014: all straight 2-tuples make 32 tables, straight 3-tuples 24, 1-tuples 10.
        let cases =
            [("line1", 10, 64), ("line2", 32, 210), ("line3", 24, 168), ("known", 12, 50), ("2x2", 10, 49)];
        for (text, tables, lanes) in cases {
            let patterns: TupleSet = text.parse().unwrap();
            assert_eq!((patterns.tuples().len(), patterns.shape().lanes()), (tables, lanes), "{text}");
            assert_eq!(patterns.to_string(), text);
        }
        let snakes: TupleSet = "snakes6*20".parse().unwrap();
        assert!(snakes.tuples().len() > 15 && snakes.tuples().iter().all(|tuple| tuple.len() == 6));
    }

    #[test]
    fn bad_patterns_say_what_is_right() {
        for bad in ["line9", "4x4", "snakes3", "snakes11*2", "a1a9", "2x"] {
            let error = bad.parse::<TupleSet>().unwrap_err().to_string();
            assert!(
                error.starts_with("invalid pattern ") && error.contains("such as a1b1c1"),
                "{bad}: {error}"
            );
        }
        for empty in ["", "known+"] {
            let error = empty.parse::<TupleSet>().unwrap_err().to_string();
            assert!(error.starts_with("invalid pattern \"\": a tuple of 0 squares"), "{empty}: {error}");
        }
        assert!("a1a1".parse::<TupleSet>().unwrap_err().to_string().contains("a1 is twice"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", near in "[a-h1-8x+*lines]{0,20}") {
            let _ = text.parse::<TupleSet>();
            let _ = near.parse::<TupleSet>();
        }
    }
}
