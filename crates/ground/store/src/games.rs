//! Finished games.

use std::collections::BTreeSet;

use super::database::{Database, SqlFieldError, SqlRow, sql_values};
use super::{Store, StoreError, TaskId, seal, split_damaged};

/// A finished game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRow {
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// What Black was: a built-in player's parameters or a command line.
    pub black_spec: String,
    /// What White was.
    pub white_spec: String,
    /// Width and height, `9x9`.
    pub board: String,
    /// The rule set's name; `othello` in games of Othello, which have neither komi nor handicap.
    pub rules: String,
    /// Points for White.
    pub komi: f64,
    /// Black's handicap stones, 0 or 2 and more.
    pub handicap: u32,
    /// How many of `moves` were given as the opening.
    pub opening: u32,
    /// As SGF's RE: `B+3.5`, `W+R`, `0`, `Void`.
    pub result: String,
    /// `B`, `W`, or empty if nobody won.
    pub winner: String,
    /// Why the game ended: `score`, `resign`, `time`, ...
    pub reason: String,
    /// The reason in words; empty where `reason` says all.
    pub detail: String,
    /// The moves, `D4 E5 pass` or `f5 d6 pass`; Black begins, or White after handicap stones.
    pub moves: String,
    /// Moves Black thought about.
    pub black_moves: u32,
    /// Moves White thought about.
    pub white_moves: u32,
    /// Time Black used, in seconds.
    pub black_seconds: f64,
    /// Time White used, in seconds.
    pub white_seconds: f64,
    /// The record.
    pub sgf: String,
    /// What was said to an engine that failed, and its answers; empty if nothing went wrong.
    pub transcript: String,
}

/// A game and where it belongs.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptGame {
    /// The task it was played for.
    pub task: TaskId,
    /// Its number in the task, from 0.
    pub number: u32,
    /// The game.
    pub game: GameRow,
}

/// Games: those that are whole, and those that cannot be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameList {
    /// Those that are whole, in a fixed order.
    pub games: Vec<KeptGame>,
    /// Which each of the others is, and what is wrong with it, in a few words.
    pub damaged: Vec<String>,
}

/// Which games to read; empty fields say nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Only games of this run.
    pub run: Option<String>,
    /// Only games of this task.
    pub task: Option<TaskId>,
    /// Only games on this board, `9x9`.
    pub board: Option<String>,
    /// Only games of this game, `go` or `othello`.
    pub game: Option<String>,
    /// Only games of the player of this name, with either colour.
    pub player: Option<String>,
}

/// All columns that the checksum of a game is of, in the order in which they are read.
pub(super) const SEALED_COLUMNS: &str = "black, white, black_spec, white_spec, board, rules, komi, handicap, opening, result, winner, \
    reason, detail, moves, black_moves, white_moves, black_seconds, white_seconds, sgf, transcript, task, number";

pub(super) fn insert_games(
    database: &mut dyn Database,
    task: &TaskId,
    games: &[GameRow],
) -> Result<(), StoreError> {
    let values: Vec<String> = (1..=23).map(|n| format!("${n}")).collect();
    let sql = format!("INSERT INTO games ({SEALED_COLUMNS}, checksum) VALUES ({})", values.join(", "));
    for (number, game) in games.iter().enumerate() {
        let values = sql_values![
            &game.black,
            &game.white,
            &game.black_spec,
            &game.white_spec,
            &game.board,
            &game.rules,
            game.komi,
            game.handicap,
            game.opening,
            &game.result,
            &game.winner,
            &game.reason,
            &game.detail,
            &game.moves,
            game.black_moves,
            game.white_moves,
            game.black_seconds,
            game.white_seconds,
            &game.sgf,
            &game.transcript,
            task.as_str(),
            number,
        ];
        // Over the values in the order of the columns, which is therefore part of what is kept.
        let sum = seal::checksum_of_values(values);
        database.execute(&sql, &[&values[..], sql_values![&sum]].concat())?;
    }
    Ok(())
}

impl Store {
    /// The games that the filter lets through, in a fixed order.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_games(&self, filter: &GameFilter) -> Result<Vec<GameRow>, StoreError> {
        Ok(self.find_kept_games(filter)?.into_iter().map(|kept| kept.game).collect())
    }

    /// As [`Store::find_games`], with the tasks they were played for.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_kept_games(&self, filter: &GameFilter) -> Result<Vec<KeptGame>, StoreError> {
        self.find_games_page(filter, 0, usize::MAX)
    }

    /// As [`Store::find_kept_games`], `most` of them from number `from` (counted from 0) on.
    ///
    /// # Errors
    /// If the database cannot be read, or one of them is damaged.
    pub fn find_games_page(
        &self,
        filter: &GameFilter,
        from: usize,
        most: usize,
    ) -> Result<Vec<KeptGame>, StoreError> {
        let of_run = filter.run.as_deref().map(|run| self.tasks_of_run(run)).transpose()?;
        self.query_games(filter, from, most, |row| read_kept_game(row, filter, of_run.as_ref()))
    }

    /// As [`Store::find_games_page`], to be looked at: a game that is damaged hides no other.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn list_games_page(
        &self,
        filter: &GameFilter,
        from: usize,
        most: usize,
    ) -> Result<GameList, StoreError> {
        let listed = filter.run.as_deref().map(|run| self.list_tasks_of_run(run)).transpose()?;
        let of_run = listed.as_ref().map(|listed| &listed.tasks);
        let read =
            |row: &SqlRow| Ok(read_kept_game(row, filter, of_run).map_err(|SqlFieldError(cause)| cause));
        let (games, damaged_games) = split_damaged(self.query_games(filter, from, most, read)?);
        let mut damaged = listed.map(|listed| listed.damaged).unwrap_or_default();
        damaged.extend(damaged_games);
        Ok(GameList { games, damaged })
    }

    fn query_games<T>(
        &self,
        filter: &GameFilter,
        from: usize,
        most: usize,
        read: impl FnMut(&SqlRow) -> Result<T, SqlFieldError>,
    ) -> Result<Vec<T>, StoreError> {
        let sql = format!(
            "SELECT {SEALED_COLUMNS}, checksum FROM games WHERE {WHERE} ORDER BY task, number LIMIT $6 OFFSET $7"
        );
        let [run, task, board, game_name, player] = filter.filter_values();
        self.query_rows(&sql, sql_values![run, task, board, game_name, player, most, from], read)
    }

    /// How many games the filter lets through.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn count_games(&self, filter: &GameFilter) -> Result<usize, StoreError> {
        let sql = format!("SELECT COUNT(*) FROM games WHERE {WHERE}");
        let [run, task, board, game_name, player] = filter.filter_values();
        let counted: Vec<i64> =
            self.query_rows(&sql, sql_values![run, task, board, game_name, player], |row| row.get(0))?;
        Ok(counted.first().map_or(0, |&count| usize::try_from(count).unwrap_or(0)))
    }
}

/// What a [`GameFilter`] asks for, in the order of [`GameFilter::filter_values`].
const WHERE: &str = "($1 = '' OR task IN (SELECT task FROM run_tasks WHERE run = $1)) \
    AND ($2 = '' OR task = $2) AND ($3 = '' OR board = $3) \
    AND ($4 = '' OR $4 = CASE rules WHEN 'othello' THEN 'othello' ELSE 'go' END) \
    AND ($5 = '' OR black = $5 OR white = $5)";

impl GameFilter {
    fn filter_values(&self) -> [&str; 5] {
        let [run, board, game, player] =
            [&self.run, &self.board, &self.game, &self.player].map(|value| value.as_deref().unwrap_or(""));
        let task = self.task.as_ref().map_or("", TaskId::as_str);
        [run, task, board, game, player]
    }
}

/// The game of a row of [`SEALED_COLUMNS`] and the checksum, which the filter has let through. A damaged index lets others through, too: the task must
/// be that of the filter, and one of its run.
fn read_kept_game(
    row: &SqlRow,
    filter: &GameFilter,
    of_run: Option<&BTreeSet<TaskId>>,
) -> Result<KeptGame, SqlFieldError> {
    seal::check_row(row, 22).map_err(|error| error.within(&describe_game(row)))?;
    if let Some(task) = &filter.task {
        seal::check_asked(row, 20, sql_values![task.as_str()], || format!("game of task {task}"))?;
    }
    let task = TaskId::from_database(row.get(20)?);
    if of_run.is_some_and(|tasks| !tasks.contains(&task)) {
        let run = filter.run.as_deref().unwrap_or_default();
        let cause = format!("another row stands in its place, that of {task}");
        return Err(SqlFieldError(cause).within(&format!("game of run {run}")));
    }
    Ok(KeptGame { task, number: row.get(21)?, game: read_game_row(row)? })
}

/// Which game it is, as far as that can be read.
fn describe_game(row: &SqlRow) -> String {
    let task: String = row.get(20).unwrap_or_default();
    format!("game {} of task {task}", row.get::<u32>(21).unwrap_or_default())
}

fn read_game_row(row: &SqlRow) -> Result<GameRow, SqlFieldError> {
    Ok(GameRow {
        black: row.get(0)?,
        white: row.get(1)?,
        black_spec: row.get(2)?,
        white_spec: row.get(3)?,
        board: row.get(4)?,
        rules: row.get(5)?,
        komi: row.get(6)?,
        handicap: row.get(7)?,
        opening: row.get(8)?,
        result: row.get(9)?,
        winner: row.get(10)?,
        reason: row.get(11)?,
        detail: row.get(12)?,
        moves: row.get(13)?,
        black_moves: row.get(14)?,
        white_moves: row.get(15)?,
        black_seconds: row.get(16)?,
        white_seconds: row.get(17)?,
        sgf: row.get(18)?,
        transcript: row.get(19)?,
    })
}
