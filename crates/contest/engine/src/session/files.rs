//! Names of files as commands have them.

/// Splits `FILE [MOVE_NUMBER]`. The name may hold spaces, and may stand in quotes.
pub fn split_file(rest: &str) -> (&str, Option<usize>) {
    let numbered =
        rest.rsplit_once(char::is_whitespace).and_then(|(file, last)| Some((file, last.parse().ok()?)));
    let (file, number) = numbered.map_or((rest, None), |(file, number)| (file, Some(number)));
    (strip_quotes(file), number)
}

/// A name without the quotes around it.
pub fn strip_quotes(file: &str) -> &str {
    let file = file.trim();
    file.strip_prefix('"').and_then(|file| file.strip_suffix('"')).unwrap_or(file)
}
