//! Counts of things in English.

use std::fmt::Display;

/// A count and what is counted: `1 chain`, `2 chains`. The noun is given in the singular, and its plural must end in `s`.
pub fn format_count<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = plural_ending(&count);
    format!("{count} {noun}{ending}")
}

/// What so many are called, where the count stands elsewhere: `chain` or `chains`. The noun is given as for [`format_count`].
pub fn noun_for<N: PartialEq + From<u8>>(count: N, noun: &str) -> String {
    format!("{noun}{}", plural_ending(&count))
}

fn plural_ending<N: PartialEq + From<u8>>(count: &N) -> &'static str {
    if *count == N::from(1_u8) { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_alone_is_singular() {
        let counts = [0, 1, 2, 11, 21].map(|count: u32| format_count(count, "safe move"));
        assert_eq!(counts, ["0 safe moves", "1 safe move", "2 safe moves", "11 safe moves", "21 safe moves"]);
        assert_eq!(
            [-1, 0, 1, 2].map(|count: i32| noun_for(count, "disc")),
            ["discs", "discs", "disc", "discs"]
        );
    }
}
