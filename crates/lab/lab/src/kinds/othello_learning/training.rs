//! Learning outside an experiment: a run of one method that goes on generation by generation, and can be kept as text.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use ishi_othello::Wpc;
use ishi_othello::oneply::MatchTally;
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::games::{play_series, player_from_point};
use super::learner::{LearnedPlayer, Learner, LearningStep, RunSetting, create_learner};
use super::options::{LearningMethod, LearningOptions};
use crate::error::LabError;

/// Games of each look at the score against the standard on the way; they are not games of learning.
const LOOK: u64 = 1000;

/// What a kept run begins with.
const FORMAT: &str = "ishi-othello-evolution 1";

/// The methods that learn a piece counter from the rules alone by differential evolution (T. Takahama, S. Sakai, individual and
/// group learning of Othello; `experiments/000-othello-learning`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingMethod {
    /// Section 4: against one opponent, the last success.
    Individual,
    /// Section 5: against a group, by rating.
    Group,
    /// Section 6: the whole group is the population.
    Population,
}

impl TrainingMethod {
    fn learning_method(self) -> LearningMethod {
        match self {
            TrainingMethod::Individual => LearningMethod::Individual,
            TrainingMethod::Group => LearningMethod::Group,
            TrainingMethod::Population => LearningMethod::Population,
        }
    }
}

/// `individual`, `group` or `population`.
impl fmt::Display for TrainingMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TrainingMethod::Individual => "individual",
            TrainingMethod::Group => "group",
            TrainingMethod::Population => "population",
        })
    }
}

/// Settings of a run: those of the experiment, docs/lab.md lists them.
///
/// ```
/// use ishi_lab::kinds::othello_learning::TrainingSettings;
/// let settings: TrainingSettings = "rating=likelihood,population=30".parse().unwrap();
/// assert_eq!(settings.to_string(), "population = 30, rating = \"likelihood\"");
/// assert!("ratings=likelihood".parse::<TrainingSettings>().unwrap_err().contains("unknown field `ratings`"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainingSettings(LearningOptions);

/// `KEY=VALUE,KEY=VALUE`; nothing leaves all as usual.
impl FromStr for TrainingSettings {
    type Err = String;

    fn from_str(text: &str) -> Result<TrainingSettings, String> {
        let mut table = serde_json::Map::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| format!("{part:?}: write KEY=VALUE, such as rating=likelihood"))?;
            let (key, value) = (key.trim(), value.trim());
            // A number is one; all else is a word.
            let value = value.parse::<Value>().ok().filter(Value::is_number).unwrap_or_else(|| json!(value));
            if table.insert(key.to_string(), value).is_some() {
                return Err(format!("{key} is given twice"));
            }
        }
        let options =
            LearningOptions::deserialize(Value::Object(table)).map_err(|error| error.to_string())?;
        options.check_ranges()?;
        Ok(TrainingSettings(options))
    }
}

/// What differs from the usual.
impl fmt::Display for TrainingSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::format_differences(&self.0))
    }
}

/// What is to be learned.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingParams {
    /// The method.
    pub way: TrainingMethod,
    /// Its settings.
    pub settings: TrainingSettings,
    /// Games of learning at most, from the start of the run.
    pub games: u64,
    /// All random numbers follow from it.
    pub seed: Seed,
}

/// A player that was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainedPlayer {
    /// The player.
    pub wpc: Wpc,
    /// Its rating in the group, if the method has one.
    pub rating: Option<f64>,
}

/// A run of learning.
///
/// ```
/// use ishi_lab::kinds::othello_learning::{EvolutionTraining, TrainingParams, TrainingMethod};
/// use ishi_rng::Seed;
/// let settings = "population=6,t_max=4,games=4,group=3,admission=1510".parse().unwrap();
/// let params = TrainingParams { way: TrainingMethod::Group, settings, games: 3000, seed: Seed::new(1) };
/// let mut training = EvolutionTraining::start(params.clone()).unwrap();
/// while training.run_generation().unwrap() {}
/// assert!(training.games() <= 3000);
/// // The best-rated comes first.
/// let players = training.players();
/// assert!(players.windows(2).all(|two| two[0].rating >= two[1].rating));
/// let again = EvolutionTraining::resume(params, &training.checkpoint().unwrap()).unwrap();
/// assert_eq!(again.players(), players);
/// ```
pub struct EvolutionTraining {
    params: TrainingParams,
    learner: Box<dyn Learner>,
    /// The last score against the standard that was told on the way.
    standard: Option<f64>,
    populations: u64,
}

/// A run as text.
#[derive(Serialize, Deserialize)]
struct KeptTraining {
    format: String,
    method: LearningMethod,
    options: LearningOptions,
    seed: String,
    standard: Option<f64>,
    populations: u64,
    state: Value,
}

impl EvolutionTraining {
    /// A new run.
    ///
    /// # Errors
    /// If the settings fit no run.
    pub fn start(params: TrainingParams) -> Result<EvolutionTraining, LabError> {
        let method = params.way.learning_method();
        params.settings.0.check_used_by(method).map_err(LabError::Input)?;
        let learner = create_learner(method, run_setting(&params), None)?;
        Ok(EvolutionTraining { params, learner, standard: None, populations: 0 })
    }

    /// Goes on with a run that was kept; the games may be more than before.
    ///
    /// # Errors
    /// If the text is no kept run, or one of another method, seed or settings.
    pub fn resume(params: TrainingParams, text: &str) -> Result<EvolutionTraining, LabError> {
        let damaged = |error| LabError::Input(format!("this is no kept run of learning: {error}"));
        let kept: KeptTraining = serde_json::from_str(text).map_err(damaged)?;
        let own = json!([FORMAT, params.way.learning_method(), params.settings.0, params.seed.to_string()]);
        let theirs = json!([kept.format, kept.method, kept.options, kept.seed]);
        for (place, what) in ["format", "method", "settings", "seed"].into_iter().enumerate() {
            let (own, theirs) = (&own[place], &theirs[place]);
            if own != theirs {
                return Err(LabError::Input(format!(
                    "the kept run has {}; give the same, or another file",
                    describe_difference(what, own, theirs)
                )));
            }
        }
        let learner = create_learner(params.way.learning_method(), run_setting(&params), Some(&kept.state))?;
        Ok(EvolutionTraining { params, learner, standard: kept.standard, populations: kept.populations })
    }

    /// One generation; false if the games do not suffice for another, or Kmax is reached.
    ///
    /// # Errors
    /// If evolution or rating refuses; a bug.
    pub fn run_generation(&mut self) -> Result<bool, LabError> {
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

    /// Games of learning so far.
    pub fn games(&self) -> u64 {
        self.learner.games_played()
    }

    /// Populations that have ended; generations, if there is one population only.
    pub fn populations(&self) -> u64 {
        self.populations
    }

    /// The last look at the score of the best against the standard player, which learning does not see.
    pub fn standard_score(&self) -> Option<f64> {
        self.standard
    }

    /// The run as text.
    ///
    /// # Errors
    /// If the state cannot be written; a bug.
    pub fn checkpoint(&self) -> Result<String, LabError> {
        let kept = KeptTraining {
            format: FORMAT.into(),
            method: self.params.way.learning_method(),
            options: self.params.settings.0.clone(),
            seed: self.params.seed.to_string(),
            standard: self.standard,
            populations: self.populations,
            state: self.learner.make_checkpoint()?,
        };
        serde_json::to_string(&kept)
            .map_err(|error| LabError::Statistics(format!("a run cannot be kept: {error}")))
    }

    /// The players that learning has come to, the best-rated first.
    pub fn players(&self) -> Vec<TrainedPlayer> {
        let pupil = |member: &LearnedPlayer| TrainedPlayer {
            wpc: player_from_point(&member.point),
            rating: member.rating,
        };
        let mut players: Vec<TrainedPlayer> = self.learner.current_players().iter().map(pupil).collect();
        let value = |pupil: &TrainedPlayer| pupil.rating.unwrap_or(0.0);
        players.sort_by(|a, b| value(b).total_cmp(&value(a)));
        players
    }

    /// A player's games against another by the rules of learning, seen by the first.
    pub fn play_test_games(&self, own: &Wpc, other: &Wpc, games: u64) -> MatchTally {
        MatchTally::from_results(&play_series(
            &self.params.settings.0,
            own,
            other,
            self.params.seed.child_seed("exam", 0),
            games,
        ))
    }
}

/// `another seed: "7", not "8"`; of settings only those that differ.
fn describe_difference(what: &str, own: &Value, theirs: &Value) -> String {
    let (Some(ours), Some(kept)) = (own.as_object(), theirs.as_object()) else {
        return format!("another {what}: {theirs}, not {own}");
    };
    let keys: BTreeSet<&String> = ours.keys().chain(kept.keys()).collect();
    let differing = keys.into_iter().filter(|&key| ours.get(key) != kept.get(key));
    let one = |key: &String| {
        let text = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
        format!("{key} {}, not {}", text(kept.get(key)), text(ours.get(key)))
    };
    format!("other {what}: {}", differing.map(one).collect::<Vec<_>>().join("; "))
}

fn run_setting(params: &TrainingParams) -> RunSetting {
    RunSetting {
        options: params.settings.0.clone(),
        seed: params.seed,
        budget: params.games,
        measure_games: LOOK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(way: TrainingMethod) -> TrainingParams {
        let settings = match way {
            TrainingMethod::Individual => "population=6,t_max=4,games=4,series=2",
            TrainingMethod::Group => "population=6,t_max=4,games=4,group=3,admission=1510",
            TrainingMethod::Population => "population=6,t_max=4,games=4",
        };
        TrainingParams { way, settings: settings.parse().unwrap(), games: 4000, seed: Seed::new(7) }
    }

    #[test]
    fn runs_go_on_as_if_they_had_not_stopped() {
        for way in [TrainingMethod::Individual, TrainingMethod::Group, TrainingMethod::Population] {
            let mut whole = EvolutionTraining::start(params(way)).unwrap();
            while whole.run_generation().unwrap() {}
            let mut parts = EvolutionTraining::start(TrainingParams { games: 1500, ..params(way) }).unwrap();
            while parts.run_generation().unwrap() {}
            assert!(parts.games() < whole.games(), "{way}");
            let mut parts = EvolutionTraining::resume(params(way), &parts.checkpoint().unwrap()).unwrap();
            while parts.run_generation().unwrap() {}
            assert_eq!(parts.checkpoint().unwrap(), whole.checkpoint().unwrap(), "{way}");
            assert!(whole.populations() > 0 && whole.standard_score().is_some(), "{way}");
        }
    }

    #[test]
    fn other_runs_are_not_gone_on_with() {
        let kept = EvolutionTraining::start(params(TrainingMethod::Group)).unwrap().checkpoint().unwrap();
        let error = |params, text: &str| EvolutionTraining::resume(params, text).err().unwrap().to_string();
        let others = [
            (params(TrainingMethod::Individual), "another method: \"group\", not \"individual\""),
            (TrainingParams { seed: Seed::new(8), ..params(TrainingMethod::Group) }, "another seed: "),
            (
                TrainingParams {
                    settings: "population=6,t_max=4,games=6,group=3,admission=1510".parse().unwrap(),
                    ..params(TrainingMethod::Group)
                },
                "the kept run has other settings: games 4, not 6; give the same",
            ),
        ];
        for (params, text) in others {
            let error = error(params, &kept);
            assert!(error.contains(text), "{error}");
        }
        assert!(error(params(TrainingMethod::Group), "{}").starts_with("this is no kept run of learning: "));
        assert!(error(params(TrainingMethod::Group), &kept[..kept.len() / 2]).contains("no kept run"));
    }

    #[test]
    fn settings_say_what_is_wrong() {
        let error = |text: &str| text.parse::<TrainingSettings>().unwrap_err();
        assert!(error("rating").contains("KEY=VALUE"));
        assert!(error("rating=glicko").contains("likelihood"));
        assert!(error("games=0").contains("games: 1 to 100000"));
        assert_eq!(error("games=5,games=6"), "games is given twice");
        assert_eq!("".parse::<TrainingSettings>().unwrap(), TrainingSettings::default());
    }

    #[test]
    fn settings_that_the_method_does_not_use_are_refused() {
        for (way, text) in [
            (TrainingMethod::Individual, "rating=likelihood"),
            (TrainingMethod::Group, "alpha=2"),
            (TrainingMethod::Population, "admission=1700"),
        ] {
            let settings = text.parse().unwrap();
            let error = EvolutionTraining::start(TrainingParams { settings, ..params(way) }).err().unwrap();
            let key = text.split('=').next().unwrap();
            assert_eq!(error.to_string(), format!("{key}: method {way} does not use it"));
        }
    }
}
