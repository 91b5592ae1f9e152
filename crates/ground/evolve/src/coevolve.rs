//! Competitive co-evolution: the only value is a result against somebody.
//!
//! A population is bred by differential evolution. In each generation every child and its parent meet (as in Takahama and
//! Sakai's pairwise comparison, ICIIBMS 2015), and both meet the same opponents out of the hall of fame (Rosin and Belew
//! 1997): a child takes its parent's place if its mean score is better. Every so many generations the best of the
//! generation enters the hall; a full hall loses somebody at random, so that old champions stay represented.
//! Without a hall this is the pairwise comparison alone.

use ishi_rng::{Rng, Seed};

use crate::de::{DeParams, DeState, DifferentialEvolution, ParentValues, TrialPoints};
use crate::draw::draw_distinct;
use crate::error::{EvolveError, check_parameter};
#[cfg(feature = "serde")]
use crate::exact;
use crate::problem::{EvaluationInterrupted, OptimizationGoal};

/// Two points that meet.
#[derive(Clone, Copy, Debug)]
pub struct Contest<'a> {
    /// Whose score is asked for.
    pub player: &'a [f64],
    /// Whom it meets.
    pub opponent: &'a [f64],
    /// The number of this contest in the whole run; noise that is drawn from a stream by it is repeatable.
    pub number: u64,
    /// Contests of the same round may be played under the same conditions (common random numbers).
    pub round: u64,
}

/// Holds the contests of a generation; gives the players' scores, 0 to 1.
pub trait ContestArbiter {
    /// The scores, in the contests' order.
    ///
    /// # Errors
    /// If it was told to stop.
    fn score_contests(&mut self, contests: &[Contest<'_>]) -> Result<Vec<f64>, EvaluationInterrupted>;
}

impl<F: FnMut(&[Contest<'_>]) -> Result<Vec<f64>, EvaluationInterrupted>> ContestArbiter for F {
    fn score_contests(&mut self, contests: &[Contest<'_>]) -> Result<Vec<f64>, EvaluationInterrupted> {
        self(contests)
    }
}

/// How to go about it.
#[derive(Clone, Debug, PartialEq)]
pub struct CoevolutionParams {
    /// Breeding. Parents are always measured again, whatever `parents` says.
    pub de: DeParams,
    /// Members of the hall of fame at most; 0 for none.
    pub hall: usize,
    /// Opponents out of the hall for each child and its parent, at most `hall`.
    pub opponents: usize,
    /// The best of every so many generations enters the hall, 1 at least.
    pub every: u64,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CoevolutionState {
    /// The population. Values are scores of the last generation, not comparable between generations.
    pub de: DeState,
    /// The hall of fame.
    pub hall: Vec<HallChampion>,
    /// Contests so far.
    pub contests: u64,
    #[cfg_attr(feature = "serde", serde(with = "exact::rng"))]
    rng: Rng,
}

/// A member of the hall of fame.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HallChampion {
    /// The point.
    #[cfg_attr(feature = "serde", serde(with = "exact::list"))]
    pub point: Vec<f64>,
    /// The generation that it was the best of.
    pub generation: u64,
}

/// A run.
///
/// ```
/// use ishi_evolve::{Coevolution, CoevolutionParams, Contest, DeParams, EvaluationInterrupted};
/// use ishi_rng::Seed;
/// // The greater number wins.
/// let mut duel = |contests: &[Contest<'_>]| -> Result<Vec<f64>, EvaluationInterrupted> {
///     Ok(contests.iter().map(|c| if c.player[0] > c.opponent[0] { 1.0 } else { 0.0 }).collect())
/// };
/// let params = CoevolutionParams { de: DeParams::new(1), hall: 3, opponents: 1, every: 2 };
/// let mut run = Coevolution::start(params, Seed::new(1)).unwrap();
/// for _ in 0..20 {
///     run.run_generation(&mut duel).unwrap();
/// }
/// let state = run.state();
/// assert!(state.de.population.iter().all(|member| member.point[0] > 1.0), "beyond where they began");
/// assert_eq!(state.hall.len(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Coevolution {
    params: CoevolutionParams,
    de: DifferentialEvolution,
    hall: Vec<HallChampion>,
    contests: u64,
    rng: Rng,
}

impl Coevolution {
    /// A run with a random first population.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn start(params: CoevolutionParams, seed: Seed) -> Result<Coevolution, EvolveError> {
        let de = DifferentialEvolution::start(breeding_params(&params), seed.child_seed("population", 0))?
            .state()
            .clone();
        let rng = seed.stream("hall", 0);
        Coevolution::resume(params, CoevolutionState { de, hall: Vec::new(), contests: 0, rng })
    }

    /// Goes on where a run stood.
    ///
    /// # Errors
    /// If a parameter is out of its range, or the state is one of other parameters.
    pub fn resume(params: CoevolutionParams, state: CoevolutionState) -> Result<Coevolution, EvolveError> {
        let CoevolutionParams { hall, opponents, every, .. } = params;
        check_parameter("opponents", opponents, opponents <= hall, "it must be at most what the hall holds")?;
        check_parameter("every", every, every > 0, "it must be 1 generation or more")?;
        let de = DifferentialEvolution::resume(breeding_params(&params), state.de)?;
        if state.hall.len() > hall || state.hall.iter().any(|c| c.point.len() != params.de.dimensions) {
            return Err(EvolveError::State("a hall of fame of another size".into()));
        }
        Ok(Coevolution { params, de, hall: state.hall, contests: state.contests, rng: state.rng })
    }

    /// Where it stands.
    pub fn state(&self) -> CoevolutionState {
        CoevolutionState {
            de: self.de.state().clone(),
            hall: self.hall.clone(),
            contests: self.contests,
            rng: self.rng.clone(),
        }
    }

    /// Contests that the next generation needs.
    pub fn next_contests(&self) -> u64 {
        if self.de.state().generation.is_none() {
            return 0;
        }
        let opponents = self.params.opponents.min(self.hall.len());
        (self.params.de.population * (1 + 2 * opponents)) as u64
    }

    /// One generation. The first one only takes the population as it is.
    ///
    /// # Errors
    /// If the arbiter was stopped or gave not one score for each contest: the state is as before.
    pub fn run_generation(&mut self, arbiter: &mut dyn ContestArbiter) -> Result<(), EvolveError> {
        let goal = OptimizationGoal::Maximize;
        let trials = self.de.ask_trials(goal);
        if trials.generation == 0 {
            let values = vec![0.5; trials.points.len()];
            return self.de.tell_values(trials, &values, goal).map(|_| ());
        }
        let mut rng = self.rng.clone();
        let (contests, opponents) = self.contests_for_trials(&trials, &mut rng);
        let scores = arbiter.score_contests(&contests)?;
        if scores.len() != contests.len() {
            return Err(EvolveError::Values { asked: contests.len(), given: scores.len() });
        }
        self.contests += contests.len() as u64;
        self.rng = rng;
        let generation = trials.generation;
        self.de.tell_values(trials, &mean_scores(&scores, self.params.de.population, opponents), goal)?;
        if generation.is_multiple_of(self.params.every) && self.params.hall > 0 {
            self.add_best_to_hall(generation);
        }
        Ok(())
    }

    /// For each place: child against parent, then both against each opponent in turn.
    fn contests_for_trials<'a>(
        &'a self,
        trials: &'a TrialPoints,
        rng: &mut Rng,
    ) -> (Vec<Contest<'a>>, usize) {
        let members = self.params.de.population;
        let opponents = self.params.opponents.min(self.hall.len());
        let mut contests = Vec::new();
        let mut add = |player: &'a [f64], opponent: &'a [f64], round: u64| {
            let number = self.contests + contests.len() as u64;
            contests.push(Contest { player, opponent, number, round });
        };
        for place in 0..members {
            let (child, parent) = (&trials.points[place], &trials.points[members + place]);
            let round = trials.generation * members as u64 + place as u64;
            add(child, parent, round);
            let mut met: Vec<usize> = Vec::new();
            for _ in 0..opponents {
                let [one] = draw_distinct::<1>(rng, self.hall.len(), &met);
                met.push(one);
                add(child, &self.hall[one].point, round);
                add(parent, &self.hall[one].point, round);
            }
        }
        (contests, opponents)
    }

    fn add_best_to_hall(&mut self, generation: u64) {
        let population = &self.de.state().population;
        let best = population.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let Some(best) = best else { return };
        let champion = HallChampion { point: best.point.clone(), generation };
        if self.hall.len() < self.params.hall {
            self.hall.push(champion);
        } else {
            let place = self.rng.next_index(self.hall.len());
            self.hall[place] = champion;
        }
    }
}

/// The parameters for breeding.
fn breeding_params(params: &CoevolutionParams) -> DeParams {
    DeParams { parents: ParentValues::Remeasure, ..params.de.clone() }
}

/// Mean scores of the children, then of their parents.
fn mean_scores(scores: &[f64], members: usize, opponents: usize) -> Vec<f64> {
    let mut values = vec![0.0; 2 * members];
    for (place, own) in scores.chunks(1 + 2 * opponents).enumerate() {
        let of = |which: usize| own[1..].iter().skip(which).step_by(2).sum::<f64>();
        values[place] = (own[0] + of(0)) / (1 + opponents) as f64;
        values[members + place] = (1.0 - own[0] + of(1)) / (1 + opponents) as f64;
    }
    values
}
