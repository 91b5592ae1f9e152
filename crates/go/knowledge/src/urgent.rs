//! What is seen to before all else: groups of both sides that matter and that the next move decides.
//!
//! D. Fotland, "Knowledge representation in The Many Faces of Go" (1993), section 4: urgent are one's own groups that must be defended
//! quickly, if they cut or are large, and the opponent's that must be captured quickly, if they are large, cut, or stand beside such a
//! group of one's own. The document gives no number for "large" and no rule for "cut"; what is said here of both is a choice of ours.

use ishi_go::{Color, Point};

use crate::analysis::Analysis;
use crate::groups::Group;
use crate::oracle::GroupStrength;
use crate::reasons::{Reason, RuleFamily};

/// A group of so many stones is large.
pub(crate) const LARGE: usize = 6;

/// The groups that are urgent for the side to move, the largest first.
///
/// ```
/// use ishi_go::{BoardSize, Color, Position, Rules};
/// use ishi_knowledge::{Analysis, NoOracle, UrgentGroups};
/// let position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
/// let analysis = Analysis::analyze(&position, &mut NoOracle);
/// assert!(UrgentGroups::for_side(&analysis, Color::Black).is_empty(), "nobody stands anywhere");
/// ```
#[derive(Clone, Debug, Default)]
pub struct UrgentGroups<'a> {
    /// Its own, to be defended.
    pub defend: Vec<&'a Group>,
    /// The opponent's, to be captured.
    pub attack: Vec<&'a Group>,
}

impl<'a> UrgentGroups<'a> {
    /// The urgent groups of a position, seen by one side.
    pub fn for_side(analysis: &'a Analysis, color: Color) -> UrgentGroups<'a> {
        // Groups whose fate the next move decides, the largest first.
        let open = analysis.critical_groups();
        let matters = |group: &Group| group.stones.len() >= LARGE || is_cutting_group(analysis, group);
        let own = open.iter().filter(|group| group.color == color && matters(group));
        let defend: Vec<&Group> = own.copied().collect();
        let is_beside = |group: &Group| defend.iter().any(|own| own.neighbours.contains(&group.name()));
        let others = open.iter().filter(|group| group.color != color && (matters(group) || is_beside(group)));
        let attack = others.copied().collect();
        UrgentGroups { defend, attack }
    }

    /// Is nothing urgent?
    pub fn is_empty(&self) -> bool {
        self.defend.is_empty() && self.attack.is_empty()
    }

    /// Does a reason defend one of the own groups, or attack one of the others?
    pub(crate) fn is_served_by(&self, reason: &Reason) -> bool {
        let stones = [reason.about, reason.other];
        let is_of = |groups: &[&Group]| {
            groups.iter().any(|group| stones.iter().flatten().any(|&stone| group.stones.contains(stone)))
        };
        helps_own_stones(reason.rule.family) && is_of(&self.defend)
            || harms_enemy_stones(reason.rule.family) && is_of(&self.attack)
    }

    /// Is the move the one by which a group's fate is decided?
    pub(crate) fn is_decided_by(&self, mv: Point) -> bool {
        let saves = |group: &&Group| group.fate.is_some_and(|fate| fate.save == Some(mv));
        let kills = |group: &&Group| group.fate.is_some_and(|fate| fate.kill == Some(mv));
        self.defend.iter().any(saves) || self.attack.iter().any(kills)
    }
}

/// Does a group keep two others apart: does it touch two of the other side's groups that are not dead, of which one at least does not
/// live for itself?
pub(crate) fn is_cutting_group(analysis: &Analysis, group: &Group) -> bool {
    let around = group.stones.with_neighbours();
    let touched = |other: &&Group| {
        other.color != group.color
            && other.strength != GroupStrength::Dead
            && !other.stones.intersection(&around).is_empty()
    };
    let parted: Vec<&Group> = analysis.groups.iter().filter(touched).collect();
    parted.len() >= 2 && parted.iter().any(|other| other.strength != GroupStrength::Alive)
}

/// Families whose rules help own stones that are told.
fn helps_own_stones(family: RuleFamily) -> bool {
    matches!(
        family,
        RuleFamily::Save | RuleFamily::Life | RuleFamily::Run | RuleFamily::Race | RuleFamily::Connect
    )
}

/// Families whose rules go against the other side's stones that are told.
fn harms_enemy_stones(family: RuleFamily) -> bool {
    matches!(
        family,
        RuleFamily::Capture | RuleFamily::Life | RuleFamily::Attack | RuleFamily::Race | RuleFamily::Cut
    )
}

#[cfg(test)]
mod tests {
    use ishi_go::{Diagram, Rules};

    use super::*;
    use crate::{NoOracle, ReadingOracle};

    fn analysis(text: &str) -> Analysis {
        let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
        Analysis::analyze(&position, &mut ReadingOracle::default())
    }

    /// White's seven stones around three points live or die by D1.
    const LARGE: &str = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X X X X X X . .
        X O O O O O X . .
        X O . . . O X . .
    ";
    /// The same with five stones, in the corner.
    const SMALL: &str = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X X X X . . . .
        O O O O X . . . .
        . . . O X . . . .
    ";

    #[test]
    fn a_large_group_that_the_next_move_decides_is_urgent_for_both() {
        let analysis = analysis(LARGE);
        let size = ishi_go::BoardSize::square(9).unwrap();
        let decides = size.parse_point("D1").unwrap();
        let (black, white) = (
            UrgentGroups::for_side(&analysis, Color::Black),
            UrgentGroups::for_side(&analysis, Color::White),
        );
        for (groups, other) in [(&black.attack, &black.defend), (&white.defend, &white.attack)] {
            assert_eq!(groups.iter().map(|group| group.stones.len()).collect::<Vec<_>>(), [7]);
            assert!(other.is_empty());
        }
        assert!(black.is_decided_by(decides) && white.is_decided_by(decides));
        assert!(!black.is_decided_by(size.parse_point("C1").unwrap()));
    }

    #[test]
    fn a_small_group_that_cuts_nothing_can_wait() {
        let analysis = analysis(SMALL);
        assert_eq!(analysis.critical_groups().len(), 1, "the next move decides about it");
        assert!(Color::ALL.into_iter().all(|color| UrgentGroups::for_side(&analysis, color).is_empty()));
    }

    #[test]
    fn a_stone_between_two_groups_cuts_and_a_stone_beside_one_does_not() {
        let text = "
            . . . O . . .
            . . . O . . .
            . . X O X . .
            . . . O . . .
            . . . O . . .
        ";
        let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
        let analysis = Analysis::analyze(&position, &mut NoOracle);
        let at = |vertex: &str| analysis.group_at(position.size().parse_point(vertex).unwrap()).unwrap();
        assert!(is_cutting_group(&analysis, at("D3")));
        assert!(!is_cutting_group(&analysis, at("C3")), "White has one group only");
    }
}
