//! The laboratory: a real server, driven as a browser drives it.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::program::{run_in, stderr, tell_missing};
use crate::support::workbench::{Workbench, kept_token};
use ishi_lab::store::{Lease, Store, WorkerNote};
use serde_json::Value;

#[test]
fn experiments_are_listed_with_the_reports_that_came_with_them() {
    let bench = Workbench::start();
    let page = bench.page("/lab");
    for name in ["000-othello-learning", "001-go-tabu", "003-strings", "010-ground"] {
        assert!(page.contains(&format!("/lab/e/{name}/full")), "{name}");
    }
    // The first look may take a while: the page comes before the figures.
    bench.page("/lab/e/010-ground/full");
    let report = bench.until("/lab/e/010-ground/full/report", "Expected and found");
    assert!(report.contains("kept results") && report.contains("<svg class=\"plot\""));
    assert!(bench.page("/lab/e/010-ground/full").contains("Expected and found"), "now it is known");
    let has_gnugo = Path::new("/usr/games/gnugo").is_file()
        || std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|p| p.join("gnugo").is_file()));
    if has_gnugo {
        assert!(bench.part("/lab/e/010-ground/full/count").part().contains("0/561"));
    } else {
        tell_missing("GNU Go (the Debian package gnugo): counting tasks");
    }
    let japanese = bench.japanese("/lab/e/010-ground/full");
    assert!(japanese.contains("期待値と結果") && japanese.contains("プレイアウトの速さ</h2>"), "{japanese}");
    assert!(
        japanese.contains("三つの主張はすべて成り立ちます")
            && japanese.contains("<td class=\"good\">達成</td>"),
        "{japanese}"
    );
    let csv = bench.ask("GET", "/lab/e/010-ground/full/figures.csv", &[], "");
    assert!(csv.body.starts_with("figure,expected,found here,interval,outcome,"), "{}", csv.body);
    let json = bench.ask("GET", "/lab/e/010-ground/full/results.json", &[], "");
    let report: Value = serde_json::from_str(&json.body).unwrap();
    assert_eq!(report["experiment"], "010-ground");
    for path in ["/lab/e/nothing/full", "/lab/e/010-ground/half", "/lab/e/..%2Fexperiments/full"] {
        assert_eq!(bench.ask("GET", path, &[], "").status, 404, "{path}");
    }
}

#[test]
fn a_quick_experiment_runs_is_stopped_goes_on_and_ends() {
    let bench = Workbench::start();
    let path = "/lab/e/003-strings/quick";
    bench.page(path);
    let before = bench.until(&format!("{path}/progress"), "Not running");
    assert!(before.contains("/lab/e/003-strings/quick/estimate"), "{before}");
    // How long it will take is said before the start, and nothing is begun or kept by that.
    let estimate = bench.post(&format!("{path}/estimate"), &[]);
    let told = estimate.part();
    assert!((told.contains("About") || told.contains("More than")) && told.contains(" tasks"), "{told}");
    let still = bench.part(&format!("{path}/progress")).body;
    assert!(still.contains("Not running") && still.contains("value=\"0\""), "{still}");
    let started = bench.post(&format!("{path}/start"), &[]);
    assert!(started.part().contains("/lab/e/003-strings/quick/stop"));
    bench.post(&format!("{path}/stop"), &[]).part();
    // It goes on after a restart, with what is kept.
    let bench = bench.restart();
    bench.post(&format!("{path}/start"), &[]).part();
    let done = bench.until(&format!("{path}/progress"), "Finished.");
    assert!(done.contains("tasks"), "{done}");
    let page = bench.page(path);
    assert!(
        page.contains("A quick run")
            && page.contains("Expected and found")
            && !page.contains("kept results that came")
    );
    let bench = bench.restart();
    bench.until(&format!("{path}/progress"), "Finished.");
}

/// How many tasks of an experiment are done, and what its page says of its state.
fn course_of(bench: &Workbench, path: &str) -> (usize, String) {
    let reply = bench.part(&format!("{path}/progress"));
    let told = reply.part();
    let done = told.split_once("<label>").and_then(|(_, rest)| rest.split('/').next()?.parse().ok());
    let state = told.split_once("id=\"state\"").and_then(|(_, rest)| rest.split("</p>").next());
    (done.unwrap_or_else(|| panic!("{told}")), state.unwrap_or_else(|| panic!("{told}")).to_string())
}

/// Four experiments of hours have all places that a server of one thread gives to experiments. Two short ones come on beside them all the same: those give
/// way every few seconds, also within a task.
#[test]
fn experiments_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("ishi.db");
    let mut bench = Workbench::with_options(&db, "127.0.0.1:0", &["--threads", "1"]);
    bench.token = Some(kept_token(&db));
    let path = |name: &str| format!("/lab/e/{name}");
    let long =
        ["000-othello-learning/full", "020-best-wpc/full", "021-networks/full", "003-strings/full"].map(path);
    let short = ["004-decks/quick", "000-othello-learning/quick"].map(path);
    for path in long.iter().chain(&short) {
        bench.post(&format!("{path}/start"), &[]).part();
    }
    let begun = Instant::now();
    while short.iter().any(|path| course_of(&bench, path).0 == 0) {
        let told = || long.iter().chain(&short).map(|path| course_of(&bench, path)).collect::<Vec<_>>();
        assert!(begun.elapsed() < Duration::from_secs(300), "both must come on: {:?}", told());
        std::thread::sleep(Duration::from_millis(50));
    }
    for path in &long {
        let (_, state) = course_of(&bench, path);
        assert!(state.contains("Running") || state.contains("Waiting"), "{path} has not ended: {state}");
        bench.post(&format!("{path}/stop"), &[]).part();
    }
    bench.until(&format!("{}/progress", short[1]), "Finished.");
}

/// A line of the table tells of a game what the JSON does. Commas may stand only in its names and settings, so numbers are found from the end.
fn check_csv_row(row: &str, game: &Value) {
    assert_eq!(row.split(',').next(), game["task"].as_str());
    let cells: Vec<&str> = row.rsplit(',').collect();
    let moves = game["moves"].as_str().unwrap().split_whitespace().count();
    assert!(moves > 0, "{game}");
    assert_eq!(cells[2], moves.to_string(), "{row}");
    for (cell, column) in [(0, "white_seconds"), (1, "black_seconds"), (6, "handicap"), (7, "komi")] {
        let (told, kept): (f64, f64) = (cells[cell].parse().unwrap(), game[column].as_f64().unwrap());
        // Whoever reads a number of JSON may be wrong in its last digit.
        assert!((told - kept).abs() < 1e-9, "{column}: {row}");
    }
    assert_ne!(game["komi"].as_f64(), Some(0.0), "a game whose komi would not be told from a missing one");
}

#[test]
fn a_match_is_played_stopped_gone_on_with_and_its_games_replayed() {
    let bench = Workbench::start();
    let form = |pairs: &'static str, a: &'static str| {
        [
            ("game", "go"),
            ("a", a),
            ("b", "go-random"),
            ("pairs", pairs),
            ("size", "7"),
            ("rules", "chinese"),
            ("opening", "2"),
        ]
    };
    for (a, words) in [
        ("go-captur", "there are go-random"),
        ("gnugo --mode gtp", "is a program"),
        ("go-flat:playouts=0", "playouts"),
    ] {
        assert!(bench.post("/lab/m", &form("3", a)).refused(422).contains(words), "{a}");
    }
    let place = bench.post("/lab/m", &form("100000", "go-capture")).place().to_string();
    let state = format!("{place}/state");
    bench.until(&state, "A as Black");
    bench.post(&format!("{place}/stop"), &[]).part();
    bench.until(&state, "Not running");

    let place = bench.post("/lab/m", &form("6", "go-capture")).place().to_string();
    let state = format!("{place}/state");
    let over = bench.until(&state, "Finished.");
    assert!(
        over.contains("6/6") && over.contains("Win rate of A") && over.contains("Elo of A over B"),
        "{over}"
    );
    assert!(over.contains("<svg class=\"plot\"") && over.contains("<value-chart data-chart="), "{over}");
    let bench = bench.restart();
    let page = bench.page(&place);
    assert!(page.contains("6/6") && page.contains("Finished."), "{page}");
    let games = page.split("/lab/games?").nth(1).unwrap().split('"').next().unwrap().to_string();
    let list = bench.page(&format!("/lab/games?{games}"));
    // The longer match with the same players has the same first pairs.
    assert!(list.contains("go-capture") && list.contains(">replay<"), "{list}");
    let csv = bench.ask("GET", &format!("/lab/games/file.csv?{games}"), &[], "").body;
    let json: Value =
        serde_json::from_str(&bench.ask("GET", &format!("/lab/games/file.json?{games}"), &[], "").body)
            .unwrap();
    let sgf = bench.ask("GET", &format!("/lab/games/file.sgf?{games}"), &[], "").body;
    let count = json.as_array().unwrap().len();
    assert!(count >= 12 && csv.lines().count() == count + 1);
    check_csv_row(csv.lines().nth(1).unwrap(), &json[0]);
    assert_eq!(ishi_sgf::read_collection(sgf.as_bytes()).unwrap().collection.games.len(), count);
    let address = list.split("href=\"/lab/game/").nth(1).unwrap().split('"').next().unwrap();
    let game = bench.page(&format!("/lab/game/{address}"));
    assert!(game.contains("Open in the Go room") && game.contains("name=\"sgf\""), "{game}");
    assert!(bench.part(&format!("/lab/game/{address}?move=3")).part().contains("<b data-heard>3/"));
    let none = bench.page("/lab/games?player=nobody");
    assert!(none.contains("0 games") && none.contains("begin a match") && !none.contains("<th"), "{none}");
    assert_eq!(bench.ask("GET", "/lab/game/nothing/0", &[], "").status, 404);
}

#[test]
fn programs_play_if_whoever_started_the_server_allows_them() {
    let folder = tempfile::tempdir().unwrap();
    let (db, file) = (folder.path().join("ishi.db"), folder.path().join("programs.toml"));
    let line = format!("{} gtp --engine go-random", env!("CARGO_BIN_EXE_ishi"));
    std::fs::write(&file, format!("[programs]\nother = \"{line}\"\n")).unwrap();
    let options = ["--programs", file.to_str().unwrap()];
    let mut bench = Workbench::with_options(&db, "127.0.0.1:0", &options);
    bench.token = Some(kept_token(&db));
    assert!(bench.page("/lab").contains("value=\"other\""), "it is offered");
    let form = |a: &'static str| {
        [
            ("game", "go"),
            ("a", a),
            ("b", "go-random"),
            ("pairs", "1"),
            ("size", "5"),
            ("rules", "chinese"),
            ("opening", "0"),
        ]
    };
    let place = bench.post("/lab/m", &form("other")).place().to_string();
    bench.until(&format!("{place}/state"), "Finished.");
    assert!(bench.page(&place).contains("1/1"));
    for other in ["sh -c true", "gtp:sh", &*Box::leak(line.into_boxed_str())] {
        let refused = bench.post("/lab/m", &form(other));
        assert!(refused.refused(422).contains("(--programs): other"), "{other}: {}", refused.body);
    }
    drop(bench);
    // A file with anything else is refused at the start.
    for wrong in
        ["[programs]\n\"a b\" = \"x\"\n", "[programs]\na = \"\"\n", "[program]\n", "[judges]\na = \"'x\"\n"]
    {
        std::fs::write(&file, wrong).unwrap();
        let started = std::process::Command::new(env!("CARGO_BIN_EXE_ishi"))
            .args(["serve", "--no-open", "--listen", "127.0.0.1:0", "--db"])
            .arg(&db)
            .args(options)
            .output()
            .unwrap();
        assert_eq!(started.status.code(), Some(3), "{wrong}: {started:?}");
    }
}

/// Our own analysis service stands for KataGo: it judges a review, and another program is not started.
#[test]
fn programs_judge_reviews_if_whoever_started_the_server_allows_them() {
    let folder = tempfile::tempdir().unwrap();
    let (db, file) = (folder.path().join("ishi.db"), folder.path().join("programs.toml"));
    let starts = folder.path().join("starts");
    let judges = format!(
        "[judges]\nown = \"sh -c 'echo $$ >> \\\"$0\\\"; exec \\\"$1\\\" analysis --threads 1' '{}' '{}'\"\nbroken = \"sh -c 'exit 3'\"\n",
        starts.display(),
        env!("CARGO_BIN_EXE_ishi")
    );
    std::fs::write(&file, judges).unwrap();
    let mut bench = Workbench::with_options(&db, "127.0.0.1:0", &["--programs", file.to_str().unwrap()]);
    bench.token = Some(kept_token(&db));
    let part = "--x\r\nContent-Disposition: form-data; name=\"sgf\"\r\n\r\n(;GM[1]SZ[9];B[ee];W[cc];B[gg])\r\n--x--\r\n";
    let form = [("Content-Type", "multipart/form-data; boundary=x")];
    let table = bench.ask("POST", "/go", &form, part).place().to_string();
    let page = bench.page(&table);
    assert!(page.contains("Who judges") && page.contains("value=\"own\""), "{page}");
    // The choice is kept in a cookie, for names of the file alone.
    let choose = |name: &str| bench.form("/settings", &[("judge", name)]);
    assert!(choose("own").header("set-cookie").is_some_and(|cookie| cookie.starts_with("judge=own;")));
    assert_eq!(choose("sh -c true").header("set-cookie"), None);
    let review = |judge: &str| {
        let cookie = format!("judge={judge}");
        let head = [("Cookie", cookie.as_str()), ("HX-Request", "true")];
        bench.ask("POST", &format!("{table}/review"), &head, "on=1")
    };
    // A name that is not in the file is nobody: ishi judges.
    assert_eq!(review("sh").status, 200);
    assert!(!bench.until(&table, "Review again").contains("Judged by"));
    // One that fails ends the review, and what was found before stays.
    assert_eq!(review("broken").status, 200);
    let failed = bench.until(&table, "The program that judges has failed.");
    assert!(failed.contains("Review again") && !failed.contains("Stop the review"), "{failed}");
    assert!(!failed.contains("Judged by") && !failed.contains("exit 3"), "{failed}");
    let why = |judge: &str| {
        let cookie = format!("judge={judge}");
        let head = [("Cookie", cookie.as_str()), ("HX-Request", "true")];
        bench.ask("POST", &format!("{table}/why"), &head, "what=best").part().to_string()
    };
    let failed = why("broken");
    assert!(failed.contains("The program that judges has failed.") && failed.contains("broken"), "{failed}");
    assert!(!failed.contains("exit 3"), "a command line is nothing for visitors: {failed}");
    // One program answers all questions, and ends with the server. A review has one of its own.
    assert!(why("own").contains("<h3>") && !why("own").contains("has failed"));
    let processes =
        || std::fs::read_to_string(&starts).unwrap().lines().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(processes().len(), 1, "the second question starts no other program");
    assert_eq!(review("own").status, 200);
    bench.until(&table, "Judged by own.");
    assert_eq!(processes().len(), 2);
    bench.end();
    let is_left = |process: &String| Path::new("/proc").join(process).exists();
    assert!(!processes().iter().any(is_left), "{:?}", processes());
    let bench = Workbench::start();
    let table = bench.ask("POST", "/go", &form, part).place().to_string();
    assert!(!bench.page(&table).contains("Who judges"), "there is no choice where no program is allowed");
}

#[test]
fn a_match_is_estimated_extended_repeated_and_compared() {
    let bench = Workbench::start();
    let form = [
        ("game", "go"),
        ("a", "go-capture"),
        ("b", "go-random"),
        ("pairs", "3"),
        ("size", "5"),
        ("rules", "chinese"),
        ("opening", "2"),
        ("seed", "7"),
    ];
    let estimate = bench.post("/lab/m/estimate", &form);
    assert!(estimate.body.contains("About") && estimate.body.contains("3 pairs"), "{}", estimate.body);
    assert!(!bench.page("/lab").contains("go-capture – go-random"), "an estimate is no match");
    let place = bench.post("/lab/m", &form).place().to_string();
    bench.until(&format!("{place}/state"), "Finished.");
    // More pairs: those that are there stay.
    let games = |bench: &Workbench| {
        let page = bench.page(&place);
        let run = page.split("/lab/games?").nth(1).unwrap().split('"').next().unwrap().to_string();
        bench.ask("GET", &format!("/lab/games/file.csv?{run}"), &[], "").body
    };
    let before = games(&bench);
    assert!(bench.post(&format!("{place}/extend"), &[("pairs", "3")]).refused(422).contains("4-100000"));
    assert_eq!(bench.post(&format!("{place}/extend"), &[("pairs", "5")]).place(), place);
    bench.until(&format!("{place}/state"), "5/5");
    bench.until(&format!("{place}/state"), "Finished.");
    let after = games(&bench);
    assert!(
        before.lines().all(|line| after.contains(line)) && after.len() > before.len(),
        "{before}\n{after}"
    );
    // The same with the next seed is another match.
    let again = bench.post(&format!("{place}/again"), &[("seed", "")]).place().to_string();
    assert_ne!(again, place);
    bench.until(&format!("{again}/state"), "Finished.");
    assert!(bench.page(&again).contains("seed 8"));
    let key = |place: &str| place.rsplit('/').next().unwrap().to_string();
    let compared = bench.page(&format!("/lab/compare?m={}&m={}", key(&place), key(&again)));
    assert!(
        compared.contains("seed 7") && compared.contains("seed 8") && compared.contains("5/5"),
        "{compared}"
    );
    assert_eq!(bench.ask("GET", "/lab/compare", &[], "").status, 422);
}

#[test]
fn a_sequential_test_ends_a_match_of_othello() {
    let bench = Workbench::start();
    let form = [
        ("game", "othello"),
        ("a", "othello-wpc"),
        ("b", "othello-random"),
        ("pairs", "2000"),
        ("opening", "6"),
        ("elo0", "0"),
        ("elo1", "100"),
    ];
    let place = bench.post("/lab/m", &form).place().to_string();
    let over = bench.until(&format!("{place}/state"), "Decided");
    assert!(over.contains("LLR") && over.contains("Sequential test"), "{over}");
    let page = bench.page(&place);
    let games = page.split("/lab/games?").nth(1).unwrap().split('"').next().unwrap().to_string();
    let list = bench.page(&format!("/lab/games?{games}&game=othello"));
    let address = list.split("href=\"/lab/game/").nth(1).unwrap().split('"').next().unwrap();
    assert!(bench.part(&format!("/lab/game/{address}?move=0")).part().contains("</span> 2 : 2 <span"));
}

/// What pages of a topic hear, one after the other.
fn events_of(bench: &Workbench, topic: &str) -> impl Iterator<Item = Value> {
    let mut stream = TcpStream::connect(&bench.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let (address, token) = (&bench.address, bench.token_line());
    let head = format!("GET /events?topics={topic} HTTP/1.1\r\nHost: {address}\r\n{token}\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let lines = BufReader::new(stream).lines().map(|line| line.unwrap());
    lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
}

/// The page follows what others do at the database: no request of the page changes anything.
#[test]
fn campaigns_are_followed_while_others_work() {
    let bench = Workbench::start();
    assert!(bench.page("/lab").contains("href=\"/lab/campaigns\""));
    let page = bench.page("/lab/campaigns");
    assert!(
        page.contains("There is no campaign in this database") && page.contains("Nobody works"),
        "{page}"
    );
    let mut events = events_of(&bench, "lab/campaigns").filter(|event| event["name"] == "course");
    assert!(events.next().is_some(), "the first look");

    let folder = tempfile::tempdir().unwrap();
    let line = "go-random go-capture --size 5 --pairs 6 --opening random:2";
    std::fs::write(folder.path().join("ladder.toml"), format!("matches = [\"{line}\"]\n")).unwrap();
    let db = bench.db.to_str().unwrap();
    let run = |more: &[&str]| {
        let output =
            run_in(folder.path(), &[&["campaign", "run", "ladder.toml", "--db", db][..], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    };
    run(&["--hand-out"]);
    assert!(events.next().is_some(), "tasks are in the queue");
    let part = bench.until("/lab/campaigns/curves", "Curves of ladder");
    assert!(part.contains("No task is finished yet") && !part.contains("<value-chart"), "{part}");
    let mut store = Store::open(&bench.db).unwrap();
    let job = store.list_jobs().unwrap().remove(0);
    let lease = Lease { worker: "worker-far", time: Duration::from_millis(1) };
    assert_eq!(store.claim_tasks(&job.run, &job.campaign, 2, lease).unwrap().len(), 2);
    let near = Lease { worker: "worker-near", time: Duration::from_secs(60) };
    store.claim_tasks(&job.run, &job.campaign, 1, near).unwrap();
    let far = WorkerNote {
        id: "worker-far".into(),
        version: "0.1".into(),
        threads: 2,
        failed: 3,
        state: "works".into(),
        ..WorkerNote::default()
    };
    for _ in 0..3 {
        store.note_failure(&job.run, Some(5), "worker-far", "the engine has ended").unwrap();
    }
    store.note_failure(&job.run, None, "worker-odd", "it must have gnugo").unwrap();
    store.note_worker(&far).unwrap();
    store.note_worker(&WorkerNote { id: "worker-gone".into(), state: "gone".into(), ..far }).unwrap();
    let part = bench.until("/lab/campaigns/course", "worker-far");
    for words in ["ladder", line, "<b class=\"bad\">3</b>", "1 running, 5 waiting", "works", "0.00"] {
        assert!(part.contains(words), "{words}: {part}");
    }
    assert!(!part.contains("worker-gone"), "{part}");
    for words in
        ["<b class=\"bad\">given up</b>", "the engine has ended", "left to others", "it must have gnugo"]
    {
        assert!(part.contains(words), "{words}: {part}");
    }
    assert!(events.next().is_some(), "somebody works");

    store.give_back_tasks("worker-near").unwrap();
    run(&[]);
    let part = bench.until("/lab/campaigns/course", ">done<");
    assert!(part.contains("value=\"6\" max=\"6\"") && !part.contains("waiting"), "{part}");
    assert!(!part.contains("the engine has ended"), "opened again, it was tried anew: {part}");
    let part = bench.until("/lab/campaigns/curves", "<value-chart");
    for words in ["ladder: finished tasks a minute", "workers of the database", "score of the first player"] {
        assert!(part.contains(words), "{words}: {part}");
    }
    assert_eq!(part.matches("<value-chart").count(), 4, "pace, workers, and the match twice: {part}");
    let mut told = events_of(&bench, "lab/campaigns");
    assert!(told.any(|event| event["name"] == "curves"), "pages hear of the curves, too");
    let japanese = bench.japanese("/lab/campaigns");
    assert!(japanese.contains("ladder：毎分の完了タスク"), "{japanese}");
    assert!(
        japanese.contains("ワーカー") && japanese.contains("キャンペーン") && !japanese.contains("Time left")
    );
}
