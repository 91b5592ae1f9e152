//! Bounds that work together where a board is folded: the half turn of a square.
//!
//! The half of a square that stands for its quotient by the half turn is a triangle. Its long side, an antidiagonal, is
//! glued to itself; so the bands along its two short sides form one ring in truth, which the sweep sees as two arms whose
//! ends are far apart until the last antidiagonal, the seam. Two relaxed regions would each take the easiest end.
//!
//! Here the loss to come of the ring is shared between the arms. Let `f(c)` be the least loss with which the left arm,
//! the seam included, leaves the seam in the state `c` (needs cover, covered, chosen), and `g(c)` the least loss with
//! which the right arm completes `c`. For any function `p` the bounds `min over c of (loss of the left arm to c) + p(c)`
//! and `min over c of (loss of the right arm to c) - p(c)` add up to a bound for both. `p = (g - f) / 2` makes each arm
//! know how much its end will cost the other.

use super::bounds::{MOST, NEVER};

/// The two arms after the last step before the seam.
#[derive(Clone, Debug)]
pub(super) struct SeamArms {
    /// Steps before the seam.
    pub(super) until: usize,
    /// Slots of the frontier cells of the left and of the right arm (regions 0 and 1), from the border inwards. Cell
    /// `s` of the seam touches the cells `s - 1` and `s` of both arms.
    pub(super) slots: [Vec<usize>; 2],
}

/// No way.
const FAR: i32 = i32::MAX / 4;
/// Cells of an orbit.
const WEIGHT: i32 = 2;
/// Neighbours that the corner's cells lack.
const CORNER: i32 = 2;

/// Shares the loss to come after the steps before the seam: one table for each arm, and by how much their sum is too
/// large. `ways` are the least losses to every state of each arm, `bases` the first slots of the regions.
pub(super) fn share_loss(arms: &SeamArms, ways: &[Vec<u8>; 2], bases: [usize; 2]) -> ([Vec<u8>; 2], u32) {
    let depth = arms.slots[0].len();
    let ends =
        [0, 1].map(|arm| losses_to_seam(arm, depth, &losses_in_order(arms, arm, bases[arm], &ways[arm])));
    let potential: Vec<i32> = ends[0]
        .iter()
        .zip(&ends[1])
        .map(|(&f, &g)| if f >= FAR || g >= FAR { FAR } else { (g - f).div_euclid(2) })
        .collect();
    let mut shift = 0;
    let tables = [0, 1].map(|arm| {
        let sign = if arm == 0 { 1 } else { -1 };
        let goal = potential.iter().map(|&value| if value >= FAR { FAR } else { sign * value }).collect();
        let costs = losses_from_seam(arm, depth, goal);
        let least = costs.iter().copied().min().unwrap_or(0).min(0);
        shift += -least;
        let mut table = vec![NEVER; ways[arm].len()];
        for (index, &cost) in costs.iter().enumerate() {
            if cost < FAR {
                table[table_entry(arms, arm, bases[arm], index)] = (cost - least).min(MOST as i32) as u8;
            }
        }
        table
    });
    (tables, shift as u32)
}

/// The entry of the region's table that belongs to a state given from the border inwards.
fn table_entry(arms: &SeamArms, arm: usize, base: usize, index: usize) -> usize {
    let mut rest = index;
    arms.slots[arm].iter().fold(0, |sum, slot| {
        let digit = rest % 3;
        rest /= 3;
        sum + digit * 3_usize.pow((slot - base) as u32)
    })
}

fn losses_in_order(arms: &SeamArms, arm: usize, base: usize, table: &[u8]) -> Vec<i32> {
    let size = 3_usize.pow(arms.slots[arm].len() as u32);
    let value = |index| match table[table_entry(arms, arm, base, index)] {
        NEVER => FAR,
        value => i32::from(value),
    };
    (0..size).map(value).collect()
}

/// Least losses to the states of the seam. A state has one digit a place, which belongs to the arm's cell and then to
/// the seam's, and a last one for the arm's cell that the seam has passed but not left.
fn losses_to_seam(arm: usize, depth: usize, ways: &[i32]) -> Vec<i32> {
    let size = ways.len();
    let mut layer = vec![FAR; 3 * size];
    layer[size..2 * size].copy_from_slice(ways);
    for seam in 0..depth {
        let mut next = vec![FAR; 3 * size];
        for (index, &known) in layer.iter().enumerate().filter(|(_, known)| **known < FAR) {
            for (to, loss) in seam_moves(arm, seam, depth, index).into_iter().flatten() {
                next[to] = next[to].min(known + loss);
            }
        }
        layer = next;
    }
    (0..size).map(|index| (0..3).map(|last| layer[index + last * size]).min().unwrap_or(FAR)).collect()
}

/// Least losses from the states of the arm, given what the states of the seam cost.
fn losses_from_seam(arm: usize, depth: usize, goal: Vec<i32>) -> Vec<i32> {
    let size = goal.len();
    let mut layer: Vec<i32> = [&goal[..], &goal, &goal].concat();
    for seam in (0..depth).rev() {
        let least = |index| {
            let known = seam_moves(arm, seam, depth, index)
                .into_iter()
                .flatten()
                .map(|(to, loss): (usize, i32)| if layer[to] >= FAR { FAR } else { layer[to] + loss });
            known.min().unwrap_or(FAR)
        };
        layer = (0..3 * size).map(least).collect();
    }
    layer[size..2 * size].to_vec()
}

/// What becomes of a state when a cell of the seam is put in: at most one way for each state of the cell.
fn seam_moves(arm: usize, seam: usize, depth: usize, index: usize) -> [Option<(usize, i32)>; 3] {
    let (unit, end) = (3_usize.pow(seam as u32), 3_usize.pow(depth as u32));
    let passed = (seam > 0).then_some(index / end);
    let own = index / unit % 3;
    let rest = index % end - own * unit;
    [0, 1, 2].map(|cell| {
        let (passed, own, loss) = put_seam_cell(arm, seam, cell, passed, own)?;
        (passed != Some(0)).then_some((rest + cell * unit + own * end, loss))
    })
}

/// The arm's cells and the loss after a cell of the seam got the state `cell`: for the left arm the state that it leaves
/// behind, for the right arm the state that it completes.
fn put_seam_cell(
    arm: usize,
    seam: usize,
    cell: usize,
    passed: Option<usize>,
    own: usize,
) -> Option<(Option<usize>, usize, i32)> {
    let chosen = usize::from(passed == Some(2)) + usize::from(own == 2);
    let near = WEIGHT * chosen as i32;
    if cell == 2 {
        let covered = usize::from(passed.is_some_and(|state| state > 0)) + usize::from(own > 0);
        let lone = if arm == 0 && seam == 0 { WEIGHT * CORNER } else { 0 };
        return Some((passed.map(|state| state.max(1)), own.max(1), lone + near + WEIGHT * covered as i32));
    }
    let loss = match (arm, cell, chosen) {
        // The left arm leaves behind what its own cells make of the seam.
        (0, 0, 0) => 0,
        (0, 1, 1..) => near - WEIGHT,
        (0, ..) => return None,
        // The right arm must cover what is not covered yet.
        (_, 0, 0) => return None,
        (_, 0, _) => near - WEIGHT,
        _ => near,
    };
    Some((passed, own, loss))
}
