//! How strong a person is, by games against opponents whose strength is known, and the opponent that follows from it.
//!
//! The estimate moves after each game by how much the result differs from what was expected, as Elo's does (A. E. Elo, *The Rating of
//! Chessplayers, Past and Present*, 1978). It moves far after the first games.

use crate::elo::expected_score;

/// By how many points the estimate moves at most after the first game, and after later ones.
const FIRST_STEP: f64 = 300.0;
const LATER_STEP: f64 = 80.0;
/// It leaves the opponents' strengths by so many points at most.
const BEYOND: f64 = 100.0;

/// An opponent whose strength is known.
pub trait RatedOpponent: Copy + PartialEq {
    /// Who plays somebody of whom nothing is known.
    const USUAL: Self;

    /// All, the weakest first, with their strengths in points of Elo. Where 0 lies is the ladder's own affair.
    fn ladder() -> impl Iterator<Item = (Self, f64)>;
}

/// The strength of an opponent in points of Elo; `None` if it is not on the ladder.
pub fn opponent_strength<R: RatedOpponent>(opponent: R) -> Option<f64> {
    R::ladder().find(|(known, _)| *known == opponent).map(|(_, strength)| strength)
}

/// The opponent that fits somebody of this strength: the nearest, the weaker of two that are as near.
pub fn nearest_opponent<R: RatedOpponent>(strength: Option<f64>) -> R {
    let Some(strength) = strength else { return R::USUAL };
    let distance = |(_, known): &(R, f64)| (known - strength).abs();
    let nearest = R::ladder().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.map_or(R::USUAL, |(opponent, _)| opponent)
}

/// The strength of a person after a game against this opponent, who had `earlier` games before; `None` if the opponent is not on the
/// ladder. `score` is the person's share: 1 for a win, a half for a draw, 0 for a loss.
pub fn strength_after_game<R: RatedOpponent>(
    before: Option<f64>,
    earlier: u32,
    opponent: R,
    score: f64,
) -> Option<f64> {
    let opponent = opponent_strength(opponent)?;
    // Who has chosen the first opponent knows best.
    let before = before.unwrap_or(opponent);
    let step = (FIRST_STEP / (1.0 + f64::from(earlier) / 2.0)).max(LATER_STEP);
    let after = before + step * (score - expected_score(before - opponent));
    let strengths = || R::ladder().map(|(_, strength)| strength);
    let (weakest, strongest) = (strengths().fold(opponent, f64::min), strengths().fold(opponent, f64::max));
    Some(after.clamp(weakest - BEYOND, strongest + BEYOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five rungs that are not even.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Rung(usize);

    const STRENGTHS: [f64; 5] = [-50.0, 200.0, 350.0, 600.0, 700.0];

    impl RatedOpponent for Rung {
        const USUAL: Rung = Rung(2);

        fn ladder() -> impl Iterator<Item = (Rung, f64)> {
            STRENGTHS.into_iter().enumerate().map(|(rung, strength)| (Rung(rung), strength))
        }
    }

    #[test]
    fn the_opponent_is_the_nearest() {
        assert_eq!(nearest_opponent::<Rung>(None), Rung(2));
        for (strength, rung) in [(-500.0, 0), (75.0, 0), (76.0, 1), (480.0, 3), (9000.0, 4)] {
            assert_eq!(nearest_opponent::<Rung>(Some(strength)), Rung(rung), "{strength}");
        }
        assert_eq!(opponent_strength(Rung(3)), Some(600.0));
        assert_eq!(opponent_strength(Rung(5)), None);
    }

    #[test]
    fn the_strength_follows_the_results_and_stays_near_the_ladder() {
        assert_eq!(strength_after_game(None, 0, Rung(1), 0.5), Some(200.0), "a draw with the first opponent");
        assert_eq!(strength_after_game(None, 0, Rung(1), 1.0), Some(350.0));
        assert_eq!(strength_after_game(None, 0, Rung(9), 1.0), None, "nobody knows that opponent");
        let later = strength_after_game(Some(350.0), 40, Rung(2), 1.0);
        assert_eq!(later, Some(390.0), "later games move it less");
        let expected = strength_after_game(Some(700.0), 40, Rung(0), 1.0).unwrap();
        assert!((700.0..703.0).contains(&expected), "that win was expected: {expected}");
        let after_many = |score: f64| {
            (0..200).fold(None, |strength, games| {
                strength_after_game(strength, games, nearest_opponent::<Rung>(strength), score)
            })
        };
        assert_eq!(after_many(0.0), Some(-150.0));
        assert_eq!(after_many(1.0), Some(800.0));
    }
}
