//! Individual learning (section 4): a population learns to beat one opponent; its winner is the next opponent.
//!
//! 1. The opponent is a random player.
//! 2. A population is made at random; fitness is the mean score less alpha times its standard deviation over S series of N
//!    games against the opponent.
//! 3. Differential evolution for Tmax generations; from Tmax / 2 on a fitness above 0.5 is a success: that player is the
//!    opponent from now on.
//! 4. Back to 2, Kmax times.

use ishi_evolve::DifferentialEvolution;
use ishi_othello::Wpc;
use serde::{Deserialize, Serialize};

use super::error::EvolutionError;
use super::games::{
    first_player, mean_score, play_series, player_from_point, result_score, standard_deviation,
};
use super::learner::{
    CurvePoint, EvolutionLearner, FitnessProblem, LearnedPlayer, LearnerState, LearningStep, MethodState,
    RunSetting, SuspendedPopulation,
};
use super::options::{LearningOptions, SigmaDivisor};

/// A run.
pub(super) struct IndividualLearner {
    pub(super) setting: RunSetting,
    pub(super) state: IndividualState,
}

/// All that a run needs to go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct IndividualState {
    /// What the paper counts to Kmax.
    k: u64,
    /// Populations so far, which is the same unless only successes count.
    populations: u64,
    #[serde(with = "ishi_evolve::exact::list")]
    opponent: Vec<f64>,
    /// The last score against the standard player.
    standard: f64,
    population: SuspendedPopulation,
    games: u64,
}

impl IndividualLearner {
    pub(super) fn start(setting: RunSetting) -> IndividualLearner {
        let opponent = first_player(&setting.options, setting.seed);
        let standard = setting.score_against_standard(&opponent, "first", 0);
        let population = SuspendedPopulation::default();
        let state = IndividualState { k: 0, populations: 0, opponent, standard, population, games: 0 };
        IndividualLearner { setting, state }
    }

    /// The population is done with: a point of the curves, and the next one.
    fn conclude_population(&mut self, de: &DifferentialEvolution, winner: Option<Vec<f64>>) -> CurvePoint {
        let options = &self.setting.options;
        let state = &mut self.state;
        let success = winner.is_some();
        let mut previous = None;
        if let Some(winner) = winner {
            let seed = self.setting.seed.child_seed("previous", state.populations);
            let [own, beaten] = [&winner, &state.opponent].map(|point| player_from_point(point));
            previous = Some(mean_score(options, &own, &beaten, seed, self.setting.measure_games));
            state.standard = self.setting.score_against_standard(&winner, "winner", state.populations);
            state.opponent = winner;
        }
        state.population.conclude_population(de, success, &self.setting.options);
        state.populations += 1;
        state.k += u64::from(options.counts_population(success));
        let (k, games, standard) = (state.k, state.games, state.standard);
        CurvePoint { k, games, success, previous, standard, best: None, top: None, rating: None }
    }
}

impl EvolutionLearner for IndividualLearner {
    fn advance_generation(&mut self) -> Result<LearningStep, EvolutionError> {
        let options = self.setting.options.clone();
        let each = options.series * options.games;
        let seed = self.setting.seed.child_seed("population", self.state.populations);
        let mut de = self.state.population.resume_or_start(&options, seed)?;
        if self.state.k >= options.k_max
            || self.state.games + de.next_evaluations() * each > self.setting.budget
        {
            self.state.population.put_back(&de);
            return Ok(LearningStep::Over);
        }
        self.state.games += de.next_evaluations() * each;
        let opponent = player_from_point(&self.state.opponent);
        let seed = self.setting.seed.child_seed("games", self.state.populations);
        let of =
            |own: &Wpc, seed| penalized_fitness(&options, &play_series(&options, own, &opponent, seed, each));
        de.run_generation(&mut FitnessProblem { options: &options, seed, of })?;
        let generation = de.state().generation.unwrap_or(0);
        let best = de.state().population.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let winner = best.filter(|best| generation >= options.success_from() && best.value > 0.5);
        if winner.is_some() || generation >= options.t_max {
            let fitness = best.map(|best| best.value);
            let winner = winner.map(|best| best.point.clone());
            return Ok(LearningStep::Point(CurvePoint {
                rating: fitness,
                ..self.conclude_population(&de, winner)
            }));
        }
        self.state.population.put_back(&de);
        Ok(LearningStep::Quiet)
    }

    fn games_played(&self) -> u64 {
        self.state.games
    }

    fn state(&self) -> LearnerState {
        LearnerState(MethodState::Individual(self.state.clone()))
    }

    fn current_players(&self) -> Vec<LearnedPlayer> {
        vec![LearnedPlayer { point: self.state.opponent.clone(), rating: None, value: None }]
    }
}

/// Mean score less alpha times its standard deviation over the series.
fn penalized_fitness(options: &LearningOptions, results: &[i8]) -> f64 {
    let series: Vec<f64> = results
        .chunks(options.games as usize)
        .map(|games| games.iter().map(|&result| result_score(result)).sum::<f64>() / games.len() as f64)
        .collect();
    let count = series.len() as f64;
    let divisor = if options.sigma == SigmaDivisor::Population { count } else { count - 1.0 };
    series.iter().sum::<f64>() / count - options.alpha * standard_deviation(&series, divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitness_is_the_mean_less_the_deviation() {
        let options = LearningOptions { series: 2, games: 2, ..LearningOptions::default() };
        // Series of 1 and 0.5: mean 0.75, population's deviation 0.25.
        assert_eq!(penalized_fitness(&options, &[9, 1, 0, 0]), 0.75 - 1.3 * 0.25);
        let sample = LearningOptions { sigma: SigmaDivisor::Sample, ..options };
        assert!((penalized_fitness(&sample, &[9, 1, 0, 0]) - (0.75 - 1.3 * 0.125f64.sqrt())).abs() < 1e-12);
    }
}
