//! What every command gets: the global options, and how a command fails.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use ishi_rng::Seed;
use ishi_work::StopFlag;

/// Global options, after defaults.
#[derive(Clone, Debug)]
pub struct Context {
    /// Print JSON instead of text wherever numbers are printed.
    pub json: bool,
    /// The seed of everything random; echoed by every command that uses it.
    pub seed: Seed,
    /// Worker threads.
    pub threads: usize,
    /// Did the user say how many? If not it is one per core.
    pub threads_given: bool,
    /// Set by Ctrl-C: long work ends cleanly at the next step.
    pub stop: StopFlag,
    /// No progress on stderr.
    pub quiet: bool,
}

impl Context {
    /// A line about the progress of long work, on stderr.
    pub fn print_progress(&self, line: impl fmt::Display) {
        if !self.quiet {
            // Nobody reads it any more: that is no reason to end the work.
            let _ = writeln!(anstream::stderr(), "{}", show_controls(&line.to_string()));
        }
    }

    /// Does the work of every number on all threads, each with tools of its own. Gives what came of it in the order of the numbers: of all,
    /// or at Ctrl-C of the first ones.
    pub fn map_numbers<Tools, T: Send>(
        &self,
        numbers: Range<u64>,
        make_tools: impl Fn() -> Tools + Sync,
        work: impl Fn(&mut Tools, u64) -> T + Sync,
    ) -> Vec<T> {
        let next = AtomicU64::new(numbers.start);
        let run = || {
            let (mut tools, mut found) = (make_tools(), Vec::new());
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= numbers.end || self.is_stop_requested() {
                    return found;
                }
                found.push((number, work(&mut tools, number)));
            }
        };
        let mut found: Vec<(u64, T)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(run)).collect();
            let joined = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
            joined.flat_map(|found| found.unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        found.sort_by_key(|&(number, _)| number);
        // At Ctrl-C a thread may have done a number before another one gave up a lower one.
        let in_order = found.into_iter().zip(numbers).take_while(|((number, _), next)| number == next);
        in_order.map(|((_, done), _)| done).collect()
    }

    /// Does work that asks nobody whether to stop, on a thread of its own. At Ctrl-C it is left behind, and ends with the program.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] at Ctrl-C.
    pub fn run_until_stopped<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        /// The time between two looks at Ctrl-C.
        const LOOK: Duration = Duration::from_millis(50);
        self.check_stop()?;
        let (sender, receiver) = channel();
        std::thread::spawn(move || sender.send(work()));
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(value) => return Ok(value),
                Err(RecvTimeoutError::Timeout) if self.is_stop_requested() => {
                    return Err(Failure::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::outside("the work failed: see above"));
                }
            }
        }
    }

    /// Has the user asked to stop?
    pub fn is_stop_requested(&self) -> bool {
        self.stop.is_requested()
    }

    /// Nothing, unless the user has asked to stop.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] at Ctrl-C.
    pub fn check_stop(&self) -> Result<(), Failure> {
        if self.is_stop_requested() { Err(Failure::Interrupted) } else { Ok(()) }
    }
}

/// The text as a terminal may get it: names and remarks in other people's files must not move its cursor, change its title or fill its
/// clipboard. What controls it stands as `\u{1b}`, but for ends of lines and tabs.
pub(crate) fn show_controls(text: &str) -> Cow<'_, str> {
    let controls = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(controls) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| if controls(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(shown).collect())
}

/// What `tell!` does.
pub(crate) fn write_line_to_stderr(text: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{}", show_controls(&text.to_string()));
}

/// [`write_line_to_stderr()`] without the end of the line.
pub(crate) fn write_to_stderr(text: fmt::Arguments<'_>) {
    let _ = write!(anstream::stderr(), "{text}");
}

/// Why a command failed; the kind decides the exit code.
#[derive(Debug)]
pub enum Failure {
    /// The work was done and the answer is no: exit code 1.
    Negative(String),
    /// The input cannot be used: exit code 3.
    Input(String),
    /// Something outside failed (a file, a process, a database): exit code 4.
    Outside(String),
    /// Ctrl-C: exit code 130.
    Interrupted,
}

impl Failure {
    /// The input cannot be used.
    pub fn input(error: impl fmt::Display) -> Failure {
        Failure::Input(error.to_string())
    }

    /// The same failure, which names the place in a file that it is about.
    #[must_use]
    pub fn at_place(self, place: &str) -> Failure {
        match self {
            Failure::Negative(why) => Failure::Negative(format!("{place}: {why}")),
            Failure::Input(why) => Failure::Input(format!("{place}: {why}")),
            Failure::Outside(why) => Failure::Outside(format!("{place}: {why}")),
            Failure::Interrupted => Failure::Interrupted,
        }
    }

    /// Something outside failed.
    pub fn outside(error: impl fmt::Display) -> Failure {
        Failure::Outside(error.to_string())
    }

    /// What is in a file cannot be used, or the file cannot be what it is given for.
    pub fn in_file(path: &Path, problem: impl fmt::Display) -> Failure {
        Failure::Input(format!("{}: {problem}", path.display()))
    }

    /// The exit code, as `ishi --help` documents it.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Negative(_) => 1,
            Failure::Input(_) => 3,
            Failure::Outside(_) => 4,
            Failure::Interrupted => 130,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Negative(text) | Failure::Input(text) | Failure::Outside(text) => f.write_str(text),
            Failure::Interrupted => f.write_str("stopped by the user"),
        }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet_context() -> Context {
        let stop = StopFlag::default();
        Context { json: false, seed: Seed::new(1), threads: 1, threads_given: true, stop, quiet: true }
    }

    #[test]
    fn what_controls_a_terminal_is_shown() {
        let evil = "Ann\u{1b}]0;title\u{7} \u{9b}31m\r\u{7f}b\n\tc\u{56f2}\u{7881}";
        assert_eq!(
            show_controls(evil),
            "Ann\\u{1b}]0;title\\u{7} \\u{9b}31m\\u{d}\\u{7f}b\n\tc\u{56f2}\u{7881}"
        );
        assert!(matches!(show_controls("plain\n"), Cow::Borrowed("plain\n")));
    }

    #[test]
    fn numbers_come_back_in_order_and_at_ctrl_c_the_first_ones() {
        let context = Context { threads: 3, ..quiet_context() };
        let squares = context.map_numbers(5..40, || {}, |_, number| number * number);
        assert_eq!(squares, (5..40).map(|number| number * number).collect::<Vec<u64>>());
        let context = quiet_context();
        let add_one = |count: &mut u64, number: u64| {
            if number == 2 {
                context.stop.request();
            }
            *count += 1;
            *count
        };
        assert_eq!(context.map_numbers(0..1000, || 10, add_one), [11, 12, 13], "a thread keeps its tools");
        assert!(context.map_numbers(0..5, || {}, |_, number| number).is_empty());
    }

    /// This work waits for something that never comes, and the user stops it meanwhile.
    #[test]
    fn work_that_asks_nobody_is_left_at_ctrl_c() {
        let context = quiet_context();
        let (_sender, never) = channel::<()>();
        let stop = context.stop.clone();
        let ended = context.run_until_stopped(move || {
            stop.request();
            never.recv()
        });
        assert!(matches!(ended, Err(Failure::Interrupted)), "{ended:?}");
    }

    #[test]
    fn after_ctrl_c_no_work_begins_and_before_it_work_ends() {
        let context = quiet_context();
        assert!(matches!(context.run_until_stopped(|| 7), Ok(7)));
        context.stop.request();
        let ended = context.run_until_stopped(|| -> u8 { unreachable!("it must not begin") });
        assert!(matches!(ended, Err(Failure::Interrupted)), "{ended:?}");
    }
}
