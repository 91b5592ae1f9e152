//! Records and positions of Othello in files: which format it is, reading and writing it.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use ishi_othello::wthor::{self, Database, Names, NamesKind};
use ishi_othello::{Color, Move, Position, ggf, obf};
use ishi_sgf::{Collection, GameResult, OthelloGame};

use crate::context::Failure;
use crate::files;

/// The formats of records.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A game a line, such as f5d6c3
    Transcript,
    /// SGF of Othello, as Edax and others write it
    Sgf,
    /// Of the Generic Game Server and NBoard
    Ggf,
    /// The French federation's database (.wtb)
    Wthor,
    /// A position a line, with scores of moves
    Obf,
    /// A drawn board
    Text,
}

/// A game, or a position without its moves. What is not known is empty.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) black: String,
    pub(super) white: String,
    pub(super) date: String,
    pub(super) event: String,
    /// Black's discs minus White's.
    pub(super) result: Option<f64>,
    /// Black's discs with best play near the end, if the format knows it.
    pub(super) theoretical: Option<u8>,
    /// Scores of moves in the position.
    pub(super) scores: Vec<(Move, i32)>,
    pub(super) comment: String,
    pub(super) game: Position,
}

impl Record {
    fn of(game: Position) -> Record {
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
pub(super) struct Directory {
    pub(super) players: Names,
    pub(super) tournaments: Names,
}

impl Directory {
    /// Reads the lists that are given.
    pub(super) fn read(players: Option<&Path>, tournaments: Option<&Path>) -> Result<Directory, Failure> {
        let list = |path: Option<&Path>, kind| match path {
            None => Ok(Names::default()),
            Some(path) => Names::read(kind, &bytes(path)?).map_err(|error| in_file(path, error)),
        };
        Ok(Directory {
            players: list(players, NamesKind::Players)?,
            tournaments: list(tournaments, NamesKind::Tournaments)?,
        })
    }
}

/// A failure that names the file.
fn in_file(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}

/// A file's bytes, unpacked if they are packed by gzip.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = files::read(path)?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(bytes.as_slice());
    reader.read_to_end(&mut unpacked).map_err(|error| in_file(path, format!("damaged gzip: {error}")))?;
    Ok(unpacked)
}

/// Reads what the user gave: `start`, a transcript, a board, or the name of a file (`-` is standard input).
pub(super) fn given(text: &str, directory: &Directory) -> Result<Vec<Record>, Failure> {
    let path = Path::new(text);
    if text == "-" || path.is_file() {
        return load(path, directory);
    }
    if text == "start" {
        return Ok(vec![Record::of(Position::start())]);
    }
    let position = match Position::from_text(text) {
        Ok(position) => position,
        Err(_) if text.len() < 64 || text.contains(|c: char| ('1'..='8').contains(&c)) => {
            let game = Position::from_transcript(text);
            game.map_err(|error| Failure::input(format!("{text:?} is no file, and no transcript: {error}")))?
        }
        Err(error) => return Err(Failure::input(format!("{text:?} is no file, and no board: {error}"))),
    };
    Ok(vec![Record::of(position)])
}

/// Reads all records of a file.
pub(super) fn load(path: &Path, directory: &Directory) -> Result<Vec<Record>, Failure> {
    let bytes = bytes(path)?;
    let records = match recognise(path, &bytes) {
        Format::Wthor => read_wthor(&bytes, directory),
        Format::Sgf => read_sgf(&bytes),
        format => {
            let text = std::str::from_utf8(&bytes);
            let text =
                text.map_err(|error| in_file(path, format!("no record of a known format: {error}")))?;
            read_text(text.trim_start_matches('\u{feff}'), format)
        }
    };
    let records = records.map_err(|error| in_file(path, error))?;
    if records.is_empty() { Err(in_file(path, "there is no game in it")) } else { Ok(records) }
}

/// The format, by the file's ending, otherwise by what is in it.
fn recognise(path: &Path, bytes: &[u8]) -> Format {
    let name = path.to_string_lossy().to_lowercase();
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
    let reading = ishi_sgf::read(bytes).map_err(|error| error.to_string())?;
    let read = |(number, tree): (usize, &ishi_sgf::GameTree)| {
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

/// The files that hold these records in this format: the first is `output`, lists of names stand beside it.
pub(super) fn write(
    format: Format,
    records: &[Record],
    output: &Path,
) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let text = match format {
        Format::Wthor => return write_wthor(records, output),
        Format::Transcript => {
            let lines = (1..).zip(records).map(|(number, record)| {
                from_start(number, record, "a transcript")?;
                Ok(record.game.transcript() + "\n")
            });
            lines.collect::<Result<String, String>>()?
        }
        Format::Sgf => Collection { games: records.iter().map(sgf_tree).collect() }.to_sgf(),
        Format::Ggf => ggf::write(&records.iter().map(ggf_game).collect::<Vec<_>>()),
        Format::Obf => obf::write(&records.iter().map(problem).collect::<Vec<_>>()),
        Format::Text => {
            let boards: Vec<String> = records.iter().map(|record| record.game.to_diagram()).collect();
            boards.join("\n")
        }
    };
    Ok(vec![(output.to_path_buf(), text.into_bytes())])
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

fn sgf_tree(record: &Record) -> ishi_sgf::GameTree {
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

/// The games and, if there are names, the lists `.jou` and `.trn`.
fn write_wthor(records: &[Record], output: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let players = list(records.iter().flat_map(|record| [&record.black, &record.white]));
    let tournaments = list(records.iter().map(|record| &record.event));
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
    let mut files = vec![(output.to_path_buf(), database.write().map_err(|error| error.to_string())?)];
    for (names, kind, ending) in
        [(players, NamesKind::Players, "jou"), (tournaments, NamesKind::Tournaments, "trn")]
    {
        if names.names.iter().any(|name| !name.is_empty()) && output.as_os_str() != "-" {
            let bytes = names.write(kind).map_err(|error| error.to_string())?;
            files.push((output.with_extension(ending), bytes));
        }
    }
    Ok(files)
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

/// The colour's letter in pictures.
pub(super) fn letter(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}
