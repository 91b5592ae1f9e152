//! Ranks of Go, as text.

use std::fmt;
use std::str::FromStr;

use ishi_stats::RatedOpponent;

/// A rank: 25 kyu (`25k`) to 6 kyu.
///
/// ```
/// use ishi_go_play::go_rank::Rank;
/// let rank: Rank = "8k".parse().unwrap();
/// assert_eq!(rank.to_string(), "8k");
/// assert!(rank < "7k".parse().unwrap());
/// assert_eq!("6k".parse::<Rank>().unwrap().steps_above(rank), 2);
/// let error = "3d".parse::<Rank>().unwrap_err();
/// assert_eq!(error, "\"3d\" must be a rank from 25k to 6k; go-network is stronger");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(i8);

// The number is below 0, so that stronger ranks are more.
impl Rank {
    /// 25 kyu.
    pub const WEAKEST: Rank = Rank::kyu(25);
    /// 6 kyu: what has been measured so far.
    pub const STRONGEST: Rank = Rank::kyu(6);

    /// So many kyu, from 1.
    pub(super) const fn kyu(kyu: i8) -> Rank {
        Rank(-kyu)
    }

    /// How many ranks this one is above the other; below 0 if it is weaker.
    pub fn steps_above(self, other: Rank) -> i32 {
        i32::from(self.0) - i32::from(other.0)
    }

    /// Its kyu: the lower the stronger.
    pub fn kyu_number(self) -> u8 {
        self.0.unsigned_abs()
    }

    /// All, the weakest first.
    pub fn all() -> impl Iterator<Item = Rank> {
        (Rank::WEAKEST.0..=Rank::STRONGEST.0).map(Rank)
    }
}

/// Points of Elo between two ranks (docs/judge.md).
const POINTS_A_RANK: f64 = 100.0;
/// The rank of 0 points. Strengths of people are kept as points, so it stays.
const ZERO: Rank = Rank::kyu(23);

impl RatedOpponent for Rank {
    const USUAL: Rank = Rank::kyu(15);

    fn ladder() -> impl Iterator<Item = (Rank, f64)> {
        Rank::all().map(|rank| (rank, POINTS_A_RANK * f64::from(rank.steps_above(ZERO))))
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}k", self.kyu_number())
    }
}

impl FromStr for Rank {
    type Err = String;

    fn from_str(text: &str) -> Result<Rank, String> {
        let found = Rank::all().find(|rank| rank.to_string().eq_ignore_ascii_case(text.trim()));
        let (weakest, strongest) = (Rank::WEAKEST, Rank::STRONGEST);
        found.ok_or_else(|| {
            format!("{text:?} must be a rank from {weakest} to {strongest}; go-network is stronger")
        })
    }
}

#[cfg(test)]
mod tests {
    use ishi_stats::{nearest_opponent, opponent_strength};

    use super::*;

    /// Points of people are kept in databases: the same points are always the same rank.
    #[test]
    fn points_that_were_kept_mean_the_same_rank() {
        for (points, rank) in [(-200.0, "25k"), (0.0, "23k"), (1300.0, "10k"), (1700.0, "6k")] {
            let rank: Rank = rank.parse().unwrap();
            assert_eq!(opponent_strength(rank), Some(points));
            assert_eq!(nearest_opponent::<Rank>(Some(points)), rank);
        }
    }
}
