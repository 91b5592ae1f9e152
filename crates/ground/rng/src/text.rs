//! Seeds and generators in documents, as the texts that they print (feature `serde`).

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Rng, Seed};

fn read_text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// A text, as not every format keeps whole numbers of 64 bits.
///
/// ```
/// use ishi_rng::Seed;
/// let text = serde_json::to_string(&Seed::new(u64::MAX)).unwrap();
/// assert_eq!(text, "\"18446744073709551615\"");
/// assert_eq!(serde_json::from_str::<Seed>(&text).unwrap(), Seed::new(u64::MAX));
/// ```
impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        read_text(deserializer)
    }
}

/// The state, to go on from.
impl Serialize for Rng {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rng {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rng, D::Error> {
        read_text(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_goes_on_where_it_was_written() {
        let mut stream = Seed::new(5).stream("game", 2);
        stream.next_u64();
        let text = serde_json::to_string(&stream).unwrap();
        let mut read: Rng = serde_json::from_str(&text).unwrap();
        assert_eq!(read.next_u64(), stream.next_u64());
    }

    #[test]
    fn what_is_no_seed_is_refused_in_the_words_of_the_command_line() {
        let error = serde_json::from_str::<Seed>("\"one\"").unwrap_err().to_string();
        assert!(error.contains("invalid seed \"one\""), "{error}");
        assert!(serde_json::from_str::<Rng>("\"0-0-0-0\"").is_err(), "a state of zeros is none");
    }
}
