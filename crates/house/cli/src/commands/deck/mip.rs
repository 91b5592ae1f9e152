//! `ishi deck mip`: the best deck by an integer programming solver that is installed, beside ishi's own.

use std::time::Duration;

use clap::Args;
use ishi_arena::stopwatch::process_cpu_time;
use ishi_deck::models::{Formulation, LinearModel};
use ishi_deck::{AnswerStatus as OwnStatus, Problem};
use ishi_deck_documents::answer::{AnswerDocument, DeckDocument};
use ishi_deck_documents::solve::{TimedAnswer, solve_problem};
use ishi_deck_documents::{PoolFile, SolveMethod, SolveRequest};
use ishi_mip::{self, DeckOutcome, InstalledSolver, MipError, MipStatus};
use serde::Serialize;

use super::build::format_deck;
use super::numbers;
use super::options::{PoolArgs, RequestArgs, build_problem};
use super::watch::SolverWatch;
use crate::commands::solver;
use crate::context::{Context, Failure};
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi deck mip pool.json --limit cost=200                 with the first solver that is installed
  ishi deck mip pool.json --request request.toml --formulation compact --solver scip
  ishi deck mip pool.json --size 16 --formulation all --time-limit 60 --json

The solvers are other people's programs, found in PATH or as modules of python3: HiGHS (pip install \
highspy), SCIP (pip install pyscipopt), CP-SAT (pip install ortools), CBC (apt-get install \
coinor-cbc) and GLPK (apt-get install glpk-utils). Each runs with one thread, and is asked for a \
proof: a gap below one unit. That no deck is worth more is taken on the solver's word. Its deck is \
checked here, and its value counted. --time-limit holds for each run, also for ishi's own. The last \
line is ishi's own answer to the same question, with one thread.";

/// Options of `ishi deck mip`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckMipArgs {
    #[command(flatten)]
    pool: PoolArgs,
    #[command(flatten)]
    request: RequestArgs,
    /// article, compact, strong, or all of them, one after the other
    #[arg(long, default_value = "strong", value_parser = parse_formulations)]
    formulation: Formulations,
    /// highs, scip, cp-sat, cbc, glpk, or auto for the first of them that is installed
    #[arg(long, default_value = "auto", value_parser = solver::parse_choice)]
    solver: solver::SolverChoice,
}

/// What is tried.
#[derive(Clone, Debug)]
struct Formulations(Vec<Formulation>);

fn parse_formulations(text: &str) -> Result<Formulations, String> {
    match text {
        "all" => Ok(Formulations(Formulation::ALL.to_vec())),
        word => word.parse().map(|one| Formulations(vec![one])).map_err(|error| format!("{error}, or all")),
    }
}

/// A solver's run.
#[derive(Serialize)]
struct SolverRun {
    formulation: &'static str,
    variables: usize,
    rows: usize,
    coefficients: usize,
    status: MipStatus,
    value: Option<f64>,
    /// No deck is worth more, says the solver.
    bound: Option<f64>,
    cpu_seconds: f64,
    wall_seconds: f64,
    deck: Option<DeckDocument>,
}

#[derive(Serialize)]
struct DeckMipReport {
    pieces: usize,
    solver: &'static str,
    version: Option<String>,
    runs: Vec<SolverRun>,
    ishi: AnswerDocument,
    /// The processor time of ishi's answer.
    ishi_cpu_seconds: f64,
}

/// Finds a solver, runs it, checks its decks, and solves the same ourselves.
pub fn run(args: &DeckMipArgs, context: &Context) -> Result<(), Failure> {
    let pool = args.pool.read_pool(context)?;
    let wish = args.request.read_wish(&pool)?;
    let problem = build_problem(&pool, &wish)?;
    let installed = solver::find_solver(args.solver)?;
    let mut runs = Vec::new();
    let mut version = None;
    for &formulation in &args.formulation.0 {
        let wrong = |error| Failure::Input(format!("--formulation {formulation}: {error}"));
        let model = LinearModel::new(&problem, formulation).map_err(wrong)?;
        if !context.quiet {
            tell!("{installed} is at work on the {formulation} formulation; Ctrl-C stops it");
        }
        let outcome = run_solver(&problem, &model, &installed, wish.settings.time_limit, context)?;
        version.clone_from(&outcome.version);
        runs.push(SolverRun::from_outcome(&problem, &model, &outcome));
    }
    let (ours, ishi_cpu_seconds) = solve_with_ishi(&problem, &wish, context);
    let report = DeckMipReport {
        pieces: problem.len(),
        solver: installed.solver.name(),
        version,
        runs,
        ishi: AnswerDocument::from_timed_answer(&problem, &ours, SolveMethod::Exact),
        ishi_cpu_seconds,
    };
    print_report(&report, &pool, &problem, &installed, context)?;
    context.check_stop()?;
    check_agreement(&report, &ours, &problem)
}

fn run_solver(
    problem: &Problem,
    model: &LinearModel,
    installed: &InstalledSolver,
    limit: Option<Duration>,
    context: &Context,
) -> Result<DeckOutcome, Failure> {
    let outcome = ishi_mip::solve_deck(problem, model, installed, limit, &context.stop);
    let outcome = outcome.map_err(|error| match error {
        MipError::Wrong { .. } => Failure::Negative(error.to_string()),
        MipError::Format { .. } => Failure::input(error),
        error => Failure::outside(error),
    })?;
    outcome.ok_or(Failure::Interrupted)
}

impl SolverRun {
    fn from_outcome(problem: &Problem, model: &LinearModel, outcome: &DeckOutcome) -> SolverRun {
        let score = |units: Option<i64>| units.map(|units| problem.pool().score_of_units(units));
        SolverRun {
            formulation: model.formulation().cli_word(),
            variables: model.variable_count(),
            rows: model.row_count(),
            coefficients: model.term_count(),
            status: outcome.status,
            value: score(outcome.value),
            bound: score(outcome.bound),
            cpu_seconds: outcome.cpu_seconds,
            wall_seconds: outcome.wall_seconds,
            deck: outcome.deck.as_ref().map(|deck| DeckDocument::from_deck(problem, deck)),
        }
    }

    fn to_line(&self) -> String {
        let found = match (self.value, self.status) {
            (_, MipStatus::Infeasible) => "there is no deck".to_string(),
            (Some(value), MipStatus::Optimal) => format!("value {}, optimal", numbers::format_decimal(value)),
            (Some(value), _) => {
                format!("value {}, {}", numbers::format_decimal(value), format_bound(self.bound))
            }
            (None, _) => format!("no deck found, {}", format_bound(self.bound)),
        };
        format!(
            "{:<8} {found}: {} of CPU, {} elapsed ({} variables, {} rows, {} coefficients)\n",
            self.formulation,
            solver::format_cpu_time(self.cpu_seconds),
            figures::format_seconds(self.wall_seconds),
            self.variables,
            self.rows,
            self.coefficients,
        )
    }
}

fn format_bound(bound: Option<f64>) -> String {
    solver::format_bound(bound.map(numbers::format_decimal))
}

/// Our own answer and the processor seconds that it took.
fn solve_with_ishi(problem: &Problem, wish: &SolveRequest, context: &Context) -> (TimedAnswer, f64) {
    let mut watch = SolverWatch::new(context);
    let before = process_cpu_time();
    let timed = solve_problem(problem, &wish.settings, context.seed, &mut |progress| {
        watch.observe_state(problem.pool(), progress)
    });
    let seconds = (process_cpu_time() - before).as_secs_f64();
    (timed, seconds)
}

fn print_report(
    report: &DeckMipReport,
    pool: &PoolFile,
    problem: &Problem,
    installed: &InstalledSolver,
    context: &Context,
) -> Result<(), Failure> {
    if context.json {
        return files::print_json(report);
    }
    let name = pool.name.as_deref().unwrap_or("the pool");
    let version = report.version.as_deref().unwrap_or("(version unknown)");
    let mut text =
        format!("{name}, {} pieces to choose from; {} {version}\n", report.pieces, installed.solver);
    let best = report.runs.iter().filter(|run| run.deck.is_some());
    let best = best.max_by(|a, b| a.value.partial_cmp(&b.value).unwrap_or(std::cmp::Ordering::Equal));
    if let Some(deck) = best.and_then(|run| run.deck.as_ref()) {
        text += &format_deck(problem, deck);
    }
    for run in &report.runs {
        text += &run.to_line();
    }
    let ishi = &report.ishi;
    let value = ishi.deck.as_ref().map(|deck| deck.value);
    let found = match (value, ishi.gap) {
        (Some(value), Some(0.0)) => format!("value {}, proved optimal", numbers::format_decimal(value)),
        (Some(value), _) => format!("value {}, {}", numbers::format_decimal(value), format_bound(ishi.bound)),
        (None, _) => "no deck".to_string(),
    };
    text += &format!("{:<8} {found}: {} of CPU\n", "ishi", figures::format_seconds(report.ishi_cpu_seconds));
    files::print_bytes(text.as_bytes())
}

/// Two proofs have to say the same.
fn check_agreement(report: &DeckMipReport, ours: &TimedAnswer, problem: &Problem) -> Result<(), Failure> {
    let proved = ours.answer.status == OwnStatus::Optimal;
    let value = ours.answer.value.map(|units| problem.pool().score_of_units(units));
    for run in &report.runs {
        let differs = match run.status {
            MipStatus::Optimal => proved && run.value != value || ours.answer.status == OwnStatus::Infeasible,
            MipStatus::Infeasible => ours.answer.value.is_some(),
            MipStatus::TimeLimit => false,
        };
        if differs {
            let message = format!("the {} formulation's answer contradicts ishi's", run.formulation);
            return Err(Failure::Negative(message));
        }
    }
    if report.runs.iter().all(|run| run.status == MipStatus::Infeasible) {
        return Err(Failure::Negative(format!("{} says that there is no deck at all", report.solver)));
    }
    if report.runs.iter().all(|run| run.status == MipStatus::TimeLimit) {
        return Err(Failure::Negative("the time was up before an optimum was proved".to_string()));
    }
    Ok(())
}
