//! Records, results and sizes in documents (feature `serde`).
//!
//! A collection is its own text, SGF, and a result is what RE has. [`GameInfo`](crate::GameInfo) and
//! [`Warning`](crate::Warning) are written only: they follow from a record.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Collection, GameResult, read_collection};

/// As SGF, which must hold a game to be read.
///
/// ```
/// let reading = ishi_sgf::read_collection(b"(;FF[4]CA[UTF-8]GM[1]SZ[9];B[ee])").unwrap();
/// let text = serde_json::to_string(&reading.collection).unwrap();
/// assert_eq!(text, "\"(;FF[4]CA[UTF-8]GM[1]SZ[9];B[ee])\\n\"");
/// let read: ishi_sgf::Collection = serde_json::from_str(&text).unwrap();
/// assert_eq!(read, reading.collection);
/// ```
impl Serialize for Collection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_sgf())
    }
}

impl<'de> Deserialize<'de> for Collection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Collection, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(read_collection(text.as_bytes()).map_err(D::Error::custom)?.collection)
    }
}

/// As its text, `B+3.5`.
impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameResult, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Color;

    use super::*;

    fn refusal<T: for<'de> Deserialize<'de>>(text: &str) -> String {
        serde_json::from_str::<T>(text).err().expect("it must be refused").to_string()
    }

    #[test]
    fn records_and_results_survive_writing() {
        let sgf = "(;FF[4]CA[UTF-8]GM[1]C[a \\] and 石];B[aa]\n(;W[bb])\n(;W[cc]))\n";
        let collection = read_collection(sgf.as_bytes()).unwrap().collection;
        let text = serde_json::to_string(&collection).unwrap();
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), sgf);
        assert_eq!(serde_json::from_str::<Collection>(&text).unwrap(), collection);
        let results =
            [GameResult::Points(Color::White, 3.5), GameResult::Draw, GameResult::Time(Color::Black)];
        let text = serde_json::to_string(&results).unwrap();
        assert_eq!(text, r#"["W+3.5","0","B+T"]"#);
        assert_eq!(serde_json::from_str::<Vec<GameResult>>(&text).unwrap(), results);
    }

    #[test]
    fn what_is_no_record_is_refused() {
        assert!(refusal::<Collection>("\"\"").starts_with("not SGF: the file is empty"));
        assert!(refusal::<GameResult>("\"B+often\"").starts_with("invalid result \"B+often\""));
    }
}
