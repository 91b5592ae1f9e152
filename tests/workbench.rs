//! The workbench: what it answers to whom, over plain HTTP; and its pages in a real browser, if there is one.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use ishi_lab::store::{GameRow, NewResult, QueueEntry, Store, StoreTask, TaskCost, TaskKind};

use crate::support::damage::flip_bit_at;
use crate::support::program::tell_missing;
use crate::support::workbench::{Reply, Workbench};

const ISHI: &str = env!("CARGO_BIN_EXE_ishi");

fn get(bench: &Workbench, path: &str) -> Reply {
    bench.ask("GET", path, &[], "")
}

fn post(bench: &Workbench, path: &str, body: &str) -> Reply {
    bench.ask("POST", path, &[], body)
}

/// A new game of two people; its path.
fn game(bench: &Workbench) -> String {
    let form = "size=9&rules=chinese&komi=&handicap=0&black=person&white=person&clock=";
    let reply = post(bench, "/go/new", form);
    assert_eq!(reply.status, 303, "{}", reply.body);
    reply.place().to_string()
}

#[test]
fn only_pages_of_ours_may_change_something() {
    let bench = Workbench::start();
    assert_eq!(get(&bench, "/").status, 200);
    assert_eq!(bench.ask("GET", "/", &[("Host", "evil.example")], "").status, 421);
    for header in [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
        assert_eq!(bench.ask("POST", "/go/new", &[header], "size=9").status, 403, "{header:?}");
    }
    let page = get(&bench, "/go");
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'self'"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
}

/// Nobody has to ask for it a second time: whoever opens the page again finds it going on.
#[test]
fn a_review_goes_on_after_its_server_was_killed() {
    let bench = Workbench::start();
    let headers = [("Content-Type", "multipart/form-data; boundary=x")];
    let sgf = include_str!("clients/lost.sgf");
    let body = format!("--x\r\nContent-Disposition: form-data; name=\"sgf\"\r\n\r\n{sgf}\r\n--x--\r\n");
    let path = bench.ask("POST", "/go", &headers, &body).place().to_string();
    let begun = bench.post(&format!("{path}/review"), &[("on", "1")]);
    assert!(begun.body.contains("Stop the review"), "{}", begun.body);
    // Killed at once.
    let bench = bench.restart();
    assert!(bench.page(&path).contains("Stop the review"), "it goes on");
    let done = bench.until(&path, "Review again");
    assert!(done.contains("class=\"curve\"") && done.contains("class=\"lead\""), "{done}");
    // One that somebody stopped does not.
    bench.post(&format!("{path}/review"), &[("on", "1")]);
    bench.post(&format!("{path}/review"), &[]);
    let bench = bench.restart();
    assert!(!bench.page(&path).contains("Stop the review"));
}

/// A code leads to the page that somebody wants to go on with, and nowhere else.
#[test]
fn a_page_is_gone_on_with_by_phone() {
    let bench = Workbench::start();
    let asked = bench.post("/phone", &[("to", "/go/abc")]);
    assert!(
        asked.part().contains("--listen 0.0.0.0"),
        "this address is of this machine alone: {}",
        asked.body
    );
    for wrong in ["//evil.example", "http://evil.example", "/go/<b>", "go"] {
        bench.post("/phone", &[("to", wrong)]).refused(422);
    }
    for (to, place) in [("/go/abc", "0;url=/go/abc"), ("//evil.example", "0;url=/"), ("/a%0d%0ab", "0;url=/")]
    {
        let code = bench.post("/enter/code", &[]).body;
        let entered = bench.ask_as_stranger("GET", &format!("/enter?code={code}&to={to}"), &[], "");
        assert_eq!((entered.status, entered.header("refresh")), (200, Some(place)), "{to}");
    }
    assert!(bench.page(&game(&bench)).contains("hx-post=\"/phone\""));
}

#[test]
fn strangers_must_give_the_token_once() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("token");
    std::fs::write(&file, "correct horse battery\n").unwrap();
    let options = ["--token-file", file.to_str().unwrap()];
    let bench = Workbench::with_options(&place.path().join("ishi.db"), "127.0.0.1:0", &options);
    assert!(!bench.told.contains("horse"), "the token itself is not told: {}", bench.told);
    let stranger = get(&bench, "/go");
    assert_eq!((stranger.status, stranger.place()), (303, "/enter"));
    assert_eq!(post(&bench, "/enter", "token=wrong").status, 403);
    let entered = post(&bench, "/enter", "token=correct+horse+battery");
    assert_eq!(entered.status, 303);
    let cookie = entered.header("set-cookie").unwrap();
    assert!(!cookie.contains("horse") && cookie.contains("HttpOnly"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(bench.ask("GET", "/go", &[("Cookie", cookie)], "").status, 200);
}

#[test]
fn other_addresses_than_this_machine_get_a_token() {
    let place = tempfile::tempdir().unwrap();
    let bench = Workbench::with_options(&place.path().join("ishi.db"), "0.0.0.0:0", &[]);
    assert_eq!(get(&bench, "/").status, 303);
    let entered = get(&bench, &bench.entry_path());
    assert_eq!((entered.status, entered.header("refresh")), (200, Some("0;url=/")), "{}", entered.body);
    let short = place.path().join("short");
    std::fs::write(&short, "abc").unwrap();
    let output = Command::new(ISHI).args(["serve", "--no-open", "--token-file"]).arg(short).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a token must have 12 characters or more"));
}

/// Other users of the machine can connect, too.
#[test]
fn nobody_comes_in_without_the_token_on_this_machine_either() {
    let bench = Workbench::start();
    let ask = |method: &str, path: &str, head: &[(&str, &str)]| bench.ask_as_stranger(method, path, head, "");
    for path in ["/", "/go", "/healthz", "/lab/games", "/events"] {
        let reply = ask("GET", path, &[("Accept", "text/html")]);
        assert_eq!((reply.status, reply.place()), (303, "/enter"), "{path}");
        let reply = ask("GET", path, &[("Accept", "*/*"), ("Accept-Language", "ja")]);
        assert_eq!((reply.status, reply.header("www-authenticate")), (401, Some("Bearer")), "{path}");
        assert!(reply.body.contains("トークンが必要です"), "{path}: {}", reply.body);
    }
    for path in ["/go/new", "/go/start", "/decks", "/enter/code"] {
        assert_eq!(ask("POST", path, &[]).status, 401, "{path}");
    }
    let late = ask("POST", "/go/new", &[("HX-Request", "true")]);
    assert_eq!((late.status, late.header("hx-redirect")), (401, Some("/enter")));
    assert_eq!(get(&bench, "/").status, 200, "who shows it comes in");
}

#[test]
fn the_page_that_asks_for_the_token_tells_how_to_find_it() {
    let bench = Workbench::start();
    for (language, words) in
        [("en", "asks every visitor for its token"), ("ja", "すべての人にトークンを求めます")]
    {
        let reply = bench.ask_as_stranger("GET", "/enter", &[("Accept-Language", language)], "");
        assert_eq!(reply.status, 200);
        assert!(reply.body.contains(words) && reply.body.contains("ishi token"), "{}", reply.body);
        let gone = bench.ask_as_stranger("GET", "/enter?code=x", &[("Accept-Language", language)], "");
        assert!(gone.status == 403 && gone.body.contains("ishi token"), "{} {}", gone.status, gone.body);
    }
}

#[test]
fn an_address_lets_one_visitor_in_once_and_the_cookie_outlives_the_server() {
    let bench = Workbench::start();
    let entry = bench.entry_path();
    let look = bench.ask_as_stranger("HEAD", &entry, &[], "");
    assert_eq!(look.header("set-cookie"), None, "a look does not use it up");
    let entered = bench.ask_as_stranger("GET", &entry, &[], "");
    assert_eq!((entered.status, entered.header("refresh")), (200, Some("0;url=/")), "{}", entered.body);
    let line = entered.header("set-cookie").unwrap().to_string();
    for word in ["HttpOnly", "SameSite=Strict", "Max-Age=2592000"] {
        assert!(line.contains(word), "{line}");
    }
    let cookie = [("Cookie", line.split(';').next().unwrap())];
    let again = bench.ask_as_stranger("GET", &entry, &[], "");
    assert_eq!((again.status, again.header("set-cookie")), (403, None), "{}", again.body);
    assert_eq!(bench.ask_as_stranger("GET", "/go", &cookie, "").status, 200);
    assert_eq!(bench.ask_as_stranger("GET", &entry, &cookie, "").status, 200, "who is in already comes in");
    let bench = bench.restart();
    assert_eq!(bench.ask_as_stranger("GET", &entry, &[], "").status, 403);
    assert_ne!(bench.entry_path(), entry);
    assert_eq!(bench.ask_as_stranger("GET", "/go", &cookie, "").status, 200, "the token is kept");
    std::fs::remove_file(format!("{}.token", bench.db.display())).unwrap();
    let bench = bench.restart();
    assert_eq!(bench.ask_as_stranger("GET", "/go", &cookie, "").status, 303, "another token, other cookies");
}

#[test]
fn the_token_is_kept_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Workbench::start();
    let path = format!("{}.token", bench.db.display());
    let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600, "{mode:o}");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let again = Command::new(ISHI).args(["serve", "--no-open", "--db"]).arg(&bench.db).output().unwrap();
    assert_eq!(again.status.code(), Some(3));
    let words = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(words.contains("mode 644") && words.contains("remove it"), "{words}");
}

#[test]
fn wrong_tokens_of_scripts_are_slowed_down_and_the_right_one_is_not() {
    let bench = Workbench::start();
    let show = |token: &str| {
        let shown = format!("Bearer {token}");
        bench.ask_as_stranger("GET", "/healthz", &[("Authorization", &shown)], "").status
    };
    for _ in 0..10 {
        assert_eq!(show("wrong"), 401);
    }
    // Where the machine is slow, one more may have become free meanwhile.
    assert!((0..20).any(|_| show("wrong") == 429), "nobody stops who guesses");
    assert_eq!(show(bench.token.as_ref().unwrap()), 200, "nobody guesses it, so guessers keep nobody out");
}

#[test]
fn the_command_token_prints_the_token_and_addresses() {
    let bench = Workbench::start();
    let ishi = |args: &[&str]| {
        let output = Command::new(ISHI).args(["token", "--db"]).arg(&bench.db).args(args).output().unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), text.concat())
    };
    assert_eq!(ishi(&[]), (Some(0), format!("{}\n", bench.token.as_ref().unwrap())));
    let url = format!("http://{}", bench.address);
    let (code, address) = ishi(&[&url]);
    assert_eq!(code, Some(0), "{address}");
    let path = address.trim().strip_prefix(&url).unwrap();
    assert_eq!(bench.ask_as_stranger("GET", path, &[], "").status, 200);
    assert_eq!(bench.ask_as_stranger("GET", path, &[], "").status, 403);
    let other = Workbench::start();
    let (code, words) = ishi(&[&format!("http://{}", other.address)]);
    assert_eq!(code, Some(3), "{words}");
    assert!(words.contains("401") && words.contains("this is not the token"), "{words}");
    // Nobody listens there.
    let (code, words) = ishi(&["http://127.0.0.1:1"]);
    assert_eq!(code, Some(4), "{words}");
    assert!(words.contains("no workbench answers: 127.0.0.1:1: ") && words.contains("starts one"), "{words}");
    let none = Command::new(ISHI).args(["token", "--db", "/nowhere/ishi.db"]).output().unwrap();
    assert_eq!(none.status.code(), Some(3));
}

#[test]
fn without_a_token_this_machine_is_warned_and_others_cannot_connect() {
    let place = tempfile::tempdir().unwrap();
    let db = place.path().join("ishi.db");
    let bench = Workbench::with_options(&db, "127.0.0.1:0", &["--no-token"]);
    assert!(
        bench.told.contains("WARNING") && bench.told.contains("every user of this machine"),
        "{}",
        bench.told
    );
    assert_eq!(get(&bench, "/go").status, 200);
    assert_eq!(bench.ask("GET", "/go", &[("Host", "evil.example")], "").status, 421);
    assert!(!Path::new(&format!("{}.token", db.display())).exists());
    let args = ["serve", "--no-open", "--no-token", "--listen", "0.0.0.0:0"];
    let open = Command::new(ISHI).args(args).current_dir(place.path()).output().unwrap();
    assert_eq!(open.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&open.stderr).contains("must be a loopback one"));
}

/// Memory may grow with what is kept, but not by as much as a page for each request.
const MOST_BYTES_PER_REQUEST: f64 = 16_384.0;

/// Times are only looked at: whoever measures wants an idle machine.
#[test]
fn the_program_for_load_measures_a_server_of_its_own() {
    let sizes = [
        "--requests",
        "40",
        "--pause",
        "0.05",
        "--sessions",
        "5",
        "--strangers",
        "300",
        "--memory-requests",
        "1500",
    ];
    let output =
        Command::new(ISHI).args(["visit", "--own", "--json", "--quiet"]).args(sizes).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{told}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for part in ["alone", "beside_searches", "memory"] {
        let statuses = report[part]["statuses"].as_object().unwrap();
        assert!(
            statuses.keys().all(|status| ["200", "204", "303"].contains(&status.as_str())),
            "{part}: {statuses:?}"
        );
    }
    assert_eq!(report["memory"]["requests"], 1500);
    let searches = report["beside_searches"]["searches"].as_array().unwrap();
    assert!(searches.last().unwrap().as_u64() >= Some(1), "nothing was searched: {searches:?}");
    let strangers = &report["among_strangers"];
    assert_eq!((&strangers["connections"], &strangers["failures"]), (&300.into(), &0.into()), "{strangers}");
    assert_eq!(strangers["visits"]["count"], 100);
    let bytes = report["bytes_per_request"].as_f64().unwrap();
    assert!(bytes < MOST_BYTES_PER_REQUEST, "{bytes} bytes a request: {}", report["memory"]);
}

#[test]
fn what_was_done_outlives_the_server_and_an_older_page_is_told() {
    let bench = Workbench::start();
    let game = game(&bench);
    let point = format!("{game}/point");
    assert_eq!(post(&bench, &point, "at=E5&tool=play&revision=1").status, 200);
    let late = post(&bench, &point, "at=D4&tool=play&revision=1");
    assert!(late.refused(409).contains("changed in another tab"));
    let bench = bench.restart();
    let sgf = get(&bench, &format!("{game}/sgf")).body;
    assert!(sgf.contains(";B[ee])"), "{sgf}");
}

/// A damaged document hides no other: it is told by name, at the start, in lists and where it is opened, and can be saved and removed.
#[test]
fn a_damaged_game_hides_no_other_and_can_be_saved_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("ishi.db");
    let mut store = ishi_lab::store::Store::open(&db).unwrap();
    for (key, title) in [("abc", "The whole"), ("def", "The <damaged>")] {
        let body = serde_json::json!({ "width": 9, "name": format!("board {key}") });
        store.keep_document("strings", key, title, &body, 0).unwrap();
    }
    drop(store);
    flip_bit_at(&db, "board def", 8);

    let bench = Workbench::with(&db);
    assert!(
        bench.told.contains("strings \"The <damaged>\" cannot be opened (document def: "),
        "{}",
        bench.told
    );
    assert!(!bench.told.contains("The whole"), "{}", bench.told);
    let list = bench.page("/strings");
    assert!(
        list.contains("The whole")
            && list.contains("so that it cannot be opened: <b>The &lt;damaged&gt;</b>"),
        "{list}"
    );
    assert!(
        bench
            .japanese("/strings")
            .contains("データベース内で壊れていて開けません：<b>The &lt;damaged&gt;</b>")
    );
    let refused = get(&bench, "/strings/def");
    assert!(refused.refused(500).contains("remove it at /damaged"), "{}", refused.body);

    let page = bench.page("/damaged");
    assert!(page.contains("document def: ") && !page.contains("The whole"), "{page}");
    assert!(bench.japanese("/damaged").contains("完全に削除"));
    let saved = get(&bench, "/damaged/text?kind=strings&key=def");
    assert_eq!((saved.status, saved.body.contains("\"name\":\"board deg\"")), (200, true), "{}", saved.body);
    assert_eq!(get(&bench, "/damaged/text?kind=strings&key=abc").status, 404);
    assert_eq!(bench.form("/damaged/remove", &[("kind", "strings"), ("key", "abc")]).status, 404);
    assert_eq!(bench.form("/damaged/remove", &[("kind", "strings"), ("key", "def")]).place(), "/damaged");
    assert!(bench.page("/damaged").contains("Nothing is damaged"));
    let list = bench.page("/strings");
    assert!(list.contains("The whole") && !list.contains("damaged"), "{list}");
}

/// Who opens the address of a form sees a page with words, and no empty one.
#[test]
fn the_address_of_a_form_says_that_it_is_no_page() {
    let bench = Workbench::start();
    let reply = get(&bench, "/go/new");
    assert!(reply.refused(405).contains("/go/new does not take GET: go back"), "{}", reply.body);
    assert_eq!(reply.header("allow"), Some("POST"));
    assert!(
        bench
            .ask("DELETE", "/go", &[("Cookie", "lang=ja")], "")
            .refused(405)
            .contains("/go は DELETE を受け付けません")
    );
}

#[test]
fn a_damaged_game_of_a_match_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("ishi.db");
    let mut store = ishi_lab::store::Store::open(&db).unwrap();
    let game = |black: &str| GameRow {
        black: black.into(),
        white: "other".into(),
        board: "9x9".into(),
        rules: "chinese".into(),
        result: "B+1".into(),
        moves: "D4".into(),
        sgf: "(;GM[1])".into(),
        ..GameRow::default()
    };
    let games = vec![game("whole player"), game("broken player")];
    let result =
        NewResult { result: serde_json::json!(1), seed: "1".into(), cost: TaskCost::default(), games };
    let task = StoreTask::new(TaskKind::new("test"), serde_json::json!({ "number": 1 }));
    store.keep_result(&task, &result).unwrap();
    drop(store);
    flip_bit_at(&db, "broken player", 0);

    let bench = Workbench::with(&db);
    let page = bench.page("/lab/games");
    assert!(page.contains("whole player") && page.contains("<li>game 1 of task "), "{page}");
    assert!(!page.contains("roken player"), "{page}");
    assert!(get(&bench, "/lab/games/file.csv").status >= 400, "a table without it would be wrong");
}

/// A damaged run hides no other, nor anything else of the laboratory, and can be removed.
#[test]
fn a_damaged_run_hides_no_other_and_can_be_removed() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("ishi.db");
    let mut store = ishi_lab::store::Store::open(&db).unwrap();
    for name in ["whole games", "broken games"] {
        store.start_run(name, "match", &serde_json::json!({ "a": format!("player of {name}") })).unwrap();
    }
    drop(store);
    flip_bit_at(&db, "player of broken", 0);

    let bench = Workbench::with(&db);
    let list = bench.page("/lab");
    assert!(list.contains("player of whole games") && list.contains("<b>broken games</b>"), "{list}");
    assert!(!list.contains("layer of broken"), "{list}");
    let games = bench.page("/lab/games");
    assert!(games.contains("whole games") && !games.contains("broken games"), "{games}");
    let page = bench.page("/damaged");
    assert!(page.contains("run broken games: ") && page.contains("results of its tasks stay"), "{page}");
    assert!(bench.japanese("/damaged").contains("個々の結果は残り"));
    assert_eq!(bench.form("/damaged/forget", &[("name", "whole games")]).status, 404);
    assert_eq!(bench.form("/damaged/forget", &[("name", "broken games")]).place(), "/damaged");
    assert!(bench.page("/damaged").contains("Nothing is damaged"));
    let list = bench.page("/lab");
    assert!(list.contains("player of whole games") && !list.contains("broken games"), "{list}");
}

/// A damaged row of a campaign hides no other campaign, and can be removed.
#[test]
fn a_damaged_campaign_hides_no_other_and_can_be_removed() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("ishi.db");
    let mut store = Store::open(&db).unwrap();
    for name in ["whole", "broken"] {
        let run = format!("{name} games");
        store.start_run(&run, "match", &serde_json::json!({})).unwrap();
        let task = StoreTask::new(TaskKind::new("test"), serde_json::json!({ "name": name }));
        let entry = QueueEntry { place: 0, task: task.id(), after: None };
        let job = serde_json::json!({ "arguments": [format!("player of {name} games")] });
        store.open_job(&run, &format!("{name} campaign"), &job, &[entry]).unwrap();
    }
    drop(store);
    flip_bit_at(&db, "player of broken", 0);

    let bench = Workbench::with(&db);
    let page = bench.page("/lab/campaigns");
    assert!(page.contains("whole campaign") && page.contains("player of whole games"), "{page}");
    assert!(page.contains("<b>broken campaign</b>") && page.contains("job of run broken games: "), "{page}");
    assert!(page.contains("href=\"/damaged\"") && !page.contains("layer of broken"), "{page}");
    let page = bench.page("/damaged");
    assert!(
        page.contains("job of run broken games: ") && page.contains("Results stay when they are removed"),
        "{page}"
    );
    assert!(bench.japanese("/damaged").contains("キャンペーンの行です。"));
    assert_eq!(bench.form("/damaged/campaigns", &[]).place(), "/damaged");
    assert!(bench.page("/damaged").contains("Nothing is damaged"));
    assert_eq!(bench.form("/damaged/campaigns", &[]).status, 404);
    let jobs = Store::open_read_only(&db).unwrap().list_jobs().unwrap();
    assert_eq!(jobs.iter().map(|job| job.campaign.as_str()).collect::<Vec<_>>(), ["whole campaign"]);
}

#[test]
fn an_engine_answers_and_its_moves_are_taken_back_with_ones_own() {
    let bench = Workbench::start();
    let start = bench.post("/go/start", &[("at", "E5"), ("rank", "20k")]);
    let game = start.place().to_string();
    bench.page(&game);
    bench.until(&format!("{game}/table"), "move-count\">2<");
    bench.post(&format!("{game}/do/undo"), &[]).part();
    let sgf = get(&bench, &format!("{game}/sgf")).body;
    assert!(!sgf.contains(";B["), "{sgf}");
    // It says how it was made.
    let told = |part: &str| sgf.contains(part);
    assert!(
        told("AP[ishi:") && told("MADEBY[ishi ") && told(", seed ") && told("white go-rank:rank=20k"),
        "{sgf}"
    );
    let page = get(&bench, &format!("{game}/html")).body;
    assert!(page.contains("<meta name=\"made-by\" content=\"ishi "), "it says how it was made: {page}");
}

#[test]
fn a_teaching_game_tells_a_blunder_before_it_is_answered() {
    let bench = Workbench::start();
    let form = "size=9&rules=chinese&komi=&handicap=0&black=person&white=go-random&clock=&taught=1";
    let game = post(&bench, "/go/new", form).place().to_string();
    let table = format!("{game}/table");
    let blunder = || {
        post(&bench, &format!("{game}/point"), "at=A1");
        bench.until(&table, "A1 is a blunder");
        bench.part(&table).body
    };
    bench.page(&game);
    let told = blunder();
    assert!(
        told.contains("move-count\">1<") && told.contains("loses about") && told.contains("E5"),
        "{told}"
    );
    let refused = post(&bench, &format!("{game}/point"), "at=C3").body;
    assert!(refused.contains("leave it and play on"), "{refused}");
    // The choice is about this move, wherever the page is.
    assert_eq!(told.matches("hx-vals=\"{&quot;node&quot;: 1}\"").count(), 2, "{told}");
    post(&bench, &format!("{game}/do/undo"), "node=1");
    let part = bench.part(&table).body;
    assert!(part.contains("move-count\">0<") && !part.contains("is a blunder"), "{part}");
    blunder();
    post(&bench, &format!("{game}/do/engine"), "");
    bench.until(&table, "move-count\">2<");
    assert!(!bench.part(&table).body.contains("is a blunder"));
    // It is no engine's turn there.
    let part = post(&bench, &format!("{game}/do/engine"), "node=0").body;
    assert!(part.contains("move-count") && !part.contains("ishi is thinking"), "{part}");
}

#[test]
fn the_next_opponent_follows_the_results() {
    let bench = Workbench::start();
    let entrance = bench.page("/go");
    assert!(entrance.contains("ishi of your strength (15 kyu)") && !entrance.contains("Your strength after"));
    let form = "size=9&rules=chinese&komi=&handicap=0&black=person&white=go-rank%3Arank%3Down&clock=";
    for rank in ["15 kyu", "17 kyu"] {
        let game = post(&bench, "/go/new", form).place().to_string();
        let page = bench.page(&game);
        assert!(
            page.contains(&format!("ishi, {rank}")) && page.contains("counts for your strength"),
            "{page}"
        );
        // What is sent twice counts once.
        post(&bench, &format!("{game}/do/resign"), "");
        post(&bench, &format!("{game}/do/resign"), "");
    }
    let entrance = bench.page("/go");
    assert!(entrance.contains("Your strength after 2 games: about 18 kyu"), "{entrance}");
    assert!(bench.page("/").contains("your strength (18 kyu)"));
    assert!(bench.japanese("/go").contains("2 局で18級相当"));
}

/// Random players pass when nothing else is left; the second pass is the engine's.
#[test]
fn a_count_is_proposed_when_the_engine_passes_second() {
    let bench = Workbench::start();
    let form = "size=2&rules=chinese&komi=&handicap=0&black=person&white=go-random&clock=";
    let game = post(&bench, "/go/new", form).place().to_string();
    post(&bench, &format!("{game}/do/pass"), "");
    for _ in 0..200 {
        let part = bench.part(&format!("{game}/table"));
        if part.body.contains("Agree to the count") {
            return;
        }
        if part.body.contains("thinking") {
            std::thread::sleep(std::time::Duration::from_millis(50));
            continue;
        }
        post(&bench, &format!("{game}/do/pass"), "");
    }
    panic!("there is no count: {}", bench.part(&format!("{game}/table")).body);
}

#[test]
fn bad_input_is_answered_in_words() {
    let bench = Workbench::start();
    let game = game(&bench);
    let point = format!("{game}/point");
    assert_eq!(post(&bench, &point, "at=E5&tool=play").status, 200);
    for (path, body, status, words) in [
        (point.as_str(), "at=E5&tool=play", 422, "a black stone stands there"),
        (&point, "at=Z99&tool=play", 422, "Z99"),
        ("/go/new", "size=99&rules=chinese&komi=&handicap=0&black=person&white=person&clock=", 422, "99"),
        (
            "/go/new",
            "size=9&rules=chinese&komi=x&handicap=0&black=person&white=person&clock=",
            422,
            "is no number",
        ),
        (
            "/go/new",
            "size=9&rules=chinese&komi=&handicap=0&black=go-mtcs&white=person&clock=",
            422,
            "go-mtcs",
        ),
        (
            "/go/new",
            "size=9&rules=chinese&komi=&handicap=0&black=person&white=person&clock=5x",
            422,
            "invalid time",
        ),
        ("/go/nowhere/point", "at=E5", 404, "there is no table nowhere"),
    ] {
        let reply = post(&bench, path, body);
        assert_eq!(reply.status, status, "{path} {body}: {}", reply.body);
        assert!(reply.body.contains(words), "{path} {body}: {}", reply.body);
    }
    // Scripts are told in a line of their own, in the language of who asks.
    let headers = [("HX-Request", "true"), ("Cookie", "lang=ja")];
    let told = bench.ask("POST", &point, &headers, "at=D4&tool=play&revision=1");
    assert_eq!((told.status, told.header("hx-retarget")), (200, Some("#message")));
    assert!(told.body.contains("別のタブ"), "{}", told.body);
    assert_eq!(get(&bench, "/nothing").status, 404);
    assert_eq!(get(&bench, "/assets/x/../../etc/passwd").status, 404);
}

#[test]
fn hostile_records_do_no_harm() {
    let bench = Workbench::start();
    let headers = [("Content-Type", "multipart/form-data; boundary=x")];
    let open = |sgf: &str| {
        let body = format!("--x\r\nContent-Disposition: form-data; name=\"sgf\"\r\n\r\n{sgf}\r\n--x--\r\n");
        bench.ask("POST", "/go", &headers, &body)
    };
    for sgf in ["", "nonsense", "(;GM[2])", "(;SZ[30])", &"(".repeat(100_000)] {
        let status = open(sgf).status;
        assert!((400..500).contains(&status), "{} bytes: {status}", sgf.len());
    }
    assert_eq!(open(&format!("(;SZ[9]{})", ";B[aa]".repeat(30_000))).status, 422, "too many nodes");
    let opened = open("(;SZ[9]PB[<script>alert(1)</script>]C[<img src=x onerror=alert(1)>];B[ee])");
    let page = bench.page(opened.place());
    assert!(
        !page.contains("<script>alert") && !page.contains("<img src=x"),
        "markup of a record got into the page"
    );
    let drawn = open("(;SZ[9]AR[aa:ii]LN[bb:cc][zz:a]AR[nonsense])");
    assert!(bench.page(drawn.place()).contains("stroke-width=\"3\""), "the arrow is missing");
    // More than lies between a client and a server: it is answered when all is sent, and not by a connection that breaks.
    assert_eq!(open(&"x".repeat(40 << 20)).status, 413);
    assert_eq!(get(&bench, "/go").status, 200);
}

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/clients")
}

/// The groups of checks in `clients/pages.mjs`. Each is a test below.
const PAGE_GROUPS: [&str; 5] = ["games", "boards", "analyses", "reviews", "rooms"];

/// How many checks each group has, as the script is written: an object for each group, with a function for each check.
fn count_checks_of_groups() -> BTreeMap<String, usize> {
    let script = std::fs::read_to_string(clients().join("pages.mjs")).unwrap();
    let (mut group, mut counts) = (String::new(), BTreeMap::new());
    for line in script.lines() {
        if let Some(rest) = line.strip_prefix("const ") {
            group = rest.trim_end_matches(" = {").to_string();
        } else if line.starts_with("  async \"") {
            *counts.entry(group.clone()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn every_check_of_the_pages_is_in_a_group_that_is_run() {
    let counts = count_checks_of_groups();
    let names: BTreeSet<&str> = counts.keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(PAGE_GROUPS));
    assert!(counts.values().sum::<usize>() >= 61, "{counts:?}");
}

/// Runs a group, of which every check must hold.
fn check_pages(group: &str) {
    run_in_browser("pages.mjs", &["--group", group], count_checks_of_groups()[group]);
}

#[test]
fn pages_work_where_games_are_played() {
    check_pages(PAGE_GROUPS[0]);
}

#[test]
fn pages_work_where_moves_are_stepped_through() {
    check_pages(PAGE_GROUPS[1]);
}

#[test]
fn pages_work_where_positions_are_analysed() {
    check_pages(PAGE_GROUPS[2]);
}

#[test]
fn pages_work_where_reviews_are_read() {
    check_pages(PAGE_GROUPS[3]);
}

#[test]
fn pages_work_in_every_room() {
    check_pages(PAGE_GROUPS[4]);
}

/// Seven people with their budgets of clicks and sizes; seconds are told only.
#[test]
fn people_get_what_they_came_for() {
    run_in_browser("people.mjs", &[], 12);
}

/// Runs a script of page tests, which prints a line for each check that holds, `least` at least.
fn run_in_browser(script: &str, words: &[&str], least: usize) {
    let browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let ready = clients().join("node_modules/playwright-core").exists()
        && browsers.iter().any(|browser| Path::new(browser).exists())
        && Command::new("node").arg("-v").output().is_ok();
    if !ready {
        let what = "node, chromium and playwright-core (npm ci --prefix tests/clients)";
        tell_missing(what);
        return;
    }
    let output = Command::new("node").arg(clients().join(script)).arg(ISHI).args(words).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.lines().filter(|line| line.starts_with("ok ")).count() >= least, "{told}");
}

/// Ports that are asked for by number are told, too.
#[test]
fn a_port_that_is_taken_is_said_so() {
    let place = tempfile::tempdir().unwrap();
    let bench = Workbench::start();
    let again = Command::new(ISHI)
        .args(["serve", "--no-open", "--listen", &bench.address, "--db"])
        .arg(place.path().join("other.db"))
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(4));
    let words = String::from_utf8_lossy(&again.stderr).into_owned();
    let told = format!("cannot listen on {}: another program listens there", bench.address);
    assert!(words.contains(&told), "{words}");
}

#[test]
fn a_workbench_that_cannot_start_says_what_must_be() {
    let place = tempfile::tempdir().unwrap();
    for (args, code, told) in [
        (["--listen", "x", "--db", "a.db"], 3, "cannot listen on x: it must be an address and a port"),
        (
            ["--listen", "127.0.0.1:0", "--db", "none/a.db"],
            4,
            "cannot open the database none/a.db: there is no folder none",
        ),
    ] {
        let mut command = Command::new(ISHI);
        command.args(["serve", "--no-open"]).args(args).current_dir(&place).env("ISHI_DATA", place.path());
        let output = command.output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && words.contains(told), "{words}");
    }
}

/// On a server's database everything is kept as in a file, and no password is told or stands in a file's name.
#[test]
fn a_workbench_keeps_its_things_on_a_server() {
    let Some(server) = crate::support::postgres::shared_server() else { return };
    let address = server.new_database();
    let start = || Workbench::with_options(Path::new(&address), "127.0.0.1:0", &["--no-token"]);
    let bench = start();
    assert!(!bench.told.contains("%20") && bench.told.contains("postgres://"), "{}", bench.told);
    let wanted = [("black", "person"), ("white", "person"), ("from", "f5d6c3"), ("minutes", "5")];
    let place = bench.form("/othello", &wanted).place().to_string();
    assert!(bench.page("/lab/campaigns").contains("There is no campaign"));
    drop(bench);
    let bench = start();
    let page = bench.page(&place);
    assert!(page.contains("othello-move-3") && page.contains("5:00"), "{page}");
}
