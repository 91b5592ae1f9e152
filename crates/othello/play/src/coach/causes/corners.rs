//! Corners that the opponent gets, or that are missed.

use ishi_othello::{Board, Square, iter_squares};

use super::{
    ComparedLines, MOBILITY_UNTIL, MistakeCause, MistakeProbe, PLIES_COMPARED, PROBE, PricedCause, price,
};
use crate::coach::areas::BoardArea;
use crate::coach::line::{FollowedLine, LinePly};

/// A corner that the opponent takes later than this where nothing is proved is worth what the board says. One that is taken later on the
/// better line nobody misses.
const PLIES_NEAR: usize = 6;

/// A corner that the opponent takes later than this is no reason, though it be proved: four moves ahead a player sees something else first.
const PLIES_TO_CORNER: usize = 8;

/// A corner that falls on the better line, too, counts only if it falls so many plies later there.
const PLIES_LATER: usize = 4;

impl MistakeProbe<'_, '_> {
    /// Corners that the opponent takes on the line played, or that are taken on the better line alone.
    pub(super) fn price_corners(&mut self, lines: &ComparedLines) -> Vec<PricedCause> {
        let mut found = Vec::new();
        for (number, ply) in lines.played.plies.iter().enumerate().take(PLIES_TO_CORNER) {
            if !ply.own
                && ply.takes_corner()
                && !takes(&lines.better, ply.square, false, number + PLIES_LATER)
            {
                let cause = MistakeCause::OpensCorner {
                    corner: ply.square,
                    after: number,
                    seed: single_square(ply.find_seeds()),
                };
                let cost = self.price_corner(lines, number, ply);
                found.push(PricedCause::new(cause, cost, number + 1));
            }
        }
        for (number, ply) in lines.better.plies.iter().enumerate().take(PLIES_NEAR) {
            // One that is taken in the end all the same, however late, is not missed.
            if ply.own && ply.takes_corner() && !takes(&lines.played, ply.square, true, usize::MAX) {
                let cost = self.worth_of_corner(ply).max(lines.areas.of_area(BoardArea::Corner(ply.square)));
                let cause = MistakeCause::MissesCorner { corner: ply.square };
                let plies = lines.plies_shown();
                found.push(PricedCause { better_plies: number + 1, ..PricedCause::new(cause, cost, plies) });
            }
        }
        found
    }

    /// What it costs that the opponent takes a corner by this ply of the line played.
    fn price_corner(&mut self, lines: &ComparedLines, number: usize, ply: &LinePly) -> f64 {
        let area = lines.areas.of_area(BoardArea::Corner(ply.square));
        // One that falls in the end on the better line, too, is worth what the board says, and so is one that is far away.
        let is_far = !lines.proved && number >= PLIES_NEAR;
        if is_far || takes(&lines.better, ply.square, false, PLIES_COMPARED) {
            return area;
        }
        let least = if number == 1 { price::CORNER_AT_ONCE } else { 0.0 };
        self.worth_of_corner(ply).max(least).max(area)
    }

    /// What a move to a corner is worth to the one who makes it, and [`price::CORNER`] at least before the last squares.
    fn worth_of_corner(&mut self, ply: &LinePly) -> f64 {
        let least = if ply.before.empty_count() > MOBILITY_UNTIL { price::CORNER } else { 0.0 };
        self.worth_of_move(ply).max(least)
    }

    /// What a move is worth to the one who makes it: its value less that of the best move elsewhere.
    fn worth_of_move(&mut self, ply: &LinePly) -> f64 {
        self.hold_against_next(ply).0
    }

    /// What a move is worth to the one who makes it, and the best move elsewhere, if there is one; if not, a pass stands for it.
    pub(super) fn hold_against_next(&mut self, ply: &LinePly) -> (f64, Option<Square>) {
        let mut value_after = |board: Board| -self.value_of(board, PROBE);
        let with = value_after(ply.before.play_unchecked(ply.square));
        let elsewhere = iter_squares(ply.before.legal_moves() & !ply.square.bit());
        let next = elsewhere
            .map(|square| (value_after(ply.before.play_unchecked(square)), square))
            .max_by_key(|&(value, _)| value);
        let without = next.map_or_else(|| value_after(ply.before.pass()), |(value, _)| value);
        (f64::from(with - without), next.map(|(_, square)| square))
    }
}

/// Does the one who made the first move of a line (or the other) take this square within so many plies?
fn takes(line: &FollowedLine, square: Square, own: bool, plies: usize) -> bool {
    line.plies.iter().take(plies).any(|ply| ply.square == square && ply.own == own)
}

/// The square of a bitboard with one alone.
fn single_square(bits: u64) -> Option<Square> {
    (bits.count_ones() == 1).then(|| Square::from_lowest_bit(bits))
}

#[cfg(test)]
mod tests {
    use super::super::test_lines::{EFFORT, LIMITS, compare, compare_first_moves, random_board};
    use super::*;
    use crate::search::{SearchParams, Searcher};
    use ishi_rng::Seed;

    /// A corner is missed only if the one who erred gets it at no time on the line played, and soon on the better one.
    #[test]
    fn a_corner_that_falls_late_is_not_missed() {
        let (mut told, mut late, mut far) = (0, 0, 0);
        for seed in 0..300 {
            let board = random_board(seed, 40);
            // What is far away counts not even where all is proved.
            let Some(lines) = compare_first_moves(board) else { continue };
            let lines = ComparedLines { proved: true, ..lines };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            for priced in probe.price_corners(&lines) {
                let MistakeCause::MissesCorner { corner } = priced.cause else { continue };
                assert!(!takes(&lines.played, corner, true, usize::MAX), "{board:?} {priced:?}");
                assert!(priced.better_plies <= PLIES_NEAR, "{board:?} {priced:?}");
                told += 1;
            }
            let corners = lines.better.plies.iter().enumerate().take(PLIES_COMPARED);
            for (number, ply) in corners.filter(|(_, ply)| ply.own && ply.takes_corner()) {
                let within = |plies| takes(&lines.played, ply.square, true, plies);
                late += usize::from(within(usize::MAX) && !within(PLIES_COMPARED));
                far += usize::from(!within(usize::MAX) && number >= PLIES_NEAR);
            }
        }
        assert!(told > 0 && late > 0 && far > 0, "{told} told, {late} late, {far} far");
    }

    /// A corner that falls far away is no reason, though the line be proved.
    #[test]
    fn corners_far_away_are_no_reason() {
        let (mut told, mut left_out) = (0, 0);
        for seed in 0..60 {
            let board = random_board(seed, 42);
            let random_line = |stream| {
                let mut rng = Seed::new(seed).stream("far corners", stream);
                let mut line = FollowedLine::new(board, &[]);
                while line.plies.len() < 14 && !line.end.is_over() {
                    let moves: Vec<Square> = iter_squares(line.board_to_move().legal_moves()).collect();
                    let next = rng.choose(&moves).copied();
                    line =
                        FollowedLine::new(board, &line.squares().into_iter().chain(next).collect::<Vec<_>>());
                }
                line
            };
            let lines = ComparedLines { proved: true, ..compare(board, random_line(1), random_line(2)) };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: EFFORT, limits: LIMITS };
            let found = probe.price_corners(&lines);
            for priced in &found {
                match priced.cause {
                    MistakeCause::OpensCorner { after, .. } => assert!(after < PLIES_TO_CORNER),
                    MistakeCause::MissesCorner { .. } => assert!(priced.better_plies <= PLIES_NEAR),
                    _ => panic!("{priced:?}"),
                }
            }
            let falls_late = |(number, ply): (usize, &LinePly)| {
                number >= PLIES_TO_CORNER && !ply.own && ply.takes_corner()
            };
            told += found.len();
            left_out += lines.played.plies.iter().enumerate().filter(|&ply| falls_late(ply)).count();
        }
        assert!(told > 0 && left_out > 0, "{told} told, {left_out} left out");
    }
}
