//! `perft` for Go: the number of move sequences of each length, with what the last moves did.
//!
//! The name and the use are chess programming's: a wrong count shows that some rule is broken, the detailed counts
//! show which. The two colours alternate, a pass is a move, and a sequence goes no further once the game is over
//! ([`Position::is_over`]). Every sequence is counted; nothing is folded by symmetry or transposition.

use std::fmt;
use std::ops::AddAssign;

use ishi_work::Stop;

use crate::moves::Move;
use crate::position::{BrokenRule, Position};

/// What happened at one depth, summed over all sequences that reach it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PerftCounts {
    /// Legal sequences of this length.
    pub sequences: u64,
    /// Those that end with a pass.
    pub passes: u64,
    /// Those that end the game.
    pub ends: u64,
    /// Those whose last move captures.
    pub captures: u64,
    /// Stones that these moves capture.
    pub captured: u64,
    /// Those whose last move is a suicide.
    pub suicides: u64,
    /// Last moves refused as suicide.
    pub refused_suicide: u64,
    /// Last moves refused as the retaking of a ko.
    pub refused_ko: u64,
    /// Last moves refused by superko.
    pub refused_superko: u64,
}

impl PerftCounts {
    /// The fields by name, in the order of [`fmt::Display`].
    pub fn named_fields(&self) -> [(&'static str, u64); 9] {
        [
            ("sequences", self.sequences),
            ("passes", self.passes),
            ("ends", self.ends),
            ("captures", self.captures),
            ("captured", self.captured),
            ("suicides", self.suicides),
            ("refused-suicide", self.refused_suicide),
            ("refused-ko", self.refused_ko),
            ("refused-superko", self.refused_superko),
        ]
    }
}

/// The numbers in the order of [`PerftCounts::named_fields`], separated by spaces.
impl fmt::Display for PerftCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named_fields().map(|(_, number)| number.to_string()).join(" "))
    }
}

impl AddAssign for PerftCounts {
    fn add_assign(&mut self, other: PerftCounts) {
        self.sequences += other.sequences;
        self.passes += other.passes;
        self.ends += other.ends;
        self.captures += other.captures;
        self.captured += other.captured;
        self.suicides += other.suicides;
        self.refused_suicide += other.refused_suicide;
        self.refused_ko += other.refused_ko;
        self.refused_superko += other.refused_superko;
    }
}

/// Counts the sequences of 1, 2, ... `depth` moves from a position; entry `n` is for `n + 1` moves.
///
/// ```
/// use ishi_go::{BoardSize, Position, Rules, perft};
/// let empty = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
/// let counts = perft::count_move_sequences(&empty, 2);
/// assert_eq!(counts[0].sequences, 82);
/// assert_eq!(counts[1].sequences, 81 * 81 + 82);
/// ```
pub fn count_move_sequences(position: &Position, depth: usize) -> Vec<PerftCounts> {
    count_move_sequences_until(position, depth, &|| false).unwrap_or_default()
}

/// [`count_move_sequences`], which asks before every move whether to stop; `None` if it was stopped.
pub fn count_move_sequences_until(
    position: &Position,
    depth: usize,
    stop: &dyn Stop,
) -> Option<Vec<PerftCounts>> {
    let mut counts = vec![PerftCounts::default(); depth];
    add_sequences(&mut position.clone(), &mut counts, stop).then_some(counts)
}

/// Adds the sequences from here to `counts`, whose first entry is for the next move; false if stopped.
fn add_sequences(position: &mut Position, counts: &mut [PerftCounts], stop: &dyn Stop) -> bool {
    let Some((here, deeper)) = counts.split_first_mut() else { return true };
    if position.is_over() {
        return true;
    }
    let points = position.size().points().map(Move::Play);
    for mv in std::iter::once(Move::Pass).chain(points) {
        if !play_and_count(position, mv, here) {
            continue;
        }
        let went_on = !stop.is_requested() && add_sequences(position, deeper, stop);
        position.undo();
        if !went_on {
            return false;
        }
    }
    true
}

/// Plays a move if it is legal, and counts what it does or why it is refused.
fn play_and_count(position: &mut Position, mv: Move, here: &mut PerftCounts) -> bool {
    match position.play(position.to_move(), mv) {
        Ok(removed) => {
            *here += counts_of_move(position, mv, removed);
            true
        }
        Err(illegal) => {
            match illegal.rule {
                BrokenRule::Suicide => here.refused_suicide += 1,
                BrokenRule::Ko => here.refused_ko += 1,
                BrokenRule::Superko { .. } => here.refused_superko += 1,
                BrokenRule::Occupied { .. } | BrokenRule::Outside { .. } => {}
            }
            false
        }
    }
}

/// The counts of a single move that has just been played.
fn counts_of_move(position: &Position, mv: Move, removed: usize) -> PerftCounts {
    let suicide = mv.point().is_some_and(|point| position.board().color(point).is_none());
    let captured = if suicide { 0 } else { removed as u64 };
    PerftCounts {
        sequences: 1,
        passes: u64::from(mv == Move::Pass),
        ends: u64::from(position.is_over()),
        captures: u64::from(captured > 0),
        captured,
        suicides: u64::from(suicide),
        ..PerftCounts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardSize, Rules};

    #[test]
    fn a_count_can_be_stopped() {
        let empty = Position::new(BoardSize::new(3, 2).unwrap(), Rules::CHINESE);
        assert_eq!(count_move_sequences_until(&empty, 30, &|| true), None);
        assert_eq!(count_move_sequences(&empty, 0), []);
    }
}
