//! Decks from solvers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ishi_deck::models::Model;
use ishi_deck::{Deck, Problem};

use super::{Installed, MipError, Programme, Solution, Status, ask};

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct DeckOutcome {
    /// How it ended.
    pub status: Status,
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

impl Programme for Model {
    fn lp(&self) -> String {
        Model::lp(self)
    }

    fn opb(&self) -> Result<String, String> {
        Model::opb(self).map_err(|error| error.to_string())
    }

    fn variable(&self, at: usize) -> String {
        Model::variable(self, at)
    }
}

/// Solves the model of the problem; `None` if it was stopped. Without a limit the solver takes whatever time it needs.
///
/// # Errors
/// If the solver cannot be run, says nothing that can be used, or gives a deck that breaks a rule of the problem.
pub fn solve_deck(
    problem: &Problem,
    model: &Model,
    installed: &Installed,
    limit: Option<Duration>,
    stop: &Arc<AtomicBool>,
) -> Result<Option<DeckOutcome>, MipError> {
    let Some(solution) = ask(model, installed, limit, stop)? else { return Ok(None) };
    let Solution { status, ones, bound, cpu_seconds, wall_seconds, version } = solution;
    let deck = ones.map(|names| model.deck(|name| names.contains(name)));
    if let Some(deck) = &deck
        && let Err(violation) = problem.check(deck)
    {
        let names: Vec<&str> = deck.slots.iter().map(|&slot| problem.name(slot)).collect();
        let what = format!("a deck that breaks a rule ({violation}): {}", names.join(", "));
        return Err(MipError::Wrong { solver: installed.solver, what });
    }
    let value = deck.as_ref().map(|deck| problem.value(deck));
    let bound = if status == Status::Optimal { value } else { bound.map(whole) };
    Ok(Some(DeckOutcome { status, deck, value, bound, cpu_seconds, wall_seconds, version }))
}

/// The largest whole number that the bound allows.
fn whole(bound: f64) -> i64 {
    /// Solvers compute with rounding errors of this size, or of this share.
    const SLACK: f64 = 1e-6;
    // Bounds are far from the ends of 64 bits.
    #[expect(clippy::cast_possible_truncation)]
    let whole = (bound + SLACK.max(bound.abs() * 1e-9)).floor() as i64;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::installed;
    use ishi_deck::models::Formulation;
    use ishi_deck::{Piece, Pool, Request, Table};
    use std::io::Write;

    #[test]
    fn bounds_are_rounded_down() {
        // Of large bounds the last digits are not certain.
        for (real, bound) in [(7.000_000_1, 7), (6.999_999_9, 7), (-1.5, -2), (3e9 - 0.5, 3_000_000_002)] {
            assert_eq!(whole(real), bound, "{real}");
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
            pairs: Table::symmetric(4, &[(0, 1, -5), (0, 2, 3), (0, 3, 4), (1, 2, 6), (2, 3, 50)]),
            leaders: None,
            units: 1.0,
        };
        let mut request = Request::of_size(2..=3, 1);
        request.limits = vec![Some(limit)];
        Problem::new(Arc::new(pool), &request).unwrap()
    }

    #[test]
    fn every_solver_that_is_installed_finds_the_best() {
        let stop = Arc::default();
        let installed = installed();
        if installed.is_empty() {
            let _ = writeln!(std::io::stderr(), "SKIPPED: needs a solver of integer programmes");
        }
        for installed in &installed {
            for formulation in Formulation::ALL {
                let (possible, none) = (problem(4), problem(0));
                let model = Model::new(&possible, formulation).unwrap();
                let outcome = match solve_deck(&possible, &model, installed, None, &stop) {
                    Err(MipError::Format { .. }) if formulation == Formulation::Compact => continue,
                    outcome => outcome.unwrap().unwrap(),
                };
                let said = (outcome.status, outcome.value, outcome.bound);
                assert_eq!(said, (Status::Optimal, Some(6), Some(6)), "{installed} {formulation}");
                let model = Model::new(&none, formulation).unwrap();
                let outcome = solve_deck(&none, &model, installed, None, &stop).unwrap().unwrap();
                assert_eq!(outcome.status, Status::Infeasible, "{installed} {formulation}");
            }
        }
    }
}
