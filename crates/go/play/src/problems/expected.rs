//! What is expected of an answer, in the notation of GNU Go's regression suites: `[C3|D4]`, `[!C3]`, `[1 (B4|D2)]`, `[B\+10.5 .*]`.
//!
//! What stands between the brackets is a small language of patterns: `|`, `( )`, `.`, `*`, `+`, `?`, and `\` before a sign that means
//! itself. The whole answer has to fit, whatever its case; `!` in front turns it round.

use std::fmt;

/// An expected answer.
///
/// ```
/// use ishi_go_play::problems::Expected;
/// let expected: Expected = "[1 (B4|D2)]".parse().unwrap();
/// assert!(expected.fits("1 d2") && !expected.fits("1 C3"));
/// assert!(expected.fits_by_code("1 C3"), "it works, by another move");
/// let not: Expected = "[!A1|B1]".parse().unwrap();
/// assert!(not.fits("C1") && !not.fits("B1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    text: String,
    pattern: Alternatives,
    negated: bool,
    codes: Vec<char>,
}

/// Why a text is no expected answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected answer {text:?}: {problem}; such as [C3|D4], [!C3] or [1 (B4|D2)] is right")]
pub struct ExpectedError {
    text: String,
    problem: String,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Expected {
    type Err = ExpectedError;

    fn from_str(text: &str) -> Result<Expected, ExpectedError> {
        let text = text.trim();
        let wrong = |problem: String| ExpectedError { text: text.to_string(), problem };
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        let (negated, inner) = inner.strip_prefix('!').map_or((false, inner), |rest| (true, rest));
        if inner.trim().is_empty() {
            return Err(wrong("it is empty".to_string()));
        }
        let chars: Vec<char> = inner.chars().flat_map(char::to_lowercase).collect();
        let mut parser = Parser { chars: &chars, at: 0, depth: 0 };
        let pattern = parser.alternatives().map_err(wrong)?;
        if parser.at < chars.len() {
            return Err(wrong("a ) without its (".to_string()));
        }
        // What a `!` denies is no code to be reached.
        let codes = if text.contains('!') { Vec::new() } else { codes(text) };
        Ok(Expected { text: text.to_string(), pattern, negated, codes })
    }
}

/// Single digits that stand where a result's code does: at the start, after `[`, `(` or `|`, and alone.
fn codes(text: &str) -> Vec<char> {
    let chars: Vec<char> = text.chars().collect();
    let starts = |at: usize| chars[..at].iter().rev().find(|c| !c.is_whitespace());
    let is_first = |at: usize| starts(at).is_none_or(|before| "[(|".contains(*before));
    let is_alone = |at: usize| chars.get(at + 1).is_none_or(|after| " |])".contains(*after));
    let is_code = |&(at, &c): &(usize, &char)| ('0'..='5').contains(&c) && is_first(at) && is_alone(at);
    chars.iter().enumerate().filter(is_code).map(|(_, &c)| c).collect()
}

impl Expected {
    /// One of these moves.
    pub fn one_of<T: fmt::Display>(moves: &[T]) -> Result<Expected, ExpectedError> {
        let moves: Vec<String> = moves.iter().map(T::to_string).collect();
        format!("[{}]", moves.join("|")).parse()
    }

    /// Is this the answer?
    pub fn fits(&self, answer: &str) -> bool {
        let answer: Vec<char> = answer.trim().chars().flat_map(char::to_lowercase).collect();
        self.pattern.ends(&answer, &[0]).contains(&answer.len()) != self.negated
    }

    /// The answer that is right here whatever is played: the only one that fits, if it is one word without a move. None: there is none.
    pub fn plain_answer(&self) -> Option<String> {
        let inner = self.text.trim_start_matches('[').trim_end_matches(']').trim();
        let is_plain =
            !self.negated && !inner.is_empty() && inner.chars().all(|c| c.is_alphanumeric() || c == ' ');
        is_plain.then(|| inner.to_string())
    }

    /// The codes that are right.
    pub fn codes(&self) -> &[char] {
        &self.codes
    }

    /// Is at least the code in front of it (0 fails, 1 works, 2 and 3 by ko) the expected one? Where none is expected, the whole answer
    /// has to fit.
    pub fn fits_by_code(&self, answer: &str) -> bool {
        if self.codes.is_empty() {
            return self.fits(answer);
        }
        answer.trim().chars().next().is_some_and(|code| self.codes.contains(&code))
    }
}

/// One of several sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Alternatives(Vec<Vec<Part>>);

/// Something so many times.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    what: What,
    least: usize,
    most: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Sign(char),
    Any,
    Group(Alternatives),
}

impl Alternatives {
    /// Where in the text it may end if it begins at one of these places, ascending.
    fn ends(&self, text: &[char], from: &[usize]) -> Vec<usize> {
        let of = |sequence: &Vec<Part>| {
            sequence.iter().fold(from.to_vec(), |starts, part| part.ends(text, &starts))
        };
        merged(self.0.iter().flat_map(of))
    }
}

impl Part {
    /// Places that have been reached are gone on from once, so that stars in stars end soon.
    fn ends(&self, text: &[char], from: &[usize]) -> Vec<usize> {
        let (mut fresh, mut found) = (from.to_vec(), Vec::new());
        for count in 0..=self.most {
            if count >= self.least {
                fresh.retain(|at| !found.contains(at));
                found.extend(&fresh);
            }
            if fresh.is_empty() {
                break;
            }
            fresh = self.what.ends(text, &fresh);
        }
        merged(found)
    }
}

impl What {
    fn ends(&self, text: &[char], from: &[usize]) -> Vec<usize> {
        let after =
            |fits: &dyn Fn(usize) -> bool| from.iter().filter(|&&at| fits(at)).map(|&at| at + 1).collect();
        match self {
            What::Sign(sign) => after(&|at| text.get(at) == Some(sign)),
            What::Any => after(&|at| at < text.len()),
            What::Group(group) => group.ends(text, from),
        }
    }
}

fn merged(places: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<usize> = places.into_iter().collect();
    places.sort_unstable();
    places.dedup();
    places
}

struct Parser<'a> {
    chars: &'a [char],
    at: usize,
    depth: usize,
}

/// Parentheses in each other; nobody writes more, and reading calls itself.
const DEEPEST: usize = 20;

impl Parser<'_> {
    fn alternatives(&mut self) -> Result<Alternatives, String> {
        let mut all = vec![Vec::new()];
        while let Some(&sign) = self.chars.get(self.at) {
            match sign {
                ')' => break,
                '|' => {
                    self.at += 1;
                    all.push(Vec::new());
                }
                _ => {
                    let part = self.part()?;
                    all.last_mut().expect("there is one at least").push(part);
                }
            }
        }
        Ok(Alternatives(all))
    }

    fn part(&mut self) -> Result<Part, String> {
        let what = self.what()?;
        let (least, most) = match self.chars.get(self.at) {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            _ => return Ok(Part { what, least: 1, most: 1 }),
        };
        self.at += 1;
        Ok(Part { what, least, most })
    }

    fn what(&mut self) -> Result<What, String> {
        let sign = self.chars[self.at];
        self.at += 1;
        match sign {
            '.' => Ok(What::Any),
            '(' => self.group(),
            '\\' => {
                let sign = self.chars.get(self.at).ok_or("nothing follows the \\")?;
                self.at += 1;
                Ok(What::Sign(*sign))
            }
            '*' | '+' | '?' => Err(format!("nothing stands before the {sign}")),
            _ => Ok(What::Sign(sign)),
        }
    }

    fn group(&mut self) -> Result<What, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("more than {DEEPEST} parentheses in each other"));
        }
        let group = self.alternatives()?;
        if self.chars.get(self.at) != Some(&')') {
            return Err("a ( without its )".to_string());
        }
        self.at += 1;
        self.depth -= 1;
        Ok(What::Group(group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, answer: &str) -> bool {
        pattern.parse::<Expected>().unwrap().fits(answer)
    }

    #[test]
    fn whole_answers_fit() {
        assert!(fits("[C3|D4]", "D4") && fits("[C3|D4]", "d4") && !fits("[C3|D4]", "D"));
        assert!(!fits("[C3]", "C3 D4") && !fits("[C3]", "C33"), "nothing more than expected");
        assert!(fits("[!C3|D4]", "E5") && !fits("[!C3|D4]", "D4"));
        assert!(fits("[1 1 (PASS|A9)]", "1 1 PASS") && !fits("[1 1 (PASS|A9)]", "1 1 B9"));
        assert!(fits(r"[B\+10.5 .*]", "B+10.5 (upper bound: 3)") && !fits(r"[B\+10.5 .*]", "B+10.5"));
        assert!(fits("[1 .+]", "1 C3") && !fits("[1 .+]", "1 "));
        assert!(fits("[critical (A1|B2) .*]", "critical B2 C3"));
        assert!(fits("[a(bc)*d?]", "abcbc") && fits("[a(bc)*d?]", "ad") && !fits("[a(bc)*d?]", "abcb"));
        assert!(fits("[(a*)*b]", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaab"), "and it ends soon");
        let nested = format!("[{}a{}b]", "(".repeat(20), ")*".repeat(20));
        assert!(fits(&nested, "aaab") && !fits(&nested, "aaac"), "so does this");
    }

    #[test]
    fn codes_are_told_from_moves() {
        let by_code = |pattern: &str, answer: &str| pattern.parse::<Expected>().unwrap().fits_by_code(answer);
        assert!(by_code("[1 C3]", "1 D4") && !by_code("[1 C3]", "0") && !by_code("[1 C3]", "2 C3"));
        assert!(by_code("[(1|2) C3]", "2 D4") && by_code("[0]", "0") && !by_code("[0]", ""));
        assert!(!by_code("[C3]", "D4") && by_code("[C3]", "c3"), "no code: the whole answer");
        assert!(by_code("[!0]", "1 C3") && !by_code("[!0]", "0"));
        assert!(!by_code("[alive]", "dead"));
        assert!(by_code("[1 0 C3]", "1 1 C3"), "the first one counts");
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for text in ["", "[]", "[!]", "[(A1]", "[A1)]", "[*]", "[A|+]", r"[A\]"] {
            let error = text.parse::<Expected>().unwrap_err().to_string();
            assert!(error.contains("is right"), "{text:?}: {error}");
        }
        assert!("(".repeat(100).parse::<Expected>().is_err());
    }
}
