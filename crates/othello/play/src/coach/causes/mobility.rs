//! Moves, safe moves, passes and walls.

use ishi_othello::Board;

use super::{ComparedLines, MOBILITY_UNTIL, MistakeCause, PLIES_COUNTED, PricedCause, price};
use crate::coach::areas::BoardArea;
use crate::coach::line::{BoardStanding, FollowedLine};
use crate::coach::regions::count_frontier;

/// Plies after which moves are counted, as far as the loss is still there: what comes first is tried first.
const PLIES_TRIED: [usize; 4] = [PLIES_COUNTED, PLIES_COUNTED + 2, 2, 1];

/// With so many moves nobody is about to run out of them.
const MOVES_ENOUGH: u32 = 3;

/// With more safe moves nobody counts them: there the moves themselves say more.
const SAFE_MOVES_COUNTED: u32 = 6;

/// Empty squares from which on safe moves count: before, all moves are safe, and nobody runs out of them.
const TEMPO_FROM: u32 = 48;

/// Empty squares down to which walls count: later, most discs have an empty square beside them, and nobody lacks moves for that.
const WALLS_UNTIL: u32 = 20;

impl ComparedLines {
    /// Own discs beside empty squares.
    pub(super) fn price_wall(&self) -> Option<PricedCause> {
        let plies = self.areas.plies;
        let [discs, better] =
            [&self.played, &self.better].map(|line| count_wall(self.first_plies(line, plies).end));
        let counts = plies > 0 && self.board.empty_count() > WALLS_UNTIL && discs >= better + 3;
        counts.then(|| {
            let cost = price::FRONTIER_DISC * f64::from(discs - better);
            let cost = cost.max(self.areas.of_area(BoardArea::Middle));
            PricedCause::new(MistakeCause::BuildsWall { discs, better }, cost, plies)
        })
    }

    pub(super) fn price_passes(&self) -> Vec<PricedCause> {
        let [played, better] = [&self.played, &self.better].map(|line| passes_soon(line, self.board));
        let must = (played.0 && !better.0).then(|| {
            let plies = self.plies_before_pass(&self.played, |passes| passes.0);
            PricedCause::new(MistakeCause::MustPass, self.price_of_finished(price::PASS), plies)
        });
        let spares = (better.1 && !played.1).then(|| PricedCause {
            better_plies: self.plies_before_pass(&self.better, |passes| passes.1),
            ..PricedCause::new(
                MistakeCause::SparesPass,
                self.price_of_finished(price::PASS),
                self.plies_shown(),
            )
        });
        must.into_iter().chain(spares).collect()
    }

    /// Plies of a line up to its first pass of this side: what is told of a pass is true right there.
    fn plies_before_pass(&self, line: &FollowedLine, has_passed: fn((bool, bool)) -> bool) -> usize {
        let most = line.plies.len().min(PLIES_COUNTED);
        (1..most).find(|&plies| has_passed(self.first_plies(line, plies).passes)).unwrap_or(most)
    }

    /// Moves and safe moves of both sides: of both kinds where a difference shows first. Of moves the difference right after the mistake is told
    /// where it is larger: that is what a player sees.
    pub(super) fn price_moves(&self) -> Vec<PricedCause> {
        let mut found: Vec<PricedCause> = Vec::new();
        for plies in PLIES_TRIED.into_iter().filter(|&plies| self.choose_plies([plies]) == plies) {
            for priced in self.price_moves_after(plies) {
                match found.iter_mut().find(|other| is_same_kind(other.cause, priced.cause)) {
                    None => found.push(priced),
                    Some(other) if priced.says_moves_at_once() && priced.cost > other.cost => *other = priced,
                    Some(_) => {}
                }
            }
        }
        found
    }

    /// Moves and safe moves of both sides after so many plies of both lines.
    fn price_moves_after(&self, plies: usize) -> Vec<PricedCause> {
        if self.board.empty_count() <= MOBILITY_UNTIL {
            return Vec::new();
        }
        let [played, better] = [&self.played, &self.better]
            .map(|line| BoardStanding::of_board(self.first_plies(line, plies).end));
        let margin = |moves| f64::from(margin_of(moves));
        let safe_lost = margin(better.safe_moves) - margin(played.safe_moves);
        let safe_count = played.safe_moves.0 <= SAFE_MOVES_COUNTED && self.board.empty_count() <= TEMPO_FROM;
        let moves_lost = margin(better.moves) - margin(played.moves);
        let tempo = MistakeCause::LosesTempo { safe: played.safe_moves, better: better.safe_moves };
        let mobility = MistakeCause::GivesMobility { moves: played.moves, better: better.moves };
        let runs_out = played.moves.0 <= 1 && better.moves.0 >= MOVES_ENOUGH;
        let cost_of_moves = price::MOVE * moves_lost + if runs_out { price::NO_MOVES } else { 0.0 };
        let cost_of_moves = cost_of_moves.max(self.areas.moves);
        let found = [(tempo, safe_lost, price::SAFE_MOVE * safe_lost), (mobility, moves_lost, cost_of_moves)];
        let counts = |cause| cause != tempo || safe_count;
        let priced = found.into_iter().filter(|&(cause, lost, _)| lost >= 2.0 && counts(cause));
        priced.map(|(cause, _, cost)| PricedCause::new(cause, cost, plies)).collect()
    }
}

/// Has the one who made the first move of a line to pass before both have answered, and the other?
pub(in crate::coach) fn passes_soon(line: &FollowedLine, board: Board) -> (bool, bool) {
    line.first_plies(board, PLIES_COUNTED).passes
}

/// Own discs beside empty squares.
pub(in crate::coach) fn count_wall(board: Board) -> u32 {
    count_frontier(board.player, board)
}

/// Are these causes of one kind, whatever their figures?
fn is_same_kind(one: MistakeCause, other: MistakeCause) -> bool {
    std::mem::discriminant(&one) == std::mem::discriminant(&other)
}

/// Own moves, less those of the other.
pub(in crate::coach) fn margin_of((own, other): (u32, u32)) -> i32 {
    own as i32 - other as i32
}

#[cfg(test)]
mod tests {
    use super::super::test_lines::{compare, compare_first_moves, list_pairs, random_board};
    use super::*;
    use ishi_othello::iter_squares;

    /// Moves are counted after the first number of plies that shows a difference, if one does, or right after the move, where it is larger.
    #[test]
    fn moves_are_counted_where_a_difference_shows() {
        let (mut when_answered, mut elsewhere, mut at_once, mut nowhere) = (0, 0, 0, 0);
        for seed in 0..200 {
            let board = random_board(seed, 30);
            let lines = compare_first_moves(board).filter(|lines| lines.played.plies.len() >= PLIES_TRIED[1]);
            let Some(lines) = lines else { continue };
            let shows = |&plies: &usize| {
                let [played, better] = [&lines.played, &lines.better]
                    .map(|line| BoardStanding::of_board(lines.first_plies(line, plies).end).moves);
                margin_of(better) >= margin_of(played) + 2
            };
            let is_mobility =
                |priced: &&PricedCause| matches!(priced.cause, MistakeCause::GivesMobility { .. });
            let cost_after = |plies: usize| {
                lines.price_moves_after(plies).iter().find(is_mobility).map_or(0.0, |priced| priced.cost)
            };
            let first = PLIES_TRIED.into_iter().find(|plies| lines.can_end_after(*plies) && shows(plies));
            let is_larger = first.is_some_and(|plies| plies > 1 && cost_after(1) > cost_after(plies));
            let wanted = if is_larger { Some(1) } else { first };
            at_once += usize::from(is_larger);
            let found = lines.price_moves();
            assert_eq!(found.iter().find(is_mobility).map(|priced| priced.plies), wanted, "{board:?}");
            assert!(found.iter().filter(is_mobility).count() <= 1);
            match wanted {
                Some(PLIES_COUNTED) => when_answered += 1,
                Some(_) => elsewhere += 1,
                None => nowhere += 1,
            }
        }
        let counts = [when_answered, elsewhere, at_once, nowhere];
        assert!(!counts.contains(&0), "{counts:?}");
    }

    /// A pass in the middle of a line is told with the moves before it, not with those behind.
    #[test]
    fn a_pass_is_told_where_it_is() {
        let first_moves = |board: Board| {
            let mut squares = Vec::new();
            while squares.len() < PLIES_COUNTED {
                let to_move = FollowedLine::new(board, &squares).board_to_move();
                let Some(next) = iter_squares(to_move.legal_moves()).next() else { break };
                squares.push(next);
            }
            FollowedLine::new(board, &squares)
        };
        let (mut own, mut others) = (0, 0);
        for seed in 0..400 {
            let board = random_board(seed, 50);
            if board.legal_moves() == 0 {
                continue;
            }
            let (line, none) = (first_moves(board), FollowedLine::new(board, &[]));
            for priced in compare(board, line.clone(), none.clone()).price_passes() {
                assert_eq!(priced.cause, MistakeCause::MustPass);
                let told = FollowedLine::new(board, &line.squares()[..priced.plies]);
                assert!(told.passes.0 && !told.own_turn, "{board:?}");
                own += 1;
            }
            for priced in compare(board, none, line.clone()).price_passes() {
                assert_eq!(priced.cause, MistakeCause::SparesPass);
                let told = FollowedLine::new(board, &line.squares()[..priced.better_plies]);
                assert!(told.passes.1 && told.own_turn, "{board:?}");
                others += 1;
            }
        }
        assert!(own > 0 && others > 0, "{own} own passes, {others} of the other side");
    }

    /// Who is left with hardly a move pays more for it than for the moves alone.
    #[test]
    fn running_out_of_moves_costs_more() {
        let (mut none_left, mut some_left) = (0, 0);
        for (pair, lines) in list_pairs(300, |seed| if seed % 2 == 0 { 34 } else { 46 }) {
            let [worse, best] =
                [&lines.played, &lines.better].map(|line| BoardStanding::of_board(line.end).moves);
            let found = lines.price_moves();
            let is_mobility =
                |priced: &&PricedCause| matches!(priced.cause, MistakeCause::GivesMobility { .. });
            let Some(priced) = found.iter().find(is_mobility) else { continue };
            let usual = price::MOVE * f64::from(margin_of(best) - margin_of(worse));
            let runs_out = worse.0 <= 1 && best.0 >= MOVES_ENOUGH;
            let more = if runs_out { price::NO_MOVES } else { 0.0 };
            assert_eq!(priced.cost, usual + more, "{:?} {pair:?}", lines.board);
            none_left += usize::from(runs_out);
            some_left += usize::from(!runs_out);
        }
        assert!(none_left > 0 && some_left > 0, "{none_left} with none left, {some_left} with some");
    }

    /// In the opening moves are counted, and not safe moves. Later safe moves are counted where few are left.
    #[test]
    fn safe_moves_are_counted_where_they_are_scarce() {
        let (mut told, mut early, mut many) = (0, 0, 0);
        for (pair, lines) in list_pairs(200, |seed| if seed % 2 == 0 { 8 } else { 24 }) {
            let [worse, best] =
                [&lines.played, &lines.better].map(|line| BoardStanding::of_board(line.end).safe_moves);
            let found = lines.price_moves();
            let is_told = found.iter().any(|priced| matches!(priced.cause, MistakeCause::LosesTempo { .. }));
            let loses = margin_of(best) >= margin_of(worse) + 2;
            let (late, few) = (lines.board.empty_count() <= TEMPO_FROM, worse.0 <= SAFE_MOVES_COUNTED);
            assert_eq!(is_told, loses && late && few, "{:?} {pair:?}", lines.board);
            told += usize::from(is_told);
            early += usize::from(loses && !late && few);
            many += usize::from(loses && late && !few);
        }
        assert!(
            told > 0 && early > 0 && many > 0,
            "{told} told, {early} early, {many} where enough are left"
        );
    }

    /// Near the end nobody is blamed for a wall.
    #[test]
    fn walls_are_told_while_moves_are_scarce() {
        let (mut told, mut late) = (0, 0);
        for (pair, mut lines) in list_pairs(200, |seed| if seed % 2 == 0 { 24 } else { 44 }) {
            lines.areas.plies = 1;
            let [discs, better] = [&lines.played, &lines.better].map(|line| count_wall(line.end));
            let (is_wall, counts) = (discs >= better + 3, lines.board.empty_count() > WALLS_UNTIL);
            assert_eq!(lines.price_wall().is_some(), is_wall && counts, "{:?} {pair:?}", lines.board);
            told += usize::from(is_wall && counts);
            late += usize::from(is_wall && !counts);
        }
        assert!(told > 0 && late > 0, "{told} told, {late} late");
    }
}
