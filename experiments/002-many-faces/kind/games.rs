//! The games: stages of players who each meet one opponent, in pairs of games with colours swapped from the same openings.

use std::sync::OnceLock;

use ishi_arena::process::EngineCommand;
use ishi_arena::{GoMatchSettings, MatchPlan, Openings};
use ishi_go::Color;
use ishi_lab::LabError;
use ishi_lab::experiment::{ExperimentTask, TaskEnd, TaskResults};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_rng::Seed;
use ishi_words::coded;
use ishi_work::StopFlag;
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

use crate::pairs::{self, PairOutcome, StagePlayer};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnowledgeStageParams {
    name: Spanned<String>,
    what: String,
    side: Spanned<usize>,
    komi: Spanned<f64>,
    /// Stones that Black has at the beginning. Only games in which the player is Black count then.
    #[serde(default)]
    handicap: Option<Spanned<usize>>,
    opening_moves: Spanned<usize>,
    pairs: Spanned<u64>,
    opponent: KnowledgePlayerParams,
    players: Vec<KnowledgePlayerParams>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnowledgePlayerParams {
    name: Spanned<String>,
    /// A built-in player, or the command line of a program that speaks GTP.
    player: Spanned<String>,
}

/// Players who each meet the same opponent.
pub(super) struct KnowledgeStage {
    pub(super) name: String,
    /// What it is for.
    pub(super) what: String,
    pub(super) settings: GoMatchSettings,
    pub(super) opening_moves: usize,
    pub(super) pairs: u64,
    pub(super) opponent: StagePlayer,
    pub(super) players: Vec<StagePlayer>,
}

impl KnowledgeStage {
    fn new(source: &TomlSource, params: &KnowledgeStageParams) -> Result<KnowledgeStage, SourceError> {
        let handicap = match &params.handicap {
            Some(stones) => source.check_range(stones, 2..=9, "handicaps must be 2 to 9 stones")?,
            None => 0,
        };
        let settings = pairs::read_settings(source, (&params.side, 5..=19), &params.komi, handicap)?;
        let player = |params: &KnowledgePlayerParams| {
            StagePlayer::read(source, params.name.get_ref().clone(), &params.player, &settings)
        };
        let stage = KnowledgeStage {
            name: params.name.get_ref().clone(),
            what: params.what.clone(),
            opening_moves: pairs::read_opening_moves(source, &params.opening_moves, &settings)?,
            pairs: source.check_range(&params.pairs, 1..=100_000, "pairs must be 1 to 100000")?,
            opponent: player(&params.opponent)?,
            players: params.players.iter().map(player).collect::<Result<_, _>>()?,
            settings,
        };
        let right = coded!["lab-source-no-player", "there must be one player or more"];
        source.require_at(!stage.players.is_empty(), params.pairs.span(), right)?;
        Ok(stage)
    }

    fn task_name(&self, player: &StagePlayer, number: u64) -> String {
        format!("{}/{} - {}/{number:04}", self.name, player.name, self.opponent.name)
    }

    /// A match of a single pair. All players of a stage begin from the same openings, and their seeds differ.
    fn plan_pair(&self, player: &StagePlayer, number: u64, seed: Seed) -> Option<MatchPlan> {
        let [one, other] = [player, &self.opponent].map(|side| side.contestant(&self.settings).clone().ok());
        let openings: Openings = Openings::Random(self.opening_moves);
        let opening = openings.opening_for_pair(number, &self.settings, seed.child_seed("openings", 0));
        let seed = seed.child_seed(&format!("{} - {}", player.name, self.opponent.name), number);
        let openings = Openings::List(vec![opening]);
        Some(pairs::plan_one_pair([one?, other?], &self.settings, openings, seed))
    }
}

/// All stages.
pub(super) struct KnowledgeCampaign {
    pub(super) stages: Vec<KnowledgeStage>,
    seed: Seed,
    /// All pairs to be played, by name, in their order.
    plans: OnceLock<Vec<(String, MatchPlan)>>,
}

impl KnowledgeCampaign {
    /// Checks the parameters. No program is started yet.
    pub(super) fn new(
        source: &TomlSource,
        params: &[KnowledgeStageParams],
        seed: Seed,
    ) -> Result<KnowledgeCampaign, SourceError> {
        let mut stages: Vec<KnowledgeStage> = Vec::new();
        for params in params {
            let is_new = stages.iter().all(|other| other.name != *params.name.get_ref());
            let right = coded!["lab-source-stage-twice", "this stage is named twice: change one"];
            source.require(is_new, &params.name, right)?;
            stages.push(KnowledgeStage::new(source, params)?);
        }
        Ok(KnowledgeCampaign { stages, seed: seed.child_seed("games", 0), plans: OnceLock::new() })
    }

    /// Players that do not play, and why.
    pub(super) fn list_skipped(&self) -> Vec<String> {
        let absent = |stage: &KnowledgeStage| -> Vec<String> {
            let sides = stage.players.iter().chain([&stage.opponent]);
            sides.filter_map(|side| side.describe_absence(&stage.name, &stage.settings)).collect()
        };
        self.stages.iter().flat_map(absent).collect()
    }

    /// The programs that play.
    pub(super) fn programs(&self) -> Vec<EngineCommand> {
        let sides = self.stages.iter().flat_map(|stage| stage.players.iter().chain([&stage.opponent]));
        sides.filter_map(StagePlayer::program).collect()
    }

    /// The first pairs of all players of all stages, then the second ones, and so on: what is there early is balanced.
    fn pair_plans(&self) -> &[(String, MatchPlan)] {
        self.plans.get_or_init(|| {
            let most = self.stages.iter().map(|stage| stage.pairs).max().unwrap_or(0);
            let mut plans = Vec::new();
            for number in 0..most {
                for stage in self.stages.iter().filter(|stage| number < stage.pairs) {
                    let seed = self.seed.child_seed(&stage.name, 0);
                    plans.extend(stage.players.iter().filter_map(|player| {
                        Some((stage.task_name(player, number), stage.plan_pair(player, number, seed)?))
                    }));
                }
            }
            plans
        })
    }

    /// How many pairs there are, without looking for their openings.
    pub(super) fn pair_count(&self) -> usize {
        let pairs = |stage: &KnowledgeStage| -> u64 {
            let can_play = |side: &StagePlayer| side.contestant(&stage.settings).is_ok();
            let playing = stage.players.iter().filter(|player| can_play(player) && can_play(&stage.opponent));
            playing.count() as u64 * stage.pairs
        };
        self.stages.iter().map(pairs).sum::<u64>() as usize
    }

    pub(super) fn tasks(&self) -> Vec<ExperimentTask> {
        pairs::pair_tasks(self.pair_plans())
    }

    pub(super) fn run_pair(&self, task: &ExperimentTask, stop: &StopFlag) -> TaskEnd {
        Ok(pairs::play_pair(self.pair_plans(), task, stop)?.map(|(output, _)| output))
    }

    /// How a pair ended.
    pub(super) fn describe_pair(&self, task: &ExperimentTask, result: &Value) -> Option<String> {
        pairs::describe_pair(task, result)
    }
}

/// What came of the games of a player so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct KnowledgeScore {
    /// Won, drawn and lost.
    pub(super) games: [u64; 3],
    /// Points by which the player won, of games that were counted.
    pub(super) margins: Vec<f64>,
}

impl KnowledgeScore {
    /// All pairs of this player that are there.
    pub(super) fn from_results(
        stage: &KnowledgeStage,
        player: &StagePlayer,
        results: &TaskResults,
    ) -> Result<KnowledgeScore, LabError> {
        let mut score = KnowledgeScore::default();
        for number in 0..stage.pairs {
            if let Some(pair) = results.get::<PairOutcome>(&stage.task_name(player, number))? {
                score.add_pair(&pair, stage.settings.handicap > 0);
            }
        }
        Ok(score)
    }

    fn add_pair(&mut self, pair: &PairOutcome, only_as_black: bool) {
        for game in &pair.games {
            let color = if game.black == "a" { Color::Black } else { Color::White };
            if only_as_black && color == Color::White {
                continue;
            }
            let outcome = pairs::outcome_for(color, &game.result);
            self.games[outcome] += 1;
            let points = game.result.split_once('+').and_then(|(_, points)| points.parse::<f64>().ok());
            self.margins.extend(points.map(|points| if outcome == 0 { points } else { -points }));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn margins_are_those_of_the_player_whatever_its_colour() {
        let pair = |first: &str, second: &str| {
            let game = |black: &str, result: &str| json!({ "black": black, "result": result });
            PairOutcome::deserialize(json!({ "games": [game("a", first), game("b", second)] })).unwrap()
        };
        let mut score = KnowledgeScore::default();
        score.add_pair(&pair("B+3.5", "B+10.5"), false);
        score.add_pair(&pair("W+R", "W+1.5"), false);
        assert_eq!(score.games, [2, 0, 2]);
        assert_eq!(score.margins, [3.5, -10.5, 1.5]);
        let mut as_black = KnowledgeScore::default();
        as_black.add_pair(&pair("B+3.5", "B+10.5"), true);
        assert_eq!((as_black.games, as_black.margins), ([1, 0, 0], vec![3.5]));
    }
}
