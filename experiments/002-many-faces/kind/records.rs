//! Positions of records, evenly spread over all their moves.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use flate2::read::MultiGzDecoder;
use ishi_go::{Color, Move, Point, Position, Rules};
use ishi_patterns::records::{self, RecordedGame};

/// Records in a file that is packed by gzip, read once when they are needed first.
#[derive(Clone, Debug)]
pub(super) struct GameRecords {
    path: PathBuf,
    /// The records as the configuration names them.
    pub(super) name: String,
    games: Arc<OnceLock<Result<Vec<RecordedGame>, String>>>,
}

/// A position before a move that a strong player chose.
pub(super) struct RecordCase {
    pub(super) position: Position,
    pub(super) mv: Point,
}

impl GameRecords {
    pub(super) fn new(folder: &Path, name: &str) -> GameRecords {
        GameRecords { path: folder.join(name), name: name.to_string(), games: Arc::default() }
    }

    pub(super) fn is_file_present(&self) -> bool {
        self.path.is_file()
    }

    fn read_games(&self) -> Result<&[RecordedGame], String> {
        let games = self.games.get_or_init(|| {
            let fault = |error: String| format!("{}: {error}", self.path.display());
            let file = std::fs::File::open(&self.path).map_err(|error| fault(error.to_string()))?;
            let mut text = String::new();
            MultiGzDecoder::new(file).read_to_string(&mut text).map_err(|error| fault(error.to_string()))?;
            let mut games = records::parse_records(&text).map_err(|error| fault(error.to_string()))?;
            games.retain(|game| game.size.width() == 19 && game.size.height() == 19);
            Ok(games)
        });
        games.as_deref().map_err(Clone::clone)
    }

    /// The cases of these numbers out of `wanted` that are spread evenly over all moves; passes are left out.
    pub(super) fn select_cases(
        &self,
        wanted: usize,
        numbers: std::ops::Range<usize>,
    ) -> Result<Vec<RecordCase>, String> {
        let games = self.read_games()?;
        let places = games.iter().enumerate().flat_map(|(game, record)| {
            let stones = record.moves.iter().enumerate().filter(|(_, mv)| **mv != Move::Pass);
            stones.map(move |(number, _)| (game, number))
        });
        let all: Vec<(usize, usize)> = places.collect();
        let wanted = wanted.min(all.len()).max(1);
        let numbers = numbers.start.min(wanted)..numbers.end.min(wanted);
        numbers
            .map(|n| all[n * all.len() / wanted])
            .map(|(game, number)| build_case(&games[game], number))
            .collect()
    }
}

fn build_case(record: &RecordedGame, number: usize) -> Result<RecordCase, String> {
    let stones = record.setup.iter().map(|&point| (Color::Black, point));
    let mut position = Position::from_setup(record.size, Rules::CHINESE, stones, record.first)
        .map_err(|error| error.to_string())?;
    for &mv in &record.moves[..number] {
        position.play(position.to_move(), mv).map_err(|error| error.to_string())?;
    }
    let mv = record.moves[number].point().ok_or("a pass is no case")?;
    Ok(RecordCase { position, mv })
}
