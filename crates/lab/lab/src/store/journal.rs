//! The arena's journal in the database: a game pair is a task of kind `match-pair`.
//!
//! The task's result holds what follows from the task alone (results, reasons, moves); times, records and transcripts
//! stand in the table of games.

use ishi_arena::{
    GameRecord, MatchGame, MatchPlan, MatchSettings, PairJournal, PairRecord, PairTask, TimeUsed,
};
use ishi_engine::{Game, Go, Othello};
use ishi_go::Color;
use ishi_store::{
    FIRST_RESULTS_VERSION, GameFilter, GameRow, KeptAs, NewResult, QueueEntry, Store, StoreError, StoreTask,
    TaskCost, TaskKind,
};
use serde_json::{Value, json};

/// The kind of such tasks. Their results are of the version of their players ([`results_version_of_players`]).
pub const PAIR_KIND: TaskKind = TaskKind::new("match-pair");

/// The kind that names the runs of matches.
const RUN_KIND: TaskKind = TaskKind::new("match");

/// Players that play other games than results of the first version have, with the version of their results. Who changes
/// a built-in player's games raises it here, and pairs of other players stay what they are.
const CHANGED_PLAYERS: [(&str, u32); 3] = [("go-network", 4), ("go-rank", 4), ("othello", 4)];

/// The version of the results of games between these players, as a match names them (`othello:level=5`): the highest of
/// theirs. Programs tell their own version, which is part of the pair's description.
pub fn results_version_of_players<'a>(players: impl IntoIterator<Item = &'a str>) -> u32 {
    let version = |player: &str| {
        let engine = player.split(':').next().unwrap_or_default();
        let changed = CHANGED_PLAYERS.iter().find(|(name, _)| *name == engine);
        changed.map_or(FIRST_RESULTS_VERSION, |(_, version)| *version)
    };
    players.into_iter().map(version).max().unwrap_or(FIRST_RESULTS_VERSION)
}

/// What the table of games says of the conditions of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameConditions {
    /// Width and height, `9x9`.
    pub board: String,
    /// The rule set's name.
    pub rules: String,
    /// Points for White.
    pub komi: f64,
    /// Black's handicap stones.
    pub handicap: u32,
}

/// A game whose matches can be kept.
pub trait KeptMatches: MatchGame {
    /// The conditions in the words of the table.
    fn game_conditions(settings: &Self::Settings) -> GameConditions;
}

impl KeptMatches for Go {
    fn game_conditions(settings: &ishi_arena::GoMatchSettings) -> GameConditions {
        GameConditions {
            board: settings.size.to_string(),
            rules: settings.rules.to_string(),
            komi: settings.komi,
            handicap: settings.handicap as u32,
        }
    }
}

impl KeptMatches for Othello {
    fn game_conditions(_: &ishi_arena::OthelloMatchSettings) -> GameConditions {
        GameConditions { board: "8x8".to_string(), rules: Othello::NAME.to_string(), komi: 0.0, handicap: 0 }
    }
}

/// The task of a pair, as it is kept.
pub fn pair_task<G: MatchGame>(task: &PairTask<G>) -> StoreTask {
    StoreTask::new(kind_for_pair(PAIR_KIND, task), json!(task.facts()))
}

/// The kind with the version that the players of this pair have.
fn kind_for_pair<G: MatchGame>(kind: TaskKind, task: &PairTask<G>) -> TaskKind {
    let players = task.contestants.each_ref().map(|contestant| contestant.spec.to_string());
    kind.with_results_version(results_version_of_players(players.iter().map(String::as_str)))
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
}

/// Makes the run of a match, or finds it again. Its name follows from everything but the number of pairs, so that a longer match goes
/// on with a shorter one.
///
/// # Errors
/// If the database cannot be written.
pub fn start_match<G: KeptMatches>(plan: &MatchPlan<G>, store: &mut Store) -> Result<String, StoreError> {
    let (name, spec) = describe_match_run(plan);
    store.start_run(&name, "match", &spec)?;
    Ok(name)
}

/// Opens the run of a match as a job of the campaign: its pairs come into the queue. Gives how many are there.
///
/// # Errors
/// If there is no such run, or the database cannot be written.
pub fn open_match_job<G: KeptMatches>(
    plan: &MatchPlan<G>,
    run: &str,
    campaign: &str,
    job: &Value,
    store: &mut Store,
) -> Result<u64, StoreError> {
    let entry = |place| QueueEntry { place, task: pair_task(&plan.pair_task(place)).id(), after: None };
    let entries: Vec<QueueEntry> = (0..plan.pairs).map(entry).collect();
    store.open_job(run, campaign, job, &entries)
}

/// The name of the run of a match, and its settings.
pub fn describe_match_run<G: KeptMatches>(plan: &MatchPlan<G>) -> (String, Value) {
    let first = plan.pair_task(0);
    let mut facts = first.facts();
    facts.remove("pair");
    facts.insert("opening".to_string(), format!("{:?}", plan.openings));
    facts.insert("seed".to_string(), plan.seed.to_string());
    let spec = json!(facts);
    let id = StoreTask::new(kind_for_pair(RUN_KIND, &first), spec.clone()).id();
    (format!("match-{}", id.as_str().get(..12).unwrap_or_default()), spec)
}

/// The pairs of a match that are kept, from the first on without a gap.
///
/// # Errors
/// If the database cannot be read.
pub fn find_kept_pairs<G: KeptMatches>(
    plan: &MatchPlan<G>,
    store: &Store,
) -> Result<Vec<PairRecord<G>>, StoreError> {
    let mut pairs = Vec::new();
    for index in 0..plan.pairs {
        let pair = plan.pair_task(index);
        match find_kept_pair(store, &pair, &pair_task(&pair))? {
            Some(record) => pairs.push(record),
            None => break,
        }
    }
    Ok(pairs)
}

/// The record of a finished task, from its rows.
fn find_kept_pair<G: MatchGame>(
    store: &Store,
    pair: &PairTask<G>,
    task: &StoreTask,
) -> Result<Option<PairRecord<G>>, StoreError> {
    let Some(finished) = store.find_result(&task.id())? else { return Ok(None) };
    let rows = store.find_games(&GameFilter { task: Some(task.id()), ..GameFilter::default() })?;
    let damaged = |cause: String| StoreError::Damaged {
        path: store.path().to_path_buf(),
        task: task.id().to_string(),
        cause,
    };
    let games: Result<Vec<GameRecord<G>>, String> =
        rows.iter().enumerate().map(|(black, row)| game_from_row(row, black, &pair.settings)).collect();
    let games: [GameRecord<G>; 2] = games
        .map_err(&damaged)?
        .try_into()
        .map_err(|games: Vec<_>| damaged(format!("it has {} games, expected 2", games.len())))?;
    let TaskCost { cpu_seconds, wall_seconds } = finished.cost;
    Ok(Some(PairRecord { games, wall_seconds, cpu_seconds }))
}

impl<G: KeptMatches> PairJournal<G> for StoreJournal<'_> {
    type Error = StoreError;

    fn find_pair(&mut self, pair: &PairTask<G>) -> Result<Option<PairRecord<G>>, StoreError> {
        let task = pair_task(pair);
        let record = find_kept_pair(self.store, pair, &task)?;
        if record.is_some() {
            self.store.add_to_run(&self.run, pair.index, &task.id())?;
        }
        Ok(record)
    }

    fn keep_pair(&mut self, pair: &PairTask<G>, record: PairRecord<G>) -> Result<PairRecord<G>, StoreError> {
        let task = pair_task(pair);
        let new = pair_result(pair, &record, &self.seed);
        let run = Some((self.run.as_str(), pair.index));
        let first = if pair.is_exact() {
            self.store.keep_compared_result(&task, &new, run, "match")? == KeptAs::First
        } else {
            self.store.keep_result_in_run(&task, &new, run)?
        };
        if first { Ok(record) } else { Ok(find_kept_pair(self.store, pair, &task)?.unwrap_or(record)) }
    }
}

/// What is kept of a pair; `seed` is the seed of the whole match.
pub fn pair_result<G: KeptMatches>(pair: &PairTask<G>, record: &PairRecord<G>, seed: &str) -> NewResult {
    let row = |(number, game): (usize, &GameRecord<G>)| game_to_row(pair, number, game);
    NewResult {
        result: pair_to_json(record),
        seed: seed.to_string(),
        cost: TaskCost { cpu_seconds: record.cpu_seconds, wall_seconds: record.wall_seconds },
        games: record.games.iter().enumerate().map(row).collect(),
    }
}

/// What follows from the task alone.
fn pair_to_json<G: MatchGame>(record: &PairRecord<G>) -> Value {
    let game = |game: &GameRecord<G>| {
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

fn game_to_row<G: KeptMatches>(pair: &PairTask<G>, number: usize, game: &GameRecord<G>) -> GameRow {
    let GameConditions { board, rules, komi, handicap } = G::game_conditions(&pair.settings);
    let side = |color: Color| &pair.contestants[game.contestant(color)];
    let moves: Vec<String> = game.moves.iter().map(|(_, mv)| mv.to_string()).collect();
    let [black, white] = game.time;
    GameRow {
        black: side(Color::Black).name.clone(),
        white: side(Color::White).name.clone(),
        black_spec: side(Color::Black).spec.to_string(),
        white_spec: side(Color::White).spec.to_string(),
        board,
        rules,
        komi,
        handicap,
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

fn game_from_row<G: MatchGame>(
    row: &GameRow,
    black: usize,
    settings: &G::Settings,
) -> Result<GameRecord<G>, String> {
    let mut color = G::to_move(&settings.start_position()?);
    let mut moves: Vec<(Color, G::Move)> = Vec::new();
    for word in row.moves.split_whitespace() {
        moves.push((color, G::parse_move(settings, word)?));
        color = !color;
    }
    Ok(GameRecord {
        black,
        result: row.result.parse().map_err(|error: ishi_sgf::GameResultError| error.to_string())?,
        reason: row.reason.parse().map_err(|error: ishi_arena::EndReasonError| error.to_string())?,
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

#[cfg(test)]
mod tests {
    use ishi_engine::catalog::is_builtin;

    use super::*;

    /// A name that no player has would raise nothing.
    #[test]
    fn changed_players_are_in_the_catalogs() {
        for (name, version) in CHANGED_PLAYERS {
            assert!(is_builtin(Go::PLAYERS, name) || is_builtin(Othello::PLAYERS, name), "{name}");
            assert!(version > FIRST_RESULTS_VERSION, "{name}");
            assert_eq!(results_version_of_players([name]), version);
        }
        assert_eq!(results_version_of_players(["othello:level=5", "othello-wpc"]), 4);
        assert_eq!(results_version_of_players(["othello-wpc", "gtp:othello"]), FIRST_RESULTS_VERSION);
    }
}
