//! Collections of patterns: the shipped one, which nobody changes, and the person's own ones.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ishi_lab::store::{Document, StoreError};
use ishi_patterns::library::{Index, Library, text};
use serde_json::json;

use crate::workbench::Desk;
use crate::workbench::desk::new_key;
use crate::workbench::error::PageError;
use crate::workbench::rooms::history::History;

/// The kind of document.
pub(super) const KIND: &str = "patterns";
/// The key of the patterns that ship.
pub(super) const SHIPPED: &str = "shipped";
/// The largest collection, in bytes of its text: above that of the shipped one.
const LARGEST: usize = 6 << 20;

/// A collection.
pub(super) struct Shelf {
    pub(super) key: String,
    pub(super) title: String,
    /// 0 for the shipped one.
    pub(super) revision: u64,
    pub(super) history: History,
    index: Arc<Index>,
}

impl Shelf {
    fn shipped() -> Shelf {
        Shelf {
            key: SHIPPED.to_string(),
            title: String::new(),
            revision: 0,
            history: History::default(),
            index: shipped(),
        }
    }

    pub(super) fn is_shipped(&self) -> bool {
        self.key == SHIPPED
    }

    pub(super) fn library(&self) -> &Library {
        self.index.library()
    }

    /// Ready to be matched.
    pub(super) fn index(&self) -> Arc<Index> {
        Arc::clone(&self.index)
    }
}

/// The shipped patterns, ready to be matched; they are unpacked once.
fn shipped() -> Arc<Index> {
    static SHELF: std::sync::LazyLock<Arc<Index>> =
        std::sync::LazyLock::new(|| Arc::new(Index::shipped().clone()));
    Arc::clone(&SHELF)
}

/// Collections that were read lately, by key, with their revision: reading one of thousands takes its time.
#[derive(Default)]
pub(crate) struct Cache(Mutex<HashMap<String, (u64, Arc<Index>)>>);

/// Collections in memory, at most.
const CACHED: usize = 8;

impl Cache {
    fn find(&self, key: &str, revision: u64) -> Option<Arc<Index>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|(known, _)| *known == revision).map(|(_, index)| Arc::clone(index))
    }

    fn keep(&self, key: &str, revision: u64, index: &Arc<Index>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= CACHED && !kept.contains_key(key) {
            kept.clear();
        }
        kept.insert(key.to_string(), (revision, Arc::clone(index)));
    }
}

/// A collection by its key.
pub(super) async fn load(desk: &Arc<Desk>, key: &str) -> Result<Shelf, PageError> {
    if key == SHIPPED {
        // Unpacking takes its time, once.
        let shelf = tokio::task::spawn_blocking(Shelf::shipped).await;
        return shelf.map_err(|_| PageError::internal());
    }
    let wanted = key.to_string();
    let document = desk.store(move |store| store.document(KIND, &wanted)).await?.ok_or_else(missing)?;
    let desk = Arc::clone(desk);
    let opened = tokio::task::spawn_blocking(move || open(document, &desk)).await;
    opened.map_err(|_| PageError::internal())?
}

fn missing() -> PageError {
    PageError::missing("there is no such collection of patterns", "そのパターン集はありません")
}

fn open(document: Document, desk: &Desk) -> Result<Shelf, PageError> {
    let damaged = |error: &dyn std::fmt::Display| {
        PageError::outside(format!("the collection {:?} cannot be read: {error}", document.title))
    };
    let history: History = serde_json::from_value(document.body).map_err(|error| damaged(&error))?;
    let index = match desk.rooms.patterns.find(&document.key, document.revision) {
        Some(index) => index,
        None => {
            let library = text::parse(history.text()).map_err(|error| damaged(&error))?;
            let index = Arc::new(Index::new(library));
            desk.rooms.patterns.keep(&document.key, document.revision, &index);
            index
        }
    };
    let Document { key, title, revision, .. } = document;
    Ok(Shelf { key, title, revision, history, index })
}

/// Keys and titles of the person's own collections, the last changed first.
pub(super) async fn own(desk: &Desk) -> Result<Vec<(String, String)>, PageError> {
    desk.store(|store| store.titles(KIND, 50)).await
}

/// A new collection; gives its key.
pub(super) async fn make(desk: &Desk, title: String, library: &Library) -> Result<String, PageError> {
    let (key, history) = (new_key(), History::new(text::write(library)));
    check_size(history.text())?;
    keep(desk, &key, &title, &history, 0).await?;
    Ok(key)
}

/// Keeps a collection with another library.
pub(super) async fn change(desk: &Desk, shelf: &Shelf, library: &Library) -> Result<u64, PageError> {
    let written = text::write(library);
    check_size(&written)?;
    let mut history = shelf.history.clone();
    if !history.change(written) {
        return Ok(shelf.revision);
    }
    keep(desk, &shelf.key, &shelf.title, &history, shelf.revision).await
}

fn check_size(text: &str) -> Result<(), PageError> {
    if text.len() > LARGEST {
        let most = LARGEST >> 20;
        return Err(PageError::refused(
            format!("the collection would be larger than {most} MiB: make another one"),
            format!("パターン集が {most} MiB を超えます。別のパターン集を作ってください"),
        ));
    }
    Ok(())
}

/// Keeps a collection with this history.
pub(super) async fn keep(
    desk: &Desk,
    key: &str,
    title: &str,
    history: &History,
    expected: u64,
) -> Result<u64, PageError> {
    let (key, title, body) = (key.to_string(), title.to_string(), json!(history));
    let kept = desk.store(move |store| -> Result<Option<u64>, StoreError> {
        store.keep_document(KIND, &key, &title, &body, expected)
    });
    kept.await?.ok_or_else(PageError::changed_elsewhere)
}
