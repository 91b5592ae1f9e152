//! Programs that may play in matches, or judge: those that whoever started the server allows, by name. A page starts no others.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ishi_arena::process::EngineCommand;
use ishi_arena::{Contestant, MatchGame, PlayerSpec};

use crate::workbench::error::PageError;
use crate::workbench::texts::args;

/// How many programs are remembered at once: visitors choose the conditions.
const MOST_TRIED: usize = 500;

/// The programs by name, with what is known of those that were tried out.
#[derive(Debug, Default)]
pub(crate) struct AllowedPrograms {
    /// Names and command lines of those that play.
    lines: BTreeMap<String, String>,
    /// Those that judge.
    judges: BTreeMap<String, String>,
    /// Programs that were tried out, by game, name and conditions: none is started again for a page that only shows a match.
    tried: Mutex<BTreeMap<String, Contestant>>,
}

/// A program that may judge, as it is allowed.
#[derive(Clone, Debug)]
pub(crate) struct AllowedJudge {
    name: String,
    /// How it is started.
    pub(crate) command: EngineCommand,
}

impl AllowedJudge {
    /// What visitors call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What it has said at its end, without its command line: visitors know programs by name alone.
    pub(crate) fn hide_command(&self, said: &str) -> String {
        said.replace(&self.command.to_string(), &self.name)
    }
}

impl AllowedPrograms {
    pub(crate) fn new(lines: BTreeMap<String, String>, judges: BTreeMap<String, String>) -> AllowedPrograms {
        AllowedPrograms { lines, judges, tried: Mutex::default() }
    }

    /// The names of those that judge, in the order of the alphabet.
    pub(crate) fn judge_names(&self) -> impl Iterator<Item = &str> {
        self.judges.keys().map(String::as_str)
    }

    /// The program of this name that judges.
    ///
    /// # Errors
    /// If no such program is allowed to judge.
    pub(crate) fn find_judge(&self, name: &str) -> Result<AllowedJudge, PageError> {
        let known = self.judges.get(name).and_then(|line| line.parse().ok());
        let command = known.ok_or_else(|| {
            PageError::invalid_input_with("go-there-is-no-judge", args![name = format!("{name:?}")])
        })?;
        Ok(AllowedJudge { name: name.to_string(), command })
    }

    /// The names of those that play, in the order of the alphabet.
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
        let judges = [("katago".to_string(), "katago analysis -model 'my model'".to_string())];
        let programs = AllowedPrograms::new(BTreeMap::from(lines), BTreeMap::from(judges));
        let settings = OthelloMatchSettings::default();
        for text in ["edax -level 1", "edax:level=1", "gtp:edax", "lEdax -gtp", "Edax", "katago", ""] {
            assert!(programs.find_contestant::<Othello>(text, &settings).is_none(), "{text}");
        }
        assert_eq!(programs.judge_names().collect::<Vec<_>>(), ["katago"]);
        let judge = programs.find_judge("katago").unwrap();
        let command = &judge.command;
        assert_eq!((command.program.as_str(), command.args[2].as_str()), ("katago", "my model"));
        let said = format!("the judge {command}: it has ended");
        assert!(said.contains("my model"), "{said}");
        assert_eq!(judge.hide_command(&said), "the judge katago: it has ended");
        for text in ["edax", "katago analysis", "Katago", ""] {
            assert!(programs.find_judge(text).is_err(), "{text}");
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
