//! Where a system has no process groups (Windows): an engine with all that it has started.
//!
//! Windows' own `taskkill` ends a process and those below it. What an engine has started stays where the engine itself has ended before, and if ishi
//! is killed: then engines see the end of their input, and no more.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::EngineCommand;

/// The engines that run and are not reaped yet, by their numbers.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn lock_running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the command, with pipes for all three streams.
pub(super) fn spawn_in_group(command: &EngineCommand) -> io::Result<Child> {
    // Locked meanwhile, so that no engine starts unseen by `kill_running_groups`.
    let mut running = lock_running();
    let child = command.to_process().spawn()?;
    running.push(child.id());
    Ok(child)
}

/// Starts a child that somebody else reaps. Nobody watches it here.
pub(super) fn start_watched<C>(
    start: impl FnOnce() -> io::Result<(C, Option<u32>)>,
) -> io::Result<(C, Option<u32>)> {
    start()
}

/// Nobody watches a child of [`start_watched`].
pub(super) fn forget_watched(_: u32) {}

/// Ends all engines that run, for a program that ends at once.
pub(super) fn kill_running_groups() {
    for &engine in lock_running().iter() {
        kill_tree(engine);
    }
}

fn kill_tree(process: u32) {
    let mut command = Command::new("taskkill");
    command.args(["/F", "/T", "/PID"]).arg(process.to_string());
    // It fails if the process has ended: that is what we want.
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// An engine and what it has started. Valid until the child is reaped: until then its number belongs to no one else.
#[derive(Debug)]
pub(super) struct ProcessGroup(u32);

impl ProcessGroup {
    /// The group of a child of [`spawn_in_group`].
    pub(super) fn from_child(child: &Child) -> ProcessGroup {
        ProcessGroup(child.id())
    }

    /// There is no polite signal: the end of its input has told the engine already.
    pub(super) fn terminate(&self) {}

    /// Ends the engine with all that it has started.
    pub(super) fn kill(&self) {
        kill_tree(self.0);
    }

    /// Reaps the engine, which has ended or is about to.
    pub(super) fn reap_leader(&self, child: &mut Child) -> ExitStatus {
        lock_running().retain(|&other| other != self.0);
        // Where there is no `taskkill`, the engine alone is ended.
        let _ = child.kill();
        child.wait().unwrap_or_default()
    }

    /// Has the engine ended?
    pub(super) fn leader_has_ended(&self, child: &mut Child) -> bool {
        // An error means that there is no such child any more.
        child.try_wait().map_or(true, |status| status.is_some())
    }
}
