//! The arena's journal in the database: a game pair is a task of kind `match-pair`.
//!
//! The task's result holds what follows from the task alone (results, reasons, moves); times, records and transcripts
//! stand in the table of games.

use ishi_arena::{GameRecord, Journal, PairRecord, PairTask, TimeUsed};
use ishi_go::{BoardSize, Color, Move};
use serde_json::{Value, json};

use super::{Cost, GameFilter, GameRow, NewResult, Store, StoreError, Task};

/// The kind of such tasks.
pub const PAIR_KIND: &str = "match-pair";

/// The task of a pair, as it is kept.
pub fn pair_task(task: &PairTask) -> Task {
    Task::new(PAIR_KIND, json!(task.facts()))
}

/// Keeps a match in a store, as a run.
#[derive(Debug)]
pub struct StoreJournal<'a> {
    store: &'a mut Store,
    run: String,
    seed: String,
}

impl<'a> StoreJournal<'a> {
    /// Pairs become tasks of this run, which exists ([`Store::start_run`]); `seed` is the seed of the whole match.
    pub fn new(store: &'a mut Store, run: &str, seed: impl ToString) -> StoreJournal<'a> {
        StoreJournal { store, run: run.to_string(), seed: seed.to_string() }
    }

    /// The record of a finished task, from its rows.
    fn read(&self, pair: &PairTask, task: &Task) -> Result<Option<PairRecord>, StoreError> {
        let Some(finished) = self.store.result(&task.id())? else { return Ok(None) };
        let rows = self.store.games(&GameFilter { task: Some(task.id()), ..GameFilter::default() })?;
        let damaged = |cause: String| StoreError::Damaged {
            path: self.store.path().to_path_buf(),
            task: task.id().to_string(),
            cause,
        };
        let games: Result<Vec<GameRecord>, String> =
            rows.iter().enumerate().map(|(black, row)| game_record(row, black, pair.settings.size)).collect();
        let games: [GameRecord; 2] = games
            .map_err(&damaged)?
            .try_into()
            .map_err(|games: Vec<_>| damaged(format!("it has {} games, expected 2", games.len())))?;
        let Cost { cpu_seconds, wall_seconds } = finished.cost;
        Ok(Some(PairRecord { games, wall_seconds, cpu_seconds }))
    }
}

impl Journal for StoreJournal<'_> {
    type Error = StoreError;

    fn find(&mut self, pair: &PairTask) -> Result<Option<PairRecord>, StoreError> {
        let task = pair_task(pair);
        let record = self.read(pair, &task)?;
        if record.is_some() {
            self.store.add_to_run(&self.run, pair.index, &task.id())?;
        }
        Ok(record)
    }

    fn keep(&mut self, pair: &PairTask, record: PairRecord) -> Result<PairRecord, StoreError> {
        let task = pair_task(pair);
        let new = pair_result(pair, &record, &self.seed);
        let first = self.store.finish_in_run(&task, &new, Some((&self.run, pair.index)))?;
        if first { Ok(record) } else { Ok(self.read(pair, &task)?.unwrap_or(record)) }
    }
}

/// What is kept of a pair; `seed` is the seed of the whole match.
pub fn pair_result(pair: &PairTask, record: &PairRecord, seed: &str) -> NewResult {
    let row = |(number, game): (usize, &GameRecord)| game_row(pair, number, game);
    NewResult {
        result: result(record),
        seed: seed.to_string(),
        cost: Cost { cpu_seconds: record.cpu_seconds, wall_seconds: record.wall_seconds },
        games: record.games.iter().enumerate().map(row).collect(),
    }
}

/// What follows from the task alone.
fn result(record: &PairRecord) -> Value {
    let game = |game: &GameRecord| {
        json!({
            "black": if game.black == 0 { "a" } else { "b" },
            "result": game.result.to_string(),
            "reason": game.reason.to_string(),
            "moves": game.moves.len(),
        })
    };
    json!({
        "points_a": record.half_points() as f64 / 2.0,
        "games": record.games.iter().map(game).collect::<Vec<_>>(),
    })
}

fn game_row(pair: &PairTask, number: usize, game: &GameRecord) -> GameRow {
    let side = |color: Color| &pair.contestants[game.contestant(color)];
    let moves: Vec<String> = game.moves.iter().map(|(_, mv)| mv.to_string()).collect();
    let [black, white] = game.time;
    GameRow {
        black: side(Color::Black).name.clone(),
        white: side(Color::White).name.clone(),
        black_spec: side(Color::Black).spec.to_string(),
        white_spec: side(Color::White).spec.to_string(),
        board: pair.settings.size.to_string(),
        rules: pair.settings.rules.to_string(),
        komi: pair.settings.komi,
        handicap: pair.settings.handicap as u32,
        opening: game.opening as u32,
        result: game.result.to_string(),
        winner: game.result.winner().map(|color| color.letter().to_string()).unwrap_or_default(),
        reason: game.reason.to_string(),
        detail: game.detail.clone(),
        moves: moves.join(" "),
        black_moves: black.moves,
        white_moves: white.moves,
        black_seconds: black.seconds,
        white_seconds: white.seconds,
        sgf: game.to_sgf(pair, number),
        transcript: game.transcript.join("\n"),
    }
}

fn game_record(row: &GameRow, black: usize, size: BoardSize) -> Result<GameRecord, String> {
    let mut color = if row.handicap > 0 { Color::White } else { Color::Black };
    let mut moves: Vec<(Color, Move)> = Vec::new();
    for word in row.moves.split_whitespace() {
        moves.push((color, size.parse_move(word).map_err(|error| error.to_string())?));
        color = !color;
    }
    Ok(GameRecord {
        black,
        result: row.result.parse().map_err(|error: ishi_sgf::ResultError| error.to_string())?,
        reason: row.reason.parse().map_err(|error: ishi_arena::ReasonError| error.to_string())?,
        detail: row.detail.clone(),
        opening: row.opening as usize,
        moves,
        time: [
            TimeUsed { moves: row.black_moves, seconds: row.black_seconds },
            TimeUsed { moves: row.white_moves, seconds: row.white_seconds },
        ],
        transcript: row.transcript.lines().map(str::to_string).collect(),
    })
}
