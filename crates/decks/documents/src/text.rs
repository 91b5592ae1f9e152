//! JSON and TOML texts: values out of them, and where in the text a value stands.
//!
//! The place of a value is looked for only when something is wrong with it, by a second walk through the text; so good documents
//! are read as fast as `serde` reads them, and every complaint still names line, column and field.

use std::borrow::Cow;

use ishi_words::{CodedMessage, coded};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{DocumentError, PathStep, format_field_path};

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// JSON.
    Json,
    /// TOML.
    Toml,
    /// Comma-separated values.
    Csv,
}

impl DocumentFormat {
    /// The format by the name's ending; `None` if it says nothing.
    #[must_use]
    pub fn from_name(name: &str) -> Option<DocumentFormat> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "json" => Some(DocumentFormat::Json),
            "toml" => Some(DocumentFormat::Toml),
            "csv" => Some(DocumentFormat::Csv),
            _ => None,
        }
    }

    /// By the name's ending, or by the first character: an object is JSON, anything else TOML.
    #[must_use]
    pub fn guess_format(name: &str, bytes: &[u8]) -> DocumentFormat {
        let first = || bytes.iter().find(|byte| !byte.is_ascii_whitespace() && byte.is_ascii());
        let by_content = || if first() == Some(&b'{') { DocumentFormat::Json } else { DocumentFormat::Toml };
        DocumentFormat::from_name(name).unwrap_or_else(by_content)
    }
}

/// A document with its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct DocumentText<'a> {
    /// The file, or what stands for it.
    pub(super) name: &'a str,
    /// What it says.
    pub(super) text: &'a str,
    /// JSON or TOML.
    pub(super) format: DocumentFormat,
}

/// The bytes as text, without a byte order mark.
pub(super) fn decode_utf8<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, DocumentError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        DocumentError::on_line(
            name,
            line,
            "",
            coded!["deck-not-utf8", "it must be text in UTF-8: save the file in this encoding"],
        )
    })
}

impl<'a> DocumentText<'a> {
    /// The text as a value.
    pub(super) fn parse<T: Deserialize<'a>>(&self) -> Result<T, DocumentError> {
        match self.format {
            DocumentFormat::Json => serde_json::from_str(self.text).map_err(|error| self.json_error(&error)),
            DocumentFormat::Toml => toml::from_str(self.text).map_err(|error| self.toml_error(&error)),
            DocumentFormat::Csv => {
                let what = coded!["deck-not-csv", "a JSON or TOML document is needed here, not CSV"];
                Err(DocumentError::about_file(self.name, what))
            }
        }
    }

    /// Something is wrong with the value that the path leads to.
    pub(super) fn error_at_path(&self, path: &[PathStep], what: impl Into<CodedMessage>) -> DocumentError {
        let offset = match self.format {
            DocumentFormat::Toml => toml_offset(self.text, path),
            _ => json_offset(self.text.as_bytes(), path),
        };
        self.error_at_offset(offset, format_field_path(path), what.into())
    }

    fn json_error(&self, error: &serde_json::Error) -> DocumentError {
        let message = error.to_string();
        let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what).to_string();
        let before: usize =
            self.text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let offset = (before + error.column().saturating_sub(1)).min(self.text.len());
        let what = coded!["deck-json", "{cause}", cause = what];
        self.error_at_offset(Some(offset), json_path(self.text.as_bytes(), offset), what)
    }

    fn toml_error(&self, error: &toml::de::Error) -> DocumentError {
        let mut what = ishi_words::collapse_whitespace(error.message());
        let table = DeTable::parse(self.text).ok();
        if table.is_none() && DocumentFormat::from_name(self.name).is_none() {
            what += "; it was read as TOML: JSON must begin with {, and tables must be files named .csv";
        }
        let offset = error.span().map(|span| span.start);
        let path = offset.and_then(|offset| {
            let table = table?;
            let mut path = Vec::new();
            toml_path(table.get_ref(), offset, &mut path).then_some(())?;
            format_field_path(&path)
        });
        self.error_at_offset(offset, path, coded!["deck-toml", "{cause}", cause = what])
    }

    fn error_at_offset(
        &self,
        offset: Option<usize>,
        field: Option<String>,
        what: CodedMessage,
    ) -> DocumentError {
        let place = offset.map(|offset| line_and_column(self.text, offset));
        let (line, column) = (place.map(|(line, _)| line), place.map(|(_, column)| column));
        DocumentError { file: self.name.to_string(), line, column, field, what, outside: false }
    }
}

/// Line and column of an offset, from 1.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let mut start = offset.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    (text[..start].matches('\n').count() + 1, text[line_start..start].chars().count() + 1)
}

/// Where the value of a path starts, or the innermost value around it that there is.
fn json_offset(text: &[u8], path: &[PathStep]) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    walk_json(text, &mut |seen, here, offset| {
        // A key and its value have one path; the value comes last and counts.
        let longer = best.is_none_or(|(length, _)| here.len() >= length);
        if seen == WalkEvent::Start && longer && path.starts_with(here) {
            best = Some((here.len(), offset));
        }
        true
    });
    best.map(|(_, offset)| offset)
}

/// The field at an offset.
fn json_path(text: &[u8], offset: usize) -> Option<String> {
    let mut last = None;
    walk_json(text, &mut |_, here, at| {
        if at <= offset {
            last = format_field_path(here);
        }
        at <= offset
    });
    last
}

/// What a walk through a text comes by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WalkEvent {
    /// A key or the start of a value.
    Start,
    /// The end of a list or an object.
    End,
}

/// Walks through a JSON text, telling what it comes by, its path and its offset. Ends where the text is no JSON, or where it is told to
/// by `false`.
fn walk_json(text: &[u8], see: &mut dyn FnMut(WalkEvent, &[PathStep], usize) -> bool) {
    let mut path: Vec<PathStep> = Vec::new();
    let mut at = 0;
    // Is the next text in an object a key?
    let mut key = false;
    let mut go_on = true;
    while let Some(&byte) = text.get(at).filter(|_| go_on) {
        let start = at;
        at += 1;
        match byte {
            b'{' | b'[' => {
                go_on = see(WalkEvent::Start, &path, start);
                key = byte == b'{';
                path.push(if key { PathStep::from_key("") } else { PathStep::At(0) });
            }
            b'}' | b']' => {
                go_on = path.pop().is_some() && see(WalkEvent::End, &path, start);
                key = false;
            }
            b',' => match path.last_mut() {
                Some(PathStep::At(index)) => *index += 1,
                Some(PathStep::Key(_)) => key = true,
                None => return,
            },
            b'"' => {
                at = string_end(text, start);
                if let Some(PathStep::Key(name)) = path.last_mut().filter(|_| key) {
                    *name = decode_key(&text[start..at]);
                    key = false;
                }
                go_on = see(WalkEvent::Start, &path, start);
            }
            b':' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => {
                go_on = see(WalkEvent::Start, &path, start);
                let rest = text[at..].iter().position(|byte| b",]}: \t\r\n".contains(byte));
                at += rest.unwrap_or(text.len() - at);
            }
        }
    }
}

/// The end of a text in quotation marks that starts at `at`.
fn string_end(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(&byte) = text.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    text.len()
}

fn decode_key(quoted: &[u8]) -> String {
    serde_json::from_slice(quoted).unwrap_or_else(|_| String::from_utf8_lossy(quoted).into_owned())
}

fn toml_offset(text: &str, path: &[PathStep]) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let (PathStep::Key(key), rest) = path.split_first()? else { return None };
    let (name, value) = table.get_ref().get_key_value(key.as_str())?;
    Some(toml_offset_below(name, value, rest))
}

fn toml_offset_below(name: &Spanned<Cow<'_, str>>, value: &Spanned<DeValue<'_>>, path: &[PathStep]) -> usize {
    // A table that has no header of its own has no place of its own either.
    let start = value.span().start;
    let here = if start == 0 { name.span().start } else { start };
    let Some((step, rest)) = path.split_first() else { return here };
    match (step, value.get_ref()) {
        (PathStep::Key(key), DeValue::Table(table)) => match table.get_key_value(key.as_str()) {
            Some((name, value)) => toml_offset_below(name, value, rest),
            None => here,
        },
        (PathStep::At(at), DeValue::Array(values)) => match values.get(*at) {
            Some(value) => toml_offset_below(name, value, rest),
            None => here,
        },
        _ => here,
    }
}

/// The innermost key or value whose span holds the offset.
fn toml_path(table: &DeTable<'_>, offset: usize, path: &mut Vec<PathStep>) -> bool {
    for (key, value) in table.iter() {
        path.push(PathStep::from_key(key.get_ref()));
        if toml_path_below(value, offset, path) || key.span().contains(&offset) {
            return true;
        }
        path.pop();
    }
    false
}

fn toml_path_below(value: &Spanned<DeValue<'_>>, offset: usize, path: &mut Vec<PathStep>) -> bool {
    match value.get_ref() {
        DeValue::Table(table) if toml_path(table, offset, path) => return true,
        DeValue::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                path.push(PathStep::At(at));
                if toml_path_below(value, offset, path) {
                    return true;
                }
                path.pop();
            }
        }
        _ => {}
    }
    value.span().contains(&offset)
}
