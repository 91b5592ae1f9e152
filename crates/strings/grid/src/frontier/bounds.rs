//! Lower bounds on the loss to come: exact tables of relaxed problems on disjoint regions of a graph.
//!
//! The problem of a region knows only the region's own vertices. A vertex with a neighbour outside may be covered from
//! there for nothing. Every loss of the whole problem is a loss of at most one region, so the bounds of disjoint
//! regions add up.

use std::sync::Arc;

use super::fold::{self, SeamArms};
use super::plan::{PlanStep, SweepPlan};

/// No completion.
pub(super) const NEVER: u8 = u8::MAX;
/// Largest bound that a table holds; larger ones are cut to it, which is still a lower bound.
pub(super) const MOST: u32 = NEVER as u32 - 1;
/// Slots that the conversion of keys takes together.
const GROUP: usize = 5;
/// Three states to the power of [`GROUP`].
const GROUP_STATES: usize = 243;
/// Most slots of a region with a table: 3^13 entries a step.
pub const MOST_SLOTS: usize = 13;

/// The tables of one region: one for every step, shared where nothing changes.
#[derive(Debug)]
struct RegionTables {
    base: usize,
    mask: u32,
    tables: Vec<Arc<Vec<u8>>>,
}

/// The tables of all regions of a plan.
#[derive(Debug)]
pub struct RegionBounds {
    regions: Vec<RegionTables>,
    ternary: Vec<u16>,
    /// The bounds of the states after at most so many steps are too large by the second number.
    shifted: (usize, u32),
}

impl RegionBounds {
    /// Tables of the regions below `count`, on up to `threads` threads.
    pub(super) fn new(plan: &SweepPlan, count: usize, threads: usize) -> RegionBounds {
        let mut regions: Vec<Option<RegionTables>> = (0..count).map(|_| None).collect();
        let wanted: Vec<usize> = (0..count).filter(|&region| plan.region_slots(region) > 0).collect();
        for group in wanted.chunks(threads.max(1)) {
            let built: Vec<RegionTables> = std::thread::scope(|scope| {
                let running: Vec<_> =
                    group.iter().map(|&region| scope.spawn(move || build_region(plan, region))).collect();
                running.into_iter().filter_map(|handle| handle.join().ok()).collect()
            });
            for (&region, built) in group.iter().zip(built) {
                regions[region] = Some(built);
            }
        }
        RegionBounds {
            regions: regions.into_iter().flatten().collect(),
            ternary: ternary_table(),
            shifted: (0, 0),
        }
    }

    /// The bound for a state of the frontier after `steps` steps; `None` if it cannot be completed.
    pub(super) fn loss_to_come(&self, steps: usize, key: u128) -> Option<u32> {
        let mut sum = 0;
        for region in &self.regions {
            let bits = (key >> (2 * region.base)) as u32 & region.mask;
            match region.tables[steps][self.table_index(bits)] {
                NEVER => return None,
                bound => sum += u32::from(bound),
            }
        }
        let (until, shift) = self.shifted;
        Some(if steps <= until { sum.saturating_sub(shift) } else { sum })
    }

    /// Makes the bounds of the first two regions work together until the end of `arms.until` steps: see
    /// [`fold`].
    pub(super) fn couple_regions(&mut self, plan: &SweepPlan, arms: &SeamArms) {
        let bases = [plan.bases[0], plan.bases[1]];
        let ways: [Vec<u8>; 2] = [0, 1].map(|region| {
            let mut table = vec![NEVER; self.regions[region].tables[0].len()];
            table[0] = 0;
            for step in plan.steps[..arms.until].iter().filter(|step| touches_region(step, region)) {
                table = table_after(step, region, bases[region], &table);
            }
            table
        });
        let (ends, shift) = fold::share_loss(arms, &ways, bases);
        for (region, end) in ends.into_iter().enumerate() {
            let mut table = Arc::new(end);
            self.regions[region].tables[arms.until] = Arc::clone(&table);
            for number in (0..arms.until).rev() {
                let step = &plan.steps[number];
                if touches_region(step, region) {
                    table = Arc::new(table_before(step, region, bases[region], &table));
                }
                self.regions[region].tables[number] = Arc::clone(&table);
            }
        }
        self.shifted = (arms.until, shift);
    }

    /// Two bits a slot to a number in base 3.
    fn table_index(&self, bits: u32) -> usize {
        let group = |shift: usize| usize::from(self.ternary[(bits >> shift & 1023) as usize]);
        group(0) + GROUP_STATES * (group(2 * GROUP) + GROUP_STATES * group(4 * GROUP))
    }
}

fn ternary_table() -> Vec<u16> {
    let digit = |bits: u16, slot: usize| (bits >> (2 * slot) & 3).min(2);
    (0..1 << (2 * GROUP))
        .map(|bits| (0..GROUP).rev().fold(0, |sum, slot| 3 * sum + digit(bits, slot)))
        .collect()
}

fn touches_region(step: &PlanStep, region: usize) -> bool {
    step.region == region || step.leave.iter().any(|leave| leave.region == region)
}

/// From the last step back to the first.
fn build_region(plan: &SweepPlan, region: usize) -> RegionTables {
    let base = plan.bases[region];
    let width = plan.region_slots(region);
    let size = 3_usize.pow(width as u32);
    let mut table = Arc::new(vec![NEVER; size]);
    if let Some(table) = Arc::get_mut(&mut table) {
        table[0] = 0;
    }
    let mut tables = vec![Arc::clone(&table)];
    for step in plan.steps.iter().rev() {
        // A step elsewhere changes nothing here: the table before it is the one after it.
        if touches_region(step, region) {
            table = Arc::new(table_before(step, region, base, &table));
        }
        tables.push(Arc::clone(&table));
    }
    tables.reverse();
    RegionTables { base, mask: (1_u32 << (2 * width)) - 1, tables }
}

/// States of the slots of a region.
type RegionDigits = [u8; MOST_SLOTS + 1];

/// The table before a step from the one after it. Entries whose free slots are not 0 mean nothing.
fn table_before(step: &PlanStep, region: usize, base: usize, after: &[u8]) -> Vec<u8> {
    let mut table = vec![NEVER; after.len()];
    let mut digits: RegionDigits = [0; MOST_SLOTS + 1];
    for entry in &mut table {
        for (index, loss) in successors(step, region, base, &digits).into_iter().flatten() {
            if after[index] != NEVER {
                // A bound may be too low, but never too high: what a byte cannot hold is cut.
                *entry = (*entry).min((u32::from(after[index]) + loss).min(MOST) as u8);
            }
        }
        increment_digits(&mut digits);
    }
    table
}

/// The least loss on the way to every state after a step from the one before it.
fn table_after(step: &PlanStep, region: usize, base: usize, before: &[u8]) -> Vec<u8> {
    let mut table = vec![NEVER; before.len()];
    let mut digits: RegionDigits = [0; MOST_SLOTS + 1];
    for &known in before {
        if known != NEVER {
            for (index, loss) in successors(step, region, base, &digits).into_iter().flatten() {
                table[index] = table[index].min((u32::from(known) + loss).min(MOST) as u8);
            }
        }
        increment_digits(&mut digits);
    }
    table
}

/// The next number in base 3.
fn increment_digits(digits: &mut RegionDigits) {
    for digit in digits {
        *digit += 1;
        if *digit < 3 {
            return;
        }
        *digit = 0;
    }
}

/// What a step makes of a state of one region: with the new vertex chosen and not chosen, the state and the loss.
fn successors(
    step: &PlanStep,
    region: usize,
    base: usize,
    digits: &RegionDigits,
) -> [Option<(usize, u32)>; 2] {
    if step.region != region {
        return [remove_leaving(step, region, base, *digits).map(|index| (index, 0)), None];
    }
    let slot = step.slot - base;
    // The slot of a vertex that is not placed yet is 0: other numbers of the table are no states.
    if digits[slot] != 0 {
        return [None, None];
    }
    let mut covers = 0;
    let mut chosen = *digits;
    let mut loss = step.lone;
    for near in step.near.iter().filter(|near| near.region == region) {
        let digit = &mut chosen[near.slot - base];
        match *digit {
            0 => {
                *digit = 1;
                loss += near.first;
            }
            1 => loss += near.again,
            _ => {
                covers += near.times;
                loss += near.again;
            }
        }
    }
    loss += step.weight * covers;
    chosen[slot] = 2;
    let mut passed = *digits;
    passed[slot] = u8::from(covers > 0);
    let skipped = step.weight * covers.saturating_sub(1);
    [
        remove_leaving(step, region, base, chosen).map(|index| (index, loss)),
        remove_leaving(step, region, base, passed).map(|index| (index, skipped)),
    ]
}

/// The state without the vertices that leave; none if one of them is not covered.
fn remove_leaving(step: &PlanStep, region: usize, base: usize, mut digits: RegionDigits) -> Option<usize> {
    for leave in step.leave.iter().filter(|leave| leave.region == region) {
        let digit = &mut digits[leave.slot - base];
        if *digit == 0 && !leave.relaxed {
            return None;
        }
        *digit = 0;
    }
    Some(digits.iter().rev().fold(0, |sum, &digit| 3 * sum + usize::from(digit)))
}
