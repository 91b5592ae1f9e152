//! Numbers as text without loss, for states: the 64 bits in hexadecimal, so that no format's way of writing decimals, nor an
//! infinity, changes what a resumed run does.
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Point(#[serde(with = "ishi_evolve::exact::list")] Vec<f64>);
//! let text = serde_json::to_string(&Point(vec![0.1, f64::INFINITY])).unwrap();
//! assert_eq!(text, "\"3fb999999999999a 7ff0000000000000\"");
//! ```

use serde::{Deserialize, Deserializer, Serializer, de::Error};

fn format_bits(value: f64) -> String {
    format!("{:016x}", value.to_bits())
}

fn parse_bits(text: &str) -> Result<f64, String> {
    let bits = (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok()).flatten();
    bits.map(f64::from_bits).ok_or_else(|| {
        format!("invalid number {text:?}: the bits of a 64-bit float must be 16 hexadecimal digits")
    })
}

/// Writes a number.
///
/// # Errors
/// Those of the format.
pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format_bits(*value))
}

/// Reads a number.
///
/// # Errors
/// If it is not 16 hexadecimal digits.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    parse_bits(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// Lists, as words between spaces.
pub mod list {
    use super::{Deserialize, Deserializer, Error, Serializer, format_bits, parse_bits};

    /// Writes a list.
    ///
    /// # Errors
    /// Those of the format.
    pub fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        let words: Vec<String> = values.iter().map(|&v| format_bits(v)).collect();
        serializer.serialize_str(&words.join(" "))
    }

    /// Reads a list.
    ///
    /// # Errors
    /// If a word is not 16 hexadecimal digits.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.split_ascii_whitespace().map(parse_bits).collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}

/// The generator, as its own text.
pub mod rng {
    use super::{Deserialize, Deserializer, Error, Serializer};
    use ishi_rng::Rng;

    /// Writes a generator's state.
    ///
    /// # Errors
    /// Those of the format.
    pub fn serialize<S: Serializer>(rng: &Rng, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&rng.to_string())
    }

    /// Reads a generator's state.
    ///
    /// # Errors
    /// If it is no state.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rng, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use ishi_rng::{Rng, Seed};
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    struct Kept {
        #[serde(with = "crate::exact")]
        number: f64,
        #[serde(with = "crate::exact::rng")]
        stream: Rng,
    }

    #[test]
    fn numbers_and_streams_survive_writing() {
        let kept = Kept { number: -0.1, stream: Seed::new(3).stream("kept", 0) };
        let text = serde_json::to_string(&kept).unwrap();
        let read: Kept = serde_json::from_str(&text).unwrap();
        assert_eq!((read.number.to_bits(), read.stream), (kept.number.to_bits(), kept.stream));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let stream = Seed::new(3).stream("kept", 0);
        let text = serde_json::to_string(&Kept { number: 0.5, stream }).unwrap();
        let error = serde_json::from_str::<Kept>(&text.replace("3fe0000000000000", "0.5")).err().unwrap();
        assert!(
            error.to_string().starts_with("invalid number \"0.5\": the bits of a 64-bit float"),
            "{error}"
        );
    }
}
