//! Is a program a sound GTP engine? Known answers, and boards that are hard on programs.
//!
//! [`check_engine()`] puts an engine through checks of the protocol and through [`BoardTrial`]s, and reports a [`CheckFinding`]
//! for each: what was sent, what was answered, and whether it passed, failed, crashed the engine or took too long. The
//! engine is started afresh after a crash, a timeout or a failure, so that one fault is not counted twice.
//!
//! What is asked of an engine is the Specification of the Go Text Protocol, version 2, draft 2 (G. Farnebäck, 2002);
//! where that leaves a choice, both are accepted. Commands that the specification does not require are tried only if
//! `list_commands` has them.

mod boards;
mod protocol;
mod talk;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use ishi_go::{BoardSize, Color, Move, Point};
use ishi_work::StopFlag;
use serde::{Serialize, Serializer};

use crate::process::{EngineCommand, EngineStartError};
use crate::stopwatch::Stopwatch;
use talk::{CheckTrouble, EngineTalk};

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckOutcome {
    /// The engine answers as it should.
    Passed,
    /// The engine cannot do this and need not: an optional command, a size of board that it refused.
    Skipped,
    /// Answered wrongly.
    Failed,
    /// The engine ended, or closed its output.
    Crashed,
    /// No answer in time.
    #[serde(rename = "timed out")]
    TimedOut,
}

impl CheckOutcome {
    /// Is it a fault of the engine?
    pub fn is_fault(self) -> bool {
        self >= CheckOutcome::Failed
    }
}

impl fmt::Display for CheckOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CheckOutcome::Passed => "passed",
            CheckOutcome::Skipped => "skipped",
            CheckOutcome::Failed => "failed",
            CheckOutcome::Crashed => "crashed",
            CheckOutcome::TimedOut => "timed out",
        })
    }
}

/// A line that was sent, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GtpExchange {
    /// The line that was sent, without its newline.
    pub sent: String,
    /// `= ...` or `? ...` without id and closing blank line; `None` if there was none.
    pub answer: Option<String>,
}

/// What was found by one check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckFinding {
    /// `protocol` or `board`.
    pub part: &'static str,
    /// Name of the check, or of the board.
    pub check: String,
    /// What came of it.
    pub outcome: CheckOutcome,
    /// Why it did not pass; or a remark.
    pub note: String,
    /// Seconds it took.
    #[serde(serialize_with = "serialize_milliseconds")]
    pub seconds: f64,
    /// The conversation. Long set-ups are not quoted move by move.
    #[serde(rename = "conversation")]
    pub exchanges: Vec<GtpExchange>,
}

/// Seconds to the nearest thousandth.
fn serialize_milliseconds<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1000.0).round() / 1000.0)
}

/// A board for an engine to load and to play on.
#[derive(Clone, Debug)]
pub struct BoardTrial {
    /// Its name.
    pub name: String,
    /// Size of the board.
    pub size: BoardSize,
    /// The set-up.
    pub stones: Vec<(Color, Point)>,
    /// Who is to play after the set-up.
    pub to_play: Color,
    /// Moves after the set-up, legal with the simple ko.
    pub moves: Vec<(Color, Move)>,
    /// The same as a file, for engines that list `loadsgf`.
    pub record: Option<PathBuf>,
}

/// What is to be checked, and how.
#[derive(Clone, Debug)]
pub struct CheckPlan {
    /// The engine.
    pub command: EngineCommand,
    /// Every answer is wanted within this time.
    pub timeout: Duration,
    /// Check the protocol?
    pub protocol: bool,
    /// Only checks of the protocol whose names contain one of these; all if there are none.
    pub checks: Vec<String>,
    /// The boards.
    pub trials: Vec<BoardTrial>,
    /// Raised by somebody else to end everything.
    pub stop: StopFlag,
}

/// The names of the checks of the protocol, in their order.
#[must_use]
pub fn protocol_check_names() -> Vec<&'static str> {
    protocol::CHECKS.iter().chain(protocol::LAST).map(|(name, _)| *name).collect()
}

/// Runs the checks and tells `found` of each as it is done. Returns early, with what it has, if `stop` is raised.
///
/// # Errors
/// If the program does not exist or may not be run.
pub fn check_engine(
    plan: &CheckPlan,
    found: &mut dyn FnMut(&CheckFinding),
) -> Result<Vec<CheckFinding>, EngineStartError> {
    let mut talk = EngineTalk::start(plan)?;
    let mut findings = Vec::new();
    let wanted = |name: &str| {
        plan.protocol && (plan.checks.is_empty() || plan.checks.iter().any(|part| name.contains(part)))
    };
    for &(name, work) in protocol::CHECKS {
        if wanted(name) && !run_check(&mut talk, ("protocol", name), work, &mut findings, found) {
            return Ok(findings);
        }
    }
    for trial in &plan.trials {
        let work = |talk: &mut EngineTalk| boards::play_trial(talk, trial);
        if !run_check(&mut talk, ("board", &trial.name), work, &mut findings, found) {
            return Ok(findings);
        }
    }
    for &(name, work) in protocol::LAST {
        if wanted(name) && !run_check(&mut talk, ("protocol", name), work, &mut findings, found) {
            return Ok(findings);
        }
    }
    Ok(findings)
}

/// Runs one check; `false` if everything is to end.
fn run_check(
    talk: &mut EngineTalk,
    (part, name): (&'static str, &str),
    work: impl FnOnce(&mut EngineTalk) -> Result<String, CheckTrouble>,
    findings: &mut Vec<CheckFinding>,
    found: &mut dyn FnMut(&CheckFinding),
) -> bool {
    let watch = Stopwatch::start();
    talk.begin_check();
    let (outcome, note) = match work(talk) {
        Ok(note) => (CheckOutcome::Passed, note),
        Err(CheckTrouble::Skipped(note)) => (CheckOutcome::Skipped, note),
        Err(CheckTrouble::Failed(note)) => (CheckOutcome::Failed, note),
        Err(CheckTrouble::Crashed(note)) => (CheckOutcome::Crashed, note),
        Err(CheckTrouble::TimedOut(note)) => (CheckOutcome::TimedOut, note),
        Err(CheckTrouble::Stopped) => return false,
    };
    if outcome.is_fault() {
        talk.end_engine();
    }
    let finding = CheckFinding {
        part,
        check: name.to_string(),
        outcome,
        note,
        exchanges: talk.conversation(),
        seconds: watch.wall_seconds(),
    };
    found(&finding);
    findings.push(finding);
    true
}
