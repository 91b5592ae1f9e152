//! Scores, gaps and lists in words.

use ishi_deck::Pool;

/// Units as a score, with no more decimals than it has.
pub(super) fn format_score(pool: &Pool, units: i64) -> String {
    format_decimal(pool.score_of_units(units))
}

/// A score with at most six digits after the point, without noughts at the end.
pub(super) fn format_decimal(score: f64) -> String {
    let text = format!("{score:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// A share in percent: never 0 where there is some.
pub(super) fn format_percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".to_string(),
        percent if percent < 0.01 => "under 0.01 %".to_string(),
        percent => format!("{percent:.2} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_noughts_at_the_end() {
        assert_eq!(
            [1.5, 200.0, -0.000_000_1, 0.25, -3.0].map(format_decimal),
            ["1.5", "200", "0", "0.25", "-3"]
        );
        assert_eq!([0.0, 0.000_01, 0.034_56].map(format_percent), ["0 %", "under 0.01 %", "3.46 %"]);
    }
}
