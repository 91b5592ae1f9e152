//! `ishi campaign`, `ishi worker` and `ishi launch` as users meet them: what any number of workers leave in a database is what one
//! thread leaves in a file, also when workers and server are killed, frozen and started again.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ishi_lab::store::{FinishedTask, GameFilter, GameRow, KeptGame, Store};
use ishi_rng::checksum::{extend_checksum, fnv_checksum};

use crate::support::cut_line::CutLine;
use crate::support::damage::flip_bit_at;
use crate::support::made_up_games;
use crate::support::once::text_of_run;
use crate::support::postgres::{PASSWORD, PostgresServer, shared_server};
use crate::support::program::{program_in as ishi, run_in as run, stderr, stdout, tell_missing};
use crate::support::slurm::SlurmCluster;
use crate::support::workbench::Workbench;
use crate::support::wrong_clock::WrongClock;

const CAMPAIGN: &str = r#"
matches = [
  "go-flat:playouts=600 go-capture --size 6 --pairs 60 --opening random:3",
  "othello-random othello-greedy --game othello --pairs 30 --seed 9",
]
"#;

pub(crate) fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}\n{}", stdout(output), stderr(output));
}

/// Writes a script that can be started.
fn write_program(path: &Path, script: &str) {
    std::fs::write(path, script).unwrap();
    succeeded(&Command::new("chmod").arg("+x").arg(path).output().unwrap());
}

/// A folder with the campaign's file.
fn with_campaign() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ladder.toml"), CAMPAIGN).unwrap();
    folder
}

/// Everything that the tables hold and that does not tell of times.
pub(crate) fn table(database: &str) -> String {
    let store = Store::open_read_only(Path::new(database)).unwrap();
    let mut out = String::new();
    let list = store.list_runs().unwrap();
    assert!(list.damaged.is_empty(), "{:?}", list.damaged);
    for run in list.runs {
        out += &format!("{} {} {}\n", run.name, run.kind, run.spec);
        for (place, FinishedTask { id, kind, spec, result, seed, version, .. }) in
            store.results_of_run(&run.name).unwrap()
        {
            out += &format!("{place} {id} {kind} {spec} {result} {seed} {version}\n");
        }
    }
    for KeptGame { task, number, game } in store.find_kept_games(&GameFilter::default()).unwrap() {
        let game = GameRow { black_seconds: 0.0, white_seconds: 0.0, ..game };
        out += &format!("{task} {number} {game:?}\n");
    }
    out
}

/// The table of one thread on a file, which most tests here compare with.
fn reference() -> String {
    static TABLE: OnceLock<String> = OnceLock::new();
    TABLE.get_or_init(|| text_of_run("table-of-one-thread", play_alone)).clone()
}

/// Plays the campaign by one thread on a file, and gives its table.
fn play_alone() -> String {
    let folder = with_campaign();
    let output = run(folder.path(), &["campaign", "run", "ladder.toml", "--threads", "1", "--db", "one.db"]);
    succeeded(&output);
    let text = stdout(&output);
    assert!(text.contains("60 pairs") && text.contains("30 pairs"), "{text}");
    table(folder.path().join("one.db").to_str().unwrap())
}

fn hand_out(folder: &Path, address: &str) {
    let output = run(folder, &["campaign", "run", "ladder.toml", "--hand-out", "--db", address]);
    succeeded(&output);
    assert!(stdout(&output).contains("ladder: 90 tasks wait for workers in "), "{}", stdout(&output));
}

fn worker(folder: &Path, address: &str) -> Child {
    worker_with(folder, address, &[])
}

fn worker_with(folder: &Path, address: &str, extra: &[&str]) -> Child {
    let args = ["worker", address, "--threads", "2", "--lease", "2"];
    let mut command = ishi(folder, &[&args[..], extra].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits until so many tasks are finished.
fn wait_for_tasks(address: &str, tasks: usize) {
    let start = Instant::now();
    loop {
        let store = Store::open_read_only(Path::new(address)).unwrap();
        let finished: u64 = store.list_runs().unwrap().runs.iter().map(|run| run.finished).sum();
        if finished as usize >= tasks {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{finished} of {tasks} tasks after two minutes");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn workers_that_are_killed_frozen_and_cut_off_leave_the_table_of_one_thread() {
    let Some(mut server) = PostgresServer::start(&[]) else { return };
    let folder = with_campaign();
    let address = server.new_database();
    hand_out(folder.path(), &address);

    let mut killed = worker(folder.path(), &address);
    wait_for_tasks(&address, 5);
    killed.kill().unwrap();
    killed.wait().unwrap();

    let mut frozen = worker(folder.path(), &address);
    wait_for_tasks(&address, 12);
    signal(&frozen, "-STOP");
    let mut other = worker(folder.path(), &address);
    wait_for_tasks(&address, 20);
    server.kill();
    server.run(&[]);
    std::thread::sleep(Duration::from_millis(500));
    signal(&frozen, "-CONT");

    let mut drained = worker(folder.path(), &address);
    wait_for_tasks(&address, 40);
    signal(&drained, "-TERM");
    assert!(drained.wait().unwrap().success(), "a worker that drains has done what it should");
    for worker in [&mut frozen, &mut other] {
        assert!(worker.wait().unwrap().success());
    }
    let mut last = worker(folder.path(), &address);
    assert!(last.wait().unwrap().code().is_some_and(|code| code == 0));
    assert_eq!(table(&address), reference());
}

/// Waits for a worker that must have done all of its work.
fn wait_for_success(worker: &mut Child) {
    let status = wait_for_end(worker);
    assert!(status.success(), "{status}");
}

/// Waits for a worker's end, though not for ever.
fn wait_for_end(worker: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = worker.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > Duration::from_secs(300) {
            worker.kill().unwrap();
            panic!("a worker has not ended after five minutes");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// For how long lines are cut and silent: longer than the lease, and a minute for who asks for it.
fn time_of_cut() -> Duration {
    let seconds = std::env::var("ISHI_CUT_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(3))
}

#[test]
fn a_line_that_is_cut_or_silent_costs_time_only() {
    let Some(server) = shared_server() else { return };
    let folder = with_campaign();
    let address = server.new_database();
    hand_out(folder.path(), &address);
    let line = CutLine::to_port(server.port);
    let log = folder.path().join("far.log");
    let through = line.lead(&address, server.port);
    let mut far = ishi(folder.path(), &["worker", &through, "--threads", "2", "--lease", "2"]);
    let far = far.stdout(Stdio::null()).stderr(std::fs::File::create(&log).unwrap());
    let mut far = far.spawn().unwrap();
    wait_for_tasks(&address, 5);
    line.cut();
    std::thread::sleep(time_of_cut());
    let told = || std::fs::read_to_string(&log).unwrap();
    assert_eq!(told().matches(" UTC: the server is away (").count(), 1, "once: {}", told());
    line.mend();
    wait_for_tasks(&address, 15);
    line.silence();
    let mut near = worker(folder.path(), &address);
    std::thread::sleep(time_of_cut());
    line.mend();
    wait_for_success(&mut near);
    wait_for_success(&mut far);
    let count = |words: &str| told().matches(words).count();
    assert_eq!(count(" UTC: the server is back after "), count(" UTC: the server is away ("), "{}", told());
    assert_eq!(table(&address), reference());
}

/// Two workers finish the same tasks: while one is stopped for longer than its lease, the other does everything. What the first brings
/// afterwards is compared, is the same, and changes nothing.
#[test]
fn a_worker_that_is_stopped_beyond_its_lease_brings_second_results_that_change_nothing() {
    let Some(server) = shared_server() else { return };
    let folder = with_campaign();
    let address = server.new_database();
    hand_out(folder.path(), &address);
    let mut command = ishi(folder.path(), &["worker", &address, "--threads", "2", "--lease", "2"]);
    let mut stopped = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_tasks(&address, 5);
    signal(&stopped, "-STOP");
    wait_for_success(&mut worker(folder.path(), &address));
    let meanwhile = table(&address);
    signal(&stopped, "-CONT");
    wait_for_success(&mut stopped);
    let told = std::io::read_to_string(stopped.stderr.take().unwrap()).unwrap();
    let repeated = told.split(" tasks finished, ").nth(1).and_then(|rest| rest.split(' ').next());
    let repeated = repeated.and_then(|number| number.parse::<u64>().ok());
    assert!(repeated.is_some_and(|repeated| repeated > 0), "it was in the middle of tasks: {told}");
    let alarms = Store::open_read_only(Path::new(&address)).unwrap().list_alarms().unwrap();
    assert!(alarms.is_empty(), "{alarms:?}");
    assert!(table(&address) == meanwhile, "a second result has changed the table");
    assert_eq!(meanwhile, reference());
}

#[test]
fn a_full_disk_at_the_server_ends_workers_and_loses_nothing() {
    let Some(server) = PostgresServer::start(&[]) else { return };
    let Some((address, _disk)) = server.new_database_on_small_disk(24) else { return };
    let folder = with_campaign();
    hand_out(folder.path(), &address);
    let name = address.rsplit('/').next().unwrap();
    server.ask(name, "CREATE TABLE filler (x TEXT)").unwrap();
    for rows in [1000, 50, 1] {
        let fill = format!("INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, {rows})");
        while server.ask(name, &fill).is_ok() {}
    }
    let full = run(folder.path(), &["worker", &address, "--threads", "2", "--lease", "2"]);
    assert_eq!(full.status.code(), Some(4), "{}", stderr(&full));
    assert!(stderr(&full).contains("the disk is full"), "{}", stderr(&full));
    server.ask(name, "DROP TABLE filler").unwrap();
    wait_for_success(&mut worker(folder.path(), &address));
    assert_eq!(table(&address), reference());
}

/// One worker is a day ahead, one a day behind. The server is set back by a day while a dead worker has tasks, and then ahead while both
/// others have some.
#[test]
fn clocks_that_are_wrong_by_a_day_cost_time_only() {
    const DAY: i64 = 86_400;
    let Some(mut server) = PostgresServer::start(&[]) else { return };
    let Some(clock) = WrongClock::build(server.folder()) else { return };
    let folder = with_campaign();
    let address = server.new_database();
    hand_out(folder.path(), &address);
    let worker_at = |seconds: i64| {
        let mut command = ishi(folder.path(), &["worker", &address, "--threads", "2", "--lease", "2"]);
        clock.shift(&mut command, seconds).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut dead = worker_at(0);
    wait_for_tasks(&address, 5);
    dead.kill().unwrap();
    dead.wait().unwrap();
    server.kill();
    server.run_with(&[], |shell| _ = clock.shift(shell, -DAY));
    let mut workers = [worker_at(DAY), worker_at(-DAY)];
    wait_for_tasks(&address, 30);
    server.kill();
    server.run_with(&[], |shell| _ = clock.shift(shell, DAY));
    workers.iter_mut().for_each(wait_for_success);
    assert_eq!(table(&address), reference());
}

#[test]
fn eight_workers_and_ctrl_c_leave_the_table_of_one_thread() {
    let Some(server) = shared_server() else { return };
    let folder = with_campaign();
    let address = server.new_database();
    hand_out(folder.path(), &address);
    let mut stopped = worker(folder.path(), &address);
    wait_for_tasks(&address, 3);
    signal(&stopped, "-INT");
    assert_eq!(stopped.wait().unwrap().code(), Some(130));
    let status = run(folder.path(), &["campaign", "status", "ladder.toml", "--db", &address, "--json"]);
    succeeded(&status);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    let claimed: Vec<&serde_json::Value> =
        status["jobs"].as_array().unwrap().iter().map(|job| &job["claimed"]).collect();
    assert_eq!(claimed, [0, 0], "everything was given back");
    let workers: Vec<Child> = (0..8).map(|_| worker(folder.path(), &address)).collect();
    for mut worker in workers {
        assert!(worker.wait().unwrap().success());
    }
    assert_eq!(table(&address), reference());
    let report = run(folder.path(), &["campaign", "report", "ladder.toml", "--db", &address]);
    succeeded(&report);
    assert!(
        stdout(&report).contains("60 pairs") && stdout(&report).contains("30 pairs"),
        "{}",
        stdout(&report)
    );
    assert!(!stdout(&report).contains("%20"), "no password: {}", stdout(&report));
}

/// Another version makes other tasks of the same words. It leaves them to others, and gives back what it has claimed.
#[test]
fn a_worker_of_another_version_leaves_the_work_to_others() {
    let Some(server) = shared_server() else { return };
    let folder = with_campaign();
    let address = server.new_database();
    hand_out(folder.path(), &address);
    let name = address.rsplit('/').next().unwrap();
    rename_tasks(server, name);
    let output = run(folder.path(), &["worker", &address, "--threads", "2"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("it is another version"), "{}", stderr(&output));
    let status = run(folder.path(), &["campaign", "status", "ladder.toml", "--db", &address, "--json"]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    let jobs = status["jobs"].as_array().unwrap();
    let sum = |key: &str| jobs.iter().map(|job| job[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("open"), sum("claimed"), sum("finished")), (90, 0, 0));
}

/// Makes the tasks of a queue those of another version: whole rows, each with the checksum that such a version would have written.
fn rename_tasks(server: &PostgresServer, database: &str) {
    let rows = "SELECT run || chr(31) || place || chr(31) || task || chr(31) || after_task FROM queue";
    let rows = server.ask(database, rows).unwrap();
    let update = |row: &str| {
        let fields: Vec<&str> = row.split('\u{1f}').collect();
        let [run, place, task, after] = fields[..] else { panic!("four columns: {row:?}") };
        let task = format!("of another version {task}");
        let text = |sum: u64, text: &str| {
            let sum = extend_checksum(extend_checksum(sum, b"t"), &(text.len() as u64).to_le_bytes());
            extend_checksum(sum, text.as_bytes())
        };
        let number = place.parse::<i64>().unwrap().to_le_bytes();
        let sum = extend_checksum(extend_checksum(text(fnv_checksum(b"row"), run), b"w"), &number);
        let sum = text(text(sum, &task), after);
        let task = task.replace('\'', "''");
        format!(
            "UPDATE queue SET task = '{task}', checksum = '{sum:016x}' WHERE run = '{run}' AND place = {place}; "
        )
    };
    let updates: String = rows.lines().map(update).collect();
    server.ask(database, &updates).unwrap();
}

/// The databases of two workers: a file, and a server's where there is one.
fn databases_for_two(folder: &Path) -> Vec<String> {
    let file = folder.join("two.db").to_str().unwrap().to_string();
    std::iter::once(file).chain(shared_server().map(|server| server.new_database())).collect()
}

/// Does `works.toml` with one thread on a file, and with two workers elsewhere, who have none of its files. Gives the file that it writes, the
/// same in all cases.
fn work_alone_and_in_two(folder: &Path, written: &str, extra: &[&str]) -> Vec<u8> {
    let campaign = |words: &[&str], database: &str| {
        let output = run(folder, &[&["campaign"][..], words, &["works.toml", "--db", database]].concat());
        succeeded(&output);
    };
    let written = folder.join(written);
    let one = folder.join("one.db").to_str().unwrap().to_string();
    campaign(&["run", "--threads", "1"], &one);
    let expected = std::fs::read(&written).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    for database in databases_for_two(folder) {
        std::fs::remove_file(&written).unwrap();
        campaign(&["run", "--hand-out"], &database);
        let workers = [(); 2].map(|()| worker_with(elsewhere.path(), &database, extra));
        for mut worker in workers {
            assert!(worker.wait().unwrap().success());
        }
        assert_eq!(table(&database), table(&one));
        campaign(&["report"], &database);
        assert!(std::fs::read(&written).unwrap() == expected, "{database}: another file");
    }
    expected
}

/// Labels of a judge: the games travel in the database, and the file is the same byte for byte, whoever has judged.
#[test]
fn labels_of_two_workers_are_the_file_of_one_thread() {
    let folder = tempfile::tempdir().unwrap();
    made_up_games::games(folder.path(), "games.txt", 6);
    let judge = format!("{} analysis --quiet --threads 1", env!("CARGO_BIN_EXE_ishi"));
    let line =
        format!("games.txt --judge '{judge}' --visits 8 --policy visits --positions 40 --seed 3 --out");
    std::fs::write(
        folder.path().join("works.toml"),
        format!("labels = [{:?}]\n", format!("{line} labels.tsv")),
    )
    .unwrap();
    let labels = work_alone_and_in_two(folder.path(), "labels.tsv", &["--program", &judge]);
    let sorted = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let mut lines: Vec<String> =
            text.lines().filter(|line| !line.starts_with('#')).map(str::to_string).collect();
        lines.sort();
        lines
    };
    let mut words = vec!["go".to_string(), "label".to_string()];
    words.extend(shlex::split(&format!("{line} direct.tsv")).unwrap());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    succeeded(&run(folder.path(), &words));
    let direct = std::fs::read(folder.path().join("direct.tsv")).unwrap();
    assert_eq!(
        (sorted(&labels).len(), sorted(&labels)),
        (40, sorted(&direct)),
        "as `ishi go label` writes them"
    );
    let report = run(folder.path(), &["campaign", "report", "works.toml", "--db", "one.db"]);
    succeeded(&report);
    for part in
        ["refused: 0 of 40 (0.0 %, 95 % interval 0.0 to 8.8 %)", "mean win rate of Black, by games: 0."]
    {
        assert!(stdout(&report).contains(part), "{part:?}: {}", stdout(&report));
    }
}

/// Each level of windows follows from the counts of the level before in all games: tasks that join those of all parts.
#[test]
fn patterns_of_two_workers_are_the_file_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let game = |number: usize| {
        let (moves, result) =
            if number.is_multiple_of(3) { ("pddpqfcnqn", "W+R") } else { ("pddpfqcnnq", "B+R") };
        format!("{number}\tmade-up\t2020\t19\t6.5\t0\t-\t{result}\t9d\t9d\tB\t{moves}\n")
    };
    std::fs::write(folder.path().join("games.txt"), (0..150).map(game).collect::<String>()).unwrap();
    let line = "games.txt --min-count 5 --min-share 0.2 --growth 1 --out";
    std::fs::write(folder.path().join("works.toml"), format!("patterns = [\"{line} mined.txt\"]\n")).unwrap();
    let mined = work_alone_and_in_two(folder.path(), "mined.txt", &[]);
    let command = ["go", "learn-shapes"].into_iter();
    let words: Vec<&str> = command.chain(line.split(' ')).chain(["direct.txt"]).collect();
    succeeded(&run(folder.path(), &words));
    assert!(std::fs::read(folder.path().join("direct.txt")).unwrap() == mined, "as the command writes it");
    assert!(String::from_utf8(mined).unwrap().contains("pattern "), "something was found");
    let report = run(folder.path(), &["campaign", "report", "works.toml", "--db", "one.db"]);
    succeeded(&report);
    assert!(stdout(&report).contains("from 150 games"), "{}", stdout(&report));
}

/// Says who it is, and ends when it is asked about a position.
const CRASHING_JUDGE: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
        *query_version*) echo '{"id":"query_version","action":"query_version","version":"Fake 1"}' ;;
        *query_models*) echo '{"id":"query_models","action":"query_models","models":[]}' ;;
        *) echo 'out of memory' >&2; exit 3 ;;
    esac
done
"#;

/// A program that always crashes ends as a failure with a name, after a bounded number of tries, and nobody waits for it.
#[test]
fn a_task_that_always_fails_is_named_in_report_and_status() {
    let folder = tempfile::tempdir().unwrap();
    made_up_games::games(folder.path(), "games.txt", 2);
    let judge = folder.path().join("judge");
    write_program(&judge, CRASHING_JUDGE);
    let line = format!("games.txt --judge '{} x' --positions 5 --out labels.tsv", judge.display());
    std::fs::write(folder.path().join("works.toml"), format!("labels = [{line:?}]\n")).unwrap();
    let failed = run(folder.path(), &["campaign", "run", "works.toml", "--threads", "1", "--db", "c.db"]);
    assert_eq!(failed.status.code(), Some(4), "{}", stderr(&failed));
    let named = "task 0 is given up after 3 tries: ";
    assert!(stdout(&failed).contains(named), "{}\n{}", stdout(&failed), stderr(&failed));
    assert!(stderr(&failed).contains("1 tasks of works are given up"), "{}", stderr(&failed));
    for command in ["status", "report"] {
        let told = run(folder.path(), &["campaign", command, "works.toml", "--db", "c.db"]);
        succeeded(&told);
        assert!(stdout(&told).contains(named), "{command}: {}", stdout(&told));
    }
    let command = format!("{} x", judge.display());
    let other = ["worker", "c.db", "--threads", "1", "--program", &command];
    succeeded(&run(folder.path(), &other));
    let status = run(folder.path(), &["campaign", "status", "works.toml", "--db", "c.db", "--json"]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    let failure = &status["failures"][0];
    assert_eq!(failure["task"], 0);
    assert_eq!(failure["tries"], 3);
    assert_eq!(failure["given_up"], true);
}

/// As a judge that has lost its memory: while a file lies beside it, it says who it is and judges nothing.
fn write_mendable_judge(judge: &Path) {
    let ishi = env!("CARGO_BIN_EXE_ishi");
    let script = format!(
        "#!/bin/sh\nif [ -e \"$0.broken\" ]; then\n    while read -r line; do\n        case \"$line\" in\n            \
         *query_*) echo \"$line\" ;;\n            *) exit 3 ;;\n        esac\n    done | {ishi} analysis --quiet --threads 1\n    \
         exit 3\nfi\nexec {ishi} analysis --quiet --threads 1\n"
    );
    write_program(judge, &script);
}

/// A line that has gone from the file, or a step of a tuning: nothing opens their jobs again, and they must not end all that follows.
#[test]
fn what_is_given_up_is_tried_anew_though_its_line_has_gone() {
    let folder = tempfile::tempdir().unwrap();
    made_up_games::games(folder.path(), "games.txt", 2);
    let (judge, broken) = (folder.path().join("judge"), folder.path().join("judge.broken"));
    write_mendable_judge(&judge);
    std::fs::write(&broken, "").unwrap();
    let judge = judge.display();
    let line =
        format!("games.txt --judge '{judge}' --visits 8 --policy visits --positions 5 --out labels.tsv");
    let campaign = folder.path().join("works.toml");
    std::fs::write(&campaign, format!("labels = [{line:?}]\n")).unwrap();
    let again = || run(folder.path(), &["campaign", "run", "works.toml", "--threads", "1", "--db", "c.db"]);
    let failed = again();
    assert_eq!(failed.status.code(), Some(4), "{}", stderr(&failed));
    assert!(stderr(&failed).contains("1 tasks of works are given up"), "{}", stderr(&failed));
    std::fs::remove_file(&broken).unwrap();
    std::fs::write(&campaign, "matches = [\"go-random go-random --size 5 --pairs 1\"]\n").unwrap();
    let done = again();
    succeeded(&done);
    assert!(!stdout(&done).contains("Failures"), "{}", stdout(&done));
    let store = Store::open_read_only(&folder.path().join("c.db")).unwrap();
    let finished: Vec<u64> = store.list_runs().unwrap().runs.iter().map(|run| run.finished).collect();
    assert_eq!(finished, [1, 1]);
}

/// Black has one liberty; a stone in the open is not captured.
const PROBLEMS: &str = "corner\tattack\tA1\t9\twhite\tai\tbi\t7\t[1 A2]\t0\n\
                        open\tattack\tE5\t9\twhite\tee\tbi\t7\t[1 A2]\t0\n";

/// Six empty squares; the scores for Black are -40 and, as Black must pass, -52.
const ENDS: &str = "-OOO-XOO-OOOXOOOOOOXOXOOOOXOOXOOOXOOOXOOOOXOOOOOO-XXXOOO--XXXOOO X;\n\
                    OX-OOOO-OOXXOOXO-XOOOXX-XXOOXXXOXXXOOXXOXXOOOXXOXXXXOXXOOO-XXXX- X;\n";

/// Openings, a player's weights, problems and positions lie in files that the workers do not have.
#[test]
fn self_play_problems_and_endgames_of_two_workers_are_those_of_one_thread() {
    let folder = tempfile::tempdir().unwrap();
    let self_play = "--games 20 --depth 1 --exact 6 --seed 3 --out";
    let campaign = format!(
        "matches = [\"wpc:ten.txt othello-random --game othello --pairs 4 --opening openings.txt\"]\nproblems = [\"p.txt --engine go-random\"]\nself-play = [\"{self_play} labels.bin\"]\nendgames = [\"ends.obf --hash 12\"]\n"
    );
    for (name, text) in [
        ("ten.txt", "1 -0.25 0.1 0.05 -0.25 0.01 0.01 0.05 0.02 0.5\n"),
        ("openings.txt", "f5d6c3\nf5f6\n"),
        ("p.txt", PROBLEMS),
        ("ends.obf", ENDS),
        ("works.toml", campaign.as_str()),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let played = work_alone_and_in_two(folder.path(), "labels.bin", &[]);
    let command = ["othello", "evaluation", "self-play"].into_iter();
    let words: Vec<&str> = command.chain(self_play.split(' ')).chain(["direct.bin"]).collect();
    succeeded(&run(folder.path(), &words));
    assert!(std::fs::read(folder.path().join("direct.bin")).unwrap() == played, "as the command writes it");
    assert!(played.len() > 1000, "{} bytes", played.len());
    let report = run(folder.path(), &["campaign", "report", "works.toml", "--db", "one.db"]);
    succeeded(&report);
    let text = stdout(&report);
    for part in [
        "8 games of Othello",
        "\n\nproblems p.txt --engine go-random\n",
        "\n\nself-play --games 20 --depth 1 ",
        "\n\nendgames ends.obf --hash 12\n",
        "2      1 ( 50.0 %)",
        "right: 1 of 2 (50.0 %, 95 % interval 9.5 to 90.5 %)",
        "20 games in labels.bin",
        "mean score of a game's first position, in discs of the side to move: ",
        "   -40 ",
        "pass    -52 ",
        "2 positions, ",
    ] {
        assert!(text.contains(part), "{part:?}: {text}");
    }
}

/// Six cards: what they cost, and which go well together.
const CARDS: &str = "name,cost,score\nAnt,1,1\nBee,2,1\nCat,4,2\nDog,3,2\nElk,5,3\nFox,2,1\n";
const CARD_PAIRS: &str = "a,b,score\nAnt,Bee,5\nBee,Cat,9\nCat,Dog,4\nDog,Elk,6\nElk,Fox,8\nAnt,Fox,3\n";

/// Exact searches in parts, and counts: pool and pairs lie in files that the workers do not have.
#[test]
fn decks_and_sequences_of_two_workers_are_those_of_one_thread() {
    let folder = tempfile::tempdir().unwrap();
    let deck = "cards.csv --pairs pairs.csv --size 3 --limit cost=8";
    let sequences = "--sequence optimal-boards --sequence classes --to 5";
    let campaign = format!("decks = [\"{deck} --parts 3\"]\nsequences = [\"terms {sequences}\"]\n");
    for (name, text) in [("cards.csv", CARDS), ("pairs.csv", CARD_PAIRS), ("works.toml", campaign.as_str())] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    work_alone_and_in_two(folder.path(), "terms/b347632.txt", &[]);
    let words = |command: &'static str, line: &'static str| {
        command.split(' ').chain(line.split(' ')).collect::<Vec<&str>>()
    };
    succeeded(&run(folder.path(), &words("strings oeis direct", sequences)));
    for name in ["b347632.txt", "terms.txt", "classes.txt"] {
        let file = |place: &str| std::fs::read(folder.path().join(place).join(name)).unwrap();
        assert!(file("terms") == file("direct"), "{name}: as the command writes it");
    }
    let built = run(folder.path(), &words("deck build", deck));
    succeeded(&built);
    let best = stdout(&built).lines().next().unwrap().to_string();
    assert!(best.contains("proved optimal"), "{best}");
    let report = run(folder.path(), &["campaign", "report", "works.toml", "--db", "one.db"]);
    succeeded(&report);
    for part in [best.as_str(), "searched in 3 parts", "b347632.txt: 1 to 5, ends with "] {
        assert!(stdout(&report).contains(part), "{part:?}: {}", stdout(&report));
    }
}

/// Else a worker whose database is mistyped would say that all is done.
#[test]
fn a_worker_does_not_make_its_database() {
    let folder = tempfile::tempdir().unwrap();
    let refused = run(folder.path(), &["worker", "none.db"]);
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    assert!(
        stderr(&refused).contains("there is no database none.db: `ishi campaign run"),
        "{}",
        stderr(&refused)
    );
    assert!(!folder.path().join("none.db").exists());
}

/// Whoever mistypes a campaign, or starts workers too early, must not believe that something was done.
#[test]
fn a_worker_that_finds_no_work_says_where_it_comes_from() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("c.toml"), "matches = [\"go-random go-random --size 5 --pairs 1\"]\n")
        .unwrap();
    succeeded(&run(folder.path(), &["campaign", "run", "c.toml", "--hand-out", "--db", "c.db"]));
    let told = |words: &[&str]| {
        let output = run(folder.path(), &[&["worker", "c.db", "--threads", "1"][..], words].concat());
        succeeded(&output);
        stderr(&output)
    };
    let other = told(&["--campaign", "d"]);
    assert!(other.contains("nothing of campaign \"d\" was left to do"), "{other}");
    assert!(other.contains("`ishi campaign run FILE --hand-out --db c.db` puts work there"), "{other}");
    let working = told(&[]);
    assert!(working.contains("1 tasks finished") && !working.contains("was left to do"), "{working}");
    assert!(told(&[]).contains("nothing was left to do"));
}

/// A judge is a program: no worker starts one that its owner has not named.
#[test]
fn a_worker_starts_no_judge_that_only_the_database_names() {
    let folder = tempfile::tempdir().unwrap();
    made_up_games::games(folder.path(), "games.txt", 2);
    let judge = format!("{} analysis --quiet --threads 1", env!("CARGO_BIN_EXE_ishi"));
    let line =
        format!("games.txt --judge '{judge}' --visits 8 --policy visits --positions 4 --out labels.tsv");
    std::fs::write(folder.path().join("works.toml"), format!("labels = [{line:?}]\n")).unwrap();
    succeeded(&run(folder.path(), &["campaign", "run", "works.toml", "--hand-out", "--db", "c.db"]));
    let refused = run(folder.path(), &["worker", "c.db", "--threads", "1"]);
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("one of the programs that are allowed here"), "{}", stderr(&refused));
    let halfway = run(folder.path(), &["campaign", "report", "works.toml", "--db", "c.db"]);
    succeeded(&halfway);
    assert!(stdout(&halfway).contains("0 of 1 tasks are finished"), "{}", stdout(&halfway));
    assert!(!folder.path().join("labels.tsv").exists(), "nothing is written before all is judged");
    let launched = run(
        folder.path(),
        &["launch", "slurm", "works.toml", "--db", "postgres://me@far/games", "--workers", "2"],
    );
    succeeded(&launched);
    assert!(stdout(&launched).contains("--program"), "launched workers may start it: {}", stdout(&launched));
    succeeded(&run(folder.path(), &["worker", "c.db", "--threads", "1", "--program", &judge]));
}

/// A learning run over two seeds, in blocks of which each goes on from the one before.
const LEARNING: &str = "
block_games = 100
measure_games = 4
final_games = 4
even_groups = 2
run = [{ name = \"group\", method = \"group\", seeds = 2, games = 300, options = { population = 6, t_max = 3, games = 4, group = 3 } }]
";

/// `ishi lab run` on a file and on a server, and two workers on both: the same tables.
#[test]
fn a_learning_run_is_the_same_on_a_server_and_by_workers() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = folder.path().join("experiments/900-small");
    std::fs::create_dir_all(&experiment).unwrap();
    let config = format!("kind = \"othello-learning\"\n[full]{LEARNING}[quick]{LEARNING}");
    let files =
        [("README.md", "# A small experiment\n"), ("config.toml", config.as_str()), ("expected.toml", "")];
    for (name, text) in files {
        std::fs::write(experiment.join(name), text).unwrap();
    }
    std::fs::write(folder.path().join("c.toml"), "experiments = [\"900\"]\n").unwrap();
    let lab = |database: &str| {
        succeeded(&run(folder.path(), &["lab", "run", "900", "--threads", "1", "--db", database]));
        table(database)
    };
    let one = folder.path().join("one.db").to_str().unwrap().to_string();
    let expected = lab(&one);
    assert!(expected.lines().count() >= 9, "{expected}");
    if let Some(server) = shared_server() {
        assert_eq!(lab(&server.new_database()), expected);
    }
    for database in databases_for_two(folder.path()) {
        succeeded(&run(folder.path(), &["campaign", "run", "c.toml", "--hand-out", "--db", &database]));
        let elsewhere = tempfile::tempdir().unwrap();
        let mut workers = [(); 2].map(|()| worker(elsewhere.path(), &database));
        workers.iter_mut().for_each(wait_for_success);
        assert_eq!(table(&database), expected);
    }
}

/// What is stopped leaves the queue, what is finished stays, and the same command goes on.
#[test]
fn a_campaign_that_is_stopped_goes_on_later() {
    let folder = with_campaign();
    let database = folder.path().join("ishi.db").to_str().unwrap().to_string();
    hand_out(folder.path(), &database);
    let mut first = worker(folder.path(), &database);
    wait_for_tasks(&database, 5);
    let stopped = run(folder.path(), &["campaign", "stop", "ladder.toml"]);
    succeeded(&stopped);
    assert!(stderr(&stopped).contains("tasks are taken off the queue"), "{}", stderr(&stopped));
    wait_for_success(&mut first);
    let status = run(folder.path(), &["campaign", "status", "ladder.toml", "--json"]);
    succeeded(&status);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    let jobs = status["jobs"].as_array().unwrap();
    let sum = |what: &str| jobs.iter().map(|job| job[what].as_u64().unwrap()).sum::<u64>();
    assert!(sum("open") == 0 && sum("finished") >= 5 && sum("stopped") > 0, "it is still there: {jobs:?}");
    assert_eq!(status["made_by"]["command"], "ishi campaign status ladder.toml --json");
    assert_ne!(table(&database), reference());
    succeeded(&run(folder.path(), &["campaign", "run", "ladder.toml", "--threads", "2"]));
    assert_eq!(table(&database), reference());
}

/// Who looks before anything was put there is told how that begins, and who stops nothing is told so. A name that is no database makes none.
#[test]
fn a_database_without_the_campaign_is_told_from_one_that_is_not_there() {
    let folder = with_campaign();
    let campaign = |words: &[&str], database: &str| {
        run(folder.path(), &[&["campaign"][..], words, &["ladder.toml", "--db", database]].concat())
    };
    let told = |output: &Output, code: i32, words: &str| {
        let text = stdout(output) + &stderr(output);
        assert!(output.status.code() == Some(code) && text.contains(words), "{words}: {text}");
    };
    std::fs::write(folder.path().join("empty.db"), "").unwrap();
    for (database, what) in
        [("none.db", "there is no such file"), ("empty.db", "nothing of ishi has been put")]
    {
        for words in ["status", "report"] {
            let output = campaign(&[words], database);
            told(&output, 4, what);
            let run = format!("the campaign begins with: ishi campaign run ladder.toml --db {database}\n");
            told(&output, 4, &run);
        }
    }
    told(&campaign(&["stop"], "none.db"), 3, "nothing to stop: there is no database none.db");
    assert!(!folder.path().join("none.db").exists(), "stopping makes no database");
    told(&campaign(&["stop"], "empty.db"), 0, "ladder: nothing of it is in empty.db");
    let slip = "postgres:/me:secret@h/d";
    let outputs = ["run", "status", "stop", "mend"].map(|words| campaign(&[words], slip));
    for output in outputs.iter().chain([&run(folder.path(), &["worker", slip])]) {
        told(output, 3, "a server must begin with postgres://");
        assert!(!stderr(output).contains("secret"), "{}", stderr(output));
    }
    std::fs::write(folder.path().join("nowhere.toml"), format!("db = \"\"\n{CAMPAIGN}")).unwrap();
    let output = run(folder.path(), &["campaign", "run", "nowhere.toml", "--hand-out"]);
    told(&output, 3, "it must name a file or a server");
}

/// A match that stands in two campaigns is done by workers of either, counts for both, and goes on when one of them is stopped.
#[test]
fn a_match_of_two_campaigns_belongs_to_both() {
    let folder = with_campaign();
    std::fs::copy(folder.path().join("ladder.toml"), folder.path().join("again.toml")).unwrap();
    for database in databases_for_two(folder.path()) {
        let campaign = |command: &str, file: &str, extra: &[&str]| {
            let words = [&["campaign", command, file, "--db", database.as_str()][..], extra].concat();
            let output = run(folder.path(), &words);
            succeeded(&output);
            output
        };
        let hand_out = |file: &str| {
            let output = campaign("run", file, &["--hand-out"]);
            stderr(&output).matches(" stands in the campaign ladder, too: ").count()
        };
        let count = |file: &str, what: &str| -> u64 {
            let status = campaign("status", file, &["--json"]);
            let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
            status["jobs"].as_array().unwrap().iter().map(|job| job[what].as_u64().unwrap()).sum()
        };
        let counts = |file: &str| ["finished", "open", "stopped"].map(|what| count(file, what));
        assert_eq!(hand_out("ladder.toml"), 0);
        assert_eq!(hand_out("ladder.toml"), 0, "its own");
        assert_eq!(hand_out("again.toml"), 2);
        assert_eq!((counts("ladder.toml"), counts("again.toml")), ([0, 90, 0], [0, 90, 0]));

        let stopped = stderr(&campaign("stop", "again.toml", &[]));
        assert!(stopped.contains("90 tasks are left, and 90 of them go on"), "{stopped}");
        assert_eq!((counts("ladder.toml"), counts("again.toml")), ([0, 90, 0], [0, 0, 90]));
        let work = |name: &str| {
            let output = run(folder.path(), &["worker", &database, "--threads", "2", "--campaign", name]);
            succeeded(&output);
            stderr(&output)
        };
        assert!(work("again").contains("nothing of campaign"), "it is stopped");
        assert_eq!(hand_out("again.toml"), 2);
        assert!(work("again").contains("90 tasks finished, "), "either campaign is enough");
        assert_eq!((counts("ladder.toml"), counts("again.toml")), ([90, 0, 0], [90, 0, 0]));
        let bench = Workbench::with_options(Path::new(&database), "127.0.0.1:0", &["--no-token"]);
        let board = bench.page("/lab/campaigns");
        for name in ["ladder", "again"] {
            let row = board.split_once(&format!("<th scope=\"row\">{name}</th>"));
            let row = row.and_then(|(_, rest)| rest.split("</tr>").next());
            assert!(row.is_some_and(|row| row.contains("value=\"90\"")), "{name}: {board}");
        }
        drop(bench);
        let report = |file: &str| stdout(&campaign("report", file, &[]));
        assert_eq!(report("ladder.toml"), report("again.toml"));
        assert_eq!(table(&database), reference());
    }
}

/// The longer campaign goes on with the pairs of the shorter one, which has no more of them for that.
#[test]
fn each_of_two_campaigns_counts_its_own_pairs_of_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let campaigns = [("short.toml", 3), ("long.toml", 8)];
    let campaign = |command: &str, file: &str| {
        let output = run(folder.path(), &["campaign", command, file, "--db", "c.db", "--json"]);
        succeeded(&output);
        stdout(&output)
    };
    for (file, pairs) in campaigns {
        let line = format!("go-random go-capture --size 5 --seed 3 --pairs {pairs}");
        std::fs::write(folder.path().join(file), format!("matches = [\"{line}\"]\n")).unwrap();
        campaign("run", file);
    }
    for (file, pairs) in campaigns {
        let status: serde_json::Value = serde_json::from_str(&campaign("status", file)).unwrap();
        assert_eq!(status["jobs"][0]["finished"], pairs, "{file}: {status}");
    }
    let bench = Workbench::with_options(&folder.path().join("c.db"), "127.0.0.1:0", &["--no-token"]);
    let board = bench.page("/lab/campaigns");
    for (name, pairs) in [("short", 3), ("long", 8)] {
        let row = board.split_once(&format!("<th scope=\"row\">{name}</th>"));
        let row = row.and_then(|(_, rest)| rest.split("</tr>").next());
        assert!(row.is_some_and(|row| row.contains(&format!("value=\"{pairs}\""))), "{name}: {board}");
    }
}

/// A match that its test has decided is finished: it is there with what it has brought, and is not handed out again.
#[test]
fn a_match_that_is_decided_stays_to_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let line = "go-random go-capture --size 5 --pairs 5000 --sprt 0 30";
    std::fs::write(folder.path().join("c.toml"), format!("matches = [\"{line}\"]\n")).unwrap();
    let campaign = |words: &[&str]| {
        let output = run(folder.path(), &[&["campaign"][..], words, &["c.toml", "--db", "c.db"]].concat());
        succeeded(&output);
        stdout(&output)
    };
    let report = campaign(&["run"]);
    assert!(report.contains("decided after "), "{report}");
    let status = || -> serde_json::Value { serde_json::from_str(&campaign(&["status", "--json"])).unwrap() };
    let job = status()["jobs"][0].clone();
    assert_eq!((&job["open"], &job["stopped"]), (&0.into(), &0.into()), "{job}");
    assert!(job["finished"].as_u64().unwrap() >= 20, "{job}");
    let told = campaign(&["run", "--hand-out"]);
    assert!(told.starts_with("c: 0 tasks wait for workers in "), "{told}");
    assert_eq!(status()["jobs"][0], job);
}

/// A match on a server as on a file: the same command, the same report, and ratings.
#[test]
fn a_match_is_kept_on_a_server() {
    let Some(server) = shared_server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let address = server.new_database();
    let args = ["match", "go-random", "go-capture", "--size", "5", "--pairs", "4", "--json", "--db"];
    let played = |database: &str| -> serde_json::Value {
        let output = run(folder.path(), &[&args[..], &[database]].concat());
        succeeded(&output);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (server_first, file) = (played(&address), played("a.db"));
    assert_eq!(server_first["results"], file["results"]);
    let again = played(&address);
    assert_eq!((&again["pairs_found"], &again["results"]), (&serde_json::json!(4), &file["results"]));
    let ratings = run(folder.path(), &["ratings", &address]);
    succeeded(&ratings);
    assert!(
        stdout(&ratings).contains("go-capture") && !stdout(&ratings).contains("%20"),
        "{}",
        stdout(&ratings)
    );
    let wrong = address.replace("of%20the%20tests", "no");
    let output = run(folder.path(), &[&args[..], &[&wrong]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}

/// Two results that differ are told, by exit code 1.
#[test]
fn an_alarm_ends_with_an_exit_code() {
    let folder = with_campaign();
    let database = folder.path().join("ishi.db");
    let output = run(folder.path(), &["campaign", "run", "ladder.toml", "--hand-out"]);
    succeeded(&output);
    let mut store = Store::open(&database).unwrap();
    let job = store.list_jobs().unwrap().remove(0);
    let lease = ishi_lab::store::Lease { worker: "a", time: Duration::ZERO };
    let claimed = store.claim_tasks(&job.run, &job.campaign, 1, lease).unwrap().remove(0);
    drop(store);
    let output = run(folder.path(), &["campaign", "run", "ladder.toml", "--threads", "2"]);
    succeeded(&output);
    let mut store = Store::open(&database).unwrap();
    let kept = store.find_result(&claimed.task).unwrap().unwrap();
    let task = ishi_lab::store::StoreTask::new(ishi_lab::store::PAIR_KIND, kept.spec);
    assert_eq!(task.id(), claimed.task);
    let wrong = ishi_lab::store::NewResult {
        result: serde_json::json!("another"),
        seed: kept.seed,
        cost: kept.cost,
        games: Vec::new(),
    };
    store.keep_compared_result(&task, &wrong, Some((&job.run, claimed.place)), "b").unwrap();
    drop(store);
    let output = run(folder.path(), &["campaign", "status", "ladder.toml"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("ALARM: 1 results differ"), "{}", stdout(&output));
}

/// Changes a bit in the description of the only job of seven pairs: on a file behind the database's back.
fn damage_job_of_seven_pairs(database: &str) {
    match database.strip_prefix("postgres://") {
        Some(address) => {
            let name = address.rsplit('/').next().unwrap();
            let sql = r#"UPDATE jobs SET job = replace(job, '"--pairs","7"', '"--pairs","6"')"#;
            shared_server().unwrap().ask(name, sql).unwrap();
        }
        None => {
            // Whoever closes it last writes all into one file.
            drop(Store::open(Path::new(database)).unwrap());
            let written = r#""--pairs","7"#;
            flip_bit_at(Path::new(database), written, written.len() - 1);
        }
    }
}

/// Takes out the damaged job of `other`, and then nothing.
fn mend_and_check(folder: &Path, database: &str) {
    let mended = run(folder, &["campaign", "mend", "--db", database]);
    succeeded(&mended);
    let text = stdout(&mended);
    assert!(text.contains("Taken out of ") && text.contains("\n  other: job of run "), "{text}");
    assert!(text.ends_with("\nother must be run again, with its own file\n"), "{text}");
    let again = run(folder, &["campaign", "mend", "--db", database, "--json"]);
    succeeded(&again);
    let again: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!((&again["taken_out"], &again["damaged"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert!(again["made_by"]["command"].as_str().unwrap().starts_with("ishi campaign mend --db "), "{again}");
}

/// A damaged row of one campaign hides no other. It is told by name, with the commands that take it out and make it anew.
#[test]
fn a_damaged_campaign_hides_no_other_and_is_made_anew() {
    let folder = with_campaign();
    let other = "matches = [\"go-random go-capture --size 5 --pairs 7\"]\n";
    std::fs::write(folder.path().join("other.toml"), other).unwrap();
    for database in databases_for_two(folder.path()) {
        let campaign = |command: &str, file: &str, extra: &[&str]| {
            run(folder.path(), &[&["campaign", command, file, "--db", database.as_str()][..], extra].concat())
        };
        hand_out(folder.path(), &database);
        succeeded(&campaign("run", "other.toml", &["--hand-out"]));
        succeeded(&campaign("status", "ladder.toml", &[]));
        damage_job_of_seven_pairs(&database);

        let status = campaign("status", "ladder.toml", &[]);
        let (text, errors) = (stdout(&status), stderr(&status));
        assert_eq!(status.status.code(), Some(3), "{text}\n{errors}");
        assert!(text.contains("Damaged in the database\n  other: job of run "), "{text}");
        let commands = ["ishi campaign mend --db ", "; ishi campaign run ladder.toml --db "];
        assert!(commands.iter().all(|command| errors.contains(command)), "{errors}");
        assert!(errors.contains("; other must then be run again, too, with its own file"), "{errors}");
        let json = campaign("status", "ladder.toml", &["--json"]);
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(json["jobs"].as_array().unwrap().len(), 2);
        assert_eq!(json["damaged"][0]["campaign"], "other");
        let status = campaign("status", "other.toml", &[]);
        assert_eq!(status.status.code(), Some(3));
        let text = stdout(&status);
        assert!(text.contains("other: nothing of it that can be read is in this database"), "{text}");

        let stopped = campaign("stop", "other.toml", &[]);
        assert_eq!(stopped.status.code(), Some(3), "a job that is damaged is not stopped");
        let errors = stderr(&stopped);
        assert!(
            errors.contains("other: job of run ") && errors.contains("ishi campaign mend --db "),
            "{errors}"
        );
        let bench = Workbench::with_options(Path::new(&database), "127.0.0.1:0", &["--no-token"]);
        assert!(bench.page("/damaged").contains("job of run "), "the workbench names it, too");
        drop(bench);
        mend_and_check(folder.path(), &database);
        succeeded(&campaign("run", "other.toml", &["--threads", "2"]));
        let status = campaign("status", "ladder.toml", &["--json"]);
        succeeded(&status);
        let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
        assert_eq!(status["damaged"], serde_json::json!([]));
        let open = status["jobs"].as_array().unwrap().iter().map(|job| job["open"].as_u64().unwrap());
        assert_eq!(open.sum::<u64>(), 90, "nobody has stopped the other campaign");
    }
}

#[test]
fn what_is_wrong_with_a_campaign_is_said_where_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.toml");
    std::fs::write(&file, "matches = [\"go-random go-capture --pears 3\"]\n").unwrap();
    let output = run(folder.path(), &["campaign", "run", "c.toml"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("c.toml:1:12: matches") && stderr(&output).contains("--pears"),
        "{}",
        stderr(&output)
    );
    for (line, code, message) in [
        (
            "matches = [\"go-foo go-capture\"]",
            3,
            "c.toml:1:12: matches: go-foo go-capture: invalid player: no",
        ),
        ("experiments = [\"999\"]", 3, "c.toml:1:16: no experiment \"999\""),
        (
            "matches = [\"go-random go-capture --opening none.txt\"]",
            4,
            "c.toml:1:12: cannot read the openings none.txt",
        ),
        ("problems = [\"none.sgf\"]", 4, "c.toml:1:13: cannot read none.sgf"),
    ] {
        std::fs::write(&file, format!("{line}\n")).unwrap();
        let output = run(folder.path(), &["campaign", "run", "c.toml", "--db", "c.db"]);
        assert_eq!(output.status.code(), Some(code), "{line}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{line}: {}", stderr(&output));
    }
    // Before a server is asked: its programs are those of the file.
    std::fs::write(&file, "experiments = [\"999\"]\n").unwrap();
    for command in [&["campaign", "run"][..], &["launch", "slurm"]] {
        let args = [command, &["c.toml", "--db", "postgres://nobody@127.0.0.1:1/x"]].concat();
        let error = stderr(&run(folder.path(), &args));
        assert!(error.contains("c.toml:1:16: no experiment \"999\""), "{error}");
    }
    std::fs::write(&file, "matches = [\"go-random go-capture --pairs 3\"]\n").unwrap();
    let output =
        run(folder.path(), &["campaign", "status", "c.toml", "--db", "postgres://nobody@127.0.0.1:1/x"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
}

/// A worker may be started while its server is not there yet: on a cluster nobody starts it again.
#[test]
fn a_worker_waits_for_a_server_before_it_begins() {
    let Some(server) = shared_server() else { return };
    let folder = with_campaign();
    let address = server.new_database();
    hand_out(folder.path(), &address);
    let line = CutLine::to_port(server.port);
    line.cut();
    let begin = || {
        let through = line.lead(&address, server.port);
        let mut command = ishi(folder.path(), &["worker", &through, "--threads", "2", "--lease", "2"]);
        let mut worker = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut told = BufReader::new(worker.stderr.take().unwrap());
        let mut first = String::new();
        told.read_line(&mut first).unwrap();
        assert!(first.contains("waits up to 3 minutes") && first.contains("out of reach"), "{first}");
        // What it says later must find somebody who reads.
        std::thread::spawn(move || std::io::copy(&mut told, &mut std::io::sink()));
        worker
    };
    let (mut stopped, mut drained, mut patient) = (begin(), begin(), begin());
    signal(&stopped, "-INT");
    assert_eq!(wait_for_end(&mut stopped).code(), Some(130));
    signal(&drained, "-TERM");
    wait_for_success(&mut drained);
    line.mend();
    wait_for_success(&mut patient);
    assert_eq!(table(&address), reference());
}

/// Who writes to a database of campaigns must not run programs on the workers' machines.
#[test]
fn a_worker_starts_no_program_that_only_the_database_names() {
    let folder = tempfile::tempdir().unwrap();
    let engine = folder.path().join("engine");
    let ishi = env!("CARGO_BIN_EXE_ishi");
    let script = format!("#!/bin/sh\ntouch \"$0.started\"\nexec {ishi} gtp --engine go-random --quiet\n");
    write_program(&engine, &script);
    let command = format!("{} x", engine.display());
    let campaign = format!("matches = [\"go-random '{command}' --size 5 --pairs 1\"]\n");
    std::fs::write(folder.path().join("c.toml"), campaign).unwrap();
    succeeded(&run(folder.path(), &["campaign", "run", "c.toml", "--hand-out", "--db", "c.db"]));
    let started = folder.path().join("engine.started");
    std::fs::remove_file(&started).expect("who hands a match out tries its players");

    let refused = run(folder.path(), &["worker", "c.db", "--threads", "1"]);
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("one of the programs that are allowed here"), "{}", stderr(&refused));
    let other = run(folder.path(), &["worker", "c.db", "--threads", "1", "--program", "gnugo --mode gtp"]);
    assert_eq!(other.status.code(), Some(3), "{}", stderr(&other));
    assert!(!started.exists(), "the program was started");

    succeeded(&run(folder.path(), &["worker", "c.db", "--threads", "1", "--program", &command]));
    assert!(started.exists());
    let store = Store::open_read_only(&folder.path().join("c.db")).unwrap();
    assert_eq!(store.list_runs().unwrap().runs[0].finished, 1);
}

/// A program of the same name and version whose file is another one may play other games.
#[test]
fn a_worker_whose_program_is_another_file_leaves_the_match_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let engine = folder.path().join("engine");
    let command = format!("{} x", engine.display());
    let build = |remark: &str| {
        let ishi = env!("CARGO_BIN_EXE_ishi");
        let script = format!("#!/bin/sh\n# {remark}\nexec {ishi} gtp --engine go-random --quiet\n");
        write_program(&engine, &script);
    };
    let hand_out = |options: &str| {
        let line = format!("go-random '{command}' --size 5 --pairs 1{options}");
        std::fs::write(folder.path().join("c.toml"), format!("matches = [\"{line}\"]\n")).unwrap();
        succeeded(&run(folder.path(), &["campaign", "run", "c.toml", "--hand-out", "--db", "c.db"]));
    };
    let work = || run(folder.path(), &["worker", "c.db", "--threads", "1", "--program", &command]);
    build("the first");
    hand_out("");
    build("the second");
    let left = work();
    assert_eq!(left.status.code(), Some(3), "{}", stderr(&left));
    for words in ["a program is another one: b_files is", engine.to_str().unwrap(), "--programs-by version"] {
        assert!(stderr(&left).contains(words), "{words}: {}", stderr(&left));
    }
    let report = run(folder.path(), &["campaign", "report", "c.toml", "--db", "c.db"]);
    succeeded(&report);
    assert!(stdout(&report).contains("a program is another one: b_files is"), "{}", stdout(&report));
    build("the first");
    succeeded(&work());
    hand_out(" --programs-by version");
    build("the second");
    succeeded(&work());
    let store = Store::open_read_only(&folder.path().join("c.db")).unwrap();
    let finished: Vec<u64> = store.list_runs().unwrap().runs.iter().map(|run| run.finished).collect();
    assert_eq!(finished, [1, 1], "two runs, as what is known of the program is part of its tasks");
}

/// Two built-in players and a program that rates them.
fn write_rated_experiment(folder: &Path, command: &str) {
    let experiment = folder.join("experiments/900-rated");
    std::fs::create_dir_all(&experiment).unwrap();
    let part = |name: &str| {
        format!(
            "[{name}.speed]\nrepetitions = 1\nboards = [{{ side = 5, playouts = 10, reference_playouts = 1 }}]\n\
             [{name}.statistics]\nmatches = [[3, 5]]\n\
             [{name}.ratings]\nside = 5\nkomi = 7.5\nopening_moves = 2\npairs = 1\n\
             players = [\"go-random\", \"go-capture\"]\nanchor = {{ name = \"engine\", command = {command:?} }}\n"
        )
    };
    let config = format!("kind = \"ground\"\n{}{}", part("full"), part("quick"));
    for (name, text) in [("README.md", "# Rated\n"), ("config.toml", config.as_str()), ("expected.toml", "")]
    {
        std::fs::write(experiment.join(name), text).unwrap();
    }
}

/// As for matches, the files of a program count beside what it says of itself, unless the campaign's line says otherwise.
#[test]
fn a_worker_whose_program_is_another_file_leaves_the_experiment_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let engine = folder.path().join("engine");
    let command = format!("{} x", engine.display());
    let build = |remark: &str| {
        let ishi = env!("CARGO_BIN_EXE_ishi");
        let script = format!("#!/bin/sh\n# {remark}\nexec {ishi} gtp --engine go-random --quiet\n");
        write_program(&engine, &script);
    };
    write_rated_experiment(folder.path(), &command);
    let hand_out = |options: &str| {
        let line = format!("experiments = [\"900 --quick{options}\"]\n");
        std::fs::write(folder.path().join("c.toml"), line).unwrap();
        succeeded(&run(folder.path(), &["campaign", "run", "c.toml", "--hand-out", "--db", "c.db"]));
    };
    let work = |extra: &[&str]| run(folder.path(), &[&["worker", "c.db", "--threads", "1"], extra].concat());
    build("the first");
    hand_out("");
    let refused = work(&[]);
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("one of the programs that are allowed here"), "{}", stderr(&refused));
    build("the second");
    let left = work(&["--program", &command]);
    assert_eq!(left.status.code(), Some(3), "{}", stderr(&left));
    for words in ["a program is another one: ", engine.to_str().unwrap(), "--programs-by version"] {
        assert!(stderr(&left).contains(words), "{words}: {}", stderr(&left));
    }
    hand_out(" --programs-by version");
    build("the third");
    succeeded(&work(&["--program", &command]));
    let run_row =
        Store::open_read_only(&folder.path().join("c.db")).unwrap().list_runs().unwrap().runs.remove(0);
    assert!(run_row.finished >= 3, "three pairs of games at least: {}", run_row.finished);
}

/// The files are written and printed, and a shell can read those that are for one.
#[test]
fn launchers_write_files_without_passwords() {
    let folder = with_campaign();
    let launch = |cluster: &str, extra: &[&str]| {
        let args = [&["launch", cluster, "ladder.toml", "--workers", "64"][..], extra].concat();
        run(folder.path(), &args)
    };
    let db = ["--db", "postgres://me@far/games"];
    for (cluster, extra, file) in [
        ("slurm", &db[..], "workers.sbatch"),
        ("kubernetes", &db[..], "workers.yaml"),
        ("compose", &[][..], "compose.yaml"),
        ("ssh", &["--host", "a", "--host", "b", "--db", "postgres://me@far/games"][..], "workers.sh"),
    ] {
        let output = launch(cluster, extra);
        succeeded(&output);
        let database = if cluster == "compose" { "postgres://ishi@localhost/ishi" } else { db[1] };
        let work = format!("ishi campaign run ladder.toml --hand-out --db {database}");
        assert!(stderr(&output).contains(&work), "how the work gets there: {}", stderr(&output));
        let path: PathBuf = folder.path().join("launch").join(file);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), stdout(&output));
        if !file.ends_with("yaml") {
            succeeded(&Command::new("sh").arg("-n").arg(&path).output().unwrap());
            succeeded(&Command::new("bash").arg("-n").arg(&path).output().unwrap());
        }
    }
    let (own, unsaid) = ("means each worker's own machine", "names no server: each worker takes ");
    for (address, told) in [
        ("postgres://me@far/games", [false, false]),
        ("postgres://me@localhost/games", [true, false]),
        ("postgres:///games", [false, true]),
    ] {
        let output = launch("slurm", &["--db", address]);
        succeeded(&output);
        assert_eq!([own, unsaid].map(|words| stderr(&output).contains(words)), told, "{}", stderr(&output));
    }
    let few = ["--host", "a", "--host", "b", "--db", "postgres://me@far/games", "--workers", "1"];
    let output = run(folder.path(), &[&["launch", "ssh", "ladder.toml"][..], &few].concat());
    assert_eq!(output.status.code(), Some(3), "a machine would have no worker");
    // Workers without the program would make other tasks of the experiment, and leave it to others.
    std::fs::write(folder.path().join("lab.toml"), "experiments = [\"010\"]\n").unwrap();
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../experiments");
    let experiments = experiments.to_str().unwrap();
    let args = ["launch", "slurm", "lab.toml", "--experiments", experiments];
    let output = run(folder.path(), &[&args[..], &db].concat());
    succeeded(&output);
    let line = stdout(&output).lines().last().unwrap().to_string();
    let program = "gnugo --mode gtp --level 1 --chinese-rules --positional-superko";
    let allowed = ["--program", program].map(str::to_string);
    assert!(shlex::split(&line).unwrap().ends_with(&allowed), "{line}");
    for (cluster, option, value, with) in [
        ("compose", "--db", "postgres://me@far/games", "slurm, kubernetes, ssh"),
        ("compose", "--minutes", "20", "slurm, kubernetes, ssh"),
        ("slurm", "--image", "ishi:1", "kubernetes, compose"),
        ("kubernetes", "--host", "a", "ssh"),
    ] {
        let output = launch(cluster, &[option, value]);
        assert_eq!(output.status.code(), Some(3), "{cluster} {option}");
        let told = format!("{option} makes no difference here: it must stand with one of {with}");
        assert!(stderr(&output).contains(&told), "{}", stderr(&output));
    }
    let output = launch("slurm", &["--db", "postgres://me:secret@far/games"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(!stderr(&output).contains("secret"), "{}", stderr(&output));
    assert_eq!(launch("slurm", &["--db", "a.db"]).status.code(), Some(3));
    assert_eq!(launch("ssh", &db).status.code(), Some(3), "no machine was named");
}

/// A tool that holds manifests to the schemas that Kubernetes and Compose publish.
const SCHEMA_TOOLS: [(&str, &[&str]); 2] = [
    ("kubernetes-validate", &["--strict"]),
    ("check-jsonschema", &["--builtin-schema", "vendor.compose-spec"]),
];

/// The published schemas take the manifests, and would tell of a field that they do not know.
#[test]
fn manifests_fit_the_published_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = "matches = [\"go-random 'gnugo --mode \\\"g t p\\\"' --size 5 --pairs 1\"]\n";
    std::fs::write(folder.path().join("My ladder's.toml"), campaign).unwrap();
    for ((tool, words), (cluster, options, file, field)) in SCHEMA_TOOLS.into_iter().zip([
        ("kubernetes", &["--db", "postgres://me@far/games"][..], "workers.yaml", "completionMode"),
        ("compose", &["--image", "registry.example.org/ishi:1"][..], "compose.yaml", "replicas"),
    ]) {
        let args = ["launch", cluster, "My ladder's.toml", "--workers", "64", "--cores", "2"];
        succeeded(&run(folder.path(), &[&args[..], options].concat()));
        let path = folder.path().join("launch").join(file);
        let check = || Command::new(tool).args(words).arg(&path).output();
        let Ok(checked) = check() else {
            tell_missing(format_args!("{tool} (pip install {tool})"));
            continue;
        };
        succeeded(&checked);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(field), "{text}");
        std::fs::write(&path, text.replace(field, "unheardOf")).unwrap();
        assert!(!check().unwrap().status.success(), "{tool} takes a field that nobody knows");
    }
}

/// A folder with programs that stand for those of clusters, before all others in `PATH`.
fn with_cluster_programs(folder: &Path, command: &mut Command, programs: &[(&str, &str)]) {
    let place = folder.join("programs");
    std::fs::create_dir_all(&place).unwrap();
    for (name, script) in programs {
        write_program(&place.join(name), script);
    }
    let others = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{others}", place.display()));
}

/// With `--submit` clusters get the file with the words that they take, and what they say is the end.
#[test]
fn launchers_hand_their_files_over() {
    let folder = with_campaign();
    let note = "#!/bin/sh\necho \"$0 $*\" >>\"$NOTES\"\n";
    let refuse = "#!/bin/sh\necho no >&2\nexit 7\n";
    let notes = folder.path().join("notes");
    let launch = |cluster: &str, programs: &[(&str, &str)]| {
        // Nobody listens there.
        let db = ["--db", "postgres://me@127.0.0.1:1/games"];
        let db = if cluster == "compose" { &[][..] } else { &db[..] };
        let args = [&["launch", cluster, "ladder.toml", "--submit"][..], db].concat();
        let mut command = ishi(folder.path(), &args);
        with_cluster_programs(folder.path(), &mut command, programs);
        command.env("NOTES", &notes).output().unwrap()
    };
    for (cluster, program, words) in [
        ("slurm", "sbatch", "launch/workers.sbatch"),
        ("kubernetes", "kubectl", "replace --force -f launch/workers.yaml"),
        ("compose", "docker", "compose -f launch/compose.yaml up -d"),
    ] {
        let launched = launch(cluster, &[(program, note)]);
        succeeded(&launched);
        let unseen = stderr(&launched).contains("whether work waits for workers cannot be seen from here");
        assert_eq!(unseen, cluster != "compose", "{}", stderr(&launched));
        let told = std::fs::read_to_string(&notes).unwrap();
        std::fs::remove_file(&notes).unwrap();
        assert!(told.ends_with(&format!("/{program} {words}\n")), "{told}");
        let refused = launch(cluster, &[(program, refuse)]);
        assert_eq!(refused.status.code(), Some(4), "{cluster}");
        assert!(stderr(&refused).contains(&format!("{program} failed: ")), "{}", stderr(&refused));
    }
}

/// The loop of ssh starts its workers on every machine, and says which it has not reached.
#[test]
fn the_workers_of_ssh_leave_the_table_of_one_thread() {
    /// Each machine is a folder.
    const SSH: &str = "#!/bin/sh\n[ \"$1\" = -- ] || exit 9\n[ \"$2\" = gone ] && exit 255\n\
                       mkdir -p \"$2\" && cd \"$2\" && exec sh -c \"$3\"\n";
    let Some(server) = shared_server() else { return };
    let folder = with_campaign();
    let address = server.new_database();
    let database = address.replace(&format!(":{}@", PASSWORD.replace(' ', "%20")), "@");
    let launch = |machines: &[&str]| {
        let program = env!("CARGO_BIN_EXE_ishi");
        let args = ["launch", "ssh", "ladder.toml", "--submit", "--program", program, "--db", &database];
        let mut command = ishi(folder.path(), &[&args[..], machines].concat());
        with_cluster_programs(folder.path(), &mut command, &[("ssh", SSH)]);
        command.env("PGPASSWORD", PASSWORD).output().unwrap()
    };
    let handed_out = "90 tasks of ladder wait for workers in ";
    let lost = launch(&["--host", "gone"]);
    assert_eq!(lost.status.code(), Some(4), "{}", stderr(&lost));
    assert!(stderr(&lost).contains("gone: cannot be reached"), "{}", stderr(&lost));
    assert!(stderr(&lost).contains(handed_out), "the work was put there: {}", stderr(&lost));
    let launched = launch(&["--host", "a", "--host", "b", "--workers", "3"]);
    succeeded(&launched);
    assert!(!stderr(&launched).contains(handed_out), "it was there: {}", stderr(&launched));
    wait_for_tasks(&address, 90);
    assert_eq!(table(&address), reference());
    for log in ["a/ishi-ladder-1.log", "a/ishi-ladder-2.log", "b/ishi-ladder-1.log"] {
        let start = Instant::now();
        let read = || std::fs::read_to_string(folder.path().join(log)).unwrap_or_default();
        while !read().contains("tasks finished, ") {
            assert!(start.elapsed() < Duration::from_secs(120), "{log}: {}", read());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    assert!(!folder.path().join("b/ishi-ladder-2.log").exists(), "two workers, and one");
    let again = launch(&["--host", "c"]);
    assert_eq!(again.status.code(), Some(3), "{}", stderr(&again));
    assert!(stderr(&again).contains("nothing of ladder is left to do in "), "{}", stderr(&again));
    assert!(!folder.path().join("c").exists(), "no worker is started for nothing");
}

/// What the docs say to users of HyperQueue is what a worker takes.
#[test]
fn the_line_for_hyperqueue_starts_workers() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/campaigns.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let line = docs.split_once("`hq submit ").unwrap().1.split_once('`').unwrap().0;
    let words = shlex::split(line).unwrap();
    let start = words.iter().position(|word| word == "ishi").unwrap();
    assert_eq!(words[..start], ["--array", "1-64", "--cpus", "2"]);
    let folder = with_campaign();
    hand_out(folder.path(), "c.db");
    let given =
        |word: &String| if word.starts_with("postgres://") { "c.db".to_string() } else { word.clone() };
    let words: Vec<String> = words[start + 1..].iter().map(given).collect();
    succeeded(&run(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(table(folder.path().join("c.db").to_str().unwrap()), reference());
}

/// Slurm takes the file, starts its workers side by side, and they leave what one thread leaves.
#[test]
fn the_workers_of_a_slurm_array_leave_the_table_of_one_thread() {
    let Some(slurm) = SlurmCluster::start() else { return };
    let Some(server) = shared_server() else { return };
    let folder = with_campaign();
    let address = server.new_database();
    // The jobs have the password from the environment of who submits them.
    let database = address.replace(&format!(":{}@", PASSWORD.replace(' ', "%20")), "@");
    let launch = |extra: &[&str]| {
        let program = env!("CARGO_BIN_EXE_ishi");
        let args =
            ["launch", "slurm", "ladder.toml", "--workers", "2", "--minutes", "10", "--program", program];
        let mut command = ishi(folder.path(), &[&args[..], &["--db", &database], extra].concat());
        slurm.reach(command.env("PGPASSWORD", PASSWORD)).output().unwrap()
    };
    succeeded(&launch(&[]));
    let mut sbatch = Command::new("sbatch");
    sbatch.args(["--test-only", "launch/workers.sbatch"]).current_dir(folder.path());
    let tested = slurm.reach(&mut sbatch).output().unwrap();
    succeeded(&tested);
    assert!(stderr(&tested).contains("to start at"), "{}", stderr(&tested));

    // This puts the work into the database, too.
    succeeded(&launch(&["--submit"]));
    wait_for_tasks(&address, 90);
    slurm.wait_until_done();
    assert_eq!(table(&address), reference());
    let logs = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let logs: Vec<String> = logs
        .filter(|path| path.extension().is_some_and(|ending| ending == "log"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(logs.len(), 2, "each worker has a log");
    assert!(logs.iter().all(|log| log.contains("tasks finished, ") && !log.contains("%20")), "{logs:?}");
}
