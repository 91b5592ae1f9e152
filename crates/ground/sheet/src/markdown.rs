//! Text for Markdown.

/// Plain text in one line, with what Markdown would take for marks escaped.
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let next = rest.as_str().chars().next();
        // `&lt;` is `<` there, and `&` alone is itself.
        let begins_entity = c == '&' && next.is_some_and(|next| next == '#' || next.is_ascii_alphabetic());
        if begins_entity || "\\`*_[]<>|".contains(c) {
            escaped.push('\\');
        }
        escaped.push(if c == '\n' || c == '\r' { ' ' } else { c });
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_more_than_it_says() {
        assert_eq!(escape_markdown("a|b\\ <i>"), "a\\|b\\\\ \\<i\\>");
        assert_eq!(escape_markdown("one\r\ntwo\rthree"), "one  two three", "a row of a table is one line");
        assert_eq!(escape_markdown("&lt;b&gt; &#60; R&D & co. &"), "\\&lt;b\\&gt; \\&#60; R\\&D & co. &");
    }
}
