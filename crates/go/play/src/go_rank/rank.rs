//! Ranks of Go, as text.

use std::fmt;
use std::str::FromStr;

use ishi_stats::RatedOpponent;

/// A rank: 23 kyu (`23k`) to 6 kyu.
///
/// ```
/// use ishi_go_play::go_rank::Rank;
/// let rank: Rank = "8k".parse().unwrap();
/// assert_eq!(rank.to_string(), "8k");
/// assert!(rank < "7k".parse().unwrap());
/// assert_eq!("6k".parse::<Rank>().unwrap().steps_above(rank), 2);
/// assert_eq!("30k".parse::<Rank>().unwrap_err(), "\"30k\" must be a rank from 23k to 6k");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(i8);

// The number is below 0, so that stronger ranks are more.
impl Rank {
    /// 23 kyu.
    pub const WEAKEST: Rank = Rank::kyu(23);
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

impl RatedOpponent for Rank {
    const USUAL: Rank = Rank::kyu(15);

    fn ladder() -> impl Iterator<Item = (Rank, f64)> {
        Rank::all().map(|rank| (rank, POINTS_A_RANK * f64::from(rank.steps_above(Rank::WEAKEST))))
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
        found.ok_or_else(|| format!("{text:?} must be a rank from {} to {}", Rank::WEAKEST, Rank::STRONGEST))
    }
}
