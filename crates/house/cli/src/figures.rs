//! How figures are printed for people.

/// A probability: `= 0.0312`, and `< 0.0001` rather than a nought that it is not.
pub fn format_probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_string() } else { format!("= {p:.4}") }
}

/// A difference in Elo: `+12`, `-inf`, and `+0` for both noughts.
pub fn format_elo(difference: f64) -> String {
    format!("{:+.0}", difference.round() + 0.0)
}

/// A time with three digits that count: `23.7 us`, `2.30 ms`, `1.48 s`.
pub fn format_seconds(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 0.999_5 => (s, "s"),
        s if s >= 0.000_999_5 => (s * 1e3, "ms"),
        s => (s * 1e6, "us"),
    };
    let decimals = match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.decimals$} {unit}")
}

/// Seconds as a person says them.
pub fn format_duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match minutes {
        _ if seconds < 100.0 => format!("{seconds:.0} s"),
        0..60 => format!("{minutes} min"),
        60..2880 => format!("{} h {:02} min", minutes / 60, minutes % 60),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_figures_are_not_printed_as_nought() {
        assert_eq!(
            [0.0, 0.000_099, 0.0001, 1.0].map(format_probability),
            ["< 0.0001", "< 0.0001", "= 0.0001", "= 1.0000"]
        );
        let times =
            [0.0, 2.37e-6, 0.000_123_4, 0.000_999_7, 0.0405, 0.999_9, 12.34, 4321.0].map(format_seconds);
        assert_eq!(
            times,
            ["0.00 us", "2.37 us", "123 us", "1.00 ms", "40.5 ms", "1.00 s", "12.3 s", "4321 s"]
        );
        assert_eq!([-0.3, 0.3, -12.6, f64::NEG_INFINITY].map(format_elo), ["+0", "+0", "-13", "-inf"]);
    }
}
