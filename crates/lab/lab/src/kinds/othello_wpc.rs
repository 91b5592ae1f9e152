//! The best weighted piece counters: ten weights learned from the rules of the game alone, and sixty-four trained against the
//! standard.
//!
//! Both are found by CMA-ES on the mean score over games of the league, with the same games for all points of a generation
//! (common random numbers) and new ones in the next. Where there is no opponent to train against, the hall of fame is
//! the opponent (Rosin and Belew 1997). A search is cut into pieces, a task each, that go on from one another bit for bit.

mod exam;
mod hall;
mod search;
mod train;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ishi_othello::{Wpc, WpcError};
use ishi_rng::Seed;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::LabError;
use crate::experiment::{CHECKPOINT, Config, Experiment, Kind, Output, Results, Setup, Task};
use crate::report::{Block, Body, LinePlot, Section, Series};
use crate::source::{Source, SourceError};
use crate::store;

/// The kind, for the registry.
pub const KIND: Kind = Kind {
    name: "othello-wpc",
    about: "the best weighted piece counters of Othello, from the rules alone and against the standard",
    load,
};

/// The words for the work.
const RULES: &str = "othello-wpc-rules";
const STANDARD: &str = "othello-wpc-standard";

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    rules: hall::Params,
    standard: train::Params,
    exam: exam::Params,
}

/// The experiment.
struct Counters {
    seed: Seed,
    rules: hall::Params,
    standard: train::Params,
    exam: exam::Exam,
}

fn load(source: &Source, setup: &Setup) -> Result<Box<dyn Experiment>, SourceError> {
    let folder = source.path().parent().unwrap_or(Path::new(".")).to_path_buf();
    let mut chosen = None;
    for (variant, params) in Config::<Params>::read(source)? {
        params.rules.check(source)?;
        params.standard.check(source)?;
        let exam = exam::Exam::new(source, &folder, params.exam)?;
        if variant == setup.variant {
            let (rules, standard) = (params.rules, params.standard);
            chosen = Some(Counters { seed: setup.seed, rules, standard, exam });
        }
    }
    let counters =
        chosen.ok_or_else(|| source.error(None, format!("it has no variant {}", setup.variant)))?;
    Ok(Box::new(counters))
}

/// What a task does.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Spec<S> {
    seed: u64,
    /// Everything that the search follows from.
    search: Value,
    step: S,
}

/// A step of either search, or the examination at its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Step<S> {
    Search(S),
    Exam(Value),
}

/// Where a search stands after a step. `weights` are what it recommends.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stand {
    weights: String,
    /// Mean score over the opponents that it was trained against.
    trained: f64,
    /// Score against the standard: watched, and where learning is from the rules alone used for nothing.
    standard: f64,
}

/// A task that goes on from another.
fn task<S: Serialize>(name: String, word: &str, spec: &Spec<Step<S>>, after: Option<String>) -> Task {
    Task { name, work: store::Task::new(word, json!(spec)), alone: false, after }
}

/// The steps of a search as tasks in a row.
fn chain<S: Serialize>(
    counters: &Counters,
    word: &str,
    search: Value,
    steps: Vec<(String, S)>,
    exam: &str,
) -> Vec<Task> {
    let spec = |step| Spec { seed: counters.seed.value(), search: search.clone(), step };
    let mut tasks = Vec::new();
    let mut before = None;
    for (name, step) in steps {
        tasks.push(task(name.clone(), word, &spec(Step::Search(step)), before.replace(name)));
    }
    tasks.push(task(exam.to_string(), word, &spec(Step::Exam(counters.exam.description())), before));
    tasks
}

/// Where the search stood, out of the result of the task before.
fn checkpoint<T: DeserializeOwned + Default>(task: &Task, before: Option<&Value>) -> Result<T, LabError> {
    match before.and_then(|result| result.get(CHECKPOINT)) {
        None => Ok(T::default()),
        Some(kept) => T::deserialize(kept)
            .map_err(|e| LabError::Result { task: task.name.clone(), error: e.to_string() }),
    }
}

/// The result of a step, with what the next one needs.
fn output<T: Serialize>(stand: &Stand, state: &T) -> Output {
    let mut result = json!(stand);
    result[CHECKPOINT] = json!(state);
    Output::from(result)
}

fn failed(task: &Task) -> impl Fn(String) -> LabError + '_ {
    |error| LabError::Task { task: task.name.clone(), error }
}

impl Counters {
    fn step<S: DeserializeOwned>(&self, task: &Task) -> Result<Step<S>, LabError> {
        let spec = Spec::<Step<S>>::deserialize(task.work.spec()).map_err(|e| failed(task)(e.to_string()))?;
        Ok(spec.step)
    }

    /// The examination of what a search recommends.
    fn examine(&self, task: &Task, before: Option<&Value>) -> Result<Output, LabError> {
        let stand: Option<Stand> = before.and_then(|result| Stand::deserialize(result).ok());
        let stand = stand.ok_or_else(|| failed(task)("nothing was learned before it".into()))?;
        let wpc: Wpc = stand.weights.parse().map_err(|e: WpcError| failed(task)(e.to_string()))?;
        let seed = self.seed.child("exam", 0).child(task.work.kind(), 0);
        Ok(Output::from(json!(self.exam.examine(&wpc, seed).map_err(failed(task))?)))
    }
}

impl Experiment for Counters {
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = chain(self, RULES, json!(self.rules), self.rules.steps(), "rules/exam");
        tasks.extend(chain(self, STANDARD, json!(self.standard), self.standard.steps(), "standard/exam"));
        tasks
    }

    fn run(
        &self,
        task: &Task,
        before: Option<&Value>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Output>, LabError> {
        let done = if task.work.kind() == RULES {
            match self.step::<hall::Step>(task)? {
                Step::Exam(_) => return self.examine(task, before).map(Some),
                Step::Search(step) => {
                    let mut state: hall::State = checkpoint(task, before)?;
                    let seed = self.seed.child("rules", 0);
                    self.rules
                        .advance(&mut state, step, seed, stop)
                        .map(|stand| stand.map(|s| output(&s, &state)))
                }
            }
        } else {
            match self.step::<train::Step>(task)? {
                Step::Exam(_) => return self.examine(task, before).map(Some),
                Step::Search(step) => {
                    let mut state: train::State = checkpoint(task, before)?;
                    let seed = self.seed.child("standard", 0);
                    self.standard
                        .advance(&mut state, step, seed, stop)
                        .map(|stand| stand.map(|s| output(&s, &state)))
                }
            }
        };
        done.map_err(|e| failed(task)(e.to_string()))
    }

    fn live(&self, _task: &Task, result: &Value) -> Option<String> {
        let stand = Stand::deserialize(result).ok()?;
        Some(format!("trained {:.3}, standard {:.3}", stand.trained, stand.standard))
    }

    fn skipped(&self) -> Vec<String> {
        self.exam.skipped()
    }

    fn report(&self, results: &Results) -> Result<Body, LabError> {
        let mut body = Body::default();
        for (key, heading, what) in [
            ("rules", "Ten weights from the rules alone", RULES_TEXT),
            ("standard", "Sixty-four weights against the standard", STANDARD_TEXT),
        ] {
            let mut blocks = vec![Block::Text(what.into())];
            if let Some(report) = results.get::<exam::Report>(&format!("{key}/exam"))? {
                body.findings.extend(report.findings(key));
                blocks.push(Block::Text(format!("Weights: {}", report.weights.trim().replace('\n', " / "))));
                blocks.push(Block::Table(report.table()));
            }
            blocks.push(Block::Lines(key.to_string(), self.curve(results, key)?));
            body.sections.push(Section { heading: heading.into(), blocks });
        }
        body.sections
            .push(Section { heading: "Examination".into(), blocks: vec![Block::Text(EXAM_TEXT.into())] });
        Ok(body)
    }
}

const RULES_TEXT: &str = "CMA-ES plays against a hall of fame that begins with the random player; the winner of each round \
    enters it. At the end of a run the opponents are members of the hall whose weights are shaken, so that the result \
    answers a neighbourhood and not a few players. Of all runs' results the one counts that does best against the others \
    and their halls. The standard is watched, not used.";
const STANDARD_TEXT: &str = "CMA-ES against the standard alone, several runs from zero; the best goes on with more games. \
    That such a score can be gamed shows in the other rows of the table.";
const EXAM_TEXT: &str = "By the league's rules (one move ahead, epsilon 0.1), with games that were not played in learning. \
    Intervals are Wilson's, 95 %. The mean is that of the scores against the players of the table, each counting as much.";

impl Counters {
    /// How the search went, step after step.
    fn curve(&self, results: &Results, key: &str) -> Result<LinePlot, LabError> {
        let mut lines = [Vec::new(), Vec::new()];
        let prefix = format!("{key}/");
        let steps = self
            .tasks()
            .into_iter()
            .filter(|task| task.name.starts_with(&prefix) && !task.name.ends_with("exam"));
        for (number, task) in steps.enumerate() {
            if let Some(stand) = results.get::<Stand>(&task.name)? {
                lines[0].push((number as f64, stand.trained, None));
                lines[1].push((number as f64, stand.standard, None));
            }
        }
        let [trained, standard] = lines;
        Ok(LinePlot {
            title: "Score after each step".into(),
            x_axis: "step".into(),
            y_axis: "mean score".into(),
            logarithmic_x: false,
            bands: Vec::new(),
            series: vec![
                Series { name: "against the opponents in training".into(), points: trained },
                Series { name: "against the standard".into(), points: standard },
            ],
        })
    }
}
