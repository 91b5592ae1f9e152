//! The conversation of a check with its engine, line by line: nothing is made easy for the engine.

use std::collections::BTreeSet;
use std::time::Duration;

use ishi_gtp::{EngineConnection, parse_answer_head};
use ishi_work::StopFlag;

use super::{CheckPlan, GtpExchange};
use crate::process::{EngineCommand, EngineProcess, EngineStartError, ProcessError, ProcessOptions};

/// Why a check did not pass.
#[derive(Debug)]
pub(super) enum CheckTrouble {
    /// The engine need not do this.
    Skipped(String),
    /// A wrong answer.
    Failed(String),
    /// The engine is gone.
    Crashed(String),
    /// The engine did not answer in time.
    TimedOut(String),
    /// Somebody raised the stop flag.
    Stopped,
}

/// The outcome of something said.
pub(super) type TalkResult<T = ()> = Result<T, CheckTrouble>;

/// An answer as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GtpReply {
    /// `=` and not `?`?
    pub(super) ok: bool,
    /// The id, as it was written.
    pub(super) id: Option<String>,
    /// What stands after it; lines joined by newlines.
    pub(super) text: String,
}

/// How many exchanges of a check are kept, the last ones.
const KEPT: usize = 200;

/// An engine, running or not, and what was said in this check.
pub(super) struct EngineTalk {
    command: EngineCommand,
    timeout: Duration,
    stop: StopFlag,
    engine: Option<EngineProcess>,
    listed: BTreeSet<String>,
    exchanges: Vec<GtpExchange>,
    /// Index of the first exchange without an answer.
    open: usize,
    /// Set-ups are not quoted.
    silent: bool,
    /// Lines that belong to no answer, of all checks so far.
    noise: Vec<String>,
    last_id: u32,
    /// The line that was sent last.
    last: String,
}

impl EngineTalk {
    /// Starts the engine for the first time.
    pub(super) fn start(plan: &CheckPlan) -> Result<EngineTalk, EngineStartError> {
        let mut talk = EngineTalk {
            command: plan.command.clone(),
            timeout: plan.timeout,
            stop: plan.stop.clone(),
            engine: None,
            listed: BTreeSet::new(),
            exchanges: Vec::new(),
            open: 0,
            silent: false,
            noise: Vec::new(),
            last_id: 0,
            last: String::new(),
        };
        talk.engine = Some(talk.spawn_engine()?);
        Ok(talk)
    }

    fn spawn_engine(&self) -> Result<EngineProcess, EngineStartError> {
        let engine = EngineProcess::spawn(&self.command, ProcessOptions::default())?;
        forward_stop_flag(self.stop.clone(), engine.stop_flag());
        Ok(engine)
    }

    /// A new check begins.
    pub(super) fn begin_check(&mut self) {
        self.exchanges.clear();
        self.open = 0;
        self.silent = false;
    }

    /// What was said in this check.
    pub(super) fn conversation(&self) -> Vec<GtpExchange> {
        self.exchanges[self.exchanges.len().saturating_sub(KEPT)..].to_vec()
    }

    /// What was said outside answers, in all checks.
    pub(super) fn noise(&self) -> &[String] {
        &self.noise
    }

    /// Ends the engine; the next command starts it afresh.
    pub(super) fn end_engine(&mut self) {
        self.engine = None;
    }

    /// Says `quit`, waits for the answer and the end, and tells how it ended.
    pub(super) fn quit_engine(&mut self) -> TalkResult<String> {
        let reply = self.ask("quit")?;
        if !reply.ok {
            return Err(CheckTrouble::Failed(format!("refused: {}", reply.text)));
        }
        let Some(engine) = self.engine.take() else { return Ok(String::new()) };
        let (status, end) = engine.stop();
        match (end, status.code()) {
            (crate::process::ProcessEnd::ByItself, Some(0)) => Ok("ended with exit code 0".to_string()),
            (crate::process::ProcessEnd::ByItself, _) => {
                Err(CheckTrouble::Failed(format!("ended with {status}")))
            }
            _ => Err(CheckTrouble::Failed("answered, but did not end".to_string())),
        }
    }

    /// The engine, started if it is not running.
    fn running_engine(&mut self) -> TalkResult<&mut EngineProcess> {
        if self.stop.is_requested() {
            return Err(CheckTrouble::Stopped);
        }
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.spawn_engine().map_err(|error| CheckTrouble::Crashed(error.to_string()))?,
        };
        Ok(self.engine.insert(engine))
    }

    /// Sends a line as it is.
    pub(super) fn send_line(&mut self, line: &str) -> TalkResult {
        if !self.silent {
            self.exchanges.push(GtpExchange { sent: shorten_line(line), answer: None });
        }
        self.last = line.to_string();
        let timeout = self.timeout;
        self.running_engine()?.send_line(line, Some(timeout)).map_err(|error| trouble_from_error(error, line))
    }

    /// Sends a line that wants no answer.
    pub(super) fn send_unanswered_line(&mut self, line: &str) -> TalkResult {
        self.send_line(line)?;
        if let Some(exchange) = self.exchanges.last_mut() {
            exchange.answer = Some(String::new());
        }
        Ok(())
    }

    /// The next answer.
    pub(super) fn read_reply(&mut self) -> TalkResult<GtpReply> {
        let (ok, id, mut text) = loop {
            let line = self.read_line()?;
            match parse_answer_head(&line) {
                Some((ok, id, text)) => break (ok, id.map(|id| id.to_string()), text.to_string()),
                None if line.trim().is_empty() => {}
                None => self.noise.push(shorten_line(&line)),
            }
        };
        loop {
            let line = self.read_line()?;
            if line.trim().is_empty() {
                break;
            }
            text.push('\n');
            text.push_str(&line);
        }
        let reply = GtpReply { ok, id, text: text.trim().to_string() };
        self.note_reply(&reply);
        Ok(reply)
    }

    /// Keeps an answer beside the first line that has none.
    fn note_reply(&mut self, reply: &GtpReply) {
        if self.silent {
            return;
        }
        let sign = if reply.ok { '=' } else { '?' };
        let answer = shorten_line(format!("{sign} {}", reply.text).trim_end());
        if let Some(exchange) = self.exchanges.iter_mut().find(|exchange| exchange.answer.is_none()) {
            exchange.answer = Some(answer);
        }
    }

    fn read_line(&mut self) -> TalkResult<String> {
        let what = self.exchanges.iter().find(|exchange| exchange.answer.is_none());
        let what = what.map_or_else(|| self.last.clone(), |exchange| exchange.sent.clone());
        match self.running_engine()?.receive_line() {
            Ok(Some(line)) => Ok(line),
            Ok(None) => {
                Err(CheckTrouble::Crashed(format!("the engine ended without an answer to \"{what}\"")))
            }
            Err(error) => Err(trouble_from_error(error, &what)),
        }
    }

    /// Sends a command with an id and gives its answer; answers with other ids are late ones and are passed over.
    pub(super) fn ask(&mut self, command: &str) -> TalkResult<GtpReply> {
        self.last_id += 1;
        let id = self.last_id.to_string();
        self.send_line(&format!("{id} {command}"))?;
        loop {
            let reply = self.read_reply()?;
            if reply.id.is_none() || reply.id.as_ref() == Some(&id) {
                return Ok(reply);
            }
            self.noise.push(format!("an answer to nothing: {}", shorten_line(&reply.text)));
        }
    }

    /// A command that must be done; gives what it answers.
    pub(super) fn require_done(&mut self, command: &str) -> TalkResult<String> {
        let reply = self.ask(command)?;
        if reply.ok {
            return Ok(reply.text);
        }
        Err(CheckTrouble::Failed(format!("\"{command}\" was refused: {}", shorten_line(&reply.text))))
    }

    /// A command that must be refused.
    pub(super) fn require_refusal(&mut self, command: &str) -> TalkResult {
        let reply = self.ask(command)?;
        if reply.ok {
            return Err(CheckTrouble::Failed(format!(
                "\"{command}\" was accepted: {:?}",
                shorten_line(&reply.text)
            )));
        }
        Ok(())
    }

    /// A command that must be done, as one of many that are not worth quoting.
    pub(super) fn require_done_silently(&mut self, command: &str) -> TalkResult<String> {
        self.silent = true;
        let answer = self.require_done(command);
        if answer.is_err() {
            let answer = None;
            self.exchanges.push(GtpExchange { sent: command.to_string(), answer });
        }
        self.silent = false;
        answer
    }

    /// A remark in the conversation.
    pub(super) fn add_remark(&mut self, text: String) {
        self.exchanges.push(GtpExchange { sent: text, answer: Some(String::new()) });
    }

    /// Does the engine list this command? Asked of every engine once.
    pub(super) fn lists_command(&mut self, command: &str) -> TalkResult<bool> {
        if self.listed.is_empty() {
            let list = self.require_done("list_commands")?;
            self.listed = list.split_whitespace().map(str::to_string).collect();
        }
        Ok(self.listed.contains(command))
    }

    /// Skips the check if the engine does not list this command.
    pub(super) fn require_command(&mut self, command: &str) -> TalkResult {
        if self.lists_command(command)? {
            return Ok(());
        }
        Err(CheckTrouble::Skipped(format!("{command} is not listed")))
    }
}

impl Drop for EngineTalk {
    /// An engine that behaves is asked to quit.
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.stop();
        }
    }
}

/// Raises `flag` when `stop` is raised, as long as the engine has the other end of it.
fn forward_stop_flag(stop: StopFlag, flag: StopFlag) {
    const LOOK: Duration = Duration::from_millis(50);
    // A thread for each engine is what a stop from outside takes; it ends with the engine.
    #[allow(clippy::disallowed_methods)]
    std::thread::spawn(move || {
        while flag.is_held_elsewhere() {
            if stop.is_requested() {
                flag.request();
                return;
            }
            std::thread::sleep(LOOK);
        }
    });
}

fn trouble_from_error(error: ProcessError, line: &str) -> CheckTrouble {
    let line = shorten_line(line);
    match error {
        ProcessError::TimedOut { limit, .. } => {
            CheckTrouble::TimedOut(format!("no answer to \"{line}\" within {} s", limit.as_secs_f64()))
        }
        ProcessError::Stopped => CheckTrouble::Stopped,
        ProcessError::Ended { status, stderr } => CheckTrouble::Crashed(format!(
            "at \"{line}\": the engine ended by itself ({status}){}",
            stderr_reason(&stderr)
        )),
        ProcessError::Closed { stderr } => CheckTrouble::Crashed(format!(
            "at \"{line}\": the engine closed its output{}",
            stderr_reason(&stderr)
        )),
    }
}

/// What engines say on stderr when they give up.
const LAST_WORDS: [&str; 5] = ["assert", "panic", "terminate called", "fatal", "error"];

/// The line of stderr that tells why, with what follows if it ends in a colon, or the last one: some engines print a
/// whole board after it.
fn stderr_reason(stderr: &[String]) -> String {
    let tells = |line: &String| LAST_WORDS.iter().any(|word| line.to_lowercase().contains(word));
    let said: Vec<&str> = stderr.iter().map(|line| line.trim()).collect();
    let text = match stderr.iter().rposition(tells) {
        Some(at) if said[at].ends_with(':') && at + 1 < said.len() => said[at..at + 2].join(" "),
        Some(at) => said[at].to_string(),
        None => {
            said.iter().rev().find(|line| !line.is_empty()).map(|line| line.to_string()).unwrap_or_default()
        }
    };
    if text.is_empty() { text } else { format!("; on stderr: {}", shorten_line(&text)) }
}

/// Characters of a line that are quoted.
const QUOTED: usize = 300;

/// The beginning of a long line; boards and the like are quoted as a whole, if they are not endless.
fn shorten_line(line: &str) -> String {
    let most = if line.contains('\n') { 10 * QUOTED } else { QUOTED };
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_string(),
    }
}
