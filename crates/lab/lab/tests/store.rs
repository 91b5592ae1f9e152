//! The database under stress: two writers, a full disk, a read-only folder, foreign and newer files.

// Tests make files and start themselves as other processes.
#![allow(clippy::disallowed_methods)]

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use std::time::Duration;

use ishi_lab::store::{
    FinishedTask, GameFilter, GameRow, Lease, NewResult, QueueEntry, RunList, Store, StoreError, StoreTask,
    StoredDocument, TaskCost, TaskId, TaskJoin, TaskKind, WorkerNote,
};
use ishi_rng::Seed;
use ishi_rng::damage::try_damaged_copies;
use serde_json::json;

use crate::number_of_mutants;
use crate::postgres_server::{self, for_each_database};

fn task(number: usize) -> StoreTask {
    StoreTask::new(TaskKind::new("test"), json!({ "number": number }))
}

fn result(value: usize, games: usize) -> NewResult {
    let game = |n: usize| GameRow {
        black: format!("player {n}"),
        white: "other".into(),
        board: "9x9".into(),
        komi: 7.5,
        sgf: "(;GM[1])".repeat(100),
        ..GameRow::default()
    };
    let cost = TaskCost { cpu_seconds: 0.5, wall_seconds: 1.0 };
    NewResult { result: json!(value), seed: "1".into(), cost, games: (0..games).map(game).collect() }
}

#[test]
fn results_and_games_survive_closing() {
    for_each_database(results_and_games_read_back);
}

fn results_and_games_read_back(path: &Path) {
    let mut store = Store::open(path).unwrap();
    store.start_run("run", "match", &json!({ "a": 1 })).unwrap();
    assert!(store.keep_result(&task(1), &result(10, 2)).unwrap());
    store.add_to_run("run", 0, &task(1).id()).unwrap();
    store.add_to_run("run", 1, &task(2).id()).unwrap();
    drop(store);

    let store = Store::open_read_only(path).unwrap();
    let kept = store.find_result(&task(1).id()).unwrap().unwrap();
    assert_eq!((kept.result, kept.cost.wall_seconds, kept.spec), (json!(10), 1.0, json!({ "number": 1 })));
    assert_eq!(store.find_result_text(&task(1).id()).unwrap().as_deref(), Some("10"));
    assert_eq!(store.find_result_text(&task(2).id()).unwrap(), None);
    assert_eq!(store.results_of_run("run").unwrap().len(), 1, "task 2 is not finished");
    assert_eq!(store.find_run("run").unwrap().unwrap().finished, 1);
    assert_eq!(store.task_at_place("run", 1).unwrap(), Some(task(2).id()));
    let filter = GameFilter { run: Some("run".into()), board: Some("9x9".into()), ..GameFilter::default() };
    let games = store.find_games(&filter).unwrap();
    assert_eq!(games, result(10, 2).games);
    let other = GameFilter { board: Some("19x19".into()), ..GameFilter::default() };
    assert!(store.find_games(&other).unwrap().is_empty());
}

/// A database holds a person's games; the log beside it, too.
#[cfg(unix)]
#[test]
fn a_new_file_belongs_to_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ishi.db");
    let _store = Store::open(&path).unwrap();
    let files: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap()).collect();
    assert!(!files.is_empty());
    for file in files {
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", file.path().display());
    }
}

#[test]
fn the_second_writer_of_a_task_changes_nothing() {
    for_each_database(two_write_the_same_task);
}

fn two_write_the_same_task(path: &Path) {
    let (mut a, mut b) = (Store::open(path).unwrap(), Store::open(path).unwrap());
    assert!(a.keep_result(&task(1), &result(1, 1)).unwrap());
    assert!(!b.keep_result(&task(1), &result(2, 2)).unwrap());
    assert_eq!(b.find_result(&task(1).id()).unwrap().unwrap().result, json!(1));
    assert_eq!(b.find_games(&GameFilter::default()).unwrap().len(), 1);
}

#[test]
fn a_run_keeps_its_settings() {
    for_each_database(settings_of_a_run_stay);
}

fn settings_of_a_run_stay(path: &Path) {
    let mut store = Store::open(path).unwrap();
    store.start_run("r", "match", &json!({ "a": 1 })).unwrap();
    store.start_run("r", "match", &json!({ "a": 1 })).unwrap();
    let error = store.start_run("r", "match", &json!({ "a": 2 })).unwrap_err();
    assert!(matches!(error, StoreError::OtherRun { .. }), "{error}");
    assert!(error.to_string().contains(r#"It has {"a":1}, asked for was {"a":2}"#), "{error}");
}

/// Several processes at once: this test starts itself as the writers.
#[test]
fn processes_write_at_once() {
    for_each_database(three_processes_write);
}

fn three_processes_write(path: &Path) {
    let this = std::env::current_exe().unwrap();
    let start = |name: &str| {
        let mut command = Command::new(&this);
        command.args(["--ignored", "--exact", "store::writer_process"]).env("ISHI_TEST_DB", path);
        command.env("ISHI_TEST_WRITER", name).spawn().unwrap()
    };
    let writers = ["0", "1", "2"].map(start);
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let store = Store::open(path).unwrap();
    let firsts: i64 = (0..3)
        .map(|n| store.find_result(&task(1000 + n).id()).unwrap().unwrap().result.as_i64().unwrap())
        .sum();
    assert_eq!(firsts, 40, "of 40 tasks each had exactly one first writer");
    assert_eq!(store.find_games(&GameFilter::default()).unwrap().len(), 40 * 2);
}

#[test]
#[ignore = "a part of processes_write_at_once"]
fn writer_process() {
    let Ok(path) = std::env::var("ISHI_TEST_DB") else { return };
    let number: usize = std::env::var("ISHI_TEST_WRITER").unwrap().parse().unwrap();
    let mut store = Store::open(Path::new(&path)).unwrap();
    let firsts = (0..40).filter(|&n| store.keep_result(&task(n), &result(n, 2)).unwrap()).count();
    store.keep_result(&task(1000 + number), &result(firsts, 0)).unwrap();
}

#[test]
fn a_full_disk_loses_nothing_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    store.keep_result(&task(0), &result(0, 2)).unwrap();
    store.limit_pages(40).unwrap();
    let mut written = 1;
    let error = loop {
        match store.keep_result(&task(written), &result(written, 2)) {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
        assert!(written < 1000, "the limit must be reached");
    };
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    assert!(error.to_string().contains("a.db") && error.to_string().contains("disk is full"), "{error}");
    drop(store);
    let mut store = Store::open(&path).unwrap();
    for n in 0..written {
        assert_eq!(store.find_result(&task(n).id()).unwrap().unwrap().result, json!(n));
    }
    assert_eq!(store.find_games(&GameFilter::default()).unwrap().len(), 2 * written, "no half task");
    assert!(store.keep_result(&task(written), &result(written, 2)).unwrap(), "with room it goes on");
}

#[test]
fn foreign_newer_and_broken_files_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text.db");
    std::fs::write(
        &text,
        "this is a text, and long enough for a header of a database file, or so it seems".repeat(20),
    )
    .unwrap();
    let before = std::fs::read(&text).unwrap();
    let error = Store::open(&text).unwrap_err();
    assert!(matches!(error, StoreError::NotADatabase { .. }), "{error}");
    let told = "text.db must be a database of ishi: it is a file of another kind. Name another file";
    assert!(error.to_string().ends_with(told), "{error}");
    assert_eq!(std::fs::read(&text).unwrap(), before);

    let broken = folder.path().join("broken.db");
    drop(Store::open(&broken).unwrap());
    let mut bytes = std::fs::read(&broken).unwrap();
    // Its head is whole, so that it is known for a database.
    bytes[4096..].fill(0xaa);
    std::fs::write(&broken, &bytes).unwrap();
    let error = Store::open(&broken).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    assert!(error.to_string().ends_with(". Use a copy from before, or name another file"), "{error}");

    let empty = folder.path().join("empty.db");
    std::fs::write(&empty, "").unwrap();
    let error = Store::open_read_only(&empty).unwrap_err();
    assert!(matches!(error, StoreError::Empty { .. }) && !error.is_input(), "{error}");

    let foreign = folder.path().join("foreign.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x TEXT)").unwrap();
    let before = std::fs::read(&foreign).unwrap();
    assert!(matches!(Store::open(&foreign).unwrap_err(), StoreError::Foreign { .. }));
    assert!(matches!(Store::open_read_only(&foreign).unwrap_err(), StoreError::Foreign { .. }));
    assert_eq!(std::fs::read(&foreign).unwrap(), before);

    let newer = folder.path().join("newer.db");
    drop(Store::open(&newer).unwrap());
    let sql = "INSERT INTO schema_migrations (version, name, applied) VALUES (99, 'later', 0)";
    rusqlite::Connection::open(&newer).unwrap().execute_batch(sql).unwrap();
    for error in [Store::open(&newer).unwrap_err(), Store::open_read_only(&newer).unwrap_err()] {
        assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
    }

    for other in [folder.path(), Path::new("/dev/null")] {
        for error in [Store::open(other).unwrap_err(), Store::open_read_only(other).unwrap_err()] {
            assert!(matches!(error, StoreError::NotADatabase { .. }), "{error}");
        }
    }

    if Path::new("/proc/self").exists() {
        let error = Store::open(Path::new("/proc/ishi.db")).unwrap_err();
        assert!(error.to_string().contains("/proc/ishi.db"), "nobody may write there: {error}");
    }
    let missing = folder.path().join("no/such/folder/a.db");
    let error = Store::open(&missing).unwrap_err();
    assert!(matches!(error, StoreError::CannotOpen { .. }), "{error}");
}

/// A superuser may write everywhere: the test says so and ends.
#[test]
fn read_only_places_can_be_read_and_say_why_they_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a #1?.db");
    let mut store = Store::open(&path).unwrap();
    store.keep_result(&task(1), &result(1, 1)).unwrap();
    drop(store);
    let set = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&path, 0o444);
    set(folder.path(), 0o555);
    let superuser = std::fs::write(folder.path().join("probe"), "").is_ok();
    let opened = Store::open(&path);
    let read =
        Store::open_read_only(&path).map(|store| store.find_games(&GameFilter::default()).unwrap().len());
    set(folder.path(), 0o755);
    if superuser {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: needs a user who is not the superuser (read-only folders do not stop this one)"
        );
        return;
    }
    let error = opened.unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. } | StoreError::CannotOpen { .. }), "{error}");
    assert_eq!(read.unwrap(), 1);
}

#[test]
fn games_are_counted_and_read_in_pages() {
    for_each_database(games_come_in_pages);
}

fn games_come_in_pages(path: &Path) {
    let mut store = Store::open(path).unwrap();
    store.start_run("run", "match", &json!({})).unwrap();
    for number in 0..5 {
        store.keep_result(&task(number), &result(number, 3)).unwrap();
        store.add_to_run("run", number as u64, &task(number).id()).unwrap();
    }
    assert!(store.is_finished(&task(4).id()).unwrap() && !store.is_finished(&task(5).id()).unwrap());
    let all = GameFilter { run: Some("run".into()), ..GameFilter::default() };
    assert_eq!(store.count_games(&all).unwrap(), 15);
    let mut pages = Vec::new();
    for from in (0..16).step_by(4) {
        let page = store.find_games_page(&all, from, 4).unwrap();
        assert!(page.len() <= 4);
        pages.extend(page);
    }
    assert_eq!(pages, store.find_kept_games(&all).unwrap());
    let named = |name: &str| GameFilter { player: Some(name.into()), ..GameFilter::default() };
    assert_eq!(store.count_games(&named("player 1")).unwrap(), 5, "as Black");
    assert_eq!(store.count_games(&named("other")).unwrap(), 15, "as White");
    assert_eq!(store.count_games(&named("nobody")).unwrap(), 0);
}

/// The same rows in the same order, whatever the database sorts by.
#[test]
fn names_come_in_the_order_of_their_bytes() {
    for_each_database(|path| {
        let mut store = Store::open(path).unwrap();
        for name in ["b", "a b", "B", "ab", "é", "a-b"] {
            store.start_run(name, "match", &json!({})).unwrap();
        }
        let names: Vec<String> = store.list_runs().unwrap().runs.into_iter().map(|run| run.name).collect();
        assert_eq!(names, ["B", "a b", "a-b", "ab", "b", "é"]);
    });
}

#[test]
fn documents_are_kept_with_their_revisions() {
    for_each_database(|path| {
        let mut store = Store::open(path).unwrap();
        assert_eq!(store.keep_document("go", "a", "First", &json!({ "sgf": "(;)" }), 0).unwrap(), Some(1));
        assert_eq!(store.keep_document("go", "a", "Again", &json!(1), 0).unwrap(), None);
        assert_eq!(store.keep_document("go", "a", "Second", &json!(2), 1).unwrap(), Some(2));
        assert_eq!(store.keep_document("go", "a", "Late", &json!(3), 1).unwrap(), None);
        let kept = store.find_document("go", "a").unwrap().unwrap();
        assert_eq!((kept.title.as_str(), kept.body, kept.revision), ("Second", json!(2), 2));
        assert_eq!(store.document_titles("go", 9).unwrap(), [("a".to_string(), "Second".to_string())]);
        assert!(!store.forget_document_revision("go", "a", 1).unwrap());
        assert!(store.forget_document_revision("go", "a", 2).unwrap());
        assert!(!store.forget_document("go", "a").unwrap());
    });
}

/// The bytes of a file with every place of `old` made `new`, and how many there were.
fn replace_bytes(path: &Path, old: &str, new: &str) -> usize {
    let mut bytes = std::fs::read(path).unwrap();
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let places: Vec<usize> =
        (0..=bytes.len() - old.len()).filter(|&at| bytes[at..].starts_with(old)).collect();
    for &at in &places {
        bytes[at..at + new.len()].copy_from_slice(new);
    }
    std::fs::write(path, bytes).unwrap();
    places.len()
}

/// SQLite itself notices none of these bits.
#[test]
fn a_bit_that_changed_in_the_file_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    let found = NewResult { result: json!({ "boards": "20896" }), ..result(0, 2) };
    store.start_run("run", "match", &json!({})).unwrap();
    store.keep_result_in_run(&task(1), &found, Some(("run", 0))).unwrap();
    store.keep_document("go", "abc", "a game", &json!({ "sgf": "(;B[dd])" }), 0).unwrap();
    store.keep_document("go", "abc", "a game", &json!({ "sgf": "(;B[ee])" }), 1).unwrap();
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    for (old, new) in [("20896", "20897"), ("player 1", "player 0"), ("(;B[ee])", "(;B[ed])")] {
        std::fs::write(&path, &whole).unwrap();
        assert!(replace_bytes(&path, old, new) > 0);
        let store = Store::open(&path).unwrap();
        let errors = [
            store.find_result(&task(1).id()).err(),
            store.find_result_text(&task(1).id()).err(),
            store.results_of_run("run").err(),
            store.find_games(&GameFilter::default()).err(),
            store.find_document("go", "abc").err(),
        ];
        let words: Vec<String> = errors.into_iter().flatten().map(|error| error.to_string()).collect();
        assert!(!words.is_empty(), "{new} is taken for {old}");
        assert!(words.iter().all(|words| words.contains("does not fit its checksum")), "{words:?}");
    }
}

/// Results, games and documents of the test below.
const KEPT: usize = 6;

fn list_documents<'a>(found: impl IntoIterator<Item = &'a StoredDocument>) -> Vec<String> {
    let line = |one: &StoredDocument| {
        format!("{} {} {} {} {}", one.kind, one.key, one.title, one.body, one.revision)
    };
    found.into_iter().map(line).collect()
}

/// What is read of a store, a list for each question; `None` for a question that is refused.
fn ask_everything(store: &Store) -> Vec<Option<Vec<String>>> {
    let mut answers = Vec::new();
    for number in 0..KEPT {
        let result = store.find_result(&task(number).id()).ok();
        let one = |found: &FinishedTask| format!("{:?} {} {}", found.id, found.spec, found.result);
        answers.push(result.map(|found| found.iter().map(one).collect()));
        answers.push(store.find_result_text(&task(number).id()).ok().map(Vec::from_iter));
        answers.push(
            store.find_document("go", &format!("key {number}")).ok().map(|found| list_documents(&found)),
        );
    }
    let results = store.results_of_run("run").ok();
    let line = |(place, found): &(u64, FinishedTask)| format!("{place} {} {}", found.spec, found.result);
    answers.push(results.map(|found| found.iter().map(line).collect()));
    let games = store.find_games(&GameFilter::default()).ok();
    answers.push(games.map(|found| found.iter().map(|game| format!("{game:?}")).collect()));
    let latest = store.latest_documents("go", 99).ok();
    answers.push(latest.map(|found| list_documents(&found.documents)));
    answers
}

/// Whatever a disk does to the file: what is read of it afterwards is as it was, or missing, or refused.
#[test]
fn no_damage_to_the_file_is_taken_for_another_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    store.start_run("run", "match", &json!({ "a": "player 0" })).unwrap();
    for number in 0..KEPT {
        let place = Some(("run", number as u64));
        store.keep_result_in_run(&task(number), &result(1000 + number, 1), place).unwrap();
        let (key, body) = (format!("key {number}"), json!({ "sgf": format!("(;B[d{number}])") }));
        store.keep_document("go", &key, &format!("game {number}"), &body, 0).unwrap();
    }
    let known = ask_everything(&store);
    assert!(known.iter().all(|answer| answer.as_ref().is_some_and(|lines| !lines.is_empty())), "{known:?}");
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    let (mut same, mut refused, mutants) = (0, 0, number_of_mutants(400));
    try_damaged_copies(&whole, Seed::new(1), mutants, |what, damaged| {
        for ending in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.path().join(format!("a.db{ending}")));
        }
        std::fs::write(&path, damaged).unwrap();
        let Ok(store) = Store::open(&path) else {
            refused += 1;
            return;
        };
        for (found, known) in ask_everything(&store).iter().zip(&known) {
            let Some(found) = found else {
                refused += 1;
                continue;
            };
            let known = known.as_deref().unwrap_or_default();
            assert!(found.iter().all(|line| known.contains(line)), "{what}: {found:?} is not of {known:?}");
            same += u64::from(found.len() == known.len());
        }
    });
    assert!(same > mutants * 5 / 2 && refused > mutants / 8, "{same} {refused} of {mutants}");
}

/// Columns that rows are asked for by.
const NAMES: [(&str, &str); 13] = [
    ("documents", "id"),
    ("tasks", "id"),
    ("games", "task"),
    ("runs", "name"),
    ("run_tasks", "run"),
    ("run_tasks", "task"),
    ("jobs", "run"),
    ("queue", "run"),
    ("queue", "task"),
    ("queue", "after_task"),
    ("joins", "run"),
    ("failures", "run"),
    ("alarms", "task"),
];

/// An empty store whose database takes names for the same that differ in capitals, as one with a damaged index takes others. `None`, said out loud,
/// where the server has no such order of letters.
fn open_confused_store(path: &Path) -> Option<Store> {
    drop(Store::open(path).unwrap());
    if ishi_lab::store::is_server(path) {
        let server = postgres_server::shared_server()?;
        let name = path.to_str().unwrap().rsplit('/').next().unwrap();
        let order =
            "CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)";
        if let Err(said) = server.ask(name, order) {
            let _ = writeln!(std::io::stderr(), "SKIPPED: needs PostgreSQL with ICU: {said}");
            return None;
        }
        for (table, column) in NAMES {
            let change = format!("ALTER TABLE {table} ALTER COLUMN {column} TYPE TEXT COLLATE any_case");
            server.ask(name, &change).unwrap();
        }
    } else {
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.execute_batch("PRAGMA writable_schema = ON").unwrap();
        for (table, column) in NAMES {
            let change = format!(
                "UPDATE sqlite_master SET sql = REPLACE(sql, ' {column} TEXT', ' {column} TEXT COLLATE NOCASE') \
                 WHERE type = 'table' AND name = '{table}'"
            );
            assert_eq!(connection.execute(&change, ()).unwrap(), 1, "{table}");
        }
    }
    Some(Store::open(path).unwrap())
}

/// The row of another name is whole, so no checksum tells that it is not what was asked for.
#[test]
fn a_row_under_another_id_is_never_taken_for_what_was_asked() {
    for_each_database(|path| {
        let Some(mut store) = open_confused_store(path) else { return };
        store.start_run("Run", "match", &json!({})).unwrap();
        store.keep_result_in_run(&task(1), &result(10, 1), Some(("Run", 0))).unwrap();
        let entry = QueueEntry { place: 1, task: task(2).id(), after: None };
        store.open_job("Run", "ladder", &json!({}), &[entry]).unwrap();
        store.note_failure("Run", None, "a", "it is not installed").unwrap();
        store.keep_document("go", "Game", "a game", &json!(1), 0).unwrap();
        let (kept, other) = (task(1).id(), TaskId::from_text(&task(1).id().as_str().to_uppercase()));
        assert_ne!(kept, other);
        check_what_is_asked(&mut store, &kept, &other);
        check_games_of_runs(&mut store, &kept, &other);
        change_another_document(&mut store);
    });
}

/// By its own id each row is found, and by another one it is refused in words.
fn check_what_is_asked(store: &mut Store, kept: &TaskId, other: &TaskId) {
    let games = |task: &TaskId| GameFilter { task: Some(task.clone()), ..GameFilter::default() };
    assert!(store.find_document("go", "Game").unwrap().is_some());
    assert!(store.find_result(kept).unwrap().is_some() && store.is_finished(kept).unwrap());
    assert_eq!(store.find_result_text(kept).unwrap().as_deref(), Some("10"));
    assert_eq!(store.find_games(&games(kept)).unwrap().len(), 1);
    assert!(store.find_run("Run").unwrap().is_some());
    assert_eq!(store.results_of_run("Run").unwrap().len(), 1);
    assert_eq!(store.task_at_place("Run", 0).unwrap().as_ref(), Some(kept));
    assert!(store.find_job_failure("Run").unwrap().is_some());
    let errors = [
        ("document", store.find_document("go", "game").err()),
        ("result", store.find_result(other).err()),
        ("its text", store.find_result_text(other).err()),
        ("finished", store.is_finished(other).err()),
        ("games", store.find_games(&games(other)).err()),
        ("run", store.find_run("run").err()),
        ("run again", store.start_run("run", "match", &json!({})).err()),
        ("results", store.results_of_run("run").err()),
        ("place", store.task_at_place("run", 0).err()),
        ("failure", store.find_job_failure("run").err()),
    ];
    for (what, error) in errors {
        let error = error.unwrap_or_else(|| panic!("{what} must be refused"));
        assert!(error.is_input() && error.to_string().contains("another row stands in its place"), "{error}");
    }
}

/// The games of another task are never taken for those of a run, and hide none in a list.
fn check_games_of_runs(store: &mut Store, kept: &TaskId, other: &TaskId) {
    let of_run = |run: &str| GameFilter { run: Some(run.to_string()), ..GameFilter::default() };
    assert_eq!(store.find_games(&of_run("Run")).unwrap().len(), 1);
    store.start_run("Another", "match", &json!({})).unwrap();
    store.add_to_run("Another", 0, other).unwrap();
    let error = store.find_games(&of_run("Another")).unwrap_err();
    let cause = format!("game of run Another: another row stands in its place, that of {kept}");
    assert!(error.is_input() && error.to_string().contains(&cause), "{error}");
    let list = store.list_games_page(&of_run("Another"), 0, 9).unwrap();
    assert_eq!((list.games, list.damaged), (vec![], vec![cause]));
    assert_eq!(store.list_games_page(&of_run("Run"), 0, 9).unwrap().games.len(), 1);
    let error = store.find_games(&of_run("run")).unwrap_err();
    assert!(error.is_input() && error.to_string().contains("another row stands in its place"), "{error}");
}

/// Nor is it overwritten, or taken out. What it holds is not handed out for that of the other, either.
fn change_another_document(store: &mut Store) {
    assert!(store.keep_document("go", "game", "another", &json!(2), 1).is_err());
    assert!(store.keep_content("go", "game", "another", &json!(2)).is_err());
    assert!(store.forget_document("go", "game").is_err());
    assert!(store.forget_document_revision("go", "game", 1).is_err());
    assert!(!store.forget_damaged_document("go", "game").unwrap());
    assert_eq!(store.damaged_body("go", "game").unwrap(), None);
    let found = store.find_document("go", "Game").unwrap().unwrap();
    assert_eq!((found.title.as_str(), found.body, found.revision), ("a game", json!(1), 1));
    assert_eq!(store.keep_document("go", "Game", "a game", &json!(3), 1).unwrap(), Some(2));
    assert!(store.forget_document("go", "Game").unwrap());
}

/// Changes rows of the database behind the store's back: how many.
fn change_rows(path: &Path, sql: &str) -> usize {
    let changed = rusqlite::Connection::open(path).unwrap().execute(sql, ()).unwrap();
    assert!(changed > 0, "{sql}");
    changed
}

/// One damaged document does not hide the others. Bytes that are no text are damage like any other.
#[test]
fn a_damaged_document_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    for (kind, key) in [("go", "aaa"), ("go", "bbb"), ("go", "ccc"), ("othello", "ddd")] {
        store
            .keep_document(kind, key, &format!("game {key}"), &json!({ "moves": format!("{key} 1") }), 0)
            .unwrap();
    }
    drop(store);
    for (old, new) in [("bbb 1", "bbb 0"), ("ddd 1", "ddd\u{1}1")] {
        assert!(replace_bytes(&path, old, new) > 0);
    }
    change_rows(&path, "UPDATE documents SET title = CAST(X'67ff6d65' AS TEXT) WHERE id = 'ccc'");

    let mut store = Store::open(&path).unwrap();
    let list = store.latest_documents("go", 9).unwrap();
    let keys: Vec<&str> = list.documents.iter().map(|kept| kept.key.as_str()).collect();
    assert_eq!(keys, ["aaa"]);
    let told: Vec<(&str, &str)> =
        list.damaged.iter().map(|damaged| (damaged.key.as_str(), damaged.title.as_str())).collect();
    assert_eq!(told, [("ccc", "g\u{fffd}me"), ("bbb", "game bbb")]);
    assert!(
        list.damaged.iter().all(|damaged| damaged.cause.contains(&format!("document {}: ", damaged.key)))
    );

    let keys = |damaged: &[ishi_lab::store::DamagedDocument]| -> Vec<String> {
        damaged.iter().map(|damaged| damaged.key.clone()).collect()
    };
    assert_eq!(keys(&store.latest_damage(9).unwrap()), ["ccc", "bbb", "ddd"]);
    assert_eq!(keys(&store.find_damaged_documents().unwrap()), ["bbb", "ccc", "ddd"]);
    let error = store.find_document("go", "bbb").unwrap_err();
    assert!(
        error.is_input() && error.to_string().contains("document bbb: the row does not fit its checksum"),
        "{error}"
    );

    // What is damaged can be saved and removed; what is whole stays.
    assert_eq!(store.damaged_body("go", "bbb").unwrap().unwrap(), r#"{"moves":"bbb 0"}"#);
    assert_eq!(store.damaged_body("go", "aaa").unwrap(), None);
    assert!(store.forget_damaged_document("go", "bbb").unwrap());
    assert!(!store.forget_damaged_document("go", "bbb").unwrap());
    assert!(!store.forget_damaged_document("go", "aaa").unwrap());
    assert!(store.find_document("go", "aaa").unwrap().is_some());
    assert_eq!(keys(&store.latest_documents("go", 9).unwrap().damaged), ["ccc"]);
}

/// Nothing is found by a key that is damaged: not by one that became bytes, nor by one with bytes that are no text, nor by one that its index has otherwise.
#[test]
fn a_document_whose_key_is_damaged_can_be_saved_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    for key in ["aaa", "bbb", "ccc", "ddd"] {
        store.keep_document("go", key, &format!("game {key}"), &json!({ "moves": key }), 0).unwrap();
    }
    drop(store);
    // In the table alone: the key stands before the title there, and before a number in its index.
    assert_eq!(replace_bytes(&path, "gobbbgame bbb", "gobb\u{7}game bbb"), 1);
    change_rows(&path, "UPDATE documents SET id = CAST(X'6363ff' AS TEXT) WHERE id = 'ccc'");
    change_rows(&path, "UPDATE documents SET id = CAST(id AS BLOB) WHERE id = 'ddd'");
    let mut store = Store::open(&path).unwrap();
    let keys = |store: &Store| -> Vec<String> {
        store.find_damaged_documents().unwrap().into_iter().map(|damaged| damaged.key).collect()
    };
    assert_eq!(keys(&store), ["bb\u{7}", "cc\u{fffd}", "ddd"]);
    // A page sends the control character back as another one.
    for (shown, body) in [("bb\u{fffd}", "bbb"), ("cc\u{fffd}", "ccc"), ("ddd", "ddd")] {
        assert_eq!(store.damaged_body("go", shown).unwrap().unwrap(), format!(r#"{{"moves":"{body}"}}"#));
        assert!(!store.forget_damaged_document("othello", shown).unwrap());
        assert!(store.forget_damaged_document("go", shown).unwrap(), "{shown:?}");
        assert!(!store.forget_damaged_document("go", shown).unwrap(), "{shown:?}");
        assert_eq!(store.damaged_body("go", shown).unwrap(), None);
    }
    assert_eq!(keys(&store), [""; 0]);
    let documents = store.latest_documents("go", 9).unwrap().documents;
    assert_eq!(documents.iter().map(|document| document.key.as_str()).collect::<Vec<_>>(), ["aaa"]);
}

/// The look for it ends where it is found. What the database would have shown behind it is in the way of no later question.
#[test]
fn a_look_that_ends_early_leaves_the_database_in_order() {
    for_each_database(|path| {
        let mut store = Store::open(path).unwrap();
        let body = json!({ "moves": "dd".repeat(2000) });
        for number in 0..300 {
            store.keep_document("go", &format!("key {number:03}"), "a game", &body, 0).unwrap();
        }
        let damage = "UPDATE documents SET id = 'other 007' WHERE id = 'key 007'";
        if ishi_lab::store::is_server(path) {
            let name = path.to_str().unwrap().rsplit('/').next().unwrap();
            postgres_server::shared_server().unwrap().ask(name, damage).unwrap();
        } else {
            change_rows(path, damage);
        }
        // With a control character it is found by a look alone.
        let shown = "other\u{1} 007";
        assert_eq!(store.damaged_body("go", shown).unwrap(), Some(body.to_string()));
        assert!(store.find_document("go", "key 299").unwrap().is_some());
        assert!(store.forget_damaged_document("go", shown).unwrap());
        assert!(!store.forget_damaged_document("go", shown).unwrap());
        assert_eq!(store.latest_documents("go", 999).unwrap().documents.len(), 299);
        assert!(store.find_damaged_documents().unwrap().is_empty());
    });
}

/// A single bit tells SQLite a text from bytes. A name of bytes is not found by its text, though it looks the same.
#[test]
fn a_text_that_became_bytes_is_damaged() {
    for column in ["id", "title", "body"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut store = Store::open(&path).unwrap();
        for key in ["aaa", "bbb"] {
            store.keep_document("go", key, "game", &json!({ "moves": key }), 0).unwrap();
        }
        drop(store);
        let sql = format!("UPDATE documents SET {column} = CAST({column} AS BLOB) WHERE id = 'aaa'");
        assert_eq!(change_rows(&path, &sql), 1);
        let list = Store::open(&path).unwrap().latest_documents("go", 9).unwrap();
        let whole: Vec<&str> = list.documents.iter().map(|kept| kept.key.as_str()).collect();
        let damaged: Vec<&str> = list.damaged.iter().map(|damaged| damaged.key.as_str()).collect();
        assert_eq!((whole, damaged), (vec!["bbb"], vec!["aaa"]), "{column}");
    }
}

/// A database of a version without checksums gets them when it is opened.
#[test]
fn rows_of_an_older_version_are_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    store.keep_result(&task(1), &result(10, 2)).unwrap();
    store.keep_document("go", "abc", "a game", &json!({}), 0).unwrap();
    drop(store);
    let sql = "ALTER TABLE tasks DROP COLUMN checksum; ALTER TABLE games DROP COLUMN checksum;
               ALTER TABLE documents DROP COLUMN checksum;";
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(&format!("{sql} {WITHOUT_LATER_CHECKSUMS}")).unwrap();
    connection.execute_batch("DELETE FROM schema_migrations WHERE version = 4").unwrap();
    drop(connection);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.find_result(&task(1).id()).unwrap().unwrap().result, json!(10));
    assert_eq!(store.find_games(&GameFilter::default()).unwrap(), result(10, 2).games);
    assert!(store.find_document("go", "abc").unwrap().is_some());
}

/// Makes a database one of the schema before runs, jobs, their queue, workers and alarms had checksums.
pub(crate) const WITHOUT_LATER_CHECKSUMS: &str = "ALTER TABLE runs DROP COLUMN checksum;
    ALTER TABLE run_tasks DROP COLUMN checksum; ALTER TABLE jobs DROP COLUMN checksum;
    ALTER TABLE queue DROP COLUMN checksum; ALTER TABLE workers DROP COLUMN checksum;
    ALTER TABLE alarms DROP COLUMN checksum; DROP TABLE joins; DROP TABLE failures;
    DELETE FROM schema_migrations WHERE version >= 5;";

/// A store with a row in every table: two runs, one with a finished task, one with two tasks in the queue, of which one joins others and
/// the other has failed, a worker and an alarm.
pub(crate) fn fill_every_table(path: &Path) -> Store {
    let mut store = Store::open(path).unwrap();
    store.start_run("done", "experiment", &json!({ "size": 9 })).unwrap();
    store.start_run("open", "match", &json!({ "size": 9 })).unwrap();
    let entry = |number: usize| QueueEntry { place: number as u64, task: task(number).id(), after: None };
    let after = QueueEntry { after: Some(task(1).id()), ..entry(5) };
    let join = TaskJoin { place: 4, after: 0..2 };
    let entries = [entry(1), entry(4), after];
    store.open_joined_job("open", "ladder", &json!({ "do": "test" }), &entries, &[join]).unwrap();
    store.note_failure("open", None, "a", "it is not installed").unwrap();
    store.keep_compared_result(&task(1), &result(10, 2), Some(("done", 0)), "a").unwrap();
    store.keep_compared_result(&task(1), &result(11, 2), Some(("done", 0)), "b").unwrap();
    store.keep_document("go", "abc", "a game", &json!({}), 0).unwrap();
    store
        .note_worker(&WorkerNote { id: "a".into(), state: "works".into(), ..WorkerNote::default() })
        .unwrap();
    store
}

/// Everything that is read of [`fill_every_table`], or the first error.
pub(crate) fn read_every_table(store: &mut Store) -> Result<(), StoreError> {
    let lease = Lease { worker: "a", time: Duration::ZERO };
    let list = store.list_runs()?;
    assert_eq!(list.runs.len() + list.damaged.len(), 2);
    assert!(store.find_run("open")?.is_some());
    assert_eq!(store.results_of_run("done")?.len(), 1);
    assert_eq!(store.find_run("done")?.map(|run| run.finished), Some(1));
    assert_eq!(store.experiment_specs()?, [Some(json!({ "size": 9 }))]);
    assert_eq!(store.task_at_place("open", 1)?, Some(task(1).id()), "it has left the queue for its run");
    let of_run = GameFilter { run: Some("done".into()), ..GameFilter::default() };
    assert_eq!(store.find_games(&of_run)?.len(), 2);
    assert_eq!(store.list_jobs()?.first().map(|job| job.open), Some(2));
    let claimed = store.claim_tasks("open", "ladder", 9, lease)?;
    assert_eq!(claimed.iter().map(|task| task.place).collect::<Vec<_>>(), [4, 5]);
    assert_eq!(store.list_workers()?.len(), 1);
    assert_eq!(store.list_alarms()?.len(), 1);
    store.list_failures("ladder")?;
    assert!(store.find_document("go", "abc")?.is_some());
    Ok(())
}

/// Every column of every table, but clocks and who has a task for how long, which every claim changes.
pub(crate) const DAMAGES: [(&str, &str); 28] = [
    ("runs", "kind = 'experimenu' WHERE name = 'done'"),
    ("runs", "spec = '{\"size\":8}' WHERE name = 'done'"),
    ("runs", "spec = '{\"size\":8}' WHERE name = 'open'"),
    ("run_tasks", "task = 'x' WHERE run = 'done'"),
    ("run_tasks", "place = 7 WHERE run = 'done'"),
    ("run_tasks", "task = 'x' WHERE run = 'open'"),
    ("jobs", "campaign = 'laddes'"),
    ("jobs", "job = '{\"do\":\"tess\"}'"),
    ("jobs", "end_place = 5"),
    ("queue", "task = 'x' WHERE place = 4"),
    ("queue", "place = 3 WHERE place = 4"),
    ("queue", "after_task = '' WHERE place = 5"),
    ("workers", "version = '9'"),
    ("workers", "threads = 9"),
    ("workers", "done = 9"),
    ("workers", "failed = 9"),
    ("workers", "state = 'gone'"),
    ("alarms", "came = '12'"),
    ("alarms", "kept = '12'"),
    ("alarms", "worker = 'c'"),
    ("alarms", "version = '9'"),
    ("joins", "place = 5"),
    ("joins", "first_place = 1"),
    ("joins", "end_place = 3"),
    ("failures", "tries = 3"),
    ("failures", "cause = 'it is installed'"),
    ("failures", "worker = 'b'"),
    ("documents", "title = 'b game'"),
];

#[test]
fn a_change_in_any_table_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = fill_every_table(&path);
    read_every_table(&mut store).unwrap();
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    for (table, change) in DAMAGES {
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(change_rows(&path, &format!("UPDATE {table} SET {change}")), 1, "{change}");
        let error = read_every_table(&mut Store::open(&path).unwrap()).unwrap_err();
        assert!(
            error.is_input() && error.to_string().contains("does not fit its checksum"),
            "{change}: {error}"
        );
    }
}

/// Nobody claims what stands behind the end of a job: a look for damage tells of it.
#[test]
fn a_task_that_a_change_moved_behind_the_end_of_its_job_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(fill_every_table(&path));
    assert_eq!(change_rows(&path, "UPDATE queue SET place = 9 WHERE place = 4"), 1);
    let found = Store::open(&path).unwrap().find_campaign_damage().unwrap();
    assert!(found.iter().any(|damage| damage.cause.contains("task 9 of run open")), "{found:?}");
}

/// A damaged run is told by its name, and hides no other.
#[test]
fn a_damaged_run_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(fill_every_table(&path));
    change_rows(&path, "UPDATE runs SET spec = '{}' WHERE name = 'done'");
    let mut store = Store::open(&path).unwrap();
    let mut latest = store.latest_runs(9).unwrap();
    latest.sort();
    let pair = |name: &str, kind: &str| (name.to_string(), kind.to_string());
    assert_eq!(latest, [pair("done", "damaged"), pair("open", "match")]);
    assert!(store.find_run("open").unwrap().is_some());
    let error = store.find_run("done").unwrap_err().to_string();
    assert!(error.contains("run done: the row does not fit its checksum"), "{error}");
    let error = store.start_run("done", "experiment", &json!({ "size": 9 })).unwrap_err().to_string();
    assert!(error.contains("run done: the row does not fit its checksum"), "{error}");
    let list = store.list_runs().unwrap();
    assert_eq!(list.runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>(), ["open"]);
    assert_eq!(list.damaged.iter().map(|damaged| damaged.name.as_str()).collect::<Vec<_>>(), ["done"]);
    assert!(list.damaged[0].cause.contains("run done: "), "{}", list.damaged[0].cause);
    assert_eq!(store.experiment_specs().unwrap(), [None::<serde_json::Value>], "it may be an experiment's");
}

/// Where games are listed for people. Whoever computes with them is refused.
#[test]
fn a_damaged_game_hides_no_other_in_lists() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(fill_every_table(&path));
    change_rows(&path, "UPDATE games SET result = 'W+1' WHERE number = 0");
    let store = Store::open(&path).unwrap();
    let of_run = GameFilter { run: Some("done".into()), ..GameFilter::default() };
    for filter in [&GameFilter::default(), &of_run] {
        let list = store.list_games_page(filter, 0, 9).unwrap();
        assert_eq!(list.games.iter().map(|kept| kept.number).collect::<Vec<_>>(), [1]);
        assert_eq!(list.damaged.len(), 1);
        assert!(list.damaged[0].starts_with("game 0 of task "), "{:?}", list.damaged);
        assert!(store.find_games_page(filter, 0, 9).is_err());
    }
    drop(store);
    change_rows(&path, "UPDATE run_tasks SET place = 7 WHERE run = 'done'");
    let list = Store::open(&path).unwrap().list_games_page(&of_run, 0, 9).unwrap();
    assert_eq!((list.games.len(), list.damaged.len()), (1, 2));
    assert!(list.damaged[0].starts_with("task 7 of run done: "), "{:?}", list.damaged);
}

/// A damaged run is taken out with what names it, whatever of it is damaged. Its results stay for whoever starts it again.
#[test]
fn a_damaged_run_can_be_forgotten_and_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(fill_every_table(&path));
    let connection = rusqlite::Connection::open(&path).unwrap();
    let damage = "PRAGMA foreign_keys = OFF; UPDATE runs SET kind = 'matcg' WHERE name = 'open'; \
                  UPDATE runs SET name = CAST(X'646f6eff' AS TEXT) WHERE name = 'done'";
    connection.execute_batch(damage).unwrap();
    drop(connection);
    let mut store = Store::open(&path).unwrap();
    let shown: Vec<String> = store.list_runs().unwrap().damaged.into_iter().map(|run| run.name).collect();
    assert_eq!(shown, ["don\u{fffd}", "open"]);
    for name in &shown {
        assert!(store.forget_damaged_run(name).unwrap(), "{name}");
        assert!(!store.forget_damaged_run(name).unwrap(), "{name}");
    }
    assert_eq!(store.list_runs().unwrap(), RunList::default());
    assert!(store.list_jobs().unwrap().is_empty());
    assert!(store.find_result(&task(1).id()).unwrap().is_some());

    store.start_run("open", "match", &json!({ "size": 9 })).unwrap();
    assert!(!store.forget_damaged_run("open").unwrap(), "what is whole stays");
    store.add_to_run("open", 1, &task(1).id()).unwrap();
    assert_eq!(store.results_of_run("open").unwrap().len(), 1);
    // Task 4 joined all before place 2. That has gone, too.
    let entry = |number: usize| QueueEntry { place: number as u64, task: task(number).id(), after: None };
    store.open_job("open", "ladder", &json!({}), &[entry(0), entry(4)]).unwrap();
    let lease = Lease { worker: "a", time: Duration::from_secs(600) };
    assert_eq!(store.claim_tasks("open", "ladder", 9, lease).unwrap().len(), 2);
    store.start_run("done", "experiment", &json!({ "size": 9 })).unwrap();
    assert_eq!(
        store.find_run("done").unwrap().unwrap().finished,
        1,
        "the places are under the name of before"
    );
}

/// Nothing is taken from a queue with a damaged task, so that nobody waits for its lease to end.
#[test]
fn a_damaged_task_of_the_queue_is_not_handed_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(fill_every_table(&path));
    change_rows(&path, "UPDATE queue SET task = 'x' WHERE place = 4");
    let mut store = Store::open(&path).unwrap();
    let lease = Lease { worker: "a", time: Duration::from_secs(600) };
    let error = store.claim_tasks("open", "ladder", 9, lease).unwrap_err().to_string();
    assert!(error.contains("task 4 of run open in the queue: the row does not fit its checksum"), "{error}");
    assert_eq!(store.list_jobs().unwrap()[0].claimed, 0);
    // Taking the job off the queue and opening it again mends it.
    store.close_job("open", "ladder").unwrap();
    let entry = QueueEntry { place: 4, task: task(4).id(), after: None };
    assert_eq!(store.open_job("open", "ladder", &json!({}), &[entry]).unwrap(), 1);
    assert_eq!(store.claim_tasks("open", "ladder", 9, lease).unwrap().len(), 1);
}

/// Files of campaigns, for example: who opens a campaign again mends what is damaged of it.
#[test]
fn content_that_is_damaged_is_kept_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut store = Store::open(&path).unwrap();
    let body = json!({ "text": "the games" });
    store.keep_content("file", "4f", "games.txt", &body).unwrap();
    store.keep_content("file", "4f", "the same under another name", &body).unwrap();
    let kept = store.find_document("file", "4f").unwrap().unwrap();
    assert_eq!((kept.title.as_str(), kept.revision), ("games.txt", 1));
    drop(store);
    change_rows(&path, "UPDATE documents SET body = '{\"text\":\"the gamet\"}'");
    let mut store = Store::open(&path).unwrap();
    assert!(store.find_document("file", "4f").is_err());
    store.keep_content("file", "4f", "games.txt", &body).unwrap();
    assert_eq!(store.find_document("file", "4f").unwrap().unwrap().body, body);
}

/// A damaged job or worker stands in the way of all campaigns. It is taken out, and comes anew.
#[test]
fn damaged_jobs_and_workers_are_taken_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(fill_every_table(&path));
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("UPDATE jobs SET campaign = 'laddes'; UPDATE workers SET done = 9").unwrap();
    drop(connection);
    let mut store = Store::open(&path).unwrap();
    assert!(store.list_jobs().is_err() && store.list_workers().is_err());
    assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 2);
    assert_eq!((store.list_jobs().unwrap(), store.list_workers().unwrap()), (Vec::new(), Vec::new()));
    let entry = QueueEntry { place: 4, task: task(4).id(), after: None };
    assert_eq!(store.open_job("open", "ladder", &json!({}), &[entry]).unwrap(), 1);
    store.note_worker(&WorkerNote { id: "a".into(), ..WorkerNote::default() }).unwrap();
    assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 0, "what is whole stays");
    assert_eq!((store.list_jobs().unwrap().len(), store.list_workers().unwrap().len()), (1, 1));
}

/// The schema before had checksums of results, games and documents alone.
#[test]
fn runs_and_jobs_of_the_version_before_are_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(fill_every_table(&path));
    rusqlite::Connection::open(&path).unwrap().execute_batch(WITHOUT_LATER_CHECKSUMS).unwrap();
    let error = Store::open_read_only(&path).unwrap_err();
    assert!(matches!(error, StoreError::Older { found: 4, .. }), "{error}");
    read_every_table(&mut Store::open(&path).unwrap()).unwrap();
}
