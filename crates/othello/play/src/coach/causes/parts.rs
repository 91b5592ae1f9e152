//! Parts of the board: edges, corners, quarters, the middle.

use ishi_othello::{CORNERS, iter_squares};

use super::mobility::margin_of;
use super::{
    ComparedLines, FINISHED_FROM, LEAST_AREA_COST, MOBILITY_UNTIL, MistakeCause, PLIES_COUNTED,
    PLIES_OF_FAULT, PLIES_TOLD, PricedCause,
};
use crate::coach::areas::{AreaCosts, BoardArea};
use crate::coach::shapes::{count_moves_in, find_unbalanced_edges};
use crate::eval::Evaluation;

/// Who has more moves than this in a quarter of the board has not lost access to it.
const MOST_ACCESS: u32 = 1;

/// Lengths of the lines, with both answers and more, of which one is chosen after which the loss is still there.
const AREA_TRIES: usize = 5;

impl ComparedLines {
    /// What the parts of the board cost after different numbers of plies, as many as are told at most: first what explains the loss best when both
    /// have answered, and at last right after the other side's answer or the move itself, where a loss is still there if it is anywhere.
    fn list_area_costs(&self, evaluation: &Evaluation) -> Vec<AreaCosts> {
        let both_end = self.played.end.is_over() && self.better.end.is_over();
        if both_end && self.board.empty_count() <= FINISHED_FROM {
            return AreaCosts::compare_lines(&self.played, &self.better, evaluation).into_iter().collect();
        }
        let most = self.played.plies.len().min(self.better.plies.len()).min(PLIES_TOLD);
        let at_plies = |plies| {
            let [played, better] = [&self.played, &self.better].map(|line| self.first_plies(line, plies));
            AreaCosts::compare_lines(&played, &better, evaluation)
        };
        let lengths = (PLIES_COUNTED..=most).filter(|&plies| self.can_end_after(plies));
        let mut all: Vec<AreaCosts> = lengths.filter_map(&at_plies).collect();
        let unexplained = |costs: &AreaCosts| (costs.total_cost() - f64::from(self.loss)).abs();
        all.sort_by(|a, b| unexplained(a).total_cmp(&unexplained(b)));
        all.truncate(AREA_TRIES);
        all.extend((1..PLIES_COUNTED.min(most + 1)).rev().filter_map(&at_plies));
        all
    }

    /// What the parts of the board cost, where it explains the loss best and the loss is still there.
    pub(super) fn find_area_costs(&self, evaluation: &Evaluation) -> AreaCosts {
        let all = self.list_area_costs(evaluation);
        let holds = all.iter().position(|costs| self.can_end_after(costs.plies));
        all.into_iter().nth(holds.unwrap_or(0)).unwrap_or_default()
    }

    /// Parts of the board: by the evaluation, or by the discs of finished games.
    pub(super) fn price_areas(&self) -> Vec<PricedCause> {
        let AreaCosts { plies, finished, .. } = self.areas;
        let priced = |area: BoardArea| {
            let cost = self.areas.of_area(area);
            let of_loss = cost.min(f64::from(self.loss));
            // A disc that changes its owner counts twice.
            let cause = match finished {
                true => MistakeCause::LosesArea { area, discs: (cost / 2.0).round() as u32 },
                false => MistakeCause::WeakensArea { area, discs: of_loss.round() as u32 },
            };
            // Games that are over may differ in length.
            let better_plies = if finished { self.better.plies.len() } else { plies };
            PricedCause { better_plies, ..PricedCause::new(cause, of_loss, plies) }
        };
        let is_dear = |area: &BoardArea| self.areas.of_area(*area) >= LEAST_AREA_COST;
        BoardArea::list_all(self.areas.occupied).into_iter().filter(is_dear).map(priced).collect()
    }

    /// An edge that the move leaves unbalanced, and the best one does not. It costs what the evaluation sees at the edge.
    pub(super) fn price_unbalanced_edge(&self) -> Option<PricedCause> {
        let [played, best] =
            [&self.played, &self.better].map(|line| find_unbalanced_edges(self.first_plies(line, 1).end));
        let edge = played.into_iter().find(|edge| !best.contains(edge))?;
        let cost = self.areas.of_area(BoardArea::Edge(edge));
        (cost >= LEAST_AREA_COST)
            .then(|| PricedCause::new(MistakeCause::UnbalancesEdge { edge }, cost, PLIES_OF_FAULT))
    }

    /// The quarter of the board that costs most, if moves there are lost: it says what happens in that part.
    pub(super) fn price_access(&self) -> Option<PricedCause> {
        let AreaCosts { plies, finished, .. } = self.areas;
        if finished || plies == 0 || self.board.empty_count() <= MOBILITY_UNTIL {
            return None;
        }
        let ends = [&self.played, &self.better].map(|line| self.first_plies(line, plies).end);
        let priced = iter_squares(CORNERS).filter_map(|quarter| {
            let area = BoardArea::Quarter(quarter);
            let [moves, better] = ends.map(|end| count_moves_in(end, area.squares()));
            let is_lost =
                moves.0 <= MOST_ACCESS && moves.0 < better.0 && margin_of(moves) <= margin_of(better) - 2;
            let cause = MistakeCause::LosesAccess { quarter, moves, better };
            is_lost.then(|| PricedCause::new(cause, self.areas.of_area(area), plies))
        });
        priced.max_by(|a, b| a.cost.total_cmp(&b.cost))
    }
}

#[cfg(test)]
mod tests {
    use super::super::BoardEdge;
    use super::super::test_lines::{
        compare, compare_first_moves, follow_named, found_move, list_pairs, random_board,
    };
    use super::*;
    use crate::coach::contrast::OtherMoves;
    use crate::coach::line::FollowedLine;
    use crate::coach::testing;
    use ishi_othello::{Board, Square};

    /// Five discs to one side of an edge are told where the edge costs something, and the best move does not leave them.
    #[test]
    fn an_unbalanced_edge_is_told_where_it_costs_something() {
        let board = testing::board("-XXXO--- ---XO--- ---XO--- --XOX--- ---XO--- ---OX--- -------- --------");
        let best = iter_squares(board.legal_moves() & !BoardEdge::Top.squares()).next().unwrap();
        let mut lines = compare(board, follow_named(board, "f1"), FollowedLine::new(board, &[best]));
        let cause = MistakeCause::UnbalancesEdge { edge: BoardEdge::Top };
        for (square, cost, is_told) in [("g1", 3.0, true), ("g1", 0.9, false), ("a5", 3.0, false)] {
            lines.areas = AreaCosts::of_one_square(testing::square(square), cost);
            let found = lines.price_unbalanced_edge().map(|priced| (priced.cause, priced.cost));
            assert_eq!(found, is_told.then_some((cause, cost)), "{square} {cost}");
        }
        lines.areas = AreaCosts::of_one_square(testing::square("g1"), 3.0);
        std::mem::swap(&mut lines.played, &mut lines.better);
        assert!(lines.price_unbalanced_edge().is_none(), "the other way round nothing is unbalanced");
    }

    /// Moves in a quarter of the board are told where the one who erred has one or none, and fewer, by 2 at least against the other's.
    #[test]
    fn access_to_a_quarter_is_lost_where_moves_there_are() {
        let evaluation = Evaluation::shipped();
        let (mut told, mut kept) = (0, 0);
        for (pair, mut lines) in list_pairs(60, |_| 30) {
            lines.areas =
                AreaCosts::compare_lines(&lines.played, &lines.better, &evaluation).unwrap_or_default();
            let moves_in = |end: Board, corner: &str| {
                let corner = testing::square(corner);
                let is_near = |square: &Square| {
                    (square.column() < 4) == (corner.column() < 4) && (square.row() < 4) == (corner.row() < 4)
                };
                [end, end.pass()]
                    .map(|board| iter_squares(board.legal_moves()).filter(is_near).count() as i32)
            };
            let is_lost = |corner: &&str| {
                let [[own, other], [better_own, better_other]] =
                    [&lines.played, &lines.better].map(|line| moves_in(line.end, corner));
                own <= 1 && own < better_own && own - other + 2 <= better_own - better_other
            };
            let lost: Vec<Square> = ["a1", "h1", "a8", "h8"]
                .iter()
                .filter(|corner| is_lost(corner))
                .map(|corner| testing::square(corner))
                .collect();
            match lines.price_access().map(|priced| priced.cause) {
                Some(MistakeCause::LosesAccess { quarter, .. }) => {
                    assert!(lost.contains(&quarter), "{pair:?}")
                }
                other => assert!(other.is_none() && lost.is_empty(), "{pair:?} {lost:?}"),
            }
            told += usize::from(!lost.is_empty());
            kept += usize::from(lost.is_empty());
        }
        assert!(told > 0 && kept > 0, "{told} told, {kept} kept");
    }

    /// What a cause of 4 discs costs where the best move is the only other one, and loses nothing.
    fn cost_beside_best(lines: &ComparedLines, cause: MistakeCause) -> f64 {
        let mut priced = PricedCause::new(cause, 4.0, 1);
        OtherMoves::new(lines, &[found_move(&lines.better.squares(), 0)]).limit_price(lines, &mut priced);
        priced.cost
    }

    /// Access that another move loses, too, costs no more; but not where the one who erred keeps more moves there after it.
    #[test]
    fn access_is_lost_elsewhere_too_where_no_more_own_moves_are_left() {
        let mut checked = 0;
        for (pair, lines) in list_pairs(20, |_| 30) {
            for quarter in iter_squares(CORNERS) {
                let there = count_moves_in(lines.better.end, BoardArea::Quarter(quarter).squares());
                let cost_of = |moves| {
                    cost_beside_best(&lines, MistakeCause::LosesAccess { quarter, moves, better: (9, 0) })
                };
                assert_eq!(cost_of(there), 0.0, "{pair:?} {there:?}");
                assert_eq!(cost_of((there.0 + 1, there.1 + 1)), 0.0, "{pair:?} {there:?}");
                if there.0 > 0 && there.1 > 0 {
                    assert_eq!(cost_of((there.0 - 1, there.1 - 1)), 4.0, "{pair:?} {there:?}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 0);
    }

    /// Parts of the board are told with as many plies as a bare line at most.
    #[test]
    fn lines_of_parts_of_the_board_are_short() {
        let evaluation = Evaluation::shipped();
        let mut checked = 0;
        for seed in 0..20 {
            let Some(lines) = compare_first_moves(random_board(seed, 30)) else { continue };
            let longer = lines.played.plies.len().min(lines.better.plies.len()) > PLIES_TOLD;
            let all = lines.list_area_costs(&evaluation);
            assert!(all.iter().all(|costs| costs.plies <= PLIES_TOLD), "{:?}", lines.board);
            checked += usize::from(longer && all.iter().any(|costs| costs.plies == PLIES_TOLD));
        }
        assert!(checked > 0);
    }
}
