//! Optimisers that are asked for points and told their values: differential evolution, JADE, SHADE, CMA-ES.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use ishi_evolve::de::TrialPoints;
use ishi_evolve::kept::{open_state_text, seal_state_text};
use ishi_evolve::{
    BoundHandling, CmaEs as CmaRun, CmaParams, DeParams, DeStrategy, DifferentialEvolution as DeRun,
    EvaluationInterrupted, EvolveError, OptimizationGoal, OptimizationProblem, ParameterControl,
    ParentValues, PointBatch, PopulationMember,
};
use ishi_rng::Seed;
use numpy::{AllowTypeChange, PyArrayLike1};
use pyo3::prelude::*;

use crate::evolution_content::{CmaContent, EvolutionContent};
use crate::games::classes::Reduced;
use crate::interrupt::{lock_attached, lock_detached};
use crate::kept::{CMA_RUN, EVOLUTION_RUN};
use crate::values::{
    array_values, failed, invalid, read_float, read_floats, read_interval, read_optional_interval,
    shaped_array,
};
use crate::whole;

fn evolve_error(error: EvolveError) -> PyErr {
    match error {
        EvolveError::Library(_) | EvolveError::Interrupted => failed(error),
        _ => invalid(error),
    }
}

/// A state as it is kept.
fn state_text(state: &impl serde::Serialize) -> PyResult<String> {
    Ok(seal_state_text(&serde_json::to_string(state).map_err(failed)?))
}

fn goal_of(maximize: bool) -> OptimizationGoal {
    if maximize { OptimizationGoal::Maximize } else { OptimizationGoal::Minimize }
}

/// Points as float64 [points, coordinates].
fn points_array<'py>(py: Python<'py>, points: &[Vec<f64>]) -> PyResult<Bound<'py, PyAny>> {
    let width = points.first().map_or(0, Vec::len);
    shaped_array(py, points.concat(), [points.len(), width])
}

/// The best point that was seen, float64 [coordinates], and its value.
type BestPoint<'py> = Option<(Bound<'py, PyAny>, f64)>;

fn describe_best<'py>(py: Python<'py>, best: Option<&PopulationMember>) -> PyResult<BestPoint<'py>> {
    let describe =
        |best: &PopulationMember| Ok((shaped_array(py, best.point.clone(), [best.point.len()])?, best.value));
    best.map(describe).transpose()
}

/// Differential evolution; JADE and SHADE by DifferentialEvolution.jade() and .shade().
///
/// DifferentialEvolution(dimensions, *, strategy="DE/rand/1/bin", f=0.5, cr=0.9, population=None, initial=(-1, 1), bounds=None,
///     bound_handling="reflect", remeasure=False, maximize=False, seed=1)
///
/// strategy: DE/base/num/cross, with base rand, best, current-to-best or current-to-pbest. f, cr: factor of differences and crossover rate.
/// population: members, ten for each dimension if not given. initial: the interval that the first points are drawn from, in every coordinate. bounds: an interval that points are
/// kept in, by bound_handling: clip, reflect or resample. remeasure: measure parents again in each generation, against noise.
/// ask() gives points, tell() takes their values. A run can be copied and pickled. ValueError names the parameter that is wrong.
#[pyclass(module = "ishi")]
pub(crate) struct DifferentialEvolution {
    run: DeRun,
    goal: OptimizationGoal,
    asked: Option<TrialPoints>,
}

/// Parameters that all ways of making a run have.
struct CommonParams<'a> {
    dimensions: usize,
    population: Option<usize>,
    initial: (f64, f64),
    bounds: Option<(f64, f64)>,
    bound_handling: &'a str,
    remeasure: bool,
}

impl CommonParams<'_> {
    fn to_params(&self) -> PyResult<DeParams> {
        let usual = DeParams::new(self.dimensions);
        let parents = if self.remeasure { ParentValues::Remeasure } else { ParentValues::KeepValue };
        Ok(DeParams {
            population: self.population.unwrap_or(usual.population),
            initial: self.initial,
            bounds: self.read_bounds()?,
            parents,
            ..usual
        })
    }

    fn read_bounds(&self) -> PyResult<BoundHandling> {
        let handled = |low, high| match self.bound_handling {
            "clip" => Ok(BoundHandling::Clip { low, high }),
            "reflect" => Ok(BoundHandling::Reflect { low, high }),
            "resample" => Ok(BoundHandling::Resample { low, high }),
            other => {
                Err(invalid(format!("invalid bound_handling {other:?}: write clip, reflect or resample")))
            }
        };
        let without = handled(0.0, 1.0).map(|_| BoundHandling::None);
        self.bounds.map_or(without, |(low, high)| handled(low, high))
    }
}

impl DifferentialEvolution {
    fn start(params: DeParams, maximize: bool, seed: u64) -> PyResult<DifferentialEvolution> {
        let run = DeRun::start(params, Seed::new(seed)).map_err(evolve_error)?;
        Ok(DifferentialEvolution { run, goal: goal_of(maximize), asked: None })
    }
}

#[pymethods]
#[allow(clippy::too_many_arguments)] // Keywords in Python.
impl DifferentialEvolution {
    #[new]
    #[pyo3(signature = (dimensions, *, strategy="DE/rand/1/bin", f=0.5, cr=0.9, population=None, initial=(-1.0, 1.0), bounds=None,
        bound_handling="reflect", remeasure=false, maximize=false, seed=1))]
    fn new(
        #[pyo3(from_py_with = whole::dimensions)] dimensions: usize,
        strategy: &str,
        #[pyo3(from_py_with = read_float)] f: f64,
        #[pyo3(from_py_with = read_float)] cr: f64,
        #[pyo3(from_py_with = whole::population)] population: Option<usize>,
        #[pyo3(from_py_with = read_interval)] initial: (f64, f64),
        #[pyo3(from_py_with = read_optional_interval)] bounds: Option<(f64, f64)>,
        bound_handling: &str,
        remeasure: bool,
        maximize: bool,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
    ) -> PyResult<DifferentialEvolution> {
        let common = CommonParams { dimensions, population, initial, bounds, bound_handling, remeasure };
        let strategy: DeStrategy = strategy.parse().map_err(evolve_error)?;
        let control = ParameterControl::Fixed { f, cr };
        DifferentialEvolution::start(DeParams { strategy, control, ..common.to_params()? }, maximize, seed)
    }

    /// JADE (Zhang and Sanderson 2009): DE/current-to-pbest/1/bin with an archive; F and CR adapt. c: how fast, 0 to 1. p_best: the share of the
    /// best that points move to, above 0 and at most 1. The other parameters are those of DifferentialEvolution. ValueError names the one that is
    /// wrong.
    #[staticmethod]
    #[pyo3(signature = (dimensions, *, c=0.1, p_best=0.05, population=None, initial=(-1.0, 1.0), bounds=None, bound_handling="reflect",
        remeasure=false, maximize=false, seed=1))]
    fn jade(
        #[pyo3(from_py_with = whole::dimensions)] dimensions: usize,
        #[pyo3(from_py_with = read_float)] c: f64,
        #[pyo3(from_py_with = read_float)] p_best: f64,
        #[pyo3(from_py_with = whole::population)] population: Option<usize>,
        #[pyo3(from_py_with = read_interval)] initial: (f64, f64),
        #[pyo3(from_py_with = read_optional_interval)] bounds: Option<(f64, f64)>,
        bound_handling: &str,
        remeasure: bool,
        maximize: bool,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
    ) -> PyResult<DifferentialEvolution> {
        let common = CommonParams { dimensions, population, initial, bounds, bound_handling, remeasure };
        let control = ParameterControl::Jade { c };
        DifferentialEvolution::start(adaptive_params(&common, control, p_best)?, maximize, seed)
    }

    /// SHADE (Tanabe and Fukunaga 2013): as JADE, with a memory of so many means of F and CR. p_best is the greatest share of the best. ValueError
    /// names the parameter that is wrong.
    #[staticmethod]
    #[pyo3(signature = (dimensions, *, memory=100, p_best=0.2, population=None, initial=(-1.0, 1.0), bounds=None, bound_handling="reflect",
        remeasure=false, maximize=false, seed=1))]
    fn shade(
        #[pyo3(from_py_with = whole::dimensions)] dimensions: usize,
        #[pyo3(from_py_with = whole::memory)] memory: usize,
        #[pyo3(from_py_with = read_float)] p_best: f64,
        #[pyo3(from_py_with = whole::population)] population: Option<usize>,
        #[pyo3(from_py_with = read_interval)] initial: (f64, f64),
        #[pyo3(from_py_with = read_optional_interval)] bounds: Option<(f64, f64)>,
        bound_handling: &str,
        remeasure: bool,
        maximize: bool,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
    ) -> PyResult<DifferentialEvolution> {
        let common = CommonParams { dimensions, population, initial, bounds, bound_handling, remeasure };
        let control = ParameterControl::Shade { memory };
        DifferentialEvolution::start(adaptive_params(&common, control, p_best)?, maximize, seed)
    }

    /// The points whose values are wanted next: float64 [points, dimensions]. Asking again gives the same.
    fn ask<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let trials = self.asked.get_or_insert_with(|| self.run.ask_trials(self.goal));
        points_array(py, &trials.points)
    }

    /// Takes the values [points] of what ask() gave, in its order; NaN is worse than every number. Says whether there is a new best. ValueError if
    /// there is not one value for each point; nothing is changed then.
    fn tell(
        &mut self,
        #[pyo3(from_py_with = read_floats)] values: PyArrayLike1<'_, f64, AllowTypeChange>,
    ) -> PyResult<bool> {
        let values = array_values(&values);
        let trials = self.asked.clone().ok_or_else(|| invalid("tell before ask: ask() gives the points"))?;
        let is_new = self.run.tell_values(trials, &values, self.goal).map_err(evolve_error)?;
        self.asked = None;
        Ok(is_new)
    }

    /// The best point that was seen, float64 [dimensions], and its value; None before the first values.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<BestPoint<'py>> {
        describe_best(py, self.run.state().best.as_ref())
    }

    /// Generations that are over; None before the first population has values.
    #[getter]
    fn generation(&self) -> Option<u64> {
        self.run.state().generation
    }

    /// Values that were told so far.
    #[getter]
    fn evaluations(&self) -> u64 {
        self.run.state().evaluations
    }

    /// Where the run stands, as text (JSON) with a version and a checksum. A run with the same parameters goes on from it by restore(), bit for bit.
    fn state(&self) -> PyResult<String> {
        state_text(self.run.state())
    }

    /// Goes on from what state() gave. ValueError if the state is damaged, of other parameters or of another version. Nothing is changed then.
    fn restore(&mut self, state: &str) -> PyResult<()> {
        let state = serde_json::from_str(open_state_text(state).map_err(evolve_error)?).map_err(invalid)?;
        self.run = DeRun::resume(self.run.params().clone(), state).map_err(evolve_error)?;
        self.asked = None;
        Ok(())
    }

    /// Makes a run again of the text that pickle keeps.
    #[staticmethod]
    fn _deserialize(text: &str) -> PyResult<DifferentialEvolution> {
        let content: EvolutionContent = EVOLUTION_RUN.open(text).map_err(invalid)?;
        let (run, goal) = (content.to_run().map_err(evolve_error)?, goal_of(content.maximize));
        let asked = content.is_asked.then(|| run.ask_trials(goal));
        Ok(DifferentialEvolution { run, goal, asked })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let maximize = self.goal == OptimizationGoal::Maximize;
        let content = EvolutionContent::from_run(&self.run, maximize, self.asked.is_some());
        let text = EVOLUTION_RUN.seal(&content).map_err(failed)?;
        Ok((py.get_type::<DifferentialEvolution>().getattr("_deserialize")?, (text,)))
    }
}

fn adaptive_params(common: &CommonParams<'_>, control: ParameterControl, p_best: f64) -> PyResult<DeParams> {
    let strategy: DeStrategy = "DE/current-to-pbest/1/bin".parse().map_err(evolve_error)?;
    Ok(DeParams { strategy, control, p_best, archive: true, ..common.to_params()? })
}

/// CMA-ES (Hansen 2016, with negative weights).
///
/// CmaEs(mean, sigma, *, population=None, maximize=False, seed=1)
///
/// mean: the first mean, [dimensions]. sigma: the first standard deviation in every coordinate, above 0. population: points of a generation, 4
/// or more; 4 + 3 ln(dimensions) if not given. ask() gives points, tell() takes their values; run() does both. The n-th ask() leads the library through the
/// generations before, which takes microseconds for each in ten dimensions; run() does not. A run can be copied and pickled. ValueError names the
/// parameter that is wrong.
#[pyclass(module = "ishi", frozen)]
pub(crate) struct CmaEs {
    run: Mutex<CmaState>,
    goal: OptimizationGoal,
}

struct CmaState {
    run: CmaRun,
    asked: Option<Vec<Vec<f64>>>,
}

/// Notes the points that it is asked about.
struct PointRecorder {
    goal: OptimizationGoal,
    points: Vec<Vec<f64>>,
}

impl OptimizationProblem for PointRecorder {
    fn goal(&self) -> OptimizationGoal {
        self.goal
    }

    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
        self.points.extend_from_slice(batch.points);
        Ok(vec![0.0; batch.points.len()])
    }
}

/// Gives values that are known already.
struct KnownValues {
    goal: OptimizationGoal,
    values: VecDeque<f64>,
}

impl OptimizationProblem for KnownValues {
    fn goal(&self) -> OptimizationGoal {
        self.goal
    }

    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
        Ok(self.values.drain(..batch.points.len().min(self.values.len())).collect())
    }
}

/// Asks a Python function about one point at a time.
struct PythonFunction<'a> {
    goal: OptimizationGoal,
    function: &'a Py<PyAny>,
    raised: Option<PyErr>,
}

impl PythonFunction<'_> {
    fn value_at(&self, point: &[f64]) -> PyResult<f64> {
        Python::attach(|py| {
            py.check_signals()?;
            let point = shaped_array(py, point.to_vec(), [point.len()])?;
            self.function.bind(py).call1((point,))?.extract()
        })
    }
}

impl OptimizationProblem for PythonFunction<'_> {
    fn goal(&self) -> OptimizationGoal {
        self.goal
    }

    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
        let values: PyResult<Vec<f64>> = batch.points.iter().map(|point| self.value_at(point)).collect();
        values.map_err(|error| {
            self.raised = Some(error);
            EvaluationInterrupted
        })
    }
}

impl CmaEs {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, CmaState> {
        lock_attached(&self.run, py)
    }

    /// The next points, from a twin of the run that is led where it stands.
    fn find_points(&self) -> Result<Vec<Vec<f64>>, EvolveError> {
        let mut state = lock_detached(&self.run);
        if let Some(points) = &state.asked {
            return Ok(points.clone());
        }
        let mut twin = CmaRun::resume(state.run.state().clone())?;
        let mut recorder = PointRecorder { goal: self.goal, points: Vec::new() };
        twin.run_generation(&mut recorder)?;
        state.asked = Some(recorder.points.clone());
        Ok(recorder.points)
    }

    fn take_values(&self, values: Vec<f64>) -> Result<bool, EvolveError> {
        let mut state = lock_detached(&self.run);
        let asked = state.asked.as_ref().map_or(0, Vec::len);
        if values.len() != asked {
            return Err(EvolveError::Values { asked, given: values.len() });
        }
        let mut known = KnownValues { goal: self.goal, values: values.into() };
        let is_new = state.run.run_generation(&mut known)?;
        state.asked = None;
        Ok(is_new)
    }

    fn run_generations(&self, function: &Py<PyAny>, generations: u64) -> PyResult<()> {
        let mut state = lock_detached(&self.run);
        let mut problem = PythonFunction { goal: self.goal, function, raised: None };
        for _ in 0..generations {
            let done = state.run.run_generation(&mut problem);
            if let Some(error) = problem.raised.take() {
                return Err(error);
            }
            done.map_err(evolve_error)?;
            state.asked = None;
        }
        Ok(())
    }
}

#[pymethods]
impl CmaEs {
    #[new]
    #[pyo3(signature = (mean, sigma, *, population=None, maximize=false, seed=1))]
    fn new(
        #[pyo3(from_py_with = read_floats)] mean: PyArrayLike1<'_, f64, AllowTypeChange>,
        #[pyo3(from_py_with = read_float)] sigma: f64,
        #[pyo3(from_py_with = whole::population)] population: Option<usize>,
        maximize: bool,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
    ) -> PyResult<CmaEs> {
        let params = CmaParams { mean: array_values(&mean), sigma, population, seed };
        let run = CmaRun::start(params).map_err(evolve_error)?;
        Ok(CmaEs { run: Mutex::new(CmaState { run, asked: None }), goal: goal_of(maximize) })
    }

    /// The points whose values are wanted next: float64 [points, dimensions]. Asking again gives the same.
    fn ask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let points = py.detach(|| self.find_points()).map_err(evolve_error)?;
        points_array(py, &points)
    }

    /// Takes the values [points] of what ask() gave, in its order; NaN is worse than every number. Says whether there is a new best. ValueError if
    /// there is not one value for each point; nothing is changed then.
    fn tell(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = read_floats)] values: PyArrayLike1<'_, f64, AllowTypeChange>,
    ) -> PyResult<bool> {
        let values = array_values(&values);
        py.detach(|| self.take_values(values)).map_err(evolve_error)
    }

    /// Runs so many generations with a function from a point, float64 [dimensions], to its value. What it raises is raised here; the run is as
    /// before that generation then. ValueError if the number of generations is out of range, TypeError if a value is no number.
    fn run(
        &self,
        py: Python<'_>,
        function: Py<PyAny>,
        #[pyo3(from_py_with = whole::generations)] generations: u64,
    ) -> PyResult<()> {
        py.detach(|| self.run_generations(&function, generations))
    }

    /// The best point that was seen, float64 [dimensions], and its value; None before the first values.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<BestPoint<'py>> {
        describe_best(py, self.lock(py).run.state().best.as_ref())
    }

    /// The mean of the distribution, float64 [dimensions]: what CMA-ES recommends when values are noisy.
    #[getter]
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mean = self.lock(py).run.distribution_mean().to_vec();
        let dimensions = mean.len();
        shaped_array(py, mean, [dimensions])
    }

    /// The step size.
    #[getter]
    fn sigma(&self, py: Python<'_>) -> f64 {
        self.lock(py).run.step_size()
    }

    /// Generations that are over; None before the first.
    #[getter]
    fn generation(&self, py: Python<'_>) -> Option<u64> {
        self.lock(py).run.generation()
    }

    /// Values that were told so far.
    #[getter]
    fn evaluations(&self, py: Python<'_>) -> u64 {
        self.lock(py).run.evaluations()
    }

    /// Where the run stands, as text (JSON) with a version and a checksum; restore() goes on from it, bit for bit.
    fn state(&self, py: Python<'_>) -> PyResult<String> {
        state_text(self.lock(py).run.state())
    }

    /// Goes on from what state() gave. ValueError if the state is damaged, of another version, or no state at all. Nothing is changed then.
    fn restore(&self, py: Python<'_>, state: &str) -> PyResult<()> {
        let state = serde_json::from_str(open_state_text(state).map_err(evolve_error)?).map_err(invalid)?;
        let run = CmaRun::resume(state).map_err(evolve_error)?;
        *self.lock(py) = CmaState { run, asked: None };
        Ok(())
    }

    /// Makes a run again of the text that pickle keeps.
    #[staticmethod]
    fn _deserialize(text: &str) -> PyResult<CmaEs> {
        let CmaContent { state, maximize, is_asked } = CMA_RUN.open(text).map_err(invalid)?;
        let run = CmaRun::resume(state).map_err(evolve_error)?;
        let run = Mutex::new(CmaState { run, asked: None });
        let optimiser = CmaEs { run, goal: goal_of(maximize) };
        if is_asked {
            optimiser.find_points().map_err(evolve_error)?;
        }
        Ok(optimiser)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let maximize = self.goal == OptimizationGoal::Maximize;
        let content = {
            let state = self.lock(py);
            CmaContent { state: state.run.state().clone(), maximize, is_asked: state.asked.is_some() }
        };
        let text = CMA_RUN.seal(&content).map_err(failed)?;
        Ok((py.get_type::<CmaEs>().getattr("_deserialize")?, (text,)))
    }
}

pub(crate) fn add_to_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<DifferentialEvolution>()?;
    module.add_class::<CmaEs>()
}
