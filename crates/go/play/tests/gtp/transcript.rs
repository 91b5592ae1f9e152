//! Transcripts: what is typed and what must come back, as one sees it on a terminal.
//!
//! A line that starts with `=` or `?` begins an expected answer, which goes on to the next blank line; all other lines
//! are typed. `...` in an expected line stands for any text; alone on a line, for any further lines. A first line
//! `#! engine NAME` chooses the player.

use std::fs;

use crate::{ENGINE, SCRIPTS, answers, root, session};

/// What is typed, and the answers.
pub(crate) struct Transcript {
    pub(crate) engine: String,
    pub(crate) typed: String,
    pub(crate) expected: Vec<Vec<String>>,
}

impl Transcript {
    pub(crate) fn parse(text: &str) -> Transcript {
        let mut transcript =
            Transcript { engine: ENGINE.to_string(), typed: String::new(), expected: Vec::new() };
        let mut answering = false;
        for line in text.lines() {
            if let Some(engine) = line.strip_prefix("#! engine ") {
                transcript.engine = engine.trim().to_string();
            } else if line.is_empty() {
                answering = false;
            } else if answering {
                transcript.expected.last_mut().unwrap().push(line.to_string());
            } else if line.starts_with(['=', '?']) {
                answering = true;
                transcript.expected.push(vec![line.to_string()]);
            } else {
                transcript.typed.push_str(&typed(line));
            }
        }
        transcript
    }

    /// The answers of a fresh session.
    pub(crate) fn play(&self) -> Vec<Vec<String>> {
        let mut session = session(&self.engine);
        let (text, _) = answers(&mut session, self.typed.as_bytes());
        let blocks = text.strip_suffix("\n\n").unwrap_or(&text).split("\n\n");
        blocks.map(|block| block.lines().map(str::to_string).collect()).collect()
    }

    /// Panics unless every answer is as expected; `same` compares two lines.
    pub(crate) fn check(&self, what: &str, same: fn(&str, &str) -> bool) {
        let found = self.play();
        let all = found.iter().map(|lines| lines.join("\n")).collect::<Vec<_>>().join("\n\n");
        assert_eq!(found.len(), self.expected.len(), "{what}: number of answers in\n{all}");
        for (expected, found) in self.expected.iter().zip(&found) {
            assert!(
                matches(expected, found, same),
                "{what}: expected\n{}\nfound\n{}",
                expected.join("\n"),
                found.join("\n")
            );
        }
    }
}

/// A typed line; `\t`, `\r` and `\xNN` stand for what cannot be seen.
fn typed(line: &str) -> String {
    format!("{}\n", line.replace("\\t", "\t").replace("\\r", "\r").replace("\\x07", "\x07"))
}

fn matches(expected: &[String], found: &[String], same: fn(&str, &str) -> bool) -> bool {
    match expected {
        [] => found.is_empty(),
        [open] if open == "..." => true,
        [first, rest @ ..] => {
            found.first().is_some_and(|line| same(first, line)) && matches(rest, &found[1..], same)
        }
    }
}

/// Equal, where `...` stands for any text.
pub(crate) fn same_text(expected: &str, found: &str) -> bool {
    let mut parts = expected.split("...");
    let Some(mut rest) = found.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (number, part) in parts.iter().enumerate() {
        let last = number + 1 == parts.len();
        let at = if last { rest.ends_with(part).then(|| rest.len() - part.len()) } else { rest.find(part) };
        let Some(at) = at else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[test]
fn wildcards() {
    assert!(same_text("a...c...e", "abcde"));
    assert!(same_text("a...", "a"));
    assert!(!same_text("a...c", "abcd"));
    assert!(!same_text("a", "ab"));
}

#[test]
fn scripts() {
    let folder = root().join(SCRIPTS);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "gtp"));
    files.sort();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        Transcript::parse(&text).check(&file.display().to_string(), same_text);
    }
}
