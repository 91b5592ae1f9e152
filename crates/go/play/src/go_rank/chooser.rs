//! Ways to choose a move, from weak to strong.

use std::fmt;
use std::str::FromStr;

/// The highest temperature: all moves that anybody would think of are about as likely.
pub(super) const MOST_TEMPERATURE: f32 = 20.0;

/// A way to choose a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chooser {
    /// As [`Chooser::Shapes`] at its highest temperature, but for a share of the moves only within two lines of the last move, where there
    /// is a sensible move: as beginners do, who often answer wherever the opponent has played.
    Near {
        /// How many of the moves, from 0 to 1.
        share: f64,
    },
    /// By the learned strengths of shapes and tactics alone, as a player does who looks at the stones around and does not read. The
    /// temperature is above 0: more makes weaker moves likelier.
    Shapes {
        /// Of the probabilities.
        temperature: f32,
    },
    /// By the probabilities with which strong people play each move, as the network says.
    People {
        /// Of the probabilities.
        temperature: f32,
    },
    /// By a search of so many positions.
    Search {
        /// Positions judged.
        visits: u64,
    },
}

impl fmt::Display for Chooser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chooser::Near { share } => write!(f, "near-{share}"),
            Chooser::Shapes { temperature } => write!(f, "shapes-{temperature}"),
            Chooser::People { temperature } => write!(f, "people-{temperature}"),
            Chooser::Search { visits } => write!(f, "search-{visits}"),
        }
    }
}

/// Reads `near-0.5`, `shapes-0.5`, `people-1` or `search-16`.
impl FromStr for Chooser {
    type Err = String;

    fn from_str(text: &str) -> Result<Chooser, String> {
        let wrong = || {
            format!(
                "{text:?} must be near-S (S: 0 to 1), shapes-T, people-T (T: 0.05 to {MOST_TEMPERATURE}) or search-N (N: 1 to 1000000)"
            )
        };
        let (name, number) = text.split_once('-').ok_or_else(wrong)?;
        let temperature =
            number.parse().ok().filter(|t| (0.05..=MOST_TEMPERATURE).contains(t)).ok_or_else(wrong);
        match name {
            "near" => {
                let share = number.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                Ok(Chooser::Near { share: share.ok_or_else(wrong)? })
            }
            "shapes" => Ok(Chooser::Shapes { temperature: temperature? }),
            "people" => Ok(Chooser::People { temperature: temperature? }),
            "search" => {
                let visits = number.parse().ok().filter(|visits| (1..=1_000_000).contains(visits));
                Ok(Chooser::Search { visits: visits.ok_or_else(wrong)? })
            }
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choosers_are_read_as_they_are_written() {
        for text in ["near-0", "near-0.5", "near-1", "shapes-0.5", "people-1.25", "search-16"] {
            assert_eq!(text.parse::<Chooser>().unwrap().to_string(), text);
        }
        for text in [
            "near-20",
            "near--0.1",
            "near-NaN",
            "shapes-21",
            "shapes",
            "shapes-0",
            "people-x",
            "search-0",
            "search-1.5",
            "luck-1",
        ] {
            let error = text.parse::<Chooser>().unwrap_err();
            assert!(
                error.contains("must be near-S (S: 0 to 1), shapes-T, people-T (T: 0.05 to 20)"),
                "{error}"
            );
        }
    }
}
