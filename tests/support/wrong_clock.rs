//! Programs that see another time: a small library puts itself before the system's clock. Nothing of the machine is changed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What gives the time of day, with as many seconds added as a variable says. Clocks that only measure stay as they are.
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long shift(void) { const char *text = getenv("ISHI_TEST_SHIFT"); return text ? atol(text) : 0; }
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
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: needs a C compiler and a system that takes LD_PRELOAD (Linux with glibc)"
        );
        None
    }

    /// From now on the program that the command starts sees another time, by so many seconds.
    pub(crate) fn shift<'a>(&self, command: &'a mut Command, seconds: i64) -> &'a mut Command {
        command.env("LD_PRELOAD", &self.0).env("ISHI_TEST_SHIFT", seconds.to_string())
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
