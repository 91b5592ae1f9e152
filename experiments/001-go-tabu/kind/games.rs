//! The games: stages of players who each meet one opponent, in pairs of games with colours swapped.
//!
//! A task is a pair of the arena, the same as `ishi match` plays.

use std::collections::BTreeMap;

use ishi_arena::{GoMatchSettings, PairRecord};
use ishi_go::Color;
use ishi_lab::LabError;
use ishi_lab::experiment::{ExperimentTask, TaskEnd, TaskResults};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_rng::Seed;
use ishi_words::coded;
use ishi_work::StopFlag;
use serde::Deserialize;
use serde_json::json;
use toml::Spanned;

use crate::pairs::{self, PairCampaign, PairStage, StagePlayer};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TabuStageParams {
    name: Spanned<String>,
    what: String,
    side: Spanned<usize>,
    komi: Spanned<f64>,
    opening_moves: Spanned<usize>,
    pairs: Spanned<u64>,
    /// Pairs of each player that are played before it is the next stage's turn.
    pairs_a_round: Option<Spanned<u64>>,
    opponent: TabuPlayerParams,
    players: Spanned<Vec<TabuPlayerParams>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TabuPlayerParams {
    name: Spanned<String>,
    /// A built-in player, or the command line of a program that speaks GTP.
    player: Spanned<String>,
    /// The paper's player that stands beside it.
    paper: Option<Spanned<PaperPlayer>>,
    /// How many pairs it plays, if not as many as the stage says.
    pairs: Option<Spanned<u64>>,
}

/// A bar of the paper's figure 6.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PaperSecondsParams {
    name: String,
    /// Mean thinking time of a game more than that of GNU Go, in seconds.
    seconds: f64,
    /// The stage and the player of ours that stand beside it.
    ours: Option<Spanned<[String; 2]>>,
}

/// The same, checked.
pub(super) struct PaperSeconds {
    pub(super) name: String,
    pub(super) seconds: f64,
    pub(super) ours: Option<(String, String)>,
}

/// A row of the paper's table 2.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PaperPlayer {
    /// The player as the paper calls it.
    pub(super) name: String,
    /// Games won as Black and as White.
    pub(super) won: [u64; 2],
    /// Games as each colour.
    pub(super) games: u64,
    /// Is it a program against itself? Then only the games that Black won tell something.
    #[serde(default)]
    pub(super) itself: bool,
}

impl PaperPlayer {
    fn check_row(source: &TomlSource, params: &Spanned<PaperPlayer>) -> Result<PaperPlayer, SourceError> {
        let row = params.get_ref();
        let is_possible = row.games > 0 && row.won.iter().all(|&won| won <= row.games);
        let right = coded!["lab-source-won", "no more games can be won than were played, 1 at least"];
        source.require_at(is_possible, params.span(), right).map(|()| row.clone())
    }

    /// Won out of games, as Black, as White and as both; of a program against itself those won by Black.
    pub(super) fn win_counts(&self) -> [(u64, u64); 3] {
        let [black, white] = self.won;
        let both = if self.itself { (black, self.games) } else { (black + white, 2 * self.games) };
        [(black, self.games), (white, self.games), both]
    }
}

impl PaperSecondsParams {
    fn into_checked(self, source: &TomlSource, stages: &[TabuStage]) -> Result<PaperSeconds, SourceError> {
        let PaperSecondsParams { name, seconds, ours } = self;
        let Some(ours) = ours else { return Ok(PaperSeconds { name, seconds, ours: None }) };
        let span = ours.span();
        let [stage, player] = ours.into_inner();
        let has =
            |other: &TabuStage| other.name == stage && other.players.iter().any(|own| own.name == player);
        let right = coded!["lab-source-stage", "write the names of a stage and of one of its players"];
        source.require_at(stages.iter().any(has), span, right)?;
        Ok(PaperSeconds { name, seconds, ours: Some((stage, player)) })
    }
}

/// A player, and the paper's beside it.
pub(super) type TabuStagePlayer = StagePlayer<Option<PaperPlayer>>;

/// Players who each meet the same opponent. The first is what the others are compared with.
pub(super) type TabuStage = PairStage<Option<PaperPlayer>>;

impl TabuPlayerParams {
    fn read_player(
        &self,
        source: &TomlSource,
        settings: &GoMatchSettings,
        pairs: u64,
    ) -> Result<TabuStagePlayer, SourceError> {
        let paper = self.paper.as_ref().map(|row| PaperPlayer::check_row(source, row)).transpose()?;
        let pairs = self.pairs.as_ref().map_or(Ok(pairs), |own| pairs::check_pairs(source, own))?;
        StagePlayer::read(source, (&self.name, &self.player), settings, pairs, paper)
    }
}

impl TabuStageParams {
    fn read_stage(&self, source: &TomlSource) -> Result<TabuStage, SourceError> {
        let settings = pairs::read_settings(source, (&self.side, 2..=25), &self.komi, 0)?;
        let opening_moves = pairs::read_opening_moves(source, &self.opening_moves, &settings)?;
        let pairs = pairs::check_pairs(source, &self.pairs)?;
        let round = self.pairs_a_round.as_ref();
        let pairs_a_round = round.map_or(Ok(1), |own| pairs::check_pairs(source, own))?;
        let opponent = self.opponent.read_player(source, &settings, pairs)?;
        let mut players: Vec<TabuStagePlayer> = Vec::new();
        for player in self.players.get_ref() {
            let is_new = players.iter().chain([&opponent]).all(|other| other.name != *player.name.get_ref());
            let right = coded!["lab-source-name-twice", "this name stands twice: change one"];
            source.require(is_new, &player.name, right)?;
            players.push(player.read_player(source, &settings, pairs)?);
        }
        let right = coded!["lab-source-no-player", "there must be one player or more"];
        source.require_at(!players.is_empty(), self.players.span(), right)?;
        let (name, what) = (self.name.get_ref().clone(), self.what.clone());
        Ok(PairStage { name, what, settings, opening_moves, pairs_a_round, opponent, players })
    }
}

/// All stages.
pub(super) struct TabuCampaign {
    pub(super) games: PairCampaign<Option<PaperPlayer>>,
    /// The paper's figure 6.
    pub(super) paper_seconds: Vec<PaperSeconds>,
}

impl TabuCampaign {
    /// Checks the parameters. No program is started yet.
    pub(super) fn new(
        source: &TomlSource,
        params: Vec<TabuStageParams>,
        paper_seconds: Vec<PaperSecondsParams>,
        seed: Seed,
    ) -> Result<TabuCampaign, SourceError> {
        let mut stages: Vec<TabuStage> = Vec::new();
        for params in &params {
            let name = params.name.get_ref();
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
            let right = coded!["lab-source-name", "a name has letters, digits and -"];
            source.require(is_name, &params.name, right)?;
            let right = coded!["lab-source-stage-twice", "this stage is named twice: change one"];
            source.require(stages.iter().all(|other| other.name != *name), &params.name, right)?;
            stages.push(params.read_stage(source)?);
        }
        let paper_seconds = paper_seconds.into_iter().map(|bar| bar.into_checked(source, &stages));
        let paper_seconds = paper_seconds.collect::<Result<_, _>>()?;
        Ok(TabuCampaign { games: PairCampaign::new(stages, seed), paper_seconds })
    }

    pub(super) fn run_pair(&self, task: &ExperimentTask, stop: &StopFlag) -> TaskEnd {
        let Some((mut output, record)) = self.games.play_pair(task, stop)? else { return Ok(None) };
        output.result["seconds"] = json!(thinking_seconds(&record, 0));
        output.result["opponent_seconds"] = json!(thinking_seconds(&record, 1));
        Ok(Some(output))
    }
}

/// For each game of a pair the seconds that the player (0) or its opponent (1) thought.
fn thinking_seconds(record: &PairRecord, contestant: usize) -> [f64; 2] {
    [0, 1].map(|n| {
        let game = &record.games[n];
        game.time[game.color_of(contestant).index()].seconds
    })
}

/// The part of a kept pair that counts here.
#[derive(Deserialize)]
struct TabuPair {
    games: [TabuGame; 2],
    /// Missing where `ishi match` has played the pair.
    seconds: Option<[f64; 2]>,
    /// Missing where an older ishi has played it, too.
    opponent_seconds: Option<[f64; 2]>,
}

/// A game: who was Black, the result as SGF has it, why it ended, and how long it was.
#[derive(Deserialize)]
struct TabuGame {
    black: String,
    result: String,
    reason: String,
    moves: u64,
}

/// What came of the games of a player so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TabuScore {
    /// Won, drawn and lost, as Black and as White.
    pub(super) by_color: [[u64; 3]; 2],
    /// Pairs that brought 0, 1/2, 1, 3/2 and 2 points.
    pub(super) pairs: [u64; 5],
    /// The player's thinking time in each game.
    pub(super) seconds: Vec<f64>,
    /// How much longer than its opponent the player thought, in each game where both are known.
    pub(super) longer: Vec<f64>,
    /// Moves of all games, by both.
    pub(super) moves: u64,
    /// Games by reason of their end.
    pub(super) reasons: BTreeMap<String, u64>,
}

impl TabuScore {
    /// All pairs of this player that are there.
    pub(super) fn from_results(
        stage: &TabuStage,
        player: &TabuStagePlayer,
        results: &TaskResults,
    ) -> Result<TabuScore, LabError> {
        let mut score = TabuScore::default();
        for number in 0..player.pairs {
            if let Some(pair) = results.get::<TabuPair>(&stage.task_name(player, number))? {
                score.add_pair(&pair);
            }
        }
        Ok(score)
    }

    fn add_pair(&mut self, pair: &TabuPair) {
        let mut half_points = 0;
        for game in &pair.games {
            let color = if game.black == "a" { Color::Black } else { Color::White };
            let outcome = pairs::outcome_for(color, &game.result);
            self.by_color[color.index()][outcome] += 1;
            half_points += 2 - outcome;
            self.moves += game.moves;
            *self.reasons.entry(game.reason.clone()).or_default() += 1;
        }
        self.pairs[half_points] += 1;
        self.seconds.extend(pair.seconds.into_iter().flatten());
        for (own, others) in pair.seconds.iter().zip(&pair.opponent_seconds) {
            self.longer.extend(own.iter().zip(others).map(|(own, other)| own - other));
        }
    }

    /// Won, drawn and lost in all games.
    pub(super) fn both_colors(&self) -> [u64; 3] {
        let [black, white] = self.by_color;
        [0, 1, 2].map(|n| black[n] + white[n])
    }

    pub(super) fn total_games(&self) -> u64 {
        self.both_colors().iter().sum()
    }

    /// Games that Black, whoever that was, has won, drawn and lost.
    pub(super) fn black_results(&self) -> [u64; 3] {
        let [black, white] = self.by_color;
        [black[0] + white[2], black[1] + white[1], black[2] + white[0]]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn scores_are_those_of_the_player_whatever_its_colour() {
        let game = |black: &str, result: &str| json!({ "black": black, "result": result, "reason": "score", "moves": 100 });
        let pair = |first: Value, second: Value, seconds: Value| {
            TabuPair::deserialize(json!({ "points_a": 0, "games": [first, second], "seconds": seconds }))
                .unwrap()
        };
        let mut score = TabuScore::default();
        score.add_pair(&pair(game("a", "B+3.5"), game("b", "B+R"), json!([10.0, 20.0])));
        score.add_pair(&pair(game("a", "B+3.5"), game("b", "W+R"), json!([30.0, 40.0])));
        score.add_pair(&pair(game("a", "0"), game("b", "B+2.5"), Value::Null));
        assert_eq!(score.by_color, [[2, 1, 0], [1, 0, 2]]);
        assert_eq!(score.both_colors(), [3, 1, 2]);
        assert_eq!(score.pairs, [0, 1, 1, 0, 1]);
        assert_eq!((score.total_games(), score.moves, score.seconds.len()), (6, 600, 4));
        assert_eq!(score.reasons["score"], 6);
        assert_eq!(score.black_results(), [4, 1, 1]);
        assert!(score.longer.is_empty(), "the opponent's time is not known");
        let pair = json!({ "games": [], "seconds": [10.0, 20.0], "opponent_seconds": [4.0, 21.0] });
        assert!(TabuPair::deserialize(pair).is_err(), "a pair has two games");
        let seconds = json!({
            "games": [{ "black": "a", "result": "B+R", "reason": "resign", "moves": 1 }, { "black": "b", "result": "B+R", "reason": "resign", "moves": 1 }],
            "seconds": [10.0, 20.0], "opponent_seconds": [4.0, 21.0],
        });
        score.add_pair(&TabuPair::deserialize(seconds).unwrap());
        assert_eq!(score.longer, [6.0, -1.0]);
    }
}
