//! Differential evolution, one generation at a time.
//!
//! A generation makes a child of each member, asks for their values as one batch, and lets a child take its parent's place
//! if it is better (the "generational" form of Storn and Price: all children are made of the old population).
//! [`DifferentialEvolution::ask_trials`] and [`DifferentialEvolution::tell_values`] are the two halves, for who wants to evaluate himself; [`DifferentialEvolution::run_until_limit`] does both until a limit.

use ishi_rng::{Rng, Seed};

use crate::adapt::{ChildFactors, ParameterControl, SuccessMemory, SuccessfulChild};
use crate::bounds::BoundHandling;
use crate::draw::draw_distinct;
use crate::error::{EvolveError, check_parameter};
#[cfg(feature = "serde")]
use crate::exact;
use crate::observe::{EvolutionObserver, GenerationReport, RunEnd, RunLimits};
use crate::problem::{OptimizationGoal, OptimizationProblem, PointBatch};
use crate::strategy::{DeStrategy, MutationBase};

/// The most coordinates of all members together: 800 MB. What a caller may ask for must not end the program.
const MOST_COORDINATES: usize = 100_000_000;

/// What happens to a parent's value when it meets its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentValues {
    /// It is kept as it was once measured.
    KeepValue,
    /// It is measured again in the same batch as the children: with noise nobody lives on by one lucky measurement, at
    /// twice the cost.
    Remeasure,
}

/// How to go about it.
#[derive(Clone, Debug, PartialEq)]
pub struct DeParams {
    /// `DE/base/num/cross`.
    pub strategy: DeStrategy,
    /// F and CR.
    pub control: ParameterControl,
    /// Members, NP: [`DeStrategy::min_population`] to 100,000.
    pub population: usize,
    /// Coordinates of a point, 1 at least; all members together have 100,000,000 at most.
    pub dimensions: usize,
    /// The first population is uniform in this interval, in every coordinate.
    pub initial: (f64, f64),
    /// The box.
    pub bounds: BoundHandling,
    /// What parents do.
    pub parents: ParentValues,
    /// Does a child that is as good as its parent take its place? Storn and Price say yes.
    pub ties_replace: bool,
    /// The share of the best for `current-to-pbest`, above 0 and at most 1 (0.05 in JADE); the greatest one with SHADE
    /// (0.2).
    pub p_best: f64,
    /// Parents that lost are kept, at most NP of them, as material for `current-to-pbest` (JADE's archive).
    pub archive: bool,
}

impl DeParams {
    /// `DE/rand/1/bin` with F = 0.5 and CR = 0.9 in [-1, 1], ten members for each dimension, no bounds.
    ///
    /// ```
    /// use ishi_evolve::{BoundHandling, DeParams};
    /// let params = DeParams { bounds: BoundHandling::Reflect { low: -1.0, high: 1.0 }, ..DeParams::new(5) };
    /// assert_eq!(params.population, 50);
    /// ```
    pub fn new(dimensions: usize) -> DeParams {
        DeParams {
            strategy: DeStrategy::RAND_1_BIN,
            control: ParameterControl::Fixed { f: 0.5, cr: 0.9 },
            population: dimensions.max(1).saturating_mul(10),
            dimensions,
            initial: (-1.0, 1.0),
            bounds: BoundHandling::None,
            parents: ParentValues::KeepValue,
            ties_replace: true,
            p_best: 0.1,
            archive: false,
        }
    }

    /// ```
    /// use ishi_evolve::DeParams;
    /// let few = DeParams { population: 3, ..DeParams::new(5) };
    /// assert!(few.check_parameters().unwrap_err().to_string().starts_with("invalid population 3: DE/rand/1/bin needs 4"));
    /// ```
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn check_parameters(&self) -> Result<(), EvolveError> {
        let least = self.strategy.min_population();
        let right = format!("{} needs {least} members at least, 100000 are the most", self.strategy);
        check_parameter("population", self.population, (least..=100_000).contains(&self.population), right)?;
        let most = MOST_COORDINATES / self.population.max(1);
        let right = format!("a point must have 1 to {most} coordinates, with {} members", self.population);
        check_parameter("dimensions", self.dimensions, (1..=most).contains(&self.dimensions), right)?;
        let (low, high) = self.initial;
        let ok = low.is_finite() && high.is_finite() && low <= high;
        check_parameter(
            "initial interval",
            format!("[{low}, {high}]"),
            ok,
            "it must be two finite numbers in order",
        )?;
        check_parameter(
            "p_best",
            self.p_best,
            self.p_best > 0.0 && self.p_best <= 1.0,
            "p must be above 0 and at most 1",
        )?;
        self.bounds.check_sides()?;
        self.control.check_parameters()
    }
}

/// A point and its value.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PopulationMember {
    /// The point.
    #[cfg_attr(feature = "serde", serde(with = "exact::list"))]
    pub point: Vec<f64>,
    /// Its value as last measured.
    #[cfg_attr(feature = "serde", serde(with = "exact"))]
    pub value: f64,
}

/// Where a run stands: all that it needs to go on, bit for bit.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DeState {
    /// Generations that are over; `None` before the first population has values.
    pub generation: Option<u64>,
    /// Evaluations so far.
    pub evaluations: u64,
    /// The members, in their places.
    pub population: Vec<PopulationMember>,
    /// The best that was ever seen; with noise, the luckiest.
    pub best: Option<PopulationMember>,
    memory: SuccessMemory,
    archive: Vec<PopulationMember>,
    #[cfg_attr(feature = "serde", serde(with = "exact::rng"))]
    rng: Rng,
}

/// Children that wait for their values.
#[derive(Clone, Debug)]
pub struct TrialPoints {
    /// The points to be measured: first population, or children, followed by their parents if those are
    /// measured again.
    pub points: Vec<Vec<f64>>,
    /// The number of the first evaluation among them.
    pub first: u64,
    /// The generation that they belong to.
    pub generation: u64,
    factors: Vec<ChildFactors>,
    rng: Rng,
}

impl TrialPoints {
    /// The points as a problem is asked about them.
    pub fn as_batch(&self) -> PointBatch<'_> {
        PointBatch { points: &self.points, first: self.first, generation: self.generation }
    }
}

/// A run of differential evolution.
///
/// ```
/// use ishi_evolve::{DifferentialEvolution, DeParams, RunLimits, problem::Minimize};
/// use ishi_rng::Seed;
/// let sphere = |x: &[f64]| x.iter().map(|v| v * v).sum();
/// let mut de = DifferentialEvolution::start(DeParams::new(3), Seed::new(1)).unwrap();
/// let limits = RunLimits { generations: Some(100), ..RunLimits::default() };
/// de.run_until_limit(&mut Minimize(sphere), &limits, &mut ()).unwrap();
/// assert!(de.state().best.as_ref().unwrap().value < 1e-6);
/// assert_eq!(de.state().evaluations, 30 * 101);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DifferentialEvolution {
    params: DeParams,
    state: DeState,
}

impl DifferentialEvolution {
    /// A run with a random first population.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn start(params: DeParams, seed: Seed) -> Result<DifferentialEvolution, EvolveError> {
        params.check_parameters()?;
        let mut rng = Rng::new(seed);
        let (low, high) = params.initial;
        let mut point = || (0..params.dimensions).map(|_| low + (high - low) * rng.next_unit()).collect();
        let points = (0..params.population).map(|_| point()).collect();
        DifferentialEvolution::start_from(params, points, rng)
    }

    /// A run whose first population is given.
    ///
    /// # Errors
    /// If a parameter is out of its range, or the points do not fit the parameters.
    pub fn start_from(
        params: DeParams,
        points: Vec<Vec<f64>>,
        rng: Rng,
    ) -> Result<DifferentialEvolution, EvolveError> {
        let population =
            points.into_iter().map(|point| PopulationMember { point, value: f64::NAN }).collect();
        let state = DeState {
            generation: None,
            evaluations: 0,
            population,
            best: None,
            memory: params.control.initial_memory(),
            archive: Vec::new(),
            rng,
        };
        DifferentialEvolution::resume(params, state)
    }

    /// Goes on where a run stood.
    ///
    /// # Errors
    /// If a parameter is out of its range, or the state is one of other parameters.
    pub fn resume(params: DeParams, state: DeState) -> Result<DifferentialEvolution, EvolveError> {
        params.check_parameters()?;
        let wrong = |what: String| Err(EvolveError::State(what));
        if state.population.len() != params.population {
            return wrong(format!("{} members instead of {}", state.population.len(), params.population));
        }
        let all = state.population.iter().chain(&state.archive).chain(&state.best);
        if let Some(other) = all.map(|m| m.point.len()).find(|&len| len != params.dimensions) {
            return wrong(format!("a point with {other} coordinates instead of {}", params.dimensions));
        }
        if !params.control.fits_memory(&state.memory) {
            return wrong("a memory of another control of F and CR".into());
        }
        if state.generation.is_some() && state.best.is_none() {
            return wrong("a generation without a best member".into());
        }
        Ok(DifferentialEvolution { params, state })
    }

    /// The parameters.
    pub fn params(&self) -> &DeParams {
        &self.params
    }

    /// Where it stands.
    pub fn state(&self) -> &DeState {
        &self.state
    }

    /// Evaluations that the next generation will cost.
    pub fn next_evaluations(&self) -> u64 {
        let members = self.params.population as u64;
        let twice = self.state.generation.is_some() && self.params.parents == ParentValues::Remeasure;
        members * (1 + u64::from(twice))
    }

    /// The points whose values are wanted next. Asking changes nothing: who asks twice gets the same.
    ///
    /// ```
    /// use ishi_evolve::{DeParams, DifferentialEvolution, OptimizationGoal};
    /// use ishi_rng::Seed;
    /// let goal = OptimizationGoal::Minimize;
    /// let mut run = DifferentialEvolution::start(DeParams::new(2), Seed::new(1)).unwrap();
    /// for _ in 0..50 {
    ///     let trials = run.ask_trials(goal);
    ///     let values: Vec<f64> = trials.points.iter().map(|x| (x[0] - 0.3).powi(2) + x[1].powi(2)).collect();
    ///     run.tell_values(trials, &values, goal).unwrap();
    /// }
    /// assert!(run.state().best.as_ref().unwrap().value < 1e-3);
    /// ```
    pub fn ask_trials(&self, goal: OptimizationGoal) -> TrialPoints {
        // The state's own numbers move on when the values are told: a run that is cut off before asks for the same points again.
        let mut rng = self.state.rng.clone();
        let (mut points, mut factors) = (Vec::new(), Vec::new());
        if self.state.generation.is_none() {
            points = self.state.population.iter().map(|member| member.point.clone()).collect();
        } else {
            let ranking = self.rank_members(goal);
            for parent in 0..self.params.population {
                let (child, used) = self.make_child(parent, &ranking, &mut rng);
                points.push(child);
                factors.push(used);
            }
            if self.params.parents == ParentValues::Remeasure {
                points.extend(self.state.population.iter().map(|member| member.point.clone()));
            }
        }
        let generation = self.state.generation.map_or(0, |generation| generation + 1);
        TrialPoints { points, first: self.state.evaluations, generation, factors, rng }
    }

    /// The members' places, the best first.
    fn rank_members(&self, goal: OptimizationGoal) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.params.population).collect();
        let value = |place: &usize| self.state.population[*place].value;
        places.sort_by(|a, b| goal.compare_values(value(a), value(b)));
        places
    }

    /// A child of a member.
    fn make_child(&self, parent: usize, ranking: &[usize], rng: &mut Rng) -> (Vec<f64>, ChildFactors) {
        let DeParams { strategy, control, population, p_best, .. } = self.params;
        let factors = control.draw_factors(&self.state.memory, p_best, population, rng);
        let mutant = self.make_mutant(parent, ranking, factors, rng);
        let mask = strategy.crossover.draw_mask(rng, self.params.dimensions, factors.cr);
        let own = &self.state.population[parent].point;
        let mut child: Vec<f64> =
            mask.iter().zip(own.iter().zip(&mutant)).map(|(&m, (&o, &n))| if m { n } else { o }).collect();
        self.params.bounds.apply_to_point(&mut child, rng);
        (child, factors)
    }

    /// `base + F (difference) [+ F (difference)]`; all members that are drawn are different from each other and from the
    /// parent.
    fn make_mutant(
        &self,
        parent: usize,
        ranking: &[usize],
        factors: ChildFactors,
        rng: &mut Rng,
    ) -> Vec<f64> {
        let [base, a, b, c, d] = self.draw_members(parent, rng);
        let point = |place: usize| &self.state.population[place].point;
        let own = point(parent);
        let (from, towards) = match self.params.strategy.base {
            MutationBase::Rand => (point(base), None),
            MutationBase::Best => (point(ranking[0]), None),
            MutationBase::CurrentToBest => (own, Some(point(ranking[0]))),
            MutationBase::CurrentToPBest => {
                let some = (factors.p * ranking.len() as f64).round().max(1.0) as usize;
                (own, Some(point(ranking[rng.next_index(some.min(ranking.len()))])))
            }
        };
        let second = self.second_difference_point(b, rng);
        let mut mutant = from.clone();
        let mut add = |plus: &[f64], minus: &[f64]| {
            for (value, (p, m)) in mutant.iter_mut().zip(plus.iter().zip(minus)) {
                *value += factors.f * (p - m);
            }
        };
        if let Some(best) = towards {
            add(best, own);
        }
        add(point(a), second);
        if self.params.strategy.two_differences {
            add(point(c), point(d));
        }
        mutant
    }

    /// Places for base and differences; those that the strategy does not need are any.
    fn draw_members(&self, parent: usize, rng: &mut Rng) -> [usize; 5] {
        let len = self.params.population;
        let rand = self.params.strategy.base == MutationBase::Rand;
        match (rand, self.params.strategy.two_differences) {
            (true, true) => draw_distinct::<5>(rng, len, &[parent]),
            // Places that the strategy does not use repeat another, so that no number is drawn for them.
            (true, false) => {
                let [base, a, b] = draw_distinct::<3>(rng, len, &[parent]);
                [base, a, b, b, b]
            }
            (false, true) => {
                let [a, b, c, d] = draw_distinct::<4>(rng, len, &[parent]);
                [a, a, b, c, d]
            }
            (false, false) => {
                let [a, b] = draw_distinct::<2>(rng, len, &[parent]);
                [a, a, b, b, b]
            }
        }
    }

    /// Member `b`, or with an archive any of members and archive: `b` stands for its share of both.
    fn second_difference_point(&self, b: usize, rng: &mut Rng) -> &[f64] {
        let archive = &self.state.archive;
        if self.params.archive && !archive.is_empty() {
            let drawn = rng.next_index(self.params.population + archive.len());
            if drawn >= self.params.population {
                return &archive[drawn - self.params.population].point;
            }
        }
        &self.state.population[b].point
    }

    /// Takes the values of what was asked for; says whether there is a new best.
    ///
    /// # Errors
    /// If there is not one value for each point. Nothing is changed then.
    pub fn tell_values(
        &mut self,
        trials: TrialPoints,
        values: &[f64],
        goal: OptimizationGoal,
    ) -> Result<bool, EvolveError> {
        let asked = trials.points.len();
        if values.len() != asked || trials.first != self.state.evaluations {
            return Err(EvolveError::Values { asked, given: values.len() });
        }
        // Before the survivors are chosen: the archive draws from it.
        self.state.rng = trials.rng;
        self.state.generation = Some(trials.generation);
        self.state.evaluations += asked as u64;
        if trials.generation == 0 {
            for (member, &value) in self.state.population.iter_mut().zip(values) {
                member.value = value;
            }
        } else {
            self.select_survivors(trials.points, &trials.factors, values, goal);
        }
        Ok(self.update_best(goal))
    }

    /// Each child against its parent.
    fn select_survivors(
        &mut self,
        points: Vec<Vec<f64>>,
        factors: &[ChildFactors],
        values: &[f64],
        goal: OptimizationGoal,
    ) {
        let members = self.params.population;
        let mut successes = Vec::new();
        for (place, point) in points.into_iter().take(members).enumerate() {
            let value = values[place];
            let parent = &mut self.state.population[place];
            // Values beyond the children's are there only where parents are measured again.
            if let Some(&again) = values.get(members + place) {
                parent.value = again;
            }
            let strictly = goal.is_better(value, parent.value);
            if strictly || (self.params.ties_replace && value == parent.value) {
                let gain = value - parent.value;
                let lost = std::mem::replace(parent, PopulationMember { point, value });
                // A tie lets the population drift over a plateau, but there is nothing to learn from it, and nothing better to keep.
                if strictly {
                    successes.push(SuccessfulChild { factors: factors[place], gain });
                    self.keep_in_archive(lost);
                }
            }
        }
        self.params.control.update_memory(&mut self.state.memory, &successes);
    }

    /// A full archive loses somebody at random.
    fn keep_in_archive(&mut self, lost: PopulationMember) {
        if !self.params.archive {
            return;
        }
        if self.state.archive.len() < self.params.population {
            self.state.archive.push(lost);
        } else {
            let place = self.state.rng.next_index(self.state.archive.len());
            self.state.archive[place] = lost;
        }
    }

    fn update_best(&mut self, goal: OptimizationGoal) -> bool {
        let now = &self.state.population[self.rank_members(goal)[0]];
        let new = self.state.best.as_ref().is_none_or(|best| goal.is_better(now.value, best.value));
        if new {
            self.state.best = Some(now.clone());
        }
        new
    }

    /// One generation; says whether there is a new best.
    ///
    /// # Errors
    /// If the problem was stopped, or gave too many or too few values: the state is as before.
    pub fn run_generation(&mut self, problem: &mut dyn OptimizationProblem) -> Result<bool, EvolveError> {
        let goal = problem.goal();
        let trials = self.ask_trials(goal);
        let values = problem.evaluate_batch(&trials.as_batch())?;
        self.tell_values(trials, &values, goal)
    }

    /// Generation after generation, until a limit is reached.
    ///
    /// # Errors
    /// If the problem gives too many or too few values. Being stopped is no error, but an end.
    pub fn run_until_limit(
        &mut self,
        problem: &mut dyn OptimizationProblem,
        limits: &RunLimits<'_>,
        observer: &mut dyn EvolutionObserver,
    ) -> Result<RunEnd, EvolveError> {
        let goal = problem.goal();
        loop {
            if let Some(end) = self.reached_limit(limits, goal) {
                return Ok(end);
            }
            let new_best = match self.run_generation(problem) {
                Err(EvolveError::Interrupted) => return Ok(RunEnd::Stopped),
                other => other?,
            };
            self.notify_observer(new_best, observer);
        }
    }

    fn reached_limit(&self, limits: &RunLimits<'_>, goal: OptimizationGoal) -> Option<RunEnd> {
        let best = self.state.best.as_ref().map(|best| best.value);
        let next = self.state.generation.map_or(0, |generation| generation + 1);
        limits.find_end(best, next, self.state.evaluations + self.next_evaluations(), goal)
    }

    fn notify_observer(&self, new_best: bool, observer: &mut dyn EvolutionObserver) {
        let DeState { generation, evaluations, population, best, .. } = &self.state;
        let (Some(best), Some(generation)) = (best, generation) else { return };
        let mean = population.iter().map(|member| member.value).sum::<f64>() / population.len() as f64;
        observer.on_generation(&GenerationReport {
            generation: *generation,
            evaluations: *evaluations,
            best,
            new_best,
            mean,
        });
    }
}
