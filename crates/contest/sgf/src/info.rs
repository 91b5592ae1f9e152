//! What a record says about its game: a typed view of the game-info and root properties.
//!
//! Properties are taken from the first node of the main line that has them, because programs put them there
//! where the root should be, and merged records where the games part (FF[4], "Game Info Properties").

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use ishi_go::{Color, Rules};
#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::text::split_composed;
use crate::tree::{GameTree, NodeId, Property};
use crate::warning::{WarningKind, Warnings};

/// Columns and rows as a record states them, 1 to 52: more than a Go board of this workspace may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordSize {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

impl RecordSize {
    /// The size without SZ.
    pub const DEFAULT: RecordSize = RecordSize { width: 19, height: 19 };
    /// The letters a to z and A to Z.
    pub const MAX: u8 = 52;

    /// Reads `19` or `19:13`.
    fn parse(text: &str) -> Option<RecordSize> {
        let (width, height) = split_composed(text).unwrap_or((text, text));
        let side = |text: &str| text.trim().parse().ok().filter(|n| (1..=Self::MAX).contains(n));
        Some(RecordSize { width: side(width)?, height: side(height)? })
    }
}

impl fmt::Display for RecordSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// How a game ended (RE).
///
/// ```
/// use ishi_go::Color;
/// use ishi_sgf::GameResult;
/// assert_eq!("B+Resign".parse(), Ok(GameResult::Resignation(Color::Black)));
/// assert_eq!(GameResult::Points(Color::White, 3.5).to_string(), "W+3.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameResult {
    /// Won by so many points.
    Points(Color, f64),
    /// The opponent resigned.
    Resignation(Color),
    /// The opponent ran out of time.
    Time(Color),
    /// The opponent forfeited.
    Forfeit(Color),
    /// Won, it is not said how.
    Win(Color),
    /// Nobody won.
    Draw,
    /// No result, or the game was suspended.
    Void,
    /// Not known.
    Unknown,
}

impl GameResult {
    /// Who won.
    ///
    /// ```
    /// use ishi_go::Color;
    /// use ishi_sgf::GameResult;
    /// let result: GameResult = "W+Resign".parse().unwrap();
    /// assert_eq!(result.winner(), Some(Color::White));
    /// assert_eq!(GameResult::Draw.winner(), None);
    /// ```
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Points(color, _)
            | GameResult::Resignation(color)
            | GameResult::Time(color)
            | GameResult::Forfeit(color)
            | GameResult::Win(color) => Some(color),
            GameResult::Draw | GameResult::Void | GameResult::Unknown => None,
        }
    }
}

/// As `FF[4]` writes it: `B+3.5`, `W+R`, `0`, `Void`, `?`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Points(color, points) => write!(f, "{}+{points}", color.letter()),
            GameResult::Resignation(color) => write!(f, "{}+R", color.letter()),
            GameResult::Time(color) => write!(f, "{}+T", color.letter()),
            GameResult::Forfeit(color) => write!(f, "{}+F", color.letter()),
            GameResult::Win(color) => write!(f, "{}+", color.letter()),
            GameResult::Draw => f.write_str("0"),
            GameResult::Void => f.write_str("Void"),
            GameResult::Unknown => f.write_str("?"),
        }
    }
}

/// The text is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid result {0:?}: write B+3.5, W+R, B+T, W+F, 0, Void or ?")]
pub struct GameResultError(String);

/// Reads the forms of FF 4 and their relatives in any case: `B+Resign`, `w + 3,5`, `Jigo`, `0`, `?`.
impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<GameResult, GameResultError> {
        let plain = text.trim().to_ascii_uppercase();
        let Some((winner, how)) = plain.split_once('+') else {
            return match plain.as_str() {
                "0" | "DRAW" | "JIGO" | "TIE" => Ok(GameResult::Draw),
                "VOID" => Ok(GameResult::Void),
                "?" | "" | "UNKNOWN" => Ok(GameResult::Unknown),
                _ => Err(GameResultError(text.to_string())),
            };
        };
        let error = || GameResultError(text.to_string());
        let winner: Color = winner.trim().parse().map_err(|_| error())?;
        // The first word counts: some programs add an explanation, as in `B+R (illegal move)`.
        match how.split_whitespace().next().unwrap_or_default() {
            "" | "?" => Ok(GameResult::Win(winner)),
            "R" | "RES" | "RESIGN" | "RESIGNATION" => Ok(GameResult::Resignation(winner)),
            "T" | "TIME" => Ok(GameResult::Time(winner)),
            "F" | "FORFEIT" => Ok(GameResult::Forfeit(winner)),
            points => parse_margin(points).map(|n| GameResult::Points(winner, n)).ok_or_else(error),
        }
    }
}

/// A margin such as `3.5` or `3,5`.
fn parse_margin(text: &str) -> Option<f64> {
    parse_number(text).filter(|points| *points >= 0.0)
}

/// Characters of a number without its sign.
const MOST_DIGITS: usize = 20;

/// A plain decimal number, with a point or a comma: no exponents, no infinities. What it gives can be written and read again.
fn parse_number(text: &str) -> Option<f64> {
    let plain = text.trim().replace(',', ".");
    let digits = plain.strip_prefix(['-', '+']).unwrap_or(&plain);
    if digits.len() > MOST_DIGITS || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    // Twenty nines are rounded to a number of 21 digits, and `.5` is written as `0.5`.
    plain.parse().ok().filter(|number: &f64| number.abs().to_string().len() <= MOST_DIGITS)
}

/// One side of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerInfo {
    /// PB, PW.
    pub name: Option<String>,
    /// BR, WR.
    pub rank: Option<String>,
    /// BT, WT.
    pub team: Option<String>,
}

/// What the record says about the game. Text is unescaped; what is missing is `None`.
///
/// ```
/// use ishi_sgf::{GameInfo, RecordSize, Warnings};
/// let reading = ishi_sgf::read_collection(b"(;SZ[13:9]KM[375]RU[Chinese]PB[Go Seigen])").unwrap();
/// let mut warnings = Warnings::new();
/// let info = GameInfo::read_main_line(&reading.collection.games[0], &mut warnings);
/// assert_eq!(info.size, RecordSize { width: 13, height: 9 });
/// assert_eq!(info.komi, Some(7.5));
/// assert_eq!(info.black.name.as_deref(), Some("Go Seigen"));
/// assert_eq!(warnings.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GameInfo {
    /// GM: 1 is Go.
    pub game: u32,
    /// SZ, 19x19 if missing or wrong.
    pub size: RecordSize,
    /// KM in points.
    pub komi: Option<f64>,
    /// HA.
    pub handicap: Option<u32>,
    /// RU.
    pub rules: Option<String>,
    /// Who played Black.
    pub black: PlayerInfo,
    /// Who played White.
    pub white: PlayerInfo,
    /// RE; [`GameResult::Unknown`] if it could not be understood.
    pub result: Option<GameResult>,
    /// DT, as it stands.
    pub date: Option<String>,
    /// PC.
    pub location: Option<String>,
    /// EV.
    pub event: Option<String>,
    /// RO.
    pub round: Option<String>,
    /// GN.
    pub name: Option<String>,
    /// TM, seconds of main time.
    pub time: Option<f64>,
    /// OT, the overtime as it stands.
    pub overtime: Option<String>,
    /// AP, the program that wrote the record.
    pub application: Option<String>,
    /// GC.
    pub comment: Option<String>,
}

/// What a list of games tells, under one name each: who played, how, and how it ended.
#[cfg(feature = "serde")]
impl Serialize for GameInfo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("GameInfo", 12)?;
        fields.serialize_field("black", &self.black.name)?;
        fields.serialize_field("white", &self.white.name)?;
        fields.serialize_field("black_rank", &self.black.rank)?;
        fields.serialize_field("white_rank", &self.white.rank)?;
        fields.serialize_field("komi", &self.komi)?;
        fields.serialize_field("handicap", &self.handicap)?;
        fields.serialize_field("rules", &self.rules)?;
        fields.serialize_field("result", &self.result.map(|result| result.to_string()))?;
        fields.serialize_field("date", &self.date)?;
        fields.serialize_field("event", &self.event)?;
        fields.serialize_field("time", &self.time)?;
        fields.serialize_field("overtime", &self.overtime)?;
        fields.end()
    }
}

impl GameInfo {
    /// Reads the main line's info. What is wrong is reported and left out.
    pub fn read_main_line(tree: &GameTree, warnings: &mut Warnings) -> GameInfo {
        GameInfo::read_line(tree, tree.main_line(), warnings)
    }

    /// The rules that the record names; `None` if it names none, or others than ishi knows.
    ///
    /// ```
    /// use ishi_go::Rules;
    /// use ishi_sgf::GoGame;
    /// let reading = ishi_sgf::read_collection(b"(;RU[Japanese])(;RU[of the house])").unwrap();
    /// let known = |tree| GoGame::read_main_line(tree).unwrap().info.known_rules();
    /// assert_eq!(known(&reading.collection.games[0]), Some(Rules::JAPANESE));
    /// assert_eq!(known(&reading.collection.games[1]), None);
    /// ```
    pub fn known_rules(&self) -> Option<Rules> {
        self.rules.as_ref()?.parse().ok()
    }

    /// The rules that the record names, or Chinese ones where it names none that ishi knows.
    pub fn rules_or_chinese(&self) -> Rules {
        self.known_rules().unwrap_or(Rules::CHINESE)
    }

    pub(crate) fn read_line(
        tree: &GameTree,
        line: impl Iterator<Item = NodeId>,
        warnings: &mut Warnings,
    ) -> GameInfo {
        let fields = InfoFields::new(tree, line);
        let player = |name, rank, team| PlayerInfo {
            name: fields.field_text(name),
            rank: fields.field_text(rank),
            team: fields.field_text(team),
        };
        GameInfo {
            game: fields.read_game_number(warnings),
            size: fields.read_size(warnings),
            komi: fields.read_komi(warnings),
            handicap: fields.read_handicap(warnings),
            rules: fields.field_text("RU"),
            black: player("PB", "BR", "BT"),
            white: player("PW", "WR", "WT"),
            result: fields.read_result(warnings),
            date: fields.field_text("DT"),
            location: fields.field_text("PC"),
            event: fields.field_text("EV"),
            round: fields.field_text("RO"),
            name: fields.field_text("GN"),
            time: fields.read_time(warnings),
            overtime: fields.field_text("OT"),
            application: fields.field_text("AP"),
            comment: fields.long_text("GC"),
        }
    }
}

const FIELDS: [&str; 21] = [
    "GM", "SZ", "KM", "HA", "RU", "PB", "PW", "BR", "WR", "BT", "WT", "RE", "DT", "PC", "EV", "RO", "GN",
    "TM", "OT", "AP", "GC",
];

/// The first property of each name.
struct InfoFields<'a>(BTreeMap<&'a str, &'a Property>);

impl<'a> InfoFields<'a> {
    fn new(tree: &'a GameTree, line: impl Iterator<Item = NodeId>) -> InfoFields<'a> {
        let mut first = BTreeMap::new();
        for property in line.flat_map(|id| &tree.node(id).properties) {
            if FIELDS.contains(&property.ident().as_str()) {
                first.entry(property.ident().as_str()).or_insert(property);
            }
        }
        InfoFields(first)
    }

    /// The property and its text without surrounding white space, unless that is empty.
    fn get(&self, name: &str) -> Option<(&'a Property, String)> {
        let property = *self.0.get(name)?;
        let text = property.value().to_simple_text().trim().to_string();
        (!text.is_empty()).then_some((property, text))
    }

    fn field_text(&self, name: &str) -> Option<String> {
        self.get(name).map(|(_, text)| text)
    }

    fn long_text(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|property| property.value().to_text()).filter(|text| !text.is_empty())
    }

    fn read_game_number(&self, warnings: &mut Warnings) -> u32 {
        let Some((property, text)) = self.get("GM") else { return 1 };
        let game = text.parse().unwrap_or(0);
        if game != 1 {
            let done = format!("kept as a record, not read as Go ({})", game_name(game));
            warnings.add_warning(property.place(), WarningKind::OtherGame, property.to_string(), done);
        }
        game
    }

    fn read_size(&self, warnings: &mut Warnings) -> RecordSize {
        let Some((property, text)) = self.get("SZ") else { return RecordSize::DEFAULT };
        RecordSize::parse(&text).unwrap_or_else(|| {
            let done = format!("a size is 1 to {}, read as {}", RecordSize::MAX, RecordSize::DEFAULT);
            warnings.add_warning(property.place(), WarningKind::BadSize, property.to_string(), done);
            RecordSize::DEFAULT
        })
    }

    fn read_komi(&self, warnings: &mut Warnings) -> Option<f64> {
        let (property, text) = self.get("KM")?;
        let komi = text.split_whitespace().next().and_then(parse_number);
        let points = komi.and_then(komi_in_points);
        match (komi, points) {
            (Some(komi), Some(points)) if komi == points => {}
            (_, Some(points)) => {
                let done = format!("read as {points} points");
                warnings.add_warning(
                    property.place(),
                    WarningKind::KomiInHundredths,
                    property.to_string(),
                    done,
                );
            }
            (_, None) => {
                let done = "no usable komi, left out";
                warnings.add_warning(property.place(), WarningKind::BadKomi, property.to_string(), done);
            }
        }
        points
    }

    fn read_handicap(&self, warnings: &mut Warnings) -> Option<u32> {
        let (property, text) = self.get("HA")?;
        let handicap = text.parse().ok();
        if handicap.is_none() {
            let done = "write a number of stones, left out";
            warnings.add_warning(property.place(), WarningKind::BadHandicap, property.to_string(), done);
        }
        handicap
    }

    fn read_time(&self, warnings: &mut Warnings) -> Option<f64> {
        let (property, text) = self.get("TM")?;
        let seconds = parse_number(&text).filter(|seconds| *seconds >= 0.0);
        if seconds.is_none() {
            let done = "write a number of seconds, left out";
            warnings.add_warning(property.place(), WarningKind::BadTime, property.to_string(), done);
        }
        seconds
    }

    fn read_result(&self, warnings: &mut Warnings) -> Option<GameResult> {
        let (property, text) = self.get("RE")?;
        let result = text.parse();
        if result.is_err() {
            let done = "read as unknown: write B+3.5, W+R, 0, Void or ?";
            warnings.add_warning(property.place(), WarningKind::UnknownResult, property.to_string(), done);
        }
        Some(result.unwrap_or(GameResult::Unknown))
    }
}

/// Komi in points. Fox writes hundredths: of points (650 is 6.5), or under Chinese counting of stones, which
/// count double (375 is 3.75 stones, 7.5 points). The two differ in that komi is a multiple of half a point.
fn komi_in_points(komi: f64) -> Option<f64> {
    const LARGEST: f64 = 99.5;
    let halves = |points: f64| points * 2.0 == (points * 2.0).round();
    if komi.abs() <= LARGEST {
        return Some(komi);
    }
    let hundredths = komi / 100.0;
    [hundredths, 2.0 * hundredths].into_iter().find(|&points| halves(points) && points.abs() <= LARGEST)
}

/// The games that GM numbers (FF[4], "GM"), as far as they are met.
fn game_name(game: u32) -> &'static str {
    match game {
        2 => "Othello",
        3 => "chess",
        4 => "Gomoku and Renju",
        5 => "Nine Men's Morris",
        6 => "Backgammon",
        7 => "Chinese chess",
        8 => "Shogi",
        9 => "Lines of Action",
        11 => "Hex",
        _ => "another game",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_margins_are_taken_if_they_can_be_written() {
        let result = |text: &str| text.parse::<GameResult>();
        for good in
            ["W+12.5", "b+0,5", "B+99999999999999999", "W+.000000000000000001", "W+12345678.1234567890"]
        {
            let read = result(good).unwrap();
            assert_eq!(result(&read.to_string()), Ok(read), "{good}");
        }
        for bad in ["W+99999999999999999999", "W+.0000000000000000001", "W+1e3", "W+-1", "W+.", "W+inf"] {
            assert!(result(bad).is_err(), "{bad}");
        }
    }
}
