//! The sweep: layer after layer of states of the frontier.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use ishi_work::Progress;
use thiserror::Error;

use super::bounds::{MOST_SLOTS, RegionBounds};
use super::fold::SeamArms;
use super::graph::Graph;
use super::plan::{PlanStep, SweepPlan};
use super::values::{CountOverflow, WayValues};
use crate::layers::{LayerNote, LayerObserver};

/// Most vertices on the frontier at once.
pub const MOST_FRONTIER: usize = 64;
/// The same where vertices have spins.
pub const MOST_FRONTIER_WITH_SPINS: usize = 42;

/// How much a sweep may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SweepOptions {
    /// Threads, at least 1.
    pub threads: usize,
    /// States in one layer; a sweep that needs more gives up. A state takes 32 bytes and its value.
    pub most_states: usize,
}

impl Default for SweepOptions {
    fn default() -> SweepOptions {
        SweepOptions { threads: 1, most_states: 20_000_000 }
    }
}

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SweepError {
    /// The order is not one of the vertices.
    #[error("an order of {vertices} vertices must hold each of them once, and regions one entry for each")]
    Order {
        /// Vertices of the graph.
        vertices: usize,
    },
    /// The frontier is too long for a state.
    #[error("the frontier needs {needed} cells, at most {most} are possible")]
    Frontier {
        /// Cells on it.
        needed: usize,
        /// Cells that a state can hold.
        most: usize,
    },
    /// More states than allowed.
    #[error(
        "more than {most} states after {step} of {steps} vertices; give it more memory or a smaller board"
    )]
    States {
        /// The limit.
        most: usize,
        /// Vertices done.
        step: usize,
        /// Vertices of the graph.
        steps: usize,
    },
    /// A count is larger than its type.
    #[error("a count does not fit into 128 bits")]
    Overflow,
    /// The observer said so.
    #[error("stopped")]
    Stopped,
}

impl From<CountOverflow> for SweepError {
    fn from(_: CountOverflow) -> SweepError {
        SweepError::Overflow
    }
}

/// A graph with an order of its vertices and the bounds of its regions, ready to be swept.
#[derive(Debug)]
pub struct SweepProblem {
    plan: SweepPlan,
    bounds: RegionBounds,
    spins: bool,
    ring: Option<RingTurns>,
}

/// How a closed graph may be turned.
#[derive(Debug)]
struct RingTurns {
    /// Equal parts of the order.
    parts: usize,
    /// Slots of the first part if it is a ring, else none.
    first: Vec<usize>,
}

/// What is kept of the ways to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeepWays {
    /// Those with the smallest loss.
    Least,
    /// All, told apart by their loss.
    Every,
}

impl SweepProblem {
    /// `order` holds every vertex once. `regions[v]` is the region of vertex `v`, `None` for one outside of all; a
    /// region with more than 13 cells on the frontier gets no table. With `spins`, the cells that are not chosen must
    /// be colourable with two colours, neighbours differing (see the `odd` flag of [`GraphLink`](super::graph::GraphLink)).
    ///
    /// # Errors
    /// An order that is none, or a frontier that is too long.
    pub fn new(
        graph: &Graph,
        order: &[usize],
        regions: &[Option<usize>],
        spins: bool,
        threads: usize,
    ) -> Result<SweepProblem, SweepError> {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..graph.len()) || regions.len() != graph.len() {
            return Err(SweepError::Order { vertices: graph.len() });
        }
        let count = regions.iter().flatten().max().map_or(0, |last| last + 1);
        let mut regions: Vec<usize> = regions.iter().map(|region| region.unwrap_or(count)).collect();
        let mut plan = SweepPlan::new(graph, order, &regions, count + 1);
        if (0..count).any(|region| plan.region_slots(region) > MOST_SLOTS) {
            for region in &mut regions {
                *region = if plan.region_slots(*region) > MOST_SLOTS { count } else { *region };
            }
            plan = SweepPlan::new(graph, order, &regions, count + 1);
        }
        let most = if spins { MOST_FRONTIER_WITH_SPINS } else { MOST_FRONTIER };
        if plan.slot_count() > most {
            return Err(SweepError::Frontier { needed: plan.slot_count(), most });
        }
        let bounds = RegionBounds::new(&plan, count, threads);
        Ok(SweepProblem { plan, bounds, spins, ring: None })
    }

    /// Makes the bounds of the first two regions work together, see [`fold`](super::fold). The vertices must be
    /// numbered in their order.
    pub(super) fn couple_regions(&mut self, until: usize, arms: [Vec<usize>; 2]) {
        let arms = arms.map(|arm| arm.into_iter().map(|vertex| self.plan.steps[vertex].slot).collect());
        self.bounds.couple_regions(&self.plan, &SeamArms { until, slots: arms });
    }

    /// Says that the order consists of this many equal parts and that the graph may be turned by a part, so that any set
    /// may be replaced by a turned one. Then only those sets are looked at whose first parts never have more than their
    /// share of the loss: for any numbers around a ring there is a place to start at from which no sum of the first ones
    /// is above the mean (the cycle lemma). The loss of a part is here what its cells add to covers by earlier cells;
    /// that the sweep does not see the covers of the first part from the last one before the end makes its sums only
    /// smaller. With `lines_turn` a part is a ring itself, that the graph may be turned and mirrored along; then the choice
    /// in the first part is the first among its images. Such a sweep finds the right minimum, but **not all** sets.
    #[must_use]
    pub fn with_turns(self, parts: usize, lines_turn: bool) -> SweepProblem {
        let parts = parts.max(1);
        let length = self.plan.steps.len() / parts;
        let first = if lines_turn {
            self.plan.steps[..length].iter().map(|step| step.slot).collect()
        } else {
            vec![]
        };
        SweepProblem { ring: Some(RingTurns { parts, first }), ..self }
    }

    /// Is the state one to go on with, as far as the choice of the first part is concerned?
    fn is_first_image(&self, number: usize, key: u128) -> bool {
        let Some(RingTurns { first, .. }) = &self.ring else { return true };
        if number + 1 != first.len() {
            return true;
        }
        let length = first.len();
        let chosen: Vec<bool> = first.iter().map(|&slot| slot_state(key, slot) == 2).collect();
        let turned = |by: usize| (0..length).map(move |place| (place + by) % length);
        let mirrored = |by: usize| (0..length).map(move |place| (2 * length + by - place) % length);
        (0..length).all(|by| {
            chosen.iter().copied().le(turned(by).map(|place| chosen[place]))
                && chosen.iter().copied().le(mirrored(by).map(|place| chosen[place]))
        })
    }

    /// The largest loss after a step, if all of the loss is `limit`.
    fn loss_share(&self, number: usize, limit: u32) -> u32 {
        match &self.ring {
            None => limit,
            Some(RingTurns { parts, .. }) => {
                let part = number * parts / self.plan.steps.len() + 1;
                (limit as usize * part / parts) as u32
            }
        }
    }

    /// A size that no dominating set is below, from the bounds alone.
    #[must_use]
    pub fn lower_bound(&self) -> u32 {
        let loss = self.bounds.loss_to_come(0, 0).unwrap_or(0);
        (loss + self.plan.cells).div_ceil(self.plan.reach)
    }

    /// The smallest dominating sets: their size in cells, and the value of all of them.
    ///
    /// # Errors
    /// Too many states, a count that does not fit, or the observer's wish.
    pub fn smallest_sets<V: WayValues>(
        &self,
        values: &V,
        options: SweepOptions,
        observe: LayerObserver<'_>,
    ) -> Result<(u32, V::Value), SweepError> {
        let mut size = self.lower_bound();
        loop {
            let sweep = self.sweep_once(values, size, KeepWays::Least, options, &mut *observe)?;
            if let Some((size, value)) = sweep.found.into_iter().next() {
                return Ok((size, value));
            }
            let tried =
                sweep.least_beyond.map_or(0, |loss| (loss + self.plan.cells).div_ceil(self.plan.reach));
            size = tried.max(size + 1);
        }
    }

    /// The dominating sets of at most `size` cells: with [`KeepWays::Least`] the smallest of them, else by size.
    ///
    /// # Errors
    /// Too many states, a count that does not fit, or the observer's wish.
    pub fn sets_up_to<V: WayValues>(
        &self,
        values: &V,
        size: u32,
        keep: KeepWays,
        options: SweepOptions,
        observe: LayerObserver<'_>,
    ) -> Result<BTreeMap<u32, V::Value>, SweepError> {
        Ok(self.sweep_once(values, size, keep, options, observe)?.found)
    }

    fn sweep_once<V: WayValues>(
        &self,
        values: &V,
        size: u32,
        keep: KeepWays,
        options: SweepOptions,
        observe: LayerObserver<'_>,
    ) -> Result<SweepResult<V::Value>, SweepError> {
        let steps = self.plan.steps.len();
        // So many vertices cover `size * reach` cells. What that is beyond all cells may be covered twice: this is the loss that is left.
        let Some(limit) = (size * self.plan.reach).checked_sub(self.plan.cells) else {
            return Ok(SweepResult { found: BTreeMap::new(), least_beyond: None });
        };
        let shards = options.threads.max(1);
        let mut layer: ShardedLayer<V::Value> = (0..shards).map(|_| Vec::new()).collect();
        layer[0].push(StateEntry { key: 0, loss: 0, value: values.start_value() });
        let mut least_beyond = None;
        for number in 0..steps {
            let run = StepRun { problem: self, values, number, limit, keep, shards };
            let (next, beyond) = run.advance_layer(layer)?;
            layer = next;
            least_beyond = [least_beyond, beyond].into_iter().flatten().min();
            let states: usize = layer.iter().map(Vec::len).sum();
            let note = LayerNote::with_goal("dominating sets", size, states);
            if observe(Progress { done: number + 1, total: steps, unit: "vertices", note }).is_break() {
                return Err(SweepError::Stopped);
            }
            if states > options.most_states {
                return Err(SweepError::States { most: options.most_states, step: number + 1, steps });
            }
        }
        let size = |loss: u32| (loss + self.plan.cells) / self.plan.reach;
        let found = layer.into_iter().flatten().map(|entry| (size(entry.loss), entry.value)).collect();
        Ok(SweepResult { found, least_beyond })
    }
}

struct SweepResult<V> {
    found: BTreeMap<u32, V>,
    /// The smallest bound above the limit.
    least_beyond: Option<u32>,
}

#[derive(Clone, Debug)]
struct StateEntry<V> {
    key: u128,
    loss: u32,
    value: V,
}

/// States, spread by their hash over as many lists as there are threads.
type ShardedLayer<V> = Vec<Vec<StateEntry<V>>>;

/// One step of one sweep.
struct StepRun<'a, V: WayValues> {
    problem: &'a SweepProblem,
    values: &'a V,
    number: usize,
    limit: u32,
    keep: KeepWays,
    shards: usize,
}

impl<V: WayValues> StepRun<'_, V> {
    /// The next layer, and the smallest bound that was above the limit.
    fn advance_layer(
        &self,
        layer: ShardedLayer<V::Value>,
    ) -> Result<(ShardedLayer<V::Value>, Option<u32>), SweepError> {
        if self.shards == 1 || layer.iter().map(Vec::len).sum::<usize>() < 1000 {
            return self.advance_on_one_thread(layer);
        }
        let grown: Vec<ExpandedStates<V::Value>> = run_in_parallel(layer, |part| self.expand_entries(part));
        let beyond = grown.iter().filter_map(|grown| grown.beyond).min();
        let mut columns: Vec<Vec<Vec<StateEntry<V::Value>>>> = (0..self.shards).map(|_| Vec::new()).collect();
        for grown in grown {
            for (column, part) in columns.iter_mut().zip(grown.parts) {
                column.push(part);
            }
        }
        let merged: Result<ShardedLayer<V::Value>, CountOverflow> =
            run_in_parallel(columns, |column| self.merge_entries(column.into_iter().flatten()))
                .into_iter()
                .collect();
        Ok((merged?, beyond))
    }

    fn advance_on_one_thread(
        &self,
        layer: ShardedLayer<V::Value>,
    ) -> Result<(ShardedLayer<V::Value>, Option<u32>), SweepError> {
        let mut grown = self.expand_entries(layer.into_iter().flatten().collect());
        let beyond = grown.beyond;
        for part in &mut grown.parts {
            *part = self.merge_entries(std::mem::take(part).into_iter())?;
        }
        Ok((grown.parts, beyond))
    }

    /// All successors of some states within the limit.
    fn expand_entries(&self, entries: Vec<StateEntry<V::Value>>) -> ExpandedStates<V::Value> {
        let step = &self.problem.plan.steps[self.number];
        let mut parts: ShardedLayer<V::Value> = (0..self.shards).map(|_| Vec::new()).collect();
        let mut beyond: Option<u32> = None;
        let share = self.problem.loss_share(self.number, self.limit);
        for entry in entries {
            expand_state(step, entry.key, self.problem.spins, &mut |key, loss, chosen| {
                let Some(to_come) = self.problem.bounds.loss_to_come(self.number + 1, key) else { return };
                let loss = entry.loss + loss;
                if !self.problem.is_first_image(self.number, key) {
                    return;
                }
                if loss > share {
                    beyond = Some(beyond.map_or(self.limit + 1, |least| least.min(self.limit + 1)));
                    return;
                }
                if loss + to_come > self.limit {
                    beyond = Some(beyond.map_or(loss + to_come, |least| least.min(loss + to_come)));
                    return;
                }
                let value = self.values.extend_way(&entry.value, step.vertex, chosen);
                parts[shard_of_key(key, self.shards)].push(StateEntry { key, loss, value });
            });
        }
        ExpandedStates { parts, beyond }
    }

    /// One entry for every state (and loss, if every loss is kept).
    fn merge_entries(
        &self,
        entries: impl Iterator<Item = StateEntry<V::Value>>,
    ) -> Result<Vec<StateEntry<V::Value>>, CountOverflow> {
        let mut places: HashMap<(u128, u32), usize, BuildHasherDefault<KeyHasher>> = HashMap::default();
        let mut merged: Vec<StateEntry<V::Value>> = Vec::new();
        for entry in entries {
            let level = if self.keep == KeepWays::Every { entry.loss } else { 0 };
            let place = *places.entry((entry.key, level)).or_insert(merged.len());
            match merged.get_mut(place) {
                None => merged.push(entry),
                Some(known) if entry.loss < known.loss => *known = entry,
                Some(known) if entry.loss == known.loss => {
                    self.values.join_ways(&mut known.value, entry.value)?
                }
                Some(_) => {}
            }
        }
        Ok(merged)
    }
}

/// Successors, spread over the shards.
struct ExpandedStates<V> {
    parts: ShardedLayer<V>,
    beyond: Option<u32>,
}

/// One thread for every part.
fn run_in_parallel<A: Send, B: Send>(parts: Vec<A>, work: impl Fn(A) -> B + Sync) -> Vec<B> {
    let work = &work;
    std::thread::scope(|scope| {
        let running: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || work(part))).collect();
        running
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn slot_state(key: u128, slot: usize) -> u32 {
    (key >> (2 * slot)) as u32 & 3
}

/// The bit that holds the spin of a slot.
fn spin_bit(slot: usize) -> u128 {
    1 << (127 - slot)
}

/// Calls `found` with the state, the added loss and whether the vertex is chosen, for every successor of a state.
fn expand_state(step: &PlanStep, key: u128, spins: bool, found: &mut impl FnMut(u128, u32, bool)) {
    let mut covers = 0;
    let mut loss = step.lone;
    let mut chosen = key | 2 << (2 * step.slot);
    // Without spins a vertex has one state, which is kept as spin 0.
    let mut allowed = [true, spins];
    for near in &step.near {
        let state = slot_state(key, near.slot);
        match state {
            0 => {
                loss += near.first;
                chosen |= 1 << (2 * near.slot);
            }
            1 => loss += near.again,
            _ => {
                loss += near.again;
                covers += near.times;
            }
        }
        if spins && state != 2 {
            // A vertex that is not chosen has the spin of such neighbours. A link that is odd turns it over.
            let spin = (key & spin_bit(near.slot) != 0) != near.odd;
            allowed[usize::from(!spin)] = false;
        }
    }
    if let Some(key) = remove_leaving(step, chosen, spins) {
        found(canonical_spins(step, key, spins), loss + step.weight * covers, true);
    }
    let passed = key | u128::from(covers > 0) << (2 * step.slot);
    for spin in [false, true] {
        if allowed[usize::from(spin)] {
            let passed = if spin { passed | spin_bit(step.slot) } else { passed };
            if let Some(key) = remove_leaving(step, passed, spins) {
                found(canonical_spins(step, key, spins), step.weight * covers.saturating_sub(1), false);
            }
        }
    }
}

/// Takes away the vertices that leave; `None` if one of them is not covered.
fn remove_leaving(step: &PlanStep, mut key: u128, spins: bool) -> Option<u128> {
    for leave in &step.leave {
        if slot_state(key, leave.slot) == 0 {
            return None;
        }
        key &= !(3 << (2 * leave.slot));
        if spins {
            key &= !spin_bit(leave.slot);
        }
    }
    Some(key)
}

/// Turning all spins over changes nothing: the first stone of the frontier gets the spin 0.
fn canonical_spins(step: &PlanStep, key: u128, spins: bool) -> u128 {
    if !spins {
        return key;
    }
    let mut stones = step.frontier.iter().filter(|&&slot| slot_state(key, slot) != 2);
    match stones.next() {
        Some(&first) if key & spin_bit(first) != 0 => {
            stones.fold(key ^ spin_bit(first), |key, &slot| key ^ spin_bit(slot))
        }
        _ => key,
    }
}

/// The same mixing as in the hash tables, other bits of it.
fn shard_of_key(key: u128, shards: usize) -> usize {
    if shards == 1 {
        return 0;
    }
    let mut mix = KeyHasher::default();
    mix.write_u128(key);
    (mix.finish() >> 20) as usize % shards
}

/// A fixed hash of keys: two multiplications.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(u128::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 ^= u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_u128(&mut self, number: u128) {
        let (low, high) = (number as u64 ^ self.0, (number >> 64) as u64);
        let mixed = u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
        let mixed = (mixed as u64 ^ (mixed >> 64) as u64 ^ high).wrapping_mul(0xA076_1D64_78BD_642F);
        self.0 = mixed ^ mixed >> 32;
    }
}
