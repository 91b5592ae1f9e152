//! The games: stages of players who each meet one opponent, in pairs of games with colours swapped from the same openings.

use ishi_go::Color;
use ishi_lab::LabError;
use ishi_lab::experiment::TaskResults;
use ishi_lab::source::{SourceError, TomlSource};
use ishi_rng::Seed;
use ishi_words::coded;
use serde::Deserialize;
use toml::Spanned;

use crate::pairs::{self, PairCampaign, PairOutcome, PairStage, StagePlayer};

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

impl KnowledgeStageParams {
    fn read_stage(&self, source: &TomlSource) -> Result<PairStage, SourceError> {
        let handicap = match &self.handicap {
            Some(stones) => source.check_range(stones, 2..=9, "handicaps must be 2 to 9 stones")?,
            None => 0,
        };
        let settings = pairs::read_settings(source, (&self.side, 5..=19), &self.komi, handicap)?;
        let opening_moves = pairs::read_opening_moves(source, &self.opening_moves, &settings)?;
        let pairs = pairs::check_pairs(source, &self.pairs)?;
        let player = |params: &KnowledgePlayerParams| {
            StagePlayer::read(source, (&params.name, &params.player), &settings, pairs, ())
        };
        let opponent = player(&self.opponent)?;
        let players: Vec<StagePlayer> = self.players.iter().map(player).collect::<Result<_, _>>()?;
        let right = coded!["lab-source-no-player", "there must be one player or more"];
        source.require_at(!players.is_empty(), self.pairs.span(), right)?;
        let (name, what) = (self.name.get_ref().clone(), self.what.clone());
        Ok(PairStage { name, what, settings, opening_moves, pairs_a_round: 1, opponent, players })
    }
}

/// Checks the parameters. No program is started yet.
pub(super) fn read_campaign(
    source: &TomlSource,
    params: &[KnowledgeStageParams],
    seed: Seed,
) -> Result<PairCampaign, SourceError> {
    let mut stages: Vec<PairStage> = Vec::new();
    for params in params {
        let is_new = stages.iter().all(|other| other.name != *params.name.get_ref());
        let right = coded!["lab-source-stage-twice", "this stage is named twice: change one"];
        source.require(is_new, &params.name, right)?;
        stages.push(params.read_stage(source)?);
    }
    Ok(PairCampaign::new(stages, seed))
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
        stage: &PairStage,
        player: &StagePlayer,
        results: &TaskResults,
    ) -> Result<KnowledgeScore, LabError> {
        let mut score = KnowledgeScore::default();
        for number in 0..player.pairs {
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
