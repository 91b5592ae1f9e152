//! Who kills the groups of engines when we cannot: a shell that outlives us.
//!
//! Most engines end when their input does, but one that does not read would run on for ever after a SIGKILL of ishi. The system signals a
//! child at the end of its parent only if the child asks for it between fork and exec (`PR_SET_PDEATHSIG`). That takes `unsafe`
//! code in Rust, is told of the end of a thread, too, and reaches the leader of a group only. So a shell in a group of its own hears over a pipe
//! which groups run. However we end, the system then closes our end of the pipe, and the shell kills what still runs.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};

use rustix::process::Pid;

/// Reads lines `+ GROUP` and `- GROUP` up to their end, and kills the groups that are left.
const SCRIPT: &str = r#"
trap "" HUP INT TERM
groups=
while read -r sign group; do
    rest=
    for known in $groups; do
        [ "$known" = "$group" ] || rest="$rest $known"
    done
    [ "$sign" = - ] || rest="$rest $group"
    groups=$rest
done
for group in $groups; do
    kill -9 "-$group"
done
"#;

/// Our end of the pipe; none where there is no shell, and then engines only see the end of their input.
#[derive(Debug)]
pub(super) struct GroupWatcher(Option<ChildStdin>);

impl GroupWatcher {
    /// Starts the shell.
    pub(super) fn start() -> GroupWatcher {
        let started = Command::new("/bin/sh")
            .args(["-c", SCRIPT])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        GroupWatcher(started.ok().and_then(|mut shell| shell.stdin.take()))
    }

    /// The group of this leader runs from now on.
    pub(super) fn watch_group(&mut self, leader: Pid) {
        self.send_line('+', leader);
    }

    /// The leader is about to be reaped: its number may soon belong to somebody else.
    pub(super) fn forget_group(&mut self, leader: Pid) {
        self.send_line('-', leader);
    }

    fn send_line(&mut self, sign: char, leader: Pid) {
        if let Some(pipe) = &mut self.0 {
            // It fails if somebody has killed the shell: then there is none.
            let _ = pipe.write_all(format!("{sign} {}\n", leader.as_raw_nonzero()).as_bytes());
        }
    }
}
