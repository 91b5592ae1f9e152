//! The command line of an engine, read as a shell would, without a shell.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

use ishi_words::{CodedError, ErrorFacts, facts};

/// A program, its arguments and where it runs.
///
/// ```
/// use ishi_arena::process::EngineCommand;
/// let command: EngineCommand = "gnugo --mode gtp --gtp-input '/tmp/my file'".parse().unwrap();
/// assert_eq!(command.program, "gnugo");
/// assert_eq!(command.args.last().unwrap(), "/tmp/my file");
/// assert_eq!(command.to_string(), "gnugo --mode gtp --gtp-input '/tmp/my file'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EngineCommand {
    /// The program: a path, or a name that is looked up in PATH.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; `None` for ours.
    pub directory: Option<PathBuf>,
}

impl EngineCommand {
    /// What is to be started, with pipes for all three streams.
    pub(super) fn to_process(&self) -> Command {
        let mut process = Command::new(find_program(&self.program));
        process.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &self.directory {
            process.current_dir(directory);
        }
        process
    }

    /// The files of this machine that it names: the program as it is started, if it is found, then each argument that is a file, also one
    /// behind `=`. Each has the word that names it before its place.
    pub fn find_files(&self) -> Vec<(String, PathBuf)> {
        let program = locate_program(&self.program).map(|path| (self.program.clone(), path));
        let named = self.args.iter().filter_map(|word| {
            let behind = word.split_once('=').map_or("", |(_, value)| value);
            let named = [word.as_str(), behind].into_iter().filter(|text| !text.is_empty());
            named.map(|text| (text.to_string(), self.place_of(text))).find(|(_, path)| path.is_file())
        });
        program.into_iter().chain(named).collect()
    }

    /// Where the program finds a file of this name.
    fn place_of(&self, name: &str) -> PathBuf {
        self.directory.as_ref().map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
    }
}

/// The program's file: of a bare name the first in PATH, as the system looks it up.
fn locate_program(program: &str) -> Option<PathBuf> {
    let found = find_program(program);
    if found.components().count() > 1 {
        return found.is_file().then_some(found);
    }
    find_in_path(Path::new(&format!("{program}{}", std::env::consts::EXE_SUFFIX)))
}

/// The program to be started: one that is named without a folder and is not in PATH may be where Debian puts games. The command itself
/// stays as it was given, as results are kept under it.
fn find_program(program: &str) -> PathBuf {
    let name = Path::new(program);
    let in_games = Path::new("/usr/games").join(name);
    let is_bare = name.components().count() == 1;
    if is_bare && find_in_path(name).is_none() && in_games.is_file() { in_games } else { name.to_path_buf() }
}

/// The first file of this name in PATH.
fn find_in_path(name: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The text was no command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineCommandError {
    /// Nothing in it.
    #[error("invalid engine command {0:?}: write a program and its arguments, such as \"gnugo --mode gtp\"")]
    Empty(String),
    /// A quote is open.
    #[error("invalid engine command {0:?}: a quote is not closed, or a backslash stands at its end")]
    Quote(String),
    /// A byte that no argument can hold.
    #[error("invalid engine command {0:?}: an argument holds a NUL byte")]
    Nul(String),
}

impl CodedError for EngineCommandError {
    fn facts(&self) -> ErrorFacts {
        match self {
            EngineCommandError::Empty(text) => facts!["player-command-empty", text = format!("{text:?}")],
            EngineCommandError::Quote(text) => facts!["player-command-quote", text = format!("{text:?}")],
            EngineCommandError::Nul(text) => facts!["player-command-nul", text = format!("{text:?}")],
        }
    }
}

impl FromStr for EngineCommand {
    type Err = EngineCommandError;

    fn from_str(text: &str) -> Result<Self, EngineCommandError> {
        if text.contains('\0') {
            return Err(EngineCommandError::Nul(text.to_string()));
        }
        let words = shlex::split(text).ok_or_else(|| EngineCommandError::Quote(text.to_string()))?;
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.is_empty());
        let program = program.ok_or_else(|| EngineCommandError::Empty(text.to_string()))?;
        Ok(EngineCommand { program, args: words.collect(), directory: None })
    }
}

/// The command line, quoted where it must be; reads back as the same command.
impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = std::iter::once(&self.program).chain(&self.args).map(String::as_str);
        // Only a NUL byte cannot be quoted, and no command holds one.
        f.write_str(&shlex::try_join(words).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_read_and_written() {
        for (text, words) in [
            ("gnugo --mode gtp", vec!["gnugo", "--mode", "gtp"]),
            ("  a\t'b c' \"d'e\" f\\ g ''", vec!["a", "b c", "d'e", "f g", ""]),
            ("a $HOME;rm", vec!["a", "$HOME;rm"]),
        ] {
            let command: EngineCommand = text.parse().unwrap();
            let found: Vec<&str> =
                std::iter::once(&command.program).chain(&command.args).map(String::as_str).collect();
            assert_eq!(found, words);
            assert_eq!(command.to_string().parse::<EngineCommand>().unwrap(), command);
        }
    }

    #[test]
    fn a_command_names_its_program_and_the_files_among_its_arguments() {
        let place = |name: &str| format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
        let (engine, net, config) = (place("src/lib.rs"), place("Cargo.toml"), place("src/pair.rs"));
        let (gone, folder) = (place("no-such-file"), place("src"));
        let words = [engine.as_str(), "--mode", "gtp", "-model", &net, "--log", &gone, &folder, "=", ""];
        let mut words = words.map(str::to_string).to_vec();
        words.push(format!("--config={config}"));
        let command = EngineCommand { program: words.remove(0), args: words, directory: None };
        let found: Vec<String> = command.find_files().into_iter().map(|(word, _)| word).collect();
        assert_eq!(found, [engine, net, config], "what is no file is none of them");
        let inside = EngineCommand {
            program: gone,
            args: vec!["Cargo.toml".to_string(), "mode=src/lib.rs".to_string()],
            directory: Some(PathBuf::from(env!("CARGO_MANIFEST_DIR"))),
        };
        let found: Vec<String> = inside.find_files().into_iter().map(|(word, _)| word).collect();
        assert_eq!(found, ["Cargo.toml", "src/lib.rs"], "names are those of its folder");
    }

    #[cfg(unix)]
    #[test]
    fn a_bare_name_is_the_file_that_is_started() {
        let command: EngineCommand = "sh -c true".parse().unwrap();
        let found = command.find_files();
        assert_eq!(found.len(), 1);
        assert!(found[0].0 == "sh" && found[0].1.ends_with("sh") && found[0].1.is_file(), "{found:?}");
    }

    #[test]
    fn errors_say_what_is_right() {
        let error = |text: &str| text.parse::<EngineCommand>().unwrap_err().to_string();
        assert!(error("").contains("such as \"gnugo --mode gtp\""));
        assert!(error("'' x").contains("write a program"));
        assert!(error("gnugo 'x").contains("a quote is not closed"));
        assert!(error("a\0b").contains("NUL"));
    }
}
