//! The two lines that are held against each other: where one may end, and what a cause must cost.

use super::{
    ComparedLines, ENOUGH_COST, LEAST_LOSS_TOLD, MainReason, MistakeCause, PART_GIVEN_BACK, PLIES_COUNTED,
    PLIES_TOLD, PricedCause, price,
};
use crate::coach::line::FollowedLine;
use crate::eval::Evaluation;

/// Where no cause costs enough, one that says by what something is lost comes before a part of the board if it costs this part of the loss, ...
const PART_BEFORE_AREA: f64 = 0.125;

/// ... in discs at least and at most so many.
const COST_BEFORE_AREA: (f64, f64) = (1.0, 1.5);

impl ComparedLines {
    pub(super) fn to_reason(&self, priced: &PricedCause) -> MainReason {
        let mut line = self.played.squares();
        line.truncate(priced.plies);
        let mut better = self.better.squares();
        better.truncate(priced.better_plies);
        let answer = self.played.plies.get(1).filter(|ply| !ply.own && priced.plies > 1);
        MainReason {
            cause: priced.cause,
            cost: (priced.cost.round() as i32).clamp(1, self.loss),
            line,
            better,
            answer: answer.map(|ply| ply.square),
        }
    }

    /// After so many moves of the line played, are at least [`LEAST_LOSS_TOLD`] discs of the loss still there, and stand both sides about as after
    /// the mistake? Where one has much less, it went wrong on the way, and the line shows something else.
    pub(super) fn is_loss_still_there(&self, plies: usize) -> bool {
        let value = plies.checked_sub(1).and_then(|last| self.values.get(last));
        let mistake = self.values.first().copied().unwrap_or(self.best - self.loss);
        let given_back = self.drift.max(self.loss / PART_GIVEN_BACK);
        let most = (mistake + given_back).min(self.best - LEAST_LOSS_TOLD);
        let holds = |&value: &i32| (mistake - self.drift..=most).contains(&value);
        value.is_none_or(holds)
    }

    /// May the line be told up to there? It ends with the mistake itself, or with what the other side plays. One that ends with a further move
    /// of the one who erred leaves open how that is answered: of such lines a deeper search confirmed far fewer.
    pub(super) fn can_end_after(&self, plies: usize) -> bool {
        let last = plies.checked_sub(1).and_then(|last| self.played.plies.get(last));
        let is_answered = plies <= 1 || self.proved || last.is_none_or(|ply| !ply.own);
        is_answered && self.is_loss_still_there(plies)
    }

    /// The first of these numbers of plies that the line has and after which it may end; the mistake alone if there is none.
    pub(super) fn choose_plies(&self, wanted: impl IntoIterator<Item = usize>) -> usize {
        let fits = |&plies: &usize| plies <= self.played.plies.len() && self.can_end_after(plies);
        wanted.into_iter().find(fits).unwrap_or(self.plies_up_to(1))
    }

    /// Plies that show a fault of the move itself: up to where both have answered, as far as the loss is still there.
    pub(super) fn plies_shown(&self) -> usize {
        self.choose_plies((1..=self.plies_up_to(PLIES_COUNTED)).rev())
    }

    /// What a cause must cost to be the main one: a quarter of the loss, or [`ENOUGH_COST`], as large losses have many causes. A part of the board
    /// must cost half of the loss. It says where something is lost, and not by what. So must an answer: without it the move would lose less
    /// than half. So must a fact that sets the move apart: all other moves that share it lose at least half as much.
    fn least_cost(&self, cause: MistakeCause) -> f64 {
        let loss = f64::from(self.loss);
        match cause {
            MistakeCause::WeakensArea { .. }
            | MistakeCause::AllowsAnswer { .. }
            | MistakeCause::MissesMerit { .. }
            | MistakeCause::HasFault { .. } => loss / 2.0,
            _ => (loss / 4.0).min(ENOUGH_COST),
        }
    }

    /// In which turn a cause may be told, the lowest first; `None` if it costs too little. Causes that say by what something is lost come first. In the
    /// second turn they may cost less, and what sets the moves apart is told. A part of the board is told where nothing else is left: it says
    /// where something is lost, and nobody learns by what.
    pub(super) fn turn_of(&self, priced: &PricedCause) -> Option<u8> {
        let is_enough = priced.cost >= self.least_cost(priced.cause);
        let (least, most) = COST_BEFORE_AREA;
        let is_something = priced.cost >= (PART_BEFORE_AREA * f64::from(self.loss)).clamp(least, most);
        match priced.cause {
            MistakeCause::WeakensArea { .. } => is_enough.then_some(2),
            MistakeCause::LosesAccess { .. }
            | MistakeCause::MissesMerit { .. }
            | MistakeCause::HasFault { .. } => is_enough.then_some(1),
            _ if is_enough => Some(0),
            _ => is_something.then_some(1),
        }
    }

    /// Lets the value change by so many discs more along a line that is told. Parts of the board are compared anew: other lengths hold then.
    pub(super) fn allow_more_drift(&mut self, more: i32, evaluation: &Evaluation) {
        self.drift += more;
        self.areas = self.find_area_costs(evaluation);
    }

    /// Forgets what the line is worth after later moves, where no search has confirmed it: no cause is told with them any more.
    pub(super) fn keep_mistake_alone(&mut self, evaluation: &Evaluation) {
        self.values.iter_mut().skip(1).for_each(|value| *value = i32::MIN);
        self.areas = self.find_area_costs(evaluation);
    }

    /// The last resort: the line itself, as far as it holds.
    pub(super) fn find_refutation(&self) -> PricedCause {
        let plies = self.choose_plies((1..=self.plies_up_to(PLIES_TOLD)).rev());
        let cause = MistakeCause::Refuted { value: self.best - self.loss, better: self.best };
        PricedCause::new(cause, f64::from(self.loss), plies)
    }

    /// All but corners and single answers.
    pub(super) fn price_causes(&self) -> Vec<PricedCause> {
        let mut found = self.price_passes();
        found.extend(self.price_last_moves());
        found.extend(self.price_even_region());
        found.extend(self.price_stable_discs());
        found.extend(self.price_moves());
        found.extend(self.price_wall());
        found.extend(self.price_the_square());
        found.extend(self.price_turned_discs());
        found.extend(self.price_unbalanced_edge());
        found.extend(self.price_access());
        found.extend(self.price_facts());
        found.extend(self.price_areas());
        found
    }

    /// Plies of the line played, so many at most.
    pub(super) fn plies_up_to(&self, most: usize) -> usize {
        self.played.plies.len().min(most)
    }

    /// What a cause costs that decides finished games: a part of the loss there, if that is more.
    pub(super) fn price_of_finished(&self, usual: f64) -> f64 {
        if self.areas.finished { usual.max(price::PART_OF_LOSS * f64::from(self.loss)) } else { usual }
    }

    pub(super) fn first_plies(&self, line: &FollowedLine, plies: usize) -> FollowedLine {
        line.first_plies(self.board, plies)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_lines::{compare, compare_first_moves, random_board};
    use super::super::{MORE_DRIFT, MOST_DRIFT, PLIES_COMPARED};
    use super::*;
    use crate::coach::areas::BoardArea;
    use crate::coach::reasons::CoachReason;
    use crate::coach::testing;
    use ishi_othello::{Board, Square, iter_squares};

    /// A part of the board and a single answer must explain half of a loss, and other causes a quarter or 2 discs.
    #[test]
    fn parts_of_the_board_and_answers_must_explain_half_of_the_loss() {
        let line = FollowedLine::new(Board::START, &[]);
        let lines = compare(Board::START, line.clone(), line);
        let area = MistakeCause::WeakensArea { area: BoardArea::Middle, discs: 3 };
        let square = Square::from_lowest_bit(1);
        let answer = MistakeCause::AllowsAnswer { square, discs: 3, after_best: None, merit: None };
        let least = |loss| {
            let lines =
                ComparedLines { loss, ..compare(Board::START, lines.played.clone(), lines.better.clone()) };
            [area, answer, MistakeCause::MustPass].map(|cause| lines.least_cost(cause))
        };
        assert_eq!([2, 4, 20].map(least), [[1.0, 1.0, 0.5], [2.0, 2.0, 1.0], [10.0, 10.0, 2.0]]);
    }

    /// An end of a line is told only where the loss is still there and nobody went wrong once more.
    #[test]
    fn ends_are_chosen_where_the_loss_is_still_there() {
        let board = random_board(1, 20);
        let mut squares = Vec::new();
        while squares.len() < 5 {
            let to_move = FollowedLine::new(board, &squares).board_to_move();
            squares.extend(iter_squares(to_move.legal_moves()).next());
        }
        let line = FollowedLine::new(board, &squares);
        let values = vec![-4, -5, -3, -2, -7];
        let lines = ComparedLines { values, ..compare(board, line.clone(), line) };
        let holds: Vec<bool> = (1..=5).map(|plies| lines.is_loss_still_there(plies)).collect();
        assert_eq!(holds, [true, true, true, false, false]);
        assert_eq!(lines.choose_plies([4, 5, 2, 3]), 2);
        assert_eq!(lines.choose_plies([5, 6]), 1, "the mistake alone is left");
        assert_eq!(
            (lines.plies_shown(), lines.find_refutation().plies),
            (2, 2),
            "the third ply is not answered"
        );
        let lines = ComparedLines { proved: true, ..lines };
        assert_eq!((lines.plies_shown(), lines.find_refutation().plies), (3, 3));
    }

    /// Of a large loss the other side may give a part back on a line that is told. The one who erred may go wrong once more no further than after
    /// a small one.
    #[test]
    fn of_a_large_loss_a_part_may_be_given_back() {
        let board = random_board(1, 20);
        let line = FollowedLine::new(board, &[Square::from_lowest_bit(board.legal_moves())]);
        let holds = |loss: i32, drift: i32, value: i32| {
            let values = vec![-loss, value];
            let lines = ComparedLines { loss, drift, values, ..compare(board, line.clone(), line.clone()) };
            lines.is_loss_still_there(2)
        };
        assert!(holds(18, MOST_DRIFT, -15) && !holds(18, MOST_DRIFT, -14), "3 of 18 discs are a sixth");
        assert!(holds(18, MOST_DRIFT, -19) && !holds(18, MOST_DRIFT, -20));
        assert!(holds(4, MOST_DRIFT, -3) && !holds(4, MOST_DRIFT, -2) && !holds(4, MOST_DRIFT, -6));
        assert!(holds(4, MOST_DRIFT + MORE_DRIFT, -2) && holds(4, MOST_DRIFT + MORE_DRIFT, -6));
        assert!(!holds(2, MOST_DRIFT + MORE_DRIFT, -1), "the least that is told must be there");
    }

    /// Where the value may change more along a line, parts of the board are compared at ends that hold only then.
    #[test]
    fn with_more_drift_other_lengths_hold() {
        let evaluation = Evaluation::shipped();
        let mut checked = 0;
        for seed in 0..20 {
            let Some(lines) = compare_first_moves(random_board(seed, 30)) else { continue };
            if [&lines.played, &lines.better].iter().any(|line| line.plies.len() <= PLIES_COMPARED) {
                continue;
            }
            // Two discs less than right after the mistake.
            let mut values = vec![-6; PLIES_COMPARED];
            values[0] = -4;
            let mut lines = ComparedLines { values, ..lines };
            lines.areas = lines.find_area_costs(&evaluation);
            assert_eq!((lines.areas.plies, lines.drift), (1, MOST_DRIFT), "{:?}", lines.board);
            lines.allow_more_drift(MORE_DRIFT, &evaluation);
            assert_eq!(lines.drift, MOST_DRIFT + MORE_DRIFT);
            assert!(lines.areas.plies >= PLIES_COUNTED, "{:?}", lines.board);
            checked += 1;
        }
        assert!(checked > 0);
    }

    /// Causes that cost enough come first, then what costs less or sets the moves apart, and parts of the board at last.
    #[test]
    fn parts_of_the_board_are_told_last() {
        let line = FollowedLine::new(Board::START, &[]);
        let lines = ComparedLines { loss: 8, ..compare(Board::START, line.clone(), line) };
        let turn = |cause, cost| lines.turn_of(&PricedCause::new(cause, cost, 1));
        let area = MistakeCause::WeakensArea { area: BoardArea::Middle, discs: 8 };
        assert_eq!([8.0, 4.0, 3.9].map(|cost| turn(area, cost)), [Some(2), Some(2), None]);
        let pass = MistakeCause::MustPass;
        assert_eq!([2.0, 1.9, 1.0, 0.9].map(|cost| turn(pass, cost)), [Some(0), Some(1), Some(1), None]);
        let fault = MistakeCause::HasFault { fault: CoachReason::Greedy { turned: 7 } };
        assert_eq!([8.0, 4.0, 3.9].map(|cost| turn(fault, cost)), [Some(1), Some(1), None]);
        let quarter = testing::square("a1");
        let access = MistakeCause::LosesAccess { quarter, moves: (0, 3), better: (2, 2) };
        assert_eq!([8.0, 2.0, 1.9].map(|cost| turn(access, cost)), [Some(1), Some(1), None]);
    }
}
