//! OBF, the Othello board format of problem collections: a position a line, with the scores of its moves.
//!
//! A line is 64 squares, the side to move, and fields that end with `;`: `MOVE:+score` in discs for the side to move,
//! anything else a comment. Lines that begin with `%` or `#`, and empty ones, are skipped.
//!
//! Source: the FFO endgame suite as Edax ships it (`problem/*.obf`).

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::position::Position;
use crate::square::Move;
use crate::text::{BoardTextError, shorten_text};

/// A position with what is known about its moves.
///
/// ```
/// use ishi_othello::obf::ObfProblem;
/// let line = "---------------------------OX------XO--------------------------- X; F5:+0; D3:+0; the start;";
/// let problem: ObfProblem = line.parse().unwrap();
/// assert_eq!(problem.best_score(), Some(0));
/// assert_eq!(problem.comment, "the start");
/// assert_eq!(problem.to_string(), line);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObfProblem {
    /// The position, without history.
    pub position: Position,
    /// Moves with their scores for the side to move, in discs from -64 to 64, in the order of the line.
    pub scores: Vec<(Move, i32)>,
    /// The other fields, joined by `; `. It has no line ends: where a field has one, a space stands.
    pub comment: String,
}

impl ObfProblem {
    /// The score of the best move that is listed.
    pub fn best_score(&self) -> Option<i32> {
        self.scores.iter().map(|&(_, score)| score).max()
    }
}

/// Why a line is no problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObfProblemError {
    /// No position.
    #[error("no position in {text:?}: {error}")]
    Position {
        /// The first field, shortened.
        text: String,
        /// Why.
        error: BoardTextError,
    },
    /// A move without a usable score.
    #[error("invalid field {field:?}: write a score from -64 to 64, such as F5:+4")]
    Score {
        /// The field, shortened.
        field: String,
    },
}

/// A line of a file that is no problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct ObfError {
    /// From 1.
    pub line: usize,
    /// Why.
    pub error: ObfProblemError,
}

impl CodedError for ObfProblemError {
    fn facts(&self) -> ErrorFacts {
        match self {
            ObfProblemError::Position { text, error } => {
                facts!["othello-obf-position", text = format!("{text:?}"), reason = error.facts()]
            }
            ObfProblemError::Score { field } => facts!["othello-obf-score", field = format!("{field:?}")],
        }
    }
}

impl CodedError for ObfError {
    fn facts(&self) -> ErrorFacts {
        facts!["othello-on-line", line = self.line, reason = self.error.facts()]
    }
}

/// Reads a file.
///
/// # Errors
/// Says which line is no problem, and why.
pub fn read_problems(text: &str) -> Result<Vec<ObfProblem>, ObfError> {
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let lines =
        lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with(['%', '#']));
    lines.map(|(line, text)| text.parse().map_err(|error| ObfError { line, error })).collect()
}

/// Writes a file.
pub fn write_problems(problems: &[ObfProblem]) -> String {
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}

impl std::str::FromStr for ObfProblem {
    type Err = ObfProblemError;

    fn from_str(line: &str) -> Result<ObfProblem, ObfProblemError> {
        let mut fields = line.split(';').map(str::trim);
        let first = fields.next().unwrap_or_default();
        let position = Position::from_text(first)
            .map_err(|error| ObfProblemError::Position { text: shorten_text(first), error })?;
        let mut problem = ObfProblem { position, scores: Vec::new(), comment: String::new() };
        for field in fields.filter(|field| !field.is_empty()) {
            match read_score(field)? {
                Some(scored) => problem.scores.push(scored),
                None if problem.comment.is_empty() => problem.comment = join_lines(field),
                None => problem.comment += &format!("; {}", join_lines(field)),
            }
        }
        Ok(problem)
    }
}

/// `F5:+4`; nothing if it is a comment.
fn read_score(field: &str) -> Result<Option<(Move, i32)>, ObfProblemError> {
    let Some((mv, score)) = field.split_once(':') else { return Ok(None) };
    let Ok(mv) = mv.trim().parse() else { return Ok(None) };
    let score = score.trim().parse().ok().filter(|score| (-64..=64).contains(score));
    score.map(|score| Some((mv, score))).ok_or_else(|| ObfProblemError::Score { field: shorten_text(field) })
}

/// The line, as collections write it.
impl fmt::Display for ObfProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.position.to_line())?;
        for (mv, score) in &self.scores {
            write!(f, " {}:{score:+};", mv.to_string().to_uppercase())?;
        }
        if self.comment.is_empty() { Ok(()) } else { write!(f, " {};", join_lines(&self.comment)) }
    }
}

/// A line of a file may hold a carriage return, which would end a line elsewhere.
fn join_lines(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_name_the_line() {
        let good = Position::start().to_line();
        let message = |text: &str| read_problems(text).unwrap_err().to_string();
        assert_eq!(
            message(&format!("% comment\n\n{good}; F5:+99;")),
            "line 3: invalid field \"F5:+99\": write a score from -64 to 64, such as F5:+4"
        );
        assert_eq!(message("XO"), "line 1: no position in \"XO\": 2 squares, a board must have 64");
        assert_eq!(
            message(&format!("{good}\nXQ")),
            "line 2: no position in \"XQ\": column 2: 'Q' is no square: it must be X (black), O (white) or - (empty)"
        );
        assert_eq!(read_problems(&format!("{good}\n\n{good}; a comment")).unwrap().len(), 2);
    }

    #[test]
    fn a_carriage_return_in_a_comment_is_a_space() {
        let problems =
            read_problems(&format!("{}; one\rtwo; three;\r\n", Position::start().to_line())).unwrap();
        assert_eq!(problems[0].comment, "one two; three");
        assert_eq!(read_problems(&write_problems(&problems)), Ok(problems));
    }

    proptest! {
        #[test]
        fn problems_survive_writing(
            choices in prop::collection::vec(any::<u8>(), 0..70),
            scores in prop::collection::vec(-64..=64, 0..20),
            comment in "([a-z][a-z %]{0,20}[a-z])?",
        ) {
            let game = crate::position::tests::random_game(&choices);
            let position = Position::from_board(game.board(), game.to_move());
            let scores = position.legal_moves().into_iter().zip(scores).collect();
            let problems = vec![ObfProblem { position, scores, comment }];
            prop_assert_eq!(read_problems(&write_problems(&problems)), Ok(problems));
        }

        #[test]
        fn no_text_makes_it_panic(text: String, fields in "[A-H1-8:;+0-9 é-]{0,40}") {
            let _ = read_problems(&text);
            let _ = read_problems(&format!("{};{fields}", Position::start().to_line()));
        }
    }
}
