//! What patterns ask about groups.

use ishi_go::{Board, Point};
use ishi_patterns::library::{Fate, Fates};

use crate::analysis::Analysis;
use crate::oracle::Strength;

/// Answers patterns' claims "alive" and "dead" from what an analysis says of the group. What lies between
/// is neither.
#[derive(Clone, Copy, Debug)]
pub struct GroupFates<'a>(pub &'a Analysis);

impl Fates for GroupFates<'_> {
    fn fate(&self, _: &Board, stone: Point) -> Option<Fate> {
        match self.0.group(stone)?.strength {
            Strength::Alive => Some(Fate::Alive),
            Strength::Dead => Some(Fate::Dead),
            Strength::Critical | Strength::Weak | Strength::Unsettled | Strength::Stable => None,
        }
    }
}
