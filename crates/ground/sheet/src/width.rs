//! How wide texts are on a terminal.

use std::ops::RangeInclusive;

/// Characters that take two columns: those of Japanese, Chinese and Korean, their punctuation, and pictures (Unicode, East Asian Width).
const WIDE: [RangeInclusive<char>; 11] = [
    '\u{1100}'..='\u{115F}',
    '\u{2E80}'..='\u{303E}',
    '\u{3041}'..='\u{A4CF}',
    '\u{A960}'..='\u{A97C}',
    '\u{AC00}'..='\u{D7A3}',
    '\u{F900}'..='\u{FAFF}',
    '\u{FE30}'..='\u{FE6F}',
    '\u{FF01}'..='\u{FF60}',
    '\u{FFE0}'..='\u{FFE6}',
    '\u{1F300}'..='\u{1F9FF}',
    '\u{20000}'..='\u{3FFFD}',
];

/// Characters that take none: they stand over the one before them, or say how it looks.
const WITHOUT_WIDTH: [RangeInclusive<char>; 5] = [
    '\u{0300}'..='\u{036F}',
    '\u{200B}'..='\u{200F}',
    '\u{20D0}'..='\u{20FF}',
    '\u{3099}'..='\u{309A}',
    '\u{FE00}'..='\u{FE0F}',
];

/// The columns of a terminal that a text takes.
///
/// ```
/// assert_eq!((ishi_sheet::text_width("Black"), ishi_sheet::text_width("黒番")), (5, 4));
/// ```
#[must_use]
pub fn text_width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

fn char_width(c: char) -> usize {
    let is_in = |ranges: &[RangeInclusive<char>]| ranges.iter().any(|range| range.contains(&c));
    match c {
        '\u{0}'..'\u{300}' => 1,
        _ if is_in(&WITHOUT_WIDTH) => 0,
        _ if is_in(&WIDE) => 2,
        _ => 1,
    }
}

/// The text with spaces to so many columns, before it or behind it. One that is wider stays as it is.
///
/// ```
/// assert_eq!(ishi_sheet::pad_text("黒番", 6, false) + "|", "黒番  |");
/// ```
#[must_use]
pub fn pad_text(text: &str, width: usize, is_right: bool) -> String {
    let spaces = " ".repeat(width.saturating_sub(text_width(text)));
    if is_right { spaces + text } else { text.to_string() + &spaces }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_a_terminal() {
        for (text, width) in [
            ("", 0),
            ("Elo", 3),
            ("Zürich", 6),
            ("黒番の勝ち", 10),
            ("ｱﾀﾘ", 3),
            ("か\u{3099}", 2),
            ("e\u{301}", 1),
            ("바둑", 4),
            ("●○", 2),
            ("、。", 4),
        ] {
            assert_eq!(text_width(text), width, "{text}");
        }
        assert_eq!((pad_text("黒", 4, false), pad_text("黒", 4, true)), ("黒  ".into(), "  黒".into()));
        assert_eq!(pad_text("黒番", 3, true), "黒番");
    }
}
