//! Hints: every legal move of a position with what it is worth and why.

use ishi_othello::{Board, Move, Square};

use super::causes::{FoundMistake, MOST_LOSS_PRAISED, MainReason, find_main_reason};
use super::reasons::{CoachReason, find_reasons};
use super::review::agree_on_best;
use crate::levels::LevelLimits;
use crate::openings::{NamedOpening, OpeningNames};
use crate::search::{CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchTask, Searcher};

/// A legal move and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveHint {
    /// The move.
    pub square: Square,
    /// What the search has found: value in discs for the side to move, depth, confidence, variation.
    pub found: FoundMove,
    /// Discs that it loses against the best move.
    pub loss: i32,
    /// The main reason why it loses; `None` if it loses less than 2 discs. A move that seems good may have one, too: where it would be
    /// praised but for a deeper look.
    pub main: Option<MainReason>,
    /// What speaks for and against it; nothing for it if it loses more than a disc.
    pub reasons: Vec<CoachReason>,
    /// The opening that it leads to, if that has a name.
    pub opening: Option<&'static NamedOpening>,
}

/// Every legal move, best first; none if the side to move must pass or the game is over. The time is shared by the
/// moves.
pub fn find_hints(
    board: Board,
    searcher: &mut Searcher,
    effort: SearchEffort,
    limits: LevelLimits<'_>,
) -> Vec<MoveHint> {
    let mut silent = |_: &FoundMove| {};
    let LevelLimits { time, clock, stop } = limits;
    let time = time.map(|time| time / (2 * board.legal_moves().count_ones().max(1)));
    let mut task = SearchTask { time, clock, stop, ..SearchTask::new(effort, &mut silent) };
    let moves = searcher.search_each_move(board, &mut task);
    let Some(best) = moves.first().cloned() else { return Vec::new() };
    let limits = LevelLimits { time: time.map(|time| time / 16), ..limits };
    let mut explainer = HintExplainer { board, best: &best, searcher, effort: limit_effort(effort), limits };
    let mut hints: Vec<MoveHint> =
        moves.into_iter().filter_map(|found| explainer.build_hint(found)).collect();
    explainer.confirm_praise(&mut hints, confirming_effort(effort));
    hints
}

/// Praise is looked at again with so many plies more, as far as people wait for it, and with cuts that are right 95 times in 100. Near the end
/// it is solved.
fn confirming_effort(effort: SearchEffort) -> SearchEffort {
    let depth = (effort.depth + 12).min((effort.depth + 2).max(CONFIRMED_QUICKLY));
    let exact = effort.exact.max(SOLVED_QUICKLY);
    SearchEffort { depth, exact, win_loss: exact, confidence: effort.confidence.min(CutConfidence::Good) }
}

/// Praise is confirmed twelve plies deeper, to so many plies at most, and two plies deeper at least.
const CONFIRMED_QUICKLY: u32 = 16;
/// From so many empty squares on praise is confirmed by solving.
const SOLVED_QUICKLY: u32 = 20;

/// The ends of the lines that show reasons are not looked at harder than this: there is one for every move.
fn limit_effort(effort: SearchEffort) -> SearchEffort {
    let (depth, exact) = (effort.depth.min(6), effort.exact.min(14));
    SearchEffort { depth, exact, win_loss: exact, ..effort }
}

/// What is needed to explain the moves of a position.
struct HintExplainer<'a, 'b> {
    board: Board,
    best: &'a FoundMove,
    searcher: &'a mut Searcher,
    effort: SearchEffort,
    limits: LevelLimits<'b>,
}

impl HintExplainer<'_, '_> {
    fn build_hint(&mut self, found: FoundMove) -> Option<MoveHint> {
        let Move::Play(square) = found.mv else { return None };
        let loss = self.best.score - found.score;
        let mut reasons = find_reasons(self.board, square);
        reasons.retain(|reason| loss <= MOST_LOSS_PRAISED || !reason.is_merit());
        let mistake = hold_against(self.board, &found, self.best);
        let main = find_main_reason(mistake, self.searcher, self.effort, self.limits);
        let opening = OpeningNames::builtin().opening_at(self.board.play_unchecked(square));
        Some(MoveHint { square, loss, main, reasons, opening, found })
    }

    /// Takes back what was said for moves that lose anything when one looks deeper: what is a disc behind there may be more behind by a search
    /// that is deeper still. Where values are proved, [`MOST_LOSS_PRAISED`] is allowed. Of what loses more, it is said why.
    fn confirm_praise(&mut self, hints: &mut [MoveHint], effort: SearchEffort) {
        let is_proved = |found: &FoundMove| found.meaning == ScoreMeaning::Exact;
        let mut praised = hints.iter().filter(|hint| hint.is_praised()).peekable();
        if praised.peek().is_none() || is_proved(self.best) && praised.all(|hint| is_proved(&hint.found)) {
            return;
        }
        let best = self.search(self.board, effort);
        let praised = hints.iter().enumerate().filter(|(_, hint)| hint.is_praised());
        let found: Vec<(usize, FoundMove)> =
            praised.map(|(place, hint)| (place, self.search_move(hint.square, effort))).collect();
        let best = find_best_of_all(best, &found);
        for (place, found) in &found {
            let loss = best.score - found.score;
            let mistake = hold_against(self.board, found, &best);
            if loss <= if mistake.proved { MOST_LOSS_PRAISED } else { 0 } {
                continue;
            }
            hints[*place].reasons.retain(|reason| !reason.is_merit());
            hints[*place].main = find_main_reason(mistake, self.searcher, self.effort, self.limits);
        }
    }

    /// What a move is worth and what follows it, by a search of as many plies, counted from the same position.
    fn search_move(&mut self, square: Square, effort: SearchEffort) -> FoundMove {
        let found = self.search(self.board.play_unchecked(square), effort.one_ply_less());
        let variation = std::iter::once(square).chain(found.variation.iter().copied()).collect();
        FoundMove { mv: Move::Play(square), score: -found.score, variation, ..found }
    }

    fn search(&mut self, board: Board, effort: SearchEffort) -> FoundMove {
        let mut silent = |_: &FoundMove| {};
        let LevelLimits { time, clock, stop } = self.limits;
        let mut task = SearchTask { time, clock, stop, ..SearchTask::new(effort, &mut silent) };
        self.searcher.search_board(board, &mut task)
    }
}

/// The best move where some were searched by themselves, too: one of these, if it is worth more than the search of the position knew. Its value is
/// proved only if that search proved it.
fn find_best_of_all(of_position: FoundMove, of_moves: &[(usize, FoundMove)]) -> FoundMove {
    of_moves.iter().fold(of_position, |best, (_, found)| agree_on_best(best, found.clone()).0)
}

/// A move beside the best one.
fn hold_against<'a>(board: Board, found: &'a FoundMove, best: &'a FoundMove) -> FoundMistake<'a> {
    let proved = [best, found].iter().all(|found| found.meaning == ScoreMeaning::Exact);
    FoundMistake { board, line: &found.variation, value: found.score, best, proved }
}

impl MoveHint {
    /// Is something said for it?
    fn is_praised(&self) -> bool {
        self.reasons.iter().any(|reason| reason.is_merit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::board;
    use crate::levels::Level;
    use crate::search::SearchParams;
    use ishi_engine::StoppedClock;
    use ishi_rng::Seed;

    fn all(board: Board, level: u8) -> Vec<MoveHint> {
        let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
        let effort = Level::new(level).unwrap().effort_in_discs(board.empty_count());
        let limits = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };
        find_hints(board, &mut searcher, effort, limits)
    }

    #[test]
    fn every_legal_move_has_a_value_and_the_best_is_first() {
        let hints = all(Board::START.play_unchecked("f5".parse().unwrap()), 5);
        let names: Vec<Option<&str>> = {
            let mut sorted: Vec<&MoveHint> = hints.iter().collect();
            sorted.sort_by_key(|hint| hint.square);
            sorted.iter().map(|hint| hint.opening.and_then(|opening| opening.english.as_deref())).collect()
        };
        assert_eq!(names, [Some("Parallel"), Some("Perpendicular"), Some("Diagonal")]);
        assert_eq!(hints[0].loss, 0);
        assert!(hints.is_sorted_by_key(|hint| hint.loss));
    }

    /// Every move that loses 2 discs has its main reason, and none that loses more than one is praised.
    #[test]
    fn losing_moves_have_reasons_and_no_praise() {
        let board = board("-------- ---XX--- --OXXO-- --XXOOX- --XOOO-- ---OO--- -------- --------");
        let hints = all(board, 8);
        assert!(hints.iter().any(|hint| hint.main.is_some()));
        for hint in &hints {
            assert!(hint.main.is_some() || hint.loss < 2, "{hint:?}");
            let praised = hint.reasons.iter().any(|reason| reason.is_merit());
            assert!(!praised || hint.loss <= MOST_LOSS_PRAISED, "{hint:?}");
        }
    }

    /// Hints of a position near the end, all proved, each with praise and no reason yet.
    fn praised_hints(board: Board) -> Vec<MoveHint> {
        let mut hints = all(board, 10);
        for hint in &mut hints {
            assert_eq!(hint.found.meaning, ScoreMeaning::Exact);
            (hint.reasons, hint.main) = (vec![CoachReason::Quiet], None);
        }
        hints
    }

    fn confirm(board: Board, best: &FoundMove, hints: &mut [MoveHint]) {
        let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
        let effort = Level::new(10).unwrap().effort_in_discs(board.empty_count());
        let limits = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };
        let mut explainer = HintExplainer { board, best, searcher: &mut searcher, effort, limits };
        explainer.confirm_praise(hints, effort);
    }

    /// Praise that a shallow search gave is kept for moves that lose at most a disc when all is solved, and for no others. That the best
    /// move is proved is not enough, nor that the praised ones are.
    #[test]
    fn praise_is_taken_back_from_moves_that_lose() {
        use ScoreMeaning::{Estimate, Exact};
        let (mut kept, mut taken_back) = (0, 0);
        for seed in 0..8 {
            let board = random_board(seed, 52);
            let proved = praised_hints(board);
            let Some(first) = proved.first() else { continue };
            for (of_best, of_moves) in [(Estimate, Exact), (Exact, Estimate)] {
                let best = FoundMove { meaning: of_best, ..first.found.clone() };
                let mut hints = proved.clone();
                hints.iter_mut().for_each(|hint| hint.found.meaning = of_moves);
                confirm(board, &best, &mut hints);
                for hint in &hints {
                    assert_eq!(hint.is_praised(), hint.loss <= MOST_LOSS_PRAISED, "{board:?} {hint:?}");
                    kept += usize::from(hint.is_praised());
                    taken_back += usize::from(!hint.is_praised());
                    // What loses has a reason, and what keeps its praise has none.
                    assert_eq!(hint.main.is_some(), hint.loss > MOST_LOSS_PRAISED, "{board:?} {hint:?}");
                }
            }
            // Nothing is looked at again where all is proved.
            let mut hints = proved.clone();
            confirm(board, &first.found, &mut hints);
            assert_eq!(hints, proved);
        }
        assert!(kept > 0 && taken_back > 0, "{kept} praised, {taken_back} no longer");
    }

    /// That a move is proved to be worth so much does not prove that it is the best, and so not what another loses against it.
    #[test]
    fn losses_are_proved_only_against_a_best_move_that_is() {
        use ScoreMeaning::{Estimate, Exact, Selective};
        let found = |name: &str, score, meaning| {
            let square: Square = name.parse().unwrap();
            let (mv, variation, confidence) = (Move::Play(square), vec![square], CutConfidence::Full);
            FoundMove { mv, score, meaning, depth: 8, confidence, variation, nodes: 1 }
        };
        let moves = [(0, found("c4", 4, Exact)), (1, found("d3", 5, Exact)), (2, found("e6", 3, Exact))];
        for meaning in [Estimate, Selective] {
            let best = find_best_of_all(found("e6", 2, meaning), &moves);
            assert_eq!((best.mv, best.score, best.meaning), (moves[1].1.mv, 5, meaning));
            assert!(!hold_against(Board::START, &moves[0].1, &best).proved);
        }
        let best = find_best_of_all(found("d3", 5, Exact), &moves);
        assert!(hold_against(Board::START, &moves[0].1, &best).proved);
        // An estimate above what is proved is wrong.
        let proved = found("c4", 4, Exact);
        assert_eq!(find_best_of_all(proved.clone(), &[(0, found("d3", 9, Estimate))]), proved);
    }

    /// Hints of a shallow look are confirmed: some moves that seem good to it are not praised.
    #[test]
    fn praise_is_confirmed_by_a_deeper_search() {
        let effort = Level::LOWEST.effort_in_discs(40);
        assert!(confirming_effort(effort).depth > effort.depth);
        let (mut praised, mut taken_back) = (0, 0);
        for seed in 0..8 {
            let board = random_board(seed, 24);
            for hint in all(board, Level::LOWEST.number()) {
                // Whatever loses has a reason, by whichever look, and no praise beside it.
                assert!(!(hint.is_praised() && hint.main.is_some()), "{hint:?}");
                let has_merits = find_reasons(board, hint.square).iter().any(|reason| reason.is_merit());
                praised += usize::from(hint.is_praised());
                let seems_good = hint.loss <= MOST_LOSS_PRAISED && has_merits;
                assert!(seems_good || !hint.is_praised(), "{hint:?}");
                taken_back += usize::from(seems_good && !hint.is_praised());
            }
        }
        assert!(praised > 0 && taken_back > 0, "{praised} praised, {taken_back} no longer");
    }

    /// Where nothing is proved, praise is for moves that the deeper look sees no disc behind. Of one that is a disc behind nothing is said.
    #[test]
    fn estimates_praise_only_what_is_as_good_as_the_best() {
        let (mut praised, mut silent, mut blamed) = (0, 0, 0);
        let limits = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };
        let effort = SearchEffort { depth: 2, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
        for seed in 0..12 {
            let board = random_board(seed, 24);
            let mut hints = all(board, 5);
            let Some(first) = hints.first() else { continue };
            let best = first.found.clone();
            hints.iter_mut().for_each(|hint| (hint.reasons, hint.main) = (vec![CoachReason::Quiet], None));
            let new_searcher = || Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
            let mut searcher = new_searcher();
            let mut explainer = HintExplainer { board, best: &best, searcher: &mut searcher, effort, limits };
            explainer.confirm_praise(&mut hints, effort);
            let mut searcher = new_searcher();
            let mut explainer = HintExplainer { board, best: &best, searcher: &mut searcher, effort, limits };
            let of_position = explainer.search(board, effort).score;
            let values: Vec<i32> =
                hints.iter().map(|hint| explainer.search_move(hint.square, effort).score).collect();
            let most = values.iter().copied().fold(of_position, i32::max);
            for (hint, value) in hints.iter().zip(values) {
                let loss = most - value;
                assert_eq!(hint.is_praised(), loss == 0, "{board:?} {hint:?}");
                assert_eq!(hint.main.is_some(), loss > MOST_LOSS_PRAISED, "{board:?} {hint:?}");
                praised += usize::from(hint.is_praised());
                silent += usize::from(!hint.is_praised() && hint.main.is_none());
                blamed += usize::from(hint.main.is_some());
            }
        }
        assert!(praised > 0 && silent > 0 && blamed > 0, "{praised} praised, {silent} not, {blamed} blamed");
    }

    /// Praise near the end is confirmed by solving, whatever the level.
    #[test]
    fn praise_near_the_end_is_solved() {
        for level in Level::all() {
            let effort = level.effort_in_discs(SOLVED_QUICKLY);
            let deeper = confirming_effort(effort);
            assert!(deeper.exact >= SOLVED_QUICKLY.max(effort.exact), "{level}");
            assert_eq!(deeper.win_loss, deeper.exact, "{level}: values are asked in discs");
            assert!(deeper.depth >= effort.depth + 2, "{level}");
        }
    }

    fn random_board(seed: u64, plies: usize) -> Board {
        let mut rng = Seed::new(seed).stream("hints", 0);
        let mut board = Board::START;
        for _ in 0..plies {
            let children: Vec<Board> = board.children().map(|(_, child)| child).collect();
            board = rng.choose(&children).copied().unwrap_or(board.pass());
        }
        if board.legal_moves() == 0 { board.pass() } else { board }
    }

    #[test]
    fn the_end_is_exact() {
        let board = board("-OXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXOOX XXXXXX--");
        let hints = all(board, 10);
        assert_eq!(hints.len(), 3);
        assert!(hints.iter().all(|hint| hint.found.meaning == ScoreMeaning::Exact));
        assert_eq!(hints[0].found.score, 64);
        assert_eq!(hints[0].found.variation[0], hints[0].square);
    }

    #[test]
    fn a_pass_and_a_finished_game_have_no_hints() {
        let over = Board { player: !0, opponent: 0 };
        assert!(all(over, 10).is_empty());
    }
}
