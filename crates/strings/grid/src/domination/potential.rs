//! Lower bounds on the loss that is still to come, for every state of the sweep.
//!
//! In each band the (min,+) dynamic programme runs backwards, with neighbours out of the band helping for nothing: so its
//! values never exceed the truth, and the two bands add up. Where the bands meet in the bottom right corner, leaving the
//! seam open would cost about 4 of the bound. Instead the seam is priced (Lagrangian duality): the right band pays `price(c)` for
//! its last frontier `c`, the left band pays, for its last frontier `y`, the least `couple(c, y) - price(c)`. Any price
//! gives a valid bound; half the difference of the two bands' costs to reach the seam makes it exact for the
//! cheapest walk around the board.
//!
//! Along a straight edge the tables soon repeat themselves, but for a constant. They are kept once, so boards of
//! thousands of lines need no more than small ones.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use ishi_work::{Progress, Stop, StopFlag};

use super::band::{BandDiagonal, BandPath, BandSide, BandTurn, BandWalk, Bands};
use super::kernel::{Kernel, NEVER, power_of_three};
use super::memory::SolverMemory;
use super::shape::{BoardShape, GridPoint};
use crate::layers::{LayerNote, LayerStep};

/// Repetitions along an edge are looked for up to this distance, in antidiagonals.
const LONGEST_PERIOD: usize = 12;

/// Bands are at most this deep: up to 3^12 states are tabulated.
pub const DEEPEST: usize = 11;

/// The depth for proofs, as in Gonçalves et al.; counting large boards is worth one more.
pub const DEEP: usize = 10;

/// Doubled losses of all states of a band's frontier: `base + rest`, `NEVER` for impossible.
#[derive(Clone)]
pub(super) struct PotentialTable {
    pub(super) base: i64,
    pub(super) rest: Arc<Vec<u16>>,
}

impl PotentialTable {
    fn new(base: i64, rest: Vec<u16>) -> PotentialTable {
        let least = rest.iter().copied().min().unwrap_or(0);
        if least == 0 || least == NEVER {
            return PotentialTable { base, rest: Arc::new(rest) };
        }
        let lowered = rest.iter().map(|value| if *value == NEVER { NEVER } else { value - least }).collect();
        PotentialTable { base: base + i64::from(least), rest: Arc::new(lowered) }
    }

    fn shifted_by(&self, by: i64) -> PotentialTable {
        PotentialTable { base: self.base + by, rest: Arc::clone(&self.rest) }
    }

    fn step_backward(&self, kernel: &Kernel) -> PotentialTable {
        PotentialTable::new(self.base, kernel.step_backward(&self.rest))
    }

    fn step_forward(&self, kernel: &Kernel) -> PotentialTable {
        PotentialTable::new(self.base, kernel.step_forward(&self.rest))
    }

    fn state_potential(&self, state: usize) -> Option<i64> {
        let rest = self.rest[state];
        (rest != NEVER).then_some(self.base + i64::from(rest))
    }

    /// A table of values, some impossible.
    fn from_values(values: &[Option<i64>]) -> PotentialTable {
        let base = values.iter().flatten().copied().min().unwrap_or(0);
        let rest = values.iter().map(|value| value.map_or(NEVER, |value| (value - base).min(30_000) as u16));
        PotentialTable { base, rest: Arc::new(rest.collect()) }
    }

    fn all_potentials(&self) -> Vec<Option<i64>> {
        (0..self.rest.len()).map(|state| self.state_potential(state)).collect()
    }
}

/// A band's tables during one antidiagonal.
pub(super) struct DiagonalTables {
    /// Rows of the sweep at which the band's frontier changes, descending.
    rows: Vec<usize>,
    /// Before the first step, and after each.
    tables: Vec<PotentialTable>,
}

/// Why there are no lower bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TablesHalt {
    /// It was told to stop.
    Stopped,
    /// They need more memory than they may take.
    OverMemory,
}

/// The lower bounds of a board.
pub(super) struct Potentials {
    /// Nothing on boards of one line.
    bands: Option<Bands>,
    /// The tables by band and antidiagonal.
    tables: [Vec<DiagonalTables>; 2],
    /// The price of every state of the seam, as the right band pays it; finite.
    prices: Vec<i64>,
    memory: Arc<SolverMemory>,
}

const SIDES: [BandSide; 2] = [BandSide::Right, BandSide::Left];

impl Potentials {
    /// What an observer hears while the tables of a board are computed.
    pub(super) fn tables_step(shape: &BoardShape) -> LayerStep {
        let note = LayerNote::with_goal("bounds", 0, 0);
        Progress { done: 0, total: shape.cell_count(), unit: "points", note }
    }

    /// Computes the tables for bands of at most `deepest` points, one thread a band if there are several. Asks at every
    /// antidiagonal whether to stop, and gives nothing then.
    pub(super) fn compute(
        shape: &BoardShape,
        deepest: usize,
        threads: usize,
        stop: &dyn Stop,
    ) -> Option<Potentials> {
        Potentials::compute_within(shape, deepest, threads, None, stop).ok()
    }

    /// The same with at most so many bytes of memory, if there is a number. What no repetition can save is known before anything is computed.
    pub(super) fn compute_within(
        shape: &BoardShape,
        deepest: usize,
        threads: usize,
        memory: Option<usize>,
        stop: &dyn Stop,
    ) -> Result<Potentials, TablesHalt> {
        let memory = Arc::new(SolverMemory::new(memory));
        let depth = deepest.min(DEEPEST).min(shape.width().min(shape.height()) / 2);
        if depth == 0 {
            let tables = [Vec::new(), Vec::new()];
            return Ok(Potentials { bands: None, tables, prices: Vec::new(), memory });
        }
        let bands = Bands { shape: shape.clone(), depth };
        match compute_tables(&bands, threads, &memory, stop) {
            Some((tables, prices)) => Ok(Potentials { bands: Some(bands), tables, prices, memory }),
            None if memory.is_over() => Err(TablesHalt::OverMemory),
            None => Err(TablesHalt::Stopped),
        }
    }

    /// What tables and states may take together.
    pub(super) fn memory(&self) -> &Arc<SolverMemory> {
        &self.memory
    }

    /// Adds the tables for the last antidiagonals, where the walks have turned away from the sweep: there the
    /// seam is open. Needed by sweeps that get so far. Nothing if it is told to stop, or there is no memory: the sweep must end then.
    pub(super) fn add_last_tables(&mut self, stop: &dyn Stop) -> Option<()> {
        let Some(bands) = &self.bands else { return Some(()) };
        let last = bands.shape.diagonal_count() - 1;
        if self.tables[0].len() > last {
            return Some(());
        }
        for (side, tables) in SIDES.into_iter().zip(&mut self.tables) {
            let walk = bands.walk_steps(side, last, stop)?;
            let kernels = walk.kernel_bytes();
            if !self.memory.take(kernels) {
                return None;
            }
            let path = walk.compile(stop)?;
            let content = |position: usize, state: usize| {
                !(state / power_of_three(position)).is_multiple_of(3)
                    || bands.may_leave_in_need(side, path.end[position])
            };
            let done = |state: usize| (0..path.end.len()).all(|position| content(position, state));
            let end: Vec<Option<i64>> =
                (0..power_of_three(path.end.len())).map(|state| done(state).then_some(0)).collect();
            let end = PotentialTable::from_values(&end);
            let late = tables_backward(&path.diagonals[tables.len()..], end, &self.memory, stop)?;
            tables.extend(late);
            self.memory.give_back(kernels);
        }
        Some(())
    }

    /// Have the tables of an antidiagonal been computed? Without, every state's bound is 0.
    pub(super) fn has_tables_for(&self, diagonal: usize) -> bool {
        self.bands.is_none() || diagonal < self.tables[0].len()
    }

    /// Depth of the bands, and the finite prices of the seam.
    pub(super) fn depth_and_prices(&self) -> (usize, &[i64]) {
        (self.bands.as_ref().map_or(0, |bands| bands.depth), &self.prices)
    }

    /// Least loss of the whole board, or nothing if the bands are impossible.
    pub(super) fn root_bound(&self) -> Option<u32> {
        let mut sum = 0;
        for tables in &self.tables {
            if let Some(first) = tables.first() {
                sum += first.tables[0].state_potential(0)?;
            }
        }
        Some(halve_loss(sum))
    }

    /// The tables that hold after the sweep's step to a point: for each band, its table and its points in the frontier.
    pub(super) fn tables_after(&self, point: GridPoint) -> Vec<(&PotentialTable, Vec<GridPoint>)> {
        let Some(bands) = &self.bands else { return Vec::new() };
        let diagonal = point.x + point.y;
        let mut found = Vec::new();
        for (side, tables) in SIDES.into_iter().zip(&self.tables) {
            let Some(tables) = tables.get(diagonal) else { continue };
            let steps = tables.rows.iter().filter(|row| **row >= point.y).count();
            found.push((&tables.tables[steps], band_frontier(bands, side, point)));
        }
        found
    }
}

/// The tables of both bands, and the finite prices of the seam. Nothing if it is told to stop, or there is no memory.
fn compute_tables(
    bands: &Bands,
    threads: usize,
    memory: &SolverMemory,
    stop: &dyn Stop,
) -> Option<([Vec<DiagonalTables>; 2], Vec<i64>)> {
    let last = bands.last_shared_diagonal();
    let steps = [bands.walk_steps(SIDES[0], last, stop)?, bands.walk_steps(SIDES[1], last, stop)?];
    let kernels = steps.iter().map(BandWalk::kernel_bytes).sum();
    let least: usize = steps.iter().map(BandWalk::least_table_bytes).sum();
    if !memory.take(kernels) || !memory.has_room(least) {
        return None;
    }
    let walks = for_both_bands(threads, stop, |i, stop| {
        let path = steps[i].compile(stop)?;
        let turn = bands.turn_to_corner(SIDES[i], &path.end);
        let reached = arrange_by_slot(&table_forward(&path, &turn, stop)?, &turn);
        Some((path, turn, reached))
    })?;
    let seam = SeamPrices::new(bands.depth, &walks[0].2, &walks[1].2);
    let tables = for_both_bands(threads, stop, |i, stop| {
        let (path, turn, _) = &walks[i];
        let mut end = arrange_by_position(&seam.prices[i], turn);
        for kernel in turn.kernels.iter().rev() {
            end = end.step_backward(kernel);
        }
        tables_backward(&path.diagonals, end, memory, stop)
    })?;
    memory.give_back(kernels);
    Some((tables, seam.finite))
}

/// Between two looks at whether to stop, where this thread waits for another.
const LOOK: Duration = Duration::from_millis(20);

/// Does the same for both bands; nothing if the work was told to stop. Who asks may live in this thread only: a second
/// thread hears it from this one, also while this one waits for it.
fn for_both_bands<T: Send>(
    threads: usize,
    stop: &dyn Stop,
    work: impl Fn(usize, &dyn Stop) -> Option<T> + Sync,
) -> Option<[T; 2]> {
    if threads < 2 {
        return Some([work(0, stop)?, work(1, stop)?]);
    }
    let halted = StopFlag::default();
    std::thread::scope(|scope| {
        let (sender, receiver) = channel::<()>();
        let (work, halted) = (&work, &halted);
        let other = scope.spawn(move || {
            // Dropped at the end of the work, whichever end that is.
            let _sender = sender;
            work(1, halted)
        });
        let first = work(0, stop);
        while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(LOOK) {
            if first.is_none() || stop.is_requested() {
                halted.request();
            }
        }
        let second = other.join().expect("the work does not panic");
        Some([first?, second?])
    })
}

/// A doubled loss as a loss, rounded up; never negative.
pub(super) fn halve_loss(doubled: i64) -> u32 {
    u32::try_from(doubled.max(0)).unwrap_or(u32::MAX).div_ceil(2)
}

/// A band's points in the sweep's frontier after the step to `point`, oldest first.
fn band_frontier(bands: &Bands, side: BandSide, point: GridPoint) -> Vec<GridPoint> {
    let diagonal = point.x + point.y;
    let at_edge = point.x + 1 == bands.shape.width();
    let old = if diagonal == 0 || at_edge { Vec::new() } else { bands.band_rows(side, diagonal - 1) };
    let old = old.into_iter().filter(|y| *y < point.y).map(|y| GridPoint { x: diagonal - 1 - y, y });
    let new = bands.band_rows(side, diagonal).into_iter().filter(|y| *y >= point.y);
    old.chain(new.map(|y| GridPoint { x: diagonal - y, y })).collect()
}

/// The tables of consecutive antidiagonals, given the table at their end; nothing if it is told to stop, or there is no memory.
fn tables_backward(
    diagonals: &[BandDiagonal],
    end: PotentialTable,
    memory: &SolverMemory,
    stop: &dyn Stop,
) -> Option<Vec<DiagonalTables>> {
    let mut ends = vec![None; diagonals.len()];
    let mut all: Vec<Option<DiagonalTables>> = Vec::new();
    all.resize_with(diagonals.len(), || None);
    let mut now = end;
    for (index, diagonal) in diagonals.iter().enumerate().rev() {
        if stop.is_requested() {
            return None;
        }
        ends[index] = Some(now.clone());
        let tables = match find_repetition(diagonals, &ends, index) {
            Some((twin, shift)) => {
                let twin: &DiagonalTables = all[twin].as_ref().expect("later diagonals are done");
                twin.tables.iter().map(|table| table.shifted_by(shift)).collect()
            }
            None if memory.take(diagonal.table_bytes()) => tables_through_diagonal(diagonal, now),
            None => return None,
        };
        now = tables[0].clone();
        all[index] = Some(DiagonalTables { rows: diagonal.rows.clone(), tables });
    }
    Some(all.into_iter().flatten().collect())
}

/// A later antidiagonal with the same steps whose end is the same but for a constant.
fn find_repetition(
    diagonals: &[BandDiagonal],
    ends: &[Option<PotentialTable>],
    index: usize,
) -> Option<(usize, i64)> {
    let here = ends[index].as_ref()?;
    for later in index + 1..(index + 1 + LONGEST_PERIOD).min(diagonals.len()) {
        if !diagonals[later].has_same_steps(&diagonals[index]) {
            return None;
        }
        let there = ends[later].as_ref()?;
        if Arc::ptr_eq(&there.rest, &here.rest) || there.rest == here.rest {
            return Some((later, here.base - there.base));
        }
    }
    None
}

fn tables_through_diagonal(diagonal: &BandDiagonal, end: PotentialTable) -> Vec<PotentialTable> {
    let mut tables = vec![end];
    for kernel in diagonal.kernels.iter().rev() {
        let before = tables[tables.len() - 1].step_backward(kernel);
        tables.push(before);
    }
    tables.reverse();
    tables
}

/// The prices of the two bands' last frontiers, by slot.
struct SeamPrices {
    prices: [PotentialTable; 2],
    /// The right band's prices for one who does not know what is impossible.
    finite: Vec<i64>,
}

/// A doubled loss beyond what anything costs at the seam.
const FAR: i64 = 400;

impl SeamPrices {
    /// From the cheapest ways to the bands' last frontiers.
    fn new(depth: usize, right: &PotentialTable, left: &PotentialTable) -> SeamPrices {
        let zigzags: Vec<Kernel> =
            (0..depth).map(|slot| Kernel::for_zigzag(depth, slot + 1 == depth)).collect();
        // What the left band and the couplings cost, seen from the right band's last frontier.
        let beyond = zigzags.iter().rev().fold(left.clone(), |table, zigzag| table.step_backward(zigzag));
        // Walked forwards with help for nothing, a band reaches all that it ever can: the rest is impossible.
        let price = |(here, there): (Option<i64>, Option<i64>)| Some((there? - here?) / 2);
        let costs: Vec<(Option<i64>, Option<i64>)> =
            right.all_potentials().into_iter().zip(beyond.all_potentials()).collect();
        let prices: Vec<Option<i64>> = costs.iter().copied().map(price).collect();
        let (least, most) = (prices.iter().flatten().min().copied(), prices.iter().flatten().max().copied());
        // What the right band cannot reach must not help the left one, and the other way round.
        let finite = costs.iter().zip(&prices).map(|((here, _), price)| match (price, here) {
            (Some(price), _) => *price,
            (None, None) => least.unwrap_or(0) - FAR,
            (None, Some(_)) => most.unwrap_or(0) + FAR,
        });
        let finite = finite.collect();
        let negative: Vec<Option<i64>> = prices.iter().map(|price| price.map(|price| -price)).collect();
        let other = zigzags
            .iter()
            .fold(PotentialTable::from_values(&negative), |table, zigzag| table.step_forward(zigzag));
        SeamPrices { prices: [PotentialTable::from_values(&prices), other], finite }
    }
}

/// The cheapest way to every last frontier of a band, from an open start; nothing if it is told to stop.
fn table_forward(path: &BandPath, turn: &BandTurn, stop: &dyn Stop) -> Option<PotentialTable> {
    let mut now = PotentialTable { base: 0, rest: Arc::new(vec![0]) };
    let mut ends: Vec<PotentialTable> = Vec::new();
    let mut index = 0;
    while index < path.diagonals.len() {
        if stop.is_requested() {
            return None;
        }
        let diagonal = &path.diagonals[index];
        if index > 0 && !path.diagonals[index - 1].has_same_steps(diagonal) {
            ends.clear();
        }
        if let Some(period) =
            (1..=LONGEST_PERIOD.min(ends.len())).find(|p| ends[ends.len() - p].rest == now.rest)
        {
            let ahead =
                path.diagonals[index..].iter().take_while(|later| later.has_same_steps(diagonal)).count();
            let rounds = ahead / period;
            now = now.shifted_by((now.base - ends[ends.len() - period].base) * rounds as i64);
            index += rounds * period;
            ends.clear();
            if rounds > 0 {
                continue;
            }
        }
        ends.push(now.clone());
        now = diagonal.kernels.iter().fold(now, |table, kernel| table.step_forward(kernel));
        index += 1;
    }
    Some(turn.kernels.iter().fold(now, |table, kernel| table.step_forward(kernel)))
}

/// From positions of the last frontier to slots.
fn arrange_by_slot(table: &PotentialTable, turn: &BandTurn) -> PotentialTable {
    let mut rest = vec![NEVER; table.rest.len()];
    for (state, value) in table.rest.iter().enumerate() {
        rest[state_by_slot(state, turn)] = *value;
    }
    PotentialTable { base: table.base, rest: Arc::new(rest) }
}

/// From slots to positions of the last frontier.
fn arrange_by_position(table: &PotentialTable, turn: &BandTurn) -> PotentialTable {
    let rest = (0..table.rest.len()).map(|state| table.rest[state_by_slot(state, turn)]).collect();
    PotentialTable { base: table.base, rest: Arc::new(rest) }
}

fn state_by_slot(state: usize, turn: &BandTurn) -> usize {
    turn.slots
        .iter()
        .enumerate()
        .map(|(position, slot)| state / power_of_three(position) % 3 * power_of_three(*slot))
        .sum()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::BTreeMap;

    use super::super::shape::CellConstraint;
    use super::*;

    /// Bytes of all tables, each counted once.
    fn bytes_of_tables(potentials: &Potentials) -> usize {
        let all = potentials.tables.iter().flatten().flat_map(|diagonal| &diagonal.tables);
        let bytes = |table: &PotentialTable| (Arc::as_ptr(&table.rest) as usize, 2 * table.rest.len());
        all.map(bytes).collect::<BTreeMap<usize, usize>>().into_values().sum()
    }

    /// What is counted is what is taken, whatever the threads. A byte less is refused.
    #[test]
    fn tables_beyond_the_memory_are_refused() {
        let mut shape = BoardShape::new(120, 14);
        shape.set_given(5, 1, CellConstraint::Stone);
        shape.set_given(90, 12, CellConstraint::Empty);
        let never = || false;
        let bands = Bands { shape: shape.clone(), depth: 4 };
        let last = bands.last_shared_diagonal();
        let walks = SIDES.map(|side| bands.walk_steps(side, last, &never).unwrap());
        let kernels: usize = walks.iter().map(BandWalk::kernel_bytes).sum();
        let least: usize = walks.iter().map(BandWalk::least_table_bytes).sum();
        // The tables at the ends of the bands stand beside.
        let ends: usize = walks.iter().map(|walk| 2 * power_of_three(walk.end.len())).sum();
        let mut whole = Potentials::compute(&shape, 4, 1, &never).unwrap();
        let tables = bytes_of_tables(&whole) - ends;
        assert_eq!(whole.memory.taken(), tables);
        let all: usize =
            whole.tables.iter().flatten().flat_map(|one| &one.tables).map(|table| 2 * table.rest.len()).sum();
        assert!(least <= tables && tables < all, "{least} {tables} {all}: what is repeated is kept once");
        for threads in [1, 2] {
            let within = |memory| Potentials::compute_within(&shape, 4, threads, Some(memory), &never);
            assert!(within(kernels + tables).is_ok());
            for memory in [0, kernels + least - 1, kernels + tables - 1] {
                assert_eq!(within(memory).err(), Some(TablesHalt::OverMemory), "{memory} bytes");
            }
            let stopped = Potentials::compute_within(&shape, 4, threads, Some(usize::MAX), &|| true);
            assert_eq!(stopped.err(), Some(TablesHalt::Stopped));
        }
        whole.memory = Arc::new(SolverMemory::new(Some(tables)));
        assert!(whole.memory.take(tables));
        assert!(whole.add_last_tables(&never).is_none() && whole.memory.is_over());
    }

    /// Who is asked lives in one thread, as an observer does.
    #[test]
    fn the_second_band_hears_a_stop_when_the_first_is_done() {
        let looks = Cell::new(0);
        let stop = || {
            looks.set(looks.get() + 1);
            looks.get() > 1
        };
        let work = |band: usize, stop: &dyn Stop| {
            if band == 0 {
                return Some(());
            }
            // Half a minute at most, so that a stop that is not heard ends the test.
            let (_sender, receiver) = channel::<()>();
            let is_heard = (0..30_000).any(|_| {
                let _ = receiver.recv_timeout(Duration::from_millis(1));
                stop.is_requested()
            });
            (!is_heard).then_some(())
        };
        assert_eq!(for_both_bands(2, &stop, work), None);
        assert!(looks.get() > 1, "it was asked while the second band was at work");
    }

    #[test]
    fn both_bands_come_to_their_results_with_one_thread_and_two() {
        let work = |band: usize, stop: &dyn Stop| (!stop.is_requested()).then_some(10 + band);
        for threads in [1, 2] {
            assert_eq!(for_both_bands(threads, &|| false, work), Some([10, 11]));
            assert_eq!(for_both_bands(threads, &|| true, work), None);
        }
    }
}
