//! A lower-bound certificate for the size of dominating sets of a grid, and its checker.

use std::fmt;

use thiserror::Error;

/// Largest depth of the bands.
pub const MAX_DEPTH: u32 = 10;
/// Longest side that a certificate may name.
pub const MAX_SIDE: u32 = 100_000;
/// Largest price, either sign.
pub const MAX_PRICE: i32 = 500_000_000;

const FIRST_LINE: &str = "ishi-strings-certificate 1";

/// The claim that every dominating set of the `width` x `height` grid has at least `empties` points, with what makes
/// it quick to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Columns, 1 to [`MAX_SIDE`].
    pub width: u32,
    /// Rows, 1 to [`MAX_SIDE`].
    pub height: u32,
    /// The claim: no set of fewer points dominates. 0 to `width * height`.
    pub empties: u64,
    /// Depth of the two bands along the edge, 0 (none) to [`MAX_DEPTH`] and half the shorter side.
    pub depth: u32,
    /// For every state of the seam of the bands, the sum of `digit(s) * 3^s`, its price in half units of loss; none
    /// if `depth` is 0, otherwise `3^depth`. Whatever the prices are, what is accepted is true.
    pub prices: Vec<i32>,
}

/// Why a certificate cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CertificateError {
    /// A line of the text is not what the format asks for.
    #[error("line {line}: {found:?} is not {expected}")]
    Line {
        /// Line of the text, from 1.
        line: usize,
        /// What stands there (its beginning, if it is long).
        found: String,
        /// What would be right.
        expected: String,
    },
    /// The text ends too early.
    #[error("line {line}: the text ends where {expected} should stand")]
    End {
        /// The line after the last, from 1.
        line: usize,
        /// What would be right.
        expected: String,
    },
    /// A number of the certificate is out of its range.
    #[error("{what} is {found}, but must be {range}")]
    Range {
        /// The number.
        what: &'static str,
        /// Its value.
        found: i64,
        /// The values it may have.
        range: String,
    },
}

/// Reads a certificate: `Display` writes the format.
///
/// # Errors
/// The first line that is not as the format asks for, or a number out of its range.
pub fn parse(text: &str) -> Result<Certificate, CertificateError> {
    let mut lines = Lines { lines: text.lines().enumerate(), end: text.lines().count() + 1 };
    let first = format!("the first line of a certificate, \"{FIRST_LINE}\"");
    let (line, found) = lines.next(&first)?;
    if found != FIRST_LINE {
        return Err(wrong(line, found, first));
    }
    let [width, height] = lines.numbers("size", "size WIDTH HEIGHT")?;
    let [empties] = lines.numbers("empties", "empties NUMBER")?;
    let [depth] = lines.numbers("depth", "depth NUMBER")?;
    let [] = lines.numbers("prices", "prices")?;
    // Numbers too large for their type are out of their range anyway.
    let clamp = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let (width, height, depth) = (clamp(width), clamp(height), clamp(depth));
    let mut certificate = Certificate { width, height, empties, depth, prices: Vec::new() };
    certificate.check_numbers()?;
    certificate.prices = lines.prices(certificate.states())?;
    match lines.lines.find(|(_, text)| !text.trim().is_empty()) {
        Some((line, found)) => Err(wrong(line + 1, found, "allowed after \"end\"".to_string())),
        None => Ok(certificate),
    }
}

/// The lines of a certificate that are not read yet.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the line after the last.
    end: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self, expected: &str) -> Result<(usize, &'a str), CertificateError> {
        let line = self.lines.next().map(|(line, text)| (line + 1, text));
        line.ok_or_else(|| CertificateError::End { line: self.end, expected: expected.to_string() })
    }

    /// A line made of a word and `N` numbers.
    fn numbers<const N: usize>(&mut self, word: &str, form: &str) -> Result<[u64; N], CertificateError> {
        let expected = format!("a line \"{form}\"");
        let (line, text) = self.next(&expected)?;
        let mut words = text.split_ascii_whitespace();
        let numbers = match words.next() {
            Some(first) if first == word => words.map(natural).collect::<Option<Vec<u64>>>(),
            _ => None,
        };
        numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| wrong(line, text, expected))
    }

    /// `count` prices and the line "end".
    fn prices(&mut self, count: usize) -> Result<Vec<i32>, CertificateError> {
        let mut prices = Vec::new();
        loop {
            let missing = count - prices.len();
            let expected = match missing {
                0 => format!("\"end\", after all {count} prices"),
                _ => format!("a price ({missing} more of {count}), -{MAX_PRICE} to {MAX_PRICE}"),
            };
            let (line, text) = self.next(&expected)?;
            if missing == 0 && text.trim_end() == "end" {
                return Ok(prices);
            }
            for word in text.split_ascii_whitespace() {
                match integer(word).filter(|_| prices.len() < count) {
                    Some(price) => prices.push(price),
                    None => return Err(wrong(line, word, expected)),
                }
            }
        }
    }
}

fn natural(word: &str) -> Option<u64> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

fn integer(word: &str) -> Option<i32> {
    natural(word.strip_prefix('-').unwrap_or(word))?;
    word.parse().ok().filter(|price: &i32| (-MAX_PRICE..=MAX_PRICE).contains(price))
}

fn wrong(line: usize, found: &str, expected: String) -> CertificateError {
    CertificateError::Line { line, found: found.chars().take(40).collect(), expected }
}

impl Certificate {
    /// Number of prices that the depth asks for.
    fn states(&self) -> usize {
        if self.depth == 0 { 0 } else { 3usize.pow(self.depth) }
    }

    fn check_numbers(&self) -> Result<(), CertificateError> {
        let cells = u64::from(self.width) * u64::from(self.height);
        let deepest = (self.width.min(self.height) / 2).min(MAX_DEPTH);
        for (what, found, least, most) in [
            ("the width", self.width.into(), 1, MAX_SIDE.into()),
            ("the height", self.height.into(), 1, MAX_SIDE.into()),
            ("the number of empties", self.empties, 0, cells),
            ("the depth", self.depth.into(), 0, deepest.into()),
        ] {
            if !(least..=most).contains(&found) {
                let found = i64::try_from(found).unwrap_or(i64::MAX);
                return Err(CertificateError::Range { what, found, range: format!("{least} to {most}") });
            }
        }
        Ok(())
    }
}

/// The format: six lines of words and numbers, 27 prices a line between the last two.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}\nsize {} {}", self.width, self.height)?;
        writeln!(f, "empties {}\ndepth {}\nprices", self.empties, self.depth)?;
        for row in self.prices.chunks(27) {
            let row: Vec<String> = row.iter().map(i32::to_string).collect();
            writeln!(f, "{}", row.join(" "))?;
        }
        writeln!(f, "end")
    }
}
