//! When to pass: the game is decided, and nothing on the board is open.

use ishi_go::{Cell, Color, Position, score};

use crate::engine::Report;

/// A point is decided when so much of its mean ownership is one side's.
const DECIDED: f32 = 0.8;

/// After the opponent's pass less will do: a dead stone is not taken off by who thinks it lives.
const DECIDED_AFTER_PASS: f32 = 0.5;

/// May `color` pass and win? Yes if the opponent has passed and what stands wins as it stands; or if every point's owner is
/// decided and the count by owners wins.
pub(crate) fn is_over(position: &Position, color: Color, report: &Report) -> bool {
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let wins = |black_lead: f64| sign * (black_lead - position.white_bonus()) > 0.0;
    let passed = position.passes() > 0;
    if passed && wins(f64::from(score::area(position.board()).margin())) {
        return true;
    }
    let threshold = if passed { DECIDED_AFTER_PASS } else { DECIDED };
    let board = position.board();
    // A neutral point beside both colours decides nothing, and is not worth a move in most rules.
    let open = |&&(point, share): &&(ishi_go::Point, f32)| {
        let around = point.neighbours().map(|n| board.cell(n));
        let neutral = around.contains(&Cell::Black) && around.contains(&Cell::White);
        share.abs() < threshold && !(passed && neutral)
    };
    if report.ownership.is_empty() || report.ownership.iter().find(open).is_some() {
        return false;
    }
    let lead: f64 = report.ownership.iter().map(|&(_, share)| f64::from(share.round())).sum();
    wins(sign * lead)
}

#[cfg(test)]
mod tests {
    use ishi_go::{Diagram, Move, Point, Rules};

    use super::*;

    fn position() -> Position {
        let rows = "X X . O O\nX . X O .\nX X X O O\nX X X O O\n. X X O .\n";
        let board = rows.parse::<Diagram>().unwrap().board().unwrap();
        let stones = board.size().points().filter_map(|point| Some((board.color(point)?, point)));
        let mut position = Position::from_setup(board.size(), Rules::CHINESE, stones, Color::Black).unwrap();
        position.set_komi(0.5).unwrap();
        position
    }

    fn report(position: &Position, owner: impl Fn(Point) -> f32) -> Report {
        let ownership = position.size().points().map(|point| (point, owner(point))).collect();
        Report { ownership, ..Report::default() }
    }

    #[test]
    fn a_decided_game_that_is_won_is_over() {
        let mut game = position();
        let sure = |point: Point| if point.column() < 3 { 1.0 } else { -1.0 };
        assert!(is_over(&game, Color::Black, &report(&game, sure)));
        assert!(!is_over(&game, Color::White, &report(&game, |point| -sure(point))), "lost");
        let unsure = |point: Point| if point.column() < 3 { 0.6 } else { -1.0 };
        assert!(!is_over(&game, Color::Black, &report(&game, unsure)));
        game.play(Color::White, Move::Pass).unwrap();
        assert!(is_over(&game, Color::Black, &report(&game, unsure)), "what stands wins");
    }
}
