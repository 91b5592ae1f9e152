//! Individual learning (section 4): a population learns to beat one opponent; its winner is the next opponent.
//!
//! 1. The opponent is a random player.
//! 2. A population is made at random; fitness is the mean score less alpha times its standard deviation over S series of N
//!    games against the opponent.
//! 3. Differential evolution for Tmax generations; from Tmax / 2 on a fitness above 0.5 is a success: that player is the
//!    opponent from now on.
//! 4. Back to 2, Kmax times.

use ishi_evolve::De;
use ishi_othello::Wpc;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::games::{deviation, first_player, mean_score, play, player, score};
use super::learner::{Fitness, Learned, Learner, Point, Population, Setting, Step, kept, refused, restored};
use super::options::{Options, Sigma};
use crate::error::LabError;

/// A run.
pub(super) struct Individual {
    setting: Setting,
    state: State,
}

/// All that a run needs to go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    /// What the paper counts to Kmax.
    k: u64,
    /// Populations so far, which is the same unless only successes count.
    populations: u64,
    #[serde(with = "ishi_evolve::exact::list")]
    opponent: Vec<f64>,
    /// The last score against the standard player.
    standard: f64,
    population: Population,
    games: u64,
}

impl Individual {
    pub(super) fn new(setting: Setting, checkpoint: Option<&Value>) -> Result<Individual, LabError> {
        let state = match checkpoint {
            Some(value) => restored(value)?,
            None => {
                let opponent = first_player(&setting.options, setting.seed);
                let standard = setting.against_standard(&opponent, "first", 0);
                State {
                    k: 0,
                    populations: 0,
                    opponent,
                    standard,
                    population: Population::default(),
                    games: 0,
                }
            }
        };
        Ok(Individual { setting, state })
    }

    /// The population is done with: a point of the curves, and the next one.
    fn conclude(&mut self, de: &De, winner: Option<Vec<f64>>) -> Point {
        let options = &self.setting.options;
        let state = &mut self.state;
        let success = winner.is_some();
        let mut previous = None;
        if let Some(winner) = winner {
            let seed = self.setting.seed.child("previous", state.populations);
            let [own, beaten] = [&winner, &state.opponent].map(|point| player(point));
            previous = Some(mean_score(options, &own, &beaten, seed, self.setting.measure_games));
            state.standard = self.setting.against_standard(&winner, "winner", state.populations);
            state.opponent = winner;
        }
        state.population.conclude(de, success, &self.setting.options);
        state.populations += 1;
        state.k += u64::from(options.counts(success));
        let (k, games, standard) = (state.k, state.games, state.standard);
        Point { k, games, success, previous, standard, best: None, top: None, rating: None }
    }
}

impl Learner for Individual {
    fn step(&mut self) -> Result<Step, LabError> {
        let options = self.setting.options.clone();
        let each = options.series * options.games;
        let seed = self.setting.seed.child("population", self.state.populations);
        let mut de = self.state.population.take(&options, seed)?;
        if self.state.k >= options.k_max || self.state.games + de.next_cost() * each > self.setting.budget {
            self.state.population.put_back(&de);
            return Ok(Step::Over);
        }
        self.state.games += de.next_cost() * each;
        let opponent = player(&self.state.opponent);
        let seed = self.setting.seed.child("games", self.state.populations);
        let of = |own: &Wpc, seed| fitness(&options, &play(&options, own, &opponent, seed, each));
        de.step(&mut Fitness { options: &options, seed, of }).map_err(refused)?;
        let generation = de.state().generation.unwrap_or(0);
        let best = de.state().population.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let winner = best.filter(|best| generation >= options.success_from() && best.value > 0.5);
        if winner.is_some() || generation >= options.t_max {
            let fitness = best.map(|best| best.value);
            let winner = winner.map(|best| best.point.clone());
            return Ok(Step::Point(Point { rating: fitness, ..self.conclude(&de, winner) }));
        }
        self.state.population.put_back(&de);
        Ok(Step::Quiet)
    }

    fn games(&self) -> u64 {
        self.state.games
    }

    fn checkpoint(&self) -> Result<Value, LabError> {
        kept(&self.state)
    }

    fn members(&self) -> Vec<Learned> {
        vec![Learned { point: self.state.opponent.clone(), rating: None }]
    }
}

/// Mean score less alpha times its standard deviation over the series.
fn fitness(options: &Options, results: &[i8]) -> f64 {
    let series: Vec<f64> = results
        .chunks(options.games as usize)
        .map(|games| games.iter().map(|&result| score(result)).sum::<f64>() / games.len() as f64)
        .collect();
    let count = series.len() as f64;
    let divisor = if options.sigma == Sigma::Population { count } else { count - 1.0 };
    series.iter().sum::<f64>() / count - options.alpha * deviation(&series, divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitness_is_the_mean_less_the_deviation() {
        let options = Options { series: 2, games: 2, ..Options::default() };
        // Series of 1 and 0.5: mean 0.75, population's deviation 0.25.
        assert_eq!(fitness(&options, &[9, 1, 0, 0]), 0.75 - 1.3 * 0.25);
        let sample = Options { sigma: Sigma::Sample, ..options };
        assert!((fitness(&sample, &[9, 1, 0, 0]) - (0.75 - 1.3 * 0.125f64.sqrt())).abs() < 1e-12);
    }
}
