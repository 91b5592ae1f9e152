//! What the rooms of patterns and joseki read of the forms for a person's own collections.

use serde::Deserialize;

use crate::workbench::error::PageError;
use crate::workbench::texts::args;

/// A new collection, empty or out of a text.
#[derive(Deserialize)]
pub(super) struct NewCollectionForm {
    pub(super) title: String,
    #[serde(default)]
    pub(super) text: String,
}

/// A deed on a whole collection, as the page has seen it; with its new title, if it gets one.
#[derive(Deserialize)]
pub(super) struct CollectionForm {
    pub(super) revision: u64,
    #[serde(default)]
    pub(super) title: String,
}

/// A text that is put into a collection.
#[derive(Deserialize)]
pub(super) struct CollectionImportForm {
    pub(super) revision: u64,
    pub(super) text: String,
}

/// A title of the person's own: one line, not too long.
pub(super) fn check_title(text: &str) -> Result<String, PageError> {
    let title = text.trim();
    if title.is_empty() || title.chars().count() > 80 || title.chars().any(char::is_control) {
        return Err(PageError::invalid_input_with(
            "patterns-title-it-must-be-one-line",
            args![title = format!("{title:?}")],
        ));
    }
    Ok(title.to_string())
}
