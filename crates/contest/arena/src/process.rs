//! Engines as child processes. What else starts children has their groups watched here ([`WatchedGroup`]).
//!
//! An [`EngineProcess`] is a [`EngineConnection`] for a [`GtpClient`]. It runs in a process group of its own; reader threads
//! take what it prints, so that it never waits for us; every answer has a deadline; what it said on stderr and the
//! transcript are kept for the report of a crash; and in the end the whole group is gone and the child is reaped,
//! whatever it did. If ishi itself is killed by SIGKILL, engines see the end of their input, and a watcher kills the groups of
//! those that run on (`watcher`).
//!
//! A program that leaves its process group (`setsid`) escapes; nothing else does. That holds on Unix. Where there are no process groups, `tree` says
//! what is done in their place.

// Processes, their clocks and their reader threads are what this module is for.
#![allow(clippy::disallowed_methods)]

mod command;
#[cfg(unix)]
mod group;
#[cfg(not(unix))]
#[path = "process/tree.rs"]
mod group;
mod permission;
mod pump;
#[cfg(unix)]
mod watcher;

use std::io;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use ishi_gtp::{EngineConnection, GtpClient};
use ishi_work::StopFlag;

pub use command::{EngineCommand, EngineCommandError};
use group::ProcessGroup;
pub use permission::{allow_only, check_allowed};
use pump::{LineRing, PipeTail};

/// Kills every engine that runs, for a program that must end at once and leaves none behind. Their controllers find them
/// crashed, if they still come to look.
pub fn kill_all_engines() {
    group::kill_running_groups();
}

/// The process group of a child that somebody else starts, waits for and reaps. If ishi is killed before this is dropped, the group is killed, too.
/// Where there are no process groups nothing is watched.
#[derive(Debug)]
#[must_use = "the group is watched only until this is dropped"]
pub struct WatchedGroup(Option<u32>);

impl WatchedGroup {
    /// Starts a child that leads a group of its own (`process_group(0)`), and watches that group. `start` gives the child and its number.
    ///
    /// # Errors
    /// Those of `start`.
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// use ishi_arena::process::WatchedGroup;
    /// use std::os::unix::process::CommandExt;
    /// use std::process::Command;
    ///
    /// let (mut child, watched) = WatchedGroup::spawn(|| {
    ///     let child = Command::new("true").process_group(0).spawn()?;
    ///     let number = child.id();
    ///     Ok((child, Some(number)))
    /// })
    /// .unwrap();
    /// assert!(child.wait().unwrap().success());
    /// drop(watched);
    /// # }
    /// ```
    pub fn spawn<C>(start: impl FnOnce() -> io::Result<(C, Option<u32>)>) -> io::Result<(C, WatchedGroup)> {
        let (child, number) = group::start_watched(start)?;
        Ok((child, WatchedGroup(number)))
    }
}

impl Drop for WatchedGroup {
    fn drop(&mut self) {
        if let Some(number) = self.0 {
            group::forget_watched(number);
        }
    }
}

/// How patient a controller is with its engine, and how much it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessOptions {
    /// From `quit` and the end of input to SIGTERM.
    pub quit_grace: Duration,
    /// From SIGTERM to SIGKILL.
    pub term_grace: Duration,
    /// Lines of stderr kept, the last ones.
    pub stderr_lines: usize,
    /// Lines of transcript kept, the last ones.
    pub transcript_lines: usize,
}

impl Default for ProcessOptions {
    fn default() -> Self {
        ProcessOptions {
            quit_grace: Duration::from_secs(2),
            term_grace: Duration::from_secs(1),
            stderr_lines: 200,
            transcript_lines: 20_000,
        }
    }
}

/// Why an engine could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start \"{command}\": {error}{hint}")]
pub struct EngineStartError {
    command: String,
    error: std::io::Error,
    hint: &'static str,
}

impl EngineStartError {
    fn new(command: &EngineCommand, error: std::io::Error) -> EngineStartError {
        let hint = match error.kind() {
            std::io::ErrorKind::NotFound => "; is it installed, and in PATH?",
            std::io::ErrorKind::PermissionDenied => "; is the file executable?",
            _ => "",
        };
        EngineStartError { command: command.to_string(), error, hint }
    }
}

/// Why no line came from a running engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessError {
    /// The answer is late. The engine is not asked again.
    #[error("timeout after {limit:?}{}", said(stderr))]
    TimedOut {
        /// The limit.
        limit: Duration,
        /// The last lines of stderr.
        stderr: Vec<String>,
    },
    /// Somebody raised [`EngineProcess::stop_flag`]. An engine whose answers bear no number is not asked again.
    #[error("no answer before the stop")]
    Stopped,
    /// The process has ended.
    #[error("the engine ended by itself ({status}){}", said(stderr))]
    Ended {
        /// Exit code or signal, in words.
        status: String,
        /// The last lines of stderr.
        stderr: Vec<String>,
    },
    /// The process lives, but will never answer.
    #[error("the engine closed its output but still runs{}", said(stderr))]
    Closed {
        /// The last lines of stderr.
        stderr: Vec<String>,
    },
}

/// Time between two looks at the stop flag while an answer is awaited.
const LOOK: Duration = Duration::from_millis(50);

/// Lines of stderr that an error quotes.
const QUOTED_LINES: usize = 10;

fn said(stderr: &[String]) -> String {
    if stderr.is_empty() {
        return String::new();
    }
    let from = stderr.len().saturating_sub(QUOTED_LINES);
    format!("; its last words on stderr:\n  {}", stderr[from..].join("\n  "))
}

/// How an engine's process came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// It had ended before it was asked to, or ended at `quit` or at the end of its input.
    ByItself,
    /// It was ended by SIGTERM.
    Terminated,
    /// It was ended by SIGKILL.
    Killed,
}

/// A running engine.
///
/// ```
/// use ishi_arena::process::{ProcessEnd, EngineProcess, ProcessOptions};
/// let engine = r#"sh -c 'while read id name; do printf "=%s %s\n\n" "$id" "$name"; done'"#;
/// let mut client = EngineProcess::start_client(&engine.parse().unwrap(), ProcessOptions::default()).unwrap();
/// assert_eq!(client.send_command("version").unwrap(), "version");
/// let (_, end) = client.into_connection().stop();
/// assert_eq!(end, ProcessEnd::ByItself);
/// ```
#[derive(Debug)]
pub struct EngineProcess {
    command: EngineCommand,
    options: ProcessOptions,
    child: Child,
    group: ProcessGroup,
    /// To the thread that writes to stdin; dropping it closes stdin.
    stdin: Option<Sender<Vec<u8>>>,
    /// From the thread that reads stdout.
    stdout: Option<Receiver<String>>,
    stderr: PipeTail,
    transcript: LineRing,
    deadline: Option<(Instant, Duration)>,
    stop: StopFlag,
    /// It has not answered in time: no use in asking it to quit.
    hangs: bool,
    end: Option<(ExitStatus, ProcessEnd)>,
}

impl EngineProcess {
    /// Starts the command and gives a controller of it.
    ///
    /// # Errors
    /// If the program does not exist or may not be run.
    pub fn start_client(
        command: &EngineCommand,
        options: ProcessOptions,
    ) -> Result<GtpClient<EngineProcess>, EngineStartError> {
        Self::spawn(command, options).map(GtpClient::new)
    }

    /// Starts the command.
    ///
    /// # Errors
    /// If the program does not exist or may not be run, here or at all.
    pub fn spawn(
        command: &EngineCommand,
        options: ProcessOptions,
    ) -> Result<EngineProcess, EngineStartError> {
        let failed = |error| EngineStartError::new(command, error);
        permission::check_allowed(command).map_err(failed)?;
        let mut child = group::spawn_in_group(command).map_err(failed)?;
        let group = ProcessGroup::from_child(&child);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut engine = EngineProcess {
            command: command.clone(),
            options,
            child,
            group,
            stdin: None,
            stdout: None,
            stderr: PipeTail::new(options.stderr_lines),
            transcript: LineRing::new(options.transcript_lines),
            deadline: None,
            stop: StopFlag::default(),
            hangs: false,
            end: None,
        };
        // From here on a failure drops `engine`, which ends the process.
        engine.stdin = stdin.map(pump::start_writer).transpose().map_err(failed)?;
        engine.stdout = stdout.map(pump::start_line_reader).transpose().map_err(failed)?;
        if let Some(stderr) = stderr {
            engine.stderr.follow_pipe(stderr).map_err(failed)?;
        }
        Ok(engine)
    }

    /// Whoever raises this ends the wait for an answer, with [`ProcessError::Stopped`].
    pub fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    /// From now on it is this flag that ends the wait for an answer, such as one that Ctrl-C raises.
    pub fn share_stop_flag(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// From now on the engine may be silent for so long again: for one that gives many answers to one line.
    pub fn renew_deadline(&mut self, limit: Duration) {
        self.deadline = Some((Instant::now() + limit, limit));
    }

    /// What was started.
    pub fn command(&self) -> &EngineCommand {
        &self.command
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The last lines on stderr so far.
    pub fn stderr(&self) -> Vec<String> {
        self.stderr.lines()
    }

    /// The last lines in both directions: `> ` to the engine, `< ` from it, `! ` what happened to it.
    pub fn transcript(&self) -> Vec<String> {
        self.transcript.lines()
    }

    /// Ends the engine: `quit` and the end of input, then SIGTERM, then SIGKILL, to the whole process group. Says how
    /// it ended; afterwards neither it nor anything of its group runs, and it is reaped.
    pub fn stop(mut self) -> (ExitStatus, ProcessEnd) {
        self.end_and_reap(self.options.quit_grace, self.options.term_grace)
    }

    fn end_and_reap(&mut self, quit_grace: Duration, term_grace: Duration) -> (ExitStatus, ProcessEnd) {
        if let Some(end) = self.end {
            return end;
        }
        // The reader threads go on reading, so that the engine does not hang in a write.
        self.stdout = None;
        let end = self.end_without_reaping(quit_grace, term_grace);
        // What the engine has left behind in its group; the group's number is still ours, since nothing is reaped yet.
        self.group.kill();
        let status = self.group.reap_leader(&mut self.child);
        self.transcript.push(format!("! ended: {status}"));
        *self.end.insert((status, end))
    }

    /// Leads the process to its end, but does not reap it.
    fn end_without_reaping(&mut self, quit_grace: Duration, term_grace: Duration) -> ProcessEnd {
        if self.hangs {
            self.stdin = None;
        } else if let Some(stdin) = self.stdin.take() {
            self.transcript.push("> quit".to_string());
            // A failure means that the engine has closed its input: it will get the signals.
            let _ = stdin.send(b"quit\n".to_vec());
        }
        let grace = if self.hangs { Duration::ZERO } else { quit_grace };
        if self.ends_within(grace) {
            return ProcessEnd::ByItself;
        }
        self.group.terminate();
        if self.ends_within(term_grace) {
            return ProcessEnd::Terminated;
        }
        self.group.kill();
        ProcessEnd::Killed
    }

    /// Waits until the process has ended, without reaping it.
    fn ends_within(&mut self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        let mut pause = Duration::from_micros(200);
        loop {
            if self.group.leader_has_ended(&mut self.child) {
                return true;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Output has ended: finds out why.
    fn explain_lost_output(&mut self) -> ProcessError {
        const LAST_WORDS: Duration = Duration::from_millis(500);
        let ended = self.ends_within(LAST_WORDS);
        self.stderr.wait_for_end(LAST_WORDS);
        let stderr = self.stderr.lines();
        if !ended {
            self.hangs = true;
            return ProcessError::Closed { stderr };
        }
        let (status, _) = self.end_and_reap(Duration::ZERO, Duration::ZERO);
        ProcessError::Ended { status: status.to_string(), stderr }
    }
}

impl EngineConnection for EngineProcess {
    type Error = ProcessError;

    fn send_line(&mut self, line: &str, limit: Option<Duration>) -> Result<(), ProcessError> {
        self.transcript.push(format!("> {line}"));
        self.deadline = limit.map(|limit| (Instant::now() + limit, limit));
        match &self.stdin {
            Some(stdin) if stdin.send(format!("{line}\n").into_bytes()).is_ok() => Ok(()),
            _ => Err(self.explain_lost_output()),
        }
    }

    fn receive_line(&mut self) -> Result<Option<String>, ProcessError> {
        let Some(stdout) = &self.stdout else { return Err(self.explain_lost_output()) };
        loop {
            let left = self.deadline.map_or(LOOK, |(end, _)| end.saturating_duration_since(Instant::now()));
            match stdout.recv_timeout(left.min(LOOK)) {
                Ok(line) => {
                    self.transcript.push(format!("< {line}"));
                    return Ok(Some(line));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.explain_lost_output()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.stop.is_requested() {
                self.hangs = true;
                return Err(ProcessError::Stopped);
            }
            if let Some((end, limit)) = self.deadline
                && Instant::now() >= end
            {
                self.hangs = true;
                self.transcript.push(format!("! no answer within {limit:?}"));
                return Err(ProcessError::TimedOut { limit, stderr: self.stderr.lines() });
            }
        }
    }
}

impl Drop for EngineProcess {
    /// Whoever has no time for [`EngineProcess::stop`] leaves no process behind either.
    fn drop(&mut self) {
        self.end_and_reap(Duration::ZERO, Duration::from_millis(100));
    }
}
