//! Differential evolution against players that stay as they are, the standard player if nobody says otherwise.
//!
//! A point's value is its mean score over N games against each opponent. All points of a generation play with the same random
//! numbers (common random numbers), those of the next with others; parents are measured again beside their children, so that
//! nobody lives on by a lucky series.

use ishi_evolve::{DeState, DifferentialEvolution, PopulationMember};
use ishi_othello::Wpc;
use ishi_othello::oneply::{LeagueRules, MatchTally};
use ishi_othello_play::league::LeagueMember;
use ishi_rng::Seed;
use ishi_rng::checksum::fnv_checksum;
use serde::{Deserialize, Serialize};

use super::beyond::{CURVE, curve_point, de_params, learned_from_member};
use super::error::EvolutionError;
use super::learner::{
    CurvePoint, EvolutionLearner, FitnessProblem, LearnedPlayer, LearnerState, LearningStep, MethodState,
    RunSetting,
};
use super::options::{GameRandomness, LearningOptions};

/// An opponent that does not learn.
#[derive(Clone, Debug)]
pub struct FixedOpponent {
    /// The player.
    pub member: LeagueMember,
    /// The weight of the score against it.
    pub share: u32,
}

impl FixedOpponent {
    /// Yoshioka's piece counter alone.
    pub fn standard() -> FixedOpponent {
        FixedOpponent { member: LeagueMember::Counter(Wpc::standard()), share: 1 }
    }

    /// What tells it from others: the weights of a piece counter or a checksum of a network, and its share.
    pub fn describe_identity(&self) -> String {
        let player = match &self.member {
            LeagueMember::Counter(wpc) => ishi_words::collapse_whitespace(&wpc.to_string()),
            LeagueMember::Network(player) => {
                format!("network {:016x}", fnv_checksum(&player.network().to_bytes()))
            }
        };
        format!("{player}:{}", self.share)
    }
}

/// A run.
pub(super) struct FixedOpponentsLearner {
    setting: RunSetting,
    /// Those of the setting, with common random numbers.
    options: LearningOptions,
    opponents: Vec<FixedOpponent>,
    de: DifferentialEvolution,
    games: u64,
}

/// All that a run needs to go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FixedOpponentsState {
    de: DeState,
    games: u64,
}

impl FixedOpponentsLearner {
    pub(super) fn start(setting: RunSetting) -> Result<FixedOpponentsLearner, EvolutionError> {
        let seed = setting.seed.child_seed("population", 0);
        let de = DifferentialEvolution::start(de_params(&setting.options)?, seed)?;
        Ok(FixedOpponentsLearner::new(setting, de, 0))
    }

    pub(super) fn resume(
        setting: RunSetting,
        state: FixedOpponentsState,
    ) -> Result<FixedOpponentsLearner, EvolutionError> {
        let de = DifferentialEvolution::resume(de_params(&setting.options)?, state.de)?;
        Ok(FixedOpponentsLearner::new(setting, de, state.games))
    }

    fn new(setting: RunSetting, de: DifferentialEvolution, games: u64) -> FixedOpponentsLearner {
        let options = LearningOptions { dice: GameRandomness::Common, ..setting.options.clone() };
        let opponents = match setting.opponents.as_slice() {
            [] => vec![FixedOpponent::standard()],
            given => given.to_vec(),
        };
        FixedOpponentsLearner { setting, options, opponents, de, games }
    }

    /// Games of the next generation.
    fn next_generation_games(&self) -> u64 {
        self.de.next_evaluations() * self.opponents.len() as u64 * self.options.games
    }

    /// How the population does against the standard player, and its best one.
    fn measure_population(&self, generation: u64) -> CurvePoint {
        let population = &self.de.state().population;
        let points: Vec<&[f64]> = population.iter().map(|member| member.point.as_slice()).collect();
        let point = curve_point(&self.setting, generation, self.games, &points);
        let Some(best) = best_member(population) else { return point };
        let top = self.setting.score_against_standard(&best.point, "top", generation);
        CurvePoint { top: Some(top), rating: Some(best.value), ..point }
    }
}

fn best_member(population: &[PopulationMember]) -> Option<&PopulationMember> {
    population.iter().max_by(|a, b| a.value.total_cmp(&b.value))
}

impl EvolutionLearner for FixedOpponentsLearner {
    fn advance_generation(&mut self) -> Result<LearningStep, EvolutionError> {
        let cost = self.next_generation_games();
        if self.games + cost > self.setting.budget {
            return Ok(LearningStep::Over);
        }
        let (options, opponents) = (&self.options, &self.opponents);
        let rules = options.league_rules();
        let of = |own: &Wpc, seed: Seed| weighted_score(&rules, own, opponents, seed, options.games);
        let seed = self.setting.seed.child_seed("games", 0);
        self.de.run_generation(&mut FitnessProblem { options, seed, of })?;
        self.games += cost;
        let generation = self.de.state().generation.unwrap_or(0);
        let measured = generation.is_multiple_of(CURVE);
        Ok(if measured {
            LearningStep::Point(self.measure_population(generation))
        } else {
            LearningStep::Quiet
        })
    }

    fn games_played(&self) -> u64 {
        self.games
    }

    fn state(&self) -> LearnerState {
        let state = FixedOpponentsState { de: self.de.state().clone(), games: self.games };
        LearnerState(MethodState::FixedOpponents(state))
    }

    fn current_players(&self) -> Vec<LearnedPlayer> {
        self.de.state().population.iter().map(learned_from_member).collect()
    }
}

/// The mean of the scores against all opponents, by their shares.
fn weighted_score(
    rules: &LeagueRules,
    own: &Wpc,
    opponents: &[FixedOpponent],
    seed: Seed,
    games: u64,
) -> f64 {
    let own = LeagueMember::Counter(own.clone());
    let score = |(number, opponent): (u64, &FixedOpponent)| {
        let seed = seed.child_seed("opponent", number);
        let results = own.play_against(&opponent.member, rules, seed, 0..games);
        f64::from(opponent.share) * MatchTally::from_results(&results).mean_score()
    };
    let shares: f64 = opponents.iter().map(|opponent| f64::from(opponent.share)).sum();
    (0..).zip(opponents).map(score).sum::<f64>() / shares.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::{LearningMethod, start_learner};
    use super::*;

    fn counter(wpc: Wpc, share: u32) -> FixedOpponent {
        FixedOpponent { member: LeagueMember::Counter(wpc), share }
    }

    #[test]
    fn shares_weigh_the_scores() {
        let rules = LeagueRules::default();
        let score = |opponents: &[FixedOpponent]| {
            weighted_score(&rules, &Wpc::standard(), opponents, Seed::new(5), 200)
        };
        let random = score(&[counter(Wpc::random(), 1)]);
        assert!(random > 0.7, "{random}");
        assert_eq!(score(&[counter(Wpc::random(), 3)]), random);
        let both = |share| score(&[counter(Wpc::random(), share), counter(Wpc::standard(), 1)]);
        assert!(both(1) < both(9) && both(9) < random, "{} {}", both(1), both(9));
        // A share of nothing counts for nothing.
        assert_eq!(score(&[counter(Wpc::random(), 1), counter(Wpc::standard(), 0)]), random);
    }

    #[test]
    fn identities_tell_players_and_shares_apart() {
        let all = [counter(Wpc::standard(), 1), counter(Wpc::standard(), 2), counter(Wpc::random(), 1)];
        let [one, two, three] = all.map(|opponent| opponent.describe_identity());
        assert!(one != two && two != three && one != three, "{one} {two} {three}");
        assert_eq!(one, FixedOpponent::standard().describe_identity());
    }

    /// The whole population learns to beat random moves, and nobody is the standard player.
    #[test]
    fn learners_beat_the_player_that_they_meet() {
        let options = LearningOptions { population: 8, games: 20, ..LearningOptions::default() };
        let run = |opponents: Vec<FixedOpponent>| {
            let setting = RunSetting {
                options: options.clone(),
                seed: Seed::new(2),
                budget: 12_000,
                measure_games: 10,
                opponents,
            };
            let mut learner = start_learner(LearningMethod::FixedOpponents, setting).unwrap();
            while learner.advance_generation().unwrap() != LearningStep::Over {}
            let values = learner.current_players().into_iter().filter_map(|player| player.value);
            values.sum::<f64>() / 8.0
        };
        let random = run(vec![counter(Wpc::random(), 1)]);
        assert!(random > 0.65, "{random}");
        assert_eq!(run(Vec::new()), run(vec![FixedOpponent::standard()]));
    }
}
