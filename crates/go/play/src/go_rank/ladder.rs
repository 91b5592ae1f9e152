//! How strong the choosers are, and so which of them make a rank.

use super::chooser::Chooser;
use super::rank::Rank;

/// Elo of a rank more.
pub(super) const ELO_OF_RANK: f64 = 100.0;
/// The rank of an Elo of 0, that of GNU Go 3.8 at level 10.
const ANCHOR: Rank = Rank::kyu(10);

/// Choosers with their strength in Elo on 19x19, the weakest first, as matches between neighbours found it (docs/judge.md). Ways near
/// the last move were both matched with shapes at their highest temperature.
pub(super) const LADDER: [(Chooser, f64); 11] = [
    (Chooser::Near { share: 0.45 }, -1545.0),
    (Chooser::Near { share: 0.3 }, -1410.0),
    (Chooser::Shapes { temperature: 20.0 }, -1265.0),
    (Chooser::Shapes { temperature: 4.0 }, -1155.0),
    (Chooser::Shapes { temperature: 1.5 }, -885.0),
    (Chooser::Shapes { temperature: 0.7 }, -590.0),
    (Chooser::People { temperature: 2.0 }, -405.0),
    (Chooser::People { temperature: 1.0 }, -35.0),
    (Chooser::People { temperature: 0.5 }, 170.0),
    (Chooser::Search { visits: 1 }, 315.0),
    (Chooser::Search { visits: 8 }, 455.0),
];

/// Two choosers, and the share of moves that the second, stronger one chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChooserMixture {
    pub(super) weaker: Chooser,
    pub(super) stronger: Chooser,
    pub(super) share: f64,
}

impl ChooserMixture {
    /// One chooser alone.
    pub(super) fn of_single(chooser: Chooser) -> ChooserMixture {
        ChooserMixture { weaker: chooser, stronger: chooser, share: 1.0 }
    }
}

/// Elo of a rank, on the scale of [`LADDER`].
pub(super) fn elo_of_rank(rank: Rank) -> f64 {
    ELO_OF_RANK * f64::from(rank.steps_above(ANCHOR))
}

/// The choosers of a rank: the two around it, in proportion.
pub(super) fn mixture_of_rank(rank: Rank) -> ChooserMixture {
    let elo = elo_of_rank(rank);
    let above = LADDER.iter().position(|&(_, strength)| strength >= elo).unwrap_or(LADDER.len() - 1);
    let (weaker, low) = LADDER[above.saturating_sub(1)];
    let (stronger, high) = LADDER[above];
    let share = if high > low { ((elo - low) / (high - low)).clamp(0.0, 1.0) } else { 1.0 };
    ChooserMixture { weaker, stronger, share }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_has_a_place_on_the_ladder() {
        assert!(LADDER.windows(2).all(|pair| pair[0].1 < pair[1].1));
        assert!(LADDER[0].1 <= elo_of_rank(Rank::WEAKEST) && elo_of_rank(Rank::STRONGEST) <= LADDER[10].1);
        let mut before = f64::NEG_INFINITY;
        for rank in Rank::all() {
            let ChooserMixture { weaker, stronger, share } = mixture_of_rank(rank);
            let strength = |of: Chooser| LADDER.iter().find(|(chooser, _)| *chooser == of).unwrap().1;
            let mean = strength(weaker) + share * (strength(stronger) - strength(weaker));
            assert!((0.0..=1.0).contains(&share) && mean > before, "{rank}: {mean} after {before}");
            before = mean;
        }
    }
}
