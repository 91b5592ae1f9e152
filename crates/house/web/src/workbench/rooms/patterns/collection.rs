//! Collections of patterns: the shipped one, and the person's own ones.

use std::sync::Arc;

use ishi_patterns::TextError;
use ishi_patterns::library::{PatternIndex, PatternLibrary, text};

use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::rooms::own_collections::{CollectionContent, CollectionShelf};
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// A collection of patterns, ready to be matched.
pub(super) type PatternCollection = CollectionShelf<PatternLibrary>;

impl CollectionContent for PatternLibrary {
    const KIND: &'static str = "patterns";

    type Opened = PatternIndex;

    fn open_shipped() -> Arc<PatternIndex> {
        // Explanations use the same.
        PatternIndex::share_shipped()
    }

    /// Those that were read lately are in memory.
    fn open_text(
        desk: &WorkbenchState,
        key: &str,
        revision: u64,
        text: &str,
    ) -> Result<Arc<PatternIndex>, TextError> {
        if let Some(index) = desk.rooms.patterns.find_index(key, revision) {
            return Ok(index);
        }
        let index = Arc::new(PatternIndex::new(text::parse_library(text)?));
        desk.rooms.patterns.insert_index(key, revision, &index);
        Ok(index)
    }

    fn of_opened(opened: &PatternIndex) -> &PatternLibrary {
        opened.library()
    }

    fn parse_text(text: &str) -> Result<PatternLibrary, TextError> {
        text::parse_library(text)
    }

    fn write_text(&self) -> String {
        text::write_library(self)
    }

    fn add_content(&mut self, more: &PatternLibrary) -> Result<(), PageError> {
        for pattern in more.patterns() {
            self.add_pattern(pattern.clone())?;
        }
        Ok(())
    }

    fn shipped_title(visitor: &Visitor) -> &'static str {
        visitor.text("patterns-shipped-patterns")
    }

    fn not_found() -> PageError {
        PageError::not_found("patterns-there-is-no-such-collection-of")
    }

    fn shipped_unchanged() -> PageError {
        PageError::invalid_input("patterns-the-shipped-patterns-are-not-changed")
    }

    fn too_large(most: usize) -> PageError {
        PageError::invalid_input_with("patterns-the-collection-would-be-larger-than", args![most])
    }
}
