//! Options as text: `KEY=VALUE,KEY=VALUE`, and what differs from the usual.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::str::FromStr;

use serde::de::value::{MapDeserializer, StringDeserializer};
use serde::de::{Deserializer, Error as _, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize, forward_to_deserialize_any};

use super::error::EvolutionError;
use super::options::LearningOptions;

/// `KEY=VALUE,KEY=VALUE`; nothing leaves all as usual.
///
/// ```
/// use ishi_othello_learn::evolution::LearningOptions;
/// let options: LearningOptions = "rating=likelihood,population=30".parse().unwrap();
/// assert_eq!(options.to_string(), "population = 30, rating = \"likelihood\"");
/// let error = "ratings=likelihood".parse::<LearningOptions>().unwrap_err();
/// assert!(error.to_string().contains("unknown field `ratings`"));
/// ```
impl FromStr for LearningOptions {
    type Err = EvolutionError;

    fn from_str(text: &str) -> Result<LearningOptions, EvolutionError> {
        let settings = parse_settings(text).map_err(EvolutionError::Settings)?;
        let options = LearningOptions::deserialize(MapDeserializer::new(settings.into_iter()))
            .map_err(|error| EvolutionError::Settings(error.to_string()))?;
        options.check_ranges()?;
        Ok(options)
    }
}

/// What differs from the usual, such as `population = 30, rating = "likelihood"`.
impl fmt::Display for LearningOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.list_differences().into_iter().map(|(key, value)| format!("{key} = {value}"));
        f.pad(&pairs.collect::<Vec<_>>().join(", "))
    }
}

impl LearningOptions {
    /// Keys and values that are not the usual ones, in the keys' order; words stand in quotes.
    pub(super) fn list_differences(&self) -> Vec<(&'static str, String)> {
        let usual = LearningOptions::default().list_settings();
        self.list_settings().into_iter().filter(|(key, value)| usual.get(key) != Some(value)).collect()
    }

    /// Every key with its value.
    fn list_settings(&self) -> BTreeMap<&'static str, String> {
        /// The fields by their names, each written by the same function.
        macro_rules! written_by {
            ($write:ident: $($key:ident)*) => { [$((stringify!($key), $write(&self.$key))),*] };
        }
        let sizes = written_by!(write_count: weights population group opponents);
        let counts = written_by!(write_count: t_max k_max series games every);
        let numbers = written_by!(write_number: epsilon f cr alpha admission k_factor start_rating);
        let words = written_by!(write_word:
            strategy adaptation first_player success_from advance restart after_failure parent_value child
            sigma moving order rating league_start leaves dice bounds);
        sizes.into_iter().chain(counts).chain(numbers).chain(words).collect()
    }
}

fn write_count(value: &impl ToString) -> String {
    value.to_string()
}

/// With a point or an exponent, so that it is told from a count.
fn write_number(value: &f64) -> String {
    if (1e-5..1e-4).contains(&value.abs()) {
        return value.to_string();
    }
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if !exponent.starts_with('-') => format!("{mantissa}e+{exponent}"),
        _ => text,
    }
}

/// The word that a setting is read from, in quotes.
fn write_word(value: &impl Serialize) -> String {
    struct SettingName<'a, T>(&'a T);
    impl<T: Serialize> fmt::Display for SettingName<'_, T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.serialize(f)
        }
    }
    format!("{:?}", SettingName(value).to_string())
}

/// Keys and values, in the keys' order.
fn parse_settings(text: &str) -> Result<BTreeMap<String, SettingValue>, String> {
    let mut settings = BTreeMap::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| format!("{part:?}: write KEY=VALUE, such as rating=likelihood"))?;
        match settings.entry(key.trim().to_string()) {
            Entry::Occupied(twice) => return Err(format!("{} is given twice", twice.key())),
            Entry::Vacant(free) => free.insert(SettingValue::from_text(value.trim())),
        };
    }
    Ok(settings)
}

/// A value as it was written: a number is one, all else is a word.
enum SettingValue {
    Count(u64),
    Negative(i64),
    Number(f64),
    Word(String),
}

impl SettingValue {
    fn from_text(text: &str) -> SettingValue {
        if !is_number(text) {
            return SettingValue::Word(text.to_string());
        }
        let whole =
            || text.parse().map(SettingValue::Count).or_else(|_| text.parse().map(SettingValue::Negative));
        let number = || text.parse().ok().filter(|number: &f64| number.is_finite()).map(SettingValue::Number);
        // -0 is no whole number.
        let found = if text == "-0" { None } else { whole().ok() };
        found.or_else(number).unwrap_or_else(|| SettingValue::Word(text.to_string()))
    }

    fn as_unexpected(&self) -> Unexpected<'_> {
        match self {
            SettingValue::Count(value) => Unexpected::Unsigned(*value),
            SettingValue::Negative(value) => Unexpected::Signed(*value),
            SettingValue::Number(value) => Unexpected::Float(*value),
            SettingValue::Word(word) => Unexpected::Str(word),
        }
    }
}

/// Why a value is none of its key.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct SettingError(String);

impl serde::de::Error for SettingError {
    fn custom<T: fmt::Display>(message: T) -> SettingError {
        SettingError(message.to_string())
    }

    /// Numbers stand in the message as they stand in lists of settings.
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> SettingError {
        match unexpected {
            Unexpected::Float(value) => {
                let number = write_number(&value);
                SettingError(format!("invalid type: floating point `{number}`, expected {expected}"))
            }
            other => SettingError(format!("invalid type: {other}, expected {expected}")),
        }
    }
}

/// Digits as JSON and TOML have them: `7`, `-0.5` or `1e6`, but not `.5`, `+1`, `01` or `inf`.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

impl<'de> IntoDeserializer<'de, SettingError> for SettingValue {
    type Deserializer = SettingValue;

    fn into_deserializer(self) -> SettingValue {
        self
    }
}

impl<'de> Deserializer<'de> for SettingValue {
    type Error = SettingError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SettingError> {
        match self {
            SettingValue::Count(value) => visitor.visit_u64(value),
            SettingValue::Negative(value) => visitor.visit_i64(value),
            SettingValue::Number(value) => visitor.visit_f64(value),
            SettingValue::Word(word) => visitor.visit_string(word),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SettingError> {
        match self {
            SettingValue::Word(word) => {
                let word: StringDeserializer<SettingError> = word.into_deserializer();
                word.deserialize_enum(name, variants, visitor)
            }
            number => Err(SettingError::invalid_type(number.as_unexpected(), &"string or map")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn settings_say_what_is_wrong() {
        let error = |text: &str| text.parse::<LearningOptions>().unwrap_err().to_string();
        assert!(error("rating").contains("KEY=VALUE"));
        assert!(error("rating=glicko").contains("likelihood"));
        assert!(error("games=0").contains("games: 1 to 100000"));
        assert_eq!(error("games=5,games=6"), "games is given twice");
        assert_eq!("".parse::<LearningOptions>().unwrap(), LearningOptions::default());
    }

    /// Mistakes and values, as a table in JSON would have them.
    #[test]
    fn settings_are_read_as_json_reads_them() {
        let values = [
            "5",
            "-5",
            "0",
            "-0",
            "0.5",
            "-0.5",
            "1e3",
            "1E-3",
            "5e-05",
            ".5",
            "5.",
            "+5",
            "05",
            "00",
            "inf",
            "NaN",
            "1e400",
            "18446744073709551616",
            "-9223372036854775809",
            "0x10",
            "true",
            "null",
            "\"elo\"",
            "elo",
            "likelihood",
            "1.25",
            "",
            "-",
            "e5",
            "1e",
            "1e+",
            "7 8",
            "DE/best/2/exp",
            "jade",
            "clip",
            "100",
        ];
        let keys = [
            "games",
            "weights",
            "f",
            "epsilon",
            "rating",
            "strategy",
            "adaptation",
            "bounds",
            "admission",
            "no",
        ];
        for (key, value) in keys.iter().flat_map(|key| values.map(|value| (*key, value))) {
            let found = format!("{key}={value}").parse::<LearningOptions>().map_err(|e| e.to_string());
            let number = value.parse::<Value>().ok().filter(Value::is_number);
            let table = json!({ key: number.unwrap_or_else(|| json!(value)) });
            let expected = LearningOptions::deserialize(table).map_err(|e| e.to_string());
            let expected = expected.and_then(|options| {
                options.check_ranges().map_err(|error| error.to_string())?;
                Ok(options)
            });
            assert_eq!(found, expected, "{key}={value}");
        }
    }

    /// No option is missing in the list, and each is written as JSON would write it.
    #[test]
    fn settings_are_written_as_json_writes_them() {
        let numbers = [0.1, 1e-3, 1e-4, 5e-5, 1e-5, 5e-6, 1600.0, 1e6, 1e16, 123_456_789.125, 0.0, -2.5];
        for epsilon in numbers {
            let options = LearningOptions {
                epsilon,
                admission: -epsilon,
                rating: super::super::RatingMethod::Likelihood,
                ..LearningOptions::default()
            };
            let own = json!(options);
            let own = own.as_object().unwrap().iter();
            let expected: BTreeMap<&str, String> =
                own.map(|(key, value)| (key.as_str(), value.to_string())).collect();
            assert_eq!(options.list_settings(), expected);
        }
    }

    #[test]
    fn differences_name_what_is_not_usual() {
        assert_eq!(LearningOptions::default().to_string(), "");
        let options = LearningOptions {
            f: 0.5,
            rating: super::super::RatingMethod::Likelihood,
            ..LearningOptions::default()
        };
        assert_eq!(options.to_string(), "f = 0.5, rating = \"likelihood\"");
    }
}
