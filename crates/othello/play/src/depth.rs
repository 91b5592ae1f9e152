//! How hard to look, by a depth alone: controllers that set one number mean the middle game by it.

use super::levels::Level;
use super::search::{CutConfidence, LAST_PLIES, SearchEffort};

/// Deeper than any level looks: who asks for so many plies asks for all.
const ALL_PLIES: u32 = 40;

/// Endgames of so many empty squares are solved at once, without easy cuts before.
const SOLVED_AT_ONCE: u32 = 20;

/// So many plies in the middle game, 1 at least, and at the end as the strongest level that looks no deeper. Who asks for 40 plies and more
/// gets a proof. Values are in discs: nothing is known by its sign alone.
///
/// ```
/// use ishi_othello_play::depth::effort_of_depth;
/// use ishi_othello_play::search::CutConfidence;
/// let effort = effort_of_depth(12, 30);
/// assert_eq!(effort.depth, 12);
/// assert!(effort.exact >= 16);
/// assert_eq!(effort_of_depth(60, 8).depth, 8);
/// assert_eq!(effort_of_depth(60, 30).confidence, CutConfidence::Full);
/// ```
pub fn effort_of_depth(depth: u32, empties: u32) -> SearchEffort {
    let depth = depth.clamp(1, 60);
    let fits = |level: &Level| level.effort(60).depth <= depth;
    let level = Level::all().rev().find(fits).unwrap_or(Level::LOWEST);
    let effort = level.effort_in_discs(60);
    let confidence = if depth >= ALL_PLIES { CutConfidence::Full } else { effort.confidence };
    SearchEffort { depth: depth.min(empties.max(1)), confidence, ..effort }
}

/// The looks of an analysis, easy ones first: so many plies at most, 1 at least. One of all plies goes on to the end of the game, with surer and surer
/// cuts, and its last look is a proof. No other look of it is without cuts: deep ones would take longer than those that go to the end with cuts.
///
/// ```
/// use ishi_othello_play::depth::analysis_efforts;
/// let looks = analysis_efforts(60, 30);
/// let to_end = looks.iter().filter(|look| look.depth == 30);
/// let cuts: Vec<u32> = to_end.map(|look| look.confidence.percent()).collect();
/// assert_eq!(cuts, [63, 87, 95, 99, 100]);
/// assert_eq!(looks.last().unwrap().exact, 30);
/// assert_eq!(analysis_efforts(8, 30).len(), 8);
/// ```
pub fn analysis_efforts(most: u32, empties: u32) -> Vec<SearchEffort> {
    let empties = empties.max(1);
    let is_to_end = most >= empties;
    let in_middle = if is_to_end { empties.saturating_sub(LAST_PLIES) } else { most.max(1) };
    let surest = if is_to_end { CutConfidence::High } else { CutConfidence::Full };
    let middle = (1..=in_middle)
        .map(|depth| effort_of_depth(depth, empties))
        .map(|effort| SearchEffort { confidence: effort.confidence.min(surest), ..effort });
    let is_wanted = |confidence: &CutConfidence| {
        is_to_end && (empties > SOLVED_AT_ONCE || *confidence == CutConfidence::Full)
    };
    let to_end = CutConfidence::ALL.into_iter().filter(is_wanted);
    middle.chain(to_end.map(|confidence| effort_to_end(confidence, empties))).collect()
}

/// To the end of the game, with these cuts; without cuts a proof.
fn effort_to_end(confidence: CutConfidence, empties: u32) -> SearchEffort {
    let exact = if confidence == CutConfidence::Full { empties } else { 0 };
    SearchEffort { depth: empties, exact, win_loss: exact, confidence }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the position, an analysis of all plies looks ever harder, and ends with a proof.
    #[test]
    fn an_analysis_of_all_plies_ends_with_a_proof() {
        for empties in 1..=60 {
            let looks = analysis_efforts(60, empties);
            let last = looks.last().unwrap();
            assert_eq!((last.depth, last.exact), (empties, empties));
            let without_cuts = looks.iter().filter(|look| look.confidence == CutConfidence::Full);
            assert_eq!(without_cuts.count(), 1, "{empties}: the proof alone is without cuts");
            for (before, look) in looks.iter().zip(&looks[1..]) {
                let is_deeper = look.depth > before.depth;
                let is_surer = look.depth == before.depth
                    && (look.confidence > before.confidence || look.exact > before.exact);
                assert!(is_deeper || is_surer, "{empties}: {before:?}, then {look:?}");
            }
        }
    }

    #[test]
    fn an_analysis_of_fewer_plies_ends_with_them() {
        for (most, empties) in [(0, 60), (1, 60), (12, 13), (29, 30), (45, 60)] {
            let looks = analysis_efforts(most, empties);
            let depths: Vec<u32> = looks.iter().map(|look| look.depth).collect();
            assert_eq!(depths, (1..=most.max(1)).collect::<Vec<_>>());
            assert!(looks.iter().all(|&look| look == effort_of_depth(look.depth, empties)));
        }
        // Who asks for many plies and not for all gets them without cuts.
        assert_eq!(analysis_efforts(45, 60).last().unwrap().confidence, CutConfidence::Full);
    }
}
