//! A reference for playouts: the same uniformly random playouts with the crate `goban` 0.20.
//!
//! Its rules are set to what ours do (no suicide, simple ko), and the rule for eyes is ours, so that both sides play
//! games of the same distribution: the mean length and score agree, and the difference is that of the boards. `goban`
//! keeps the history of positions, and cannot be told not to; that is part of its cost.

use goban::pieces::stones::Color;
use goban::rules::game::Game;
use goban::rules::{GobanSizes, IllegalRules, Move, Rule, ScoreRules};
use ishi_go::playout::PlayoutResult;
use ishi_rng::Rng;

/// A uniformly random playout on a square board of `side` lines, from an empty board to two passes or `limit` moves.
///
/// ```
/// use ishi_experiments::ground::reference;
/// use ishi_rng::Seed;
/// let end = reference::random_playout(9, 243, &mut Seed::new(1).stream("playout", 0));
/// assert!(end.score.abs() <= 81 && end.moves <= 243);
/// ```
pub fn random_playout(side: u8, limit: u32, rng: &mut Rng) -> PlayoutResult {
    let rule = Rule {
        komi: 0.0,
        flag_illegal: IllegalRules::KO | IllegalRules::SUICIDE,
        flag_score: ScoreRules::STONES,
    };
    let mut game = Game::new(GobanSizes::Custom(side.into(), side.into()), rule);
    let mut moves = 0;
    while moves < limit && !game.is_over() {
        moves += 1;
        let mv = random_move(&game, rng);
        game.play(mv);
    }
    let (black, white) = game.calculate_score();
    PlayoutResult { score: (black - white) as i32, moves, cut: !game.is_over() }
}

/// A legal point that is no own eye, all equally likely, or a pass.
fn random_move(game: &Game, rng: &mut Rng) -> Move {
    let mut points: Vec<(u8, u8)> = game.pseudo_legals().collect();
    while !points.is_empty() {
        let point = points.swap_remove(rng.next_index(points.len()));
        if !is_eye(game, point) && game.check_point(point).is_none() {
            return point.into();
        }
    }
    Move::Pass
}

/// Is the point surrounded by stones of the player to move, and at most one corner the opponent's (none at the edge)?
fn is_eye(game: &Game, (row, column): (u8, u8)) -> bool {
    let own = game.turn();
    let side = game.size().0;
    let on_board = |&(r, c): &(u8, u8)| r < side && c < side;
    // Left of 0 wraps to 255, which is off every board.
    let (up, down) = (row.wrapping_sub(1), row + 1);
    let (left, right) = (column.wrapping_sub(1), column + 1);
    let beside = [(up, column), (down, column), (row, left), (row, right)];
    if beside.iter().filter(|p| on_board(p)).any(|&p| game.get_color(p) != Some(own)) {
        return false;
    }
    let corners = [(up, left), (up, right), (down, left), (down, right)];
    let opponents = |color: Color| {
        corners.iter().filter(|p| on_board(p)).filter(|&&p| game.get_color(p) == Some(color)).count()
    };
    let at_edge = corners.iter().any(|p| !on_board(p));
    opponents(!own) < if at_edge { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Board, BoardSize, Color, playout};
    use ishi_rng::Seed;
    use ishi_stats::SampleSummary;

    use super::*;

    /// Mean length and score of both sides differ by less than four standard errors (seeds are fixed).
    #[test]
    fn both_sides_play_the_same_games() {
        const GAMES: u64 = 400;
        let empty = Board::new(BoardSize::square(9).unwrap());
        let limit = playout::default_move_limit(&empty);
        let ours = |index| {
            let mut board = empty.clone();
            playout::play_random_playout(
                &mut board,
                Color::Black,
                limit,
                &mut Seed::new(1).stream("ours", index),
            )
        };
        let theirs = |index| super::random_playout(9, limit, &mut Seed::new(1).stream("theirs", index));
        let (ours, theirs): (Vec<_>, Vec<_>) = (0..GAMES).map(|index| (ours(index), theirs(index))).unzip();
        for (what, of) in [
            ("moves", (|p| f64::from(p.moves)) as fn(&PlayoutResult) -> f64),
            ("score", |p| f64::from(p.score)),
        ] {
            let summary = |playouts: &[PlayoutResult]| {
                SampleSummary::from_sample(&playouts.iter().map(of).collect::<Vec<_>>()).unwrap()
            };
            let (a, b) = (summary(&ours), summary(&theirs));
            let error = a.std_error().unwrap().hypot(b.std_error().unwrap());
            assert!((a.mean() - b.mean()).abs() < 4.0 * error, "{what}: {} and {}", a.mean(), b.mean());
        }
    }
}
