//! (min,+) steps over all states of a short frontier, as tables indexed by base-3 numbers.
//!
//! A frontier is a list of points, each 0 (a stone that still needs an empty neighbour), 1 (a stone that has one) or 2
//! (empty); the first point is the lowest digit. Costs are doubled losses, so that a potential may be half a loss.

use super::shape::PointChoices;

/// No way.
pub(super) const NEVER: u16 = u16::MAX;

/// 3 to the power of `digits`.
pub(super) const fn power_of_three(digits: usize) -> usize {
    3usize.pow(digits as u32)
}

/// One step of a path: at most one point joins the frontier, some leave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PathStep {
    /// Length of the frontier before the step.
    pub(super) before: usize,
    /// Positions, before the step, of the new point's neighbours.
    pub(super) near: Vec<usize>,
    /// Positions, before the step, of the points that leave, ascending; and whether one may leave in need, because a
    /// neighbour out of the region may help it.
    pub(super) leave: Vec<(usize, bool)>,
    /// The point that joins at the end: sides of the board's edge it touches, and what it may hold.
    pub(super) join: Option<(u16, PointChoices)>,
    /// Positions, after the step, of points with a neighbour out of the region.
    pub(super) open: Vec<usize>,
}

/// A step compiled: state `source[r] + from` goes to `target[r] + to` at `cost`, for every `r` and every move.
pub(super) struct Kernel {
    source: Vec<u32>,
    target: Vec<u32>,
    moves: Vec<KernelMove>,
    open: Vec<usize>,
    states_before: usize,
    states_after: usize,
}

struct KernelMove {
    from: usize,
    to: usize,
    cost: u16,
}

impl PathStep {
    fn length_after(&self) -> usize {
        self.before - self.leave.len() + usize::from(self.join.is_some())
    }

    /// Positions, before the step, whose digits matter to it, ascending.
    fn touched_positions(&self) -> Vec<usize> {
        let mut touched: Vec<usize> =
            self.near.iter().copied().chain(self.leave.iter().map(|l| l.0)).collect();
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Bytes of the kernel that it is compiled to, but for its few moves.
    pub(super) fn kernel_bytes(&self) -> usize {
        2 * size_of::<u32>() * power_of_three(self.before - self.touched_positions().len())
    }

    /// Bytes of a table of all states before it.
    pub(super) fn table_bytes(&self) -> usize {
        size_of::<u16>() * power_of_three(self.before)
    }

    pub(super) fn compile(&self) -> Kernel {
        let touched = self.touched_positions();
        let places = self.positions_after();
        let (source, target) = untouched_states(self.before, &touched, &places);
        let mut moves = Vec::new();
        for combination in 0..power_of_three(touched.len()) {
            let digits: Vec<usize> =
                (0..touched.len()).map(|i| combination / power_of_three(i) % 3).collect();
            let from =
                touched.iter().zip(&digits).map(|(position, digit)| digit * power_of_three(*position)).sum();
            self.add_moves(from, &touched, &digits, &places, &mut moves);
        }
        let open = self.open.clone();
        Kernel {
            source,
            target,
            moves,
            open,
            states_before: power_of_three(self.before),
            states_after: power_of_three(self.length_after()),
        }
    }

    /// Where each position goes; nothing for those that leave.
    fn positions_after(&self) -> Vec<Option<usize>> {
        let mut next = 0;
        let mut place = |position| {
            if self.leave.iter().any(|(leaving, _)| *leaving == position) {
                return None;
            }
            next += 1;
            Some(next - 1)
        };
        (0..self.before).map(&mut place).collect()
    }

    fn add_moves(
        &self,
        from: usize,
        touched: &[usize],
        digits: &[usize],
        places: &[Option<usize>],
        moves: &mut Vec<KernelMove>,
    ) {
        let near = |position: &usize| self.near.contains(position);
        let around: Vec<usize> =
            touched.iter().zip(digits).filter(|(p, _)| near(p)).map(|(_, d)| *d).collect();
        let empty = around.iter().filter(|digit| **digit == 2).count() as u16;
        let covered = around.iter().filter(|digit| **digit >= 1).count() as u16;
        // A stone that leaves in need never gets a liberty, unless a point out of the region may still be one.
        let target = |digits: &[usize]| -> Option<usize> {
            let mut to = 0;
            for (position, digit) in touched.iter().zip(digits) {
                match places[*position] {
                    Some(place) => to += digit * power_of_three(place),
                    None if *digit == 0 && !self.leave.iter().any(|l| l.0 == *position && l.1) => {
                        return None;
                    }
                    None => {}
                }
            }
            Some(to)
        };
        let Some((edges, choices)) = self.join else {
            moves.extend(target(digits).map(|to| KernelMove { from, to, cost: 0 }));
            return;
        };
        let unit = power_of_three(self.length_after() - 1);
        if choices.stone {
            let joins = unit * usize::from(empty > 0);
            // A stone needs one empty neighbour: each further one is a loss.
            let cost = 2 * empty.saturating_sub(1);
            moves.extend(target(digits).map(|to| KernelMove { from, to: to + joins, cost }));
        }
        if choices.empty {
            let helped: Vec<usize> =
                touched.iter().zip(digits).map(|(p, d)| if near(p) { (*d).max(1) } else { *d }).collect();
            // A side of an empty point is lost at the edge and beside a stone that has a liberty. Between two empty points a side of each is lost, so
            // these count twice.
            let cost = 2 * (edges + empty + covered);
            moves.extend(target(&helped).map(|to| KernelMove { from, to: to + 2 * unit, cost }));
        }
    }
}

/// The states of the positions that a step does not touch, before and after it.
fn untouched_states(before: usize, touched: &[usize], places: &[Option<usize>]) -> (Vec<u32>, Vec<u32>) {
    let (mut source, mut target) = (vec![0u32], vec![0u32]);
    // The highest digit first: the states come in ascending order, and tables are read from front to back.
    for position in (0..before).rev().filter(|position| !touched.contains(position)) {
        let place = places[position].unwrap_or_default();
        let spread = |states: &[u32], unit: usize| -> Vec<u32> {
            states.iter().flat_map(|state| (0..3).map(move |digit| state + digit * unit as u32)).collect()
        };
        source = spread(&source, power_of_three(position));
        target = spread(&target, power_of_three(place));
    }
    (source, target)
}

impl Kernel {
    /// The couplings of the cut, see `cut.rs`: one step of the zigzag.
    pub(super) fn for_zigzag(digits: usize, last: bool) -> Kernel {
        let touched: &[usize] = if last { &[0] } else { &[0, 1] };
        let places: Vec<Option<usize>> = (0..digits).map(|position| position.checked_sub(1)).collect();
        let (source, target) = untouched_states(digits, touched, &places);
        let mut moves = Vec::new();
        for first in 0..3 {
            for second in if last { 0..1 } else { 0..3usize } {
                let second = (!last).then_some(second);
                for other in 0..3 {
                    if let Some((to, cost)) = couple_seam_point(first, second, other) {
                        let from = first + 3 * second.unwrap_or(0);
                        moves.push(KernelMove { from, to: to + other * power_of_three(digits - 1), cost });
                    }
                }
            }
        }
        let states = power_of_three(digits);
        Kernel { source, target, moves, open: Vec::new(), states_before: states, states_after: states }
    }

    /// Cheapest way on from every state, given that from every state after the step.
    pub(super) fn step_backward(&self, after: &[u16]) -> Vec<u16> {
        debug_assert_eq!(after.len(), self.states_after);
        let mut before = vec![NEVER; self.states_before];
        for step in &self.moves {
            for (source, target) in self.source.iter().zip(&self.target) {
                let value = after[*target as usize + step.to].saturating_add(step.cost);
                let best = &mut before[*source as usize + step.from];
                *best = (*best).min(value);
            }
        }
        before
    }

    /// Cheapest way to every state, given that to every state before the step. Points in need may be helped from out of
    /// the region, for nothing.
    pub(super) fn step_forward(&self, before: &[u16]) -> Vec<u16> {
        debug_assert_eq!(before.len(), self.states_before);
        let mut after = vec![NEVER; self.states_after];
        for step in &self.moves {
            for (source, target) in self.source.iter().zip(&self.target) {
                let value = before[*source as usize + step.from].saturating_add(step.cost);
                let best = &mut after[*target as usize + step.to];
                *best = (*best).min(value);
            }
        }
        for position in &self.open {
            let unit = power_of_three(*position);
            for states in after.chunks_exact_mut(3 * unit) {
                let (in_need, others) = states.split_at_mut(unit);
                for (helped, free) in others[..unit].iter_mut().zip(in_need) {
                    *helped = (*helped).min(*free);
                }
            }
        }
        after
    }
}

/// A point of one side (`other`, seen from its own side) between two points of the other side: the doubled cost, and the
/// digit of `second` afterwards; nothing if `first`, which has no other neighbour left, stays in need or `other` does.
/// Without a `second`, `other`'s second neighbour is out of the band and may help it.
fn couple_seam_point(first: usize, second: Option<usize>, other: usize) -> Option<(usize, u16)> {
    let empties = u16::from(first == 2) + u16::from(second == Some(2));
    let mut cost = match other {
        0 if empties == 0 && second.is_some() => return None,
        0 => empties.saturating_sub(1),
        _ => empties,
    };
    if other == 2 {
        cost += u16::from(first >= 1) + u16::from(second.is_some_and(|digit| digit >= 1));
    } else if first == 0 {
        return None;
    }
    let after = second.map_or(0, |digit| if other == 2 { digit.max(1) } else { digit });
    Some((after, 2 * cost))
}
