//! The maximum string problem as a 0-1 programme, as text for other people's solvers.
//!
//! Why: Miyashiro, Yano and Muramatsu found the values up to 277 strings on 19x19 by integer programming. The same models,
//! written out, let a reader repeat that with any solver, hold our own solver against theirs, and have the answer "no board
//! has so many strings" proved by a SAT solver whose proof somebody else's checker accepts.
//!
//! Source: R. Miyashiro, Y. Yano, M. Muramatsu, "The maximum string problem in Go" (in Japanese; RIMS Kokyuroku 1584, 2008,
//! pages 225 to 229). Theirs are theorem 1 (some optimal board has stones of alternating colours), the 0-1 variable for each
//! point (section 2: [`StringsFormulation::Section2`]), and the cuts in the corners and around the centre (section 3:
//! [`StringsFormulation::Section3`]), which keep the optimum, leave fewer optimal boards and raise the bound of the linear
//! relaxation. [`StringsFormulation::Ishi`] has other cuts, which are ours. [`cuts`] proves all of them.
//!
//! Their variable is 1 for an empty point, and they minimise; ours is 1 for a stone, and we maximise: `x` here is `1 - x` there.
//!
//! A variable `x` stands for each point: 1 for a stone, 0 for an empty point. With stones of alternating colours every
//! stone is a chain, so the number of strings is the number of stones, and a stone has a liberty if a neighbour is empty:
//! the stone and its neighbours are not all stones.

mod counted;
pub mod cuts;
mod dimacs;
mod text;

use std::fmt;

use thiserror::Error;

pub use counted::{CountAfterCuts, count_after_cuts};

use crate::{Board, Cell};

/// The longest side of a model.
pub const MAX_SIDE: usize = 100;

/// Which constraints a model has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StringsFormulation {
    /// Section 2 of the paper: a constraint for each point, nothing else.
    Section2,
    /// Section 3 of the paper: the same with its cuts in the corners and around the centre of a square.
    Section3,
    /// Section 2 with cuts of our own, which leave fewer boards with one string less but do not raise the relaxation.
    Ishi,
}

impl StringsFormulation {
    /// All of them.
    pub const ALL: [StringsFormulation; 3] =
        [StringsFormulation::Section2, StringsFormulation::Section3, StringsFormulation::Ishi];

    /// As a user names it.
    ///
    /// ```
    /// use ishi_grid::models::StringsFormulation;
    /// for formulation in StringsFormulation::ALL {
    ///     assert_eq!(formulation.short_name().parse(), Ok(formulation));
    /// }
    /// ```
    #[must_use]
    pub fn short_name(self) -> &'static str {
        match self {
            StringsFormulation::Section2 => "section-2",
            StringsFormulation::Section3 => "section-3",
            StringsFormulation::Ishi => "ishi",
        }
    }
}

/// By its word, or 2 and 3 for the paper's sections.
impl std::str::FromStr for StringsFormulation {
    type Err = String;

    fn from_str(text: &str) -> Result<StringsFormulation, String> {
        let by_word =
            StringsFormulation::ALL.into_iter().find(|formulation| formulation.short_name() == text);
        match text {
            "2" => Ok(StringsFormulation::Section2),
            "3" => Ok(StringsFormulation::Section3),
            _ => by_word.ok_or_else(|| {
                format!("{text:?} is no formulation: it must be section-2 (or 2), section-3 (or 3) or ishi")
            }),
        }
    }
}

/// Why there is no such model.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StringsModelError {
    /// A side is 0 or too long.
    #[error("a board of {width}x{height}: models are written for sides of 1 to {MAX_SIDE}")]
    Size {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// More strings than points.
    #[error("{strings} strings: a board of {width}x{height} has {} points", width * height)]
    Strings {
        /// The number of strings that was asked for.
        strings: usize,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// CNF knows no objective.
    #[error("CNF asks a question of yes or no: say how many strings there should be")]
    NoQuestion,
}

/// A constraint; points are numbered row by row from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// Not all of these are stones: a point and its neighbours. The first is the point.
    Liberty(Vec<usize>),
    /// Just two of these three are stones: a corner and its two neighbours. The first is the corner.
    Corner([usize; 3]),
    /// Not all of these are stones: a cut of the paper's section 3, in a corner or at the centre.
    Open(Vec<usize>),
    /// If there is a stone on the first, there is one on the second.
    Order(usize, usize),
    /// There are at least so many stones.
    Strings(usize),
}

/// How a linear form stands to its bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sense {
    AtMost,
    AtLeast,
    Equal,
}

/// A sum of variables with coefficients, and its bound.
pub(crate) struct LinearForm {
    pub(crate) name: String,
    pub(crate) terms: Vec<(i32, usize)>,
    pub(crate) sense: Sense,
    pub(crate) bound: usize,
}

/// The problem on a board of `width` times `height`: as many strings as possible, or at least so many.
///
/// ```
/// use ishi_grid::models::{StringsFormulation, StringsModel};
/// let model = StringsModel::new(2, 1, StringsFormulation::Section2).unwrap();
/// assert!(model.to_lp().contains("liberty_1_1: x_1_1 + x_2_1 <= 1\n"));
/// let board = "O .".parse().unwrap();
/// assert_eq!(model.violated_constraint(&board), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringsModel {
    width: usize,
    height: usize,
    formulation: StringsFormulation,
    strings: Option<usize>,
    constraints: Vec<Constraint>,
}

impl StringsModel {
    /// The optimisation problem.
    ///
    /// # Errors
    /// If a side is 0 or longer than [`MAX_SIDE`].
    pub fn new(
        width: usize,
        height: usize,
        formulation: StringsFormulation,
    ) -> Result<StringsModel, StringsModelError> {
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(StringsModelError::Size { width, height });
        }
        let mut constraints = liberty_constraints(width, height);
        constraints.extend(cuts::formulation_cuts(formulation, width, height));
        Ok(StringsModel { width, height, formulation, strings: None, constraints })
    }

    /// The question "is there a board with at least so many strings?".
    ///
    /// ```
    /// use ishi_grid::models::{StringsFormulation, StringsModel};
    /// let model = StringsModel::new(3, 3, StringsFormulation::Section2).unwrap();
    /// assert_eq!(model.clone().with_at_least(6).unwrap().strings(), Some(6));
    /// let error = model.with_at_least(10).unwrap_err();
    /// assert_eq!(error.to_string(), "10 strings: a board of 3x3 has 9 points");
    /// ```
    ///
    /// # Errors
    /// If there are more strings than points.
    pub fn with_at_least(mut self, strings: usize) -> Result<StringsModel, StringsModelError> {
        if strings > self.point_count() {
            return Err(StringsModelError::Strings { strings, width: self.width, height: self.height });
        }
        self.constraints.retain(|constraint| !matches!(constraint, Constraint::Strings(_)));
        self.constraints.push(Constraint::Strings(strings));
        self.strings = Some(strings);
        Ok(self)
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Variables of the 0-1 programme, one a point.
    #[must_use]
    pub fn point_count(&self) -> usize {
        self.width * self.height
    }

    /// Which formulation.
    #[must_use]
    pub fn formulation(&self) -> StringsFormulation {
        self.formulation
    }

    /// How many strings are asked for; `None` for as many as possible.
    #[must_use]
    pub fn strings(&self) -> Option<usize> {
        self.strings
    }

    /// All constraints: a liberty for each point in order, then the cuts, then the number of strings.
    ///
    /// ```
    /// use ishi_grid::models::{StringsFormulation, StringsModel};
    /// let model = StringsModel::new(4, 3, StringsFormulation::Section2).unwrap();
    /// assert_eq!(model.constraints().len(), model.point_count());
    /// ```
    #[must_use]
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The variable of a point: `x_COLUMN_ROW`, both from 1 at the top left.
    ///
    /// ```
    /// use ishi_grid::models::{StringsFormulation, StringsModel};
    /// let model = StringsModel::new(4, 3, StringsFormulation::Section2).unwrap();
    /// assert_eq!(model.variable_name(5), "x_2_2");
    /// assert_eq!(model.point_of_variable("x_2_2"), Some(5));
    /// assert_eq!(model.point_of_variable("x_5_1"), None);
    /// ```
    #[must_use]
    pub fn variable_name(&self, point: usize) -> String {
        format!("x_{}_{}", point % self.width + 1, point / self.width + 1)
    }

    /// The point of a variable's name; `None` if there is none.
    #[must_use]
    pub fn point_of_variable(&self, variable: &str) -> Option<usize> {
        let (column, row) = variable.strip_prefix("x_")?.split_once('_')?;
        let (column, row): (usize, usize) = (column.parse().ok()?, row.parse().ok()?);
        let inside = (1..=self.width).contains(&column) && (1..=self.height).contains(&row);
        inside.then(|| (row - 1) * self.width + column - 1)
    }

    /// The board of theorem 1 with stones on these points.
    pub fn board_with_stones(&self, mut stone: impl FnMut(usize) -> bool) -> Board {
        Board::with_alternating_stones(self.width, self.height, |x, y| !stone(y * self.width + x))
    }

    /// The first constraint that the empty points of this board do not meet.
    ///
    /// # Panics
    /// If the board has another size.
    #[must_use]
    pub fn violated_constraint(&self, board: &Board) -> Option<&Constraint> {
        assert_eq!((board.width(), board.height()), (self.width, self.height), "a board of the model's size");
        let stone = |point: usize| board.cells()[point] != Cell::Empty;
        self.constraints.iter().find(|constraint| !constraint.is_met_by(stone, self.point_count()))
    }

    /// The model in CPLEX's LP format, which HiGHS, CBC, SCIP, GLPK, Gurobi and CPLEX read.
    #[must_use]
    pub fn to_lp(&self) -> String {
        write_to_string(|out| text::write_lp(self, out))
    }

    /// The linear relaxation in the same format: a variable is any number from 0 to 1.
    #[must_use]
    pub fn to_relaxed_lp(&self) -> String {
        write_to_string(|out| text::write_relaxed_lp(self, out))
    }

    /// The model in free MPS format. It is a minimisation, as MPS has no common word for the other: the value is the
    /// number of strings with its sign changed.
    #[must_use]
    pub fn to_mps(&self) -> String {
        write_to_string(|out| text::write_mps(self, out))
    }

    /// The model in the OPB format of pseudo-Boolean solvers; a minimisation like [`StringsModel::to_mps`] unless a number of
    /// strings is asked for. Variables are numbered row by row from 1.
    #[must_use]
    pub fn to_opb(&self) -> String {
        write_to_string(|out| text::write_opb(self, out))
    }

    /// The question in DIMACS CNF. Variable 1 + (row - 1) * width + (column - 1) stands for a stone; those after the last
    /// point count the empty points, by a totalizer (Bailleux and Boufkhad, CP 2003).
    ///
    /// ```
    /// use ishi_grid::models::{StringsFormulation, StringsModel};
    /// let model = StringsModel::new(2, 2, StringsFormulation::Section2).unwrap();
    /// assert!(model.to_cnf().is_err(), "how many strings?");
    /// assert!(model.with_at_least(2).unwrap().to_cnf().unwrap().contains("p cnf "));
    /// ```
    ///
    /// # Errors
    /// If no number of strings was asked for.
    pub fn to_cnf(&self) -> Result<String, StringsModelError> {
        let strings = self.strings.ok_or(StringsModelError::NoQuestion)?;
        let formula = dimacs::CnfFormula::from_model(self, self.point_count() - strings);
        Ok(write_to_string(|out| formula.write_dimacs(self, out)))
    }

    pub(crate) fn linear_form(&self, constraint: &Constraint) -> LinearForm {
        let sum = |points: &[usize]| points.iter().map(|&point| (1, point)).collect();
        let place = |point: usize| format!("{}_{}", point % self.width + 1, point / self.width + 1);
        let (name, terms, sense, bound) = match constraint {
            Constraint::Liberty(points) => {
                (format!("liberty_{}", place(points[0])), sum(points), Sense::AtMost, points.len() - 1)
            }
            Constraint::Corner(points) => {
                (format!("corner_{}", place(points[0])), sum(points), Sense::Equal, 2)
            }
            Constraint::Open(points) => {
                // On five lines two corners begin with the same point.
                let name = format!("open_{}_{}", place(points[0]), place(points[points.len() - 1]));
                (name, sum(points), Sense::AtMost, points.len() - 1)
            }
            &Constraint::Order(first, second) => {
                let name = format!("order_{}_{}", place(first), place(second));
                (name, vec![(1, first), (-1, second)], Sense::AtMost, 0)
            }
            &Constraint::Strings(strings) => {
                let all = (0..self.point_count()).map(|point| (1, point)).collect();
                ("strings".to_string(), all, Sense::AtLeast, strings)
            }
        };
        LinearForm { name, terms, sense, bound }
    }

    /// What the file is, a line each, for its comments.
    pub(crate) fn title_lines(&self) -> [String; 3] {
        let StringsModel { width, height, formulation, strings, .. } = self;
        let what = match strings {
            None => "as many strings as possible".to_string(),
            Some(strings) => format!("at least {strings} strings"),
        };
        let whose = match formulation {
            StringsFormulation::Section2 => "Miyashiro, Yano, Muramatsu 2008, section 2",
            StringsFormulation::Section3 => "Miyashiro, Yano, Muramatsu 2008, section 3",
            StringsFormulation::Ishi => "their section 2 with ishi's cuts",
        };
        [
            format!("Maximum string problem on {width}x{height}: {what}."),
            format!("Formulation {}: {whose}.", formulation.short_name()),
            "A variable for each point: 1 for a stone; colours alternate; no stone without a liberty."
                .to_string(),
        ]
    }
}

impl Constraint {
    /// Do these stones meet it, out of so many points?
    pub fn is_met_by(&self, stone: impl Fn(usize) -> bool, points: usize) -> bool {
        match self {
            Constraint::Liberty(points) | Constraint::Open(points) => {
                points.iter().any(|&point| !stone(point))
            }
            Constraint::Corner(points) => points.iter().filter(|&&point| stone(point)).count() == 2,
            &Constraint::Order(first, second) => !stone(first) || stone(second),
            &Constraint::Strings(strings) => (0..points).filter(|&point| stone(point)).count() >= strings,
        }
    }
}

/// A constraint for each point: it and its neighbours are not all stones.
fn liberty_constraints(width: usize, height: usize) -> Vec<Constraint> {
    let mut constraints = Vec::with_capacity(width * height);
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let mut points = vec![y * width + x];
        points.extend((y > 0).then(|| (y - 1) * width + x));
        points.extend((x > 0).then(|| y * width + x - 1));
        points.extend((x + 1 < width).then(|| y * width + x + 1));
        points.extend((y + 1 < height).then(|| (y + 1) * width + x));
        constraints.push(Constraint::Liberty(points));
    }
    constraints
}

fn write_to_string(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut text);
    text
}

#[cfg(test)]
mod tests;
