//! Who hears of a run, and when; and when a run ends.

use ishi_work::StopFlag;

use crate::de::PopulationMember;
use crate::problem::OptimizationGoal;

/// What came of a generation, told after each.
#[derive(Clone, Copy, Debug)]
pub struct GenerationReport<'a> {
    /// Generations so far; 0 after the first population.
    pub generation: u64,
    /// Evaluations so far.
    pub evaluations: u64,
    /// The best that was seen.
    pub best: &'a PopulationMember,
    /// Is it new?
    pub new_best: bool,
    /// The mean value of the population.
    pub mean: f64,
}

/// Hears of a run.
pub trait EvolutionObserver {
    /// A generation is over.
    fn on_generation(&mut self, progress: &GenerationReport<'_>);
}

/// Every closure observes.
impl<F: FnMut(&GenerationReport<'_>)> EvolutionObserver for F {
    fn on_generation(&mut self, progress: &GenerationReport<'_>) {
        self(progress);
    }
}

/// Nobody hears of it.
impl EvolutionObserver for () {
    fn on_generation(&mut self, _: &GenerationReport<'_>) {}
}

/// Tells the other of every `n`th generation, beginning with generation 0. An `n` of 0 counts as 1.
///
/// ```
/// use ishi_evolve::{DeParams, DifferentialEvolution, EveryNthGeneration, GenerationReport, RunLimits, problem::Minimize};
/// use ishi_rng::Seed;
/// let mut told = Vec::new();
/// let mut observer = EveryNthGeneration(10, |report: &GenerationReport<'_>| told.push(report.generation));
/// let mut run = DifferentialEvolution::start(DeParams::new(1), Seed::new(1)).unwrap();
/// let limits = RunLimits { generations: Some(25), ..RunLimits::default() };
/// run.run_until_limit(&mut Minimize(|point: &[f64]| point[0].powi(2)), &limits, &mut observer).unwrap();
/// assert_eq!(told, [0, 10, 20]);
/// ```
pub struct EveryNthGeneration<O>(pub u64, pub O);

impl<O: EvolutionObserver> EvolutionObserver for EveryNthGeneration<O> {
    fn on_generation(&mut self, progress: &GenerationReport<'_>) {
        if progress.generation.is_multiple_of(self.0.max(1)) {
            self.1.on_generation(progress);
        }
    }
}

/// Tells the other of every new best.
pub struct OnNewBest<O>(pub O);

impl<O: EvolutionObserver> EvolutionObserver for OnNewBest<O> {
    fn on_generation(&mut self, progress: &GenerationReport<'_>) {
        if progress.new_best {
            self.0.on_generation(progress);
        }
    }
}

/// When a run ends; without limits it goes on for ever.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunLimits<'a> {
    /// At most so many generations, counted from the run's very start.
    pub generations: Option<u64>,
    /// At most so many evaluations, counted likewise: a generation that would go beyond is not begun.
    pub evaluations: Option<u64>,
    /// A value that is good enough.
    pub target: Option<f64>,
    /// Ends the run before the next generation when set.
    pub stop: Option<&'a StopFlag>,
}

impl RunLimits<'_> {
    /// Why a run whose best value this is does not go on to the next generation, if it does not. With it there would be so many evaluations.
    pub(crate) fn find_end(
        &self,
        best: Option<f64>,
        next_generation: u64,
        evaluations: u64,
        goal: OptimizationGoal,
    ) -> Option<RunEnd> {
        let is_reached = |target| best.is_some_and(|best| !goal.is_better(target, best));
        if self.target.is_some_and(is_reached) {
            Some(RunEnd::Target)
        } else if self.generations.is_some_and(|most| next_generation > most) {
            Some(RunEnd::Generations)
        } else if self.evaluations.is_some_and(|most| evaluations > most) {
            Some(RunEnd::Evaluations)
        } else if self.stop.is_some_and(|stop| stop.is_requested()) {
            Some(RunEnd::Stopped)
        } else {
            None
        }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Enough generations.
    Generations,
    /// Enough evaluations.
    Evaluations,
    /// The value is good enough.
    Target,
    /// It was told to stop, and can go on.
    Stopped,
}
