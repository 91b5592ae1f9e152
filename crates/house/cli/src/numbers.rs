//! Numbers and sizes of boards as options: how they are read, and what is said where one cannot be used.
//!
//! [`number_in()`] makes the parser of a range. Where the range alone would not help its reader, a parser has words of its own.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::str::FromStr;
use std::time::Duration;

use ishi_deck_documents::request;
use ishi_go::BoardSize;

/// The longest time of a move or an answer: ten days, in seconds.
pub const TEN_DAYS: f64 = 864_000.0;

/// The most points for one side, as programs that review games have it: those of a board of 20x20.
pub const MOST_KOMI: f64 = 400.0;

/// A type of number that options have.
pub trait OptionNumber: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static {
    /// What such a number is called.
    const KIND: &'static str;
}

impl OptionNumber for usize {
    const KIND: &'static str = "a whole number";
}

impl OptionNumber for u64 {
    const KIND: &'static str = "a whole number";
}

impl OptionNumber for f32 {
    const KIND: &'static str = "a number";
}

impl OptionNumber for f64 {
    const KIND: &'static str = "a number";
}

/// A parser of numbers of a range, such as `1..`, `0.0..=1.0` or [`range_above(0.0, 10.0)`](range_above()).
pub fn number_in<N: OptionNumber>(
    range: impl RangeBounds<N> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    move |text| read_in(text, &range).ok_or_else(|| format!("{text:?}: write {}", describe_range(&range)))
}

/// The numbers above one, up to and with another one.
pub fn range_above<N>(least: N, most: N) -> (Bound<N>, Bound<N>) {
    (Bound::Excluded(least), Bound::Included(most))
}

/// Is it a number, and one of the range?
fn read_in<N: FromStr + PartialOrd>(text: &str, range: &impl RangeBounds<N>) -> Option<N> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// The range in words, to follow "write".
fn describe_range<N: OptionNumber>(range: &impl RangeBounds<N>) -> String {
    let kind = N::KIND;
    match (range.start_bound(), range.end_bound()) {
        (Bound::Included(least), Bound::Included(most)) => format!("{kind} from {least} to {most}"),
        (Bound::Included(least), Bound::Unbounded) => format!("{kind} from {least} on"),
        (Bound::Excluded(least), Bound::Included(most)) => format!("{kind} above {least}, {most} at most"),
        _ => kind.to_string(),
    }
}

/// A parser of times in seconds of a range; `wanted` says in the error what to write.
pub fn seconds_in(
    range: impl RangeBounds<f64> + Clone + Send + Sync + 'static,
    wanted: &'static str,
) -> impl Fn(&str) -> Result<Duration, String> + Clone + Send + Sync + 'static {
    move |text| {
        let time = read_in(text, &range).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        // What is left of a number just above 0 may be no time at all.
        let time = time.filter(|time| range.contains(&time.as_secs_f64()));
        time.ok_or_else(|| format!("invalid time {text:?}: {wanted}"))
    }
}

/// Seconds to think, more than none.
pub fn parse_thinking_time(text: &str) -> Result<Duration, String> {
    seconds_in(range_above(0.0, f64::MAX), "write seconds, more than 0, such as 2.5")(text)
}

/// Seconds for a deck's search, within the limits of a request.
pub fn parse_time_limit(text: &str) -> Result<Duration, String> {
    let number = text.parse().map_err(|_| format!("{text:?}: write seconds such as 10"))?;
    request::parse_time_limit(number)
}

/// A number of games that are played in pairs.
pub fn parse_even(text: &str) -> Result<u64, String> {
    let number = read_in(text, &(1..)).filter(|games| games % 2 == 0);
    number.ok_or_else(|| {
        format!("invalid number of games {text:?}: games are played in pairs, so write an even number")
    })
}

/// A number from 0 to 1 that is a probability.
pub fn parse_probability(text: &str) -> Result<f64, String> {
    let number = read_in(text, &(0.0..=1.0));
    number.ok_or_else(|| format!("{text:?} is no probability: write a number from 0 to 1"))
}

/// Memory in gigabytes, more than none.
pub fn parse_gigabytes(text: &str) -> Result<f64, String> {
    let amount = read_in(text, &range_above(0.0, f64::MAX));
    amount.ok_or_else(|| "write a number of gigabytes above 0, such as 4 or 0.5".to_string())
}

/// Points for White.
pub fn parse_komi(text: &str) -> Result<f64, String> {
    number_in(-MOST_KOMI..=MOST_KOMI)(text)
}

/// The number of a move of a game.
pub fn parse_move_number(text: &str) -> Result<usize, String> {
    read_in(text, &(1..)).ok_or_else(|| "moves are counted from 1: write a number such as 57".to_string())
}

/// How many moves.
pub fn parse_move_count(text: &str) -> Result<usize, String> {
    let wrong = "write how many moves: a whole number from 0 on, such as 5";
    text.parse().map_err(|_| wrong.to_string())
}

/// A parser of sizes such as `9` or `9x13` (columns and rows), with both sides in the range.
pub fn size_in(
    sides: RangeInclusive<usize>,
) -> impl Fn(&str) -> Result<(usize, usize), String> + Clone + Send + Sync + 'static {
    move |text| {
        let size = read_sides(text).filter(|(width, height)| sides.contains(width) && sides.contains(height));
        size.ok_or_else(|| {
            let (least, most) = (sides.start(), sides.end());
            format!("write lines such as 19, or columns and rows such as 19x25, {least} to {most} each")
        })
    }
}

/// The size of a board of Go, as `9` or `13x9`.
pub fn parse_board_size(text: &str) -> Result<BoardSize, String> {
    let Some((width, height)) = read_sides(text) else {
        return Err(format!("invalid size {text:?}: write 9, or 13x9 for 13 columns and 9 rows"));
    };
    BoardSize::new(width, height).map_err(|error| error.to_string())
}

/// Columns and rows, or the one number that is both.
fn read_sides<N: FromStr>(text: &str) -> Option<(N, N)> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    width.trim().parse().ok().zip(height.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use ishi_fuzz_targets::list_mutants;
    use ishi_rng::Seed;

    use super::*;

    /// Is it refused in words, or as it should be?
    fn is_right<T>(read: Result<T, String>, check: impl FnOnce(T) -> bool) -> bool {
        match read {
            Ok(found) => check(found),
            Err(error) => !error.is_empty(),
        }
    }

    /// Whatever is typed: what is taken lies in its range.
    #[test]
    fn mutants_of_numbers_are_in_their_ranges_or_refused() {
        let typed: [&[u8]; 5] = [b"19x25", b"2.5", b"0.5", b"58", b"1e3"];
        for mutant in list_mutants(&typed, &["x", "e", "-", "+", ".", " "], Seed::new(1), 2000) {
            let text = String::from_utf8_lossy(&mutant);
            assert!(is_right(parse_thinking_time(&text), |time| time > Duration::ZERO), "{text}");
            assert!(is_right(parse_even(&text), |games| games > 0 && games % 2 == 0), "{text}");
            assert!(is_right(parse_probability(&text), |share| (0.0..=1.0).contains(&share)), "{text}");
            assert!(is_right(parse_gigabytes(&text), |amount| amount > 0.0), "{text}");
            assert!(is_right(parse_move_number(&text), |number| number > 0), "{text}");
            assert!(is_right(size_in(1..=25)(&text), |(width, height)| width.max(height) <= 25), "{text}");
            assert!(is_right(parse_komi(&text), |komi| komi.abs() <= MOST_KOMI), "{text}");
            let _ = (parse_time_limit(&text), parse_move_count(&text), parse_board_size(&text));
        }
    }

    #[test]
    fn numbers_of_a_range_are_read_and_others_are_told_it() {
        assert_eq!(number_in::<usize>(1..)("7"), Ok(7));
        assert_eq!(number_in::<f64>(0.0..=1.0)("1"), Ok(1.0));
        assert_eq!(number_in::<f32>(range_above(0.0, 10.0))("0.5"), Ok(0.5));
        assert_eq!(parse_komi("-0.5"), Ok(-0.5));
        let wrong = [
            (parse_komi("1e99").err(), "\"1e99\": write a number from -400 to 400"),
            (number_in::<usize>(1..)("0").err(), "\"0\": write a whole number from 1 on"),
            (number_in::<usize>(1..=40)("41").err(), "\"41\": write a whole number from 1 to 40"),
            (number_in::<f64>(0.0..=1e9)("nan").err(), "\"nan\": write a number from 0 to 1000000000"),
            (
                number_in::<f32>(range_above(0.0, 10.0))("0").err(),
                "\"0\": write a number above 0, 10 at most",
            ),
            (number_in::<usize>(1..)("x").err(), "\"x\": write a whole number from 1 on"),
        ];
        for (error, text) in wrong {
            assert_eq!(error.as_deref(), Some(text));
        }
    }

    #[test]
    fn times_are_seconds() {
        assert_eq!(parse_thinking_time("2.5"), Ok(Duration::from_millis(2500)));
        for text in ["0", "-1", "x", "", "inf", "nan", "1e300"] {
            assert_eq!(
                parse_thinking_time(text).unwrap_err(),
                format!("invalid time {text:?}: write seconds, more than 0, such as 2.5")
            );
        }
        let timeout = seconds_in(0.01..=TEN_DAYS, "write seconds");
        assert_eq!(timeout("0.01"), Ok(Duration::from_millis(10)));
        assert_eq!(timeout("864000"), Ok(Duration::from_secs(864_000)));
        assert_eq!(timeout("864001"), Err("invalid time \"864001\": write seconds".to_string()));
    }

    #[test]
    fn sizes_have_one_side_or_two() {
        let parse = size_in(1..=64);
        assert_eq!([parse("9"), parse("9x13"), parse(" 9 X 13")], [Ok((9, 9)), Ok((9, 13)), Ok((9, 13))]);
        for text in ["", "x", "0", "9x65", "9x9x9", "-1"] {
            assert!(parse(text).unwrap_err().ends_with("19x25, 1 to 64 each"), "{text}");
        }
        assert!(parse_board_size("9by9").unwrap_err().starts_with("invalid size \"9by9\": write 9, or 13x9"));
    }

    #[test]
    fn no_memory_and_more_than_any_are_refused() {
        assert_eq!(parse_gigabytes("0.5"), Ok(0.5));
        for text in ["0", "-1", "inf", "nan", ""] {
            assert!(parse_gigabytes(text).is_err(), "{text}");
        }
    }
}
