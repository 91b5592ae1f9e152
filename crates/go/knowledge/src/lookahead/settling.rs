//! The small set of patterns that a search for quiet asks: forced local sequences.
//!
//! D. Fotland, "Knowledge representation in The Many Faces of Go" (1993), sections 4 and 8: all patterns are matched once for a move; a
//! small subset of those whose local sequence is plain finds moves in the search for quiet. Here the subset is chosen by rule: patterns
//! by hand whose move cannot wait, and mined ones whose move is nearly always played, if they cut, connect, enclose, break out or are
//! about eyes. Of the moves only those near the last move count: what is forced follows from it.

use std::sync::LazyLock;

use ishi_go::{Point, Position};
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::library::{MovePurpose, Pattern, PatternIndex, PatternLibrary};

use crate::analysis::Analysis;
use crate::fates::GroupFates;

/// A mined pattern's move is forced if it was played in so large a share of the places where the pattern was seen.
const FORCED: f64 = 0.75;
/// Lines around the last move within which an answer is local.
const LOCAL: usize = 3;

/// The subset, made ready once.
static SUBSET: LazyLock<PatternIndex> = LazyLock::new(|| {
    let mut subset = PatternLibrary::default();
    for pattern in
        PatternIndex::shipped().library().patterns().iter().filter(|pattern| is_forced_local(pattern))
    {
        subset.add_pattern(pattern.clone()).expect("each name stands once in the whole library");
    }
    PatternIndex::new(subset)
});

fn is_forced_local(pattern: &Pattern) -> bool {
    let is_local = !matches!(
        pattern.purpose(),
        MovePurpose::Endgame | MovePurpose::Invade | MovePurpose::Prevent | MovePurpose::Shape
    );
    let first = &pattern.moves[0];
    let share = f64::from(first.played) / f64::from(pattern.seen.max(1));
    is_local && if pattern.seen == 0 { first.kind == MoveKind::Urgent } else { share >= FORCED }
}

/// Patterns that a search for quiet asks, and those of the whole database.
pub fn count_settling_patterns() -> [usize; 2] {
    [&*SUBSET, PatternIndex::shipped()].map(|index| index.library().patterns().len())
}

/// The moves that the subset has for the side to move near the last move, the most usual first.
pub(super) fn settling_moves(position: &Position, analysis: &Analysis) -> Vec<Point> {
    let Some(last) = position.last_move().and_then(|(_, mv)| mv.point()) else { return Vec::new() };
    let (board, color) = (position.board(), position.to_move());
    let mut found: Vec<(f64, Point)> = Vec::new();
    let near = board.size().points().filter(|point| point.lines_to(last) <= LOCAL);
    for at in near.filter(|&point| board.color(point).is_none()) {
        for matched in SUBSET.find_matches_at(board, at, &GroupFates(analysis)) {
            let pattern = SUBSET.pattern_of(&matched);
            let first = &pattern.moves[0];
            if matched.board_color(first.color) == color {
                let share = f64::from(first.played) / f64::from(pattern.seen.max(1));
                found.push((if pattern.seen == 0 { 1.0 } else { share }, at));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.index().cmp(&b.1.index())));
    found.dedup_by_key(|(_, at)| *at);
    found.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Diagram, Rules};

    use super::*;
    use crate::NoOracle;

    #[test]
    fn the_subset_is_small_and_forced() {
        let [few, all] = count_settling_patterns();
        assert!(few > 0 && few * 4 < all, "{few} of {all}");
    }

    #[test]
    fn a_peep_is_answered() {
        let diagram: Diagram = "
            . . . . . . .
            . . . . . . .
            . . X . X . .
            . . . . . . .
            . . . . . . .
        "
        .parse()
        .unwrap();
        let mut position = diagram.to_position(Rules::CHINESE, Color::White).unwrap();
        let peep = position.size().parse_move("D4").unwrap();
        position.play(Color::White, peep).unwrap();
        let analysis = Analysis::analyze(&position, &mut NoOracle);
        let answers: Vec<String> =
            settling_moves(&position, &analysis).iter().map(Point::to_string).collect();
        assert!(answers.contains(&"D3".to_string()), "{answers:?}");
    }
}
