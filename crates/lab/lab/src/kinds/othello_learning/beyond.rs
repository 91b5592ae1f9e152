//! Beyond the paper: its future work, and its relatives. All know only the rules of the game.
//!
//! - [`PopulationLearner`]: the whole group is the population of the differential evolution, and ratings are its fitness.
//! - [`HallOfFameLearner`]: child and parent meet (Takahama and Sakai's pairwise comparison, ICIIBMS 2015), and both meet
//!   champions of earlier generations (Rosin and Belew 1997).
//! - [`CmaLearner`]: CMA-ES; a point's value is its mean score against the means of earlier generations.

use ishi_evolve::cma::CmaState;
use ishi_evolve::coevolve::CoevolutionState;
use ishi_evolve::de::TrialPoints;
use ishi_evolve::{
    CmaEs, CmaParams, Coevolution, CoevolutionParams, Contest, DeParams, DeState, DifferentialEvolution,
    EvaluationInterrupted, OptimizationGoal, ParentValues, PopulationMember,
};
use ishi_othello::Wpc;
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::games::{first_player, mean_score, play_series, player_from_point};
use super::learner::{
    CurvePoint, FitnessProblem, LearnedPlayer, Learner, LearningStep, RunSetting, lab_error_from_evolve,
    state_from_value, state_to_value,
};
use super::options::LearningOptions;
use super::rating::{self, play_round_robin};
use crate::error::LabError;

/// Generations between two points of the curves.
const CURVE: u64 = 10;

/// A point of the curves: the mean and the best of these players.
fn curve_point(setting: &RunSetting, generation: u64, games: u64, points: &[&[f64]]) -> CurvePoint {
    let measure = |(place, point): (u64, &&[f64])| {
        setting.score_against_standard(point, &format!("generation {generation}"), place)
    };
    let scores: Vec<f64> = (0..).zip(points).map(measure).collect();
    let standard = scores.iter().sum::<f64>() / scores.len() as f64;
    let best = scores.iter().copied().reduce(f64::max);
    CurvePoint {
        k: generation,
        games,
        success: true,
        previous: None,
        standard,
        best,
        top: None,
        rating: None,
    }
}

/// The parameters of differential evolution for these methods.
fn de_params(options: &LearningOptions) -> Result<DeParams, LabError> {
    let params = options.evolution_params().map_err(LabError::Input)?;
    Ok(DeParams { parents: ParentValues::Remeasure, ..params })
}

/// The whole group as the population: section 6's plan for later. Members are the individuals, their fitness is their
/// rating. In each generation a league among all members gives their ratings anew; a child of each is rated by N games
/// against every member, as a candidate for a group is; it takes its parent's place if it is rated higher.
pub(super) struct PopulationLearner {
    setting: RunSetting,
    de: DifferentialEvolution,
    games: u64,
}

#[derive(Serialize, Deserialize)]
struct PopulationState {
    de: DeState,
    games: u64,
}

impl PopulationLearner {
    pub(super) fn new(
        setting: RunSetting,
        checkpoint: Option<&Value>,
    ) -> Result<PopulationLearner, LabError> {
        let params = de_params(&setting.options)?;
        let (de, games) = match checkpoint {
            None => (DifferentialEvolution::start(params, setting.seed.child_seed("population", 0)), 0),
            Some(value) => {
                let PopulationState { de, games } = state_from_value(value)?;
                (DifferentialEvolution::resume(params, de), games)
            }
        };
        Ok(PopulationLearner { de: de.map_err(lab_error_from_evolve)?, setting, games })
    }

    /// Games of the next generation: each child against each member, and each two members.
    fn next_generation_games(&self) -> u64 {
        let members = self.setting.options.population as u64;
        let children = self.de.state().generation.map_or(0, |_| members * members);
        (children + members * (members - 1) / 2) * self.setting.options.games
    }

    /// The children's ratings, then the members'.
    fn rate_trials(&self, trials: &TrialPoints) -> Result<Vec<f64>, LabError> {
        let options = &self.setting.options;
        let seed = self.setting.seed.child_seed("games", 0).child_seed("generation", trials.generation);
        let players: Vec<Wpc> = trials.points.iter().map(|point| player_from_point(point)).collect();
        // Children come first, then their parents: the group.
        let (children, members) = players.split_at(players.len() - options.population);
        // Before the first league nobody has a rating.
        let known = |value: f64| if value.is_nan() { options.start_rating } else { value };
        let before: Vec<f64> = self.de.state().population.iter().map(|member| known(member.value)).collect();
        let ratings = rating::rate_league(options, &before, &play_round_robin(options, members, seed))?;
        let mut values = Vec::new();
        for (number, child) in (0..).zip(children) {
            let dice = options.evaluation_seed(seed.child_seed("children", 0), number, 0);
            let results: Vec<Vec<i8>> = (0..)
                .zip(members)
                .map(|(place, member)| {
                    play_series(options, child, member, dice.child_seed("member", place), options.games)
                })
                .collect();
            values.push(rating::rate_candidate(options, &ratings, &results));
        }
        values.extend(ratings);
        Ok(values)
    }
}

impl Learner for PopulationLearner {
    fn advance_generation(&mut self) -> Result<LearningStep, LabError> {
        let cost = self.next_generation_games();
        if self.games + cost > self.setting.budget {
            return Ok(LearningStep::Over);
        }
        let trials = self.de.ask_trials(OptimizationGoal::Maximize);
        let values = self.rate_trials(&trials)?;
        self.de.tell_values(trials, &values, OptimizationGoal::Maximize).map_err(lab_error_from_evolve)?;
        self.games += cost;
        let state = self.de.state();
        let generation = state.generation.unwrap_or(0);
        if !generation.is_multiple_of(CURVE) {
            return Ok(LearningStep::Quiet);
        }
        let points: Vec<&[f64]> = state.population.iter().map(|m| m.point.as_slice()).collect();
        let mut point = curve_point(&self.setting, generation, self.games, &points);
        if let Some(best) = state.population.iter().max_by(|a, b| a.value.total_cmp(&b.value)) {
            point.rating = Some(best.value);
            point.top = Some(self.setting.score_against_standard(&best.point, "top", generation));
        }
        Ok(LearningStep::Point(point))
    }

    fn games_played(&self) -> u64 {
        self.games
    }

    fn make_checkpoint(&self) -> Result<Value, LabError> {
        state_to_value(&PopulationState { de: self.de.state().clone(), games: self.games })
    }

    fn current_players(&self) -> Vec<LearnedPlayer> {
        let learned = |m: &PopulationMember| LearnedPlayer { point: m.point.clone(), rating: Some(m.value) };
        self.de.state().population.iter().map(learned).collect()
    }
}

/// Co-evolution with a hall of fame.
pub(super) struct HallOfFameLearner {
    setting: RunSetting,
    run: Coevolution,
}

impl HallOfFameLearner {
    pub(super) fn new(
        setting: RunSetting,
        checkpoint: Option<&Value>,
    ) -> Result<HallOfFameLearner, LabError> {
        let options = &setting.options;
        let params = CoevolutionParams {
            de: de_params(options)?,
            hall: options.group,
            opponents: options.opponents.min(options.group),
            every: options.every,
        };
        let run = match checkpoint {
            None => Coevolution::start(params, setting.seed),
            Some(value) => Coevolution::resume(params, state_from_value::<CoevolutionState>(value)?),
        };
        Ok(HallOfFameLearner { run: run.map_err(lab_error_from_evolve)?, setting })
    }
}

impl Learner for HallOfFameLearner {
    fn advance_generation(&mut self) -> Result<LearningStep, LabError> {
        let options = self.setting.options.clone();
        if self.games_played() + self.run.next_contests() * options.games > self.setting.budget {
            return Ok(LearningStep::Over);
        }
        let seed = self.setting.seed.child_seed("games", 0);
        let mut arbiter = |contests: &[Contest<'_>]| -> Result<Vec<f64>, EvaluationInterrupted> {
            let score = |contest: &Contest<'_>| {
                let [own, other] = [contest.player, contest.opponent].map(player_from_point);
                let dice = options.evaluation_seed(seed, contest.number, contest.round);
                mean_score(&options, &own, &other, dice, options.games)
            };
            Ok(contests.iter().map(score).collect())
        };
        self.run.run_generation(&mut arbiter).map_err(lab_error_from_evolve)?;
        let state = self.run.state();
        let generation = state.de.generation.unwrap_or(0);
        if !generation.is_multiple_of(CURVE) {
            return Ok(LearningStep::Quiet);
        }
        let points: Vec<&[f64]> = state.de.population.iter().map(|m| m.point.as_slice()).collect();
        Ok(LearningStep::Point(curve_point(&self.setting, generation, self.games_played(), &points)))
    }

    fn games_played(&self) -> u64 {
        self.run.state().contests * self.setting.options.games
    }

    fn make_checkpoint(&self) -> Result<Value, LabError> {
        state_to_value(&self.run.state())
    }

    fn current_players(&self) -> Vec<LearnedPlayer> {
        let learned = |m: &PopulationMember| LearnedPlayer { point: m.point.clone(), rating: None };
        self.run.state().de.population.iter().map(learned).collect()
    }
}

/// CMA-ES against its own past.
pub(super) struct CmaLearner {
    setting: RunSetting,
    run: CmaEs,
    pool: Vec<Vec<f64>>,
    games: u64,
}

#[derive(Serialize, Deserialize)]
struct CmaCheckpoint {
    run: CmaState,
    /// The opponents, a random player first; bits in hexadecimal.
    pool: Vec<ExactPoint>,
    games: u64,
}

#[derive(Serialize, Deserialize)]
struct ExactPoint(#[serde(with = "ishi_evolve::exact::list")] Vec<f64>);

impl CmaLearner {
    pub(super) fn new(setting: RunSetting, checkpoint: Option<&Value>) -> Result<CmaLearner, LabError> {
        let (run, pool, games) = match checkpoint {
            Some(value) => {
                let CmaCheckpoint { run, pool, games } = state_from_value(value)?;
                (CmaEs::resume(run), pool.into_iter().map(|ExactPoint(point)| point).collect(), games)
            }
            None => {
                let first = first_player(&setting.options, setting.seed);
                let params = CmaParams {
                    mean: vec![0.0; setting.options.weights],
                    sigma: 0.5,
                    population: Some(setting.options.population),
                    seed: setting.seed.child_seed("cma-es", 0).value(),
                };
                (CmaEs::start(params), vec![first], 0)
            }
        };
        Ok(CmaLearner { run: run.map_err(lab_error_from_evolve)?, pool, games, setting })
    }
}

impl Learner for CmaLearner {
    fn advance_generation(&mut self) -> Result<LearningStep, LabError> {
        let options = self.setting.options.clone();
        let cost = (options.population * self.pool.len()) as u64 * options.games;
        if self.games + cost > self.setting.budget {
            return Ok(LearningStep::Over);
        }
        let opponents: Vec<Wpc> = self.pool.iter().map(|point| player_from_point(point)).collect();
        let of = |own: &Wpc, seed: Seed| {
            let scores = (0..).zip(&opponents).map(|(number, other)| {
                mean_score(&options, own, other, seed.child_seed("opponent", number), options.games)
            });
            scores.sum::<f64>() / opponents.len() as f64
        };
        let seed = self.setting.seed.child_seed("games", 0);
        self.run
            .run_generation(&mut FitnessProblem { options: &options, seed, of })
            .map_err(lab_error_from_evolve)?;
        self.games += cost;
        let generation = self.run.generation().unwrap_or(0);
        if generation > 0 && generation.is_multiple_of(options.every) {
            self.pool.push(self.run.distribution_mean().to_vec());
            if self.pool.len() > options.opponents {
                self.pool.remove(0);
            }
        }
        if !generation.is_multiple_of(CURVE) {
            return Ok(LearningStep::Quiet);
        }
        Ok(LearningStep::Point(curve_point(
            &self.setting,
            generation,
            self.games,
            &[self.run.distribution_mean()],
        )))
    }

    fn games_played(&self) -> u64 {
        self.games
    }

    fn make_checkpoint(&self) -> Result<Value, LabError> {
        let pool = self.pool.iter().cloned().map(ExactPoint).collect();
        state_to_value(&CmaCheckpoint { run: self.run.state().clone(), pool, games: self.games })
    }

    fn current_players(&self) -> Vec<LearnedPlayer> {
        vec![LearnedPlayer { point: self.run.distribution_mean().to_vec(), rating: None }]
    }
}
