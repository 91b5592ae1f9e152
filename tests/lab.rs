//! `ishi lab` from the command line: a kill in the middle, a stop, reports, and what is kept apart.

#![allow(missing_docs)]
// Tests start processes and read files.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use ishi_experiments::KINDS;
use ishi_lab::report::PapersPage;
use ishi_lab::store::{GameFilter, Store};
use ishi_rng::Seed;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::damage::flip_bit_at;
#[cfg(target_os = "linux")]
use crate::support::program::wait_until_it_listens_to_ctrl_c;

/// A folder with a copy of the first experiment, without its kept results.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../experiments/010-ground");
        let to = place.path().join("experiments/010-ground");
        std::fs::create_dir_all(&to).unwrap();
        for file in ["README.md", "config.toml", "expected.toml"] {
            std::fs::copy(from.join(file), to.join(file)).unwrap();
        }
        Place(place)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn quick_results(&self) -> PathBuf {
        self.path("experiments/010-ground/results/quick")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
        command.arg("lab").args(args).current_dir(self.0.path());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs with success and gives what is printed.
    fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {:?}\n{errors}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs without success and gives exit code and message.
    fn fails(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = self.run(args);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    /// Starts, waits for so many lines of progress, and kills.
    fn kill_after(&self, args: &[&str], lines: usize) {
        let mut child = self.command(args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut progress = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let reported = progress.by_ref().filter(|line| line.contains(" tasks: ")).take(lines).count();
        assert_eq!(reported, lines);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// The finished tasks in the database.
    fn finished(&self) -> usize {
        let store = Store::open(&self.path("ishi.db")).unwrap();
        store.list_runs().unwrap().runs.iter().map(|run| run.finished as usize).sum()
    }
}

/// The results by task, from results.json.
fn results(place: &Place) -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(place.quick_results().join("results.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let results = json["results"].as_object().unwrap();
    results.iter().map(|(name, value)| (name.clone(), without_times(value.clone()))).collect()
}

/// Measured times and the machine are no part of what must be repeated.
fn without_times(mut value: Value) -> Value {
    for side in ["ishi", "reference"] {
        if let Some(side) = value.get_mut(side).and_then(Value::as_object_mut) {
            assert!(side.remove("cpu_seconds").unwrap().as_f64().unwrap() > 0.0);
        }
    }
    value
}

/// All games with what must be repeated.
fn games(place: &Place) -> Vec<[String; 5]> {
    let store = Store::open(&place.path("ishi.db")).unwrap();
    let games = store.find_games(&GameFilter::default()).unwrap();
    let mut games: Vec<_> =
        games.into_iter().map(|game| [game.black, game.white, game.result, game.moves, game.sgf]).collect();
    games.sort();
    games
}

/// Every kept result, as it stands in the database.
fn kept(place: &Place) -> BTreeMap<String, String> {
    let store = Store::open(&place.path("ishi.db")).unwrap();
    let runs = store.list_runs().unwrap().runs;
    let finished = runs.iter().flat_map(|run| store.results_of_run(&run.name).unwrap());
    finished
        .map(|(_, task)| (task.id.to_string(), format!("{:?}", (task.result, task.cost, task.finished))))
        .collect()
}

const QUICK: [&str; 3] = ["run", "010", "--quick"];

#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_results() {
    let whole = Place::new();
    whole.ok(&QUICK);
    let tasks = whole.finished();

    // A machine that stalls might let it finish before it is killed: then once more.
    let killed_in_the_middle = || {
        let place = Place::new();
        place.kill_after(&["run", "010", "--quick", "--threads", "1"], 4);
        let done = place.finished();
        (done > 0 && done < tasks).then_some(place)
    };
    let place = (0..5).find_map(|_| killed_in_the_middle()).expect("killed in the middle");
    let before = kept(&place);
    let (code, message) = place.fails(&["report", "010", "--quick"]);
    assert_eq!(code, Some(3), "{message}");
    assert!(
        message.contains(&format!("of {tasks} tasks of 010-ground (quick, seed 1) are finished")),
        "{message}"
    );

    place.ok(&["resume", "ground", "--quick", "--threads", "3"]);
    let after = kept(&place);
    assert!(before.iter().all(|(id, result)| after[id] == *result), "what was finished was not done again");
    assert_eq!(place.finished(), tasks);
    assert_eq!(results(&place), results(&whole));
    assert_eq!(games(&place), games(&whole));
}

#[test]
fn ctrl_c_stops_cleanly_and_says_how_to_go_on() {
    let stopped_in_the_middle = || {
        let place = Place::new();
        let mut child = place.command(&QUICK).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        assert!(lines.any(|line| line.contains(" tasks: ")), "it reports progress");
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let rest: Vec<String> = lines.collect();
        let status = child.wait().unwrap();
        (status.code() == Some(130)).then_some((place, rest))
    };
    let (place, rest) = (0..5).find_map(|_| stopped_in_the_middle()).expect("stopped in the middle");
    let message = rest.iter().find(|line| line.starts_with("ishi: stopped; ")).unwrap();
    assert!(message.ends_with("go on with: ishi lab run 010 --quick --seed 1 --db ishi.db"), "{message}");
    place.ok(&QUICK);
}

/// What is listed may take long: here a title that never comes, as its file is a pipe into which nobody writes.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_list_of_experiments() {
    let place = Place::new();
    let title = place.path("experiments/010-ground/README.md");
    std::fs::remove_file(&title).unwrap();
    assert!(Command::new("mkfifo").arg(&title).status().unwrap().success());
    let mut child = place.command(&["list"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until_it_listens_to_ctrl_c(&child);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = (0..1000).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        child.try_wait().unwrap()
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(ended.and_then(|status| status.code()), Some(130));
}

/// A database that is not there has no runs, as one in which nothing is yet. But a folder that is not there was mistyped.
#[test]
fn a_database_in_a_folder_that_is_not_there_is_refused() {
    let place = Place::new();
    std::fs::write(place.path("empty.db"), "").unwrap();
    for database in ["none.db", "empty.db"] {
        assert!(place.ok(&["list", "--db", database]).contains("ground"), "{database}");
    }
    for args in [vec!["list"], vec!["list", "--json"], vec!["report", "010", "--quick"]] {
        let (code, message) = place.fails(&[&args[..], &["--db", "no/such.db"]].concat());
        assert_eq!(code, Some(4), "{message}");
        assert!(message.contains("cannot open the database no/such.db: there is no folder no"), "{message}");
    }
    assert!(!place.path("no").exists() && !place.path("none.db").exists());
}

#[test]
fn the_report_has_expected_figures_beside_ours() {
    let place = Place::new();
    let printed = place.ok(&["run", "010", "--quick", "--seed", "7"]);
    assert!(printed.contains("nothing follows from its figures"), "{printed}");
    let file = |name: &str| std::fs::read_to_string(place.quick_results().join(name)).unwrap();
    let markdown = file("report.md");
    let line = markdown.lines().find(|line| line.starts_with("| 540 of 1000: p |")).unwrap();
    assert_eq!(
        line,
        "| 540 of 1000: p | 0.012 | 0.012 |  | the same | published table of matches of 1000 games |"
    );
    for text in [
        "| seed | 7 |",
        "CPU hours",
        "| ishi | 0.",
        "| machine | ",
        "![Ratings with 95% intervals](ratings.svg)",
        "59,000 to 69,000 playouts/s",
    ] {
        assert!(markdown.contains(text), "{text}\n{markdown}");
    }
    let page = file("report.html");
    for text in [
        "width=device-width",
        "prefers-color-scheme: dark",
        "<svg class=\"plot\"",
        "<td class=\"n\">0.012</td><td class=\"n\">0.012</td>",
        "class=\"good\">the same<",
    ] {
        assert!(page.contains(text), "{text}");
    }
    for outside in ["<script", "<link", "src=", "http://", "https://"] {
        let found = page.replace("http://www.w3.org/2000/svg", "").contains(outside);
        assert!(!found, "the page loads nothing: {outside}");
    }
    for plot in ["speed.svg", "ratings.svg", "playouts.svg"] {
        assert!(file(plot).starts_with("<svg class=\"plot\""), "{plot}");
        assert!(file(plot).contains("<metadata>made by ishi "), "{plot}");
        assert!(
            file(plot).ends_with(", seed 7: ishi lab report 010-ground --quick --seed 7</metadata></svg>\n"),
            "{plot}"
        );
    }
    let json: Value =
        serde_json::from_str(&place.ok(&["report", "010", "--quick", "--seed", "7", "--json"])).unwrap();
    assert_eq!((&json["seed"], &json["variant"]), (&Value::from("7"), &Value::from("quick")));
    assert_eq!(json["made_by"]["command"], "ishi lab report 010 --quick --seed 7 --json");
    let verdicts: Vec<&str> =
        json["comparisons"].as_array().unwrap().iter().filter_map(|c| c["verdict"].as_str()).collect();
    assert_eq!(verdicts.iter().filter(|verdict| **verdict == "same").count(), 9, "{verdicts:?}");
}

#[test]
fn quick_and_full_are_kept_apart() {
    let place = Place::new();
    let (code, message) = place.fails(&["resume", "010", "--quick"]);
    assert_eq!(code, Some(3));
    assert!(message.contains("nothing to go on with: there is no database ishi.db"), "{message}");
    place.ok(&QUICK);
    let (code, message) = place.fails(&["report", "010"]);
    assert_eq!(code, Some(3));
    assert!(message.contains("no report yet: 0 of "), "{message}");
    assert!(!place.path("experiments/010-ground/results/report.md").exists());

    let list: Value = serde_json::from_str(&place.ok(&["list", "--json"])).unwrap();
    assert_eq!(list["made_by"]["command"], "ishi lab list --json");
    let line = &list["experiments"][0];
    assert_eq!((&line["name"], &line["kind"]), (&Value::from("010-ground"), &Value::from("ground")));
    assert_eq!(
        (&line["quick"]["done"], &line["quick"]["report"]),
        (&line["quick"]["tasks"], &Value::from(true))
    );
    assert_eq!((&line["full"]["done"], &line["full"]["report"]), (&Value::from(0), &Value::from(false)));
    let text = place.ok(&["list"]);
    assert!(text.contains("010-ground") && text.contains("report written"), "{text}");
}

#[test]
fn wrong_requests_are_refused() {
    let place = Place::new();
    let (code, message) = place.fails(&["run", "011"]);
    assert_eq!(code, Some(3));
    assert!(
        message.contains("no experiment \"011\" in") && message.contains("it has 010-ground"),
        "{message}"
    );

    let config = place.path("experiments/010-ground/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("repetitions = 3", "repetitions = 0")).unwrap();
    let (code, message) = place.fails(&QUICK);
    assert_eq!(code, Some(3));
    assert!(
        message.contains("config.toml:")
            && message.contains("quick.speed.repetitions: 0: repetitions must be 1 to 1000"),
        "{message}"
    );
    assert!(!place.path("ishi.db").exists(), "nothing was begun");
    let list = place.ok(&["list"]);
    assert!(list.contains("cannot be used:") && list.contains("repetitions must be 1 to 1000"), "{list}");
}

/// Another letter in the row of a run hides nothing else, and no result is lost when the run is taken out.
#[test]
fn a_damaged_run_hides_no_experiment_and_is_made_anew() {
    let place = Place::new();
    place.ok(&QUICK);
    let (before, db) = (kept(&place), place.path("ishi.db"));
    // Whoever closes it last writes all into one file.
    drop(Store::open(&db).unwrap());
    let written = "\"experiment\":\"010-groun";
    flip_bit_at(&db, written, written.len());

    let output = place.run(&["list"]);
    let (list, errors) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(3), "{errors}");
    let count = format!("quick: all {} tasks finished", before.len());
    assert!(list.contains(&count) && list.contains("damaged: the run \"010-ground quick"), "{list}");
    assert!(
        errors.contains("does not fit its checksum") && errors.contains("ishi lab forget '010-"),
        "{errors}"
    );
    let json: Value = serde_json::from_slice(&place.run(&["list", "--json"]).stdout).unwrap();
    let name = json["damaged_runs"][0].as_str().unwrap();
    let (code, message) = place.fails(&QUICK);
    assert!(code == Some(3) && message.contains("`ishi lab forget RUN`"), "{message}");

    let (code, message) = place.fails(&["forget", "another"]);
    assert!(code == Some(3) && message.contains("must have a damaged run \"another\""), "{message}");
    place.ok(&["forget", name]);
    assert_eq!(place.fails(&["forget", name]).0, Some(3));
    assert!(!place.ok(&["list"]).contains("damaged"));
    place.ok(&QUICK);
    assert_eq!(kept(&place), before, "nothing was done again");
    let (code, message) = place.fails(&["forget", name, "--db", "none.db"]);
    assert!(code == Some(3) && message.contains("there is no database none.db"), "{message}");
}

#[test]
fn a_report_that_cannot_be_written_loses_nothing() {
    let place = Place::new();
    let file = place.path("file");
    std::fs::write(&file, "in the way").unwrap();
    let out = file.join("report");
    let (code, message) = place.fails(&["run", "010", "--quick", "--out", out.to_str().unwrap()]);
    assert_eq!(code, Some(4), "{message}");
    assert!(message.contains("cannot make the folder"), "{message}");
    let before = kept(&place);
    place.ok(&["report", "010", "--quick"]);
    assert_eq!(kept(&place), before);
    assert_eq!(place.finished(), before.len());
}

#[test]
fn a_missing_program_is_skipped_out_loud() {
    let place = Place::new();
    let config = place.path("experiments/010-ground/config.toml");
    let mut text = std::fs::read_to_string(&config).unwrap();
    // The last table is [quick.ratings].
    text += "anchor = { name = \"Nobody\", command = \"no-such-program --mode gtp\" }\n";
    std::fs::write(&config, text).unwrap();
    let output = place.run(&QUICK);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    let skipped = errors.lines().find(|line| line.starts_with("SKIPPED: games against Nobody")).unwrap();
    assert!(skipped.contains("no-such-program"), "{skipped}");
    let report = std::fs::read_to_string(place.quick_results().join("report.md")).unwrap();
    assert!(report.contains("**Not done:** games against Nobody"), "{report}");
    assert!(report.contains("go-random stands at 0"), "{report}");
}

/// `ishi lab papers` in the project's own folder.
fn papers(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.args(["lab", "papers"]).args(args).current_dir(root).output().unwrap()
}

#[test]
fn the_page_over_all_documents_is_that_of_the_kept_reports() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../experiments");
    let papers = PapersPage::read_papers(&experiments, KINDS, Seed::new(1)).unwrap();
    assert_eq!(papers.warnings, [""; 0]);
    for (name, written) in
        [("papers.md", papers.to_markdown(&experiments)), ("papers.html", papers.to_html(&experiments))]
    {
        let kept = std::fs::read_to_string(experiments.join(name)).unwrap();
        assert!(written == kept, "{name} is old: write it again with `ishi lab papers --out experiments`");
    }
}

/// Wherever the page is written, its links lead to files that are there.
#[test]
fn links_of_the_page_lead_from_its_folder() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("a/b");
    let output = papers(&["--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(out.join("papers.md")).unwrap();
    let html = std::fs::read_to_string(out.join("papers.html")).unwrap();
    let links: Vec<&str> = page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert_eq!(links.len(), 15, "{links:?}");
    for link in links {
        assert!(out.join(link).is_file(), "{link}");
        assert!(html.contains(&format!("<a href=\"{link}\">")), "{link}");
    }
}

/// A document whose experiment is the first one, with a kept report.
fn document(place: &Place, docs: &str, authors: &str) {
    let list = place.path("experiments/010-ground/expected.toml");
    let paper = format!(
        "[paper]\ndocument = \"010\"\nauthors = [{authors}]\ntitle = \"T\"\nyear = \"2008\"\nvenue = \"V\"\ndocs = \"{docs}\"\n\n\
         [[figure]]\nkey = \"no.such\"\nwhat = \"w\"\nvalue = 1\ncompare = \"equal\"\nplace = \"table 1\"\nsource = \"s\"\n"
    );
    std::fs::write(list, paper).unwrap();
}

#[test]
fn what_is_wrong_with_a_document_is_told_with_its_place() {
    let place = Place::new();
    document(&place, "docs/nothere.md", "\"A\"");
    std::fs::create_dir(place.path("docs")).unwrap();
    let (code, message) = place.fails(&["papers"]);
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("expected.toml:7:8: paper.docs: docs/nothere.md: no such file"), "{message}");
    document(&place, "experiments/010-ground/README.md", "");
    let (code, message) = place.fails(&["papers"]);
    assert_eq!(code, Some(3), "{message}");
    assert!(
        message.contains("expected.toml:3:11: paper.authors: a document must have one author"),
        "{message}"
    );
}

/// An installed program has the experiments, and not the folder of the pages that explain them.
#[test]
fn the_page_over_all_documents_needs_no_checkout() {
    let place = Place::new();
    document(&place, "docs/nothere.md", "\"A\"");
    let output = place.run(&["papers"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Nothing has been run yet."));
    let out = place.path("page");
    let output = place.run(&["papers", "--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(out.join("papers.md")).unwrap();
    assert!(page.contains("Nothing has been run yet.") && !page.contains("docs/"), "{page}");
    for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(out.join(link).is_file(), "{link}");
    }
}

#[test]
fn a_cut_report_is_an_error_and_an_unknown_key_a_warning() {
    let place = Place::new();
    document(&place, "experiments/010-ground/README.md", "\"A\"");
    let results = place.path("experiments/010-ground/results");
    std::fs::create_dir_all(&results).unwrap();
    let kept =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../experiments/010-ground/results/results.json");
    let kept = std::fs::read_to_string(kept).unwrap();
    std::fs::write(results.join("results.json"), &kept).unwrap();
    let output = place.run(&["papers"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("expected.toml:10: figure.key: no.such: the kept report is complete"), "{told}");
    std::fs::write(results.join("results.json"), &kept[..kept.len() / 2]).unwrap();
    let (code, message) = place.fails(&["papers"]);
    assert_eq!(code, Some(4), "{message}");
    assert!(message.contains("results.json") && message.contains("cannot read"), "{message}");
}

#[test]
fn five_documents_stand_on_the_page_with_their_outcomes() {
    let text = String::from_utf8(papers(&[]).stdout).unwrap();
    let json: Value = serde_json::from_slice(&papers(&["--json"]).stdout).unwrap();
    assert!(json["made_by"]["version"].as_str().unwrap().starts_with("ishi 0."), "{}", json["made_by"]);
    let documents = json["documents"].as_array().unwrap();
    let numbers: Vec<&str> = documents.iter().map(|one| one["paper"]["document"].as_str().unwrap()).collect();
    assert_eq!(numbers, ["000", "001", "002", "003", "004"]);
    for document in documents {
        let title = document["paper"]["title"].as_str().unwrap();
        assert!(text.contains(title), "{title}");
        assert!(!document["comparisons"].as_array().unwrap().is_empty(), "{title}");
    }
}

#[test]
fn a_folder_without_documents_is_told() {
    let place = Place::new();
    let (code, message) = place.fails(&["papers"]);
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("its expected.toml must have a table [paper]"), "{message}");
}
