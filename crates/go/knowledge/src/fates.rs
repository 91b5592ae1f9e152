//! What patterns ask about groups.

use ishi_go::{Board, Point};
use ishi_patterns::library::{FateOracle, GroupFate};

use crate::analysis::Analysis;
use crate::oracle::GroupStrength;

/// Answers patterns' claims "alive" and "dead" from what an analysis says of the group. What lies between
/// is neither.
#[derive(Clone, Copy, Debug)]
pub struct GroupFates<'a>(pub &'a Analysis);

impl FateOracle for GroupFates<'_> {
    fn group_fate(&self, _: &Board, stone: Point) -> Option<GroupFate> {
        match self.0.group_at(stone)?.strength {
            GroupStrength::Alive => Some(GroupFate::Alive),
            GroupStrength::Dead => Some(GroupFate::Dead),
            GroupStrength::Critical
            | GroupStrength::Weak
            | GroupStrength::Unsettled
            | GroupStrength::Stable => None,
        }
    }
}
