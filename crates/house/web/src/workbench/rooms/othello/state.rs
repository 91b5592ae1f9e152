//! Changes of a game: made in the store, then told to all pages that show it.

use std::sync::Arc;

use ishi_lab::store::{Store, StoreError};
use maud::Markup;
use serde_json::Value;

use super::game::{Game, KIND, Overlay};
use super::{own, play, study, view};
use crate::workbench::Desk;
use crate::workbench::audience::Audience;
use crate::workbench::error::PageError;
use crate::workbench::visitor::Visitor;

/// The pages that show it.
pub(super) fn audience(key: &str) -> Audience<'_> {
    Audience { room: "othello", key }
}

/// Fills an element of all pages that show it.
pub(super) fn tell(desk: &Desk, key: &str, name: &'static str, draw: impl Fn(&Visitor) -> Markup) {
    audience(key).tell(desk, name, draw);
}

/// The game in a document.
pub(super) fn read(store: &Store, key: &str) -> Result<Result<(Game, u64), PageError>, StoreError> {
    let Some(document) = store.document(KIND, key)? else {
        return Ok(Err(PageError::missing(
            format!("there is no game {key:?}: it may have been deleted"),
            format!("対局 {key:?} はありません（削除された可能性があります）"),
        )));
    };
    let game: Result<Game, PageError> = serde_json::from_value(document.body).map_err(PageError::outside);
    if let Ok(game) = &game {
        own::prepare(store, game)?;
    }
    Ok(game.map(|game| (game, document.revision)))
}

/// The game as it is kept.
pub(super) async fn load(desk: &Desk, key: &str) -> Result<Game, PageError> {
    let key = key.to_string();
    desk.store(move |store| read(store, &key)).await?.map(|(game, _)| game)
}

fn body(game: &Game) -> Result<Value, PageError> {
    serde_json::to_value(game).map_err(PageError::outside)
}

/// Changes a game; see [`alter`].
pub(super) async fn change(
    desk: &Arc<Desk>,
    key: &str,
    act: impl FnOnce(&mut Game) -> Result<(), PageError> + Send + 'static,
) -> Result<Game, PageError> {
    let (shared, key) = (Arc::clone(desk), key.to_string());
    audience(&key).expect(desk);
    desk.store(move |store| alter(&shared, store, &key, act)).await?
}

/// Keeps a new game.
pub(super) async fn create(desk: &Desk, key: &str, game: Game) -> Result<(), PageError> {
    let (key, body) = (key.to_string(), body(&game)?);
    let title = view::title(&game);
    desk.store(move |store| store.keep_document(KIND, &key, &title, &body, 0)).await?;
    Ok(())
}

/// Changes a game, tells all pages and starts what thinks about the new position. Nothing else changes it meanwhile, for the caller
/// holds the store; so what is told last is what is kept.
pub(super) fn alter(
    desk: &Arc<Desk>,
    store: &mut Store,
    key: &str,
    act: impl FnOnce(&mut Game) -> Result<(), PageError>,
) -> Result<Result<Game, PageError>, StoreError> {
    let (mut game, revision) = match read(store, key)? {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    let before = game.clone();
    if let Err(error) = act(&mut game) {
        return Ok(Err(error));
    }
    own::prepare(store, &game)?;
    let body = match body(&game) {
        Ok(body) => body,
        Err(error) => return Ok(Err(error)),
    };
    if store.keep_document(KIND, key, &view::title(&game), &body, revision)?.is_none() {
        return Ok(Err(PageError::changed_elsewhere()));
    }
    show(desk, key, &before, &game);
    Ok(Ok(game))
}

fn show(desk: &Arc<Desk>, key: &str, before: &Game, game: &Game) {
    let moved = before.at != game.at || before.moves != game.moves;
    let played = before.moves != game.moves || before.paused != game.paused || before.end != game.end;
    let switched = before.study != game.study || before.level != game.level;
    let overlaid = before.overlay != game.overlay;
    // The values on the squares come with the next look.
    let look_again = moved || played || switched || overlaid && game.overlay == Overlay::Search;
    if switched {
        tell(desk, key, "switch", |visitor| view::switch(visitor, key, game));
    }
    if played {
        desk.moves.stop(&play::key_of(key));
    }
    if before.moves != game.moves {
        desk.thoughts.stop(&study::review_key(key));
        tell(desk, key, "review", |visitor| view::review(visitor, key, game, None));
    }
    if moved {
        desk.thoughts.stop(&study::exact_key(key));
        tell(desk, key, "exact", |visitor| view::exact(visitor, key, game, None));
    }
    if look_again {
        desk.thoughts.stop(&study::study_key(key));
        tell(desk, key, "study", |visitor| view::study(visitor, game, None));
    }
    if look_again || overlaid {
        tell(desk, key, "board", |visitor| view::board(visitor, key, game, &[]));
    }
    tell(desk, key, "status", |visitor| view::status(visitor, key, game));
    tell(desk, key, "moves", |visitor| view::moves(visitor, key, game));
    if played || moved {
        play::go_on(desk, key, game);
    }
    if look_again {
        study::go_on(desk, key, game);
    }
}

/// Starts again what stopped because nobody looked, or because the server was started anew.
pub(super) fn resume(desk: &Arc<Desk>, key: &str, game: &Game) {
    audience(key).expect(desk);
    if !desk.moves.is_thinking(&play::key_of(key)) {
        play::go_on(desk, key, game);
    }
    if !desk.thoughts.is_thinking(&study::study_key(key)) {
        study::go_on(desk, key, game);
    }
}
