//! From bounds and sweeps to a proved optimum with a board.

use std::num::NonZeroUsize;

use super::key::{Key, LongKey};
use super::potential::{DEEP, Potentials};
use super::shape::{Point, Shape};
use super::sweep::{Halt, Observer, SweepParams, reconstruct, sweep};
use crate::board::Board;
use crate::construct;

/// States kept a diagonal by the search for a first solution.
const BEAM: NonZeroUsize = NonZeroUsize::new(500).expect("500 is not 0");

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Depth of the bands whose tables bound the search, at most `DEEPEST`; 0 does without tables.
    pub depth: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, depth: DEEP }
    }
}

/// How far the solver came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The board is optimal: incumbent and bound meet.
    Optimal,
    /// No board fits what is given.
    Infeasible,
    /// Stopped by the observer.
    Stopped,
    /// The frontier is longer than the longest key, 127 points, and bounds alone did not decide.
    TooWide,
}

/// What the solver knows at its end.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Why it ended.
    pub status: Status,
    /// The best board found: stones of alternating colours, all with a liberty.
    pub board: Option<Board>,
    /// Empty points of that board.
    pub empties: Option<usize>,
    /// No board has fewer empty points.
    pub bound: usize,
    /// Most states of a frontier in any sweep.
    pub widest: usize,
    /// States of all frontiers of all sweeps.
    pub states: u64,
}

impl Solution {
    /// Strings of the best board.
    #[must_use]
    pub fn strings(&self) -> Option<usize> {
        let board = self.board.as_ref()?;
        Some(board.width() * board.height() - self.empties?)
    }
}

/// Solves the maximum string problem on a board.
///
/// The bands' tables give a lower bound; a construction (from 16 lines on) or a narrow sweep gives a board; a sweep for
/// anything better, which nearly always dies out within a few antidiagonals, proves it optimal.
///
/// ```
/// use ishi_grid::domination::{Options, Shape, Status, solve};
/// let solution = solve(&Shape::new(9, 9), Options::default(), &mut |_| std::ops::ControlFlow::Continue(()));
/// assert_eq!((solution.status, solution.strings()), (Status::Optimal, Some(61)));
/// ```
pub fn solve(shape: &Shape, options: Options, observer: Observer<'_>) -> Solution {
    let mut solver = Solver::new(shape, options);
    match solver.run(observer) {
        Ok(()) => {}
        Err(Halt::Stopped) => solver.solution.status = Status::Stopped,
        Err(Halt::TooWide | Halt::Checkpoint(_)) => solver.solution.status = Status::TooWide,
    }
    solver.solution
}

struct Solver<'a> {
    shape: &'a Shape,
    options: Options,
    potentials: Potentials,
    solution: Solution,
}

impl Solver<'_> {
    fn new(shape: &Shape, options: Options) -> Solver<'_> {
        let potentials = Potentials::new(shape, options.depth, options.threads);
        let solution = Solution {
            status: Status::Infeasible,
            board: None,
            empties: None,
            bound: 0,
            widest: 0,
            states: 0,
        };
        Solver { shape, options, potentials, solution }
    }

    fn run(&mut self, observer: Observer<'_>) -> Result<(), Halt> {
        let Some(root) = self.potentials.root() else { return Ok(()) };
        self.solution.bound = (self.shape.cells() + root as usize).div_ceil(5);
        self.look_for_a_board(observer)?;
        self.search_upwards(observer)?;
        if let Some(empties) = self.solution.empties {
            self.solution.bound = empties;
            self.solution.status = Status::Optimal;
        }
        Ok(())
    }

    fn loss(&self, empties: usize) -> u32 {
        (5 * empties - self.shape.cells()) as u32
    }

    fn look_for_a_board(&mut self, observer: Observer<'_>) -> Result<(), Halt> {
        let built =
            construct::empties(self.shape.width(), self.shape.height()).filter(|_| self.shape.is_free());
        if let Some(built) = built {
            self.solution.empties = Some(built.count());
            self.solution.board = Some(built.board());
            return Ok(());
        }
        // A tight limit keeps the search narrow within the diagonals, too.
        for more in [2, 6] {
            let empties = (self.solution.bound + more).min(self.shape.cells());
            if self.wide(self.loss(empties), Some(BEAM), observer)?.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Raises the bound until a sweep finds a board, or the bound meets the best board: a tight limit costs least, and a
    /// limit above the optimum is never swept.
    fn search_upwards(&mut self, observer: Observer<'_>) -> Result<(), Halt> {
        while self.solution.bound < self.solution.empties.unwrap_or(self.shape.cells() + 1) {
            if let Some(loss) = self.exists(self.loss(self.solution.bound), observer)? {
                self.wide(u32::from(loss), None, observer)?;
                return Ok(());
            }
            self.solution.bound += 1;
        }
        Ok(())
    }

    /// The least loss within a limit. Sweeps that die out early do with short keys on any board.
    fn exists(&mut self, limit: u32, observer: Observer<'_>) -> Result<Option<u16>, Halt> {
        let params = SweepParams { limit, beam: None, keep: false, threads: self.options.threads };
        match self.one::<u64>(params, observer) {
            Err(Halt::TooWide) => {}
            result => return result,
        }
        match self.one::<u128>(params, observer) {
            Err(Halt::TooWide) => self.one::<LongKey>(params, observer),
            result => result,
        }
    }

    /// A sweep that goes all the way and gives a board.
    fn wide(
        &mut self,
        limit: u32,
        beam: Option<NonZeroUsize>,
        observer: Observer<'_>,
    ) -> Result<Option<u16>, Halt> {
        let params = SweepParams { limit, beam, keep: true, threads: self.options.threads };
        let frontier = self.shape.width().min(self.shape.height());
        if frontier < u64::DIGITS {
            self.one::<u64>(params, observer)
        } else if frontier < u128::DIGITS {
            self.one::<u128>(params, observer)
        } else {
            self.one::<LongKey>(params, observer)
        }
    }

    fn one<K: Key>(&mut self, params: SweepParams, observer: Observer<'_>) -> Result<Option<u16>, Halt> {
        let swept = sweep::<K, ()>(self.shape, &mut self.potentials, params, observer, None)?;
        self.solution.widest = self.solution.widest.max(swept.widest);
        self.solution.states += swept.states;
        let best = swept.best.map(|(loss, ())| loss);
        if let Some(loss) = best.filter(|_| params.keep) {
            let points = reconstruct(self.shape, &self.potentials, params, &swept.layers, loss);
            self.solution.empties = Some(points.len());
            self.solution.board = Some(board(self.shape, &points));
        }
        Ok(best)
    }
}

fn board(shape: &Shape, empties: &[Point]) -> Board {
    let mut is_empty = vec![false; shape.cells()];
    for point in empties {
        is_empty[point.y * shape.width() + point.x] = true;
    }
    Board::alternating(shape.width(), shape.height(), |x, y| is_empty[y * shape.width() + x])
}
