//! Who gets the last move of a region.

use ishi_othello::{Board, Square};

use super::{ComparedLines, FINISHED_FROM, MistakeCause, PLIES_TOLD, PricedCause, price};
use crate::coach::line::LinePly;
use crate::coach::regions::{ParityRegion, find_regions};

/// Plies within which a region must be filled for its last move to count: so many a player follows at the end of a game.
const PLIES_OF_PARITY: usize = FINISHED_FROM as usize;

/// Empty squares from which on the last move of a region counts.
const PARITY_FROM: u32 = 20;

impl ComparedLines {
    /// Regions whose last square the opponent fills, and would not on the better line.
    pub(super) fn price_last_moves(&self) -> Vec<PricedCause> {
        if self.board.empty_count() > PARITY_FROM {
            return Vec::new();
        }
        let regions = find_regions(self.board);
        let whole = regions.len() == 1;
        let cost = self.price_of_finished(price::LAST_MOVE);
        let is_given = |region: u64| {
            self.played.is_last_of_region_own(region) == Some(false)
                && self.better.is_last_of_region_own(region) == Some(true)
        };
        let given = regions.iter().filter(|region| region.size() > 1 && is_given(region.squares));
        let priced = given.map(|region| {
            let last = self.played.plies.iter().rposition(|ply| region.squares & ply.square.bit() != 0);
            let (size, region) = (region.size(), Square::from_lowest_bit(region.squares));
            let plies = last.map_or(self.played.plies.len(), |last| last + 1);
            PricedCause::new(MistakeCause::GivesLastMove { region, size, whole }, cost, plies)
        });
        // What is filled far away shows nothing that this move has done.
        priced.filter(|priced| priced.plies <= PLIES_OF_PARITY).collect()
    }

    /// The move enters an even region, the best one an odd region, which the opponent enters instead.
    pub(super) fn price_even_region(&self) -> Option<PricedCause> {
        if self.board.empty_count() > PARITY_FROM {
            return None;
        }
        let [played, best] = [self.played.plies.first()?, self.better.plies.first()?].map(|ply| ply.square);
        let (entered, odd) = (find_region_of(self.board, played)?, find_region_of(self.board, best)?);
        if entered.is_odd() || !odd.is_odd() {
            return None;
        }
        let enters = |ply: &LinePly| odd.squares & ply.square.bit() != 0;
        let (number, first) = self.played.plies.iter().enumerate().find(|(_, ply)| enters(ply))?;
        (!first.own && number < PLIES_TOLD).then(|| {
            let cause = MistakeCause::EntersEven { size: entered.size(), odd: best, odd_size: odd.size() };
            PricedCause::new(cause, self.price_of_finished(price::LAST_MOVE), number + 1)
        })
    }
}

/// The region of empty squares with this one.
pub(in crate::coach) fn find_region_of(board: Board, square: Square) -> Option<ParityRegion> {
    find_regions(board).into_iter().find(|region| region.squares & square.bit() != 0)
}

#[cfg(test)]
mod tests {
    use super::super::test_lines::{compare, compare_first_moves, follow_named, found_move, random_board};
    use super::*;
    use crate::coach::contrast::OtherMoves;
    use crate::coach::line::FollowedLine;
    use crate::coach::testing;
    use ishi_othello::iter_squares;

    /// The last move of a region counts where the region is filled soon.
    #[test]
    fn last_moves_far_away_are_not_told() {
        let (mut told, mut far) = (0, 0);
        for seed in 0..300 {
            let board = random_board(seed, 42);
            let Some(lines) = compare_first_moves(board) else { continue };
            let is_given = |region: &ParityRegion| {
                let [played, better] =
                    [&lines.played, &lines.better].map(|line| line.is_last_of_region_own(region.squares));
                region.size() > 1 && played == Some(false) && better == Some(true)
            };
            let given = find_regions(board).iter().filter(|region| is_given(region)).count();
            let found = lines.price_last_moves();
            assert!(found.iter().all(|priced| priced.plies <= PLIES_OF_PARITY), "{board:?} {found:?}");
            told += found.len();
            far += given - found.len();
        }
        assert!(told > 0 && far > 0, "{told} told, {far} far away");
    }

    /// Who enters an even region where the best move enters an odd one is told so, if the other enters the odd one next, and soon.
    #[test]
    fn entering_an_even_region_is_told_where_the_other_takes_the_odd_one() {
        let (mut told, mut own_first) = (0, 0);
        for seed in 0..400 {
            let board = random_board(seed, 46);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            let [played, .., best] = moves[..] else { continue };
            let after = board.play_unchecked(played);
            for answer in iter_squares(after.legal_moves()) {
                let next = iter_squares(after.play_unchecked(answer).legal_moves()).next();
                let line: Vec<Square> = [Some(played), Some(answer), next].into_iter().flatten().collect();
                let line = FollowedLine::new(board, &line);
                let lines = compare(board, line.clone(), FollowedLine::new(board, &[best]));
                let found = lines.price_even_region();
                let [even, odd] = [played, best].map(|square| find_region_of(board, square).unwrap());
                let differs = !even.is_odd() && odd.is_odd();
                let first = line.plies.iter().find(|ply| odd.squares & ply.square.bit() != 0);
                let wanted = differs && first.is_some_and(|ply| !ply.own);
                assert_eq!(found.is_some(), wanted, "{board:?} {played} {answer} {best}");
                own_first += usize::from(differs && first.is_some_and(|ply| ply.own));
                let Some(priced) = found else { continue };
                let cause = MistakeCause::EntersEven { size: even.size(), odd: best, odd_size: odd.size() };
                assert_eq!((priced.cause, priced.cost), (cause, price::LAST_MOVE));
                // The line is told up to where the other enters the odd region.
                let last = line.plies[priced.plies - 1];
                assert!(!last.own && odd.squares & last.square.bit() != 0);
                told += 1;
            }
        }
        assert!(told > 0 && own_first > 0, "{told} told, {own_first} where the mover came first");
    }

    /// Regions of three empty squares at a1 and a8, one of eight at h1, and two of one.
    const WITH_REGIONS: &str = "-OOO---- -OOXO--- -OOOXOO- XXXOOXOX XXOOOOXX XOXOXOOX O-XXXXOX --XO-O-O";

    /// The region of the best move counts where the other enters it within the plies that are told.
    #[test]
    fn an_odd_region_that_is_entered_late_is_no_reason() {
        let board = testing::board(WITH_REGIONS);
        let entered_after = |moves: &str| {
            let lines = compare(board, follow_named(board, moves), follow_named(board, "a2"));
            lines.price_even_region().map(|priced| priced.plies)
        };
        assert_eq!(entered_after("e1 a3"), Some(2));
        assert_eq!(entered_after("e1 b8 h2 b7 h3 a3"), Some(PLIES_TOLD));
        assert_eq!(entered_after("e1 f1 g2 h3 h2 h1 g1 a3"), None);
    }

    /// Even and odd regions are no reason while more than 20 squares are empty.
    #[test]
    fn even_regions_count_near_the_end() {
        // A disc on e8 changes nothing but the number of empty squares.
        for (last_row, empties) in [("---X-X--", PARITY_FROM + 1), ("---XXX--", PARITY_FROM)] {
            let rows = "--OX---- --OOX--- -XOXOXX- OOOXXOXO OOXXXXOO OXOXOXXO X-XXXXX-";
            let board = testing::board(&format!("{rows} {last_row}"));
            assert_eq!(board.empty_count(), empties);
            let lines = compare(board, follow_named(board, "f2 a3"), follow_named(board, "b1"));
            let found = lines.price_even_region().map(|priced| priced.cause);
            let cause = MistakeCause::EntersEven { size: 8, odd: testing::square("b1"), odd_size: 5 };
            assert_eq!(found, (empties == PARITY_FROM).then_some(cause));
        }
    }

    /// To enter an even region costs no more than another move into one loses. Moves into odd regions do not limit it.
    #[test]
    fn an_even_region_costs_what_other_moves_into_one_lose() {
        let board = testing::board(WITH_REGIONS);
        let lines = compare(board, follow_named(board, "e1 a3"), follow_named(board, "a2"));
        let cost_beside = |other: &str, score: i32| {
            let all = [("a2", 0), (other, score), ("e1", -4)];
            let all = all.map(|(name, score)| found_move(&[testing::square(name)], score));
            let mut priced = lines.price_even_region().unwrap();
            OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
            priced.cost
        };
        assert_eq!(cost_beside("h2", 0), 0.0);
        assert_eq!(cost_beside("h2", -1), 1.0);
        assert_eq!(cost_beside("h2", -3), price::LAST_MOVE, "it loses more than the price");
        assert_eq!(cost_beside("b7", 0), price::LAST_MOVE, "its region is odd");
    }
}
