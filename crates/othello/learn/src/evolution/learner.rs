//! What all ways of learning have in common: a state that goes on bit for bit, one generation at a time.

use ishi_evolve::coevolve::CoevolutionState;
use ishi_evolve::{
    DeState, DifferentialEvolution, EvaluationInterrupted, OptimizationGoal, OptimizationProblem, PointBatch,
    PopulationMember,
};
use ishi_othello::Wpc;
use ishi_rng::{Rng, Seed};
use serde::{Deserialize, Deserializer, Serialize};

use super::error::EvolutionError;
use super::fixed::{self, FixedOpponent};
use super::games::{mean_score, player_from_point};
use super::options::{AfterFailure, LearningMethod, LearningOptions, Restart};
use super::{beyond, group, individual};

/// What a run of learning is given.
#[derive(Clone, Debug)]
pub struct RunSetting {
    /// Its options.
    pub options: LearningOptions,
    /// All random numbers follow from it.
    pub seed: Seed,
    /// Games of learning at most: a generation that would go beyond is not begun.
    pub budget: u64,
    /// Games of each measurement for the curves; they are not games of learning.
    pub measure_games: u64,
    /// Whom [`LearningMethod::FixedOpponents`] plays against; nobody is the standard player.
    pub opponents: Vec<FixedOpponent>,
}

impl RunSetting {
    /// A player's score against the standard one, for the curves.
    pub(super) fn score_against_standard(&self, point: &[f64], name: &str, number: u64) -> f64 {
        let seed = self.seed.child_seed("measure", 0).child_seed(name, number);
        mean_score(&self.options, &player_from_point(point), &Wpc::standard(), seed, self.measure_games)
    }
}

/// A point of the curves: how things stand after `games` games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Populations so far, or generations where there is but one population.
    pub k: u64,
    /// Games of learning so far.
    pub games: u64,
    /// Has the population succeeded?
    pub success: bool,
    /// The winner's score against the previous opponent, measured afresh.
    pub previous: Option<f64>,
    /// The score against the standard player: of the one player, or the group's mean.
    pub standard: f64,
    /// The score of the best of the group, chosen by this score.
    pub best: Option<f64>,
    /// The score of the best-rated of the group, measured afresh with each change of the group.
    #[serde(default)]
    pub top: Option<f64>,
    /// The fitness of the population's best when the population ended: of a group, its rating.
    #[serde(default)]
    pub rating: Option<f64>,
}

/// The rating of a population's best after so many games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingSample {
    /// Games of learning so far.
    pub games: u64,
    /// The rating.
    pub rating: f64,
}

/// A player that learning has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedPlayer {
    /// Its weights, as the search has them.
    pub point: Vec<f64>,
    /// Its rating in the group, where there is one.
    pub rating: Option<f64>,
    /// Its value in the last generation, where members of a population that has no ratings are told apart by it.
    pub value: Option<f64>,
}

/// What a step gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LearningStep {
    /// Nothing to tell.
    Quiet,
    /// The rating of the population's best, between two points of the curves.
    Rating(RatingSample),
    /// A point of the curves.
    Point(CurvePoint),
    /// There is nothing more to do.
    Over,
}

/// A way of learning.
pub trait EvolutionLearner {
    /// One generation.
    ///
    /// # Errors
    /// If evolution or rating refuses.
    fn advance_generation(&mut self) -> Result<LearningStep, EvolutionError>;
    /// Games of learning so far.
    fn games_played(&self) -> u64;
    /// All that is needed to go on.
    fn state(&self) -> LearnerState;
    /// The players that it has come to.
    fn current_players(&self) -> Vec<LearnedPlayer>;
}

/// Where a learner stands: it goes on from there bit for bit. What is written does not name the method, so whoever reads it
/// must say it.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct LearnerState(pub(super) MethodState);

/// The state of each method.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum MethodState {
    Individual(individual::IndividualState),
    Group(group::GroupState),
    Population(beyond::PopulationState),
    HallOfFame(Box<CoevolutionState>),
    CmaEs(Box<beyond::CmaCheckpoint>),
    FixedOpponents(fixed::FixedOpponentsState),
}

impl LearnerState {
    /// Reads the state of a learner of this method.
    ///
    /// # Errors
    /// If it is none.
    pub fn deserialize_as<'de, D: Deserializer<'de>>(
        method: LearningMethod,
        from: D,
    ) -> Result<LearnerState, EvolutionError> {
        let state = match method {
            LearningMethod::Individual => Deserialize::deserialize(from).map(MethodState::Individual),
            LearningMethod::Group => Deserialize::deserialize(from).map(MethodState::Group),
            LearningMethod::Population => Deserialize::deserialize(from).map(MethodState::Population),
            LearningMethod::HallOfFame => Deserialize::deserialize(from).map(MethodState::HallOfFame),
            LearningMethod::CmaEs => Deserialize::deserialize(from).map(MethodState::CmaEs),
            LearningMethod::FixedOpponents => Deserialize::deserialize(from).map(MethodState::FixedOpponents),
        };
        state.map(LearnerState).map_err(|error| EvolutionError::State(error.to_string()))
    }
}

/// The learner at its start.
///
/// # Errors
/// If the options fit no run.
pub fn start_learner(
    method: LearningMethod,
    setting: RunSetting,
) -> Result<Box<dyn EvolutionLearner>, EvolutionError> {
    Ok(match method {
        LearningMethod::Individual => Box::new(individual::IndividualLearner::start(setting)),
        LearningMethod::Group => Box::new(group::GroupLearner::start(setting)),
        LearningMethod::Population => Box::new(beyond::PopulationLearner::start(setting)?),
        LearningMethod::HallOfFame => Box::new(beyond::HallOfFameLearner::start(setting)?),
        LearningMethod::CmaEs => Box::new(beyond::CmaLearner::start(setting)?),
        LearningMethod::FixedOpponents => Box::new(fixed::FixedOpponentsLearner::start(setting)?),
    })
}

/// The learner where it stood; its method is that of the state.
///
/// # Errors
/// If the state is one of other options.
pub fn resume_learner(
    state: LearnerState,
    setting: RunSetting,
) -> Result<Box<dyn EvolutionLearner>, EvolutionError> {
    Ok(match state.0 {
        MethodState::Individual(state) => Box::new(individual::IndividualLearner { setting, state }),
        MethodState::Group(state) => Box::new(group::GroupLearner { setting, state }),
        MethodState::Population(state) => Box::new(beyond::PopulationLearner::resume(setting, state)?),
        MethodState::HallOfFame(state) => Box::new(beyond::HallOfFameLearner::resume(setting, *state)?),
        MethodState::CmaEs(state) => Box::new(beyond::CmaLearner::resume(setting, *state)?),
        MethodState::FixedOpponents(state) => Box::new(fixed::FixedOpponentsLearner::resume(setting, state)?),
    })
}

/// A fitness to be maximised, point by point, with the seed of each point's games.
pub(super) struct FitnessProblem<'a, F> {
    pub(super) options: &'a LearningOptions,
    /// The seed of this population.
    pub(super) seed: Seed,
    pub(super) of: F,
}

impl<F: FnMut(&Wpc, Seed) -> f64> OptimizationProblem for FitnessProblem<'_, F> {
    fn goal(&self) -> OptimizationGoal {
        OptimizationGoal::Maximize
    }

    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
        let numbered = (batch.first..).zip(batch.points);
        let value = |(number, point): (u64, &Vec<f64>)| {
            (self.of)(
                &player_from_point(point),
                self.options.evaluation_seed(self.seed, number, batch.generation),
            )
        };
        Ok(numbered.map(value).collect())
    }
}

/// A population between two generations.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct SuspendedPopulation {
    present: Option<DeState>,
    /// Members whose points the next population starts from, instead of random ones.
    start_from: Option<Vec<PopulationMember>>,
}

impl SuspendedPopulation {
    /// The present one, or the next. It is taken out.
    pub(super) fn resume_or_start(
        &mut self,
        options: &LearningOptions,
        seed: Seed,
    ) -> Result<DifferentialEvolution, EvolutionError> {
        let params = options.evolution_params()?;
        let de = match (self.present.take(), self.start_from.take()) {
            (Some(state), _) => DifferentialEvolution::resume(params, state),
            (None, None) => DifferentialEvolution::start(params, seed),
            (None, Some(members)) => {
                let points = members.into_iter().map(|member| member.point).collect();
                DifferentialEvolution::start_from(params, points, Rng::new(seed))
            }
        };
        Ok(de?)
    }

    /// It goes on with its next generation.
    pub(super) fn put_back(&mut self, de: &DifferentialEvolution) {
        self.present = Some(de.state().clone());
    }

    /// It is done with; the options may want its points for the next one after a success, itself after a failure.
    pub(super) fn conclude_population(
        &mut self,
        de: &DifferentialEvolution,
        success: bool,
        options: &LearningOptions,
    ) {
        if !success && options.after_failure == AfterFailure::GoesOn {
            return self.put_back(de);
        }
        let kept = success && options.restart == Restart::Kept;
        self.start_from = kept.then(|| de.state().population.clone());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::options::{
        Adaptation, Advance, AfterFailure, ChildReplacement, FirstPlayer, GameOrder, GameRandomness,
        LeagueStart, LeavingTime, MovingRatings, ParentValue, RatingMethod, Restart, SuccessFrom,
        WeightBounds,
    };
    use super::*;

    const METHODS: [LearningMethod; 6] = [
        LearningMethod::Individual,
        LearningMethod::Group,
        LearningMethod::Population,
        LearningMethod::HallOfFame,
        LearningMethod::CmaEs,
        LearningMethod::FixedOpponents,
    ];

    fn small() -> LearningOptions {
        LearningOptions {
            population: 6,
            t_max: 4,
            series: 2,
            games: 4,
            group: 3,
            admission: 1510.0,
            opponents: 2,
            every: 2,
            ..LearningOptions::default()
        }
    }

    fn setting(options: LearningOptions) -> RunSetting {
        RunSetting { options, seed: Seed::new(3), budget: 6000, measure_games: 4, opponents: Vec::new() }
    }

    /// The state and the points of a whole run, through a checkpoint after every so many steps.
    fn run(method: LearningMethod, options: &LearningOptions, every: usize) -> (Value, Vec<CurvePoint>, u64) {
        let mut checkpoint: Option<Value> = None;
        let mut points = Vec::new();
        loop {
            let mut learner = match &checkpoint {
                None => start_learner(method, setting(options.clone())).unwrap(),
                Some(kept) => {
                    let state = LearnerState::deserialize_as(method, kept).unwrap();
                    resume_learner(state, setting(options.clone())).unwrap()
                }
            };
            for _ in 0..every {
                match learner.advance_generation().unwrap() {
                    LearningStep::Quiet | LearningStep::Rating(_) => {}
                    LearningStep::Point(point) => points.push(point),
                    LearningStep::Over => {
                        return (json!(learner.state()), points, learner.games_played());
                    }
                }
            }
            // As the database keeps it.
            let text = json!(learner.state()).to_string();
            checkpoint = Some(serde_json::from_str(&text).unwrap());
        }
    }

    #[test]
    fn every_method_goes_on_bit_for_bit_within_its_budget() {
        for method in METHODS {
            let whole = run(method, &small(), usize::MAX);
            assert_eq!(run(method, &small(), 3), whole, "{method:?}");
            assert!(whole.2 <= 6000 && whole.2 > 5000, "{method:?}: {} games", whole.2);
            assert!(!whole.1.is_empty(), "{method:?}");
        }
    }

    /// Each reading by itself changes what comes out, and runs.
    #[test]
    fn every_reading_is_another_run() {
        let readings: Vec<(LearningMethod, LearningOptions)> = vec![
            (LearningMethod::Individual, LearningOptions { success_from: SuccessFrom::First, ..small() }),
            (LearningMethod::Individual, LearningOptions { advance: Advance::Success, k_max: 3, ..small() }),
            (LearningMethod::Individual, LearningOptions { success_from: SuccessFrom::Quarter, ..small() }),
            (LearningMethod::Individual, LearningOptions { advance: Advance::Failure, k_max: 3, ..small() }),
            (LearningMethod::Individual, LearningOptions { restart: Restart::Kept, ..small() }),
            (LearningMethod::Individual, LearningOptions { after_failure: AfterFailure::GoesOn, ..small() }),
            (
                LearningMethod::Individual,
                LearningOptions { parent_value: ParentValue::Remeasured, ..small() },
            ),
            (LearningMethod::Individual, LearningOptions { child: ChildReplacement::NotWorse, ..small() }),
            (
                LearningMethod::Individual,
                LearningOptions { first_player: FirstPlayer::RandomMoves, ..small() },
            ),
            (LearningMethod::Individual, LearningOptions { bounds: WeightBounds::Clip, ..small() }),
            (LearningMethod::Individual, LearningOptions { dice: GameRandomness::Common, ..small() }),
            (LearningMethod::Individual, LearningOptions { adaptation: Adaptation::Jade, ..small() }),
            (LearningMethod::Individual, LearningOptions { weights: 64, ..small() }),
            (LearningMethod::Group, LearningOptions { moving: MovingRatings::Both, ..small() }),
            (LearningMethod::Group, LearningOptions { order: GameOrder::MemberByMember, ..small() }),
            (LearningMethod::Group, LearningOptions { rating: RatingMethod::Likelihood, ..small() }),
            (LearningMethod::Group, LearningOptions { league_start: LeagueStart::Ratings, ..small() }),
            (LearningMethod::Group, LearningOptions { leaves: LeavingTime::BeforeLeague, ..small() }),
            (LearningMethod::Group, LearningOptions { restart: Restart::Kept, ..small() }),
            // So high that populations fail.
            (
                LearningMethod::Group,
                LearningOptions { after_failure: AfterFailure::GoesOn, admission: 1700.0, ..small() },
            ),
            (LearningMethod::Population, LearningOptions { rating: RatingMethod::Likelihood, ..small() }),
            (LearningMethod::Population, LearningOptions { dice: GameRandomness::Common, ..small() }),
            (LearningMethod::Population, LearningOptions { league_start: LeagueStart::Ratings, ..small() }),
        ];
        for (method, options) in readings {
            options.check_ranges().unwrap();
            let LearningOptions { k_max, admission, .. } = options;
            let usual = run(method, &LearningOptions { k_max, admission, ..small() }, usize::MAX);
            assert_ne!(run(method, &options, usize::MAX).0, usual.0, "{options:?}");
        }
    }

    /// The first league of a population starts from ratings that nobody has yet.
    #[test]
    fn ratings_are_numbers_whatever_a_league_starts_from() {
        for league_start in [LeagueStart::Equal, LeagueStart::Ratings] {
            for method in [LearningMethod::Group, LearningMethod::Population] {
                let options = LearningOptions { league_start, ..small() };
                let mut learner = start_learner(method, setting(options)).unwrap();
                while learner.advance_generation().unwrap() != LearningStep::Over {}
                let members = learner.current_players();
                assert!(
                    members.iter().all(|member| member.rating.is_some_and(f64::is_finite)),
                    "{method:?}, {league_start:?}: {members:?}"
                );
            }
        }
    }

    #[test]
    fn k_counts_what_the_options_say() {
        let (_, points, _) =
            run(LearningMethod::Individual, &LearningOptions { k_max: 5, ..small() }, usize::MAX);
        assert_eq!(points.iter().map(|point| point.k).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        let only = LearningOptions { advance: Advance::Success, k_max: 2, ..small() };
        let (_, points, _) = run(LearningMethod::Individual, &only, usize::MAX);
        assert!(points.iter().filter(|point| point.success).count() <= 2);
        for pair in points.windows(2) {
            assert_eq!(pair[1].k - pair[0].k, u64::from(pair[1].success));
        }
    }

    #[test]
    fn groups_grow_to_their_size_and_no_further() {
        let mut learner = start_learner(LearningMethod::Group, setting(small())).unwrap();
        let mut sizes = vec![learner.current_players().len()];
        while learner.advance_generation().unwrap() != LearningStep::Over {
            sizes.push(learner.current_players().len());
        }
        assert_eq!(sizes[0], 1);
        assert_eq!(sizes.iter().max(), Some(&3));
        assert!(sizes.windows(2).all(|pair| pair[1] == pair[0] || pair[1] == pair[0] + 1));
    }

    #[test]
    fn damaged_checkpoints_are_refused() {
        for method in METHODS {
            for damaged in [json!(null), json!({ "games": 7 }), json!([1, 2])] {
                let error = LearnerState::deserialize_as(method, &damaged).unwrap_err().to_string();
                assert!(error.starts_with("a kept state cannot be used: "), "{error}");
            }
        }
    }
}
