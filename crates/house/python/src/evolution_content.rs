//! Runs of optimisers as they are pickled. The numbers of their parameters are the bits of floats, so that nothing is lost.

use ishi_evolve::cma::CmaState as CmaRunState;
use ishi_evolve::{
    BoundHandling, DeParams, DeState, DifferentialEvolution as DeRun, EvolveError, ParameterControl,
    ParentValues,
};
use serde::{Deserialize, Serialize};

/// A run of differential evolution.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvolutionContent {
    strategy: String,
    control: ControlContent,
    population: usize,
    dimensions: usize,
    initial: (u64, u64),
    bounds: BoundsContent,
    remeasure: bool,
    ties_replace: bool,
    p_best: u64,
    archive: bool,
    state: DeState,
    pub(crate) maximize: bool,
    /// Does it wait for the values of points that it has named?
    pub(crate) is_asked: bool,
}

/// A run of CMA-ES.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CmaContent {
    pub(crate) state: CmaRunState,
    pub(crate) maximize: bool,
    /// Does it wait for the values of points that it has named?
    pub(crate) is_asked: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ControlContent {
    Fixed { f: u64, cr: u64 },
    Jade { c: u64 },
    Shade { memory: usize },
}

/// The two sides of the box.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum BoundsContent {
    None,
    Clip(u64, u64),
    Reflect(u64, u64),
    Resample(u64, u64),
}

impl ControlContent {
    fn from_control(control: ParameterControl) -> ControlContent {
        match control {
            ParameterControl::Fixed { f, cr } => ControlContent::Fixed { f: f.to_bits(), cr: cr.to_bits() },
            ParameterControl::Jade { c } => ControlContent::Jade { c: c.to_bits() },
            ParameterControl::Shade { memory } => ControlContent::Shade { memory },
        }
    }

    fn to_control(&self) -> ParameterControl {
        match *self {
            ControlContent::Fixed { f, cr } => {
                ParameterControl::Fixed { f: f64::from_bits(f), cr: f64::from_bits(cr) }
            }
            ControlContent::Jade { c } => ParameterControl::Jade { c: f64::from_bits(c) },
            ControlContent::Shade { memory } => ParameterControl::Shade { memory },
        }
    }
}

impl BoundsContent {
    fn from_bounds(bounds: BoundHandling) -> BoundsContent {
        match bounds {
            BoundHandling::None => BoundsContent::None,
            BoundHandling::Clip { low, high } => BoundsContent::Clip(low.to_bits(), high.to_bits()),
            BoundHandling::Reflect { low, high } => BoundsContent::Reflect(low.to_bits(), high.to_bits()),
            BoundHandling::Resample { low, high } => BoundsContent::Resample(low.to_bits(), high.to_bits()),
        }
    }

    fn to_bounds(&self) -> BoundHandling {
        let sides = |low, high| (f64::from_bits(low), f64::from_bits(high));
        match *self {
            BoundsContent::None => BoundHandling::None,
            BoundsContent::Clip(low, high) => {
                let (low, high) = sides(low, high);
                BoundHandling::Clip { low, high }
            }
            BoundsContent::Reflect(low, high) => {
                let (low, high) = sides(low, high);
                BoundHandling::Reflect { low, high }
            }
            BoundsContent::Resample(low, high) => {
                let (low, high) = sides(low, high);
                BoundHandling::Resample { low, high }
            }
        }
    }
}

impl EvolutionContent {
    pub(crate) fn from_run(run: &DeRun, maximize: bool, is_asked: bool) -> EvolutionContent {
        let params = run.params();
        let (low, high) = params.initial;
        EvolutionContent {
            strategy: params.strategy.to_string(),
            control: ControlContent::from_control(params.control),
            population: params.population,
            dimensions: params.dimensions,
            initial: (low.to_bits(), high.to_bits()),
            bounds: BoundsContent::from_bounds(params.bounds),
            remeasure: params.parents == ParentValues::Remeasure,
            ties_replace: params.ties_replace,
            p_best: params.p_best.to_bits(),
            archive: params.archive,
            state: run.state().clone(),
            maximize,
            is_asked,
        }
    }

    /// # Errors
    /// If a parameter is out of its range, or the state is one of other parameters.
    pub(crate) fn to_run(&self) -> Result<DeRun, EvolveError> {
        let (low, high) = self.initial;
        let params = DeParams {
            strategy: self.strategy.parse()?,
            control: self.control.to_control(),
            population: self.population,
            dimensions: self.dimensions,
            initial: (f64::from_bits(low), f64::from_bits(high)),
            bounds: self.bounds.to_bounds(),
            parents: if self.remeasure { ParentValues::Remeasure } else { ParentValues::KeepValue },
            ties_replace: self.ties_replace,
            p_best: f64::from_bits(self.p_best),
            archive: self.archive,
        };
        DeRun::resume(params, self.state.clone())
    }
}
