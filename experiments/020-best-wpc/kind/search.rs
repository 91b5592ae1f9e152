//! CMA-ES on the mean score against some opponents.

use ishi_evolve::{
    CmaEs, CmaParams, EvaluationInterrupted, EvolveError, OptimizationGoal, OptimizationProblem, PointBatch,
};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_othello::Wpc;
use ishi_othello::oneply::LeagueRules;
use ishi_othello_learn::evolution::{mean_score_of_all, player_from_point};
use ishi_rng::{Rng, Seed};
use ishi_words::coded;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Games in which a result is looked at between steps.
const LOOK: u64 = 20_000;

/// A run of CMA-ES.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CmaSearch {
    /// How long.
    pub(super) generations: Spanned<u64>,
    /// Points of a generation.
    pub(super) population: Spanned<usize>,
    /// Games of a point in the first and in the last generation; between them their number grows steadily.
    games: Spanned<[u64; 2]>,
    /// The first standard deviation; the greatest weight is 1.
    pub(super) sigma: Spanned<f64>,
}

impl CmaSearch {
    pub(super) fn check_ranges(&self, source: &TomlSource) -> Result<(), SourceError> {
        source.check_range(&self.generations, 1..=100_000, "generations must be 1 to 100000")?;
        source.check_range(&self.population, 4..=10_000, "a population must have 4 to 10000 points")?;
        source.check_range(&self.sigma, 1e-6..=1e6, "a standard deviation must be above 0")?;
        let [first, last] = *self.games.get_ref();
        let good = (2..=10_000_000).contains(&first) && (first..=10_000_000).contains(&last);
        let right = coded!["lab-source-games", "games must be [first, last], from 2 to 10000000, ascending"];
        source.require_at(good, self.games.span(), right)
    }

    pub(super) fn generation_count(&self) -> u64 {
        *self.generations.get_ref()
    }

    /// A run from this mean.
    pub(super) fn start_search(&self, mean: Vec<f64>, seed: Seed) -> Result<CmaEs, EvolveError> {
        CmaEs::start(CmaParams {
            mean,
            sigma: *self.sigma.get_ref(),
            population: Some(*self.population.get_ref()),
            seed: seed.value(),
        })
    }

    /// Games of a point of this generation.
    fn games_per_point(&self, generation: u64) -> u64 {
        let [first, last] = self.games.get_ref().map(|games| games as f64);
        let share = generation as f64 / (self.generation_count().max(2) - 1) as f64;
        (first + (last - first) * share.min(1.0)) as u64
    }
}

/// Whom to beat.
pub(super) struct OpponentProblem<'a> {
    pub(super) search: &'a CmaSearch,
    pub(super) opponents: &'a [Wpc],
    pub(super) shaken: Option<ShakenOpponents>,
    pub(super) seed: Seed,
    pub(super) stop: &'a StopFlag,
}

/// Opponents whose weights are shaken, drawn anew for each generation.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShakenOpponents {
    /// How many opponents there are.
    pub(super) count: usize,
    /// The standard deviation of what is added to each weight.
    pub(super) by: f64,
}

impl OpponentProblem<'_> {
    /// The opponents of this generation.
    fn draw_opponents(&self, generation: u64) -> Vec<Wpc> {
        let Some(ShakenOpponents { count, by }) = self.shaken else { return self.opponents.to_vec() };
        let mut rng = self.seed.stream("opponents", generation);
        let mut draw = || {
            let weights = weights_as_numbers(rng.choose(self.opponents).unwrap_or(&Wpc::random()));
            let shaken: Vec<f64> =
                weights.iter().map(|weight| weight + by * normal_deviate(&mut rng)).collect();
            player_from_point(&shaken)
        };
        (0..count).map(|_| draw()).collect()
    }
}

impl OptimizationProblem for OpponentProblem<'_> {
    fn goal(&self) -> OptimizationGoal {
        OptimizationGoal::Maximize
    }

    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
        if self.stop.is_requested() {
            return Err(EvaluationInterrupted);
        }
        let opponents = self.draw_opponents(batch.generation);
        let games = self.search.games_per_point(batch.generation);
        let seed = self.seed.child_seed("games", batch.generation);
        Ok(batch
            .points
            .iter()
            .map(|point| mean_score(&player_from_point(point), &opponents, games, seed))
            .collect())
    }
}

/// About normal with deviation 1: the sum of twelve even numbers (no logarithm, so the same everywhere).
fn normal_deviate(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.next_unit()).sum::<f64>() - 6.0
}

/// The weights as numbers, the greatest 1: ten if they have the board's symmetry.
pub(super) fn weights_as_numbers(wpc: &Wpc) -> Vec<f64> {
    let scaled = |weights: &[i16]| {
        weights.iter().map(|&weight| f64::from(weight) / f64::from(ishi_othello::FULL_WEIGHT)).collect()
    };
    wpc.octant_weights().map_or_else(|| scaled(wpc.weights()), |octant| scaled(&octant))
}

/// The mean of the scores against these opponents, over about so many games in all, with either colour.
pub(super) fn mean_score(wpc: &Wpc, opponents: &[Wpc], games: u64, seed: Seed) -> f64 {
    let each = (games / opponents.len().max(1) as u64).next_multiple_of(2).max(2);
    mean_score_of_all(&LeagueRules::default(), wpc, opponents, seed, each)
}

/// What is watched: score against the standard.
pub(super) fn standard_score(wpc: &Wpc, seed: Seed) -> f64 {
    mean_score(wpc, &[Wpc::standard()], LOOK, seed.child_seed("look", 0))
}

/// Goes on for so many generations; false if it was stopped.
pub(super) fn advance_generations(
    cma: &mut CmaEs,
    problem: &mut OpponentProblem<'_>,
    generations: u64,
) -> Result<bool, EvolveError> {
    for _ in 0..generations {
        match cma.run_generation(problem) {
            Err(EvolveError::Interrupted) => return Ok(false),
            other => other?,
        };
    }
    Ok(true)
}
