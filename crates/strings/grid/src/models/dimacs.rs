//! The question in conjunctive normal form.
//!
//! The number of empty points is counted by a totalizer: a tree over the points in reading order whose nodes say "at least j
//! of my points are empty". Only that direction is needed. A sequential counter (Sinz, CP 2005) was tried: for "one string
//! more than there can be" CaDiCaL's proofs were longer with it on most boards (287 KB against 66 KB on 8x8, 503 against 511
//! on 9x9, 5.5 MB against 3.2 MB on 11x11).

use std::fmt::{self, Write};

use super::{Constraint, Model};

/// Clauses over variables from 1; a negative number is a variable that is false.
pub(super) struct Formula {
    variables: i64,
    clauses: Vec<Vec<i64>>,
}

impl Formula {
    /// The model's constraints, with at most so many empty points.
    pub(super) fn of(model: &Model, empties: usize) -> Formula {
        let mut formula = Formula { variables: number(model.points()), clauses: Vec::new() };
        for constraint in model.constraints() {
            formula.add(constraint);
        }
        let empty: Vec<i64> = (0..model.points()).map(|point| -stone(point)).collect();
        formula.at_most(&empty, empties);
        formula
    }

    fn add(&mut self, constraint: &Constraint) {
        match constraint {
            Constraint::Liberty(points) | Constraint::Open(points) => {
                self.clauses.push(points.iter().map(|&point| -stone(point)).collect())
            }
            &Constraint::Corner([corner, beside, below]) => {
                // That one of the three is empty is the corner's liberty.
                for (one, other) in [(corner, beside), (corner, below), (beside, below)] {
                    self.clauses.push(vec![stone(one), stone(other)]);
                }
            }
            &Constraint::Order(first, second) => self.clauses.push(vec![-stone(first), stone(second)]),
            // `at_most` says it of the empty points.
            Constraint::Strings(_) => {}
        }
    }

    fn at_most(&mut self, literals: &[i64], most: usize) {
        let counted = self.totalizer(literals, most + 1);
        if let Some(&too_many) = counted.get(most) {
            self.clauses.push(vec![-too_many]);
        }
    }

    /// Variables that are true if at least 1, 2, ... of the literals are, up to `limit`.
    fn totalizer(&mut self, literals: &[i64], limit: usize) -> Vec<i64> {
        if literals.len() <= 1 {
            return literals.to_vec();
        }
        let (left, right) = literals.split_at(literals.len() / 2);
        let (left, right) = (self.totalizer(left, limit), self.totalizer(right, limit));
        let first = self.variables + 1;
        self.variables += number(literals.len().min(limit));
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

    pub(super) fn write(&self, model: &Model, out: &mut dyn Write) -> fmt::Result {
        for line in model.title() {
            writeln!(out, "c {line}")?;
        }
        writeln!(out, "c Variable 1 + (row - 1) * {} + (column - 1) belongs to a point.", model.width())?;
        writeln!(out, "c Variables after {} count empty points.", model.points())?;
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

fn stone(point: usize) -> i64 {
    number(point + 1)
}

/// Boards have at most a few thousand points.
fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
