//! `ishi lab run 000 --quick`: the same results for any number of threads and after kills, and a report of what is expected.

#![allow(missing_docs)]
// Tests start processes and read files.
#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with a copy of the experiment, without its kept results.
struct Place(TempDir);

const NAME: &str = "experiments/000-othello-learning";

impl Place {
    fn new() -> Place {
        let place = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(NAME);
        let to = place.path().join(NAME);
        std::fs::create_dir_all(&to).unwrap();
        for file in ["README.md", "config.toml", "expected.toml"] {
            std::fs::copy(from.join(file), to.join(file)).unwrap();
        }
        Place(place)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
        command.arg("lab").args(args).current_dir(self.0.path());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs with success; gives what is printed and what is reported.
    fn ok(&self, args: &[&str]) -> (String, String) {
        let Output { status, stdout, stderr } = self.run(args);
        let [out, errors] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(status.success(), "{args:?}: {status:?}\n{errors}");
        (out, errors)
    }

    /// The results by task, from results.json.
    fn results(&self) -> Value {
        let text = std::fs::read_to_string(self.path(NAME).join("results/quick/results.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["results"].clone()
    }
}

const RUN: [&str; 3] = ["run", "000", "--quick"];

#[test]
fn threads_and_kills_change_nothing() {
    let whole = Place::new();
    let (_, told) = whole.ok(&[&RUN[..], &["--threads", "1"]].concat());
    assert!(told.contains("M games  best players "), "curves are told while it runs:\n{told}");
    let results = whole.results();
    assert!(results.as_object().unwrap().len() > 20);
    assert!(!results.to_string().contains("checkpoint"), "checkpoints stay in the database");

    let parts = Place::new();
    for lines in [3, 7] {
        let mut child = parts.command(&RUN).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let progress = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let reported = progress.filter(|line| line.contains(" tasks: ")).take(lines).count();
        assert_eq!(reported, lines);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (_, told) = parts.ok(&[&RUN[..], &["--threads", "3"]].concat());
    assert!(told.contains(" tasks were finished before"), "{told}");
    assert_eq!(parts.results(), results);
}

#[test]
fn the_report_has_the_papers_figures_and_tables() {
    let place = Place::new();
    let (text, _) = place.ok(&[&RUN[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(&text).unwrap();
    let keys: Vec<&str> = json["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["figure"]["key"].as_str().unwrap())
        .collect();
    for key in [
        "individual.previous",
        "individual.late",
        "group.top",
        "group.top-sd",
        "group.top-rank",
        "figure-7.higher",
    ] {
        assert!(keys.contains(&key), "{key} of {keys:?}");
    }
    for comparison in json["comparisons"].as_array().unwrap() {
        assert_ne!(comparison["verdict"], "not-measured", "{comparison}");
        assert_ne!(comparison["figure"]["place"], "", "{comparison}");
    }
    shares_stay_between_0_and_1(&json);
    let folder = place.path(NAME).join("results/quick");
    let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
    for text in [
        "Figure 5",
        "Figure 6",
        "Figure 7",
        "Tables 1 and 2",
        "Table 3",
        "Table 4",
        "Readings",
        "Ratings of equal players",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("0 of 0 figures"), "every figure of the paper can be judged or says why not");
    let plots = [
        "figure-5",
        "figure-5-mean",
        "figure-6-rating",
        "figure-6-standard",
        "figure-7",
        "population-standard",
    ];
    for plot in plots {
        assert!(folder.join(format!("{plot}.svg")).is_file(), "{plot}");
    }
}

/// Two seeds may differ much: their interval is wide, but no share is below 0 or above 1.
fn shares_stay_between_0_and_1(json: &Value) {
    let findings = json["comparisons"].as_array().unwrap().iter().map(|c| &c["finding"]);
    let others = json["other_findings"].as_array().into_iter().flatten();
    let mut shares = 0;
    for finding in findings.chain(others) {
        let key = finding["key"].as_str().unwrap();
        let Some(interval) = finding["interval"].as_array() else { continue };
        if [".successes", ".late", ".highest", ".top", ".mean", ".previous", ".final"]
            .iter()
            .any(|end| key.ends_with(end))
        {
            let [low, high] = [0, 1].map(|end| interval[end].as_f64().unwrap());
            let value = finding["value"].as_f64().unwrap();
            assert!(0.0 <= low && low <= value && value <= high && high <= 1.0, "{finding}");
            shares += 1;
        }
    }
    assert!(shares > 5);
}

#[test]
fn mistakes_in_options_are_named() {
    let place = Place::new();
    let config = place.path(NAME).join("config.toml");
    let good = std::fs::read_to_string(&config).unwrap();
    let cases = [
        (
            "rating = \"likelihood\"",
            "rating = \"glicko\"",
            "unknown variant `glicko`, expected `elo` or `likelihood`",
        ),
        ("rating = \"likelihood\"", "raiting = \"elo\"", "unknown field `raiting`"),
        ("t_max = 6, series", "f = 7.0, series", "invalid F 7: F must be above 0 and at most 2"),
        ("opponents = 3", "weights = 11", "weights: 10 or 64"),
        ("name = \"population\"", "name = \"group\"", "group: a run of this name stands above"),
        ("method = \"cma-es\"", "method = \"cma\"", "unknown variant `cma`"),
    ];
    for (right, wrong, message) in cases {
        assert!(good.contains(right), "{right}");
        std::fs::write(&config, good.replacen(right, wrong, 1)).unwrap();
        let output = place.run(&RUN);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{wrong}: {errors}");
        assert!(errors.contains("config.toml:") && errors.contains(message), "{wrong}: {errors}");
    }
}
