//! Parts of a list of problems that share no game, so that what was chosen on some of them can be judged on the others.

use std::fmt;
use std::str::FromStr;

use ishi_rng::checksum::fnv_checksum;

use super::Problem;

/// Columns of a name that says the game: `GAME:MOVE:CHAIN:QUESTION`, as [`super::captures`] writes it.
const COLUMNS_WITH_GAME: usize = 4;
/// The most parts.
const MOST_PARTS: u64 = 1000;

/// Some of so many parts of all problems. Problems out of one game are in the same part, and so are those of one position. Nothing else counts, so
/// a problem is in the same part of any list.
///
/// ```
/// use ishi_go_play::problems::ProblemParts;
/// let most: ProblemParts = "1-4/5".parse().unwrap();
/// assert_eq!(most.to_string(), "1-4/5");
/// assert_eq!("5/5".parse::<ProblemParts>().unwrap().to_string(), "5/5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemParts {
    first: u64,
    last: u64,
    of: u64,
}

impl ProblemParts {
    /// Is the problem in one of these parts?
    pub fn has(&self, problem: &Problem) -> bool {
        (self.first..=self.last).contains(&(1 + game_key(problem) % self.of))
    }
}

/// The same for all problems of a game, as far as names say which game it is, and of a position.
fn game_key(problem: &Problem) -> u64 {
    let columns: Vec<&str> = problem.name.split(':').collect();
    match (columns.len(), problem.position()) {
        (COLUMNS_WITH_GAME, _) => fnv_checksum(columns[0].as_bytes()),
        (_, Ok(position)) => position.hash(),
        (_, Err(_)) => fnv_checksum(problem.name.as_bytes()),
    }
}

/// `5/5` or `1-4/5`.
impl fmt::Display for ProblemParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProblemParts { first, last, of } = self;
        if first == last { write!(f, "{first}/{of}") } else { write!(f, "{first}-{last}/{of}") }
    }
}

/// Reads `5/5` or `1-4/5`.
impl FromStr for ProblemParts {
    type Err = String;

    fn from_str(text: &str) -> Result<ProblemParts, String> {
        let wrong = || {
            format!(
                "{text:?} must be a part such as 5/5, or parts such as 1-4/5, of {MOST_PARTS} parts at most"
            )
        };
        let number = |text: &str| text.parse::<u64>().ok();
        let (parts, of) = text.split_once('/').ok_or_else(wrong)?;
        let (first, last) = parts.split_once('-').unwrap_or((parts, parts));
        match (number(first), number(last), number(of)) {
            (Some(first), Some(last), Some(of))
                if 1 <= first && first <= last && last <= of && of <= MOST_PARTS =>
            {
                Ok(ProblemParts { first, last, of })
            }
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::parse_problems;
    use super::*;

    fn problem(name: &str, black: &str) -> Problem {
        let line = format!("{name}\tattack\tE5\t9\tblack\t{black}\tee\t5.5\t[1 E4]\t0\n");
        parse_problems(&line).unwrap().remove(0)
    }

    fn part_of(problem: &Problem) -> u64 {
        let of = |part: &u64| ProblemParts { first: *part, last: *part, of: 5 }.has(problem);
        let parts: Vec<u64> = (1..=5).filter(of).collect();
        assert_eq!(parts.len(), 1, "{}", problem.name);
        parts[0]
    }

    #[test]
    fn a_game_stays_together_and_so_does_a_position() {
        for game in 0..20 {
            let parts = [
                problem(&format!("{game}:31:E5:attack"), "deedfd"),
                problem(&format!("{game}:170:E5:defend"), "dc"),
            ];
            assert_eq!(part_of(&parts[0]), part_of(&parts[1]), "game {game}");
        }
        assert_eq!(part_of(&problem("ladder", "deedfd")), part_of(&problem("again:2", "fddeed")));
        let games: Vec<u64> =
            (0..20).map(|game| part_of(&problem(&format!("{game}:9:E5:attack"), "dc"))).collect();
        assert!((1..=5).all(|part| games.contains(&part)), "{games:?}");
    }

    #[test]
    fn several_parts_are_what_is_in_each_of_them() {
        let most: ProblemParts = "1-4/5".parse().unwrap();
        for game in 0..20 {
            let problem = problem(&format!("{game}:31:E5:attack"), "dc");
            assert_eq!(most.has(&problem), part_of(&problem) != 5);
        }
    }

    #[test]
    fn parts_that_are_none_are_refused() {
        for text in ["", "5", "0/5", "6/5", "4-1/5", "1-4", "a/5", "1/0", "1/1001"] {
            let error = text.parse::<ProblemParts>().unwrap_err();
            assert!(error.contains("must be a part such as 5/5"), "{text}: {error}");
        }
    }
}
