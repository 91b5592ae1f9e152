//! Records and positions of Othello in files.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use ishi_othello::wthor::{Names, NamesKind};
use ishi_othello::{Color, Position};
use ishi_sgf::othello_records as formats;
pub(super) use ishi_sgf::othello_records::{Directory, Record};

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

impl Format {
    fn known(self) -> formats::Format {
        match self {
            Format::Transcript => formats::Format::Transcript,
            Format::Sgf => formats::Format::Sgf,
            Format::Ggf => formats::Format::Ggf,
            Format::Wthor => formats::Format::Wthor,
            Format::Obf => formats::Format::Obf,
            Format::Text => formats::Format::Text,
        }
    }
}

/// The lists of names that are given.
pub(super) fn directory(players: Option<&Path>, tournaments: Option<&Path>) -> Result<Directory, Failure> {
    let list = |path: Option<&Path>, kind| match path {
        None => Ok(Names::default()),
        Some(path) => Names::read(kind, &bytes(path)?).map_err(|error| in_file(path, error)),
    };
    Ok(Directory {
        players: list(players, NamesKind::Players)?,
        tournaments: list(tournaments, NamesKind::Tournaments)?,
    })
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
    formats::read(&path.to_string_lossy(), &bytes, directory).map_err(|error| in_file(path, error))
}

/// The files that hold these records in this format: the first is `output`, lists of names stand beside it.
pub(super) fn write(
    format: Format,
    records: &[Record],
    output: &Path,
) -> Result<Vec<(PathBuf, Vec<u8>)>, formats::RecordError> {
    let mut files = vec![(output.to_path_buf(), formats::write(format.known(), records)?)];
    if format == Format::Wthor && output.as_os_str() != "-" {
        let lists = formats::lists(records)?;
        files.extend(lists.into_iter().map(|(ending, bytes)| (output.with_extension(ending), bytes)));
    }
    Ok(files)
}

/// The colour's letter in pictures.
pub(super) fn letter(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}
