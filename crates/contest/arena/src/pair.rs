//! Game pairs: two games from one opening with colours swapped, the unit of work, of statistics and of storage.

use std::collections::BTreeMap;

use ishi_engine::Go;
use ishi_rng::Seed;
use ishi_work::Stop;

use crate::game::{self, GameTask};
use crate::games::{GameJudge, MatchGame, MatchSettings};
use crate::player::{Contestant, ContestantError, MatchPlayer, PlayerSpec};
use crate::record::GameRecord;
use crate::stopwatch::Stopwatch;

/// Two games to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTask<G: MatchGame = Go> {
    /// Number in the match, from 0.
    pub index: u64,
    /// Who plays; the first is Black in the first game.
    pub contestants: [Contestant; 2],
    /// The conditions.
    pub settings: G::Settings,
    /// Who says what a finished game is worth.
    pub referee: G::Referee,
    /// The first moves of both games.
    pub opening: Vec<G::Move>,
    /// The pair's seed; everything random follows from it.
    pub seed: Seed,
}

impl<G: MatchGame> PairTask<G> {
    /// Do the games follow from the task alone, whoever plays them? Not where a clock limits them, and nobody knows of programs.
    pub fn is_exact(&self) -> bool {
        let is_builtin = |contestant: &Contestant| matches!(contestant.spec, PlayerSpec::Builtin(_));
        let own_referee = G::is_own_referee(&self.referee);
        self.settings.time_control().is_none() && own_referee && self.contestants.iter().all(is_builtin)
    }

    /// Everything that the results depend on, as text. A change in any of it makes it another task.
    pub fn facts(&self) -> BTreeMap<String, String> {
        let mut facts = self.settings.facts();
        let opening: Vec<String> = self.opening.iter().map(G::Move::to_string).collect();
        let mut add = |key: &str, value: String| facts.insert(key.to_string(), value);
        add("pair", self.index.to_string());
        add("opening", opening.join(" "));
        add("referee", G::describe_referee(&self.referee, &self.settings));
        add("seed", self.seed.to_string());
        for (side, contestant) in ["a", "b"].iter().zip(&self.contestants) {
            add(side, contestant.spec.to_string());
            add(&format!("{side}_name"), contestant.name.clone());
            add(&format!("{side}_version"), contestant.version.clone());
            if !contestant.files.is_empty() {
                add(&format!("{side}_files"), contestant.files.clone());
            }
        }
        facts
    }
}

/// Two games that were played.
#[derive(Clone, Debug, PartialEq)]
pub struct PairRecord<G: MatchGame = Go> {
    /// Contestant 0 is Black in the first, White in the second.
    pub games: [GameRecord<G>; 2],
    /// Elapsed seconds for both.
    pub wall_seconds: f64,
    /// Processor seconds of ishi's thread for both; those of programs are not known.
    pub cpu_seconds: f64,
}

impl<G: MatchGame> PairRecord<G> {
    /// Half points of contestant 0 in both games, 0 to 4.
    pub fn half_points(&self) -> usize {
        self.games.iter().map(GameRecord::half_points).sum()
    }
}

/// Plays a pair with players of its own, so that nothing is carried over from one pair to another. `None` if `stop` said to
/// break off.
///
/// # Errors
/// If a player cannot be made: there is no memory for it, for example.
pub fn play_pair<G: MatchGame>(
    task: &PairTask<G>,
    stop: &(dyn Stop + Sync),
) -> Result<Option<PairRecord<G>>, ContestantError> {
    play_watched_pair(task, stop, &mut UnwatchedPair)
}

/// As [`play_pair`], with a watcher.
pub(crate) fn play_watched_pair<G: MatchGame>(
    task: &PairTask<G>,
    stop: &(dyn Stop + Sync),
    watcher: &mut dyn PairWatcher<G>,
) -> Result<Option<PairRecord<G>>, ContestantError> {
    let watch = Stopwatch::start();
    let games = PairTable::new(task)?.play_pair(task, stop, watcher);
    let record =
        |games| PairRecord { games, wall_seconds: watch.wall_seconds(), cpu_seconds: watch.cpu_seconds() };
    Ok(games.map(record))
}

/// Nobody looks.
struct UnwatchedPair;

impl<G: MatchGame> PairWatcher<G> for UnwatchedPair {
    fn on_move(&mut self, _: usize, _: &G::Position) {}
    fn on_game(&mut self, _: usize, _: &GameRecord<G>) {}
}

/// The players of a pair, and a referee.
pub(crate) struct PairTable<G: MatchGame> {
    players: [Box<dyn MatchPlayer<G>>; 2],
    judge: Box<dyn GameJudge<G>>,
}

/// What happens in the games of a pair.
pub(crate) trait PairWatcher<G: MatchGame> {
    fn on_move(&mut self, game: usize, position: &G::Position);
    fn on_game(&mut self, game: usize, record: &GameRecord<G>);
}

impl<G: MatchGame> PairTable<G> {
    /// Players of their own; programs are started with their first game.
    pub(crate) fn new(task: &PairTask<G>) -> Result<PairTable<G>, ContestantError> {
        let [a, b] = &task.contestants;
        let players = [a.create_player()?, b.create_player()?];
        Ok(PairTable { players, judge: G::create_judge(&task.referee) })
    }

    /// Plays both games; `None` if they were abandoned.
    pub(crate) fn play_pair(
        &mut self,
        task: &PairTask<G>,
        stop: &(dyn Stop + Sync),
        watcher: &mut dyn PairWatcher<G>,
    ) -> Option<[GameRecord<G>; 2]> {
        let mut records = Vec::with_capacity(2);
        for black in 0..2 {
            let [a, b] = &mut self.players;
            let (a, b): (&mut dyn MatchPlayer<G>, &mut dyn MatchPlayer<G>) = (a.as_mut(), b.as_mut());
            let players = if black == 0 { [a, b] } else { [b, a] };
            let game = GameTask {
                settings: &task.settings,
                opening: &task.opening,
                seed: task.seed.child_seed("game", black as u64),
                black,
                stop,
                on_move: &mut |position| watcher.on_move(black, position),
            };
            let record = game::play_game(game, players, self.judge.as_mut())?;
            watcher.on_game(black, &record);
            records.push(record);
        }
        records.try_into().ok()
    }
}
