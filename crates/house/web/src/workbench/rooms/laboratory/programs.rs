//! Programs that may play in matches: those that whoever started the server allows, by name. A page starts no others.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ishi_arena::{Contestant, MatchGame, PlayerSpec};

use crate::workbench::error::PageError;

/// The programs by name, with what is known of those that were tried out.
#[derive(Debug, Default)]
pub(crate) struct AllowedPrograms {
    /// Names and command lines.
    lines: BTreeMap<String, String>,
    /// By game, name and conditions: a page that only shows a match starts nothing.
    tried: Mutex<BTreeMap<String, Contestant>>,
}

impl AllowedPrograms {
    pub(crate) fn new(lines: BTreeMap<String, String>) -> AllowedPrograms {
        AllowedPrograms { lines, tried: Mutex::default() }
    }

    /// Their names, in the order of the alphabet.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.lines.keys().map(String::as_str)
    }

    fn lock_tried(&self) -> MutexGuard<'_, BTreeMap<String, Contestant>> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The program of this name as a side of a match; none if no such program is allowed. It is started once for each sort of game, to learn its
    /// version and whether it can play it.
    pub(super) fn find_contestant<G: MatchGame>(
        &self,
        name: &str,
        settings: &G::Settings,
    ) -> Option<Result<Contestant, PageError>> {
        let line = self.lines.get(name)?;
        let key = format!("{} {name} {settings:?}", G::NAME);
        let known = self.lock_tried().get(&key).cloned();
        if let Some(known) = known {
            return Some(Ok(known));
        }
        let tried = try_program::<G>(name, line, settings);
        if let Ok(found) = &tried {
            self.lock_tried().insert(key, found.clone());
        }
        Some(tried)
    }
}

fn try_program<G: MatchGame>(
    name: &str,
    line: &str,
    settings: &G::Settings,
) -> Result<Contestant, PageError> {
    let spec =
        PlayerSpec::parse_for_game::<G>(&format!("gtp:{line}")).map_err(PageError::from_input_error)?;
    Contestant::try_out(Some(name), &spec, settings).map_err(PageError::from_input_error)
}
