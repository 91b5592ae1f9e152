//! What is expected of an answer, in the notation of GNU Go's regression suites: `[C3|D4]`, `[!C3]`, `[1 (B4|D2)]`, `[B\+10.5 .*]`.
//!
//! What stands between the brackets is a small language of patterns: `|`, `( )`, `.`, `*`, `+`, `?`, and `\` before a sign that means
//! itself. The whole answer has to fit, whatever its case; `!` in front turns it round.

use std::fmt;

/// An expected answer.
///
/// ```
/// use ishi_go_play::problems::ExpectedAnswer;
/// let expected: ExpectedAnswer = "[1 (B4|D2)]".parse().unwrap();
/// assert!(expected.fits_answer("1 d2") && !expected.fits_answer("1 C3"));
/// assert!(expected.fits_by_code("1 C3"), "it works, by another move");
/// let not: ExpectedAnswer = "[!A1|B1]".parse().unwrap();
/// assert!(not.fits_answer("C1") && !not.fits_answer("B1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedAnswer {
    text: String,
    pattern: PatternAlternatives,
    negated: bool,
    codes: Vec<char>,
}

/// Why a text is no expected answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected answer {text:?}: {problem}; it must be written as [C3|D4], [!C3] or [1 (B4|D2)]")]
pub struct ExpectedAnswerError {
    text: String,
    problem: String,
}

impl fmt::Display for ExpectedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for ExpectedAnswer {
    type Err = ExpectedAnswerError;

    fn from_str(text: &str) -> Result<ExpectedAnswer, ExpectedAnswerError> {
        let text = text.trim();
        let wrong = |problem: String| ExpectedAnswerError { text: text.to_string(), problem };
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        let (negated, inner) = inner.strip_prefix('!').map_or((false, inner), |rest| (true, rest));
        if inner.trim().is_empty() {
            return Err(wrong("it is empty".to_string()));
        }
        let chars: Vec<char> = inner.chars().flat_map(char::to_lowercase).collect();
        let mut parser = PatternParser { chars: &chars, at: 0, depth: 0 };
        let pattern = parser.parse_alternatives().map_err(wrong)?;
        if parser.at < chars.len() {
            return Err(wrong("a ) without its (".to_string()));
        }
        // What a `!` denies is no code to be reached.
        let codes = if text.contains('!') { Vec::new() } else { find_result_codes(text) };
        Ok(ExpectedAnswer { text: text.to_string(), pattern, negated, codes })
    }
}

/// Single digits that stand where a result's code does: at the start, after `[`, `(` or `|`, and alone.
fn find_result_codes(text: &str) -> Vec<char> {
    let chars: Vec<char> = text.chars().collect();
    let starts = |at: usize| chars[..at].iter().rev().find(|c| !c.is_whitespace());
    let is_first = |at: usize| starts(at).is_none_or(|before| "[(|".contains(*before));
    let is_alone = |at: usize| chars.get(at + 1).is_none_or(|after| " |])".contains(*after));
    let is_code = |&(at, &c): &(usize, &char)| ('0'..='5').contains(&c) && is_first(at) && is_alone(at);
    chars.iter().enumerate().filter(is_code).map(|(_, &c)| c).collect()
}

impl ExpectedAnswer {
    /// One of these moves.
    pub fn from_moves<T: fmt::Display>(moves: &[T]) -> Result<ExpectedAnswer, ExpectedAnswerError> {
        let moves: Vec<String> = moves.iter().map(T::to_string).collect();
        format!("[{}]", moves.join("|")).parse()
    }

    /// Is this the answer?
    pub fn fits_answer(&self, answer: &str) -> bool {
        let answer: Vec<char> = answer.trim().chars().flat_map(char::to_lowercase).collect();
        self.pattern.possible_ends(&answer, &[0]).contains(&answer.len()) != self.negated
    }

    /// The words without a pattern that fit: `C3` and `D4` of `[C3|D4]`, none of `[1 (B4|D2)]` and `[!C3]`.
    pub fn plain_answers(&self) -> Vec<String> {
        let inner = self.text.trim_start_matches('[').trim_end_matches(']');
        let is_plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == ' ');
        let words: Vec<String> = inner.split('|').map(|word| word.trim().to_string()).collect();
        let all_are_plain = !self.negated && words.iter().all(|word| is_plain(word));
        if all_are_plain { words } else { Vec::new() }
    }

    /// The codes that are right.
    pub fn result_codes(&self) -> &[char] {
        &self.codes
    }

    /// Is at least the code in front of it (0 fails, 1 works, 2 and 3 by ko) the expected one? Where none is expected, the whole answer
    /// has to fit.
    pub fn fits_by_code(&self, answer: &str) -> bool {
        if self.codes.is_empty() {
            return self.fits_answer(answer);
        }
        answer.trim().chars().next().is_some_and(|code| self.codes.contains(&code))
    }
}

/// One of several sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PatternAlternatives(Vec<Vec<RepeatedElement>>);

/// Something so many times.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RepeatedElement {
    what: PatternElement,
    least: usize,
    most: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternElement {
    Sign(char),
    Any,
    Group(PatternAlternatives),
}

impl PatternAlternatives {
    /// Where in the text it may end if it begins at one of these places, ascending.
    fn possible_ends(&self, text: &[char], from: &[usize]) -> Vec<usize> {
        let of = |sequence: &Vec<RepeatedElement>| {
            sequence.iter().fold(from.to_vec(), |starts, part| part.possible_ends(text, &starts))
        };
        sort_and_dedup(self.0.iter().flat_map(of))
    }
}

impl RepeatedElement {
    /// Places that have been reached are gone on from once, so that stars in stars end soon.
    fn possible_ends(&self, text: &[char], from: &[usize]) -> Vec<usize> {
        let (mut fresh, mut found) = (from.to_vec(), Vec::new());
        for count in 0..=self.most {
            if count >= self.least {
                fresh.retain(|at| !found.contains(at));
                found.extend(&fresh);
            }
            if fresh.is_empty() {
                break;
            }
            fresh = self.what.possible_ends(text, &fresh);
        }
        sort_and_dedup(found)
    }
}

impl PatternElement {
    fn possible_ends(&self, text: &[char], from: &[usize]) -> Vec<usize> {
        let after =
            |fits: &dyn Fn(usize) -> bool| from.iter().filter(|&&at| fits(at)).map(|&at| at + 1).collect();
        match self {
            PatternElement::Sign(sign) => after(&|at| text.get(at) == Some(sign)),
            PatternElement::Any => after(&|at| at < text.len()),
            PatternElement::Group(group) => group.possible_ends(text, from),
        }
    }
}

fn sort_and_dedup(places: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<usize> = places.into_iter().collect();
    places.sort_unstable();
    places.dedup();
    places
}

struct PatternParser<'a> {
    chars: &'a [char],
    at: usize,
    depth: usize,
}

/// Parentheses in each other; nobody writes more. Each may double the work of looking whether an answer fits.
const DEEPEST: usize = 8;

impl PatternParser<'_> {
    fn parse_alternatives(&mut self) -> Result<PatternAlternatives, String> {
        let mut all = vec![Vec::new()];
        while let Some(&sign) = self.chars.get(self.at) {
            match sign {
                ')' => break,
                '|' => {
                    self.at += 1;
                    all.push(Vec::new());
                }
                _ => {
                    let part = self.parse_repeated()?;
                    all.last_mut().expect("there is one at least").push(part);
                }
            }
        }
        Ok(PatternAlternatives(all))
    }

    fn parse_repeated(&mut self) -> Result<RepeatedElement, String> {
        let what = self.parse_element()?;
        let (least, most) = match self.chars.get(self.at) {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            _ => return Ok(RepeatedElement { what, least: 1, most: 1 }),
        };
        self.at += 1;
        Ok(RepeatedElement { what, least, most })
    }

    fn parse_element(&mut self) -> Result<PatternElement, String> {
        let sign = self.chars[self.at];
        self.at += 1;
        match sign {
            '.' => Ok(PatternElement::Any),
            '(' => self.parse_group(),
            '\\' => {
                let sign = self.chars.get(self.at).ok_or("nothing follows the \\")?;
                self.at += 1;
                Ok(PatternElement::Sign(*sign))
            }
            '*' | '+' | '?' => Err(format!("nothing stands before the {sign}")),
            _ => Ok(PatternElement::Sign(sign)),
        }
    }

    fn parse_group(&mut self) -> Result<PatternElement, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("more than {DEEPEST} parentheses in each other"));
        }
        let group = self.parse_alternatives()?;
        if self.chars.get(self.at) != Some(&')') {
            return Err("a ( without its )".to_string());
        }
        self.at += 1;
        self.depth -= 1;
        Ok(PatternElement::Group(group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, answer: &str) -> bool {
        pattern.parse::<ExpectedAnswer>().unwrap().fits_answer(answer)
    }

    /// With twenty of them one in the other a line of text would hold whoever asks for minutes.
    #[test]
    fn parentheses_in_each_other_are_few() {
        let nested = |depth: usize| format!("[{}.*{}]", "(".repeat(depth), ")*".repeat(depth));
        assert!(fits(&nested(DEEPEST), &"a".repeat(60)));
        let error = nested(DEEPEST + 1).parse::<ExpectedAnswer>().unwrap_err().to_string();
        assert!(error.contains("more than 8 parentheses in each other"), "{error}");
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
        let nested = format!("[{}a{}b]", "(".repeat(DEEPEST), ")*".repeat(DEEPEST));
        assert!(fits(&nested, "aaab") && !fits(&nested, "aaac"), "so does this");
    }

    #[test]
    fn codes_are_told_from_moves() {
        let by_code =
            |pattern: &str, answer: &str| pattern.parse::<ExpectedAnswer>().unwrap().fits_by_code(answer);
        assert!(by_code("[1 C3]", "1 D4") && !by_code("[1 C3]", "0") && !by_code("[1 C3]", "2 C3"));
        assert!(by_code("[(1|2) C3]", "2 D4") && by_code("[0]", "0") && !by_code("[0]", ""));
        assert!(!by_code("[C3]", "D4") && by_code("[C3]", "c3"), "no code: the whole answer");
        assert!(by_code("[!0]", "1 C3") && !by_code("[!0]", "0"));
        assert!(!by_code("[alive]", "dead"));
        assert!(by_code("[1 0 C3]", "1 1 C3"), "the first one counts");
    }

    #[test]
    fn words_without_a_pattern_are_told() {
        let words = |pattern: &str| pattern.parse::<ExpectedAnswer>().unwrap().plain_answers();
        assert_eq!(words("[C3|D4]"), ["C3", "D4"]);
        assert_eq!((words("[0]"), words("alive")), (vec!["0".to_string()], vec!["alive".to_string()]));
        assert!(["[!C3]", "[1 (B4|D2)]", "[C3|D.]"].iter().all(|pattern| words(pattern).is_empty()));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for text in ["", "[]", "[!]", "[(A1]", "[A1)]", "[*]", "[A|+]", r"[A\]"] {
            let error = text.parse::<ExpectedAnswer>().unwrap_err().to_string();
            assert!(error.contains("it must be written as"), "{text:?}: {error}");
        }
        assert!("(".repeat(100).parse::<ExpectedAnswer>().is_err());
    }
}
