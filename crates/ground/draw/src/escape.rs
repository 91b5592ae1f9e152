//! Text for XML and HTML.

use std::fmt;

/// Text for XML and HTML, in elements and in attributes; control characters, which XML does not have, are left out.
///
/// ```
/// assert_eq!(ishi_draw::escape_xml("<a b='\"&\"'>\u{0}"), "&lt;a b=&#39;&quot;&amp;&quot;&#39;&gt;");
/// ```
pub fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(&mut out, text, "&#39;");
    out
}

/// As [`escape_xml`], but the apostrophe stays: for prose in elements, and for attributes in double quotes.
///
/// ```
/// assert_eq!(ishi_draw::escape_prose("Black's \"< 2\""), "Black's &quot;&lt; 2&quot;");
/// ```
pub fn escape_prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(&mut out, text, "'");
    out
}

fn push_escaped(out: &mut String, text: &str, apostrophe: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str(apostrophe),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {}
            c => out.push(c),
        }
    }
}

/// Escapes what is written through it.
pub(crate) struct EscapingWriter<'a>(pub(crate) &'a mut String);

impl fmt::Write for EscapingWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        push_escaped(self.0, text, "&#39;");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SvgElement;

    /// Each of the five, in a text and in an attribute: two writers of old left out the quotes.
    #[test]
    fn all_five_characters_are_escaped_everywhere() {
        let five = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&#39;")];
        for (character, entity) in five {
            let text = format!("a{character}b");
            let escaped = format!("a{entity}b");
            assert_eq!(escape_xml(&text), escaped);
            let element = SvgElement::text(1, 2, &text).class(&text).attr("id", &text).to_string();
            assert_eq!(element.matches(&escaped).count(), 3, "{element}");
            assert!(!element.contains(&text), "{element}");
        }
    }

    #[test]
    fn line_breaks_stay_and_other_control_characters_go() {
        assert_eq!(escape_xml("a\nb\tc\r\u{0}\u{1b}\u{FFFE}石"), "a\nb\tc石");
    }
}
