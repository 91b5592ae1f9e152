//! The question in conjunctive normal form.
//!
//! The number of empty points is counted by a totalizer: a tree over the points in reading order whose nodes say "at least j
//! of my points are empty". Only that direction is needed. A sequential counter (Sinz, CP 2005) was tried: for "one string
//! more than there can be" CaDiCaL's proofs were longer with it on most boards (287 KB against 66 KB on 8x8, 503 against 511
//! on 9x9, 5.5 MB against 3.2 MB on 11x11).

use std::fmt::{self, Write};

use super::{Constraint, StringsModel};

/// Clauses over variables from 1; a negative number is a variable that is false.
pub(super) struct CnfFormula {
    variables: i64,
    clauses: Vec<Vec<i64>>,
}

impl CnfFormula {
    /// The model's constraints, with at most so many empty points.
    pub(super) fn from_model(model: &StringsModel, empties: usize) -> CnfFormula {
        let mut formula = CnfFormula { variables: to_i64(model.point_count()), clauses: Vec::new() };
        for constraint in model.constraints() {
            formula.add_constraint(constraint);
        }
        let empty: Vec<i64> = (0..model.point_count()).map(|point| -stone_variable(point)).collect();
        formula.add_at_most(&empty, empties);
        formula
    }

    fn add_constraint(&mut self, constraint: &Constraint) {
        match constraint {
            Constraint::Liberty(points) | Constraint::Open(points) => {
                self.clauses.push(points.iter().map(|&point| -stone_variable(point)).collect())
            }
            &Constraint::Corner([corner, beside, below]) => {
                // That one of the three is empty is the corner's liberty.
                for (one, other) in [(corner, beside), (corner, below), (beside, below)] {
                    self.clauses.push(vec![stone_variable(one), stone_variable(other)]);
                }
            }
            &Constraint::Order(first, second) => {
                self.clauses.push(vec![-stone_variable(first), stone_variable(second)])
            }
            // `add_at_most` says it of the empty points.
            Constraint::Strings(_) => {}
        }
    }

    fn add_at_most(&mut self, literals: &[i64], most: usize) {
        let counted = self.add_totalizer(literals, most + 1);
        if let Some(&too_many) = counted.get(most) {
            self.clauses.push(vec![-too_many]);
        }
    }

    /// Variables that are true if at least 1, 2, ... of the literals are, up to `limit`.
    fn add_totalizer(&mut self, literals: &[i64], limit: usize) -> Vec<i64> {
        if literals.len() <= 1 {
            return literals.to_vec();
        }
        let (left, right) = literals.split_at(literals.len() / 2);
        let (left, right) = (self.add_totalizer(left, limit), self.add_totalizer(right, limit));
        let first = self.variables + 1;
        self.variables += to_i64(literals.len().min(limit));
        let counted: Vec<i64> = (first..=self.variables).collect();
        for i in 0..=left.len() {
            for j in 0..=right.len() {
                // More than the limit follows from fewer.
                let Some(&sum) = (i + j).checked_sub(1).and_then(|place| counted.get(place)) else {
                    continue;
                };
                let sides = [(i, &left), (j, &right)];
                let known =
                    sides.iter().filter(|(count, _)| *count > 0).map(|(count, side)| -side[count - 1]);
                let mut clause: Vec<i64> = known.collect();
                clause.push(sum);
                self.clauses.push(clause);
            }
        }
        counted
    }

    pub(super) fn write_dimacs(&self, model: &StringsModel, out: &mut dyn Write) -> fmt::Result {
        for line in model.title_lines() {
            writeln!(out, "c {line}")?;
        }
        writeln!(out, "c Variable 1 + (row - 1) * {} + (column - 1) belongs to a point.", model.width())?;
        writeln!(out, "c Variables after {} count empty points.", model.point_count())?;
        writeln!(out, "p cnf {} {}", self.variables, self.clauses.len())?;
        for clause in &self.clauses {
            for literal in clause {
                write!(out, "{literal} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }
}

fn stone_variable(point: usize) -> i64 {
    to_i64(point + 1)
}

/// Boards have at most a few thousand points.
fn to_i64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
