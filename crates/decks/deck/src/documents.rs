//! Pools and decks in documents, checked when they are read (feature `serde`). Requests and answers are data as they are.

use std::ops::RangeInclusive;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::pool::PieceGroup;
use crate::{Deck, PairScoreTable, Piece, Pool, RequestError, Slot};

/// Row, column and score of what is not 0.
type TableEntries = Vec<(u32, u32, i32)>;

fn list_entries(table: &PairScoreTable) -> TableEntries {
    let row_entries = |row: usize| {
        table.nonzero_entries(row).map(move |(column, score)| (row as u32, column as u32, score))
    };
    (0..table.side()).flat_map(row_entries).collect()
}

fn build_table(side: usize, entries: TableEntries) -> Result<PairScoreTable, String> {
    let outside = |&&(row, column, _): &&(u32, u32, i32)| row.max(column) as usize >= side;
    match entries.iter().find(outside) {
        Some((row, column, _)) => {
            Err(format!("invalid pair {row}, {column}: a piece must be a number below {side}"))
        }
        None => Ok(PairScoreTable::from_entries(side, entries)),
    }
}

/// A pool, its tables as lists.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolDocument {
    pieces: Vec<Piece>,
    resources: Vec<String>,
    attributes: Vec<String>,
    groups: Vec<PieceGroup>,
    pairs: TableEntries,
    leaders: Option<TableEntries>,
    units: f64,
}

impl PoolDocument {
    fn from_pool(pool: &Pool) -> PoolDocument {
        PoolDocument {
            pieces: pool.pieces.clone(),
            resources: pool.resources.clone(),
            attributes: pool.attributes.clone(),
            groups: pool.groups.clone(),
            pairs: list_entries(&pool.pairs),
            leaders: pool.leaders.as_ref().map(list_entries),
            units: pool.units,
        }
    }

    fn into_pool(self) -> Result<Pool, String> {
        let side = self.pieces.len();
        let pairs = build_table(side, self.pairs)?;
        let leaders = self.leaders.map(|entries| build_table(side, entries)).transpose()?;
        let PoolDocument { pieces, resources, attributes, groups, units, .. } = self;
        let pool = Pool { pieces, resources, attributes, groups, pairs, leaders, units };
        pool.check_parts().map_err(|error| error.to_string())?;
        Ok(pool)
    }
}

/// Its parts, with the scores that are not 0 as `[row, column, score]`. [`Pool::check_parts`] looks at it when it is read.
impl Serialize for Pool {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PoolDocument::from_pool(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Pool {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pool, D::Error> {
        PoolDocument::deserialize(deserializer)?.into_pool().map_err(D::Error::custom)
    }
}

/// A [`Deck`] as it is read, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeckDocument {
    slots: Vec<Slot>,
    leader: Option<Slot>,
}

impl TryFrom<DeckDocument> for Deck {
    type Error = String;

    fn try_from(read: DeckDocument) -> Result<Deck, String> {
        let deck = Deck::new(read.slots, read.leader);
        if let Some(pair) = deck.slots.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("invalid deck: slot {} must be in it once", pair[0].0));
        }
        match deck.leader {
            Some(leader) if deck.slots.binary_search(&leader).is_err() => {
                Err(format!("invalid deck: its leader, slot {}, must be in it", leader.0))
            }
            _ => Ok(deck),
        }
    }
}

/// Reads how many pieces a deck has.
pub(crate) fn read_size<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<RangeInclusive<usize>, D::Error> {
    let size = RangeInclusive::<usize>::deserialize(deserializer)?;
    let (least, most) = (*size.start(), *size.end());
    if most == 0 || least > most {
        return Err(D::Error::custom(RequestError::Size { least, most }));
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::{AnswerStatus, AttributeQuota, DeckAnswer, DeckRequest, LeaderRule, PieceId, SolveEffort};

    fn survives<T: Serialize + for<'de> Deserialize<'de> + PartialEq + Debug>(value: &T) {
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    }

    fn refusal<T: for<'de> Deserialize<'de>>(text: &str) -> String {
        serde_json::from_str::<T>(text).err().expect("it must be refused").to_string()
    }

    fn pool() -> Pool {
        let piece = |name: &str, cost| Piece {
            name: name.to_string(),
            costs: vec![cost],
            score: 1,
            ..Piece::default()
        };
        Pool {
            pieces: vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)],
            resources: vec!["cost".to_string()],
            attributes: vec!["flies".to_string()],
            groups: vec![PieceGroup { name: "insects".to_string(), limit: 2 }],
            pairs: PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]),
            leaders: Some(PairScoreTable::from_entries(3, vec![(1, 0, 7)])),
            units: 10.0,
        }
    }

    #[test]
    fn everything_survives_writing() {
        survives(&pool());
        let deck = Deck::new(vec![Slot(4), Slot(1)], Some(Slot(4)));
        survives(&deck);
        let quotas = vec![AttributeQuota { attribute: 0, at_least: 1, at_most: None }];
        let leader = LeaderRule::OneOf(vec![PieceId(2)]);
        survives(&DeckRequest { quotas, leader, ..DeckRequest::with_size(2..=3, 1) });
        let (status, work) = (AnswerStatus::Feasible, SolveEffort::default());
        survives(&DeckAnswer { status, deck: Some(deck), value: Some(95), bound: Some(100), work });
    }

    #[test]
    fn pools_that_do_not_fit_together_are_refused() {
        let text = serde_json::to_string(&pool()).unwrap();
        let outside = refusal::<Pool>(&text.replace("[0,1,5]", "[0,3,5]"));
        assert!(outside.starts_with("invalid pair 0, 3: a piece must be a number below 3"), "{outside}");
        let one_way = refusal::<Pool>(&text.replace("[0,1,5],", ""));
        assert!(one_way.contains("is not the same both ways"), "{one_way}");
        let twice = refusal::<Pool>(&text.replace("Bee", "Ant"));
        assert!(twice.contains("two pieces are called \"Ant\""), "{twice}");
    }

    #[test]
    fn decks_and_requests_that_cannot_be_are_refused() {
        let twice = refusal::<Deck>(r#"{"slots":[1,2,1],"leader":null}"#);
        assert!(twice.starts_with("invalid deck: slot 1 must be in it once"), "{twice}");
        let leader = refusal::<Deck>(r#"{"slots":[1,2],"leader":3}"#);
        assert!(leader.starts_with("invalid deck: its leader, slot 3, must be in it"), "{leader}");
        let text = serde_json::to_string(&DeckRequest::with_size(2..=3, 1)).unwrap();
        let size = refusal::<DeckRequest>(&text.replace("\"end\":3", "\"end\":1"));
        assert!(size.starts_with("a deck of 2 to 1 pieces"), "{size}");
    }
}
