//! The games: stages of players who each meet one opponent, in pairs of games with colours swapped.
//!
//! A task is a pair of the arena, the same as `ishi match` plays.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use ishi_arena::{
    Contestant, GameSettings, MatchPlan, Openings, PairRecord, PlayerError, PlayerSpec, RefereeSpec,
};
use ishi_go::{BoardSize, Color, Rules};
use ishi_rng::Seed;
use serde::Deserialize;
use serde_json::{Value, json};
use toml::Spanned;

use crate::error::LabError;
use crate::experiment::{Output, Results, Task};
use crate::kinds::ground::program_spec;
use crate::kinds::pairs;
use crate::source::{Source, SourceError};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StageParams {
    name: Spanned<String>,
    what: String,
    side: Spanned<usize>,
    komi: Spanned<f64>,
    opening_moves: Spanned<usize>,
    pairs: Spanned<u64>,
    opponent: PlayerParams,
    players: Spanned<Vec<PlayerParams>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerParams {
    name: Spanned<String>,
    /// A built-in player, or the command line of a program that speaks GTP.
    player: Spanned<String>,
    /// What the paper says of it, in words.
    #[serde(default)]
    paper: String,
    /// How many pairs it plays, if not as many as the stage says.
    pairs: Option<Spanned<u64>>,
}

fn pairs_of(source: &Source, pairs: &Spanned<u64>) -> Result<u64, SourceError> {
    source.within(pairs, 1..=100_000, "pairs are 1 to 100000")
}

/// Players who each meet the same opponent.
pub(super) struct Stage {
    pub(super) name: String,
    /// What it is for.
    pub(super) what: String,
    pub(super) settings: GameSettings,
    pub(super) opening_moves: usize,
    pub(super) opponent: Side,
    /// The first is what the others are compared with.
    pub(super) players: Vec<Side>,
}

/// A player as the configuration names it; programs are started when they are needed first, to see whether they are there.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) paper: String,
    /// Pairs that are planned for it.
    pub(super) pairs: u64,
    spec: PlayerSpec,
    found: OnceLock<Result<Contestant, String>>,
}

impl Side {
    fn new(
        source: &Source,
        params: &PlayerParams,
        settings: &GameSettings,
        pairs: u64,
    ) -> Result<Side, SourceError> {
        let text = &params.player;
        let is_program = text.get_ref().contains([' ', '/']) || text.get_ref().starts_with("gtp:");
        let spec = if is_program {
            program_spec(text.get_ref()).map_err(|error| source.wrong(text, &error))?
        } else {
            text.get_ref().parse().map_err(|e: PlayerError| source.wrong(text, &e.to_string()))?
        };
        let side = Side {
            name: params.name.get_ref().clone(),
            paper: params.paper.clone(),
            pairs: match &params.pairs {
                Some(own) => pairs_of(source, own)?,
                None => pairs,
            },
            spec,
            found: OnceLock::new(),
        };
        if matches!(side.spec, PlayerSpec::Builtin(_)) {
            side.contestant(settings).as_ref().map_err(|error| source.wrong(text, error))?;
        }
        Ok(side)
    }

    fn contestant(&self, settings: &GameSettings) -> &Result<Contestant, String> {
        self.found.get_or_init(|| {
            Contestant::check(Some(&self.name), &self.spec, settings).map_err(|error| error.to_string())
        })
    }
}

impl Stage {
    fn new(source: &Source, params: &StageParams) -> Result<Stage, SourceError> {
        let side = source.within(&params.side, 2..=25, "a board has 2 to 25 lines")?;
        let size = BoardSize::square(side).map_err(|e| source.wrong(&params.side, &e.to_string()))?;
        let settings =
            GameSettings { rules: Rules::CHINESE, komi: *params.komi.get_ref(), ..GameSettings::on(size) };
        settings.start().map_err(|e| source.error(Some(params.komi.span()), e))?;
        let most = size.area() / 4;
        let what = format!("openings on this board have 0 to {most} moves");
        let opening_moves = source.within(&params.opening_moves, 0..=most, &what)?;
        let pairs = pairs_of(source, &params.pairs)?;
        let opponent = Side::new(source, &params.opponent, &settings, pairs)?;
        let mut players: Vec<Side> = Vec::new();
        for player in params.players.get_ref() {
            if players.iter().chain([&opponent]).any(|other| other.name == *player.name.get_ref()) {
                return Err(source.wrong(&player.name, "this name stands twice in the stage: change one"));
            }
            players.push(Side::new(source, player, &settings, pairs)?);
        }
        if players.is_empty() {
            return Err(source.error(Some(params.players.span()), "a stage has one player at least"));
        }
        let (name, what) = (params.name.get_ref().clone(), params.what.clone());
        Ok(Stage { name, what, settings, opening_moves, opponent, players })
    }

    /// Pairs of the player that has most.
    pub(super) fn most_pairs(&self) -> u64 {
        self.players.iter().map(|player| player.pairs).max().unwrap_or(0)
    }

    /// The contestants of a game of this player, or why there is none.
    fn contestants(&self, player: &Side) -> Result<[Contestant; 2], String> {
        let found = |side: &Side| side.contestant(&self.settings).clone();
        Ok([found(player)?, found(&self.opponent)?])
    }

    pub(super) fn task_name(&self, player: &Side, number: u64) -> String {
        format!("{}/{} - {}/{number:04}", self.name, player.name, self.opponent.name)
    }

    /// A match of a single pair. All players of a stage begin from the same openings, and their seeds differ.
    fn plan(&self, player: &Side, number: u64, seed: Seed) -> Option<MatchPlan> {
        let contestants = self.contestants(player).ok()?;
        let openings: Openings = Openings::Random(self.opening_moves);
        let opening = openings.of_pair(number, &self.settings, seed.child("openings", 0));
        Some(MatchPlan {
            contestants,
            settings: self.settings.clone(),
            referee: RefereeSpec::default(),
            openings: Openings::List(vec![opening]),
            pairs: 1,
            seed: seed.child(&format!("{} - {}", player.name, self.opponent.name), number),
            sprt: None,
        })
    }
}

/// All stages.
pub(super) struct Campaign {
    pub(super) stages: Vec<Stage>,
    seed: Seed,
    /// All pairs to be played, by name, in their order.
    plans: OnceLock<Vec<(String, MatchPlan)>>,
}

impl Campaign {
    /// Checks the parameters. No program is started yet.
    pub(super) fn new(
        source: &Source,
        params: Vec<StageParams>,
        seed: Seed,
    ) -> Result<Campaign, SourceError> {
        let mut stages: Vec<Stage> = Vec::new();
        for params in &params {
            let name = params.name.get_ref();
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
                return Err(source.wrong(&params.name, "a name has letters, digits and -"));
            }
            if stages.iter().any(|other| other.name == *name) {
                return Err(source.wrong(&params.name, "this stage is named twice: change one"));
            }
            stages.push(Stage::new(source, params)?);
        }
        Ok(Campaign { stages, seed: seed.child("games", 0), plans: OnceLock::new() })
    }

    /// Who does not play, and why; each program once for each stage.
    pub(super) fn skipped(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        for stage in &self.stages {
            for side in stage.players.iter().chain([&stage.opponent]) {
                if let Err(error) = side.contestant(&stage.settings) {
                    reasons.push(format!("games of {} in the stage {}: {error}", side.name, stage.name));
                }
            }
        }
        reasons
    }

    /// The first pairs of all players of all stages, then the second ones, and so on: what is there early is balanced.
    fn plans(&self) -> &[(String, MatchPlan)] {
        self.plans.get_or_init(|| {
            let most = self.stages.iter().map(Stage::most_pairs).max().unwrap_or(0);
            let mut plans = Vec::new();
            for number in 0..most {
                for stage in &self.stages {
                    let seed = self.seed.child(&stage.name, 0);
                    let players = stage.players.iter().filter(|player| number < player.pairs);
                    plans.extend(players.filter_map(|player| {
                        Some((stage.task_name(player, number), stage.plan(player, number, seed)?))
                    }));
                }
            }
            plans
        })
    }

    pub(super) fn tasks(&self) -> Vec<Task> {
        pairs::tasks(self.plans())
    }

    pub(super) fn run(&self, task: &Task, stop: &Arc<AtomicBool>) -> Result<Option<Output>, LabError> {
        let Some((mut output, record)) = pairs::play(self.plans(), task, stop)? else { return Ok(None) };
        output.result["seconds"] = json!(thinking(&record));
        Ok(Some(output))
    }

    /// How the player stands after a pair.
    pub(super) fn live(&self, task: &Task, result: &Value) -> Option<String> {
        let pair = Pair::deserialize(result).ok()?;
        let known = self.plans.get()?.iter().any(|(name, _)| *name == task.name);
        let results: Vec<String> = pair.games.iter().map(|game| game.result.clone()).collect();
        known.then(|| format!("{}: {}", task.name, results.join(", ")))
    }
}

/// For each game of a pair the seconds that the player thought.
fn thinking(record: &PairRecord) -> [f64; 2] {
    [0, 1].map(|n| {
        let game = &record.games[n];
        game.time[game.color_of(0).index()].seconds
    })
}

/// The part of a kept pair that counts here.
#[derive(Deserialize)]
struct Pair {
    games: [Game; 2],
    /// Missing where `ishi match` has played the pair.
    seconds: Option<[f64; 2]>,
}

/// A game: who was Black, the result as SGF has it, why it ended, and how long it was.
#[derive(Deserialize)]
struct Game {
    black: String,
    result: String,
    reason: String,
    moves: u64,
}

/// What came of the games of a player so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// Won, drawn and lost, as Black and as White.
    pub(super) by_color: [[u64; 3]; 2],
    /// Pairs that brought 0, 1/2, 1, 3/2 and 2 points.
    pub(super) pairs: [u64; 5],
    /// The player's thinking time in each game.
    pub(super) seconds: Vec<f64>,
    /// Moves of all games, by both.
    pub(super) moves: u64,
    /// Games by reason of their end.
    pub(super) reasons: BTreeMap<String, u64>,
}

impl Score {
    /// All pairs of this player that are there.
    pub(super) fn of(stage: &Stage, player: &Side, results: &Results) -> Result<Score, LabError> {
        let mut score = Score::default();
        for number in 0..player.pairs {
            if let Some(pair) = results.get::<Pair>(&stage.task_name(player, number))? {
                score.add(&pair);
            }
        }
        Ok(score)
    }

    fn add(&mut self, pair: &Pair) {
        let mut half_points = 0;
        for game in &pair.games {
            let color = if game.black == "a" { Color::Black } else { Color::White };
            let outcome = match game.result.chars().next() {
                Some(letter) if letter == color.letter() => 0,
                Some('B' | 'W') => 2,
                _ => 1,
            };
            self.by_color[color.index()][outcome] += 1;
            half_points += 2 - outcome;
            self.moves += game.moves;
            *self.reasons.entry(game.reason.clone()).or_default() += 1;
        }
        self.pairs[half_points] += 1;
        self.seconds.extend(pair.seconds.into_iter().flatten());
    }

    /// Won, drawn and lost in all games.
    pub(super) fn both(&self) -> [u64; 3] {
        let [black, white] = self.by_color;
        [0, 1, 2].map(|n| black[n] + white[n])
    }

    pub(super) fn games(&self) -> u64 {
        self.both().iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_player_whatever_its_colour() {
        let game = |black: &str, result: &str| json!({ "black": black, "result": result, "reason": "score", "moves": 100 });
        let pair = |first: Value, second: Value, seconds: Value| {
            Pair::deserialize(json!({ "points_a": 0, "games": [first, second], "seconds": seconds })).unwrap()
        };
        let mut score = Score::default();
        score.add(&pair(game("a", "B+3.5"), game("b", "B+R"), json!([10.0, 20.0])));
        score.add(&pair(game("a", "B+3.5"), game("b", "W+R"), json!([30.0, 40.0])));
        score.add(&pair(game("a", "0"), game("b", "B+2.5"), Value::Null));
        assert_eq!(score.by_color, [[2, 1, 0], [1, 0, 2]]);
        assert_eq!(score.both(), [3, 1, 2]);
        assert_eq!(score.pairs, [0, 1, 1, 0, 1]);
        assert_eq!((score.games(), score.moves, score.seconds.len()), (6, 600, 4));
        assert_eq!(score.reasons["score"], 6);
    }
}
