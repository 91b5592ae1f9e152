//! Errors like a person's: moves that lose so many discs on average as a person's do, as reviews count them.
//!
//! A move's chance falls with what it loses: exp(-loss / temperature). The temperature is the one at which the expected loss is what is
//! wanted in this part of the game. So good moves are likely, small errors usual and large ones rare, and where all moves are about as
//! good there is nothing to lose.

use ishi_rng::Rng;

use crate::coach::OthelloPhase;

/// What people lose a move in each part of a game, as a share of what they lose on the whole. Measured by reviews (level 13) of sixteen
/// games of WTHOR, 1990 to 2020: 1.10, 2.14 and 2.19 discs a move, 1.78 on the whole.
const PHASE_SHARES: [f64; 3] = [0.62, 1.20, 1.23];

/// Temperatures in discs, between which the right one is looked for.
const TEMPERATURES: (f64, f64) = (0.02, 500.0);
/// Each step halves the way, on a logarithmic scale.
const STEPS: u32 = 40;

/// Discs that a person loses with this many empty squares who loses `mean` discs a move over a game.
pub(crate) fn wanted_loss(mean: f64, empties: u32) -> f64 {
    mean * PHASE_SHARES[OthelloPhase::from_empties(empties) as usize]
}

/// The place of one of the moves that lose so many discs (0 for the best): over many draws `wanted` discs are lost on average, or as
/// many as the moves allow. `None` without moves.
pub(crate) fn draw_erring_move(losses: &[f64], wanted: f64, rng: &mut Rng) -> Option<usize> {
    let mut drawn = rng.next_unit();
    for (place, chance) in error_chances(losses, wanted).into_iter().enumerate() {
        drawn -= chance;
        if drawn < 0.0 {
            return Some(place);
        }
    }
    // The chances add up to 1 but for rounding.
    losses.len().checked_sub(1)
}

/// The chances of moves that lose so many discs, with this expected loss, or the nearest that the moves allow.
fn error_chances(losses: &[f64], wanted: f64) -> Vec<f64> {
    let (mut low, mut high) = TEMPERATURES;
    for _ in 0..STEPS {
        let middle = (low * high).sqrt();
        let chances = chances_at(losses, middle);
        *(if expected_loss(losses, &chances) < wanted { &mut low } else { &mut high }) = middle;
    }
    chances_at(losses, low)
}

fn chances_at(losses: &[f64], temperature: f64) -> Vec<f64> {
    let weights: Vec<f64> = losses.iter().map(|loss| (-loss / temperature).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

fn expected_loss(losses: &[f64], chances: &[f64]) -> f64 {
    losses.iter().zip(chances).map(|(loss, chance)| loss * chance).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_rng::Seed;

    const LOSSES: [f64; 6] = [0.0, 1.0, 2.0, 4.0, 9.0, 20.0];

    #[test]
    fn the_expected_loss_is_the_wanted_one() {
        for wanted in [0.1, 0.5, 1.8, 4.0] {
            let chances = error_chances(&LOSSES, wanted);
            assert!((expected_loss(&LOSSES, &chances) - wanted).abs() < 1e-3, "{wanted}: {chances:?}");
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(
                chances.is_sorted_by(|a, b| a >= b),
                "a move that loses more is no likelier: {chances:?}"
            );
        }
        // No more can be lost than by any move at all, and nothing where all are as good.
        let most = error_chances(&LOSSES, 30.0);
        assert!(most.iter().all(|chance| (chance - 1.0 / 6.0).abs() < 0.01), "{most:?}");
        assert_eq!(error_chances(&[0.0, 0.0], 2.0), [0.5, 0.5]);
        assert!(error_chances(&LOSSES, 0.0)[0] > 0.999);
    }

    #[test]
    fn draws_lose_what_is_wanted_on_average() {
        let mut rng = Seed::new(1).stream("human", 0);
        let lost = |_| LOSSES[draw_erring_move(&LOSSES, 1.8, &mut rng).unwrap()];
        let mean = (0..20_000).map(lost).sum::<f64>() / 20_000.0;
        assert!((mean - 1.8).abs() < 0.1, "{mean}");
        assert_eq!(draw_erring_move(&[], 1.0, &mut Seed::new(1).stream("human", 1)), None);
    }

    /// As people do, it errs less in the opening; over all moves of a game the mean is what is wanted.
    #[test]
    fn errors_follow_the_parts_of_a_game() {
        assert!(wanted_loss(1.0, 50) < wanted_loss(1.0, 30));
        let mean = (1..=60).map(|empties| wanted_loss(2.0, empties)).sum::<f64>() / 60.0;
        assert!((mean - 2.0).abs() < 0.1, "{mean}");
    }
}
