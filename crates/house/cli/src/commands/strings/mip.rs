//! `ishi strings mip`: the problem solved by an integer programming solver that is installed.

use std::time::Duration;

use clap::Args;
use ishi_grid::Board;
use ishi_grid::models::{MAX_SIDE, StringsFormulation, StringsModel};
use ishi_grid::verify::verify_board;
use ishi_mip::{self, BoardOutcome, InstalledSolver, MipError, MipStatus};

use crate::commands::solver;
use crate::context::{Context, Failure};
use crate::numbers::size_in;
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi strings mip 9                           with the first solver that is installed
  ishi strings mip 12 --formulation section-3 --solver scip
  ishi strings mip 8x11 --time-limit 60 --json

The solvers are other people's programs, found in PATH or as modules of python3: HiGHS (pip install \
highspy), SCIP (pip install pyscipopt), CP-SAT (pip install ortools), CBC (apt-get install \
coinor-cbc) and GLPK (apt-get install glpk-utils). Each runs with one thread. That no board has more \
strings is taken on the solver's word. The board is checked here. ishi strings 12 needs no solver.";

/// Options of `ishi strings mip`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct StringsMipArgs {
    /// Lines of the board, as 9 or 9x13
    #[arg(value_parser = size_in(1..=MAX_SIDE))]
    size: (usize, usize),
    /// section-2 (or 2): a liberty for every stone; section-3 (or 3): with the paper's cuts; ishi: with others
    #[arg(long, default_value = "section-2")]
    formulation: StringsFormulation,
    /// highs, scip, cp-sat, cbc, glpk, or auto for the first of them that is installed
    #[arg(long, default_value = "auto", value_parser = solver::parse_choice)]
    solver: solver::SolverChoice,
    /// Seconds after which it gives what it has
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    time_limit: Option<u64>,
}

/// Finds a solver, runs it, checks its board.
pub fn run(args: &StringsMipArgs, context: &Context) -> Result<(), Failure> {
    let (width, height) = args.size;
    let model = StringsModel::new(width, height, args.formulation).map_err(Failure::input)?;
    let installed = solver::find_solver(args.solver)?;
    if !context.quiet {
        tell!("{installed} is at work; Ctrl-C stops it");
    }
    let limit = args.time_limit.map(Duration::from_secs);
    let outcome =
        ishi_mip::solve_board(&model, &installed, limit, &context.stop).map_err(|error| match error {
            MipError::Wrong { .. } => Failure::Negative(error.to_string()),
            error => Failure::outside(error),
        })?;
    let outcome = outcome.ok_or(Failure::Interrupted)?;
    if let Some(board) = &outcome.board {
        check_board(board)?;
    }
    print_report(args, &installed, &outcome, context)?;
    match outcome.status {
        MipStatus::Optimal => Ok(()),
        MipStatus::Infeasible => {
            Err(Failure::Negative(format!("{} says that there is no board at all", installed.solver)))
        }
        MipStatus::TimeLimit => {
            Err(Failure::Negative("the time was up before the maximum was proved".to_string()))
        }
    }
}

/// The rules of Go, by the checker that shares no code with the models.
fn check_board(board: &Board) -> Result<(), Failure> {
    let letters: Vec<u8> = board.to_string().bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let verdict = verify_board(board.width(), board.height(), &letters).map_err(Failure::outside)?;
    let stones = board.width() * board.height() - board.empty_count();
    if verdict.is_legal() && verdict.total_chains() == stones as u64 {
        return Ok(());
    }
    Err(Failure::Negative(format!(
        "the solver's board does not hold {stones} chains with liberties:\n{board}"
    )))
}

fn print_report(
    args: &StringsMipArgs,
    installed: &InstalledSolver,
    outcome: &BoardOutcome,
    context: &Context,
) -> Result<(), Failure> {
    let (width, height) = args.size;
    let BoardOutcome { status, board, strings, bound, cpu_seconds, wall_seconds, version } = outcome;
    if context.json {
        let report = json_object! {
            width,
            height,
            formulation: args.formulation.short_name(),
            solver: installed.solver.name(),
            #[serde(flatten)]
            outcome,
        };
        return files::print_json(&report);
    }
    let found = match (strings, status) {
        (Some(strings), MipStatus::Optimal) => format!("{strings} strings, and no board has more"),
        (Some(strings), _) => format!("{strings} strings found, {}", solver::format_bound(*bound)),
        (None, _) => format!("no board found, {}", solver::format_bound(*bound)),
    };
    let text = format!(
        "{width}x{height}, formulation {}: {found}\n{}{} {}: {} of CPU, {} elapsed\n",
        args.formulation.short_name(),
        board.as_ref().map_or(String::new(), Board::to_string),
        installed.solver,
        version.as_deref().unwrap_or("(version unknown)"),
        solver::format_cpu_time(*cpu_seconds),
        figures::format_seconds(*wall_seconds),
    );
    files::print_bytes(text.as_bytes())
}
