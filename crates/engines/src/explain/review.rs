//! A whole game in numbers: what each move lost, where the lead changed hands, which moves were the worst.

use ishi_go::{Color, Move};

/// A move that loses less of the probability of winning is none of the worst.
const LEAST_LOSS: f64 = 0.02;

/// A new leader has to stay ahead for so many moves, or to the end.
const STAYS: usize = 10;

/// A move and what it changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// From 1.
    pub number: usize,
    /// Who played.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Black's lead after it, in points after komi.
    pub black_lead: f64,
    /// Black's probability of winning after it, 0 to 1.
    pub black_win_rate: f64,
    /// What it lost for its side, in points.
    pub lost_points: f64,
    /// What it lost for its side of the probability of winning.
    pub lost_win_rate: f64,
}

/// The moves of a game with their values. `values` are Black's lead and win rate before each move and at the end: one more than
/// there are moves, as [`super::Explainer::value`] gives them.
///
/// ```
/// use ishi_engines::explain::review::rows;
/// use ishi_go::{Color, Move};
/// let rows = rows(&[(Color::White, Move::Pass)], &[(0.0, 0.5), (10.0, 0.75)]);
/// assert_eq!((rows[0].lost_points, rows[0].lost_win_rate), (10.0, 0.25));
/// ```
pub fn rows(moves: &[(Color, Move)], values: &[(f64, f64)]) -> Vec<MoveValue> {
    let steps = moves.iter().zip(values.windows(2)).enumerate();
    steps.map(|(n, (&played, around))| row(n + 1, played, around[0], around[1])).collect()
}

fn row(number: usize, (color, mv): (Color, Move), before: (f64, f64), after: (f64, f64)) -> MoveValue {
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    MoveValue {
        number,
        color,
        mv,
        black_lead: after.0,
        black_win_rate: after.1,
        lost_points: sign * (before.0 - after.0),
        lost_win_rate: sign * (before.1 - after.1),
    }
}

/// Numbers of the moves after which the other side is ahead, and stays so for ten moves at least or to the end.
pub fn turning_points(rows: &[MoveValue]) -> Vec<usize> {
    let black = |row: &MoveValue| row.black_win_rate > 0.5;
    let mut found = Vec::new();
    let mut leader = rows.first().map(black);
    for (n, row) in rows.iter().enumerate() {
        let stays = rows[n..].iter().take(STAYS).all(|later| black(later) == black(row));
        if Some(black(row)) != leader && stays {
            leader = Some(black(row));
            found.push(row.number);
        }
    }
    found
}

/// Numbers of the moves that lost most of the probability of winning, at most so many, in the order of the game. Passes are none.
pub fn worst(rows: &[MoveValue], most: usize) -> Vec<usize> {
    let mut found: Vec<&MoveValue> =
        rows.iter().filter(|row| row.mv != Move::Pass && row.lost_win_rate > LEAST_LOSS).collect();
    found.sort_by(|a, b| b.lost_win_rate.total_cmp(&a.lost_win_rate));
    found.truncate(most);
    let mut numbers: Vec<usize> = found.into_iter().map(|row| row.number).collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use ishi_go::Point;

    use super::*;

    fn game(win_rates: &[f64]) -> Vec<MoveValue> {
        let mv = |n: usize| (Color::ALL[n % 2], Move::Play(Point::new(n % 9, n / 9)));
        let moves: Vec<(Color, Move)> = (0..win_rates.len() - 1).map(mv).collect();
        let values: Vec<(f64, f64)> = win_rates.iter().map(|&rate| (rate * 100.0, rate)).collect();
        rows(&moves, &values)
    }

    #[test]
    fn a_lead_that_does_not_last_is_no_turning_point() {
        let mut rates = vec![0.6; 30];
        rates[10] = 0.4;
        assert_eq!(turning_points(&game(&rates)), Vec::<usize>::new());
        rates[20..].fill(0.3);
        assert_eq!(turning_points(&game(&rates)), [20]);
    }

    #[test]
    fn the_worst_come_in_the_order_of_the_game() {
        // Black's moves have odd numbers and lose where the rate falls, White's where it rises.
        let rows = game(&[0.5, 0.4, 0.4, 0.1, 0.9, 0.89]);
        assert_eq!(worst(&rows, 2), [3, 4]);
        assert_eq!(worst(&rows, 9), [1, 3, 4]);
    }
}
