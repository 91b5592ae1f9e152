//! Dynamic komi for handicap games: with a komi that makes the game look even, playouts tell good moves from bad ones.
//!
//! Source: P. Baudis, "Balancing MCTS by dynamically adjusting the komi value" (ICGA Journal 34, 2011): the linear schedule of
//! section 3.1, and the situational one of section 3.3 with the win rate of the search before.

use ishi_go::Position;

/// How komi is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DynamicKomi {
    /// Not at all.
    Off,
    /// By the value of the handicap stones, less and less until the middle of the game.
    #[default]
    Linear,
    /// The same, and half as much again while one side's win rate is beyond 0.75.
    Value,
}

/// Points that a handicap stone is worth on 19x19 (Baudis 2011, section 3.1); on smaller boards less, by their sides.
const STONE: f64 = 7.0;

/// Share of the board's points after which komi is what it is.
const END: f64 = 0.55;

/// Win rate beyond which a game is not balanced.
const UNBALANCED: f64 = 0.75;

/// Points for White besides what the rules give.
pub(crate) fn extra_komi(kind: DynamicKomi, position: &Position, black_win_rate: Option<f64>) -> f64 {
    let handicap = position.handicap().max(1) - 1;
    let played = position.moves().len() as f64 / (END * position.size().area() as f64);
    let side = (position.size().area() as f64).sqrt();
    let linear = STONE * side / 19.0 * handicap as f64 * (1.0 - played).max(0.0);
    match kind {
        DynamicKomi::Off => 0.0,
        DynamicKomi::Linear => linear,
        DynamicKomi::Value => match black_win_rate {
            Some(rate) if rate > UNBALANCED => 1.5 * linear,
            Some(rate) if rate < 1.0 - UNBALANCED => 0.5 * linear,
            _ => linear,
        },
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Move, Rules};

    use super::*;

    #[test]
    fn komi_shrinks_with_the_game() {
        let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
        assert_eq!(extra_komi(DynamicKomi::Linear, &position, None), 0.0, "an even game");
        position.set_handicap(4);
        assert_eq!(extra_komi(DynamicKomi::Linear, &position, None), 21.0);
        assert_eq!(extra_komi(DynamicKomi::Off, &position, None), 0.0);
        assert_eq!(extra_komi(DynamicKomi::Value, &position, Some(0.9)), 31.5);
        assert_eq!(extra_komi(DynamicKomi::Value, &position, Some(0.1)), 10.5);
        for _ in 0..50 {
            position.play(position.to_move(), Move::Pass).unwrap();
        }
        let later = extra_komi(DynamicKomi::Linear, &position, None);
        assert!(later > 15.0 && later < 16.0, "{later}");
        for _ in 0..150 {
            position.play(position.to_move(), Move::Pass).unwrap();
        }
        assert_eq!(extra_komi(DynamicKomi::Linear, &position, None), 0.0);
    }
}
