//! Collections of patterns: the shipped one, which nobody changes, and the person's own ones.

use std::sync::Arc;

use ishi_lab::store::StoredDocument;
use ishi_patterns::library::{PatternIndex, PatternLibrary, text};
use serde_json::json;

use crate::workbench::WorkbenchState;
use crate::workbench::desk::run_blocking;
use crate::workbench::error::PageError;
use crate::workbench::random_text::new_key;
use crate::workbench::rooms::history::History;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// The kind of document.
pub(super) const KIND: &str = "patterns";
/// The key of the patterns that ship.
pub(super) const SHIPPED: &str = "shipped";
/// The largest collection, in bytes of its text: above that of the shipped one.
const LARGEST: usize = 6 << 20;

/// A collection.
pub(super) struct PatternCollection {
    pub(super) key: String,
    pub(super) title: String,
    /// 0 for the shipped one.
    pub(super) revision: u64,
    pub(super) history: History,
    index: Arc<PatternIndex>,
}

impl PatternCollection {
    fn shipped() -> PatternCollection {
        PatternCollection {
            key: SHIPPED.to_string(),
            title: String::new(),
            revision: 0,
            history: History::default(),
            // Explanations use the same.
            index: PatternIndex::share_shipped(),
        }
    }

    pub(super) fn is_shipped(&self) -> bool {
        self.key == SHIPPED
    }

    pub(super) fn library(&self) -> &PatternLibrary {
        self.index.library()
    }

    /// Ready to be matched.
    pub(super) fn index(&self) -> Arc<PatternIndex> {
        Arc::clone(&self.index)
    }
}

/// A collection by its key.
pub(super) async fn load_collection(
    desk: &Arc<WorkbenchState>,
    key: &str,
) -> Result<PatternCollection, PageError> {
    if key == SHIPPED {
        // Unpacking takes its time, once.
        return run_blocking(PatternCollection::shipped).await;
    }
    let document = desk.find_document(KIND, key).await?.ok_or_else(collection_not_found)?;
    let desk = Arc::clone(desk);
    run_blocking(move || open_collection(document, &desk)).await?
}

fn collection_not_found() -> PageError {
    PageError::not_found("patterns-there-is-no-such-collection-of")
}

fn open_collection(document: StoredDocument, desk: &WorkbenchState) -> Result<PatternCollection, PageError> {
    let damaged = |error: &dyn std::fmt::Display| {
        PageError::from_system_error(format!("the collection {:?} cannot be read: {error}", document.title))
    };
    let history: History = serde_json::from_value(document.body).map_err(|error| damaged(&error))?;
    let index = match desk.rooms.patterns.find_index(&document.key, document.revision) {
        Some(index) => index,
        None => {
            let library = text::parse_library(history.text()).map_err(|error| damaged(&error))?;
            let index = Arc::new(PatternIndex::new(library));
            desk.rooms.patterns.insert_index(&document.key, document.revision, &index);
            index
        }
    };
    let StoredDocument { key, title, revision, .. } = document;
    Ok(PatternCollection { key, title, revision, history, index })
}

/// The person's own collection, as the page has seen it.
pub(super) async fn load_own_collection(
    desk: &Arc<WorkbenchState>,
    key: &str,
    revision: u64,
) -> Result<PatternCollection, PageError> {
    let shelf = load_collection(desk, key).await?;
    if shelf.is_shipped() {
        return Err(PageError::invalid_input("patterns-the-shipped-patterns-are-not-changed"));
    }
    if shelf.revision != revision {
        return Err(PageError::changed_elsewhere());
    }
    Ok(shelf)
}

/// What it is called.
pub(super) fn collection_title<'a>(visitor: &'a Visitor, shelf: &'a PatternCollection) -> &'a str {
    if shelf.is_shipped() { visitor.text("patterns-shipped-patterns") } else { &shelf.title }
}

/// Keys and titles of the person's own collections, the last changed first.
pub(super) async fn list_own_titles(desk: &WorkbenchState) -> Result<Vec<(String, String)>, PageError> {
    desk.ask_store(|store| store.document_titles(KIND, 50)).await
}

/// A new collection; gives its key.
pub(super) async fn create_collection(
    desk: &WorkbenchState,
    title: String,
    library: &PatternLibrary,
) -> Result<String, PageError> {
    let (key, history) = (new_key(), History::new(text::write_library(library)));
    check_text_size(history.text())?;
    save_collection(desk, &key, &title, &history, 0).await?;
    Ok(key)
}

/// Keeps a collection with another library.
pub(super) async fn replace_library(
    desk: &WorkbenchState,
    shelf: &PatternCollection,
    library: &PatternLibrary,
) -> Result<u64, PageError> {
    let written = text::write_library(library);
    check_text_size(&written)?;
    let mut history = shelf.history.clone();
    if !history.set_text(written) {
        return Ok(shelf.revision);
    }
    save_collection(desk, &shelf.key, &shelf.title, &history, shelf.revision).await
}

fn check_text_size(text: &str) -> Result<(), PageError> {
    if text.len() > LARGEST {
        let most = LARGEST >> 20;
        return Err(PageError::invalid_input_with(
            "patterns-the-collection-would-be-larger-than",
            args![most],
        ));
    }
    Ok(())
}

/// Keeps a collection with this history.
pub(super) async fn save_collection(
    desk: &WorkbenchState,
    key: &str,
    title: &str,
    history: &History,
    expected: u64,
) -> Result<u64, PageError> {
    desk.keep_body(KIND, key, title.to_string(), json!(history), expected).await
}
