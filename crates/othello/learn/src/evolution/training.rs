//! Learning outside an experiment: a run of one method that goes on generation by generation.

use ishi_othello::Wpc;
use ishi_othello::oneply::MatchTally;
use ishi_rng::Seed;

use super::error::EvolutionError;
use super::fixed::FixedOpponent;
use super::games::{play_series, player_from_point};
use super::learner::{
    EvolutionLearner, LearnedPlayer, LearnerState, LearningStep, RunSetting, resume_learner, start_learner,
};
use super::options::{LearningMethod, LearningOptions};

/// Games of each look at the score against the standard on the way; they are not games of learning.
const LOOK: u64 = 1000;

/// What is to be learned.
#[derive(Clone, Debug)]
pub struct TrainingParams {
    /// The method.
    pub method: LearningMethod,
    /// Its settings.
    pub options: LearningOptions,
    /// Games of learning at most, from the start of the run.
    pub games: u64,
    /// All random numbers follow from it.
    pub seed: Seed,
    /// Whom [`LearningMethod::FixedOpponents`] plays against; nobody is the standard player.
    pub opponents: Vec<FixedOpponent>,
}

/// A player that was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainedPlayer {
    /// The player.
    pub wpc: Wpc,
    /// Its rating in the group, if the method has one.
    pub rating: Option<f64>,
}

/// Where a run stands, besides what it was given.
#[derive(Clone, Debug)]
pub struct TrainingState {
    /// The last score against the standard that was told on the way.
    pub standard: Option<f64>,
    /// Populations that have ended.
    pub populations: u64,
    /// Where the learner stands.
    pub learner: LearnerState,
}

/// A run of learning.
///
/// ```
/// use ishi_othello_learn::evolution::{EvolutionTraining, LearningMethod, TrainingParams};
/// use ishi_rng::Seed;
/// let options = "population=6,t_max=4,games=4,group=3,admission=1510".parse().unwrap();
/// let (method, opponents) = (LearningMethod::Group, Vec::new());
/// let params = TrainingParams { method, options, games: 3000, seed: Seed::new(1), opponents };
/// let mut training = EvolutionTraining::start(params.clone()).unwrap();
/// while training.run_generation().unwrap() {}
/// assert!(training.games() <= 3000);
/// // The best-rated comes first.
/// let players = training.players();
/// assert!(players.windows(2).all(|two| two[0].rating >= two[1].rating));
/// let again = EvolutionTraining::resume(params, training.state()).unwrap();
/// assert_eq!(again.players(), players);
/// ```
pub struct EvolutionTraining {
    params: TrainingParams,
    learner: Box<dyn EvolutionLearner>,
    standard: Option<f64>,
    populations: u64,
}

impl EvolutionTraining {
    /// A new run.
    ///
    /// # Errors
    /// If the settings fit no run, or some change nothing in this method.
    pub fn start(params: TrainingParams) -> Result<EvolutionTraining, EvolutionError> {
        params.options.check_used_by(params.method)?;
        let learner = start_learner(params.method, run_setting(&params))?;
        Ok(EvolutionTraining { params, learner, standard: None, populations: 0 })
    }

    /// Goes on with a run that was kept; the games may be more than before, all else is as it was.
    ///
    /// # Errors
    /// If the state is that of another run, as far as that can be seen.
    pub fn resume(params: TrainingParams, state: TrainingState) -> Result<EvolutionTraining, EvolutionError> {
        let TrainingState { standard, populations, learner } = state;
        let learner = resume_learner(learner, run_setting(&params))?;
        Ok(EvolutionTraining { params, learner, standard, populations })
    }

    /// One generation; false if the games do not suffice for another, or Kmax is reached.
    ///
    /// # Errors
    /// If evolution or rating refuses; a bug.
    pub fn run_generation(&mut self) -> Result<bool, EvolutionError> {
        match self.learner.advance_generation()? {
            LearningStep::Quiet | LearningStep::Rating(_) => {}
            LearningStep::Over => return Ok(false),
            LearningStep::Point(point) => {
                self.standard = Some(point.top.unwrap_or(point.standard));
                self.populations = point.k;
            }
        }
        Ok(true)
    }

    /// What it was given.
    pub fn params(&self) -> &TrainingParams {
        &self.params
    }

    /// Games of learning so far.
    pub fn games(&self) -> u64 {
        self.learner.games_played()
    }

    /// Populations that have ended; generations, if there is one population only.
    pub fn populations(&self) -> u64 {
        self.populations
    }

    /// The last look at the score of the best against the standard player, which most methods do not see.
    pub fn standard_score(&self) -> Option<f64> {
        self.standard
    }

    /// Where it stands.
    pub fn state(&self) -> TrainingState {
        let (standard, populations) = (self.standard, self.populations);
        TrainingState { standard, populations, learner: self.learner.state() }
    }

    /// The players that learning has come to, the best first: by rating, or by the value in the last generation.
    pub fn players(&self) -> Vec<TrainedPlayer> {
        let merit = |learned: &LearnedPlayer| learned.rating.or(learned.value).unwrap_or(0.0);
        let mut learned = self.learner.current_players();
        learned.sort_by(|a, b| merit(b).total_cmp(&merit(a)));
        let trained = |LearnedPlayer { point, rating, .. }: &LearnedPlayer| TrainedPlayer {
            wpc: player_from_point(point),
            rating: *rating,
        };
        learned.iter().map(trained).collect()
    }

    /// A player's games against another by the rules of learning, seen by the first.
    pub fn play_test_games(&self, own: &Wpc, other: &Wpc, games: u64) -> MatchTally {
        let seed = self.params.seed.child_seed("exam", 0);
        MatchTally::from_results(&play_series(&self.params.options, own, other, seed, games))
    }
}

fn run_setting(params: &TrainingParams) -> RunSetting {
    RunSetting {
        options: params.options.clone(),
        seed: params.seed,
        budget: params.games,
        measure_games: LOOK,
        opponents: params.opponents.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const METHODS: [LearningMethod; 6] = [
        LearningMethod::Individual,
        LearningMethod::Group,
        LearningMethod::Population,
        LearningMethod::HallOfFame,
        LearningMethod::CmaEs,
        LearningMethod::FixedOpponents,
    ];

    fn params(method: LearningMethod) -> TrainingParams {
        let options = match method {
            LearningMethod::Individual => "population=6,t_max=4,games=4,series=2",
            LearningMethod::Group => "population=6,t_max=4,games=4,group=3,admission=1510",
            LearningMethod::Population => "population=6,t_max=4,games=4",
            LearningMethod::HallOfFame => "population=6,games=4,group=3,opponents=2,every=2",
            LearningMethod::CmaEs => "population=6,games=4,opponents=2,every=2",
            LearningMethod::FixedOpponents => "population=6,games=4",
        };
        let (options, opponents) = (options.parse().unwrap(), Vec::new());
        TrainingParams { method, options, games: 4000, seed: Seed::new(7), opponents }
    }

    #[test]
    fn runs_go_on_as_if_they_had_not_stopped() {
        for method in METHODS {
            let mut whole = EvolutionTraining::start(params(method)).unwrap();
            while whole.run_generation().unwrap() {}
            let mut parts =
                EvolutionTraining::start(TrainingParams { games: 1500, ..params(method) }).unwrap();
            while parts.run_generation().unwrap() {}
            assert!(parts.games() < whole.games(), "{method}");
            let mut parts = EvolutionTraining::resume(params(method), parts.state()).unwrap();
            while parts.run_generation().unwrap() {}
            let all = |training: &EvolutionTraining| {
                let TrainingState { standard, populations, learner } = training.state();
                json!([standard, populations, learner])
            };
            assert_eq!(all(&parts), all(&whole), "{method}");
            assert!(whole.populations() > 0 && whole.standard_score().is_some(), "{method}");
        }
    }

    #[test]
    fn players_stand_in_the_order_of_what_they_are_worth() {
        for method in METHODS {
            let mut training = EvolutionTraining::start(params(method)).unwrap();
            while training.run_generation().unwrap() {}
            let players = training.players();
            let learned = training.learner.current_players();
            assert_eq!(players.len(), learned.len(), "{method}");
            let merit = |learned: &LearnedPlayer| learned.rating.or(learned.value).unwrap_or(0.0);
            let best = learned.iter().max_by(|a, b| merit(a).total_cmp(&merit(b))).unwrap();
            let equal = learned.iter().filter(|learned| merit(learned) == merit(best));
            let equal: Vec<Wpc> = equal.map(|learned| player_from_point(&learned.point)).collect();
            assert!(equal.contains(&players[0].wpc), "{method}");
        }
    }

    #[test]
    fn settings_that_the_method_does_not_use_are_refused() {
        for (method, text) in [
            (LearningMethod::Individual, "rating=likelihood"),
            (LearningMethod::Group, "alpha=2"),
            (LearningMethod::Population, "admission=1700"),
            (LearningMethod::HallOfFame, "t_max=50"),
            (LearningMethod::CmaEs, "f=0.5"),
            (LearningMethod::FixedOpponents, "dice=common"),
        ] {
            let options = text.parse().unwrap();
            let error = EvolutionTraining::start(TrainingParams { options, ..params(method) }).err().unwrap();
            let key = text.split('=').next().unwrap();
            assert_eq!(error.to_string(), format!("{key}: method {method} does not use it"));
        }
    }
}
