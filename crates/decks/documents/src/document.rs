//! What pool documents in JSON and TOML may say, before names are looked up.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A pool document.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a pool: an object with `pieces` and `pairs`")]
pub(super) struct PoolText<'a> {
    /// That of the content, where ishi wrote the document.
    pub(super) checksum: Option<String>,
    /// What it is called.
    pub(super) name: Option<String>,
    /// Units in a score of 1; found out where it is not given.
    pub(super) units: Option<f64>,
    pub(super) resources: Option<Vec<String>>,
    pub(super) attributes: Option<Vec<String>>,
    #[serde(default)]
    pub(super) groups: BTreeMap<String, usize>,
    #[serde(borrow)]
    pub(super) pieces: PiecesText<'a>,
    #[serde(borrow)]
    pub(super) pairs: Option<TableText<'a>>,
    #[serde(borrow)]
    pub(super) leaders: Option<TableText<'a>>,
}

/// The pieces, or the file that lists them.
pub(super) enum PiecesText<'a> {
    File(Cow<'a, str>),
    Listed(Vec<PieceText>),
}

/// A piece.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a piece: an object with a `name`")]
pub(super) struct PieceText {
    pub(super) name: String,
    #[serde(default)]
    pub(super) cost: CostText,
    #[serde(default)]
    pub(super) attributes: Vec<String>,
    pub(super) group: Option<String>,
    #[serde(default)]
    pub(super) score: f64,
    #[serde(default)]
    pub(super) leader_score: f64,
    pub(super) copies: Option<usize>,
}

/// What a piece costs.
#[derive(Default)]
pub(super) enum CostText {
    #[default]
    Nothing,
    /// The cost of the only resource.
    One(i64),
    /// The costs of some resources.
    Some(BTreeMap<String, i64>),
}

/// A piece by its name or its place, from 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CardReference<'a> {
    Name(Cow<'a, str>),
    Place(u64),
}

/// Scores of pairs, in one of the ways in which they can be given.
pub(super) enum TableText<'a> {
    /// The name of a CSV file.
    File(Cow<'a, str>),
    /// Rows of a list.
    Rows(ScoreRows<'a>),
    /// An object that says which.
    Object(TableObject<'a>),
}

/// A table that says what its parts are.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table of scores: `list`, `matrix` or `file`, and perhaps `default`"
)]
pub(super) struct TableObject<'a> {
    #[serde(borrow)]
    pub(super) file: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) list: Option<ScoreRows<'a>>,
    #[serde(borrow)]
    pub(super) matrix: Option<ScoreRows<'a>>,
    pub(super) default: Option<DefaultText>,
}

/// What an unlisted pair scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DefaultText {
    Score(f64),
    /// The word `pairs`.
    AsPair,
}

/// A list of rows: all numbers of all rows, and how long each row is; a row that starts with a name is a triple.
#[derive(Default)]
pub(super) struct ScoreRows<'a> {
    /// Triples whose cards are not both numbers, by the number of their row.
    pub(super) named: Vec<(usize, CardReference<'a>, CardReference<'a>, f64)>,
    /// The numbers of all other rows, one row after the other.
    pub(super) numbers: Vec<f64>,
    /// How many numbers each row has in `numbers`.
    pub(super) lengths: Vec<u32>,
}

impl<'de: 'a, 'a> Deserialize<'de> for PiecesText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PiecesTextVisitor;
        impl<'de> Visitor<'de> for PiecesTextVisitor {
            type Value = PiecesText<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of pieces, or the name of a CSV file that lists them")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(PiecesText::File(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(PiecesText::File(Cow::Owned(text.to_string())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut pieces = Vec::new();
                while let Some(piece) = list.next_element()? {
                    pieces.push(piece);
                }
                Ok(PiecesText::Listed(pieces))
            }
        }
        deserializer.deserialize_any(PiecesTextVisitor)
    }
}

impl<'de> Deserialize<'de> for CostText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CostTextVisitor;
        impl<'de> Visitor<'de> for CostTextVisitor {
            type Value = CostText;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number from 0, or an object such as {\"mana\": 3}")
            }
            fn visit_i64<E>(self, cost: i64) -> Result<CostText, E> {
                Ok(CostText::One(cost))
            }
            fn visit_u64<E: de::Error>(self, cost: u64) -> Result<CostText, E> {
                let too_large = || E::custom(format!("a cost of {cost} is too large"));
                i64::try_from(cost).map(CostText::One).map_err(|_| too_large())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CostText, A::Error> {
                let mut costs = BTreeMap::new();
                while let Some((resource, cost)) = map.next_entry::<String, i64>()? {
                    costs.insert(resource, cost);
                }
                Ok(CostText::Some(costs))
            }
        }
        deserializer.deserialize_any(CostTextVisitor)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for TableText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TableTextVisitor;
        impl<'de> Visitor<'de> for TableTextVisitor {
            type Value = TableText<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a list of [card, card, score], a matrix of as many rows and columns as there are pieces, \
                     the name of a CSV file, or an object with `list`, `matrix` or `file`",
                )
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(TableText::File(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(TableText::File(Cow::Owned(text.to_string())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                read_score_rows(list).map(TableText::Rows)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                TableObject::deserialize(de::value::MapAccessDeserializer::new(map)).map(TableText::Object)
            }
        }
        deserializer.deserialize_any(TableTextVisitor)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for ScoreRows<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScoreRowsVisitor;
        impl<'de> Visitor<'de> for ScoreRowsVisitor {
            type Value = ScoreRows<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of rows")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                read_score_rows(list)
            }
        }
        deserializer.deserialize_seq(ScoreRowsVisitor)
    }
}

fn read_score_rows<'de, A: SeqAccess<'de>>(mut list: A) -> Result<ScoreRows<'de>, A::Error> {
    let mut rows = ScoreRows::default();
    while list.next_element_seed(RowInto(&mut rows))?.is_some() {}
    Ok(rows)
}

/// Reads one row into those before it, so that a large matrix is one piece of memory.
struct RowInto<'r, 'a>(&'r mut ScoreRows<'a>);

impl<'de> de::DeserializeSeed<'de> for RowInto<'_, 'de> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for RowInto<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row: [card, card, score], or a list of scores")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let rows = self.0;
        let before = rows.numbers.len();
        let mut name = None;
        while let Some(item) = list.next_element()? {
            match item {
                RowCell::Number(number) => rows.numbers.push(number),
                RowCell::Name(text) => {
                    name = Some(text);
                    break;
                }
            }
        }
        if let Some(name) = name {
            let first = rows.numbers.split_off(before);
            let triple = read_triple(first, name, &mut list)?;
            rows.named.push((rows.lengths.len(), triple.0, triple.1, triple.2));
        }
        let length =
            u32::try_from(rows.numbers.len() - before).map_err(|_| de::Error::custom("a row without end"))?;
        rows.lengths.push(length);
        Ok(())
    }
}

/// A cell of a row.
enum RowCell<'a> {
    Number(f64),
    Name(Cow<'a, str>),
}

impl<'de> Deserialize<'de> for RowCell<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RowCellVisitor;
        impl<'de> Visitor<'de> for RowCellVisitor {
            type Value = RowCell<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a score (a number), or the name of a card")
            }
            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(RowCell::Number(number as f64))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(RowCell::Number(number as f64))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
                Ok(RowCell::Number(number))
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(RowCell::Name(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(RowCell::Name(Cow::Owned(text.to_string())))
            }
        }
        deserializer.deserialize_any(RowCellVisitor)
    }
}

/// The rest of a triple that has a name in it; `first` is what stood before the name.
fn read_triple<'de, A: SeqAccess<'de>>(
    first: Vec<f64>,
    name: Cow<'de, str>,
    list: &mut A,
) -> Result<(CardReference<'de>, CardReference<'de>, f64), A::Error> {
    let wrong = || de::Error::custom("a row with names is [card, card, score]");
    let mut cards: Vec<CardReference<'de>> = Vec::new();
    for place in first {
        cards.push(CardReference::Place(integer_from_float(place).ok_or_else(wrong)?));
    }
    cards.push(CardReference::Name(name));
    while cards.len() < 2 {
        cards.push(match list.next_element()?.ok_or_else(wrong)? {
            RowCell::Name(name) => CardReference::Name(name),
            RowCell::Number(place) => CardReference::Place(integer_from_float(place).ok_or_else(wrong)?),
        });
    }
    let score = match list.next_element()? {
        Some(RowCell::Number(score)) => score,
        Some(RowCell::Name(name)) => {
            return Err(de::Error::custom(format!("{name:?} is no score: it must be a number")));
        }
        None => return Err(wrong()),
    };
    if list.next_element::<RowCell<'de>>()?.is_some() {
        return Err(wrong());
    }
    let [a, b] = <[CardReference<'de>; 2]>::try_from(cards).map_err(|_| wrong())?;
    Ok((a, b, score))
}

/// The number as a place, if it is one.
pub(super) fn integer_from_float(number: f64) -> Option<u64> {
    (number >= 0.0 && number.fract() == 0.0 && number < 1e15).then_some(number as u64)
}

impl<'de> Deserialize<'de> for DefaultText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DefaultTextVisitor;
        impl Visitor<'_> for DefaultTextVisitor {
            type Value = DefaultText;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a score, or the word \"pairs\" (of leaders: they score as pairs where they are not listed)")
            }
            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(DefaultText::Score(number as f64))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(DefaultText::Score(number as f64))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
                Ok(DefaultText::Score(number))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                if text == "pairs" {
                    return Ok(DefaultText::AsPair);
                }
                Err(E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(DefaultTextVisitor)
    }
}
