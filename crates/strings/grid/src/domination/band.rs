//! Two bands along the edge of the board, and the order in which they are walked.
//!
//! Nearly all of a minimum set's loss is at the edge (D. Gonçalves, A. Pinlou, M. Rao, S. Thomassé, "The domination number
//! of grids", SIAM J. Discrete Math. 25, 2011, bound it there). So the points less than `depth` from the edge are split into
//! a *right* band (top, then right edge) and a *left* band (left, then bottom edge), both from the top left corner, where
//! the sweep begins, to the bottom right one. What each must still lose is a lower bound, and the two add up.
//!
//! While the sweep goes over antidiagonals, its frontier cuts each band in a line of `depth` points. In the bottom right
//! corner both walks turn away from the sweep, until they face each other along the diagonal through the corner.

use std::sync::Arc;

use ishi_work::Stop;

use super::kernel::{Kernel, PathStep};
use super::shape::{BoardShape, GridPoint};

/// One of the two bands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BandSide {
    Right,
    Left,
}

/// The bands of a board.
#[derive(Clone, Debug)]
pub(super) struct Bands {
    pub(super) shape: BoardShape,
    /// Points from the edge inwards; at most half a side.
    pub(super) depth: usize,
}

/// The steps of a band during one antidiagonal of the sweep.
#[derive(Clone)]
pub(super) struct BandDiagonal {
    /// Rows of the sweep's points at which the steps happen, descending.
    pub(super) rows: Vec<usize>,
    steps: Arc<Vec<PathStep>>,
    pub(super) kernels: Arc<Vec<Arc<Kernel>>>,
}

impl BandDiagonal {
    /// Do both antidiagonals have the very same steps?
    pub(super) fn has_same_steps(&self, other: &BandDiagonal) -> bool {
        Arc::ptr_eq(&self.kernels, &other.kernels)
    }

    /// Bytes of the tables before each step.
    pub(super) fn table_bytes(&self) -> usize {
        self.steps.iter().map(PathStep::table_bytes).sum()
    }
}

/// The walk along a band before anything is compiled: it takes little memory, and says how much is to come.
pub(super) struct BandWalk {
    /// Rows and steps of each antidiagonal. One that has the steps of the one before shares them.
    diagonals: Vec<(Vec<usize>, Arc<Vec<PathStep>>)>,
    /// Points of the band in the frontier at the end of the diagonals.
    pub(super) end: Vec<GridPoint>,
}

impl BandWalk {
    /// The steps of antidiagonals that are not those of the one before.
    fn changing_steps(&self) -> impl Iterator<Item = &PathStep> {
        let diagonals = &self.diagonals;
        let changes = move |at: &usize| *at == 0 || !Arc::ptr_eq(&diagonals[*at - 1].1, &diagonals[*at].1);
        (0..diagonals.len()).filter(changes).flat_map(move |at| diagonals[at].1.iter())
    }

    /// Bytes of the compiled steps. Steps that are the same are compiled once.
    pub(super) fn kernel_bytes(&self) -> usize {
        let mut different: Vec<&PathStep> = Vec::new();
        for step in self.changing_steps() {
            if !different.contains(&step) {
                different.push(step);
            }
        }
        different.into_iter().map(PathStep::kernel_bytes).sum()
    }

    /// Bytes of the tables that no repetition along an edge saves.
    pub(super) fn least_table_bytes(&self) -> usize {
        self.changing_steps().map(PathStep::table_bytes).sum()
    }

    /// The walk with its steps compiled; nothing if it is told to stop.
    pub(super) fn compile(&self, stop: &dyn Stop) -> Option<BandPath> {
        let mut diagonals: Vec<BandDiagonal> = Vec::new();
        let mut known = Vec::new();
        for (rows, steps) in &self.diagonals {
            if stop.is_requested() {
                return None;
            }
            let kernels = match diagonals.last().filter(|before| Arc::ptr_eq(&before.steps, steps)) {
                Some(before) => Arc::clone(&before.kernels),
                None => Arc::new(steps.iter().map(|step| compile_once(step, &mut known)).collect()),
            };
            diagonals.push(BandDiagonal { rows: rows.clone(), steps: Arc::clone(steps), kernels });
        }
        Some(BandPath { diagonals, end: self.end.clone() })
    }
}

/// Steps that are compiled, with what they were compiled to.
type CompiledSteps<'a> = Vec<(&'a PathStep, Arc<Kernel>)>;

fn compile_once<'a>(step: &'a PathStep, known: &mut CompiledSteps<'a>) -> Arc<Kernel> {
    if let Some((_, kernel)) = known.iter().find(|(other, _)| *other == step) {
        return Arc::clone(kernel);
    }
    let kernel = Arc::new(step.compile());
    known.push((step, Arc::clone(&kernel)));
    kernel
}

/// The walk along a band.
pub(super) struct BandPath {
    /// The antidiagonals in the order of the sweep.
    pub(super) diagonals: Vec<BandDiagonal>,
    /// Points of the band in the frontier at the end of the diagonals.
    pub(super) end: Vec<GridPoint>,
}

/// The walk in the bottom right corner.
pub(super) struct BandTurn {
    pub(super) kernels: Vec<Kernel>,
    /// Place of the point at each position of the last frontier, 0 at the edge.
    pub(super) slots: Vec<usize>,
}

impl Bands {
    /// Which band holds the point?
    pub(super) fn side_of_point(&self, point: GridPoint) -> Option<BandSide> {
        let GridPoint { x, y } = point;
        let (width, height, depth) = (self.shape.width(), self.shape.height(), self.depth);
        let (left, top, right, bottom) = (x < depth, y < depth, x + depth >= width, y + depth >= height);
        let is_right = match (left && top, right && bottom) {
            (true, _) => x >= y,
            (_, true) => x + height >= y + width,
            _ => top || right,
        };
        match (left || top || right || bottom, is_right) {
            (false, _) => None,
            (true, true) => Some(BandSide::Right),
            (true, false) => Some(BandSide::Left),
        }
    }

    /// The band's points on an antidiagonal, in the order of the sweep: descending rows.
    pub(super) fn band_rows(&self, side: BandSide, diagonal: usize) -> Vec<usize> {
        let rows = self.shape.diagonal_rows(diagonal);
        let (first, last) = (*rows.start(), *rows.end());
        let reach = match side {
            BandSide::Right => first..=last.min(first + self.depth),
            BandSide::Left => first.max(last.saturating_sub(self.depth))..=last,
        };
        reach
            .rev()
            .filter(|y| self.side_of_point(GridPoint { x: diagonal - y, y: *y }) == Some(side))
            .collect()
    }

    /// The last antidiagonal that both walks share with the sweep; after it they turn.
    pub(super) fn last_shared_diagonal(&self) -> usize {
        self.shape.width() + self.shape.height() - 2 * self.depth - 1
    }

    /// May the point leave the frontier in need: is there a neighbour out of its band that can help it?
    pub(super) fn may_leave_in_need(&self, side: BandSide, point: GridPoint) -> bool {
        self.shape.neighbours(point).any(|near| self.side_of_point(near) != Some(side))
    }

    /// The walk with the sweep over antidiagonals `0..=last`; nothing if it is told to stop.
    pub(super) fn walk_steps(&self, side: BandSide, last: usize, stop: &dyn Stop) -> Option<BandWalk> {
        let mut frontier: Vec<GridPoint> = Vec::new();
        let mut diagonals: Vec<(Vec<usize>, Arc<Vec<PathStep>>)> = Vec::new();
        for diagonal in 0..=last {
            if stop.is_requested() {
                return None;
            }
            let (rows, steps) = self.walk_diagonal(side, diagonal, &mut frontier);
            let shared = match diagonals.last() {
                Some((_, before)) if **before == steps => Arc::clone(before),
                _ => Arc::new(steps),
            };
            diagonals.push((rows, shared));
        }
        Some(BandWalk { diagonals, end: frontier })
    }

    fn walk_diagonal(
        &self,
        side: BandSide,
        diagonal: usize,
        frontier: &mut Vec<GridPoint>,
    ) -> (Vec<usize>, Vec<PathStep>) {
        let mut rows = self.band_rows(side, diagonal);
        rows.extend(frontier.iter().map(|point| point.y).filter(|y| diagonal - y < self.shape.width()));
        rows.sort_unstable_by(|a, b| b.cmp(a));
        rows.dedup();
        let steps = rows
            .iter()
            .map(|y| self.band_step(side, GridPoint { x: diagonal - y, y: *y }, frontier))
            .collect();
        (rows, steps)
    }

    /// What the sweep's step to `point` means for the band.
    fn band_step(&self, side: BandSide, point: GridPoint, frontier: &mut Vec<GridPoint>) -> PathStep {
        let GridPoint { x, y } = point;
        let at =
            |near: Option<GridPoint>| near.and_then(|near| frontier.iter().position(|other| *other == near));
        let left = at(x.checked_sub(1).map(|x| GridPoint { x, y }));
        let above = at(y.checked_sub(1).map(|y| GridPoint { x, y }));
        let leaving = left.into_iter().chain(above.filter(|_| x + 1 == self.shape.width()));
        let leave: Vec<(usize, bool)> =
            leaving.map(|position| (position, self.may_leave_in_need(side, frontier[position]))).collect();
        let inside = self.side_of_point(point) == Some(side);
        let near = if inside { left.into_iter().chain(above).collect() } else { Vec::new() };
        let join = inside.then(|| (self.shape.edge_count(point), self.shape.point_choices(point)));
        let before = frontier.len();
        for (position, _) in leave.iter().rev() {
            frontier.remove(*position);
        }
        frontier.extend(inside.then_some(point));
        PathStep { before, near, leave, join, open: self.open_positions(side, frontier) }
    }

    /// Turns the frontier `end` (of `last_shared_diagonal`) to face the other band.
    pub(super) fn turn_to_corner(&self, side: BandSide, end: &[GridPoint]) -> BandTurn {
        let depth = self.depth;
        let (width, height) = (self.shape.width(), self.shape.height());
        // A slot is a line along the edge, 0 at the edge; its head moves towards the corner.
        let point = |slot: usize, head: usize| match side {
            BandSide::Right => GridPoint { x: width - 1 - slot, y: head },
            BandSide::Left => GridPoint { x: head, y: height - 1 - slot },
        };
        let slot = |point: &GridPoint| match side {
            BandSide::Right => width - 1 - point.x,
            BandSide::Left => height - 1 - point.y,
        };
        let goal = |slot: usize| match side {
            BandSide::Right => height - 1 - slot,
            BandSide::Left => width - 2 - slot,
        };
        let mut heads = vec![0; depth];
        for place in end {
            heads[slot(place)] = if side == BandSide::Right { place.y } else { place.x };
        }
        let mut frontier = end.to_vec();
        let mut kernels = Vec::new();
        // A head moves when its neighbours in the lines beside it are walked: then the point it leaves is done with.
        let ready = |heads: &[usize], slot: usize| {
            heads[slot] < goal(slot)
                && (slot == 0 || heads[slot - 1] >= heads[slot])
                && (slot + 1 == depth || heads[slot + 1] >= heads[slot])
        };
        while let Some(moving) = (0..depth).find(|slot| ready(&heads, *slot)) {
            let old = point(moving, heads[moving]);
            heads[moving] += 1;
            let new = point(moving, heads[moving]);
            kernels.push(self.turning_step(side, old, new, &mut frontier).compile());
        }
        BandTurn { kernels, slots: frontier.iter().map(slot).collect() }
    }

    fn turning_step(
        &self,
        side: BandSide,
        old: GridPoint,
        new: GridPoint,
        frontier: &mut Vec<GridPoint>,
    ) -> PathStep {
        let beside = |point: &GridPoint| point.x.abs_diff(new.x) + point.y.abs_diff(new.y) == 1;
        let near = (0..frontier.len()).filter(|position| beside(&frontier[*position])).collect();
        let leaving: Vec<usize> = (0..frontier.len()).filter(|position| frontier[*position] == old).collect();
        let leave = leaving.iter().map(|position| (*position, self.may_leave_in_need(side, old))).collect();
        let join = Some((self.shape.edge_count(new), self.shape.point_choices(new)));
        let before = frontier.len();
        frontier.retain(|point| *point != old);
        frontier.push(new);
        PathStep { before, near, leave, join, open: self.open_positions(side, frontier) }
    }

    fn open_positions(&self, side: BandSide, frontier: &[GridPoint]) -> Vec<usize> {
        (0..frontier.len()).filter(|position| self.may_leave_in_need(side, frontier[*position])).collect()
    }
}
