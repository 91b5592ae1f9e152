//! Discs that nobody can turn, and discs that the answer turns.

use ishi_othello::CORNERS;

use super::{BoardEdge, ComparedLines, MOBILITY_UNTIL, MistakeCause, PLIES_COMPARED, PricedCause, price};
use crate::coach::areas::BoardArea;
use crate::coach::line::{BoardStanding, FollowedLine};

/// Empty squares that must be left where discs that nobody can turn are counted.
const LEFT_WITH_STABLE: u32 = 7;

impl ComparedLines {
    /// Discs that nobody can turn: at one edge, or anywhere.
    pub(super) fn price_stable_discs(&self) -> Vec<PricedCause> {
        // When a game is over, no disc can be turned: there the discs themselves are counted.
        // And shortly before, all discs become such ones: that says no more than the loss itself.
        let most = PLIES_COMPARED.min(self.board.empty_count().saturating_sub(LEFT_WITH_STABLE) as usize);
        if self.areas.finished || most == 0 {
            return Vec::new();
        }
        let plies = self.choose_plies((1..=self.plies_up_to(most)).rev());
        let [played, better] = [&self.played, &self.better]
            .map(|line| BoardStanding::of_board(self.first_plies(line, plies).end).stable);
        // What the opponent gets more, and the one who erred less: discs of both sides count, or the sentence would be false.
        let lead = |stable: (u64, u64)| stable.1.count_ones() as i32 - stable.0.count_ones() as i32;
        let priced = |cause, cost| PricedCause {
            better_plies: self.better.plies.len().min(plies),
            ..PricedCause::new(cause, cost, plies)
        };
        let others_gain = |edge: BoardEdge| {
            let count = |discs: u64| (discs & edge.squares() & !CORNERS).count_ones() as i32;
            count(played.1) - count(better.1)
        };
        let mut found = Vec::new();
        let edge =
            BoardEdge::ALL.into_iter().max_by_key(|&edge| (others_gain(edge), std::cmp::Reverse(edge)));
        if let Some(edge) = edge.filter(|&edge| others_gain(edge) >= 3) {
            let discs = others_gain(edge) as u32;
            let cost = price::STABLE_DISC * f64::from(discs) + 0.5;
            let cost = cost.max(self.areas.of_area(BoardArea::Edge(edge)));
            found.push(priced(MistakeCause::OpensEdge { edge, discs }, cost));
        }
        let discs = lead(played) - lead(better);
        if discs >= 2 {
            let cost = price::STABLE_DISC * f64::from(discs);
            let cause = MistakeCause::GivesStable { discs: discs as u32 };
            found.push(priced(cause, cost));
        }
        found
    }

    /// Near the end: discs that the opponent's answer turns.
    pub(super) fn price_turned_discs(&self) -> Option<PricedCause> {
        let discs = count_turned_by_answer(&self.played)?;
        let better = count_turned_by_answer(&self.better).unwrap_or(0);
        let near_the_end = self.board.empty_count() <= MOBILITY_UNTIL;
        (near_the_end && discs >= better + 3).then(|| {
            let cost = price::DISC_TURNED * 2.0 * f64::from(discs - better);
            PricedCause::new(MistakeCause::TurnsBack { discs, better }, cost, self.plies_up_to(2))
        })
    }
}

/// Discs that the answer to the first move of a line turns; `None` if there is no answer.
pub(in crate::coach) fn count_turned_by_answer(line: &FollowedLine) -> Option<u32> {
    let answer = line.plies.get(1).filter(|ply| !ply.own);
    answer.map(|ply| ply.before.flips(ply.square).count_ones())
}

#[cfg(test)]
mod tests {
    use super::super::test_lines::{compare, compare_first_moves, random_board};
    use super::*;
    use ishi_othello::{Board, Square, iter_squares};

    /// What is said of discs that nobody can turn counts those of both sides, and is told with the lines where they stand.
    #[test]
    fn stable_discs_of_both_sides_count() {
        let follow = |board: Board, first: Square| {
            let mut squares = vec![first];
            while squares.len() < PLIES_COMPARED {
                let to_move = FollowedLine::new(board, &squares).board_to_move();
                let Some(next) = iter_squares(to_move.legal_moves()).next() else { break };
                squares.push(next);
            }
            FollowedLine::new(board, &squares)
        };
        let (mut told, mut made_up_for) = (0, 0);
        for seed in 0..400 {
            let board = random_board(seed, 40);
            let mut lines = iter_squares(board.legal_moves()).map(|first| follow(board, first));
            let (Some(played), Some(better)) = (lines.next(), lines.next()) else { continue };
            // Lines that are proved may end with any move.
            let lines = ComparedLines { proved: true, ..compare(board, played, better) };
            let [on_played, on_better] =
                [&lines.played, &lines.better].map(|line| BoardStanding::of_board(line.end).stable);
            let count = |discs: u64| discs.count_ones() as i32;
            let others_gain = count(on_played.1) - count(on_better.1);
            let own_gain = count(on_played.0) - count(on_better.0);
            let found = lines.price_stable_discs();
            let of_all = found.iter().find_map(|priced| match priced.cause {
                MistakeCause::GivesStable { discs } => Some((discs as i32, *priced)),
                _ => None,
            });
            assert_eq!(of_all.is_some(), others_gain - own_gain >= 2, "{board:?}");
            made_up_for += usize::from(others_gain >= 2 && of_all.is_none());
            let Some((discs, priced)) = of_all else { continue };
            assert_eq!(discs, others_gain - own_gain, "{board:?}");
            let reason = lines.to_reason(&priced);
            assert_eq!((reason.line, reason.better), (lines.played.squares(), lines.better.squares()));
            told += 1;
        }
        assert!(told > 0 && made_up_for > 0, "{told} told, {made_up_for} made up for by own discs");
    }

    /// Stable discs are counted while squares are left: at the end all discs are such ones.
    #[test]
    fn stable_discs_are_not_counted_at_the_end() {
        let (mut told, mut left_out) = (0, 0);
        for seed in 0..300 {
            let board = random_board(seed, 48);
            let Some(lines) = compare_first_moves(board) else { continue };
            let [on_played, on_better] =
                [&lines.played, &lines.better].map(|line| BoardStanding::of_board(line.end).stable);
            let found = lines.price_stable_discs();
            for priced in &found {
                let end = lines.first_plies(&lines.played, priced.plies).end;
                assert!(end.empty_count() >= LEFT_WITH_STABLE, "{board:?} {priced:?}");
                told += 1;
            }
            let differs = on_played.1.count_ones() >= on_better.1.count_ones() + 4;
            left_out += usize::from(found.is_empty() && differs);
        }
        assert!(told > 0 && left_out > 0, "{told} told, {left_out} left out");
    }
}
