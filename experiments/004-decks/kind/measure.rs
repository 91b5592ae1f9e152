//! What the tasks do.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flate2::read::MultiGzDecoder;
use ishi_arena::stopwatch::process_cpu_time;
use ishi_deck::generate::{self, RequestCase, WorldOptions, random_dense_pool, real_pool};
use ishi_deck::models::{Formulation, LinearModel};
use ishi_deck::scores::completion::{self, TestSplit};
use ishi_deck::scores::library::DeckLibrary;
use ishi_deck::scores::log::{CardVocabulary, DeckLog};
use ishi_deck::scores::trial::{self, CompletionTrial, PredictionMethod, TrainingDecks};
use ishi_deck::scores::{CountOptions, PairMeasure, ScoringOptions, count_decks};
use ishi_deck::search::{self, FoundDeck, StartDeck};
use ishi_deck::{
    AnswerStatus, AttributeQuota, Deck, DeckAttribute, DeckRequest, PieceId, Pool, Problem, SolverObserver,
    SolverState,
};
use ishi_lab::machine::Machine;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};

use super::methods::SearchKind;
use super::specs::{
    AttributeRule, CompletionSpec, DeckMipSpec, LeadingRule, RequestShape, ShapeSpec, WorldKind,
};
use ishi_mip::{self, InstalledSolver};

/// What a method did with a request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SearchTrace {
    /// Processor seconds and value (units) of every deck that was the best so far.
    pub(super) points: Vec<(f64, i64)>,
    /// Processor seconds of all.
    pub(super) seconds: f64,
    /// Did it end by itself?
    pub(super) ended: bool,
    /// What is in the last deck, where the world has themes.
    pub(super) pieces: Option<DeckPieces>,
}

/// Where the pieces of a deck belong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct DeckPieces {
    /// Neither of the theme of the fixed pieces nor staples.
    pub(super) outside: u64,
    /// Staples that are not of the theme.
    pub(super) staples: u64,
    /// Of cost 5, the least there is.
    pub(super) cheap: u64,
}

/// A request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CaseResult {
    /// The best value that any method found, in units.
    pub(super) best: i64,
    /// The bound of the exact solver.
    pub(super) bound: Option<i64>,
    pub(super) proved: bool,
    /// Does the article's step lead on from where one climb by single swaps ends?
    pub(super) trapped: Option<bool>,
    /// One for each method of the shape.
    pub(super) traces: Vec<SearchTrace>,
}

/// A shape in one world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ShapeResult {
    pub(super) pieces: usize,
    pub(super) cases: Vec<CaseResult>,
    pub(super) machine: Machine,
}

/// A solver of integer programmes beside ours.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DeckMipResult {
    /// `None` if it failed, as `said` says.
    pub(super) status: Option<ishi_mip::MipStatus>,
    pub(super) said: Option<String>,
    pub(super) value: Option<i64>,
    pub(super) bound: Option<i64>,
    pub(super) cpu_seconds: f64,
    pub(super) wall_seconds: f64,
    /// Variables and constraints of the model.
    pub(super) variables: usize,
    pub(super) constraints: usize,
    pub(super) version: Option<String>,
    pub(super) ours: Option<i64>,
    pub(super) ours_proved: bool,
    pub(super) ours_cpu_seconds: f64,
    pub(super) machine: Machine,
}

/// The completion test on one log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CompletionResult {
    pub(super) decks: usize,
    pub(super) tested: usize,
    /// Method, the share found of 4 hidden cards, and of all but 3.
    pub(super) rows: Vec<(String, f64, f64)>,
}

pub(super) fn parse_formulation(word: &str) -> Result<Formulation, String> {
    let found = Formulation::ALL.into_iter().find(|formulation| formulation.cli_word() == word);
    found
        .ok_or_else(|| format!("formulations are {}", Formulation::ALL.map(Formulation::cli_word).join(", ")))
}

pub(super) fn parse_measure(word: &str) -> Result<PairMeasure, String> {
    word.parse()
}

pub(super) fn parse_method(word: &str) -> Result<PredictionMethod, String> {
    let found = PredictionMethod::ALL.into_iter().find(|method| method.cli_word() == word);
    found.ok_or_else(|| {
        format!("methods are {}", PredictionMethod::ALL.map(PredictionMethod::cli_word).join(", "))
    })
}

/// A world that requests can be made to.
enum PreparedWorld {
    Generated(Box<generate::DeckWorld>, Arc<Pool>),
    Plain(Arc<Pool>),
    /// Decks of places in the pool.
    Real(Arc<Pool>, Vec<Vec<u32>>),
}

fn prepare_world(shape: &RequestShape, folder: &Path, seed: Seed) -> Result<PreparedWorld, String> {
    Ok(match (shape.world, &shape.log) {
        (kind @ (WorldKind::Generated | WorldKind::Tiers), _) => {
            let options = WorldOptions::for_pieces(shape.pieces);
            let options = if kind == WorldKind::Tiers {
                WorldOptions::with_tiered_costs(shape.pieces)
            } else {
                options
            };
            let world = generate::DeckWorld::new(seed, options);
            let pool = Arc::new(match &shape.scores {
                None => world.build_pool(),
                Some(word) => score_world(&world, parse_measure(word)?),
            });
            PreparedWorld::Generated(Box::new(world), pool)
        }
        (WorldKind::Traps, _) => PreparedWorld::Plain(Arc::new(generate::trap_pool(seed, shape.pieces))),
        (WorldKind::Random, _) => PreparedWorld::Plain(Arc::new(random_dense_pool(seed, shape.pieces))),
        (WorldKind::Real, log) => {
            prepare_real_pool(&folder.join(log.as_deref().unwrap_or_default()), shape.pieces, seed)?
        }
    })
}

/// The pool of a world, its pairs scored by another measure of the players' decks.
fn score_world(world: &generate::DeckWorld, measure: PairMeasure) -> Pool {
    let numbers = |deck: &generate::PlayerDeck| deck.pieces.iter().map(|piece| piece.0).collect::<Vec<u32>>();
    let learned = count_decks(world.decks.iter().map(numbers), &CountOptions::default());
    let scoring = ScoringOptions::for_measure(measure);
    world.build_pool_with(learned.pair_table(&scoring, world.pieces.len()), None, scoring.units)
}

/// The most frequent cards of a log, scored by the cosine.
fn prepare_real_pool(path: &Path, pieces: usize, seed: Seed) -> Result<PreparedWorld, String> {
    let (library, vocabulary) = read_library(path)?;
    let learned = count_decks(library.decks(), &CountOptions::default());
    let mut scoring = ScoringOptions::for_measure(PairMeasure::Cosine);
    scoring.min_support = 5;
    // The least support that leaves no more cards than are wanted.
    while learned.frequent_cards(vocabulary.names(), scoring.min_support).len() > pieces {
        scoring.min_support += 1;
    }
    let cards = learned.frequent_cards(vocabulary.names(), scoring.min_support);
    let pool = learned.build_pool(vocabulary.names(), &scoring, 0.0);
    let names: Vec<String> = pool.pieces.iter().map(|piece| piece.name.clone()).collect();
    let counts: Vec<u64> =
        cards.iter().map(|&card| u64::from(learned.counts.decks_with(card as usize))).collect();
    let mut places = vec![None; library.card_count()];
    for (place, &card) in cards.iter().enumerate() {
        places[card as usize] = Some(place as u32);
    }
    let deck = |deck: &[u32]| deck.iter().filter_map(|&card| places[card as usize]).collect();
    let decks = library.decks().map(deck).collect();
    Ok(PreparedWorld::Real(Arc::new(real_pool(seed, &names, &counts, pool.pairs, None, pool.units)), decks))
}

fn read_library(path: &Path) -> Result<(DeckLibrary, CardVocabulary), String> {
    let fault = |error: String| format!("{}: {error}", path.display());
    let file = std::fs::File::open(path).map_err(|error| fault(error.to_string()))?;
    let mut log = DeckLog::new(BufReader::new(MultiGzDecoder::new(file)), None);
    let (mut library, mut vocabulary) = (DeckLibrary::default(), CardVocabulary::default());
    while let Some(entry) = log.next_deck(&mut vocabulary).map_err(|error| fault(error.to_string()))? {
        library.push(entry.day, entry.cards.iter().copied().chain(entry.leader));
    }
    Ok((library, vocabulary))
}

/// Request number `case`.
fn build_problem(
    ready: &PreparedWorld,
    shape: &RequestShape,
    seed: Seed,
    case: u64,
) -> Result<Problem, String> {
    let (pool, request) = match ready {
        PreparedWorld::Generated(world, pool) => {
            let leading = match shape.leading {
                LeadingRule::Nobody => generate::LeaderCase::Nobody,
                LeadingRule::Given => generate::LeaderCase::Given,
                LeadingRule::Free => generate::LeaderCase::Free,
            };
            let form = RequestCase { leading, fixed: shape.fixed, owned: shape.owned };
            let mut request = world.draw_request(seed, case, form);
            let attribute = match shape.attribute {
                AttributeRule::Theme => None,
                AttributeRule::Mixed => Some(DeckAttribute::Mixed),
                AttributeRule::None => Some(DeckAttribute::Any),
            };
            if let Some(attribute) = attribute {
                request.quotas = attribute.to_quotas(pool.attributes.len());
            }
            (pool, request)
        }
        PreparedWorld::Plain(pool) => {
            let mut rng = seed.stream("request", case);
            let mut request = sixteen_piece_request();
            if !pool.attributes.is_empty() {
                let attribute = rng.next_index(pool.attributes.len());
                request.quotas = vec![AttributeQuota { attribute, at_least: 10, at_most: None }];
            }
            request.fixed = (0..shape.fixed).map(|at| PieceId(at as u32)).collect();
            (pool, request)
        }
        PreparedWorld::Real(pool, decks) => {
            let mut rng = seed.stream("request", case);
            let mut request = sixteen_piece_request();
            let mut deck = rng.choose(decks).cloned().unwrap_or_default();
            rng.shuffle(&mut deck);
            request.fixed = deck.into_iter().take(shape.fixed).map(PieceId).collect();
            (pool, request)
        }
    };
    Problem::new(Arc::clone(pool), &request).map_err(|error| error.to_string())
}

/// Sixteen pieces of at most 200.
fn sixteen_piece_request() -> DeckRequest {
    DeckRequest { limits: vec![Some(200)], ..DeckRequest::with_size(16..=16, 1) }
}

pub(super) fn measure_shape(
    spec: &ShapeSpec,
    folder: &Path,
    stop: &StopFlag,
) -> Result<Option<ShapeResult>, String> {
    let seed = spec.seed.child_seed(&spec.shape.name, spec.world);
    let ready = prepare_world(&spec.shape, folder, seed)?;
    let mut cases = Vec::new();
    let mut pieces = 0;
    for case in 0..spec.shape.cases {
        let problem = build_problem(&ready, &spec.shape, seed, case)?;
        pieces = problem.len();
        let theme = match &ready {
            PreparedWorld::Generated(world, _) => Some((&**world, world.theme_of_request(seed, case))),
            _ => None,
        };
        cases.push(measure_request(&problem, theme, seed.child_seed("search", case), spec, stop));
        if stop.is_requested() {
            return Ok(None);
        }
    }
    Ok(Some(ShapeResult { pieces, cases, machine: Machine::current() }))
}

/// A world and the theme of a request.
type RequestTheme<'w> = Option<(&'w generate::DeckWorld, usize)>;

/// All methods on one request.
fn measure_request(
    problem: &Problem,
    theme: RequestTheme<'_>,
    seed: Seed,
    spec: &ShapeSpec,
    stop: &StopFlag,
) -> CaseResult {
    let mut result = CaseResult { best: 0, bound: None, proved: false, trapped: None, traces: Vec::new() };
    for method in &spec.methods {
        let limit = if method.ends_by_itself() { spec.proof_seconds } else { spec.search_seconds };
        let (mut trace, deck) = trace_search(limit, stop, |see| {
            if method.search != SearchKind::Exact {
                return method.run_search(problem, seed, StartDeck::Random, see);
            }
            let options = ishi_deck::SolverOptions { seed, gap: 0, above: None };
            let answer = ishi_deck::solve_problem(problem, &options, see);
            (result.bound, result.proved) = (answer.bound, answer.status == AnswerStatus::Optimal);
            Some(FoundDeck { deck: answer.deck?, value: answer.value?, moves: 0 })
        });
        trace.pieces = theme
            .zip(deck.as_ref())
            .map(|((world, theme), deck)| count_deck_pieces(problem, world, theme, deck));
        if result.trapped.is_none()
            && method.is_one_climb()
            && let Some(deck) = &deck
        {
            let step = search::variable_depth_search_step(
                problem,
                deck,
                &search::VariableDepthOptions::default(),
                seed,
            );
            result.trapped = Some(step.is_some());
        }
        result.traces.push(trace);
    }
    let last = |trace: &SearchTrace| trace.points.last().map(|&(_, value)| value);
    result.best = result.traces.iter().filter_map(last).max().unwrap_or(0);
    result
}

/// Where the pieces of a deck belong.
fn count_deck_pieces(
    problem: &Problem,
    world: &generate::DeckWorld,
    theme: usize,
    deck: &Deck,
) -> DeckPieces {
    const CHEAP: i64 = 5;
    let mut pieces = DeckPieces { outside: 0, staples: 0, cheap: 0 };
    for &slot in &deck.slots {
        let piece = problem.piece_of(slot);
        let of_theme = world.themes[theme].pieces.iter().any(|&(other, _)| other == piece);
        let staple = world.staples.contains(&piece);
        pieces.outside += u64::from(!of_theme && !staple);
        pieces.staples += u64::from(!of_theme && staple);
        pieces.cheap += u64::from(problem.costs(slot)[0] == CHEAP);
    }
    pieces
}

/// The decks of a search over processor time, and the last of them.
fn trace_search(
    limit: f64,
    stop: &StopFlag,
    search: impl FnOnce(SolverObserver<'_>) -> Option<FoundDeck>,
) -> (SearchTrace, Option<Deck>) {
    let start = process_cpu_time();
    let seconds = || (process_cpu_time() - start).as_secs_f64();
    let mut points: Vec<(f64, i64)> = Vec::new();
    let mut ended = true;
    let mut see = |progress: &SolverState<'_>| {
        let now = seconds();
        if let Some(value) = progress.value
            && points.last().is_none_or(|&(_, last)| value > last)
        {
            points.push((now, value));
        }
        if now >= limit || stop.is_requested() {
            ended = false;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let found = search(&mut see);
    let now = seconds();
    if let Some(found) = &found
        && points.last().is_none_or(|&(_, last)| found.value > last)
    {
        points.push((now, found.value));
    }
    (SearchTrace { points, seconds: now, ended, pieces: None }, found.map(|found| found.deck))
}

/// A world of so many pieces without a leader, solved by a solver of integer programmes and by ours.
pub(super) fn run_mip(
    spec: &DeckMipSpec,
    installed: &InstalledSolver,
    stop: &StopFlag,
) -> Result<Option<DeckMipResult>, String> {
    let seed = spec.seed.child_seed("mip", spec.pieces as u64);
    let world = generate::DeckWorld::new(seed, WorldOptions::for_pieces(spec.pieces));
    let form = RequestCase { leading: generate::LeaderCase::Nobody, fixed: 0, owned: None };
    let problem = Problem::new(Arc::new(world.build_pool()), &world.draw_request(seed, spec.case, form))
        .map_err(|error| error.to_string())?;
    let model = LinearModel::new(&problem, parse_formulation(&spec.formulation)?)
        .map_err(|error| error.to_string())?;
    let limit = Some(Duration::from_secs(spec.time_limit));
    let outcome = match ishi_mip::solve_deck(&problem, &model, installed, limit, stop) {
        Ok(None) => return Ok(None),
        Ok(Some(outcome)) => Ok(outcome),
        // What is wrong is a fault; what gives no answer in time, or for want of memory, is a result.
        Err(ishi_mip::MipError::Failed { said, .. }) => Err(said),
        Err(error) => return Err(error.to_string()),
    };
    let before = process_cpu_time();
    let options = ishi_deck::SolverOptions { seed, gap: 0, above: None };
    let answer = ishi_deck::solve_problem(&problem, &options, &mut |_| stop.to_flow());
    let ours_cpu_seconds = (process_cpu_time() - before).as_secs_f64();
    if stop.is_requested() {
        return Ok(None);
    }
    let mut result = DeckMipResult {
        status: None,
        said: None,
        value: None,
        bound: None,
        cpu_seconds: 0.0,
        wall_seconds: 0.0,
        variables: model.variable_count(),
        constraints: model.row_count(),
        version: None,
        ours: answer.value,
        ours_proved: answer.status == AnswerStatus::Optimal,
        ours_cpu_seconds,
        machine: Machine::current(),
    };
    match outcome {
        Ok(outcome) => {
            (result.status, result.value, result.bound) =
                (Some(outcome.status), outcome.value, outcome.bound);
            (result.cpu_seconds, result.wall_seconds) = (outcome.cpu_seconds, outcome.wall_seconds);
            result.version = outcome.version;
        }
        Err(said) => result.said = Some(said),
    }
    Ok(Some(result))
}

pub(super) fn run_completion(
    spec: &CompletionSpec,
    folder: &Path,
    stop: &StopFlag,
) -> Result<Option<CompletionResult>, String> {
    let seed = spec.seed;
    let (library, _) = read_library(&folder.join(&spec.log))?;
    let way = if spec.split == "random" { TestSplit::Random } else { TestSplit::Distinct };
    let parts = completion::split_library(&library, way, spec.decks, seed, 0);
    let training = TrainingDecks::new(&library, &parts.learned, 5, seed, 1);
    let methods: Vec<PredictionMethod> =
        spec.methods.iter().map(|word| parse_method(word)).collect::<Result<_, _>>()?;
    let tasks = [completion::HidingTask::Hide(4), completion::HidingTask::Keep(3)];
    let trial = CompletionTrial { methods: &methods, tasks: &tasks, built: 0, patience: 0, seed, threads: 1 };
    let rows = trial::run_trial(&library, &parts, &training, &trial, &mut |_| stop.to_flow());
    let Some(rows) = rows else { return Ok(None) };
    let share = |method: PredictionMethod, task: completion::HidingTask| {
        let row = rows.iter().find(|row| row.method == method && row.task == task);
        row.map_or(0.0, |row| row.named.found_share())
    };
    let rows = methods
        .iter()
        .map(|&method| (method.cli_word().to_string(), share(method, tasks[0]), share(method, tasks[1])))
        .collect();
    Ok(Some(CompletionResult { decks: library.len(), tested: parts.tested.len(), rows }))
}
