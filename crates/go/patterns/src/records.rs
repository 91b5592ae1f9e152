//! Game records as one line each: TAB separated columns `id, source, year, size, komi, handicap, setup_black, result,
//! black_rank, white_rank, first, moves`. Set-up stones and moves are pairs of letters as in SGF: column, then row from the
//! top; `..` is a pass. Lines that begin with `#` are headers.

use std::fmt;

use ishi_go::{Board, BoardSize, Color, Move, Point};

use crate::features::MoveContext;

/// A game: what replaying and judging need.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// The column `id`.
    pub id: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// Size of the board.
    pub size: BoardSize,
    /// Points that White receives, compensation for a handicap apart, be they guessed (`6.5?`) or not; None if they are
    /// not known, or are no whole or half points.
    pub komi: Option<f64>,
    /// Black stones that stand at the beginning.
    pub setup: Vec<Point>,
    /// Who moves first; then the players alternate.
    pub first: Color,
    /// The moves.
    pub moves: Vec<Move>,
    /// Who won; None if nobody did, or it is not known.
    pub winner: Option<Color>,
    /// The year in which it was played, if it is known.
    pub year: Option<u16>,
}

/// A line that is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGameError {
    /// The line, from 1.
    pub line: usize,
    /// The column's name.
    pub field: &'static str,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl fmt::Display for RecordedGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, {}: {}", self.line, self.field, self.problem)
    }
}

impl std::error::Error for RecordedGameError {}

/// Reads all games of a text, every move checked to be on the board and legal.
///
/// # Errors
/// The first line that is wrong, with the column.
pub fn parse_records(text: &str) -> Result<Vec<RecordedGame>, RecordedGameError> {
    parse_first_records(text, usize::MAX)
}

/// [`parse_records`], but at most `limit` games.
///
/// # Errors
/// The first line that is wrong, with the column.
pub fn parse_first_records(text: &str, limit: usize) -> Result<Vec<RecordedGame>, RecordedGameError> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    lines.take(limit).map(|(n, line)| parse_record(line, n + 1)).collect()
}

/// What is wrong with a line of so many columns.
fn describe_columns(text: &str, count: usize) -> String {
    if text.starts_with('(') {
        return "this looks like SGF, which `ishi go records` makes into records".to_string();
    }
    format!("{count} columns: there must be 12, separated by tabs")
}

fn parse_record(text: &str, line: usize) -> Result<RecordedGame, RecordedGameError> {
    let wrong = |field, problem| RecordedGameError { line, field, problem };
    let fields: Vec<&str> = text.split('\t').collect();
    let [id, _, year, size, komi, _, setup, result, _, _, first, moves] = fields[..] else {
        return Err(wrong("columns", describe_columns(text, fields.len())));
    };
    let size: BoardSize =
        size.parse().map_err(|error: ishi_go::SizeTextError| wrong("size", error.to_string()))?;
    let komi = parse_komi(komi);
    let setup = if setup == "-" { "" } else { setup };
    let setup = parse_moves(setup, size).map_err(|problem| wrong("setup_black", problem))?;
    let stone = |mv: Move| mv.point().ok_or_else(|| wrong("setup_black", "a pass is no stone".to_string()));
    let setup = setup.into_iter().map(stone).collect::<Result<Vec<_>, _>>()?;
    let first = first.parse::<Color>().map_err(|error| wrong("first", error.to_string()));
    let moves = parse_moves(moves.trim_end(), size).map_err(|problem| wrong("moves", problem))?;
    let winner = result.split_once('+').and_then(|(winner, _)| winner.parse().ok());
    let (id, first, year) = (id.to_string(), first?, year.parse().ok());
    let record = RecordedGame { id, line, size, komi, setup, first, moves, winner, year };
    record.check_legality().map_err(|(field, problem)| wrong(field, problem))?;
    Ok(record)
}

/// The largest komi, either way: no board that is played on has more points.
const MOST_KOMI: f64 = 400.0;

/// Reads komi: `6.5`, or `6.5?` if it was guessed. Learning moves needs none, so that others are no error.
fn parse_komi(text: &str) -> Option<f64> {
    let komi = text.strip_suffix('?').unwrap_or(text).parse().ok();
    komi.filter(|komi: &f64| komi.abs() <= MOST_KOMI && (komi * 2.0).fract() == 0.0)
}

/// Reads `pdcp..`.
pub(crate) fn parse_moves(text: &str, size: BoardSize) -> Result<Vec<Move>, String> {
    if !text.len().is_multiple_of(2) {
        return Err(format!("{} letters, each move has two", text.len()));
    }
    text.as_bytes().chunks_exact(2).enumerate().map(|(n, pair)| parse_move(pair, size, n)).collect()
}

fn parse_move(pair: &[u8], size: BoardSize, n: usize) -> Result<Move, String> {
    if pair == b".." {
        return Ok(Move::Pass);
    }
    let [column, row] = [pair[0], pair[1]].map(|letter| usize::from(letter.wrapping_sub(b'a')));
    if column >= size.width() || row >= size.height() {
        let text = String::from_utf8_lossy(pair);
        return Err(format!("{text:?}, number {}, is no point of a {size} board", n + 1));
    }
    Ok(Move::Play(Point::new(column, size.height() - 1 - row)))
}

/// A move as records and SGF write it: column, then row from the top; `..` is a pass.
///
/// ```
/// use ishi_go::{Move, Point};
/// use ishi_patterns::records::move_letters;
/// assert_eq!(move_letters(Move::Play(Point::new(2, 0)), 9), "ci");
/// assert_eq!(move_letters(Move::Pass, 9), "..");
/// ```
#[must_use]
pub fn move_letters(mv: Move, height: usize) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    match mv {
        Move::Pass => "..".to_string(),
        Move::Play(point) => [letter(point.column()), letter(height - 1 - point.row())].iter().collect(),
    }
}

/// The first line of a file of records: the columns' names.
pub const HEADER: &str =
    "# id\tsource\tyear\tsize\tkomi\thandicap\tsetup_black\tresult\tblack_rank\twhite_rank\tfirst\tmoves";

/// What a line says of a game that [`RecordedGame`] does not keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordOrigin {
    /// Where the game is from. No tabs.
    pub source: String,
    /// The result with how it came about, such as `W+R`, if that is known. No tabs.
    pub result: Option<String>,
    /// Ranks of Black and White, such as `7d`. No tabs.
    pub ranks: [Option<String>; 2],
}

impl RecordedGame {
    /// The line of the game, without its end, as [`parse_records`] reads it.
    ///
    /// ```
    /// use ishi_patterns::records::{self, RecordOrigin};
    /// let line = "a\tclub\t2026\t9\t6.5\t2\tgcch\tW+R\t3k\t?\tW\teedd..";
    /// let record = &records::parse_records(line).unwrap()[0];
    /// let (result, ranks) = (Some("W+R".to_string()), [Some("3k".to_string()), None]);
    /// let origin = RecordOrigin { source: "club".into(), result, ranks };
    /// assert_eq!(record.to_line(&origin), line);
    /// ```
    #[must_use]
    pub fn to_line(&self, origin: &RecordOrigin) -> String {
        let height = self.size.height();
        let stones = self.setup.iter().map(|&point| move_letters(Move::Play(point), height));
        let moves = self.moves.iter().map(|&mv| move_letters(mv, height));
        let known = |text: Option<String>| text.unwrap_or_else(|| "?".to_string());
        let or_dash = |text: String| if text.is_empty() { "-".to_string() } else { text };
        let handicap = if self.setup.len() >= 2 { self.setup.len() } else { 0 };
        let (columns, rows) = (self.size.width(), self.size.height());
        let size = if columns == rows { columns.to_string() } else { self.size.to_string() };
        let [black, white] = &origin.ranks;
        let columns = [
            self.id.clone(),
            or_dash(origin.source.clone()),
            known(self.year.map(|year| year.to_string())),
            size,
            known(self.komi.map(|komi| komi.to_string())),
            handicap.to_string(),
            or_dash(stones.collect()),
            known(
                origin.result.clone().or_else(|| self.winner.map(|winner| format!("{}+", winner.letter()))),
            ),
            known(black.clone()),
            known(white.clone()),
            self.first.letter().to_string(),
            moves.collect(),
        ];
        columns.join("\t")
    }

    /// Is every stone and move on the board and legal?
    ///
    /// # Errors
    /// The column of the line that is wrong, and why.
    pub fn check_legality(&self) -> Result<(), (&'static str, String)> {
        let stones = self.setup.iter().map(|&point| (Color::Black, point));
        let board =
            Board::from_stones(self.size, stones).map_err(|error| ("setup_black", error.to_string()))?;
        let mut replay = RecordReplay { board, to_move: self.first, last: None, before: None, next: 0 };
        for (n, &mv) in self.moves.iter().enumerate() {
            if let Some(point) = mv.point()
                && !replay.board.is_legal(replay.to_move, point)
            {
                return Err(("moves", format!("{} {point}, number {}, is not legal", replay.to_move, n + 1)));
            }
            replay.play(mv);
        }
        Ok(())
    }

    /// The beginning of the game.
    pub fn start_replay(&self) -> RecordReplay {
        let mut board = Board::new(self.size);
        for &point in &self.setup {
            board.play_unchecked(Color::Black, Move::Play(point));
        }
        RecordReplay { board, to_move: self.first, last: None, before: None, next: 0 }
    }
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct RecordReplay {
    board: Board,
    to_move: Color,
    last: Option<Point>,
    before: Option<Point>,
    next: usize,
}

impl RecordReplay {
    /// The position as it is.
    pub fn context(&self) -> MoveContext<'_> {
        MoveContext { board: &self.board, to_move: self.to_move, last: self.last, before: self.before }
    }

    /// The move that comes next in the record, passes left out (they are played). None at the end.
    pub fn next_move(&mut self, record: &RecordedGame) -> Option<Point> {
        loop {
            match *record.moves.get(self.next)? {
                Move::Play(point) => return Some(point),
                Move::Pass => self.play(Move::Pass),
            }
        }
    }

    /// Plays a move of the record.
    pub fn play(&mut self, mv: Move) {
        self.board.play_unchecked(self.to_move, mv);
        self.to_move = !self.to_move;
        self.before = self.last;
        self.last = mv.point();
        self.next += 1;
    }
}
