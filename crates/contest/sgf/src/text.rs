//! Text inside values: escapes, line breaks, composed values.
//!
//! Source: SGF FF[4], "Text", "SimpleText" and "Compose" (red-bean.com/sgf/sgf4.html). A line break is LF, CR,
//! CRLF or LFCR; one after a backslash is soft and vanishes; other white space than line breaks becomes a space.

use std::iter::Peekable;
use std::str::Chars;

/// Writes text as the inside of a value: `\` and `]` get a backslash.
///
/// ```
/// assert_eq!(ishi_sgf::escape_value(r"a]b\c"), r"a\]b\\c");
/// ```
pub fn escape_value(text: &str) -> String {
    escape_chars(text, &['\\', ']'])
}

/// Writes text as one half of a composed value: `:` gets a backslash too.
pub fn escape_composed(text: &str) -> String {
    escape_chars(text, &['\\', ']', ':'])
}

fn escape_chars(text: &str, special: &[char]) -> String {
    let mut raw = String::with_capacity(text.len());
    for c in text.chars() {
        if special.contains(&c) {
            raw.push('\\');
        }
        raw.push(c);
    }
    raw
}

/// The text of a `Text` value: escapes and soft line breaks removed, line breaks written as LF.
///
/// ```
/// assert_eq!(ishi_sgf::unescape_text("a\\]b\\\ncd\te\r\nf"), "a]bcd e\nf");
/// ```
pub fn unescape_text(raw: &str) -> String {
    unescape_with(raw, '\n')
}

/// The text of a `SimpleText` value: as [`unescape_text`], but a line break becomes a space.
pub fn unescape_simple(raw: &str) -> String {
    unescape_with(raw, ' ')
}

fn unescape_with(raw: &str, line_break: char) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(newline @ ('\n' | '\r')) => skip_line_break_pair(newline, &mut chars),
                Some(escaped) => text.push(plain_space(escaped)),
                None => {}
            },
            '\n' | '\r' => {
                skip_line_break_pair(c, &mut chars);
                text.push(line_break);
            }
            _ => text.push(plain_space(c)),
        }
    }
    text
}

/// CRLF and LFCR are one line break.
fn skip_line_break_pair(first: char, chars: &mut Peekable<Chars<'_>>) {
    let second = if first == '\n' { '\r' } else { '\n' };
    chars.next_if_eq(&second);
}

fn plain_space(c: char) -> char {
    if matches!(c, '\t' | '\x0b' | '\x0c') { ' ' } else { c }
}

/// Splits a composed value at its first unescaped colon. Both halves are still escaped.
///
/// ```
/// assert_eq!(ishi_sgf::split_composed(r"aa:x\:y"), Some(("aa", r"x\:y")));
/// assert_eq!(ishi_sgf::split_composed(r"no\:colon"), None);
/// ```
pub fn split_composed(raw: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (at, c) in raw.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ':' => return Some((&raw[..at], &raw[at + 1..])),
            _ => {}
        }
    }
    None
}

/// Can this stand between brackets as it is: no unescaped `]`, no backslash left over at the end?
pub(crate) fn is_well_escaped(raw: &str) -> bool {
    let mut escaped = false;
    for c in raw.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => return false,
            _ => {}
        }
    }
    !escaped
}

/// Adds the backslashes that are missing: needed where decoding changed what a bracket or a backslash is.
pub(crate) fn mend_escapes(raw: String) -> String {
    if is_well_escaped(&raw) {
        return raw;
    }
    let mut mended = String::with_capacity(raw.len() + 2);
    let mut escaped = false;
    for c in raw.chars() {
        if c == ']' && !escaped {
            mended.push('\\');
        }
        escaped = c == '\\' && !escaped;
        mended.push(c);
    }
    if escaped {
        mended.push('\\');
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_of_every_kind() {
        assert_eq!(unescape_text("a\nb\rc\r\nd\n\re\n\nf"), "a\nb\nc\nd\ne\n\nf");
        assert_eq!(unescape_text("a\\\nb\\\rc\\\r\nd\\\n\re"), "abcde");
        assert_eq!(unescape_simple("a\r\nb\\\nc\td"), "a bc d");
        assert_eq!(unescape_text("tail\\"), "tail");
    }

    #[test]
    fn escapes_are_mended() {
        assert_eq!(mend_escapes("a]b".into()), "a\\]b");
        assert_eq!(mend_escapes("a\\\\]".into()), "a\\\\\\]");
        assert_eq!(mend_escapes("a\\".into()), "a\\\\");
        assert_eq!(mend_escapes("a\\]".into()), "a\\]");
    }
}
