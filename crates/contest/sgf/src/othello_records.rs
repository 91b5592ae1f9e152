//! Records and positions of Othello in all formats that we know: which one it is, reading and writing it.

use std::fmt;

use ishi_othello::wthor::{self, Database, Names, NamesKind};
use ishi_othello::{Move, Position, ggf, obf};

use crate::{Collection, GameResult, GameTree, OthelloGame};

/// The formats of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A game a line, such as `f5d6c3`.
    Transcript,
    /// SGF of Othello, as Edax and others write it.
    Sgf,
    /// Of the Generic Game Server and NBoard.
    Ggf,
    /// The French federation's database (`.wtb`).
    Wthor,
    /// A position a line, with scores of moves.
    Obf,
    /// A drawn board.
    Text,
}

/// A text that is no record, or a game that has no place in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError(String);

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecordError {}

/// A game, or a position without its moves. What is not known is empty.
#[derive(Clone, Debug)]
pub struct Record {
    /// Who plays Black.
    pub black: String,
    /// Who plays White.
    pub white: String,
    /// When, as the record writes it.
    pub date: String,
    /// Where, and on what occasion.
    pub event: String,
    /// Black's discs minus White's.
    pub result: Option<f64>,
    /// Black's discs with best play near the end, if the format knows it.
    pub theoretical: Option<u8>,
    /// Scores of moves in the position.
    pub scores: Vec<(Move, i32)>,
    /// What is said of it.
    pub comment: String,
    /// The game, or a position without its moves.
    pub game: Position,
}

impl Record {
    /// A record of which nothing is known but the moves.
    pub fn of(game: Position) -> Record {
        Record {
            black: String::new(),
            white: String::new(),
            date: String::new(),
            event: String::new(),
            result: None,
            theoretical: None,
            scores: Vec::new(),
            comment: String::new(),
            game,
        }
    }
}

/// The lists that give WTHOR's numbers their names.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// Players.
    pub players: Names,
    /// Tournaments.
    pub tournaments: Names,
}

/// Reads all records of a file or of a text that somebody wrote: the format is known by the ending of `name`, otherwise by what is in it.
///
/// # Errors
/// Names the game or line, and what is wrong with it.
///
/// ```
/// use ishi_sgf::othello_records::{Directory, read};
/// let records = read("", b"f5d6c3\nf5f6e6\n", &Directory::default()).unwrap();
/// assert_eq!(records[1].game.transcript(), "f5f6e6");
/// let error = read("", b"f5d6c9", &Directory::default()).unwrap_err().to_string();
/// assert!(error.starts_with("line 1: "), "{error}");
/// ```
pub fn read(name: &str, bytes: &[u8], directory: &Directory) -> Result<Vec<Record>, RecordError> {
    let records = match recognise(name, bytes) {
        Format::Wthor => read_wthor(bytes, directory),
        Format::Sgf => read_sgf(bytes),
        format => match std::str::from_utf8(bytes) {
            Ok(text) => read_text(text.trim_start_matches('\u{feff}'), format),
            Err(error) => Err(format!("no record of a known format: {error}")),
        },
    };
    match records.map_err(RecordError)? {
        none if none.is_empty() => Err(RecordError("there is no game in it".to_string())),
        records => Ok(records),
    }
}

/// The format, by the file's ending, otherwise by what is in it.
fn recognise(name: &str, bytes: &[u8]) -> Format {
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let endings =
        [(".wtb", Format::Wthor), (".obf", Format::Obf), (".ggf", Format::Ggf), (".sgf", Format::Sgf)];
    if let Some((_, format)) = endings.into_iter().find(|(ending, _)| name.ends_with(ending)) {
        return format;
    }
    match std::str::from_utf8(bytes) {
        Err(_) if Database::read(bytes).is_ok() => Format::Wthor,
        Err(_) => Format::Sgf,
        Ok(text) => recognise_text(text),
    }
}

fn recognise_text(text: &str) -> Format {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['%', '#']));
    let first = first.unwrap_or_default();
    if text.contains("(;") {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).take(4096).collect();
        return if plain.to_lowercase().contains("gm[othello]") { Format::Ggf } else { Format::Sgf };
    }
    if Position::from_text(first.split(';').next().unwrap_or_default()).is_ok() {
        return Format::Obf;
    }
    // A transcript begins with a square.
    let square = first.contains(|c: char| ('1'..='8').contains(&c))
        && first
            .trim_start_matches(|c: char| c.is_ascii_digit() || ". )".contains(c))
            .get(..2)
            .is_some_and(|s| s.parse::<Move>().is_ok());
    if square { Format::Transcript } else { Format::Text }
}

fn read_text(text: &str, format: Format) -> Result<Vec<Record>, String> {
    match format {
        Format::Ggf => read_ggf(text),
        Format::Obf => {
            let problems = obf::read(text).map_err(|error| error.to_string())?;
            let record = |problem: obf::Problem| Record {
                scores: problem.scores,
                comment: problem.comment,
                ..Record::of(problem.position)
            };
            Ok(problems.into_iter().map(record).collect())
        }
        Format::Text => Position::from_text(text)
            .map(|position| vec![Record::of(position)])
            .map_err(|error| error.to_string()),
        Format::Transcript | Format::Sgf | Format::Wthor => read_transcripts(text),
    }
}

/// A game a line; empty lines and those that begin with `#` or `%` are skipped.
fn read_transcripts(text: &str) -> Result<Vec<Record>, String> {
    let lines = (1..).zip(text.lines());
    let lines =
        lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%']));
    let read = |(number, line): (usize, &str)| {
        Position::from_transcript(line).map(Record::of).map_err(|error| format!("line {number}: {error}"))
    };
    lines.map(read).collect()
}

fn read_ggf(text: &str) -> Result<Vec<Record>, String> {
    let games = ggf::read(text).map_err(|error| error.to_string())?;
    let read = |(number, game): (usize, ggf::Game)| {
        let position = game.replay().map_err(|error| format!("game {number}, {error}"))?;
        Ok(Record {
            result: game.result.map(|result| result.score),
            black: game.black,
            white: game.white,
            date: game.date,
            event: game.place,
            ..Record::of(position)
        })
    };
    (1..).zip(games).map(read).collect()
}

fn read_sgf(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let reading = crate::read(bytes).map_err(|error| error.to_string())?;
    let read = |(number, tree): (usize, &GameTree)| {
        let game = OthelloGame::read(tree).map_err(|error| format!("game {number}: {error}"))?;
        let position = game.replay(None).map_err(|error| format!("game {number}: {error}"))?;
        let info = game.info;
        Ok(Record {
            black: info.black.name.unwrap_or_default(),
            white: info.white.name.unwrap_or_default(),
            date: info.date.unwrap_or_default(),
            event: info.event.or(info.location).unwrap_or_default(),
            result: info.result.and_then(score),
            ..Record::of(position)
        })
    };
    (1..).zip(&reading.collection.games).map(read).collect()
}

/// A result as Black's discs minus White's, if it says how many.
fn score(result: GameResult) -> Option<f64> {
    match result {
        GameResult::Points(color, points) => {
            Some(if color == ishi_go::Color::Black { points } else { -points })
        }
        GameResult::Draw => Some(0.0),
        _ => None,
    }
}

fn read_wthor(bytes: &[u8], directory: &Directory) -> Result<Vec<Record>, String> {
    let database = Database::read(bytes).map_err(|error| error.to_string())?;
    let read = |(number, game): (usize, &wthor::Game)| {
        let position = game.replay().map_err(|error| format!("game {number}: {error}"))?;
        let name = |names: &Names, n| names.get(n).unwrap_or_default().to_string();
        Ok(Record {
            black: name(&directory.players, game.black),
            white: name(&directory.players, game.white),
            event: name(&directory.tournaments, game.tournament),
            date: if game.year == 0 { String::new() } else { game.year.to_string() },
            result: Some(game.score().into()),
            theoretical: Some(game.theoretical),
            ..Record::of(position)
        })
    };
    (1..).zip(&database.games).map(read).collect()
}

// --- writing ---

/// The records as a file of this format. WTHOR keeps names in files of their own: see [`lists`].
///
/// # Errors
/// If a record has no place in the format.
pub fn write(format: Format, records: &[Record]) -> Result<Vec<u8>, RecordError> {
    let text = match format {
        Format::Wthor => return write_wthor(records).map_err(RecordError),
        Format::Transcript => {
            let lines = (1..).zip(records).map(|(number, record)| {
                from_start(number, record, "a transcript")?;
                Ok(record.game.transcript() + "\n")
            });
            lines.collect::<Result<String, String>>().map_err(RecordError)?
        }
        Format::Sgf => Collection { games: records.iter().map(sgf_tree).collect() }.to_sgf(),
        Format::Ggf => ggf::write(&records.iter().map(ggf_game).collect::<Vec<_>>()),
        Format::Obf => obf::write(&records.iter().map(problem).collect::<Vec<_>>()),
        Format::Text => {
            let boards: Vec<String> = records.iter().map(|record| record.game.to_diagram()).collect();
            boards.join("\n")
        }
    };
    Ok(text.into_bytes())
}

/// WTHOR's lists of names for these records, with the endings of their files; those without names are left out.
///
/// # Errors
/// If there are more names than the format has room for.
pub fn lists(records: &[Record]) -> Result<Vec<(&'static str, Vec<u8>)>, RecordError> {
    let (players, tournaments) = names(records);
    let mut files = Vec::new();
    for (names, kind, ending) in
        [(players, NamesKind::Players, "jou"), (tournaments, NamesKind::Tournaments, "trn")]
    {
        if names.names.iter().any(|name| !name.is_empty()) {
            files.push((ending, names.write(kind).map_err(|error| RecordError(error.to_string()))?));
        }
    }
    Ok(files)
}

/// Players and tournaments.
fn names(records: &[Record]) -> (Names, Names) {
    let players = list(records.iter().flat_map(|record| [&record.black, &record.white]));
    (players, list(records.iter().map(|record| &record.event)))
}

/// Some formats know games from the start only.
fn from_start(number: usize, record: &Record, what: &str) -> Result<(), String> {
    if record.game.setup() == Position::start().setup() {
        return Ok(());
    }
    Err(format!(
        "game {number} does not begin at the start, so it cannot be {what}: choose sgf, ggf, obf or text"
    ))
}

fn sgf_tree(record: &Record) -> GameTree {
    let mut game = OthelloGame::of(&record.game);
    let known = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    game.info.black.name = known(&record.black);
    game.info.white.name = known(&record.white);
    game.info.date = known(&record.date);
    game.info.event = known(&record.event);
    game.info.result = result_of(record).map(|score| match score {
        0.0 => GameResult::Draw,
        score if score > 0.0 => GameResult::Points(ishi_go::Color::Black, score),
        score => GameResult::Points(ishi_go::Color::White, -score),
    });
    game.to_tree()
}

/// What the record says, or what the board says if the game is over.
fn result_of(record: &Record) -> Option<f64> {
    record.result.or_else(|| record.game.is_over().then(|| record.game.score().into()))
}

fn ggf_game(record: &Record) -> ggf::Game {
    let result = result_of(record).map(|score| ggf::GameResult { score, reason: None });
    ggf::Game {
        place: record.event.clone(),
        date: record.date.clone(),
        black: record.black.clone(),
        white: record.white.clone(),
        result,
        ..ggf::Game::of(&record.game)
    }
}

fn problem(record: &Record) -> obf::Problem {
    obf::Problem {
        position: record.game.clone(),
        scores: record.scores.clone(),
        comment: record.comment.clone(),
    }
}

fn write_wthor(records: &[Record]) -> Result<Vec<u8>, String> {
    let (players, tournaments) = names(records);
    let year = records.first().map_or(0, year);
    let mut games = Vec::new();
    for (number, record) in (1..).zip(records) {
        from_start(number, record, "in WTHOR")?;
        let score = result_of(record).unwrap_or_else(|| record.game.score().into());
        let result = black_discs(score);
        games.push(wthor::Game {
            year: self::year(record),
            tournament: number_of(&tournaments, &record.event)?,
            black: number_of(&players, &record.black)?,
            white: number_of(&players, &record.white)?,
            result,
            theoretical: record.theoretical.unwrap_or(result),
            moves: record.game.squares_played().collect(),
        });
    }
    let database = Database { year, games, ..Database::default() };
    database.write().map_err(|error| error.to_string())
}

/// Black's discs, 0 to 64, of a score.
fn black_discs(score: f64) -> u8 {
    ((score.clamp(-64.0, 64.0) + 64.0) / 2.0).round() as u8
}

/// Each name once, sorted.
fn list<'a>(names: impl Iterator<Item = &'a String>) -> Names {
    let names: std::collections::BTreeSet<&String> = names.collect();
    Names { names: names.into_iter().cloned().collect(), ..Names::default() }
}

fn number_of(names: &Names, name: &String) -> Result<u16, String> {
    let index = names.names.binary_search(name).unwrap_or(0);
    u16::try_from(index).map_err(|_| format!("{} names, WTHOR has room for 65535", names.names.len()))
}

/// The first four digits of the date, 0 without.
fn year(record: &Record) -> u16 {
    let digits = record.date.get(..4).unwrap_or_default();
    digits.parse().unwrap_or(0)
}
