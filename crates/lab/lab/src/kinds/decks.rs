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
mod tables;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

use crate::error::LabError;
use crate::experiment::{Config, Experiment, Kind, Output, Results, Setup, Task, Variant};
use crate::report::Body;
use crate::source::{Source, SourceError};
use crate::store;
use ishi_mip::{self, Installed, Solver};
use methods::{DeckMethod, MethodParams};

/// The kind, for the registry.
pub const KIND: Kind = Kind {
    name: "decks",
    about: "deck building: every method's decks against time, proofs beside MIP solvers, the completion test",
    load,
};

/// The kinds of its tasks.
const EXAMPLE: &str = "decks-example";
const SHAPE: &str = "decks-shape";
const MIP: &str = "decks-mip";
const COMPLETION: &str = "decks-completion";

/// Parameters of a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    search_seconds: Spanned<f64>,
    proof_seconds: Spanned<f64>,
    example_seeds: Spanned<u64>,
    method: Vec<MethodParams>,
    shape: Vec<ShapeParams>,
    mip: Vec<MipParams>,
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
    attribute: Attribute,
    scores: Option<Spanned<String>>,
    #[serde(default)]
    readings: bool,
    article_outside: Option<[u64; 2]>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MipParams {
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

/// Requests of one form, checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Shape {
    name: String,
    world: World,
    /// Of real decks: the log, from the experiment's folder.
    log: Option<String>,
    pieces: usize,
    owned: Option<usize>,
    leading: Leading,
    fixed: usize,
    worlds: u64,
    cases: u64,
    /// The attribute of the deck.
    attribute: Attribute,
    /// The measure of association that scores pairs of a generated world, if it is not the world's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scores: Option<String>,
    /// Are the other readings of the article's search measured too?
    readings: bool,
    /// Pieces outside the theme that the article counts: of the method in use, of its own.
    article_outside: Option<[u64; 2]>,
}

/// The attribute that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Attribute {
    /// Ten pieces of the element of the request's theme.
    #[default]
    Theme,
    /// At most nine of every element.
    Mixed,
    /// None.
    None,
}

/// Where the scores come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum World {
    /// Archetypes: `ishi_deck::generate::World`.
    Generated,
    /// Archetypes whose pieces cost 20, 10 or 5.
    Tiers,
    /// The worked example with any number of pieces and some chance: `ishi_deck::generate::trap_pool`.
    Traps,
    /// By chance.
    Random,
    /// A log of decks.
    Real,
}

/// Who leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Leading {
    Nobody,
    Given,
    Free,
}

/// The experiment.
struct Decks {
    variant: Variant,
    seed: Seed,
    folder: PathBuf,
    search_seconds: f64,
    proof_seconds: f64,
    example_seeds: u64,
    deck_methods: Vec<DeckMethod>,
    shapes: Vec<Shape>,
    programmes: Vec<Programmes>,
    logs: Vec<String>,
    methods: Vec<String>,
    tested: usize,
    installed: Vec<Installed>,
}

/// Runs of solvers of integer programmes.
struct Programmes {
    solvers: Vec<Solver>,
    formulation: String,
    pieces: Vec<usize>,
    cases: u64,
    limit: u64,
}

/// The worked example.
#[derive(Serialize, Deserialize)]
struct ExampleSpec {
    variant: Variant,
    seed: String,
    seeds: u64,
    methods: Vec<DeckMethod>,
}

/// A shape in one world.
#[derive(Serialize, Deserialize)]
struct ShapeSpec {
    variant: Variant,
    seed: String,
    methods: Vec<DeckMethod>,
    shape: Shape,
    world: u64,
    search_seconds: f64,
    proof_seconds: f64,
}

#[derive(Serialize, Deserialize)]
struct MipSpec {
    variant: Variant,
    seed: String,
    solver: String,
    formulation: String,
    pieces: usize,
    case: u64,
    time_limit: u64,
}

#[derive(Serialize, Deserialize)]
struct CompletionSpec {
    variant: Variant,
    seed: String,
    log: String,
    split: String,
    methods: Vec<String>,
    decks: usize,
}

fn load(source: &Source, setup: &Setup) -> Result<Box<dyn Experiment>, SourceError> {
    let mut chosen = None;
    for (variant, params) in Config::<Params>::read(source)? {
        let decks = Decks::new(source, &params, variant, setup.seed)?;
        if variant == setup.variant {
            chosen = Some(decks);
        }
    }
    let mut decks =
        chosen.ok_or_else(|| source.error(None, format!("it has no variant {}", setup.variant)))?;
    decks.installed = ishi_mip::installed();
    Ok(Box::new(decks))
}

fn shape(source: &Source, params: &ShapeParams) -> Result<Shape, SourceError> {
    let world = match params.world.get_ref().as_str() {
        "generated" => World::Generated,
        "tiers" => World::Tiers,
        "traps" => World::Traps,
        "random" => World::Random,
        "real" => World::Real,
        _ => return Err(source.wrong(&params.world, "a world is generated, tiers, traps, random or real")),
    };
    let leading = match params.leading.get_ref().as_str() {
        "nobody" => Leading::Nobody,
        "given" => Leading::Given,
        "free" => Leading::Free,
        _ => return Err(source.wrong(&params.leading, "leading are nobody, given or free")),
    };
    let themes = matches!(world, World::Generated | World::Tiers);
    if !themes && leading != Leading::Nobody {
        return Err(source.wrong(&params.leading, "only generated worlds have leaders: nobody"));
    }
    if (world == World::Real) != params.log.is_some() {
        return Err(source.wrong(&params.world, "real worlds have a log, others have none"));
    }
    if let Some(scores) = &params.scores {
        measure::measure(scores.get_ref()).map_err(|error| source.wrong(scores, &error))?;
        if !themes || leading != Leading::Nobody {
            return Err(source.wrong(scores, "scores are chosen for generated worlds in which nobody leads"));
        }
    }
    let pieces = source.within(&params.pieces, 60..=20_000, "a world has 60 to 20000 pieces")?;
    let owned = params.owned.as_ref();
    let owned = owned.map(|owned| source.within(owned, 16..=pieces, "16 pieces to all are owned"));
    Ok(Shape {
        name: params.name.clone(),
        world,
        log: params.log.as_ref().map(|log| log.get_ref().clone()),
        pieces,
        owned: owned.transpose()?,
        leading,
        fixed: source.within(&params.fixed, 0..=10, "0 to 10 pieces are fixed")?,
        worlds: source.within(&params.worlds, 1..=1000, "1 to 1000 worlds")?,
        cases: source.within(&params.cases, 1..=10_000, "1 to 10000 cases of each world")?,
        attribute: params.attribute,
        scores: params.scores.as_ref().map(|scores| scores.get_ref().clone()),
        readings: params.readings,
        article_outside: params.article_outside,
    })
}

impl Decks {
    fn new(source: &Source, params: &Params, variant: Variant, seed: Seed) -> Result<Decks, SourceError> {
        let seconds =
            |value: &Spanned<f64>| source.within(value, 0.001..=100_000.0, "seconds: 0.001 to 100000");
        let completion = &params.completion;
        for method in &completion.methods {
            measure::method(method.get_ref()).map_err(|error| source.wrong(method, &error))?;
        }
        let texts = |list: &[Spanned<String>]| list.iter().map(|text| text.get_ref().clone()).collect();
        Ok(Decks {
            variant,
            seed,
            folder: source.path().parent().unwrap_or(Path::new(".")).to_path_buf(),
            search_seconds: seconds(&params.search_seconds)?,
            proof_seconds: seconds(&params.proof_seconds)?,
            shapes: params.shape.iter().map(|params| shape(source, params)).collect::<Result<_, _>>()?,
            example_seeds: source.within(&params.example_seeds, 1..=100_000, "1 to 100000 seeds")?,
            deck_methods: methods::read(source, &params.method)?,
            programmes: params.mip.iter().map(|mip| programmes(source, mip)).collect::<Result<_, _>>()?,
            logs: texts(&completion.logs),
            methods: texts(&completion.methods),
            tested: source.within(&completion.decks, 1..=1_000_000, "1 to 1000000 decks are tested")?,
            installed: Vec::new(),
        })
    }

    /// The methods that a shape is measured with.
    fn methods_of(&self, shape: &Shape) -> Vec<DeckMethod> {
        let methods = self.deck_methods.iter().filter(|method| shape.readings || !method.reading);
        methods.cloned().collect()
    }

    fn example_task(&self) -> Task {
        let spec = ExampleSpec {
            variant: self.variant,
            seed: self.seed.to_string(),
            seeds: self.example_seeds,
            methods: self.deck_methods.clone(),
        };
        alone(EXAMPLE_NAME.to_string(), EXAMPLE, json!(spec))
    }

    fn find(&self, solver: Solver) -> Option<&Installed> {
        self.installed.iter().find(|installed| installed.solver == solver)
    }

    fn has(&self, log: &str) -> bool {
        self.folder.join(log).is_file()
    }

    fn shape_tasks(&self) -> Vec<Task> {
        let there = self.shapes.iter().filter(|shape| shape.log.as_ref().is_none_or(|log| self.has(log)));
        let tasks = there.flat_map(|shape| (0..shape.worlds).map(move |world| (shape, world)));
        let task = |(shape, world): (&Shape, u64)| {
            let spec = ShapeSpec {
                variant: self.variant,
                seed: self.seed.to_string(),
                methods: self.methods_of(shape),
                shape: shape.clone(),
                world,
                search_seconds: self.search_seconds,
                proof_seconds: self.proof_seconds,
            };
            alone(shape_name(&shape.name, world), SHAPE, json!(spec))
        };
        tasks.map(task).collect()
    }

    fn mip_tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for run in self.mip_runs().into_iter().filter(|run| self.find(run.solver).is_some()) {
            let spec = MipSpec {
                variant: self.variant,
                seed: self.seed.to_string(),
                solver: run.solver.word().to_string(),
                formulation: run.programmes.formulation.clone(),
                pieces: run.pieces,
                case: run.case,
                time_limit: run.programmes.limit,
            };
            tasks.push(alone(run.name(), MIP, json!(spec)));
        }
        tasks
    }

    /// All runs of solvers, smaller worlds first. A kept report has results of solvers that are not installed here.
    fn mip_runs(&self) -> Vec<MipRun<'_>> {
        let mut runs = Vec::new();
        for programmes in &self.programmes {
            for &pieces in &programmes.pieces {
                for &solver in &programmes.solvers {
                    let run = |case| MipRun { programmes, solver, pieces, case };
                    runs.extend((0..programmes.cases).map(run));
                }
            }
        }
        runs
    }

    fn completion_tasks(&self) -> Vec<Task> {
        let there = self.logs.iter().filter(|log| self.has(log));
        let tasks = there.flat_map(|log| ["random", "distinct"].map(|split| (log, split)));
        let task = |(log, split): (&String, &str)| {
            let spec = CompletionSpec {
                variant: self.variant,
                seed: self.seed.to_string(),
                log: log.clone(),
                split: split.to_string(),
                methods: self.methods.clone(),
                decks: self.tested,
            };
            alone(completion_name(log, split), COMPLETION, json!(spec))
        };
        tasks.map(task).collect()
    }
}

fn alone(name: String, kind: &str, spec: Value) -> Task {
    Task { name, work: store::Task::new(kind, spec), alone: true, after: None }
}

fn shape_name(shape: &str, world: u64) -> String {
    format!("shape/{shape}/{world}")
}

/// The name of the task of the worked example.
const EXAMPLE_NAME: &str = "example";

/// One run of a solver.
struct MipRun<'d> {
    programmes: &'d Programmes,
    solver: Solver,
    pieces: usize,
    case: u64,
}

impl MipRun<'_> {
    fn name(&self) -> String {
        let MipRun { programmes, solver, pieces, case } = self;
        format!("mip/{}/{}/{pieces}/{case}", programmes.formulation, solver.word())
    }
}

fn programmes(source: &Source, mip: &MipParams) -> Result<Programmes, SourceError> {
    let solver =
        |word: &Spanned<String>| word.get_ref().parse().map_err(|error: String| source.wrong(word, &error));
    let pieces = |pieces| source.within(pieces, 60..=20_000, "a world has 60 to 20000 pieces");
    measure::formulation(mip.formulation.get_ref())
        .map_err(|error| source.wrong(&mip.formulation, &error))?;
    Ok(Programmes {
        limit: source.within(&mip.time_limit, 1..=1_000_000, "a time limit is 1 to 1000000 seconds")?,
        solvers: mip.solvers.iter().map(solver).collect::<Result<_, _>>()?,
        formulation: mip.formulation.get_ref().clone(),
        pieces: mip.pieces.iter().map(pieces).collect::<Result<_, _>>()?,
        cases: source.within(&mip.cases, 1..=1000, "1 to 1000 cases")?,
    })
}

/// `pauper` of `../data/pauper.tsv.gz`.
fn stem(log: &str) -> &str {
    let name = log.rsplit('/').next().unwrap_or(log);
    name.split('.').next().unwrap_or(name)
}

fn completion_name(log: &str, split: &str) -> String {
    format!("completion/{}/{split}", stem(log))
}

impl Experiment for Decks {
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = vec![self.example_task()];
        tasks.extend(self.shape_tasks());
        tasks.extend(self.mip_tasks());
        tasks.extend(self.completion_tasks());
        tasks
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
        let output = match task.work.kind() {
            EXAMPLE => {
                let spec = ExampleSpec::deserialize(spec).map_err(unread)?;
                example::run(&spec, stop).map(|result| result.map(|result| json!(result)))
            }
            SHAPE => {
                let spec = ShapeSpec::deserialize(spec).map_err(unread)?;
                measure::shape(&spec, &self.folder, stop).map(|result| result.map(|result| json!(result)))
            }
            MIP => {
                let spec = MipSpec::deserialize(spec).map_err(unread)?;
                let solver: Solver = spec.solver.parse().map_err(failed)?;
                let installed = self.find(solver);
                let installed = installed.ok_or_else(|| failed(format!("{solver} is not installed")))?;
                measure::mip(&spec, installed, stop).map(|result| result.map(|result| json!(result)))
            }
            _ => {
                let spec = CompletionSpec::deserialize(spec).map_err(unread)?;
                measure::completion(&spec, &self.folder, stop)
                    .map(|result| result.map(|result| json!(result)))
            }
        };
        Ok(output.map_err(failed)?.map(Output::from))
    }

    fn skipped(&self) -> Vec<String> {
        let mut solvers: Vec<Solver> = self.programmes.iter().flat_map(|runs| runs.solvers.clone()).collect();
        solvers.sort_unstable();
        solvers.dedup();
        let missing = solvers.into_iter().filter(|&solver| self.find(solver).is_none());
        let mut skipped: Vec<String> = missing
            .map(|solver| format!("integer programming with {solver}: not installed ({})", solver.packages()))
            .collect();
        let mut logs: Vec<&String> = self.shapes.iter().filter_map(|shape| shape.log.as_ref()).collect();
        logs.extend(&self.logs);
        logs.sort_unstable();
        logs.dedup();
        let missing = logs.into_iter().filter(|log| !self.has(log));
        skipped.extend(missing.map(|log| format!("real decks of {log}: there is no such file")));
        skipped
    }

    fn report(&self, results: &Results) -> Result<Body, LabError> {
        self.tables(results)
    }
}
