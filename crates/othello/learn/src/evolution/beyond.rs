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

use super::error::EvolutionError;
use super::games::{first_player, mean_score, mean_score_of_all, play_series, player_from_point};
use super::learner::{
    CurvePoint, EvolutionLearner, FitnessProblem, LearnedPlayer, LearnerState, LearningStep, MethodState,
    RunSetting,
};
use super::options::LearningOptions;
use super::rating::{self, play_round_robin};

/// Generations between two points of the curves.
pub(super) const CURVE: u64 = 10;

/// A point of the curves: the mean and the best of these players.
pub(super) fn curve_point(
    setting: &RunSetting,
    generation: u64,
    games: u64,
    points: &[&[f64]],
) -> CurvePoint {
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

/// A member of a population that has no ratings.
pub(super) fn learned_from_member(member: &PopulationMember) -> LearnedPlayer {
    LearnedPlayer { point: member.point.clone(), rating: None, value: Some(member.value) }
}

/// The parameters of differential evolution for these methods.
pub(super) fn de_params(options: &LearningOptions) -> Result<DeParams, EvolutionError> {
    Ok(DeParams { parents: ParentValues::Remeasure, ..options.evolution_params()? })
}

/// The whole group as the population: section 6's plan for later. Members are the individuals, their fitness is their
/// rating. In each generation a league among all members gives their ratings anew; a child of each is rated by N games
/// against every member, as a candidate for a group is; it takes its parent's place if it is rated higher.
pub(super) struct PopulationLearner {
    setting: RunSetting,
    de: DifferentialEvolution,
    games: u64,
}

/// All that a run needs to go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PopulationState {
    de: DeState,
    games: u64,
}

impl PopulationLearner {
    pub(super) fn start(setting: RunSetting) -> Result<PopulationLearner, EvolutionError> {
        let seed = setting.seed.child_seed("population", 0);
        let de = DifferentialEvolution::start(de_params(&setting.options)?, seed)?;
        Ok(PopulationLearner { setting, de, games: 0 })
    }

    pub(super) fn resume(
        setting: RunSetting,
        state: PopulationState,
    ) -> Result<PopulationLearner, EvolutionError> {
        let de = DifferentialEvolution::resume(de_params(&setting.options)?, state.de)?;
        Ok(PopulationLearner { setting, de, games: state.games })
    }

    /// Games of the next generation: each child against each member, and each two members.
    fn next_generation_games(&self) -> u64 {
        let members = self.setting.options.population as u64;
        let children = self.de.state().generation.map_or(0, |_| members * members);
        (children + members * (members - 1) / 2) * self.setting.options.games
    }

    /// The children's ratings, then the members'.
    fn rate_trials(&self, trials: &TrialPoints) -> Result<Vec<f64>, EvolutionError> {
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

impl EvolutionLearner for PopulationLearner {
    fn advance_generation(&mut self) -> Result<LearningStep, EvolutionError> {
        let cost = self.next_generation_games();
        if self.games + cost > self.setting.budget {
            return Ok(LearningStep::Over);
        }
        let trials = self.de.ask_trials(OptimizationGoal::Maximize);
        let values = self.rate_trials(&trials)?;
        self.de.tell_values(trials, &values, OptimizationGoal::Maximize)?;
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

    fn state(&self) -> LearnerState {
        let state = PopulationState { de: self.de.state().clone(), games: self.games };
        LearnerState(MethodState::Population(state))
    }

    fn current_players(&self) -> Vec<LearnedPlayer> {
        let learned = |m: &PopulationMember| LearnedPlayer {
            point: m.point.clone(),
            rating: Some(m.value),
            value: None,
        };
        self.de.state().population.iter().map(learned).collect()
    }
}

/// Co-evolution with a hall of fame.
pub(super) struct HallOfFameLearner {
    setting: RunSetting,
    run: Coevolution,
}

impl HallOfFameLearner {
    pub(super) fn start(setting: RunSetting) -> Result<HallOfFameLearner, EvolutionError> {
        let run = Coevolution::start(coevolution_params(&setting.options)?, setting.seed)?;
        Ok(HallOfFameLearner { setting, run })
    }

    pub(super) fn resume(
        setting: RunSetting,
        state: CoevolutionState,
    ) -> Result<HallOfFameLearner, EvolutionError> {
        let run = Coevolution::resume(coevolution_params(&setting.options)?, state)?;
        Ok(HallOfFameLearner { setting, run })
    }
}

fn coevolution_params(options: &LearningOptions) -> Result<CoevolutionParams, EvolutionError> {
    Ok(CoevolutionParams {
        de: de_params(options)?,
        hall: options.group,
        opponents: options.opponents.min(options.group),
        every: options.every,
    })
}

impl EvolutionLearner for HallOfFameLearner {
    fn advance_generation(&mut self) -> Result<LearningStep, EvolutionError> {
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
        self.run.run_generation(&mut arbiter)?;
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

    fn state(&self) -> LearnerState {
        LearnerState(MethodState::HallOfFame(Box::new(self.run.state())))
    }

    fn current_players(&self) -> Vec<LearnedPlayer> {
        self.run.state().de.population.iter().map(learned_from_member).collect()
    }
}

/// CMA-ES against its own past.
pub(super) struct CmaLearner {
    setting: RunSetting,
    run: CmaEs,
    pool: Vec<Vec<f64>>,
    games: u64,
}

/// All that a run needs to go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CmaCheckpoint {
    run: CmaState,
    /// The opponents, a random player first; bits in hexadecimal.
    pool: Vec<ExactPoint>,
    games: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct ExactPoint(#[serde(with = "ishi_evolve::exact::list")] Vec<f64>);

impl CmaLearner {
    pub(super) fn start(setting: RunSetting) -> Result<CmaLearner, EvolutionError> {
        let pool = vec![first_player(&setting.options, setting.seed)];
        let params = CmaParams {
            mean: vec![0.0; setting.options.weights],
            sigma: 0.5,
            population: Some(setting.options.population),
            seed: setting.seed.child_seed("cma-es", 0).value(),
        };
        Ok(CmaLearner { setting, run: CmaEs::start(params)?, pool, games: 0 })
    }

    pub(super) fn resume(setting: RunSetting, state: CmaCheckpoint) -> Result<CmaLearner, EvolutionError> {
        let CmaCheckpoint { run, pool, games } = state;
        let pool = pool.into_iter().map(|ExactPoint(point)| point).collect();
        Ok(CmaLearner { setting, run: CmaEs::resume(run)?, pool, games })
    }
}

impl EvolutionLearner for CmaLearner {
    fn advance_generation(&mut self) -> Result<LearningStep, EvolutionError> {
        let options = self.setting.options.clone();
        let cost = (options.population * self.pool.len()) as u64 * options.games;
        if self.games + cost > self.setting.budget {
            return Ok(LearningStep::Over);
        }
        let opponents: Vec<Wpc> = self.pool.iter().map(|point| player_from_point(point)).collect();
        let rules = options.league_rules();
        let of = |own: &Wpc, seed: Seed| mean_score_of_all(&rules, own, &opponents, seed, options.games);
        let seed = self.setting.seed.child_seed("games", 0);
        self.run.run_generation(&mut FitnessProblem { options: &options, seed, of })?;
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

    fn state(&self) -> LearnerState {
        let pool = self.pool.iter().cloned().map(ExactPoint).collect();
        let state = CmaCheckpoint { run: self.run.state().clone(), pool, games: self.games };
        LearnerState(MethodState::CmaEs(Box::new(state)))
    }

    fn current_players(&self) -> Vec<LearnedPlayer> {
        vec![LearnedPlayer { point: self.run.distribution_mean().to_vec(), rating: None, value: None }]
    }
}
