//! The conversation of a check with its engine, line by line: nothing is made easy for the engine.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ishi_gtp::{Connection, parse_answer_head};

use super::{CheckPlan, Exchange};
use crate::process::{EngineCommand, EngineProcess, ProcessError, ProcessOptions, StartError};

/// Why a check did not pass.
#[derive(Debug)]
pub(super) enum Trouble {
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
pub(super) type Said<T = ()> = Result<T, Trouble>;

/// An answer as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    /// `=` and not `?`?
    pub(super) ok: bool,
    /// The id, as it was written.
    pub(super) id: Option<String>,
    /// What stands after it; lines joined by newlines.
    pub(super) text: String,
}

/// So many exchanges of a check are kept, the last ones.
const KEPT: usize = 200;

/// An engine, running or not, and what was said in this check.
pub(super) struct Talk {
    command: EngineCommand,
    timeout: Duration,
    stop: Arc<AtomicBool>,
    engine: Option<EngineProcess>,
    listed: BTreeSet<String>,
    exchanges: Vec<Exchange>,
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

impl Talk {
    /// Starts the engine for the first time.
    pub(super) fn start(plan: &CheckPlan) -> Result<Talk, StartError> {
        let mut talk = Talk {
            command: plan.command.clone(),
            timeout: plan.timeout,
            stop: Arc::clone(&plan.stop),
            engine: None,
            listed: BTreeSet::new(),
            exchanges: Vec::new(),
            open: 0,
            silent: false,
            noise: Vec::new(),
            last_id: 0,
            last: String::new(),
        };
        talk.engine = Some(talk.spawn()?);
        Ok(talk)
    }

    fn spawn(&self) -> Result<EngineProcess, StartError> {
        let engine = EngineProcess::spawn(&self.command, ProcessOptions::default())?;
        forward(Arc::clone(&self.stop), engine.stop_flag());
        Ok(engine)
    }

    /// A new check begins.
    pub(super) fn begin(&mut self) {
        self.exchanges.clear();
        self.open = 0;
        self.silent = false;
    }

    /// What was said in this check.
    pub(super) fn conversation(&self) -> Vec<Exchange> {
        self.exchanges[self.exchanges.len().saturating_sub(KEPT)..].to_vec()
    }

    /// What was said outside answers, in all checks.
    pub(super) fn noise(&self) -> &[String] {
        &self.noise
    }

    /// Ends the engine; the next command starts it afresh.
    pub(super) fn end(&mut self) {
        self.engine = None;
    }

    /// Says `quit`, waits for the answer and the end, and tells how it ended.
    pub(super) fn quit(&mut self) -> Said<String> {
        let reply = self.ask("quit")?;
        if !reply.ok {
            return Err(Trouble::Failed(format!("refused: {}", reply.text)));
        }
        let Some(engine) = self.engine.take() else { return Ok(String::new()) };
        let (status, end) = engine.stop();
        match (end, status.code()) {
            (crate::process::End::ByItself, Some(0)) => Ok("ended with exit code 0".to_string()),
            (crate::process::End::ByItself, _) => Err(Trouble::Failed(format!("ended with {status}"))),
            _ => Err(Trouble::Failed("answered, but did not end".to_string())),
        }
    }

    /// The engine, started if it is not running.
    fn engine(&mut self) -> Said<&mut EngineProcess> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Trouble::Stopped);
        }
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.spawn().map_err(|error| Trouble::Crashed(error.to_string()))?,
        };
        Ok(self.engine.insert(engine))
    }

    /// Sends a line as it is.
    pub(super) fn say(&mut self, line: &str) -> Said {
        if !self.silent {
            self.exchanges.push(Exchange { sent: shortened(line), answer: None });
        }
        self.last = line.to_string();
        let timeout = self.timeout;
        self.engine()?.send(line, Some(timeout)).map_err(|error| lost(error, line))
    }

    /// Sends a line that wants no answer.
    pub(super) fn say_unanswered(&mut self, line: &str) -> Said {
        self.say(line)?;
        if let Some(exchange) = self.exchanges.last_mut() {
            exchange.answer = Some(String::new());
        }
        Ok(())
    }

    /// The next answer.
    pub(super) fn hear(&mut self) -> Said<Reply> {
        let (ok, id, mut text) = loop {
            let line = self.line()?;
            match parse_answer_head(&line) {
                Some((ok, id, text)) => break (ok, id.map(|id| id.to_string()), text.to_string()),
                None if line.trim().is_empty() => {}
                None => self.noise.push(shortened(&line)),
            }
        };
        loop {
            let line = self.line()?;
            if line.trim().is_empty() {
                break;
            }
            text.push('\n');
            text.push_str(&line);
        }
        let reply = Reply { ok, id, text: text.trim().to_string() };
        self.note(&reply);
        Ok(reply)
    }

    /// Keeps an answer beside the first line that has none.
    fn note(&mut self, reply: &Reply) {
        if self.silent {
            return;
        }
        let sign = if reply.ok { '=' } else { '?' };
        let answer = shortened(format!("{sign} {}", reply.text).trim_end());
        if let Some(exchange) = self.exchanges.iter_mut().find(|exchange| exchange.answer.is_none()) {
            exchange.answer = Some(answer);
        }
    }

    fn line(&mut self) -> Said<String> {
        let what = self.exchanges.iter().find(|exchange| exchange.answer.is_none());
        let what = what.map_or_else(|| self.last.clone(), |exchange| exchange.sent.clone());
        match self.engine()?.receive() {
            Ok(Some(line)) => Ok(line),
            Ok(None) => Err(Trouble::Crashed(format!("the engine ended without an answer to \"{what}\""))),
            Err(error) => Err(lost(error, &what)),
        }
    }

    /// Sends a command with an id and gives its answer; answers with other ids are late ones and are passed over.
    pub(super) fn ask(&mut self, command: &str) -> Said<Reply> {
        self.last_id += 1;
        let id = self.last_id.to_string();
        self.say(&format!("{id} {command}"))?;
        loop {
            let reply = self.hear()?;
            if reply.id.is_none() || reply.id.as_ref() == Some(&id) {
                return Ok(reply);
            }
            self.noise.push(format!("an answer to nothing: {}", shortened(&reply.text)));
        }
    }

    /// A command that must be done; gives what it answers.
    pub(super) fn done(&mut self, command: &str) -> Said<String> {
        let reply = self.ask(command)?;
        if reply.ok {
            return Ok(reply.text);
        }
        Err(Trouble::Failed(format!("\"{command}\" was refused: {}", shortened(&reply.text))))
    }

    /// A command that must be refused.
    pub(super) fn refused(&mut self, command: &str) -> Said {
        let reply = self.ask(command)?;
        if reply.ok {
            return Err(Trouble::Failed(format!("\"{command}\" was accepted: {:?}", shortened(&reply.text))));
        }
        Ok(())
    }

    /// A command that must be done, as one of many that are not worth quoting.
    pub(super) fn done_silently(&mut self, command: &str) -> Said<String> {
        self.silent = true;
        let answer = self.done(command);
        if answer.is_err() {
            let answer = None;
            self.exchanges.push(Exchange { sent: command.to_string(), answer });
        }
        self.silent = false;
        answer
    }

    /// A remark in the conversation.
    pub(super) fn remark(&mut self, text: String) {
        self.exchanges.push(Exchange { sent: text, answer: Some(String::new()) });
    }

    /// Does the engine list this command? Asked of every engine once.
    pub(super) fn lists(&mut self, command: &str) -> Said<bool> {
        if self.listed.is_empty() {
            let list = self.done("list_commands")?;
            self.listed = list.split_whitespace().map(str::to_string).collect();
        }
        Ok(self.listed.contains(command))
    }

    /// Skips the check if the engine does not list this command.
    pub(super) fn needs(&mut self, command: &str) -> Said {
        if self.lists(command)? {
            return Ok(());
        }
        Err(Trouble::Skipped(format!("{command} is not listed")))
    }
}

impl Drop for Talk {
    /// An engine that behaves is asked to quit.
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.stop();
        }
    }
}

/// Raises `flag` when `stop` is raised, as long as the engine has the other end of it.
fn forward(stop: Arc<AtomicBool>, flag: Arc<AtomicBool>) {
    const LOOK: Duration = Duration::from_millis(50);
    // A thread for each engine is what a stop from outside takes; it ends with the engine.
    #[allow(clippy::disallowed_methods)]
    std::thread::spawn(move || {
        while Arc::strong_count(&flag) > 1 {
            if stop.load(Ordering::Relaxed) {
                flag.store(true, Ordering::Relaxed);
                return;
            }
            std::thread::sleep(LOOK);
        }
    });
}

fn lost(error: ProcessError, line: &str) -> Trouble {
    let line = shortened(line);
    match error {
        ProcessError::TimedOut { limit, .. } => {
            Trouble::TimedOut(format!("no answer to \"{line}\" within {} s", limit.as_secs_f64()))
        }
        ProcessError::Stopped => Trouble::Stopped,
        ProcessError::Ended { status, stderr } => Trouble::Crashed(format!(
            "at \"{line}\": the engine ended by itself ({status}){}",
            reason(&stderr)
        )),
        ProcessError::Closed { stderr } => {
            Trouble::Crashed(format!("at \"{line}\": the engine closed its output{}", reason(&stderr)))
        }
    }
}

/// What engines say on stderr when they give up.
const LAST_WORDS: [&str; 5] = ["assert", "panic", "terminate called", "fatal", "error"];

/// The line of stderr that tells why, with what follows if it ends in a colon, or the last one: some engines print a
/// whole board after it.
fn reason(stderr: &[String]) -> String {
    let tells = |line: &String| LAST_WORDS.iter().any(|word| line.to_lowercase().contains(word));
    let said: Vec<&str> = stderr.iter().map(|line| line.trim()).collect();
    let text = match stderr.iter().rposition(tells) {
        Some(at) if said[at].ends_with(':') && at + 1 < said.len() => said[at..at + 2].join(" "),
        Some(at) => said[at].to_string(),
        None => {
            said.iter().rev().find(|line| !line.is_empty()).map(|line| line.to_string()).unwrap_or_default()
        }
    };
    if text.is_empty() { text } else { format!("; on stderr: {}", shortened(&text)) }
}

/// Characters of a line that are quoted.
const QUOTED: usize = 300;

/// The beginning of a long line; boards and the like are quoted as a whole, if they are not endless.
fn shortened(line: &str) -> String {
    let most = if line.contains('\n') { 10 * QUOTED } else { QUOTED };
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_string(),
    }
}
