//! When to pass: the game is decided, and nothing on the board is open.

use ishi_go::{Cell, Color, Point, Position, Rules, score};

use ishi_engine::SearchReport;

/// A point is decided when so much of its mean ownership is one side's.
const DECIDED: f32 = 0.8;

/// After the opponent's pass less will do: a dead stone is not taken off by who thinks it lives.
const DECIDED_AFTER_PASS: f32 = 0.5;

/// Does the game end with a pass of `color`, and won, as the stones stand? The opponent has passed, and all stones alive, the
/// count wins: nothing needs to be searched.
pub(crate) fn wins_as_it_stands(position: &Position, color: Color) -> bool {
    position.trailing_passes() > 0
        && is_winning_lead(position, color, f64::from(score::tally_area(position.board()).black_lead()))
}

/// Is every point's owner decided, and does the count by owners win for `color`? Whether a pass keeps it so, is for a search
/// to say. Never where dead stones are not taken off by agreement (Tromp-Taylor).
pub(crate) fn is_decided(position: &Position, color: Color, report: &SearchReport) -> bool {
    if report.ownership.is_empty() || *position.rules() == Rules::TROMP_TAYLOR {
        return false;
    }
    let passed = position.trailing_passes() > 0;
    let threshold = if passed { DECIDED_AFTER_PASS } else { DECIDED };
    let board = position.board();
    // A neutral point beside both colours decides nothing, and is not worth a move in most rules.
    let neutral = |point: Point| {
        let around = point.neighbours().map(|n| board.cell(n));
        around.contains(&Cell::Black) && around.contains(&Cell::White)
    };
    let open = |&(point, share): &(Point, f32)| share.abs() < threshold && !(passed && neutral(point));
    if report.ownership.iter().any(open) {
        return false;
    }
    let lead: f64 = report.ownership.iter().map(|&(_, share)| f64::from(share.round())).sum();
    is_winning_lead(position, color, if color == Color::Black { lead } else { -lead })
}

/// Does this lead of Black's win for `color`?
fn is_winning_lead(position: &Position, color: Color, black_lead: f64) -> bool {
    let lead = black_lead - position.white_bonus();
    if color == Color::Black { lead > 0.0 } else { lead < 0.0 }
}

#[cfg(test)]
mod tests {
    use ishi_go::Move;

    use super::*;
    use crate::test_boards::position_of_rows;

    fn position() -> Position {
        let rows = "X X . O O\nX . X O .\nX X X O O\nX X X O O\n. X X O .\n";
        let mut position = position_of_rows(rows, Color::Black);
        position.set_komi(0.5).unwrap();
        position
    }

    fn report(position: &Position, owner: impl Fn(Point) -> f32) -> SearchReport {
        let ownership = position.size().points().map(|point| (point, owner(point))).collect();
        SearchReport { ownership, ..SearchReport::default() }
    }

    #[test]
    fn a_decided_game_that_is_won_is_over() {
        let mut game = position();
        let sure = |point: Point| if point.column() < 3 { 1.0 } else { -1.0 };
        assert!(is_decided(&game, Color::Black, &report(&game, sure)));
        assert!(!is_decided(&game, Color::White, &report(&game, |point| -sure(point))), "lost");
        let unsure = |point: Point| if point.column() < 3 { 0.6 } else { -1.0 };
        assert!(!is_decided(&game, Color::Black, &report(&game, unsure)));
        assert!(!wins_as_it_stands(&game, Color::Black), "the opponent has not passed");
        game.play(Color::White, Move::Pass).unwrap();
        assert!(is_decided(&game, Color::Black, &report(&game, unsure)));
        assert!(wins_as_it_stands(&game, Color::Black) && !wins_as_it_stands(&game, Color::White));
        game.set_rules(Rules::TROMP_TAYLOR);
        assert!(!is_decided(&game, Color::Black, &report(&game, sure)), "dead stones would count");
    }
}
