//! Collections of the rooms of patterns and joseki: the shipped one, which nobody changes, and a person's own ones, which are documents: a text
//! with its changes.

use std::sync::Arc;

use axum::extract::{Form, Path};
use ishi_lab::store::StoredDocument;
use ishi_patterns::TextError;
use serde::Deserialize;
use serde_json::json;

use crate::workbench::answer::{redirect_to, text_attachment};
use crate::workbench::desk::run_blocking;
use crate::workbench::error::PageError;
use crate::workbench::random_text::new_key;
use crate::workbench::rooms::history::History;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// The key of the collection that ships.
pub(super) const SHIPPED: &str = "shipped";
/// The largest collection, in bytes of its text: above that of the shipped one.
const LARGEST: usize = 6 << 20;

/// What a collection is of, with the words of its room.
pub(super) trait CollectionContent: Clone + Default + Send + Sync + 'static {
    /// The kind of its documents, and the address of its room.
    const KIND: &'static str;

    /// A collection that is ready to be looked at.
    type Opened: Send + Sync + 'static;

    /// The one that ships. Unpacking takes its time, once.
    fn open_shipped() -> Arc<Self::Opened>;

    /// One of a person's own: the text of the document with this key, at this revision.
    fn open_text(
        desk: &WorkbenchState,
        key: &str,
        revision: u64,
        text: &str,
    ) -> Result<Arc<Self::Opened>, TextError>;

    /// The content of an opened collection.
    fn of_opened(opened: &Self::Opened) -> &Self;

    /// Reads a text, whole or not at all.
    fn parse_text(text: &str) -> Result<Self, TextError>;

    /// The text that [`CollectionContent::parse_text`] reads.
    fn write_text(&self) -> String;

    /// Adds what another one has.
    fn add_content(&mut self, more: &Self) -> Result<(), PageError>;

    /// What the shipped collection is called.
    fn shipped_title(visitor: &Visitor) -> &'static str;

    /// There is no collection with this key.
    fn not_found() -> PageError;

    /// The shipped collection is not changed.
    fn shipped_unchanged() -> PageError;

    /// Its text would have more than so many MiB.
    fn too_large(most: usize) -> PageError;

    /// The page of the collection with this key.
    fn page_address(key: &str) -> String {
        format!("/{}?c={key}", Self::KIND)
    }
}

/// A collection: the shipped one, or one of the person's own.
pub(super) struct CollectionShelf<C: CollectionContent> {
    pub(super) key: String,
    /// The person's title; empty for the shipped one.
    pub(super) title: String,
    /// 0 for the shipped one.
    pub(super) revision: u64,
    pub(super) history: History,
    pub(super) opened: Arc<C::Opened>,
}

impl<C: CollectionContent> CollectionShelf<C> {
    /// Is it the one that nobody changes?
    pub(super) fn is_shipped(&self) -> bool {
        self.key == SHIPPED
    }

    /// What it holds.
    pub(super) fn content(&self) -> &C {
        C::of_opened(&self.opened)
    }

    /// What it is called.
    pub(super) fn title_for<'a>(&'a self, visitor: &Visitor) -> &'a str {
        if self.is_shipped() { C::shipped_title(visitor) } else { &self.title }
    }

    fn open_shipped() -> CollectionShelf<C> {
        let (title, history) = (String::new(), History::default());
        CollectionShelf { key: SHIPPED.to_string(), title, revision: 0, history, opened: C::open_shipped() }
    }

    fn open_document(
        document: StoredDocument,
        desk: &WorkbenchState,
    ) -> Result<CollectionShelf<C>, PageError> {
        let StoredDocument { key, title, revision, body, .. } = document;
        let damaged = |error: &dyn std::fmt::Display| {
            PageError::from_system_error(format!("the collection {title:?} cannot be read: {error}"))
        };
        let history: History = serde_json::from_value(body).map_err(|error| damaged(&error))?;
        let opened = C::open_text(desk, &key, revision, history.text()).map_err(|error| damaged(&error))?;
        Ok(CollectionShelf { key, title, revision, history, opened })
    }

    /// A collection by its key.
    pub(super) async fn load(desk: &Arc<WorkbenchState>, key: &str) -> Result<CollectionShelf<C>, PageError> {
        if key == SHIPPED {
            return run_blocking(CollectionShelf::open_shipped).await;
        }
        let document = desk.find_document(C::KIND, key).await?.ok_or_else(C::not_found)?;
        let desk = Arc::clone(desk);
        run_blocking(move || CollectionShelf::open_document(document, &desk)).await?
    }

    /// The person's own collection, as the page has seen it.
    pub(super) async fn load_own(
        desk: &Arc<WorkbenchState>,
        key: &str,
        revision: u64,
    ) -> Result<CollectionShelf<C>, PageError> {
        let shelf: CollectionShelf<C> = CollectionShelf::load(desk, key).await?;
        if shelf.is_shipped() {
            return Err(C::shipped_unchanged());
        }
        if shelf.revision != revision { Err(PageError::changed_elsewhere()) } else { Ok(shelf) }
    }

    /// Keeps the collection with other content.
    pub(super) async fn replace_content(
        &mut self,
        desk: &WorkbenchState,
        content: &C,
    ) -> Result<(), PageError> {
        let written = content.write_text();
        check_text_size::<C>(&written)?;
        if self.history.set_text(written) { self.save(desk).await } else { Ok(()) }
    }

    /// Keeps it with its title and its history. The shipped one is refused: nobody would ever read what was kept of it.
    pub(super) async fn save(&mut self, desk: &WorkbenchState) -> Result<(), PageError> {
        if self.is_shipped() {
            return Err(C::shipped_unchanged());
        }
        let (title, body) = (self.title.clone(), json!(self.history));
        self.revision = desk.keep_body(C::KIND, &self.key, title, body, self.revision).await?;
        Ok(())
    }
}

fn check_text_size<C: CollectionContent>(text: &str) -> Result<(), PageError> {
    if text.len() > LARGEST { Err(C::too_large(LARGEST >> 20)) } else { Ok(()) }
}

/// Keys and titles of the person's own collections, the last changed first.
pub(super) async fn list_own_titles<C: CollectionContent>(
    desk: &WorkbenchState,
) -> Result<Vec<(String, String)>, PageError> {
    desk.ask_store(|store| store.document_titles(C::KIND, 50)).await
}

/// A new collection; gives its key.
pub(super) async fn keep_new_collection<C: CollectionContent>(
    desk: &WorkbenchState,
    title: String,
    content: &C,
) -> Result<String, PageError> {
    let (key, history) = (new_key(), History::new(content.write_text()));
    check_text_size::<C>(history.text())?;
    desk.keep_body(C::KIND, &key, title, json!(history), 0).await?;
    Ok(key)
}

/// Reads what a person has given.
pub(super) async fn parse_given_text<C: CollectionContent>(given: String) -> Result<C, PageError> {
    run_blocking(move || C::parse_text(&given)).await?.map_err(PageError::from)
}

/// A new collection of the person's own, empty or out of a text.
pub(super) async fn create_collection<C: CollectionContent>(
    desk: DeskState,
    visitor: Visitor,
    Form(new): Form<NewCollectionForm>,
) -> PageAnswer {
    let title = check_title(&new.title)?;
    let content = if new.text.trim().is_empty() { C::default() } else { parse_given_text(new.text).await? };
    let key = keep_new_collection(&desk, title, &content).await?;
    Ok(redirect_to(&visitor, &C::page_address(&key)))
}

/// The whole collection as a file.
pub(super) async fn export_text<C: CollectionContent>(
    desk: DeskState,
    Path(key): Path<String>,
) -> PageAnswer {
    let shelf: CollectionShelf<C> = CollectionShelf::load(&desk, &key).await?;
    let name = format!("{}.txt", if shelf.is_shipped() { SHIPPED } else { &shelf.title });
    let written = run_blocking(move || shelf.content().write_text()).await?;
    Ok(text_attachment(&name, written))
}

/// What another text has is added.
pub(super) async fn import_text<C: CollectionContent>(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(given): Form<CollectionImportForm>,
) -> PageAnswer {
    let mut shelf: CollectionShelf<C> = CollectionShelf::load_own(&desk, &key, given.revision).await?;
    let more: C = parse_given_text(given.text).await?;
    let mut content = shelf.content().clone();
    let content = run_blocking(move || content.add_content(&more).map(|()| content)).await??;
    shelf.replace_content(&desk, &content).await?;
    Ok(redirect_to(&visitor, &C::page_address(&key)))
}

/// Gives a collection another title.
pub(super) async fn rename_collection<C: CollectionContent>(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(seen): Form<CollectionForm>,
) -> PageAnswer {
    let mut shelf: CollectionShelf<C> = CollectionShelf::load_own(&desk, &key, seen.revision).await?;
    shelf.title = check_title(&seen.title)?;
    shelf.save(&desk).await?;
    Ok(redirect_to(&visitor, &C::page_address(&key)))
}

/// Deletes a collection for good.
pub(super) async fn delete_collection<C: CollectionContent>(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(seen): Form<CollectionForm>,
) -> PageAnswer {
    CollectionShelf::<C>::load_own(&desk, &key, seen.revision).await?;
    desk.ask_store(move |store| store.forget_document(C::KIND, &key)).await?;
    Ok(redirect_to(&visitor, &format!("/{}", C::KIND)))
}

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
fn check_title(text: &str) -> Result<String, PageError> {
    let title = text.trim();
    if title.is_empty() || title.chars().count() > 80 || title.chars().any(char::is_control) {
        return Err(PageError::invalid_input_with(
            "patterns-title-it-must-be-one-line",
            args![title = format!("{title:?}")],
        ));
    }
    Ok(title.to_string())
}

#[cfg(test)]
mod tests {
    use ishi_patterns::joseki::book::Joseki;

    use super::*;
    use crate::workbench::desk::test_desk;

    #[tokio::test]
    async fn the_shipped_collection_is_never_kept() {
        let desk = Arc::new(test_desk());
        let mut shelf: CollectionShelf<Joseki> = CollectionShelf::load(&desk, SHIPPED).await.unwrap();
        assert_eq!(shelf.save(&desk).await, Err(Joseki::shipped_unchanged()));
        assert!(desk.find_document(Joseki::KIND, SHIPPED).await.unwrap().is_none());
    }
}
