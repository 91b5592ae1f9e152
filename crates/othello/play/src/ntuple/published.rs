//! The format of published one-ply players: `{ N  { length placements {squares}.. {3^length weights} } .. }`.
//!
//! Squares are 0 to 63 row by row; in a content the first square is the most significant digit, 0 is white, 1 empty, 2
//! black. A table is read at each of its placements. Braces and white space only separate; the numbers decide.
//!
//! Source: github.com/wjaskowski/mastering-2048, the players of the Othello League that were gathered there.

use std::fmt;
use std::str::FromStr;

use ishi_othello::Square;

use super::network::{NTupleNetwork, NetworkPhases};
use super::shape::{TupleGroup, TupleShape};
use super::tuple::{MAX_LENGTH, SquareTuple};

/// Weights are kept to this part of the greatest that sums allow: 27 bits and more for a few lanes.
const HEADROOM: f64 = 0.999;

/// The tables of a published player, as they stand in its file.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedPlayer {
    tables: Vec<PublishedTable>,
}

#[derive(Clone, Debug, PartialEq)]
struct PublishedTable {
    placements: Vec<SquareTuple>,
    weights: Vec<f64>,
}

/// The text is no published player.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PublishedError {
    /// A word that is no number.
    #[error("line {line}: {word:?} where {wanted} should be")]
    Word {
        /// From 1.
        line: usize,
        /// The word, cut off after 40 letters.
        word: String,
        /// What would be right.
        wanted: &'static str,
    },
    /// The text ends too early.
    #[error("the file ends where {0} should be")]
    End(&'static str),
    /// There is more after the last table.
    #[error("line {line}: {word:?} after the last of {tables} tables")]
    Rest {
        /// From 1.
        line: usize,
        /// The word, cut off after 40 letters.
        word: String,
        /// How many the file says there are.
        tables: usize,
    },
    /// Squares that make no tuple.
    #[error("table {table}: {error}")]
    Tuple {
        /// From 1.
        table: usize,
        /// What is wrong.
        error: super::tuple::SquareTupleError,
    },
    /// No or too many placements.
    #[error("{0} placements in all: write 1 to {max}", max = TupleShape::MAX_LANES)]
    Size(usize),
}

/// The numbers of a text, with their lines.
struct NumberWords<'a> {
    words: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
}

impl<'a> NumberWords<'a> {
    fn from_text(text: &'a str) -> NumberWords<'a> {
        let separates = |c: char| c.is_whitespace() || c == '{' || c == '}';
        let numbered = text.lines().enumerate().flat_map(move |(line, text)| {
            text.split(separates).filter(|word| !word.is_empty()).map(move |word| (line + 1, word))
        });
        NumberWords { words: Box::new(numbered) }
    }

    fn next_number<T: FromStr>(
        &mut self,
        wanted: &'static str,
        good: impl Fn(&T) -> bool,
    ) -> Result<T, PublishedError> {
        let (line, word) = self.words.next().ok_or(PublishedError::End(wanted))?;
        let value = word.parse().ok().filter(good);
        value.ok_or_else(|| PublishedError::Word { line, word: shorten_word(word), wanted })
    }

    fn read_table(&mut self, number: usize) -> Result<PublishedTable, PublishedError> {
        let length =
            self.next_number("a tuple's length, 1 to 10,", |length| (1..=MAX_LENGTH).contains(length))?;
        let count =
            self.next_number("a number of placements, 1 to 64,", |count| (1..=64usize).contains(count))?;
        let placements =
            (0..count).map(|_| self.read_tuple(number, length)).collect::<Result<Vec<_>, _>>()?;
        let weights = (0..3usize.pow(length as u32))
            .map(|_| self.next_number("a finite weight", |w: &f64| w.is_finite()));
        Ok(PublishedTable { placements, weights: weights.collect::<Result<_, _>>()? })
    }

    fn read_tuple(&mut self, table: usize, length: usize) -> Result<SquareTuple, PublishedError> {
        let square = |_| self.next_number("a square, 0 to 63,", |&square| square < 64usize);
        let indices = (0..length).map(square).collect::<Result<Vec<usize>, _>>()?;
        let squares = indices.into_iter().filter_map(Square::new).collect();
        SquareTuple::new(squares).map_err(|error| PublishedError::Tuple { table, error })
    }
}

fn shorten_word(word: &str) -> String {
    word.chars().take(40).collect()
}

impl FromStr for PublishedPlayer {
    type Err = PublishedError;

    fn from_str(text: &str) -> Result<PublishedPlayer, PublishedError> {
        let mut words = NumberWords::from_text(text);
        let count = words.next_number("a number of tables, 1 to 4096,", |count| {
            (1..=TupleShape::MAX_LANES).contains(count)
        })?;
        let tables = (1..=count).map(|number| words.read_table(number)).collect::<Result<Vec<_>, _>>()?;
        if let Some((line, word)) = words.words.next() {
            return Err(PublishedError::Rest { line, word: shorten_word(word), tables: count });
        }
        let lanes = tables.iter().map(|table| table.placements.len()).sum();
        if lanes > TupleShape::MAX_LANES {
            Err(PublishedError::Size(lanes))
        } else {
            Ok(PublishedPlayer { tables })
        }
    }
}

/// Reading it gives the same tables, bit for bit.
impl fmt::Display for PublishedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{{ {}", self.tables.len())?;
        for PublishedTable { placements, weights } in &self.tables {
            writeln!(f, "  {{ {} {}", placements[0].len(), placements.len())?;
            for tuple in placements {
                let squares: Vec<String> =
                    tuple.squares().iter().map(|square| square.index().to_string()).collect();
                writeln!(f, "    {{ {} }}", squares.join(" "))?;
            }
            let weights: Vec<String> = weights.iter().map(f64::to_string).collect();
            writeln!(f, "    {{ {} }}\n  }}", weights.join(" "))?;
        }
        writeln!(f, "}}")
    }
}

impl PublishedPlayer {
    /// The network, of one phase. Weights become whole numbers of a unit, 2^-19 or less of the greatest (2^-26 with 32
    /// lanes).
    pub fn to_network(&self) -> NTupleNetwork {
        let groups = self
            .tables
            .iter()
            .filter_map(|table| TupleGroup::from_placements(table.placements.clone()))
            .collect();
        let shape = TupleShape::new(groups)
            .unwrap_or_else(|| unreachable!("a file that was read has 1 to 4096 lanes"));
        let weights = || self.tables.iter().flat_map(|table| &table.weights);
        let greatest = weights().fold(f64::MIN_POSITIVE, |most, weight| most.max(weight.abs()));
        let mut network = NTupleNetwork::with_zero_weights(shape, NetworkPhases::single_phase(), 1.0);
        let steps = f64::from(network.weight_limit()) * HEADROOM;
        network.set_unit(greatest / steps);
        for (group, table) in self.tables.iter().enumerate() {
            for (own, weight) in network.group_weights_mut(0, group).iter_mut().zip(&table.weights) {
                // Divided first: no overflow, however great the weights are.
                *own = (weight / greatest * steps).round() as i32;
            }
        }
        network
    }

    /// The tables of a network of one phase; `None` if it has several, which the format does not know.
    pub fn from_network(network: &NTupleNetwork) -> Option<PublishedPlayer> {
        let table = |group: usize| PublishedTable {
            placements: network.shape().groups()[group].placements().to_vec(),
            weights: network
                .group_weights(0, group)
                .iter()
                .map(|&weight| f64::from(weight) * network.unit())
                .collect(),
        };
        let groups = 0..network.shape().groups().len();
        (network.phases().count() == 1).then(|| PublishedPlayer { tables: groups.map(table).collect() })
    }
}
