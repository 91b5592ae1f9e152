//! Changes of a game: made in the store, then told to all pages that show it.

use ishi_lab::store::Store;
use ishi_othello_play::levels::Level;
use maud::Markup;

use super::game::{KIND, OthelloGameState, Overlay};
use super::{own, played, view};
use crate::workbench::WorkbenchState;
use crate::workbench::audience::Audience;
use crate::workbench::documents::{RoomDocument, StoreAnswer, keep_stored, read_stored};
use crate::workbench::error::PageError;
use crate::workbench::rooms::standing;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// The pages that show it.
pub(super) fn game_audience(key: &str) -> Audience<'_> {
    Audience { room: "othello", key }
}

/// The key of what moves in a game.
pub(super) fn play_key(key: &str) -> String {
    format!("othello/{key}/play")
}

/// The key of what looks at the position that is shown.
pub(super) fn study_key(key: &str) -> String {
    format!("othello/{key}/study")
}

/// The key of what solves that position.
pub(super) fn exact_key(key: &str) -> String {
    format!("othello/{key}/exact")
}

/// The key of what reviews the game.
pub(super) fn review_key(key: &str) -> String {
    format!("othello/{key}/review")
}

/// Fills an element of all pages that show it.
pub(super) fn publish_element(
    desk: &WorkbenchState,
    key: &str,
    name: &'static str,
    draw: impl Fn(&Visitor) -> Markup,
) {
    game_audience(key).publish(desk, name, draw);
}

impl RoomDocument for OthelloGameState {
    const KIND: &'static str = KIND;

    fn listed_title(&self) -> String {
        view::game_title(self)
    }

    fn not_found(key: &str) -> PageError {
        PageError::not_found_with("othello-there-is-no-game-it-may", args![key = format!("{key:?}")])
    }
}

/// The game in a document.
pub(super) fn read_game(store: &Store, key: &str) -> StoreAnswer<(OthelloGameState, u64)> {
    let found = read_stored(store, key)?;
    if let Ok((game, _)) = &found {
        own::prepare_judge(store, game)?;
    }
    Ok(found)
}

/// The game as it is kept.
pub(super) async fn load_game(desk: &WorkbenchState, key: &str) -> Result<OthelloGameState, PageError> {
    let key = key.to_string();
    desk.ask_store(move |store| read_game(store, &key)).await?.map(|(game, _)| game)
}

/// Keeps a new game.
pub(super) async fn create_game(
    desk: &WorkbenchState,
    key: &str,
    game: OthelloGameState,
) -> Result<(), PageError> {
    desk.keep_document(key, &game, 0).await.map(|_| ())
}

/// A game that was changed, and what is to think about it now.
pub(super) struct GameChange {
    pub(super) game: OthelloGameState,
    /// The engine, if it is its turn.
    pub(super) wakes_engine: bool,
    /// The look at the position that is shown.
    pub(super) wakes_study: bool,
}

/// Changes a game, tells all pages and stops what thought about another position. Nothing else changes it meanwhile, for the caller
/// holds the store; so what is told last is what is kept. What is to think now is begun by the caller, who holds the store still.
pub(super) fn change_stored_game(
    desk: &WorkbenchState,
    store: &mut Store,
    key: &str,
    act: impl FnOnce(&mut OthelloGameState) -> Result<(), PageError>,
) -> StoreAnswer<GameChange> {
    let (mut game, revision) = match read_game(store, key)? {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    let before = game.clone();
    if let Err(error) = act(&mut game) {
        return Ok(Err(error));
    }
    if before.moves != game.moves {
        game.wanted_review = None;
    }
    own::prepare_judge(store, &game)?;
    if let Err(error) = keep_stored(store, key, &game, revision)? {
        return Ok(Err(error));
    }
    if let Some(ended) = game.rated_game(key) {
        standing::note_game::<Level>(store, ended, before.rated_game(key).is_some())?;
    }
    let (wakes_engine, wakes_study) = publish_changes(desk, key, &before, &game);
    Ok(Ok(GameChange { game, wakes_engine, wakes_study }))
}

/// Tells pages what is new; does the change concern the engine, and the look at the position?
fn publish_changes(
    desk: &WorkbenchState,
    key: &str,
    before: &OthelloGameState,
    game: &OthelloGameState,
) -> (bool, bool) {
    let moved = before.at != game.at || before.moves != game.moves;
    let played = before.moves != game.moves || before.paused != game.paused || before.end != game.end;
    let judged = before.is_judged() != game.is_judged() || before.warning != game.warning;
    let is_other_depth = before.level != game.level || before.until_proved != game.until_proved;
    let switched = before.study != game.study || is_other_depth;
    let overlaid = before.overlay != game.overlay;
    // The values on the squares come with the next look.
    let look_again = moved || played || judged || switched || overlaid && game.overlay == Overlay::Search;
    if switched {
        publish_element(desk, key, "switch", |visitor| view::render_study_switch(visitor, key, game));
    }
    if before.warning != game.warning {
        publish_element(desk, key, "warning", |visitor| view::render_warning(visitor, key, game));
    }
    if played || judged {
        desk.moves.stop_task(&play_key(key));
    }
    if before.moves != game.moves {
        desk.reviews.stop_task(&review_key(key));
        publish_element(desk, key, "review", |visitor| view::render_review(visitor, key, game, None));
    }
    if moved {
        desk.reviews.stop_task(&exact_key(key));
        publish_element(desk, key, "exact", |visitor| view::render_exact_score(visitor, key, game, None));
        let has_games = desk.settings.othello_games.is_some();
        publish_element(desk, key, "book", |visitor| played::render_book(visitor, key, game, has_games));
    }
    if look_again {
        desk.thoughts.stop_task(&study_key(key));
        publish_element(desk, key, "study", |visitor| view::render_study(visitor, game, None));
    }
    if look_again || overlaid {
        publish_element(desk, key, "board", |visitor| view::render_board(visitor, key, game, &[]));
    }
    publish_element(desk, key, "status", |visitor| view::render_status(visitor, key, game));
    publish_element(desk, key, "sides", |visitor| view::render_sides(visitor, key, game));
    publish_element(desk, key, "moves", |visitor| view::render_moves(visitor, key, game));
    (played || judged || moved, look_again)
}
