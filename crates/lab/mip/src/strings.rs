//! Boards from solvers: the maximum string problem.

use std::time::Duration;

use ishi_grid::Board;
use ishi_grid::models::StringsModel;
use ishi_work::StopFlag;

use super::{InstalledSolver, IntegerProgramme, MipError, MipSolution, MipStatus, solve_programme};

/// What came of it.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct BoardOutcome {
    /// The solver's version, where it tells.
    pub version: Option<String>,
    /// How it ended.
    pub status: MipStatus,
    /// The strings of the best board, if there is one.
    pub strings: Option<usize>,
    /// The solver's word that there are no more strings than that; `None` where it did not say.
    pub bound: Option<usize>,
    /// The board found, checked against the model.
    pub board: Option<Board>,
    /// Processor seconds of the solver.
    pub cpu_seconds: f64,
    /// Elapsed seconds, the start included.
    pub wall_seconds: f64,
}

impl IntegerProgramme for StringsModel {
    fn lp_text(&self) -> String {
        StringsModel::to_lp(self)
    }

    fn opb_text(&self) -> Result<String, String> {
        Ok(StringsModel::to_opb(self))
    }

    fn variable_name(&self, at: usize) -> Option<String> {
        (at < self.point_count()).then(|| StringsModel::variable_name(self, at))
    }
}

/// Solves the model; `None` if it was stopped. Without a limit the solver takes whatever time it needs.
///
/// # Errors
/// If the solver cannot be run, says nothing that can be used, or gives a board that breaks the model.
pub fn solve_board(
    model: &StringsModel,
    installed: &InstalledSolver,
    limit: Option<Duration>,
    stop: &StopFlag,
) -> Result<Option<BoardOutcome>, MipError> {
    let Some(solution) = solve_programme(model, installed, limit, stop)? else { return Ok(None) };
    let MipSolution { status, ones, bound, cpu_seconds, wall_seconds, version } = solution;
    let board =
        ones.map(|names| model.board_with_stones(|point| names.contains(&model.variable_name(point))));
    if let Some(board) = &board
        && let Some(constraint) = model.violated_constraint(board)
    {
        let what = format!("a board that breaks {constraint:?}:\n{board}");
        return Err(MipError::Wrong { solver: installed.solver, what });
    }
    let strings = board.as_ref().map(|board| model.point_count() - board.empty_count());
    let bound = if status == MipStatus::Optimal { strings } else { bound.and_then(floor_bound) };
    Ok(Some(BoardOutcome { status, board, strings, bound, cpu_seconds, wall_seconds, version }))
}

/// A model whose variables may be any numbers from 0 to 1.
struct RelaxedModel<'a>(&'a StringsModel);

impl IntegerProgramme for RelaxedModel<'_> {
    fn lp_text(&self) -> String {
        self.0.to_relaxed_lp()
    }

    fn opb_text(&self) -> Result<String, String> {
        Err("OPB knows no fractions".to_string())
    }

    fn variable_name(&self, at: usize) -> Option<String> {
        IntegerProgramme::variable_name(self.0, at)
    }
}

/// The fewest empty points of the linear relaxation, which every board has at least; `None` if it was stopped. HiGHS as a
/// module of Python is asked for it.
///
/// # Errors
/// If the solver cannot be run, or says no value.
pub fn solve_relaxation(
    model: &StringsModel,
    installed: &InstalledSolver,
    stop: &StopFlag,
) -> Result<Option<f64>, MipError> {
    let Some(solution) = solve_programme(&RelaxedModel(model), installed, None, stop)? else {
        return Ok(None);
    };
    let said = || "no value of the relaxation".to_string();
    let failed = || MipError::Failed { solver: installed.solver, said: said() };
    let strings = solution.bound.filter(|_| solution.status == MipStatus::Optimal).ok_or_else(failed)?;
    Ok(Some(model.point_count() as f64 - strings))
}

/// No more strings than this bound of a real number allows.
fn floor_bound(bound: f64) -> Option<usize> {
    /// Solvers compute with rounding errors of this size.
    const SLACK: f64 = 1e-6;
    let sane = (0.0..1e9).contains(&bound);
    // The bound lies from 0 to 1e9 and has no fraction: the cast loses nothing.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    sane.then(|| (bound + SLACK).floor() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_down() {
        for (real, bound) in [
            (109.000_000_000_000_03, Some(109)),
            (36.999_999_9, Some(37)),
            (200.833, Some(200)),
            (-1.0, None),
        ] {
            assert_eq!(floor_bound(real), bound, "{real}");
        }
    }
}
