//! CMA-ES, by the crate `basin` (Hansen 2016, with negative weights).
//!
//! The library keeps its generator and its covariance matrix to itself and asks for one value after the other. A state
//! therefore is the seed and the values that were given: to go on, the library is led through them again, which costs no
//! evaluation, and stands bit for bit where it stood. That takes an eigendecomposition for each earlier generation:
//! microseconds in ten dimensions, milliseconds in sixty-four. (The crate `cmaes` keeps its state to itself likewise.)

use std::cell::RefCell;
use std::collections::VecDeque;

use basin::{CostFunction, DenseMatrix, Solver};

use crate::de::PopulationMember;
use crate::error::{EvolveError, check_parameter};
#[cfg(feature = "serde")]
use crate::exact;
use crate::observe::{EvolutionObserver, GenerationReport, RunEnd, RunLimits};
use crate::problem::{EvaluationInterrupted, OptimizationGoal, OptimizationProblem, PointBatch};

/// Where to begin.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CmaParams {
    /// The first mean.
    #[cfg_attr(feature = "serde", serde(with = "exact::list"))]
    pub mean: Vec<f64>,
    /// The first standard deviation in every coordinate, above 0.
    #[cfg_attr(feature = "serde", serde(with = "exact"))]
    pub sigma: f64,
    /// Points of a generation, lambda: 4 at least; `4 + 3 ln n` if `None`.
    pub population: Option<usize>,
    /// The library's seed.
    pub seed: u64,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CmaState {
    /// Where it began.
    pub params: CmaParams,
    /// Every value that was given, as the library minimises them.
    #[cfg_attr(feature = "serde", serde(with = "exact::list"))]
    values: Vec<f64>,
    /// The best that was seen.
    pub best: Option<PopulationMember>,
}

type CmaPoint = Vec<f64>;
type CmaLibraryState = basin::CmaEsState<CmaPoint, DenseMatrix>;

/// A generation before its values are known.
#[derive(Clone, Debug, PartialEq)]
pub struct CmaGeneration {
    /// The mean from which it is drawn: what the run recommends by now.
    pub mean: Vec<f64>,
    /// The step size with which it is drawn.
    pub step_size: f64,
    /// Its points.
    pub points: Vec<Vec<f64>>,
}

/// Notes the points that it is asked for. The values that it gives are of no meaning.
#[derive(Default)]
struct PointRecorder(Vec<Vec<f64>>);

impl OptimizationProblem for PointRecorder {
    fn goal(&self) -> OptimizationGoal {
        OptimizationGoal::Minimize
    }

    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
        self.0.extend_from_slice(batch.points);
        Ok(vec![0.0; batch.points.len()])
    }
}

/// What the library asks: values that are known already, then those of the problem.
struct CostOracle<'a> {
    shared: RefCell<GenerationSample<'a>>,
    population: usize,
}

struct GenerationSample<'a> {
    known: VecDeque<f64>,
    problem: Option<&'a mut dyn OptimizationProblem>,
    first: u64,
    generation: u64,
    /// Points and values of this generation.
    given: Vec<PopulationMember>,
}

impl CostFunction for CostOracle<'_> {
    type Param = CmaPoint;
    type Output = f64;
    type Error = EvolveError;

    fn cost(&self, point: &CmaPoint) -> Result<f64, EvolveError> {
        let mut asked = self.shared.borrow_mut();
        // After its sample the library asks for the mean, only to report it: that is not worth an evaluation.
        if asked.given.len() == self.population {
            return Ok(f64::NAN);
        }
        let value = match asked.known.pop_front() {
            Some(value) => value,
            None => asked.measure_point(point)?,
        };
        asked.given.push(PopulationMember { point: point.clone(), value });
        Ok(value)
    }
}

impl GenerationSample<'_> {
    /// The value of a point, with the sign that makes it to be minimised; what is no number is the worst.
    fn measure_point(&mut self, point: &CmaPoint) -> Result<f64, EvolveError> {
        let problem = self.problem.as_mut().ok_or_else(|| EvolveError::Library("no values left".into()))?;
        let first = self.first + self.given.len() as u64;
        let batch = PointBatch { points: std::slice::from_ref(point), first, generation: self.generation };
        let values = problem.evaluate_batch(&batch)?;
        let [value] = values[..] else {
            return Err(EvolveError::Values { asked: 1, given: values.len() });
        };
        let sign = if problem.goal() == OptimizationGoal::Maximize { -1.0 } else { 1.0 };
        Ok(if value.is_nan() { f64::INFINITY } else { sign * value })
    }
}

/// A run of CMA-ES.
///
/// ```
/// use ishi_evolve::{CmaEs, CmaParams, RunLimits, problem::Minimize};
/// let params = CmaParams { mean: vec![1.0; 5], sigma: 0.5, population: None, seed: 1 };
/// let mut cma = CmaEs::start(params).unwrap();
/// let limits = RunLimits { generations: Some(100), ..RunLimits::default() };
/// let sphere = |x: &[f64]| x.iter().map(|v| v * v).sum();
/// cma.run_until_limit(&mut Minimize(sphere), &limits, &mut ()).unwrap();
/// assert!(cma.state().best.as_ref().unwrap().value < 1e-6);
/// ```
pub struct CmaEs {
    solver: basin::CmaEs<CmaPoint, DenseMatrix>,
    /// `None` before the first generation.
    inner: Option<CmaLibraryState>,
    state: CmaState,
    population: usize,
}

impl CmaEs {
    /// A new run.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn start(params: CmaParams) -> Result<CmaEs, EvolveError> {
        let n = params.mean.len();
        check_parameter("dimensions", n, n > 0, "a point must have one coordinate or more")?;
        check_parameter(
            "mean",
            format!("{:?}", params.mean),
            params.mean.iter().all(|v| v.is_finite()),
            "its coordinates must be finite",
        )?;
        check_parameter(
            "sigma",
            params.sigma,
            params.sigma > 0.0 && params.sigma.is_finite(),
            "sigma must be finite, and above 0",
        )?;
        let usual = basin::CmaEs::<CmaPoint, DenseMatrix>::default_lambda(n);
        let population = params.population.unwrap_or(usual);
        check_parameter(
            "population",
            population,
            (4..=100_000).contains(&population),
            "it must be 4 to 100000 points",
        )?;
        let solver = basin::CmaEs::new(params.seed).with_lambda(population);
        let state = CmaState { params, values: Vec::new(), best: None };
        Ok(CmaEs { solver, inner: None, state, population })
    }

    /// Goes on where a run stood.
    ///
    /// # Errors
    /// If the state cannot be one.
    pub fn resume(state: CmaState) -> Result<CmaEs, EvolveError> {
        let mut cma = CmaEs::start(state.params.clone())?;
        if !state.values.len().is_multiple_of(cma.population) {
            let (values, population) = (state.values.len(), cma.population);
            return Err(EvolveError::State(format!("{values} values, {population} a generation")));
        }
        let goal_is_known = state.best.clone();
        for generation in state.values.chunks(cma.population) {
            cma.advance_generation(generation.iter().copied().collect(), None)?;
        }
        cma.state.best = goal_is_known;
        Ok(cma)
    }

    /// Where it stands.
    pub fn state(&self) -> &CmaState {
        &self.state
    }

    /// Generations that are over; `None` before the first.
    pub fn generation(&self) -> Option<u64> {
        let all = self.state.values.len() / self.population;
        (all as u64).checked_sub(1)
    }

    /// Evaluations so far.
    pub fn evaluations(&self) -> u64 {
        self.state.values.len() as u64
    }

    /// The mean of the distribution before the points of the last generation were drawn: what CMA-ES recommends when values
    /// are noisy.
    pub fn distribution_mean(&self) -> &[f64] {
        self.inner.as_ref().map_or(&self.state.params.mean, |inner| inner.mean())
    }

    /// The step size.
    pub fn step_size(&self) -> f64 {
        self.inner.as_ref().map_or(self.state.params.sigma, CmaLibraryState::sigma)
    }

    /// One generation by known values or those of the problem.
    fn advance_generation(
        &mut self,
        known: VecDeque<f64>,
        problem: Option<&mut dyn OptimizationProblem>,
    ) -> Result<Vec<PopulationMember>, EvolveError> {
        let asked = GenerationSample {
            known,
            problem,
            first: self.evaluations(),
            generation: self.generation().map_or(0, |generation| generation + 1),
            given: Vec::new(),
        };
        let oracle = CostOracle { shared: RefCell::new(asked), population: self.population };
        let mut wrapped = basin::Problem::new(oracle);
        let inner = match self.inner.take() {
            // The library measures its first population when it is set up.
            None => {
                let params = &self.state.params;
                self.solver.init(&mut wrapped, CmaLibraryState::new(params.mean.clone(), params.sigma))?
            }
            Some(inner) => {
                let (inner, failed) = self.solver.next_iter(&mut wrapped, inner)?;
                if let Some(reason) = failed {
                    return Err(EvolveError::Library(format!("{reason:?}")));
                }
                inner
            }
        };
        let given = wrapped.inner().shared.borrow().given.clone();
        self.state.values.extend(given.iter().map(|member| member.value));
        self.inner = Some(inner);
        Ok(given)
    }

    /// One generation; says whether there is a new best.
    ///
    /// # Errors
    /// If the problem was stopped or gave not one value for a point, or the library gave up. The state is as before.
    pub fn run_generation(&mut self, problem: &mut dyn OptimizationProblem) -> Result<bool, EvolveError> {
        let goal = problem.goal();
        let given = match self.advance_generation(VecDeque::new(), Some(problem)) {
            Ok(given) => given,
            Err(error) => {
                // The library has drawn already: lead it back to where it stood.
                *self = CmaEs::resume(self.state.clone())?;
                return Err(error);
            }
        };
        Ok(self.note_best(given, goal))
    }

    /// The next generation, for who measures its points elsewhere and all at once. The run stays where it stands, and asking
    /// again gives the same.
    ///
    /// ```
    /// use ishi_evolve::{CmaEs, CmaParams, OptimizationGoal};
    /// let params = CmaParams { mean: vec![1.0; 2], sigma: 0.5, population: None, seed: 1 };
    /// let mut run = CmaEs::start(params).unwrap();
    /// for _ in 0..60 {
    ///     let asked = run.ask_points().unwrap();
    ///     let values: Vec<f64> = asked.points.iter().map(|x| x[0].powi(2) + x[1].powi(2)).collect();
    ///     run.tell_values(&values, OptimizationGoal::Minimize).unwrap();
    /// }
    /// assert!(run.state().best.as_ref().unwrap().value < 1e-3);
    /// ```
    ///
    /// # Errors
    /// If the library gives up.
    pub fn ask_points(&self) -> Result<CmaGeneration, EvolveError> {
        let mut ahead = CmaEs::resume(self.state.clone())?;
        let mut recorder = PointRecorder::default();
        ahead.advance_generation(VecDeque::new(), Some(&mut recorder))?;
        let mean = ahead.distribution_mean().to_vec();
        Ok(CmaGeneration { mean, step_size: ahead.step_size(), points: recorder.0 })
    }

    /// Takes the values of the points that [`CmaEs::ask_points`] has named, in their order. Says whether there is a new best.
    ///
    /// # Errors
    /// If there is not one value for each point, or the library gives up. The state is as before.
    pub fn tell_values(&mut self, values: &[f64], goal: OptimizationGoal) -> Result<bool, EvolveError> {
        if values.len() != self.population {
            return Err(EvolveError::Values { asked: self.population, given: values.len() });
        }
        let sign = if goal == OptimizationGoal::Maximize { -1.0 } else { 1.0 };
        let minimised = |&value: &f64| if value.is_nan() { f64::INFINITY } else { sign * value };
        match self.advance_generation(values.iter().map(minimised).collect(), None) {
            Ok(given) => Ok(self.note_best(given, goal)),
            Err(error) => {
                *self = CmaEs::resume(self.state.clone())?;
                Err(error)
            }
        }
    }

    /// Keeps the best of a generation, if it is better than all before. Says whether it is.
    fn note_best(&mut self, given: Vec<PopulationMember>, goal: OptimizationGoal) -> bool {
        let sign = if goal == OptimizationGoal::Maximize { -1.0 } else { 1.0 };
        let mut new = false;
        for member in given {
            let member = PopulationMember { value: sign * member.value, ..member };
            if self.state.best.as_ref().is_none_or(|best| goal.is_better(member.value, best.value)) {
                (self.state.best, new) = (Some(member), true);
            }
        }
        new
    }

    /// Generation after generation, until a limit is reached.
    ///
    /// # Errors
    /// As [`CmaEs::run_generation`], but being stopped is an end.
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
        let next = self.generation().map_or(0, |generation| generation + 1);
        limits.find_end(best, next, self.evaluations() + self.population as u64, goal)
    }

    fn notify_observer(&self, new_best: bool, observer: &mut dyn EvolutionObserver) {
        let (Some(best), Some(generation)) = (&self.state.best, self.generation()) else { return };
        let last = &self.state.values[self.state.values.len() - self.population..];
        let mean = last.iter().sum::<f64>().abs() / last.len() as f64;
        let mean = mean.copysign(best.value);
        observer.on_generation(&GenerationReport {
            generation,
            evaluations: self.evaluations(),
            best,
            new_best,
            mean,
        });
    }
}
