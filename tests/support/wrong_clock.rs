//! Programs that see another time, also one that jumps while they run: a small library puts itself before the system's clock. Nothing of the
//! machine is changed.
//!
//! libfaketime was tried for it. Once the time goes back, it refuses (EINVAL) to let a program sleep until some moment of a clock that only measures. A
//! program that is killed leaves its shared memory and a semaphore behind.

use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::NamedTempFile;

use crate::support::program::tell_missing;

/// What gives the time of day, with as many seconds added as a variable says, and as a file says, whenever it is asked. Clocks that only measure stay
/// as they are.
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile long long *shared;
__attribute__((constructor)) static void find_shared(void) {
    const char *path = getenv("ISHI_TEST_SHIFT_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *place = mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, file, 0);
    if (place != MAP_FAILED) shared = place;
    close(file);
}
static long long shift(void) {
    const char *text = getenv("ISHI_TEST_SHIFT");
    return (text ? atol(text) : 0) + (shared ? *shared : 0);
}
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, time);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += shift();
    return failed;
}
int gettimeofday(struct timeval *time, void *zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
"#;

/// The library.
pub(crate) struct WrongClock(PathBuf);

impl WrongClock {
    /// Compiles it into this folder; `None`, said out loud, where that cannot be done, or a program does not see another time by it.
    pub(crate) fn build(folder: &Path) -> Option<WrongClock> {
        let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
        std::fs::write(&source, LIBRARY).unwrap();
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&source).arg("-ldl");
        let is_built = compiler.output().is_ok_and(|output| output.status.success());
        let clock = WrongClock(library);
        if is_built && clock.is_seen() {
            return Some(clock);
        }
        tell_missing("a C compiler and a system that takes LD_PRELOAD (Linux with glibc)");
        None
    }

    /// From now on the program that the command starts sees another time, by so many seconds.
    pub(crate) fn shift<'a>(&self, command: &'a mut Command, seconds: i64) -> &'a mut Command {
        command.env("LD_PRELOAD", &self.0).env("ISHI_TEST_SHIFT", seconds.to_string())
    }

    /// A clock that can be set while a program runs. Until then it goes right.
    pub(crate) fn begin_jumping(&self) -> JumpingClock {
        let file = NamedTempFile::new().unwrap();
        let clock = JumpingClock { library: self.0.clone(), file };
        // The library takes as many bytes of the file as a number has.
        clock.set(0);
        clock
    }

    fn is_seen(&self) -> bool {
        let read_clock = |seconds: i64| {
            let mut date = Command::new("date");
            let output = self.shift(date.args(["-u", "+%s"]), seconds).output();
            let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
            text.ok().and_then(|text| text.parse::<i64>().ok())
        };
        read_clock(0)
            .zip(read_clock(86_400))
            .is_some_and(|(now, later)| (86_390..86_460).contains(&(later - now)))
    }
}

/// A clock for one program, and for those that it starts.
pub(crate) struct JumpingClock {
    library: PathBuf,
    /// The seconds by which the clock is wrong: a whole number, as the machine has it in memory.
    file: NamedTempFile,
}

impl JumpingClock {
    /// The program that the command starts sees this clock.
    pub(crate) fn show_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("LD_PRELOAD", &self.library).env("ISHI_TEST_SHIFT_FILE", self.file.path())
    }

    /// From now on it is so many seconds ahead of the machine's clock.
    pub(crate) fn set(&self, seconds: i64) {
        self.file.as_file().write_all_at(&seconds.to_ne_bytes(), 0).unwrap();
    }
}

#[test]
fn a_program_sees_the_clock_jump_while_it_runs() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let Some(clock) = WrongClock::build(folder.path()) else { return };
    let clock = clock.begin_jumping();
    let mut shell = Command::new("bash");
    shell.args(["-c", "while read -r line; do echo $EPOCHSECONDS; done"]);
    let shell = clock.show_to(&mut shell).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut shell) = shell else {
        tell_missing("bash: a clock that jumps");
        return;
    };
    let (mut asks, told) = (shell.stdin.take().unwrap(), shell.stdout.take().unwrap());
    let mut told = BufReader::new(told).lines();
    let mut read_clock = || -> i64 {
        writeln!(asks, "?").unwrap();
        told.next().unwrap().unwrap().parse().unwrap()
    };
    let begun = read_clock();
    for days in [3, -2] {
        clock.set(days * 86_400);
        let jump = read_clock() - begun - days * 86_400;
        assert!((0..600).contains(&jump), "{days} days: {jump} seconds besides");
    }
    drop(asks);
    shell.wait().unwrap();
}
