//! The process group of an engine: started together, ended together.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::EngineCommand;
use super::watcher::GroupWatcher;

/// Starts the command as leader of a new group, with pipes for all three streams.
pub(super) fn spawn_in_group(command: &EngineCommand) -> io::Result<Child> {
    // Locked meanwhile, so that no engine starts unseen by `kill_running_groups`.
    let mut running = lock_running_groups();
    // Started before, so that it hears of the engine as soon as that is there.
    running.watcher.get_or_insert_with(GroupWatcher::start);
    let child = command.to_process().process_group(0).spawn()?;
    running.add_group(Pid::from_child(&child));
    Ok(child)
}

/// Starts a child that somebody else reaps, and gives what `start` gives. From then on its group is watched, if there is a number.
pub(super) fn start_watched<C>(
    start: impl FnOnce() -> io::Result<(C, Option<u32>)>,
) -> io::Result<(C, Option<u32>)> {
    // Locked meanwhile, and the watcher started before, so that it hears of the child as soon as that is there.
    let mut running = lock_running_groups();
    let watcher = running.watcher.get_or_insert_with(GroupWatcher::start);
    let (child, number) = start()?;
    if let Some(leader) = number.and_then(pid_of_number) {
        watcher.watch_group(leader);
    }
    Ok((child, number))
}

/// The group of a child of [`start_watched`] is not watched any more.
pub(super) fn forget_watched(number: u32) {
    let mut running = lock_running_groups();
    if let (Some(watcher), Some(leader)) = (&mut running.watcher, pid_of_number(number)) {
        watcher.forget_group(leader);
    }
}

fn pid_of_number(number: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(number).ok()?)
}

/// Groups that run, and who kills them if we are killed.
struct RunningGroups {
    /// Those that are not reaped yet.
    leaders: Vec<Pid>,
    /// Started with the first engine.
    watcher: Option<GroupWatcher>,
}

impl RunningGroups {
    fn add_group(&mut self, leader: Pid) {
        self.leaders.push(leader);
        if let Some(watcher) = &mut self.watcher {
            watcher.watch_group(leader);
        }
    }

    fn remove_group(&mut self, leader: Pid) {
        self.leaders.retain(|&other| other != leader);
        if let Some(watcher) = &mut self.watcher {
            watcher.forget_group(leader);
        }
    }
}

static RUNNING: Mutex<RunningGroups> = Mutex::new(RunningGroups { leaders: Vec::new(), watcher: None });

fn lock_running_groups() -> MutexGuard<'static, RunningGroups> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// SIGKILL to all groups that run, for a program that ends at once.
pub(super) fn kill_running_groups() {
    for &leader in &lock_running_groups().leaders {
        // An error means that no member is left.
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

/// A group whose leader is our child. Valid until the child is reaped: until then its number belongs to no one else.
#[derive(Debug)]
pub(super) struct ProcessGroup(Pid);

impl ProcessGroup {
    /// The group of a child of [`spawn_in_group`].
    pub(super) fn from_child(child: &Child) -> ProcessGroup {
        ProcessGroup(Pid::from_child(child))
    }

    /// SIGTERM to all members.
    pub(super) fn terminate(&self) {
        self.send_signal(Signal::TERM);
    }

    /// SIGKILL to all members.
    pub(super) fn kill(&self) {
        self.send_signal(Signal::KILL);
    }

    fn send_signal(&self, signal: Signal) {
        // An error means that no member is left that a signal could reach: that is what we want.
        let _ = kill_process_group(self.0, signal);
    }

    /// Reaps the leader, which has ended or is about to; the group's number may then belong to somebody else.
    pub(super) fn reap_leader(&self, child: &mut Child) -> ExitStatus {
        lock_running_groups().remove_group(self.0);
        child.wait().unwrap_or_default()
    }

    /// Has the leader ended? It is not reaped.
    pub(super) fn leader_has_ended(&self, _: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is no such child any more.
        waitid(WaitId::Pid(self.0), options).map_or(true, |status| status.is_some())
    }
}
