//! Records and positions of Othello in files.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use ishi_othello::wthor::{WthorNames, WthorNamesKind};
use ishi_othello::{Color, GivenPositionError, Position};
use ishi_sgf::othello_records as formats;
pub(super) use ishi_sgf::othello_records::{OthelloRecord, WthorDirectory};

use crate::context::Failure;
use crate::files::read_unpacked;
use crate::samples::names_sample;

/// The formats of records.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordFormat {
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

impl RecordFormat {
    fn to_library_format(self) -> formats::OthelloFormat {
        match self {
            RecordFormat::Transcript => formats::OthelloFormat::Transcript,
            RecordFormat::Sgf => formats::OthelloFormat::Sgf,
            RecordFormat::Ggf => formats::OthelloFormat::Ggf,
            RecordFormat::Wthor => formats::OthelloFormat::Wthor,
            RecordFormat::Obf => formats::OthelloFormat::Obf,
            RecordFormat::Text => formats::OthelloFormat::Text,
        }
    }
}

/// The lists of names that are given.
pub(super) fn read_directory(
    players: Option<&Path>,
    tournaments: Option<&Path>,
) -> Result<WthorDirectory, Failure> {
    let list = |path: Option<&Path>, kind| match path {
        None => Ok(WthorNames::default()),
        Some(path) => {
            WthorNames::from_bytes(kind, &read_unpacked(path)?).map_err(|error| Failure::in_file(path, error))
        }
    };
    Ok(WthorDirectory {
        players: list(players, WthorNamesKind::Players)?,
        tournaments: list(tournaments, WthorNamesKind::Tournaments)?,
    })
}

/// Reads what the user gave: `start`, a transcript, a board, or the name of a file (`-` is standard input).
pub(super) fn read_given(text: &str, directory: &WthorDirectory) -> Result<Vec<OthelloRecord>, Failure> {
    let path = Path::new(text);
    if text == "-" || path.is_file() || names_sample(path) {
        return load_records(path, directory);
    }
    let position = Position::from_given(text).map_err(|error| {
        let kind = match error {
            GivenPositionError::Board(_) => "board",
            GivenPositionError::Moves(_) => "transcript",
            _ => "position",
        };
        Failure::input(format!("{text:?} is no file, and no {kind}: {error}"))
    })?;
    Ok(vec![OthelloRecord::from_game(position)])
}

/// Reads all records of a file.
pub(super) fn load_records(path: &Path, directory: &WthorDirectory) -> Result<Vec<OthelloRecord>, Failure> {
    let bytes = read_unpacked(path)?;
    formats::read_records(&path.to_string_lossy(), &bytes, directory)
        .map_err(|error| Failure::in_file(path, error))
}

/// The files that hold these records in this format: the first is `output`, lists of names stand beside it.
pub(super) fn encode_records(
    format: RecordFormat,
    records: &[OthelloRecord],
    output: &Path,
) -> Result<Vec<(PathBuf, Vec<u8>)>, formats::OthelloRecordError> {
    let mut files =
        vec![(output.to_path_buf(), formats::write_records(format.to_library_format(), records)?)];
    if format == RecordFormat::Wthor && output.as_os_str() != "-" {
        let lists = formats::wthor_lists(records)?;
        files.extend(lists.into_iter().map(|(ending, bytes)| (output.with_extension(ending), bytes)));
    }
    Ok(files)
}

/// The colour's letter in pictures.
pub(super) fn color_letter(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}
