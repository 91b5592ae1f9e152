//! Deck building beside its article: its worked example; the purity of decks with fixed pieces of a theme; how good a deck every method
//! has after how long, on generated worlds and on real decks; how long proofs take, beside solvers of integer programmes; and how many
//! hidden cards of real decks are found again.
//!
//! Everything is measured alone and on one thread, in processor seconds. Logs of decks and solvers that are not there are skipped,
//! out loud.

mod example;
mod measure;
mod methods;
mod purity;
mod specs;
mod tables;

use std::path::Path;

use ishi_lab::LabError;
use ishi_lab::body::ReportBody;
use ishi_lab::experiment::{
    Config, Experiment, ExperimentKind, ExperimentSetup, ExperimentTask, TaskEnd, TaskOutput, TaskResults,
    Variant,
};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_lab::store::TaskKind;
use ishi_rng::Seed;
use ishi_words::coded;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

use ishi_mip::{self, InstalledSolver, MipSolver};
use methods::{DeckMethod, MethodParams};
use specs::{
    AttributeRule, CompletionSpec, DeckMipSpec, DecksExperiment, EXAMPLE_NAME, ExampleSpec, LeadingRule,
    MipSeries, RequestShape, ShapeSpec, WorldKind,
};

/// The kind, for the registry.
pub const KIND: ExperimentKind = ExperimentKind {
    name: "decks",
    about: "deck building: every method's decks against time, proofs beside MIP solvers, the completion test",
    load: load_experiment,
};

/// The kinds of its tasks.
const EXAMPLE: TaskKind = TaskKind::new("decks-example");
const SHAPE: TaskKind = TaskKind::new("decks-shape");
const MIP: TaskKind = TaskKind::new("decks-mip");
const COMPLETION: TaskKind = TaskKind::new("decks-completion");

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DecksParams {
    search_seconds: Spanned<f64>,
    proof_seconds: Spanned<f64>,
    example_seeds: Spanned<u64>,
    method: Vec<MethodParams>,
    shape: Vec<ShapeParams>,
    mip: Vec<DeckMipParams>,
    completion: CompletionParams,
}

/// Requests of one form.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShapeParams {
    name: String,
    world: Spanned<String>,
    #[serde(default)]
    log: Option<Spanned<String>>,
    pieces: Spanned<usize>,
    owned: Option<Spanned<usize>>,
    leading: Spanned<String>,
    fixed: Spanned<usize>,
    worlds: Spanned<u64>,
    cases: Spanned<u64>,
    #[serde(default)]
    attribute: AttributeRule,
    scores: Option<Spanned<String>>,
    #[serde(default)]
    readings: bool,
    article_outside: Option<[u64; 2]>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeckMipParams {
    time_limit: Spanned<u64>,
    solvers: Vec<Spanned<String>>,
    formulation: Spanned<String>,
    pieces: Vec<Spanned<usize>>,
    cases: Spanned<u64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CompletionParams {
    logs: Vec<Spanned<String>>,
    methods: Vec<Spanned<String>>,
    decks: Spanned<usize>,
}

fn load_experiment(source: &TomlSource, setup: &ExperimentSetup) -> Result<Box<dyn Experiment>, SourceError> {
    let mut decks = Config::<DecksParams>::load_variant(source, setup.variant, |variant, params| {
        DecksExperiment::new(source, &params, variant, setup.seed)
    })?;
    decks.installed = ishi_mip::find_installed_solvers();
    Ok(Box::new(decks))
}

fn check_shape(source: &TomlSource, params: &ShapeParams) -> Result<RequestShape, SourceError> {
    let world = match params.world.get_ref().as_str() {
        "generated" => WorldKind::Generated,
        "tiers" => WorldKind::Tiers,
        "traps" => WorldKind::Traps,
        "random" => WorldKind::Random,
        "real" => WorldKind::Real,
        _ => {
            return Err(source.value_error(
                &params.world,
                coded!["lab-source-world", "a world is generated, tiers, traps, random or real"],
            ));
        }
    };
    let leading = match params.leading.get_ref().as_str() {
        "nobody" => LeadingRule::Nobody,
        "given" => LeadingRule::Given,
        "free" => LeadingRule::Free,
        _ => {
            let right = coded!["lab-source-leading", "leading are nobody, given or free"];
            return Err(source.value_error(&params.leading, right));
        }
    };
    let themes = matches!(world, WorldKind::Generated | WorldKind::Tiers);
    let right =
        coded!["lab-source-leaders", "only the worlds generated and tiers have leaders: write nobody"];
    source.require(themes || leading == LeadingRule::Nobody, &params.leading, right)?;
    let right = coded!["lab-source-log", "real worlds have a log, others have none"];
    source.require((world == WorldKind::Real) == params.log.is_some(), &params.world, right)?;
    if let Some(scores) = &params.scores {
        measure::parse_measure(scores.get_ref()).map_err(|error| source.value_error(scores, error))?;
        let right = coded![
            "lab-source-scores",
            "scores are chosen for the worlds generated and tiers, if nobody leads"
        ];
        source.require(themes && leading == LeadingRule::Nobody, scores, right)?;
    }
    let pieces = source.check_range(&params.pieces, 60..=20_000, "a world must have 60 to 20000 pieces")?;
    let owned = params.owned.as_ref();
    let owned = owned.map(|owned| source.check_range(owned, 16..=pieces, "16 pieces to all must be owned"));
    Ok(RequestShape {
        name: params.name.clone(),
        world,
        log: params.log.as_ref().map(|log| log.get_ref().clone()),
        pieces,
        owned: owned.transpose()?,
        leading,
        fixed: source.check_range(&params.fixed, 0..=10, "0 to 10 pieces must be fixed")?,
        worlds: source.check_range(&params.worlds, 1..=1000, "worlds must be 1 to 1000")?,
        cases: source.check_range(&params.cases, 1..=10_000, "cases of each world must be 1 to 10000")?,
        attribute: params.attribute,
        scores: params.scores.as_ref().map(|scores| scores.get_ref().clone()),
        readings: params.readings,
        article_outside: params.article_outside,
    })
}

impl DecksExperiment {
    fn new(
        source: &TomlSource,
        params: &DecksParams,
        variant: Variant,
        seed: Seed,
    ) -> Result<DecksExperiment, SourceError> {
        let seconds = |value: &Spanned<f64>| {
            source.check_range(value, 0.001..=100_000.0, "seconds must be 0.001 to 100000")
        };
        let completion = &params.completion;
        for method in &completion.methods {
            measure::parse_method(method.get_ref()).map_err(|error| source.value_error(method, error))?;
        }
        let texts = |list: &[Spanned<String>]| list.iter().map(|text| text.get_ref().clone()).collect();
        Ok(DecksExperiment {
            variant,
            seed,
            folder: source.path().parent().unwrap_or(Path::new(".")).to_path_buf(),
            search_seconds: seconds(&params.search_seconds)?,
            proof_seconds: seconds(&params.proof_seconds)?,
            shapes: params
                .shape
                .iter()
                .map(|params| check_shape(source, params))
                .collect::<Result<_, _>>()?,
            example_seeds: source.check_range(
                &params.example_seeds,
                1..=100_000,
                "seeds must be 1 to 100000",
            )?,
            deck_methods: methods::read_methods(source, &params.method)?,
            programmes: params
                .mip
                .iter()
                .map(|mip| check_mip_params(source, mip))
                .collect::<Result<_, _>>()?,
            logs: texts(&completion.logs),
            methods: texts(&completion.methods),
            tested: source.check_range(
                &completion.decks,
                1..=1_000_000,
                "tested decks must be 1 to 1000000",
            )?,
            installed: Vec::new(),
        })
    }

    /// The methods that a shape is measured with.
    fn methods_of(&self, shape: &RequestShape) -> Vec<DeckMethod> {
        let methods = self.deck_methods.iter().filter(|method| shape.readings || !method.reading);
        methods.cloned().collect()
    }

    fn example_task(&self) -> ExperimentTask {
        let spec = ExampleSpec {
            variant: self.variant,
            seed: self.seed,
            seeds: self.example_seeds,
            methods: self.deck_methods.clone(),
        };
        solitary_task(EXAMPLE_NAME.to_string(), EXAMPLE, json!(spec))
    }

    fn find_installed(&self, solver: MipSolver) -> Option<&InstalledSolver> {
        self.installed.iter().find(|installed| installed.solver == solver)
    }

    fn has_log(&self, log: &str) -> bool {
        self.folder.join(log).is_file()
    }

    fn shape_tasks(&self) -> Vec<ExperimentTask> {
        let there = self.shapes.iter().filter(|shape| shape.log.as_ref().is_none_or(|log| self.has_log(log)));
        let tasks = there.flat_map(|shape| (0..shape.worlds).map(move |world| (shape, world)));
        let task = |(shape, world): (&RequestShape, u64)| {
            let spec = ShapeSpec {
                variant: self.variant,
                seed: self.seed,
                methods: self.methods_of(shape),
                shape: shape.clone(),
                world,
                search_seconds: self.search_seconds,
                proof_seconds: self.proof_seconds,
            };
            solitary_task(shape_task_name(&shape.name, world), SHAPE, json!(spec))
        };
        tasks.map(task).collect()
    }

    fn mip_tasks(&self) -> Vec<ExperimentTask> {
        let mut tasks = Vec::new();
        for run in self.mip_runs().into_iter().filter(|run| self.find_installed(run.solver).is_some()) {
            let spec = DeckMipSpec {
                variant: self.variant,
                seed: self.seed,
                solver: run.solver.name().to_string(),
                formulation: run.programmes.formulation.clone(),
                pieces: run.pieces,
                case: run.case,
                time_limit: run.programmes.limit,
            };
            tasks.push(solitary_task(run.task_name(), MIP, json!(spec)));
        }
        tasks
    }

    /// All runs of solvers, smaller worlds first. A kept report has results of solvers that are not installed here.
    fn mip_runs(&self) -> Vec<DeckMipRun<'_>> {
        let mut runs = Vec::new();
        for programmes in &self.programmes {
            for &pieces in &programmes.pieces {
                for &solver in &programmes.solvers {
                    let run = |case| DeckMipRun { programmes, solver, pieces, case };
                    runs.extend((0..programmes.cases).map(run));
                }
            }
        }
        runs
    }

    fn completion_tasks(&self) -> Vec<ExperimentTask> {
        let there = self.logs.iter().filter(|log| self.has_log(log));
        let tasks = there.flat_map(|log| ["random", "distinct"].map(|split| (log, split)));
        let task = |(log, split): (&String, &str)| {
            let spec = CompletionSpec {
                variant: self.variant,
                seed: self.seed,
                log: log.clone(),
                split: split.to_string(),
                methods: self.methods.clone(),
                decks: self.tested,
            };
            solitary_task(completion_task_name(log, split), COMPLETION, json!(spec))
        };
        tasks.map(task).collect()
    }
}

fn solitary_task(name: String, kind: TaskKind, spec: Value) -> ExperimentTask {
    ExperimentTask::new(name, kind, spec).run_alone()
}

fn shape_task_name(shape: &str, world: u64) -> String {
    format!("shape/{shape}/{world}")
}

/// One run of a solver.
struct DeckMipRun<'d> {
    programmes: &'d MipSeries,
    solver: MipSolver,
    pieces: usize,
    case: u64,
}

impl DeckMipRun<'_> {
    fn task_name(&self) -> String {
        let DeckMipRun { programmes, solver, pieces, case } = self;
        format!("mip/{}/{}/{pieces}/{case}", programmes.formulation, solver.name())
    }
}

fn check_mip_params(source: &TomlSource, mip: &DeckMipParams) -> Result<MipSeries, SourceError> {
    let solver = |word: &Spanned<String>| source.parse_value::<MipSolver>(word);
    let pieces = |pieces| source.check_range(pieces, 60..=20_000, "a world must have 60 to 20000 pieces");
    measure::parse_formulation(mip.formulation.get_ref())
        .map_err(|error| source.value_error(&mip.formulation, error))?;
    Ok(MipSeries {
        limit: source.check_range(
            &mip.time_limit,
            1..=1_000_000,
            "a time limit must be 1 to 1000000 seconds",
        )?,
        solvers: mip.solvers.iter().map(solver).collect::<Result<_, _>>()?,
        formulation: mip.formulation.get_ref().clone(),
        pieces: mip.pieces.iter().map(pieces).collect::<Result<_, _>>()?,
        cases: source.check_range(&mip.cases, 1..=1000, "cases must be 1 to 1000")?,
    })
}

/// `pauper` of `../data/pauper.tsv.gz`.
fn log_stem(log: &str) -> &str {
    let name = log.rsplit('/').next().unwrap_or(log);
    name.split('.').next().unwrap_or(name)
}

fn completion_task_name(log: &str, split: &str) -> String {
    format!("completion/{}/{split}", log_stem(log))
}

/// What was measured, as it is kept.
fn to_json<T: Serialize>(measured: Result<Option<T>, String>) -> Result<Option<Value>, String> {
    Ok(measured?.map(|result| json!(result)))
}

impl Experiment for DecksExperiment {
    fn tasks(&self) -> Vec<ExperimentTask> {
        let mut tasks = vec![self.example_task()];
        tasks.extend(self.shape_tasks());
        tasks.extend(self.mip_tasks());
        tasks.extend(self.completion_tasks());
        tasks
    }

    fn run_task(&self, task: &ExperimentTask, _before: Option<&Value>, stop: &StopFlag) -> TaskEnd {
        let failed = |error: String| task.failure(error);
        let output = match task.work.kind() {
            EXAMPLE => to_json(Ok(example::run_example(&task.read_spec()?, stop))),
            SHAPE => to_json(measure::measure_shape(&task.read_spec()?, &self.folder, stop)),
            MIP => {
                let spec: DeckMipSpec = task.read_spec()?;
                let solver: MipSolver = spec.solver.parse().map_err(failed)?;
                let installed = self.find_installed(solver);
                let installed = installed.ok_or_else(|| failed(format!("{solver} is not installed")))?;
                to_json(measure::run_mip(&spec, installed, stop))
            }
            _ => to_json(measure::run_completion(&task.read_spec()?, &self.folder, stop)),
        };
        Ok(output.map_err(failed)?.map(TaskOutput::from))
    }

    fn list_skipped(&self) -> Vec<String> {
        let mut solvers: Vec<MipSolver> =
            self.programmes.iter().flat_map(|runs| runs.solvers.clone()).collect();
        solvers.sort_unstable();
        solvers.dedup();
        let missing = solvers.into_iter().filter(|&solver| self.find_installed(solver).is_none());
        let mut skipped: Vec<String> = missing.map(MipSolver::describe_absence).collect();
        let mut logs: Vec<&String> = self.shapes.iter().filter_map(|shape| shape.log.as_ref()).collect();
        logs.extend(&self.logs);
        logs.sort_unstable();
        logs.dedup();
        let missing = logs.into_iter().filter(|log| !self.has_log(log));
        skipped.extend(missing.map(|log| format!("real decks of {log}: there is no such file")));
        skipped
    }

    fn build_report(&self, results: &TaskResults) -> Result<ReportBody, LabError> {
        self.report_tables(results)
    }
}
