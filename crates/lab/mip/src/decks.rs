//! Decks from solvers.

use std::time::Duration;

use ishi_deck::models::LinearModel;
use ishi_deck::{Deck, Problem};
use ishi_work::StopFlag;

use super::{InstalledSolver, IntegerProgramme, MipError, MipSolution, MipStatus, solve_programme};

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct DeckOutcome {
    /// How it ended.
    pub status: MipStatus,
    /// The best deck, checked against the problem, if there is one.
    pub deck: Option<Deck>,
    /// The value of that deck in units, counted from the problem.
    pub value: Option<i64>,
    /// The solver's word that no deck is worth more, in units; `None` where it did not say.
    pub bound: Option<i64>,
    /// Processor seconds of the solver.
    pub cpu_seconds: f64,
    /// Elapsed seconds, the start included.
    pub wall_seconds: f64,
    /// Its version, where it tells.
    pub version: Option<String>,
}

impl IntegerProgramme for LinearModel {
    fn lp_text(&self) -> String {
        LinearModel::to_lp(self)
    }

    fn opb_text(&self) -> Result<String, String> {
        LinearModel::to_opb(self).map_err(|error| error.to_string())
    }

    fn variable_name(&self, at: usize) -> Option<String> {
        (at < self.variable_count()).then(|| LinearModel::variable_name(self, at))
    }
}

/// Solves the model of the problem; `None` if it was stopped. Without a limit the solver takes whatever time it needs.
///
/// # Errors
/// If the solver cannot be run, says nothing that can be used, or gives a deck that breaks a rule of the problem.
pub fn solve_deck(
    problem: &Problem,
    model: &LinearModel,
    installed: &InstalledSolver,
    limit: Option<Duration>,
    stop: &StopFlag,
) -> Result<Option<DeckOutcome>, MipError> {
    let Some(solution) = solve_programme(model, installed, limit, stop)? else { return Ok(None) };
    let MipSolution { status, ones, bound, cpu_seconds, wall_seconds, version } = solution;
    let deck = ones.map(|names| model.deck_of_solution(|name| names.contains(name)));
    if let Some(deck) = &deck
        && let Err(violation) = problem.check_deck(deck)
    {
        let names: Vec<&str> = deck.slots.iter().map(|&slot| problem.piece_name(slot)).collect();
        let what = format!("a deck that breaks a rule ({violation}): {}", names.join(", "));
        return Err(MipError::Wrong { solver: installed.solver, what });
    }
    let value = deck.as_ref().map(|deck| problem.deck_value(deck));
    let bound = if status == MipStatus::Optimal { value } else { bound.map(floor_bound) };
    Ok(Some(DeckOutcome { status, deck, value, bound, cpu_seconds, wall_seconds, version }))
}

/// The largest whole number that the bound allows.
fn floor_bound(bound: f64) -> i64 {
    /// Solvers compute with rounding errors of this size, or of this share.
    const SLACK: f64 = 1e-6;
    // Bounds are far from the ends of 64 bits.
    #[expect(clippy::cast_possible_truncation)]
    let whole = (bound + SLACK.max(bound.abs() * 1e-9)).floor() as i64;
    whole
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::find_installed_solvers;
    use ishi_deck::models::Formulation;
    use ishi_deck::{DeckRequest, PairScoreTable, Piece, Pool};
    use std::io::Write;

    #[test]
    fn bounds_are_rounded_down() {
        // Of large bounds the last digits are not certain.
        for (real, bound) in [(7.000_000_1, 7), (6.999_999_9, 7), (-1.5, -2), (3e9 - 0.5, 3_000_000_002)] {
            assert_eq!(floor_bound(real), bound, "{real}");
        }
    }

    /// Four pieces; the best pair costs too much.
    fn problem(limit: i64) -> Problem {
        let piece = |at: usize| Piece { name: format!("p{at}"), costs: vec![at as i64], ..Piece::default() };
        let pool = Pool {
            pieces: (0..4).map(piece).collect(),
            resources: vec!["cost".into()],
            attributes: vec![],
            groups: vec![],
            pairs: PairScoreTable::from_symmetric_entries(
                4,
                &[(0, 1, -5), (0, 2, 3), (0, 3, 4), (1, 2, 6), (2, 3, 50)],
            ),
            leaders: None,
            units: 1.0,
        };
        let mut request = DeckRequest::with_size(2..=3, 1);
        request.limits = vec![Some(limit)];
        Problem::new(Arc::new(pool), &request).unwrap()
    }

    /// A solver that names variables which are not there is not believed, and ends nothing.
    #[test]
    fn variables_that_are_not_there_are_refused() {
        let problem = problem(4);
        let model = LinearModel::new(&problem, Formulation::ALL[0]).unwrap();
        let answer = |number: usize| {
            let printed = ["status optimal".to_string(), "cpu 1".to_string(), format!("ones {number}")];
            crate::read_solver_answer(&model, crate::MipSolver::CpSat, &printed, None)
        };
        let count = model.variable_count();
        assert!(answer(1).is_some() && answer(count).is_some());
        assert!(answer(0).is_none() && answer(count + 1).is_none() && answer(usize::MAX).is_none());
    }

    #[test]
    fn every_solver_that_is_installed_finds_the_best() {
        let stop = StopFlag::default();
        let installed = find_installed_solvers();
        if installed.is_empty() {
            let _ = writeln!(std::io::stderr(), "SKIPPED: needs a solver of integer programmes");
        }
        for installed in &installed {
            for formulation in Formulation::ALL {
                let (possible, none) = (problem(4), problem(0));
                let model = LinearModel::new(&possible, formulation).unwrap();
                let outcome = match solve_deck(&possible, &model, installed, None, &stop) {
                    Err(MipError::Format { .. }) if formulation == Formulation::Compact => continue,
                    outcome => outcome.unwrap().unwrap(),
                };
                let said = (outcome.status, outcome.value, outcome.bound);
                assert_eq!(said, (MipStatus::Optimal, Some(6), Some(6)), "{installed} {formulation}");
                let model = LinearModel::new(&none, formulation).unwrap();
                let outcome = solve_deck(&none, &model, installed, None, &stop).unwrap().unwrap();
                assert_eq!(outcome.status, MipStatus::Infeasible, "{installed} {formulation}");
            }
        }
    }
}
