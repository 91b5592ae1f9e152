//! What is done to a process, and how it may end after that.

use crate::support::program::has_ctrl_c_in;
use crate::support::wrong_clock::{JumpingClock, WrongClock};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::RangeInclusive;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use ishi_lab::store::Store;
use ishi_rng::Rng;
use rustix::process::{Pid, Signal, kill_process};

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

/// Milliseconds for which a process is frozen at most.
const LONGEST_FREEZE: u32 = 120;

/// Seconds by which the clock of files jumps at most: ten years.
const LONGEST_CLOCK_JUMP: f64 = 10.0 * 365.25 * 86_400.0;

/// A program that runs sees a jump that is so many times shorter: mostly days, at most a month.
const RUNNING_JUMP_PART: i64 = 120;

/// What has not ended by then never will.
const LONGEST_RUN: Duration = Duration::from_secs(120);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BlowKind {
    /// SIGKILL: no time for last words.
    Kill,
    /// Ctrl-C.
    Interrupt,
    /// SIGSTOP, and SIGCONT after a while.
    Freeze,
    /// No file may become larger than some size.
    FullDisk,
    /// Nobody reads the output any more; a client of a server goes away in the middle of a request.
    HangUp,
    /// The time of day jumps while it runs. When it is started again its files are from the future, or from long ago. Where a clock cannot be put
    /// before that of the system, it is killed instead of the jump.
    ClockJump,
}

impl BlowKind {
    pub(super) const ALL: [BlowKind; 6] = [
        BlowKind::Kill,
        BlowKind::Interrupt,
        BlowKind::Freeze,
        BlowKind::FullDisk,
        BlowKind::HangUp,
        BlowKind::ClockJump,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            BlowKind::Kill => "killed",
            BlowKind::Interrupt => "interrupted",
            BlowKind::Freeze => "frozen",
            BlowKind::FullDisk => "full disk",
            BlowKind::HangUp => "cut off",
            BlowKind::ClockJump => "clock jump",
        }
    }
}

pub(super) struct Blow {
    pub(super) kind: BlowKind,
    /// From the start of the process.
    moment: Duration,
    frozen_for: Duration,
    /// The size of the disk, in blocks of 512 bytes.
    blocks: u32,
    /// Ctrl-C besides a full disk: what is kept at the end does not fit, either.
    with_interrupt: bool,
    /// The part of all requests before the one that is cut off, in thousandths.
    requests_before: u32,
    /// The part of that request that is sent, in thousandths.
    sent: u32,
    /// How far the clock of its files jumps, in seconds, ahead or back.
    clock_jump: i64,
    /// What a program that runs can be shown another time by.
    clock: Option<Arc<WrongClock>>,
}

impl Blow {
    /// All is drawn for every sort, so that what follows does not depend on the sort.
    pub(super) fn draw(
        kind: BlowKind,
        time: Duration,
        disks: &RangeInclusive<u32>,
        clock: Option<&Arc<WrongClock>>,
        rng: &mut Rng,
    ) -> Blow {
        Blow {
            kind,
            moment: time.mul_f64(rng.next_unit()),
            frozen_for: Duration::from_millis(u64::from(1 + rng.next_below(LONGEST_FREEZE))),
            blocks: disks.start() + rng.next_below(disks.end() - disks.start() + 1),
            with_interrupt: rng.chance(0.5),
            requests_before: rng.next_below(1000),
            // Often the whole: then the work is done, and nobody hears of it.
            sent: rng.next_below(1500).min(1000),
            clock_jump: (LONGEST_CLOCK_JUMP * (2.0 * rng.next_unit() - 1.0)) as i64,
            clock: clock.cloned(),
        }
    }

    /// Does the clock jump while the program runs?
    fn sets_clock(&self) -> bool {
        self.kind == BlowKind::ClockJump && self.clock.is_some()
    }

    /// How far it jumps then, in seconds.
    fn running_jump(&self) -> i64 {
        self.clock_jump / RUNNING_JUMP_PART
    }

    /// The clock for the program, if it is to jump.
    fn wind_clock(&self) -> Option<JumpingClock> {
        self.clock.as_ref().filter(|_| self.sets_clock()).map(|clock| clock.begin_jumping())
    }

    /// Is the program killed?
    fn kills(&self) -> bool {
        self.kind == BlowKind::Kill || self.kind == BlowKind::ClockJump && !self.sets_clock()
    }

    fn interrupts(&self) -> bool {
        self.kind == BlowKind::Interrupt || self.kind == BlowKind::FullDisk && self.with_interrupt
    }

    /// May the program end before its work is done?
    pub(super) fn may_break_off(&self) -> bool {
        !matches!(self.kind, BlowKind::Freeze | BlowKind::HangUp) && !self.sets_clock()
    }

    /// May a server that still answers fail to do what it is asked?
    pub(super) fn may_refuse(&self) -> bool {
        matches!(self.kind, BlowKind::Interrupt | BlowKind::FullDisk)
    }

    /// Is the disk full, and nothing else wrong? Then what is refused is not done.
    pub(super) fn is_full_disk_only(&self) -> bool {
        self.kind == BlowKind::FullDisk && !self.with_interrupt
    }

    /// Which request, of so many, is cut off.
    pub(super) fn cut_request(&self, requests: usize) -> Option<usize> {
        (self.kind == BlowKind::HangUp).then_some(self.requests_before as usize * requests / 1000)
    }

    /// How many bytes of a request that is cut off are sent.
    pub(super) fn bytes_sent(&self, length: usize) -> usize {
        length * self.sent as usize / 1000
    }

    /// Does to the process what is done by signals, or sets the clock that it sees. It must not have been waited for, so that the number is still
    /// its own.
    fn strike(&self, pid: Pid, clock: Option<&JumpingClock>) {
        if let Some(clock) = clock {
            std::thread::sleep(self.moment);
            clock.set(self.running_jump());
            return;
        }
        let signal = match self.kind {
            _ if self.kills() => Signal::KILL,
            BlowKind::Freeze => Signal::STOP,
            _ if self.interrupts() => Signal::INT,
            _ => return,
        };
        std::thread::sleep(self.moment);
        if signal == Signal::INT {
            wait_until_it_hears(pid);
        }
        send(pid, signal);
        if self.kind == BlowKind::Freeze {
            std::thread::sleep(self.frozen_for);
            send(pid, Signal::CONT);
        }
    }

    /// Does to the files of a process that has ended what is done to the clock.
    fn date_files(&self, folder: &Path) {
        if self.kind == BlowKind::ClockJump {
            redate_files(folder, self.clock_jump);
        }
    }

    /// Exit codes as documented. A Ctrl-C before the program listens to it ends it by the signal itself.
    fn allows(&self, status: ExitStatus) -> bool {
        let by_kind = match self.kind {
            _ if self.kills() => status.signal() == Some(Signal::KILL.as_raw()),
            BlowKind::FullDisk => status.code() == Some(4),
            _ => false,
        };
        let by_interrupt = status.code() == Some(130) || status.signal() == Some(Signal::INT.as_raw());
        status.success() || by_kind || self.interrupts() && by_interrupt
    }
}

impl fmt::Display for Blow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = self.moment.as_millis();
        match self.kind {
            BlowKind::Kill | BlowKind::Interrupt => write!(f, "{} after {after} ms", self.kind.name()),
            BlowKind::ClockJump => {
                if self.sets_clock() {
                    write!(f, "the clock {:+} s after {after} ms", self.running_jump())?;
                } else {
                    write!(f, "killed after {after} ms")?;
                }
                write!(f, ", then its files {:+} s", self.clock_jump)
            }
            BlowKind::Freeze => write!(f, "frozen after {after} ms for {} ms", self.frozen_for.as_millis()),
            BlowKind::FullDisk => {
                write!(f, "full disk of {} blocks", self.blocks)?;
                if self.with_interrupt { write!(f, ", interrupted after {after} ms") } else { Ok(()) }
            }
            BlowKind::HangUp => write!(
                f,
                "cut off (a command after {after} ms; a server after {} thousandths of the requests, {} thousandths into the next)",
                self.requests_before, self.sent
            ),
        }
    }
}

/// Dates all files of a folder as if they had been written by another clock.
fn redate_files(folder: &Path, seconds: i64) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            redate_files(&path, seconds);
        } else {
            let span = Duration::from_secs(seconds.unsigned_abs());
            let now = SystemTime::now();
            let date = if seconds < 0 { now - span } else { now + span };
            File::options().append(true).open(&path).and_then(|file| file.set_modified(date)).unwrap();
        }
    }
}

fn send(pid: Pid, signal: Signal) {
    kill_process(pid, signal).expect("a process that is not waited for takes signals");
}

/// A shell starts what it runs in the background deaf to Ctrl-C, which the programs of this test inherit. Until they listen to it
/// themselves, it would be lost for good.
fn wait_until_it_hears(pid: Pid) {
    let path = format!("/proc/{}/status", pid.as_raw_nonzero());
    while std::fs::read_to_string(&path).is_ok_and(|status| is_running_deaf(&status)) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Does this status, as Linux gives it, belong to a process that runs and ignores Ctrl-C?
fn is_running_deaf(status: &str) -> bool {
    let state = status.lines().find_map(|line| line.strip_prefix("State:")).map(str::trim);
    let has_ended = state.is_some_and(|state| state.starts_with('Z'));
    !has_ended && has_ctrl_c_in(status, "SigIgn:")
}

#[test]
fn a_process_that_ignores_ctrl_c_is_told_from_others() {
    let status = |state, ignored| format!("Name:\tishi\nState:\t{state}\nSigIgn:\t{ignored}\n");
    assert!(is_running_deaf(&status("S (sleeping)", "0000000000000002")));
    assert!(is_running_deaf(&status("R (running)", "0000000000001003")));
    assert!(!is_running_deaf(&status("S (sleeping)", "0000000000001001")), "others are ignored");
    assert!(!is_running_deaf(&status("Z (zombie)", "0000000000000002")), "it has ended");
    assert!(!is_running_deaf(""));
}

/// How a process ended, and what it said.
pub(super) struct End {
    status: ExitStatus,
    pub(super) out: String,
    told: String,
}

impl End {
    /// Is this an end as documented? Without a blow the work must be done.
    fn check(&self, blow: Option<&Blow>) -> Result<(), String> {
        let is_allowed = blow.map_or(self.status.success(), |blow| blow.allows(self.status));
        if !is_allowed {
            return Err(format!("it ended with {}: {}", self.status, self.told));
        }
        if self.told.contains("panicked at") {
            return Err(format!("it panicked: {}", self.told));
        }
        Ok(())
    }

    pub(super) fn is_success(&self) -> bool {
        self.status.success()
    }
}

/// The program in this folder, on a disk that is full after so many blocks: a limit of file sizes takes its place.
fn program(folder: &Path, args: &[&str], blow: Option<&Blow>) -> Command {
    let mut command = match blow {
        Some(Blow { kind: BlowKind::FullDisk, blocks, .. }) => {
            let mut command = Command::new("sh");
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            command.args(["-c", &script, ISHI]);
            command
        }
        _ => Command::new(ISHI),
    };
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs a command under a blow, and looks how it ends.
pub(super) fn run_command(folder: &Path, args: &[&str], blow: Option<&Blow>) -> Result<End, String> {
    let mut command = program(folder, args, blow);
    let clock = blow.and_then(Blow::wind_clock);
    if let Some(clock) = &clock {
        clock.show_to(&mut command);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = Pid::from_child(&child);
    let pipes = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let end = if let Some(blow) = blow.filter(|blow| blow.kind == BlowKind::HangUp) {
        // What was said until then is little, and fits into the pipes.
        std::thread::sleep(blow.moment);
        drop(pipes);
        End { status: wait_for_end(&mut child)?, out: String::new(), told: String::new() }
    } else {
        let (out, told) = (read_in_background(pipes.0), read_in_background(pipes.1));
        if let Some(blow) = blow {
            blow.strike(pid, clock.as_ref());
        }
        let status = wait_for_end(&mut child)?;
        End { status, out: out.join().unwrap(), told: told.join().unwrap() }
    };
    if let Some(blow) = blow {
        blow.date_files(folder);
    }
    end.check(blow)?;
    Ok(end)
}

/// Starts a server under a blow and lets `ask` talk to it, at its address; then it is ended by Ctrl-C. If it does not even begin to listen,
/// nothing is asked. The answer is whether all was done.
pub(super) fn run_server(
    folder: &Path,
    args: &[&str],
    blow: Option<&Blow>,
    ask: impl FnOnce(&str) -> Result<bool, String>,
) -> Result<bool, String> {
    let mut command = program(folder, args, blow);
    let clock = blow.and_then(Blow::wind_clock);
    if let Some(clock) = &clock {
        clock.show_to(&mut command);
    }
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = Pid::from_child(&child);
    let mut stderr = child.stderr.take().unwrap();
    let seen = clock.as_ref();
    let (asked, told) = std::thread::scope(|scope| {
        let striking = blow.map(|blow| scope.spawn(move || blow.strike(pid, seen)));
        let (before, address) = read_until_it_listens(&mut stderr);
        let rest = read_in_background(stderr);
        let asked = address.map_or(Ok(false), |address| ask(&address));
        if let Some(striking) = striking {
            striking.join().unwrap();
        }
        // A second Ctrl-C would end it at once.
        if !blow.is_some_and(Blow::interrupts) {
            send(pid, Signal::INT);
        }
        (asked, move || before + &rest.join().unwrap())
    });
    let status = wait_for_end(&mut child)?;
    if let Some(blow) = blow {
        blow.date_files(folder);
    }
    End { status, out: String::new(), told: told() }.check(blow)?;
    asked
}

/// What a server says until it names its address, and the address, if it comes so far.
fn read_until_it_listens(stderr: &mut impl Read) -> (String, Option<String>) {
    let mut told = String::new();
    let mut byte = [0];
    while stderr.read_exact(&mut byte).is_ok() {
        told.push(char::from(byte[0]));
        if byte == *b"\n"
            && let Some((_, rest)) = told.split_once("http://")
        {
            let address = rest.split([',', '\n']).next().map(String::from);
            return (told, address);
        }
    }
    (told, None)
}

fn read_in_background(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read until an error is enough to see a panic.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A process that never ends is ended, and told.
fn wait_for_end(child: &mut Child) -> Result<ExitStatus, String> {
    let begun = Instant::now();
    while begun.elapsed() < LONGEST_RUN {
        if let Some(status) = child.try_wait().unwrap() {
            return Ok(status);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    Err(format!("it did not end within {} s", LONGEST_RUN.as_secs()))
}

#[test]
fn files_are_dated_ahead_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inner/file");
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "kept").unwrap();
    for seconds in [400_000, -400_000] {
        redate_files(folder.path(), seconds);
        let date = path.metadata().unwrap().modified().unwrap();
        assert_eq!(date > SystemTime::now(), seconds > 0);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
    }
}

/// What ishi writes says so: results in its database are dated by the clock that it is shown.
#[test]
fn a_command_sees_the_clock_that_it_is_shown() {
    const MONTH: i64 = 30 * 86_400;
    let folder = tempfile::tempdir().unwrap();
    let Some(clock) = WrongClock::build(folder.path()) else { return };
    let clock = clock.begin_jumping();
    clock.set(MONTH);
    let args = ["match", "go-random", "go-capture", "--size", "5", "--pairs", "1", "--db", "a.db"];
    let mut command = program(folder.path(), &args, None);
    let output = clock.show_to(&mut command).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let store = Store::open_read_only(&folder.path().join("a.db")).unwrap();
    let run = store.list_runs().unwrap().runs.remove(0);
    let finished = store.results_of_run(&run.name).unwrap()[0].1.finished;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let ahead = finished - i64::try_from(now).unwrap();
    assert!((MONTH - 600..MONTH + 600).contains(&ahead), "{ahead}");
}
