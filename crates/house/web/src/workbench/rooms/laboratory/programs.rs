//! Programs that may play in matches: those that whoever started the server allows, by name. A page starts no others.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ishi_arena::{Contestant, MatchGame, PlayerSpec};

use crate::workbench::error::PageError;

/// So many are remembered at once: visitors choose the conditions.
const MOST_TRIED: usize = 500;

/// The programs by name, with what is known of those that were tried out.
#[derive(Debug, Default)]
pub(crate) struct AllowedPrograms {
    /// Names and command lines.
    lines: BTreeMap<String, String>,
    /// By game, name and conditions. What was tried out once is not started again for a page that only shows a match.
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
            self.remember(key, found.clone());
        }
        Some(tried)
    }

    fn remember(&self, key: String, found: Contestant) {
        let mut tried = self.lock_tried();
        if tried.len() >= MOST_TRIED {
            tried.clear();
        }
        tried.insert(key, found);
    }
}

fn try_program<G: MatchGame>(
    name: &str,
    line: &str,
    settings: &G::Settings,
) -> Result<Contestant, PageError> {
    let spec = PlayerSpec::parse_for_game::<G>(&format!("gtp:{line}"))?;
    Contestant::try_out(Some(name), &spec, settings).map_err(PageError::from)
}

#[cfg(test)]
mod tests {
    use ishi_arena::OthelloMatchSettings;
    use ishi_engine::Othello;

    use super::*;

    /// No argument of a visitor's reaches a command line, and no command line is a name.
    #[test]
    fn only_a_name_as_it_is_allowed_is_a_program() {
        let lines = [("edax".to_string(), "lEdax -gtp".to_string())];
        let programs = AllowedPrograms::new(BTreeMap::from(lines));
        let settings = OthelloMatchSettings::default();
        for text in ["edax -level 1", "edax:level=1", "gtp:edax", "lEdax -gtp", "Edax", ""] {
            assert!(programs.find_contestant::<Othello>(text, &settings).is_none(), "{text}");
        }
    }

    #[test]
    fn conditions_of_visitors_fill_no_memory() {
        let programs = AllowedPrograms::default();
        let spec = PlayerSpec::Builtin("othello-random".to_string());
        let (version, files) = ("4.4".to_string(), String::new());
        let found = Contestant { name: "edax".to_string(), spec, version, files };
        for number in 0..=2 * MOST_TRIED {
            programs.remember(number.to_string(), found.clone());
            assert!(programs.lock_tried().len() <= MOST_TRIED);
            assert!(programs.lock_tried().contains_key(&number.to_string()));
        }
    }
}
