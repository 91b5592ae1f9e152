//! What a search says: how the lines go on, what their ends are worth, and the cause that is told.

use ishi_othello::{Board, CORNERS, Square, iter_squares};

use super::{
    ComparedLines, FoundMistake, LEAST_LOSS_TOLD, MOST_DRIFT, MistakeProbe, PART_GIVEN_BACK, PLIES_COMPARED,
    PLIES_TO_CONFIRM, PLIES_TRUSTED, PROBE, PricedCause, yield_to_corners,
};
use crate::coach::areas::AreaCosts;
use crate::coach::contrast::OtherMoves;
use crate::coach::line::FollowedLine;
use crate::levels::LevelLimits;
use crate::search::{FoundMove, ScoreMeaning, SearchEffort, SearchTask};

/// The end of a line that is told is solved from so many empty squares more than positions along the line, ...
const SOLVED_MORE: u32 = 6;

/// ... up to so many.
const SOLVED_QUICKLY: u32 = 20;

/// From this loss on the value after the mistake is looked at once more, as deep as ends of lines are: reviews look at smaller losses so deep.
const LARGE_LOSS: i32 = 5;

/// How hard to look at the end of a line that is told, where positions along it were looked at so hard.
fn confirming_effort(effort: SearchEffort) -> SearchEffort {
    let exact = effort.exact_and_more(SOLVED_MORE, SOLVED_QUICKLY);
    SearchEffort { depth: effort.depth + PLIES_TO_CONFIRM, exact, win_loss: exact, ..effort }
}

impl MistakeProbe<'_, '_> {
    pub(super) fn search(&mut self, board: Board, effort: SearchEffort) -> FoundMove {
        let LevelLimits { time, clock, stop } = self.limits;
        let mut silent = |_: &FoundMove| {};
        let mut task = SearchTask { time, clock, stop, ..SearchTask::new(effort, &mut silent) };
        self.searcher.search_board(board, &mut task)
    }

    /// The value of a board for its side to move.
    pub(super) fn value_of(&mut self, board: Board, effort: SearchEffort) -> i32 {
        match board.is_over() {
            true => board.final_score(),
            false => self.search(board, effort).score,
        }
    }

    /// What follows the move played, and what follows the best one, with what the parts of the board cost.
    pub(super) fn follow_lines(&mut self, mistake: &FoundMistake<'_>) -> ComparedLines {
        let FoundMistake { board, line, value, best, proved } = *mistake;
        let to_corner = self.find_opened_corner(mistake).map(|corner| [line[0], corner]);
        let line = to_corner.as_ref().map_or(line, |moves| &moves[..]);
        let (played, values) = self.follow_line(board, line, value, proved);
        let (better, _) = self.follow_line(board, &best.variation, best.score, proved);
        let (areas, best) = (AreaCosts::default(), best.score);
        let loss = best - value;
        let mut lines =
            ComparedLines { board, loss, best, played, values, better, proved, drift: MOST_DRIFT, areas };
        self.look_at_mistake_again(&mut lines);
        lines.areas = lines.find_area_costs(&self.searcher.evaluation());
        lines
    }

    /// A corner that the move has opened and the best one would not, where the other side can take it at once and gives hardly anything back by
    /// that. A player sees it first, whatever else is a little better. None where the expected answer takes a corner, or all is proved.
    fn find_opened_corner(&mut self, mistake: &FoundMistake<'_>) -> Option<Square> {
        let FoundMistake { board, line, value, best, proved } = *mistake;
        let takes_corner = |square: &Square| CORNERS & square.bit() != 0;
        if proved || self.limits.time.is_some() || line.get(1).is_some_and(takes_corner) {
            return None;
        }
        let [after, better] = [*line.first()?, best.mv.square()?].map(|square| board.play_unchecked(square));
        let opened = after.legal_moves() & CORNERS & !board.pass().legal_moves() & !better.legal_moves();
        let given_back = MOST_DRIFT.max((best.score - value) / PART_GIVEN_BACK);
        let mut value_after = |corner| self.value_of_end(&FollowedLine::new(board, &[line[0], corner]));
        let cheapest = iter_squares(opened).map(|corner| (value_after(corner), corner)).min();
        cheapest.filter(|&(left, _)| left <= value + given_back).map(|(_, corner)| corner)
    }

    /// A line with at least as many moves as are compared, or to the end of the game, and what it is worth after each of its moves to the
    /// one who made the first. Each move is searched anew, but where the line is proved: what was expected was searched less and less
    /// deep.
    fn follow_line(
        &mut self,
        board: Board,
        squares: &[Square],
        value: i32,
        proved: bool,
    ) -> (FollowedLine, Vec<i32>) {
        let trusted = if proved { squares.len() } else { squares.len().min(PLIES_TRUSTED) };
        let mut line = FollowedLine::new(board, &squares[..trusted]);
        let mut values = vec![value; if proved { line.plies.len() } else { 1 }];
        while line.plies.len() < PLIES_COMPARED && !line.end.is_over() {
            let found = self.search_end(&line, self.effort);
            let value = if line.own_turn { found.score } else { -found.score };
            values.resize(line.plies.len(), value);
            let is_proved = found.meaning == ScoreMeaning::Exact;
            let (before, mut longer) = (line.plies.len(), line.squares());
            longer.extend(found.variation.iter().take(if is_proved { usize::MAX } else { 1 }));
            line = FollowedLine::new(board, &longer);
            if is_proved {
                values.resize(line.plies.len(), value);
            }
            if line.plies.len() == before {
                break;
            }
        }
        if values.len() < line.plies.len() {
            let end = if line.end.is_over() { line.end.final_score() } else { self.value_of_end(&line) };
            values.resize(line.plies.len(), end);
        }
        (line, values)
    }

    /// The value of the end of a line for the one who made its first move.
    fn value_of_end(&mut self, line: &FollowedLine) -> i32 {
        let value = self.search_end(line, self.effort).score;
        if line.own_turn { value } else { -value }
    }

    /// Searches the end of a line so deep that the same side is to move at the last positions as in a search from before the line: what the
    /// evaluation says depends on who is to move.
    fn search_end(&mut self, line: &FollowedLine, effort: SearchEffort) -> FoundMove {
        let depth = effort.depth.saturating_sub(u32::from(!line.own_turn)).max(1);
        self.search(line.board_to_move(), SearchEffort { depth, ..effort })
    }

    /// After a large loss, looks at the mistake as deep as at the ends of lines, which are held against its value. A value by which it loses
    /// nothing is not taken: it is told that the move loses.
    fn look_at_mistake_again(&mut self, lines: &mut ComparedLines) {
        if lines.loss < LARGE_LOSS || lines.proved || self.limits.time.is_some() {
            return;
        }
        let mistake = lines.first_plies(&lines.played, 1);
        if mistake.end.is_over() {
            return;
        }
        let found = self.value_looked_at_deeper(&mistake);
        let loses = found <= lines.best - LEAST_LOSS_TOLD;
        if let Some(value) = lines.values.first_mut().filter(|_| loses) {
            *value = found;
        }
    }

    /// The value of the end of a line for the one who made its first move, by a search that is deeper than those along it.
    fn value_looked_at_deeper(&mut self, end: &FollowedLine) -> i32 {
        let found = self.search_end(end, confirming_effort(self.effort));
        if end.own_turn { found.score } else { -found.score }
    }

    /// The dearest cause whose line shows a loss that is still there; `None` if none costs enough.
    pub(super) fn find_main_cause(
        &mut self,
        lines: &ComparedLines,
        others: &OtherMoves,
    ) -> Option<PricedCause> {
        let mut found = self.price_corners(lines);
        found.extend(self.price_answer(lines, others));
        found.extend(lines.price_causes());
        found.iter_mut().for_each(|priced| others.limit_price(lines, priced));
        yield_to_corners(&mut found);
        let can_be_told = found.into_iter().filter(|priced| lines.can_end_after(priced.plies));
        let mut in_turn: Vec<(u8, PricedCause)> =
            can_be_told.filter_map(|priced| Some((lines.turn_of(&priced)?, priced))).collect();
        in_turn.sort_by(|(first, a), (second, b)| {
            first.cmp(second).then(b.rank().total_cmp(&a.rank())).then(a.cause.cmp(&b.cause))
        });
        in_turn.into_iter().next().map(|(_, priced)| priced)
    }

    /// Is the loss still there after so many moves of the line played when one looks deeper than along the line? What is found there is
    /// kept, so that another end is chosen if not.
    pub(super) fn confirm_end(&mut self, lines: &mut ComparedLines, plies: usize) -> bool {
        let end = lines.first_plies(&lines.played, plies);
        if plies <= 1 || lines.proved || end.end.is_over() || self.limits.time.is_some() {
            return true;
        }
        let found = self.value_looked_at_deeper(&end);
        if let Some(value) = lines.values.get_mut(plies - 1) {
            *value = found;
        }
        let holds = lines.is_loss_still_there(plies);
        if !holds {
            lines.areas = lines.find_area_costs(&self.searcher.evaluation());
        }
        holds
    }

    /// What the other moves are worth, and what is expected to follow them.
    pub(super) fn follow_others(&mut self, lines: &ComparedLines) -> OtherMoves {
        let LevelLimits { time, clock, stop } = self.limits;
        let mut silent = |_: &FoundMove| {};
        let mut task = SearchTask { time, clock, stop, ..SearchTask::new(PROBE, &mut silent) };
        OtherMoves::new(lines, &self.searcher.search_each_move(lines.board, &mut task))
    }
}

#[cfg(test)]
mod tests {
    use super::super::PLIES_COUNTED;
    use super::super::test_lines::{LIMITS, compare, found_move, random_board};
    use super::*;
    use crate::eval::Evaluation;
    use crate::search::{CutConfidence, SearchParams, Searcher};

    /// A corner that a move has opened is followed where it can be taken at little cost, and the best move would not have opened it.
    #[test]
    fn a_corner_that_is_open_is_followed_where_taking_it_costs_little() {
        let (mut followed, mut too_dear) = (0, 0);
        for seed in 0..60 {
            let board = random_board(seed, 36);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            for pair in moves.windows(2) {
                let [played, other] = [pair[0], pair[1]];
                let [after, better] = [played, other].map(|square| board.play_unchecked(square));
                let before = board.pass().legal_moves();
                let opened = after.legal_moves() & CORNERS & !before & !better.legal_moves();
                let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
                let effort =
                    SearchEffort { depth: 2, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
                let mut probe = MistakeProbe { searcher: &mut searcher, effort, limits: LIMITS };
                let best = found_move(&[other], 6);
                let line = [played];
                let mistake = FoundMistake { board, line: &line, value: 0, best: &best, proved: false };
                let found = probe.find_opened_corner(&mistake);
                let proved = FoundMistake { proved: true, ..mistake };
                assert_eq!(probe.find_opened_corner(&proved), None);
                let mut left = |corner| probe.value_of_end(&FollowedLine::new(board, &[played, corner]));
                match found {
                    Some(corner) => {
                        assert!(
                            opened & corner.bit() != 0 && left(corner) <= MOST_DRIFT,
                            "{board:?} {played}"
                        );
                        followed += 1;
                    }
                    None => {
                        assert!(
                            iter_squares(opened).all(|corner| left(corner) > MOST_DRIFT),
                            "{board:?} {played}"
                        );
                        too_dear += usize::from(opened != 0);
                    }
                }
            }
        }
        assert!(followed > 0 && too_dear > 0, "{followed} followed, {too_dear} too dear");
    }

    /// After a large loss the ends of lines are held against a value that was looked for as deep as theirs.
    #[test]
    fn a_large_mistake_is_looked_at_again() {
        let (mut changed, mut kept) = (0, 0);
        for seed in 0..16 {
            let board = random_board(seed, 30);
            let Some(first) = iter_squares(board.legal_moves()).next() else { continue };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let effort = SearchEffort { depth: 2, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
            let mut probe = MistakeProbe { searcher: &mut searcher, effort, limits: LIMITS };
            let played = FollowedLine::new(board, &[first]);
            let deeper = probe.value_looked_at_deeper(&played);
            for (loss, best) in [(LARGE_LOSS, 0), (LARGE_LOSS, 64), (LARGE_LOSS - 1, 64)] {
                let values = vec![best - loss];
                let lines = compare(board, played.clone(), played.clone());
                let mut lines = ComparedLines { loss, best, values, ..lines };
                probe.look_at_mistake_again(&mut lines);
                let is_taken = loss >= LARGE_LOSS && deeper <= best - LEAST_LOSS_TOLD;
                let wanted = if is_taken { deeper } else { best - loss };
                assert_eq!(lines.values, [wanted], "{board:?} {loss} {best}");
                changed += usize::from(is_taken);
                kept += usize::from(!is_taken);
            }
        }
        assert!(changed > 0 && kept > 0, "{changed} changed, {kept} kept");
    }

    /// Where no end of a line is confirmed, what is told is told of the move alone.
    #[test]
    fn without_a_confirmed_end_the_move_alone_is_told() {
        let evaluation = Evaluation::shipped();
        let mut named = 0;
        for seed in 0..24 {
            let board = random_board(seed, 30);
            let moves: Vec<Square> = iter_squares(board.legal_moves()).take(2).collect();
            let [first, second] = moves[..] else { continue };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut probe = MistakeProbe { searcher: &mut searcher, effort: PROBE, limits: LIMITS };
            let (played, values) = probe.follow_line(board, &[first], -4, false);
            let (better, _) = probe.follow_line(board, &[second], 0, false);
            let mut lines = ComparedLines { values, ..compare(board, played, better) };
            let others = probe.follow_others(&lines);
            lines.values.fill(-4);
            assert_eq!(lines.plies_shown(), PLIES_COUNTED, "{board:?}");
            lines.keep_mistake_alone(&evaluation);
            assert_eq!((lines.plies_shown(), lines.areas.plies), (1, 1), "{board:?}");
            assert_eq!(lines.find_refutation().plies, 1);
            let Some(main) = probe.find_main_cause(&lines, &others) else { continue };
            assert_eq!(lines.to_reason(&main).line, [first], "{board:?} {main:?}");
            named += 1;
        }
        assert!(named > 0);
    }

    /// The end that is told is looked at deeper, and what is found there is kept.
    #[test]
    fn ends_are_confirmed_by_a_deeper_search() {
        let (mut confirmed, mut refused) = (0, 0);
        for seed in 0..24 {
            let board = random_board(seed, 30);
            let Some(first) = iter_squares(board.legal_moves()).next() else { continue };
            let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let effort = SearchEffort { depth: 2, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
            let mut probe = MistakeProbe { searcher: &mut searcher, effort, limits: LIMITS };
            let (played, mut values) = probe.follow_line(board, &[first], 0, false);
            let last = values[3];
            values[..2].fill(last);
            let mut lines =
                ComparedLines { values, best: last + 4, ..compare(board, played.clone(), played) };
            assert!(lines.is_loss_still_there(4));
            let is_confirmed = probe.confirm_end(&mut lines, 4);
            let end = lines.first_plies(&lines.played, 4);
            let found = probe.search_end(&end, confirming_effort(effort)).score;
            assert_eq!(lines.values[3], if end.own_turn { found } else { -found }, "{board:?}");
            assert_eq!(is_confirmed, lines.is_loss_still_there(4));
            assert_eq!(is_confirmed, (last - MOST_DRIFT..=last + MOST_DRIFT).contains(&lines.values[3]));
            confirmed += usize::from(is_confirmed);
            refused += usize::from(!is_confirmed);
        }
        assert!(confirmed > 0 && refused > 0, "{confirmed} confirmed, {refused} refused");
    }
}
