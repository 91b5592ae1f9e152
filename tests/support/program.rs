//! The program as a user starts it.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::Signal;

/// Functions that start the program with the arguments that all tests of a file begin with, and more: `ishi`, `output`, `json`,
/// `refusal` and `refused`.
macro_rules! commands_that_begin_with {
    ($before:expr) => {
        #[allow(dead_code)]
        fn ishi(args: &[&str]) -> std::process::Output {
            $crate::support::program::run_program($before, args)
        }

        #[allow(dead_code)]
        fn output(args: &[&str]) -> String {
            $crate::support::program::successful_output($before, args)
        }

        #[allow(dead_code)]
        fn json(args: &[&str]) -> serde_json::Value {
            $crate::support::program::parse_result(&output(&[args, &["--json"]].concat()))
        }

        #[allow(dead_code)]
        fn refusal(args: &[&str]) -> String {
            $crate::support::program::refusal_message($before, args)
        }

        #[allow(dead_code)]
        fn refused(args: &[&str]) -> (i32, String) {
            $crate::support::program::exit_and_message(&ishi(args))
        }
    };
}

/// The JSON of a result without how it was made: that is another with other threads or names of files.
pub(crate) fn parse_result(text: &str) -> serde_json::Value {
    let mut result: serde_json::Value = serde_json::from_str(text).unwrap();
    if let Some(fields) = result.as_object_mut() {
        fields.remove("made_by");
    }
    result
}

pub(crate) fn run_program(before: &[&str], args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ishi")).args(before).args(args).output().unwrap()
}

/// Standard output of a command that succeeds.
pub(crate) fn successful_output(before: &[&str], args: &[&str]) -> String {
    let output = run_program(before, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The message of a command that refuses its input.
pub(crate) fn refusal_message(before: &[&str], args: &[&str]) -> String {
    let output = run_program(before, args);
    assert_eq!(output.status.code(), Some(3), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stderr).unwrap()
}

/// The exit code, and what stderr says.
pub(crate) fn exit_and_message(output: &Output) -> (i32, String) {
    (output.status.code().unwrap(), stderr(output))
}

/// The program with this standard input.
pub(crate) fn run_with_input(args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A large input does not fit into the pipe while the answer waits to be read, and what is too long is not read to its end.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    output
}

/// Says what a test misses, past the capture of the test runner. The test passes then.
pub(crate) fn tell_missing(needs: impl Display) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: needs {needs}");
}

/// What a tool prints, or `None` if it is not installed. Solvers of decision problems exit with 10 and 20.
pub(crate) fn run_tool(folder: &Path, program: &str, args: &[&str]) -> Option<String> {
    let Output { stdout, stderr, .. } = Command::new(program).args(args).current_dir(folder).output().ok()?;
    Some(String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

/// The folder of the sources.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap()
}

/// A new file, for an argument.
pub(crate) fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_string()
}

/// The program in this folder, with no standard input.
pub(crate) fn program_in(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command
}

pub(crate) fn run_in(folder: &Path, args: &[&str]) -> Output {
    program_in(folder, args).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Does this status of a process, as Linux gives it, have Ctrl-C in a field of signals: `SigCgt:` (it listens) or `SigIgn:` (it is deaf)?
pub(crate) fn has_ctrl_c_in(status: &str, field: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix(field));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (Signal::INT.as_raw() - 1) & 1 == 1)
}

/// Waits until a program that was just started listens to Ctrl-C: before, the signal would end it.
#[cfg(target_os = "linux")]
pub(crate) fn wait_until_it_listens_to_ctrl_c(child: &std::process::Child) {
    let path = format!("/proc/{}/status", child.id());
    while !has_ctrl_c_in(&std::fs::read_to_string(&path).unwrap(), "SigCgt:") {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}
