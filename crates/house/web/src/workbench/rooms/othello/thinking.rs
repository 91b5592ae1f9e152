//! What thinks about a game: the engine whose turn it is, and the look at the position that is shown. A change of the game begins it anew.

use std::sync::Arc;

use super::game::OthelloGameState;
use super::play::EngineDeed;
use super::state::GameChange;
use super::{play, state, study};
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;

/// Changes a game; see [`state::change_stored_game`]. Then what is to think about it begins.
pub(super) async fn change_game(
    desk: &Arc<WorkbenchState>,
    key: &str,
    act: impl FnOnce(&mut OthelloGameState) -> Result<(), PageError> + Send + 'static,
) -> Result<OthelloGameState, PageError> {
    let (shared, key) = (Arc::clone(desk), key.to_string());
    state::game_audience(&key).mark_expected(desk);
    desk.ask_store(move |store| {
        let changed = state::change_stored_game(&shared, store, &key, act)?;
        if let Ok(change) = &changed {
            begin_thinking(&shared, &key, change);
        }
        Ok(changed.map(|change| change.game))
    })
    .await?
}

/// Begins what is to think after a change. Whoever made the change holds the store still.
fn begin_thinking(desk: &Arc<WorkbenchState>, key: &str, change: &GameChange) {
    if change.wakes_engine {
        play::start_engine_move(desk, key, &change.game, keep_deed);
    }
    if change.wakes_study {
        study::resume_study(desk, key, &change.game);
    }
}

/// Makes the change that was thought out. A store that fails says so to the person's next request.
fn keep_deed(desk: &Arc<WorkbenchState>, key: &str, deed: EngineDeed) {
    let _ = desk.ask_store_blocking(|store| {
        if let Ok(change) = &state::change_stored_game(desk, store, key, deed)? {
            begin_thinking(desk, key, change);
        }
        Ok(())
    });
}

/// Starts again what stopped because nobody looked, or because the server was started anew.
pub(super) fn resume_thinking(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState) {
    state::game_audience(key).mark_expected(desk);
    if !desk.moves.is_running(&state::play_key(key)) {
        play::start_engine_move(desk, key, game, keep_deed);
    }
    if !desk.thoughts.is_running(&state::study_key(key)) {
        study::resume_study(desk, key, game);
    }
}
