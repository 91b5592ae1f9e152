//! What is kept of a judgement, and its line of text.

use std::fmt;

use ishi_go::{BoardSize, Move, Point};
use ishi_patterns::records::move_letters;
use ishi_rng::checksum::split_sealed_line;

use super::games::{index_of_point, points_by_row};
use super::plan::Moment;

/// Moves of a policy that are kept at most.
pub const MOST_MOVES: usize = 20;
/// Steps from nobody's to certain: owners are kept in twelfths.
pub const OWNER_STEPS: i8 = 12;
/// The columns of a line.
pub const COLUMNS: &str =
    "game, moves played, komi, rules, win rate of Black, lead of Black, spread, policy, owners";

/// What a judge says of a position. All from Black's side, but for the moves, which are those of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionLabel {
    /// The game's column `id`.
    pub game: String,
    /// When in the game the position is.
    pub moment: Moment,
    /// Komi that it was judged with, in points, compensation for a handicap apart.
    pub komi: f64,
    /// The rules that it was judged by, as the judge knows them.
    pub rules: String,
    /// Black's chance to win, 0 to 1.
    pub win_rate: f64,
    /// Points by which Black leads.
    pub lead: f64,
    /// Standard deviation of the score in points, if the judge says it.
    pub spread: Option<f64>,
    /// The likeliest moves with their shares in thousandths, the likeliest first.
    pub policy: Vec<(Move, u16)>,
    /// Whose each point will be, in twelfths: -12 White's for certain to 12 Black's, row by row from A1.
    pub owners: Vec<i8>,
}

/// A line that is no label: which column, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{column}: {problem}")]
pub struct LabelTextError {
    column: &'static str,
    problem: String,
}

/// The game and the moment of a line, which say which position it is about.
///
/// # Errors
/// The column that is wrong.
pub fn read_place(line: &str) -> Result<(&str, Moment), LabelTextError> {
    let mut columns = line.split('\t');
    let game = columns.next().filter(|game| !game.is_empty());
    let game = game.ok_or_else(|| column_error("game", "the column is empty"))?;
    let moves = columns.next().unwrap_or_default();
    Ok((
        game,
        parse_number("moves played", moves, "a whole number such as 120, or 120.. if a pass followed")?,
    ))
}

/// A line of a file without the checksum in its last column, and whether it has one. [`PositionLabel::from_line`] reads it then.
///
/// # Errors
/// If it has another checksum than it must have.
pub fn split_checksum_column(line: &str) -> Result<(&str, bool), LabelTextError> {
    split_sealed_line(line, '\t').map_err(|error| column_error("checksum", error.to_string()))
}

fn column_error(column: &'static str, problem: impl Into<String>) -> LabelTextError {
    LabelTextError { column, problem: problem.into() }
}

fn parse_number<T: std::str::FromStr>(
    column: &'static str,
    text: &str,
    right: &str,
) -> Result<T, LabelTextError> {
    text.parse().map_err(|_| column_error(column, format!("{text:?} must be {right}")))
}

fn parse_finite(column: &'static str, text: &str, right: &str) -> Result<f64, LabelTextError> {
    let found: f64 = parse_number(column, text, right)?;
    if found.is_finite() { Ok(found) } else { Err(column_error(column, format!("{text:?} must be {right}"))) }
}

impl PositionLabel {
    /// Reads a line about a position of a board of this size.
    ///
    /// # Errors
    /// The column that is wrong, and what would be right.
    ///
    /// ```
    /// use ishi_go::BoardSize;
    /// use ishi_analysis::labels::PositionLabel;
    /// let line = "g7\t1\t6.5\tchinese\t0.2500\t-3.10\t5.0\tba:900 ..:3\tammy";
    /// let size = BoardSize::square(2).unwrap();
    /// let label = PositionLabel::from_line(line, size).unwrap();
    /// assert_eq!((label.lead, label.policy.len()), (-3.1, 2));
    /// assert_eq!(label.owners, [0, 12, -12, 0], "from A1, while the text begins at the top");
    /// assert_eq!(label.to_line(size), line);
    /// ```
    pub fn from_line(line: &str, size: BoardSize) -> Result<PositionLabel, LabelTextError> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [_, _, komi, rules, win_rate, lead, spread, policy, owners] = columns[..] else {
            let problem = format!("{} columns: there must be 9, separated by tabs: {COLUMNS}", columns.len());
            return Err(column_error("columns", problem));
        };
        let (game, moment) = read_place(line)?;
        let win_rate = parse_finite("win rate", win_rate, "a number from 0 to 1")?;
        if !(0.0..=1.0).contains(&win_rate) {
            return Err(column_error("win rate", format!("{win_rate} must be a number from 0 to 1")));
        }
        let spread = match spread {
            "?" => None,
            text => Some(parse_finite("spread", text, "points such as 12.5, or ?")?),
        };
        Ok(PositionLabel {
            game: game.to_string(),
            moment,
            komi: parse_finite("komi", komi, "points such as 6.5")?,
            rules: rules.to_string(),
            win_rate,
            lead: parse_finite("lead", lead, "points such as -3.25")?,
            spread,
            policy: read_policy(policy, size)?,
            owners: read_owners(owners, size)?,
        })
    }
}

/// Reads `qd:310 cc:120 ..:5`.
fn read_policy(text: &str, size: BoardSize) -> Result<Vec<(Move, u16)>, LabelTextError> {
    let mut found: Vec<(Move, u16)> = Vec::new();
    for item in text.split_whitespace() {
        let form = || column_error("policy", format!("{item:?}: write moves and thousandths such as qd:310"));
        let (at, share) = item.split_once(':').ok_or_else(form)?;
        let share = share.parse().ok().filter(|share| *share <= 1000).ok_or_else(form)?;
        let mv = read_move(at, size).ok_or_else(|| {
            column_error("policy", format!("{at:?} is no point of a {size} board, nor .. for a pass"))
        })?;
        if found.iter().any(|&(other, _)| other == mv) {
            return Err(column_error("policy", format!("{at} stands twice")));
        }
        found.push((mv, share));
    }
    if found.len() > MOST_MOVES {
        return Err(column_error(
            "policy",
            format!("{} moves: there must be {MOST_MOVES} at most", found.len()),
        ));
    }
    Ok(found)
}

fn read_move(text: &str, size: BoardSize) -> Option<Move> {
    let pair = text.as_bytes();
    if pair == b".." {
        return Some(Move::Pass);
    }
    let [column, row] = *pair else { return None };
    let [column, row] = [column, row].map(|letter| usize::from(letter.wrapping_sub(b'a')));
    (column < size.width() && row < size.height())
        .then(|| Move::Play(Point::new(column, size.height() - 1 - row)))
}

/// Reads `m` for nobody's, `a` to `l` for White's and `n` to `y` for Black's, row by row from the top.
fn read_owners(text: &str, size: BoardSize) -> Result<Vec<i8>, LabelTextError> {
    if text.len() != size.area() {
        let problem = format!("{} letters, a {size} board has {} points", text.len(), size.area());
        return Err(column_error("owners", problem));
    }
    let mut owners = vec![0; size.area()];
    for (point, letter) in points_by_row(size).zip(text.bytes()) {
        if !(b'a'..=b'y').contains(&letter) {
            let problem = format!("{:?} must be a letter from a to y", char::from(letter));
            return Err(column_error("owners", problem));
        }
        owners[index_of_point(point, size)] = letter as i8 - b'm' as i8;
    }
    Ok(owners)
}

/// A label with the size of its board, which its text needs.
struct SizedLabel<'a>(&'a PositionLabel, BoardSize);

impl PositionLabel {
    /// The line of text, for a position of a board of this size.
    #[must_use]
    pub fn to_line(&self, size: BoardSize) -> String {
        SizedLabel(self, size).to_string()
    }
}

impl fmt::Display for SizedLabel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SizedLabel(label, size) = self;
        let PositionLabel { game, moment, komi, rules, win_rate, lead, .. } = label;
        write!(f, "{game}\t{moment}\t{komi:.1}\t{rules}\t{win_rate:.4}\t{lead:.2}\t")?;
        match label.spread {
            Some(spread) => write!(f, "{spread:.1}\t")?,
            None => write!(f, "?\t")?,
        }
        for (n, &(mv, share)) in label.policy.iter().enumerate() {
            let before = if n == 0 { "" } else { " " };
            write!(f, "{before}{}:{share}", move_letters(mv, size.height()))?;
        }
        f.write_str("\t")?;
        points_by_row(*size).try_for_each(|point| {
            let owner = label.owners[index_of_point(point, *size)];
            write!(f, "{}", char::from((b'm' as i8 + owner) as u8))
        })
    }
}
