//! Quadratic knapsack files of Billionnet and Soutif, as pools and requests.
//!
//! Source: A. Billionnet and É. Soutif, "An exact method based on Lagrangian decomposition for the 0-1 quadratic knapsack problem",
//! European Journal of Operational Research 157, 2004, and their page <https://cedric.cnam.fr/~soutif/QKP/>. A file has, line by line: its
//! name, the number of items, the items' profits, of each item but the last the profits with those after it, an empty line, 0, the
//! capacity, the weights; what follows is comment. The 0 says that the capacity is an upper limit.
//!
//! The name on the first line is the problem's true name: some collections file a problem under another one.

use std::sync::Arc;

use thiserror::Error;

use crate::pool::{Piece, Pool};
use crate::problem::Problem;
use crate::request::{DeckRequest, MAX_LIMIT};
use crate::table::{MAX_SCORE, PairScoreTable};

/// More items than any known file has.
pub const MOST_ITEMS: usize = 10_000;

/// A quadratic knapsack problem.
#[derive(Clone, PartialEq, Debug)]
pub struct QuadraticKnapsack {
    /// The name on the first line.
    pub name: String,
    /// One piece an item, called `item 1` and so on; the weight is its cost.
    pub pool: Arc<Pool>,
    /// Any number of items within the capacity.
    pub request: DeckRequest,
}

/// Why a file is no quadratic knapsack problem.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {what}")]
pub struct KnapsackError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl QuadraticKnapsack {
    /// Reads a file's text.
    ///
    /// ```
    /// let text = "small\n3\n5 7 2\n1 4\n6\n\n0\n10\n4 5 6\n";
    /// let knapsack = ishi_deck::qkp::QuadraticKnapsack::parse_text(text).unwrap();
    /// assert_eq!((knapsack.name.as_str(), knapsack.pool.pieces.len()), ("small", 3));
    /// assert_eq!(knapsack.request.limits, [Some(10)]);
    /// ```
    ///
    /// # Errors
    /// If a line is missing, has too many or too few numbers, or something that is no number.
    pub fn parse_text(text: &str) -> Result<QuadraticKnapsack, KnapsackError> {
        let mut lines = NumberedLines { lines: text.lines().enumerate(), last: 0 };
        let (_, name) = lines.next_line("the problem's name")?;
        let (line, count) = lines.next_line("the number of items")?;
        let items = match count.trim().parse() {
            Ok(items) if (1..=MOST_ITEMS).contains(&items) => items,
            _ => {
                let what = format!("{:?}: the number of items must be 1 to {MOST_ITEMS}", count.trim());
                return Err(KnapsackError { line, what });
            }
        };
        let most = i64::from(MAX_SCORE);
        let profits = lines.parse_numbers("the items' profits", items, -most..=most)?;
        let mut pairs = Vec::new();
        for item in 0..items - 1 {
            let what = format!("the profits of item {} with those after it", item + 1);
            for (other, profit) in
                (item + 1..).zip(lines.parse_numbers(&what, items - item - 1, -most..=most)?)
            {
                if profit != 0 {
                    // Both are small: the ranges above say so.
                    pairs.push((item as u32, other as u32, profit as i32));
                }
            }
        }
        lines.check_limit_kind()?;
        let capacity = lines.parse_numbers("the capacity", 1, 0..=MAX_LIMIT)?[0];
        let weights = lines.parse_numbers("the weights", items, 0..=most)?;
        let piece = |(at, (&score, &weight)): (usize, (&i64, &i64))| Piece {
            name: format!("item {}", at + 1),
            costs: vec![weight],
            score,
            ..Piece::default()
        };
        let pool = Pool {
            pieces: profits.iter().zip(&weights).enumerate().map(piece).collect(),
            resources: vec!["weight".into()],
            attributes: Vec::new(),
            groups: Vec::new(),
            pairs: PairScoreTable::from_symmetric_entries(items, &pairs),
            leaders: None,
            units: 1.0,
        };
        let mut request = DeckRequest::with_size(1..=items, 1);
        request.limits = vec![Some(capacity)];
        Ok(QuadraticKnapsack { name: name.trim().to_string(), pool: Arc::new(pool), request })
    }

    /// As a problem.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ishi_deck::{SolverOptions, qkp::QuadraticKnapsack, solve_problem};
    /// use ishi_rng::Seed;
    ///
    /// let text = "small\n3\n5 7 2\n1 4\n6\n\n0\n10\n4 5 6\n";
    /// let problem = QuadraticKnapsack::parse_text(text).unwrap().to_problem();
    /// let options = SolverOptions { seed: Seed::new(1), gap: 0, above: None };
    /// let answer = solve_problem(&problem, &options, &mut |_| ControlFlow::Continue(()));
    /// // The first two items: they weigh 9, and are worth 5, 7 and 1 together.
    /// assert_eq!(answer.value, Some(13));
    /// ```
    ///
    /// # Panics
    /// Never: what was read makes sense.
    #[must_use]
    pub fn to_problem(&self) -> Problem {
        Problem::new(Arc::clone(&self.pool), &self.request).expect("the request fits the pool")
    }
}

/// The lines that are not empty, with their numbers.
struct NumberedLines<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    last: usize,
}

impl<'t> NumberedLines<'t> {
    fn next_line(&mut self, wanted: &str) -> Result<(usize, &'t str), KnapsackError> {
        for (at, line) in self.lines.by_ref() {
            self.last = at + 1;
            if !line.trim().is_empty() {
                return Ok((at + 1, line));
            }
        }
        Err(KnapsackError { line: self.last + 1, what: format!("the file ends before {wanted}") })
    }

    fn parse_numbers(
        &mut self,
        wanted: &str,
        count: usize,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<Vec<i64>, KnapsackError> {
        let (line, text) = self.next_line(wanted)?;
        let number = |word: &str| match word.parse() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => {
                let (least, most) = (range.start(), range.end());
                let what = format!("{word:?}, in {wanted}: whole numbers from {least} to {most}");
                Err(KnapsackError { line, what })
            }
        };
        let numbers: Vec<i64> = text.split_whitespace().map(number).collect::<Result<_, _>>()?;
        if numbers.len() == count {
            return Ok(numbers);
        }
        let what = format!("{} numbers where there should be {count}: {wanted}", numbers.len());
        Err(KnapsackError { line, what })
    }

    /// The kind of the limit: 0 for an upper one. Files exist where the capacity stands in its line.
    fn check_limit_kind(&mut self) -> Result<(), KnapsackError> {
        let (line, text) = self.next_line("the kind of the limit")?;
        match text.trim() {
            "0" => Ok(()),
            other => Err(KnapsackError {
                line,
                what: format!("{other:?}: the kind of the limit must be 0 (an upper limit)"),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Deck, Slot};

    const SMALL: &str = "name\n3\n5 7 2\n1 4\n6\n\n0\n10\n4 5 6\n\nComments\n";

    #[test]
    fn pairs_are_counted_once() {
        let knapsack = QuadraticKnapsack::parse_text(SMALL).unwrap();
        knapsack.pool.check_parts().unwrap();
        let problem = knapsack.to_problem();
        let deck = Deck::new(vec![Slot(0), Slot(2)], None);
        assert_eq!((problem.deck_value(&deck), problem.check_deck(&deck)), (11, Ok(())));
        let all = Deck::new(problem.slots().collect(), None);
        assert_eq!(problem.deck_value(&all), 25);
        assert!(problem.check_deck(&all).is_err());
    }

    /// What is read is a problem, with the largest capacity, too.
    #[test]
    fn the_largest_capacity_is_that_of_a_request() {
        let with_capacity = |capacity: i64| SMALL.replacen("\n10\n", &format!("\n{capacity}\n"), 1);
        let problem = QuadraticKnapsack::parse_text(&with_capacity(MAX_LIMIT)).unwrap().to_problem();
        assert_eq!(problem.check_deck(&Deck::new(problem.slots().collect(), None)), Ok(()));
        let error = QuadraticKnapsack::parse_text(&with_capacity(MAX_LIMIT + 1)).unwrap_err();
        assert_eq!(error.line, 8);
        assert!(error.what.starts_with("\"1152921504606846977\", in the capacity: "), "{error}");
    }

    #[test]
    fn mistakes_are_named_by_line() {
        let wrong =
            |from: &str, to: &str| QuadraticKnapsack::parse_text(&SMALL.replacen(from, to, 1)).unwrap_err();
        assert_eq!(wrong("3\n", "x\n").to_string(), "line 2: \"x\": the number of items must be 1 to 10000");
        assert_eq!(wrong("5 7 2", "5 7").line, 3);
        assert!(wrong("1 4", "1 y").what.starts_with("\"y\", in the profits of item 1"));
        assert_eq!(wrong("\n0\n", "\n1\n").line, 7);
        assert_eq!(wrong("4 5 6\n\nComments\n", "").what, "the file ends before the weights");
        assert_eq!(wrong("4 5 6", "4 5 -6").line, 9);
    }
}
