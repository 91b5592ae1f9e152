//! How long a review still takes. It goes from the last move of a game to the first: ends of games are solved, and take other times than the moves before.

use std::time::Duration;

use ishi_othello_play::levels::Level;

/// Moves of one sort: those that are solved, or the others.
#[derive(Clone, Copy, Debug, Default)]
struct SortOfMoves {
    left: u32,
    done: u32,
    spent: Duration,
}

impl SortOfMoves {
    /// `None` if nothing is known of how long one takes.
    fn seconds_left(&self) -> Option<f64> {
        match (self.left, self.done) {
            (0, _) => Some(0.0),
            (_, 0) => None,
            (left, done) => Some(f64::from(left) * self.spent.as_secs_f64() / f64::from(done)),
        }
    }
}

/// How fast moves are judged, and how many are left. What is known already is neither.
pub(super) struct ReviewPace {
    level: Level,
    /// The moves of the middle game, and those that are solved.
    sorts: [SortOfMoves; 2],
}

impl ReviewPace {
    /// The pace of a review of positions with so many empty squares.
    pub(super) fn new(level: Level, empties: impl Iterator<Item = u32>) -> ReviewPace {
        let mut pace = ReviewPace { level, sorts: Default::default() };
        empties.for_each(|empties| pace.sort_of(empties).left += 1);
        pace
    }

    fn sort_of(&mut self, empties: u32) -> &mut SortOfMoves {
        let is_solved = empties <= self.level.effort_in_discs(empties).exact;
        &mut self.sorts[usize::from(is_solved)]
    }

    /// A move was judged.
    pub(super) fn note_judged(&mut self, empties: u32, spent: Duration) {
        let sort = self.sort_of(empties);
        sort.left = sort.left.saturating_sub(1);
        sort.done += 1;
        sort.spent += spent;
    }

    /// `None` as long as no move of some sort that is left was judged.
    pub(super) fn seconds_left(&self) -> Option<f64> {
        self.sorts.iter().map(SortOfMoves::seconds_left).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_game_says_nothing_of_the_middle() {
        let level = Level::new(12).unwrap();
        let mut pace = ReviewPace::new(level, [50, 51, 52, 53, 2, 3].into_iter());
        assert_eq!(pace.seconds_left(), None);
        pace.note_judged(2, Duration::from_secs(1));
        pace.note_judged(3, Duration::from_secs(3));
        assert_eq!(pace.seconds_left(), None, "no move of the middle was judged");
        pace.note_judged(50, Duration::from_secs(10));
        assert_eq!(pace.seconds_left(), Some(30.0));
        pace.note_judged(51, Duration::from_secs(20));
        assert_eq!(pace.seconds_left(), Some(30.0));
        [52, 53].into_iter().for_each(|empties| pace.note_judged(empties, Duration::ZERO));
        assert_eq!(pace.seconds_left(), Some(0.0));
    }

    #[test]
    fn ends_alone_are_foretold_by_ends() {
        let mut pace = ReviewPace::new(Level::new(12).unwrap(), [2, 3, 4].into_iter());
        pace.note_judged(2, Duration::from_secs(2));
        assert_eq!(pace.seconds_left(), Some(4.0));
    }
}
