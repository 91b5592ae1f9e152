//! Records and positions of Othello in all formats that we know: which one it is, reading and writing it.

use std::fmt;

use ishi_othello::wthor::{self, WthorDatabase, WthorNames, WthorNamesKind};
use ishi_othello::{Move, Position, Square, ggf, obf};
use ishi_words::{CodedError, CodedMessage, ErrorFacts, facts};

use crate::{Collection, GameResult, GameTree, OthelloGame};

/// The formats of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OthelloFormat {
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
    /// A board, drawn or in a line, or a link: what [`Position::from_given`] reads.
    Text,
}

/// A text that is no record, or a game that has no place in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OthelloRecordError(CodedMessage);

impl OthelloRecordError {
    fn new(message: impl fmt::Display, facts: ErrorFacts) -> OthelloRecordError {
        OthelloRecordError(CodedMessage::new(message, facts))
    }

    /// What another reader says of the whole text.
    fn of_whole(error: impl CodedError) -> OthelloRecordError {
        OthelloRecordError(CodedMessage::from_error(error))
    }

    /// What is wrong with a game, the first being number 1.
    fn in_game(number: usize, error: impl CodedError) -> OthelloRecordError {
        let facts = facts!["othello-in-game", number, reason = error.facts()];
        OthelloRecordError::new(format!("game {number}: {error}"), facts)
    }

    /// What is wrong with a database of WTHOR.
    fn in_wthor(error: impl fmt::Display) -> OthelloRecordError {
        OthelloRecordError::new(&error, facts!["othello-wthor", cause = &error])
    }
}

impl CodedError for OthelloRecordError {
    fn facts(&self) -> ErrorFacts {
        self.0.facts()
    }
}

/// A game, or a position without its moves. What is not known is empty.
#[derive(Clone, Debug)]
pub struct OthelloRecord {
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

impl OthelloRecord {
    /// A record of which nothing is known but the moves.
    pub fn from_game(game: Position) -> OthelloRecord {
        OthelloRecord {
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
pub struct WthorDirectory {
    /// Players.
    pub players: WthorNames,
    /// Tournaments.
    pub tournaments: WthorNames,
}

/// Reads all records of a file or of a text that somebody wrote: the format is known by the ending of `name`, otherwise by what is in it.
///
/// # Errors
/// Names the game or line, and what is wrong with it.
///
/// ```
/// use ishi_sgf::othello_records::{WthorDirectory, read_records};
/// let records = read_records("", b"f5d6c3\nf5f6e6\n", &WthorDirectory::default()).unwrap();
/// assert_eq!(records[1].game.to_transcript(), "f5f6e6");
/// let error = read_records("", b"f5d6c9", &WthorDirectory::default()).unwrap_err().to_string();
/// assert!(error.starts_with("line 1: "), "{error}");
/// ```
pub fn read_records(
    name: &str,
    bytes: &[u8],
    directory: &WthorDirectory,
) -> Result<Vec<OthelloRecord>, OthelloRecordError> {
    let records = match recognise_format(name, bytes) {
        OthelloFormat::Wthor => read_wthor(bytes, directory),
        OthelloFormat::Sgf => read_sgf(bytes),
        format => match std::str::from_utf8(bytes) {
            Ok(text) => read_text(text.trim_start_matches('\u{feff}'), format),
            Err(error) => Err(OthelloRecordError::new(
                format!("no record of a known format: {error}"),
                facts!["othello-no-known-format", cause = error],
            )),
        },
    };
    match records? {
        none if none.is_empty() => {
            Err(OthelloRecordError::new("there is no game in it", facts!["othello-no-game"]))
        }
        records => Ok(records),
    }
}

/// The format, by the file's ending, otherwise by what is in it.
fn recognise_format(name: &str, bytes: &[u8]) -> OthelloFormat {
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let endings = [
        (".wtb", OthelloFormat::Wthor),
        (".obf", OthelloFormat::Obf),
        (".ggf", OthelloFormat::Ggf),
        (".sgf", OthelloFormat::Sgf),
    ];
    if let Some((_, format)) = endings.into_iter().find(|(ending, _)| name.ends_with(ending)) {
        return format;
    }
    match std::str::from_utf8(bytes) {
        Err(_) if WthorDatabase::from_bytes(bytes).is_ok() => OthelloFormat::Wthor,
        Err(_) => OthelloFormat::Sgf,
        Ok(text) => recognise_text_format(text),
    }
}

fn recognise_text_format(text: &str) -> OthelloFormat {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['%', '#']));
    let first = first.unwrap_or_default();
    if text.contains("(;") {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).take(4096).collect();
        return if plain.to_lowercase().contains("gm[othello]") {
            OthelloFormat::Ggf
        } else {
            OthelloFormat::Sgf
        };
    }
    if Position::from_text(first.split(';').next().unwrap_or_default()).is_ok() {
        return OthelloFormat::Obf;
    }
    // A transcript begins with a square. What begins with `--` is a board: Black cannot pass at the start.
    let square = first.contains(|c: char| ('1'..='8').contains(&c))
        && first
            .trim_start_matches(|c: char| c.is_ascii_digit() || ". )".contains(c))
            .get(..2)
            .is_some_and(|s| s.parse::<Square>().is_ok());
    if square { OthelloFormat::Transcript } else { OthelloFormat::Text }
}

fn read_text(text: &str, format: OthelloFormat) -> Result<Vec<OthelloRecord>, OthelloRecordError> {
    match format {
        OthelloFormat::Ggf => read_ggf(text),
        OthelloFormat::Obf => {
            let problems = obf::read_problems(text).map_err(OthelloRecordError::of_whole)?;
            let record = |problem: obf::ObfProblem| OthelloRecord {
                scores: problem.scores,
                comment: problem.comment,
                ..OthelloRecord::from_game(problem.position)
            };
            Ok(problems.into_iter().map(record).collect())
        }
        OthelloFormat::Text if is_without_position(text) => Ok(Vec::new()),
        OthelloFormat::Text => Position::from_given(text)
            .map(|position| vec![OthelloRecord::from_game(position)])
            .map_err(OthelloRecordError::of_whole),
        OthelloFormat::Transcript | OthelloFormat::Sgf | OthelloFormat::Wthor => read_transcripts(text),
    }
}

/// Nothing but signs between moves, and too short for a board: it would be read as a game without moves.
fn is_without_position(text: &str) -> bool {
    const SHORTEST_BOARD: usize = "8/8/8/8/8/8/8/8 b".len();
    text.trim().len() < SHORTEST_BOARD && !text.contains(char::is_alphabetic)
}

/// A game a line; empty lines and those that begin with `#` or `%` are skipped.
fn read_transcripts(text: &str) -> Result<Vec<OthelloRecord>, OthelloRecordError> {
    let lines = (1..).zip(text.lines());
    let lines =
        lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%']));
    let read = |(number, line): (usize, &str)| {
        Position::from_transcript(line).map(OthelloRecord::from_game).map_err(|error| {
            let facts = facts!["othello-on-line", line = number, reason = error.facts()];
            OthelloRecordError::new(format!("line {number}: {error}"), facts)
        })
    };
    lines.map(read).collect()
}

fn read_ggf(text: &str) -> Result<Vec<OthelloRecord>, OthelloRecordError> {
    let games = ggf::read_games(text).map_err(OthelloRecordError::of_whole)?;
    let read = |(number, game): (usize, ggf::GgfGame)| {
        let position = game.replay().map_err(|error| {
            let facts = facts!["othello-ggf-in-game", number, reason = error.facts()];
            OthelloRecordError::new(format!("game {number}, {error}"), facts)
        })?;
        Ok(OthelloRecord {
            result: game.result.map(|result| result.score),
            black: game.black,
            white: game.white,
            date: game.date,
            event: game.place,
            ..OthelloRecord::from_game(position)
        })
    };
    (1..).zip(games).map(read).collect()
}

fn read_sgf(bytes: &[u8]) -> Result<Vec<OthelloRecord>, OthelloRecordError> {
    let reading = crate::read_collection(bytes).map_err(OthelloRecordError::of_whole)?;
    let read = |(number, tree): (usize, &GameTree)| {
        let game =
            OthelloGame::read_main_line(tree).map_err(|error| OthelloRecordError::in_game(number, error))?;
        let position = game.replay_moves(None).map_err(|error| OthelloRecordError::in_game(number, error))?;
        let info = game.info;
        Ok(OthelloRecord {
            black: info.black.name.unwrap_or_default(),
            white: info.white.name.unwrap_or_default(),
            date: info.date.unwrap_or_default(),
            event: info.event.or(info.location).unwrap_or_default(),
            result: info.result.and_then(disc_margin),
            ..OthelloRecord::from_game(position)
        })
    };
    (1..).zip(&reading.collection.games).map(read).collect()
}

/// A result as Black's discs minus White's, if it says how many.
fn disc_margin(result: GameResult) -> Option<f64> {
    match result {
        GameResult::Points(color, points) => {
            Some(if color == ishi_go::Color::Black { points } else { -points })
        }
        GameResult::Draw => Some(0.0),
        _ => None,
    }
}

fn read_wthor(bytes: &[u8], directory: &WthorDirectory) -> Result<Vec<OthelloRecord>, OthelloRecordError> {
    let database = WthorDatabase::from_bytes(bytes).map_err(OthelloRecordError::in_wthor)?;
    let read = |(number, game): (usize, &wthor::WthorGame)| {
        let position = game.replay().map_err(|error| OthelloRecordError::in_game(number, error))?;
        let name = |names: &WthorNames, n| names.get(n).unwrap_or_default().to_string();
        Ok(OthelloRecord {
            black: name(&directory.players, game.black),
            white: name(&directory.players, game.white),
            event: name(&directory.tournaments, game.tournament),
            date: if game.year == 0 { String::new() } else { game.year.to_string() },
            result: Some(game.score().into()),
            theoretical: Some(game.theoretical),
            ..OthelloRecord::from_game(position)
        })
    };
    (1..).zip(&database.games).map(read).collect()
}

// --- writing ---

/// The records as a file of this format. WTHOR keeps names in files of their own: see [`wthor_lists`].
///
/// # Errors
/// If a record has no place in the format.
pub fn write_records(
    format: OthelloFormat,
    records: &[OthelloRecord],
) -> Result<Vec<u8>, OthelloRecordError> {
    let text = match format {
        OthelloFormat::Wthor => return write_wthor(records),
        OthelloFormat::Transcript => {
            let lines = (1..).zip(records).map(|(number, record)| {
                require_start_position(number, record, "transcript", "a transcript")?;
                Ok(record.game.to_transcript() + "\n")
            });
            lines.collect::<Result<String, OthelloRecordError>>()?
        }
        OthelloFormat::Sgf => Collection { games: records.iter().map(to_sgf_tree).collect() }.to_sgf(),
        OthelloFormat::Ggf => ggf::write_games(&records.iter().map(to_ggf_game).collect::<Vec<_>>()),
        OthelloFormat::Obf => obf::write_problems(&records.iter().map(to_obf_problem).collect::<Vec<_>>()),
        OthelloFormat::Text => {
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
pub fn wthor_lists(records: &[OthelloRecord]) -> Result<Vec<(&'static str, Vec<u8>)>, OthelloRecordError> {
    let (players, tournaments) = player_and_event_names(records);
    let mut files = Vec::new();
    for (names, kind, ending) in
        [(players, WthorNamesKind::Players, "jou"), (tournaments, WthorNamesKind::Tournaments, "trn")]
    {
        if names.names.iter().any(|name| !name.is_empty()) {
            files.push((ending, names.to_bytes(kind).map_err(OthelloRecordError::in_wthor)?));
        }
    }
    Ok(files)
}

/// Players and tournaments.
fn player_and_event_names(records: &[OthelloRecord]) -> (WthorNames, WthorNames) {
    let players = sorted_names(records.iter().flat_map(|record| [&record.black, &record.white]));
    (players, sorted_names(records.iter().map(|record| &record.event)))
}

/// Some formats know games from the start only: the format's code, and how its games are called.
fn require_start_position(
    number: usize,
    record: &OthelloRecord,
    format: &str,
    what: &str,
) -> Result<(), OthelloRecordError> {
    if record.game.setup() == Position::start().setup() {
        return Ok(());
    }
    let message = format!(
        "game {number} does not begin at the start, so it cannot be {what}: choose sgf, ggf, obf or text"
    );
    Err(OthelloRecordError::new(message, facts!["othello-not-from-start", number, format]))
}

fn to_sgf_tree(record: &OthelloRecord) -> GameTree {
    let mut game = OthelloGame::from_position(&record.game);
    let known = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    game.info.black.name = known(&record.black);
    game.info.white.name = known(&record.white);
    game.info.date = known(&record.date);
    game.info.event = known(&record.event);
    game.info.result = final_margin(record).map(|score| match score {
        0.0 => GameResult::Draw,
        score if score > 0.0 => GameResult::Points(ishi_go::Color::Black, score),
        score => GameResult::Points(ishi_go::Color::White, -score),
    });
    game.to_tree()
}

/// What the record says, or what the board says if the game is over.
fn final_margin(record: &OthelloRecord) -> Option<f64> {
    record.result.or_else(|| record.game.is_over().then(|| record.game.score().into()))
}

fn to_ggf_game(record: &OthelloRecord) -> ggf::GgfGame {
    let result = final_margin(record).map(|score| ggf::GgfResult { score, reason: None });
    ggf::GgfGame {
        place: record.event.clone(),
        date: record.date.clone(),
        black: record.black.clone(),
        white: record.white.clone(),
        result,
        ..ggf::GgfGame::from_position(&record.game)
    }
}

fn to_obf_problem(record: &OthelloRecord) -> obf::ObfProblem {
    obf::ObfProblem {
        position: record.game.clone(),
        scores: record.scores.clone(),
        comment: record.comment.clone(),
    }
}

fn write_wthor(records: &[OthelloRecord]) -> Result<Vec<u8>, OthelloRecordError> {
    let (players, tournaments) = player_and_event_names(records);
    let year = records.first().map_or(0, record_year);
    let mut games = Vec::new();
    for (number, record) in (1..).zip(records) {
        require_start_position(number, record, "wthor", "in WTHOR")?;
        let score = final_margin(record).unwrap_or_else(|| record.game.score().into());
        let result = black_discs(score);
        games.push(wthor::WthorGame {
            year: self::record_year(record),
            tournament: name_number(&tournaments, &record.event)?,
            black: name_number(&players, &record.black)?,
            white: name_number(&players, &record.white)?,
            result,
            theoretical: record.theoretical.unwrap_or(result),
            moves: record.game.squares_played().collect(),
        });
    }
    let database = WthorDatabase { year, games, ..WthorDatabase::default() };
    database.to_bytes().map_err(OthelloRecordError::in_wthor)
}

/// Black's discs, 0 to 64, of a score.
fn black_discs(score: f64) -> u8 {
    ((score.clamp(-64.0, 64.0) + 64.0) / 2.0).round() as u8
}

/// Each name once, sorted.
fn sorted_names<'a>(names: impl Iterator<Item = &'a String>) -> WthorNames {
    let names: std::collections::BTreeSet<&String> = names.collect();
    WthorNames { names: names.into_iter().cloned().collect(), ..WthorNames::default() }
}

fn name_number(names: &WthorNames, name: &String) -> Result<u16, OthelloRecordError> {
    let index = names.names.binary_search(name).unwrap_or(0);
    let full = |_| format!("{} names, WTHOR has room for 65535", names.names.len());
    u16::try_from(index).map_err(full).map_err(OthelloRecordError::in_wthor)
}

/// The first four digits of the date, 0 without.
fn record_year(record: &OthelloRecord) -> u16 {
    let digits = record.date.get(..4).unwrap_or_default();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<OthelloRecord>, OthelloRecordError> {
        read_records("", text.as_bytes(), &WthorDirectory::default())
    }

    /// As Edax and Egaroucid write boards, and as links have them: also where a board begins with `-`.
    #[test]
    fn boards_of_other_programs_are_records() {
        let game = Position::from_transcript("f5d6c3").unwrap();
        let line = game.to_line();
        let digits = line[..64].replace('X', "0").replace('O', "1");
        for text in [
            line.clone(),
            format!("{line};"),
            format!("setboard {line}"),
            format!("{digits} 1\n"),
            format!("{}1", digits.replace('-', ".")),
            game.to_diagram(),
            "https://example.org/#f5d6c3".to_string(),
            "www.example.org/board?kifu=f5d6c3".to_string(),
        ] {
            let records = read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let found = &records[0].game;
            assert_eq!((found.board(), found.to_move()), (game.board(), game.to_move()), "{text}");
            assert_eq!(records.len(), 1, "{text}");
        }
        let fen = read("8/8/8/3pP3/3Pp3/8/8/8 b").unwrap();
        assert_eq!(fen[0].game.board(), Position::start().board());
    }

    #[test]
    fn what_is_no_record_is_told_by_what_it_looks_like() {
        let message = |text| read(text).unwrap_err().to_string();
        for nothing in ["", "-", "--", "1. 2.", "\n\n"] {
            assert_eq!(message(nothing), "there is no game in it", "{nothing:?}");
        }
        assert!(message("garbage").contains("begins with no move"));
        assert!(message("https://example.org/game/17").starts_with("no position in the link"));
        assert!(message(&Position::start().to_line()[..60]).contains("60 squares, a board must have 64"));
    }
}
