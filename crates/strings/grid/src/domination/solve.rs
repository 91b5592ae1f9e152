//! From bounds and sweeps to a proved optimum with a board.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::key::{Key, LongKey};
use super::memory::StateMeter;
use super::potential::{DEEP, Potentials, TablesHalt};
use super::shape::{BoardShape, GridPoint};
use super::sweep::{SweepHalt, SweepParams, reconstruct_empties, sweep_board};
use crate::board::Board;
use crate::construct;
use crate::layers::{LayerObserver, ask_within};

/// States kept a diagonal by the search for a first solution.
const BEAM: NonZeroUsize = NonZeroUsize::new(500).expect("500 is not 0");

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct DominationOptions {
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Depth of the bands whose tables bound the search, at most `DEEPEST`; 0 does without tables.
    pub depth: usize,
    /// Bytes that these tables and the states of sweeps may take together, about. Without a number they take what they need.
    pub memory: Option<usize>,
}

impl Default for DominationOptions {
    fn default() -> DominationOptions {
        DominationOptions { threads: 1, depth: DEEP, memory: None }
    }
}

/// How far the solver came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DominationStatus {
    /// The board is optimal: incumbent and bound meet.
    Optimal,
    /// No board fits what is given.
    Infeasible,
    /// Stopped by the observer.
    Stopped,
    /// The frontier is longer than the longest key, 127 points, and bounds alone did not decide.
    TooWide,
    /// Tables and states need more memory than they may take.
    OverMemory,
}

/// What the solver knows at its end.
#[derive(Clone, Debug)]
pub struct BoardSolution {
    /// Why it ended.
    pub status: DominationStatus,
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

impl BoardSolution {
    /// Before anything is done.
    fn nothing_known() -> BoardSolution {
        BoardSolution {
            status: DominationStatus::Infeasible,
            board: None,
            empties: None,
            bound: 0,
            widest: 0,
            states: 0,
        }
    }

    /// Strings of the best board.
    #[must_use]
    pub fn string_count(&self) -> Option<usize> {
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
/// use ishi_grid::domination::{DominationOptions, BoardShape, DominationStatus, solve_domination};
/// let solution = solve_domination(&BoardShape::new(9, 9), DominationOptions::default(), &mut |_| std::ops::ControlFlow::Continue(()));
/// assert_eq!((solution.status, solution.string_count()), (DominationStatus::Optimal, Some(61)));
/// ```
pub fn solve_domination(
    shape: &BoardShape,
    options: DominationOptions,
    observer: LayerObserver<'_>,
) -> BoardSolution {
    let potentials = ask_within(observer, Potentials::tables_step(shape), |stop| {
        Potentials::compute_within(shape, options.depth, options.threads, options.memory, stop)
    });
    let nothing = |status| BoardSolution { status, ..BoardSolution::nothing_known() };
    let potentials = match potentials {
        Ok(potentials) => potentials,
        Err(TablesHalt::Stopped) => return nothing(DominationStatus::Stopped),
        Err(TablesHalt::OverMemory) => return nothing(DominationStatus::OverMemory),
    };
    let mut solver =
        DominationSolver { shape, options, potentials, solution: BoardSolution::nothing_known() };
    let memory = Arc::clone(solver.potentials.memory());
    let mut meter = StateMeter::new(shape, Arc::clone(&memory));
    let swept = solver.run_sweeps(&mut |step| {
        if meter.note_step(&step) { observer(step) } else { ControlFlow::Break(()) }
    });
    match swept {
        Ok(()) => {}
        Err(SweepHalt::Stopped) if memory.is_over() => {
            solver.solution.status = DominationStatus::OverMemory;
        }
        Err(SweepHalt::Stopped) => solver.solution.status = DominationStatus::Stopped,
        Err(SweepHalt::TooWide | SweepHalt::Checkpoint(_)) => {
            solver.solution.status = DominationStatus::TooWide
        }
    }
    solver.solution
}

struct DominationSolver<'a> {
    shape: &'a BoardShape,
    options: DominationOptions,
    potentials: Potentials,
    solution: BoardSolution,
}

impl DominationSolver<'_> {
    fn run_sweeps(&mut self, observer: LayerObserver<'_>) -> Result<(), SweepHalt> {
        let Some(root) = self.potentials.root_bound() else { return Ok(()) };
        self.solution.bound = (self.shape.cell_count() + root as usize).div_ceil(5);
        self.find_first_board(observer)?;
        self.search_upwards(observer)?;
        if let Some(empties) = self.solution.empties {
            self.solution.bound = empties;
            self.solution.status = DominationStatus::Optimal;
        }
        Ok(())
    }

    fn loss_of_empties(&self, empties: usize) -> u32 {
        (5 * empties - self.shape.cell_count()) as u32
    }

    fn find_first_board(&mut self, observer: LayerObserver<'_>) -> Result<(), SweepHalt> {
        let built = construct::construct_empties(self.shape.width(), self.shape.height())
            .filter(|_| self.shape.is_free());
        if let Some(built) = built {
            self.solution.empties = Some(built.empty_count());
            self.solution.board = Some(built.to_board());
            return Ok(());
        }
        // A tight limit keeps the search narrow within the diagonals, too.
        for more in [2, 6] {
            let empties = (self.solution.bound + more).min(self.shape.cell_count());
            if self.sweep_for_board(self.loss_of_empties(empties), Some(BEAM), observer)?.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Raises the bound until a sweep finds a board, or the bound meets the best board: a tight limit costs least, and a
    /// limit above the optimum is never swept.
    fn search_upwards(&mut self, observer: LayerObserver<'_>) -> Result<(), SweepHalt> {
        while self.solution.bound < self.solution.empties.unwrap_or(self.shape.cell_count() + 1) {
            if let Some(loss) = self.find_least_loss(self.loss_of_empties(self.solution.bound), observer)? {
                self.sweep_for_board(u32::from(loss), None, observer)?;
                return Ok(());
            }
            self.solution.bound += 1;
        }
        Ok(())
    }

    /// The least loss within a limit. Sweeps that die out early do with short keys on any board.
    fn find_least_loss(&mut self, limit: u32, observer: LayerObserver<'_>) -> Result<Option<u16>, SweepHalt> {
        let params = SweepParams { limit, beam: None, keep: false, threads: self.options.threads };
        match self.sweep_once::<u64>(params, observer) {
            Err(SweepHalt::TooWide) => {}
            result => return result,
        }
        match self.sweep_once::<u128>(params, observer) {
            Err(SweepHalt::TooWide) => self.sweep_once::<LongKey>(params, observer),
            result => result,
        }
    }

    /// A sweep that goes all the way and gives a board.
    fn sweep_for_board(
        &mut self,
        limit: u32,
        beam: Option<NonZeroUsize>,
        observer: LayerObserver<'_>,
    ) -> Result<Option<u16>, SweepHalt> {
        let params = SweepParams { limit, beam, keep: true, threads: self.options.threads };
        let frontier = self.shape.width().min(self.shape.height());
        if frontier < u64::DIGITS {
            self.sweep_once::<u64>(params, observer)
        } else if frontier < u128::DIGITS {
            self.sweep_once::<u128>(params, observer)
        } else {
            self.sweep_once::<LongKey>(params, observer)
        }
    }

    fn sweep_once<K: Key>(
        &mut self,
        params: SweepParams,
        observer: LayerObserver<'_>,
    ) -> Result<Option<u16>, SweepHalt> {
        let swept = sweep_board::<K, ()>(self.shape, &mut self.potentials, params, observer, None)?;
        self.solution.widest = self.solution.widest.max(swept.widest);
        self.solution.states += swept.states;
        let best = swept.best.map(|(loss, ())| loss);
        if let Some(loss) = best.filter(|_| params.keep) {
            let points = reconstruct_empties(self.shape, &self.potentials, params, &swept.layers, loss);
            self.solution.empties = Some(points.len());
            self.solution.board = Some(board_from_points(self.shape, &points));
        }
        Ok(best)
    }
}

fn board_from_points(shape: &BoardShape, empties: &[GridPoint]) -> Board {
    let mut is_empty = vec![false; shape.cell_count()];
    for point in empties {
        is_empty[point.y * shape.width() + point.x] = true;
    }
    Board::with_alternating_stones(shape.width(), shape.height(), |x, y| is_empty[y * shape.width() + x])
}
