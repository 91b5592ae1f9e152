//! Lower bounds on the loss to come: exact tables of relaxed problems on disjoint regions of a graph.
//!
//! The problem of a region knows only the region's own vertices. A vertex with a neighbour outside may be covered from
//! there for nothing. Every loss of the whole problem is a loss of at most one region, so the bounds of disjoint
//! regions add up.

use std::sync::Arc;

use super::plan::{Plan, Step};

/// No completion.
const NEVER: u8 = u8::MAX;
/// Largest bound that a table holds; larger ones are cut to it, which is still a lower bound.
const MOST: u32 = NEVER as u32 - 1;
/// Slots that the conversion of keys takes together.
const GROUP: usize = 5;
/// Three states to the power of [`GROUP`].
const GROUP_STATES: usize = 243;
/// Most slots of a region with a table: 3^13 entries a step.
pub const MOST_SLOTS: usize = 13;

/// The tables of one region: one for every step, shared where nothing changes.
#[derive(Debug)]
struct Region {
    base: usize,
    mask: u32,
    tables: Vec<Arc<Vec<u8>>>,
}

/// The tables of all regions of a plan.
#[derive(Debug)]
pub struct Bounds {
    regions: Vec<Region>,
    ternary: Vec<u16>,
}

impl Bounds {
    /// Tables of the regions below `count`, on up to `threads` threads.
    pub(super) fn new(plan: &Plan, count: usize, threads: usize) -> Bounds {
        let mut regions: Vec<Option<Region>> = (0..count).map(|_| None).collect();
        let wanted: Vec<usize> = (0..count).filter(|&region| plan.width(region) > 0).collect();
        for group in wanted.chunks(threads.max(1)) {
            let built: Vec<Region> = std::thread::scope(|scope| {
                let running: Vec<_> =
                    group.iter().map(|&region| scope.spawn(move || build(plan, region))).collect();
                running.into_iter().filter_map(|handle| handle.join().ok()).collect()
            });
            for (&region, built) in group.iter().zip(built) {
                regions[region] = Some(built);
            }
        }
        Bounds { regions: regions.into_iter().flatten().collect(), ternary: ternary() }
    }

    /// The bound for a state of the frontier after `steps` steps; `None` if it cannot be completed.
    pub(super) fn to_come(&self, steps: usize, key: u128) -> Option<u32> {
        let mut sum = 0;
        for region in &self.regions {
            let bits = (key >> (2 * region.base)) as u32 & region.mask;
            match region.tables[steps][self.index(bits)] {
                NEVER => return None,
                bound => sum += u32::from(bound),
            }
        }
        Some(sum)
    }

    /// Two bits a slot to a number in base 3.
    fn index(&self, bits: u32) -> usize {
        let group = |shift: usize| usize::from(self.ternary[(bits >> shift & 1023) as usize]);
        group(0) + GROUP_STATES * (group(2 * GROUP) + GROUP_STATES * group(4 * GROUP))
    }
}

fn ternary() -> Vec<u16> {
    let digit = |bits: u16, slot: usize| (bits >> (2 * slot) & 3).min(2);
    (0..1 << (2 * GROUP))
        .map(|bits| (0..GROUP).rev().fold(0, |sum, slot| 3 * sum + digit(bits, slot)))
        .collect()
}

/// From the last step back to the first.
fn build(plan: &Plan, region: usize) -> Region {
    let base = plan.bases[region];
    let width = plan.width(region);
    let size = 3_usize.pow(width as u32);
    let mut table = Arc::new(vec![NEVER; size]);
    if let Some(table) = Arc::get_mut(&mut table) {
        table[0] = 0;
    }
    let mut tables = vec![Arc::clone(&table)];
    for step in plan.steps.iter().rev() {
        if step.region == region || step.leave.iter().any(|leave| leave.region == region) {
            table = Arc::new(before(step, region, base, width, &table));
        }
        tables.push(Arc::clone(&table));
    }
    tables.reverse();
    Region { base, mask: (1_u32 << (2 * width)) - 1, tables }
}

/// States of the slots of a region.
type Digits = [u8; MOST_SLOTS + 1];

/// The table before a step from the one after it. Entries whose free slots are not 0 mean nothing.
fn before(step: &Step, region: usize, base: usize, width: usize, after: &[u8]) -> Vec<u8> {
    let size = after.len();
    let mut table = vec![NEVER; size];
    let mut digits: Digits = [0; MOST_SLOTS + 1];
    for entry in &mut table {
        let own = step.region == region;
        *entry = if own {
            choose(step, region, base, width, &digits, after)
        } else {
            left(step, region, base, width, digits, after, 0)
        };
        for digit in &mut digits {
            *digit += 1;
            if *digit < 3 {
                break;
            }
            *digit = 0;
        }
    }
    table
}

/// The better of choosing the new vertex and of not choosing it.
fn choose(step: &Step, region: usize, base: usize, width: usize, digits: &Digits, after: &[u8]) -> u8 {
    let slot = step.slot - base;
    if digits[slot] != 0 {
        return NEVER;
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
    left(step, region, base, width, chosen, after, loss)
        .min(left(step, region, base, width, passed, after, skipped))
}

/// Takes away the vertices that leave and looks up the rest.
fn left(
    step: &Step,
    region: usize,
    base: usize,
    width: usize,
    mut digits: Digits,
    after: &[u8],
    loss: u32,
) -> u8 {
    for leave in step.leave.iter().filter(|leave| leave.region == region) {
        let digit = &mut digits[leave.slot - base];
        if *digit == 0 && !leave.relaxed {
            return NEVER;
        }
        *digit = 0;
    }
    let index = digits[..width].iter().rev().fold(0, |sum, &digit| 3 * sum + usize::from(digit));
    match after[index] {
        NEVER => NEVER,
        bound => (u32::from(bound) + loss).min(MOST) as u8,
    }
}
