//! Work of commands that keep what they have done: a match, an experiment, learning, a count.

use std::path::Path;

use serde_json::Value;

use super::blows::{Blow, run_command};
use super::{Outcome, Work};

/// What is measured, and how the work was divided among runs: all that may differ.
const MEASURED: [&str; 14] = [
    // Of all that is in the file, the measurements among it.
    "checksum",
    "cost",
    "cpu_seconds",
    "files",
    "kept",
    "machines",
    "pairs_found",
    "peak_megabytes",
    "seconds_per_game",
    "seconds_per_move",
    "states",
    "threads",
    "wall_seconds",
    // Of the layers that the last run went through.
    "widest_layer_states",
];

struct CommandWork {
    args: &'static [&'static str],
    /// What came of it, from the folder and from what was printed.
    gather: fn(&Path, &str) -> Result<Outcome, String>,
}

impl Work for CommandWork {
    fn disturb(&mut self, folder: &Path, blow: &Blow) -> Result<bool, String> {
        Ok(run_command(folder, self.args, Some(blow))?.is_success())
    }

    fn finish(&mut self, folder: &Path) -> Result<Outcome, String> {
        let end = run_command(folder, self.args, None)?;
        (self.gather)(folder, &end.out)
    }
}

pub(super) fn begin_match(_: &Path) -> Box<dyn Work> {
    let args = &[
        "match",
        "go-flat:playouts=60",
        "go-capture",
        "--size",
        "5",
        "--pairs",
        "16",
        "--opening",
        "random:3",
        "--sgf",
        "games",
        "--threads",
        "2",
        "--json",
    ];
    Box::new(CommandWork { args, gather: gather_match })
}

/// The report, every record, and how many games the database has: each is kept once.
fn gather_match(folder: &Path, printed: &str) -> Result<Outcome, String> {
    let mut outcome = read_files(&folder.join("games"), ".sgf");
    outcome.insert("the report".to_string(), without_measurements(printed)?);
    let rated = run_command(folder, &["ratings", "ishi.db", "--json"], None)?;
    outcome.insert("the games in the database".to_string(), read_json(&rated.out)?["games"].to_string());
    Ok(outcome)
}

/// Both methods, two seeds each, in blocks of which each goes on from the one before.
const EXPERIMENT: &str = "
block_games = 1000
measure_games = 10
final_games = 20
even_groups = 2
run = [
    { name = \"individual\", method = \"individual\", seeds = 2, games = 3000, options = { population = 6, t_max = 6, series = 3, games = 10 } },
    { name = \"group\", method = \"group\", seeds = 2, games = 3000, options = { population = 6, t_max = 6, games = 10, group = 3 } },
]
";

const EXPERIMENT_FOLDER: &str = "experiments/900-chaos";

pub(super) fn begin_experiment(folder: &Path) -> Box<dyn Work> {
    let place = folder.join(EXPERIMENT_FOLDER);
    let config = format!("kind = \"othello-learning\"\n[full]{EXPERIMENT}[quick]{EXPERIMENT}");
    std::fs::create_dir_all(&place).unwrap();
    for (name, text) in
        [("README.md", "# A small experiment\n"), ("config.toml", config.as_str()), ("expected.toml", "")]
    {
        std::fs::write(place.join(name), text).unwrap();
    }
    let args = &["lab", "run", "900", "--threads", "2", "--json"];
    Box::new(CommandWork { args, gather: gather_experiment })
}

/// The report as it is printed and printed again, the results of all tasks, and the curves.
fn gather_experiment(folder: &Path, printed: &str) -> Result<Outcome, String> {
    let results = folder.join(EXPERIMENT_FOLDER).join("results");
    let mut outcome = read_files(&results, ".svg");
    outcome.insert("what was printed".to_string(), without_measurements(printed)?);
    let again = run_command(folder, &["lab", "report", "900", "--json"], None)?;
    outcome.insert("the report".to_string(), without_measurements(&again.out)?);
    outcome.insert("results.json".to_string(), without_measurements(&read_file(&results, "results.json")?)?);
    Ok(outcome)
}

pub(super) fn begin_learning(_: &Path) -> Box<dyn Work> {
    let args = &[
        "othello",
        "train",
        "wpc",
        "learned.txt",
        "--method",
        "group",
        "--set",
        "population=6,t_max=4,games=4,group=3,admission=1510",
        "--games",
        "4000",
        "--every",
        "400",
        "--checkpoint",
        "run.json",
        "--force",
    ];
    Box::new(CommandWork { args, gather: gather_learning })
}

/// The player, and the state that a longer run would go on from.
fn gather_learning(folder: &Path, printed: &str) -> Result<Outcome, String> {
    let mut outcome = Outcome::from([("what was printed".to_string(), printed.to_string())]);
    for name in ["learned.txt", "run.json"] {
        outcome.insert(name.to_string(), read_file(folder, name)?);
    }
    Ok(outcome)
}

pub(super) fn begin_count(_: &Path) -> Box<dyn Work> {
    let args = &["strings", "count", "17", "--threads", "2", "--checkpoint", "count.part", "--json"];
    Box::new(CommandWork { args, gather: gather_count })
}

/// The numbers; nothing is left to go on from.
fn gather_count(folder: &Path, printed: &str) -> Result<Outcome, String> {
    if folder.join("count.part").exists() {
        return Err("count.part is there, though the count is done".to_string());
    }
    Ok(Outcome::from([("the count".to_string(), without_measurements(printed)?)]))
}

fn read_file(folder: &Path, name: &str) -> Result<String, String> {
    std::fs::read_to_string(folder.join(name)).map_err(|error| format!("cannot read {name}: {error}"))
}

/// The files of a folder whose names end so.
fn read_files(folder: &Path, ending: &str) -> Outcome {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let wanted = names.filter(|name| name.ends_with(ending));
    wanted
        .map(|name| {
            let bytes = std::fs::read(folder.join(&name)).unwrap();
            (name, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect()
}

fn read_json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("this is no JSON ({error}): {text}"))
}

/// JSON with a line for each value, without what is measured.
fn without_measurements(text: &str) -> Result<String, String> {
    let mut value = read_json(text)?;
    remove_measurements(&mut value);
    Ok(format!("{value:#}"))
}

fn remove_measurements(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !MEASURED.contains(&name.as_str()));
            fields.values_mut().for_each(remove_measurements);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_measurements),
        _ => {}
    }
}
