//! The maximum string problem beside its paper: table 1 (how long a proof takes, by integer programming and by the frontier
//! solver), table 2 (how many boards there are), and how time and memory grow.
//!
//! Integer programmes are solved by whatever solver of the configuration is installed; for the others the report says
//! so. Everything is measured alone and on one thread, in processor seconds.

mod tables;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ishi_arena::stopwatch::process_cpu_time;
use ishi_grid::domination::{self, CountError, Options, Progress, Shape, count, solve};
use ishi_grid::models::{Formulation, Model, count_after_cuts};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

use crate::error::LabError;
use crate::experiment::{Config, Experiment, Kind, Output, Results, Setup, Task, Variant};
use crate::machine::Machine;
use crate::mip::{self, Installed, Solver, Status};
use crate::report::Body;
use crate::source::{Source, SourceError};
use crate::store::{self, Cost};

/// The kind, for the registry.
pub const KIND: Kind = Kind {
    name: "strings",
    about: "the maximum string problem: its paper's tables, integer programming beside the frontier solver",
    load,
};

/// The kinds of its tasks.
const FRONTIER: &str = "strings-frontier";
const MIP: &str = "strings-mip";
const COUNT: &str = "strings-count";
const AFTER_CUTS: &str = "strings-after-cuts";

/// The longest side of a frontier task; the solver can do more, a laboratory has other work.
const LONGEST: usize = 127;

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    frontier: Vec<Spanned<usize>>,
    mip: MipParams,
    count: Vec<CountParams>,
    after_cuts: Vec<Spanned<usize>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MipParams {
    time_limit: Spanned<u64>,
    runs: Vec<RunParams>,
}

/// A solver, and the sides of the boards that it is given by both formulations.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunParams {
    solver: Spanned<String>,
    sides: Vec<Spanned<usize>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountParams {
    side: Spanned<usize>,
    numbers: Spanned<usize>,
}

/// The experiment.
struct Strings {
    variant: Variant,
    frontier: Vec<usize>,
    time_limit: u64,
    /// Solver, formulation (1 or 2), side.
    mip: Vec<(Solver, u8, usize)>,
    /// Side, and how many numbers of strings from the most on.
    count: Vec<(usize, usize)>,
    /// Sides of the boards whose optimal boards are counted after the cuts.
    after_cuts: Vec<usize>,
    installed: Vec<Installed>,
}

/// The work of a frontier task.
#[derive(Serialize, Deserialize)]
struct FrontierSpec {
    variant: Variant,
    side: usize,
}

/// What the frontier solver did.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FrontierResult {
    strings: usize,
    widest: usize,
    states: u64,
    cpu_seconds: f64,
    machine: Machine,
}

#[derive(Serialize, Deserialize)]
struct MipSpec {
    variant: Variant,
    solver: String,
    formulation: u8,
    side: usize,
    time_limit: u64,
}

/// What an integer programming solver did.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MipResult {
    status: Status,
    strings: Option<usize>,
    bound: Option<usize>,
    cpu_seconds: f64,
    version: Option<String>,
    machine: Machine,
}

#[derive(Serialize, Deserialize)]
struct CountSpec {
    variant: Variant,
    side: usize,
    numbers: usize,
}

/// Numbers of boards with the most strings, one less, and so on; in digits, as they are long.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CountResult {
    strings: usize,
    boards: Vec<String>,
    widest: usize,
    cpu_seconds: f64,
    machine: Machine,
}

#[derive(Serialize, Deserialize)]
struct AfterCutsSpec {
    variant: Variant,
    side: usize,
}

/// The number of boards with the most strings that meet the cuts, in digits.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AfterCutsResult {
    strings: usize,
    boards: String,
    cpu_seconds: f64,
    machine: Machine,
}

fn load(source: &Source, setup: &Setup) -> Result<Box<dyn Experiment>, SourceError> {
    let mut chosen = None;
    for (variant, params) in Config::<Params>::read(source)? {
        let strings = Strings::new(source, &params, variant)?;
        if variant == setup.variant {
            chosen = Some(strings);
        }
    }
    let mut strings =
        chosen.ok_or_else(|| source.error(None, format!("it has no variant {}", setup.variant)))?;
    strings.installed = mip::installed();
    Ok(Box::new(strings))
}

impl Strings {
    fn new(source: &Source, params: &Params, variant: Variant) -> Result<Strings, SourceError> {
        let side = |side: &Spanned<usize>, most: usize| {
            source.within(side, 2..=most, &format!("a side is 2 to {most} lines"))
        };
        let frontier = params.frontier.iter().map(|value| side(value, LONGEST)).collect::<Result<_, _>>()?;
        let mut runs = Vec::new();
        for run in &params.mip.runs {
            let solver: Solver =
                run.solver.get_ref().parse().map_err(|error: String| source.wrong(&run.solver, &error))?;
            for value in &run.sides {
                let side = side(value, ishi_grid::models::MAX_SIDE)?;
                runs.extend([1, 2].map(|formulation| (solver, formulation, side)));
            }
        }
        let mut counts = Vec::new();
        for entry in &params.count {
            let numbers =
                source.within(&entry.numbers, 1..=128, "1 to 128 numbers of strings are counted")?;
            counts.push((side(&entry.side, LONGEST)?, numbers));
        }
        let after_cuts =
            params.after_cuts.iter().map(|value| side(value, LONGEST)).collect::<Result<_, _>>()?;
        let what = "a time limit is 1 to 1000000 seconds";
        let time_limit = source.within(&params.mip.time_limit, 1..=1_000_000, what)?;
        let installed = Vec::new();
        Ok(Strings { variant, frontier, time_limit, mip: runs, count: counts, after_cuts, installed })
    }

    fn find(&self, solver: Solver) -> Option<&Installed> {
        self.installed.iter().find(|installed| installed.solver == solver)
    }

    /// The solvers of the configuration, in its order.
    fn solvers(&self) -> Vec<Solver> {
        let mut solvers = Vec::new();
        for &(solver, ..) in &self.mip {
            if !solvers.contains(&solver) {
                solvers.push(solver);
            }
        }
        solvers
    }

    fn run_frontier(spec: &FrontierSpec, stop: &AtomicBool) -> Result<Option<Value>, String> {
        let before = process_cpu_time();
        let shape = Shape::new(spec.side, spec.side);
        let solution = solve(&shape, Options::default(), &mut |_| going_on(stop));
        let cpu_seconds = (process_cpu_time() - before).as_secs_f64();
        let strings = match (solution.status, solution.strings()) {
            (domination::Status::Stopped, _) => return Ok(None),
            (domination::Status::Optimal, Some(strings)) => strings,
            (status, _) => return Err(format!("the frontier solver ends with {status:?}")),
        };
        let (widest, states) = (solution.widest, solution.states);
        let result = FrontierResult { strings, widest, states, cpu_seconds, machine: Machine::current() };
        Ok(Some(json!(result)))
    }

    /// The fewest empty points; `None` if it was stopped.
    fn empties(shape: &Shape, stop: &AtomicBool) -> Result<Option<usize>, CountError> {
        let solution = solve(shape, Options::default(), &mut |_| going_on(stop));
        if solution.status == domination::Status::Stopped {
            return Ok(None);
        }
        solution.empties.map(Some).ok_or(CountError::TooWide)
    }

    fn run_count(spec: &CountSpec, stop: &AtomicBool) -> Result<Option<Value>, CountError> {
        let shape = Shape::new(spec.side, spec.side);
        let Some(empties) = Strings::empties(&shape, stop)? else { return Ok(None) };
        let before = process_cpu_time();
        let mut observer = |_: Progress| going_on(stop);
        let counts = count(&shape, empties, spec.numbers, Options::default(), &mut observer)?;
        let cpu_seconds = (process_cpu_time() - before).as_secs_f64();
        let boards = counts.boards.iter().map(ToString::to_string).collect();
        let strings = shape.cells() - empties;
        let machine = Machine::current();
        Ok(Some(json!(CountResult { strings, boards, widest: counts.widest, cpu_seconds, machine })))
    }

    fn run_after_cuts(spec: &AfterCutsSpec, stop: &AtomicBool) -> Result<Option<Value>, CountError> {
        let side = spec.side;
        let shape = Shape::new(side, side);
        let Some(empties) = Strings::empties(&shape, stop)? else { return Ok(None) };
        let before = process_cpu_time();
        let mut observer = |_: Progress| going_on(stop);
        let boards = count_after_cuts(side, side, empties, Options::default(), &mut observer)?.to_string();
        let cpu_seconds = (process_cpu_time() - before).as_secs_f64();
        let strings = shape.cells() - empties;
        Ok(Some(json!(AfterCutsResult { strings, boards, cpu_seconds, machine: Machine::current() })))
    }

    fn run_mip(&self, spec: &MipSpec, stop: &Arc<AtomicBool>) -> Result<Option<Output>, String> {
        let solver: Solver = spec.solver.parse()?;
        let installed = self.find(solver).ok_or_else(|| format!("{solver} is not installed"))?;
        let formulation = if spec.formulation == 1 { Formulation::Plain } else { Formulation::Cut };
        let model = Model::new(spec.side, spec.side, formulation).map_err(|error| error.to_string())?;
        let limit = Some(Duration::from_secs(spec.time_limit));
        let outcome = mip::solve(&model, installed, limit, stop).map_err(|error| error.to_string())?;
        let Some(outcome) = outcome else { return Ok(None) };
        let cost = Cost { cpu_seconds: outcome.cpu_seconds, wall_seconds: outcome.wall_seconds };
        let result = MipResult {
            status: outcome.status,
            strings: outcome.strings,
            bound: outcome.bound,
            cpu_seconds: outcome.cpu_seconds,
            version: outcome.version,
            machine: Machine::current(),
        };
        Ok(Some(Output { result: json!(result), games: Vec::new(), cost: Some(cost) }))
    }
}

fn going_on(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A stop is no failure.
fn counted(result: Result<Option<Value>, CountError>) -> Result<Option<Output>, String> {
    match result {
        Err(CountError::Stopped) => Ok(None),
        result => result.map(|value| value.map(Output::from)).map_err(|error| error.to_string()),
    }
}

fn frontier_name(side: usize) -> String {
    format!("frontier/{side}")
}

fn mip_name(solver: Solver, formulation: u8, side: usize) -> String {
    format!("mip/{}/{formulation}/{side}", solver.word())
}

fn count_name(side: usize) -> String {
    format!("count/{side}")
}

fn after_cuts_name(side: usize) -> String {
    format!("after-cuts/{side}")
}

impl Experiment for Strings {
    fn tasks(&self) -> Vec<Task> {
        let variant = self.variant;
        let alone =
            |name, kind, spec| Task { name, work: store::Task::new(kind, spec), alone: true, after: None };
        let frontier = self.frontier.iter();
        let frontier =
            frontier.map(|&side| alone(frontier_name(side), FRONTIER, json!(FrontierSpec { variant, side })));
        let count = self.count.iter().map(|&(side, numbers)| {
            alone(count_name(side), COUNT, json!(CountSpec { variant, side, numbers }))
        });
        let after_cuts = self
            .after_cuts
            .iter()
            .map(|&side| alone(after_cuts_name(side), AFTER_CUTS, json!(AfterCutsSpec { variant, side })));
        let there = self.mip.iter().filter(|(solver, ..)| self.find(*solver).is_some());
        let mip = there.map(|&(solver, formulation, side)| {
            let (name, time_limit) = (mip_name(solver, formulation, side), self.time_limit);
            let spec = MipSpec { variant, solver: solver.word().to_string(), formulation, side, time_limit };
            alone(name, MIP, json!(spec))
        });
        frontier.chain(count).chain(after_cuts).chain(mip).collect()
    }

    fn run(
        &self,
        task: &Task,
        _before: Option<&Value>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Output>, LabError> {
        let failed = |error: String| LabError::Task { task: task.name.clone(), error };
        let spec = task.work.spec();
        let unread = |error: serde_json::Error| failed(error.to_string());
        match task.work.kind() {
            FRONTIER => {
                let spec = FrontierSpec::deserialize(spec).map_err(unread)?;
                Ok(Strings::run_frontier(&spec, stop).map_err(failed)?.map(Output::from))
            }
            COUNT => {
                let spec = CountSpec::deserialize(spec).map_err(unread)?;
                counted(Strings::run_count(&spec, stop)).map_err(failed)
            }
            AFTER_CUTS => {
                let spec = AfterCutsSpec::deserialize(spec).map_err(unread)?;
                counted(Strings::run_after_cuts(&spec, stop)).map_err(failed)
            }
            _ => self.run_mip(&MipSpec::deserialize(spec).map_err(unread)?, stop).map_err(failed),
        }
    }

    fn live(&self, task: &Task, result: &Value) -> Option<String> {
        let seconds = result.get("cpu_seconds")?.as_f64()?;
        let strings = result.get("strings")?;
        Some(format!("{}: {strings} strings, {seconds:.3} s", task.name))
    }

    fn skipped(&self) -> Vec<String> {
        let missing = self.solvers().into_iter().filter(|solver| self.find(*solver).is_none());
        missing
            .map(|solver| format!("integer programming with {solver}: not installed ({})", solver.packages()))
            .collect()
    }

    fn report(&self, results: &Results) -> Result<Body, LabError> {
        self.tables(results)
    }
}
