//! GGF, the Generic Game Format of the Generic Game Server and of NBoard, for Othello.
//!
//! A game stands between `(;` and `;)` and is a row of `NAME[value]`; a file may have several, with numbers between
//! them. A move is `B[d3/evaluation/seconds]`, both optional. Values have no escapes: a `]` always ends them.
//!
//! Source: M. Buro, "Generic Game Format", <https://skatgame.net/mburo/ggsa/ggf>; what NBoard 2 writes.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::color::Color;
use crate::position::{IllegalMove, Position};
use crate::square::{Move, SquareError};
use crate::text::{BoardTextError, shorten_text};

/// A game. What GGF has and this has not is kept in [`GgfGame::other`].
///
/// ```
/// use ishi_othello::ggf;
/// let text = "(;GM[Othello]PB[Saio]RE[+2.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
///     B[d3//0.01]W[c5/-1.5];)";
/// let game = &ggf::read_games(text).unwrap()[0];
/// assert_eq!(game.black, "Saio");
/// assert_eq!(game.moves[1].evaluation, Some(-1.5));
/// assert_eq!(game.replay().unwrap().to_transcript(), "d3c5");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GgfGame {
    /// PC: where it was played.
    pub place: String,
    /// DT.
    pub date: String,
    /// PB: the black player.
    pub black: String,
    /// PW: the white player.
    pub white: String,
    /// RE.
    pub result: Option<GgfResult>,
    /// TI: both players' time.
    pub time: String,
    /// The other properties in their order, such as RB and TY.
    pub other: Vec<(String, String)>,
    /// BO: the position before the first move.
    pub start: Position,
    /// The moves.
    pub moves: Vec<RecordedMove>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GgfResult {
    /// Black's discs minus White's.
    pub score: f64,
    /// Why it ended, if not at its natural end: `r` resigned, `t` out of time, `s` agreed.
    pub reason: Option<char>,
}

/// A move with what the player thought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedMove {
    /// Who moved.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Its value for the player who moved, in discs.
    pub evaluation: Option<f64>,
    /// Seconds it took.
    pub seconds: Option<f64>,
}

/// Why a text is no GGF. Offsets count bytes from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GgfError {
    /// No game at all.
    #[error("no game: GGF begins a game with (;")]
    NoGame,
    /// Not closed.
    #[error("byte {offset}: the game that begins here has no end: write ;) behind it")]
    NoEnd {
        /// Where the game begins.
        offset: usize,
    },
    /// Something that is no property.
    #[error("byte {offset}: {found:?} begins with no property: write NAME[value]")]
    NoProperty {
        /// Where.
        offset: usize,
        /// What stands there, shortened.
        found: String,
    },
    /// A value that cannot be used.
    #[error("byte {offset}: {name}[{value}]: {reason}")]
    Value {
        /// Where the property stands.
        offset: usize,
        /// Its name.
        name: String,
        /// Its value, shortened.
        value: String,
        /// Why, and what would be right.
        reason: GgfValueError,
    },
}

/// Why the value of a property cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GgfValueError {
    /// GM names something else.
    #[error("another game: Othello is GM[Othello]")]
    OtherGame,
    /// RE is no result.
    #[error("write Black's discs minus White's, such as +12, or ?")]
    Result,
    /// BO is of another size.
    #[error("only boards of 8x8 are read: write 8, the rows and the side to move")]
    BoardSize,
    /// BO is no board.
    #[error(transparent)]
    Board(#[from] BoardTextError),
    /// B or W is no move.
    #[error("{0}, or PA for a pass")]
    Move(SquareError),
    /// What stands behind the first `/` of a move.
    #[error("{found:?} is no number: the evaluation in discs must stand behind the first /")]
    Evaluation {
        /// It.
        found: String,
    },
    /// What stands behind the second `/` of a move.
    #[error("{found:?} is no number: the seconds must stand behind the second /")]
    Seconds {
        /// It.
        found: String,
    },
}

impl CodedError for GgfValueError {
    fn facts(&self) -> ErrorFacts {
        match self {
            GgfValueError::OtherGame => facts!["othello-ggf-other-game"],
            GgfValueError::Result => facts!["othello-ggf-result"],
            GgfValueError::BoardSize => facts!["othello-ggf-board-size"],
            GgfValueError::Board(error) => error.facts(),
            GgfValueError::Move(error) => facts!["othello-ggf-move", reason = error.facts()],
            GgfValueError::Evaluation { found } => {
                facts!["othello-ggf-evaluation", found = format!("{found:?}")]
            }
            GgfValueError::Seconds { found } => facts!["othello-ggf-seconds", found = format!("{found:?}")],
        }
    }
}

impl CodedError for GgfError {
    fn facts(&self) -> ErrorFacts {
        match self {
            GgfError::NoGame => facts!["othello-ggf-no-game"],
            GgfError::NoEnd { offset } => facts!["othello-ggf-no-end", offset],
            GgfError::NoProperty { offset, found } => {
                facts!["othello-ggf-no-property", offset, found = format!("{found:?}")]
            }
            GgfError::Value { offset, name, value, reason } => {
                facts!["othello-ggf-value", offset, name, value, reason = reason.facts()]
            }
        }
    }
}

impl CodedError for GgfReplayError {
    fn facts(&self) -> ErrorFacts {
        facts!["othello-ggf-illegal", number = self.number, reason = self.error.facts()]
    }
}

/// A move that the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}: {error}")]
pub struct GgfReplayError {
    /// Which B or W of the game, from 1.
    pub number: usize,
    /// Which rule.
    pub error: IllegalMove,
}

impl Default for GgfGame {
    fn default() -> GgfGame {
        GgfGame {
            place: String::new(),
            date: String::new(),
            black: String::new(),
            white: String::new(),
            result: None,
            time: String::new(),
            other: Vec::new(),
            start: Position::start(),
            moves: Vec::new(),
        }
    }
}

impl GgfGame {
    /// The moves of a position's history, without names.
    pub fn from_position(position: &Position) -> GgfGame {
        let (board, to_move) = position.setup();
        let recorded = |&(color, mv)| RecordedMove { color, mv, evaluation: None, seconds: None };
        let score = f64::from(position.score());
        GgfGame {
            result: position.is_over().then_some(GgfResult { score, reason: None }),
            start: Position::from_board(board, to_move),
            moves: position.moves().iter().map(recorded).collect(),
            ..GgfGame::default()
        }
    }

    /// Plays the moves; forced passes may be missing.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn replay(&self) -> Result<Position, GgfReplayError> {
        let mut position = self.start.clone();
        for (number, played) in (1..).zip(&self.moves) {
            let done = position.play_recorded_by(played.color, played.mv);
            done.map_err(|error| GgfReplayError { number, error })?;
        }
        Ok(position)
    }
}

/// Reads all games of a text. What stands between them is skipped.
///
/// # Errors
/// If there is no game, or one is damaged: says where.
pub fn read_games(text: &str) -> Result<Vec<GgfGame>, GgfError> {
    let mut games = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("(;").map(|found| at + found) {
        let (game, end) = read_game(text, start)?;
        games.push(game);
        at = end;
    }
    if games.is_empty() { Err(GgfError::NoGame) } else { Ok(games) }
}

/// Writes games, one a line.
pub fn write_games(games: &[GgfGame]) -> String {
    games.iter().map(|game| format!("{game}\n")).collect()
}

/// The game that begins at `start`, and where it ends.
fn read_game(text: &str, start: usize) -> Result<(GgfGame, usize), GgfError> {
    let mut game = GgfGame::default();
    let mut rest = text[start + 2..].trim_start();
    loop {
        let offset = text.len() - rest.len();
        if let Some(behind) = rest.strip_prefix(";)") {
            return Ok((game, text.len() - behind.len()));
        }
        if rest.is_empty() {
            return Err(GgfError::NoEnd { offset: start });
        }
        let (name, value, behind) =
            split_property(rest).ok_or_else(|| GgfError::NoProperty { offset, found: shorten_text(rest) })?;
        game.set_property(name, value).map_err(|reason| GgfError::Value {
            offset,
            name: name.to_string(),
            value: shorten_text(value),
            reason,
        })?;
        rest = behind.trim_start();
    }
}

/// Name, value, and what stands behind `NAME[value]`.
fn split_property(text: &str) -> Option<(&str, &str, &str)> {
    let (name, behind) = text.split_once('[')?;
    let name = name.trim_end();
    let named = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (value, behind) = behind.split_once(']').filter(|_| named)?;
    Some((name, value, behind))
}

impl GgfGame {
    fn set_property(&mut self, name: &str, value: &str) -> Result<(), GgfValueError> {
        let text = value.trim().to_string();
        match name {
            "GM" if text.eq_ignore_ascii_case("othello") => {}
            "GM" => return Err(GgfValueError::OtherGame),
            "PC" => self.place = text,
            "DT" => self.date = text,
            "PB" => self.black = text,
            "PW" => self.white = text,
            "TI" => self.time = text,
            "RE" => self.result = read_result(&text)?,
            "BO" => self.start = read_start(&text)?,
            "B" => self.moves.push(read_move(Color::Black, &text)?),
            "W" => self.moves.push(read_move(Color::White, &text)?),
            _ => self.other.push((name.to_string(), text)),
        }
        Ok(())
    }
}

/// `+12.000`, `-40.00:r`; nothing or `?` if it is not known.
fn read_result(text: &str) -> Result<Option<GgfResult>, GgfValueError> {
    if matches!(text, "" | "?") {
        return Ok(None);
    }
    let (score, reason) = text.split_once(':').unwrap_or((text, ""));
    let score = parse_number(score).ok_or(GgfValueError::Result)?;
    Ok(Some(GgfResult { score, reason: reason.trim().chars().next() }))
}

/// `8 -------- ... *`: size, rows, side to move.
fn read_start(text: &str) -> Result<Position, GgfValueError> {
    let board = text.strip_prefix('8').filter(|board| board.starts_with(char::is_whitespace));
    let board = board.ok_or(GgfValueError::BoardSize)?;
    Ok(Position::from_text(board)?)
}

/// `d3`, `d3/1.5`, `d3//0.01`, `PA`.
fn read_move(color: Color, text: &str) -> Result<RecordedMove, GgfValueError> {
    let mut parts = text.split('/').map(str::trim);
    let mv = parts.next().unwrap_or_default();
    let mv = mv.parse::<Move>().map_err(GgfValueError::Move)?;
    let mut part = |fault: fn(String) -> GgfValueError| match parts.next() {
        None | Some("") => Ok(None),
        Some(text) => parse_number(text).map(Some).ok_or_else(|| fault(text.to_string())),
    };
    let evaluation = part(|found| GgfValueError::Evaluation { found })?;
    let seconds = part(|found| GgfValueError::Seconds { found })?;
    Ok(RecordedMove { color, mv, evaluation, seconds })
}

fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// In one line, with a board in rows, as GGS writes it.
impl fmt::Display for GgfGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(;GM[Othello]")?;
        let texts = [
            ("PC", &self.place),
            ("DT", &self.date),
            ("PB", &self.black),
            ("PW", &self.white),
            ("TI", &self.time),
        ];
        for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            write!(f, "{name}[{}]", sanitize_value(text))?;
        }
        if let Some(GgfResult { score, reason }) = self.result {
            let reason = reason.map(|reason| format!(":{reason}")).unwrap_or_default();
            write!(f, "RE[{score:+}{reason}]")?;
        }
        for (name, text) in &self.other {
            write!(f, "{name}[{}]", sanitize_value(text))?;
        }
        write!(f, "BO[8 {}]", board_rows(&self.start))?;
        self.moves.iter().try_for_each(|played| write!(f, "{played}"))?;
        f.write_str(";)")
    }
}

/// A value cannot hold a `]`, nor begin or end with white space.
fn sanitize_value(text: &str) -> String {
    text.trim().replace(']', ")").replace(['\n', '\r'], " ")
}

/// `-------- ... *`.
fn board_rows(position: &Position) -> String {
    let line = position.to_line().replace('X', "*");
    let mut rows = String::new();
    for (index, c) in line.chars().enumerate() {
        if index > 0 && index < 64 && index % 8 == 0 {
            rows.push(' ');
        }
        rows.push(c);
    }
    rows
}

/// `B[d3/1.5/0.01]`.
impl fmt::Display for RecordedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = ["B", "W"][self.color.index()];
        let mv = if self.mv == Move::Pass { "PA".to_string() } else { self.mv.to_string() };
        let text = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
        match (self.evaluation, self.seconds) {
            (None, None) => write!(f, "{color}[{mv}]"),
            (evaluation, None) => write!(f, "{color}[{mv}/{}]", text(evaluation)),
            (evaluation, seconds) => write!(f, "{color}[{mv}/{}/{}]", text(evaluation), text(seconds)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const START: &str = "---------------------------O*------*O---------------------------";

    #[test]
    fn what_nboard_and_ggs_write() {
        let nboard = format!(
            "(;GM[Othello]PC[NBoard]DT[2014-02-21]PB[]PW[a]RE[?]TI[15:00]TY[8]BO[8 {START} *]B[F5]W[F6];)"
        );
        let ggs = format!(
            "2 (;GM[Othello]PC[GGS/os]RB[2197.01]RE[-40.00:r]BO[8 {START} *]B[E6//4.09]\nW[F4/-48.50/0.93];)({nboard}"
        );
        let games = read_games(&ggs[..ggs.len()].replace(";)((;", ";)(;")).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].result, Some(GgfResult { score: -40.0, reason: Some('r') }));
        assert_eq!(games[0].moves[1].seconds, Some(0.93));
        assert_eq!(games[0].other, [("RB".to_string(), "2197.01".to_string())]);
        assert_eq!(games[1].replay().unwrap().to_transcript(), "f5f6");
    }

    #[test]
    fn errors_say_where() {
        let message = |text: &str| read_games(text).unwrap_err().to_string();
        assert_eq!(message("f5d6"), "no game: GGF begins a game with (;");
        assert_eq!(
            message("x(;GM[Othello]"),
            "byte 1: the game that begins here has no end: write ;) behind it"
        );
        assert_eq!(message("(;GM[Go];)"), "byte 2: GM[Go]: another game: Othello is GM[Othello]");
        assert_eq!(message("(;?;)"), "byte 2: \"?;)\" begins with no property: write NAME[value]");
        assert!(message("(;BO[10 *];)").contains("only boards of 8x8"));
        assert!(message("(;B[q9];)").contains("a square must be a letter from a to h"));
        assert!(message("(;B[d3/x];)").contains("\"x\" is no number"));
    }

    #[test]
    fn illegal_moves_are_counted() {
        let error = read_games("(;B[f5]W[f5];)").unwrap()[0].replay().unwrap_err();
        assert_eq!(error.to_string(), "move 2: white may not play f5: the square is occupied");
        assert!(read_games("(;W[f5];)").unwrap()[0].replay().is_err());
    }

    proptest! {
        #[test]
        fn games_survive_writing(
            choices in prop::collection::vec(any::<u8>(), 0..70),
            names in prop::array::uniform5("([a-zé:/.0-9]{1,9})?"),
            numbers in prop::collection::vec(prop::option::of(-64.0..64.0f64), 70),
            score in prop::option::of((-64.0..64.0f64, prop::option::of(prop::char::range('r', 't')))),
        ) {
            let position = crate::position::tests::random_game(&choices);
            let mut game = GgfGame::from_position(&position);
            let [place, date, black, white, time] = names;
            (game.place, game.date, game.black, game.white, game.time) = (place, date, black, white, time);
            game.result = score.map(|(score, reason)| GgfResult { score, reason });
            game.other = vec![("TY".to_string(), "8".to_string())];
            for (index, played) in game.moves.iter_mut().enumerate() {
                (played.evaluation, played.seconds) = (numbers[index], numbers[69 - index]);
            }
            prop_assert_eq!(game.replay().unwrap(), position);
            let two = vec![game.clone(), game];
            prop_assert_eq!(read_games(&write_games(&two)), Ok(two));
        }

        #[test]
        fn no_text_makes_it_panic(text: String, inside in "[A-Z;()\\[\\]a-h1-8/.é*O -]{0,60}") {
            let _ = read_games(&text);
            if let Ok(games) = read_games(&format!("(;{inside};)")) {
                games.iter().for_each(|game| drop(game.replay()));
            }
        }
    }
}
