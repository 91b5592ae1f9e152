//! Deck building as an integer programme, for other people's solvers.
//!
//! What: one [`Problem`] in three linear [`Formulation`]s, as LP, MPS or (without real variables) OPB text. Why: to compare with solvers of integer
//! programmes, and to let anybody check an optimum with a program that shares nothing with ours.
//!
//! Roles are variables: `x` says that a slot is in the deck, and where somebody leads, `x` says that it is in the deck as
//! one of the others and `l` that it leads. A leader's pairs are products of an `l` and an `x`, all other pairs products of two
//! `x`. All coefficients are whole numbers of units, so the value of a deck in the model is its value in the problem.
//!
//! Sources: the problem is Nagasawa's (2020, see the crate). Products by their two upper sides and one lower side: R. Fortet (1960), G. P.
//! McCormick (1976). The compact form: F. Glover, "Improved linear integer programming formulations of nonlinear integer
//! problems", Management Science 22 (1975). Rows multiplied by a variable: W. P. Adams and H. D. Sherali, "A tight linearization and an
//! algorithm for zero-one quadratic programming problems", Management Science 32 (1986).

mod build;
mod completion;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

use crate::problem::{Deck, Problem, Slot};

/// At most so many coefficients in all rows: some gigabytes of text.
pub const MAX_TERMS: u64 = 60_000_000;

/// How products of variables become linear.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Formulation {
    /// One variable for each pair that scores, held under both of its slots (and, where its score is negative, above their sum less one).
    Article,
    /// One real variable for each slot: what its row adds, held by the best that any deck makes of the row (Glover).
    Compact,
    /// [`Formulation::Article`], and every rule of the deck multiplied by every slot (Adams and Sherali): the count, the
    /// costs, the groups and the quotas of a deck's other pieces.
    Strong,
}

impl Formulation {
    /// All of them.
    pub const ALL: [Formulation; 3] = [Formulation::Article, Formulation::Compact, Formulation::Strong];

    /// Its word, such as `compact`.
    #[must_use]
    pub fn cli_word(self) -> &'static str {
        match self {
            Formulation::Article => "article",
            Formulation::Compact => "compact",
            Formulation::Strong => "strong",
        }
    }
}

impl fmt::Display for Formulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.cli_word())
    }
}

/// By its word.
impl FromStr for Formulation {
    type Err = String;

    fn from_str(text: &str) -> Result<Formulation, String> {
        let found = Formulation::ALL.into_iter().find(|formulation| formulation.cli_word() == text);
        found.ok_or_else(|| format!("{text:?} is no formulation: it must be article, compact or strong"))
    }
}

/// Why there is no model.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LinearModelError {
    /// More coefficients than anybody solves.
    #[error(
        "the {formulation} formulation has about {terms} coefficients here, more than {MAX_TERMS}: take compact, or fewer pieces"
    )]
    Large {
        /// Which.
        formulation: Formulation,
        /// Coefficients, at least.
        terms: u64,
    },
    /// OPB has no real variables.
    #[error("the compact formulation has real variables, which OPB does not: take article or strong")]
    Real,
}

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum VariableMeaning {
    /// The slot is in the deck, and does not lead.
    In(Slot),
    /// The slot leads.
    Leads(Slot),
    /// Both are in the deck, and neither leads.
    Pair(Slot, Slot),
    /// The first leads the second.
    Led(Slot, Slot),
    /// What the slot's row adds if it is in the deck.
    Row(Slot),
    /// What the slot's row of leader scores adds if it leads.
    LeaderRow(Slot),
}

/// By name: letters, and slots counted from 1.
impl fmt::Display for VariableMeaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = |slot: Slot| slot.0 + 1;
        match *self {
            VariableMeaning::In(slot) => write!(f, "x{}", n(slot)),
            VariableMeaning::Leads(slot) => write!(f, "l{}", n(slot)),
            VariableMeaning::Pair(a, b) => write!(f, "y{}_{}", n(a), n(b)),
            VariableMeaning::Led(a, b) => write!(f, "q{}_{}", n(a), n(b)),
            VariableMeaning::Row(slot) => write!(f, "z{}", n(slot)),
            VariableMeaning::LeaderRow(slot) => write!(f, "v{}", n(slot)),
        }
    }
}

/// How a row's sum stands to its right side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RowSense {
    AtMost,
    AtLeast,
    Equal,
}

/// The rule that a row says: a word and up to two numbers, counted from 1; 0 for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RowLabel(&'static str, u32, u32);

impl fmt::Display for RowLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RowLabel(word, a, b) = *self;
        f.write_str(word)?;
        for number in [a, b].into_iter().filter(|&number| number > 0) {
            write!(f, "_{number}")?;
        }
        Ok(())
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct ModelRow {
    label: RowLabel,
    terms: Range<usize>,
    sense: RowSense,
    right: i64,
}

/// An integer programme: the largest objective under all rows.
#[derive(Clone, Debug)]
pub struct LinearModel {
    formulation: Formulation,
    variables: Vec<VariableMeaning>,
    /// The factor of each variable in the objective.
    objective: Vec<i64>,
    terms: Vec<(u32, i64)>,
    rows: Vec<ModelRow>,
    /// The names of the pieces of all slots, for the reader of the text.
    names: Vec<String>,
}

impl LinearModel {
    /// Writes down the problem.
    ///
    /// # Errors
    /// If it would be too large.
    pub fn new(problem: &Problem, formulation: Formulation) -> Result<LinearModel, LinearModelError> {
        build::build_model(problem, formulation)
    }

    /// How products became linear.
    #[must_use]
    pub fn formulation(&self) -> Formulation {
        self.formulation
    }

    /// How many variables there are.
    #[must_use]
    pub fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// How many rows there are.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// How many coefficients there are in all rows.
    #[must_use]
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// The name of a variable; `x` and `l` with the number of the slot, counted from 1, are what decides on a deck.
    ///
    /// # Panics
    /// If there are fewer variables.
    #[must_use]
    pub fn variable_name(&self, at: usize) -> String {
        self.variables[at].to_string()
    }

    /// The deck that a solution means, from the variables that are 1.
    #[must_use]
    pub fn deck_of_solution(&self, is_one: impl Fn(&str) -> bool) -> Deck {
        let (mut slots, mut leader) = (Vec::new(), None);
        for meaning in &self.variables {
            match meaning {
                VariableMeaning::In(slot) if is_one(&meaning.to_string()) => slots.push(*slot),
                VariableMeaning::Leads(slot) if is_one(&meaning.to_string()) => {
                    slots.push(*slot);
                    leader = Some(*slot);
                }
                _ => {}
            }
        }
        Deck::new(slots, leader)
    }

    /// The best values of all variables for a deck, which is first rewritten to use the first copies of its pieces.
    #[must_use]
    pub fn solution_of_deck(&self, problem: &Problem, deck: &Deck) -> Vec<i64> {
        let deck = with_first_copies(problem, deck);
        let leads = |slot: Slot| deck.leader == Some(slot);
        let other = |slot: Slot| !leads(slot) && deck.slots.binary_search(&slot).is_ok();
        let others = || deck.slots.iter().copied().filter(|&slot| !leads(slot));
        let value = |meaning: &VariableMeaning| match *meaning {
            VariableMeaning::In(slot) => i64::from(other(slot)),
            VariableMeaning::Leads(slot) => i64::from(leads(slot)),
            VariableMeaning::Pair(a, b) => i64::from(other(a) && other(b)),
            VariableMeaning::Led(a, b) => i64::from(leads(a) && other(b)),
            VariableMeaning::Row(slot) if other(slot) => {
                others().filter(|&b| b != slot).map(|b| build::row_share(problem, slot, b)).sum()
            }
            VariableMeaning::LeaderRow(slot) if leads(slot) => {
                others().map(|b| i64::from(problem.leader_pair_score(slot, b))).sum()
            }
            VariableMeaning::Row(_) | VariableMeaning::LeaderRow(_) => 0,
        };
        self.variables.iter().map(value).collect()
    }

    /// The objective at these values, in units.
    #[must_use]
    pub fn objective_value(&self, values: &[i64]) -> i64 {
        self.objective.iter().zip(values).map(|(coefficient, value)| coefficient * value).sum()
    }

    /// The first row that these values break, by its name.
    #[must_use]
    pub fn first_violated_row(&self, values: &[i64]) -> Option<String> {
        let broken = |row: &&ModelRow| {
            let terms = &self.terms[row.terms.clone()];
            let sum: i64 = terms.iter().map(|&(at, coefficient)| coefficient * values[at as usize]).sum();
            match row.sense {
                RowSense::AtMost => sum > row.right,
                RowSense::AtLeast => sum < row.right,
                RowSense::Equal => sum != row.right,
            }
        };
        self.rows.iter().find(broken).map(|row| row.label.to_string())
    }

    /// As an LP file: a maximisation, with a comment for each slot that names its piece.
    #[must_use]
    pub fn to_lp(&self) -> String {
        text::format_lp(self)
    }

    /// The model as a free MPS file, which minimises minus the value.
    #[must_use]
    pub fn to_mps(&self) -> String {
        text::format_mps(self)
    }

    /// As a pseudo-Boolean file, which minimises minus the value; variable `i` of the model is its `xi`, counted from 1.
    ///
    /// # Errors
    /// If there are variables that are not 0 or 1.
    pub fn to_opb(&self) -> Result<String, LinearModelError> {
        match self.formulation {
            Formulation::Compact => Err(LinearModelError::Real),
            Formulation::Article | Formulation::Strong => Ok(text::format_opb(self)),
        }
    }
}

/// The same deck by the first copies of its pieces; the leader is the first copy of all.
fn with_first_copies(problem: &Problem, deck: &Deck) -> Deck {
    let first = |slot: Slot| {
        let piece = problem.piece_of(slot);
        Slot(problem.pieces().partition_point(|&other| other < piece) as u32)
    };
    let mut slots: Vec<Slot> = Vec::with_capacity(deck.slots.len());
    for &slot in &deck.slots {
        let first = first(slot);
        let before = slots.iter().filter(|&&other| problem.piece_of(other) == problem.piece_of(slot)).count();
        slots.push(Slot(first.0 + before as u32));
    }
    Deck::new(slots, deck.leader.map(first))
}
