//! How hard to look, by a depth alone: controllers that set one number mean the middle game by it.

use super::levels::Level;
use super::search::{CutConfidence, SearchEffort};

/// So many plies in the middle game, 1 at least, and at the end as the strongest level that looks no deeper. Values
/// are in discs: nothing is known by its sign alone.
///
/// ```
/// use ishi_othello_play::depth::effort_of_depth;
/// let effort = effort_of_depth(12, 30);
/// assert_eq!(effort.depth, 12);
/// assert!(effort.exact >= 16);
/// assert_eq!(effort_of_depth(60, 8).depth, 8);
/// ```
pub fn effort_of_depth(depth: u32, empties: u32) -> SearchEffort {
    let depth = depth.clamp(1, 60);
    let fits = |level: &Level| level.effort(60).depth <= depth;
    let level = Level::all().rev().find(fits).unwrap_or(Level::LOWEST);
    let effort = level.effort_in_discs(60);
    let depth = depth.min(empties.max(1));
    // Deeper than any level goes: who asks for all plies gets proof.
    let confidence = if depth >= 40 { CutConfidence::Full } else { effort.confidence };
    SearchEffort { depth, confidence, ..effort }
}
