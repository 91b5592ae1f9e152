//! Selective cuts: what a shallow search finds far outside the window, a deep one will hardly bring back (Buro,
//! "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal 18, 1995; "Experiments with
//! Multi-ProbCut", 1997). How far is measured: [`search_deviation`].

use std::sync::LazyLock;

use ishi_othello::simd::Vectors;

use super::CutConfidence;
use super::worker::{SearchNode, SearchWorker};

/// No cuts below this depth.
pub(super) const LEAST_DEPTH: u32 = 3;

/// How many standard deviations a cut must be off.
fn cut_factor(confidence: CutConfidence) -> f32 {
    match confidence {
        CutConfidence::Low => 0.9,
        CutConfidence::Fair => 1.5,
        CutConfidence::Good => 2.0,
        CutConfidence::High => 2.6,
        CutConfidence::Full => 1000.0,
    }
}

/// Numbers of empty squares, and of plies: 0 to 64.
const COUNTS: usize = 65;

/// [`measured_deviation`] by empty squares and depth, for the shallow search of a cut ([`shallow_depth`]).
static DEVIATIONS: LazyLock<Box<[[f32; COUNTS]; COUNTS]>> = LazyLock::new(|| {
    let deviation = |empties, depth| match depth >= LEAST_DEPTH {
        true => measured_deviation(empties, depth, shallow_depth(depth)),
        false => 0.0,
    };
    Box::new(std::array::from_fn(|n| std::array::from_fn(|d| deviation(n as u32, d as u32))))
});

/// The standard deviation, in discs, between full searches of `depth` and `shallow` plies in the middle game: a fit to what 1,500 positions
/// of self-play gave with 1 to 8 plies (docs/notes/othello.md).
fn measured_deviation(empties: u32, depth: u32, shallow: u32) -> f32 {
    let (n, more, s) = (empties as f32, (depth - shallow) as f32, shallow as f32);
    5.72 * (-0.0131 * n).exp() * more.powf(0.3) / (1.0 + s).powf(0.39)
}

/// The standard deviation, in discs, between a search of `depth` plies and the shallow one of its cuts, with so many empty squares.
///
/// To the end the difference is greater than in the middle game. That plane was chosen for the fewest nodes on the FFO positions 40 to 49.
fn search_deviation(empties: u32, depth: u32) -> f32 {
    let (n, d, s) = (empties as f32, depth as f32, shallow_depth(depth) as f32);
    let deviation = match depth == empties {
        true => 6.4 + 0.43 * d - 0.42 * s - 0.11 * n,
        false => DEVIATIONS[empties as usize][depth as usize],
    };
    deviation.max(1.0)
}

/// How far the static value may lie on this side of the bound for a shallow search to be tried, in discs for a deviation. The planes were fitted
/// to the evaluation before this one, without a shallow search.
fn hint_deviation(empties: u32, depth: u32) -> f32 {
    let (n, d) = (empties as f32, depth as f32);
    let plane = if depth == empties { 6.4 + 0.43 * d - 0.11 * n } else { 3.9 + 0.40 * d - 0.03 * n };
    plane.max(1.0) / 4.0
}

/// The easiest cuts to the end before a proof are narrower by this factor: they only put moves in order.
const PREPARING_WIDTH: f32 = 0.8;

/// The plies of the search that decides on a cut of a search of `depth` plies: about half of them, with the same side to move at the end.
fn shallow_depth(depth: u32) -> u32 {
    match 2 * (depth / 4) + depth % 2 {
        0 => depth - 2,
        shallow => shallow,
    }
}

/// A bound on the far side of `alpha`, if a shallow search is sure enough.
#[inline(always)]
pub(super) fn selective_cut<V: Vectors>(
    worker: &mut SearchWorker<'_, V>,
    node: &SearchNode,
    alpha: i32,
    depth: u32,
) -> Option<i32> {
    let shallow = shallow_depth(depth);
    let width = if worker.preparing && depth == node.empties { PREPARING_WIDTH } else { 1.0 };
    let factor = width * cut_factor(worker.confidence);
    let sure = (factor * search_deviation(node.empties, depth)).round() as i32;
    let hint = (factor * hint_deviation(node.empties, depth)).round() as i32;
    let value = node.value_in_discs(worker);
    let beta = alpha + 1;
    // The shallow searches may be selective themselves. Upward: only where the static value hints at it.
    let high = beta + sure;
    if value >= beta - hint && high < 64 {
        let score = worker.search_null_window(node, high - 1, shallow);
        if score >= high && !worker.halted {
            return Some(beta);
        }
    }
    let low = alpha - sure;
    if value <= alpha + hint && low > -64 {
        let score = worker.search_null_window(node, low, shallow);
        if score <= low && !worker.halted {
            return Some(alpha);
        }
    }
    None
}
