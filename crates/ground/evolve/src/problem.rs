//! What is optimised.

/// Which values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptimizationGoal {
    /// Small ones.
    Minimize,
    /// Great ones.
    Maximize,
}

impl OptimizationGoal {
    /// Is `a` strictly better than `b`? What is not a number is worse than every number.
    ///
    /// ```
    /// use ishi_evolve::OptimizationGoal;
    /// assert!(OptimizationGoal::Maximize.is_better(2.0, 1.0) && !OptimizationGoal::Maximize.is_better(1.0, 1.0));
    /// assert!(OptimizationGoal::Minimize.is_better(2.0, f64::NAN));
    /// ```
    pub fn is_better(self, a: f64, b: f64) -> bool {
        match (a.is_nan(), b.is_nan()) {
            (true, _) => false,
            (false, true) => true,
            (false, false) if self == OptimizationGoal::Minimize => a < b,
            (false, false) => a > b,
        }
    }

    /// The worst value of all.
    ///
    /// ```
    /// use ishi_evolve::OptimizationGoal;
    /// let goal = OptimizationGoal::Minimize;
    /// assert!(goal.is_better(1e300, goal.worst_value()));
    /// ```
    pub fn worst_value(self) -> f64 {
        match self {
            OptimizationGoal::Minimize => f64::INFINITY,
            OptimizationGoal::Maximize => f64::NEG_INFINITY,
        }
    }

    /// Better ones first.
    pub(crate) fn compare_values(self, a: f64, b: f64) -> std::cmp::Ordering {
        if self.is_better(a, b) {
            std::cmp::Ordering::Less
        } else if self.is_better(b, a) {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Equal
        }
    }
}

/// Points whose values are wanted.
#[derive(Clone, Copy, Debug)]
pub struct PointBatch<'a> {
    /// The points.
    pub points: &'a [Vec<f64>],
    /// The number of the first evaluation in the whole run. Noise that is drawn from a stream by `first + place` is the same
    /// whatever the threads and however often the run is resumed.
    pub first: u64,
    /// The generation that the points belong to; 0 is the first population.
    pub generation: u64,
}

/// The problem was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationInterrupted;

/// What is optimised. Every closure from a point to a number is a problem to be minimised by way of [`Minimize`].
///
/// ```
/// use ishi_evolve::{DeParams, DifferentialEvolution, EvaluationInterrupted, OptimizationGoal, OptimizationProblem};
/// use ishi_evolve::{PointBatch, RunLimits};
/// use ishi_rng::Seed;
///
/// struct Hill;
///
/// impl OptimizationProblem for Hill {
///     fn goal(&self) -> OptimizationGoal {
///         OptimizationGoal::Maximize
///     }
///
///     fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
///         Ok(batch.points.iter().map(|point| -(point[0] - 0.3).powi(2)).collect())
///     }
/// }
///
/// let mut run = DifferentialEvolution::start(DeParams::new(1), Seed::new(1)).unwrap();
/// let limits = RunLimits { generations: Some(60), ..RunLimits::default() };
/// run.run_until_limit(&mut Hill, &limits, &mut ()).unwrap();
/// assert!(run.state().best.as_ref().unwrap().value > -0.01);
/// ```
pub trait OptimizationProblem {
    /// Which values are better.
    fn goal(&self) -> OptimizationGoal;

    /// The values of the points, in their order. They may be noisy, and may be computed in parallel; they must follow from
    /// the batch alone if the run is to be repeatable.
    ///
    /// # Errors
    /// If it was told to stop: the run's state is then as before the batch.
    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted>;
}

/// A function to be minimised.
pub struct Minimize<F>(pub F);

impl<F: FnMut(&[f64]) -> f64> OptimizationProblem for Minimize<F> {
    fn goal(&self) -> OptimizationGoal {
        OptimizationGoal::Minimize
    }

    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
        Ok(batch.points.iter().map(|point| (self.0)(point)).collect())
    }
}
