//! A single answer that a move allows.

use ishi_othello::Square;

use super::{ComparedLines, MOBILITY_UNTIL, MistakeCause, MistakeProbe, PLIES_TRUSTED, PricedCause};
use crate::coach::contrast::OtherMoves;
use crate::coach::line::LinePly;
use crate::coach::reasons::find_merits;

/// Discs that an answer must be worth to the opponent: where something else is as good, it was not needed.
const LEAST_WORTH_TO_OTHER: f64 = 1.0;

/// Discs that the square of the best move must be worth to the one who erred, too, to be the best of both.
const LEAST_WORTH_TO_OWN: f64 = 1.0;

/// Discs that a single answer must be worth to be told, and that it must lose after the best move against another one there: else it is as good
/// there, and the mistake does not allow it.
const LEAST_SPARED: f64 = 2.0;

impl ComparedLines {
    /// The square of the best move, on which the opponent answers: what it is worth to both.
    fn price_key_square(&self, square: Square, worth: f64) -> PricedCause {
        let cost = worth.min(f64::from(self.loss));
        PricedCause::new(MistakeCause::LeavesSquare { square }, cost, PLIES_TRUSTED)
    }

    /// An answer that the best move would have spared: what it is worth to the other, which is what the move would not lose without it.
    fn price_allowed(
        &self,
        answer: &LinePly,
        next: Square,
        worth: f64,
        after_best: Option<f64>,
    ) -> PricedCause {
        let cause = MistakeCause::AllowsAnswer {
            square: answer.square,
            discs: worth.round() as u32,
            after_best: after_best.map(|loss| loss.round() as u32),
            merit: find_merits(answer.before, answer.square, next).first().copied(),
        };
        // What follows the answer shows how it works.
        PricedCause::new(cause, worth.min(f64::from(self.loss)), self.plies_shown().max(PLIES_TRUSTED))
    }
}

impl MistakeProbe<'_, '_> {
    /// The opponent's answer, where without it the move would lose less: the square of the best move, or another that the best move would
    /// have spared. A corner says more by itself, and near the end all squares are filled.
    pub(super) fn price_answer(&mut self, lines: &ComparedLines, others: &OtherMoves) -> Option<PricedCause> {
        let best = lines.better.plies.first()?;
        let answer = lines.played.plies.get(1).filter(|ply| !ply.own)?;
        if answer.takes_corner() || lines.board.empty_count() <= MOBILITY_UNTIL {
            return None;
        }
        let (to_other, next) = self.hold_against_next(answer);
        if to_other < LEAST_WORTH_TO_OTHER {
            return None;
        }
        let to_own = f64::from(others.least_loss_beside(best.square).unwrap_or(lines.loss));
        if answer.square == best.square && to_own >= LEAST_WORTH_TO_OWN {
            return Some(lines.price_key_square(answer.square, to_other + to_own));
        }
        let next = next.filter(|_| to_other >= LEAST_SPARED)?;
        let after_best = self.find_loss_after(best, answer.square);
        let is_spared = after_best.is_none_or(|loss| loss >= LEAST_SPARED);
        is_spared.then(|| lines.price_allowed(answer, next, to_other, after_best))
    }

    /// What an answer to this move would lose against another one, in discs, 0 at least: 0 too where there is no other. `None` if it would not be
    /// legal.
    fn find_loss_after(&mut self, best: &LinePly, answer: Square) -> Option<f64> {
        let before = best.before.play_unchecked(best.square);
        if !before.is_legal(answer) {
            return None;
        }
        let (worth, next) = self.hold_against_next(&LinePly { square: answer, own: false, before });
        Some(next.map_or(0.0, |_| (-worth).max(0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::PROBE;
    use super::super::test_lines::{EFFORT, LIMITS, compare, found_move, random_board};
    use super::*;
    use crate::coach::line::FollowedLine;
    use crate::search::{SearchParams, Searcher};
    use ishi_othello::{Board, CORNERS, iter_squares};

    /// The best move of a board that has one.
    fn find_best(probe: &mut MistakeProbe<'_, '_>, board: Board) -> Option<Square> {
        let found = (!board.is_over()).then(|| probe.search(board, EFFORT));
        found.and_then(|found| found.mv.square())
    }

    /// A square by which one answers and the other had its best move is told as far as both need it, but no corner, and nothing near the end.
    #[test]
    fn the_best_square_of_both_is_told_where_both_need_it() {
        let (mut told, mut as_good_elsewhere) = (0, 0);
        for seed in 0..30 {
            let board = random_board(seed, if seed % 3 == 0 { 52 } else { 34 });
            let late = board.empty_count() <= MOBILITY_UNTIL;
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            let Some(square) = find_best(&mut probe, board) else { continue };
            for played in iter_squares(board.legal_moves() & !square.bit()) {
                let both = FollowedLine::new(board, &[played, square]);
                let lines = compare(board, both.clone(), FollowedLine::new(board, &[square]));
                let others = probe.follow_others(&lines);
                let found = probe.price_answer(&lines, &others);
                let answers = both.plies.len() == 2 && !both.plies[1].own;
                if late || !answers || CORNERS & square.bit() != 0 {
                    assert!(found.is_none(), "{board:?} {played} {square}");
                    continue;
                }
                as_good_elsewhere += usize::from(found.is_none());
                let Some(priced) = found else { continue };
                assert_eq!(priced.plies, 2);
                assert!((LEAST_WORTH_TO_OTHER..=4.0).contains(&priced.cost), "{priced:?}");
                let is_needed = others.least_loss_beside(square).is_none_or(|loss| loss >= 1);
                match priced.cause {
                    MistakeCause::LeavesSquare { square: at } => assert!(at == square && is_needed),
                    MistakeCause::AllowsAnswer { square: at, after_best: None, .. } => {
                        assert!(at == square && !is_needed);
                    }
                    other => panic!("{board:?} {other:?}"),
                }
                // Another best move, and nothing is said.
                let other = compare(board, both, FollowedLine::new(board, &[played]));
                assert!(probe.price_answer(&other, &others).is_none(), "{board:?} {played} {square}");
                told += usize::from(is_needed);
            }
        }
        assert!(told > 0 && as_good_elsewhere > 0, "{told} told, {as_good_elsewhere} as good elsewhere");
    }

    /// Is this move the best alone, by searches that know of none before?
    fn leads_others(board: Board, square: Square) -> bool {
        let value = |square: Square| {
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            -probe.value_of(board.play_unchecked(square), PROBE)
        };
        let others = iter_squares(board.legal_moves() & !square.bit());
        others.map(value).max().is_none_or(|next| value(square) > next)
    }

    /// A single answer is told where the others are worse, and where it is not possible after the best move, or loses there.
    #[test]
    fn an_answer_is_told_where_the_best_move_spares_it() {
        let (mut impossible, mut loses_there, mut as_good_there, mut seen_again) = (0, 0, 0, 0);
        for seed in 0..20 {
            let board = random_board(seed, 30);
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            let Some(best) = find_best(&mut probe, board) else { continue };
            for played in iter_squares(board.legal_moves() & !best.bit()) {
                let after = board.play_unchecked(played);
                let Some(answer) = find_best(&mut probe, after) else { continue };
                let line = FollowedLine::new(board, &[played, answer]);
                let lines = compare(board, line, FollowedLine::new(board, &[best]));
                let others = probe.follow_others(&lines);
                let found = probe.price_answer(&lines, &others);
                let is_legal = board.play_unchecked(best).is_legal(answer);
                let Some(priced) = found else {
                    as_good_there += usize::from(is_legal);
                    continue;
                };
                let MistakeCause::AllowsAnswer { square, discs, after_best, .. } = priced.cause else {
                    assert_eq!(priced.cause, MistakeCause::LeavesSquare { square: best });
                    continue;
                };
                assert_eq!((square, after_best.is_some()), (answer, is_legal), "{board:?}");
                assert!(discs >= 2 && after_best.is_none_or(|loss| loss >= 2), "{board:?} {priced:?}");
                assert_eq!(priced.cost, f64::from(discs).min(4.0));
                assert_eq!(lines.to_reason(&priced).line, [played, answer]);
                let others_there = board.play_unchecked(best).legal_moves() & !answer.bit();
                assert!(after_best.is_none() || others_there != 0, "{board:?}: an only move loses nothing");
                impossible += usize::from(after_best.is_none());
                loses_there += usize::from(after_best.is_some());
                seen_again += usize::from(leads_others(after, answer));
            }
        }
        let told = impossible + loses_there;
        assert!(impossible > 0 && loses_there > 0, "{impossible} impossible, {loses_there} lose there");
        assert!(as_good_there > 0 && seen_again * 4 >= told * 3, "{seen_again} of {told} are seen again");
    }

    /// An answer that is played after another move, too, is worth no more than that move loses.
    #[test]
    fn an_answer_that_other_moves_allow_costs_what_they_lose() {
        let found = |square: Square, answer: Square, score: i32| found_move(&[square, answer], score);
        let (mut limited, mut kept) = (0, 0);
        for seed in 0..40 {
            let board = random_board(seed, 24);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            let [played, best, other, ..] = moves[..] else { continue };
            let answers_to = |square| iter_squares(board.play_unchecked(square).legal_moves()).next();
            let [Some(answer), Some(to_best), Some(to_other)] = [played, best, other].map(answers_to) else {
                continue;
            };
            let lines = compare(
                board,
                FollowedLine::new(board, &[played, answer]),
                FollowedLine::new(board, &[best]),
            );
            // Only the better move of those that allow it limits the price.
            let all = [found(best, to_best, 0), found(other, to_other, -1), found(played, answer, -4)];
            let square = answer;
            let cause = MistakeCause::AllowsAnswer { square, discs: 3, after_best: None, merit: None };
            let mut priced = PricedCause::new(cause, 3.0, 2);
            OtherMoves::new(&lines, &all).limit_price(&lines, &mut priced);
            let least = [(to_best, 0.0), (to_other, 1.0)].into_iter().find(|(to, _)| *to == answer);
            assert_eq!(priced.cost, least.map_or(3.0, |(_, loss)| loss), "{board:?}");
            limited += usize::from(least.is_some());
            kept += usize::from(least.is_none());
        }
        assert!(limited > 0 && kept > 0, "{limited} limited, {kept} kept");
    }
}
