//! Engines that behave badly, one after the other: none survives, and each gets its clear error.

#![allow(clippy::disallowed_methods)]

use std::fs;
use std::io::Write as _;
use std::time::Duration;

use ishi_arena::process::{EngineProcess, ProcessEnd, ProcessError, ProcessOptions};
use ishi_go::{BoardSize, Color, Move};
use ishi_gtp::{ClientError, FinalScore, GenmoveAnswer, GtpClient, StoneStatus};

/// A GTP engine in the shell: answers any command with its name, and `quit` by ending. `$1` runs first.
fn engine(before: &str) -> String {
    let serve = r#"while read -r id name rest; do printf "=%s %s\n\n" "$id" "$name"; [ "$id" = quit ] && exit 3; done"#;
    format!("sh -c '{before}\n{serve}'")
}

fn start(command: &str) -> GtpClient<EngineProcess> {
    start_with(command, Duration::from_secs(20))
}

fn start_with(command: &str, quit_grace: Duration) -> GtpClient<EngineProcess> {
    let options =
        ProcessOptions { quit_grace, term_grace: Duration::from_millis(300), ..ProcessOptions::default() };
    EngineProcess::start_client(&command.parse().unwrap(), options).unwrap()
}

/// Does the process still run? A zombie that belongs to someone else counts as ended, one of ours does not.
fn runs(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
    let ours = fields[1] == std::process::id().to_string();
    fields[0] != "Z" || ours
}

/// Ends within a second or so (a killed grandchild takes a moment to be gone).
fn ends(pid: u32) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !runs(pid)
    })
}

fn stop(client: GtpClient<EngineProcess>) -> (u32, Option<i32>, ProcessEnd) {
    let process = client.into_connection();
    let pid = process.id();
    let (status, end) = process.stop();
    assert!(!runs(pid), "process {pid} is still there");
    (pid, status.code(), end)
}

fn process_error(error: ClientError<ProcessError>) -> ProcessError {
    match error {
        ClientError::Connection { error, .. } => error,
        other => panic!("{other}"),
    }
}

#[test]
fn a_good_engine_is_asked_to_quit() {
    let mut client = start(&engine(""));
    assert_eq!(client.send_command("name").unwrap(), "name");
    assert_eq!(client.connection().transcript(), ["> 1 name", "< =1 name", "< "]);
    let (_, code, end) = stop(client);
    assert_eq!((code, end), (Some(3), ProcessEnd::ByItself));
}

#[test]
fn what_is_not_there_cannot_start() {
    let error = |command: &str| {
        EngineProcess::start_client(&command.parse().unwrap(), ProcessOptions::default())
            .unwrap_err()
            .to_string()
    };
    let text = error("no-such-engine-here --mode gtp");
    assert!(text.starts_with("cannot start \"no-such-engine-here --mode gtp\": "), "{text}");
    assert!(text.ends_with("is it installed, and in PATH?"), "{text}");
    assert!(error("/").ends_with("is the file executable?"));
}

#[test]
fn one_that_ignores_sigterm_is_killed() {
    let mut client = start(r#"sh -c 'trap "" TERM; echo ready; while :; do sleep 1; done'"#);
    client.set_limit(Some(Duration::from_millis(1500)));
    let error = process_error(client.send_command("name").unwrap_err());
    assert!(matches!(error, ProcessError::TimedOut { .. }), "{error}");
    assert_eq!(client.noise_lines().collect::<Vec<_>>(), ["ready"]);
    assert_eq!(stop(client).2, ProcessEnd::Killed);
}

#[test]
fn a_raised_flag_ends_the_wait_for_an_answer() {
    let mut client = start("sleep 1000");
    client.set_limit(Some(Duration::from_secs(20)));
    let flag = client.connection().stop_flag();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            flag.request();
        });
        let error = process_error(client.send_command("genmove b").unwrap_err());
        assert!(matches!(error, ProcessError::Stopped), "{error}");
    });
    assert_eq!(stop(client).2, ProcessEnd::Terminated);
}

#[test]
fn one_that_never_answers_is_terminated() {
    let mut client = start("sleep 1000");
    client.set_limit(Some(Duration::from_millis(50)));
    let error = client.send_command("genmove b").unwrap_err().to_string();
    assert_eq!(error, "no answer to \"genmove b\": timeout after 50ms");
    assert_eq!(stop(client).2, ProcessEnd::Terminated);
}

#[test]
fn a_grandchild_goes_with_the_group() {
    for (before, end) in [
        ("sleep 1000 & echo $!", ProcessEnd::ByItself),
        ("sleep 1000 & echo $!; wait", ProcessEnd::Terminated),
    ] {
        let mut client = start(&engine(before));
        client.set_limit(Some(Duration::from_millis(2000)));
        let _ = client.send_command("name");
        let grandchild: u32 = client.noise_lines().next().unwrap().parse().unwrap();
        assert!(runs(grandchild));
        assert_eq!(stop(client).2, end, "{before}");
        assert!(ends(grandchild), "{before}");
    }
}

#[test]
fn one_that_crashes_leaves_status_and_last_words() {
    let mut client = start("sh -c 'read line; echo out of memory >&2; kill -ABRT $$'");
    let pid = client.connection().id();
    let error = process_error(client.send_command("genmove b").unwrap_err());
    let ProcessError::Ended { status, stderr } = &error else { panic!("{error}") };
    assert!(status.contains("signal: 6"), "{status}");
    assert_eq!(stderr, &["out of memory"]);
    assert!(error.to_string().ends_with("its last words on stderr:\n  out of memory"));
    assert!(!runs(pid), "reaped as soon as the crash is seen");
    // Asking again says the same, and stopping is harmless.
    assert_eq!(process_error(client.send_command("name").unwrap_err()), error);
    assert_eq!(stop(client).2, ProcessEnd::ByItself);
}

#[test]
fn one_that_closes_its_output_is_found_out() {
    let mut client = start("sh -c 'exec >&-; sleep 1000'");
    let error = process_error(client.send_command("name").unwrap_err());
    assert!(matches!(error, ProcessError::Closed { .. }), "{error}");
    assert_eq!(stop(client).2, ProcessEnd::Terminated);
}

#[test]
fn garbage_on_stdout_is_kept_apart() {
    let mut client = start(&engine(r#"printf "Engine\r\n=== 3 \n\377\376 x\n\n=oops\n""#));
    assert_eq!(client.send_command("name").unwrap(), "name");
    assert_eq!(client.noise_lines().collect::<Vec<_>>(), ["Engine", "=== 3 ", "\u{fffd}\u{fffd} x", "=oops"]);
    assert_eq!(stop(client).2, ProcessEnd::ByItself);
}

#[test]
fn megabytes_are_survived() {
    let mut client = start(&engine(
        "head -c 9000000 /dev/zero; echo; yes garbage | head -n 50000; yes | head -n 50000 >&2",
    ));
    assert_eq!(client.send_command("name").unwrap(), "name");
    assert!(client.noise_lines().count() <= 200);
    let mut mad =
        start_with("sh -c 'exec yes =1 $(head -c 4000 /dev/zero | tr \\\\0 x)'", Duration::from_millis(50));
    let error = mad.send_command("name").unwrap_err().to_string();
    assert!(error.contains("expected an answer that ends within"), "{error}");
    assert_eq!(stop(mad).2, ProcessEnd::Terminated);
    assert_eq!(stop(client).2, ProcessEnd::ByItself);
}

#[test]
fn a_full_pipe_does_not_stop_us() {
    let mut client = start("sleep 1000");
    client.set_limit(Some(Duration::from_millis(100)));
    let long = format!("gogui-play_sequence {}", "b D4 ".repeat(100_000));
    let error = process_error(client.send_command(&long).unwrap_err());
    assert!(matches!(error, ProcessError::TimedOut { .. }), "{error}");
    assert_eq!(stop(client).2, ProcessEnd::Terminated);
}

#[test]
fn dropping_ends_the_process_too() {
    let mut client = start(&engine("sleep 1000 & echo $!"));
    client.send_command("name").unwrap();
    let pid = client.connection().id();
    let grandchild: u32 = client.noise_lines().next().unwrap().parse().unwrap();
    drop(client);
    assert!(!runs(pid));
    assert!(ends(grandchild));
}

#[test]
fn stderr_is_bounded() {
    let options = ProcessOptions { stderr_lines: 3, ..ProcessOptions::default() };
    let command = "sh -c 'seq 1 100000 >&2; read line; exit 1'".parse().unwrap();
    let mut client = EngineProcess::start_client(&command, options).unwrap();
    let error = process_error(client.send_command("name").unwrap_err());
    let ProcessError::Ended { stderr, .. } = error else { panic!("{error}") };
    assert_eq!(stderr, ["99998", "99999", "100000"]);
}

/// A real engine, from start to end.
#[test]
fn gnugo_plays() {
    let command = ["/usr/games/gnugo", "gnugo"].map(|path| format!("{path} --mode gtp --level 1"));
    let started = command.iter().find_map(|command| {
        EngineProcess::start_client(&command.parse().unwrap(), ProcessOptions::default()).ok()
    });
    let Some(mut client) = started else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs gnugo (apt-get install gnugo)");
        return;
    };
    let size = BoardSize::square(9).unwrap();
    assert_eq!(client.name().unwrap(), "GNU Go");
    assert!(client.known_command("final_status_list").unwrap());
    client.boardsize(size).unwrap();
    client.clear_board().unwrap();
    client.set_komi(6.5).unwrap();
    let GenmoveAnswer::Move(mv) = client.genmove(Color::Black).unwrap() else { panic!("resigned at once") };
    let refused = client.play(Color::White, mv).unwrap_err();
    assert!(matches!(refused, ClientError::Refused { .. }), "{refused}");
    client.play(Color::White, Move::Pass).unwrap();
    client.play(Color::Black, Move::Pass).unwrap();
    assert!(matches!(client.final_score().unwrap(), FinalScore::Win(Color::Black, _)));
    assert_eq!(client.final_status_list(StoneStatus::Alive).unwrap(), [mv.point().unwrap()]);
    assert!(client.showboard().unwrap().contains("A B C D E F G H J"));
    let (_, code, end) = stop(client);
    assert_eq!((code, end), (Some(0), ProcessEnd::ByItself));
}
