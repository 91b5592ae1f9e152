//! The maximum string problem beside its paper: table 1 (how long a proof takes, by integer programming and by the frontier
//! solver), table 2 (how many boards there are), the relaxations, the figures, certificates, and how time and memory grow.
//!
//! Integer programmes are solved by whatever solver of the configuration is installed; for the others the report says
//! so. Everything is measured alone and on one thread, in processor seconds.

mod paper;
mod tables;

use std::time::Duration;

use ishi_arena::stopwatch::process_cpu_time;
use ishi_grid::domination::{
    self, BoardShape, CountError, DominationOptions, ProofLimits, count_boards, solve_domination,
};
use ishi_grid::models::{CountAfterCuts, StringsFormulation, StringsModel, count_after_cuts};
use ishi_grid::{LayerStep, certificate};
use ishi_lab::LabError;
use ishi_lab::body::ReportBody;
use ishi_lab::experiment::{
    Config, Experiment, ExperimentKind, ExperimentSetup, ExperimentTask, TaskEnd, TaskOutput, TaskResults,
    Variant,
};
use ishi_lab::machine::Machine;
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::{TaskCost, TaskKind};
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

use ishi_mip::{self, InstalledSolver, MipSolver, MipStatus};

/// The kind, for the registry.
pub const KIND: ExperimentKind = ExperimentKind {
    name: "strings",
    about: "the maximum string problem: its paper's tables, integer programming beside the frontier solver",
    load: load_experiment,
};

/// The kinds of its tasks.
const FRONTIER: TaskKind = TaskKind::new("strings-frontier");
const MIP: TaskKind = TaskKind::new("strings-mip");
const COUNT: TaskKind = TaskKind::new("strings-count");
const AFTER_CUTS: TaskKind = TaskKind::new("strings-after-cuts-2");
const RELAXATION: TaskKind = TaskKind::new("strings-relaxation");
const CERTIFICATE: TaskKind = TaskKind::new("strings-certificate");

/// The longest side of a frontier task; the solver can do more, a laboratory has other work.
const LONGEST: usize = 127;

/// The longest side of a certificate: its file has a few megabytes up to here.
const MOST_CERTIFIED: usize = 40;

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StringsParams {
    frontier: Vec<Spanned<usize>>,
    mip: StringsMipParams,
    count: Vec<CountParams>,
    after_cuts: Vec<CountParams>,
    relaxation: Vec<Spanned<usize>>,
    certificate: Vec<Spanned<usize>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StringsMipParams {
    time_limit: Spanned<u64>,
    runs: Vec<StringsRunParams>,
}

/// A solver, and the sides of the boards that it is given by each of the formulations.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StringsRunParams {
    solver: Spanned<String>,
    formulations: Vec<Spanned<String>>,
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
    mip: Vec<StringsMipRun>,
    /// Side, and how many numbers of strings from the most on.
    count: Vec<(usize, usize)>,
    /// The same, of the boards that are left after the cuts of either formulation with cuts.
    after_cuts: Vec<(usize, usize)>,
    /// Sides of the boards whose linear relaxations are solved.
    relaxation: Vec<usize>,
    /// Sides of the boards whose maximum gets a certificate.
    certificate: Vec<usize>,
    installed: Vec<InstalledSolver>,
}

/// An integer programme and who solves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StringsMipRun {
    solver: MipSolver,
    formulation: StringsFormulation,
    side: usize,
}

/// The formulations with cuts.
const CUT: [StringsFormulation; 2] = [StringsFormulation::Section3, StringsFormulation::Ishi];

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
struct StringsMipSpec {
    variant: Variant,
    solver: String,
    formulation: String,
    side: usize,
    time_limit: u64,
}

/// What an integer programming solver did.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StringsMipResult {
    status: MipStatus,
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
    formulation: String,
    side: usize,
    numbers: usize,
}

/// Numbers of boards that meet the cuts, with the most strings, one less, and so on, in digits.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AfterCutsResult {
    strings: usize,
    boards: Vec<String>,
    cpu_seconds: f64,
    machine: Machine,
}

#[derive(Serialize, Deserialize)]
struct RelaxationSpec {
    variant: Variant,
    formulation: String,
    side: usize,
}

/// The fewest empty points of a linear relaxation.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct RelaxationResult {
    empties: f64,
}

#[derive(Serialize, Deserialize)]
struct CertificateSpec {
    variant: Variant,
    side: usize,
}

/// A proof of the maximum, written and checked.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CertificateResult {
    strings: usize,
    /// Depth of its bands, states that it lists, bytes of its text.
    depth: u32,
    states: usize,
    bytes: usize,
    /// Seconds to write it, the solution known; and to check it.
    writing: f64,
    checking: f64,
    machine: Machine,
}

fn load_experiment(source: &TomlSource, setup: &ExperimentSetup) -> Result<Box<dyn Experiment>, SourceError> {
    let mut strings = Config::<StringsParams>::load_variant(source, setup.variant, |variant, params| {
        Strings::new(source, &params, variant)
    })?;
    strings.installed = ishi_mip::find_installed_solvers();
    Ok(Box::new(strings))
}

impl Strings {
    fn new(source: &TomlSource, params: &StringsParams, variant: Variant) -> Result<Strings, SourceError> {
        let side = |side: &Spanned<usize>, most: usize| {
            source.check_range(side, 2..=most, &format!("a side must be 2 to {most} lines"))
        };
        let frontier = params.frontier.iter().map(|value| side(value, LONGEST)).collect::<Result<_, _>>()?;
        let mut runs = Vec::new();
        for run in &params.mip.runs {
            let solver: MipSolver = source.parse_value(&run.solver)?;
            for value in &run.sides {
                let side = side(value, ishi_grid::models::MAX_SIDE)?;
                for word in &run.formulations {
                    let formulation = source.parse_value(word)?;
                    runs.push(StringsMipRun { solver, formulation, side });
                }
            }
        }
        let counts = |entries: &[CountParams]| -> Result<Vec<(usize, usize)>, SourceError> {
            let numbers = "1 to 128 numbers of strings are counted";
            let entries = entries.iter();
            entries
                .map(|entry| {
                    Ok((side(&entry.side, LONGEST)?, source.check_range(&entry.numbers, 1..=128, numbers)?))
                })
                .collect()
        };
        let (count, after_cuts) = (counts(&params.count)?, counts(&params.after_cuts)?);
        let sides = |values: &[Spanned<usize>], most: usize| {
            values.iter().map(|value| side(value, most)).collect::<Result<Vec<usize>, SourceError>>()
        };
        let relaxation = sides(&params.relaxation, ishi_grid::models::MAX_SIDE)?;
        let certificate = sides(&params.certificate, MOST_CERTIFIED)?;
        let what = "a time limit must be 1 to 1000000 seconds";
        let time_limit = source.check_range(&params.mip.time_limit, 1..=1_000_000, what)?;
        Ok(Strings {
            variant,
            frontier,
            time_limit,
            mip: runs,
            count,
            after_cuts,
            relaxation,
            certificate,
            installed: Vec::new(),
        })
    }

    fn find_installed(&self, solver: MipSolver) -> Option<&InstalledSolver> {
        self.installed.iter().find(|installed| installed.solver == solver)
    }

    /// The solvers of the configuration, in its order.
    fn configured_solvers(&self) -> Vec<MipSolver> {
        let mut solvers = Vec::new();
        for run in &self.mip {
            if !solvers.contains(&run.solver) {
                solvers.push(run.solver);
            }
        }
        solvers
    }

    /// Who solves linear relaxations.
    fn find_relaxation_solver(&self) -> Option<&InstalledSolver> {
        self.find_installed(MipSolver::Highs).filter(|highs| highs.is_module())
    }

    fn run_frontier(spec: &FrontierSpec, stop: &StopFlag) -> Result<Option<Value>, String> {
        let before = process_cpu_time();
        let shape = BoardShape::new(spec.side, spec.side);
        let solution = solve_domination(&shape, DominationOptions::default(), &mut |_| stop.to_flow());
        let cpu_seconds = (process_cpu_time() - before).as_secs_f64();
        let strings = match (solution.status, solution.string_count()) {
            (domination::DominationStatus::Stopped, _) => return Ok(None),
            (domination::DominationStatus::Optimal, Some(strings)) => strings,
            (status, _) => return Err(format!("the frontier solver ends with {status:?}")),
        };
        let (widest, states) = (solution.widest, solution.states);
        let result = FrontierResult { strings, widest, states, cpu_seconds, machine: Machine::current() };
        Ok(Some(json!(result)))
    }

    /// The fewest empty points; `None` if it was stopped.
    fn fewest_empties(shape: &BoardShape, stop: &StopFlag) -> Result<Option<usize>, CountError> {
        let solution = solve_domination(shape, DominationOptions::default(), &mut |_| stop.to_flow());
        if solution.status == domination::DominationStatus::Stopped {
            return Ok(None);
        }
        solution.empties.map(Some).ok_or(CountError::TooWide)
    }

    fn run_count(spec: &CountSpec, stop: &StopFlag) -> Result<Option<Value>, CountError> {
        let shape = BoardShape::new(spec.side, spec.side);
        let Some(empties) = Strings::fewest_empties(&shape, stop)? else { return Ok(None) };
        let before = process_cpu_time();
        let mut observer = |_: LayerStep| stop.to_flow();
        let counts =
            count_boards(&shape, empties, spec.numbers, DominationOptions::default(), &mut observer)?;
        let cpu_seconds = (process_cpu_time() - before).as_secs_f64();
        let boards = counts.boards.iter().map(ToString::to_string).collect();
        let strings = shape.cell_count() - empties;
        let machine = Machine::current();
        Ok(Some(json!(CountResult { strings, boards, widest: counts.widest, cpu_seconds, machine })))
    }

    fn run_after_cuts(spec: &AfterCutsSpec, stop: &StopFlag) -> Result<Option<Value>, CountError> {
        let side = spec.side;
        let shape = BoardShape::new(side, side);
        let Some(empties) = Strings::fewest_empties(&shape, stop)? else { return Ok(None) };
        let before = process_cpu_time();
        let mut observer = |_: LayerStep| stop.to_flow();
        let formulation = spec.formulation.parse().unwrap_or(StringsFormulation::Section3);
        let asked = CountAfterCuts { width: side, height: side, formulation, empties, numbers: spec.numbers };
        let boards = count_after_cuts(asked, DominationOptions::default(), &mut observer)?;
        let cpu_seconds = (process_cpu_time() - before).as_secs_f64();
        let strings = shape.cell_count() - empties;
        let boards = boards.iter().map(ToString::to_string).collect();
        Ok(Some(json!(AfterCutsResult { strings, boards, cpu_seconds, machine: Machine::current() })))
    }

    fn run_certificate(spec: &CertificateSpec, stop: &StopFlag) -> Result<Option<Value>, String> {
        let shape = BoardShape::new(spec.side, spec.side);
        let empties = Strings::fewest_empties(&shape, stop).map_err(|error| error.to_string())?;
        let Some(empties) = empties else { return Ok(None) };
        let limits = ProofLimits::of_states(certificate::MAX_STATES);
        let before = process_cpu_time();
        let written =
            domination::build_certificate(&shape, empties, domination::DEEP, limits, &mut |_| stop.to_flow());
        let writing = (process_cpu_time() - before).as_secs_f64();
        if stop.is_requested() {
            return Ok(None);
        }
        let text = written.map_err(|error| error.to_string())?.to_string();
        let before = process_cpu_time();
        let read = certificate::parse_certificate(&text).map_err(|error| error.to_string())?;
        let verdict = certificate::check_certificate(&read, &mut |_| stop.to_flow());
        let checking = (process_cpu_time() - before).as_secs_f64();
        if stop.is_requested() {
            return Ok(None);
        }
        if let Some(fault) = verdict.map_err(|error| error.to_string())?.fault {
            return Err(format!("the checker refuses it: {fault}"));
        }
        let result = CertificateResult {
            strings: shape.cell_count() - empties,
            depth: read.depth,
            states: read.states.len(),
            bytes: text.len(),
            writing,
            checking,
            machine: Machine::current(),
        };
        Ok(Some(json!(result)))
    }

    fn run_relaxation(&self, spec: &RelaxationSpec, stop: &StopFlag) -> Result<Option<TaskOutput>, String> {
        let installed =
            self.find_relaxation_solver().ok_or("HiGHS is not installed as a module of python3")?;
        let model = StringsModel::new(spec.side, spec.side, spec.formulation.parse()?)
            .map_err(|error| error.to_string())?;
        let empties =
            ishi_mip::solve_relaxation(&model, installed, stop).map_err(|error| error.to_string())?;
        Ok(empties.map(|empties| TaskOutput::from(json!(RelaxationResult { empties }))))
    }

    fn run_mip(&self, spec: &StringsMipSpec, stop: &StopFlag) -> Result<Option<TaskOutput>, String> {
        let solver: MipSolver = spec.solver.parse()?;
        let installed = self.find_installed(solver).ok_or_else(|| format!("{solver} is not installed"))?;
        let model = StringsModel::new(spec.side, spec.side, spec.formulation.parse()?)
            .map_err(|error| error.to_string())?;
        let limit = Some(Duration::from_secs(spec.time_limit));
        let outcome =
            ishi_mip::solve_board(&model, installed, limit, stop).map_err(|error| error.to_string())?;
        let Some(outcome) = outcome else { return Ok(None) };
        let cost = TaskCost { cpu_seconds: outcome.cpu_seconds, wall_seconds: outcome.wall_seconds };
        let result = StringsMipResult {
            status: outcome.status,
            strings: outcome.strings,
            bound: outcome.bound,
            cpu_seconds: outcome.cpu_seconds,
            version: outcome.version,
            machine: Machine::current(),
        };
        Ok(Some(TaskOutput { result: json!(result), games: Vec::new(), cost: Some(cost) }))
    }
}

/// A stop is no failure.
fn finish_count(result: Result<Option<Value>, CountError>) -> Result<Option<TaskOutput>, String> {
    match result {
        Err(CountError::Stopped) => Ok(None),
        result => result.map(|value| value.map(TaskOutput::from)).map_err(|error| error.to_string()),
    }
}

fn frontier_task_name(side: usize) -> String {
    format!("frontier/{side}")
}

fn mip_task_name(StringsMipRun { solver, formulation, side }: StringsMipRun) -> String {
    format!("mip/{}/{}/{side}", solver.name(), formulation.short_name())
}

fn count_task_name(side: usize) -> String {
    format!("count/{side}")
}

fn after_cuts_task_name(formulation: StringsFormulation, side: usize) -> String {
    format!("after-cuts/{}/{side}", formulation.short_name())
}

fn relaxation_task_name(formulation: StringsFormulation, side: usize) -> String {
    format!("relaxation/{}/{side}", formulation.short_name())
}

fn certificate_task_name(side: usize) -> String {
    format!("certificate/{side}")
}

impl Experiment for Strings {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let variant = self.variant;
        let alone =
            |name: String, kind: TaskKind, spec: Value| ExperimentTask::new(name, kind, spec).run_alone();
        let frontier = self.frontier.iter();
        let frontier = frontier
            .map(|&side| alone(frontier_task_name(side), FRONTIER, json!(FrontierSpec { variant, side })));
        let count = self.count.iter().map(|&(side, numbers)| {
            alone(count_task_name(side), COUNT, json!(CountSpec { variant, side, numbers }))
        });
        let cut = |formulation: StringsFormulation| {
            self.after_cuts.iter().map(move |&(side, numbers)| {
                let word = formulation.short_name().to_string();
                let spec = AfterCutsSpec { variant, formulation: word, side, numbers };
                alone(after_cuts_task_name(formulation, side), AFTER_CUTS, json!(spec))
            })
        };
        let certificate = self.certificate.iter().map(|&side| {
            alone(certificate_task_name(side), CERTIFICATE, json!(CertificateSpec { variant, side }))
        });
        let relax = |formulation: StringsFormulation| {
            let sides = self.relaxation.iter().filter(|_| self.find_relaxation_solver().is_some());
            sides.map(move |&side| {
                let word = formulation.short_name().to_string();
                let spec = RelaxationSpec { variant, formulation: word, side };
                alone(relaxation_task_name(formulation, side), RELAXATION, json!(spec))
            })
        };
        let there = self.mip.iter().filter(|run| self.find_installed(run.solver).is_some());
        let mip = there.map(|&run| {
            let StringsMipRun { solver, formulation, side } = run;
            let (solver, formulation) = (solver.name().to_string(), formulation.short_name().to_string());
            let spec = StringsMipSpec { variant, solver, formulation, side, time_limit: self.time_limit };
            alone(mip_task_name(run), MIP, json!(spec))
        });
        let after_cuts = CUT.into_iter().flat_map(cut);
        let relaxation = StringsFormulation::ALL.into_iter().flat_map(relax);
        frontier.chain(count).chain(after_cuts).chain(certificate).chain(relaxation).chain(mip).collect()
    }

    fn run_task(&self, task: &ExperimentTask, _before: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        let failed = |error: String| task.failure(error);
        match task.work.kind() {
            FRONTIER => {
                let found = Strings::run_frontier(&task.read_spec()?, stop);
                Ok(found.map_err(failed)?.map(TaskOutput::from))
            }
            COUNT => finish_count(Strings::run_count(&task.read_spec()?, stop)).map_err(failed),
            AFTER_CUTS => finish_count(Strings::run_after_cuts(&task.read_spec()?, stop)).map_err(failed),
            CERTIFICATE => {
                let found = Strings::run_certificate(&task.read_spec()?, stop);
                Ok(found.map_err(failed)?.map(TaskOutput::from))
            }
            RELAXATION => self.run_relaxation(&task.read_spec()?, stop).map_err(failed),
            _ => self.run_mip(&task.read_spec()?, stop).map_err(failed),
        }
    }

    fn describe_finished_task(&self, task: &ExperimentTask, result: &Value) -> Option<String> {
        let seconds = result.get("cpu_seconds")?.as_f64()?;
        let strings = result.get("strings")?;
        Some(format!("{}: {strings} strings, {seconds:.3} s", task.name))
    }

    fn list_skipped(&self) -> Vec<String> {
        let missing =
            self.configured_solvers().into_iter().filter(|solver| self.find_installed(*solver).is_none());
        let mut lines: Vec<String> = missing.map(MipSolver::describe_absence).collect();
        if self.find_relaxation_solver().is_none() && !self.relaxation.is_empty() {
            lines.push(format!(
                "linear relaxations: HiGHS is no module here ({})",
                MipSolver::Highs.install_command()
            ));
        }
        lines
    }

    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        self.report_tables(results)
    }
}
