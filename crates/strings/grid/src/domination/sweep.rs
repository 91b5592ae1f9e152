//! The exact search: dynamic programming over the frontier of a sweep along antidiagonals, cell by cell.
//!
//! A new point touches the two oldest points of the frontier only. With the oldest in a key's lowest bits, the states
//! that may come together stand side by side in a sorted layer, and what comes out of one pass is three sorted lists,
//! by the new point's digit: no hashing, no sorting. Ranges of a layer go to different threads.

use std::num::NonZeroUsize;
use std::ops::Range;

use ishi_work::Progress;

use super::checkpoint::{self, SweepCheckpointError, SweepCheckpoints};
use super::kernel::NEVER;
use super::key::Key;
use super::potential::{Potentials, halve_loss};
use super::shape::{BoardShape, GridPoint};
use super::tally::Tally;
use crate::layers::{LayerNote, LayerObserver, LayerStep, ask_within};

/// Layers smaller than this are not worth a second thread.
const WORTH_A_THREAD: usize = 1 << 14;

/// States after a step, sorted by key, with their least losses.
#[derive(Clone, Debug)]
pub(super) struct SweepLayer<K, T> {
    pub(super) keys: Vec<K>,
    pub(super) losses: Vec<u16>,
    pub(super) tallies: Vec<T>,
}

impl<K: Key, T: Tally> SweepLayer<K, T> {
    pub(super) fn start() -> SweepLayer<K, T> {
        SweepLayer { keys: vec![K::EMPTY], losses: vec![0], tallies: vec![T::one_way()] }
    }

    fn empty() -> SweepLayer<K, T> {
        SweepLayer { keys: Vec::new(), losses: Vec::new(), tallies: Vec::new() }
    }

    pub(super) fn with_room(states: usize) -> SweepLayer<K, T> {
        SweepLayer {
            keys: Vec::with_capacity(states),
            losses: Vec::with_capacity(states),
            tallies: Vec::with_capacity(states),
        }
    }

    fn append(&mut self, mut other: SweepLayer<K, T>) {
        self.keys.append(&mut other.keys);
        self.losses.append(&mut other.losses);
        self.tallies.append(&mut other.tallies);
    }

    /// The least loss of all states, with the tally of all that have it; none if there is no state.
    fn merge_states(&self) -> Option<(u16, T)> {
        let mut best: Option<(u16, T)> = None;
        for (loss, tally) in self.losses.iter().zip(&self.tallies) {
            match &mut best {
                Some((least, sum)) => sum.merge(least, tally, *loss),
                none => *none = Some((*loss, tally.clone())),
            }
        }
        best
    }

    /// The least loss of a state.
    pub(super) fn state_loss(&self, key: K) -> Option<u16> {
        self.keys.binary_search(&key).ok().map(|index| self.losses[index])
    }
}

/// One way from the digits of the new point's neighbours: its digit, that of the point above afterwards, the loss.
#[derive(Clone, Copy, Debug)]
struct SweepMove {
    digit: usize,
    above: usize,
    loss: u16,
}

/// Reads a band's bound from a key.
struct BoundLookup<'a> {
    /// Runs of the band's points in the frontier: position, length.
    runs: Vec<(usize, usize)>,
    rest: &'a [u16],
}

/// A step of the sweep, ready to be applied.
pub(super) struct SweepStep<'a> {
    has_left: bool,
    has_above: bool,
    above_leaves: bool,
    is_last: bool,
    /// Position of the new point afterwards.
    top: usize,
    /// By the digits of the points above and to the left, 0 where there is none.
    moves: [[[Option<SweepMove>; 2]; 3]; 3],
    lookups: Vec<BoundLookup<'a>>,
    base: i64,
}

impl<'a> SweepStep<'a> {
    pub(super) fn new(shape: &BoardShape, potentials: &'a Potentials, point: GridPoint) -> SweepStep<'a> {
        let (has_left, has_above) = (point.x > 0, point.y > 0);
        let above_leaves = has_above && point.x + 1 == shape.width();
        let old = old_point_count(shape, point);
        let diagonal = point.x + point.y;
        let top = old + shape.diagonal_rows(diagonal).end() - point.y;
        let position = |near: &GridPoint| {
            if near.x + near.y == diagonal { top - (near.y - point.y) } else { point.y - 1 - near.y }
        };
        let mut base = 0;
        let mut lookups = Vec::new();
        for (table, points) in potentials.tables_after(point) {
            base += table.base;
            lookups.push(BoundLookup { runs: join_runs(points.iter().map(position)), rest: &table.rest });
        }
        let mut step = SweepStep {
            has_left,
            has_above,
            above_leaves,
            is_last: diagonal + 1 == shape.diagonal_count(),
            top,
            moves: [[[None; 2]; 3]; 3],
            lookups,
            base,
        };
        step.fill_moves(shape, point);
        step
    }

    fn fill_moves(&mut self, shape: &BoardShape, point: GridPoint) {
        let choices = shape.point_choices(point);
        for above in 0..if self.has_above { 3 } else { 1 } {
            for left in 0..if self.has_left { 3 } else { 1 } {
                let empties = u16::from(above == 2) + u16::from(left == 2);
                let covered = u16::from(above >= 1) + u16::from(left >= 1);
                let in_need = self.has_left && left == 0 || self.above_leaves && above == 0;
                let stays = |digit: usize| if self.has_above && !self.above_leaves { digit } else { 0 };
                let stone = SweepMove {
                    digit: usize::from(empties > 0),
                    above: stays(above),
                    loss: empties.saturating_sub(1),
                };
                let loss = shape.edge_count(point) + empties + covered;
                let empty = SweepMove { digit: 2, above: stays(above.max(1)), loss };
                self.moves[above][left] =
                    [(choices.stone && !in_need).then_some(stone), choices.empty.then_some(empty)];
            }
        }
    }

    /// How many of the oldest points a step reads.
    fn read_count(&self) -> usize {
        usize::from(self.has_left) + usize::from(self.has_above)
    }

    /// The digits above and to the left.
    fn read_digits<K: Key>(&self, key: K) -> (usize, usize) {
        let digits = key.piece(0, self.read_count());
        match (self.has_left, self.has_above) {
            (true, _) => (digits >> 2, digits & 3),
            (false, _) => (digits, 0),
        }
    }

    fn key_after<K: Key>(&self, rest: K, digit: usize, above: usize) -> K {
        let kept = if self.has_above && !self.above_leaves { rest.put_oldest(above, 1) } else { rest };
        kept.set(self.top, digit)
    }

    /// Least loss still to come, or nothing if there is no way on.
    pub(super) fn bound<K: Key>(&self, key: K) -> Option<u32> {
        let mut doubled = self.base;
        for lookup in &self.lookups {
            let (mut digits, mut length) = (0, 0);
            for (position, count) in &lookup.runs {
                digits |= key.piece(*position, *count) << (2 * length);
                length += count;
            }
            let rest = lookup.rest[to_ternary(digits)];
            if rest == NEVER {
                return None;
            }
            doubled += i64::from(rest);
        }
        Some(halve_loss(doubled))
    }

    /// The layer after the step, without states that cannot end within `limit`.
    pub(super) fn apply_to_layer<K: Key, T: Tally>(
        &self,
        layer: &SweepLayer<K, T>,
        limit: u32,
        threads: usize,
    ) -> SweepLayer<K, T> {
        let parts = self.split_layer(layer, threads);
        let mut lists: Vec<[SweepLayer<K, T>; 3]> = std::thread::scope(|scope| {
            let others: Vec<_> = parts
                .iter()
                .skip(1)
                .map(|part| scope.spawn(|| self.apply_to_range(layer, part.clone(), limit)))
                .collect();
            let mut lists = vec![self.apply_to_range(layer, parts[0].clone(), limit)];
            lists.extend(others.into_iter().map(|other| other.join().expect("a pass does not panic")));
            lists
        });
        let mut after = std::mem::replace(&mut lists[0][0], SweepLayer::empty());
        for digit in 0..3 {
            for list in &mut lists {
                after.append(std::mem::replace(&mut list[digit], SweepLayer::empty()));
            }
        }
        after
    }

    /// Ranges of a layer that no group of states crosses.
    fn split_layer<K: Key, T: Tally>(&self, layer: &SweepLayer<K, T>, threads: usize) -> Vec<Range<usize>> {
        let states = layer.keys.len();
        let parts = threads.min(states / WORTH_A_THREAD).max(1);
        let mut cuts = vec![0];
        for part in 1..parts {
            let mut cut = states * part / parts;
            let rest = layer.keys[cut - 1].drop_oldest(self.read_count());
            while cut < states && layer.keys[cut].drop_oldest(self.read_count()) == rest {
                cut += 1;
            }
            cuts.push(cut);
        }
        cuts.push(states);
        cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    fn apply_to_range<K: Key, T: Tally>(
        &self,
        layer: &SweepLayer<K, T>,
        range: Range<usize>,
        limit: u32,
    ) -> [SweepLayer<K, T>; 3] {
        let mut lists = [(); 3].map(|()| SweepLayer::with_room(range.len() / 2));
        // Up to nine states differ in the digits that the step reads; they become up to nine others. Tallies without a
        // loss are left over from groups before.
        let mut tallies: [[T; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| T::one_way()));
        let mut index = range.start;
        while index < range.end {
            let rest = layer.keys[index].drop_oldest(self.read_count());
            let mut losses = [[NEVER; 3]; 3];
            while index < range.end && layer.keys[index].drop_oldest(self.read_count()) == rest {
                let (above, left) = self.read_digits(layer.keys[index]);
                for way in self.moves[above][left].iter().flatten() {
                    let loss = layer.losses[index] + way.loss;
                    let least = &mut losses[way.digit][way.above];
                    let sum = &mut tallies[way.digit][way.above];
                    if *least == NEVER {
                        (*least, *sum) = (loss, layer.tallies[index].clone());
                    } else {
                        sum.merge(least, &layer.tallies[index], loss);
                    }
                }
                index += 1;
            }
            for digit in usize::from(self.is_last)..3 {
                for above in 0..3 {
                    let loss = losses[digit][above];
                    if u32::from(loss) > limit {
                        continue;
                    }
                    let key = self.key_after(rest, digit, above);
                    if self.bound(key).is_some_and(|bound| u32::from(loss) + bound <= limit) {
                        lists[digit].keys.push(key);
                        lists[digit].losses.push(loss);
                        lists[digit].tallies.push(tallies[digit][above].clone());
                    }
                }
            }
        }
        lists
    }

    /// The state before the step that leads to a state of least loss, and whether the new point is empty.
    pub(super) fn find_origin<K: Key>(
        &self,
        before: &SweepLayer<K, ()>,
        key: K,
        loss: u16,
    ) -> Option<(K, u16, bool)> {
        let digit = key.piece(self.top, 1);
        let above_after = if self.has_above && !self.above_leaves { key.piece(0, 1) } else { 0 };
        for above in 0..3 {
            for left in 0..3 {
                for way in self.moves[above][left].iter().flatten() {
                    if way.digit != digit || way.above != above_after || way.loss > loss {
                        continue;
                    }
                    let rest = self.rest_before(key);
                    let digits = if self.has_left { above << 2 | left } else { above };
                    let old = rest.put_oldest(digits, self.read_count());
                    if before.state_loss(old) == Some(loss - way.loss) {
                        return Some((old, loss - way.loss, digit == 2));
                    }
                }
            }
        }
        None
    }

    /// The points of a key after the step that the step did not read.
    fn rest_before<K: Key>(&self, key: K) -> K {
        let kept = usize::from(self.has_above && !self.above_leaves);
        let mut rest = K::EMPTY;
        for position in kept..self.top {
            rest = rest.set(position - kept, key.piece(position, 1));
        }
        rest
    }

    /// Keeps the `width` most promising states.
    pub(super) fn keep_most_promising<K: Key, T: Tally>(
        &self,
        layer: &mut SweepLayer<K, T>,
        width: NonZeroUsize,
    ) {
        if layer.keys.len() <= width.get() {
            return;
        }
        let promise =
            |index: usize| u32::from(layer.losses[index]) + self.bound(layer.keys[index]).unwrap_or(0);
        let promises: Vec<u32> = (0..layer.keys.len()).map(promise).collect();
        let mut sorted = promises.clone();
        let (_, last, _) = sorted.select_nth_unstable(width.get() - 1);
        // Of the states that promise as much as the last one only the first ones fit, so that the choice does not depend on threads.
        let mut at_last = width.get() - promises.iter().filter(|promise| **promise < *last).count();
        let mut narrow = SweepLayer::empty();
        for (index, promise) in promises.iter().enumerate() {
            let taken = promise < last || promise == last && at_last > 0;
            at_last -= usize::from(promise == last && taken);
            if taken {
                narrow.keys.push(layer.keys[index]);
                narrow.losses.push(layer.losses[index]);
                narrow.tallies.push(layer.tallies[index].clone());
            }
        }
        *layer = narrow;
    }
}

/// Points of the antidiagonal before that stay in the frontier after the step to `point`.
fn old_point_count(shape: &BoardShape, point: GridPoint) -> usize {
    let diagonal = point.x + point.y;
    if diagonal == 0 || point.x + 1 == shape.width() {
        return 0;
    }
    point.y - shape.diagonal_rows(diagonal - 1).start().min(&point.y)
}

/// Joins ascending positions to runs of position and length.
fn join_runs(positions: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for position in positions {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == position => *length += 1,
            _ => runs.push((position, 1)),
        }
    }
    runs
}

/// Two bits a digit, five digits, as a base-3 number.
const TERNARY: [u8; 1 << 10] = {
    let mut numbers = [0; 1 << 10];
    let mut bits = 0;
    while bits < 1 << 10 {
        let (mut number, mut position) = (0, 5);
        while position > 0 {
            position -= 1;
            let digit = (bits >> (2 * position) & 3) as u8;
            // No digit is 3, but the table holds such an index.
            number = number * 3 + if digit > 2 { 2 } else { digit };
        }
        numbers[bits] = number;
        bits += 1;
    }
    numbers
};

/// Up to 15 digits of two bits as a base-3 number. A band's frontier has `DEEPEST` points, or one more within a diagonal.
fn to_ternary(digits: usize) -> usize {
    let five = |from: u32| usize::from(TERNARY[digits >> from & 1023]);
    five(0) + 243 * five(10) + 243 * 243 * five(20)
}

/// What a sweep is to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepParams {
    /// Largest loss of a solution.
    pub(super) limit: u32,
    /// States kept after each antidiagonal; all if not given.
    pub(super) beam: Option<NonZeroUsize>,
    /// Keep the layers at the ends of the antidiagonals, for the reconstruction.
    pub(super) keep: bool,
    pub(super) threads: usize,
}

/// What a sweep found.
pub(super) struct SweepOutcome<K, T> {
    /// The least loss within the limit, with its tally.
    pub(super) best: Option<(u16, T)>,
    /// Layers at the ends of the antidiagonals, if kept; the first is the start.
    pub(super) layers: Vec<SweepLayer<K, T>>,
    /// Most states of a layer.
    pub(super) widest: usize,
    /// States of all layers.
    pub(super) states: u64,
}

/// Why a sweep ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SweepHalt {
    Stopped,
    /// More points in the frontier than a key holds.
    TooWide,
    /// What was saved cannot be used.
    Checkpoint(SweepCheckpointError),
}

/// Sweeps over the whole board.
pub(super) fn sweep_board<K: Key, T: Tally>(
    shape: &BoardShape,
    potentials: &mut Potentials,
    params: SweepParams,
    observer: LayerObserver<'_>,
    mut checkpoints: Option<SweepCheckpoints<'_>>,
) -> Result<SweepOutcome<K, T>, SweepHalt> {
    let saved = checkpoints.as_mut().and_then(|checkpoints| checkpoints.resume.take());
    let (first, mut layer) = match saved {
        Some(bytes) => {
            checkpoint::layer_from_bytes(shape, params.limit, &bytes).map_err(SweepHalt::Checkpoint)?
        }
        None => (0, SweepLayer::<K, T>::start()),
    };
    let mut swept = SweepOutcome { best: None, layers: Vec::new(), widest: layer.keys.len(), states: 0 };
    let mut done = (0..first).map(|diagonal| shape.diagonal_rows(diagonal).count()).sum();
    let progress = |done: usize, states: usize| -> LayerStep {
        let note = LayerNote::with_goal("losses", params.limit, states);
        Progress { done, total: shape.cell_count(), unit: "points", note }
    };
    for diagonal in first..shape.diagonal_count() {
        if layer.keys.is_empty() {
            return Ok(swept);
        }
        if params.keep {
            swept.layers.push(layer.clone());
        }
        // Within an antidiagonal the frontier has one point more than the antidiagonal.
        if shape.diagonal_rows(diagonal).count() >= K::DIGITS {
            return Err(SweepHalt::TooWide);
        }
        if !potentials.has_tables_for(diagonal) {
            let before = progress(done, layer.keys.len());
            ask_within(observer, before, |stop| potentials.add_last_tables(stop))
                .ok_or(SweepHalt::Stopped)?;
        }
        for y in shape.diagonal_rows(diagonal).rev() {
            let step = SweepStep::new(shape, potentials, GridPoint { x: diagonal - y, y });
            layer = step.apply_to_layer(&layer, params.limit, params.threads);
            swept.widest = swept.widest.max(layer.keys.len());
            swept.states += layer.keys.len() as u64;
            done += 1;
            // Only at the end of an antidiagonal all states have the same points, and can be held against each other.
            if let Some(width) = params.beam.filter(|_| y == *shape.diagonal_rows(diagonal).start()) {
                step.keep_most_promising(&mut layer, width);
            }
            // Where checkpoints are kept, only a whole antidiagonal can be gone on from.
            if checkpoints.is_none() && observer(progress(done, layer.keys.len())).is_break() {
                return Err(SweepHalt::Stopped);
            }
        }
        if let Some(checkpoints) = &mut checkpoints {
            (checkpoints.save)(&|| checkpoint::layer_to_bytes(shape, params.limit, diagonal + 1, &layer));
        }
        if observer(progress(done, layer.keys.len())).is_break() {
            return Err(SweepHalt::Stopped);
        }
    }
    // The last point is all the frontier that is left: what is in need there was dropped.
    swept.best = layer.merge_states();
    Ok(swept)
}

/// The empty points of a best solution, from the layers that a sweep kept: each antidiagonal is swept once more.
pub(super) fn reconstruct_empties<K: Key>(
    shape: &BoardShape,
    potentials: &Potentials,
    params: SweepParams,
    layers: &[SweepLayer<K, ()>],
    loss: u16,
) -> Vec<GridPoint> {
    let mut empties = Vec::new();
    let mut target: Option<(K, u16)> = None;
    for diagonal in (0..shape.diagonal_count()).rev() {
        let points: Vec<GridPoint> =
            shape.diagonal_rows(diagonal).rev().map(|y| GridPoint { x: diagonal - y, y }).collect();
        let steps: Vec<SweepStep<'_>> =
            points.iter().map(|point| SweepStep::new(shape, potentials, *point)).collect();
        let mut passed = vec![layers[diagonal].clone()];
        for step in &steps {
            let next = step.apply_to_layer(&passed[passed.len() - 1], params.limit, params.threads);
            passed.push(next);
        }
        let last = &passed[passed.len() - 1];
        let (mut key, mut left) = target.unwrap_or_else(|| {
            let index =
                last.losses.iter().position(|other| *other == loss).expect("the sweep reached its best loss");
            (last.keys[index], loss)
        });
        for ((step, before), point) in steps.iter().zip(&passed).zip(&points).rev() {
            let (old, loss, empty) = step.find_origin(before, key, left).expect("every state has an origin");
            (key, left) = (old, loss);
            empties.extend(empty.then_some(*point));
        }
        target = Some((key, left));
    }
    empties
}
