//! A command as a tool asks for it, put together word by word.

use crate::record::find_faults;

/// The name of the file with the game.
pub(crate) const GAME_FILE: &str = "game.sgf";

/// One of ishi's commands, as a tool asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCommand {
    /// Its arguments; `{}` before a name of `files` stands for the folder where these are.
    pub arguments: Vec<String>,
    /// What it reads from standard input.
    pub input: String,
    /// Files that it reads: name and text.
    pub files: Vec<(String, String)>,
    /// How its output becomes the tool's answer.
    pub reading: OutputReading,
    /// What of the record that was sent is not as it should be. It is told with the answer.
    pub record_faults: Vec<String>,
}

/// How a command's output becomes an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputReading {
    /// It is JSON already.
    #[default]
    Json,
    /// Answers of the Go Text Protocol to the questions about a group.
    Fates,
}

impl ToolCommand {
    /// A command whose options follow.
    pub(crate) fn new(words: &[&str]) -> ToolCommand {
        ToolCommand { arguments: words.iter().map(ToString::to_string).collect(), ..ToolCommand::default() }
    }

    /// Adds `--name=value`, in one word, so that no value is taken for an option.
    pub(crate) fn with_option(mut self, name: &str, value: Option<impl ToString>) -> ToolCommand {
        self.arguments.extend(value.map(|value| format!("--{name}={}", value.to_string())));
        self
    }

    /// Adds an option for each value.
    pub(crate) fn with_options(self, name: &str, values: &[&str]) -> ToolCommand {
        values.iter().fold(self, |command, value| command.with_option(name, Some(value)))
    }

    /// Adds a file as the command's last argument.
    pub(crate) fn with_file(mut self, name: &str, text: &str) -> ToolCommand {
        self.arguments.push(format!("{{}}{name}"));
        self.files.push((name.to_string(), text.to_string()));
        self
    }

    /// Adds a game as the command's last argument.
    pub(crate) fn with_game(self, record: &str) -> ToolCommand {
        let command = self.with_file(GAME_FILE, record);
        ToolCommand { record_faults: find_faults(record), ..command }
    }

    /// Adds a file as an option's value.
    pub(crate) fn with_file_option(mut self, option: &str, name: &str, text: Option<&str>) -> ToolCommand {
        if let Some(text) = text {
            self.arguments.push(format!("--{option}={{}}{name}"));
            self.files.push((name.to_string(), text.to_string()));
        }
        self
    }

    /// Adds a word that is no option, whatever it begins with.
    pub(crate) fn with_last_word(mut self, word: &str) -> ToolCommand {
        self.arguments.extend(["--".to_string(), word.to_string()]);
        self
    }
}
