//! Ranks of Go, as text.

use std::fmt;
use std::str::FromStr;

/// A rank: 25 kyu (`25k`) to 1 kyu, then 1 dan (`1d`) and up.
///
/// ```
/// use ishi_engines::go_rank::Rank;
/// let rank: Rank = "8k".parse().unwrap();
/// assert_eq!(rank.to_string(), "8k");
/// assert!(rank < "7k".parse().unwrap() && rank < "1d".parse().unwrap());
/// assert_eq!("1d".parse::<Rank>().unwrap().steps_above(rank), 8);
/// assert_eq!("30k".parse::<Rank>().unwrap_err(), "\"30k\" must be a rank from 25k to 5d");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(i8);

/// The two scales of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// The lower the better, down to 1.
    Kyu(u8),
    /// From 1, the higher the better.
    Dan(u8),
}

impl Rank {
    /// 25 kyu.
    pub const WEAKEST: Rank = Rank(-25);
    /// 5 dan.
    pub const STRONGEST: Rank = Rank(4);

    /// So many kyu, 1 to 25.
    pub(super) const fn kyu(kyu: i8) -> Rank {
        Rank(-kyu)
    }

    /// How many ranks this one is above the other; below 0 if it is weaker.
    pub fn steps_above(self, other: Rank) -> i32 {
        i32::from(self.0) - i32::from(other.0)
    }

    /// Its kyu, 1 to 25, or its dan, 1 and up.
    pub fn grade(self) -> Grade {
        if self.0 < 0 { Grade::Kyu(self.0.unsigned_abs()) } else { Grade::Dan(self.0.unsigned_abs() + 1) }
    }

    /// All, the weakest first.
    pub fn all() -> impl Iterator<Item = Rank> {
        (Rank::WEAKEST.0..=Rank::STRONGEST.0).map(Rank)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.grade() {
            Grade::Kyu(kyu) => write!(f, "{kyu}k"),
            Grade::Dan(dan) => write!(f, "{dan}d"),
        }
    }
}

impl FromStr for Rank {
    type Err = String;

    fn from_str(text: &str) -> Result<Rank, String> {
        let found = Rank::all().find(|rank| rank.to_string().eq_ignore_ascii_case(text.trim()));
        found.ok_or_else(|| format!("{text:?} must be a rank from {} to {}", Rank::WEAKEST, Rank::STRONGEST))
    }
}
