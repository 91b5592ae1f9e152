//! The readings of the paper: every number and every ambiguity is an option with a name. The defaults are those of the
//! experiment's README, which resolves them one by one.

use std::fmt;

use ishi_evolve::{BoundHandling, DeParams, DeStrategy, ParameterControl, ParentValues};
use ishi_othello::oneply::LeagueRules;
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};

use super::error::EvolutionError;

/// What learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LearningMethod {
    /// Section 4: against one opponent, the last success.
    Individual,
    /// Section 5: against a group, by rating.
    Group,
    /// Beyond the paper: the whole group is the population.
    Population,
    /// Beyond the paper: child against parent, and both against a hall of fame.
    HallOfFame,
    /// Beyond the paper: CMA-ES against its own earlier means.
    CmaEs,
    /// Beyond the paper: differential evolution against players that stay as they are.
    #[serde(rename = "de")]
    FixedOpponents,
}

/// `individual`, `group`, `population`, `hall-of-fame`, `cma-es` or `de`.
impl fmt::Display for LearningMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            LearningMethod::Individual => "individual",
            LearningMethod::Group => "group",
            LearningMethod::Population => "population",
            LearningMethod::HallOfFame => "hall-of-fame",
            LearningMethod::CmaEs => "cma-es",
            LearningMethod::FixedOpponents => "de",
        })
    }
}

/// Settings of differential evolution.
const BREEDING: &[&str] = &["strategy", "adaptation", "f", "cr", "parent_value", "child", "bounds"];
/// Settings of a fitness over series of games.
const SERIES: &[&str] = &["series", "alpha", "sigma"];
/// Settings of ratings.
const RATINGS: &[&str] = &["k_factor", "start_rating", "moving", "order", "rating", "league_start"];
/// Settings of methods in which one population follows another.
const POPULATIONS: &[&str] = &["t_max", "k_max", "success_from", "advance", "restart", "after_failure"];
/// Settings of opponents out of the past.
const PAST: &[&str] = &["opponents", "every"];

impl LearningMethod {
    /// Settings that change nothing in it.
    fn idle_settings(self) -> &'static [&'static [&'static str]] {
        match self {
            LearningMethod::Individual => &[&["group", "admission"], RATINGS, &["leaves"], PAST],
            LearningMethod::Group => &[SERIES, PAST],
            LearningMethod::Population => &[&["group"], SERIES, &["admission", "leaves"], PAST],
            LearningMethod::HallOfFame => {
                &[SERIES, RATINGS, POPULATIONS, &["admission", "leaves", "first_player", "parent_value"]]
            }
            LearningMethod::CmaEs => {
                &[BREEDING, SERIES, RATINGS, POPULATIONS, &["group", "admission", "leaves"]]
            }
            LearningMethod::FixedOpponents => &[
                SERIES,
                RATINGS,
                POPULATIONS,
                PAST,
                &["group", "admission", "leaves", "first_player", "parent_value", "dice"],
            ],
        }
    }
}

/// From which generation on a population can succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuccessFrom {
    /// From `t_max` / 2 on, as the paper says.
    Half,
    /// From `t_max` / 4 on: the only one with which 200 populations fit the paper's axes.
    Quarter,
    /// From the first one on.
    First,
}

/// When `k` advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advance {
    /// After success and after failure.
    SuccessAndFailure,
    /// After success only: 200 best players, as section 4.3 counts them.
    Success,
    /// After failure only: the steps of section 4.2 to the letter, where a success goes back to step 2 at once.
    Failure,
}

/// The population after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterFailure {
    /// A new random one (step 9 of section 4.2: back to step 2).
    New,
    /// It goes on, a failure more with each generation (step 8 of section 5.2: back to step 3).
    GoesOn,
}

/// When the lowest leaves a group that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeavingTime {
    /// After a league of all and the new one: 2,750 games with Gmax = 10 and N = 50.
    AfterLeague,
    /// Before the league, by the ratings of before: the 2,250 games that section 5.3 counts.
    BeforeLeague,
}

/// The population after a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// A new random one.
    New,
    /// The old one, measured again.
    Kept,
}

/// What becomes of a parent's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParentValue {
    /// It stays as it was measured.
    Kept,
    /// It is measured again beside the child's.
    Remeasured,
}

/// When a child takes its parent's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChildReplacement {
    /// If it is better.
    StrictlyBetter,
    /// If it is not worse.
    NotWorse,
}

/// The divisor of the standard deviation over the series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SigmaDivisor {
    /// S.
    Population,
    /// S - 1.
    Sample,
}

/// Whose rating moves while a candidate is rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MovingRatings {
    /// The candidate's.
    Candidate,
    /// The members', too, for as long as this candidate is rated.
    Both,
}

/// The order of a candidate's games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameOrder {
    /// One against each member in turn.
    Interleaved,
    /// All against one member, then all against the next.
    MemberByMember,
}

/// How games become a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RatingMethod {
    /// Elo's formula, game after game.
    Elo,
    /// The rating that makes the games most likely.
    Likelihood,
}

/// What members start a league from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeagueStart {
    /// All from `start_rating`.
    Equal,
    /// From the ratings that they have; the new one from its own.
    Ratings,
}

/// The random numbers of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameRandomness {
    /// Every evaluation has its own.
    Own,
    /// All evaluations of a generation have the same (common random numbers).
    Common,
}

/// What keeps weights in their interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightBounds {
    /// Nothing: only the proportions of weights count.
    None,
    /// Clipping to [-1, 1].
    Clip,
}

/// The player that learning starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstPlayer {
    /// One with random weights.
    RandomWeights,
    /// One that moves at random.
    RandomMoves,
}

/// How F and CR are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adaptation {
    /// As given.
    Fixed,
    /// JADE, c = 0.1.
    Jade,
    /// SHADE with a memory of NP entries.
    Shade,
}

/// All options of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearningOptions {
    /// Weights: 10 (a to j) or 64.
    pub weights: usize,
    /// The probability of a random move.
    pub epsilon: f64,
    /// The strategy of differential evolution, such as `DE/rand/1/bin`.
    pub strategy: String,
    /// How F and CR are chosen.
    pub adaptation: Adaptation,
    /// F, the weight of a difference.
    pub f: f64,
    /// CR, the share of a child that is not its parent's.
    pub cr: f64,
    /// NP.
    pub population: usize,
    /// Tmax.
    pub t_max: u64,
    /// Kmax.
    pub k_max: u64,
    /// S.
    pub series: u64,
    /// N: games of a series, and against each member.
    pub games: u64,
    /// The weight of the standard deviation in the fitness.
    pub alpha: f64,
    /// Gmax.
    pub group: usize,
    /// The rating above which a candidate is admitted.
    pub admission: f64,
    /// Elo's K.
    pub k_factor: f64,
    /// The rating that everybody starts with.
    pub start_rating: f64,
    /// The player that learning starts from.
    pub first_player: FirstPlayer,
    /// From which generation on a population can succeed.
    pub success_from: SuccessFrom,
    /// When `k` advances.
    pub advance: Advance,
    /// The population after a success.
    pub restart: Restart,
    /// The population after a failure.
    pub after_failure: AfterFailure,
    /// What becomes of a parent's value.
    pub parent_value: ParentValue,
    /// When a child takes its parent's place.
    pub child: ChildReplacement,
    /// The divisor of the standard deviation.
    pub sigma: SigmaDivisor,
    /// Whose rating moves while a candidate is rated.
    pub moving: MovingRatings,
    /// The order of a candidate's games.
    pub order: GameOrder,
    /// How games become a rating.
    pub rating: RatingMethod,
    /// What members start a league from.
    pub league_start: LeagueStart,
    /// When the lowest leaves a group that is too large.
    pub leaves: LeavingTime,
    /// The random numbers of games.
    pub dice: GameRandomness,
    /// What keeps weights in their interval.
    pub bounds: WeightBounds,
    /// Hall of fame, and pool of CMA-ES: opponents of a candidate.
    pub opponents: usize,
    /// Generations between two entries into the hall or the pool.
    pub every: u64,
}

impl Default for LearningOptions {
    fn default() -> LearningOptions {
        LearningOptions {
            weights: 10,
            epsilon: 0.1,
            strategy: "DE/rand/1/bin".into(),
            adaptation: Adaptation::Fixed,
            f: 0.7,
            cr: 0.9,
            population: 20,
            t_max: 100,
            k_max: 200,
            series: 10,
            games: 50,
            alpha: 1.3,
            group: 10,
            admission: 1600.0,
            k_factor: 32.0,
            start_rating: 1500.0,
            first_player: FirstPlayer::RandomWeights,
            success_from: SuccessFrom::Half,
            advance: Advance::SuccessAndFailure,
            restart: Restart::New,
            after_failure: AfterFailure::New,
            parent_value: ParentValue::Kept,
            child: ChildReplacement::StrictlyBetter,
            sigma: SigmaDivisor::Population,
            moving: MovingRatings::Candidate,
            order: GameOrder::Interleaved,
            rating: RatingMethod::Elo,
            league_start: LeagueStart::Equal,
            leaves: LeavingTime::AfterLeague,
            dice: GameRandomness::Own,
            bounds: WeightBounds::None,
            opponents: 10,
            every: 5,
        }
    }
}

impl LearningOptions {
    /// Checks every number.
    ///
    /// # Errors
    /// What is out of range, and what would be right.
    pub fn check_ranges(&self) -> Result<(), EvolutionError> {
        let limits: [(&str, bool, &str); 12] = [
            ("weights", [10, 64].contains(&self.weights), "10 or 64"),
            ("epsilon", (0.0..=1.0).contains(&self.epsilon), "0 to 1"),
            ("t_max", (1..=100_000).contains(&self.t_max), "1 to 100000"),
            ("k_max", (1..=100_000).contains(&self.k_max), "1 to 100000"),
            ("series", (2..=10_000).contains(&self.series), "2 to 10000"),
            ("games", (1..=100_000).contains(&self.games), "1 to 100000"),
            ("alpha", self.alpha.is_finite(), "a finite number"),
            ("group", (1..=200).contains(&self.group), "1 to 200"),
            ("admission", self.admission.is_finite(), "a finite number"),
            ("k_factor", self.k_factor > 0.0 && self.k_factor <= 1000.0, "above 0, at most 1000"),
            ("start_rating", self.start_rating.abs() <= 1e6, "at most a million"),
            (
                "opponents",
                (1..=200).contains(&self.opponents) && self.every > 0,
                "1 to 200, with every above 0",
            ),
        ];
        if let Some((name, _, right)) = limits.iter().find(|(_, ok, _)| !ok) {
            return Err(EvolutionError::Settings(format!("{name}: {right}")));
        }
        Ok(self.evolution_params()?.check_parameters()?)
    }

    /// Are all settings that differ from the usual ones of use to this method?
    ///
    /// # Errors
    /// The first that is not.
    pub fn check_used_by(&self, method: LearningMethod) -> Result<(), EvolutionError> {
        let differing: Vec<&str> = self.list_differences().into_iter().map(|(key, _)| key).collect();
        match method.idle_settings().iter().copied().flatten().find(|key| differing.contains(*key)) {
            Some(key) => Err(EvolutionError::Settings(format!("{key}: method {method} does not use it"))),
            None => Ok(()),
        }
    }

    /// The generation from which on success counts.
    pub(super) fn success_from(&self) -> u64 {
        match self.success_from {
            SuccessFrom::Half => self.t_max / 2,
            SuccessFrom::Quarter => self.t_max / 4,
            SuccessFrom::First => 0,
        }
    }

    /// Does `k` count a population with this end?
    pub(super) fn counts_population(&self, success: bool) -> bool {
        match self.advance {
            Advance::SuccessAndFailure => true,
            Advance::Success => success,
            Advance::Failure => !success,
        }
    }

    /// The parameters of differential evolution.
    pub(super) fn evolution_params(&self) -> Result<DeParams, EvolutionError> {
        let strategy: DeStrategy = self.strategy.parse()?;
        let control = match self.adaptation {
            Adaptation::Fixed => ParameterControl::Fixed { f: self.f, cr: self.cr },
            Adaptation::Jade => ParameterControl::Jade { c: 0.1 },
            Adaptation::Shade => ParameterControl::Shade { memory: self.population.max(1) },
        };
        let parents = match self.parent_value {
            ParentValue::Kept => ParentValues::KeepValue,
            ParentValue::Remeasured => ParentValues::Remeasure,
        };
        let bounds = match self.bounds {
            WeightBounds::None => BoundHandling::None,
            WeightBounds::Clip => BoundHandling::Clip { low: -1.0, high: 1.0 },
        };
        Ok(DeParams {
            strategy,
            control,
            population: self.population,
            bounds,
            parents,
            ties_replace: self.child == ChildReplacement::NotWorse,
            archive: self.adaptation != Adaptation::Fixed,
            ..DeParams::new(self.weights)
        })
    }

    /// The rules of its games.
    pub fn league_rules(&self) -> LeagueRules {
        LeagueRules { epsilon: self.epsilon }
    }

    /// The seed of an evaluation's games.
    pub(super) fn evaluation_seed(&self, seed: Seed, evaluation: u64, generation: u64) -> Seed {
        match self.dice {
            GameRandomness::Own => seed.child_seed("evaluation", evaluation),
            GameRandomness::Common => seed.child_seed("generation", generation),
        }
    }
}
