//! What is wrong with the square itself, and what sets it apart from the best one.

use super::{
    ComparedLines, LEAST_AREA_COST, MOBILITY_UNTIL, MistakeCause, PLIES_OF_FAULT, PricedCause, price,
};
use crate::coach::areas::BoardArea;
use crate::coach::facts::MoveFacts;
use crate::coach::line::{find_touched_corner, is_diagonal};
use crate::coach::reasons::{CoachReason, find_faults, find_merits};

impl ComparedLines {
    /// What is wrong with the square itself, and with what it turns.
    pub(super) fn price_the_square(&self) -> Vec<PricedCause> {
        let (Some(played), Some(best)) = (self.played.plies.first(), self.better.plies.first()) else {
            return Vec::new();
        };
        let plies = self.plies_shown();
        let mut found = Vec::new();
        if let (Some(corner), None) =
            (find_touched_corner(self.board, played.square), find_touched_corner(self.board, best.square))
        {
            let diagonal = is_diagonal(corner, played.square);
            // Not every such square is poison: the corner must cost something.
            let cost = self.areas.of_area(BoardArea::Corner(corner));
            if cost >= LEAST_AREA_COST {
                found.push(PricedCause::new(MistakeCause::PoisonsSquare { corner, diagonal }, cost, plies));
            }
        }
        let facts = [played, best].map(|ply| MoveFacts::from_move(self.board, ply.square));
        let ([openness, better], pull) = (facts.each_ref().map(|facts| facts.openness), facts[1].pulls);
        // It is said that the opponent gets moves, or that own ones are gone: open squares alone do neither.
        let gives = facts[0].replies > facts[1].replies;
        let shows = gives || facts[0].own_moves < facts[1].own_moves;
        if self.board.empty_count() > MOBILITY_UNTIL && openness >= better + 2 && shows {
            let cost = price::OPEN_SQUARE * f64::from(openness - better);
            let cost = cost.max(self.areas.of_area(BoardArea::Middle));
            let cost = if better == 0 || pull { cost.max(price::QUIET_LEFT) } else { cost };
            let cause = MistakeCause::BreaksQuiet { openness, better, pull, gives };
            found.push(PricedCause::new(cause, cost, plies));
        }
        found
    }

    /// What the best move has for itself and the move played has not, and what that has against itself. Each costs the whole loss, less what others
    /// say (`contrast`). A square beside a corner and a corner have causes of their own.
    pub(super) fn price_facts(&self) -> Vec<PricedCause> {
        let (Some(played), Some(best)) = (self.played.plies.first(), self.better.plies.first()) else {
            return Vec::new();
        };
        let of_corner = |fact: &CoachReason| {
            matches!(fact, CoachReason::TakesCorner { .. } | CoachReason::GivesCorner { .. })
        };
        let first =
            |facts: Vec<CoachReason>| facts.into_iter().find(|fact| fact.is_fact() && !of_corner(fact));
        let merit = first(find_merits(self.board, best.square, played.square));
        let fault = first(find_faults(self.board, played.square, best.square));
        let priced = |cause, plies| PricedCause::new(cause, f64::from(self.loss), plies);
        let causes = [
            merit.map(|merit| priced(MistakeCause::MissesMerit { merit }, self.plies_shown())),
            fault.map(|fault| priced(MistakeCause::HasFault { fault }, PLIES_OF_FAULT)),
        ];
        causes.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_lines::{
        EFFORT, LIMITS, compare, follow_named, found_move, list_pairs, random_board,
    };
    use super::super::{MistakeProbe, PROBE};
    use super::*;
    use crate::coach::areas::AreaCosts;
    use crate::coach::contrast::OtherMoves;
    use crate::coach::line::FollowedLine;
    use crate::coach::testing;
    use crate::eval::Evaluation;
    use crate::search::{FoundMove, SearchEffort, SearchParams, Searcher};
    use ishi_othello::{Board, Square, iter_squares};

    /// A move that opens the position is blamed for it only if the opponent has more moves after it, or the one who erred fewer.
    #[test]
    fn open_squares_are_told_where_they_cost_moves() {
        let (mut given, mut lost, mut without_moves) = (0, 0, 0);
        for (pair, lines) in list_pairs(100, |_| 24) {
            let [worse, best] = pair.map(|square| MoveFacts::from_move(lines.board, square));
            let (opens, gives) = (worse.openness >= best.openness + 2, worse.replies > best.replies);
            let loses = worse.own_moves < best.own_moves;
            let found = lines.price_the_square();
            let told = found.iter().find_map(|priced| match priced.cause {
                MistakeCause::BreaksQuiet { gives, .. } => Some(gives),
                _ => None,
            });
            let wanted = (opens && (gives || loses)).then_some(gives);
            assert_eq!(told, wanted, "{:?} {pair:?}", lines.board);
            given += usize::from(told == Some(true));
            lost += usize::from(told == Some(false));
            without_moves += usize::from(opens && told.is_none());
        }
        assert!(given > 0 && lost > 0 && without_moves > 0, "{given} {lost} {without_moves}");
    }

    /// A square beside a corner is blamed where the corner costs something, and not elsewhere.
    #[test]
    fn squares_are_poison_where_the_corner_costs_something() {
        let evaluation = Evaluation::shipped();
        let (mut told, mut harmless) = (0, 0);
        for (pair, mut lines) in list_pairs(100, |_| 36) {
            lines.areas =
                AreaCosts::compare_lines(&lines.played, &lines.better, &evaluation).unwrap_or_default();
            let touched = pair.map(|square| find_touched_corner(lines.board, square));
            let is_told = lines.price_the_square().iter().any(|priced| {
                matches!(priced.cause, MistakeCause::PoisonsSquare { corner, .. } if Some(corner) == touched[0])
            });
            let [Some(corner), None] = touched else {
                assert!(!is_told, "{:?} {pair:?}", lines.board);
                continue;
            };
            let costs = lines.areas.of_area(BoardArea::Corner(corner)) >= LEAST_AREA_COST;
            assert_eq!(is_told, costs, "{:?} {pair:?}", lines.board);
            told += usize::from(is_told);
            harmless += usize::from(!is_told);
        }
        assert!(told > 0 && harmless > 0, "{told} told, {harmless} harmless");
    }

    /// No fault costs more than another move loses that has it, too.
    #[test]
    fn no_fault_costs_more_than_another_move_with_it_loses() {
        let (mut limited, mut made_nothing, mut kept) = (0, 0, 0);
        for seed in 0..40 {
            let board = random_board(seed, 34);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            for pair in moves.windows(2) {
                let [played, better] = [pair[0], pair[1]].map(|first| FollowedLine::new(board, &[first]));
                let [openness, least] =
                    [pair[0], pair[1]].map(|square| MoveFacts::from_move(board, square).openness);
                let cause = MistakeCause::BreaksQuiet { openness, better: least, pull: false, gives: true };
                let mut priced = PricedCause::new(cause, 3.0, 1);
                let lines = compare(board, played, better);
                probe.follow_others(&lines).limit_price(&lines, &mut priced);
                let best = moves.iter().map(|&square| value_after(&mut probe, board, square)).max().unwrap();
                let facts = MoveFacts::from_move(board, pair[0]);
                let alike = moves.iter().filter(|&&square| {
                    let other = MoveFacts::from_move(board, square);
                    square != pair[0] && other.openness >= openness && other.replies >= facts.replies
                });
                let least = alike.map(|&square| best - value_after(&mut probe, board, square)).min();
                let wanted = least.map_or(3.0, |least| f64::from(least).min(3.0));
                assert_eq!(priced.cost, wanted, "{board:?} {pair:?}");
                made_nothing += usize::from(priced.cost == 0.0);
                limited += usize::from(priced.cost < 3.0);
                kept += usize::from(priced.cost == 3.0);
            }
        }
        assert!(made_nothing > 0 && limited > made_nothing && kept > 0, "{made_nothing} {limited} {kept}");
    }

    /// As the search of every move finds it.
    fn value_after(probe: &mut MistakeProbe<'_, '_>, board: Board, square: Square) -> i32 {
        let effort = SearchEffort {
            depth: PROBE.depth - 1,
            exact: PROBE.exact - 1,
            win_loss: PROBE.exact - 1,
            ..PROBE
        };
        -probe.value_of(board.play_unchecked(square), effort)
    }

    /// A square beside one corner is not limited by a square beside another.
    #[test]
    fn squares_beside_other_corners_are_another_fault() {
        let board = testing::board("--OXXO-- -OX----- -------- ---OX--- ---XO--- -------- -------- --------");
        let lines = compare(board, follow_named(board, "b1"), follow_named(board, "c4"));
        let cost_beside = |other: &str, score: i32| {
            let all = [("c4", 0), (other, score), ("b1", -8)];
            let all = all.map(|(name, score)| found_move(&[testing::square(name)], score));
            let cause = MistakeCause::PoisonsSquare { corner: testing::square("a1"), diagonal: false };
            let mut priced = PricedCause::new(cause, 5.0, 1);
            OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
            priced.cost
        };
        assert!(board.is_legal(testing::square("g1")) && board.is_legal(testing::square("a2")));
        assert_eq!(cost_beside("g1", 0), 5.0, "g1 touches h1");
        assert_eq!(cost_beside("a2", -1), 1.0, "a2 touches a1");
    }

    /// A fault of another move limits the price where there is no less of it.
    #[test]
    fn a_lesser_fault_of_another_move_limits_nothing() {
        let mut checked = 0;
        for ([other, best], lines) in list_pairs(40, |_| 30) {
            let board = lines.board;
            let [played, better] = [best; 2].map(|first| FollowedLine::new(board, &[first]));
            let lines = compare(board, played, better);
            for fault in find_faults(board, other, best) {
                let CoachReason::ManyReplies { replies, usual } = fault else { continue };
                let all = [found_move(&[best], 0), found_move(&[other], -1)];
                for (more, cost) in [(0, 1.0), (1, 4.0)] {
                    let fault = CoachReason::ManyReplies { replies: replies + more, usual };
                    let mut priced = PricedCause::new(MistakeCause::HasFault { fault }, 4.0, 1);
                    OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
                    assert_eq!(priced.cost, cost, "{board:?} {other} {fault:?}");
                }
                checked += 1;
            }
        }
        assert!(checked > 0);
    }

    /// To miss a quiet move costs no more than the best of the moves that are not quiet loses.
    #[test]
    fn a_missed_merit_costs_what_moves_without_it_lose() {
        let (mut limited, mut whole) = (0, 0);
        // Later in the game there are few moves, and all the others may be quiet.
        for (pair, lines) in list_pairs(240, |seed| if seed % 2 == 0 { 28 } else { 44 }) {
            let quiet = MistakeCause::MissesMerit { merit: CoachReason::Quiet };
            let found = lines.price_facts().into_iter().find(|priced| priced.cause == quiet);
            let Some(mut priced) = found else { continue };
            let is_quiet = |square| MoveFacts::from_move(lines.board, square).openness == 0;
            assert!(is_quiet(pair[1]) && !is_quiet(pair[0]), "{:?} {pair:?}", lines.board);
            let all: Vec<FoundMove> = iter_squares(lines.board.legal_moves())
                .map(|square| found_move(&[square], if square == pair[1] { 0 } else { -2 }))
                .collect();
            OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
            let others = iter_squares(lines.board.legal_moves() & !pair[0].bit() & !pair[1].bit());
            let is_limited = others.into_iter().any(|square| !is_quiet(square));
            assert_eq!(priced.cost, if is_limited { 2.0 } else { 4.0 }, "{:?} {pair:?}", lines.board);
            limited += usize::from(is_limited);
            whole += usize::from(!is_limited);
        }
        assert!(limited > 0 && whole > 0, "{limited} limited, {whole} whole");
    }
}
