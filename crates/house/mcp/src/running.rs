//! Commands as child processes. A call that its client gives up, or that takes too long, leaves no process behind, and a server that is killed neither.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use ishi_arena::process::WatchedGroup;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

use crate::command::{OutputReading, ToolCommand};
use crate::fates;

/// Where commands run, and for how long.
#[derive(Clone, Debug)]
pub struct CommandRunner {
    /// The program whose commands these are.
    pub program: PathBuf,
    /// Arguments before all others, such as `--threads=1`.
    pub leading: Vec<String>,
    /// A command that takes longer is ended.
    pub time_limit: Duration,
}

/// Why a command gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It cannot be started, or its files not be written.
    #[error("ishi cannot run {command}: {source}")]
    Start {
        /// The command's first words.
        command: String,
        /// The system's own error.
        source: io::Error,
    },
    /// It took too long.
    #[error("no answer within {seconds} seconds: ask for less (a lower level, a smaller board)")]
    TooLong {
        /// The limit.
        seconds: u64,
    },
    /// It failed; its own words.
    #[error("{0}")]
    Failed(String),
}

impl CommandRunner {
    /// Runs the command and gives its answer.
    ///
    /// # Errors
    /// If it cannot be started, takes too long, or fails.
    pub async fn run(&self, command: &ToolCommand) -> Result<Value, RunError> {
        let start_error = |source| RunError::Start { command: first_words(command), source };
        let folder = tempfile::tempdir().map_err(start_error)?;
        write_files(folder.path(), command).map_err(start_error)?;
        let (child, watched) = self.start_process(folder.path(), command).map_err(start_error)?;
        let input = with_folder(&command.input, folder.path());
        let finished = tokio::time::timeout(self.time_limit, feed_and_wait(child, input)).await;
        // The child has ended, or it is killed, as it was dropped.
        drop(watched);
        let output = finished.map_err(|_| RunError::TooLong { seconds: self.time_limit.as_secs() })?;
        let output = output.map_err(start_error)?;
        let mut answer = read_answer(command.reading, output, folder.path())?;
        if command.reading == OutputReading::Fates {
            answer["made_by"] = self.describe(command);
        }
        Ok(answer)
    }

    /// How answers of the Go Text Protocol were made, which do not say so themselves.
    fn describe(&self, command: &ToolCommand) -> Value {
        let words: Vec<&str> = command.arguments.iter().chain(&self.leading).map(String::as_str).collect();
        json!({
            "command": format!("ishi {}", words.join(" ")),
            "input": command.input.replace("{}", ""),
            "version": concat!("ishi ", env!("CARGO_PKG_VERSION")),
        })
    }

    /// Starts the command as leader of a group of its own, which does not outlive us.
    fn start_process(&self, folder: &Path, command: &ToolCommand) -> io::Result<(Child, WatchedGroup)> {
        let arguments = command.arguments.iter().map(|argument| with_folder(argument, folder));
        // Options come before a `--` that ends them.
        let mut all: Vec<String> = arguments.collect();
        let end = all.iter().position(|argument| argument == "--").unwrap_or(all.len());
        all.splice(end..end, self.leading.iter().cloned());
        let mut process = Command::new(&self.program);
        process.args(all).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        process.kill_on_drop(true);
        #[cfg(unix)]
        process.process_group(0);
        WatchedGroup::spawn(|| {
            let child = process.spawn()?;
            let number = child.id();
            Ok((child, number))
        })
    }
}

fn first_words(command: &ToolCommand) -> String {
    command.arguments.iter().take(2).cloned().collect::<Vec<_>>().join(" ")
}

fn write_files(folder: &Path, command: &ToolCommand) -> io::Result<()> {
    command.files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}

/// `{}` stands for the folder of the command's files.
fn with_folder(text: &str, folder: &Path) -> String {
    text.replace("{}", &format!("{}/", folder.display()))
}

/// What a command wrote.
struct CommandOutput {
    status: ExitStatus,
    stdout: String,
    stderr: String,
}

async fn feed_and_wait(mut child: Child, input: String) -> io::Result<CommandOutput> {
    let stdin = child.stdin.take();
    let feed = async {
        if let Some(mut stdin) = stdin {
            // A command that does not read its input says why on stderr.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
    };
    let ((), output) = tokio::join!(feed, child.wait_with_output());
    let output = output?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(CommandOutput { status: output.status, stdout: text(output.stdout), stderr: text(output.stderr) })
}

fn read_answer(reading: OutputReading, output: CommandOutput, folder: &Path) -> Result<Value, RunError> {
    // Exit code 1 says "the answer is no", with the answer.
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(RunError::Failed(words_of_failure(&output, folder)));
    }
    match reading {
        OutputReading::Json => serde_json::from_str(&output.stdout)
            .map(|answer| without_folder(answer, folder))
            .map_err(|_| RunError::Failed(words_of_failure(&output, folder))),
        OutputReading::Fates => fates::read_fates(&output.stdout).map_err(RunError::Failed),
    }
}

/// The answer without the folder that only we know, and that is gone by now: `made_by` names the command's files.
fn without_folder(answer: Value, folder: &Path) -> Value {
    match answer {
        Value::String(text) => Value::String(text.replace(&with_folder("{}", folder), "")),
        Value::Array(items) => items.into_iter().map(|item| without_folder(item, folder)).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, without_folder(value, folder))).collect()
        }
        other => other,
    }
}

/// The command's last words on stderr, without the folder that only we know and without the program's name before them.
fn words_of_failure(output: &CommandOutput, folder: &Path) -> String {
    let text = output.stderr.replace(&with_folder("{}", folder), "");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix("ishi: ").unwrap_or(line)).collect();
    let told = lines[lines.len().saturating_sub(5)..].join("\n");
    if told.is_empty() { format!("the command ended with {} and said nothing", output.status) } else { told }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn runner(program: &str, seconds: f64) -> CommandRunner {
        let time_limit = Duration::from_secs_f64(seconds);
        CommandRunner { program: program.into(), leading: Vec::new(), time_limit }
    }

    fn shell(script: &str) -> ToolCommand {
        ToolCommand { arguments: vec!["-c".to_string(), script.to_string()], ..ToolCommand::default() }
    }

    fn run(seconds: f64, command: &ToolCommand) -> Result<Value, RunError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(runner("/bin/sh", seconds).run(command))
    }

    #[test]
    fn files_and_input_reach_the_command() {
        let mut command = shell(
            "read -r word; printf '{\"file\": \"%s\", \"input\": \"%s\"}' \"$(cat {}a.txt)\" \"$word\"",
        );
        command.files = vec![("a.txt".to_string(), "from a file".to_string())];
        command.input = "one\n".to_string();
        let answer = run(20.0, &command).unwrap();
        assert_eq!(answer, serde_json::json!({"file": "from a file", "input": "one"}));
    }

    #[test]
    fn answers_do_not_name_the_folder() {
        let mut command = shell("printf '{\"made_by\": {\"command\": [\"ishi show {}a.txt\", 1]}}'");
        command.files = vec![("a.txt".to_string(), String::new())];
        let answer = run(20.0, &command).unwrap();
        assert_eq!(answer, serde_json::json!({"made_by": {"command": ["ishi show a.txt", 1]}}));
    }

    #[test]
    fn a_failure_is_told_in_the_commands_words() {
        let mut command = shell("echo 'ishi: {}game.sgf: must be a record' >&2; exit 3");
        command.files = vec![("game.sgf".to_string(), String::new())];
        assert_eq!(run(20.0, &command).unwrap_err().to_string(), "game.sgf: must be a record");
        let silent = run(20.0, &shell("exit 4")).unwrap_err().to_string();
        assert!(silent.contains("said nothing"), "{silent}");
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let (mark, pid) = (folder.path().join("mark"), folder.path().join("pid"));
        let script = format!("echo $$ >{}; sleep 2; touch {}", pid.display(), mark.display());
        let error = run(0.2, &shell(&script)).unwrap_err();
        assert!(matches!(error, RunError::TooLong { .. }), "{error}");
        // Where it did not even come to say its number, it has the time that it would have taken.
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(3) && !has_ended(&pid) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(!mark.exists(), "the command went on");
    }

    /// Is there no process of the number in the file, but for one whose end nobody has asked about?
    fn has_ended(pid: &Path) -> bool {
        let Ok(number) = std::fs::read_to_string(pid) else { return false };
        let asked = std::process::Command::new("ps").args(["-o", "stat=", "-p", number.trim()]).output();
        let state = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
        !number.trim().is_empty() && state.is_ok_and(|state| state.is_empty() || state.starts_with('Z'))
    }
}
