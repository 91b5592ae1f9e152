//! The one way in which rooms keep documents: found with their revision, made under a new key, and kept only over the revision that was
//! read, so that neither of two tabs loses anything.
//!
//! What a room keeps whole is a [`RoomDocument`]. Where its title or its body follow from more than the body itself, the room gives both to
//! [`WorkbenchState::keep_body`].

use ishi_lab::store::{Store, StoreError, StoredDocument};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::desk::WorkbenchState;
use super::error::PageError;
use super::random_text::new_key;

/// What a room keeps as a document of its own.
pub(crate) trait RoomDocument: Serialize + DeserializeOwned + Send + 'static {
    /// The kind of its documents.
    const KIND: &'static str;

    /// What it is called in lists.
    fn listed_title(&self) -> String;

    /// The error where nothing is kept under this key.
    fn not_found(key: &str) -> PageError;
}

/// What a question to the store gives where a page may be refused: the store's failure, or else what is said to the page.
pub(crate) type StoreAnswer<T> = Result<Result<T, PageError>, StoreError>;

/// What is kept under a key, and its revision.
pub(crate) fn read_stored<D: RoomDocument>(store: &Store, key: &str) -> StoreAnswer<(D, u64)> {
    let Some(document) = store.find_document(D::KIND, key)? else { return Ok(Err(D::not_found(key))) };
    let body = serde_json::from_value(document.body).map_err(PageError::from_system_error);
    Ok(body.map(|body| (body, document.revision)))
}

/// Keeps it over the revision that was read; its new revision, unless somebody else was faster.
pub(crate) fn keep_stored<D: RoomDocument>(
    store: &mut Store,
    key: &str,
    document: &D,
    revision: u64,
) -> StoreAnswer<u64> {
    let body = match serde_json::to_value(document) {
        Ok(body) => body,
        Err(error) => return Ok(Err(PageError::from_system_error(error))),
    };
    let kept = store.keep_document(D::KIND, key, &document.listed_title(), &body, revision)?;
    Ok(kept.ok_or_else(PageError::changed_elsewhere))
}

/// Reads it, changes it and keeps it. Nobody else changes it meanwhile, for the caller holds the store.
pub(crate) fn change_stored<D: RoomDocument>(
    store: &mut Store,
    key: &str,
    act: impl FnOnce(&mut D) -> Result<(), PageError>,
) -> StoreAnswer<D> {
    let (mut document, revision) = match read_stored::<D>(store, key)? {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    if let Err(error) = act(&mut document) {
        return Ok(Err(error));
    }
    Ok(keep_stored(store, key, &document, revision)?.map(|_| document))
}

/// Keeps a body whatever is under its key.
pub(crate) fn overwrite_body(
    store: &mut Store,
    kind: &'static str,
    key: &str,
    title: &str,
    body: &Value,
) -> Result<(), StoreError> {
    loop {
        let earlier = store.find_document(kind, key)?.map_or(0, |document| document.revision);
        // Another server on the same database may have been faster.
        if store.keep_document(kind, key, title, body, earlier)?.is_some() {
            return Ok(());
        }
    }
}

/// Keeps a body if nothing is under its key. False if something is.
pub(crate) fn keep_new_body(
    store: &mut Store,
    kind: &'static str,
    key: &str,
    title: &str,
    body: &Value,
) -> Result<bool, StoreError> {
    Ok(store.keep_document(kind, key, title, body, 0)?.is_some())
}

impl WorkbenchState {
    /// A document as the store has it, if there is one.
    pub(crate) async fn find_document(
        &self,
        kind: &'static str,
        key: &str,
    ) -> Result<Option<StoredDocument>, PageError> {
        let key = key.to_string();
        self.ask_store(move |store| store.find_document(kind, &key)).await
    }

    /// What is kept under a key, and its revision.
    pub(crate) async fn load_document<D: RoomDocument>(&self, key: &str) -> Result<(D, u64), PageError> {
        let key = key.to_string();
        self.ask_store(move |store| read_stored(store, &key)).await?
    }

    /// Keeps it under a new key; the key.
    pub(crate) async fn create_document<D: RoomDocument>(&self, document: &D) -> Result<String, PageError> {
        let key = new_key();
        self.keep_document(&key, document, 0).await?;
        Ok(key)
    }

    /// Keeps it over the revision that was read (0: it is new); its new revision.
    pub(crate) async fn keep_document<D: RoomDocument>(
        &self,
        key: &str,
        document: &D,
        revision: u64,
    ) -> Result<u64, PageError> {
        let body = serde_json::to_value(document).map_err(PageError::from_system_error)?;
        self.keep_body(D::KIND, key, document.listed_title(), body, revision).await
    }

    /// Keeps a body with its kind and its title, as [`WorkbenchState::keep_document`] keeps a document.
    pub(crate) async fn keep_body(
        &self,
        kind: &'static str,
        key: &str,
        title: String,
        body: Value,
        revision: u64,
    ) -> Result<u64, PageError> {
        let key = key.to_string();
        let kept = self.ask_store(move |store| store.keep_document(kind, &key, &title, &body, revision));
        kept.await?.ok_or_else(PageError::changed_elsewhere)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::desk::test_desk;
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Note {
        text: String,
    }

    impl RoomDocument for Note {
        const KIND: &'static str = "note";

        fn listed_title(&self) -> String {
            format!("Note: {}", self.text)
        }

        fn not_found(key: &str) -> PageError {
            PageError::from_system_error(format!("no note {key}"))
        }
    }

    fn note(text: &str) -> Note {
        Note { text: text.to_string() }
    }

    #[tokio::test]
    async fn a_document_is_kept_over_the_revision_that_was_read_alone() {
        let desk = test_desk();
        let key = desk.create_document(&note("one")).await.unwrap();
        let (read, revision) = desk.load_document::<Note>(&key).await.unwrap();
        assert_eq!(read, note("one"));
        let newer = desk.keep_document(&key, &note("two"), revision).await.unwrap();
        assert!(newer > revision);
        let late = desk.keep_document(&key, &note("three"), revision).await;
        assert_eq!(late, Err(PageError::changed_elsewhere()));
        let stored = desk.find_document(Note::KIND, &key).await.unwrap().unwrap();
        assert_eq!((stored.title.as_str(), stored.revision), ("Note: two", newer));
    }

    #[tokio::test]
    async fn bodies_are_kept_over_others_or_only_where_nothing_is() {
        let desk = test_desk();
        let texts = desk.ask_store(|store| {
            let kept = keep_new_body(store, "text", "a", "", &"one".into())?;
            let again = keep_new_body(store, "text", "a", "", &"two".into())?;
            let first = store.find_document("text", "a")?.unwrap().body;
            overwrite_body(store, "text", "a", "", &"three".into())?;
            overwrite_body(store, "text", "b", "", &"four".into())?;
            let last = ["a", "b"].map(|key| store.find_document("text", key).unwrap().unwrap().body);
            Ok((kept, again, first, last))
        });
        let (kept, again, first, last) = texts.await.unwrap();
        assert!(kept && !again);
        assert_eq!((first, last), (Value::from("one"), [Value::from("three"), Value::from("four")]));
    }

    #[tokio::test]
    async fn what_is_refused_or_not_there_changes_nothing() {
        let desk = test_desk();
        let key = desk.create_document(&note("one")).await.unwrap();
        let refused = PageError::from_system_error("no");
        let answer = refused.clone();
        let name = key.clone();
        let changed = desk
            .ask_store(move |store| {
                change_stored::<Note>(store, &name, |note| {
                    note.text = "two".to_string();
                    Err(answer)
                })
            })
            .await
            .unwrap();
        assert_eq!(changed, Err(refused));
        assert_eq!(desk.load_document::<Note>(&key).await.unwrap().0, note("one"));
        let missing = desk.load_document::<Note>("none").await;
        assert_eq!(missing, Err(Note::not_found("none")));
    }
}
