//! Selective cuts: what a shallow search finds far outside the window, a deep one will hardly bring back (Buro,
//! "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal 18, 1995; "Experiments with
//! Multi-ProbCut", 1997). How far is measured: [`search_deviation`].

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

/// The standard deviation, in discs, between searches of `depth` and `shallow` plies with so many empty squares.
///
/// In the middle game: a plane through what 2,100 positions of self-play gave with full searches of 1 to 9 plies
/// (docs/notes/othello.md). To the end the difference is greater; that plane was chosen for the fewest nodes on the
/// FFO positions 40 to 49.
fn search_deviation(empties: u32, depth: u32, shallow: u32) -> f32 {
    let (n, d, s) = (empties as f32, depth as f32, shallow as f32);
    let plane = if depth == empties {
        6.4 + 0.43 * d - 0.42 * s - 0.11 * n
    } else {
        3.9 + 0.40 * d - 0.62 * s - 0.03 * n
    };
    plane.max(1.0)
}

/// A bound on the far side of `alpha`, if a shallow search is sure enough.
pub(super) fn selective_cut<V: Vectors>(
    worker: &mut SearchWorker<'_, V>,
    node: &SearchNode,
    moves: u64,
    alpha: i32,
    depth: u32,
) -> Option<i32> {
    let shallow = 2 * (depth / 4) + depth % 2;
    let shallow = if shallow == 0 { depth - 2 } else { shallow };
    let confidence = worker.confidence;
    let margin =
        |plies| (cut_factor(confidence) * search_deviation(node.empties, depth, plies)).round() as i32;
    let (sure, now) = (margin(shallow), margin(0));
    let value = worker.static_estimate(node, moves);
    let beta = alpha + 1;
    // The shallow searches may be selective themselves. Upward: only where the static value hints at it.
    let high = beta + sure;
    if value >= beta - now / 4 && high < 64 {
        let score = worker.search_null_window(node, high - 1, shallow);
        if score >= high && !worker.halted {
            return Some(beta);
        }
    }
    let low = alpha - sure;
    if value <= alpha + now / 4 && low > -64 {
        let score = worker.search_null_window(node, low, shallow);
        if score <= low && !worker.halted {
            return Some(alpha);
        }
    }
    None
}
